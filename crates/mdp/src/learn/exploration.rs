//! Which actions are tried while learning.

/// How an action is picked while learning.
///
/// # Examples
/// ```
/// use oddsmith_mdp::Exploration;
/// assert_eq!(Exploration::default(), Exploration::Greedy);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Exploration {
    /// Always one of the actions of the highest estimate, each with the same
    /// chance: the source's rule. Exploration comes from the high initial
    /// value alone, and ends with an action that keeps it.
    #[default]
    Greedy,
    /// With this probability (0 to 1) any action, otherwise one of the highest
    /// estimate: "ε-greedy".
    Random(f64),
}
