//! Elimination of one state after another.
//!
//! An eliminated state passes what it receives to the states it leads to: with w(k) the weight of
//! all ways out of k, w(i → j) grows by w(i → k) w(k → j) / w(k). Only sums, products and quotients
//! of positive numbers occur. The pivot w(k) is the sum of the ways out, and is never computed as a
//! difference. This is the algorithm of W. K. Grassmann, M. I. Taksar and D. P. Heyman,
//! "Regenerative analysis and steady state distributions for Markov chains", Operations Research 33
//! (1985), with an exit in place of stationarity. The next state is one with the smallest product
//! of ways in and ways out (H. M. Markowitz, "The elimination form of the inverse and its
//! application to linear programming", Management Science 3, 1957), so that banded chains stay
//! banded.
//!
//! # Roundings
//!
//! Every answer to one state's b is a quotient of two sums of products of at most m weights,
//! the trees of the chain with m states (C. A. O'Cinneide, "Entrywise perturbation theory
//! and error analysis for Markov chains", Numerische Mathematik 65, 1993). One rounding in
//! each weight is therefore at most 2m roundings in the answer. Eliminating a state with l
//! ways out puts at most l + 3 roundings on the weights of the m states that are left, and
//! its own answer costs c + l + 3 more for c ways in: the sum of 2m (l + 3) + c + l + 3 over
//! all steps bounds everything.

use super::limits::Limits;
use super::{Direction, Hook, heard, of_states};
use crate::Error;
use std::collections::BTreeSet;

/// The arithmetic of an elimination.
pub(super) trait Field: Copy {
    type Number: Copy;
    fn add(self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn times(self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn inverse(self, a: Self::Number) -> Option<Self::Number>;

    /// start + Σ weight · value at its place
    #[inline]
    fn add_products(
        self,
        start: Self::Number,
        places: &[u32],
        weights: &[Self::Number],
        values: &[Self::Number],
    ) -> Self::Number {
        let products = places.iter().zip(weights);
        products.fold(start, |sum, (&place, &weight)| {
            self.add(sum, self.times(values[place as usize], weight))
        })
    }
}

/// The reason why a matrix was not eliminated.
#[derive(Debug, PartialEq)]
pub(super) enum Refusal {
    /// A pivot has no inverse.
    Singular,
    /// A limit was reached, or the caller stopped.
    Other(Error),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Refusal::Other(error)
    }
}

pub(super) type Row<N> = Vec<(u32, N)>;

/// The operations on words for a product and its overhead, such as finding the sum it is added to.
const PRODUCT: u128 = 32;

/// The size of an entry in words.
const ENTRY: u128 = 2;

/// The number of states eliminated between two calls of the hook.
const UNHEARD: usize = 64;

/// A system with its states eliminated.
#[derive(Debug)]
pub(super) struct Elimination<F: Field> {
    field: F,
    steps: Vec<Step<F::Number>>,
    pub(super) words: u128,
    pub(super) operations: u128,
    /// The roundings that elimination and solution add to every answer, for positive numbers.
    pub(super) roundings: u64,
}

#[derive(Debug)]
struct Step<N> {
    state: u32,
    /// 1 / the weight of all ways out.
    inverse: N,
    /// The ways to and from states eliminated later.
    ways_out: Row<N>,
    ways_in: Row<N>,
}

impl<F: Field> Elimination<F> {
    /// Eliminates the states. There must be no self-loops, and the ways out of each state must
    /// ascend.
    pub(super) fn new(
        field: F,
        mut rows: Vec<Row<F::Number>>,
        mut exits: Vec<F::Number>,
        limits: Limits,
        hook: &mut Hook<'_>,
    ) -> Result<Self, Refusal> {
        let mut sources = vec![Vec::new(); rows.len()];
        for (state, row) in rows.iter().enumerate() {
            for &(target, _) in row {
                sources[target as usize].push(state as u32);
            }
        }
        let of_all = || of_states(rows.len());
        // Each elimination removes at most one way from a state. If every state has at least d ways
        // out and in, the first d eliminations cost at least d², (d − 1)², …
        let degrees = rows.iter().map(Vec::len).zip(sources.iter().map(Vec::len));
        let least = degrees.map(|(out, into)| out.min(into)).min().unwrap_or(0) as u128;
        limits.check_time(of_all, least.pow(3) / 3 * PRODUCT)?;
        let cost = |rows: &[Row<_>], sources: &[Vec<u32>], state: u32| {
            let at = state as usize;
            rows[at].len() as u64 * sources[at].len() as u64
        };
        let mut costs: Vec<u64> = (0..rows.len() as u32)
            .map(|state| cost(&rows, &sources, state))
            .collect();
        let mut queue: BTreeSet<(u64, u32)> = costs.iter().copied().zip(0..).collect();
        let mut steps = Vec::with_capacity(rows.len());
        let (mut words, mut operations, mut roundings) = (0_u128, 0_u128, 0_u64);
        while let Some((_, state)) = queue.pop_first() {
            let at = state as usize;
            let ways_out = std::mem::take(&mut rows[at]);
            let origins = std::mem::take(&mut sources[at]);
            let (into, out) = (origins.len() as u64, ways_out.len() as u64 + 1);
            words += ENTRY * u128::from(into + out + 1);
            operations += PRODUCT * u128::from(into * out);
            limits.check_words(|| of_states(rows.len()), words)?;
            limits.check_time(|| of_states(rows.len()), operations)?;
            if steps.len() % UNHEARD == 0 {
                heard(hook, rows.len())?;
            }
            let add = |sum, way: &(u32, F::Number)| field.add(sum, way.1);
            let pivot = ways_out.iter().fold(exits[at], add);
            let inverse = field.inverse(pivot).ok_or(Refusal::Singular)?;
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
            for other in ways_out.iter().map(|way| way.0).chain(origins) {
                let new = cost(&rows, &sources, other);
                let old = &mut costs[other as usize];
                if *old != new {
                    queue.remove(&(*old, other));
                    queue.insert((new, other));
                    *old = new;
                }
            }
            let weights = (2 * (queue.len() as u64 + 1)).saturating_mul(out + 3);
            roundings = roundings.saturating_add(weights.saturating_add(into + out + 3));
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
            words,
            operations,
            roundings,
        })
    }

    /// Prepares for right-hand sides of these equations.
    pub(super) fn triangles(self, direction: Direction) -> Triangles<F> {
        let mut place_of = vec![0; self.steps.len()];
        for (place, step) in (0..).zip(&self.steps) {
            place_of[step.state as usize] = place;
        }
        let (mut order, mut inverses) = (Vec::new(), Vec::new());
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for step in self.steps {
            order.push(step.state);
            inverses.push(step.inverse);
            let (from, to) = match direction {
                Direction::Backward => (step.ways_in, step.ways_out),
                Direction::Forward => (step.ways_out, step.ways_in),
            };
            let placed = |row: Row<F::Number>| -> Row<F::Number> {
                let ways = row.into_iter();
                ways.map(|(state, w)| (place_of[state as usize], w))
                    .collect()
            };
            before.push(placed(from));
            after.push(placed(to));
        }
        Triangles {
            field: self.field,
            order,
            inverses,
            before: Triangle::new(&transposed(before)),
            after: Triangle::new(&after),
        }
    }
}

/// For each place the ways to it, from the rows of ways from it.
fn transposed<N: Copy>(rows: Vec<Row<N>>) -> Vec<Row<N>> {
    let mut columns = vec![Vec::new(); rows.len()];
    for (from, row) in (0..).zip(rows) {
        for (to, weight) in row {
            columns[to as usize].push((from, weight));
        }
    }
    columns
}

/// An elimination for one type of equations. Places are in the order of elimination.
#[derive(Debug)]
pub(super) struct Triangles<F: Field> {
    field: F,
    order: Vec<u32>,
    inverses: Vec<F::Number>,
    /// What each place receives from those before it, and from those after it.
    before: Triangle<F::Number>,
    after: Triangle<F::Number>,
}

/// Rows stored consecutively.
#[derive(Debug)]
struct Triangle<N> {
    ends: Vec<usize>,
    places: Vec<u32>,
    weights: Vec<N>,
}

impl<N: Copy> Triangle<N> {
    fn new(rows: &[Row<N>]) -> Self {
        let mut end = 0;
        let ends = rows.iter().map(|row| {
            end += row.len();
            end
        });
        Triangle {
            ends: ends.collect(),
            places: rows.iter().flatten().map(|way| way.0).collect(),
            weights: rows.iter().flatten().map(|way| way.1).collect(),
        }
    }

    #[inline]
    fn row(&self, place: usize) -> (&[u32], &[N]) {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        let row = start..self.ends[place];
        (&self.places[row.clone()], &self.weights[row])
    }
}

impl<F: Field> Triangles<F> {
    /// The number of products in a solution.
    pub(super) fn entries(&self) -> usize {
        self.before.weights.len() + self.after.weights.len()
    }

    /// The x for this b, by state.
    pub(super) fn solve(&self, b: &[F::Number]) -> Vec<F::Number> {
        let field = self.field;
        let places = 0..self.order.len();
        let mut sums = Vec::with_capacity(places.len());
        // Each sum is divided by the weight of all ways out.
        let mut x = Vec::with_capacity(places.len());
        for place in places.clone() {
            let (from, weights) = self.before.row(place);
            let sum = field.add_products(b[self.order[place] as usize], from, weights, &x);
            sums.push(sum);
            x.push(field.times(sum, self.inverses[place]));
        }
        let mut by_state = b.to_vec();
        for place in places.rev() {
            let (from, weights) = self.after.row(place);
            let sum = field.add_products(sums[place], from, weights, &x);
            x[place] = field.times(sum, self.inverses[place]);
            by_state[self.order[place] as usize] = x[place];
        }
        by_state
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
    use super::super::float::Reals;
    use super::*;
    use std::ops::ControlFlow;

    fn eliminated(
        rows: Vec<Row<f64>>,
        exits: Vec<f64>,
        limit: u64,
    ) -> Result<Elimination<Reals>, Refusal> {
        let mut go_on = || ControlFlow::Continue(());
        Elimination::new(Reals, rows, exits, Limits::words(limit), &mut go_on)
    }

    fn walk(states: u32) -> Result<Elimination<Reals>, Refusal> {
        let row = |at: u32| {
            let mut row = Vec::new();
            row.extend(at.checked_sub(1).map(|below| (below, 1.0)));
            row.extend((at + 1 < states).then_some((at + 1, 1.0)));
            row
        };
        let mut exits = vec![0.0; states as usize];
        exits[0] += 1.0;
        exits[states as usize - 1] += 1.0;
        eliminated((0..states).map(row).collect(), exits, 1 << 20)
    }

    /// A fair walk on 1 ..= 3 between 0 and 4: it ends at 4 with probability 1/4, 1/2, 3/4, and
    /// from 2 visits 1, 2, 3 once, twice and once, each over the total of two.
    #[test]
    fn a_fair_walk() -> Result<(), Refusal> {
        let values = walk(3)?.triangles(Direction::Backward);
        assert_eq!(values.solve(&[0.0, 0.0, 1.0]), [0.25, 0.5, 0.75]);
        let visits = walk(3)?.triangles(Direction::Forward);
        assert_eq!(visits.solve(&[0.0, 1.0, 0.0]), [0.5, 1.0, 0.5]);
        Ok(())
    }

    #[test]
    fn a_band_does_not_fill() {
        assert!(walk(10_000).is_ok_and(|walk| walk.words < 120_000));
    }

    /// Refused at once, instead of after half of the elimination.
    #[test]
    fn a_dense_block_is_refused_before_any_work() {
        let row = |at: u32| {
            let others = (0..100).filter(|to| *to != at);
            others.map(|to| (to, 1.0)).collect()
        };
        let dense = |limit| eliminated((0..100).map(row).collect(), vec![1.0; 100], limit);
        let operations = 99u128.pow(3) / 3 * PRODUCT;
        let refused = dense(40_000).map(|_| ());
        assert!(
            matches!(refused, Err(Refusal::Other(Error::TooSlow { operations: n, .. })) if n == operations),
            "{refused:?}"
        );
        assert!(dense(60_000).is_ok());
    }

    #[test]
    fn a_block_without_exit_is_singular() {
        let rows = vec![vec![(1, 1.0)], vec![(0, 1.0)]];
        let refusal = eliminated(rows, vec![0.0; 2], 100).map(|_| ());
        assert_eq!(refusal, Err(Refusal::Singular));
    }
}
