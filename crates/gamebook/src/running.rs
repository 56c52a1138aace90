//! When a hero may run from a fight, or must break it off, and what is counted for that.

use crate::FightCount;
use crate::bout::Standing;

/// The terms on which a fight may be left before anybody falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Running {
    pub(crate) count: FightCount,
    /// So many of these are enough.
    pub(crate) after: u16,
    /// In STAMINA.
    pub(crate) cost: u16,
    pub(crate) forced: bool,
}

/// What is counted in a fight, and for what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Terms {
    /// To run, if one may.
    pub(crate) running: Option<Running>,
    /// For each of these there is a toll, if there is one at all.
    pub(crate) toll: Option<FightCount>,
}

/// What has been counted in a fight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Counted {
    /// Towards running: no more than are enough.
    pub(crate) so_far: u16,
    /// The round that is being fought is one of these.
    pub(crate) this_round: bool,
    /// There is a toll for it.
    pub(crate) toll: bool,
}

impl Counted {
    /// Before a round.
    pub(crate) fn so_far(so_far: u16) -> Self {
        Counted {
            so_far,
            ..Counted::default()
        }
    }
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
    fn tells_draws(self, counted: Counted, changes: bool) -> bool {
        match self.is_due(counted) {
            true => changes && !self.forced,
            false => self.count == FightCount::Rounds,
        }
    }

    /// After some part of a round.
    fn within(self, counted: Counted, before: Standing, now: Standing) -> Counted {
        let counts = self.count.counts(before, now);
        match counts && !counted.this_round && !self.is_due(counted) {
            true => Counted {
                so_far: counted.so_far + 1,
                this_round: true,
                ..counted
            },
            false => counted,
        }
    }

    /// How much after the last part of a round. For each foe who comes in turn it is counted anew.
    fn over(self, counted: Counted, (before, now): (Standing, Standing), at_once: bool) -> u16 {
        if now.foe > before.foe && !at_once {
            return 0;
        }
        match self.count {
            FightCount::Rounds => self.after.min(counted.so_far + 1),
            _ => self.within(counted, before, now).so_far,
        }
    }
}

impl FightCount {
    /// Whether what a part of a round has done makes the round one of these.
    fn counts(self, before: Standing, now: Standing) -> bool {
        match self {
            FightCount::Rounds => false,
            FightCount::Wounds => now.hero < before.hero,
            FightCount::Hits => now.foe > before.foe || now.stamina < before.stamina,
        }
    }
}

impl Terms {
    /// Whether drawn rounds are told from no rounds, as far as a round `changes` anything.
    pub(crate) fn tells_draws(self, counted: Counted, changes: bool) -> bool {
        let runs = self.running;
        runs.is_some_and(|running| running.tells_draws(counted, changes))
            || self.toll == Some(FightCount::Rounds)
    }

    /// Whether the fight is over, as it must be broken off.
    pub(crate) fn ends(self, counted: Counted) -> Option<Running> {
        let running = self.running;
        running.filter(|running| running.forced && running.is_due(counted))
    }

    /// After some part of a round.
    pub(crate) fn within(self, counted: Counted, before: Standing, now: Standing) -> Counted {
        let running = self
            .running
            .map(|running| running.within(counted, before, now));
        Counted {
            toll: counted.toll || self.toll.is_some_and(|toll| toll.counts(before, now)),
            ..running.unwrap_or(counted)
        }
    }

    /// After the last part of a round that leaves somebody standing on both sides.
    pub(crate) fn over(
        self,
        counted: Counted,
        (before, now): (Standing, Standing),
        at_once: bool,
    ) -> Counted {
        let running = self.running;
        let so_far = running.map_or(0, |running| running.over(counted, (before, now), at_once));
        let all = self.toll == Some(FightCount::Rounds);
        Counted {
            so_far,
            this_round: false,
            toll: all || self.within(counted, before, now).toll,
        }
    }
}
