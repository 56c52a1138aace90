//! Between which numbers the scores of a game lie, and over which denominator.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::Zero;

use crate::Score;

/// The lowest and the highest score, zero among them, and a common denominator
/// of all.
#[derive(Debug)]
pub(super) struct ScoreRange {
    low: BigRational,
    high: BigRational,
    /// Almost every score is a small integer.
    low_int: i64,
    high_int: i64,
    denominator: BigUint,
    /// Bits of the range over the denominator; of the fractions alone.
    bits: u64,
}

impl ScoreRange {
    pub(super) fn new() -> Self {
        ScoreRange {
            low: BigRational::zero(),
            high: BigRational::zero(),
            low_int: 0,
            high_int: 0,
            denominator: BigUint::from(1_u8),
            bits: 0,
        }
    }

    #[inline]
    pub(super) fn add(&mut self, score: &Score) {
        if let Some(integer) = score.as_integer() {
            self.low_int = self.low_int.min(integer);
            self.high_int = self.high_int.max(integer);
        } else if let Some(ratio) = score.to_ratio() {
            self.add_ratio(ratio);
        }
    }

    fn add_ratio(&mut self, ratio: BigRational) {
        // One reduction first: `lcm` takes a step for each bit of the longer
        // number, hours where thousands of denominators are unrelated.
        let denominator = ratio.denom().magnitude();
        let rest = &self.denominator % denominator;
        self.denominator *= denominator / rest.gcd(denominator);
        if ratio < self.low {
            self.low = ratio;
        } else if ratio > self.high {
            self.high = ratio;
        }
        // Values lie at least so far apart, in units of the denominator.
        let bits = |spread: &BigRational| {
            let (long, short) = (spread.numer().bits(), spread.denom().bits());
            (long + self.denominator.bits()).saturating_sub(short + 1)
        };
        self.bits = bits(&self.high).max(bits(&self.low));
    }

    /// Bits of the range over the denominator, from below.
    pub(super) fn bits(&self) -> u128 {
        u128::from(self.bits)
    }

    /// The lowest score or zero, what the highest lies above it, both over the
    /// denominator, and that.
    pub(super) fn finish(self) -> (BigInt, BigUint, BigUint) {
        let low = self.low.min(BigRational::from_integer(self.low_int.into()));
        let high = self
            .high
            .max(BigRational::from_integer(self.high_int.into()));
        let scale = BigInt::from(self.denominator.clone());
        let range = ((high - &low) * &scale).to_integer();
        let low = (low * scale).to_integer();
        (low, range.magnitude().clone(), self.denominator)
    }
}
