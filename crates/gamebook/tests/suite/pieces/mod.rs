//! Pieces of small books.

use oddsmith_gamebook::{
    Branch, Cap, Character, Choice, Condition, Effect, Manuscript, Passage, Play, Section, Stat,
};

/// A book with some gold on the standard sheet, in a purse of the given size.
pub(crate) fn with_gold(
    id: &str,
    (gold, most): (i16, i16),
    sections: Vec<(u32, Play)>,
) -> Manuscript {
    let mut book = Manuscript::new(id);
    book.sheet.stats.push(Stat {
        cap: Some(Cap::At(most)),
        floor: Some(0),
        ..Stat::new("gold", gold)
    });
    let sections = sections.into_iter();
    book.sections
        .extend(sections.map(|(number, play)| Section::new(number, play.into())));
    book
}

pub(crate) fn rolled(skill: i16, stamina: i16, luck: i16) -> Character {
    Character::new()
        .stat("skill", skill)
        .stat("stamina", stamina)
        .stat("luck", luck)
}

pub(crate) fn random(branches: &[(u32, Passage)]) -> Play {
    let branch = |(weight, passage): &(u32, Passage)| Branch {
        weight: *weight,
        passage: passage.clone(),
    };
    Play::Random(branches.iter().map(branch).collect())
}

pub(crate) fn choice(passages: Vec<Passage>) -> Play {
    let options = passages.into_iter();
    Play::Choice(options.map(|passage| Choice::new("on", passage)).collect())
}

pub(crate) fn after(effects: Vec<Effect>, to: u32) -> Passage {
    Passage {
        effects,
        ..Passage::to(to)
    }
}

/// The value for those who hold something, and for the others.
pub(crate) fn with(section: u32, item: &str, plays: [Play; 2]) -> [Section; 3] {
    let held = Condition::Has(item.to_owned());
    let cases = vec![
        Choice::new("with", Passage::to(section + 1)).when(held),
        Choice::new("without", Passage::to(section + 2)),
    ];
    let [with, without] = plays;
    [
        Section::new(section, Play::First(cases).into()),
        Section::new(section + 1, with.into()),
        Section::new(section + 2, without.into()),
    ]
}
