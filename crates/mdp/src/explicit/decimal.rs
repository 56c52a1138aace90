//! Numbers as they are written in files: reading them exactly, and writing those that floats cannot
//! hold.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Pow, Signed, Zero};

/// The maximum number of digits of a number. No file needs more.
const MAX_DIGITS: usize = 5_000;

/// The maximum absolute value of an exponent, so that a few characters cannot take more time and
/// memory than this many digits.
const MAX_EXPONENT: u32 = MAX_DIGITS as u32;

/// Reads `2`, `-0.25`, `1e-3` or `1/6` exactly. Returns `None` for anything else.
pub(super) fn parse(text: &str) -> Option<BigRational> {
    if let Some((numerator, denominator)) = text.split_once('/') {
        let (numerator, denominator) = (decimal(numerator)?, decimal(denominator)?);
        return (!denominator.is_zero()).then(|| numerator / denominator);
    }
    decimal(text)
}

fn decimal(text: &str) -> Option<BigRational> {
    let text = text.trim();
    if text.len() > MAX_DIGITS {
        return None;
    }
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (negative, digits) = match digits.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, digits.strip_prefix('+').unwrap_or(digits)),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let all = [whole, part].concat();
    if all.is_empty() || !all.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let number: BigInt = all.parse().ok()?;
    let number = if negative { -number } else { number };
    if exponent.unsigned_abs() > MAX_EXPONENT {
        return None;
    }
    let shift = i64::from(exponent) - part.len() as i64;
    let power = BigInt::from(10).pow(shift.unsigned_abs());
    Some(match shift {
        0.. => BigRational::from_integer(number * power),
        _ => in_lowest_terms(number, power),
    })
}

/// Does the same as [`BigRational::new`], in less time if one of the numbers is far longer than the
/// other.
fn in_lowest_terms(numerator: BigInt, denominator: BigInt) -> BigRational {
    let rest = &numerator % &denominator;
    let gcd = match rest.is_zero() {
        true => denominator.clone(),
        false => rest.gcd(&(&denominator % &rest)),
    };
    BigRational::new_raw(numerator / &gcd, denominator / gcd)
}

/// Writes a nonzero number with 17 significant digits and an exponent. Trailing zeros are left out.
pub(crate) fn beyond_floats(number: &BigRational) -> String {
    let (numerator, denominator) = (number.numer().magnitude(), number.denom().magnitude());
    // 2^bits or twice that is at most the number, and 4 times that is above it.
    let bits = numerator.bits() as f64 - denominator.bits() as f64 - 1.0;
    let mut exponent = (bits * std::f64::consts::LOG10_2).floor() as i64;
    let digits = loop {
        let shift = DIGITS - exponent;
        let power = BigUint::from(10_u8).pow(shift.unsigned_abs());
        let (above, below) = match shift {
            0.. => (numerator * power, denominator.clone()),
            _ => (numerator.clone(), denominator * power),
        };
        let rounded: BigUint = (above * 2_u8 + &below) / (below * 2_u8);
        let digits = rounded.to_string();
        if digits.len() as i64 <= DIGITS + 1 {
            break digits;
        }
        exponent += 1;
    };
    let exponent = exponent + digits.len() as i64 - 1 - DIGITS;
    let (first, rest) = digits.split_at(1);
    let rest = rest.trim_end_matches('0');
    let point = if rest.is_empty() { "" } else { "." };
    let sign = if number.is_negative() { "-" } else { "" };
    format!("{sign}{first}{point}{rest}e{exponent}")
}

/// Returns the number of digits after the first.
const DIGITS: i64 = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(i64, i64)>) {
        let expected = expected.map(|(n, d)| BigRational::new(n.into(), d.into()));
        assert_eq!(parse(text), expected, "{text}");
    }

    #[test]
    fn numbers_are_read_exactly() {
        check("2", Some((2, 1)));
        check("-0.25", Some((-1, 4)));
        check("+.5", Some((1, 2)));
        check("5.", Some((5, 1)));
        check("1e-3", Some((1, 1000)));
        check("2.5E2", Some((250, 1)));
        check("1/6", Some((1, 6)));
        check("0.5/2", Some((1, 4)));
        check("0e-400", Some((0, 1)));
        check("0e5000", Some((0, 1)));
        check("12.50", Some((25, 2)));
        check("-640e-2", Some((-32, 5)));
        check("3.00", Some((3, 1)));
        check("70e-5000/1e-4999", Some((7, 1)));
    }

    #[test]
    fn what_floats_cannot_hold_is_written_and_read() {
        let power = |n: i32| BigRational::from_integer(10.into()).pow(n);
        let times = |n: i64| BigRational::from_integer(n.into());
        for (number, wanted) in [
            (power(400), "1e400"),
            (-power(-400), "-1e-400"),
            (power(309) / times(3), "3.3333333333333333e308"),
            (power(-330) * times(2) / times(3), "6.6666666666666667e-331"),
            (power(350) - times(1), "1e350"),
            (power(0), "1e0"),
            (times(-1234), "-1.234e3"),
            (power(-2000), "1e-2000"),
            (power(-4999) / times(7), "1.4285714285714286e-5000"),
            (power(5001) / times(-7), "-1.4285714285714286e5000"),
        ] {
            assert_eq!(beyond_floats(&number), wanted);
            let off = parse(wanted).unwrap() / number - times(1);
            assert!(off.abs() <= power(-16), "{wanted}");
        }
        // Powers of two on both sides of powers of ten, over the whole range that is read.
        for bits in 1_100..1_250 {
            let number = BigRational::from_integer(BigInt::from(1) << bits);
            for number in [number.clone(), number.recip()] {
                let text = beyond_floats(&number);
                let off = parse(&text).unwrap() / number - times(1);
                assert!(off.abs() <= power(-16), "{text}");
            }
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "",
            ".",
            "-",
            "e5",
            "1e",
            "1/0",
            "1/",
            "/2",
            "NaN",
            "inf",
            "1 2",
            "0x1",
            "1e99999999",
            "1e5001",
            "1e-5001",
            "1e-2147483648",
            "--1",
            "1e+-2",
        ] {
            check(text, None);
        }
        check(&"1".repeat(MAX_DIGITS + 1), None);
    }
}
