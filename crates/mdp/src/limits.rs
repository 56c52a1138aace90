//! Limits on resources while the states of a game are explored.

use crate::{Error, Game, Node};

/// Limits on states, outcomes and bytes, each of which applies independently.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) states: usize,
    pub(crate) outcomes: usize,
    pub(crate) bytes: u128,
}

/// The default of [`Solver::max_states`](crate::Solver::max_states) and similar settings.
pub(crate) const MAX_STATES: usize = 20_000_000;

/// The default of [`Solver::max_outcomes`](crate::Solver::max_outcomes) and similar settings: about
/// as many as fit into the default limit on bytes.
pub(crate) const MAX_OUTCOMES: usize = 1_000_000_000;

/// The default of [`Solver::max_bytes`](crate::Solver::max_bytes) and similar settings: 4 GiB.
pub(crate) const MAX_BYTES: u128 = 1 << 32;

/// Returns advice on how to raise a limit on states, if it can be raised.
pub(crate) fn how_to_raise(limit: usize) -> &'static str {
    match limit < u32::MAX as usize {
        true => "; raise it with `max_states`",
        false => ", the most that can be numbered",
    }
}

/// The number of outcomes of one state that are always allowed, whatever the limit on bytes. Memory
/// is checked now and then, and a page adds no more than that.
const FEW: usize = 4_096;

/// Memory is checked whenever this many outcomes have been added, since a few states can have as
/// many as millions of others.
pub(crate) const UNSEEN: usize = 1 << 16;

impl Default for Limits {
    fn default() -> Self {
        Limits {
            states: MAX_STATES,
            outcomes: MAX_OUTCOMES,
            bytes: MAX_BYTES,
        }
    }
}

impl Limits {
    /// Returns how many outcomes, of `size` bytes each while they are written, the page of one
    /// state may have, if this many outcomes of other states are stored.
    #[inline]
    pub(crate) fn room(&self, size: usize, kept: usize) -> usize {
        self.outcomes.saturating_sub(kept).min(self.page(size))
    }

    /// Returns how many outcomes fit into the bytes allowed. No memory holds more than `usize` can
    /// number.
    #[inline]
    fn page(&self, size: usize) -> usize {
        let bytes = usize::try_from(self.bytes).unwrap_or(usize::MAX);
        (bytes / size.max(1)).max(FEW)
    }

    /// Converts the error of a full page into the error of the limit that it exceeded. The page
    /// came after this many states, of which this many outcomes are stored, and its room was
    /// [`room`](Self::room).
    #[cold]
    pub(crate) fn passed(&self, error: Error, size: usize, kept: usize, states: usize) -> Error {
        let state = match error {
            Error::OutcomesOutgrow { state, limit, .. } if limit == self.room(size, kept) => state,
            // The error of an inner game, from which this one is derived, and which had its own
            // limit.
            error => return error,
        };
        let page = self.page(size);
        if page < self.outcomes.saturating_sub(kept) {
            let source = Box::new(Error::TooMuchMemory {
                what: "its outcomes",
                states: states + 1,
                needed: (page as u128 + 1) * size as u128,
                limit: self.bytes,
            });
            return Error::InState { state, source };
        }
        Error::OutcomesOutgrow {
            state,
            done: states,
            limit: self.outcomes,
        }
    }

    /// Lets `game` write what can happen in `state`, after this many states, of which this many
    /// outcomes are stored.
    #[inline]
    pub(crate) fn fill<G: Game + ?Sized>(
        &self,
        node: &mut Node<G>,
        game: &G,
        state: &G::State,
        kept: usize,
        states: usize,
    ) -> Result<(), Error> {
        let size = size_of::<(G::State, u64)>();
        node.most = self.room(size, kept);
        node.fill(game, state)
            .map_err(|error| self.passed(error, size, kept, states))
    }
}

/// Draws outcomes with their weights as long as there is room. Weights of zero take no room, but at
/// most as many of them are drawn as there is room at the beginning, or 4,096 if that is more.
/// Returns whether there were more.
pub(crate) fn draw<S>(
    outcomes: impl IntoIterator<Item = (S, u64)>,
    room: usize,
    mut put: impl FnMut(S, u64),
) -> bool {
    let (mut room, mut idle) = (room, room.max(FEW));
    for (state, weight) in outcomes {
        let left = if weight == 0 { &mut idle } else { &mut room };
        if *left == 0 {
            return true;
        }
        *left -= 1;
        put(state, weight);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(limits: Limits, kept: usize, room: usize, by_bytes: bool) {
        assert_eq!(limits.room(16, kept), room);
        let full = Error::OutcomesOutgrow {
            state: "s".to_owned(),
            done: 0,
            limit: room,
        };
        let told = limits.passed(full, 16, kept, 3);
        let wanted = match by_bytes {
            true => Error::InState {
                state: "s".to_owned(),
                source: Box::new(Error::TooMuchMemory {
                    what: "its outcomes",
                    states: 4,
                    needed: 16 * (room as u128 + 1),
                    limit: limits.bytes,
                }),
            },
            false => Error::OutcomesOutgrow {
                state: "s".to_owned(),
                done: 3,
                limit: limits.outcomes,
            },
        };
        assert_eq!(told, wanted);
    }

    #[test]
    fn the_limit_that_is_passed_is_told() {
        let limits = |outcomes, bytes| Limits {
            states: 1,
            outcomes,
            bytes,
        };
        check(limits(10, 1 << 20), 0, 10, false);
        check(limits(10, 1 << 20), 4, 6, false);
        check(limits(10, 1 << 20), 11, 0, false);
        check(limits(10, 0), 0, 10, false);
        check(limits(1 << 30, 1 << 20), 0, 1 << 16, true);
        check(limits(1 << 30, 0), 1 << 20, FEW, true);
        check(limits(1 << 30, u128::MAX), 0, 1 << 30, false);
    }
}
