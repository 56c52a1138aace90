//! When the attacker breaks off.

use num_rational::BigRational;
use num_traits::{One, Zero};
use oddsmith_dice::IntoRatio;

use crate::chain::Chain;
use crate::radix::Radix;
use crate::{Error, exact, rows};

/// If odds have to be checked, no two states can be handled alike, and each is stored. By
/// measurement this takes about thirty times as long as without odds.
const STEPS_OF_ODDS: u128 = 32;

/// A rule by which the attacker breaks off a battle that is not over.
///
/// The rule is checked before every throw, including the first. A battle that is broken off is not
/// won: the remaining defenders keep the territory. Both limits may be set; the attacker stops as
/// soon as one of them applies.
///
/// # Examples
/// ```
/// use oddsmith_risk::{Battle, StopRule};
///
/// let battle = Battle::new(10, 8)?;
/// assert_eq!(format!("{:.4}", battle.win_f64()?), "0.7240");
/// // Never risk the last three:
/// let careful = battle.clone().stop(StopRule::at_units(3))?;
/// assert_eq!(format!("{:.4}", careful.win_f64()?), "0.5504");
/// // Stop when a fight to the end would be lost more often than not:
/// let cool = battle.stop(StopRule::below_odds("0.5")?)?;
/// assert_eq!(format!("{:.4}", cool.win_f64()?), "0.5657");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "parts::StopParts", into = "parts::StopParts")
)]
pub struct StopRule {
    units: u32,
    odds: Option<BigRational>,
}

/// The form of the rule that serde reads and writes; odds are text, such as `"1/2"`.
#[cfg(feature = "serde")]
mod parts {
    use super::StopRule;
    use crate::Error;

    #[derive(Default, serde::Serialize, serde::Deserialize)]
    #[serde(deny_unknown_fields, default, expecting = "a stop rule")]
    pub(super) struct StopParts {
        units: u32,
        odds: Option<String>,
    }

    impl From<StopRule> for StopParts {
        fn from(rule: StopRule) -> Self {
            StopParts {
                units: rule.units,
                odds: rule.odds.map(|odds| odds.to_string()),
            }
        }
    }

    impl TryFrom<StopParts> for StopRule {
        type Error = Error;

        fn try_from(parts: StopParts) -> Result<Self, Error> {
            let rule = StopRule::at_units(parts.units);
            match parts.odds {
                Some(odds) => rule.or_below_odds(odds.as_str()),
                None => Ok(rule),
            }
        }
    }
}

impl StopRule {
    /// Returns the rule to fight to the end, which is that of a new [`Battle`](crate::Battle).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, StopRule};
    ///
    /// let battle = Battle::new(3, 2)?;
    /// assert_eq!(battle.clone().stop(StopRule::never())?, battle);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn never() -> Self {
        StopRule::default()
    }

    /// Returns the rule to stop once at most this many attackers are left.
    ///
    /// Since a throw may cost several units, fewer attackers may be left at the end.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, StopRule};
    ///
    /// // Three against one, a single throw: one attacker falls, or the defender.
    /// let once = Battle::new(3, 1)?.stop(StopRule::at_units(2))?;
    /// assert_eq!(once.win()?.to_string(), "95/144");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "floor")]
    pub fn at_units(units: u32) -> Self {
        StopRule { units, odds: None }
    }

    /// Returns the rule to stop once the chance to win, if the battle were fought to the end from
    /// here, is below this one. Each state then counts as 32 steps; see
    /// [`Battle::max_work`](crate::Battle::max_work).
    ///
    /// # Errors
    /// [`Error::Chance`] for a chance outside 0 to 1; [`Error::Dice`] if it is not a number.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, StopRule};
    ///
    /// // 0.656 at first, but after any loss of two less than a quarter.
    /// let rule = StopRule::below_odds((1, 4))?;
    /// let left = Battle::new(3, 2)?.stop(rule)?.survivors()?;
    /// assert_eq!(left.ends().p(&oddsmith_risk::Forces { attackers: 1, defenders: 2 }).to_string(), "2275/7776");
    /// assert!(StopRule::below_odds("1.01").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn below_odds(chance: impl IntoRatio) -> Result<Self, Error> {
        StopRule::never().or_below_odds(chance)
    }

    /// Also stops below these odds. If odds are set already, the higher ones apply, since stopping
    /// below either means stopping below the higher.
    ///
    /// # Errors
    /// As for [`below_odds`](StopRule::below_odds).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, StopRule};
    ///
    /// let both = StopRule::at_units(3).or_below_odds("0.5")?;
    /// let battle = Battle::new(10, 8)?.stop(both)?;
    /// assert_eq!(format!("{:.4}", battle.win_f64()?), "0.5158");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn or_below_odds(mut self, chance: impl IntoRatio) -> Result<Self, Error> {
        self.odds = self.odds.max(Some(checked(chance)?));
        Ok(self)
    }

    /// Also stops once at most this many attackers are left. If a number is set already, the higher
    /// one applies.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::StopRule;
    ///
    /// assert_eq!(StopRule::at_units(3).or_at_units(1).units(), 3);
    /// let both = StopRule::below_odds("0.5")?.or_at_units(3);
    /// assert_eq!(both, StopRule::at_units(3).or_below_odds("0.5")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn or_at_units(mut self, units: u32) -> Self {
        self.units = self.units.max(units);
        self
    }

    /// Returns the number of attackers at which the attacker stops.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_risk::StopRule::at_units(3).units(), 3);
    /// ```
    #[must_use]
    pub fn units(&self) -> u32 {
        self.units
    }

    /// Returns the odds below which the attacker stops.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::StopRule;
    ///
    /// assert_eq!(StopRule::never().odds(), None);
    /// let rule = StopRule::below_odds("0.6")?;
    /// assert_eq!(rule.odds().map(|odds| odds.to_string()), Some("3/5".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn odds(&self) -> Option<&BigRational> {
        self.odds.as_ref()
    }

    /// Returns where the rule stops in all battles up to these forces.
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`] beyond the limit, since odds need a table of all smaller battles.
    pub(crate) fn frontier(
        &self,
        chain: &Chain,
        attackers: u32,
        defenders: u32,
        limit: u64,
    ) -> Result<Frontier, Error> {
        let mut frontier = Frontier {
            units: self.units,
            ..Frontier::default()
        };
        // Nobody stops below 0.
        let Some(odds) = self.odds.as_ref().filter(|odds| !odds.is_zero()) else {
            return Ok(frontier);
        };
        if odds.is_one() && chain.never_sure() {
            frontier.units = u32::MAX;
            return Ok(frontier);
        }
        let to_the_end = Frontier::default();
        let size = rows::Size::new(attackers, defenders);
        size.check_times("the odds at all forces", STEPS_OF_ODDS, limit)?;
        frontier.stride = size.stride();
        frontier.stopped = rows::reserved(size.cells())?;
        // A float decides wherever its distance from the odds is greater than its error. Odds above
        // one half are checked from the other side, where floats have more digits.
        let mut close = false;
        let law = oddsmith_dice::Dist::bernoulli(odds.clone())?.to_f64();
        let losing = law.p(&true) > 0.5;
        let threshold = law.p(&!losing);
        let error = rows::relative_error(size, 4) + f64::EPSILON;
        let nothing = rows::NOTHING * (f64::from(attackers) + f64::from(defenders));
        let end = |attackers, defenders| {
            let win = rows::won(attackers, defenders);
            if losing { 1.0 - win } else { win }
        };
        rows::sweep(chain, &to_the_end, size, end, 0.0, |units, row| {
            for (place, &value) in row.iter().enumerate() {
                frontier.stopped.push(match losing {
                    true => value > threshold,
                    false => value < threshold,
                });
                // Battles that are over need no check.
                close |= units > 0
                    && place > 0
                    && (value - threshold).abs() <= error * (value + threshold) + nothing;
            }
            true
        })?;
        if close {
            let radix = Radix::new(chain);
            exact::check(chain, &radix, size, "exact odds at all forces", limit)?;
            let mut stopped = frontier.stopped.iter_mut();
            exact::sweep(
                chain,
                &radix,
                &to_the_end,
                size,
                exact::won,
                false,
                |_, row| {
                    for (win, stopped) in row.iter().zip(&mut stopped) {
                        *stopped = radix.less(win, odds);
                    }
                    true
                },
            )?;
        }
        Ok(frontier)
    }
}

/// # Errors
/// [`Error::Chance`] for a chance outside 0 to 1.
pub(crate) fn checked(chance: impl IntoRatio) -> Result<BigRational, Error> {
    let given = chance.into_ratio()?;
    match given >= BigRational::zero() && given <= BigRational::one() {
        true => Ok(given),
        false => Err(Error::Chance { given }),
    }
}

/// The forces at which a battle is broken off.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frontier {
    pub(crate) units: u32,
    stride: usize,
    /// By attackers, then defenders; empty without odds.
    stopped: Vec<bool>,
}

impl Frontier {
    /// Returns whether the attacker stops, if neither side is gone.
    #[inline]
    pub(crate) fn stops(&self, attackers: u32, defenders: u32) -> bool {
        attackers <= self.units || !self.units_only() && self.odds_stop(attackers, defenders)
    }

    pub(crate) fn units_only(&self) -> bool {
        self.stopped.is_empty()
    }

    fn odds_stop(&self, attackers: u32, defenders: u32) -> bool {
        let cell = attackers as usize * self.stride + defenders as usize;
        self.stopped.get(cell).copied().unwrap_or(false)
    }
}
