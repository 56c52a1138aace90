//! The types of damage.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// A type of damage: the thirteen of the rules, or one of your own, such as "silvered
/// piercing", where a target takes it differently.
///
/// # Examples
/// ```
/// use oddsmith_dnd::DamageType;
///
/// let fire: DamageType = "Fire".parse()?;
/// assert_eq!(fire, DamageType::Fire);
/// assert_eq!(fire.to_string(), "fire");
/// assert_eq!(DamageType::RULES.len(), 13);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "String", from = "String")
)]
pub enum DamageType {
    /// Acid.
    Acid,
    /// Bludgeoning.
    Bludgeoning,
    /// Cold.
    Cold,
    /// Fire.
    Fire,
    /// Force.
    Force,
    /// Lightning.
    Lightning,
    /// Necrotic.
    Necrotic,
    /// Piercing.
    Piercing,
    /// Poison.
    Poison,
    /// Psychic.
    Psychic,
    /// Radiant.
    Radiant,
    /// Slashing.
    Slashing,
    /// Thunder.
    Thunder,
    /// Any other, in lower case where it is read from text.
    Custom(String),
}

impl DamageType {
    /// The thirteen types of the rules, in alphabetical order.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::DamageType;
    ///
    /// assert_eq!(DamageType::RULES[3], DamageType::Fire);
    /// ```
    pub const RULES: [DamageType; 13] = [
        DamageType::Acid,
        DamageType::Bludgeoning,
        DamageType::Cold,
        DamageType::Fire,
        DamageType::Force,
        DamageType::Lightning,
        DamageType::Necrotic,
        DamageType::Piercing,
        DamageType::Poison,
        DamageType::Psychic,
        DamageType::Radiant,
        DamageType::Slashing,
        DamageType::Thunder,
    ];

    /// Its name, in lower case.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_dnd::DamageType::Necrotic.name(), "necrotic");
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            DamageType::Acid => "acid",
            DamageType::Bludgeoning => "bludgeoning",
            DamageType::Cold => "cold",
            DamageType::Fire => "fire",
            DamageType::Force => "force",
            DamageType::Lightning => "lightning",
            DamageType::Necrotic => "necrotic",
            DamageType::Piercing => "piercing",
            DamageType::Poison => "poison",
            DamageType::Psychic => "psychic",
            DamageType::Radiant => "radiant",
            DamageType::Slashing => "slashing",
            DamageType::Thunder => "thunder",
            DamageType::Custom(name) => name,
        }
    }
}

impl fmt::Display for DamageType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl From<&str> for DamageType {
    fn from(name: &str) -> Self {
        let name = name.trim().to_lowercase();
        let known = DamageType::RULES.into_iter().find(|of| of.name() == name);
        known.unwrap_or(DamageType::Custom(name))
    }
}

impl From<String> for DamageType {
    fn from(name: String) -> Self {
        name.as_str().into()
    }
}

impl From<DamageType> for String {
    fn from(of: DamageType) -> Self {
        of.name().to_owned()
    }
}

impl FromStr for DamageType {
    type Err = Infallible;

    fn from_str(name: &str) -> Result<Self, Infallible> {
        Ok(name.into())
    }
}
