//! Charts of distributions as SVG.
//!
//! The ink is `currentColor` and the background is transparent, so that a chart takes the colours
//! of the page that contains it, light or dark. There are no blank lines in the SVG, so that it can
//! be embedded in Markdown.

mod series;

use crate::{Dist, Error, Weight};
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{
    BLACK, Cartesian2d, ChartBuilder, ChartContext, Circle, Color, DrawingArea, IntoDrawingArea,
    IntoFont, PathElement, RGBColor, Rectangle, SVGBackend, Text, TextStyle,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use series::{Reading, Series};
use std::fmt::Display;

type Page<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Plane<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Six colours that can be told apart by colour-blind readers, on light and on dark backgrounds (M.
/// Okabe and K. Ito, "Color Universal Design", 2008; without their yellow and black).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0x56, 0xb4, 0xe9),
];

/// The largest number of curves. More could not be told apart.
const MOST_LAWS: usize = 20;

/// The largest width and height of a chart.
const PIXELS: std::ops::RangeInclusive<u32> = 100..=16_384;

/// The ratio of the font sizes of browsers and of plotters.
const FONT_FACTOR: f64 = 1.24;

/// A chart of one distribution or of several overlaid, as SVG. Needs feature `plot`.
///
/// [`pmf`](Chart::pmf) shows the probability of each outcome, as bars for one distribution and as
/// lines for several. [`cdf`](Chart::cdf) shows P(X ≤ x) and [`survival`](Chart::survival) P(X ≥
/// x), as steps. Several distributions get a legend.
///
/// The same distributions give the same text each time. A distribution with many outcomes is
/// thinned out to what the page can show: of the outcomes that share a pixel, a `pmf` shows the
/// most likely one, a `cdf` the last one, and a `survival` chart the first one. In a chart of more
/// than 100 outcomes, ends that are flat at this height are cut off, unless the range is set by
/// [`between`](Chart::between).
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Chart, Dist};
///
/// let svg = Chart::pmf().law("2d6", &Dist::ndice(2, 6)?).title("Two dice & seven").svg()?;
/// assert!(svg.starts_with("<svg xmlns"));
/// assert!(svg.contains("<title>Two dice &amp; seven</title>"));
/// // A bar for each outcome.
/// assert_eq!(svg.matches("<rect ").count(), 11);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    reading: Reading,
    title: String,
    size: (u32, u32),
    between: Option<(i64, i64)>,
    laws: Vec<Series>,
}

impl Chart {
    fn new(reading: Reading) -> Self {
        Chart {
            reading,
            title: String::new(),
            size: (720, 400),
            between: None,
            laws: Vec::new(),
        }
    }

    /// Creates a chart of P(X = x), without distributions yet.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chart, Dist};
    ///
    /// let (two, one) = (Dist::ndice(2, 6)?, Dist::die(12)?);
    /// let svg = Chart::pmf().law("2d6", &two).law("d12", &one).svg()?;
    /// // Dots on lines, and both names.
    /// assert_eq!(svg.matches("<circle ").count(), 11 + 12);
    /// assert!(svg.contains(">\n2d6\n<") && svg.contains(">\nd12\n<"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "bars")]
    pub fn pmf() -> Self {
        Chart::new(Reading::Mass)
    }

    /// Creates a chart of P(X ≤ x), without distributions yet.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chart, Dist};
    ///
    /// let svg = Chart::cdf().law("d2", &Dist::die(2)?).svg()?;
    /// assert!(svg.contains(">\nP(X ≤ x)\n<"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cdf() -> Self {
        Chart::new(Reading::AtMost)
    }

    /// Creates a chart of P(X ≥ x), without distributions yet.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chart, Dist};
    ///
    /// let svg = Chart::survival().law("d2", &Dist::die(2)?).svg()?;
    /// assert!(svg.contains(">\nP(X ≥ x)\n<"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "at_least")]
    pub fn survival() -> Self {
        Chart::new(Reading::AtLeast)
    }

    /// Adds a distribution under its name in the legend.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chart, Dist};
    ///
    /// let roll = Dist::ndice(3, 6)?;
    /// let chart = Chart::cdf().law("exact", &roll).law("float", &roll.to_f64());
    /// assert_eq!(chart.svg()?.matches("<polyline ").count() % 2, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn law<T, W>(mut self, name: impl Display, law: &Dist<T, W>) -> Self
    where
        T: Copy + Into<i64>,
        W: Weight,
    {
        let law = Series::new(name.to_string(), law, self.reading);
        self.laws.push(law);
        self
    }

    /// Sets the line above the chart.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chart, Dist};
    ///
    /// let chart = Chart::pmf().law("d6", &Dist::die(6)?).title("3 < 4");
    /// assert_eq!(chart.svg()?.matches("3 &lt; 4").count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Sets the width and height in pixels, each from 100 to 16,384. The default is 720 × 400. A
    /// page may scale the chart down to its own width.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chart, Dist};
    ///
    /// let chart = Chart::pmf().law("d6", &Dist::die(6)?).size(300, 200);
    /// assert!(chart.svg()?.contains("viewBox=\"0 0 300 200\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.size = (width, height);
        self
    }

    /// Shows the outcomes from `low` to `high` only.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chart, Dist};
    ///
    /// let chart = Chart::pmf().law("2d6", &Dist::ndice(2, 6)?).between(6, 8);
    /// assert_eq!(chart.svg()?.matches("<rect ").count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn between(mut self, low: i64, high: i64) -> Self {
        self.between = Some((low, high));
        self
    }

    /// Returns the chart as SVG.
    ///
    /// # Errors
    ///
    /// [`Error::Plot`] without distributions or with more than 20, for a size that is not allowed,
    /// and for a range that contains no outcome.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chart, Dist};
    ///
    /// assert!(Chart::pmf().svg().is_err());
    /// let svg = Chart::pmf().law("1000d6", &Dist::ndice(1000, 6)?).svg()?;
    /// // 5,001 outcomes on 600 pixels.
    /// assert!(svg.matches("<rect ").count() < 600 && svg.len() < 100_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn svg(&self) -> Result<String, Error> {
        let (width, height) = self.size;
        if self.laws.is_empty() || self.laws.len() > MOST_LAWS {
            let laws = self.laws.len();
            return Err(refused(format!(
                "the number of distributions must be between 1 and {MOST_LAWS}, got {laws}"
            )));
        }
        if !PIXELS.contains(&width) || !PIXELS.contains(&height) {
            let (least, most) = (PIXELS.start(), PIXELS.end());
            return Err(refused(format!(
                "width and height must be between {least} and {most} pixels, got {width} x {height}"
            )));
        }
        let mut drawing = String::new();
        {
            let page = SVGBackend::with_string(&mut drawing, (width, height)).into_drawing_area();
            self.draw(&page)?;
            page.present().map_err(refused)?;
        }
        let inside = drawing.split_once(">\n").map_or("", |(_, inside)| inside);
        Ok(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" style=\"max-width:100%;height:auto\">\n\
             <title>{}</title>\n{}",
            escaped(&self.title),
            without_empty_text(inside).replace("#000000", "currentColor")
        ))
    }

    fn draw(&self, page: &Page<'_>) -> Result<(), Error> {
        let (low, high) = self.between.unwrap_or_else(|| series::range(&self.laws));
        let columns = self.size.0.saturating_sub(110).max(20);
        let laws: Vec<Series> = self
            .laws
            .iter()
            .map(|law| {
                law.within(low, high)
                    .thinned(self.reading, columns as usize)
            })
            .collect();
        if laws.iter().all(|law| law.points.is_empty()) {
            return Err(refused(format!("there is no outcome from {low} to {high}")));
        }
        let top = match self.reading {
            Reading::Mass => series::highest(&laws) * 1.05,
            Reading::AtMost | Reading::AtLeast => 1.0,
        };
        write(
            page,
            &self.title,
            (60, 18),
            14.0,
            (HPos::Left, VPos::Center),
        )?;
        let edge = 0.5 * series::gap(&laws);
        // Gaps narrower than a pixel would appear and disappear along the axis.
        let dense = (high as f64 - low as f64) > 0.2 * f64::from(columns) * 2.0 * edge;
        let half = if dense { edge } else { 0.8 * edge };
        let mut plane = ChartBuilder::on(page)
            .margin_top(38)
            .margin_left(8)
            .margin_right(24)
            .margin_bottom(6)
            .x_label_area_size(44)
            .y_label_area_size(56)
            .build_cartesian_2d(low as f64 - edge..high as f64 + edge, 0.0..top)
            .map_err(refused)?;
        let decimals = decimals(top);
        plane
            .configure_mesh()
            .x_labels(12)
            .y_labels(6)
            .disable_x_mesh()
            .bold_line_style(BLACK.mix(0.2))
            .light_line_style(BLACK.mix(0.0))
            .axis_style(BLACK.mix(0.6))
            .label_style(font(12.0, BLACK, HPos::Center, VPos::Center))
            .x_label_formatter(&|x| match x.fract() == 0.0 {
                true => x.to_string().replace('-', "−"),
                false => String::new(),
            })
            .y_label_formatter(&|p| format!("{:.decimals$} %", p * 100.0))
            .draw()
            .map_err(refused)?;
        let axis = (self.size.0 as i32 - 24, self.size.1 as i32 - 12);
        let name = self.reading.name();
        write(page, name, axis, 13.0, (HPos::Right, VPos::Center))?;
        for (law, &colour) in laws.iter().zip(COLOURS.iter().cycle()) {
            match self.reading {
                Reading::Mass if laws.len() == 1 => bars(&mut plane, law, half, colour)?,
                Reading::Mass => line(&mut plane, law, law.points.clone(), colour, true)?,
                _ => {
                    let ends = (low as f64 - edge, high as f64 + edge);
                    line(
                        &mut plane,
                        law,
                        law.steps(self.reading, ends),
                        colour,
                        false,
                    )?;
                }
            }
        }
        if self.laws.len() > 1 {
            self.legend(page)?;
        }
        Ok(())
    }

    /// Draws a line for each distribution, where the curves of this reading are low or come last.
    fn legend(&self, page: &Page<'_>) -> Result<(), Error> {
        let right = self.size.0 as i32 - 30;
        let (x, anchor, side) = match self.reading {
            Reading::AtMost => (94, HPos::Left, -1),
            Reading::Mass | Reading::AtLeast => (right - 24, HPos::Right, 1),
        };
        for ((law, &colour), row) in self.laws.iter().zip(COLOURS.iter().cycle()).zip(0..) {
            let y = 50 + 17 * row;
            let ends = vec![(x + side * 6, y), (x + side * 24, y)];
            page.draw(&PathElement::new(ends, colour.stroke_width(3)))
                .map_err(refused)?;
            write(page, &law.name, (x, y), 13.0, (anchor, VPos::Center))?;
        }
        Ok(())
    }
}

fn bars(plane: &mut Plane<'_, '_>, law: &Series, half: f64, colour: RGBColor) -> Result<(), Error> {
    let bar =
        |&(x, p): &(f64, f64)| Rectangle::new([(x - half, 0.0), (x + half, p)], colour.filled());
    plane
        .draw_series(law.points.iter().map(bar))
        .map_err(refused)?;
    Ok(())
}

/// The largest number of points with dots; more would touch.
const DOTS: usize = 60;

fn line(
    plane: &mut Plane<'_, '_>,
    law: &Series,
    points: Vec<(f64, f64)>,
    colour: RGBColor,
    dots: bool,
) -> Result<(), Error> {
    let path = PathElement::new(points, colour.stroke_width(2));
    plane.draw_series([path]).map_err(refused)?;
    if dots && law.points.len() <= DOTS {
        let dot = |&point: &(f64, f64)| Circle::new(point, 3, colour.filled());
        plane
            .draw_series(law.points.iter().map(dot))
            .map_err(refused)?;
    }
    Ok(())
}

/// The number of decimals of percentages on an axis that ends here.
fn decimals(top: f64) -> usize {
    let percents = top * 100.0;
    if percents >= 10.0 {
        0
    } else if percents >= 1.0 {
        1
    } else {
        (-percents.log10()).ceil().clamp(0.0, 20.0) as usize + 1
    }
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
    text: &str,
    at: (i32, i32),
    size: f64,
    (across, along): (HPos, VPos),
) -> Result<(), Error> {
    if text.is_empty() {
        return Ok(());
    }
    // The text stays on one line.
    let text = text.replace(char::is_control, " ");
    let style = font(size, BLACK, across, along);
    page.draw(&Text::new(text, at, style)).map_err(refused)
}

fn refused(error: impl Display) -> Error {
    Error::Plot {
        reason: error.to_string(),
    }
}

/// Removes the empty elements, of three lines each, that marks of an axis between whole numbers
/// have for their labels.
fn without_empty_text(drawing: &str) -> String {
    let mut kept = String::with_capacity(drawing.len());
    let mut lines = drawing.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("<text") && lines.next_if(|text| text.trim().is_empty()).is_some() {
            lines.next();
        } else {
            kept.extend([line, "\n"]);
        }
    }
    kept
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace(char::is_control, " ")
}
