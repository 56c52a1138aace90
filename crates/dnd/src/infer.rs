//! What the course of a fight tells about a foe.

use num_rational::BigRational;
use oddsmith_dice::Dist;

use crate::{AttackRoll, Error, Outcome};

/// A belief about a foe: the joint distribution of hit points and armour class.
///
/// Every observation is an exact application of Bayes' rule. Observations may come in any order,
/// with one exception: damage is always the total since the fight began.
///
/// # Examples
/// "It took 23 damage and still stands": 20 to 30 hit points and AC 13 to 16 were considered
/// equally likely.
/// ```
/// use oddsmith_dice::Dist;
/// use oddsmith_dnd::Belief;
///
/// let ogre = Belief::uniform(20..=30, 13..=16)?.stands_after(23)?.hit_by(14)?;
/// assert_eq!(ogre.hit_points().support(), [24, 25, 26, 27, 28, 29, 30]);
/// assert_eq!(ogre.armour_class().p(&13).to_string(), "1/2"); // 14 hits 13 and 14
/// let blow = Dist::die(6)?.shift(1)?;
/// assert_eq!(ogre.fells_next(23, &blow)?.to_string(), "9/14"); // if it hits
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Belief {
    /// Hit points and armour class.
    law: Dist<(i64, i64)>,
}

impl Belief {
    /// Creates a belief from the prior distribution of (hit points, armour class).
    ///
    /// # Errors
    /// [`Error::NoHitPoints`] if fewer than 1 hit point is possible.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::Belief;
    ///
    /// // An ogre has 7d10 + 21 hit points and AC 11.
    /// let rolled = Dist::ndice(7, 10)?.shift(21)?;
    /// let ogre = Belief::new(rolled.map(|&hit_points| (hit_points, 11)))?;
    /// assert_eq!(ogre.hit_points().mean().to_string(), "119/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(prior: Dist<(i64, i64)>) -> Result<Self, Error> {
        match prior.min().0 {
            1.. => Ok(Belief { law: prior }),
            given => Err(Error::NoHitPoints { given }),
        }
    }

    /// Creates a belief in which all hit points and armour classes of these ranges are equally
    /// likely.
    ///
    /// # Errors
    /// As for [`new`](Belief::new); [`Error::Dice`] if a range is empty or the distribution needs
    /// too much memory.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Belief;
    ///
    /// let foe = Belief::uniform(5..=9, 14..=15)?;
    /// assert_eq!(foe.law().p(&(7, 14)).to_string(), "1/10"); // 5 times 2
    /// assert!(Belief::uniform(0..=9, 14..=15).is_err()); // 0 is fallen
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn uniform(
        hit_points: std::ops::RangeInclusive<i64>,
        armour_class: std::ops::RangeInclusive<i64>,
    ) -> Result<Self, Error> {
        let range = |range: std::ops::RangeInclusive<i64>| {
            let (low, high) = (*range.start(), *range.end());
            if high < low {
                return Err(oddsmith_dice::Error::EmptyRange { low, high }.into());
            }
            let sides = u32::try_from(i128::from(high) - i128::from(low) + 1);
            // Ranges too long for a die are too long for a distribution.
            let die = Dist::die(sides.unwrap_or(u32::MAX))?;
            // From 1 on, so that no intermediate number is out of range.
            Ok::<_, Error>(die.map(|&face| low + (face - 1)))
        };
        Belief::new(range(hit_points)?.joint(&range(armour_class)?)?)
    }

    /// Returns the present distribution of (hit points, armour class).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Belief;
    ///
    /// let foe = Belief::uniform(7..=8, 15..=15)?;
    /// assert_eq!(foe.law().p(&(7, 15)).to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn law(&self) -> &Dist<(i64, i64)> {
        &self.law
    }

    /// Returns the distribution of the hit points at the beginning of the fight.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Belief;
    ///
    /// let foe = Belief::uniform(1..=6, 12..=12)?.stands_after(4)?;
    /// assert_eq!(foe.hit_points().support(), [5, 6]); // 1 or 2 of them are left
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn hit_points(&self) -> Dist<i64> {
        self.law.map(|&(hit_points, _)| hit_points)
    }

    /// Returns the distribution of the armour class.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Belief;
    ///
    /// let foe = Belief::uniform(9..=9, 12..=15)?.missed_by(12)?;
    /// assert_eq!(foe.armour_class().p(&13).to_string(), "1/3"); // 13 to 15
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn armour_class(&self) -> Dist<i64> {
        self.law.map(|&(_, ac)| ac)
    }

    /// Returns the belief after the foe has taken this much damage in total and still stands.
    ///
    /// # Errors
    /// [`Error::Dice`] with [`ImpossibleCondition`](oddsmith_dice::Error::ImpossibleCondition) if
    /// the belief does not allow it.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Belief;
    ///
    /// let foe = Belief::uniform(1..=10, 12..=12)?;
    /// assert_eq!(foe.stands_after(6)?.hit_points().p(&7).to_string(), "1/4"); // 7 to 10
    /// assert!(foe.stands_after(10).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stands_after(&self, damage: i64) -> Result<Self, Error> {
        self.given(|hit_points, _| hit_points > damage)
    }

    /// Returns the belief after the foe stood with damage `stood_after` in total, and fell with
    /// `damage`.
    ///
    /// # Errors
    /// As for [`stands_after`](Belief::stands_after).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Belief;
    ///
    /// let goblin = Belief::uniform(2..=12, 15..=15)?.fell(4, 9)?;
    /// assert_eq!(goblin.hit_points().support(), [5, 6, 7, 8, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fell(&self, stood_after: i64, damage: i64) -> Result<Self, Error> {
        self.given(|hit_points, _| stood_after < hit_points && hit_points <= damage)
    }

    /// Returns the belief after unknown damage, drawn from this distribution, with which the foe
    /// still stands.
    ///
    /// # Errors
    /// As for [`stands_after`](Belief::stands_after).
    ///
    /// # Examples
    /// The foe was hit three times by 2d6 + 5:
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::Belief;
    ///
    /// let hits = Dist::ndice(6, 6)?.shift(15)?;
    /// let foe = Belief::uniform(30..=50, 12..=12)?.stands_after_rolling(&hits)?;
    /// assert_eq!(foe.hit_points().p(&30).to_string(), "2835/649801");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stands_after_rolling(&self, damage: &Dist<i64>) -> Result<Self, Error> {
        self.weighed(|hit_points, _| damage.less(&hit_points))
    }

    /// Returns the belief after an attack roll with this total, including bonuses, has hit. Do not
    /// report a natural 20: it hits whatever its total, and so tells nothing.
    ///
    /// # Errors
    /// As for [`stands_after`](Belief::stands_after).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Belief;
    ///
    /// let foe = Belief::uniform(9..=9, 13..=16)?.hit_by(15)?;
    /// assert_eq!(foe.armour_class().support(), [13, 14, 15]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hit_by(&self, total: i64) -> Result<Self, Error> {
        self.given(|_, ac| ac <= total)
    }

    /// Returns the belief after an attack roll with this total has missed. Do not report a natural
    /// 1: it misses whatever its total, and so tells nothing.
    ///
    /// # Errors
    /// As for [`stands_after`](Belief::stands_after).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Belief;
    ///
    /// let knight = Belief::uniform(52..=52, 14..=20)?.missed_by(15)?.hit_by(18)?;
    /// assert_eq!(knight.armour_class().support(), [16, 17, 18]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn missed_by(&self, total: i64) -> Result<Self, Error> {
        self.given(|_, ac| ac > total)
    }

    /// Returns the belief after attacks of which only the outcomes are known. `roll` is the attack
    /// roll against an armour class, and each of `outcomes` occurred once.
    ///
    /// # Errors
    /// As for [`stands_after`](Belief::stands_after).
    ///
    /// # Examples
    /// "Hit three times out of four" with +5:
    /// ```
    /// use oddsmith_dnd::Outcome::{Critical, Hit, Miss};
    /// use oddsmith_dnd::{AttackRoll, Belief};
    ///
    /// let outcomes = [Hit, Miss, Hit, Critical];
    /// let foe = Belief::uniform(40..=40, 12..=18)?
    ///     .attacked(|ac| AttackRoll::new(ac, 5), &outcomes)?;
    /// assert_eq!(foe.armour_class().p(&12).to_string(), "507/2996");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn attacked(
        &self,
        roll: impl Fn(i64) -> AttackRoll,
        outcomes: &[Outcome],
    ) -> Result<Self, Error> {
        self.weighed(|_, ac| {
            let roll = roll(ac);
            let mut chance = BigRational::new(1.into(), 1.into());
            for outcome in outcomes {
                chance *= match outcome {
                    Outcome::Miss => roll.miss(),
                    Outcome::Hit => roll.hit(),
                    Outcome::Critical => roll.critical(),
                };
            }
            chance
        })
    }

    /// Returns the chance that damage drawn from this distribution fells the foe, after it has
    /// taken this much and stands. This is for a blow that hits.
    ///
    /// # Errors
    /// As for [`stands_after`](Belief::stands_after), which is called first.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::Belief;
    ///
    /// let foe = Belief::uniform(7..=8, 12..=12)?; // 2 or 3 are left after 5
    /// assert_eq!(foe.fells_next(5, &Dist::die(6)?)?.to_string(), "3/4"); // 5/6 or 4/6
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fells_next(&self, taken: i64, damage: &Dist<i64>) -> Result<BigRational, Error> {
        self.fells(taken, |_| Ok(damage.clone()))
    }

    /// Returns the chance that the next attack fells the foe, if the distribution of the damage
    /// depends on the armour class.
    ///
    /// # Errors
    /// As for [`fells_next`](Belief::fells_next), and the first error of `damage`.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Belief, activate};
    ///
    /// let foe = Belief::uniform(24..=30, 13..=16)?;
    /// let sword = Dist::ndice(2, 6)?;
    /// let falls = foe.fells(23, |ac| activate(&sword, 5, ac, 7))?; // every hit deals 7
    /// assert_eq!(falls.to_string(), "27/40"); // AC 13 to 16: 15/20 to 12/20
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fells(
        &self,
        taken: i64,
        mut damage: impl FnMut(i64) -> Result<Dist<i64>, Error>,
    ) -> Result<BigRational, Error> {
        let now = self.stands_after(taken)?;
        // One distribution for each armour class; the joint distribution is sorted by hit points
        // first.
        let classes = now.armour_class();
        let laws = classes.outcomes().map(|&ac| Ok((ac, damage(ac)?)));
        let laws: std::collections::BTreeMap<i64, Dist<i64>> =
            laws.collect::<Result<_, Error>>()?;
        Ok(now
            .law
            // The hit points left may overflow if the total damage is negative, and then no damage
            // fells.
            .expectation(|&(hit_points, ac)| {
                match laws.get(&ac).zip(hit_points.checked_sub(taken)) {
                    Some((law, left)) => law.at_least(&left),
                    None => BigRational::new(0.into(), 1.into()),
                }
            }))
    }

    fn given(&self, mut event: impl FnMut(i64, i64) -> bool) -> Result<Self, Error> {
        let law = self.law.given(|&(hit_points, ac)| event(hit_points, ac))?;
        Ok(Belief { law })
    }

    fn weighed(&self, mut chance: impl FnMut(i64, i64) -> BigRational) -> Result<Self, Error> {
        let law = self
            .law
            .update(|&(hit_points, ac)| chance(hit_points, ac))?;
        Ok(Belief {
            law: law.lowest_terms(),
        })
    }
}
