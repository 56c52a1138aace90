//! Reading reference values from JSON.

use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_risk::Rules;
use serde_json::Value;

/// A field of a file.
pub(crate) fn field(file: &str, field: &str) -> Value {
    let mut all: Value = serde_json::from_str(file).unwrap();
    all[field].take()
}

pub(crate) fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    let object = value.as_object().unwrap();
    assert!(!object.is_empty());
    object.iter()
}

pub(crate) fn fraction(value: &Value) -> BigRational {
    value.as_str().unwrap().parse().unwrap()
}

/// Two numbers with a separator, with or without brackets.
pub(crate) fn two(text: &str, between: char) -> [u32; 2] {
    let text = text.trim_matches(['(', ')']);
    let (a, b) = text.split_once(between).unwrap();
    [a, b].map(|number| number.trim().parse().unwrap())
}

/// Bonuses on the highest dice.
pub(crate) fn heroes(text: &str) -> Rules {
    let [attack, defence] = two(text, ',').map(|bonus| bonus as i32);
    Rules::standard()
        .attack_bonus([attack])
        .defence_bonus([defence])
}

/// Equal up to a relative error and the rounding of the expected value.
#[track_caller]
pub(crate) fn near(found: f64, expected: &BigRational, relative: f64) {
    let expected = expected.to_f64().unwrap();
    let error = (found - expected).abs();
    assert!(
        error <= (relative + 1e-15) * expected.abs() + 1e-270,
        "{found} {expected}"
    );
}
