//! The memory needed to look ahead move by move, measured as it grows.

use crate::Error;
use crate::number::Mass;

/// The size of the probabilities of lengths. Their digits grow with each move.
pub(crate) struct Ahead {
    horizon: u32,
    limit: u128,
    /// The size of the probabilities found.
    words: u128,
}

impl Ahead {
    pub(crate) fn new(horizon: u32, limit: u128) -> Self {
        Ahead {
            horizon,
            limit,
            words: 0,
        }
    }

    /// Accounts for `done` moves, after which `ended` of `whole` have just ended and these
    /// continue. Returns an error if the total exceeds the limit. Doubles do not grow and were
    /// counted in advance.
    pub(crate) fn check<W: Mass>(
        &mut self,
        done: u32,
        ended: &W,
        whole: &W,
        on: &[W],
    ) -> Result<(), Error> {
        if !W::EXACT {
            return Ok(());
        }
        self.words += match ended.is_nothing() {
            true => 1,
            false => ended.words(1) + whole.words(1),
        };
        let on: u128 = on.iter().map(|mass| mass.words(1)).sum();
        let needed = 8 * (self.words + on);
        if needed <= self.limit {
            return Ok(());
        }
        Err(Error::FractionsOutgrow {
            what: "moves",
            done: done as usize,
            of: self.horizon as usize,
            needed,
            limit: self.limit,
        })
    }
}
