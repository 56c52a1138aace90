//! Rerolling of whole pools and of single dice, and dice that add dice.

use crate::pool::{Group, Run, Source, engine};
use crate::power::check_size;
use crate::rounding::Roundings;
use crate::{Both, DEFAULT_LIMIT, Dist, Error, Evaluator, Order, Pool, Weight};
use std::hash::Hash;

impl<T: Ord + Clone + Hash, W: Weight> Pool<T, W> {
    /// Returns the distribution of a reading of the kept dice where the whole pool is rolled again
    /// while `event` holds, at most `times` times. The last roll counts, whatever it is.
    ///
    /// # Errors
    ///
    /// The errors of [`evaluate`](Pool::evaluate); [`Error::TooLarge`] if the weights of `times` +
    /// 1 rolls would need more than [`DEFAULT_LIMIT`] words.
    ///
    /// # Examples
    ///
    /// Two dice, rolled again once if they are alike:
    ///
    /// ```
    /// use oddsmith_dice::{LargestSet, Evaluator, Pool, SumOfFaces};
    ///
    /// struct Pair;
    /// impl Evaluator<i64> for Pair {
    ///     type State = bool;
    ///     type Outcome = bool;
    ///     fn start(&self) -> bool {
    ///         false
    ///     }
    ///     fn next(&self, pair: &bool, _face: &i64, counts: &[i64]) -> bool {
    ///         *pair || counts[0] > 1
    ///     }
    ///     fn finish(&self, pair: &bool) -> bool {
    ///         *pair
    ///     }
    /// }
    /// let dice = Pool::dice(2, 6)?;
    /// let sum = dice.reroll_all(1, &Pair, &SumOfFaces)?;
    /// assert_eq!(sum.p(&2).to_string(), "1/216");
    /// assert_eq!(sum.p(&7).to_string(), "7/36");
    /// assert_eq!(dice.reroll_all(2, &Pair, &LargestSet)?.p(&2).to_string(), "1/216");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// One pass of the engine with both readings, followed by O(log times) products of weights.
    #[doc(alias = "mulligan")]
    pub fn reroll_all<V, R>(
        &self,
        times: u32,
        event: &V,
        reading: &R,
    ) -> Result<Dist<R::Outcome, W>, Error>
    where
        V: Evaluator<T, Outcome = bool>,
        R: Evaluator<T>,
    {
        self.reroll_all_within(times, event, reading, DEFAULT_LIMIT)
    }

    /// Like [`reroll_all`](Pool::reroll_all), within `limit` 64-bit words.
    ///
    /// # Errors
    ///
    /// The same as for [`reroll_all`](Pool::reroll_all).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Pool, Straight, SumOfFaces};
    ///
    /// let dice = Pool::dice(3, 6)?;
    /// assert!(dice.reroll_all_within(9, &Straight(2), &SumOfFaces, 200).is_err());
    /// let sum = dice.reroll_all_within(9, &Straight(2), &SumOfFaces, 2_000)?;
    /// assert_eq!(sum.len(), 16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reroll_all_within<V, R>(
        &self,
        times: u32,
        event: &V,
        reading: &R,
        limit: u64,
    ) -> Result<Dist<R::Outcome, W>, Error>
    where
        V: Evaluator<T, Outcome = bool>,
        R: Evaluator<T>,
    {
        let joint = self.evaluate_within(&Both(Seen(event), Seen(reading)), limit)?;
        let operation = || format!("rerolling a pool up to {times} times");
        let rolls = u64::from(times) + 1;
        check_size(
            operation,
            joint.len() as u128,
            joint.total.words(rolls),
            limit,
        )?;
        // Of the T ways of a roll, B are bad. A good roll counts after i < times + 1 bad ones, with
        // T^(times − i) ways for the rolls not needed, and a bad one counts after `times` bad ones:
        // good · Σ Bⁱ T^(times − i) + bad · B^times over T^(times + 1).
        let mut bad = W::nothing();
        for ((is_bad, _), weight) in &joint {
            if *is_bad {
                bad.add(weight);
            }
        }
        let (bad_power, total_power, series) = series(&bad, &joint.total, times);
        let mut good_rolls = series.times(&joint.total);
        good_rolls.add(&bad_power);
        let pairs = joint.iter().map(|((is_bad, outcome), weight)| {
            let rolls = if *is_bad { &bad_power } else { &good_rolls };
            (outcome.clone(), weight.times(rolls))
        });
        let pairs = pairs.collect();
        // B is a sum of at most as many weights as there are outcomes. Each roll adds one factor B
        // or T, a product, and an addition in the series.
        let factor = joint
            .roundings
            .weights
            .max(joint.roundings.total)
            .saturating_add(joint.len() as u64);
        let roundings = Roundings {
            weights: factor
                .saturating_add(3)
                .saturating_mul(rolls.saturating_add(1)),
            total: factor.saturating_add(1).saturating_mul(rolls),
        };
        Dist::gather(pairs, total_power.times(&joint.total), roundings)
    }

    /// Returns the distribution of a reading of the kept dice where the whole pool is rolled again
    /// until `event` does not hold, that is, the conditional distribution given that it does not.
    ///
    /// # Errors
    ///
    /// [`Error::ImpossibleCondition`] if `event` always holds, and the errors of
    /// [`evaluate`](Pool::evaluate).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Pool, Straight, SumOfFaces};
    ///
    /// let dice = Pool::dice(2, 6)?;
    /// let sum = dice.reroll_all_forever(&Straight(2), &SumOfFaces)?; // no two in sequence
    /// assert_eq!(sum.p(&2).to_string(), "1/26");
    /// assert_eq!(sum.p(&3).to_string(), "0");
    /// assert!(dice.reroll_all_forever(&Straight(0), &SumOfFaces).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reroll_all_forever<V, R>(
        &self,
        event: &V,
        reading: &R,
    ) -> Result<Dist<R::Outcome, W>, Error>
    where
        V: Evaluator<T, Outcome = bool>,
        R: Evaluator<T>,
    {
        self.reroll_all_forever_within(event, reading, DEFAULT_LIMIT)
    }

    /// Like [`reroll_all_forever`](Pool::reroll_all_forever), within `limit` 64-bit words.
    ///
    /// # Errors
    ///
    /// The same as for [`reroll_all_forever`](Pool::reroll_all_forever).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Pool, Straight, SumOfFaces};
    ///
    /// let dice = Pool::dice(2, 6)?;
    /// assert!(dice.reroll_all_forever_within(&Straight(2), &SumOfFaces, 20).is_err());
    /// let sum = dice.reroll_all_forever_within(&Straight(2), &SumOfFaces, 1_000)?;
    /// assert_eq!(sum.p(&2).to_string(), "1/26");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reroll_all_forever_within<V, R>(
        &self,
        event: &V,
        reading: &R,
        limit: u64,
    ) -> Result<Dist<R::Outcome, W>, Error>
    where
        V: Evaluator<T, Outcome = bool>,
        R: Evaluator<T>,
    {
        let joint = self.evaluate_within(&Both(Seen(event), Seen(reading)), limit)?;
        let good = joint.given(|(is_bad, _)| !is_bad)?;
        Ok(good.map(|(_, outcome)| outcome.clone()))
    }

    /// Returns the distribution of a reading of the kept dice where, after the roll, up to `k` of
    /// the dice that show a bad face are rolled again once: the lowest ones if there are more.
    /// Positions are chosen after that.
    ///
    /// If `k` is at least the number of dice, this is a pool of dice that are each rolled again
    /// once, [`Dist::reroll`].
    ///
    /// # Errors
    ///
    /// [`Error::UnlikeDice`] unless all dice have the same distribution, and the errors of
    /// [`evaluate`](Pool::evaluate).
    ///
    /// # Examples
    ///
    /// Three dice, of which one below 3 may be rolled again:
    ///
    /// ```
    /// use oddsmith_dice::{Pool, SumOfFaces};
    ///
    /// let pool = Pool::dice(3, 6)?;
    /// let sum = pool.reroll_lowest(1, |&face| face < 3, &SumOfFaces)?.narrow()?;
    /// assert_eq!(sum.mean().to_string(), "2587/216"); // 11.98, from 10.5
    /// assert_eq!(sum.p(&18).to_string(), "1/108");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// For each number of bad dice, one pass of the engine over up to three pools. The limit bounds
    /// the work of all passes together.
    pub fn reroll_lowest<R: Evaluator<T>>(
        &self,
        k: u32,
        bad: impl FnMut(&T) -> bool,
        reading: &R,
    ) -> Result<Dist<R::Outcome, W>, Error> {
        self.reroll_lowest_within(k, bad, reading, DEFAULT_LIMIT)
    }

    /// Like [`reroll_lowest`](Pool::reroll_lowest), within `limit` 64-bit words.
    ///
    /// # Errors
    ///
    /// The same as for [`reroll_lowest`](Pool::reroll_lowest).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Pool, SumOfFaces};
    ///
    /// let pool = Pool::dice(3, 6)?;
    /// assert!(pool.reroll_lowest_within(1, |&face| face < 3, &SumOfFaces, 20).is_err());
    /// let sum = pool.reroll_lowest_within(1, |&face| face < 3, &SumOfFaces, 2_000)?.narrow()?;
    /// assert_eq!(sum.mean().to_string(), "2587/216");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reroll_lowest_within<R: Evaluator<T>>(
        &self,
        k: u32,
        mut bad: impl FnMut(&T) -> bool,
        reading: &R,
        limit: u64,
    ) -> Result<Dist<R::Outcome, W>, Error> {
        let operation = "rerolling the lowest dice of a pool";
        let Source::Dice(groups) = &self.source else {
            return Err(Error::UnlikeDice { operation });
        };
        let rolled: Vec<&Group<T, W>> = groups.iter().filter(|group| group.count > 0).collect();
        let (die, count) = match rolled.as_slice() {
            [] => return self.evaluate_within(reading, limit),
            [group] => match u32::try_from(group.count) {
                Ok(count) => (&group.die, count),
                Err(_) => return Err(too_many(group.count, limit)),
            },
            _ => return Err(Error::UnlikeDice { operation }),
        };
        let is_bad = die.map(&mut bad);
        let bad_dice = is_bad.map(|&is_bad| i64::from(is_bad));
        let bad_dice = bad_dice.repeat_within(count, limit)?;
        let placed = Placed {
            runs: self.runs(),
            reading,
        };
        let mut products = 0;
        let given = |&dice: &i64| {
            // Given their number, the bad dice, the good dice and the dice rolled again are
            // independent.
            let dice = dice as u32;
            let again = dice.min(k);
            let mut pools = vec![Pool::of(again, die)];
            if dice > 0 {
                let left = Pool::of(dice, &die.given(&mut bad)?);
                pools.push(left.highest(dice - again)?);
            }
            if dice < count {
                pools.push(Pool::of(count - dice, &die.given(|face| !bad(face))?));
            }
            let pools: Vec<&Pool<T, W>> = pools.iter().collect();
            engine::evaluate(&pools, &placed, limit, &mut products)
        };
        bad_dice.and_then_within(given, limit.max(DEFAULT_LIMIT))
    }

    /// Returns the distribution of a reading of a pool in which every die that shows an exploding
    /// face adds a die to the pool. The new die is rolled, may explode in turn, and is one more die
    /// to keep or to drop. Each die of the pool is followed by at most `depth` added ones.
    ///
    /// `reading` is called once for each pool that can occur. The pool is described by its dice,
    /// given what they show: exploding ones, others, and those added last, about which nothing is
    /// known. Positions are chosen in `reading`, since the number of dice is only known there.
    /// Earlier selections have no effect.
    ///
    /// This differs from [`explode`](Dist::explode), where an exploding die stays one die with a
    /// larger face, and from [`sum_with`](Pool::sum_with).
    ///
    /// # Errors
    ///
    /// [`Error::UnlikeDice`] for a deck, [`Error::TooLarge`] for more than [`DEFAULT_LIMIT`] words
    /// of pools, and the first error of `reading`.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// // Two dice, a 6 adds one more die, the two highest are kept.
    /// let dice = Pool::dice(2, 6)?;
    /// let sum = dice.explode_into_pool(1, |&face| face == 6, |pool| pool.highest(2)?.sum())?;
    /// assert_eq!(sum.p(&12).to_string(), "2/27");
    /// assert_eq!(sum.mean().to_string(), "791/108"); // 7.32
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// For n dice with the same distribution, O(n²·depth) pools, plus the reading of each.
    pub fn explode_into_pool<U: Ord>(
        &self,
        depth: u32,
        explodes: impl FnMut(&T) -> bool,
        reading: impl FnMut(Pool<T, W>) -> Result<Dist<U, W>, Error>,
    ) -> Result<Dist<U, W>, Error> {
        self.explode_into_pool_within(depth, explodes, reading, DEFAULT_LIMIT)
    }

    /// Like [`explode_into_pool`](Pool::explode_into_pool), with at most `limit` 64-bit words of
    /// pools, for all distributions together. The size of what `reading` computes is not included.
    ///
    /// # Errors
    ///
    /// The same as for [`explode_into_pool`](Pool::explode_into_pool).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// let dice = Pool::dice(2, 6)?;
    /// let highest = |pool: Pool| pool.highest(2)?.sum();
    /// assert!(dice.explode_into_pool_within(1, |&face| face == 6, highest, 20).is_err());
    /// let sum = dice.explode_into_pool_within(1, |&face| face == 6, highest, 1_000)?;
    /// assert_eq!(sum.mean().to_string(), "791/108");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explode_into_pool_within<U: Ord>(
        &self,
        depth: u32,
        mut explodes: impl FnMut(&T) -> bool,
        mut reading: impl FnMut(Pool<T, W>) -> Result<Dist<U, W>, Error>,
        limit: u64,
    ) -> Result<Dist<U, W>, Error> {
        let Source::Dice(groups) = &self.source else {
            return Err(Error::UnlikeDice {
                operation: "adding a die for each die that explodes",
            });
        };
        // The chains of the dice of each law: how many dice exploded, and how many chains were cut
        // off.
        let mut chains: Dist<Vec<(u32, u32)>, W> = Dist::point(Vec::new());
        let mut parts = Vec::new();
        for group in groups.iter().filter(|group| group.count > 0) {
            let count = u32::try_from(group.count).map_err(|_| too_many(group.count, limit))?;
            let most = u128::from(count).saturating_mul(depth.into());
            let pools = most.saturating_mul(u128::from(count) + 1);
            let operation = || format!("the pools of {count} dice exploding {depth} deep");
            let weight = group.die.total.words(u64::from(depth) + 1);
            check_size(operation, pools, weight.saturating_mul(count.into()), limit)?;
            // It fits, being less than the largest possible limit.
            let exploding = group.die.map(&mut explodes);
            // Both numbers are encoded in one, so that chains are added as sums of dice.
            let place = most as i64 + 1;
            let law = chain(&exploding, depth, place, limit)?.repeat_within(count, limit)?;
            let law = law.map(|&sum| ((sum % place) as u32, (sum / place) as u32));
            let joint = chains.joint_within(&law, limit)?;
            chains = joint.map(|(before, law)| {
                let mut chains = before.clone();
                chains.push(*law);
                chains
            });
            parts.push((count, &group.die));
        }
        let given = |chains: &Vec<(u32, u32)>| {
            let mut pool = Pool {
                source: Source::Dice(Vec::new()),
                runs: None,
            };
            for (&(exploded, cut), &(count, die)) in chains.iter().zip(&parts) {
                if exploded > 0 {
                    pool = pool.with(exploded, &die.given(&mut explodes)?)?;
                }
                if cut > 0 {
                    pool = pool.with(cut, die)?;
                }
                if cut < count {
                    pool = pool.with(count - cut, &die.given(|face| !explodes(face))?)?;
                }
            }
            reading(pool)
        };
        chains.and_then_within(given, limit.max(DEFAULT_LIMIT))
    }
}

/// The chain of one die: the number of exploding dice, plus `place` if the last die was added at
/// full depth and is therefore not examined.
fn chain<W: Weight>(
    exploding: &Dist<bool, W>,
    depth: u32,
    place: i64,
    limit: u64,
) -> Result<Dist<i64, W>, Error> {
    // Of `depth` dice that are examined, the last one does not add another.
    let Some(more) = depth.checked_sub(1) else {
        return Ok(Dist::point(place));
    };
    let counted = exploding.map(|&explodes| i64::from(explodes));
    let law = counted.explode_within(more, |&one| one == 1, limit.max(DEFAULT_LIMIT))?;
    let all = i64::from(depth);
    Ok(law.map(|&dice| if dice == all { all + place } else { dice }))
}

fn too_many(dice: u64, limit: u64) -> Error {
    Error::TooLarge {
        operation: format!("a pool of {dice} dice"),
        words: dice.into(),
        limit,
    }
}

/// (bᵗ, aᵗ, Σ bⁱ aᵗ⁻¹⁻ⁱ over i < t), by doubling t.
fn series<W: Weight>(b: &W, a: &W, times: u32) -> (W, W, W) {
    let (mut b_power, mut a_power, mut sum) = (W::unit(), W::unit(), W::nothing());
    for bit in (0..u32::BITS - times.leading_zeros()).rev() {
        let mut both = a_power.clone();
        both.add(&b_power);
        sum = sum.times(&both);
        b_power = b_power.times(&b_power);
        a_power = a_power.times(&a_power);
        if times >> bit & 1 == 1 {
            sum = sum.times(a);
            sum.add(&b_power);
            b_power = b_power.times(b);
            a_power = a_power.times(a);
        }
    }
    (b_power, a_power, sum)
}

/// A borrowed evaluator.
struct Seen<'a, E>(&'a E);

impl<T, E: Evaluator<T>> Evaluator<T> for Seen<'_, E> {
    type State = E::State;
    type Outcome = E::Outcome;

    fn start(&self) -> E::State {
        self.0.start()
    }

    fn next(&self, state: &E::State, face: &T, counts: &[i64]) -> E::State {
        self.0.next(state, face, counts)
    }

    fn finish(&self, state: &E::State) -> E::Outcome {
        self.0.finish(state)
    }

    fn order(&self) -> Order {
        self.0.order()
    }

    fn state_words(&self, dice: u64) -> u64 {
        self.0.state_words(dice)
    }
}

/// A reading of the dice of several pools as if they were one pool with these positions.
struct Placed<'a, E> {
    runs: Vec<Run>,
    reading: &'a E,
}

impl<T, E: Evaluator<T>> Evaluator<T> for Placed<'_, E> {
    /// The number of dice placed, and the state of the reading itself.
    type State = (u64, E::State);
    type Outcome = E::Outcome;

    fn start(&self) -> Self::State {
        (0, self.reading.start())
    }

    fn next(&self, (placed, state): &Self::State, face: &T, counts: &[i64]) -> Self::State {
        let shown: u64 = counts.iter().map(|count| count.unsigned_abs()).sum();
        let dice = placed + shown;
        let count = if self.reading.order() == Order::Descending {
            self.multiplicity(self.runs.iter().rev(), *placed, dice)
        } else {
            self.multiplicity(self.runs.iter(), *placed, dice)
        };
        (dice, self.reading.next(state, face, &[count]))
    }

    fn finish(&self, (_, state): &Self::State) -> E::Outcome {
        self.reading.finish(state)
    }

    /// Positions are counted from an end, so the order must be fixed.
    fn order(&self) -> Order {
        match self.reading.order() {
            Order::Descending => Order::Descending,
            _ => Order::Ascending,
        }
    }

    /// The dice count as at these positions, not as in their pools.
    fn state_words(&self, _: u64) -> u64 {
        let counts = self
            .runs
            .iter()
            .map(|run| run.dice.saturating_mul(run.multiplicity.unsigned_abs()));
        self.reading
            .state_words(counts.fold(0, u64::saturating_add))
    }
}

impl<E> Placed<'_, E> {
    /// The sum of the multiplicities of the dice between two positions.
    fn multiplicity<'a>(&self, runs: impl Iterator<Item = &'a Run>, from: u64, to: u64) -> i64 {
        let (mut start, mut sum) = (0_u64, 0_i64);
        for run in runs {
            let end = start + run.dice;
            let dice = to.min(end).saturating_sub(from.max(start));
            let dice = i64::try_from(dice).unwrap_or(i64::MAX);
            sum = sum.saturating_add(dice.saturating_mul(run.multiplicity));
            start = end;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    #[test]
    fn series_by_doubling_is_the_plain_sum() {
        let (a, b) = (BigUint::from(7u32), BigUint::from(3u32));
        for times in 0..20 {
            let plain = (0..times).map(|i| b.pow(i) * a.pow(times - 1 - i)).sum();
            assert_eq!(series(&b, &a, times), (b.pow(times), a.pow(times), plain));
        }
    }
}
