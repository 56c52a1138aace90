//! Short words for sections written in tests.

use oddsmith_gamebook::{Condition, Effect, Passage, Section};

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
