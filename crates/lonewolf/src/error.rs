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
/// assert_eq!(error.to_string(), "the ENDURANCE of the foe must be between 1 and 999, got 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// A side starts a combat dead, or with more ENDURANCE than is supported.
    #[error("the ENDURANCE of {who} must be between 1 and {limit}, got {given}")]
    Endurance {
        /// `"Lone Wolf"` or `"the foe"`.
        who: &'static str,
        /// The value given.
        given: i64,
        /// The highest possible value.
        limit: u16,
    },

    /// A number that is not in the Random Number Table.
    #[error("a random number must be between 0 and 9, got {given}")]
    RandomNumber {
        /// The number given.
        given: u8,
    },

    /// A table by which a combat might never end.
    #[error(
        "in column {column} of the table, random number {number} costs neither side anything; every exchange must cost some ENDURANCE, so that every combat ends"
    )]
    IdleExchange {
        /// The column, −6 to 6.
        column: i8,
        /// The random number, 0 to 9.
        number: u8,
    },

    /// A COMBAT SKILL that no Action Chart has.
    #[error("COMBAT SKILL must be between 0 and {limit}, got {given}")]
    CombatSkill {
        /// The value given.
        given: i64,
        /// The highest possible value.
        limit: u8,
    },

    /// An unknown discipline.
    #[error(
        "unknown discipline {given:?}; expected camouflage, hunting, sixth_sense, tracking, healing, mindshield, mindblast, animal_kinship, mind_over_matter, or a weapon for Weaponskill"
    )]
    UnknownDiscipline {
        /// The text given.
        given: String,
    },

    /// An unknown item.
    #[error("unknown item {given:?}; write names as in a book, such as short_sword or meal")]
    UnknownItem {
        /// The text given.
        given: String,
    },

    /// A discipline that the hero already has. Only one Weaponskill is possible.
    #[error(
        "the hero already has the discipline {given}; each is learnt once, and Weaponskill for one weapon only"
    )]
    DisciplineTwice {
        /// The discipline given.
        given: Discipline,
    },

    /// Weaponskill in an item that it cannot be learnt for.
    #[error(
        "Weaponskill cannot be learnt for {given}; it needs an ordinary weapon, such as a sword"
    )]
    NoWeapon {
        /// The item given.
        given: Item,
    },

    /// More items than can be carried.
    #[error("{slot} has room for {limit}, got {given}")]
    TooMany {
        /// Where they would be carried.
        slot: Slot,
        /// How many there would be.
        given: u16,
        /// How many there may be.
        limit: u8,
    },

    /// More than one of an item of which there is only one.
    #[error("only one {item} can be carried, got {given}")]
    OnlyOne {
        /// The item.
        item: Item,
        /// How many there would be.
        given: u16,
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

    /// A book has several mistakes. A single one is told by its own variant.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{Book, Decision, Error, Manuscript, Outcome, Section};
    ///
    /// let section = Section { number: 1, decision: Decision::Then(Outcome::Goto(4)) };
    /// let mistaken = Book::new(Manuscript::new("maze", 1, 3, vec![section]));
    /// let Err(Error::Mistakes { errors }) = mistaken else { panic!("3 and 4 are missing") };
    /// assert_eq!(errors[0].to_string(), "the book: won is section 3, which does not exist");
    /// assert_eq!(errors[1].to_string(), "section 1: there is no section 4");
    /// ```
    #[error("{}", one_a_line(errors))]
    Mistakes {
        /// The mistakes, at most a hundred: those of the book as a whole, then section by section.
        /// In a book read from a file each is an [`InFile`](Error::InFile).
        errors: Vec<Error>,
    },

    /// More tables would have to be evaluated than allowed.
    #[error(
        "the number of tables over ENDURANCE, or of situations of a journey, exceeds the limit of {limit}; raise it with `BookSolver::max_tables`"
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

impl Error {
    pub(crate) fn book(message: impl Into<String>) -> Self {
        Error::Book {
            message: message.into(),
        }
    }

    /// Names the file in every mistake.
    #[cfg(feature = "serde")]
    pub(crate) fn in_file(self, file: &str) -> Self {
        match self {
            Error::Mistakes { errors } => Error::Mistakes {
                errors: errors
                    .into_iter()
                    .map(|error| error.in_file(file))
                    .collect(),
            },
            error => Error::InFile {
                file: file.to_owned(),
                error: Box::new(error),
            },
        }
    }
}

fn one_a_line(errors: &[Error]) -> String {
    let lines: Vec<String> = errors.iter().map(Error::to_string).collect();
    lines.join("\n")
}
