//! Everything that can go wrong, with what is needed to mend it.

use std::ops::RangeInclusive;

use crate::Phase;

/// Why a game could not be solved or a question not be answered.
///
/// States and actions are carried as their `Debug` text.
///
/// # Examples
/// ```
/// use oddsmith_mdp::{Error, Game, Node, Solver};
///
/// struct Stuck;
/// impl Game for Stuck {
///     type State = u8;
///     type Action = ();
///     fn expand(&self, _: &u8, _: &mut Node<Self>) {}
/// }
/// let error = Solver::exact().solve(&Stuck, 7).err();
/// assert_eq!(error, Some(Error::DeadEnd { state: "7".into() }));
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// `expand` wrote nothing.
    #[error("state {state} neither ends nor has a choice")]
    DeadEnd {
        /// The state.
        state: String,
    },
    /// `expand` wrote things that exclude each other.
    #[error("state {state} is contradictory: {what}")]
    Malformed {
        /// The state.
        state: String,
        /// The contradiction.
        what: &'static str,
    },
    /// All weights of a choice are zero.
    #[error("in state {state}, {action} leads nowhere: it has no outcome of positive weight")]
    NoOutcome {
        /// The state.
        state: String,
        /// The action.
        action: String,
    },
    /// The weights of a choice add up to 2⁶⁴ or more.
    #[error(
        "in state {state}, the weights of {action} add up to more than 2^64 - 1; divide them by a common factor"
    )]
    WeightOverflow {
        /// The state.
        state: String,
        /// The action.
        action: String,
    },
    /// A final state's score is no number.
    #[error("state {state} ends with a score that is no finite rational number")]
    BadScore {
        /// The state.
        state: String,
    },
    /// A final state's score is too large for floating point.
    #[error(
        "state {state} ends with a score beyond ±2^959, too large for floats; scale the scores down or solve exactly"
    )]
    ScoreBeyondFloat {
        /// The state.
        state: String,
    },
    /// Every choice of a state leads back to itself for certain.
    #[error("state {state} never ends: every choice leads back to it for certain")]
    NeverEnds {
        /// The state.
        state: String,
    },
    /// The game can come back to a state by way of others.
    #[error("the game is cyclic: {}", path.join(" -> "))]
    Cycle {
        /// The way round; the first state and the last are the same.
        path: Vec<String>,
    },
    /// More states than allowed.
    #[error("the game has more than {limit} states; raise the limit with `max_states`")]
    TooManyStates {
        /// The limit; so many states were found.
        limit: usize,
    },
    /// More choices, outcomes or memory than can be held.
    #[error(
        "solving {states} states needs {needed} bytes for {what}, the limit is {limit}; raise it with `max_bytes` or solve in floats"
    )]
    TooMuchMemory {
        /// What the memory is for.
        what: &'static str,
        /// How many states there are.
        states: usize,
        /// How many bytes would be needed.
        needed: u128,
        /// How many are allowed.
        limit: u128,
    },
    /// A state has more choices than can be told apart.
    #[error("state {state} has {choices} choices, at most 65,535 are possible")]
    TooManyChoices {
        /// The state.
        state: String,
        /// How many choices it has.
        choices: usize,
    },
    /// The observer asked to stop.
    #[error("cancelled while {phase}, after {done} states")]
    Cancelled {
        /// What was being done.
        phase: Phase,
        /// How many states were done with.
        done: usize,
    },
    /// The solution knows nothing of this state.
    #[error("state {state} does not occur in this solution")]
    UnknownState {
        /// The state.
        state: String,
    },
    /// An outcome has a higher number than the state it follows from.
    #[error(
        "state {state} (number {index}) leads to {successor} (number {successor_index}): in an indexed game outcomes must have lower numbers"
    )]
    NotBackward {
        /// The state.
        state: String,
        /// Its number.
        index: usize,
        /// The outcome.
        successor: String,
        /// Its number.
        successor_index: usize,
    },
    /// `index` and `state` of an indexed game are not inverse to each other.
    #[error("number {index} stands for state {state}, but that state has number {back}")]
    IndexMismatch {
        /// The number.
        index: usize,
        /// The state it stands for.
        state: String,
        /// The number of that state.
        back: usize,
    },
    /// A range of a [`Grid`](crate::Grid) is empty or too long.
    #[error("axis {axis} of the grid, {}..={}, is empty or too long", range.start(), range.end())]
    BadGrid {
        /// Which axis, from 0.
        axis: usize,
        /// The range given for it.
        range: RangeInclusive<i64>,
    },
    /// `expand` said something else of the same state before.
    #[error(
        "state {state} was expanded differently before: `expand` must depend on the state alone"
    )]
    Inconsistent {
        /// The state.
        state: String,
    },
    /// A policy did not name one of the actions.
    #[error(
        "the policy gives no decision in state {state}: it names no action there, or weights that add up to nothing or overflow"
    )]
    NoDecision {
        /// The state.
        state: String,
    },
    /// A simulation of no game at all.
    #[error("a simulation needs at least 1 game, not 0")]
    NoGames,
    /// A game that is played took more steps than allowed.
    #[error(
        "a game was not over after {limit} steps, but in state {state} ({games} games before it were); raise the limit with `max_steps`"
    )]
    TooManySteps {
        /// The limit.
        limit: u64,
        /// How many games had been played to their end.
        games: u64,
        /// The state that the last step led to.
        state: String,
    },
    /// The numbers of a generator cannot be random.
    #[error(
        "the generator gave {refused} numbers in succession that had to be refused, which one in two is at most: its numbers are not random"
    )]
    BadGenerator {
        /// How many numbers were refused.
        refused: u32,
    },
    /// A tolerance is no number, or not representable.
    #[error(
        "a tolerance must have a numerator and a denominator below 2^63, the latter not 0: not {numerator}/{denominator}"
    )]
    BadTolerance {
        /// The numerator given.
        numerator: u64,
        /// The denominator given.
        denominator: u64,
    },
    /// A law could not be formed.
    #[error(transparent)]
    Dice(#[from] oddsmith_dice::Error),
}
