//! Short functions for sections in tests.

use oddsmith_gamebook::{
    Character, Choice, Condition, Effect, Item, Manuscript, Passage, Play, Section, Stat,
};

/// The hero who serves where it does not matter which.
pub(crate) fn hero() -> Character {
    Character::new()
        .stat("skill", 7)
        .stat("stamina", 14)
        .stat("luck", 7)
}

pub(crate) fn gain(item: &str) -> Effect {
    Effect::Gain(item.into())
}

pub(crate) fn has(item: &str) -> Condition {
    Condition::Has(item.into())
}

pub(crate) fn not(condition: Condition) -> Condition {
    Condition::Not(Box::new(condition))
}

pub(crate) fn won(number: u32) -> Section {
    Section::new(number, Passage::won())
}

pub(crate) fn lost(number: u32) -> Section {
    Section::new(number, Passage::lost())
}

/// A book with gold (3 at the start) and the items a, b and c.
pub(crate) fn manuscript(sections: Vec<Section>) -> Manuscript {
    let mut book = Manuscript::new("test");
    book.sheet.stats.push(Stat {
        floor: Some(0),
        ..Stat::new("gold", 3)
    });
    book.sheet.items = ["a", "b", "c"].map(Item::new).into();
    book.sections = sections;
    book
}

/// A book whose hero has some gold, without a floor.
pub(crate) fn purse(gold: i16, sections: Vec<Section>) -> Manuscript {
    let mut book = manuscript(sections);
    book.sheet.stats.retain(|stat| stat.id != "gold");
    book.sheet.stats.push(Stat::new("gold", gold));
    book
}

pub(crate) fn choice(number: u32, options: Vec<Choice>) -> Section {
    Section::new(number, Play::Choice(options).into())
}

pub(crate) fn go(to: u32) -> Choice {
    Choice::new(format!("to {to}"), Passage::to(to))
}

pub(crate) fn with(to: u32, effects: Vec<Effect>) -> Choice {
    let passage = Passage {
        effects,
        ..Passage::to(to)
    };
    Choice::new(format!("to {to}"), passage)
}
