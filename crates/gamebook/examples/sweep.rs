//! What best play is worth to many heroes, from one section or several.
//!
//! ```sh
//! cargo run --release -p oddsmith-gamebook --features toml --example sweep -- \
//!     crates/gamebook/books/city_of_thieves.json streets.tsv \
//!     skill=4 stamina=2 luck=7 merchant_pass --now gold=32 \
//!     --from 95 --from 116 --from 17
//! ```
//!
//! Every stat that is rolled and not given takes all its values; so does every choice of an
//! item that is not made. A line is written as soon as a hero is solved: section, stats,
//! items, variant, chance, how far it may be off, seconds. What the file holds already is not solved
//! again, so that a sweep can be stopped and resumed at any time; results of another book, or
//! of this one before it was changed, are not added to, and what is less close than it is asked
//! for is solved again (the last line of a hero counts). `--gib N` is how much
//! memory a hero may take (4); who needs more is left out and said, with
//! what is known of him by then. `--threads N` solves so
//! many heroes at a time (1): the same lines, in the order in which they are done. `--together`
//! solves heroes at once who differ only by choices of items: in less time, and more
//! memory; if it is too much one after the other.
//! `--variant FILE` changes the book. `--within ERROR` is enough: whole books, that are too
//! long for more, are solved as closely as that.
#![expect(clippy::print_stderr, reason = "an example says what went wrong")]

mod reading;
mod results;

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use oddsmith_gamebook::{Book, BookSolver, Character, Error as BookError, Place};
use results::Results;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sweep: {error}");
            eprintln!(
                "usage: sweep BOOK RESULTS [STAT=VALUE | ITEM]... [--from SECTION]... \
                 [--now STAT=VALUE]... [--gib N] [--threads N] [--together] \
                 [--variant FILE] [--within ERROR]"
            );
            ExitCode::FAILURE
        }
    }
}

/// What makes one hero of another.
type Change<'c> = Box<dyn Fn(Character) -> Character + 'c>;

/// What was asked for.
#[derive(Default)]
struct Sweep {
    files: Vec<String>,
    stats: Vec<(String, i16)>,
    now: Vec<(String, i16)>,
    items: Vec<String>,
    from: Vec<u32>,
    gib: Option<usize>,
    threads: Option<usize>,
    together: bool,
    variant: Option<String>,
    within: Option<f64>,
}

impl Sweep {
    fn take() -> Result<Self, Box<dyn Error>> {
        let mut sweep = Sweep::default();
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                "--together" => sweep.together = true,
                "--from" => sweep.from.push(number(&word, &value()?)?),
                "--gib" => sweep.gib = Some(number(&word, &value()?)?),
                "--variant" => sweep.variant = Some(value()?),
                "--within" => sweep.within = Some(number(&word, &value()?)?),
                "--threads" => sweep.threads = Some(number(&word, &value()?)?),
                "--now" => sweep.now.push(stat(&value()?)?),
                _ if word.starts_with("--") => return Err(format!("there is no {word}").into()),
                _ if sweep.files.len() < 2 => sweep.files.push(word),
                _ if word.contains('=') => sweep.stats.push(stat(&word)?),
                _ => sweep.items.push(word),
            }
        }
        if let Some(within) = sweep.within
            && !(within > 0.0 && within < 1.0)
        {
            return Err(format!("--within {within}: it has to be between 0 and 1").into());
        }
        if sweep.together && sweep.within.is_some() {
            return Err("bounds (--within) are found one by one, not --together".into());
        }
        Ok(sweep)
    }

    /// What the variant is called.
    fn variant(&self) -> Option<String> {
        let file = self.variant.as_ref()?;
        let stem = Path::new(file).file_stem().unwrap_or(file.as_ref());
        Some(stem.display().to_string())
    }

    /// So many heroes, next to each other, differ only by choices of items.
    fn alike(&self, book: &Book) -> usize {
        let choices = book.sheet().initial_choices.iter();
        let open = choices.filter(|choice| !choice.iter().any(|item| self.items.contains(item)));
        open.map(|choice| choice.len().max(1)).product()
    }

    /// All heroes that fit, with what tells them apart.
    fn heroes(&self, book: &Book) -> Result<Vec<(String, Character)>, Box<dyn Error>> {
        for (id, _) in &self.stats {
            if !book.sheet().stats.iter().any(|stat| stat.id == *id) {
                return Err(format!("{file} has no stat {id:?}", file = self.files[0]).into());
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
            let given = self.stats.iter().find(|(id, _)| *id == known.id);
            let values: Vec<i16> = match given {
                Some((_, value)) => vec![*value],
                None if known.initial.is_fixed() => continue,
                None => (known.initial.min()..=known.initial.max())
                    .map(i16::try_from)
                    .collect::<Result<_, _>>()?,
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
            if choice.iter().any(|item| self.items.contains(item)) {
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
            for item in &self.items {
                *hero = hero.clone().item(item);
            }
            for (stat, value) in &self.now {
                *hero = hero.clone().now(stat, *value);
            }
        }
        let now = self
            .now
            .iter()
            .map(|(stat, value)| format!("{stat}:{value}"));
        let items = self.items.iter().cloned();
        // What was found of one variant is not known of another.
        let variant = self.variant().map(|variant| format!("variant:{variant}"));
        let rest: Vec<String> = now.chain(items).chain(variant).collect();
        let rest = rest.join(" ");
        let named = heroes.into_iter();
        Ok(named
            .map(|(name, hero)| (format!("{} {rest}", name.trim()).trim().to_owned(), hero))
            .collect())
    }
}

fn number<N: FromStr>(word: &str, value: &str) -> Result<N, String> {
    let read = value.parse();
    read.map_err(|_| format!("{word} {value}: a number is needed, and not such a one"))
}

fn stat(word: &str) -> Result<(String, i16), String> {
    let (id, value) = word.split_once('=').ok_or(format!("{word}: no value"))?;
    let value = value.parse();
    let value = value.map_err(|_| format!("{word}: a whole number is needed"))?;
    Ok((id.to_owned(), value))
}

/// Two digits, and no less than it is.
fn upwards(error: f64) -> String {
    let digits = format!("{error:.1e}");
    match digits.parse::<f64>() {
        Ok(shown) if shown < error => format!("{:.1e}", 1.06 * error),
        _ => digits,
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let sweep = Sweep::take()?;
    let [file, results] = &sweep.files[..] else {
        return Err("name the book and the file for the results".into());
    };
    let book = reading::book(file, sweep.variant.as_deref())?;
    let heroes = sweep.heroes(&book)?;
    let variant = sweep.variant().unwrap_or_default();
    let Results { known, file: out } = Results::open(results, &book, &variant, sweep.within)?;

    let from: Vec<Option<u32>> = match &sweep.from[..] {
        [] => vec![None],
        from => from.iter().copied().map(Some).collect(),
    };
    let together = match sweep.together {
        true => sweep.alike(&book),
        false => 1,
    };
    let mut tasks = Vec::new();
    for heroes in heroes.chunks(together) {
        for from in &from {
            let mut task = Vec::new();
            for (name, hero) in heroes {
                let game = book.game(hero)?;
                let start = match from {
                    Some(section) => game.start_at(*section)?,
                    None => game.start(),
                };
                let line = format!("{}\t{name}", start.section());
                if !known.contains(&line) {
                    task.push((line, hero, start));
                }
            }
            tasks.push(task);
        }
    }
    let bar = ProgressBar::new(tasks.iter().flatten().count() as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos} of {len}, {msg}") {
        bar.set_style(style);
    }
    let next = AtomicUsize::new(0);
    let solved = Mutex::new((0, out));
    let work = || -> Result<(), String> {
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut parts = vec![&task[..]];
            while let Some(part) = parts.pop() {
                let Some((first, hero, _)) = part.first() else {
                    continue;
                };
                bar.set_message(first.clone());
                let game = book.game(*hero).map_err(|error| error.to_string())?;
                let starts: Vec<Place> = part.iter().map(|(_, _, start)| *start).collect();
                let started = Instant::now();
                let solver = BookSolver::new(&game).max_bytes(sweep.gib.unwrap_or(4) << 30);
                let solution = match sweep.within {
                    None => solver.solve_all(&starts),
                    Some(error) => {
                        let bounds = starts
                            .iter()
                            .map(|start| solver.solve_within(*start, error));
                        bounds.collect()
                    }
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
                    Err(BookError::BookTooLarge { .. }) if part.len() > 1 => {
                        parts.extend(part.chunks(1).rev());
                        continue;
                    }
                    Err(error) => {
                        for (line, ..) in part {
                            bar.suspend(|| eprintln!("{line}: {error}"));
                        }
                    }
                }
                bar.inc(part.len() as u64);
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads = sweep.threads.unwrap_or(1).clamp(1, 1_024);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let mut results = workers.into_iter().map(|worker| worker.join());
        results
            .try_for_each(|result| result.unwrap_or_else(|_| Err("a thread has panicked".into())))
    })?;
    bar.finish_and_clear();
    let solved = solved.into_inner().map_or(0, |solved| solved.0);
    let (new, old) = (solved, known.len());
    // Whoever reads no more has read enough.
    let _ = writeln!(std::io::stdout(), "{new} solved, {old} known before");
    Ok(())
}
