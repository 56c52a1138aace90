//! Games given in floats: a proven enclosure of the value.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::{MAX_WORDS, MatrixGame, saddle_point};
use crate::Error;

/// A proven enclosure of the value of a game, with strategies that prove it.
///
/// # Examples
/// The second row is best whatever the other player does, and so is the first column:
/// ```
/// use oddsmith_mdp::{EnclosedEquilibrium, MatrixGame};
/// let play: EnclosedEquilibrium = MatrixGame::solve_f64([[1.0, 2.0], [3.0, 4.0]])?;
/// assert_eq!((play.lower, play.upper), (3.0, 3.0));
/// assert_eq!((play.row, play.column), (vec![0.0, 1.0], vec![1.0, 0.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct EnclosedEquilibrium {
    /// What the row strategy secures, rounded down.
    pub lower: f64,
    /// What the column strategy concedes, rounded up.
    pub upper: f64,
    /// The probability of each row, up to rounding.
    pub row: Vec<f64>,
    /// The probability of each column, up to rounding.
    pub column: Vec<f64>,
}

impl MatrixGame {
    /// Encloses the value of a game given in floats, without fractions. Returns lower and upper
    /// bounds that are proven with rounding included, and strategies that prove them.
    ///
    /// The strategies come from a simplex algorithm in floats. However inexact they are, what each
    /// of them secures is a bound. If the bounds are farther apart than rounding explains, the
    /// strategies are computed again in fractions.
    ///
    /// # Errors
    /// [`Error::EmptyMatrix`], [`Error::RaggedMatrix`]; [`Error::BadParameter`] for an entry that
    /// is not finite or is beyond ±2⁹⁵⁹; [`Error::MatrixTooLarge`] for more than 2²⁴ entries;
    /// [`Error::TooManyPivots`] for more than 2³⁵ products, which takes about twenty seconds.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    ///
    /// let play = MatrixGame::solve_f64([[3.0, -1.0], [-1.0, 1.0]])?;
    /// assert!(play.lower <= 1.0 / 3.0 && 1.0 / 3.0 <= play.upper);
    /// assert!(play.upper - play.lower < 1e-14);
    /// assert!((play.row[0] - 1.0 / 3.0).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_f64<R>(rows: impl IntoIterator<Item = R>) -> Result<EnclosedEquilibrium, Error>
    where
        R: IntoIterator<Item = f64>,
    {
        Self::solve_f64_within(rows, MAX_WORDS, MAX_PRODUCTS)
    }

    /// Does the same as [`solve_f64`](MatrixGame::solve_f64), with at most `entries` entries and
    /// this many `products`. Every pivot of the simplex algorithm takes one for each cell of its
    /// tableau. (Work in fractions has the limit of [`solve`](MatrixGame::solve).)
    ///
    /// # Errors
    /// The same as for [`solve_f64`](MatrixGame::solve_f64).
    ///
    /// # Examples
    /// An endless list of rows is refused once the limit is exceeded:
    /// ```
    /// use oddsmith_mdp::{Error, MatrixGame};
    ///
    /// let endless = MatrixGame::solve_f64_within([std::iter::repeat(0.5)], 1_000, 1_000).err();
    /// assert!(matches!(endless, Some(Error::MatrixTooLarge { needed: 1_001, limit: 1_000, .. })));
    ///
    /// let rock_paper_scissors = [[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]];
    /// let error = MatrixGame::solve_f64_within(rock_paper_scissors, 9, 32).err(); // 4 · 4 a pivot
    /// assert_eq!(error, Some(Error::TooManyPivots { pivots: 2, limit: 32 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_f64_within<R>(
        rows: impl IntoIterator<Item = R>,
        entries: u64,
        products: u64,
    ) -> Result<EnclosedEquilibrium, Error>
    where
        R: IntoIterator<Item = f64>,
    {
        let limit = entries;
        let (mut entries, mut columns, mut count) = (Vec::new(), 0, 0);
        for row in rows {
            let before = entries.len();
            for entry in row {
                entries.push(entry);
                if entries.len() as u64 > limit {
                    return Err(Error::MatrixTooLarge {
                        what: "entries",
                        needed: entries.len() as u128,
                        limit,
                    });
                }
            }
            let length = entries.len() - before;
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
        if entries.is_empty() {
            return Err(Error::EmptyMatrix);
        }
        let fits = |entry: &f64| entry.abs() <= LARGEST;
        if let Some(entry) = entries.iter().find(|entry| !fits(entry)) {
            return Err(Error::BadParameter {
                parameter: "an entry of a matrix",
                given: entry.to_string(),
                allowed: "a number between -2^959 and 2^959",
            });
        }
        let found = enclose(columns, &entries, &entries, products)?;
        Ok(EnclosedEquilibrium {
            lower: found.lower,
            upper: found.upper,
            row: normalized(&found.row),
            column: normalized(&found.column),
        })
    }
}

/// The default of the products in [`MatrixGame::solve_f64_within`].
pub(crate) const MAX_PRODUCTS: u64 = 1 << 35;

/// 2⁹⁵⁹: multiplied by weights up to 2⁶⁴, this is still a float.
pub(crate) const LARGEST: f64 = f64::from_bits((1023 + 959) << 52);

/// Bounds on the value of a matrix of intervals, and weights of rows and columns.
pub(crate) struct Found {
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    pub(crate) row: Vec<f64>,
    pub(crate) column: Vec<f64>,
    /// The saddle point if both play pure, as far as the intervals can tell.
    pub(crate) saddle: Option<(usize, usize)>,
}

/// Encloses the values of all matrices between `low` and `high`, with at most this many products in
/// the simplex algorithm.
pub(crate) fn enclose(
    columns: usize,
    low: &[f64],
    high: &[f64],
    products: u64,
) -> Result<Found, Error> {
    let rows = low.len() / columns;
    let pure = |count: usize, place: usize| {
        let mut weights = vec![0.0; count];
        weights[place] = 1.0;
        weights
    };
    let middles: Vec<f64> = low.iter().zip(high).map(|(l, h)| middle(*l, *h)).collect();
    if let Some((row, column)) = saddle_point(&middles, columns) {
        return Ok(Found {
            lower: worst(&low[row * columns..(row + 1) * columns]),
            upper: best(high.iter().skip(column).step_by(columns)),
            row: pure(rows, row),
            column: pure(columns, column),
            saddle: Some((row, column)),
        });
    }
    let bound = |(row, column): &(Vec<f64>, Vec<f64>)| {
        let secured = (0..columns).map(|column| {
            let entries = low.iter().skip(column).step_by(columns);
            mean(
                row.iter()
                    .copied()
                    .zip(entries.map(|&entry| (entry, entry))),
            )
            .0
        });
        let conceded = (0..rows).map(|row| {
            let entries = high[row * columns..(row + 1) * columns].iter();
            mean(
                column
                    .iter()
                    .copied()
                    .zip(entries.map(|&entry| (entry, entry))),
            )
            .1
        });
        (
            secured.fold(f64::INFINITY, f64::min),
            conceded.fold(f64::NEG_INFINITY, f64::max),
        )
    };
    let widths = low.iter().zip(high).map(|(l, h)| h - l);
    let width = widths.fold(0.0, f64::max);
    let (least, most) = (worst(&middles), best(middles.iter()));
    let mut found = mix(&middles, rows, columns, products)?;
    let (mut lower, mut upper) = bound(&found);
    // Cancellation, or numerical trouble in the simplex algorithm.
    if upper - lower > 2.0 * width + 1e-13 * (most - least)
        && let Some(exact) = mix_exactly(&middles, columns)
    {
        let bounds = bound(&exact);
        if bounds.1 - bounds.0 < upper - lower {
            found = exact;
            (lower, upper) = bounds;
        }
    }
    // What can be secured without mixing is a bound as well. It also decides whether there is
    // certainly no saddle point.
    let secured = low.chunks(columns).map(worst).enumerate();
    let secured = secured.fold((0, f64::NEG_INFINITY), |a, b| if b.1 > a.1 { b } else { a });
    let conceded = (0..columns).map(|column| best(high.iter().skip(column).step_by(columns)));
    let conceded = conceded.enumerate();
    let conceded = conceded.fold((0, f64::INFINITY), |a, b| if b.1 < a.1 { b } else { a });
    let saddle = (conceded.1 - secured.1 <= 3.0 * width).then_some((secured.0, conceded.0));
    let (row, column) = match saddle {
        Some((row, column)) => (pure(rows, row), pure(columns, column)),
        None => found,
    };
    Ok(Found {
        lower: lower.max(secured.1),
        upper: upper.min(conceded.1),
        row,
        column,
        saddle,
    })
}

pub(crate) fn middle(low: f64, high: f64) -> f64 {
    low + (high - low) / 2.0
}

fn worst(entries: &[f64]) -> f64 {
    entries.iter().copied().fold(f64::INFINITY, f64::min)
}

fn best<'a>(entries: impl Iterator<Item = &'a f64>) -> f64 {
    entries.copied().fold(f64::NEG_INFINITY, f64::max)
}

/// Returns the probabilities for these weights.
pub(crate) fn normalized(weights: &[f64]) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / total).collect()
}

/// Encloses Σ weight · value / Σ weight, for nonnegative weights that are not all zero and
/// enclosures of the values. The weights are correct within two roundings.
///
/// With k terms, each sum has k roundings. The products have one, the weights two in each sum, and
/// there is one division: at most 2k + 6 roundings of 2⁻⁵³ each. The bound takes twice as many, for
/// the products of errors and its own rounding. The mean also lies between the lowest and the
/// highest value.
#[inline]
pub(crate) fn mean(terms: impl Iterator<Item = (f64, (f64, f64))>) -> (f64, f64) {
    let (mut total, mut low, mut high, mut size) = (0.0, 0.0, 0.0, 0.0);
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut count = 0_u32;
    for (weight, (l, h)) in terms {
        if weight == 0.0 {
            continue;
        }
        count += 1;
        total += weight;
        low += weight * l;
        high += weight * h;
        size += weight * l.abs().max(h.abs());
        least = f64::min(least, l);
        most = f64::max(most, h);
    }
    let roundings = 2.0 * f64::from(count) + 6.0;
    // The smallest normal number covers what products lose below it.
    let error = roundings * f64::EPSILON * (size / total) + f64::MIN_POSITIVE;
    (
        (low / total - error).next_down().max(least),
        (high / total + error).next_up().min(most),
    )
}

/// Returns approximate weights of optimal strategies in a matrix without a saddle point.
fn mix(
    matrix: &[f64],
    rows: usize,
    columns: usize,
    products: u64,
) -> Result<(Vec<f64>, Vec<f64>), Error> {
    if let ([a, b, c, d], 2) = (matrix, columns) {
        let row = vec![(d - c).abs(), (a - b).abs()];
        let column = vec![(d - b).abs(), (a - c).abs()];
        return Ok((normalized(&row), normalized(&column)));
    }
    simplex(matrix, rows, columns, products)
}

/// The algorithm of [`optimum`](super::simplex::optimum) in floats. It may stop early.
fn simplex(
    matrix: &[f64],
    rows: usize,
    columns: usize,
    limit: u64,
) -> Result<(Vec<f64>, Vec<f64>), Error> {
    let (least, most) = (worst(matrix), best(matrix.iter()));
    let width = columns + 1;
    let mut cells = Vec::with_capacity((rows + 1) * width);
    for row in matrix.chunks(columns) {
        cells.extend(
            row.iter()
                .map(|entry| 1.0 + (entry - least) / (most - least)),
        );
        cells.push(1.0);
    }
    cells.resize(cells.len() + columns, -1.0);
    cells.push(0.0);
    let mut basis: Vec<usize> = (columns..columns + rows).collect();
    let mut outside: Vec<usize> = (0..columns).collect();
    const NOTHING: f64 = 1e-12;
    let most = limit / cells.len() as u64;
    for pivots in 0..64 + 16 * (rows + columns) as u64 {
        let costs = &cells[rows * width..rows * width + columns];
        let entering = (0..columns).min_by(|&a, &b| costs[a].total_cmp(&costs[b]));
        let Some(column) = entering.filter(|&column| costs[column] < -NOTHING) else {
            break;
        };
        let limits = (0..rows).filter(|&row| cells[row * width + column] > NOTHING);
        let ratio = |row: usize| cells[row * width + columns] / cells[row * width + column];
        let Some(row) = limits.min_by(|&a, &b| ratio(a).total_cmp(&ratio(b))) else {
            break;
        };
        if pivots >= most {
            return Err(Error::TooManyPivots { pivots, limit });
        }
        let pivot = cells[row * width + column];
        let mut pivot_row = cells[row * width..(row + 1) * width].to_vec();
        pivot_row[column] = 1.0;
        pivot_row.iter_mut().for_each(|cell| *cell /= pivot);
        for (index, line) in cells.chunks_mut(width).enumerate() {
            if index == row {
                line.copy_from_slice(&pivot_row);
                continue;
            }
            let factor = std::mem::replace(&mut line[column], 0.0);
            for (cell, own) in line.iter_mut().zip(&pivot_row) {
                *cell -= factor * own;
            }
        }
        std::mem::swap(&mut basis[row], &mut outside[column]);
    }
    let (mut row, mut column) = (vec![0.0; rows], vec![0.0; columns]);
    for (place, &variable) in basis.iter().enumerate() {
        if variable < columns {
            column[variable] = cells[place * width + columns].max(0.0);
        }
    }
    for (place, &variable) in outside.iter().enumerate() {
        if variable >= columns {
            row[variable - columns] = cells[rows * width + place].max(0.0);
        }
    }
    // Stopped before a side had any weight: any strategy will do for a bound.
    for weights in [&mut row, &mut column] {
        if weights.iter().sum::<f64>() <= 0.0 {
            weights.fill(1.0);
        }
    }
    Ok((row, column))
}

/// Does the same as [`mix`], by fractions.
fn mix_exactly(matrix: &[f64], columns: usize) -> Option<(Vec<f64>, Vec<f64>)> {
    let ratios: Option<Vec<BigRational>> = matrix
        .iter()
        .map(|&entry| BigRational::from_float(entry))
        .collect();
    let game = MatrixGame::new(ratios?.chunks(columns).map(<[_]>::to_vec)).ok()?;
    let best = game.solve().ok()?;
    let float = |p: BigRational| p.to_f64().unwrap_or(0.0).max(0.0);
    let row: Vec<f64> = best.row().probabilities().map(float).collect();
    let column: Vec<f64> = best.column().probabilities().map(float).collect();
    let some = |weights: &[f64]| weights.iter().sum::<f64>() > 0.0;
    (some(&row) && some(&column)).then_some((row, column))
}

/// Returns the floats on both sides of a fraction, or the fraction twice if it is a float; `None`
/// beyond [`LARGEST`].
pub(crate) fn around(ratio: &BigRational) -> Option<(f64, f64)> {
    let near = ratio.to_f64().filter(|near| near.abs() <= LARGEST)?;
    let (mut low, mut high) = (near, near);
    while BigRational::from_float(low)? > *ratio {
        low = low.next_down();
    }
    while BigRational::from_float(high)? < *ratio {
        high = high.next_up();
    }
    Some((low, high))
}

/// Does the same as [`around`], for an integer.
pub(crate) fn around_integer(integer: i64) -> (f64, f64) {
    if integer.unsigned_abs() <= 1 << 53 {
        let exact = integer as f64;
        return (exact, exact);
    }
    around(&BigRational::from_integer(BigInt::from(integer))).unwrap_or((f64::MIN, f64::MAX))
}
