//! Tables 3, 5, 8 and 11: chances to win by the binomial model.

use std::fmt;
use std::ops::RangeInclusive;

use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::{BattleConfiguration, decimal};
use crate::{BinomialModel, Error, Forces, ModelError, Rules};

/// A winning probabilities matrix of the paper, computed by its Model 2 with the rounded P_A.
/// `Display` writes it as printed.
///
/// # Examples
/// ```
/// use oddsmith_risk::BattleConfiguration;
///
/// let table = BattleConfiguration::Standard.winning().ok_or("a table of the paper")?;
/// assert_eq!(table.table, 3);
/// assert_eq!(table.printed(15, 15)?, Some("58,50%".to_owned())); // truly 60.52 %
/// assert_eq!(table.printed(2, 2)?, None); // left out of the paper
/// assert_eq!(format!("{:.4}", table.error()?.mean_absolute), "0.0155");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WinningMatrix {
    /// The number of the table in the paper.
    pub table: u32,
    /// The heroes and the fortress.
    pub configuration: BattleConfiguration,
    /// The rows printed.
    pub attackers: RangeInclusive<u32>,
    /// The columns printed.
    pub defenders: RangeInclusive<u32>,
    /// The model with the paper's P_A.
    pub model: BinomialModel,
}

impl WinningMatrix {
    pub(super) fn new(configuration: BattleConfiguration) -> Option<Self> {
        let (table, rows, columns) = match configuration {
            BattleConfiguration::Standard => (3, 3..=15, 2..=15),
            BattleConfiguration::HeroAttacks => (5, 1..=15, 1..=15),
            BattleConfiguration::HeroAgainstBoth => (8, 3..=15, 2..=15),
            BattleConfiguration::BothDefend => (11, 3..=15, 1..=15),
            BattleConfiguration::HeroAgainstHero | BattleConfiguration::HeroDefends => return None,
        };
        Some(WinningMatrix {
            table,
            configuration,
            attackers: rows,
            defenders: columns,
            model: BinomialModel::new(configuration.published_share()).ok()?,
        })
    }

    /// Returns the cell as printed: in percent, with two decimals, rounded half up. `None` outside
    /// the table.
    ///
    /// # Errors
    /// None that can occur; those of [`BinomialModel::win`].
    ///
    /// # Examples
    /// P_A was first rounded to 58,335 %:
    /// ```
    /// use oddsmith_risk::BattleConfiguration;
    ///
    /// let table = BattleConfiguration::HeroAttacks.winning().ok_or("a table of the paper")?;
    /// assert_eq!(table.printed(1, 1)?, Some("58,34%".to_owned())); // 7/12: 58.33 %
    /// assert_eq!(table.printed(16, 1)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn printed(&self, attackers: u32, defenders: u32) -> Result<Option<String>, Error> {
        if !self.attackers.contains(&attackers) || !self.defenders.contains(&defenders) {
            return Ok(None);
        }
        let win = self.model.win(attackers, defenders)?;
        Ok(Some(decimal::percent(&win, 2)))
    }

    /// Returns the rules of the real battle: all the dice that the standard rules allow, with this
    /// configuration's bonuses.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{BattleConfiguration, Rules};
    ///
    /// let table = BattleConfiguration::BothDefend.winning().ok_or("a table of the paper")?;
    /// assert_eq!(table.rules(), Rules::standard().defence_bonus([2]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.configuration.added_to(Rules::standard())
    }

    /// Returns the error of the table compared with real battles, over all its cells as printed.
    ///
    /// # Errors
    /// Those of [`BinomialModel::error`].
    ///
    /// # Examples
    /// Table 5 assumes one die against one, which is not the attacker's best choice:
    /// ```
    /// use oddsmith_risk::BattleConfiguration;
    ///
    /// let table = BattleConfiguration::HeroAttacks.winning().ok_or("a table of the paper")?;
    /// let error = table.error()?;
    /// assert_eq!(format!("{:.4} {:.4}", error.mean, error.greatest), "-0.0532 -0.2267");
    /// assert_eq!((error.at.attackers, error.at.defenders), (10, 15));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn error(&self) -> Result<ModelError, Error> {
        let (attackers, defenders) = (self.attackers.clone(), self.defenders.clone());
        let printed = |at: Forces| {
            let win = self.model.win(at.attackers, at.defenders)?;
            let hundredths = decimal::units(&win, 4).to_f64();
            Ok(hundredths.unwrap_or(f64::NAN) / 10_000.0)
        };
        ModelError::of(printed, &self.rules(), attackers, defenders)
    }

    /// Returns the model with the true P_A of the paper's saddle point, not halved. It is better
    /// for large armies and worse for small ones.
    ///
    /// # Errors
    /// None that can occur; those of [`Throw::law`](crate::Throw::law).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::BattleConfiguration;
    ///
    /// let table = BattleConfiguration::Standard.winning().ok_or("a table of the paper")?;
    /// assert_eq!(table.corrected_model()?.share().to_string(), "2797/5184");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn corrected_model(&self) -> Result<BinomialModel, Error> {
        let summary = self.configuration.summary()?;
        Ok(BinomialModel::of(&summary.corrected))
    }

    /// Returns the true chance to win a battle of this size.
    ///
    /// # Errors
    /// Those of [`Battle::win`](crate::Battle::win).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::BattleConfiguration;
    ///
    /// let table = BattleConfiguration::Standard.winning().ok_or("a table of the paper")?;
    /// assert_eq!(table.printed(3, 2)?, Some("71,65%".to_owned()));
    /// assert_eq!(table.truth(3, 2)?.to_string(), "6610505/10077696"); // 65.60 %
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn truth(&self, attackers: u32, defenders: u32) -> Result<BigRational, Error> {
        let battle = crate::Battle::new(attackers, defenders)?;
        battle.rules(self.rules()).win()
    }
}

impl fmt::Display for WinningMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "A\\D")?;
        for defenders in self.defenders.clone() {
            write!(f, "{defenders:>8}")?;
        }
        writeln!(f)?;
        for attackers in self.attackers.clone() {
            write!(f, "{attackers:>3}")?;
            for defenders in self.defenders.clone() {
                let printed = self.printed(attackers, defenders).map_err(|_| fmt::Error)?;
                write!(f, "{:>8}", printed.unwrap_or_default())?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
