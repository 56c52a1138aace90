//! A book played in the terminal, with the odds of every option as far as they are known.
//!
//! ```text
//! cargo run --release -p oddsmith-gamebook --features toml --example play -- \
//!     crates/gamebook/books/salt_lantern.toml skill=9 stamina=14 luck=9 tonic
//! ```
//!
//! Type the number of an option, nothing for the best one (`*`), `?` for the odds if they are not
//! shown, or `q` to quit. Dice are rolled by a generator (`--seed N`), or with `--own-dice` by the
//! player, who enters the result. `--auto N` plays N games by best play and compares the victories
//! with the exact chance. `--section N` starts in the middle. `--bookmark FILE` continues from the
//! bookmark in this file, writes one when you stop, and removes it when the adventure is over.
//!
//! Books with more than two million places, or with cycles, are solved by diagrams, with at most
//! `--gib N` (default: 4) of memory and `--values N` (default: 4096) values of a stat. Then the
//! odds are known wherever best play may go. Elsewhere they are computed on request, or with
//! `--odds` every time, which takes seconds early in a long book, and are then kept.
#![expect(clippy::print_stderr, reason = "an example says what went wrong")]

mod best;
mod reading;
mod seat;
mod words;

use std::error::Error;
use std::fs;
use std::io::{BufRead, Write, stdout};
use std::path::Path;
use std::process::ExitCode;

use best::Best;
use oddsmith_gamebook::{BookGame, Error as BookError, Move, Place};
use oddsmith_mdp::{Node, Simulator};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use seat::Seat;
use words::{Program, Words};

const PLAY: Program<'_> = Program {
    name: "play",
    usage: "BOOK [STAT=VALUE | ITEM]... [--now STAT=VALUE]... [--variant FILE] [--seed N] \
            [--own-dice | --auto N] [--odds] [--section N | --bookmark FILE] [--gib N] [--values N]",
    files: 1,
    flags: &["own-dice", "odds"],
    valued: &[
        "variant", "seed", "auto", "section", "bookmark", "gib", "values",
    ],
    repeated: &["now"],
};

fn main() -> ExitCode {
    PLAY.main(run)
}

fn run(words: Words) -> Result<(), Box<dyn Error>> {
    words.excludes("own-dice", &["auto", "seed"], "lets you roll all dice")?;
    words.excludes(
        "odds",
        &["auto"],
        "shows odds in a game that you play yourself",
    )?;
    words.excludes("bookmark", &["auto", "section"], "sets where you start")?;
    let (own_dice, odds) = (words.has("own-dice"), words.has("odds"));
    let games = words.number("auto")?;
    let mut rng = ChaCha8Rng::seed_from_u64(words.number("seed")?.unwrap_or(1));
    let seat = Seat::take(words)?;
    match games {
        // No odds are shown, and decisions are looked up faster.
        Some(games) => auto(&Best::of(&seat)?, games, &mut rng),
        None => {
            let mut best = Best::with_odds(&seat)?;
            let file = seat.words.text("bookmark").map(Path::new);
            let left = play(&mut best, odds, (!own_dice).then_some(&mut rng))?;
            match file {
                Some(file) => keep(best.game(), left, file),
                None => Ok(()),
            }
        }
    }
}

/// Saves a bookmark where the player has stopped, or removes it if the adventure is over.
fn keep(game: &BookGame, left: Option<Place>, file: &Path) -> Result<(), Box<dyn Error>> {
    let done = match left {
        Some(place) => fs::write(file, serde_json::to_string_pretty(&game.bookmark(&place)?)?),
        None if file.exists() => fs::remove_file(file),
        None => Ok(()),
    };
    Ok(done.map_err(|error| format!("{}: {error}", file.display()))?)
}

/// Plays automatically and counts the victories.
fn auto(best: &Best, games: u64, rng: &mut ChaCha8Rng) -> Result<(), Box<dyn Error>> {
    let exact = format!("exactly {:.4} %", 100.0 * best.value());
    let simulator = Simulator::new(best.game(), best);
    let simulation = simulator.run(&best.start(), games, rng);
    // The value of best play is known even if the simulation fails.
    let simulation = simulation.map_err(|error| format!("best play wins {exact}, but {error}"))?;
    writeln!(
        stdout(),
        "{games} games by best play: {:.4} % won, {exact}",
        100.0 * simulation.mean(),
    )?;
    let error = simulation.standard_error();
    let off = simulation.z_score(best.value());
    match error.is_finite() && off.is_finite() {
        true => writeln!(
            stdout(),
            "standard error {:.4} %, deviation {off:.2} standard errors",
            100.0 * error
        )?,
        false => writeln!(
            stdout(),
            "all games ended the same way, so the standard error is unknown"
        )?,
    }
    Ok(())
}

/// Plays until the adventure or the input ends, with the odds of all options, or only those already
/// known. Returns where the player has stopped.
fn play(
    best: &mut Best,
    odds: bool,
    mut rng: Option<&mut ChaCha8Rng>,
) -> Result<Option<Place>, Box<dyn Error>> {
    let game = &best.game().clone();
    let mut place = best.start();
    let mut section = None;
    loop {
        let node = Node::of(game, &place)?;
        if section != Some(place.section()) {
            section = Some(place.section());
            tell(game, &place)?;
        }
        if let Some(score) = node.score() {
            let won = score.to_f64() > 0.0;
            let words = if won {
                "You have won."
            } else {
                "Your adventure is over."
            };
            writeln!(stdout(), "{words}")?;
            return Ok(None);
        }
        match best.value_of(&place)? {
            Some(value) => {
                let value = 100.0 * value;
                writeln!(
                    stdout(),
                    "  [{}; {value:.2} % to win]",
                    game.describe(&place)
                )?;
            }
            None => writeln!(stdout(), "  [{}]", game.describe(&place))?,
        }
        let choice = match node.action(0) {
            None => {
                writeln!(stdout(), "  {}", game.book().kind(place.section())?)?;
                0
            }
            Some(only) if node.len() == 1 => {
                writeln!(stdout(), "  {only}")?;
                0
            }
            Some(_) => match choose(best, odds, &node, &place)? {
                Some(choice) => choice,
                None => return Ok(Some(place)),
            },
        };
        let next = match &mut rng {
            Some(rng) => roll(&node, choice, rng),
            None => ask(game, &node, choice)?,
        };
        let Some(next) = next else {
            return Ok(Some(place));
        };
        place = next;
    }
}

/// Prints the text of the section.
fn tell(game: &BookGame, place: &Place) -> Result<(), Box<dyn Error>> {
    let section = game.book().section(place.section())?;
    let label = section.label.as_deref().unwrap_or_default();
    writeln!(stdout(), "\n{} {label}", section.number)?;
    if let Some(text) = &section.text {
        writeln!(stdout(), "{text}")?;
    }
    Ok(())
}

/// Asks for the player's decision; `None` to stop.
fn choose(
    best: &mut Best,
    odds: bool,
    node: &Node<BookGame>,
    place: &Place,
) -> Result<Option<usize>, Box<dyn Error>> {
    let moves: Vec<Move> = (0..node.len())
        .filter_map(|choice| node.action(choice).cloned())
        .collect();
    let advice = match odds {
        true => match best.odds(place) {
            // The game goes on without odds.
            Err(
                error @ (BookError::BookTooLarge { .. }
                | BookError::NotReached { .. }
                | BookError::NotFollowed { .. }
                | BookError::StatOverflows { .. }),
            ) => {
                writeln!(stdout(), "  ({error})")?;
                None
            }
            odds => odds?,
        },
        false => best.advice(place)?,
    };
    let decided = match &advice {
        Some(advice) => advice.options().iter().position(|option| option.decided),
        None => {
            let decided = best.decision(place)?;
            if decided.is_none() {
                writeln!(stdout(), "  (best play does not reach this place)")?;
            }
            moves
                .iter()
                .position(|known| Some(known) == decided.as_ref())
        }
    };
    for (number, option) in moves.iter().enumerate() {
        let star = if decided == Some(number) { '*' } else { ' ' };
        let value = advice.as_ref().map(|advice| advice.options()[number].value);
        let chance = value.map(|value| format!(" ({:.2} %)", 100.0 * value));
        writeln!(
            stdout(),
            " {star}{}) {option}{}",
            number + 1,
            chance.unwrap_or_default()
        )?;
    }
    let default = Some(decided.unwrap_or(0));
    match number(moves.len(), default, advice.is_none())? {
        Some(Answer::Number(number)) => Ok(Some(number)),
        Some(Answer::Odds) => choose(best, true, node, place),
        None => Ok(None),
    }
}

/// Draws an outcome by its weight.
fn roll(node: &Node<BookGame>, choice: usize, rng: &mut ChaCha8Rng) -> Option<Place> {
    let chances = chances(node, choice);
    let drawn = chances.choose_weighted(rng, |(_, chance)| *chance);
    drawn.ok().map(|(place, _)| *place)
}

fn chances(node: &Node<BookGame>, choice: usize) -> Vec<(Place, f64)> {
    let total = node.wide_total(choice);
    // Both lose the same number of low bits, so that they fit into floats.
    let shift = total.bits().saturating_sub(1_000);
    let float = |weight: num_bigint::BigUint| {
        num_traits::ToPrimitive::to_f64(&(weight >> shift)).unwrap_or(0.0)
    };
    let whole = float(total);
    let outcomes = node.wide_outcomes(choice);
    outcomes
        .map(|(place, weight)| (*place, float(weight) / whole))
        .collect()
}

/// Asks for the result of the player's own dice; `None` to stop.
fn ask(
    game: &BookGame,
    node: &Node<BookGame>,
    choice: usize,
) -> Result<Option<Place>, Box<dyn Error>> {
    let chances = chances(node, choice);
    if let [(only, _)] = chances[..] {
        return Ok(Some(only));
    }
    writeln!(stdout(), "  Roll your dice. What is the result?")?;
    for (number, (place, chance)) in (1..).zip(&chances) {
        writeln!(
            stdout(),
            "  {number}) {} ({:.2} %)",
            game.describe(place),
            100.0 * chance
        )?;
    }
    match number(chances.len(), None, false)? {
        Some(Answer::Number(number)) => Ok(Some(chances[number].0)),
        Some(Answer::Odds) | None => Ok(None),
    }
}

/// The player's answer.
enum Answer {
    /// A number, less 1.
    Number(usize),
    /// A request for the odds.
    Odds,
}

/// Reads a number from 1 to `most`, or a request for odds if allowed; `None` at the end of the
/// input.
fn number(
    most: usize,
    default: Option<usize>,
    askable: bool,
) -> Result<Option<Answer>, Box<dyn Error>> {
    loop {
        write!(stdout(), "> ")?;
        stdout().flush()?;
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line)? == 0 {
            writeln!(stdout())?;
            return Ok(None);
        }
        match (line.trim(), default) {
            ("q", _) => return Ok(None),
            ("?", _) if askable => return Ok(Some(Answer::Odds)),
            ("", Some(default)) => return Ok(Some(Answer::Number(default))),
            (word, _) => match word.parse::<usize>() {
                Ok(number) if (1..=most).contains(&number) => {
                    return Ok(Some(Answer::Number(number - 1)));
                }
                _ => {
                    let question = if askable { ", ? for the odds" } else { "" };
                    writeln!(
                        stdout(),
                        "enter a number from 1 to {most}{question}, or q to quit"
                    )?;
                }
            },
        }
    }
}
