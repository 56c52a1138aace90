//! The argument of section 5.1: a battle outcome matrix as a matrix game.

use num_rational::BigRational;
use oddsmith_mdp::MatrixGame;

use super::{OutcomeCell, OutcomeMatrix};
use crate::Error;

/// What a throw is worth in a battle outcome matrix. The measure matters: it
/// may decide what is best.
///
/// # Examples
/// Behind a hero and a fortress one die is better for the defender counted by
/// the pair, two are if counted by the throw:
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
    /// The attacker's true gain in units, a pair of dice.
    PerPair,
    /// The attacker's true gain in units, a throw.
    PerThrow,
}

impl OutcomeMatrix {
    /// The table as a matrix game: rows are one to three attacking dice, columns
    /// one and two defending ones, each counted from 0. Georgiou's section 5.1
    /// argues with it by the minimax theorem, dominance and saddle points, and
    /// 7.1 asks for mixed strategies.
    ///
    /// One die against two is not allowed in the paper's game, where its program
    /// has a zero. Here a defender who names two throws one, so that the cell is
    /// that of one against one; then its row has the one value that the paper's
    /// argument gives it.
    ///
    /// It is the argument that is made again here, not its conclusion: a throw
    /// is not a battle. The battle itself is [`DiceGame`](crate::DiceGame).
    ///
    /// # Errors
    /// None that occurs; those of [`MatrixGame::new`] as [`Error::Solve`].
    ///
    /// # Examples
    /// The standard rules: a saddle point, and dominance leads there too.
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
    /// None that occurs: what is printed are numbers.
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
