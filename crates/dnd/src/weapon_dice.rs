//! Dice one by one, since some rules look at each of them.

use oddsmith_dice::Dist;

use crate::{CriticalRule, Error};

/// A rule for rerolling or raising weapon dice.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Damage, GreatWeaponFighting, Outcome};
///
/// let mean = |rule| {
///     let law = Damage::dice(2, 6)?.great_weapon_fighting(rule).law(Outcome::Hit)?;
///     Ok::<_, oddsmith_dnd::Error>(law.mean().to_string())
/// };
/// assert_eq!(mean(GreatWeaponFighting::Rules2014)?, "25/3");
/// assert_eq!(mean(GreatWeaponFighting::Rules2024)?, "8");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum GreatWeaponFighting {
    /// A weapon die that shows 1 or 2 is rerolled once, and the new number counts.
    #[cfg_attr(feature = "serde", serde(rename = "2014"))]
    Rules2014,
    /// A weapon die that shows 1 or 2 counts as 3.
    #[cfg_attr(feature = "serde", serde(rename = "2024"))]
    Rules2024,
}

impl GreatWeaponFighting {
    fn apply(self, die: &Dist<i64>) -> Result<Dist<i64>, Error> {
        Ok(match self {
            GreatWeaponFighting::Rules2014 => die.reroll(1, |face| matches!(face, 1 | 2))?,
            GreatWeaponFighting::Rules2024 => die.map(|&face| match face {
                1 | 2 => 3,
                face => face,
            }),
        })
    }
}

/// Groups of equal dice. A distribution given as a whole counts as one die.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WeaponDice {
    pub(crate) groups: Vec<(u32, Dist<i64>)>,
}

impl WeaponDice {
    /// # Errors
    /// [`Error::NegativeDice`] for a die that can show less than 0.
    pub(crate) fn new(count: u32, die: Dist<i64>) -> Result<Self, Error> {
        Ok(WeaponDice {
            groups: vec![(count, nonnegative(die)?)],
        })
    }

    /// Returns the sum of all dice, rolled this many times.
    pub(crate) fn law(
        &self,
        times: u32,
        style: Option<GreatWeaponFighting>,
    ) -> Result<Dist<i64>, Error> {
        let mut sum: Option<Dist<i64>> = None;
        // Equal dice are grouped, since a power is cheaper than products.
        let mut groups: Vec<(u32, &Dist<i64>)> = Vec::new();
        for (count, die) in &self.groups {
            match groups
                .iter_mut()
                .find(|(sum, known)| *known == die && sum.checked_add(*count).is_some())
            {
                Some((sum, _)) => *sum += count,
                None => groups.push((*count, die)),
            }
        }
        for (count, die) in &groups {
            let die = match style {
                Some(style) => &style.apply(die)?,
                None => die,
            };
            let law = match count.checked_mul(times) {
                Some(count) => die.repeat(count)?,
                None => die.repeat(*count)?.repeat(times)?,
            };
            sum = Some(match sum {
                Some(sum) => sum.matfold(&law)?,
                None => law,
            });
        }
        Ok(sum.unwrap_or_else(|| Dist::certain(0)))
    }

    /// Returns the sum of this many more of the first die.
    pub(crate) fn more(
        &self,
        count: u64,
        style: Option<GreatWeaponFighting>,
    ) -> Result<Dist<i64>, Error> {
        let first = self.groups.iter().find(|(dice, _)| *dice > 0);
        // These are far too many dice, unless each has only one side. Then 2³² times 2³² of them
        // either show 0 or overflow 64 bits.
        let most = u64::from(u32::MAX);
        let whole = u32::try_from(count / most).unwrap_or(u32::MAX);
        let counts = [(u32::MAX, whole), ((count % most) as u32, 1)];
        let mut sum = Dist::certain(0);
        for (count, times) in counts.into_iter().filter(|(_, times)| *times > 0) {
            let groups = first.map(|(_, die)| (count, die.clone()));
            let groups = groups.into_iter().collect();
            sum = sum.matfold(&WeaponDice { groups }.law(times, style)?)?;
        }
        Ok(sum)
    }

    /// Returns the dice that a critical hit rolls.
    pub(crate) fn critical(
        &self,
        rule: CriticalRule,
        style: Option<GreatWeaponFighting>,
    ) -> Result<Dist<i64>, Error> {
        match rule {
            CriticalRule::Normal => self.law(1, style),
            CriticalRule::Doubled => self.law(2, style),
            CriticalRule::MaximumPlusRoll => {
                let once = self.law(1, style)?;
                Ok(once.shift(*once.max())?)
            }
        }
    }
}

pub(crate) fn nonnegative(dice: Dist<i64>) -> Result<Dist<i64>, Error> {
    match *dice.min() {
        0.. => Ok(dice),
        outcome => Err(Error::NegativeDice { outcome }),
    }
}
