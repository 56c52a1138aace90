//! Backwards through what has been explored: what every region is worth.

use rustc_hash::FxHashMap;

use super::course::Course;
use super::diagram::{Diagram, Diagrams, LOST, WON};
use super::explore::Explored;
use super::extent::Span;
use super::gates::{Gate, Gates, Known};
use super::harvest::{At, Fought, Harvest, Region};
use super::limits::{Halt, Limits};
use super::table::{LANES, ROUNDING};
use super::walk::Walk;
use crate::compiled::{Op, Scene};
use crate::lint::graph::components_backwards;
use crate::place::STATS;

/// The worth of all regions.
pub(crate) struct Reaped<'w> {
    walk: Walk<'w>,
    explored: Explored,
    diagrams: Diagrams,
    /// By region.
    worth: Vec<Diagram>,
    /// By stat, its lane.
    lane: [Option<usize>; STATS],
    /// By fight, foe and attack, with a number each.
    courses: FxHashMap<(u32, u16, i32), (u32, Course)>,
    /// The bytes of all courses.
    fights: usize,
    limits: Limits,
    /// By region: whether refreshments lead to it as to any other.
    open: Vec<bool>,
    /// No ring has a chance in it, so that nothing is approached without being reached.
    proven: bool,
    /// Of all that was ever mixed: every value is a mixture of mixtures, each of which is
    /// off by its own rounding and no more than its parts, and no road through regions
    /// that lead to no ring meets one of them twice.
    rounding: f64,
}

/// A fight may have so many rounds that differ.
const ROWS: usize = 2_000_000;

/// The size of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) regions: usize,
    pub(crate) nodes: usize,
    pub(crate) tables: usize,
    pub(crate) bytes: usize,
}

impl<'w> Reaped<'w> {
    pub(crate) fn new(
        walk: Walk<'w>,
        mut explored: Explored,
        limits: Limits,
    ) -> Result<Self, Halt> {
        let mut lane = [None; STATS];
        let life = usize::from(walk.game.compiled.life);
        lane[life] = Some(0);
        let others = (0..STATS).filter(|stat| walk.lanes[*stat] && *stat != life);
        for (number, stat) in others.enumerate() {
            lane[stat] = Some(number + 1);
        }
        let count = explored.regions.len();
        let regions = explored.regions.values();
        let next: Vec<Vec<usize>> = regions
            .map(|found| found.next.iter().map(|to| *to as usize).collect())
            .collect();
        let order = components_backwards(&next);
        let mut diagrams = Diagrams::new(limits.bytes);
        diagrams.gates = std::mem::take(&mut explored.gates);
        let mut reaped = Reaped {
            walk,
            explored,
            diagrams,
            worth: vec![LOST; count],
            lane,
            courses: FxHashMap::default(),
            fights: 0,
            limits,
            open: vec![false; count],
            proven: true,
            rounding: 0.0,
        };
        for ring in order {
            reaped.ring(&ring)?;
        }
        Ok(reaped)
    }

    /// Solves regions that lead to each other: from nothing upwards, until nothing changes.
    fn ring(&mut self, ring: &[usize]) -> Result<(), Halt> {
        let turns = match *ring {
            [region] => self.explored.regions[region]
                .next
                .contains(&(region as u32)),
            _ => true,
        };
        if turns {
            self.proven &= ring.iter().all(|region| !self.has_chance(*region));
        }
        for _ in 0..self.limits.sweeps {
            let mut changed = false;
            for &number in ring {
                let worth = self.region_worth(number)?;
                changed |= std::mem::replace(&mut self.worth[number], worth) != worth;
            }
            if !changed || !turns {
                return Ok(());
            }
        }
        Err(Halt::Sweeps)
    }

    /// Whether dice fall in a region.
    fn has_chance(&self, region: usize) -> bool {
        let book = &self.walk.game.compiled;
        let Some((region, _)) = self.explored.regions.get_index(region) else {
            return true;
        };
        let chance = |list: u32| book.effects[list as usize].iter().any(|op| !is_plain(op));
        match &book.scenes[region.scene as usize] {
            Scene::Turn(way) => chance(way.effects),
            Scene::Shop { leave, .. } => chance(leave.effects),
            Scene::Choice(options) => {
                let refresh = book.refreshments.iter().any(|one| chance(one.effects));
                refresh || options.iter().any(|option| chance(option.way.effects))
            }
            Scene::First(options) => options.iter().any(|option| chance(option.way.effects)),
            Scene::Ending(_) | Scene::Dead => false,
            Scene::Test { .. } | Scene::Random(_) | Scene::Game { .. } | Scene::Fight { .. } => {
                true
            }
        }
    }

    fn region_worth(&mut self, number: usize) -> Result<Diagram, Halt> {
        let Some((region, found)) = self.explored.regions.get_index(number) else {
            return Err(Halt::Range);
        };
        let (region, known, extent) = (*region, found.known, found.extent);
        let walk = self.walk;
        let mut worth = walk.scene(&region, known, extent, self)?;
        if self.diagrams.unclosed() {
            // Then this region is solved as a ring of its own.
            self.open[number] = true;
            worth = walk.scene(&region, known, extent, self)?;
        }
        let held = self.diagrams.hold(worth, known.must, true);
        let worth = self.diagrams.hold(held, !known.may, false);
        self.within()?;
        Ok(worth)
    }

    /// Whether there is memory left.
    fn within(&self) -> Result<(), Halt> {
        let bytes = self.diagrams.bytes() + self.fights;
        match self.diagrams.tables.full || bytes > self.limits.bytes {
            true => Err(Halt::Bytes),
            false => Ok(()),
        }
    }

    pub(crate) fn proven(&self) -> bool {
        self.proven
    }

    pub(crate) fn size(&self) -> Size {
        Size {
            regions: self.worth.len(),
            nodes: self.diagrams.len(),
            tables: self.diagrams.tables.len(),
            bytes: self.diagrams.bytes(),
        }
    }

    /// What a sheet is worth in a region, and how far that may be off; `None` for sheets
    /// that do not come here.
    pub(crate) fn value(&self, region: &Region, at: &At) -> Option<(f64, f64)> {
        let (number, _, found) = self.explored.regions.get_full(region)?;
        let inside = at
            .extent
            .iter()
            .zip(&found.extent)
            .all(|(at, found)| found.contains(*at));
        let bits = at.known.must;
        if !inside || !self.diagrams.gates.opens(found.known.care, bits) {
            return None;
        }
        let place = |stat: usize| (at.extent[stat].lo - found.extent[stat].lo) as usize;
        let mut lanes = [0; LANES];
        for stat in 0..STATS {
            if let Some(lane) = self.lane[stat] {
                lanes[lane] = place(stat);
            }
        }
        let take = |level: u8| match level < 128 {
            true => (bits >> level & 1) as usize,
            false => place(usize::from(level) - 128),
        };
        let value = self.diagrams.value(self.worth[number], take, lanes);
        Some((value, self.rounding))
    }

    /// The worth of a region for a box within that of the region.
    fn seen(&mut self, mut worth: Diagram, at: &At, number: usize) -> Result<Diagram, Halt> {
        let found = self.explored.regions[number].extent;
        for (stat, (from, into)) in at.extent.into_iter().zip(found).enumerate() {
            if from != into {
                if !into.contains(from) {
                    return Err(Halt::Range);
                }
                worth = self.shifted(worth, stat, from, into, &mut |value| Some(value));
            }
        }
        Ok(worth)
    }

    fn shifted(
        &mut self,
        after: Diagram,
        stat: usize,
        from: Span,
        into: Span,
        to: &mut dyn FnMut(i16) -> Option<i16>,
    ) -> Diagram {
        let mut map = Vec::with_capacity(from.len());
        let mut same = from.len() == into.len();
        for (place, value) in from.values().enumerate() {
            let to = to(value).map(|value| (i32::from(value) - i32::from(into.lo)) as u16);
            same &= to == Some(place as u16);
            map.push(to);
        }
        if same {
            return after;
        }
        match self.lane[stat] {
            Some(lane) => self.diagrams.shift_lane(after, lane, &map),
            None => self.diagrams.shift(after, stat, &map),
        }
    }

    fn patched(&mut self, stat: usize, whole: Span, parts: Vec<(Span, Diagram)>) -> Diagram {
        if let [(span, part)] = parts[..]
            && span == whole
        {
            return part;
        }
        if let Some(lane) = self.lane[stat] {
            let mut best = LOST;
            for (span, part) in parts {
                let place = |value: i16| {
                    let inside = span.lo <= value && value <= span.hi;
                    inside.then(|| (value - span.lo) as u16)
                };
                let map: Vec<Option<u16>> = whole.values().map(place).collect();
                let part = self.diagrams.shift_lane(part, lane, &map);
                best = self.diagrams.best(best, part);
            }
            return best;
        }
        let place = |value: i16| {
            let part = parts
                .iter()
                .position(|(span, _)| span.lo <= value && value <= span.hi)?;
            Some((part, (value - parts[part].0.lo) as usize))
        };
        let map: Vec<Option<(usize, usize)>> = whole.values().map(place).collect();
        let parts: Vec<Diagram> = parts.iter().map(|part| part.1).collect();
        self.diagrams.join(stat, &parts, &map)
    }

    fn fought(
        &mut self,
        fought: &Fought,
        life: Span,
        victories: &[Diagram],
        flights: &[Diagram],
    ) -> Result<Diagram, Halt> {
        let game = self.walk.game;
        let fight = &game.compiled.fights[fought.number as usize];
        let drawn = fight.order == crate::FightOrder::OneOf;
        let escape = fight.escape.filter(|_| fought.runs);
        let attack = fought.attack;
        let mut parts = Vec::new();
        for (foe, victory) in victories.iter().enumerate() {
            let only = drawn.then_some(foe as u16);
            let key = (fought.number, only.unwrap_or(u16::MAX), attack);
            let most = life.hi.max(0) as u16;
            let next = self.courses.len() as u32;
            let enough = |known: &(u32, Course)| known.1.most() >= most;
            if !self.courses.get(&key).is_some_and(enough) {
                let bout = game.bout(fight, only, attack);
                let course = Course::new(&bout, most, escape, ROWS).ok_or(Halt::Fight)?;
                let number = self.courses.get(&key).map_or(next, |known| known.0);
                self.fights += course.bytes();
                self.within()?;
                self.courses.insert(key, (number, course));
            }
            let (number, course) = &self.courses[&key];
            self.rounding += course.error;
            let mut ends = vec![*victory];
            match drawn {
                true => ends.extend(flights.get(foe)),
                false => ends.extend_from_slice(flights),
            }
            parts.push((1, self.diagrams.fight(*number, course, life, &ends)));
        }
        let total = parts.len() as u64;
        self.rounding += rounded(parts.len());
        Ok(self.diagrams.mix(&parts, total))
    }
}

/// What a mixture of so many parts may be off by more than they are.
fn rounded(parts: usize) -> f64 {
    ROUNDING * (parts + 2) as f64
}

fn is_plain(op: &Op) -> bool {
    match op {
        Op::Add(..)
        | Op::Restore(_)
        | Op::RaiseCap(..)
        | Op::Gain(_)
        | Op::Lose(_)
        | Op::Survive => true,
        Op::Set(_, to) => to.is_fixed(),
        // What follows a condition is not looked at.
        Op::Roll(..) | Op::LoseRandom(..) | Op::Random(_) | Op::When(..) | Op::Repeat(..) => false,
    }
}

impl Harvest for Reaped<'_> {
    type T = Diagram;

    fn gates(&mut self) -> &mut Gates {
        &mut self.diagrams.gates
    }

    fn end(&mut self, won: bool) -> Diagram {
        if won { WON } else { LOST }
    }

    fn region(&mut self, region: Region, at: &At) -> Result<Diagram, Halt> {
        let number = self
            .explored
            .regions
            .get_index_of(&region)
            .ok_or(Halt::Range)?;
        self.seen(self.worth[number], at, number)
    }

    fn itself(&mut self, region: Region, at: &At) -> Result<Diagram, Halt> {
        let number = self
            .explored
            .regions
            .get_index_of(&region)
            .ok_or(Halt::Range)?;
        if self.open[number] {
            return self.seen(self.worth[number], at, number);
        }
        let extent = self.explored.regions[number].extent;
        let mut spans = [Span::one(0); LANES];
        for (lane, span) in self.lane.iter().zip(extent) {
            if let Some(lane) = *lane {
                spans[lane] = span;
            }
        }
        let hole = Diagrams::leaf(self.diagrams.tables.hole(spans));
        self.seen(hole, at, number)
    }

    fn hold(&mut self, after: Diagram, bits: u128, held: bool) -> Result<Diagram, Halt> {
        Ok(self.diagrams.hold(after, bits, held))
    }

    fn gate(&mut self, gate: Gate, then: Diagram, otherwise: Diagram) -> Result<Diagram, Halt> {
        Ok(self.diagrams.gate(gate, then, otherwise))
    }

    fn lose_one(&mut self, after: Diagram, mask: u128, known: Known) -> Result<Diagram, Halt> {
        let pool = mask & known.may;
        self.rounding += rounded(pool.count_ones() as usize);
        let lost = self.diagrams.lose_one(after, pool, known);
        lost.ok_or(Halt::Bytes)
    }

    fn shift(
        &mut self,
        after: Diagram,
        stat: usize,
        from: Span,
        into: Span,
        to: &mut dyn FnMut(i16) -> Option<i16>,
    ) -> Result<Diagram, Halt> {
        Ok(self.shifted(after, stat, from, into, to))
    }

    fn mix(&mut self, parts: Vec<(u64, Diagram)>, total: u64) -> Result<Diagram, Halt> {
        self.within()?;
        self.rounding += rounded(parts.len());
        Ok(self.diagrams.mix(&parts, total))
    }

    fn best(&mut self, parts: Vec<Diagram>) -> Result<Diagram, Halt> {
        self.within()?;
        let diagrams = &mut self.diagrams;
        Ok(parts
            .into_iter()
            .fold(LOST, |best, part| diagrams.best(best, part)))
    }

    fn patch(
        &mut self,
        stat: usize,
        whole: Span,
        parts: Vec<(Span, Diagram)>,
    ) -> Result<Diagram, Halt> {
        Ok(self.patched(stat, whole, parts))
    }

    fn fight(
        &mut self,
        fought: &Fought,
        life: Span,
        victories: Vec<Diagram>,
        flights: Vec<Diagram>,
    ) -> Result<Diagram, Halt> {
        self.fought(fought, life, &victories, &flights)
    }

    fn refresh(&mut self, best: Diagram, refreshed: Vec<Diagram>) -> Result<Diagram, Halt> {
        let mut parts = vec![best];
        parts.extend(refreshed.into_iter().filter(|part| *part != LOST));
        Ok(self.diagrams.close(&parts))
    }
}
