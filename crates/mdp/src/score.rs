//! Scores of final states: rational numbers; small ones need no allocation.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use num_bigint::{BigInt, BigUint};
use num_rational::{BigRational, Ratio};
use num_traits::{Signed, ToPrimitive, Zero};
use oddsmith_dice::{IntoRatio, Numeric};

use crate::Error;

/// What a final state is worth, or what a choice pays at once: any rational number.
///
/// Converts from integers of any size, `bool` (won or not), a pair `(numerator, denominator)`,
/// [`BigRational`], `Ratio` of `i32` or `i64`, and `f64` (read exactly). A score that is not a
/// number (`(1, 0)`, `NaN`, infinity) is kept as such, and the solver refuses it with an error that
/// names the state.
///
/// Text is parsed as well: `"1/3"`, `"-2"`, `"0.25"`. Parsing the displayed form of a number gives
/// it back. To convert a score to a number, use [`to_ratio`](Score::to_ratio),
/// [`to_f64`](Score::to_f64), or `try_from` for [`BigRational`] and `i64`.
///
/// Scores are ordered exactly, as numbers. A score that is not a number comes before all numbers,
/// so the maximum of several scores is a number if any of them is.
///
/// # Examples
/// ```
/// use oddsmith_mdp::Score;
///
/// assert_eq!(Score::from((2, 6)).to_string(), "1/3");
/// assert_eq!(Score::from(0.75).to_string(), "3/4");
/// assert_eq!(Score::from(true), Score::from(1));
/// assert!(!Score::from((1, 0)).is_valid());
///
/// let third: Score = "1/3".parse()?;
/// assert_eq!(third.to_string(), "1/3");
/// assert!(third > Score::from(1.0 / 3.0)); // the double is a little less
/// assert_eq!(i64::try_from(Score::from((6, 2)))?, 3);
/// assert!(i64::try_from(third).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Score(Repr);

#[derive(Clone, Debug)]
enum Repr {
    /// Almost every score. Needs no allocation.
    Integer(i64),
    /// In lowest terms, and no integer of 64 bits.
    Rational(BigRational),
    Invalid,
}

/// Compares the parts of fractions, since `Ratio` compares quotients recursively, which goes too
/// deep for long numbers.
impl PartialEq for Repr {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Repr::Integer(a), Repr::Integer(b)) => a == b,
            (Repr::Rational(a), Repr::Rational(b)) => {
                a.numer() == b.numer() && a.denom() == b.denom()
            }
            (Repr::Invalid, Repr::Invalid) => true,
            _ => false,
        }
    }
}

impl Eq for Repr {}

/// So does the hash of `Ratio`.
impl Hash for Repr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Repr::Integer(integer) => integer.hash(state),
            Repr::Rational(ratio) => {
                ratio.numer().hash(state);
                ratio.denom().hash(state);
            }
            Repr::Invalid => {}
        }
    }
}

/// Compares two fractions by products, since `Ratio` compares quotients recursively, which goes too
/// deep for long numbers. They need not be in lowest terms.
pub(crate) fn compare(a: &BigRational, b: &BigRational) -> Ordering {
    let order = (a.numer() * b.denom()).cmp(&(b.numer() * a.denom()));
    match a.denom().is_negative() == b.denom().is_negative() {
        true => order,
        false => order.reverse(),
    }
}

impl Score {
    /// Returns whether this is a number at all.
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

    /// Returns the number as a fraction, or `None` if it is not a number.
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

    /// Returns the nearest `f64`, or `NaN` if this is not a number.
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

    /// Returns the sum of both, which is not a number if one of them is not.
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

    /// Compares this score with zero.
    pub(crate) fn sign(&self) -> Ordering {
        match &self.0 {
            Repr::Integer(n) => n.cmp(&0),
            Repr::Rational(r) => r.numer().cmp(&BigInt::ZERO),
            Repr::Invalid => Ordering::Equal,
        }
    }

    /// Returns the integer if the score is a small one.
    pub(crate) fn as_integer(&self) -> Option<i64> {
        match self.0 {
            Repr::Integer(n) => Some(n),
            _ => None,
        }
    }
}

/// Distributions of scores have a mean and other moments. A score that is not a number makes them 0.
impl Numeric for Score {
    fn as_fraction(&self) -> BigRational {
        let none = || BigRational::new_raw(BigInt::ZERO, BigInt::ZERO);
        self.to_ratio().unwrap_or_else(none)
    }

    fn as_integer(&self) -> Option<i64> {
        Score::as_integer(self)
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

/// A score that is not a number comes first.
impl Ord for Score {
    fn cmp(&self, other: &Self) -> Ordering {
        if let (Repr::Integer(a), Repr::Integer(b)) = (&self.0, &other.0) {
            return a.cmp(b);
        }
        match (self.to_ratio(), other.to_ratio()) {
            (Some(a), Some(b)) => compare(&a, &b),
            (a, b) => a.is_some().cmp(&b.is_some()),
        }
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Parses an integer, a fraction or a decimal, but nothing that is not a number.
impl FromStr for Score {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Ok(Score::from(text.into_ratio()?))
    }
}

/// Returns [`Error::BadParameter`] for a score that is not a number.
impl TryFrom<Score> for BigRational {
    type Error = Error;

    fn try_from(score: Score) -> Result<Self, Error> {
        match score.0 {
            Repr::Integer(integer) => Ok(BigRational::from_integer(integer.into())),
            Repr::Rational(ratio) => Ok(ratio),
            Repr::Invalid => Err(unlike(&score, "a number")),
        }
    }
}

/// Returns [`Error::BadParameter`] for a fraction, for an integer that does not fit, and for a
/// score that is not a number.
impl TryFrom<Score> for i64 {
    type Error = Error;

    fn try_from(score: Score) -> Result<Self, Error> {
        score
            .as_integer()
            .ok_or_else(|| unlike(&score, "an integer of 64 bits"))
    }
}

fn unlike(score: &Score, allowed: &'static str) -> Error {
    Error::BadParameter {
        parameter: "a score",
        given: score.to_string(),
        allowed,
    }
}

impl From<BigInt> for Score {
    fn from(integer: BigInt) -> Self {
        match i64::try_from(&integer) {
            Ok(small) => Score(Repr::Integer(small)),
            Err(_) => Score(Repr::Rational(BigRational::from_integer(integer))),
        }
    }
}

impl From<BigUint> for Score {
    fn from(integer: BigUint) -> Self {
        Score::from(BigInt::from(integer))
    }
}

impl From<Ratio<i64>> for Score {
    fn from(ratio: Ratio<i64>) -> Self {
        Score::from(ratio.into_raw())
    }
}

impl From<Ratio<i32>> for Score {
    fn from(ratio: Ratio<i32>) -> Self {
        let (numerator, denominator) = ratio.into_raw();
        Score::from((i64::from(numerator), i64::from(denominator)))
    }
}

impl From<BigRational> for Score {
    fn from(ratio: BigRational) -> Self {
        // `new_raw` may have left a denominator of zero, or a fraction that is not in lowest terms.
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

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;
    use std::collections::HashSet;

    quickcheck! {
        fn what_is_displayed_is_read(numerator: i64, denominator: i64, exponent: u8) -> bool {
            let large = BigInt::from(numerator).pow(u32::from(exponent % 8));
            let score = Score::from(BigRational::new(large, BigInt::from(denominator) * 2 + 1));
            score.to_string().parse() == Ok(score)
        }

        fn order_is_that_of_numbers(a: (i64, i8), b: (i64, i8)) -> bool {
            let ratio = |(top, bottom): (i64, i8)| BigRational::new(top.into(), (i64::from(bottom) * 2 + 1).into());
            Score::from(ratio(a)).cmp(&Score::from(ratio(b))) == ratio(a).cmp(&ratio(b))
        }
    }

    #[test]
    fn text_that_is_no_number() {
        for text in ["", "no number", "1/0", "NaN", "1e3", "one"] {
            assert!(
                matches!(text.parse::<Score>(), Err(Error::Dice(_))),
                "{text}"
            );
        }
        assert_eq!(" 0.50".parse(), Ok(Score::from((1, 2))));
        assert_eq!("-4/2".parse(), Ok(Score::from(-2)));
    }

    #[test]
    fn what_is_no_number_comes_first() {
        let none = Score::from(f64::NAN);
        assert_eq!(none.cmp(&Score::from((0, 0))), Ordering::Equal);
        let mut scores = [
            Score::from(2),
            (1, 3).into(),
            none.clone(),
            i64::MIN.into(),
            (-1, 3).into(),
        ];
        scores.sort();
        let told = scores.map(|score| score.to_string());
        assert_eq!(
            told,
            ["no number", "-9223372036854775808", "-1/3", "1/3", "2"]
        );
        assert!(BigRational::try_from(none).is_err());
    }

    /// A recursive comparison would go as deep as the number of partial quotients that these two
    /// have in common.
    #[test]
    fn long_fractions_are_compared() {
        let (mut a, mut b) = (BigInt::from(1), BigInt::from(1));
        for _ in 0..20_000 {
            (a, b) = (b.clone(), a + b);
        }
        let [c, d] = [&b - &a, 2 * &a - &b];
        // Convergents of the golden ratio, reduced because of how they were constructed.
        let golden = Score(Repr::Rational(BigRational::new_raw(b, a)));
        let other = Score(Repr::Rational(BigRational::new_raw(c, d)));
        assert_ne!(golden.cmp(&other), Ordering::Equal);
        assert_eq!(golden.cmp(&other), other.cmp(&golden).reverse());
        assert!(golden == golden.clone() && golden != other);
        let both: HashSet<Score> = [golden.clone(), other, golden].into();
        assert_eq!(both.len(), 2);
    }

    #[test]
    fn fractions_are_compared_as_numbers() {
        let raw = |n: i64, d: i64| BigRational::new_raw(n.into(), d.into());
        let sorted = [(3, -2), (-1, 1), (1, -3), (0, 5), (2, 6), (-1, -2)];
        for (place, &(n, d)) in sorted.iter().enumerate() {
            for (other, &(m, e)) in sorted.iter().enumerate() {
                assert_eq!(compare(&raw(n, d), &raw(m, e)), place.cmp(&other));
            }
        }
        assert!(compare(&raw(2, 4), &raw(-1, -2)).is_eq());
    }

    #[test]
    fn integers_of_any_size() {
        assert_eq!(Score::from(BigInt::from(-7)), Score::from(-7));
        assert_eq!(Score::from(BigUint::from(u64::MAX)), Score::from(u64::MAX));
        assert_eq!(Score::from(Ratio::new(2_i64, 6)), Score::from((1, 3)));
        assert_eq!(Score::from(Ratio::new_raw(1_i32, 0)), Score::from(f64::NAN));
        assert_eq!(Score::from(Ratio::new_raw(2_i64, -6)), Score::from((-1, 3)));
        assert!(i64::try_from(Score::from(u64::MAX)).is_err());
    }
}
