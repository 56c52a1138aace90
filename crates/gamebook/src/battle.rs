//! Fights as scenes: drawn foes, rounds, running, and what follows.

#[cfg(feature = "rand")]
mod drawn;
pub(crate) mod whole;

use oddsmith_mdp::Node;

use crate::apply::Overflow;
use crate::book_game::{ARRIVING, BookGame};
use crate::bout::{Bout, BoutFoe, Standing};
use crate::compiled::{Arms, CompiledFight, Scene, Standoff, Way};
use crate::falls::Phase;
use crate::place::Held;
use crate::play::{Places, Written};
use crate::running::Counted;
use crate::spread::Spread;
use crate::{FightCount, FightOrder, Move, Place};

/// The progress of a fight.
#[derive(Clone, Copy)]
pub(crate) struct Progress {
    /// The first foe who stands.
    pub(crate) foe: u16,
    pub(crate) stamina: u16,
    /// As far as it matters for running.
    pub(crate) counted: Counted,
    /// The blow on which LUCK may be tested.
    pub(crate) struck: Option<Struck>,
}

/// A blow that has been struck but not yet taken effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Struck {
    /// By the hero, on the first foe who stands.
    Foe,
    /// By the foe this many places behind the first.
    Hero(u8),
}

impl Progress {
    /// The beginning of a fight, or of the rest of one.
    pub(crate) fn begin(standoff: Standoff) -> Self {
        Progress {
            foe: standoff.foe,
            stamina: standoff.stamina,
            counted: Counted::so_far(standoff.so_far),
            struck: None,
        }
    }

    /// The progress of a fight at this step of a place; at step 0, if no foe is still to be drawn.
    pub(crate) fn at(fight: &CompiledFight, step: u32) -> Self {
        match step {
            0 => Progress::begin(fight.first()),
            step => Progress::unpack(step),
        }
    }

    /// Packs it into a word that is neither 0 nor all ones. Foes and counts are at most 100,
    /// STAMINA is at most 1,000, and at most five foes attack at once.
    pub(crate) fn pack(self) -> u32 {
        let struck = match self.struck {
            None => 0,
            Some(Struck::Foe) => 1,
            Some(Struck::Hero(foe)) => 2 + u32::from(foe),
        };
        let (foe, stamina) = (u32::from(self.foe), u32::from(self.stamina));
        let so_far = u32::from(self.counted.so_far);
        let this_round = u32::from(self.counted.this_round);
        let toll = u32::from(self.counted.toll);
        1 << 31 | struck << 28 | this_round << 27 | foe << 20 | so_far << 12 | toll << 11 | stamina
    }

    pub(crate) fn unpack(step: u32) -> Self {
        Progress {
            foe: (step >> 20 & 0x7F) as u16,
            counted: Counted {
                so_far: (step >> 12 & 0xFF) as u16,
                this_round: step >> 27 & 1 == 1,
                toll: step >> 11 & 1 == 1,
            },
            stamina: (step & 0x7FF) as u16,
            struck: match step >> 28 & 0b111 {
                0 => None,
                1 => Some(Struck::Foe),
                foe => Some(Struck::Hero((foe - 2) as u8)),
            },
        }
    }
}

/// A fight as it stands at a place.
#[derive(Clone, Copy)]
pub(crate) struct Fighting<'f> {
    pub(crate) fight: &'f CompiledFight,
    pub(crate) bout: &'f Bout,
    /// The number, within the fight, of the first foe of the bout.
    pub(crate) first: u16,
    pub(crate) progress: Progress,
    pub(crate) victory: Way,
    /// The way after running.
    pub(crate) flee: Option<Way>,
    /// The ways on after a toll.
    pub(crate) tolls: &'f [Way],
    pub(crate) place: &'f Place,
}

impl Fighting<'_> {
    /// Whether a drawn round differs from no round. `changes` is whether this round changes
    /// anything.
    pub(crate) fn tells_draws(&self, changes: bool) -> bool {
        let counted = self.progress.counted;
        self.fight.terms.tells_draws(counted, changes)
    }
}

impl BookGame {
    /// In the middle of a fight, describes the foe it goes on with.
    pub(crate) fn foe_words(&self, place: &Place) -> String {
        let fight = match self.compiled.scenes.get(place.scene as usize) {
            Some(Scene::Fight { fight, .. }) => &self.compiled.fights[*fight as usize],
            _ => return String::new(),
        };
        let progress = match (place.step, fight.begun) {
            (0, Some(begun)) => Progress::begin(begun),
            (0 | ARRIVING, _) => return String::new(),
            (step, _) => Progress::unpack(step),
        };
        let counted = match fight.terms.running {
            Some(running) if progress.counted.so_far > 0 => {
                let so_far = progress.counted.so_far;
                let words = match (running.count, so_far) {
                    (FightCount::Rounds, rounds) => format!("round {}", rounds + 1),
                    (FightCount::Wounds, 1) => "1 wound".to_owned(),
                    (FightCount::Wounds, wounds) => format!("{wounds} wounds"),
                    (FightCount::Hits, 1) => "1 hit".to_owned(),
                    (FightCount::Hits, hits) => format!("{hits} hits"),
                };
                // The count stops there.
                let or_more = if running.is_due(progress.counted) {
                    " or more"
                } else {
                    ""
                };
                format!(", {words}{or_more}")
            }
            _ => String::new(),
        };
        let which = match fight.foes.len() {
            1 => String::new(),
            all => format!(" {} of {all}", progress.foe + 1),
        };
        let struck = match progress.struck {
            None => "",
            Some(Struck::Foe) => ", struck by the hero",
            Some(Struck::Hero(_)) => ", strikes the hero",
        };
        format!(
            "; foe{which}, stamina {}{counted}{struck}",
            progress.stamina
        )
    }

    pub(crate) fn fight(
        &self,
        number: u32,
        (victory, flee, tolls): (Way, Option<Way>, &[Way]),
        place: &Place,
        node: &mut Node<Self>,
    ) -> Written {
        let fight = &self.compiled.fights[number as usize];
        if place.step == 0 && fight.draws() {
            let foes = (0..fight.foes.len() as u16).map(|foe| {
                let step = Progress::begin(fight.against(foe)).pack();
                (Place { step, ..*place }, 1)
            });
            self.write(node.chance(), Spread::weighted(foes));
            return Ok(());
        }
        let progress = Progress::at(fight, place.step);
        // Such a place belongs to another book, so nothing is written.
        if !self.knows(fight, progress) {
            return Ok(());
        }
        if let Some(whole) = self.whole_fight(number, place) {
            let law = whole.law().clone();
            let after = law.then(|left| self.after_whole(&whole, place, left, victory))?;
            self.write(node.chance(), after);
            return Ok(());
        }
        let arms = self.compiled.arms(fight, &place.held);
        let life = place.held.stats[usize::from(self.compiled.life)];
        // A hero with less than 0 is dead.
        let hero = life.max(0) as u16;
        let only = fight.drawn().then_some(progress.foe);
        let bout = self.bout(fight, only, arms);
        let fighting = Fighting {
            fight,
            bout: &bout,
            first: only.unwrap_or(0),
            progress,
            victory,
            flee,
            tolls,
            place,
        };
        let luck = self.compiled.battle_luck;
        if let Some((luck, struck)) = luck.zip(progress.struck) {
            return self.feel(fighting, struck, luck, node);
        }
        let mut fought = match luck {
            Some(luck) => self.round_with_luck(fighting, luck)?,
            None => self.round(fighting)?,
        };
        // After a toll that changes nothing, it is the same fight again, which never ends.
        if fought.outcomes.iter().all(|(to, _)| to == place) {
            fought = self.decided(place, 0, |_| victory)?;
        }
        let run = fight.terms.running.zip(flee);
        let run = run.filter(|(running, _)| running.is_offered(progress.counted, hero));
        match run {
            None => self.write(node.chance(), fought),
            Some((running, flee)) => {
                self.write(node.choice(Move::FightOn), fought);
                let fled = self.decided(place, hero - running.cost, |_| flee)?;
                self.write(node.choice(Move::Run), fled);
            }
        }
        Ok(())
    }

    /// Whether a fight can be at this step, whoever the hero is.
    pub(crate) fn may_be(&self, number: u32, step: u32) -> bool {
        let fight = &self.compiled.fights[number as usize];
        let progress = Progress::unpack(step);
        let foe = fight.foes.get(usize::from(progress.foe));
        // The first foe may have fallen while the others still strike.
        let least = match progress.struck {
            Some(Struck::Hero(_)) => 0,
            _ => 1,
        };
        progress.pack() == step
            && self.knows(fight, progress)
            && fight
                .terms
                .allow(progress.counted, progress.struck.is_some())
            && foe.is_some_and(|foe| (least..=foe.stamina).contains(&progress.stamina))
    }

    /// Whether the foes exist who stand and strike.
    fn knows(&self, fight: &CompiledFight, progress: Progress) -> bool {
        let behind = match progress.struck {
            None => 0,
            Some(_) if self.compiled.battle_luck.is_none() => return false,
            Some(Struck::Foe) => 0,
            Some(Struck::Hero(behind)) if fight.drawn() && behind > 0 => return false,
            Some(Struck::Hero(behind)) => usize::from(behind),
        };
        usize::from(progress.foe) + behind < fight.foes.len()
    }

    pub(crate) fn bout(&self, fight: &CompiledFight, only: Option<u16>, arms: Arms) -> Bout {
        let foes = fight.foes.iter().zip(0_u16..);
        let foes = foes.filter(|(_, number)| only.is_none_or(|only| only == *number));
        let foes = foes.map(|(foe, _)| {
            let odds = self.rules.round(arms.attack - i32::from(foe.skill));
            BoutFoe::new(foe, odds)
        });
        Bout {
            foes: foes.collect(),
            at_once: fight.order == FightOrder::AtOnce,
            hit: arms.hit,
        }
    }

    /// The places after one round.
    fn round(&self, fighting: Fighting<'_>) -> Result<Places, Overflow> {
        let Fighting { bout, place, .. } = fighting;
        let now = self.standing(fighting);
        let law = match bout.round(now) {
            law if fighting.tells_draws(law.is_some()) => bout.round_or_draw(now),
            law => law,
        };
        match law {
            Some(law) => law.then(|to| self.after_round(fighting, to, place.held)),
            // A fight that cannot end is lost.
            None => self.decided(place, 0, |_| fighting.victory),
        }
    }

    /// How both sides stand before a round, with foes numbered within the bout.
    pub(crate) fn standing(&self, fighting: Fighting<'_>) -> Standing {
        let life = fighting.place.held.stats[usize::from(self.compiled.life)];
        Standing {
            foe: fighting.progress.foe - fighting.first,
            stamina: fighting.progress.stamina,
            hero: life.max(0) as u16,
        }
    }

    /// Where a round leads that ends like this. `held` is the sheet, except for STAMINA and marks.
    pub(crate) fn after_round(
        &self,
        fighting: Fighting<'_>,
        to: Standing,
        mut held: Held,
    ) -> Result<Places, Overflow> {
        let Fighting {
            fight,
            bout,
            progress,
            place,
            ..
        } = fighting;
        if to.hero == 0 {
            return self.decided(&Place { held, ..*place }, 0, |_| fighting.victory);
        }
        let fallen = to.foe + fighting.first > progress.foe;
        if fallen {
            held.items |= fight.marks[usize::from(progress.foe)];
        }
        if usize::from(to.foe) == bout.foes.len() {
            let there = Place { held, ..*place };
            return self.decided(&there, to.hero, |_| fighting.victory);
        }
        let before = self.standing(fighting);
        let counted = fight
            .terms
            .over(progress.counted, (before, to), bout.at_once);
        if let Some((running, flee)) = fight.terms.ends(counted).zip(fighting.flee) {
            let left = to.hero.saturating_sub(running.cost);
            let there = Place { held, ..*place };
            return self.decided(&there, left, |_| flee);
        }
        held.stats[usize::from(self.compiled.life)] = to.hero as i16;
        let standoff = Standoff {
            foe: to.foe + fighting.first,
            stamina: to.stamina,
            so_far: counted.so_far,
        };
        let goes_on = fight.tolled.binary_search(&standoff).ok();
        if let (true, Some(number)) = (counted.toll, goes_on) {
            return self.go(place, held, fighting.tolls[number]);
        }
        let step = Progress::begin(standoff).pack();
        Ok(Spread::certain(Place {
            step,
            held,
            ..*place
        }))
    }

    /// What follows the end of a fight with this much STAMINA left; 0 is death.
    pub(crate) fn decided(
        &self,
        place: &Place,
        left: u16,
        way: impl FnOnce(&mut Held) -> Way,
    ) -> Result<Places, Overflow> {
        let mut held = place.held;
        let life = usize::from(self.compiled.life);
        held.stats[life] = left as i16;
        if left == 0 {
            return Ok(Spread::certain(self.death(place, held)));
        }
        let way = way(&mut held);
        let items = held.items;
        let effects = self.effects().on(way.effects, Phase::Fought);
        for item in self.compiled.working(items) {
            for (stat, by) in &item.after_fight {
                effects.add(&mut held, *stat, (*by).into())?;
            }
        }
        if held.stats[life] <= 0 {
            return Ok(Spread::certain(self.death(place, held)));
        }
        self.go(place, held, way)
    }
}

/// The marks of all foes of a fight, or of the only one.
fn marks(fight: &CompiledFight, only: Option<u16>) -> u128 {
    let marks = fight.marks.iter().zip(0_u16..);
    let marks = marks.filter(|(_, number)| only.is_none_or(|only| only == *number));
    marks.fold(0, |all, (mark, _)| all | mark)
}
