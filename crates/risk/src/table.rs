//! Tables for readers: as text, Markdown and comma-separated values.

use std::fmt::{self, Display};

use ndarray::Array2;
use num_traits::ToPrimitive;

use crate::{DiceAdvice, DicePlan, Error, OutcomeMatrix, Throw};

/// A table with a heading for each column and a name for each row.
///
/// `Display` aligns it in columns for a terminal, [`to_markdown`](Table::to_markdown) is for web
/// pages, and [`to_csv`](Table::to_csv) for spreadsheets.
///
/// # Examples
/// ```
/// use oddsmith_risk::{Rules, Table, win_matrix_f64};
///
/// let win = win_matrix_f64(3, 2, &Rules::standard())?;
/// let table = Table::percent(&win, 1);
/// assert_eq!(table.to_string(), "A\\D     1     2\n  1  41.7  10.6\n  2  75.4  36.3\n  3  91.6  65.6\n");
/// assert_eq!(table.to_markdown().lines().nth(2), Some("| 1 | 41.7 | 10.6 |"));
/// assert_eq!(table.to_csv(), "A\\D,1,2\r\n1,41.7,10.6\r\n2,75.4,36.3\r\n3,91.6,65.6\r\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    corner: String,
    columns: Vec<String>,
    rows: Vec<(String, Vec<String>)>,
}

impl Table {
    /// Creates a table of anything that can be displayed. Rows that are too short are filled with
    /// blanks, and columns without a heading get an empty one.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Table;
    ///
    /// let table = Table::new("units", ["win"], [("3", vec!["0.7"]), ("4", vec![])]);
    /// assert_eq!(table.to_string(), "units  win\n    3  0.7\n    4\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new<R: IntoIterator<Item: Display>>(
        corner: impl Display,
        columns: impl IntoIterator<Item: Display>,
        rows: impl IntoIterator<Item = (impl Display, R)>,
    ) -> Self {
        let texts = |row: R| row.into_iter().map(|cell| cell.to_string()).collect();
        let mut table = Table {
            corner: corner.to_string(),
            columns: columns.into_iter().map(|name| name.to_string()).collect(),
            rows: rows
                .into_iter()
                .map(|(name, row)| (name.to_string(), texts(row)))
                .collect(),
        };
        let longest = table.rows.iter().map(|(_, row)| row.len()).max();
        let columns = table.columns.len().max(longest.unwrap_or(0));
        table.columns.resize(columns, String::new());
        for (_, row) in &mut table.rows {
            row.resize(columns, String::new());
        }
        table
    }

    /// Creates a table from a matrix of all battles up to a size, such as
    /// [`matrix_f64`](crate::matrix_f64) and [`win_matrix`](crate::win_matrix) return. `cell`
    /// formats each number. Row and column 0, where the battle is over, are left out.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Rules, Table, win_matrix};
    ///
    /// let win = win_matrix(2, 1, &Rules::standard())?;
    /// let table = Table::of_matrix(&win, |chance| chance.to_string());
    /// assert_eq!(table.to_csv(), "A\\D,1\r\n1,5/12\r\n2,1955/2592\r\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_matrix<T>(matrix: &Array2<T>, cell: impl Fn(&T) -> String) -> Self {
        let (rows, columns) = matrix.dim();
        let lines = (1..rows).map(|row| {
            let cells = (1..columns).map(|column| cell(&matrix[[row, column]]));
            (row, cells.collect::<Vec<String>>())
        });
        Table::new("A\\D", 1..columns, lines)
    }

    /// Creates a table of chances in percent with this many decimals (40 at most), like the paper's
    /// Tables 3, 5, 8 and 11.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Rules, Table, win_matrix};
    ///
    /// let win = win_matrix(1, 1, &Rules::standard())?; // 5/12
    /// assert_eq!(Table::percent(&win, 2).to_csv(), "A\\D,1\r\n1,41.67\r\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn percent<T: ToPrimitive>(chances: &Array2<T>, decimals: usize) -> Self {
        Table::of_matrix(chances, |chance| {
            let chance = chance.to_f64().unwrap_or(f64::NAN);
            format!("{:.*}", decimals.min(40), 100.0 * chance)
        })
    }

    /// Creates a table of numbers with this many decimals (40 at most).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Rules, Table, critical_territory};
    ///
    /// let worth = critical_territory(2, 2, &Rules::standard())?;
    /// let table = Table::decimals(&worth, 2).to_csv();
    /// assert_eq!(table.lines().nth(1), Some("1,0.40,5.03"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn decimals<T: ToPrimitive>(numbers: &Array2<T>, decimals: usize) -> Self {
        Table::of_matrix(numbers, |number| {
            let number = number.to_f64().unwrap_or(f64::NAN);
            format!("{number:.*}", decimals.min(40))
        })
    }

    /// Returns the table in Markdown, with right-aligned numbers.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Table, Throw};
    ///
    /// let table = Table::of_throw(&Throw::new(1, 1)?)?;
    /// assert_eq!(
    ///     table.to_markdown(),
    ///     "| attacker loses | defender loses | rolls | percent |\n\
    ///      |---:|---:|---:|---:|\n\
    ///      | 0 | 1 | 15 | 41.667 |\n\
    ///      | 1 | 0 | 21 | 58.333 |\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = String::new();
        for (number, (name, cells)) in self.lines().enumerate() {
            if number == 1 {
                text.push_str(&self.rule());
            }
            text.push_str(&format!("| {} |", escaped(name)));
            for cell in cells {
                text.push_str(&format!(" {} |", escaped(cell)));
            }
            text.push('\n');
        }
        if self.rows.is_empty() {
            text.push_str(&self.rule());
        }
        text
    }

    /// Returns the line that makes the one before it a heading.
    fn rule(&self) -> String {
        format!("|{}\n", "---:|".repeat(self.columns.len() + 1))
    }

    /// Returns the table as comma-separated values (RFC 4180). Lines end in CR and LF; cells with
    /// commas, quotation marks or line breaks are quoted.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Table;
    ///
    /// let table = Table::new("army", ["force, at least"], [("north", vec!["a \"few\""])]);
    /// assert_eq!(table.to_csv(), "army,\"force, at least\"\r\nnorth,\"a \"\"few\"\"\"\r\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut text = String::new();
        for (name, cells) in self.lines() {
            text.push_str(&quoted(name));
            for cell in cells {
                text.push(',');
                text.push_str(&quoted(cell));
            }
            text.push_str("\r\n");
        }
        text
    }

    /// Returns the heading, then the rows.
    fn lines(&self) -> impl Iterator<Item = (&str, &[String])> {
        let rows = self
            .rows
            .iter()
            .map(|(name, row)| (name.as_str(), row.as_slice()));
        std::iter::once((self.corner.as_str(), self.columns.as_slice())).chain(rows)
    }

    /// Creates a table of the outcomes of a throw, the attacker's best first: the losses of both
    /// sides, the number of rolls, and the chance in percent.
    ///
    /// # Errors
    /// As for [`Throw::law`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Table, Throw};
    ///
    /// let table = Table::of_throw(&Throw::new(3, 2)?)?.to_csv();
    /// assert_eq!(table.lines().nth(1), Some("0,2,2890,37.166"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_throw(throw: &Throw) -> Result<Self, Error> {
        let counts = throw.counts()?;
        let law = throw.law()?.to_f64();
        let rows = counts.iter().zip(0..).map(|(rolls, lost)| {
            let won = throw.pairs() - lost;
            let percent = format!("{:.3}", 100.0 * law.p(&won));
            (lost, [won.to_string(), rolls.to_string(), percent])
        });
        let columns = ["defender loses", "rolls", "percent"];
        Ok(Table::new("attacker loses", columns, rows))
    }

    /// Creates a table from a battle outcome matrix of the paper. The true value per pair of dice
    /// follows the printed one in brackets.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{BattleConfiguration, Table};
    ///
    /// let table = Table::of_outcomes(&BattleConfiguration::Standard.outcomes()?);
    /// assert_eq!(table.to_markdown().lines().last(), Some("| 3 | +0,3194 (+0.3194) | +0,0395 (+0.0791) |"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_outcomes(outcomes: &OutcomeMatrix) -> Self {
        let rows = outcomes.cells.chunk_by(|a, b| a.attack == b.attack);
        let rows = rows.filter_map(|row| {
            let cells = row.iter().map(|cell| {
                let truth = cell.truth.to_f64().unwrap_or(f64::NAN);
                format!("{} ({truth:+.4})", cell.printed)
            });
            Some((row.first()?.attack, cells.collect::<Vec<_>>()))
        });
        Table::new("A\\D", 1..=2, rows)
    }

    /// Creates a table of the best numbers of dice at all forces, the attacker's against the
    /// defender's. Of equally good numbers the greatest is shown.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{DiceGame, Rules, Table};
    ///
    /// let rules = Rules::standard().defence_bonus([2]);
    /// let plan = DiceGame::new(2, 2)?.rules(rules).plan()?;
    /// assert_eq!(Table::of_plan(&plan).to_csv(), "A\\D,1,2\r\n1,1v1,1v2\r\n2,2v1,2v1\r\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_plan<V: Clone + PartialOrd + ToPrimitive>(plan: &DicePlan<V>) -> Self {
        let most = plan.iter().map(|advice| advice.forces.defenders).max();
        let columns = 1..=most.unwrap_or(0);
        let all: Vec<&DiceAdvice<V>> = plan.iter().collect();
        let rows = all.chunk_by(|a, b| a.forces.attackers == b.forces.attackers);
        let rows = rows.filter_map(|row| {
            let cell = |defenders| {
                let place = row.binary_search_by_key(&defenders, |advice| advice.forces.defenders);
                let advice = place.ok().and_then(|place| row.get(place));
                advice.map(|advice| advice.cell()).unwrap_or_default()
            };
            Some((
                row.first()?.forces.attackers,
                columns.clone().map(cell).collect::<Vec<_>>(),
            ))
        });
        Table::new("A\\D", columns.clone(), rows)
    }
}

/// Escapes a cell for Markdown.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}

/// Right-aligns a text in this many characters. Format strings do not support widths beyond 16
/// bits.
pub(crate) fn right(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    " ".repeat(missing) + text
}

/// Quotes a cell if RFC 4180 demands it.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\r', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = |text: &str| text.chars().count();
        let margin = self
            .lines()
            .map(|(name, _)| length(name))
            .max()
            .unwrap_or(0);
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|column| {
                let cells = self.lines().filter_map(|(_, cells)| cells.get(column));
                cells.map(|cell| length(cell)).max().unwrap_or(0)
            })
            .collect();
        for (name, cells) in self.lines() {
            let mut line = right(name, margin);
            for (cell, width) in cells.iter().zip(&widths) {
                line.push_str("  ");
                line.push_str(&right(cell, *width));
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
