//! Sets of equal faces.

use crate::{Dist, Error, Evaluator, Pool, Weight};

/// The number of times a face counts in all pools together. The engine refuses pools for which this
/// would overflow. If a reading is called otherwise, the nearest number is used.
pub(crate) fn shown(counts: &[i64]) -> i64 {
    counts
        .iter()
        .fold(0, |sum, &count| sum.saturating_add(count))
}

/// The number of different faces shown.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Distinct, Pool};
///
/// let law = Pool::dice(6, 6)?.evaluate(&Distinct)?;
/// assert_eq!(law.p(&6).to_string(), "5/324");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Distinct;

impl<T> Evaluator<T> for Distinct {
    type State = i64;
    type Outcome = i64;

    fn start(&self) -> i64 {
        0
    }

    fn next(&self, faces: &i64, _: &T, counts: &[i64]) -> i64 {
        faces + i64::from(shown(counts) > 0)
    }

    fn finish(&self, faces: &i64) -> i64 {
        *faces
    }
}

/// The size of the largest set of equal faces, or 0 without dice.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{LargestSet, Pool};
///
/// let law = Pool::dice(10, 10)?.evaluate(&LargestSet)?;
/// assert_eq!(law.p(&1).to_string(), "567/1562500"); // 10! / 10¹⁰
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LargestSet;

impl<T> Evaluator<T> for LargestSet {
    type State = i64;
    type Outcome = i64;

    fn start(&self) -> i64 {
        0
    }

    fn next(&self, largest: &i64, _: &T, counts: &[i64]) -> i64 {
        shown(counts).max(*largest)
    }

    fn finish(&self, largest: &i64) -> i64 {
        *largest
    }
}

/// The number of faces shown by at least this many dice. At least 0 counts every face that exists.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Pool, SetsAtLeast};
///
/// let pairs = Pool::dice(5, 6)?.evaluate(&SetsAtLeast(2))?;
/// assert_eq!(pairs.p(&0).to_string(), "5/54");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetsAtLeast(pub u32);

impl<T> Evaluator<T> for SetsAtLeast {
    type State = i64;
    type Outcome = i64;

    fn start(&self) -> i64 {
        0
    }

    fn next(&self, sets: &i64, _: &T, counts: &[i64]) -> i64 {
        // A subtracted face is not shown: it is on no die, rather than on a negative number of
        // dice.
        sets + i64::from(shown(counts).max(0) >= i64::from(self.0))
    }

    fn finish(&self, sets: &i64) -> i64 {
        *sets
    }
}

/// The sizes of all sets of equal faces, largest first. A face on one die is a set of 1.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{MatchingSets, Pool};
///
/// let law = Pool::dice(5, 6)?.evaluate(&MatchingSets)?;
/// assert_eq!(law.p(&vec![3, 2]).to_string(), "25/648"); // full house
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchingSets;

impl<T> Evaluator<T> for MatchingSets {
    type State = Vec<i64>;
    type Outcome = Vec<i64>;

    fn start(&self) -> Vec<i64> {
        Vec::new()
    }

    fn next(&self, sets: &Vec<i64>, _: &T, counts: &[i64]) -> Vec<i64> {
        let size = shown(counts);
        let mut sets = sets.clone();
        if size > 0 {
            // Sorted, so that the state does not depend on the order in which faces were seen.
            sets.insert(sets.partition_point(|&set| set >= size), size);
        }
        sets
    }

    fn finish(&self, sets: &Vec<i64>) -> Vec<i64> {
        sets.clone()
    }
}

impl<T: Ord + Clone, W: Weight> Pool<T, W> {
    /// Returns the distribution of the number of different faces that the kept dice show:
    /// [`Distinct`].
    ///
    /// A die that counts twice is two dice with the same face. Faces whose count is 0 or less,
    /// because dice are subtracted, are not shown.
    ///
    /// # Errors
    ///
    /// The errors of [`evaluate`](Pool::evaluate).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// let law = Pool::dice(6, 6)?.distinct()?;
    /// assert_eq!(law.p(&6).to_string(), "5/324");
    /// assert_eq!(law.mean().to_string(), "31031/7776"); // 6 (1 − (5/6)⁶)
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn distinct(&self) -> Result<Dist<i64, W>, Error> {
        self.evaluate(&Distinct)
    }

    /// Returns the distribution of the size of the largest set of equal faces: [`LargestSet`]. Five
    /// equal dice are a Yahtzee.
    ///
    /// Multiplicities count as for [`distinct`](Self::distinct).
    ///
    /// # Errors
    ///
    /// The errors of [`evaluate`](Pool::evaluate).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// let law = Pool::dice(5, 6)?.largest_set()?;
    /// assert_eq!(law.p(&5).to_string(), "1/1296");
    /// assert_eq!(law.at_least(&3).to_string(), "23/108");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "yahtzee")]
    #[doc(alias = "of a kind")]
    pub fn largest_set(&self) -> Result<Dist<i64, W>, Error> {
        self.evaluate(&LargestSet)
    }

    /// Returns the distribution of the number of sets of at least `k` equal faces: [`SetsAtLeast`].
    /// `k` = 0 counts every face of any die, shown or not.
    ///
    /// Multiplicities count as for [`distinct`](Self::distinct).
    ///
    /// # Errors
    ///
    /// The errors of [`evaluate`](Pool::evaluate).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// let pairs = Pool::dice(5, 6)?.sets_at_least(2)?;
    /// assert_eq!(pairs.p(&2).to_string(), "175/648"); // two pairs, or a full house
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sets_at_least(&self, k: u32) -> Result<Dist<i64, W>, Error> {
        self.evaluate(&SetsAtLeast(k))
    }

    /// Returns the distribution of the sizes of all sets of equal faces, largest first:
    /// [`MatchingSets`].
    ///
    /// Multiplicities count as for [`distinct`](Self::distinct).
    ///
    /// # Errors
    ///
    /// The errors of [`evaluate`](Pool::evaluate).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// let law = Pool::dice(5, 6)?.matching_sets()?;
    /// assert_eq!(law.len(), 7); // the partitions of five
    /// assert_eq!(law.p(&vec![2, 2, 1]).to_string(), "25/108");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn matching_sets(&self) -> Result<Dist<Vec<i64>, W>, Error> {
        self.evaluate(&MatchingSets)
    }
}
