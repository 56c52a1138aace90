//! Saving throws.

use std::fmt;

use num_rational::BigRational;
use oddsmith_dice::Dist;

use crate::{AttackRoll, Cover, D20, Error, Naturals, Outcome};

/// An ability whose bonus applies to a saving throw.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Ability, Target};
///
/// let rogue = Target::new(15).save(Ability::Dexterity, 7);
/// assert_eq!(rogue.saving_throw(Ability::Dexterity, 15)?.success().to_string(), "13/20");
/// assert_eq!(rogue.saving_throw(Ability::Wisdom, 15)?.success().to_string(), "3/10");
/// assert_eq!(Ability::Wisdom.to_string(), "Wisdom");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Ability {
    /// Strength.
    Strength,
    /// Dexterity, with which cover and Evasion help.
    Dexterity,
    /// Constitution.
    Constitution,
    /// Intelligence.
    Intelligence,
    /// Wisdom.
    Wisdom,
    /// Charisma.
    Charisma,
}

impl fmt::Display for Ability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Ability::Strength => "Strength",
            Ability::Dexterity => "Dexterity",
            Ability::Constitution => "Constitution",
            Ability::Intelligence => "Intelligence",
            Ability::Wisdom => "Wisdom",
            Ability::Charisma => "Charisma",
        })
    }
}

/// A d20 with a bonus against a difficulty class (DC); it succeeds if the total is at least the DC.
///
/// A natural 1 or 20 has no special effect in either edition; see [`Naturals`].
///
/// # Examples
/// ```
/// use oddsmith_dnd::{D20, SavingThrow};
///
/// let save = SavingThrow::new(15, 5);
/// assert_eq!(save.success().to_string(), "11/20");
/// assert_eq!(save.die(D20::Advantage).success().to_string(), "319/400");
/// assert_eq!(SavingThrow::new(30, 5).success().to_string(), "0");
/// ```
///
/// With the feature `serde`, a saving throw is serialized as the number it needs, which is the DC
/// minus the bonus, and how it is rolled. Omitted fields are as in a plain saving throw.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "parts::SavingThrowParts", into = "parts::SavingThrowParts")
)]
pub struct SavingThrow(AttackRoll);

/// The form of a saving throw that serde reads and writes.
#[cfg(feature = "serde")]
mod parts {
    use oddsmith_dice::Dist;

    use super::SavingThrow;
    use crate::{AttackRoll, D20, Error, Naturals};

    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(deny_unknown_fields, expecting = "a saving throw")]
    pub(super) struct SavingThrowParts {
        #[serde(with = "crate::roll::needed")]
        needed: i128,
        #[serde(default)]
        die: D20,
        #[serde(default)]
        halfling_luck: bool,
        #[serde(default)]
        bonus_dice: Option<Dist<i64>>,
    }

    impl From<SavingThrow> for SavingThrowParts {
        fn from(throw: SavingThrow) -> Self {
            let (needed, halfling_luck, die, bonus_dice) = throw.0.parts();
            SavingThrowParts {
                needed,
                die,
                halfling_luck,
                bonus_dice: bonus_dice.cloned(),
            }
        }
    }

    impl TryFrom<SavingThrowParts> for SavingThrow {
        type Error = Error;

        fn try_from(parts: SavingThrowParts) -> Result<Self, Error> {
            let roll = AttackRoll::needing(parts.needed)?.naturals(Naturals::Compared);
            let throw = SavingThrow(roll.die(parts.die));
            let throw = match parts.halfling_luck {
                true => throw.halfling_luck(),
                false => throw,
            };
            match &parts.bonus_dice {
                Some(dice) => throw.bonus_dice(dice),
                None => Ok(throw),
            }
        }
    }
}

impl SavingThrow {
    /// Creates a plain saving throw with this bonus against this DC. Any numbers are allowed.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::SavingThrow;
    ///
    /// assert_eq!(SavingThrow::new(i64::MIN, i64::MAX).failure().to_string(), "0");
    /// assert_eq!(SavingThrow::new(i64::MAX, i64::MIN).failure().to_string(), "1");
    /// ```
    #[must_use]
    pub fn new(dc: i64, bonus: i64) -> Self {
        SavingThrow(AttackRoll::new(dc, bonus).naturals(Naturals::Compared))
    }

    /// Sets advantage or disadvantage.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{D20, SavingThrow};
    ///
    /// let save = SavingThrow::new(11, 0);
    /// assert_eq!(save.clone().die(D20::Advantage).success().to_string(), "3/4");
    /// assert_eq!(save.die(D20::Disadvantage).success().to_string(), "1/4");
    /// ```
    #[must_use]
    pub fn die(self, die: D20) -> Self {
        SavingThrow(self.0.die(die))
    }

    /// Makes the creature a lucky halfling; see [`D20::halfling_luck`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::SavingThrow;
    ///
    /// assert_eq!(SavingThrow::new(15, 5).halfling_luck().success().to_string(), "231/400");
    /// ```
    #[must_use]
    pub fn halfling_luck(self) -> Self {
        SavingThrow(self.0.halfling_luck())
    }

    /// Adds dice, as [`AttackRoll::bonus_dice`] does.
    ///
    /// # Errors
    /// [`Error::Dice`] if a sum does not fit 64 bits.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::SavingThrow;
    ///
    /// let blessed = SavingThrow::new(15, 5).bonus_dice(&Dist::die(4)?)?;
    /// assert_eq!(blessed.success().to_string(), "27/40");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bonus_dice(self, dice: &Dist<i64>) -> Result<Self, Error> {
        Ok(SavingThrow(self.0.bonus_dice(dice)?))
    }

    /// Puts the creature behind cover, for Dexterity saving throws. Several calls add up; by the
    /// rules, only the best cover counts.
    ///
    /// # Errors
    /// [`Error::TotalCover`] if no effect gets through.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Cover, SavingThrow};
    ///
    /// let save = SavingThrow::new(15, 5).cover(Cover::Half)?;
    /// assert_eq!(save.success().to_string(), "13/20");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cover(self, cover: Cover) -> Result<Self, Error> {
        // Cover that makes an attack harder makes a saving throw easier.
        Ok(SavingThrow(self.0.penalty(-cover.bonus()?)))
    }

    /// Returns P(success).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::SavingThrow;
    ///
    /// assert_eq!(SavingThrow::new(16, 4).success().to_string(), "9/20"); // 12 to 20
    /// assert_eq!(SavingThrow::new(5, 4).success().to_string(), "1"); // a natural 1, too
    /// ```
    #[must_use]
    pub fn success(&self) -> BigRational {
        self.0.hit() + self.0.critical()
    }

    /// Returns P(failure).
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_dnd::SavingThrow::new(15, 5).failure().to_string(), "9/20");
    /// ```
    #[must_use]
    pub fn failure(&self) -> BigRational {
        self.0.miss()
    }

    /// Returns the distribution of success.
    ///
    /// # Errors
    /// None in practice.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::SavingThrow;
    ///
    /// assert_eq!(SavingThrow::new(15, 5).law()?.p(&true).to_string(), "11/20");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law(&self) -> Result<Dist<bool>, Error> {
        Ok(self.0.law()?.map(|&outcome| outcome != Outcome::Miss))
    }

    /// Returns how many rolls fail and succeed, as outcomes of an attack: a failure is a hit.
    pub(crate) fn counts(&self) -> ([num_bigint::BigUint; 3], num_bigint::BigUint) {
        let ([failures, hit, critical], rolls) = self.0.counts();
        ([hit + critical, failures, 0_u32.into()], rolls)
    }
}
