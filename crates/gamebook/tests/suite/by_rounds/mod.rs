//! Fights round by round, according to the text of the book, in floats: nothing is shared with the
//! crate except the types of a book.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use std::collections::HashMap;

use oddsmith_gamebook::{Effect, Enemy, Fight, FightCount, FightOrder, Hazard};

/// For a hero who may wear a charm, which adds one point to every attack and to every hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Carried {
    pub(crate) skill: i32,
    pub(crate) gold: i32,
    pub(crate) charm: bool,
}

/// The hero's STAMINA, the first standing foe, its STAMINA, the count towards running, and the
/// items carried.
pub(crate) type State = (i32, usize, i32, u16, Carried);

/// Drawn rounds that are not counted are removed by renormalizing.
pub(crate) struct ByRounds<'f> {
    fight: &'f Fight,
    /// The value of what remains after victory, and after running.
    won: fn(Carried) -> f64,
    fled: fn(Carried) -> f64,
    memo: HashMap<State, f64>,
}

/// What a foe is drawn from: SKILL, STAMINA, damage and hazard.
pub(crate) type Seed = (u8, u8, u8, u8);

/// Some foes, at least one.
pub(crate) fn foes(seeds: &[Seed]) -> Vec<Enemy> {
    let enemy = |&(skill, stamina, damage, hazard): &Seed| Enemy {
        damage: (damage % 4).into(),
        hazard: (hazard % 3 == 0).then(|| Hazard {
            chance: 1 + u16::from(hazard % 2),
            of: 6,
            damage: 1 + u16::from(hazard % 4),
        }),
        ..Enemy::new((4 + skill % 7).into(), (1 + stamina % 7).into())
    };
    let mut all: Vec<Enemy> = seeds.iter().take(3).map(enemy).collect();
    if all.is_empty() {
        all.push(Enemy::new(7, 5));
    }
    all
}

impl<'f> ByRounds<'f> {
    pub(crate) fn new(fight: &'f Fight, won: fn(Carried) -> f64, fled: fn(Carried) -> f64) -> Self {
        ByRounds {
            fight,
            won,
            fled,
            memo: HashMap::new(),
        }
    }

    /// Before the first round against a foe.
    pub(crate) fn against(&mut self, foe: usize, hero: i32, carried: Carried) -> f64 {
        let stamina = self.fight.foes[foe].stamina.into();
        self.worth((hero, foe, stamina, 0, carried))
    }

    fn worth(&mut self, state: State) -> f64 {
        if let Some(known) = self.memo.get(&state) {
            return *known;
        }
        let (hero, _, _, counted, carried) = state;
        let running = self
            .fight
            .escape
            .as_ref()
            .filter(|one| counted >= one.after);
        let fled = running.map(|escape| match hero > i32::from(escape.cost) {
            true => (self.fled)(carried),
            false => 0.0,
        });
        if let (Some(fled), true) = (fled, running.is_some_and(|escape| escape.forced)) {
            return fled;
        }
        // Of all outcomes of a round, those that change something.
        let (mut sum, mut left) = (0.0, 0.0);
        for (to, counts, chance) in self.round(state) {
            if to.0 <= 0 {
                left += chance;
                continue;
            }
            // A foe that was drawn is the only one.
            let alone = self.fight.order == FightOrder::OneOf && to.1 > state.1;
            if alone || to.1 == self.fight.foes.len() {
                left += chance;
                sum += chance * (self.won)(to.4);
                continue;
            }
            for (part, to) in self.tolled(to, counts) {
                if to == state {
                    continue;
                }
                left += chance * part;
                if to.0 > 0 {
                    sum += chance * part * self.worth(to);
                }
            }
        }
        let on = match left > 0.0 {
            true => sum / left,
            false => 0.0,
        };
        let worth = fled.map_or(on, |fled| f64::max(on, fled));
        self.memo.insert(state, worth);
        worth
    }

    /// After the effects at the end of a round.
    fn tolled(&self, to: State, counts: bool) -> Vec<(f64, State)> {
        let over = self.fight.escape.as_ref();
        let over = over.is_some_and(|escape| escape.forced && to.3 >= escape.after);
        let effects = match &self.fight.toll {
            Some(toll) if counts && !over => &toll.effects[..],
            _ => &[],
        };
        let mut all = vec![(1.0, (to.0, to.4))];
        happen(effects, &mut all);
        let after = all.into_iter();
        after
            .map(|(chance, (hero, carried))| (chance, (hero, to.1, to.2, to.3, carried)))
            .collect()
    }

    /// All outcomes of a round, whether each counts for a toll, and its probability.
    fn round(&self, (hero, first, stamina, counted, carried): State) -> Vec<(State, bool, f64)> {
        let foes = &self.fight.foes;
        let at_once = self.fight.order == FightOrder::AtOnce;
        let last = if at_once { foes.len() } else { first + 1 };
        let attack = carried.skill + i32::from(carried.charm);
        let mut all = vec![((hero, stamina), 1.0)];
        let wins = |foe: &Enemy| {
            let mut odds = [0; 3];
            for rolls in 0..1296 {
                let dice = |pair: i32| pair / 6 + pair % 6 + 2;
                let own = attack + dice(rolls / 36);
                let other = i32::from(foe.skill) + dice(rolls % 36);
                odds[(1 + (other - own).signum()) as usize] += 1;
            }
            odds.map(|rolls| f64::from(rolls) / 1296.0)
        };
        let attackers = || (first..last).zip(&foes[first..last]);
        for (number, foe) in attackers() {
            let [won, drawn, lost] = wins(foe);
            let damage = i32::from(foe.damage);
            let mut next = Vec::new();
            for ((hero, stamina), chance) in all {
                if hero <= 0 {
                    next.push(((hero, stamina), chance));
                    continue;
                }
                let hit = if number == first {
                    stamina - 2 - i32::from(carried.charm)
                } else {
                    stamina
                };
                next.push(((hero, hit), chance * won));
                next.push(((hero, stamina), chance * drawn));
                next.push(((hero - damage, stamina), chance * lost));
            }
            all = next;
        }
        for (number, foe) in attackers() {
            let Some(hazard) = foe.hazard else {
                continue;
            };
            let burns = f64::from(hazard.chance) / f64::from(hazard.of);
            let mut next = Vec::new();
            for ((hero, stamina), chance) in all {
                let fallen = number == first && stamina <= 0;
                let burns = if hero <= 0 || fallen { 0.0 } else { burns };
                next.push(((hero, stamina), chance * (1.0 - burns)));
                next.push(((hero - i32::from(hazard.damage), stamina), chance * burns));
            }
            all = next;
        }
        let counts = |count: FightCount, now: i32, left: i32| match count {
            FightCount::Rounds => true,
            FightCount::Wounds => now < hero,
            _ => left < stamina,
        };
        let after = all.into_iter().map(|((now, left), chance)| {
            let counted = self.fight.escape.as_ref().map_or(0, |escape| {
                let more = u16::from(counts(escape.count, now, left));
                escape.after.min(counted + more)
            });
            let to = match left > 0 {
                true => (now, first, left, counted, carried),
                false => {
                    let next = foes.get(first + 1).map_or(0, |foe| foe.stamina.into());
                    let counted = if at_once { counted } else { 0 };
                    (now, first + 1, next, counted, carried)
                }
            };
            let toll = self.fight.toll.as_ref();
            let tolled = toll.is_some_and(|toll| counts(toll.count, now, left));
            (to, tolled, chance)
        });
        after.collect()
    }
}

/// Applies effects on STAMINA and the items carried; no stat falls below 0.
fn happen(effects: &[Effect], all: &mut Vec<(f64, (i32, Carried))>) {
    for effect in effects {
        match effect {
            Effect::Change(stats) => {
                for (stat, by) in stats {
                    let by = by.min();
                    for (_, (hero, carried)) in all.iter_mut() {
                        let value = match &stat[..] {
                            "skill" => &mut carried.skill,
                            "gold" => &mut carried.gold,
                            _ => hero,
                        };
                        *value = (*value + by).max(0);
                    }
                }
            }
            Effect::Lose(_) => all
                .iter_mut()
                .for_each(|(_, (_, carried))| carried.charm = false),
            Effect::Random(branches) => {
                let total: u32 = branches.iter().map(|branch| branch.weight).sum();
                let mut next = Vec::new();
                for branch in branches {
                    let mut part = all.clone();
                    for (chance, _) in &mut part {
                        *chance *= f64::from(branch.weight) / f64::from(total);
                    }
                    happen(&branch.effects, &mut part);
                    next.extend(part);
                }
                *all = next;
            }
            other => panic!("{other:?}"),
        }
    }
}
