//! The hero of a book at the start: whether the values given fit the sheet, and what they make.

use crate::apply::Caps;
use crate::mistakes::Mistakes;
use crate::place::{Held, STATS};
use crate::{Book, Character, Compiled, Error};

/// The error for a name that is not on the sheet, with the names that are.
pub(crate) fn not_on_sheet(book: &Book, compiled: &Compiled, id: &str) -> Error {
    let stats = compiled.stats.iter().map(|stat| &*stat.id);
    let choices = book.manuscript().sheet.initial_choices.iter().flatten();
    let choices: Vec<&str> = choices.map(String::as_str).collect();
    let others = compiled.bits.iter().map(|bit| &**bit);
    let others = others.filter(|bit| !choices.contains(bit));
    let known = stats.chain(choices.iter().copied()).chain(others);
    Error::NotOnSheet {
        id: id.to_owned(),
        known: known.map(str::to_owned).collect(),
    }
}

/// The hero's value of a stat, if it fits on a sheet.
fn held_by_sheet(stat: &str, given: i32) -> Result<i16, Error> {
    i16::try_from(given).map_err(|_| Error::OutOfRange {
        place: "the hero".to_owned(),
        field: stat.to_owned(),
        given: given.into(),
        least: i16::MIN.into(),
        most: i16::MAX.into(),
    })
}

/// The initial values of all stats; 0 where there is a mistake.
fn initial(
    book: &Book,
    compiled: &Compiled,
    hero: &Character,
    mistakes: &mut Mistakes,
) -> [i16; STATS] {
    for id in hero.stats.keys() {
        if compiled.stat_named(id).is_none() {
            mistakes.add(not_on_sheet(book, compiled, id));
        }
    }
    // A misspelt stat would also be reported as missing under its right name.
    let misspelt = mistakes.count > 0;
    let mut initial = [0; STATS];
    for (stat, value) in compiled.stats.iter().zip(&mut initial) {
        let given = hero.stats.get(&*stat.id);
        let fixed = stat.initial.is_fixed().then(|| stat.initial.min() as i16);
        let found = match (given, fixed) {
            (Some(given), _) => held_by_sheet(&stat.id, *given),
            (None, Some(fixed)) => Ok(fixed),
            (None, None) if misspelt => Ok(0),
            (None, None) => Err(Error::MissingStat {
                stat: stat.id.to_string(),
                dice: stat.initial.to_string(),
            }),
        };
        match found {
            Ok(found) => *value = found,
            Err(mistake) => mistakes.add(mistake),
        }
    }
    initial
}

/// The caps of a hero, and the sheet at the start.
pub(crate) fn begin(
    book: &Book,
    compiled: &Compiled,
    hero: &Character,
) -> Result<(Caps, Held), Error> {
    let mut mistakes = Mistakes::default();
    let initial = initial(book, compiled, hero, &mut mistakes);
    let caps = compiled.caps(&initial);
    let sheet = &book.manuscript().sheet;
    let bit = |id: &str, mistakes: &mut Mistakes| {
        let bit = compiled.bit_named(id);
        if bit.is_none() {
            mistakes.add(not_on_sheet(book, compiled, id));
        }
        bit.unwrap_or(0)
    };
    let mut held = Held {
        items: 0,
        stats: initial,
    };
    for (id, value) in &hero.now {
        match compiled.stat_named(id) {
            Some(stat) => held.stats[stat] = *value,
            None => mistakes.add(not_on_sheet(book, compiled, id)),
        }
    }
    for (stat, cap) in compiled.stats.iter().zip(&caps) {
        if let (Some(raised), Some(cap)) = (stat.raised, cap) {
            held.stats[usize::from(raised)] = *cap;
        }
    }
    for item in sheet.initial_items.iter().chain(&hero.items) {
        held.items |= bit(item, &mut mistakes);
    }
    for item in hero.items.iter().filter(|item| hero.lost.contains(item)) {
        mistakes.add(Error::HeldAndNot { item: item.clone() });
    }
    for item in &hero.lost {
        held.items &= !bit(item, &mut mistakes);
    }
    // A misspelt choice would also be reported as missing.
    let misspelt = hero
        .items
        .iter()
        .any(|item| compiled.bit_named(item).is_none());
    for items in &sheet.initial_choices {
        let chosen = items
            .iter()
            .filter(|item| hero.items.contains(item))
            .count();
        let used_up = items.iter().any(|item| hero.lost.contains(item));
        if chosen > 1 || (chosen == 0 && !used_up && !misspelt) {
            mistakes.add(Error::MissingChoice {
                items: items.clone(),
            });
        }
    }
    mistakes.told()?;
    Ok((caps, held))
}
