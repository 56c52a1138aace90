//! Enclosing a choice's value between two floats, given enclosures of its outcomes.

use crate::number::around;
use crate::odds::Odds;
use crate::{Player, Score};

/// 2⁻⁵³
const UNIT: f64 = f64::EPSILON / 2.0;
/// 2⁻¹⁰⁷²: more than two roundings of numbers below the smallest normal one.
const TINY: f64 = f64::from_bits(4);
/// 2⁹⁵⁹: sums of what is smaller cannot overflow.
const LARGEST: f64 = f64::from_bits((1023 + 959) << 52);

/// What is known about a value: a float below it and a float above it, infinite if nothing is
/// known.
pub(super) type Interval = [f64; 2];

/// Nothing is known.
pub(super) const ANYTHING: Interval = [f64::NEG_INFINITY, f64::INFINITY];

/// Returns the floats that enclose a score as closely as possible, or `None` if it is not a number.
pub(super) fn around_score(score: &Score) -> Option<Interval> {
    if let Some(interval) = around(score) {
        return Some(interval);
    }
    let near = score.to_f64();
    if near.is_nan() {
        return None;
    }
    Some(if near > 0.0 {
        [LARGEST, f64::INFINITY]
    } else {
        [f64::NEG_INFINITY, -LARGEST]
    })
}

/// Returns the interval from the point of view of the player to move, who wants the higher end:
/// mirrored for the opponent. This function is its own inverse.
#[inline]
pub(super) fn seen_by(player: Player, [lower, upper]: Interval) -> Interval {
    match player {
        Player::Max => [lower, upper],
        Player::Min => [-upper, -lower],
    }
}

/// Returns the weight of an outcome divided by the weight that leaves the state, approximately. It
/// is precise enough to decide what to evaluate next, but is never used to prove anything.
#[inline]
pub(super) fn share(odds: &Odds<'_>, outcome: usize) -> f64 {
    match *odds {
        Odds::Narrow {
            weights, leaving, ..
        } => weights[outcome] as f64 / leaving as f64,
        Odds::Wide(wide) => match wide.floats.get(outcome) {
            Some(weight) => weight / wide.leaving_float,
            // Weights too far apart for floats: any order will do.
            None => 1.0,
        },
    }
}

/// Encloses the value of a choice, given that each of its outcomes lies in its interval.
///
/// The ends are summed in ordinary rounding and then moved outwards by the possible rounding error,
/// as described at [`Certified`](crate::Certified). Each end uses only its own terms, so one of
/// them may be infinite. A mean lies between the lowest and the highest of its terms, and that is
/// exact: a choice whose outcomes are all worth 1 is worth exactly 1. For weights too far apart for
/// floats, this alone is the result.
#[inline]
pub(super) fn mean<'a>(outcomes: impl Iterator<Item = &'a Interval>, odds: &Odds<'_>) -> Interval {
    match *odds {
        Odds::Narrow {
            weights, leaving, ..
        } => {
            if i64::try_from(leaving).is_ok() {
                // Signed integers convert in one instruction.
                weighted(
                    outcomes,
                    weights.iter().map(|&w| w as i64 as f64),
                    leaving as f64,
                )
            } else {
                weighted(outcomes, weights.iter().map(|&w| w as f64), leaving as f64)
            }
        }
        Odds::Wide(wide) if wide.floats.is_empty() => outcomes.fold(
            [f64::INFINITY, f64::NEG_INFINITY],
            |[least, most], &[lower, upper]| [least.min(lower), most.max(upper)],
        ),
        Odds::Wide(wide) => weighted(outcomes, wide.floats.iter().copied(), wide.leaving_float),
    }
}

#[inline]
fn weighted<'a>(
    outcomes: impl Iterator<Item = &'a Interval>,
    weights: impl Iterator<Item = f64>,
    leaving: f64,
) -> Interval {
    let (mut sum, mut size) = ([0.0_f64; 2], [0.0_f64; 2]);
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut terms = 0_usize;
    for (&[lower, upper], weight) in outcomes.zip(weights) {
        let (low, high) = (weight * lower, weight * upper);
        sum[0] += low;
        sum[1] += high;
        size[0] += low.abs();
        size[1] += high.abs();
        least = least.min(lower);
        most = most.max(upper);
        terms += 1;
    }
    // Rounded up to an even number, since floats above one are multiples of 2u.
    let k = ((terms + terms / 1024 + 12) & !1) as f64 * UNIT * (1.0 + 1e-3);
    // Products below the smallest normal number are off by up to 2⁻¹⁰⁷⁵ each. That is not
    // negligible when divided by a tiny wide weight that leaves the state.
    let tiny = (terms + 2) as f64 * TINY;
    let slack = |size: f64| (size * k + tiny) / leaving * (1.0 + 1e-9) + 2.0 * TINY;
    let lower = (sum[0] / leaving - slack(size[0])).next_down();
    let upper = (sum[1] / leaving + slack(size[1])).next_up();
    [lower.max(least), upper.min(most)]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use num_bigint::{BigInt, BigUint};
    use num_rational::BigRational;
    use num_traits::Zero;
    use quickcheck::quickcheck;

    use super::*;
    use crate::odds::Wide;

    fn ratio(float: f64) -> BigRational {
        BigRational::from_float(float).unwrap()
    }

    quickcheck! {
        fn the_exact_mean_lies_within(terms: Vec<(i32, u16, i8)>, scale: u8) -> bool {
            let scale = 2_f64.powi(i32::from(scale) - 128) / 3.0;
            let weights: Vec<u64> = terms.iter().map(|t| u64::from(t.1) + 1).collect();
            if terms.is_empty() {
                return true;
            }
            let ends: Vec<Interval> = terms
                .iter()
                .map(|t| [f64::from(t.0) * scale, (f64::from(t.0) + f64::from(t.2).abs()) * scale])
                .collect();
            let leaving = weights.iter().sum();
            let odds = Odds::Narrow { weights: &weights, leaving, staying: 0 };
            let [lower, upper] = mean(ends.iter(), &odds);
            let exact = |end: usize| {
                let terms = ends.iter().zip(&weights);
                let sum = terms.fold(BigRational::zero(), |sum, (ends, &weight)| {
                    sum + ratio(ends[end]) * BigInt::from(weight)
                });
                sum / BigInt::from(leaving)
            };
            ratio(lower) <= exact(0) && exact(1) <= ratio(upper)
        }
    }

    #[test]
    fn the_mean_of_one_number_is_that_number() {
        let odds = Odds::Narrow {
            weights: &[1, 2, 4],
            leaving: 7,
            staying: 0,
        };
        for value in [0.0, 1.0, -0.1, 1e300, 5e-324] {
            assert_eq!(mean([[value; 2]; 3].iter(), &odds), [value; 2]);
        }
    }

    /// Staying is all but certain, and the rest is worth next to nothing.
    #[test]
    fn tiny_products_over_tiny_weights_are_enclosed() {
        let one = BigUint::from(1_u8);
        let wide = Arc::new(Wide::new(vec![one.clone(), one.clone()], one << 400_u32));
        let [lower, upper] = mean([[1e-310; 2], [0.0; 2]].iter(), &Odds::Wide(&wide));
        assert!(
            lower <= 0.5e-310 && 0.5e-310 <= upper,
            "{lower:e} {upper:e}"
        );
    }

    #[test]
    fn an_unknown_end_leaves_the_other_alone() {
        let odds = Odds::Narrow {
            weights: &[1, 1],
            leaving: 2,
            staying: 0,
        };
        let [lower, upper] = mean([[f64::NEG_INFINITY, 1.0], [0.0, 0.0]].iter(), &odds);
        assert_eq!(lower, f64::NEG_INFINITY);
        assert!((0.5..0.5 + 1e-14).contains(&upper));
    }

    #[test]
    fn scores_beyond_floats_are_known_to_be_large() {
        let huge = Score::from(BigRational::from_integer(BigInt::from(7) << 2_000_u32));
        assert_eq!(around_score(&huge), Some([LARGEST, f64::INFINITY]));
        assert_eq!(around_score(&Score::from((1, 0))), None);
    }
}
