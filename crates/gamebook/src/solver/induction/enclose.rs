//! Regions that lead back to themselves by chance, enclosed: floats that do not change any
//! more may still be far from what they approach.
//!
//! What the regions of a ring are worth is the least solution of x = T(x), where T takes
//! mixtures, by chances that sum to 1, and the best, of x and of what the ring is left for.
//! T is monotone, so that T(u) <= u makes u a bound from above (Knaster and Tarski). Such a
//! u is guessed: a little more than what iteration from below has come to. T is applied to
//! it with results that are rounded upwards, until no region has come to be worth more
//! anywhere (Hartmanns and Kaminski, "Optimistic Value Iteration", 2020). The regions are
//! walked through one after the other, each with what has been made of those before: that
//! has the same solutions, and is as monotone. Nor does it matter that what refreshments
//! lead back to is closed within one walk: the least solution of equations is the same
//! whichever are solved first.
//!
//! From below, T takes what is certainly no more than the solution to what is no more
//! either. Iteration began with 0, and whatever its mixtures have rounded by is known.
//!
//! What the ring is left for may be off itself. If that is by d at most, so is the solution
//! by that: T(x + d) <= T(x) + d, as chances sum to 1, so that x + d is a bound from above
//! for what leads to d more. Who has left does not come back; all that leads through a ring
//! is off by its error once, whatever the number of laps.

use rustc_hash::FxHashMap;

use crate::solver::decisions::Picks;
use crate::solver::diagrams::{Diagram, Diagrams};
use crate::solver::induction::Induction;
use crate::solver::induction::directed::{TINY, Towards};
use crate::solver::limits::Halt;

/// How a ring with a chance in it was iterated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turned {
    pub(crate) sweeps: usize,
    /// How far mixtures might be off before.
    pub(crate) before: f64,
    /// Nothing changed any more.
    pub(crate) settled: bool,
}

/// The first guess is never less above what was found, as a part of it.
const CLOSEST: f64 = 1e-15;
/// What does not do is tried again with so many times more.
const WIDER: f64 = 100.0;
/// Nothing is said about what cannot be enclosed so closely.
pub(crate) const WIDEST: f64 = 1e-3;
/// A guess has so many sweeps at most.
const MOST_SWEEPS: usize = 20_000;
/// No more sweeps are made to come closer than this.
const CLOSE: f64 = 1e-13;

impl Induction<'_> {
    /// Finds out how far a ring may be off: that takes the place of what its sweeps have
    /// rounded by.
    ///
    /// All of this has diagrams of its own, which are thrown away: numbers decide in which
    /// order mixtures are summed, and no value may depend on how closely it is enclosed. What
    /// is not enclosed at all is solved [sheet by sheet](Induction::singly) if that can be
    /// done: where a ring is hardly ever left, floats stop changing far from what it is worth.
    pub(crate) fn enclose(&mut self, ring: &[usize], turned: Turned) -> Result<(), Halt> {
        let rounded = self.rounding - turned.before;
        let next = ring.iter().flat_map(|number| {
            let next = &self.explored.regions[*number].next;
            next.iter().map(|to| *to as usize)
        });
        let mut near: Vec<usize> = next.chain(ring.iter().copied()).collect();
        near.sort_unstable();
        near.dedup();
        let kept: Vec<Diagram> = near.iter().map(|near| self.worth[*near].exact).collect();

        // What was decided stays: guesses decide nothing, and tell nothing.
        let (picks, telling) = (self.picks.take(), self.telling.take());
        let decided = picks.as_ref().map_or(0, Picks::bytes);
        let gates = std::mem::take(&mut self.diagrams.gates);
        let taken = self.diagrams.bytes();
        let left = self
            .limits
            .bytes
            .saturating_sub(taken + self.fights + decided);
        let mut own = Diagrams::new(left);
        std::mem::swap(&mut self.diagrams, &mut own);
        let others = own;
        self.diagrams.gates = gates;
        let mut memo = FxHashMap::default();
        for (number, worth) in near.iter().zip(&kept) {
            self.worth[*number].exact = self.diagrams.copied(&others, *worth, &mut memo);
        }
        drop(memo);
        let off = self.within().and_then(|()| {
            let sweeps = MOST_SWEEPS.min(2 * turned.sweeps + 16);
            self.enclosed(ring, &near, rounded, sweeps)
        });
        let own = std::mem::replace(&mut self.diagrams, others);
        (self.picks, self.telling) = (picks, telling);
        self.peak = self.peak.max(taken + own.bytes());
        self.diagrams.gates = own.gates;
        for (number, worth) in near.into_iter().zip(kept) {
            self.worth[number].exact = worth;
        }
        let off = off?;
        let all = self.limits.sheets;
        if off.is_none() && self.singly(ring, all, turned.before)? {
            return Ok(());
        }
        if !turned.settled && off.is_none_or(|off| off > WIDEST) {
            return Err(Halt::Sweeps);
        }
        self.proven &= off.is_some();
        self.rounding = turned.before + off.unwrap_or(rounded);
        Ok(())
    }

    /// How far a ring may be off that has rounded by so much on the way; `None` if that is
    /// not found in so many sweeps.
    fn enclosed(
        &mut self,
        ring: &[usize],
        near: &[usize],
        rounded: f64,
        sweeps: usize,
    ) -> Result<Option<f64>, Halt> {
        let mut found: Vec<Diagram> = ring.iter().map(|one| self.worth[*one].exact).collect();
        self.diagrams.turn(Towards::Up);
        let mut wider = rounded.clamp(CLOSEST, WIDEST);
        let above = loop {
            self.guess(ring, &found, &|value| (value * (1.0 + wider)).min(1.0));
            match self.close(ring, near, &mut found, true, sweeps)? {
                Some(above) => break above,
                None if wider < WIDEST => wider = WIDEST.min(wider * WIDER),
                None => return Ok(None),
            }
        };
        if rounded <= above.max(CLOSE) {
            return Ok(Some(above.max(rounded)));
        }
        self.diagrams.turn(Towards::Down);
        // Underflow may have made more of it than a part.
        let less = |value: f64| (value * (1.0 - rounded) - TINY).max(0.0);
        self.guess(ring, &found, &less);
        let below = self.close(ring, near, &mut found, false, sweeps)?;
        let below = below.map_or(rounded, |below| below.min(rounded));
        Ok(Some(above.max(below)))
    }

    fn guess(&mut self, ring: &[usize], found: &[Diagram], to: &dyn Fn(f64) -> f64) {
        for (number, found) in ring.iter().zip(found) {
            self.worth[*number].exact = self.diagrams.revalued(*found, to);
        }
    }

    /// How far from what was found a bound is that begins with a guess, after some sweeps;
    /// `None` if it is none. Any guess from below is one.
    fn close(
        &mut self,
        ring: &[usize],
        near: &[usize],
        found: &mut [Diagram],
        above: bool,
        sweeps: usize,
    ) -> Result<Option<f64>, Halt> {
        let (mut off, mut bound) = (None, !above);
        for _ in 0..sweeps {
            if self.diagrams.due() {
                let worths = self.worth.iter_mut().enumerate();
                let worths = worths.filter(|(number, _)| near.binary_search(number).is_ok());
                let worths = worths.map(|(_, worth)| &mut worth.exact);
                self.diagrams.collect(worths.chain(found.iter_mut()));
            }
            let (mut rises, mut changed) = (false, false);
            for &number in ring {
                let known = self.explored.regions[number].known;
                let mut worth = self.region_worth(number, known)?;
                let before = self.worth[number].exact;
                if above {
                    rises = rises || self.diagrams.over(worth, before, known.care) > 0.0;
                    worth = self.diagrams.steadied(worth, before, known.care);
                }
                changed |= worth != before;
                self.worth[number].exact = worth;
            }
            bound |= !rises;
            if bound {
                let mut most = 0.0_f64;
                for (&number, &found) in ring.iter().zip(&*found) {
                    let care = self.explored.regions[number].known.care;
                    let worth = self.worth[number].exact;
                    let over = self.diagrams.over(worth, found, care);
                    let under = self.diagrams.over(found, worth, care);
                    most = most.max(over).max(under);
                }
                // The difference was rounded, too.
                off = Some(most * (1.0 + f64::EPSILON));
                if most <= CLOSE || !changed {
                    break;
                }
            }
        }
        self.within()?;
        Ok(off)
    }
}
