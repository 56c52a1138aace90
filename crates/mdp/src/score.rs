//! Scores of final states: rational numbers, small ones without allocation.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

/// What a final state is worth, or what a choice pays at once: any rational
/// number.
///
/// Made from integers, from `bool` (won or not), from a pair
/// `(numerator, denominator)`, from [`BigRational`], or from `f64` (read
/// exactly). A score that is no number (`(1, 0)`, `NaN`, infinity) is kept as
/// such and refused by the solver with the state it belongs to.
///
/// # Examples
/// ```
/// use oddsmith_mdp::Score;
///
/// assert_eq!(Score::from((2, 6)).to_string(), "1/3");
/// assert_eq!(Score::from(0.75).to_string(), "3/4");
/// assert_eq!(Score::from(true), Score::from(1));
/// assert!(!Score::from((1, 0)).is_valid());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Score(Repr);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Repr {
    /// Almost every score; costs no allocation.
    Integer(i64),
    Rational(BigRational),
    Invalid,
}

impl Score {
    /// Whether this is a number at all.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Score;
    /// assert!(Score::from(-2).is_valid() && Score::from(0.1).is_valid());
    /// assert!(!Score::from((0, 0)).is_valid() && !Score::from(f64::INFINITY).is_valid());
    /// ```
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.0 != Repr::Invalid
    }

    /// The number as a fraction; `None` if it is none.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Score;
    /// assert_eq!(Score::from((3, 12)).to_ratio().map(|r| r.to_string()), Some("1/4".into()));
    /// assert_eq!(Score::from(f64::NAN).to_ratio(), None);
    /// ```
    #[must_use]
    pub fn to_ratio(&self) -> Option<BigRational> {
        match &self.0 {
            Repr::Integer(n) => Some(BigRational::from_integer(BigInt::from(*n))),
            Repr::Rational(r) => Some(r.clone()),
            Repr::Invalid => None,
        }
    }

    /// The nearest `f64` (`NaN` if this is no number).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Score;
    /// assert_eq!(Score::from((1, 8)).to_f64(), 0.125);
    /// ```
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Integer(n) => *n as f64,
            Repr::Rational(r) => r.to_f64().unwrap_or(f64::NAN),
            Repr::Invalid => f64::NAN,
        }
    }

    /// The sum of both; no number if one of them is none.
    pub(crate) fn plus(&self, other: &Score) -> Score {
        if let (Some(a), Some(b)) = (self.as_integer(), other.as_integer())
            && let Some(sum) = a.checked_add(b)
        {
            return Score(Repr::Integer(sum));
        }
        match (self.to_ratio(), other.to_ratio()) {
            (Some(a), Some(b)) => Score::from(a + b),
            _ => Score(Repr::Invalid),
        }
    }

    /// Whether this is less or more than nothing, or neither.
    pub(crate) fn sign(&self) -> Ordering {
        match &self.0 {
            Repr::Integer(n) => n.cmp(&0),
            Repr::Rational(r) => r.cmp(&BigRational::zero()),
            Repr::Invalid => Ordering::Equal,
        }
    }

    /// The integer, where the score is a small one.
    pub(crate) fn as_integer(&self) -> Option<i64> {
        match self.0 {
            Repr::Integer(n) => Some(n),
            _ => None,
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Integer(n) => n.fmt(f),
            Repr::Rational(r) => r.fmt(f),
            Repr::Invalid => f.write_str("no number"),
        }
    }
}

impl From<BigRational> for Score {
    fn from(ratio: BigRational) -> Self {
        // `new_raw` may have left a fraction over zero or not in lowest terms.
        if ratio.denom().is_zero() {
            return Score(Repr::Invalid);
        }
        let ratio = ratio.reduced();
        match ratio.is_integer().then(|| ratio.numer().to_i64()).flatten() {
            Some(integer) => Score(Repr::Integer(integer)),
            None => Score(Repr::Rational(ratio)),
        }
    }
}

impl From<&BigRational> for Score {
    fn from(ratio: &BigRational) -> Self {
        Score::from(ratio.clone())
    }
}

impl From<bool> for Score {
    fn from(won: bool) -> Self {
        Score(Repr::Integer(i64::from(won)))
    }
}

impl From<(i64, i64)> for Score {
    fn from((numerator, denominator): (i64, i64)) -> Self {
        if denominator == 0 {
            return Score(Repr::Invalid);
        }
        Score::from(BigRational::new(numerator.into(), denominator.into()))
    }
}

impl From<f64> for Score {
    fn from(number: f64) -> Self {
        match BigRational::from_float(number) {
            Some(ratio) => Score::from(ratio),
            None => Score(Repr::Invalid),
        }
    }
}

macro_rules! from_small {
    ($($t:ty),*) => {$(
        impl From<$t> for Score {
            fn from(integer: $t) -> Self {
                Score(Repr::Integer(i64::from(integer)))
            }
        }
    )*};
}
from_small!(u8, u16, u32, i8, i16, i32, i64);

macro_rules! from_big {
    ($($t:ty),*) => {$(
        impl From<$t> for Score {
            fn from(integer: $t) -> Self {
                match i64::try_from(integer) {
                    Ok(small) => Score(Repr::Integer(small)),
                    Err(_) => Score(Repr::Rational(BigRational::from_integer(integer.into()))),
                }
            }
        }
    )*};
}
from_big!(u64, u128, usize, i128, isize);
