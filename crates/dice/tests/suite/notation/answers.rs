//! Known answers: the documentation page, the corpus, precedence, the order of suffixes.

use super::generated::round_trip;
use super::oracle::{enumerate_within, evaluate};
use num_rational::BigRational;
use oddsmith_dice::notation::{Node, Roll};
use oddsmith_dice::{Dist, Error, Notation};
use serde_json::Value;

#[track_caller]
pub(crate) fn mean(text: &str) -> String {
    match Dist::parse(text) {
        Ok(law) => law.mean().to_string(),
        Err(error) => panic!("{text}: {error}"),
    }
}

#[track_caller]
pub(crate) fn check_mean(text: &str, expected: &str) {
    assert_eq!(mean(text), expected, "{text}");
}

#[track_caller]
fn same_law(left: &str, right: &str) {
    assert_eq!(
        Dist::parse(left).unwrap(),
        Dist::parse(right).unwrap(),
        "{left} and {right}"
    );
}

#[track_caller]
fn canonical(text: &str, expected: &str) {
    let notation: Notation = text.parse().unwrap();
    assert_eq!(notation.to_string(), expected, "{text}");
    round_trip(&notation);
}

#[test]
fn every_row_of_the_page() {
    let page = include_str!("../../../docs/notation.md");
    let rows = page
        .lines()
        .skip_while(|line| *line != "| Text | Meaning | Mean |")
        .skip(2);
    let rows: Vec<&str> = rows.take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() >= 50, "{} rows", rows.len());
    let mut wrong = Vec::new();
    let mut enumerated = 0;
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [text, meaning, expected] = cells[..] else {
            panic!("three columns: {row}");
        };
        let text = text.trim_matches('`');
        assert!(!meaning.is_empty(), "{row}");
        let notation: Notation = text.parse().unwrap();
        round_trip(&notation);
        let rolled = enumerate_within(10_000, |tape| evaluate(notation.expression(), tape));
        if let Ok(rolled) = rolled {
            let rolled: BigRational = rolled
                .iter()
                .map(|(&x, p)| p * BigRational::from_integer(x.into()))
                .sum();
            assert_eq!(rolled.to_string(), mean(text), "{text}");
            enumerated += 1;
        }
        if mean(text) != expected {
            wrong.push(format!("{text}: {} and not {expected}", mean(text)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(enumerated >= 40, "{enumerated} rows are few enough rolls");
}

#[test]
fn every_spec_of_the_corpus() {
    let data: Value = serde_json::from_str(include_str!("../../data/dice.json")).unwrap();
    let mut tested = 0;
    for problem in data["problems"].as_array().unwrap() {
        let Some(spec) = problem["spec"].as_str() else {
            continue;
        };
        let law = Dist::parse(spec).unwrap().lowest_terms();
        let found: Vec<Value> = law
            .iter()
            .map(|(x, weight)| vec![Value::from(*x), weight.to_string().into()].into())
            .collect();
        assert_eq!(Value::from(found), problem["outcomes"], "{spec}");
        assert_eq!(law.total().to_string(), problem["denominator"], "{spec}");
        tested += 1;
    }
    assert_eq!(tested, 13);
}

/// Problems of the corpus that the notation can express although the corpus does not.
#[test]
fn other_problems_of_the_corpus() {
    check_mean("d20r1", "439/40");
    check_mean("2d6r<=2", "25/3");
    check_mean("1d6!10", "507915877/120932352");
    check_mean("50d6>=5", "50/3");
    check_mean("largest_set(10d10)", "274868911/100000000");
    check_mean("distinct(6d6)", "31031/7776");
    check_mean("floor(3d6/2)", "5");
    check_mean("max(0,2d6-5)", "41/18");
    check_mean("d6*d6", "49/4");
    check_mean(
        "((2d6 + 10) > (2d6 + 8)) - ((2d6 + 10) < (2d6 + 8))",
        "551/1296",
    );
    check_mean("if(1d3 = 1, 1d6, 1d8)", "25/6");
}

#[test]
fn explode_then_keep_and_keep_then_explode() {
    let (before, after) = ("2d2!1kh1", "2d2kh1!1");
    // A die shows 1, 3 or 4 with 1/2, 1/4, 1/4.
    // The higher of two: 1 with 1/4, 3 with 9/16 - 1/4, 4 with 7/16.
    let first = Dist::parse(before).unwrap();
    assert_eq!(
        [1, 3, 4].map(|x| first.p(&x).to_string()),
        ["1/4", "5/16", "7/16"]
    );
    // The higher face is 2 with 3/4, and then 1 or 2 is added.
    let second = Dist::parse(after).unwrap();
    assert_eq!(
        [1, 3, 4].map(|x| second.p(&x).to_string()),
        ["1/4", "3/8", "3/8"]
    );
    for text in [before, after] {
        canonical(text, text);
    }
    let trees: Vec<Roll> = [before, after]
        .iter()
        .map(|text| {
            match text
                .parse::<Notation>()
                .unwrap()
                .into_expression()
                .into_node()
            {
                Node::Read { roll, .. } => roll,
                other => panic!("{other:?}"),
            }
        })
        .collect();
    assert_eq!((trees[0].changes.len(), trees[0].after.len()), (1, 0));
    assert_eq!((trees[1].changes.len(), trees[1].after.len()), (0, 1));
}

#[test]
fn changes_act_from_left_to_right() {
    // Rerolled, then exploded: an extra die is rerolled too.
    let rerolled = "1d2r1!1";
    // 1 with 1/4, else 2 and more: 2+1 with 3/16, 2+2 with 9/16.
    let law = Dist::parse(rerolled).unwrap();
    assert_eq!(
        [1, 3, 4].map(|x| law.p(&x).to_string()),
        ["1/4", "3/16", "9/16"]
    );
    // Exploded, then rerolled: only a total of 1 is rerolled.
    let law = Dist::parse("1d2!1r1").unwrap();
    assert_eq!(
        [1, 3, 4].map(|x| law.p(&x).to_string()),
        ["1/4", "3/8", "3/8"]
    );
    same_law("5d6dl1dh1", "5d6km3");
    same_law("5d6kh4kl3", "5d6dl1dh1");
}

#[test]
fn precedence() {
    check_mean("1 + 2 * 3", "7");
    check_mean("(1 + 2) * 3", "9");
    check_mean("7 - 2 - 1", "4");
    check_mean("7 - (2 - 1)", "6");
    check_mean("100 / 7 / 2", "7");
    check_mean("100 / (7 / 2)", "33");
    check_mean("7 / 2 * 2", "6");
    check_mean("-7 / 2", "-4");
    check_mean("-(7 / 2)", "-3");
    check_mean("-2 * -3", "6");
    check_mean("2 - -3", "5");
    check_mean("--3", "3");
    check_mean("-3d6", "-21/2");
    check_mean("1 + 1 >= 2", "1");
    check_mean("2 * 3 = 6", "1");
    check_mean("(5 > 3) > 2", "0");
    check_mean("5 != 5", "0");
    check_mean("8d1c>=1 + 1", "9");
    check_mean("8d1>=1 >= 9", "0");
    check_mean("floor(-7 / 2)", "-4");
    check_mean("ceil(-7 / 2)", "-3");
    check_mean("round(-7 / 2)", "-3");
    check_mean("trunc(-7 / 2)", "-3");
    check_mean("20 / 1d4", "41/4");
}

#[test]
fn canonical_forms() {
    canonical(" 4 D6 K3+D4 ", "4d6kh3 + 1d4");
    canonical("d%", "1d100");
    canonical("4df", "4dF");
    canonical("2d20kl", "2d20kl1");
    canonical("d[0..=9]", "1d{0..9}");
    canonical("d{3..3}", "1d{3}");
    canonical("2d6!o", "2d6!1");
    canonical("10d6!", "10d6!");
    canonical("10d6 ! + 2", "10d6! + 2");
    canonical("10d6!{5..6}", "10d6!{5..6}");
    canonical("10d6!>=5", "10d6!{>=5}");
    canonical("10d6!>=5>=8", "10d6!{>=5}>=8");
    canonical("10d6!c>=8", "10d6!c>=8");
    canonical("10d6kh3!c>=8", "10d6kh3!c>=8");
    canonical("10d6!kh3>=5", "10d6!kh3>=5");
    canonical("1 + 10d6!{6}c>=8", "1 + 10d6!{6}c>=8");
    canonical("8d10!c!=7", "8d10!c!=7");
    canonical("1d6! !2", "1d6! !2");
    canonical("{2d6!, d8}!", "{2d6!, 1d8}!");
    canonical("(1d6!) >= 4", "(1d6!) >= 4");
    canonical("4d6d1", "4d6dl1");
    canonical("4d6!2d3", "4d6!2dl3");
    canonical("5d6cs>=5", "5d6>=5");
    canonical("3d6 // 2", "3d6 / 2");
    canonical("1d20++5", "1d20 + 5");
    canonical("+1d20 + +-5", "1d20 + -5");
    canonical("2d6r{1}", "2d6r1");
    canonical("2d6r{<=2}", "2d6r<=2");
    canonical("2d6ro1", "2d6r1");
    canonical("2d6r*1", "2d6rr1");
    canonical("2d6rr{1,2}", "2d6rr{1, 2}");
    canonical("2d6r3{1}", "2d6r3{1}");
    canonical("4dFr-1", "4dFr-1");
    canonical("8d10c>=7", "8d10>=7");
    // Before a number the letter stays.
    for text in [
        "8d10c>=7 + 2",
        "8d10c>=7 * -2",
        "8d10c>=7 * 1d6 * 2",
        "ceil(8d10c>=7 / 2)",
        "8d10c>=7 - 2 * 1d6",
        "8d10>=7 + 2d6",
        "8d10>=7 + (1 + 1)",
        "8d10>=7 - -(2)",
        "8d10>=7 >= 2 + 1",
    ] {
        canonical(text, text);
    }
    canonical("(8d10>=7) + 2", "8d10c>=7 + 2");
    canonical("8d10c>=11", "8d10c>=11");
    canonical("(1d20) >= 15+5", "(1d20) >= 15 + 5");
    canonical("8d10c{>=7}", "8d10>=7");
    canonical("8d10==7", "8d10=7");
    canonical("8d10≥7", "8d10>=7");
    canonical("1+8d10c>=7", "1 + 8d10c>=7");
    canonical("4d6r1>=3", "4d6r1>=3");
    canonical("8d10!2>=7", "8d10!2>=7");
    canonical("8d10!2{>=9}>=7", "8d10!2{>=9}>=7");
    canonical("8d10!=7", "8d10!=7");
    canonical("((2d6))", "2d6");
    canonical("(2d6)>=7", "(2d6) >= 7");
    canonical("(1+2d6)>=7", "(1 + 2d6) >= 7");
    canonical("(2d6+1)>=7", "2d6 + 1 >= 7");
    canonical("(1+2)+3", "1 + 2 + 3");
    canonical("1+(2+3)", "1 + (2 + 3)");
    canonical("1-(2-3)", "1 - (2 - 3)");
    canonical("(2*3)*4", "2 * 3 * 4");
    canonical("2*(3*4)", "2 * (3 * 4)");
    canonical("(1+2)*3", "(1 + 2) * 3");
    canonical("floor(3d6/2)", "3d6 / 2");
    canonical("-(3)", "-(3)");
    canonical("- 3", "-3");
    canonical("−9223372036854775808", "-9223372036854775808");
    canonical("-(2d6)", "-2d6");
    canonical("{d4,2d6}kh2", "{1d4, 2d6}kh2");
    canonical("{(2d6),d8}", "{(2d6), 1d8}");
    canonical("(2)d6", "(2)d6");
    canonical("3d(d6)", "3d(1d6)");
    canonical("advantage(d20)", "adv(1d20)");
}

/// Cases in which nothing explodes, or only faces that add nothing.
#[test]
fn explosions_without_limit_that_are_finite() {
    same_law("0d6!", "0");
    same_law("0d6kh0!", "0");
    same_law("4dF!{0}", "4d{-1, 1}");
    same_law("4dF!{0}kh2", "4d{-1, 1}kh2");
    same_law("1d{-2, -1, 0}!", "1d{-2, -1}");
    same_law("6d6!{7}", "6d6");
    same_law("3d{0..2}!{0, 9}", "3d2");
    // The higher of two is 0 with 1/3, and then -1 or 1 is as likely.
    check_mean("2dFkh1", "4/9");
    check_mean("2dFkh1!{0}", "4/9");
    let law = Dist::parse("2dFkh1!{0}").unwrap();
    assert_eq!(law.support(), [-1, 1]);
}

#[test]
fn dice_of_all_sorts() {
    same_law("0d6", "0");
    same_law("0d6>=3", "0");
    same_law("d{1..6}", "d6");
    same_law("d{5,5}", "5");
    same_law("(1d1)d6", "d6");
    same_law("(0)d6", "0");
    same_law("3d(2)", "6");
    same_law("{3d6}", "3d6");
    same_law("{d6, d6, d6}kh2", "3d6kh2");
    same_law("{1d6!2, 1d6!2}kh1", "2d6!2kh1");
    same_law("{(4d6kh3), 5}", "4d6kh3 + 5");
    same_law("4d6k[0, 1, 1, 1]", "4d6kh3");
    same_law("adv(1d20)", "2d20kh1");
    same_law("dis(1d20)", "2d20kl1");
    same_law("max(d20, d20)", "2d20kh1");
    same_law("(1d20 + 5 >= 15) * 2d6", "if(1d20 + 5 >= 15, 2d6, 0)");
    same_law("10d6c{>=5:1}", "10d(1d6>=5)");
    check_mean("(2d6)d6", "49/2");
    check_mean("2d6 - 2d6", "0");
    // The condition and the branch are two rolls.
    check_mean("if(1d20 >= 20, 1d20, 0)", "21/40");
}

/// `d1` drops the lowest of any dice whose number is known.
#[test]
fn the_lowest_of_mixed_dice_is_dropped() {
    same_law("{1d6, 1d6, 1d6}d1", "3d6dl1");
    same_law("{2d6, 1d8}d2", "{2d6, 1d8}kh1");
    same_law("{(2d6), 1d8}d1", "{(2d6), 1d8}kh1");
    for none in ["{1d6, 1d6}d2", "{(2d6), 1d8}d2", "((1d3)d6)d1"] {
        let refused = Dist::parse(none);
        assert!(none.starts_with('(') || refused.is_err(), "{none}");
    }
}

#[test]
fn other_names_of_the_same() {
    for (one, other) in [
        ("adv(1d20)", "advantage(1d20)"),
        ("dis(1d20)", "disadvantage(1d20)"),
        ("ceil(3d6 / 2)", "ceiling(3d6 / 2)"),
        ("run(5d6)", "longest_run(5d6)"),
        ("d{0..9}", "d{0..=9}"),
    ] {
        let [one, other] = [one, other].map(|text| text.parse::<Notation>().unwrap());
        assert_eq!(one, other);
    }
}

/// Regression test: in floats, dice of the same distribution were of different kinds if it was
/// computed in different ways.
#[test]
fn dice_of_one_kind_in_floats() {
    for sides in 3..12 {
        let text = format!("{{(29d{sides} + 1d{sides}), (30d{sides})}}kh1!1");
        let notation: Notation = text.parse().unwrap();
        let (exact, float) = (notation.law().unwrap(), notation.law_f64().unwrap());
        let bound = float.relative_error();
        for (outcome, p) in exact.to_f64().pmf() {
            assert!((float.p(outcome) - p).abs() <= 1.01 * bound * p, "{text}");
        }
    }
    let unlike: Notation = "{1d6, 1d{1..6, 6}}kh1!1".parse().unwrap();
    assert!(unlike.law().is_err() && unlike.law_f64().is_err());
}

/// Regression test: a sum that fits was refused where two of its terms did not.
#[test]
fn terms_near_the_ends_of_64_bits() {
    let large = "1d{9223372036854775800..9223372036854775807}";
    let least = "1d{-9223372036854775808..-9223372036854775800}";
    for text in [
        format!("{large} + 1d6 - 6d6"),
        format!("1d6 + {large} - 6d6"),
        format!("1d6 - 6d6 + {large}"),
        format!("1d6 + {large} - 5d6 - 1d6"),
    ] {
        let law = Dist::parse(&text).unwrap();
        let ends = (i64::MAX - 7 + 1 - 36, i64::MAX);
        assert_eq!((*law.min(), *law.max()), ends, "{text}");
    }
    let law = Dist::parse(&format!("{large} - 8d6 + {least} + {large} + 0")).unwrap();
    assert_eq!((*law.min(), *law.max()), (i64::MAX - 63, i64::MAX - 1));
    let too_large = Dist::parse(&format!("{large} + 1d6"));
    assert!(
        matches!(too_large, Err(Error::OutcomeOverflow { .. })),
        "{too_large:?}"
    );
    let less = Dist::parse(&format!("0 - {least}"));
    assert!(less.is_err());
}
