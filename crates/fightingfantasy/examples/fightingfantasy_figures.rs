//! Draws the figures of the paper into a directory, as SVG:
//!
//! ```text
//! cargo run --release -p oddsmith-fightingfantasy --features plot --example fightingfantasy_figures -- \
//!     crates/fightingfantasy/docs
//! ```
//!
//! `victory_map.svg` alone is drawn unless `all` follows.

use std::path::PathBuf;

use oddsmith_fightingfantasy::{Extent, Rules, StaminaCurves, Use, VictoryMap};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A directory may have any name; the rest are words of this program.
    let mut arguments = std::env::args_os().skip(1);
    let usage = "usage: fightingfantasy_figures DIRECTORY [all]";
    let directory = PathBuf::from(arguments.next().ok_or(usage)?);
    let all = match arguments.next() {
        None => false,
        Some(word) if word == "all" => true,
        Some(_) => return Err(usage.into()),
    };
    let rules = Rules::standard();
    let paper = Extent::default();

    // On the crate's front page.
    let map = VictoryMap::optimal(&rules, [-3, 0], [12, 6], paper)?;
    std::fs::write(directory.join("victory_map.svg"), map.svg()?)?;
    if !all {
        return Ok(());
    }

    // Supplementary Fig. 6: everything.
    let map = VictoryMap::optimal(&rules, (-10..=10).rev(), (0..=12).rev(), paper)?.cell(4);
    std::fs::write(directory.join("all_states.svg"), map.svg()?)?;

    // Fig. 1(ii), and what LUCK adds.
    let extent = Extent {
        foe: 12,
        luck: 9,
        ..paper
    };
    let curves = StaminaCurves::optimal(&rules, [4, 2, 0, -2, -4, -6], extent)?;
    std::fs::write(directory.join("optimal_luck.svg"), curves.svg()?)?;

    // Fig. 2(ii).
    let cases = [(0, 12), (0, 6), (0, 3), (-4, 12), (-6, 12)];
    let curves = StaminaCurves::constant_luck(&rules, Use::Offensive, cases, 24, 12)?;
    std::fs::write(directory.join("constant_luck.svg"), curves.svg()?)?;
    Ok(())
}
