//! The loss of a way of using LUCK, compared with the best one.

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
/// assert_eq!(format!("{:.6}", loss(Strategy::Never)?.mean), "0.022156");
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
    /// The greatest loss.
    pub worst: f64,
    /// The state of the greatest loss: (SKILL difference, hero's STAMINA, foe's STAMINA, LUCK).
    pub worst_at: (i64, u16, u16, u16),
    /// The mean of the losses as shares of the best chance (0 where that chance is 0).
    pub mean_relative: f64,
    /// The greatest of these shares.
    pub worst_relative: f64,
    /// The state of the greatest share, in the same form.
    pub worst_relative_at: (i64, u16, u16, u16),
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
    /// assert_eq!((loss.states, loss.worst_at), (26, (0, 2, 1, 12)));
    /// assert_eq!(format!("{:.4}", loss.worst), "0.2500"); // 3/4 - 1/2
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
            worst: 0.0,
            worst_at: (0, 0, 0, 0),
            mean_relative: 0.0,
            worst_relative: 0.0,
            worst_relative_at: (0, 0, 0, 0),
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
                        loss.add((difference, hero, foe, luck), best, value);
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
    fn add(&mut self, state: (i64, u16, u16, u16), best: f64, value: f64) {
        // Rounding may put the best value below an equal one.
        let absolute = (best - value).max(0.0);
        let relative = if best > 0.0 { absolute / best } else { 0.0 };
        self.states += 1;
        self.mean += absolute;
        self.mean_relative += relative;
        if absolute > self.worst {
            (self.worst, self.worst_at) = (absolute, state);
        }
        if relative > self.worst_relative {
            (self.worst_relative, self.worst_relative_at) = (relative, state);
        }
    }
}
