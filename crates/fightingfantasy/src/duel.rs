//! A duel between a hero and a foe: the front door.

use std::fmt;

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use oddsmith_mdp::{Boxed, Exact, Explanation, Number, Policy, Readable, Solution, Solver};

use crate::explorable::{explorable, explorable_without_luck};
use crate::luck::luck_decision;
use crate::{
    Advantage, Decision, DuelAction, DuelGame, DuelState, Error, Extent, Foe, Hero, Objective,
    Phase, Rules, WithoutLuck,
};

/// A hero, a foe, the rules and what the hero fights for.
///
/// # Examples
/// The White Dragon (15/22) against a hero with everything at its best; the
/// paper gives 4.4·10⁻⁴ without LUCK and 0.046 with its best use:
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
    /// A duel by the standard rules, fought for victory.
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

    /// The same duel by other rules.
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

    /// The same duel fought for something else.
    ///
    /// # Examples
    /// With even chances STAMINA 4 is left, with a quarter 2, otherwise nothing:
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

    /// The same duel, LUCK being used only where it is this much better.
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

    /// The hero.
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

    /// The foe.
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

    /// The hero's SKILL less the foe's: Δk of the paper.
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

    /// The duel as a game for a solver.
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

    /// The best use of LUCK, in fractions.
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
        self.plan(Solver::exact())
    }

    /// What the best use of LUCK is worth, as a float.
    ///
    /// # Error bound
    /// With s the STAMINA of hero and foe and the LUCK together, and n the rounds that the
    /// [rules](Rules) count (those after which a fight ends, or before one may run), the relative
    /// error is at most 1.01·k·2⁻⁵³ for k = 11·(2s + n + 1): less than 2·10⁻¹³ for 24, 24 and 12
    /// by the standard rules. For each round rounds a value 11 times at most, two choices of
    /// three and two outcomes each (see [`Float`](oddsmith_mdp::Float)); s rounds take
    /// something, as many may break a row of lost ones, n are counted, and one is for the escape.
    /// For an [objective](Duel::objective) with scores below 0 so much of the largest |score| is
    /// the absolute error. Chances below 10⁻³⁰⁰ may lose more. [`LuckPlan::error`] is the bound for
    /// a single duel, and much closer.
    ///
    /// With [`Advantage::Published`] this is about the decisions that are made in floats.
    ///
    /// # Errors
    /// As for [`best_luck`](Duel::best_luck).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
    /// let duel = Duel::new(Hero::new(12, 24, 12)?, Foe::new(14, 12)?);
    /// assert_eq!(format!("{:.4}", duel.best_luck_f64()?), "0.7764");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_luck_f64(&self) -> Result<f64, Error> {
        Ok(self.plan(Solver::float())?.value_f64())
    }

    /// The best use of LUCK with a solver of one's own. How much better its use must be says
    /// [`advantage`](Duel::advantage), and not the solver. In floats rounding decides between
    /// options that are worth exactly the same.
    ///
    /// # Errors
    /// As for [`best_luck`](Duel::best_luck).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
    /// use oddsmith_mdp::Solver;
    /// let duel = Duel::new(Hero::new(12, 24, 12)?, Foe::new(14, 12)?);
    /// let plan = duel.plan(Solver::float().max_states(50_000))?;
    /// assert!((plan.value() - 0.7764).abs() < 5e-5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan<N: Number>(&self, solver: Solver<'_, N>) -> Result<LuckPlan<N>, Error> {
        let game = self.game()?;
        let start = game.start();
        let solution = solver
            .tolerance(self.tolerance.tolerance()?)
            .solve_indexed_owned(game, start)?;
        Ok(LuckPlan { solution, start })
    }

    /// What the duel is worth if LUCK is never used: for victory, equation (8).
    /// Where the rules let the hero run, running is decided in the best way.
    ///
    /// # Errors
    /// Those of [`DuelGame::new`] and of [`WithoutLuck::win`], and the solver's
    /// limits. Where there is no closed form, more than 20 million states in the box
    /// of the duel are refused at once ([`Error::TooManyStates`]); LUCK, which stays as
    /// it is, makes it no larger.
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

    /// [`without_luck`](Duel::without_luck) as a float, by the closed form
    /// where there is one.
    ///
    /// # Errors
    /// As for [`without_luck`](Duel::without_luck).
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

    /// Equation (8), if it is what was asked for.
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

    /// What any way of using LUCK is worth, exactly.
    ///
    /// # Errors
    /// As for [`best_luck`](Duel::best_luck), and a policy without decision.
    /// Beyond 20 million states in the box of the duel it is refused at once;
    /// [`game`](Duel::game) and [`Solver::evaluate`] have limits of your own.
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

    /// [`with_policy`](Duel::with_policy) as a float.
    ///
    /// # Error bound
    /// That of [`best_luck_f64`](Duel::best_luck_f64) with k = 20·(2s + n + 1), since a policy that
    /// leaves something to chance mixes up to four outcomes, with longer weights.
    ///
    /// # Errors
    /// As for [`with_policy`](Duel::with_policy).
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

/// A duel solved: what it is worth, what to do, and why.
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
    /// What the duel is worth: the chance of victory, unless it is fought for
    /// something else.
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

    /// [`value`](LuckPlan::value) as a float.
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

    /// A bound on the absolute error of [`value`](LuckPlan::value), from the numbers that were
    /// rounded; 0 in exact numbers.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
    /// use oddsmith_mdp::Solver;
    /// let duel = Duel::new(Hero::new(10, 2, 7)?, Foe::new(10, 2)?);
    /// let plan = duel.plan(Solver::float())?;
    /// assert!((plan.value() - 31.0 / 48.0).abs() <= plan.error() && plan.error() < 1e-14);
    /// assert_eq!(duel.best_luck()?.error(), 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn error(&self) -> f64 {
        // The start has a number.
        self.solution.error(&self.start).unwrap_or(f64::INFINITY)
    }

    /// What to do with LUCK in the first round.
    ///
    /// # Examples
    /// A lucky hit kills, and after a lucky wound the hero still stands:
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

    /// What to do with LUCK in the round before which this is the state.
    ///
    /// # Errors
    /// [`Error::Solve`] for a state that cannot occur.
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

    /// Whether to fight or to run before the first round; `None` where running
    /// is not allowed (yet).
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

    /// By what factor the best use of LUCK raises the value, over never using
    /// it; `None` if that is worth nothing, and infinity if it is worth so little
    /// that the factor is beyond floats. Both are evaluated exactly, whatever
    /// numbers the plan was made in.
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

    /// The value, and for either outcome of the first round what saving and
    /// testing LUCK are worth (and before it, fighting and running).
    ///
    /// # Errors
    /// Only those of a game that answers differently from when it was solved.
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
        let at = |phase| self.solution.explain(&self.start.after(phase));
        let mut choices = vec![
            ("before the round", at(Phase::Round)?),
            ("after a won round", at(Phase::Won)?),
            ("after a lost round", at(Phase::Lost)?),
        ];
        // Without a rule to run by, nothing is decided before the round.
        choices.retain(|(_, reasons)| !reasons.choices.is_empty());
        Ok(LuckExplanation {
            start: self.start,
            value: self.value(),
            choices,
        })
    }

    /// The solution behind the plan.
    ///
    /// # Examples
    /// How much STAMINA is left, by how likely:
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

/// A plan is a policy: what the best use of LUCK for one thing achieves for
/// another.
///
/// # Examples
/// Playing to keep LUCK costs chances of victory:
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

/// Why LUCK is used as it is in the first round of a duel.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
/// let plan = Duel::new(Hero::new(10, 2, 12)?, Foe::new(10, 2)?).best_luck()?;
/// let why = plan.explain()?.to_string();
/// let lost: Vec<&str> = why.lines().skip_while(|line| *line != "after a lost round:").collect();
/// // Where LUCK is tested, it saves the hero for one more even round.
/// assert_eq!(lost[1], "  test LUCK 1/2 = 0.5, best");
/// assert_eq!(lost[2], "  save LUCK 0, 1/2 = 0.5 less");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LuckExplanation<N: Number> {
    start: DuelState,
    value: N::Value,
    choices: Vec<(&'static str, Reasons<N>)>,
}

/// Why something is done at one point of a round.
type Reasons<N> = Explanation<DuelState, DuelAction, <N as Number>::Value>;

impl<N: Number> fmt::Display for LuckExplanation<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DuelState {
            hero, foe, luck, ..
        } = self.start;
        let value = Readable(&self.value);
        writeln!(
            f,
            "STAMINA {hero} against {foe}, LUCK {luck}: worth {value}"
        )?;
        for (when, explanation) in &self.choices {
            writeln!(f, "{when}:")?;
            let mut choices: Vec<_> = explanation.choices.iter().collect();
            choices.sort_by_key(|choice| !choice.decided);
            for choice in choices {
                write!(f, "  {} {}, ", choice.action, Readable(&choice.value))?;
                if choice.optimal {
                    writeln!(f, "best")?;
                } else {
                    writeln!(f, "{} less", Readable(&choice.gap))?;
                }
            }
        }
        Ok(())
    }
}
