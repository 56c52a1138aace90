//! Habits of readers: simple policies.

use std::fmt;

use oddsmith_mdp::{AtRandom, Policy};

use crate::compiled::{CompiledOption, Scene};
use crate::{Book, BookGame, Compiled, Move, Place};

/// A way of playing that needs no solver.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::Habit;
/// assert_eq!(Habit::ALL.map(|habit| habit.to_string()), ["at random", "avoiding fights", "first option"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Habit {
    /// [`AtRandom`].
    AtRandom,
    /// [`Avoiding`].
    Avoiding,
    /// [`FirstOption`].
    FirstOption,
}

impl Habit {
    /// All habits.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Habit};
    /// # use oddsmith_fightingfantasy::Hero;
    /// let book = Book::builder().choice(1, [("left", 2), ("right", 3)]).lost(2).won(3).build()?;
    /// let difficulty = book.difficulty(&Hero::new(7, 14, 7)?, 1.0)?;
    /// let chances: Result<Vec<&f64>, _> = Habit::ALL.iter().map(|habit| difficulty.chance(*habit)).collect();
    /// assert_eq!(chances?, [&0.5, &0.5, &0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const ALL: [Habit; 3] = [Habit::AtRandom, Habit::Avoiding, Habit::FirstOption];

    /// The policy of this habit, for a book.
    pub(crate) fn policy(self, book: &Book) -> Box<dyn Policy<BookGame>> {
        match self {
            Habit::AtRandom => Box::new(AtRandom),
            Habit::Avoiding => Box::new(Avoiding::new(book)),
            Habit::FirstOption => Box::new(FirstOption),
        }
    }
}

impl fmt::Display for Habit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Habit::AtRandom => "at random",
            Habit::Avoiding => "avoiding fights",
            Habit::FirstOption => "first option",
        })
    }
}

/// A reader who avoids every fight if another option is open, runs where running is offered, and
/// otherwise chooses at random among all moves.
///
/// An option counts as a fight if its passage is one, or if the section it turns to is one,
/// possibly after pages that only turn to the next. A meal does not avoid a fight: with nothing but
/// fights ahead, the reader chooses at random.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Foe, Hero};
/// use oddsmith_gamebook::{Avoiding, Book};
///
/// let book = Book::builder()
///     .choice(1, [("the ogre", 2), ("the rope bridge", 3)])
///     .fight(2, Foe::new(7, 2)?, 4)
///     .luck(3, 4, 5)
///     .won(4)
///     .lost(5)
///     .build()?;
/// let value = book.evaluate(&Hero::new(12, 2, 7)?, Avoiding::new(&book))?;
/// assert_eq!(value.to_string(), "7/12"); // the bridge
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Avoiding {
    /// By scene, whether it is a fight or only leads to one.
    fights: Vec<bool>,
    compiled: Compiled,
}

impl Avoiding {
    /// Creates the reader of this book.
    ///
    /// # Examples
    /// There is a way round the ogre, and this reader takes it:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero};
    /// use oddsmith_gamebook::{Avoiding, Book};
    /// # use oddsmith_mdp::AtRandom;
    ///
    /// let book = Book::builder().choice(1, [("the ogre", 2), ("round it", 3)]);
    /// let book = book.fight(2, Foe::new(7, 2)?, 3).won(3).build()?;
    /// let hero = Hero::new(7, 2, 7)?;
    /// assert_eq!(book.evaluate(&hero, Avoiding::new(&book))?.to_string(), "1");
    /// assert_eq!(book.evaluate(&hero, AtRandom)?.to_string(), "3/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(book: &Book) -> Self {
        let compiled = book.compile();
        Avoiding {
            fights: lead_to_fights(&compiled),
            compiled,
        }
    }

    fn is_fight(&self, option: &CompiledOption) -> bool {
        self.fights.get(option.way.to as usize) == Some(&true)
    }
}

/// By scene, whether a fight is there, or follows pages that only turn to the next.
fn lead_to_fights(compiled: &Compiled) -> Vec<bool> {
    let mut known: Vec<Option<bool>> = vec![None; compiled.scenes.len()];
    for first in 0..known.len() {
        let (mut trail, mut scene) = (Vec::new(), first);
        let fight = loop {
            if let Some(known) = known[scene] {
                break known;
            }
            // Until it is known, pages that only turn to each other lead nowhere.
            known[scene] = Some(false);
            trail.push(scene);
            scene = match &compiled.scenes[scene] {
                Scene::Fight { .. } => break true,
                Scene::Turn(way) => way.to as usize,
                Scene::Choice(options) => match options.as_slice() {
                    [only] if only.condition.is_none() => only.way.to as usize,
                    _ => break false,
                },
                _ => break false,
            };
        };
        trail
            .into_iter()
            .for_each(|scene| known[scene] = Some(fight));
    }
    known.into_iter().map(|fight| fight == Some(true)).collect()
}

impl Policy<BookGame> for Avoiding {
    fn weigh(&self, place: &Place, moves: &[Move], weights: &mut [u64]) {
        let mut avoid = vec![false; moves.len()];
        if let Some(Scene::Choice(options)) = self.compiled.scenes.get(place.scene as usize) {
            let open = options
                .iter()
                .filter(|option| self.compiled.open(option.condition, &place.held));
            let fights: Vec<bool> = open.map(|option| self.is_fight(option)).collect();
            // The options come first among the moves, in the order of the book.
            if fights.iter().any(|fight| !fight) {
                for (avoid, fight) in avoid.iter_mut().zip(fights) {
                    *avoid = fight;
                }
            }
        }
        if moves.contains(&Move::Run) {
            for (avoid, what) in avoid.iter_mut().zip(moves) {
                *avoid = *what == Move::FightOn;
            }
        }
        for (weight, avoid) in weights.iter_mut().zip(avoid) {
            *weight = u64::from(!avoid);
        }
    }
}

impl Policy<BookGame> for &Avoiding {
    fn weigh(&self, place: &Place, moves: &[Move], weights: &mut [u64]) {
        (**self).weigh(place, moves, weights);
    }
}

/// A reader who always takes the first open option, fights on, and never eats, trades or gambles.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::{Book, FirstOption};
///
/// let book = Book::builder().choice(1, [("left", 2), ("right", 3)]).lost(2).won(3).build()?;
/// assert_eq!(book.evaluate(&Hero::new(7, 14, 7)?, FirstOption)?.to_string(), "0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FirstOption;

impl Policy<BookGame> for FirstOption {
    fn weigh(&self, _: &Place, moves: &[Move], weights: &mut [u64]) {
        let goes_on = |what: &Move| {
            matches!(
                what,
                Move::Turn(_) | Move::Leave | Move::Stop | Move::FightOn
            )
        };
        let first = moves.iter().position(goes_on).unwrap_or(0);
        if let Some(weight) = weights.get_mut(first) {
            *weight = 1;
        }
    }
}

impl Policy<BookGame> for &FirstOption {
    fn weigh(&self, place: &Place, moves: &[Move], weights: &mut [u64]) {
        (**self).weigh(place, moves, weights);
    }
}
