//! The types of damage.

use std::fmt;
use std::str::FromStr;

use crate::Error;
use crate::attack::named;

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
/// let silver: DamageType = "Silvered Piercing".parse()?;
/// assert_eq!(silver.name(), "silvered piercing");
/// assert_eq!(DamageType::RULES.len(), 13);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "String", try_from = "String")
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
    /// Any other, in lower case. It comes from [text](DamageType::from_str) only, so that
    /// the same type is always written the same.
    #[non_exhaustive]
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

impl FromStr for DamageType {
    type Err = Error;

    /// Reads a name, whatever its case and the space around its words.
    ///
    /// # Errors
    /// [`Error::NoName`] for text without letters.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{DamageType, Error};
    ///
    /// assert_eq!("FIRE ".parse(), Ok(DamageType::Fire));
    /// let [iron, same] = ["cold iron", " Cold  Iron"].map(|name| name.parse::<DamageType>());
    /// assert_eq!(iron, same);
    /// assert_eq!(" ".parse::<DamageType>(), Err(Error::NoName { what: "a type of damage" }));
    /// ```
    fn from_str(name: &str) -> Result<Self, Error> {
        let words: Vec<&str> = name.split_whitespace().collect();
        let name = named(words.join(" ").to_lowercase(), "a type of damage")?;
        let known = DamageType::RULES.into_iter().find(|of| of.name() == name);
        Ok(known.unwrap_or(DamageType::Custom(name)))
    }
}

impl TryFrom<String> for DamageType {
    type Error = Error;

    fn try_from(name: String) -> Result<Self, Error> {
        name.parse()
    }
}

impl From<DamageType> for String {
    fn from(of: DamageType) -> Self {
        of.name().to_owned()
    }
}
