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
//! items, chance, how far it may be off, seconds. What the file holds already is not solved
//! again, so that a sweep can be stopped and resumed at any time. `--gib N` is how much
//! memory a hero may take (4); who needs more is left out and said.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example shows what it finds"
)]

use std::collections::BTreeSet;
use std::error::Error;
use std::fs::OpenOptions;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use oddsmith_gamebook::{Book, BookSolver, Character};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sweep: {error}");
            eprintln!(
                "usage: sweep BOOK RESULTS [STAT=VALUE | ITEM]... [--from SECTION]... \
                 [--now STAT=VALUE]... [--gib N]"
            );
            ExitCode::FAILURE
        }
    }
}

/// What was asked for.
#[derive(Default)]
struct Sweep {
    files: Vec<String>,
    stats: Vec<(String, i16)>,
    now: Vec<(String, i16)>,
    items: Vec<String>,
    from: Vec<u32>,
    gib: Option<usize>,
}

impl Sweep {
    fn take() -> Result<Self, Box<dyn Error>> {
        let mut sweep = Sweep::default();
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                "--from" => sweep.from.push(value()?.parse()?),
                "--gib" => sweep.gib = Some(value()?.parse()?),
                "--now" => sweep.now.push(stat(&value()?)?),
                _ if word.starts_with("--") => return Err(format!("there is no {word}").into()),
                _ if sweep.files.len() < 2 => sweep.files.push(word),
                _ if word.contains('=') => sweep.stats.push(stat(&word)?),
                _ => sweep.items.push(word),
            }
        }
        Ok(sweep)
    }

    /// All heroes that fit, with what tells them apart.
    fn heroes(&self, book: &Book) -> Result<Vec<(String, Character)>, Box<dyn Error>> {
        let mut heroes = vec![(String::new(), Character::new())];
        let mut tell = |each: Vec<(String, &dyn Fn(Character) -> Character)>| {
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
            let changes: Vec<_> = values
                .into_iter()
                .map(|value| {
                    (format!("{id}={value}"), move |hero: Character| {
                        hero.stat(id, value)
                    })
                })
                .collect();
            let changes = changes.iter();
            tell(
                changes
                    .map(|(word, change)| (word.clone(), change as _))
                    .collect(),
            );
        }
        for choice in &book.sheet().initial_choices {
            if choice.iter().any(|item| self.items.contains(item)) {
                continue;
            }
            let changes: Vec<_> = choice
                .iter()
                .map(|item| (item.clone(), move |hero: Character| hero.item(item)))
                .collect();
            let changes = changes.iter();
            tell(
                changes
                    .map(|(word, change)| (word.clone(), change as _))
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
        let rest: Vec<String> = now.chain(self.items.iter().cloned()).collect();
        let rest = rest.join(" ");
        let named = heroes.into_iter();
        Ok(named
            .map(|(name, hero)| (format!("{} {rest}", name.trim()).trim().to_owned(), hero))
            .collect())
    }
}

fn stat(word: &str) -> Result<(String, i16), String> {
    let (id, value) = word.split_once('=').ok_or(format!("{word}: no value"))?;
    let value = value.parse();
    let value = value.map_err(|_| format!("{word}: a whole number is needed"))?;
    Ok((id.to_owned(), value))
}

fn run() -> Result<(), Box<dyn Error>> {
    let sweep = Sweep::take()?;
    let [file, results] = &sweep.files[..] else {
        return Err("name the book and the file for the results".into());
    };
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let book = match file.ends_with(".toml") {
        true => Book::from_toml(&text, file)?,
        false => Book::from_json(&text, file)?,
    };
    let heroes = sweep.heroes(&book)?;
    let known = std::fs::read_to_string(results).unwrap_or_default();
    // A line that was cut off is solved again.
    let whole = known.lines().filter(|line| line.split('\t').count() == 5);
    let key = |line: &str| line.split('\t').take(2).collect::<Vec<_>>().join("\t");
    let mut known: BTreeSet<String> = whole.map(key).collect();
    let mut out = OpenOptions::new().create(true).append(true).open(results)?;

    let from: Vec<Option<u32>> = match &sweep.from[..] {
        [] => vec![None],
        from => from.iter().copied().map(Some).collect(),
    };
    let bar = ProgressBar::new((heroes.len() * from.len()) as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos} of {len}, {msg}") {
        bar.set_style(style);
    }
    let mut solved = 0;
    for (name, hero) in &heroes {
        let game = book.game(hero)?;
        for from in &from {
            bar.set_message(name.clone());
            let start = match from {
                Some(section) => game.start_at(*section)?,
                None => game.start(),
            };
            let line = format!("{}\t{name}", start.section());
            bar.inc(1);
            if known.contains(&line) {
                continue;
            }
            let started = Instant::now();
            let solver = BookSolver::new(&game).max_bytes(sweep.gib.unwrap_or(4) << 30);
            match solver.solve(start) {
                Ok(valuation) => {
                    let error = valuation
                        .error()
                        .map_or(String::from("?"), |error| format!("{error:.1e}"));
                    let seconds = started.elapsed().as_secs_f64();
                    writeln!(out, "{line}\t{}\t{error}\t{seconds:.1}", valuation.win())?;
                    known.insert(line);
                    solved += 1;
                }
                Err(error) => bar.suspend(|| eprintln!("{line}: {error}")),
            }
        }
    }
    bar.finish_and_clear();
    println!("{solved} solved, {} known by now", known.len());
    Ok(())
}
