//! Solving routes that are kept separate, such as the streets of a city, one by one: the most
//! promising first, and no other that cannot be better.
//!
//! An upper bound on a street is found sooner than its value. The first one takes a moment, since
//! it distinguishes only what [matters most](super::blurred). A closer one takes longer; it does so
//! only after random losses (`Diagrams::lose_blurred`), or there also distinguishes what makes the
//! greatest [difference](super::telling). Once the best streets are solved, the part of the book
//! before them is solved twice: with the other streets lost, and with their upper bounds. If both
//! results agree, no other street need be solved; otherwise the most promising of the others gets a
//! closer look. This is the search of an AND/OR graph by bounds, "LAO*" (Hansen and Zilberstein,
//! 2001), with whole streets as nodes.

pub(crate) mod decided;
pub(crate) mod parted;
pub(crate) mod started;
mod street;

use crate::solver::decisions::answers::Answers;
use crate::solver::diagrams::gates::{Gates, Known};
use crate::solver::induction::aim::{Aim, Given, Hope};
use crate::solver::induction::deferred::loses;
use crate::solver::induction::kept::Kept;
use crate::solver::induction::{Induction, Size};
use crate::solver::limits::{Halt, Limits};
use crate::solver::reach::Explored;
use crate::solver::reach::extent::Extent;
use crate::solver::reach::fork::Apart;
use crate::solver::walk::Walk;
use crate::solver::walk::interpreter::{At, Region};
use started::{Started, started};
use street::{Street, bytes, forget};

/// How many times fewer sheets there must be before the streets than in all.
const LIGHT: f64 = 8.0;
/// A smaller error of an upper bound counts as none: the value of a street by an option that all
/// may take usually equals the upper bound.
const FINE: f64 = 1e-9;

/// The solution at the starts.
pub(crate) struct Solution {
    /// In the order of the starts.
    pub(crate) starts: Vec<Started>,
    /// Of everything that was computed on the way.
    pub(crate) size: Size,
    /// The decisions, if they were recorded.
    pub(crate) answers: Option<Answers>,
    /// The values of all solved regions, if they were to be kept.
    pub(crate) kept: Vec<Kept>,
    /// Upper bounds on the streets that were left out.
    pub(crate) at_most: Vec<Kept>,
}

/// What is to be solved, and the limits.
pub(crate) struct Task<'w> {
    pub(crate) walk: Walk<'w>,
    pub(crate) explored: Explored,
    pub(crate) starts: Vec<(Region, At)>,
    pub(crate) aim: Aim,
    pub(crate) limits: Limits,
    /// Whether streets are solved one by one, whatever comes before them.
    pub(crate) always: bool,
}

impl<'w> Task<'w> {
    /// Solves street by street, if there are streets and random losses may be deferred; otherwise
    /// all at once.
    pub(crate) fn solved(self) -> Result<Solution, Halt> {
        match self.ways() {
            Some(ways) => self.by_streets(&ways),
            None => self.whole(),
        }
    }

    /// Computes upper bounds at the starts with looks at the streets only; `None` if there are no
    /// streets. Skips looks that do not help to find the streets by which the starts, all together,
    /// may be worth `wanted`.
    pub(crate) fn looked(self, wanted: f64) -> Result<Option<Solution>, Halt> {
        let Some(ways) = self.ways() else {
            return Ok(None);
        };
        let mut size = Size::default();
        let mut streets = self.blurred(&ways, &mut size)?;
        loop {
            let open = streets.iter().filter(|street| street.promise >= wanted);
            let mut open: Vec<&Street<'w>> = open.collect();
            // The least promising street is soonest shown to be insufficient, and the most
            // promising one hardly ever.
            open.sort_by(|one, other| {
                let promise = one.promise.total_cmp(&other.promise);
                promise.then(one.way.cmp(&other.way))
            });
            let others = &open[..open.len().saturating_sub(1)];
            let next = others.iter().find(|one| one.closer() != Hope::No);
            let Some(next) = next else {
                break;
            };
            let (way, closer) = (next.way, next.closer());
            match self.replaced(way, closer, &mut streets, &mut size) {
                // The rougher bounds still hold.
                Err(Halt::Bytes) => break,
                solved => solved?,
            };
            self.promise(way, &mut streets, &mut size)?;
        }
        size.regions = self.explored.regions.len();
        let parted = self.parted(&streets, &mut size)?;
        let best = self.ahead(&streets, Street::solved, &mut size)?;
        let over = self.ahead(&streets, |_| true, &mut size)?;
        Ok(Some(Solution {
            starts: started(&self.starts, &best, Some(&over), parted)?,
            size,
            answers: None,
            kept: Vec::new(),
            at_most: Vec::new(),
        }))
    }

    /// The streets, if they are solved one by one.
    fn ways(&self) -> Option<Vec<u32>> {
        let mut ways: Vec<u32> = self.explored.regions.keys().map(|one| one.way).collect();
        ways.sort_unstable();
        ways.dedup();
        ways.retain(|way| *way != 0);
        let fork = matches!(self.walk.apart, Apart::Fork(_)) && ways.len() > 1;
        let apart = fork && self.aim.put_off && self.aim.bound.is_none() && self.light();
        apart.then_some(ways)
    }

    fn whole(mut self) -> Result<Solution, Halt> {
        let explored = std::mem::take(&mut self.explored);
        let (best, starts) = self.induced(explored, &[])?;
        let mut solution = Solution {
            starts,
            size: best.size(),
            answers: None,
            kept: Vec::new(),
            at_most: Vec::new(),
        };
        match self.aim.keep {
            true => solution.kept.push(best.into_kept(|_| true)),
            false => solution.answers = best.into_answers(Vec::new()),
        }
        Ok(solution)
    }

    /// A first look at all streets, and their promises.
    fn blurred(&self, ways: &[u32], size: &mut Size) -> Result<Vec<Street<'w>>, Halt> {
        let mut streets: Vec<Street<'w>> = Vec::new();
        for &way in ways {
            let street = self.street(way, Hope::Blurred, &streets, size)?;
            streets.push(street);
        }
        for &way in ways {
            self.promise(way, &mut streets, size)?;
        }
        Ok(streets)
    }

    fn by_streets(self, ways: &[u32]) -> Result<Solution, Halt> {
        let mut size = Size::default();
        let mut streets = self.blurred(ways, &mut size)?;
        let mut starts = match self.closed(&mut streets, &mut size) {
            Err(Halt::Bytes | Halt::Between { .. }) if forget(&mut streets) => {
                self.closed(&mut streets, &mut size)?
            }
            starts => starts?,
        };
        size.regions = self.explored.regions.len();
        let (mut answers, mut kept, mut at_most) = (None, Vec::new(), Vec::new());
        if self.aim.keep {
            let ahead = |best: Induction<'_>| best.into_kept(|region| region.way == 0);
            let mut best = ahead(self.ahead(&streets, Street::solved, &mut size)?);
            if !streets.iter().all(Street::solved) {
                // Before the streets, another street may be better for heroes with other things.
                let over = ahead(self.ahead(&streets, |_| true, &mut size)?);
                best.over = Some(Box::new(over));
            }
            kept.push(best);
            let (solved, open): (Vec<Street<'w>>, Vec<Street<'w>>) =
                streets.into_iter().partition(Street::solved);
            kept.extend(solved.into_iter().map(|street| street.kept));
            at_most.extend(open.into_iter().map(|street| street.kept));
        } else if self.aim.decide {
            let open = streets.iter().filter(|one| !one.solved());
            let open: Vec<u32> = open.map(|one| one.way).collect();
            let solved = streets.into_iter().filter(Street::solved);
            let solved: Vec<Street<'_>> = solved.collect();
            // With another solved street, best play may go through both.
            let (whole, too_large) = match <[Street<'_>; 1]>::try_from(solved) {
                Ok([street]) => (street.whole, street.too_large),
                Err(_) => (None, false),
            };
            let whole = whole.map(|whole| whole.decided(&self)).transpose();
            let (best, again, left_out) = match whole {
                Ok(Some(decided)) => {
                    // Everything else was counted when the street was solved.
                    size.bytes = size.bytes.max(decided.0.size().bytes);
                    decided
                }
                Ok(None) | Err(Halt::Bytes | Halt::Sweeps) => {
                    let decided = self.decided(&open, too_large)?;
                    size.add(decided.0.size(), &[]);
                    decided
                }
                Err(halt) => return Err(halt),
            };
            for (start, again) in starts.iter_mut().zip(&again) {
                start.is_worth(again);
            }
            answers = best.into_answers(left_out);
        }
        Ok(Solution {
            starts,
            size,
            answers,
            kept,
            at_most,
        })
    }

    /// Solves streets until no start can be worth more by any other.
    fn closed(&self, streets: &mut Vec<Street<'w>>, size: &mut Size) -> Result<Vec<Started>, Halt> {
        let mut best = self.ahead(streets, Street::solved, size)?;
        let over = loop {
            let open = streets.iter().filter(|one| !one.solved());
            let mut open: Vec<&Street<'w>> = open.collect();
            open.sort_by(|one, other| {
                let promise = other.promise.total_cmp(&one.promise);
                promise.then(one.way.cmp(&other.way))
            });
            let Some(&street) = open.first() else {
                break None;
            };
            let (way, closer) = (street.way, street.closer());
            // A closer look costs less than solving a long street in vain.
            let waits = open[1..].iter().any(|other| street.may_wait_for(other));
            let afar = waits && street.hope == Hope::Blurred;
            let mut next = if afar { closer } else { Hope::No };
            if streets.iter().any(Street::solved) {
                let over = self.ahead(streets, |_| true, size)?;
                let open = self.open(&best, &over);
                if open.is_empty() {
                    break Some(over);
                }
                // Decisions are made, and values kept, for all starts at once.
                let apart = !self.aim.decide && !self.aim.keep;
                if open.len() < self.starts.len() && apart {
                    let parted = self.parted_if_possible(streets, size)?;
                    let mut starts = started(&self.starts, &best, Some(&over), parted)?;
                    drop((best, over));
                    for (number, start) in self.rest(open, streets, size)? {
                        starts[number] = start;
                    }
                    return Ok(starts);
                }
                next = closer;
            }
            let solved = match self.replaced(way, next, streets, size) {
                Err(Halt::Bytes) => return Err(self.undecided(&best, streets, size)),
                solved => solved?,
            };
            match solved {
                true => best = self.ahead(streets, Street::solved, size)?,
                false => self.promise(way, streets, size)?,
            }
        };
        let parted = self.parted_if_possible(streets, size)?;
        started(&self.starts, &best, over.as_ref(), parted)
    }

    /// Does the same for the starts (by number) that the solved streets leave open. What other
    /// starts lead to need not be computed in a further street.
    fn rest(
        &self,
        open: Vec<usize>,
        streets: &mut Vec<Street<'w>>,
        size: &mut Size,
    ) -> Result<impl Iterator<Item = (usize, Started)> + use<>, Halt> {
        let starts: Vec<(Region, At)> = open.iter().map(|number| self.starts[*number]).collect();
        let mut gates = Gates::new();
        let limits = self.left(streets);
        let mut explored = Explored::new(&self.walk, &starts, limits, &mut gates)?;
        explored.take(gates);
        let rest = Task {
            explored,
            starts,
            ..*self
        };
        // The promises of solved streets are not needed any more.
        let unsolved = streets.iter().filter(|street| !street.solved());
        let unsolved: Vec<u32> = unsolved.map(|street| street.way).collect();
        for way in unsolved {
            rest.promise(way, streets, size)?;
        }
        let started = rest.closed(streets, size)?;
        Ok(open.into_iter().zip(started))
    }

    /// Takes a closer look at a street, or solves it; returns whether it is solved then. If this
    /// fails, the street stays as it was.
    fn replaced(
        &self,
        way: u32,
        next: Hope,
        streets: &mut Vec<Street<'w>>,
        size: &mut Size,
    ) -> Result<bool, Halt> {
        let place = streets.iter().position(|one| one.way == way);
        let known = place.map(|place| streets.remove(place));
        if next == Hope::No {
            forget(streets);
        }
        let street = match self.street(way, next, streets, size) {
            Err(Halt::Bytes) if forget(streets) => self.street(way, next, streets, size),
            street => street,
        };
        let solved = street.as_ref().map(Street::solved).map_err(|halt| *halt);
        streets.extend(street.ok().or(known));
        streets.sort_unstable_by_key(|one| one.way);
        solved
    }

    /// The reason for stopping, with the bounds known by then.
    fn undecided(&self, best: &Induction<'_>, streets: &[Street<'_>], size: &mut Size) -> Halt {
        let (true, [(region, at)]) = (streets.iter().any(Street::solved), &self.starts[..]) else {
            return Halt::Bytes;
        };
        let over = match self.ahead(streets, |_| true, size) {
            Ok(over) => over,
            Err(halt) => return halt,
        };
        let (least, most) = (best.value(region, at), over.value(region, at));
        match (least.zip(most), best.proven() && over.proven()) {
            (Some(((least, under), (most, over))), true) => Halt::Between {
                least: (least - under).max(0.0),
                most: (most + over).min(1.0),
            },
            _ => Halt::Bytes,
        }
    }

    /// A street with the requested kind of bound, or a closer one.
    fn street(
        &self,
        way: u32,
        mut hope: Hope,
        others: &[Street<'_>],
        size: &mut Size,
    ) -> Result<Street<'w>, Halt> {
        // Without random losses, a sharp look would leave nothing out.
        let book = &self.walk.game.compiled;
        let mut regions = self.explored.regions.keys();
        let lossy = regions.any(|one| one.way == way && loses(book, one.scene));
        loop {
            if matches!(hope, Hope::Sharp(_)) && !lossy {
                hope = Hope::No;
            }
            match self.hoped(way, hope, others, size) {
                Ok(street) if street.kept.proven || street.solved() => return Ok(street),
                Err(halt) if hope == Hope::No => return Err(halt),
                // Blurred bits may create cycles where nobody goes round, and losses are computed
                // for everybody, wanted or not.
                _ if hope == Hope::Blurred => hope = Hope::Sharp(0),
                _ => hope = Hope::No,
            }
        }
    }

    /// Computes the upper bound on all starts by this street alone.
    fn promise(&self, way: u32, streets: &mut [Street<'_>], size: &mut Size) -> Result<(), Halt> {
        let alone = self.ahead(streets, |one| one.way == way, size)?;
        let worth = |(region, at): &(Region, At)| alone.value(region, at);
        let worths = self.starts.iter().filter_map(worth);
        let promise = worths.map(at_most).sum();
        let streets = streets.iter_mut().filter(|one| one.way == way);
        streets.for_each(|street| street.promise = promise);
        Ok(())
    }

    /// The starts that may be worth more than with the solved streets.
    fn open(&self, best: &Induction<'_>, over: &Induction<'_>) -> Vec<usize> {
        let is_open = |number: &usize| {
            let (region, at) = &self.starts[*number];
            let both = best.value(region, at).zip(over.value(region, at));
            both.is_none_or(|((best, off), over)| at_most(over) > best + off)
        };
        (0..self.starts.len()).filter(is_open).collect()
    }

    /// Whether the part before the streets is small compared with them, since it is solved for each
    /// street, and again later.
    fn light(&self) -> bool {
        let gates = &self.explored.gates;
        let weight =
            |inside: &dyn Fn(&Region) -> bool| self.explored.weight(&self.walk, gates, inside);
        self.always || LIGHT * weight(&|region| region.way == 0) <= weight(&|_| true)
    }

    /// The limits, less what is known of streets.
    fn left(&self, streets: &[Street<'_>]) -> Limits {
        Limits {
            bytes: self.limits.bytes.saturating_sub(bytes(streets)),
            ..self.limits
        }
    }

    /// The value of a street, or an upper bound, for all sheets that may enter it.
    fn hoped(
        &self,
        way: u32,
        hope: Hope,
        others: &[Street<'_>],
        size: &mut Size,
    ) -> Result<Street<'w>, Halt> {
        let explored = self.explored.part(|region| region.way == way);
        let entered = self.explored.entered(|region| region.way == 0);
        let regions = self.explored.regions.keys().zip(entered);
        let entrances = regions.filter(|(region, entered)| *entered && region.way == way);
        let entrances = entrances.filter_map(|(region, _)| explored.regions.get_key_value(region));
        let (entrances, extents): (Vec<(Region, Known)>, Vec<Extent>) = entrances
            .map(|(region, found)| ((*region, found.known), found.extent))
            .unzip();
        let aim = Aim {
            put_off: hope == Hope::No,
            decide: false,
            keep: self.aim.keep && hope == Hope::No,
            hope,
            ..self.aim
        };
        let limits = self.left(others);
        let regions: Vec<Region> = entrances.iter().map(|entrance| entrance.0).collect();
        let first = hope == Hope::No && !others.iter().any(Street::solved);
        let whole = (first && self.aim.decide && self.aim.onwards)
            .then(|| self.with_what_comes_before(way, &regions, limits));
        let too_large = matches!(whole, Some(Err(Halt::Bytes)));
        let (kept, telling, whole) = match whole {
            Some(Ok(whole)) => {
                size.add(whole.size(), others);
                (whole.kept(&regions), 0, Some(Box::new(whole)))
            }
            None | Some(Err(Halt::Bytes)) => {
                let induction = Induction::new(self.walk, explored, &entrances, &[], aim, limits)?;
                let telling = induction.telling.as_ref().map_or(0, |told| told.bits());
                size.add(induction.size(), others);
                let kept = induction.into_kept(|region| aim.keep || regions.contains(region));
                (kept, telling, None)
            }
            Some(Err(halt)) => return Err(halt),
        };
        let entrances = regions.into_iter().zip(extents).map(|(region, extent)| {
            let worth = kept.worth(&region).ok_or(Halt::Unexplored)?;
            Ok((region, extent, worth))
        });
        Ok(Street {
            way,
            whole,
            too_large,
            entrances: entrances.collect::<Result<_, Halt>>()?,
            kept,
            hope,
            telling,
            promise: 1.0,
            weight: (self.explored)
                .weight(&self.walk, &self.explored.gates, |region| region.way == way),
        })
    }

    /// Solves the part before the streets, with some of them; the others are lost.
    fn ahead(
        &self,
        streets: &[Street<'w>],
        open: impl Fn(&Street<'w>) -> bool,
        size: &mut Size,
    ) -> Result<Induction<'w>, Halt> {
        let mut explored = self.explored.part(|region| region.way == 0);
        let starts = exactly(&self.starts, &mut explored.gates);
        let mut given = Vec::new();
        let (mut rounding, mut relative, mut proven) = (0.0_f64, true, true);
        for street in streets {
            let open = open(street);
            if open {
                rounding = rounding.max(street.kept.rounding);
                relative &= street.kept.relative;
                proven &= street.kept.proven;
            }
            given.extend(
                street
                    .entrances
                    .iter()
                    .map(|&(region, extent, worth)| Given {
                        region,
                        extent,
                        worth: open.then_some((&street.kept.store, worth)),
                    }),
            );
        }
        let aim = Aim {
            decide: false,
            ..self.aim
        };
        let limits = self.left(streets);
        let mut ahead = Induction::new(self.walk, explored, &starts, &given, aim, limits)?;
        // No path leads through two streets.
        ahead.rounding += rounding;
        ahead.relative &= relative;
        ahead.proven &= proven;
        size.add(ahead.size(), streets);
        Ok(ahead)
    }
}

impl Size {
    /// Adds the next induction, which runs on its own while streets are kept.
    fn add(&mut self, next: Size, streets: &[Street<'_>]) {
        self.nodes += next.nodes;
        self.tables += next.tables;
        self.bytes = self.bytes.max(next.bytes + bytes(streets));
    }
}

/// An upper bound from a look and its error, which counts only if it is not tiny: with a ring, the
/// look may be far below its bound.
pub(super) fn at_most((value, off): (f64, f64)) -> f64 {
    if off > FINE { value + off } else { value }
}

/// The regions of the starts, with exactly what is held there.
pub(super) fn exactly(starts: &[(Region, At)], gates: &mut Gates) -> Vec<(Region, Known)> {
    let exactly = |(region, at): &(Region, At)| (*region, gates.exactly(at.known.must));
    starts.iter().map(exactly).collect()
}
