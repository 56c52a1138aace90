//! A book and a hero from the command line.

use std::error::Error;
use std::path::Path;

use oddsmith_gamebook::{Amount, Book, BookGame, BookSolver, Character, Place};

use crate::words::Words;

/// A book from a file, a hero with a value for each rolled stat, and all arguments.
pub(crate) struct Seat {
    pub(crate) book: Book,
    pub(crate) hero: Character,
    pub(crate) words: Words,
}

impl Seat {
    pub(crate) fn take(words: Words) -> Result<Self, Box<dyn Error>> {
        let file = words.files.first();
        let file = file.ok_or("no book given; name a file in JSON or TOML")?;
        let book = crate::reading::book(file, words.text("variant"))?;
        let mut hero = Character::new();
        for (stat, value) in &words.stats {
            hero = hero.stat(stat, *value);
        }
        for (stat, value) in &words.now {
            hero = hero.now(stat, *value);
        }
        for item in &words.items {
            hero = hero.item(item);
        }
        known(&book, &hero)?;
        let seat = Seat { book, hero, words };
        // Invalid limits are an error even if they are not needed.
        seat.limits()?;
        Ok(seat)
    }

    /// The place where play starts: at `--section N`, at the bookmark of `--bookmark FILE` if that
    /// file exists, or else at the start of the book.
    pub(crate) fn start(&self, game: &BookGame) -> Result<Place, Box<dyn Error>> {
        if let Some(section) = self.words.number("section")? {
            return Ok(game.start_at(section)?);
        }
        match self.bookmark() {
            Some(file) => Ok(game.open(&crate::reading::bookmark(file)?)?),
            None => Ok(game.start()),
        }
    }

    /// Whether play starts elsewhere than at the start of the book.
    pub(crate) fn is_in_the_middle(&self) -> bool {
        self.words.has("section") || self.bookmark().is_some()
    }

    fn bookmark(&self) -> Option<&str> {
        let file = self.words.text("bookmark");
        file.filter(|file| Path::new(file).exists())
    }

    /// The limits of a solver by diagrams: `--gib N` (default: 4) of memory, and `--values N`
    /// (default: 4096) values of a stat.
    pub(crate) fn limits(&self) -> Result<Limits, Box<dyn Error>> {
        Ok(Limits {
            bytes: self.words.bytes()?,
            values: self.words.number("values")?,
        })
    }
}

/// The limits of a solver.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    bytes: usize,
    values: Option<usize>,
}

impl Limits {
    pub(crate) fn solver(self, game: &BookGame) -> BookSolver<'_> {
        let solver = BookSolver::new(game).max_bytes(self.bytes);
        match self.values {
            None => solver,
            Some(values) => solver.max_values(values),
        }
    }
}

/// Gives an error that lists everything missing in the hero.
fn known(book: &Book, hero: &Character) -> Result<(), String> {
    let stats = book.sheet().stats.iter();
    let rolled = |initial: &Amount| !initial.is_fixed();
    let missing = stats.filter(|stat| rolled(&stat.initial) && hero.initial(&stat.id).is_none());
    let missing: Vec<String> = missing
        .map(|stat| format!("{}={}", stat.id, stat.initial))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!(
        "roll the hero and give {} (with numbers in place of the dice)",
        missing.join(" ")
    ))
}
