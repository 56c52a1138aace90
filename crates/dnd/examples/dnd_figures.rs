//! Draws the figures of the crate into a directory, as SVG:
//!
//! ```text
//! cargo run -p oddsmith-dnd --features plot --example dnd_figures -- crates/dnd/docs
//! ```

use oddsmith_dice::{Chart, Dist};
use oddsmith_dnd::{Attack, DprChart, Duel, DuelChart, Fighter, activate};
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = PathBuf::from(
        std::env::args_os()
            .nth(1)
            .ok_or("usage: dnd_figures DIRECTORY")?,
    );
    let turn = activate(&Dist::ndice(2, 6)?, 5, 18, 7)?;
    let damage = Chart::pmf()
        .title("2d6 + 5 at +7 against AC 18: one attack, and two")
        .law("one", &turn)
        .law("two", &turn.repeat(2)?);
    std::fs::write(directory.join("damage.svg"), damage.svg()?)?;

    let fighter = Fighter::new(40, turn)?;
    let rounds = Duel::new(fighter.clone(), fighter).to_f64().rounds(20)?;
    let mirror = DuelChart::new(rounds.table()).title("A mirror match of 40 hit points");
    std::fs::write(directory.join("mirror_match.svg"), mirror.svg()?)?;

    let sword = Attack::new("Greatsword")?
        .to_hit(7)
        .damage("2d6 + 4 slashing".parse()?);
    let dpr = DprChart::new(5..=30)
        .title("Greatsword at +7")
        .build("plain", sword.clone())
        .build("−5/+10", sword.power_attack());
    std::fs::write(directory.join("dpr.svg"), dpr.svg()?)?;
    Ok(())
}
