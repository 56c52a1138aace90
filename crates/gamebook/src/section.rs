//! What a section of a book asks of the reader.

use std::fmt;
use std::sync::Arc;

use oddsmith_fightingfantasy::Foe;

/// One option of a choice: "if you …, turn to …".
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::{Book, Section};
///
/// let book = Book::builder().choice(1, [("open the door", 9)]).won(9).build()?;
/// if let Section::Choice(options) = book.section(1)? {
///     assert_eq!((options[0].label(), options[0].target()), ("open the door", 9));
/// }
/// let turn = book.solve(&Hero::new(7, 14, 7)?)?.walkthrough()?.steps()[0].deed.clone();
/// assert_eq!(turn.to_string(), "open the door");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Turn {
    label: Arc<str>,
    target: u32,
}

impl Turn {
    pub(crate) fn new(label: &str, target: u32) -> Self {
        Turn {
            label: label.into(),
            target,
        }
    }

    /// What the reader does.
    ///
    /// # Examples
    /// See [`Turn`].
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The section to turn to.
    ///
    /// # Examples
    /// See [`Turn`].
    #[must_use]
    pub fn target(&self) -> u32 {
        self.target
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: turn to {}", self.label, self.target)
    }
}

/// As displayed, so that explanations of a solver read well.
impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What a section asks of the reader.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Book, Section};
///
/// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
/// assert_eq!(book.section(1)?, &Section::Luck { lucky: 2, unlucky: 3 });
/// assert_eq!(book.section(1)?.targets(), [2, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Section {
    /// The adventure succeeds.
    Won,
    /// The adventure fails.
    Lost,
    /// The reader chooses freely.
    Choice(Vec<Turn>),
    /// Dice decide: the sections it may lead to, with their weights.
    Chance(Vec<(u32, u64)>),
    /// A test of LUCK, which costs a point of it.
    Luck {
        /// Where to go if lucky.
        lucky: u32,
        /// Where to go if not.
        unlucky: u32,
    },
    /// A test of SKILL, which costs nothing.
    Skill {
        /// Where to go if it succeeds.
        success: u32,
        /// Where to go if not.
        failure: u32,
    },
    /// A fight to the death.
    Fight {
        /// Against whom.
        foe: Foe,
        /// Where to go after a victory.
        victory: u32,
    },
}

impl Section {
    /// The sections it may lead to, in the order they are named in.
    ///
    /// # Examples
    /// See [`Section`].
    #[must_use]
    pub fn targets(&self) -> Vec<u32> {
        match self {
            Section::Won | Section::Lost => Vec::new(),
            Section::Choice(options) => options.iter().map(Turn::target).collect(),
            Section::Chance(outcomes) => outcomes
                .iter()
                .filter(|(_, weight)| *weight > 0)
                .map(|&(target, _)| target)
                .collect(),
            Section::Luck { lucky, unlucky } => vec![*lucky, *unlucky],
            Section::Skill { success, failure } => vec![*success, *failure],
            Section::Fight { victory, .. } => vec![*victory],
        }
    }
}
