//! Draws measurements against the number of games, as SVG.
//!
//! Ink is `currentColor` and the background is transparent. The SVG has no blank lines, so that it
//! can be embedded in Markdown.

use std::error::Error;

use plotters::prelude::{
    BLACK, ChartBuilder, Circle, Color, IntoDrawingArea, IntoFont, PathElement, RGBColor,
    SVGBackend, Text, TextStyle,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// The colours of M. Okabe and K. Ito (2008), which the colour-blind can distinguish.
const COLOURS: [RGBColor; 4] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
];

const SIZE: (u32, u32) = (720, 400);

/// Lower estimates are drawn at the lower edge of a logarithmic chart.
const LEAST: f64 = 1e-8;

/// The possible charts: columns of the table, with their names in the legend.
const SHOWN: [(&str, &[(&str, &str)]); 4] = [
    (
        "score",
        &[
            ("estimate", "chance to win as estimated"),
            ("lately", "games won while learning"),
            ("score", "exact score of what was learned"),
        ],
    ),
    (
        "start",
        &[
            ("start_1", "ask for Nicodemus"),
            ("start_2", "claim to have stolen goods"),
            ("start_3", "attack"),
        ],
    ),
    (
        "streets",
        &[
            ("clock_street", "Clock Street"),
            ("key_street", "Key Street"),
            ("market_street", "Market Street"),
        ],
    ),
    (
        "last",
        &[
            ("correct_final_choice", "the right choice"),
            ("wrong_final_choice_1", "hair and pearls"),
            ("wrong_final_choice_2", "pearls and lotus"),
        ],
    ),
];

/// A column against the logarithm of the number of games.
type Curve = Vec<(f64, f64)>;

/// A table that `learn` has printed.
struct Table {
    head: Vec<String>,
    rows: Vec<Vec<Option<f64>>>,
}

impl Table {
    fn read(file: &str) -> Result<Self, Box<dyn Error>> {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        let mut lines = text.lines();
        let head = lines.next().ok_or_else(|| format!("{file} is empty"))?;
        let head = head.split(',').map(str::to_owned).collect();
        let rows = lines.map(|line| line.split(',').map(|field| field.parse().ok()).collect());
        Ok(Table {
            head,
            rows: rows.collect(),
        })
    }

    fn column(&self, name: &str) -> Result<Vec<Option<f64>>, Box<dyn Error>> {
        let place = self.head.iter().position(|known| known == name);
        let place = place.ok_or_else(|| format!("there is no column {name}"))?;
        let rows = self.rows.iter();
        Ok(rows.map(|row| row.get(place).copied().flatten()).collect())
    }

    fn curve(&self, name: &str, logarithmic: bool) -> Result<Curve, Box<dyn Error>> {
        let games = self.column("games")?;
        let values = match name {
            // The share of games won since the previous line.
            "lately" => {
                let won = self.column("won")?;
                let steps = (0..won.len()).map(|n| {
                    let before = n.checked_sub(1);
                    let since = |of: &[Option<f64>]| {
                        Some(of[n]? - before.map_or(Some(0.0), |before| of[before])?)
                    };
                    Some(since(&won)? / since(&games)?)
                });
                steps.collect()
            }
            _ => self.column(name)?,
        };
        let points = games.iter().zip(values).filter_map(|(games, value)| {
            let value = value?;
            let up = if logarithmic {
                value.max(LEAST).log10()
            } else {
                value
            };
            Some((games.as_ref()?.log10(), up))
        });
        Ok(points.collect())
    }
}

/// Draws a table that `learn` has printed.
pub(crate) fn draw(
    file: &str,
    shown: &str,
    optimum: Option<f64>,
    title: &str,
) -> Result<String, Box<dyn Error>> {
    let columns = SHOWN.iter().find(|(name, _)| *name == shown);
    let (_, columns) = columns.ok_or("show must be score, start, streets or last")?;
    let logarithmic = shown != "score" && shown != "last";
    let table = Table::read(file)?;
    let mut curves = Vec::new();
    for (column, name) in *columns {
        curves.push((*name, table.curve(column, logarithmic)?));
    }
    if let (Some(optimum), Some((_, first))) = (optimum, curves.first())
        && let (Some(from), Some(to)) = (first.first(), first.last())
    {
        let level = if logarithmic {
            optimum.log10()
        } else {
            optimum
        };
        let line = vec![(from.0, level), (to.0, level)];
        curves.push(("best play", line));
    }
    let mut svg = String::new();
    paint(&mut svg, title, &curves, logarithmic)?;
    let lines = svg.lines().filter(|line| !line.trim().is_empty());
    let svg = lines.collect::<Vec<_>>().join("\n") + "\n";
    Ok(svg.replace("#000000", "currentColor"))
}

fn paint(
    svg: &mut String,
    title: &str,
    curves: &[(&str, Curve)],
    logarithmic: bool,
) -> Result<(), Box<dyn Error>> {
    let page = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    let points = || curves.iter().flat_map(|(_, points)| points);
    let right = points().fold(1.0, |right: f64, point| right.max(point.0));
    let up = if logarithmic {
        LEAST.log10()..0.0
    } else {
        0.0..1.0
    };
    let mut plane = ChartBuilder::on(&page)
        .margin_top(38)
        .margin_left(8)
        .margin_right(24)
        .margin_bottom(6)
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d(1.0..right, up)?;
    let power = |exponent: &f64| match exponent.fract().abs() < 1e-9 {
        true => format!("1e{exponent:.0}"),
        false => String::new(),
    };
    plane
        .configure_mesh()
        .x_labels(8)
        .y_labels(9)
        .disable_x_mesh()
        .bold_line_style(BLACK.mix(0.2))
        .light_line_style(BLACK.mix(0.0))
        .axis_style(BLACK.mix(0.6))
        .label_style(font(12.0, HPos::Center))
        .x_label_formatter(&power)
        .y_label_formatter(&|value| match logarithmic {
            true => power(value),
            false => format!("{value:.1}"),
        })
        .draw()?;
    let text = |words: &str, at: (i32, i32), size, across| {
        page.draw(&Text::new(words.to_owned(), at, font(size, across)))
    };
    text(title, (60, 18), 14.0, HPos::Left)?;
    text("games", (696, 388), 13.0, HPos::Right)?;
    for (number, (name, curve)) in curves.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let path = PathElement::new(curve.clone(), colour.stroke_width(2));
        plane.draw_series([path])?;
        if *name == "exact score of what was learned" {
            let dots = curve
                .iter()
                .map(|point| Circle::new(*point, 3, colour.filled()));
            plane.draw_series(dots)?;
        }
        let y = 110 + 17 * number as i32;
        let ends = vec![(672, y), (690, y)];
        page.draw(&PathElement::new(ends, colour.stroke_width(3)))?;
        text(name, (666, y), 13.0, HPos::Right)?;
    }
    Ok(page.present()?)
}

fn font(size: f64, across: HPos) -> TextStyle<'static> {
    TextStyle {
        // Browsers and plotters interpret font sizes differently.
        font: ("sans-serif", size * 1.24).into_font(),
        color: BLACK.to_backend_color(),
        pos: Pos::new(across, VPos::Center),
    }
}
