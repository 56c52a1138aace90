//! Fractions as rounded decimals.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

/// Returns a fraction with this many decimals, the last one rounded half away from zero, as in the
/// paper: 58.335 % is printed 58,34%.
pub(super) fn rounded(value: &BigRational, decimals: u32) -> String {
    let scale = BigInt::from(10).pow(decimals);
    let units = units(&value.abs(), decimals);
    let sign = if value.is_negative() && !units.is_zero() {
        "-"
    } else {
        ""
    };
    if decimals == 0 {
        return format!("{sign}{units}");
    }
    let (whole, rest) = (&units / &scale, &units % &scale);
    let rest = rest.to_string();
    format!("{sign}{whole}.{rest:0>width$}", width = decimals as usize)
}

/// Returns a non-negative number in units of its last decimal, rounded half up.
pub(super) fn units(value: &BigRational, decimals: u32) -> BigInt {
    let scale = BigInt::from(10).pow(decimals);
    (value * scale + BigRational::new(1.into(), 2.into())).to_integer()
}

/// Writes it with a decimal comma, as in the tables.
pub(super) fn with_comma(value: &BigRational, decimals: u32) -> String {
    rounded(value, decimals).replace('.', ",")
}

/// Writes it in percent, with a decimal comma and the sign: `51,975%`.
pub(super) fn percent(value: &BigRational, decimals: u32) -> String {
    let hundred = BigRational::from_integer(100.into());
    format!("{}%", with_comma(&(value * hundred), decimals))
}

/// Writes a game value as in the tables: four decimals and a sign, without a sign for zero.
pub(super) fn game_value(value: &BigRational) -> String {
    let sign = if value.is_positive() { "+" } else { "" };
    format!("{sign}{}", with_comma(value, 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_away_from_zero() {
        let half = |numerator: i32| BigRational::new(numerator.into(), 200.into());
        assert_eq!(rounded(&half(1), 2), "0.01");
        assert_eq!(rounded(&half(-1), 2), "-0.01");
        assert_eq!(rounded(&half(-1), 1), "0.0");
        assert_eq!(rounded(&half(201), 0), "1");
        assert_eq!(rounded(&half(399), 2), "2.00");
    }
}
