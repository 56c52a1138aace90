//! Games of dice, balls and pills, from one bounded loop.

use crate::{Condition, Passage, WeightedEffects};

/// A game played for some rounds; before each the hero may stop, if that is allowed.
///
/// A round is played if fewer than `rounds` have been and the condition holds; else
/// the game is over. After each round the hero is dead if it has killed.
///
/// # Examples
/// One die against three; strictly above all wins 6, below any loses 2:
/// ```
/// use oddsmith_gamebook::{Condition, Effect, Passage, Wager, WeightedEffects};
///
/// let outcome = |weight, gold| WeightedEffects { weight, effects: vec![Effect::change("gold", gold)] };
/// let dice = Wager {
///     rounds: 4,
///     condition: Some(Condition::at_least("gold", 2)),
///     free: true,
///     round: vec![outcome(225, 6), outcome(216, 0), outcome(855, -2)],
///     after: Passage::to(296),
/// };
/// assert_eq!(dice.round.iter().map(|o| o.weight).sum::<u32>(), 1_296);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Wager {
    /// At most so many rounds, 1 to 100.
    pub rounds: u16,
    /// What must hold for another round, `while` in a file.
    #[cfg_attr(
        feature = "serde",
        serde(rename = "while", default, skip_serializing_if = "Option::is_none")
    )]
    pub condition: Option<Condition>,
    /// Whether the hero may stop before any round, also before the first.
    #[cfg_attr(feature = "serde", serde(default))]
    pub free: bool,
    /// What a round brings, by weight.
    pub round: Vec<WeightedEffects>,
    /// What follows the game.
    pub after: Passage,
}
