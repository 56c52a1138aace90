//! Common denominators.

use num_bigint::BigUint;
use num_traits::Zero;
use oddsmith_dice::Weight;

/// Makes `common` the least common multiple of what it is and `denominator`, both above zero.
///
/// `Integer::lcm` takes a step for each bit of the longer number, hours where thousands of
/// denominators are unrelated. Here a division brings the longer one to the length of the
/// other, and nearly always that is all, since nothing is left. The rest is brought to
/// lowest terms by Lehmer's algorithm, thirty bits a step.
pub(crate) fn cover(common: &mut BigUint, denominator: &BigUint) {
    if denominator.is_zero() {
        return;
    }
    let rest = &*common % denominator;
    if !rest.is_zero() {
        *common *= BigUint::ratio(&rest, denominator).denom().magnitude();
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
    }

    #[test]
    fn multiples_and_parts() {
        let six = BigUint::from(6_u8);
        let mut common = BigUint::one();
        for (exponent, expected) in [(3, 3), (2, 3), (900, 900), (300, 900)] {
            cover(&mut common, &six.pow(exponent));
            assert_eq!(common, six.pow(expected));
        }
        // Nothing has zero as a denominator, and so it asks for nothing.
        cover(&mut common, &BigUint::ZERO);
        assert_eq!(common, six.pow(900));
    }
}
