//! The rule of thumb with which the paper summarises its heuristics.

use std::ops::RangeInclusive;

use oddsmith_mdp::Policy;

use crate::heuristic::follow;
use crate::{
    Decision, DuelAction, DuelGame, DuelState, Error, Extent, PolicyLoss, Rules, Strategy,
    Threshold,
};

/// "Employ strategy 3 (offensive LUCK use), unless: (i) initial LUCK is high or
/// s_o is low, in which case strategy 1 (unconditional LUCK use); (ii) k_h >
/// k_o and (i) is not true, in which case strategy 2 (defensive LUCK use); or
/// (iii) k_o > k_h and s_o ≤ 2 and (i) is not true, in which case strategy 2."
///
/// The paper gives no numbers for "high" and "low" and names no threshold, so these are parameters.
/// s_o is taken to be the foe's current STAMINA, since the rule says "initial" of LUCK only. This
/// matters little: with the foe's initial STAMINA, the best parameters lose 0.70 % instead of 0.63
/// %. Clause (iii) can then only apply if "low" means less than 2.
///
/// # Defaults
/// The defaults have the lowest mean loss ([`PolicyLoss::mean`]) against the best use of LUCK over
/// the paper's whole map, among all `high_luck` from 0 to 13 and `low_foe` from 0 to 24: **13** and
/// **1**. Using LUCK always because it is high costs more than it brings at every value of
/// `high_luck`, so the best value is one that no starting LUCK reaches. Of those within reach, 12
/// is the best, with a mean loss of 0.65 % instead of 0.63 %. The thresholds follow from the
/// paper's criteria q > 1/3 and q > 1/2: above 5 for strategy 3, above 6 for 1 and 2.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Extent, RuleOfThumb, Rules, Strategy};
///
/// let rule = RuleOfThumb::default();
/// assert_eq!(rule.strategy(-3, 12, 22), Strategy::Offensive);
/// assert_eq!(rule.strategy(3, 12, 22), Strategy::Defensive);
/// assert_eq!(rule.strategy(-3, 12, 1), Strategy::Always);
///
/// let loss = rule.loss(&Rules::standard(), -10..=10, Extent::default())?;
/// assert_eq!(format!("{:.5}", loss.mean), "0.00628");
/// assert_eq!(loss.worst.to_string(), "0.286 at SKILL difference +1, STAMINA 2 against 7, LUCK 12");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct RuleOfThumb {
    high_luck: u16,
    low_foe: u16,
    /// The thresholds of strategies 1, 2 and 3.
    thresholds: [Threshold; 3],
}

impl Default for RuleOfThumb {
    fn default() -> Self {
        Self {
            high_luck: 13,
            low_foe: 1,
            thresholds: [
                Threshold::Above(6),
                Threshold::Above(6),
                Threshold::Above(5),
            ],
        }
    }
}

impl RuleOfThumb {
    /// Sets the lowest initial LUCK that counts as high.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{RuleOfThumb, Strategy};
    /// let rule = RuleOfThumb::default().high_luck(10);
    /// assert_eq!(rule.strategy(-3, 9, 22), Strategy::Offensive);
    /// assert_eq!(rule.strategy(-3, 10, 22), Strategy::Always);
    /// ```
    #[must_use]
    pub fn high_luck(mut self, luck: u16) -> Self {
        self.high_luck = luck;
        self
    }

    /// Sets the highest STAMINA of the foe that counts as low.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{RuleOfThumb, Strategy};
    /// let rule = RuleOfThumb::default().low_foe(4);
    /// assert_eq!(rule.strategy(2, 9, 4), Strategy::Always);
    /// assert_eq!(rule.strategy(2, 9, 5), Strategy::Defensive);
    /// ```
    #[must_use]
    pub fn low_foe(mut self, stamina: u16) -> Self {
        self.low_foe = stamina;
        self
    }

    /// Sets the thresholds of LUCK for strategies 1, 2 and 3.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{RuleOfThumb, Threshold};
    /// let eager = RuleOfThumb::default().thresholds([Threshold::Above(0); 3]);
    /// assert_eq!(eager.decides(-3, 5, 22, 5).label(), '3');
    /// assert_eq!(RuleOfThumb::default().decides(-3, 5, 22, 5).label(), ' ');
    /// ```
    #[must_use]
    pub fn thresholds(mut self, thresholds: [Threshold; 3]) -> Self {
        self.thresholds = thresholds;
        self
    }

    /// Returns the strategy for a foe with this current STAMINA, in a duel at this SKILL difference
    /// that began with this LUCK: 1, 2 or 3.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::RuleOfThumb;
    /// let strategy = |difference, foe| RuleOfThumb::default().strategy(difference, 9, foe).number();
    /// assert_eq!((strategy(-3, 3), strategy(0, 2)), (3, 3));
    /// assert_eq!((strategy(1, 22), strategy(-3, 2)), (2, 2)); // (ii) and (iii)
    /// assert_eq!(strategy(-3, 1), 1); // (i)
    /// ```
    #[must_use]
    pub fn strategy(&self, skill_difference: i64, initial_luck: u16, foe: u16) -> Strategy {
        if initial_luck >= self.high_luck || foe <= self.low_foe {
            Strategy::Always
        } else if skill_difference > 0 || (skill_difference < 0 && foe <= 2) {
            Strategy::Defensive
        } else {
            Strategy::Offensive
        }
    }

    /// Returns the decision on LUCK in a round.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::RuleOfThumb;
    /// let rule = RuleOfThumb::default();
    /// assert_eq!(rule.decides(-3, 12, 22, 6).label(), '3');
    /// assert_eq!(rule.decides(3, 12, 22, 6).label(), ' ');
    /// ```
    #[must_use]
    pub fn decides(
        &self,
        skill_difference: i64,
        initial_luck: u16,
        foe: u16,
        luck: u16,
    ) -> Decision {
        let strategy = self.strategy(skill_difference, initial_luck, foe);
        let [both, defensive, offensive] = self.thresholds;
        let threshold = match strategy {
            Strategy::Defensive => defensive,
            Strategy::Offensive => offensive,
            _ => both,
        };
        // These strategies do not depend on the hero's STAMINA.
        strategy.decides(threshold, 0, foe, luck)
    }

    /// Returns the rule as a policy for duels at this SKILL difference that begin with this LUCK.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero, RuleOfThumb};
    /// use num_traits::ToPrimitive;
    ///
    /// // The White Dragon; the best use of LUCK gives 0.04639.
    /// let duel = Duel::new(Hero::new(12, 24, 12)?, Foe::new(15, 22)?);
    /// let rule = RuleOfThumb::default().policy(duel.skill_difference(), 12);
    /// let value = duel.with_policy(rule)?.to_f64().unwrap_or(f64::NAN);
    /// assert_eq!(format!("{value:.5}"), "0.04334");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn policy(
        self,
        skill_difference: i64,
        initial_luck: u16,
    ) -> impl Policy<DuelGame> + Copy + std::fmt::Debug {
        Begun {
            rule: self,
            skill_difference,
            initial_luck,
        }
    }

    /// Computes what the rule loses against the best use of LUCK, over all duels at these SKILL
    /// differences within the extent.
    ///
    /// # Errors
    /// Those of [`PolicyLoss::measure`].
    ///
    /// # Examples
    /// One hit decides. The rule tests LUCK on hits, which kill without it, and does not test it on
    /// wounds:
    /// ```
    /// use oddsmith_fightingfantasy::{Extent, RuleOfThumb, Rules};
    /// let small = Extent { hero: 2, foe: 2, luck: 7 };
    /// let loss = RuleOfThumb::default().loss(&Rules::standard(), 0..=0, small)?;
    /// assert_eq!(loss.states, 32);
    /// assert_eq!(format!("{:.4}", loss.worst.loss), "0.2500"); // 31/48 - 19/48 with LUCK 7
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn loss(
        self,
        rules: &Rules,
        skill_differences: RangeInclusive<i64>,
        extent: Extent,
    ) -> Result<PolicyLoss, Error> {
        PolicyLoss::measure(
            rules,
            skill_differences,
            extent,
            |difference, initial_luck| {
                move |_, foe, luck| self.decides(difference, initial_luck, foe, luck)
            },
        )
    }
}

/// The rule of thumb for a duel with a given start.
#[derive(Clone, Copy, Debug)]
struct Begun {
    rule: RuleOfThumb,
    skill_difference: i64,
    initial_luck: u16,
}

impl Policy<DuelGame> for Begun {
    fn weigh(&self, state: &DuelState, actions: &[DuelAction], weights: &mut [u64]) {
        let decision = self.rule.decides(
            self.skill_difference,
            self.initial_luck,
            state.foe,
            state.luck,
        );
        follow(decision, state, actions, weights);
    }
}
