//! Random games in table form, and policies for them.

use num_bigint::BigInt;
use num_rational::BigRational;
use oddsmith_mdp::{Game, Indexed, Node, Policy};
use quickcheck::{Arbitrary, Gen};

/// Outcomes of one choice: state and weight.
pub(crate) type Law = Vec<(usize, u64)>;

/// The contents of one state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Row {
    End(i64, i64),
    Chance(Law),
    Choices(Vec<Law>),
}

/// A game as a table: states are row numbers, actions are numbers too, and the numbers of outcomes
/// do not exceed that of their state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Row>,
    pub(crate) start: usize,
}

impl Table {
    /// The choices of a state; chance counts as one.
    pub(crate) fn laws(&self, state: usize) -> &[Law] {
        match &self.rows[state] {
            Row::End(..) => &[],
            Row::Chance(law) => std::slice::from_ref(law),
            Row::Choices(laws) => laws,
        }
    }

    /// The score of a state where the game ends.
    pub(crate) fn score(&self, state: usize) -> Option<BigRational> {
        match self.rows[state] {
            Row::End(n, d) => Some(BigRational::new(BigInt::from(n), BigInt::from(d))),
            _ => None,
        }
    }
}

/// Whether a choice can leave the state.
pub(crate) fn leaves(law: &Law, state: usize) -> bool {
    law.iter().any(|&(to, weight)| weight > 0 && to != state)
}

impl Game for Table {
    type State = usize;
    type Action = usize;

    fn expand(&self, &state: &usize, node: &mut Node<Self>) {
        match &self.rows[state] {
            &Row::End(n, d) => node.end((n, d)),
            Row::Chance(law) => {
                let mut chance = node.chance();
                for &(to, weight) in law {
                    chance.to(to, weight);
                }
            }
            Row::Choices(laws) => {
                for (action, law) in laws.iter().enumerate() {
                    let mut choice = node.choice(action);
                    for &(to, weight) in law {
                        choice.to(to, weight);
                    }
                }
            }
        }
    }
}

impl Indexed for Table {
    fn size(&self) -> usize {
        self.rows.len()
    }

    fn index(&self, &state: &usize) -> usize {
        state
    }

    fn state(&self, index: usize) -> usize {
        index
    }
}

fn pick<T: Copy>(g: &mut Gen, from: &[T]) -> T {
    from[below(g, from.len())]
}

fn below(g: &mut Gen, end: usize) -> usize {
    usize::arbitrary(g) % end
}

fn law(g: &mut Gen, state: usize) -> Law {
    // The total is always below 2^64: there are at most five outcomes.
    let kind = below(g, 8);
    let count = 1 + below(g, 5);
    let mut law: Law = (0..count)
        .map(|_| {
            let to = if below(g, 5) == 0 {
                state
            } else {
                below(g, state)
            };
            let weight = match kind {
                0 => u64::arbitrary(g) / 5,
                1 => pick(g, &[36, 206, 104, 986]),
                2 => 1 << below(g, 61),
                _ => pick(g, &[0, 1, 1, 2, 3, 6]),
            };
            (to, weight)
        })
        .collect();
    if law.iter().all(|&(_, weight)| weight == 0) {
        law[0].1 = 1;
    }
    if kind == 3 {
        // Up to the limit.
        let rest: u64 = law[1..].iter().map(|outcome| outcome.1).sum();
        law[0].1 = u64::MAX - rest;
    }
    law
}

impl Arbitrary for Table {
    fn arbitrary(g: &mut Gen) -> Self {
        let size = 2 + below(g, 12);
        let scores: &[(i64, i64)] = match below(g, 4) {
            0 => &[(0, 1), (1, 1)],
            1 => &[(-3, 1), (-1, 2), (0, 1), (2, 3)],
            2 => &[(5, 1), (7, 6), (i64::MAX, 1), (1, i64::MAX)],
            _ => &[(0, 1), (1, 1), (2, 1), (-1_000_003, 999_983)],
        };
        let mut rows = Vec::new();
        for state in 0..size {
            if state < 2 || below(g, 6) == 0 {
                let (n, d) = pick(g, scores);
                rows.push(Row::End(n, d));
                continue;
            }
            let mut laws: Vec<Law> = (0..1 + below(g, 3)).map(|_| law(g, state)).collect();
            if !laws.iter().any(|law| leaves(law, state)) {
                laws.push(vec![(below(g, state), 1)]);
            }
            match below(g, 4) {
                0 if laws.len() == 1 => {
                    rows.push(Row::Chance(laws.remove(0)));
                    continue;
                }
                1 => {
                    // The same choice written differently: a tie, unless it is too large.
                    let twice: Option<Law> = laws[0]
                        .iter()
                        .rev()
                        .map(|&(to, weight)| Some((to, weight.checked_mul(2)?)))
                        .collect();
                    let total = twice
                        .iter()
                        .flatten()
                        .try_fold(0_u64, |sum, outcome| sum.checked_add(outcome.1));
                    if let (Some(law), Some(_)) = (twice, total) {
                        laws.push(law);
                    }
                }
                _ => {}
            }
            rows.push(Row::Choices(laws));
        }
        let start = if below(g, 4) == 0 {
            below(g, size)
        } else {
            size - 1
        };
        Table { rows, start }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        // A shorter table, or one choice fewer.
        let shorter = (self.rows.len() > 2).then(|| {
            let rows = self.rows[..self.rows.len() - 1].to_vec();
            let start = self.start.min(rows.len() - 1);
            Table { rows, start }
        });
        let table = self.clone();
        let thinner = (0..self.rows.len()).filter_map(move |state| {
            let mut table = table.clone();
            let Row::Choices(laws) = &mut table.rows[state] else {
                return None;
            };
            laws.pop();
            let still = laws.iter().any(|law| leaves(law, state));
            still.then_some(table)
        });
        Box::new(shorter.into_iter().chain(thinner))
    }
}

/// A table and weights for every action of every state, under which play is certain to end.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) table: Table,
    pub(crate) weights: Vec<Vec<u64>>,
}

impl Arbitrary for Plan {
    fn arbitrary(g: &mut Gen) -> Self {
        let table = Table::arbitrary(g);
        let pure = bool::arbitrary(g);
        let weights = (0..table.rows.len())
            .map(|state| {
                let laws = table.laws(state);
                let leaving: Vec<usize> = (0..laws.len())
                    .filter(|&choice| leaves(&laws[choice], state))
                    .collect();
                let mut weights: Vec<u64> = laws
                    .iter()
                    .map(|_| if pure { 0 } else { pick(g, &[0, 1, 2, 5]) })
                    .collect();
                if !leaving.is_empty() {
                    weights[pick(g, &leaving)] = 3;
                }
                weights
            })
            .collect();
        Plan { table, weights }
    }
}

impl Policy<Table> for &Plan {
    fn weigh(&self, &state: &usize, _: &[usize], weights: &mut [u64]) {
        weights.copy_from_slice(&self.weights[state]);
    }
}
