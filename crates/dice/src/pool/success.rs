//! Counting successes.

use super::sum::narrowed;
use crate::pool::Source;
use crate::{DEFAULT_LIMIT, Dist, Error, Evaluator, Pool, Weight};

/// Counting successes: the value of each kept die is a function of its face, and counts as often as
/// its position does.
///
/// The result is an `i128`, for the reason given at [`SumOfFaces`](crate::SumOfFaces).
/// [`Pool::count`] gives the same distribution in `i64`.
///
/// # Examples
///
/// How many successes, and was there a 1 at all?
///
/// ```
/// use oddsmith_dice::{Both, Pool, Successes};
///
/// let hits = Successes(|&face: &i64| i64::from(face >= 5));
/// let ones = Successes(|&face: &i64| i64::from(face == 1));
/// let law = Pool::dice(2, 6)?.evaluate(&Both(hits, ones))?;
/// assert_eq!(law.p(&(0, 2)).to_string(), "1/36");
/// assert_eq!(law.p(&(1, 0)).to_string(), "1/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Successes<F>(pub F);

impl<T, F: Fn(&T) -> i64> Evaluator<T> for Successes<F> {
    type State = i128;
    type Outcome = i128;

    fn start(&self) -> i128 {
        0
    }

    fn next(&self, sum: &i128, face: &T, counts: &[i64]) -> i128 {
        let worth = i128::from((self.0)(face));
        counts
            .iter()
            .fold(*sum, |sum, &count| sum + i128::from(count) * worth)
    }

    fn finish(&self, sum: &i128) -> i128 {
        *sum
    }
}

impl<T: Ord + Clone, W: Weight> Pool<T, W> {
    /// Returns the distribution of the number of successes, where each kept die counts
    /// `value(face)`, as often as its position counts. Ranges of faces are a `match`: a 10 can
    /// count twice and a 1 subtract.
    ///
    /// `value` must return the same number whenever it is called with the same face.
    ///
    /// # Errors
    ///
    /// [`Error::OutcomeOverflow`] if the value of a roll does not fit into `i64`, and the errors of
    /// [`evaluate`](Pool::evaluate) and [`repeat`](Dist::repeat).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// let hits = Pool::dice(50, 6)?.count(|&face| i64::from(face >= 5))?;
    /// assert_eq!(hits.mean().to_string(), "50/3");
    ///
    /// let storyteller = Pool::dice(8, 10)?.count(|&face| match face {
    ///     10 => 2,
    ///     7..=9 => 1,
    ///     1 => -1,
    ///     _ => 0,
    /// })?;
    /// assert_eq!(storyteller.mean().to_string(), "16/5");
    /// assert_eq!(storyteller.p(&16).to_string(), "1/100000000");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// If all dice are kept, that of [`repeat`](Dist::repeat) for a die with one face for each
    /// value. Otherwise that of [`evaluate`](Pool::evaluate), where the state is the number of
    /// successes so far.
    #[doc(alias = "successes")]
    #[doc(alias = "dice pool")]
    pub fn count(&self, value: impl Fn(&T) -> i64) -> Result<Dist<i64, W>, Error> {
        self.count_within(value, DEFAULT_LIMIT)
    }

    /// Like [`count`](Self::count), within `limit` 64-bit words.
    ///
    /// # Errors
    ///
    /// The same as for [`count`](Self::count).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// let pool = Pool::dice(50, 6)?;
    /// assert!(pool.count_within(|&face| i64::from(face >= 5), 100).is_err());
    /// assert_eq!(pool.count_within(|&face| i64::from(face >= 5), 1_000)?.len(), 51);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn count_within(
        &self,
        value: impl Fn(&T) -> i64,
        limit: u64,
    ) -> Result<Dist<i64, W>, Error> {
        if let Source::Dice(groups) = &self.source
            && self.runs().iter().all(|run| run.multiplicity == 1)
        {
            let dice = groups.iter().map(|group| crate::pool::Group {
                count: group.count,
                die: group.die.map(&value),
            });
            let worth = Pool {
                source: Source::Dice(dice.collect()),
                runs: None,
            };
            return worth.sum_within(limit);
        }
        let law = self.evaluate_within(&Successes(&value), limit)?;
        narrowed(law, || {
            let worths = self.faces().into_iter().map(value);
            Error::OutcomeOverflow {
                operation: "×",
                left: worths.max_by_key(|worth| worth.unsigned_abs()).unwrap_or(0),
                right: self.multiplicity(),
            }
        })
    }

    /// Every face that can be shown, in ascending order.
    pub(crate) fn faces(&self) -> Vec<&T> {
        match &self.source {
            Source::Dice(groups) => {
                let rolled = groups.iter().filter(|group| group.count > 0);
                let mut faces: Vec<&T> = rolled.flat_map(|group| group.die.outcomes()).collect();
                faces.sort();
                faces.dedup();
                faces
            }
            Source::Deck(deck) => deck.cards.iter().map(|(face, _)| face).collect(),
        }
    }

    /// The sum of the absolute values of all multiplicities.
    pub(crate) fn multiplicity(&self) -> i64 {
        let sizes = self.runs().into_iter().map(|run| {
            let dice = i64::try_from(run.dice).unwrap_or(i64::MAX);
            dice.saturating_mul(run.multiplicity.saturating_abs())
        });
        sizes.fold(0, i64::saturating_add)
    }
}
