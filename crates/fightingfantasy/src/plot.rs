//! Figures as SVG: maps of victory and policy, and curves of victory.
//!
//! The ink is `currentColor` and the background is transparent, so that a figure takes the colours
//! of the page that contains it, light or dark. There are no blank lines in the SVG, so that it can
//! be embedded in Markdown.

mod compact;
mod curves;
mod map;

use plotters::coord::Shift;
use plotters::prelude::{
    BLACK, Color, DrawingArea, IntoDrawingArea, IntoFont, RGBColor, SVGBackend, Text, TextStyle,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::Error;

pub use curves::StaminaCurves;
pub use map::VictoryMap;

/// The part of the page that is drawn on, in pixels.
type Page<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The point of a text that is placed at a position.
type Anchor = (HPos, VPos);

/// The largest width and height of a figure.
const MAX_PIXELS: u32 = 16_384;

/// The ratio of the font sizes of browsers and of plotters.
const FONT_FACTOR: f64 = 1.24;

fn refused(error: impl std::fmt::Display) -> Error {
    Error::Plot {
        reason: error.to_string(),
    }
}

/// Creates a page of this size and lets `draw` draw on it.
fn figure(
    title: &str,
    (width, height): (u32, u32),
    draw: impl FnOnce(&Page<'_>) -> Result<(), Error>,
) -> Result<String, Error> {
    if width > MAX_PIXELS || height > MAX_PIXELS {
        let reason = format!(
            "width and height must be at most {MAX_PIXELS} pixels, got {width} x {height}; \
             use smaller or fewer panels"
        );
        return Err(Error::Plot { reason });
    }
    let mut svg = String::new();
    {
        let page = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        draw(&page)?;
        page.present().map_err(refused)?;
    }
    compact::compact(&svg, title)
}

fn font(size: f64, colour: RGBColor, across: HPos, along: VPos) -> TextStyle<'static> {
    TextStyle {
        font: ("sans-serif", size * FONT_FACTOR).into_font(),
        color: colour.to_backend_color(),
        pos: Pos::new(across, along),
    }
}

/// Writes text in the colour of the page's ink.
fn write(
    page: &Page<'_>,
    text: impl Into<String>,
    at: (i32, i32),
    size: f64,
    (across, along): Anchor,
) -> Result<(), Error> {
    let style = font(size, BLACK, across, along);
    page.draw(&Text::new(text.into(), at, style))
        .map_err(refused)
}

/// The number with a typographic minus sign.
fn signed(number: i64) -> String {
    number.to_string().replace('-', "−")
}
