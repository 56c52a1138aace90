//! A book and a hero from the command line.

use std::collections::VecDeque;
use std::error::Error;

use oddsmith_gamebook::{Amount, Book, BookGame, BookSolver, Character, Place};

/// What was given: a file, `stat=value` for each stat that is rolled, names of items, and
/// options that begin with `--`.
pub(crate) struct Seat {
    pub(crate) book: Book,
    pub(crate) hero: Character,
    /// Those that are left, with their values.
    pub(crate) options: Vec<(String, Option<String>)>,
}

impl Seat {
    /// Reads `BOOK [STAT=VALUE | ITEM | --now STAT=VALUE | --OPTION [VALUE]]…`; `valued` names
    /// the options with a value.
    pub(crate) fn take(valued: &[&str]) -> Result<Self, Box<dyn Error>> {
        let mut words: VecDeque<String> = std::env::args().skip(1).collect();
        let (mut file, mut variant) = (None, None);
        let (mut hero, mut options) = (Character::new(), Vec::new());
        while let Some(word) = words.pop_front() {
            if let Some(name) = word.strip_prefix("--") {
                let value = if name == "variant" || name == "now" || valued.contains(&name) {
                    Some(words.pop_front().ok_or(format!("--{name} needs a value"))?)
                } else {
                    None
                };
                if name == "variant" {
                    variant = value;
                } else if name == "now" {
                    let word = value.unwrap_or_default();
                    let (stat, value) = read_stat(&word)?;
                    hero = hero.now(stat, value);
                } else {
                    options.push((name.to_owned(), value));
                }
            } else if file.is_none() {
                file = Some(word);
            } else if word.contains('=') {
                let (stat, value) = read_stat(&word)?;
                hero = hero.stat(stat, value);
            } else {
                hero = hero.item(&word);
            }
        }
        let file = file.ok_or("which book? Give a file in JSON or TOML")?;
        let book = crate::reading::book(&file, variant.as_deref())?;
        known(&book, &hero)?;
        Ok(Seat {
            book,
            hero,
            options,
        })
    }

    /// Whether an option was given, and with which value.
    pub(crate) fn option(&self, name: &str) -> Option<Option<&str>> {
        let mut options = self.options.iter();
        let (_, value) = options.find(|(given, _)| given == name)?;
        Some(value.as_deref())
    }

    /// The value of an option that is a number.
    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, String> {
        let Some(Some(value)) = self.option(name) else {
            return Ok(None);
        };
        let number = value.parse();
        number
            .map(Some)
            .map_err(|_| format!("--{name} {value}: a whole number is needed"))
    }

    /// Where it starts: at `--section N`, or at the start of the book.
    pub(crate) fn start(&self, game: &BookGame) -> Result<Place, Box<dyn Error>> {
        Ok(match self.number("section")? {
            None => game.start(),
            Some(section) => game.start_at(u32::try_from(section)?)?,
        })
    }

    /// A solver by diagrams, which may take `--gib N` (4) of memory, and tell apart
    /// `--values N` (4096) values of a stat.
    pub(crate) fn solver<'g>(&self, game: &'g BookGame) -> Result<BookSolver<'g>, Box<dyn Error>> {
        let gib = usize::try_from(self.number("gib")?.unwrap_or(4))?;
        let solver = BookSolver::new(game).max_bytes(gib.saturating_mul(1 << 30));
        Ok(match self.number("values")? {
            None => solver,
            Some(values) => solver.max_values(usize::try_from(values)?),
        })
    }

    /// An error for the first option that is none of these.
    pub(crate) fn only(&self, known: &[&str]) -> Result<(), String> {
        let strange = |(name, _): &&(String, _)| !known.contains(&name.as_str());
        match self.options.iter().find(strange) {
            Some((name, _)) => Err(format!("there is no option --{name}")),
            None => Ok(()),
        }
    }
}

fn read_stat(word: &str) -> Result<(&str, i16), String> {
    let wrong = || format!("{word}: a stat, = and a whole number are needed");
    let (stat, value) = word.split_once('=').ok_or_else(wrong)?;
    let value: i64 = value.parse().map_err(|_| wrong())?;
    let held = i16::try_from(value);
    let held = held.map_err(|_| format!("{word}: a sheet holds -32768 to 32767"))?;
    match stat.is_empty() {
        true => Err(wrong()),
        false => Ok((stat, held)),
    }
}

/// An error that says all that is missing of the hero at once.
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
        "roll the hero: {} (a number in place of the dice)",
        missing.join(" ")
    ))
}
