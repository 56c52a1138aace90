//! Readings of the sorted dice themselves.

use super::sets::shown;
use crate::pool::Run;
use crate::power::{check_size, multisets};
use crate::{DEFAULT_LIMIT, Dist, Error, Evaluator, Order, Pool, Weight};
use std::hash::Hash;

/// The kept dice themselves, lowest first, each as often as its position counts.
///
/// Every different roll is a state, so this is suitable for few dice only.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Pool, Rolls};
///
/// let law = Pool::dice(3, 6)?.evaluate(&Rolls)?;
/// assert_eq!(law.p(&vec![1, 2, 3]).to_string(), "1/36");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rolls;

impl<T: Ord + Clone + Hash> Evaluator<T> for Rolls {
    type State = Vec<T>;
    type Outcome = Vec<T>;

    fn start(&self) -> Vec<T> {
        Vec::new()
    }

    fn next(&self, dice: &Vec<T>, face: &T, counts: &[i64]) -> Vec<T> {
        let count = usize::try_from(shown(counts)).unwrap_or(0);
        let mut dice = dice.clone();
        dice.extend(std::iter::repeat_n(face, count).cloned());
        dice
    }

    fn finish(&self, dice: &Vec<T>) -> Vec<T> {
        dice.clone()
    }

    fn order(&self) -> Order {
        Order::Ascending
    }

    fn state_words(&self, dice: u64) -> u64 {
        dice.saturating_mul(size_of::<T>().div_ceil(8) as u64)
    }
}

/// The highest and the lowest face of the kept dice, in this order, or `None` without dice.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{HighestAndLowest, Pool};
///
/// let law = Pool::dice(4, 6)?.evaluate(&HighestAndLowest)?;
/// assert_eq!(law.p(&Some((6, 1))).to_string(), "151/648");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HighestAndLowest;

impl<T: Ord + Clone + Hash> Evaluator<T> for HighestAndLowest {
    type State = Option<(T, T)>;
    type Outcome = Option<(T, T)>;

    fn start(&self) -> Self::State {
        None
    }

    fn next(&self, ends: &Self::State, face: &T, counts: &[i64]) -> Self::State {
        if shown(counts) <= 0 {
            return ends.clone();
        }
        let (high, low) = ends.clone().unwrap_or((face.clone(), face.clone()));
        Some((high.max(face.clone()), low.min(face.clone())))
    }

    fn finish(&self, ends: &Self::State) -> Self::Outcome {
        ends.clone()
    }
}

/// The face of the only die that counts.
struct OnlyFace;

impl<T: Ord + Clone + Hash> Evaluator<T> for OnlyFace {
    type State = Option<T>;
    type Outcome = Option<T>;

    fn start(&self) -> Option<T> {
        None
    }

    fn next(&self, only: &Option<T>, face: &T, counts: &[i64]) -> Option<T> {
        match only {
            None if shown(counts) > 0 => Some(face.clone()),
            only => only.clone(),
        }
    }

    fn finish(&self, only: &Option<T>) -> Option<T> {
        only.clone()
    }
}

impl<T: Ord + Clone + Hash, W: Weight> Pool<T, W> {
    /// Returns the distribution of the kept dice themselves, lowest first: [`Rolls`]. A die is
    /// listed as often as its position counts. Faces with a count of 0 or less are not listed.
    ///
    /// # Errors
    ///
    /// The errors of [`evaluate`](Pool::evaluate). Each different roll is a state.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// let law = Pool::dice(4, 6)?.highest(3)?.rolls()?;
    /// assert_eq!(law.len(), 56);
    /// assert_eq!(law.p(&vec![6, 6, 6]).to_string(), "7/432");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// C(f + k − 1, k) states for k kept dice of f faces.
    pub fn rolls(&self) -> Result<Dist<Vec<T>, W>, Error> {
        // States contain dice, whose memory the engine does not count.
        let dice = u128::from(self.multiplicity().unsigned_abs());
        let operation = || format!("listing the rolls of {} dice", self.size());
        check_size(operation, self.sorted_rolls(), dice, DEFAULT_LIMIT)?;
        self.evaluate(&Rolls)
    }

    /// An upper bound on the number of sorted rolls of the dice that count.
    pub(crate) fn sorted_rolls(&self) -> u128 {
        let counting = self.runs().into_iter().filter(|run| run.multiplicity != 0);
        let dice: u64 = counting.map(|run| run.dice).sum();
        u32::try_from(dice).map_or(u128::MAX, |dice| multisets(self.faces().len().max(1), dice))
    }

    /// Returns the distribution of an order statistic: the face of the kept die at a sorted
    /// position, counted from 0 for the lowest. Each kept die is one position, whatever its
    /// multiplicity.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchPosition`] if too few dice are kept, and the errors of
    /// [`evaluate`](Pool::evaluate).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// let dice = Pool::dice(3, 6)?;
    /// assert_eq!(dice.at(0)?.p(&1).to_string(), "91/216");
    /// assert_eq!(dice.at(1)?.mean().to_string(), "7/2");
    /// assert_eq!(dice.at(2)?.p(&6).to_string(), "91/216");
    /// assert!(dice.at(3).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "order statistic")]
    pub fn at(&self, position: u32) -> Result<Dist<T, W>, Error> {
        let runs = self.runs();
        let mut left = u64::from(position);
        let mut before = 0;
        for run in &runs {
            if run.multiplicity != 0 {
                if left < run.dice {
                    return self.only(before + left);
                }
                left -= run.dice;
            }
            before += run.dice;
        }
        let counting = runs.iter().filter(|run| run.multiplicity != 0);
        Err(Error::NoSuchPosition {
            position,
            kept: counting.map(|run| run.dice).sum(),
        })
    }

    /// The face at a position among all dice, kept or not.
    fn only(&self, position: u64) -> Result<Dist<T, W>, Error> {
        let run = |dice, multiplicity| Run { dice, multiplicity };
        let above = self.size() - position - 1;
        let runs = [run(position, 0), run(1, 1), run(above, 0)];
        let pool = Pool {
            source: self.source.clone(),
            runs: Some(runs.into_iter().filter(|run| run.dice > 0).collect()),
        };
        present(pool.evaluate(&OnlyFace)?)
    }

    /// Returns the distribution of the highest and the lowest face of the kept dice, in this order,
    /// as a pair: [`HighestAndLowest`].
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchPosition`] if no die is kept, the errors of [`evaluate`](Pool::evaluate), and
    /// [`Error::EmptySupport`] if subtracted dice can leave a roll without any face.
    /// [`HighestAndLowest`] can read such pools.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// let law = Pool::dice(4, 6)?.highest_and_lowest()?;
    /// assert_eq!(law.p(&(6, 1)).to_string(), "151/648");
    /// let spread = law.map(|(high, low)| high - low);
    /// assert_eq!(spread.p(&0).to_string(), "1/216");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// If all dice are kept, O(log n) products of growing length for each pair of faces and each
    /// kind of dice. Otherwise that of [`evaluate`](Pool::evaluate), where every pair of faces is a
    /// state.
    pub fn highest_and_lowest(&self) -> Result<Dist<(T, T), W>, Error> {
        if self
            .runs()
            .iter()
            .all(|run| run.dice == 0 || run.multiplicity == 0)
        {
            return Err(Error::NoSuchPosition {
                position: 0,
                kept: 0,
            });
        }
        match self.all_counting() {
            Some(groups) => self.ends(groups),
            None => present(self.evaluate(&HighestAndLowest)?),
        }
    }
}

/// The distribution of values that are always present.
fn present<T: Ord, W: Weight>(law: Dist<Option<T>, W>) -> Result<Dist<T, W>, Error> {
    let outcomes: Option<Vec<T>> = law.outcomes.into_iter().collect();
    Ok(Dist {
        outcomes: outcomes.ok_or(Error::EmptySupport)?,
        weights: law.weights,
        total: law.total,
        roundings: law.roundings,
    })
}
