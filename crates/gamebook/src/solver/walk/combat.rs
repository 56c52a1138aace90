//! Fights in a walk, and the effects of working items.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::compiled::{CompiledItem, Op, Way};
use crate::solver::diagrams::gates::{Gate, NO, YES};
use crate::solver::limits::Halt;
use crate::solver::reach::extent::Span;
use crate::solver::walk::Walk;
use crate::solver::walk::interpreter::{At, Each, Ends, Fought, Interpreter};
use crate::solver::walk::spending::Lucky;
use crate::solver::walk::steps::Goal;
use crate::solver::walk::thrown::{Rest, Thrown};

impl Walk<'_> {
    pub(crate) fn fight<H: Interpreter>(
        &self,
        (number, bonus, luck): (u32, (i32, i32), Option<Lucky>),
        (victory, flee, tolls): (Way, Option<Way>, &[Way]),
        at: At,
        h: &mut H,
    ) -> Result<H::T, Halt> {
        let book = &self.game.compiled;
        let fight = &book.fights[number as usize];
        let fought = |value: i16, h: &mut H, at: At| {
            let mut left = at;
            if let (Some(stat), Some(lucky)) = (book.battle_luck, luck) {
                left.extent[usize::from(stat)] = lucky.after();
            }
            let mut bouts = Vec::new();
            for only in fight.bouts() {
                let marks = |from: u16, to: u16| {
                    let marks = fight.marks.get(from.into()..to.into());
                    marks.map_or(0, |marks| marks.iter().fold(0, |all, mark| all | mark))
                };
                let (first, last) = match only {
                    Some(only) => (only, only + 1),
                    None => (fight.first().foe, fight.foes.len() as u16),
                };
                let mut all = vec![self.decided(left, marks(first, last), victory, h)?];
                if let Some(way) = flee {
                    for foe in first..last {
                        all.push(self.decided(left, marks(first, foe), way, h)?);
                    }
                }
                for (standoff, way) in fight.tolled.iter().zip(tolls) {
                    if only.is_none_or(|only| only == standoff.foe) {
                        all.push(self.goes_on(left, marks(first, standoff.foe), *way, h)?);
                    }
                }
                bouts.push(Ends { only, all });
            }
            let fought = Fought {
                number,
                arms: book.armed(fight, (i32::from(value) + bonus.0, bonus.1)),
                luck,
            };
            h.fight(&fought, &at, bouts)
        };
        let Some(skill) = book.skill.map(usize::from) else {
            return fought(0, h, at);
        };
        let mut slices = Vec::new();
        for value in at.extent[skill].values() {
            let mut slice = at;
            slice.extent[skill] = Span::one(value);
            slices.push((Span::one(value), fought(value, h, slice)?));
        }
        h.patch(skill, at.extent[skill], slices)
    }

    /// Splits the sheets by what working items add to the LUCK that may be spent in battle.
    pub(crate) fn spending<H: Interpreter>(
        &self,
        at: At,
        h: &mut H,
        each: Each<'_, (Option<Lucky>, At), H>,
    ) -> Result<H::T, Halt> {
        let book = &self.game.compiled;
        let Some(luck) = book.battle_luck else {
            return each((None, at), h);
        };
        let stat = usize::from(luck);
        self.bonuses(at, Some(luck), false, h, &mut |((bonus, _), at), h| {
            let lucky = Lucky {
                bonus,
                span: at.extent[stat],
                spent: book.spent(luck),
                cap: self.cap(stat, &at),
                floor: book.stats[stat].floor,
            };
            each((Some(lucky), at), h)
        })
    }

    /// What follows a fight, for any STAMINA that it may leave.
    fn decided<H: Interpreter>(
        &self,
        at: At,
        marks: u128,
        way: Way,
        h: &mut H,
    ) -> Result<H::T, Halt> {
        self.marked(at, marks, h, &mut |h, at| {
            self.healed(&self.game.compiled.slots, at, h, &mut |h, at| {
                self.alive(at, h, &mut |h, at| self.go(way, at, h))
            })
        })
    }

    /// What follows a toll, for any STAMINA that is left then.
    fn goes_on<H: Interpreter>(
        &self,
        at: At,
        marks: u128,
        way: Way,
        h: &mut H,
    ) -> Result<H::T, Halt> {
        self.marked(at, marks, h, &mut |h, at| self.go(way, at, h))
    }

    /// What follows after foes have fallen who leave marks.
    fn marked<H: Interpreter>(
        &self,
        mut at: At,
        marks: u128,
        h: &mut H,
        goal: Goal<'_, H>,
    ) -> Result<H::T, Halt> {
        at.extent[usize::from(self.game.compiled.life)].lo = 1;
        at.known = h.gates().set(at.known, marks, true);
        let worth = goal(h, at)?;
        h.hold(worth, marks, true)
    }

    /// Applies the effects of working items after a fight, slot by slot.
    pub(crate) fn healed<H: Interpreter>(
        &self,
        slots: &[Vec<CompiledItem>],
        at: At,
        h: &mut H,
        goal: Goal<'_, H>,
    ) -> Result<H::T, Halt> {
        let Some((slot, others)) = slots.split_first() else {
            return goal(h, at);
        };
        if slot.iter().all(|item| item.after_fight.is_empty()) {
            return self.healed(others, at, h, goal);
        }
        self.worn(slot, others, at, h, goal)
    }

    pub(crate) fn worn<H: Interpreter>(
        &self,
        slot: &[CompiledItem],
        others: &[Vec<CompiledItem>],
        at: At,
        h: &mut H,
        goal: Goal<'_, H>,
    ) -> Result<H::T, Halt> {
        let Some((item, behind)) = slot.split_first() else {
            return self.healed(others, at, h, goal);
        };
        let _deeper = self.effort.deeper()?;
        let gate = h.gates().any(item.bit, at.known);
        let changes = item.after_fight.iter();
        let ops: Vec<Op> = changes.map(|&(stat, by)| Op::Add(stat, by)).collect();
        let goal = RefCell::new(goal);
        self.either(
            gate,
            at,
            h,
            &mut |at, h| {
                let rest = Rest {
                    ops: &ops,
                    then: None,
                };
                self.run(&rest, at, &Thrown::default(), h, &mut |h, at| {
                    self.healed(others, at, h, &mut **goal.borrow_mut())
                })
            },
            &mut |at, h| self.worn(behind, others, at, h, &mut **goal.borrow_mut()),
        )
    }

    /// Splits the sheets by what their working items add to a stat, and to attacks and hits.
    pub(crate) fn bonuses<H: Interpreter>(
        &self,
        at: At,
        stat: Option<u8>,
        attack: bool,
        h: &mut H,
        each: Each<'_, ((i32, i32), At), H>,
    ) -> Result<H::T, Halt> {
        let adds = |item: &CompiledItem| {
            let modifiers = item.modifiers.iter();
            let modifiers = modifiers.filter(|(modified, _)| Some(*modified) == stat);
            let sum: i32 = modifiers.map(|(_, by)| i32::from(*by)).sum();
            let (more, hit) = if attack { item.arms } else { (0, 0) };
            (sum + i32::from(more), i32::from(hit))
        };
        let mut sums = BTreeMap::from([((0, 0), YES)]);
        for slot in &self.game.compiled.slots {
            if slot.iter().all(|item| adds(item) == (0, 0)) {
                continue;
            }
            let mut cases = Vec::new();
            let mut none = YES;
            for item in slot {
                let held = h.gates().any(item.bit, at.known);
                cases.push((h.gates().and(none, held), adds(item)));
                let without = h.gates().not(held);
                none = h.gates().and(none, without);
            }
            cases.push((none, (0, 0)));
            let mut next = BTreeMap::new();
            for ((attack, hit), gate) in sums {
                for &(case, (more, harder)) in &cases {
                    self.effort.step()?;
                    let both = h.gates().and(gate, case);
                    let seen = h.gates().and(both, at.known.care);
                    if seen != NO {
                        let entry = next.entry((attack + more, hit + harder)).or_insert(NO);
                        *entry = h.gates().or(*entry, both);
                    }
                }
            }
            sums = next;
        }
        let sums: Vec<((i32, i32), Gate)> = sums.into_iter().collect();
        self.summed(&sums, at, h, each)
    }

    pub(crate) fn summed<H: Interpreter>(
        &self,
        sums: &[((i32, i32), Gate)],
        at: At,
        h: &mut H,
        each: Each<'_, ((i32, i32), At), H>,
    ) -> Result<H::T, Halt> {
        let Some(((sum, gate), others)) = sums.split_first() else {
            return Ok(h.end(false));
        };
        let _deeper = self.effort.deeper()?;
        let known = h.gates().refine(*gate, at.known);
        // The last sum applies to all remaining sheets.
        if others.is_empty() {
            return each((*sum, At { known, ..at }), h);
        }
        if known.care == NO {
            return self.summed(others, at, h, each);
        }
        let first = each((*sum, At { known, ..at }), h)?;
        let rest = self.summed(others, at, h, each)?;
        h.gate(*gate, first, rest)
    }
}
