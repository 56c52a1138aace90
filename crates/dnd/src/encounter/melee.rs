//! The fight as a game: whose attack it is, and who stands.

use oddsmith_mdp::{Game, Law, Node};

use super::{Encounter, Focus, MOST_CREATURES};

/// A moment before an attack, or the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Moment {
    points: [u32; MOST_CREATURES],
    /// The place in the order of initiative.
    turn: u8,
    /// The place in the list of attacks of that creature.
    leg: u32,
}

/// The damage and the place of the next attack, for each attack.
type Legs = Vec<Law<(i64, Option<usize>)>>;

/// An encounter in a given order of initiative.
#[derive(Clone, Debug)]
pub(super) struct Melee {
    points: Vec<u32>,
    party: usize,
    focus: [Focus; 2],
    order: Vec<usize>,
    /// `legs[attacker][target]`: the attacks, the first last.
    legs: Vec<Vec<Legs>>,
}

/// The target of a creature.
#[derive(Debug)]
pub(super) enum Attacked {
    /// The fight is over.
    Nobody,
    /// The focus determines the target.
    Certain(usize),
    /// The best one of these.
    Best(Vec<usize>),
}

impl Melee {
    pub(super) fn new(encounter: &Encounter, order: &[usize]) -> Self {
        let creatures = encounter.creatures.iter();
        let laws = |legs: &Vec<super::Leg>| legs.iter().map(Law::new).collect();
        Melee {
            // Fewer than the number of states, which has been checked.
            points: creatures.clone().map(|one| one.hit_points as u32).collect(),
            party: encounter.party,
            focus: encounter.focus.clone(),
            order: order.to_vec(),
            legs: creatures
                .map(|one| one.legs.iter().map(laws).collect())
                .collect(),
        }
    }

    pub(super) fn start(&self) -> Moment {
        let points: Vec<i64> = self.points.iter().map(|&points| points.into()).collect();
        self.turn(0, &points)
    }

    /// Returns the start of a turn with these hit points.
    pub(super) fn turn(&self, turn: usize, points: &[i64]) -> Moment {
        let mut now = Moment {
            points: [0; MOST_CREATURES],
            turn: turn as u8,
            leg: self.first_leg(turn),
        };
        for (place, &points) in now.points.iter_mut().zip(points) {
            *place = u32::try_from(points).unwrap_or(0);
        }
        now
    }

    /// Returns the hit points of all creatures.
    pub(super) fn points(&self, now: &Moment) -> Vec<i64> {
        let points = now.points[..self.points.len()].iter();
        points.map(|&points| points.into()).collect()
    }

    fn first_leg(&self, turn: usize) -> u32 {
        let legs = self.legs[self.order[turn]].iter().map(Vec::len).max();
        legs.unwrap_or(0).saturating_sub(1) as u32
    }

    /// Returns the creatures of a side that stand, by their place on it.
    fn standing(&self, side: usize, now: &Moment) -> Vec<(usize, u32)> {
        let (from, to) = match side {
            0 => (0, self.party),
            _ => (self.party, self.points.len()),
        };
        let points = now.points[from..to].iter().copied().enumerate();
        points.filter(|&(_, points)| points > 0).collect()
    }

    /// Returns the target of the creature whose turn it is.
    pub(super) fn attacked(&self, now: &Moment) -> Attacked {
        let actor = self.order[usize::from(now.turn)];
        let (party, foes) = (self.standing(0, now), self.standing(1, now));
        let side = usize::from(actor >= self.party);
        let (others, offset) = match side {
            0 => (&foes, self.party),
            _ => (&party, 0),
        };
        if party.is_empty() || foes.is_empty() {
            return Attacked::Nobody;
        }
        match self.focus[side].chooses(others) {
            Some(chosen) => Attacked::Certain(chosen + offset),
            None => Attacked::Best(others.iter().map(|(place, _)| place + offset).collect()),
        }
    }

    fn struck(&self, now: &Moment, target: usize, damage: i64, next: Option<usize>) -> Moment {
        let mut after = *now;
        let damage = u32::try_from(damage).unwrap_or(u32::MAX);
        after.points[target] = now.points[target].saturating_sub(damage);
        let over = (0..2).any(|side| self.standing(side, &after).is_empty());
        match next {
            _ if over => {
                (after.turn, after.leg) = (0, 0);
            }
            Some(leg) => after.leg = leg as u32,
            None => {
                let count = self.order.len();
                let later = (1..=count).map(|by| (usize::from(now.turn) + by) % count);
                let mut acting = later.filter(|&turn| after.points[self.order[turn]] > 0);
                let turn = acting.next().unwrap_or(0);
                after.turn = turn as u8;
                after.leg = self.first_leg(turn);
            }
        }
        after
    }
}

impl Game for Melee {
    type State = Moment;
    /// The creature attacked.
    type Action = usize;

    fn expand(&self, now: &Moment, node: &mut Node<Self>) {
        let actor = self.order[usize::from(now.turn)];
        let law = |target: usize| &self.legs[actor][target][now.leg as usize];
        let struck = |target| {
            move |&(damage, next): &(i64, Option<usize>)| self.struck(now, target, damage, next)
        };
        match self.attacked(now) {
            Attacked::Nobody => node.end(self.standing(1, now).is_empty()),
            Attacked::Certain(target) => {
                node.chance().roll(law(target), struck(target));
            }
            Attacked::Best(targets) => {
                if actor >= self.party {
                    node.opponent();
                }
                for target in targets {
                    node.choice(target).roll(law(target), struck(target));
                }
            }
        }
    }

    fn describe(&self, now: &Moment) -> String {
        format!(
            "hit points {:?} on the turn of creature {}",
            self.points(now),
            self.order[usize::from(now.turn)]
        )
    }
}
