//! Maps of victory and policy, with a panel for each SKILL difference and LUCK.

use plotters::prelude::{BLACK, PathElement, RGBColor, Rectangle, Text};
use plotters::style::Color;
use plotters::style::text_anchor::{HPos, VPos};

use super::{Anchor, MAX_PIXELS, Page, figure, font, refused, write};
use crate::chart::{level, short};
use crate::objective::Measure;
use crate::{Advantage, Error, Extent, HeatMap, LuckTable, Rules};

/// One shade for every 5 %. The edges between shades are contours, and neighbouring cells of one
/// shade are drawn as one stroke.
const SHADES: usize = 20;

/// Letters are black on colours above this lightness, and white below.
const LIGHT: f64 = 0.5;

/// The least gap between two panels.
const LEAST_GAP: u32 = 8;

const WHITE_LETTER: RGBColor = RGBColor(255, 255, 255);
/// Not quite black, since black would follow the colour of the page.
const BLACK_LETTER: RGBColor = RGBColor(16, 16, 16);

/// Panels of chances of victory and policies, as SVG: as in the paper's Fig. 4 (few large ones) and
/// Supplementary Fig. 6 (a column for each LUCK and a row for each SKILL difference).
///
/// The hero's STAMINA grows to the right, and the foe's upwards. The colour of a cell is the chance
/// of victory, or the worth by another [objective](crate::Objective). Its number is the
/// [label](crate::Decision::label) of the decision on LUCK. The colours are those of viridis, which
/// keep their order for colour-blind readers and in grey.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Extent, Rules, VictoryMap};
///
/// let map = VictoryMap::optimal(&Rules::standard(), [-3, 0], [12, 6], Extent::default())?;
/// let svg = map.svg()?;
/// assert!(svg.starts_with("<svg xmlns"));
/// assert_eq!(svg.matches("SKILL difference −3, LUCK 12").count(), 1);
/// assert_eq!(svg.lines().filter(|line| line.is_empty()).count(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct VictoryMap {
    rows: Vec<Vec<HeatMap>>,
    cell: u8,
}

impl VictoryMap {
    /// Creates a figure without panels, for any [`row`](VictoryMap::row)s.
    ///
    /// # Examples
    /// Never using LUCK beside always using it:
    /// ```
    /// use oddsmith_fightingfantasy::{Decision, Extent, HeatMap, LuckTable, Rules, VictoryMap};
    ///
    /// let rules = Rules::standard();
    /// let panel = |label| {
    ///     let decision = Decision::from_label(label).unwrap_or_default();
    ///     let table = LuckTable::of_policy(&rules, 0, Extent::default(), |_, _, _| decision)?;
    ///     HeatMap::of_table(&table, 9)
    /// };
    /// let svg = VictoryMap::new().row([panel(' ')?.title("never"), panel('1')?.title("always")]).svg()?;
    /// // 24 x 24 numbers in the second panel.
    /// assert_eq!(svg.matches(">1</").count(), 576);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new() -> Self {
        VictoryMap {
            rows: Vec::new(),
            cell: 12,
        }
    }

    /// Creates the maps of the optimal policy by `rules`, with a row of panels for each SKILL
    /// difference and a panel in it for each LUCK, both in the given order.
    ///
    /// # Errors
    /// Those of [`LuckTable::optimal`], [`Error::OutsideTable`] if a LUCK is beyond the extent, and
    /// [`Error::Plot`] for more panels beside or above each other than a figure has room for at any
    /// size of their cells.
    ///
    /// # Examples
    /// All of Supplementary Fig. 6:
    /// ```
    /// use oddsmith_fightingfantasy::{Extent, Rules, VictoryMap};
    /// let all = VictoryMap::optimal(&Rules::standard(), -10..=10, 0..=12, Extent::default())?;
    /// let svg = all.cell(4).svg()?;
    /// assert_eq!(svg.matches("SKILL difference").count(), 21 * 13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn optimal(
        rules: &Rules,
        skill_differences: impl IntoIterator<Item = i64>,
        lucks: impl IntoIterator<Item = u16>,
        extent: Extent,
    ) -> Result<Self, Error> {
        // The iterators may be endless.
        let most = most_panels(extent.hero);
        let lucks: Vec<u16> = lucks.into_iter().take(most + 1).collect();
        few_enough("LUCKs", lucks.len(), most)?;
        let mut figure = VictoryMap::new();
        for difference in skill_differences {
            let most = most_panels(extent.foe);
            few_enough("SKILL differences", figure.rows.len() + 1, most)?;
            let table = LuckTable::optimal(rules, difference, extent, Advantage::Strict)?;
            let panels = lucks.iter().map(|&luck| HeatMap::of_table(&table, luck));
            figure.rows.push(panels.collect::<Result<_, Error>>()?);
        }
        Ok(figure)
    }

    /// Adds a row of panels below the others.
    ///
    /// # Examples
    /// Two panels above one:
    /// ```
    /// use oddsmith_fightingfantasy::{Decision, HeatMap, VictoryMap};
    /// let coin = HeatMap::from_fn(2, 2, |_, _| Ok((0.5, Decision::default())))?.title("coin");
    /// let figure = VictoryMap::new().row([coin.clone(), coin.clone()]).row([coin]);
    /// assert_eq!(figure.svg()?.matches(">coin</text>").count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn row(mut self, panels: impl IntoIterator<Item = HeatMap>) -> Self {
        // The iterator may be endless; one panel too many is refused by its width.
        let panels = panels.into_iter().take(most_panels(1) + 1);
        self.rows.push(panels.collect());
        self
    }

    /// Sets the width and height of a cell in pixels. The default is 12; 4 is enough where the
    /// picture can be magnified. Below 4 the numbers are omitted, and 0 makes
    /// [`svg`](VictoryMap::svg) return an error.
    ///
    /// # Examples
    /// The numbers are omitted where there is no room for them:
    /// ```
    /// use oddsmith_fightingfantasy::{Decision, HeatMap, VictoryMap};
    /// let always = Decision::from_label('1').unwrap_or_default();
    /// let map = VictoryMap::new().row([HeatMap::from_fn(5, 4, |_, _| Ok((0.5, always)))?]);
    /// assert_eq!(map.clone().cell(4).svg()?.matches(">1</").count(), 20);
    /// assert_eq!(map.cell(3).svg()?.matches(">1</").count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cell(mut self, pixels: u8) -> Self {
        self.cell = pixels;
        self
    }

    /// Returns the figure as SVG, which is the same text each time. Its background is transparent,
    /// and its ink is `currentColor`.
    ///
    /// # Errors
    /// [`Error::Plot`] if there is no panel, if cells have no size, or if the figure would be wider
    /// or higher than 16,384 pixels.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Decision, HeatMap, Objective, VictoryMap};
    /// let coin = HeatMap::from_fn(1, 1, |_, _| Ok((0.5, Decision::default())))?;
    /// let alive = VictoryMap::new().row([coin.objective(&Objective::survival())]);
    /// assert!(alive.svg()?.contains("<title>Chance of survival and when to use LUCK"));
    /// assert!(VictoryMap::new().svg().is_err()); // no panel
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn svg(&self) -> Result<String, Error> {
        let panels = || self.rows.iter().flatten();
        if panels().next().is_none() || self.cell == 0 {
            let reason = "a map needs at least 1 panel, and its cells at least 1 pixel";
            return Err(refused(reason));
        }
        let scales = panels().map(HeatMap::scale);
        let scale = scales.fold((0.0_f64, 1.0_f64), |(low, high), (l, h)| {
            (low.min(l), high.max(h))
        });
        let measure = self.measure(scale);
        let layout = Layout::new(self, measure);
        let Measure { name, chance } = measure;
        let what = match chance {
            true => format!("Chance of {name}"),
            false if measure == Measure::WORTH => "Worth".to_owned(),
            false => name.to_owned(),
        };
        let title = format!("{what} and when to use LUCK, by the STAMINA of hero and foe");
        figure(&title, layout.size(), |page| {
            let mut cells = Cells::new(scale);
            let mut top = layout.above;
            for (row, panels) in self.rows.iter().enumerate() {
                let mut left = layout.left;
                for (column, panel) in panels.iter().enumerate() {
                    let outer = (column == 0, row + 1 == self.rows.len());
                    layout.draw_panel(page, panel, (left as i32, top as i32), outer, &mut cells)?;
                    left += layout.widths[column] + layout.between.0;
                }
                top += layout.heights[row] + layout.between.1;
            }
            layout.draw_scale(page, scale, &mut cells)?;
            layout.draw_key(page)?;
            cells.draw(page, layout.cell)
        })
    }

    /// What the colours stand for: the measure of all panels, if it is the same.
    fn measure(&self, scale: (f64, f64)) -> Measure {
        let mut measures = self.rows.iter().flatten().map(|panel| panel.measure(scale));
        let first = measures.next().unwrap_or(Measure::WORTH);
        match measures.all(|measure| measure == first) {
            true => first,
            false => Measure::WORTH,
        }
    }
}

/// How many panels over so many STAMINAs may fit beside each other, with cells of one pixel.
fn most_panels(stamina: u16) -> usize {
    (MAX_PIXELS / (u32::from(stamina) + LEAST_GAP)) as usize
}

fn few_enough(what: &str, given: usize, most: usize) -> Result<(), Error> {
    match given > most {
        true => Err(refused(format!(
            "more than {most} {what} do not fit into one figure; draw several"
        ))),
        false => Ok(()),
    }
}

impl Default for VictoryMap {
    fn default() -> Self {
        VictoryMap::new()
    }
}

/// The positions of everything, in pixels.
struct Layout {
    cell: u32,
    /// The width of each column and the height of each row of panels.
    widths: Vec<u32>,
    heights: Vec<u32>,
    left: u32,
    above: u32,
    /// The gaps between columns and between rows.
    between: (u32, u32),
    /// The font size of axis numbers and panel titles.
    font: f64,
    /// The font size of texts that appear once.
    large: f64,
    /// Whether all panels have the same size; otherwise each has its own axis numbers.
    alike: bool,
    measure: Measure,
}

impl Layout {
    fn new(map: &VictoryMap, measure: Measure) -> Self {
        let cell = u32::from(map.cell);
        let width = |panel: &HeatMap| u32::from(panel.size().0) * cell;
        let height = |panel: &HeatMap| u32::from(panel.size().1) * cell;
        let columns = map.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widest = |column: usize| {
            let panels = map.rows.iter().filter_map(|row| row.get(column));
            panels.map(width).max().unwrap_or(0)
        };
        let highest = |row: &Vec<HeatMap>| row.iter().map(height).max().unwrap_or(0);
        let mut sizes = map.rows.iter().flatten().map(HeatMap::size);
        let first = sizes.next();
        let alike = sizes.all(|size| Some(size) == first);
        let font = (f64::from(cell) * 0.9).clamp(6.0, 12.0);
        let large = 13.0;
        let line = font as u32;
        let between = if alike {
            (line + 2, 2 * line + 4)
        } else {
            (4 * line, 4 * line)
        };
        Layout {
            cell,
            widths: (0..columns).map(widest).collect(),
            heights: map.rows.iter().map(highest).collect(),
            left: 24 + 2 * line,
            above: 22.max(4 + 2 * line),
            between,
            font,
            large,
            alike,
            measure,
        }
    }

    fn inner(&self) -> (u32, u32) {
        let gaps = |lengths: &[u32], gap: u32| {
            let sum = lengths.iter().fold(0_u32, |sum, &l| sum.saturating_add(l));
            sum.saturating_add(gap.saturating_mul(lengths.len().saturating_sub(1) as u32))
        };
        (
            gaps(&self.widths, self.between.0),
            gaps(&self.heights, self.between.1),
        )
    }

    /// The bottom of all panels.
    fn below(&self) -> u32 {
        self.above.saturating_add(self.inner().1)
    }

    fn size(&self) -> (u32, u32) {
        // On the right: the scale with its numbers and its name.
        let name = 0.6 * (self.large - 1.0) * self.measure.name.chars().count() as f64;
        let right = 74.max(24 + name as u32);
        let width = self
            .left
            .saturating_add(self.inner().0)
            .saturating_add(right);
        // Below: the numbers and the name of the axis, and the key.
        (width, self.below().saturating_add(62))
    }

    fn draw_panel(
        &self,
        page: &Page<'_>,
        panel: &HeatMap,
        (left, top): (i32, i32),
        (first, last): (bool, bool),
        cells: &mut Cells,
    ) -> Result<(), Error> {
        let (hero, foe) = panel.size();
        let cell = self.cell as i32;
        let (right, foot) = (left + i32::from(hero) * cell, top + i32::from(foe) * cell);
        let corner = |hero: i32, foe: i32| (left + (hero - 1) * cell, foot - foe * cell);
        cells.add(panel, cell, corner);
        cells.frames.push([(left, top), (right, foot)]);

        let title = with_minus(panel.title_text());
        let room = f64::from(right - left) / (0.56 * title.chars().count().max(1) as f64);
        let over = ((left + right) / 2, top - 4);
        write(
            page,
            title,
            over,
            room.min(self.font + 1.0),
            (HPos::Center, VPos::Bottom),
        )?;

        let gap = (self.font / 3.0) as i32;
        let every = tick_distance(cell, self.font);
        if last || !self.alike {
            let ticks = Ticks::new(page, self.font, (HPos::Center, VPos::Top));
            for stamina in (every..=i32::from(hero)).step_by(every as usize) {
                let x = corner(stamina, 0).0 + cell / 2;
                ticks.draw((x, foot), (x, foot + gap), stamina)?;
            }
            if last {
                let middle = ((left + right) / 2, foot + gap + self.font as i32 + 8);
                let text = if self.cell >= 8 {
                    "hero’s STAMINA"
                } else {
                    "hero"
                };
                let size = self.large.min(self.font + 1.0);
                write(page, text, middle, size, (HPos::Center, VPos::Top))?;
            }
        }
        if first || !self.alike {
            let ticks = Ticks::new(page, self.font, (HPos::Right, VPos::Center));
            for stamina in (every..=i32::from(foe)).step_by(every as usize) {
                let y = corner(0, stamina).1 + cell / 2;
                ticks.draw((left, y), (left - gap, y), stamina)?;
            }
            if first {
                let middle = (left - gap - self.font as i32 * 2 - 8, (top + foot) / 2);
                let text = if self.cell >= 8 {
                    "foe’s STAMINA"
                } else {
                    "foe"
                };
                let size = self.large.min(self.font + 1.0);
                let style = font(size, BLACK, HPos::Center, VPos::Center)
                    .transform(plotters::style::FontTransform::Rotate270);
                page.draw(&Text::new(text, middle, style))
                    .map_err(refused)?;
            }
        }
        Ok(())
    }

    /// Draws the column of colours on the right, with its numbers.
    fn draw_scale(
        &self,
        page: &Page<'_>,
        (low, high): (f64, f64),
        cells: &mut Cells,
    ) -> Result<(), Error> {
        let step = (self.inner().1.min(320) / SHADES as u32).max(2) as i32;
        let left = (self.left + self.inner().0) as i32 + 16;
        let top = self.above as i32;
        let foot = top + step * SHADES as i32;
        for shade in 0..SHADES {
            let y = foot - step * (shade as i32 + 1);
            let corners = [(left, y), (left + 14, y + step)];
            cells.runs[shade].push(corners);
        }
        let ticks = Ticks::new(page, self.large - 2.0, (HPos::Left, VPos::Center));
        for quarter in 0..=4 {
            let y = foot - (foot - top) * quarter / 4;
            // The difference of both may be beyond all floats.
            let quarter = f64::from(quarter) / 4.0;
            let value = low * (1.0 - quarter) + high * quarter;
            let text = match self.measure.chance {
                true => format!("{} %", value * 100.0),
                false => short(value),
            };
            ticks.draw((left + 14, y), (left + 18, y), text)?;
        }
        write(
            page,
            self.measure.name,
            (left, top - 7),
            self.large - 1.0,
            (HPos::Left, VPos::Bottom),
        )
    }

    /// Draws the meaning of the numbers, below everything else.
    fn draw_key(&self, page: &Page<'_>) -> Result<(), Error> {
        let at = (self.left as i32, self.below() as i32 + 52);
        let key = "use LUCK after: 1 won and lost rounds · 2 lost rounds · 3 won rounds · no number: none";
        let room = f64::from(self.inner().0 + 60) / (0.5 * key.len() as f64);
        write(
            page,
            key,
            at,
            self.large.min(room),
            (HPos::Left, VPos::Center),
        )
    }
}

/// The cells of all panels, sorted by appearance: each shade is drawn as one path, and letters are
/// white or black.
struct Cells {
    scale: (f64, f64),
    runs: Vec<Vec<[(i32, i32); 2]>>,
    /// The centres and labels of the white letters and of the black ones.
    letters: [Vec<((i32, i32), char)>; 2],
    /// The frame around each panel, drawn above its cells.
    frames: Vec<[(i32, i32); 2]>,
}

impl Cells {
    fn new(scale: (f64, f64)) -> Self {
        Cells {
            scale,
            runs: vec![Vec::new(); SHADES],
            letters: [Vec::new(), Vec::new()],
            frames: Vec::new(),
        }
    }

    fn add(&mut self, panel: &HeatMap, cell: i32, corner: impl Fn(i32, i32) -> (i32, i32)) {
        for (foe, cells) in panel.rows() {
            let foe = i32::from(foe);
            let shades: Vec<usize> = cells
                .iter()
                .map(|cell| level(cell.value, self.scale, SHADES))
                .collect();
            let mut hero = 1;
            for run in shades.chunk_by(|a, b| a == b) {
                let end = hero + run.len() as i32;
                let (from, (right, _)) = (corner(hero, foe), corner(end, foe));
                self.runs[run[0]].push([from, (right, from.1 + cell)]);
                hero = end;
            }
            for ((hero, drawn), shade) in (1..).zip(cells).zip(shades) {
                let label = drawn.decision.label();
                if label != ' ' {
                    let light = usize::from(lightness(shade_colour(shade)) > LIGHT);
                    let (x, y) = corner(hero, foe);
                    self.letters[light].push(((x + cell / 2, y + cell / 2), label));
                }
            }
        }
    }

    fn draw(self, page: &Page<'_>, cell: u32) -> Result<(), Error> {
        for (shade, rectangles) in self.runs.into_iter().enumerate() {
            for corners in rectangles {
                let filled = Rectangle::new(corners, shade_colour(shade).filled());
                page.draw(&filled).map_err(refused)?;
            }
        }
        for corners in self.frames {
            let frame = Rectangle::new(corners, BLACK.mix(0.6));
            page.draw(&frame).map_err(refused)?;
        }
        if cell < 4 {
            return Ok(());
        }
        let size = f64::from(cell) * 0.85;
        for (colour, letters) in [WHITE_LETTER, BLACK_LETTER].into_iter().zip(self.letters) {
            let style = font(size, colour, HPos::Center, VPos::Center);
            for (middle, label) in letters {
                let text = Text::new(label.to_string(), middle, style.clone());
                page.draw(&text).map_err(refused)?;
            }
        }
        Ok(())
    }
}

/// Tick marks with numbers along an edge.
struct Ticks<'p, 'a> {
    page: &'p Page<'a>,
    font: f64,
    anchor: Anchor,
}

impl<'p, 'a> Ticks<'p, 'a> {
    fn new(page: &'p Page<'a>, font: f64, anchor: Anchor) -> Self {
        Ticks { page, font, anchor }
    }

    fn draw(&self, from: (i32, i32), to: (i32, i32), number: impl ToString) -> Result<(), Error> {
        let line = PathElement::new([from, to], BLACK.mix(0.6));
        self.page.draw(&line).map_err(refused)?;
        let beyond = (
            to.0 + 2 * (to.0 - from.0).signum(),
            to.1 + 2 * (to.1 - from.1).signum(),
        );
        write(
            self.page,
            number.to_string(),
            beyond,
            self.font,
            self.anchor,
        )
    }
}

/// The text with typographic minus signs before its negative numbers. Hyphens within words and
/// ranges stay.
fn with_minus(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut last = ' ';
    while let Some(letter) = rest.next() {
        let number = rest.peek().is_some_and(char::is_ascii_digit);
        written.push(match letter == '-' && number && !last.is_alphanumeric() {
            true => '−',
            false => letter,
        });
        last = letter;
    }
    written
}

/// The distance in STAMINA between numbers, such that there is room for them.
fn tick_distance(cell: i32, font: f64) -> i32 {
    let room = (font * 1.6) as i32;
    let distances = [1, 2, 4, 8, 12, 24];
    distances
        .into_iter()
        .find(|d| d * cell >= room)
        .unwrap_or(48)
}

fn shade_colour(shade: usize) -> RGBColor {
    viridis(shade as f64 / (SHADES - 1) as f64)
}

/// The colour map of S. van der Walt and N. Smith (2015), interpolated from twelve of its colours.
fn viridis(share: f64) -> RGBColor {
    const STOPS: [(u8, u8, u8); 12] = [
        (0x44, 0x01, 0x54),
        (0x48, 0x21, 0x73),
        (0x43, 0x3e, 0x85),
        (0x38, 0x58, 0x8c),
        (0x2d, 0x70, 0x8e),
        (0x25, 0x85, 0x8e),
        (0x1e, 0x9b, 0x8a),
        (0x2a, 0xb0, 0x7f),
        (0x52, 0xc5, 0x69),
        (0x86, 0xd5, 0x49),
        (0xc2, 0xdf, 0x23),
        (0xfd, 0xe7, 0x25),
    ];
    let place = share * (STOPS.len() - 1) as f64;
    let stop = (place as usize).min(STOPS.len() - 2);
    let part = place - stop as f64;
    let mix =
        |from: u8, to: u8| (f64::from(from) + part * (f64::from(to) - f64::from(from))).round();
    let (from, to) = (STOPS[stop], STOPS[stop + 1]);
    RGBColor(
        mix(from.0, to.0) as u8,
        mix(from.1, to.1) as u8,
        mix(from.2, to.2) as u8,
    )
}

/// The perceived lightness of a colour, 0 to 1 (weights of ITU-R BT.601).
fn lightness(RGBColor(red, green, blue): RGBColor) -> f64 {
    (0.299 * f64::from(red) + 0.587 * f64::from(green) + 0.114 * f64::from(blue)) / 255.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shade_is_lighter_than_the_one_before() {
        let light: Vec<f64> = (0..SHADES)
            .map(|shade| lightness(shade_colour(shade)))
            .collect();
        assert!(light.windows(2).all(|pair| pair[0] < pair[1]), "{light:?}");
        // Letters are readable at both ends.
        assert!(light[0] < 0.2 && light[SHADES - 1] > 0.8);
    }

    /// Regression test: every hyphen became a minus sign.
    #[test]
    fn hyphens_are_no_minus_signs() {
        assert_eq!(with_minus("SKILL -3, LUCK 12"), "SKILL −3, LUCK 12");
        assert_eq!(with_minus("Half-orc 2-3 (-1)"), "Half-orc 2-3 (−1)");
        assert_eq!(with_minus("-10 -"), "−10 -");
    }

    #[test]
    fn numbers_of_an_axis_do_not_touch() {
        assert_eq!(tick_distance(12, 10.8), 2);
        assert_eq!(tick_distance(4, 6.0), 4);
        assert_eq!(tick_distance(1, 6.0), 12);
    }
}
