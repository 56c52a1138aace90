//! Zero-sum games in which two players choose at the same time, given by a matrix.

mod dominance;
mod enclosed;
mod equilibrium;
mod extreme;
mod pure;
mod simplex;
mod strategy;

use std::fmt;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use oddsmith_dice::IntoRatio;

use crate::Error;
use crate::number::cover;

pub use dominance::{Dominance, Dominator, Elimination, Removal};
pub use enclosed::EnclosedEquilibrium;
pub(crate) use enclosed::{
    MAX_PRODUCTS, around, around_integer, enclose, mean, middle, normalized,
};
pub use equilibrium::Equilibrium;
pub use pure::Guarantee;
pub(crate) use pure::saddle_point;
pub use strategy::Strategy;

/// The default of [`MatrixGame::new_within`]: 128 MiB of entries.
const MAX_WORDS: u64 = 1 << 24;

/// The size of an entry in words, without its digits.
const SLOT: u64 = (size_of::<BigInt>() / 8) as u64;

/// One of the two players of a [`MatrixGame`].
///
/// # Examples
/// ```
/// use oddsmith_mdp::Side;
/// assert_eq!(Side::Row.to_string(), "row");
/// assert_eq!(Side::Row.opponent(), Side::Column);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Side {
    /// Chooses a row and wants a high payoff.
    Row,
    /// Chooses a column and wants a low payoff.
    Column,
}

impl Side {
    /// Returns the other player.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{MatrixGame, Side};
    /// let game = MatrixGame::new([[1, 2, 3], [4, 5, 6]])?;
    /// assert_eq!(game.strategies(Side::Row.opponent()), 3);
    /// assert_eq!(game.strategies(Side::Column.opponent()), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn opponent(self) -> Self {
        match self {
            Side::Row => Side::Column,
            Side::Column => Side::Row,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Row => "row",
            Side::Column => "column",
        })
    }
}

/// A finite zero-sum game of two players who choose at the same time.
///
/// The row player chooses a row and the column player a column, neither knowing the other's choice.
/// The entry there is what the row player receives from the column player. Entries are exact
/// rational numbers. Rows and columns are counted from 0.
///
/// With mixed strategies, what the row player can secure equals what the column player can hold him
/// to (J. von Neumann, "Zur Theorie der Gesellschaftsspiele", 1928). This is the *value* of the
/// game. [`solve`](MatrixGame::solve) finds it, with an optimal strategy for each player.
///
/// # Examples
/// Matching pennies, except that heads on heads pays three times as much:
/// ```
/// use oddsmith_mdp::MatrixGame;
///
/// let pennies = MatrixGame::new([[3, -1], [-1, 1]])?;
/// assert!(pennies.saddle_points().is_empty());
/// let equilibrium = pennies.solve()?;
/// assert_eq!(equilibrium.value().to_string(), "1/3");
/// assert_eq!(equilibrium.row().to_string(), "(1/3, 2/3)");
/// assert_eq!(pennies.to_string(), " 3  -1\n-1   1\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixGame {
    rows: usize,
    columns: usize,
    /// The entries row by row, as multiples of 1 / `denominator`. Comparing two entries thus
    /// compares two integers.
    entries: Vec<BigInt>,
    denominator: BigInt,
}

impl MatrixGame {
    /// Creates a game from rows of payoffs to the row player. A payoff is anything that converts to
    /// a rational number: an integer, a pair `(numerator, denominator)`, a text such as
    /// `"-0.1103"`, or a [`BigRational`].
    ///
    /// # Errors
    /// [`Error::EmptyMatrix`] if there is no entry, [`Error::RaggedMatrix`] if the rows are not
    /// equally long, [`Error::Dice`] for an entry that is not a number, [`Error::MatrixTooLarge`]
    /// for more than 2²⁴ words of entries. A small entry takes five, so there may be some three
    /// million of them.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Error, MatrixGame};
    ///
    /// let game = MatrixGame::new([["1/2", "0.25"], ["-1", "3"]])?;
    /// assert_eq!(game.payoff(0, 1).map(|entry| entry.to_string()), Some("1/4".into()));
    /// let ragged = MatrixGame::new([vec![1, 2], vec![3]]).err();
    /// assert_eq!(ragged, Some(Error::RaggedMatrix { row: 1, columns: 1, expected: 2 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new<R>(rows: impl IntoIterator<Item = R>) -> Result<Self, Error>
    where
        R: IntoIterator<Item: IntoRatio>,
    {
        MatrixGame::new_within(rows, MAX_WORDS)
    }

    /// Does the same as [`new`](MatrixGame::new), with at most `limit` words of 64 bits for the
    /// entries over their common denominator. An entry takes four besides its digits. (While they
    /// are read, entries take some three times as much.)
    ///
    /// # Errors
    /// The same as for [`new`](MatrixGame::new).
    ///
    /// # Examples
    /// An endless list of rows is refused once the limit is exceeded:
    /// ```
    /// use oddsmith_mdp::{Error, MatrixGame};
    ///
    /// let endless = MatrixGame::new_within(std::iter::repeat([1, 2]), 1_000).err();
    /// assert!(matches!(endless, Some(Error::MatrixTooLarge { needed: 1_005, limit: 1_000, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new_within<R>(rows: impl IntoIterator<Item = R>, limit: u64) -> Result<Self, Error>
    where
        R: IntoIterator<Item: IntoRatio>,
    {
        let mut ratios: Vec<BigRational> = Vec::new();
        let (mut count, mut columns) = (0, 0);
        let mut denominator = BigUint::one();
        let mut numerators = 0_u128;
        for row in rows {
            let before = ratios.len();
            for entry in row {
                let ratio = entry.into_ratio()?;
                cover(&mut denominator, ratio.denom().magnitude());
                numerators += u128::from(words(ratio.numer()));
                ratios.push(ratio);
                // Over the common denominator, each entry may grow by the length of that
                // denominator.
                let scale = u128::from((denominator.bits() - 1) / 64 + SLOT);
                let needed = numerators + ratios.len() as u128 * scale;
                if needed > u128::from(limit) {
                    return Err(Error::MatrixTooLarge {
                        what: "entries",
                        needed,
                        limit,
                    });
                }
            }
            let length = ratios.len() - before;
            if count == 0 {
                columns = length;
            }
            if length != columns {
                return Err(Error::RaggedMatrix {
                    row: count,
                    columns: length,
                    expected: columns,
                });
            }
            count += 1;
            if columns == 0 {
                break;
            }
        }
        if ratios.is_empty() {
            return Err(Error::EmptyMatrix);
        }
        let denominator = BigInt::from(denominator);
        let entries = ratios
            .iter()
            .map(|ratio| ratio.numer() * (&denominator / ratio.denom()))
            .collect();
        Ok(MatrixGame {
            rows: count,
            columns,
            entries,
            denominator,
        })
    }

    /// Creates a game from these entries, row by row, over a positive denominator. It is not
    /// reduced, so equal games may compare as different.
    pub(crate) fn from_numerators(
        rows: usize,
        columns: usize,
        entries: Vec<BigInt>,
        denominator: BigInt,
    ) -> Self {
        MatrixGame {
            rows,
            columns,
            entries,
            denominator,
        }
    }

    /// Returns the number of rows, which is at least 1.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    /// let game = MatrixGame::new([[1, 2, 3], [4, 5, 6]])?;
    /// assert_eq!((game.rows(), game.columns()), (2, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns, which is at least 1.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_mdp::MatrixGame::new([[1, 2], [3, 4], [5, 6]])?.columns(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the number of pure strategies of a player: rows or columns.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{MatrixGame, Side};
    /// let game = MatrixGame::new([[1, 2, 3], [4, 5, 6]])?;
    /// assert_eq!(game.strategies(Side::Column), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn strategies(&self, side: Side) -> usize {
        match side {
            Side::Row => self.rows,
            Side::Column => self.columns,
        }
    }

    /// Returns what the row player receives at this row and column, or `None` outside the matrix.
    ///
    /// # Examples
    /// Paper, the second row, against rock, the first column:
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    /// let rock_paper_scissors = MatrixGame::new([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])?;
    /// assert_eq!(rock_paper_scissors.payoff(1, 0).map(|won| won.to_string()), Some("1".into()));
    /// assert_eq!(rock_paper_scissors.payoff(1, 3), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn payoff(&self, row: usize, column: usize) -> Option<BigRational> {
        if column >= self.columns {
            return None;
        }
        let place = row.checked_mul(self.columns)?.checked_add(column)?;
        self.entries.get(place).map(|entry| self.ratio(entry))
    }

    /// Returns the same game with the players' seats exchanged: the columns become the rows, and
    /// every payoff changes its sign. Its value is minus the value of this game.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    /// let game = MatrixGame::new([[1, 2, 3], [4, 5, 6]])?;
    /// assert_eq!(game.swapped(), MatrixGame::new([[-1, -4], [-2, -5], [-3, -6]])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn swapped(&self) -> Self {
        let cells = (0..self.columns).flat_map(|c| (0..self.rows).map(move |r| (r, c)));
        MatrixGame {
            rows: self.columns,
            columns: self.rows,
            entries: cells.map(|(r, c)| -self.entry(r, c)).collect(),
            denominator: self.denominator.clone(),
        }
    }

    /// Returns the game restricted to these rows and columns, which must exist.
    fn sub(&self, rows: &[usize], columns: &[usize]) -> Self {
        let cells = rows
            .iter()
            .flat_map(|&r| columns.iter().map(move |&c| (r, c)));
        let mut entries: Vec<BigInt> = cells.map(|(r, c)| self.entry(r, c).clone()).collect();
        let mut denominator = self.denominator.clone();
        // Lowest terms, so that equal games are equal.
        let divisor = entries.iter().fold(denominator.clone(), |gcd, entry| {
            if gcd.is_one() { gcd } else { gcd.gcd(entry) }
        });
        if !divisor.is_one() {
            entries.iter_mut().for_each(|entry| *entry /= &divisor);
            denominator /= divisor;
        }
        MatrixGame {
            rows: rows.len(),
            columns: columns.len(),
            entries,
            denominator,
        }
    }

    /// Returns an entry times `denominator`.
    fn entry(&self, row: usize, column: usize) -> &BigInt {
        &self.entries[row * self.columns + column]
    }

    /// Returns the entry where `side` plays `own` and the opponent plays `other`.
    fn entry_of(&self, side: Side, own: usize, other: usize) -> &BigInt {
        match side {
            Side::Row => self.entry(own, other),
            Side::Column => self.entry(other, own),
        }
    }

    fn ratio(&self, entry: &BigInt) -> BigRational {
        BigRational::new(entry.clone(), self.denominator.clone())
    }
}

/// Returns the number of 64-bit words that an integer takes; one for zero.
fn words(integer: &BigInt) -> u64 {
    if integer.is_zero() {
        return 1;
    }
    integer.magnitude().bits().div_ceil(64)
}

/// Displays a table: one line per row, right-aligned columns, entries as fractions.
///
/// # Examples
/// ```
/// let game = oddsmith_mdp::MatrixGame::new([["0.5", "-12"], ["3", "-1/3"]])?;
/// assert_eq!(game.to_string(), "1/2   -12\n  3  -1/3\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for MatrixGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self
            .entries
            .iter()
            .map(|entry| self.ratio(entry).to_string())
            .collect();
        let widths: Vec<usize> = (0..self.columns)
            .map(|column| {
                let column = texts.iter().skip(column).step_by(self.columns);
                column.map(String::len).max().unwrap_or(0)
            })
            .collect();
        for row in texts.chunks(self.columns) {
            for (column, text) in row.iter().enumerate() {
                let gap = if column == 0 { "" } else { "  " };
                write!(f, "{gap}{text:>width$}", width = widths[column])?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// The maximum number of words of all numerators of a strategy: 128 MiB. Denominators without
/// common factors make numbers that grow with each of them.
const MOST_WORDS: u64 = 1 << 24;

/// Formats a number for an error message, shortened if it is long.
fn shown(number: &BigRational) -> String {
    let text = number.to_string();
    match (text.len() > 60, number.to_f64()) {
        (true, Some(near)) => format!("about {near:e}"),
        _ => text,
    }
}

/// Returns numerators over one denominator, after checking that these are probabilities.
fn probabilities(ratios: &[BigRational]) -> Result<(Vec<BigInt>, BigInt), Error> {
    if let Some(index) = ratios.iter().position(Signed::is_negative) {
        return Err(Error::BadStrategy {
            what: format!(
                "probabilities must be 0 or more, got {} for {index}",
                shown(&ratios[index])
            ),
        });
    }
    let mut total = BigUint::one();
    for ratio in ratios {
        cover(&mut total, ratio.denom().magnitude());
        if total.bits().div_ceil(64) * ratios.len() as u64 > MOST_WORDS {
            return Err(Error::BadStrategy {
                what: format!(
                    "over a common denominator, its {} probabilities exceed the limit of 128 MiB",
                    ratios.len()
                ),
            });
        }
    }
    let total = BigInt::from(total);
    let weights: Vec<BigInt> = ratios
        .iter()
        .map(|ratio| ratio.numer() * (&total / ratio.denom()))
        .collect();
    let sum: BigInt = weights.iter().sum();
    if sum != total {
        return Err(Error::BadStrategy {
            what: format!(
                "the probabilities must sum to 1, got a sum of {}",
                shown(&BigRational::new(sum, total))
            ),
        });
    }
    Ok((weights, total))
}
