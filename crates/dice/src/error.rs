use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

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
    #[error("weights must be 0 or more, but weight number {position} (from 0) is {weight}")]
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
    #[error("probabilities must sum to 1, but these sum to {sum}")]
    SumNotOne {
        /// What they sum to.
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
    #[error("a probability lies between 0 and 1, but {value} was given")]
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
}
