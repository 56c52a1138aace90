//! The form of the parameters of balanced outcomes that serde reads and writes.

use super::Balance;
use crate::Error;

/// Parameters that are not given change nothing.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(
    deny_unknown_fields,
    default,
    expecting = "the parameters of balanced outcomes"
)]
pub(super) struct BalanceParts {
    win_chance_cutoff: f64,
    win_chance_power: f64,
    outcome_cutoff: f64,
    outcome_power: f64,
}

impl Default for BalanceParts {
    fn default() -> Self {
        Balance::none().into()
    }
}

impl From<Balance> for BalanceParts {
    fn from(balance: Balance) -> Self {
        BalanceParts {
            win_chance_cutoff: balance.win_chance_cutoff,
            win_chance_power: balance.win_chance_power,
            outcome_cutoff: balance.outcome_cutoff,
            outcome_power: balance.outcome_power,
        }
    }
}

impl TryFrom<BalanceParts> for Balance {
    type Error = Error;

    fn try_from(parts: BalanceParts) -> Result<Self, Error> {
        Balance::none()
            .win_chance_cutoff(parts.win_chance_cutoff)?
            .win_chance_power(parts.win_chance_power)?
            .outcome_cutoff(parts.outcome_cutoff)?
            .outcome_power(parts.outcome_power)
    }
}
