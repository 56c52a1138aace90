//! Rolls that are summed until the sum reaches a target.

use super::chain::{Chain, Step, law};
use super::mass::in_time;
use super::steps::Steps;
use crate::rounding::Roundings;
use crate::{DEFAULT_LIMIT, Dist, Error, Weight, power};
use num_integer::Integer;
use std::ops::Range;

/// Rolls that are summed until the sum reaches a target.
impl<W: Weight> Dist<i64, W> {
    /// Returns the distribution of the number of rolls until their sum is `target` or more.
    ///
    /// # Errors
    ///
    /// [`Error::FaceTooSmall`] if a face is 0 or less, since the number of rolls then has no
    /// largest value (see [`rolls_to_reach_by`](Self::rolls_to_reach_by)). [`Error::TooLarge`] and
    /// [`Error::TooSlow`], before any work, beyond [`DEFAULT_LIMIT`]: a target of some 3,000 for a
    /// d6.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let rolls = Dist::die(6)?.rolls_to_reach(20)?;
    /// assert_eq!((rolls.min(), rolls.max()), (&4, &20));
    /// assert_eq!(rolls.p(&4).to_string(), "35/648");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(r·t·f) for at most r rolls, t sums below the target and f faces. Twice t weights are
    /// stored.
    pub fn rolls_to_reach(&self, target: i64) -> Result<Self, Error> {
        let mut race = Race::new(self, target, DEFAULT_LIMIT)?;
        let mut pairs = Vec::new();
        // The weight of each face or a larger one, as far as it can matter.
        let mut tails: Vec<W> = Vec::with_capacity(race.faces.len());
        let mut tail = W::nothing();
        for (_, weight) in race.faces.iter().rev() {
            tail.add(weight);
            tails.push(tail.clone());
        }
        tails.reverse();
        for roll in 1..=race.rolls {
            let mut reached = W::nothing();
            for (below, weight) in race.sums.iter().enumerate() {
                let needed = race.target - below as u64;
                let enough = race.faces.partition_point(|face| face.0 < needed);
                if !weight.vanishes() && enough < tails.len() {
                    reached.add(&weight.times(&tails[enough]));
                }
            }
            pairs.push((roll as i64, roll, reached));
            race.roll();
        }
        if race.rolls == 0 {
            pairs.push((0, 0, W::unit()));
        }
        race.law(pairs)
    }

    /// Returns the joint distribution of the number of rolls and of their sum when it first is
    /// `target` or more.
    ///
    /// # Errors
    ///
    /// The same as for [`rolls_to_reach`](Self::rolls_to_reach), and [`Error::OutcomeOverflow`] if
    /// a sum does not fit into `i64`.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let end = Dist::die(6)?.rolls_and_sum_on_reaching(10)?;
    /// assert_eq!(end.p(&(2, 12)).to_string(), "1/36");
    /// assert_eq!(end.map(|end| end.1), Dist::die(6)?.sum_on_reaching(10)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rolls_and_sum_on_reaching(&self, target: i64) -> Result<Dist<(i64, i64), W>, Error> {
        let mut race = Race::new(self, target, DEFAULT_LIMIT)?;
        let ends = race.ends();
        let operation = || format!("the rolls and their sum on reaching {target}");
        let length = count(&ends).saturating_mul(race.rolls.into());
        power::check_size(
            operation,
            length,
            self.total.words(race.rolls),
            DEFAULT_LIMIT,
        )?;
        let mut pairs = Vec::new();
        for roll in 1..=race.rolls {
            for end in ends.iter().cloned().flatten() {
                let mut reached = W::nothing();
                for (face, factor) in race.last_faces(end) {
                    let weight = &race.sums[(end - face) as usize];
                    if !weight.vanishes() {
                        reached.add(&weight.times(factor));
                    }
                }
                if !reached.vanishes() {
                    pairs.push(((roll as i64, race.sum(end)?), roll, reached));
                }
            }
            race.roll();
        }
        if race.rolls == 0 {
            pairs.push(((0, 0), 0, W::unit()));
        }
        race.law(pairs)
    }

    /// Returns the distribution of the sum when it first is `target` or more. The overshoot is this
    /// sum minus the target.
    ///
    /// Faces of 0 only take time, and are ignored.
    ///
    /// # Errors
    ///
    /// [`Error::FaceTooSmall`] if a face is negative, since the sums then have no lower end; use a
    /// [`Chain`] that stops at a lower end of your own. [`Error::NeverStops`] if all faces are 0
    /// and the target is not. [`Error::OutcomeOverflow`] if a sum does not fit into `i64`,
    /// [`Error::TooLarge`] and [`Error::TooSlow`] beyond [`DEFAULT_LIMIT`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let sum = Dist::die(6)?.sum_on_reaching(20)?;
    /// assert_eq!(sum.support(), [20, 21, 22, 23, 24, 25]);
    /// assert!(sum.p(&20) > sum.p(&21));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(t·f) products for t sums below the target and f faces, by the renewal equation. An exact
    /// weight far from the start is as long as a path to it.
    pub fn sum_on_reaching(&self, target: i64) -> Result<Self, Error> {
        if target <= 0 {
            return Ok(Dist::point(0));
        }
        let least = *self.min();
        if least < 0 {
            return Err(Error::FaceTooSmall {
                operation: "the distribution of the sum on reaching a target",
                least: 0,
                face: least,
            });
        }
        let never = |_| Error::NeverStops {
            state: "0".to_owned(),
        };
        let moving = self.given(|&face| face > 0).map_err(never)?;
        let race = Race::new(&moving, target, u64::MAX)?;
        let ends = race.ends();
        let length = count(&ends).saturating_add(race.target.into());
        let operation = || format!("the sum of rolls on reaching {target}");
        power::check_size(operation, length, 0, DEFAULT_LIMIT)?;
        let mut ledger = W::ledger(DEFAULT_LIMIT);
        // The race has scaled the faces to its own total, which in floats is one instead of that of
        // the law. The roundings of this scaling are counted with those of the faces.
        let counted = race.face_roundings;
        // For each sum, the probability that the rolls ever reach it exactly, over the total.
        let mut visits: Vec<Option<W::Mass>> = vec![None; race.target as usize];
        visits[0] = Some(W::share(&mut ledger, &W::whole(), &race.total, 0));
        let arriving = |ledger: &mut W::Ledger, visits: &[Option<W::Mass>], sum: u64| {
            let terms: Vec<_> = race
                .last_faces(sum)
                .iter()
                .filter_map(|(face, weight)| {
                    let origin = visits.get((sum - face) as usize)?.as_ref()?;
                    Some((origin, weight, counted))
                })
                .collect();
            if terms.is_empty() {
                return Ok(None);
            }
            W::inflow(ledger, &terms).map(Some)
        };
        for sum in 1..race.target {
            if let Some(visit) = arriving(&mut ledger, &visits, sum)? {
                let share = W::share(&mut ledger, &visit, &race.total, 0);
                visits[sum as usize] = Some(share);
            }
        }
        let mut stopped = Vec::new();
        for end in ends.into_iter().flatten() {
            if let Some(reached) = arriving(&mut ledger, &visits, end)? {
                stopped.push((race.sum(end)?, reached));
            }
        }
        law(&mut ledger, stopped)
    }

    /// Returns the mean number of rolls until their sum is `target` or more, by Wald's identity:
    /// the mean of the final sum divided by the mean roll.
    ///
    /// In floats, the relative error is at most the sum of those of the two distributions and a few
    /// units in the last place.
    ///
    /// # Errors
    ///
    /// The same as for [`sum_on_reaching`](Self::sum_on_reaching).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let die = Dist::die(6)?;
    /// assert_eq!(die.expected_rolls_to_reach(3)?.to_string(), "49/36");
    /// assert_eq!(die.expected_rolls_to_reach(20)?, die.rolls_to_reach(20)?.mean());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn expected_rolls_to_reach(&self, target: i64) -> Result<W::Ratio, Error> {
        let sum = self.sum_on_reaching(target)?;
        if target <= 0 {
            return Ok(sum.mean());
        }
        // The mean is positive, or the sum would never have reached its target.
        Ok(sum.mean() / self.mean())
    }

    /// Returns the distribution of the number of rolls until their sum is `target` or more,
    /// followed for `horizon` rolls. Faces may have any sign; the number may then have no largest
    /// value.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyChainStates`] for more than a million pairs of a number of rolls and a
    /// sum, [`Error::TooLarge`] and [`Error::TooSlow`] beyond [`DEFAULT_LIMIT`],
    /// [`Error::OutcomeOverflow`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Dist, Steps};
    ///
    /// // Fudge dice until a sum of 1.
    /// let rolls = Dist::uniform([-1, 0, 1])?.rolls_to_reach_by(1, 3)?;
    /// assert_eq!(rolls.p(&Steps::Exactly(2)).to_string(), "1/9");
    /// assert_eq!(rolls.p(&Steps::MoreThan(3)).to_string(), "13/27");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rolls_to_reach_by(&self, target: i64, horizon: u64) -> Result<Dist<Steps, W>, Error> {
        let chain = Chain::explore((0u64, 0i64), |&(rolls, sum)| {
            if sum >= target {
                return Ok(Step::Stop(Steps::Exactly(rolls)));
            }
            if rolls == horizon {
                return Ok(Step::Stop(Steps::MoreThan(horizon)));
            }
            Ok(Step::Go(self.shift(sum)?.map(|&sum| (rolls + 1, sum))))
        })?;
        chain.outcome()
    }
}

fn count(ranges: &[Range<u64>]) -> u128 {
    let lengths = ranges.iter().map(|range| range.end - range.start);
    lengths.map(u128::from).sum()
}

/// The sums below the target, roll by roll, in units of the greatest common divisor of all faces.
struct Race<W> {
    /// Ascending.
    faces: Vec<(u64, W)>,
    total: W,
    target: u64,
    unit: u64,
    /// The number of rolls after which the target is certainly reached.
    rolls: u64,
    /// The weight of each sum below the target.
    sums: Vec<W>,
    /// The roundings in each face, and then in each sum.
    face_roundings: u64,
    roundings: u64,
}

impl<W: Weight> Race<W> {
    fn new(law: &Dist<i64, W>, target: i64, limit: u64) -> Result<Self, Error> {
        let least = *law.min();
        // A target of 0 is reached by the empty sum, whatever the faces are.
        let goal = u64::try_from(target).unwrap_or(0);
        if least < 1 && goal > 0 {
            return Err(Error::FaceTooSmall {
                operation: "the distribution of the number of rolls to reach a target",
                least: 1,
                face: least,
            });
        }
        let unit = law
            .outcomes()
            .fold(0, |unit: u64, face| unit.gcd(&face.unsigned_abs()))
            .max(1);
        let target = goal.div_ceil(unit);
        let rolls = target.div_ceil((least.unsigned_abs() / unit).max(1));
        if limit < u64::MAX {
            let operation = || format!("rolling until a sum of {goal}");
            let words = law.total.words(rolls);
            // The sums before and after a roll, and a weight and a power for each roll.
            let length = 2 * (u128::from(target) + u128::from(rolls));
            power::check_size(operation, length, words, limit)?;
            let operations = u128::from(target)
                .saturating_mul(rolls.into())
                .saturating_mul(law.len() as u128)
                .saturating_mul(words.saturating_add(1));
            in_time(operation, operations, limit)?;
        }
        let (total, factors) = W::harmonise(&[&law.total]);
        let scale = |weight: &W| match factors.first() {
            Some(factor) => weight.times(factor),
            None => weight.clone(),
        };
        let faces = law.iter();
        let faces = faces.map(|(face, weight)| (face.unsigned_abs() / unit, scale(weight)));
        let mut sums = Vec::new();
        if limit < u64::MAX && target > 0 {
            // It fits the address space, since it fits the limit.
            sums = vec![W::nothing(); target as usize];
            sums[0] = W::unit();
        }
        let counted = law.roundings;
        Ok(Race {
            faces: faces.collect(),
            total,
            target,
            unit,
            rolls,
            sums,
            face_roundings: counted
                .weights
                .saturating_add(counted.total)
                .saturating_add(2),
            roundings: 0,
        })
    }

    /// Adds one more roll to each sum below the target.
    fn roll(&mut self) {
        let mut next = vec![W::nothing(); self.sums.len()];
        for (below, weight) in self.sums.iter().enumerate() {
            if weight.vanishes() {
                continue;
            }
            for (face, factor) in &self.faces {
                let sum = usize::try_from(below as u64 + face).ok();
                let Some(sum) = sum.and_then(|sum| next.get_mut(sum)) else {
                    break;
                };
                sum.add(&weight.times(factor));
            }
        }
        self.sums = next;
        let terms = self.faces.len() as u64;
        let more = self.face_roundings.saturating_add(terms);
        self.roundings = self.roundings.saturating_add(more);
    }

    /// The possible final sums in ascending order, from each sum below the target by each face. All
    /// are at most 2⁶³, since the target fits.
    fn ends(&self) -> Vec<Range<u64>> {
        let mut ends: Vec<Range<u64>> = Vec::new();
        if self.target == 0 {
            return ends;
        }
        for (face, _) in &self.faces {
            let range = self.target.max(*face)..face + self.target;
            match ends.last_mut() {
                Some(last) if range.start <= last.end => last.end = range.end,
                _ => ends.push(range),
            }
        }
        ends
    }

    /// The faces by which a final sum can be reached from a sum below the target.
    fn last_faces(&self, sum: u64) -> &[(u64, W)] {
        let least = (sum + 1).saturating_sub(self.target);
        let low = self.faces.partition_point(|face| face.0 < least);
        let high = self.faces.partition_point(|face| face.0 <= sum);
        &self.faces[low..high]
    }

    /// A final sum as an outcome.
    fn sum(&self, end: u64) -> Result<i64, Error> {
        let overflow = || {
            let last = self.last_faces(end).first().map_or(0, |face| face.0);
            let [left, right] = [end - last, last].map(|part| (part * self.unit) as i64);
            Error::OutcomeOverflow {
                operation: "+",
                left,
                right,
            }
        };
        let sum = end.checked_mul(self.unit).map(i64::try_from);
        sum.and_then(Result::ok).ok_or_else(overflow)
    }

    /// The distribution of outcomes, given the roll on which each happens.
    fn law<T: Ord>(&self, pairs: Vec<(T, u64, W)>) -> Result<Dist<T, W>, Error> {
        let mut powers = vec![W::unit()];
        for roll in 0..self.rolls as usize {
            powers.push(powers[roll].times(&self.total));
        }
        let raise = |(outcome, roll, weight): (T, u64, W)| {
            (outcome, weight.times(&powers[(self.rolls - roll) as usize]))
        };
        let last = self.face_roundings.saturating_add(self.faces.len() as u64);
        let roundings = Roundings {
            weights: self
                .roundings
                .saturating_add(last)
                .saturating_add(self.target)
                .saturating_add(2),
            total: 0,
        };
        let total = powers[self.rolls as usize].clone();
        Dist::gather(pairs.into_iter().map(raise).collect(), total, roundings)
    }
}
