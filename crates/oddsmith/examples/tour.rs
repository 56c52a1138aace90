//! A tour of Oddsmith: one stanza a model, each from real input.
//!
//! ```sh
//! cargo run --release --example tour
//! ```

use std::error::Error;
use std::io::{IsTerminal, Write, stdout};

use oddsmith::fightingfantasy::{Advantage, Duel, Extent, Foe, HeatMap, Hero, LuckMap, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = stdout().lock();
    fighting_fantasy(&mut out, stdout().is_terminal())?;
    Ok(())
}

/// The foes the paper ends on, and the map of what to do against the first.
fn fighting_fantasy(out: &mut impl Write, colour: bool) -> Result<(), Box<dyn Error>> {
    writeln!(out, "FIGHTING FANTASY: the best use of LUCK, hero 12/24/12")?;
    for (name, foe) in [
        ("White Dragon", Foe::new(15, 22)?),
        ("Hell Demon", Foe::new(14, 12)?),
    ] {
        let duel = Duel::new(Hero::new(12, 24, 12)?, foe);
        let plan = duel.best_luck()?;
        let (without, best) = (duel.without_luck()?, plan.value());
        writeln!(
            out,
            "\n{name} ({}/{}): victory {} without LUCK, {} with its best use",
            foe.skill(),
            foe.stamina(),
            percent(duel.without_luck_f64()?),
            percent(plan.value_f64()),
        )?;
        writeln!(out, "  exactly {without}")?;
        writeln!(out, "  and     {best}")?;
        writeln!(
            out,
            "  first decision: {}",
            in_words(plan.decision().label())
        )?;
    }
    let map = LuckMap::exact(&Rules::standard(), -3, Extent::default(), Advantage::Strict)?;
    writeln!(out, "\n{}", HeatMap::of_map(&map, 12)?.colour(colour))?;
    Ok(())
}

/// Two digits that matter, as percent.
fn percent(chance: f64) -> String {
    let digits = (1.0 - (100.0 * chance).log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{:.*} %", digits + 1, 100.0 * chance)
}

fn in_words(label: char) -> &'static str {
    match label {
        '1' => "test LUCK after every blow (1)",
        '2' => "test LUCK after a lost round (2)",
        '3' => "test LUCK after a won round (3)",
        _ => "save LUCK",
    }
}
