//! The notation: round trips, errors with their columns, limits, every row of its page, and
//! generated expressions compared with a plain interpreter that enumerates all rolls.

#![allow(
    clippy::panic,
    reason = "a test that cannot go on has failed, in its helpers too"
)]

mod answers;
mod errors;
mod generate;
mod generated;
mod limits;
mod oracle;

#[cfg(feature = "serde")]
#[test]
fn serialised_as_text() {
    let notation: oddsmith_dice::Notation = "4d6 k3+2".parse().unwrap();
    let text = serde_json::to_string(&notation).unwrap();
    assert_eq!(text, "\"4d6kh3 + 2\"");
    assert_eq!(
        serde_json::from_str::<oddsmith_dice::Notation>(&text).unwrap(),
        notation
    );
    let error = serde_json::from_str::<oddsmith_dice::Notation>("\"4d\"").unwrap_err();
    assert!(error.to_string().contains("column 3"), "{error}");
}
