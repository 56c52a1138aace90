//! Tables 2, 4, 6, 7, 9 and 10: game values by the numbers of dice.

use std::fmt;

use num_rational::BigRational;

use super::misprints::printed_instead;
use super::{BattleConfiguration, decimal};
use crate::{Error, Throw};

/// A battle outcome matrix of the paper: the game value of each pair of numbers of dice, as printed
/// and per pair of dice. `Display` writes it as printed.
///
/// # Examples
/// A hero in the attack, Table 4. The paper considers one die against one the best, by 0.0033.
/// Counted in the same way, three dice against two are worth twice as much.
/// ```
/// use oddsmith_risk::BattleConfiguration;
///
/// let outcomes = BattleConfiguration::HeroAttacks.outcomes()?;
/// assert_eq!(outcomes.table, 4);
/// let dice = |cell: &oddsmith_risk::OutcomeCell| (cell.attack, cell.defence);
/// assert_eq!(outcomes.saddle_as_published().map(dice), Some((1, 1)));
/// assert_eq!(outcomes.saddle().map(dice), Some((3, 2)));
/// assert_eq!(outcomes.saddle().map(|cell| cell.truth.to_string()), Some("847/2592".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutcomeMatrix {
    /// The number of the table in the paper.
    pub table: u32,
    /// The heroes and the fortress.
    pub configuration: BattleConfiguration,
    /// The cells, row by row; one die against two is not in the paper's game.
    pub cells: Vec<OutcomeCell>,
}

/// A game value of the paper.
///
/// # Examples
/// Table 6 has the wrong sign for two dice each:
/// ```
/// use oddsmith_risk::BattleConfiguration;
///
/// let outcomes = BattleConfiguration::HeroAgainstHero.outcomes()?;
/// let cell = outcomes.cell(2, 2).ok_or("a cell of the table")?;
/// assert_eq!(cell.printed, "+0,1103");
/// assert_eq!(cell.program.to_string(), "-143/1296"); // −0.1103
/// assert_eq!(cell.truth.to_string(), "-143/648"); // −0.2207
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutcomeCell {
    /// The attacker's dice.
    pub attack: u32,
    /// The defender's dice.
    pub defence: u32,
    /// The value in the table, including misprints and the decimal comma.
    pub printed: String,
    /// The value as the paper's program computes it.
    pub program: BigRational,
    /// The attacker's gain per pair of dice: [`Losses::game_value`](crate::Losses::game_value).
    pub truth: BigRational,
}

const TABLES: [u32; 6] = [2, 4, 6, 7, 9, 10];

impl OutcomeMatrix {
    pub(super) fn new(configuration: BattleConfiguration) -> Result<Self, Error> {
        let table = TABLES[configuration.number()];
        let output = configuration.output()?;
        let mut cells = Vec::new();
        for (row, attack) in output.game_values.into_iter().zip(1..) {
            for (program, defence) in row.into_iter().zip(1..=attack) {
                let throw = Throw::new(attack, defence)?.rules(configuration.rules());
                let place = format!("Table {table}, ({attack},{defence})");
                let printed = decimal::game_value(&program);
                cells.push(OutcomeCell {
                    attack,
                    defence,
                    printed: printed_instead(&place).map_or(printed, str::to_owned),
                    program,
                    truth: throw.expected_losses()?.game_value(),
                });
            }
        }
        Ok(OutcomeMatrix {
            table,
            configuration,
            cells,
        })
    }

    /// Returns the cell of these numbers of dice, if the table has it.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::BattleConfiguration;
    ///
    /// let outcomes = BattleConfiguration::BothDefend.outcomes()?;
    /// assert_eq!(outcomes.cell(3, 1).map(|cell| cell.printed.as_str()), Some("-0,3333"));
    /// assert_eq!(outcomes.cell(1, 2), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cell(&self, attack: u32, defence: u32) -> Option<&OutcomeCell> {
        let mut cells = self.cells.iter();
        cells.find(|cell| (cell.attack, cell.defence) == (attack, defence))
    }

    /// Returns where the paper's argument (sections 5.1 and 7) leads with the program's values: the
    /// attacker declares first and takes the best of what the defender then leaves.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::BattleConfiguration;
    ///
    /// let outcomes = BattleConfiguration::BothDefend.outcomes()?;
    /// let saddle = outcomes.saddle_as_published().ok_or("a table has cells")?;
    /// assert_eq!((saddle.attack, saddle.defence), (3, 1));
    /// assert_eq!(saddle.printed, "-0,3333");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn saddle_as_published(&self) -> Option<&OutcomeCell> {
        self.maximin(|cell| &cell.program)
    }

    /// Returns where the same argument leads with the true values per pair of dice.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::BattleConfiguration;
    ///
    /// let outcomes = BattleConfiguration::Standard.outcomes()?;
    /// let saddle = outcomes.saddle().ok_or("a table has cells")?;
    /// assert_eq!((saddle.attack, saddle.defence), (3, 2));
    /// assert_eq!(saddle.truth.to_string(), "205/2592"); // 0.0791
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn saddle(&self) -> Option<&OutcomeCell> {
        self.maximin(|cell| &cell.truth)
    }

    fn maximin(&self, value: impl Fn(&OutcomeCell) -> &BigRational) -> Option<&OutcomeCell> {
        let rows = self.cells.chunk_by(|a, b| a.attack == b.attack);
        let answers = rows.filter_map(|row| row.iter().min_by_key(|cell| value(cell)));
        answers.max_by_key(|cell| value(cell))
    }
}

impl fmt::Display for OutcomeMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "A\\D        1        2")?;
        for row in self.cells.chunk_by(|a, b| a.attack == b.attack) {
            for cell in row.iter().take(1) {
                write!(f, "{:>3}", cell.attack)?;
            }
            for cell in row {
                write!(f, "{:>9}", cell.printed)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
