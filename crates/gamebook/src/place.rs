//! The packed state of a book.

use std::fmt;

use crate::book_game::ARRIVING;

/// The stats and raised caps that a packed sheet has room for.
pub(crate) const STATS: usize = 8;

/// The sheet: items and flags as bits, stats by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Held {
    pub(crate) items: u128,
    pub(crate) stats: [i16; STATS],
}

/// Where the reader is, with the whole sheet: a state of [`BookGame`](crate::BookGame), in 48
/// bytes.
///
/// [`BookGame::describe`](crate::BookGame::describe) puts it in words, and
/// [`BookGame::stat`](crate::BookGame::stat) and [`BookGame::has`](crate::BookGame::has) read
/// single entries.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::Book;
///
/// let game = Book::builder().won(1).build()?.game(&Hero::new(7, 14, 8)?)?;
/// let place = game.start();
/// assert_eq!(place.section(), 1);
/// assert_eq!(game.describe(&place), "section 1 (skill 7, stamina 14, luck 8)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    pub(crate) section: u32,
    pub(crate) scene: u32,
    /// The progress of a fight or a game; 0 before it.
    pub(crate) step: u32,
    pub(crate) held: Held,
}

impl Place {
    /// Returns the number of the section.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// # use oddsmith_fightingfantasy::Hero;
    /// let game = Book::builder().luck(7, 400, 3).won(400).lost(3).build()?.game(&Hero::new(7, 14, 8)?)?;
    /// assert_eq!((game.start().section(), game.start_at(400)?.section()), (7, 400));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn section(&self) -> u32 {
        self.section
    }

    /// Returns whether a fight or a game is going on. It returns false just after a
    /// [toll](crate::Toll), when the rest of the fight begins.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    /// let game = Book::builder().won(1).build()?.game(&Hero::new(7, 14, 8)?)?;
    /// assert!(!game.start().is_inside());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_inside(&self) -> bool {
        !self.is_arriving() && !self.begins()
    }

    /// Whether the effects of arrival are still to come.
    pub(crate) fn is_arriving(&self) -> bool {
        self.step == ARRIVING
    }

    /// Whether the section, or a part of it, begins here.
    pub(crate) fn begins(&self) -> bool {
        self.step == 0
    }
}

/// Writes the section, the stats in order, and the items as bits. Names are kept in the book.
impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { section, step, .. } = self;
        let Held { items, stats } = self.held;
        write!(f, "section {section} {stats:?}")?;
        if items != 0 {
            write!(f, " items {items:#x}")?;
        }
        if *step != 0 {
            write!(f, " step {step:#x}")?;
        }
        Ok(())
    }
}
