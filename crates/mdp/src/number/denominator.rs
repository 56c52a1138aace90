//! Denominators over which all values of a game are integers.
//!
//! The value of a state is a sum over paths of products of `weight / total`,
//! times a score, or a reward on the way. It is therefore an integer over
//!
//! > D(s) = (lcm of the scores' and rewards' denominators) · Π b^(most often b divides along a path from s),
//!
//! Here `b` runs over pairwise coprime factors of the totals. With denominators known in advance,
//! backward induction needs no greatest common divisors: it multiplies by a weight, adds, and
//! divides exactly by the total.
//!
//! A separate denominator for every state would have to be matched at every outcome. A single one
//! for all states would give values near the end limbs that they do not need. Therefore states are
//! sorted into a few groups by the length of D(s), and each group has one denominator, a multiple
//! of those of the groups below it. Outcomes within a group cost nothing extra, and few outcomes
//! leave the group.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, ToPrimitive};
use rustc_hash::FxHashMap;

use super::fits;
use super::totals::totals;
use crate::model::{Model, Scratch};
use crate::number::score_range::ScoreRange;
use crate::odds::Amount;
use crate::progress::Observer;
use crate::{Error, Game, Phase};

/// The maximum number of groups that states are sorted into, beside that of the states without
/// chance.
const GROUPS: f64 = 12.0;

/// Splits numbers into powers of pairwise coprime bases (greater than 1) by factor refinement. No
/// number is factored into primes, which could take extremely long. Returns `None` if more than
/// `most` bases are needed.
///
/// # Complexity
/// O(totals · bases) greatest common divisors. `pulse` is called about every million of them and
/// may end the work.
fn coprime_base<T: Integer + Clone>(
    totals: impl IntoIterator<Item = T>,
    most: u128,
    mut pulse: impl FnMut() -> Result<(), Error>,
) -> Result<Option<Vec<T>>, Error> {
    const BEAT: usize = 1 << 20;
    let mut base: Vec<T> = Vec::new();
    let mut open: Vec<T> = totals.into_iter().collect();
    let mut steps = 0_usize;
    while let Some(mut total) = open.pop() {
        let mut index = 0;
        steps += base.len();
        if steps >= BEAT {
            steps = 0;
            pulse()?;
        }
        while !total.is_one() && index < base.len() {
            let common = total.gcd(&base[index]);
            if common.is_one() {
                index += 1;
            } else if common == base[index] {
                total = total / common;
            } else {
                // The base splits, and both parts and the total are refined anew. This terminates:
                // a split adds one number and leaves the product of all unchanged, a division
                // lowers the product, and all numbers exceed one.
                let split = base.swap_remove(index);
                open.extend([split / common.clone(), common]);
                open.push(total);
                total = T::one();
            }
        }
        if !total.is_one() {
            base.push(total);
        }
        // At least one part of a base that splits is kept, so the number of bases never decreases.
        if base.len() as u128 > most {
            return Ok(None);
        }
    }
    base.sort_unstable();
    Ok(Some(base))
}

/// Returns the exponent of each base in `total`.
fn exponents<T: Integer + Clone>(total: &T, base: &[T]) -> Vec<u32> {
    let mut rest = total.clone();
    base.iter()
        .map(|b| {
            let mut times = 0;
            loop {
                let (quotient, left) = rest.div_rem(b);
                if !left.is_zero() {
                    return times;
                }
                rest = quotient;
                times += 1;
            }
        })
        .collect()
}

/// The denominators of a game.
#[derive(Debug)]
pub(super) struct Denominators {
    /// For every group, the product of the totals along the worst path. With it as denominator,
    /// every transition probability of every path is an integer. The first one is 1, and each
    /// divides the next.
    pub(super) paths: Vec<BigUint>,
    /// The group of each state.
    pub(super) group: Vec<u8>,
    /// The totals of all choices: machine words, and longer ones.
    pub(super) narrow_totals: Vec<u64>,
    pub(super) totals: Vec<BigUint>,
}

/// The totals of a game's choices.
#[derive(Default)]
struct Totals {
    narrow: FxHashMap<u64, u32>,
    wide: FxHashMap<BigUint, u32>,
    /// Narrow totals that were used recently, to be found without hashing.
    recent: Recent,
}

/// The coprime bases, and the exponents of them in each total.
type Split = (Vec<BigUint>, Vec<u32>);

/// Caches a number for each of some totals.
struct Recent([(u64, u32); 64]);

impl Default for Recent {
    fn default() -> Self {
        Recent([(0, 0); 64])
    }
}

impl Recent {
    #[inline]
    fn slot(&mut self, total: u64) -> &mut (u64, u32) {
        &mut self.0[(total.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58) as usize]
    }
}

impl Totals {
    #[inline]
    fn learn(&mut self, total: Amount<'_>) {
        match total {
            Amount::Small(total) => {
                let recent = self.recent.slot(total);
                if recent.0 != total {
                    *recent = (total, 0);
                    self.narrow.entry(total).or_default();
                }
            }
            Amount::Big(total) => {
                if !self.wide.contains_key(total) {
                    self.wide.insert(total.clone(), 0);
                }
            }
        }
    }

    /// Returns the index of a total in the list of exponents, or `None` if it was not recorded.
    #[inline]
    fn place(&mut self, total: Amount<'_>) -> Option<u32> {
        match total {
            Amount::Small(total) => {
                let recent = self.recent.slot(total);
                if recent.0 != total {
                    *recent = (total, *self.narrow.get(&total)?);
                }
                Some(recent.1)
            }
            Amount::Big(total) => self.wide.get(total).copied(),
        }
    }

    /// Returns the coprime bases and, one after another, the exponents of them in each total.
    /// Totals get their indices in that list.
    fn split(
        &mut self,
        most: u128,
        pulse: impl FnMut() -> Result<(), Error>,
    ) -> Result<Option<Split>, Error> {
        self.recent = Recent::default();
        let mut powers = Vec::new();
        if self.wide.is_empty() {
            let Some(base) = coprime_base(self.narrow.keys().copied(), most, pulse)? else {
                return Ok(None);
            };
            for (total, place) in &mut self.narrow {
                *place = powers.len() as u32;
                powers.extend(exponents(total, &base));
            }
            return Ok(Some((
                base.into_iter().map(BigUint::from).collect(),
                powers,
            )));
        }
        let narrow = self.narrow.keys().copied().map(BigUint::from);
        let all = narrow.chain(self.wide.keys().cloned());
        let Some(base) = coprime_base(all, most, pulse)? else {
            return Ok(None);
        };
        for (&total, place) in &mut self.narrow {
            *place = powers.len() as u32;
            powers.extend(exponents(&BigUint::from(total), &base));
        }
        for (total, place) in &mut self.wide {
            *place = powers.len() as u32;
            powers.extend(exponents(total, &base));
        }
        Ok(Some((base, powers)))
    }
}

/// The exponents of the bases in D(s), state by state.
struct Exponents {
    base: Vec<BigUint>,
    /// One exponent for each base and state.
    most: Vec<u32>,
}

/// Sorts the states of a model into groups and finds the denominator of each group. `scores` learns
/// every score and reward, and then knows how many bits a value has in addition to those of its
/// denominator.
pub(super) fn denominators<G: Game + ?Sized, M: Model<G>>(
    game: &G,
    model: &M,
    max_bytes: u128,
    scores: &mut ScoreRange,
    observer: &mut Observer<'_>,
) -> Result<Denominators, Error> {
    let mut scratch = Scratch::new();
    let mut learnt = Totals::default();
    let check = |scores: &ScoreRange| {
        let needed = scores.bits() / 8 * model.len() as u128;
        match needed > max_bytes {
            true => Err(too_long(model.len(), needed, max_bytes)),
            false => Ok(()),
        }
    };
    for place in 0..model.len() {
        let row = model.row(game, model.at(place), &mut scratch)?;
        if let Some(score) = row.score {
            scores.add(score);
            check(scores)?;
        }
        for (choice, _, odds) in row.choices() {
            learnt.learn(odds.leaving());
            if let Some(reward) = row.reward(choice) {
                scores.pay(&reward.score);
                check(scores)?;
            }
        }
        observer.tick(Phase::Measuring, place + 1, None)?;
    }
    if scores.pays() {
        let (low, high) = totals(game, model, scores.denominator(), max_bytes, observer)?;
        scores.widen(low, high);
    }
    let exponents = exponents_of(game, model, &mut learnt, max_bytes, observer)?;
    let (group, paths) = group(&exponents, model.len(), scores.bits(), max_bytes)?;
    let mut narrow_totals: Vec<u64> = learnt.narrow.into_keys().collect();
    narrow_totals.sort_unstable();
    Ok(Denominators {
        paths,
        group,
        narrow_totals,
        totals: learnt.wide.into_keys().collect(),
    })
}

fn exponents_of<G: Game + ?Sized, M: Model<G>>(
    game: &G,
    model: &M,
    totals: &mut Totals,
    max_bytes: u128,
    observer: &mut Observer<'_>,
) -> Result<Exponents, Error> {
    let states = model.len() as u128;
    let too_many = |needed| Error::TooMuchMemory {
        what: "the common denominator",
        states: model.len(),
        needed,
        limit: max_bytes,
    };
    // There is an exponent for each base and state, and one for each base and total, numbered in 32
    // bits.
    let all = (totals.narrow.len() + totals.wide.len()) as u128;
    let rows = states.max(all).max(1);
    let limit = (max_bytes / (4 * rows)).min(u128::from(u32::MAX) / all.max(1));
    // Many unrelated totals take longer than all the passes.
    let pulse = || observer.call(Phase::Measuring, model.len(), None);
    let Some((base, powers)) = totals.split(limit, pulse)? else {
        return Err(too_many(4 * rows * (limit + 1)));
    };
    let width = base.len();
    let needed = 4 * states * width as u128;
    if !fits(needed) {
        return Err(too_many(needed));
    }
    let mut most = vec![0_u32; model.len() * width];
    if width == 0 {
        observer.tick(Phase::Measuring, model.len(), Some(model.len()))?;
        return Ok(Exponents { base, most });
    }
    let count = match width {
        1 => count_known::<1, G, M>,
        2 => count_known::<2, G, M>,
        3 => count_known::<3, G, M>,
        4 => count_known::<4, G, M>,
        _ => count_any::<G, M>,
    };
    count(game, model, totals, &powers, width, &mut most, observer)?;
    Ok(Exponents { base, most })
}

/// Writes the exponents of the bases in D(s) into `most`, state by state.
fn count_any<G: Game + ?Sized, M: Model<G>>(
    game: &G,
    model: &M,
    totals: &mut Totals,
    powers: &[u32],
    width: usize,
    most: &mut [u32],
    observer: &mut Observer<'_>,
) -> Result<(), Error> {
    let mut scratch = Scratch::new();
    let (mut own, mut choice_most) = (vec![0_u32; width], vec![0_u32; width]);
    for place in 0..model.len() {
        let number = model.at(place);
        let row = model.row(game, number, &mut scratch)?;
        own.fill(0);
        for (_, targets, odds) in row.choices() {
            choice_most.fill(0);
            for &target in targets {
                raise(&mut choice_most, &most[target as usize * width..][..width]);
            }
            let Some(place) = totals.place(odds.leaving()) else {
                return Err(inconsistent(game, model, number));
            };
            let more = &powers[place as usize..][..width];
            for ((own, power), more) in own.iter_mut().zip(&choice_most).zip(more) {
                // Cannot overflow where it matters: values on paths that long would not fit into
                // memory.
                *own = (*own).max(power.saturating_add(*more));
            }
        }
        most[number * width..][..width].copy_from_slice(&own);
        observer.tick(Phase::Measuring, place + 1, Some(model.len()))?;
    }
    Ok(())
}

/// Does the same as [`count_any`], for a known number of bases. It is three times as fast, which
/// matters.
fn count_known<const WIDTH: usize, G: Game + ?Sized, M: Model<G>>(
    game: &G,
    model: &M,
    totals: &mut Totals,
    powers: &[u32],
    _: usize,
    most: &mut [u32],
    observer: &mut Observer<'_>,
) -> Result<(), Error> {
    let mut scratch = Scratch::new();
    let (most, _) = most.as_chunks_mut::<WIDTH>();
    for place in 0..model.len() {
        let number = model.at(place);
        let row = model.row(game, number, &mut scratch)?;
        let mut own = [0_u32; WIDTH];
        for (_, targets, odds) in row.choices() {
            let mut choice_most = [0_u32; WIDTH];
            for &target in targets {
                raise(&mut choice_most, &most[target as usize]);
            }
            let Some(place) = totals.place(odds.leaving()) else {
                return Err(inconsistent(game, model, number));
            };
            let more = &powers[place as usize..][..WIDTH];
            for ((own, power), more) in own.iter_mut().zip(&choice_most).zip(more) {
                *own = (*own).max(power.saturating_add(*more));
            }
        }
        most[number] = own;
        observer.tick(Phase::Measuring, place + 1, Some(model.len()))?;
    }
    Ok(())
}

fn inconsistent<G: Game + ?Sized, M: Model<G>>(game: &G, model: &M, number: usize) -> Error {
    Error::Inconsistent {
        state: game.describe(&model.state(game, number)),
    }
}

fn group(
    exponents: &Exponents,
    states: usize,
    spread: u128,
    max_bytes: u128,
) -> Result<(Vec<u8>, Vec<BigUint>), Error> {
    let Exponents { base, most } = exponents;
    let width = base.len();
    let mut group = vec![0_u8; states];
    if width == 0 {
        return Ok((group, vec![BigUint::one()]));
    }
    let logs: Vec<f64> = base.iter().map(log2).collect();
    let bits = |powers: &[u32]| -> f64 {
        let bits = powers.iter().zip(&logs);
        bits.map(|(&power, log)| f64::from(power) * log).sum()
    };
    let limbs = |bits: f64| (bits + spread as f64) / 64.0;
    let longest = most.chunks_exact(width).map(&bits).fold(0.0, f64::max);
    let longest = limbs(longest).ceil().max(1.0);
    let groups = longest.min(GROUPS);
    // The first group holds the states without any chance, mainly ends.
    let mut powers = vec![vec![0_u32; width]; 1 + groups as usize];
    let mut sizes = vec![0_u128; powers.len()];
    // Neighbours are mostly alike.
    let mut last: Option<(&[u32], u8)> = None;
    for (group, own) in group.iter_mut().zip(most.chunks_exact(width)) {
        if let Some((known, as_before)) = last
            && known == own
        {
            *group = as_before;
            sizes[usize::from(as_before)] += 1;
            continue;
        }
        let bits = bits(own);
        if bits > 0.0 {
            // In 1..=groups, and monotonic in the length of the denominator.
            *group = (limbs(bits) / longest * groups).ceil().clamp(1.0, groups) as u8;
        }
        raise(&mut powers[usize::from(*group)], own);
        sizes[usize::from(*group)] += 1;
        last = Some((own, *group));
    }
    for index in 1..powers.len() {
        let (below, rest) = powers.split_at_mut(index);
        raise(&mut rest[0], &below[index - 1]);
    }
    let needed: f64 = powers
        .iter()
        .zip(&sizes)
        .map(|(powers, &size)| size as f64 * limbs(bits(powers)).floor() * 8.0)
        .sum();
    if needed as u128 > max_bytes {
        return Err(too_long(states, needed as u128, max_bytes));
    }
    let paths = powers.iter().map(|powers| {
        let factors = base.iter().zip(powers);
        factors.map(|(b, &power)| b.pow(power)).product()
    });
    let paths = paths.collect();
    Ok((group, paths))
}

fn log2(number: &BigUint) -> f64 {
    let cut = number.bits().saturating_sub(60);
    (number >> cut).to_f64().unwrap_or(1.0).log2() + cut as f64
}

pub(super) fn too_long(states: usize, needed: u128, limit: u128) -> Error {
    Error::TooMuchMemory {
        what: "their exact values",
        states,
        needed,
        limit,
    }
}

#[inline]
fn raise(to: &mut [u32], by: &[u32]) {
    for (a, &b) in to.iter_mut().zip(by) {
        *a = (*a).max(b);
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    #[track_caller]
    fn check(totals: &[u64], base: &[u64]) {
        let found = coprime_base(totals.iter().copied(), u128::MAX, || Ok(()));
        assert_eq!(found.unwrap().as_deref(), Some(base));
    }

    #[test]
    fn a_base_is_refined() {
        check(&[36, 1150], &[2, 9, 575]);
        check(&[1, 1, 1], &[]);
        check(&[6, 10, 15], &[2, 3, 5]);
        check(&[4, 2, 8], &[2]);
        check(&[u64::MAX, 1 << 63], &[1 << 63, u64::MAX]);
        assert_eq!(coprime_base([2, 3, 5, 7], 3, || Ok(())), Ok(None));
        assert_eq!(coprime_base([210, 6, 10, 2], 3, || Ok(())), Ok(None));
    }

    #[test]
    fn refining_many_unrelated_totals_can_be_stopped() {
        let primes = (3..40_000_u64).filter(|n| (2..200).all(|d| n % d != 0 || *n == d));
        let stop = || Err(Error::NoGames);
        assert_eq!(coprime_base(primes, u128::MAX, stop), Err(Error::NoGames));
    }

    quickcheck! {
        fn every_total_is_a_product_of_the_base(totals: Vec<u64>) -> bool {
            let totals: Vec<u64> = totals.into_iter().map(|t| t % 100_000 + 1).collect();
            let base = coprime_base(totals.iter().copied(), u128::MAX, || Ok(()));
            let base = base.unwrap().unwrap_or_default();
            let coprime = base.iter().enumerate().all(|(i, a)| {
                base[..i].iter().all(|b| a.gcd(b) == 1)
            });
            coprime && totals.iter().all(|&total| {
                let powers = exponents(&total, &base);
                base.iter().zip(powers).map(|(b, p)| b.pow(p)).product::<u64>() == total
            })
        }
    }
}
