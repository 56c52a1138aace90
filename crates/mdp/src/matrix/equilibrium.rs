//! The value of a game and optimal strategies of both sides.

use std::fmt;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use super::simplex::{Entry, Optimum, Stop, optimum};
use super::{MatrixGame, Side, Strategy};
use crate::{Error, Readable};

/// The default of [`MatrixGame::solve_within`]: some ten seconds.
const MAX_PRODUCTS: u64 = 1 << 27;

/// The value of a [`MatrixGame`] and an optimal strategy of each side.
///
/// # Examples
/// ```
/// use oddsmith_mdp::{Equilibrium, MatrixGame};
/// let play: Equilibrium = MatrixGame::new([[4, 1], [2, 3]])?.solve()?;
/// assert_eq!(play.value().to_string(), "5/2");
/// assert_eq!(play.row().to_string(), "(1/4, 3/4)"); // 5/2 against either column
/// assert_eq!(play.column().to_string(), "(1/2, 1/2)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equilibrium {
    value: BigRational,
    row: Strategy,
    column: Strategy,
    pivots: u64,
}

impl Equilibrium {
    /// Returns the value: what the row player can secure, and be held to.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    /// let equilibrium = MatrixGame::new([[0, 2], [3, 0]])?.solve()?;
    /// assert_eq!(equilibrium.value().to_string(), "6/5"); // 1 / (1/2 + 1/3)
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn value(&self) -> &BigRational {
        &self.value
    }

    /// Returns an optimal strategy of the row player.
    ///
    /// # Examples
    /// A row that pays three times as much is played a third as often:
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    /// let equilibrium = MatrixGame::new([[1, 0], [0, 3]])?.solve()?;
    /// assert_eq!(equilibrium.row().to_string(), "(3/4, 1/4)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn row(&self) -> &Strategy {
        &self.row
    }

    /// Returns an optimal strategy of the column player.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    /// let equilibrium = MatrixGame::new([[0, 2], [3, 0]])?.solve()?;
    /// assert_eq!(equilibrium.column().to_string(), "(2/5, 3/5)"); // 6/5 in either row
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn column(&self) -> &Strategy {
        &self.column
    }

    /// Returns whether neither side has an advantage: the value is zero.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    /// let rock_paper_scissors = MatrixGame::new([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])?;
    /// let equilibrium = rock_paper_scissors.solve()?;
    /// assert!(equilibrium.is_fair());
    /// assert_eq!(equilibrium.row().to_string(), "(1/3, 1/3, 1/3)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_fair(&self) -> bool {
        self.value.is_zero()
    }

    /// Returns the number of pivots of the simplex algorithm, which is zero if there is a saddle
    /// point.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    /// assert_eq!(MatrixGame::new([[1, 2], [3, 4]])?.solve()?.pivots(), 0);
    /// assert_eq!(MatrixGame::new([[1, 0], [0, 1]])?.solve()?.pivots(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pivots(&self) -> u64 {
        self.pivots
    }
}

/// Displays the value, then one line for each side with its strategy.
///
/// # Examples
/// ```
/// use oddsmith_mdp::MatrixGame;
/// let pennies = MatrixGame::new([[3, -1], [-1, 1]])?;
/// assert_eq!(
///     pennies.solve()?.to_string(),
///     "value 1/3 = 0.3333333333333333\nrow (1/3, 2/3)\ncolumn (1/3, 2/3)\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for Equilibrium {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "value {}", Readable(&self.value))?;
        writeln!(f, "row {}\ncolumn {}", self.row, self.column)
    }
}

impl MatrixGame {
    /// Solves the game: its exact value and an optimal strategy of each side. These are pure
    /// strategies (the first saddle point) if there is a saddle point, otherwise those that the
    /// simplex algorithm ends with.
    ///
    /// # Errors
    /// Those of [`solve_within`](MatrixGame::solve_within) with a limit of 2²⁷.
    ///
    /// # Complexity
    /// A pivot writes (rows + 1) · (columns + 1) integers. Each is a minor of the matrix, of some k
    /// · (b + ½ log₂ k) bits for entries of b bits and k = min(rows, columns). Machine integers are
    /// used as long as they suffice. Usually there are about rows + columns pivots; no pivot rule
    /// is known that excludes exponentially many.
    ///
    /// # Examples
    /// A game without a saddle point, in which the third row is never played:
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    ///
    /// let game = MatrixGame::new([[2, -1], [-1, 1], [0, 0]])?;
    /// let equilibrium = game.solve()?;
    /// assert_eq!(equilibrium.value().to_string(), "1/5");
    /// assert_eq!(equilibrium.row().to_string(), "(2/5, 3/5, 0)");
    /// assert_eq!(equilibrium.column().to_string(), "(2/5, 3/5)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "nash")]
    pub fn solve(&self) -> Result<Equilibrium, Error> {
        self.solve_within(MAX_PRODUCTS)
    }

    /// Does the same as [`solve`](MatrixGame::solve), with at most `limit` products of 64-bit
    /// words. For every cell of the tableau, a pivot counts as the square of the number of words
    /// that its integers have by then.
    ///
    /// # Errors
    /// [`Error::MatrixTooLarge`], before any work, if the tableau alone may need more words than
    /// that; [`Error::TooManyPivots`] once the limit is reached.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Error, MatrixGame};
    /// let game = MatrixGame::new([[2, -1], [-1, 1]])?;
    /// let error = game.solve_within(10).err();
    /// assert_eq!(error, Some(Error::TooManyPivots { pivots: 0, limit: 10 }));
    /// assert!(matches!(game.solve_within(5), Err(Error::MatrixTooLarge { needed: 9, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_within(&self, limit: u64) -> Result<Equilibrium, Error> {
        if let Some(&(row, column)) = self.saddle_points().first() {
            return Ok(Equilibrium {
                value: self.ratio(self.entry(row, column)),
                row: Strategy::certain(row, self.rows),
                column: Strategy::certain(column, self.columns),
                pivots: 0,
            });
        }
        // Adding a constant and scaling do not change the strategies. They make the entries
        // positive and as small as possible.
        let lowest = self.entries.iter().min().cloned().unwrap_or_default();
        let divisor = self
            .entries
            .iter()
            .fold(BigInt::zero(), |gcd, entry| gcd.gcd(&(entry - &lowest)));
        let matrix = self
            .entries
            .iter()
            .map(|entry| (entry - &lowest) / &divisor + 1_u8);
        let matrix: Vec<BigInt> = matrix.collect();
        self.check_tableau(&matrix, limit)?;
        let small: Option<Vec<i128>> = matrix.iter().map(ToPrimitive::to_i128).collect();
        let found = match small {
            Some(small) => match optimum(small, self.rows, self.columns, limit) {
                Err(Stop::Overflow) => optimum(matrix, self.rows, self.columns, limit),
                Err(Stop::Limit(error)) => Err(Stop::Limit(error)),
                Ok(optimum) => Ok(widen(optimum)),
            },
            None => optimum(matrix, self.rows, self.columns, limit),
        };
        match found {
            Ok(optimum) => {
                let above = (optimum.numerator - &optimum.denominator) * divisor;
                let numerator = above + &lowest * &optimum.denominator;
                Ok(Equilibrium {
                    value: BigRational::new(numerator, optimum.denominator * &self.denominator),
                    row: Strategy::from_weights(optimum.rows),
                    column: Strategy::from_weights(optimum.columns),
                    pivots: optimum.pivots,
                })
            }
            Err(Stop::Limit(error)) => Err(error),
            // Big integers do not overflow.
            Err(Stop::Overflow) => Err(Error::TooManyPivots { pivots: 0, limit }),
        }
    }

    /// Refuses a tableau that may exceed the limit. Its integers are minors of the matrix. By
    /// Hadamard's bound, a minor of k rows has at most k · (bits of an entry + ½ log₂ k) bits.
    fn check_tableau(&self, matrix: &[BigInt], limit: u64) -> Result<(), Error> {
        let order = self.rows.min(self.columns) as u128;
        let entry = matrix.iter().map(BigInt::bits).max().unwrap_or(1);
        let root = (128 - u128::from(order.leading_zeros())).div_ceil(2);
        let bits = order * (u128::from(entry) + root);
        let cells = (self.rows as u128 + 1) * (self.columns as u128 + 1);
        let needed = cells * bits.div_ceil(64);
        if needed > u128::from(limit) {
            return Err(Error::MatrixTooLarge {
                what: "its simplex tableau",
                needed,
                limit,
            });
        }
        Ok(())
    }

    /// Returns the value alone. See [`solve`](MatrixGame::solve).
    ///
    /// # Errors
    /// Those of [`solve`](MatrixGame::solve).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    /// assert_eq!(MatrixGame::new([[1, 0], [0, 1]])?.value()?.to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value(&self) -> Result<BigRational, Error> {
        Ok(self.solve()?.value)
    }

    /// Returns the expected payoff if both play these strategies independently.
    ///
    /// # Errors
    /// [`Error::BadStrategy`] if a strategy does not have one probability for each row or column.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{MatrixGame, Strategy};
    /// let game = MatrixGame::new([[3, -1], [-1, 1]])?;
    /// let half = Strategy::new([(1, 2), (1, 2)])?;
    /// assert_eq!(game.expected(&half, &half)?.to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn expected(&self, row: &Strategy, column: &Strategy) -> Result<BigRational, Error> {
        self.check_length(Side::Row, row)?;
        let against = self.against(Side::Column, column)?;
        let terms = row.weights().iter().zip(&against);
        let sum: BigInt = terms.map(|(weight, payoff)| weight * payoff).sum();
        Ok(BigRational::new(
            sum,
            row.total() * column.total() * &self.denominator,
        ))
    }

    /// Returns the payoff that a strategy secures against every answer: for the row player the
    /// lowest over the columns, for the column player the highest over the rows. No strategy does
    /// better than the value of the game.
    ///
    /// # Errors
    /// [`Error::BadStrategy`] if the strategy does not have one probability for each row or column.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{MatrixGame, Side, Strategy};
    /// let game = MatrixGame::new([[3, -1], [-1, 1]])?; // of value 1/3
    /// let half = Strategy::new([(1, 2), (1, 2)])?;
    /// assert_eq!(game.guarantee(Side::Row, &half)?.to_string(), "0");
    /// assert_eq!(game.guarantee(Side::Column, &half)?.to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn guarantee(&self, side: Side, strategy: &Strategy) -> Result<BigRational, Error> {
        let payoffs = self.against(side, strategy)?.into_iter();
        let worst = match side {
            Side::Row => payoffs.min(),
            Side::Column => payoffs.max(),
        };
        Ok(BigRational::new(
            worst.unwrap_or_default(),
            strategy.total() * &self.denominator,
        ))
    }

    /// Returns the best answers of the other side to a strategy of `side`: columns or rows, in
    /// ascending order.
    ///
    /// # Errors
    /// [`Error::BadStrategy`] if the strategy does not have one probability for each row or column.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{MatrixGame, Side, Strategy};
    /// let game = MatrixGame::new([[3, -1], [-1, 1]])?;
    /// let half = Strategy::new([(1, 2), (1, 2)])?;
    /// assert_eq!(game.best_answers(Side::Row, &half)?, [1]);
    /// assert_eq!(game.best_answers(Side::Column, &half)?, [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_answers(&self, side: Side, strategy: &Strategy) -> Result<Vec<usize>, Error> {
        let payoffs = self.against(side, strategy)?;
        let best = match side {
            Side::Row => payoffs.iter().min(),
            Side::Column => payoffs.iter().max(),
        };
        let answers = payoffs.iter().enumerate();
        Ok(answers
            .filter(|(_, payoff)| Some(*payoff) == best)
            .map(|(answer, _)| answer)
            .collect())
    }

    /// Returns whether a strategy of `side` is optimal, that is, secures the value.
    ///
    /// # Errors
    /// [`Error::BadStrategy`] if the strategy does not have one probability for each row or column;
    /// those of [`solve`](MatrixGame::solve).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{MatrixGame, Side, Strategy};
    /// let game = MatrixGame::new([[3, -1], [-1, 1]])?;
    /// assert!(game.is_optimal(Side::Row, &Strategy::new([(1, 3), (2, 3)])?)?);
    /// assert!(!game.is_optimal(Side::Row, &Strategy::new([(1, 2), (1, 2)])?)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_optimal(&self, side: Side, strategy: &Strategy) -> Result<bool, Error> {
        Ok(self.guarantee(side, strategy)? == self.value()?)
    }

    /// Returns whether these strategies are optimal for both sides: what one secures is what the
    /// other holds it to. This is the certificate of a solution. It takes one pass over the matrix
    /// and no search.
    ///
    /// # Errors
    /// [`Error::BadStrategy`] if a strategy does not have one probability for each row or column.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::MatrixGame;
    /// let game = MatrixGame::new([[3, -1], [-1, 1]])?;
    /// let found = game.solve()?;
    /// assert!(game.is_equilibrium(found.row(), found.column())?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_equilibrium(&self, row: &Strategy, column: &Strategy) -> Result<bool, Error> {
        self.check_length(Side::Column, column)?;
        Ok(self.guarantee(Side::Row, row)? == self.guarantee(Side::Column, column)?)
    }

    /// Returns the payoff to the row player for each answer to a strategy of `side`, times the
    /// denominators of the strategy and of the game.
    fn against(&self, side: Side, strategy: &Strategy) -> Result<Vec<BigInt>, Error> {
        self.check_length(side, strategy)?;
        let answers = 0..self.strategies(side.opponent());
        Ok(answers
            .map(|answer| {
                let weights = strategy.weights().iter().enumerate();
                let terms = weights.filter(|(_, weight)| weight.is_positive());
                terms
                    .map(|(own, weight)| weight * self.entry_of(side, own, answer))
                    .sum()
            })
            .collect())
    }

    fn check_length(&self, side: Side, strategy: &Strategy) -> Result<(), Error> {
        let (given, expected) = (strategy.len(), self.strategies(side));
        if given == expected {
            return Ok(());
        }
        Err(Error::BadStrategy {
            what: format!(
                "it must have {expected} probabilities for the {side} player, got {given}"
            ),
        })
    }
}

fn widen<E: Entry + Into<BigInt>>(optimum: Optimum<E>) -> Optimum<BigInt> {
    let all = |numbers: Vec<E>| numbers.into_iter().map(Into::into).collect();
    Optimum {
        rows: all(optimum.rows),
        columns: all(optimum.columns),
        numerator: optimum.numerator.into(),
        denominator: optimum.denominator.into(),
        pivots: optimum.pivots,
    }
}
