//! One denominator for all values of a game.
//!
//! A value is a sum over paths of products of `weight / total`, times a score.
//! Every value is therefore an integer over
//!
//! > D = (lcm of the scores' denominators) · Π b^(most often b divides along a path),
//!
//! with `b` running over pairwise coprime factors of the totals. With D known
//! in advance, backward induction needs no greatest common divisors and no
//! scaling: multiply by a weight, add, and divide exactly by the total.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::One;
use rustc_hash::FxHashMap;

use super::fits;
use crate::model::{Model, Scratch};
use crate::progress::Observer;
use crate::{Error, Game, Phase};

/// Splits numbers into powers of pairwise coprime bases (greater than 1) by
/// factor refinement; no number is factored into primes, which could take for
/// ever. `None` if more than `most` bases are needed.
///
/// # Complexity
/// O(totals · bases) greatest common divisors; `pulse` is called every million of
/// them or so, and may end the work.
fn coprime_base(
    totals: impl IntoIterator<Item = u64>,
    most: u128,
    mut pulse: impl FnMut() -> Result<(), Error>,
) -> Result<Option<Vec<u64>>, Error> {
    const BEAT: usize = 1 << 20;
    let mut base: Vec<u64> = Vec::new();
    let mut open: Vec<u64> = totals.into_iter().collect();
    let mut steps = 0_usize;
    while let Some(mut total) = open.pop() {
        let mut index = 0;
        steps += base.len();
        if steps >= BEAT {
            steps = 0;
            pulse()?;
        }
        while total > 1 && index < base.len() {
            let common = total.gcd(&base[index]);
            if common == 1 {
                index += 1;
            } else if common == base[index] {
                total /= common;
            } else {
                // The base splits; both parts and the total are refined anew.
                // This ends: a split makes one number more and leaves the
                // product of all, a division lowers it, all exceed one.
                let split = base.swap_remove(index);
                open.extend([split / common, common]);
                open.push(total);
                total = 1;
            }
        }
        if total > 1 {
            base.push(total);
        }
        // Of a base that splits at least one part comes back, so there will
        // never be fewer.
        if base.len() as u128 > most {
            return Ok(None);
        }
    }
    base.sort_unstable();
    Ok(Some(base))
}

/// How often each base divides `total`.
fn exponents(total: u64, base: &[u64]) -> Vec<u32> {
    let mut rest = total;
    base.iter()
        .map(|&b| {
            let mut times = 0;
            while rest.is_multiple_of(b) {
                rest /= b;
                times += 1;
            }
            times
        })
        .collect()
}

/// The product of the totals along the worst path: with it as denominator
/// every transition probability of every path is an integer.
pub(super) fn path_denominator<G: Game + ?Sized, M: Model<G>>(
    game: &G,
    model: &M,
    max_bytes: u128,
    observer: &mut Observer<'_>,
) -> Result<BigUint, Error> {
    let mut scratch = Scratch::new();
    let mut totals: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
    for place in 0..model.len() {
        for span in model.row(game, model.at(place), &mut scratch)?.spans {
            totals.entry(span.leaving).or_default();
        }
        observer.tick(Phase::Measuring, place + 1, None)?;
    }
    let states = model.len() as u128;
    let too_many = |needed| Error::TooMuchMemory {
        what: "the common denominator",
        states: model.len(),
        needed,
        limit: max_bytes,
    };
    let most = max_bytes / (4 * states);
    // Many unrelated totals take longer than all the passes.
    let pulse = || observer.call(Phase::Measuring, model.len(), None);
    let Some(base) = coprime_base(totals.keys().copied(), most, pulse)? else {
        return Err(too_many(4 * states * (most + 1)));
    };
    if base.is_empty() {
        observer.tick(Phase::Measuring, model.len(), Some(model.len()))?;
        return Ok(BigUint::one());
    }
    for (&total, powers) in &mut totals {
        *powers = exponents(total, &base);
    }
    let width = base.len();
    let needed = 4 * states * width as u128;
    if !fits(needed) {
        return Err(too_many(needed));
    }
    let mut most = vec![0_u32; model.len() * width];
    let mut worst = vec![0_u32; width];
    let (mut own, mut span_most) = (vec![0_u32; width], vec![0_u32; width]);
    for place in 0..model.len() {
        let number = model.at(place);
        let row = model.row(game, number, &mut scratch)?;
        own.fill(0);
        for span in row.spans {
            span_most.fill(0);
            for &(successor, _) in row.outcomes(span) {
                let start = successor as usize * width;
                raise(&mut span_most, &most[start..start + width]);
            }
            let Some(powers) = totals.get(&span.leaving) else {
                return Err(Error::Inconsistent {
                    state: format!("{:?}", model.state(game, number)),
                });
            };
            for (power, more) in span_most.iter_mut().zip(powers) {
                // Cannot overflow: a path has fewer than 2^32 states and a
                // total fewer than 64 factors, but paths that long would not
                // fit the memory of the values.
                *power = power.saturating_add(*more);
            }
            raise(&mut own, &span_most);
        }
        most[number * width..(number + 1) * width].copy_from_slice(&own);
        raise(&mut worst, &own);
        observer.tick(Phase::Measuring, place + 1, Some(model.len()))?;
    }
    let bits: f64 = base
        .iter()
        .zip(&worst)
        .map(|(&b, &power)| f64::from(power) * (b as f64).log2())
        .sum();
    let needed = model.len() as u128 * (bits / 8.0) as u128;
    if needed > max_bytes {
        return Err(too_long(model.len(), needed, max_bytes));
    }
    Ok(base
        .iter()
        .zip(&worst)
        .map(|(&b, &power)| BigUint::from(b).pow(power))
        .product())
}

pub(super) fn too_long(states: usize, needed: u128, limit: u128) -> Error {
    Error::TooMuchMemory {
        what: "their exact values",
        states,
        needed,
        limit,
    }
}

fn raise(to: &mut [u32], by: &[u32]) {
    for (a, &b) in to.iter_mut().zip(by) {
        *a = (*a).max(b);
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    #[track_caller]
    fn check(totals: &[u64], base: &[u64]) {
        let found = coprime_base(totals.iter().copied(), u128::MAX, || Ok(()));
        assert_eq!(found.unwrap().as_deref(), Some(base));
    }

    #[test]
    fn a_base_is_refined() {
        check(&[36, 1150], &[2, 9, 575]);
        check(&[1, 1, 1], &[]);
        check(&[6, 10, 15], &[2, 3, 5]);
        check(&[4, 2, 8], &[2]);
        check(&[u64::MAX, 1 << 63], &[1 << 63, u64::MAX]);
        assert_eq!(coprime_base([2, 3, 5, 7], 3, || Ok(())), Ok(None));
        assert_eq!(coprime_base([210, 6, 10, 2], 3, || Ok(())), Ok(None));
    }

    #[test]
    fn refining_many_unrelated_totals_can_be_stopped() {
        let primes = (3..40_000_u64).filter(|n| (2..200).all(|d| n % d != 0 || *n == d));
        let stop = || Err(Error::NoGames);
        assert_eq!(coprime_base(primes, u128::MAX, stop), Err(Error::NoGames));
    }

    quickcheck! {
        fn every_total_is_a_product_of_the_base(totals: Vec<u64>) -> bool {
            let totals: Vec<u64> = totals.into_iter().map(|t| t % 100_000 + 1).collect();
            let base = coprime_base(totals.iter().copied(), u128::MAX, || Ok(()));
            let base = base.unwrap().unwrap_or_default();
            let coprime = base.iter().enumerate().all(|(i, a)| {
                base[..i].iter().all(|b| a.gcd(b) == 1)
            });
            coprime && totals.iter().all(|&total| {
                let powers = exponents(total, &base);
                base.iter().zip(powers).map(|(b, p)| b.pow(p)).product::<u64>() == total
            })
        }
    }
}
