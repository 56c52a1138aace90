//! Findings about items and flags.

use std::collections::BTreeSet;

use super::Analysis;
use super::flow::STAY;
use super::known::Sheets;
use crate::Finding;
use crate::compiled::{Compiled, CompiledItem, Op, Scene, Test, Way};
use crate::place::STATS;

impl Analysis<'_> {
    /// What everybody must have, what nobody can have, and what makes no difference.
    pub(super) fn item_findings(&self) -> Vec<Finding> {
        let compiled = self.sheets.book;
        let Reads {
            asked,
            used,
            anything,
            takes_anything,
            ..
        } = self.reads();
        // What is gained on a step is held at least until the next one.
        let start = self.start.map_or(0, |start| start.may | start.gained);
        let had = self.brought | start;
        let had = self
            .edges
            .iter()
            .fold(had, |had, edge| had | edge.after.may | edge.after.gained);
        // Or the hero dies with it: of effects, or in a shop or a fight that nobody leaves alive.
        let had = had | self.buried;
        let closed: BTreeSet<(usize, usize)> = self
            .edges
            .iter()
            .zip(&self.needs.lost)
            // Refreshments share one slot, and only some of them may be lost.
            .filter(|(edge, lost)| **lost && edge.slot != STAY)
            .map(|(edge, _)| (edge.from, edge.slot))
            .collect();
        let needed = if self.flow.won {
            // What can be sold, or works in a test or a fight, may be needed as well.
            self.must_haves((asked | used) & had, &closed)
        } else {
            0
        };
        let mut findings = Vec::new();
        for (place, item) in compiled.bits.iter().enumerate() {
            let bit = 1_u128 << place;
            let item = item.to_string();
            if had & bit == 0 {
                findings.push(Finding::Unobtainable { item });
            } else if (asked | used) & bit == 0 {
                let shields = takes_anything && anything & bit != 0;
                findings.push(Finding::Unread { item, shields });
            } else if needed & bit != 0 {
                findings.push(Finding::MustHave { item });
            }
        }
        findings
    }

    /// Those of some bits without which nobody wins.
    ///
    /// One pass for each bit would do. But if somebody wins without any of several bits, none of
    /// them is needed, and most books need few. So the bits are tested in groups, which are halved
    /// if needed: first those that no victory is known to need, then the others.
    fn must_haves(&self, bits: u128, closed: &BTreeSet<(usize, usize)>) -> u128 {
        let known = self.needs.scenes.iter().flatten();
        let known = known.fold(0, |all, needed| all | needed) & bits;
        let mut waiting = vec![bits & !known, known];
        let mut found = 0;
        while let Some(bits) = waiting.pop() {
            if bits == 0 || self.wins_without(bits, closed) {
                continue;
            }
            if bits.count_ones() == 1 {
                found |= bits;
                continue;
            }
            let mut half = 0;
            for _ in 0..bits.count_ones() / 2 {
                half |= 1_u128 << (bits & !half).trailing_zeros();
            }
            waiting.extend([bits & !half, half]);
        }
        found
    }

    /// Whether the bounds let somebody win who has never had any of these.
    fn wins_without(&self, bits: u128, closed: &BTreeSet<(usize, usize)>) -> bool {
        let Some(mut known) = self.start else {
            return false;
        };
        known.may &= !bits;
        known.must &= !bits;
        let without = Sheets {
            barred: bits,
            ..self.sheets
        };
        without.flow(Some(known), &self.order, closed, true).won
    }

    /// What is read where readers come.
    fn reads(&self) -> Reads<'_> {
        let compiled = self.sheets.book;
        let mut reads = Reads::new(compiled);
        reads.list(compiled.arrivals[compiled.start as usize]);
        let scenes = self.flow.scenes.iter().zip(&compiled.scenes);
        for (_, scene) in scenes.filter(|(known, _)| known.is_some()) {
            reads.scene(scene);
        }
        // Also if what it asks for keeps a refreshment closed: without it, it would be open.
        let mut scenes = self.flow.scenes.iter().enumerate();
        let offered = scenes.any(|(scene, known)| {
            known.is_some_and(|known| self.sheets.may_offer(scene, &known.anew()))
        });
        let refreshments = compiled.refreshments.iter().filter(|_| offered);
        for refreshment in refreshments {
            reads.condition(refreshment.condition);
            reads.list(refreshment.effects);
        }
        reads.items();
        reads
    }
}

struct Reads<'c> {
    book: &'c Compiled,
    /// What conditions ask for.
    asked: u128,
    /// What has another use.
    used: u128,
    /// All items.
    anything: u128,
    /// Whether any of them may be lost at random.
    takes_anything: bool,
    /// By stat, whether it is tested; only there do modifiers count.
    tested: [bool; STATS],
    fought: bool,
    lists: Vec<bool>,
    conditions: Vec<bool>,
}

impl<'c> Reads<'c> {
    fn new(book: &'c Compiled) -> Self {
        Reads {
            book,
            asked: 0,
            used: 0,
            anything: book
                .slots
                .iter()
                .flatten()
                .fold(0, |all, item| all | item.bit),
            takes_anything: false,
            tested: [false; STATS],
            fought: false,
            lists: vec![false; book.effects.len()],
            conditions: vec![false; book.conditions.len()],
        }
    }

    fn scene(&mut self, scene: &Scene) {
        let mut way = |way: &Way| self.list(way.effects);
        match scene {
            Scene::Turn(only) => way(only),
            Scene::Choice(options) | Scene::First(options) => {
                for option in options {
                    self.condition(option.condition);
                    self.list(option.way.effects);
                }
            }
            Scene::Test {
                stat,
                success,
                failure,
                ..
            } => {
                way(success);
                way(failure);
                self.tested[usize::from(*stat)] = true;
            }
            Scene::Fight {
                victory,
                flee,
                tolls,
                ..
            } => {
                way(victory);
                flee.iter().chain(tolls).for_each(way);
                self.fought = true;
            }
            Scene::Shop { buys, leave, .. } => {
                way(leave);
                self.used |= buys.iter().fold(0, |all, (bit, ..)| all | bit);
            }
            Scene::Game {
                condition,
                round,
                after,
                ..
            } => {
                way(after);
                self.condition(*condition);
                for (_, list) in round {
                    self.list(*list);
                }
            }
            Scene::Random(branches) => branches.iter().for_each(|(_, branch)| way(branch)),
            Scene::Ending(_) | Scene::Dead => {}
        }
    }

    /// Collects the items that work where it matters, once all scenes are known.
    fn items(&mut self) {
        if self.fought {
            for stat in [self.book.skill, self.book.battle_luck]
                .into_iter()
                .flatten()
            {
                self.tested[usize::from(stat)] = true;
            }
        }
        for slot in &self.book.slots {
            let mut works = false;
            // An item that is worn first keeps the others of its slot from working.
            for item in slot.iter().rev() {
                works |= self.works(item);
                if works {
                    self.used |= item.bit;
                }
            }
        }
    }

    fn works(&self, item: &CompiledItem) -> bool {
        let mut modifiers = item.modifiers.iter();
        // Even a change by 0 after a fight may cut a value above its cap.
        let fights = item.arms != (0, 0) || !item.after_fight.is_empty();
        self.fought && fights
            || modifiers.any(|(stat, by)| *by != 0 && self.tested[usize::from(*stat)])
    }

    fn list(&mut self, list: u32) {
        if std::mem::replace(&mut self.lists[list as usize], true) {
            return;
        }
        let book = self.book;
        for op in book.effects[list as usize].iter() {
            match op {
                // An item that may be lost may be lost in place of another one.
                Op::LoseRandom(pool, _) if *pool == self.anything => self.takes_anything = true,
                Op::LoseRandom(pool, _) => self.used |= pool,
                Op::Random(branches) => branches.iter().for_each(|(_, list)| self.list(*list)),
                Op::When(condition, then, otherwise) => {
                    self.condition(Some(*condition));
                    self.list(*then);
                    self.list(*otherwise);
                }
                Op::Repeat(_, condition, list) => {
                    self.condition(*condition);
                    self.list(*list);
                }
                _ => {}
            }
        }
    }

    fn condition(&mut self, condition: Option<u32>) {
        let Some(condition) = condition.map(|condition| condition as usize) else {
            return;
        };
        if std::mem::replace(&mut self.conditions[condition], true) {
            return;
        }
        let book = self.book;
        match &book.conditions[condition] {
            Test::Has(mask) | Test::Holds(mask, _) => self.asked |= mask,
            Test::AtLeast(..) => {}
            Test::Not(not) => self.condition(Some(*not)),
            Test::All(parts) | Test::Any(parts) => {
                parts.iter().for_each(|part| self.condition(Some(*part)));
            }
        }
    }
}
