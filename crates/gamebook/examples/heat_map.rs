//! What `sweep` has found, as heat maps in one SVG: SKILL by STAMINA, a row of maps for
//! every LUCK, a column for every potion.
//!
//! ```sh
//! cargo run --release -p oddsmith-gamebook --example heat_map -- \
//!     streets.tsv heat.svg --x skill --y stamina --rows luck
//! ```
//!
//! What else tells heroes apart makes columns. Where heroes were solved from several
//! sections, a cell has the chance from the best of them, and its number; heroes that were
//! not solved are left blank.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example shows what it does"
)]

#[path = "results/line.rs"]
mod line;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write;
use std::process::ExitCode;

use line::Line;
use words::{Program, Words};

const CELL: (f64, f64) = (46.0, 28.0);
const GAP: f64 = 56.0;
/// The height of a line of words.
const LINE: f64 = 18.0;

const HEAT_MAP: Program<'_> = Program {
    name: "heat_map",
    usage: "RESULTS SVG [--x STAT] [--y STAT] [--rows STAT]",
    files: 2,
    flags: &[],
    valued: &["x", "y", "rows"],
    repeated: &[],
};

fn main() -> ExitCode {
    HEAT_MAP.main(run)
}

fn run(words: Words) -> Result<(), Box<dyn Error>> {
    let axis = |name: &str, stat: &str| words.text(name).unwrap_or(stat).to_owned();
    let axes = [
        axis("x", "skill"),
        axis("y", "stamina"),
        axis("rows", "luck"),
    ];
    for (place, stat) in axes.iter().enumerate() {
        if axes[..place].contains(stat) {
            return Err(
                format!("{stat} is on two axes: give each of --x, --y and --rows its own").into(),
            );
        }
    }
    let stats = words.stats.iter().map(|(stat, _)| stat);
    if let Some(word) = stats.chain(&words.items).next() {
        return Err(format!("{word}: no more than two files are needed").into());
    }
    let [results, svg] = &words.files[..] else {
        return Err("name the results and the file to draw".into());
    };
    words::spared(svg, &[results])?;
    let text = std::fs::read_to_string(results).map_err(|error| format!("{results}: {error}"))?;
    let maps = Maps::read(&text, &axes).map_err(|error| format!("{results}: {error}"))?;
    std::fs::write(svg, maps.draw(&axes)).map_err(|error| format!("{svg}: {error}"))?;
    println!("{} heroes in {svg}", maps.cells.len());
    Ok(())
}

/// The place of a hero: in the map, by row and column of maps.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Spot {
    x: i16,
    y: i16,
    row: i16,
    column: String,
}

#[derive(Default)]
struct Maps {
    /// The best chance, and from which section.
    cells: BTreeMap<Spot, (f64, String)>,
    sections: BTreeSet<String>,
}

impl Maps {
    fn read(text: &str, axes: &[String; 3]) -> Result<Self, String> {
        let mut maps = Maps::default();
        // Of two lines of one hero the last counts.
        let mut chances: BTreeMap<(Spot, String), f64> = BTreeMap::new();
        let lines = text.lines().enumerate();
        for (number, line) in lines.filter(|(_, line)| !line.starts_with("# ")) {
            let number = number + 1;
            let found = match Line::of(line) {
                Line::Result(found) => found,
                // A sweep was stopped there: what was found is not known.
                Line::Part => continue,
                Line::Heading(..) | Line::Strange => {
                    return Err(format!("line {number} is no result of a sweep"));
                }
            };
            let mut at = [None; 3];
            let mut others = Vec::new();
            for word in found.hero.split(' ') {
                let stat = word.split_once('=');
                let axis = stat.and_then(|stat| axes.iter().position(|axis| axis == stat.0));
                match (stat, axis) {
                    (Some((_, value)), Some(axis)) => {
                        let value = value.parse();
                        let value =
                            value.map_err(|error| format!("line {number}: {word}: {error}"));
                        at[axis] = Some(value?);
                    }
                    _ => others.push(word),
                }
            }
            let [Some(x), Some(y), row] = at else {
                return Err(format!("line {number}: no {} and {}", axes[0], axes[1]));
            };
            let spot = Spot {
                x,
                y,
                row: row.unwrap_or(0),
                column: others.join(" "),
            };
            chances.insert((spot, found.section.to_owned()), found.chance);
        }
        for ((spot, section), chance) in chances {
            maps.sections.insert(section.clone());
            let best = maps.cells.entry(spot).or_insert((-1.0, String::new()));
            if chance > best.0 {
                *best = (chance, section);
            }
        }
        match maps.cells.is_empty() {
            true => Err("nothing was solved".to_owned()),
            false => Ok(maps),
        }
    }

    fn draw(&self, axes: &[String; 3]) -> String {
        let all = |key: fn(&Spot) -> i16| -> Vec<i16> {
            let values: BTreeSet<i16> = self.cells.keys().map(key).collect();
            values.into_iter().collect()
        };
        let (xs, ys, rows) = (all(|spot| spot.x), all(|spot| spot.y), all(|spot| spot.row));
        let columns: BTreeSet<&str> = self.cells.keys().map(|spot| &spot.column[..]).collect();
        let width = CELL.0 * xs.len() as f64 + GAP;
        let height = CELL.1 * ys.len() as f64 + GAP + LINE;
        let mut svg = String::new();
        let (all_width, all_height) = (
            width * columns.len() as f64 + GAP,
            height * rows.len() as f64 + GAP / 2.0,
        );
        let mut put = |line: String| {
            svg.push_str(&line);
            svg.push('\n');
        };
        put(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {all_width} {all_height}\" \
             font-family=\"sans-serif\" font-size=\"11\" fill=\"currentColor\">"
        ));
        for (row, luck) in rows.iter().enumerate() {
            for (column, name) in columns.iter().enumerate() {
                let left = GAP + width * column as f64;
                let top = GAP / 2.0 + LINE + height * row as f64;
                let title = escaped(&format!("{} {luck}, {name}", axes[2]));
                put(text(left, top - 8.0, "start", &title));
                for (place, x) in xs.iter().enumerate() {
                    let middle = left + CELL.0 * (place as f64 + 0.5);
                    let under = top + CELL.1 * ys.len() as f64 + 14.0;
                    put(text(middle, under, "middle", &x.to_string()));
                }
                let under = top + CELL.1 * ys.len() as f64 + 28.0;
                put(text(left, under, "start", &escaped(&axes[0])));
                put(text(left - 6.0, top - 8.0, "end", &escaped(&axes[1])));
                for (place, y) in ys.iter().rev().enumerate() {
                    let over = top + CELL.1 * place as f64;
                    let middle = over + CELL.1 / 2.0 + 4.0;
                    put(text(left - 6.0, middle, "end", &y.to_string()));
                    for (across, x) in xs.iter().enumerate() {
                        let spot = Spot {
                            x: *x,
                            y: *y,
                            row: *luck,
                            column: (*name).to_owned(),
                        };
                        let found = self.cells.get(&spot);
                        let over_left = left + CELL.0 * across as f64;
                        put(self.cell(found, (over_left, over)));
                    }
                }
            }
        }
        put("</svg>".into());
        svg
    }

    fn cell(&self, found: Option<&(f64, String)>, (left, top): (f64, f64)) -> String {
        let (width, height) = CELL;
        let mut cell = String::new();
        let (fill, stroke) = match found {
            Some((chance, _)) => (colour(*chance), "none"),
            None => ("none".to_owned(), "currentColor"),
        };
        let _ = write!(
            cell,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" \
             fill=\"{fill}\" stroke=\"{stroke}\" stroke-opacity=\"0.2\"/>"
        );
        if let Some((chance, section)) = found {
            let ink = if *chance > 0.55 { "white" } else { "black" };
            let percent = match 100.0 * chance {
                low if low < 0.995 => format!("{low:.2}"),
                other => format!("{other:.1}"),
            };
            let words = match self.sections.len() {
                1 => percent,
                _ => format!("{percent} {section}"),
            };
            let (x, y) = (left + width / 2.0, top + height / 2.0 + 4.0);
            let _ = write!(
                cell,
                "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" fill=\"{ink}\">{words}</text>"
            );
        }
        cell
    }
}

/// From light to dark blue, which the colour-blind can tell apart, and printers.
fn colour(chance: f64) -> String {
    let between = |from: f64, to: f64| (from + (to - from) * chance.clamp(0.0, 1.0)).round();
    let (red, green, blue) = (
        between(236.0, 8.0),
        between(242.0, 69.0),
        between(250.0, 130.0),
    );
    format!("rgb({red},{green},{blue})")
}

fn text(x: f64, y: f64, anchor: &str, words: &str) -> String {
    format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{words}</text>")
}

fn escaped(words: &str) -> String {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    words.replace('>', "&gt;").replace('"', "&quot;")
}
