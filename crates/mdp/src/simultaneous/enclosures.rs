//! Values as floats that enclose them.

use num_traits::ToPrimitive;

use super::explored::{Cells, Weighed};
use super::ledger::{Appraised, Halt, Ledger, Play};
use crate::matrix::{MAX_PRODUCTS, around, around_integer, enclose, mean, middle, normalized};
use crate::{Error, Score, Side, Strategy};

/// A lower and an upper bound on every value.
#[derive(Debug)]
pub struct Enclosures {
    bounds: Vec<(f64, f64)>,
}

impl Enclosures {
    fn cell(&self, cells: &Cells<'_>, cell: usize) -> (f64, f64) {
        let (targets, weighed) = cells.cell(cell);
        if let [only] = targets {
            return self.bounds[*only as usize];
        }
        let bounds = targets.iter().map(|&target| self.bounds[target as usize]);
        match weighed {
            Weighed::Narrow(weights, _) => {
                mean(weights.iter().map(|&weight| weight as f64).zip(bounds))
            }
            Weighed::Wide(wide) => mean(wide.floats.iter().copied().zip(bounds)),
        }
    }

    /// Returns the bounds of the cells, row by row.
    fn matrix(&self, cells: &Cells<'_>) -> Vec<(f64, f64)> {
        (0..cells.len())
            .map(|cell| self.cell(cells, cell))
            .collect()
    }
}

impl Ledger for Enclosures {
    type Value = f64;
    const EXACT: bool = false;
    const ENTRY: usize = size_of::<(f64, f64)>();

    fn new(states: usize, _: u128) -> Self {
        Enclosures {
            bounds: vec![(0.0, 0.0); states],
        }
    }

    fn end(&mut self, number: usize, score: &Score) -> bool {
        let bounds = match score.as_integer() {
            Some(integer) => Some(around_integer(integer)),
            None => score.to_ratio().and_then(|ratio| around(&ratio)),
        };
        self.bounds[number] = bounds.unwrap_or_default();
        bounds.is_some()
    }

    fn put(&mut self, number: usize, cells: &Cells<'_>, play: Play<'_>) -> Result<bool, Halt> {
        // A strategy that is given may still be none for a single action.
        if cells.len() == 1
            && let Play::Best = play
        {
            self.bounds[number] = self.cell(cells, 0);
            return Ok(true);
        }
        let matrix = self.matrix(cells);
        let (bounds, pure) = match play {
            Play::Best => {
                let (low, high): (Vec<f64>, Vec<f64>) = matrix.into_iter().unzip();
                let found = enclose(cells.columns, &low, &high, MAX_PRODUCTS);
                let found = found.map_err(Halt::Matrix)?;
                ((found.lower, found.upper), found.saddle.is_some())
            }
            Play::Fixed(side, strategy) => {
                let answers = against(side, strategy, &matrix, cells)?.into_iter();
                let worst = match side {
                    Side::Row => answers.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1))),
                    Side::Column => answers.reduce(|a, b| (a.0.max(b.0), a.1.max(b.1))),
                };
                (worst.unwrap_or_default(), false)
            }
            Play::Both(row, column) => {
                let answers = against(Side::Row, row, &matrix, cells)?;
                let weights = weights(column, cells.columns)?;
                (mean(weights.into_iter().zip(answers)), false)
            }
        };
        self.bounds[number] = bounds;
        Ok(pure)
    }

    fn value(&self, number: usize) -> f64 {
        let (low, high) = self.bounds[number];
        middle(low, high)
    }

    fn enclosure(&self, number: usize) -> (f64, f64) {
        self.bounds[number]
    }

    fn appraise(&self, cells: &Cells<'_>) -> Result<Appraised<f64>, Error> {
        let (low, high): (Vec<f64>, Vec<f64>) = self.matrix(cells).into_iter().unzip();
        let found = enclose(cells.columns, &low, &high, MAX_PRODUCTS)?;
        Ok(Appraised {
            payoffs: low.iter().zip(&high).map(|(l, h)| middle(*l, *h)).collect(),
            row: normalized(&found.row),
            column: normalized(&found.column),
            saddles: found.saddle.into_iter().collect(),
        })
    }
}

/// Returns bounds on the payoff of each answer to a strategy.
fn against(
    side: Side,
    strategy: &Strategy,
    matrix: &[(f64, f64)],
    cells: &Cells<'_>,
) -> Result<Vec<(f64, f64)>, Halt> {
    let (own, answers) = match side {
        Side::Row => (cells.rows, cells.columns),
        Side::Column => (cells.columns, cells.rows),
    };
    let weights = weights(strategy, own)?;
    let entry = |own: usize, answer: usize| match side {
        Side::Row => matrix[own * cells.columns + answer],
        Side::Column => matrix[answer * cells.columns + own],
    };
    Ok((0..answers)
        .map(|answer| {
            let terms = weights.iter().enumerate();
            mean(terms.map(|(own, &weight)| (weight, entry(own, answer))))
        })
        .collect())
}

/// Returns the probabilities of a strategy, which must be one for each of `expected` actions.
fn weights(strategy: &Strategy, expected: usize) -> Result<Vec<f64>, Halt> {
    let weights: Vec<f64> = strategy
        .probabilities()
        .map(|p| p.to_f64().unwrap_or(0.0))
        .collect();
    if weights.len() == expected {
        return Ok(weights);
    }
    Err(Halt::Matrix(Error::BadStrategy {
        what: format!(
            "it must have {expected} probabilities, one for each action, got {}",
            weights.len()
        ),
    }))
}
