//! What can go wrong, and what to do about it.

use thiserror::Error as ThisError;

/// Every error of this crate.
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::{Combat, Error};
///
/// let error = Combat::new(16, 25, 14, 0).unwrap_err();
/// assert_eq!(error, Error::Endurance { who: "the foe", given: 0, limit: 999 });
/// assert_eq!(error.to_string(), "the ENDURANCE of the foe must be 1 to 999, not 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// Somebody starts a combat dead, or with more than anybody ever had.
    #[error("the ENDURANCE of {who} must be 1 to {limit}, not {given}")]
    Endurance {
        /// `"Lone Wolf"` or `"the foe"`.
        who: &'static str,
        /// What was given.
        given: i64,
        /// The highest possible.
        limit: u16,
    },

    /// A number that the Random Number Table does not have.
    #[error("a random number is 0 to 9, not {given}")]
    RandomNumber {
        /// What was given.
        given: u8,
    },

    /// A table by which a combat might never end.
    #[error(
        "column {column} of the table costs nobody anything at random number {number}: every exchange must, so that every combat ends"
    )]
    IdleExchange {
        /// The column, −6 to 6.
        column: i8,
        /// The random number, 0 to 9.
        number: u8,
    },

    /// The combat could not be solved, or the solution knows nothing of a
    /// state.
    #[error(transparent)]
    Solve(#[from] oddsmith_mdp::Error),
}
