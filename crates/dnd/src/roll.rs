//! The attack roll: miss, hit or critical hit.

use num_rational::BigRational;
use oddsmith_dice::Dist;

use crate::{D20, Error};

/// What an attack roll comes to.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{AttackRoll, Outcome};
///
/// let roll = AttackRoll::new(18, 7);
/// assert_eq!(roll.outcome(10)?, Outcome::Miss);
/// assert_eq!(roll.outcome(11)?, Outcome::Hit);
/// assert_eq!(roll.outcome(20)?, Outcome::Critical);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// No damage.
    Miss,
    /// A hit that is not critical.
    Hit,
    /// A hit that doubles the damage dice.
    Critical,
}

/// A d20 with a bonus against an armour class (AC), by the rules of the fifth
/// edition.
///
/// The attack hits if the natural roll plus the bonus is at least the AC. A
/// natural 1 always misses. A natural 20 always hits and is critical; other
/// rolls in the critical range are critical if they hit.
///
/// F. M. Jørgensen, "How the probability code works" (2019), section 3.2, has
/// the plain roll with critical hits on 20. His rules "a miss if d20 + atk <
/// AC" and "a 20 always critically hits" contradict each other where AC − atk >
/// 20; there the 20 hits, as in his formulas.
///
/// # Examples
/// ```
/// use oddsmith_dnd::AttackRoll;
///
/// let roll = AttackRoll::new(18, 7); // +7 against AC 18
/// assert_eq!(roll.miss().to_string(), "1/2");
/// assert_eq!(roll.hit().to_string(), "9/20");
/// assert_eq!(roll.critical().to_string(), "1/20");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AttackRoll {
    ac: i64,
    bonus: i64,
    die: D20,
    /// 2 to 20.
    critical_from: u32,
}

impl AttackRoll {
    /// A plain roll with this bonus against this AC, critical on a natural 20.
    /// Any numbers are allowed.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::AttackRoll;
    ///
    /// assert_eq!(AttackRoll::new(40, 5).counts(), [19, 0, 1]);
    /// assert_eq!(AttackRoll::new(i64::MIN, i64::MAX).counts(), [1, 18, 1]);
    /// ```
    #[must_use]
    pub fn new(ac: i64, bonus: i64) -> Self {
        AttackRoll {
            ac,
            bonus,
            die: D20::Plain,
            critical_from: 20,
        }
    }

    /// The same roll with advantage, disadvantage or neither.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{AttackRoll, D20};
    ///
    /// let flanking = AttackRoll::new(18, 7).die(D20::Advantage);
    /// assert_eq!(flanking.miss().to_string(), "1/4");
    /// assert_eq!(flanking.critical().to_string(), "39/400");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn die(mut self, die: D20) -> Self {
        self.die = die;
        self
    }

    /// The same roll, critical from this natural roll on if it hits: 19 for a
    /// champion.
    ///
    /// # Errors
    /// [`Error::CriticalRange`] outside 2 to 20.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::AttackRoll;
    ///
    /// let champion = AttackRoll::new(18, 7).critical_from(19)?;
    /// assert_eq!(champion.critical().to_string(), "1/10");
    /// // A natural 19 that misses is no critical hit:
    /// assert_eq!(AttackRoll::new(27, 7).critical_from(19)?.counts(), [19, 0, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn critical_from(mut self, natural: u32) -> Result<Self, Error> {
        if !(2..=20).contains(&natural) {
            return Err(Error::CriticalRange { given: natural });
        }
        self.critical_from = natural;
        Ok(self)
    }

    /// What this natural roll comes to.
    ///
    /// # Errors
    /// [`Error::Natural`] outside 1 to 20.
    ///
    /// # Examples
    /// See [`Outcome`].
    pub fn outcome(&self, natural: u32) -> Result<Outcome, Error> {
        match natural {
            1..=20 => Ok(self.judge(natural)),
            given => Err(Error::Natural { given }),
        }
    }

    fn judge(&self, natural: u32) -> Outcome {
        // Wide enough for any bonus.
        let reached = i128::from(natural) + i128::from(self.bonus) >= i128::from(self.ac);
        match natural {
            1 => Outcome::Miss,
            20 => Outcome::Critical,
            _ if !reached => Outcome::Miss,
            _ if natural >= self.critical_from => Outcome::Critical,
            _ => Outcome::Hit,
        }
    }

    /// How many of the die's [`rolls`](D20::rolls) miss, hit and hit
    /// critically.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{AttackRoll, D20};
    ///
    /// assert_eq!(AttackRoll::new(15, 5).counts(), [9, 10, 1]);
    /// assert_eq!(AttackRoll::new(15, 5).die(D20::Disadvantage).counts(), [279, 120, 1]);
    /// ```
    #[must_use]
    pub fn counts(&self) -> [u64; 3] {
        let mut counts = [0; 3];
        for natural in 1..=20 {
            counts[self.judge(natural) as usize] += self.die.count(natural);
        }
        counts
    }

    /// P(miss), M in Jørgensen's section 3.2.
    ///
    /// # Examples
    /// See [`AttackRoll`].
    #[must_use]
    pub fn miss(&self) -> BigRational {
        self.chance(Outcome::Miss)
    }

    /// P(a hit that is not critical), H in Jørgensen's section 3.2.
    ///
    /// # Examples
    /// See [`AttackRoll`].
    #[must_use]
    pub fn hit(&self) -> BigRational {
        self.chance(Outcome::Hit)
    }

    /// P(critical hit), C in Jørgensen's section 3.2.
    ///
    /// # Examples
    /// See [`AttackRoll`].
    #[must_use]
    #[doc(alias = "crit")]
    pub fn critical(&self) -> BigRational {
        self.chance(Outcome::Critical)
    }

    fn chance(&self, outcome: Outcome) -> BigRational {
        let count = self.counts()[outcome as usize];
        BigRational::new(count.into(), self.die.rolls().into())
    }

    /// The law of the outcome.
    ///
    /// # Errors
    /// None in fact; laws are made by functions that can fail.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{AttackRoll, Outcome};
    ///
    /// let law = AttackRoll::new(18, 7).law()?;
    /// assert_eq!(law.at_least(&Outcome::Hit).to_string(), "1/2"); // hit, critical or not
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law(&self) -> Result<Dist<Outcome>, Error> {
        let outcomes = [Outcome::Miss, Outcome::Hit, Outcome::Critical];
        Ok(Dist::from_weights(outcomes.into_iter().zip(self.counts()))?)
    }
}
