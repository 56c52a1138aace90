//! Pieces of small books, and what books are drawn with.

use std::panic::Location;

use oddsmith_gamebook::{
    Branch, Cap, Character, Choice, Condition, Effect, Manuscript, Passage, Play, Section, Stat,
};
use quickcheck::{Gen, QuickCheck};

/// A property that has to hold for so many books. The books are the same whenever it is asked
/// for, so that whoever changes something else is not stopped by a book that was never drawn
/// before; with `ODDSMITH_SEED=1`, 2, … in the environment they are other ones.
#[track_caller]
pub(crate) fn drawn(books: u64) -> QuickCheck {
    let asked = std::env::var("ODDSMITH_SEED").map_or(0, |seed| seed.parse::<u64>().unwrap());
    // Each property draws its own.
    let place = Location::caller();
    let seed = place
        .file()
        .bytes()
        .fold(u64::from(place.line()), |seed, byte| {
            seed.wrapping_mul(0x0000_0100_0000_01B3) ^ u64::from(byte)
        });
    QuickCheck::new()
        .rng(Gen::from_size_and_seed(100, seed ^ asked.rotate_left(32)))
        .tests(books)
        .min_tests_passed(books)
}

/// A book with some gold on the standard sheet, in a purse that holds so much.
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

/// What is left to those who hold something, and to the others.
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
