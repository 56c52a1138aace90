//! The damage of a hit.

mod law;
mod part;

use std::fmt;
use std::str::FromStr;

use oddsmith_dice::Dist;

use crate::weapon_dice::{WeaponDice, nonnegative};
use crate::{CriticalRule, DamageType, Defenses, Error, GreatWeaponFighting, Outcome};
pub(crate) use law::Blow;
pub(crate) use part::Part;

/// The damage of one attack: dice and flat numbers of one or several types, and how a critical hit
/// or a miss changes them.
///
/// A critical hit rolls the damage dice twice. Some damage does not double and is therefore kept
/// separate: flat damage, [`undoubled`](Damage::undoubled) dice, and dice that only a critical hit
/// [rolls](Damage::on_critical). The damage of one attack is at least 0, for each type separately.
///
/// The first part is the weapon's. [`flat`](Damage::flat), [`of`](Damage::of),
/// [`great_weapon_fighting`](Damage::great_weapon_fighting) and the other methods refer to it;
/// [`plus`](Damage::plus) adds parts that were built in the same way. Damage can also be
/// [parsed](Damage::from_str) from the text of a stat block.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Damage, DamageType, Defenses, Outcome};
///
/// let greatsword = Damage::dice(2, 6)?.flat(5); // 2d6 + 5
/// assert_eq!(greatsword.law(Outcome::Hit)?.mean().to_string(), "12");
/// assert_eq!(greatsword.law(Outcome::Critical)?.mean().to_string(), "19"); // 4d6 + 5
///
/// let flaming: Damage = "2d6 + 5 slashing plus 1d6 fire".parse()?;
/// let salamander = Defenses::new().immune(DamageType::Fire);
/// assert_eq!(flaming.law(Outcome::Hit)?.mean().to_string(), "31/2");
/// assert_eq!(flaming.law_against(Outcome::Hit, &salamander)?.mean().to_string(), "12");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Never empty.
    pub(crate) parts: Vec<Part>,
}

impl Default for Damage {
    fn default() -> Self {
        Damage::of_part(Part::default())
    }
}

impl Damage {
    pub(crate) fn of_part(part: Part) -> Self {
        Damage { parts: vec![part] }
    }

    /// Creates damage from any dice, already added up. The distribution counts as one die.
    ///
    /// # Errors
    /// [`Error::NegativeDice`] if they can show less than 0.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Damage, Outcome};
    ///
    /// let flaming = Damage::new((&Dist::die(8)? + &Dist::die(6)?)?)?.flat(3);
    /// assert_eq!(flaming.law(Outcome::Critical)?.max(), &31);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(dice: Dist<i64>) -> Result<Self, Error> {
        Ok(Damage::of_part(Part {
            dice: WeaponDice::new(1, dice)?,
            ..Part::default()
        }))
    }

    /// Creates damage from `n` dice with this many sides, `Ndice(n, sides)`. Zero dice are allowed.
    ///
    /// # Errors
    /// [`Error::Dice`] for dice without sides or far too many dice.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Damage, Outcome};
    ///
    /// let blowgun = Damage::dice(0, 6)?.flat(1);
    /// assert_eq!(blowgun.law(Outcome::Critical)?.p(&1).to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn dice(n: u32, sides: u32) -> Result<Self, Error> {
        // This rejects dice that are too large now, and not when the damage is computed.
        Dist::ndice(n, sides)?;
        Ok(Damage::of_part(Part {
            dice: WeaponDice::new(n, Dist::die(sides)?)?,
            ..Part::default()
        }))
    }

    /// Sets the type of damage. Without a type, no resistance applies.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Damage, DamageType, Defenses, Outcome};
    ///
    /// let claw = Damage::dice(1, 6)?.of(DamageType::Slashing);
    /// let ghost = Defenses::new().resistant(DamageType::Slashing);
    /// assert_eq!(claw.law_against(Outcome::Hit, &ghost)?.max(), &3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(mut self, kind: DamageType) -> Self {
        self.parts[0].of = Some(kind);
        self
    }

    /// Adds flat damage, which no critical hit doubles. It may be negative. Several calls add up,
    /// for example an ability modifier and a magic weapon.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Damage, Outcome};
    ///
    /// let feeble = Damage::dice(1, 4)?.flat(-2).law(Outcome::Hit)?;
    /// assert_eq!(feeble.support(), [0, 1, 2]);
    /// assert_eq!(feeble.p(&0).to_string(), "1/2"); // a 1 or a 2
    /// let magic = Damage::dice(1, 8)?.flat(4).flat(1); // 1d8 + 5
    /// assert_eq!(magic.law(Outcome::Hit)?.mean().to_string(), "19/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn flat(mut self, damage: i64) -> Self {
        // No number of calls overflows 128 bits.
        self.parts[0].flat = self.parts[0].flat.saturating_add(damage.into());
        self
    }

    /// Adds other damage. Its parts follow those of this one. Parts of one type are added up before
    /// resistance halves them.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Damage, DamageType, Outcome};
    ///
    /// let bite = Damage::dice(1, 10)?.flat(4).of(DamageType::Piercing);
    /// let poisoned = bite.plus(Damage::dice(4, 6)?.of(DamageType::Poison));
    /// assert_eq!(poisoned.law(Outcome::Hit)?.mean().to_string(), "47/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn plus(mut self, other: Damage) -> Self {
        self.parts.extend(other.parts);
        self
    }

    /// Adds dice that every hit rolls once, critical or not. Several calls add up.
    ///
    /// # Errors
    /// [`Error::NegativeDice`] if they can show less than 0; [`Error::Dice`] if a sum does not fit
    /// 64 bits or its distribution does not fit in memory.
    ///
    /// # Complexity
    /// From the second call on, one convolution.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Damage, Outcome};
    ///
    /// let poisoned = Damage::dice(1, 4)?.undoubled(Dist::ndice(2, 6)?)?;
    /// assert_eq!(poisoned.law(Outcome::Hit)?.max(), &16);
    /// assert_eq!(poisoned.law(Outcome::Critical)?.max(), &20);
    /// let burning = poisoned.undoubled(Dist::die(4)?)?;
    /// assert_eq!(burning.law(Outcome::Critical)?.max(), &24); // 2d4 + 2d6 + 1d4
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn undoubled(mut self, dice: Dist<i64>) -> Result<Self, Error> {
        let so_far = self.parts[0].undoubled.take();
        self.parts[0].undoubled = Some(added(so_far, dice)?);
        Ok(self)
    }

    /// Adds dice that only a critical hit rolls. They are not the weapon's dice; for those use
    /// [`brutal`](Damage::brutal). Several calls add up.
    ///
    /// # Errors
    /// [`Error::NegativeDice`] if they can show less than 0; [`Error::Dice`] if a sum does not fit
    /// 64 bits or its distribution does not fit in memory.
    ///
    /// # Complexity
    /// From the second call on, one convolution.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Damage, Outcome};
    ///
    /// let vicious = Damage::dice(1, 12)?.on_critical(Dist::certain(7))?;
    /// assert_eq!(vicious.law(Outcome::Hit)?.mean().to_string(), "13/2");
    /// assert_eq!(vicious.law(Outcome::Critical)?.mean().to_string(), "20"); // 2d12 + 7
    /// let both = vicious.on_critical(Dist::die(6)?)?;
    /// assert_eq!(both.law(Outcome::Critical)?.mean().to_string(), "47/2"); // and 1d6
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_critical(mut self, dice: Dist<i64>) -> Result<Self, Error> {
        let so_far = self.parts[0].on_critical.take();
        self.parts[0].on_critical = Some(added(so_far, dice)?);
        Ok(self)
    }

    /// Adds this many of the weapon's dice to a critical hit: a barbarian's Brutal Critical, or a
    /// half-orc's Savage Attacks. Several calls add up, since a character with both features rolls
    /// both. The weapon's die is the first one given; without any dice nothing is added.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Damage, Outcome};
    ///
    /// let greataxe = Damage::dice(1, 12)?.brutal(1);
    /// assert_eq!(greataxe.law(Outcome::Critical)?.mean().to_string(), "39/2"); // 3d12
    /// let half_orc = greataxe.brutal(1);
    /// assert_eq!(half_orc.law(Outcome::Critical)?.mean().to_string(), "26"); // 4d12
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "savage attacks")]
    pub fn brutal(mut self, more: u32) -> Self {
        // Nobody calls this 2³² times.
        self.parts[0].brutal = self.parts[0].brutal.saturating_add(more.into());
        self
    }

    /// Sets the rule for critical hits, for every part added so far. With [`CriticalRule::Normal`]
    /// a part does not double, for example a rider that is added to a weapon which does.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{CriticalRule, Damage, Outcome};
    ///
    /// let rider = Damage::dice(2, 8)?.critical(CriticalRule::Normal);
    /// let blade = Damage::dice(1, 8)?.plus(rider);
    /// assert_eq!(blade.law(Outcome::Critical)?.max(), &32); // 2d8 + 2d8
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn critical(mut self, rule: CriticalRule) -> Self {
        for part in &mut self.parts {
            part.critical = rule;
        }
        self
    }

    /// Applies the fighting style Great Weapon Fighting; see [`GreatWeaponFighting`]. It affects
    /// only the weapon's dice, including those of critical hits. [`undoubled`](Damage::undoubled)
    /// and [`on_critical`](Damage::on_critical) dice and further parts stay as they are. Only one
    /// such rule applies, the last one given.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Damage, GreatWeaponFighting, Outcome};
    ///
    /// let maul = Damage::dice(2, 6)?.great_weapon_fighting(GreatWeaponFighting::Rules2014);
    /// assert_eq!(maul.law(Outcome::Critical)?.mean().to_string(), "50/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn great_weapon_fighting(mut self, rule: GreatWeaponFighting) -> Self {
        self.parts[0].style = Some(rule);
        self
    }

    /// Adds damage on a miss, of the weapon's type. Several calls add up.
    ///
    /// # Errors
    /// [`Error::NegativeDice`] if it can be less than 0; [`Error::Dice`] if a sum does not fit 64
    /// bits or its distribution does not fit in memory.
    ///
    /// # Complexity
    /// From the second call on, one convolution.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Damage, Outcome};
    ///
    /// let acid = Damage::dice(4, 4)?.on_miss(Dist::parse("4d4 / 2")?)?;
    /// assert_eq!(acid.law(Outcome::Miss)?.max(), &8);
    /// assert_eq!(acid.on_miss(Dist::certain(1))?.law(Outcome::Miss)?.max(), &9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_miss(mut self, damage: Dist<i64>) -> Result<Self, Error> {
        let so_far = self.parts[0].on_miss.take();
        self.parts[0].on_miss = Some(added(so_far, damage)?);
        Ok(self)
    }

    /// Adds the mastery property Graze of 2024: a miss deals the ability modifier as damage of the
    /// weapon's type, at least 0. It is added to other damage [on a miss](Damage::on_miss). A
    /// weapon has the property once, with the last modifier given.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Damage, Outcome};
    ///
    /// let glaive = Damage::dice(1, 10)?.flat(3).graze(3);
    /// assert_eq!(glaive.law(Outcome::Miss)?.support(), [3]);
    /// assert_eq!(Damage::dice(1, 10)?.graze(-1).law(Outcome::Miss)?.support(), [0]);
    /// assert_eq!(glaive.graze(4).law(Outcome::Miss)?.support(), [4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn graze(mut self, modifier: i64) -> Self {
        self.parts[0].graze = modifier.max(0);
        self
    }

    /// Returns the distribution of the damage after this outcome of the attack roll, against a
    /// creature that takes all of it.
    ///
    /// # Errors
    /// [`Error::Dice`] if the damage does not fit 64 bits or the distribution does not fit in
    /// memory.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Damage, Outcome};
    ///
    /// let greatsword = Damage::dice(2, 6)?.flat(5);
    /// assert_eq!(greatsword.law(Outcome::Miss)?.support(), [0]);
    /// assert_eq!(greatsword.law(Outcome::Hit)?.p(&12).to_string(), "1/6");
    /// assert_eq!(greatsword.law(Outcome::Critical)?.p(&12).to_string(), "5/324"); // 7 by 4d6
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law(&self, outcome: Outcome) -> Result<Dist<i64>, Error> {
        self.law_against(outcome, &Defenses::default())
    }

    /// Returns the distribution of the damage that a creature with these defences takes.
    ///
    /// # Errors
    /// [`Error::Dice`] if the damage does not fit 64 bits or the distribution does not fit in
    /// memory.
    ///
    /// # Complexity
    /// One sum of dice for each type of damage, one pass over its outcomes, and one convolution for
    /// each type but one.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Damage, DamageType, Defenses, Outcome};
    ///
    /// let rapier = Damage::dice(1, 8)?.flat(3).of(DamageType::Piercing);
    /// let ghoul = Defenses::new().resistant(DamageType::Piercing);
    /// let law = rapier.law_against(Outcome::Hit, &ghoul)?;
    /// assert_eq!(law.support(), [2, 3, 4, 5]); // 4 to 11, halved down
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law_against(&self, outcome: Outcome, target: &Defenses) -> Result<Dist<i64>, Error> {
        Blow::new(self, target).law(outcome)
    }

    /// Returns the type of the weapon.
    pub(crate) fn weapon_type(&self) -> Option<&DamageType> {
        self.parts[0].of.as_ref()
    }
}

/// Adds these dice to those there are.
fn added(so_far: Option<Dist<i64>>, dice: Dist<i64>) -> Result<Dist<i64>, Error> {
    let dice = nonnegative(dice)?;
    match so_far {
        Some(so_far) => Ok(so_far.matfold(&dice)?),
        None => Ok(dice),
    }
}

/// In the words of a stat block, as they are [parsed](Damage::from_str). What these do not express
/// follows in brackets, with the ranges of dice that are not plain ones.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Damage, DamageType};
///
/// let flaming = Damage::dice(2, 6)?.flat(5).of(DamageType::Slashing)
///     .plus(Damage::dice(1, 6)?.of(DamageType::Fire));
/// assert_eq!(flaming.to_string(), "2d6 + 5 slashing plus 1d6 fire");
/// assert_eq!(flaming.to_string().parse::<Damage>()?, flaming);
/// let glaive = Damage::dice(1, 10)?.flat(-1).brutal(1).graze(3);
/// assert_eq!(glaive.to_string(), "1d10 - 1 [brutal 1, graze 3]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&crate::text::words(self))
    }
}

impl FromStr for Damage {
    type Err = Error;

    /// Parses the text of a stat block: `2d6 + 3 slashing plus 1d6 fire`. The average may precede
    /// the dice, as in `10 (2d6 + 3) slashing damage`; it is the mean rounded down. The dice are in
    /// the notation of [`Dist::parse`]. Numbers added to them are flat damage, which a critical hit
    /// does not double. Other words are the [type](DamageType::from_str) of damage. A comma or full
    /// stop may follow each part.
    ///
    /// # Errors
    /// [`Error::DamageText`] for text that is not such damage; [`Error::Average`] for an average
    /// that is not that of the dice; [`Error::MisspeltType`]; [`Error::Dice`] and
    /// [`Error::NegativeDice`] for dice that cannot be rolled.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Damage, DamageType, Outcome};
    ///
    /// let bite: Damage = "19 (2d10 + 8) piercing damage plus 14 (4d6) fire damage".parse()?;
    /// let same = Damage::dice(2, 10)?.flat(8).of(DamageType::Piercing)
    ///     .plus(Damage::dice(4, 6)?.of(DamageType::Fire));
    /// assert_eq!(bite, same);
    /// assert_eq!(bite.law(Outcome::Critical)?.max(), &96);
    /// let error = "12 (2d6 + 3) slashing".parse::<Damage>().unwrap_err().to_string();
    /// assert!(error.starts_with("the average in front of 2d6 + 3 must be 10 (rounded down)"));
    /// assert!(error.contains("got 12"));
    /// assert_eq!("8 slashing damage, plus 1d6 fire damage.".parse::<Damage>()?,
    ///     "8 slashing plus 1d6 fire".parse()?);
    /// assert!("8 slahsing".parse::<Damage>().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, Error> {
        crate::text::damage(text)
    }
}
