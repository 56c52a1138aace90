//! What can be secured without mixing: maximin, minimax and saddle points.

use num_bigint::BigInt;
use num_rational::BigRational;

use super::{MatrixGame, Side};
use crate::score::compare;

/// What a player can secure by a single row or column.
///
/// # Examples
/// Both rows secure 1, and neither secures more:
/// ```
/// use oddsmith_mdp::{Guarantee, MatrixGame};
/// let secured: Guarantee = MatrixGame::new([[1, 2], [5, 1]])?.maximin();
/// assert_eq!(secured.value.to_string(), "1");
/// assert_eq!(secured.strategies, [0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Guarantee {
    /// The payoff to the row player that is secured, or that the row player is held to.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "crate::written::value::serialize")
    )]
    pub value: BigRational,
    /// The rows or columns that secure it, in ascending order.
    pub strategies: Vec<usize>,
}

impl MatrixGame {
    /// Returns the highest payoff that a single row secures against every column, and the rows that
    /// secure it.
    ///
    /// # Complexity
    /// One comparison per entry.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    ///
    /// let game = MatrixGame::new([[3, -1], [0, 2], [1, 0]])?;
    /// let (low, high) = (game.maximin(), game.minimax());
    /// assert_eq!((low.value.to_string(), low.strategies), ("0".into(), vec![1, 2]));
    /// assert_eq!((high.value.to_string(), high.strategies), ("2".into(), vec![1]));
    /// assert_eq!(game.value()?.to_string(), "1"); // between them
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn maximin(&self) -> Guarantee {
        self.pure_guarantee(Side::Row)
    }

    /// Returns the lowest payoff that a single column holds the row player to, and the columns that
    /// do.
    ///
    /// # Examples
    /// The first column concedes up to 5, the second up to 3:
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    /// let conceded = MatrixGame::new([[5, 1], [0, 3]])?.minimax();
    /// assert_eq!((conceded.value.to_string(), conceded.strategies), ("3".into(), vec![1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn minimax(&self) -> Guarantee {
        self.pure_guarantee(Side::Column)
    }

    fn pure_guarantee(&self, side: Side) -> Guarantee {
        let worst = |own: usize| {
            let entries = (0..self.strategies(side.opponent()))
                .map(move |other| self.entry_of(side, own, other));
            match side {
                Side::Row => entries.min(),
                Side::Column => entries.max(),
            }
        };
        // A game has at least one row and one column, so nothing here is `None`.
        let worsts: Vec<Option<&BigInt>> = (0..self.strategies(side)).map(worst).collect();
        let best = match side {
            Side::Row => worsts.iter().max(),
            Side::Column => worsts.iter().min(),
        };
        let best = best.copied().flatten();
        let places = worsts.iter().enumerate();
        Guarantee {
            value: best.map(|entry| self.ratio(entry)).unwrap_or_default(),
            strategies: places
                .filter(|(_, worst)| **worst == best)
                .map(|(place, _)| place)
                .collect(),
        }
    }

    /// Returns all saddle points (row, column): entries that are lowest in their row and highest in
    /// their column. If there is one, its entry is the value of the game, and no player needs to
    /// mix.
    ///
    /// # Examples
    /// The attacker's gain at RISK, with one to three dice against one or two, as printed in Table
    /// 2 of H. Georgiou, "RISK Board Game – Battle Outcome Analysis", 2004 (without its first row,
    /// which has an empty cell). The saddle point is three dice against two.
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    ///
    /// let risk = MatrixGame::new([["0.1574", "-0.1103"], ["0.3194", "0.0395"]])?;
    /// assert_eq!(risk.saddle_points(), [(1, 1)]);
    /// assert_eq!(risk.value()?.to_string(), "79/2000");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn saddle_points(&self) -> Vec<(usize, usize)> {
        let (low, high) = (self.maximin(), self.minimax());
        if !compare(&low.value, &high.value).is_eq() {
            return Vec::new();
        }
        let cells = low.strategies.iter();
        cells
            .flat_map(|&row| high.strategies.iter().map(move |&column| (row, column)))
            .collect()
    }
}

/// Returns the first saddle point of entries given row by row: the smallest row among those that
/// secure most, with the smallest column among those that concede least.
#[inline]
pub(crate) fn saddle_point<E: PartialOrd>(entries: &[E], columns: usize) -> Option<(usize, usize)> {
    let lines = |side: Side| match side {
        Side::Row => entries.len() / columns,
        Side::Column => columns,
    };
    let at = |side: Side, own: usize, other: usize| match side {
        Side::Row => &entries[own * columns + other],
        Side::Column => &entries[other * columns + own],
    };
    // The row or column whose worst entry for `side` is best, and that entry.
    let guarantee = |side: Side| {
        let better = |a: &E, b: &E| match side {
            Side::Row => a > b,
            Side::Column => a < b,
        };
        let mut kept: Option<(usize, &E)> = None;
        for own in 0..lines(side) {
            let others = (1..lines(side.opponent())).map(|other| at(side, own, other));
            let first = at(side, own, 0);
            let worst = others.fold(first, |a, b| if better(a, b) { b } else { a });
            if kept.is_none_or(|(_, best)| better(worst, best)) {
                kept = Some((own, worst));
            }
        }
        kept
    };
    let ((row, low), (column, high)) = (guarantee(Side::Row)?, guarantee(Side::Column)?);
    (low == high).then_some((row, column))
}
