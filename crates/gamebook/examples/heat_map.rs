//! Draws the results of `sweep` as heat maps in one SVG: SKILL by STAMINA, with a row of maps for
//! every LUCK and a column for every potion.
//!
//! ```sh
//! cargo run --release -p oddsmith-gamebook --example heat_map -- \
//!     streets.tsv heat.svg --x skill --y stamina --rows luck
//! ```
//!
//! All other differences between heroes make columns. If heroes were solved from several sections,
//! a cell has the best chance of these, and the number of the section; heroes that were not solved
//! are left blank. With `--ways FILE`, from `ways`, cells have the number of the route that the
//! hero needs, such as the best street, and a frame if it is not the one that most heroes need.
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

use line::{Line, UNKNOWN};
use words::{Program, Words};

const CELL: (f64, f64) = (46.0, 28.0);
const GAP: f64 = 56.0;
/// The height of a line of text.
const LINE: f64 = 18.0;

const HEAT_MAP: Program<'_> = Program {
    name: "heat_map",
    usage: "RESULTS SVG [--x STAT] [--y STAT] [--rows STAT] [--ways FILE]",
    files: 2,
    flags: &[],
    valued: &["x", "y", "rows", "ways"],
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
            return Err(format!(
                "{stat} is on two axes; --x, --y and --rows must be different stats"
            )
            .into());
        }
    }
    let stats = words.stats.iter().map(|(stat, _)| stat);
    if let Some(word) = stats.chain(&words.items).next() {
        return Err(format!("{word}: unexpected argument; only two files are needed").into());
    }
    let [results, svg] = &words.files[..] else {
        return Err("name the results and the file to draw".into());
    };
    let read =
        |file: &str| std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"));
    words::spared(svg, &[results])?;
    let mut maps =
        Maps::read(&read(results)?, &axes).map_err(|error| format!("{results}: {error}"))?;
    if let Some(file) = words.text("ways") {
        words::spared(svg, &[file])?;
        maps.mark(&read(file)?, &axes)
            .map_err(|error| format!("{file}: {error}"))?;
    }
    std::fs::write(svg, maps.draw(&axes)).map_err(|error| format!("{svg}: {error}"))?;
    println!("{} heroes in {svg}", maps.cells.len());
    Ok(())
}

/// The position of a hero: in the map, and the row and column of the map.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Spot {
    x: i16,
    y: i16,
    row: i16,
    column: String,
}

impl Spot {
    fn of(hero: &str, axes: &[String; 3]) -> Result<Self, String> {
        let mut at = [None; 3];
        let mut others = Vec::new();
        for word in hero.split(' ') {
            let stat = word.split_once('=');
            let axis = stat.and_then(|stat| axes.iter().position(|axis| axis == stat.0));
            match (stat, axis) {
                (Some((_, value)), Some(axis)) => {
                    let value = value.parse();
                    at[axis] = Some(value.map_err(|error| format!("{word}: {error}"))?);
                }
                _ => others.push(word),
            }
        }
        let [Some(x), Some(y), row] = at else {
            return Err(format!("no {} and {}", axes[0], axes[1]));
        };
        Ok(Spot {
            x,
            y,
            row: row.unwrap_or(0),
            column: others.join(" "),
        })
    }
}

#[derive(Default)]
struct Maps {
    /// The best chance, and its section or route.
    cells: BTreeMap<Spot, (f64, String)>,
    /// The marks, each with the number of heroes that have it.
    marks: BTreeMap<String, usize>,
    /// Whether marks are routes.
    ways: bool,
}

impl Maps {
    fn read(text: &str, axes: &[String; 3]) -> Result<Self, String> {
        let mut maps = Maps::default();
        // If a hero has two lines, the last one counts.
        let mut chances: BTreeMap<(Spot, String), f64> = BTreeMap::new();
        let lines = text.lines().enumerate();
        for (number, line) in lines.filter(|(_, line)| !line.starts_with("# ")) {
            let number = number + 1;
            let found = match Line::of(line) {
                Line::Result(found) => found,
                // A sweep was interrupted in this line, so its result is unknown.
                Line::Part => continue,
                Line::Ways(..) => {
                    return Err(format!(
                        "line {number} is a line of `ways`; pass such a file with --ways"
                    ));
                }
                Line::Heading(..) | Line::Strange => {
                    return Err(format!("line {number} is not a result of a sweep"));
                }
            };
            let spot = Spot::of(found.hero, axes);
            let spot = spot.map_err(|error| format!("line {number}: {error}"))?;
            chances.insert((spot, found.section.to_owned()), found.chance);
        }
        for ((spot, section), chance) in chances {
            let best = maps.cells.entry(spot).or_insert((-1.0, String::new()));
            if chance > best.0 {
                *best = (chance, section);
            }
        }
        maps.count();
        match maps.cells.is_empty() {
            true => Err("nothing was solved".to_owned()),
            false => Ok(maps),
        }
    }

    /// Marks heroes with the route that they need.
    fn mark(&mut self, text: &str, axes: &[String; 3]) -> Result<(), String> {
        self.cells.values_mut().for_each(|cell| cell.1.clear());
        for (number, line) in text.lines().enumerate() {
            let number = number + 1;
            let needed = match Line::of(line) {
                Line::Ways(needed) => needed,
                Line::Heading(..) | Line::Part => continue,
                Line::Result(..) | Line::Strange => {
                    return Err(format!("line {number} is not a line of `ways`"));
                }
            };
            let spot = Spot::of(needed.hero, axes);
            let spot = spot.map_err(|error| format!("line {number}: {error}"))?;
            if let Some(cell) = self.cells.get_mut(&spot) {
                cell.1 = needed.ways.to_owned();
            }
        }
        if self.cells.values().all(|cell| cell.1.is_empty()) {
            return Err("it contains none of these heroes".to_owned());
        }
        self.ways = true;
        self.count();
        Ok(())
    }

    fn count(&mut self) {
        self.marks.clear();
        for (_, mark) in self.cells.values() {
            *self.marks.entry(mark.clone()).or_default() += 1;
        }
    }

    /// The route of most heroes is not an exception, nor is an unknown one, or one of several
    /// sections.
    fn is_exception(&self, mark: &str) -> bool {
        let known = |mark: &str| !mark.is_empty() && mark != UNKNOWN;
        let marks = self.marks.iter().filter(|(mark, _)| known(mark));
        let most = marks.map(|(_, count)| count).max();
        self.ways && known(mark) && self.marks.get(mark) < most
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
            Some((chance, mark)) if self.is_exception(mark) => {
                (colour(*chance), "#c33\" stroke-width=\"2")
            }
            Some((chance, _)) => (colour(*chance), "none"),
            None => ("none".to_owned(), "currentColor\" stroke-opacity=\"0.2"),
        };
        let _ = write!(
            cell,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" \
             fill=\"{fill}\" stroke=\"{stroke}\"/>"
        );
        if let Some((chance, mark)) = found {
            let ink = if *chance > 0.55 { "white" } else { "black" };
            let percent = match 100.0 * chance {
                low if low < 0.995 => format!("{low:.2}"),
                // Not quite certain.
                high if (99.95..100.0).contains(&high) => format!("{:.2}", high.min(99.99)),
                other => format!("{other:.1}"),
            };
            let marked = (self.ways || self.marks.len() > 1) && !mark.is_empty();
            let words = match marked {
                true => format!("{percent} {mark}"),
                false => percent,
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

/// From light to dark blue, which remains distinguishable for the colour-blind and in print.
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
