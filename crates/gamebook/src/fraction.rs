//! The value of best play as a fraction.

use num_rational::BigRational;
use oddsmith_mdp::Solver;

use crate::reduced_game::ReducedGame;
use crate::{BookSolver, Error, Place};

impl BookSolver<'_> {
    /// Computes the value of best play from a place as a fraction. It visits every reachable sheet,
    /// except that sheets are merged that differ only in what nothing reads any more, as in
    /// [`ReducedGame`].
    ///
    /// Best play is the best policy among those that come to an end.
    /// [Must-haves](BookSolver::must_haves) and [forgetting](BookSolver::forget) apply as in
    /// [`solve`](BookSolver::solve). Diagrams and deferred losses do not.
    ///
    /// # Errors
    /// [`Error::TooManyPlaces`] for too many places. [`Error::Solve`] beyond
    /// [`max_bytes`](BookSolver::max_bytes), for any other error of the solver, and where nothing
    /// can ever end the adventure, since no fraction is known then. A place in such an error is a
    /// merged one: a stat that nothing reads any more has any value there.
    ///
    /// # Complexity
    /// The same as for [`Book::solve`](crate::Book::solve), on the remaining places. From section
    /// 20 of City of Thieves, which leads to 205 others, these are 0.6 million for a hero with
    /// STAMINA 2 (eight seconds, a fraction of 172 digits) and more than 8 million for one with
    /// STAMINA 12. This solves part of a long book, but not the whole of it.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().luck(1, 2, 3).luck(2, 4, 3).lost(3).won(4).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let solver = BookSolver::new(&game);
    /// assert_eq!(solver.solve_exact(game.start())?.to_string(), "35/144"); // 21/36 · 15/36
    /// assert!((solver.solve(game.start())?.win() - 35.0 / 144.0).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_exact(&self, start: Place) -> Result<BigRational, Error> {
        let reduced = ReducedGame::new(self.game, self.settings.left_out);
        let solver = Solver::exact().max_bytes(self.bytes() as u128);
        let solution = solver
            .allow_cycles()
            .solve(&reduced, reduced.place(start))
            .map_err(Error::of_places)?;
        Ok(solution.value())
    }
}
