//! The paper's outputs and tables as published, each beside the true values.
//!
//! H. Georgiou, "RISK Board Game - Battle Outcome Analysis", revision 3 (2004). Everything
//! reproduced is computed by his rules of counting, not copied. Where a cell is misprinted, the
//! list of misprints says so.

mod decimal;
mod minimax;
mod misprints;
mod outcomes;
mod output;
mod summary;
mod winning;

pub use minimax::GameValue;
pub use misprints::{MISPRINTS, Misprint};
pub use outcomes::{OutcomeCell, OutcomeMatrix};
pub use output::{OutputEntry, OutputLine, SimulationOutput};
pub use summary::{BattleSummary, SummaryRow};
pub use winning::WinningMatrix;

use std::fmt;

use num_rational::BigRational;

use crate::{Error, Rules};

/// One of the six configurations of heroes and fortresses in Georgiou's section 7, from which his
/// outputs and tables are reproduced.
///
/// # Examples
/// ```
/// use oddsmith_risk::BattleConfiguration;
///
/// let [standard, .., last] = BattleConfiguration::ALL;
/// assert_eq!((standard.to_string(), last.to_string()), ("(0/0)".into(), "(0/+2)".into()));
/// // Table 2, three dice against two: as printed, and per pair of dice.
/// let outcomes = standard.outcomes()?;
/// let cell = outcomes.cell(3, 2).ok_or("a cell of the table")?;
/// assert_eq!((cell.printed.as_str(), cell.truth.to_string()), ("+0,0395", "205/2592".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum BattleConfiguration {
    /// (0/0): no bonus.
    Standard,
    /// (+1/0): a hero attacks.
    HeroAttacks,
    /// (+1/+1): a hero attacks, and a hero defends.
    HeroAgainstHero,
    /// (+1/+2): a hero attacks, and a hero defends a fortress.
    HeroAgainstBoth,
    /// (0/+1): a hero defends.
    HeroDefends,
    /// (0/+2): a hero defends a fortress.
    BothDefend,
}

use BattleConfiguration::{
    BothDefend, HeroAgainstBoth, HeroAgainstHero, HeroAttacks, HeroDefends, Standard,
};

impl BattleConfiguration {
    /// All six configurations, in the order of Outputs 1 to 6 and of Table 12.
    ///
    /// # Examples
    /// ```
    /// let bonuses = oddsmith_risk::BattleConfiguration::ALL.map(|heroes| heroes.bonuses());
    /// assert_eq!(bonuses, [(0, 0), (1, 0), (1, 1), (1, 2), (0, 1), (0, 2)]);
    /// ```
    pub const ALL: [Self; 6] = [
        Standard,
        HeroAttacks,
        HeroAgainstHero,
        HeroAgainstBoth,
        HeroDefends,
        BothDefend,
    ];

    /// Returns the points added to the highest die of the attacker and of the defender.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_risk::BattleConfiguration::HeroAgainstBoth.bonuses(), (1, 2));
    /// ```
    #[must_use]
    pub fn bonuses(self) -> (i32, i32) {
        let [attack, defence, fortress] = self.pieces();
        (i32::from(attack), i32::from(defence) + i32::from(fortress))
    }

    /// Returns whether there are an attacking hero, a defending hero, and a fortress.
    fn pieces(self) -> [bool; 3] {
        match self {
            Standard => [false, false, false],
            HeroAttacks => [true, false, false],
            HeroAgainstHero => [true, true, false],
            HeroAgainstBoth => [true, true, true],
            HeroDefends => [false, true, false],
            BothDefend => [false, true, true],
        }
    }

    /// Returns the paper's rules: the defender never throws more dice than the attacker, and
    /// bonuses are not clamped.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{BattleConfiguration, Rules};
    ///
    /// let rules = BattleConfiguration::HeroAttacks.rules();
    /// assert_eq!(rules, Rules::georgiou().hero_attacks());
    /// assert_eq!(rules.throw(3, 2)?.law()?.p(&2).to_string(), "1985/3888");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rules(self) -> Rules {
        self.added_to(Rules::georgiou())
    }

    /// Adds this configuration's heroes and fortress to other rules.
    pub(crate) fn added_to(self, mut rules: Rules) -> Rules {
        let [attack, defence, fortress] = self.pieces();
        if attack {
            rules = rules.hero_attacks();
        }
        if defence {
            rules = rules.hero_defends();
        }
        if fortress {
            rules = rules.fortress();
        }
        rules
    }

    /// Returns what the paper's program prints: Outputs 1 to 6.
    ///
    /// # Errors
    /// None that can occur; those of [`Throw::law`](crate::Throw::law).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::BattleConfiguration;
    ///
    /// let output = BattleConfiguration::BothDefend.output()?;
    /// assert_eq!(output.number, 6);
    /// assert_eq!(output.game_values[2][0].to_string(), "-1/3"); // three dice against one
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn output(self) -> Result<SimulationOutput, Error> {
        SimulationOutput::new(self)
    }

    /// Returns the battle outcome matrix: Tables 2, 4, 6, 7, 9 and 10.
    ///
    /// # Errors
    /// As for [`output`](BattleConfiguration::output).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::BattleConfiguration;
    ///
    /// let outcomes = BattleConfiguration::HeroDefends.outcomes()?;
    /// assert_eq!((outcomes.table, outcomes.cells.len()), (9, 5));
    /// assert_eq!(outcomes.cells[0].truth.to_string(), "-4/9"); // 10 rolls of 36 less 26
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outcomes(self) -> Result<OutcomeMatrix, Error> {
        OutcomeMatrix::new(self)
    }

    /// Returns the winning probabilities matrix: Tables 3, 5, 8 and 11. `None` for the two
    /// configurations whose probabilities are those of another one.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::BattleConfiguration;
    ///
    /// let winning = BattleConfiguration::BothDefend.winning().ok_or("a table of the paper")?;
    /// assert_eq!(winning.table, 11);
    /// assert_eq!(winning.printed(3, 1)?, Some("70,37%".to_owned())); // 19/27
    /// assert_eq!(BattleConfiguration::HeroDefends.winning(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn winning(self) -> Option<WinningMatrix> {
        WinningMatrix::new(self)
    }

    /// Returns the row of Table 12, as printed and corrected.
    ///
    /// # Errors
    /// As for [`output`](BattleConfiguration::output).
    ///
    /// # Examples
    /// With a hero in the attack, the paper throws one die, although three are best:
    /// ```
    /// use oddsmith_risk::BattleConfiguration;
    ///
    /// let summary = BattleConfiguration::HeroAttacks.summary()?;
    /// assert_eq!((summary.printed.attack, summary.printed.defence), (1, 1));
    /// assert_eq!((summary.attack, summary.defence), (3, 2));
    /// assert_eq!(summary.to_string(), "2: (+1/0) 1 1 1 0 +0,1667 58,335% 41,665% 0,7142");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn summary(self) -> Result<BattleSummary, Error> {
        BattleSummary::new(self)
    }

    /// Returns P_A as the paper has it: 50 % plus half the printed game value. Its Tables 3, 5, 8
    /// and 11 are based on it. The last one is exactly 1/3.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::BattleConfiguration;
    ///
    /// let paper = BattleConfiguration::Standard.published_share();
    /// assert_eq!(paper.to_string(), "2079/4000"); // 51,975%, and truly 2797/5184
    /// ```
    #[must_use]
    #[doc(alias = "P_A")]
    pub fn published_share(self) -> BigRational {
        let (numerator, denominator) = match self {
            Standard | HeroAgainstHero => (51_975, 100_000),
            HeroAttacks => (58_335, 100_000),
            HeroAgainstBoth | HeroDefends => (47_170, 100_000),
            BothDefend => (1, 3),
        };
        BigRational::new(numerator.into(), denominator.into())
    }

    fn number(self) -> usize {
        self as usize
    }
}

/// Writes it as in the paper's text: `(+1/0)`.
impl fmt::Display for BattleConfiguration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signed = |points| match points {
            0 => "0".to_owned(),
            _ => format!("{points:+}"),
        };
        let (attack, defence) = self.bonuses();
        f.pad(&format!("({}/{})", signed(attack), signed(defence)))
    }
}
