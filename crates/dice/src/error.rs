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
///     "a die needs at least 1 side, but 0 were given"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A die without sides.
    #[error("a die needs at least 1 side, but 0 were given")]
    NoSides,
    /// There is no outcome.
    #[error("a distribution needs at least 1 outcome, but none was given")]
    EmptySupport,
    /// All weights are zero.
    #[error("at least one weight must be positive, but all {outcomes} given were 0")]
    ZeroTotal {
        /// The number of outcomes given, each with weight zero.
        outcomes: usize,
    },
    /// A weight or probability is negative.
    #[error(
        "weights must be 0 or more, but weight number {position} (from 0) is {}",
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
        "float weights must be finite and 0 or more, but weight number {position} (from 0) is {weight}"
    )]
    BadFloatWeight {
        /// The position in the input, from 0.
        position: usize,
        /// The weight given.
        weight: f64,
    },
    /// Probabilities do not sum to one.
    #[error("probabilities must sum to 1, but these sum to {}", brief(sum))]
    SumNotOne {
        /// Their exact sum. It is in lowest terms unless their common denominator has more than
        /// 65,536 bits, since reducing it would then take longer than anything before.
        sum: BigRational,
    },
    /// Float probabilities do not sum to one, within the tolerance that the message states.
    #[error("probabilities must sum to 1 to within {tolerance:e}, but these sum to {sum}")]
    FloatSumNotOne {
        /// Their sum.
        sum: f64,
        /// The distance from 1 that is allowed.
        tolerance: f64,
    },
    /// A stated total is not the sum of the weights.
    #[error("the total is stated as {stated}, but the weights sum to {sum}")]
    WrongTotal {
        /// The total given.
        stated: BigUint,
        /// The sum of the weights given.
        sum: BigUint,
    },
    /// A number is outside 0 ..= 1 where a probability is needed.
    #[error("a probability lies between 0 and 1, but {} was given", brief(value))]
    NotAProbability {
        /// The number given.
        value: BigRational,
    },
    /// A fraction has denominator zero.
    #[error("the fraction {numerator}/0 has no value: a denominator must not be 0")]
    ZeroDenominator {
        /// The numerator given.
        numerator: BigInt,
    },
    /// A text is not a rational number.
    #[error(
        "{text:?} is not a rational number: write an integer \"3\", a fraction \"1/3\" or a decimal \"0.25\""
    )]
    NotARational {
        /// The text given, truncated to 64 characters.
        text: String,
    },
    /// An outcome occurs twice where outcomes must be distinct.
    #[error(
        "outcomes must be distinct, but outcome number {position} (from 0) repeats an earlier one"
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
    #[error("{operation} needs about {words} words of 64 bits, more than the limit of {limit}")]
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
    #[error("{operation} does not fit an f64: compute it from the exact distribution")]
    FloatOverflow {
        /// The operation, with its arguments.
        operation: String,
    },
    /// There are no observations.
    #[error("a test of a law needs observations, but none was given")]
    NoObservations,
    /// Something was observed that has probability zero.
    #[error(
        "observation number {position} (from 0) cannot happen under this law, which {count} of them refute without a test"
    )]
    ImpossibleObservation {
        /// The position in the input, from 0.
        position: usize,
        /// How often it was observed.
        count: u64,
    },
    /// All outcomes had to be pooled into one cell, so there is nothing to compare.
    #[error(
        "{observations} observations of {outcomes} possible outcomes leave a single cell: a test needs at least 2, each with 5 observations expected"
    )]
    TooFewObservations {
        /// The number of observations.
        observations: u64,
        /// The number of outcomes of the law.
        outcomes: usize,
    },
    /// A chart cannot be drawn.
    #[error("this cannot be drawn: {reason}")]
    Plot {
        /// The reason, with the numbers involved.
        reason: String,
    },
    /// An outcome is divided by zero.
    #[error("outcomes can be divided by any whole number but 0")]
    DivisionByZero,
    /// A range ends before it begins.
    #[error("a range goes from low to high, but {low} is more than {high}")]
    EmptyRange {
        /// The low end given.
        low: i64,
        /// The high end given.
        high: i64,
    },
    /// A reroll without limit applies to every outcome, so it never ends.
    #[error(
        "{operation} would never end: every outcome is rolled again; leave one out, or give a limit with `{limited}`"
    )]
    Endless {
        /// The operation without limit.
        operation: &'static str,
        /// The operation with a limit.
        limited: &'static str,
    },
    /// A law would have infinitely many outcomes.
    #[error(
        "{operation} has infinitely many outcomes: give the depth, as in `explode(depth, …)`, or ask for `explode_mean`"
    )]
    InfiniteSupport {
        /// The operation without limit.
        operation: &'static str,
    },
    /// A correlation is undefined, since one of the two numbers never varies.
    #[error("a correlation needs two numbers that vary, but the {which} is always the same")]
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
        "a pool of {dice} dice has {dice} sorted positions, but {given} multiplicities were given"
    )]
    WrongPositions {
        /// The number of multiplicities given.
        given: usize,
        /// The number of dice in the pool.
        dice: u64,
    },
    /// The absolute values of the multiplicities add up to more than `i64::MAX`.
    #[error(
        "the multiplicities of a pool may add up to {} at most, signs left out",
        i64::MAX
    )]
    MultiplicityOverflow,
    /// A sorted position is beyond the dice kept.
    #[error("there is no position {position} (from 0) among {kept} kept dice")]
    NoSuchPosition {
        /// The position asked for, from 0.
        position: u32,
        /// The number of dice kept.
        kept: u64,
    },
    /// The dice have several laws, or are cards, where all must be alike.
    #[error("{operation} needs dice of one law: not several kinds of dice, nor cards")]
    UnlikeDice {
        /// The refused operation.
        operation: &'static str,
    },
    /// A die is subtracted where dice are compared.
    #[error(
        "dice that are compared can be dropped or count several times, but a position has multiplicity {multiplicity}"
    )]
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
    #[error("a deck needs at least 1 card, but none was given")]
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
        "reading a pool stopped at face {face} of {faces}: {states} states need {words} words of 64 bits, more than the limit of {limit}"
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
        "the chain has more than the {limit} states allowed, the next one being {state}: make the states fewer, or raise the limit with `Chain::builder().max_states`"
    )]
    TooManyChainStates {
        /// The limit in force.
        limit: usize,
        /// The first state beyond it.
        state: String,
    },
    /// A chain may run for ever.
    #[error("the chain can get to {state}, from where it never stops")]
    NeverStops {
        /// The first such state found.
        state: String,
    },
    /// A number of steps has no largest value.
    #[error(
        "the number of steps has no largest value, since {state} can follow itself: give a horizon, as in `steps(horizon)`"
    )]
    Unbounded {
        /// A state on a cycle.
        state: String,
    },
    /// A face is too small for an operation.
    #[error(
        "{operation} needs faces of at least {least}, but {face} can be rolled: follow the rolls up to a horizon with `rolls_to_reach_by`, or write a `Chain`"
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
        "no number of rolls is enough with probability {}: ask for less than 1",
        brief(p)
    )]
    NoQuantile {
        /// The probability given.
        p: BigRational,
    },
    /// A ranking has no contestants.
    #[error("a ranking needs at least 1 contestant, but none was given")]
    NoContestants,
    /// There is no such rank among the copies of a roll.
    #[error("{copies} copies have the ranks 1 ..= {copies}, but rank {rank} was asked for")]
    NoSuchRank {
        /// The rank given.
        rank: u32,
        /// The number of copies.
        copies: u32,
    },
    /// A measure of shape is undefined for a law with a single outcome.
    #[error(
        "{operation} is not defined for a law with a single outcome: it divides by the variance, 0"
    )]
    NoSpread {
        /// The measure.
        operation: &'static str,
    },
    /// A text is not dice notation, with the position and what is expected there.
    #[error("{0}")]
    Notation(Box<ParseError>),
    /// An expression of dice is not valid.
    #[error("this cannot be rolled: {reason}")]
    BadExpression {
        /// The reason.
        reason: String,
    },
    /// Dice notation explodes without limit, which gives infinitely many outcomes.
    #[error(
        "{written} explodes without limit, so that its law would be infinite: give the depth, as in {instead}"
    )]
    NeedsDepth {
        /// The dice, as written.
        written: String,
        /// The same dice with a depth of 10.
        instead: String,
    },
    /// A rolled number of dice is one that no pool can have.
    #[error(
        "a number of dice lies between 0 and {}, but {count} was rolled",
        u32::MAX
    )]
    DiceCount {
        /// The number rolled.
        count: i64,
    },
    /// A result would take more time than allowed. The operation is refused before any work.
    #[error(
        "{operation} needs about {operations} operations on words of 64 bits, more than the {allowed} allowed: raise the limit, of which each word allows 256"
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
    #[error("these equations cannot be solved: {reason}")]
    BadSystem {
        /// What was given, and what is allowed.
        reason: String,
    },
    /// The caller's own hook stopped the operation.
    #[error("{operation} was stopped by its caller")]
    Stopped {
        /// The operation in progress.
        operation: String,
    },
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
