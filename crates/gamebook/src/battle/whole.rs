//! Whole fights as single chance moves, and a cache of their distributions.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::{Progress, marks};
use crate::Place;
use crate::apply::Overflow;
use crate::book_game::{BookGame, Fights};
use crate::compiled::{Arms, CompiledFight, Way};
use crate::play::Places;
use crate::running::Terms;
use crate::spread::Spread;

/// The distribution of the STAMINA left after a fight, by the hero's STAMINA before it.
type Laws = Arc<Vec<Spread<u16>>>;
/// A fight, the foe drawn for it, and the hero's arms as far as they matter.
type Key = (u32, Option<u16>, Arms);

/// The fights folded so far. A cache: its contents never influence a result.
#[derive(Debug, Default)]
pub(crate) struct FoldedFights(Mutex<Cache>);

#[derive(Debug, Default)]
struct Cache {
    fights: FxHashMap<Key, Known>,
    /// The memory of all distributions, in words.
    words: u64,
}

/// What is known of a fight.
#[derive(Debug, Default)]
struct Known {
    /// For a hero with the highest STAMINA for which it was needed.
    laws: Option<Laws>,
    /// The lowest STAMINA for which it was too much work.
    refused: Option<u16>,
}

/// The most words of all distributions in the cache: 128 MiB, far more than any one fight takes.
const MOST_WORDS: u64 = 1 << 24;
/// The words of an outcome besides those of its weight.
const OUTCOME: u64 = 6;

/// A fight that has not begun and is a single chance move.
#[derive(Debug)]
pub(crate) struct WholeFight {
    laws: Laws,
    hero: usize,
    /// What is set when it is won.
    marks: u128,
}

impl WholeFight {
    /// The distribution of the STAMINA that is left; 0 is death.
    pub(crate) fn law(&self) -> &Spread<u16> {
        &self.laws[self.hero]
    }
}

impl BookGame {
    /// The fight at a place, if it is played as a whole.
    pub(crate) fn whole_fight(&self, number: u32, place: &Place) -> Option<WholeFight> {
        let fight = &self.compiled.fights[number as usize];
        if place.step == 0 && fight.draws() {
            return None;
        }
        let progress = Progress::at(fight, place.step);
        if !self.knows(fight, progress) {
            return None;
        }
        // A fight with one drawn foe is a fight of its own.
        let only = fight.drawn().then_some(progress.foe);
        // The rest of a fight, as reached by a game that plays round by round, is not a whole
        // fight.
        let begins = match only {
            None => place.step == 0,
            Some(foe) => progress.pack() == Progress::begin(fight.against(foe)).pack(),
        };
        if !begins || !self.folds(fight, only) {
            return None;
        }
        let arms = self.alike(fight, self.compiled.arms(fight, &place.held));
        // A hero with less than 0 is dead.
        let life = usize::from(self.compiled.life);
        let hero = place.held.stats[life].max(0) as u16;
        // Few heroes have more STAMINA than its cap, so one law mostly serves all.
        let cap = self.caps[life].and_then(|cap| u16::try_from(cap).ok());
        let most = hero.max(cap.unwrap_or(0));
        let fold = || self.bout(fight, only, arms).fold(most);
        let laws = self.folded.laws((number, only, arms), hero, most, fold)?;
        let hero = usize::from(hero);
        (hero < laws.len()).then(|| WholeFight {
            laws,
            hero,
            marks: marks(fight, only),
        })
    }

    /// What follows a whole fight with this much STAMINA left; 0 is death.
    pub(crate) fn after_whole(
        &self,
        fight: &WholeFight,
        place: &Place,
        left: u16,
        victory: Way,
    ) -> Result<Places, Overflow> {
        self.decided(place, left, |held| {
            held.items |= fight.marks;
            victory
        })
    }

    /// Whether a fight, or the one against the foe drawn for it, is a single chance move: nothing
    /// is decided in it, it is not broken off, nothing else happens within it, and a hero who dies
    /// in it has felled nobody who leaves a mark.
    fn folds(&self, fight: &CompiledFight, only: Option<u16>) -> bool {
        let decides = fight.terms != Terms::default() || self.compiled.battle_luck.is_some();
        let marked = only.is_none() && fight.foes.len() > 1 && marks(fight, None) != 0;
        self.fights == Fights::Folded && !decides && !marked
    }

    /// Arms with the same odds against all foes of a fight, the same for as many heroes as
    /// possible. Two rolls of two dice differ by at most 10, so a greater difference of SKILL
    /// changes nothing; other rules than those of the book may see it all the same.
    fn alike(&self, fight: &CompiledFight, arms: Arms) -> Arms {
        let skills = || fight.foes.iter().map(|foe| i32::from(foe.skill));
        match skills().min().zip(skills().max()) {
            Some((least, most)) if self.own_rules => Arms {
                attack: arms.attack.clamp(least - 11, most + 11),
                ..arms
            },
            _ => arms,
        }
    }
}

impl FoldedFights {
    /// The distributions of a fight for a hero with this STAMINA, from the cache if they are there,
    /// or for all heroes with up to `most` STAMINA.
    fn laws(
        &self,
        key: Key,
        hero: u16,
        most: u16,
        fold: impl FnOnce() -> Option<Vec<Spread<u16>>>,
    ) -> Option<Laws> {
        let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = cache.fights.entry(key).or_default();
        if let Some(laws) = known.laws.as_ref().filter(|laws| laws.len() > hero.into()) {
            return Some(Arc::clone(laws));
        }
        // Whether a hero's fight is folded must not depend on which heroes came before.
        if known.refused.is_some_and(|refused| most >= refused) {
            return None;
        }
        let Some(laws) = fold() else {
            known.refused = Some(most);
            return None;
        };
        let laws = Arc::new(laws);
        let replaced = known.laws.take();
        cache.words -= replaced.map_or(0, |laws| words(&laws));
        cache.words += words(&laws);
        if cache.words > MOST_WORDS {
            cache.fights.clear();
            cache.words = words(&laws);
        }
        cache.fights.entry(key).or_default().laws = Some(Arc::clone(&laws));
        Some(laws)
    }
}

/// The memory of some distributions, in words.
fn words(laws: &[Spread<u16>]) -> u64 {
    let weights = |law: &Spread<u16>| {
        let weights = law.outcomes.iter();
        weights
            .map(|(_, weight)| OUTCOME + weight.bits() / 64)
            .sum::<u64>()
    };
    laws.iter().map(|law| OUTCOME + weights(law)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distributions of a fight for heroes with up to `most` STAMINA, of a million words.
    fn long(most: u16) -> Option<Vec<Spread<u16>>> {
        let weights = (0..1_000).map(|left| (left, 1 << (left % 8)));
        Some(vec![Spread::weighted(weights); usize::from(most) + 1])
    }

    #[test]
    fn the_cache_of_folded_fights_does_not_grow_without_end() {
        let folded = FoldedFights::default();
        let held = || {
            folded
                .0
                .lock()
                .map(|cache| (cache.fights.len(), cache.words))
        };
        let arms = |attack| Arms { attack, hit: 2 };
        let mut most = 0;
        for attack in 0..40 {
            let laws = folded.laws((1, None, arms(attack)), 7, 99, || long(99));
            assert_eq!(laws.map(|laws| laws.len()), Some(100));
            let (fights, words) = held().unwrap_or_default();
            assert!(words <= MOST_WORDS, "{words}");
            assert_eq!(words, fights as u64 * 600_600);
            most = most.max(fights);
        }
        assert_eq!(most, 27);
        // A hero with more STAMINA replaces the law of a fight, and counts once.
        let laws = folded.laws((1, None, arms(39)), 150, 150, || long(150));
        assert_eq!(laws.map(|laws| laws.len()), Some(151));
        let (fights, words) = held().unwrap_or_default();
        assert_eq!(words, (fights as u64 - 1) * 600_600 + 151 * 6_006);
    }

    #[test]
    fn a_refusal_is_remembered_for_heroes_with_as_much_stamina() {
        let folded = FoldedFights::default();
        let key = (1, None, Arms { attack: 7, hit: 2 });
        assert!(folded.laws(key, 90, 90, || None).is_none());
        assert!(folded.laws(key, 95, 95, || long(95)).is_none());
        assert!(folded.laws(key, 80, 80, || long(80)).is_some());
        assert!(folded.laws(key, 95, 95, || long(95)).is_none());
    }
}
