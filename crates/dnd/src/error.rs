//! What can go wrong, and what to do about it.

/// Every error of this crate.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{AttackRoll, Error};
///
/// let error = AttackRoll::new(15, 4).critical_from(1).unwrap_err();
/// assert_eq!(error, Error::CriticalRange { given: 1 });
/// assert_eq!(error.to_string(), "a critical hit starts at a natural 2 to 20, not 1: a natural 1 always misses");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number that a twenty-sided die does not show.
    #[error("a twenty-sided die shows 1 to 20, not {given}")]
    Natural {
        /// What was given.
        given: u32,
    },
    /// A critical range that starts nowhere on the die.
    #[error("a critical hit starts at a natural 2 to 20, not {given}: a natural 1 always misses")]
    CriticalRange {
        /// What was given.
        given: u32,
    },
    /// Damage dice that can show less than nothing.
    #[error(
        "damage dice show 0 or more, but these can show {outcome}: give a penalty as flat damage"
    )]
    NegativeDice {
        /// The lowest outcome.
        outcome: i64,
    },
    /// A law could not be formed.
    #[error(transparent)]
    Dice(#[from] oddsmith_dice::Error),
}
