//! The simplex algorithm on integers, for games whose entries are positive.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use super::words;
use crate::Error;

/// A number of the tableau. Every entry is a minor of the matrix (Edmonds), so all divisions are
/// exact. Operations on a machine integer return `None` on overflow.
pub(super) trait Entry: Clone + Ord + Zero + One + Signed {
    /// Returns (self · pivot − a · b) / divisor.
    fn eliminate(&self, pivot: &Self, a: &Self, b: &Self, divisor: &Self) -> Option<Self>;
    /// Compares a · b with c · d.
    fn compare(a: &Self, b: &Self, c: &Self, d: &Self) -> Option<Ordering>;
    fn words(&self) -> u64;
}

impl Entry for i128 {
    #[inline]
    fn eliminate(&self, pivot: &Self, a: &Self, b: &Self, divisor: &Self) -> Option<Self> {
        let product = self.checked_mul(*pivot)?;
        let quotient = product.checked_sub(a.checked_mul(*b)?)? / divisor;
        // The only number without an opposite.
        (quotient != i128::MIN).then_some(quotient)
    }

    fn compare(a: &Self, b: &Self, c: &Self, d: &Self) -> Option<Ordering> {
        Some(a.checked_mul(*b)?.cmp(&c.checked_mul(*d)?))
    }

    fn words(&self) -> u64 {
        2
    }
}

impl Entry for BigInt {
    fn eliminate(&self, pivot: &Self, a: &Self, b: &Self, divisor: &Self) -> Option<Self> {
        // Much of a tableau is zero, which saves half of the work.
        if a.is_zero() || b.is_zero() {
            return Some(self * pivot / divisor);
        }
        Some((self * pivot - a * b) / divisor)
    }

    fn compare(a: &Self, b: &Self, c: &Self, d: &Self) -> Option<Ordering> {
        Some((a * b).cmp(&(c * d)))
    }

    fn words(&self) -> u64 {
        words(self)
    }
}

/// Optimal weights of rows and columns. The value of the game is `numerator` / `denominator`.
pub(super) struct Optimum<E> {
    pub(super) rows: Vec<E>,
    pub(super) columns: Vec<E>,
    pub(super) numerator: E,
    pub(super) denominator: E,
    pub(super) pivots: u64,
}

/// Why no optimum was found.
pub(super) enum Stop {
    /// The numbers exceed the type of the entries.
    Overflow,
    Limit(Error),
}

/// A condensed tableau: one column for each nonbasic variable, one row for each basic variable, and
/// a last row (costs) and column (right-hand side).
struct Tableau<E> {
    rows: usize,
    columns: usize,
    cells: Vec<E>,
    /// The common denominator of all cells.
    divisor: E,
    /// The variable of each row: below `columns` the weight of a column of the game, from there up
    /// the slack of one of its rows.
    basis: Vec<usize>,
    outside: Vec<usize>,
}

/// Maximizes Σy subject to Σ_j b_ij y_j ≤ 1, y ≥ 0, for a matrix b of positive integers. Then 1 /
/// Σy is the value of the game, and y / Σy and the dual solution are optimal strategies (G.
/// Dantzig, "A Proof of the Equivalence of the Programming Problem and the Game Problem", 1951).
///
/// Pivots preserve integers (J. Edmonds, "Systems of distinct representatives and linear algebra",
/// 1967). The column of steepest cost enters. After a pivot without gain, the first improving
/// column and the first row that allows it are taken until a pivot gains again (R. Bland, "New
/// finite pivoting rules for the simplex method", 1977), so that no basis is repeated.
///
/// `limit` bounds the work: for every cell, each pivot counts as the square of the number of words
/// that the cells take by then.
pub(super) fn optimum<E: Entry>(
    matrix: Vec<E>,
    rows: usize,
    columns: usize,
    limit: u64,
) -> Result<Optimum<E>, Stop> {
    let mut tableau = Tableau::new(matrix, rows, columns);
    let (mut pivots, mut work) = (0_u64, 0_u64);
    let mut cautious = false;
    // Since b > 0, the weights are bounded, and some row always limits them.
    while let Some(column) = tableau.entering(cautious)
        && let Some(row) = tableau.leaving(column).ok_or(Stop::Overflow)?
    {
        let (cells, words) = (tableau.cells.len() as u64, tableau.divisor.words());
        let products = cells.saturating_mul(words.saturating_mul(words));
        work = work.saturating_add(products);
        if work > limit {
            return Err(Stop::Limit(Error::TooManyPivots { pivots, limit }));
        }
        cautious = tableau.at(row, columns).is_zero();
        tableau.pivot(row, column).ok_or(Stop::Overflow)?;
        pivots += 1;
    }
    Ok(tableau.read(pivots))
}

impl<E: Entry> Tableau<E> {
    fn new(matrix: Vec<E>, rows: usize, columns: usize) -> Self {
        let mut cells = Vec::with_capacity((rows + 1) * (columns + 1));
        let mut entries = matrix.into_iter();
        for _ in 0..rows {
            cells.extend(entries.by_ref().take(columns));
            cells.push(E::one());
        }
        cells.resize(cells.len() + columns, -E::one());
        cells.push(E::zero());
        Tableau {
            rows,
            columns,
            cells,
            divisor: E::one(),
            basis: (columns..columns + rows).collect(),
            outside: (0..columns).collect(),
        }
    }

    fn at(&self, row: usize, column: usize) -> &E {
        &self.cells[row * (self.columns + 1) + column]
    }

    /// Returns the column whose variable is to grow, or `None` at the optimum.
    fn entering(&self, cautious: bool) -> Option<usize> {
        let gains = (0..self.columns).filter(|&column| self.at(self.rows, column).is_negative());
        if cautious {
            return gains.min_by_key(|&column| self.outside[column]);
        }
        gains.min_by(|&a, &b| self.at(self.rows, a).cmp(self.at(self.rows, b)))
    }

    /// Returns the row whose variable is the first to reach zero; in case of a tie, the row of the
    /// lowest variable. The outer `None` is an overflow.
    fn leaving(&self, column: usize) -> Option<Option<usize>> {
        let mut best: Option<usize> = None;
        for row in 0..self.rows {
            if !self.at(row, column).is_positive() {
                continue;
            }
            let Some(old) = best else {
                best = Some(row);
                continue;
            };
            // b_row / a_row against b_old / a_old
            let order = E::compare(
                self.at(row, self.columns),
                self.at(old, column),
                self.at(old, self.columns),
                self.at(row, column),
            )?;
            if order.then(self.basis[row].cmp(&self.basis[old])).is_lt() {
                best = Some(row);
            }
        }
        Some(best)
    }

    /// Exchanges the variables of a row and a column. Returns `None` on overflow.
    fn pivot(&mut self, row: usize, column: usize) -> Option<()> {
        let width = self.columns + 1;
        let pivot_row: Vec<E> = self.cells[row * width..(row + 1) * width].to_vec();
        let pivot = &pivot_row[column];
        for (index, cells) in self.cells.chunks_mut(width).enumerate() {
            if index == row {
                cells[column] = self.divisor.clone();
                continue;
            }
            let factor = cells[column].clone();
            for (place, cell) in cells.iter_mut().enumerate() {
                if place != column {
                    *cell = cell.eliminate(pivot, &factor, &pivot_row[place], &self.divisor)?;
                }
            }
            cells[column] = -factor;
        }
        self.divisor = pivot.clone();
        std::mem::swap(&mut self.basis[row], &mut self.outside[column]);
        Some(())
    }

    fn read(self, pivots: u64) -> Optimum<E> {
        let mut rows = vec![E::zero(); self.rows];
        let mut columns = vec![E::zero(); self.columns];
        for (row, &variable) in self.basis.iter().enumerate() {
            if variable < self.columns {
                columns[variable] = self.at(row, self.columns).clone();
            }
        }
        for (column, &variable) in self.outside.iter().enumerate() {
            if variable >= self.columns {
                rows[variable - self.columns] = self.at(self.rows, column).clone();
            }
        }
        Optimum {
            denominator: self.at(self.rows, self.columns).clone(),
            numerator: self.divisor,
            rows,
            columns,
            pivots,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve<E: Entry + From<i32>>(matrix: &[i32], rows: usize) -> Optimum<E> {
        let columns = matrix.len() / rows;
        let matrix = matrix.iter().map(|&entry| E::from(entry)).collect();
        match optimum(matrix, rows, columns, u64::MAX) {
            Ok(optimum) => optimum,
            Err(_) => panic!("no optimum"),
        }
    }

    #[test]
    fn machine_integers_and_long_ones_take_the_same_way() {
        let mut seed = 7_u32;
        for round in 0..200 {
            let (rows, columns) = (1 + round % 5, 1 + round / 5 % 6);
            let matrix: Vec<i32> = (0..rows * columns)
                .map(|_| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    1 + (seed >> 24) as i32 % 7
                })
                .collect();
            let small = solve::<i128>(&matrix, rows);
            let long = solve::<BigInt>(&matrix, rows);
            assert_eq!(BigInt::from(small.numerator), long.numerator);
            assert_eq!(BigInt::from(small.denominator), long.denominator);
            assert_eq!(small.pivots, long.pivots);
            let rows: Vec<BigInt> = small.rows.iter().map(|&w| BigInt::from(w)).collect();
            assert_eq!(rows, long.rows);
        }
    }

    #[test]
    fn overflow_is_noticed() {
        let matrix = vec![i128::MAX, 1, 1, i128::MAX - 1];
        assert!(matches!(
            optimum(matrix, 2, 2, u64::MAX),
            Err(Stop::Overflow)
        ));
    }
}
