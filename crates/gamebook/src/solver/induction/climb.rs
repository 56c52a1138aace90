//! Ladders: regions to which only permanent changes of bits lead back, such as a shop and what is
//! bought there. They need no iteration.

use std::sync::Arc;

use crate::compiled::{Compiled, CompiledRefreshment, CompiledWare, Op, Scene};
use crate::solver::diagrams::LOST;
use crate::solver::diagrams::gates::{Known, NO};
use crate::solver::induction::Induction;
use crate::solver::limits::Halt;
use crate::solver::reduction::must::{asked, gained};

/// Bits that are all gained, or all lost, by whatever leads back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rungs {
    bits: u128,
    gained: bool,
    /// Whether refreshments change them, and not deals.
    drunk: bool,
}

impl Induction<'_> {
    /// The rungs of a region, if only permanent changes of bits lead back to it.
    pub(crate) fn rungs(&self, number: usize) -> Option<Rungs> {
        let (region, found) = self.explored.regions.get_index(number)?;
        let book = &self.walk.game.compiled;
        let scene = region.scene;
        let rungs = match &book.scenes[scene as usize] {
            Scene::Choice(options) if options.iter().all(|option| option.way.to != scene) => {
                let all = book.refreshments.iter();
                let mut others = all.filter(|one| !self.walk.is_plain(one.effects));
                // A bit that another refreshment restores is not used up for good.
                let brought = others
                    .clone()
                    .fold(0, |bits, one| bits | gained(book, one.effects));
                let bits = others.try_fold(0, |bits, one| match used_up(book, one) & !brought {
                    0 => None,
                    used => Some(bits | used),
                })?;
                Rungs {
                    bits,
                    gained: false,
                    drunk: true,
                }
            }
            Scene::Shop { sells, buys, leave } if leave.to != scene => traded(sells, buys)?,
            _ => return None,
        };
        let bits = rungs.bits & found.known.may;
        Some(Rungs { bits, ..rungs })
    }

    /// Solves such a region rung by rung, from the last rung, from which nothing leads on. Returns
    /// whether that was possible.
    pub(crate) fn climb(&mut self, number: usize, rungs: Rungs) -> Result<bool, Halt> {
        let all = self.explored.regions[number].known;
        if self.is_onwards() {
            // The values of all rungs are known, and whoever leaves one never comes back.
            let exact = self.region_worth(number, all)?;
            let open = self.open[number];
            self.worth[number].exact = if open { LOST } else { exact };
            return Ok(!open);
        }
        let (before, mut most) = (self.rounding, 0.0_f64);
        // The value without refreshments is the same on all rungs. It is computed once, since most
        // of it does not depend on what can be drunk. Decisions are made for all rungs at once, and
        // bounds are rounded by what is kept, so neither is done this way.
        if rungs.drunk && rungs.bits != 0 && self.picks.is_none() && self.bound.is_none() {
            let exact = self.region_worth(number, all)?;
            most = self.rounding - before;
            self.rounding = before;
            if self.open[number] {
                return Ok(false);
            }
            self.worth[number].exact = exact;
            self.undrunk = Some(exact);
        }
        let climbed = self.rung_by_rung(number, rungs);
        self.undrunk = None;
        let Some(rounded) = climbed? else {
            return Ok(false);
        };
        self.rounding += most.max(rounded);
        Ok(true)
    }

    /// Returns the rounding error of the mixtures, or `None` if it was not possible. No path meets
    /// a mixture of the region twice, since what leads back is never taken again.
    fn rung_by_rung(&mut self, number: usize, rungs: Rungs) -> Result<Option<f64>, Halt> {
        let all = self.explored.regions[number].known;
        let count = rungs.bits.count_ones();
        let (before, mut most) = (self.rounding, 0.0_f64);
        let mut done = NO;
        for rung in 0..=count {
            let gates = &mut self.diagrams.gates;
            let here = match rungs.gained {
                true => gates.at_least(rungs.bits, count - rung, all),
                false => {
                    let more = gates.at_least(rungs.bits, rung + 1, all);
                    gates.not(more)
                }
            };
            let up_to = gates.and(all.care, here);
            let others = gates.not(done);
            let new = gates.and(up_to, others);
            if new == NO {
                continue;
            }
            if self.undrunk.is_some() && rung == 0 {
                done = up_to;
                continue;
            }
            self.collect();
            // Decisions are made for all rungs at once.
            let care = if self.picks.is_some() { up_to } else { new };
            let mut exact = self.region_worth(number, Known { care, ..all })?;
            most = most.max(self.rounding - before);
            self.rounding = before;
            if self.open[number] {
                return Ok(None);
            }
            if care != up_to {
                let last = self.worth[number].exact;
                exact = self.diagrams.gate(new, exact, last);
                // Higher rungs are still empty, or hold the values without refreshments.
                let known = if self.undrunk.is_some() {
                    all.care
                } else {
                    up_to
                };
                exact = self.diagrams.fit(exact, known);
            }
            self.worth[number].exact = exact;
            done = up_to;
        }
        Ok(Some(most))
    }
}

/// What a shop sells, or what it buys, if it does only one of the two and sells items only.
fn traded(
    sells: &[(CompiledWare, i16, Arc<str>)],
    buys: &[(u128, i16, Arc<str>)],
) -> Option<Rungs> {
    let sold = sells.iter().try_fold(0, |bits, (ware, ..)| match ware {
        CompiledWare::Bit(bit) => Some(bits | bit),
        CompiledWare::Stat(_) => None,
    })?;
    let bought = buys.iter().fold(0, |bits, ware| bits | ware.0);
    let rungs = |bits: u128, gained: bool| Rungs {
        bits,
        gained,
        drunk: false,
    };
    match (sold, bought) {
        (bits, 0) => Some(rungs(bits, true)),
        (0, bits) => Some(rungs(bits, false)),
        _ => None,
    }
}

/// The bits that a refreshment requires and never restores, such as a potion.
fn used_up(book: &Compiled, one: &CompiledRefreshment) -> u128 {
    let asked = one.condition.map_or(0, |condition| asked(book, condition));
    let ops = book.effects[one.effects as usize].iter();
    let lost = ops.fold(0, |lost, op| match op {
        Op::Lose(mask) => lost | mask,
        Op::Gain(mask) => lost & !mask,
        Op::Random(_) | Op::When(..) | Op::Repeat(..) => 0,
        _ => lost,
    });
    asked & lost
}
