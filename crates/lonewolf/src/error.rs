//! What can go wrong, and what to do about it.

use thiserror::Error as ThisError;

use crate::{Discipline, Item, Slot};

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

    /// A COMBAT SKILL that no Action Chart has.
    #[error("COMBAT SKILL must be 0 to {limit}, not {given}")]
    CombatSkill {
        /// What was given.
        given: i64,
        /// The highest possible.
        limit: u8,
    },

    /// A discipline that the Kai do not teach.
    #[error(
        "there is no discipline {given:?}: camouflage, hunting, sixth_sense, tracking, healing, mindshield, mindblast, animal_kinship, mind_over_matter, or a weapon for Weaponskill"
    )]
    UnknownDiscipline {
        /// What was given.
        given: String,
    },

    /// An item of which no book knows.
    #[error("there is no item {given:?}: names are as in a book, such as short_sword or meal")]
    UnknownItem {
        /// What was given.
        given: String,
    },

    /// A discipline that the hero has already; there is one Weaponskill only.
    #[error(
        "the discipline {given} is there already: each is learnt once, Weaponskill in one weapon"
    )]
    DisciplineTwice {
        /// What was given.
        given: Discipline,
    },

    /// Weaponskill in something else.
    #[error("Weaponskill is a skill in a weapon of which there are many, and {given} is none")]
    NoWeapon {
        /// What was given.
        given: Item,
    },

    /// More than can be carried.
    #[error("{given} do not fit: {slot} has room for {limit}")]
    TooMany {
        /// Where they should go.
        slot: Slot,
        /// How many there would be.
        given: u16,
        /// How many there may be.
        limit: u8,
    },

    /// The text of a book is not of the format.
    #[error("{place}: {message}")]
    Read {
        /// Section and field, as far as known.
        place: String,
        /// What was expected there.
        message: String,
    },

    /// A file is no book.
    #[error("{file}: {error}")]
    InFile {
        /// The file, as given.
        file: String,
        /// What is wrong. It is not a `source`, as the message already contains it.
        error: Box<Error>,
    },

    /// A section of a book says what cannot be.
    #[error("section {section}: {message}")]
    Section {
        /// The number of the section.
        section: u16,
        /// What is wrong with it.
        message: String,
    },

    /// A book says about itself what cannot be.
    #[error("the book: {message}")]
    Book {
        /// What is wrong with it.
        message: String,
    },

    /// More would have to be evaluated than allowed.
    #[error(
        "more than {limit} tables over ENDURANCE, or situations of a journey, would be needed: raise the limit"
    )]
    Limit {
        /// How many tables were allowed, and as many situations of a journey.
        limit: usize,
    },

    /// A state in which nobody can be in this book.
    #[error("this situation does not belong to the book: {message}")]
    Situation {
        /// Why.
        message: String,
    },

    /// The combat could not be solved, or the solution knows nothing of a
    /// state.
    #[error(transparent)]
    Solve(#[from] oddsmith_mdp::Error),
}
