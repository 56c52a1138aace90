//! A float of about 106 bits that neither overflows nor underflows.

use std::ops::{AddAssign, DivAssign, MulAssign};

use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// A nonnegative number `(high + low) · 2^exponent` of about 106 bits.
///
/// It is either zero (all parts zero) or `1 ≤ high < 2` and `|low| ≤ ulp(high) / 2`.
///
/// A chance of 1e-300 is a product of thousands of factors and a binomial coefficient beyond 1e308.
/// The separate exponent avoids the limits of the range, and the second word reduces the error.
/// With one word, the error bound would grow with STAMINA (a thousand roundings per sum). With two,
/// the answer is right to the last bit for every STAMINA that can be computed in acceptable time,
/// which is worth a product that is five times slower.
///
/// The operations are the double-word ones of M. Joldes, J.-M. Muller and V. Popescu, "Tight and
/// rigorous error bounds for basic building blocks of double-word arithmetic" (2017), with Dekker's
/// product in place of fused multiply-add, which is a slow library call on plain x86-64. With u =
/// 2^-53, each has a relative error of at most 16 u². All numbers here are nonnegative and are only
/// added, multiplied and divided, so the errors of n successive operations add up to at most 16 n
/// u² (1 + tiny).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scaled {
    high: f64,
    low: f64,
    exponent: i64,
}

impl Scaled {
    const ZERO: Self = Self {
        high: 0.0,
        low: 0.0,
        exponent: 0,
    };

    /// Restores the invariant for `high + low` where `|low| ≤ |high|`.
    fn normal(high: f64, low: f64, exponent: i64) -> Self {
        let (high, low) = fast_two_sum(high, low);
        if high == 0.0 {
            return Self::ZERO;
        }
        // `high` stays within 2^±130, so it is a normal float and its exponent is in its bits.
        let power = ((high.to_bits() >> 52) & 0x7ff).cast_signed() - 1023;
        let by = power_of_two(-power);
        Self {
            high: high * by,
            low: low * by,
            exponent: exponent + power,
        }
    }

    /// `numerator / denominator` to within 2^-106; the denominator must be positive.
    pub(crate) fn ratio(numerator: &BigUint, denominator: &BigUint) -> Self {
        if numerator.bits() == 0 {
            return Self::ZERO;
        }
        // The quotient has 118 to 120 bits. The two words below hold it to within its last bit.
        let shift = 119 + i128::from(denominator.bits()) - i128::from(numerator.bits());
        let quotient = match u64::try_from(shift) {
            Ok(shift) => (numerator << shift) / denominator,
            Err(_) => numerator / (denominator << shift.unsigned_abs()),
        };
        // The shift was chosen so that there are at most 120 bits.
        let quotient = quotient.to_u128().unwrap_or(u128::MAX);
        let high = quotient >> 60;
        let low = quotient & ((1 << 60) - 1);
        let mut value = Self::from(high as u64);
        value.exponent += 60;
        value += &Self::from(low as u64);
        // The shift is bounded by the number of bits of numbers in memory.
        value.exponent -= i64::try_from(shift).unwrap_or(i64::MAX);
        value
    }

    /// The nearest float: 0 or subnormal below 2^-1022, and infinite above the largest float.
    pub(crate) fn to_f64(self) -> f64 {
        // The scaling takes two steps because 2^-1074 is not the inverse of a float. A subnormal
        // result is rounded a second time here, which costs at most the spacing of the subnormals.
        let exponent = self.exponent.clamp(-2100, 2100);
        let half = exponent / 2;
        self.high * power_of_two(half.max(-1022)) * power_of_two((exponent - half).max(-1022))
    }

    pub(crate) fn is_below_half(self) -> bool {
        self.exponent < -1 || self.high == 0.0
    }

    /// The natural logarithm of a value up to 1/2, or −∞ for zero.
    pub(crate) fn ln(self) -> f64 {
        if self.high == 0.0 {
            return f64::NEG_INFINITY;
        }
        // With a mantissa in [√½, √2), the two summands cannot cancel.
        let (mantissa, exponent) = if self.high > std::f64::consts::SQRT_2 {
            (self.high / 2.0, self.exponent + 1)
        } else {
            (self.high, self.exponent)
        };
        mantissa.ln() + exponent as f64 * std::f64::consts::LN_2
    }
}

impl From<u64> for Scaled {
    fn from(n: u64) -> Self {
        let high = n as f64;
        // The rounded value is within 2^10 of n, so the difference is exactly a float.
        let low = (i128::from(n) - high as i128) as f64;
        Self::normal(high, low, 0)
    }
}

impl AddAssign<&Self> for Scaled {
    fn add_assign(&mut self, other: &Self) {
        if other.high == 0.0 {
            return;
        }
        let (large, small) = if self.high == 0.0 || self.exponent < other.exponent {
            (*other, *self)
        } else {
            (*self, *other)
        };
        let gap = large.exponent - small.exponent;
        if small.high == 0.0 || gap > 110 {
            *self = large;
            return;
        }
        let by = power_of_two(-gap);
        let (high, low) = two_sum(large.high, small.high * by);
        let (tail, rest) = two_sum(large.low, small.low * by);
        let (high, low) = fast_two_sum(high, low + tail);
        *self = Self::normal(high, low + rest, large.exponent);
    }
}

impl MulAssign<&Self> for Scaled {
    fn mul_assign(&mut self, by: &Self) {
        let (high, low) = two_product(self.high, by.high);
        let low = low + (self.high * by.low + self.low * by.high);
        *self = Self::normal(high, low, self.exponent + by.exponent);
    }
}

impl MulAssign<u64> for Scaled {
    fn mul_assign(&mut self, by: u64) {
        *self *= &Self::from(by);
    }
}

impl DivAssign<u64> for Scaled {
    fn div_assign(&mut self, by: u64) {
        let by = Self::from(by);
        let quotient = self.high / by.high;
        let (high, low) = two_product(by.high, quotient);
        let (high, low) = fast_two_sum(high, low + by.low * quotient);
        let rest = (self.high - high) + (self.low - low);
        *self = Self::normal(quotient, rest / by.high, self.exponent - by.exponent);
    }
}

/// 2^n for −1022 ≤ n ≤ 1023.
fn power_of_two(n: i64) -> f64 {
    f64::from_bits((n.clamp(-1022, 1023) + 1023).cast_unsigned() << 52)
}

/// a + b as a float and its error, for |a| ≥ |b|.
fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// a + b as a float and its error.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let from_b = sum - a;
    (sum, (a - (sum - from_b)) + (b - from_b))
}

/// a · b as a float and its error, for a and b in [0, 2].
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let split = |x: f64| {
        let wide = x * 134_217_729.0;
        let high = wide - (wide - x);
        (high, x - high)
    };
    let product = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    (
        product,
        ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use num_traits::Signed;
    use quickcheck::quickcheck;

    fn exact(value: Scaled) -> BigRational {
        let words = BigRational::from_float(value.high).unwrap()
            + BigRational::from_float(value.low).unwrap();
        let power =
            BigRational::from_integer(BigInt::from(2)).pow(i32::try_from(value.exponent).unwrap());
        words * power
    }

    #[track_caller]
    fn close(value: Scaled, expected: &BigRational) {
        // 16 u² with u = 2^-53 is 2^-102.
        let bound = expected / BigInt::from(BigUint::from(1_u8) << 102_u8);
        assert!(
            (exact(value) - expected).abs() <= bound,
            "{value:?} is not {expected}"
        );
        assert!(
            value.high == 0.0 || (1.0..2.0).contains(&value.high),
            "{value:?}"
        );
    }

    fn fraction(numerator: u64, denominator: u64) -> BigRational {
        BigRational::new(numerator.into(), denominator.into())
    }

    quickcheck! {
        fn every_operation_is_within_its_bound(a: u64, b: u64, c: u64, d: u64) -> bool {
            let (b, d) = (b.max(1), d.max(1));
            let left = Scaled::ratio(&a.into(), &b.into());
            let right = Scaled::ratio(&c.into(), &d.into());
            close(left, &fraction(a, b));
            close(Scaled::from(a), &fraction(a, 1));
            let (mut sum, mut product, mut multiple, mut quotient) = (left, left, left, left);
            sum += &right;
            product *= &right;
            multiple *= c;
            quotient /= d;
            close(sum, &(exact(left) + exact(right)));
            close(product, &(exact(left) * exact(right)));
            close(multiple, &(exact(left) * fraction(c, 1)));
            close(quotient, &(exact(left) / fraction(d, 1)));
            true
        }
    }

    #[test]
    fn sums_of_far_apart_numbers() {
        for gap in [1, 52, 53, 54, 105, 106, 107, 110, 111, 5000] {
            let mut small = Scaled::from(3);
            small.exponent -= gap;
            let mut sum = Scaled::from(u64::MAX);
            sum += &small;
            close(sum, &(exact(Scaled::from(u64::MAX)) + exact(small)));
            small += &Scaled::from(u64::MAX);
            assert_eq!(small, sum);
        }
    }

    #[test]
    fn zero_stays_zero() {
        let mut zero = Scaled::from(0);
        zero *= &Scaled::from(7);
        zero /= 9;
        zero += &Scaled::ratio(&BigUint::ZERO, &BigUint::from(5_u8));
        assert_eq!(zero, Scaled::ZERO);
        assert_eq!(zero.to_f64(), 0.0);
        assert_eq!(zero.ln(), f64::NEG_INFINITY);
    }

    #[test]
    fn leaves_the_range_of_f64_only_at_the_door() {
        let power = |exponent| Scaled {
            high: 1.5,
            low: 0.0,
            exponent,
        };
        assert_eq!(power(1023).to_f64(), 1.5 * 2_f64.powi(1023));
        assert_eq!(power(1024).to_f64(), f64::INFINITY);
        assert_eq!(power(-1022).to_f64(), 1.5 * f64::MIN_POSITIVE);
        assert_eq!(power(-1073).to_f64(), f64::from_bits(3));
        assert_eq!(power(-1076).to_f64(), 0.0);
        assert_eq!(power(i64::MIN).to_f64(), 0.0);
        assert_eq!(power(i64::MAX).to_f64(), f64::INFINITY);
        let tiny = power(-1_000_000).ln();
        assert!((tiny + 1_000_000.0 * std::f64::consts::LN_2 - 1.5_f64.ln()).abs() < 1e-9);
    }
}
