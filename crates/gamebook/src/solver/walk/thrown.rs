//! Memoizing throws among effects: many sequences of throws lead to the same sheets with the same
//! remaining effects, and are followed once. Three dice have 216 sequences and 16 sums.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::compiled::Op;
use crate::solver::walk::interpreter::At;

/// The most entries that are remembered; others are followed again.
const MOST: usize = 100_000;

/// The remaining effects.
pub(crate) struct Rest<'a> {
    pub(crate) ops: &'a [Op],
    pub(crate) then: Option<&'a Rest<'a>>,
}

impl Rest<'_> {
    /// All of them in one list.
    fn row(&self) -> Vec<Op> {
        let mut row = self.ops.to_vec();
        let mut then = self.then;
        while let Some(rest) = then {
            row.extend_from_slice(rest.ops);
            then = rest.then;
        }
        row
    }
}

/// Sheets before a throw, with the remaining effects of one list.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Before {
    row: Vec<Op>,
    at: At,
}

impl Before {
    pub(crate) fn new(rest: &Rest<'_>, at: At) -> Self {
        Before {
            row: rest.row(),
            at,
        }
    }
}

/// Values before the throws of one list of effects, for the same continuation.
pub(crate) struct Thrown<T>(RefCell<FxHashMap<Before, T>>);

impl<T> Default for Thrown<T> {
    fn default() -> Self {
        Thrown(RefCell::default())
    }
}

impl<T: Clone> Thrown<T> {
    pub(crate) fn known(&self, before: &Before) -> Option<T> {
        self.0.borrow().get(before).cloned()
    }

    pub(crate) fn remember(&self, before: Before, worth: &T) {
        let mut known = self.0.borrow_mut();
        if known.len() < MOST {
            known.insert(before, worth.clone());
        }
    }
}
