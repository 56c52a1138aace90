//! Solving choices in slices: what may follow random losses is computed for a part of the sheets at
//! a time, if there is not enough memory for all of them at once.
//!
//! Values after a loss depend on everything that is held, so there may be three tables for each one
//! that is left once the options of a choice have been compared. These tables are freed before the
//! next slice. The price is that what two slices have in common is computed twice. Slices are
//! halves of the sheets, and halves of these, by what is held.

use rustc_hash::FxHashMap;

use crate::compiled::{Compiled, Op};
use crate::solver::diagrams::LOST;
use crate::solver::diagrams::gates::{NO, YES, ones};
use crate::solver::induction::deferred::Ahead;
use crate::solver::induction::enclose::Turned;
use crate::solver::induction::{Induction, Worth};
use crate::solver::limits::Halt;

/// How often the sheets of a choice are halved, at most.
const MOST_HALVES: usize = 8;

impl Induction<'_> {
    /// Solves a choice whose options have been weighed: at once, or in slices if that takes too
    /// much memory. What is computed for those who take risks is freed in between.
    pub(crate) fn by_slices(&mut self, number: usize) -> Result<Option<Turned>, Halt> {
        let whole = self.explored.regions[number].known;
        // Bounds take little memory.
        let whole_only = self.bound.is_some();
        // No path leads through two slices, so the largest error counts.
        let (before, mut most) = (self.rounding, 0.0_f64);
        let mut bits = None;
        let mut slices = vec![(YES, 0)];
        while let Some((slice, depth)) = slices.pop() {
            let known = self.diagrams.gates.refine(slice, whole);
            if known.care == NO {
                continue;
            }
            self.explored.regions[number].known = known;
            // `most` meanwhile holds the value of the other slices, in place of a bound.
            self.worth[number].most = std::mem::replace(&mut self.worth[number].exact, LOST);
            let turned = self.ask(&[number]).and_then(|()| self.ring(&[number]));
            self.explored.regions[number].known = whole;
            if slice == YES && (turned.is_ok() || whole_only) {
                return turned;
            }
            let rounding = std::mem::replace(&mut self.rounding, before) - before;
            let others = std::mem::replace(&mut self.worth[number].most, LOST);
            let here = std::mem::replace(&mut self.worth[number].exact, others);
            match turned {
                Ok(None) => {
                    most = most.max(rounding);
                    // Both are kept meanwhile.
                    self.worth[number].least = here;
                    self.start_over();
                    let Worth { exact, least, .. } = self.worth[number];
                    self.worth[number].least = LOST;
                    self.worth[number].exact = self.diagrams.gate(slice, least, exact);
                    self.within()?;
                }
                // A ring with chance is enclosed for all sheets at once.
                Ok(Some(_)) => return Err(Halt::Bytes),
                Err(Halt::Bytes) => {
                    let plain = self.diagrams.tables.are_plain();
                    self.start_over();
                    if slice == YES && plain {
                        // There may be room for all of them if tables are folded.
                        slices.push((YES, 0));
                        continue;
                    }
                    let bits = match &bits {
                        Some(bits) => bits,
                        None => bits.insert(self.parting(number)?),
                    };
                    let Some(bit) = bits.get(depth) else {
                        return Err(Halt::Bytes);
                    };
                    let gates = &mut self.diagrams.gates;
                    let with = gates.node(*bit, NO, YES);
                    let without = gates.not(with);
                    for half in [with, without] {
                        slices.push((gates.and(slice, half), depth + 1));
                    }
                }
                Err(halt) => return Err(halt),
            }
        }
        self.rounding = before + most;
        let all = self.worth[number].exact;
        self.worth[number].exact = self.diagrams.fit(all, whole.care);
        self.within()?;
        Ok(None)
    }

    /// Frees what was computed for those who take risks, and whatever no other region will read.
    /// What is left is folded.
    pub(crate) fn start_over(&mut self) {
        for worth in self.worth.iter_mut().filter(|worth| worth.put_off) {
            worth.forget();
        }
        self.diagrams.tables.full = false;
        self.diagrams.gates.rest();
        self.collect_now();
        self.diagrams.tables.fold(0);
    }

    /// The bits by which to halve the sheets of a region if too many want to take a risk, best
    /// first: those that split these sheets most evenly.
    fn parting(&mut self, number: usize) -> Result<Vec<u8>, Halt> {
        let known = self.explored.regions[number].known;
        let mut ahead = Ahead::default();
        self.look_ahead(number, known, &mut ahead)?;
        // Refreshments must not leave the slice.
        let book = &self.walk.game.compiled;
        let refreshments = book.refreshments.iter();
        let refreshed = refreshments.fold(0, |bits, one| bits | changed(book, one.effects));
        let gates = &mut self.diagrams.gates;
        let mut bits: Vec<(f64, u8)> = Vec::new();
        for bit in ones(known.may & !known.must & !refreshed) {
            let held = gates.node(bit, NO, YES);
            let mut off = 0.0_f64;
            for (_, known) in ahead.values() {
                let with = gates.and(known.care, held);
                let mut memo = FxHashMap::default();
                let share = gates.share(with, &mut memo) / gates.share(known.care, &mut memo);
                off = off.max((share - 0.5).abs());
            }
            bits.push((off, bit));
        }
        bits.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        Ok(bits
            .into_iter()
            .map(|(_, bit)| bit)
            .take(MOST_HALVES)
            .collect())
    }
}

/// Bits that a list of effects may change.
fn changed(book: &Compiled, list: u32) -> u128 {
    book.bits_by(list, |op| match op {
        Op::Gain(mask) | Op::Lose(mask) | Op::LoseRandom(mask, _) => *mask,
        _ => 0,
    })
}
