//! Order statistics: the rank-th lowest of several copies.

use crate::rounding::{Roundings, scaled, times_power_of_two};
use crate::shape::nth_power;
use crate::{Dist, Error, Weight};
use num_bigint::BigUint;
use num_traits::Zero;

impl<T: Clone + Ord, W: Weight> Dist<T, W> {
    /// Returns the distribution of the `rank`-th lowest of `n` independent copies, counted from 1:
    /// `rank` = 1 is the minimum, `rank` = `n` the maximum.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchRank`] for a rank outside 1 ..= `n`; [`Error::TooLarge`], before any work,
    /// beyond [`DEFAULT_LIMIT`](crate::DEFAULT_LIMIT), where each term of an outcome's sum counts as
    /// an outcome.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let middle = Dist::die(6)?.order_statistic(3, 2)?;
    /// assert_eq!(middle.p(&1).to_string(), "2/27");
    /// assert_eq!(middle.mean().to_string(), "7/2");
    ///
    /// let median = Dist::die(6)?.to_f64().order_statistic(10_001, 5_001)?;
    /// assert!((median.mean() - 3.5).abs() < 1e-9 && median.relative_error() < 1e-10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// One power of a binomial per outcome, and differences of the cumulative distribution
    /// function. In floats, where differences would lose the bound on the error, O(n) positive terms
    /// per outcome.
    pub fn order_statistic(&self, n: u32, rank: u32) -> Result<Self, Error> {
        let terms = u128::from(n) + 1;
        self.check_copies(n, rank, terms, || format!("rank {rank} of {n} copies"))?;
        let (total, scale) = self.normal();
        let weights: Vec<W> = self.weights().map(|weight| weight.times(&scale)).collect();
        let found = W::ranked(&weights, &total, n, rank);
        let pairs = self.outcomes().cloned().zip(found).collect();
        let roundings = Roundings {
            weights: roundings(self.copies_roundings(), n, rank),
            total: 0,
        };
        Dist::gather(pairs, nth_power(&total, n.into()), roundings)
    }
}

/// For each weight of a distribution, that of its outcome as the rank-th lowest of n: a difference
/// of the cumulative distribution function.
pub(crate) fn exact(weights: &[BigUint], total: &BigUint, n: u32, rank: u32) -> Vec<BigUint> {
    let (mut below, mut before) = (BigUint::zero(), BigUint::zero());
    let whole = total.pow(n);
    let found = weights.iter().map(|weight| {
        below += weight;
        let reached = if below == *total {
            whole.clone()
        } else {
            so_many_at_most(&below, total, n, rank)
        };
        let here = &reached - &before;
        before = reached;
        here
    });
    found.collect()
}

/// The weight of at least `rank` of `n` copies being in the lower part: the upper coefficients of
/// (above + below z)ⁿ.
fn so_many_at_most(below: &BigUint, total: &BigUint, n: u32, rank: u32) -> BigUint {
    let parts = [total - below, below.clone()];
    let coefficients = match BigUint::power(&parts, total, n) {
        Some((coefficients, _)) if n > 1 => coefficients,
        _ => parts.to_vec(),
    };
    coefficients.iter().skip(rank as usize).sum()
}

/// The same for probabilities in floats.
pub(crate) fn in_floats(weights: &[f64], n: u32, rank: u32) -> Vec<f64> {
    let mut tails: Vec<f64> = Vec::with_capacity(weights.len());
    let mut tail = 0.0;
    for weight in weights.iter().rev() {
        tails.push(tail);
        tail += weight;
    }
    let mut below = 0.0;
    let places = weights.iter().zip(tails.iter().rev());
    let found = places.map(|(&here, &above)| {
        let found = exactly(below, here, above, n, rank);
        below += here;
        found
    });
    found.collect()
}

/// The probability of fewer than `rank` copies being lower and at most n − `rank` higher.
///
/// With i copies lower and m = n − i others, it is the sum over i < rank of C(n, i) lowerⁱ Sᵢ, where
/// Sᵢ is the sum over j ≤ c = n − rank of C(m, j) higherʲ hereᵐ⁻ʲ. Of m copies, at most c are higher
/// unless c of the first m − 1 are, and the last is too: (here + higher) Sᵢ₊₁ = Sᵢ + C(m − 1, c)
/// higherᶜ⁺¹ hereᵐ⁻¹⁻ᶜ. So all terms are positive, and there are 2n at most.
fn exactly(lower: f64, here: f64, higher: f64, n: u32, rank: u32) -> f64 {
    // The shorter sum is over i: each of its steps has a quotient more.
    if rank > n - rank + 1 {
        return exactly(higher, here, lower, n, n - rank + 1);
    }
    let most = n - rank;
    let here_powers = powers(here, n);
    let of_here = |exponent: u32| here_powers[exponent as usize];
    let mut sum = of_here(n);
    let (mut choices, mut higher_power) = (Scaled::from(1.0), Scaled::from(1.0));
    for j in 1..=most {
        choices = choices.times(f64::from(n - j + 1)).over(f64::from(j));
        higher_power = higher_power.times(higher);
        let term = choices.product(higher_power).product(of_here(n - j));
        sum = sum.plus(term);
    }
    // Now `choices` is C(n, most), and the power that of `most`.
    let higher_power = higher_power.times(higher);
    let mut all = sum;
    let mut lower_power = Scaled::from(1.0);
    let mut ways = Scaled::from(1.0);
    for i in 1..rank {
        let others = n - i;
        // C(others, most) from C(others + 1, most).
        let fewer = f64::from(others + 1 - most);
        choices = choices.times(fewer).over(f64::from(others + 1));
        let term = choices
            .product(higher_power)
            .product(of_here(others - most));
        sum = sum.plus(term).over(here + higher);
        ways = ways.times(f64::from(n - i + 1)).over(f64::from(i));
        lower_power = lower_power.times(lower);
        all = all.plus(ways.product(lower_power).product(sum));
    }
    all.value()
}

/// The roundings in a result of [`exactly`], where each probability has `each`.
///
/// A binomial coefficient takes two for each of at most n steps, and a term of the first Sᵢ beyond
/// that n probabilities, n products and two more. Sums of at most n such terms add n. Each of the
/// s − 1 steps, s being the shorter of both numbers of terms, divides by a sum of two probabilities
/// after one addition, each + 3. The term for it has two for each step in its coefficient, one in
/// its power with `each`, and two products, and the sum of these adds one for each.
fn roundings(each: u64, n: u32, rank: u32) -> u64 {
    let short = u64::from(rank.min(n.saturating_sub(rank).saturating_add(1)));
    let first = each.saturating_add(4).saturating_mul(n.into());
    let step = each.saturating_mul(2).saturating_add(7);
    let steps = step.saturating_mul(short.saturating_sub(1));
    first.saturating_add(steps).saturating_add(4)
}

/// The powers of a number with exponents up to n.
fn powers(base: f64, n: u32) -> Vec<Scaled> {
    let powers = (0..n).scan(Scaled::from(1.0), |power, _| {
        *power = power.times(base);
        Some(*power)
    });
    std::iter::once(Scaled::from(1.0)).chain(powers).collect()
}

/// A double times a power of two: terms of a sum may be far out of range although the sum is not.
#[derive(Clone, Copy)]
struct Scaled {
    /// From 1 to 2, or 0.
    digits: f64,
    exponent: i64,
}

impl From<f64> for Scaled {
    fn from(x: f64) -> Self {
        let (digits, exponent) = scaled(x);
        Scaled { digits, exponent }
    }
}

impl Scaled {
    fn normal(digits: f64, exponent: i64) -> Self {
        let (digits, more) = scaled(digits);
        Scaled {
            digits,
            exponent: exponent + more,
        }
    }

    fn product(self, other: Scaled) -> Scaled {
        Scaled::normal(self.digits * other.digits, self.exponent + other.exponent)
    }

    fn times(self, factor: f64) -> Scaled {
        self.product(factor.into())
    }

    fn over(self, divisor: f64) -> Scaled {
        let divisor = Scaled::from(divisor);
        Scaled::normal(
            self.digits / divisor.digits,
            self.exponent - divisor.exponent,
        )
    }

    fn plus(self, other: Scaled) -> Scaled {
        // The exponent of 0 says nothing.
        if self.digits == 0.0 {
            return other;
        }
        let (large, small) = if other.digits != 0.0 && other.exponent > self.exponent {
            (other, self)
        } else {
            (self, other)
        };
        // What is out of range is less than half a unit in the last place.
        let small = times_power_of_two(small.digits, small.exponent - large.exponent);
        Scaled::normal(large.digits + small, large.exponent)
    }

    fn value(self) -> f64 {
        times_power_of_two(self.digits, self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Terms far below the smallest double, and coefficients far above the largest.
    #[test]
    fn terms_out_of_range() {
        let half = exactly(0.5, 0.25, 0.25, 4_000, 2_000);
        let exactly_half = exactly(0.25, 0.25, 0.5, 4_000, 2_001);
        assert!((half - exactly_half).abs() < 1e-12, "{half} {exactly_half}");
        assert!((exactly(0.0, 1.0, 0.0, 9_999, 77) - 1.0).abs() < 1e-15);
        assert_eq!(exactly(0.0, 0.25, 0.75, 3, 1), 1.0 - 0.421875);
        assert_eq!(exactly(0.75, 0.25, 0.0, 3, 3), 1.0 - 0.421875);
    }
}
