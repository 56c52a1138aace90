//! One pass forwards through all states: how likely play is to come to each.

use num_bigint::BigUint;
use oddsmith_dice::Weight;

use crate::ahead::Held;
use crate::model::{Model, Scratch};
use crate::number::Mass;
use crate::odds::Odds;
use crate::{Error, Game, Number, Solution};

/// The result of a pass.
pub(super) struct Passed<W> {
    /// By state, the probability of ever being there, as a multiple of 1 / whole.
    pub(super) masses: Vec<W>,
    /// The number of roundings of the most often rounded of these.
    pub(super) roundings: u64,
}

/// Passes `whole` on from the start, by the decisions of a solution, but not beyond states where
/// play `stops`.
pub(super) fn passed<G: Game + ?Sized, N: Number, M: Model<G>>(
    solution: &Solution<'_, G, N, M>,
    whole: &N::Mass,
    stops: impl Fn(usize) -> bool,
) -> Result<Passed<N::Mass>, Error> {
    let mut held = Held::new("the chances of all", solution.len(), solution.max_bytes());
    held.slots::<N::Mass>(solution.len());
    held.check::<N::Mass>(0)?;
    let mut masses = vec![N::Mass::start(&BigUint::ZERO); solution.len()];
    held.gain(&mut masses[solution.start_number()], whole.clone());
    // In floats, the number of roundings of each probability so far.
    let floats = if N::Mass::EXACT { 0 } else { solution.len() };
    let (mut rounded, mut most) = (vec![0_u64; floats], 0);
    let mut scratch = Scratch::new();
    for place in (0..solution.len()).rev() {
        let number = solution.model().at(place);
        if masses[number].is_nothing() || stops(number) {
            continue;
        }
        held.check::<N::Mass>(solution.len() - 1 - place)?;
        let mass = masses[number].clone();
        let row = solution.row(number, &mut scratch)?;
        if let Some((targets, odds)) = row.choice(solution.decided_choice(number)) {
            // Two conversions, a product, a quotient and a sum. The conversion of a wide number
            // rounds twice.
            let roundings = match odds {
                Odds::Narrow { .. } => 5,
                Odds::Wide(_) => 7,
            };
            for (outcome, &successor) in targets.iter().enumerate() {
                let successor = successor as usize;
                let share = mass.share(odds.weight(outcome), odds.leaving());
                held.gain(&mut masses[successor], share);
                if !N::Mass::EXACT {
                    rounded[successor] = rounded[number].max(rounded[successor]) + roundings;
                    most = most.max(rounded[successor]);
                }
            }
        }
    }
    Ok(Passed {
        masses,
        roundings: most,
    })
}
