//! Table 12, as printed and corrected.

use std::fmt;

use num_rational::BigRational;
use num_traits::One;

use super::misprints::printed_instead;
use super::{BattleConfiguration, decimal};
use crate::{Error, Losses, Throw};

/// A row of the paper's Table 12, "Summary of the obtained results on optimal RISK battle
/// strategies", beside the correct values. `Display` writes the row as printed.
///
/// # Examples
/// ```
/// use oddsmith_risk::BattleConfiguration;
///
/// let summary = BattleConfiguration::Standard.summary()?;
/// assert_eq!(summary.printed.equilibrium_ratio, "0,924");
/// assert_eq!((summary.attack, summary.defence), (3, 2));
/// let ratio = summary.corrected.equilibrium_ratio();
/// assert_eq!(ratio.map(|ratio| ratio.to_string()), Some("2387/2797".into())); // 0.8534
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BattleSummary {
    /// The heroes and the fortress.
    pub configuration: BattleConfiguration,
    /// The row as printed, including misprints.
    pub printed: SummaryRow,
    /// The attacker's dice if both sides play best, by the true values.
    pub attack: u32,
    /// The defender's dice in that case.
    pub defence: u32,
    /// The losses of that throw, which give game value, P_A, P_D and R_e.
    pub corrected: Losses,
}

/// A row of Table 12 as printed.
///
/// # Examples
/// ```
/// use oddsmith_risk::BattleConfiguration;
///
/// let row = BattleConfiguration::BothDefend.summary()?.printed;
/// assert_eq!((row.attack, row.defence, row.game_value.as_str()), (3, 1, "-0,3333"));
/// assert_eq!((row.attacker_share.as_str(), row.defender_share.as_str()), ("33,333%", "66,666%"));
/// assert_eq!(row.equilibrium_ratio, "2,0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SummaryRow {
    /// "Attacker's Force": the dice.
    pub attack: u32,
    /// "Defender's Force": the dice.
    pub defence: u32,
    /// "Game Value".
    pub game_value: String,
    /// "Attacker Win Prob(%)".
    pub attacker_share: String,
    /// "Defender Win Prob(%)".
    pub defender_share: String,
    /// "Equilibrium Forces Ratio (A/D)".
    pub equilibrium_ratio: String,
}

/// The number of decimals that the paper gives for R_e.
const RATIO_DECIMALS: [u32; 6] = [3, 4, 3, 2, 2, 1];

impl BattleSummary {
    pub(super) fn new(configuration: BattleConfiguration) -> Result<Self, Error> {
        let outcomes = configuration.outcomes()?;
        // Every table has cells.
        let dice =
            |cell: Option<&super::OutcomeCell>| cell.map_or((1, 1), |c| (c.attack, c.defence));
        let published = outcomes.saddle_as_published();
        let printed = SummaryRow::new(configuration, dice(published), published);
        let (attack, defence) = dice(outcomes.saddle());
        let throw = Throw::new(attack, defence)?.rules(configuration.rules());
        Ok(BattleSummary {
            configuration,
            printed,
            attack,
            defence,
            corrected: throw.expected_losses()?,
        })
    }
}

impl SummaryRow {
    fn new(
        configuration: BattleConfiguration,
        (attack, defence): (u32, u32),
        cell: Option<&super::OutcomeCell>,
    ) -> Self {
        let row = configuration.number();
        let share = configuration.published_share();
        let other = BigRational::one() - &share;
        let place = format!("Table 12, row {}, P_D", row + 1);
        let defender_share = decimal::percent(&other, 3);
        SummaryRow {
            attack,
            defence,
            game_value: cell.map_or(String::new(), |cell| decimal::game_value(&cell.program)),
            attacker_share: decimal::percent(&share, 3),
            defender_share: printed_instead(&place).map_or(defender_share, str::to_owned),
            equilibrium_ratio: decimal::with_comma(&(other / share), RATIO_DECIMALS[row]),
        }
    }
}

impl fmt::Display for BattleSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (attack_bonus, defence_bonus) = self.configuration.bonuses();
        let row = &self.printed;
        write!(
            f,
            "{}: {} {} {attack_bonus} {} {defence_bonus} {} {} {} {}",
            self.configuration.number() + 1,
            self.configuration,
            row.attack,
            row.defence,
            row.game_value,
            row.attacker_share,
            row.defender_share,
            row.equilibrium_ratio
        )
    }
}
