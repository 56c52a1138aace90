//! What a hit does.

use oddsmith_dice::Dist;

use crate::{Error, Outcome};

/// The damage of one attack: dice, flat damage, and what a critical hit makes
/// of them.
///
/// A critical hit rolls the damage dice twice. Not every number doubles, so
/// they are kept apart: the flat damage, [`undoubled`](Damage::undoubled) dice
/// and dice that only a critical hit [rolls](Damage::on_critical). The damage of
/// one attack is at least 0.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Damage, Outcome};
///
/// let greatsword = Damage::dice(2, 6)?.flat(5); // 2d6 + 5
/// assert_eq!(greatsword.law(Outcome::Hit)?.mean().to_string(), "12");
/// assert_eq!(greatsword.law(Outcome::Critical)?.mean().to_string(), "19"); // 4d6 + 5
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    dice: Dist<i64>,
    undoubled: Dist<i64>,
    on_critical: Dist<i64>,
    flat: i64,
}

impl Damage {
    /// Damage by any dice, added up: `(1d8 + 1d6)`, a die that is rolled again,
    /// and so on.
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
        Ok(Damage {
            dice: nonnegative(dice)?,
            undoubled: Dist::certain(0),
            on_critical: Dist::certain(0),
            flat: 0,
        })
    }

    /// Damage by `n` dice of so many sides, `Ndice(n, sides)`; no dice are
    /// allowed.
    ///
    /// # Errors
    /// [`Error::Dice`] for dice without sides or far too many.
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
        Damage::new(Dist::ndice(n, sides)?)
    }

    /// The same with this flat damage, which no critical hit doubles. It may be
    /// negative.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Damage, Outcome};
    ///
    /// let feeble = Damage::dice(1, 4)?.flat(-2).law(Outcome::Hit)?;
    /// assert_eq!(feeble.support(), [0, 1, 2]);
    /// assert_eq!(feeble.p(&0).to_string(), "1/2"); // a 1 or a 2
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn flat(mut self, damage: i64) -> Self {
        self.flat = damage;
        self
    }

    /// The same with dice that every hit rolls once, critical or not.
    ///
    /// # Errors
    /// [`Error::NegativeDice`] if they can show less than 0.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Damage, Outcome};
    ///
    /// let poisoned = Damage::dice(1, 4)?.undoubled(Dist::ndice(2, 6)?)?;
    /// assert_eq!(poisoned.law(Outcome::Hit)?.max(), &16);
    /// assert_eq!(poisoned.law(Outcome::Critical)?.max(), &20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn undoubled(mut self, dice: Dist<i64>) -> Result<Self, Error> {
        self.undoubled = nonnegative(dice)?;
        Ok(self)
    }

    /// The same with dice that only a critical hit rolls.
    ///
    /// # Errors
    /// [`Error::NegativeDice`] if they can show less than 0.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Damage, Outcome};
    ///
    /// let brutal = Damage::dice(1, 12)?.on_critical(Dist::die(12)?)?;
    /// assert_eq!(brutal.law(Outcome::Hit)?.mean().to_string(), "13/2");
    /// assert_eq!(brutal.law(Outcome::Critical)?.mean().to_string(), "39/2"); // 3d12
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "brutal")]
    pub fn on_critical(mut self, dice: Dist<i64>) -> Result<Self, Error> {
        self.on_critical = nonnegative(dice)?;
        Ok(self)
    }

    /// The law of the damage after this outcome of the attack roll.
    ///
    /// # Errors
    /// [`Error::Dice`] if the damage does not fit 64 bits or the law memory.
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
        let dice = match outcome {
            Outcome::Miss => return Ok(Dist::certain(0)),
            Outcome::Hit => self.dice.matfold(&self.undoubled)?,
            Outcome::Critical => {
                let doubled = self.dice.repeat(2)?.matfold(&self.undoubled)?;
                doubled.matfold(&self.on_critical)?
            }
        };
        let damage = dice.shift(self.flat)?;
        Ok(match *damage.min() {
            0.. => damage,
            _ => damage.map(|&damage| damage.max(0)),
        })
    }
}

fn nonnegative(dice: Dist<i64>) -> Result<Dist<i64>, Error> {
    match *dice.min() {
        0.. => Ok(dice),
        outcome => Err(Error::NegativeDice { outcome }),
    }
}
