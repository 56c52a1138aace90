//! Outputs 1 to 6: what the paper's program prints.

use std::fmt;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::Zero;

use super::{BattleConfiguration, decimal};
use crate::{Error, Throw};

/// The output of the paper's program for a configuration. `Display` writes it as on its screen,
/// without the prompts.
///
/// Two things in it are wrong, both for throws of two pairs. It counts "the attacker wins fewer
/// than two" as Att(+1), including none, and likewise for the defender. And it divides by twice the
/// number of rolls, because it keeps two entries per roll. Its game value for two pairs is
/// therefore half of the true one. Each entry has the true chance beside it.
///
/// # Examples
/// ```
/// use oddsmith_risk::BattleConfiguration;
///
/// let output = BattleConfiguration::Standard.output()?;
/// assert_eq!(output.number, 1);
/// let text = output.to_string();
/// let line = "GAME 3x2 PROB:  Att(+2)=18.583%(2890/15552)  Att(+1)=31.417%(4886/15552)  \
///             Def(-1)=35.372%(5501/15552)  Def(-2)=14.628%(2275/15552)";
/// assert!(text.contains(line));
/// let truth = &output.lines[4].entries[0].truth;
/// assert_eq!(truth.to_string(), "1445/3888"); // 2890/7776: 37.166 %
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "risk3")]
#[non_exhaustive]
pub struct SimulationOutput {
    /// The number of the output in the paper, 1 to 6.
    pub number: u32,
    /// The heroes and the fortress.
    pub configuration: BattleConfiguration,
    /// The lines 1x1, 2x1, 3x1, 2x2 and 3x2, as printed.
    pub lines: Vec<OutputLine>,
    /// The game value table, with rows for one to three attacking dice and columns for one and two
    /// defending dice. 1x2 is a zero that stands for "not played".
    pub game_values: [[BigRational; 2]; 3],
}

/// A line of a [`SimulationOutput`], for one pair of numbers of dice.
///
/// # Examples
/// ```
/// use oddsmith_risk::BattleConfiguration;
///
/// let output = BattleConfiguration::HeroAttacks.output()?;
/// let line = &output.lines[3];
/// assert_eq!((line.attack, line.defence), (2, 2));
/// assert_eq!(line.to_string().split("  ").nth(1), Some("Att(+2)=15.625%(405/2592)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutputLine {
    /// The attacker's dice.
    pub attack: u32,
    /// The defender's dice.
    pub defence: u32,
    /// The entries, the attacker's best outcome first.
    pub entries: Vec<OutputEntry>,
}

/// A percentage of an [`OutputLine`].
///
/// # Examples
/// ```
/// use oddsmith_risk::BattleConfiguration;
///
/// let output = BattleConfiguration::Standard.output()?;
/// let one = &output.lines[4].entries[1]; // 3x2, Att(+1)
/// assert_eq!((one.gain, one.count.to_string(), one.size.to_string()), (1, "4886".into(), "15552".into()));
/// assert_eq!(one.share().to_string(), "2443/7776"); // printed
/// assert_eq!(one.truth.to_string(), "2611/7776"); // one unit each
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutputEntry {
    /// The attacker's gain in units: +2, +1, −1 or −2 in the program's reading.
    pub gain: i32,
    /// The number of rolls that the program counts.
    pub count: BigUint,
    /// The number by which it divides.
    pub size: BigUint,
    /// The true chance of this outcome. For the two entries in the middle of a throw of two pairs,
    /// it is the chance that each side loses one unit.
    pub truth: BigRational,
}

impl OutputEntry {
    /// Returns the printed share: count divided by size.
    ///
    /// # Examples
    /// ```
    /// let output = oddsmith_risk::BattleConfiguration::Standard.output()?;
    /// assert_eq!(output.lines[0].entries[0].share().to_string(), "5/12"); // 1x1, Att(+1)
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn share(&self) -> BigRational {
        BigRational::new(self.count.clone().into(), self.size.clone().into())
    }
}

/// The order of the program.
const THROWS: [(u32, u32); 5] = [(1, 1), (2, 1), (3, 1), (2, 2), (3, 2)];

impl SimulationOutput {
    pub(super) fn new(configuration: BattleConfiguration) -> Result<Self, Error> {
        let mut lines = Vec::with_capacity(THROWS.len());
        let mut game_values: [[BigRational; 2]; 3] = Default::default();
        for (attack, defence) in THROWS {
            let line = OutputLine::new(attack, defence, configuration)?;
            let value = line.game_value();
            if let Some(cell) = game_values
                .get_mut(attack as usize - 1)
                .and_then(|row| row.get_mut(defence as usize - 1))
            {
                *cell = value;
            }
            lines.push(line);
        }
        Ok(SimulationOutput {
            number: configuration.number() as u32 + 1,
            configuration,
            lines,
            game_values,
        })
    }
}

impl OutputLine {
    fn new(attack: u32, defence: u32, configuration: BattleConfiguration) -> Result<Self, Error> {
        let throw = Throw::new(attack, defence)?.rules(configuration.rules());
        // By the units that the attacker loses.
        let counts = throw.counts()?;
        let rolls: BigUint = counts.iter().sum();
        let chance = |count: &BigUint| BigRational::new(count.clone().into(), rolls.clone().into());
        let size = &rolls * throw.pairs();
        let entry = |gain, count: BigUint, truth: &BigUint| OutputEntry {
            gain,
            count,
            size: size.clone(),
            truth: chance(truth),
        };
        let entries = match counts.as_slice() {
            // `if tA>1 resA2++ else resA1++`: everything other than two is counted as one.
            [won, drawn, lost] => vec![
                entry(2, won.clone(), won),
                entry(1, &rolls - won, drawn),
                entry(-1, &rolls - lost, drawn),
                entry(-2, lost.clone(), lost),
            ],
            [won, lost] => vec![entry(1, won.clone(), won), entry(-1, lost.clone(), lost)],
            _ => Vec::new(),
        };
        Ok(OutputLine {
            attack,
            defence,
            entries,
        })
    }

    /// `(2*resA2+resA1-resD1-2*resD2)/size`.
    fn game_value(&self) -> BigRational {
        let gains = self.entries.iter();
        gains.fold(BigRational::zero(), |sum, entry| {
            sum + entry.share() * BigInt::from(entry.gain)
        })
    }
}

impl fmt::Display for OutputLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GAME {}x{} PROB:", self.attack, self.defence)?;
        for entry in &self.entries {
            let side = if entry.gain > 0 { "Att" } else { "Def" };
            let percent = entry.share() * BigInt::from(100);
            write!(
                f,
                "  {side}({:+})={:>6}%({}/{})",
                entry.gain,
                decimal::rounded(&percent, 3),
                entry.count,
                entry.size
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for SimulationOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "RISK board game - evaluation of outcomes, version 1.2")?;
        writeln!(
            f,
            "Harris Georgiou (c) 2004, mailto:xgeorgiou@yahoo.com\n\ncalculating...\n"
        )?;
        for line in &self.lines {
            writeln!(f, "{line}")?;
        }
        writeln!(
            f,
            "\nGame value table (rows=attack, cols=defense):\n\nGV =\n"
        )?;
        for row in &self.game_values {
            for value in row {
                // Matlab's short format: zeros without decimals.
                let text = match value.is_zero() {
                    true => "0".to_owned(),
                    false => decimal::rounded(value, 4),
                };
                write!(f, "{text:>10}")?;
            }
            writeln!(f)?;
        }
        let [attack, defence, fortress] = self.configuration.pieces().map(u8::from);
        writeln!(
            f,
            "\n(Att_Hero={attack} , Def_Hero={defence} , Def_Fort={fortress})"
        )
    }
}
