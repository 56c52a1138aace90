//! The range of the scores of a game, and their common denominator.

use std::cmp::{max_by, min_by};

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::Zero;

use super::cover;
use crate::Score;
use crate::score::compare;

/// The lowest and the highest score, with zero included, and a common denominator of all scores.
#[derive(Debug)]
pub(super) struct ScoreRange {
    low: BigRational,
    high: BigRational,
    /// Almost every score is a small integer.
    low_int: i64,
    high_int: i64,
    denominator: BigUint,
    /// The number of bits of the range over the denominator; of fractions alone.
    bits: u64,
    /// Whether choices pay rewards, too.
    pays: bool,
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
            pays: false,
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

    /// Includes the denominator of a reward. The sums of rewards are passed to
    /// [`widen`](Self::widen) later.
    pub(super) fn pay(&mut self, reward: &Score) {
        self.pays = true;
        if reward.as_integer().is_none()
            && let Some(ratio) = reward.to_ratio()
        {
            self.add_denominator(ratio.denom().magnitude());
            self.measure();
        }
    }

    pub(super) fn pays(&self) -> bool {
        self.pays
    }

    pub(super) fn denominator(&self) -> &BigUint {
        &self.denominator
    }

    /// Extends the range to these numbers over the denominator.
    pub(super) fn widen(&mut self, low: BigInt, high: BigInt) {
        let scale = BigInt::from(self.denominator.clone());
        for total in [low, high] {
            let ratio = BigRational::new(total, scale.clone());
            self.include(ratio);
        }
        self.measure();
    }

    fn include(&mut self, ratio: BigRational) {
        if compare(&ratio, &self.low).is_lt() {
            self.low = ratio;
        } else if compare(&ratio, &self.high).is_gt() {
            self.high = ratio;
        }
    }

    fn add_denominator(&mut self, denominator: &BigUint) {
        cover(&mut self.denominator, denominator);
    }

    fn add_ratio(&mut self, ratio: BigRational) {
        self.add_denominator(ratio.denom().magnitude());
        self.include(ratio);
        self.measure();
    }

    fn measure(&mut self) {
        // A lower bound on the number of bits of such a distance, in units of the denominator.
        let bits = |spread: &BigRational| {
            let (long, short) = (spread.numer().bits(), spread.denom().bits());
            (long + self.denominator.bits()).saturating_sub(short + 1)
        };
        self.bits = bits(&self.high).max(bits(&self.low));
    }

    /// Returns a lower bound on the number of bits of the range over the denominator.
    pub(super) fn bits(&self) -> u128 {
        u128::from(self.bits)
    }

    /// Returns the lowest score or zero, the distance of the highest from it, both over the
    /// denominator, and the denominator.
    pub(super) fn finish(self) -> (BigInt, BigUint, BigUint) {
        let [low, high] = [self.low_int, self.high_int];
        let [low, high] = [low, high].map(|end| BigRational::from_integer(end.into()));
        let low = min_by(self.low, low, compare);
        let high = max_by(self.high, high, compare);
        let scale = BigInt::from(self.denominator.clone());
        let range = ((high - &low) * &scale).to_integer();
        let low = (low * scale).to_integer();
        (low, range.magnitude().clone(), self.denominator)
    }
}
