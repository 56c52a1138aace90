//! What can happen in each kind of scene.

#[cfg(feature = "rand")]
mod out;
#[cfg(feature = "rand")]
pub(crate) mod reader;

use num_traits::ToPrimitive;
use oddsmith_mdp::{Choice, Node};

use crate::apply::{Dead, Overflow};
use crate::book_game::BookGame;
use crate::compiled::{CompiledOption, CompiledWare, Scene, Way};
use crate::place::Held;
use crate::spread::Spread;
use crate::{Move, Place, Turn};

/// A distribution over places.
pub(crate) type Places = Spread<Place>;
pub(crate) type Written = Result<(), Overflow>;

impl BookGame {
    /// Writes what can happen at a place of this scene.
    pub(crate) fn write_scene(
        &self,
        scene: &Scene,
        place: &Place,
        node: &mut Node<Self>,
    ) -> Written {
        let held = place.held;
        if place.is_arriving() {
            // If there is too much to write, nothing is written.
            let arrived = self.arrived(place)?;
            self.write(node.chance(), arrived);
            return Ok(());
        }
        match scene {
            Scene::Ending(won) => node.end(*won),
            Scene::Dead => node.end(false),
            Scene::Turn(way) => self.write(node.chance(), self.go(place, held, *way)?),
            Scene::Choice(options) => self.choose(options, place, node)?,
            Scene::First(cases) => {
                let open = |case: &&CompiledOption| self.compiled.open(case.condition, &held);
                match cases.iter().find(open) {
                    Some(case) => self.write(node.chance(), self.go(place, held, case.way)?),
                    None => node.end(false),
                }
            }
            Scene::Test {
                stat,
                dice,
                add,
                success,
                failure,
            } => {
                let value = self.compiled.effective(*stat, &held) - i32::from(*add);
                let (pass, fail) = self.rules.test(*dice, value);
                let mut after = held;
                if self.compiled.luck == Some(*stat) {
                    self.effects().add(&mut after, *stat, -1)?;
                }
                let ways = Spread::weighted([(*success, pass), (*failure, fail)]);
                self.write(node.chance(), ways.then(|way| self.go(place, after, way))?);
            }
            Scene::Random(branches) => {
                let ways = branches.iter().map(|&(weight, way)| (way, weight.into()));
                let ways = Spread::weighted(ways);
                self.write(node.chance(), ways.then(|way| self.go(place, held, way))?);
            }
            Scene::Game {
                rounds,
                condition,
                free,
                round,
                after,
            } => {
                // Only what can happen is computed, choice by choice: the linter watches.
                let stop = || self.go(place, held, *after);
                if place.step >= u32::from(*rounds) || !self.compiled.open(*condition, &held) {
                    self.write(node.chance(), stop()?);
                    return Ok(());
                }
                let lists = round.iter().map(|&(weight, list)| (list, weight.into()));
                let next = place.step + 1;
                let played = || {
                    Spread::weighted(lists)
                        .then(|list| self.after(list, place, held, place.scene, next))
                };
                if *free {
                    // First, so that a tie does not lead to pointless play.
                    self.write(node.choice(Move::Stop), stop()?);
                    self.write(node.choice(Move::Play), played()?);
                } else {
                    self.write(node.chance(), played()?);
                }
            }
            Scene::Shop { sells, buys, leave } => {
                // First, so that a tie does not lead to pointless purchases.
                self.write(node.choice(Move::Leave), self.go(place, held, *leave)?);
                self.trade(sells, buys, place, node)?;
            }
            Scene::Fight {
                fight,
                victory,
                flee,
                tolls,
            } => self.fight(*fight, (*victory, *flee, tolls), place, node)?,
        }
        Ok(())
    }

    /// Where a place leads whose arrival is still to come; nowhere for a place of another book.
    pub(crate) fn arrived(&self, place: &Place) -> Result<Places, Overflow> {
        let Some(arrival) = self.compiled.arrivals.get(place.scene as usize) else {
            return Ok(Spread::weighted([]));
        };
        self.after(*arrival, place, place.held, place.scene, 0)
    }

    fn choose(&self, options: &[CompiledOption], place: &Place, node: &mut Node<Self>) -> Written {
        let held = place.held;
        let open = options
            .iter()
            .filter(|option| self.compiled.open(option.condition, &held));
        let open: Vec<&CompiledOption> = open.collect();
        if open.is_empty() {
            // The reader is stuck.
            node.end(false);
            return Ok(());
        }
        for option in &open {
            let turn = Move::Turn(Turn::new(&option.label, self.target(option.way)));
            self.write(node.choice(turn), self.go(place, held, option.way)?);
        }
        for refreshment in self.compiled.refreshing(place.scene, &held, open.len()) {
            let taken = self.after(refreshment.effects, place, held, place.scene, 0)?;
            self.write(node.choice(Move::Refresh(refreshment.label.clone())), taken);
        }
        Ok(())
    }

    /// The section that a way leads to, unless it leads to a part of one.
    fn target(&self, way: Way) -> Option<u32> {
        let section = (way.to as usize) < self.compiled.sections();
        section.then(|| self.compiled.numbers[way.to as usize])
    }

    fn trade(
        &self,
        sells: &[(CompiledWare, i16, std::sync::Arc<str>)],
        buys: &[(u128, i16, std::sync::Arc<str>)],
        place: &Place,
        node: &mut Node<Self>,
    ) -> Written {
        let held = place.held;
        let Some(money) = self.compiled.money else {
            return Ok(());
        };
        // Paying with STAMINA, or being cut at a cap that has sunk, can kill.
        let there = |held: Held| {
            let life = held.stats[usize::from(self.compiled.life)];
            Spread::certain(if life <= 0 {
                self.death(place, held)
            } else {
                Place { held, ..*place }
            })
        };
        for deal in self.compiled.deals(sells, buys, &held) {
            let mut after = held;
            let taken = match (sells.get(deal), buys.get(deal.wrapping_sub(sells.len()))) {
                (Some((ware, price, name)), _) => {
                    self.effects().add(&mut after, money, -i32::from(*price))?;
                    match *ware {
                        CompiledWare::Bit(bit) => after.items |= bit,
                        CompiledWare::Stat(stat) => self.effects().add(&mut after, stat, 1)?,
                    }
                    Move::Buy(name.clone())
                }
                (None, Some((bit, price, name))) => {
                    after.items &= !bit;
                    self.effects().add(&mut after, money, (*price).into())?;
                    Move::Sell(name.clone())
                }
                (None, None) => continue,
            };
            self.write(node.choice(taken), there(after));
        }
        Ok(())
    }

    /// Where a way leads from a place, with this sheet.
    pub(crate) fn go(&self, place: &Place, held: Held, way: Way) -> Result<Places, Overflow> {
        self.after(way.effects, place, held, way.to, 0)
    }

    /// The place after these effects, or death if they kill.
    fn after(
        &self,
        effects: u32,
        place: &Place,
        held: Held,
        scene: u32,
        step: u32,
    ) -> Result<Places, Overflow> {
        let fates = self.effects().run(effects, held)?;
        fates.then(|(held, dead)| {
            let life = held.stats[usize::from(self.compiled.life)];
            let there = Place {
                section: self.compiled.numbers[scene as usize],
                scene,
                step,
                held,
            };
            Ok(Spread::certain(match dead {
                Dead::Leaving => self.death(place, held),
                Dead::No if life > 0 => there,
                Dead::No | Dead::There => self.death(&there, held),
            }))
        })
    }

    pub(crate) fn death(&self, place: &Place, held: Held) -> Place {
        Place {
            section: place.section,
            scene: (self.compiled.scenes.len() - 1) as u32,
            step: 0,
            held,
        }
    }

    /// Writes the outcomes of a choice. All choices are written by this function, and everything of
    /// a choice is computed after the choice before it was written: falls are counted by it.
    pub(crate) fn write(&self, mut choice: Choice<'_, BookGame>, places: Places) {
        if let Some(falls) = self.falls() {
            falls.next_choice();
        }
        let narrow = places.total.to_u64().is_some();
        for (place, weight) in places.outcomes {
            match weight.to_u64() {
                Some(weight) if narrow => choice.to(place, weight),
                _ => choice.to_wide(place, weight),
            };
        }
    }
}
