//! Printed expressions parse, parsed expressions can be rolled, and no text causes a panic.

use super::generate::{Any, Small, Soup};
use super::oracle::{Plain, Stop, enumerate, evaluate};
use num_traits::{ToPrimitive, Zero};
use oddsmith_dice::Notation;
use oddsmith_dice::notation::{Count, Node, Source};
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, quickcheck};
use std::collections::BTreeMap;

/// Parsed text prints, and the printed text parses to the same expression.
pub(crate) fn round_trip(notation: &Notation) -> bool {
    let text = notation.to_string();
    let again: Notation = text.parse().unwrap();
    assert_eq!(&again, notation, "{text}");
    assert_eq!(again.to_string(), text);
    true
}

/// Parses, prints and rolls within a small limit.
fn survives(text: &str) -> bool {
    let Ok(notation) = text.parse::<Notation>() else {
        return true;
    };
    let _ = (notation.law_within(20_000), notation.law_f64_within(20_000));
    round_trip(&notation)
}

quickcheck! {
    fn any_expression_prints_and_parses_back(any: Any) -> bool {
        match Notation::new(any.0.clone()) {
            Ok(notation) => round_trip(&notation) && notation.expression() == &any.0,
            Err(error) => panic!("{}: {error}", any.0),
        }
    }

    fn any_text_is_read_or_refused(text: String) -> bool {
        survives(&text)
    }

    fn any_bytes_are_read_or_refused(bytes: Vec<u8>) -> bool {
        survives(&String::from_utf8_lossy(&bytes))
    }
}

#[test]
fn any_soup_of_tokens_is_read_or_refused() {
    let check: fn(Soup) -> bool = |soup| survives(&soup.0);
    QuickCheck::new().tests(20_000).quickcheck(check);
}

/// Exact and in floats, compared with an enumeration of all rolls.
fn same_as_rolled(small: &Small) -> TestResult {
    let expected = match enumerate(|tape| evaluate(&small.0, tape)) {
        Err(Stop::TooMany) => return TestResult::discard(),
        Err(Stop::Impossible) => None,
        Ok(mut law) => {
            law.retain(|_, p| !p.is_zero());
            Some(law)
        }
    };
    let notation = Notation::new(small.0.clone()).unwrap();
    let text = notation.to_string();
    let law = match (notation.law(), &expected) {
        (Ok(law), Some(_)) => law,
        (Err(_), None) => return TestResult::passed(),
        (Err(error), Some(_)) => panic!("{text}: {error}"),
        (Ok(law), None) => panic!("{text}: this cannot be rolled, but gave\n{law}"),
    };
    let found: Plain = law.outcomes().map(|&x| (x, law.p(&x))).collect();
    assert_eq!(Some(&found), expected.as_ref(), "{text}");
    let float = notation.law_f64().unwrap();
    assert_eq!(float.support(), law.support(), "{text}");
    for x in law.support() {
        let (p, exact) = (float.p(x), law.p(x).to_f64().unwrap());
        let bound = float.relative_error() + f64::EPSILON;
        assert!(
            (p - exact).abs() <= bound * exact,
            "{text}: {p} for {exact}"
        );
        assert!(bound < 1e-10, "{text}: {bound}");
    }
    TestResult::passed()
}

#[test]
fn laws_of_generated_expressions() {
    let check: fn(Small) -> TestResult = |small| same_as_rolled(&small);
    QuickCheck::new()
        .tests(800)
        .max_tests(20_000)
        .quickcheck(check);
}

/// The generator covers the interesting cases, not only plain dice.
#[test]
fn generated_expressions_reach_the_hard_cases() {
    // A fixed seed: rare cases must not make the test fail at random.
    let mut g = Gen::from_size_and_seed(20, 1);
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for _ in 0..4_000 {
        let small = Small::arbitrary(&mut g);
        let text = small.0.to_string();
        for piece in [
            "kh", "km", "k[", "!", "rr", "c{", "if(", "/", "{", "dF", "run(", "sets(",
        ] {
            if text.contains(piece) {
                *seen.entry(piece).or_default() += 1;
            }
        }
        if let Node::Read { roll, .. } = small.0.node() {
            if !roll.after.is_empty() {
                *seen.entry("after").or_default() += 1;
            }
            if matches!(
                roll.source,
                Source::Dice {
                    count: Count::Rolled(_),
                    ..
                }
            ) {
                *seen.entry("rolled").or_default() += 1;
            }
        }
    }
    assert_eq!(seen.len(), 14, "{seen:?}");
    assert!(seen.values().all(|&times| times > 10), "{seen:?}");
}
