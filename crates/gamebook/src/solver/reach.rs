//! Forward exploration: the reachable regions, each with the smallest box around the sheets that
//! can occur there.

pub(crate) mod extent;
pub(crate) mod fork;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::compiled::{Compiled, Scene};
use crate::lint::graph::{components_backwards, reverse_postorder};
use crate::place::STATS;
use crate::solver::diagrams::gates::{Gate, Gates, Known};
use crate::solver::limits::{Halt, Limits};
use crate::solver::reach::extent::{Extent, Span, hull};
use crate::solver::walk::Walk;
use crate::solver::walk::interpreter::{At, Region};
use crate::solver::walk::visit::{Visit, Visitor};

/// A region and its successors.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) known: Known,
    pub(crate) extent: Extent,
    /// The part of it that comes from regions with other caps, or from a start.
    pub(crate) outside: Option<(Known, Extent)>,
    /// The numbers of its successors, in ascending order.
    pub(crate) next: Vec<u32>,
    queued: bool,
}

impl Found {
    /// The conditions in what is known of it.
    pub(crate) fn cares(&mut self) -> impl Iterator<Item = &mut Gate> {
        let outside = self.outside.as_mut().map(|(known, _)| &mut known.care);
        std::iter::once(&mut self.known.care).chain(outside)
    }
}

/// All regions that have been found.
#[derive(Debug, Default)]
pub(crate) struct Explored {
    pub(crate) regions: IndexMap<Region, Found, FxBuildHasher>,
    order: Vec<u32>,
    queue: BinaryHeap<(Reverse<u32>, Reverse<u32>)>,
    next: Vec<u32>,
    /// The raised caps of the region that is being followed.
    from: Option<[i16; STATS]>,
    /// The total number of successors.
    ways: usize,
    pub(crate) gates: Gates,
    most: usize,
    values: usize,
}

impl Explored {
    /// Explores everything that can be reached from some regions. `gates` are lent, so that
    /// explorations of the same book share their memos.
    pub(crate) fn new(
        walk: &Walk<'_>,
        starts: &[(Region, At)],
        limits: Limits,
        gates: &mut Gates,
    ) -> Result<Self, Halt> {
        let first = starts.first().map_or(0, |start| start.0.scene);
        let mut explored = Explored {
            order: ranks(&walk.game.compiled, first),
            most: limits.regions,
            values: limits.values,
            gates: std::mem::take(gates),
            ..Explored::default()
        };
        explored.gates.limit(limits.bytes);
        let all = explored.follow(walk, starts, limits);
        *gates = std::mem::take(&mut explored.gates);
        all.map(|()| explored)
    }

    fn follow(
        &mut self,
        walk: &Walk<'_>,
        starts: &[(Region, At)],
        limits: Limits,
    ) -> Result<(), Halt> {
        for (start, at) in starts {
            self.start(*start, at)?;
        }
        self.next.clear();
        while let Some((_, Reverse(number))) = self.queue.pop() {
            let Some((region, found)) = self.regions.get_index_mut(number as usize) else {
                break;
            };
            found.queued = false;
            let (region, known, extent) = (*region, found.known, found.extent);
            self.from = Some(region.kept);
            walk.effort.count(self.regions.len(), 0);
            let walked = walk.scene(&region, known, extent, &mut Visitor(self));
            if self.gates.is_full() {
                // Conditions had arbitrary answers.
                return Err(Halt::Bytes);
            }
            walked?;
            let mut next = std::mem::take(&mut self.next);
            next.sort_unstable();
            next.dedup();
            next.shrink_to_fit();
            let old = &mut self.regions[number as usize].next;
            self.ways += next.len();
            self.ways -= old.len();
            *old = next;
            if self.bytes() > limits.bytes {
                return Err(Halt::Bytes);
            }
        }
        Ok(())
    }
}

impl Explored {
    /// Where a region leads, by number.
    pub(crate) fn leads(&self, number: usize) -> impl Iterator<Item = usize> + use<'_> {
        let next = self.regions[number].next.iter();
        next.map(|to| *to as usize)
    }

    /// A part of the regions, with their successors, from which nothing leads on.
    pub(crate) fn part(&self, inside: impl Fn(&Region) -> bool) -> Explored {
        let kept = |number: usize| {
            self.regions
                .get_index(number)
                .is_some_and(|at| inside(at.0))
        };
        let mut wanted = self.entered(&inside);
        for (wanted, region) in wanted.iter_mut().zip(self.regions.keys()) {
            *wanted |= inside(region);
        }
        let mut numbers = vec![0; wanted.len()];
        let all = wanted.iter().enumerate().filter(|(_, wanted)| **wanted);
        for (number, (old, _)) in all.enumerate() {
            numbers[old] = number as u32;
        }
        let regions = self
            .regions
            .iter()
            .enumerate()
            .filter(|(number, _)| wanted[*number]);
        let regions = regions.map(|(number, (region, found))| {
            let next = found.next.iter().map(|to| numbers[*to as usize]);
            let next = if kept(number) {
                next.collect()
            } else {
                Vec::new()
            };
            (
                *region,
                Found {
                    next,
                    ..found.clone()
                },
            )
        });
        let mut part = Explored {
            regions: regions.collect(),
            gates: Gates::new(),
            ..Explored::default()
        };
        let regions = part.regions.values_mut();
        part.gates.copy(&self.gates, regions.flat_map(Found::cares));
        part
    }

    /// By region, whether some regions lead to it.
    pub(crate) fn entered(&self, from: impl Fn(&Region) -> bool) -> Vec<bool> {
        let mut entered = vec![false; self.regions.len()];
        for (_, found) in self.regions.iter().filter(|(region, _)| from(region)) {
            for to in &found.next {
                entered[*to as usize] = true;
            }
        }
        entered
    }

    /// Takes over, from the gates that were lent, those that tell what is known of the regions.
    pub(crate) fn take(&mut self, mut gates: Gates) {
        gates.keep(self.regions.values_mut().flat_map(Found::cares));
        self.gates = gates;
    }

    /// The number of a region.
    pub(crate) fn number(&self, region: &Region) -> Result<usize, Halt> {
        self.regions.get_index_of(region).ok_or(Halt::Unexplored)
    }

    /// The approximate memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let region = size_of::<(Region, Found)>() + 16;
        self.gates.bytes() + region * self.regions.len() + 4 * self.ways
    }

    /// Adds a start, whose bits are all known.
    fn start(&mut self, region: Region, at: &At) -> Result<(), Halt> {
        let known = self.gates.exactly(at.known.must);
        self.come(region, &At { known, ..*at })
    }
}

impl Visit for Explored {
    fn gates(&mut self) -> &mut Gates {
        &mut self.gates
    }

    fn come(&mut self, region: Region, at: &At) -> Result<(), Halt> {
        let entry = self.regions.entry(region);
        let number = entry.index() as u32;
        let mut new = false;
        let found = entry.or_insert_with(|| {
            new = true;
            Found {
                known: at.known,
                extent: at.extent,
                outside: None,
                next: Vec::new(),
                queued: false,
            }
        });
        if self.from != Some(region.kept) {
            let (known, extent) = found.outside.get_or_insert((at.known, at.extent));
            *known = self.gates.join(*known, at.known);
            *extent = hull(*extent, at.extent);
        }
        let known = self.gates.join(found.known, at.known);
        new |= known != found.known;
        found.known = known;
        let extent = hull(found.extent, at.extent);
        new |= extent != found.extent;
        found.extent = extent;
        let wide = |span: &Span| span.len() > self.values;
        if let Some(stat) = found.extent.iter().position(wide) {
            return Err(Halt::Values {
                stat,
                scene: region.scene,
                limit: self.values,
            });
        }
        if new && !found.queued {
            found.queued = true;
            let rank = self.order[region.scene as usize];
            self.queue.push((Reverse(rank), Reverse(number)));
        }
        self.next.push(number);
        if self.regions.len() > self.most {
            return Err(Halt::Regions);
        }
        Ok(())
    }
}

/// By scene, its position in a topological order, except for cycles.
fn ranks(book: &Compiled, start: u32) -> Vec<u32> {
    let next = |scene: usize| book.scenes[scene].targets();
    let order = reverse_postorder(book.scenes.len(), start as usize, next);
    let mut ranks = vec![0; book.scenes.len()];
    for (rank, scene) in order.into_iter().enumerate() {
        ranks[scene] = rank as u32;
    }
    ranks
}

/// The strongly connected components of scenes, in reverse topological order.
pub(crate) fn rings_backwards(book: &Compiled) -> Vec<Vec<usize>> {
    let next: Vec<Vec<usize>> = book.scenes.iter().map(Scene::targets).collect();
    components_backwards(&next)
}

/// The first scene of the cycle through a scene; `None` if it is not on a cycle. Trading leads back
/// to the shop.
pub(crate) fn circle(book: &Compiled, scene: u32) -> Option<u32> {
    let ring = ring(book, scene);
    let here = &book.scenes[scene as usize];
    let back = matches!(here, Scene::Shop { .. }) || here.targets().contains(&(scene as usize));
    let first = ring.iter().min().copied();
    first.filter(|_| back || ring.len() > 1)
}

/// The strongly connected component of a scene.
pub(crate) fn ring(book: &Compiled, scene: u32) -> Vec<u32> {
    let mut rings = rings_backwards(book).into_iter();
    let ring = rings.find(|ring| ring.contains(&(scene as usize)));
    let ring = ring.unwrap_or_default().into_iter();
    ring.map(|scene| scene as u32).collect()
}
