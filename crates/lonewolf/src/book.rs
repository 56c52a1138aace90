//! A book as it is written, and a checked book.

use crate::program::Program;
use crate::{Error, Section};

/// A book as data, in version 1 of the format `oddsmith-lonewolf`.
///
/// The fields of this type and of the types within it are all that a file can contain; unknown
/// fields are rejected. [`Book::new`] checks that the parts fit together. The order of the sections
/// has no meaning.
///
/// In JSON, a book looks like this:
/// ```json
/// {"format": "oddsmith-lonewolf", "version": 1, "id": "bridge", "start": 1, "won": 2,
///  "sections": [
///    {"number": 1, "decision": {"then": {"random": [
///        {"numbers": 7, "then": {"goto": 2}}, {"numbers": 3, "then": "lost"}]}}},
///    {"number": 2, "decision": {"then": "won"}}]}
/// ```
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::{Book, Decision, Manuscript, Outcome, Section};
///
/// let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
/// let sections = vec![section(1, Outcome::Goto(2)), section(2, Outcome::Won)];
/// let book = Book::new(Manuscript::new("short", 1, 2, sections))?;
/// assert_eq!(book.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Manuscript {
    /// The name of the format: `oddsmith-lonewolf`.
    pub format: String,
    /// The version of the format: 1.
    pub version: u32,
    /// A name for the book; not blank.
    pub id: String,
    /// The title of the book, if any.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub title: Option<String>,
    /// The section in which every adventure begins.
    pub start: u16,
    /// The section that wins as soon as it is reached, whatever its content.
    pub won: u16,
    /// The sections.
    pub sections: Vec<Section>,
}

const FORMAT: &str = "oddsmith-lonewolf";
const VERSION: u32 = 1;

/// Checks that a text declares this format, in a known version.
pub(crate) fn check_format(format: &str, version: u32) -> Result<(), Error> {
    if format != FORMAT {
        let message = format!("expected format {FORMAT:?}, got {format:?}");
        return Err(Error::book(message));
    }
    if version != VERSION {
        let message = format!("expected version {VERSION}, got {version}");
        return Err(Error::book(message));
    }
    Ok(())
}

impl Manuscript {
    /// Creates a book from a name, the first section, the winning section and the list of all
    /// sections.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{Decision, Manuscript, Outcome, Section};
    /// let end = Section { number: 9, decision: Decision::Then(Outcome::Won) };
    /// let short = Manuscript::new("short", 9, 9, vec![end]);
    /// assert_eq!((short.start, short.won, short.sections.len()), (9, 9, 1));
    /// assert_eq!((short.format.as_str(), short.version), ("oddsmith-lonewolf", 1));
    /// ```
    #[must_use]
    pub fn new(id: &str, start: u16, won: u16, sections: Vec<Section>) -> Self {
        Manuscript {
            format: FORMAT.to_owned(),
            version: VERSION,
            id: id.to_owned(),
            title: None,
            start,
            won,
            sections,
        }
    }
}

/// A checked book, which can be solved. Every reference leads to a section, random tables are
/// complete, and no path returns to a section it has left. With the feature `serde`,
/// `Book::fire_on_the_water` returns "Fire on the Water".
///
/// # Examples
/// Seven of the ten random numbers lead over a bridge:
/// ```
/// use oddsmith_lonewolf::{
///     ActionChart, Book, BookSolver, Chance, Decision, Manuscript, Outcome, Section,
/// };
///
/// let chance = |numbers, then| Chance { numbers, then };
/// let bridge = Outcome::Random(vec![chance(7, Outcome::Goto(2)), chance(3, Outcome::Lost)]);
/// let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
/// let sections = vec![section(1, bridge), section(2, Outcome::Won)];
/// let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
/// let win = BookSolver::new(&book).win(&ActionChart::new(10, 20)?)?;
/// assert_eq!(format!("{win:.4}"), "0.7000");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Book {
    manuscript: Manuscript,
    pub(crate) program: Program,
}

/// Two books are equal if their manuscripts are.
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::{Book, Decision, Manuscript, Outcome, Section};
/// let end = Section { number: 1, decision: Decision::Then(Outcome::Won) };
/// let book = Book::new(Manuscript::new("end", 1, 1, vec![end]))?;
/// assert_eq!(book.clone(), book);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl PartialEq for Book {
    fn eq(&self, other: &Self) -> bool {
        self.manuscript == other.manuscript
    }
}

impl Eq for Book {}

impl Book {
    /// Checks a manuscript and makes it a book.
    ///
    /// # Errors
    /// [`Error::Book`] for an unknown format or version, a missing name, a number used twice, a
    /// section 0, and a start or a winning section that does not exist. [`Error::Section`] for a
    /// reference to a section that does not exist, a random table that does not have ten numbers, a
    /// branch that may be left without an outcome or that has cases after `always` (which the last
    /// case must be), a choice without options, a blank label, counts and prices that nobody can
    /// have or pay, the sale of the Backpack, a foe without a name or outside the limits, and a
    /// path that leads in a circle. Decisions may be nested 64 deep, and no deeper than JSON can be
    /// read: at most 124 nested brackets, so that a book that was written can be read again.
    /// [`Error::Mistakes`] if there are several of these; circles are looked for in books without
    /// other mistakes.
    ///
    /// # Complexity
    /// Linear in the length of the book, except for looking up references.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{Book, Decision, Manuscript, Outcome, Section};
    ///
    /// let lost = Section { number: 1, decision: Decision::Then(Outcome::Goto(4)) };
    /// let error = Book::new(Manuscript::new("maze", 1, 1, vec![lost])).unwrap_err();
    /// assert_eq!(error.to_string(), "section 1: there is no section 4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(manuscript: Manuscript) -> Result<Self, Error> {
        check_format(&manuscript.format, manuscript.version)?;
        let program = Program::new(&manuscript)?;
        Ok(Book {
            manuscript,
            program,
        })
    }

    /// Returns the manuscript of the book.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{Book, Decision, Manuscript, Outcome, Section};
    /// let end = Section { number: 1, decision: Decision::Then(Outcome::Won) };
    /// let book = Book::new(Manuscript::new("end", 1, 1, vec![end]))?;
    /// assert_eq!(book.manuscript().id, "end");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn manuscript(&self) -> &Manuscript {
        &self.manuscript
    }

    /// Returns the section with this number, or `None` if there is none.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{Book, Decision, Manuscript, Outcome, Section};
    /// let end = Section { number: 1, decision: Decision::Then(Outcome::Won) };
    /// let book = Book::new(Manuscript::new("end", 1, 1, vec![end.clone()]))?;
    /// assert_eq!((book.section(1), book.section(2)), (Some(&end), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn section(&self, number: u16) -> Option<&Section> {
        let mut sections = self.manuscript.sections.iter();
        sections.find(|section| section.number == number)
    }

    /// Returns the number of sections.
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// use oddsmith_lonewolf::Book;
    /// assert_eq!(Book::fire_on_the_water()?.len(), 391);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.manuscript.sections.len()
    }

    /// Returns `false`: every book has a section to begin with.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{Book, Manuscript};
    /// assert!(Book::new(Manuscript::new("nothing", 1, 1, vec![])).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.manuscript.sections.is_empty()
    }
}
