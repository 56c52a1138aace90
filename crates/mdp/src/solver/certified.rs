//! Solving in floats with proof, and from there to exact answers.

use super::{Solver, known};
use crate::boxed::Boxed;
use crate::explored::Explored;
use crate::induction;
use crate::model::Model;
use crate::number::Store;
use crate::solution::Held;
use crate::{
    Certified, Enclosing, Error, Game, Indexed, Narrowed, Number, Solution, Tabled, Tabular,
    Tolerance,
};

/// The exact solution of the part that is left of a game that was enclosed in numbers `N`.
pub(super) type Settled<'g, G, N, M> = Solution<'g, G, <N as Enclosing>::Settled, Narrowed<M>>;

impl Solver<'_, Certified> {
    /// Creates a solver that computes in floating point with proof. Every value is enclosed between
    /// two floats, rounding included, and every decision is either proven or reported as undecided.
    /// See [`Certified`].
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
}

impl<N: Enclosing> Solver<'_, N> {
    /// Sets whether [`certify`](Solver::certify) keeps every action that may be optimal. Off by
    /// default: an action that is proven to be no *better* than the best one is dropped, even if it
    /// is equally good.
    ///
    /// If set, the [best](Solution::best) actions of every state that is kept are those of
    /// [`exact`](Solver::exact). The cost is that everything that tied actions lead to is kept as
    /// well and solved exactly. Where a player has certainly lost, for example, all actions tie.
    ///
    /// # Examples
    /// Two doors, each of which is certain to pay 1. Floats prove that neither is better than the
    /// other.
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// let doors = Table::from_fn(4, |state, row| match state {
    ///     0..=2 => row.end((state + 1) / 2),
    ///     _ => {
    ///         row.choice().to(1, 1);
    ///         row.choice().to(2, 1);
    ///         row.choice().to(0, 1);
    ///     }
    /// })?;
    /// let one = Solver::certified().certify_table(&doors, 3)?;
    /// assert_eq!((one.best(&3)?, one.len()), (vec![0], 2));
    /// let all = Solver::certified().all_ties(true).certify_table(&doors, 3)?;
    /// assert_eq!((all.best(&3)?, all.len()), (vec![0, 1], 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn all_ties(mut self, all: bool) -> Self {
        self.ties = all;
        self
    }

    /// Finds the exact value and a policy that is proven to be optimal, at little more than the
    /// cost of floats.
    ///
    /// All states are first enclosed in floats. Then, from the start forward, only the states that
    /// optimal play can lead to are kept, each with the actions that are not proven to be no better
    /// than another. Nearly everywhere this is a single action; [`all_ties`](Solver::all_ties)
    /// keeps those that tie. Only this part of the game is solved exactly. The result is that exact
    /// solution: [`len`](Solution::len) counts the states that were kept, every decision in them is
    /// optimal, and states that optimal play does not lead to are unknown to it. A [`Tolerance`] is
    /// ignored.
    ///
    /// With [`allow_cycles`](Solver::allow_cycles), the same is done for games that can return to a
    /// state. If every decision of a component is proven, what is left to solve exactly is a single
    /// policy there, often without any cycle. A game with a total that cannot be enclosed
    /// ([`Error::NotEnclosed`] elsewhere, see [`Cyclic`](crate::Cyclic)) is solved exactly as a
    /// whole.
    ///
    /// # Errors
    /// The same as for [`solve`](Solver::solve).
    ///
    /// # Complexity
    /// That of [`certified`](Solver::certified), plus that of [`exact`](Solver::exact) for the part
    /// that is kept.
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
    ///
    /// # use oddsmith_mdp::Table;
    /// // Bold play or careful play from 1 to 4, where a coin is won 2 times in 5:
    /// let bets = Table::from_fn(5, |hand, row| match hand {
    ///     0 | 4 => row.end(hand == 4),
    ///     _ => {
    ///         row.choice().to(hand - 1, 3).to(hand + 1, 2);
    ///         let bold = hand.min(4 - hand);
    ///         row.choice().to(hand - bold, 3).to(hand + bold, 2);
    ///     }
    /// })?;
    /// let bold = Solver::certified().allow_cycles().certify_table(&bets, 1)?;
    /// assert_eq!(bold.value().to_string(), "4/25");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn certify<'g, G: Game + ?Sized>(
        mut self,
        game: &'g G,
        start: G::State,
    ) -> Result<Settled<'g, G, N, Explored<G>>, Error> {
        self.threads.check()?;
        let cycles = N::Store::CYCLES;
        let model = Explored::explore(game, start, self.limits, cycles, &mut self.observer)?;
        self.narrow(game, model, 0, |_| ())
    }

    /// Does the same as [`certify`](Solver::certify), for a game whose states fill a box.
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
    /// let solution = Solver::certified().certify_indexed(&Stair, 5)?;
    /// assert_eq!(solution.value().to_string(), "11/16");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn certify_indexed<'g, G: Indexed + ?Sized>(
        mut self,
        game: &'g G,
        start: G::State,
    ) -> Result<Settled<'g, G, N, Boxed>, Error> {
        self.threads.check()?;
        let mut model = Boxed::new(game, self.limits)?;
        let number = model.start(game, &start)?;
        if N::Store::CYCLES {
            model.keep_with_cycles(game, &mut self.observer)?;
        }
        let mut solution = self.narrow(game, model, number, Boxed::tidy)?;
        solution.model_mut().inner_mut().forget();
        Ok(solution)
    }

    /// Does the same as [`certify`](Solver::certify), for a table.
    ///
    /// # Errors
    /// The same as for [`solve_table`](Solver::solve_table).
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
    ) -> Result<Settled<'g, T, N, Tabled>, Error> {
        self.check_table(table, start)?;
        let model = Tabled::new(table, false, N::Store::CYCLES)?;
        let number = known(table, &model, &start)?;
        self.narrow(table, model, number, Tabled::tidy)
    }

    pub(super) fn narrow<'g, G: Game + ?Sized, M: Model<G>>(
        mut self,
        game: &'g G,
        mut model: M,
        start: usize,
        tidy: impl Fn(&mut M),
    ) -> Result<Settled<'g, G, N, M>, Error> {
        self.check_cycles(game, &model)?;
        let strict = Tolerance::strict();
        let (max_bytes, threads) = (self.limits.bytes, self.threads);
        let enclosed = match induction::solve::<_, _, N::Store>(
            game,
            &model,
            &strict,
            max_bytes,
            threads,
            &mut self.observer,
        ) {
            // Floats cannot tell which part to keep, so the whole game is solved in fractions.
            Err(Error::NotEnclosed { .. }) => None,
            enclosed => Some(enclosed?),
        };
        tidy(&mut model);
        let known = enclosed.as_ref();
        let model =
            Narrowed::new::<G, N>(game, model, start, known, self.ties, &mut self.observer)?;
        drop(enclosed);
        let values = model.solve::<G, <N::Settled as Number>::Store>(
            game,
            max_bytes,
            threads,
            &mut self.observer,
        )?;
        let start = model.number_of(start);
        let game = Held::Borrowed(game);
        Ok(Solution::new(game, model, values, start, max_bytes))
    }
}
