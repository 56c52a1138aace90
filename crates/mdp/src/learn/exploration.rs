//! The selection of actions while learning.

/// How an action is selected while learning.
///
/// # Examples
/// ```
/// use oddsmith_mdp::Exploration;
/// assert_eq!(Exploration::default(), Exploration::Greedy);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Exploration {
    /// Always one of the actions with the best estimate (for the opponent, the lowest), each with the
    /// same probability: the source's rule. Exploration comes from the high initial value alone, and
    /// ends with an action that keeps this value.
    #[default]
    Greedy,
    /// With this probability (0 to 1) any action, otherwise one of those with the best estimate:
    /// "ε-greedy".
    Random(f64),
}
