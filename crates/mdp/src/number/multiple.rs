//! Common denominators.

use num_bigint::BigUint;
use num_traits::Zero;
use oddsmith_dice::Weight;

/// Replaces `common` by its least common multiple with `denominator`. Both must be positive.
///
/// `Integer::lcm` takes a step for each bit of the longer number, which adds up to hours where
/// thousands of denominators are unrelated. Here a division reduces the longer one to the length of
/// the other, and nearly always that is all, since the remainder is zero. Otherwise the fraction is
/// reduced to lowest terms by Lehmer's algorithm, thirty bits per step.
pub(crate) fn cover(common: &mut BigUint, denominator: &BigUint) {
    if denominator.is_zero() {
        return;
    }
    let rest = &*common % denominator;
    if !rest.is_zero() {
        *common *= BigUint::ratio(&rest, denominator).denom().magnitude();
    }
}

/// Replaces `divisor`, which must be positive, by its greatest common divisor with `number`, in the
/// same way.
pub(crate) fn share(divisor: &mut BigUint, number: &BigUint) {
    let rest = number % &*divisor;
    if !rest.is_zero() {
        *divisor /= BigUint::ratio(&rest, divisor).denom().magnitude();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_integer::Integer;
    use num_traits::One;
    use quickcheck::quickcheck;

    quickcheck! {
        fn is_the_least_common_multiple(a: Vec<u32>, b: Vec<u32>, shared: Vec<u32>) -> bool {
            let [a, b, shared] = [a, b, shared].map(|digits| BigUint::new(digits) + 1_u8);
            let (a, b) = (a * &shared, b * shared);
            let mut common = a.clone();
            cover(&mut common, &b);
            common == a.lcm(&b)
        }

        fn is_the_greatest_common_divisor(a: Vec<u32>, b: Vec<u32>, shared: Vec<u32>) -> bool {
            let [a, b, shared] = [a, b, shared].map(BigUint::new);
            let (a, b) = (a * &shared + 1_u8, b * shared);
            let mut divisor = a.clone();
            share(&mut divisor, &b);
            divisor == a.gcd(&b)
        }
    }

    #[test]
    fn multiples_and_parts() {
        let six = BigUint::from(6_u8);
        let mut common = BigUint::one();
        for (exponent, expected) in [(3, 3), (2, 3), (900, 900), (300, 900)] {
            cover(&mut common, &six.pow(exponent));
            assert_eq!(common, six.pow(expected));
        }
        // No number has zero as its denominator, so zero requires nothing.
        cover(&mut common, &BigUint::ZERO);
        assert_eq!(common, six.pow(900));
    }
}
