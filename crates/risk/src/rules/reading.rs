//! What a bonus does to a die.

/// How a bonus is read: whether it may take a die past its sides, and whether
/// the dice are sorted again once it is added.
///
/// Pairs are compared rank by rank, so it matters: a 2 and a 2 with −1 on the
/// highest are (1, 2), which stay so or become (2, 1).
///
/// # Examples
/// One die each with a hero in the attack; a 6 stays a 6 if bonuses are clamped:
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
    /// A bonus is added and that is all: 6 + 1 = 7. Georgiou's section 7.
    #[default]
    Unclamped,
    /// A die stays between 1 and its sides; the ranks stay as they are.
    Clamped,
    /// Nothing is clamped; the dice are sorted again.
    Sorted,
    /// Dice stay between 1 and their sides and are sorted again: the reading
    /// that gives the tables published for RISK Legacy, with its bunkers (+1 on
    /// the defender's highest die) and fortifications (+1 on both).
    ClampedAndSorted,
}
