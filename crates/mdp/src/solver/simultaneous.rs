//! Solving games in which both players may decide at once.

use super::Solver;
use crate::{Error, Simultaneous, SimultaneousNumber, SimultaneousSolution};

impl<N: SimultaneousNumber> Solver<'_, N> {
    /// Solves all states that can be reached from `start` in a game in which both players may
    /// decide at the same time.
    ///
    /// A tolerance has no meaning here and is ignored. In exact numbers, the observer is also
    /// called for every state in which play is mixed.
    ///
    /// # Errors
    /// - The rules are wrong: [`Error::DeadEnd`], [`Error::Malformed`], [`Error::MissingCell`],
    ///   [`Error::NoOutcome`], [`Error::BadScore`], [`Error::ScoreBeyondFloat`].
    /// - A state can return to itself: [`Error::CycleOfMeetings`], [`Error::MeetingStays`].
    /// - The rules refuse a state: [`Error::Refused`]. Floats cannot hold the weights of a cell:
    ///   [`Error::WeightsBeyondFloat`].
    /// - A limit is exceeded: [`Error::TooManyStates`], [`Error::OutcomesOutgrow`],
    ///   [`Error::TooMuchMemory`], [`Error::FractionsOutgrow`], [`Error::FractionTooLong`],
    ///   [`Error::InState`] for the matrix or the outcomes of a single state.
    /// - The observer breaks: [`Error::Cancelled`].
    ///
    /// # Complexity
    /// One pass over the outcomes of each cell. A matrix without a saddle point takes a few
    /// [pivots](crate::MatrixGame::solve).
    ///
    /// # Examples
    /// A penalty: a goalkeeper who guesses the side holds all shots to the right and half of those
    /// to the left.
    /// ```
    /// use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    ///
    /// struct Penalty;
    /// impl Simultaneous for Penalty {
    ///     type State = Option<bool>; // a goal?
    ///     type Row = &'static str;
    ///     type Column = &'static str;
    ///     fn expand(&self, state: &Option<bool>, meeting: &mut Meeting<Self>) {
    ///         if let Some(goal) = *state { return meeting.end(goal); }
    ///         meeting.cell("left", "left").to(Some(true), 1).to(Some(false), 1);
    ///         meeting.cell("left", "right").to(Some(true), 1);
    ///         meeting.cell("right", "left").to(Some(true), 1);
    ///         meeting.cell("right", "right").to(Some(false), 1);
    ///     }
    /// }
    /// let solution = Solver::exact().solve_simultaneous(&Penalty, None)?;
    /// assert_eq!(solution.value().to_string(), "2/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_simultaneous<'g, G: Simultaneous + ?Sized>(
        mut self,
        game: &'g G,
        start: G::State,
    ) -> Result<SimultaneousSolution<'g, G, N>, Error> {
        SimultaneousSolution::solve(game, start, self.limits, &mut self.observer)
    }
}
