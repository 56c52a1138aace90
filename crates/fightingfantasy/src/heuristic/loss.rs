//! The loss of a way of using LUCK, compared with the best one.

use std::fmt;
use std::ops::RangeInclusive;

use crate::{Advantage, Decision, Error, Extent, LuckTable, Rules};

/// The loss of a policy compared with the best use of LUCK, over all states of a range of SKILL
/// differences, each taken as the start of a duel.
///
/// The losses are computed in floats. For the paper's extent, each is accurate to 2·10⁻¹³ (twice
/// [`LuckTable::relative_error`]).
///
/// # Examples
/// Using LUCK on every hit while it is above 5, which is the best of the nine strategies with one
/// threshold for all duels, loses 0.7 % on average. Never using LUCK loses 2.2 %:
/// ```
/// use oddsmith_fightingfantasy::{
///     Extent, Heuristic, PolicyLoss, Rules, Strategy, Threshold,
/// };
///
/// let loss = |strategy| {
///     let heuristic = Heuristic::new(strategy, Threshold::Above(5));
///     PolicyLoss::measure(&Rules::standard(), -10..=10, Extent::default(), |_, _| {
///         move |hero, foe, luck| heuristic.decides(hero, foe, luck)
///     })
/// };
/// let hits = loss(Strategy::Offensive)?;
/// assert_eq!(hits.states, 157_248);
/// assert_eq!(format!("{:.6}", hits.mean), "0.007249");
/// let never = loss(Strategy::Never)?;
/// assert_eq!(format!("{:.6}", never.mean), "0.022156");
/// assert_eq!(
///     never.worst.to_string(),
///     "0.552 at SKILL difference +0, STAMINA 4 against 7, LUCK 12"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PolicyLoss {
    /// The number of states compared.
    pub states: u64,
    /// The mean loss: the chance of victory with the best use of LUCK, minus that of the policy.
    pub mean: f64,
    /// The greatest loss, and where.
    pub worst: LossAt,
    /// The mean of the losses as shares of the best chance (0 where that chance is 0).
    pub mean_relative: f64,
    /// The greatest of these shares, and where.
    pub worst_relative: LossAt,
}

/// The loss at one start of a duel, part of a [`PolicyLoss`].
///
/// # Examples
/// Who never uses LUCK loses most where it would save the hero once:
/// ```
/// use oddsmith_fightingfantasy::{Decision, Extent, PolicyLoss, Rules};
/// let small = Extent { hero: 2, foe: 1, luck: 12 };
/// let loss = PolicyLoss::measure(&Rules::standard(), 0..=0, small, |_, _| {
///     |_, _, _| Decision::default()
/// })?;
/// assert_eq!(
///     loss.worst.to_string(),
///     "0.250 at SKILL difference +0, STAMINA 2 against 1, LUCK 12"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct LossAt {
    /// The loss: of chance, or of a share of the best chance.
    pub loss: f64,
    /// The hero's SKILL minus the foe's.
    pub skill_difference: i64,
    /// The hero's STAMINA.
    pub hero: u16,
    /// The foe's STAMINA.
    pub foe: u16,
    /// The hero's LUCK.
    pub luck: u16,
}

impl LossAt {
    /// Before any state, `self` has STAMINA 0, which no state has.
    fn worst_of(&mut self, other: LossAt) {
        if other.loss > self.loss || self.hero == 0 {
            *self = other;
        }
    }
}

impl fmt::Display for LossAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LossAt {
            loss,
            skill_difference,
            hero,
            foe,
            luck,
        } = self;
        write!(
            f,
            "{loss:.3} at SKILL difference {skill_difference:+}, STAMINA {hero} against {foe}, LUCK {luck}"
        )
    }
}

/// The limit on the number of states, which take about a minute.
const MAX_STATES: u128 = 100_000_000;

impl PolicyLoss {
    /// Compares a policy with the best use of LUCK. `policy(skill difference, initial LUCK)`
    /// returns a function from (hero's STAMINA, foe's STAMINA, LUCK) to a decision.
    ///
    /// # Errors
    /// [`Error::NoSkillDifference`] for an empty range, [`Error::TooManyStarts`] beyond 10⁸ states
    /// times initial values of LUCK, and those of [`LuckTable::optimal`].
    ///
    /// # Complexity
    /// One table for each SKILL difference and initial LUCK: 8 ms for the
    /// paper's whole map.
    ///
    /// # Examples
    /// Never using LUCK loses most with LUCK 12, which would save the hero once:
    /// ```
    /// use oddsmith_fightingfantasy::{Decision, Extent, PolicyLoss, Rules};
    /// let small = Extent { hero: 2, foe: 1, luck: 12 };
    /// let loss = PolicyLoss::measure(&Rules::standard(), 0..=0, small, |_, _| {
    ///     |_, _, _| Decision::default()
    /// })?;
    /// let worst = loss.worst;
    /// assert_eq!((loss.states, worst.hero, worst.foe, worst.luck), (26, 2, 1, 12));
    /// assert_eq!(format!("{:.4}", worst.loss), "0.2500"); // 3/4 - 1/2
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn measure<P: Fn(u16, u16, u16) -> Decision>(
        rules: &Rules,
        skill_differences: RangeInclusive<i64>,
        extent: Extent,
        policy: impl Fn(i64, u16) -> P,
    ) -> Result<Self, Error> {
        // The mean over an empty range would look like a policy that loses nothing.
        let empty = skill_differences.is_empty();
        let (first, last) = skill_differences.into_inner();
        if empty {
            return Err(Error::NoSkillDifference { first, last });
        }
        let differences = (i128::from(last) - i128::from(first) + 1).unsigned_abs();
        let layers = u128::from(extent.luck) + 1;
        let each = u128::from(extent.hero) * u128::from(extent.foe) * layers;
        let states = differences.saturating_mul(each);
        if states.saturating_mul(layers) > MAX_STATES {
            return Err(Error::TooManyStarts {
                states,
                lucks: u32::from(extent.luck) + 1,
                limit: MAX_STATES as u64,
            });
        }
        let mut loss = Self {
            states: 0,
            mean: 0.0,
            worst: LossAt::default(),
            mean_relative: 0.0,
            worst_relative: LossAt::default(),
        };
        for difference in first..=last {
            let optimal = LuckTable::optimal(rules, difference, extent, Advantage::Strict)?;
            for luck in 0..=extent.luck {
                let extent = Extent { luck, ..extent };
                let played =
                    LuckTable::of_policy(rules, difference, extent, policy(difference, luck))?;
                for foe in 1..=extent.foe {
                    for hero in 1..=extent.hero {
                        let best = optimal.win(hero, foe, luck)?;
                        let value = played.win(hero, foe, luck)?;
                        // Rounding may put the best value below an equal one.
                        let at = LossAt {
                            loss: (best - value).max(0.0),
                            skill_difference: difference,
                            hero,
                            foe,
                            luck,
                        };
                        loss.add(at, best);
                    }
                }
            }
        }
        let states = loss.states.max(1) as f64;
        loss.mean /= states;
        loss.mean_relative /= states;
        Ok(loss)
    }

    /// Adds a state. Until the end, the fields for means hold sums.
    fn add(&mut self, at: LossAt, best: f64) {
        let share = match best > 0.0 {
            true => at.loss / best,
            false => 0.0,
        };
        self.states += 1;
        self.mean += at.loss;
        self.mean_relative += share;
        self.worst.worst_of(at);
        self.worst_relative.worst_of(LossAt { loss: share, ..at });
    }
}
