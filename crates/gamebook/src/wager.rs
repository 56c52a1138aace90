//! Games of dice, balls or pills, as a bounded loop.

use crate::{Condition, Passage, WeightedEffects};

/// A game of several rounds. If `free` is set, the hero may stop before each of them.
///
/// A round is played if fewer than `rounds` have been played and the condition holds; otherwise the
/// game is over. A hero whose life is 0 or less after a round is dead.
///
/// # Examples
/// One die against three: strictly above all three wins 6, below any loses 2.
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
    /// The most rounds, 1 to 100.
    pub rounds: u16,
    /// The condition for another round (`while` in a file).
    #[cfg_attr(
        feature = "serde",
        serde(rename = "while", default, skip_serializing_if = "Option::is_none")
    )]
    pub condition: Option<Condition>,
    /// Whether the hero may stop before any round, including the first.
    #[cfg_attr(feature = "serde", serde(default))]
    pub free: bool,
    /// What may happen in a round, by weight.
    pub round: Vec<WeightedEffects>,
    /// What follows the game.
    pub after: Passage,
}
