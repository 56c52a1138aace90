//! The states met, and what is known about each.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::bounds::{checked, given};
use super::interval::{ANYTHING, Interval};
use crate::limits::Limits;
use crate::rows::RowsWriter;
use crate::{Bounds, Error, Game};

/// The status of a state in the search. Below [`OPEN`], the state is solved, and this is its
/// position in the order in which states were solved.
pub(super) const OPEN: u32 = u32::MAX - 2;
/// Visited, and left before it was solved.
pub(super) const LEFT: u32 = u32::MAX - 1;
/// Met only as an outcome.
pub(super) const MET: u32 = u32::MAX;

/// The size of what is stored per state, besides the state itself and its outcomes.
const STATE_BYTES: u128 = (size_of::<Known>() + 12) as u128;

/// What is known about one state. It is stored together, since it is read together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) value: Interval,
    pub(super) mark: u32,
    /// The best choice, if the state is solved.
    pub(super) choice: u16,
    /// For a solved state: whether other choices may be best as well, and whether floats cannot
    /// tell its value from the bounds given.
    pub(super) doubt: Doubt,
    pub(super) visits: u8,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Doubt(u8);

impl Doubt {
    pub(super) fn new(several: bool, close: bool) -> Self {
        Doubt(u8::from(several) | u8::from(close) << 1)
    }

    pub(super) fn several(self) -> bool {
        self.0 & 1 > 0
    }

    pub(super) fn close(self) -> bool {
        self.0 & 2 > 0
    }
}

/// The parts of a search that are needed to look up and add states.
pub(super) struct Meeting<'a, G: Game + ?Sized, B> {
    pub(super) game: &'a G,
    pub(super) states: &'a mut IndexSet<G::State, FxBuildHasher>,
    pub(super) known: &'a mut Vec<Known>,
    pub(super) rows: &'a mut RowsWriter,
    pub(super) bounds: &'a B,
    pub(super) range: Interval,
    pub(super) limits: &'a Limits,
    pub(super) bounded: bool,
}

impl<G: Game + ?Sized, B: Bounds<G::State>> Meeting<'_, G, B> {
    /// Returns the number of a state. A new state gets its bounds.
    #[inline]
    pub(super) fn number(&mut self, state: &G::State) -> Result<u32, Error> {
        if let Some(number) = self.states.get_index_of(state) {
            return Ok(number as u32);
        }
        let number = self.states.len();
        if number >= self.limits.states {
            return Err(Error::TooManyStates {
                limit: self.limits.states,
            });
        }
        let needed = (number as u128 + 1) * STATE_BYTES;
        if needed > self.limits.bytes {
            return Err(Error::TooMuchMemory {
                what: "their bounds",
                states: number + 1,
                needed,
                limit: self.limits.bytes,
            });
        }
        let bounds = match self.bounded {
            true => given(self.game, self.bounds, state)?,
            false => ANYTHING,
        };
        let value = [bounds[0].max(self.range[0]), bounds[1].min(self.range[1])];
        let value = checked(self.game, state, value)?;
        self.states.insert(state.clone());
        self.known.push(Known {
            value,
            mark: MET,
            choice: 0,
            doubt: Doubt::default(),
            visits: 0,
        });
        self.rows.reserve();
        Ok(number as u32)
    }
}
