//! The form of battles with a choice of dice that serde reads and writes.

use super::{DiceGame, Timing};
use crate::{Error, Rules};

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a game of dice to choose")]
pub(super) struct DiceGameParts {
    attackers: u32,
    defenders: u32,
    #[serde(default)]
    rules: Rules,
    #[serde(default)]
    timing: Timing,
}

impl From<DiceGame> for DiceGameParts {
    fn from(game: DiceGame) -> Self {
        DiceGameParts {
            attackers: game.attackers,
            defenders: game.defenders,
            rules: game.rules,
            timing: game.timing,
        }
    }
}

impl TryFrom<DiceGameParts> for DiceGame {
    type Error = Error;

    fn try_from(parts: DiceGameParts) -> Result<Self, Error> {
        let game = DiceGame::new(parts.attackers, parts.defenders)?;
        Ok(game.rules(parts.rules).timing(parts.timing))
    }
}
