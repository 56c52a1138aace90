//! A duel between a hero and a foe: the main entry point of the crate.

mod explanation;

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use oddsmith_mdp::{Boxed, Exact, Float, Number, Policy, Solution, Solver};

pub use explanation::LuckExplanation;

use crate::explorable::{explorable, explorable_without_luck};
use crate::luck::luck_decision;
use crate::{
    Advantage, Decision, DuelAction, DuelGame, DuelState, Error, Extent, Foe, Hero, Objective,
    Phase, Rules, WithoutLuck,
};

/// A hero, a foe, the rules, and the objective of the hero.
///
/// # Examples
/// The White Dragon (15/22) against a hero with the highest initial scores. The paper gives a
/// chance of 4.4·10⁻⁴ without LUCK and of 0.046 with its best use:
/// ```
/// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
///
/// let duel = Duel::new(Hero::new(12, 24, 12)?, Foe::new(15, 22)?);
/// assert_eq!(format!("{:.3e}", duel.without_luck_f64()?), "4.409e-4");
/// let best = duel.best_luck()?;
/// assert_eq!(format!("{:.5}", best.value_f64()), "0.04639");
/// assert_eq!(best.decision().label(), '3'); // after a won round
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Duel {
    hero: Hero,
    foe: Foe,
    rules: Rules,
    objective: Objective,
    tolerance: Advantage,
}

impl Duel {
    /// Creates a duel by the standard rules, fought for victory.
    ///
    /// # Examples
    /// Equal SKILL, one hit each, and no LUCK:
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
    /// let duel = Duel::new(Hero::new(10, 2, 0)?, Foe::new(10, 2)?);
    /// assert_eq!(duel.best_luck()?.value().to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(hero: Hero, foe: Foe) -> Self {
        Duel {
            hero,
            foe,
            rules: Rules::standard(),
            objective: Objective::victory(),
            tolerance: Advantage::Strict,
        }
    }

    /// Sets the rules.
    ///
    /// # Examples
    /// With a sword that takes 4, one won round is enough instead of two:
    /// ```
    /// use oddsmith_fightingfantasy::{Damage, Duel, Foe, Hero, Rules};
    /// let duel = Duel::new(Hero::new(10, 2, 0)?, Foe::new(10, 4)?);
    /// assert_eq!(duel.without_luck()?.to_string(), "1/4");
    /// let sharp = duel.rules(Rules::standard().hit(Damage::new(4, 8, 2)));
    /// assert_eq!(sharp.without_luck()?.to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// Sets the objective.
    ///
    /// # Examples
    /// STAMINA 4 is left with probability 1/2, STAMINA 2 with probability 1/4, and nothing
    /// otherwise:
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero, Objective};
    /// let duel = Duel::new(Hero::new(10, 4, 0)?, Foe::new(10, 2)?);
    /// let kept = duel.objective(Objective::stamina_kept());
    /// assert_eq!(kept.best_luck()?.value().to_string(), "5/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn objective(mut self, objective: Objective) -> Self {
        self.objective = objective;
        self
    }

    /// Sets how much better testing LUCK must be for it to be used.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, Duel, Foe, Hero};
    /// let duel = Duel::new(Hero::new(12, 24, 12)?, Foe::new(5, 4)?);
    /// let published = duel.clone().advantage(Advantage::Published).best_luck()?;
    /// assert!(duel.best_luck()?.value() >= published.value());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn advantage(mut self, advantage: Advantage) -> Self {
        self.tolerance = advantage;
        self
    }

    /// Returns the hero.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
    /// let duel = Duel::new(Hero::new(12, 24, 12)?, Foe::new(15, 22)?);
    /// assert_eq!((duel.hero().luck(), duel.foe().stamina()), (12, 22));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn hero(&self) -> Hero {
        self.hero
    }

    /// Returns the foe.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
    /// let duel = Duel::new(Hero::new(12, 24, 12)?, Foe::new(14, 12)?);
    /// assert_eq!(duel.foe().to_string(), "SKILL 14, STAMINA 12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn foe(&self) -> Foe {
        self.foe
    }

    /// Returns the hero's SKILL minus the foe's: Δk of the paper.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
    /// let duel = Duel::new(Hero::new(12, 24, 12)?, Foe::new(15, 22)?);
    /// assert_eq!(duel.skill_difference(), -3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn skill_difference(&self) -> i64 {
        i64::from(self.hero.skill()) - i64::from(self.foe.skill())
    }

    /// Returns the duel as a game for a solver.
    ///
    /// # Errors
    /// Those of [`DuelGame::new`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, DuelState, Foe, Hero};
    /// use oddsmith_mdp::Solver;
    /// let duel = Duel::new(Hero::new(12, 24, 12)?, Foe::new(14, 12)?);
    /// let game = duel.game()?;
    /// let solution = Solver::float().solve(&game, DuelState::new(24, 12, 12))?;
    /// assert!((solution.value() - 0.7764).abs() < 5e-5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn game(&self) -> Result<DuelGame, Error> {
        let extent = Extent {
            hero: self.hero.stamina(),
            foe: self.foe.stamina(),
            luck: self.hero.luck(),
        };
        DuelGame::new(
            &self.rules,
            self.skill_difference(),
            extent,
            self.objective.clone(),
        )
    }

    /// Computes the best use of LUCK, in fractions.
    ///
    /// # Errors
    /// Those of [`DuelGame::new`], and the solver's limits.
    ///
    /// # Examples
    /// LUCK 12 cannot fail. It softens the first wound, and the hero has a second
    /// round:
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
    /// let plan = Duel::new(Hero::new(10, 2, 12)?, Foe::new(10, 2)?).best_luck()?;
    /// assert_eq!(plan.value().to_string(), "3/4"); // 1/2 + 1/2 · 1/2
    /// assert_eq!(plan.decision().label(), '2'); // after a lost round
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "win")]
    pub fn best_luck(&self) -> Result<LuckPlan<Exact>, Error> {
        self.best_luck_with(Solver::exact())
    }

    /// Computes the best use of LUCK, in floats.
    ///
    /// # Error bound
    /// Let s be the sum of both STAMINAs and LUCK, and n the number of rounds that the
    /// [rules](Rules) count (those after which a fight ends, or before which running is not
    /// allowed). The relative error is at most 1.01·k·2⁻⁵³ for k = 11·(2s + n + 1): less than
    /// 2·10⁻¹³ for 24, 24 and 12 by the standard rules. Each round rounds a value at most 11 times,
    /// in two moves with three and two outcomes (see [`Float`]). Of the 2s +
    /// n + 1 rounds, s take STAMINA or LUCK, s may interrupt a streak of lost rounds, n are
    /// counted, and one is for the escape. For an [objective](Duel::objective) with scores below 0,
    /// the same factor times the largest |score| bounds the absolute error. Chances below 10⁻³⁰⁰
    /// may have a larger error. [`LuckPlan::error`] is a much tighter bound for a single duel.
    ///
    /// With [`Advantage::Published`], the value is that of the decisions that are made in floats.
    ///
    /// # Errors
    /// The same as for [`best_luck`](Duel::best_luck).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
    /// let duel = Duel::new(Hero::new(12, 24, 12)?, Foe::new(14, 12)?);
    /// assert_eq!(format!("{:.4}", duel.best_luck_f64()?.value()), "0.7764");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_luck_f64(&self) -> Result<LuckPlan<Float>, Error> {
        self.best_luck_with(Solver::float())
    }

    /// Computes the best use of LUCK with a given solver. How much better testing LUCK must be is
    /// set by [`advantage`](Duel::advantage), not by the solver. In floats, rounding decides
    /// between options that are worth exactly the same.
    ///
    /// # Errors
    /// The same as for [`best_luck`](Duel::best_luck).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
    /// use oddsmith_mdp::Solver;
    /// let duel = Duel::new(Hero::new(12, 24, 12)?, Foe::new(14, 12)?);
    /// let plan = duel.best_luck_with(Solver::float().max_states(50_000))?;
    /// assert!((plan.value() - 0.7764).abs() < 5e-5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_luck_with<N: Number>(&self, solver: Solver<'_, N>) -> Result<LuckPlan<N>, Error> {
        let game = self.game()?;
        let start = game.start();
        let solution = solver
            .tolerance(self.tolerance.tolerance()?)
            .solve_indexed_owned(game, start)?;
        Ok(LuckPlan { solution, start })
    }

    /// Returns the value of the duel if LUCK is never used: for victory, equation (8). Where the
    /// rules let the hero run, the decision to run is the best one.
    ///
    /// # Errors
    /// Those of [`DuelGame::new`] and of [`WithoutLuck::win`], and the solver's limits. Where there
    /// is no closed form, a duel with more than 20 million states in its box is refused at once
    /// ([`Error::TooManyStates`]). LUCK does not count towards this limit, since it does not
    /// change.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
    /// let even = Duel::new(Hero::new(9, 4, 12)?, Foe::new(9, 4)?);
    /// assert_eq!(even.without_luck()?.to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without_luck(&self) -> Result<BigRational, Error> {
        if let Some(closed) = self.closed_form()? {
            return closed.win(self.hero.stamina().into(), self.foe.stamina().into());
        }
        let game = explorable_without_luck(self.game()?.without_luck(), self.hero.luck())?;
        let start = game.start();
        Ok(Solver::exact().solve(&game, start)?.value())
    }

    /// Returns [`without_luck`](Duel::without_luck) as a float, by the closed form where there is
    /// one.
    ///
    /// # Error bound
    /// By the closed form, that of [`WithoutLuck::win_f64`]; otherwise that of
    /// [`best_luck_f64`](Duel::best_luck_f64).
    ///
    /// # Errors
    /// The same as for [`without_luck`](Duel::without_luck).
    ///
    /// # Examples
    /// One hit wins, and the hero survives one wound:
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
    /// let duel = Duel::new(Hero::new(10, 4, 12)?, Foe::new(10, 2)?);
    /// assert_eq!(format!("{:.4}", duel.without_luck_f64()?), "0.7500");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without_luck_f64(&self) -> Result<f64, Error> {
        if let Some(closed) = self.closed_form()? {
            return closed.win_f64(self.hero.stamina().into(), self.foe.stamina().into());
        }
        let game = explorable_without_luck(self.game()?.without_luck(), self.hero.luck())?;
        let start = game.start();
        Ok(Solver::float().solve(&game, start)?.value())
    }

    /// Equation (8), if the rules and the objective allow it.
    fn closed_form(&self) -> Result<Option<WithoutLuck>, Error> {
        if !self.rules.is_plain() || !self.objective.is_victory() {
            return Ok(None);
        }
        self.rules.check()?;
        let odds = self.rules.round(self.skill_difference())?;
        let (hit, wound) = (self.rules.hit_damage(), self.rules.wound_damage());
        let closed = WithoutLuck::new(odds).damage(hit.plain, wound.plain);
        Ok(Some(closed))
    }

    /// Returns the exact value of any way of using LUCK.
    ///
    /// # Errors
    /// The same as for [`best_luck`](Duel::best_luck), and an error for a policy that makes no
    /// decision. A duel with more than 20 million states in its box is refused at once; to set
    /// other limits, use [`game`](Duel::game) and [`Solver::evaluate`].
    ///
    /// # Examples
    /// LUCK on every hit, strategy 3 of the paper:
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, DuelAction, DuelState, Foe, Hero, Phase};
    /// let duel = Duel::new(Hero::new(8, 2, 5)?, Foe::new(12, 3)?);
    /// let hits = duel.with_policy(|state: &DuelState, actions: &[DuelAction]| {
    ///     if state.phase == Phase::Won { actions.len() - 1 } else { 0 }
    /// })?;
    /// assert_eq!(hits.to_string(), "27640333/899022848");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_policy(&self, policy: impl Policy<DuelGame>) -> Result<BigRational, Error> {
        let game = explorable(self.game()?)?;
        let start = game.start();
        let evaluation = Solver::exact().evaluate(&game, policy, start)?;
        Ok(evaluation.value())
    }

    /// Returns [`with_policy`](Duel::with_policy) as a float.
    ///
    /// # Error bound
    /// That of [`best_luck_f64`](Duel::best_luck_f64) with k = 20·(2s + n + 1), since a randomised
    /// policy mixes up to four outcomes, with longer weights.
    ///
    /// # Errors
    /// The same as for [`with_policy`](Duel::with_policy).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero, Heuristic, Strategy, Threshold};
    ///
    /// let duel = Duel::new(Hero::new(12, 24, 12)?, Foe::new(14, 12)?);
    /// let hits = Heuristic::new(Strategy::Offensive, Threshold::Above(5));
    /// assert_eq!(format!("{:.5}", duel.with_policy_f64(hits)?), "0.73671");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_policy_f64(&self, policy: impl Policy<DuelGame>) -> Result<f64, Error> {
        let game = explorable(self.game()?)?;
        let start = game.start();
        Ok(Solver::float().evaluate(&game, policy, start)?.value())
    }
}

/// A solved duel: its value, the decisions, and the reasons for them.
///
/// # Examples
/// The paper's strongest case for LUCK:
/// ```
/// use oddsmith_fightingfantasy::{Duel, DuelState, Foe, Hero};
/// let plan = Duel::new(Hero::new(8, 22, 12)?, Foe::new(12, 19)?).best_luck()?;
/// assert_eq!(format!("{:.5}", plan.value_f64()), "0.01141");
/// assert_eq!(plan.decision().label(), '3'); // after a won round
/// assert_eq!(plan.decision_at(&DuelState::new(2, 19, 12))?.label(), '1');
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LuckPlan<N: Number> {
    solution: Solution<'static, DuelGame, N, Boxed>,
    start: DuelState,
}

impl<N: Number> LuckPlan<N> {
    /// Returns the value of the duel: the chance of victory, unless another objective is set.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
    /// let plan = Duel::new(Hero::new(10, 2, 7)?, Foe::new(10, 2)?).best_luck()?;
    /// assert_eq!(plan.value().to_string(), "31/48");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "win")]
    pub fn value(&self) -> N::Value {
        self.solution.value()
    }

    /// Returns [`value`](LuckPlan::value) as a float.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
    /// let plan = Duel::new(Hero::new(10, 2, 0)?, Foe::new(10, 4)?).best_luck()?;
    /// assert_eq!(plan.value_f64(), 0.25); // two rounds must be won
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn value_f64(&self) -> f64 {
        self.value().to_f64().unwrap_or(f64::NAN)
    }

    /// Returns an upper bound on the absolute error of [`value`](LuckPlan::value), computed from
    /// the numbers that were rounded. It is 0 for exact numbers.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
    /// use oddsmith_mdp::Solver;
    /// let duel = Duel::new(Hero::new(10, 2, 7)?, Foe::new(10, 2)?);
    /// let plan = duel.best_luck_with(Solver::float())?;
    /// assert!((plan.value() - 31.0 / 48.0).abs() <= plan.error() && plan.error() < 1e-14);
    /// assert_eq!(duel.best_luck()?.error(), 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn error(&self) -> f64 {
        // The start is always covered by the solution.
        self.solution.error(&self.start).unwrap_or(f64::INFINITY)
    }

    /// Returns the value in the middle of the fight, before the round that starts in this state.
    ///
    /// # Errors
    /// As for [`decision_at`](LuckPlan::decision_at).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, DuelState, Foe, Hero};
    /// let plan = Duel::new(Hero::new(10, 12, 9)?, Foe::new(10, 14)?).best_luck()?;
    /// assert_eq!(plan.value_at(&DuelState::new(2, 2, 7))?.to_string(), "31/48");
    /// assert_eq!(plan.value_at(&DuelState::new(12, 14, 9))?, plan.value());
    /// assert!(plan.value_at(&DuelState::new(13, 14, 9)).is_err()); // there were 12
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value_at(&self, state: &DuelState) -> Result<N::Value, Error> {
        Ok(self.solution.value_of(state)?)
    }

    /// Returns the decision on LUCK in the first round.
    ///
    /// # Examples
    /// A lucky hit kills, and the hero survives a lucky wound:
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
    /// let plan = Duel::new(Hero::new(10, 2, 12)?, Foe::new(10, 4)?).best_luck()?;
    /// assert_eq!(plan.decision().label(), '1'); // after either outcome
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn decision(&self) -> Decision {
        self.decision_at(&self.start).unwrap_or_default()
    }

    /// Returns the decision on LUCK in the round that starts in this state. If SKILL is so unequal
    /// that the round cannot be won, or not lost, it is what would be best if it were (unlike that of
    /// a [melee](crate::MeleePlan::decision_at), which has no such state).
    ///
    /// # Errors
    /// [`Error::Solve`] for a state outside the game, such as one with more STAMINA or LUCK than at
    /// the start.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, DuelState, Foe, Hero};
    /// let plan = Duel::new(Hero::new(12, 24, 12)?, Foe::new(15, 22)?).best_luck()?;
    /// assert_eq!(plan.decision_at(&DuelState::new(2, 22, 12))?.label(), '1');
    /// assert_eq!(plan.decision_at(&DuelState::new(24, 22, 0))?.label(), ' ');
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decision_at(&self, state: &DuelState) -> Result<Decision, Error> {
        luck_decision(&self.solution, state)
    }

    /// Returns whether to fight or to run before the first round, or `None` where running is not
    /// allowed, or not yet.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, DuelAction, Escape, Foe, Hero, Objective, Rules};
    /// let hopeless = Duel::new(Hero::new(6, 3, 6)?, Foe::new(12, 12)?)
    ///     .rules(Rules::standard().escape(Escape::after(0)))
    ///     .objective(Objective::survival());
    /// assert_eq!(hopeless.best_luck()?.action(), Some(DuelAction::Run));
    /// assert_eq!(hopeless.best_luck()?.fold_increase()?, Some(1.0)); // LUCK adds nothing
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn action(&self) -> Option<DuelAction> {
        self.solution.decision(&self.start).unwrap_or_default()
    }

    /// Returns the factor by which the best use of LUCK raises the value, compared with never using
    /// it. The result is `None` if never using it is worth nothing, and infinity if the factor
    /// exceeds the largest float. Both values are computed exactly, whatever numbers the plan was
    /// made in.
    ///
    /// # Errors
    /// Those of [`DuelGame::new`], and the solver's limits.
    ///
    /// # Examples
    /// The paper's highest fold increase with a final chance above 0.01:
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
    /// let duel = Duel::new(Hero::new(8, 22, 12)?, Foe::new(12, 19)?);
    /// let fold = duel.best_luck()?.fold_increase()?.unwrap_or(0.0);
    /// assert_eq!(fold.round(), 1159.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fold_increase(&self) -> Result<Option<f64>, Error> {
        let game = self.solution.game();
        let without = game.clone().without_luck();
        let without = Solver::exact().solve(&without, self.start)?.value();
        if without.is_zero() {
            return Ok(None);
        }
        let with = Solver::exact().evaluate(game, &self.solution, self.start)?;
        Ok((with.value() / without).to_f64())
    }

    /// Returns the value, and for either outcome of the first round the values of saving and
    /// testing LUCK. If running is allowed, the values of fighting and running before the round are
    /// included.
    ///
    /// # Errors
    /// None, except for a game that answers differently from when it was solved.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
    /// let plan = Duel::new(Hero::new(10, 2, 7)?, Foe::new(10, 2)?).best_luck()?;
    /// assert_eq!(plan.explain()?.to_string(), "\
    /// STAMINA 2 against 2, LUCK 7: worth 31/48 = 0.6458333333333334
    /// after a won round:
    ///   save LUCK 1, best
    ///   test LUCK 481/576 = 0.8350694444444444, 95/576 = 0.16493055555555555 less
    /// after a lost round:
    ///   test LUCK 7/24 = 0.2916666666666667, best
    ///   save LUCK 0, 7/24 = 0.2916666666666667 less
    /// ");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&self) -> Result<LuckExplanation<N>, Error> {
        self.explain_at(&self.start)
    }

    /// Returns the same in the middle of the fight, for the round that starts in this state.
    ///
    /// # Errors
    /// As for [`decision_at`](LuckPlan::decision_at).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, DuelState, Foe, Hero};
    /// let plan = Duel::new(Hero::new(10, 12, 9)?, Foe::new(10, 14)?).best_luck()?;
    /// let why = plan.explain_at(&DuelState::new(2, 2, 7))?.to_string();
    /// assert_eq!(why.lines().next(), Some("STAMINA 2 against 2, LUCK 7: worth 31/48 = 0.6458333333333334"));
    /// assert_eq!(why.lines().last(), Some("  save LUCK 0, 7/24 = 0.2916666666666667 less"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain_at(&self, state: &DuelState) -> Result<LuckExplanation<N>, Error> {
        let start = state.after(Phase::Round);
        let at = |phase| self.solution.explain(&start.after(phase));
        let mut explanations = vec![at(Phase::Round)?, at(Phase::Won)?, at(Phase::Lost)?];
        // Unless the rules allow running, there is no decision before the round.
        explanations.retain(|reasons| !reasons.choices.is_empty());
        Ok(LuckExplanation {
            start,
            value: self.value_at(&start)?,
            explanations,
        })
    }

    /// Returns the solution behind the plan.
    ///
    /// # Examples
    /// The distribution of the STAMINA that is left:
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
    /// let plan = Duel::new(Hero::new(12, 4, 0)?, Foe::new(12, 2)?).best_luck()?;
    /// let left = plan.solution().forecast()?.ends_by(|end| end.hero)?;
    /// assert_eq!(left.p(&4).to_string(), "1/2");
    /// assert_eq!(left.p(&2).to_string(), "1/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn solution(&self) -> &Solution<'static, DuelGame, N, Boxed> {
        &self.solution
    }
}

/// Implements [`Policy`], so that the best use of LUCK for one objective can be evaluated for
/// another.
///
/// # Examples
/// Playing to keep LUCK lowers the chance of victory:
/// ```
/// use oddsmith_fightingfantasy::{Duel, Foe, Hero, Objective};
/// let duel = Duel::new(Hero::new(10, 12, 9)?, Foe::new(11, 10)?);
/// let frugal = duel.clone().objective(Objective::luck_kept()).best_luck()?;
/// assert!(duel.with_policy(&frugal)? < duel.best_luck()?.value());
/// assert!(duel.with_policy(&frugal)? >= duel.without_luck()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<N: Number> Policy<DuelGame> for &LuckPlan<N> {
    fn weigh(&self, state: &DuelState, actions: &[DuelAction], weights: &mut [u64]) {
        (&self.solution).weigh(state, actions, weights);
    }
}
