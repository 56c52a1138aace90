//! When a test of LUCK pays on average: equations (16) and (17).

use num_bigint::BigInt;
use num_rational::BigRational;
use oddsmith_dice::IntoRatio;

use crate::{Damage, Error};

/// Returns the mean STAMINA a blow takes if LUCK is tested and succeeds with chance `q`: q ·
/// lucky + (1 − q) · unlucky.
///
/// This is equation (16) for [`Damage::HIT`], and (17) for [`Damage::WOUND`].
///
/// # Errors
///
/// [`Error::Probability`] if `q` is not within 0..=1, [`Error::Dice`] if it is not a number.
///
/// ```
/// use oddsmith_fightingfantasy::{Damage, expected_damage};
///
/// assert_eq!(expected_damage(Damage::HIT, "5/12")?.to_string(), "9/4");
/// assert_eq!(expected_damage(Damage::WOUND, "5/12")?.to_string(), "13/6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn expected_damage(damage: Damage, q: impl IntoRatio) -> Result<BigRational, Error> {
    let q = probability(q)?;
    let lucky = &q * BigInt::from(damage.lucky);
    let unlucky = (integer(1) - q) * BigInt::from(damage.unlucky);
    Ok(lucky + unlucky)
}

/// Returns the chance of success above which a test of LUCK adds damage to a hit on average: 1/3,
/// by equation (16).
///
/// This is about the damage of one round. Even if LUCK never runs out, testing it may lower the
/// chance of victory near the end, where only killing the foe counts: against STAMINA 2 a plain hit
/// ends the duel, and a test can only spoil it.
///
/// ```
/// use oddsmith_fightingfantasy::{lucky_chance, offensive_threshold};
///
/// assert_eq!(offensive_threshold().to_string(), "1/3");
/// assert!(lucky_chance(5) < offensive_threshold() && offensive_threshold() < lucky_chance(6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn offensive_threshold() -> BigRational {
    BigRational::new(1.into(), 3.into())
}

/// Returns the chance of success above which a test of LUCK softens a wound on average: 1/2, by
/// equation (17).
///
/// ```
/// use oddsmith_fightingfantasy::{defensive_threshold, lucky_chance};
///
/// assert_eq!(defensive_threshold().to_string(), "1/2");
/// assert!(lucky_chance(6) < defensive_threshold() && defensive_threshold() < lucky_chance(7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn defensive_threshold() -> BigRational {
    BigRational::new(1.into(), 2.into())
}

impl Damage {
    /// Returns the chance of success at which testing and not testing LUCK take the same STAMINA on
    /// average.
    ///
    /// It is (plain − unlucky) / (lucky − unlucky). It may lie outside 0..=1, and one of the two is
    /// then always better. The result is `None` if luck makes no difference. For a hit, a greater
    /// chance favours LUCK if lucky > unlucky; for a wound, if lucky < unlucky.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{Damage, defensive_threshold, offensive_threshold};
    ///
    /// assert_eq!(Damage::HIT.threshold(), Some(offensive_threshold()));
    /// assert_eq!(Damage::WOUND.threshold(), Some(defensive_threshold()));
    /// assert_eq!(Damage::new(2, 3, 1).threshold(), Some(defensive_threshold()));
    /// assert_eq!(Damage::new(2, 1, 1).threshold(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn threshold(self) -> Option<BigRational> {
        let [plain, lucky, unlucky] = [self.plain, self.lucky, self.unlucky].map(BigInt::from);
        (lucky != unlucky).then(|| BigRational::new(plain - &unlucky, lucky - &unlucky))
    }
}

/// Returns q(l), the chance that two dice show `luck` or less, which is the chance that a test of
/// LUCK succeeds.
///
/// ```
/// use oddsmith_fightingfantasy::lucky_chance;
///
/// assert_eq!(lucky_chance(6).to_string(), "5/12");
/// assert_eq!(lucky_chance(1).to_string(), "0");
/// assert_eq!(lucky_chance(12).to_string(), "1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
#[doc(alias = "q")]
pub fn lucky_chance(luck: u32) -> BigRational {
    let rolls = (1..=6_u32)
        .map(|first| luck.saturating_sub(first).min(6))
        .sum::<u32>();
    BigRational::new(rolls.into(), 36.into())
}

pub(crate) fn probability(q: impl IntoRatio) -> Result<BigRational, Error> {
    let q = q.into_ratio()?;
    if q < integer(0) || q > integer(1) {
        Err(Error::Probability { given: q })
    } else {
        Ok(q)
    }
}

pub(crate) fn integer(n: u32) -> BigRational {
    BigRational::from_integer(n.into())
}
