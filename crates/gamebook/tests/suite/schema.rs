//! The JSON Schema names the same fields as the types that read them.
#![cfg(feature = "serde")]

use std::collections::BTreeSet;

use oddsmith_gamebook as book;
use serde_json::Value;

/// The fields of a type, taken from its error for an unknown one.
fn fields<T: serde::de::DeserializeOwned>() -> BTreeSet<String> {
    let error = match serde_json::from_str::<T>(r#"{"?": 0}"#) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    };
    // Every second part is a name; the first of them is the unknown one.
    error
        .split('`')
        .skip(1)
        .step_by(2)
        .skip(1)
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_schema_names_every_field() {
    let text = include_str!("../../schema/oddsmith-gamebook-1.schema.json");
    let schema: Value = serde_json::from_str(text).unwrap();
    let mut checked = BTreeSet::new();
    let mut check = |name: &str, read: BTreeSet<String>| {
        let properties = &schema["$defs"][name]["properties"];
        let named: BTreeSet<String> = properties.as_object().unwrap().keys().cloned().collect();
        assert!(!read.is_empty(), "{name}");
        assert_eq!(named, read, "{name}");
        assert_eq!(
            schema["$defs"][name]["additionalProperties"],
            Value::Bool(false),
            "{name}"
        );
        checked.insert(name.to_owned());
    };
    check("Manuscript", fields::<book::Manuscript>());
    check("Variant", fields::<book::Variant>());
    check("RuleSet", fields::<book::RuleSet>());
    // A variant has the same fields, all of them optional.
    check("RuleSet", fields::<book::RuleChanges>());
    check("Sheet", fields::<book::Sheet>());
    check("Stat", fields::<book::Stat>());
    check("Item", fields::<book::Item>());
    check("Slot", fields::<book::Slot>());
    check("Refreshment", fields::<book::Refreshment>());
    check("Section", fields::<book::Section>());
    check("Passage", fields::<book::Passage>());
    check("Choice", fields::<book::Choice>());
    check("Branch", fields::<book::Branch>());
    check("Trial", fields::<book::Trial>());
    check("Fight", fields::<book::Fight>());
    check("Enemy", fields::<book::Enemy>());
    check("Hazard", fields::<book::Hazard>());
    check("Escape", fields::<book::Escape>());
    check("Toll", fields::<book::Toll>());
    check("Shop", fields::<book::Shop>());
    check("Goods", fields::<book::Goods>());
    check("Wager", fields::<book::Wager>());
    check("Condition", fields::<book::Condition>());
    check("Holding", fields::<book::Holding>());
    check("Effect", fields::<book::Effect>());
    check("RandomLoss", fields::<book::RandomLoss>());
    check("WeightedEffects", fields::<book::WeightedEffects>());
    check("ConditionalEffects", fields::<book::ConditionalEffects>());
    check("RepeatedEffects", fields::<book::RepeatedEffects>());
    // All but the amount, which is not a table.
    assert_eq!(
        checked.len() + 1,
        schema["$defs"].as_object().unwrap().len()
    );
}

/// Regression: the pattern of an amount accepted "1d0" and rejected "+1d6", unlike the reader.
/// Nothing here can match patterns, so the expected pattern is built from the parts that the reader
/// parses in turn, with optional blanks after every sign.
#[test]
fn the_schema_takes_the_amounts_that_are_read() {
    let text = include_str!("../../schema/oddsmith-gamebook-1.schema.json");
    let schema: Value = serde_json::from_str(text).unwrap();
    let zeros = r"(0\s*)*";
    let number = format!(r"{zeros}(1\s*(0\s*){{4}}|([0-9]\s*){{1,4}})");
    let signed = format!(r"([+-]\s*)?{number}");
    let count = format!(r"((\+\s*)?{zeros}[1-6]\s*)?");
    let sides = format!(r"{zeros}(1\s*0\s*0\s*|[1-9]\s*([0-9]\s*)?)");
    let dice = format!(r"({signed}\*\s*|-\s*)?{count}[dD]\s*{sides}([+-]\s*{number})?");
    let pattern = format!(r"^\s*({signed}|{dice})$");
    assert_eq!(schema["$defs"]["Amount"]["oneOf"][1]["pattern"], pattern);
    let read = [
        "5",
        " -4 ",
        "+4",
        "10000",
        "007",
        "2d6",
        "+1d6",
        " 2 d 6 ",
        "-1d6",
        "-3 * 1d6 + 2",
        "02d0100",
        "d6",
        "-D6",
        "2 * d6 + 1",
        "1D6",
    ];
    for text in read {
        assert!(text.parse::<book::Amount>().is_ok(), "{text}");
    }
    let refused = [
        "",
        "+",
        "10001",
        "-10001",
        "1d0",
        "0d6",
        "7d6",
        "1d101",
        "1d6+10001",
        "10001*1d6",
        "+d6",
        "d",
        "2d",
        "--1d6",
        "-2*-1d6",
        "1d6+",
        "1d6+-1",
        "1d6*2",
        "1.5",
    ];
    for text in refused {
        assert!(text.parse::<book::Amount>().is_err(), "{text}");
    }
}
