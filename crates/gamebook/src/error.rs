//! What can be wrong with a book, and in which section.

use thiserror::Error as ThisError;

/// Every error of this crate.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Book, Error};
///
/// let error = Book::builder().choice(1, [("go in", 7)]).build().unwrap_err();
/// assert_eq!(error, Error::MissingTarget { section: 1, target: 7 });
/// assert_eq!(error.to_string(), "section 1 leads to section 7, which is not in the book");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// A book without sections.
    #[error("the book is empty: it needs at least one section")]
    NoSections,

    /// Two sections have one number.
    #[error("section {section} is there twice: every number stands for one section")]
    DuplicateSection {
        /// The number.
        section: u32,
    },

    /// A section leads to one that does not exist.
    #[error("section {section} leads to section {target}, which is not in the book")]
    MissingTarget {
        /// The section with the link.
        section: u32,
        /// Where it leads.
        target: u32,
    },

    /// The section to start from does not exist.
    #[error("the book starts at section {start}, which is not in the book")]
    MissingStart {
        /// The number given.
        start: u32,
    },

    /// A section that neither ends the adventure nor leads on.
    #[error(
        "section {section} is a dead end: give it an option or an outcome, or make it an ending"
    )]
    DeadEnd {
        /// The section.
        section: u32,
    },

    /// The weights of a move of chance have no sum in 64 bits.
    #[error(
        "the weights of section {section} add up to more than 2^64 - 1; divide them by a common factor"
    )]
    WeightOverflow {
        /// The section.
        section: u32,
    },

    /// Sections that lead back to where they came from.
    #[error(
        "the book runs in a circle: {}; every way must lead forwards",
        path.iter().map(ToString::to_string).collect::<Vec<_>>().join(" -> ")
    )]
    Cycle {
        /// The circle: its first section is also its last.
        path: Vec<u32>,
    },

    /// A section that was asked about does not exist.
    #[error("section {section} is not in the book")]
    NoSuchSection {
        /// The number given.
        section: u32,
    },

    /// An error of the combat rules.
    #[error(transparent)]
    Combat(#[from] oddsmith_fightingfantasy::Error),

    /// The book could not be solved, or the solution knows nothing of a place.
    #[error(transparent)]
    Solve(#[from] oddsmith_mdp::Error),
}
