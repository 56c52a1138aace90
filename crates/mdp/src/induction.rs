//! Backward induction: the one pass that computes every value.

use crate::model::{Model, Row, Scratch, Span};
use crate::number::{Store, fits};
use crate::progress::Observer;
use crate::{Error, Game, Phase, Tolerance};

/// Values of all states, and what was decided in each.
#[derive(Debug)]
pub(crate) struct Values<S> {
    pub(crate) store: S,
    /// Which span of its row each state decides for; 0 where the game ends.
    pub(crate) decisions: Vec<u16>,
}

/// Solves the Bellman equation v(s) = max_a Σ_s' P_a(s, s') v(s') from the
/// ends backwards (R. Bellman, *Dynamic Programming*, 1957; equation (20) of
/// the Fighting Fantasy paper).
///
/// A choice that stays with probability t/T and leaves otherwise is worth
/// Σ w·v / (T − t): if it is the right one now it is so again next time, so
/// the geometric series over the stays sums to this.
///
/// # Complexity
/// One pass over all outcomes; O(1) floats or O(limbs) words each.
pub(crate) fn solve<G: Game + ?Sized, M: Model<G>, S: Store>(
    game: &G,
    model: &M,
    tolerance: &Tolerance,
    max_bytes: u128,
    observer: &mut Observer<'_>,
) -> Result<Values<S>, Error> {
    let mut store = S::prepare(game, model, max_bytes, observer)?;
    let needed = 2 * model.len() as u128;
    if !fits(needed) {
        return Err(Error::TooMuchMemory {
            what: "their decisions",
            states: model.len(),
            needed,
            limit: max_bytes,
        });
    }
    let mut decisions = vec![0_u16; model.len()];
    let mut scratch = Scratch::new();
    let (mut best, mut slot) = (store.slot(), store.slot());
    let total = model.len();
    for place in 0..total {
        let number = model.at(place);
        let row = model.row(game, number, &mut scratch)?;
        if let Some(score) = row.score {
            if !store.put_score(number, score) {
                return Err(Error::ScoreBeyondFloat {
                    state: format!("{:?}", model.state(game, number)),
                });
            }
        } else {
            let mut decision = 0;
            for (index, span) in row.spans.iter().enumerate() {
                appraise(&store, &row, span, &mut slot);
                if index == 0 || store.prefers(&slot, &best, tolerance) {
                    std::mem::swap(&mut best, &mut slot);
                    decision = index as u16;
                }
                if index > 0 {
                    store.doubt(&mut best, &slot);
                }
            }
            store.put(number, &best);
            decisions[number] = decision;
        }
        observer.tick(Phase::Solving, place + 1, Some(total))?;
    }
    Ok(Values { store, decisions })
}

/// slot = what one choice is worth, given the values of its outcomes.
#[inline]
pub(crate) fn appraise<S: Store>(store: &S, row: &Row<'_>, span: &Span, slot: &mut S::Slot) {
    match *row.outcomes(span) {
        // A certain move copies its value: no arithmetic, no rounding.
        [(only, _)] => store.load(slot, only as usize),
        ref outcomes => {
            store.clear(slot);
            for &(successor, weight) in outcomes {
                store.add(slot, successor as usize, weight);
            }
            store.divide(slot, span.leaving);
        }
    }
}
