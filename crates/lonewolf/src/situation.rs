//! Where Lone Wolf is, and what he has.

#[cfg(feature = "serde")]
mod written;

use std::fmt;

use crate::program::StepId;
use crate::sheet::{self, Sheet};
use crate::{Discipline, Item, Knowledge};

/// A place in a book, with everything on which the future depends. It is a state of
/// [`Adventure`](crate::Adventure).
///
/// Within a section, everything that can be found, bought, sold or drunk is decided one by one.
/// Each of these decisions is a situation of its own, identified by its [`step`](Situation::step).
///
/// # Examples
/// ```
/// # #[cfg(feature = "serde")] {
/// use oddsmith_lonewolf::{ActionChart, Adventure, Book, Item, Rules};
///
/// let book = Book::fire_on_the_water()?;
/// let hero = ActionChart::new(10, 20)?.items(Item::Meal, 2)?;
/// let start = Adventure::new(&book, &hero, Rules::printed()).start();
/// assert_eq!((start.section(), start.endurance(), start.count(Item::Meal)), (1, 20, 2));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// With the feature `serde` it is serialized with all of its data and, for readers, in words, which
/// are ignored when it is read back:
/// `{"section":1,"step":0,"endurance":20,"items":{"meal":2,"backpack":1},"words":"section 1, …"}`.
/// Deserialization accepts any situation that can be in some book. Whether it is in a particular
/// book is checked by the methods that take a situation
/// ([`Error::Situation`](crate::Error::Situation)). Steps are numbered anew in every version of
/// this crate and of a book.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Situation {
    pub(crate) step: StepId,
    pub(crate) section: u16,
    pub(crate) endurance: u8,
    pub(crate) sheet: Sheet,
    /// The ENDURANCE of the foe in the middle of a combat that may be evaded, or 0.
    pub(crate) foe: u8,
    /// The rounds fought in it, counted as long as the rounds are not all alike.
    pub(crate) rounds: u8,
}

const WON: StepId = StepId::MAX - 1;
const LOST: StepId = StepId::MAX;

impl Situation {
    /// Returns whether rounds of a combat have been fought, whether there is such a combat or not.
    pub(crate) fn is_amid_combat(&self) -> bool {
        self.foe > 0 || self.rounds > 0
    }

    pub(crate) fn won() -> Self {
        Situation {
            step: WON,
            section: 0,
            endurance: 0,
            sheet: Sheet::empty(),
            foe: 0,
            rounds: 0,
        }
    }

    pub(crate) fn lost() -> Self {
        Situation {
            step: LOST,
            ..Situation::won()
        }
    }

    /// Returns whether the adventure has ended in success.
    ///
    /// # Examples
    /// Seven of the ten random numbers lead over this bridge:
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, BookSolver};
    /// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
    /// # let chance = |numbers, then| Chance { numbers, then };
    /// # let bridge = Outcome::Random(vec![chance(7, Outcome::Goto(2)), chance(3, Outcome::Lost)]);
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let sections = vec![section(1, bridge), section(2, Outcome::Won)];
    /// # let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
    /// let mut solver = BookSolver::new(&book);
    /// let mut solved = solver.solve(&ActionChart::new(10, 20)?)?;
    /// let start = solved.start();
    /// let outcomes = solved.advice(&start)?.swap_remove(0).outcomes;
    /// let won = outcomes.iter().filter(|(situation, _)| situation.is_won());
    /// assert_eq!(won.map(|(_, chance)| chance).sum::<f64>(), 0.7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_won(&self) -> bool {
        self.step == WON
    }

    /// Returns whether the adventure has ended in failure.
    ///
    /// # Examples
    /// Three of the ten random numbers do not lead over this bridge:
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, BookSolver};
    /// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
    /// # let chance = |numbers, then| Chance { numbers, then };
    /// # let bridge = Outcome::Random(vec![chance(7, Outcome::Goto(2)), chance(3, Outcome::Lost)]);
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let sections = vec![section(1, bridge), section(2, Outcome::Won)];
    /// # let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
    /// let mut solver = BookSolver::new(&book);
    /// let mut solved = solver.solve(&ActionChart::new(10, 20)?)?;
    /// let start = solved.start();
    /// let outcomes = solved.advice(&start)?.swap_remove(0).outcomes;
    /// let lost = outcomes.iter().filter(|(situation, _)| situation.is_lost());
    /// assert_eq!(lost.map(|(_, chance)| chance).sum::<f64>(), 0.3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.step == LOST
    }

    /// Returns whether the adventure has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.is_won() || self.is_lost()
    }

    /// Returns the number of the section, or 0 when the adventure is over.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, BookSolver};
    /// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
    /// # let chance = |numbers, then| Chance { numbers, then };
    /// # let bridge = Outcome::Random(vec![chance(7, Outcome::Goto(2)), chance(3, Outcome::Lost)]);
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let sections = vec![section(1, bridge), section(2, Outcome::Won)];
    /// # let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
    /// let mut solver = BookSolver::new(&book);
    /// let mut solved = solver.solve(&ActionChart::new(10, 20)?)?;
    /// let start = solved.start();
    /// let (end, _) = solved.advice(&start)?[0].outcomes[0];
    /// assert_eq!((start.section(), end.section()), (1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn section(&self) -> u16 {
        self.section
    }

    /// Returns the number of the decision in the order of the book. Play leads to higher numbers,
    /// except after drinking and after a spin of the Cartwheel, when the same step is repeated.
    ///
    /// # Examples
    /// Whether to take a dagger is a step of its own:
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, BookSolver, Decision, Item, Outcome};
    /// # use oddsmith_lonewolf::{Book, Manuscript, Section};
    ///
    /// let next = Box::new(Decision::Then(Outcome::Goto(2)));
    /// let decision = Decision::Take { item: Item::Dagger, count: 1, next };
    /// # let section = |number, decision| Section { number, decision };
    /// # let sections = vec![section(1, decision), section(2, Decision::Then(Outcome::Won))];
    /// # let book = Book::new(Manuscript::new("dagger", 1, 2, sections))?;
    /// # let mut solver = BookSolver::new(&book);
    /// # let mut solved = solver.solve(&ActionChart::new(10, 20)?)?;
    /// let start = solved.start();
    /// let (taken, _) = solved.advice(&start)?[0].outcomes[0];
    /// assert_eq!((start.step(), taken.step()), (0, 1));
    /// assert_eq!((start.section(), taken.section()), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn step(&self) -> u32 {
        self.step
    }

    /// Returns ENDURANCE.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, Adventure, Rules};
    /// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
    /// # let chance = |numbers, then| Chance { numbers, then };
    /// # let bridge = Outcome::Random(vec![chance(7, Outcome::Goto(2)), chance(3, Outcome::Lost)]);
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let sections = vec![section(1, bridge), section(2, Outcome::Won)];
    /// # let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
    /// let hero = ActionChart::new(10, 20)?.wounded(7)?;
    /// assert_eq!(Adventure::new(&book, &hero, Rules::printed()).start().endurance(), 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn endurance(&self) -> u8 {
        self.endurance
    }

    /// Returns the ENDURANCE left of the foe in a combat that may be evaded, if the combat has
    /// begun and the [rules](crate::Rules::evade_in_combat) make every round a decision.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{
    ///     Act, ActionChart, Book, BookSolver, Decision, Foe, Manuscript, Outcome, Section,
    /// };
    ///
    /// let foe = Foe::new("Giak", 10, 14);
    /// let sections = vec![
    ///     Section { number: 1, decision: Decision::Evade { after: 0, to: 2, foe, won: Outcome::Goto(2) } },
    ///     Section { number: 2, decision: Decision::Then(Outcome::Won) },
    /// ];
    /// let book = Book::new(Manuscript::new("ambush", 1, 2, sections))?;
    /// let mut solver = BookSolver::new(&book);
    /// let mut solved = solver.solve(&ActionChart::new(14, 8)?)?;
    /// // Drink nothing: there is nothing to drink. Then the first round.
    /// let start = solved.start();
    /// let first = solved.advice(&start)?[0].outcomes[0].0;
    /// assert_eq!(first.foe(), None);
    /// let advice = solved.advice(&first)?;
    /// assert!(advice.iter().any(|advice| advice.act == Act::Evade));
    /// let fight = advice.iter().find(|advice| advice.act == Act::FightOn).ok_or("a fight")?;
    /// // The number 1 costs the foe 3 points and Lone Wolf 5.
    /// let worst = fight.outcomes[0].0;
    /// assert_eq!((worst.endurance(), worst.foe()), (3, Some(11)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn foe(&self) -> Option<u8> {
        (self.foe > 0).then_some(self.foe)
    }

    /// Returns the same situation with other ENDURANCE, which tells what a point is worth.
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// use oddsmith_lonewolf::{ActionChart, Book, BookSolver};
    ///
    /// let book = Book::fire_on_the_water()?;
    /// let mut solver = BookSolver::new(&book);
    /// let mut solved = solver.solve(&ActionChart::new(19, 29)?)?;
    /// let wounded = solved.start().with_endurance(10);
    /// assert!(solved.win_from(&wounded)? < solved.win());
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_endurance(mut self, endurance: u8) -> Self {
        if !self.is_over() {
            self.endurance = endurance;
        }
        self
    }

    /// Returns how many of an item are carried.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, Adventure, Item, Rules};
    /// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
    /// # let chance = |numbers, then| Chance { numbers, then };
    /// # let bridge = Outcome::Random(vec![chance(7, Outcome::Goto(2)), chance(3, Outcome::Lost)]);
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let sections = vec![section(1, bridge), section(2, Outcome::Won)];
    /// # let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
    /// let hero = ActionChart::new(10, 20)?.gold(15)?;
    /// let start = Adventure::new(&book, &hero, Rules::printed()).start();
    /// assert_eq!((start.count(Item::Gold), start.count(Item::Meal)), (15, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn count(&self, item: Item) -> u8 {
        self.sheet.count(item)
    }

    /// Returns whether something was learnt.
    ///
    /// # Examples
    /// The password is learnt on the way to section 2:
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, BookSolver, Effect, Knowledge, Outcome};
    /// # use oddsmith_lonewolf::{Book, Decision, Manuscript, Section};
    ///
    /// let effects = vec![Effect::Learn(Knowledge::Password)];
    /// let told = Outcome::Do { effects, then: Box::new(Outcome::Goto(2)) };
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let sections = [told, Outcome::Goto(3), Outcome::Won].into_iter();
    /// # let sections = (1..).zip(sections).map(|(number, outcome)| section(number, outcome)).collect();
    /// # let book = Book::new(Manuscript::new("inn", 1, 3, sections))?;
    /// # let mut solver = BookSolver::new(&book);
    /// # let mut solved = solver.solve(&ActionChart::new(10, 20)?)?;
    /// let start = solved.start();
    /// let (after, _) = solved.advice(&start)?[0].outcomes[0];
    /// assert_eq!(after.section(), 2);
    /// assert!(!start.knows(Knowledge::Password) && after.knows(Knowledge::Password));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn knows(&self, knowledge: Knowledge) -> bool {
        self.sheet.0[sheet::entry_of_knowledge(knowledge)] > 0
    }

    /// Returns whether the hero has a discipline.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, Adventure, Discipline, Rules};
    /// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
    /// # let chance = |numbers, then| Chance { numbers, then };
    /// # let bridge = Outcome::Random(vec![chance(7, Outcome::Goto(2)), chance(3, Outcome::Lost)]);
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let sections = vec![section(1, bridge), section(2, Outcome::Won)];
    /// # let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
    /// let hero = ActionChart::new(10, 20)?.discipline(Discipline::Healing)?;
    /// let start = Adventure::new(&book, &hero, Rules::printed()).start();
    /// assert!(start.has(Discipline::Healing) && !start.has(Discipline::Tracking));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn has(&self, discipline: Discipline) -> bool {
        self.sheet.has_discipline(discipline)
    }
}

/// Writes the section, ENDURANCE, and what is carried.
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::{ActionChart, Adventure, Item, Rules};
/// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
/// # let chance = |numbers, then| Chance { numbers, then };
/// # let bridge = Outcome::Random(vec![chance(7, Outcome::Goto(2)), chance(3, Outcome::Lost)]);
/// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
/// # let sections = vec![section(1, bridge), section(2, Outcome::Won)];
/// # let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
/// let hero = ActionChart::new(10, 20)?.items(Item::Meal, 2)?.gold(1)?;
/// let start = Adventure::new(&book, &hero, Rules::printed()).start();
/// assert_eq!(start.to_string(), "section 1, ENDURANCE 20, 1 gold, 2 meal, backpack");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for Situation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_won() {
            return write!(f, "won");
        }
        if self.is_lost() {
            return write!(f, "lost");
        }
        write!(f, "section {}, ENDURANCE {}", self.section, self.endurance)?;
        if self.foe > 0 {
            write!(f, ", foe {}", self.foe)?;
        }
        for &item in Item::ALL {
            match self.count(item) {
                0 => {}
                1 if item != Item::Gold => write!(f, ", {item}")?,
                count => write!(f, ", {count} {item}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Situation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} (step {})", self.step)
    }
}
