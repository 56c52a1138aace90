//! Games that end after a limited number of steps.

use std::fmt;
use std::sync::Arc;

use crate::gathered::Gathered;
use crate::model::Model;
use crate::{Error, Game, Node, Number, Score, Solution, Steps};

/// The value of an unfinished game.
type Scored<'g, S> = Arc<dyn Fn(&S) -> Score + Send + Sync + 'g>;

/// A game that is broken off after a given number of steps.
///
/// A state is a state of the game together with the number of steps left. Every solver solves it
/// like any other game, and one solution answers queries for every number of steps left that
/// occurs. Play that returns to a state does so with fewer steps left, so no game has cycles any
/// more (with [`Steps::Decisions`], unless the cycle consists of chance moves alone).
///
/// Ends keep their scores and choices their rewards. A game that is not over after its last step is
/// worth nothing, or as much as [`unfinished`](Horizon::unfinished) says. Staying in a state is a
/// step.
///
/// This is the finite-horizon model of R. Bellman, *Dynamic Programming*, 1957: v₀ is the value of
/// an unfinished game, and vₖ(s) = max_a r + Σ p vₖ₋₁ is the value of the best decision with k
/// steps left. The best decision may differ from one k to the next.
///
/// # Examples
/// A pair of coins must both show heads, and in each round any of them may be tossed again. How
/// likely is that, with how many rounds?
/// ```
/// use oddsmith_mdp::{Game, Horizon, Node, Solver, Staged};
///
/// struct Heads;
/// impl Game for Heads {
///     type State = u8; // coins that show tails
///     type Action = &'static str;
///     fn expand(&self, &tails: &u8, node: &mut Node<Self>) {
///         match tails {
///             0 => node.end(1),
///             1 => {
///                 node.choice("toss it").to(0, 1).to(1, 1);
///                 node.choice("toss both").to(0, 1).to(1, 2).to(2, 1);
///             }
///             _ => {
///                 node.choice("toss both").to(0, 1).to(1, 2).to(2, 1);
///             }
///         }
///     }
/// }
/// let three = Horizon::new(&Heads);
/// let solution = Solver::exact().solve(&three, Staged::new(3, 2))?;
/// assert_eq!(solution.value().to_string(), "49/64");
/// assert_eq!(solution.value_of(&Staged::new(2, 1))?.to_string(), "3/4");
/// assert_eq!(solution.decision(&Staged::new(2, 1))?, Some("toss it"));
/// assert_eq!(solution.value_of(&Staged::new(0, 1))?.to_string(), "0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Horizon<'g, G: Game + ?Sized> {
    game: &'g G,
    steps: Steps,
    unfinished: Option<Scored<'g, G::State>>,
}

/// A state and the number of steps left: a state of a [`Horizon`].
///
/// # Examples
/// ```
/// use oddsmith_mdp::Staged;
/// let staged = Staged::new(3, "here");
/// assert_eq!((staged.left, staged.state), (3, "here"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Staged<S> {
    /// The number of steps left. With none, the game is over.
    pub left: u32,
    /// The state of the game itself.
    pub state: S,
}

impl<S> Staged<S> {
    /// Combines `state` with a number of steps left.
    ///
    /// # Examples
    /// The first or the second toss of a coin shows heads:
    /// ```
    /// use oddsmith_mdp::{Horizon, Solver, Staged, Table};
    /// # let coin = Table::from_fn(2, |state, row| match state {
    /// #     0 => row.end(1),
    /// #     _ => { row.choice().to(0, 1).to(1, 1); }
    /// # })?;
    /// let tosses = Horizon::new(&coin);
    /// assert_eq!(Solver::exact().solve(&tosses, Staged::new(1, 1))?.value().to_string(), "1/2");
    /// assert_eq!(Solver::exact().solve(&tosses, Staged::new(2, 1))?.value().to_string(), "3/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(left: u32, state: S) -> Self {
        Staged { left, state }
    }
}

impl<'g, G: Game + ?Sized> Horizon<'g, G> {
    /// Creates `game` broken off after the number of steps that is given with a state.
    ///
    /// # Examples
    /// A six with up to three rolls:
    /// ```
    /// use oddsmith_mdp::{Horizon, Solver, Staged, Table};
    /// let six = Table::from_fn(2, |state, row| match state {
    ///     0 => row.end(1),
    ///     _ => {
    ///         row.choice().to(0, 1).to(1, 5);
    ///     }
    /// })?;
    /// let three = Horizon::new(&six);
    /// let value = Solver::exact().solve(&three, Staged::new(3, 1))?.value();
    /// assert_eq!(value.to_string(), "91/216"); // 1 − (5/6)³
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(game: &'g G) -> Self {
        Horizon {
            game,
            steps: Steps::All,
            unfinished: None,
        }
    }

    /// Sets which moves are steps. The default is all of them.
    ///
    /// # Examples
    /// Chance rolls, and nobody has made a decision:
    /// ```
    /// # use oddsmith_mdp::{Game, Node};
    /// use oddsmith_mdp::{Horizon, Solver, Staged, Steps};
    /// # struct UntilSix;
    /// # impl Game for UntilSix {
    /// #     type State = bool;
    /// #     type Action = ();
    /// #     fn expand(&self, &six: &bool, node: &mut Node<Self>) {
    /// #         if six { return node.end(1); }
    /// #         node.chance().to(true, 1).to(false, 5);
    /// #     }
    /// # }
    /// let moves = Horizon::new(&UntilSix); // until a six is rolled
    /// let one = Staged::new(1, false);
    /// assert_eq!(Solver::exact().solve(&moves, one)?.value().to_string(), "1/6");
    /// let decisions = moves.counting(Steps::Decisions);
    /// assert_eq!(Solver::exact().solve(&decisions, one)?.value().to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn counting(self, steps: Steps) -> Self {
        Horizon { steps, ..self }
    }

    /// Sets the value of a game that is not over when no steps are left.
    ///
    /// # Examples
    /// A walk that gains or loses 1 by the toss of a coin may be stopped at any time, and ends
    /// after four tosses. Losses do not count.
    /// ```
    /// use oddsmith_mdp::{Horizon, Solver, Staged, Table};
    ///
    /// let walk = Table::from_fn(11, |at, row| match at {
    ///     0 | 10 => row.end(at),
    ///     _ => {
    ///         row.choice().to(at - 1, 1).to(at + 1, 1);
    ///     }
    /// })?;
    /// let four = Horizon::new(&walk).unfinished(|&at| at.max(5));
    /// let solution = Solver::exact().solve(&four, Staged::new(4, 5))?;
    /// assert_eq!(solution.value().to_string(), "23/4"); // 5 + (2·4 + 4·2)/16 − 1/4
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn unfinished<T: Into<Score>>(
        self,
        worth: impl Fn(&G::State) -> T + Send + Sync + 'g,
    ) -> Self {
        Horizon {
            unfinished: Some(Arc::new(move |state| worth(state).into())),
            ..self
        }
    }
}

impl<G: Game + ?Sized> Game for Horizon<'_, G> {
    type State = Staged<G::State>;
    type Action = G::Action;

    fn describe(&self, staged: &Staged<G::State>) -> String {
        let state = self.game.describe(&staged.state);
        match staged.left {
            1 => format!("{state} with 1 step left"),
            left => format!("{state} with {left} steps left"),
        }
    }

    fn expand(&self, staged: &Staged<G::State>, node: &mut Node<Self>) {
        let Some(inner) = node.inner_going_on(self.game, &staged.state) else {
            return;
        };
        let left = match (self.steps.count(&inner), staged.left.checked_sub(1)) {
            (true, Some(left)) => left,
            (true, None) => {
                let worth = self.unfinished.as_ref().map(|worth| worth(&staged.state));
                return node.end(worth.unwrap_or_else(|| Score::from(0)));
            }
            (false, _) => staged.left,
        };
        node.choices_of(&inner, |state| Staged::new(left, state.clone()));
    }
}

impl<G: Game + ?Sized> Clone for Horizon<'_, G> {
    fn clone(&self) -> Self {
        Horizon {
            game: self.game,
            steps: self.steps,
            unfinished: self.unfinished.clone(),
        }
    }
}

impl<G: Game + ?Sized> fmt::Debug for Horizon<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Horizon(counting {:?})", self.steps)
    }
}

/// A game solved for every number of steps at once. See [`Solver::stages`](crate::Solver::stages).
///
/// There is no single start from which to look ahead. For a [`Forecast`](crate::Forecast) or a
/// [`Line`](crate::Line), solve the [`Horizon`] from a [`Staged`] state.
///
/// # Examples
/// In state 3, the player may win at once with probability one half, or in two steps for certain:
/// ```
/// use oddsmith_mdp::{Exact, Horizon, Solver, Stages, Table};
/// # let ways = Table::from_fn(4, |state, row| match state {
/// #     0 | 1 => row.end(state),
/// #     2 => { row.choice().to(1, 1); }
/// #     _ => { row.choice().to(0, 1).to(1, 1); row.choice().to(2, 1); }
/// # })?;
/// let ways = Horizon::new(&ways);
/// let stages: Stages<'_, Table, Exact> = Solver::exact().stages(&ways, 3, 2)?;
/// assert_eq!(stages.value_of(1, &3)?.to_string(), "1/2");
/// assert_eq!(stages.decision(1, &3)?, Some(0));
/// assert_eq!(stages.value_of(2, &3)?.to_string(), "1");
/// assert_eq!(stages.decision(2, &3)?, Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Stages<'g, G: Game + ?Sized, N: Number> {
    solution: Solution<'g, Gathered<Horizon<'g, G>>, N>,
    start: G::State,
    steps: u32,
}

impl<'g, G: Game + ?Sized, N: Number> Stages<'g, G, N> {
    pub(crate) fn new(
        solution: Solution<'g, Gathered<Horizon<'g, G>>, N>,
        start: G::State,
        steps: u32,
    ) -> Self {
        Stages {
            solution,
            start,
            steps,
        }
    }

    /// Returns the values of the start with 0, 1, 2, … steps.
    ///
    /// # Errors
    /// Only if the game answers differently from when it was solved.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Horizon, Solver, Table};
    /// # let coin = Table::from_fn(2, |state, row| match state {
    /// #     0 => row.end(1),
    /// #     _ => { row.choice().to(0, 1).to(1, 1); }
    /// # })?;
    /// // Heads by tossing a coin up to 0, 1, 2, 3 times:
    /// let stages = Solver::exact().stages(&Horizon::new(&coin), 1, 3)?;
    /// let values: Vec<String> = stages.values()?.iter().map(|v| v.to_string()).collect();
    /// assert_eq!(values, ["0", "1/2", "3/4", "7/8"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn values(&self) -> Result<Vec<N::Value>, Error> {
        let starts = (0..=self.steps).map(|left| self.value_of(left, &self.start));
        starts.collect()
    }

    /// Returns the value of `state` with this many steps left.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that cannot occur with this many steps left.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::Horizon;
    /// let stages = Solver::exact().stages(&Horizon::new(&KeepOrRoll), (3, 0), 5)?;
    /// assert_eq!(stages.value_of(1, &(2, 3))?.to_string(), "3"); // time to keep it
    /// assert_eq!(stages.value_of(4, &(2, 3))?.to_string(), "17/4"); // to roll twice
    /// assert!(stages.value_of(5, &(2, 3)).is_err()); // one is done by then
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value_of(&self, left: u32, state: &G::State) -> Result<N::Value, Error> {
        self.solution.value_of(&staged(left, state))
    }

    /// Returns the action decided on with this many steps left, or `None` where the game ends or
    /// chance moves.
    ///
    /// # Errors
    /// The same as for [`value_of`](Stages::value_of).
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::Horizon;
    /// let stages = Solver::exact().stages(&Horizon::new(&KeepOrRoll), (3, 0), 3)?;
    /// assert_eq!(stages.decision(1, &(2, 1))?, Some("keep")); // a roll could not be kept
    /// assert_eq!(stages.decision(2, &(2, 1))?, Some("roll"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decision(&self, left: u32, state: &G::State) -> Result<Option<G::Action>, Error> {
        self.solution.decision(&staged(left, state))
    }

    /// Returns a bound on the absolute error of a value, which is zero in exact numbers.
    ///
    /// # Errors
    /// The same as for [`value_of`](Stages::value_of).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Horizon, Solver, Table};
    /// let coin = Table::from_fn(2, |state, row| match state {
    ///     0 => row.end(1),
    ///     _ => {
    ///         row.choice().to(0, 1).to(1, 2);
    ///     }
    /// })?;
    /// let stages = Solver::float().stages(&Horizon::new(&coin), 1, 5)?;
    /// let error = (stages.value_of(2, &1)? - 5.0 / 9.0).abs();
    /// assert!(error <= stages.error(2, &1)? && stages.error(2, &1)? < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn error(&self, left: u32, state: &G::State) -> Result<f64, Error> {
        self.solution.error(&staged(left, state))
    }

    /// Returns the number of pairs of a state and a number of steps that were visited.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Horizon, Solver, Table};
    /// let stair = Table::from_fn(9, |step, row| match step {
    ///     0 => row.end(1),
    ///     _ => {
    ///         row.choice().to(step - 1, 1);
    ///     }
    /// })?;
    /// let stages = Solver::exact().stages(&Horizon::new(&stair), 8, 2)?;
    /// assert_eq!(stages.len(), 3 + 2 + 1); // on steps 8, 7 and 6
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        Model::<Gathered<Horizon<'g, G>>>::len(self.solution.model()) - 1
    }

    /// Always returns `false`: there is at least the start with zero steps.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Horizon, Solver, Table};
    /// let over = Table::from_fn(1, |_, row| row.end(1))?;
    /// assert!(!Solver::exact().stages(&Horizon::new(&over), 0, 0)?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn staged<S: Clone>(left: u32, state: &S) -> Option<Staged<S>> {
    Some(Staged::new(left, state.clone()))
}

impl<G: Game + ?Sized, N: Number> fmt::Debug for Stages<'_, G, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stages(0..={} steps of {:?})", self.steps, self.start)
    }
}
