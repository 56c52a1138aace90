//! The solver for long books, which computes the values of all sheets of a scene at once.

use crate::solver::limits::{Limits, MOST_VALUES};
use crate::solver::reduction::LeftOut;
use crate::sought::Sought;
use crate::valuation::Valuation;
use crate::{BookGame, BookPolicy, Error, Place};

/// Solves books that have too many states to be visited one by one.
///
/// In the middle of a book, a hero may hold any of several dozen things and any sum of gold. That
/// makes millions of sheets per section, most of which have the same value. The solver therefore
/// represents the value of a scene as a decision diagram (Bryant, 1986) over items, flags, SKILL,
/// LUCK and gold, with tables over STAMINA and provisions at its leaves. It computes these diagrams
/// by backward induction, scene by scene, with diagrams as operands (Hoey and others, "SPUDD",
/// 1999). Equal parts are stored and computed once.
///
/// A fight is computed once for all sheets with the same attack. The solver also leaves out what
/// provably makes no difference. Each of these reductions can be [switched](BookSolver::forget)
/// [off](BookSolver::must_haves), and with all of them on the result is still that of [`BookGame`]:
///
/// - Dead items, flags and caps, which nothing reads any more, are forgotten.
/// - Stats are [capped](BookSolver::cap_stats) where a higher value is worth the same.
/// - A hero who lacks what every victory needs has lost.
/// - Options that [another option includes](BookSolver::nested) are not evaluated.
/// - More STAMINA or money is [never worse](BookSolver::never_worse), where this can be proven.
///
/// A random loss makes everything that is held matter. The solver therefore
/// [defers](BookSolver::put_off) what follows one and starts from an upper bound: the value of what
/// the hero holds now, plus the gain from losing one of the few harmful things, minus the cost of
/// losing one that is fatal to lose. A choice compares this bound with its other options. Usually
/// no hero wants to take the risk. The solver computes the exact value only for the sheets for
/// which the risk may be worth taking.
///
/// [`policy`](BookSolver::policy) also records what to do wherever best play may arrive.
/// [`advice`](BookSolver::advice) tells what to do at one place, with the value of every option.
///
/// Values are floats with a proven [error bound](Valuation::error). Cycles of sections that are
/// left by chance are iterated from below until no float changes. The value that this may have
/// missed is then enclosed from above (Hartmanns and Kaminski, "Optimistic Value Iteration", 2020).
/// For fractions, use [`solve_exact`](BookSolver::solve_exact), which visits the few sheets that
/// floats leave in question.
///
/// # Complexity
/// Time is proportional to the number of distinct diagram nodes times the number of values in a
/// table. The most expensive books have random losses among many items that some hero may want to
/// risk. Memory holds two or three adjacent scenes at a time; values that nothing leads to any more
/// are freed.
///
/// Cycles that are left by chance take many sweeps: the less likely the exit, the more sweeps, and
/// several times as many to prove the error bound. If only a few sheets can occur there, the solver
/// then solves them [one by one](BookSolver::sheet_by_sheet). Playing 250 gold pieces up to 500 at
/// odds of 18 to 19 takes some milliseconds that way, and six seconds without.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Foe, Hero};
/// use oddsmith_gamebook::{Book, BookSolver};
///
/// let book = Book::builder()
///     .choice(1, [("bridge", 2), ("ford", 3)])
///     .fight(2, Foe::new(7, 2)?, 4)
///     .luck(3, 4, 5)
///     .won(4)
///     .lost(5)
///     .build()?;
/// let game = book.game(&Hero::new(7, 2, 8)?)?;
/// let valuation = BookSolver::new(&game).solve(game.start())?;
/// assert!((valuation.win() - 13.0 / 18.0).abs() <= valuation.error().unwrap_or(0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BookSolver<'g> {
    pub(crate) game: &'g BookGame,
    pub(crate) settings: Settings,
}

/// The settings of a [`BookSolver`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) limits: Limits,
    pub(crate) left_out: LeftOut,
    pub(crate) put_off: bool,
    pub(crate) nested: bool,
    pub(crate) never_worse: bool,
    pub(crate) luck_together: bool,
    pub(crate) deal_by_deal: bool,
    pub(crate) onwards: bool,
    pub(crate) apart: f64,
    pub(crate) prune: bool,
    /// The most places that are visited one by one.
    pub(crate) places: usize,
}

impl<'g> BookSolver<'g> {
    /// Creates a solver for a book and its hero, with default settings.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    /// let game = Book::builder().chance(1, [(2, 1), (3, 3)]).won(2).lost(3).build()?.game(&Hero::new(7, 14, 7)?)?;
    /// assert_eq!(BookSolver::new(&game).solve(game.start())?.win(), 0.25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(game: &'g BookGame) -> Self {
        let settings = Settings {
            limits: Limits {
                regions: 1_000_000,
                bytes: 4 << 30,
                values: 4_096,
                sweeps: 100_000,
                sheets: 50_000,
            },
            left_out: LeftOut::ALL,
            put_off: true,
            nested: true,
            never_worse: true,
            luck_together: true,
            deal_by_deal: true,
            onwards: true,
            apart: 1.5,
            prune: true,
            places: 20_000_000,
        };
        BookSolver { game, settings }
    }

    /// Limits the memory, approximately, to this many bytes. The default is 4 GiB. What is not
    /// counted has room within the limit, but the program itself and the book come on top.
    ///
    /// The solver saves memory before it gives up. Once an eighth of the limit is left, it folds
    /// tables, the oldest first, so that repeated values are stored only once. It frees values that
    /// nothing leads to any more, and it computes what may follow random losses for a part of the
    /// sheets at a time. This takes longer, and changes the result by roundings at most. If routes
    /// are solved one by one and the limit is reached while a further one is solved, the error
    /// states a lower and an upper bound on the value of a single start.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver, Error};
    ///
    /// let book = Book::builder().luck(1, 2, 3).luck(2, 4, 3).lost(3).won(4).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let solver = BookSolver::new(&game).max_bytes(10);
    /// let Err(Error::BookTooLarge { limit, .. }) = solver.solve(game.start()) else {
    ///     return Err("ten bytes".into());
    /// };
    /// assert_eq!(limit, 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_bytes(mut self, most: usize) -> Self {
        self.settings.limits.bytes = most;
        self
    }

    /// Limits the number of places that [`solve_exact`](BookSolver::solve_exact) visits. The default
    /// is 20 million. [`max_bytes`](BookSolver::max_bytes) limits it as well.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver, Error};
    ///
    /// let book = Book::builder().luck(1, 2, 3).luck(2, 4, 3).lost(3).won(4).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let solver = BookSolver::new(&game).max_places(3); // two tests and two ends
    /// let refused = solver.solve_exact(game.start());
    /// assert_eq!(refused, Err(Error::TooManyPlaces { limit: 3 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_places(mut self, most: usize) -> Self {
        self.settings.places = most;
        self
    }

    /// Limits the number of distinct values of a stat, as far as they make a difference. The
    /// default is 4,096, and 65,535 is the most that can be set.
    ///
    /// An unbounded stat that changes in a cycle would have ever more values.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, BookSolver, Character, Error};
    /// # use oddsmith_gamebook::{Amount, Choice, Condition, Effect, Manuscript, Passage, Play, Section, Stat};
    ///
    /// # let mut manuscript = Manuscript::new("mint");
    /// # manuscript.sheet.stats.push(Stat { floor: Some(0), ..Stat::new("gold", 0) });
    /// # let minted = Passage { effects: vec![Effect::change("gold", 1)], play: Play::Turn(1) };
    /// # let ship = Choice::new("buy a ship", Passage::won()).when(Condition::at_least("gold", 500));
    /// # manuscript.sections.push(Section::new(1, Play::Choice(vec![Choice::new("mint", minted), ship]).into()));
    /// // One coin at a time, until there are 500 for a ship.
    /// let book = Book::new(manuscript)?;
    /// let game = book.game(Character::new().stat("skill", 7).stat("stamina", 14).stat("luck", 7))?;
    /// let solver = BookSolver::new(&game);
    /// assert_eq!(solver.solve(game.start())?.win(), 1.0);
    /// let refused = solver.max_values(100).solve(game.start());
    /// assert!(matches!(refused, Err(Error::BookTooLarge { limit: 100, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_values(mut self, most: usize) -> Self {
        self.settings.limits.values = most.min(MOST_VALUES);
        self
    }

    /// Limits the number of regions, and the number of rounds of a fight if the start lies within
    /// one. The default is a million.
    ///
    /// A region is a scene, further distinguished by the rounds of a game that have been played,
    /// the deals of a shop that have been decided, raised caps, the items and flags that tell the
    /// laps of a cycle apart, and the route, where routes are told apart.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver, Error};
    ///
    /// let book = Book::builder().luck(1, 2, 3).luck(2, 4, 3).lost(3).won(4).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let solver = BookSolver::new(&game).max_regions(1);
    /// assert!(matches!(solver.solve(game.start()), Err(Error::BookTooLarge { limit: 1, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_regions(mut self, most: usize) -> Self {
        self.settings.limits.regions = most;
        self
    }

    /// Limits the number of sweeps through a cycle of sections. The default is 100,000.
    ///
    /// If a cycle that is left by chance reaches the limit, the value found by then is the answer,
    /// provided that at most one thousandth is proven to be missing; otherwise the result is
    /// [`Error::BookTooLarge`]. The [error](Valuation::error) covers all such cycles. A cycle that
    /// is solved [sheet by sheet](BookSolver::sheet_by_sheet) needs no further sweeps. A cycle
    /// whose values stop changing earlier and that cannot be enclosed in any way keeps them, and
    /// the valuation has no error.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver, Error};
    ///
    /// // Won as often as lost, and neither 15 times in 16.
    /// let book = Book::builder();
    /// let book = book.chance(1, [(2, 1), (3, 1), (1, 30)]).won(2).lost(3).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let solver = BookSolver::new(&game).sheet_by_sheet(0);
    /// let hasty = solver.clone().max_sweeps(150).solve(game.start())?;
    /// let error = hasty.error().ok_or("no proof")?;
    /// assert!(1e-6 < error && error < 1e-3 && (hasty.win() - 0.5).abs() <= error);
    ///
    /// let valuation = solver.solve(game.start())?;
    /// let error = valuation.error().ok_or("no proof")?;
    /// assert!(error < 1e-11 && (valuation.win() - 0.5).abs() <= error);
    /// let refused = solver.max_sweeps(10).solve(game.start());
    /// assert!(matches!(refused, Err(Error::BookTooLarge { limit: 10, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_sweeps(mut self, most: usize) -> Self {
        self.settings.limits.sweeps = most;
        self
    }

    /// Limits the number of sheets in a cycle that is solved sheet by sheet, including those in each
    /// round of its fights, and those with which it is left. The default is 50,000; with 0, no cycle
    /// is solved this way.
    ///
    /// The solver resorts to this for a cycle that is left by chance if some dozens of sweeps (more
    /// if there are many sheets) do not reach a fixed point, or if the values cannot be enclosed.
    /// Up to 256 sheets are solved in fractions where floats do not suffice.
    ///
    /// # Examples
    /// The gambler's ruin: from 2 gold pieces up to 4, one at a time, each won 18 times in 37.
    /// ```
    /// use oddsmith_gamebook::{Amount, Book, BookSolver, Cap, Character};
    /// # use oddsmith_gamebook::{Branch, Choice, Condition, Effect, Manuscript, Passage, Play, Section, Stat};
    ///
    /// # let mut book = Manuscript::new("wheel");
    /// # book.sheet.stats.push(Stat { cap: Some(Cap::At(4)), floor: Some(0), ..Stat::new("gold", 2) });
    /// # let paid = |by| Passage { effects: vec![Effect::change("gold", by)], ..Passage::to(1) };
    /// # let spun = Play::Random(vec![Branch { weight: 18, passage: paid(1) }, Branch { weight: 19, passage: paid(-1) }]);
    /// # let rich = Choice::new("rich", Passage::won()).when(Condition::at_least("gold", 4));
    /// # let poor = Choice::new("poor", Passage::to(2)).when(Condition::at_least("gold", 1));
    /// # let ruined = Choice::new("ruined", Passage::lost());
    /// # book.sections.push(Section::new(1, Play::First(vec![rich, poor, ruined]).into()));
    /// # book.sections.push(Section::new(2, spun.into()));
    /// let book = Book::new(book)?;
    /// let game = book.game(Character::new().stat("skill", 7).stat("stamina", 14).stat("luck", 7))?;
    /// let solver = BookSolver::new(&game);
    /// let (fast, slow) = (solver.solve(game.start())?, solver.clone().sheet_by_sheet(0).solve(game.start())?);
    /// let truth = 324.0 / 685.0; // 18² of 18² + 19²
    /// for valuation in [fast, slow] {
    ///     let error = valuation.error().ok_or("no proof")?;
    ///     assert!(error < 1e-12 && (valuation.win() - truth).abs() <= error);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sheet_by_sheet(mut self, most: usize) -> Self {
        self.settings.limits.sheets = most;
        self
    }

    /// Computes the value of best play from a place.
    ///
    /// # Errors
    /// - [`Error::BookTooLarge`] beyond a limit, also if a stat has no bounds.
    /// - [`Error::StatOverflows`] if a stat may leave the range of 16 bits.
    /// - [`Error::NotFollowed`] if a fight has too many rounds, or if a scene has too many effects
    ///   and conditions that depend on each other (some hundreds in a row, or millions of paths
    ///   through them). From the middle of a fight, also if it cannot be followed sheet by sheet.
    /// - [`Error::NotReached`] for a place of another book.
    /// - [`Error::NoRoll`] if [rules](crate::Rules) from outside have no roll for a test.
    ///
    /// # Examples
    /// From the second toss on, one is left to win:
    /// ```
    /// # use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().chance(1, [(2, 1), (4, 1)]).chance(2, [(3, 1), (4, 1)]).won(3).lost(4);
    /// let game = book.build()?.game(&Hero::new(7, 14, 7)?)?;
    /// let solver = BookSolver::new(&game);
    /// let (all, rest) = (solver.solve(game.start())?, solver.solve(game.start_at(2)?)?);
    /// assert_eq!((all.win(), rest.win()), (0.25, 0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve(&self, start: Place) -> Result<Valuation, Error> {
        let all = self.solve_all(&[start])?;
        all.into_iter().next().ok_or(Error::NotReached {
            section: start.section,
        })
    }

    /// Computes the value of best play from each of several places, such as for heroes of one book
    /// who chose different things. Shared parts are computed once.
    ///
    /// Places of another hero's game must be [places of this game](BookGame::shares_places), too.
    ///
    /// # Errors
    /// The same as for [`solve`](BookSolver::solve).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().luck(1, 2, 3).luck(2, 4, 3).lost(3).won(4).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let places = [game.start(), game.start_at(2)?];
    /// let [all, rest] = &BookSolver::new(&game).solve_all(&places)?[..] else {
    ///     return Err("two places".into());
    /// };
    /// assert!((rest.win() - 21.0 / 36.0).abs() < 1e-12);
    /// assert!((all.win() - 21.0 / 36.0 * 15.0 / 36.0).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_all(&self, starts: &[Place]) -> Result<Vec<Valuation>, Error> {
        Ok(self.seek_anywhere(starts, Sought::Values)?.0.valuations)
    }

    /// Computes what to do wherever best play may arrive from a place, and the value of that place.
    /// The policy can be [followed](BookGame::follow) through the book.
    ///
    /// It is decided [onwards](BookSolver::decide_onwards), for the places that best play reaches.
    /// For any other place, ask [`BookOdds`](crate::BookOdds).
    ///
    /// # Errors
    /// The same as for [`solve`](BookSolver::solve).
    ///
    /// # Complexity
    /// Two to three times that of [`solve`](BookSolver::solve), as measured. Values are kept for the
    /// walk through the book; the decisions take little memory compared with them. If there is not
    /// enough memory for the values of all sections, some are computed once more on the way. If there
    /// is not even enough for that, decisions are made at all places that anybody may reach, which
    /// takes up to nine times as long as [`solve`](BookSolver::solve).
    ///
    /// # Examples
    /// A second lap gains nothing, so the policy does not go round for ever:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder()
    ///     .choice(1, [("look around", 2), ("cross", 3)])
    ///     .choice(2, [("back", 1)])
    ///     .luck(3, 4, 5)
    ///     .won(4)
    ///     .lost(5)
    ///     .build()?;
    /// let hero = Hero::new(7, 14, 7)?;
    /// let game = book.game(&hero)?;
    /// let policy = BookSolver::new(&game).policy(game.start())?;
    /// let journey = book.follow_exact(&hero, &policy)?;
    /// assert_eq!(journey.value().to_string(), "7/12");
    /// assert_eq!(journey.visits(2)?.to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn policy(&self, start: Place) -> Result<BookPolicy, Error> {
        let (solved, rounds) = self.seek_anywhere(&[start], Sought::Decisions)?;
        let valuation = solved.valuations.into_iter().next();
        let known = solved.reduced.zip(solved.answers);
        let (valuation, (reduced, answers)) = valuation.zip(known).ok_or(Error::NotReached {
            section: start.section,
        })?;
        let known = (reduced, answers, rounds);
        Ok(BookPolicy::new(self.game, valuation, known))
    }

    /// The memory limit, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.settings.limits.bytes
    }
}
