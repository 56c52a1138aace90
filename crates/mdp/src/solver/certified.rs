//! In floats with proof, and from there to exact answers.

use super::{Solver, known};
use crate::boxed::Boxed;
use crate::explored::Explored;
use crate::induction;
use crate::model::Model;
use crate::solution::Held;
use crate::{
    Certified, Error, Exact, Game, Indexed, Narrowed, Solution, Tabled, Tabular, Tolerance,
};

impl Solver<'_, Certified> {
    /// Solves in floating point with proof: every value is enclosed between two
    /// floats, rounding included, and every decision is proven or said to be
    /// undecided. See [`Certified`].
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node};
    /// # struct KeepOrRoll;
    /// # impl Game for KeepOrRoll {
    /// #     type State = (u8, u8);
    /// #     type Action = &'static str;
    /// #     fn expand(&self, &(left, pips): &(u8, u8), node: &mut Node<Self>) {
    /// #         if left == 0 { return node.end(pips); }
    /// #         if pips > 0 { node.choice("keep").to((0, pips), 1); }
    /// #         let mut roll = node.choice("roll");
    /// #         for face in 1..=6 { roll.to((left - 1, face), 1); }
    /// #     }
    /// # }
    /// use oddsmith_mdp::Solver;
    /// let solution = Solver::certified().solve(&KeepOrRoll, (3, 0))?;
    /// let (lower, upper) = solution.enclosure(&(3, 0))?;
    /// assert!(lower <= 14.0 / 3.0 && 14.0 / 3.0 <= upper && upper - lower < 1e-13);
    /// assert!(solution.is_proven(&(2, 4))?); // 17/4 by rolling, 4 by keeping
    /// assert_eq!(solution.undecided(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn certified() -> Self {
        Solver::new()
    }

    /// The exact value and a policy that is proven to be optimal, at little more
    /// than the cost of floats.
    ///
    /// All states are enclosed in floats first. From the start forward, only the
    /// states that optimal play can lead to are then kept, each with the actions
    /// that the enclosures could not tell from the best, which is one nearly
    /// everywhere; and only this part of the game is solved exactly. What is
    /// returned is that exact solution: its [`len`](Solution::len) counts the
    /// states kept, every decision in them is optimal, and states that optimal
    /// play does not lead to are unknown to it. A [`Tolerance`] is not regarded.
    ///
    /// # Errors
    /// As for [`solve`](Solver::solve).
    ///
    /// # Complexity
    /// That of [`certified`](Solver::certified), and that of
    /// [`exact`](Solver::exact) for the part that is kept.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node};
    /// # struct KeepOrRoll;
    /// # impl Game for KeepOrRoll {
    /// #     type State = (u8, u8);
    /// #     type Action = &'static str;
    /// #     fn expand(&self, &(left, pips): &(u8, u8), node: &mut Node<Self>) {
    /// #         if left == 0 { return node.end(pips); }
    /// #         if pips > 0 { node.choice("keep").to((0, pips), 1); }
    /// #         let mut roll = node.choice("roll");
    /// #         for face in 1..=6 { roll.to((left - 1, face), 1); }
    /// #     }
    /// # }
    /// use oddsmith_mdp::Solver;
    /// let solution = Solver::certified().certify(&KeepOrRoll, (3, 0))?;
    /// assert_eq!(solution.value().to_string(), "14/3");
    /// assert_eq!(solution.decision(&(2, 4))?, Some("roll"));
    /// assert_eq!(solution.settled(), 0); // nowhere were floats not enough
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn certify<'g, G: Game + ?Sized>(
        mut self,
        game: &'g G,
        start: G::State,
    ) -> Result<Solution<'g, G, Exact, Narrowed<Explored<G>>>, Error> {
        let model = Explored::explore(game, start, self.max_states, false, &mut self.observer)?;
        self.narrow(game, model, 0, |_| ())
    }

    /// As [`certify`](Solver::certify), for a game whose states fill a box.
    ///
    /// # Errors
    /// As for [`solve_indexed`](Solver::solve_indexed).
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
    /// let solution = Solver::certified().certify_indexed(&Stair, 5)?;
    /// assert_eq!(solution.value().to_string(), "11/16");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn certify_indexed<'g, G: Indexed + ?Sized>(
        self,
        game: &'g G,
        start: G::State,
    ) -> Result<Solution<'g, G, Exact, Narrowed<Boxed>>, Error> {
        let model = Boxed::new(game, self.max_states)?;
        let number = known(game, &model, &start)?;
        self.narrow(game, model, number, Boxed::tidy)
    }

    /// As [`certify`](Solver::certify), for a table.
    ///
    /// # Errors
    /// As for [`solve_table`](Solver::solve_table).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// // Two ways to the same chance: a tie, which floats cannot prove.
    /// let table = Table::from_fn(3, |state, row| match state {
    ///     0 | 1 => row.end(state),
    ///     _ => {
    ///         row.choice().to(0, 2).to(1, 1);
    ///         row.choice().to(1, 3).to(0, 6);
    ///     }
    /// })?;
    /// let solution = Solver::certified().certify_table(&table, 2)?;
    /// assert_eq!(solution.value().to_string(), "1/3");
    /// assert_eq!((solution.settled(), solution.best(&2)?), (1, vec![0, 1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn certify_table<'g, T: Tabular>(
        self,
        table: &'g T,
        start: usize,
    ) -> Result<Solution<'g, T, Exact, Narrowed<Tabled>>, Error> {
        self.check_len(table)?;
        let model = Tabled::new(table, false, false)?;
        let number = known(table, &model, &start)?;
        self.narrow(table, model, number, Tabled::tidy)
    }

    fn narrow<'g, G: Game + ?Sized, M: Model<G>>(
        mut self,
        game: &'g G,
        mut model: M,
        start: usize,
        tidy: impl Fn(&mut M),
    ) -> Result<Solution<'g, G, Exact, Narrowed<M>>, Error> {
        let strict = Tolerance::strict();
        let enclosed = induction::solve(game, &model, &strict, self.max_bytes, &mut self.observer)?;
        tidy(&mut model);
        let model = Narrowed::new(game, model, start, &enclosed)?;
        drop(enclosed);
        let values = model.solve(game, self.max_bytes, &mut self.observer)?;
        let start = model.number_of(start);
        let game = Held::Borrowed(game);
        Ok(Solution::new(game, model, values, start, self.max_bytes))
    }
}
