//! Solving games in which both may decide at once.

use super::Solver;
use crate::{Error, Simultaneous, SimultaneousNumber, SimultaneousSolution};

impl<N: SimultaneousNumber> Solver<'_, N> {
    /// The values of all states that `start` can lead to in a game in which both
    /// players may decide at the same time. A tolerance has no meaning here and
    /// is ignored. In exact numbers the observer hears of every mixed state too.
    ///
    /// # Errors
    /// What the rules write wrong: [`Error::DeadEnd`], [`Error::Malformed`],
    /// [`Error::MissingCell`], [`Error::NoOutcome`], [`Error::BadScore`],
    /// [`Error::ScoreBeyondFloat`]. States that come back:
    /// [`Error::CycleOfMeetings`], [`Error::MeetingStays`]. Limits:
    /// [`Error::TooManyStates`], [`Error::OutcomesOutgrow`], [`Error::TooMuchMemory`],
    /// [`Error::FractionsOutgrow`], [`Error::FractionTooLong`],
    /// [`Error::InState`] for the matrix or the outcomes of a single state;
    /// [`Error::Cancelled`].
    ///
    /// # Complexity
    /// One look at each outcome of each cell; a matrix without saddle point takes
    /// a few [pivots](crate::MatrixGame::solve).
    ///
    /// # Examples
    /// A penalty: a goalkeeper who guesses the side holds all shots to the right and half
    /// of those to the left.
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
