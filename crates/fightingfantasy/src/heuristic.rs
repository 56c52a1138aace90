//! Simple rules for the use of LUCK: the paper's strategies 0 to 8.

mod best;
mod loss;
mod map;
mod words;

use std::fmt;

use oddsmith_mdp::{Boxed, Exact, Played, Policy, Solution, Solver};

use crate::{Decision, DuelAction, DuelGame, DuelState, Error, Extent, LuckTable, Phase, Rules};

pub use best::{BestHeuristics, best_heuristics};
pub use loss::{LossAt, PolicyLoss};
pub use map::HeuristicMap;

/// One of the paper's strategies for the use of LUCK, without its threshold.
///
/// The paper simulates them ("Simulated dynamics with heuristic luck strategies"); this crate
/// evaluates them exactly. Strategies 1 to 3 do not depend on STAMINA ("open-loop"), and 4 to 8 do
/// ("feedback").
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Strategy, Threshold};
///
/// let strategy = Strategy::from_number(4).ok_or("no such strategy")?;
/// assert_eq!(strategy, Strategy::DefensiveIfWeak);
/// // STAMINA 5 against 12, LUCK 9, to be used above 6: after a lost round.
/// assert_eq!(strategy.decides(Threshold::Above(6), 5, 12, 9).label(), '2');
/// assert_eq!(strategy.decides(Threshold::Above(6), 6, 12, 9).label(), ' ');
/// assert_eq!(strategy.decides(Threshold::Above(9), 5, 12, 9).label(), ' ');
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Strategy {
    /// 0: never use LUCK.
    Never,
    /// 1: use LUCK in every round that is not a draw.
    Always,
    /// 2: use LUCK on every lost round.
    Defensive,
    /// 3: use LUCK on every won round.
    Offensive,
    /// 4: use LUCK on lost rounds if the hero's STAMINA is below 6.
    DefensiveIfWeak,
    /// 5: use LUCK on won rounds if the foe's STAMINA is above 6.
    OffensiveIfFoeStrong,
    /// 6: use LUCK in every round if the hero's STAMINA is below 6.
    IfWeak,
    /// 7: use LUCK in every round if the hero's STAMINA is below 4.
    IfDying,
    /// 8: use LUCK in every round if the hero has less STAMINA than the foe.
    IfBehind,
}

impl Strategy {
    /// All nine strategies, in the paper's order.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Strategy;
    /// assert_eq!(Strategy::ALL[8], Strategy::IfBehind);
    /// ```
    pub const ALL: [Self; 9] = [
        Self::Never,
        Self::Always,
        Self::Defensive,
        Self::Offensive,
        Self::DefensiveIfWeak,
        Self::OffensiveIfFoeStrong,
        Self::IfWeak,
        Self::IfDying,
        Self::IfBehind,
    ];

    /// Returns the paper's number of the strategy, 0 to 8.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Strategy;
    /// assert_eq!(Strategy::Offensive.number(), 3);
    /// ```
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8
    }

    /// Returns the strategy with this number in the paper, or `None` above 8.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Strategy;
    /// assert_eq!(Strategy::from_number(2), Some(Strategy::Defensive));
    /// assert_eq!(Strategy::from_number(9), None);
    /// ```
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// Returns a short description of the strategy.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Strategy;
    /// assert_eq!(Strategy::ALL[5].name(), "offensive while the foe's STAMINA is above 6");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Always => "always",
            Self::Defensive => "defensive",
            Self::Offensive => "offensive",
            Self::DefensiveIfWeak => "defensive if STAMINA is below 6",
            Self::OffensiveIfFoeStrong => "offensive while the foe's STAMINA is above 6",
            Self::IfWeak => "always if STAMINA is below 6",
            Self::IfDying => "always if STAMINA is below 4",
            Self::IfBehind => "always if STAMINA is below the foe's",
        }
    }

    /// Returns the strategy's decision on LUCK in a round before which the hero and the foe have
    /// these STAMINAs and the hero this LUCK.
    ///
    /// LUCK 0 is never used.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Strategy, Threshold};
    /// let hits = Strategy::OffensiveIfFoeStrong;
    /// // LUCK after a won round, as long as the foe's STAMINA is above 6.
    /// assert_eq!(hits.decides(Threshold::Above(0), 20, 7, 1).label(), '3');
    /// assert_eq!(hits.decides(Threshold::Above(0), 20, 6, 1).label(), ' ');
    /// assert_eq!(hits.decides(Threshold::Above(0), 20, 7, 0).label(), ' ');
    /// ```
    #[must_use]
    pub fn decides(self, threshold: Threshold, hero: u16, foe: u16, luck: u16) -> Decision {
        if !threshold.allows(luck) {
            return Decision::default();
        }
        self.decides_if_allowed(hero, foe)
    }

    fn decides_if_allowed(self, hero: u16, foe: u16) -> Decision {
        let (after_win, after_loss) = match self {
            Self::Never => (false, false),
            Self::Always => (true, true),
            Self::Defensive => (false, true),
            Self::Offensive => (true, false),
            Self::DefensiveIfWeak => (false, hero < 6),
            Self::OffensiveIfFoeStrong => (foe > 6, false),
            Self::IfWeak => (hero < 6, hero < 6),
            Self::IfDying => (hero < 4, hero < 4),
            Self::IfBehind => (hero < foe, hero < foe),
        };
        Decision {
            after_win,
            after_loss,
        }
    }
}

/// The LUCK from which on it is used: τ of the paper, in either of its readings.
///
/// The text says that LUCK is used if it "is greater than or equal to τ", and the formulas say
/// Θ(l > τ). The published peaks (τ = 6 for strategy 1, τ = 5 for strategy 3) agree with the
/// formulas.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::Threshold;
///
/// assert!(!Threshold::Above(6).allows(6) && Threshold::AtLeast(6).allows(6));
/// // LUCK 0 cannot be used at all.
/// assert!(!Threshold::AtLeast(0).allows(0));
/// assert_eq!(Threshold::Above(6).to_string(), "l > 6");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Threshold {
    /// The formulas: LUCK is used while l > τ.
    Above(u16),
    /// The text: LUCK is used while l ≥ τ.
    AtLeast(u16),
}

impl Threshold {
    /// Returns whether this LUCK may be used.
    ///
    /// # Examples
    /// The number of values of LUCK, from 0 to 12, that may be used:
    /// ```
    /// use oddsmith_fightingfantasy::Threshold;
    /// let allowed = |threshold: Threshold| (0..=12).filter(|&luck| threshold.allows(luck)).count();
    /// assert_eq!(allowed(Threshold::Above(5)), 7);
    /// assert_eq!(allowed(Threshold::AtLeast(5)), 8);
    /// ```
    #[must_use]
    pub fn allows(self, luck: u16) -> bool {
        luck > 0
            && match self {
                Self::Above(tau) => luck > tau,
                Self::AtLeast(tau) => luck >= tau,
            }
    }
}

/// Displays its [name](Strategy::name).
impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Above(tau) => write!(f, "l > {tau}"),
            Self::AtLeast(tau) => write!(f, "l >= {tau}"),
        }
    }
}

/// A strategy with its threshold: a complete rule for the use of LUCK.
///
/// It implements [`Policy`], so it can be passed to [`Duel::with_policy`](crate::Duel::with_policy)
/// and to any solver. Where special rules allow the hero to run, it keeps fighting. It uses LUCK on
/// a parting wound as on any other.
///
/// # Examples
/// Against the Hell Demon, LUCK on every hit is worth 0.737, and its best use 0.776:
/// ```
/// use num_traits::ToPrimitive;
/// use oddsmith_fightingfantasy::{Duel, Foe, Hero, Heuristic, Strategy, Threshold};
///
/// let duel = Duel::new(Hero::new(12, 24, 12)?, Foe::new(14, 12)?);
/// let hits = Heuristic::new(Strategy::Offensive, Threshold::Above(5));
/// assert_eq!(hits.to_string(), "3: offensive, l > 5");
/// let value = duel.with_policy(hits)?.to_f64().unwrap_or(f64::NAN);
/// assert_eq!(format!("{value:.5}"), "0.73671");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Heuristic {
    strategy: Strategy,
    threshold: Threshold,
}

impl Heuristic {
    /// Creates the heuristic from a strategy and a threshold.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero, Heuristic, Strategy, Threshold};
    /// let once = Heuristic::new(Strategy::Defensive, Threshold::AtLeast(12));
    /// assert_eq!(once.to_string(), "2: defensive, l >= 12");
    /// // LUCK 12 cannot fail: the hero survives the first wound.
    /// let duel = Duel::new(Hero::new(10, 2, 12)?, Foe::new(10, 2)?);
    /// assert_eq!(duel.with_policy(once)?.to_string(), "3/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(strategy: Strategy, threshold: Threshold) -> Self {
        Self {
            strategy,
            threshold,
        }
    }

    /// Returns the strategy.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Heuristic, Strategy, Threshold};
    /// let heuristic = Heuristic::new(Strategy::Always, Threshold::Above(6));
    /// assert_eq!(heuristic.strategy().number(), 1);
    /// ```
    #[must_use]
    pub fn strategy(&self) -> Strategy {
        self.strategy
    }

    /// Returns the threshold.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Heuristic, Strategy, Threshold};
    /// let heuristic = Heuristic::new(Strategy::Always, Threshold::Above(6));
    /// assert_eq!(heuristic.threshold(), Threshold::Above(6));
    /// ```
    #[must_use]
    pub fn threshold(&self) -> Threshold {
        self.threshold
    }

    /// Returns the decision of [`Strategy::decides`] with this threshold.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Heuristic, Strategy, Threshold};
    /// let heuristic = Heuristic::new(Strategy::IfBehind, Threshold::Above(6));
    /// assert_eq!(heuristic.decides(9, 10, 12).label(), '1');
    /// assert_eq!(heuristic.decides(10, 10, 12).label(), ' ');
    /// ```
    #[must_use]
    pub fn decides(&self, hero: u16, foe: u16, luck: u16) -> Decision {
        self.strategy.decides(self.threshold, hero, foe, luck)
    }

    /// Computes the exact value of the heuristic in every state of `game`.
    ///
    /// # Errors
    /// The limits of the solver.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{
    ///     DuelGame, DuelState, Extent, Heuristic, Objective, Rules, Strategy, Threshold,
    /// };
    ///
    /// let game = DuelGame::new(&Rules::standard(), -4, Extent::default(), Objective::victory())?;
    /// let hits = Heuristic::new(Strategy::Offensive, Threshold::Above(0));
    /// let values = hits.evaluate(&game)?;
    /// let value = values.value_of(&DuelState::new(2, 3, 5))?;
    /// assert_eq!(value.to_string(), "27640333/899022848");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate(
        self,
        game: &DuelGame,
    ) -> Result<Solution<'_, Played<'_, DuelGame, Self>, Exact, Boxed>, Error> {
        Ok(Solver::exact().evaluate_indexed(game, self, game.start())?)
    }

    /// Computes the value of the heuristic in every state, in floats.
    ///
    /// # Errors
    /// Those of [`LuckTable::of_policy`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Extent, Heuristic, Rules, Strategy, Threshold};
    ///
    /// let hits = Heuristic::new(Strategy::Offensive, Threshold::Above(5));
    /// let table = hits.table(&Rules::standard(), -2, Extent::default())?;
    /// assert_eq!(format!("{:.4}", table.win(24, 12, 12)?), "0.7367");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn table(
        self,
        rules: &Rules,
        skill_difference: i64,
        extent: Extent,
    ) -> Result<LuckTable, Error> {
        LuckTable::of_policy(rules, skill_difference, extent, |hero, foe, luck| {
            self.decides(hero, foe, luck)
        })
    }
}

impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.strategy.number(), self.strategy.name())?;
        if self.strategy != Strategy::Never {
            write!(f, ", {}", self.threshold)?;
        }
        Ok(())
    }
}

impl Policy<DuelGame> for Heuristic {
    fn weigh(&self, state: &DuelState, actions: &[DuelAction], weights: &mut [u64]) {
        let decision = self.decides(state.hero, state.foe, state.luck);
        follow(decision, state, actions, weights);
    }
}

/// Converts a decision on LUCK into weights of actions. The hero never runs.
pub(crate) fn follow(
    decision: Decision,
    state: &DuelState,
    actions: &[DuelAction],
    weights: &mut [u64],
) {
    let wanted = match state.phase {
        Phase::Won if decision.after_win => DuelAction::TestLuck,
        Phase::Lost | Phase::Running if decision.after_loss => DuelAction::TestLuck,
        Phase::Round => DuelAction::Fight,
        _ => DuelAction::SaveLuck,
    };
    if let Some(place) = actions.iter().position(|action| *action == wanted) {
        weights[place] = 1;
    }
}
