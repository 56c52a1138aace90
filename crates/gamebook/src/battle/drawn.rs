//! Drawing the end of a folded fight.

use rand::Rng;

use super::{Progress, marks};
use crate::Place;
use crate::apply::Overflow;
use crate::book_game::{BookGame, Folded};
use crate::compiled::{Scene, Way};
use crate::play::reader::{number, pick};

/// A fight whose end can be drawn at once.
#[derive(Debug)]
pub(crate) struct DrawnFight {
    laws: Folded,
    hero: usize,
    marks: u128,
    victory: Way,
}

impl BookGame {
    /// The folded fight at a place, if there is one, under the same conditions as in
    /// [`fight`](BookGame::fight).
    pub(crate) fn drawn_fight(&self, place: &Place) -> Option<DrawnFight> {
        let scene = self.compiled.scenes.get(place.scene as usize)?;
        let &Scene::Fight {
            fight: key,
            victory,
            ..
        } = scene
        else {
            return None;
        };
        let fight = &self.compiled.fights[key as usize];
        let foe = match place.step {
            0 => fight.first().foe,
            step => Progress::unpack(step).foe,
        };
        let only = fight.drawn().then_some(foe);
        // The rest of a fight is not a whole one.
        let begins = match only {
            None => place.step == 0,
            Some(foe) if usize::from(foe) < fight.foes.len() => {
                let begun = Progress::begin(fight.against(foe)).pack();
                place.step == begun || place.step == 0 && !fight.draws()
            }
            Some(_) => false,
        };
        if !begins || !self.folds(fight, only) {
            return None;
        }
        let arms = self.compiled.arms(fight, &place.held);
        let life = place.held.stats[usize::from(self.compiled.life)];
        let hero = life.max(0) as u16;
        let folding = (key, only.unwrap_or(u16::MAX), arms);
        let laws = self.folded(folding, hero, |most| {
            self.bout(fight, only, arms).fold(most)
        })?;
        let hero = usize::from(hero);
        (hero < laws.len()).then(|| DrawnFight {
            laws,
            hero,
            marks: marks(fight, only),
            victory,
        })
    }

    /// Draws where such a fight leads.
    pub(crate) fn fought<R: Rng + ?Sized>(
        &self,
        place: &Place,
        fight: &DrawnFight,
        rng: &mut R,
    ) -> Result<Option<Place>, Overflow> {
        let law = &fight.laws[fight.hero];
        let Some(end) = number(law, rng.next_u64()) else {
            return Ok(None);
        };
        let after = self.decided(place, law.outcomes[end].0, |held| {
            held.items |= fight.marks;
            fight.victory
        })?;
        Ok(pick(after, rng))
    }
}
