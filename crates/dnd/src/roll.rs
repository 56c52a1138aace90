//! The attack roll: miss, hit or critical hit.

use std::fmt;

use num_bigint::BigUint;
use num_rational::BigRational;
use oddsmith_dice::Dist;

use crate::{Cover, D20, Error};

/// The outcome of an attack roll.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{AttackRoll, Outcome};
///
/// let roll = AttackRoll::new(18, 7);
/// assert_eq!(roll.outcome(10)?, Outcome::Miss);
/// assert_eq!(roll.outcome(11)?, Outcome::Hit);
/// assert_eq!(roll.outcome(20)?, Outcome::Critical);
/// assert_eq!(Outcome::Critical.to_string(), "critical hit");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Outcome {
    /// No damage, except what the weapon does on a miss.
    Miss,
    /// A hit that is not critical.
    Hit,
    /// A hit that doubles the damage dice.
    Critical,
}

impl Outcome {
    /// All three outcomes, in the order of their numbers.
    pub(crate) const ALL: [Outcome; 3] = [Outcome::Miss, Outcome::Hit, Outcome::Critical];
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Outcome::Miss => "miss",
            Outcome::Hit => "hit",
            Outcome::Critical => "critical hit",
        })
    }
}

/// The effect of a natural 1 and a natural 20.
///
/// Attack rolls have automatic misses and hits in both editions: a natural 1 misses, and a natural
/// 20 hits and is critical, whatever the bonus (Player's Handbook 2014, chapter 9, "Rolling 1 or
/// 20"; Player's Handbook 2024, rules glossary, "Attack Roll" and "Critical Hit"). Saving throws
/// and ability checks have them in neither edition, except for death saving throws, so a
/// [`SavingThrow`](crate::SavingThrow) is compared.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{AttackRoll, Naturals};
///
/// let hopeless = AttackRoll::new(40, 5);
/// assert_eq!(hopeless.miss().to_string(), "19/20");
/// assert_eq!(hopeless.naturals(Naturals::Compared).miss().to_string(), "1");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Naturals {
    /// A natural 1 misses, a natural 20 hits and is critical.
    #[default]
    Automatic,
    /// Every roll is compared with the AC. A roll in the critical range is critical if it hits.
    Compared,
}

/// A d20 with a bonus against an armour class (AC), by the rules of the fifth edition.
///
/// The attack hits if the natural roll plus the bonus is at least the AC. A natural 1 always
/// misses. A natural 20 always hits and is critical; other rolls in the critical range are critical
/// if they hit. [`Naturals`] turns the automatic results off.
///
/// F. M. Jørgensen, "How the probability code works" (2019), section 3.2, has the plain roll with
/// critical hits on 20. His rules "a miss if d20 + atk < AC" and "a 20 always critically hits"
/// contradict each other if AC − atk > 20. Here the 20 then hits, as in his formulas.
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
///
/// With the feature `serde`, a roll is serialized as the number it needs, which is the AC minus the
/// bonus, and how it is rolled. Omitted fields are as in a plain roll: this one is read from
/// `{"needed": 11}`. A number that does not fit a signed 64-bit integer is serialized as text.
/// Formats that are not human-readable always have a 128-bit integer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttackRoll {
    /// The AC minus the bonus, in a type wide enough for any two.
    needed: i128,
    die: D20,
    lucky: bool,
    /// From 2 to 20.
    critical_from: u32,
    naturals: Naturals,
    /// The dice of bless, bane and the like.
    extra: Option<Dist<i64>>,
}

impl AttackRoll {
    /// Creates a plain roll with this bonus against this AC, critical on a natural 20. Any numbers
    /// are allowed.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::AttackRoll;
    ///
    /// assert_eq!(AttackRoll::new(40, 5).miss().to_string(), "19/20");
    /// assert_eq!(AttackRoll::new(i64::MIN, i64::MAX).miss().to_string(), "1/20");
    /// ```
    #[must_use]
    pub fn new(ac: i64, bonus: i64) -> Self {
        AttackRoll {
            needed: i128::from(ac) - i128::from(bonus),
            die: D20::Plain,
            lucky: false,
            critical_from: 20,
            naturals: Naturals::Automatic,
            extra: None,
        }
    }

    /// Sets advantage, disadvantage or neither.
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

    /// Makes the attacker a lucky halfling, who rerolls a 1 once; see [`D20::halfling_luck`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::AttackRoll;
    ///
    /// let sling = AttackRoll::new(15, 5).halfling_luck();
    /// assert_eq!(sling.miss().to_string(), "169/400"); // 180/400 without
    /// ```
    #[must_use]
    pub fn halfling_luck(mut self) -> Self {
        self.lucky = true;
        self
    }

    /// Sets the lowest natural roll that is critical if it hits, such as 19 for a champion. With 2
    /// every hit is critical, as against a paralysed target, except that of a natural 1 where it
    /// [may hit](Naturals::Compared).
    ///
    /// # Errors
    /// [`Error::CriticalRange`] for a number outside 2 to 20.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::AttackRoll;
    ///
    /// let champion = AttackRoll::new(18, 7).critical_from(19)?;
    /// assert_eq!(champion.critical().to_string(), "1/10");
    /// // A natural 19 that misses is no critical hit:
    /// let weak = AttackRoll::new(27, 7).critical_from(19)?;
    /// assert_eq!(weak.critical().to_string(), "1/20");
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
    /// use oddsmith_dnd::{AttackRoll, Naturals};
    ///
    /// let sure = AttackRoll::new(5, 5).naturals(Naturals::Compared);
    /// assert_eq!(sure.miss().to_string(), "0");
    /// ```
    #[must_use]
    pub fn naturals(mut self, naturals: Naturals) -> Self {
        self.naturals = naturals;
        self
    }

    /// Adds dice to the roll: `1d4` for bless, `-1d4` for bane. Several calls add up.
    ///
    /// # Errors
    /// [`Error::Dice`] if a sum does not fit 64 bits.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::AttackRoll;
    ///
    /// let roll = AttackRoll::new(18, 7);
    /// let (bless, bane) = (Dist::parse("1d4")?, Dist::parse("-1d4")?);
    /// assert_eq!(roll.clone().bonus_dice(&bless)?.miss().to_string(), "3/8");
    /// assert_eq!(roll.clone().bonus_dice(&bane)?.miss().to_string(), "5/8");
    /// assert_eq!(roll.bonus_dice(&bless)?.bonus_dice(&bane)?.miss().to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "bless")]
    #[doc(alias = "bane")]
    pub fn bonus_dice(mut self, dice: &Dist<i64>) -> Result<Self, Error> {
        self.extra = Some(match self.extra {
            Some(extra) => extra.matfold(dice)?,
            None => dice.clone(),
        });
        Ok(self)
    }

    /// Puts the target behind cover. Several calls add up; by the rules, only the best cover counts.
    ///
    /// # Errors
    /// [`Error::TotalCover`] if the target cannot be attacked.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{AttackRoll, Cover};
    ///
    /// let roll = AttackRoll::new(15, 5);
    /// assert_eq!(roll.clone().cover(Cover::Half)?, AttackRoll::new(17, 5));
    /// assert_eq!(roll.clone().cover(Cover::ThreeQuarters)?, AttackRoll::new(20, 5));
    /// assert!(roll.cover(Cover::Total).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cover(mut self, cover: Cover) -> Result<Self, Error> {
        self.needed += i128::from(cover.bonus()?);
        Ok(self)
    }

    /// Returns the same roll with the penalty of a power attack.
    pub(crate) fn penalty(mut self, penalty: i64) -> Self {
        self.needed += i128::from(penalty);
        self
    }

    /// Returns the outcome of this natural roll, without any bonus dice.
    ///
    /// # Errors
    /// [`Error::Natural`] for a number outside 1 to 20.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{AttackRoll, Error, Outcome};
    ///
    /// let easy = AttackRoll::new(2, 7);
    /// assert_eq!(easy.outcome(1)?, Outcome::Miss);
    /// assert_eq!(easy.outcome(2)?, Outcome::Hit);
    /// assert_eq!(easy.outcome(21), Err(Error::Natural { given: 21 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outcome(&self, natural: u32) -> Result<Outcome, Error> {
        match natural {
            1..=20 => Ok(self.judge(natural, i128::from(natural) >= self.needed)),
            given => Err(Error::Natural { given }),
        }
    }

    fn judge(&self, natural: u32, reached: bool) -> Outcome {
        match (self.naturals, natural) {
            (Naturals::Automatic, 1) => Outcome::Miss,
            (Naturals::Automatic, 20) => Outcome::Critical,
            _ if !reached => Outcome::Miss,
            _ if natural >= self.critical_from => Outcome::Critical,
            _ => Outcome::Hit,
        }
    }

    /// Returns how many of the equally likely rolls miss, hit and hit critically, and how many
    /// there are in total.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{AttackRoll, D20};
    ///
    /// let roll = AttackRoll::new(15, 5);
    /// assert_eq!(roll.counts(), ([9_u32, 10, 1].map(Into::into), 20_u32.into()));
    /// let poor = roll.clone().die(D20::Disadvantage);
    /// assert_eq!(poor.counts(), ([279_u32, 120, 1].map(Into::into), 400_u32.into()));
    /// let blessed = roll.bonus_dice(&Dist::die(4)?)?;
    /// assert_eq!(blessed.counts(), ([26_u32, 50, 4].map(Into::into), 80_u32.into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn counts(&self) -> ([BigUint; 3], BigUint) {
        let (faces, rolls) = self.die.counts(self.lucky);
        let Some(extra) = &self.extra else {
            let mut counts = [0; 3];
            for (natural, ways) in (1..).zip(faces) {
                let reached = i128::from(natural) >= self.needed;
                counts[self.judge(natural, reached) as usize] += ways;
            }
            return (counts.map(BigUint::from), rolls.into());
        };
        // The higher the natural roll, the more rolls of the bonus dice reach the AC. One pass goes
        // through them, from the highest.
        let mut counts: [BigUint; 3] = Default::default();
        let mut rest = extra.iter().rev().peekable();
        let mut reaching = BigUint::ZERO;
        for (natural, ways) in (1_u32..).zip(faces) {
            let reaches = |shown: &i64| i128::from(natural) + i128::from(*shown) >= self.needed;
            while let Some((_, count)) = rest.next_if(|(shown, _)| reaches(shown)) {
                reaching += count;
            }
            counts[self.judge(natural, true) as usize] += &reaching * ways;
            counts[self.judge(natural, false) as usize] += (extra.total() - &reaching) * ways;
        }
        (counts, extra.total() * rolls)
    }

    /// Returns P(miss), M in Jørgensen's section 3.2.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::AttackRoll;
    ///
    /// assert_eq!(AttackRoll::new(12, 4).miss().to_string(), "7/20"); // 1 to 7
    /// ```
    #[must_use]
    pub fn miss(&self) -> BigRational {
        self.chance(Outcome::Miss)
    }

    /// Returns P(a hit that is not critical), H in Jørgensen's section 3.2.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::AttackRoll;
    ///
    /// assert_eq!(AttackRoll::new(12, 4).hit().to_string(), "3/5"); // 8 to 19
    /// ```
    #[must_use]
    pub fn hit(&self) -> BigRational {
        self.chance(Outcome::Hit)
    }

    /// Returns P(critical hit), C in Jørgensen's section 3.2.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{AttackRoll, D20};
    ///
    /// let roll = AttackRoll::new(12, 4);
    /// assert_eq!(roll.critical().to_string(), "1/20");
    /// assert_eq!(roll.die(D20::Disadvantage).critical().to_string(), "1/400"); // both show 20
    /// ```
    #[must_use]
    #[doc(alias = "crit")]
    pub fn critical(&self) -> BigRational {
        self.chance(Outcome::Critical)
    }

    fn chance(&self, outcome: Outcome) -> BigRational {
        let (counts, rolls) = self.counts();
        BigRational::new(counts[outcome as usize].clone().into(), rolls.into())
    }

    /// Returns the distribution of the outcome.
    ///
    /// # Errors
    /// None in practice; the functions that create distributions can fail.
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
        let (counts, rolls) = self.counts();
        Ok(Dist::from_parts(
            Outcome::ALL.into_iter().zip(counts),
            rolls,
        )?)
    }
}

/// Checks a critical range, wherever it comes from.
pub(crate) fn critical_range(natural: u32) -> Result<u32, Error> {
    match natural {
        2..=20 => Ok(natural),
        given => Err(Error::CriticalRange { given }),
    }
}

/// The limit on the needed number when a roll is deserialized. It is far beyond any armour class
/// minus any bonus, and far from where cover could overflow.
#[cfg(feature = "serde")]
const MOST_NEEDED: u128 = 1 << 100;

#[cfg(feature = "serde")]
impl AttackRoll {
    /// Creates a plain roll that needs this number.
    pub(crate) fn needing(needed: i128) -> Result<Self, Error> {
        Ok(AttackRoll {
            needed: possible(needed)?,
            ..AttackRoll::new(0, 0)
        })
    }

    /// Returns the number it needs, whether a halfling rolls, the die, and the bonus dice.
    pub(crate) fn parts(&self) -> (i128, bool, D20, Option<&Dist<i64>>) {
        (self.needed, self.lucky, self.die, self.extra.as_ref())
    }
}

/// Serializes the needed number for every format; many have no integers beyond 64 bits.
#[cfg(feature = "serde")]
pub(crate) mod needed {
    use std::fmt;

    use serde::de::{Deserializer, Error, Visitor};
    use serde::ser::Serializer;

    /// # Errors
    /// Those of the format.
    pub(crate) fn serialize<S: Serializer>(needed: &i128, to: S) -> Result<S::Ok, S::Error> {
        match i64::try_from(*needed) {
            // These formats are not read by people, and none could tell a number from a text.
            _ if !to.is_human_readable() => to.serialize_i128(*needed),
            Ok(needed) => to.serialize_i64(needed),
            Err(_) => to.collect_str(needed),
        }
    }

    /// # Errors
    /// For anything other than an integer or the text of one.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<i128, D::Error> {
        match from.is_human_readable() {
            true => from.deserialize_any(Needed),
            false => from.deserialize_i128(Needed),
        }
    }

    struct Needed;

    impl Visitor<'_> for Needed {
        type Value = i128;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(
                "the number needed on a roll: an integer, or text if it does not fit 64 bits",
            )
        }

        fn visit_i64<E: Error>(self, needed: i64) -> Result<i128, E> {
            Ok(needed.into())
        }

        fn visit_u64<E: Error>(self, needed: u64) -> Result<i128, E> {
            Ok(needed.into())
        }

        fn visit_i128<E: Error>(self, needed: i128) -> Result<i128, E> {
            Ok(needed)
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<i128, E> {
            let needed = text.parse();
            needed.map_err(|_| E::invalid_value(serde::de::Unexpected::Str(text), &self))
        }
    }
}

#[cfg(feature = "serde")]
fn possible(needed: i128) -> Result<i128, Error> {
    match needed.unsigned_abs() <= MOST_NEEDED {
        true => Ok(needed),
        false => Err(Error::Needed { given: needed }),
    }
}

#[cfg(feature = "serde")]
fn natural_20() -> u32 {
    20
}

#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(remote = "AttackRoll", deny_unknown_fields)]
struct AttackRollFields {
    #[serde(with = "needed")]
    needed: i128,
    #[serde(default)]
    die: D20,
    #[serde(default, rename = "halfling_luck")]
    lucky: bool,
    #[serde(default = "natural_20")]
    critical_from: u32,
    #[serde(default)]
    naturals: Naturals,
    #[serde(default, rename = "bonus_dice")]
    extra: Option<Dist<i64>>,
}

#[cfg(feature = "serde")]
crate::serde::checked!(AttackRoll as AttackRollFields, |roll| {
    critical_range(roll.critical_from)?;
    possible(roll.needed)?;
});
