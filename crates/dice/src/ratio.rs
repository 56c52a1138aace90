//! Values that are read as rational numbers, exactly.

use crate::power::check_size;
use crate::reduce::lacking;
use crate::{DEFAULT_LIMIT, Error};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::{BigRational, Ratio};
use num_traits::{One, Zero};

/// A value that is read as a rational number, exactly.
///
/// Integers of every width, [`BigInt`], [`BigUint`], [`BigRational`], `Ratio` of the primitive
/// integers, a pair `(numerator, denominator)`, and text: `"1/3"`, `"-2"`, `"0.25"`. `f64` is left
/// out on purpose: `0.1` is not 1/10, and an exact distribution built from it would answer the
/// wrong question. Write `"0.1"` or `(1, 10)`.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::IntoRatio;
///
/// assert_eq!((2, 6).into_ratio()?, "1/3".into_ratio()?);
/// assert_eq!("0.25".into_ratio()?.to_string(), "1/4");
/// assert!((1, 0).into_ratio().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be converted to a rational number",
    label = "expected an integer, a pair such as `(9, 10)`, text such as `\"0.9\"`, or a fraction",
    note = "floats are deliberately not accepted, as `0.1` is not 1/10; write `\"0.1\"` or `(1, 10)`"
)]
pub trait IntoRatio {
    /// Converts the value to a fraction in lowest terms.
    ///
    /// # Errors
    ///
    /// [`Error::ZeroDenominator`] for a fraction over zero, [`Error::NotARational`] for
    /// text that is not a number, [`Error::TooLarge`] for text of more than 65,536 bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::IntoRatio;
    ///
    /// assert_eq!((-4, -6).into_ratio()?.to_string(), "2/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn into_ratio(self) -> Result<BigRational, Error>;
}

fn fraction(numerator: BigInt, denominator: BigInt) -> Result<BigRational, Error> {
    if denominator.is_zero() {
        return Err(Error::ZeroDenominator { numerator });
    }
    Ok(BigRational::new(numerator, denominator))
}

macro_rules! integers {
    ($($int:ty)*) => {$(
        impl IntoRatio for $int {
            fn into_ratio(self) -> Result<BigRational, Error> {
                Ok(BigRational::from_integer(self.into()))
            }
        }
        impl IntoRatio for Ratio<$int> {
            fn into_ratio(self) -> Result<BigRational, Error> {
                let (numerator, denominator) = self.into_raw();
                fraction(numerator.into(), denominator.into())
            }
        }
    )*};
}
integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl IntoRatio for BigInt {
    fn into_ratio(self) -> Result<BigRational, Error> {
        Ok(BigRational::from_integer(self))
    }
}

impl IntoRatio for BigUint {
    fn into_ratio(self) -> Result<BigRational, Error> {
        Ok(BigRational::from_integer(self.into()))
    }
}

impl IntoRatio for &BigUint {
    fn into_ratio(self) -> Result<BigRational, Error> {
        self.clone().into_ratio()
    }
}

impl IntoRatio for BigRational {
    fn into_ratio(self) -> Result<BigRational, Error> {
        let (numerator, denominator) = self.into_raw();
        fraction(numerator, denominator)
    }
}

impl IntoRatio for &BigRational {
    fn into_ratio(self) -> Result<BigRational, Error> {
        self.clone().into_ratio()
    }
}

impl<N: Into<BigInt>, D: Into<BigInt>> IntoRatio for (N, D) {
    fn into_ratio(self) -> Result<BigRational, Error> {
        fraction(self.0.into(), self.1.into())
    }
}

impl IntoRatio for &str {
    fn into_ratio(self) -> Result<BigRational, Error> {
        let not_a_rational = || Error::NotARational {
            text: self.chars().take(64).collect(),
        };
        if self.len() > LONGEST_TEXT {
            return Err(Error::TooLarge {
                operation: "parsing a number".to_owned(),
                words: words_of_digits(self.len()),
                limit: words_of_digits(LONGEST_TEXT) as u64,
            });
        }
        let text = self.trim();
        if let Some((numerator, denominator)) = text.split_once('/') {
            let numerator = integer(numerator.trim_end()).ok_or_else(not_a_rational)?;
            let denominator = integer(denominator.trim_start()).ok_or_else(not_a_rational)?;
            return fraction(numerator, denominator);
        }
        let Some((whole, decimals)) = text.split_once('.') else {
            return Ok(integer(text).ok_or_else(not_a_rational)?.into());
        };
        // ".5" and "5." are refused: requiring a digit on each side leaves no ambiguity.
        if decimals.is_empty() || !decimals.bytes().all(|b| b.is_ascii_digit()) {
            return Err(not_a_rational());
        }
        integer(whole).ok_or_else(not_a_rational)?;
        let digits = integer(&[whole, decimals].concat()).ok_or_else(not_a_rational)?;
        fraction(digits, BigInt::from(10).pow(decimals.len() as u32))
    }
}

/// The largest number of characters in a number. Reducing a fraction takes time quadratic in its
/// length, so that a file could otherwise keep a reader busy for hours.
const LONGEST_TEXT: usize = 65_536;

/// The number of decimal digits that fit a word.
fn words_of_digits(digits: usize) -> u128 {
    digits.div_ceil(19) as u128
}

impl IntoRatio for &String {
    fn into_ratio(self) -> Result<BigRational, Error> {
        self.as_str().into_ratio()
    }
}

impl IntoRatio for String {
    fn into_ratio(self) -> Result<BigRational, Error> {
        self.as_str().into_ratio()
    }
}

/// Parses digits with at most one sign; `BigInt`'s own parser also accepts underscores.
fn integer(text: &str) -> Option<BigInt> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

/// Nonnegative rationals as integers over their least common denominator.
///
/// This takes one least common multiple per *change* of denominator and one exact division per
/// number, and so no gcd in the usual case where all denominators are equal.
///
/// [`Error::TooLarge`] if the result takes more than [`DEFAULT_LIMIT`] words, since unrelated
/// denominators multiply.
pub(crate) fn over_common_denominator(
    numbers: &[BigRational],
) -> Result<(Vec<BigUint>, BigUint), Error> {
    let mut common = BigInt::one();
    for number in numbers {
        if !common.is_multiple_of(number.denom()) {
            common *= BigInt::from(lacking(common.magnitude(), number.denom().magnitude()));
            let operation =
                || format!("bringing {} numbers to a common denominator", numbers.len());
            let words = common.bits().div_ceil(64);
            check_size(
                operation,
                numbers.len() as u128,
                words.into(),
                DEFAULT_LIMIT,
            )?;
        }
    }
    let counts = numbers
        .iter()
        .map(|number| {
            let count = if *number.denom() == common {
                number.numer().clone()
            } else {
                number.numer() * (&common / number.denom())
            };
            count.into_parts().1
        })
        .collect();
    Ok((counts, common.into_parts().1))
}

/// Reads numbers that must not be negative.
pub(crate) fn nonnegative(position: usize, number: impl IntoRatio) -> Result<BigRational, Error> {
    let weight = number.into_ratio()?;
    if weight < BigRational::zero() {
        return Err(Error::NegativeWeight { position, weight });
    }
    Ok(weight)
}

/// Reads a number that must lie in 0 ..= 1.
pub(crate) fn probability(number: impl IntoRatio) -> Result<BigRational, Error> {
    let value = number.into_ratio()?;
    if value < BigRational::zero() || value > BigRational::one() {
        return Err(Error::NotAProbability { value });
    }
    Ok(value)
}
