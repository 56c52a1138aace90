//! Probabilities whose denominators are mostly powers of ten.

use std::cmp::Ordering;

use num_bigint::BigUint;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};

/// `number / (10^tens · over)`, not reduced: addition and multiplication need no greatest common
/// divisor.
#[derive(Clone, Debug)]
pub(crate) struct Fraction {
    number: BigUint,
    tens: u32,
    over: BigUint,
}

impl Fraction {
    pub(crate) fn zero() -> Self {
        Fraction::new(BigUint::zero(), 0)
    }

    pub(crate) fn one() -> Self {
        Fraction::new(BigUint::one(), 0)
    }

    pub(crate) fn new(number: BigUint, tens: u32) -> Self {
        Fraction {
            number,
            tens,
            over: BigUint::one(),
        }
    }

    pub(crate) fn from_ratio(ratio: &BigRational) -> Self {
        Fraction {
            number: ratio.numer().magnitude().clone(),
            tens: 0,
            over: ratio.denom().magnitude().clone(),
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.number.is_zero()
    }

    pub(crate) fn times(&self, other: &Fraction) -> Self {
        Fraction {
            number: &self.number * &other.number,
            tens: self.tens + other.tens,
            over: match (self.over.is_one(), other.over.is_one()) {
                (_, true) => self.over.clone(),
                (true, _) => other.over.clone(),
                _ => &self.over * &other.over,
            },
        }
    }

    /// Brings both numbers to one denominator, which is returned third and fourth.
    fn aligned(&self, other: &Fraction) -> (BigUint, BigUint, u32, BigUint) {
        let tens = self.tens.max(other.tens);
        let raise = |fraction: &Fraction| match tens - fraction.tens {
            0 => fraction.number.clone(),
            more => &fraction.number * BigUint::from(10u8).pow(more),
        };
        let (mut a, mut b) = (raise(self), raise(other));
        if self.over == other.over {
            return (a, b, tens, self.over.clone());
        }
        // The Cartwheel produces few denominators, which have large common factors.
        let shared = self.over.gcd(&other.over);
        let more = &other.over / &shared;
        a *= &more;
        b *= &self.over / &shared;
        (a, b, tens, &self.over * more)
    }

    pub(crate) fn add(&mut self, other: &Fraction) {
        if other.is_zero() {
            return;
        }
        if self.is_zero() {
            self.clone_from(other);
            return;
        }
        let (a, b, tens, over) = self.aligned(other);
        *self = Fraction {
            number: a + b,
            tens,
            over,
        };
    }

    pub(crate) fn compare(&self, other: &Fraction) -> Ordering {
        let (a, b, ..) = self.aligned(other);
        a.cmp(&b)
    }

    /// Removes trailing zeros.
    pub(crate) fn trimmed(mut self) -> Self {
        if self.number.is_zero() {
            return Fraction::zero();
        }
        // A power of ten has as many factors of two as of five, so trailing zero bits give a bound.
        let zeros = self.number.trailing_zeros().unwrap_or(0);
        let mut most = u32::try_from(zeros).unwrap_or(u32::MAX).min(self.tens);
        let mut chunk = 64;
        while chunk > 0 {
            while most >= chunk {
                let (quotient, rest) = self.number.div_rem(&BigUint::from(10u8).pow(chunk));
                if !rest.is_zero() {
                    break;
                }
                self.number = quotient;
                self.tens -= chunk;
                most -= chunk;
            }
            chunk /= 2;
        }
        self
    }

    pub(crate) fn ratio(&self) -> BigRational {
        let under = BigUint::from(10u8).pow(self.tens) * &self.over;
        BigRational::new(self.number.clone().into(), under.into())
    }

    /// Returns the number, the tens, and the rest of the denominator.
    pub(crate) fn parts(&self) -> (&BigUint, u32, &BigUint) {
        (&self.number, self.tens, &self.over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    fn fraction(number: u64, tens: u32, over: u64) -> (Fraction, BigRational) {
        let over = BigRational::new(1.into(), (over % 97 + 1).into());
        let fraction = Fraction::new(number.into(), tens % 40).times(&Fraction::from_ratio(&over));
        let ratio = fraction.ratio();
        (fraction, ratio)
    }

    quickcheck! {
        fn as_rationals_do(a: (u64, u32, u64), b: (u64, u32, u64)) -> bool {
            let ((a, p), (b, q)) = (fraction(a.0, a.1, a.2), fraction(b.0, b.1, b.2));
            let mut sum = a.clone();
            sum.add(&b);
            sum.ratio() == &p + &q
                && a.times(&b).trimmed().ratio() == &p * &q
                && a.compare(&b) == p.cmp(&q)
                && a.trimmed().ratio() == p
        }
    }
}
