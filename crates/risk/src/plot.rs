//! Figures as SVG: contours and surfaces of tables.
//!
//! The SVG is written directly: a contour is one path, a surface has one polygon per cell. Lines
//! and text are `currentColor` and the background is transparent, so that a figure takes the
//! colours of the page that contains it, light or dark. The text has no blank lines, so Markdown
//! passes it through.

mod contour;
mod surface;

use std::fmt::Write;

use ndarray::Array2;

use crate::Error;

pub use contour::ContourPlot;
pub use surface::SurfacePlot;

/// With more cells than this, a figure is not readable any more.
const MOST_CELLS: usize = 1 << 15;

/// Samples of viridis, from dark to light, which are distinguishable also with colour vision
/// deficiencies.
const COLOURS: [[f64; 3]; 5] = [
    [68.0, 1.0, 84.0],
    [59.0, 82.0, 139.0],
    [33.0, 145.0, 140.0],
    [94.0, 201.0, 98.0],
    [253.0, 231.0, 37.0],
];

/// The number of steps of colour.
const SHADES: f64 = 40.0;

/// A drawing under construction.
struct Drawing {
    width: f64,
    height: f64,
    title: String,
    inside: String,
}

#[derive(Clone, Copy)]
enum Anchor {
    Start,
    Middle,
    End,
}

impl Drawing {
    fn new(width: f64, height: f64, title: &str) -> Self {
        let mut drawing = Drawing {
            width,
            height,
            title: escaped(title),
            inside: String::new(),
        };
        if !title.is_empty() {
            drawing.text((20.0, 24.0), 14.0, Anchor::Start, title);
        }
        drawing
    }

    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.inside.write_fmt(element);
        self.inside.push('\n');
    }

    fn text(&mut self, (x, y): (f64, f64), size: f64, anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escaped(text);
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" \
             fill=\"currentColor\">{text}</text>"
        ));
    }

    /// Draws a line along these points in the text colour of the page.
    fn line(&mut self, points: &[(f64, f64)], width: f64) {
        let path = path(points);
        self.add(format_args!(
            "<path d=\"{path}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"{width}\"/>"
        ));
    }

    fn svg(self) -> String {
        let Drawing {
            width,
            height,
            title,
            inside,
        } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"sans-serif\" \
             style=\"max-width:100%;height:auto\">\n<title>{title}</title>\n{inside}</svg>\n"
        )
    }
}

fn path(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (number, (x, y)) in points.iter().enumerate() {
        let step = if number == 0 { 'M' } else { 'L' };
        // Writing to a string does not fail.
        let _ = write!(path, "{step}{x:.1} {y:.1}");
    }
    path
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace(char::is_control, " ")
}

/// Returns the colour of a share of the scale, in steps.
fn colour(share: f64) -> String {
    let share = (share.clamp(0.0, 1.0) * SHADES).round() / SHADES;
    let place = share * (COLOURS.len() - 1) as f64;
    let below = (place as usize).min(COLOURS.len() - 2);
    let part = place - below as f64;
    let mix = |channel: usize| {
        let (low, high) = (COLOURS[below][channel], COLOURS[below + 1][channel]);
        (low + part * (high - low)).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

/// The values of a table that a figure can show.
#[derive(Clone, Debug, PartialEq)]
struct Field {
    values: Array2<f64>,
    /// The values at the ends of the colour scale.
    scale: (f64, f64),
}

impl Field {
    /// # Errors
    /// [`Error::Plot`] if a figure cannot show them.
    fn new(values: Array2<f64>) -> Result<Self, Error> {
        let (rows, columns) = values.dim();
        if rows < 2 || columns < 2 {
            return Err(Error::Plot {
                reason: format!("a surface needs at least 2 x 2 values, got {rows} x {columns}"),
            });
        }
        if rows.saturating_mul(columns) > MOST_CELLS {
            return Err(Error::Plot {
                reason: format!("{rows} x {columns} cells exceed the limit of {MOST_CELLS}"),
            });
        }
        if let Some(value) = values.iter().find(|value| !value.is_finite()) {
            return Err(Error::Plot {
                reason: format!("values must be finite, got {value}"),
            });
        }
        let (low, high) = values
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| {
                (low.min(value), high.max(value))
            });
        let scale = match low >= 0.0 && high <= 1.0 {
            true => (0.0, 1.0),
            false => (low, high),
        };
        Ok(Field { values, scale })
    }

    /// Leaves out row and column 0, where battles are over.
    fn of_matrix(matrix: &Array2<f64>) -> Result<Self, Error> {
        let (rows, columns) = matrix.dim();
        let shape = (rows.saturating_sub(1), columns.saturating_sub(1));
        if shape.0 < 2 || shape.1 < 2 {
            return Err(Error::Plot {
                reason: format!(
                    "row and column 0 of a matrix are left out, since battles are over there, so \
                     it needs at least 3 x 3 entries; got {rows} x {columns}"
                ),
            });
        }
        // Before a large table is copied.
        if shape.0.saturating_mul(shape.1) > MOST_CELLS {
            return Err(Error::Plot {
                reason: format!(
                    "{} x {} cells exceed the limit of {MOST_CELLS}",
                    shape.0, shape.1
                ),
            });
        }
        Field::new(Array2::from_shape_fn(shape, |(row, column)| {
            matrix[[row + 1, column + 1]]
        }))
    }

    fn share(&self, value: f64) -> f64 {
        let (low, high) = self.scale;
        // Halved, because the range of two finite numbers may not be finite.
        match high > low {
            true => (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0),
            false => 0.5,
        }
    }

    /// Writes chances as percent, other numbers as they are, to five digits of the largest one.
    fn label(&self, value: f64) -> String {
        let (low, high) = self.scale;
        let (value, largest, unit) = match self.scale == (0.0, 1.0) {
            true => (100.0 * value, 100.0, " %"),
            false => (value, low.abs().max(high.abs()), ""),
        };
        let digits = 4 - largest.log10().floor() as i32;
        let text = match (-4..=8).contains(&digits) {
            true => {
                let decimals = digits.max(0) as usize;
                let text = format!("{value:.decimals$}");
                match text.contains('.') {
                    true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
                    false => text,
                }
            }
            false => format!("{value:.4e}"),
        };
        match value == 0.0 || text.chars().all(|c| matches!(c, '-' | '0' | '.')) {
            true => format!("0{unit}"),
            false => format!("{text}{unit}").replace('-', "−"),
        }
    }
}

/// Returns numbers of an axis, spaced so that about ten are left.
fn ticks(count: usize) -> impl Iterator<Item = usize> {
    let every = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 5000];
    let every = every.into_iter().find(|every| count <= 12 * every);
    let every = every.unwrap_or(10_000);
    (1..=count).filter(move |number| number % every == 0 || (every > 1 && *number == 1))
}
