//! The book as it is written, before it is checked.

use std::collections::{BTreeMap, BTreeSet};

use crate::mistakes::Mistakes;
use crate::{Error, RuleChanges, RuleSet, Section, Sheet, Stat};

/// A book as data, in the format `oddsmith-gamebook`, version 1.
///
/// Everything a file can contain is a field of this type or of the types within it. Unknown fields
/// are rejected. [`Book::new`](crate::Book::new) checks that the parts fit together. The order of
/// the sections does not matter.
///
/// [One page](mod@crate::format) describes the file format. In TOML, a book is
/// ```toml
/// format = "oddsmith-gamebook"
/// version = 1
/// id = "bridge"
/// start = 1
///
/// [[sheet.stats]]
/// id = "stamina"
/// initial = "2d6+12"
///
/// [[sections]]
/// number = 1
/// choice = [
///     { label = "jump", effects = [{ change = { stamina = -4 } }], to = 2 },
///     { label = "go back", ending = "lost" },
/// ]
///
/// [[sections]]
/// number = 2
/// ending = "won"
/// ```
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Book, Manuscript, Passage, Section};
///
/// let manuscript = Manuscript {
///     sections: vec![Section::new(7, Passage::to(9)), Section::new(9, Passage::won())],
///     start: 7,
///     ..Manuscript::new("short")
/// };
/// assert_eq!(Book::new(manuscript)?.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Manuscript {
    /// `oddsmith-gamebook`.
    pub format: String,
    /// 1.
    pub version: u32,
    /// The name of the book, which variants refer to.
    pub id: String,
    /// A title.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub title: Option<String>,
    /// Free text for notes of the author.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub text: Option<String>,
    /// The first section.
    pub start: u32,
    /// The rules; by default those of Fighting Fantasy.
    #[cfg_attr(feature = "serde", serde(default))]
    pub rules: RuleSet,
    /// What a hero consists of.
    pub sheet: Sheet,
    /// The sections.
    pub sections: Vec<Section>,
}

/// The name of the book format.
pub(crate) const FORMAT: &str = "oddsmith-gamebook";
/// The name of the variant format.
pub(crate) const VARIANT: &str = "oddsmith-gamebook-variant";

impl Manuscript {
    /// Creates a book without sections, with the standard rules and sheet, that starts at
    /// section 1.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Manuscript, Sheet};
    /// let book = Manuscript::new("cave");
    /// assert_eq!((book.id.as_str(), book.version, book.start), ("cave", 1, 1));
    /// assert_eq!((book.sections.len(), book.sheet), (0, Sheet::standard()));
    /// ```
    #[must_use]
    pub fn new(id: impl Into<String>) -> Self {
        Manuscript {
            format: FORMAT.to_owned(),
            version: 1,
            id: id.into(),
            title: None,
            text: None,
            start: 1,
            rules: RuleSet::default(),
            sheet: Sheet::standard(),
            sections: Vec::new(),
        }
    }

    pub(crate) fn check_format(&self) -> Result<(), Error> {
        check_format(&self.format, self.version, FORMAT)
    }

    /// Applies a variant to the book.
    ///
    /// # Errors
    /// [`Error::WrongBook`] if the variant is for another book; [`Error::Invalid`] if it has the
    /// name of the book, or replaces a section that does not exist; [`Error::DuplicateSection`] if
    /// it replaces a section twice; [`Error::Mistakes`] if there are several of these;
    /// [`Error::Format`] if its format is another one.
    ///
    /// # Examples
    /// A variant in which hits take 3, for the book that it names and no other:
    /// ```
    /// use oddsmith_gamebook::{Error, Manuscript, RuleChanges, Variant};
    ///
    /// let rules = RuleChanges { hit: Some(3), ..RuleChanges::default() };
    /// let deadly = Variant { rules, ..Variant::new("deadly", "cave") };
    /// let book = Manuscript::new("cave").varied(deadly.clone())?;
    /// assert_eq!((book.id.as_str(), book.rules.hit), ("deadly", 3));
    /// let refused = Manuscript::new("attic").varied(deadly).err();
    /// assert_eq!(refused, Some(Error::WrongBook { of: "cave".into(), book: "attic".into() }));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn varied(mut self, variant: Variant) -> Result<Self, Error> {
        check_format(&variant.format, variant.version, VARIANT)?;
        if variant.of != self.id {
            return Err(Error::WrongBook {
                of: variant.of,
                book: self.id,
            });
        }
        if variant.id.trim().is_empty() {
            return Err(Error::Invalid {
                place: "the variant".to_owned(),
                field: "id".to_owned(),
                problem: "it must not be blank",
            });
        }
        // Under one name, neither the two books nor their variants could be told apart.
        if variant.id == self.id {
            return Err(Error::Invalid {
                place: "the variant".to_owned(),
                field: "id".to_owned(),
                problem: "a variant must have a different name from its book",
            });
        }
        self.rules = self.rules.changed(variant.rules);
        self.title = variant.title.or(self.title);
        self.text = variant.text.or(self.text);
        self.sheet.stats.extend(variant.stats);
        let mut mistakes = Mistakes::default();
        let numbers = self.sections.iter().map(|section| section.number);
        let places: BTreeMap<u32, usize> = numbers.zip(0..).collect();
        let mut replaced = BTreeSet::new();
        for section in variant.sections {
            let number = section.number;
            match places.get(&number) {
                _ if !replaced.insert(number) => {
                    mistakes.add(Error::DuplicateSection { section: number });
                }
                Some(place) => self.sections[*place] = section,
                None => mistakes.add(Error::Invalid {
                    place: format!("section {number}"),
                    field: "number".to_owned(),
                    problem: "the book has no such section; a variant can only replace existing sections",
                }),
            }
        }
        mistakes.told()?;
        self.id = variant.id;
        Ok(self)
    }
}

pub(crate) fn check_format(format: &str, version: u32, needed: &'static str) -> Result<(), Error> {
    if format == needed && version == 1 {
        return Ok(());
    }
    Err(Error::Format {
        format: format.to_owned(),
        version,
        needed,
    })
}

/// Changes to a book, in the format `oddsmith-gamebook-variant`, version 1.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Book, Manuscript, Passage, Section, Variant};
///
/// let mut book = Manuscript::new("short");
/// book.sections = vec![Section::new(1, Passage::lost())];
/// let kinder = Variant {
///     sections: vec![Section::new(1, Passage::won())],
///     ..Variant::new("kinder", "short")
/// };
/// let book = Book::new(book.varied(kinder)?)?;
/// assert_eq!((book.id(), book.section(1)?.passage.clone()), ("kinder", Passage::won()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Variant {
    /// `oddsmith-gamebook-variant`.
    pub format: String,
    /// 1.
    pub version: u32,
    /// The name of the changed book.
    pub id: String,
    /// The name of the book that is changed.
    pub of: String,
    /// A title that replaces the book's.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub title: Option<String>,
    /// Free text for notes of the author.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub text: Option<String>,
    /// Changes to the rules.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            deserialize_with = "crate::serde::table",
            skip_serializing_if = "RuleChanges::is_empty"
        )
    )]
    pub rules: RuleChanges,
    /// Additional stats.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub stats: Vec<Stat>,
    /// Sections that replace those with the same numbers.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub sections: Vec<Section>,
}

impl Variant {
    /// Creates a variant of a book that changes nothing but its name.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{RuleChanges, Variant};
    /// let same = Variant::new("same", "cave");
    /// assert_eq!((same.id.as_str(), same.of.as_str(), same.version), ("same", "cave", 1));
    /// assert_eq!((same.rules, same.sections.len()), (RuleChanges::default(), 0));
    /// ```
    #[must_use]
    pub fn new(id: impl Into<String>, of: impl Into<String>) -> Self {
        Variant {
            format: VARIANT.to_owned(),
            version: 1,
            id: id.into(),
            of: of.into(),
            title: None,
            text: None,
            rules: RuleChanges::default(),
            stats: Vec::new(),
            sections: Vec::new(),
        }
    }
}
