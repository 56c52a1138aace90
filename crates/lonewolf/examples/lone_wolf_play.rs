//! A book played in the terminal, with the solver's odds of every option.
//!
//! ```sh
//! cargo run --release -p oddsmith-lonewolf --features serde --example lone_wolf_play -- \
//!     skill=15 endurance=25 hunting weaponskill=short_sword mindblast sixth_sense \
//!     mindshield short_sword meal=2 gold=15
//! ```
//!
//! Combats use the table of the published numbers, or with `table=printed` the table as printed in
//! the books. Type the number of an option, nothing for the best one (`*`), or `q` to quit. Random
//! numbers come from a generator (`--seed N`), or with `--own-numbers` from the player, who picks
//! them in the book and enters the result. `--auto N` plays N games by best play and prints the
//! share won next to the exact chance.
mod seat;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::error::Error;
use std::io::{BufRead, Write};
use std::process::ExitCode;

use oddsmith_lonewolf::{Advice, BookSolver, Item, Situation, Solved};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use seat::Seat;

fn main() -> ExitCode {
    seat::exit(
        "lone_wolf_play",
        "[--seed N] [--own-numbers | --auto N] [--limit TABLES]",
        run(),
    )
}

fn run() -> Result<(), Box<dyn Error>> {
    let out = &mut std::io::stdout();
    let seat = Seat::take(&["limit", "seed", "auto"], &["own-numbers"])?;
    let mut rng = ChaCha8Rng::seed_from_u64(seat.number("seed")?.unwrap_or(1));
    let mut solver = BookSolver::new(&seat.book).rules(seat.rules);
    if let Some(tables) = seat.number("limit")? {
        solver = solver.max_tables(usize::try_from(tables).unwrap_or(usize::MAX));
    }
    let mut solved = solver.solve(&seat.hero)?;
    writeln!(
        out,
        "{}, rules {}: {}",
        seat.title(),
        seat.rules_name,
        seat.hero
    )?;
    match seat.number("auto")? {
        Some(games) => auto(out, &mut solved, games, &mut rng),
        None => {
            let own = seat.has("own-numbers");
            play(out, &mut solved, (!own).then_some(&mut rng))
        }
    }
}

/// Plays automatically and counts the victories.
fn auto(
    out: &mut impl Write,
    solved: &mut Solved<'_, '_>,
    games: u64,
    rng: &mut ChaCha8Rng,
) -> Result<(), Box<dyn Error>> {
    if games == 0 {
        return Err("--auto must be at least 1, got 0".into());
    }
    // The outcomes of the best decisions in the situations reached so far.
    let mut known: BTreeMap<Situation, Vec<(Situation, f64)>> = BTreeMap::new();
    let mut won = 0u64;
    for _ in 0..games {
        let mut now = solved.start();
        while !(now.is_won() || now.is_lost()) {
            let outcomes = match known.entry(now) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    let best = solved.advice(&now)?.into_iter().next();
                    entry.insert(best.map_or(Vec::new(), |best| best.outcomes))
                }
            };
            let Some(next) = draw(outcomes, rng) else {
                break;
            };
            now = next;
        }
        won += u64::from(now.is_won());
    }
    let (exact, games_f64) = (solved.win(), games as f64);
    let frequency = won as f64 / games_f64;
    writeln!(
        out,
        "{games} games by best play: {:.4} % won, exactly {:.4} % (error at most {:.0e})",
        100.0 * frequency,
        100.0 * exact,
        solved.error()
    )?;
    let deviation = (exact * (1.0 - exact) / games_f64).sqrt();
    if deviation > 0.0 {
        writeln!(
            out,
            "standard error {:.4} %, deviation {:+.2} standard errors",
            100.0 * deviation,
            (frequency - exact) / deviation
        )?;
    }
    Ok(())
}

/// Plays until the adventure or the input ends.
fn play(
    out: &mut impl Write,
    solved: &mut Solved<'_, '_>,
    mut rng: Option<&mut ChaCha8Rng>,
) -> Result<(), Box<dyn Error>> {
    let mut now = solved.start();
    let mut section = 0;
    loop {
        if now.is_won() {
            writeln!(out, "\nYou have won.")?;
            return Ok(());
        }
        let advice = solved.advice(&now)?;
        if now.is_lost() || advice.is_empty() {
            writeln!(out, "\nYour adventure is over.")?;
            return Ok(());
        }
        if section != now.section() {
            section = now.section();
            writeln!(out, "\n{now}")?;
        }
        let Some(choice) = choose(out, &advice)? else {
            return Ok(());
        };
        let outcomes = &advice[choice].outcomes;
        let next = match &mut rng {
            Some(rng) => draw(outcomes, rng),
            None => ask(out, &now, outcomes)?,
        };
        let Some(next) = next else { return Ok(()) };
        if outcomes.len() > 1 {
            writeln!(out, "  {}", change(&now, &next))?;
        }
        now = next;
    }
}

/// Asks for the player's decision; `None` to stop. The best option comes first.
fn choose(out: &mut impl Write, advice: &[Advice]) -> Result<Option<usize>, Box<dyn Error>> {
    if let [only] = advice {
        writeln!(out, "  {} ({:.2} % to win)", only.act, 100.0 * only.win)?;
        return Ok(Some(0));
    }
    for (number, option) in (1..).zip(advice) {
        let star = if number == 1 { '*' } else { ' ' };
        let leads = match &option.outcomes[..] {
            [(only, _)] if only.is_lost() => ", which ends the adventure".to_owned(),
            _ => String::new(),
        };
        writeln!(
            out,
            " {star}{number}) {} ({:.2} % to win){leads}",
            option.act,
            100.0 * option.win
        )?;
    }
    number(out, advice.len(), Some(0))
}

fn draw(outcomes: &[(Situation, f64)], rng: &mut ChaCha8Rng) -> Option<Situation> {
    let mut left = rng.random::<f64>();
    for (situation, chance) in outcomes {
        if left < *chance {
            return Some(*situation);
        }
        left -= chance;
    }
    // Due to rounding, the chances may add up to slightly less than 1.
    outcomes.last().map(|(situation, _)| *situation)
}

/// Asks for the result of the player's own random numbers; `None` to stop.
fn ask(
    out: &mut impl Write,
    now: &Situation,
    outcomes: &[(Situation, f64)],
) -> Result<Option<Situation>, Box<dyn Error>> {
    if let [(only, _)] = outcomes {
        return Ok(Some(*only));
    }
    writeln!(out, "  Pick your random numbers. What is the result?")?;
    let mut sorted = outcomes.to_vec();
    // The end comes last; the others are sorted by section and ENDURANCE.
    sorted.sort_by_key(|(to, _)| {
        (
            to.is_lost(),
            to.section(),
            std::cmp::Reverse(to.endurance()),
        )
    });
    for (number, (to, chance)) in (1..).zip(&sorted) {
        writeln!(
            out,
            "  {number}) {} ({:.2} %)",
            change(now, to),
            100.0 * chance
        )?;
    }
    Ok(number(out, sorted.len(), None)?.map(|number| sorted[number].0))
}

/// Describes the new place and what has changed.
fn change(before: &Situation, after: &Situation) -> String {
    if after.is_won() || after.is_lost() {
        return after.to_string();
    }
    let mut words = match after.section() {
        same if same == before.section() => vec!["here".to_owned()],
        other => vec![format!("to {other}")],
    };
    words.push(format!("ENDURANCE {}", after.endurance()));
    if let Some(foe) = after.foe() {
        words.push(format!("foe {foe}"));
    }
    for &item in Item::ALL {
        match i16::from(after.count(item)) - i16::from(before.count(item)) {
            0 => {}
            more => words.push(format!("{more:+} {item}")),
        }
    }
    words.join(", ")
}

/// Reads a number from 1 to `most`, less 1; `None` at the end of the input.
fn number(
    out: &mut impl Write,
    most: usize,
    default: Option<usize>,
) -> Result<Option<usize>, Box<dyn Error>> {
    loop {
        write!(out, "> ")?;
        out.flush()?;
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line)? == 0 {
            writeln!(out)?;
            return Ok(None);
        }
        match (line.trim(), default) {
            ("q", _) => return Ok(None),
            ("", Some(default)) => return Ok(Some(default)),
            (word, _) => match word.parse::<usize>() {
                Ok(number) if (1..=most).contains(&number) => return Ok(Some(number - 1)),
                _ => writeln!(out, "enter a number from 1 to {most}, or q to quit")?,
            },
        }
    }
}
