//! The choices of a component's states, by their places in it.

use std::cmp::Ordering;
use std::ops::Range;

use super::quotient::OUTSIDE;
use crate::model::{Model, Scratch};
use crate::{Error, Game, Player};

/// The choices of the component's states, by their places in it.
pub(super) struct Local {
    /// For each choice: its state, its number, and its outcomes within the component.
    pub(super) choices: Vec<(u32, u16, Vec<u32>)>,
    /// Whether all outcomes of each choice lie within.
    pub(super) within: Vec<bool>,
    /// Whether each choice pays, and with which sign.
    pub(super) paid: Vec<Ordering>,
    /// The range of the choices of each state.
    pub(super) spans: Vec<Range<u32>>,
    pub(super) player: Vec<Player>,
}

impl Local {
    /// Creates the choices of the states with these numbers. `place_of` gives the place of each
    /// state by its number.
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
            // Nobody decides where there is only one choice.
            local.player.push(row.player);
        }
        Ok(local)
    }

    /// Treats choices that pay as leaving the component.
    pub(super) fn without_costs(&mut self) {
        for (within, paid) in self.within.iter_mut().zip(&self.paid) {
            *within &= *paid == Ordering::Equal;
        }
    }
}
