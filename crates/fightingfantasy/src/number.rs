//! One implementation for fractions and floats: sums of nonnegative numbers over one total.

use std::ops::{AddAssign, DivAssign, MulAssign};

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::One;

use crate::Error;

/// The operations that the sums of this crate require of a number, which is exact (`BigUint`) or
/// rounded ([`Scaled`](crate::scaled::Scaled)).
///
/// Division is only used where it leaves no remainder. There is no subtraction, so no digits can
/// cancel.
pub(crate) trait Number:
    Clone
    + From<u64>
    + for<'a> AddAssign<&'a Self>
    + for<'a> MulAssign<&'a Self>
    + MulAssign<u64>
    + DivAssign<u64>
{
}

impl<N> Number for N where
    N: Clone
        + From<u64>
        + for<'a> AddAssign<&'a N>
        + for<'a> MulAssign<&'a N>
        + MulAssign<u64>
        + DivAssign<u64>
{
}

/// `base` to the power `exponent`, by squaring.
pub(crate) fn power<N: Number>(base: &N, exponent: u64) -> N {
    let mut result = N::from(1);
    for bit in (0..u64::BITS - exponent.leading_zeros()).rev() {
        let square = result.clone();
        result *= &square;
        if exponent >> bit & 1 == 1 {
            result *= base;
        }
    }
    result
}

/// `numerator / base^exponent` in lowest terms.
///
/// A common factor consists of prime factors of `base`, which is short. The greatest common divisor
/// of two numbers of ten thousand digits would take longer to compute than the sum itself. Instead,
/// common factors with `base` are divided out until none is left.
pub(crate) fn fraction(mut numerator: BigUint, base: &BigUint, exponent: u64) -> BigRational {
    let mut denominator = power(base, exponent);
    loop {
        let common = (&numerator % base).gcd(base);
        // `base` itself may no longer divide the remaining denominator.
        let common = (&denominator % &common).gcd(&common);
        if common.is_one() {
            return BigRational::new_raw(BigInt::from(numerator), BigInt::from(denominator));
        }
        numerator /= &common;
        denominator /= &common;
    }
}

/// The default limit on the work of one answer, as terms times bits per term: a few seconds.
pub(crate) const MAX_WORK: u64 = 1 << 37;

/// The cost of one term in [`Scaled`](crate::scaled::Scaled), expressed in bits of an exact number.
pub(crate) const FLOAT_BITS: u128 = 4096;

/// Refuses a sum that would take too long, before it is started.
///
/// `terms` counts the terms of the sum and those of the longest power. The power is all the work
/// when a fighter with one point meets one with billions.
pub(crate) fn check_work(terms: u128, bits: u128, limit: u64) -> Result<(), Error> {
    match terms.checked_mul(bits) {
        Some(work) if work <= u128::from(limit) => Ok(()),
        _ => Err(Error::TooLarge { terms, bits, limit }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn fraction_is_in_lowest_terms(numerator: u64, base: u8, exponent: u8) -> bool {
            let (base, exponent) = (BigUint::from(base.max(1)), u64::from(exponent % 40));
            let plain = BigRational::new(numerator.into(), power(&base, exponent).into());
            let ours = fraction(numerator.into(), &base, exponent);
            ours.numer() == plain.numer() && ours.denom() == plain.denom()
        }
    }

    #[test]
    fn power_of_anything_to_zero_is_one() {
        assert_eq!(power(&BigUint::ZERO, 0), BigUint::from(1_u8));
        assert_eq!(power(&BigUint::from(3_u8), 5), BigUint::from(243_u8));
    }

    #[test]
    fn work_is_checked_without_overflow() {
        assert!(check_work(10, 10, 100).is_ok());
        assert!(check_work(10, 11, 100).is_err());
        assert!(check_work(u128::MAX, u128::MAX, u64::MAX).is_err());
    }
}
