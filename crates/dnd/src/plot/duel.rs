//! The curves of a duel: victory, defeat and going on, round by round.

use ndarray::Array2;

use super::Picture;
use crate::Error;

/// A chart of W, C and L round by round, as in the figure of Jørgensen's note.
///
/// # Examples
/// ```
/// use oddsmith_dice::Dist;
/// use oddsmith_dnd::{Duel, DuelChart, Fighter, activate};
///
/// let fighter = Fighter::new(40, activate(&Dist::ndice(2, 6)?, 5, 18, 7)?)?;
/// let table = Duel::new(fighter.clone(), fighter).to_f64().rounds(15)?.table();
/// let svg = DuelChart::new(table).title("Mirror match").svg()?;
/// assert!(svg.starts_with("<svg") && svg.contains("victory"));
/// assert!(svg.matches("<polyline").count() >= 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DuelChart {
    table: Array2<f64>,
    title: String,
    size: (u32, u32),
}

impl DuelChart {
    /// Creates a chart of this table, with one row for each round from 0 and the columns W, C, L,
    /// as [`Rounds::table`](crate::Rounds::table) and [`Duel::table_by`](crate::Duel::table_by)
    /// return it. Its size is 720 × 400 pixels.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::DuelChart;
    ///
    /// let table = ndarray::array![[0.0, 1.0, 0.0], [0.5, 0.25, 0.25]];
    /// assert!(DuelChart::new(table).svg()?.contains("width=\"720\" height=\"400\""));
    /// assert!(DuelChart::new(ndarray::array![[0.0, 1.0, 0.0]]).svg().is_err()); // no round
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(table: Array2<f64>) -> Self {
        DuelChart {
            table,
            title: String::new(),
            size: (720, 400),
        }
    }

    /// Sets the title.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::DuelChart;
    ///
    /// let table = ndarray::array![[0.0, 1.0, 0.0], [0.5, 0.25, 0.25]];
    /// let svg = DuelChart::new(table).title("Rat and rat").svg()?;
    /// assert!(svg.contains("<title>Rat and rat</title>"));
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
    /// use oddsmith_dnd::DuelChart;
    ///
    /// let table = ndarray::array![[0.0, 1.0, 0.0], [0.5, 0.25, 0.25]];
    /// let chart = DuelChart::new(table);
    /// assert!(chart.clone().size(10, 10).svg().is_err());
    /// assert!(chart.size(500, 300).svg()?.contains("width=\"500\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.size = (width, height);
        self
    }

    /// Returns the chart as SVG.
    ///
    /// # Errors
    /// [`Error::Plot`] for a table without exactly three columns or with fewer than two rows, for
    /// chances outside 0 to 1, and for an impossible size.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::DuelChart;
    ///
    /// let table = ndarray::array![[0.0, 1.0, 0.0], [0.5, 0.25, 0.25]];
    /// let svg = DuelChart::new(table.clone()).svg()?;
    /// for curve in ["victory", "failure", "still fighting"] {
    ///     assert_eq!(svg.matches(curve).count(), 1);
    /// }
    /// assert!(DuelChart::new(table * 3.0).svg().is_err()); // 3 is no chance
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn svg(&self) -> Result<String, Error> {
        let (rows, columns) = self.table.dim();
        if columns != 3 || rows < 2 {
            let reason = format!(
                "the table must have at least 2 rows and the 3 columns W, C and L, got {rows} x {columns}"
            );
            return Err(Error::Plot { reason });
        }
        let mut chances = self.table.indexed_iter();
        if let Some(((row, column), chance)) = chances.find(|(_, p)| !(0.0..=1.0).contains(*p)) {
            let name = ["W", "C", "L"][column];
            let reason = format!(
                "chances must be between 0 and 1, got {chance:?} for {name} of round {row}"
            );
            return Err(Error::Plot { reason });
        }
        let picture = Picture {
            size: self.size,
            title: &self.title,
            across: "round",
            up: "chance",
        };
        let curve = |(column, name): (usize, &str)| {
            let chances = self.table.column(column).to_vec().into_iter();
            let points = chances.enumerate().map(|(at, p)| (at as f64, p));
            (name.to_owned(), points.collect())
        };
        let names = [(0, "victory"), (2, "failure"), (1, "still fighting")];
        picture.svg(&names.map(curve))
    }
}
