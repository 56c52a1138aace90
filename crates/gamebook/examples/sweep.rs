//! Computes the value of best play for many heroes, from one section or several.
//!
//! ```sh
//! cargo run --release -p oddsmith-gamebook --features toml --example sweep -- \
//!     crates/gamebook/books/city_of_thieves.json streets.tsv \
//!     skill=4 stamina=2 luck=7 merchant_pass --now gold=32 \
//!     --from 95 --from 116 --from 17
//! ```
//!
//! Every rolled stat that is not given takes all its values, and so does every choice of an item. A
//! line is written as soon as a hero is solved: section, stats, items, variant, chance, error
//! bound, seconds. Results already in the file are not computed again, so a sweep can be stopped
//! and resumed at any time; results that are less accurate than requested are computed again (the
//! last line of a hero counts). Results of another book, or of this one before it was changed, and
//! other files are not added to.
//!
//! `--gib N` is the memory for one hero (default: 4); heroes that need more are reported and left
//! out. `--threads N` solves this many heroes at a time (default: 1); the lines are the same, in
//! the order in which they are finished. `--together N` solves up to N heroes at once if they share
//! all places: they may differ in choices of items, and in stats whose caps may be raised. That
//! takes less time but more memory; if it is too much, each half is solved separately.
//! `--variant FILE` changes the book. `--within ERROR` stops at this accuracy, for whole books that
//! are too long for more.
#![expect(clippy::print_stderr, reason = "an example says what went wrong")]

mod crew;
mod heroes;
mod reading;
mod results;
mod words;

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

use oddsmith_gamebook::{Book, BookGame, BookSolver, Character, Error as BookError, Place};
use results::Results;
use words::{Program, Words};

const SWEEP: Program<'_> = Program {
    name: "sweep",
    usage: "BOOK RESULTS [STAT=VALUE | ITEM]... [--from SECTION]... \
            [--now STAT=VALUE]... [--gib N] [--threads N] [--together N] \
            [--variant FILE] [--within ERROR]",
    files: 2,
    flags: &[],
    valued: &["gib", "threads", "together", "variant", "within"],
    repeated: &["from", "now"],
};

/// A line to be written, with a hero and a start.
type Task<'h> = (String, &'h Character, Place);

fn main() -> ExitCode {
    SWEEP.main(run)
}

/// If the results file is forgotten, results must not go to a file with the name of an item.
fn no_file(word: &str, book: &Book) -> Result<(), String> {
    let sheet = book.sheet();
    let mut items = sheet.items.iter().map(|item| &item.id).chain(&sheet.flags);
    match word.contains('=') || items.any(|id| id == word) {
        true => Err(format!(
            "{word} describes the hero; name the results file before it"
        )),
        false => Ok(()),
    }
}

/// Two digits, rounded up.
fn upwards(error: f64) -> String {
    let digits = format!("{error:.1e}");
    match digits.parse::<f64>() {
        Ok(shown) if shown < error => format!("{:.1e}", 1.06 * error),
        _ => digits,
    }
}

fn run(words: Words) -> Result<(), Box<dyn Error>> {
    let [file, results] = &words.files[..] else {
        return Err("name the book and the results file".into());
    };
    let (within, bytes) = (words.within()?, words.bytes()?);
    let threads = crew::threads(&words)?;
    let from: Vec<u32> = words.numbers("from")?;
    let from: Vec<Option<u32>> = match &from[..] {
        [] => vec![None],
        from => from.iter().copied().map(Some).collect(),
    };
    let variant = words.text("variant");
    let book = reading::book(file, variant)?;
    no_file(results, &book)?;
    // A variant is named after its file.
    let variant = variant.map(|file| {
        let stem = Path::new(file).file_stem().unwrap_or(file.as_ref());
        stem.display().to_string()
    });
    let heroes = heroes::all(&book, &words, variant.as_deref())?;
    let variant = variant.unwrap_or_default();

    let together = match words.number("together")?.unwrap_or(1) {
        0 => return Err("--together must be at least 1, got 0".into()),
        most => most,
    };
    // Neighbouring heroes who can be solved together: one task for each of their starts.
    let mut tasks: Vec<Vec<Task<'_>>> = Vec::new();
    let mut first: Option<BookGame> = None;
    for (name, hero) in &heroes {
        let game = book.game(hero)?;
        let joins = tasks.last().is_some_and(|task| task.len() < together)
            && first
                .as_ref()
                .is_some_and(|first| first.shares_places(&game));
        if !joins {
            tasks.extend(from.iter().map(|_| Vec::new()));
        }
        let group = tasks.len() - from.len();
        for (from, task) in from.iter().zip(&mut tasks[group..]) {
            let start = match from {
                Some(section) => game.start_at(*section)?,
                None => game.start(),
            };
            task.push((format!("{}\t{name}", start.section()), hero, start));
        }
        if !joins {
            first = Some(game);
        }
    }
    // The file is created only after all arguments are checked, so that no empty file is left.
    let results = Results::open(results, &book, &variant, within)?;
    let (known, out) = (results.known.least, results.file);
    for task in &mut tasks {
        task.retain(|(line, ..)| !known.contains_key(line));
    }
    tasks.retain(|task| !task.is_empty());
    let bar = crew::bar(tasks.iter().flatten().count());
    let solved = Mutex::new((0, out));
    // A task that needs too much memory at once is left to be split.
    let attempt = |part: &[Task<'_>]| -> Result<bool, String> {
        let [(first, hero, _), ..] = part else {
            return Ok(true);
        };
        bar.set_message(first.clone());
        let game = book.game(*hero).map_err(|error| error.to_string())?;
        let starts: Vec<Place> = part.iter().map(|(_, _, start)| *start).collect();
        let started = Instant::now();
        let solver = BookSolver::new(&game).max_bytes(bytes);
        let solution = match within {
            None => solver.solve_all(&starts),
            Some(error) => solver.approximate_all(&starts, error),
        };
        match solution {
            Ok(valuations) => {
                let seconds = started.elapsed().as_secs_f64() / part.len() as f64;
                let mut solved = solved.lock().map_err(|error| error.to_string())?;
                for ((line, ..), valuation) in part.iter().zip(valuations) {
                    let error = valuation.error().map_or(String::from("?"), upwards);
                    let win = valuation.win();
                    solved.0 += 1;
                    writeln!(solved.1, "{line}\t{win}\t{error}\t{seconds:.1}")
                        .map_err(|error| error.to_string())?;
                }
            }
            Err(BookError::BookTooLarge { .. }) if part.len() > 1 => return Ok(false),
            Err(error) => {
                for (line, ..) in part {
                    bar.suspend(|| eprintln!("{line}: {error}"));
                }
            }
        }
        bar.inc(part.len() as u64);
        Ok(true)
    };
    crew::each(&tasks, threads, |task| {
        let mut parts = vec![&task[..]];
        while let Some(part) = parts.pop() {
            if !attempt(part)? {
                let (one, other) = part.split_at(part.len() / 2);
                parts.extend([other, one]);
            }
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    let solved = solved.into_inner().map_or(0, |solved| solved.0);
    let (new, old) = (solved, known.len());
    let left = tasks.iter().flatten().count();
    if new == 0 && left > 0 {
        return Err(format!("none of {left} heroes could be solved").into());
    }
    // If the output is closed early, that is no error.
    let _ = writeln!(std::io::stdout(), "{new} solved, {old} known before");
    Ok(())
}
