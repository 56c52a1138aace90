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
#[non_exhaustive]
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
    /// the same type is always written the same, and is not almost one of the others.
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

    /// Reads a name, whatever its case and the space around its words. One that is of none
    /// of the thirteen types is a type of one's own, unless it looks like one of them
    /// misspelt: no defence would meet such damage, and nobody would notice. That is so if
    /// one letter more, less, other, or changed for the next one makes the name of a type;
    /// two of these if that has more than five letters.
    ///
    /// # Errors
    /// [`Error::NoName`] for text without letters; [`Error::MisspeltType`] for a name that
    /// is almost that of a type of the rules.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{DamageType, Error};
    ///
    /// assert_eq!("FIRE ".parse(), Ok(DamageType::Fire));
    /// let [iron, same] = ["cold iron", " Cold  Iron"].map(|name| name.parse::<DamageType>());
    /// assert_eq!(iron, same);
    /// assert_eq!(" ".parse::<DamageType>(), Err(Error::NoName { what: "a type of damage" }));
    /// let error = "slahsing".parse::<DamageType>().unwrap_err().to_string();
    /// assert!(error.contains("did you mean \"slashing\"?"));
    /// assert_eq!("ice".parse::<DamageType>()?.name(), "ice"); // far enough from "fire"
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn from_str(name: &str) -> Result<Self, Error> {
        let words: Vec<&str> = name.split_whitespace().collect();
        let name = named(words.join(" ").to_lowercase(), "a type of damage")?;
        let mut near: Option<(usize, DamageType)> = None;
        for of in DamageType::RULES {
            match edits(&name, of.name()) {
                Some(0) => return Ok(of),
                Some(edits) if near.as_ref().is_none_or(|(least, _)| edits < *least) => {
                    near = Some((edits, of));
                }
                _ => {}
            }
        }
        match near {
            Some((_, meant)) => Err(Error::MisspeltType { given: name, meant }),
            None => Ok(DamageType::Custom(name)),
        }
    }
}

/// How many letters are to be added, left out, changed, or changed for the next one to make
/// the other name of this one; nothing if there are more than a slip makes. Two of four
/// letters are half of a word: "ice" is not a misspelt fire.
fn edits(given: &str, name: &str) -> Option<usize> {
    let slips = if name.len() > 5 { 2 } else { 1 };
    // Names as long as a text need not be compared.
    let given: String = given.chars().take(name.len() + slips + 1).collect();
    Some(strsim::osa_distance(&given, name)).filter(|edits| *edits <= slips)
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
