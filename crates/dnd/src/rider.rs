//! Extra damage that applies once a turn.

use crate::attack::named;
use crate::{Damage, Error, Outcome};

/// Which hit of a turn gets a rider.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Attack, Damage, Rider, RiderUse, Target, Turn};
///
/// let dagger = Attack::new("Dagger")?.to_hit(7).damage("1d4 + 4".parse()?);
/// let mean = |when| {
///     let sneak = Rider::new("Sneak Attack", Damage::dice(3, 6)?)?.taken(when);
///     Turn::new().attacks(2, dagger.clone()).rider(sneak).mean(&Target::new(15))
/// };
/// // Waiting for a critical hit loses more than the critical hits give.
/// let (first, held) = (mean(RiderUse::FirstHit)?, mean(RiderUse::HeldForCritical)?);
/// assert_eq!((&first - &held).to_string(), "189/100");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum RiderUse {
    /// The first hit, critical or not.
    #[default]
    FirstHit,
    /// The first critical hit. If there is none by then and the last attack that can take the rider
    /// hits, that hit.
    HeldForCritical,
}

/// Damage or a better roll that one hit of the turn gets: Sneak Attack, Savage Attacker, or a smite
/// that is used once.
///
/// Its dice double if that hit is critical, as the dice of [`Damage`] do by default. With
/// [`Damage::critical`] of [`CriticalRule::Normal`](crate::CriticalRule::Normal) they do not.
/// Damage without a type has the weapon's type.
///
/// # Examples
/// A rogue with two daggers: two attacks, and Sneak Attack on the first hit:
/// ```
/// use oddsmith_dnd::{Attack, Damage, Rider, Target, Turn};
///
/// let dagger = Attack::new("Dagger")?.to_hit(7).damage("1d4 + 4 piercing".parse()?);
/// let off_hand = Attack::new("Off hand")?.to_hit(7).damage("1d4 piercing".parse()?);
/// let sneak = Rider::new("Sneak Attack", Damage::dice(3, 6)?)?;
/// let turn = Turn::new().attack(dagger).attack(off_hand).rider(sneak);
/// let law = turn.law(&Target::new(15))?;
/// assert_eq!(law.p(&0).to_string(), "49/400"); // both miss
/// assert_eq!(law.mean(), turn.mean(&Target::new(15))?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rider {
    name: String,
    damage: Option<Damage>,
    savage: bool,
    taken: RiderUse,
    /// Names of attacks; empty for all.
    only: Vec<String>,
}

impl Rider {
    /// Creates a rider that adds this damage to the first hit of the turn.
    ///
    /// # Errors
    /// [`Error::NoName`] for a blank name.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Rider, Target, Turn};
    ///
    /// let fist = Attack::new("Fist")?.damage("1 bludgeoning".parse()?);
    /// let hex = Rider::new("Hex", "1d6 necrotic".parse()?)?;
    /// let law = Turn::new().attack(fist).rider(hex).law(&Target::new(11))?;
    /// assert_eq!(law.p(&13).to_string(), "1/720"); // a critical hit and two sixes
    /// assert!(Rider::new("", "1d6".parse()?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(name: impl Into<String>, damage: Damage) -> Result<Self, Error> {
        Ok(Rider {
            name: named(name.into(), "a rider")?,
            damage: Some(damage),
            savage: false,
            taken: RiderUse::FirstHit,
            only: Vec::new(),
        })
    }

    /// Creates Savage Attacker: the weapon's dice of the first hit are rolled twice and the better
    /// total counts, including the dice of a critical hit. This is the rule in both editions. The
    /// 2014 rule is limited to melee weapons, which you have to enforce with [`only`](Rider::only).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Rider, Target, Turn};
    ///
    /// let axe = Attack::new("Axe")?.to_hit(100).damage("1d12".parse()?);
    /// let turn = Turn::new().attack(axe.critical_from(20)?).rider(Rider::savage_attacker());
    /// let law = turn.law(&Target::new(10))?;
    /// assert_eq!(law.p(&1).to_string(), "1/160"); // two ones in a hit that is no critical
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn savage_attacker() -> Self {
        Rider {
            name: "Savage Attacker".to_owned(),
            damage: None,
            savage: true,
            taken: RiderUse::FirstHit,
            only: Vec::new(),
        }
    }

    /// Sets which hit of the turn gets it.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Rider, RiderUse, Target, Turn};
    ///
    /// let fist = Attack::new("Fist")?.damage("1".parse()?); // hits AC 11 half the time
    /// let smite = Rider::new("Smite", "10 radiant".parse()?)?.taken(RiderUse::HeldForCritical);
    /// let law = Turn::new().attacks(2, fist).rider(smite).law(&Target::new(11))?;
    /// // A critical hit at first, 1/20, or else a hit at last, 19/20 · 1/2.
    /// assert_eq!(law.at_least(&10).to_string(), "21/40");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn taken(mut self, when: RiderUse) -> Self {
        self.taken = when;
        self
    }

    /// Limits it to attacks with this name. Several calls allow several names.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Damage, Rider, Target, Turn};
    ///
    /// let fist = Attack::new("Fist")?.to_hit(5).damage("1 bludgeoning".parse()?);
    /// let sneak = Rider::new("Sneak Attack", Damage::dice(3, 6)?)?.only("Rapier");
    /// let turn = Turn::new().attack(fist).rider(sneak);
    /// assert_eq!(turn.law(&Target::new(15))?.max(), &1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn only(mut self, attack: impl Into<String>) -> Self {
        self.only.push(attack.into());
        self
    }

    /// Returns the names of the attacks that can take it; empty for all.
    pub(crate) fn attacks(&self) -> &[String] {
        &self.only
    }

    /// Returns its name.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_dnd::Rider::savage_attacker().name(), "Savage Attacker");
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn can_take(&self, attack: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == attack)
    }

    /// Returns whether an attack that can take it does so now.
    pub(crate) fn takes(&self, outcome: Outcome, last: bool) -> bool {
        match (outcome, self.taken) {
            (Outcome::Miss, _) => false,
            (Outcome::Critical, _) | (Outcome::Hit, RiderUse::FirstHit) => true,
            (Outcome::Hit, RiderUse::HeldForCritical) => last,
        }
    }

    pub(crate) fn gives(&self) -> (Option<&Damage>, bool) {
        (self.damage.as_ref(), self.savage)
    }
}

#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(remote = "Rider", deny_unknown_fields)]
struct RiderFields {
    name: String,
    #[serde(default)]
    damage: Option<Damage>,
    #[serde(default)]
    savage: bool,
    #[serde(default)]
    taken: RiderUse,
    #[serde(default)]
    only: Vec<String>,
}

#[cfg(feature = "serde")]
crate::serde::checked!(Rider as RiderFields, |rider| {
    named(rider.name.clone(), "a rider")?;
    if rider.damage.is_none() && !rider.savage {
        let name = rider.name.clone();
        return Err(Error::IdleRider { name });
    }
});
