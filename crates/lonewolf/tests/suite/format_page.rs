//! The page about the format: its examples are books, and it mentions every name.
#![cfg(feature = "serde")]

use std::collections::BTreeSet;

use oddsmith_lonewolf::{
    ActionChart, Book, BookSolver, Decision, Discipline, Foe, Item, Manuscript, Outcome, Section,
};
use serde_json::Value;

const PAGE: &str = include_str!("../../FORMAT.md");

fn examples() -> Vec<&'static str> {
    let blocks = PAGE.split("```json\n").skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap())
        .collect()
}

#[test]
fn every_example_is_read_and_written() {
    assert_eq!(examples().len(), 2);
    for text in examples() {
        let book = Book::from_json(text, "FORMAT.md").unwrap();
        let again = Book::from_json(&book.to_json().unwrap(), "again").unwrap();
        assert_eq!(again, book);
        // The text has no fields that would not be written, since no value is a default.
        let written: Value = serde_json::from_str(&book.to_json().unwrap()).unwrap();
        assert_eq!(written, serde_json::from_str::<Value>(text).unwrap());
    }
}

#[test]
fn the_examples_can_be_won() {
    let hero = ActionChart::new(19, 29).unwrap().gold(20).unwrap();
    let [bridge, all] = examples()[..] else {
        panic!("two examples")
    };
    let win = |text| {
        let book = Book::from_json(text, "FORMAT.md").unwrap();
        BookSolver::new(&book).win(&hero).unwrap()
    };
    assert!((win(bridge) - 0.7).abs() < 1e-15);
    assert!((0.01..1.0).contains(&win(all)));
}

/// The names of variants and fields that serde knows, taken from its errors for unknown names.
fn names(refusal: &str) -> Vec<String> {
    let (_, names) = refusal.split_once("expected ").unwrap();
    let quoted = names.split('`').skip(1).step_by(2);
    quoted.map(str::to_owned).collect()
}

fn refused<T: serde::de::DeserializeOwned>(json: &str) -> Vec<String> {
    let error = serde_json::from_str::<T>(json).err().unwrap();
    let names = names(&error.to_string());
    assert!(names.len() > 1, "{error}");
    names
}

#[test]
fn no_name_is_left_out() {
    let mut all: BTreeSet<String> = BTreeSet::new();
    let then = |inner: &str| format!(r#"{{"then": {inner}}}"#);
    let when = |condition: &str| {
        let then = r#"{"then": "lost"}"#;
        format!(r#"{{"when": {{"if": {condition}, "decision": {then}}}}}"#)
    };
    let effect = |effect: &str| {
        let effects = format!(r#"{{"effects": [{effect}], "then": "lost"}}"#);
        then(&format!(r#"{{"do": {effects}}}"#))
    };
    all.extend(refused::<Manuscript>(r#"{"x": 1}"#));
    all.extend(refused::<Section>(r#"{"x": 1}"#));
    all.extend(refused::<Foe>(r#"{"x": 1}"#));
    all.extend(refused::<Item>(r#""x""#));
    all.extend(refused::<Discipline>(r#""x""#));
    all.extend(refused::<Outcome>(r#""x""#));
    for text in [
        r#""x""#.to_owned(),
        r#"{"choose": [{"x": 1}]}"#.to_owned(),
        r#"{"when": {"x": 1}}"#.to_owned(),
        r#"{"take": {"x": 1}}"#.to_owned(),
        r#"{"buy": {"x": 1}}"#.to_owned(),
        r#"{"sell": {"x": 1}}"#.to_owned(),
        r#"{"evade": {"x": 1}}"#.to_owned(),
        r#"{"cartwheel": {"x": 1}}"#.to_owned(),
        then(r#"{"random": [{"x": 1}]}"#),
        then(r#"{"branch": [{"x": 1}]}"#),
        then(r#"{"do": {"x": 1}}"#),
        then(r#"{"fight": {"x": 1}}"#),
        when(r#""x""#),
        when(r#"{"item": {"x": 1}}"#),
        when(r#"{"knows": "x"}"#),
        when(r#"{"rule": "x"}"#),
        effect(r#""x""#),
        effect(r#"{"gain": {"x": 1}}"#),
        effect(r#"{"lose": {"x": 1}}"#),
        effect(r#"{"lose_all": ["x"]}"#),
        effect(r#"{"eat": "x"}"#),
    ] {
        all.extend(refused::<Decision>(&text));
    }
    assert!(all.len() > 90, "{}", all.len());
    let prose: String = PAGE.split("```").step_by(2).collect();
    for name in all {
        let told = [format!("`{name}`"), format!("`\"{name}\"`")];
        let weaponskill = format!("`{{\"{name}\"");
        assert!(
            told.iter().any(|told| prose.contains(told)) || prose.contains(&weaponskill),
            "FORMAT.md does not tell {name}"
        );
    }
}
