//! Steps on which a stat may fall below 0.

use std::collections::{BTreeMap, BTreeSet};

use super::Analysis;
use super::flow::STAY;
use crate::Finding;
use crate::compiled::Scene;
use crate::place::STATS;

/// What may take a stat below 0, within its scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// The effects on arrival.
    Arrival,
    /// The rounds of a game, or the deals of a shop.
    Inside,
    /// A way out of the scene, by its index. All tolls of a fight are one.
    Way(usize),
    /// A refreshment, by its index in the sheet.
    Refreshment(usize),
}

/// A step that may take a stat from 0 or more to less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Debt {
    /// The scene in which the step is written. For a fight that goes on after a toll, the one in which
    /// it begins; for a refreshment, the first in which it may do so.
    pub(super) scene: usize,
    pub(super) step: Step,
    pub(super) stat: usize,
}

/// The debts that may be made, and the scenes in which this may happen.
#[derive(Debug, Default)]
pub(super) struct Debts {
    pub(super) all: BTreeSet<Debt>,
    pub(super) made_in: BTreeSet<usize>,
}

impl Debts {
    fn make(&mut self, made_in: usize, (scene, step): (usize, Step), stats: &[usize]) {
        for &stat in stats {
            self.all.insert(Debt { scene, step, stat });
            self.made_in.insert(made_in);
        }
    }
}

impl Analysis<'_> {
    /// Steps that may take a stat without a floor from 0 or more to less than 0.
    pub(super) fn debts(&self) -> Debts {
        let compiled = self.sheets.book;
        // A floor below 0 is meant.
        let stats = compiled.stats.iter().enumerate();
        let sinking = stats.filter(|(stat, is)| self.is_own(*stat) && is.floor.is_none());
        let sinking: Vec<usize> = sinking.map(|(stat, _)| stat).collect();
        let those = |fallen: [bool; STATS]| -> Vec<usize> {
            let those = sinking.iter().copied();
            those.filter(|stat| fallen[*stat]).collect()
        };

        let mut debts = Debts::default();
        if let Some(start) = &self.start {
            let first = compiled.start as usize;
            debts.make(first, (first, Step::Arrival), &those(start.fallen));
        }
        for (scene, known) in self.flow.scenes.iter().enumerate() {
            if let (Some(known), Scene::Game { .. } | Scene::Shop { .. }) =
                (known, &compiled.scenes[scene])
            {
                let fallen = self.sheets.inside(scene, &known.anew()).fallen;
                debts.make(scene, (scene, Step::Inside), &those(fallen));
            }
        }
        let steps = self.steps();
        for edge in self.edges.iter().filter(|edge| edge.slot != STAY) {
            let step = steps.of(edge.from, edge.slot);
            debts.make(edge.from, step, &those(edge.after.fallen));
            let arrival = (edge.to, Step::Arrival);
            debts.make(edge.from, arrival, &those(edge.after.fallen_there));
        }
        self.refreshments(&those, &mut debts);
        debts
    }

    /// Whether a stat is the author's own: whoever has no life left is dead, and SKILL and LUCK
    /// only fail.
    pub(super) fn is_own(&self, stat: usize) -> bool {
        let compiled = self.sheets.book;
        let used = [Some(compiled.life), compiled.skill, compiled.luck];
        !used
            .into_iter()
            .flatten()
            .any(|used| usize::from(used) == stat)
    }

    /// The refreshments that may take a stat below 0.
    fn refreshments(&self, those: &dyn Fn([bool; STATS]) -> Vec<usize>, debts: &mut Debts) {
        let scenes = self.edges.iter().filter(|edge| edge.slot == STAY);
        let mut scenes: Vec<usize> = scenes.map(|edge| edge.from).collect();
        scenes.dedup();
        for (number, refreshment) in self.sheets.book.refreshments.iter().enumerate() {
            let mut first = [None; STATS];
            for &scene in &scenes {
                let known = self.flow.scenes[scene].map(|known| known.anew());
                let known = known.and_then(|known| self.sheets.open(refreshment.condition, known));
                let after = known.and_then(|known| self.sheets.run(refreshment.effects, known));
                for stat in after.map_or(Vec::new(), |after| those(after.fallen)) {
                    let first = *first[stat].get_or_insert(scene);
                    debts.make(scene, (first, Step::Refreshment(number)), &[stat]);
                }
            }
        }
    }

    /// Where the steps of this book are written.
    pub(super) fn steps(&self) -> Steps<'_> {
        let scenes = &self.sheets.book.scenes;
        let begin = scenes.iter().enumerate();
        let begin = begin.filter(|(scene, _)| !self.sheets.book.is_amid_a_fight(*scene));
        let tolls = begin.flat_map(|(scene, fight)| match fight {
            Scene::Fight { tolls, .. } => {
                let later = tolls.iter().map(|way| (way.to as usize, scene));
                later.collect()
            }
            _ => Vec::new(),
        });
        Steps {
            scenes,
            fights: tolls.collect(),
        }
    }

    /// The finding for a debt, if there is no proof of it. `paths` are the paths of the scenes
    /// within their sections.
    pub(super) fn may_fall(&self, debt: &Debt, paths: &[String]) -> Finding {
        let compiled = self.sheets.book;
        let path = paths.get(debt.scene).map_or("", String::as_str);
        let field = match debt.step {
            Step::Refreshment(number) => format!("sheet.refreshments[{number}]"),
            step => format!("{path}{}", field(&compiled.scenes[debt.scene], step)),
        };
        Finding::MayFallBelowZero {
            section: compiled.numbers[debt.scene],
            field,
            stat: compiled.stats[debt.stat].id.to_string(),
        }
    }
}

/// Finds the scene and the step under which a way is written in the book.
pub(super) struct Steps<'c> {
    scenes: &'c [Scene],
    /// Scenes in which fights go on after a toll, with those in which they begin.
    fights: BTreeMap<usize, usize>,
}

impl Steps<'_> {
    pub(super) fn of(&self, scene: usize, way: usize) -> (usize, Step) {
        let scene = self.fights.get(&scene).copied().unwrap_or(scene);
        let way = match &self.scenes[scene] {
            Scene::Fight { flee, .. } => way.min(1 + usize::from(flee.is_some())),
            _ => way,
        };
        (scene, Step::Way(way))
    }
}

/// The field of a step within its scene.
fn field(scene: &Scene, step: Step) -> String {
    let fixed = match (scene, step) {
        (_, Step::Arrival) => "effects",
        (Scene::Choice(_), Step::Way(slot)) => return format!("choice[{slot}]"),
        (Scene::First(_), Step::Way(slot)) => return format!("first[{slot}]"),
        (Scene::Random(_), Step::Way(slot)) => return format!("random[{slot}]"),
        (Scene::Test { .. }, Step::Way(0)) => "test.success",
        (Scene::Test { .. }, _) => "test.failure",
        (Scene::Fight { .. }, Step::Way(0)) => "fight.victory",
        (Scene::Fight { flee: Some(_), .. }, Step::Way(1)) => "fight.escape.flee",
        (Scene::Fight { .. }, _) => "fight.toll",
        (Scene::Shop { .. }, Step::Inside) => "shop",
        (Scene::Shop { .. }, _) => "shop.leave",
        (Scene::Game { .. }, Step::Inside) => "game.round",
        (Scene::Game { .. }, _) => "game.after",
        _ => "to",
    };
    fixed.to_owned()
}
