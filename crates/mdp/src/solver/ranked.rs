//! Solving by ranks.

use super::Solver;
use super::certified::Settled;
use crate::rank::ByRank;
use crate::solution::Held;
use crate::{Enclosing, Error, Number, Played, Policy, Ranked, Solution};

impl<N: Number> Solver<'_, N> {
    /// Solves a [`Ranked`] game like [`solve`](Solver::solve), except that states are found rank by
    /// rank and looked up among those of their rank.
    ///
    /// # Errors
    /// The same as for [`solve`](Solver::solve), and [`Error::RankNotLower`] if an outcome does not
    /// have a lower rank than its state. This also rules out cycles, whether or not they are
    /// allowed.
    ///
    /// # Complexity
    /// That of [`solve`](Solver::solve), without the search for an order: some 15 % less time for
    /// hundreds of thousands of states in ranks of thousands.
    ///
    /// # Examples
    /// A walk down from 100 by one or two steps. The rank is the position:
    /// ```
    /// use oddsmith_mdp::{Error, Game, Node, Ranked, Solver};
    ///
    /// struct Walk;
    /// impl Game for Walk {
    ///     type State = u32;
    ///     type Action = ();
    ///     fn expand(&self, &at: &u32, node: &mut Node<Self>) {
    ///         match at {
    ///             0 | 1 => node.end(at),
    ///             _ => {
    ///                 node.chance().to(at - 1, 1).to(at - 2, 1);
    ///             }
    ///         }
    ///     }
    /// }
    /// impl Ranked for Walk {
    ///     fn rank(&self, &at: &u32) -> u64 {
    ///         at.into()
    ///     }
    /// }
    /// let solution = Solver::float().solve_ranked(&Walk, 100)?;
    /// assert!((solution.value() - 2.0 / 3.0).abs() < 1e-12);
    /// assert_eq!(solution.len(), 101);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_ranked<'g, G: Ranked + ?Sized>(
        self,
        game: &'g G,
        start: G::State,
    ) -> Result<Solution<'g, G, N, ByRank<G>>, Error> {
        self.solve_ranks(Held::Borrowed(game), start)
    }

    /// Does the same as [`solve_ranked`](Solver::solve_ranked), but the solution owns the game.
    ///
    /// # Errors
    /// The same as for [`solve_ranked`](Solver::solve_ranked).
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node, Ranked, Solver};
    /// # struct Stair;
    /// # impl Game for Stair {
    /// #     type State = u32;
    /// #     type Action = u32;
    /// #     fn expand(&self, &step: &u32, node: &mut Node<Self>) {
    /// #         if step <= 1 { return node.end(step); }
    /// #         node.choice(1).to(step - 1, 1);
    /// #         node.choice(2).to(step - 2, 1);
    /// #     }
    /// # }
    /// # impl Ranked for Stair {
    /// #     fn rank(&self, &step: &u32) -> u64 { step.into() }
    /// # }
    /// let solution = Solver::exact().solve_ranked_owned(Stair, 4)?;
    /// assert_eq!(solution.value().to_string(), "1");
    /// assert_eq!(solution.decision(&2)?, Some(1)); // not 2, which ends on 0
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_ranked_owned<G: Ranked>(
        self,
        game: G,
        start: G::State,
    ) -> Result<Solution<'static, G, N, ByRank<G>>, Error> {
        self.solve_ranks(Held::Owned(Box::new(game)), start)
    }

    /// Evaluates `policy` in a ranked game, like [`evaluate`](Solver::evaluate).
    ///
    /// # Errors
    /// The same as for [`solve_ranked`](Solver::solve_ranked) and [`evaluate`](Solver::evaluate).
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node, Ranked, Solver};
    /// # struct Stair;
    /// # impl Game for Stair {
    /// #     type State = u32;
    /// #     type Action = u32;
    /// #     fn expand(&self, &step: &u32, node: &mut Node<Self>) {
    /// #         if step <= 1 { return node.end(step); }
    /// #         node.choice(1).to(step - 1, 1);
    /// #         node.choice(2).to(step - 2, 1);
    /// #     }
    /// # }
    /// # impl Ranked for Stair {
    /// #     fn rank(&self, &step: &u32) -> u64 { step.into() }
    /// # }
    /// // Two steps at a time from an even step end on 0, from an odd one on 1.
    /// let twice = |_: &u32, _: &[u32]| 1;
    /// let evaluation = Solver::exact().evaluate_ranked(&Stair, twice, 4)?;
    /// assert_eq!(evaluation.value().to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[expect(
        clippy::type_complexity,
        reason = "the game that was played, by whom, and how it was explored"
    )]
    pub fn evaluate_ranked<'g, G: Ranked + ?Sized, P: Policy<G>>(
        self,
        game: &'g G,
        policy: P,
        start: G::State,
    ) -> Result<Solution<'g, Played<'g, G, P>, N, ByRank<Played<'g, G, P>>>, Error> {
        self.solve_ranks(Held::Owned(Box::new(Played::new(game, policy))), start)
    }

    fn solve_ranks<'g, G: Ranked + ?Sized>(
        mut self,
        game: Held<'g, G>,
        start: G::State,
    ) -> Result<Solution<'g, G, N, ByRank<G>>, Error> {
        self.threads.check()?;
        let model = ByRank::explore(game.get(), start, self.limits, &mut self.observer)?;
        self.finish(game, model, 0)
    }
}

impl<N: Enclosing> Solver<'_, N> {
    /// Does the same as [`certify`](Solver::certify), for a [`Ranked`] game.
    ///
    /// # Errors
    /// The same as for [`certify`](Solver::certify) and [`solve_ranked`](Solver::solve_ranked).
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node, Ranked, Solver};
    /// # struct Stair;
    /// # impl Game for Stair {
    /// #     type State = u32;
    /// #     type Action = u32;
    /// #     fn expand(&self, &step: &u32, node: &mut Node<Self>) {
    /// #         if step <= 1 { return node.end(step); }
    /// #         node.choice(1).to(step - 1, 1);
    /// #         node.choice(2).to(step - 2, 1);
    /// #     }
    /// # }
    /// # impl Ranked for Stair {
    /// #     fn rank(&self, &step: &u32) -> u64 { step.into() }
    /// # }
    /// let solution = Solver::certified().certify_ranked(&Stair, 5)?;
    /// assert_eq!(solution.value().to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn certify_ranked<'g, G: Ranked + ?Sized>(
        mut self,
        game: &'g G,
        start: G::State,
    ) -> Result<Settled<'g, G, N, ByRank<G>>, Error> {
        self.threads.check()?;
        let model = ByRank::explore(game, start, self.limits, &mut self.observer)?;
        self.narrow(game, model, 0, |_| ())
    }
}
