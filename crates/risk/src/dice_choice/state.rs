//! The states of a battle with a choice of dice.

use std::sync::Arc;

use crate::Forces;

/// A state of a battle with a choice of dice, that is, of a
/// [`DiceChoiceGame`](crate::DiceChoiceGame).
///
/// # Examples
/// One attacker has declared his die, and two defenders answer:
/// ```
/// use oddsmith_mdp::Solver;
/// use oddsmith_risk::{DiceGame, DiceState};
///
/// let battle = DiceGame::new(1, 2)?;
/// let solution = battle.solve_with(Solver::exact())?;
/// let declared = DiceState::Declared { forces: battle.forces(), dice: 1 };
/// assert_eq!(solution.decision(&declared)?, Some(2)); // dice
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum DiceState {
    /// Nothing is decided, or the battle is over.
    Before(Forces),
    /// The side that declares first has declared.
    Declared {
        /// The forces.
        forces: Forces,
        /// The dice declared.
        dice: u32,
    },
    /// The attacker has thrown.
    Thrown {
        /// The forces.
        forces: Forces,
        /// His faces, highest first, including bonuses; no more of them than the defender can have
        /// dice.
        #[cfg_attr(feature = "serde", serde(with = "faces"))]
        faces: Arc<[i64]>,
    },
}

/// Serializes shared faces as a list.
#[cfg(feature = "serde")]
mod faces {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        faces: &Arc<[i64]>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        (**faces).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<[i64]>, D::Error> {
        Ok(Vec::<i64>::deserialize(deserializer)?.into())
    }
}
