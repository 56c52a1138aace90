//! An attack from a stat block.

use num_bigint::BigUint;
use num_rational::BigRational;
use oddsmith_dice::Dist;

use crate::damage::Blow;
use crate::roll::critical_range;
use crate::{AttackRoll, D20, Damage, Error, Naturals, Outcome, SaveEffect, Target, Turn};

/// A penalty to hit in exchange for more damage: Great Weapon Master and Sharpshooter of 2014.
///
/// # Examples
/// ```
/// use oddsmith_dnd::PowerAttack;
///
/// assert_eq!(PowerAttack::default(), PowerAttack { penalty: 5, damage: 10 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct PowerAttack {
    /// The penalty to the attack bonus.
    pub penalty: i64,
    /// The bonus to the weapon's flat damage.
    pub damage: i64,
}

impl Default for PowerAttack {
    /// Returns −5 to hit and +10 damage.
    fn default() -> Self {
        PowerAttack {
            penalty: 5,
            damage: 10,
        }
    }
}

/// An attack: its name, its bonus to hit, its damage, and how the d20 is rolled.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Attack, D20, Target};
///
/// let greatsword = Attack::new("Greatsword")?
///     .to_hit(7)
///     .damage("2d6 + 5 slashing".parse()?);
/// let knight = Target::new(18);
/// assert_eq!(greatsword.roll(&knight)?.miss().to_string(), "1/2");
/// assert_eq!(greatsword.law(&knight)?.mean().to_string(), "127/20");
/// let flanking = greatsword.die(D20::Advantage);
/// assert_eq!(flanking.law(&knight)?.mean().to_string(), "3873/400");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attack {
    name: String,
    to_hit: i64,
    damage: Damage,
    die: D20,
    halfling_luck: bool,
    critical_from: u32,
    naturals: Naturals,
    bonus_dice: Option<Dist<i64>>,
    power: Option<PowerAttack>,
    saves: Vec<SaveEffect>,
}

#[cfg(feature = "serde")]
fn natural_20() -> u32 {
    20
}

impl Attack {
    /// Creates an attack with +0 to hit that does no damage yet.
    ///
    /// # Errors
    /// [`Error::NoName`] for a blank name.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Target};
    ///
    /// let slap = Attack::new("Slap")?;
    /// assert_eq!(slap.law(&Target::new(10))?.support(), [0]);
    /// assert!(Attack::new(" ").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(name: impl Into<String>) -> Result<Self, Error> {
        Ok(Attack {
            name: named(name.into(), "an attack")?,
            to_hit: 0,
            damage: Damage::default(),
            die: D20::Plain,
            halfling_luck: false,
            critical_from: 20,
            naturals: Naturals::Automatic,
            bonus_dice: None,
            power: None,
            saves: Vec::new(),
        })
    }

    /// Sets the bonus to hit.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Target};
    ///
    /// let club = Attack::new("Club")?.to_hit(4);
    /// assert_eq!(club.roll(&Target::new(12))?.miss().to_string(), "7/20"); // 1 to 7
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_hit(mut self, bonus: i64) -> Self {
        self.to_hit = bonus;
        self
    }

    /// Sets the damage.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Target};
    ///
    /// let mace = Attack::new("Mace")?.damage("1d6 + 2 bludgeoning".parse()?);
    /// assert_eq!(mace.law(&Target::new(11))?.max(), &14); // 2d6 + 2, a critical hit
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn damage(mut self, damage: Damage) -> Self {
        self.damage = damage;
        self
    }

    /// Sets advantage or disadvantage.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, D20, Target};
    ///
    /// let bow = Attack::new("Longbow")?.die(D20::Disadvantage);
    /// assert_eq!(bow.roll(&Target::new(11))?.miss().to_string(), "3/4"); // unless both hit
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn die(mut self, die: D20) -> Self {
        self.die = die;
        self
    }

    /// Makes the attacker a lucky halfling; see [`D20::halfling_luck`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Target};
    ///
    /// let sling = Attack::new("Sling")?.to_hit(5).halfling_luck();
    /// assert_eq!(sling.roll(&Target::new(15))?.miss().to_string(), "169/400");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn halfling_luck(mut self) -> Self {
        self.halfling_luck = true;
        self
    }

    /// Sets the lowest natural roll that is a critical hit; see [`AttackRoll::critical_from`].
    ///
    /// # Errors
    /// [`Error::CriticalRange`] for a number outside 2 to 20.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Target};
    ///
    /// let champion = Attack::new("Longsword")?.to_hit(7).critical_from(19)?;
    /// assert_eq!(champion.roll(&Target::new(18))?.critical().to_string(), "1/10");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn critical_from(mut self, natural: u32) -> Result<Self, Error> {
        self.critical_from = critical_range(natural)?;
        Ok(self)
    }

    /// Sets whether there are automatic misses and hits; see [`Naturals`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Naturals, Target};
    ///
    /// let plain = Attack::new("Club")?.naturals(Naturals::Compared);
    /// assert_eq!(plain.roll(&Target::new(30))?.miss().to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn naturals(mut self, naturals: Naturals) -> Self {
        self.naturals = naturals;
        self
    }

    /// Adds dice to the attack roll, such as `1d4` for bless or `-1d4` for bane. Several calls add
    /// up.
    ///
    /// # Errors
    /// [`Error::Dice`] if a sum does not fit 64 bits.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Target};
    ///
    /// let blessed = Attack::new("Mace")?.to_hit(7).bonus_dice(&Dist::die(4)?)?;
    /// assert_eq!(blessed.roll(&Target::new(18))?.miss().to_string(), "3/8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bonus_dice(mut self, dice: &Dist<i64>) -> Result<Self, Error> {
        self.bonus_dice = Some(match self.bonus_dice {
            Some(already) => already.matfold(dice)?,
            None => dice.clone(),
        });
        Ok(self)
    }

    /// Makes it a power attack: −5 to hit, +10 damage.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Target};
    ///
    /// let sword = Attack::new("Greatsword")?.to_hit(7).damage("2d6 + 4".parse()?);
    /// let mean = |attack: &Attack, ac| attack.mean(&Target::new(ac)).map(|mean| mean.to_string());
    /// let power = sword.clone().power_attack();
    /// assert_eq!([mean(&sword, 13)?, mean(&power, 13)?], ["8.6", "10.85"].map(decimal));
    /// assert_eq!([mean(&sword, 18)?, mean(&power, 18)?], ["5.85", "5.6"].map(decimal));
    /// # fn decimal(text: &str) -> String {
    /// #     use oddsmith_dice::IntoRatio;
    /// #     text.into_ratio().map(|ratio| ratio.to_string()).unwrap_or_default()
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "great weapon master")]
    #[doc(alias = "sharpshooter")]
    pub fn power_attack(self) -> Self {
        self.power_attack_of(PowerAttack::default())
    }

    /// Makes it a power attack with other numbers.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, PowerAttack, Target};
    ///
    /// let power = PowerAttack { penalty: 2, damage: 4 };
    /// let axe = Attack::new("Axe")?.to_hit(7).power_attack_of(power);
    /// assert_eq!(axe.law(&Target::new(15))?.mean().to_string(), "11/5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn power_attack_of(mut self, power: PowerAttack) -> Self {
        self.power = Some(power);
        self
    }

    /// Adds a saving throw that the target makes when it is hit, such as that against a spider's
    /// venom. Several calls add several saving throws, made one after another.
    ///
    /// A hit and a critical hit require the same saving throw. Its failure or success does damage
    /// of its own, which is applied to the target's [`Defenses`](crate::Defenses) separately from
    /// the attack's damage of the same type. Its dice are not rolled twice on a critical hit: the
    /// rules double the dice of the attack's damage, and this damage depends on the saving throw
    /// and not on the attack roll. If a stat block has dice that come with every hit, without a
    /// saving throw, [add](Damage::plus) them to the damage.
    ///
    /// # Examples
    /// A giant spider:
    /// ```
    /// use oddsmith_dnd::{Ability, Attack, SaveEffect, Target};
    ///
    /// let venom = SaveEffect::new("Venom", Ability::Constitution, 11)?.damage("9 (2d8) poison".parse()?);
    /// let bite = Attack::new("Bite")?.to_hit(5).damage("7 (1d8 + 3) piercing".parse()?);
    /// let spider = bite.clone().save_on_hit(venom.clone());
    /// let guard = Target::new(16).save(Ability::Constitution, 1);
    /// // 10 of 20 rolls hit, one of them critically.
    /// let mean = bite.mean(&guard)? + venom.mean(&guard)? / num_bigint::BigInt::from(2);
    /// assert_eq!(spider.mean(&guard)?, mean);
    /// assert_eq!(spider.law(&guard)?.max(), &35); // 2d8 + 3, and 2d8
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "poison")]
    pub fn save_on_hit(mut self, effect: SaveEffect) -> Self {
        self.saves.push(effect);
        self
    }

    /// Returns its name.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_dnd::Attack::new("Bite")?.name(), "Bite");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns its attack roll against a target. The roll may be a critical hit even against a
    /// target for which critical hits [count as hits](crate::Defenses::without_critical_hits).
    ///
    /// # Errors
    /// [`Error::TotalCover`] if the target cannot be attacked.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, AttackRoll, Cover, Target};
    ///
    /// let bow = Attack::new("Longbow")?.to_hit(5);
    /// let archer = Target::new(14).cover(Cover::Half); // as AC 16
    /// assert_eq!(bow.roll(&archer)?, AttackRoll::new(16, 5));
    /// assert_eq!(bow.power_attack().roll(&archer)?.miss().to_string(), "3/4"); // 1 to 15
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn roll(&self, target: &Target) -> Result<AttackRoll, Error> {
        let mut roll = AttackRoll::new(target.ac(), self.to_hit)
            .die(self.die)
            .naturals(self.naturals)
            .critical_from(self.critical_from)?
            .cover(target.covered())?;
        if self.halfling_luck {
            roll = roll.halfling_luck();
        }
        if let Some(dice) = &self.bonus_dice {
            roll = roll.bonus_dice(dice)?;
        }
        Ok(roll.penalty(self.power.map_or(0, |power| power.penalty)))
    }

    /// Returns the ways to each outcome against a target, and their total. If critical hits count
    /// as hits there are no critical hits, and neither riders nor smites wait for one.
    pub(crate) fn counts_against(&self, target: &Target) -> Result<([BigUint; 3], BigUint), Error> {
        let (mut counts, rolls) = self.roll(target)?.counts();
        if !target.taking().allow_critical_hits() {
            let critical = std::mem::take(&mut counts[Outcome::Critical as usize]);
            counts[Outcome::Hit as usize] += critical;
        }
        Ok((counts, rolls))
    }

    /// Returns the distribution of its damage to a target.
    ///
    /// # Errors
    /// [`Error::TotalCover`], and [`Error::Dice`] if the damage does not fit 64 bits or the
    /// distribution does not fit in memory.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Target};
    ///
    /// let dagger = Attack::new("Dagger")?.damage("1d4 piercing".parse()?);
    /// let law = dagger.law(&Target::new(11))?;
    /// assert_eq!(law.p(&0).to_string(), "1/2");
    /// assert_eq!(law.p(&1).to_string(), "9/80"); // a hit, 9/20, and a 1
    /// assert_eq!(law.p(&8).to_string(), "1/320"); // a critical hit, 1/20, and two fours
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law(&self, target: &Target) -> Result<Dist<i64>, Error> {
        Turn::from(self.clone()).law(target)
    }

    /// Returns [`law`](Attack::law) in floats; see [`Turn::law_f64`].
    ///
    /// # Errors
    /// As for [`law`](Attack::law).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Target};
    ///
    /// let sword = Attack::new("Greatsword")?.to_hit(7).damage("2d6 + 4 slashing".parse()?);
    /// let law = sword.law_f64(&Target::new(13))?;
    /// assert!((law.mean() - 8.6).abs() < 1e-13 && law.relative_error() < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law_f64(&self, target: &Target) -> Result<Dist<i64, f64>, Error> {
        Turn::from(self.clone()).law_f64(target)
    }

    /// Returns its mean damage to a target.
    ///
    /// # Errors
    /// As for [`law`](Attack::law).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Target};
    ///
    /// let sword = Attack::new("Longsword")?.to_hit(5).damage("1d8 + 4 slashing".parse()?);
    /// // 11 in 20 hit for 8.5, and one of these adds another 4.5.
    /// assert_eq!(sword.mean(&Target::new(15))?.to_string(), "49/10");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mean(&self, target: &Target) -> Result<BigRational, Error> {
        Turn::from(self.clone()).mean(target)
    }

    /// Returns [`mean`](Attack::mean) as a float, rounded once.
    ///
    /// # Errors
    /// As for [`law`](Attack::law).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Target};
    ///
    /// let sword = Attack::new("Greatsword")?.to_hit(7).damage("2d6 + 4 slashing".parse()?);
    /// assert_eq!(sword.mean_f64(&Target::new(13))?, 8.6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mean_f64(&self, target: &Target) -> Result<f64, Error> {
        Turn::from(self.clone()).mean_f64(target)
    }

    /// Returns its name, with the penalty and bonus of a power attack.
    pub(crate) fn label(&self) -> String {
        let signed = |n: i64| format!("{n:+}").replace('-', "−");
        match self.power {
            None => self.name.clone(),
            Some(power) => {
                let (less, more) = (signed(power.penalty.saturating_neg()), signed(power.damage));
                format!("{} {less}/{more}", self.name)
            }
        }
    }

    /// Returns the saving throws that a hit requires.
    pub(crate) fn saves(&self) -> &[SaveEffect] {
        &self.saves
    }

    /// Returns the distribution of the damage for an outcome of the attack roll, including these
    /// riders, before the saving throws.
    pub(crate) fn blow(
        &self,
        target: &Target,
        outcome: Outcome,
        riders: &[&Damage],
        savage: bool,
    ) -> Result<Dist<i64>, Error> {
        Blow::new(&self.damage, target.taking())
            .riders(riders, savage)
            .power(self.power.map_or(0, |power| power.damage))
            .law(outcome)
    }

    /// Returns the same including the saving throws, against a target without legendary resistance.
    pub(crate) fn strike(
        &self,
        target: &Target,
        outcome: Outcome,
        riders: &[&Damage],
        savage: bool,
    ) -> Result<Dist<i64>, Error> {
        let mut law = self.blow(target, outcome, riders, savage)?;
        if outcome != Outcome::Miss {
            for effect in &self.saves {
                law = law.matfold(&effect.law(target)?)?;
            }
        }
        Ok(law)
    }
}

impl From<Attack> for Turn {
    fn from(attack: Attack) -> Self {
        Turn::new().attack(attack)
    }
}

/// Returns the name if it has letters.
pub(crate) fn named(name: String, what: &'static str) -> Result<String, Error> {
    match name.trim().is_empty() {
        true => Err(Error::NoName { what }),
        false => Ok(name),
    }
}

#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(remote = "Attack", deny_unknown_fields)]
struct AttackFields {
    name: String,
    to_hit: i64,
    damage: Damage,
    #[serde(default)]
    die: D20,
    #[serde(default)]
    halfling_luck: bool,
    #[serde(default = "natural_20")]
    critical_from: u32,
    #[serde(default)]
    naturals: Naturals,
    #[serde(default)]
    bonus_dice: Option<Dist<i64>>,
    #[serde(default)]
    power: Option<PowerAttack>,
    #[serde(default)]
    saves: Vec<SaveEffect>,
}

#[cfg(feature = "serde")]
crate::serde::checked!(Attack as AttackFields, |attack| {
    named(attack.name.clone(), "an attack")?;
    critical_range(attack.critical_from)?;
});
