//! The errors of this crate, with what is needed to correct their causes.

use num_rational::BigRational;

use crate::listed::listed;

/// The reason why a game could not be solved or a query not be answered.
///
/// States are given as [described](crate::Game::describe) by the game, actions by their `Debug`
/// output.
///
/// # Examples
/// ```
/// use oddsmith_mdp::{Error, Table};
/// let error = Table::from_fn(1, |_, _| ()).err();
/// assert_eq!(error, Some(Error::DeadEnd { state: "0".into() }));
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
    /// The requested threads are not available.
    #[cfg(feature = "rayon")]
    #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
    #[error("{threads} threads cannot be started: {why}; ask for fewer, or 0 for rayon's own")]
    Threads {
        /// The number of threads requested.
        threads: usize,
        /// The reason, as given by rayon or by the limit.
        why: String,
    },
    /// `expand` wrote things that exclude each other.
    #[error("state {state} is contradictory: {what}")]
    Malformed {
        /// The state.
        state: String,
        /// The contradiction.
        what: &'static str,
    },
    /// The game refuses a state, by [`Node::refuse`](crate::Node::refuse) or
    /// [`Meeting::refuse`](crate::Meeting::refuse).
    #[error("the game refuses state {state}: {why}")]
    Refused {
        /// The state.
        state: String,
        /// The reason given by the game.
        why: String,
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
        "in state {state}, the weights of {action} add up to more than 2^64 - 1; divide them by a common factor, or write them with `to_wide`"
    )]
    WeightOverflow {
        /// The state.
        state: String,
        /// The action.
        action: String,
    },
    /// The score of a final state is not a number.
    #[error("state {state} ends with a score that is not a finite rational number")]
    BadScore {
        /// The state.
        state: String,
    },
    /// The probability of a score was requested for a game that pays rewards on the way.
    #[error(
        "state {state} pays a reward on the way, which a final score does not include; give the game as `Totalled`"
    )]
    RewardOnTheWay {
        /// The state.
        state: String,
    },
    /// The reward of a choice is not a number.
    #[error("in state {state}, {action} pays a reward that is not a finite rational number")]
    BadReward {
        /// The state.
        state: String,
        /// The action.
        action: String,
    },
    /// An action leads back to its state for certain and pays the player who decides.
    #[error(
        "in state {state}, {action} leads back for certain and pays each time, so it would be repeated for ever; let it lead elsewhere, or leave it out"
    )]
    EndlessGain {
        /// The state.
        state: String,
        /// The action.
        action: String,
    },
    /// A reward, or a sum of rewards, is too large for floating point.
    #[error(
        "in state {state}, the rewards of {action} exceed the limit of 4.8e288 for floats; solve exactly"
    )]
    RewardBeyondFloat {
        /// The state.
        state: String,
        /// The action.
        action: String,
    },
    /// A game whose choices pay was to be solved lazily, which needs bounds on scores alone.
    #[error(
        "in state {state} a choice pays a reward, but `Lazy` supports only games that pay at the end; use `Solver`, or add the rewards to the state and its score"
    )]
    RewardInLazy {
        /// The state.
        state: String,
    },
    /// Choices pay rewards where play can go on for ever.
    #[error(
        "play can stay for ever in {}, where choices pay, so there is no total; let it end, or pay outside",
        listed(states, *count)
    )]
    RewardInCycle {
        /// The states, at most 20.
        states: Vec<String>,
        /// The number of these states.
        count: usize,
    },
    /// The rewards in a cycle add up to more than floats can enclose.
    #[error(
        "the rewards among {} cannot be enclosed in floats, since play takes too many moves there, or the rewards are too large; solve exactly",
        listed(states, *count)
    )]
    NotEnclosed {
        /// The states, at most 20.
        states: Vec<String>,
        /// The number of these states.
        count: usize,
    },
    /// The score of a final state is too large for floating point.
    #[error(
        "state {state} ends with a score beyond ±2^959, too large for floats; scale the scores down or solve exactly"
    )]
    ScoreBeyondFloat {
        /// The state.
        state: String,
    },
    /// The weights of a choice are too far apart for floating point.
    #[error(
        "in state {state}, weights of {action} are less than 2^-900 of their sum, too far apart for floats; solve exactly"
    )]
    WeightsBeyondFloat {
        /// The state.
        state: String,
        /// The action.
        action: String,
    },
    /// Every choice of a state certainly leads back to it.
    #[error("state {state} never ends: every choice leads back to it for certain")]
    NeverEnds {
        /// The state.
        state: String,
    },
    /// The game can return to a state by way of others.
    #[error("the game has a cycle, to be allowed with `Solver::allow_cycles`: {}", path.join(" -> "))]
    Cycle {
        /// The states of the cycle, with the first repeated at the end. A long cycle is shortened
        /// to the first twenty states, the number of those left out, and the last.
        path: Vec<String>,
    },
    /// Play that has reached some state can never end, whatever is decided. An expected score is
    /// then undefined, and an expected number of moves is infinite.
    #[error(
        "play can never end from {}, whatever is decided: its expected length is infinite",
        listed(states, *count)
    )]
    EndlessCycle {
        /// The states, at most 20.
        states: Vec<String>,
        /// The number of these states.
        count: usize,
    },
    /// Both players decide in states that play may never leave.
    #[error(
        "play can go on for ever among {}, where both players decide, which is not supported; let a clock or a counter end it",
        listed(states, *count)
    )]
    CycleOfBoth {
        /// The states, at most 20.
        states: Vec<String>,
        /// The number of these states.
        count: usize,
    },
    /// A tolerance was set for a game with a cycle.
    #[error("state {state} is on a cycle, where a tolerance depends on itself; solve without one")]
    ToleranceInCycle {
        /// A state of the cycle.
        state: String,
    },
    /// A forecast was requested from a solution that allows cycles.
    #[error("a solution that allows cycles has no forecast; use its `visits`")]
    ForecastOfCycles,
    /// There are more states than allowed.
    #[error("the states of the game exceed the limit of {limit}{}", crate::limits::how_to_raise(*limit))]
    TooManyStates {
        /// The limit, which is the number of states found.
        limit: usize,
    },
    /// There are more outcomes than allowed.
    #[error(
        "after {done} states, the outcomes of state {state} exceed the limit of {limit}; raise it with `max_outcomes` or a `_within` function"
    )]
    OutcomesOutgrow {
        /// The state whose outcomes do not fit.
        state: String,
        /// The number of states that were finished before it.
        done: usize,
        /// The limit.
        limit: usize,
    },
    /// More states can lead back to each other than allowed.
    #[error(
        "a cycle of {cycle} of the {found} states found, one of them {state}, exceeds the limit of {limit}; raise it with `max_cycle`"
    )]
    CycleTooLarge {
        /// One of the states.
        state: String,
        /// The number of states that lead back to each other.
        cycle: usize,
        /// The total number of states.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// There are more choices or outcomes than can be held, or more memory is needed.
    #[error(
        "solving {states} states needs {needed} bytes for {what}, which exceeds the limit of {limit}; raise it with `max_bytes`{}",
        if what.contains("exact") { ", or solve in floats" } else { "" }
    )]
    TooMuchMemory {
        /// What the memory is for.
        what: &'static str,
        /// The number of states.
        states: usize,
        /// The number of bytes needed.
        needed: u128,
        /// The number of bytes allowed.
        limit: u128,
    },
    /// There are more choices, outcomes or weights than 32 bits can number, whatever the limits.
    #[error("the choices or outcomes of {states} states exceed the fixed limit of 2^32")]
    NumbersExhausted {
        /// The number of states, or of those met so far.
        states: usize,
    },
    /// A state has more choices than can be distinguished.
    #[error("the {choices} choices of state {state} exceed the fixed limit of 65,535")]
    TooManyChoices {
        /// The state.
        state: String,
        /// The number of its choices.
        choices: usize,
    },
    /// The observer cancelled the work.
    #[error("cancelled while {phase}, after {done} states")]
    Cancelled {
        /// The phase that was interrupted.
        phase: crate::Phase,
        /// The number of states that were finished.
        done: usize,
    },
    /// The solution does not contain this state.
    #[error(
        "the solution does not contain state {state}; it is not in the table or box, not reachable from the start, or, with `certify` or `Lazy`, avoided by best play"
    )]
    UnknownState {
        /// The state.
        state: String,
    },
    /// An outcome has a higher number than the state that leads to it.
    #[error(
        "state {state} (number {index}) leads to {successor} (number {successor_index}); in an indexed game outcomes must have lower numbers"
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
    /// An outcome lies outside the box of an indexed game.
    #[error(
        "state {state} leads to {successor}, whose number must be below the size {size} of the box, got {successor_index}"
    )]
    OutsideBox {
        /// The state.
        state: String,
        /// The outcome.
        successor: String,
        /// Its number.
        successor_index: usize,
        /// The number of states in the box.
        size: usize,
    },
    /// An outcome of an indexed game has the number of another state.
    #[error(
        "state {state} leads to {successor}, to which `index` gives the number {index}, but this is the number of {own}"
    )]
    SharedIndex {
        /// The state.
        state: String,
        /// The outcome.
        successor: String,
        /// The number given to it.
        index: usize,
        /// The state that has this number.
        own: String,
    },
    /// An outcome does not have a lower rank than the state that leads to it.
    #[error(
        "state {state} (rank {rank}) leads to {successor} (rank {successor_rank}); in a ranked game outcomes must rank lower"
    )]
    RankNotLower {
        /// The state.
        state: String,
        /// Its rank.
        rank: u64,
        /// The outcome.
        successor: String,
        /// Its rank.
        successor_rank: u64,
    },
    /// Bounds contradict each other, or the true value.
    #[error(
        "state {state} would be worth at least {lower}, but at most {upper}; a bound given for it, or for a state it leads to, is wrong"
    )]
    BadBound {
        /// The state.
        state: String,
        /// A lower bound on its value, from a bound or from its outcomes.
        lower: String,
        /// An upper bound on its value, from another bound or from its outcomes.
        upper: String,
    },
    /// `index` and `state` of an indexed game are not inverse to each other.
    #[error("number {index} stands for state {state}, but that state has number {back}")]
    IndexMismatch {
        /// The number.
        index: usize,
        /// The state with this number.
        state: String,
        /// The number of that state.
        back: usize,
    },
    /// A range of a [`Grid`](crate::Grid) is empty or too long.
    #[error("axis {axis} of the grid must not be empty or too long, got {}..={}", range.start(), range.end())]
    BadGrid {
        /// The axis, from 0.
        axis: usize,
        /// The range given for it.
        range: std::ops::RangeInclusive<i64>,
    },
    /// `expand` gave a different answer for the same state before.
    #[error("state {state} was expanded differently before; `expand` must depend on it alone")]
    Inconsistent {
        /// The state.
        state: String,
    },
    /// A policy did not select one of the actions.
    #[error(
        "the policy gives no decision in state {state}; it must name an action there, with weights that do not sum to 0 or overflow"
    )]
    NoDecision {
        /// The state.
        state: String,
    },
    /// A simulation of zero games was requested.
    #[error("a simulation needs at least 1 game, got 0")]
    NoGames,
    /// A simulated game took more steps than allowed.
    #[error(
        "a game exceeds the limit of {limit} steps in state {state}, after {games} games that ended; raise it with `max_steps`"
    )]
    TooManySteps {
        /// The limit.
        limit: u64,
        /// The number of games that were played to their end.
        games: u64,
        /// The state that the last step led to.
        state: String,
    },
    /// The numbers of a generator cannot be random.
    #[error(
        "the generator gave {refused} numbers in a row that must be rejected, each with a chance of at most 1/2; its numbers are not random"
    )]
    BadGenerator {
        /// The number of rejected numbers.
        refused: u32,
    },
    /// A tolerance is not a number, or cannot be represented.
    #[error(
        "a tolerance must have a numerator and a positive denominator below 2^63, got {numerator}/{denominator}"
    )]
    BadTolerance {
        /// The numerator given.
        numerator: u64,
        /// The denominator given.
        denominator: u64,
    },
    /// Not every row of a state's matrix has a cell in every column.
    #[error("in state {state}, the matrix has no cell {cell}; every row needs one in every column")]
    MissingCell {
        /// The state.
        state: String,
        /// The first missing cell, by its row and column.
        cell: String,
    },
    /// Both players decide in a state that may lead to itself.
    #[error(
        "in state {state}, {cell} may lead back to the same state, whose value could be irrational since both decide at once; let a clock or a counter end it"
    )]
    MeetingStays {
        /// The state.
        state: String,
        /// The row and column.
        cell: String,
    },
    /// A game in which both may decide at once returns to a state.
    #[error(
        "a game in which both may decide at once must not return to a state: {}",
        path.join(" -> ")
    )]
    CycleOfMeetings {
        /// The states of the cycle, as in [`Cycle`](Error::Cycle).
        path: Vec<String>,
    },
    /// The fractions of a game take more memory than allowed.
    #[error(
        "after {done} of {of} {what} the fractions need {needed} bytes, which exceeds the limit of {limit}; raise it with `max_bytes`, or solve in floats"
    )]
    FractionsOutgrow {
        /// The items that are processed: `"states"` that get a value, or `"moves"` looked ahead.
        what: &'static str,
        /// The number of items finished.
        done: usize,
        /// The total number of items.
        of: usize,
        /// The number of bytes of their fractions.
        needed: u128,
        /// The limit in bytes.
        limit: u128,
    },
    /// One fraction of a game in which both may decide at once is too long.
    #[error(
        "state {state} needs a fraction of {needed} bytes, which exceeds the limit of {limit} for a single one; raise it with `max_bytes`, or solve in floats"
    )]
    FractionTooLong {
        /// The state.
        state: String,
        /// The number of bytes of the fraction.
        needed: u128,
        /// The limit in bytes.
        limit: u128,
    },
    /// A state's outcomes take too much memory, its matrix is unsolved, or a strategy is unfit.
    #[error("in state {state}: {source}")]
    InState {
        /// The state.
        state: String,
        /// The reason.
        source: Box<Error>,
    },
    /// A matrix game has no rows or no columns.
    #[error("a matrix game needs at least 1 row and 1 column")]
    EmptyMatrix,
    /// The rows of a matrix game are not equally long.
    #[error("row {row} of the matrix must have {expected} entries, as before, got {columns}")]
    RaggedMatrix {
        /// The row, from 0.
        row: usize,
        /// The number of its entries.
        columns: usize,
        /// The number of entries it should have.
        expected: usize,
    },
    /// A matrix game is too large to hold or to solve.
    #[error(
        "a matrix game needs at least {needed} words for {what}, which exceeds the limit of {limit}; raise it with a `_within` function"
    )]
    MatrixTooLarge {
        /// What the words are needed for.
        what: &'static str,
        /// The number of 64-bit words needed, at least.
        needed: u128,
        /// The number of words allowed.
        limit: u64,
    },
    /// The simplex algorithm would take too long.
    #[error(
        "a matrix game is not solved after {pivots} pivots, and the next one exceeds the limit of {limit} products; raise it with a `_within` function"
    )]
    TooManyPivots {
        /// The number of pivots made.
        pivots: u64,
        /// The number of products of 64-bit words allowed.
        limit: u64,
    },
    /// There are more extreme strategies than allowed.
    #[error(
        "the corners of the optimal strategies, or of their computation, exceed the limit of {limit}; raise the limit"
    )]
    TooManyCorners {
        /// The limit.
        limit: usize,
    },
    /// These numbers are not a mixed strategy, or not one of this game.
    #[error("not a mixed strategy: {what}")]
    BadStrategy {
        /// What is wrong with it.
        what: String,
    },
    /// The probabilities of the outcomes of an action are invalid.
    #[error("the probabilities of an action's outcomes must be 0 or more and sum to 1, {what}")]
    BadProbabilities {
        /// What is wrong with them.
        what: String,
    },
    /// An action has more outcomes than allowed.
    #[error("the outcomes of an action exceed the limit of {limit}; raise it with `chain_within`")]
    TooManyOutcomes {
        /// The limit.
        limit: usize,
    },
    /// The score of an outcome lies outside the bounds given for it.
    #[error("the score of outcome {outcome} must be between {low} and {high}, got {score}")]
    ScoreOutOfBounds {
        /// The outcome, from 0.
        outcome: usize,
        /// Its score, as text.
        score: String,
        /// The lowest score allowed, as text.
        low: String,
        /// The highest score allowed, as text.
        high: String,
    },
    /// The score of an outcome is negative where that is not allowed.
    #[error(
        "the score of outcome {outcome} must be 0 or more, got {score}; for other scores give bounds with `chain_bounded`"
    )]
    NegativeScore {
        /// The outcome, from 0.
        outcome: usize,
        /// Its score.
        score: BigRational,
    },
    /// The score of an outcome is not a number.
    #[error("the score of outcome {outcome} must be a finite rational number")]
    NoScore {
        /// The outcome, from 0.
        outcome: usize,
    },
    /// The published comparison would divide by zero.
    #[error(
        "the published rule divides by the probability seen so far, which is 0; put outcomes of probability 0 last, or use the sound comparison"
    )]
    NothingSeen,
    /// The computation of a score requested that same score.
    #[error("outcome {outcome} is not available: computing its score requires it, or panicked")]
    NotAvailable {
        /// The outcome, from 0.
        outcome: usize,
    },
    /// A parameter is outside its range.
    #[error("{parameter} must be {allowed}, got {given}")]
    BadParameter {
        /// The parameter.
        parameter: &'static str,
        /// The value given.
        given: String,
        /// The values allowed.
        allowed: &'static str,
    },
    /// A state has no action with this number.
    #[error("state {state} has no action {action}; it has {actions} actions, counted from 0")]
    NoSuchAction {
        /// The state.
        state: String,
        /// The number requested, from 0.
        action: usize,
        /// The number of its actions; a chance move counts as one.
        actions: usize,
    },
    /// An outcome of a table is not one of its states.
    #[error("choice {choice} of state {state} must lead to a state from 0 to {}, got {target}", states.saturating_sub(1))]
    UnknownIndex {
        /// The state.
        state: usize,
        /// The choice, from 0.
        choice: usize,
        /// The outcome.
        target: usize,
        /// The number of states.
        states: usize,
    },
    /// A model file cannot be read.
    #[error("line {line} of the {file}: {what}")]
    BadText {
        /// The file.
        file: &'static str,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// The arrays of a table do not fit each other.
    #[error("not a valid table: {what}")]
    BadTable {
        /// What is wrong.
        what: String,
    },
    /// The files of a model do not fit each other, or lack something.
    #[error("not a valid model in files: {what}")]
    BadFiles {
        /// What is wrong.
        what: String,
    },
    /// A generated row leads in the wrong direction.
    #[error(
        "state {state} leads to state {successor}, but outcomes must have {wanted} numbers than their state; give a game with cycles as a `Table`"
    )]
    OutOfOrder {
        /// The state.
        state: usize,
        /// The outcome.
        successor: usize,
        /// The direction required: `"higher"` or `"lower"`.
        wanted: &'static str,
    },
    /// A distribution could not be formed.
    #[error(transparent)]
    Dice(#[from] oddsmith_dice::Error),
}
