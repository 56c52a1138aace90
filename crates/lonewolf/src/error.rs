//! The error type.

use thiserror::Error as ThisError;

use crate::{Discipline, Item, Slot};

/// The error type of this crate.
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
    /// A side starts a combat dead, or with more ENDURANCE than is supported.
    #[error("the ENDURANCE of {who} must be 1 to {limit}, not {given}")]
    Endurance {
        /// `"Lone Wolf"` or `"the foe"`.
        who: &'static str,
        /// The value given.
        given: i64,
        /// The highest possible value.
        limit: u16,
    },

    /// A number that is not in the Random Number Table.
    #[error("a random number is 0 to 9, not {given}")]
    RandomNumber {
        /// The number given.
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
        /// The value given.
        given: i64,
        /// The highest possible value.
        limit: u8,
    },

    /// An unknown discipline.
    #[error(
        "there is no discipline {given:?}: camouflage, hunting, sixth_sense, tracking, healing, mindshield, mindblast, animal_kinship, mind_over_matter, or a weapon for Weaponskill"
    )]
    UnknownDiscipline {
        /// The text given.
        given: String,
    },

    /// An unknown item.
    #[error("there is no item {given:?}: names are as in a book, such as short_sword or meal")]
    UnknownItem {
        /// The text given.
        given: String,
    },

    /// A discipline that the hero already has. Only one Weaponskill is possible.
    #[error(
        "the discipline {given} is there already: each is learnt once, Weaponskill in one weapon"
    )]
    DisciplineTwice {
        /// The discipline given.
        given: Discipline,
    },

    /// Weaponskill in an item that it cannot be learnt for.
    #[error("Weaponskill is a skill in a weapon of which there are many, and {given} is none")]
    NoWeapon {
        /// The item given.
        given: Item,
    },

    /// More items than can be carried.
    #[error("{given} do not fit: {slot} has room for {limit}")]
    TooMany {
        /// Where they would be carried.
        slot: Slot,
        /// How many there would be.
        given: u16,
        /// How many there may be.
        limit: u8,
    },

    /// The text of a book does not follow the format.
    #[error("{place}: {message}")]
    Read {
        /// The section and the field, as far as known.
        place: String,
        /// What was expected there.
        message: String,
    },

    /// A file does not contain a book.
    #[error("{file}: {error}")]
    InFile {
        /// The name of the file, as given.
        file: String,
        /// What is wrong. It is not a `source`, as the message already contains it.
        error: Box<Error>,
    },

    /// A section of a book is invalid.
    #[error("section {section}: {message}")]
    Section {
        /// The number of the section.
        section: u16,
        /// What is wrong with it.
        message: String,
    },

    /// A book as a whole is invalid.
    #[error("the book: {message}")]
    Book {
        /// What is wrong with it.
        message: String,
    },

    /// More tables would have to be evaluated than allowed.
    #[error(
        "more than {limit} tables over ENDURANCE, or situations of a journey, would be needed: raise the limit"
    )]
    Limit {
        /// The number of tables allowed, and of situations of a journey.
        limit: usize,
    },

    /// A situation that cannot occur in this book.
    #[error("this situation does not belong to the book: {message}")]
    Situation {
        /// The reason.
        message: String,
    },

    /// The combat could not be solved, or the solution does not contain a state.
    #[error(transparent)]
    Solve(#[from] oddsmith_mdp::Error),
}
