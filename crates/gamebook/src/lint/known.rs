//! Bounds on all sheets that can be held at a place, and how effects change them.
//!
//! The abstract domain has an interval for each stat and two masks for the bits (Cousot and Cousot,
//! "Abstract interpretation", POPL 1977, doi:10.1145/512950.512973). Whatever a hero can hold is
//! within the bounds; not all that is within the bounds can be held.

use std::cell::Cell;

use oddsmith_fightingfantasy::LuckTest;

use super::trials::Worn;
use crate::Cap;
use crate::apply::Caps;
use crate::compiled::{Compiled, Op, Test};
use crate::place::{Held, STATS};

pub(super) const LOWEST: i32 = i16::MIN as i32;
pub(super) const HIGHEST: i32 = i16::MAX as i32;
/// The farthest that a stat can move.
pub(super) const FARTHEST: i32 = HIGHEST - LOWEST;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// Bits that may be held, and bits that are certainly held.
    pub(super) may: u128,
    pub(super) must: u128,
    pub(super) low: [i32; STATS],
    pub(super) high: [i32; STATS],
    /// Changes since the last [`Known::anew`]: the most that each stat can have risen, and the bits
    /// that can have been gained and lost.
    pub(super) rise: [i32; STATS],
    pub(super) gained: u128,
    pub(super) lost: u128,
    /// The stats that can have fallen below 0 since then, before the next section and on arrival
    /// there.
    pub(super) fallen: [bool; STATS],
    pub(super) fallen_there: [bool; STATS],
    /// Whether the hero has left the section.
    pub(super) arriving: bool,
}

impl Known {
    /// Takes over the bounds of the survivors, if any; returns whether there are any.
    fn keep(&mut self, left: Option<Known>) -> bool {
        if let Some(left) = left {
            *self = left;
        }
        left.is_some()
    }

    fn of(held: &Held) -> Self {
        let stats = held.stats.map(i32::from);
        Known {
            may: held.items,
            must: held.items,
            low: stats,
            high: stats,
            rise: [0; STATS],
            gained: 0,
            lost: 0,
            fallen: [false; STATS],
            fallen_there: [false; STATS],
            arriving: false,
        }
    }

    pub(super) fn anew(mut self) -> Self {
        self.rise = [0; STATS];
        (self.fallen, self.fallen_there) = ([false; STATS], [false; STATS]);
        self.arriving = false;
        (self.gained, self.lost) = (0, 0);
        self
    }

    /// The join: bounds that hold for either sheet.
    pub(super) fn or(mut self, other: &Known) -> Self {
        self.may |= other.may;
        self.must &= other.must;
        for stat in 0..STATS {
            self.low[stat] = self.low[stat].min(other.low[stat]);
            self.high[stat] = self.high[stat].max(other.high[stat]);
            self.rise[stat] = self.rise[stat].max(other.rise[stat]);
            self.fallen[stat] |= other.fallen[stat];
            self.fallen_there[stat] |= other.fallen_there[stat];
        }
        self.gained |= other.gained;
        self.lost |= other.lost;
        self
    }

    /// Widening: gives up bounds that have moved since `before`. A lower bound is given up in two
    /// steps, since what a condition of the cycle keeps from falling mostly stays at 0 or more.
    pub(super) fn widen(mut self, before: &Known) -> Self {
        for stat in 0..STATS {
            if self.low[stat] < before.low[stat] {
                self.low[stat] = if self.low[stat] >= 0 { 0 } else { LOWEST };
            }
            if self.high[stat] > before.high[stat] {
                self.high[stat] = HIGHEST;
            }
        }
        self
    }

    /// A stat may rise by this much.
    fn rises(&mut self, stat: u8, by: i32) {
        let rise = &mut self.rise[usize::from(stat)];
        *rise = rise.saturating_add(by).min(FARTHEST);
    }

    /// Stats that may have fallen below 0, as far as the hero has come.
    fn falling(&mut self) -> &mut [bool; STATS] {
        match self.arriving {
            true => &mut self.fallen_there,
            false => &mut self.fallen,
        }
    }

    pub(super) fn gain(&mut self, bits: u128) {
        self.gained |= bits & !self.must;
        self.may |= bits;
        self.must |= bits;
    }

    pub(super) fn lose(&mut self, bits: u128) {
        self.lost |= bits & self.may;
        self.may &= !bits;
        self.must &= !bits;
    }

    /// `bits` may have been gained.
    pub(super) fn perhaps_gain(&mut self, bits: u128) {
        self.gained |= bits & !self.must;
        self.may |= bits;
    }

    /// `bits` may have been lost.
    pub(super) fn perhaps_lose(&mut self, bits: u128) {
        self.lost |= bits & self.may;
        self.must &= !bits;
    }
}

fn either(one: Option<Known>, other: Option<Known>) -> Option<Known> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.or(&other)),
        (one, other) => one.or(other),
    }
}

/// The transfer functions of a book.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sheets<'c> {
    pub(super) book: &'c Compiled,
    pub(super) worn: &'c Worn<'c>,
    pub(super) rule: LuckTest,
    /// The range of each cap that no effect raises.
    pub(super) caps: [Option<(i32, i32)>; STATS],
    /// Bits that are never gained, to see what the book is like without them.
    pub(super) barred: u128,
    /// If given, collects what heroes may hold who die of effects.
    pub(super) buried: Option<&'c Cell<u128>>,
}

impl<'c> Sheets<'c> {
    fn new(
        (book, worn, rule): (&'c Compiled, &'c Worn<'c>, LuckTest),
        caps: [Option<(i32, i32)>; STATS],
    ) -> Self {
        Sheets {
            book,
            worn,
            rule,
            caps,
            barred: 0,
            buried: None,
        }
    }

    /// All heroes that the dice of the sheet can make, with these bits.
    pub(super) fn all_heroes(
        (book, worn, rule): (&'c Compiled, &'c Worn<'c>, LuckTest),
        certain: u128,
        perhaps: u128,
    ) -> (Self, Known) {
        let mut known = Known::of(&Held {
            items: certain,
            stats: [0; STATS],
        });
        known.may |= perhaps;
        let mut caps = [None; STATS];
        for (number, stat) in book.stats.iter().enumerate() {
            let rolled = (stat.initial.min(), stat.initial.max());
            (known.low[number], known.high[number]) = rolled;
            let cap = stat.cap.map(|cap| match cap {
                Cap::At(cap) => (cap.into(), cap.into()),
                Cap::Initial => rolled,
            });
            caps[number] = cap;
            if let (Some(raised), Some(cap)) = (stat.raised, cap) {
                let raised = usize::from(raised);
                (known.low[raised], known.high[raised]) = cap;
            }
        }
        (Sheets::new((book, worn, rule), caps), known)
    }

    /// A single hero.
    pub(super) fn one_hero(
        rules: (&'c Compiled, &'c Worn<'c>, LuckTest),
        caps: &Caps,
        held: &Held,
    ) -> (Self, Known) {
        let caps = caps.map(|cap| cap.map(|cap| (cap.into(), cap.into())));
        (Sheets::new(rules, caps), Known::of(held))
    }

    /// The bounds refined by a condition that holds, or does not; `None` if that is impossible.
    pub(super) fn assume(&self, condition: u32, holds: bool, mut known: Known) -> Option<Known> {
        let possible = match &self.book.conditions[condition as usize] {
            Test::Has(mask) if holds => {
                known.must |= mask & known.may;
                known.may & mask != 0
            }
            Test::Has(mask) => {
                known.may &= !mask;
                known.must & mask == 0
            }
            Test::AtLeast(stat, value) if holds => {
                let stat = usize::from(*stat);
                known.low[stat] = known.low[stat].max((*value).into());
                known.high[stat] >= (*value).into()
            }
            Test::AtLeast(stat, value) => {
                let stat = usize::from(*stat);
                known.high[stat] = known.high[stat].min(i32::from(*value) - 1);
                known.low[stat] < (*value).into()
            }
            Test::Holds(mask, count) if holds => {
                let found = (known.may & mask).count_ones();
                if found == u32::from(*count) {
                    known.must |= known.may & mask;
                }
                found >= u32::from(*count)
            }
            Test::Holds(mask, count) => {
                if *count == 1 {
                    known.may &= !mask;
                }
                (known.must & mask).count_ones() < u32::from(*count)
            }
            Test::Not(not) => return self.assume(*not, !holds, known),
            Test::All(parts) if holds => return self.each(parts, true, known),
            Test::Any(parts) if !holds => return self.each(parts, false, known),
            Test::All(parts) | Test::Any(parts) => {
                let ways = parts.iter().map(|part| self.assume(*part, holds, known));
                return ways.fold(None, either);
            }
        };
        possible.then_some(known)
    }

    /// The bounds where something is open: refined by its condition, if it has one.
    pub(super) fn open(&self, condition: Option<u32>, known: Known) -> Option<Known> {
        match condition {
            Some(condition) => self.assume(condition, true, known),
            None => Some(known),
        }
    }

    fn each(&self, parts: &[u32], holds: bool, known: Known) -> Option<Known> {
        let mut parts = parts.iter();
        parts.try_fold(known, |known, part| self.assume(*part, holds, known))
    }

    /// The bounds after a list of effects; `None` if nobody survives it.
    pub(super) fn run(&self, list: u32, mut known: Known) -> Option<Known> {
        let mut ops = self.book.effects[list as usize].iter();
        ops.all(|op| self.step(op, &mut known)).then_some(known)
    }

    /// Whether somebody survives these effects up to leaving the section.
    pub(super) fn departs(&self, list: u32, mut known: Known) -> bool {
        let ops = &self.book.effects[list as usize];
        let last = ops.iter().position(|op| *op == Op::Depart);
        let before = last.map_or(&[][..], |last| &ops[..=last]);
        before.iter().all(|op| self.step(op, &mut known))
    }

    /// Applies one effect; returns whether anybody survives it.
    pub(super) fn step(&self, op: &Op, known: &mut Known) -> bool {
        match op {
            Op::Add(stat, by) => self.add(known, *stat, (*by).into(), (*by).into()),
            Op::Roll(stat, by) => self.add(known, *stat, by.min(), by.max()),
            Op::Set(stat, to) => {
                let number = usize::from(*stat);
                self.fall(known, *stat, to.min());
                let rise = to.max() - known.low[number];
                known.rises(*stat, rise.max(self.floor_rise(*stat, to.max(), known)));
                known.low[number] = to.min();
                known.high[number] = to.max();
                self.cut(known, *stat);
            }
            Op::Restore(stat) => {
                let number = usize::from(*stat);
                if let Some((low, high)) = self.cap(known, *stat) {
                    known.rises(*stat, (high - known.low[number]).max(0));
                    known.low[number] = known.low[number].max(low);
                    known.high[number] = known.high[number].max(high);
                }
            }
            Op::RaiseCap(stat, by) => {
                if let Some(cap) = self.book.stats[usize::from(*stat)].raised {
                    let raised = usize::from(cap);
                    let by = i32::from(*by);
                    if known.low[raised] > LOWEST {
                        known.low[raised] = (known.low[raised] + by).clamp(LOWEST, HIGHEST);
                    }
                    known.high[raised] = (known.high[raised] + by).clamp(LOWEST, HIGHEST);
                    known.rises(cap, by);
                }
            }
            Op::Gain(bits) => known.gain(bits & !self.barred),
            Op::Lose(bits) => known.lose(*bits),
            Op::LoseRandom(bits, count) => {
                if (known.may & bits).count_ones() <= u32::from(*count) {
                    known.lose(*bits);
                } else {
                    known.perhaps_lose(*bits);
                }
            }
            Op::Random(branches) => {
                let branches = branches.iter().filter(|(weight, _)| *weight > 0);
                let ways = branches.map(|(_, list)| self.run(*list, *known));
                let after = ways.fold(None, either);
                return known.keep(after);
            }
            Op::When(condition, then, otherwise) => {
                let then = self
                    .assume(*condition, true, *known)
                    .and_then(|k| self.run(*then, k));
                let otherwise = self
                    .assume(*condition, false, *known)
                    .and_then(|k| self.run(*otherwise, k));
                return known.keep(either(then, otherwise));
            }
            Op::Repeat(times, condition, list) => {
                let mut out = None;
                let mut here = Some(*known);
                for _ in 0..*times {
                    let Some(known) = here else { break };
                    let mut again = Some(known);
                    if let Some(condition) = condition {
                        out = either(out, self.assume(*condition, false, known));
                        again = self.assume(*condition, true, known);
                    }
                    here = again.and_then(|known| self.run(*list, known));
                }
                return known.keep(either(out, here));
            }
            Op::Survive => return self.survive(known),
            Op::Depart => {
                known.arriving = true;
                return self.survive(known);
            }
        }
        true
    }

    /// Keeps only the living; returns whether there are any.
    pub(super) fn survive(&self, known: &mut Known) -> bool {
        let life = usize::from(self.book.life);
        known.low[life] = known.low[life].max(1);
        let alive = known.high[life] > 0;
        if let (false, Some(buried)) = (alive, self.buried) {
            // What was lost again has been held, too.
            buried.set(buried.get() | known.may | known.gained);
        }
        alive
    }

    pub(super) fn add(&self, known: &mut Known, stat: u8, least: i32, most: i32) {
        let number = usize::from(stat);
        // A stat on its floor does not sink, and a stat below its floor is lifted to it.
        self.fall(known, stat, known.low[number].max(0) + least);
        let rise = most.max(self.floor_rise(stat, known.low[number] + most, known));
        known.rises(stat, rise);
        // A bound that was given up stays so: what is found after a price does not give it back.
        if known.low[number] > LOWEST {
            known.low[number] += least;
        }
        known.high[number] += most;
        self.cut(known, stat);
    }

    /// A stat that is not below 0 may become as little as this, or as its cap.
    fn fall(&self, known: &mut Known, stat: u8, to: i32) {
        let number = usize::from(stat);
        let cap = self.cap(known, stat).map_or(HIGHEST, |(low, high)| {
            // A hero whose initial value is the cap, and who is not below 0, has no cap below 0.
            let own = low < high && self.book.stats[number].raised.is_none();
            if own { low.max(0) } else { low }
        });
        if known.high[number] >= 0 && to.min(cap) < 0 {
            known.falling()[number] = true;
        }
    }

    /// How far a stat may be below its floor.
    pub(super) fn below_floor(&self, stat: u8, known: &Known) -> i32 {
        let stat = usize::from(stat);
        let floor = self.book.stats[stat].floor.map_or(LOWEST, i32::from);
        (floor - known.low[stat]).max(0)
    }

    /// How far the floor can lift a stat that is to become at least `to`.
    fn floor_rise(&self, stat: u8, to: i32, known: &Known) -> i32 {
        let floor = self.book.stats[usize::from(stat)].floor;
        match floor.map(i32::from) {
            Some(floor) if to < floor => floor - known.low[usize::from(stat)],
            _ => i32::MIN,
        }
    }

    /// Cuts a stat at its cap, then at its floor. Heroes beyond 16 bits do not exist.
    fn cut(&self, known: &mut Known, stat: u8) {
        let number = usize::from(stat);
        if let Some((low, high)) = self.cap(known, stat) {
            known.low[number] = known.low[number].min(low);
            known.high[number] = known.high[number].min(high);
        }
        let floor = self.book.stats[number].floor.map_or(LOWEST, i32::from);
        known.low[number] = known.low[number].clamp(floor, HIGHEST);
        known.high[number] = known.high[number].clamp(floor, HIGHEST);
    }

    fn cap(&self, known: &Known, stat: u8) -> Option<(i32, i32)> {
        let number = usize::from(stat);
        let compiled = &self.book.stats[number];
        match compiled.raised.map(usize::from) {
            Some(raised) => Some((known.low[raised], known.high[raised])),
            None => self.caps[number],
        }
    }
}
