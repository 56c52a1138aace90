//! Saving throws.

use num_rational::BigRational;
use oddsmith_dice::Dist;

use crate::{AttackRoll, Cover, D20, Error, Naturals, Outcome};

/// An ability, by whose bonus a saving throw is made.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Ability, Target};
///
/// let rogue = Target::new(15).save(Ability::Dexterity, 7);
/// assert_eq!(rogue.saving_throw(Ability::Dexterity, 15)?.success().to_string(), "13/20");
/// assert_eq!(rogue.saving_throw(Ability::Wisdom, 15)?.success().to_string(), "3/10");
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
    /// Dexterity: the one that cover and evasion help.
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

/// A d20 with a bonus against a difficulty class (DC): a success from the DC on.
///
/// Neither a natural 1 nor a natural 20 is anything special, in either edition: see
/// [`Naturals`].
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
/// With the feature `serde` a throw is written as what it needs, the DC less the bonus, and how
/// it is made; what is not given is as in a plain throw.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "parts::SavingThrowParts", into = "parts::SavingThrowParts")
)]
pub struct SavingThrow(AttackRoll);

/// A throw as it is written by serde.
#[cfg(feature = "serde")]
mod parts {
    use oddsmith_dice::Dist;

    use super::SavingThrow;
    use crate::{AttackRoll, D20, Error, Naturals};

    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
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
    /// A plain throw with this bonus against this DC. Any numbers are allowed.
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

    /// The same with advantage or disadvantage.
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

    /// The same by a lucky halfling: see [`D20::halfling_luck`].
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

    /// The same with more dice, as for [`AttackRoll::bonus_dice`].
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

    /// The same behind cover, for throws of Dexterity.
    ///
    /// # Errors
    /// [`Error::TotalCover`] where no effect gets through.
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
        // What makes an attack harder makes a throw easier.
        Ok(SavingThrow(self.0.penalty(-cover.bonus()?)))
    }

    /// P(success).
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

    /// P(failure).
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_dnd::SavingThrow::new(15, 5).failure().to_string(), "9/20");
    /// ```
    #[must_use]
    pub fn failure(&self) -> BigRational {
        self.0.miss()
    }

    /// The law of success.
    ///
    /// # Errors
    /// None in fact.
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

    /// How many rolls fail and succeed, as the outcomes of an attack: a failure is hit.
    pub(crate) fn counts(&self) -> ([num_bigint::BigUint; 3], num_bigint::BigUint) {
        let ([failures, hit, critical], rolls) = self.0.counts();
        ([hit + critical, failures, 0_u32.into()], rolls)
    }
}
