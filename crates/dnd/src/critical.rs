//! The effect of a critical hit on damage dice.

/// A rule for the damage dice of a critical hit.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{CriticalRule, Damage, Outcome};
///
/// let sword = Damage::dice(2, 6)?.flat(5);
/// let mean = |rule| {
///     let law = sword.clone().critical(rule).law(Outcome::Critical);
///     law.map(|law| law.mean().to_string())
/// };
/// assert_eq!(mean(CriticalRule::Doubled)?, "19"); // 4d6 + 5
/// assert_eq!(mean(CriticalRule::MaximumPlusRoll)?, "24"); // 12 + 2d6 + 5
/// assert_eq!(mean(CriticalRule::Normal)?, "12");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum CriticalRule {
    /// All damage dice are rolled twice. This is the standard rule.
    #[default]
    Doubled,
    /// A variant: the highest number that the dice can show, plus one roll of them.
    MaximumPlusRoll,
    /// A variant: a critical hit is a normal hit, without the dice that only critical hits roll.
    Normal,
}
