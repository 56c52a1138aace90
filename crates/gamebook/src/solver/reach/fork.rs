//! Routes that should be kept separate. Things found in different streets of a city are never held
//! together, but in one box around all stats they would seem to be, and everything after it would
//! be solved for that.

use rustc_hash::FxHashMap;

use crate::compiled::Scene;
use crate::lint::graph::{components_backwards, passed};
use crate::solver::diagrams::gates::{Gate, Gates, NO, YES};
use crate::solver::limits::{Halt, Limits};
use crate::solver::reach::Explored;
use crate::solver::reduction::without_luck;
use crate::solver::walk::Walk;
use crate::solver::walk::interpreter::{At, Region};

/// What distinguishes regions, besides what is held there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Apart {
    Nothing,
    /// The scene where the hero started.
    Starts,
    /// The option of this choice that was taken last.
    Fork(u32),
}

impl Apart {
    /// The route number of a hero who starts in a scene.
    pub(crate) fn start(self, scene: u32) -> u32 {
        match self {
            Apart::Starts => scene + 1,
            Apart::Nothing | Apart::Fork(_) => 0,
        }
    }

    /// The route number after an option of a scene.
    pub(crate) fn option(self, scene: u32, option: usize, before: u32) -> u32 {
        match self == Apart::Fork(scene) {
            true => option as u32 + 1,
            false => before,
        }
    }
}

/// With fewer sheets than these, there is little to gain.
const HEAVY: f64 = 1e9;
/// How many choices are tried, from the first one that all victories pass.
const TRIED: usize = 4;

/// Explores everything that can be reached from some scenes, with routes told apart if that leaves
/// `gain` times fewer sheets. `seeds` gives the starts for each kind of distinction.
pub(crate) fn explored<'w>(
    walk: Walk<'w>,
    seeds: &dyn Fn(Apart) -> Vec<(Region, At)>,
    gain: f64,
    limits: Limits,
) -> Result<(Walk<'w>, Explored), Halt> {
    let plain = seeds(Apart::Nothing);
    let mut gates = Gates::new();
    let all = Explored::new(&walk, &plain, limits, &mut gates)?;
    let weight = all.weight(&walk, &gates, |_| true);
    let mut least = f64::INFINITY;
    let mut best = (walk, all);
    // With a gain below 1, routes are to be told apart at any cost.
    let candidates = match weight < HEAVY && gain >= 1.0 {
        true => Vec::new(),
        false => candidates(&walk, &plain),
    };
    for apart in candidates {
        let walk = Walk { apart, ..walk };
        // More regions may exceed the limits.
        let Ok(found) = Explored::new(&walk, &seeds(apart), limits, &mut gates) else {
            continue;
        };
        let apart = found.weight(&walk, &gates, |_| true);
        if apart * gain <= weight && apart < least {
            least = apart;
            best = (walk, found);
        }
    }
    best.1.take(gates);
    Ok(best)
}

fn candidates(walk: &Walk<'_>, seeds: &[(Region, At)]) -> Vec<Apart> {
    let Some((first, _)) = seeds.first() else {
        return Vec::new();
    };
    if seeds.iter().any(|(region, _)| region.scene != first.scene) {
        return vec![Apart::Starts];
    }
    let forks = forks(walk, first.scene).into_iter();
    forks.take(TRIED).map(Apart::Fork).collect()
}

/// The choices that all victories pass, in order from the start, and that are not on a cycle. A
/// hero who comes back on another route would find other decisions there, and might go round for
/// ever between the two.
fn forks(walk: &Walk<'_>, start: u32) -> Vec<u32> {
    let scenes = &walk.game.compiled.scenes;
    let won = scenes.len();
    let next = scenes.iter().map(|scene| match scene {
        Scene::Ending(true) => vec![won],
        scene => scene.targets(),
    });
    let next: Vec<Vec<usize>> = next.chain([Vec::new()]).collect();
    let mut round = vec![false; next.len()];
    for ring in components_backwards(&next) {
        for &scene in &ring {
            round[scene] = ring.len() > 1 || next[scene].contains(&scene);
        }
    }
    let forks = |scene: &usize| match scenes.get(*scene) {
        Some(Scene::Choice(options)) if !round[*scene] => {
            let first = options.first().map(|option| option.way.to);
            options.iter().any(|option| Some(option.way.to) != first)
        }
        _ => false,
    };
    let passed = passed(&next, start as usize, won).into_iter();
    passed.filter(forks).map(|scene| scene as u32).collect()
}

impl Explored {
    /// The approximate number of sheets in some regions, not counting what tables always
    /// distinguish.
    pub(crate) fn weight(
        &self,
        walk: &Walk<'_>,
        gates: &Gates,
        inside: impl Fn(&Region) -> bool,
    ) -> f64 {
        let mut memo = FxHashMap::default();
        let lanes = without_luck(walk);
        let regions = self.regions.iter().filter(|one| inside(one.0));
        let weights = regions.map(|(region, found)| {
            let bits = walk.live.scenes[region.scene as usize].bits.count_ones();
            let share = gates.share(found.known.care, &mut memo);
            let stats = found.extent.iter().zip(lanes);
            let stats = stats.filter(|(_, lane)| !lane);
            let values: f64 = stats.map(|(span, _)| span.len() as f64).product();
            share * 2_f64.powi(bits as i32) * values
        });
        weights.sum()
    }
}

impl Gates {
    /// The share of all sheets for which a gate is open.
    pub(crate) fn share(&self, gate: Gate, memo: &mut FxHashMap<Gate, f64>) -> f64 {
        match gate {
            NO => return 0.0,
            YES => return 1.0,
            _ => {}
        }
        if let Some(known) = memo.get(&gate) {
            return *known;
        }
        let Some((_, without, with)) = self.parts(gate) else {
            return 0.0;
        };
        let share = (self.share(without, memo) + self.share(with, memo)) / 2.0;
        memo.insert(gate, share);
        share
    }
}
