//! The solver for books, for any hero.

use crate::memo::{Known, Memo};
use crate::program::StepId;
use crate::resolve::Setting;
use crate::sheet::Sheet;
use crate::situation::Situation;
use crate::spread::Laws;
use crate::{ActionChart, Book, Error, Rules, Solved};

/// Solves a book for one hero after another: the chance to win with best play, the best choices,
/// and a walk-through.
///
/// What is computed for one hero is used for the next. A hero is an Action Chart like any other
/// that a book may lead to, and only COMBAT SKILL and full ENDURANCE are fixed. One solver for all
/// disciplines is therefore much cheaper than one solver for each.
///
/// # How it works
///
/// A section is broken into steps with one decision each. For a step and a sheet (everything
/// carried and known, without ENDURANCE) there is one table of values over ENDURANCE. While a table
/// is computed, every question that is asked about the sheet is recorded: "is there a Meal", "are
/// there twelve Crowns". Each next question depends only on the answers so far, so the questions
/// form a tree, and any other sheet that gives the same answers has the same table. Questions asked
/// in later steps are translated back through what happened in between: if five Crowns were paid,
/// the threshold is five higher; if the sword was just taken, nobody need ask. Entries that no
/// later step asks about never matter. No analysis of the book is needed, and no order of items is
/// assumed.
///
/// A combat is reduced to one distribution for each combination of column, foe and ENDURANCE. A
/// combat that may be evaded midway is reduced to the values of all its rounds, once for each worth
/// of what follows. The floats have an error bound, found by counting roundings. An exact value is
/// computed along the choices that floats cannot exclude.
///
/// # Examples
/// "Fire on the Water" for two heroes:
/// ```
/// # #[cfg(feature = "serde")] {
/// use oddsmith_lonewolf::{ActionChart, Book, BookSolver, Discipline, Item, Rules};
///
/// let book = Book::fire_on_the_water()?;
/// let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
///
/// let hero = ActionChart::new(10, 20)?
///     .disciplines(&[
///         Discipline::Weaponskill(Item::Sword),
///         Discipline::Tracking,
///         Discipline::Healing,
///         Discipline::Mindshield,
///         Discipline::Mindblast,
///         Discipline::AnimalKinship,
///     ])?
///     .item(Item::Sword)?
///     .item(Item::Shield)?
///     .gold(15)?;
/// assert!((solver.win(&hero)? - 0.830_172_855_180_8).abs() < 1e-12);
///
/// let poor = ActionChart::new(10, 20)?.item(Item::Sword)?.item(Item::Shield)?.gold(15)?;
/// assert!((solver.win(&poor)? - 0.000_002_845_925_834_5).abs() < 1e-15);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BookSolver<'b> {
    book: &'b Book,
    rules: Rules,
    pub(crate) limit: usize,
    memo: Option<Memo>,
    pub(crate) laws: Laws,
}

/// How much a solver has computed.
///
/// # Examples
/// There is one decision, and nothing is asked about the hero:
/// ```
/// use oddsmith_lonewolf::{ActionChart, BookSolver};
/// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
/// # let chance = |numbers, then| Chance { numbers, then };
/// # let bridge = Outcome::Random(vec![chance(7, Outcome::Goto(2)), chance(3, Outcome::Lost)]);
/// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
/// # let sections = vec![section(1, bridge), section(2, Outcome::Won)];
/// # let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
/// let mut solver = BookSolver::new(&book);
/// solver.win(&ActionChart::new(10, 20)?)?;
/// let effort = solver.effort();
/// assert_eq!((effort.evaluated, effort.tables, effort.questions), (1, 1, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Effort {
    /// The number of tables computed, one for each step and each class of sheets that could not be
    /// told to be alike.
    pub evaluated: usize,
    /// The number of different tables among them.
    pub tables: usize,
    /// The number of questions in all trees.
    pub questions: usize,
}

/// The default limit on the number of tables: about one or two gigabytes.
const LIMIT: usize = 10_000_000;

impl<'b> BookSolver<'b> {
    /// Creates a solver for this book, with the rules [as printed](Rules::printed).
    ///
    /// # Examples
    /// Eight of the ten random numbers lead over this bridge:
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, BookSolver};
    /// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
    /// # let chance = |numbers, then| Chance { numbers, then };
    /// # let bridge = Outcome::Random(vec![chance(8, Outcome::Goto(2)), chance(2, Outcome::Lost)]);
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let sections = vec![section(1, bridge), section(2, Outcome::Won)];
    /// # let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
    /// assert_eq!(BookSolver::new(&book).win(&ActionChart::new(10, 20)?)?, 0.8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(book: &'b Book) -> Self {
        let rules = Rules::printed();
        BookSolver {
            book,
            rules,
            limit: LIMIT,
            memo: None,
            laws: Laws::new(rules.table),
        }
    }

    /// Sets the rules. What was computed so far is forgotten.
    ///
    /// # Examples
    /// Two Crowns are asked for at the door of a gaming house, and the hero has one. By the printed
    /// rules he leaves the Cartwheel after his first win; otherwise he must go on:
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, BookSolver, Decision, Rules};
    /// # use oddsmith_lonewolf::{Book, Manuscript, Outcome, Section};
    ///
    /// let house = Decision::Cartwheel { fare: 2, to: 3, broke: 2 };
    /// # let section = |number, decision| Section { number, decision };
    /// # let [lost, won] = [Outcome::Lost, Outcome::Won].map(Decision::Then);
    /// # let sections = vec![section(1, house), section(2, lost), section(3, won)];
    /// # let book = Book::new(Manuscript::new("gaming house", 1, 3, sections))?;
    /// let hero = ActionChart::new(15, 20)?.gold(1)?;
    /// let win = |rules: Rules| BookSolver::new(&book).rules(rules.enforce_fares(true)).win(&hero);
    /// assert_eq!(format!("{:.4}", win(Rules::printed())?), "0.3000"); // three numbers of ten
    /// assert_eq!(format!("{:.4}", win(Rules::yardstick())?), "0.2373");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self.clear();
        self
    }

    /// Limits the number of tables that are computed, for all heroes of one COMBAT SKILL and
    /// ENDURANCE together. The default is ten million. A table takes about a hundred bytes, and a
    /// different one another sixteen bytes for each point of ENDURANCE. The table of a combat that
    /// may be evaded (under [`Rules::evade_in_combat`]) has a value for each pair of the foe's and
    /// Lone Wolf's ENDURANCE, and again for each round that must be fought; every twelve of them
    /// count as a table.
    ///
    /// A [journey](Solved::journey) may have this many situations, each of which takes half a
    /// kilobyte while it is computed, and so may a [fraction](Solved::exact).
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// use oddsmith_lonewolf::{ActionChart, Book, BookSolver, Error};
    ///
    /// let book = Book::fire_on_the_water()?;
    /// let mut solver = BookSolver::new(&book).max_tables(1_000);
    /// let error = solver.win(&ActionChart::new(10, 20)?).unwrap_err();
    /// assert_eq!(error, Error::Limit { limit: 1_000 });
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "limit")]
    pub fn max_tables(mut self, tables: usize) -> Self {
        self.limit = tables;
        self
    }

    /// Forgets what was computed, to free memory in a long sweep over heroes.
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// use oddsmith_lonewolf::{ActionChart, Book, BookSolver};
    ///
    /// let book = Book::fire_on_the_water()?;
    /// let mut solver = BookSolver::new(&book);
    /// solver.win(&ActionChart::new(10, 20)?)?;
    /// assert!(solver.effort().evaluated > 0);
    /// solver.clear();
    /// assert_eq!(solver.effort().evaluated, 0);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn clear(&mut self) {
        self.memo = None;
        self.laws = Laws::new(self.rules.table);
    }

    /// Returns the chance of this hero to win with best play.
    ///
    /// # Errors
    /// [`Error::Limit`].
    ///
    /// # Complexity
    /// In total, the number of tables times the number of outcomes of a step, and for a combat
    /// times the square of ENDURANCE.
    ///
    /// # Examples
    /// With bare hands the combat ratio against this Giak is 0, and he falls in the first round.
    /// One of the ten numbers costs five points:
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, BookSolver, Foe, Outcome};
    /// # use oddsmith_lonewolf::{Book, Decision, Manuscript, Section};
    ///
    /// let won = Box::new(Outcome::Goto(2));
    /// let fight = Outcome::Fight { foe: Foe::new("Giak", 10, 3), won };
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let sections = vec![section(1, fight), section(2, Outcome::Won)];
    /// # let book = Book::new(Manuscript::new("ambush", 1, 2, sections))?;
    /// let mut solver = BookSolver::new(&book);
    /// assert_eq!(solver.win(&ActionChart::new(14, 5)?)?, 0.9);
    /// assert_eq!(solver.win(&ActionChart::new(14, 6)?)?, 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win(&mut self, hero: &ActionChart) -> Result<f64, Error> {
        Ok(self.solve(hero)?.win())
    }

    /// Solves the book for this hero.
    ///
    /// # Errors
    /// [`Error::Limit`].
    ///
    /// # Examples
    /// Nine of the ten random numbers lead over this bridge:
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, BookSolver};
    /// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
    /// # let chance = |numbers, then| Chance { numbers, then };
    /// # let bridge = Outcome::Random(vec![chance(9, Outcome::Goto(2)), chance(1, Outcome::Lost)]);
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let sections = vec![section(1, bridge), section(2, Outcome::Won)];
    /// # let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
    /// let mut solver = BookSolver::new(&book);
    /// let mut solved = solver.solve(&ActionChart::new(10, 20)?)?;
    /// assert_eq!(solved.exact()?.to_string(), "9/10");
    /// assert_eq!(solved.journey()?.visits()[&2], 0.9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve(&mut self, hero: &ActionChart) -> Result<Solved<'_, 'b>, Error> {
        let setting = Setting::new(self.book, hero, self.rules);
        let same = self.memo.as_ref().is_some_and(|memo| {
            memo.combat_skill == setting.combat_skill && memo.endurance == setting.endurance
        });
        if !same {
            self.memo = None;
        }
        let start = setting.start(hero);
        let (win, roundings) = self.value(&setting, &start)?;
        Ok(Solved::new(self, setting, start, win, roundings))
    }

    /// Returns how much has been computed since the last change of rules, COMBAT SKILL or full
    /// ENDURANCE.
    ///
    /// # Examples
    /// All there is to know about 391 sections:
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// use oddsmith_lonewolf::{ActionChart, Book, BookSolver, Item, Rules};
    ///
    /// let book = Book::fire_on_the_water()?;
    /// let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
    /// assert_eq!(solver.effort().evaluated, 0);
    /// solver.win(&ActionChart::new(19, 29)?.item(Item::Axe)?)?;
    /// // 10,208,622 situations, by 52,689 tables, of which 344 differ.
    /// let effort = solver.effort();
    /// assert!(effort.evaluated < 60_000 && effort.tables < 500);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn effort(&self) -> Effort {
        let (evaluated, tables, questions) = self.memo.as_ref().map_or((0, 0, 0), Memo::sizes);
        Effort {
            evaluated,
            tables,
            questions,
        }
    }

    /// Returns the result of a step with this sheet.
    pub(crate) fn result(
        &mut self,
        setting: &Setting<'_>,
        step: StepId,
        sheet: &Sheet,
    ) -> Result<(u32, Known), Error> {
        let limit = self.limit;
        let memo = self.memo.get_or_insert_with(|| Memo::new(setting));
        let result = memo.solve(setting, step, sheet, limit)?;
        Ok((result, memo.known(result)))
    }

    /// Returns the chance to win from a situation, and the number of roundings in it.
    pub(crate) fn value(
        &mut self,
        setting: &Setting<'_>,
        at: &Situation,
    ) -> Result<(f64, u64), Error> {
        if at.is_over() {
            return Ok((f64::from(u8::from(at.is_won())), 0));
        }
        let (result, known) = self.result(setting, at.step, &at.sheet)?;
        let memo = self.memo.as_ref();
        let value = memo.map_or(0.0, |memo| match at.foe {
            0 => memo.value(known, at.endurance),
            _ => memo.value_of_round(result, at),
        });
        // Rounding may take it above 1.
        Ok((value.min(1.0), known.roundings))
    }
}
