//! Writing a book down, and checking it.

use std::collections::BTreeMap;

use oddsmith_fightingfantasy::{Foe, LuckTest};

use crate::order;
use crate::{Book, Error, Section, Turn};

/// A book being written; [`build`](BookBuilder::build) checks it.
///
/// Sections may come in any order. The book starts at the first one written,
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
    sections: BTreeMap<u32, Section>,
    start: Option<u32>,
    test: LuckTest,
    /// The first number written twice; the setters cannot fail.
    duplicate: Option<u32>,
}

impl BookBuilder {
    /// An ending: the adventure succeeds.
    ///
    /// # Examples
    /// See [`BookBuilder`].
    pub fn won(self, section: u32) -> Self {
        self.put(section, Section::Won)
    }

    /// An ending: the adventure fails.
    ///
    /// # Examples
    /// See [`BookBuilder`].
    pub fn lost(self, section: u32) -> Self {
        self.put(section, Section::Lost)
    }

    /// A free choice: what the reader may do, and where that leads. A single
    /// option is a plain "turn to".
    ///
    /// # Examples
    /// See [`BookBuilder`].
    pub fn choice<'l>(
        self,
        section: u32,
        options: impl IntoIterator<Item = (&'l str, u32)>,
    ) -> Self {
        let options = options.into_iter();
        let options = options.map(|(label, target)| Turn::new(label, target));
        self.put(section, Section::Choice(options.collect()))
    }

    /// A move of chance: where it may lead, with integer weights.
    ///
    /// # Examples
    /// See [`BookBuilder`].
    pub fn chance(self, section: u32, outcomes: impl IntoIterator<Item = (u32, u64)>) -> Self {
        self.put(section, Section::Chance(outcomes.into_iter().collect()))
    }

    /// A test of LUCK: two dice against the LUCK left, which falls by one.
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
        self.put(section, Section::Luck { lucky, unlucky })
    }

    /// A test of SKILL: two dice against SKILL.
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
        self.put(section, Section::Skill { success, failure })
    }

    /// A fight to the death, LUCK not used; who wins goes on with the STAMINA
    /// that is left.
    ///
    /// # Examples
    /// Two fights in a row, even odds in each round. One blow fells a foe, two
    /// fell the hero:
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
    pub fn fight(self, section: u32, foe: Foe, victory: u32) -> Self {
        self.put(section, Section::Fight { foe, victory })
    }

    /// The book starts here.
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

    /// When tests of LUCK and SKILL succeed: at a roll of at most the value, as
    /// the books say, or below it, as some computer versions have it.
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

    /// The book, checked.
    ///
    /// # Errors
    /// The first of these, by section: [`Error::NoSections`],
    /// [`Error::DuplicateSection`], [`Error::MissingStart`],
    /// [`Error::DeadEnd`] for a choice without options or a move of chance
    /// without weight, [`Error::WeightOverflow`], [`Error::MissingTarget`],
    /// [`Error::Cycle`].
    ///
    /// # Complexity
    /// One pass over the links.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Error};
    ///
    /// let circle = Book::builder().choice(1, [("on", 2)]).choice(2, [("back", 1)]).build();
    /// assert_eq!(circle.err(), Some(Error::Cycle { path: vec![1, 2, 1] }));
    /// let twice = Book::builder().won(1).lost(1).build();
    /// assert_eq!(twice.err(), Some(Error::DuplicateSection { section: 1 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build(self) -> Result<Book, Error> {
        let start = self.start.ok_or(Error::NoSections)?;
        if let Some(section) = self.duplicate {
            return Err(Error::DuplicateSection { section });
        }
        if self.sections.is_empty() {
            return Err(Error::NoSections);
        }
        if !self.sections.contains_key(&start) {
            return Err(Error::MissingStart { start });
        }
        for (&number, section) in &self.sections {
            self.check(number, section)?;
        }
        order::check(&self.sections)?;
        Ok(Book::new(self.sections, start, self.test))
    }

    fn check(&self, number: u32, section: &Section) -> Result<(), Error> {
        if let Section::Chance(outcomes) = section {
            let sum = outcomes
                .iter()
                .try_fold(0_u64, |sum, (_, weight)| sum.checked_add(*weight));
            sum.ok_or(Error::WeightOverflow { section: number })?;
        }
        let targets = section.targets();
        if targets.is_empty() && !matches!(section, Section::Won | Section::Lost) {
            return Err(Error::DeadEnd { section: number });
        }
        // An outcome of weight zero is never drawn, but a wrong number there is
        // a mistake all the same.
        let impossible = match section {
            Section::Chance(outcomes) => outcomes.as_slice(),
            _ => &[],
        };
        let named = impossible.iter().map(|&(target, _)| target);
        match targets
            .into_iter()
            .chain(named)
            .find(|t| !self.sections.contains_key(t))
        {
            Some(target) => Err(Error::MissingTarget {
                section: number,
                target,
            }),
            None => Ok(()),
        }
    }

    fn put(mut self, number: u32, section: Section) -> Self {
        self.start.get_or_insert(number);
        if self.sections.insert(number, section).is_some() {
            self.duplicate.get_or_insert(number);
        }
        self
    }
}
