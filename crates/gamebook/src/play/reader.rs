//! A reader in the middle of a book, with a generator for the dice.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use oddsmith_mdp::Node;
use rand::Rng;

use crate::apply::Overflow;
use crate::battle::whole::WholeFight;
use crate::book_game::BookGame;
use crate::compiled::{CompiledOption, Scene, Way};
use crate::spread::Spread;
use crate::{Error, Move, Place, Turn};

/// A reader in the middle of a book: knows the possible moves, and throws the dice once one is
/// made.
///
/// What may happen is what [`BookGame`] writes for the solver. At a choice, on a turn and in a fight
/// that is [folded](crate::Fights), it is computed only for the move that is made; everywhere else,
/// for all moves on arrival. This is several times as fast as always listing all outcomes, which
/// matters for learning and for simulations of millions of games.
///
/// A move draws one number of 64 bits, two if effects of chance follow a folded fight, and none if
/// only one thing can happen at a choice or on a turn. So its probabilities are accurate to within
/// 2⁻⁶³. The same generator with the same seed plays the same games.
///
/// Needs the feature `rand`.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::{Book, Reader};
/// use rand::SeedableRng;
///
/// let book = Book::builder()
///     .choice(1, [("bridge", 2), ("ford", 3)])
///     .won(2)
///     .luck(3, 2, 4)
///     .lost(4)
///     .build()?;
/// let game = book.game(&Hero::new(7, 14, 7)?)?;
/// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
/// let mut won = 0;
/// for _ in 0..2_000 {
///     let mut reader = Reader::new(&game)?;
///     assert_eq!(reader.moves().len(), 2);
///     reader.take(1, &mut rng)?; // the ford
///     assert_eq!(reader.place().section(), 3);
///     assert!(reader.moves().is_empty()); // LUCK decides
///     reader.take(0, &mut rng)?;
///     won += u32::from(reader.outcome() == Some(true));
/// }
/// assert!(won.abs_diff(1_167) < 90); // 7/12, and four standard deviations
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reader<'g> {
    game: &'g BookGame,
    place: Place,
    moves: Vec<Move>,
    /// The course of each move: one entry where chance moves, none at an end.
    courses: Vec<Course>,
    outcome: Option<bool>,
    /// The fight at this place and the way after it, if `courses` refers to it.
    fight: Option<(WholeFight, Way)>,
    /// The node of this place, if `courses` refers to it.
    node: Option<Node<BookGame>>,
}

/// How to find out where a move leads.
#[derive(Clone, Copy, Debug)]
enum Course {
    /// Apply the effects of a way and follow it.
    Way(Way),
    /// Apply the effects of a refreshment and stay at the choice.
    Refreshment(u32),
    /// Play the fight to its end.
    Fight,
    /// Draw from the outcomes in the node, under this number.
    Listed(usize),
}

impl<'g> Reader<'g> {
    /// Creates a reader at the start of the book.
    ///
    /// # Errors
    /// [`Error::Solve`] if the place is malformed, such as by a stat out of its range.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Reader};
    /// # use oddsmith_fightingfantasy::Hero;
    /// let game = Book::builder().choice(7, [("on", 9)]).won(9).build()?.game(&Hero::new(7, 14, 7)?)?;
    /// let reader = Reader::new(&game)?;
    /// assert_eq!((reader.place().section(), reader.outcome()), (7, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(game: &'g BookGame) -> Result<Self, Error> {
        Reader::at(game, game.start())
    }

    /// Creates a reader at this place.
    ///
    /// # Errors
    /// The same as for [`new`](Reader::new).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Reader};
    ///
    /// let game = Book::builder().won(1).lost(2).build()?.game(&Hero::new(7, 14, 7)?)?;
    /// assert_eq!(Reader::at(&game, game.start_at(2)?)?.outcome(), Some(false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at(game: &'g BookGame, place: Place) -> Result<Self, Error> {
        let mut reader = Reader {
            game,
            place,
            moves: Vec::new(),
            courses: Vec::new(),
            outcome: None,
            fight: None,
            node: None,
        };
        reader.come(place)?;
        Ok(reader)
    }

    /// Returns where the reader is.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Reader};
    /// # use oddsmith_fightingfantasy::Hero;
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let book = Book::builder().choice(1, [("left", 2), ("right", 3)]).lost(2).won(3).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let mut reader = Reader::new(&game)?;
    /// reader.take(1, &mut rng)?;
    /// assert_eq!(game.describe(reader.place()), "section 3 (skill 7, stamina 14, luck 7)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Returns the possible moves, in the order of the solver. The list is empty where chance
    /// moves, and at the end.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Reader};
    /// # use oddsmith_fightingfantasy::Hero;
    /// let book = Book::builder().choice(1, [("left", 2), ("right", 3)]).luck(2, 3, 4).won(3).lost(4).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let labels = Reader::new(&game)?.moves().iter().map(|what| what.label().to_owned()).collect::<Vec<_>>();
    /// assert_eq!(labels, ["left", "right"]);
    /// assert!(Reader::at(&game, game.start_at(2)?)?.moves().is_empty()); // dice decide
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns whether the book ended in victory, or `None` if it has not ended.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Reader};
    /// # use oddsmith_fightingfantasy::Hero;
    /// let game = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?.game(&Hero::new(7, 14, 7)?)?;
    /// let outcome = |section| Reader::at(&game, game.start_at(section)?).map(|reader| reader.outcome());
    /// assert_eq!((outcome(1)?, outcome(2)?, outcome(3)?), (None, Some(true), Some(false)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn outcome(&self) -> Option<bool> {
        self.outcome
    }

    /// Goes back to the start.
    ///
    /// # Errors
    /// The same as for [`new`](Reader::new).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Reader};
    /// use rand::SeedableRng;
    ///
    /// let game = Book::builder().choice(1, [("on", 2)]).won(2).build()?.game(&Hero::new(7, 14, 7)?)?;
    /// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let mut reader = Reader::new(&game)?;
    /// reader.take(0, &mut rng)?;
    /// assert_eq!(reader.outcome(), Some(true));
    /// reader.restart()?;
    /// assert_eq!((reader.place(), reader.outcome()), (&game.start(), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restart(&mut self) -> Result<(), Error> {
        self.come(self.game.start())
    }

    /// Makes the move with this number in [`moves`](Reader::moves). Where chance moves, the number
    /// is 0.
    ///
    /// # Errors
    /// [`Error::Solve`] if there is no such move, or if this place or the next one is malformed. The
    /// reader then stays at the last place, with its moves.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_fightingfantasy::Hero;
    /// # use oddsmith_gamebook::{Book, Reader};
    /// # use rand::SeedableRng;
    /// # let game = Book::builder().won(1).build()?.game(&Hero::new(7, 14, 7)?)?;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let over = Reader::new(&game)?.take(0, &mut rng).err();
    /// let over = over.map(|error| error.to_string()).unwrap_or_default();
    /// assert!(over.contains("has 0 actions"), "{over}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take<R: Rng + ?Sized>(&mut self, number: usize, rng: &mut R) -> Result<(), Error> {
        let Some(&course) = self.courses.get(number) else {
            return Err(Error::Solve(oddsmith_mdp::Error::NoSuchAction {
                state: self.game.describe(&self.place),
                action: number,
                actions: self.courses.len(),
            }));
        };
        let next = match self.follow(course, rng) {
            Ok(Some(next)) => next,
            // Without outcomes the place is malformed, and the solver's error says why.
            Ok(None) | Err(_) => {
                Node::of(self.game, &self.place)?;
                return Err(Error::Solve(oddsmith_mdp::Error::DeadEnd {
                    state: self.game.describe(&self.place),
                }));
            }
        };
        self.come(next)
    }

    /// Where a move leads.
    fn follow<R: Rng + ?Sized>(
        &self,
        course: Course,
        rng: &mut R,
    ) -> Result<Option<Place>, Overflow> {
        let place = &self.place;
        let places = match course {
            Course::Way(way) => self.game.go(place, place.held, way)?,
            Course::Refreshment(effects) => {
                let scene = place.scene;
                self.game.after(effects, place, place.held, scene, 0)?
            }
            Course::Fight => match &self.fight {
                Some(fight) => return self.game.fought(place, fight, rng),
                None => return Ok(None),
            },
            Course::Listed(choice) => {
                let node = self.node.as_ref();
                return Ok(node.and_then(|node| listed(node, choice, rng.next_u64())));
            }
        };
        Ok(pick(places, rng))
    }

    /// Arrives at a place and finds the possible moves. If it is malformed, nothing changes.
    fn come(&mut self, place: Place) -> Result<(), Error> {
        let game = self.game;
        let held = &place.held;
        let scene = game.compiled.scenes.get(place.scene as usize);
        let fight = match scene {
            Some(Scene::Fight { fight, victory, .. }) if !place.is_arriving() => {
                let whole = game.whole_fight(*fight, &place);
                whole.map(|whole| (whole, *victory))
            }
            _ => None,
        };
        // Nobody comes to a scene dead, but a bookmark may say so.
        let dead = game.compiled.is_dead(held) && !matches!(scene, Some(Scene::Ending(_)) | None);
        let dead = !place.is_arriving() && (dead || matches!(scene, Some(Scene::Dead)));
        let listed = match scene {
            _ if place.is_arriving() => true,
            _ if dead => false,
            Some(Scene::Fight { .. }) => fight.is_none(),
            Some(Scene::Test { .. } | Scene::Random(_) | Scene::Game { .. }) => true,
            Some(Scene::Shop { .. }) | None => true,
            Some(_) => false,
        };
        let node = match listed {
            true => Some(Node::of(game, &place)?),
            false => None,
        };
        self.place = place;
        self.moves.clear();
        self.courses.clear();
        self.outcome = dead.then_some(false);
        self.fight = fight;
        self.node = node;
        if let Some(node) = &self.node {
            self.outcome = node.score().map(|score| score.to_f64() > 0.0);
            let choices = 0..node.len();
            let actions = choices.clone().filter_map(|n| node.action(n).cloned());
            self.moves.extend(actions);
            self.courses.extend(choices.map(Course::Listed));
            return Ok(());
        }
        match scene {
            _ if dead => {}
            Some(Scene::Ending(won)) => self.outcome = Some(*won),
            Some(Scene::Turn(way)) => self.courses.push(Course::Way(*way)),
            Some(Scene::First(cases)) => {
                let mut cases = cases.iter();
                match cases.find(|case| game.compiled.open(case.condition, held)) {
                    Some(case) => self.courses.push(Course::Way(case.way)),
                    None => self.outcome = Some(false),
                }
            }
            Some(Scene::Choice(options)) => self.choose(options),
            _ => self.courses.push(Course::Fight),
        }
        Ok(())
    }

    /// Finds the moves at a choice.
    fn choose(&mut self, options: &[CompiledOption]) {
        let (game, held) = (self.game, &self.place.held);
        for option in options {
            if game.compiled.open(option.condition, held) {
                let turn = Turn::new(&option.label, game.target(option.way));
                self.moves.push(Move::Turn(turn));
                self.courses.push(Course::Way(option.way));
            }
        }
        if self.moves.is_empty() {
            self.outcome = Some(false); // stuck
            return;
        }
        let scene = self.place.scene;
        for taken in game.compiled.refreshing(scene, held, self.moves.len()) {
            self.moves.push(Move::Refresh(taken.label.clone()));
            self.courses.push(Course::Refreshment(taken.effects));
        }
    }
}

/// The outcome of a choice that a 64-bit number stands for.
fn listed(node: &Node<BookGame>, choice: usize, drawn: u64) -> Option<Place> {
    let outcomes = node.outcomes(choice).iter();
    if outcomes.len() == 0 {
        let outcomes = node.wide_outcomes(choice);
        return wide(outcomes, &node.wide_total(choice), drawn).copied();
    }
    narrow(outcomes.map(|(to, w)| (to, *w)), node.total(choice), drawn).copied()
}

/// Draws an outcome. No number is drawn if there is only one.
pub(crate) fn pick<T, R: Rng + ?Sized>(mut law: Spread<T>, rng: &mut R) -> Option<T> {
    if law.outcomes.len() <= 1 {
        return law.outcomes.pop().map(|(outcome, _)| outcome);
    }
    let number = number(&law, rng.next_u64())?;
    Some(law.outcomes.swap_remove(number).0)
}

/// The index of the outcome that a 64-bit number stands for.
pub(crate) fn number<T>(law: &Spread<T>, drawn: u64) -> Option<usize> {
    let outcomes = law.outcomes.iter().enumerate();
    match law.total.to_u64() {
        Some(total) => {
            let weights = outcomes.map(|(n, (_, weight))| (n, weight.to_u64().unwrap_or(0)));
            narrow(weights, total, drawn)
        }
        None => wide(
            outcomes.map(|(n, (_, weight))| (n, weight.clone())),
            &law.total,
            drawn,
        ),
    }
}

/// Maps `drawn` to `drawn` · `total` / 2⁶⁴, which falls within the weight of one outcome. There is
/// no rejection, which changes a probability by at most 2⁻⁶⁴.
pub(crate) fn narrow<T>(
    weights: impl Iterator<Item = (T, u64)>,
    total: u64,
    drawn: u64,
) -> Option<T> {
    let mut point = ((u128::from(drawn) * u128::from(total)) >> 64) as u64;
    for (outcome, weight) in weights {
        if point < weight {
            return Some(outcome);
        }
        point -= weight;
    }
    None
}

pub(crate) fn wide<T, W: std::borrow::Borrow<BigUint>>(
    weights: impl Iterator<Item = (T, W)>,
    total: &BigUint,
    drawn: u64,
) -> Option<T> {
    let mut point = (total * drawn) >> 64_u32;
    for (outcome, weight) in weights {
        if point < *weight.borrow() {
            return Some(outcome);
        }
        point -= weight.borrow();
    }
    None
}
