//! A game in which it is known on which step somebody falls below 0.

use std::collections::BTreeSet;
use std::sync::Arc;

use oddsmith_mdp::Node;
use rustc_hash::FxHashMap;

use super::below_zero::{Debt, Debts, Step, Written};
use crate::compiled::{Compiled, Op, Scene, Way};
use crate::falls::{Fall, Falls, Phase};
use crate::{BookGame, Move, Place, Turn};

/// A game that records falls, with the same places and moves as the game it is made from. Equal
/// lists of effects are stored once in a compiled book; here, every step on which somebody may fall
/// has a list of its own.
pub(super) struct Watched<'d> {
    pub(super) game: BookGame,
    debts: &'d Debts,
    falls: Arc<Falls>,
    /// By list, where each phase of it is written.
    steps: FxHashMap<u32, [(usize, Step); 3]>,
}

impl<'d> Watched<'d> {
    pub(super) fn new(game: &BookGame, debts: &'d Debts, written: &Written<'_>) -> Self {
        let mut compiled = (*game.compiled).clone();
        let mut steps = FxHashMap::default();
        let sections = compiled.sections();
        let mut watch = |compiled: &mut Compiled, list: &mut u32, step| {
            let effects = compiled.effects[*list as usize].clone();
            *list = compiled.effects.len() as u32;
            compiled.effects.push(effects);
            steps.insert(*list, step);
        };
        let start = compiled.start as usize;
        let mut arrival = compiled.arrivals[start];
        watch(&mut compiled, &mut arrival, [(start, Step::Arrival); 3]);
        compiled.arrivals[start] = arrival;
        for &scene in &debts.made_in {
            let mut here = compiled.scenes[scene].clone();
            for (number, way) in here.ways_mut().into_iter().enumerate() {
                let to = (way.to as usize, Step::Arrival);
                let departs = compiled.effects[way.effects as usize].contains(&Op::Depart);
                let here = written.step(scene, number);
                // Without effects on leaving, all are those on arrival.
                let leaving = match to.0 < sections && !departs {
                    true => to,
                    false => here,
                };
                watch(&mut compiled, &mut way.effects, [here, leaving, to]);
            }
            if let Scene::Game { round, .. } = &mut here {
                for (_, list) in round {
                    watch(&mut compiled, list, [(scene, Step::Inside); 3]);
                }
            }
            compiled.scenes[scene] = here;
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

    /// The debts that are looked for.
    pub(super) fn debts(&self) -> &BTreeSet<Debt> {
        &self.debts.all
    }

    /// The debts that may be made at this place, which has just been expanded.
    pub(super) fn made(&self, place: &Place) -> Vec<(Debt, Fall)> {
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
            Some((debt, fall))
        });
        debts.collect()
    }

    /// What is done at a place where this happens.
    pub(super) fn deed(&self, place: &Place, node: &Node<BookGame>, fall: Fall) -> String {
        let (game, compiled) = (&self.game, &self.game.compiled);
        let list = fall.list;
        let on = |way: &Way| list == Some(way.effects);
        let decided = match &compiled.scenes[place.scene as usize] {
            Scene::Choice(options) => {
                let taken = options.iter().find(|option| on(&option.way));
                let taken = taken.map(|option| {
                    let target = game.target(option.way);
                    Move::Turn(Turn::new(&option.label, target))
                });
                let mut refreshments = compiled.refreshments.iter();
                taken.or_else(|| {
                    let taken = refreshments.find(|one| list == Some(one.effects))?;
                    Some(Move::Refresh(taken.label.clone()))
                })
            }
            Scene::Shop { .. } if list.is_none() => return "trade".to_owned(),
            Scene::Shop { .. } => Some(Move::Leave),
            Scene::Game {
                free: true, after, ..
            } => Some(if on(after) { Move::Stop } else { Move::Play }),
            Scene::Fight {
                flee: Some(flee), ..
            } if on(flee) => Some(Move::Run),
            // With LUCK in battle, there may be other moves that lead here.
            Scene::Fight { .. } => node.action(0).filter(|one| **one == Move::FightOn).cloned(),
            _ => None,
        };
        match decided {
            Some(decided) => decided.to_string(),
            None => game.deed(place, None).to_string(),
        }
    }
}
