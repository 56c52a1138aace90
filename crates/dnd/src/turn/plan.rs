//! A turn as a graph: which attack comes next, and which riders are used up.
//!
//! Damage is computed backwards. A node stands for the rest of the turn. Its distribution is that
//! of the next attack, outcome by outcome, each followed by the distribution of the next node. So
//! the distributions of parts of a turn are always normalised, and none is ever divided.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use oddsmith_dice::{DEFAULT_LIMIT, Dist, Weight};

use super::{Action, Turn};
use crate::{Damage, Error, Outcome, SaveEffect, Target};

/// The limit on attacks, which is more than anything in the game makes.
pub(crate) const MOST_ATTACKS: u64 = 1_000;

/// The limit on riders, each of which at most doubles the number of nodes.
const MOST_RIDERS: usize = 8;

/// A set of riders.
type Riders = u32;

/// An outcome of an attack, with these riders on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Strike {
    pub(super) action: usize,
    pub(super) outcome: Outcome,
    riders: Riders,
}

/// The rest of a turn, from an action on.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) action: usize,
    /// For each outcome its place in [`Plan::strikes`] and the next node; `None` at the end of the
    /// turn.
    pub(super) branches: [(usize, Option<usize>); 3],
}

/// The damage of one attack, and the place of the next one in the list of a turn's attacks; `None`
/// at the end.
pub(crate) type Leg = Dist<(i64, Option<usize>)>;

#[derive(Debug)]
pub(super) struct Plan<'a> {
    turn: &'a Turn,
    /// How often each different action is done, if there are no riders.
    pub(super) runs: Vec<(u32, usize)>,
    actions: Vec<&'a Action>,
    pub(super) strikes: Vec<Strike>,
    /// The nodes that follow a node come before it; the last one is the whole turn.
    pub(super) nodes: Vec<Node>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(turn: &'a Turn) -> Result<Self, Error> {
        let attacks = turn.steps.iter().map(|step| u64::from(step.0)).sum::<u64>();
        if attacks > MOST_ATTACKS {
            return Err(Error::TooManyAttacks {
                given: attacks,
                limit: MOST_ATTACKS,
            });
        }
        if turn.riders.len() > MOST_RIDERS {
            return Err(Error::TooManyRiders {
                given: turn.riders.len(),
                limit: MOST_RIDERS,
            });
        }
        let mut plan = Plan {
            turn,
            runs: Vec::new(),
            actions: Vec::new(),
            strikes: Vec::new(),
            nodes: Vec::new(),
        };
        for (times, action) in &turn.steps {
            let known = plan.actions.iter().position(|known| *known == action);
            let place = known.unwrap_or_else(|| {
                plan.actions.push(action);
                plan.runs.push((0, plan.runs.len()));
                plan.actions.len() - 1
            });
            plan.runs[place].0 += times;
        }
        if !turn.riders.is_empty() {
            plan.branch();
        }
        Ok(plan)
    }

    /// Creates all nodes that can be reached, those of the last attack first.
    fn branch(&mut self) {
        let places = self.turn.steps.iter().flat_map(|(times, action)| {
            let place = self.actions.iter().position(|known| *known == action);
            std::iter::repeat_n(place.unwrap_or(0), *times as usize)
        });
        let places: Vec<usize> = places.collect();
        let able: Vec<Riders> = self
            .actions
            .iter()
            .map(|action| self.able(action))
            .collect();
        // A rider that no later attack can take counts as used up.
        let mut later = vec![0; places.len() + 1];
        for (at, &place) in places.iter().enumerate().rev() {
            later[at] = later[at + 1] | able[place];
        }
        let outcome = |at: usize, left: Riders, outcome| {
            let here = left & able[places[at]];
            let taken = (0..self.turn.riders.len()).filter(|&rider| {
                let last = later[at + 1] >> rider & 1 == 0;
                here >> rider & 1 == 1 && self.turn.riders[rider].takes(outcome, last)
            });
            let taken = taken.fold(0, |set, rider| set | 1 << rider);
            (taken, left & !taken & later[at + 1])
        };
        // The sets of riders that can be left before each attack.
        let mut reached: Vec<Vec<Riders>> = vec![vec![later[0]]];
        for at in 0..places.len() {
            let next = reached[at]
                .iter()
                .flat_map(|&left| Outcome::ALL.map(|o| outcome(at, left, o).1));
            let mut next: Vec<Riders> = next.collect();
            next.sort_unstable();
            next.dedup();
            reached.push(next);
        }
        let mut known: BTreeMap<Strike, usize> = BTreeMap::new();
        let mut after: BTreeMap<Riders, usize> = BTreeMap::new();
        for at in (0..places.len()).rev() {
            let mut here = BTreeMap::new();
            for &left in &reached[at] {
                let branches = Outcome::ALL.map(|o| {
                    let (riders, left) = outcome(at, left, o);
                    let strike = Strike {
                        action: places[at],
                        outcome: o,
                        riders,
                    };
                    let fresh = known.len();
                    (
                        *known.entry(strike).or_insert(fresh),
                        after.get(&left).copied(),
                    )
                });
                here.insert(left, self.nodes.len());
                self.nodes.push(Node {
                    action: places[at],
                    branches,
                });
            }
            after = here;
        }
        let mut strikes: Vec<(usize, Strike)> = known.into_iter().map(|(s, i)| (i, s)).collect();
        strikes.sort_unstable();
        self.strikes = strikes.into_iter().map(|(_, strike)| strike).collect();
    }

    /// Lists every action separately, in order, whether there are riders or not.
    pub(super) fn one_by_one(turn: &'a Turn) -> Result<Self, Error> {
        let mut plan = Plan::new(turn)?;
        if plan.nodes.is_empty() {
            plan.branch();
        }
        Ok(plan)
    }

    /// Returns for each node the joint distribution of the damage to this target and the next node.
    /// The words that they take are added to those `used` so far.
    pub(super) fn legs(&self, target: &Target, used: &mut u128) -> Result<Vec<Leg>, Error> {
        let actions = 0..self.actions.len();
        let outcomes = actions.map(|action| self.outcomes(action, target));
        let outcomes = outcomes.collect::<Result<Vec<_>, Error>>()?;
        let mut damage = Vec::with_capacity(self.strikes.len());
        for &strike in &self.strikes {
            damage.push(self.damage(strike, target)?);
        }
        // An outcome takes eight words and those of its weight.
        let words = self.nodes.iter().map(|node| {
            let branches = node.branches.iter();
            let words = branches.map(|&(strike, _)| {
                let law = &damage[strike];
                let bits = law.total().bits() + outcomes[node.action].total().bits();
                (law.len() as u128).saturating_mul(u128::from(8 + bits / 64))
            });
            words.fold(0, u128::saturating_add)
        });
        *used = words.fold(*used, u128::saturating_add);
        if *used > u128::from(DEFAULT_LIMIT) {
            return Err(Error::Dice(oddsmith_dice::Error::TooLarge {
                operation: "following turns attack by attack".to_owned(),
                words: *used,
                limit: DEFAULT_LIMIT,
            }));
        }
        let leg = |node: &Node| {
            Ok(outcomes[node.action].and_then(|&outcome| {
                let (strike, next) = node.branches[outcome as usize];
                Ok(damage[strike].map(|&damage| (damage, next)))
            })?)
        };
        self.nodes.iter().map(leg).collect()
    }

    /// Returns the riders that an action can take.
    fn able(&self, action: &Action) -> Riders {
        let Action::Attack(attack) = action else {
            return 0;
        };
        let able = (0..self.turn.riders.len())
            .filter(|&rider| self.turn.riders[rider].can_take(attack.name()));
        able.fold(0, |set, rider| set | 1 << rider)
    }

    /// Returns the ways to each outcome of an action, and their total. A failed saving throw is a
    /// hit, a successful one a miss.
    pub(super) fn chances(
        &self,
        action: usize,
        target: &Target,
    ) -> Result<([BigUint; 3], BigUint), Error> {
        match self.actions[action] {
            Action::Attack(attack) => attack.counts_against(target),
            Action::Effect(effect) => {
                let (ability, dc) = effect.throw();
                Ok(target.saving_throw(ability, dc)?.counts())
            }
        }
    }

    /// Returns the distribution of the outcomes of an action.
    pub(super) fn outcomes(&self, action: usize, target: &Target) -> Result<Dist<Outcome>, Error> {
        let (counts, rolls) = self.chances(action, target)?;
        let pairs = Outcome::ALL.into_iter().zip(counts);
        Ok(Dist::from_parts(pairs, rolls)?)
    }

    /// Returns the damage of an outcome.
    pub(super) fn damage(&self, strike: Strike, target: &Target) -> Result<Dist<i64>, Error> {
        match self.actions[strike.action] {
            Action::Attack(attack) => {
                let (more, savage) = self.ridden(strike);
                attack.strike(target, strike.outcome, &more, savage)
            }
            Action::Effect(effect) => effect.taken(target, strike.outcome),
        }
    }

    /// Returns the damage of an outcome before the saving throws that a hit requires, and these
    /// saving throws.
    pub(super) fn before_saves(
        &self,
        strike: Strike,
        target: &Target,
    ) -> Result<(Dist<i64>, &[SaveEffect]), Error> {
        match self.actions[strike.action] {
            Action::Attack(attack) => {
                let (more, savage) = self.ridden(strike);
                let law = attack.blow(target, strike.outcome, &more, savage)?;
                Ok((law, attack.saves()))
            }
            Action::Effect(effect) => Ok((effect.taken(target, strike.outcome)?, &[])),
        }
    }

    /// Returns the damage of the riders on it, and whether one of them rerolls the weapon's dice.
    fn ridden(&self, strike: Strike) -> (Vec<&Damage>, bool) {
        let riders = self.turn.riders.iter().enumerate();
        let taken = riders.filter(|(place, _)| strike.riders >> place & 1 == 1);
        let (more, savage): (Vec<_>, Vec<_>) = taken.map(|(_, rider)| rider.gives()).unzip();
        let more = more.into_iter().flatten().collect();
        (more, savage.contains(&true))
    }

    pub(super) fn action(&self, action: usize) -> &Action {
        self.actions[action]
    }

    /// Returns the strikes of an action without any rider.
    pub(super) fn bare(action: usize) -> [Strike; 3] {
        Outcome::ALL.map(|outcome| Strike {
            action,
            outcome,
            riders: 0,
        })
    }

    /// Rejects a turn whose distributions, one per node, need more memory than a single
    /// distribution may.
    fn fits<W: Twin>(
        &self,
        outcomes: &[Dist<Outcome, W>],
        damage: &[Dist<i64, W>],
    ) -> Result<(), Error> {
        // For each node: its outcomes, the bits of its total, the largest damage.
        let mut sizes: Vec<(u128, u128, u128)> = Vec::with_capacity(self.nodes.len());
        let mut words = 0_u128;
        for node in &self.nodes {
            // For one attack: its outcomes, the largest damage, the bits of its total.
            let (mut support, mut most, mut bits) = (0_u128, 0_u128, 0_u64);
            let (mut after, mut before, mut beyond) = (1_u128, 0_u128, 0_u128);
            for &(strike, next) in &node.branches {
                let law = &damage[strike];
                support = support.saturating_add(law.len() as u128);
                most = most.max(law.max().unsigned_abs().into());
                bits = bits.max(W::bits(law.total()));
                if let Some(next) = next {
                    after = after.max(sizes[next].0);
                    before = before.max(sizes[next].1);
                    beyond = beyond.max(sizes[next].2);
                }
            }
            let bits = before + u128::from(bits + W::bits(outcomes[node.action].total()));
            let all = most.saturating_add(beyond);
            let length = support.saturating_mul(after).min(all.saturating_add(1));
            words = words.saturating_add(length.saturating_mul(6 + bits / 64));
            sizes.push((length, bits, all));
        }
        match words > u128::from(DEFAULT_LIMIT) {
            true => Err(Error::Dice(oddsmith_dice::Error::TooLarge {
                operation: "a turn of this many attacks with riders".to_owned(),
                words,
                limit: DEFAULT_LIMIT,
            })),
            false => Ok(()),
        }
    }

    /// Returns the distribution of the damage of the turn.
    pub(super) fn law<W: Twin>(&self, target: &Target) -> Result<Dist<i64, W>, Error> {
        let outcomes = |action| -> Result<Dist<Outcome, W>, Error> {
            Ok(W::twin(self.outcomes(action, target)?))
        };
        if self.turn.riders.is_empty() {
            let mut laws = Vec::with_capacity(self.runs.len());
            for &(times, action) in &self.runs {
                let mut parts = Vec::with_capacity(3);
                for strike in Plan::bare(action) {
                    parts.push(W::twin(self.damage(strike, target)?));
                }
                let one = outcomes(action)?.and_then(|&o| Ok(parts[o as usize].clone()))?;
                laws.push(one.repeat(times)?);
            }
            return Ok(Dist::sum(&laws)?);
        }
        let actions = 0..self.actions.len();
        let outcomes = actions.map(outcomes).collect::<Result<Vec<_>, _>>()?;
        let damage = |&strike: &Strike| Ok(W::twin(self.damage(strike, target)?));
        let damage = self
            .strikes
            .iter()
            .map(damage)
            .collect::<Result<Vec<_>, Error>>()?;
        self.fits(&outcomes, &damage)?;
        let mut laws: Vec<Dist<i64, W>> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let next = node.branches[0].1;
            let law = if node.branches.iter().all(|branch| branch.1 == next) {
                // If the same follows whatever the outcome, one convolution is enough instead of
                // three.
                let one = outcomes[node.action]
                    .and_then(|&o| Ok(damage[node.branches[o as usize].0].clone()))?;
                match next {
                    Some(next) => one.matfold(&laws[next])?,
                    None => one,
                }
            } else {
                outcomes[node.action].and_then(|&o| {
                    let (strike, next) = node.branches[o as usize];
                    match next {
                        Some(next) => damage[strike].matfold(&laws[next]),
                        None => Ok(damage[strike].clone()),
                    }
                })?
            };
            laws.push(law);
        }
        Ok(laws.pop().unwrap_or_else(|| W::twin(Dist::certain(0))))
    }
}

/// Converts a distribution to the number type that is requested.
pub(super) trait Twin: Weight {
    fn twin<T: Ord + Clone>(law: Dist<T>) -> Dist<T, Self>;
    /// Returns by how many bits a product grows.
    fn bits(total: &Self) -> u64;
}

impl Twin for BigUint {
    fn twin<T: Ord + Clone>(law: Dist<T>) -> Dist<T> {
        law
    }

    fn bits(total: &Self) -> u64 {
        total.bits()
    }
}

impl Twin for f64 {
    fn twin<T: Ord + Clone>(law: Dist<T>) -> Dist<T, f64> {
        law.to_f64()
    }

    fn bits(_: &Self) -> u64 {
        0
    }
}
