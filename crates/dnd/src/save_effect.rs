//! Damage that a successful saving throw halves or avoids.

use num_rational::BigRational;
use oddsmith_dice::{DEFAULT_LIMIT, Dist};

use crate::attack::named;
use crate::{Ability, Damage, Error, Outcome, Target, Turn};

/// The limit on how often an effect strikes if the uses left are computed jointly with the damage.
const MOST_TIMES: u32 = 100;

/// How much of the damage remains after a successful saving throw.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Ability, OnSuccess, SaveEffect, Target};
///
/// let flame = SaveEffect::new("Sacred Flame", Ability::Dexterity, 11)?
///     .damage("1d8 radiant".parse()?)
///     .on_success(OnSuccess::Nothing);
/// assert_eq!(flame.law(&Target::new(15))?.p(&0).to_string(), "1/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum OnSuccess {
    /// Half of each type of damage, rounded down.
    #[default]
    Half,
    /// No damage.
    Nothing,
}

/// An effect that allows a saving throw, such as a breath weapon, a fireball or poison.
///
/// The damage of each type is halved before the target's defences against that type apply; see
/// [`Defenses`](crate::Defenses) for the order. There are no critical hits.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Ability, SaveEffect, Target};
///
/// let breath = SaveEffect::new("Fire Breath", Ability::Dexterity, 21)?
///     .damage("18d6 fire".parse()?);
/// let knight = Target::new(18).save(Ability::Dexterity, 0);
/// let law = breath.law(&knight)?;
/// assert_eq!(law.mean().to_string(), "63"); // no 20 can save
/// let rogue = knight.save(Ability::Dexterity, 10).evasion();
/// assert_eq!(breath.law(&rogue)?.p(&0).to_string(), "1/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveEffect {
    name: String,
    ability: Ability,
    dc: i64,
    damage: Damage,
    on_success: OnSuccess,
}

impl SaveEffect {
    /// Creates an effect with a saving throw of this ability against this DC. It does no damage
    /// yet, and half of it on a success.
    ///
    /// # Errors
    /// [`Error::NoName`] for a blank name.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, SaveEffect, Target};
    ///
    /// let gust = SaveEffect::new("Gust", Ability::Strength, 13)?;
    /// assert_eq!(gust.law(&Target::new(15))?.support(), [0]); // nothing yet
    /// assert_eq!(gust.damage("9".parse()?).law(&Target::new(15))?.support(), [4, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(name: impl Into<String>, ability: Ability, dc: i64) -> Result<Self, Error> {
        Ok(SaveEffect {
            name: named(name.into(), "an effect")?,
            ability,
            dc,
            damage: Damage::default(),
            on_success: OnSuccess::Half,
        })
    }

    /// Sets the damage on a failure.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, SaveEffect, Target};
    ///
    /// let steam = SaveEffect::new("Steam", Ability::Constitution, 16)?.damage("10 fire".parse()?);
    /// let law = steam.law(&Target::new(15))?;
    /// assert_eq!(law.p(&10).to_string(), "3/4"); // 1 to 15
    /// assert_eq!(law.p(&5).to_string(), "1/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn damage(mut self, damage: Damage) -> Self {
        self.damage = damage;
        self
    }

    /// Sets how much of the damage remains after a success.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, OnSuccess, SaveEffect, Target};
    ///
    /// let spray = SaveEffect::new("Spray", Ability::Dexterity, 11)?.damage("10 poison".parse()?);
    /// assert_eq!(spray.mean(&Target::new(15))?.to_string(), "15/2"); // 10 or 5
    /// let spray = spray.on_success(OnSuccess::Nothing);
    /// assert_eq!(spray.mean(&Target::new(15))?.to_string(), "5"); // 10 or 0
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn on_success(mut self, leaves: OnSuccess) -> Self {
        self.on_success = leaves;
        self
    }

    /// Returns its name.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, SaveEffect};
    ///
    /// let cloud = SaveEffect::new("Cloudkill", Ability::Constitution, 17)?;
    /// assert_eq!(cloud.name(), "Cloudkill");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the distribution of its damage to a target without legendary resistance.
    ///
    /// # Errors
    /// [`Error::TotalCover`], and [`Error::Dice`] if the damage does not fit 64 bits or the
    /// distribution does not fit in memory.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, SaveEffect, Target};
    ///
    /// let frost = SaveEffect::new("Frost", Ability::Dexterity, 11)?.damage("1d4 cold".parse()?);
    /// let law = frost.law(&Target::new(15))?; // 1, 2, 3, 4 or 0, 1, 1, 2
    /// assert_eq!(law.p(&1).to_string(), "3/8");
    /// assert_eq!(law.p(&0).to_string(), "1/8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law(&self, target: &Target) -> Result<Dist<i64>, Error> {
        Turn::from(self.clone()).law(target)
    }

    /// Returns [`law`](SaveEffect::law) in floats; see [`Turn::law_f64`].
    ///
    /// # Errors
    /// As for [`law`](SaveEffect::law).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, SaveEffect, Target};
    ///
    /// let bolt = SaveEffect::new("Lightning Bolt", Ability::Dexterity, 11)?
    ///     .damage("8d6 lightning".parse()?);
    /// let law = bolt.law_f64(&Target::new(15))?;
    /// assert!((law.mean() - 20.875).abs() < 1e-12 && law.relative_error() < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law_f64(&self, target: &Target) -> Result<Dist<i64, f64>, Error> {
        Turn::from(self.clone()).law_f64(target)
    }

    /// Returns its mean damage to a target without legendary resistance.
    ///
    /// # Errors
    /// As for [`law`](SaveEffect::law).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, SaveEffect, Target};
    ///
    /// let bolt = SaveEffect::new("Lightning Bolt", Ability::Dexterity, 11)?
    ///     .damage("8d6 lightning".parse()?);
    /// // A failure does 28, a success 55/4: odd sums lose a half.
    /// assert_eq!(bolt.mean(&Target::new(15))?.to_string(), "167/8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mean(&self, target: &Target) -> Result<BigRational, Error> {
        Turn::from(self.clone()).mean(target)
    }

    /// Returns [`mean`](SaveEffect::mean) as a float, rounded once.
    ///
    /// # Errors
    /// As for [`law`](SaveEffect::law).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, SaveEffect, Target};
    ///
    /// let bolt = SaveEffect::new("Lightning Bolt", Ability::Dexterity, 11)?
    ///     .damage("8d6 lightning".parse()?);
    /// assert_eq!(bolt.mean_f64(&Target::new(15))?, 20.875);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mean_f64(&self, target: &Target) -> Result<f64, Error> {
        Turn::from(self.clone()).mean_f64(target)
    }

    /// Returns the joint distribution of the uses of legendary resistance left and the damage, if
    /// this effect strikes a target this many `times` and the target has this many `uses`. The
    /// target turns a failure into a success as long as it can.
    ///
    /// # Errors
    /// As for [`law`](SaveEffect::law); [`Error::TooManyCasts`] for more than 100 times;
    /// [`Error::Dice`] if the joint distribution does not fit in memory.
    ///
    /// # Complexity
    /// `times` · `uses` convolutions.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, SaveEffect, Target};
    ///
    /// let fireball = SaveEffect::new("Fireball", Ability::Dexterity, 15)?
    ///     .damage("8d6 fire".parse()?);
    /// let dragon = Target::new(19).save(Ability::Dexterity, 4); // saves on 11
    /// let law = fireball.against_legendary_resistance(&dragon, 3, 2)?;
    /// assert_eq!(law.first().p(&1).to_string(), "1/4"); // one use left of three
    /// assert_eq!(law.second().mean().to_string(), "55/2"); // always half: 55/4 each
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn against_legendary_resistance(
        &self,
        target: &Target,
        uses: u32,
        times: u32,
    ) -> Result<Dist<(u32, i64)>, Error> {
        if times > MOST_TIMES {
            return Err(Error::TooManyCasts {
                given: times.into(),
                limit: MOST_TIMES.into(),
            });
        }
        let save = target.saving_throw(self.ability, self.dc)?.law()?;
        let (failed, saved) = (
            self.taken(target, Outcome::Hit)?,
            self.taken(target, Outcome::Miss)?,
        );
        // More uses than saving throws make no difference.
        let most = uses.min(times);
        let spare = uses - most;
        let mut law = Dist::certain((most, 0_i64));
        // The last step is the largest: every outcome so far with every further one.
        let (steps, most_damage) = (u128::from(times), *failed.max().max(saved.max()));
        let further = failed.len() + saved.len();
        let held = steps.saturating_mul(most_damage.unsigned_abs().into());
        let held = held.min((further as u128).saturating_pow(times.saturating_sub(1)));
        let bits = save.total().bits() + failed.total().bits().max(saved.total().bits());
        joint_fits(
            (u128::from(most) + 1).saturating_mul(held),
            further,
            steps * u128::from(bits),
        )?;
        for _ in 0..times {
            law = law.and_then(|&(left, so_far)| {
                save.and_then(|&success| {
                    let (left, damage) = match (success, left) {
                        (true, left) => (left, &saved),
                        (false, 0) => (0, &failed),
                        (false, left) => (left - 1, &saved),
                    };
                    Ok(damage.shift(so_far)?.map(|&damage| (left, damage)))
                })
            })?;
        }
        Ok(law.map(|&(left, damage)| (left + spare, damage)))
    }

    pub(crate) fn throw(&self) -> (Ability, i64) {
        (self.ability, self.dc)
    }

    /// Returns the distribution of the damage after a failure, which is a hit, or a success, which
    /// is a miss.
    pub(crate) fn taken(&self, target: &Target, outcome: Outcome) -> Result<Dist<i64>, Error> {
        let blow = crate::damage::Blow::new(&self.damage, target.taking());
        let half = self.on_success == OnSuccess::Half;
        let evades = half && self.ability == Ability::Dexterity && target.evades();
        match (outcome == Outcome::Miss, half, evades) {
            (true, false, _) | (true, _, true) => Ok(Dist::certain(0)),
            (true, true, false) | (false, _, true) => blow.halved().law(Outcome::Hit),
            (false, _, false) => blow.law(Outcome::Hit),
        }
    }
}

/// Rejects a step that would collect more outcomes than fit in memory: this many, each with this
/// many further ones.
pub(crate) fn joint_fits(outcomes: u128, further: usize, bits: u128) -> Result<(), Error> {
    let pairs = outcomes.saturating_mul(further as u128);
    let words = pairs.saturating_mul(6 + bits / 64);
    match words > u128::from(DEFAULT_LIMIT) {
        true => Err(Error::Dice(oddsmith_dice::Error::TooLarge {
            operation: "the joint distribution of damage and uses of legendary resistance"
                .to_owned(),
            words,
            limit: DEFAULT_LIMIT,
        })),
        false => Ok(()),
    }
}

impl From<SaveEffect> for Turn {
    fn from(effect: SaveEffect) -> Self {
        Turn::new().effect(effect)
    }
}

#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(remote = "SaveEffect", deny_unknown_fields)]
struct SaveEffectFields {
    name: String,
    ability: Ability,
    dc: i64,
    damage: Damage,
    #[serde(default)]
    on_success: OnSuccess,
}

#[cfg(feature = "serde")]
crate::serde::checked!(SaveEffect as SaveEffectFields, |effect| {
    named(effect.name.clone(), "an effect")?;
});
