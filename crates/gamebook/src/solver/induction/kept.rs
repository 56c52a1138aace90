//! What regions are worth, to be looked up when all is worked out.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::place::STATS;
use crate::solver::diagrams::gates::Gate;
use crate::solver::diagrams::{self, Diagram, Diagrams};
use crate::solver::induction::Induction;
use crate::solver::induction::streets::at_most;
use crate::solver::reach::extent::Extent;
use crate::solver::tables::LANES;
use crate::solver::walk::interpreter::{At, Region};

/// What some regions are worth, and nothing else of an induction.
#[derive(Debug)]
pub(crate) struct Kept {
    regions: IndexMap<Region, Known, FxBuildHasher>,
    /// All ways by which regions are told apart, ascending.
    ways: Vec<u32>,
    pub(crate) store: Diagrams,
    /// By stat, its lane.
    lane: [Option<usize>; STATS],
    /// How far that may be off.
    pub(crate) rounding: f64,
    pub(crate) proven: bool,
    /// What all of it is worth at most, if something was left out that may be worth more to some.
    pub(crate) over: Option<Box<Kept>>,
}

/// What is known of a region.
#[derive(Debug)]
struct Known {
    extent: Extent,
    /// Who comes there.
    care: Gate,
    /// For whom it was worked out.
    settled: Gate,
    worth: Diagram,
}

impl Induction<'_> {
    /// Keeps what some regions are worth.
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
        let mut ways: Vec<u32> = regions.keys().map(|region| region.way).collect();
        ways.sort_unstable();
        ways.dedup();
        Kept {
            regions,
            ways,
            store: self.diagrams,
            lane: self.lane,
            rounding: self.rounding,
            proven: self.proven,
            over: None,
        }
    }
}

impl Kept {
    /// What a region is worth to all who come there.
    pub(crate) fn worth(&self, region: &Region) -> Option<Diagram> {
        self.regions.get(region).map(|known| known.worth)
    }

    /// What a sheet is worth in a region, by whatever way, and how far that may be off, if that is
    /// proven; `None` for sheets that do not come there, for those of whom it was not worked out, and for
    /// those to whom it may be worth more by what was left out.
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

    /// Between which numbers lies what a sheet is worth in a region, of which this says what it is worth, or
    /// would be without what was left out; `None` for sheets that do not come there, and where nothing
    /// is proven.
    pub(crate) fn bounds(&self, region: Region, at: &At) -> Option<(f64, f64)> {
        let (value, error) = self.looked_up(region, at)?;
        let over = self.over.as_deref();
        let most = over.map_or(Some(value + error), |over| over.bound(region, at))?;
        self.proven.then_some((value - error, most))
    }

    /// What a sheet is worth at most, if this says that; `None` as for [`bounds`](Kept::bounds).
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
            comes.then(|| (value(), error(self.rounding)))
        })
    }

    /// About how much memory all of this takes.
    pub(crate) fn bytes(&self) -> usize {
        let over = self.over.as_ref().map_or(0, |over| over.bytes());
        self.store.bytes() + size_of::<(Region, Known)>() * self.regions.len() + over
    }

    /// What no region is worth.
    #[cfg(test)]
    pub(crate) fn nothing() -> Self {
        Kept {
            regions: IndexMap::default(),
            ways: Vec::new(),
            store: Diagrams::new(1 << 20),
            lane: [None; STATS],
            rounding: 0.0,
            proven: true,
            over: None,
        }
    }
}

impl Diagrams {
    /// The number of a sheet that holds these bits, by a diagram with such lanes; `place` is where
    /// each stat of it is.
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

/// How far values may be off that are mixtures of mixtures: what is known of an option that is
/// closed may be off as well, and of those it is weighed against.
pub(crate) fn error(rounding: f64) -> f64 {
    3.0 * rounding
}
