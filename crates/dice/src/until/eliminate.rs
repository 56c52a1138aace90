//! Visits to the states of a cycle, by eliminating one state after the other.
//!
//! A state that is taken out hands what it receives to the states it leads to: with w(k)
//! the weight of all ways out of k, w(i → j) grows by w(i → k) w(k → j) / w(k). Only sums,
//! products and quotients of positive numbers occur; the pivot w(k) is added up from the
//! ways out and never found as a difference. That is the algorithm of W. K. Grassmann,
//! M. I. Taksar and D. P. Heyman, "Regenerative analysis and steady state distributions
//! for Markov chains", Operations Research 33 (1985), with an exit in place of
//! stationarity. The next state is one whose ways in times ways out are fewest (H. M.
//! Markowitz, "The elimination form of the inverse and its application to linear
//! programming", Management Science 3, 1957), so that banded chains stay banded.
//!
//! # Roundings
//!
//! Every visit count is a quotient of two sums of products of at most m weights, the trees
//! of the chain with m states (C. A. O'Cinneide, "Entrywise perturbation theory and error
//! analysis for Markov chains", Numerische Mathematik 65, 1993). One rounding in each
//! weight is therefore at most 2m roundings in the answer. Eliminating a state with l ways
//! out puts at most l + 3 roundings on the weights of the m states that are left, and its
//! own visits cost c + l + 3 more for c ways in: the sum of 2m (l + 3) + c + l + 3 over all
//! steps bounds everything.

use std::collections::BTreeSet;

/// Numbers to eliminate in.
pub(super) trait Field: Copy {
    type Number: Copy;
    fn add(self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn times(self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn inverse(self, a: Self::Number) -> Option<Self::Number>;
}

/// Doubles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reals;

impl Field for Reals {
    type Number = f64;

    fn add(self, a: f64, b: f64) -> f64 {
        a + b
    }

    fn times(self, a: f64, b: f64) -> f64 {
        a * b
    }

    fn inverse(self, a: f64) -> Option<f64> {
        let inverse = 1.0 / a;
        (inverse.is_finite() && inverse > 0.0).then_some(inverse)
    }
}

/// Why a block was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// A pivot without inverse.
    Singular,
    /// So many numbers are needed at least.
    TooLarge(u128),
}

type Row<N> = Vec<(u32, N)>;

/// A block with its states eliminated, ready for any inflow.
#[derive(Debug)]
pub(super) struct Elimination<F: Field> {
    field: F,
    steps: Vec<Step<F::Number>>,
    entries: u128,
    roundings: u64,
}

#[derive(Debug)]
struct Step<N> {
    state: u32,
    /// 1 / the weight of all ways out.
    inverse: N,
    /// To and from states eliminated later.
    ways_out: Row<N>,
    ways_in: Row<N>,
}

impl<F: Field> Elimination<F> {
    /// Eliminates the states of a block without self-loops, keeping at most `limit` numbers.
    pub(super) fn new(
        field: F,
        mut rows: Vec<Row<F::Number>>,
        mut exits: Vec<F::Number>,
        limit: u64,
    ) -> Result<Self, Refusal> {
        let mut sources = vec![Vec::new(); rows.len()];
        for (state, row) in rows.iter().enumerate() {
            for &(target, _) in row {
                sources[target as usize].push(state as u32);
            }
        }
        // Each elimination takes at most one way from a state: with d ways out and in of
        // every state, the first d cost d², (d − 1)², … at least.
        let degrees = rows.iter().map(Vec::len).zip(sources.iter().map(Vec::len));
        let least = degrees.map(|(out, into)| out.min(into)).min().unwrap_or(0) as u128;
        let least = least.pow(3) / 24;
        if least > u128::from(limit) {
            return Err(Refusal::TooLarge(least));
        }
        let cost = |rows: &[Row<_>], sources: &[Vec<u32>], state: u32| {
            let at = state as usize;
            rows[at].len() as u64 * sources[at].len() as u64
        };
        let mut queue: BTreeSet<(u64, u32)> = (0..rows.len() as u32)
            .map(|state| (cost(&rows, &sources, state), state))
            .collect();
        let mut steps = Vec::with_capacity(rows.len());
        let (mut entries, mut roundings) = (0u128, 0u64);
        while let Some((_, state)) = queue.pop_first() {
            let at = state as usize;
            let left = queue.len() as u64 + 1;
            let ways_out = std::mem::take(&mut rows[at]);
            let origins = std::mem::take(&mut sources[at]);
            let add = |sum, way: &(u32, F::Number)| field.add(sum, way.1);
            let pivot = ways_out.iter().fold(exits[at], add);
            let inverse = field.inverse(pivot).ok_or(Refusal::Singular)?;
            let touched = ways_out.iter().map(|way| way.0);
            let mut touched: Vec<u32> = touched.chain(origins.iter().copied()).collect();
            touched.sort_unstable();
            touched.dedup();
            for &other in &touched {
                queue.remove(&(cost(&rows, &sources, other), other));
            }
            for &(target, _) in &ways_out {
                let sources = &mut sources[target as usize];
                if let Ok(at) = sources.binary_search(&state) {
                    sources.remove(at);
                }
            }
            let mut ways_in = Vec::with_capacity(origins.len());
            for &origin in &origins {
                let row = &mut rows[origin as usize];
                let Ok(place) = row.binary_search_by_key(&state, |way| way.0) else {
                    continue;
                };
                let (_, weight) = row.remove(place);
                ways_in.push((origin, weight));
                let factor = field.times(weight, inverse);
                let exit = field.times(factor, exits[at]);
                exits[origin as usize] = field.add(exits[origin as usize], exit);
                *row = merged(field, row, &ways_out, factor, origin, &mut sources);
            }
            // What is removed from the queue comes back with its new cost.
            for &other in &touched {
                queue.insert((cost(&rows, &sources, other), other));
            }
            let (into, out) = (ways_in.len() as u64, ways_out.len() as u64 + 1);
            entries += u128::from(into + out) + u128::from(into * out / 8);
            if entries > u128::from(limit) {
                return Err(Refusal::TooLarge(entries));
            }
            let counted = (2 * left).saturating_mul(out + 3);
            roundings = roundings.saturating_add(counted.saturating_add(into + out + 3));
            steps.push(Step {
                state,
                inverse,
                ways_out,
                ways_in,
            });
        }
        Ok(Elimination {
            field,
            steps,
            entries,
            roundings,
        })
    }

    /// A measure of the numbers kept and of the work done.
    pub(super) fn entries(&self) -> u128 {
        self.entries
    }

    /// The roundings that elimination and solution put on every visit.
    pub(super) fn roundings(&self) -> u64 {
        self.roundings
    }

    /// The visits to each state over its total, from what flows in from outside.
    pub(super) fn solve(&self, mut flow: Vec<F::Number>) -> Vec<F::Number> {
        let field = self.field;
        for step in &self.steps {
            let share = field.times(flow[step.state as usize], step.inverse);
            for &(target, weight) in &step.ways_out {
                let target = &mut flow[target as usize];
                *target = field.add(*target, field.times(share, weight));
            }
        }
        for step in self.steps.iter().rev() {
            let mut sum = flow[step.state as usize];
            for &(origin, weight) in &step.ways_in {
                sum = field.add(sum, field.times(flow[origin as usize], weight));
            }
            flow[step.state as usize] = field.times(sum, step.inverse);
        }
        flow
    }
}

/// `row` + factor · `ways`, both ascending, without a way back to `origin` itself.
fn merged<F: Field>(
    field: F,
    row: &[(u32, F::Number)],
    ways: &[(u32, F::Number)],
    factor: F::Number,
    origin: u32,
    sources: &mut [Vec<u32>],
) -> Row<F::Number> {
    let mut sum = Vec::with_capacity(row.len() + ways.len());
    let mut old = row.iter().copied().peekable();
    for &(target, weight) in ways {
        while let Some(way) = old.next_if(|way| way.0 < target) {
            sum.push(way);
        }
        if target == origin {
            continue;
        }
        let weight = field.times(factor, weight);
        if let Some((_, before)) = old.next_if(|way| way.0 == target) {
            sum.push((target, field.add(before, weight)));
        } else {
            sum.push((target, weight));
            let sources = &mut sources[target as usize];
            if let Err(at) = sources.binary_search(&origin) {
                sources.insert(at, origin);
            }
        }
    }
    sum.extend(old);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fair walk on 1 ..= 3 between two ends, from the middle: 1, 2 and 1 visits.
    #[test]
    fn a_fair_walk() {
        let rows = vec![vec![(1, 1.0)], vec![(0, 1.0), (2, 1.0)], vec![(1, 1.0)]];
        let exits = vec![1.0, 0.0, 1.0];
        let visits = Elimination::new(Reals, rows, exits, 1000)
            .map(|elimination| elimination.solve(vec![0.0, 1.0, 0.0]));
        // Over the total of two each.
        assert_eq!(visits, Ok(vec![0.5, 1.0, 0.5]));
    }

    #[test]
    fn a_band_does_not_fill() {
        let states = 10_000u32;
        let row = |at: u32| {
            let mut row = Vec::new();
            row.extend(at.checked_sub(1).map(|below| (below, 1.0)));
            row.extend((at + 1 < states).then_some((at + 1, 1.0)));
            row
        };
        let mut exits = vec![0.0; states as usize];
        exits[0] = 1.0;
        let banded = Elimination::new(Reals, (0..states).map(row).collect(), exits, 1 << 20);
        assert!(banded.is_ok_and(|elimination| elimination.entries() < 60_000));
    }

    /// Refused at once: half of the elimination was done before.
    #[test]
    fn a_dense_block_is_refused_before_any_work() {
        let row = |at: u32| {
            (0..100)
                .filter(|to| *to != at)
                .map(|to| (to, 1.0))
                .collect()
        };
        let dense =
            |limit| Elimination::new(Reals, (0..100).map(row).collect(), vec![1.0; 100], limit);
        let refusal = dense(40_000).map(|_| ());
        assert_eq!(refusal, Err(Refusal::TooLarge(99u128.pow(3) / 24)));
        assert!(dense(60_000).is_ok());
    }

    #[test]
    fn a_block_without_exit_is_singular() {
        let rows = vec![vec![(1, 1.0)], vec![(0, 1.0)]];
        let refusal = Elimination::new(Reals, rows, vec![0.0; 2], 100).map(|_| ());
        assert_eq!(refusal, Err(Refusal::Singular));
    }
}
