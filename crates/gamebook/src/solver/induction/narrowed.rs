//! Narrowing after raised caps. Where caps are raised for good, regions with the new caps are
//! solved before those with the old ones. After that, they are read only by heroes who raise a cap.
//! Whoever drinks a potion of fortune then has full LUCK, so only one of the values of LUCK is
//! kept.

use rustc_hash::FxHashMap;

use crate::lint::graph::components_backwards;
use crate::place::STATS;
use crate::solver::diagrams::gates::{Known, YES};
use crate::solver::induction::Induction;
use crate::solver::reach::Explored;
use crate::solver::reach::extent::Extent;
use crate::solver::tables::{Leaf, Tables, ZERO};

/// Sorts regions so that those with the same caps are solved together, if nothing leads back to
/// earlier caps.
pub(crate) fn by_caps(order: &mut [Vec<usize>], explored: &Explored, next: &[Vec<usize>]) {
    let mut groups: FxHashMap<[i16; STATS], usize> = FxHashMap::default();
    let mut group = Vec::with_capacity(next.len());
    for region in explored.regions.keys() {
        let new = groups.len();
        group.push(*groups.entry(region.kept).or_insert(new));
    }
    if groups.len() < 2 {
        return;
    }
    let mut leads: Vec<Vec<usize>> = vec![Vec::new(); groups.len()];
    for (from, next) in group.iter().zip(next) {
        let others = next.iter().map(|to| group[*to]).filter(|to| to != from);
        leads[*from].extend(others);
    }
    for groups in &mut leads {
        groups.sort_unstable();
        groups.dedup();
    }
    let backwards = components_backwards(&leads);
    if backwards.len() < groups.len() {
        return;
    }
    let mut ranks = vec![0; groups.len()];
    for (rank, alone) in backwards.iter().flatten().enumerate() {
        ranks[*alone] = rank;
    }
    // The regions of a ring have the same caps.
    order.sort_by_key(|ring| ring.first().map(|region| ranks[group[*region]]));
}

impl Induction<'_> {
    /// Cuts the values of regions to what regions with other caps read, if no others will read them
    /// any more.
    pub(super) fn narrow(&mut self, alive: &[bool]) {
        // Decisions are looked up where they were made, and bounds are rounded by what is kept.
        let kept = self.keep || self.picks.is_some() || self.bound.is_some();
        if kept || self.diagrams.tables.full {
            return;
        }
        for (number, (known, extent)) in self.outside_alone(alive) {
            let all = self.explored.regions[number].extent;
            let before = self.worth[number].exact;
            let mut exact = self.diagrams.fit(before, known.care);
            for (stat, (from, into)) in extent.into_iter().zip(all).enumerate() {
                exact = self.shifted(exact, stat, from, into, &mut |value| Some(value));
            }
            let exact = self
                .diagrams
                .apply(&[exact], &mut |tables, leaves| tables.alone(leaves[0]));
            // Without room for both, the whole value is kept. Everything made from it is discarded.
            if std::mem::replace(&mut self.diagrams.tables.full, false) {
                return;
            }
            let found = &mut self.explored.regions[number];
            (found.known, found.extent) = (known, extent);
            self.worth[number].exact = exact;
        }
    }

    /// The regions that only regions with other caps will read, with what these read, if that is
    /// not everything.
    fn outside_alone(&self, alive: &[bool]) -> Vec<(usize, (Known, Extent))> {
        let regions = &self.explored.regions;
        let mut inside = vec![false; alive.len()];
        for number in self.order[self.done..].iter().flatten().chain(&self.starts) {
            inside[*number] = true;
        }
        // Deferred regions are walked through again.
        for (number, worth) in self.worth.iter().enumerate() {
            inside[number] |= alive[number] && worth.put_off;
        }
        let walked: Vec<usize> = numbers(&inside).collect();
        for number in walked {
            let Some((region, found)) = regions.get_index(number) else {
                continue;
            };
            for to in &found.next {
                let same = regions
                    .get_index(*to as usize)
                    .is_some_and(|(to, _)| to.kept == region.kept);
                inside[*to as usize] |= same;
            }
        }
        let looked_at = |number: usize| {
            let found = &regions[number];
            let part = found.outside != Some((found.known, found.extent));
            let alone = !inside[number] && self.worth[number].settled == YES;
            let outside = found.outside.filter(|_| part && alone);
            outside.map(|outside| (number, outside))
        };
        numbers(alive).filter_map(looked_at).collect()
    }
}

/// The indices of those that are true.
fn numbers(all: &[bool]) -> impl Iterator<Item = usize> + use<'_> {
    all.iter().enumerate().filter(|one| *one.1).map(|one| one.0)
}

impl Tables {
    /// A leaf with the same values whose table holds nothing else.
    fn alone(&mut self, leaf: Leaf) -> Leaf {
        let Some(table) = self.tables.get(self.table_of(leaf) as usize) else {
            return leaf;
        };
        let shape = self.shape(&[leaf]);
        if shape.volume() >= table.size().volume() {
            return leaf;
        }
        if !self.room(16 * shape.volume()) {
            return ZERO;
        }
        let mut spare = std::mem::take(&mut self.spare);
        self.read(leaf, &shape, &mut spare.values);
        let alone = self.leaf(&shape, &mut spare.values);
        self.spare = spare;
        alone
    }
}
