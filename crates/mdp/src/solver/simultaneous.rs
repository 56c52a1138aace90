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
    /// See [`Simultaneous`].
    pub fn solve_simultaneous<'g, G: Simultaneous + ?Sized>(
        mut self,
        game: &'g G,
        start: G::State,
    ) -> Result<SimultaneousSolution<'g, G, N>, Error> {
        SimultaneousSolution::solve(game, start, self.limits, &mut self.observer)
    }
}
