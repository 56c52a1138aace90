//! Arbitrary bytes as a book, and books with faults.
//!
//! Used by a test here and by the fuzz target.

mod change;
mod seeds;

use oddsmith_gamebook::{Amount, Book, Character, Error};
use oddsmith_mdp::Solver;

pub(crate) use change::{Changes, Rolls};

/// The number of places for the linter, and of states for the solver.
const LIMIT: usize = 200;

/// How far a text got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reached {
    /// It is not valid UTF-8.
    #[default]
    Bytes,
    /// It is not a book.
    Text,
    /// The book cannot be compiled, or has no hero.
    Book,
    /// The book is not solved within the limits.
    Played,
    /// The book has a value.
    Solved,
}

/// Reads bytes as JSON and as TOML; a valid book is written, read again, checked and solved within
/// small limits. Nothing may panic, and every error must have a message.
pub(crate) fn never_panics(bytes: &[u8]) -> Reached {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Reached::Bytes;
    };
    let read = [Book::from_json(text, "fuzz"), Book::from_toml(text, "fuzz")];
    let reached = read.into_iter().map(|book| match book {
        Ok(book) => play(&book),
        Err(error) => {
            speaks(&error);
            Reached::Text
        }
    });
    let reached = reached.max().unwrap_or_default();
    let plain = Book::builder().won(1).build().unwrap();
    match plain.variant_from_json(text, "fuzz") {
        Ok(book) => reached.max(play(&book)),
        Err(error) => {
            speaks(&error);
            reached
        }
    }
}

#[track_caller]
fn speaks(error: &Error) {
    assert!(!error.to_string().is_empty());
}

fn play(book: &Book) -> Reached {
    let json = book.to_json().unwrap();
    assert_eq!(Book::from_json(&json, "again").unwrap(), *book, "{json}");
    let toml = book.to_toml().unwrap();
    assert_eq!(Book::from_toml(&toml, "again").unwrap(), *book, "{toml}");
    assert!(!book.lint().to_string().is_empty());
    let hero = hero(book);
    match book.lint_up_to(&hero, LIMIT) {
        Ok(lint) => assert!(lint.reachable() <= book.len()),
        Err(error) => speaks(&error),
    }
    let solver = Solver::float().max_states(LIMIT).max_bytes(1 << 24);
    match book.solve_with(&hero, solver.allow_cycles()) {
        Ok(plan) => {
            let value = plan.value();
            assert!((-1e-9..=1.0 + 1e-9).contains(&value), "{value}");
            assert!(!plan.walkthrough().is_ok_and(|walk| walk.steps().is_empty()));
            Reached::Solved
        }
        Err(error @ (Error::Solve(_) | Error::TooManyPlaces { .. })) => {
            speaks(&error);
            Reached::Played
        }
        Err(error) => {
            speaks(&error);
            Reached::Book
        }
    }
}

/// A hero allowed by the sheet: the middle of all dice, the first item of all choices.
fn hero(book: &Book) -> Character {
    let sheet = book.sheet();
    let middle = |amount: &Amount| {
        let middle = (amount.min() + amount.max()) / 2;
        middle.clamp(i16::MIN.into(), i16::MAX.into()) as i16
    };
    let rolled = sheet.stats.iter().filter(|stat| !stat.initial.is_fixed());
    let hero = rolled.fold(Character::new(), |hero, stat| {
        hero.stat(&stat.id, middle(&stat.initial))
    });
    let choices = sheet.initial_choices.iter();
    choices
        .filter_map(|items| items.first())
        .fold(hero, |hero, item| hero.item(item))
}
