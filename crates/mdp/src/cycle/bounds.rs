use std::ops::ControlFlow;

use oddsmith_dice::linear::Limits;

use super::Cycle;
use crate::progress::Observer;
use crate::{Error, Phase};

/// Limits on the resources for solving a component.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) max_bytes: u128,
    /// The number of states, for errors.
    pub(super) states: usize,
}

impl Cycle<'_, '_> {
    /// Returns the memory that is left if this many bytes are held.
    pub(super) fn bounds(&self, held: u128) -> Bounds {
        Bounds {
            max_bytes: self.max_bytes.saturating_sub(held),
            states: self.places.len(),
        }
    }
}

/// Calls the observer with the progress made before a cycle.
pub(super) fn pulse(
    observer: &mut Observer<'_>,
    done: usize,
    total: usize,
) -> impl FnMut() -> Result<(), Error> {
    move || observer.call(Phase::Solving, done, Some(total))
}

impl Bounds {
    pub(super) fn check(&self, what: &'static str, needed: u128) -> Result<(), Error> {
        if needed <= self.max_bytes {
            return Ok(());
        }
        Err(Error::TooMuchMemory {
            what,
            states: self.states,
            needed,
            limit: self.max_bytes,
        })
    }

    /// Solves equations within these bounds, as long as `pulse` does not return an error.
    pub(super) fn within<T>(
        &self,
        pulse: &mut dyn FnMut() -> Result<(), Error>,
        solve: impl FnOnce(
            Limits,
            &mut dyn FnMut() -> ControlFlow<()>,
        ) -> Result<T, oddsmith_dice::Error>,
    ) -> Result<T, Error> {
        let words = u64::try_from(self.max_bytes / 8).unwrap_or(u64::MAX);
        let mut objection = None;
        let mut hook = || match pulse() {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                objection = Some(error);
                ControlFlow::Break(())
            }
        };
        // No time limit is needed, since the observer can stop the work.
        let solved = solve(Limits::words(words).any_time(), &mut hook);
        solved.map_err(|error| match (error, objection) {
            (oddsmith_dice::Error::Stopped { .. }, Some(objection)) => objection,
            (oddsmith_dice::Error::TooLarge { words, .. }, _) => Error::TooMuchMemory {
                what: "the equations of a cycle",
                states: self.states,
                needed: words.saturating_mul(8),
                limit: self.max_bytes,
            },
            (error, _) => error.into(),
        })
    }
}
