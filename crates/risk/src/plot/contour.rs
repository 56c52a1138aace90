//! Contour lines on a shaded map.

use ndarray::Array2;
use num_traits::ToPrimitive;

use super::{Anchor, Drawing, Field, colour, path, ticks};
use crate::report::check_throws;
use crate::{Error, Rules, Throw};

/// A contour plot as SVG, with attackers upwards and defenders to the right. It has a shade for
/// each battle and a line for each level. Needs feature `plot`.
///
/// # Examples
/// ```
/// use oddsmith_risk::{ContourPlot, Rules, win_matrix_f64};
///
/// let win = win_matrix_f64(15, 15, &Rules::standard())?;
/// let plot = ContourPlot::of_matrix(&win)?.levels([0.25, 0.5, 0.75])?;
/// let svg = plot.title("Attackers win").svg();
/// assert!(svg.starts_with("<svg xmlns") && svg.contains("<title>Attackers win</title>"));
/// assert_eq!(svg.matches(">50 %</text>").count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "heat map")]
pub struct ContourPlot {
    field: Field,
    levels: Vec<f64>,
    title: String,
    axes: (String, String),
}

const LEFT: f64 = 56.0;
const TOP: f64 = 40.0;
const SIDE: f64 = 460.0;

impl ContourPlot {
    fn new(field: Field) -> Self {
        let (low, high) = field.scale;
        // The difference of both may be beyond all floats.
        let tenths = (1..10).map(|tenth| f64::from(tenth) / 10.0);
        let tenths = tenths.map(|tenth| low * (1.0 - tenth) + high * tenth);
        ContourPlot {
            field,
            levels: tenths.collect(),
            title: String::new(),
            axes: ("defenders".into(), "attackers".into()),
        }
    }

    /// Creates a plot of a matrix of all battles up to a size, such as
    /// [`win_matrix_f64`](crate::win_matrix_f64) returns. Row and column 0, where battles are over,
    /// are left out of any matrix, so one of your own needs a row and a column more than the figure
    /// shows, whatever they contain. Numbers from 0 to 1 are shown as chances. The default is nine
    /// levels.
    ///
    /// # Errors
    /// [`Error::Plot`] for fewer than two attackers or defenders, that is, for a matrix smaller than
    /// 3 x 3, for more than 2¹⁵ battles, and for a number that is not finite.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{ContourPlot, Rules, win_matrix_f64};
    ///
    /// let plot = ContourPlot::of_matrix(&win_matrix_f64(15, 15, &Rules::standard())?)?;
    /// assert_eq!(plot.svg().matches(" %</text>").count(), 9); // 10 to 90 %
    /// assert!(ContourPlot::of_matrix(&win_matrix_f64(15, 1, &Rules::standard())?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_matrix(matrix: &Array2<f64>) -> Result<Self, Error> {
        Ok(ContourPlot::new(Field::of_matrix(matrix)?))
    }

    /// Creates a plot of the true game values per pair of dice by the numbers of dice, with the
    /// lines of 0 and of the most dice against the most. This is Georgiou's Figure 2 as it should
    /// be. If the defender may not throw this many dice, he throws fewer.
    ///
    /// # Errors
    /// As for [`of_matrix`](ContourPlot::of_matrix), where dice are counted, and those of
    /// [`Throw::law`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{ContourPlot, Rules};
    ///
    /// let svg = ContourPlot::of_game_values(&Rules::standard())?.svg();
    /// assert!(svg.contains(">0</text>") && svg.contains(">0.0791</text>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_game_values(rules: &Rules) -> Result<Self, Error> {
        let (attack, defence) = rules.dice(u32::MAX, u32::MAX);
        if attack > 32 || defence > 32 {
            return Err(Error::Plot {
                reason: format!("{attack} x {defence} dice exceed the limit of 32 x 32"),
            });
        }
        check_throws(rules, attack, defence)?;
        let mut values = Array2::zeros((attack as usize, defence as usize));
        for ((row, column), value) in values.indexed_iter_mut() {
            let dice = row as u32 + 1;
            let most = rules.defence_dice_against(dice, u32::MAX);
            let throw = Throw::new(dice, most.min(column as u32 + 1))?.rules(rules.clone());
            let gain = throw.expected_losses()?.game_value();
            *value = gain.to_f64().unwrap_or(f64::NAN);
        }
        let most = values.last().copied().unwrap_or(0.0);
        let mut field = Field::new(values)?;
        field.scale = (-1.0, 1.0);
        let mut plot = ContourPlot::new(field).levels([0.0, most])?;
        plot.axes = ("defender's dice".into(), "attacker's dice".into());
        Ok(plot)
    }

    /// Sets the levels of the lines. The line of 1/2 is drawn broad.
    ///
    /// # Errors
    /// [`Error::Plot`] for a number that is not finite, and for more than 100 levels.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{ContourPlot, Rules, win_matrix_f64};
    ///
    /// let plot = ContourPlot::of_matrix(&win_matrix_f64(5, 5, &Rules::standard())?)?;
    /// let svg = plot.clone().levels([0.5, 0.75])?.svg();
    /// assert_eq!(svg.matches("stroke-width=\"3\"").count(), 1); // of the two lines
    /// assert!(plot.levels([f64::NAN]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn levels(mut self, levels: impl IntoIterator<Item = f64>) -> Result<Self, Error> {
        self.levels = levels.into_iter().take(101).collect();
        let refused = |reason| Err(Error::Plot { reason });
        if self.levels.len() > 100 {
            return refused("the levels exceed the limit of 100".to_owned());
        }
        match self.levels.iter().find(|level| !level.is_finite()) {
            Some(level) => refused(format!("levels must be finite, got {level}")),
            None => Ok(self),
        }
    }

    /// Sets the line above the figure.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{ContourPlot, Rules, win_matrix_f64};
    ///
    /// let plot = ContourPlot::of_matrix(&win_matrix_f64(2, 2, &Rules::standard())?)?;
    /// assert!(plot.title("Win & lose").svg().contains("<title>Win &amp; lose</title>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Returns the figure, always with the same text.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{ContourPlot, Rules, win_matrix_f64};
    ///
    /// let svg = ContourPlot::of_matrix(&win_matrix_f64(2, 3, &Rules::standard())?)?.svg();
    /// assert!(svg.contains(">↑ attackers</text>") && svg.contains(">defenders</text>"));
    /// assert_eq!(svg.matches(">3</text>").count(), 1); // three defenders, but two attackers
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn svg(&self) -> String {
        let (rows, columns) = self.field.values.dim();
        let mut drawing = Drawing::new(LEFT + SIDE + 60.0, TOP + SIDE + 56.0, &self.title);
        self.shades(&mut drawing);
        for &level in &self.levels {
            self.contour(&mut drawing, level);
        }
        let foot = TOP + SIDE;
        for number in ticks(columns) {
            let x = self.place(0.0, number as f64 - 1.0).0;
            drawing.text((x, foot + 18.0), 12.0, Anchor::Middle, &number.to_string());
        }
        for number in ticks(rows) {
            let y = self.place(number as f64 - 1.0, 0.0).1;
            drawing.text(
                (LEFT - 8.0, y + 4.0),
                12.0,
                Anchor::End,
                &number.to_string(),
            );
        }
        let (across, up) = &self.axes;
        drawing.text((LEFT + SIDE, foot + 42.0), 13.0, Anchor::End, across);
        drawing.text((20.0, foot + 42.0), 13.0, Anchor::Start, &format!("↑ {up}"));
        drawing.svg()
    }

    /// Returns where a place of the table lies on the page; its cells are around it.
    fn place(&self, row: f64, column: f64) -> (f64, f64) {
        let (rows, columns) = self.field.values.dim();
        let across = (column + 0.5) / columns as f64;
        let up = (row + 0.5) / rows as f64;
        (LEFT + SIDE * across, TOP + SIDE * (1.0 - up))
    }

    /// Draws neighbours of one colour in one piece.
    fn shades(&self, drawing: &mut Drawing) {
        let shade = |value: &f64| colour(self.field.share(*value));
        for (number, row) in self.field.values.rows().into_iter().enumerate() {
            let colours: Vec<String> = row.iter().map(shade).collect();
            let mut first = 0;
            let row = number as f64;
            for run in colours.chunk_by(|a, b| a == b) {
                let last = first + run.len();
                let (left, foot) = self.place(row - 0.5, first as f64 - 0.5);
                let (right, top) = self.place(row + 0.5, last as f64 - 0.5);
                drawing.add(format_args!(
                    "<path shape-rendering=\"crispEdges\" fill=\"{}\" d=\"M{left:.1} {top:.1}H{right:.1}V{foot:.1}H{left:.1}z\"/>",
                    run[0]
                ));
                first = last;
            }
        }
    }

    fn contour(&self, drawing: &mut Drawing, level: f64) {
        let mut line = String::new();
        let mut end = (f64::NEG_INFINITY, (0.0, 0.0));
        for segment in segments(&self.field.values, level) {
            let points = segment.map(|(row, column)| self.place(row, column));
            line.push_str(&path(&points));
            for point in points {
                // The end that is furthest to the upper right gets the label.
                let far = point.0 - point.1;
                if far > end.0 {
                    end = (far, point);
                }
            }
        }
        if line.is_empty() {
            return;
        }
        let width = if level == 0.5 { 3.0 } else { 1.2 };
        drawing.add(format_args!(
            "<path d=\"{line}\" fill=\"none\" stroke=\"#fff\" stroke-width=\"{width}\"/>"
        ));
        let (x, y) = end.1;
        drawing.text(
            (x + 4.0, y - 3.0),
            11.0,
            Anchor::Start,
            &self.field.label(level),
        );
    }
}

/// A place in a table, which may be between its rows and columns.
type Place = (f64, f64);

/// Returns the segments along which the level is crossed between neighbours, by linear
/// interpolation (marching squares). At a saddle, the mean of the corners decides between the two
/// ways.
fn segments(values: &Array2<f64>, level: f64) -> Vec<[Place; 2]> {
    let (rows, columns) = values.dim();
    let mut segments = Vec::new();
    for row in 0..rows - 1 {
        for column in 0..columns - 1 {
            // Around the square.
            let corners = [(0, 0), (0, 1), (1, 1), (1, 0)].map(|(r, c)| (row + r, column + c));
            let at = corners.map(|(r, c)| values[[r, c]]);
            let mut crossed = Vec::new();
            for side in 0..4 {
                let (from, to) = (side, (side + 1) % 4);
                if (at[from] >= level) != (at[to] >= level) {
                    let part = (level - at[from]) / (at[to] - at[from]);
                    let between = |a: usize, b: usize| a as f64 + part * (b as f64 - a as f64);
                    let (a, b) = (corners[from], corners[to]);
                    crossed.push((between(a.0, b.0), between(a.1, b.1)));
                }
            }
            match crossed[..] {
                [a, b] => segments.push([a, b]),
                [a, b, c, d] => {
                    let middle = at.iter().sum::<f64>() / 4.0;
                    match (middle >= level) == (at[0] >= level) {
                        true => segments.extend([[a, b], [c, d]]),
                        false => segments.extend([[d, a], [b, c]]),
                    }
                }
                _ => {}
            }
        }
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a plane the lines are straight and lie where the plane has the level.
    #[test]
    fn lines_lie_at_their_level() {
        let plane = Array2::from_shape_fn((5, 7), |(r, c)| 0.1 * r as f64 - 0.07 * c as f64);
        for level in [-0.2, 0.0, 0.05, 0.31] {
            let segments = segments(&plane, level);
            assert!(!segments.is_empty());
            for (row, column) in segments.into_iter().flatten() {
                assert!((0.1 * row - 0.07 * column - level).abs() < 1e-12);
            }
        }
        assert!(segments(&plane, 1.0).is_empty());
    }

    /// A saddle has two lines, and neither crosses the other.
    #[test]
    fn a_saddle_is_parted() {
        let saddle = ndarray::arr2(&[[1.0, 0.0], [0.0, 1.0]]);
        assert_eq!(segments(&saddle, 0.4).len(), 2);
        // The middle is above: the low corners are cut off.
        let corner = |low: Place, segment: &[Place; 2]| {
            segment
                .iter()
                .all(|p| (p.0 - low.0).abs() + (p.1 - low.1).abs() < 0.5)
        };
        let cut = segments(&saddle, 0.4);
        assert!(cut.iter().any(|s| corner((0.0, 1.0), s)));
        assert!(cut.iter().any(|s| corner((1.0, 0.0), s)));
    }
}
