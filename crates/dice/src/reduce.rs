//! Reduction of fractions of big integers to lowest terms.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

/// `numerator / denominator` in lowest terms, or zero if the denominator is zero.
pub(crate) fn reduce(numerator: BigInt, denominator: &BigUint) -> BigRational {
    if denominator.is_zero() || numerator.is_zero() {
        return BigRational::zero();
    }
    let common = gcd(numerator.magnitude(), denominator);
    if common.is_one() {
        return BigRational::new_raw(numerator, denominator.clone().into());
    }
    let denominator = denominator / &common;
    BigRational::new_raw(numerator / BigInt::from(common), denominator.into())
}

/// The factor by which `common` must be multiplied so that `denominator` divides it. `Integer::lcm`
/// takes a step per bit of the longer number. If only the common one is long, Lehmer's algorithm
/// takes a single division: seconds instead of hours for many numbers.
pub(crate) fn lacking(common: &BigUint, denominator: &BigUint) -> BigUint {
    // If both are zero, no factor is needed.
    denominator / gcd(common, denominator).max(BigUint::one())
}

/// The greatest common divisor, by Lehmer's variant of Euclid's algorithm (D. E. Knuth,
/// "The Art of Computer Programming", vol. 2, 4.5.2, algorithm L).
///
/// The leading words of both numbers predict some thirty bits of quotients, which are then applied
/// at once. `Integer::gcd` takes one bit per step: a probability of 1000d6, over a total of 2,585
/// bits, is reported several times faster this way.
pub(crate) fn gcd(left: &BigUint, right: &BigUint) -> BigUint {
    let (mut a, mut b) = (left.clone(), right.clone());
    if a < b {
        std::mem::swap(&mut a, &mut b);
    }
    while b.bits() > 64 {
        let shift = a.bits() - 62;
        let top = |number: &BigUint| (number >> shift).to_i128().unwrap_or(0);
        match foretell(top(&a), top(&b)) {
            Some([p, q, r, s]) => {
                let next = (combine(&a, p, &b, q), combine(&a, r, &b, s));
                (a, b) = next;
            }
            // A single quotient is too large to predict, so take a step of Euclid's own algorithm.
            None => {
                let rest = &a % &b;
                a = std::mem::replace(&mut b, rest);
            }
        }
    }
    if b.is_zero() {
        return a;
    }
    let (word, rest) = (b.to_u64().unwrap_or(1), a % &b);
    word.gcd(&rest.to_u64().unwrap_or(0)).into()
}

/// The matrix of the quotients that the leading parts of two numbers share with the numbers
/// themselves, whatever the remaining digits are.
fn foretell(mut x: i128, mut y: i128) -> Option<[i128; 4]> {
    let [mut p, mut q, mut r, mut s] = [1, 0, 0, 1];
    while y + r != 0 && y + s != 0 {
        let quotient = (x + p) / (y + r);
        if quotient != (x + q) / (y + s) {
            break;
        }
        (p, r) = (r, p - quotient * r);
        (q, s) = (s, q - quotient * s);
        (x, y) = (y, x - quotient * y);
    }
    (q != 0).then_some([p, q, r, s])
}

/// p·a + q·b, where p and q have opposite signs and the sum is nonnegative.
fn combine(a: &BigUint, p: i128, b: &BigUint, q: i128) -> BigUint {
    // The factors are below 2⁶². They fit one word, for which a product takes a single pass.
    let times = |number: &BigUint, factor: i128| number * factor.unsigned_abs() as u64;
    if p >= 0 && q <= 0 {
        times(a, p) - times(b, q)
    } else {
        times(b, q) - times(a, p)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    fn big(digits: &[u32]) -> BigUint {
        BigUint::from_slice(digits)
    }

    quickcheck! {
        fn lehmer_agrees_with_stein(a: Vec<u32>, b: Vec<u32>, common: Vec<u32>) -> bool {
            let (a, b) = (big(&a) * big(&common), big(&b) * big(&common));
            gcd(&a, &b) == Integer::gcd(&a, &b)
        }

        fn reduced_fractions_are_canonical(a: Vec<u32>, b: Vec<u32>, common: Vec<u32>) -> bool {
            let common = big(&common) + 1u32;
            let (a, b) = (BigInt::from(big(&a) * &common), (big(&b) + 1u32) * common);
            let expected = BigRational::new(-a.clone(), b.clone().into());
            let found = reduce(-a, &b);
            found.numer() == expected.numer() && found.denom() == expected.denom()
        }
    }

    /// Quotients of one, the most steps of all, and powers, the fewest.
    #[test]
    fn extremes() {
        let (mut a, mut b) = (BigUint::zero(), BigUint::one());
        for _ in 0..2000 {
            (a, b) = (b.clone(), a + b);
        }
        assert!(gcd(&a, &b).is_one());
        assert_eq!(
            gcd(&(&a * 6u32), &(&b * 9u32)),
            Integer::gcd(&(&a * 6u32), &(&b * 9u32))
        );
        let six = BigUint::from(6u32);
        assert_eq!(gcd(&six.pow(300), &six.pow(1000)), six.pow(300));
        assert_eq!(
            gcd(&(BigUint::one() << 500u32), &six.pow(400)),
            BigUint::one() << 400u32
        );
        assert_eq!(
            gcd(&(six.pow(200) - 1u32), &(six.pow(300) - 1u32)),
            six.pow(100) - 1u32
        );
        assert_eq!(gcd(&BigUint::zero(), &six), six);
        assert_eq!(gcd(&six, &BigUint::zero()), six);
    }
}
