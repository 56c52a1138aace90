//! Games in which later rewards count for less.

use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive};

use crate::{Error, Game, Node, Score, Steps, relay};

/// A game discounted by a factor γ per step: a score t steps away is now worth γᵗ times itself.
///
/// A state is `Some` state of the game, or `None` if the game was abandoned. By a classical
/// equivalence, discounting is a matter of chance: after each step the game continues with
/// probability γ and is abandoned, worth nothing, with probability 1 − γ. Therefore every solver
/// can solve it like any other game, and exactly if γ is a fraction.
///
/// *Proof.* The optimality equation of the discounted game is v(s) = max_a r + γ Σ p v(s'), with
/// v(s) = score where the game ends. That of the game that may be abandoned is v(s) = max_a r + Σ
/// (γ p) v(s') + (1 − γ) · 0, which is the same. For γ < 1 its right-hand side is a contraction
/// with the factor γ, so there is exactly one solution (L. S. Shapley, "Stochastic Games", PNAS 39,
/// 1953, who stops the game with positive probability; C. Derman, *Finite State Markovian Decision
/// Processes*, 1970, for the equivalence). ∎
///
/// For the same reason, play that can go on for ever has a value. With
/// [`allow_cycles`](crate::Solver::allow_cycles), games without any end are solved, also for two
/// players, since no decision can prevent play from being abandoned.
///
/// A reward is paid before the discount of its own step: rewards r₀, r₁, … are worth r₀ + γ r₁ + γ²
/// r₂ + …. Staying in a state is a step.
///
/// This includes a state that no action leaves, and an action that certainly stays and pays. A
/// [`Table`](crate::Table) cannot contain them, since they are an error when it is built, so such
/// rules are written as a [`Game`]:
/// ```
/// use oddsmith_mdp::{Discounted, Error, Game, Node, Solver, Table};
///
/// struct Annuity; // pays 3 a year
/// impl Game for Annuity {
///     type State = usize;
///     type Action = ();
///     fn expand(&self, _: &usize, node: &mut Node<Self>) {
///         node.chance().to(0, 1).reward(3);
///     }
/// }
/// let discounted = Discounted::new(&Annuity, (9, 10))?;
/// assert_eq!(Solver::exact().solve(&discounted, Some(0))?.value().to_string(), "30");
///
/// let table = Table::from_fn(1, |_, row| {
///     row.choice().to(0, 1).reward(3);
/// });
/// assert_eq!(table.err(), Some(Error::NeverEnds { state: "0".into() }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Nothing else needs to know about the discount. Certified enclosures, the likeliest line and
/// forecasts (in which `None` is an end like any other) work on the resulting game.
///
/// Weights that no longer fit into machine words after multiplication by the parts of γ become
/// [wide](crate::Choice::to_wide). An `f64` is read exactly, as a fraction with a denominator of
/// some 2⁵³, so `(9, 10)` is better than `0.9`.
///
/// # Examples
/// A machine pays nothing until a 6 is rolled, and then 1:
/// ```
/// use oddsmith_mdp::{Discounted, Game, Node, Solver};
///
/// struct UntilSix;
/// impl Game for UntilSix {
///     type State = bool;
///     type Action = ();
///     fn expand(&self, &six: &bool, node: &mut Node<Self>) {
///         if six {
///             return node.end(1);
///         }
///         node.chance().to(true, 1).to(false, 5);
///     }
/// }
/// let discounted = Discounted::new(&UntilSix, (9, 10))?;
/// let solution = Solver::exact().solve(&discounted, Some(false))?;
/// assert_eq!(solution.value().to_string(), "3/5"); // 9/60 / (1 − 45/60)
/// assert!(Discounted::new(&UntilSix, (11, 10)).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Discounted<'g, G: ?Sized> {
    game: &'g G,
    /// γ = kept / whole.
    kept: BigUint,
    whole: BigUint,
    /// The numerators of γ and 1 − γ, kept and whole − kept, if they are machine words.
    words: Option<[u64; 3]>,
    steps: Steps,
}

impl<G: ?Sized> Clone for Discounted<'_, G> {
    fn clone(&self) -> Self {
        Discounted {
            game: self.game,
            kept: self.kept.clone(),
            whole: self.whole.clone(),
            words: self.words,
            steps: self.steps,
        }
    }
}

impl<'g, G: Game + ?Sized> Discounted<'g, G> {
    /// Creates `game` with the discount factor γ.
    ///
    /// # Errors
    /// [`Error::BadParameter`] unless 0 < γ ≤ 1. With γ = 1 nothing is discounted, and no state is
    /// abandoned.
    ///
    /// # Examples
    /// Three steps lead to a score of 1, and each of them halves it:
    /// ```
    /// use oddsmith_mdp::{Discounted, Solver, Table};
    /// let stair = Table::from_fn(4, |step, row| match step {
    ///     0 => row.end(1),
    ///     _ => {
    ///         row.choice().to(step - 1, 1);
    ///     }
    /// })?;
    /// let half = Discounted::new(&stair, (1, 2))?;
    /// assert_eq!(Solver::exact().solve(&half, Some(3))?.value().to_string(), "1/8");
    /// assert!(Discounted::new(&stair, 0).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(game: &'g G, factor: impl Into<Score>) -> Result<Self, Error> {
        let factor = factor.into();
        let bad = || Error::BadParameter {
            parameter: "the discount factor",
            given: factor.to_string(),
            allowed: "above 0 and at most 1",
        };
        let gamma = factor
            .to_ratio()
            .filter(|gamma| gamma.is_positive() && *gamma <= BigRational::one());
        let gamma = gamma.ok_or_else(bad)?;
        let (kept, whole) = (gamma.numer().magnitude(), gamma.denom().magnitude());
        let words = match (kept.to_u64(), whole.to_u64()) {
            (Some(kept), Some(whole)) => Some([kept, whole, whole - kept]),
            _ => None,
        };
        Ok(Discounted {
            game,
            kept: kept.clone(),
            whole: whole.clone(),
            words,
            steps: Steps::All,
        })
    }

    /// Sets which moves are discounted. The default is all of them.
    ///
    /// # Examples
    /// A die is rolled until it shows a six. Only chance moves, and no decision is ever made:
    /// ```
    /// use oddsmith_mdp::{Discounted, Solver, Steps};
    /// # use oddsmith_mdp::{Game, Node};
    /// # struct UntilSix;
    /// # impl Game for UntilSix {
    /// #     type State = bool;
    /// #     type Action = ();
    /// #     fn expand(&self, &six: &bool, node: &mut Node<Self>) {
    /// #         if six { return node.end(1); }
    /// #         node.chance().to(true, 1).to(false, 5);
    /// #     }
    /// # }
    /// let decisions = Discounted::new(&UntilSix, (9, 10))?.counting(Steps::Decisions);
    /// let solution = Solver::exact().solve(&decisions, Some(false))?;
    /// assert_eq!(solution.value().to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn counting(self, steps: Steps) -> Self {
        Discounted { steps, ..self }
    }

    /// Writes one choice with the discount.
    fn write(&self, inner: &Node<G>, choice: usize, node: &mut Node<Self>) {
        let mut written = relay::begin(inner, choice, node);
        relay::pay(&mut written, relay::reward(inner, choice));
        let narrow = self.words.filter(|[_, whole, _]| {
            inner.wide(choice).is_none() && inner.total(choice).checked_mul(*whole).is_some()
        });
        if let Some([kept, _, lost]) = narrow {
            for (state, weight) in inner.outcomes(choice) {
                written.to(Some(state.clone()), weight * kept);
            }
            written.to(None, inner.total(choice) * lost);
            return;
        }
        for (state, weight) in inner.wide_outcomes(choice) {
            written.to_wide(Some(state.clone()), weight * &self.kept);
        }
        let lost = &self.whole - &self.kept;
        written.to_wide(None, inner.wide_total(choice) * lost);
    }
}

impl<G: Game + ?Sized> Game for Discounted<'_, G> {
    type State = Option<G::State>;
    type Action = G::Action;

    fn describe(&self, state: &Option<G::State>) -> String {
        match state {
            Some(state) => self.game.describe(state),
            None => "given up".into(),
        }
    }

    fn expand(&self, state: &Option<G::State>, node: &mut Node<Self>) {
        let Some(state) = state else {
            return node.end(0);
        };
        let Some(inner) = node.inner_going_on(self.game, state) else {
            return;
        };
        if self.kept == self.whole || !self.steps.count(&inner) {
            return node.choices_of(&inner, |state| Some(state.clone()));
        }
        node.set_player(inner.player());
        for choice in 0..inner.len() {
            self.write(&inner, choice, node);
        }
    }
}
