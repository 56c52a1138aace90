//! Counting of rounding errors.
//!
//! Every operation on a float distribution adds, multiplies or divides numbers of at
//! least zero, each time with one rounding: fl(x ∘ y) = (x ∘ y)(1 + δ), |δ| ≤ u = 2⁻⁵³.
//! Let E(k) be the interval [(1 − u)ᵏ, (1 − u)⁻ᵏ]. As 1 + u ≤ 1/(1 − u), one rounding
//! is a factor in E(1). Products and quotients of factors in E(j) and E(k) lie in
//! E(j + k), and a sum of nonnegative terms, each with a factor in E(k), is the true sum
//! times a weighted mean of those factors, again in E(k). So it is enough to count: a
//! number computed through k roundings on its longest path is the true one times a factor
//! in E(k), and (1 − u)⁻ᵏ − 1 ≤ γ(k) = ku / (1 − ku) (N. J. Higham, "Accuracy and
//! Stability of Numerical Algorithms", 2nd ed., lemma 3.1).

use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

/// An upper bound on the number of roundings between a float distribution and the distribution it
/// stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Roundings {
    /// The roundings in each weight.
    pub(crate) weights: u64,
    /// The roundings in the total.
    pub(crate) total: u64,
}

impl Roundings {
    /// The roundings of products of weights, of which at most `terms` are then summed.
    pub(crate) fn product(self, other: Roundings, terms: usize) -> Roundings {
        Roundings {
            weights: self.weights.saturating_add(other.weights).saturating_add(1),
            total: self.total.saturating_add(other.total).saturating_add(1),
        }
        .sum(terms)
    }

    /// The roundings after sums of at most `terms` weights.
    pub(crate) fn sum(self, terms: usize) -> Roundings {
        let additions = terms.saturating_sub(1) as u64;
        Roundings {
            weights: self.weights.saturating_add(additions),
            ..self
        }
    }

    /// The roundings after the `n`-th power of a distribution of equal weights, with its weights
    /// and its total rounded once: the error of each is that of n factors.
    pub(crate) fn power(self, n: u32) -> Roundings {
        let of_dice = self.weights.saturating_mul(n.into());
        Roundings {
            weights: of_dice.saturating_add(1),
            total: of_dice.saturating_add(1),
        }
    }

    /// γ of the roundings in a sum of up to `terms` weights over the total.
    pub(crate) fn relative_error(self, terms: usize) -> f64 {
        // terms − 1 additions and one division.
        let count = self
            .weights
            .saturating_add(self.total)
            .saturating_add(terms as u64);
        gamma(count)
    }
}

/// γ(k) = ku / (1 − ku), rounded up. It is infinite for ku ≥ 1/2, where the bound is useless.
fn gamma(count: u64) -> f64 {
    let ku = count as f64 * (f64::EPSILON / 2.0);
    if ku >= 0.5 {
        return f64::INFINITY;
    }
    // This computation takes three roundings; four units in the last place cover them.
    ku / (1.0 - ku) * (1.0 + 4.0 * f64::EPSILON)
}

/// `part / whole` rounded to the nearest double, ties to even. Below the normal range (2⁻¹⁰²²) it
/// is rounded twice.
pub(crate) fn nearest(part: &BigUint, whole: &BigUint) -> f64 {
    let (digits, exponent) = quotient(part, whole);
    times_power_of_two(digits, exponent)
}

/// `part / whole` as a double from 1 to 2 and the exponent of a power of two, rounded to nearest
/// however small or large the quotient is. Zero is (0, 0).
pub(crate) fn nearest_scaled(part: &BigUint, whole: &BigUint) -> (f64, i64) {
    let (digits, exponent) = quotient(part, whole);
    let (digits, more) = scaled(digits);
    (digits, exponent + more)
}

/// Splits a double exactly into one from 1 to 2 and the exponent of a power of two.
pub(crate) fn scaled(x: f64) -> (f64, i64) {
    if x == 0.0 {
        return (0.0, 0);
    }
    let exponent = exponent_of(x);
    let digits = times_power_of_two(x, -exponent);
    // Below the normal range, the exponent has to be determined in a second step.
    let more = exponent_of(digits);
    (times_power_of_two(digits, -more), exponent + more)
}

/// `part / whole` as an integer of 63 or 64 bits, rounded to a double, and the exponent of a power
/// of two.
fn quotient(part: &BigUint, whole: &BigUint) -> (f64, i64) {
    if part.is_zero() || whole.is_zero() {
        return (0.0, 0);
    }
    // A quotient of 63 or 64 bits with a sticky last bit is rounded in the same way as the exact
    // one.
    let shift = 63 + whole.bits() as i64 - part.bits() as i64;
    let (quotient, exact) = if shift >= 0 {
        let scaled = part << shift;
        let quotient = &scaled / whole;
        let exact = &quotient * whole == scaled;
        (quotient, exact)
    } else {
        let scaled = whole << -shift;
        let quotient = part / &scaled;
        let exact = &quotient * &scaled == *part;
        (quotient, exact)
    };
    let digits = quotient.to_u64().unwrap_or(u64::MAX) | u64::from(!exact);
    (digits as f64, -shift)
}

/// An integer in 64-bit words, lowest first and the highest not zero, times a power of two, rounded
/// to the nearest double. Below the normal range it is rounded twice.
pub(crate) fn scaled_digits(digits: &[u64], exponent: i64) -> f64 {
    let Some((high, rest)) = digits.split_last() else {
        return 0.0;
    };
    let spare = high.leading_zeros();
    let (next, others) = rest
        .split_last()
        .map_or((0, rest), |(next, rest)| (*next, rest));
    let top = (u128::from(*high) << 64 | u128::from(next)) << spare;
    // The highest 64 bits, of which the last is set if there are nonzero bits below.
    let more = top as u64 != 0 || others.iter().any(|digit| *digit != 0);
    let bits = (top >> 64) as u64 | u64::from(more);
    let below = 64 * rest.len() as i64 - i64::from(spare);
    times_power_of_two(bits as f64, exponent + below)
}

/// x · 2ᵉ, exact within the range of normal doubles.
pub(crate) fn times_power_of_two(mut x: f64, mut exponent: i64) -> f64 {
    // Steps of ±1000 stay inside the normal range if the start and the end are in it.
    while exponent != 0 && x != 0.0 && x.is_finite() {
        let step = exponent.clamp(-1000, 1000);
        x *= f64::from_bits(((1023 + step) as u64) << 52);
        exponent -= step;
    }
    x
}

/// Scales a distribution so that its total stays within range. Powers of two are exact; weights
/// that fall below the smallest double become zero.
pub(crate) fn settle(weights: &mut [f64], total: &mut f64) {
    let exponent = exponent_of(*total);
    // The product of two totals this near to one is still far from the ends of the range, and most
    // laws need no scaling.
    if *total == 0.0 || exponent.abs() <= 64 {
        return;
    }
    for weight in weights.iter_mut() {
        *weight = times_power_of_two(*weight, -exponent);
    }
    *total = times_power_of_two(*total, -exponent);
}

/// ⌊log₂ x⌋ of a positive normal double; −1023 for smaller numbers.
pub(crate) fn exponent_of(x: f64) -> i64 {
    ((x.to_bits() >> 52) & 0x7ff) as i64 - 1023
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(part: u128, whole: u128, expected: f64) {
        assert_eq!(nearest(&part.into(), &whole.into()), expected);
    }

    #[test]
    fn nearest_rounds_once() {
        check(1, 3, 1.0 / 3.0);
        check(1, 10, 0.1);
        check(2, 2, 1.0);
        check(u128::MAX, 1, u128::MAX as f64);
        // Halfway between two doubles: ties go to even, and one bit more rounds up.
        check((1 << 53) + 1, 1 << 53, 1.0);
        check((1 << 100) + (1 << 47) + 1, 1 << 100, 1.0 + f64::EPSILON);
        check((1 << 54) - 1, 1 << 54, 1.0);
    }

    #[test]
    fn nearest_reaches_the_smallest_double() {
        let whole = BigUint::from(1u32) << 1074u32;
        assert_eq!(nearest(&1u32.into(), &whole), f64::from_bits(1));
        assert_eq!(nearest(&1u32.into(), &(whole << 10u32)), 0.0);
    }

    #[test]
    fn digits_are_rounded_once() {
        fn same(words: Vec<u64>, zeros: u8, exponent: i16) -> bool {
            // Zeros, so that what is halfway comes up.
            let kept = words.iter().enumerate();
            let digits: Vec<u32> = kept
                .map(|(place, word)| {
                    if zeros >> (place % 8) & 1 == 1 {
                        0
                    } else {
                        *word
                    }
                })
                .flat_map(|word| [word as u32, (word >> 32) as u32])
                .collect();
            let number = BigUint::new(digits);
            let words: Vec<u64> = number.iter_u64_digits().collect();
            let exponent = i64::from(exponent % 500);
            let whole = BigUint::from(1u32) << (number.bits() as i64 + 600 - exponent) as u64;
            let scale = exponent - number.bits() as i64 - 600;
            scaled_digits(&words, scale) == nearest(&number, &whole)
        }
        quickcheck::QuickCheck::new()
            .tests(1_000)
            .quickcheck(same as fn(Vec<u64>, u8, i16) -> bool);
        let halves: [(&[u64], f64); 4] = [
            (&[0, 1 << 53 | 1], 2f64.powi(64) * ((1u64 << 53) as f64)),
            (
                &[1, 1 << 53 | 1],
                2f64.powi(64) * ((1u64 << 53) as f64 + 2.0),
            ),
            (&[u64::MAX], 2f64.powi(64)),
            (&[], 0.0),
        ];
        for (digits, rounded) in halves {
            assert_eq!(scaled_digits(digits, 0), rounded, "{digits:?}");
        }
    }

    #[test]
    fn scaled_numbers_have_no_smallest() {
        let whole = BigUint::from(1u32) << 3000u32;
        assert_eq!(nearest_scaled(&3u32.into(), &whole), (1.5, -2999));
        assert_eq!(nearest_scaled(&whole, &3u32.into()), (4.0 / 3.0, 2998));
        assert_eq!(nearest_scaled(&0u32.into(), &whole), (0.0, 0));
        assert_eq!(scaled(f64::from_bits(3)), (1.5, -1073));
        assert_eq!(scaled(-0.75), (-1.5, -1));
    }

    #[test]
    fn settle_keeps_the_law() {
        let (mut weights, mut total) = ([3e200, 1e200], 4e200);
        settle(&mut weights, &mut total);
        assert!((1.0..2.0).contains(&total));
        assert_eq!(weights[0] / total, 0.75);
    }

    #[test]
    fn gamma_of_one_rounding_is_half_an_epsilon() {
        assert!(gamma(1) >= f64::EPSILON / 2.0 && gamma(1) < f64::EPSILON / 2.0 * 1.000001);
        assert_eq!(gamma(0), 0.0);
        assert_eq!(gamma(u64::MAX), f64::INFINITY);
    }

    #[test]
    fn roundings_add_up_along_the_longest_path() {
        let once = Roundings {
            weights: 1,
            total: 0,
        };
        // Two factors, one product, two additions of three terms; totals: one product.
        let three = once.product(once, 3);
        assert_eq!((three.weights, three.total), (5, 1));
        assert_eq!(once.sum(1), once);
        // One more addition each for two outcomes, and the division.
        assert_eq!(three.relative_error(2), gamma(8));
    }
}
