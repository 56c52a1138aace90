//! One hero against several foes, in turn or at once: the main entry point for melees.

mod blow;
mod game;
mod layout;
mod manner;
mod plan;
mod round;
mod state;

use num_rational::BigRational;
use oddsmith_mdp::{Exact, Float, Number, Policy, Solver};

pub use game::{FirstBlow, MeleeGame};
pub use manner::{AtOnce, Attacker, Manner};
pub use plan::{MeleeExplanation, MeleePlan};
pub use state::{FoeSet, MeleeAction, MeleePhase, MeleeState};

use crate::explorable::{explorable, explorable_without_luck};
use crate::{Advantage, Error, Hero, Objective, Rules};

/// A hero, several foes, the rules, and the objective of the hero.
///
/// It is solved exactly, with the best use of LUCK and the best choice of targets.
///
/// # Examples
/// Two orcs, first at once, then one after the other:
/// ```
/// use oddsmith_fightingfantasy::{Foe, Hero, Melee, MeleeState};
///
/// let orcs = [Foe::new(6, 5)?, Foe::new(7, 6)?];
/// let melee = Melee::at_once(Hero::new(9, 12, 8)?, orcs)?;
/// let plan = melee.best()?;
/// assert_eq!(format!("{:.4}", plan.value_f64()), "0.9703");
/// assert_eq!(plan.target(), Some(1)); // the better fighter first
/// assert_eq!(plan.decision().map(|luck| luck.label()), Some(' ')); // no LUCK yet
/// let hit_once = MeleeState::new(12, &[5, 4], 8)?;
/// let decision = plan.decision_at(&hit_once)?;
/// assert_eq!(decision.map(|luck| luck.label()), Some('3')); // LUCK on a hit
/// assert_eq!(format!("{:.4}", melee.without_luck_f64()?), "0.9349");
///
/// let in_turn = Melee::in_turn(Hero::new(9, 12, 8)?, orcs)?;
/// assert_eq!(format!("{:.4}", in_turn.best_f64()?.value()), "0.9912");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Melee {
    hero: Hero,
    foes: Vec<Attacker>,
    manner: Manner,
    rules: Rules,
    objective: Objective,
    tolerance: Advantage,
}

impl Melee {
    /// Creates a melee in which all foes attack together, by the usual rule of the books. See
    /// [`AtOnce`].
    ///
    /// # Errors
    /// [`Error::NoFoes`] if there are no foes, and [`Error::TooManyFoes`] for more than
    /// [`MeleeState::MAX_FOES`].
    ///
    /// # Examples
    /// Two foes at once are harder than two in turn, which are two even rounds:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee};
    /// let pair = [Foe::new(8, 2)?, Foe::new(8, 2)?];
    /// let melee = Melee::at_once(Hero::new(8, 2, 0)?, pair)?;
    /// assert_eq!(melee.best()?.value().to_string(), "721/5476"); // 0.132 instead of 1/4
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at_once(
        hero: Hero,
        foes: impl IntoIterator<Item = impl Into<Attacker>>,
    ) -> Result<Self, Error> {
        Melee::new(hero, foes, AtOnce::standard().into())
    }

    /// Creates a melee against one foe after the other, in the listed order. STAMINA and LUCK carry
    /// over.
    ///
    /// # Errors
    /// The same as for [`at_once`](Melee::at_once).
    ///
    /// # Examples
    /// The order matters because of LUCK, which is best spent on the stronger foe while there is
    /// most of it. Without LUCK, the chance of victory is the same in any order, since the wounds
    /// taken from each foe add up.
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee};
    /// let (troll, orc) = (Foe::new(11, 4)?, Foe::new(9, 8)?);
    /// let hero = Hero::new(9, 10, 9)?;
    /// let troll_first = Melee::in_turn(hero, [troll, orc])?;
    /// let orc_first = Melee::in_turn(hero, [orc, troll])?;
    /// assert_eq!(format!("{:.4}", troll_first.best_f64()?.value()), "0.4408");
    /// assert_eq!(format!("{:.4}", orc_first.best_f64()?.value()), "0.4018");
    /// assert_eq!(troll_first.without_luck()?, orc_first.without_luck()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_turn(
        hero: Hero,
        foes: impl IntoIterator<Item = impl Into<Attacker>>,
    ) -> Result<Self, Error> {
        Melee::new(hero, foes, Manner::InTurn)
    }

    fn new(
        hero: Hero,
        foes: impl IntoIterator<Item = impl Into<Attacker>>,
        manner: Manner,
    ) -> Result<Self, Error> {
        // One foe too many is enough to return the error, even if the iterator is endless.
        let foes = foes.into_iter().take(MeleeState::MAX_FOES + 1);
        let foes: Vec<Attacker> = foes.map(Into::into).collect();
        state::check_count(foes.len())?;
        Ok(Melee {
            hero,
            foes,
            manner,
            rules: Rules::standard(),
            objective: Objective::victory(),
            tolerance: Advantage::Strict,
        })
    }

    /// Sets the manner in which the foes attack.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Manner, Melee};
    /// let pair = [Foe::new(8, 2)?, Foe::new(8, 2)?];
    /// let melee = Melee::at_once(Hero::new(8, 4, 0)?, pair)?;
    /// // One after the other: two rounds must be won before two are lost.
    /// assert_eq!(melee.manner(Manner::InTurn).without_luck()?.to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn manner(mut self, manner: impl Into<Manner>) -> Self {
        self.manner = manner.into();
        self
    }

    /// Sets the rules.
    ///
    /// For [`Rules::last_rounds`] and [`Rules::escape`], the rounds of the whole melee are counted,
    /// except that the rounds before an escape from foes in turn are counted separately against
    /// each foe. A hero who runs escapes from all foes and takes one parting wound.
    /// [`Rules::sudden_death`] is supported for foes in turn only.
    ///
    /// # Examples
    /// Hold out for three rounds against two demons:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee, Rules};
    /// let demons = [Foe::new(12, 12)?, Foe::new(12, 12)?];
    /// let melee = Melee::at_once(Hero::new(10, 12, 9)?, demons)?;
    /// let three = melee.rules(Rules::standard().last_rounds(3));
    /// assert_eq!(format!("{:.4}", three.best_f64()?.value()), "0.9900");
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
    /// The mean STAMINA left, 0 for a dead hero:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee, Objective};
    /// let orcs = [Foe::new(6, 5)?, Foe::new(7, 6)?];
    /// let melee = Melee::at_once(Hero::new(9, 12, 8)?, orcs)?;
    /// let kept = melee.objective(Objective::stamina_kept());
    /// assert_eq!(format!("{:.3}", kept.best_f64()?.value()), "8.235");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn objective(mut self, objective: Objective) -> Self {
        self.objective = objective;
        self
    }

    /// Sets how much better an action must be to be preferred to those before it in the list of
    /// actions. Saving LUCK comes before testing it, a foe listed earlier before one listed later,
    /// and fighting before running.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, Foe, Hero, Melee};
    /// let pair = [Foe::new(5, 2)?, Foe::new(6, 2)?];
    /// let melee = Melee::at_once(Hero::new(12, 24, 12)?, pair)?;
    /// let (strict, published) = (melee.best()?, melee.advantage(Advantage::Published).best()?);
    /// // Almost nothing is lost, and LUCK is kept instead.
    /// assert!(strict.value() > published.value());
    /// assert!(strict.value_f64() - published.value_f64() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn advantage(mut self, advantage: Advantage) -> Self {
        self.tolerance = advantage;
        self
    }

    /// Returns the melee as a game for a solver.
    ///
    /// # Errors
    /// [`Error::NeverEnding`] if the rounds with some foe are all draws (unless the rules end the
    /// fight otherwise), [`Error::Harmless`] for a plain blow of 0, [`Error::SuddenDeathAtOnce`]
    /// for death after 0 rounds, [`Error::MeleeRules`] for unsupported combinations of rules,
    /// [`Error::MeleeRollsOverflow`] for a round with too many rolls, and an error for dice that
    /// cannot be rolled.
    ///
    /// # Complexity
    /// The distributions of rounds for 2^foes sets of foes.
    ///
    /// # Examples
    /// Three even rounds, one with each foe:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee};
    /// use oddsmith_mdp::Solver;
    /// let game = Melee::in_turn(Hero::new(8, 2, 0)?, [Foe::new(8, 2)?; 3])?.game()?;
    /// let solution = Solver::exact().solve(&game, game.start())?;
    /// assert_eq!(solution.value().to_string(), "1/8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn game(&self) -> Result<MeleeGame, Error> {
        self.game_with(true)
    }

    fn game_with(&self, luck: bool) -> Result<MeleeGame, Error> {
        let objective = self.objective.clone();
        MeleeGame::new(
            self.hero,
            &self.foes,
            self.manner,
            &self.rules,
            objective,
            luck,
        )
    }

    /// Computes the best use of LUCK and choice of targets, in fractions.
    ///
    /// # Errors
    /// Those of [`game`](Melee::game), and the solver's limits.
    ///
    /// # Complexity
    /// For foes at once, the number of states is the product of (LUCK + 1), of (STAMINA + 1) of
    /// each fighter, and of the number of phases of a round: some 6 for two foes, 11 for three, and
    /// 20 for four, or about ten times as many with one roll against all. If foes are attacked in
    /// order, the sum of their STAMINAs replaces the product.
    ///
    /// # Examples
    /// LUCK 12 cannot fail, so the hero may lose one round, but not two:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee};
    /// let pair = [Foe::new(10, 2)?, Foe::new(10, 2)?];
    /// let plan = Melee::in_turn(Hero::new(10, 2, 12)?, pair)?.best()?;
    /// assert_eq!(plan.value().to_string(), "1/2"); // 1/2 · 3/4 + 1/2 · 1/4
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best(&self) -> Result<MeleePlan<Exact>, Error> {
        self.best_with(Solver::exact())
    }

    /// Computes the best use of LUCK and choice of targets, in floats.
    ///
    /// # Error bound
    /// Relative: 1.01·k·2⁻⁵³ for k = 400·(2s + n + 1), where s is the sum of all STAMINAs, the
    /// hero's included, and of LUCK, and n the number of rounds that the [rules](Rules) count (those
    /// before which running is not allowed count for each foe in turn). For an
    /// [objective](Melee::objective) with scores below 0, the same factor times the largest |score|
    /// bounds the absolute error. Chances below 10⁻³⁰⁰ may have a larger error.
    /// [`MeleePlan::error`] is a much tighter bound for a single melee.
    ///
    /// With [`Advantage::Published`], the value is that of the decisions that are made in floats.
    ///
    /// # Errors
    /// The same as for [`best`](Melee::best).
    ///
    /// # Examples
    /// The second foe never wins a round, so only the first matters:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee};
    /// let pair = [Foe::new(10, 2)?, Foe::new(-10, 2)?];
    /// let melee = Melee::at_once(Hero::new(10, 2, 0)?, pair)?;
    /// assert_eq!(format!("{:.4}", melee.best_f64()?.value()), "0.5000");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_f64(&self) -> Result<MeleePlan<Float>, Error> {
        self.best_with(Solver::float())
    }

    /// Computes the best play with a given solver, and so with its numbers, its limits and its
    /// observer. How much better an action must be is set by [`advantage`](Melee::advantage), not
    /// by the solver.
    ///
    /// # Errors
    /// The same as for [`best`](Melee::best).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Error, Foe, Hero, Melee};
    /// use oddsmith_mdp::Solver;
    ///
    /// let trolls = [Foe::new(9, 10)?; 3];
    /// let melee = Melee::at_once(Hero::new(12, 24, 12)?, trolls)?;
    /// let error = melee.best_with(Solver::float().max_states(1_000_000)).err();
    /// let limit = oddsmith_mdp::Error::TooManyStates { limit: 1_000_000 };
    /// assert_eq!(error, Some(Error::Solve(limit)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_with<N: Number>(&self, solver: Solver<'_, N>) -> Result<MeleePlan<N>, Error> {
        let game = self.game()?;
        let start = game.start();
        let solution = solver
            .tolerance(self.tolerance.tolerance()?)
            .solve_indexed_owned(game, start)?;
        Ok(MeleePlan::new(solution, start))
    }

    /// Returns the value of the melee if LUCK is never used. Targets are still chosen, and escapes
    /// made, in the way that is then best.
    ///
    /// # Errors
    /// The same as for [`best`](Melee::best). A melee with more than 20 million states in its box
    /// is refused at once ([`Error::TooManyStates`]). LUCK does not count towards this limit, since
    /// it does not change.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee};
    /// let pair = [Foe::new(8, 2)?, Foe::new(8, 2)?];
    /// // In turn, each is an even round for all.
    /// let melee = Melee::in_turn(Hero::new(8, 2, 12)?, pair)?;
    /// assert_eq!(melee.without_luck()?.to_string(), "1/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without_luck(&self) -> Result<BigRational, Error> {
        let game = explorable_without_luck(self.game_with(false)?, self.hero.luck())?;
        let start = game.start();
        Ok(Solver::exact().solve(&game, start)?.value())
    }

    /// Returns [`without_luck`](Melee::without_luck) as a float.
    ///
    /// # Error bound
    /// That of [`best_f64`](Melee::best_f64).
    ///
    /// # Errors
    /// The same as for [`without_luck`](Melee::without_luck).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee};
    /// // In turn, each is an even round for all, whatever the LUCK.
    /// let melee = Melee::in_turn(Hero::new(8, 2, 12)?, [Foe::new(8, 2)?; 4])?;
    /// assert_eq!(format!("{:.4}", melee.without_luck_f64()?), "0.0625");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without_luck_f64(&self) -> Result<f64, Error> {
        let game = explorable_without_luck(self.game_with(false)?, self.hero.luck())?;
        let start = game.start();
        Ok(Solver::float().solve(&game, start)?.value())
    }

    /// Returns the exact value of any way of choosing targets and using LUCK.
    ///
    /// # Errors
    /// The same as for [`best`](Melee::best), and an error for a policy that makes no decision. A
    /// melee with more than 20 million states in its box, at all values of LUCK, is refused at
    /// once; to set other limits, use [`game`](Melee::game) and [`Solver::evaluate`].
    ///
    /// # Examples
    /// The first action is always to save LUCK, or to attack the first foe that stands:
    /// ```
    /// use oddsmith_fightingfantasy::{AtOnce, Foe, Hero, Melee, MeleeAction, MeleeState};
    /// let pair = [Foe::new(8, 4)?, Foe::new(9, 2)?];
    /// let melee = Melee::at_once(Hero::new(9, 6, 5)?, pair)?;
    /// let listed = melee.clone().manner(AtOnce::standard().targets_in_order());
    /// let plain = |_: &MeleeState, _: &[MeleeAction]| 0;
    /// assert_eq!(melee.with_policy(plain)?, listed.without_luck()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_policy(&self, policy: impl Policy<MeleeGame>) -> Result<BigRational, Error> {
        let game = explorable(self.game()?)?;
        let start = game.start();
        Ok(Solver::exact().evaluate(&game, policy, start)?.value())
    }

    /// Returns [`with_policy`](Melee::with_policy) as a float.
    ///
    /// # Error bound
    /// That of [`best_f64`](Melee::best_f64) with k = 800·(2s + n + 1), since a randomised policy
    /// mixes the outcomes of up to six targets.
    ///
    /// # Errors
    /// The same as for [`with_policy`](Melee::with_policy).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee, MeleeAction, MeleeState};
    ///
    /// let melee = Melee::in_turn(Hero::new(9, 6, 5)?, [Foe::new(8, 4)?])?;
    /// let plain = |_: &MeleeState, _: &[MeleeAction]| 0;
    /// let apart = melee.with_policy_f64(plain)? - melee.without_luck_f64()?;
    /// assert!(apart.abs() < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_policy_f64(&self, policy: impl Policy<MeleeGame>) -> Result<f64, Error> {
        let game = explorable(self.game()?)?;
        let start = game.start();
        Ok(Solver::float().evaluate(&game, policy, start)?.value())
    }
}
