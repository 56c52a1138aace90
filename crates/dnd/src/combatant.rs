//! A creature with its stat block.

mod turns;

use crate::attack::named;
use crate::listed::listed;
use crate::turn::MOST_ATTACKS;
use crate::{
    Ability, Attack, Cover, Defenses, Error, HitPoints, Recharge, Rider, SaveEffect, Target, Turn,
};

/// A creature as described by its stat block.
///
/// # Examples
/// An ogre and a knight, with a round of each against the other:
/// ```
/// use oddsmith_dnd::{Attack, Combatant, HitPoints};
///
/// let ogre = Combatant::new("Ogre", 11, HitPoints::rolled("7d10 + 21")?)?
///     .attack(Attack::new("Greatclub")?.to_hit(6).damage("2d8 + 4 bludgeoning".parse()?))
///     .multiattack(["Greatclub"])?
///     .initiative(-1);
/// let knight = Combatant::new("Knight", 18, HitPoints::fixed(52)?)?
///     .attack(Attack::new("Greatsword")?.to_hit(5).damage("2d6 + 3 slashing".parse()?))
///     .multiattack(["Greatsword", "Greatsword"])?;
/// assert_eq!(knight.turn_against(&ogre)?.mean().to_string(), "157/10");
/// assert_eq!(ogre.turn_against(&knight)?.mean().to_string(), "63/10");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combatant {
    name: String,
    hit_points: HitPoints,
    target: Target,
    initiative: i64,
    attacks: Vec<Attack>,
    effects: Vec<SaveEffect>,
    /// Names of attacks and effects, in order; empty if the first attack is made once.
    multiattack: Vec<String>,
    riders: Vec<Rider>,
    recharge: Option<(Recharge, Turn)>,
    legendary_resistance: u32,
    regeneration: u32,
}

impl Combatant {
    /// Creates a creature with this name, armour class and hit points that does nothing yet.
    ///
    /// # Errors
    /// [`Error::NoName`] for a blank name.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Combatant, HitPoints};
    ///
    /// let commoner = Combatant::new("Commoner", 10, HitPoints::rolled("1d8")?)?;
    /// assert_eq!((commoner.ac(), commoner.hit_points().average()?), (10, 4));
    /// assert!(commoner.turn().is_err()); // no attack yet
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(name: impl Into<String>, ac: i64, hit_points: HitPoints) -> Result<Self, Error> {
        Ok(Combatant {
            name: named(name.into(), "a combatant")?,
            hit_points,
            target: Target::new(ac),
            initiative: 0,
            attacks: Vec::new(),
            effects: Vec::new(),
            multiattack: Vec::new(),
            riders: Vec::new(),
            recharge: None,
            legendary_resistance: 0,
            regeneration: 0,
        })
    }

    /// Adds an attack. Without a [`multiattack`](Combatant::multiattack), the first attack is made
    /// once a turn.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, HitPoints};
    ///
    /// let imp = Combatant::new("Imp", 13, HitPoints::fixed(10)?)?
    ///     .attack(Attack::new("Sting")?.damage("3 piercing".parse()?))
    ///     .attack(Attack::new("Kick")?.damage("5 bludgeoning".parse()?));
    /// assert_eq!(imp.attacks().len(), 2);
    /// assert_eq!(imp.turn_against(&imp)?.support(), [0, 3]); // the sting, once
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn attack(mut self, attack: Attack) -> Self {
        self.attacks.push(attack);
        self
    }

    /// Adds an effect that it can use as often as it attacks, such as a cantrip, or a breath that
    /// needs no recharge. The effect is used where a [`multiattack`](Combatant::multiattack) names
    /// it, or once a turn if there are no multiattack and no attack. For an action that recharges,
    /// use [`recharging`](Combatant::recharging).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, Combatant, HitPoints, OnSuccess, SaveEffect};
    ///
    /// let flame = SaveEffect::new("Sacred Flame", Ability::Dexterity, 11)?
    ///     .damage("1d8 radiant".parse()?)
    ///     .on_success(OnSuccess::Nothing);
    /// let acolyte = Combatant::new("Acolyte", 10, HitPoints::rolled("2d8")?)?.effect(flame);
    /// // Half of them fail.
    /// assert_eq!(acolyte.mean_against(&acolyte)?.to_string(), "9/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "cantrip")]
    pub fn effect(mut self, effect: SaveEffect) -> Self {
        self.effects.push(effect);
        self
    }

    /// Sets the attacks and effects of every turn, by name and in this order. Without any name, a
    /// turn is what it is without this call: one use of the first attack.
    ///
    /// # Errors
    /// [`Error::UnknownAttack`] for a name that no attack or effect has; [`Error::AmbiguousAttack`]
    /// for a name that different ones have; [`Error::TooManyAttacks`] for more than 1,000, or an
    /// infinite iterator.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, HitPoints};
    ///
    /// let bear = Combatant::new("Brown bear", 11, HitPoints::rolled("4d10 + 12")?)?
    ///     .attack(Attack::new("Bite")?.to_hit(6).damage("1d8 + 4 piercing".parse()?))
    ///     .attack(Attack::new("Claws")?.to_hit(6).damage("2d6 + 4 slashing".parse()?));
    /// assert!(bear.clone().multiattack(["Bite", "Kick"]).is_err());
    /// let turn = bear.multiattack(["Bite", "Claws"])?.turn()?;
    /// assert_eq!(turn.mean(&oddsmith_dnd::Target::new(11))?.to_string(), "647/40");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn multiattack<S: Into<String>>(
        mut self,
        attacks: impl IntoIterator<Item = S>,
    ) -> Result<Self, Error> {
        let (attacks, given) = listed(attacks, MOST_ATTACKS as usize);
        few_enough(given)?;
        self.multiattack = attacks.into_iter().map(Into::into).collect();
        self.check()?;
        Ok(self)
    }

    /// Adds a rider to its turns.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, HitPoints, Rider, Target};
    ///
    /// let spy = Combatant::new("Spy", 12, HitPoints::fixed(27)?)?
    ///     .attack(Attack::new("Shortsword")?.to_hit(4).damage("1d6 + 2 piercing".parse()?))
    ///     .rider(Rider::new("Sneak Attack", "2d6".parse()?)?);
    /// assert_eq!(spy.turn()?.law(&Target::new(12))?.max(), &38);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rider(mut self, rider: Rider) -> Self {
        self.riders.push(rider);
        self
    }

    /// Sets a turn that it takes whenever an action has recharged.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, Attack, Combatant, HitPoints, Recharge, SaveEffect};
    ///
    /// let breath = SaveEffect::new("Acid Breath", Ability::Dexterity, 11)?
    ///     .damage("5d8 acid".parse()?);
    /// let wyrmling = Combatant::new("Black dragon wyrmling", 17, HitPoints::fixed(33)?)?
    ///     .attack(Attack::new("Bite")?.to_hit(4).damage("1d10 + 2 piercing".parse()?))
    ///     .recharging(Recharge::on(5)?, breath.into());
    /// let first = wyrmling.turn_number(1, &wyrmling)?;
    /// let later = wyrmling.turn_number(2, &wyrmling)?;
    /// assert!(first.mean() > later.mean());
    /// assert_eq!(first.max(), &40);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn recharging(mut self, recharge: Recharge, turn: Turn) -> Self {
        self.recharge = Some((recharge, turn));
        self
    }

    /// Sets its resistances, immunities and the like.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, DamageType, Defenses, HitPoints};
    ///
    /// let imp = Combatant::new("Imp", 11, HitPoints::fixed(10)?)?
    ///     .defenses(Defenses::new().resistant(DamageType::Cold));
    /// let ray = Attack::new("Ray of Frost")?.damage("8 cold".parse()?); // hits half the time
    /// assert_eq!(ray.mean(imp.target())?.to_string(), "2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn defenses(mut self, defenses: Defenses) -> Self {
        self.target = self.target.defenses(defenses);
        self
    }

    /// Sets its bonus to saving throws with an ability.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, Combatant, HitPoints};
    ///
    /// let mage = Combatant::new("Mage", 12, HitPoints::fixed(40)?)?.save(Ability::Wisdom, 4);
    /// let save = mage.target().saving_throw(Ability::Wisdom, 15)?;
    /// assert_eq!(save.success().to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn save(mut self, ability: Ability, bonus: i64) -> Self {
        self.target = self.target.save(ability, bonus);
        self
    }

    /// Puts it behind cover.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Combatant, Cover, HitPoints, Target};
    ///
    /// let archer = Combatant::new("Archer", 15, HitPoints::fixed(20)?)?.cover(Cover::Half);
    /// assert_eq!(archer.target(), &Target::new(15).cover(Cover::Half));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cover(mut self, cover: Cover) -> Self {
        self.target = self.target.cover(cover);
        self
    }

    /// Sets the target that attacks against it meet, including armour class.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Combatant, D20, HitPoints, Target};
    ///
    /// let resisting = Target::new(14).save_die(D20::Advantage);
    /// let satyr = Combatant::new("Satyr", 0, HitPoints::fixed(31)?)?.met_as(resisting);
    /// assert_eq!(satyr.ac(), 14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn met_as(mut self, target: Target) -> Self {
        self.target = target;
        self
    }

    /// Sets its bonus to initiative.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Combatant, HitPoints};
    ///
    /// let cat = Combatant::new("Cat", 12, HitPoints::fixed(2)?)?.initiative(2);
    /// assert_eq!(cat.initiative_bonus(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn initiative(mut self, bonus: i64) -> Self {
        self.initiative = bonus;
        self
    }

    /// Sets its uses of legendary resistance per day. A [`duel`](Combatant::duel) counts them;
    /// single turns against it do not, for which see [`Turn::against_legendary_resistance`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Combatant, HitPoints};
    ///
    /// let lich = Combatant::new("Lich", 17, HitPoints::fixed(135)?)?.legendary_resistance(3);
    /// assert_eq!(lich.legendary_resistances(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn legendary_resistance(mut self, uses: u32) -> Self {
        self.legendary_resistance = uses;
        self
    }

    /// Sets how many hit points it regains at the start of each of its turns, up to its maximum, as
    /// long as it stands. Anything that stops regeneration is not modelled.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Combatant, HitPoints};
    ///
    /// let troll = Combatant::new("Troll", 15, HitPoints::fixed(84)?)?.regeneration(10);
    /// assert_eq!(troll.regenerates(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn regeneration(mut self, hit_points: u32) -> Self {
        self.regeneration = hit_points;
        self
    }

    /// Returns its name.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Combatant, HitPoints};
    ///
    /// assert_eq!(Combatant::new("Cat", 12, HitPoints::fixed(2)?)?.name(), "Cat");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns its armour class, without cover.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Combatant, Cover, HitPoints};
    ///
    /// let guard = Combatant::new("Guard", 16, HitPoints::fixed(11)?)?.cover(Cover::Half);
    /// assert_eq!(guard.ac(), 16); // attacks meet 18
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ac(&self) -> i64 {
        self.target.ac()
    }

    /// Returns its hit points.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Combatant, HitPoints};
    ///
    /// let cat = Combatant::new("Cat", 12, HitPoints::rolled("1d4")?)?;
    /// assert_eq!(cat.hit_points().law()?.mean().to_string(), "5/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn hit_points(&self) -> &HitPoints {
        &self.hit_points
    }

    /// Returns its bonus to initiative.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Combatant, HitPoints};
    ///
    /// let zombie = Combatant::new("Zombie", 8, HitPoints::fixed(22)?)?.initiative(-2);
    /// assert_eq!(zombie.initiative_bonus(), -2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn initiative_bonus(&self) -> i64 {
        self.initiative
    }

    /// Returns its uses of legendary resistance per day.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Combatant, HitPoints};
    ///
    /// let dragon = Combatant::new("Young dragon", 18, HitPoints::fixed(178)?)?;
    /// assert_eq!(dragon.legendary_resistances(), 0);
    /// assert_eq!(dragon.legendary_resistance(3).legendary_resistances(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn legendary_resistances(&self) -> u32 {
        self.legendary_resistance
    }

    /// Returns the hit points it regains in each of its turns.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Combatant, HitPoints};
    ///
    /// let vampire = Combatant::new("Vampire", 16, HitPoints::fixed(144)?)?;
    /// assert_eq!([vampire.regenerates(), vampire.regeneration(20).regenerates()], [0, 20]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn regenerates(&self) -> i64 {
        self.regeneration.into()
    }

    /// Returns the target that attacks against it meet.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, HitPoints};
    ///
    /// let ogre = Combatant::new("Ogre", 11, HitPoints::fixed(59)?)?;
    /// let spear = Attack::new("Spear")?.damage("6 piercing".parse()?);
    /// assert_eq!(spear.mean(ogre.target())?.to_string(), "3"); // half of them hit
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Returns its attacks.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, HitPoints};
    ///
    /// let rat = Combatant::new("Rat", 10, HitPoints::fixed(1)?)?.attack(Attack::new("Bite")?);
    /// assert_eq!(rat.attacks()[0].name(), "Bite");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn attacks(&self) -> &[Attack] {
        &self.attacks
    }

    /// Returns the effects that it can use every turn.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, Combatant, HitPoints, SaveEffect};
    ///
    /// let spray = SaveEffect::new("Poison Spray", Ability::Constitution, 12)?;
    /// let druid = Combatant::new("Druid", 11, HitPoints::fixed(27)?)?.effect(spray);
    /// assert_eq!(druid.effects()[0].name(), "Poison Spray");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn effects(&self) -> &[SaveEffect] {
        &self.effects
    }

    /// Returns the recharge of its action, and the turn with that action.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Combatant, HitPoints, Recharge, Turn};
    ///
    /// let drake = Combatant::new("Drake", 14, HitPoints::fixed(52)?)?
    ///     .recharging(Recharge::on(6)?, Turn::new());
    /// assert_eq!(drake.recharge(), Some((Recharge::on(6)?, &Turn::new())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn recharge(&self) -> Option<(Recharge, &Turn)> {
        self.recharge
            .as_ref()
            .map(|(recharge, turn)| (*recharge, turn))
    }

    fn check(&self) -> Result<(), Error> {
        named(self.name.clone(), "a combatant")?;
        few_enough(self.multiattack.len())?;
        for name in &self.multiattack {
            self.named_action(name)?;
        }
        self.check_riders()
    }

    /// Riders on attacks that it does not have would never be used.
    fn check_riders(&self) -> Result<(), Error> {
        let mut names = self.riders.iter().flat_map(Rider::attacks);
        let unknown = names.find(|name| self.attacks.iter().all(|attack| attack.name() != *name));
        match unknown {
            None => Ok(()),
            Some(given) => Err(Error::UnknownAttack {
                name: self.name.clone(),
                given: given.clone(),
            }),
        }
    }
}

/// Rejects more attacks in a multiattack than are supported.
fn few_enough(attacks: usize) -> Result<(), Error> {
    let (given, limit) = (attacks as u64, MOST_ATTACKS);
    match given > limit {
        true => Err(Error::TooManyAttacks { given, limit }),
        false => Ok(()),
    }
}

#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(remote = "Combatant", deny_unknown_fields)]
struct CombatantFields {
    name: String,
    hit_points: HitPoints,
    target: Target,
    #[serde(default)]
    initiative: i64,
    #[serde(default)]
    attacks: Vec<Attack>,
    #[serde(default)]
    effects: Vec<SaveEffect>,
    #[serde(default)]
    multiattack: Vec<String>,
    #[serde(default)]
    riders: Vec<Rider>,
    #[serde(default)]
    recharge: Option<(Recharge, Turn)>,
    #[serde(default)]
    legendary_resistance: u32,
    #[serde(default)]
    regeneration: u32,
}

#[cfg(feature = "serde")]
crate::serde::checked!(Combatant as CombatantFields, |combatant| {
    combatant.check()?;
});
