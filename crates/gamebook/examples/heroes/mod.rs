//! All heroes of a book that fit the arguments.

use std::error::Error;

use oddsmith_gamebook::{Book, Character, Stat};

use super::words::Words;

/// A function that turns one hero into another.
type Change<'c> = Box<dyn Fn(Character) -> Character + 'c>;

/// The heroes, with what distinguishes them; that includes the name of a variant.
pub(crate) fn all(
    book: &Book,
    words: &Words,
    variant: Option<&str>,
) -> Result<Vec<(String, Character)>, Box<dyn Error>> {
    for (id, _) in &words.stats {
        if !book.sheet().stats.iter().any(|stat| stat.id == *id) {
            return Err(format!("{} has no stat {id:?}", words.files[0]).into());
        }
    }
    let mut heroes = vec![(String::new(), Character::new())];
    let mut tell = |each: Vec<(String, Change<'_>)>| {
        let old = std::mem::take(&mut heroes);
        for (name, hero) in old {
            for (word, change) in &each {
                heroes.push((format!("{name} {word}"), change(hero.clone())));
            }
        }
    };
    for known in &book.sheet().stats {
        let given = words.stats.iter().find(|(id, _)| *id == known.id);
        let values: Vec<i16> = match given {
            Some((_, value)) => vec![*value],
            None if known.initial.is_fixed() => continue,
            None => rolled(known)?,
        };
        let id = &known.id;
        let values = values.into_iter();
        tell(
            values
                .map(|value| -> (String, Change<'_>) {
                    let change = move |hero: Character| hero.stat(id, value);
                    (format!("{id}={value}"), Box::new(change))
                })
                .collect(),
        );
    }
    for choice in &book.sheet().initial_choices {
        if choice.iter().any(|item| words.items.contains(item)) {
            continue;
        }
        let items = choice.iter();
        tell(
            items
                .map(|item| -> (String, Change<'_>) {
                    (item.clone(), Box::new(move |hero| hero.item(item)))
                })
                .collect(),
        );
    }
    for (_, hero) in &mut heroes {
        for item in &words.items {
            *hero = hero.clone().item(item);
        }
        for (stat, value) in &words.now {
            *hero = hero.clone().now(stat, *value);
        }
    }
    let now = words.now.iter();
    let now = now.map(|(stat, value)| format!("{stat}:{value}"));
    let items = words.items.iter().cloned();
    // Results for one variant do not hold for another.
    let variant = variant.map(|variant| format!("variant:{variant}"));
    let rest: Vec<String> = now.chain(items).chain(variant).collect();
    let rest = rest.join(" ");
    let named = heroes.into_iter();
    Ok(named
        .map(|(name, hero)| (format!("{} {rest}", name.trim()).trim().to_owned(), hero))
        .collect())
}

/// The values that the dice of a stat can give. Multiplied dice leave gaps.
fn rolled(stat: &Stat) -> Result<Vec<i16>, String> {
    let rolls = stat.initial.counts().into_iter();
    let values = rolls.map(|(value, _)| {
        let id = &stat.id;
        i16::try_from(value).map_err(|_| {
            format!("{id} may be {value}, but must be between -32768 and 32767; give {id}=VALUE")
        })
    });
    let mut values: Vec<i16> = values.collect::<Result<_, _>>()?;
    // Dice multiplied by 0 give 0 in many ways.
    values.dedup();
    Ok(values)
}
