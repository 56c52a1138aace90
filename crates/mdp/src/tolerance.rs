//! When one action displaces another.

use crate::Error;

/// By how much a later action must be better to be decided for instead of an
/// earlier one.
///
/// Actions are compared in the order in which `expand` names them, so the
/// first one is what the player does unless something else pays. With the
/// strict rule (the default) any improvement does, and the value of a state is
/// the highest there is. With a tolerance the decision stays with the earlier
/// action unless the gain exceeds it, and the value of the state is that of
/// the action decided for. The opponent of a game of two is spared nothing: he
/// takes whatever is best for him. So does whoever is to keep a quantity
/// [low](crate::Objective::minimized): a tolerance is for what is to be high, such as
/// the [weighted](crate::Objective::weighted) negative of it.
///
/// # Examples
/// The Fighting Fantasy paper decides for LUCK only if it has "a *relative*
/// advantage above 10⁻¹⁰", against artefacts of floating point:
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
    /// Any improvement is taken.
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

    /// The gain must exceed `numerator / denominator` of the absolute value of
    /// the earlier action.
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

    /// The gain must exceed `numerator / denominator`.
    ///
    /// # Errors
    /// As for [`relative`](Tolerance::relative).
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

/// Numerator plus denominator must fit a machine word.
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
