//! Ranks the disciplines in "Fire on the Water": solves every hero with a given COMBAT SKILL and
//! ENDURANCE and two, three, four or five disciplines.
//!
//! ```sh
//! cargo run --release -p oddsmith-lonewolf --features serde --example lone_wolf_sweep -- \
//!     results.tsv [COMBAT SKILL] [ENDURANCE] [yardstick|printed] [standard|printed]
//! ```
//!
//! The fifth argument is the combat table: `standard`, the default, uses the published numbers, and
//! `printed` the table as printed in the books.
//!
//! A line is written as soon as a hero is solved. Heroes already in the file are not solved again,
//! so a sweep can be stopped and resumed at any time: an incomplete last line is removed, and its
//! hero solved again. Every hero has a sword, a shield and 15 Gold Crowns; Weaponskill is in the
//! sword.

use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use oddsmith_lonewolf::{ActionChart, Book, BookSolver, CombatTable, Discipline, Item, Rules};

fn main() -> ExitCode {
    let Err(error) = run() else {
        return ExitCode::SUCCESS;
    };
    // A reader such as `head` may close the output early, which is no error.
    let io = error.downcast_ref::<std::io::Error>();
    if io.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    eprintln!("lone_wolf_sweep: {error}");
    eprintln!(
        "usage: lone_wolf_sweep FILE [SKILL] [ENDURANCE] [yardstick|printed] [standard|printed]"
    );
    ExitCode::FAILURE
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut given = std::env::args_os().skip(1);
    let path = PathBuf::from(given.next().ok_or("give the file for the results")?);
    let text = |word: OsString| {
        let word = word.into_string();
        word.map_err(|word| format!("unexpected argument {word:?}"))
    };
    let texts = given.map(text).collect::<Result<Vec<String>, String>>()?;
    let mut arguments = texts.into_iter();
    let skill = whole("COMBAT SKILL", arguments.next(), 15)?;
    let endurance = whole("ENDURANCE", arguments.next(), 25)?;
    let name = arguments.next().unwrap_or("printed".to_owned());
    let rules = match name.as_str() {
        "yardstick" => Rules::yardstick(),
        "printed" => Rules::printed(),
        other => return Err(format!("rules must be yardstick or printed, got {other}").into()),
    };
    // A results file may hold heroes for both tables. Lines without a table name are for the
    // standard one.
    let (rules, name) = match arguments.next().as_deref() {
        None | Some("standard") => (rules, name),
        Some("printed") => (
            rules.fight_by(CombatTable::printed()),
            format!("{name}, printed table"),
        ),
        Some(other) => {
            return Err(format!("the table must be standard or printed, got {other}").into());
        }
    };
    if let Some(more) = arguments.next() {
        return Err(format!("unexpected argument {more:?}").into());
    }

    // Before the file is touched.
    ActionChart::new(skill, endurance)?;
    let mut results = OpenOptions::new()
        .create(true)
        .read(true)
        .append(true)
        .open(&path)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    let mut known = known(&mut results).map_err(|error| format!("{}: {error}", path.display()))?;
    let started = Instant::now();
    let (before, heroes) = (known.len(), heroes());

    let book = Book::fire_on_the_water()?;
    let mut solver = BookSolver::new(&book).rules(rules);
    for disciplines in &heroes {
        let key = format!("{name}\t{skill}\t{endurance}\t{}", words(disciplines));
        if known.contains_key(&key) {
            continue;
        }
        // At most a few hundred megabytes. Only neighbouring heroes share much, so little is lost.
        if solver.effort().evaluated > 1_000_000 {
            solver.clear();
        }
        let hero = ActionChart::new(skill, endurance)?
            .disciplines(disciplines)?
            .item(Item::Sword)?
            .item(Item::Shield)?
            .gold(15)?;
        let win = solver.win(&hero)?;
        writeln!(results, "{key}\t{win}")?;
        known.insert(key, win);
    }

    let seconds = started.elapsed().as_secs_f64();
    let mut report = std::io::stdout().lock();
    writeln!(
        report,
        "{} of {} heroes solved in {seconds:.1} s",
        known.len() - before,
        heroes.len()
    )?;
    for count in 2..=5 {
        let mut ranked: Vec<(f64, String)> = Vec::new();
        for disciplines in heroes.iter().filter(|all| all.len() == count) {
            let words = words(disciplines);
            let key = format!("{name}\t{skill}\t{endurance}\t{words}");
            ranked.extend(known.get(&key).map(|&win| (win, words)));
        }
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        writeln!(
            report,
            "\n{count} disciplines: the best and the worst of {}",
            ranked.len()
        )?;
        let worst = ranked.len().saturating_sub(1);
        for (place, (win, words)) in ranked.iter().enumerate() {
            if place < 5 || place == worst {
                writeln!(report, "{:>4}  {:>8.4} %  {words}", place + 1, 100.0 * win)?;
            }
        }
    }
    writeln!(
        report,
        "\nmean chance with and without each, five disciplines"
    )?;
    for &discipline in &all() {
        let mut sums = [(0.0, 0u32); 2];
        for disciplines in heroes.iter().filter(|all| all.len() == 5) {
            let key = format!("{name}\t{skill}\t{endurance}\t{}", words(disciplines));
            let sum = &mut sums[usize::from(disciplines.contains(&discipline))];
            sum.0 += known.get(&key).copied().unwrap_or(0.0);
            sum.1 += 1;
        }
        let [without, with] = sums.map(|(sum, count)| 100.0 * sum / f64::from(count));
        writeln!(report, "{with:>8.4} %  {without:>8.4} %  {discipline}")?;
    }
    Ok(())
}

/// Reads the known results. An incomplete last line, perhaps cut off within its number, is removed,
/// so that the next line does not continue it. Other files are left alone.
fn known(results: &mut File) -> Result<BTreeMap<String, f64>, Box<dyn Error>> {
    let mut text = String::new();
    results.read_to_string(&mut text)?;
    let (whole, rest) = text.split_at(text.rfind('\n').map_or(0, |end| end + 1));
    let mut known = BTreeMap::new();
    for (number, line) in (1..).zip(whole.lines()) {
        let (hero, win) = result(line).ok_or_else(|| {
            format!("line {number} is not a result of a sweep; name another file")
        })?;
        known.insert(hero.to_owned(), win);
    }
    // A line begins with the name of the rules.
    let begun = ["printed", "yardstick"];
    if !begun
        .iter()
        .any(|name| rest.starts_with(name) || name.starts_with(rest))
    {
        return Err("its last line is not a result of a sweep; name another file".into());
    }
    if !rest.is_empty() {
        results.set_len(whole.len() as u64)?;
    }
    Ok(known)
}

/// The hero and the chance of a line.
fn result(line: &str) -> Option<(&str, f64)> {
    let (hero, win) = line.rsplit_once('\t')?;
    let win = win.parse().ok().filter(|win| (0.0..=1.0).contains(win))?;
    (hero.split('\t').count() == 4).then_some((hero, win))
}

fn whole(name: &str, given: Option<String>, default: i64) -> Result<i64, String> {
    match given {
        None => Ok(default),
        Some(given) => given
            .parse()
            .map_err(|_| format!("{name} must be a whole number, got {given:?}")),
    }
}

/// The ten disciplines.
fn all() -> Vec<Discipline> {
    let skill = Discipline::Weaponskill(Item::Sword);
    Discipline::PLAIN.into_iter().chain([skill]).collect()
}

/// All heroes with two to five of them.
fn heroes() -> Vec<Vec<Discipline>> {
    let all = all();
    let sets = 0u32..1 << all.len();
    let chosen = |set: u32| {
        let members = all.iter().enumerate();
        let members = members.filter(|&(place, _)| set >> place & 1 > 0);
        members.map(|(_, &discipline)| discipline).collect()
    };
    sets.filter(|set| (2..=5).contains(&set.count_ones()))
        .map(chosen)
        .collect()
}

fn words(disciplines: &[Discipline]) -> String {
    let words: Vec<String> = disciplines.iter().map(ToString::to_string).collect();
    words.join(", ")
}
