//! A combat that may be evaded before every round, and the values of its rounds.

use crate::CombatTable;
use crate::resolve::{Bout, Node};
use crate::situation::Situation;

/// A combat in which evading is decided round by round.
#[derive(Clone, Debug)]
pub(crate) struct Skirmish {
    pub(crate) bout: Bout,
    /// The number of rounds that must be fought.
    pub(crate) after: u8,
    pub(crate) won: Box<Node>,
    pub(crate) fled: Box<Node>,
}

impl Skirmish {
    /// From this round on all rounds are alike, so they are not counted any more.
    fn settled(&self) -> u8 {
        self.bout.special().max(self.after)
    }

    /// Returns the ENDURANCE of the foe and the rounds fought, also before the first round.
    pub(crate) fn stands(&self, at: &Situation) -> (u8, u8) {
        match at.foe {
            0 => (self.bout.foe, 0),
            foe => (foe, at.rounds),
        }
    }

    pub(crate) fn may_evade(&self, at: &Situation) -> bool {
        self.stands(at).1 >= self.after
    }

    /// Returns the rounds fought after one more.
    pub(crate) fn next(&self, rounds: u8) -> u8 {
        rounds.saturating_add(1).min(self.settled())
    }

    /// Returns whether a situation can be one of this combat.
    pub(crate) fn has(&self, at: &Situation) -> bool {
        at.foe <= self.bout.foe && at.rounds <= self.settled()
    }

    /// Returns the number of situations of this combat, with ENDURANCE up to `lanes`.
    pub(crate) fn size(&self, lanes: usize) -> usize {
        (usize::from(self.settled()) + 1) * lanes * usize::from(self.bout.foe)
    }

    /// Returns the values of all situations of this combat. `won` and `fled` are the values of what
    /// follows a victory and an escape, for each ENDURANCE from 1 up.
    pub(crate) fn values(&self, table: &CombatTable, won: &[f64], fled: &[f64]) -> Rounds {
        let (lanes, foes) = (won.len(), usize::from(self.bout.foe));
        let settled = self.settled();
        let mut rounds = Rounds {
            lanes,
            foes,
            values: vec![0.0; self.size(lanes)],
        };
        // From the last rounds to the first. Within those that are all alike, from low ENDURANCE to
        // high, since every exchange costs some side something.
        for round in (0..=settled).rev() {
            let next = self.next(round);
            for hero in 1..=lanes {
                let flee = match round >= self.after {
                    true => {
                        let left = self.bout.exchanges(table, round, hero, foes);
                        let left = left.filter(|&(left, _)| left > 0);
                        left.map(|(left, _)| fled[left - 1]).sum::<f64>() / 10.0
                    }
                    false => 0.0,
                };
                for foe in 1..=foes {
                    let mut stand = 0.0;
                    for exchange in self.bout.exchanges(table, round, hero, foe) {
                        stand += match exchange {
                            (0, _) => 0.0,
                            (left, 0) => won[left - 1],
                            (left, other) => rounds.values[rounds.place(next, left, other)],
                        };
                    }
                    let place = rounds.place(round, hero, foe);
                    rounds.values[place] = flee.max(stand / 10.0);
                }
            }
        }
        rounds
    }

    /// Returns how many roundings [`values`](Skirmish::values) adds to those of what follows: ten
    /// sums and a division in each round. Taking the better option rounds nothing.
    pub(crate) fn roundings(&self, table: &CombatTable, lanes: usize) -> u32 {
        11 * (self.bout.rounds(table, lanes as u8) + 1)
    }
}

/// Values by rounds fought, ENDURANCE of Lone Wolf and ENDURANCE of the foe.
#[derive(Clone, Debug)]
pub(crate) struct Rounds {
    lanes: usize,
    foes: usize,
    values: Vec<f64>,
}

impl Rounds {
    fn place(&self, rounds: u8, hero: usize, foe: usize) -> usize {
        (usize::from(rounds) * self.lanes + hero - 1) * self.foes + foe - 1
    }

    /// Returns the value in the middle of a combat.
    pub(crate) fn value(&self, at: &Situation) -> f64 {
        self.values[self.place(at.rounds, at.endurance.into(), at.foe.into())]
    }

    /// Returns the values before the first round, for each ENDURANCE from 1 up.
    pub(crate) fn start(&self) -> impl Iterator<Item = f64> {
        (1..=self.lanes).map(|hero| self.values[self.place(0, hero, self.foes)])
    }
}
