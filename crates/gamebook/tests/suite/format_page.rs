//! The page about the format: its examples are books, and it mentions every field.
#![cfg(feature = "toml")]

use std::collections::BTreeSet;

use oddsmith_fightingfantasy::LuckTest;
use oddsmith_gamebook::{Book, Character, Error, Passage, RuleSet};
use serde_json::Value;

const PAGE: &str = include_str!("../../FORMAT.md");

fn examples() -> Vec<&'static str> {
    let blocks = PAGE.split("```toml\n").skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap())
        .collect()
}

fn named(id: &str) -> &'static str {
    let line = format!("\nid = \"{id}\"\n");
    let mut all = examples().into_iter();
    all.find(|text| text.contains(&line)).unwrap()
}

fn book(id: &str) -> Book {
    Book::from_toml(named(id), "FORMAT.md").unwrap()
}

fn hero() -> Character {
    let hero = Character::new().stat("skill", 9).stat("stamina", 16);
    hero.stat("luck", 9)
}

#[test]
fn every_example_is_read() {
    for text in examples() {
        if text.contains("gamebook-variant") {
            let kind = book("bridge").variant_from_toml(text, "FORMAT.md");
            let kind = kind.unwrap();
            assert_eq!(kind.id(), "kind_bridge");
            assert_ne!(kind.section(1), book("bridge").section(1));
        } else {
            assert!(Book::from_toml(text, "FORMAT.md").is_ok(), "{text}");
        }
    }
    assert_eq!(examples().len(), 5);
}

#[test]
fn the_rules_that_it_calls_defaults() {
    assert_eq!(*book("rules").rules(), RuleSet::default());
}

/// With every sheet of the long example a victory is possible, and nobody gets stuck.
#[test]
fn the_long_example_is_a_fair_book() {
    let sections = book("sections");
    let lint = sections.lint_up_to(hero(), 100_000).unwrap();
    assert!(lint.can_be_won());
    assert_eq!(lint.reachable(), sections.len());
    let kinds: BTreeSet<&str> = lint.findings().iter().map(|found| found.kind()).collect();
    assert_eq!(kinds, BTreeSet::from(["must-pass"]));
    // With rope and lantern only a test of LUCK is left.
    let plan = sections.solve(hero()).unwrap();
    assert_eq!(plan.value().to_string(), "5/6");
    let walk = plan.walkthrough().unwrap().to_string();
    assert!(walk.contains("climb the wall"), "{walk}");
    assert!(
        book("sheet")
            .game(hero().item("potion_of_strength"))
            .is_ok()
    );
}

/// By the schema, which another test compares with the reader.
#[test]
fn it_names_every_field() {
    fn names(value: &Value, into: &mut BTreeSet<String>) {
        if let Value::Object(entries) = value {
            if let Some(Value::Object(fields)) = entries.get("properties") {
                into.extend(fields.keys().cloned());
            }
            entries.values().for_each(|entry| names(entry, into));
        }
        if let Value::Array(entries) = value {
            entries.iter().for_each(|entry| names(entry, into));
        }
    }
    let schema = include_str!("../../schema/oddsmith-gamebook-1.schema.json");
    let mut all = BTreeSet::new();
    names(&serde_json::from_str(schema).unwrap(), &mut all);
    assert!(all.len() > 50, "{all:?}");
    let words: BTreeSet<&str> = PAGE
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .collect();
    let missing: Vec<&String> = all
        .iter()
        .filter(|name| !words.contains(name.as_str()))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn variants_in_toml_say_where_they_are_wrong() {
    let text = named("kind_bridge").replace("effects =", "effect =");
    let error = book("bridge")
        .variant_from_toml(&text, "kind.toml")
        .unwrap_err();
    let said = error.to_string();
    assert!(
        said.starts_with("kind.toml: section 1: choice[0].effect: unknown field"),
        "{said}"
    );
    let text = named("kind_bridge").replace("\"bridge\"", "\"tunnel\"");
    let error = book("bridge").variant_from_toml(&text, "kind.toml");
    let Err(Error::InFile { file, error }) = error else {
        panic!("{error:?}");
    };
    let wrong = Error::WrongBook {
        of: "tunnel".into(),
        book: "bridge".into(),
    };
    assert_eq!((file.as_str(), *error), ("kind.toml", wrong));
    let kind = book("bridge").variant_from_toml(named("kind_bridge"), "kind.toml");
    assert_eq!(kind.unwrap().section(2).unwrap().passage, Passage::won());
}

/// With one name for both, they could not be distinguished.
#[test]
fn a_variant_has_a_name_of_its_own() {
    let text = named("kind_bridge").replace("\"kind_bridge\"", "\"bridge\"");
    let error = book("bridge").variant_from_toml(&text, "kind.toml");
    assert_eq!(
        error.unwrap_err().to_string(),
        "kind.toml: the variant: id: a variant must have a different name from its book"
    );
}

/// Regression: in a variant with house rules, all rules that it did not name were lost.
#[test]
fn variants_change_the_rules_that_they_name() {
    let text = named("rules").replace("hit = 2", "hit = 3");
    let book = Book::from_toml(&text, "rules.toml").unwrap();
    let text = r#"
        format = "oddsmith-gamebook-variant"
        version = 1
        id = "strict"
        of = "rules"
        title = "Rules, strictly"
        text = "Tests succeed below the value."
        rules = { test = "below" }
    "#;
    let strict = book.variant_from_toml(text, "strict.toml").unwrap();
    let rules = RuleSet {
        test: LuckTest::Below,
        hit: 3,
        ..RuleSet::default()
    };
    assert_eq!(*strict.rules(), rules);
    assert_eq!(
        strict.manuscript().title.as_deref(),
        Some("Rules, strictly")
    );
    // The book's own settings are unchanged.
    assert_eq!(
        strict.manuscript().text.as_deref(),
        Some("Tests succeed below the value.")
    );
    let misspelt = text.replace("test =", "tests =");
    let error = book
        .variant_from_toml(&misspelt, "strict.toml")
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("strict.toml: rules.tests: unknown field"),
        "{error}"
    );
}

#[test]
fn caps_are_numbers_too() {
    let capped = |cap: &str| {
        let text = named("sheet").replace(
            "initial = 2, cap = 10",
            &format!("initial = 2, cap = {cap}"),
        );
        Book::from_toml(&text, "sheet.toml")
    };
    assert_eq!(capped("10").unwrap(), capped("{ at = 10 }").unwrap());
    assert_ne!(capped("10").unwrap(), capped("\"initial\"").unwrap());
    let again = Book::from_json(&capped("10").unwrap().to_json().unwrap(), "again");
    assert_eq!(again.unwrap(), capped("10").unwrap());
    for wrong in [
        "1e1",
        "\"ten\"",
        "{}",
        "{ to = 10 }",
        "{ at = 10, to = 10 }",
        "40_000",
        "20_000",
        "[10]",
    ] {
        let error = capped(wrong).unwrap_err().to_string();
        assert!(error.starts_with("sheet.toml: "), "{wrong}: {error}");
        assert!(error.contains("stats[4].cap"), "{wrong}: {error}");
    }
}

/// Authors need not know what a `u32` is.
#[test]
fn errors_are_in_words() {
    let wrong = |from: &str, to: &str| {
        let text = named("bridge").replace(from, to);
        assert_ne!(text, named("bridge"), "{from}");
        Book::from_toml(&text, "bridge.toml")
            .unwrap_err()
            .to_string()
    };
    for (from, to, said) in [
        (
            "number = 2",
            "number = \"two\"",
            "sections[1].number: invalid type: string \"two\", expected a whole number between 0 and 4294967295",
        ),
        (
            "to = 2",
            "to = [2]",
            "section 1: choice[0].to: invalid type: list, expected a whole number between 0 and 4294967295",
        ),
        (
            "choice = [",
            "choice = 2\nleave = [",
            "section 1: choice: invalid type: integer `2`, expected a list",
        ),
        (
            "[[sheet.stats]]",
            "[sheet.stats]",
            "sheet.stats: invalid type: table, expected a list",
        ),
        ("start = 1", "start = ", "as a whole: "),
        (
            "start = 1",
            "start = 1\nstart = 2",
            "as a whole: duplicate key `start` at line 5",
        ),
    ] {
        let error = wrong(from, to);
        let rest = error.strip_prefix("bridge.toml: ").unwrap();
        assert!(rest.starts_with(said), "{error}");
        assert!(!error.contains("u32") && !error.contains('^'), "{error}");
    }
    let json = Book::from_toml(named("bridge"), "bridge.toml")
        .unwrap()
        .to_json()
        .unwrap();
    let error = Book::from_json(
        &json.replace("\"start\": 1", "\"start\": {}"),
        "bridge.json",
    );
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("bridge.json: start: invalid type: table, expected a whole number between 0 and 4294967295 at line "), "{error}");
}

/// Regression: numbers of more than 63 bits were reported as other numbers.
#[test]
fn numbers_are_told_as_they_are_written() {
    for field in ["initial", "cap"] {
        let book = r#"{ "format": "oddsmith-gamebook", "version": 1, "id": "vast", "start": 1,
            "sheet": { "stats": [{ "id": "gold", "FIELD": 9223372036854775809 }] },
            "sections": [{ "number": 1, "ending": "won" }] }"#;
        let error = Book::from_json(&book.replace("FIELD", field), "vast.json").unwrap_err();
        assert!(
            error.to_string().contains("`9223372036854775809`"),
            "{error}"
        );
    }
}
