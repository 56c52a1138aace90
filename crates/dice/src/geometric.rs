//! Powers and geometric sums of the part of a distribution that is rolled again.

use crate::Weight;

/// With b the weight rolled again and s the total, both divided by their common factors (in floats:
/// s = 1): bᵏ, sᵏ and Σ bⁱ sᵏ⁻¹⁻ⁱ for i < k.
#[derive(Clone, Debug)]
pub(crate) struct Geometric<W> {
    pub(crate) power: W,
    pub(crate) whole: W,
    pub(crate) sum: W,
    /// The roundings in `power`.
    pub(crate) power_roundings: u64,
    /// The roundings in `sum`.
    pub(crate) sum_roundings: u64,
}

/// `part` and `whole` without common factors, or their quotient and one, and the number of
/// roundings in a quotient.
pub(crate) fn share<W: Weight>(part: &W, whole: &W) -> (W, W, u64) {
    if W::EXACT {
        // lcm / part = whole / gcd, and vice versa.
        let (_, mut factors) = W::harmonise(&[whole, part]);
        match (factors.pop(), factors.pop()) {
            (Some(whole), Some(part)) => (part, whole, 0),
            _ => (part.clone(), whole.clone(), 0),
        }
    } else {
        let (one, factors) = W::harmonise(&[whole]);
        let part = factors
            .iter()
            .fold(part.clone(), |part, factor| part.times(factor));
        (part, one, 2)
    }
}

/// Both to the power of `k`, and their geometric sum, in O(log k) products: g(2m) = g(m)·(bᵐ + sᵐ)
/// and g(m + 1) = s·g(m) + bᵐ. The closed form (sᵏ − bᵏ)/(s − b) subtracts, and would lose the
/// error bound of floats.
pub(crate) fn geometric<W: Weight>(
    part: &W,
    whole: &W,
    roundings: u64,
    k: impl Into<u64>,
) -> Geometric<W> {
    let k: u64 = k.into();
    let mut found = Geometric {
        power: W::unit(),
        whole: W::unit(),
        sum: W::nothing(),
        power_roundings: 0,
        sum_roundings: 0,
    };
    for bit in (0..u64::BITS - k.leading_zeros()).rev() {
        let mut both = found.power.clone();
        both.add(&found.whole);
        found.sum = found.sum.times(&both);
        found.sum_roundings = found
            .sum_roundings
            .saturating_add(found.power_roundings)
            .saturating_add(2);
        found.power = found.power.times(&found.power);
        found.whole = found.whole.times(&found.whole);
        found.power_roundings = found.power_roundings.saturating_mul(2).saturating_add(1);
        if k >> bit & 1 == 1 {
            found.sum = found.sum.times(whole);
            found.sum.add(&found.power);
            // In floats, one times the sum is exact.
            found.sum_roundings = found
                .sum_roundings
                .max(found.power_roundings)
                .saturating_add(1);
            found.power = found.power.times(part);
            found.whole = found.whole.times(whole);
            found.power_roundings = found
                .power_roundings
                .saturating_add(roundings)
                .saturating_add(1);
        }
    }
    found
}

/// highⁿ − lowⁿ without subtraction, where high = low + step. All terms are positive, so floats
/// keep their digits where the difference is small. With r roundings in each of the three
/// arguments, the result has at most (r + 3)·(n + 2).
pub(crate) fn power_difference<W: Weight>(low: &W, step: &W, high: &W, n: u64) -> W {
    geometric(low, high, 0, n).sum.times(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    #[test]
    fn against_the_plain_sum() {
        let (b, s) = (BigUint::from(5u32), BigUint::from(7u32));
        for k in 0..40u32 {
            let found = geometric(&b, &s, 0, k);
            let sum: BigUint = (0..k).map(|i| b.pow(i) * s.pow(k - 1 - i)).sum();
            assert_eq!(
                (found.power, found.whole, found.sum),
                (b.pow(k), s.pow(k), sum)
            );
        }
    }

    #[test]
    fn floats_stay_within_their_count() {
        // 3/4 is a double, so only the roundings counted here occur.
        for k in [0, 1, 2, 3, 10, 100, 1000, u32::MAX] {
            let found = geometric(&0.75, &1.0, 0, k);
            let sum = 4.0 * (1.0 - 0.75f64.powf(f64::from(k)));
            assert!(
                (found.sum - sum).abs() <= 1e-15 * (k as f64 + 8.0) * 4.0,
                "{k}"
            );
            assert_eq!(found.whole, 1.0);
        }
    }

    #[test]
    fn shares_have_no_common_factor() {
        let (part, whole, roundings) = share(&BigUint::from(6u32), &BigUint::from(20u32));
        assert_eq!((part, whole, roundings), (3u32.into(), 10u32.into(), 0));
        assert_eq!(share(&1.0, &4.0), (0.25, 1.0, 2));
    }
}
