//! A turn: attacks and effects one after another, and what happens once in it.

mod means;
mod plan;
mod resisted;

use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_dice::Dist;

use crate::{Attack, Error, Rider, SaveEffect, Target};
pub(crate) use means::TurnMeans;
use plan::Plan;
pub(crate) use plan::{Leg, MOST_ATTACKS};

/// What a creature does in its turn: a sequence of attacks and effects against one target.
///
/// Riders make attacks depend on each other, since only one hit gets them. The distribution of the
/// whole turn is still exact. Other effects of one attack on the next, such as knocking the target
/// prone, are not modelled: build the turn in two ways and mix the distributions.
///
/// # Examples
/// A fighter's two attacks, exactly and in floats:
/// ```
/// use oddsmith_dnd::{Attack, Target, Turn};
///
/// let longsword = Attack::new("Longsword")?.to_hit(7).damage("1d8 + 6 slashing".parse()?);
/// let turn = Turn::new().attacks(2, longsword);
/// let ogre = Target::new(11);
/// let law = turn.law(&ogre)?;
/// assert_eq!(law.mean().to_string(), "183/10");
/// let float = turn.law_f64(&ogre)?;
/// assert!((float.mean() - 18.3).abs() < 1e-12);
/// assert!(float.relative_error() < 1e-13);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Turn {
    steps: Vec<(u32, Action)>,
    #[cfg_attr(feature = "serde", serde(default))]
    riders: Vec<Rider>,
}

/// An attack or an effect in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
enum Action {
    Attack(Attack),
    Effect(SaveEffect),
}

impl Turn {
    /// Creates a turn in which nothing is done.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Target, Turn};
    ///
    /// assert_eq!(Turn::new().law(&Target::new(10))?.support(), [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Turn::default()
    }

    /// Appends an attack.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Target, Turn};
    ///
    /// let [jab, hook] = [Attack::new("Jab")?, Attack::new("Hook")?]; // hit AC 11 half the time
    /// let turn = Turn::new().attack(jab.damage("1".parse()?)).attack(hook.damage("3".parse()?));
    /// let law = turn.law(&Target::new(11))?;
    /// assert_eq!(law.support(), [0, 1, 3, 4]);
    /// assert_eq!(law.p(&4).to_string(), "1/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn attack(self, attack: Attack) -> Self {
        self.attacks(1, attack)
    }

    /// Appends an attack that is made this many times.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Target, Turn};
    ///
    /// let fist = Attack::new("Fist")?.damage("2".parse()?); // hits AC 11 half the time
    /// let law = Turn::new().attacks(3, fist).law(&Target::new(11))?;
    /// assert_eq!(law.p(&6).to_string(), "1/8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn attacks(mut self, times: u32, attack: Attack) -> Self {
        self.steps.push((times, Action::Attack(attack)));
        self
    }

    /// Appends an effect. The target uses no legendary resistance; for that, see
    /// [`SaveEffect::against_legendary_resistance`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, Attack, SaveEffect, Target, Turn};
    ///
    /// let bite = Attack::new("Bite")?.to_hit(4).damage("1d6 + 2 piercing".parse()?);
    /// let venom = SaveEffect::new("Venom", Ability::Constitution, 11)?
    ///     .damage("2d6 poison".parse()?);
    /// let turn = Turn::new().attack(bite).effect(venom);
    /// assert_eq!(turn.mean(&Target::new(14))?.to_string(), "333/40");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn effect(mut self, effect: SaveEffect) -> Self {
        self.steps.push((1, Action::Effect(effect)));
        self
    }

    /// Adds a rider.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Rider, Target, Turn};
    ///
    /// let fist = Attack::new("Fist")?.damage("1".parse()?); // hits AC 11 half the time
    /// let hex = Rider::new("Hex", "5 necrotic".parse()?)?;
    /// let law = Turn::new().attacks(2, fist).rider(hex).law(&Target::new(11))?;
    /// assert_eq!(law.support(), [0, 6, 7]); // once, whether one hits or both
    /// assert_eq!(law.p(&7).to_string(), "1/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rider(mut self, rider: Rider) -> Self {
        self.riders.push(rider);
        self
    }

    /// Returns the distribution of the damage that the target takes in the turn.
    ///
    /// All attacks are made, whether the target still stands or not. This makes no difference to
    /// the chance that it falls in this turn.
    ///
    /// # Errors
    /// [`Error::TotalCover`] if the target cannot be attacked; [`Error::TooManyAttacks`] for more
    /// than 1,000 attacks and [`Error::TooManyRiders`] for more than 8 riders; [`Error::Dice`] if
    /// the damage does not fit 64 bits or the distribution does not fit in memory.
    ///
    /// # Complexity
    /// Without riders: a power of the distribution of each attack ([`Dist::repeat`]) and one
    /// convolution for each kind of attack but one. With riders: up to three convolutions for each
    /// attack and each set of riders that can be used up before it.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Target, Turn};
    ///
    /// let club = Attack::new("Club")?.damage("4 bludgeoning".parse()?); // hits AC 11 half the time
    /// let law = Turn::new().attacks(2, club).law(&Target::new(11))?;
    /// assert_eq!(law.at_least(&7).to_string(), "1/4"); // who has 7 hit points falls
    /// assert_eq!(law.mean().to_string(), "4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law(&self, target: &Target) -> Result<Dist<i64>, Error> {
        Plan::new(self)?.law(target)
    }

    /// Returns [`law`](Turn::law) in floats, computed from exact distributions of the single
    /// attacks; [`relative_error`](Dist::relative_error) bounds the error.
    ///
    /// # Errors
    /// As for [`law`](Turn::law).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Target, Turn};
    ///
    /// let club = Attack::new("Club")?.damage("4 bludgeoning".parse()?); // hits AC 11 half the time
    /// let law = Turn::new().attacks(2, club).law_f64(&Target::new(11))?;
    /// assert_eq!(law.p(&8), 0.25);
    /// assert!(law.relative_error() < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law_f64(&self, target: &Target) -> Result<Dist<i64, f64>, Error> {
        Plan::new(self)?.law(target)
    }

    /// Returns the mean damage of the turn, "damage per round" (DPR), without computing its
    /// distribution.
    ///
    /// # Errors
    /// As for [`law`](Turn::law).
    ///
    /// # Complexity
    /// The distribution of each kind of attack, and a few products of integers for each attack, with
    /// riders also for each set of them that may be left.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Target, Turn};
    ///
    /// let slap = Attack::new("Slap")?.damage("1".parse()?); // hits AC 11 half the time
    /// assert_eq!(Turn::new().attacks(1_000, slap).mean(&Target::new(11))?.to_string(), "500");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "dpr")]
    pub fn mean(&self, target: &Target) -> Result<BigRational, Error> {
        TurnMeans::new(self, target)?.mean(target)
    }

    /// Returns [`mean`](Turn::mean) as a float, rounded once.
    ///
    /// # Errors
    /// As for [`law`](Turn::law).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Target};
    ///
    /// let club = Attack::new("Club")?.to_hit(2).damage("1d4 bludgeoning".parse()?);
    /// let turn = oddsmith_dnd::Turn::from(club);
    /// assert_eq!(turn.mean_f64(&Target::new(12))?, 1.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mean_f64(&self, target: &Target) -> Result<f64, Error> {
        Ok(nearest(&self.mean(target)?))
    }

    /// Returns the turn attack by attack, for targets that may change in between. The first attack
    /// is the last in the list. The words that the list takes are added to those
    /// `used` so far.
    pub(crate) fn legs(&self, target: &Target, used: &mut u128) -> Result<Vec<Leg>, Error> {
        Plan::one_by_one(self)?.legs(target, used)
    }

    /// Rejects more attacks and effects than are supported.
    pub(crate) fn few_enough(&self) -> Result<(), Error> {
        Plan::new(self).map(|_| ())
    }

    /// Returns an upper bound on the saving throws that it requires.
    pub(crate) fn throws(&self) -> u64 {
        let steps = self.steps.iter();
        let throws = steps.map(|(times, action)| match action {
            Action::Effect(_) => u64::from(*times),
            Action::Attack(attack) => u64::from(*times) * attack.saves().len() as u64,
        });
        throws.fold(0, u64::saturating_add)
    }

    /// Returns whether hits require saving throws, so that more hits mean more saving throws.
    pub(crate) fn saves_on_hits(&self) -> bool {
        let mut steps = self.steps.iter();
        steps.any(|(times, action)| match action {
            Action::Attack(attack) => *times > 0 && !attack.saves().is_empty(),
            Action::Effect(_) => false,
        })
    }

    /// Separates the attacks with their riders from the effects, which riders do not affect.
    pub(crate) fn apart(&self) -> (Turn, Vec<&SaveEffect>) {
        let mut attacks = self.clone();
        attacks
            .steps
            .retain(|(_, action)| matches!(action, Action::Attack(_)));
        let effects = self
            .steps
            .iter()
            .filter_map(|(times, action)| match action {
                Action::Effect(effect) => Some(std::iter::repeat_n(effect, *times as usize)),
                Action::Attack(_) => None,
            });
        (attacks, effects.flatten().collect())
    }

    /// Returns whether nothing is done at all.
    ///
    /// # Examples
    /// ```
    /// assert!(oddsmith_dnd::Turn::new().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.iter().all(|(times, _)| *times == 0)
    }
}

/// Returns the mean as a float. No mean damage is out of range: it is at most a few times 2⁶⁴, a
/// thousand times over.
pub(crate) fn nearest(mean: &BigRational) -> f64 {
    mean.to_f64().unwrap_or(f64::NAN)
}
