//! Random models with all features, and their values by simple recursion in fractions.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use oddsmith_mdp::{Game, Indexed, Node, Player, Table};
use quickcheck::{Arbitrary, Gen};

/// The contents of one state; outcomes have lower numbers or are the state itself.
#[derive(Clone, Debug)]
pub(crate) enum Row {
    End(BigRational),
    Choices(Player, Vec<Vec<(usize, BigUint)>>),
}

#[derive(Clone, Debug)]
pub(crate) struct Plain {
    pub(crate) rows: Vec<Row>,
}

impl Plain {
    pub(crate) fn start(&self) -> usize {
        self.rows.len() - 1
    }

    /// Every choice's value, `None` for those that only stay.
    pub(crate) fn choices(&self, state: usize, values: &[BigRational]) -> Vec<Option<BigRational>> {
        let Row::Choices(_, choices) = &self.rows[state] else {
            return Vec::new();
        };
        let choice = |outcomes: &Vec<(usize, BigUint)>| {
            let leaving = outcomes.iter().filter(|o| o.0 != state);
            let total: BigUint = leaving.clone().map(|o| &o.1).sum();
            if total.is_zero() {
                return None;
            }
            let sum = leaving.fold(BigRational::zero(), |sum, (to, weight)| {
                sum + &values[*to] * BigInt::from(weight.clone())
            });
            Some(sum / BigInt::from(total))
        };
        choices.iter().map(choice).collect()
    }

    /// All values, by the definition.
    pub(crate) fn values(&self) -> Vec<BigRational> {
        let mut values: Vec<BigRational> = Vec::new();
        for (state, row) in self.rows.iter().enumerate() {
            let value = match row {
                Row::End(score) => score.clone(),
                Row::Choices(player, _) => {
                    let all = self.choices(state, &values).into_iter().flatten();
                    match player {
                        Player::Max => all.max().unwrap(),
                        Player::Min => all.min().unwrap(),
                    }
                }
            };
            values.push(value);
        }
        values
    }

    /// The same as a table, in the order of `numbers` (state → number).
    pub(crate) fn table(&self, numbers: &[usize]) -> Table {
        let mut states = vec![0; numbers.len()];
        for (state, &number) in numbers.iter().enumerate() {
            states[number] = state;
        }
        Table::from_fn(numbers.len(), |number, row| {
            match &self.rows[states[number]] {
                Row::End(score) => row.end(score),
                Row::Choices(player, choices) => {
                    if *player == Player::Min {
                        row.opponent();
                    }
                    for choice in choices {
                        row.choice();
                        for (to, weight) in choice {
                            match weight.to_u64().filter(|w| w >> 58 == 0) {
                                Some(weight) => row.to(numbers[*to], weight),
                                None => row.to_wide(numbers[*to], weight.clone()),
                            };
                        }
                    }
                }
            }
        })
        .unwrap()
    }

    pub(crate) fn plain_table(&self) -> Table {
        let numbers: Vec<usize> = (0..self.rows.len()).collect();
        self.table(&numbers)
    }
}

impl Game for Plain {
    type State = usize;
    type Action = usize;

    fn expand(&self, &state: &usize, node: &mut Node<Self>) {
        match &self.rows[state] {
            Row::End(score) => node.end(score),
            Row::Choices(player, choices) => {
                if *player == Player::Min {
                    node.opponent();
                }
                for (action, choice) in choices.iter().enumerate() {
                    let mut written = node.choice(action);
                    for (to, weight) in choice {
                        match weight.to_u64().filter(|w| w >> 58 == 0) {
                            Some(weight) => written.to(*to, weight),
                            None => written.to_wide(*to, weight.clone()),
                        };
                    }
                }
            }
        }
    }
}

impl Indexed for Plain {
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

pub(crate) fn below(g: &mut Gen, end: usize) -> usize {
    usize::arbitrary(g) % end
}

fn pick<T: Clone>(g: &mut Gen, from: &[T]) -> T {
    from[below(g, from.len())].clone()
}

fn weight(g: &mut Gen, kind: usize) -> BigUint {
    match kind {
        // A fight summarized in one distribution.
        0 => BigUint::new((0..1 + below(g, 9)).map(|_| u32::arbitrary(g)).collect()),
        1 => BigUint::from(pick(g, &[0_u8, 1, 5])) << pick(g, &[0_u32, 1, 63, 64, 130, 400]),
        2 => BigUint::from(u64::arbitrary(g) >> 4),
        _ => BigUint::from(pick(g, &[0_u32, 1, 1, 2, 3, 6, 36, 206])),
    }
}

fn choice(g: &mut Gen, state: usize) -> Vec<(usize, BigUint)> {
    let kind = below(g, 9);
    let most = pick(g, &[5, 5, 5, 5, 5, 5, 5, 30]);
    let count = 1 + below(g, most);
    // Mostly close states, so that paths are long.
    let reach = pick(g, &[4, 30, usize::MAX]).min(state);
    let mut outcomes: Vec<(usize, BigUint)> = (0..count)
        .map(|_| match below(g, 6) {
            0 => (state, weight(g, kind)),
            _ => (state - 1 - below(g, reach), weight(g, kind)),
        })
        .collect();
    outcomes.push((state - 1 - below(g, reach), BigUint::from(1_u8)));
    outcomes
}

impl Plain {
    /// A model with this many states, with scores from one of a few families.
    pub(crate) fn random(g: &mut Gen, size: usize, scores: &[BigRational]) -> Self {
        let mut rows = Vec::new();
        for state in 0..size {
            if state < 2 || below(g, 9) == 0 {
                rows.push(Row::End(pick(g, scores)));
                continue;
            }
            let mut choices: Vec<_> = (0..1 + below(g, 4)).map(|_| choice(g, state)).collect();
            if below(g, 3) == 0 {
                // A tie, written differently.
                let twin = choices[0].iter().rev();
                choices.push(twin.map(|(to, w)| (*to, w * 6_u8)).collect());
            }
            if below(g, 9) == 0 {
                choices.push(vec![(state, BigUint::from(7_u8))]);
            }
            rows.push(Row::Choices(pick(g, &[Player::Max, Player::Min]), choices));
        }
        Plain { rows }
    }
}

pub(crate) fn scores(g: &mut Gen) -> Vec<BigRational> {
    let ratio = |n: i64, d: i64| BigRational::new(n.into(), d.into());
    match below(g, 5) {
        0 => vec![ratio(0, 1), ratio(1, 1)],
        1 => vec![ratio(-3, 1), ratio(-1, 2), ratio(0, 1), ratio(2, 3)],
        2 => vec![ratio(5, 1), ratio(i64::MAX, 1), ratio(1, i64::MAX)],
        3 => [5e-324, 0.0, 1e-310, 3e-320]
            .map(|x| BigRational::from_float(x).unwrap())
            .to_vec(),
        _ => [1e280, -1e270, 1.0, 2.5e280]
            .map(|x| BigRational::from_float(x).unwrap())
            .to_vec(),
    }
}

impl Arbitrary for Plain {
    fn arbitrary(g: &mut Gen) -> Self {
        let size = 2 + below(g, 14);
        let scores = scores(g);
        Plain::random(g, size, &scores)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let rows = self.rows[..self.rows.len() - 1].to_vec();
        Box::new((rows.len() > 1).then_some(Plain { rows }).into_iter())
    }
}
