//! Sets of states in which play can stay for ever.

use std::cmp::Ordering;
use std::ops::Range;

use super::component::components;
use super::quotient::OUTSIDE;
use crate::model::{Model, Scratch};
use crate::{Error, Game, Player};

/// The choices of the component's states, by places in it.
pub(super) struct Local {
    /// State, choice, outcomes within.
    pub(super) choices: Vec<(u32, u16, Vec<u32>)>,
    /// Whether all outcomes lie within.
    pub(super) within: Vec<bool>,
    /// Whether they pay, and with which sign.
    pub(super) paid: Vec<Ordering>,
    /// Choices of each state.
    pub(super) spans: Vec<Range<u32>>,
    pub(super) player: Vec<Player>,
}

impl Local {
    /// Of the states with these numbers; `place_of` tells the place of each, by number.
    pub(super) fn of<G: Game + ?Sized>(
        game: &G,
        model: &impl Model<G>,
        states: &[u32],
        place_of: &[u32],
    ) -> Result<Self, Error> {
        let mut scratch = Scratch::new();
        let mut local = Local {
            choices: Vec::new(),
            within: Vec::new(),
            paid: Vec::new(),
            spans: Vec::with_capacity(states.len()),
            player: Vec::with_capacity(states.len()),
        };
        for (place, &number) in states.iter().enumerate() {
            let row = model.row(game, number as usize, &mut scratch)?;
            let first = local.choices.len() as u32;
            for (choice, targets, _) in row.choices() {
                let sign = row.reward(choice).map(|reward| reward.score.sign());
                local.paid.push(sign.unwrap_or(Ordering::Equal));
                let targets: Vec<u32> = targets.iter().map(|&t| place_of[t as usize]).collect();
                local.within.push(!targets.contains(&OUTSIDE));
                local.choices.push((place as u32, choice as u16, targets));
            }
            local.spans.push(first..local.choices.len() as u32);
            // Nobody decides where there is one choice.
            local.player.push(row.player);
        }
        Ok(local)
    }

    /// Choices that pay stay within no longer.
    pub(super) fn without_costs(&mut self) {
        for (within, paid) in self.within.iter_mut().zip(&self.paid) {
            *within &= *paid == Ordering::Equal;
        }
    }
}

/// The maximal end components, each ascending.
///
/// Components of the choices that stay; choices that leave their component are
/// dropped, states without choices too, and what has changed is looked at again
/// (L. de Alfaro, 1997, algorithm 3.1).
pub(super) fn end_components(local: &Local) -> Vec<Vec<u32>> {
    let len = local.spans.len();
    let mut alive = local.within.clone();
    let mut sources: Vec<Vec<u32>> = vec![Vec::new(); len];
    let mut left = vec![0_u32; len];
    for (index, (state, _, targets)) in local.choices.iter().enumerate() {
        if alive[index] {
            left[*state as usize] += 1;
            for &target in targets {
                sources[target as usize].push(index as u32);
            }
        }
    }
    let mut color = vec![0_u32; len];
    // By color: whether a choice was dropped.
    let mut changed = vec![false];
    // Drops states without choices, and the choices that lead to them.
    let prune = |dead: &mut Vec<u32>,
                 alive: &mut [bool],
                 left: &mut [u32],
                 color: &[u32],
                 changed: &mut [bool]| {
        while let Some(state) = dead.pop() {
            for &index in &sources[state as usize] {
                if std::mem::replace(&mut alive[index as usize], false) {
                    let owner = local.choices[index as usize].0 as usize;
                    changed[color[owner] as usize] = true;
                    left[owner] -= 1;
                    if left[owner] == 0 {
                        dead.push(owner as u32);
                    }
                }
            }
        }
    };
    let states = 0..len as u32;
    let mut dead: Vec<u32> = states.clone().filter(|&s| left[s as usize] == 0).collect();
    prune(&mut dead, &mut alive, &mut left, &color, &mut changed);
    let mut found = Vec::new();
    let mut open: Vec<Vec<u32>> = vec![states.filter(|&s| left[s as usize] > 0).collect()];
    while let Some(set) = open.pop() {
        let next = |state: u32, cursor: &mut u32| {
            // The cursor counts the outcomes of all choices.
            let mut skipped = 0;
            for index in local.spans[state as usize].clone() {
                let targets = &local.choices[index as usize].2;
                let at = (*cursor - skipped) as usize;
                if at < targets.len() {
                    if alive[index as usize] {
                        *cursor += 1;
                        return Some(targets[at]);
                    }
                    *cursor = skipped + targets.len() as u32;
                }
                skipped += targets.len() as u32;
            }
            None
        };
        let parts = components(len, set.iter().copied(), next);
        let mut sets: Vec<Vec<u32>> = Vec::new();
        for range in &parts.ranges {
            let part = &parts.order[range.start as usize..range.end as usize];
            for &state in part {
                color[state as usize] = changed.len() as u32;
            }
            changed.push(false);
            sets.push(part.to_vec());
        }
        for &state in &set {
            let own = color[state as usize];
            for index in local.spans[state as usize].clone() {
                let (_, _, targets) = &local.choices[index as usize];
                if alive[index as usize] && targets.iter().any(|&t| color[t as usize] != own) {
                    alive[index as usize] = false;
                    changed[own as usize] = true;
                    left[state as usize] -= 1;
                    if left[state as usize] == 0 {
                        dead.push(state);
                    }
                }
            }
        }
        prune(&mut dead, &mut alive, &mut left, &color, &mut changed);
        for mut part in sets {
            let whole = part
                .first()
                .is_some_and(|&s| !changed[color[s as usize] as usize]);
            part.retain(|&state| left[state as usize] > 0);
            if part.is_empty() {
                continue;
            }
            if whole {
                part.sort_unstable();
                found.push(part);
            } else {
                open.push(part);
            }
        }
    }
    // Not in the order of the search, which follows that of the choices.
    found.sort();
    found
}
