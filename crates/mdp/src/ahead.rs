//! The memory needed to look ahead, measured as it grows.

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

/// The size of the chances of states, or of counts.
pub(crate) struct Held {
    bytes: u128,
    limit: u128,
    /// What they are chances of, for errors in floats.
    what: &'static str,
    states: usize,
}

impl Held {
    pub(crate) fn new(what: &'static str, states: usize, limit: u128) -> Self {
        Held {
            bytes: 0,
            limit,
            what,
            states,
        }
    }

    /// Accounts for this many chances, without their digits.
    pub(crate) fn slots<W: Mass>(&mut self, count: usize) {
        self.bytes += size_of::<W>() as u128 * count as u128;
    }

    /// Adds to a chance, which may get longer.
    #[inline]
    pub(crate) fn gain<W: Mass>(&mut self, sum: &mut W, share: W) {
        if !W::EXACT {
            return sum.gain(share);
        }
        let before = sum.words(1);
        sum.gain(share);
        self.bytes += 8 * (sum.words(1) - before);
    }

    /// Accounts for chances that are no longer needed.
    pub(crate) fn release<'m, W: Mass + 'm>(&mut self, chances: impl Iterator<Item = &'m W>) {
        for chance in chances {
            let digits = if W::EXACT {
                8 * (chance.words(1) - 1)
            } else {
                0
            };
            self.bytes -= size_of::<W>() as u128 + digits;
        }
    }

    /// Returns an error if the limit is exceeded after this many states.
    pub(crate) fn check<W: Mass>(&self, done: usize) -> Result<(), Error> {
        let (needed, limit) = (self.bytes, self.limit);
        if needed <= limit {
            return Ok(());
        }
        Err(match W::EXACT {
            true => Error::FractionsOutgrow {
                what: "states",
                done,
                of: self.states,
                needed,
                limit,
            },
            false => Error::TooMuchMemory {
                what: self.what,
                states: self.states,
                needed,
                limit,
            },
        })
    }
}
