//! Kept values of regions, for look-ups after solving.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::place::STATS;
use crate::solver::diagrams::gates::Gate;
use crate::solver::diagrams::{self, Diagram, Diagrams};
use crate::solver::induction::Induction;
use crate::solver::induction::directed::TINY;
use crate::solver::induction::streets::at_most;
use crate::solver::reach::extent::Extent;
use crate::solver::tables::LANES;
use crate::solver::walk::interpreter::{At, Region};

/// The values of some regions, without the rest of an induction.
#[derive(Debug)]
pub(crate) struct Kept {
    regions: IndexMap<Region, Known, FxBuildHasher>,
    /// All routes by which regions are told apart, in ascending order.
    ways: Vec<u32>,
    pub(crate) store: Diagrams,
    /// By stat, its lane.
    lane: [Option<usize>; STATS],
    /// The rounding error.
    pub(crate) rounding: f64,
    pub(crate) relative: bool,
    pub(crate) proven: bool,
    /// Upper bounds on all of it, if something was left out that may be better for some sheets.
    pub(crate) over: Option<Box<Kept>>,
}

/// What is known of a region.
#[derive(Debug)]
struct Known {
    extent: Extent,
    /// The sheets that can occur there.
    care: Gate,
    /// The sheets for which it was computed.
    settled: Gate,
    worth: Diagram,
}

impl Induction<'_> {
    /// Keeps the values of some regions.
    pub(crate) fn into_kept(mut self, wanted: impl Fn(&Region) -> bool) -> Kept {
        let found = self.explored.regions.into_iter().zip(&self.worth);
        let found = found.filter(|((region, _), _)| wanted(region));
        let mut regions: IndexMap<Region, Known, FxBuildHasher> = found
            .map(|((region, found), worth)| {
                let known = Known {
                    extent: found.extent,
                    care: found.known.care,
                    settled: worth.settled,
                    worth: worth.exact,
                };
                (region, known)
            })
            .collect();
        let worths = regions.values_mut().map(|known| &mut known.worth);
        self.diagrams.keep_only(worths);
        self.walk.chunks.take_back(&mut self.diagrams.tables.values);
        let gates = regions.values_mut().flat_map(Known::gates);
        self.diagrams.gates.keep(gates);
        Kept {
            ways: ways(&regions),
            regions,
            store: self.diagrams,
            lane: self.lane,
            rounding: self.rounding,
            relative: self.relative,
            proven: self.proven,
            over: None,
        }
    }
}

impl Induction<'_> {
    /// A copy of the values of some regions.
    pub(crate) fn copied_out(&self, wanted: &[Region]) -> Kept {
        let mut store = Diagrams::new(self.limits.bytes);
        let mut memo = FxHashMap::default();
        let found = wanted.iter().filter_map(|region| {
            let (number, region, found) = self.explored.regions.get_full(region)?;
            let worth = self.worth[number];
            let known = Known {
                extent: found.extent,
                care: found.known.care,
                settled: worth.settled,
                worth: store.copied(&self.diagrams, worth.exact, &mut memo),
            };
            Some((*region, known))
        });
        let mut regions: IndexMap<Region, Known, FxBuildHasher> = found.collect();
        let gates = regions.values_mut().flat_map(Known::gates);
        store.gates.copy(&self.diagrams.gates, gates);
        Kept {
            ways: ways(&regions),
            regions,
            store,
            lane: self.lane,
            rounding: self.rounding,
            relative: self.relative,
            proven: self.proven,
            over: None,
        }
    }
}

impl Known {
    fn gates(&mut self) -> [&mut Gate; 2] {
        [&mut self.care, &mut self.settled]
    }
}

/// All routes of some regions, in ascending order.
fn ways(regions: &IndexMap<Region, Known, FxBuildHasher>) -> Vec<u32> {
    let mut ways: Vec<u32> = regions.keys().map(|region| region.way).collect();
    ways.sort_unstable();
    ways.dedup();
    ways
}

impl Kept {
    /// The value of a region for all sheets that can occur there.
    pub(crate) fn worth(&self, region: &Region) -> Option<Diagram> {
        self.regions.get(region).map(|known| known.worth)
    }

    /// The value of a sheet in a region, by whatever route, with its error if one is proven. `None`
    /// for sheets that do not occur there or for which it was not computed, and if what was left
    /// out may be better.
    pub(crate) fn value(&self, region: Region, at: &At) -> Option<(f64, Option<f64>)> {
        let (value, error) = self.looked_up(region, at)?;
        let Some(over) = &self.over else {
            return Some((value, self.proven.then_some(error)));
        };
        let (most, off) = over.looked_up(region, at)?;
        let proven = self.proven && over.proven;
        let surely = at_most((most, off)) <= value + error;
        surely.then(|| (value, proven.then_some(error.max(most + off - value))))
    }

    /// Bounds on the value of a sheet in a region whose value is known, at least without what was
    /// left out. `None` for sheets that do not occur there, and if nothing is proven.
    pub(crate) fn bounds(&self, region: Region, at: &At) -> Option<(f64, f64)> {
        let (value, error) = self.looked_up(region, at)?;
        let over = self.over.as_deref();
        let most = over.map_or(Some(value + error), |over| over.bound(region, at))?;
        self.proven.then_some((value - error, most))
    }

    /// An upper bound on the value of a sheet, if these values are upper bounds; `None` as for
    /// [`bounds`](Kept::bounds).
    pub(crate) fn bound(&self, region: Region, at: &At) -> Option<f64> {
        let (most, off) = self.looked_up(region, at)?;
        self.proven.then_some(most + off)
    }

    fn looked_up(&self, mut region: Region, at: &At) -> Option<(f64, f64)> {
        let bits = at.known.must;
        let (lane, gates) = (&self.lane, &self.store.gates);
        self.ways.iter().find_map(|way| {
            region.way = *way;
            let known = self.regions.get(&region)?;
            let mut spans = at.extent.iter().zip(&known.extent);
            let comes = spans.all(|(at, known)| known.contains(*at))
                && gates.opens(known.care, bits)
                && gates.opens(known.settled, bits);
            let place = |stat: usize| known.extent[stat].place(at.extent[stat].lo);
            let value = || self.store.value_at(known.worth, lane, bits, place);
            comes.then(|| self.with_error(value()))
        })
    }

    /// A value, with a bound on its error.
    fn with_error(&self, value: f64) -> (f64, f64) {
        // A sum of rounded parts may exceed 1, which no chance does.
        let value = value.min(1.0);
        let all = error(self.rounding);
        // Relative to the true value v, it is at most a: v is at most the value / (1 - a), where
        // 1 / (1 - a) is at most 1 + 2 a. Underflow may exceed it.
        let error = match self.relative && all < 0.5 {
            true => all.min(value * all * (1.0 + 2.0 * all) + TINY),
            false => all,
        };
        (value, error)
    }

    /// The approximate memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let over = self.over.as_ref().map_or(0, |over| over.bytes());
        self.store.bytes() + size_of::<(Region, Known)>() * self.regions.len() + over
    }

    /// The values of no region.
    #[cfg(test)]
    pub(crate) fn nothing() -> Self {
        Kept {
            regions: IndexMap::default(),
            ways: Vec::new(),
            store: Diagrams::new(1 << 20),
            lane: [None; STATS],
            rounding: 0.0,
            relative: true,
            proven: true,
            over: None,
        }
    }
}

impl Diagrams {
    /// The number of a sheet with these bits in a diagram with these lanes. `place` gives the
    /// position of each stat.
    pub(crate) fn value_at(
        &self,
        diagram: Diagram,
        lane: &[Option<usize>; STATS],
        bits: u128,
        place: impl Fn(usize) -> usize,
    ) -> f64 {
        let mut lanes = [0; LANES];
        for stat in 0..STATS {
            if let Some(lane) = lane[stat] {
                lanes[lane] = place(stat);
            }
        }
        let take = |level: u8| match level.checked_sub(diagrams::STATS) {
            None => (bits >> level & 1) as usize,
            Some(stat) => place(stat.into()),
        };
        self.value(diagram, take, lanes)
    }
}

/// The error of values that are mixtures of mixtures: three times the rounding, since the bound
/// of a closed option may be off as well, and so may the options it was compared with.
pub(crate) fn error(rounding: f64) -> f64 {
    3.0 * rounding
}
