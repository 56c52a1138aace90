//! Errors in the text of a book are reported without Rust types, and with section and field.
#![cfg(feature = "serde")]

use oddsmith_lonewolf::{Book, Error};

/// A book of two sections, the first of which has the given decision.
fn text(decision: &str) -> String {
    let head = r#"{"format": "oddsmith-lonewolf", "version": 1, "id": "t", "start": 1, "won": 2"#;
    let last = r#"{"number": 2, "decision": {"then": "won"}}"#;
    format!(r#"{head}, "sections": [{{"number": 1, "decision": {decision}}}, {last}]}}"#)
}

/// Words of the parser that authors of books need not know.
const FOREIGN: [&str; 12] = [
    "struct", "variant", "sequence", "map", "u8", "u16", "u32", "i8", "EOF", "unit", "ident", "?",
];

#[track_caller]
fn says(text: &str, begins: &str) {
    let error = Book::from_json(text, "t").unwrap_err();
    let words = error.to_string();
    assert!(words.starts_with(&format!("t: {begins}")), "{words}");
    let foreign = FOREIGN.iter().find(|word| words.contains(*word));
    assert_eq!(foreign, None, "{words}");
}

#[test]
fn names_and_entries() {
    let says =
        |decision: &str, begins: &str| says(&text(decision), &format!("section 1: {begins}"));
    says(
        "5",
        "decision: expected a decision, which is a table with exactly one entry, such as `then`",
    );
    let outcome = "decision.then: expected an outcome, which is `lost`, `won`, or a table with exactly one entry, such as `goto`";
    for decision in [
        r#"{"then": 5}"#,
        r#"{"then": {}}"#,
        r#"{"then": {"goto": 2, "lost": 3}}"#,
    ] {
        says(decision, outcome);
    }
    says(
        r#"{"then": "goto"}"#,
        r#"decision.then.goto: the name alone is not enough; write a table with this entry, {"goto": ...}"#,
    );
    says(
        r#""take""#,
        r#"decision.take: the name alone is not enough; write a table with this entry, {"take": ...}"#,
    );
    says(
        r#"{"then": {"lost": {}}}"#,
        "decision.then.lost: write the name alone, without a table: \"lost\"",
    );
    says(
        r#"{"then": {"go": 2}}"#,
        "decision.then: unknown outcome `go`, expected one of `goto`, ",
    );
    let taken = |item: &str| format!(r#"{{"take": {{"item": {item}, "count": 1}}}}"#);
    says(
        &taken(r#""meat""#),
        "decision.take.item: unknown item `meat`, expected one of `gold`, `meal`, ",
    );
    says(
        &taken("5"),
        "decision.take.item: expected the name of an item, such as `short_sword`",
    );
    let asked = |condition: &str| {
        format!(r#"{{"when": {{"if": {condition}, "decision": {{"then": "won"}}}}}}"#)
    };
    let condition = "expected a condition, which is `always`, or a table with exactly one entry, such as `discipline`";
    says(&asked("5"), &format!("decision.when.if: {condition}"));
    says(
        &asked(r#"{"any": [5]}"#),
        &format!("decision.when.if.any[0]: {condition}"),
    );
    says(
        &asked(r#"{"discipline": 5}"#),
        "decision.when.if.discipline: expected a discipline, which is a name, or a table with the entry `weaponskill`",
    );
    says(
        &asked(r#"{"rule": "x"}"#),
        "decision.when.if.rule: unknown rule `x`, expected `fares` or `purse_cut`",
    );
    let done =
        |effect: &str| format!(r#"{{"then": {{"do": {{"effects": [{effect}], "then": "won"}}}}}}"#);
    says(
        &done("5"),
        "decision.then.do.effects[0]: expected an effect, which is `full_heal`, ",
    );
    says(
        &done(r#"{"eat": 5}"#),
        "decision.then.do.effects[0].eat: expected `may_hunt` or `no_hunting`",
    );
    says(
        &done(r#"{"lose_all": ["x"]}"#),
        "decision.then.do.effects[0].lose_all[0]: unknown slot `x`, expected one of `pouch`",
    );
}

#[test]
fn types_and_numbers() {
    let says =
        |decision: &str, begins: &str| says(&text(decision), &format!("section 1: {begins}"));
    says(
        r#"{"take": 5}"#,
        "decision.take: invalid type: integer `5`, expected a table",
    );
    says(
        r#"{"choose": {}}"#,
        "decision.choose: invalid type: table, expected a list",
    );
    says(
        r#"{"choose": [{"label": 5, "decision": {"then": "won"}}]}"#,
        "decision.choose[0].label: invalid type: integer `5`, expected text",
    );
    says(
        r#"{"then": {"goto": 70000}}"#,
        "decision.then.goto: invalid value: integer `70000`, expected a whole number between 1 and 65535",
    );
    says(
        r#"{"take": {"item": "meal", "count": 300, "next": {"then": "won"}}}"#,
        "decision.take.count: invalid value: integer `300`, expected a whole number between 1 and 50",
    );
    says(
        r#"{"take": {"item": "meal", "count": 0, "next": {"then": "won"}}}"#,
        "take meal: the count must be between 1 and 15, got 0",
    );
    let fought = |foe: &str| {
        format!(r#"{{"then": {{"fight": {{"foe": {{"name": "x", {foe}}}, "won": "won"}}}}}}"#)
    };
    says(
        &fought(r#""combat_skill": 300"#),
        "decision.then.fight.foe.combat_skill: invalid value: integer `300`, expected a whole number between 0 and 100",
    );
    says(
        &fought(r#""undead": 1"#),
        "decision.then.fight.foe.undead: invalid type: integer `1`, expected `true` or `false`",
    );
    says(
        r#"{"then": {"fight": {"foe": "Giak", "won": "won"}}}"#,
        "decision.then.fight.foe: invalid type: string \"Giak\", expected a table",
    );
}

#[test]
fn the_book_as_a_whole() {
    says("", "the book: the text ends too early at");
    says("[", "the book: the text ends inside a list at");
    says("{", "the book: the text ends inside a table at");
    says("[]", "the book: invalid type: list, expected a table at");
    says("5", "the book: invalid type: integer `5`, expected a table");
    says(
        "{\"version\": -1}",
        "version: invalid value: integer `-1`, expected the number 1",
    );
    let two = text(r#"{"then": "won"}"#).repeat(2);
    says(&two, "after the book: expected the end of the text at");
    let nested = format!("{}5{}", r#"{"rest": "#.repeat(200), "}".repeat(200));
    says(
        &text(&nested),
        "section 1: brackets must not be nested more than 127 deep",
    );
    // A book in another format also has other fields, but the format is what must be reported.
    let other = r#"{"format": "oddsmith-gamebook", "version": 1, "sheet": {}}"#;
    says(
        other,
        "the book: expected format \"oddsmith-lonewolf\", got \"oddsmith-gamebook\"",
    );
    let error = Book::from_json(other, "t").unwrap_err();
    assert!(matches!(error, Error::InFile { error, .. } if matches!(*error, Error::Book { .. })));
}
