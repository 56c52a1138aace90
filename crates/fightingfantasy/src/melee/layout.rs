//! The indices of the states of a melee.
//!
//! LUCK changes slowest, followed by the set of living foes, their STAMINA, the hero's, the rounds
//! still to be counted, the streak and the phase. Every move lowers the first of these that it
//! changes. Each set of living foes has a block of its own, since few phases of a round occur in
//! most sets.

use super::round::ROLLS;
use super::state::{FoeSet, MeleePhase, MeleeState};

/// The numbering of the states of a melee.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The state with the highest number in every component.
    top: MeleeState,
    last_round: u16,
    streaks: u8,
    /// The block of each set of living foes.
    blocks: Vec<Block>,
    /// The number of states at each LUCK.
    layer: usize,
}

/// The states in which exactly a certain set of foes lives.
#[derive(Clone, Debug)]
struct Block {
    /// The index of the first state of the block at LUCK 0.
    start: usize,
    /// The number of values each foe's STAMINA can take, down from the highest.
    values: [u16; MeleeState::MAX_FOES],
    /// The phases, each after those it can lead to while nothing else changes.
    phases: Vec<MeleePhase>,
    /// The positions of hits and wounds in `phases`.
    places: Vec<Option<u16>>,
}

impl Layout {
    /// `phases` are those that can occur, by set of living foes, and empty for sets that cannot
    /// occur. If foes are attacked in order, all but the first in a set are unhurt.
    pub(super) fn new(
        top: MeleeState,
        last_round: u16,
        streaks: u8,
        in_order: bool,
        phases: Vec<Vec<MeleePhase>>,
    ) -> Self {
        let mut layer = 0_usize;
        let mut blocks = Vec::with_capacity(phases.len());
        for (set, mut phases) in phases.into_iter().enumerate() {
            phases.sort_unstable();
            phases.dedup();
            let living = FoeSet(set as u8);
            let mut values = [1; MeleeState::MAX_FOES];
            for foe in living.iter() {
                if !in_order || living.iter().next() == Some(foe) {
                    values[foe] = top.foes()[foe];
                }
            }
            let foes = top.foes().len();
            let mut places = vec![None; ROLLS * (foes + (foes << foes))];
            for (place, phase) in phases.iter().enumerate() {
                let slot = slot(phase, foes).and_then(|slot| places.get_mut(slot));
                if let Some(slot) = slot {
                    // There are far fewer than 2^16 phases.
                    *slot = Some(place as u16);
                }
            }
            let size = values
                .iter()
                .map(|&values| usize::from(values))
                .chain([usize::from(top.hero) + 1])
                .chain([usize::from(last_round) + 1, usize::from(streaks)])
                .fold(phases.len(), usize::saturating_mul);
            blocks.push(Block {
                start: layer,
                values,
                phases,
                places,
            });
            layer = layer.saturating_add(size);
        }
        Layout {
            top,
            last_round,
            streaks,
            blocks,
            layer,
        }
    }

    pub(super) fn size(&self) -> usize {
        self.layer.saturating_mul(usize::from(self.top.luck) + 1)
    }

    /// The index of a state, or `None` outside the box.
    #[inline]
    pub(super) fn index(&self, state: &MeleeState) -> Option<usize> {
        let block = self.blocks.get(usize::from(state.living().0))?;
        let inside = state.hero <= self.top.hero
            && state.luck <= self.top.luck
            && state.round <= self.last_round
            && state.streak < self.streaks
            && state.foes().len() == self.top.foes().len();
        if !inside {
            return None;
        }
        // A box too large to be numbered is never solved, so its indices may wrap. All that matters
        // is that this state lies in the box.
        let mut index = 0_usize;
        let mut append = |base: usize, digit: usize| {
            index = index.wrapping_mul(base).wrapping_add(digit);
        };
        let tops = self.top.foes().iter().zip(&block.values);
        for (&foe, (&top, &values)) in state.foes().iter().zip(tops) {
            // A fallen foe's STAMINA has a single value and needs no digit.
            if foe == 0 {
                continue;
            }
            if foe > top || top - foe >= values {
                return None;
            }
            append(values.into(), (values - 1 - (top - foe)).into());
        }
        append(usize::from(self.top.hero) + 1, state.hero.into());
        append(
            usize::from(self.last_round) + 1,
            (self.last_round - state.round).into(),
        );
        append(self.streaks.into(), state.streak.into());
        let phase = block.place(&state.phase, state.foes().len())?;
        append(block.phases.len(), phase);
        let layer = usize::from(state.luck).wrapping_mul(self.layer);
        Some(layer.wrapping_add(block.start).wrapping_add(index))
    }

    /// The state with this index, which must be below [`size`](Layout::size).
    #[inline]
    pub(super) fn state(&self, index: usize) -> MeleeState {
        let mut state = self.top;
        state.luck = (index / self.layer) as u16;
        let mut rest = index % self.layer;
        let set = self.blocks.partition_point(|block| block.start <= rest) - 1;
        let block = &self.blocks[set];
        rest -= block.start;
        // Division is the most expensive operation here. Some of these counters have only one
        // value, and the indices of a solver fit into 32 bits.
        let mut digit = |base: usize| {
            if base == 1 {
                return 0;
            }
            if let (Ok(small), Ok(base)) = (u32::try_from(rest), u32::try_from(base)) {
                rest = (small / base) as usize;
                return (small % base) as usize;
            }
            let digit = rest % base;
            rest /= base;
            digit
        };
        state.phase = block.phases[digit(block.phases.len())];
        state.streak = digit(usize::from(self.streaks)) as u8;
        state.round = self.last_round - digit(usize::from(self.last_round) + 1) as u16;
        state.hero = digit(usize::from(self.top.hero) + 1) as u16;
        for (number, foe) in state.foes_mut().iter_mut().enumerate().rev() {
            if set >> number & 1 == 0 {
                *foe = 0;
            } else {
                let values = block.values[number];
                *foe -= values - 1 - digit(usize::from(values)) as u16;
            }
        }
        state
    }
}

impl Block {
    #[inline]
    fn place(&self, phase: &MeleePhase, foes: usize) -> Option<usize> {
        match phase {
            MeleePhase::Round => self.phases.len().checked_sub(1),
            MeleePhase::Hit { .. } | MeleePhase::Wound { .. } => {
                let place = self.places.get(slot(phase, foes)?)?;
                place.map(usize::from)
            }
            MeleePhase::Gone | MeleePhase::Running => {
                self.phases.iter().position(|known| known == phase)
            }
        }
    }
}

/// The index in `places` of a hit or a wound.
#[inline]
fn slot(phase: &MeleePhase, foes: usize) -> Option<usize> {
    let (row, roll) = match *phase {
        MeleePhase::Hit { target, roll } if usize::from(target) < foes => {
            (usize::from(target), roll)
        }
        MeleePhase::Wound { by, waiting, roll }
            if usize::from(by) < foes && usize::from(waiting.0) >> foes == 0 =>
        {
            let sets = usize::from(by) << foes;
            (foes + sets + usize::from(waiting.0), roll)
        }
        _ => return None,
    };
    (usize::from(roll) < ROLLS).then(|| row * ROLLS + usize::from(roll))
}
