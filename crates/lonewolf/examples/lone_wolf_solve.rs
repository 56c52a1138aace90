//! A book solved for a hero: a report in Markdown on the standard output.
//!
//! ```sh
//! cargo run --release -p oddsmith-lonewolf --features serde --example lone_wolf_solve -- \
//!     skill=10 endurance=20 weaponskill=sword tracking healing mindshield mindblast \
//!     animal_kinship sword shield gold=15 rules=yardstick
//! ```
//!
//! The book is "Fire on the Water" unless a file is given. Combats use the table of the published
//! numbers, or with `table=printed` the table as printed in the books. `left=N` is the ENDURANCE at
//! the beginning of the adventure; `--exact` adds the chance as a fraction; `--limit N` is the
//! highest number of tables, which bounds memory (default: ten million).
mod seat;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use oddsmith_lonewolf::{BookSolver, Journey, Solved, Worth};
use seat::Seat;

fn main() -> ExitCode {
    seat::exit("lone_wolf_solve", "[--exact] [--limit TABLES]", run())
}

fn run() -> Result<(), Box<dyn Error>> {
    let out = &mut std::io::stdout().lock();
    let seat = Seat::take(&["limit"], &["exact"])?;
    let mut solver = BookSolver::new(&seat.book).rules(seat.rules);
    if let Some(tables) = seat.number("limit")? {
        solver = solver.max_tables(usize::try_from(tables).unwrap_or(usize::MAX));
    }
    writeln!(out, "# {}", seat.title())?;
    writeln!(out, "\n- Hero: {}", seat.hero)?;
    if seat.hero.current() != seat.hero.endurance() {
        writeln!(out, "- ENDURANCE at the beginning: {}", seat.hero.current())?;
    }
    writeln!(out, "- Rules: {}", seat.rules_name)?;
    let mut solved = solver.solve(&seat.hero)?;
    let (win, error) = (solved.win(), solved.error());
    writeln!(
        out,
        "- Chance to win: {} (error at most {error:.0e})",
        percent(win)
    )?;
    if seat.has("exact") {
        writeln!(out, "- As a fraction: {}", solved.exact()?)?;
    }
    let journey = solved.journey()?;
    writeln!(
        out,
        "- Situations that best play can lead to: {}",
        journey.len()
    )?;
    choices(out, &mut solved, &journey)?;
    visits(out, &journey)?;
    worth(out, &solver.worth(&seat.hero)?)
}

/// Writes the decisions on the likeliest path to success.
fn choices(
    out: &mut impl Write,
    solved: &mut Solved<'_, '_>,
    journey: &Journey,
) -> Result<(), Box<dyn Error>> {
    writeln!(out, "\n## The likeliest path to success")?;
    if journey.line().is_empty() {
        writeln!(out, "\nThere is none.")?;
        return Ok(());
    }
    let mut way: Vec<u16> = Vec::new();
    for stop in journey.line() {
        let section = stop.situation.section();
        if way.last() != Some(&section) {
            way.push(section);
        }
    }
    let way: Vec<String> = way.iter().map(u16::to_string).collect();
    writeln!(
        out,
        "\nBest play takes exactly this path with probability {}:",
        percent(journey.line_chance())
    )?;
    writeln!(out, "{}.", way.join(", "))?;
    writeln!(
        out,
        "\n| section | ENDURANCE | best | chance to win | second best | chance to win |"
    )?;
    writeln!(out, "|---:|---:|---|---:|---|---:|")?;
    for stop in journey.line() {
        // Situations without a decision are left out.
        let advice = solved.advice(&stop.situation)?;
        let Some(second) = advice.get(1) else {
            continue;
        };
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} |",
            stop.situation.section(),
            stop.situation.endurance(),
            stop.act,
            percent(stop.win),
            second.act,
            percent(second.win)
        )?;
    }
    Ok(())
}

fn visits(out: &mut impl Write, journey: &Journey) -> Result<(), Box<dyn Error>> {
    writeln!(out, "\n## Sections visited by best play")?;
    writeln!(out, "\n| section | chance |")?;
    writeln!(out, "|---:|---:|")?;
    let mut visits: Vec<(u16, f64)> = journey
        .visits()
        .iter()
        .map(|(&section, &chance)| (section, chance))
        .collect();
    // The sort is stable, so ties stay in the order of the sections.
    visits.sort_by(|a, b| b.1.total_cmp(&a.1));
    for (section, chance) in visits {
        writeln!(out, "| {section} | {} |", percent(chance))?;
    }
    Ok(())
}

fn worth(out: &mut impl Write, all: &[Worth]) -> Result<(), Box<dyn Error>> {
    writeln!(out, "\n## What each discipline and item is worth")?;
    writeln!(out, "\n| without | chance to win | loss |")?;
    writeln!(out, "|---|---:|---:|")?;
    for worth in all {
        let (without, gain) = (percent(worth.without), 100.0 * worth.gain());
        writeln!(
            out,
            "| {} | {without} | {gain:.4} points |",
            worth.possession
        )?;
    }
    Ok(())
}

/// A chance as percent, with four decimals or four significant digits.
fn percent(chance: f64) -> String {
    match 100.0 * chance {
        small if small > 0.0 && small < 0.01 => format!("{small:.3e} %"),
        percent => format!("{percent:.4} %"),
    }
}
