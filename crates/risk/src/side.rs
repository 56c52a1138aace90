//! The two sides of a battle.

use std::fmt;

/// The attacker or the defender.
///
/// # Examples
/// ```
/// use oddsmith_risk::{Rules, Side, Throw};
///
/// assert_eq!(Side::Attacker.to_string(), "attacker");
/// let zombies = Rules::standard().ties_to(Side::Attacker);
/// let throw = Throw::new(1, 1)?.rules(zombies).law()?;
/// assert_eq!(throw.p(&1).to_string(), "7/12");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Side {
    /// The side that throws first and may stop.
    Attacker,
    /// The side that holds the territory.
    Defender,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::Attacker => "attacker",
            Side::Defender => "defender",
        })
    }
}
