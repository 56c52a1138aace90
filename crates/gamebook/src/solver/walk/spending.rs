//! LUCK that is spent in battle.

use crate::solver::reach::extent::Span;

/// The LUCK of heroes in a fight in which it may be spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Lucky {
    /// What working items add to it.
    pub(crate) bonus: i32,
    /// The values before the fight.
    pub(crate) span: Span,
    /// The value at which no more can be spent.
    pub(crate) spent: i16,
    pub(crate) cap: Option<i16>,
    pub(crate) floor: Option<i16>,
}

impl Lucky {
    pub(crate) fn may_test(&self, luck: i16) -> bool {
        luck > self.spent
    }

    /// The value after a test.
    pub(crate) fn less(&self, luck: i16) -> i16 {
        let less = luck.saturating_sub(1);
        let less = self.cap.map_or(less, |cap| less.min(cap));
        self.floor.map_or(less, |floor| less.max(floor))
    }

    /// The values after the fight.
    pub(crate) fn after(&self) -> Span {
        let Span { lo, hi } = self.span;
        let last = match self.may_test(hi) {
            true => self.less(self.spent.saturating_add(1)),
            false => lo,
        };
        Span {
            lo: lo.min(last),
            hi,
        }
    }
}
