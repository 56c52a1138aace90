//! A table as a surface in space.

use ndarray::Array2;

use super::{Anchor, Drawing, Field, colour, path, ticks};
use crate::Error;

/// A surface over attackers and defenders as SVG, as in Georgiou's Figures 4 to 6. Needs feature
/// `plot`.
///
/// It is seen from the side of few attackers against many defenders, so that the peaks, where the
/// attackers win, are at the back and hide nothing.
///
/// # Examples
/// ```
/// use oddsmith_risk::{BattleConfiguration, SurfacePlot, win_matrix_f64};
///
/// let rules = BattleConfiguration::HeroAttacks.rules();
/// let svg = SurfacePlot::of_matrix(&win_matrix_f64(15, 15, &rules)?)?.title("(+1/0)").svg();
/// assert_eq!(svg.matches("<polygon ").count(), 14 * 14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "3D plot")]
pub struct SurfacePlot {
    field: Field,
    title: String,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 520.0;
/// Half the width of the ground, half its depth, and the height of the scale.
const ACROSS: f64 = 250.0;
const DEPTH: f64 = 120.0;
const RISE: f64 = 190.0;

impl SurfacePlot {
    /// Creates a plot of a matrix of all battles up to a size, such as
    /// [`win_matrix_f64`](crate::win_matrix_f64) returns. Row and column 0, where battles are over,
    /// are left out of any matrix, so one of your own needs a row and a column more than the figure
    /// shows, whatever they contain. Numbers from 0 to 1 are shown as chances.
    ///
    /// # Errors
    /// [`Error::Plot`] for fewer than two attackers or defenders, that is, for a matrix smaller than
    /// 3 x 3, for more than 2¹⁵ battles, and for a number that is not finite.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Rules, SurfacePlot, win_matrix_f64};
    ///
    /// let plot = SurfacePlot::of_matrix(&win_matrix_f64(3, 2, &Rules::standard())?)?;
    /// assert_eq!(plot.svg().matches("<polygon ").count(), 2); // between the six battles
    /// assert!(SurfacePlot::of_matrix(&win_matrix_f64(3, 1, &Rules::standard())?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_matrix(matrix: &Array2<f64>) -> Result<Self, Error> {
        Ok(SurfacePlot {
            field: Field::of_matrix(matrix)?,
            title: String::new(),
        })
    }

    /// Sets the line above the figure.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Rules, SurfacePlot, win_matrix_f64};
    ///
    /// let plot = SurfacePlot::of_matrix(&win_matrix_f64(2, 2, &Rules::standard())?)?;
    /// assert!(plot.title("2 < 3").svg().contains(">2 &lt; 3</text>"));
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
    /// use oddsmith_risk::{Rules, SurfacePlot, win_matrix_f64};
    ///
    /// let svg = SurfacePlot::of_matrix(&win_matrix_f64(2, 2, &Rules::standard())?)?.svg();
    /// assert!(svg.starts_with("<svg xmlns") && svg.ends_with("</svg>\n"));
    /// assert_eq!(svg.matches(" %</text>").count(), 3); // 0, 50 and 100 % at the side
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn svg(&self) -> String {
        let values = &self.field.values;
        let (rows, columns) = values.dim();
        let mut drawing = Drawing::new(WIDTH, HEIGHT, &self.title);
        // From back to front, so that nearer cells hide what is behind them. Fewer attackers and
        // more defenders are nearer.
        let mut cells: Vec<(usize, usize)> = (0..rows - 1)
            .flat_map(|row| (0..columns - 1).map(move |column| (row, column)))
            .collect();
        let depth = |&(row, column): &(usize, usize)| {
            column * (rows - 1) + (rows - 1 - row) * (columns - 1)
        };
        cells.sort_by_key(depth);
        for (row, column) in cells {
            let corners = [(0, 0), (0, 1), (1, 1), (1, 0)].map(|(r, c)| (row + r, column + c));
            let mean = corners.map(|(r, c)| values[[r, c]] / 4.0).iter().sum();
            let points = corners.map(|(r, c)| self.place(r as f64, c as f64, values[[r, c]]));
            let points: Vec<String> = points
                .iter()
                .map(|(x, y)| format!("{x:.1},{y:.1}"))
                .collect();
            drawing.add(format_args!(
                "<polygon points=\"{}\" fill=\"{}\" stroke=\"#000\" stroke-opacity=\"0.35\" stroke-width=\"0.5\"/>",
                points.join(" "),
                colour(self.field.share(mean))
            ));
        }
        self.axes(&mut drawing);
        drawing.svg()
    }

    /// Returns where a number over a place of the table is on the page.
    fn place(&self, row: f64, column: f64, value: f64) -> (f64, f64) {
        let (rows, columns) = self.field.values.dim();
        let right = column / (columns - 1) as f64;
        let near = 1.0 - row / (rows - 1) as f64;
        let x = WIDTH / 2.0 + ACROSS * (right - near);
        let y = 240.0 + DEPTH * (right + near) - RISE * self.field.share(value);
        (x, y)
    }

    fn axes(&self, drawing: &mut Drawing) {
        let (rows, columns) = self.field.values.dim();
        let (low, high) = self.field.scale;
        let (last_row, last_column) = (rows as f64 - 1.0, columns as f64 - 1.0);
        let corner = |row, column| self.place(row, column, low);
        // The near edges of the ground, and the scale at the left.
        let ground = [
            corner(0.0, 0.0),
            corner(0.0, last_column),
            corner(last_row, last_column),
        ];
        drawing.line(&ground, 1.0);
        drawing.line(&[corner(0.0, 0.0), self.place(0.0, 0.0, high)], 1.0);
        for number in ticks(columns) {
            let (x, y) = corner(0.0, number as f64 - 1.0);
            drawing.text((x - 6.0, y + 16.0), 11.0, Anchor::End, &number.to_string());
        }
        for number in ticks(rows) {
            let (x, y) = corner(number as f64 - 1.0, last_column);
            drawing.text(
                (x + 6.0, y + 16.0),
                11.0,
                Anchor::Start,
                &number.to_string(),
            );
        }
        for part in [0.0, 0.5, 1.0] {
            // The range of two finite numbers may not be finite.
            let value = (1.0 - part) * low + part * high;
            let (x, y) = self.place(0.0, 0.0, value);
            drawing.add(format_args!(
                "<path d=\"{}\" stroke=\"currentColor\"/>",
                path(&[(x - 4.0, y), (x, y)])
            ));
            drawing.text(
                (x - 8.0, y + 4.0),
                11.0,
                Anchor::End,
                &self.field.label(value),
            );
        }
        let foot = HEIGHT - 14.0;
        drawing.text((WIDTH * 0.22, foot), 13.0, Anchor::Middle, "defenders");
        drawing.text((WIDTH * 0.78, foot), 13.0, Anchor::Middle, "attackers");
    }
}
