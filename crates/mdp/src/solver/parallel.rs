//! Solving with several threads.

use super::Solver;
use crate::Number;
use crate::threads::Threads;

impl<N: Number> Solver<'_, N> {
    /// Sets the number of threads that compute large layers.
    ///
    /// The default, 1, is the calling thread. 0 stands for rayon's pool, normally one thread per
    /// core (if the solver is called within a pool, that pool). Any other number of threads is
    /// started for this solve and ended with it.
    ///
    /// A *layer* consists of the states with equally long longest paths to an end. They do not lead
    /// to each other, so their values can be computed at the same time. The results are the same
    /// bit for bit, whatever the number of threads. A single thread finds the states and, in exact
    /// numbers, their denominators. It also computes layers of a few hundred states, games [with
    /// cycles](Solver::allow_cycles), and games whose rows are generated when they are read:
    /// [`Generated`](crate::Generated) games and, in floats, those of
    /// [`solve_indexed`](Solver::solve_indexed).
    ///
    /// If some states cannot be solved, the error does not depend on the number of threads either:
    /// a single thread starts over and reports the first of these states in the order of the model.
    ///
    /// # Errors
    /// Solving ends in [`Error::Threads`](crate::Error::Threads) if there are more than 1,024
    /// threads, or if they cannot be started.
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
