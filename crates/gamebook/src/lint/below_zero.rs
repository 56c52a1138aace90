//! Steps on which a stat may fall below 0.

use std::collections::{BTreeMap, BTreeSet};

use super::Analysis;
use super::flow::STAY;
use super::known::Known;
use crate::Finding;
use crate::compiled::Scene;

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
        let fallen = |after: &Known| {
            let fallen = after.fallen;
            sinking.iter().copied().filter(move |stat| fallen[*stat])
        };
        let mut found = BTreeSet::new();
        let start = self.start.iter().flat_map(fallen);
        found.extend(start.map(|stat| (compiled.start as usize, "effects".to_owned(), stat)));
        let fights = self.fights();
        for edge in &self.edges {
            let written = fights.get(&edge.from).copied().unwrap_or(edge.from);
            for stat in fallen(&edge.after) {
                found.insert((written, self.step(written, edge.slot), stat));
            }
        }
        let findings = found.into_iter().map(|(scene, step, stat)| {
            let path = paths.get(scene).map_or("", String::as_str);
            Finding::MayFallBelowZero {
                section: compiled.numbers[scene],
                field: format!("{path}{step}"),
                stat: compiled.stats[stat].id.to_string(),
            }
        });
        findings.collect()
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
            _ if slot == STAY => "refresh",
            Scene::Choice(_) => return format!("choice[{slot}]"),
            Scene::First(_) => return format!("first[{slot}]"),
            Scene::Random(_) => return format!("random[{slot}]"),
            Scene::Test { .. } if slot == 0 => "test.success",
            Scene::Test { .. } => "test.failure",
            Scene::Fight { .. } if slot == 0 => "fight.victory",
            Scene::Fight { flee: Some(_), .. } if slot == 1 => "fight.escape.flee",
            Scene::Fight { .. } => "fight.toll",
            Scene::Shop { .. } => "shop.leave",
            Scene::Game { .. } => "game",
            Scene::Turn(_) | Scene::Ending(_) | Scene::Dead => "turn",
        };
        fixed.to_owned()
    }
}
