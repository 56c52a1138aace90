//! Hit points of creatures.

use std::fmt;
use std::str::FromStr;

use num_traits::ToPrimitive;
use oddsmith_dice::{Dist, Notation};

use crate::Error;
use crate::text::{average_apart, check_average};

/// The hit points of a creature: a number, or dice that are rolled for each creature, with a
/// minimum of 1.
///
/// # Examples
/// ```
/// use oddsmith_dnd::HitPoints;
///
/// let ogre = HitPoints::rolled("7d10 + 21")?;
/// assert_eq!(ogre.law()?.mean().to_string(), "119/2"); // 59 in the book
/// assert_eq!(HitPoints::fixed(59)?.law()?.support(), [59]);
/// assert!(HitPoints::fixed(0).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HitPoints(Formula);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Formula {
    Fixed(i64),
    Rolled(Notation),
}

impl HitPoints {
    /// Creates a fixed number of hit points.
    ///
    /// # Errors
    /// [`Error::HitPoints`] for a number below 1.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Error, HitPoints};
    ///
    /// assert_eq!(HitPoints::fixed(52)?.average()?, 52);
    /// assert_eq!(HitPoints::fixed(0), Err(Error::HitPoints { given: 0 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fixed(number: i64) -> Result<Self, Error> {
        match number {
            1.. => Ok(HitPoints(Formula::Fixed(number))),
            given => Err(Error::HitPoints { given }),
        }
    }

    /// Creates rolled hit points from dice notation. As in stat blocks (`13 (3d8)`), the mean,
    /// rounded down, may precede the dice. A creature whose dice show less than 1 has 1.
    ///
    /// # Errors
    /// [`Error::Dice`] for text that is not dice notation; [`Error::HitPoints`] for dice that
    /// cannot show 1 or more; [`Error::Average`] for a number in front that is not their mean.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::HitPoints;
    ///
    /// let kobold = HitPoints::rolled("2d6 - 2")?;
    /// assert_eq!(kobold.law()?.p(&1).to_string(), "1/12"); // 2 or 3 pips
    /// assert_eq!(HitPoints::rolled("5 (2d6 - 2)")?, kobold);
    /// let error = HitPoints::rolled("7 (2d6 - 2)").unwrap_err().to_string();
    /// let wanted = "the average in front of 2d6 - 2 must be 5 (rounded down), got 7";
    /// assert!(error.starts_with(wanted));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rolled(dice: &str) -> Result<Self, Error> {
        let (average, dice) = average_apart(dice.trim());
        let rolled: Notation = dice.parse()?;
        let law = rolled.law()?;
        match *law.max() {
            1.. => {}
            given => return Err(Error::HitPoints { given }),
        }
        if let Some(average) = average {
            check_average(average, dice, 0, &law, 1)?;
        }
        Ok(HitPoints(Formula::Rolled(rolled)))
    }

    /// Returns the number in the book: the mean, rounded down.
    ///
    /// # Errors
    /// As for [`law`](HitPoints::law).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::HitPoints;
    ///
    /// assert_eq!(HitPoints::rolled("7d10 + 21")?.average()?, 59);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn average(&self) -> Result<i64, Error> {
        let mean = self.law()?.mean().floor();
        // The mean of 64-bit numbers fits 64 bits.
        Ok(mean.to_i64().unwrap_or(i64::MAX))
    }

    /// Returns the distribution.
    ///
    /// # Errors
    /// [`Error::Dice`] for dice whose distribution does not fit in memory.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::HitPoints;
    ///
    /// let frog = HitPoints::rolled("1d4 - 1")?.law()?;
    /// assert_eq!(frog.support(), [1, 2, 3]);
    /// assert_eq!(frog.p(&1).to_string(), "1/2"); // 0 counts as 1
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law(&self) -> Result<Dist<i64>, Error> {
        match &self.0 {
            Formula::Fixed(number) => Ok(Dist::certain(*number)),
            Formula::Rolled(dice) => Ok(dice.law()?.map(|&points| points.max(1))),
        }
    }
}

/// Writes a number, or dice in their notation, as [`FromStr`] reads them.
///
/// # Examples
/// ```
/// use oddsmith_dnd::HitPoints;
///
/// let ogre: HitPoints = "59 (7d10 + 21)".parse()?;
/// assert_eq!(ogre.to_string(), "7d10 + 21");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for HitPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Formula::Fixed(number) => number.fmt(f),
            Formula::Rolled(dice) => dice.fmt(f),
        }
    }
}

impl FromStr for HitPoints {
    type Err = Error;

    /// Parses a number, as for [`fixed`](HitPoints::fixed), or dice, as for
    /// [`rolled`](HitPoints::rolled), with or without the average in front, as in stat blocks.
    ///
    /// # Errors
    /// As for these two functions.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::HitPoints;
    ///
    /// let ogre: HitPoints = "59 (7d10 + 21)".parse()?;
    /// assert_eq!(ogre, HitPoints::rolled("7d10 + 21")?);
    /// assert_eq!("52".parse(), HitPoints::fixed(52));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        if let Ok(number) = text.parse() {
            return HitPoints::fixed(number);
        }
        HitPoints::rolled(text)
    }
}

/// Serializes a number as a number, and dice as their notation.
#[cfg(feature = "serde")]
impl serde::Serialize for HitPoints {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Formula::Fixed(number) => serializer.serialize_i64(*number),
            Formula::Rolled(dice) => dice.serialize(serializer),
        }
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for HitPoints {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(HitPointsVisitor)
    }
}

/// Written by hand, since an untagged enum would not say what is wrong. Text is parsed as
/// elsewhere, so it may contain an average.
#[cfg(feature = "serde")]
struct HitPointsVisitor;

#[cfg(feature = "serde")]
impl serde::de::Visitor<'_> for HitPointsVisitor {
    type Value = HitPoints;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("hit points: a number, or dice such as \"59 (7d10 + 21)\"")
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<HitPoints, E> {
        HitPoints::fixed(number).map_err(E::custom)
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<HitPoints, E> {
        match i64::try_from(number) {
            Ok(number) => self.visit_i64(number),
            Err(_) => Err(E::invalid_value(
                serde::de::Unexpected::Unsigned(number),
                &"at most 9223372036854775807 hit points",
            )),
        }
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<HitPoints, E> {
        text.parse().map_err(E::custom)
    }
}
