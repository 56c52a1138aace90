//! Ways that are told apart, such as the streets of a city, solved one by one: the most
//! promising first, and no other that cannot be worth more.
//!
//! What a street is worth at most is known sooner than what it is worth: in a moment, if only
//! what matters most is [told apart](super::blurred), and closer but in longer, if that is so
//! [after losses at random](Diagrams::lose_blurred) alone, or that and what makes most of a
//! [difference](super::telling) then. Once the
//! best streets are solved, what comes before them is worked out twice: as if the others were
//! lost, and with what they are worth at most. Where both are the same, no other need be
//! solved; else the most promising of the others is looked at more closely. That is the search
//! of an AND/OR graph by bounds, "LAO*" (Hansen and Zilberstein, 2001), with whole streets for
//! nodes.

pub(crate) mod parted;
pub(crate) mod started;

use crate::solver::decisions::answers::Answers;
use crate::solver::diagrams::Diagram;
use crate::solver::diagrams::gates::{Gates, Known};
use crate::solver::induction::aim::{Aim, Given, Hope};
use crate::solver::induction::deferred::loses;
use crate::solver::induction::kept::Kept;
use crate::solver::induction::{Induction, Size};
use crate::solver::limits::{Halt, Limits};
use crate::solver::reach::extent::Extent;
use crate::solver::reach::fork::Apart;
use crate::solver::reach::{Explored, Found};
use crate::solver::walk::Walk;
use crate::solver::walk::interpreter::{At, Region};
use started::{Started, started};

/// Streets whose odds differ by less than that may turn out the other way round, as looks
/// promise too much by as much.
const CLOSE: f64 = 1.25;
/// A street is long beside another one that has so many times fewer sheets.
const LONG: f64 = 2.0;
/// What comes before the streets has so many times fewer sheets, or more.
const LIGHT: f64 = 8.0;
/// Looks that may be off by no more than that are as good as if they were not: what a street is
/// worth by an option that all may take is mostly just as much as what it is worth at most.
const FINE: f64 = 1e-9;

/// What all is worth at the starts.
pub(crate) struct Solution {
    /// In the order of the starts.
    pub(crate) starts: Vec<Started>,
    /// Of all that was worked out on the way.
    pub(crate) size: Size,
    /// What was decided, if anybody wanted to know.
    pub(crate) answers: Option<Answers>,
    /// What all regions are worth that were worked out, if that was to be kept.
    pub(crate) kept: Vec<Kept>,
    /// What those are worth at most who come into the streets that were left out.
    pub(crate) at_most: Vec<Kept>,
}

/// What is to be solved, and how far one may go.
pub(crate) struct Task<'w> {
    pub(crate) walk: Walk<'w>,
    pub(crate) explored: Explored,
    pub(crate) starts: Vec<(Region, At)>,
    pub(crate) aim: Aim,
    pub(crate) limits: Limits,
    /// Street by street, whatever comes before them.
    pub(crate) always: bool,
}

/// A way, and what it is worth to those who come into it.
struct Street {
    way: u32,
    kept: Kept,
    entrances: Vec<(Region, Extent, Diagram)>,
    /// In which way it is worth no more than that; if in none, it is worth that.
    hope: Hope,
    /// The bits that had better be told apart in a closer look.
    telling: u128,
    /// What the starts would be worth at most, all together, with no other way.
    promise: f64,
    /// About how many sheets there are in it.
    weight: f64,
}

impl Street {
    fn solved(&self) -> bool {
        self.hope == Hope::No
    }

    /// A closer look, if there is one that helps; else it is solved.
    fn closer(&self) -> Hope {
        match self.hope {
            Hope::Blurred => Hope::Sharp(0),
            Hope::Sharp(0) if self.telling != 0 => Hope::Sharp(self.telling),
            Hope::Sharp(_) | Hope::No => Hope::No,
        }
    }

    /// Whether looks leave it open which of two promises more, and the other one is solved
    /// sooner: by odds, as of those who nearly always win a few defeats tell streets apart.
    fn may_wait_for(&self, other: &Street) -> bool {
        let odds = |street: &Street| street.promise / (1.0 - street.promise).max(0.0);
        odds(self) < CLOSE * odds(other) && self.weight > LONG * other.weight
    }
}

impl<'w> Task<'w> {
    /// Street by street, if there are any and losses at random may be put off; else all at
    /// once.
    pub(crate) fn solved(self) -> Result<Solution, Halt> {
        match self.ways() {
            Some(ways) => self.by_streets(&ways),
            None => self.whole(),
        }
    }

    /// What the starts are worth at most, with looks at the streets alone; `None` if there
    /// are none. No look is taken that does not help to tell by which of the streets the starts
    /// may be worth that much, all together.
    pub(crate) fn looked(self, wanted: f64) -> Result<Option<Solution>, Halt> {
        let Some(ways) = self.ways() else {
            return Ok(None);
        };
        let mut size = Size::default();
        let mut streets = self.blurred(&ways, &mut size)?;
        loop {
            let open = streets.iter().filter(|street| street.promise >= wanted);
            let mut open: Vec<&Street> = open.collect();
            // What promises least is told soonest to be too little, and what promises most
            // hardly ever.
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
                // What was seen from afar is true all the same.
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

    fn whole(self) -> Result<Solution, Halt> {
        let mut explored = self.explored;
        let starts = exactly(&self.starts, &mut explored);
        let best = Induction::new(self.walk, explored, &starts, &[], self.aim, self.limits)?;
        let mut solution = Solution {
            starts: started(&self.starts, &best, None, Vec::new())?,
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

    /// A first look at all streets, and what each of them promises.
    fn blurred(&self, ways: &[u32], size: &mut Size) -> Result<Vec<Street>, Halt> {
        let mut streets: Vec<Street> = Vec::new();
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
        let mut starts = self.closed(&mut streets, &mut size)?;
        size.regions = self.explored.regions.len();
        let (mut answers, mut kept, mut at_most) = (None, Vec::new(), Vec::new());
        if self.aim.keep {
            let ahead = |best: Induction<'_>| best.into_kept(|region| region.way == 0);
            let mut best = ahead(self.ahead(&streets, Street::solved, &mut size)?);
            if !streets.iter().all(Street::solved) {
                // To who comes before the streets with other things another one may be worth more.
                let over = ahead(self.ahead(&streets, |_| true, &mut size)?);
                best.over = Some(Box::new(over));
            }
            kept.push(best);
            let (solved, open): (Vec<Street>, Vec<Street>) =
                streets.into_iter().partition(Street::solved);
            kept.extend(solved.into_iter().map(|street| street.kept));
            at_most.extend(open.into_iter().map(|street| street.kept));
        } else if self.aim.decide {
            let open = streets.iter().filter(|one| !one.solved());
            let open: Vec<u32> = open.map(|one| one.way).collect();
            drop(streets);
            let (best, left_out) = self.decided(&open)?;
            size.add(best.size(), &[]);
            for (start, again) in
                starts
                    .iter_mut()
                    .zip(started(&self.starts, &best, None, Vec::new())?)
            {
                start.is_worth(&again);
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
    fn closed(&self, streets: &mut Vec<Street>, size: &mut Size) -> Result<Vec<Started>, Halt> {
        let mut best = self.ahead(streets, Street::solved, size)?;
        let over = loop {
            let open = streets.iter().filter(|one| !one.solved());
            let mut open: Vec<&Street> = open.collect();
            open.sort_by(|one, other| {
                let promise = other.promise.total_cmp(&one.promise);
                promise.then(one.way.cmp(&other.way))
            });
            let Some(&street) = open.first() else {
                break None;
            };
            let (way, closer) = (street.way, street.closer());
            // A closer look costs less than to solve a long street for nothing.
            let waits = open[1..].iter().any(|other| street.may_wait_for(other));
            let afar = waits && street.hope == Hope::Blurred;
            let mut next = if afar { closer } else { Hope::No };
            if streets.iter().any(Street::solved) {
                let over = self.ahead(streets, |_| true, size)?;
                let open = self.open(&best, &over);
                if open.is_empty() {
                    break Some(over);
                }
                // Decisions are made, and values kept, for all at once.
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

    /// The same for those starts alone, by number, for which the streets that were solved leave it
    /// open: what others come to need not be worked out in a further one.
    fn rest(
        &self,
        open: Vec<usize>,
        streets: &mut Vec<Street>,
        size: &mut Size,
    ) -> Result<impl Iterator<Item = (usize, Started)> + use<>, Halt> {
        let starts: Vec<(Region, At)> = open.iter().map(|number| self.starts[*number]).collect();
        let mut gates = Gates::new();
        let limits = self.left(streets);
        let mut explored = Explored::new(&self.walk, &starts, limits, &mut gates)?;
        gates.rest();
        explored.gates = gates;
        let rest = Task {
            explored,
            starts,
            ..*self
        };
        // What a street that is solved promises is asked by nobody any more.
        let unsolved = streets.iter().filter(|street| !street.solved());
        let unsolved: Vec<u32> = unsolved.map(|street| street.way).collect();
        for way in unsolved {
            rest.promise(way, streets, size)?;
        }
        let started = rest.closed(streets, size)?;
        Ok(open.into_iter().zip(started))
    }

    /// Takes a closer look at a street, or solves it: whether it is solved then. If that does
    /// not work out, it stays as it was.
    fn replaced(
        &self,
        way: u32,
        next: Hope,
        streets: &mut Vec<Street>,
        size: &mut Size,
    ) -> Result<bool, Halt> {
        let place = streets.iter().position(|one| one.way == way);
        let known = place.map(|place| streets.remove(place));
        let street = self.street(way, next, streets, size);
        let solved = street.as_ref().map(Street::solved).map_err(|halt| *halt);
        streets.extend(street.ok().or(known));
        streets.sort_unstable_by_key(|one| one.way);
        solved
    }

    /// Why there was no end, and how far it was then.
    fn undecided(&self, best: &Induction<'_>, streets: &[Street], size: &mut Size) -> Halt {
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

    /// What is decided, which is kept by who decides it; and the regions of ways that were
    /// not solved.
    fn decided(&self, open: &[u32]) -> Result<(Induction<'w>, Vec<(Region, Found)>), Halt> {
        let decided = |way: u32| !open.contains(&way);
        let mut explored = self.explored.part(|region| decided(region.way));
        let regions = self.explored.regions.iter();
        let left_out = regions.filter(|(region, _)| !decided(region.way));
        let left_out: Vec<(Region, Found)> = left_out
            .map(|(region, found)| (*region, found.clone()))
            .collect();
        let lost = |(region, found): &(Region, Found)| Given::lost(*region, found.extent);
        let lost: Vec<Given<'_>> = left_out.iter().map(lost).collect();
        let starts = exactly(&self.starts, &mut explored);
        let best = Induction::new(self.walk, explored, &starts, &lost, self.aim, self.limits)?;
        Ok((best, left_out))
    }

    /// A way, and what it is worth, or what at most: in the way that is wanted, or else in one
    /// that is closer.
    fn street(
        &self,
        way: u32,
        mut hope: Hope,
        others: &[Street],
        size: &mut Size,
    ) -> Result<Street, Halt> {
        // Without losses at random nothing else is left out.
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
                // Bits that are not told apart may lead in circles where nobody goes round, and
                // losses are worked out for all, who may want them or not.
                _ if hope == Hope::Blurred => hope = Hope::Sharp(0),
                _ => hope = Hope::No,
            }
        }
    }

    /// Finds what the starts would be worth at most with no other way than this one.
    fn promise(&self, way: u32, streets: &mut [Street], size: &mut Size) -> Result<(), Halt> {
        let alone = self.ahead(streets, |one| one.way == way, size)?;
        let worth = |(region, at): &(Region, At)| alone.value(region, at);
        let worths = self.starts.iter().filter_map(worth);
        let promise = worths.map(at_most).sum();
        let streets = streets.iter_mut().filter(|one| one.way == way);
        streets.for_each(|street| street.promise = promise);
        Ok(())
    }

    /// The starts that may be worth more than they are with what has been solved.
    fn open(&self, best: &Induction<'_>, over: &Induction<'_>) -> Vec<usize> {
        let is_open = |number: &usize| {
            let (region, at) = &self.starts[*number];
            let both = best.value(region, at).zip(over.value(region, at));
            both.is_none_or(|((best, off), over)| at_most(over) > best + off)
        };
        (0..self.starts.len()).filter(is_open).collect()
    }

    /// Whether what comes before the streets is little beside them: it is worked out for each
    /// of them, and then again.
    fn light(&self) -> bool {
        let gates = &self.explored.gates;
        let weight =
            |inside: &dyn Fn(&Region) -> bool| self.explored.weight(&self.walk, gates, inside);
        self.always || LIGHT * weight(&|region| region.way == 0) <= weight(&|_| true)
    }

    /// What may be taken besides what is known of streets.
    fn left(&self, streets: &[Street]) -> Limits {
        Limits {
            bytes: self.limits.bytes.saturating_sub(bytes(streets)),
            ..self.limits
        }
    }

    /// What a street is worth, or what at most, to all who come into it.
    fn hoped(
        &self,
        way: u32,
        hope: Hope,
        others: &[Street],
        size: &mut Size,
    ) -> Result<Street, Halt> {
        let explored = self.explored.part(|region| region.way == way);
        let ahead = self.explored.part(|region| region.way == 0);
        let entrances = ahead.regions.iter().filter(|one| one.0.way == way);
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
        let induction = Induction::new(self.walk, explored, &entrances, &[], aim, limits)?;
        let telling = induction.telling.as_ref().map_or(0, |told| told.bits());
        size.add(induction.size(), others);
        let regions: Vec<Region> = entrances.into_iter().map(|entrance| entrance.0).collect();
        let kept = match aim.keep {
            true => induction.into_kept(|_| true),
            false => induction.into_kept(|region| regions.contains(region)),
        };
        let entrances = regions.into_iter().zip(extents).map(|(region, extent)| {
            let worth = kept.worth(&region).ok_or(Halt::Unexplored)?;
            Ok((region, extent, worth))
        });
        Ok(Street {
            way,
            entrances: entrances.collect::<Result<_, Halt>>()?,
            kept,
            hope,
            telling,
            promise: 1.0,
            weight: (self.explored)
                .weight(&self.walk, &self.explored.gates, |region| region.way == way),
        })
    }

    /// What comes before the streets, with some of them; the others are lost.
    fn ahead(
        &self,
        streets: &[Street],
        open: impl Fn(&Street) -> bool,
        size: &mut Size,
    ) -> Result<Induction<'w>, Halt> {
        let mut explored = self.explored.part(|region| region.way == 0);
        let starts = exactly(&self.starts, &mut explored);
        let mut given = Vec::new();
        let (mut rounding, mut proven) = (0.0_f64, true);
        for street in streets {
            let open = open(street);
            if open {
                rounding = rounding.max(street.kept.rounding);
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
        // No road leads through two streets.
        ahead.rounding += rounding;
        ahead.proven &= proven;
        size.add(ahead.size(), streets);
        Ok(ahead)
    }
}

impl Size {
    /// What is worked out next, by itself, while streets are kept.
    fn add(&mut self, next: Size, streets: &[Street]) {
        self.nodes += next.nodes;
        self.tables += next.tables;
        self.bytes = self.bytes.max(next.bytes + bytes(streets));
    }
}

/// What a look has come to, and how far that may be off, unless by next to nothing: where there is
/// a ring it may have come to much less than it promises.
pub(super) fn at_most((value, off): (f64, f64)) -> f64 {
    if off > FINE { value + off } else { value }
}

fn bytes(streets: &[Street]) -> usize {
    streets.iter().map(|street| street.kept.bytes()).sum()
}

/// The regions of starts, with nothing but what is held there.
fn exactly(starts: &[(Region, At)], explored: &mut Explored) -> Vec<(Region, Known)> {
    let gates = &mut explored.gates;
    let exactly = |(region, at): &(Region, At)| (*region, gates.exactly(at.known.must));
    starts.iter().map(exactly).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn street(promise: f64, weight: f64) -> Street {
        Street {
            way: 1,
            kept: Kept::nothing(),
            entrances: Vec::new(),
            hope: Hope::Blurred,
            telling: 0,
            promise,
            weight,
        }
    }

    #[test]
    fn a_long_street_waits_for_a_short_one_that_promises_hardly_less() {
        let short = street(0.96, 100.0);
        let waits = |promise, weight| street(promise, weight).may_wait_for(&short);
        // Odds of 24 to 1, and less than 30 to 1.
        assert!(waits(0.967, 201.0));
        assert!(!waits(0.968, 201.0));
        assert!(!waits(0.967, 199.0));
        // What promises less waits, whatever the order.
        assert!(waits(0.5, 201.0));
        // Victory is infinitely better than what may fail, and nothing is no better than nothing.
        assert!(!waits(1.0, 1e9));
        assert!(!street(1.0, 201.0).may_wait_for(&street(1.0, 100.0)));
        assert!(!street(0.0, 201.0).may_wait_for(&street(0.0, 100.0)));
    }
}
