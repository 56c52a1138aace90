//! Whole books solved at once: what every sheet is worth in every section.

use crate::solver::limits::{Limits, MOST_VALUES};
use crate::solver::reduction::LeftOut;
use crate::sought::Sought;
use crate::valuation::Valuation;
use crate::{BookGame, BookPolicy, Error, Place};

/// Solves books that have too many states to be looked at one by one.
///
/// A hero in the middle of a book can hold any of some dozens of things and any sum of
/// gold: millions of sheets a section, most of which are worth the same. This solver never
/// looks at single sheets. The worth of a scene is a decision diagram (Bryant, 1986) over
/// items, flags, SKILL, LUCK and gold with tables over STAMINA and provisions at its leaves;
/// it is worked out backwards, scene by scene, with diagrams for operands (Hoey and
/// others, "SPUDD", 1999). Only what differs is computed, and equal parts are computed once.
///
/// What is left out is left out because it provably makes no difference, each of it can be
/// [switched](BookSolver::forget) [off](BookSolver::must_haves), and what is left is the
/// game of [`BookGame`] to the last rule: items, flags and caps that nothing reads any more
/// are forgotten, stats are [capped](BookSolver::cap_stats) where more of them is worth the same, fights are run once
/// for all sheets with the same attack, who lacks what every victory needs has lost, and
/// options that [another one brings as well](BookSolver::nested) are not weighed.
///
/// Whoever loses a thing at random makes everything held matter. What follows is
/// [put off](BookSolver::put_off): it is known to be worth no more than what is held now is,
/// and what it brings to be rid of the few things that do harm, less what is fatal to lose.
/// A choice weighs that against its other options, and mostly nobody wants the risk; for
/// those who may, and for them alone, it is worked out.
///
/// What to do wherever best play comes is written down on the way if a
/// [policy](BookSolver::policy) is asked for; [`advice`](BookSolver::advice) tells it for one
/// place, with what every option is worth.
///
/// Values are floats with a proven [bound on their error](Valuation::error). Sections that
/// lead back to themselves by chance are iterated from below until no float changes; what
/// that may have left out is then enclosed from above (Hartmanns and Kaminski, "Optimistic
/// Value Iteration", 2020). For fractions there are [`solve_exact`](BookSolver::solve_exact),
/// which looks at single sheets, and following a [policy](BookSolver::policy).
///
/// # Complexity
/// The number of different parts of diagrams, times the values of a table. Losses at random
/// among many items that somebody may want to risk cost most. Memory is what two or three
/// scenes take that lie next to each other: what nothing leads to any more is forgotten.
/// Sections that lead back to themselves by chance are gone through again and again, the
/// more often the less likely they are to be left, and some times more to prove it; where
/// there are few sheets, they are then solved [one by one](BookSolver::sheet_by_sheet): to play
/// 250 gold pieces up to 500 at 18 to 19 takes some milliseconds, and six seconds without.
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

/// How a book is solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) limits: Limits,
    pub(crate) left_out: LeftOut,
    pub(crate) put_off: bool,
    pub(crate) nested: bool,
    pub(crate) luck_together: bool,
    pub(crate) deal_by_deal: bool,
    pub(crate) apart: f64,
}

impl<'g> BookSolver<'g> {
    /// For a book and its hero.
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
            luck_together: true,
            deal_by_deal: true,
            apart: 1.5,
        };
        BookSolver { game, settings }
    }

    /// Stops before it takes about so much memory: 4 GiB unless said otherwise.
    ///
    /// Where memory is short it is first sought elsewhere. From two thirds of it on, what is worth
    /// the same to many sheets of one kind is kept once. What nothing leads to any more is
    /// forgotten, and what may follow losses at random is worked out for some of the sheets
    /// after the others. That takes longer and changes no digit. If ways are solved one by
    /// one and one of them was, the error tells what the start is worth at least and at most.
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

    /// Stops where a stat has more values than that, as far as they make a difference: 4,096
    /// unless said otherwise. A stat without a bound that goes round in a ring would have
    /// ever more. Beyond 65,535 it always stops, whatever is allowed.
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

    /// Stops at so many regions: scenes, told apart by rounds played, deals weighed, raised caps and the
    /// flags of rings; and at so many rounds of a fight that is asked for from within. A million unless
    /// said otherwise.
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

    /// Stops after going so often through sections that lead back to themselves by chance:
    /// 100,000 times unless said otherwise. What has been found by then is the answer if of
    /// no such ring of sections more than a thousandth is proven to be missing; how far the
    /// answer may be off by all of them is its [error](Valuation::error). Those that are solved
    /// [sheet by sheet](BookSolver::sheet_by_sheet) need no more. Those that stop changing sooner, and
    /// are enclosed in no other way, are left as they are: there is no error then.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver, Error};
    ///
    /// // As often won as lost, and 15 times in 16 neither.
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

    /// Solves sections that lead back to themselves by chance sheet by sheet, if going through them
    /// some dozens of times, and the more often the more sheets there are, does not do or comes too
    /// close to nothing to be proven, and no more sheets than these can come there: 50,000 unless said
    /// otherwise, with 0 never. Up to 256 of them are solved in fractions where floats do not do.
    ///
    /// # Examples
    /// The gambler's ruin: a gold piece at a time, won 18 times in 37, from 2 up to 4.
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

    /// What best play from a place is worth.
    ///
    /// # Errors
    /// [`Error::BookTooLarge`] beyond a limit, also where a stat has no bounds,
    /// [`Error::StatOverflows`] where one may leave 16 bits, [`Error::NotFollowed`] where a fight has
    /// too many rounds, or a scene too many effects and conditions that depend on each other
    /// (some hundreds in a row, millions of ways through them),
    /// [`Error::NotReached`] for a place of another book, [`Error::NoRoll`] where
    /// [rules](crate::Rules) from outside have no law of a test.
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

    /// What best play from each of some places is worth: what they have in common is worked
    /// out once, such as for heroes of one book who have chosen other things. Places of another
    /// hero's game must be [places of this one](BookGame::shares_places), too.
    ///
    /// # Errors
    /// As [`solve`](BookSolver::solve).
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

    /// What to do wherever best play comes from a place, and what that is worth: to be
    /// [followed](BookGame::follow) through the book.
    ///
    /// # Errors
    /// As [`solve`](BookSolver::solve).
    ///
    /// # Complexity
    /// Two to eight times that of solving, as measured. What is decided is kept until the end,
    /// and is little beside what it is worth.
    ///
    /// # Examples
    /// A second lap brings nothing, and so nobody goes round for ever:
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

    /// The memory that it may take.
    pub(crate) fn bytes(&self) -> usize {
        self.settings.limits.bytes
    }
}
