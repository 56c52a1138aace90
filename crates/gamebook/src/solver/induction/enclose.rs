//! Enclosing rings that are left by chance, since floats may stop changing far from their limit.
//!
//! The values of the regions of a ring are the least solution of x = T(x). T takes mixtures, with
//! probabilities that sum to 1, and maxima, of x and of the values of the exits. T is monotone, so
//! T(u) <= u makes u an upper bound (Knaster and Tarski). Such a u is guessed slightly above the
//! result of iteration from below. T is then applied to it, rounding upwards, until no region has
//! risen anywhere (Hartmanns and Kaminski, "Optimistic Value Iteration", 2020). The regions are
//! updated in turn, each with the new values of those before it; this has the same solutions and is
//! just as monotone. Nor does it matter that refreshments are closed within one walk: the least
//! solution is the same, whichever equations are solved first.
//!
//! From below, T maps a lower bound to a lower bound. Iteration began with 0, and the rounding of
//! its mixtures is known.
//!
//! The values of the exits may have errors themselves. If these are at most d, so is the error of
//! the solution: T(x + d) <= T(x) + d, since the probabilities sum to 1, so x + d is an upper bound
//! if the exits are worth d more. A hero who has left does not come back. Whatever leads through a
//! ring is therefore off by its error once, regardless of the number of laps.

use rustc_hash::FxHashMap;

use crate::solver::decisions::Picks;
use crate::solver::diagrams::{Diagram, Diagrams};
use crate::solver::induction::Induction;
use crate::solver::induction::directed::{TINY, Towards};
use crate::solver::limits::Halt;

/// How a ring with chance was iterated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turned {
    pub(crate) sweeps: usize,
    /// The rounding error before the ring.
    pub(crate) before: f64,
    /// Whether a fixed point was reached.
    pub(crate) settled: bool,
}

/// The least relative distance of the first guess from the result.
const CLOSEST: f64 = 1e-15;
/// A guess that fails is repeated at this many times the distance.
const WIDER: f64 = 100.0;
/// A ring that cannot be enclosed this closely has no proven error.
pub(crate) const WIDEST: f64 = 1e-3;
/// The most sweeps for a guess.
const MOST_SWEEPS: usize = 20_000;
/// Closer than this, no more sweeps are made.
const CLOSE: f64 = 1e-13;

impl Induction<'_> {
    /// Bounds the error of a ring, in place of the rounding of its sweeps.
    ///
    /// This uses a separate store of diagrams, which is then discarded: numbers decide in which
    /// order mixtures are summed, and no value may depend on how closely it is enclosed. If a ring
    /// cannot be enclosed, it is solved [sheet by sheet](Induction::singly) if possible, since
    /// floats stop changing far from the limit if a ring is hardly ever left.
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

        // Keep the decisions: guesses decide nothing and teach nothing.
        let (picks, telling) = (self.picks.take(), self.telling.take());
        let decided = picks.as_ref().map_or(0, Picks::bytes);
        let gates = std::mem::take(&mut self.diagrams.gates);
        let taken = self.diagrams.bytes();
        let left = self
            .limits
            .bytes
            .saturating_sub(taken + self.fights + decided);
        let mut others = std::mem::replace(&mut self.diagrams, Diagrams::new(left));
        let chunks = self.walk.chunks;
        chunks.take_back(&mut others.tables.values);
        chunks.lend(&mut self.diagrams.tables.values);
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
        let mut own = std::mem::replace(&mut self.diagrams, others);
        (self.picks, self.telling) = (picks, telling);
        self.peak = self.peak.max(taken + own.bytes() + self.beside());
        chunks.take_all(&mut own.tables.values);
        chunks.lend(&mut self.diagrams.tables.values);
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
        self.relative = false;
        Ok(())
    }

    /// A bound on the error of a ring whose sweeps have rounded by `rounded`; `None` if none is
    /// found in this many sweeps.
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
        // Underflow may exceed the relative error.
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

    /// The distance from the result `found` to a bound, which is found by iterating from a guess;
    /// `None` if the guess leads to no bound. From below, any guess does.
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
