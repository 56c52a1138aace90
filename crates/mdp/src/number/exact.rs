//! Exact values: integers over a few denominators, in a fixed number of limbs.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

use super::denominator::{denominators, too_long};
use super::limbs::{
    Divisor, LongDivisor, add_long_product, add_product, compare, divide_exact, divide_exact_long,
    trimmed,
};
use super::score_range::ScoreRange;
use super::{Number, Store, Unheld, Verdict, fits};
use crate::model::Model;
use crate::odds::{Amount, Odds};
use crate::progress::Observer;
use crate::reward::Reward;
use crate::tolerance::Rule;
use crate::{Error, Game, Player, Score, Tolerance};

/// Fractions: every value is the exact [`BigRational`].
///
/// Internally, values are integers over denominators that are determined before the induction
/// starts, one for each of a few groups of states. The integers are stored in a fixed number of
/// machine words. A fraction is formed and reduced only when it is requested.
///
/// # Examples
/// A function that accepts only exact solutions:
/// ```
#[doc = include_str!("../../docs/keep_or_roll.txt")]
/// use oddsmith_mdp::{Exact, Solution};
/// fn denominator<G: Game>(solution: &Solution<'_, G, Exact>) -> String {
///     solution.value().denom().to_string()
/// }
/// let solution = Solver::exact().solve(&KeepOrRoll, (2, 0))?;
/// assert_eq!(denominator(&solution), "4"); // of 17/4
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Exact;

impl Number for Exact {
    type Value = BigRational;
    type Mass = BigUint;
    type Store = Integers;
}

/// `value = (integer + low) / denominator`, where the integers are never negative.
#[derive(Debug)]
pub struct Integers {
    /// The limbs of all values, group by group.
    limbs: Vec<u64>,
    groups: Vec<Group>,
    /// The group of each state, and its index within the group.
    group: Vec<u8>,
    place: Vec<u32>,
    /// `factors[g][j]`: the denominator of group g divided by that of group j ≤ g.
    factors: Vec<Vec<Vec<u64>>>,
    /// The number of limbs of a slot: those of the longest value, plus room for a product.
    width: usize,
    /// The number of limbs that the sum of a choice has in addition to those of a value.
    extra: usize,
    /// The denominator of the last group divided by that of the scores: a multiple of every path's
    /// totals.
    paths: BigUint,
    /// The `low` of the first group, if it is a machine word and the denominator of that group is
    /// one. Most ends then take a single subtraction.
    low: Option<i64>,
    /// The common denominator of scores and rewards.
    scores: BigUint,
    divisors: Divisors,
}

/// States whose values have the same denominator.
#[derive(Debug)]
struct Group {
    denominator: BigUint,
    /// A lower bound on all values, which is shifted to zero. Shifting all scores shifts all values
    /// by the same amount, since every game ends with certainty.
    low: BigInt,
    /// The number of limbs of a value.
    width: usize,
    /// Where the values of this group begin.
    start: usize,
}

/// Exact division needs an inverse, and a game uses few totals again and again.
#[derive(Debug)]
struct Divisors {
    narrow: Vec<(u64, Divisor)>,
    wide: FxHashMap<BigUint, LongDivisor>,
}

impl Divisors {
    fn new() -> Self {
        Divisors {
            narrow: vec![(1, Divisor::new(1)); 64],
            wide: FxHashMap::default(),
        }
    }

    #[inline]
    fn slot(total: u64) -> usize {
        (total.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58) as usize
    }

    #[inline]
    fn learn(&mut self, total: Amount<'_>) {
        match total {
            Amount::Small(total) => {
                let slot = &mut self.narrow[Self::slot(total)];
                if slot.0 != total {
                    *slot = (total, Divisor::new(total));
                }
            }
            Amount::Big(total) => {
                if !self.wide.contains_key(total) {
                    self.wide.insert(total.clone(), LongDivisor::new(total));
                }
            }
        }
    }

    #[inline]
    fn divide(&self, number: &mut [u64], total: u64) {
        if total > 1 {
            let (known, divisor) = &self.narrow[Self::slot(total)];
            if *known == total {
                divide_exact(number, divisor);
            } else {
                divide_exact(number, &Divisor::new(total));
            }
        }
    }

    fn divide_long(&self, number: &mut [u64], total: &BigUint) {
        match self.wide.get(total) {
            Some(divisor) => divide_exact_long(number, divisor),
            None => divide_exact_long(number, &LongDivisor::new(total)),
        }
    }
}

/// A value that is being computed: the limbs of its group, plus room for products.
#[derive(Clone, Debug)]
pub struct Scaled {
    limbs: Vec<u64>,
    group: u8,
    /// What the limbs are still to be divided by. Choices with the same total are compared without
    /// the division, and only the best one is divided.
    total: u64,
}

/// Adds to a number or subtracts from it: !(!a + b) = a − b, if the overflow is dropped.
fn add_signed(
    limbs: &mut [u64],
    negative: bool,
    add: impl FnOnce(&mut [u64]) -> Result<(), Unheld>,
) -> Result<(), Unheld> {
    let flip = |limbs: &mut [u64]| {
        if negative {
            limbs.iter_mut().for_each(|limb| *limb = !*limb);
        }
    };
    flip(limbs);
    add(limbs)?;
    flip(limbs);
    Ok(())
}

fn to_limbs(number: &BigUint) -> Vec<u64> {
    number.iter_u64_digits().collect()
}

fn from_limbs(limbs: &[u64]) -> BigUint {
    let halves = limbs
        .iter()
        .flat_map(|&limb| [limb as u32, (limb >> 32) as u32])
        .collect();
    BigUint::new(halves)
}

impl Integers {
    /// Returns the limbs of a value.
    #[inline]
    fn at(&self, number: usize) -> (usize, &[u64]) {
        let group = usize::from(self.group[number]);
        let Group { width, start, .. } = self.groups[group];
        let first = start + self.place[number] as usize * width;
        (group, &self.limbs[first..first + width])
    }

    fn at_mut(&mut self, number: usize) -> &mut [u64] {
        let Group { width, start, .. } = self.groups[usize::from(self.group[number])];
        let first = start + self.place[number] as usize * width;
        &mut self.limbs[first..first + width]
    }

    /// Returns the limbs of a slot that hold its value.
    #[inline]
    fn digits<'s>(&self, slot: &'s Scaled) -> &'s [u64] {
        &slot.limbs[..self.groups[usize::from(slot.group)].width]
    }

    /// Computes sum += Σ weight * value, for values of `WIDTH` limbs in this group.
    #[inline]
    fn add_all<const WIDTH: usize>(
        &self,
        own: u8,
        targets: &[u32],
        weights: &[u64],
        sum: &mut [u64],
    ) -> Result<(), Unheld> {
        // One sum for each limb, without carries between them. All weights together are below 2^64,
        // so no sum reaches 2^128.
        let mut sums = [0_u128; WIDTH];
        let start = self.groups[usize::from(own)].start;
        let group = self.group.as_slice();
        // Equal lengths: a single bounds check covers both lists.
        let place = &self.place[..group.len()];
        for (&target, &weight) in targets.iter().zip(weights) {
            let (target, from) = (target as usize, group[target as usize]);
            if from != own {
                let (from, value) = self.at(target);
                // The value is mostly zero, that of a lost state.
                if value.iter().any(|&limb| limb > 0) {
                    self.add_across(sum, usize::from(own), from, value, &[weight])?;
                }
                continue;
            }
            let first = start + place[target] as usize * WIDTH;
            let value = &self.limbs[first..first + WIDTH];
            for (sum, &limb) in sums.iter_mut().zip(value) {
                *sum = sum.wrapping_add(u128::from(limb) * u128::from(weight));
            }
        }
        let (digits, rest) = sum.split_at_mut(WIDTH);
        let mut carry = 0_u128;
        for (digit, &more) in digits.iter_mut().zip(&sums) {
            let all = more.wrapping_add(carry).wrapping_add(u128::from(*digit));
            *digit = all as u64;
            carry = all >> 64;
        }
        rest[0] = rest[0].wrapping_add(carry as u64);
        Ok(())
    }

    /// Does the same as [`add_all`](Self::add_all), for any width.
    fn add_any(
        &self,
        own: usize,
        targets: &[u32],
        weights: &[u64],
        sum: &mut [u64],
    ) -> Result<(), Unheld> {
        let width = self.groups[own].width;
        for (&target, &weight) in targets.iter().zip(weights) {
            let (group, value) = self.at(target as usize);
            if group == own {
                add_product(&mut sum[..=width], value, weight);
            } else {
                self.add_across(sum, own, group, value, &[weight])?;
            }
        }
        Ok(())
    }

    /// Computes sum += weight * value, with the value converted from group `from` to `to`.
    fn add_across(
        &self,
        sum: &mut [u64],
        to: usize,
        from: usize,
        value: &[u64],
        weight: &[u64],
    ) -> Result<(), Unheld> {
        let value = trimmed(value);
        if value.is_empty() {
            return Ok(());
        }
        // A state of a lower group does not lead to one of a higher group.
        let factor = self.factors[to].get(from).ok_or(Unheld::Changed)?;
        let (long, short) = if value.len() < factor.len() {
            (factor.as_slice(), value)
        } else {
            (value, factor.as_slice())
        };
        for (place, &limb) in short.iter().enumerate() {
            for (more, &weight) in weight.iter().enumerate() {
                let product = u128::from(limb) * u128::from(weight);
                let parts = [product as u64, (product >> 64) as u64];
                for (place, part) in (place + more..).zip(parts) {
                    if part > 0 {
                        let sum = sum.get_mut(place..).ok_or(Unheld::Changed)?;
                        let length = long.len().min(sum.len());
                        add_product(sum, &long[..length], part);
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the sign of a reward, and `times` its absolute value over the denominator of scores.
    fn paid(&self, reward: &Reward, times: u64) -> Result<(bool, Vec<u64>), Unheld> {
        let negative = reward.score.sign() == Ordering::Less;
        if let (Some(integer), Some(_)) = (reward.score.as_integer(), self.low) {
            // The denominator of scores is one.
            let product = u128::from(integer.unsigned_abs()) * u128::from(times);
            return Ok((negative, vec![product as u64, (product >> 64) as u64]));
        }
        let ratio = reward.score.to_ratio().ok_or(Unheld::Changed)?;
        let factor = &self.scores / ratio.denom().magnitude();
        let size = ratio.numer().magnitude() * factor * times;
        Ok((negative, to_limbs(&size)))
    }

    /// Returns a score over the denominator of the first group, minus the lowest value.
    fn raised(&self, score: &Score) -> BigUint {
        let ends = &self.groups[0];
        let ratio = score.to_ratio().unwrap_or_else(BigRational::zero);
        // An integer, and not negative, by the choice of denominator and offset.
        let factor = &ends.denominator / ratio.denom().magnitude();
        (ratio.numer() * BigInt::from(factor) - &ends.low)
            .magnitude()
            .clone()
    }
}

impl Store for Integers {
    type Slot = Scaled;
    type Value = BigRational;
    type Mass = BigUint;

    fn prepare<G: Game + ?Sized, M: Model<G>>(
        game: &G,
        model: &M,
        max_bytes: u128,
        observer: &mut Observer<'_>,
    ) -> Result<Self, Error> {
        // Every value takes at least one word. Its index and its group are stored separately.
        let (states, words) = (model.len(), 8 * model.len() as u128);
        if words > max_bytes || !fits(words + 5 * states as u128) {
            return Err(too_long(states, words, max_bytes));
        }
        let mut scores = ScoreRange::new();
        let found = denominators(game, model, max_bytes, &mut scores, observer)?;
        let (mut divisors, mut extra) = (Divisors::new(), 1);
        for total in &found.totals {
            divisors.learn(Amount::Big(total));
            extra = extra.max(total.bits().div_ceil(64) as usize);
        }
        for &total in &found.narrow_totals {
            divisors.learn(Amount::Small(total));
        }
        let (low, range, denominator) = scores.finish();
        let one = denominator.is_one();
        let mut groups: Vec<Group> = found
            .paths
            .iter()
            .map(|paths| Group {
                width: (range.clone() * paths).bits().max(1).div_ceil(64) as usize,
                denominator: &denominator * paths,
                low: &low * BigInt::from(paths.clone()),
                start: 0,
            })
            .collect();
        let mut sizes = vec![0_usize; groups.len()];
        let mut place = vec![0_u32; model.len()];
        for (place, &group) in place.iter_mut().zip(&found.group) {
            let size = &mut sizes[usize::from(group)];
            *place = *size as u32;
            *size += 1;
        }
        let mut all = 0_u128;
        for (group, &size) in groups.iter_mut().zip(&sizes) {
            group.start = usize::try_from(all).unwrap_or(usize::MAX);
            all += size as u128 * group.width as u128;
        }
        let needed = all * 8;
        if needed > max_bytes || !fits(needed) {
            return Err(too_long(model.len(), needed, max_bytes));
        }
        let factors = (0..groups.len()).map(|to| {
            let below = found.paths[..=to].iter();
            below
                .map(|from| to_limbs(&(&found.paths[to] / from)))
                .collect()
        });
        let longest = groups.last().map_or(1, |group| group.width);
        Ok(Integers {
            limbs: vec![0; all as usize],
            factors: factors.collect(),
            // Three more limbs, for factors that are applied limb by limb.
            width: longest + extra + 3,
            extra,
            paths: found.paths.last().cloned().unwrap_or_else(BigUint::one),
            low: low.to_i64().filter(|_| one),
            scores: denominator,
            groups,
            group: found.group,
            place,
            divisors,
        })
    }

    fn slot(&self) -> Scaled {
        Scaled {
            limbs: vec![0; self.width],
            group: 0,
            total: 1,
        }
    }

    #[inline]
    fn appraise(
        &self,
        number: usize,
        targets: &[u32],
        odds: &Odds<'_>,
        slot: &mut Scaled,
    ) -> Result<(), Unheld> {
        slot.group = self.group[number];
        slot.total = 1;
        let own = usize::from(slot.group);
        let width = self.groups[own].width;
        if let [only] = *targets {
            let (group, value) = self.at(only as usize);
            if group == own {
                slot.limbs[..width].copy_from_slice(value);
                slot.limbs[width] = 0;
                return Ok(());
            }
            slot.limbs.fill(0);
            return self.add_across(&mut slot.limbs, own, group, value, &[1]);
        }
        let room = (width + self.extra + 3).min(slot.limbs.len());
        let sum = &mut slot.limbs[..room];
        sum.fill(0);
        match *odds {
            Odds::Narrow {
                weights, leaving, ..
            } => {
                // With a known width, the sum stays in registers.
                match width {
                    1 => self.add_all::<1>(slot.group, targets, weights, sum),
                    2 => self.add_all::<2>(slot.group, targets, weights, sum),
                    3 => self.add_all::<3>(slot.group, targets, weights, sum),
                    4 => self.add_all::<4>(slot.group, targets, weights, sum),
                    5 => self.add_all::<5>(slot.group, targets, weights, sum),
                    6 => self.add_all::<6>(slot.group, targets, weights, sum),
                    7 => self.add_all::<7>(slot.group, targets, weights, sum),
                    8 => self.add_all::<8>(slot.group, targets, weights, sum),
                    9 => self.add_all::<9>(slot.group, targets, weights, sum),
                    _ => self.add_any(own, targets, weights, sum),
                }?;
                slot.total = leaving;
            }
            Odds::Wide(wide) => {
                for (outcome, &target) in targets.iter().enumerate() {
                    let (group, value) = self.at(target as usize);
                    let weight = trimmed(wide.digits(outcome));
                    if group == own {
                        add_long_product(sum, value, weight);
                    } else {
                        self.add_across(sum, own, group, value, weight)?;
                    }
                }
                self.divisors.divide_long(sum, &wide.leaving);
            }
        }
        Ok(())
    }

    #[cold]
    fn pay(&self, reward: &Reward, odds: &Odds<'_>, slot: &mut Scaled) -> Result<(), Unheld> {
        // Still to be multiplied by the factor of the group, which makes it an integer: the payment
        // is reward · total / leaving, and the slot is value · slot.total.
        let (negative, paid) = match *odds {
            Odds::Narrow { staying: 0, .. } => self.paid(reward, slot.total)?,
            Odds::Narrow {
                leaving, staying, ..
            } if slot.total == leaving => self.paid(reward, leaving + staying)?,
            _ => {
                let (negative, paid) = self.paid(reward, 1)?;
                let whole = from_limbs(&paid)
                    * &self.groups[usize::from(slot.group)].denominator
                    * odds.total().to_big();
                let per = odds.leaving().to_big() * &self.scores;
                let sum = to_limbs(&(whole / per));
                add_signed(&mut slot.limbs, negative, |limbs| {
                    let length = sum.len().min(limbs.len() - 1);
                    add_product(limbs, &sum[..length], 1);
                    Ok(())
                })?;
                return Ok(());
            }
        };
        let own = usize::from(slot.group);
        add_signed(&mut slot.limbs, negative, |limbs| {
            self.add_across(limbs, own, 0, &paid, &[1])
        })
    }

    fn put_score(&mut self, number: usize, score: &Score) -> bool {
        let raised = match (score.as_integer(), self.low) {
            (Some(score), Some(low)) => score.checked_sub(low),
            _ => None,
        };
        if let Some(raised) = raised {
            let value = self.at_mut(number);
            value.fill(0);
            value[0] = raised as u64;
        } else {
            let raised = to_limbs(&self.raised(score));
            let value = self.at_mut(number);
            value.fill(0);
            let length = raised.len().min(value.len());
            value[..length].copy_from_slice(&raised[..length]);
        }
        true
    }

    #[inline]
    fn settle(&self, slot: &mut Scaled) {
        let width = self.groups[usize::from(slot.group)].width;
        self.divisors.divide(&mut slot.limbs[..=width], slot.total);
        slot.total = 1;
    }

    #[inline]
    fn put(&mut self, number: usize, slot: &mut Scaled, _: Player, _: Verdict) {
        self.settle(slot);
        let value = self.at_mut(number);
        let width = value.len();
        value.copy_from_slice(&slot.limbs[..width]);
    }

    #[inline]
    fn doubt(&self, _: &mut Scaled, _: &Scaled) {}

    fn prefers(
        &self,
        candidate: &mut Scaled,
        incumbent: &mut Scaled,
        player: Player,
        tolerance: &Tolerance,
    ) -> (bool, bool) {
        let group = &self.groups[usize::from(incumbent.group)];
        let strict = player == Player::Min || tolerance.rule() == Rule::Strict;
        if candidate.total != incumbent.total || !strict {
            self.settle(candidate);
            self.settle(incumbent);
        }
        let digits = ..=group.width;
        let order = compare(&candidate.limbs[digits], &incumbent.limbs[digits]);
        let (c, i) = (self.digits(candidate), self.digits(incumbent));
        if player == Player::Min {
            return (order == Ordering::Less, true);
        }
        if order != Ordering::Greater {
            return (false, true);
        }
        let gap = || from_limbs(c) - from_limbs(i);
        let preferred = match tolerance.rule() {
            Rule::Strict => true,
            // c - i > (p/q) |i|
            Rule::Relative(p, q) => {
                let size = BigInt::from(from_limbs(i)) + &group.low;
                gap() * q > size.magnitude() * p
            }
            // c - i > (p/q) D
            Rule::Absolute(p, q) => gap() * q > &group.denominator * p,
        };
        (preferred, true)
    }

    fn ties(&self, a: &Scaled, b: &Scaled) -> bool {
        a.group == b.group && self.digits(a) == self.digits(b)
    }

    fn value(&self, slot: &Scaled) -> BigRational {
        let Group {
            denominator, low, ..
        } = &self.groups[usize::from(slot.group)];
        let integer = BigInt::from(from_limbs(self.digits(slot))) + low;
        BigRational::new(integer, BigInt::from(denominator.clone()))
    }

    fn value_of(&self, number: usize) -> BigRational {
        let (group, value) = self.at(number);
        let Group {
            denominator, low, ..
        } = &self.groups[group];
        let integer = BigInt::from(from_limbs(value)) + low;
        BigRational::new(integer, BigInt::from(denominator.clone()))
    }

    fn error(&self, _: usize) -> f64 {
        0.0
    }

    fn whole(&self) -> BigUint {
        self.paths.clone()
    }
}
