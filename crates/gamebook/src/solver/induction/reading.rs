//! The interpreter that reads the values of a region off diagrams.

use crate::compiled::Standoff;
use crate::solver::decisions::{self, Kind};
use crate::solver::diagrams::gates::{Gate, Gates, Known, NO, YES};
use crate::solver::diagrams::{Diagram, Diagrams, LOST, WON};
use crate::solver::induction::Induction;
use crate::solver::induction::aim::Side;
use crate::solver::limits::{Halt, MOST_VALUES};
use crate::solver::reach::extent::Span;
use crate::solver::tables::course::{Against, Course, Duel, Room};
use crate::solver::tables::{LANES, ROUNDING};
use crate::solver::walk::interpreter::{At, Ends, Fought, Interpreter, Region};

/// The most different rounds of a fight: as many as fit into a table of decisions.
pub(crate) const MOST_ROUNDS: usize = MOST_VALUES * decisions::ROWS_IN_ONE;

impl Induction<'_> {
    /// Restricts the value of a region to a smaller box, and to the sheets that come from here.
    /// Otherwise much would be computed for all other sheets again and again.
    fn seen(&mut self, mut worth: Diagram, at: &At, number: usize) -> Result<Diagram, Halt> {
        let found = &self.explored.regions[number];
        if found.known != at.known {
            worth = self.diagrams.fit(worth, at.known.care);
        }
        let found = self.explored.regions[number].extent;
        for (stat, (from, into)) in at.extent.into_iter().zip(found).enumerate() {
            if from != into {
                if !into.contains(from) {
                    return Err(Halt::Unexplored);
                }
                worth = self.shifted(worth, stat, from, into, &mut |value| Some(value));
            }
        }
        Ok(worth)
    }

    pub(super) fn shifted(
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
            let to = to(value).map(|value| into.place(value) as u16);
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
                    inside.then(|| span.place(value) as u16)
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
            Some((part, parts[part].0.place(value)))
        };
        let map: Vec<Option<(usize, usize)>> = whole.values().map(place).collect();
        let parts: Vec<Diagram> = parts.iter().map(|part| part.1).collect();
        self.diagrams.join(stat, &parts, &map)
    }

    /// At most two parts whose maximum is that of all parts.
    fn chosen(&mut self, at: &At, parts: Vec<(usize, Diagram)>) -> Vec<Diagram> {
        let mut best = Vec::new();
        for &(_, part) in &parts {
            if part != LOST && !best.contains(&part) {
                best.push(part);
            }
        }
        if best.len() > 2 {
            best = vec![self.diagrams.best_of(at.known.care, &best)];
        }
        match self.side {
            Side::Exact => {}
            Side::Least => self.met.push(parts),
            Side::Most => self.weigh(&parts),
        }
        best
    }

    /// The best of `best` and of refreshments, which may be repeated.
    fn refresh(&mut self, at: &At, best: Diagram, refreshed: Vec<Diagram>) -> Diagram {
        let mut parts = vec![(0, self.undrunk.unwrap_or(best))];
        parts.extend((1..).zip(refreshed).filter(|part| part.1 != LOST));
        let worths: Vec<Diagram> = parts.iter().map(|part| part.1).collect();
        let best = self.diagrams.close(at.known.care, &worths);
        if parts.len() > 1 {
            self.pick(Kind::Refreshment, at, &parts, best);
        }
        best
    }

    fn fought(
        &mut self,
        fought: &Fought,
        at: &At,
        bouts: Vec<Ends<Diagram>>,
    ) -> Result<Diagram, Halt> {
        let game = self.walk.game;
        let fight = &game.compiled.fights[fought.number as usize];
        let life = at.extent[usize::from(game.compiled.life)];
        let running = fight.terms.running;
        let decides = running.is_some_and(|running| !running.forced) || fought.luck.is_some();
        let keep = self.picks.is_some() && decides;
        let mut parts = Vec::new();
        for Ends { only, all: ends } in bouts {
            let key = Against {
                fight: fought.number,
                only: only.unwrap_or(u16::MAX),
                arms: fought.arms,
                luck: fought.luck,
            };
            let most = life.hi.max(0) as u16;
            let next = self.courses.len() as u32;
            let enough = |known: &(u32, Course)| known.1.most() >= most;
            if !self.courses.get(&key).is_some_and(enough) {
                let bout = game.bout(fight, only, fought.arms);
                let first = only.filter(|_| fight.begun.is_none());
                let first = first.map_or_else(|| fight.first(), |only| fight.against(only));
                let here = |standoff: &&Standoff| only.is_none_or(|only| only == standoff.foe);
                let tolled: Vec<Standoff> = fight.tolled.iter().filter(here).copied().collect();
                let duel = Duel {
                    bout: &bout,
                    before: only.unwrap_or(0),
                    first,
                    terms: fight.terms,
                    tolled: &tolled,
                    luck: fought.luck,
                    odds: &|value| game.rules.test(2, value),
                };
                let room = Room {
                    rows: MOST_ROUNDS,
                    bytes: self.limits.bytes.saturating_sub(self.taken()),
                };
                let course = Course::new(duel, most, room, keep)?;
                let number = self.courses.get(&key).map_or(next, |known| known.0);
                self.fights += course.bytes();
                self.within()?;
                if let Some((_, shorter)) = self.courses.insert(key, (number, course)) {
                    self.fights -= shorter.bytes();
                }
            }
            let (number, course) = &self.courses[&key];
            self.rounding += course.error;
            let care = at.known.care;
            let fight = self.diagrams.fight(care, (*number, course), life, &ends);
            parts.push((1, fight));
            if keep {
                self.pick_rounds(key, at, &ends);
            }
        }
        let total = parts.len() as u64;
        self.rounding += rounded(parts.len());
        Ok(self.diagrams.mix(at.known.care, &parts, total))
    }
}

/// The rounding error of a mixture of this many parts, apart from that of the parts.
fn rounded(parts: usize) -> f64 {
    ROUNDING * (parts + 2) as f64
}

impl Interpreter for Induction<'_> {
    type T = Diagram;

    fn gates(&mut self) -> &mut Gates {
        &mut self.diagrams.gates
    }

    fn end(&mut self, won: bool) -> Diagram {
        if won { WON } else { LOST }
    }

    fn region(&mut self, region: Region, at: &At) -> Result<Diagram, Halt> {
        let number = self.explored.number(&region)?;
        let worth = self.known(number);
        self.seen(worth, at, number)
    }

    fn itself(&mut self, region: Region, at: &At) -> Result<Diagram, Halt> {
        let number = self.explored.number(&region)?;
        if self.open[number] {
            let worth = self.known(number);
            return self.seen(worth, at, number);
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
        if self.side == Side::Least {
            return Ok(LOST);
        }
        if self.side == Side::Most && self.vague == 0 {
            return Ok(self.diagrams.lose_at_most(after, pool, known, self.told));
        }
        self.rounding += rounded(pool.count_ones() as usize);
        if let Some(telling) = &mut self.telling {
            let left = self.diagrams.gates.lose_one(known, mask);
            telling.look(&self.diagrams, after, left, self.vague & known.may);
        }
        let lost = match self.vague {
            0 => self.diagrams.lose_one(after, pool, known),
            vague => self.diagrams.lose_blurred(after, pool, known, vague),
        };
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

    fn mix(&mut self, at: &At, parts: Vec<(u64, Diagram)>, total: u64) -> Result<Diagram, Halt> {
        self.within()?;
        self.rounding += rounded(parts.len());
        Ok(self.diagrams.mix(at.known.care, &parts, total))
    }

    fn mix_by_value(
        &mut self,
        at: &At,
        stat: usize,
        parts: Vec<(Vec<u64>, Diagram)>,
        totals: &[u64],
    ) -> Result<Diagram, Halt> {
        self.within()?;
        self.rounding += rounded(parts.len());
        let Some(lane) = self.lane[stat] else {
            return Err(Halt::Unexplored);
        };
        let care = at.known.care;
        Ok(self.diagrams.mix_by_value(care, lane, &parts, totals))
    }

    fn open(&mut self, region: &Region, option: usize) -> Gate {
        let nested = self.walk.nested;
        if nested.is_some_and(|nested| nested.contains(region.scene, option)) {
            return NO;
        }
        match self.side {
            // Then the options need not be evaluated again.
            _ if self.undrunk.is_some() => NO,
            Side::Exact => self.closed.gate(region, option),
            Side::Least | Side::Most => YES,
        }
    }

    fn choose(&mut self, at: &At, parts: Vec<(usize, Diagram)>) -> Result<Diagram, Halt> {
        self.within()?;
        let best = self.chosen(at, parts.clone());
        let best = self.diagrams.best_of(at.known.care, &best);
        self.pick(Kind::Option, at, &parts, best);
        Ok(best)
    }

    fn choose_or_refresh(
        &mut self,
        at: &At,
        parts: Vec<(usize, Diagram)>,
        refreshed: Vec<Diagram>,
    ) -> Result<Diagram, Halt> {
        if self.picks.is_some() {
            let best = self.choose(at, parts)?;
            return Ok(self.refresh(at, best, refreshed));
        }
        self.within()?;
        let mut parts = self.chosen(at, parts);
        parts.extend(self.undrunk);
        parts.extend(refreshed);
        parts.retain(|part| *part != LOST);
        Ok(self.diagrams.close(at.known.care, &parts))
    }

    fn play(&mut self, at: &At, played: Diagram, stopped: Diagram) -> Result<Diagram, Halt> {
        self.within()?;
        let best = self.diagrams.best_for(at.known.care, played, stopped);
        self.pick(Kind::Round, at, &[(0, stopped), (1, played)], best);
        Ok(best)
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
        at: &At,
        bouts: Vec<Ends<Diagram>>,
    ) -> Result<Diagram, Halt> {
        self.fought(fought, at, bouts)
    }
}
