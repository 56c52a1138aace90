//! Limits on the resources that solving may use.

use super::Solver;
use crate::model::Model;
use crate::{Error, Game, Number};

impl<N: Number> Solver<'_, N> {
    /// Limits the number of states. Beyond it, solving ends with [`Error::TooManyStates`]. The
    /// default is 20 million, and the limit is never more than 2³² − 1.
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

    /// Limits the number of outcomes. Beyond it, solving ends with [`Error::OutcomesOutgrow`]. The
    /// default is a billion, which is about as many as fit into the default limit on bytes.
    ///
    /// The limit applies to the outcomes that are held at one time: those of all states found so
    /// far, and those that are being written for the next state. Equal outcomes of one choice of a
    /// state found earlier count once (those of one cell of a [`Meeting`](crate::Meeting) do not);
    /// those being written are counted one by one. Outcomes beyond the limit are not kept even
    /// while a state is written, and [`Choice::to_all`](crate::Choice::to_all) draws no more of
    /// them.
    ///
    /// Boxes keep no outcomes if there are too many; the limit then applies to each state by
    /// itself. If there may be [cycles](Solver::allow_cycles), all outcomes are kept. Tables are
    /// not limited: a [`Table`](crate::Table) already exists, and a [`Generated`](crate::Generated)
    /// game writes one row at a time, with fewer than 2³² outcomes. Weights and rewards count as
    /// [bytes](Solver::max_bytes).
    ///
    /// # Examples
    /// Six distinguishable dice have 46,656 outcomes, and a single state in which they are rolled:
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

    /// Limits the memory, in bytes. Beyond it, solving ends with [`Error::TooMuchMemory`]. The
    /// default is 4 GiB.
    ///
    /// The limit applies to three things, each by itself: the values; the rows of the states found
    /// so far, which are stored beside the values; and the outcomes of one state while they are
    /// written (reported within [`Error::InState`]). 4,096 outcomes of a state are always allowed,
    /// and so are the rows of tables, whatever they take. What states own on the heap and weights
    /// beyond 64 bits are not counted.
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

    /// Limits the number of states that can all lead back to each other. Beyond it, solving ends
    /// with [`Error::CycleTooLarge`] before anything is solved. There is no limit by default.
    ///
    /// This is useful with [`allow_cycles`](Solver::allow_cycles): m such states take time that
    /// grows up to m³, and still faster in fractions, whose digits also grow with m. Hundreds of
    /// states take little time; ten thousand may take hours. See [`Cyclic`](crate::Cyclic). An
    /// [observer](Solver::observe) can also stop the work at any time.
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
    /// let wanted = "a cycle of 9 of the 11 states found, one of them 9, exceeds the limit of 8; \
    ///               raise it with `max_cycle`";
    /// assert_eq!(error.map(|error| error.to_string()).as_deref(), Some(wanted));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_cycle(mut self, limit: usize) -> Self {
        self.max_cycle = limit;
        self
    }

    /// Returns an error if the largest set of states that can all lead back to each other exceeds
    /// the limit.
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
