//! A book and a hero as a game for the solver.

use std::collections::BTreeMap;

use oddsmith_fightingfantasy::{Hero, Rules};
use oddsmith_mdp::{Game, Node};

use crate::fight::Bout;
use crate::{Book, Error, Section, Turn};

/// Where the reader is: the section, and what of the hero can change.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::Place;
///
/// let place = Place::new(74, 20, 9);
/// assert_eq!((place.section, place.stamina, place.luck, place.foe), (74, 20, 9, 0));
/// assert_eq!(place.to_string(), "section 74 (STAMINA 20, LUCK 9)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The section.
    pub section: u32,
    /// The hero's STAMINA; 0 is death.
    pub stamina: u16,
    /// The hero's LUCK.
    pub luck: u16,
    /// The STAMINA of a foe who has been hurt or has hurt; 0 before a fight and
    /// elsewhere.
    pub foe: u16,
}

impl Place {
    /// At the beginning of a section.
    ///
    /// # Examples
    /// See [`Place`].
    #[must_use]
    pub fn new(section: u32, stamina: u16, luck: u16) -> Self {
        Place {
            section,
            stamina,
            luck,
            foe: 0,
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Place {
            section,
            stamina,
            luck,
            foe,
        } = self;
        write!(f, "section {section} (STAMINA {stamina}, LUCK {luck}")?;
        if *foe > 0 {
            write!(f, ", foe {foe}")?;
        }
        write!(f, ")")
    }
}

/// As displayed, so that explanations of a solver read well.
impl std::fmt::Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// The highest value that two dice tell from a higher one.
const CERTAIN: i32 = 13;

/// A book played by a hero, as a [`Game`]: the score is 1 for a victory and 0
/// for defeat.
///
/// Fights follow the standard rules without LUCK. The rounds of a fight are not
/// states: as many as 64 bits hold are one move of chance.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Foe, Hero};
/// use oddsmith_gamebook::{Book, Place};
/// use oddsmith_mdp::Node;
///
/// let book = Book::builder().fight(1, Foe::new(7, 4)?, 2).won(2).build()?;
/// let game = book.game(&Hero::new(7, 4, 7)?)?;
/// // Three rounds at even odds, two of them decide.
/// let fight = Node::of(&game, &game.start())?;
/// assert_eq!(fight.total(0), 8);
/// assert_eq!(fight.outcomes(0)[0], (Place::new(2, 4, 7), 2));
/// assert_eq!(fight.outcomes(0)[1], (Place::new(2, 2, 7), 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BookGame {
    book: Book,
    hero: Hero,
    /// By section, the odds of a fight against its foe.
    bouts: BTreeMap<u32, Bout>,
    /// By value, the rolls of two dice that pass a test, and those that do not.
    tests: Vec<(u64, u64)>,
}

impl BookGame {
    /// This book, played by this hero.
    ///
    /// # Errors
    /// None that occurs with the standard rules of combat.
    ///
    /// # Examples
    /// See [`BookGame`].
    pub fn new(book: Book, hero: Hero) -> Result<Self, Error> {
        let mut bouts = BTreeMap::new();
        for (number, section) in book.sections() {
            if let Section::Fight { foe, .. } = section {
                bouts.insert(number, Bout::new(hero.skill(), *foe)?);
            }
        }
        let rules = Rules::standard().luck_test(book.test());
        let tests = (0..=CERTAIN as u16).map(|value| rules.luck_counts(value));
        Ok(BookGame {
            tests: tests.collect::<Result<_, _>>()?,
            bouts,
            book,
            hero,
        })
    }

    /// Where the adventure starts.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Place};
    ///
    /// let game = Book::builder().won(1).build()?.game(&Hero::new(7, 14, 8)?)?;
    /// assert_eq!(game.start(), Place::new(1, 14, 8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> Place {
        Place::new(self.book.start(), self.hero.stamina(), self.hero.luck())
    }

    /// The book.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    ///
    /// let game = Book::builder().won(1).build()?.game(&Hero::new(7, 14, 8)?)?;
    /// assert_eq!(game.book().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// The ways to pass and to fail a test against `value`.
    fn test(&self, value: i32) -> (u64, u64) {
        self.tests[value.clamp(0, CERTAIN) as usize]
    }
}

impl Game for BookGame {
    type State = Place;
    type Action = Turn;

    fn expand(&self, place: &Place, node: &mut Node<Self>) {
        let place = *place;
        let at = |section| Place {
            section,
            foe: 0,
            ..place
        };
        if place.stamina == 0 {
            return node.end(false);
        }
        // A place outside the book writes nothing, which the solver reports.
        match self.book.get(place.section) {
            None => {}
            Some(Section::Won) => node.end(true),
            Some(Section::Lost) => node.end(false),
            Some(Section::Choice(options)) => {
                for turn in options {
                    node.choice(turn.clone()).to(at(turn.target()), 1);
                }
            }
            Some(Section::Chance(outcomes)) => {
                let mut chance = node.chance();
                for &(target, weight) in outcomes {
                    chance.to(at(target), weight);
                }
            }
            Some(&Section::Luck { lucky, unlucky }) => {
                let (pass, fail) = self.test(place.luck.into());
                let luck = place.luck.saturating_sub(1);
                let after = |section| Place {
                    luck,
                    ..at(section)
                };
                node.chance()
                    .to(after(lucky), pass)
                    .to(after(unlucky), fail);
            }
            Some(&Section::Skill { success, failure }) => {
                let (pass, fail) = self.test(self.hero.skill());
                node.chance().to(at(success), pass).to(at(failure), fail);
            }
            Some(&Section::Fight { foe, victory }) => {
                let Some(bout) = self.bouts.get(&place.section) else {
                    return;
                };
                let foe = if place.foe > 0 {
                    place.foe
                } else {
                    foe.stamina()
                };
                let mut fight = node.chance();
                for (stamina, foe, weight) in bout.after(place.stamina, foe) {
                    let section = if foe == 0 { victory } else { place.section };
                    fight.to(
                        Place {
                            section,
                            stamina,
                            foe,
                            ..place
                        },
                        weight,
                    );
                }
            }
        }
    }
}
