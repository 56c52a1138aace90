//! Draws the figure of the front page into a directory, as SVG:
//!
//! ```text
//! cargo run -p oddsmith-dice --features plot --example dice_figures -- crates/dice/docs
//! ```

use oddsmith_dice::{Chart, Dist};
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args()
        .nth(1)
        .ok_or("usage: dice_figures DIRECTORY")?;
    let chart = Chart::pmf()
        .title("Four ways to roll about eleven")
        .law("d20", &Dist::die(20)?)
        .law("2d10", &Dist::ndice(2, 10)?)
        .law("3d6", &Dist::ndice(3, 6)?)
        .law("5d4 − 1", &Dist::ndice(5, 4)?.shift(-1)?);
    std::fs::write(PathBuf::from(directory).join("pmf.svg"), chart.svg()?)?;
    Ok(())
}
