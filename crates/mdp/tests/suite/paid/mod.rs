//! Random models with rewards, and their values by simple recursion in fractions.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use oddsmith_mdp::{Game, Indexed, Node, Player, Table, TableRow};
use quickcheck::{Arbitrary, Gen};

use crate::plain::{Plain, Row, below, scores};

/// A model and the rewards of its choices.
#[derive(Clone, Debug)]
pub(crate) struct Paid {
    pub(crate) plain: Plain,
    pub(crate) rewards: Vec<Vec<BigRational>>,
}

impl Paid {
    pub(crate) fn start(&self) -> usize {
        self.plain.start()
    }

    /// (T · reward + Σ w · value) / (T − t) for every choice, `None` for those that
    /// only stay.
    pub(crate) fn choices(&self, state: usize, values: &[BigRational]) -> Vec<Option<BigRational>> {
        let Row::Choices(_, choices) = &self.plain.rows[state] else {
            return Vec::new();
        };
        let rewards = self.rewards[state].iter();
        let value = |(outcomes, reward): (&Vec<(usize, BigUint)>, &BigRational)| {
            let (mut all, mut leaving, mut sum) =
                (BigInt::zero(), BigInt::zero(), BigRational::zero());
            for (to, weight) in outcomes {
                let weight = BigInt::from(weight.clone());
                if *to != state {
                    sum += &values[*to] * &weight;
                    leaving += &weight;
                }
                all += weight;
            }
            (!leaving.is_zero()).then(|| (sum + reward * all) / leaving)
        };
        choices.iter().zip(rewards).map(value).collect()
    }

    /// All values, by the definition.
    pub(crate) fn values(&self) -> Vec<BigRational> {
        let mut values = Vec::new();
        for (state, row) in self.plain.rows.iter().enumerate() {
            let all = self.choices(state, &values).into_iter().flatten();
            let value = match row {
                Row::End(score) => score.clone(),
                Row::Choices(Player::Max, _) => all.max().unwrap(),
                Row::Choices(Player::Min, _) => all.min().unwrap(),
            };
            values.push(value);
        }
        values
    }

    pub(crate) fn write(&self, state: usize, row: &mut TableRow<'_>) {
        match &self.plain.rows[state] {
            Row::End(score) => row.end(score),
            Row::Choices(player, choices) => {
                if *player == Player::Min {
                    row.opponent();
                }
                for (choice, reward) in choices.iter().zip(&self.rewards[state]) {
                    row.choice().reward(reward);
                    for (to, weight) in choice {
                        match weight.to_u64().filter(|w| w >> 58 == 0) {
                            Some(weight) => row.to(*to, weight),
                            None => row.to_wide(*to, weight.clone()),
                        };
                    }
                }
            }
        }
    }

    pub(crate) fn table(&self) -> Table {
        Table::from_fn(self.rewards.len(), |state, row| self.write(state, row)).unwrap()
    }

    /// The same with other rewards, state by state and choice by choice.
    pub(crate) fn map(&self, reward: impl Fn(usize, usize, &BigRational) -> BigRational) -> Paid {
        let rewards = self.rewards.iter().enumerate().map(|(state, rewards)| {
            let rewards = rewards.iter().enumerate();
            rewards
                .map(|(choice, r)| reward(state, choice, r))
                .collect()
        });
        Paid {
            plain: self.plain.clone(),
            rewards: rewards.collect(),
        }
    }
}

impl Game for Paid {
    type State = usize;
    type Action = usize;

    fn expand(&self, &state: &usize, node: &mut Node<Self>) {
        match &self.plain.rows[state] {
            Row::End(score) => node.end(score),
            Row::Choices(player, choices) => {
                if *player == Player::Min {
                    node.opponent();
                }
                for (action, (choice, reward)) in
                    choices.iter().zip(&self.rewards[state]).enumerate()
                {
                    let mut written = node.choice(action);
                    // In two parts.
                    written.reward(reward * BigInt::from(3));
                    for (to, weight) in choice {
                        match weight.to_u64().filter(|w| w >> 58 == 0) {
                            Some(weight) => written.to(*to, weight),
                            None => written.to_wide(*to, weight.clone()),
                        };
                    }
                    written.reward(reward * BigInt::from(-2));
                }
            }
        }
    }
}

impl Indexed for Paid {
    fn size(&self) -> usize {
        self.rewards.len()
    }

    fn index(&self, &state: &usize) -> usize {
        state
    }

    fn state(&self, index: usize) -> usize {
        index
    }
}

fn reward(g: &mut Gen, kind: usize) -> BigRational {
    let ratio = |n: i64, d: i64| BigRational::new(n.into(), d.into());
    let float = |x: f64| BigRational::from_float(x).unwrap();
    let from = match kind {
        0 => vec![ratio(1, 1)],
        1 => vec![ratio(-1, 1)],
        2 => vec![ratio(-2, 1), ratio(0, 1), ratio(0, 1), ratio(3, 1)],
        3 => vec![ratio(1, 2), ratio(-1, 3), ratio(5, 7), ratio(-11, 13)],
        4 => vec![
            ratio(i64::MAX, 1),
            ratio(i64::MIN, 1),
            ratio(1, i64::MAX),
            ratio(0, 1),
        ],
        5 => vec![float(1e-310), float(-5e-324), float(0.1), float(0.0)],
        _ => vec![float(1e200), float(-1e190), ratio(1, 3)],
    };
    from[below(g, from.len())].clone()
}

impl Arbitrary for Paid {
    fn arbitrary(g: &mut Gen) -> Self {
        let size = 2 + below(g, 14);
        let ends = scores(g);
        let plain = Plain::random(g, size, &ends);
        let kind = below(g, 7);
        let paid = plain.rows.iter().enumerate().map(|(state, row)| match row {
            Row::End(_) => Vec::new(),
            Row::Choices(player, choices) => {
                let choices = choices.iter().map(|choice| {
                    let reward = reward(g, kind);
                    if choice.iter().any(|(to, _)| *to != state) {
                        return reward;
                    }
                    // A self-loop must not pay.
                    match player {
                        Player::Max => -reward.abs(),
                        Player::Min => reward.abs(),
                    }
                });
                choices.collect()
            }
        });
        let rewards = paid.collect();
        Paid { plain, rewards }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let last = self.rewards.len() - 1;
        let smaller = Paid {
            plain: Plain {
                rows: self.plain.rows[..last].to_vec(),
            },
            rewards: self.rewards[..last].to_vec(),
        };
        Box::new((last > 1).then_some(smaller).into_iter())
    }
}
