//! A ring of few sheets as a game with one state per sheet.

use indexmap::IndexSet;
use num_traits::ToPrimitive;
use oddsmith_mdp::{Solver, Table};
use rustc_hash::FxBuildHasher;

use crate::place::Place;
use crate::solver::decisions::leaves::SAME;

/// A state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum State {
    /// A sheet in the ring, or a place on the way to one, such as in a fight.
    Inside(Place),
    /// An exit from the ring with this value, as the bits of a float.
    Outside(u64),
}

pub(crate) type States = IndexSet<State, FxBuildHasher>;

/// What can happen in a state: for each choice, other states by number, with weights. Empty for an
/// exit.
pub(crate) type Row = Vec<Vec<(u32, u64)>>;

/// Decisions must be worth at least this share of the best value. Below that, the ring is iterated,
/// and decisions are made on the way.
pub(crate) const KEPT: f64 = 1.0 - 1e-9;

/// What counts as equally good. Sheets that can move in cycles for free have the same value, and
/// leave the cycle by an option that is as good except for the last digits. If no exit is found,
/// the next lower level is tried.
const LEVELS: [f64; 5] = [SAME, 1.0 - 1e-12, 1.0 - 1e-11, 1.0 - 1e-10, KEPT];

/// Values that floats enclose less closely are computed in fractions, if there are at most `FEW`
/// states. A ring that is hardly ever left may be worth more than floats can tell step by step.
const CLOSE: f64 = 1e-9;
const FEW: usize = 256;

/// A game of everything that can happen in a ring.
#[derive(Debug, Default)]
pub(crate) struct SmallGame {
    pub(crate) states: States,
    pub(crate) rows: Vec<Row>,
}

/// The value of a state, with bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enclosed {
    pub(crate) worth: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl SmallGame {
    /// The values of best play from each state, given decisions for some states; `None` if a value
    /// cannot be enclosed, or beyond the memory limit.
    pub(crate) fn enclosed(
        &self,
        decisions: &[Option<usize>],
        bytes: usize,
    ) -> Option<Vec<Enclosed>> {
        let table = Table::from_fn(self.rows.len() + 1, |number, row| {
            let Some(choices) = self.rows.get(number) else {
                // One more state leads to all of them.
                row.choice();
                for state in 0..self.rows.len() {
                    row.to(state, 1);
                }
                return;
            };
            if let Some(State::Outside(bits)) = self.states.get_index(number) {
                row.end(f64::from_bits(*bits));
            }
            let decided = decisions.get(number).copied().flatten();
            let choices = choices.iter().enumerate();
            for (_, outcomes) in choices.filter(|(one, _)| decided.is_none_or(|it| it == *one)) {
                row.choice();
                for &(to, weight) in outcomes {
                    row.to(to as usize, weight);
                }
            }
        });
        let (table, all) = (table.ok()?, self.rows.len());
        let solver = Solver::float().allow_cycles().max_bytes(bytes as u128);
        let solution = solver.solve_table(&table, all).ok()?;
        let states = (0..all).map(|number| {
            let (least, most) = solution.enclosure(&number).ok()?;
            Some(Enclosed {
                // Adding 0 removes the sign of a zero, which tables do not have.
                worth: solution.value_of(&number).ok()?.clamp(0.0, 1.0) + 0.0,
                least: least.max(0.0),
                most: most.min(1.0),
            })
        });
        let states = states.collect::<Option<Vec<Enclosed>>>()?;
        let close = states.iter().all(|one| one.most - one.least < CLOSE);
        if close || all > FEW {
            return Some(states);
        }
        drop(solution);
        let solver = Solver::exact().allow_cycles().max_bytes(bytes as u128);
        let Ok(solution) = solver.solve_table(&table, all) else {
            return Some(states);
        };
        let states = (0..all).map(|number| {
            let worth = solution.value_of(&number).ok()?.to_f64()?.clamp(0.0, 1.0);
            // The nearest float, or a neighbour of it.
            Some(Enclosed {
                worth,
                least: worth.next_down().max(0.0),
                most: worth.next_up().min(1.0),
            })
        });
        states.collect()
    }

    /// Computes one of the best choices for each state, such that all of them together lead out of
    /// the ring: the first of those that lead out soonest. `None` where nothing can be won, and if
    /// no such choice was found.
    ///
    /// Followed from any state, they come nearer to an exit with positive probability at every
    /// step. So they achieve the value that they promise.
    pub(crate) fn leading_out(&self, worths: &[Enclosed]) -> Vec<Option<usize>> {
        let mut from = vec![Vec::new(); self.rows.len()];
        let mut promising = vec![false; self.rows.len()];
        for (state, choices) in self.rows.iter().enumerate() {
            let means = choices.iter().map(|outcomes| mean(outcomes, worths));
            let means: Vec<f64> = means.collect();
            let best = means.iter().copied().fold(0.0, f64::max);
            promising[state] = best > 0.0;
            for (choice, outcomes) in choices.iter().enumerate() {
                if best > 0.0 && means[choice] >= best * KEPT {
                    for (to, _) in outcomes {
                        from[*to as usize].push((state, choice, means[choice] / best));
                    }
                }
            }
        }
        let mut decided: Vec<Option<usize>> = vec![None; self.rows.len()];
        let mut steps = vec![0_usize; self.rows.len()];
        let mut step = 0;
        for same in LEVELS {
            let out = |state: &usize| self.rows[*state].is_empty() || decided[*state].is_some();
            let mut reached: Vec<usize> = (0..self.rows.len()).filter(out).collect();
            while !reached.is_empty() {
                step += 1;
                let mut next = Vec::new();
                let edges = reached.iter().flat_map(|state| &from[*state]);
                for &(state, choice, _) in edges.filter(|edge| edge.2 >= same) {
                    match decided[state] {
                        None => {
                            (decided[state], steps[state]) = (Some(choice), step);
                            next.push(state);
                        }
                        Some(other) if steps[state] == step && choice < other => {
                            decided[state] = Some(choice);
                        }
                        Some(_) => {}
                    }
                }
                reached = next;
            }
            let mut known = promising.iter().zip(&decided);
            if known.all(|(promising, decided)| !promising || decided.is_some()) {
                break;
            }
        }
        decided
    }
}

fn mean(outcomes: &[(u32, u64)], worths: &[Enclosed]) -> f64 {
    let (mut sum, mut all) = (0.0, 0.0);
    for &(to, weight) in outcomes {
        sum += weight as f64 * worths[to as usize].worth;
        all += weight as f64;
    }
    sum / all
}
