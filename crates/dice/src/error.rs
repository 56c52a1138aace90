//! The errors of this crate.

use crate::notation::ParseError;
use crate::rounding;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{Signed, Zero};

/// An error in the input: what was given, and what is allowed.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Dist, Error};
///
/// assert_eq!(Dist::die(0), Err(Error::NoSides));
/// assert_eq!(
///     Error::NoSides.to_string(),
///     "a die needs at least 1 side, got 0"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A die without sides.
    #[error("a die needs at least 1 side, got 0")]
    NoSides,
    /// There is no outcome.
    #[error("a distribution needs at least 1 outcome, got none")]
    EmptySupport,
    /// All weights are zero.
    #[error("at least 1 weight must be positive, got {outcomes} weights of 0")]
    ZeroTotal {
        /// The number of outcomes given, each with weight zero.
        outcomes: usize,
    },
    /// A weight or probability is negative.
    #[error(
        "weights must be 0 or more, got {} at position {position} (from 0)",
        brief(weight)
    )]
    NegativeWeight {
        /// The position in the input, from 0.
        position: usize,
        /// The weight given.
        weight: BigRational,
    },
    /// A float weight is negative, infinite or NaN.
    #[error(
        "float weights must be finite and 0 or more, got {weight} at position {position} (from 0)"
    )]
    BadFloatWeight {
        /// The position in the input, from 0.
        position: usize,
        /// The weight given.
        weight: f64,
    },
    /// Probabilities do not sum to one.
    #[error("probabilities must sum to 1, got a sum of {}", brief(sum))]
    SumNotOne {
        /// Their exact sum. It is in lowest terms unless their common denominator has more than
        /// 65,536 bits, since reducing it would then take longer than anything before.
        sum: BigRational,
    },
    /// Float probabilities do not sum to one, within the tolerance that the message states.
    #[error("probabilities must sum to 1 to within {tolerance:e}, got a sum of {sum}")]
    FloatSumNotOne {
        /// Their sum.
        sum: f64,
        /// The distance from 1 that is allowed.
        tolerance: f64,
    },
    /// A stated total is not the sum of the weights.
    #[error("the total must be the sum of the weights, {sum}, got {stated}")]
    WrongTotal {
        /// The total given.
        stated: BigUint,
        /// The sum of the weights given.
        sum: BigUint,
    },
    /// A number is outside 0 ..= 1 where a probability is needed.
    #[error("a probability must be between 0 and 1, got {}", brief(value))]
    NotAProbability {
        /// The number given.
        value: BigRational,
    },
    /// A fraction has denominator zero.
    #[error("a denominator must not be 0, got {numerator}/0")]
    ZeroDenominator {
        /// The numerator given.
        numerator: BigInt,
    },
    /// A text is not a rational number.
    #[error(
        "{text:?} is not a rational number; write an integer \"3\", a fraction \"1/3\" or a decimal \"0.25\""
    )]
    NotARational {
        /// The text given, truncated to 64 characters.
        text: String,
    },
    /// An outcome occurs twice where outcomes must be distinct.
    #[error(
        "outcomes must be distinct, but the one at position {position} (from 0) repeats an earlier one"
    )]
    RepeatedOutcome {
        /// The position of the repetition in the input, from 0.
        position: usize,
    },
    /// An outcome does not fit into `i64`.
    #[error(
        "the outcome {left} {operation} {right} does not fit a 64-bit integer ({} ..= {})",
        i64::MIN,
        i64::MAX
    )]
    OutcomeOverflow {
        /// The operation, as it would be written: `+`, `-`, `×`.
        operation: &'static str,
        /// Its left operand: an outcome.
        left: i64,
        /// Its right operand: an outcome, a shift, a factor or a count.
        right: i64,
    },
    /// An outcome in `i128` does not fit into `i64`.
    #[error(
        "the outcome {outcome} does not fit a 64-bit integer ({} ..= {})",
        i64::MIN,
        i64::MAX
    )]
    OutcomeTooLarge {
        /// The outcome.
        outcome: i128,
    },
    /// A result would need more memory than allowed. The operation is refused before any work.
    #[error("{operation} needs about {words} 64-bit words, which exceeds the limit of {limit}")]
    TooLarge {
        /// The refused operation, with its arguments.
        operation: String,
        /// An upper estimate of the size of the result, in 64-bit words.
        words: u128,
        /// The limit in force, in 64-bit words.
        limit: u64,
    },
    /// A condition is impossible.
    #[error(
        "cannot condition on an event of probability 0: none of the {outcomes} outcomes satisfies it"
    )]
    ImpossibleCondition {
        /// The number of outcomes tried.
        outcomes: usize,
    },
    /// Ties are to be rolled again, but every comparison is a tie.
    #[error("every comparison is a tie, so rolling ties again would never end")]
    AlwaysTied,
    /// A float result is outside the range of finite `f64` numbers.
    #[error("{operation} does not fit an f64; compute it from the exact distribution")]
    FloatOverflow {
        /// The operation, with its arguments.
        operation: String,
    },
    /// There are no observations.
    #[error("a test of a distribution needs at least 1 observation, got none")]
    NoObservations,
    /// There are more observations than can be counted.
    #[error(
        "there may be at most {} observations, but {counted} and {more} were given",
        u64::MAX
    )]
    TooManyObservations {
        /// The number of observations before.
        counted: u64,
        /// The count that did not fit.
        more: u64,
    },
    /// Something was observed that has probability zero.
    #[error(
        "the outcome at position {position} (from 0), observed {count} times, is impossible under this distribution, which needs no test to be rejected"
    )]
    ImpossibleObservation {
        /// The position in the input, from 0.
        position: usize,
        /// How often it was observed.
        count: u64,
    },
    /// All outcomes had to be pooled into one cell, so there is nothing to compare.
    #[error(
        "{observations} observations of {outcomes} possible outcomes leave a single cell; a test needs at least 2, each with 5 expected observations"
    )]
    TooFewObservations {
        /// The number of observations.
        observations: u64,
        /// The number of outcomes of the distribution.
        outcomes: usize,
    },
    /// A chart cannot be drawn.
    #[error("cannot draw the figure: {reason}")]
    Plot {
        /// The reason, with the numbers involved.
        reason: String,
    },
    /// An outcome is divided by zero.
    #[error("outcomes cannot be divided by 0")]
    DivisionByZero,
    /// A range ends before it begins.
    #[error("a range must go from low to high, got {low} to {high}")]
    EmptyRange {
        /// The low end given.
        low: i64,
        /// The high end given.
        high: i64,
    },
    /// A reroll without limit applies to every outcome, so it never ends.
    #[error(
        "{operation} would never end, since every outcome is rolled again; leave one out, or set a limit with `{limited}`"
    )]
    Endless {
        /// The operation without limit.
        operation: &'static str,
        /// The operation with a limit.
        limited: &'static str,
    },
    /// A distribution would have infinitely many outcomes.
    #[error(
        "{operation} has infinitely many outcomes; give a depth, as in `explode(depth, …)`, or use `explode_mean`"
    )]
    InfiniteSupport {
        /// The operation without limit.
        operation: &'static str,
    },
    /// A correlation is undefined, since one of the two numbers never varies.
    #[error("a correlation needs two numbers that vary, but the {which} is constant")]
    NoVariance {
        /// `first` or `second`.
        which: &'static str,
    },
    /// More dice are to be kept or dropped than there are.
    #[error("cannot keep or drop {asked} dice of a pool that keeps {kept}")]
    TooFewDice {
        /// The number of dice to keep or drop.
        asked: u64,
        /// The number of dice of the pool that are kept so far.
        kept: u64,
    },
    /// The number of multiplicities is not the number of dice.
    #[error(
        "a pool of {dice} dice needs {dice} multiplicities, one for each sorted position, got {given}"
    )]
    WrongPositions {
        /// The number of multiplicities given.
        given: usize,
        /// The number of dice in the pool.
        dice: u64,
    },
    /// The absolute values of the multiplicities add up to more than `i64::MAX`.
    #[error(
        "the absolute values of the multiplicities of a pool must sum to at most {}",
        i64::MAX
    )]
    MultiplicityOverflow,
    /// A sorted position is beyond the dice kept.
    #[error("there is no position {position}; there are {kept} kept dice, counted from 0")]
    NoSuchPosition {
        /// The position asked for, from 0.
        position: u32,
        /// The number of dice kept.
        kept: u64,
    },
    /// The dice have several distributions, or are cards, where all must be alike.
    #[error(
        "{operation} needs dice with the same distribution, not cards or several kinds of dice"
    )]
    UnlikeDice {
        /// The refused operation.
        operation: &'static str,
    },
    /// A die is subtracted where dice are compared.
    #[error("compared dice must have multiplicities of 0 or more, got {multiplicity}")]
    NegativePosition {
        /// The multiplicity of the position.
        multiplicity: i64,
    },
    /// A pool cannot take more dice.
    #[error("cannot add dice to this pool: {reason}")]
    FixedPool {
        /// The reason.
        reason: &'static str,
    },
    /// A deck has no cards.
    #[error("a deck needs at least 1 card, got none")]
    EmptyDeck,
    /// More cards are drawn than the deck has.
    #[error("cannot draw {drawn} cards from a deck of {cards} without replacement")]
    OverdrawnDeck {
        /// The number of cards to draw.
        drawn: u64,
        /// The number of cards in the deck.
        cards: u64,
    },
    /// A reading of a pool has more states than allowed. Their number is not known beforehand.
    #[error(
        "reading a pool stopped at face {face} of {faces}: {states} states need {words} 64-bit words, which exceeds the limit of {limit}"
    )]
    TooManyStates {
        /// The number of faces read, this one included.
        face: usize,
        /// The number of all faces.
        faces: usize,
        /// The number of states found at this face so far.
        states: u64,
        /// Their size in 64-bit words.
        words: u128,
        /// The limit in force, in 64-bit words.
        limit: u64,
    },
    /// A chain has more states than allowed.
    #[error(
        "the chain exceeds the limit of {limit} states at the state {state}; raise it with `Chain::builder().max_states`, or use fewer states"
    )]
    TooManyChainStates {
        /// The limit in force.
        limit: usize,
        /// The first state beyond it.
        state: String,
    },
    /// A chain may run for ever.
    #[error("the chain can reach {state}, from which it never stops")]
    NeverStops {
        /// The first such state found.
        state: String,
    },
    /// A number of steps has no largest value.
    #[error(
        "the number of steps has no largest value, since {state} can be reached again; give a horizon, as in `steps(horizon)`"
    )]
    Unbounded {
        /// A state on a cycle.
        state: String,
    },
    /// A face is too small for an operation.
    #[error(
        "{operation} needs faces of at least {least}, got {face}; use `rolls_to_reach_by` with a horizon, or write a `Chain`"
    )]
    FaceTooSmall {
        /// The operation.
        operation: &'static str,
        /// The smallest face allowed.
        least: i64,
        /// The smallest face.
        face: i64,
    },
    /// No number of rolls reaches a quantile.
    #[error(
        "no number of rolls is enough with probability {}; ask for less than 1",
        brief(p)
    )]
    NoQuantile {
        /// The probability given.
        p: BigRational,
    },
    /// A ranking has no contestants.
    #[error("a ranking needs at least 1 contestant, got none")]
    NoContestants,
    /// There is no such rank among the copies of a roll.
    #[error("{}", no_such_rank(*rank, *copies))]
    NoSuchRank {
        /// The rank given.
        rank: u32,
        /// The number of copies.
        copies: u32,
    },
    /// A measure of shape is undefined for a distribution with a single outcome.
    #[error(
        "{operation} is undefined for a distribution with a single outcome, whose variance is 0"
    )]
    NoSpread {
        /// The measure.
        operation: &'static str,
    },
    /// A text is not dice notation, with the position and what is expected there.
    #[error("{0}")]
    Notation(Box<ParseError>),
    /// An expression of dice is not valid.
    #[error("the expression is not valid: {reason}")]
    BadExpression {
        /// The reason.
        reason: String,
    },
    /// Dice notation explodes without limit, which gives infinitely many outcomes.
    #[error(
        "{written} explodes without limit, so its distribution is infinite; give a depth, as in {instead}"
    )]
    NeedsDepth {
        /// The dice, as written.
        written: String,
        /// The same dice with a depth of 10.
        instead: String,
    },
    /// A rolled number of dice is one that no pool can have.
    #[error(
        "a rolled number of dice must be between 0 and {}, got {count}",
        u32::MAX
    )]
    DiceCount {
        /// The number rolled.
        count: i64,
    },
    /// A result would take more time than allowed. The operation is refused before any work.
    #[error(
        "{operation} needs about {operations} operations on 64-bit words, which exceeds the limit of {allowed}; raise the limit on words, each of which allows 256 operations"
    )]
    TooSlow {
        /// The refused operation, with its arguments.
        operation: String,
        /// An upper estimate of the time, in operations on 64-bit words.
        operations: u128,
        /// The number of operations that the limit allows.
        allowed: u128,
    },
    /// Equations of a chain are not valid.
    #[error("cannot solve the equations: {reason}")]
    BadSystem {
        /// What was given, and what is allowed.
        reason: String,
    },
    /// The caller's own hook stopped the operation.
    #[error("{operation} was stopped by the caller")]
    Stopped {
        /// The operation in progress.
        operation: String,
    },
}

fn no_such_rank(rank: u32, copies: u32) -> String {
    if copies == 0 {
        return "the highest or lowest of several copies needs at least 1 copy, got 0".to_owned();
    }
    format!("the rank of one of {copies} copies must be between 1 and {copies}, got {rank}")
}

/// A fraction, or an approximation if it is longer than a line.
fn brief(value: &BigRational) -> String {
    if value.numer().bits() + value.denom().bits() <= 512 {
        return value.to_string();
    }
    let (size, whole) = (value.numer().magnitude(), value.denom().magnitude());
    if value.is_negative() {
        return format!("about -{}", scientific(size, whole));
    }
    // For a value close to one, write its distance from one.
    if rounding::nearest(size, whole) != 1.0 {
        format!("about {}", scientific(size, whole))
    } else if size < whole {
        format!("1 - {}", scientific(&(whole - size), whole))
    } else {
        format!("1 + {}", scientific(&(size - whole), whole))
    }
}

/// A quotient in decimal notation: the nearest double, or four digits where it is outside the range
/// of doubles.
fn scientific(part: &BigUint, whole: &BigUint) -> String {
    let double = rounding::nearest(part, whole);
    if double.is_normal() || part.is_zero() {
        return format!("{double:e}");
    }
    let (digits, exponent) = rounding::nearest_scaled(part, whole);
    let decimal = digits.log10() + exponent as f64 * std::f64::consts::LOG10_2;
    let thousandths = (10_f64.powf(decimal - decimal.floor()) * 1000.0).round();
    // A mantissa that is rounded up to ten belongs to the next power.
    let (thousandths, power) = match thousandths < 10_000.0 {
        true => (thousandths, decimal.floor()),
        false => (1000.0, decimal.floor() + 1.0),
    };
    format!("{}e{power}", thousandths / 1000.0)
}
