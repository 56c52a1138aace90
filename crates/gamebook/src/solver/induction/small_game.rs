//! A ring of few sheets as a game in which each of them is a state.

use indexmap::IndexSet;
use oddsmith_mdp::{Solver, Table};
use rustc_hash::FxBuildHasher;

use crate::place::Place;
use crate::solver::decisions::SAME;

/// A state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum State {
    /// A sheet in the ring, or a place on the way to one, such as in a fight.
    Inside(Place),
    /// What leads out of the ring, worth that: the bits of a float.
    Outside(u64),
}

pub(crate) type States = IndexSet<State, FxBuildHasher>;

/// What can happen in a state: by choice, other states by number, with weights. Nothing where
/// the ring is left.
pub(crate) type Row = Vec<Vec<(u32, u64)>>;

/// All that can happen in a ring.
#[derive(Debug, Default)]
pub(crate) struct SmallGame {
    pub(crate) states: States,
    pub(crate) rows: Vec<Row>,
}

/// What a state is worth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enclosed {
    pub(crate) worth: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl SmallGame {
    /// What best play from each state is worth, with these decisions where there are any;
    /// `None` if some of it cannot be enclosed, or takes more memory.
    pub(crate) fn enclosed(
        &self,
        decisions: &[Option<usize>],
        bytes: usize,
    ) -> Option<Vec<Enclosed>> {
        let table = Table::from_fn(self.rows.len() + 1, |number, row| {
            let Some(choices) = self.rows.get(number) else {
                // One more leads to all of them.
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
        let table = table.ok()?;
        let solver = Solver::float().allow_cycles().max_bytes(bytes as u128);
        let solution = solver.solve_table(&table, self.rows.len()).ok()?;
        let states = (0..self.rows.len()).map(|number| {
            let (least, most) = solution.enclosure(&number).ok()?;
            Some(Enclosed {
                worth: solution.value_of(&number).ok()?.clamp(0.0, 1.0),
                least: least.max(0.0),
                most: most.min(1.0),
            })
        });
        states.collect()
    }

    /// By state one of its best choices, such that all of them together lead out of the ring:
    /// the first of those that lead out soonest. `None` where nothing can be won, and where no
    /// such choice was found.
    ///
    /// Followed from anywhere they come nearer to the way out with some chance at every step,
    /// and so they are worth what they promise.
    pub(crate) fn leading_out(&self, worths: &[Enclosed]) -> Vec<Option<usize>> {
        let mut from = vec![Vec::new(); self.rows.len()];
        for (state, choices) in self.rows.iter().enumerate() {
            let means = choices.iter().map(|outcomes| mean(outcomes, worths));
            let means: Vec<f64> = means.collect();
            let best = means.iter().copied().fold(0.0, f64::max);
            for (choice, outcomes) in choices.iter().enumerate() {
                if best > 0.0 && means[choice] >= best * SAME {
                    for (to, _) in outcomes {
                        from[*to as usize].push((state, choice));
                    }
                }
            }
        }
        let mut decided: Vec<Option<usize>> = vec![None; self.rows.len()];
        let mut steps = vec![0_usize; self.rows.len()];
        let ends = self.rows.iter().enumerate();
        let ends = ends.filter(|(_, choices)| choices.is_empty());
        let mut reached: Vec<usize> = ends.map(|(state, _)| state).collect();
        for step in 1.. {
            let mut next = Vec::new();
            for &(state, choice) in reached.iter().flat_map(|state| &from[*state]) {
                match decided[state] {
                    None => {
                        (decided[state], steps[state]) = (Some(choice), step);
                        next.push(state);
                    }
                    Some(other) => {
                        if steps[state] == step && choice < other {
                            decided[state] = Some(choice);
                        }
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            reached = next;
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
