//! When one action displaces another.

use crate::Error;

/// How much better a later action must be to be decided on instead of an earlier one.
///
/// Actions are compared in the order in which `expand` names them, so the first one is what the
/// player does unless another pays. With the strict rule (the default), any improvement suffices,
/// and the value of a state is the highest possible one. With a tolerance, the decision stays with
/// the earlier action unless the gain exceeds the tolerance, and the value of the state is that of
/// the action decided on.
///
/// A tolerance does not apply to the opponent in a game for two, who always takes its best action.
/// Nor does it apply to a player who is to keep a quantity [low](crate::Objective::minimized). It
/// is meant for quantities that are to be high, such as the [weighted](crate::Objective::weighted)
/// negative of such a quantity.
///
/// # Examples
/// The Fighting Fantasy paper decides on LUCK only if it has "a *relative* advantage above 10⁻¹⁰",
/// as a precaution against floating-point artefacts:
/// ```
/// use oddsmith_mdp::{Game, Node, Solver, Tolerance};
///
/// struct Hair;
/// impl Game for Hair {
///     type State = Option<u64>;
///     type Action = &'static str;
///     fn expand(&self, state: &Option<u64>, node: &mut Node<Self>) {
///         match *state {
///             Some(score) => node.end(score),
///             None => {
///                 node.choice("plain").to(Some(100_000_000_000), 1);
///                 node.choice("hair").to(Some(100_000_000_001), 1);
///             }
///         }
///     }
/// }
/// let rule = Tolerance::relative(1, 10_000_000_000)?;
/// let strict = Solver::exact().solve(&Hair, None)?;
/// let loose = Solver::exact().tolerance(rule).solve(&Hair, None)?;
/// assert_eq!(strict.decision(&None)?, Some("hair"));
/// assert_eq!(loose.decision(&None)?, Some("plain"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tolerance(Rule);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Rule {
    #[default]
    Strict,
    /// gain > numerator/denominator · |value of the earlier action|
    Relative(u64, u64),
    /// gain > numerator/denominator
    Absolute(u64, u64),
}

impl Tolerance {
    /// Creates the strict rule: any improvement is taken.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Tolerance;
    /// assert_eq!(Tolerance::strict(), Tolerance::default());
    /// ```
    #[must_use]
    pub fn strict() -> Self {
        Tolerance(Rule::Strict)
    }

    /// Requires the gain to exceed `numerator / denominator` times the absolute value of the
    /// earlier action.
    ///
    /// # Errors
    /// [`Error::BadTolerance`] unless 0 ≤ numerator < 2⁶³ and
    /// 0 < denominator < 2⁶³.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Tolerance;
    /// assert!(Tolerance::relative(1, 10_000_000_000).is_ok());
    /// assert!(Tolerance::relative(1, 0).is_err());
    /// ```
    pub fn relative(numerator: u64, denominator: u64) -> Result<Self, Error> {
        check(numerator, denominator)?;
        Ok(Tolerance(Rule::Relative(numerator, denominator)))
    }

    /// Requires the gain to exceed `numerator / denominator`.
    ///
    /// # Errors
    /// The same as for [`relative`](Tolerance::relative).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Tolerance;
    /// assert!(Tolerance::absolute(1, 1_000_000).is_ok());
    /// assert!(Tolerance::absolute(u64::MAX, 1).is_err());
    /// ```
    pub fn absolute(numerator: u64, denominator: u64) -> Result<Self, Error> {
        check(numerator, denominator)?;
        Ok(Tolerance(Rule::Absolute(numerator, denominator)))
    }

    pub(crate) fn rule(&self) -> Rule {
        self.0
    }
}

/// Numerator plus denominator must fit into a machine word.
fn check(numerator: u64, denominator: u64) -> Result<(), Error> {
    const END: u64 = 1 << 63;
    if numerator < END && (1..END).contains(&denominator) {
        Ok(())
    } else {
        Err(Error::BadTolerance {
            numerator,
            denominator,
        })
    }
}
