//! A builder for small books.

use oddsmith_fightingfantasy::{Foe, LuckTest};

use crate::amount::MOST;
use crate::{Book, Branch, Choice, Enemy, Error, Fight, Manuscript, Passage, Play, Section, Trial};

/// A builder for books; [`build`](BookBuilder::build) checks the result.
///
/// It is for books of Fighting Fantasy in which nothing is carried. All other books are written as
/// a [`Manuscript`]. Sections may come in any order. The book starts at the first section added,
/// unless [`start`](BookBuilder::start) says otherwise.
///
/// # Examples
/// A coin decides whether a door can be tried at all:
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::Book;
///
/// let book = Book::builder()
///     .chance(1, [(2, 1), (4, 1)])
///     .choice(2, [("try the door", 3), ("turn back", 4)])
///     .won(3)
///     .lost(4)
///     .build()?;
/// assert_eq!(book.len(), 4);
/// assert_eq!(book.solve(&Hero::new(7, 14, 7)?)?.value().to_string(), "1/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct BookBuilder {
    sections: Vec<Section>,
    start: Option<u32>,
    test: LuckTest,
    luck_in_battle: bool,
    /// The error for the first foe whose SKILL does not fit into a manuscript, which `build`
    /// returns.
    refused: Option<Error>,
}

impl BookBuilder {
    /// Adds an ending in which the adventure succeeds.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    /// let book = Book::builder().won(400).build()?;
    /// assert_eq!(book.solve(&Hero::new(7, 14, 7)?)?.value().to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn won(self, section: u32) -> Self {
        self.put(section, Passage::won())
    }

    /// Adds an ending in which the adventure fails.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    /// let book = Book::builder().lost(13).build()?;
    /// assert_eq!(book.solve(&Hero::new(7, 14, 7)?)?.value().to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lost(self, section: u32) -> Self {
        self.put(section, Passage::lost())
    }

    /// Adds a free choice between labelled options. A single option is like "turn to", except that
    /// meals may be taken before.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().choice(1, [("left", 2), ("right", 3)]).lost(2).choice(3, [("on", 4)]).won(4);
    /// let plan = book.build()?.solve(&Hero::new(7, 14, 7)?)?;
    /// assert_eq!(plan.value().to_string(), "1");
    /// assert_eq!(plan.first_choice()?.ok_or("a choice")?.target(), Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn choice<'l>(
        self,
        section: u32,
        options: impl IntoIterator<Item = (&'l str, u32)>,
    ) -> Self {
        let options = options.into_iter();
        let options = options.map(|(label, target)| Choice::new(label, Passage::to(target)));
        self.put(section, Play::Choice(options.collect()))
    }

    /// Adds a chance move to one of several sections, with integer weights.
    ///
    /// # Examples
    /// A die, where 6 wins:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().chance(1, [(2, 1), (3, 5)]).won(2).lost(3).build()?;
    /// assert_eq!(book.solve(&Hero::new(7, 14, 7)?)?.value().to_string(), "1/6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn chance(self, section: u32, outcomes: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let branches = outcomes.into_iter().map(|(target, weight)| Branch {
            weight,
            passage: Passage::to(target),
        });
        self.put(section, Play::Random(branches.collect()))
    }

    /// Adds a test of LUCK: two dice against the remaining LUCK, which falls by one.
    ///
    /// # Examples
    /// A second test is harder than the first:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().luck(1, 2, 4).luck(2, 3, 4).won(3).lost(4).build()?;
    /// let chance = book.solve(&Hero::new(7, 14, 7)?)?.value();
    /// assert_eq!(chance.to_string(), "35/144"); // 21/36 · 15/36
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn luck(self, section: u32, lucky: u32, unlucky: u32) -> Self {
        self.test(section, "luck", lucky, unlucky)
    }

    /// Adds a test of SKILL: two dice against SKILL.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().skill(1, 2, 3).won(2).lost(3).build()?;
    /// let chance = |skill| -> Result<_, Box<dyn std::error::Error>> {
    ///     Ok(book.solve(&Hero::new(skill, 14, 7)?)?.value().to_string())
    /// };
    /// assert_eq!((chance(1)?, chance(7)?, chance(12)?), ("0".into(), "7/12".into(), "1".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn skill(self, section: u32, success: u32, failure: u32) -> Self {
        self.test(section, "skill", success, failure)
    }

    /// Adds a fight to the death, without LUCK. A hero who wins goes on with the remaining STAMINA.
    ///
    /// # Examples
    /// Two fights in a row, with even odds in each round. One blow fells a foe, two fell the hero:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero};
    /// use oddsmith_gamebook::Book;
    ///
    /// let goblin = Foe::new(7, 2)?;
    /// let book = Book::builder().fight(1, goblin, 2).fight(2, goblin, 3).won(3).build()?;
    /// // Two rounds won before two are lost.
    /// assert_eq!(book.solve(&Hero::new(7, 4, 7)?)?.value().to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fight(mut self, section: u32, foe: Foe, victory: u32) -> Self {
        // `Book::new` rejects other values that are out of range, but this one does not even fit
        // into a manuscript. It is 0 until `build` returns the error.
        let skill = i16::try_from(foe.skill()).unwrap_or_else(|_| {
            self.refused.get_or_insert_with(|| Error::OutOfRange {
                place: format!("section {section}"),
                field: "fight.foes[0].skill".to_owned(),
                given: foe.skill().into(),
                least: -i64::from(MOST),
                most: MOST.into(),
            });
            0
        });
        let fight = Fight::new([Enemy::new(skill, foe.stamina())], Passage::to(victory));
        self.put(section, Play::Fight(Box::new(fight)))
    }

    /// Sets the start section.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().won(400).choice(1, [("go", 400)]).start(1).build()?;
    /// assert_eq!(book.start(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start(mut self, section: u32) -> Self {
        self.start = Some(section);
        self
    }

    /// Sets when tests of LUCK and SKILL succeed: at a roll of at most the value, as the books say,
    /// or below it, as in some computer versions.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Hero, LuckTest};
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).tests(LuckTest::Below).build()?;
    /// assert_eq!(book.solve(&Hero::new(7, 14, 7)?)?.value().to_string(), "5/12"); // 15/36
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tests(mut self, rule: LuckTest) -> Self {
        self.test = rule;
        self
    }

    /// Allows tests of LUCK on the blows of fights; see
    /// [`RuleSet::luck_in_battle`](crate::RuleSet::luck_in_battle).
    ///
    /// # Examples
    /// A book of one fight is a duel:
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
    /// use oddsmith_gamebook::Book;
    ///
    /// let (hero, foe) = (Hero::new(8, 6, 7)?, Foe::new(9, 5)?);
    /// let book = Book::builder().fight(1, foe, 2).won(2);
    /// let duel = Duel::new(hero, foe);
    /// assert_eq!(book.clone().build()?.solve(&hero)?.value(), duel.without_luck()?);
    /// let lucky = book.luck_in_battle().build()?.solve(&hero)?;
    /// assert_eq!(lucky.value(), duel.best_luck()?.value());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn luck_in_battle(mut self) -> Self {
        self.luck_in_battle = true;
        self
    }

    /// Checks and returns the book. Its name is `book`.
    ///
    /// # Errors
    /// The same as for [`Book::new`], and [`Error::OutOfRange`] for a foe whose SKILL does not fit
    /// into a manuscript.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Error};
    ///
    /// let twice = Book::builder().won(1).lost(1).build();
    /// assert_eq!(twice.err(), Some(Error::DuplicateSection { section: 1 }));
    /// let nothing = Book::builder().choice(1, []).build().unwrap_err();
    /// assert_eq!(nothing.to_string(), "section 1: choice: it must not be empty");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build(self) -> Result<Book, Error> {
        if let Some(error) = self.refused {
            return Err(error);
        }
        let first = self.sections.first().map(|section| section.number);
        let mut manuscript = Manuscript::new("book");
        manuscript.start = self.start.or(first).unwrap_or_default();
        manuscript.rules.test = self.test;
        manuscript.rules.luck_in_battle = self.luck_in_battle;
        manuscript.sections = self.sections;
        Book::new(manuscript)
    }

    fn test(self, section: u32, stat: &str, success: u32, failure: u32) -> Self {
        let trial = Trial::new(stat, Passage::to(success), Passage::to(failure));
        self.put(section, Play::Test(Box::new(trial)))
    }

    fn put(mut self, number: u32, play: impl Into<Passage>) -> Self {
        self.sections.push(Section::new(number, play.into()));
        self
    }
}
