//! The checked book, and what can be asked of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use num_rational::BigRational;
use oddsmith_mdp::{Exact, Number, Policy, Solver};

use crate::{
    BookBuilder, BookGame, BookPlan, Character, Error, FollowLimits, Manuscript, RuleSet, Section,
    Sheet, check,
};

/// The most places that [`Book::solve`] visits. More take minutes to visit, and more memory than
/// most machines have.
const MOST_PLACES: usize = 2_000_000;

/// A gamebook: numbered sections, the sheet, and the rules.
///
/// A book is a [`Manuscript`] that has been checked: all links and names exist, and all numbers are
/// in range. Clones share it.
///
/// # Examples
/// The example adventure of "City of Thieves solved". Is a first fight, won nine times in ten,
/// worth a reward that raises the chance in the last fight from 0.8 to 0.9?
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::Book;
///
/// let book = Book::builder()
///     .choice(1, [("avoid the monster", 2), ("fight it", 3)])
///     .chance(2, [(5, 8), (6, 2)]) // the last fight without the reward
///     .chance(3, [(4, 9), (6, 1)]) // the first fight
///     .chance(4, [(5, 9), (6, 1)]) // the last fight with it
///     .won(5)
///     .lost(6)
///     .build()?;
/// let plan = book.solve(&Hero::new(7, 14, 7)?)?;
/// assert_eq!(plan.value().to_string(), "81/100"); // 0.9 · 0.9, not 0.8
/// let first = plan.first_choice()?.ok_or("a choice")?;
/// assert_eq!(first.label(), "fight it");
/// assert_eq!(first.lead().to_string(), "1/100");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    /// The sections are in ascending order.
    manuscript: Arc<Manuscript>,
    index: Arc<BTreeMap<u32, usize>>,
}

impl Book {
    /// Checks a manuscript and makes a book of it.
    ///
    /// # Errors
    /// What does not fit, with its section and field; see [`Error`]. If several things do not fit,
    /// [`Error::Mistakes`] lists them.
    ///
    /// # Complexity
    /// One pass over the manuscript.
    ///
    /// # Examples
    /// Section 9 has not been written yet:
    /// ```
    /// use oddsmith_gamebook::{Book, Error, Manuscript, Passage, Section};
    ///
    /// let mut manuscript = Manuscript::new("draft");
    /// manuscript.sections = vec![Section::new(1, Passage::to(9))];
    /// let missing = Error::MissingTarget { section: 1, field: "to".into(), target: 9 };
    /// assert_eq!(Book::new(manuscript.clone()), Err(missing));
    /// manuscript.sections.push(Section::new(9, Passage::won()));
    /// assert_eq!(Book::new(manuscript)?.len(), 2);
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    pub fn new(mut manuscript: Manuscript) -> Result<Self, Error> {
        check::check(&manuscript)?;
        manuscript.sections.sort_by_key(|section| section.number);
        let numbers = manuscript.sections.iter().map(|section| section.number);
        Ok(Book {
            index: Arc::new(numbers.zip(0..).collect()),
            manuscript: Arc::new(manuscript),
        })
    }

    /// Creates a builder, to write a book in code.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().skill(1, 2, 3).won(2).lost(3).build()?;
    /// assert_eq!(book.solve(&Hero::new(10, 14, 7)?)?.value().to_string(), "11/12"); // 33/36
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn builder() -> BookBuilder {
        BookBuilder::default()
    }

    /// Returns the manuscript.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// let book = Book::builder().won(9).build()?;
    /// assert_eq!(book.manuscript().sections.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn manuscript(&self) -> &Manuscript {
        &self.manuscript
    }

    /// Returns the name that variants refer to.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// assert_eq!(Book::builder().won(9).build()?.id(), "book");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn id(&self) -> &str {
        &self.manuscript.id
    }

    /// Returns the section the adventure starts in.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// let book = Book::builder().choice(12, [("on", 3)]).won(3).build()?;
    /// assert_eq!(book.start(), 12); // the first one written
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> u32 {
        self.manuscript.start
    }

    /// Returns the rules.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::LuckTest;
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().won(1).build()?;
    /// assert_eq!((book.len(), book.rules().test), (1, LuckTest::AtMost));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rules(&self) -> &RuleSet {
        &self.manuscript.rules
    }

    /// Returns the sheet.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// assert_eq!(Book::builder().won(1).build()?.sheet().items.len(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sheet(&self) -> &Sheet {
        &self.manuscript.sheet
    }

    /// Returns the number of sections.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// assert_eq!(Book::builder().luck(1, 20, 30).won(20).lost(30).build()?.len(), 3);
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.manuscript.sections.len()
    }

    /// Returns false: every book has a start section.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().won(1).build()?;
    /// assert_eq!((book.is_empty(), book.len()), (false, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.manuscript.sections.is_empty()
    }

    /// Returns a section.
    ///
    /// # Errors
    /// [`Error::NoSuchSection`] if the book has no such section.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Error, Passage};
    /// let book = Book::builder().choice(1, [("on", 2)]).won(2).build()?;
    /// assert_eq!(book.section(2)?.passage, Passage::won());
    /// assert_eq!(book.section(3), Err(Error::NoSuchSection { section: 3 }));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn section(&self, section: u32) -> Result<&Section, Error> {
        self.get(section).ok_or(Error::NoSuchSection { section })
    }

    pub(crate) fn get(&self, section: u32) -> Option<&Section> {
        let index = self.index.get(&section)?;
        self.manuscript.sections.get(*index)
    }

    /// Iterates over all sections with their numbers, in ascending order.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().luck(7, 400, 3).won(400).lost(3).build()?;
    /// assert_eq!(book.section(7)?.targets(), [400, 3]);
    /// let endings = book.sections().filter(|(_, section)| section.targets().is_empty());
    /// assert_eq!(endings.map(|(number, _)| number).collect::<Vec<_>>(), [3, 400]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sections(&self) -> impl Iterator<Item = (u32, &Section)> {
        let sections = self.manuscript.sections.iter();
        sections.map(|section| (section.number, section))
    }

    /// Creates the game of this book, played by this hero, for a solver.
    ///
    /// # Errors
    /// The same as for [`BookGame::new`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// use oddsmith_mdp::Solver;
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().skill(1, 2, 3).won(2).lost(3).build()?;
    /// let game = book.game(&Hero::new(8, 14, 7)?)?;
    /// let solution = Solver::exact().solve(&game, game.start())?;
    /// assert_eq!((solution.value().to_string(), solution.len()), ("13/18".into(), 3)); // 26/36
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn game(&self, hero: impl Into<Character>) -> Result<BookGame, Error> {
        BookGame::new(self.clone(), hero)
    }

    /// Solves the book in fractions, by visiting every state.
    ///
    /// # Errors
    /// - The same as for [`BookGame::new`].
    /// - [`Error::TooManyPlaces`] for more than two million places: for such a book, use
    ///   [`BookSolver`](crate::BookSolver), or [`solve_with`](Book::solve_with) a higher limit.
    /// - [`Error::WaysLeadBack`] if play can come back to the same place with the same sheet. For
    ///   such a book, use [`solve_with`](Book::solve_with) and a solver that allows cycles.
    /// - [`Error::Solve`] for more outcomes than [`Solver::max_outcomes`] allows.
    ///
    /// # Complexity
    /// Time and memory are proportional to the number of sections times the number of sheets that
    /// can occur in them, times the outcomes of each. No states are left out or merged.
    ///
    /// # Examples
    /// LUCK 9 passes its test 30 times in 36, and LUCK 6 only 15 times, so a coin is better then:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().choice(1, [("a coin", 2), ("trust in LUCK", 3)]);
    /// let book = book.chance(2, [(4, 1), (5, 1)]).luck(3, 4, 5).won(4).lost(5).build()?;
    /// let chance = |luck| book.solve(Hero::new(7, 14, luck)?).map(|plan| plan.value().to_string());
    /// assert_eq!((chance(9)?, chance(6)?), ("5/6".into(), "1/2".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve(&self, hero: impl Into<Character>) -> Result<BookPlan<Exact>, Error> {
        self.solve_with(hero, Solver::exact().max_states(MOST_PLACES))
    }

    /// Solves the book with a given solver, such as one that computes in floats, has other limits,
    /// reports its progress or allows cycles.
    ///
    /// # Errors
    /// The same as for [`solve`](Book::solve). A cycle must have an exit: where nothing can ever
    /// end the adventure, the solver finds no value. [`BookSolver`](crate::BookSolver) counts such
    /// play as lost.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero};
    /// use oddsmith_gamebook::Book;
    /// use oddsmith_mdp::Solver;
    ///
    /// // A Hell Demon without LUCK, as in a duel.
    /// let book = Book::builder().fight(1, Foe::new(14, 12)?, 2).won(2).build()?;
    /// let plan = book.solve_with(&Hero::new(12, 24, 12)?, Solver::float().max_states(1_000))?;
    /// assert_eq!(format!("{:.4}", plan.value()), "0.2815");
    ///
    /// let book = Book::builder().choice(1, [("wait", 1), ("go", 2)]).luck(2, 3, 4).won(3).lost(4).build()?;
    /// let plan = book.solve_with(&Hero::new(7, 14, 7)?, Solver::exact().allow_cycles())?;
    /// assert_eq!(plan.value().to_string(), "7/12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_with<N: Number>(
        &self,
        hero: impl Into<Character>,
        solver: Solver<'_, N>,
    ) -> Result<BookPlan<N>, Error> {
        let game = self.game(hero)?;
        let start = game.start();
        let solution = solver.solve_owned(game, start).map_err(Error::of_places)?;
        Ok(BookPlan::new(solution, start))
    }

    /// Computes the chance to win for a reader who plays by a given policy.
    ///
    /// # Errors
    /// The same as for [`BookGame::new`]; also an error if the policy makes no decision, or beyond
    /// a limit of [`FollowLimits::default`].
    ///
    /// # Examples
    /// Always the first option, a random option, and the best one:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Move, Place};
    /// use oddsmith_mdp::AtRandom;
    ///
    /// let book = Book::builder()
    ///     .choice(1, [("stairs", 2), ("corridor", 3), ("well", 4)])
    ///     .luck(2, 4, 5)
    ///     .skill(3, 4, 5)
    ///     .won(4)
    ///     .lost(5)
    ///     .build()?;
    /// let hero = Hero::new(9, 14, 7)?;
    /// let first = book.evaluate(&hero, |_: &Place, _: &[Move]| 0)?;
    /// assert_eq!(first.to_string(), "7/12");
    /// assert_eq!(book.evaluate(&hero, AtRandom)?.to_string(), "29/36"); // 21, 30 and 36 of 36
    /// assert_eq!(book.solve(&hero)?.value().to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate(
        &self,
        hero: impl Into<Character>,
        policy: impl Policy<BookGame>,
    ) -> Result<BigRational, Error> {
        let game = self.game(hero)?;
        let all = game.evaluate(policy, game.start(), FollowLimits::default())?;
        Ok(all.value)
    }
}
