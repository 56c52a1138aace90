//! Options that cost more than the hero may have.

use super::Analysis;
use super::known::Known;
use crate::Finding;
use crate::compiled::{CompiledOption, Op, Scene};
use crate::place::STATS;

impl Analysis<'_> {
    /// Options of choices that take a fixed amount of a stat with a floor from a hero who, by the
    /// bounds, may have less above the floor.
    ///
    /// Only what the option itself takes for certain counts. A loss on arrival, or by chance, is
    /// nothing that the reader pays.
    pub(super) fn unguarded(&self, paths: &[String]) -> Vec<Finding> {
        let compiled = self.sheets.book;
        let mut findings = Vec::new();
        for (scene, known) in self.flow.scenes.iter().enumerate() {
            let (Some(known), Scene::Choice(options)) = (known, &compiled.scenes[scene]) else {
                continue;
            };
            for (slot, option) in options.iter().enumerate() {
                let short = self.short(option, known.anew());
                for (stat, amount) in compiled.stats.iter().zip(short) {
                    if amount > 0 {
                        findings.push(Finding::Unguarded {
                            section: compiled.numbers[scene],
                            field: format!("{}choice[{slot}]", paths[scene]),
                            option: option.label.to_string(),
                            stat: stat.id.to_string(),
                            amount,
                        });
                    }
                }
            }
        }
        findings
    }

    /// By stat, what an option takes for certain, if a floor may keep a part of it.
    fn short(&self, option: &CompiledOption, known: Known) -> [u32; STATS] {
        let compiled = self.sheets.book;
        let (mut taken, mut kept) = ([0; STATS], [false; STATS]);
        let Some(mut known) = self.sheets.open(option.condition, known) else {
            return taken;
        };
        if compiled.only_arrives(option.way) {
            return taken;
        }
        let list = &compiled.effects[option.way.effects as usize];
        for op in list.iter().take_while(|op| **op != Op::Depart) {
            if let Op::Add(stat, by @ ..0) = op
                && let number = usize::from(*stat)
                && self.is_own(number)
            {
                taken[number] += u32::from(by.unsigned_abs());
                // A floor below 0 allows debts.
                let floor = compiled.stats[number].floor.filter(|floor| *floor >= 0);
                let left = known.low[number] + i32::from(*by);
                kept[number] |= floor.is_some_and(|floor| left < floor.into());
            }
            if !self.sheets.step(op, &mut known) {
                break;
            }
        }
        std::array::from_fn(|stat| if kept[stat] { taken[stat] } else { 0 })
    }
}
