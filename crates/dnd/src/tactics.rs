//! The choices in a turn: which attack to make, when to smite, when to heal.

mod contest;
mod duel;
mod habit;
mod plan;

use oddsmith_dice::Dist;

pub use contest::{Act, Situation, Stage};
pub use duel::{AcOdds, TacticalDuel};
pub use habit::{Habit, HealWhen, SmiteWhen};
pub use plan::BattlePlan;

use crate::attack::named;
use crate::listed::listed;
use crate::{Attack, Damage, Error};

/// The limit on smites and healings with uses to count, each of which multiplies the states.
pub(crate) const MOST_RESOURCES: usize = 4;

/// The limit on attacks in a turn, and on ways to make one.
const MOST_OPTIONS: usize = 20;

/// Damage that may be added to an attack once it has hit, for one of a number of uses, such as
/// Divine Smite with its spell slots.
///
/// It is decided after the roll, so it can be kept for a critical hit. Its dice are then doubled
/// like those of a [`Rider`](crate::Rider).
///
/// # Examples
/// ```
/// use oddsmith_dnd::Smite;
///
/// let smite = Smite::new("Divine Smite", 2, "2d8 radiant".parse()?)?;
/// assert_eq!((smite.name(), smite.uses()), ("Divine Smite", 2));
/// assert!(Smite::new("Divine Smite", 300, "2d8 radiant".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Smite {
    name: String,
    uses: u32,
    damage: Damage,
    once_a_turn: bool,
}

impl Smite {
    /// Creates a smite with this many uses and this damage. It may be used on every hit of a turn.
    ///
    /// # Errors
    /// [`Error::NoName`] for a blank name; [`Error::TooManyUses`] for more than 255 uses.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Error, Smite};
    ///
    /// let smite = Smite::new("Divine Smite", 3, "2d8 radiant".parse()?)?;
    /// assert_eq!(smite.uses(), 3);
    /// let endless = Smite::new("Divine Smite", 256, "2d8 radiant".parse()?);
    /// assert_eq!(endless, Err(Error::TooManyUses { given: 256 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(name: impl Into<String>, uses: u32, damage: Damage) -> Result<Self, Error> {
        Ok(Smite {
            name: named(name.into(), "a smite")?,
            uses: countable(uses)?,
            damage,
            once_a_turn: false,
        })
    }

    /// Limits it to once a turn, as the bonus action of the rules of 2024 does. All smites limited in
    /// this way share one use a turn. Healing as a bonus action does not count.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Fighter, Smite, TacticalDuel, Tactics, Target};
    ///
    /// let slap = Attack::new("Slap")?.damage("1".parse()?); // hits AC 11 half the time
    /// let smite = Smite::new("Divine Smite", 2, "1 radiant".parse()?)?;
    /// let foe = Fighter::new(4, Dist::certain(1))?; // leaves time for one turn
    /// let worth = |smite| {
    ///     let tactics = Tactics::new().attacks(2, [slap.clone()]).smite(smite);
    ///     TacticalDuel::new(1, tactics, foe.clone(), Target::new(11))?.best().map(|plan| plan.value())
    /// };
    /// assert_eq!(worth(smite.clone())?.to_string(), "1/4"); // two hits, two smites
    /// assert_eq!(worth(smite.once_a_turn())?.to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn once_a_turn(mut self) -> Self {
        self.once_a_turn = true;
        self
    }

    /// Returns its name.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Smite;
    ///
    /// assert_eq!(Smite::new("Branding Smite", 1, "2d6 radiant".parse()?)?.name(), "Branding Smite");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns how often it can be used.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Smite;
    ///
    /// assert_eq!(Smite::new("Branding Smite", 4, "2d6 radiant".parse()?)?.uses(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn uses(&self) -> u32 {
        self.uses
    }
}

/// Hit points that may be regained at the start of a turn, for one of a number of uses, such as Lay
/// on Hands instead of attacking, or Second Wind in addition.
///
/// # Examples
/// ```
/// use oddsmith_dice::Dist;
/// use oddsmith_dnd::Healing;
///
/// let wind = Healing::new("Second Wind", 1, Dist::parse("1d10 + 5")?)?.bonus_action();
/// assert_eq!((wind.name(), wind.uses()), ("Second Wind", 1));
/// assert!(Healing::new("Second Wind", 1, Dist::parse("1d10 - 5")?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Healing {
    name: String,
    uses: u32,
    hit_points: Dist<i64>,
    bonus_action: bool,
}

impl Healing {
    /// Creates healing with this many uses, each of which replaces the attacks of a turn.
    ///
    /// # Errors
    /// [`Error::NoName`] for a blank name; [`Error::TooManyUses`] for more than 255 uses;
    /// [`Error::NegativeHealing`] if healing can be negative.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Error, Healing};
    ///
    /// let hands = Healing::new("Lay on Hands", 4, Dist::certain(5))?;
    /// assert_eq!(hands.uses(), 4);
    /// let poison = Healing::new("Poison", 1, Dist::certain(-1));
    /// assert_eq!(poison, Err(Error::NegativeHealing { outcome: -1 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(name: impl Into<String>, uses: u32, hit_points: Dist<i64>) -> Result<Self, Error> {
        let healing = Healing {
            name: named(name.into(), "healing")?,
            uses: countable(uses)?,
            hit_points,
            bonus_action: false,
        };
        healing.check()?;
        Ok(healing)
    }

    fn check(&self) -> Result<(), Error> {
        named(self.name.clone(), "healing")?;
        countable(self.uses)?;
        match *self.hit_points.min() {
            0.. => Ok(()),
            outcome => Err(Error::NegativeHealing { outcome }),
        }
    }

    /// Makes it a bonus action, which comes before the attacks and does not replace them. Only one
    /// can be used per turn.
    ///
    /// # Examples
    /// With 2 hit points, 1 of which is lost a turn, there are two attacks that hit half the time.
    /// Healing in addition to the second one allows a third:
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Fighter, Healing, TacticalDuel, Tactics, Target};
    ///
    /// # let slap = Attack::new("Slap")?.damage("1".parse()?);
    /// # let foe = Fighter::new(1, Dist::certain(1))?;
    /// let wind = Healing::new("Second Wind", 1, Dist::certain(1))?.bonus_action();
    /// let tactics = Tactics::new().attacks(1, [slap]).healing(wind);
    /// let plan = TacticalDuel::new(2, tactics, foe, Target::new(11))?.best()?;
    /// assert_eq!(plan.value().to_string(), "7/8"); // 3/4 if it took the place of an attack
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bonus_action(mut self) -> Self {
        self.bonus_action = true;
        self
    }

    /// Returns its name.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::Healing;
    ///
    /// assert_eq!(Healing::new("Potion", 2, Dist::parse("2d4 + 2")?)?.name(), "Potion");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns how often it can be used.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::Healing;
    ///
    /// assert_eq!(Healing::new("Potion", 2, Dist::parse("2d4 + 2")?)?.uses(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn uses(&self) -> u32 {
        self.uses
    }
}

/// The choices that a creature has in its turns.
///
/// A turn is a number of attacks, each made in one of several ways. A hit may be followed by a
/// [`Smite`]. [`Healing`] may come before the attacks or replace them.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Attack, Smite, Tactics};
///
/// let sword = Attack::new("Greatsword")?.to_hit(7).damage("2d6 + 4 slashing".parse()?);
/// let tactics = Tactics::new()
///     .attacks(2, [sword.clone(), sword.power_attack()])
///     .smite(Smite::new("Divine Smite", 2, "2d8 radiant".parse()?)?);
/// assert_eq!(tactics.names(), ["Greatsword", "Greatsword −5/+10"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Tactics {
    number: u32,
    options: Vec<Attack>,
    /// How many ways were given, if they are more than are kept.
    #[cfg_attr(feature = "serde", serde(skip))]
    refused: Option<usize>,
    #[cfg_attr(feature = "serde", serde(default))]
    smites: Vec<Smite>,
    #[cfg_attr(feature = "serde", serde(default))]
    healing: Vec<Healing>,
}

impl Tactics {
    /// Creates tactics without any choice.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Error, Fighter, TacticalDuel, Tactics, Target};
    ///
    /// assert_eq!(Tactics::new().names().len(), 0);
    /// let foe = Fighter::new(7, Dist::die(4)?)?;
    /// let duel = TacticalDuel::new(12, Tactics::new(), foe, Target::new(15));
    /// assert_eq!(duel, Err(Error::NothingToDecide));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Tactics::default()
    }

    /// Sets the number of attacks per turn, each of which can be made in any of these ways. If two
    /// ways are equally good, the earlier one is preferred. Attacks given before are replaced.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Tactics};
    ///
    /// let [jab, swing, kick] = [Attack::new("Jab")?, Attack::new("Swing")?, Attack::new("Kick")?];
    /// let tactics = Tactics::new().attacks(1, [jab]);
    /// assert_eq!(tactics.attacks(2, [swing, kick]).names(), ["Swing", "Kick"]); // no jab any more
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn attacks(mut self, number: u32, options: impl IntoIterator<Item = Attack>) -> Self {
        self.number = number;
        // Too many are reported when the tactics are used.
        let (options, given) = listed(options, MOST_OPTIONS);
        self.refused = (given > MOST_OPTIONS).then_some(given);
        self.options = options;
        self
    }

    /// Adds a smite.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Fighter, Smite, TacticalDuel, Tactics, Target};
    ///
    /// let slap = Attack::new("Slap")?.damage("1".parse()?); // hits AC 11 half the time
    /// let smite = Smite::new("Smite", 1, "1 radiant".parse()?)?;
    /// let tactics = Tactics::new().attacks(1, [slap]).smite(smite);
    /// let foe = Fighter::new(2, Dist::certain(1))?; // leaves time for one attack
    /// let plan = TacticalDuel::new(1, tactics, foe, Target::new(11))?.best()?;
    /// assert_eq!(plan.value().to_string(), "1/2"); // 0 without a smite
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn smite(mut self, smite: Smite) -> Self {
        self.smites.push(smite);
        self
    }

    /// Adds a way to heal.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Fighter, Healing, TacticalDuel, Tactics, Target};
    ///
    /// let slap = Attack::new("Slap")?.damage("1".parse()?); // hits AC 11 half the time
    /// let wind = Healing::new("Second Wind", 1, Dist::certain(1))?.bonus_action();
    /// let tactics = Tactics::new().attacks(1, [slap]).healing(wind);
    /// let foe = Fighter::new(1, Dist::certain(1))?; // never misses
    /// let plan = TacticalDuel::new(2, tactics, foe, Target::new(11))?.best()?;
    /// assert_eq!(plan.value().to_string(), "7/8"); // three turns in place of two
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn healing(mut self, healing: Healing) -> Self {
        self.healing.push(healing);
        self
    }

    /// Returns the names of the ways to attack: the names of the attacks, for power attacks with
    /// the penalty and the bonus.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, PowerAttack, Tactics};
    ///
    /// let axe = Attack::new("Axe")?;
    /// let heavy = axe.clone().power_attack_of(PowerAttack { penalty: 2, damage: 4 });
    /// assert_eq!(Tactics::new().attacks(1, [axe, heavy]).names(), ["Axe", "Axe −2/+4"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.options.iter().map(Attack::label).collect()
    }

    /// Rejects tactics for which decisions are not supported.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let number = self.number as usize;
        if number == 0 || self.options.is_empty() {
            return Err(Error::NothingToDecide);
        }
        let options = self.refused.unwrap_or(self.options.len());
        let resources = self.smites.len() + self.healing.len();
        for (what, given, limit) in [
            ("attacks per turn", number, MOST_OPTIONS),
            ("ways to attack", options, MOST_OPTIONS),
            ("smites and healings", resources, MOST_RESOURCES),
        ] {
            if given > limit {
                return Err(Error::TooManyTactics { what, given, limit });
            }
        }
        Ok(())
    }
}

fn countable(uses: u32) -> Result<u32, Error> {
    match uses {
        0..=255 => Ok(uses),
        given => Err(Error::TooManyUses { given }),
    }
}

#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(remote = "Smite", deny_unknown_fields)]
struct SmiteFields {
    name: String,
    uses: u32,
    damage: Damage,
    #[serde(default)]
    once_a_turn: bool,
}

#[cfg(feature = "serde")]
crate::serde::checked!(Smite as SmiteFields, |smite| {
    named(smite.name.clone(), "a smite")?;
    countable(smite.uses)?;
});

#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(remote = "Healing", deny_unknown_fields)]
struct HealingFields {
    name: String,
    uses: u32,
    hit_points: Dist<i64>,
    #[serde(default)]
    bonus_action: bool,
}

#[cfg(feature = "serde")]
crate::serde::checked!(Healing as HealingFields, |healing| {
    healing.check()?;
});
