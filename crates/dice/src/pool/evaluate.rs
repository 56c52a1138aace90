//! Readings of pools, which users can define.

use super::engine;
use crate::{DEFAULT_LIMIT, Dist, Error, Pool, Weight};
use num_bigint::BigUint;
use std::hash::Hash;

/// The order in which an [`Evaluator`] sees the faces.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Order;
///
/// assert_eq!(Order::default(), Order::Any);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// From the lowest face to the highest.
    Ascending,
    /// From the highest face to the lowest.
    Descending,
    /// Either order: the reading gives the same result, and the engine takes the cheaper one.
    #[default]
    Any,
}

/// A reading of one roll: a state machine that visits the faces in order and gets the number of
/// dice of each pool that show each face.
///
/// Rolls are never enumerated. The engine stores, for each state and each number of dice left, the
/// number of rolls that lead there. An evaluator is therefore fast if it has few states, and its
/// state should hold no more than the rest of the reading needs.
///
/// # Examples
///
/// Ten dice, the size of the largest set of equal faces:
///
/// ```
/// use oddsmith_dice::{Evaluator, Pool};
///
/// struct LargestSet;
///
/// impl Evaluator<i64> for LargestSet {
///     type State = i64;
///     type Outcome = i64;
///     fn start(&self) -> i64 {
///         0
///     }
///     fn next(&self, largest: &i64, _face: &i64, counts: &[i64]) -> i64 {
///         counts[0].max(*largest)
///     }
///     fn finish(&self, largest: &i64) -> i64 {
///         *largest
///     }
/// }
/// let law = Pool::dice(10, 10)?.evaluate(&LargestSet)?;
/// assert_eq!(law.p(&10).to_string(), "1/1000000000");
/// assert_eq!(law.p(&1).to_string(), "567/1562500"); // 10! / 10¹⁰
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Evaluator<T> {
    /// What the reading must remember of the faces seen so far.
    type State: Clone + Eq + Hash;
    /// The result of the reading.
    type Outcome: Ord + Clone;

    /// Returns the state before any face.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Evaluator, LargestSet};
    ///
    /// assert_eq!(Evaluator::<i64>::start(&LargestSet), 0);
    /// ```
    fn start(&self) -> Self::State;

    /// Returns the state after one more face. `counts` holds one number per pool: how many of its
    /// dice show the face, each multiplied by the multiplicity of its position. A count can
    /// therefore be negative. Every face of any die in any pool is visited once, even if all counts
    /// are 0.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Evaluator, LargestSet};
    ///
    /// // Two dice showed one face before; now three show a four.
    /// assert_eq!(LargestSet.next(&2, &4, &[3]), 3);
    /// ```
    fn next(&self, state: &Self::State, face: &T, counts: &[i64]) -> Self::State;

    /// Returns the result for the final state.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Evaluator, LargestSet};
    ///
    /// assert_eq!(Evaluator::<i64>::finish(&LargestSet, &3), 3);
    /// ```
    fn finish(&self, state: &Self::State) -> Self::Outcome;

    /// Returns the order of the faces. The default is [`Order::Any`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Evaluator, LargestSet, Order};
    ///
    /// assert_eq!(Evaluator::<i64>::order(&LargestSet), Order::Any);
    /// ```
    fn order(&self) -> Order {
        Order::Any
    }

    /// Returns an upper bound on the 64-bit words that a state holds beyond its own size, as a
    /// `Vec` does, if the dice read count at most `dice` times in total: one for each die, or the
    /// absolute value of its multiplicity. They count towards the limit, and a reading of which a
    /// single state exceeds it is refused before any work. The default is 0.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Evaluator, LargestSet, Rolls};
    ///
    /// assert_eq!(Evaluator::<i64>::state_words(&Rolls, 5), 5);
    /// assert_eq!(Evaluator::<i64>::state_words(&LargestSet, 5), 0);
    /// ```
    fn state_words(&self, dice: u64) -> u64 {
        let _ = dice;
        0
    }
}

impl<T: Ord + Clone, W: Weight> Pool<T, W> {
    /// Returns the distribution of a reading.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyStates`] and [`Error::TooLarge`] if the reading takes more than
    /// [`DEFAULT_LIMIT`] words. 32 products count as a word, and so does a call of
    /// [`next`](Evaluator::next), so the limit bounds time as well. Of memory that a state holds
    /// indirectly, such as that of a `Vec`, only what
    /// [`state_words`](Evaluator::state_words) returns is counted.
    ///
    /// # Complexity
    ///
    /// With f faces, S states of the evaluator at a face, and n dice up to the last one that
    /// counts: O(f·S·n²) products of weights for equal dice, and at most O(f·S·n) calls of
    /// [`next`](Evaluator::next). Each further kind of dice in a pool, and each further pool,
    /// multiplies that by the square of its number of dice.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{LargestSet, Pool};
    ///
    /// let cards = Pool::deck((2..=14).map(|rank| (rank, 4)), 5)?;
    /// let law = cards.evaluate(&LargestSet)?;
    /// assert_eq!(law.p(&4).to_string(), "1/4165"); // four of a kind
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate<E: Evaluator<T>>(&self, evaluator: &E) -> Result<Dist<E::Outcome, W>, Error> {
        self.evaluate_within(evaluator, DEFAULT_LIMIT)
    }

    /// Like [`evaluate`](Pool::evaluate), within `limit` 64-bit words.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] before any work, [`Error::TooManyStates`] as soon as the states
    /// found take more.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Error, Evaluator, Pool};
    ///
    /// struct Faces; // all of them: a state for each multiset
    /// impl Evaluator<i64> for Faces {
    ///     type State = Vec<i64>;
    ///     type Outcome = Vec<i64>;
    ///     fn start(&self) -> Vec<i64> {
    ///         Vec::new()
    ///     }
    ///     fn next(&self, seen: &Vec<i64>, face: &i64, counts: &[i64]) -> Vec<i64> {
    ///         seen.iter().copied().chain((0..counts[0]).map(|_| *face)).collect()
    ///     }
    ///     fn finish(&self, seen: &Vec<i64>) -> Vec<i64> {
    ///         seen.clone()
    ///     }
    /// }
    /// let pool = Pool::dice(5, 6)?;
    /// assert_eq!(pool.evaluate_within(&Faces, 100_000)?.len(), 252);
    /// let stopped = Pool::dice(50, 20)?.evaluate_within(&Faces, 100_000);
    /// assert!(matches!(stopped, Err(Error::TooManyStates { limit: 100_000, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate_within<E: Evaluator<T>>(
        &self,
        evaluator: &E,
        limit: u64,
    ) -> Result<Dist<E::Outcome, W>, Error> {
        Pools::new([self]).evaluate_within(evaluator, limit)
    }
}

/// Several pools read by one evaluator, which gets the counts of all of them at each face.
///
/// # Examples
///
/// How many faces do two rolls of three dice have in common?
///
/// ```
/// use oddsmith_dice::{Evaluator, Pool, Pools};
///
/// struct Common;
///
/// impl Evaluator<i64> for Common {
///     type State = i64;
///     type Outcome = i64;
///     fn start(&self) -> i64 {
///         0
///     }
///     fn next(&self, common: &i64, _face: &i64, counts: &[i64]) -> i64 {
///         common + counts[0].min(counts[1])
///     }
///     fn finish(&self, common: &i64) -> i64 {
///         *common
///     }
/// }
/// let (mine, yours) = (Pool::dice(3, 6)?, Pool::dice(3, 6)?);
/// let law = Pools::new([&mine, &yours]).evaluate(&Common)?;
/// assert_eq!(law.total().to_string(), "46656");
/// assert_eq!(law.p(&3).to_string(), "83/3888");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pools<'a, T = i64, W = BigUint> {
    pools: Vec<&'a Pool<T, W>>,
}

impl<'a, T: Ord + Clone, W: Weight> Pools<'a, T, W> {
    /// Creates the list of pools, in the order in which the evaluator gets their counts.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Distinct, Pool, Pools};
    ///
    /// let (red, blue) = (Pool::dice(2, 6)?, Pool::dice(2, 6)?);
    /// let law = Pools::new([&red, &blue]).evaluate(&Distinct)?; // as of 4d6
    /// assert_eq!(law.p(&4).to_string(), "5/18");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(pools: impl Into<Vec<&'a Pool<T, W>>>) -> Self {
        Pools {
            pools: pools.into(),
        }
    }

    /// Returns the distribution of a reading of all pools together, which are independent.
    ///
    /// # Errors
    ///
    /// The same as for [`Pool::evaluate`]; [`Error::MultiplicityOverflow`] if the absolute values
    /// of the multiplicities of all pools add up to more than `i64::MAX`.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{LargestSet, Pool, Pools};
    ///
    /// // A six-sided and an eight-sided die show the same.
    /// let (small, large) = (Pool::dice(1, 6)?, Pool::dice(1, 8)?);
    /// let law = Pools::new([&small, &large]).evaluate(&LargestSet)?;
    /// assert_eq!(law.p(&2).to_string(), "1/8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate<E: Evaluator<T>>(&self, evaluator: &E) -> Result<Dist<E::Outcome, W>, Error> {
        self.evaluate_within(evaluator, DEFAULT_LIMIT)
    }

    /// Like [`evaluate`](Pools::evaluate), within `limit` 64-bit words.
    ///
    /// # Errors
    ///
    /// The same as for [`Pool::evaluate_within`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Distinct, Error, Pool, Pools};
    ///
    /// let pool = Pool::dice(100, 6)?;
    /// let both = Pools::new([&pool, &pool]);
    /// let stopped = both.evaluate_within(&Distinct, 1_000_000);
    /// assert!(matches!(stopped, Err(Error::TooManyStates { faces: 6, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate_within<E: Evaluator<T>>(
        &self,
        evaluator: &E,
        limit: u64,
    ) -> Result<Dist<E::Outcome, W>, Error> {
        engine::evaluate(&self.pools, evaluator, limit, &mut 0)
    }
}
