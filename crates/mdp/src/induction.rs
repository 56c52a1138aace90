//! Backward induction: the single pass that computes every value.

#[cfg(feature = "rayon")]
mod parallel;

use crate::cycle::Cycle;
use crate::model::{Model, Row, Scratch};
use crate::number::{Store, Unheld, Verdict, fits};
use crate::progress::Observer;
use crate::threads::Threads;
use crate::tolerance::Rule;
use crate::{Error, Game, Node, Phase, Player, Score, Tolerance};

/// The values of all states, and the decision in each.
#[derive(Debug)]
pub(crate) struct Values<S> {
    pub(crate) store: S,
    /// The choice that each state decides on; 0 where the game ends.
    pub(crate) decisions: Vec<u16>,
}

/// Solves the Bellman equation v(s) = max_a [r_a(s) + Σ_s' P_a(s, s') v(s')] backwards from the
/// ends (R. Bellman, *Dynamic Programming*, 1957; equation (20) of the Fighting Fantasy paper),
/// with a minimum where the opponent decides (L. S. Shapley, "Stochastic Games", 1953, where the
/// players alternate).
///
/// A choice that stays with probability t/T and leaves otherwise is worth (T·r + Σ w·v) / (T − t).
/// If it is the right choice now, it is again the right one next time, so the geometric series over
/// the stays has this sum.
///
/// # Complexity
/// One pass over all outcomes, with O(1) floats or O(limbs) words each.
pub(crate) fn solve<G: Game + ?Sized, M: Model<G>, S: Store>(
    game: &G,
    model: &M,
    tolerance: &Tolerance,
    max_bytes: u128,
    threads: Threads,
    observer: &mut Observer<'_>,
) -> Result<Values<S>, Error> {
    let store = S::prepare(game, model, max_bytes, observer)?;
    let needed = 2 * model.len() as u128;
    if !fits(needed) {
        return Err(Error::TooMuchMemory {
            what: "their decisions",
            states: model.len(),
            needed,
            limit: max_bytes,
        });
    }
    let values = Values {
        store,
        decisions: vec![0_u16; model.len()],
    };
    #[cfg(feature = "rayon")]
    if model.cycles().is_empty()
        && let Some(rows) = model.rows(game)
        && let Some(pool) = threads.pool()?
    {
        match parallel::solve(game, model, rows, tolerance, values, &pool, observer) {
            Ok(values) => return Ok(values),
            Err(error @ Error::Cancelled { .. }) => return Err(error),
            // Another state may be the first to fail in the order of the model.
            Err(_) => {
                let values = Values {
                    store: S::prepare(game, model, max_bytes, observer)?,
                    decisions: vec![0_u16; model.len()],
                };
                return one_by_one(game, model, tolerance, max_bytes, values, observer);
            }
        }
    }
    // Without the feature there are no other threads.
    let _ = threads;
    one_by_one(game, model, tolerance, max_bytes, values, observer)
}

/// Computes the states one after another.
fn one_by_one<G: Game + ?Sized, M: Model<G>, S: Store>(
    game: &G,
    model: &M,
    tolerance: &Tolerance,
    max_bytes: u128,
    values: Values<S>,
    observer: &mut Observer<'_>,
) -> Result<Values<S>, Error> {
    let Values {
        mut store,
        mut decisions,
    } = values;
    let mut scratch = Scratch::new();
    let (mut best, mut slot) = (store.slot(), store.slot());
    let total = model.len();
    let mut cycles = model.cycles().iter();
    let mut cycle = cycles.next().cloned();
    let mut place_of = vec![u32::MAX; if cycle.is_some() { total } else { 0 }];
    for place in 0..total {
        if S::CYCLES
            && let Some(places) = &cycle
            && places.start as usize <= place
        {
            let places = places.start as usize..places.end as usize;
            if places.start == place {
                let cycle = Cycle {
                    places: places.clone(),
                    place_of: &mut place_of,
                    decisions: &mut decisions,
                    max_bytes,
                    observer: &mut *observer,
                };
                if *tolerance != Tolerance::strict() {
                    let state = game.describe(&model.state(game, model.at(place)));
                    return Err(Error::ToleranceInCycle { state });
                }
                store.solve_cycle(game, model, cycle)?;
            }
            if places.end == place + 1 {
                cycle = cycles.next().cloned();
            }
            observer.tick(Phase::Solving, place + 1, Some(total))?;
            continue;
        }
        let number = model.at(place);
        let row = model.row(game, number, &mut scratch)?;
        if let Some(score) = row.score {
            end(game, model, &mut store, number, score)?;
        } else {
            let (choice, verdict) = decide(&store, number, &row, tolerance, &mut best, &mut slot)
                .map_err(|(choice, why)| {
                unheld(why, game, &model.state(game, number), choice)
            })?;
            store.put(number, &mut best, row.player, verdict);
            decisions[number] = choice;
        }
        observer.tick(Phase::Solving, place + 1, Some(total))?;
    }
    Ok(Values { store, decisions })
}

/// Writes the value of a final state.
#[inline]
fn end<G: Game + ?Sized, M: Model<G>, S: Store>(
    game: &G,
    model: &M,
    store: &mut S,
    number: usize,
    score: &Score,
) -> Result<(), Error> {
    if store.put_score(number, score) {
        return Ok(());
    }
    Err(Error::ScoreBeyondFloat {
        state: game.describe(&model.state(game, number)),
    })
}

/// Returns the decided choice of a state that is not final, with its value in `best`, or the choice
/// that could not be appraised.
#[inline(always)]
fn decide<S: Store>(
    store: &S,
    number: usize,
    row: &Row<'_>,
    tolerance: &Tolerance,
    best: &mut S::Slot,
    slot: &mut S::Slot,
) -> Result<(u16, Verdict), (usize, Unheld)> {
    let mut decision = None;
    let mut certain = true;
    // Not by an iterator over tuples, since passing the odds through memory would cost as much as
    // adding them up.
    for choice in 0..row.len() {
        let targets = row.targets(choice);
        if targets.is_empty() {
            continue;
        }
        let odds = row.odds(choice, targets.len());
        let mut appraised = store.appraise(number, targets, &odds, slot);
        if let Some(reward) = row.reward(choice) {
            appraised = appraised.and_then(|()| store.pay(reward, &odds, slot));
        }
        if let Err(why) = appraised {
            return Err((choice, why));
        }
        if decision.is_none() {
            std::mem::swap(best, slot);
            decision = Some(choice);
            continue;
        }
        let (preferred, sure) = store.prefers(slot, best, row.player, tolerance);
        certain &= sure;
        if preferred {
            std::mem::swap(best, slot);
            decision = Some(choice);
        }
        store.doubt(best, slot);
    }
    let verdict = match (certain, row.player, tolerance.rule()) {
        (_, Player::Min, _) | (_, _, Rule::Strict) => Verdict::Best,
        (true, ..) => Verdict::Decided,
        (false, ..) => Verdict::Doubtful,
    };
    Ok((decision.unwrap_or(0) as u16, verdict))
}

/// Returns an error that states which choice could not be appraised.
#[cold]
pub(crate) fn unheld<G: Game + ?Sized>(
    why: Unheld,
    game: &G,
    state: &G::State,
    choice: usize,
) -> Error {
    let action = Node::solved(game, state).map_or_else(|_| choice.to_string(), |n| n.label(choice));
    let state = game.describe(state);
    match why {
        Unheld::Weights => Error::WeightsBeyondFloat { state, action },
        Unheld::Reward => Error::RewardBeyondFloat { state, action },
        Unheld::Changed => Error::Inconsistent { state },
        Unheld::Full {
            what,
            states,
            needed,
            limit,
        } => Error::TooMuchMemory {
            what,
            states,
            needed,
            limit,
        },
    }
}
