//! Selection of sorted dice, and how often each counts.

use crate::pool::Run;
use crate::{Error, Pool, Weight};

impl<T: Ord + Clone, W: Weight> Pool<T, W> {
    /// Keeps the `k` highest of the dice kept so far.
    ///
    /// # Errors
    ///
    /// [`Error::TooFewDice`] if there are fewer than `k`.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// let pool = Pool::dice(4, 6)?.highest(3)?;
    /// assert_eq!(pool.size(), 4);
    /// assert!(Pool::dice(4, 6)?.highest(5).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "keep")]
    pub fn highest(self, k: u32) -> Result<Self, Error> {
        self.keep(k, |kept, k| (kept - k, 0))
    }

    /// Keeps the `k` lowest of the dice kept so far.
    ///
    /// # Errors
    ///
    /// [`Error::TooFewDice`] if there are fewer than `k`.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// let pool = Pool::dice(2, 20)?.lowest(1)?; // disadvantage
    /// assert_eq!(pool.size(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lowest(self, k: u32) -> Result<Self, Error> {
        self.keep(k, |kept, k| (0, kept - k))
    }

    /// Drops the `k` highest of the dice kept so far.
    ///
    /// # Errors
    ///
    /// [`Error::TooFewDice`] if there are fewer than `k`.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// let judged = Pool::dice(6, 10)?.drop_highest(1)?.drop_lowest(1)?;
    /// assert_eq!(judged.size(), 6);
    /// assert!(judged.drop_highest(5).is_err()); // four are left
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drop_highest(self, k: u32) -> Result<Self, Error> {
        self.keep(k, |_, k| (0, k))
    }

    /// Drops the `k` lowest of the dice kept so far.
    ///
    /// # Errors
    ///
    /// [`Error::TooFewDice`] if there are fewer than `k`.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// let pool = Pool::dice(4, 6)?.drop_lowest(1)?;
    /// assert_eq!(pool.size(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drop_lowest(self, k: u32) -> Result<Self, Error> {
        self.keep(k, |_, k| (k, 0))
    }

    /// Keeps the `k` middle dice of those kept so far. If the same number cannot be dropped on
    /// either side, one more of the low dice is dropped.
    ///
    /// # Errors
    ///
    /// [`Error::TooFewDice`] if there are fewer than `k`.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// let median = Pool::dice(3, 20)?.middle(1)?;
    /// assert_eq!(median.size(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn middle(self, k: u32) -> Result<Self, Error> {
        self.keep(k, |kept, k| {
            let dropped = kept - k;
            (dropped.div_ceil(2), dropped / 2)
        })
    }

    /// Sets how often each sorted position counts, with one number per die, lowest first: 0 drops
    /// the die, 2 counts it twice, −1 subtracts it. This replaces earlier selections.
    ///
    /// # Errors
    ///
    /// [`Error::WrongPositions`] unless there are as many numbers as dice, and
    /// [`Error::MultiplicityOverflow`] if their absolute values add up to more than `i64::MAX`.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// let spread = Pool::dice(3, 6)?.positions(&[-1, 0, 1])?; // highest − lowest
    /// assert_eq!(spread.size(), 3);
    /// assert!(Pool::dice(3, 6)?.positions(&[1, 1]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn positions(mut self, multiplicities: &[i64]) -> Result<Self, Error> {
        let dice = self.size();
        if multiplicities.len() as u64 != dice {
            return Err(Error::WrongPositions {
                given: multiplicities.len(),
                dice,
            });
        }
        let mut sum = 0_u64;
        for &multiplicity in multiplicities {
            sum = sum.saturating_add(multiplicity.unsigned_abs());
        }
        if sum > i64::MAX as u64 {
            return Err(Error::MultiplicityOverflow);
        }
        let runs = multiplicities.iter().map(|&multiplicity| Run {
            dice: 1,
            multiplicity,
        });
        self.runs = Some(merged(runs));
        Ok(self)
    }

    /// Drops some of the dice kept so far at the lower and at the upper end.
    fn keep(mut self, k: u32, ends: impl Fn(u64, u64) -> (u64, u64)) -> Result<Self, Error> {
        let mut runs = self.runs();
        let counts = |run: &&Run| run.multiplicity != 0;
        let kept: u64 = runs.iter().filter(counts).map(|run| run.dice).sum();
        let asked = u64::from(k);
        if asked > kept {
            return Err(Error::TooFewDice { asked, kept });
        }
        let (low, high) = ends(kept, asked);
        runs = drop_first(runs, low);
        runs.reverse();
        runs = drop_first(runs, high);
        runs.reverse();
        self.runs = Some(merged(runs.into_iter()));
        Ok(self)
    }
}

/// Sets the multiplicity of the first `dice` counting positions to 0.
fn drop_first(runs: Vec<Run>, mut dice: u64) -> Vec<Run> {
    let split = |run: Run| {
        let gone = if run.multiplicity == 0 {
            0
        } else {
            dice.min(run.dice)
        };
        dice -= gone;
        let dropped = Run {
            dice: gone,
            multiplicity: 0,
        };
        let left = Run {
            dice: run.dice - gone,
            ..run
        };
        [dropped, left]
    };
    runs.into_iter().flat_map(split).collect()
}

/// Joins neighbours of the same multiplicity and removes empty runs.
fn merged(runs: impl Iterator<Item = Run>) -> Vec<Run> {
    let mut all: Vec<Run> = Vec::new();
    for run in runs.filter(|run| run.dice > 0) {
        match all.last_mut() {
            Some(last) if last.multiplicity == run.multiplicity => last.dice += run.dice,
            _ => all.push(run),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pool: Result<Pool, Error>, expected: &[(u64, i64)]) {
        let runs: Vec<(u64, i64)> = match pool {
            Ok(pool) => pool
                .runs()
                .iter()
                .map(|run| (run.dice, run.multiplicity))
                .collect(),
            Err(error) => panic!("{error}"),
        };
        assert_eq!(runs, expected);
    }

    #[test]
    fn choices_act_on_what_is_kept() -> Result<(), Error> {
        let pool = Pool::dice(6, 6)?;
        check(Ok(pool.clone()), &[(6, 1)]);
        check(pool.clone().highest(2), &[(4, 0), (2, 1)]);
        check(pool.clone().lowest(0), &[(6, 0)]);
        check(pool.clone().middle(3), &[(2, 0), (3, 1), (1, 0)]);
        let odd = pool.positions(&[2, 0, -1, -1, 0, 1])?;
        check(odd.clone().highest(2), &[(3, 0), (1, -1), (1, 0), (1, 1)]);
        check(
            odd.clone().drop_highest(2),
            &[(1, 2), (1, 0), (1, -1), (3, 0)],
        );
        check(odd.drop_lowest(4), &[(6, 0)]);
        check(
            Pool::dice(u32::MAX, 6)?.highest(1),
            &[(u64::from(u32::MAX) - 1, 0), (1, 1)],
        );
        Ok(())
    }

    #[test]
    fn multiplicities_must_fit() -> Result<(), Error> {
        let pool = Pool::dice(2, 6)?;
        let all = pool.clone().positions(&[i64::MIN, 0]);
        assert!(matches!(all, Err(Error::MultiplicityOverflow)));
        check(pool.positions(&[i64::MAX, 0]), &[(1, i64::MAX), (1, 0)]);
        Ok(())
    }
}
