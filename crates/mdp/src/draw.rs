//! Chance moves drawn by a random number generator, without bias.

use num_bigint::BigUint;
use rand::Rng;

use crate::{Error, Game, Node};

/// The number of rejections after which a generator is refused. A working one reaches it with a
/// probability below 2⁻¹²⁸.
const MAX_REFUSALS: u32 = 128;

/// Draws an outcome of a choice by its weight.
pub(crate) fn next<G: Game + ?Sized, R: Rng + ?Sized>(
    node: &Node<G>,
    choice: usize,
    rng: &mut R,
) -> Result<Option<G::State>, Error> {
    if node.wide(choice).is_none() {
        let drawn = below(rng, node.total(choice))?;
        let outcomes = node.outcomes(choice);
        let next = pick(outcomes.iter().map(|&(_, weight)| weight), drawn);
        return Ok(next.and_then(|next| Some(outcomes.get(next)?.0.clone())));
    }
    let mut drawn = below_wide(rng, &node.wide_total(choice))?;
    for (state, weight) in node.wide_outcomes(choice) {
        if drawn < weight {
            return Ok(Some(state.clone()));
        }
        drawn -= weight;
    }
    Ok(None)
}

/// Does the same as [`below`], for a bound of any length: it draws as many bits as the bound has,
/// and rejects numbers that are not below it.
fn below_wide<R: Rng + ?Sized>(rng: &mut R, bound: &BigUint) -> Result<BigUint, Error> {
    let bits = bound.bits();
    for _ in 0..MAX_REFUSALS {
        let words = (0..bits.div_ceil(32)).map(|_| rng.next_u32());
        let drawn = BigUint::new(words.collect()) >> (bits.div_ceil(32) * 32 - bits);
        if drawn < *bound {
            return Ok(drawn);
        }
    }
    Err(Error::BadGenerator {
        refused: MAX_REFUSALS,
    })
}

/// Returns the index of the weight that contains `drawn`.
pub(crate) fn pick(weights: impl Iterator<Item = u64>, mut drawn: u64) -> Option<usize> {
    for (place, weight) in weights.enumerate() {
        if drawn < weight {
            return Some(place);
        }
        drawn -= weight;
    }
    None
}

/// Returns a number below `bound`, each with exactly the same probability.
///
/// It is the high word of the product with a uniform 64-bit number, where products that would
/// introduce a bias are rejected (D. Lemire, "Fast Random Integer Generation in an Interval",
/// 2019). `random_range` of `rand` accepts a small bias unless a feature is set, and may change
/// from version to version.
pub(crate) fn below<R: Rng + ?Sized>(rng: &mut R, bound: u64) -> Result<u64, Error> {
    if bound <= 1 {
        return Ok(0);
    }
    let refused_below = bound.wrapping_neg() % bound;
    for _ in 0..MAX_REFUSALS {
        let product = u128::from(rng.next_u64()) * u128::from(bound);
        if product as u64 >= refused_below {
            return Ok((product >> 64) as u64);
        }
    }
    Err(Error::BadGenerator {
        refused: MAX_REFUSALS,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{SeedableRng, TryRng};
    use rand_chacha::ChaCha8Rng;
    use std::convert::Infallible;

    /// Returns the same number again and again.
    struct Constant(u64);

    impl TryRng for Constant {
        type Error = Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            Ok(self.0 as u32)
        }
        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            Ok(self.0)
        }
        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
            bytes.fill(self.0 as u8);
            Ok(())
        }
    }

    #[test]
    fn every_number_below_the_bound_is_drawn_equally_often() {
        // With words of 64 bits and a bound of 3·2⁶², a multiplication alone would yield every
        // third number twice as often.
        let bound = 3 << 62;
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        let mut counts = [0_u32; 3];
        for _ in 0..30_000 {
            counts[(below(&mut rng, bound).unwrap() % 3) as usize] += 1;
        }
        // The standard deviation is 82.
        assert!(
            counts.iter().all(|n| n.abs_diff(10_000) < 330),
            "{counts:?}"
        );
    }

    #[test]
    fn wide_bounds_are_kept() {
        let bound = BigUint::from(3_u8) << 100_u32;
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        let mut counts = [0_u32; 3];
        for _ in 0..3_000 {
            let drawn = below_wide(&mut rng, &bound).unwrap() >> 100_u32;
            counts[usize::try_from(drawn).unwrap()] += 1;
        }
        // The standard deviation is 26.
        assert!(counts.iter().all(|n| n.abs_diff(1_000) < 105), "{counts:?}");
        let highest = below_wide(&mut Constant(u64::MAX), &(BigUint::from(1_u8) << 70_u32));
        assert!(highest.is_err());
    }

    #[test]
    fn the_ends_of_the_range_are_reached() {
        assert_eq!(below(&mut Constant(u64::MAX), 6), Ok(5));
        assert_eq!(below(&mut Constant((1 << 63) + 1), 6), Ok(3));
        assert_eq!(below(&mut Constant(u64::MAX), u64::MAX), Ok(u64::MAX - 1));
        // There is nothing to draw, so the generator is not called.
        assert_eq!(below(&mut Constant(0), 1), Ok(0));
    }

    #[test]
    fn a_generator_that_is_always_refused_ends_in_an_error() {
        let error = Err(Error::BadGenerator { refused: 128 });
        assert_eq!(below(&mut Constant(0), 6), error);
        // Powers of two reject nothing.
        assert_eq!(below(&mut Constant(0), 8), Ok(0));
    }
}
