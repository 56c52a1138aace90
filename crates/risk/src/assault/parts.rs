//! The form of assaults that serde reads and writes.

use super::Assault;
use crate::{Error, Rules};

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "an assault")]
pub(super) struct AssaultParts {
    defenders: u32,
    armies: Vec<ArmyParts>,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "an army")]
struct ArmyParts {
    units: u32,
    #[serde(default)]
    rules: Rules,
}

impl From<Assault> for AssaultParts {
    fn from(assault: Assault) -> Self {
        let part = |(units, rules)| ArmyParts { units, rules };
        AssaultParts {
            defenders: assault.defenders,
            armies: assault.armies.into_iter().map(part).collect(),
        }
    }
}

impl TryFrom<AssaultParts> for Assault {
    type Error = Error;

    fn try_from(parts: AssaultParts) -> Result<Self, Error> {
        let units = parts.armies.iter().map(|army| army.units);
        let mut assault = Assault::new(units, parts.defenders)?;
        for (army, part) in parts.armies.into_iter().enumerate() {
            assault = assault.rules_at(army, part.rules)?;
        }
        Ok(assault)
    }
}
