//! Tests all heroes: which ones differ from the best?

use std::error::Error;
use std::io::Write;

use oddsmith_mdp::Recording;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::learner::Parameters;
use crate::smirnov::Smirnov;
use crate::study::{self, Study};

/// (0.01 / 396) / 3.
const LEVEL: f64 = 0.01 / 396.0 / 3.0;

const POTIONS: [&str; 3] = ["skill", "stamina", "luck"];

/// Lets every hero learn, each with its own seed, and prints the last tenth of the estimated
/// chances.
pub(crate) fn learn(
    parameters: Parameters,
    recording: Recording,
    games: u64,
    seed: u64,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let book = study::city_of_thieves()?;
    writeln!(out, "hero,games,won,mastered,estimates")?;
    let mut number = 0;
    for potion in POTIONS {
        for luck in 7..=12 {
            for skill in 4..=9 {
                for stamina in 2..=12 {
                    let name = format!("{skill}/{stamina}/{luck}/{potion}");
                    let game = book.game(study::hero(&name)?)?;
                    let mut rng = ChaCha8Rng::seed_from_u64(seed);
                    rng.set_stream(number);
                    number += 1;
                    let mut study = Study::new(&game, parameters.clone())?;
                    study.recording = recording;
                    while study.learner.games() < games && study.mastered.is_none() {
                        study.play(&mut rng)?;
                    }
                    let learner = &study.learner;
                    let last = study.history.last_tenth().iter();
                    let last: Vec<String> = last.map(|estimate| study::digits(*estimate)).collect();
                    let mastered = study.mastered.map(|games| games.to_string());
                    writeln!(
                        out,
                        "{name},{},{},{},{}",
                        learner.games(),
                        learner.won(),
                        mastered.unwrap_or_default(),
                        last.join(" ")
                    )?;
                }
            }
        }
    }
    Ok(())
}

/// Compares each hero with the best one of the same potion.
pub(crate) fn test(file: &str, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let mut heroes = Vec::new();
    for (number, line) in text.lines().enumerate().skip(1) {
        let place = format!("{file}: line {}", number + 1);
        let fields: Vec<&str> = line.split(',').collect();
        let [name, _, _, mastered, estimates] = fields[..] else {
            return Err(format!("{place}: expected five fields").into());
        };
        let estimates: Result<Vec<f64>, _> = estimates.split_whitespace().map(str::parse).collect();
        let estimates = estimates.map_err(|error| format!("{place}: {error}"))?;
        heroes.push((name, !mastered.is_empty(), estimates));
    }
    writeln!(out, "level (0.01 / 396) / 3 = {LEVEL:.4e}")?;
    for potion in POTIONS {
        let best = format!("9/12/12/{potion}");
        let of_potion = || heroes.iter().filter(|(name, ..)| name.ends_with(potion));
        let mastered = of_potion().filter(|(_, mastered, _)| *mastered).count();
        let best = of_potion().find(|(name, ..)| *name == best);
        let (_, _, best) = best.ok_or_else(|| format!("{file}: the best hero is missing"))?;
        let tests = of_potion().map(|(name, _, sample)| (name, Smirnov::of(best, sample)));
        let tests: Vec<_> = tests.collect();
        let without = tests.iter().filter(|(_, test)| test.is_none()).count();
        let made = || {
            tests
                .iter()
                .filter_map(|(name, test)| Some((name, (*test)?)))
        };
        let differ = made().filter(|(_, test)| test.p_value() < LEVEL).count();
        writeln!(
            out,
            "{potion} potion: {} heroes, {mastered} mastered the game, {without} without a record \
             to compare; of {} tests {differ} reject: H1 is {}",
            tests.len(),
            made().count(),
            if differ > 0 {
                "rejected"
            } else {
                "not rejected"
            }
        )?;
        let most = made().min_by(|a, b| a.1.p_value().total_cmp(&b.1.p_value()));
        if let Some((name, test)) = most {
            let (distance, p) = (test.distance(), test.p_value());
            writeln!(
                out,
                "  the largest distance is that of {name}: D = {distance:.3}, p = {p:.2e}"
            )?;
        }
    }
    Ok(())
}
