//! Steps on which a stat may fall below 0.

use std::collections::{BTreeMap, BTreeSet};

use super::Analysis;
use super::flow::STAY;
use crate::Finding;
use crate::compiled::Scene;
use crate::place::STATS;

/// In place of the index of a way: the rounds of a game, or the deals of a shop.
const INSIDE: usize = STAY - 1;

impl Analysis<'_> {
    /// Steps that may take a stat without a floor from 0 or more to less than 0. `paths` are the
    /// paths of the scenes within their sections.
    pub(super) fn below_zero(&self, paths: &[String]) -> Vec<Finding> {
        let compiled = self.sheets.book;
        // Whoever has no life left is dead, and SKILL and LUCK only fail. A floor below 0 is meant.
        let used = [Some(compiled.life), compiled.skill, compiled.luck];
        let used = used.map(|stat| stat.map(usize::from));
        let stats = compiled.stats.iter().enumerate();
        let sinking = stats.filter(|(n, stat)| !used.contains(&Some(*n)) && stat.floor.is_none());
        let sinking: Vec<usize> = sinking.map(|(stat, _)| stat).collect();
        let those = |fallen: [bool; STATS]| {
            let those = sinking.iter().copied();
            those.filter(move |stat| fallen[*stat])
        };

        // By scene, the way, or nothing for the effects on arrival.
        let mut found: BTreeSet<(usize, Option<usize>, usize)> = BTreeSet::new();
        let start = self.start.iter().flat_map(|start| those(start.fallen));
        found.extend(start.map(|stat| (compiled.start as usize, None, stat)));
        for (scene, known) in self.flow.scenes.iter().enumerate() {
            if let (Some(known), Scene::Game { .. } | Scene::Shop { .. }) =
                (known, &compiled.scenes[scene])
            {
                let fallen = self.sheets.inside(scene, &known.anew()).fallen;
                found.extend(those(fallen).map(|stat| (scene, Some(INSIDE), stat)));
            }
        }
        let fights = self.fights();
        for edge in self.edges.iter().filter(|edge| edge.slot != STAY) {
            let written = fights.get(&edge.from).copied().unwrap_or(edge.from);
            // All tolls of a fight are one field.
            let slot = match &compiled.scenes[written] {
                Scene::Fight { flee, .. } => edge.slot.min(1 + usize::from(flee.is_some())),
                _ => edge.slot,
            };
            let fallen = those(edge.after.fallen);
            found.extend(fallen.map(|stat| (written, Some(slot), stat)));
            let there = those(edge.after.fallen_there);
            found.extend(there.map(|stat| (edge.to, None, stat)));
        }

        let finding = |scene: usize, field: String, stat: usize| Finding::MayFallBelowZero {
            section: compiled.numbers[scene],
            field,
            stat: compiled.stats[stat].id.to_string(),
        };
        let found = found.into_iter().map(|(scene, slot, stat)| {
            let path = paths.get(scene).map_or("", String::as_str);
            let step = slot.map_or_else(|| "effects".to_owned(), |slot| self.step(scene, slot));
            finding(scene, format!("{path}{step}"), stat)
        });
        let mut findings: Vec<Finding> = found.collect();
        for stat in those([true; STATS]) {
            for (number, scene) in self.refreshments_below_zero(stat) {
                findings.push(finding(
                    scene,
                    format!("sheet.refreshments[{number}]"),
                    stat,
                ));
            }
        }
        findings
    }

    /// The refreshments that may take a stat below 0, each with the first scene in which it may.
    fn refreshments_below_zero(&self, stat: usize) -> Vec<(usize, usize)> {
        let scenes = self.edges.iter().filter(|edge| edge.slot == STAY);
        let mut scenes: Vec<usize> = scenes.map(|edge| edge.from).collect();
        scenes.dedup();
        let refreshments = self.sheets.book.refreshments.iter().enumerate();
        let first = refreshments.filter_map(|(number, refreshment)| {
            let fallen = |scene: usize| {
                let known = self.flow.scenes[scene]?.anew();
                let known = self.sheets.open(refreshment.condition, known)?;
                Some(self.sheets.run(refreshment.effects, known)?.fallen[stat])
            };
            let mut scenes = scenes.iter().copied();
            let first = scenes.find(|&scene| fallen(scene) == Some(true))?;
            Some((number, first))
        });
        first.collect()
    }

    /// Scenes in which fights go on after a toll, with those in which they begin, where they are
    /// written.
    fn fights(&self) -> BTreeMap<usize, usize> {
        let compiled = self.sheets.book;
        let scenes = compiled.scenes.iter().enumerate();
        let begin = scenes.filter(|(scene, _)| !compiled.is_amid_a_fight(*scene));
        let tolls = begin.flat_map(|(scene, fight)| match fight {
            Scene::Fight { tolls, .. } => {
                let later = tolls.iter().map(|way| (way.to as usize, scene));
                later.collect()
            }
            _ => Vec::new(),
        });
        tolls.collect()
    }

    /// The field of a step within its scene.
    fn step(&self, scene: usize, slot: usize) -> String {
        let fixed = match &self.sheets.book.scenes[scene] {
            Scene::Choice(_) => return format!("choice[{slot}]"),
            Scene::First(_) => return format!("first[{slot}]"),
            Scene::Random(_) => return format!("random[{slot}]"),
            Scene::Test { .. } if slot == 0 => "test.success",
            Scene::Test { .. } => "test.failure",
            Scene::Fight { .. } if slot == 0 => "fight.victory",
            Scene::Fight { flee: Some(_), .. } if slot == 1 => "fight.escape.flee",
            Scene::Fight { .. } => "fight.toll",
            Scene::Shop { .. } if slot == INSIDE => "shop",
            Scene::Shop { .. } => "shop.leave",
            Scene::Game { .. } if slot == INSIDE => "game.round",
            Scene::Game { .. } => "game.after",
            Scene::Turn(_) | Scene::Ending(_) | Scene::Dead => "to",
        };
        fixed.to_owned()
    }
}
