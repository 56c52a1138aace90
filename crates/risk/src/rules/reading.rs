//! What a bonus does to a die.

/// How a bonus is applied: whether it may take a die past its sides, and whether the dice are
/// sorted again after it is added.
///
/// Since pairs are compared rank by rank, it matters whether the dice are sorted again. A 2 and a 2
/// with −1 on the highest are (1, 2), which stay as they are or become (2, 1).
///
/// # Examples
/// One die each, with a hero in the attack. A 6 stays a 6 if bonuses are clamped:
/// ```
/// use oddsmith_risk::{Reading, Rules, Throw};
///
/// let hero = Rules::standard().hero_attacks();
/// let won = |rules| Throw::new(1, 1)?.rules(rules).law().map(|law| law.p(&1).to_string());
/// assert_eq!(won(hero.clone())?, "7/12");
/// assert_eq!(won(hero.reading(Reading::Clamped))?, "5/9");
/// # Ok::<(), oddsmith_risk::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Reading {
    /// The bonus is added, and nothing else is done: 6 + 1 = 7. This is the reading of Georgiou's
    /// section 7.
    #[default]
    Unclamped,
    /// A die stays between 1 and its number of sides; the ranks stay as they are.
    Clamped,
    /// Nothing is clamped; the dice are sorted again.
    Sorted,
    /// Dice stay between 1 and their number of sides and are sorted again. This reading gives the
    /// tables published for RISK Legacy, with its bunkers (+1 on the defender's highest die) and
    /// fortifications (+1 on both).
    ClampedAndSorted,
}
