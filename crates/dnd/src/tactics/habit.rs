//! Habits, which are fixed choices.

use super::{Act, Situation, Stage};
use crate::Outcome;

/// When a habit uses a smite.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Habit, SmiteWhen};
///
/// assert_eq!(Habit::default().smite, SmiteWhen::Never);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum SmiteWhen {
    /// Never.
    #[default]
    Never,
    /// On a critical hit.
    OnCritical,
    /// On every hit, as long as there are uses left.
    OnHit,
}

/// When a habit uses healing.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Habit, HealWhen};
///
/// assert_eq!(Habit::default().heal, HealWhen::Never);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum HealWhen {
    /// Never.
    #[default]
    Never,
    /// At half of the hit points or less, as long as there are uses left.
    AtHalf,
}

/// A fixed choice: always the same way to attack, and the first smite or healing that is left
/// whenever its condition holds.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Habit, SmiteWhen};
///
/// let patient = Habit { smite: SmiteWhen::OnCritical, ..Habit::default() };
/// assert_eq!(patient.attack, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields, default)
)]
pub struct Habit {
    /// The index of the way to attack.
    pub attack: usize,
    /// When to smite.
    pub smite: SmiteWhen,
    /// When to heal.
    pub heal: HealWhen,
}

impl Habit {
    /// Returns which of these acts the habit chooses.
    pub(super) fn decides(
        &self,
        maximum: i64,
        now: &Situation,
        mut acts: impl Iterator<Item = Act>,
    ) -> Act {
        let heals = self.heal == HealWhen::AtHalf && now.own <= maximum / 2;
        let smites = match (self.smite, now.stage) {
            (SmiteWhen::OnHit, _) => true,
            (SmiteWhen::OnCritical, Stage::Rolled { outcome, .. }) => outcome == Outcome::Critical,
            _ => false,
        };
        let wanted = |act: &Act| match act {
            Act::Heal(_) => heals,
            Act::Smite(_) => smites,
            _ => false,
        };
        let usual = match now.stage {
            Stage::Rolled { .. } => Act::Hold,
            _ => Act::Attack(self.attack),
        };
        acts.find(wanted).unwrap_or(usual)
    }
}
