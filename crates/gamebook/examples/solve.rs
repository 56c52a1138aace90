//! A book solved for a hero: a report in Markdown on the standard output.
//!
//! ```text
//! cargo run --release -p oddsmith-gamebook --features toml,plot --example solve -- \
//!     crates/gamebook/books/salt_lantern.toml skill=9 stamina=14 luck=9 tonic \
//!     --svg lantern.svg --dot lantern.dot
//! ```
//!
//! After the book come the stats that are rolled and the items that are chosen at the
//! start. `--variant FILE` changes the book; `--labels` writes at the arrows of the graph
//! what leads there; `--places N` is how many places a reader without a solver may come to
//! before his chance is given up (2,000,000).
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example shows what it finds"
)]

mod best;
mod seat;

use std::error::Error;
use std::process::ExitCode;

use best::best;
use oddsmith_gamebook::Report;
use seat::Seat;

/// Places that the search for stuck readers looks at.
const LINT_PLACES: usize = 200_000;
/// Places a reader without a solver may come to.
const HABIT_PLACES: usize = 2_000_000;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("solve: {error}");
            eprintln!(
                "usage: solve BOOK [STAT=VALUE | ITEM]... [--variant FILE] \
                 [--dot FILE] [--svg FILE] [--labels] [--places N]"
            );
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let seat = Seat::take(&["dot", "svg", "places"])?;
    seat.only(&["dot", "svg", "labels", "places"])?;
    let places = seat
        .number("places")?
        .map_or(HABIT_PLACES, |most| most as usize);
    let Seat { book, hero, .. } = &seat;
    let plan = best(book, hero)?;
    let journey = book.follow(hero, plan.solution().policy())?;
    let difficulty = book.difficulty_within(hero, plan.value(), places)?;
    let lint = book.lint_within(hero, LINT_PLACES)?;
    let report = Report::new(&journey).difficulty(&difficulty).lint(&lint);
    print!("{report}");
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
    Ok(())
}
