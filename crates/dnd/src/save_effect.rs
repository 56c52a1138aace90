//! Damage that a saving throw halves or avoids.

use num_rational::BigRational;
use oddsmith_dice::{DEFAULT_LIMIT, Dist};

use crate::attack::named;
use crate::{Ability, Damage, Error, Outcome, Target, Turn};

/// How often an effect strikes at most, where uses are told with the damage.
const MOST_TIMES: u32 = 100;

/// What a successful saving throw leaves of the damage.
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
    /// Nothing.
    Nothing,
}

/// An effect against which a saving throw is made: breath, fireball, poison.
///
/// Half of the damage is taken of each type before anything the target does with that
/// type: see [`Defenses`](crate::Defenses) for the order. Nothing is critical here.
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
    /// An effect with a saving throw of this ability against this DC, that does nothing
    /// yet and half of it on a success.
    ///
    /// # Errors
    /// [`Error::NoName`] for a name without letters.
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

    /// The same with this damage on a failure.
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

    /// The same with this left by a success.
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

    /// Its name.
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

    /// The law of its damage to a target without legendary resistance.
    ///
    /// # Errors
    /// [`Error::TotalCover`], and [`Error::Dice`] if the damage does not fit 64 bits or
    /// the law memory.
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

    /// The same in floating point: see [`Turn::law_f64`].
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

    /// Its mean damage to a target without legendary resistance.
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

    /// The same, rounded to a double once.
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

    /// The joint law of the uses of legendary resistance that are left and the damage,
    /// when this effect strikes so many `times` a target that has so many `uses` and turns
    /// a failure into a success as long as it can.
    ///
    /// # Errors
    /// As for [`law`](SaveEffect::law); [`Error::TooManyCasts`] for more than 100 times;
    /// [`Error::Dice`] if the joint law does not fit memory.
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
        // As if with so many uses: more than there are throws makes no difference.
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

    /// The law of the damage after a failure, which is a hit, or a success, a miss.
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

/// Refuses a step that would collect more than fits memory: so many outcomes,
/// each with so many further ones.
pub(crate) fn joint_fits(outcomes: u128, further: usize, bits: u128) -> Result<(), Error> {
    let pairs = outcomes.saturating_mul(further as u128);
    let words = pairs.saturating_mul(6 + bits / 64);
    match words > u128::from(DEFAULT_LIMIT) {
        true => Err(Error::Dice(oddsmith_dice::Error::TooLarge {
            operation: "the joint law of damage and uses of legendary resistance".to_owned(),
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
