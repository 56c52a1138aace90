//! How to solve a game: number type, limits, tolerance and observer.

mod certified;
mod limits;
mod objectives;
#[cfg(feature = "rayon")]
#[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
mod parallel;
mod ranked;
mod simultaneous;

use std::marker::PhantomData;
use std::ops::ControlFlow;

use oddsmith_dice::Weight;

use crate::boxed::Boxed;
use crate::explored::Explored;
use crate::induction;
use crate::limits::Limits;
use crate::model::Model;
use crate::number::Store;
use crate::progress::Observer;
use crate::solution::Held;
use crate::threads::Threads;
use crate::{
    Error, Exact, Float, Game, Indexed, Number, Played, Policy, Progress, Solution, Tabled,
    Tabular, Tolerance,
};

/// Settings for solving a game.
///
/// A solver is created by [`exact`](Solver::exact), [`float`](Solver::float) or
/// [`certified`](Solver::certified) and adjusted by chained setters. A `solve`, `evaluate` or
/// `certify` method consumes it.
///
/// # Examples
/// ```
/// # use oddsmith_mdp::{Game, Node};
/// # struct Coin;
/// # impl Game for Coin {
/// #     type State = u8;
/// #     type Action = ();
/// #     fn expand(&self, &state: &u8, node: &mut Node<Self>) {
/// #         if state > 0 { return node.end(state - 1); }
/// #         node.chance().to(1, 2).to(2, 1);
/// #     }
/// # }
/// use oddsmith_mdp::Solver;
///
/// let solution = Solver::exact().max_states(1_000).solve(&Coin, 0)?;
/// assert_eq!(solution.value().to_string(), "1/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver<'o, N> {
    limits: Limits,
    /// The maximum size of a set of states that can all lead to each other.
    max_cycle: usize,
    tolerance: Tolerance,
    /// Whether `certify` keeps all actions that may be optimal.
    ties: bool,
    observer: Observer<'o>,
    threads: Threads,
    number: PhantomData<N>,
}

impl Solver<'_, Exact> {
    /// Creates a solver that computes in fractions: every value is exact.
    ///
    /// # Examples
    /// Up to two rolls of a die, the last of which counts:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use num_rational::BigRational;
    /// let solution = Solver::exact().solve(&KeepOrRoll, (2, 0))?;
    /// assert_eq!(solution.value(), BigRational::new(17.into(), 4.into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn exact() -> Self {
        Solver::new()
    }
}

impl Solver<'_, Float> {
    /// Creates a solver that computes in floating point. Every value has an error bound
    /// ([`Solution::error`]).
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node};
    /// # struct Coin;
    /// # impl Game for Coin {
    /// #     type State = u8;
    /// #     type Action = ();
    /// #     fn expand(&self, &state: &u8, node: &mut Node<Self>) {
    /// #         if state > 0 { return node.end(state - 1); }
    /// #         node.chance().to(1, 2).to(2, 1);
    /// #     }
    /// # }
    /// use oddsmith_mdp::Solver;
    /// let solution = Solver::float().solve(&Coin, 0)?;
    /// let error = (solution.value() - 1.0 / 3.0).abs();
    /// assert!(error <= solution.error(&0)? && solution.error(&0)? < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn float() -> Self {
        Solver::new()
    }
}

/// Creates a solver for a given number type, for code that is generic over it.
///
/// # Examples
/// ```
/// use oddsmith_mdp::{Certified, Solver, Table};
/// let coin = Table::from_fn(3, |side, row| match side {
///     0 => {
///         row.choice().to(1, 1).to(2, 2);
///     }
///     _ => row.end(side - 1),
/// })?;
/// let solution = Solver::<Certified>::default().solve_table(&coin, 0)?;
/// assert!((solution.value() - 2.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<N: Number> Default for Solver<'_, N> {
    fn default() -> Self {
        Solver::new()
    }
}

impl<'o, N> Solver<'o, N> {
    /// The same solver with another number type.
    pub(crate) fn recast<T>(self) -> Solver<'o, T> {
        Solver {
            limits: self.limits,
            max_cycle: self.max_cycle,
            tolerance: self.tolerance,
            ties: self.ties,
            observer: self.observer,
            threads: self.threads,
            number: PhantomData,
        }
    }
}

/// Returns the number of `start` in its model.
fn known<G: Game + ?Sized, M: Model<G>>(
    game: &G,
    model: &M,
    start: &G::State,
) -> Result<usize, Error> {
    let number = model.number(game, start);
    number.ok_or_else(|| Error::UnknownState {
        state: game.describe(start),
    })
}

impl<'o, N: Number> Solver<'o, N> {
    fn new() -> Self {
        Solver {
            limits: Limits::default(),
            max_cycle: usize::MAX,
            tolerance: Tolerance::strict(),
            ties: false,
            observer: Observer::default(),
            threads: Threads::default(),
            number: PhantomData,
        }
    }

    /// Sets by how much a later action must beat an earlier one. See [`Tolerance`].
    ///
    /// # Examples
    /// Rolling again instead of keeping a 4 gains 1/4, which is not more than 1/4:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::Tolerance;
    /// let solver = Solver::exact().tolerance(Tolerance::absolute(1, 4)?);
    /// let solution = solver.solve(&KeepOrRoll, (3, 0))?;
    /// assert_eq!(solution.decision(&(2, 4))?, Some("keep"));
    /// assert_eq!(solution.value_of(&(2, 4))?.to_string(), "4"); // best play: 17/4
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tolerance(mut self, tolerance: Tolerance) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Calls `observer` every 4,096 states, at the end of each phase, and while a cycle is solved
    /// (see [`Progress`]). If it breaks, the work ends with [`Error::Cancelled`].
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node};
    /// # struct Coin;
    /// # impl Game for Coin {
    /// #     type State = u8;
    /// #     type Action = ();
    /// #     fn expand(&self, &state: &u8, node: &mut Node<Self>) {
    /// #         if state > 0 { return node.end(state - 1); }
    /// #         node.chance().to(1, 2).to(2, 1);
    /// #     }
    /// # }
    /// use oddsmith_mdp::{Error, Phase, Solver};
    /// use std::ops::ControlFlow;
    ///
    /// let mut seen = Vec::new();
    /// Solver::float()
    ///     .observe(|progress| {
    ///         seen.push((progress.phase, progress.done));
    ///         ControlFlow::Continue(())
    ///     })
    ///     .solve(&Coin, 0)?;
    /// assert_eq!(seen, [(Phase::Exploring, 3), (Phase::Solving, 3)]);
    ///
    /// let stopped = Solver::float().observe(|_| ControlFlow::Break(())).solve(&Coin, 0);
    /// assert_eq!(stopped.err(), Some(Error::Cancelled { phase: Phase::Exploring, done: 3 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn observe(mut self, observer: impl FnMut(Progress) -> ControlFlow<()> + 'o) -> Self {
        self.observer = Observer::new(observer);
        self
    }

    /// Solves all states that can be reached from `start`.
    ///
    /// # Errors
    /// A malformed or cyclic game, an exceeded limit, or a cancellation. See [`Error`].
    ///
    /// # Complexity
    /// Time and memory are proportional to the number of outcomes of all reachable states. An exact
    /// value takes as many words as the common denominator needs.
    ///
    /// # Examples
    /// Two rolls of a die, of which the first may be kept:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let solution = Solver::exact().solve(&KeepOrRoll, (2, 0))?;
    /// assert_eq!(solution.value().to_string(), "17/4");
    /// assert_eq!(solution.decision(&(1, 4))?, Some("keep")); // another roll is worth 7/2
    /// assert_eq!(solution.len(), 13); // the start, and six with 1 and with 0 rolls left
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "backward_induction")]
    #[doc(alias = "expectimax")]
    #[doc(alias = "minimax")]
    pub fn solve<'g, G: Game + ?Sized>(
        self,
        game: &'g G,
        start: G::State,
    ) -> Result<Solution<'g, G, N>, Error> {
        self.solve_held(Held::Borrowed(game), start)
    }

    /// Solves all states of a box, reachable or not, without hashing.
    ///
    /// # Errors
    /// The same as for [`solve`](Solver::solve). Also [`Error::NotBackward`], [`Error::OutsideBox`]
    /// or [`Error::IndexMismatch`] if the numbering violates its contract, and
    /// [`Error::UnknownState`] if `start` is outside the box.
    ///
    /// # Examples
    /// The first to win two rounds wins; each round is won with probability 2/3:
    /// ```
    /// # use oddsmith_mdp::{Game, Indexed, Node, Solver};
    /// # struct Race;
    /// # impl Game for Race {
    /// #     type State = (usize, usize);
    /// #     type Action = ();
    /// #     fn expand(&self, &(ours, theirs): &(usize, usize), node: &mut Node<Self>) {
    /// #         if ours == 0 || theirs == 0 { return node.end(ours == 0); }
    /// #         node.chance().to((ours - 1, theirs), 2).to((ours, theirs - 1), 1);
    /// #     }
    /// # }
    /// # impl Indexed for Race {
    /// #     fn size(&self) -> usize { 9 }
    /// #     fn index(&self, &(ours, theirs): &(usize, usize)) -> usize { 3 * ours + theirs }
    /// #     fn state(&self, index: usize) -> (usize, usize) { (index / 3, index % 3) }
    /// # }
    /// let solution = Solver::exact().solve_indexed(&Race, (2, 2))?;
    /// assert_eq!(solution.value().to_string(), "20/27");
    /// assert_eq!(solution.value_of(&(1, 2))?.to_string(), "8/9"); // 1 − (1/3)²
    /// assert_eq!(solution.len(), 9); // also (0, 0), to which no play leads
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_indexed<'g, G: Indexed + ?Sized>(
        self,
        game: &'g G,
        start: G::State,
    ) -> Result<Solution<'g, G, N, Boxed>, Error> {
        self.solve_box(Held::Borrowed(game), start)
    }

    /// Solves all states of a [`Table`](crate::Table) or of a [`Generated`](crate::Generated) game.
    ///
    /// # Errors
    /// A cyclic table or an exceeded limit; a generated row that is malformed or leads the wrong
    /// way; [`Error::UnknownState`] if `start` is not a state. Numbers that floats cannot hold are
    /// refused in any state, even in one that cannot be reached from `start`;
    /// [`solve`](Solver::solve) does not look at those states.
    ///
    /// # Complexity
    /// One pass over all outcomes. An exact solver makes three passes.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// // Steps down a stair, one or two at a time by the toss of a coin.
    /// let stair = Table::from_fn(6, |step, row| match step {
    ///     0 | 1 => row.end(step),
    ///     _ => {
    ///         row.choice().to(step - 1, 1).to(step - 2, 1);
    ///     }
    /// })?;
    /// let exact = Solver::exact().solve_table(&stair, 5)?;
    /// assert_eq!(exact.value().to_string(), "11/16");
    /// assert_eq!(Solver::float().solve_table(&stair, 5)?.value(), 0.6875);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_table<'g, T: Tabular>(
        self,
        table: &'g T,
        start: usize,
    ) -> Result<Solution<'g, T, N, Tabled>, Error> {
        self.check_table(table, start)?;
        let model = Tabled::new(table, N::Mass::EXACT, N::Store::CYCLES)?;
        let number = known(table, &model, &start)?;
        self.finish(Held::Borrowed(table), model, number)
    }

    /// Errors that are known before the rows are read.
    fn check_table<T: Tabular>(&self, table: &T, start: usize) -> Result<(), Error> {
        self.threads.check()?;
        if table.states() > self.limits.states {
            return Err(Error::TooManyStates {
                limit: self.limits.states,
            });
        }
        if start >= table.states() {
            return Err(Error::UnknownState {
                state: table.describe(&start),
            });
        }
        Ok(())
    }

    /// Does the same as [`solve`](Solver::solve), but the solution owns the game, so that it can be
    /// stored and returned on its own.
    ///
    /// # Errors
    /// The same as for [`solve`](Solver::solve).
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node, Solver};
    /// # struct Coin;
    /// # impl Game for Coin {
    /// #     type State = u8;
    /// #     type Action = ();
    /// #     fn expand(&self, &state: &u8, node: &mut Node<Self>) {
    /// #         if state > 0 { return node.end(state - 1); }
    /// #         node.chance().to(1, 2).to(2, 1);
    /// #     }
    /// # }
    /// use oddsmith_mdp::{Error, Exact, Solution};
    /// fn solved() -> Result<Solution<'static, Coin, Exact>, Error> {
    ///     Solver::exact().solve_owned(Coin, 0)
    /// }
    /// assert_eq!(solved()?.value().to_string(), "1/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_owned<G: Game>(
        self,
        game: G,
        start: G::State,
    ) -> Result<Solution<'static, G, N>, Error> {
        self.solve_held(Held::Owned(Box::new(game)), start)
    }

    /// Does the same as [`solve_indexed`](Solver::solve_indexed), but the solution owns the game.
    ///
    /// # Errors
    /// The same as for [`solve_indexed`](Solver::solve_indexed).
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Indexed, Node, Solver};
    /// # struct Stair;
    /// # impl Game for Stair {
    /// #     type State = i64;
    /// #     type Action = ();
    /// #     fn expand(&self, &step: &i64, node: &mut Node<Self>) {
    /// #         if step <= 1 { return node.end(step); }
    /// #         node.chance().to(step - 1, 1).to(step - 2, 1);
    /// #     }
    /// # }
    /// # impl Indexed for Stair {
    /// #     fn size(&self) -> usize { 6 }
    /// #     fn index(&self, &step: &i64) -> usize { step as usize }
    /// #     fn state(&self, index: usize) -> i64 { index as i64 }
    /// # }
    /// let solution = Solver::exact().solve_indexed_owned(Stair, 5)?;
    /// assert_eq!(solution.value().to_string(), "11/16");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_indexed_owned<G: Indexed>(
        self,
        game: G,
        start: G::State,
    ) -> Result<Solution<'static, G, N, Boxed>, Error> {
        self.solve_box(Held::Owned(Box::new(game)), start)
    }

    /// Evaluates `policy` from `start`.
    ///
    /// The result is the solution of the game in which `policy` makes the player's decisions. If
    /// there is an opponent, it plays the best reply; for the alternatives see
    /// [`Played::by_opponent`] and [`Played::by_both`].
    ///
    /// # Errors
    /// The same as for [`solve`](Solver::solve), and [`Error::NoDecision`] if the policy selects no
    /// action.
    ///
    /// # Examples
    /// Always rolling again is worth no more than never rolling again:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let always = |_: &(u8, u8), actions: &[&str]| actions.len() - 1;
    /// let evaluation = Solver::exact().evaluate(&KeepOrRoll, always, (3, 0))?;
    /// assert_eq!(evaluation.value().to_string(), "7/2");
    /// let never = |_: &(u8, u8), _: &[&str]| 0;
    /// let evaluation = Solver::exact().evaluate(&KeepOrRoll, never, (3, 0))?;
    /// assert_eq!(evaluation.value().to_string(), "7/2"); // best play: 14/3
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate<'g, G: Game + ?Sized, P: Policy<G>>(
        self,
        game: &'g G,
        policy: P,
        start: G::State,
    ) -> Result<Solution<'g, Played<'g, G, P>, N>, Error> {
        self.solve_held(Held::Owned(Box::new(Played::new(game, policy))), start)
    }

    /// Evaluates `policy` from every state of a box.
    ///
    /// # Errors
    /// The same as for [`solve_indexed`](Solver::solve_indexed) and [`evaluate`](Solver::evaluate).
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Indexed, Node, Solver};
    /// # struct Stair;
    /// # impl Game for Stair {
    /// #     type State = i64;
    /// #     type Action = i64;
    /// #     fn expand(&self, &step: &i64, node: &mut Node<Self>) {
    /// #         if step <= 1 { return node.end(step); }
    /// #         node.choice(1).to(step - 1, 1);
    /// #         node.choice(2).to(step - 2, 1);
    /// #     }
    /// # }
    /// # impl Indexed for Stair {
    /// #     fn size(&self) -> usize { 6 }
    /// #     fn index(&self, &step: &i64) -> usize { step as usize }
    /// #     fn state(&self, index: usize) -> i64 { index as i64 }
    /// # }
    /// // Two steps at a time from an even step end on 0, from an odd one on 1.
    /// let twice = |_: &i64, _: &[i64]| 1;
    /// let evaluation = Solver::exact().evaluate_indexed(&Stair, twice, 4)?;
    /// assert_eq!(evaluation.value().to_string(), "0");
    /// assert_eq!(evaluation.value_of(&5)?.to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate_indexed<'g, G: Indexed + ?Sized, P: Policy<G>>(
        self,
        game: &'g G,
        policy: P,
        start: G::State,
    ) -> Result<Solution<'g, Played<'g, G, P>, N, Boxed>, Error> {
        self.solve_box(Held::Owned(Box::new(Played::new(game, policy))), start)
    }

    fn solve_held<'g, G: Game + ?Sized>(
        mut self,
        game: Held<'g, G>,
        start: G::State,
    ) -> Result<Solution<'g, G, N>, Error> {
        self.threads.check()?;
        let cycles = N::Store::CYCLES;
        let model = Explored::explore(game.get(), start, self.limits, cycles, &mut self.observer)?;
        self.finish(game, model, 0)
    }

    fn solve_box<'g, G: Indexed + ?Sized>(
        mut self,
        game: Held<'g, G>,
        start: G::State,
    ) -> Result<Solution<'g, G, N, Boxed>, Error> {
        self.threads.check()?;
        let mut model = Boxed::new(game.get(), self.limits)?;
        let number = model.start(game.get(), &start)?;
        if N::Store::CYCLES {
            model.keep_with_cycles(game.get(), &mut self.observer)?;
        } else if N::Mass::EXACT {
            model.keep(game.get(), &mut self.observer)?;
        }
        let mut solution = self.finish(game, model, number)?;
        solution.model_mut().forget();
        Ok(solution)
    }

    fn finish<'g, G: Game + ?Sized, M: Model<G>>(
        mut self,
        game: Held<'g, G>,
        model: M,
        start: usize,
    ) -> Result<Solution<'g, G, N, M>, Error> {
        self.check_cycles(game.get(), &model)?;
        let values = induction::solve(
            game.get(),
            &model,
            &self.tolerance,
            self.limits.bytes,
            self.threads,
            &mut self.observer,
        )?;
        Ok(Solution::new(game, model, values, start, self.limits.bytes))
    }
}
