//! Falls of stats below 0, recorded while a book is played.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// When, within a step from one section to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// By items, after a fight.
    Fought,
    /// By the effects of the step, up to leaving the section.
    Leaving,
    /// By the effects after that.
    Arriving,
}

/// A stat that was at least 0 has become less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fall {
    /// The choice of the node.
    pub(crate) choice: usize,
    /// The list of effects that was applied; `None` if something else happened, such as a trade.
    pub(crate) list: Option<u32>,
    pub(crate) phase: Phase,
    pub(crate) stat: u8,
}

/// All falls since they were last taken. Only what really happens is recorded, including what
/// happens to a hero who is dead in the end.
#[derive(Debug, Default)]
pub(crate) struct Falls(Mutex<Recorded>);

#[derive(Debug, Default)]
struct Recorded {
    falls: BTreeSet<Fall>,
    /// The choice whose outcomes are being computed.
    choice: usize,
}

impl Falls {
    fn recorded(&self) -> MutexGuard<'_, Recorded> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The outcomes of a choice have been computed.
    pub(crate) fn next_choice(&self) {
        self.recorded().choice += 1;
    }

    /// Returns what has been recorded, and starts anew.
    pub(crate) fn take(&self) -> BTreeSet<Fall> {
        std::mem::take(&mut *self.recorded()).falls
    }
}

/// Records falls while effects are applied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch<'f> {
    falls: &'f Falls,
    list: Option<u32>,
    phase: Phase,
}

impl<'f> Watch<'f> {
    pub(crate) fn new(falls: &'f Falls) -> Self {
        Watch {
            falls,
            list: None,
            phase: Phase::Leaving,
        }
    }

    /// From here on, what happens belongs to this list of effects.
    pub(crate) fn on(self, list: u32, phase: Phase) -> Self {
        Watch {
            list: Some(list),
            phase,
            ..self
        }
    }

    pub(crate) fn depart(&mut self) {
        self.phase = Phase::Arriving;
    }

    pub(crate) fn change(self, stat: u8, before: i16, after: i16) {
        if before >= 0 && after < 0 {
            let Watch { list, phase, .. } = self;
            let mut recorded = self.falls.recorded();
            let choice = recorded.choice;
            recorded.falls.insert(Fall {
                choice,
                list,
                phase,
                stat,
            });
        }
    }
}
