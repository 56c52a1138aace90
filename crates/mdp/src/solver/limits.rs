//! Limits on what solving may take.

use super::Solver;
use crate::model::Model;
use crate::{Error, Game, Number};

impl<N: Number> Solver<'_, N> {
    /// Gives up with [`Error::TooManyStates`] beyond so many states (20
    /// million unless said otherwise; never more than 2³² − 1).
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node};
    /// use oddsmith_mdp::{Error, Solver};
    /// struct Endless;
    /// impl Game for Endless {
    ///     type State = u64;
    ///     type Action = ();
    ///     fn expand(&self, &n: &u64, node: &mut Node<Self>) {
    ///         node.chance().to(n + 1, 1);
    ///     }
    /// }
    /// let error = Solver::exact().max_states(500).solve(&Endless, 0).err();
    /// assert_eq!(error, Some(Error::TooManyStates { limit: 500 }));
    /// ```
    #[must_use]
    pub fn max_states(mut self, limit: usize) -> Self {
        self.limits.states = limit;
        self
    }

    /// Gives up with [`Error::OutcomesOutgrow`] beyond so many outcomes (a billion unless
    /// said otherwise, which is about what the bytes allowed by default can hold).
    ///
    /// Counted are those that are held at one time: of all states found so far, where equal
    /// outcomes of one choice are one (of one cell of a [`Meeting`](crate::Meeting) they are
    /// not), and those that are being written of the next state, one by one. What is beyond is
    /// not kept even while it is written, and [`Choice::to_all`](crate::Choice::to_all) draws no
    /// more. Boxes keep none where there are too many, and are limited in each state by itself;
    /// all are kept where there may be [cycles](Solver::allow_cycles). Tables are not limited: a
    /// [`Table`](crate::Table) is there already, and a [`Generated`](crate::Generated) one
    /// writes a row at a time, of fewer than 2³² outcomes. Weights and rewards are
    /// [bytes](Solver::max_bytes).
    ///
    /// # Examples
    /// Six dice, told apart, have 46,656 outcomes and one state in which to roll them:
    /// ```
    /// # use oddsmith_mdp::{Game, Node};
    /// use oddsmith_mdp::{Error, Solver};
    /// struct Dice;
    /// impl Game for Dice {
    ///     type State = Option<u32>;
    ///     type Action = ();
    ///     fn expand(&self, rolled: &Option<u32>, node: &mut Node<Self>) {
    ///         match rolled {
    ///             Some(rolled) => node.end(*rolled),
    ///             None => {
    ///                 node.chance().to_all((0..6_u32.pow(6)).map(|rolled| (Some(rolled), 1)));
    ///             }
    ///         }
    ///     }
    /// }
    /// let solver = || Solver::exact().max_states(50_000);
    /// let error = solver().max_outcomes(40_000).solve(&Dice, None).err();
    /// let state = "None".to_owned();
    /// assert_eq!(error, Some(Error::OutcomesOutgrow { state, done: 0, limit: 40_000 }));
    /// let solution = solver().max_outcomes(46_656).solve(&Dice, None)?;
    /// assert_eq!(solution.value().to_string(), "46655/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_outcomes(mut self, limit: usize) -> Self {
        self.limits.outcomes = limit;
        self
    }

    /// Gives up with [`Error::TooMuchMemory`] if the values would need more than so
    /// many bytes (4 GiB unless said otherwise), or the rows of the states found so
    /// far, which are kept beside them, do, or, within [`Error::InState`], the outcomes of
    /// one state while they are written (4,096 are in any case, and the rows of tables
    /// whatever they take). All are limited by themselves; what states hold elsewhere, and
    /// weights beyond 64 bits, are not counted.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node};
    /// use oddsmith_mdp::{Error, Solver};
    /// struct Stair;
    /// impl Game for Stair {
    ///     type State = u32;
    ///     type Action = ();
    ///     fn expand(&self, &step: &u32, node: &mut Node<Self>) {
    ///         match step {
    ///             0 => node.end(1),
    ///             _ => { node.chance().to(step - 1, 1).to(0, 2); }
    ///         }
    ///     }
    /// }
    /// let error = Solver::exact().max_bytes(1_000_000).solve(&Stair, 10_000).err();
    /// assert!(matches!(error, Some(Error::TooMuchMemory { needed: 10_000_000.., .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_bytes(mut self, limit: u128) -> Self {
        self.limits.bytes = limit;
        self
    }

    /// Gives up with [`Error::CycleTooLarge`] if more than so many states can all come back
    /// to each other, before anything is solved (no limit unless said otherwise).
    ///
    /// Of use with [`allow_cycles`](Solver::allow_cycles), where m such states take time that
    /// grows up to m³, and in fractions, whose digits grow with m as well, faster still:
    /// hundreds are soon done, ten thousand may take hours. See
    /// [`Cyclic`](crate::Cyclic). Whoever [observes](Solver::observe) can stop the work at
    /// any time instead.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Error, Solver, Table};
    /// let ruin = Table::from_fn(11, |hand, row| match hand {
    ///     0 | 10 => row.end(hand == 10),
    ///     _ => {
    ///         row.choice().to(hand - 1, 1).to(hand + 1, 1);
    ///     }
    /// })?;
    /// let solver = || Solver::exact().allow_cycles();
    /// assert_eq!(solver().max_cycle(9).solve_table(&ruin, 3)?.value().to_string(), "3/10");
    /// let error = solver().max_cycle(8).solve_table(&ruin, 3).err();
    /// let wanted = "9 of the 11 states found can all come back to each other, one of them 9, \
    ///               and the limit is 8; raise it with `max_cycle`";
    /// assert_eq!(error.map(|error| error.to_string()).as_deref(), Some(wanted));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_cycle(mut self, limit: usize) -> Self {
        self.max_cycle = limit;
        self
    }

    /// Refuses the largest set of states that can all come back to each other, if that is
    /// too large.
    pub(super) fn check_cycles<G: Game + ?Sized>(
        &self,
        game: &G,
        model: &impl Model<G>,
    ) -> Result<(), Error> {
        let Some(largest) = model.cycles().iter().max_by_key(|cycle| cycle.len()) else {
            return Ok(());
        };
        if largest.len() <= self.max_cycle {
            return Ok(());
        }
        let first = model.at(largest.start as usize);
        Err(Error::CycleTooLarge {
            state: game.describe(&model.state(game, first)),
            cycle: largest.len(),
            found: model.len(),
            limit: self.max_cycle,
        })
    }
}
