//! Adventure sheets and heroes.

use std::collections::BTreeMap;

use oddsmith_gamebook::{Amount, Cap, Condition, Effect, Item, Refreshment, Sheet, Slot, Stat};
use quickcheck::Gen;

use super::Rolled;
use super::draw::{below, one_of, sometimes};

pub(super) const STATS: [&str; 6] = ["skill", "stamina", "luck", "gold", "meals", "honour"];
/// The stats whose caps effects may raise: with the six stats, they fill a packed sheet.
pub(super) const RAISED: [&str; 2] = ["stamina", "luck"];
pub(super) const ITEMS: [&str; 6] = ["sword", "shield", "ring", "coin", "cloak", "tonic"];
pub(super) const FLAGS: [&str; 3] = ["seen", "cursed", "slain"];
pub(super) const TAGS: [&str; 2] = ["silver", "magic"];

fn stat(id: &str, initial: Amount, cap: Option<Cap>, floor: Option<i16>) -> Stat {
    Stat {
        cap,
        floor,
        ..Stat::new(id, initial)
    }
}

fn within(g: &mut Gen, least: i16, most: i16) -> i16 {
    least + below(g, (most - least + 1) as u32) as i16
}

/// In a book with cycles every stat has both bounds, so that the number of states is finite.
pub(super) fn sheet_and_hero(g: &mut Gen, cyclic: bool) -> (Sheet, Rolled) {
    let bounded = |g: &mut Gen, low: i16, high: i16| {
        let cap = cyclic || sometimes(g, 1, 2);
        let floor = cyclic || sometimes(g, 2, 3);
        (cap.then_some(Cap::At(high)), floor.then_some(low))
    };
    let dice = |text: &str| text.parse::<Amount>().unwrap();
    let luck_cap = if sometimes(g, 1, 2) {
        Cap::Initial
    } else {
        Cap::At(8)
    };
    // A floor above 0 pays for what the hero cannot afford, any number of times.
    let least = if cyclic { one_of(g, &[0, 0, 0, 2]) } else { 0 };
    let gold = bounded(g, least, 5);
    // Some start below their floor.
    let least = one_of(g, &[-2, -2, -2, 1]);
    let honour = bounded(g, least, 2);
    let skill_floor = (cyclic || sometimes(g, 1, 3)).then_some(1);
    let stamina_floor = (cyclic || sometimes(g, 2, 3)).then_some(0);
    // A hero who always has a meal left can eat forever.
    let fewest = if cyclic { one_of(g, &[0, 0, 0, 1]) } else { 0 };
    let meals = Amount::from(within(g, 0, 2));
    let honours = Amount::from(within(g, -1, 1));
    let mut sheet = Sheet {
        stats: vec![
            stat("skill", dice("1d6+6"), Some(Cap::Initial), skill_floor),
            stat("stamina", dice("1d6+3"), Some(Cap::Initial), stamina_floor),
            stat("luck", dice("1d6+4"), Some(luck_cap), Some(0)),
            stat("gold", dice("2d3"), gold.0, gold.1),
            stat("meals", meals, Some(Cap::At(2)), Some(fewest)),
            stat("honour", honours, honour.0, honour.1),
        ],
        items: items(g),
        flags: FLAGS.map(Into::into).into(),
        refreshments: refreshments(g),
        ..Sheet::default()
    };
    let mut hero = Rolled {
        skill: within(g, 5, 10),
        stamina: within(g, 1, 10),
        luck: within(g, 2, 8),
        gold: within(g, 0, 5),
        wounds: 0,
        chosen: None,
        lost: None,
    };
    if sometimes(g, 1, 3) {
        hero.wounds = within(g, 0, hero.stamina - 1);
    }
    if sometimes(g, 1, 2) {
        let item = one_of(g, &ITEMS).to_owned();
        hero.lost = sometimes(g, 1, 4).then(|| item.clone());
        sheet.initial_items.push(item);
    }
    if sometimes(g, 1, 2) {
        let from = below(g, 5) as usize;
        sheet.initial_choices.push(
            ITEMS[from..from + 2]
                .iter()
                .map(|&item| item.into())
                .collect(),
        );
        hero.chosen = Some(ITEMS[from + below(g, 2) as usize].into());
        hero.lost = None;
    }
    (sheet, hero)
}

fn items(g: &mut Gen) -> Vec<Item> {
    let mut priority = 0;
    let items = ITEMS.iter().enumerate().map(|(number, id)| {
        let mut item = Item::new(*id);
        // Every tag is used somewhere, since conditions may ask for it.
        if let Some(tag) = TAGS.get(number) {
            item.tags.push((*tag).into());
        }
        if sometimes(g, 1, 3) {
            let tag = one_of(g, &TAGS).to_owned();
            if !item.tags.contains(&tag) {
                item.tags.push(tag);
            }
        }
        if sometimes(g, 1, 2) {
            priority += 1;
            item.slot = Some(Slot {
                id: one_of(g, &["hand", "neck"]).into(),
                // Not in the order of the sheet.
                priority: if sometimes(g, 1, 2) {
                    priority
                } else {
                    -priority
                },
            });
        }
        if sometimes(g, 1, 3) {
            let by = one_of(g, &[-2, -1, 1, 2]);
            item.modifiers = BTreeMap::from([(one_of(g, &["skill", "luck", "honour"]).into(), by)]);
        }
        if sometimes(g, 1, 4) {
            item.attack = one_of(g, &[-1, 1, 2]);
            item.hit = one_of(g, &[0, 0, 0, 1, -1, 2]);
        }
        if sometimes(g, 1, 5) {
            let stat = one_of(g, &["stamina", "luck", "gold", "skill"]);
            item.after_fight = BTreeMap::from([(stat.into(), one_of(g, &[-1, 1]))]);
        }
        item
    });
    items.collect()
}

fn refreshments(g: &mut Gen) -> Vec<Refreshment> {
    let mut all = Vec::new();
    if sometimes(g, 1, 2) {
        all.push(Refreshment {
            label: "eat".into(),
            condition: Some(Condition::at_least("meals", 1)),
            effects: vec![Effect::change("meals", -1), Effect::change("stamina", 3)],
        });
    }
    if sometimes(g, 1, 3) {
        let mut effects = vec![Effect::Lose("tonic".into())];
        match below(g, 4) {
            0 => effects.push(Effect::Restore(one_of(g, &RAISED).into())),
            1 => effects.push(Effect::change("stamina", -1)),
            2 => effects.push(Effect::change("luck", 2)),
            _ => effects.push(Effect::Change(BTreeMap::from([(
                "stamina".into(),
                "1d3-1".parse().unwrap(),
            )]))),
        }
        all.push(Refreshment {
            label: "drink".into(),
            condition: Some(Condition::Has("tonic".into())),
            effects,
        });
    }
    if sometimes(g, 1, 4) {
        let lost = one_of(g, &ITEMS).into();
        all.push(Refreshment {
            label: "swear".into(),
            condition: Some(Condition::Not(Box::new(Condition::Flag("seen".into())))),
            effects: vec![Effect::SetFlag("seen".into()), Effect::Lose(lost)],
        });
    }
    all
}
