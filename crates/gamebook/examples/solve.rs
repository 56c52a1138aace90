//! A book solved for a hero: a report in Markdown on the standard output.
//!
//! ```text
//! cargo run --release -p oddsmith-gamebook --features toml,plot --example solve -- \
//!     crates/gamebook/books/salt_lantern.toml skill=9 stamina=14 luck=9 tonic \
//!     --svg lantern.svg --dot lantern.dot
//! ```
//!
//! After the book come the stats that are rolled and the items that are chosen at the
//! start; `--now gold=32` says what a stat has come to since. `--variant FILE` changes the
//! book; `--section N` starts in the middle;
//! books with more than two million places are solved by diagrams, in `--gib N` (4) at most,
//! and so are those in which ways lead back; only what best play comes to is looked at then, and
//! no stat may have more than `--values N` (4096) values. `--labels` writes at the arrows of the graph
//! what leads there; `--places N` is how many places a reader without a solver may come to
//! before his chance is given up (2,000,000).
//!
//! `--exact` tells no more than what best play is worth, as a fraction: the play is that of
//! floats, which no other beats by more than their error, and what it is worth is exact.
//!
//! `--json` tells all that as JSON, for other programs.
//!
//! `--within 0.01` tells no more than what best play is worth, to within that: for books that
//! are too long for anything else.
#![expect(clippy::print_stderr, reason = "an example shows what it finds")]

mod best;
mod reading;
mod seat;

use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use best::Best;
use oddsmith_gamebook::Report;
use seat::Seat;
use serde_json::json;

/// Places that the search for stuck readers looks at.
const LINT_PLACES: usize = 200_000;
/// Places a reader without a solver may come to.
const HABIT_PLACES: usize = 2_000_000;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read it, such as `head`, has seen enough.
        Err(error) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("solve: {error}");
            eprintln!(
                "usage: solve BOOK [STAT=VALUE | ITEM]... [--now STAT=VALUE]... [--variant FILE] \
                 [--dot FILE] [--svg FILE] [--labels] [--places N] \
                 [--section N] [--gib N] [--values N] [--exact] [--json] [--within ERROR]"
            );
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// On the standard output, which may be closed.
fn tell(text: impl Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

fn run() -> Result<(), Box<dyn Error>> {
    let seat = Seat::take(&["dot", "svg", "places", "section", "gib", "values", "within"])?;
    seat.only(&[
        "dot", "svg", "labels", "places", "section", "gib", "values", "exact", "json", "within",
    ])?;
    if let Some(Some(error)) = seat.option("within") {
        return within(&seat, error.parse()?);
    }
    let places = seat
        .number("places")?
        .map_or(HABIT_PLACES, |most| most as usize);
    let Seat { book, hero, .. } = &seat;
    let best = Best::of(&seat)?;
    if seat.option("exact").is_some() {
        tell(best.fraction()?)?;
        return Ok(());
    }
    // What is found, and the habits of readers, are about a book from its beginning.
    let whole = seat.option("section").is_none();
    let lint = match whole {
        true => Some(book.lint_up_to(hero, LINT_PLACES)?),
        false => None,
    };
    let json = seat.option("json").is_some();
    let journey = match best.journey() {
        // There is no end to follow it to.
        Err(oddsmith_gamebook::Error::Solve(
            oddsmith_mdp::Error::EndlessCycle { .. } | oddsmith_mdp::Error::NeverEnds { .. },
        )) if best.value() == 0.0 => {
            let endless = "Nobody can win, and nothing ends the adventure.";
            match lint {
                lint if json => tell(format!("{:#}", json!({"journey": null, "lint": lint})))?,
                Some(lint) => tell(format!("{endless}\n\n{lint}"))?,
                None => tell(endless)?,
            }
            return Ok(());
        }
        journey => journey?,
    };
    let difficulty = match whole {
        true => Some(book.difficulty_up_to(hero, best.value(), places)?),
        false => None,
    };
    let mut graph = book.graph().visits(&journey);
    if seat.option("labels").is_some() {
        graph = graph.edge_labels();
    }
    let save = |file: &str, text: String| {
        std::fs::write(file, text).map_err(|error| format!("{file}: {error}"))
    };
    if let Some(Some(file)) = seat.option("dot") {
        save(file, graph.to_dot())?;
    }
    if let Some(Some(file)) = seat.option("svg") {
        save(file, graph.to_svg()?)?;
    }
    if json {
        let all = json!({"journey": journey, "lint": lint, "difficulty": difficulty});
        tell(format!("{all:#}"))?;
        return Ok(());
    }
    let mut report = Report::new(&journey);
    if let (Some(lint), Some(difficulty)) = (&lint, &difficulty) {
        report = report.lint(lint).difficulty(difficulty);
    }
    tell(report.to_string().trim_end())?;
    Ok(())
}

/// Best play between two bounds, and nothing else.
fn within(seat: &Seat, error: f64) -> Result<(), Box<dyn Error>> {
    let game = seat.book.game(&seat.hero)?;
    let (least, most) = seat
        .solver(&game)?
        .solve_within(seat.start(&game)?, error)?
        .enclosure()
        .ok_or("no bounds")?;
    // Digits that are cut off must not move a bound.
    let (least, most) = ((1e6 * least).floor() / 1e4, (1e6 * most).ceil() / 1e4);
    tell(format!(
        "Best play wins between {least:.4} % and {most:.4} %."
    ))?;
    Ok(())
}
