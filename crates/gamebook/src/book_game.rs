//! The game that a solver plays: a book and a hero.

use std::sync::Arc;

use oddsmith_mdp::{Game, Node};

use crate::apply::{Caps, Effects, Overflow};
use crate::battle::whole::FoldedFights;
use crate::compiled::Scene;
use crate::falls::{Falls, Watch};
use crate::journey::traps::Traps;
use crate::outset::begin;
use crate::place::Held;
use crate::{Book, Character, Compiled, Error, FightingFantasy, Move, Place, Rules};

/// How fights without an escape are played, if there is no LUCK in battle. All other fights are
/// played round by round and blow by blow.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::Fights;
/// assert_eq!(Fights::default(), Fights::Folded);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fights {
    /// As a single chance move, from the first round to the STAMINA that is left. A fight is played
    /// round by round all the same if the hero or a foe has very much STAMINA, or if it is against
    /// several foes of whom some leave a mark, since a hero who dies may have felled them.
    #[default]
    Folded,
    /// Round by round.
    Rounds,
}

/// A book played by a hero, as a [`Game`] with score 1 for victory and 0 for defeat.
///
/// [`Section`](crate::Section) describes what can happen where. Nothing is left out: a state is a
/// section (or a part of one) and the whole sheet. The solver reports a malformed state where a
/// stat leaves the range of 16 bits, where chance may lead to more than 100,000 sheets at once, or
/// where their probabilities over one denominator would take more than 32 MB.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Foe, Hero};
/// use oddsmith_gamebook::Book;
/// use oddsmith_mdp::Node;
///
/// let book = Book::builder().fight(1, Foe::new(7, 4)?, 2).won(2).build()?;
/// let game = book.game(&Hero::new(7, 4, 7)?)?;
/// // Three rounds at even odds, two of them decide.
/// let fight = Node::of(&game, &game.start())?;
/// let left = fight.outcomes(0).iter().map(|(place, _)| game.stat(place, "stamina"));
/// assert_eq!(left.collect::<Vec<_>>(), [Some(4), Some(2), Some(0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BookGame {
    book: Book,
    pub(crate) compiled: Arc<Compiled>,
    pub(crate) rules: Arc<dyn Rules>,
    /// Whether the rules are those of the book's system, and not passed in.
    pub(crate) own_rules: bool,
    pub(crate) caps: Caps,
    held: Held,
    pub(crate) fights: Fights,
    /// Where the policy that is followed goes round for ever; that counts as lost.
    traps: Option<Arc<Traps>>,
    /// Where falls are recorded, if they are.
    falls: Option<Arc<Falls>>,
    pub(crate) folded: FoldedFights,
}

/// The step of a place whose arrival is still to come.
pub(crate) const ARRIVING: u32 = u32::MAX;

impl BookGame {
    /// Creates the game of this book, played by this hero.
    ///
    /// # Errors
    /// - [`Error::MissingStat`], [`Error::MissingChoice`] or [`Error::NotOnSheet`] if the hero does
    ///   not fit the sheet.
    /// - [`Error::HeldAndNot`] if the hero holds an item and is said to be without it.
    /// - [`Error::OutOfRange`] if a value of the hero does not fit into 16 bits.
    /// - [`Error::Mistakes`] if there are several of these.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookGame, Error};
    ///
    /// let book = Book::builder().won(1).build()?;
    /// let giant = BookGame::new(book, Hero::new(7, 60_000, 7)?);
    /// let Some(Error::OutOfRange { field, given, most, .. }) = giant.err() else {
    ///     return Err("no sheet holds that".into());
    /// };
    /// assert_eq!((field.as_str(), given, most), ("stamina", 60_000, 32_767));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(book: Book, hero: impl Into<Character>) -> Result<Self, Error> {
        let compiled = Arc::new(book.compile());
        let (caps, held) = begin(&book, &compiled, &hero.into())?;
        let rules: Arc<dyn Rules> = match book.rules().system {
            crate::System::FightingFantasy => Arc::new(FightingFantasy::new(book.rules().test)),
        };
        Ok(BookGame {
            book,
            compiled,
            rules,
            own_rules: true,
            caps,
            held,
            fights: Fights::default(),
            traps: None,
            falls: None,
            folded: FoldedFights::default(),
        })
    }

    /// Sets how fights are played.
    ///
    /// # Examples
    /// This changes no value, only the number of states:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero};
    /// use oddsmith_gamebook::{Book, Fights};
    /// use oddsmith_mdp::Solver;
    ///
    /// let book = Book::builder().fight(1, Foe::new(8, 9)?, 2).won(2).build()?;
    /// let hero = Hero::new(7, 14, 7)?;
    /// let (folded, rounds) = (book.game(&hero)?, book.game(&hero)?.fights(Fights::Rounds));
    /// let folded = Solver::exact().solve(&folded, folded.start())?;
    /// let rounds = Solver::exact().solve(&rounds, rounds.start())?;
    /// assert_eq!(folded.value(), rounds.value());
    /// assert_eq!((folded.len(), rounds.len()), (9, 43));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fights(mut self, fights: Fights) -> Self {
        self.fights = fights;
        self
    }

    /// Replaces the rules of the book by others.
    ///
    /// # Examples
    /// ```
    /// use std::sync::Arc;
    /// use oddsmith_fightingfantasy::{Hero, LuckTest};
    /// use oddsmith_gamebook::{Book, FightingFantasy};
    /// use oddsmith_mdp::Solver;
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let strict = FightingFantasy::new(LuckTest::Below);
    /// let game = book.game(&Hero::new(7, 14, 7)?)?.with_rules(Arc::new(strict));
    /// let solution = Solver::exact().solve(&game, game.start())?;
    /// assert_eq!(solution.value().to_string(), "5/12"); // 15 of 36 instead of 21
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_rules(mut self, rules: Arc<dyn Rules>) -> Self {
        self.rules = rules;
        self.own_rules = false;
        self.folded = FoldedFights::default();
        self
    }

    /// Returns whether the places of another game are places of this one, with the same values: if
    /// it is the same book, by the same rules, for a hero with the same caps.
    ///
    /// Heroes may differ in what they hold, and in stats whose cap can be raised, since such a cap
    /// is kept on the sheet. [`BookSolver::solve_all`](crate::BookSolver::solve_all) solves such
    /// heroes together.
    ///
    /// # Examples
    /// A second hero with STAMINA 12 could rest up to 12 only, and not to 14:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// assert!(game.shares_places(&book.game(&Hero::new(7, 14, 7)?)?));
    /// assert!(!game.shares_places(&book.game(&Hero::new(7, 12, 7)?)?));
    ///
    /// // In City of Thieves a potion raises the cap of LUCK.
    /// # #[cfg(feature = "serde")] {
    /// use oddsmith_gamebook::Character;
    /// let thieves = Book::city_of_thieves()?;
    /// let hero = |luck, potion| {
    ///     let hero = Character::new().stat("skill", 9).stat("stamina", 12).stat("luck", luck);
    ///     thieves.game(hero.item(potion))
    /// };
    /// let (seven, twelve) = (hero(7, "stamina_potion")?, hero(12, "luck_potion")?);
    /// assert!(seven.shares_places(&twelve));
    /// let starts = [seven.start_at(65)?, twelve.start_at(65)?];
    /// let both = BookSolver::new(&seven).solve_all(&starts)?;
    /// let alone = BookSolver::new(&twelve).solve(starts[1])?;
    /// assert_eq!(both[1].win(), alone.win());
    /// assert_eq!(format!("{:.4} {:.4}", both[0].win(), both[1].win()), "0.4166 0.9998");
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn shares_places(&self, other: &BookGame) -> bool {
        let same = match (self.own_rules, other.own_rules) {
            (true, true) => true,
            (false, false) => Arc::ptr_eq(&self.rules, &other.rules),
            _ => false,
        };
        // A cap that may be raised is kept on the sheet.
        let mut caps = self
            .compiled
            .stats
            .iter()
            .zip(self.caps.iter().zip(&other.caps));
        let fixed = caps.all(|(stat, (cap, other))| stat.raised.is_some() || cap == other);
        same && fixed && self.book == other.book
    }

    /// The same game, with these traps counted as lost.
    pub(crate) fn with_traps(&self, traps: Arc<Traps>) -> Self {
        BookGame {
            traps: Some(traps),
            ..self.clone()
        }
    }

    /// The same game in another compiled form of the same book, recording falls.
    pub(crate) fn watched(&self, compiled: Compiled, falls: Arc<Falls>) -> Self {
        BookGame {
            compiled: Arc::new(compiled),
            falls: Some(falls),
            ..self.clone()
        }
    }

    pub(crate) fn falls(&self) -> Option<&Falls> {
        self.falls.as_deref()
    }

    pub(crate) fn traps(&self) -> Option<&Traps> {
        self.traps.as_deref()
    }

    /// Returns the place where the adventure starts.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// # use oddsmith_fightingfantasy::Hero;
    /// let game = Book::builder().luck(7, 9, 3).won(9).lost(3).build()?.game(&Hero::new(7, 14, 8)?)?;
    /// assert_eq!((game.start().section(), game.stat(&game.start(), "luck")), (7, Some(8)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> Place {
        self.arrive(self.compiled.start, self.held)
    }

    /// Returns the place of the hero, with the initial sheet, on arrival at a section.
    ///
    /// # Errors
    /// [`Error::NoSuchSection`] if the book has no such section.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    /// use oddsmith_mdp::Solver;
    ///
    /// let book = Book::builder().luck(1, 2, 3).luck(2, 4, 3).lost(3).won(4).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let second = game.start_at(2)?; // before the first test has cost LUCK
    /// assert_eq!(Solver::exact().solve(&game, second)?.value().to_string(), "7/12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start_at(&self, section: u32) -> Result<Place, Error> {
        self.book.section(section)?;
        let sections = &self.compiled.numbers[..self.compiled.sections()];
        let scene = sections.binary_search(&section);
        let scene = scene.map_err(|_| Error::NoSuchSection { section })?;
        Ok(self.arrive(scene as u32, self.held))
    }

    /// Somebody with this sheet on arrival at a section. Where nothing happens then, it is played
    /// from there on.
    pub(crate) fn arrive(&self, scene: u32, held: Held) -> Place {
        let arrival = self.compiled.arrivals[scene as usize];
        let alone = self.compiled.effects[arrival as usize].len() == 1;
        let at_once = alone && !self.compiled.is_dead(&held);
        Place {
            section: self.compiled.numbers[scene as usize],
            scene,
            step: if at_once { 0 } else { ARRIVING },
            held,
        }
    }

    /// Returns the book.
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

    /// Returns the value of a stat at a place, or `None` if it is not on the sheet.
    ///
    /// # Examples
    /// A test of LUCK costs a point:
    /// ```
    /// use oddsmith_gamebook::Book;
    /// use oddsmith_mdp::Node;
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let game = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?.game(&Hero::new(7, 14, 8)?)?;
    /// let test = Node::of(&game, &game.start())?;
    /// let (after, _) = &test.outcomes(0)[0];
    /// assert_eq!((game.stat(&game.start(), "luck"), game.stat(after, "luck")), (Some(8), Some(7)));
    /// assert_eq!(game.stat(after, "gold"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stat(&self, place: &Place, stat: &str) -> Option<i16> {
        let number = self.compiled.stat_named(stat)?;
        Some(place.held.stats[number])
    }

    /// Returns whether an item is held, or a flag set, at a place; false if it is not on the sheet.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    /// let game = Book::builder().won(1).build()?.game(&Hero::new(7, 14, 8)?)?;
    /// assert!(!game.has(&game.start(), "lantern"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn has(&self, place: &Place, name: &str) -> bool {
        let bit = self.compiled.bit_named(name);
        bit.is_some_and(|bit| place.held.items & bit != 0)
    }

    /// Describes a place in words. A stat whose cap has been raised or lowered is written with it,
    /// as in "luck 9 of 10". Parts of a section are distinguished, such as its endings after a test
    /// that is passed or failed.
    ///
    /// # Examples
    /// What is held follows the stats:
    /// ```
    /// use oddsmith_gamebook::{Book, Character, Item, Manuscript, Passage, Section};
    ///
    /// let mut book = Manuscript::new("cave");
    /// book.sheet.items = vec![Item::new("lantern"), Item::new("rope")];
    /// book.sections = vec![Section::new(1, Passage::won())];
    /// let hero = Character::new().stat("skill", 7).stat("stamina", 14).stat("luck", 8).item("rope");
    /// let game = Book::new(book)?.game(hero)?;
    /// assert_eq!(game.describe(&game.start()), "section 1 (skill 7, stamina 14, luck 8; rope)");
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    #[must_use]
    pub fn describe(&self, place: &Place) -> String {
        let (held, foe) = (self.held_words(place), self.foe_words(place));
        let part = self.part_words(place);
        format!("section {}{part} ({held}{foe})", place.section)
    }

    /// The kind of the part, within a section.
    fn part_words(&self, place: &Place) -> &'static str {
        let scene = place.scene as usize;
        match self.compiled.scenes.get(scene) {
            Some(part) if scene >= self.compiled.sections() => match part {
                Scene::Ending(true) => ", won",
                Scene::Ending(false) => ", lost",
                Scene::Choice(_) => ", a choice",
                Scene::Test { .. } => ", a test",
                Scene::Shop { .. } => ", a shop",
                Scene::Game { .. } => ", a game",
                _ => "",
            },
            _ => "",
        }
    }

    /// The sheet at a place, in words.
    pub(crate) fn held_words(&self, place: &Place) -> String {
        let stats = self.compiled.stats.iter().zip(place.held.stats);
        let stats: Vec<String> = stats
            .zip(self.caps)
            .map(|((stat, value), cap)| {
                let now = stat.raised.map(|now| place.held.stats[usize::from(now)]);
                match now.filter(|now| Some(*now) != cap) {
                    Some(now) => format!("{} {value} of {now}", stat.id),
                    None => format!("{} {value}", stat.id),
                }
            })
            .collect();
        let held: Vec<&str> = self.compiled.names_of(place.held.items).collect();
        let between = if held.is_empty() { "" } else { "; " };
        format!("{}{between}{}", stats.join(", "), held.join(", "))
    }

    pub(crate) fn effects(&self) -> Effects<'_> {
        Effects {
            book: &self.compiled,
            caps: &self.caps,
            watch: self.falls().map(Watch::new),
        }
    }
}

impl Clone for BookGame {
    fn clone(&self) -> Self {
        BookGame {
            book: self.book.clone(),
            compiled: Arc::clone(&self.compiled),
            rules: Arc::clone(&self.rules),
            own_rules: self.own_rules,
            caps: self.caps,
            held: self.held,
            fights: self.fights,
            traps: self.traps.clone(),
            falls: self.falls.clone(),
            folded: FoldedFights::default(),
        }
    }
}

impl Game for BookGame {
    type State = Place;
    type Action = Move;

    fn expand(&self, place: &Place, node: &mut Node<Self>) {
        // For a place outside the book nothing is written, which the solver reports.
        let Some(scene) = self.compiled.scenes.get(place.scene as usize) else {
            return;
        };
        if matches!(scene, Scene::Dead) || self.traps().is_some_and(|traps| traps.contains(place)) {
            return node.end(false);
        }
        let dead = self.compiled.is_dead(&place.held);
        if dead && place.step != ARRIVING && !matches!(scene, Scene::Ending(_)) {
            return node.end(false);
        }
        if let Err(overflow) = self.write_scene(scene, place, node) {
            node.refuse(match overflow {
                Overflow::Stat(stat) => format!(
                    "{} leaves the range from -32768 to 32767; give it a cap and a floor or, if its \
                     cap is raised repeatedly, put a condition on the increase",
                    self.compiled.stats[usize::from(stat)].id
                ),
                Overflow::Sheets => "too many outcomes are possible at once".to_owned(),
            });
        }
    }

    fn describe(&self, place: &Place) -> String {
        BookGame::describe(self, place)
    }
}
