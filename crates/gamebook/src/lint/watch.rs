//! A game in which it is known on which step somebody falls below 0.

use std::sync::Arc;

use oddsmith_mdp::Node;
use rustc_hash::FxHashMap;

use super::below_zero::{Debt, Debts, Step, Steps};
use crate::compiled::{Compiled, Scene};
use crate::falls::{Falls, Phase};
use crate::{BookGame, Place};

/// A game that records falls, with the same places and moves as the game it is made from. Equal
/// lists of effects are stored once in a compiled book; here, every step on which somebody may fall
/// has a list of its own.
pub(super) struct Watched<'d> {
    game: BookGame,
    debts: &'d Debts,
    falls: Arc<Falls>,
    /// By list, where it is written, in the order of [`Phase`].
    steps: FxHashMap<u32, [(usize, Step); 3]>,
}

/// A debt, and the choice by which it is made.
type Made = (Debt, usize);

impl<'d> Watched<'d> {
    pub(super) fn new(game: &BookGame, debts: &'d Debts, written: &Steps<'_>) -> Self {
        let mut compiled = (*game.compiled).clone();
        let mut steps = FxHashMap::default();
        let mut watch = |compiled: &mut Compiled, list: &mut u32, step| {
            let effects = Arc::clone(&compiled.effects[*list as usize]);
            *list = compiled.effects.len() as u32;
            compiled.effects.push(effects);
            steps.insert(*list, step);
        };
        let start = compiled.start as usize;
        let mut arrival = compiled.arrivals[start];
        watch(&mut compiled, &mut arrival, [(start, Step::Arrival); 3]);
        compiled.arrivals[start] = arrival;
        for &scene in &debts.made_in {
            let mut watched = compiled.scenes[scene].clone();
            for (number, way) in watched.ways_mut().into_iter().enumerate() {
                let to = (way.to as usize, Step::Arrival);
                let here = written.of(scene, number);
                let leaving = match compiled.only_arrives(*way) {
                    true => to,
                    false => here,
                };
                watch(&mut compiled, &mut way.effects, [here, leaving, to]);
            }
            if let Scene::Game { round, .. } = &mut watched {
                for (_, list) in round {
                    watch(&mut compiled, list, [(scene, Step::Inside); 3]);
                }
            }
            compiled.scenes[scene] = watched;
        }
        let mut refreshments = std::mem::take(&mut compiled.refreshments);
        for (number, refreshment) in refreshments.iter_mut().enumerate() {
            let step = (0, Step::Refreshment(number));
            watch(&mut compiled, &mut refreshment.effects, [step; 3]);
        }
        compiled.refreshments = refreshments;
        let falls = Arc::new(Falls::default());
        Watched {
            game: game.watched(compiled, Arc::clone(&falls)),
            debts,
            falls,
            steps,
        }
    }

    /// What can happen at a place, if that can be followed, and the debts that may be made.
    pub(super) fn expand(&self, place: &Place) -> Option<(Node<BookGame>, Vec<Made>)> {
        let node = Node::of(&self.game, place);
        // Also what happens at places that cannot be followed is taken, so that it is not counted
        // for the next one.
        let falls = self.falls.take().into_iter();
        let debts = falls.filter_map(|fall| {
            let (scene, step) = match fall.list {
                None => (place.scene as usize, Step::Inside),
                Some(list) => {
                    let [fought, leaving, arriving] = self.steps.get(&list)?;
                    *match fall.phase {
                        Phase::Fought => fought,
                        Phase::Leaving => leaving,
                        Phase::Arriving => arriving,
                    }
                }
            };
            let stat = usize::from(fall.stat);
            let debt = match step {
                // It is one debt, whatever the scene.
                Step::Refreshment(_) => {
                    let mut all = self.debts.all.iter();
                    *all.find(|one| (one.step, one.stat) == (step, stat))?
                }
                _ => *self.debts.all.get(&Debt { scene, step, stat })?,
            };
            Some((debt, fall.choice))
        });
        let debts = debts.collect();
        Some((node.ok()?, debts))
    }
}
