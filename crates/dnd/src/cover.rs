//! Cover against attacks and effects.

use std::fmt;

use crate::Error;

/// The cover between the attacker and the target (Player's Handbook, "Cover").
///
/// # Examples
/// ```
/// use oddsmith_dnd::Cover;
///
/// assert_eq!(Cover::Half.bonus()?, 2);
/// assert_eq!(Cover::ThreeQuarters.bonus()?, 5);
/// assert_eq!(Cover::ThreeQuarters.to_string(), "three-quarters cover");
/// assert!(Cover::Total.bonus().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Cover {
    /// No cover.
    #[default]
    None,
    /// +2 to AC and to Dexterity saving throws.
    Half,
    /// +5 to AC and to Dexterity saving throws.
    ThreeQuarters,
    /// The target cannot be attacked at all.
    Total,
}

impl Cover {
    /// Returns the bonus to AC and to Dexterity saving throws.
    ///
    /// # Errors
    /// [`Error::TotalCover`] if the target cannot be attacked.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Cover, Error};
    ///
    /// assert_eq!(Cover::None.bonus(), Ok(0));
    /// assert_eq!(Cover::Total.bonus(), Err(Error::TotalCover));
    /// ```
    pub fn bonus(self) -> Result<i64, Error> {
        match self {
            Cover::None => Ok(0),
            Cover::Half => Ok(2),
            Cover::ThreeQuarters => Ok(5),
            Cover::Total => Err(Error::TotalCover),
        }
    }
}

impl fmt::Display for Cover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Cover::None => "no cover",
            Cover::Half => "half cover",
            Cover::ThreeQuarters => "three-quarters cover",
            Cover::Total => "total cover",
        })
    }
}
