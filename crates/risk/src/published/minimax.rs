//! The argument of section 5.1: a battle outcome matrix as a matrix game.

use num_rational::BigRational;
use oddsmith_mdp::MatrixGame;

use super::{OutcomeCell, OutcomeMatrix};
use crate::Error;

/// The value of a throw in a battle outcome matrix. The choice matters, since it may decide which
/// dice are best.
///
/// # Examples
/// With a hero and a fortress, one die is better for the defender if counted per pair, and two dice
/// if counted per throw:
/// ```
/// use oddsmith_risk::{BattleConfiguration, GameValue};
///
/// let table = BattleConfiguration::BothDefend.outcomes()?;
/// let saddles = |value| table.minimax(value).map(|game| game.saddle_points());
/// assert_eq!(saddles(GameValue::PerPair)?, [(2, 0)]); // three dice against one
/// assert_eq!(saddles(GameValue::PerThrow)?, [(2, 1)]); // three against two
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GameValue {
    /// As in the paper's table, with its four decimals and its misprints.
    Printed,
    /// As the paper's program computes it, with all digits.
    Program,
    /// The attacker's true gain in units, per pair of dice.
    PerPair,
    /// The attacker's true gain in units, per throw.
    PerThrow,
}

impl OutcomeMatrix {
    /// Returns the table as a matrix game. Rows are one to three attacking dice, columns one and
    /// two defending dice, each counted from 0. Georgiou's section 5.1 analyses it by the minimax
    /// theorem, dominance and saddle points, and 7.1 asks for mixed strategies.
    ///
    /// One die against two is not allowed in the paper's game, where its program has a zero. Here a
    /// defender who declares two dice throws one in this case, so the cell is that of one against
    /// one. The row then has the single value that the paper's argument gives it.
    ///
    /// This reproduces the paper's argument, not its conclusion: a throw is not a battle. For the
    /// battle itself, see [`DiceGame`](crate::DiceGame).
    ///
    /// # Errors
    /// None that can occur; those of [`MatrixGame::new`] as [`Error::Solve`].
    ///
    /// # Examples
    /// The standard rules have a saddle point, to which dominance leads, too:
    /// ```
    /// use oddsmith_risk::{BattleConfiguration, GameValue};
    ///
    /// let table = BattleConfiguration::Standard.outcomes()?;
    /// let printed = table.minimax(GameValue::Printed)?;
    /// assert_eq!(printed.saddle_points(), [(2, 1)]); // three dice against two
    /// assert_eq!(printed.value()?.to_string(), "79/2000"); // +0,0395
    /// let left = printed.eliminate_weakly();
    /// assert_eq!((left.rows(), left.columns()), (&[2][..], &[1][..]));
    /// assert_eq!(table.minimax(GameValue::PerPair)?.value()?.to_string(), "205/2592"); // 0.0791
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "maximin")]
    pub fn minimax(&self, value: GameValue) -> Result<MatrixGame, Error> {
        let rows = self.cells.chunk_by(|a, b| a.attack == b.attack);
        let mut matrix: Vec<Vec<BigRational>> = Vec::new();
        for row in rows {
            let mut entries = Vec::new();
            for cell in row {
                entries.push(cell.worth(value)?);
            }
            if let [only] = entries.as_slice() {
                entries.push(only.clone());
            }
            matrix.push(entries);
        }
        Ok(MatrixGame::new(matrix)?)
    }
}

impl OutcomeCell {
    /// # Errors
    /// None that can occur, since what is printed are numbers.
    fn worth(&self, value: GameValue) -> Result<BigRational, Error> {
        Ok(match value {
            GameValue::Printed => {
                let text = self.printed.replace(',', ".");
                oddsmith_dice::IntoRatio::into_ratio(text.as_str())?
            }
            GameValue::Program => self.program.clone(),
            GameValue::PerPair => self.truth.clone(),
            GameValue::PerThrow => {
                let pairs = self.attack.min(self.defence);
                &self.truth * BigRational::from_integer(pairs.into())
            }
        })
    }
}
