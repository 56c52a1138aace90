//! When a hero may run from a fight or must break it off, and what is counted for that.

use crate::FightCount;
use crate::bout::Standing;

/// The terms on which a fight may be left before either side falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Running {
    pub(crate) count: FightCount,
    /// The count that suffices.
    pub(crate) after: u16,
    /// In STAMINA.
    pub(crate) cost: u16,
    pub(crate) forced: bool,
}

/// What is counted in a fight, and for what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Terms {
    /// For running, if that is possible.
    pub(crate) running: Option<Running>,
    /// For tolls, if there are any: each of these brings one.
    pub(crate) toll: Option<FightCount>,
}

/// The counts of a fight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Counted {
    /// Towards running, up to the count that suffices.
    pub(crate) so_far: u16,
    /// Whether the current round has been counted.
    pub(crate) this_round: bool,
    /// Whether the current round brings a toll.
    pub(crate) toll: bool,
}

impl Counted {
    /// The counts before a round.
    pub(crate) fn so_far(so_far: u16) -> Self {
        Counted {
            so_far,
            ..Counted::default()
        }
    }
}

impl Terms {
    /// Whether there can be these counts, between rounds or after a blow within one.
    pub(crate) fn allow(self, counted: Counted, struck: bool) -> bool {
        let most = self
            .running
            .map_or(0, |running| match running.forced && !struck {
                true => running.after.saturating_sub(1),
                false => running.after,
            });
        counted.so_far <= most
            && (!counted.this_round || struck && self.running.is_some())
            && (!counted.toll || struck && self.toll.is_some())
    }
}

impl Running {
    /// Whether the count suffices.
    pub(crate) fn is_due(self, counted: Counted) -> bool {
        counted.so_far >= self.after
    }

    /// Whether the reader may decide to run, with this much STAMINA.
    pub(crate) fn is_offered(self, counted: Counted, hero: u16) -> bool {
        self.is_due(counted) && !self.forced && hero > self.cost
    }

    /// Whether drawn rounds count, or the reader may think again after each of them. `changes` is
    /// whether a round changes anything apart from the counts.
    fn tells_draws(self, counted: Counted, changes: bool) -> bool {
        match self.is_due(counted) {
            true => changes && !self.forced,
            false => self.count == FightCount::Rounds,
        }
    }

    /// The counts after a part of a round.
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

    /// The count after the last part of a round. In turn, it starts anew for each foe.
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
    /// Whether this part of a round makes the round count.
    fn counts(self, before: Standing, now: Standing) -> bool {
        match self {
            FightCount::Rounds => false,
            FightCount::Wounds => now.hero < before.hero,
            FightCount::Hits => now.foe > before.foe || now.stamina < before.stamina,
        }
    }
}

impl Terms {
    /// Whether a drawn round differs from no round. `changes` is whether a round changes anything.
    pub(crate) fn tells_draws(self, counted: Counted, changes: bool) -> bool {
        let runs = self.running;
        runs.is_some_and(|running| running.tells_draws(counted, changes))
            || self.toll == Some(FightCount::Rounds)
    }

    /// The terms of running, if the fight must now be broken off.
    pub(crate) fn ends(self, counted: Counted) -> Option<Running> {
        let running = self.running;
        running.filter(|running| running.forced && running.is_due(counted))
    }

    /// The counts after a part of a round.
    pub(crate) fn within(self, counted: Counted, before: Standing, now: Standing) -> Counted {
        let running = self
            .running
            .map(|running| running.within(counted, before, now));
        Counted {
            toll: counted.toll || self.toll.is_some_and(|toll| toll.counts(before, now)),
            ..running.unwrap_or(counted)
        }
    }

    /// The counts after the last part of a round, if both sides still stand.
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
