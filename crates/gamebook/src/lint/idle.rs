//! Fields of a section that never take effect, whatever the hero does.

use super::options::inner;
use crate::section::{Passage, Play};
use crate::{Effect, Section, WeightedEffects};

/// The fields of a section that have no effect.
pub(super) fn idle(section: &Section) -> Vec<String> {
    let choice = matches!(section.passage.play, Play::Choice(_));
    let mut idle = Vec::new();
    if section.refresh.is_some() && !choice {
        idle.push("refresh".to_owned());
    }
    if !section.leave.is_empty() && !turns(&section.passage) {
        idle.push("leave".to_owned());
    }
    among(&section.leave, "leave", &mut idle);
    impossible(&section.passage, "", &mut idle);
    idle
}

/// Whether some way other than fleeing leads to a section; only then the section is left in the
/// sense of `leave`.
fn turns(passage: &Passage) -> bool {
    let mut waiting = vec![passage];
    while let Some(passage) = waiting.pop() {
        match &passage.play {
            Play::Turn(_) => return true,
            Play::Fight(fight) => waiting.push(&fight.victory),
            Play::Random(branches) => {
                let likely = branches.iter().filter(|branch| branch.weight > 0);
                waiting.extend(likely.map(|branch| &branch.passage));
            }
            play => waiting.extend(play.inner()),
        }
    }
    false
}

/// Finds what has a chance of 0 in a passage. `path` leads to its fields, with a trailing dot.
fn impossible(passage: &Passage, path: &str, idle: &mut Vec<String>) {
    among(&passage.effects, &format!("{path}effects"), idle);
    match &passage.play {
        Play::Random(branches) => {
            let weights = branches.iter().map(|branch| branch.weight);
            weightless(weights, &format!("{path}random"), idle);
        }
        Play::Game(wager) => weighted(&wager.round, &format!("{path}game.round"), idle),
        Play::Fight(fight) => {
            let hazards = fight.foes.iter().map(|foe| foe.hazard);
            for (foe, hazard) in hazards.enumerate() {
                if hazard.is_some_and(|hazard| hazard.chance == 0) {
                    idle.push(format!("{path}fight.foes[{foe}].hazard"));
                }
            }
            if let Some(toll) = &fight.toll {
                among(&toll.effects, &format!("{path}fight.toll.effects"), idle);
            }
        }
        _ => (),
    }
    for (field, passage) in inner(&passage.play) {
        impossible(passage, &format!("{path}{field}."), idle);
    }
}

fn among(effects: &[Effect], path: &str, idle: &mut Vec<String>) {
    for (place, effect) in effects.iter().enumerate() {
        // Most effects are simple and need no path.
        let path = |field| format!("{path}[{place}].{field}");
        match effect {
            Effect::Random(branches) => weighted(branches, &path("random"), idle),
            Effect::When(when) => {
                among(&when.then, &path("when.then"), idle);
                among(&when.otherwise, &path("when.else"), idle);
            }
            Effect::Repeat(repeat) => among(&repeat.effects, &path("repeat.effects"), idle),
            _ => (),
        }
    }
}

fn weighted(branches: &[WeightedEffects], path: &str, idle: &mut Vec<String>) {
    weightless(branches.iter().map(|branch| branch.weight), path, idle);
    for (place, branch) in branches.iter().enumerate() {
        among(&branch.effects, &format!("{path}[{place}].effects"), idle);
    }
}

fn weightless(weights: impl Iterator<Item = u32>, path: &str, idle: &mut Vec<String>) {
    let never = weights.enumerate().filter(|(_, weight)| *weight == 0);
    idle.extend(never.map(|(place, _)| format!("{path}[{place}]")));
}
