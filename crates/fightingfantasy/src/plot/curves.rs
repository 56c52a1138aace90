//! Curves of the chance to win against the hero's STAMINA.

use plotters::prelude::{BLACK, ChartBuilder, Circle, PathElement, RGBColor};
use plotters::style::Color;
use plotters::style::text_anchor::{HPos, VPos};

use super::{Page, figure, font, refused, signed, write};
use crate::{Advantage, ConstantLuck, Decision, Error, Extent, LuckTable, Rules, Use};

/// Six colours that can be told apart by colour-blind readers, on light and on dark backgrounds (M.
/// Okabe and K. Ito, "Color Universal Design", 2008; without their yellow and black).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xcc, 0x79, 0xa7),
];

const SIZE: (u32, u32) = (720, 400);
/// The width to the right for the names of the curves.
const NAMES: u32 = 150;
/// The distance from one name to the next.
const LINE: i32 = 15;
/// More curves could not be told apart.
const MOST_CURVES: usize = 20;
/// Dots are omitted beyond this STAMINA, where they would touch.
const DOTS: u16 = 60;

/// The chance of victory against the hero's STAMINA, as SVG: the paper's
/// Figs. 1(ii) and 2.
///
/// The name of each curve is written at its end, in its colour. A dashed curve of the same colour
/// shows what it is to be compared with.
///
/// # Examples
/// Fig. 1(ii), against a foe with STAMINA 12: without LUCK (dashed) and with the best use of LUCK
/// 9:
/// ```
/// use oddsmith_fightingfantasy::{Extent, Rules, StaminaCurves};
///
/// let extent = Extent { hero: 24, foe: 12, luck: 9 };
/// let svg = StaminaCurves::optimal(&Rules::standard(), [2, 0, -2, -4], extent)?.svg()?;
/// assert!(svg.starts_with("<svg xmlns"));
/// assert!(svg.contains(">SKILL −4</text>"));
/// // A dot for each of 24 STAMINAs and 4 differences.
/// assert_eq!(svg.matches("<circle").count(), 96);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct StaminaCurves {
    hero: u16,
    title: String,
    curves: Vec<Curve>,
}

#[derive(Clone, Debug, PartialEq)]
struct Curve {
    name: String,
    /// The values for STAMINA from 1 up.
    values: Vec<f64>,
    /// The values of the dashed curve.
    beside: Option<Vec<f64>>,
}

impl StaminaCurves {
    /// Creates a figure without curves, for the hero's STAMINA from 1 to `hero`.
    ///
    /// # Examples
    /// A dot for each STAMINA:
    /// ```
    /// use oddsmith_fightingfantasy::StaminaCurves;
    /// let svg = StaminaCurves::new(6).curve("even", |_| Ok(0.5))?.svg()?;
    /// assert_eq!(svg.matches("<circle").count(), 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(hero: u16) -> Self {
        StaminaCurves {
            hero,
            title: String::new(),
            curves: Vec::new(),
        }
    }

    /// Creates a figure with a curve for each SKILL difference: with the best use of the extent's
    /// LUCK and, dashed, without LUCK. The foe's STAMINA is that of the extent. Of more than 20
    /// differences the first 21 are computed, and [`svg`](StaminaCurves::svg) rejects them.
    ///
    /// # Errors
    /// Those of [`LuckTable::optimal`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Extent, Rules, StaminaCurves};
    /// let extent = Extent { hero: 5, foe: 8, luck: 9 };
    /// let svg = StaminaCurves::optimal(&Rules::standard(), [1, -1], extent)?.svg()?;
    /// assert!(svg.contains("a foe with STAMINA 8: best use of LUCK 9, and none (dashed)</title>"));
    /// assert_eq!(svg.matches("<circle").count(), 10); // two curves
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn optimal(
        rules: &Rules,
        skill_differences: impl IntoIterator<Item = i64>,
        extent: Extent,
    ) -> Result<Self, Error> {
        let Extent { hero, foe, luck } = extent;
        let mut figure = StaminaCurves::new(hero).title(format!(
            "Victory over a foe with STAMINA {foe}: best use of LUCK {luck}, and none (dashed)"
        ));
        // The iterator may be endless.
        for difference in skill_differences.into_iter().take(MOST_CURVES + 1) {
            let best = LuckTable::optimal(rules, difference, extent, Advantage::Strict)?;
            let without = without_luck(rules, difference, hero, foe)?;
            figure = figure
                .curve(skill(difference), |hero| best.win(hero, foe, luck))?
                .beside(|hero| without.win(hero, foe, 0))?;
        }
        Ok(figure)
    }

    /// Creates a figure with a curve for each SKILL difference and LUCK, under the assumption that
    /// LUCK does not run out ([`ConstantLuck`]), and, dashed, one without LUCK. Fig. 2 is the case
    /// of offensive use. More than 20 cases are treated as in [`optimal`](StaminaCurves::optimal).
    ///
    /// # Errors
    /// Those of [`ConstantLuck::win_f64`] and [`LuckTable::of_policy`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Rules, StaminaCurves, Use};
    ///
    /// let cases = [(0, 12), (0, 6), (-4, 12)];
    /// let curves = StaminaCurves::constant_luck(&Rules::standard(), Use::Offensive, cases, 24, 12)?;
    /// assert!(curves.svg()?.contains(">SKILL −4, LUCK 12</text>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn constant_luck(
        rules: &Rules,
        used: Use,
        cases: impl IntoIterator<Item = (i64, u16)>,
        hero: u16,
        foe: u16,
    ) -> Result<Self, Error> {
        let when = match used {
            Use::Offensive => "after won rounds",
            Use::Defensive => "after lost rounds",
            Use::Both => "after won and lost rounds",
        };
        let mut figure = StaminaCurves::new(hero).title(format!(
            "Victory over a foe with STAMINA {foe}: lasting LUCK used {when}, and none (dashed)"
        ));
        let mut compared = Vec::new();
        for (difference, luck) in cases.into_iter().take(MOST_CURVES + 1) {
            let (lucky, unlucky) = rules.luck_counts(luck)?;
            let q = num_rational::BigRational::new(
                lucky.into(),
                (u128::from(lucky) + u128::from(unlucky)).into(),
            );
            let constant = ConstantLuck::new(rules.round(difference)?, q)?
                .damage(rules.hit_damage(), rules.wound_damage());
            let name = format!("{}, LUCK {luck}", skill(difference));
            figure = figure.curve(name, |hero| constant.win_f64(used, hero.into(), foe.into()))?;
            // The dashed curve is drawn once for each SKILL difference, in the colour of its first
            // curve.
            if !compared.contains(&difference) {
                compared.push(difference);
                let without = without_luck(rules, difference, hero, foe)?;
                figure = figure.beside(|hero| without.win(hero, foe, 0))?;
            }
        }
        Ok(figure)
    }

    /// Adds a curve with this name: `value` as a function of the hero's STAMINA.
    ///
    /// # Errors
    /// Those of `value`, and [`Error::Plot`] for a value that is not a finite number.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{RoundOdds, StaminaCurves, win_without_luck_f64};
    ///
    /// let odds = RoundOdds::standard(-2);
    /// let svg = StaminaCurves::new(24)
    ///     .title("A foe with STAMINA 6 & SKILL 2 higher")
    ///     .curve("no LUCK", |hero| win_without_luck_f64(&odds, hero.into(), 6))?
    ///     .svg()?;
    /// assert!(svg.contains("<title>A foe with STAMINA 6 &amp; SKILL 2 higher</title>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn curve(
        mut self,
        name: impl Into<String>,
        value: impl Fn(u16) -> Result<f64, Error>,
    ) -> Result<Self, Error> {
        let (name, values) = (name.into(), self.values(value)?);
        self.curves.push(Curve {
            name,
            values,
            beside: None,
        });
        Ok(self)
    }

    /// Adds a dashed curve in the colour of the last curve, for comparison with it.
    ///
    /// # Errors
    /// The same as for [`curve`](StaminaCurves::curve), and [`Error::Plot`] if there is no curve
    /// yet.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::StaminaCurves;
    /// let half = StaminaCurves::new(4).curve("even", |_| Ok(0.5))?.beside(|_| Ok(0.25))?;
    /// assert!(half.svg()?.contains(">even</text>"));
    /// assert!(StaminaCurves::new(4).beside(|_| Ok(0.25)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn beside(mut self, value: impl Fn(u16) -> Result<f64, Error>) -> Result<Self, Error> {
        let values = self.values(value)?;
        let Some(last) = self.curves.last_mut() else {
            return Err(refused("there is no curve yet to add another to"));
        };
        last.beside = Some(values);
        Ok(self)
    }

    /// Sets the line above the figure.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::StaminaCurves;
    /// let curves = StaminaCurves::new(6).curve("even", |_| Ok(0.5))?.title("Heads or tails");
    /// assert!(curves.svg()?.contains("<title>Heads or tails</title>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Returns the figure as SVG, which is the same text each time. Its background is transparent,
    /// and its ink is `currentColor`.
    ///
    /// # Errors
    /// [`Error::Plot`] if there is no curve, or if there are more than 20, which could not be told
    /// apart.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::StaminaCurves;
    /// let coin = StaminaCurves::new(3).curve("even", |_| Ok(0.5))?;
    /// assert_eq!(coin.svg()?.matches(">even</text>").count(), 1);
    /// assert!(StaminaCurves::new(3).svg().is_err()); // no curve
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn svg(&self) -> Result<String, Error> {
        if self.curves.is_empty() || self.hero == 0 || self.curves.len() > MOST_CURVES {
            let (curves, hero) = (self.curves.len(), self.hero);
            let reason = format!(
                "a figure needs 1 to {MOST_CURVES} curves of at least 1 point, got {curves} over STAMINA 1 to {hero}"
            );
            return Err(Error::Plot { reason });
        }
        figure(&self.title, SIZE, |page| self.draw(page))
    }

    fn values(&self, value: impl Fn(u16) -> Result<f64, Error>) -> Result<Vec<f64>, Error> {
        let value = |hero| match value(hero)? {
            value if value.is_finite() => Ok(value),
            value => Err(refused(format!(
                "values must be finite, got {value} at STAMINA {hero}"
            ))),
        };
        (1..=self.hero).map(value).collect()
    }

    fn draw(&self, page: &Page<'_>) -> Result<(), Error> {
        let title = (56, 18);
        write(
            page,
            self.title.as_str(),
            title,
            14.0,
            (HPos::Left, VPos::Center),
        )?;
        let all = self
            .curves
            .iter()
            .flat_map(|curve| curve.values.iter().chain(curve.beside.iter().flatten()));
        let (low, high) = all.fold((0.0_f64, 1.0_f64), |(low, high), &value| {
            (low.min(value), high.max(value))
        });
        if !(high - low).is_finite() {
            return Err(refused("the values are too far apart"));
        }
        let chances = (low, high) == (0.0, 1.0);
        let mut chart = ChartBuilder::on(page)
            .margin_top(38)
            .margin_left(8)
            .margin_right(NAMES)
            .margin_bottom(6)
            .x_label_area_size(44)
            .y_label_area_size(50)
            .build_cartesian_2d(0..i32::from(self.hero), low..high)
            .map_err(refused)?;
        let label = font(12.0, BLACK, HPos::Center, VPos::Center);
        chart
            .configure_mesh()
            .x_labels(13)
            .y_labels(6)
            .disable_x_mesh()
            .bold_line_style(BLACK.mix(0.2))
            .light_line_style(BLACK.mix(0.0))
            .axis_style(BLACK.mix(0.6))
            .label_style(label)
            .y_label_formatter(&|value| match chances {
                true => format!("{:.0} %", value * 100.0),
                false => format!("{value}"),
            })
            .draw()
            .map_err(refused)?;
        let middle = ((58 + SIZE.0 - NAMES) as i32 / 2, SIZE.1 as i32 - 14);
        write(
            page,
            "hero’s STAMINA",
            middle,
            13.0,
            (HPos::Center, VPos::Center),
        )?;
        let at = |(stamina, &value): (i32, &f64)| chart.backend_coord(&(stamina, value));
        let mut names = Vec::with_capacity(self.curves.len());
        for (curve, &colour) in self.curves.iter().zip(COLOURS.iter().cycle()) {
            if let Some(beside) = &curve.beside {
                let points: Vec<_> = (1..).zip(beside).map(at).collect();
                for dash in dashes(&points) {
                    page.draw(&PathElement::new(dash, colour.stroke_width(2)))
                        .map_err(refused)?;
                }
            }
            let points: Vec<_> = (1..).zip(&curve.values).map(at).collect();
            if let Some(&(_, y)) = points.last() {
                names.push((y, curve.name.as_str(), colour));
            }
            if self.hero <= DOTS {
                for &point in &points {
                    page.draw(&Circle::new(point, 3, colour.filled()))
                        .map_err(refused)?;
                }
            }
            page.draw(&PathElement::new(points, colour.stroke_width(2)))
                .map_err(refused)?;
        }
        let x = (SIZE.0 - NAMES) as i32 + 10;
        for (y, name, colour) in spread(names) {
            let style = font(13.0, colour, HPos::Left, VPos::Center);
            let text = plotters::prelude::Text::new(name, (x, y), style);
            page.draw(&text).map_err(refused)?;
        }
        Ok(())
    }
}

fn skill(difference: i64) -> String {
    match difference {
        1.. => format!("SKILL +{difference}"),
        _ => format!("SKILL {}", signed(difference)),
    }
}

fn without_luck(rules: &Rules, difference: i64, hero: u16, foe: u16) -> Result<LuckTable, Error> {
    let extent = Extent { hero, foe, luck: 0 };
    LuckTable::of_policy(rules, difference, extent, |_, _, _| Decision::default())
}

/// Places the names in the order of their curves, each as near to the end of its curve as the
/// others allow.
fn spread<T>(mut names: Vec<(i32, &str, T)>) -> Vec<(i32, &str, T)> {
    names.sort_by_key(|&(y, ..)| y);
    // Move names downwards from the highest one, then upwards from the bottom of the page.
    let mut free = 44;
    for (y, ..) in &mut names {
        *y = (*y).max(free);
        free = *y + LINE;
    }
    let mut free = SIZE.1 as i32 - 50;
    for (y, ..) in names.iter_mut().rev() {
        *y = (*y).min(free);
        free = *y - LINE;
    }
    names
}

/// Splits a line through these points into dashes of 5 pixels, with gaps of 4.
fn dashes(points: &[(i32, i32)]) -> Vec<Vec<(i32, i32)>> {
    const DASH: f64 = 5.0;
    const GAP: f64 = 4.0;
    let mut dashes = Vec::new();
    let mut dash: Vec<(i32, i32)> = points.first().copied().into_iter().collect();
    let (mut drawn, mut left) = (true, DASH);
    for ends in points.windows(2) {
        let [from, to] = [ends[0], ends[1]].map(|(x, y)| (f64::from(x), f64::from(y)));
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let mut done = 0.0;
        while length - done > left {
            done += left;
            let share = done / length;
            let x = from.0 + share * (to.0 - from.0);
            let y = from.1 + share * (to.1 - from.1);
            let point = (x.round() as i32, y.round() as i32);
            if drawn {
                dash.push(point);
                dashes.push(std::mem::take(&mut dash));
            } else {
                dash.push(point);
            }
            drawn = !drawn;
            left = if drawn { DASH } else { GAP };
        }
        left -= length - done;
        if drawn {
            dash.push(ends[1]);
        }
    }
    if dash.len() > 1 {
        dashes.push(dash);
    }
    dashes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_turn_corners_and_leave_gaps() {
        let drawn = dashes(&[(0, 0), (3, 0), (3, 20)]);
        // Five pixels: three to the corner, and two beyond it; then a gap of four.
        assert_eq!(drawn[0], [(0, 0), (3, 0), (3, 2)]);
        assert_eq!(drawn[1], [(3, 6), (3, 11)]);
        assert_eq!(drawn[2], [(3, 15), (3, 20)]);
        assert_eq!(dashes(&[(7, 7)]), Vec::<Vec<(i32, i32)>>::new());
    }

    #[test]
    fn names_keep_their_distance_and_the_page() {
        let names = vec![(60, "b", ()), (58, "a", ()), (395, "d", ()), (390, "c", ())];
        let heights: Vec<i32> = spread(names).into_iter().map(|(y, ..)| y).collect();
        assert_eq!(heights, [58, 73, 335, 350]);
    }
}
