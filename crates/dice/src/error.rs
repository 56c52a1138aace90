//! What can be wrong with what was given.

use crate::notation::ParseError;
use crate::rounding;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{Signed, Zero};

/// What was wrong with the input: what was given, and what is allowed.
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
    /// No outcome at all.
    #[error("a distribution needs at least 1 outcome, but none was given")]
    EmptySupport,
    /// All weights were zero.
    #[error("at least one weight must be positive, but all {outcomes} given were 0")]
    ZeroTotal {
        /// How many outcomes were given, each with weight zero.
        outcomes: usize,
    },
    /// A weight or probability below zero.
    #[error(
        "weights must be 0 or more, but weight number {position} (from 0) is {}",
        brief(weight)
    )]
    NegativeWeight {
        /// Position in the input, from 0.
        position: usize,
        /// The weight given.
        weight: BigRational,
    },
    /// A float weight that is not a finite number of at least zero.
    #[error(
        "float weights must be finite and 0 or more, but weight number {position} (from 0) is {weight}"
    )]
    BadFloatWeight {
        /// Position in the input, from 0.
        position: usize,
        /// The weight given.
        weight: f64,
    },
    /// Probabilities that do not sum to one.
    #[error("probabilities must sum to 1, but these sum to {}", brief(sum))]
    SumNotOne {
        /// What they sum to, exactly: in lowest terms unless their common denominator has more
        /// than 65,536 bits, where finding these would take longer than anything before.
        sum: BigRational,
    },
    /// Float probabilities that do not sum to one, to within what the message says.
    #[error("probabilities must sum to 1 to within {tolerance:e}, but these sum to {sum}")]
    FloatSumNotOne {
        /// What they sum to.
        sum: f64,
        /// The distance from 1 that is allowed.
        tolerance: f64,
    },
    /// A stated total that is not the sum of the weights.
    #[error("the total is stated as {stated}, but the weights sum to {sum}")]
    WrongTotal {
        /// The total given.
        stated: BigUint,
        /// The sum of the weights given.
        sum: BigUint,
    },
    /// A number outside 0 ..= 1 where a probability is needed.
    #[error("a probability lies between 0 and 1, but {} was given", brief(value))]
    NotAProbability {
        /// The number given.
        value: BigRational,
    },
    /// A fraction with denominator zero.
    #[error("the fraction {numerator}/0 has no value: a denominator must not be 0")]
    ZeroDenominator {
        /// The numerator given.
        numerator: BigInt,
    },
    /// Text that is not a rational number.
    #[error(
        "{text:?} is not a rational number: write an integer \"3\", a fraction \"1/3\" or a decimal \"0.25\""
    )]
    NotARational {
        /// The text given, cut after 64 characters.
        text: String,
    },
    /// The same outcome twice where outcomes must be distinct.
    #[error(
        "outcomes must be distinct, but outcome number {position} (from 0) repeats an earlier one"
    )]
    RepeatedOutcome {
        /// Position in the input, from 0, of the repetition.
        position: usize,
    },
    /// An outcome that does not fit `i64`.
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
    /// An outcome in `i128` that does not fit `i64`.
    #[error(
        "the outcome {outcome} does not fit a 64-bit integer ({} ..= {})",
        i64::MIN,
        i64::MAX
    )]
    OutcomeTooLarge {
        /// The outcome.
        outcome: i128,
    },
    /// A result that would need more memory than allowed; refused before any work.
    #[error("{operation} needs about {words} words of 64 bits, more than the limit of {limit}")]
    TooLarge {
        /// The operation refused, with its arguments.
        operation: String,
        /// An upper estimate of the size of the result, in 64-bit words.
        words: u128,
        /// The limit in force, in 64-bit words.
        limit: u64,
    },
    /// Conditioning on an event that cannot happen.
    #[error(
        "cannot condition on an event of probability 0: none of the {outcomes} outcomes satisfies it"
    )]
    ImpossibleCondition {
        /// How many outcomes were tried.
        outcomes: usize,
    },
    /// Ties are to be rolled again, but every comparison is a tie.
    #[error("every comparison is a tie, so rolling ties again would never end")]
    AlwaysTied,
    /// A float result that no finite `f64` can hold.
    #[error("{operation} does not fit an f64: compute it from the exact distribution")]
    FloatOverflow {
        /// The operation, with its arguments.
        operation: String,
    },
    /// Counts without a single observation.
    #[error("a test of a law needs observations, but none was given")]
    NoObservations,
    /// Something was observed that the law says cannot happen.
    #[error(
        "observation number {position} (from 0) cannot happen under this law, which {count} of them refute without a test"
    )]
    ImpossibleObservation {
        /// Position in the input, from 0.
        position: usize,
        /// How often it was observed.
        count: u64,
    },
    /// All outcomes had to be pooled into one cell, so that nothing can be compared.
    #[error(
        "{observations} observations of {outcomes} possible outcomes leave a single cell: a test needs at least 2, each with 5 observations expected"
    )]
    TooFewObservations {
        /// How many observations were given.
        observations: u64,
        /// How many outcomes the law has.
        outcomes: usize,
    },
    /// A chart that cannot be drawn.
    #[error("this cannot be drawn: {reason}")]
    Plot {
        /// Why, with the numbers.
        reason: String,
    },
    /// An outcome divided by zero.
    #[error("outcomes can be divided by any whole number but 0")]
    DivisionByZero,
    /// A range that ends before it begins.
    #[error("a range goes from low to high, but {low} is more than {high}")]
    EmptyRange {
        /// The low end given.
        low: i64,
        /// The high end given.
        high: i64,
    },
    /// Rolling again without limit, where every outcome is rolled again.
    #[error(
        "{operation} would never end: every outcome is rolled again; leave one out, or give a limit with `{limited}`"
    )]
    Endless {
        /// The operation, without limit.
        operation: &'static str,
        /// The operation that takes a limit.
        limited: &'static str,
    },
    /// A law that would have infinitely many outcomes.
    #[error(
        "{operation} has infinitely many outcomes: give the depth, as in `explode(depth, …)`, or ask for `explode_mean`"
    )]
    InfiniteSupport {
        /// The operation, without limit.
        operation: &'static str,
    },
    /// A correlation with a number that never varies.
    #[error("a correlation needs two numbers that vary, but the {which} is always the same")]
    NoVariance {
        /// `first` or `second`.
        which: &'static str,
    },
    /// More dice to be kept or dropped than there are.
    #[error("cannot keep or drop {asked} dice of a pool that keeps {kept}")]
    TooFewDice {
        /// How many were asked for.
        asked: u64,
        /// How many dice of the pool are kept so far.
        kept: u64,
    },
    /// Multiplicities that are not one a die.
    #[error(
        "a pool of {dice} dice has {dice} sorted positions, but {given} multiplicities were given"
    )]
    WrongPositions {
        /// How many multiplicities were given.
        given: usize,
        /// The dice of the pool.
        dice: u64,
    },
    /// Multiplicities whose sizes add up to more than a 64-bit integer.
    #[error(
        "the multiplicities of a pool may add up to {} at most, signs left out",
        i64::MAX
    )]
    MultiplicityOverflow,
    /// A sorted position beyond the dice kept.
    #[error("there is no position {position} (from 0) among {kept} kept dice")]
    NoSuchPosition {
        /// The position asked for, from 0.
        position: u32,
        /// How many dice are kept.
        kept: u64,
    },
    /// Dice of several laws, or cards, where all must be alike.
    #[error("{operation} needs dice of one law: not several kinds of dice, nor cards")]
    UnlikeDice {
        /// The operation refused.
        operation: &'static str,
    },
    /// A die that is subtracted where dice are compared.
    #[error(
        "dice that are compared can be dropped or count several times, but a position has multiplicity {multiplicity}"
    )]
    NegativePosition {
        /// The multiplicity of the position.
        multiplicity: i64,
    },
    /// A pool that cannot take more dice.
    #[error("cannot add dice to this pool: {reason}")]
    FixedPool {
        /// Why not.
        reason: &'static str,
    },
    /// A deck without cards.
    #[error("a deck needs at least 1 card, but none was given")]
    EmptyDeck,
    /// More cards drawn than the deck has.
    #[error("cannot draw {drawn} cards from a deck of {cards} without replacement")]
    OverdrawnDeck {
        /// How many cards were to be drawn.
        drawn: u64,
        /// How many there are.
        cards: u64,
    },
    /// A reading of a pool with more states than allowed; how many there are is not known
    /// beforehand.
    #[error(
        "reading a pool stopped at face {face} of {faces}: {states} states need {words} words of 64 bits, more than the limit of {limit}"
    )]
    TooManyStates {
        /// Faces read, this one included.
        face: usize,
        /// Faces in all.
        faces: usize,
        /// States found at this face so far.
        states: u64,
        /// What they take, in 64-bit words.
        words: u128,
        /// The limit in force, in 64-bit words.
        limit: u64,
    },
    /// A chain with more states than allowed.
    #[error(
        "the chain has more than the {limit} states allowed, the next one being {state}: make the states fewer, or raise the limit with `Chain::builder().max_states`"
    )]
    TooManyChainStates {
        /// The limit in force.
        limit: usize,
        /// The first state beyond it.
        state: String,
    },
    /// A chain that may run for ever.
    #[error("the chain can get to {state}, from where it never stops")]
    NeverStops {
        /// The first such state found.
        state: String,
    },
    /// A number of steps without a largest value.
    #[error(
        "the number of steps has no largest value, since {state} can follow itself: give a horizon, as in `steps(horizon)`"
    )]
    Unbounded {
        /// A state on a cycle.
        state: String,
    },
    /// A face too small for what is asked.
    #[error(
        "{operation} needs faces of at least {least}, but {face} can be rolled: follow the rolls up to a horizon with `rolls_to_reach_by`, or write a `Chain`"
    )]
    FaceTooSmall {
        /// What was asked for.
        operation: &'static str,
        /// The least face allowed.
        least: i64,
        /// The smallest face.
        face: i64,
    },
    /// A quantile that no number reaches.
    #[error(
        "no number of rolls is enough with probability {}: ask for less than 1",
        brief(p)
    )]
    NoQuantile {
        /// The probability given.
        p: BigRational,
    },
    /// A ranking of nobody.
    #[error("a ranking needs at least 1 contestant, but none was given")]
    NoContestants,
    /// A rank that copies of a roll do not have.
    #[error("{copies} copies have the ranks 1 ..= {copies}, but rank {rank} was asked for")]
    NoSuchRank {
        /// The rank given.
        rank: u32,
        /// How many copies there are.
        copies: u32,
    },
    /// A measure of shape of a law with a single outcome.
    #[error(
        "{operation} is not defined for a law with a single outcome: it divides by the variance, 0"
    )]
    NoSpread {
        /// What was asked for.
        operation: &'static str,
    },
    /// Text that is not dice notation, with the place and what may stand there.
    #[error("{0}")]
    Notation(Box<ParseError>),
    /// An expression of dice that makes no sense.
    #[error("this cannot be rolled: {reason}")]
    BadExpression {
        /// Why not.
        reason: String,
    },
    /// Dice notation that explodes without limit, where infinitely many outcomes come of it.
    #[error(
        "{written} explodes without limit, so that its law would be infinite: give the depth, as in {instead}"
    )]
    NeedsDepth {
        /// The dice, as written.
        written: String,
        /// The same with a depth of 10.
        instead: String,
    },
    /// A number of dice, itself rolled, that no pool can have.
    #[error(
        "a number of dice lies between 0 and {}, but {count} was rolled",
        u32::MAX
    )]
    DiceCount {
        /// The number rolled.
        count: i64,
    },
    /// A result that would take more time than allowed; refused before any work.
    #[error(
        "{operation} needs about {operations} operations on words of 64 bits, more than the {allowed} allowed: raise the limit, of which each word allows 256"
    )]
    TooSlow {
        /// The operation refused, with its arguments.
        operation: String,
        /// An upper estimate of the time, in operations on 64-bit words.
        operations: u128,
        /// How many the limit allows.
        allowed: u128,
    },
    /// Equations of a chain that are none.
    #[error("these equations cannot be solved: {reason}")]
    BadSystem {
        /// What was given, and what is allowed.
        reason: String,
    },
    /// Stopped by the caller's own hook.
    #[error("{operation} was stopped by its caller")]
    Stopped {
        /// What was under way.
        operation: String,
    },
}

/// A fraction, or about what it is if it is longer than a line.
fn brief(value: &BigRational) -> String {
    if value.numer().bits() + value.denom().bits() <= 512 {
        return value.to_string();
    }
    let (size, whole) = (value.numer().magnitude(), value.denom().magnitude());
    if value.is_negative() {
        return format!("about -{}", scientific(size, whole));
    }
    // Next to one, how far from it is what tells.
    if rounding::nearest(size, whole) != 1.0 {
        format!("about {}", scientific(size, whole))
    } else if size < whole {
        format!("1 - {}", scientific(&(whole - size), whole))
    } else {
        format!("1 + {}", scientific(&(size - whole), whole))
    }
}

/// A quotient in decimal: as a double tells it, or to four digits where no double does.
fn scientific(part: &BigUint, whole: &BigUint) -> String {
    let double = rounding::nearest(part, whole);
    if double.is_normal() || part.is_zero() {
        return format!("{double:e}");
    }
    let (digits, exponent) = rounding::nearest_scaled(part, whole);
    let decimal = digits.log10() + exponent as f64 * std::f64::consts::LOG10_2;
    let thousandths = (10_f64.powf(decimal - decimal.floor()) * 1000.0).round();
    // What is rounded up to ten is one of the next power.
    let (thousandths, power) = match thousandths < 10_000.0 {
        true => (thousandths, decimal.floor()),
        false => (1000.0, decimal.floor() + 1.0),
    };
    format!("{}e{power}", thousandths / 1000.0)
}
