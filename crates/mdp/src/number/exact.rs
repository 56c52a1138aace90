//! Exact values: integers over one denominator in fixed limbs.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};
use std::cmp::Ordering;

use super::denominator::{path_denominator, too_long};
use super::limbs::{Divisor, add_product, compare, divide_exact};
use super::{Number, Store, fits};
use crate::model::{Model, Scratch};
use crate::progress::Observer;
use crate::tolerance::Rule;
use crate::{Error, Game, Score, Tolerance};

/// Fractions: every value is the exact [`BigRational`].
///
/// Inside, all values are integers over one denominator that is found before
/// the induction starts, kept in a fixed number of machine words; a fraction
/// is formed, and reduced, only when it is asked for.
///
/// # Examples
/// See [`Solver::exact`](crate::Solver::exact).
#[derive(Clone, Copy, Debug)]
pub struct Exact;

impl Number for Exact {
    type Value = BigRational;
    type Mass = BigUint;
    type Store = Integers;
}

/// `value = (integer - offset) / denominator`, the integers never negative.
#[derive(Debug)]
pub struct Integers {
    limbs: Vec<u64>,
    /// Limbs of a value; a slot has one more, room for a product.
    width: usize,
    denominator: BigUint,
    /// Denominator over one score: a multiple of every path's totals.
    paths: BigUint,
    /// Raises the lowest score to zero: shifting all scores shifts all values
    /// alike, since every game ends with certainty.
    offset: BigUint,
    /// Scores one, minus one, … over the denominator are made once.
    one: Vec<u64>,
    divisors: DivisorCache,
}

/// Exact division wants an inverse; a game uses few totals again and again.
#[derive(Debug)]
struct DivisorCache(Vec<(u64, Divisor)>);

impl DivisorCache {
    fn new() -> Self {
        DivisorCache(vec![(1, Divisor::new(1)); 64])
    }

    #[inline]
    fn place(total: u64) -> usize {
        (total.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58) as usize
    }

    fn learn(&mut self, total: u64) {
        self.0[Self::place(total)] = (total, Divisor::new(total));
    }

    #[inline]
    fn get(&self, total: u64) -> Divisor {
        let (known, divisor) = self.0[Self::place(total)];
        if known == total {
            divisor
        } else {
            Divisor::new(total)
        }
    }
}

fn to_limbs(number: &BigUint, width: usize) -> Vec<u64> {
    let mut limbs = number.to_u64_digits();
    limbs.resize(width, 0);
    limbs
}

fn from_limbs(limbs: &[u64]) -> BigUint {
    let halves = limbs
        .iter()
        .flat_map(|&limb| [limb as u32, (limb >> 32) as u32])
        .collect();
    BigUint::new(halves)
}

impl Integers {
    fn over_denominator(&self, score: &Score) -> BigUint {
        let ratio = score.to_ratio().unwrap_or_else(BigRational::zero);
        // Whole and not negative by the choice of denominator and offset.
        let factor = &self.denominator / ratio.denom().magnitude();
        let raised = ratio.numer() * BigInt::from(factor) + BigInt::from(self.offset.clone());
        raised.magnitude().clone()
    }

    fn at(&self, number: usize) -> &[u64] {
        &self.limbs[number * self.width..(number + 1) * self.width]
    }

    /// `factor * slot`, exactly, for comparisons within a tolerance.
    fn times(slot: &[u64], factor: u64) -> Vec<u64> {
        let mut product = vec![0; slot.len() + 1];
        add_product(&mut product, slot, factor);
        product
    }
}

impl Store for Integers {
    type Slot = Vec<u64>;
    type Value = BigRational;
    type Mass = BigUint;

    fn prepare<G: Game + ?Sized, M: Model<G>>(
        game: &G,
        model: &M,
        max_bytes: u128,
        observer: &mut Observer<'_>,
    ) -> Result<Self, Error> {
        let paths = path_denominator(game, model, max_bytes, observer)?;
        let mut scratch = Scratch::new();
        let mut divisors = DivisorCache::new();
        let mut score_denominator = BigInt::one();
        let (mut low, mut high) = (BigRational::zero(), BigRational::zero());
        let (mut low_int, mut high_int) = (0_i64, 0_i64);
        for place in 0..model.len() {
            let row = model.row(game, model.at(place), &mut scratch)?;
            for span in row.spans {
                divisors.learn(span.leaving);
            }
            let Some(score) = row.score else { continue };
            if let Some(integer) = score.as_integer() {
                (low_int, high_int) = (low_int.min(integer), high_int.max(integer));
            } else if let Some(ratio) = score.to_ratio() {
                // One reduction first: `lcm` takes a step for each bit of the longer
                // number, hours where thousands of denominators are unrelated.
                let rest = &score_denominator % ratio.denom();
                score_denominator *= ratio.denom() / rest.gcd(ratio.denom());
                // Values lie at least so far apart, in units of the denominator.
                let bits = |spread: &BigRational| {
                    let (long, short) = (spread.numer().bits(), spread.denom().bits());
                    (long + score_denominator.bits()).saturating_sub(short + 1)
                };
                let needed = model.len() as u128 * u128::from(bits(&high).max(bits(&low)) / 8);
                if needed > max_bytes {
                    return Err(too_long(model.len(), needed, max_bytes));
                }
                if ratio < low {
                    low = ratio;
                } else if ratio > high {
                    high = ratio;
                }
            }
        }
        low = low.min(BigRational::from_integer(low_int.into()));
        high = high.max(BigRational::from_integer(high_int.into()));
        let denominator = &paths * score_denominator.magnitude();
        let scale = BigInt::from(denominator.clone());
        let offset = (-low.clone() * &scale).to_integer().magnitude().clone();
        let range = ((high - low) * &scale).to_integer().magnitude().clone();
        let width = (range.bits().max(1).div_ceil(64)) as usize;
        let needed = model.len() as u128 * width as u128 * 8;
        if needed > max_bytes || !fits(needed) {
            return Err(too_long(model.len(), needed, max_bytes));
        }
        let one = if low_int == 0 && high_int > 0 && offset.is_zero() {
            to_limbs(&denominator, width)
        } else {
            Vec::new()
        };
        Ok(Integers {
            limbs: vec![0; model.len() * width],
            width,
            denominator,
            paths,
            offset,
            one,
            divisors,
        })
    }

    fn slot(&self) -> Vec<u64> {
        vec![0; self.width + 1]
    }

    #[inline]
    fn clear(&self, slot: &mut Vec<u64>) {
        slot.fill(0);
    }

    #[inline]
    fn add(&self, slot: &mut Vec<u64>, number: usize, weight: u64) {
        add_product(slot, self.at(number), weight);
    }

    #[inline]
    fn divide(&self, slot: &mut Vec<u64>, total: u64) {
        if total > 1 {
            divide_exact(slot, &self.divisors.get(total));
        }
    }

    fn put_score(&mut self, number: usize, score: &Score) -> bool {
        let width = self.width;
        let big;
        // Won and lost are nearly all the scores there are.
        let limbs = match score.as_integer() {
            Some(0) if self.offset.is_zero() => return true,
            Some(1) if !self.one.is_empty() => &self.one,
            _ => {
                big = to_limbs(&self.over_denominator(score), width);
                &big
            }
        };
        self.limbs[number * width..(number + 1) * width].copy_from_slice(limbs);
        true
    }

    #[inline]
    fn put(&mut self, number: usize, slot: &Vec<u64>) {
        let width = self.width;
        self.limbs[number * width..(number + 1) * width].copy_from_slice(&slot[..width]);
    }

    fn load(&self, slot: &mut Vec<u64>, number: usize) {
        slot[..self.width].copy_from_slice(self.at(number));
        slot[self.width] = 0;
    }

    #[inline]
    fn doubt(&self, _: &mut Vec<u64>, _: &Vec<u64>) {}

    fn prefers(&self, candidate: &Vec<u64>, incumbent: &Vec<u64>, tolerance: &Tolerance) -> bool {
        if compare(candidate, incumbent) != Ordering::Greater {
            return false;
        }
        match tolerance.rule() {
            Rule::Strict => true,
            // c - i > (p/q) |i|
            Rule::Relative(p, q) => {
                if self.offset.is_zero() {
                    let left = Self::times(candidate, q);
                    let right = Self::times(incumbent, q + p);
                    return compare(&left, &right) == Ordering::Greater;
                }
                let (c, i) = (from_limbs(candidate), from_limbs(incumbent));
                let gap = (c - &i) * q;
                let size = BigInt::from(i) - BigInt::from(self.offset.clone());
                gap > size.magnitude() * p
            }
            // c - i > (p/q) D
            Rule::Absolute(p, q) => {
                let gap = from_limbs(candidate) - from_limbs(incumbent);
                gap * q > &self.denominator * p
            }
        }
    }

    fn ties(&self, a: &Vec<u64>, b: &Vec<u64>) -> bool {
        a == b
    }

    fn value(&self, slot: &Vec<u64>) -> BigRational {
        let integer = BigInt::from(from_limbs(slot)) - BigInt::from(self.offset.clone());
        BigRational::new(integer, BigInt::from(self.denominator.clone()))
    }

    fn error(&self, _: usize) -> f64 {
        0.0
    }

    fn whole(&self) -> BigUint {
        self.paths.clone()
    }
}
