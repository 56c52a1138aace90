//! Solving for several numbers of steps, or several objectives, at once.

use num_rational::BigRational;

use super::Solver;
use crate::gathered::Gathered;
use crate::limits::Limits;
use crate::objective::MOST_TERMS;
use crate::progress::Observer;
use crate::solution::Held;
use crate::{
    Aimed, Error, Game, Horizon, Lexicographic, Number, Objective, Played, Policy, Staged, Stages,
    Tolerance,
};

impl<N: Number> Solver<'_, N> {
    /// Returns a solver with the same limits and observer, without a tolerance.
    fn again(&mut self) -> Solver<'_, N> {
        let observer = &mut self.observer;
        Solver {
            limits: self.limits,
            max_cycle: self.max_cycle,
            tolerance: Tolerance::strict(),
            ties: self.ties,
            threads: self.threads,
            observer: Observer::new(|progress| observer.pass_on(progress)),
            number: self.number,
        }
    }

    /// Does the same as [`again`](Self::again), with room for the state before this many starts,
    /// which does not belong to the game.
    fn gathering(&mut self, starts: usize) -> Solver<'_, N> {
        let mut solver = self.again();
        solver.limits.states = solver.limits.states.saturating_add(1);
        solver.limits.outcomes = solver.limits.outcomes.saturating_add(starts);
        solver
    }

    /// Solves a game for every number of steps up to `steps` at once: all states that can be
    /// reached from `start`, with every number of steps left that they can occur with.
    ///
    /// A [`Tolerance`] has the same effect as in [`solve`](Solver::solve).
    ///
    /// # Errors
    /// The same as for [`solve`](Solver::solve).
    ///
    /// # Complexity
    /// That of a game with `steps` times as many states; it does not grow with the square of
    /// `steps`.
    ///
    /// # Examples
    /// How likely is a 6 with up to 0, 1, 2 or 3 rolls?
    /// ```
    /// use oddsmith_mdp::{Horizon, Solver, Table};
    /// let six = Table::from_fn(2, |state, row| match state {
    ///     0 => row.end(1),
    ///     _ => {
    ///         row.choice().to(0, 1).to(1, 5);
    ///     }
    /// })?;
    /// let stages = Solver::exact().stages(&Horizon::new(&six), 1, 3)?;
    /// let values: Vec<String> = stages.values()?.iter().map(|v| v.to_string()).collect();
    /// assert_eq!(values, ["0", "1/6", "11/36", "91/216"]);
    /// assert_eq!(stages.value_of(2, &1)?.to_string(), "11/36");
    /// assert_eq!(stages.decision(2, &1)?, Some(0));
    /// assert_eq!((stages.len(), stages.is_empty()), (7, false)); // 3 × over, 4 × not
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stages<'g, G: Game + ?Sized>(
        mut self,
        horizon: &Horizon<'g, G>,
        start: G::State,
        steps: u32,
    ) -> Result<Stages<'g, G, N>, Error> {
        if steps as usize >= self.limits.states {
            return Err(Error::TooManyStates {
                limit: self.limits.states,
            });
        }
        let starts = (0..=steps).map(|left| Staged::new(left, start.clone()));
        let game = Gathered::new(horizon.clone(), starts.collect());
        let tolerance = self.tolerance;
        let solver = self.gathering(game.starts()).tolerance(tolerance);
        let solution = solver.solve_held(Held::Owned(Box::new(game)), None);
        let limits = self.limits;
        Ok(Stages::new(
            solution.map_err(|error| within(error, limits))?,
            start,
            steps,
        ))
    }

    /// Evaluates one policy from `start` for each of several objectives.
    ///
    /// The policy makes the decisions of both players.
    ///
    /// # Errors
    /// The same as for [`evaluate`](Solver::evaluate). [`Error::BadParameter`], before any work,
    /// for more than a thousand objectives, so that an endless list is detected.
    ///
    /// # Complexity
    /// One evaluation for each objective.
    ///
    /// # Examples
    /// A player rolls a die again until it shows 3 or more. What is the chance of a 6, how many
    /// pips are expected, and after how many moves?
    /// ```
    #[doc = include_str!("../../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::Objective;
    ///
    /// let cautious = |&(_, pips): &(u8, u8), actions: &[&str]| {
    ///     usize::from(pips < 3 && actions.len() > 1)
    /// };
    /// let objectives = [
    ///     Objective::at_least(6),
    ///     Objective::score(),
    ///     Objective::fewest_steps(),
    /// ];
    /// let values = Solver::exact().evaluate_all(&KeepOrRoll, cautious, (3, 0), objectives)?;
    /// let values: Vec<String> = values.iter().map(|value| value.to_string()).collect();
    /// assert_eq!(values, ["13/54", "79/18", "7/3"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate_all<'g, G: Game + ?Sized, P: Policy<G>>(
        mut self,
        game: &'g G,
        policy: P,
        start: G::State,
        objectives: impl IntoIterator<Item = Objective<'g, G::State>>,
    ) -> Result<Vec<N::Value>, Error> {
        let objectives = at_most_a_thousand(objectives, "at most 1,000")?;
        let mut values = Vec::with_capacity(objectives.len());
        for objective in objectives {
            let aimed = Aimed::new(game, objective);
            let played = Played::new(&aimed, Lent(&policy)).by_both();
            let solution = self
                .again()
                .solve_held(Held::Borrowed(&played), start.clone())?;
            values.push(solution.value());
        }
        Ok(values)
    }
}

/// Collects a list that may be endless.
fn at_most_a_thousand<T>(
    objectives: impl IntoIterator<Item = T>,
    allowed: &'static str,
) -> Result<Vec<T>, Error> {
    let objectives: Vec<T> = objectives.into_iter().take(MOST_TERMS + 1).collect();
    match objectives.len() {
        ..=MOST_TERMS => Ok(objectives),
        more => Err(wrong_number(format!("{more} or more"), allowed)),
    }
}

fn wrong_number(given: String, allowed: &'static str) -> Error {
    Error::BadParameter {
        parameter: "the number of objectives",
        given,
        allowed,
    }
}

impl<N: Number<Value = BigRational>> Solver<'_, N> {
    /// Solves for one objective after the other. See [`Lexicographic`].
    ///
    /// Works in exact numbers only, where ties are certain, and also with
    /// [`allow_cycles`](Solver::allow_cycles). A [`Tolerance`] is ignored.
    ///
    /// # Errors
    /// The same as for [`solve`](Solver::solve), for each of the objectives.
    /// [`Error::BadParameter`] if there is none, or if there are more than a thousand.
    ///
    /// # Complexity
    /// That of [`solve`](Solver::solve) for each objective, plus an appraisal of all actions
    /// between two objectives.
    ///
    /// # Examples
    /// Two rolls for a 6 and, second, as many pips as possible:
    /// ```
    #[doc = include_str!("../../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::Objective;
    /// let objectives = [Objective::at_least(6), Objective::score()];
    /// let plan = Solver::exact().lexicographic(&KeepOrRoll, (2, 0), objectives)?;
    /// let values: Vec<String> = plan.values()?.iter().map(|v| v.to_string()).collect();
    /// assert_eq!(values, ["11/36", "47/12"]);
    /// assert_eq!(plan.decision(&(1, 5))?, Some("roll")); // the 6 comes first
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lexicographic<'g, G: Game + ?Sized>(
        mut self,
        game: &'g G,
        start: G::State,
        objectives: impl IntoIterator<Item = Objective<'g, G::State>>,
    ) -> Result<Lexicographic<'g, G, N>, Error> {
        let allowed = "1 to 1,000";
        let objectives = at_most_a_thousand(objectives, allowed)?;
        if objectives.is_empty() {
            return Err(wrong_number("0".to_owned(), allowed));
        }
        let limits = self.limits;
        Lexicographic::new(game, start, objectives, |game| {
            let solver = self.gathering(game.starts());
            let solution = solver.solve_held(Held::Owned(Box::new(game)), None);
            solution.map_err(|error| within(error, limits))
        })
    }
}

/// Restores the limits that were set, without the room for the state before the first one, and
/// reports the progress without that state.
fn within(error: Error, limits: Limits) -> Error {
    match error {
        Error::TooManyStates { .. } => Error::TooManyStates {
            limit: limits.states,
        },
        Error::OutcomesOutgrow { state, done, limit } => Error::OutcomesOutgrow {
            state,
            done: done.saturating_sub(1),
            limit: limit.min(limits.outcomes),
        },
        Error::CycleTooLarge {
            state,
            cycle,
            found,
            limit,
        } => Error::CycleTooLarge {
            state,
            cycle,
            found: found.saturating_sub(1),
            limit,
        },
        error => error,
    }
}

/// A policy of a game, lent to the same game with another objective.
struct Lent<'p, P>(&'p P);

impl<G: Game + ?Sized, P: Policy<G>> Policy<Aimed<'_, G>> for Lent<'_, P> {
    fn weigh(&self, state: &G::State, actions: &[G::Action], weights: &mut [u64]) {
        self.0.weigh(state, actions, weights);
    }
}
