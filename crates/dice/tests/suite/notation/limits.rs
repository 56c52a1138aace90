//! Expressions that are too large are rejected before any work.

use super::answers::check_mean;
use super::generate::Small;
use oddsmith_dice::{Dist, Error, Notation, Pool};
use quickcheck::{QuickCheck, TestResult};

#[track_caller]
fn too_much(text: &str) {
    let notation: Notation = text.parse().unwrap();
    let error = notation.law().unwrap_err();
    assert!(
        matches!(error, Error::TooLarge { .. } | Error::TooSlow { .. }),
        "{text}: {error}"
    );
}

#[test]
fn too_much_is_refused_before_any_work() {
    for text in [
        "1000000d1000000",
        "(1d1000)d1000",
        "((1d100)d100)d100",
        "d{0..9223372036854775807}",
        "d{-9223372036854775808..9223372036854775807}",
        "4294967295d6",
        "4294967295d6kh1",
        "100000d6kh50000",
        "d6!4294967295",
        "d6!1000000{1..5}",
        "d6!100!100!100",
        "d6r4000000000{1}",
        "4294967295d6>=3",
        "largest_set(100000d6)",
        "run(1000d1000)",
        "distinct(10000d10000)",
        "d100000 * d100000",
        "(d10000 * d10000) * (d10000 * d10000)",
        "d1000000 / d1000",
        "d1000 * d1000 + d1000",
        "{1000d6, 1000d8, 1000d10, 1000d12}kh500",
        "(1d6 * 1000000)d6",
        "d1000000000",
        "1000d(1000d6)",
    ] {
        too_much(text);
    }
    check_mean("4294967295d1", "4294967295");
    check_mean("d1000000", "1000001/2");
    // Regression test: kept dice with one side were estimated as if they had many.
    check_mean("4294967295d1kh3", "3");
    check_mean("4294967295d1km3", "3");
    check_mean("{4000000000d1, 4d1}dl1", "4000000003");
    check_mean("3d{-7}k[2, 0, -1]", "-7");
    check_mean("1000d6kh500 - 1000d6kh500", "0");
}

#[test]
fn costs_bound_what_the_law_takes() {
    let check: fn(Small) -> TestResult = |small| {
        let notation = Notation::new(small.0).unwrap();
        let Ok(law) = notation.law() else {
            return TestResult::discard();
        };
        let digits = law.total().bits().div_ceil(64).max(1);
        // Totals are not always written in full.
        let words = u128::from(6 * law.len() as u64 + digits);
        TestResult::from_bool(notation.cost().words() >= words)
    };
    QuickCheck::new()
        .tests(1_000)
        .max_tests(20_000)
        .quickcheck(check);
}

/// Regression test: the space in which large integers are multiplied was not counted, so a difference
/// took almost four times its words.
#[test]
fn costs_count_the_space_of_products() -> Result<(), Error> {
    let cost = |text: &str| Ok::<_, Error>(text.parse::<Notation>()?.cost().words());
    // The result alone is 5,001 outcomes of 41 words and six more.
    assert!(cost("500d6 - 500d6")? > cost("500d6")? + 5 * 5_001 * 41 + 5_001 * 47);
    assert!(cost("10d6 - 10d6")? < 2_000);
    Ok(())
}

/// Regression test: a mixture kept to the default limit, whatever the limit was.
#[test]
fn mixtures_keep_to_the_limit_that_is_set() -> Result<(), Error> {
    let text: Notation = "if(1d2 = 1, 1d2500000, 1d2500000)".parse()?;
    let law = text.law_f64_within(1 << 28)?;
    assert_eq!(law.len(), 2_500_000);
    assert!((law.mean() - 1_250_000.5).abs() < 1e-3);
    assert!(text.law_f64_within(1 << 20).is_err());
    Ok(())
}

/// Regression test: in floats, the parts of a mixture were all held at once. A quotient of two rolls
/// took 37 times the words that it was estimated to take, since each part kept the space for every
/// pair of rolls, and a roll of dice whose number is rolled was refused where its exact distribution
/// was not.
#[test]
fn mixtures_in_floats_are_added_part_by_part() -> Result<(), Error> {
    for text in ["1d3000 / 1d3000", "(1d1000)d6", "(1d300)d20 / 1d6"] {
        let notation: Notation = text.parse()?;
        let (exact, floats) = (notation.cost(), notation.cost_f64());
        assert!(floats.words() < 2 * exact.words(), "{text}: {floats}");
        let (law, rounded) = (notation.law()?, notation.law_f64()?);
        let error = rounded.relative_error();
        assert!(error < 1e-11, "{text}: {error}");
        let nearest = law.to_f64();
        for x in nearest.outcomes() {
            let (p, apart) = (nearest.p(x), (rounded.p(x) - nearest.p(x)).abs());
            assert!(p < 1e-290 || apart <= p * (error + 1e-15), "{text}: {x}");
        }
    }
    Ok(())
}

#[test]
fn costs_of_the_corpus_are_modest() {
    for text in [
        "100d6",
        "1000d6",
        "20d10kh7",
        "100d20kh50",
        "largest_set(10d10)",
        "run(20d6)",
        "10d6!10",
        "(1d100)d6",
        "(1d300)d20",
        "(1d1000)d6",
        "(1d100)d100",
        "d1000000 / d10",
        "20d10kh10!3",
        "3d6!300kh1",
        "2d30000kh1",
        "2d{0..1000000}",
    ] {
        let notation: Notation = text.parse().unwrap();
        let cost = notation.cost();
        assert!(cost.fits(oddsmith_dice::DEFAULT_LIMIT), "{text}: {cost}");
        assert!(notation.law().is_ok(), "{text}");
    }
    // The notation allows what `Dist::ndice` allows.
    let large: Notation = "10000d6 + 3".parse().unwrap();
    assert!(
        large.cost().fits(oddsmith_dice::DEFAULT_LIMIT),
        "{}",
        large.cost()
    );
}

/// Regression test: the changes of a kept die were computed for each of its faces, although all but
/// the highest stay as they are: a minute and a half for an estimate of a moment.
#[test]
fn kept_dice_that_change_are_rolled_again_only_where_they_do() -> Result<(), Error> {
    let notation: Notation = "9d1600kh6!1>=4".parse().unwrap();
    let law = notation.law()?;
    let bits = 9.0 * 1600f64.log2();
    // Only an exploding face adds the total of one more die.
    assert!(law.total().bits() as f64 <= bits + 6.0 * 1600f64.log2() + 1.0);
    assert!(law.p(&6) > law.p(&5));
    // Successive changes: a 1, with probability 1/4, is rerolled as an exploding die.
    let twice = Dist::parse("2d2kh1!1r1")?;
    assert_eq!([3, 4].map(|x| twice.p(&x).to_string()), ["7/16", "7/16"]);
    Ok(())
}

/// Regression test: what a second change leads to was computed again for every face after the first
/// and for every face kept. `2d1000kl1r3{<900}r3{>4}` took minutes and 100 times its words.
#[test]
fn kept_dice_that_change_twice() -> Result<(), Error> {
    let die = Dist::die(12)?;
    let kept = Pool::dice(3, 12)?.lowest(1)?.sum()?;
    let (low, high) = (|face: &i64| *face < 9, |face: &i64| *face > 3);
    let again = die.reroll(3, low)?;
    let further = die.explode(2, high)?;
    let rerolled = kept.and_then(|face| match low(face) {
        true => die.reroll(2, low),
        false => Ok(Dist::certain(*face)),
    })?;
    let exploded = kept.and_then(|face| match high(face) {
        true => die.explode(1, high)?.shift(*face),
        false => Ok(Dist::certain(*face)),
    })?;
    let reroll_again = |before: &Dist<i64>, fresh: &Dist<i64>| {
        before.and_then(|face| match high(face) {
            true => fresh.reroll(1, high),
            false => Ok(Dist::certain(*face)),
        })
    };
    let explode_again = |before: &Dist<i64>, fresh: &Dist<i64>| {
        before.and_then(|face| match low(face) {
            true => fresh.explode(1, low)?.shift(*face),
            false => Ok(Dist::certain(*face)),
        })
    };
    for (text, expected) in [
        ("3d12kl1r3{<9}r2{>3}", reroll_again(&rerolled, &again)?),
        ("3d12kl1r3{<9}!2{<9}", explode_again(&rerolled, &again)?),
        ("3d12kl1!2{>3}r2{>3}", reroll_again(&exploded, &further)?),
        ("3d12kl1!2{>3}!2{<9}", explode_again(&exploded, &further)?),
    ] {
        let notation: Notation = text.parse()?;
        assert_eq!(notation.law()?, expected, "{text}");
        let (floats, nearest) = (notation.law_f64()?, expected.to_f64());
        let bound = floats.relative_error() + 1e-15;
        for x in nearest.outcomes() {
            let (p, found) = (nearest.p(x), floats.p(x));
            assert!((found - p).abs() <= p * bound, "{text}: {x}");
        }
    }
    let many: Notation = "2d1000kl1r3{<900}r3{>4}".parse()?;
    let mean = many.law_f64()?.mean();
    assert!((mean - 617.826_493_699_058).abs() < 1e-6, "{mean}");
    let once: Notation = "2d1000kl1r3{<900}".parse()?;
    assert!(many.cost().operations() > 2 * once.cost().operations());
    Ok(())
}

/// Regression test: the estimate for kept dice left out the words and operations that the sum is
/// checked for, so expressions estimated to fit were rejected.
#[test]
fn kept_dice_that_fit_are_not_refused() {
    let said: Notation = "{12d7, 1d11, 8d4000}kh2".parse().unwrap();
    assert!(!said.cost().fits(oddsmith_dice::DEFAULT_LIMIT));
    let said: Notation = "9d2318kh6".parse().unwrap();
    assert!(said.cost().words() >= 60_000 && !said.cost().fits(1 << 22));
    fn check(groups: Vec<(u8, u8)>, keep: u8, lowest: bool) -> TestResult {
        let part = |&(count, sides): &(u8, u8)| format!("{}d{}", count % 9 + 1, sides % 40 + 1);
        let parts: Vec<String> = groups.iter().take(3).map(part).collect();
        if parts.is_empty() {
            return TestResult::discard();
        }
        let dice: u8 = groups.iter().take(3).map(|group| group.0 % 9 + 1).sum();
        let side = if lowest { 'l' } else { 'h' };
        let text = format!("{{{}}}k{side}{}", parts.join(", "), keep % dice + 1);
        let notation: Notation = text.parse().unwrap();
        let cost = notation.cost();
        let limit = cost.words().max(cost.operations().div_ceil(256)) as u64;
        assert!(cost.fits(limit), "{text}");
        let law = notation.law_within(limit);
        assert!(law.is_ok(), "{text}: {cost}: {law:?}");
        TestResult::passed()
    }
    QuickCheck::new()
        .tests(300)
        .quickcheck(check as fn(Vec<(u8, u8)>, u8, bool) -> TestResult);
}

/// None of a die that is too large is 0 times infinity, which is no number; it was counted as 0, and
/// so was everything beside it.
#[test]
fn no_dice_hide_no_cost() {
    let die = format!("6{}", "!4294967295".repeat(34));
    for text in [
        format!("distinct(0d{die}) + 100d10"),
        format!("4d6kh0{} + 100d10", "!4294967295".repeat(34)),
    ] {
        let notation: Notation = text.parse().unwrap();
        assert!(!notation.cost().fits(1), "{}", notation.cost());
        assert!(notation.law_within(1).is_err());
    }
}

/// Regression test: in floats, and with dice that are not fair, each face of a kept die is a step
/// of its own. `10d3000kh5` took 8 seconds and was estimated to fit.
#[test]
fn kept_dice_of_many_sides_that_are_not_fair() {
    for text in ["10d3000!1kh5", "10d3000!1kl5", "{10d3000!1, 1d6}kh5"] {
        too_much(text);
        let error = text.parse::<Notation>().unwrap().law_f64().unwrap_err();
        assert!(matches!(error, Error::TooSlow { .. }), "{text}: {error}");
    }
    // Of fair dice and of some that turn out to be fair, what fits is not refused.
    fn check(groups: Vec<(u8, u8)>, keep: u8, reroll: bool) -> TestResult {
        let again = if reroll { "rr1" } else { "" };
        let part = |&(count, sides): &(u8, u8)| {
            format!("{}d{}{again}", count % 5 + 1, u32::from(sides) * 2 + 2)
        };
        let parts: Vec<String> = groups.iter().take(2).map(part).collect();
        if parts.is_empty() {
            return TestResult::discard();
        }
        let dice: u8 = groups.iter().take(2).map(|group| group.0 % 5 + 1).sum();
        let text = format!("{{{}}}kh{}", parts.join(", "), keep % dice + 1);
        let notation: Notation = text.parse().unwrap();
        let cost = notation.cost_f64();
        let limit = cost.words().max(cost.operations().div_ceil(256)) as u64;
        let law = notation.law_f64_within(limit);
        assert!(law.is_ok(), "{text}: {cost}: {law:?}");
        TestResult::passed()
    }
    QuickCheck::new()
        .tests(100)
        .quickcheck(check as fn(Vec<(u8, u8)>, u8, bool) -> TestResult);
}

/// Regression test: rerolls are measured as if there were 2,048 outcomes, which the estimate did
/// not know, so an expression estimated to fit was refused.
#[test]
fn rerolls_that_fit_are_not_refused() -> Result<(), Error> {
    for (text, fits) in [
        ("1d20r300000{1}", false),
        ("1d20r200000{1}", true),
        ("1d20!300000{1}", false),
        ("1d6!2r3{1}", true),
    ] {
        let notation: Notation = text.parse()?;
        let cost = notation.cost();
        assert_eq!(
            cost.fits(oddsmith_dice::DEFAULT_LIMIT),
            fits,
            "{text}: {cost}"
        );
        assert_eq!(notation.law().is_ok(), fits, "{text}");
    }
    Ok(())
}

/// Products group from the left, so each is a level of the tree; sums of any length are one.
#[test]
fn products_in_a_row() {
    let product = |factors: usize| vec!["1dF"; factors].join(" * ").parse::<Notation>();
    let law = product(128).unwrap().law().unwrap();
    assert_eq!(law.support(), [-1, 0, 1]);
    assert!(matches!(product(129), Err(Error::Notation(_))));
    let sum: Notation = vec!["1dF"; 500].join(" + ").parse().unwrap();
    assert_eq!(sum.expression().height(), 2);
}
