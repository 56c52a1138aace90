//! Actions that recharge on a die: "Fire Breath (Recharge 5–6)".

use num_rational::BigRational;
use num_traits::One;
use oddsmith_dice::Dist;

use crate::{Error, Target, Turn};

/// An action with "Recharge 5–6": once used, it recharges at the start of a turn of the creature on
/// these numbers of a d6.
///
/// Whether it is available at the start of a turn, after the die was rolled, is a Markov chain with
/// two states; see [`start`](Recharge::start). A creature that uses it whenever it can is without
/// it at every roll, so its second turn and all later ones are alike and independent; see
/// [`available`](Recharge::available).
///
/// # Examples
/// ```
/// use oddsmith_dnd::Recharge;
///
/// let breath = Recharge::on(5)?; // 5–6
/// assert_eq!(breath.chance().to_string(), "1/3");
/// assert_eq!(breath.available(1).to_string(), "1");
/// assert_eq!(breath.available(2).to_string(), "1/3");
/// assert_eq!(breath.uses(4)?.mean().to_string(), "2"); // 1 + 3 · 1/3
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "u32", into = "u32")
)]
pub struct Recharge {
    /// 1 to 6.
    from: u32,
}

impl Recharge {
    /// Creates an action that recharges on this number of a d6 or more: 5 for "5–6", 6 for "6".
    ///
    /// # Errors
    /// [`Error::RechargeRange`] for a number outside 1 to 6.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Recharge;
    ///
    /// assert_eq!(Recharge::on(6)?.chance().to_string(), "1/6");
    /// assert!(Recharge::on(7).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on(from: u32) -> Result<Self, Error> {
        match from {
            1..=6 => Ok(Recharge { from }),
            given => Err(Error::RechargeRange { given }),
        }
    }

    /// Returns the chance that one roll recharges it.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Recharge;
    ///
    /// assert_eq!(Recharge::on(4)?.chance().to_string(), "1/2"); // 4, 5 and 6
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn chance(self) -> BigRational {
        BigRational::new((7 - self.from).into(), 6.into())
    }

    /// Returns one step of the chain: the distribution of whether the action is available at the
    /// start of a turn, given whether it was available at the end of the turn before. If it was, it
    /// still is.
    ///
    /// # Errors
    /// None in practice; the functions that create distributions can fail.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Recharge;
    ///
    /// let breath = Recharge::on(5)?;
    /// assert_eq!(breath.start(false)?.p(&true).to_string(), "1/3");
    /// assert_eq!(breath.start(true)?.p(&true).to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start(self, left_over: bool) -> Result<Dist<bool>, Error> {
        match left_over {
            true => Ok(Dist::certain(true)),
            false => Ok(Dist::bernoulli(self.chance())?),
        }
    }

    /// Returns the chance that it is available in this turn, counted from 1, of a creature that
    /// starts with it and uses it whenever it can. Turn 0 is before the fight, when it is
    /// available.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Recharge;
    ///
    /// let web = Recharge::on(6)?;
    /// assert_eq!([1, 2, 9].map(|turn| web.available(turn).to_string()), ["1", "1/6", "1/6"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn available(self, turn: u32) -> BigRational {
        match turn {
            0 | 1 => One::one(),
            _ => self.chance(),
        }
    }

    /// Returns how often it is used per turn in the long run, if it is used whenever possible. This
    /// is the stationary distribution of the chain, and the same as [`chance`](Recharge::chance).
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_dnd::Recharge::on(5)?.stationary().to_string(), "1/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stationary(self) -> BigRational {
        self.chance()
    }

    /// Returns the distribution of the number of uses in this many turns from the first on, if it
    /// is used whenever possible.
    ///
    /// # Errors
    /// [`Error::Dice`] if there are so many turns that the distribution does not fit in memory.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Recharge;
    ///
    /// let uses = Recharge::on(5)?.uses(3)?;
    /// assert_eq!(uses.p(&1).to_string(), "4/9");
    /// assert_eq!(uses.p(&3).to_string(), "1/9");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn uses(self, turns: u32) -> Result<Dist<i64>, Error> {
        let Some(later) = turns.checked_sub(1) else {
            return Ok(Dist::certain(0));
        };
        let use_of = self.start(false)?.map(|&there| i64::from(there));
        Ok(use_of.repeat(later)?.shift(1)?)
    }
}

impl TryFrom<u32> for Recharge {
    type Error = Error;

    fn try_from(from: u32) -> Result<Self, Error> {
        Recharge::on(from)
    }
}

impl From<Recharge> for u32 {
    fn from(recharge: Recharge) -> Self {
        recharge.from
    }
}

/// Turns of a creature that does one thing if an action has recharged, and another thing if not.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Ability, Attack, Recharge, RechargeTurn, SaveEffect, Target, Turn};
///
/// let bite = Attack::new("Bite")?.to_hit(7).damage("1d10 + 4 piercing".parse()?);
/// let breath = SaveEffect::new("Fire Breath", Ability::Dexterity, 13)?
///     .damage("7d6 fire".parse()?);
/// let wyrmling = RechargeTurn::new(Recharge::on(5)?, breath.into(), bite.into());
/// let knight = Target::new(18);
/// let (first, later) = (wyrmling.law(&knight, 1)?, wyrmling.law(&knight, 2)?);
/// assert_eq!(first.mean().to_string(), "39/2");
/// assert_eq!(later.mean().to_string(), "197/20"); // 1/3 · 39/2 + 2/3 · 201/40
/// assert_eq!(wyrmling.law(&knight, 9)?, later);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct RechargeTurn {
    recharge: Recharge,
    with: Turn,
    without: Turn,
}

impl RechargeTurn {
    /// Creates turns that are `with` the action whenever it is available, and otherwise `without`.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Recharge, RechargeTurn, Target};
    ///
    /// let boulder = Attack::new("Boulder")?.damage("6".parse()?); // each hits AC 11 half the time
    /// let club = Attack::new("Club")?.damage("2".parse()?);
    /// let giant = RechargeTurn::new(Recharge::on(4)?, boulder.into(), club.into());
    /// assert_eq!(giant.law(&Target::new(11), 1)?.mean().to_string(), "3");
    /// assert_eq!(giant.law(&Target::new(11), 2)?.mean().to_string(), "2"); // of 3 and 1
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(recharge: Recharge, with: Turn, without: Turn) -> Self {
        RechargeTurn {
            recharge,
            with,
            without,
        }
    }

    /// Returns the distribution of the damage of this turn, counted from 1. Turns are independent
    /// of each other.
    ///
    /// # Errors
    /// As for [`Turn::law`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Recharge, RechargeTurn, Target, Turn};
    ///
    /// let boulder = Attack::new("Boulder")?.damage("6".parse()?); // hits AC 11 half the time
    /// let giant = RechargeTurn::new(Recharge::on(6)?, boulder.into(), Turn::new());
    /// assert_eq!(giant.law(&Target::new(11), 1)?.p(&6).to_string(), "1/2");
    /// assert_eq!(giant.law(&Target::new(11), 7)?.p(&6).to_string(), "1/12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law(&self, target: &Target, turn: u32) -> Result<Dist<i64>, Error> {
        let there = self.recharge.start(turn <= 1)?;
        let with = self.with.law(target)?;
        if turn <= 1 {
            return Ok(with);
        }
        let without = self.without.law(target)?;
        Ok(there.and_then(|&there| Ok(if there { with.clone() } else { without.clone() }))?)
    }

    /// Returns [`law`](RechargeTurn::law) in floats, computed from exact distributions of the
    /// single attacks; [`relative_error`](Dist::relative_error) bounds the error.
    ///
    /// # Errors
    /// As for [`law`](RechargeTurn::law).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Recharge, RechargeTurn, Target, Turn};
    ///
    /// let rock = Attack::new("Rock")?.to_hit(10).damage("6 bludgeoning".parse()?);
    /// let giant = RechargeTurn::new(Recharge::on(6)?, rock.into(), Turn::new());
    /// let law = giant.law_f64(&Target::new(1), 2)?;
    /// assert!((law.p(&6) - 19.0 / 120.0).abs() <= law.relative_error() * law.p(&6));
    /// assert!(law.relative_error() < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law_f64(&self, target: &Target, turn: u32) -> Result<Dist<i64, f64>, Error> {
        let there = self.recharge.start(turn <= 1)?.to_f64();
        let with = self.with.law_f64(target)?;
        if turn <= 1 {
            return Ok(with);
        }
        let without = self.without.law_f64(target)?;
        Ok(there.and_then(|&there| Ok(if there { with.clone() } else { without.clone() }))?)
    }

    /// Returns the distribution of the damage of a turn in the long run.
    ///
    /// # Errors
    /// As for [`Turn::law`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Recharge, RechargeTurn, Target, Turn};
    ///
    /// let rock = Attack::new("Rock")?.to_hit(10).damage("6 bludgeoning".parse()?);
    /// let giant = RechargeTurn::new(Recharge::on(6)?, rock.into(), Turn::new());
    /// let law = giant.stationary(&Target::new(1))?;
    /// assert_eq!(law.p(&6).to_string(), "19/120");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stationary(&self, target: &Target) -> Result<Dist<i64>, Error> {
        self.law(target, 2)
    }

    /// Returns the recharge of the action.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Recharge, RechargeTurn, Turn};
    ///
    /// let turn = RechargeTurn::new(Recharge::on(5)?, Turn::new(), Turn::new());
    /// assert_eq!(turn.recharge(), Recharge::on(5)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn recharge(&self) -> Recharge {
        self.recharge
    }

    /// Returns the turn with the action, and the turn without it.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Recharge, RechargeTurn, Turn};
    ///
    /// let turn = RechargeTurn::new(Recharge::on(5)?, Turn::new(), Turn::new());
    /// assert!(turn.turns().0.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn turns(&self) -> (&Turn, &Turn) {
        (&self.with, &self.without)
    }
}
