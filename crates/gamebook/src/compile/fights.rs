//! Compiling fights, with a scene for every way in which one may go on after a toll.

use std::collections::BTreeSet;

use super::{Compiler, Interned, Within, intern};
use crate::battle_luck::hit;
use crate::compiled::{CompiledFight, Op, Scene, Standoff, Way, with_arms};
use crate::running::{Running, Terms};
use crate::{Enemy, Fight, FightCount, FightOrder};

/// Everything that distinguishes fights: the foes, their order, the attack, the terms, and how the
/// fight stands if it goes on after a toll.
type Parts = (Vec<Enemy>, FightOrder, i16, Terms, Option<Standoff>);

/// The most sums of item bonuses to hits that are distinguished.
const MOST_SUMS: usize = 1 << 12;

/// Interned fights, and the scenes of those that go on after a toll.
#[derive(Default)]
pub(super) struct Fights {
    known: Interned<Parts>,
    /// By section, the scenes in which fights go on. They come after all other scenes and refer to
    /// each other by their index in this list.
    tolled: Vec<(u32, Scene)>,
    /// All amounts that a hit of the hero may take, computed when a toll first needs them.
    takes: Option<BTreeSet<u16>>,
}

impl Compiler<'_> {
    pub(super) fn fight(&mut self, fight: &Fight, within: Within<'_>) -> Scene {
        let victory = self.way(&fight.victory, within);
        let flee = fight.escape.as_ref().map(|escape| {
            let fled = Within {
                fled: true,
                ..within
            };
            self.way(&escape.flee, fled)
        });
        let running = fight.escape.as_ref().map(|escape| Running {
            count: escape.count,
            after: escape.after,
            cost: escape.cost,
            forced: escape.forced,
        });
        let terms = Terms {
            running,
            toll: fight.toll.as_ref().map(|toll| toll.count),
        };
        let (foes, attack) = (fight.foes.clone(), fight.attack);
        let parts: Parts = (foes, fight.order, attack, terms, None);
        let effects = fight.toll.as_ref().map(|toll| {
            let mut ops = self.ops(&toll.effects);
            ops.push(Op::Survive);
            intern(&mut self.effects, ops)
        });
        let effects = effects.unwrap_or_default();
        let all = self.tolled(&parts);
        let first = self.fights.tolled.len();
        let scene = |c: &mut Self, parts: Parts| {
            let tolls = c.tolled(&parts).into_iter().map(|to| Way {
                effects,
                to: (first + all.binary_search(&to).unwrap_or_default()) as u32,
            });
            Scene::Fight {
                victory,
                flee,
                tolls: tolls.collect(),
                fight: intern(&mut c.fights.known, parts),
            }
        };
        for standoff in &all {
            let mut parts = parts.clone();
            parts.4 = Some(*standoff);
            let scene = scene(self, parts);
            self.fights.tolled.push((within.section.number, scene));
        }
        scene(self, parts)
    }

    /// Appends the scenes in which fights go on.
    pub(super) fn go_on(&mut self) {
        let before = self.scenes.len() as u32;
        for (section, scene) in std::mem::take(&mut self.fights.tolled) {
            self.numbers.push(section);
            self.scenes.push(Some(scene));
        }
        for scene in self.scenes.iter_mut().flatten() {
            if let Scene::Fight { tolls, .. } = scene {
                tolls.iter_mut().for_each(|way| way.to += before);
            }
        }
    }

    pub(super) fn compiled_fights(&mut self) -> Vec<CompiledFight> {
        let known = std::mem::take(&mut self.fights.known).into_iter();
        let fights = known.map(|parts| {
            let tolled = self.tolled(&parts);
            let (foes, order, attack, terms, begun) = parts;
            let marks = foes.iter().map(|foe| foe.mark.as_ref());
            CompiledFight {
                marks: marks
                    .map(|mark| mark.map_or(0, |mark| self.bit(mark)))
                    .collect(),
                foes,
                order,
                attack,
                terms,
                begun,
                tolled,
            }
        });
        fights.collect()
    }

    /// How a fight may stand after a toll.
    fn tolled(&mut self, parts: &Parts) -> Vec<Standoff> {
        if parts.3.toll.is_none() {
            return Vec::new();
        }
        let takes = self.fights.takes.take();
        let takes = takes.unwrap_or_else(|| self.takes());
        let all = standoffs(parts, &takes);
        self.fights.takes = Some(takes);
        all
    }

    /// All amounts that a hit of the hero may take, whatever is held. If there are too many sums to
    /// enumerate, all numbers; states that never occur do no harm.
    fn takes(&self) -> BTreeSet<u16> {
        let rules = self.book.rules();
        let mut sums = BTreeSet::from([0]);
        for slot in self.slots() {
            let added: BTreeSet<i32> = slot.iter().map(|item| item.arms.1.into()).collect();
            let more = sums
                .iter()
                .flat_map(|sum| added.iter().map(move |by| sum + by));
            let more: Vec<i32> = more.collect();
            sums.extend(more);
            if sums.len() > MOST_SUMS {
                return (0..=u16::MAX).collect();
            }
        }
        let plain = sums.into_iter().map(|added| with_arms(rules.hit, added));
        let takes = plain.map(|plain| (plain, hit(plain)));
        let all = takes.flat_map(|(plain, takes)| match rules.luck_in_battle {
            true => vec![plain, takes.lucky, takes.unlucky],
            false => vec![plain],
        });
        all.collect()
    }
}

/// How a fight with a toll may stand after any number of rounds, for any hero, in ascending order.
fn standoffs((foes, order, _, terms, begun): &Parts, takes: &BTreeSet<u16>) -> Vec<Standoff> {
    let against = |foe: u16| {
        let stamina = foes.get(usize::from(foe)).map(|foe| foe.stamina);
        stamina.map(|stamina| Standoff {
            foe,
            stamina,
            so_far: 0,
        })
    };
    let mut open: Vec<Standoff> = match (begun, order) {
        (Some(begun), _) => vec![*begun],
        (None, FightOrder::OneOf) => (0..foes.len() as u16).filter_map(against).collect(),
        (None, _) => against(0).into_iter().collect(),
    };
    let mut all = BTreeSet::new();
    while let Some(before) = open.pop() {
        let falls = takes.last().is_some_and(|most| *most >= before.stamina);
        let left = takes.range(..before.stamina);
        let left = left.map(|takes| before.stamina - takes);
        for stamina in left.chain(falls.then_some(0)).chain([before.stamina]) {
            let to = match stamina {
                0 if *order == FightOrder::OneOf => None,
                0 => against(before.foe + 1),
                stamina => Some(Standoff { stamina, ..before }),
            };
            let Some(to) = to else { continue };
            let anew = to.foe > before.foe && *order != FightOrder::AtOnce;
            let so_far = match terms.running {
                Some(running) if !anew => {
                    let more = running.after.min(before.so_far + 1);
                    match running.count {
                        FightCount::Rounds => more..=more,
                        FightCount::Wounds | FightCount::Hits => before.so_far..=more,
                    }
                }
                _ => 0..=0,
            };
            for so_far in so_far {
                let ends = |running: Running| running.forced && so_far >= running.after;
                let to = Standoff { so_far, ..to };
                if !terms.running.is_some_and(ends) && all.insert(to) {
                    open.push(to);
                }
            }
        }
    }
    all.into_iter().collect()
}
