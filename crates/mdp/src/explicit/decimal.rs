//! Numbers as files write them, read exactly.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Pow, Zero};

/// How many digits a number may have: no file needs more.
const MAX_DIGITS: usize = 5_000;

/// How far an exponent may shift the point, beyond what floats need: a few letters
/// must not take the time and the memory of many digits.
const MAX_SHIFT: usize = 400;

/// Reads `2`, `-0.25`, `1e-3` or `1/6`, exactly; `None` if it is none of them.
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
    let shift = i64::from(exponent) - part.len() as i64;
    let power = shift.unsigned_abs() as usize;
    if power > MAX_SHIFT.max(text.len()) {
        return None;
    }
    let power = BigInt::from(10).pow(power as u32);
    Some(match shift {
        0.. => BigRational::from_integer(number * power),
        _ => BigRational::new(number, power),
    })
}

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
            "1e401",
            "1e-4000",
            "--1",
            "1e+-2",
        ] {
            check(text, None);
        }
        check(&"1".repeat(MAX_DIGITS + 1), None);
    }
}
