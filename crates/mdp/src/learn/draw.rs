//! Chance moved by a generator, without any bias.

use rand::Rng;

use crate::{Error, Game, Node};

/// A generator that never refuses gets this far with a chance below 2⁻¹²⁸.
const MAX_REFUSALS: u32 = 128;

/// The outcome of an action within whose weight `drawn` falls.
pub(super) fn outcome<G: Game + ?Sized>(
    node: &Node<G>,
    action: usize,
    mut drawn: u64,
) -> Option<G::State> {
    for (state, weight) in node.outcomes(action) {
        if drawn < *weight {
            return Some(state.clone());
        }
        drawn -= weight;
    }
    None
}

/// A number below `bound`, each with the same chance: as many random bits as
/// the largest has, until they make a number that is small enough.
pub(super) fn below<R: Rng + ?Sized>(rng: &mut R, bound: u64) -> Result<u64, Error> {
    if bound <= 1 {
        return Ok(0);
    }
    let shift = (bound - 1).leading_zeros();
    for _ in 0..MAX_REFUSALS {
        let drawn = rng.next_u64() >> shift;
        if drawn < bound {
            return Ok(drawn);
        }
    }
    Err(Error::BadGenerator {
        refused: MAX_REFUSALS,
    })
}
