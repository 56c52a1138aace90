//! Draws the figures of the paper from the true values into a directory, as SVG:
//!
//! ```text
//! cargo run --release -p oddsmith-risk --features plot --example risk_figures -- DIRECTORY
//! ```

use std::path::PathBuf;

use oddsmith_dice::Chart;
use oddsmith_risk::{Battle, BattleConfiguration, ContourPlot, Rules, SurfacePlot, win_matrix_f64};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args_os()
        .nth(1)
        .ok_or("usage: risk_figures DIRECTORY")?;
    let directory = PathBuf::from(directory);
    let save = |name: &str, svg: String| std::fs::write(directory.join(name), svg);

    // Figure 2, with one die against two as it is played.
    let values = ContourPlot::of_game_values(&Rules::standard())?;
    let values = values.title("Gain of the attacker a pair of dice");
    save("figure_2.svg", values.svg())?;

    // Figures 4 to 6, and the standard rules, which have none.
    for (name, configuration) in [
        ("standard.svg", BattleConfiguration::Standard),
        ("figure_4.svg", BattleConfiguration::HeroAttacks),
        ("figure_5.svg", BattleConfiguration::HeroAgainstBoth),
        ("figure_6.svg", BattleConfiguration::BothDefend),
    ] {
        let win = win_matrix_f64(15, 15, &configuration.rules())?;
        let title = format!("The attackers' chance to win, bonuses {configuration}");
        save(name, SurfacePlot::of_matrix(&win)?.title(title).svg())?;
    }

    // Who wins, and the 50 % line.
    let win = win_matrix_f64(40, 40, &Rules::standard())?;
    let contours = ContourPlot::of_matrix(&win)?.title("The attackers' chance to win");
    save("win_contours.svg", contours.svg())?;

    // The remaining forces of ten against eight.
    let left = Battle::new(10, 8)?.survivors()?;
    let chart = Chart::pmf()
        .law("attackers left", &left.attackers().to_f64())
        .law("defenders left", &left.defenders().to_f64())
        .title("Ten attackers against eight");
    save("survivors.svg", chart.svg()?)?;
    Ok(())
}
