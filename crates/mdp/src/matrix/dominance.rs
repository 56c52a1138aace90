//! Dominance: rows and columns that no player needs, and what is left without them.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigInt;
use num_traits::Signed;

use super::{MatrixGame, Side, Strategy};
use crate::Error;

/// How one strategy beats another of the same side.
///
/// # Examples
/// The first column concedes less only in the second row:
/// ```
/// use oddsmith_mdp::{Dominance, MatrixGame, Side};
/// let game = MatrixGame::new([[1, 1], [0, 2]])?;
/// let found = game.dominates(Side::Column, 0, 1);
/// assert_eq!(found, Some(Dominance::Weak));
/// assert_eq!(found.map(|how| how.to_string()), Some("weakly".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Dominance {
    /// Better against every strategy of the other side.
    Strict,
    /// Never worse, and better against at least one.
    Weak,
}

impl fmt::Display for Dominance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dominance::Strict => "strictly",
            Dominance::Weak => "weakly",
        })
    }
}

/// The strategy that dominates another one.
///
/// # Examples
/// A mixture of the first two rows is better than the third, but no single row is:
/// ```
/// use oddsmith_mdp::{Dominator, MatrixGame, Strategy};
/// let game = MatrixGame::new([[3, 0], [0, 3], [1, 1]])?;
/// let even = Strategy::new([(1, 2), (1, 2), (0, 1)])?;
/// assert_eq!(game.eliminate_mixed()?.removals()[0].by, Dominator::Mixed(even));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Dominator {
    /// Another row or column.
    Pure(usize),
    /// A mixture of the others.
    Mixed(Strategy),
}

/// One step of an [`Elimination`]: which row or column was removed, and why.
///
/// Rows and columns have the numbers of the original game.
///
/// # Examples
/// ```
/// use oddsmith_mdp::{Dominator, MatrixGame, Side};
/// let game = MatrixGame::new([[1, 2], [3, 4]])?;
/// let first = game.eliminate().removals()[0].clone();
/// assert_eq!((first.side, first.removed), (Side::Row, 0));
/// assert_eq!(first.by, Dominator::Pure(1));
/// assert_eq!(first.to_string(), "row 0 is strictly dominated by row 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Removal {
    /// The player whose strategy was removed.
    pub side: Side,
    /// The row or column that was removed.
    pub removed: usize,
    /// The strategy that dominates it. A mixture has a probability for every row or column of the
    /// original game, which is zero for those removed earlier.
    pub by: Dominator,
    /// Whether it dominates strictly or weakly.
    pub dominance: Dominance,
}

impl fmt::Display for Removal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (side, how) = (self.side, self.dominance);
        write!(f, "{side} {} is {how} dominated by ", self.removed)?;
        match &self.by {
            Dominator::Pure(by) => write!(f, "{side} {by}"),
            Dominator::Mixed(by) => write!(f, "the mixture {by} of {side}s"),
        }
    }
}

/// The game that is left when dominated rows and columns are removed repeatedly, with a log of what
/// was removed and why.
///
/// # Examples
/// ```
/// use oddsmith_mdp::MatrixGame;
///
/// let game = MatrixGame::new([[1, 1, 3], [0, 2, 4], [-1, 0, 9]])?;
/// let elimination = game.eliminate();
/// assert_eq!(elimination.columns(), [0, 1]);
/// assert_eq!(elimination.game().to_string(), "1  1\n0  2\n");
/// assert_eq!(
///     elimination.to_string(),
///     "column 2 is strictly dominated by column 0\n\
///      row 2 is strictly dominated by row 0\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Elimination {
    game: MatrixGame,
    rows: Vec<usize>,
    columns: Vec<usize>,
    removals: Vec<Removal>,
}

impl Elimination {
    /// Returns the game that is left, which has at least one row and one column.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    /// let elimination = MatrixGame::new([[1, 2], [3, 4]])?.eliminate();
    /// assert_eq!(elimination.game(), &MatrixGame::new([[3]])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn game(&self) -> &MatrixGame {
        &self.game
    }

    /// Returns the rows that are left, by their numbers in the original game.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    /// assert_eq!(MatrixGame::new([[1, 2], [3, 4]])?.eliminate().rows(), [1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// Returns the columns that are left, by their numbers in the original game.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    /// let elimination = MatrixGame::new([[9, 1, 0], [9, 0, 1]])?.eliminate();
    /// assert_eq!(elimination.columns(), [1, 2]); // nobody concedes 9
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// Returns what was removed, in order.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{MatrixGame, Side};
    /// let elimination = MatrixGame::new([[1, 2], [3, 4]])?.eliminate();
    /// let removed: Vec<(Side, usize)> =
    ///     elimination.removals().iter().map(|step| (step.side, step.removed)).collect();
    /// assert_eq!(removed, [(Side::Row, 0), (Side::Column, 1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn removals(&self) -> &[Removal] {
        &self.removals
    }

    fn left(&mut self, side: Side) -> &mut Vec<usize> {
        match side {
            Side::Row => &mut self.rows,
            Side::Column => &mut self.columns,
        }
    }
}

/// Displays the log, one line per removal.
///
/// # Examples
/// ```
/// let game = oddsmith_mdp::MatrixGame::new([[1, 5], [0, 2]])?;
/// assert_eq!(
///     game.eliminate().to_string(),
///     "row 1 is strictly dominated by row 0\n\
///      column 1 is strictly dominated by column 0\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for Elimination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.removals
            .iter()
            .try_for_each(|removal| writeln!(f, "{removal}"))
    }
}

impl MatrixGame {
    /// Returns how strategy `better` of `side` dominates strategy `worse`; `None` if it does not,
    /// or if one of them does not exist.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Dominance, MatrixGame, Side};
    ///
    /// let game = MatrixGame::new([[1, 2], [3, 4], [3, 5]])?;
    /// assert_eq!(game.dominates(Side::Row, 1, 0), Some(Dominance::Strict));
    /// assert_eq!(game.dominates(Side::Row, 2, 1), Some(Dominance::Weak));
    /// assert_eq!(game.dominates(Side::Row, 1, 2), None);
    /// assert_eq!(game.dominates(Side::Column, 0, 1), Some(Dominance::Strict));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn dominates(&self, side: Side, better: usize, worse: usize) -> Option<Dominance> {
        let count = self.strategies(side);
        if better >= count || worse >= count {
            return None;
        }
        let (mut always, mut ever) = (true, false);
        for other in 0..self.strategies(side.opponent()) {
            let (a, b) = (
                self.entry_of(side, better, other),
                self.entry_of(side, worse, other),
            );
            let order = match side {
                Side::Row => a.cmp(b),
                Side::Column => b.cmp(a),
            };
            match order {
                Ordering::Less => return None,
                Ordering::Equal => always = false,
                Ordering::Greater => ever = true,
            }
        }
        ever.then_some(if always {
            Dominance::Strict
        } else {
            Dominance::Weak
        })
    }

    /// Returns a mixture of the other strategies of `side` that is better than `strategy` against
    /// everything that the other side may play; `None` if there is none. It may be pure.
    ///
    /// The other strategies, each with its gain over `strategy`, form a game themselves. A mixture
    /// dominates if it wins that game, so the value of that game decides.
    ///
    /// # Errors
    /// Those of [`solve`](MatrixGame::solve).
    ///
    /// # Examples
    /// The mean of the first two rows is (2, 2). It is better than the third row, which neither of
    /// them dominates:
    /// ```
    /// use oddsmith_mdp::{MatrixGame, Side};
    /// let game = MatrixGame::new([[4, 0], [0, 4], [1, 1]])?;
    /// let mixture = game.mixed_dominator(Side::Row, 2)?;
    /// assert_eq!(mixture.map(|m| m.to_string()), Some("(1/2, 1/2, 0)".into()));
    /// assert_eq!(game.mixed_dominator(Side::Row, 0)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mixed_dominator(&self, side: Side, strategy: usize) -> Result<Option<Strategy>, Error> {
        let (count, others) = (self.strategies(side), self.strategies(side.opponent()));
        if strategy >= count || count == 1 {
            return Ok(None);
        }
        let gain = |own: usize, other: usize| {
            let gain = self.entry_of(side, own, other) - self.entry_of(side, strategy, other);
            match side {
                Side::Row => gain,
                Side::Column => -gain,
            }
        };
        let own = (0..count).filter(|&own| own != strategy);
        let gains = MatrixGame {
            rows: count - 1,
            columns: others,
            entries: own
                .flat_map(|own| (0..others).map(move |other| gain(own, other)))
                .collect(),
            denominator: self.denominator.clone(),
        };
        let found = gains.solve()?;
        if !found.value().is_positive() {
            return Ok(None);
        }
        let mut weights: Vec<BigInt> = found.row().weights().to_vec();
        weights.insert(strategy, BigInt::ZERO);
        Ok(Some(Strategy::from_weights(weights)))
    }

    /// Removes strictly dominated rows and columns until none is left. Neither the value nor any
    /// optimal strategy is lost, and the result does not depend on the order (the first removable
    /// row is removed first, then the first column).
    ///
    /// # Complexity
    /// At most rows + columns removals, each after a comparison of every pair of rows and of
    /// columns.
    ///
    /// # Examples
    /// The third row is removed first, then the first column, then the second row:
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    /// let game = MatrixGame::new([[2, 1], [3, 0], [0, -1]])?;
    /// let left = game.eliminate();
    /// assert_eq!((left.rows(), left.columns()), (&[0][..], &[1][..]));
    /// assert_eq!(game.value()?.to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn eliminate(&self) -> Elimination {
        let mut left = self.all();
        while let Some(removal) = left.next_pure(true) {
            left.remove(self, removal);
        }
        left
    }

    /// Does the same as [`eliminate`](MatrixGame::eliminate), but also removes weakly dominated
    /// rows and columns. The value stays the same. Optimal strategies may be lost; which ones
    /// depends on the order.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    /// let game = MatrixGame::new([[1, 2], [1, 3]])?;
    /// assert_eq!(game.eliminate().rows(), [0, 1]);
    /// let left = game.eliminate_weakly();
    /// assert_eq!((left.rows(), left.columns()), (&[1][..], &[0][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn eliminate_weakly(&self) -> Elimination {
        let mut left = self.all();
        while let Some(removal) = left.next_pure(false) {
            left.remove(self, removal);
        }
        left
    }

    /// Does the same as [`eliminate`](MatrixGame::eliminate), but also removes strategies that only
    /// a mixture strictly dominates.
    ///
    /// # Errors
    /// Those of [`solve`](MatrixGame::solve).
    ///
    /// # Complexity
    /// One game is solved for each row and column that is left, each time that no pure strategy
    /// dominates.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    /// let game = MatrixGame::new([[4, 0], [0, 4], [1, 1]])?;
    /// assert_eq!(
    ///     game.eliminate_mixed()?.to_string(),
    ///     "row 2 is strictly dominated by the mixture (1/2, 1/2, 0) of rows\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn eliminate_mixed(&self) -> Result<Elimination, Error> {
        let mut left = self.all();
        loop {
            let removal = match left.next_pure(true) {
                Some(removal) => removal,
                None => match left.next_mixed(self)? {
                    Some(removal) => removal,
                    None => return Ok(left),
                },
            };
            left.remove(self, removal);
        }
    }

    fn all(&self) -> Elimination {
        Elimination {
            game: self.clone(),
            rows: (0..self.rows).collect(),
            columns: (0..self.columns).collect(),
            removals: Vec::new(),
        }
    }
}

impl Elimination {
    /// Returns the next removal that is due to a single row or column.
    fn next_pure(&mut self, strictly: bool) -> Option<Removal> {
        for side in [Side::Row, Side::Column] {
            for worse in 0..self.game.strategies(side) {
                for better in 0..self.game.strategies(side) {
                    if let Some(dominance) = self.game.dominates(side, better, worse)
                        && (dominance == Dominance::Strict || !strictly)
                    {
                        let left = self.left(side);
                        return Some(Removal {
                            side,
                            removed: left[worse],
                            by: Dominator::Pure(left[better]),
                            dominance,
                        });
                    }
                }
            }
        }
        None
    }

    /// Returns the next removal that is due to a mixture.
    fn next_mixed(&mut self, whole: &MatrixGame) -> Result<Option<Removal>, Error> {
        for side in [Side::Row, Side::Column] {
            for worse in 0..self.game.strategies(side) {
                if let Some(mixture) = self.game.mixed_dominator(side, worse)? {
                    let mut weights = vec![BigInt::ZERO; whole.strategies(side)];
                    let left = self.left(side);
                    for (&own, weight) in left.iter().zip(mixture.weights()) {
                        weights[own] = weight.clone();
                    }
                    return Ok(Some(Removal {
                        side,
                        removed: left[worse],
                        by: Dominator::Mixed(Strategy::from_weights(weights)),
                        dominance: Dominance::Strict,
                    }));
                }
            }
        }
        Ok(None)
    }

    fn remove(&mut self, whole: &MatrixGame, removal: Removal) {
        self.left(removal.side)
            .retain(|&own| own != removal.removed);
        self.game = whole.sub(&self.rows, &self.columns);
        self.removals.push(removal);
    }
}
