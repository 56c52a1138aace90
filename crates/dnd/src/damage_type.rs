//! The types of damage.

use std::fmt;
use std::str::FromStr;

use crate::Error;
use crate::attack::named;

/// A type of damage: one of the thirteen of the rules, or one of your own, such as "silvered
/// piercing", for a target that treats it differently.
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
    /// Any other type, in lower case. It is created only from [text](DamageType::from_str), so that
    /// the same type is always written in the same way and does not almost equal one of the others.
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

    /// Returns its name, in lower case.
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

    /// Parses a name, regardless of its case and of the spaces around its words. A name of several
    /// words, such as "magical slashing", is a type of its own: a defence against slashing does not
    /// apply to it, but one against "magical slashing" does.
    ///
    /// A name that is none of the thirteen types is a custom type, unless it looks like a
    /// misspelling of one of them. No defence would apply to misspelt damage, and nobody would
    /// notice. A name counts as misspelt if one edit makes it the name of a type: to add, remove or
    /// replace a letter, or to swap two neighbouring ones. Two edits count if the name of the type
    /// has more than five letters.
    ///
    /// # Errors
    /// [`Error::NoName`] for blank text; [`Error::MisspeltType`] for a name that almost
    /// equals that of a type of the rules.
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

/// Returns how many letters must be added, removed, replaced, or swapped with the next one to turn
/// this name into the other; `None` if there are too many for a slip. In a name of four letters two
/// are half the word: "ice" is not a misspelt fire.
fn edits(given: &str, name: &str) -> Option<usize> {
    let slips = if name.len() > 5 { 2 } else { 1 };
    // There is no need to compare names as long as a text.
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
