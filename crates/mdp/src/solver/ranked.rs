//! Solving by ranks.

use super::Solver;
use crate::rank::ByRank;
use crate::solution::Held;
use crate::{Error, Number, Ranked, Solution};

impl<N: Number> Solver<'_, N> {
    /// Solves a [`Ranked`] game: as [`solve`](Solver::solve), but states are found
    /// rank by rank and looked up among those of their rank.
    ///
    /// # Errors
    /// As for [`solve`](Solver::solve), and [`Error::RankNotLower`] where an outcome
    /// does not rank lower than its state. There are no cycles then, whether or not
    /// they are allowed.
    ///
    /// # Complexity
    /// That of [`solve`](Solver::solve), without the search for an order: some 15 %
    /// less time for hundreds of thousands of states in ranks of thousands.
    ///
    /// # Examples
    /// A walk down from 100 by one or two steps; the rank is where it stands.
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
        mut self,
        game: &'g G,
        start: G::State,
    ) -> Result<Solution<'g, G, N, ByRank<G>>, Error> {
        let model = ByRank::explore(game, start, self.limits, &mut self.observer)?;
        self.finish(Held::Borrowed(game), model, 0)
    }
}
