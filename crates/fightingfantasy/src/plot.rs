//! Figures as SVG: maps of victory and policy, curves of victory.
//!
//! What is ink on paper is `currentColor` here and the ground is left clear,
//! so that a figure takes the colours of the page it is put into, light or
//! dark. There is no blank line within, so that Markdown lets it pass.

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

/// Which point of a text is put somewhere.
type Anchor = (HPos, VPos);

/// No figure is larger than this to either side.
const MAX_PIXELS: u32 = 16_384;

/// Browsers and plotters disagree about what a font size is.
const FONT_FACTOR: f64 = 1.24;

fn refused(error: impl std::fmt::Display) -> Error {
    Error::Plot {
        reason: error.to_string(),
    }
}

/// A page of this size as `draw` draws it.
fn figure(
    title: &str,
    (width, height): (u32, u32),
    draw: impl FnOnce(&Page<'_>) -> Result<(), Error>,
) -> Result<String, Error> {
    if width > MAX_PIXELS || height > MAX_PIXELS {
        let reason = format!(
            "it would be {width} x {height} pixels, at most {MAX_PIXELS} are possible: \
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

/// Text in the colour of the page's ink.
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

/// Minus signs as they are printed.
fn signed(number: i64) -> String {
    number.to_string().replace('-', "−")
}
