//! Curves of mean damage by armour class and of duels, as SVG.
//!
//! Lines and text are `currentColor` and the background is transparent, so that a chart takes the
//! colours of the page that contains it. The text has no blank lines, so Markdown passes it
//! through. For charts of damage distributions, use `Chart` in `oddsmith-dice`.

mod duel;

use std::fmt::Display;
use std::ops::RangeInclusive;

use plotters::prelude::{
    BLACK, ChartBuilder, Color, IntoDrawingArea, IntoFont, PathElement, RGBColor, SVGBackend, Text,
    TextStyle,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};

pub use duel::DuelChart;

use crate::{Error, Turn, dpr_table_f64};

/// The colours of M. Okabe and K. Ito (2008), which are distinguishable with colour vision
/// deficiencies.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0x56, 0xb4, 0xe9),
];

/// With more curves than this, a chart is not readable.
const MOST_BUILDS: usize = 20;

/// The allowed sizes: wide enough for a legend, and no larger than a page.
const PIXELS: RangeInclusive<u32> = 200..=16_384;

/// Browsers and plotters define font sizes differently.
const FONT_FACTOR: f64 = 1.24;

/// A chart of mean damage by armour class, with a curve for each build.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Attack, DprChart};
///
/// let sword = Attack::new("Greatsword")?.to_hit(7).damage("2d6 + 4 slashing".parse()?);
/// let svg = DprChart::new(5..=30)
///     .title("Great Weapon Master")
///     .build("plain", sword.clone())
///     .build("−5/+10", sword.power_attack())
///     .svg()?;
/// assert!(svg.starts_with("<svg") && svg.matches("<polyline").count() >= 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DprChart {
    acs: RangeInclusive<i64>,
    title: String,
    size: (u32, u32),
    builds: Vec<(String, Turn)>,
}

impl DprChart {
    /// Creates a chart over these armour classes, without curves, of 720 × 400 pixels.
    ///
    /// # Examples
    /// ```
    /// assert!(oddsmith_dnd::DprChart::new(5..=30).svg().is_err()); // nothing to draw
    /// ```
    #[must_use]
    pub fn new(acs: RangeInclusive<i64>) -> Self {
        DprChart {
            acs,
            title: String::new(),
            size: (720, 400),
            builds: Vec::new(),
        }
    }

    /// Sets the title.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, DprChart};
    ///
    /// let chart = DprChart::new(5..=30).build("plain", Attack::new("Dagger")?);
    /// assert!(chart.title("Rogues").svg()?.contains("<title>Rogues</title>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Sets the size in pixels, 200 to 16,384 in each direction.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, DprChart};
    ///
    /// let chart = DprChart::new(5..=30).build("slap", Attack::new("Slap")?);
    /// assert!(chart.clone().size(10, 10).svg().is_err());
    /// assert!(chart.size(500, 300).svg()?.contains("width=\"500\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.size = (width, height);
        self
    }

    /// Adds a curve with this name for this turn.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, DprChart};
    ///
    /// let one = DprChart::new(5..=30).build("bare", Attack::new("Fist")?.damage("1".parse()?));
    /// let two = one.clone().build("armed", Attack::new("Club")?.damage("1d4".parse()?));
    /// let lines = |svg: String| svg.matches("<polyline").count();
    /// assert_eq!(lines(two.svg()?) - lines(one.svg()?), 2); // the curve, and its line in the legend
    /// assert!(two.svg()?.contains("armed"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn build(mut self, name: impl Into<String>, turn: impl Into<Turn>) -> Self {
        self.builds.push((name.into(), turn.into()));
        self
    }

    /// Returns the chart as SVG.
    ///
    /// # Errors
    /// [`Error::Plot`] without a curve or with more than 20, and for an impossible size; otherwise
    /// as for [`dpr_table`](crate::dpr_table).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, DprChart};
    ///
    /// let svg = DprChart::new(5..=30).build("slap", Attack::new("Slap")?).svg()?;
    /// assert!(svg.contains("width=\"720\" height=\"400\""));
    /// assert_eq!(svg.matches("\n\n").count(), 0); // Markdown lets it pass
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn svg(&self) -> Result<String, Error> {
        let turns: Vec<Turn> = self.builds.iter().map(|(_, turn)| turn.clone()).collect();
        let picture = Picture {
            size: self.size,
            title: &self.title,
            across: "armour class",
            up: "mean damage a turn",
        };
        picture.check(turns.len())?;
        let table = dpr_table_f64(self.acs.clone(), &turns)?;
        let rows: Vec<f64> = self.acs.clone().map(|ac| ac as f64).collect();
        let columns = table.columns().into_iter().zip(&self.builds);
        let curves = columns.map(|(column, (name, _))| {
            let points = rows.iter().copied().zip(column.iter().copied());
            (name.clone(), points.collect())
        });
        picture.svg(&curves.collect::<Vec<_>>())
    }
}

/// The name and the points of a curve, from left to right.
type Curve = (String, Vec<(f64, f64)>);

/// Curves over a number, which all charts of this crate are.
struct Picture<'a> {
    size: (u32, u32),
    title: &'a str,
    /// The labels of the axes.
    across: &'a str,
    up: &'a str,
}

impl Picture<'_> {
    fn check(&self, curves: usize) -> Result<(), Error> {
        let (width, height) = self.size;
        if curves == 0 || curves > MOST_BUILDS {
            let reason =
                format!("the number of curves must be between 1 and {MOST_BUILDS}, got {curves}");
            return Err(Error::Plot { reason });
        }
        if !PIXELS.contains(&width) || !PIXELS.contains(&height) {
            let (least, most) = (PIXELS.start(), PIXELS.end());
            let reason = format!(
                "width and height must be between {least} and {most} pixels, got {width} x {height}"
            );
            return Err(Error::Plot { reason });
        }
        Ok(())
    }

    fn svg(&self, curves: &[Curve]) -> Result<String, Error> {
        self.check(curves.len())?;
        let (width, height) = self.size;
        let mut drawing = String::new();
        self.draw(curves, &mut drawing)?;
        let inside = drawing.split_once(">\n").map_or("", |(_, inside)| inside);
        let title = self.title.replace('&', "&amp;").replace('<', "&lt;");
        let inside: Vec<&str> = inside
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        Ok(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" style=\"max-width:100%;height:auto\">\n\
             <title>{}</title>\n{}\n",
            title.replace(char::is_control, " "),
            inside.join("\n").replace("#000000", "currentColor")
        ))
    }

    fn draw(&self, curves: &[Curve], drawing: &mut String) -> Result<(), Error> {
        let page = SVGBackend::with_string(drawing, self.size).into_drawing_area();
        let text = |text: &str, at: (i32, i32), size: f64, across: HPos| {
            // An empty text would leave a blank line.
            if text.trim().is_empty() {
                return Ok(());
            }
            let text = text.replace(char::is_control, " ");
            page.draw(&Text::new(text, at, font(size, across)))
                .map_err(refused)
        };
        let points = || curves.iter().flat_map(|(_, points)| points);
        let low = points().fold(f64::INFINITY, |low, point| low.min(point.0));
        let high = points().fold(f64::NEG_INFINITY, |high, point| high.max(point.0));
        let top = points().fold(0.0, |top: f64, point| top.max(point.1));
        let top = if top > 0.0 { top * 1.05 } else { 1.0 };
        text(self.title, (60, 18), 14.0, HPos::Left)?;
        let mut plane = ChartBuilder::on(&page)
            .margin_top(38)
            .margin_left(8)
            .margin_right(24)
            .margin_bottom(6)
            .x_label_area_size(44)
            .y_label_area_size(56)
            .build_cartesian_2d(low..high.max(low + 1.0), 0.0..top)
            .map_err(refused)?;
        let decimals = if top >= 10.0 { 0 } else { 1 };
        plane
            .configure_mesh()
            .x_labels(14)
            .y_labels(6)
            .disable_x_mesh()
            .bold_line_style(BLACK.mix(0.2))
            .light_line_style(BLACK.mix(0.0))
            .axis_style(BLACK.mix(0.6))
            .label_style(font(12.0, HPos::Center))
            .x_label_formatter(&|ac| match ac.fract() == 0.0 {
                true => ac.to_string().replace('-', "−"),
                false => " ".to_owned(),
            })
            .y_label_formatter(&|mean| format!("{mean:.decimals$}"))
            .draw()
            .map_err(refused)?;
        let (right, bottom) = (self.size.0 as i32 - 24, self.size.1 as i32 - 12);
        text(self.across, (right, bottom), 13.0, HPos::Right)?;
        text(self.up, (60, 34), 12.0, HPos::Left)?;
        let colours = COLOURS.iter().cycle();
        for ((name, curve), (row, colour)) in curves.iter().zip((0..).zip(colours)) {
            let path = PathElement::new(curve.clone(), colour.stroke_width(2));
            plane.draw_series([path]).map_err(refused)?;
            let y = 50 + 17 * row;
            let ends = vec![(right - 24, y), (right - 6, y)];
            page.draw(&PathElement::new(ends, colour.stroke_width(3)))
                .map_err(refused)?;
            text(name, (right - 30, y), 13.0, HPos::Right)?;
        }
        page.present().map_err(refused)
    }
}

fn font(size: f64, across: HPos) -> TextStyle<'static> {
    TextStyle {
        font: ("sans-serif", size * FONT_FACTOR).into_font(),
        color: BLACK.to_backend_color(),
        pos: Pos::new(across, VPos::Center),
    }
}

fn refused(error: impl Display) -> Error {
    Error::Plot {
        reason: error.to_string(),
    }
}
