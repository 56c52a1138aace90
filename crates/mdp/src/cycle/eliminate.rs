//! Eliminating the nodes of a chain one after the other.
//!
//! A node that is taken out hands what it receives to those it leads to: with w(k)
//! the weight of all ways out of k, w(i → j) grows by w(i → k) w(k → j) / w(k).
//! Only sums, products and quotients of positive numbers occur; the pivot w(k) is
//! added up from the ways out and never found as a difference (W. K. Grassmann,
//! M. I. Taksar and D. P. Heyman, "Regenerative analysis and steady state
//! distributions for Markov chains", Operations Research 33, 1985, with an exit in
//! place of stationarity). The next node is one whose ways in times ways out are
//! fewest (H. M. Markowitz, "The elimination form of the inverse and its
//! application to linear programming", Management Science 3, 1957), so that
//! chains along a line stay sparse.
//!
//! # Roundings
//!
//! Every visit count is a quotient of two sums of products of at most m weights, the
//! trees of the chain with m nodes (C. A. O'Cinneide, "Entrywise perturbation theory
//! and error analysis for Markov chains", Numerische Mathematik 65, 1993). One
//! rounding in each weight is therefore at most 2m roundings in the answer.
//! Eliminating a node with l ways out puts at most l + 3 roundings on the weights of
//! the m nodes that are left, and its own visits cost c + l + 3 more for c ways in.

use std::collections::BTreeSet;

use crate::Error;

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

    #[inline]
    fn add(self, a: f64, b: f64) -> f64 {
        a + b
    }

    #[inline]
    fn times(self, a: f64, b: f64) -> f64 {
        a * b
    }

    fn inverse(self, a: f64) -> Option<f64> {
        let inverse = 1.0 / a;
        (inverse.is_finite() && inverse > 0.0).then_some(inverse)
    }
}

/// Why a chain was not eliminated.
#[derive(Debug)]
pub(super) enum Refusal {
    /// A pivot without inverse.
    Singular,
    /// So many numbers are needed at least.
    TooLarge(u128),
    Stopped(Error),
}

pub(super) type Ways<N> = Vec<(u32, N)>;

/// A chain with its nodes eliminated, ready for any right-hand side.
#[derive(Debug)]
pub(super) struct Elimination<F: Field> {
    field: F,
    steps: Vec<Step<F::Number>>,
    roundings: u64,
}

#[derive(Debug)]
struct Step<N> {
    node: u32,
    /// 1 / the weight of all ways out.
    inverse: N,
    /// To and from nodes eliminated later.
    ways_out: Ways<N>,
    ways_in: Ways<N>,
}

/// Bytes of a number kept.
pub(super) const ENTRY: u128 = 16;

impl<F: Field> Elimination<F> {
    /// Eliminates the nodes of a chain without self-loops, its ways ascending,
    /// keeping at most `limit` numbers.
    pub(super) fn new(
        field: F,
        mut rows: Vec<Ways<F::Number>>,
        mut exits: Vec<F::Number>,
        limit: u128,
        mut pulse: impl FnMut() -> Result<(), Error>,
    ) -> Result<Self, Refusal> {
        let mut sources = vec![Vec::new(); rows.len()];
        for (node, row) in rows.iter().enumerate() {
            for &(target, _) in row {
                sources[target as usize].push(node as u32);
            }
        }
        let cost = |rows: &[Ways<_>], sources: &[Vec<u32>], node: u32| {
            let at = node as usize;
            rows[at].len() as u64 * sources[at].len() as u64
        };
        let mut costs: Vec<u64> = (0..rows.len() as u32)
            .map(|node| cost(&rows, &sources, node))
            .collect();
        let mut queue: BTreeSet<(u64, u32)> = costs.iter().copied().zip(0..).collect();
        let mut steps = Vec::with_capacity(rows.len());
        let (mut entries, mut roundings) = (0_u128, 0_u64);
        while let Some((_, node)) = queue.pop_first() {
            let at = node as usize;
            let ways_out = std::mem::take(&mut rows[at]);
            let origins = std::mem::take(&mut sources[at]);
            let pivot = ways_out
                .iter()
                .fold(exits[at], |sum, way| field.add(sum, way.1));
            let inverse = field.inverse(pivot).ok_or(Refusal::Singular)?;
            for &(target, _) in &ways_out {
                let sources = &mut sources[target as usize];
                if let Ok(at) = sources.binary_search(&node) {
                    sources.remove(at);
                }
            }
            let mut ways_in = Vec::with_capacity(origins.len());
            for &origin in &origins {
                let row = &mut rows[origin as usize];
                let Ok(place) = row.binary_search_by_key(&node, |way| way.0) else {
                    continue;
                };
                let (_, weight) = row.remove(place);
                ways_in.push((origin, weight));
                let factor = field.times(weight, inverse);
                let exit = field.times(factor, exits[at]);
                exits[origin as usize] = field.add(exits[origin as usize], exit);
                *row = merged(field, row, &ways_out, factor, origin, &mut sources);
            }
            for other in ways_out.iter().map(|way| way.0).chain(origins) {
                let new = cost(&rows, &sources, other);
                let old = &mut costs[other as usize];
                if *old != new {
                    queue.remove(&(*old, other));
                    queue.insert((new, other));
                    *old = new;
                }
            }
            entries += (ways_in.len() + ways_out.len() + 2) as u128;
            let (into, out) = (ways_in.len() as u64, ways_out.len() as u64 + 1);
            let weights = (2 * (queue.len() as u64 + 1)).saturating_mul(out + 3);
            roundings = roundings.saturating_add(weights.saturating_add(into + out + 3));
            // The work of one step may be a million products.
            if steps.len() % 64 == 0 {
                pulse().map_err(Refusal::Stopped)?;
            }
            if entries > limit {
                return Err(Refusal::TooLarge(entries));
            }
            steps.push(Step {
                node,
                inverse,
                ways_out,
                ways_in,
            });
        }
        Ok(Elimination {
            field,
            steps,
            roundings,
        })
    }

    /// The roundings that elimination and [`visits`](Elimination::visits) put on
    /// every answer.
    pub(super) fn roundings(&self) -> u64 {
        self.roundings
    }

    /// v with w(k) v(k) = gain(k) + Σ w(k → j) v(j): what is gained on the way,
    /// from each node on.
    pub(super) fn values(&self, mut gain: Vec<F::Number>) -> Vec<F::Number> {
        let field = self.field;
        for step in &self.steps {
            let share = field.times(gain[step.node as usize], step.inverse);
            for &(origin, weight) in &step.ways_in {
                let origin = &mut gain[origin as usize];
                *origin = field.add(*origin, field.times(share, weight));
            }
        }
        for step in self.steps.iter().rev() {
            let mut sum = gain[step.node as usize];
            for &(target, weight) in &step.ways_out {
                sum = field.add(sum, field.times(gain[target as usize], weight));
            }
            gain[step.node as usize] = field.times(sum, step.inverse);
        }
        gain
    }

    /// x with w(k) x(k) = flow(k) + Σ x(j) w(j → k): the visits to each node over
    /// its w, from what flows in from outside.
    pub(super) fn visits(&self, mut flow: Vec<F::Number>) -> Vec<F::Number> {
        let field = self.field;
        for step in &self.steps {
            let share = field.times(flow[step.node as usize], step.inverse);
            for &(target, weight) in &step.ways_out {
                let target = &mut flow[target as usize];
                *target = field.add(*target, field.times(share, weight));
            }
        }
        for step in self.steps.iter().rev() {
            let mut sum = flow[step.node as usize];
            for &(origin, weight) in &step.ways_in {
                sum = field.add(sum, field.times(flow[origin as usize], weight));
            }
            flow[step.node as usize] = field.times(sum, step.inverse);
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
) -> Ways<F::Number> {
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

    fn walk(states: u32) -> Elimination<Reals> {
        let row = |at: u32| {
            let mut row = Vec::new();
            row.extend(at.checked_sub(1).map(|below| (below, 1.0)));
            row.extend((at + 1 < states).then_some((at + 1, 1.0)));
            row
        };
        let mut exits = vec![0.0; states as usize];
        exits[0] += 1.0;
        exits[states as usize - 1] += 1.0;
        let rows = (0..states).map(row).collect();
        Elimination::new(Reals, rows, exits, 1 << 20, || Ok(())).unwrap()
    }

    /// A fair walk on 1 ..= 3 between 0 and 4: it is 1/4, 1/2, 3/4 likely to end
    /// at 4, and from 2 passes 1, 2, 3 once, twice, once.
    #[test]
    fn a_fair_walk() {
        let walk = walk(3);
        assert_eq!(walk.values(vec![0.0, 0.0, 1.0]), [0.25, 0.5, 0.75]);
        assert_eq!(walk.visits(vec![0.0, 1.0, 0.0]), [0.5, 1.0, 0.5]);
    }

    #[test]
    fn a_line_stays_sparse() {
        let steps = walk(10_000).steps;
        let entries: usize = steps
            .iter()
            .map(|s| s.ways_in.len() + s.ways_out.len())
            .sum();
        assert!(entries < 40_000, "{entries}");
    }

    #[test]
    fn a_chain_without_exit_is_singular() {
        let rows = vec![vec![(1, 1.0)], vec![(0, 1.0)]];
        let refusal = Elimination::new(Reals, rows, vec![0.0; 2], 100, || Ok(()));
        assert!(matches!(refusal, Err(Refusal::Singular)));
    }
}
