//! The Kai disciplines.

use std::fmt;
use std::str::FromStr;

use crate::{Error, Item};

/// A Kai discipline.
///
/// Weaponskill names its weapon. It adds 2 to COMBAT SKILL while that weapon is carried.
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::{Discipline, Item};
///
/// assert_eq!("sixth_sense".parse::<Discipline>()?, Discipline::SixthSense);
/// assert_eq!("SS".parse::<Discipline>()?, Discipline::Weaponskill(Item::ShortSword));
/// assert_eq!(Discipline::Weaponskill(Item::Sword).to_string(), "weaponskill in sword");
/// assert!("swimming".parse::<Discipline>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Discipline {
    /// Camouflage.
    Camouflage,
    /// Hunting: Meals are found where there is game.
    Hunting,
    /// Sixth Sense.
    SixthSense,
    /// Tracking.
    Tracking,
    /// Healing: restores 1 ENDURANCE in every section without combat.
    Healing,
    /// Mindshield: a foe's Mindblast has no effect.
    Mindshield,
    /// Mindblast: adds 2 to COMBAT SKILL against foes that are not immune.
    Mindblast,
    /// Animal Kinship.
    AnimalKinship,
    /// Mind Over Matter.
    MindOverMatter,
    /// Weaponskill in a weapon: adds 2 to COMBAT SKILL while it is carried. The weapon cannot be
    /// one of the two unique ones, but Weaponskill in spears also counts with the Magic Spear, and
    /// Weaponskill in any kind of sword with the Sommerswerd.
    Weaponskill(Item),
}

impl Discipline {
    /// The nine disciplines other than Weaponskill.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Discipline;
    /// assert_eq!(Discipline::PLAIN.len(), 9);
    /// assert_eq!(Discipline::PLAIN[1], Discipline::Hunting);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const PLAIN: [Discipline; 9] = [
        Discipline::Camouflage,
        Discipline::Hunting,
        Discipline::SixthSense,
        Discipline::Tracking,
        Discipline::Healing,
        Discipline::Mindshield,
        Discipline::Mindblast,
        Discipline::AnimalKinship,
        Discipline::MindOverMatter,
    ];

    /// Returns the position of a plain discipline in [`PLAIN`](Discipline::PLAIN).
    pub(crate) fn place(self) -> Option<usize> {
        Discipline::PLAIN.iter().position(|&plain| plain == self)
    }
}

impl fmt::Display for Discipline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Discipline::Camouflage => "camouflage",
            Discipline::Hunting => "hunting",
            Discipline::SixthSense => "sixth sense",
            Discipline::Tracking => "tracking",
            Discipline::Healing => "healing",
            Discipline::Mindshield => "mindshield",
            Discipline::Mindblast => "mindblast",
            Discipline::AnimalKinship => "animal kinship",
            Discipline::MindOverMatter => "mind over matter",
            Discipline::Weaponskill(weapon) => return f.pad(&format!("weaponskill in {weapon}")),
        })
    }
}

/// Accepts names with underscores or blanks, the two letters and the names used by the program that
/// this crate is measured against, and the name of a weapon for Weaponskill in it.
///
/// # Errors
/// [`Error::UnknownDiscipline`] for anything else.
impl FromStr for Discipline {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown = || Error::UnknownDiscipline {
            given: text.to_owned(),
        };
        Ok(match text.replace(' ', "_").as_str() {
            "camouflage" | "CA" | "Camouflage" => Discipline::Camouflage,
            "hunting" | "HU" | "Hunting" => Discipline::Hunting,
            "sixth_sense" | "6S" | "SixthSense" => Discipline::SixthSense,
            "tracking" | "TR" | "Tracking" => Discipline::Tracking,
            "healing" | "HL" | "Healing" => Discipline::Healing,
            "mindshield" | "MS" | "MindShield" => Discipline::Mindshield,
            "mindblast" | "MB" | "MindBlast" => Discipline::Mindblast,
            "animal_kinship" | "AK" | "AnimalKinship" => Discipline::AnimalKinship,
            "mind_over_matter" | "MO" | "MindOverMatter" => Discipline::MindOverMatter,
            "SW" => Discipline::Weaponskill(Item::Sword),
            "SS" => Discipline::Weaponskill(Item::ShortSword),
            other => {
                let weapon = other.strip_prefix("weaponskill_in_").unwrap_or(other);
                let weapon: Item = weapon.parse().map_err(|_| unknown())?;
                match weapon.can_be_trained() {
                    true => Discipline::Weaponskill(weapon),
                    false => return Err(unknown()),
                }
            }
        })
    }
}
