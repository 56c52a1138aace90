//! When a hero may run from a fight, or must break it off.

use crate::EscapeCount;
use crate::bout::Standing;

/// The terms on which a fight may be left before anybody falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Running {
    pub(crate) count: EscapeCount,
    /// So many of these are enough.
    pub(crate) after: u16,
    /// In STAMINA.
    pub(crate) cost: u16,
    pub(crate) forced: bool,
}

/// What has been counted in a fight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Counted {
    /// No more than are enough.
    pub(crate) so_far: u16,
    /// The round that is being fought is one of these.
    pub(crate) this_round: bool,
}

impl Running {
    /// Whether it is enough.
    pub(crate) fn is_due(self, counted: Counted) -> bool {
        counted.so_far >= self.after
    }

    /// Whether it is for the reader to say, with so much STAMINA.
    pub(crate) fn is_offered(self, counted: Counted, hero: u16) -> bool {
        self.is_due(counted) && !self.forced && hero > self.cost
    }

    /// Whether drawn rounds count, or the reader may think again after each of them: a round
    /// `changes` something, for all that has been counted.
    pub(crate) fn tells_draws(self, counted: Counted, changes: bool) -> bool {
        match self.is_due(counted) {
            true => changes && !self.forced,
            false => self.count == EscapeCount::Rounds,
        }
    }

    /// After some part of a round.
    pub(crate) fn within(self, counted: Counted, before: Standing, now: Standing) -> Counted {
        let counts = match self.count {
            EscapeCount::Rounds => false,
            EscapeCount::Wounds => now.hero < before.hero,
            EscapeCount::Hits => now.foe > before.foe || now.stamina < before.stamina,
        };
        match counts && !counted.this_round && !self.is_due(counted) {
            true => Counted {
                so_far: counted.so_far + 1,
                this_round: true,
            },
            false => counted,
        }
    }

    /// After the last part of a round. For each foe who comes in turn it is counted anew.
    pub(crate) fn over(
        self,
        counted: Counted,
        (before, now): (Standing, Standing),
        at_once: bool,
    ) -> Counted {
        if now.foe > before.foe && !at_once {
            return Counted::default();
        }
        let so_far = match self.count {
            EscapeCount::Rounds => self.after.min(counted.so_far + 1),
            _ => self.within(counted, before, now).so_far,
        };
        Counted {
            so_far,
            this_round: false,
        }
    }
}
