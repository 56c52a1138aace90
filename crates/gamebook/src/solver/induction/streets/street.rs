//! A street: what is known of it, and which of several is looked at first.

use crate::solver::diagrams::Diagram;
use crate::solver::induction::aim::Hope;
use crate::solver::induction::kept::Kept;
use crate::solver::induction::streets::decided::Whole;
use crate::solver::reach::extent::Extent;
use crate::solver::walk::interpreter::Region;

/// The order of streets whose odds differ by less than this factor may turn out otherwise, since
/// the upper bounds may exceed the values by as much.
const CLOSE: f64 = 1.25;
/// A street is long compared with another one that has this many times fewer sheets.
const LONG: f64 = 2.0;

/// A street, with the values of its entrances.
pub(super) struct Street<'w> {
    pub(super) way: u32,
    pub(super) kept: Kept,
    /// The street together with what comes before it, for decisions.
    pub(super) whole: Option<Box<Whole<'w>>>,
    /// Whether there was too little memory for that.
    pub(super) too_large: bool,
    pub(super) entrances: Vec<(Region, Extent, Diagram)>,
    /// What kind of upper bound its values are; with `Hope::No` they are exact.
    pub(super) hope: Hope,
    /// The bits to be distinguished in a closer look.
    pub(super) telling: u128,
    /// An upper bound on the sum of the values of all starts, if no other street may be taken.
    pub(super) promise: f64,
    /// The approximate number of sheets in it.
    pub(super) weight: f64,
}

impl Street<'_> {
    pub(super) fn solved(&self) -> bool {
        self.hope == Hope::No
    }

    /// The next closer look that may help, or else solving it.
    pub(super) fn closer(&self) -> Hope {
        match self.hope {
            Hope::Blurred => Hope::Sharp(0),
            Hope::Sharp(0) if self.telling != 0 => Hope::Sharp(self.telling),
            Hope::Sharp(_) | Hope::No => Hope::No,
        }
    }

    /// Whether bounds leave open which of two streets is better, and the other one is solved
    /// sooner. They are compared by odds, since for a hero who nearly always wins, a few defeats
    /// distinguish streets.
    pub(super) fn may_wait_for(&self, other: &Street<'_>) -> bool {
        let odds = |street: &Street<'_>| street.promise / (1.0 - street.promise).max(0.0);
        odds(self) < CLOSE * odds(other) && self.weight > LONG * other.weight
    }
}

/// The memory of all that is kept, in bytes.
pub(super) fn bytes(streets: &[Street<'_>]) -> usize {
    let bytes = |street: &Street<'_>| {
        let whole = street.whole.as_ref();
        street.kept.bytes() + whole.map_or(0, |whole| whole.bytes())
    };
    streets.iter().map(bytes).sum()
}

/// Forgets what was kept for decisions. Returns whether that frees anything.
pub(super) fn forget(streets: &mut [Street<'_>]) -> bool {
    let wholes = streets.iter_mut().map(|street| street.whole.take());
    wholes.flatten().count() > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn street(promise: f64, weight: f64) -> Street<'static> {
        Street {
            way: 1,
            kept: Kept::nothing(),
            whole: None,
            too_large: false,
            entrances: Vec::new(),
            hope: Hope::Blurred,
            telling: 0,
            promise,
            weight,
        }
    }

    #[test]
    fn a_long_street_waits_for_a_short_one_that_promises_hardly_less() {
        let short = street(0.96, 100.0);
        let waits = |promise, weight| street(promise, weight).may_wait_for(&short);
        // Odds of 24 to 1, and less than 30 to 1.
        assert!(waits(0.967, 201.0));
        assert!(!waits(0.968, 201.0));
        assert!(!waits(0.967, 199.0));
        // The less promising street waits, in either order.
        assert!(waits(0.5, 201.0));
        // Certain victory is infinitely better than anything less, and nothing is no better than
        // nothing.
        assert!(!waits(1.0, 1e9));
        assert!(!street(1.0, 201.0).may_wait_for(&street(1.0, 100.0)));
        assert!(!street(0.0, 201.0).may_wait_for(&street(0.0, 100.0)));
    }
}
