//! The upper tail of the chi-square distribution.
//!
//! With k degrees of freedom, P(X ≥ x) = Q(k/2, λ), λ = x/2, where (M. Abramowitz and
//! I. A. Stegun, "Handbook of Mathematical Functions", 26.4.4 and 26.4.5)
//!
//! * k even: Q = e^(−λ) Σ λʲ/j!, j from 0 to k/2 − 1;
//! * k odd: Q = erfc(√λ) + e^(−λ) Σ λ^(j + 1/2) / Γ(j + 3/2), j from 0 to (k − 3)/2.
//!
//! All terms are positive, so roundings can be counted as in `rounding.rs`. Each term is the
//! previous one times λ/(j + …), with two roundings, which makes k for the last, and the sum of k/2
//! terms adds k/2 more. The general incomplete gamma function of statistics libraries works for any
//! real k, but has no such simple bound.

use std::f64::consts::PI;

/// P(X ≥ `x`) for `k` ≥ 1 degrees of freedom. The roundings, each of at most 2⁻⁵³ or of one unit in
/// the last place of `exp`, are 1.5 k in the sum, x/100 in e^(−λ), and some 30 in erfc.
pub(super) fn upper_tail(x: f64, k: u64) -> f64 {
    let lambda = x / 2.0;
    if lambda <= 0.0 {
        return 1.0;
    }
    let half = k as f64 / 2.0;
    // Chernoff's bound on the logarithm of the tail.
    let small = lambda - half - half * (lambda / half).ln() > 760.0;
    if lambda.is_infinite() || (lambda > half && small) {
        return 0.0;
    }
    let mut sum = Scaled::zero();
    let (mut term, mut next) = if k.is_multiple_of(2) {
        (Scaled::new(1.0), 1.0)
    } else {
        if lambda >= CLOSE {
            sum.add(Scaled::new(scaled_erfc(lambda.sqrt())));
        }
        (Scaled::new(2.0 * (lambda / PI).sqrt()), 1.5)
    };
    for _ in 0..k / 2 {
        sum.add(term);
        term.multiply(lambda / next);
        next += 1.0;
    }
    let rest = exp_minus(lambda).times(sum).value();
    let tail = if k % 2 == 1 && lambda < CLOSE {
        1.0 - erf_below(lambda.sqrt()) + rest
    } else {
        rest
    };
    // Rounding may exceed 1.
    tail.min(1.0)
}

/// The value of z² below which erfc is computed from erf, which is then at most 0.69.
const CLOSE: f64 = 0.5;

/// erf(z) for 0 ≤ z² < ½: 2/√π · e^(−z²) Σ 2ʲ z^(2j + 1) / (1 · 3 ⋯ (2j + 1)) (7.1.6 there), with
/// all terms positive. The one subtraction that follows multiplies the error by three.
fn erf_below(z: f64) -> f64 {
    let square = z * z;
    let (mut term, mut sum) = (z, 0.0);
    let mut odd = 1.0;
    // Each term is less than a third of the previous one, and soon much less.
    for _ in 0..30 {
        sum += term;
        odd += 2.0;
        term *= 2.0 * square / odd;
    }
    2.0 / PI.sqrt() * (-square).exp() * sum
}

/// e^(z²) erfc(z) for z² ≥ ½, by the continued fraction (7.1.14 there) 1/√π · 1/(z + ½/(z + 1/(z +
/// (3/2)/(z + ⋯)))). All parts are positive, so successive convergents enclose the value.
fn scaled_erfc(z: f64) -> f64 {
    convergent(z, DEPTH)
}

fn convergent(z: f64, depth: u32) -> f64 {
    let fraction = (1..=depth)
        .rev()
        .fold(z, |rest, j| z + f64::from(j) / 2.0 / rest);
    1.0 / (PI.sqrt() * fraction)
}

/// The depth at which, for z² = ½, this convergent and the previous one agree to the last bit.
const DEPTH: u32 = 500;

/// e^(−λ), which may be below the smallest double.
fn exp_minus(lambda: f64) -> Scaled {
    // Subtracting 256 is exact. e^−256 is rounded, and is multiplied x/512 times.
    let mut result = Scaled::new(1.0);
    let mut left = lambda;
    while left > 256.0 {
        result.multiply((-256.0_f64).exp());
        left -= 256.0;
    }
    result.multiply((-left).exp());
    result
}

/// digits · 2^exponent, with digits far from the ends of the range of doubles.
#[derive(Clone, Copy)]
struct Scaled {
    digits: f64,
    exponent: i64,
}

/// 2⁵¹²
const STEP: f64 = f64::from_bits((1023 + 512) << 52);

impl Scaled {
    fn new(digits: f64) -> Self {
        Scaled {
            digits,
            exponent: 0,
        }
    }

    fn zero() -> Self {
        Scaled::new(0.0)
    }

    /// Multiplies by a factor no larger than 2⁵¹² and no smaller than 2⁻⁵⁰⁰.
    fn multiply(&mut self, factor: f64) {
        self.digits *= factor;
        if self.digits >= STEP {
            self.digits /= STEP;
            self.exponent += 512;
        } else if self.digits < 1.0 / STEP && self.digits > 0.0 {
            self.digits *= STEP;
            self.exponent -= 512;
        }
    }

    fn add(&mut self, other: Scaled) {
        if self.digits == 0.0 || other.exponent > self.exponent + 512 {
            // This summand is at most 2⁻⁵¹³ of the other, or zero.
            *self = other;
        } else if other.exponent > self.exponent {
            self.digits = self.digits / STEP + other.digits;
            self.exponent = other.exponent;
        } else if other.exponent == self.exponent {
            self.digits += other.digits;
        } else if other.exponent == self.exponent - 512 {
            self.digits += other.digits / STEP;
        }
    }

    fn times(self, other: Scaled) -> Scaled {
        let mut product = self;
        product.multiply(other.digits);
        product.exponent += other.exponent;
        product
    }

    fn value(self) -> f64 {
        crate::rounding::times_power_of_two(self.digits, self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use num_traits::{One, ToPrimitive, Zero};

    #[track_caller]
    fn check(k: u64, x: f64, expected: f64) {
        let bound = (2.0 * k as f64 + x / 50.0 + 100.0) * (f64::EPSILON / 2.0);
        let found = upper_tail(x, k);
        let error = ((found - expected) / expected).abs();
        assert!(
            error <= bound,
            "P(X >= {x}), {k} degrees: {found:e}, not {expected:e}: {error:e} > {bound:e}"
        );
    }

    /// Computed by mpmath 1.4 with 40 digits. The 5 % points are those of every printed table.
    const TABULATED: [(u64, f64, f64); 30] = [
        (1, 1e-6, 0.9992021155721779),
        (1, 0.5, 0.4795001221869535),
        (1, 0.9999, 0.31733470614528014),
        (1, 1.0, 0.3173105078629141),
        (1, 1.0001, 0.3172863120002553),
        (1, 3.841458820694124, 0.05000000000000006),
        (1, 1000.0, 1.7958327848007262e-219),
        (1, 1300.0, 1.1303728441492743e-284),
        (2, 3.0, 0.22313016014842982),
        (3, 0.1, 0.9918374237318764),
        (3, 0.99, 0.803671643880888),
        (3, 7.814727903251178, 0.05000000000000004),
        (3, 50.0, 7.989179244951472e-11),
        (4, 9.487729036781154, 0.05000000000000006),
        (5, 11.070497693516351, 0.05000000000000005),
        (10, 18.307038053275146, 0.05000000000000001),
        (15, 25.0, 0.04994343362642837),
        (30, 43.77297182574219, 0.04999999999999998),
        (99, 99.0, 0.4810969124082639),
        (100, 124.34211340400407, 0.05000000000000009),
        (101, 30.0, 0.9999999999995096),
        (200, 1500.0, 1.0036428290614339e-197),
        (999, 1100.5, 0.013452522797596),
        (1000, 1000.0, 0.49405285382923964),
        (1001, 2500.0, 3.332807271172907e-129),
        (10000, 10233.75, 0.04999920838557541),
        (10001, 9000.0, 0.9999999999998797),
        (100001, 101000.0, 0.012943101570700567),
        (1000000, 1000000.0, 0.4998119368033945),
        (1000001, 1003000.0, 0.017046616938217463),
    ];

    #[test]
    fn tabulated_values_are_met_within_the_stated_bound() {
        for (k, x, expected) in TABULATED {
            check(k, x, expected);
        }
    }

    /// The closed form in fractions, where e^λ is the 16 λ-th power of 30 terms of e^(1/16), which
    /// is accurate to 50 digits.
    fn exact_even(k: u32, lambda: u32) -> Option<f64> {
        let series = |ratio: &dyn Fn(u32) -> BigRational, terms: u32| {
            let (mut sum, mut term) = (BigRational::zero(), BigRational::one());
            for j in 1..=terms {
                sum += &term;
                term *= ratio(j);
            }
            sum
        };
        let ratio = |n: u32, d: u32| BigRational::new(BigInt::from(n), BigInt::from(d));
        let e = series(&|j| ratio(1, 16 * j), 30).pow(16 * lambda as i32);
        (series(&|j| ratio(lambda, j), k / 2) / e).to_f64()
    }

    #[test]
    fn even_degrees_are_the_exact_sum() {
        for k in [2, 4, 8, 20, 50] {
            for lambda in [1, 2, 3, 7] {
                let exact = exact_even(k, lambda).unwrap_or(f64::NAN);
                check(k.into(), f64::from(2 * lambda), exact);
            }
        }
    }

    #[test]
    fn the_tail_falls_with_the_statistic_and_grows_with_the_degrees() {
        for k in 1..60 {
            for step in 0..400 {
                let x = f64::from(step) / 4.0;
                let slack = 1.0 + 1e-14;
                assert!(
                    upper_tail(x + 0.25, k) <= upper_tail(x, k) * slack,
                    "{x}, {k}"
                );
                assert!(upper_tail(x, k) <= upper_tail(x, k + 1) * slack, "{x}, {k}");
            }
        }
    }

    #[test]
    fn the_ends_are_one_and_zero() {
        for k in [1, 2, 3, 1000, 1001, 100_000] {
            assert_eq!(upper_tail(0.0, k), 1.0);
            assert!(upper_tail(5e-324, k) <= 1.0);
            assert!(upper_tail(f64::MIN_POSITIVE, k) > 0.999);
            assert_eq!(upper_tail(1e300, k), 0.0);
            assert_eq!(upper_tail(f64::INFINITY, k), 0.0);
        }
    }

    #[test]
    fn the_continued_fraction_has_converged() {
        for z in [CLOSE.sqrt(), 0.8, 1.0, 3.0, 30.0] {
            // The even and the odd ones approach from two sides.
            assert_eq!(scaled_erfc(z), convergent(z, DEPTH - 1));
            assert!((scaled_erfc(z) / convergent(z, 2 * DEPTH) - 1.0).abs() < 4e-16);
        }
    }
}
