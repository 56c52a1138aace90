//! Matrix games solved by trying every square submatrix.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

pub(crate) type Matrix = Vec<Vec<BigRational>>;

/// Expansion along the first row.
fn determinant(m: &Matrix) -> BigRational {
    let Some((first, below)) = m.split_first() else {
        return BigRational::one();
    };
    let mut sum = BigRational::zero();
    for (column, entry) in first.iter().enumerate() {
        let minor = determinant(&without_column(below, column));
        let term = entry * minor;
        sum += if column % 2 == 0 { term } else { -term };
    }
    sum
}

fn without_column(rows: &[Vec<BigRational>], column: usize) -> Matrix {
    let rows = rows.iter().cloned();
    rows.map(|mut row| {
        row.remove(column);
        row
    })
    .collect()
}

/// Cofactors: `[i][j]` belongs to row i and column j.
fn cofactors(m: &Matrix) -> Matrix {
    let cofactor = |i: usize, j: usize| {
        let mut rows = m.clone();
        rows.remove(i);
        let minor = determinant(&without_column(&rows, j));
        if (i + j).is_multiple_of(2) {
            minor
        } else {
            -minor
        }
    };
    (0..m.len())
        .map(|i| (0..m.len()).map(|j| cofactor(i, j)).collect())
        .collect()
}

fn subsets(n: usize, size: usize) -> impl Iterator<Item = Vec<usize>> {
    (0_u32..1 << n)
        .filter(move |set| set.count_ones() as usize == size)
        .map(move |set| (0..n).filter(|bit| set >> bit & 1 == 1).collect())
}

/// Value and extreme optimal strategies by L. Shapley and R. Snow, "Basic
/// solutions of discrete games", 1950: of all square submatrices M with
/// s = Σ cofactors ≠ 0, those whose x = Σ_j cofactor_ij / s, y likewise, are
/// optimal in the whole game; their value is det M / s.
pub(crate) struct Kernels {
    pub(crate) value: BigRational,
    pub(crate) rows: Vec<Vec<BigRational>>,
    pub(crate) columns: Vec<Vec<BigRational>>,
}

pub(crate) fn kernels(a: &Matrix) -> Kernels {
    let (m, n) = (a.len(), a[0].len());
    let mut found: Option<Kernels> = None;
    for size in 1..=m.min(n) {
        for rows in subsets(m, size) {
            for columns in subsets(n, size) {
                let sub: Matrix = rows
                    .iter()
                    .map(|&r| columns.iter().map(|&c| a[r][c].clone()).collect())
                    .collect();
                let cofactors = cofactors(&sub);
                let s: BigRational = cofactors.iter().flatten().sum();
                if s.is_zero() {
                    continue;
                }
                let mut x = vec![BigRational::zero(); m];
                let mut y = vec![BigRational::zero(); n];
                for (i, &r) in rows.iter().enumerate() {
                    for (j, &c) in columns.iter().enumerate() {
                        x[r] += &cofactors[i][j] / &s;
                        y[c] += &cofactors[i][j] / &s;
                    }
                }
                if x.iter().chain(&y).any(Signed::is_negative) {
                    continue;
                }
                let value = determinant(&sub) / &s;
                let row_wins =
                    (0..n).all(|c| (0..m).map(|r| &x[r] * &a[r][c]).sum::<BigRational>() >= value);
                let column_holds =
                    (0..m).all(|r| (0..n).map(|c| &y[c] * &a[r][c]).sum::<BigRational>() <= value);
                if row_wins && column_holds {
                    let kernels = found.get_or_insert(Kernels {
                        value: value.clone(),
                        rows: Vec::new(),
                        columns: Vec::new(),
                    });
                    assert_eq!(kernels.value, value, "one game has one value");
                    kernels.rows.push(x);
                    kernels.columns.push(y);
                }
            }
        }
    }
    let mut kernels = found.expect("every game has a kernel");
    for side in [&mut kernels.rows, &mut kernels.columns] {
        side.sort_by(|a, b| b.cmp(a));
        side.dedup();
    }
    kernels
}
