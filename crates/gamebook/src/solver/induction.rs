//! Backward induction over the explored regions: computes the value of each.

pub(crate) mod aim;
pub(crate) mod blurred;
pub(crate) mod climb;
pub(crate) mod closer;
pub(crate) mod collect;
pub(crate) mod deferred;
pub(crate) mod directed;
pub(crate) mod enclose;
pub(crate) mod kept;
pub(crate) mod narrowed;
pub(crate) mod onwards;
pub(crate) mod reading;
pub(crate) mod ring;
pub(crate) mod segments;
pub(crate) mod sheets;
pub(crate) mod singly;
pub(crate) mod slices;
pub(crate) mod small_game;
pub(crate) mod streets;
pub(crate) mod telling;

use rustc_hash::FxHashMap;

use crate::lint::graph::components_backwards;
use crate::place::STATS;
use crate::solver::decisions::Picks;
use crate::solver::diagrams::closed::Closed;
use crate::solver::diagrams::gates::{Gate, Known, NO, YES};
use crate::solver::diagrams::{Diagram, Diagrams, LOST};
use crate::solver::induction::aim::{Aim, Given, Hope, Side};
use crate::solver::induction::collect::LookedThrough;
use crate::solver::induction::directed::Towards;
use crate::solver::induction::enclose::Turned;
use crate::solver::induction::segments::Segments;
use crate::solver::induction::telling::Telling;
use crate::solver::limits::{Halt, Limits};
use crate::solver::reach::{Explored, Found};
use crate::solver::tables::course::{Against, Course};
use crate::solver::tables::{LIFE, PURSE};
use crate::solver::walk::Walk;
use crate::solver::walk::interpreter::{At, Region};

/// What is known of the value of a region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worth {
    pub(crate) exact: Diagram,
    /// The sheets for which `exact` holds.
    pub(crate) settled: Gate,
    /// The other sheets are deferred: only `least` and `most` are known for them.
    pub(crate) put_off: bool,
    pub(crate) least: Diagram,
    pub(crate) most: Diagram,
}

impl Worth {
    /// The initial state.
    const NOTHING: Worth = Worth {
        exact: LOST,
        settled: YES,
        put_off: false,
        least: LOST,
        most: LOST,
    };

    /// Forgets exact values of a deferred region.
    pub(crate) fn forget(&mut self) {
        self.exact = LOST;
        self.settled = NO;
    }
}

/// The values of all regions.
pub(crate) struct Induction<'w> {
    pub(crate) walk: Walk<'w>,
    pub(crate) explored: Explored,
    pub(crate) diagrams: Diagrams,
    /// By region.
    pub(crate) worth: Vec<Worth>,
    pub(crate) side: Side,
    /// The direction of the bound, if one is computed in place of values.
    pub(crate) bound: Option<Towards>,
    /// For a bound: see [`Grain::closely`](crate::solver::tables::coarse::Grain::closely).
    closely: bool,
    /// Bits that are blurred everywhere.
    pub(crate) blurred: u128,
    /// Bits that are blurred after a random loss.
    pub(crate) vague: u128,
    /// Bits for which the cost of losing them is computed in a closer look.
    pub(crate) told: u128,
    /// Learns which blurred bits matter, if a closer look may need to know.
    pub(crate) telling: Option<Box<Telling>>,
    pub(crate) closed: Closed,
    /// The value of the current choice without refreshments, if known.
    pub(crate) undrunk: Option<Diagram>,
    /// The choices met by the last walk: lower bounds on the values of their options.
    pub(crate) met: Vec<Vec<(usize, Diagram)>>,
    /// How many of these the current walk has met again.
    pub(crate) again: usize,
    /// By stat, its lane.
    pub(crate) lane: [Option<usize>; STATS],
    /// The courses of fights, with a number each.
    pub(crate) courses: FxHashMap<Against, (u32, Course)>,
    /// The memory of all courses, in bytes.
    pub(crate) fights: usize,
    pub(crate) limits: Limits,
    /// The decisions, if they are recorded.
    pub(crate) picks: Option<Picks>,
    /// By region, whether refreshments that lead to it are treated like any other link.
    pub(crate) open: Vec<bool>,
    /// The strongly connected components in the order of solving: backwards through the book.
    order: Vec<Vec<usize>>,
    /// How many of these are solved.
    done: usize,
    /// By region, whether at most one other region leads to it.
    one_way_in: Vec<bool>,
    /// By region, its position in `order`.
    pub(crate) place: Vec<usize>,
    /// The regions of the starts.
    pub(crate) starts: Vec<usize>,
    /// The peak memory before a collection, in bytes.
    pub(crate) peak: usize,
    pub(crate) looked_through: LookedThrough,
    /// How many nodes and tables have been freed.
    pub(crate) gone: (usize, usize),
    /// Whether the values of all regions are needed in the end, not just those of the starts.
    keep: bool,
    segments: Segments,
    /// Whether every ring that only converges in the limit was enclosed.
    pub(crate) proven: bool,
    /// A bound on the rounding error: the sum over all mixtures ever computed. Every value is a
    /// mixture of mixtures, each of which is off by at most its own rounding plus the error of its
    /// parts, and no path meets one of them twice. The exceptions are rings, whose error comes from
    /// [`enclose`](Induction::enclose).
    pub(crate) rounding: f64,
    /// On the way onwards, how much less than the values the decisions may be worth.
    pub(crate) shortfall: f64,
    /// Whether this bound holds relative to each value, too: mixtures round in proportion to their
    /// value, but the error of a ring does not shrink with it.
    pub(crate) relative: bool,
}

/// By stat, its lane, if it is one.
fn lane_of(walk: &Walk<'_>, aim: Aim) -> [Option<usize>; STATS] {
    let compiled = &walk.game.compiled;
    let mut lane = [None; STATS];
    let life = usize::from(compiled.life);
    lane[life] = Some(LIFE);
    // Fights change life, and LUCK if it is spent in them, so these are the outermost lanes after
    // money.
    let luck = compiled.luck.map(usize::from);
    let luck = luck.filter(|stat| walk.lanes[*stat] && *stat != life);
    let others = (0..STATS).filter(|stat| walk.lanes[*stat]);
    let others = others.filter(|stat| *stat != life && Some(*stat) != luck);
    for (number, stat) in luck.into_iter().chain(others).enumerate() {
        lane[stat] = Some(LIFE + 1 + number);
    }
    // Money may already be another lane, if life or LUCK is used to pay. Where LUCK is spent in
    // battle, tables are large even without money, and are shared by more sums of it.
    if aim.bound.is_none()
        && compiled.battle_luck.is_none()
        && let Some(money) = compiled.money.map(usize::from)
        && lane[money].is_none()
    {
        lane[money] = Some(PURSE);
    }
    lane
}

/// The size of a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) regions: usize,
    pub(crate) nodes: usize,
    pub(crate) tables: usize,
    pub(crate) bytes: usize,
}

impl<'w> Induction<'w> {
    /// Solves the regions for all sheets that come from some starts. In the regions of the starts,
    /// for the sheets that start there, too.
    pub(crate) fn new(
        walk: Walk<'w>,
        mut explored: Explored,
        starts: &[(Region, Known)],
        given: &[Given<'_>],
        aim: Aim,
        mut limits: Limits,
    ) -> Result<Self, Halt> {
        let count = explored.regions.len();
        let next: Vec<Vec<usize>> = (0..count)
            .map(|number| explored.leads(number).collect())
            .collect();
        let mut order = components_backwards(&next);
        if !aim.decide && !aim.keep && aim.bound.is_none() {
            narrowed::by_caps(&mut order, &explored, &next);
        }
        let gates = std::mem::take(&mut explored.gates);
        limits.bytes = limits.bytes.saturating_sub(explored.bytes());
        let mut diagrams = Diagrams::new(limits.bytes);
        if let Some(grain) = aim.bound {
            diagrams.tables.coarsen(grain, longest_row(&order, &next));
        }
        diagrams.gates = gates;
        walk.chunks.lend(&mut diagrams.tables.values);
        let lane = lane_of(&walk, aim);
        for (never_worse, lane) in walk.never_worse.iter().zip(lane) {
            if let Some(lane) = lane {
                diagrams.tables.rises[lane] = *never_worse;
            }
        }
        let vague = match aim.hope {
            Hope::No => 0,
            Hope::Sharp(told) => !blurred::clear(&walk) & !told,
            Hope::Blurred => !blurred::clear(&walk),
        };
        let mut induction = Induction {
            walk,
            explored,
            diagrams,
            worth: vec![Worth::NOTHING; count],
            side: Side::Exact,
            bound: aim.bound.map(|grain| grain.towards),
            closely: aim.bound.is_some_and(|grain| grain.closely),
            blurred: if aim.hope == Hope::Blurred { vague } else { 0 },
            vague,
            told: 0,
            telling: (aim.hope == Hope::Sharp(0)).then(Box::default),
            closed: Closed::default(),
            undrunk: None,
            met: Vec::new(),
            again: 0,
            lane,
            courses: FxHashMap::default(),
            fights: 0,
            limits,
            picks: aim.at_once().then(|| Picks::new(count, limits.bytes)),
            open: vec![false; count],
            one_way_in: one_way_in(&next),
            order,
            done: 0,
            place: vec![0; count],
            starts: Vec::new(),
            peak: 0,
            looked_through: LookedThrough::default(),
            gone: (0, 0),
            keep: aim.keep,
            segments: Segments::default(),
            proven: true,
            rounding: 0.0,
            shortfall: 0.0,
            relative: true,
        };
        let regions = &induction.explored.regions;
        let numbers = starts
            .iter()
            .filter_map(|start| regions.get_index_of(&start.0));
        induction.starts = numbers.collect();
        induction.segments = Segments::new(induction.order.len(), aim.keep && aim.decide);
        for (place, number) in induction.order.iter().flatten().enumerate() {
            induction.place[*number] = place;
        }
        let done = induction.through(starts, given, aim);
        let values = &mut induction.diagrams.tables.values;
        match done {
            Ok(()) => walk.chunks.take_back(values),
            Err(_) => walk.chunks.take_all(values),
        }
        done.map(|()| induction)
    }

    /// Solves all rings and regions in order.
    fn through(
        &mut self,
        starts: &[(Region, Known)],
        given: &[Given<'_>],
        aim: Aim,
    ) -> Result<(), Halt> {
        let given = self.take(given)?;
        self.solve_up_to(self.order.len(), &given, aim)?;
        self.settle(&self.numbered(starts))
    }

    /// The same sheets, by the numbers of their regions.
    fn numbered(&self, sheets: &[(Region, Known)]) -> Vec<(usize, Known)> {
        let number = |region: &Region| self.explored.regions.get_index_of(region);
        let sheets = sheets.iter();
        let sheets = sheets.filter_map(|(region, known)| Some((number(region)?, *known)));
        sheets.collect()
    }

    /// Solves rings and regions up to this position in the order.
    fn solve_up_to(&mut self, end: usize, given: &[bool], aim: Aim) -> Result<(), Halt> {
        let mut solved = self.order[..self.done].iter().map(Vec::len).sum();
        while self.done < end {
            let ring = self.order[self.done].clone();
            self.walk.effort.count(self.worth.len(), solved);
            if ring.iter().all(|number| given[*number]) {
                self.done += 1;
            } else {
                self.solve(&ring, aim)?;
            }
            solved += ring.len();
        }
        self.diagrams.turning(false);
        Ok(())
    }

    /// Solves the next ring, or single region.
    fn solve(&mut self, ring: &[usize], aim: Aim) -> Result<(), Halt> {
        self.diagrams.turning(false);
        let (before, telling) = (self.rounding, self.telling.clone());
        let mut turned = self.worked_out(ring, aim);
        if matches!(turned, Err(Halt::Bytes)) && self.picks.is_none() {
            // There may be enough room after freeing what nothing leads to any more.
            self.rounding = before;
            self.telling = telling;
            ring.iter()
                .for_each(|number| self.worth[*number] = Worth::NOTHING);
            self.cut();
            self.start_over();
            turned = self.worked_out(ring, aim);
        }
        if let Some(turned) = turned? {
            if self.diagrams.bytes() > self.limits.bytes / 2 {
                self.collect();
            }
            self.enclose(ring, turned)?;
        }
        self.done += 1;
        self.collect();
        Ok(())
    }

    /// Computes a ring, or a single region.
    fn worked_out(&mut self, ring: &[usize], aim: Aim) -> Result<Option<Turned>, Halt> {
        match aim.put_off && self.in_doubt(ring) {
            true => self.bound(ring),
            false => self.ring(ring),
        }
    }

    /// Takes over the values that are known from elsewhere. Returns which regions these are.
    fn take(&mut self, given: &[Given<'_>]) -> Result<Vec<bool>, Halt> {
        let mut taken = vec![false; self.worth.len()];
        for given in given {
            let Some(number) = self.explored.regions.get_index_of(&given.region) else {
                continue;
            };
            taken[number] = true;
            if let Some((from, worth)) = given.worth {
                let mut memo = FxHashMap::default();
                let mut exact = self.diagrams.copied(from, worth, &mut memo);
                // It may be known for a larger box than the one here.
                let here = self.explored.regions[number].extent;
                let mut spans = given.extent.iter().zip(here);
                if !spans.all(|(all, here)| all.contains(here)) {
                    return Err(Halt::Unexplored);
                }
                for (stat, (here, all)) in here.into_iter().zip(given.extent).enumerate() {
                    exact = self.shifted(exact, stat, here, all, &mut |value| Some(value));
                }
                self.worth[number].exact = exact;
                self.within()?;
            }
        }
        Ok(taken)
    }

    /// The value of a region for some of its sheets; arbitrary for others.
    pub(crate) fn region_worth(&mut self, number: usize, known: Known) -> Result<Diagram, Halt> {
        let Some((region, found)) = self.explored.regions.get_index(number) else {
            return Err(Halt::Unexplored);
        };
        let (region, extent) = (*region, found.extent);
        let walk = self.walk;
        self.walked(number);
        let worth = walk.scene(&region, known, extent, self);
        let mut worth = self.unless_full(worth)?;
        if self.diagrams.unclosed() {
            // Then this region is solved as a ring of its own.
            self.open[number] = true;
            self.diagrams.turning(true);
            self.walked(number);
            let closed = walk.scene(&region, known, extent, self);
            worth = self.unless_full(closed)?;
        }
        let worth = self.diagrams.fit(worth, known.care);
        let worth = self.diagrams.blurred(worth, self.blurred);
        self.picked()?;
        self.within()?;
        Ok(worth)
    }

    /// Begins a walk.
    fn walked(&mut self, number: usize) {
        let others = self.taken().saturating_sub(self.diagrams.gates.bytes());
        let left = self.limits.bytes.saturating_sub(others);
        self.diagrams.gates.limit(left);
        self.again = 0;
        if let Some(picks) = &mut self.picks {
            picks.begin(number);
        }
        if self.side == Side::Least {
            self.met.clear();
        }
    }

    /// The result of a walk, unless there was no room left for conditions. They then get arbitrary
    /// answers, and a walk may take any number of steps.
    pub(crate) fn unless_full<T>(&self, walked: Result<T, Halt>) -> Result<T, Halt> {
        match self.diagrams.gates.is_full() {
            true => Err(Halt::Bytes),
            false => walked,
        }
    }

    /// Fails if memory is exhausted, even after folding.
    pub(crate) fn within(&mut self) -> Result<(), Halt> {
        if self.taken() > self.limits.bytes {
            self.diagrams.tables.fold_some();
        }
        let full = self.diagrams.tables.full || self.diagrams.gates.is_full();
        match full || self.taken() > self.limits.bytes {
            true => Err(Halt::Bytes),
            false => Ok(()),
        }
    }

    /// The memory in use, in bytes.
    pub(crate) fn taken(&self) -> usize {
        self.diagrams.bytes() + self.beside()
    }

    /// The memory of fights and decisions, in bytes.
    fn beside(&self) -> usize {
        self.fights + self.picks.as_ref().map_or(0, Picks::bytes)
    }

    pub(crate) fn proven(&self) -> bool {
        self.proven
    }

    pub(crate) fn size(&self) -> Size {
        Size {
            regions: self.worth.len(),
            nodes: self.gone.0 + self.diagrams.len(),
            tables: self.gone.1 + self.diagrams.tables.len(),
            bytes: self.peak.max(self.taken()),
        }
    }

    /// Whether a sheet can occur in a region.
    fn comes(&self, found: &Found, at: &At) -> bool {
        let mut spans = at.extent.iter().zip(&found.extent);
        spans.all(|(at, found)| found.contains(*at))
            && self.diagrams.gates.opens(found.known.care, at.known.must)
    }

    /// The value of a sheet in a region, and its error; `None` for sheets that cannot occur there.
    pub(crate) fn value(&self, region: &Region, at: &At) -> Option<(f64, f64)> {
        let (number, _, found) = self.explored.regions.get_full(region)?;
        let bits = at.known.must;
        let worth = self.worth[number];
        let settled = self.diagrams.gates.opens(worth.settled, bits);
        if !settled || !self.comes(found, at) {
            return None;
        }
        let place = |stat: usize| found.extent[stat].place(at.extent[stat].lo);
        let value = (self.diagrams).value_at(worth.exact, &self.lane, bits, place);
        // A sum of rounded parts may exceed 1, which no chance does.
        let value = value.min(1.0);
        // Bounds are rounded in their own direction.
        let error = match self.bound {
            Some(_) => 0.0,
            None => kept::error(self.rounding),
        };
        Some((value, error))
    }
}

/// By region, whether at most one other region leads to it. `next` is where each region leads.
fn one_way_in(next: &[Vec<usize>]) -> Vec<bool> {
    let mut leading = vec![0; next.len()];
    for (number, to) in next.iter().enumerate() {
        let others = to.iter().filter(|to| **to != number);
        others.for_each(|to| leading[*to] += 1);
    }
    leading.into_iter().map(|count| count < 2).collect()
}

/// The length of the longest path of regions, where a ring counts with all its regions.
fn longest_row(order: &[Vec<usize>], next: &[Vec<usize>]) -> usize {
    let mut rows = vec![0; next.len()];
    for ring in order {
        // The regions of this ring still have 0.
        let behind = ring.iter().flat_map(|region| &next[*region]);
        let longest = behind.map(|to| rows[*to]).max().unwrap_or(0);
        for region in ring {
            rows[*region] = longest + ring.len();
        }
    }
    rows.into_iter().max().unwrap_or(0)
}
