//! Finds which route through the book each hero of a sweep needs, such as which street of a city.
//!
//! ```sh
//! cargo run --release -p oddsmith-gamebook --features toml --example ways -- \
//!     crates/gamebook/books/city_of_thieves.json whole-book.tsv ways.tsv luck=9
//! ```
//!
//! `sweep` has found the chance of best play. This example finds which of the routes at a choice
//! that every victory passes can reach that chance, in a fraction of the time. It writes a line per
//! hero: the section of the choice with the routes that are needed (`74:95`; `74:?` if none is
//! proven to be needed), an upper bound on the chance with each route alone, and seconds. Heroes
//! whose chance the sweep does not know exactly are left out, and counted. With `--solve`, heroes
//! whom the bounds leave open are solved, which takes longer. Everything else is as in `sweep`:
//! results are not computed again, and stats and choices that are not given take all their values.
#![expect(clippy::print_stderr, reason = "an example says what went wrong")]

mod crew;
#[allow(dead_code, reason = "heroes are looked at one by one")]
mod heroes;
mod reading;
mod results;
mod words;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

use oddsmith_gamebook::{BookSolver, Character, Fork};
use results::Results;
use results::line::UNKNOWN;
use words::{Program, Words};

const WAYS: Program<'_> = Program {
    name: "ways",
    usage: "BOOK SWEPT RESULTS [STAT=VALUE | ITEM]... [--gib N] [--threads N] \
            [--solve]",
    files: 3,
    flags: &["solve"],
    valued: &["gib", "threads"],
    repeated: &[],
};

fn main() -> ExitCode {
    WAYS.main(run)
}

fn run(words: Words) -> Result<(), Box<dyn Error>> {
    let [file, swept, results] = &words.files[..] else {
        return Err("name the book, the results of a sweep and the output file".into());
    };
    words::spared(results, &[file, swept])?;
    let bytes = words.bytes()?;
    let (threads, solve) = (crew::threads(&words)?, words.has("solve"));
    let book = reading::book(file, None)?;
    let chances = results::swept(swept, &book)?;
    let heroes = heroes::all(&book, &words, None)?;
    let mut lines: Vec<(String, &Character)> = Vec::new();
    for (name, hero) in &heroes {
        let start = book.game(hero)?.start();
        lines.push((format!("{}\t{name}", start.section()), hero));
    }
    // The file is created only after all arguments are checked, so that no empty file is left.
    let Results { known, file } = Results::open(results, &book, "ways", None)?;
    let mut tasks: Vec<(String, &Character, f64)> = Vec::new();
    let (mut old, mut strangers) = (0, 0);
    for (line, hero) in lines {
        let needed = known.ways.get(&line);
        match chances.get(&line) {
            _ if needed.is_some_and(|needed| *needed || !solve) => old += 1,
            Some(least) => tasks.push((line, hero, *least)),
            None => strangers += 1,
        }
    }
    let bar = crew::bar(tasks.len());
    let found = Mutex::new((0, file));
    crew::each(&tasks, threads, |(line, hero, least)| {
        bar.set_message(line.clone());
        let game = book.game(*hero).map_err(|error| error.to_string())?;
        let started = Instant::now();
        let solver = BookSolver::new(&game).max_bytes(bytes);
        let mut fork = solver.ways(game.start(), *least);
        let open = |fork: &Fork| fork.needed(*least).next().is_none();
        if solve && matches!(&fork, Ok(Some(fork)) if open(fork)) {
            let solved = solver.solve(game.start());
            fork = solved.map(|valuation| valuation.fork().cloned());
        }
        match fork {
            Ok(None) => bar.suspend(|| eprintln!("{line}: no routes are distinguished")),
            Ok(Some(fork)) => {
                let seconds = started.elapsed().as_secs_f64();
                let told = told(&fork, *least);
                let mut found = found.lock().map_err(|error| error.to_string())?;
                found.0 += 1;
                writeln!(found.1, "{line}\t{told}\t{seconds:.1}")
                    .map_err(|error| error.to_string())?;
            }
            Err(error) => bar.suspend(|| eprintln!("{line}: {error}")),
        }
        bar.inc(1);
        Ok(())
    })?;
    bar.finish_and_clear();
    let new = found.into_inner().map_or(0, |found| found.0);
    if new == 0 && !tasks.is_empty() {
        return Err(format!("none of {} heroes could be examined", tasks.len()).into());
    }
    // If the output is closed early, that is no error.
    let _ = writeln!(
        std::io::stdout(),
        "{new} found, {old} known before, {strangers} not in {swept}"
    );
    Ok(())
}

/// The choice and the needed routes, with an upper bound for each route.
fn told(fork: &Fork, least: f64) -> String {
    let needed: Vec<String> = fork
        .needed(least)
        .map(|way| way.target().to_string())
        .collect();
    let needed = match needed.is_empty() {
        true => UNKNOWN.to_owned(),
        false => needed.join(" "),
    };
    let ways = fork.ways().iter();
    let most: Vec<String> = ways
        .map(|way| format!("{}:{:.6}", way.target(), upwards(way.alone().1)))
        .collect();
    format!("{}:{needed}\t{}", fork.section(), most.join(" "))
}

/// Six digits, rounded up.
fn upwards(chance: f64) -> f64 {
    ((1e6 * chance).ceil() / 1e6).min(1.0)
}
