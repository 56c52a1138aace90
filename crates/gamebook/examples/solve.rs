//! A book solved for a hero: a report in Markdown on the standard output.
//!
//! ```text
//! cargo run --release -p oddsmith-gamebook --features toml,plot --example solve -- \
//!     crates/gamebook/books/salt_lantern.toml skill=9 stamina=14 luck=9 tonic \
//!     --svg lantern.svg --dot lantern.dot
//! ```
//!
//! After the book come the stats that are rolled and the items that are chosen at the start;
//! `--now gold=32` sets the current value of a stat. `--variant FILE` changes the book;
//! `--section N` starts in the middle.
//!
//! Books with more than two million places, or with cycles, are solved by diagrams, with at most
//! `--gib N` (default: 4) of memory and `--values N` (default: 4096) values of a stat. Then only
//! the places that best play reaches are examined.
//!
//! `--labels` writes labels at the arrows of the graph. `--places N` (default: 2,000,000) is the
//! highest number of places for the chance of a reader without a solver, and `--games N` has
//! readers with more places play N games (feature `rand`; the same games each time).
//!
//! `--exact` prints only the value of best play, as a fraction. If there are too many places for
//! that, there is a warning on the standard error, and the fraction is the exact value of the play
//! that floats find, which no other play beats by more than their error.
//!
//! `--json` prints the report as JSON, for other programs. If best play cannot be followed, its
//! value and the reason are given, and `journey` is null.
//!
//! `--within 0.01` prints only bounds on the value of best play that are at most this far apart,
//! for books that are too long for anything else. Options that would have no effect are rejected.
#![expect(clippy::print_stderr, reason = "an example shows what it finds")]

mod best;
mod reading;
mod seat;
mod words;

use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use best::Best;
use num_rational::BigRational;
use oddsmith_gamebook::{Difficulty, Error as BookError, Journey, Report};
use oddsmith_mdp::Error as MdpError;
use seat::Seat;
use serde_json::json;
use words::{Program, Words};

/// The limit of places for the search for readers who get stuck or into debt.
const LINT_PLACES: usize = 200_000;
/// The limit of places for a reader without a solver.
const HABIT_PLACES: usize = 2_000_000;

const SOLVE: Program<'_> = Program {
    name: "solve",
    usage: "BOOK [STAT=VALUE | ITEM]... [--now STAT=VALUE]... [--variant FILE] \
            [--section N] [--gib N] [--values N] \
            [--dot FILE] [--svg FILE] [--labels] [--places N] [--games N] [--json] | \
            [--exact] | [--within ERROR]",
    files: 1,
    flags: &["labels", "exact", "json"],
    valued: &[
        "variant", "dot", "svg", "places", "games", "section", "gib", "values", "within",
    ],
    repeated: &["now"],
};

fn main() -> ExitCode {
    SOLVE.main(run)
}

/// Prints to the standard output, which may be closed.
fn tell(text: impl Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

fn run(words: Words) -> Result<(), Box<dyn Error>> {
    no_option_is_idle(&words)?;
    let read = words.files.iter().map(String::as_str);
    let read: Vec<&str> = read.chain(words.text("variant")).collect();
    for picture in ["dot", "svg"] {
        if let Some(file) = words.text(picture) {
            words::spared(file, &read)?;
        }
    }
    if words.text("dot").is_some() && words.text("dot") == words.text("svg") {
        return Err(
            "--dot and --svg name the same file; the second picture would overwrite the first"
                .into(),
        );
    }
    let seat = Seat::take(words)?;
    let words = &seat.words;
    if let Some(error) = words.within()? {
        return within(&seat, error);
    }
    let places = words.number("places")?.unwrap_or(HABIT_PLACES);
    if words.has("exact") {
        tell(fraction(&seat)?)?;
        return Ok(());
    }
    let best = Best::of(&seat)?;
    warn(&best);
    // Findings, and the habits of readers, are about a book from its beginning.
    let whole = !words.has("section");
    let (book, hero) = (&seat.book, &seat.hero);
    let lint = match whole {
        true => Some(book.lint_up_to(hero, LINT_PLACES)?),
        false => None,
    };
    let journey = match best.journey() {
        Err(error) => Err(no_journey(&best, error)?),
        Ok(journey) => Ok(journey),
    };
    draw(&seat, journey.as_ref().ok())?;
    let json = words.has("json");
    let journey = match journey {
        Ok(journey) => journey,
        Err(why) if json => {
            let value = best.value();
            let all = json!({"journey": null, "value": value, "why": why, "lint": lint});
            tell(format!("{all:#}"))?;
            return Ok(());
        }
        Err(why) => {
            tell(why)?;
            if let Some(lint) = lint {
                tell(format!("\n{lint}"))?;
            }
            return Ok(());
        }
    };
    let mut difficulty = match whole {
        true => Some(book.difficulty_up_to(hero, best.value(), places)?),
        false => None,
    };
    if let (Some(games), Some(difficulty)) = (words.number("games")?, &mut difficulty) {
        play(difficulty, &seat, games)?;
    }
    if json {
        let fork = best.fork();
        let all = json!({"journey": journey, "lint": lint, "difficulty": difficulty, "fork": fork});
        tell(format!("{all:#}"))?;
        return Ok(());
    }
    let mut report = Report::new(&journey);
    if let Some(fork) = best.fork() {
        report = report.fork(fork);
    }
    if let (Some(lint), Some(difficulty)) = (&lint, &difficulty) {
        report = report.lint(lint).difficulty(difficulty);
    }
    tell(report.to_string().trim_end())?;
    Ok(())
}

/// The value of best play.
fn fraction(seat: &Seat) -> Result<BigRational, Box<dyn Error>> {
    let game = seat.book.game(&seat.hero)?;
    let solver = seat.limits()?.solver(&game);
    match solver.solve_exact(seat.start(&game)?) {
        Ok(value) => return Ok(value),
        Err(error) => eprintln!("Warning: {error}. This is the value of what floats decide."),
    }
    let best = Best::of(seat)?;
    warn(&best);
    match best.fraction() {
        Err(error) => Err(no_journey(&best, error)?.into()),
        fraction => Ok(fraction?),
    }
}

/// Says so if play is not proven to be best.
fn warn(best: &Best) {
    if !best.is_proven() {
        eprintln!(
            "Warning: some sections are almost never left, so it is not proven that no other \
             play is better."
        );
    }
}

/// Plays games for the readers whose habits reach too many places.
#[cfg(feature = "rand")]
fn play(difficulty: &mut Difficulty, seat: &Seat, games: u64) -> Result<(), BookError> {
    use rand::SeedableRng;
    /// The highest number of moves and throws of a game.
    const LONGEST: u64 = 10_000;
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    difficulty.play(&seat.book, &seat.hero, games, LONGEST, &mut rng)
}

#[cfg(not(feature = "rand"))]
fn play(_: &mut Difficulty, _: &Seat, _: u64) -> Result<(), String> {
    Err("--games needs the feature `rand`; build with --features toml,plot,rand".into())
}

/// Gives an error for an option that would have no effect.
fn no_option_is_idle(words: &Words) -> Result<(), String> {
    let report = ["json", "dot", "svg", "labels", "places", "games"];
    words.excludes("within", &["exact"], "prints only two bounds")?;
    words.excludes("within", &report, "prints only two bounds")?;
    words.excludes("exact", &report, "prints only a fraction")?;
    let middle = "starts in the middle, but other readers start at the beginning";
    words.excludes("section", &["places", "games"], middle)?;
    match words.has("labels") && !words.has("dot") && !words.has("svg") {
        true => Err("--labels needs a picture; add --dot FILE or --svg FILE".into()),
        false => Ok(()),
    }
}

/// The text instead of a journey, if there is a known reason for having none.
fn no_journey(best: &Best, error: BookError) -> Result<String, BookError> {
    match error {
        // The stat has no effect on the value, so the value is known.
        BookError::Solve(refused @ MdpError::Refused { .. }) => Ok(format!(
            "Best play wins {:.4} %. It cannot be followed to all its ends: {refused}.",
            100.0 * best.value()
        )),
        error => Err(error),
    }
}

/// Draws the requested pictures, with the visits of best play if they are known.
fn draw(seat: &Seat, journey: Option<&Journey>) -> Result<(), Box<dyn Error>> {
    let mut graph = seat.book.graph();
    if let Some(journey) = journey {
        graph = graph.visits(journey);
    }
    if seat.words.has("labels") {
        graph = graph.edge_labels();
    }
    let save = |file: &str, text: String| {
        std::fs::write(file, text).map_err(|error| format!("{file}: {error}"))
    };
    if let Some(file) = seat.words.text("dot") {
        save(file, graph.to_dot())?;
    }
    if let Some(file) = seat.words.text("svg") {
        save(file, graph.to_svg()?)?;
    }
    Ok(())
}

/// Prints bounds on the value of best play, and nothing else.
fn within(seat: &Seat, error: f64) -> Result<(), Box<dyn Error>> {
    let game = seat.book.game(&seat.hero)?;
    let (least, most) = seat
        .limits()?
        .solver(&game)
        .approximate(seat.start(&game)?, error)?
        .enclosure()
        .ok_or("no bounds")?;
    // Rounding to fewer digits must keep the bounds valid.
    let (least, most) = ((1e6 * least).floor() / 1e4, (1e6 * most).ceil() / 1e4);
    tell(format!(
        "Best play wins between {least:.4} % and {most:.4} %."
    ))?;
    Ok(())
}
