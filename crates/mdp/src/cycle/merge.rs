//! End components merged into nodes.

use std::cmp::Ordering;

use super::local::Local;
use super::quotient::{Choice, LISTED, OUTSIDE, Quotient, Weight};
use crate::induction::unheld;
use crate::model::{Model, Row, Scratch};
use crate::number::Unheld;
use crate::{Error, Game, Player};

/// A component of a model, with its inner structure.
pub(super) struct Component<'a, G: Game + ?Sized, M> {
    pub(super) local: Local,
    pub(super) game: &'a G,
    pub(super) model: &'a M,
    /// The numbers of its states, by place.
    pub(super) states: &'a [u32],
}

impl<G: Game + ?Sized, M: Model<G>> Component<'_, G, M> {
    /// Returns the states as listed in an error.
    fn shown(&self, places: &[u32]) -> Vec<String> {
        let mut numbers: Vec<u32> = places.iter().map(|&p| self.states[p as usize]).collect();
        numbers.sort_unstable();
        let state = |&number: &u32| {
            let state = self.model.state(self.game, number as usize);
            self.game.describe(&state)
        };
        numbers.iter().take(LISTED).map(state).collect()
    }

    /// Returns whether both players decide in an end component.
    fn is_of_both(&self, end: &[u32]) -> bool {
        let local = &self.local;
        let decided = |player| {
            let mut places = end.iter().map(|&place| place as usize);
            places.any(|p| local.player[p] == player && local.spans[p].len() > 1)
        };
        decided(Player::Max) && decided(Player::Min)
    }

    /// Returns whether going on for ever costs a player anywhere. Returns an error if an end
    /// component cannot be left, belongs to both players, or pays the player who decides there for
    /// going on.
    pub(super) fn check(&self, ends: &[Vec<u32>]) -> Result<bool, Error> {
        if let Some(end) = ends.iter().find(|end| self.is_of_both(end)) {
            return Err(Error::CycleOfBoth {
                states: self.shown(end),
                count: end.len(),
            });
        }
        let local = &self.local;
        let mut costly = false;
        for end in ends {
            let in_end = |place: u32| end.binary_search(&place).is_ok();
            let (mut costs, mut gains, mut exit) = (false, false, false);
            let decider = end.iter().find(|&&p| local.spans[p as usize].len() > 1);
            let decider = decider.map_or(Player::Max, |&p| local.player[p as usize]);
            for &place in end {
                for index in local.spans[place as usize].clone() {
                    let (_, _, targets) = &local.choices[index as usize];
                    if !targets.iter().all(|&target| in_end(target)) {
                        exit = true;
                        continue;
                    }
                    match (local.paid[index as usize], decider) {
                        (Ordering::Equal, _) => {}
                        (Ordering::Less, Player::Max) | (Ordering::Greater, Player::Min) => {
                            costs = true;
                        }
                        _ => gains = true,
                    }
                }
            }
            if !exit {
                return Err(Error::EndlessCycle {
                    states: self.shown(end),
                    count: end.len(),
                });
            }
            if gains {
                return Err(Error::RewardInCycle {
                    states: self.shown(end),
                    count: end.len(),
                });
            }
            costly |= costs;
        }
        Ok(costly)
    }

    /// Creates the quotient with every end component as one node, and every other state as a node
    /// by itself.
    pub(super) fn merged<W: Weight>(
        &self,
        ends: Vec<Vec<u32>>,
        costly: bool,
    ) -> Result<Quotient<W>, Error> {
        let mut quotient = Quotient {
            pays: self.local.paid.iter().any(|&sign| sign != Ordering::Equal),
            costly,
            states: Vec::new(),
            node: vec![OUTSIDE; self.states.len()],
            player: Vec::new(),
            spans: Vec::new(),
            choices: Vec::new(),
            staying: Vec::new(),
        };
        let mut members = ends;
        for (node, end) in members.iter().enumerate() {
            for &place in end {
                quotient.node[place as usize] = node as u32;
            }
        }
        for place in 0..self.states.len() as u32 {
            if quotient.node[place as usize] == OUTSIDE {
                quotient.node[place as usize] = members.len() as u32;
                members.push(vec![place]);
            }
        }
        for (node, member) in members.iter().enumerate() {
            self.write(&mut quotient, node as u32, member)?;
        }
        Ok(quotient)
    }

    /// Writes the choices of a node: those of its members that may leave it.
    fn write<W: Weight>(
        &self,
        quotient: &mut Quotient<W>,
        node: u32,
        members: &[u32],
    ) -> Result<(), Error> {
        let (local, mut scratch) = (&self.local, Scratch::new());
        let first = quotient.choices.len() as u32;
        let mut player = Player::Max;
        for &place in members {
            let number = self.states[place as usize] as usize;
            let row = self.model.row(self.game, number, &mut scratch)?;
            let span = &local.spans[place as usize];
            if span.len() > 1 {
                player = row.player;
            }
            for index in span.clone() {
                let (_, choice, targets) = &local.choices[index as usize];
                let own = |&t: &u32| t != OUTSIDE && quotient.node[t as usize] == node;
                if targets.iter().all(own) {
                    // Choices that cost are not needed to move around.
                    if local.paid[index as usize] == Ordering::Equal {
                        let staying = (place, *choice, targets.clone());
                        quotient.staying.push(staying);
                    }
                    continue;
                }
                let made = leaving(&row, place, *choice, node, targets, &quotient.node);
                let Some(made) = made else {
                    let state = self.model.state(self.game, number);
                    let (why, choice) = (Unheld::Weights, usize::from(*choice));
                    return Err(unheld(why, self.game, &state, choice));
                };
                quotient.choices.push(made);
            }
        }
        if quotient.choices.len() as u32 == first {
            return Err(Error::EndlessCycle {
                states: self.shown(members),
                count: members.len(),
            });
        }
        quotient.player.push(player);
        quotient.spans.push(first..quotient.choices.len() as u32);
        Ok(())
    }
}

fn leaving<W: Weight>(
    row: &Row<'_>,
    state: u32,
    choice: u16,
    own: u32,
    places: &[u32],
    node: &[u32],
) -> Option<Choice<W>> {
    let (targets, odds) = row.choice(usize::from(choice))?;
    let (mut inner, mut outer) = (Vec::new(), Vec::new());
    let mut sum = W::zero();
    for (outcome, (&place, &target)) in places.iter().zip(targets).enumerate() {
        if place != OUTSIDE && node[place as usize] == own {
            continue;
        }
        let weight = W::of(&odds, outcome)?;
        sum.gain(&weight);
        if place == OUTSIDE {
            outer.push((target, weight));
        } else {
            inner.push((node[place as usize], weight));
        }
    }
    inner.sort_by_key(|way| way.0);
    inner.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        if same {
            kept.1.gain(&later.1);
        }
        same
    });
    let paid = match row.reward(usize::from(choice)) {
        Some(reward) => Some(Box::new((reward.clone(), W::total(&odds)?))),
        None => None,
    };
    Some(Choice {
        paid,
        state,
        choice,
        inner,
        outer,
        leaving: sum,
        outcomes: targets.len(),
    })
}
