//! Approach 1 of "City of Thieves solved", implemented: a Q-learner with the parameters of its
//! Table 1 plays the book, and the learned policy is scored exactly.
//!
//! ```text
//! q_learner learn hero=9/12/12/luck see=section explore=0 games=1000000 seed=1 > best.csv
//! q_learner heroes games=2000 seed=1 > heroes.csv
//! q_learner test heroes.csv
//! q_learner plot best.csv optimum=0.9 > best.svg
//! ```
//!
//! Run it with:
//!
//! ```text
//! cargo run --release -p oddsmith-gamebook --features rand,serde --example q_learner -- learn …
//! ```
//!
//! - `learn` prints a line at each of ten numbers of games per decade. `see` is `section` or
//!   `place`: what the learner uses as the state. `explore` is the share of random moves; 0 leaves
//!   exploration to the high initial value, as in the source. `patient` changes Table 1: no
//!   discount, and a decaying rate.
//! - `heroes` learns with every hero and every potion until the game is mastered or the budget of
//!   games is spent. It prints the last tenth of the estimated chances: those after games won, as
//!   in the source, or those after every `every` games.
//! - `test` compares these with the best hero's: Kolmogorov–Smirnov, Bonferroni.
//! - `plot` draws the output of `learn`; the optimum is computed elsewhere.

mod arguments;
mod chart;
mod heroes;
mod learner;
mod smirnov;
mod study;

use std::error::Error;
use std::io::{Write, stderr, stdout};
use std::process::ExitCode;

use arguments::Arguments;
use learner::{Parameters, Seen};
use oddsmith_mdp::{Exploration, Rate, Recording};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use study::Study;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If this fails as well, nothing can be reported.
            let _ = writeln!(stderr(), "q_learner: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::read(std::env::args().skip(1))?;
    let out = &mut stdout().lock();
    match (arguments.command, &arguments.files[..]) {
        ("heroes", _) => heroes::learn(
            parameters(&arguments)?,
            match arguments.get("every", 0)? {
                0 => Recording::Won,
                games => Recording::Every(games),
            },
            arguments.get("games", 2_000)?,
            arguments.get("seed", 1)?,
            out,
        ),
        ("test", [file, ..]) => heroes::test(file, out),
        ("plot", [file, ..]) => {
            let optimum = arguments.chance("optimum")?;
            let title = arguments.get("title", String::new())?;
            let shown = arguments.get("show", "score".to_owned())?;
            let svg = chart::draw(file, &shown, optimum, &title)?;
            Ok(out.write_all(svg.as_bytes())?)
        }
        _ => learn(&arguments, out),
    }
}

/// Table 1, with the changes on the command line and without the options that always lose.
fn parameters(arguments: &Arguments) -> Result<Parameters, Box<dyn Error>> {
    let seen = match arguments.get("see", "section".to_owned())?.as_str() {
        "section" => Seen::Section,
        "place" => Seen::Place,
        other => return Err(format!("see must be section or place, got {other}").into()),
    };
    let mut parameters = study::simplified(&study::city_of_thieves()?, Parameters::table_1(seen))?;
    let explored = arguments.chance("explore")?;
    if let Some(explored) = explored.filter(|explored| *explored > 0.0) {
        parameters.exploration = Exploration::Random(explored);
    }
    if arguments.get("patient", false)? {
        (parameters.discount, parameters.rate) = (1.0, Rate::Decaying(20));
    }
    if arguments.get("all_options", false)? {
        parameters.dropped.clear();
    }
    parameters.max_states = arguments.get("max_states", parameters.max_states)?;
    Ok(parameters)
}

fn learn(arguments: &Arguments, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let hero = arguments.get("hero", "9/12/12/luck".to_owned())?;
    let hero = study::hero(&hero).map_err(|error| format!("hero={hero}: {error}"))?;
    let game = study::city_of_thieves()?.game(&hero)?;
    let seed = arguments.get("seed", 1)?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Learning does not depend on how the policy is scored.
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    dice.set_stream(1);
    let games = arguments.get("games", 100_000)?;
    let max_places = arguments.get("max_places", 400_000)?;
    let mut study = Study::new(&game, parameters(arguments)?)?;
    writeln!(out, "{}", Study::head())?;
    for played in 1..=games {
        study.play(&mut rng)?;
        let checkpoint = study::checkpoint(played);
        let scored = checkpoint == Some(true) || played == games;
        if !scored && checkpoint.is_none() {
            continue;
        }
        let score = scored.then(|| study.score(max_places, 10_000, &mut dice));
        writeln!(out, "{}", study.row(score.transpose()?))?;
        out.flush()?;
    }
    match study.mastered {
        Some(games) => writeln!(stderr(), "mastered after {games} games")?,
        None => writeln!(stderr(), "not mastered")?,
    }
    Ok(())
}
