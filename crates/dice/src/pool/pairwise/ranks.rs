//! The reading that compares any two pools rank by rank.

use crate::{Evaluator, Order, TieTo};
use std::collections::VecDeque;

/// The reading of pairs won and drawn. Ranks that are decided whatever the later faces are counted
/// at once. Faces at other ranks wait for their opponent.
pub(super) struct Ranks {
    pub(super) ties: TieTo,
    /// The bonus of each rank, added to the attacker's face.
    pub(super) extra: Vec<i64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// The number of dice of the attacker and of the defender so far.
    placed: [u32; 2],
    won: u32,
    drawn: u32,
    /// The faces at ranks with a bonus that only one side has placed, the highest rank first.
    waiting: VecDeque<i64>,
}

impl Ranks {
    /// The result for two lists of values.
    pub(super) fn of_rolls(&self, attack: &[i64], defence: &[i64]) -> (u32, u32) {
        let mut state = State::default();
        for ((rank, &attack), &defence) in (0..).zip(attack).zip(defence) {
            self.compare(&mut state, rank, attack, defence);
        }
        (state.won, state.drawn)
    }

    fn compare(&self, state: &mut State, rank: u32, attack: i64, defence: i64) {
        let extra = self.extra(rank);
        match (i128::from(attack) + i128::from(extra)).cmp(&defence.into()) {
            std::cmp::Ordering::Greater => state.won += 1,
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal => match self.ties {
                TieTo::Attacker => state.won += 1,
                TieTo::Defender => {}
                TieTo::Nobody => state.drawn += 1,
            },
        }
    }

    fn extra(&self, rank: u32) -> i64 {
        self.extra.get(rank as usize).copied().unwrap_or(0)
    }
}

impl Evaluator<i64> for Ranks {
    type State = State;
    type Outcome = (u32, u32);

    fn start(&self) -> State {
        State::default()
    }

    fn next(&self, state: &State, &face: &i64, counts: &[i64]) -> State {
        let mut next = state.clone();
        let [attack, defence] = [0, 1].map(|side| {
            next.placed[side] += counts[side] as u32;
            state.placed[side]..next.placed[side]
        });
        let both = attack.start.min(defence.start)..attack.end.max(defence.end);
        // Ranks beyond the list need not be visited individually: they are won if no die of the
        // other side has come, and tied if both come.
        let plain = self.extra.len() as u32;
        let count = |from: u32, to: u32| to.saturating_sub(from.max(plain));
        next.won += count(attack.start.max(defence.end), attack.end);
        let tied = count(attack.start.max(defence.start), attack.end.min(defence.end));
        match self.ties {
            TieTo::Attacker => next.won += tied,
            TieTo::Defender => {}
            TieTo::Nobody => next.drawn += tied,
        }
        for rank in both.start..both.end.min(plain) {
            let extra = self.extra(rank);
            match (attack.contains(&rank), defence.contains(&rank)) {
                (true, true) => self.compare(&mut next, rank, face, face),
                // The same, one by one.
                (true, false) if extra == 0 => next.won += u32::from(rank >= defence.end),
                (false, true) if extra == 0 => {}
                (true, false) if rank < defence.start => {
                    let theirs = next.waiting.pop_front().unwrap_or(face);
                    self.compare(&mut next, rank, face, theirs);
                }
                (false, true) if rank < attack.start => {
                    let theirs = next.waiting.pop_front().unwrap_or(face);
                    self.compare(&mut next, rank, theirs, face);
                }
                (true, false) | (false, true) => next.waiting.push_back(face),
                (false, false) => {}
            }
        }
        next
    }

    fn finish(&self, state: &State) -> (u32, u32) {
        (state.won, state.drawn)
    }

    fn order(&self) -> Order {
        Order::Descending
    }
}
