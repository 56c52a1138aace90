//! Errors: their columns, what was found and what was expected.

use super::answers::mean;
use oddsmith_dice::notation::{Change, Expression, Function, Keep, Node, Reading, Roll, Source};
use oddsmith_dice::{Dist, Error, Notation};

#[track_caller]
fn refused(text: &str, column: usize, found: &str, expected: &str) {
    match text.parse::<Notation>() {
        Err(Error::Notation(error)) => {
            assert_eq!(
                (error.column(), error.found(), error.expected()),
                (column, found, expected),
                "{text}\n{error}"
            );
            let message = error.to_string();
            assert_eq!(message.lines().count(), 3, "{message}");
        }
        other => panic!("{text}: {other:?}"),
    }
}

const OPERAND: &str = "a number, dice such as 2d6, a function or \"(\"";
const END: &str = "an operator or the end";
const DICE_END: &str = "an operator, a suffix of dice such as kh3, or the end";
const SIDES: &str = "a number of sides, %, F, {faces} or (an expression)";

#[test]
fn errors_say_where_and_what() {
    refused("", 1, "the end", OPERAND);
    refused("   ", 4, "the end", OPERAND);
    refused("2d6 +", 6, "the end", OPERAND);
    refused("2d6 + )", 7, "\")\"", OPERAND);
    refused("2d6)", 4, "\")\"", DICE_END);
    refused("(2d6))", 6, "\")\"", END);
    refused("(2d6", 5, "the end", "an operator or \")\"");
    refused("2d6 3", 5, "\"3\"", DICE_END);
    refused("7 7", 3, "\"7\"", END);
    refused("hello", 1, "\"hello\"", OPERAND);
    refused(
        "frob(2d6)",
        1,
        "\"frob\"",
        "a function: max, min, abs, floor, ceil, round, trunc, clamp, if, adv, dis, distinct, largest_set, run, sets or straight",
    );
    refused("2d", 3, "the end", SIDES);
    refused("2dx", 3, "\"x\"", SIDES);
    refused("d0", 2, "\"0\"", "a number of sides from 1 to 4294967295");
    refused(
        "2d4294967296",
        3,
        "\"4294967296\"",
        "a number of sides from 1 to 4294967295",
    );
    refused(
        "9999999999999d6",
        1,
        "\"9999999999999\"",
        "a number of dice up to 4294967295",
    );
    refused(
        "1 + 99999999999999999999",
        5,
        "\"99999999999999999999\"",
        "a whole number of 64 bits",
    );
    refused(
        "9223372036854775808",
        1,
        "\"9223372036854775808\"",
        "a whole number of 64 bits",
    );
    refused(
        "d6!4294967296",
        4,
        "\"4294967296\"",
        "a depth of explosion up to 4294967295, as in \"!10\"",
    );
    refused(
        "3d6!!",
        5,
        "\"!\"",
        "one \"!\": an exploding die always counts as one number here, as with \"!!\" elsewhere",
    );
    refused(
        "3d6!p",
        5,
        "\"p\"",
        "a depth, {faces} or nothing after \"!\": dice that lose 1 at each explosion are not supported",
    );
    refused(
        "8d6!>=7",
        5,
        "\">\"",
        "a face of these dice to explode on; to count exploded dice write c, as in 8d6!c>=7",
    );
    refused(
        "8d6! =5",
        6,
        "\"=\"",
        "braces around the faces that explode, as in !{5}; != is a comparison",
    );
    refused(
        "5 + 1d20! >= 15",
        11,
        "\">\"",
        "braces around the faces that explode, as in !{>=5}, or parentheses to compare the sum",
    );
    refused(
        "2d6r",
        5,
        "the end",
        "the faces, as in \"1\", \"<=2\" or \"{1, 3..4}\"",
    );
    refused(
        "4d6kx3",
        5,
        "\"x\"",
        "h, l, m, a number or [ after k: highest, lowest, middle, positions",
    );
    for (text, found) in [("4d6d4", "\"4\""), ("4d6d", "the end"), ("4d6d%", "\"%\"")] {
        refused(
            text,
            5,
            found,
            "h, l or a smaller number of dice after d, to drop the highest or the lowest; for a rolled number of dice write (4d6)d6",
        );
    }
    refused(
        "(1d4)d6d1",
        9,
        "\"1\"",
        "h, l or a smaller number of dice after d, to drop the highest or the lowest; for a rolled number of dice write (4d6)d6",
    );
    refused(
        "3d6x10",
        4,
        "\"x\"",
        "\"*\" to multiply, or \"!\" to explode",
    );
    refused("5d6e6", 4, "\"e\"", "\"!\" to explode, as in 5d6!10{6}");
    refused("2d20H", 5, "\"H\"", "kh to keep or dh to drop the highest");
    refused("4d6l1", 4, "\"l\"", "kl to keep or dl to drop the lowest");
    refused(
        "2d6 * 1.5",
        8,
        "\".\"",
        "whole numbers: for half of 2d6 write 2d6 / 2",
    );
    refused("2(3d6)", 2, "\"(\"", "an operator, such as *, before \"(\"");
    refused(
        "4d6kh3!1kl1",
        9,
        "\"kl\"",
        "keeping and dropping before changes to the kept dice",
    );
    refused("2d6 / 0", 7, "\"0\"", "a divisor that is not 0");
    refused("d{6..1}", 3, "\"6\"", "a range from low to high");
    refused(
        "1 < 2 < 3",
        7,
        "\"<\"",
        "one comparison at a time; put the first in parentheses",
    );
    refused(
        "2d6 >= 1d6",
        8,
        "\"1\"",
        "a face to count, as in 8d10>=7; to compare sums write (2d6) >= 1d6",
    );
    refused(
        "5 + 1d20 >= 15",
        10,
        "\">\"",
        "parentheses before this comparison: (a + 2d6) >= 7 compares the sum, a + (2d6>=7) counts dice",
    );
    refused(
        "max(2d6)",
        1,
        "\"max\"",
        "other arguments: max(a, b, …) takes 2 or more arguments",
    );
    refused(
        "ceil(2d6)",
        6,
        "\"2\"",
        "a division to round, such as 3d6 / 2",
    );
    refused("distinct(2d6 + 1)", 10, "\"2\"", "plain dice, such as 6d6");
    refused(
        "{4d6kh3, d8}kh1",
        2,
        "\"4\"",
        "a fixed number of dice, all kept; put these in parentheses to add their sum to the pool as one number",
    );
    refused("sets(4d6)", 9, "\")\"", "\",\" and a number of dice");
}

/// Regression test: the outer function replaced the rounding of the inner one, so that
/// `ceil(floor(7 / 2))` was 4.
#[test]
fn a_division_is_rounded_once() {
    let expected = "a division to round, such as 3d6 / 2";
    refused("ceil(floor(7 / 2))", 6, "\"floor\"", expected);
    refused("round((3d6 / 2))", 7, "\"(\"", expected);
    refused("trunc(3d6 // 2)", 7, "\"3\"", expected);
    refused("ceil(3d6 / 2 * 3)", 6, "\"3\"", expected);
    refused("ceil(3d6 / 2 + 1)", 14, "\"+\"", "\"*\", \"/\" or \")\"");
    // What is divided again is rounded down first.
    assert_eq!(mean("ceil(floor(7 / 2) / 2)"), "2");
    assert_eq!(mean("ceil(7 // 2 / 2)"), "2");
    assert_eq!(mean("ceil(7 / 2 / 2)"), "2");
    assert_eq!(mean("floor(3 * 7 / 2)"), "10");
}

/// Regression test: the error was "something else: the size is at least 1", and pointed at the
/// function.
#[test]
fn sizes_below_one_are_pointed_at() {
    let size = "a number of dice, at least 1";
    refused("straight(0d4, 0)", 15, "\"0\"", size);
    refused("1 + sets(4d6,  0)", 16, "\"0\"", size);
    refused("sets(4d6, x)", 11, "\"x\"", size);
}

/// Regression test: a number for each die rolled brought back dice dropped before: `4d6dl1k[1, 1,
/// 1, 1]` was `4d6`.
#[test]
fn what_was_dropped_is_not_counted_again() {
    let expected = "no k[…] after keeping or dropping dice: it needs a number for each die rolled, 0 to drop the die";
    refused("4d6dl1k[1, 1, 1, 1]", 7, "\"k\"", expected);
    refused("4d6kh3 k[1, 0, 1]", 8, "\"k\"", expected);
    refused("4d6k[0, 1, 1, 1]k[1, 0, 0, 1]", 17, "\"k\"", expected);
    // A later keep applies to the dice that count.
    assert_eq!(mean("4d6k[0, 1, 1, 1]kl1"), mean("4d6dl1kl1"));
}

/// Regression test: `1d20 >= 15 - 2` was a count, less 2.
#[test]
fn counts_with_a_number_added_need_parentheses() {
    let expected = "parentheses before this operator: (1d20) >= 15 + 2 compares the sum, (8d10>=7) + 2 counts dice";
    refused("1d20>=15+5", 9, "\"+\"", expected);
    refused("1d20 >= 15 - 2", 12, "\"-\"", expected);
    refused("1d20>=10/2", 9, "\"/\"", expected);
    refused("1d20 > 10 * 2", 11, "\"*\"", expected);
    refused("1d20 > 10 × 2 * 1d6", 11, "\"×\"", expected);
    refused("1d20>=15 - -2", 10, "\"-\"", expected);
    refused("if(4d6kh3>=5 − 1, 1, 0)", 14, "\"−\"", expected);
    assert_eq!(mean("(1d20>=15)+5"), "53/10");
    assert_eq!(mean("1d20c>=15+5"), "53/10");
    assert_eq!(mean("(1d20) >= 15+5"), "1/20");
    assert_eq!(mean("5d6>=5 + 2d6c>=5"), "7/3");
    assert_eq!(mean("1d20>=15 + 2d6"), "73/10");
}

/// Regression test: these were a certain 0.
#[test]
fn counts_that_no_face_can_pass_are_refused() {
    let expected =
        "a comparison that a face of these dice can pass; to compare their sum write (2d6) >= 7";
    refused("2d6>=7", 4, "\">\"", expected);
    refused("1d6=7", 4, "\"=\"", expected);
    refused("3d6 > 18", 5, "\">\"", expected);
    refused("d20>=21", 4, "\">\"", expected);
    refused("4dF<-1", 4, "\"<\"", expected);
    refused("2d{1, 3..5}kh1=2", 15, "\"=\"", expected);
    refused("{1d4, 2d6r1}>=7", 13, "\">\"", expected);
    // The letter asks for the count, and a die may be larger than its faces once it explodes.
    assert_eq!(mean("2d6c>=7"), "0");
    assert_eq!(mean("2d6!1>=7"), "1/3");
    assert_eq!(mean("{1d4, 2d6!1}>=7"), "1/3");
    assert_eq!(mean("2d6kh1!1>=7"), "11/36");
    assert_eq!(mean("(2d6) >= 7"), "7/12");
    assert_eq!(mean("2d(1d6 + 1)>=7"), "1/3");
}

#[test]
fn columns_are_characters() {
    refused("−1 × é", 6, "\"é\"", OPERAND);
    let long = format!("{}* é", "1 + ".repeat(40));
    let Err(Error::Notation(error)) = long.parse::<Notation>() else {
        panic!("{long}");
    };
    assert_eq!(error.column(), 161);
    let message = error.to_string();
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(
        lines[1].chars().nth(lines[2].chars().count() - 1),
        Some('*'),
        "{message}"
    );
    assert!(lines[1].chars().count() < 70, "{message}");
}

#[test]
fn depth_and_length_have_limits() {
    let deep = |levels: usize| format!("{}1{}", "(".repeat(levels), ")".repeat(levels));
    assert!(deep(32).parse::<Notation>().is_ok());
    let expected = "at most 32 levels of nesting";
    refused(&deep(33), 33, "\"(\"", expected);
    refused(&"(".repeat(4_000), 33, "\"(\"", expected);
    refused(&"-".repeat(4_000), 34, "\"-\"", expected);
    refused(&"max(".repeat(1_000), 132, "\"(\"", expected);
    let long = "a text of at most 4096 bytes";
    refused(&"(".repeat(100_000), 4_097, "\"(\"", long);
    refused(
        &"é".repeat(100_000),
        2_049,
        "\"éééééééééééééééééééééééééééééé\"",
        long,
    );
    // Long sums are wide and not deep; long products are deep.
    assert_eq!(mean(&vec!["1"; 1_000].join("+")), "1000");
    assert!(vec!["1"; 500].join("*").parse::<Notation>().is_err());
}

/// Regression test: the error pointed beyond the end of what had been written.
#[test]
fn texts_that_are_too_long_when_written_in_full() {
    let text = vec!["d6"; 1_000].join("+");
    let expected = "a text of at most 4096 bytes when written in full, not 5997";
    refused(&text, 3_000, "the end", expected);
    assert_eq!(mean(&vec!["d6"; 600].join("+")), "2100");
}

/// Regression test: the upper bound counted, so that this was always 4.
#[test]
fn clamps_to_no_number_are_refused() {
    let expected = "a valid expression: clamp(a, low, high) has no number from 10 up to 4";
    refused("1 + clamp(2d6, 10, 4)", 5, "\"clamp\"", expected);
    assert_eq!(mean("clamp(2d6, 7, 7)"), "7");
}

/// Regression test: `ro`, once, could be followed by a number of times.
#[test]
fn rolling_again_once_takes_no_number_of_times() {
    refused("2d6ro3{1, 2}", 7, "\"{\"", DICE_END);
    assert_eq!(mean("2d6ro{1, 2}"), mean("2d6r1{1, 2}"));
}

#[test]
fn trees_that_make_no_sense() {
    let bad = |node: Node| match Expression::new(node) {
        Err(Error::BadExpression { reason }) => reason,
        other => panic!("{other:?}"),
    };
    let dice = |change: fn(&mut Roll)| {
        let mut roll = Roll::dice(2, 6);
        change(&mut roll);
        bad(Node::Read {
            roll,
            reading: Reading::Sum,
        })
    };
    assert_eq!(
        bad(Node::Sum(Vec::new())),
        "a sum needs at least 2 terms, got 0"
    );
    assert!(Expression::dice(1, 0).is_err());
    assert_eq!(
        dice(|roll| roll.source = Source::Mixed(Vec::new())),
        "a pool needs at least 1 die"
    );
    assert_eq!(
        dice(|roll| roll.after.push(Change::Explode { depth: 1, on: None })),
        "changes in `after` need an entry in `keeps`"
    );
    assert_eq!(
        dice(|roll| roll.keeps = vec![Keep::DropLowest(1), Keep::Positions(vec![1, 1])]),
        "k[…] needs a number for each die rolled, so it must come before other keeps and drops"
    );
    assert_eq!(
        bad(Node::Call(Function::If, Vec::new())),
        "if(condition, then, else) takes 3 arguments, got 0"
    );
    let clamp = [7, 10, 4].map(Expression::number).to_vec();
    assert_eq!(
        bad(Node::Call(Function::Clamp, clamp)),
        "clamp(a, low, high) has no number from 10 up to 4"
    );
    let mut tall = Expression::number(1);
    let mut levels = 1;
    while let Ok(next) = Expression::new(Node::Negate(tall.clone())) {
        tall = next;
        levels += 1;
    }
    assert_eq!((levels, tall.height()), (128, 128));
    assert!(matches!(Notation::new(tall), Err(Error::Notation(_))));
}

/// The message contains the text to write instead.
#[test]
fn explosions_without_limit_name_the_depth() {
    for (text, written, instead) in [
        ("10d6!", "10d6!", "10d6!10"),
        ("2d6!kh1 + 3", "2d6!kh1", "2d6!10kh1"),
        ("2d6kh1!", "2d6kh1!", "2d6kh1!10"),
        ("10d6!>4", "10d6!{>4}", "10d6!10{>4}"),
        ("1 + 8d6!{6}c>=5", "8d6!{6}>=5", "8d6!10{6}>=5"),
        ("{1d6!, 2d8}kh2", "{1d6!, 2d8}kh2", "{1d6!10, 2d8}kh2"),
        (
            "largest_set(4d6!)",
            "largest_set(4d6!)",
            "largest_set(4d6!10)",
        ),
        ("3d(1d6!)", "1d6!", "1d6!10"),
        // Every face explodes.
        ("1d1!", "1d1!", "1d1!10"),
        ("4dF!{>=0}", "4dF!{>=0}", "4dF!10{>=0}"),
    ] {
        let error = Dist::parse(text).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "{written} explodes without limit, so its distribution is infinite; give a depth, as in {instead}"
            )
        );
        assert!(Dist::parse(instead).is_ok(), "{instead}");
        let floats = text.parse::<Notation>().unwrap().law_f64();
        assert_eq!(floats.unwrap_err(), error);
    }
}

#[test]
fn what_cannot_be_rolled() {
    let error = |text: &str| Dist::parse(text).unwrap_err();
    assert!(matches!(
        error("2d6kh3"),
        Error::TooFewDice { asked: 3, kept: 2 }
    ));
    assert!(matches!(
        error("(1d3)d6kh2"),
        Error::TooFewDice { asked: 2, kept: 1 }
    ));
    assert_eq!(error("(1d3 - 2)d6"), Error::DiceCount { count: -1 });
    assert_eq!(error("10 / (1d3 - 2)"), Error::DivisionByZero);
    assert!(matches!(error("1d6rr{1..6}"), Error::Endless { .. }));
    // Regression test: its distribution was called infinite.
    for text in ["1d{0}!", "2d{0}kh1!", "1d{0}!{<=0}"] {
        assert!(matches!(error(text), Error::Endless { .. }), "{text}");
    }
    assert!(matches!(
        error("9223372036854775807 + 1d6"),
        Error::OutcomeOverflow { .. }
    ));
    // Constants are added first; the error names the sum that did not fit.
    for text in [
        "9223372036854775807 + 1",
        "0 * 1d6 + 9223372036854775807 + 1",
    ] {
        assert_eq!(
            error(text),
            Error::OutcomeTooLarge { outcome: 1 << 63 },
            "{text}"
        );
    }
    assert!(matches!(
        error("2d9 * 9223372036854775807"),
        Error::OutcomeOverflow { .. }
    ));
    assert!(matches!(
        error("{d6, d8}kh1!2"),
        Error::BadExpression { .. }
    ));
    assert!(matches!(
        error("3d6k[1, 1]"),
        Error::WrongPositions { given: 2, dice: 3 }
    ));
}
