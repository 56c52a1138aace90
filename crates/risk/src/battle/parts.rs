//! The form of a battle that serde reads and writes. Limits are not part of it, since they belong
//! to the machine that computes.

use super::Battle;
use crate::{Error, Rules, StopRule};

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a battle")]
pub(super) struct BattleParts {
    attackers: u32,
    defenders: u32,
    #[serde(default)]
    rules: Rules,
    #[serde(default)]
    stop: StopRule,
}

impl From<Battle> for BattleParts {
    fn from(battle: Battle) -> Self {
        BattleParts {
            attackers: battle.attackers,
            defenders: battle.defenders,
            rules: battle.rules,
            stop: battle.stop,
        }
    }
}

impl TryFrom<BattleParts> for Battle {
    type Error = Error;

    fn try_from(parts: BattleParts) -> Result<Self, Error> {
        Battle::new(parts.attackers, parts.defenders)?
            .rules(parts.rules)
            .stop(parts.stop)
    }
}
