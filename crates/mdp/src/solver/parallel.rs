//! Solving with several threads.

use super::Solver;
use crate::Number;
use crate::threads::Threads;

impl<N: Number> Solver<'_, N> {
    /// Computes large layers with so many threads: 1, the default, is the thread
    /// that asks; 0 stands for rayon's pool, as a rule one thread a core (the pool
    /// in which the solver is called, if it is in one); any other number is
    /// started for this solve and ended with it.
    ///
    /// States of one *layer*, those with equally long longest ways to an end, do
    /// not lead to each other, so their values can be found at the same time.
    /// The results are the same bit for bit, whatever the number. Finding the
    /// states, and in exact numbers their denominators, stays with one thread, and
    /// so do layers of a few hundred states, games
    /// [with cycles](Solver::allow_cycles), and games whose rows are made when
    /// they are read: [`Generated`](crate::Generated), and in floats those of
    /// [`solve_indexed`](Solver::solve_indexed).
    ///
    /// So is the error where some states cannot be solved: one thread then begins
    /// again, and finds the first of them in the order of the model.
    ///
    /// # Errors
    /// Solving ends in [`Error::Threads`](crate::Error::Threads) if there are more
    /// than 1,024 or they cannot be started.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// // 999 layers: state 2i + 2 or 2i + 3 leads to one of the two before it.
    /// let table = Table::from_fn(2_000, |state, row| match state {
    ///     0 | 1 => row.end(state),
    ///     _ => {
    ///         let below = state / 2 * 2 - 2;
    ///         row.choice().to(below, 1).to(below + 1, 2);
    ///     }
    /// })?;
    /// let alone = Solver::float().solve_table(&table, 1_999)?.value();
    /// let helped = Solver::float().threads(2).solve_table(&table, 1_999)?.value();
    /// assert_eq!(helped.to_bits(), alone.to_bits());
    ///
    /// let too_many = Solver::float().threads(100_000).solve_table(&table, 0).err();
    /// assert!(too_many.is_some_and(|error| error.to_string().contains("1024")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Threads::new(threads);
        self
    }
}
