//! Small random games with chance, two players, rewards and many ties, and the value of a policy by
//! definition.

use num_bigint::BigInt;
use num_rational::BigRational;
use oddsmith_mdp::{Game, Node, Player};
use quickcheck::{Arbitrary, Gen};

/// Outcomes with their weights, and the immediate reward.
#[derive(Clone, Debug)]
pub(crate) struct Law {
    pub(crate) outcomes: Vec<(usize, u64)>,
    pub(crate) reward: i64,
}

#[derive(Clone, Debug)]
pub(crate) enum Row {
    End(i64),
    Chance(Law),
    Choices(Player, Vec<Law>),
}

/// A game whose outcomes have lower numbers than their states, except for self-loops; the last
/// state is the start.
#[derive(Clone, Debug)]
pub(crate) struct Small {
    pub(crate) rows: Vec<Row>,
}

pub(crate) fn below(g: &mut Gen, end: usize) -> usize {
    usize::arbitrary(g) % end
}

pub(crate) fn integer(number: i64) -> BigRational {
    BigRational::from_integer(BigInt::from(number))
}

impl Law {
    pub(crate) fn leaves(&self, state: usize) -> bool {
        self.outcomes.iter().any(|&(to, _)| to != state)
    }

    pub(crate) fn total(&self) -> u64 {
        self.outcomes.iter().map(|outcome| outcome.1).sum()
    }

    /// (T · reward + Σ w · value) / (T − t), over the outcomes that leave.
    pub(crate) fn value(
        &self,
        state: usize,
        reward: &BigRational,
        value: impl Fn(usize) -> BigRational,
    ) -> BigRational {
        let mut sum = reward * BigInt::from(self.total());
        let mut leaving = 0;
        for &(to, weight) in &self.outcomes {
            if to != state {
                sum += value(to) * BigInt::from(weight);
                leaving += weight;
            }
        }
        sum / BigInt::from(leaving)
    }
}

impl Small {
    pub(crate) fn start(&self) -> usize {
        self.rows.len() - 1
    }

    pub(crate) fn laws(&self, state: usize) -> &[Law] {
        match &self.rows[state] {
            Row::End(_) => &[],
            Row::Chance(law) => std::slice::from_ref(law),
            Row::Choices(_, laws) => laws,
        }
    }

    pub(crate) fn player(&self, state: usize) -> Player {
        match &self.rows[state] {
            Row::Choices(player, _) => *player,
            _ => Player::Max,
        }
    }

    pub(crate) fn decides(&self, state: usize) -> bool {
        matches!(self.rows[state], Row::Choices(..))
    }

    /// The value of each state under `policy`, with the final scores `end` and the rewards
    /// `reward`.
    pub(crate) fn evaluate(
        &self,
        policy: &[usize],
        end: impl Fn(usize, i64) -> BigRational,
        reward: impl Fn(usize, &Law) -> BigRational,
    ) -> Vec<BigRational> {
        let mut values: Vec<BigRational> = Vec::new();
        for (state, row) in self.rows.iter().enumerate() {
            let value = match row {
                Row::End(score) => end(state, *score),
                _ => {
                    let law = &self.laws(state)[policy[state]];
                    law.value(state, &reward(state, law), |to| values[to].clone())
                }
            };
            values.push(value);
        }
        values
    }

    /// All policies that leave every state at some time.
    pub(crate) fn policies(&self) -> Vec<Vec<usize>> {
        let mut policies = vec![Vec::new()];
        for state in 0..self.rows.len() {
            let laws = self.laws(state);
            let leaving: Vec<usize> = match laws.len() {
                0 => vec![0],
                count => (0..count).filter(|&c| laws[c].leaves(state)).collect(),
            };
            let longer = policies.iter().flat_map(|policy| {
                leaving.iter().map(move |&choice| {
                    let mut policy: Vec<usize> = policy.clone();
                    policy.push(choice);
                    policy
                })
            });
            policies = longer.collect();
        }
        policies
    }

    /// The same for one player.
    pub(crate) fn alone(mut self) -> Self {
        for row in &mut self.rows {
            if let Row::Choices(player, _) = row {
                *player = Player::Max;
            }
        }
        self
    }

    /// The same without rewards.
    pub(crate) fn unpaid(mut self) -> Self {
        for row in &mut self.rows {
            match row {
                Row::End(_) => {}
                Row::Chance(law) => law.reward = 0,
                Row::Choices(_, laws) => laws.iter_mut().for_each(|law| law.reward = 0),
            }
        }
        self
    }
}

impl Game for Small {
    type State = usize;
    type Action = usize;

    fn expand(&self, &state: &usize, node: &mut Node<Self>) {
        if let Row::End(score) = self.rows[state] {
            return node.end(score);
        }
        if self.player(state) == Player::Min {
            node.opponent();
        }
        for (action, law) in self.laws(state).iter().enumerate() {
            let mut written = match self.decides(state) {
                true => node.choice(action),
                false => node.chance(),
            };
            if law.reward != 0 {
                written.reward(law.reward);
            }
            for &(to, weight) in &law.outcomes {
                written.to(to, weight);
            }
        }
    }
}

fn law(g: &mut Gen, state: usize, leaves: bool) -> Law {
    let mut outcomes = Vec::new();
    for _ in 0..1 + below(g, 3) {
        let to = if below(g, 6) == 0 {
            state
        } else {
            below(g, state)
        };
        outcomes.push((to, [1, 1, 2, 3][below(g, 4)]));
    }
    let mut law = Law {
        outcomes,
        reward: [0, 0, 0, 1, -1][below(g, 5)],
    };
    if !law.leaves(state) {
        if leaves {
            law.outcomes.push((below(g, state), 1));
        } else {
            // It would be repeated for ever.
            law.reward = 0;
        }
    }
    law
}

impl Arbitrary for Small {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut rows = vec![Row::End(0), Row::End(1)];
        for state in 2..4 + below(g, 6) {
            rows.push(match below(g, 8) {
                0 => Row::End([0, 1, 2][below(g, 3)]),
                1 | 2 => Row::Chance(law(g, state, true)),
                kind => {
                    let player = if kind == 3 { Player::Min } else { Player::Max };
                    let mut laws = vec![law(g, state, true)];
                    for _ in 0..below(g, 3) {
                        laws.push(law(g, state, false));
                    }
                    Row::Choices(player, laws)
                }
            });
        }
        Small { rows }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let rows = &self.rows;
        let shorter = (rows.len() > 2).then(|| Small {
            rows: rows[..rows.len() - 1].to_vec(),
        });
        Box::new(shorter.into_iter())
    }
}

/// A game in which anything may lead anywhere.
#[derive(Clone, Debug)]
pub(crate) struct Round(pub(crate) Small);

impl Arbitrary for Round {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut game = Small::arbitrary(g);
        let states = game.rows.len();
        for row in &mut game.rows {
            let laws = match row {
                Row::End(_) => continue,
                Row::Chance(law) => std::slice::from_mut(law),
                Row::Choices(_, laws) => laws.as_mut_slice(),
            };
            for law in laws {
                for outcome in &mut law.outcomes {
                    if below(g, 3) == 0 {
                        outcome.0 = below(g, states);
                    }
                }
            }
        }
        Round(game)
    }
}
