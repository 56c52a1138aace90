//! Tests that the dice do not decide, and fights that nobody can win.

use oddsmith_fightingfantasy::LuckTest;

use super::Analysis;
use super::known::{Known, Sheets};
use crate::compiled::{Compiled, CompiledFight, CompiledItem, Scene};
use crate::place::STATS;
use crate::{Enemy, Finding};

/// The lowest and the highest face of a die.
const FACES: (i32, i32) = (1, 6);
/// The most by which two dice can beat two others.
const MOST_AHEAD: i32 = 2 * (FACES.1 - FACES.0);

/// The items of a slot, in the order in which they are worn, and what each adds.
type Additions = Vec<(u128, i32)>;

/// The items that matter to tests and fights. Most books have many items of which few do, and the
/// bounds are computed for every scene many times.
#[derive(Debug)]
pub(super) struct Worn<'c> {
    /// By stat, the slots with an item that modifies it.
    stats: [Vec<Additions>; STATS],
    /// The slots with an item that strengthens attacks, and those with one that adds to hits.
    attack: Vec<Additions>,
    hit: Vec<Additions>,
    /// The items that take effect after a fight.
    pub(super) after_fight: Vec<&'c CompiledItem>,
}

impl<'c> Worn<'c> {
    pub(super) fn of(book: &'c Compiled) -> Self {
        let by = |adds: &dyn Fn(&CompiledItem) -> i32| {
            let slots = book.slots.iter().map(|slot| {
                let items = slot.iter().map(|item| (item.bit, adds(item)));
                items.collect::<Additions>()
            });
            // An item that adds nothing matters only if it is worn in place of one that does.
            let adding = |slot: &Additions| slot.iter().any(|(_, by)| *by != 0);
            slots.filter(adding).collect::<Vec<_>>()
        };
        let items = book.slots.iter().flatten();
        Worn {
            stats: std::array::from_fn(|number| {
                by(&|item| {
                    let modifiers = item.modifiers.iter();
                    let of = modifiers.filter(|(stat, _)| usize::from(*stat) == number);
                    of.map(|(_, by)| i32::from(*by)).sum()
                })
            }),
            attack: by(&|item| item.arms.0.into()),
            hit: by(&|item| item.arms.1.into()),
            after_fight: items.filter(|item| !item.after_fight.is_empty()).collect(),
        }
    }
}

/// The least and the most that these slots add: of each, the first item held works.
fn added(slots: &[Additions], known: &Known) -> (i32, i32) {
    let (mut least, mut most) = (0, 0);
    for slot in slots {
        // Items behind one that everybody holds never work.
        let certain = slot.iter().position(|(bit, _)| known.must & bit != 0);
        let first = certain.map_or(&slot[..], |last| &slot[..=last]);
        let held = first.iter().filter(|(bit, _)| known.may & bit != 0);
        let nothing = certain.is_none().then_some(0);
        let adds = held.map(|(_, by)| *by).chain(nothing);
        let range = adds
            .map(|by| (by, by))
            .reduce(|(low, high), (by, _)| (low.min(by), high.max(by)));
        let (low, high) = range.unwrap_or_default();
        (least, most) = (least + low, most + high);
    }
    (least, most)
}

impl Sheets<'_> {
    /// The least and the greatest value of a stat, with what items add.
    fn effective(&self, stat: u8, known: &Known) -> (i32, i32) {
        let stat = usize::from(stat);
        let (low, high) = added(&self.worn.stats[stat], known);
        (known.low[stat] + low, known.high[stat] + high)
    }

    /// Whether a test may be passed, and whether it may be failed.
    pub(super) fn tested(&self, stat: u8, dice: u8, add: i16, known: &Known) -> (bool, bool) {
        let (low, high) = self.effective(stat, known);
        let below = match self.rule {
            LuckTest::AtMost => 0,
            LuckTest::Below => 1,
        };
        let passes = |value: i32| value - i32::from(add) - below;
        let (ones, sixes) = (FACES.0 * i32::from(dice), FACES.1 * i32::from(dice));
        (ones <= passes(high), sixes > passes(low))
    }

    /// Whether a fight may be won before it is interrupted.
    pub(super) fn may_win(&self, fight: u32, known: &Known) -> bool {
        let fight = &self.book.fights[fight as usize];
        let skill = self
            .book
            .skill
            .map_or(0, |skill| self.effective(skill, known).1);
        let attack = skill + added(&self.worn.attack, known).1;
        let hit = added(&self.worn.hit, known).1;
        let arms = self.book.armed(fight, (attack, hit));
        let falls = |foe: &Enemy| {
            let hurt = arms.hit > 0 && arms.attack + MOST_AHEAD > i32::from(foe.skill);
            hurt || foe.stamina == 0
        };
        let mut bouts = fight.bouts().into_iter();
        bouts.any(|only| foes(fight, only).iter().all(falls))
    }
}

/// The foes who have to fall.
fn foes(fight: &CompiledFight, only: Option<u16>) -> &[Enemy] {
    let foes = match only {
        Some(only) => fight.foes.get(only.into()..=only.into()),
        None => fight.foes.get(fight.first().foe.into()..),
    };
    foes.unwrap_or_default()
}

impl Analysis<'_> {
    /// Tests and fights whose outcome is certain. `paths` are the paths of the scenes within their
    /// sections.
    pub(super) fn foregone(&self, paths: &[String]) -> Vec<Finding> {
        let compiled = self.sheets.book;
        let scenes = self.flow.scenes.iter().zip(&compiled.scenes);
        let scenes = scenes.zip(&compiled.numbers).zip(paths);
        let findings = scenes.filter_map(|(((known, scene), &section), path)| {
            let known = known.as_ref()?;
            match scene {
                Scene::Test {
                    stat, dice, add, ..
                } => {
                    let (may_pass, may_fail) = self.sheets.tested(*stat, *dice, *add, known);
                    (may_pass != may_fail).then(|| Finding::Foregone {
                        section,
                        field: format!("{path}test"),
                        passed: may_pass,
                    })
                }
                Scene::Fight { fight, tolls, .. } => {
                    // It may still be won after a toll.
                    let later = tolls.iter().any(|way| self.may_win_later(way.to));
                    let won = later || self.sheets.may_win(*fight, known);
                    (!won).then(|| Finding::Unwinnable {
                        section,
                        field: format!("{path}fight"),
                    })
                }
                _ => None,
            }
        });
        findings.collect()
    }

    fn may_win_later(&self, scene: u32) -> bool {
        let scene = scene as usize;
        match (&self.sheets.book.scenes[scene], &self.flow.scenes[scene]) {
            (Scene::Fight { fight, .. }, Some(known)) => self.sheets.may_win(*fight, known),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::{Held, STATS};
    use crate::{Book, FightingFantasy, Rules};
    use oddsmith_fightingfantasy::Foe;

    /// With known values, the bounds agree with the exact odds.
    #[test]
    fn what_no_roll_does_is_excluded_and_nothing_else() {
        for rule in [LuckTest::AtMost, LuckTest::Below] {
            let laws = FightingFantasy::new(rule);
            let book = Book::builder()
                .luck(1, 2, 3)
                .fight(2, Foe::new(9, 4).unwrap(), 3)
                .won(3);
            let compiled = book.build().unwrap().compile();
            let worn = Worn::of(&compiled);
            let luck = compiled.luck.unwrap();
            let skill = usize::from(compiled.skill.unwrap());
            for value in -5..45 {
                let mut held = Held {
                    items: 0,
                    stats: [1; STATS],
                };
                held.stats[usize::from(luck)] = value;
                held.stats[skill] = value - 12;
                let caps = [None; STATS];
                let (sheets, known) = Sheets::one_hero((&compiled, &worn, rule), &caps, &held);
                for dice in 1..=6 {
                    for add in [-3, 0, 4] {
                        let (pass, fail) = laws.test(dice, i32::from(value - add));
                        let may = sheets.tested(luck, dice, add, &known);
                        assert_eq!(may, (pass > 0, fail > 0), "{dice} dice, {value}");
                    }
                }
                let (win, ..) = laws.round(i32::from(value) - 12 - 9).counts();
                assert_eq!(sheets.may_win(0, &known), win > 0, "{value}");
            }
        }
    }
}
