//! The form of battles that may be stopped that serde reads and writes.

use super::Stopping;
use crate::{Battle, Error};

/// The territory is text, such as `"9/2"`.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an attack and the worth of its territory"
)]
pub(super) struct StoppingParts {
    battle: Battle,
    territory: String,
}

impl From<Stopping> for StoppingParts {
    fn from(stopping: Stopping) -> Self {
        StoppingParts {
            battle: stopping.battle,
            territory: stopping.territory.to_string(),
        }
    }
}

impl TryFrom<StoppingParts> for Stopping {
    type Error = Error;

    fn try_from(parts: StoppingParts) -> Result<Self, Error> {
        Stopping::new(parts.battle, parts.territory.as_str())
    }
}
