//! Dice rolled together and not yet added.

mod both;
mod deck;
mod ends;
pub(crate) mod engine;
mod evaluate;
mod hand;
mod pairwise;
mod position;
mod reroll;
mod rolls;
mod sets;
mod straight;
mod success;
pub(crate) mod sum;

pub use both::Both;
pub use evaluate::{Evaluator, Order, Pools};
pub use hand::{Hand, HandOfDice, Sequence};
pub use pairwise::{Pairing, Pairs, TieTo};
pub use rolls::{HighestAndLowest, Rolls};
pub use sets::{Distinct, LargestSet, MatchingSets, SetsAtLeast};
pub use straight::{LongestRun, RunSoFar, Straight};
pub use success::Successes;
pub use sum::SumOfFaces;

use crate::{Dist, Error, Weight};
use num_bigint::BigUint;

/// Dice rolled together and not yet added: independent dice, sorted by face after the roll. Some of
/// them may be dropped, counted twice or subtracted.
///
/// A pool is a description. Nothing is computed until a reading is requested, by
/// [`evaluate`](Pool::evaluate) or one of the methods built on it.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Dist, Pool};
///
/// let pool = Pool::dice(4, 6)?.highest(3)?;
/// assert_eq!(pool.size(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pool<T = i64, W = BigUint> {
    pub(crate) source: Source<T, W>,
    /// Run-length encoded multiplicities of the sorted positions, lowest first, or `None` if every
    /// die counts once. The run lengths add up to the number of dice.
    pub(crate) runs: Option<Vec<Run>>,
}

/// The origin of the faces of a pool.
#[derive(Clone, Debug)]
pub(crate) enum Source<T, W> {
    /// Independent dice: groups of different distributions.
    Dice(Vec<Group<T, W>>),
    /// Cards drawn without replacement.
    Deck(Deck<T>),
}

/// Dice of one distribution.
#[derive(Clone, Debug)]
pub(crate) struct Group<T, W> {
    pub(crate) count: u64,
    pub(crate) die: Dist<T, W>,
}

/// Cards and how many of them are drawn.
#[derive(Clone, Debug)]
pub(crate) struct Deck<T> {
    /// Faces ascending and distinct, each on at least one card.
    pub(crate) cards: Vec<(T, u64)>,
    /// At most the number of cards.
    pub(crate) drawn: u64,
}

/// Neighbouring sorted positions with the same multiplicity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) dice: u64,
    pub(crate) multiplicity: i64,
}

impl Pool<i64> {
    /// Creates `count` fair dice with `sides` sides numbered from 1: `10d6`, not added.
    ///
    /// A pool may have no dice. Their sum is then certainly 0, and there is nothing to select.
    ///
    /// # Errors
    ///
    /// [`Error::NoSides`] for zero sides, and [`Error::TooLarge`] for a die that does not fit
    /// [`DEFAULT_LIMIT`](crate::DEFAULT_LIMIT).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// assert_eq!(Pool::dice(10, 6)?.size(), 10);
    /// assert_eq!(Pool::dice(0, 6)?.sum()?.support(), [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn dice(count: u32, sides: u32) -> Result<Self, Error> {
        Ok(Pool::equal(count, Dist::die(sides)?))
    }
}

impl<T: Ord + Clone, W: Weight> Pool<T, W> {
    /// Creates `count` dice with the same distribution.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Dist, Pool};
    ///
    /// let coins = Pool::of(3, &Dist::uniform(["heads", "tails"])?);
    /// assert_eq!(coins.size(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(count: u32, die: &Dist<T, W>) -> Self {
        Pool::equal(count, die.clone())
    }

    fn equal(count: u32, die: Dist<T, W>) -> Self {
        Pool {
            source: Source::Dice(vec![Group {
                count: count.into(),
                die,
            }]),
            runs: None,
        }
    }

    /// Creates dice with different distributions, one each. Equal distributions are gathered into
    /// one group, which makes every reading cheaper.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Dist, Pool};
    ///
    /// let pool = Pool::mixed([Dist::die(6)?, Dist::die(8)?, Dist::die(6)?]);
    /// assert_eq!(pool.size(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mixed(dice: impl Into<Vec<Dist<T, W>>>) -> Self {
        let mut groups = Vec::new();
        for die in dice.into() {
            join(&mut groups, 1, die);
        }
        Pool {
            source: Source::Dice(groups),
            runs: None,
        }
    }

    /// Returns the pool with `count` more dice.
    ///
    /// # Errors
    ///
    /// [`Error::FixedPool`] for a deck, and after positions were chosen, since more dice would
    /// shift them.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Dist, Pool};
    ///
    /// let pool = Pool::dice(2, 6)?.with(3, &Dist::die(8)?)?;
    /// assert_eq!(pool.size(), 5);
    /// assert!(pool.highest(2)?.with(1, &Dist::die(4)?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with(mut self, count: u32, die: &Dist<T, W>) -> Result<Self, Error> {
        match &mut self.source {
            Source::Dice(groups) if self.runs.is_none() => {
                join(groups, count.into(), die.clone());
                Ok(self)
            }
            Source::Dice(_) => Err(Error::FixedPool {
                reason: "its positions are already chosen",
            }),
            Source::Deck(_) => Err(Error::FixedPool {
                reason: "it is a deck of cards",
            }),
        }
    }

    /// Returns the number of dice rolled or cards drawn, whether kept or not.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// assert_eq!(Pool::dice(4, 6)?.drop_lowest(1)?.size(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn size(&self) -> u64 {
        match &self.source {
            Source::Dice(groups) => groups.iter().map(|group| group.count).sum(),
            Source::Deck(deck) => deck.drawn,
        }
    }

    /// Returns the multiplicities of the sorted positions, run by run, lowest first.
    pub(crate) fn runs(&self) -> Vec<Run> {
        match (&self.runs, self.size()) {
            (Some(runs), _) => runs.clone(),
            (None, 0) => Vec::new(),
            (None, dice) => vec![Run {
                dice,
                multiplicity: 1,
            }],
        }
    }
}

/// Adds dice to the group with the same distribution, if there is one.
fn join<T: Ord, W: Weight>(groups: &mut Vec<Group<T, W>>, count: u64, die: Dist<T, W>) {
    // Float laws that are equal up to rounding must not be merged, since their difference would not
    // be counted: they must be identical. Zero dice are ignored; otherwise their faces would count.
    if count == 0 && !groups.is_empty() {
        return;
    }
    groups.retain(|group| group.count > 0);
    let same = |group: &&mut Group<T, W>| {
        group.die.outcomes == die.outcomes
            && group.die.roundings == die.roundings
            && group.die.total == die.total
            && group.die.weights == die.weights
    };
    match groups.iter_mut().find(same) {
        Some(group) => group.count += count,
        None => groups.push(Group { count, die }),
    }
}

impl<T: Ord + Clone> Pool<T> {
    /// Returns the float twin: the same dice, with each probability rounded once.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// assert_eq!(Pool::dice(4, 6)?.to_f64().size(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_f64(&self) -> Pool<T, f64> {
        let source = match &self.source {
            Source::Dice(groups) => Source::Dice(
                groups
                    .iter()
                    .map(|group| Group {
                        count: group.count,
                        die: group.die.to_f64(),
                    })
                    .collect(),
            ),
            Source::Deck(deck) => Source::Deck(deck.clone()),
        };
        Pool {
            source,
            runs: self.runs.clone(),
        }
    }
}
