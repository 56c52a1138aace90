//! The result of the solver for long books.

use std::fmt;

use crate::Fork;
use crate::plan::percent;
use crate::solver::induction::Size;

/// The value of a book, as found by [`BookSolver`](crate::BookSolver).
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Book, BookSolver};
/// # use oddsmith_fightingfantasy::Hero;
///
/// let book = Book::builder().chance(1, [(2, 3), (3, 1)]).won(2).lost(3).build()?;
/// let game = book.game(&Hero::new(7, 14, 7)?)?;
/// let valuation = BookSolver::new(&game).solve(game.start())?;
/// assert_eq!((valuation.win(), valuation.regions()), (0.75, 1));
/// assert!(valuation.to_string().starts_with("75.00 % ± "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Valuation {
    pub(crate) win: f64,
    pub(crate) error: Option<f64>,
    pub(crate) size: Size,
    pub(crate) fork: Option<Fork>,
}

impl Valuation {
    /// Mixes parts by chance. Each part is a probability, a value, and an error bound if one is
    /// proven.
    pub(crate) fn mixed(parts: &[(f64, f64, Option<f64>)], size: Size) -> Self {
        let rounding = Valuation::rounding(parts.len());
        let mut mixed = Valuation {
            win: 0.0,
            error: Some(0.0),
            size,
            fork: None,
        };
        for &(chance, value, error) in parts {
            mixed.win += chance * value;
            let both = mixed.error.zip(error);
            mixed.error = both.map(|(all, error)| all + chance * (error + rounding));
        }
        // A sum of rounded parts may exceed 1, which no chance does.
        mixed.win = mixed.win.min(1.0);
        mixed
    }

    /// A bound on the rounding error of products with this many chances and of their sum.
    pub(crate) fn rounding(places: usize) -> f64 {
        (places + 4) as f64 * f64::EPSILON
    }

    /// Returns the chance to win by best play from the start.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, BookSolver};
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().choice(1, [("left", 2), ("right", 3)]);
    /// let book = book.chance(2, [(4, 1), (5, 1)]).chance(3, [(4, 1), (5, 3)]).won(4).lost(5).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// assert_eq!(BookSolver::new(&game).solve(game.start())?.win(), 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn win(&self) -> f64 {
        self.win
    }

    /// Returns an upper bound on the absolute error of [`win`](Valuation::win), or `None` if none
    /// is proven.
    ///
    /// On a cycle that is left by chance, the value is where iteration from below stopped changing.
    /// An upper bound is then computed, usually some 10⁻¹² above it. If a cycle is hardly ever
    /// left, floats stop changing far from the true value, and no such bound is found; nor is it if a
    /// cycle is very long, such as a fight of some hundred wounds with effects after each. It is
    /// then solved [sheet by sheet](crate::BookSolver::sheet_by_sheet). If that cannot be done, or
    /// if the bound is no closer than a thousandth, the result is `None`. The value then is a lower
    /// bound, up to some 10⁻¹³, and may be far from the truth.
    ///
    /// A start that is [solved together](crate::BookSolver::solve_all) with others may have a larger
    /// bound than alone, because the roundings of all are counted.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let valuation = BookSolver::new(&game).solve(game.start())?;
    /// assert!(valuation.error().is_some_and(|error| error < 1e-14));
    ///
    /// let again = Book::builder().chance(1, [(1, 33), (2, 1), (3, 2)]).won(2).lost(3);
    /// let game = again.build()?.game(&Hero::new(7, 14, 7)?)?;
    /// let valuation = BookSolver::new(&game).solve(game.start())?;
    /// let error = valuation.error().ok_or("not proven")?;
    /// assert!((valuation.win() - 1.0 / 3.0).abs() <= error && error < 1e-11);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn error(&self) -> Option<f64> {
        self.error
    }

    /// Returns a proven lower and upper bound on the chance to win, or `None` if no
    /// [error](Valuation::error) is proven.
    ///
    /// # Examples
    /// The exact chance lies between them:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero};
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().fight(1, Foe::new(7, 4)?, 2).luck(2, 3, 4).won(3).lost(4).build()?;
    /// let hero = Hero::new(8, 4, 7)?;
    /// let game = book.game(&hero)?;
    /// let (least, most) = BookSolver::new(&game).solve(game.start())?.enclosure().ok_or("proven")?;
    /// let exact = book.solve(&hero)?.value_f64();
    /// assert!(least <= exact && exact <= most && most - least < 1e-13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn enclosure(&self) -> Option<(f64, f64)> {
        Some(Valuation::around(self.win, self.error?))
    }

    /// Bounds on a chance that is off by at most `error`.
    pub(crate) fn around(value: f64, error: f64) -> (f64, f64) {
        // Addition and subtraction round as well, to the next float at most.
        let least = (value - error).next_down().max(0.0);
        let most = (value + error).next_up().min(1.0);
        (least, most)
    }

    /// Returns the values of the routes at a fork, if they were [told
    /// apart](crate::BookSolver::tell_apart) and solved one by one.
    ///
    /// It is `None` otherwise, and also if memory was too short for it, after
    /// [`approximate`](crate::BookSolver::approximate), and in the middle of a fight.
    ///
    /// # Examples
    /// In a book this short, routes are told apart only on request:
    /// ```
    /// use oddsmith_gamebook::{Book, BookSolver};
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().choice(1, [("left", 2), ("right", 3)]).luck(2, 4, 5).skill(3, 4, 5);
    /// let game = book.won(4).lost(5).build()?.game(&Hero::new(7, 14, 8)?)?;
    /// let solver = BookSolver::new(&game);
    /// assert_eq!(solver.solve(game.start())?.fork(), None);
    /// let apart = solver.tell_apart(0.0).solve(game.start())?;
    /// assert_eq!(apart.fork().map(|fork| fork.ways().len()), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fork(&self) -> Option<&Fork> {
        self.fork.as_ref()
    }

    /// Returns how many regions were solved. A region is a scene, distinguished by little else.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().luck(1, 2, 3).luck(2, 4, 3).lost(3).won(4).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let valuation = BookSolver::new(&game).solve(game.start())?;
    /// assert_eq!((valuation.regions(), valuation.nodes()), (2, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn regions(&self) -> usize {
        self.size.regions
    }

    /// Returns how many decision nodes were created in all diagrams, freed ones included.
    ///
    /// # Examples
    /// One decision node is enough: whether the key has been found. A hero without it breaks in one
    /// time in two:
    /// ```
    /// use oddsmith_gamebook::{BookSolver, Choice, Condition, Passage, Play};
    /// # use oddsmith_fightingfantasy::Hero;
    /// # use oddsmith_gamebook::{Book, Branch, Effect, Item, Manuscript, Section};
    ///
    /// # let either = |weight, passage| Branch { weight, passage };
    /// let open = Choice::new("unlock", Passage::won()).when(Condition::Has("key".into()));
    /// let broken = Play::Random(vec![either(1, Passage::won()), either(1, Passage::lost())]);
    /// let door = Play::First(vec![open, Choice::otherwise(broken.into())]);
    /// # let mut book = Manuscript::new("attic");
    /// # book.sheet.items = vec![Item::new("key")];
    /// # let found = Passage { effects: vec![Effect::Gain("key".into())], ..Passage::to(2) };
    /// # let search = Play::Random(vec![either(1, found), either(3, Passage::to(2))]);
    /// # book.sections = vec![Section::new(1, search.into()), Section::new(2, door.into())];
    /// # let game = Book::new(book)?.game(&Hero::new(7, 14, 7)?)?;
    /// // A key is found one time in four.
    /// let valuation = BookSolver::new(&game).solve(game.start())?;
    /// assert_eq!((valuation.win(), valuation.nodes()), (0.625, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.size.nodes
    }

    /// Returns how many tables over STAMINA and provisions were created. Equal tables count once,
    /// unless one was freed in between.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// // Lost, won, and 21 in 36.
    /// assert_eq!(BookSolver::new(&game).solve(game.start())?.tables(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tables(&self) -> usize {
        self.size.tables
    }

    /// Returns the approximate peak memory of values, fights and decisions, in bytes. The list of
    /// [regions](Valuation::regions) takes some hundred bytes for each of them, in addition.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// assert!(BookSolver::new(&game).solve(game.start())?.bytes() < 100_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.size.bytes
    }
}

/// Writes the chance as percent, with the error.
impl fmt::Display for Valuation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&percent(&self.win))?;
        match self.error {
            Some(error) => write!(f, " ± {error:.0e}"),
            None => Ok(()),
        }
    }
}
