//! Bad input and extremes: an error that says what is wrong, and never a panic.

#![allow(
    clippy::panic,
    reason = "a test that cannot go on has failed, in its helpers too"
)]

use num_bigint::{BigInt, BigUint};
use num_rational::{BigRational, Ratio};
use oddsmith_dice::{DifferenceTable, Dist, Error, IntoRatio, Ties};

type Law = Result<Dist<i64>, Error>;

#[track_caller]
fn check<T>(result: Result<T, Error>, expected: &str) {
    match result {
        Ok(_) => panic!("expected an error: {expected}"),
        Err(error) => assert_eq!(error.to_string(), expected),
    }
}

#[track_caller]
fn overflows(result: Law) {
    assert!(
        matches!(result, Err(Error::OutcomeOverflow { .. })),
        "{result:?}"
    );
}

#[track_caller]
fn too_large<T: std::fmt::Debug>(result: Result<T, Error>) {
    let refused =
        matches!(result, Err(Error::TooLarge { words, limit, .. }) if words > limit.into());
    assert!(refused, "{result:?}");
}

#[test]
fn zero_sides() {
    let expected = "a die needs at least 1 side, got 0";
    check(Dist::die(0), expected);
    check(Dist::ndice(3, 0), expected);
    check(Dist::ndice(0, 0), expected);
    check(DifferenceTable::new(2, 0), expected);
}

#[test]
fn zero_dice() -> Result<(), Error> {
    assert_eq!(Dist::ndice(0, 6)?, Dist::certain(0));
    assert_eq!(Dist::ndice(0, u32::MAX)?, Dist::certain(0));
    assert_eq!(Dist::die(6)?.repeat(0)?, Dist::certain(0));
    assert_eq!(Dist::certain(i64::MAX).repeat(0)?, Dist::certain(0));
    assert_eq!(DifferenceTable::new(0, 6)?.draw(0), "1".into_ratio()?);
    Ok(())
}

#[test]
fn one_side_and_one_outcome() -> Result<(), Error> {
    assert_eq!(Dist::ndice(u32::MAX, 1)?, Dist::certain(u32::MAX.into()));
    assert_eq!(
        Dist::certain(-2).repeat(u32::MAX)?,
        Dist::certain(-2 * i64::from(u32::MAX))
    );
    let heavy = Dist::from_weights([(1, u64::MAX)])?;
    assert_eq!(heavy.repeat(u32::MAX)?.max(), &i64::from(u32::MAX));
    Ok(())
}

#[test]
fn empty_support() {
    let expected = "a distribution needs at least 1 outcome, got none";
    let none: [(i64, u32); 0] = [];
    check(Dist::<i64>::uniform([]), expected);
    check(Dist::from_weights(none), expected);
    check(Dist::from_probabilities(none), expected);
    check(
        Dist::from_parts(Vec::<(i64, BigUint)>::new(), BigUint::default()),
        expected,
    );
    check(Dist::mixture(Vec::<(u32, Dist<i64>)>::new()), expected);
    check(Dist::from_float_weights(Vec::<(i64, f64)>::new()), expected);
}

#[test]
fn zero_total() -> Result<(), Error> {
    let expected = "at least 1 weight must be positive, got 2 weights of 0";
    check(Dist::from_weights([(1, 0), (2, 0)]), expected);
    check(
        Dist::mixture([(0, Dist::die(6)?), (0, Dist::die(8)?)]),
        expected,
    );
    check(Dist::from_float_weights([(1, 0.0), (2, -0.0)]), expected);
    Ok(())
}

#[test]
fn negative_weights() -> Result<(), Error> {
    let expected = "weights must be 0 or more, got -1/2 at position 1 (from 0)";
    check(Dist::from_weights([(1, (1, 2)), (2, (-1, 2))]), expected);
    check(
        Dist::from_probabilities([(1, "3/2"), (2, "-1/2")]),
        expected,
    );
    check(
        Dist::mixture([("1", Dist::die(6)?), ("-0.5", Dist::die(8)?)]),
        expected,
    );
    Ok(())
}

#[test]
fn float_weights_that_are_no_weights() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, -5e-324] {
        let result = Dist::from_float_weights([(1, 1.0), (2, bad)]);
        let expected = "float weights must be finite and 0 or more, got";
        check(result, &format!("{expected} {bad} at position 1 (from 0)"));
    }
}

#[test]
fn extreme_float_weights() -> Result<(), Error> {
    let most = Dist::from_float_weights([(1, f64::MAX), (2, f64::MAX), (3, f64::MAX)])?;
    assert!((most.p(&1) * 3.0 - 1.0).abs() <= most.relative_error());
    let least = Dist::from_float_weights([(1, 5e-324), (2, 5e-324)])?;
    assert_eq!(least.p(&1), 0.5);
    assert_eq!(least.repeat(3)?.p(&4), 0.375);
    let both = Dist::from_float_weights([(1, 5e-324), (2, f64::MAX)])?;
    assert_eq!(both.p(&2), 1.0);
    // Conditioning on an event as rare as doubles go brings it back to one.
    let rare = Dist::from_float_weights([(1, 1.0), (2, 1e-300), (3, 3e-300)])?;
    let given = rare.given(|&x| x > 1)?;
    assert!((given.p(&3) - 0.75).abs() <= given.relative_error());
    assert!((given.repeat(2)?.p(&6) - 0.5625).abs() < 1e-15);
    Ok(())
}

#[test]
fn probabilities_that_do_not_sum_to_one() {
    let sum = |sum: &str| format!("probabilities must sum to 1, got a sum of {sum}");
    check(
        Dist::from_probabilities([(1, "1/2"), (2, "1/3")]),
        &sum("5/6"),
    );
    check(Dist::from_probabilities([(1, 1), (2, 1)]), &sum("2"));
    check(Dist::from_probabilities([(1, 0)]), &sum("0"));
    let parts = [(1, BigUint::from(2u32))];
    let expected = "the total must be the sum of the weights, 2, got 3";
    check(Dist::from_parts(parts, 3u32.into()), expected);
}

#[test]
fn numbers_that_are_no_probabilities() -> Result<(), Error> {
    let range = |p: &str| format!("a probability must be between 0 and 1, got {p}");
    check(Dist::bernoulli("-1/6"), &range("-1/6"));
    check(Dist::bernoulli((7, 6)), &range("7/6"));
    let die = Dist::die(6)?;
    check(die.quantile(2), &range("2"));
    check(die.to_f64().quantile(-1), &range("-1"));
    assert_eq!(Dist::bernoulli(0)?, Dist::certain(false));
    assert_eq!(Dist::bernoulli(1)?, Dist::certain(true));
    assert_eq!((die.quantile(0)?, die.quantile(1)?), (&1, &6));
    assert_eq!(
        (die.to_f64().quantile(0)?, die.to_f64().quantile(1)?),
        (&1, &6)
    );
    Ok(())
}

#[test]
fn text_that_is_no_number() {
    let bad = [
        "", " ", "/", "1/", "/2", "1/2/3", "1.", ".5", "-.5", "1.-5", "1.5/2", "1e3", "0x1", "½",
        "1_000", "+-1", "--1", "nan", "inf", "1 2", "٣",
    ];
    for text in bad {
        let error = text.into_ratio().unwrap_err();
        assert_eq!(
            error,
            Error::NotARational {
                text: text.to_owned()
            },
            "{text:?}"
        );
    }
    let long = "x".repeat(1000).into_ratio().unwrap_err();
    assert_eq!(
        long,
        Error::NotARational {
            text: "x".repeat(64)
        }
    );
    too_large("9".repeat(1_000_000).into_ratio());
}

#[test]
fn numbers_of_every_kind() -> Result<(), Error> {
    let half = BigRational::new(1.into(), 2.into());
    assert_eq!("1/2".into_ratio()?, half);
    assert_eq!(" -1 / -2 ".into_ratio()?, half);
    assert_eq!("+0.50".into_ratio()?, half);
    assert_eq!(String::from("2/4").into_ratio()?, half);
    assert_eq!("-0.5".into_ratio()?, -&half);
    assert_eq!((3u8, 6u64).into_ratio()?, half);
    assert_eq!((BigInt::from(1), 2).into_ratio()?, half);
    assert_eq!(Ratio::<i64>::new(1, 2).into_ratio()?, half);
    assert_eq!(Ratio::<u64>::new(1, 2).into_ratio()?, half);
    assert_eq!((&half).into_ratio()?, half);
    assert_eq!(i128::MIN.into_ratio()?.to_string(), i128::MIN.to_string());
    assert_eq!(BigUint::from(7u32).into_ratio()?, 7.into_ratio()?);
    Ok(())
}

#[test]
fn denominator_zero() {
    let expected = "a denominator must not be 0, got 3/0";
    check((3, 0).into_ratio(), expected);
    check("3/0".into_ratio(), expected);
    check(Ratio::<i64>::new_raw(3, 0).into_ratio(), expected);
    check(
        BigRational::new_raw(3.into(), 0.into()).into_ratio(),
        expected,
    );
    check(Dist::bernoulli((3, 0)), expected);
    check(Dist::from_weights([(1, (3, 0))]), expected);
}

#[test]
fn outcomes_that_overflow() -> Result<(), Error> {
    let (most, least) = (Dist::certain(i64::MAX), Dist::certain(i64::MIN));
    let die = Dist::die(6)?;
    overflows(most.matfold(&die));
    overflows(&die + &most);
    overflows(&least - &die);
    overflows(most.difference(&least));
    overflows(&die + i64::MAX);
    overflows(i64::MAX + &die);
    overflows(i64::MIN - die.clone());
    overflows(least.shift(-1));
    overflows(die.scale(i64::MAX));
    overflows(die.scale(i64::MIN));
    overflows(least.negate());
    overflows(-&least);
    overflows(most.repeat(2));
    overflows(Dist::uniform([0, i64::MAX])?.repeat(u32::MAX));
    overflows((&die + &most) + &die);
    overflows(&die + (&most + &die));
    overflows((&die - &die) - &least);
    let float = most.to_f64();
    assert!(matches!(
        &float + &float,
        Err(Error::OutcomeOverflow { .. })
    ));
    assert!(DifferenceTable::between(&most, &least).is_err());
    check(
        die.shift(i64::MAX),
        "the outcome 1 + 9223372036854775807 does not fit a 64-bit integer \
         (-9223372036854775808 ..= 9223372036854775807)",
    );
    // What fits is never refused on the way.
    assert_eq!((&least - &least)?, Dist::certain(0));
    assert_eq!((&least - i64::MIN)?, Dist::certain(0));
    assert_eq!((&least + &most)?, Dist::certain(-1));
    assert_eq!((Dist::certain(-1) - &most)?, least);
    assert_eq!(least.scale(1)?, least);
    assert_eq!(least.scale(0)?, Dist::certain(0));
    let wide = Dist::uniform([i64::MIN, 0, i64::MAX])?;
    assert_eq!(wide.repeat(1)?, wide);
    assert_eq!(wide.to_f64().repeat(1)?, wide.to_f64());
    assert_eq!(wide.mean().to_string(), "-1/3");
    assert!(wide.variance() > BigRational::from_integer(1.into()));
    Ok(())
}

/// Of what is refused nothing is built: most of it would fit no machine.
#[test]
fn sizes_are_refused_before_any_work() -> Result<(), Error> {
    too_large(Dist::die(u32::MAX));
    too_large(Dist::ndice(u32::MAX, u32::MAX));
    too_large(Dist::ndice(u32::MAX, 2));
    too_large(Dist::ndice(2, u32::MAX));
    too_large(Dist::ndice_within(u32::MAX, u32::MAX, u64::MAX));
    too_large(Dist::ndice_within(1 << 31, 2, u64::MAX));
    too_large(Dist::ndice_within(2, 6, 0));
    too_large(Dist::die(6)?.repeat(u32::MAX));
    too_large(Dist::die(6)?.repeat_within(u32::MAX, u64::MAX));
    too_large(Dist::uniform([0, 1, 1 << 20])?.repeat(1 << 20));
    too_large(Dist::uniform([i64::MIN, 0, i64::MAX])?.repeat_within(1, 3));
    too_large(DifferenceTable::new(u32::MAX, u32::MAX));
    too_large(Dist::die(6)?.moment(u32::MAX));
    too_large(Dist::die(6)?.central_moment(u32::MAX));
    check(
        Dist::ndice(50_000, 6),
        "50000d6 needs about 508252033 64-bit words, which exceeds the limit of 33554432",
    );
    let spread = Dist::uniform((0..5000).map(|i: i64| i * i * i * 1_000_003))?;
    too_large(spread.matfold_within(&spread, 1 << 20));
    Ok(())
}

#[test]
fn float_moments_that_overflow() -> Result<(), Error> {
    let far = Dist::uniform([0, i64::MAX])?.to_f64();
    let result = far.moment(100);
    check(
        result,
        "moment number 100 does not fit an f64; compute it from the exact distribution",
    );
    assert!(matches!(
        far.central_moment(u32::MAX),
        Err(Error::FloatOverflow { .. })
    ));
    assert_eq!(Dist::uniform([-1, 1])?.to_f64().moment(u32::MAX)?, 0.0);
    assert_eq!(Dist::uniform([-1, 1])?.to_f64().moment(u32::MAX - 1)?, 1.0);
    assert_eq!(Dist::certain(0).moment(0)?, "1".into_ratio()?);
    Ok(())
}

#[test]
fn impossible_conditions() -> Result<(), Error> {
    let expected =
        "cannot condition on an event of probability 0: none of the 6 outcomes satisfies it";
    check(Dist::die(6)?.given(|&x| x > 6), expected);
    check(Dist::die(6)?.to_f64().given(|&x| x > 6), expected);
    Ok(())
}

#[test]
fn endless_ties() -> Result<(), Error> {
    let draw = Dist::certain(1).versus(&Dist::certain(1));
    check(
        draw.with_ties(Ties::Reroll),
        "every comparison is a tie, so rolling ties again would never end",
    );
    assert_eq!(draw.with_ties(Ties::Split)?.win(), (1, 2).into_ratio()?);
    Ok(())
}

#[test]
fn errors_from_within_come_out() -> Result<(), Error> {
    let die = Dist::die(6)?;
    check(
        die.and_then(|&n| Dist::die(n as u32 - 1)),
        "a die needs at least 1 side, got 0",
    );
    Ok(())
}

#[test]
fn advantages_of_any_size() -> Result<(), Error> {
    let round = DifferenceTable::new(2, 6)?;
    let certain = |d| [round.win(d), round.draw(d), round.lose(d)].map(|p| p.to_string());
    assert_eq!(certain(i64::MAX), ["1", "0", "0"]);
    assert_eq!(certain(11), ["1", "0", "0"]);
    assert_eq!(certain(-11), ["0", "0", "1"]);
    assert_eq!(certain(i64::MIN), ["0", "0", "1"]);
    let least = DifferenceTable::between(&Dist::certain(i64::MIN), &Dist::certain(0))?;
    assert_eq!(least.win(i64::MAX), 0.into_ratio()?);
    assert_eq!(least.lose(i64::MIN), 1.into_ratio()?);
    Ok(())
}

#[cfg(feature = "serde")]
mod written {
    use super::*;
    use oddsmith_dice::{Best, FloatDist, Hand, Pool, Ranking};

    #[track_caller]
    fn refused<D: serde::de::DeserializeOwned + std::fmt::Debug>(text: &str, expected: &str) {
        let error = serde_json::from_str::<D>(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }

    #[test]
    fn malformed_laws_are_refused() {
        refused::<Dist<i64>>("[]", "at least 1 outcome");
        refused::<Dist<i64>>(r#"[[1,"1/2"],[2,"1/3"]]"#, "got a sum of 5/6");
        refused::<Dist<i64>>(
            r#"[[1,"1/2"],[1,"1/2"]]"#,
            "the one at position 1 (from 0) repeats",
        );
        refused::<Dist<i64>>(
            r#"[[1,"3/2"],[2,"-1/2"]]"#,
            "got -1/2 at position 1 (from 0)",
        );
        refused::<Dist<i64>>(r#"[[1,"1/0"]]"#, "denominator must not be 0");
        refused::<Dist<i64>>(r#"[[1,"one"]]"#, "not a rational number");
        refused::<Dist<i64>>(r#"[[1,0.5],[2,0.5]]"#, "expected a string");
        refused::<Dist<i64>>(r#"[[1]]"#, "tuple of size 2");
        refused::<Dist<i64>>(r#"{"1":"1"}"#, "expected a sequence");
        refused::<Dist<u8>>(r#"[[300,"1"]]"#, "expected u8");
        refused::<FloatDist<i64>>("[]", "at least 1 outcome");
        refused::<FloatDist<i64>>("[[1,0.5],[2,0.25]]", "got a sum of 0.75");
        refused::<FloatDist<i64>>(
            "[[1,0.5],[1,0.5]]",
            "the one at position 1 (from 0) repeats",
        );
        refused::<FloatDist<i64>>("[[1,1.5],[2,-0.5]]", "got -0.5 at position 1 (from 0)");
        refused::<FloatDist<i64>>("[[1,1e308],[2,1e308]]", "must sum to 1");
        refused::<FloatDist<i64>>("[[1,null]]", "expected f64");
    }

    #[test]
    fn exact_laws_round_trip() {
        let roll = Dist::ndice(2, 6).unwrap();
        let text = serde_json::to_string(&roll).unwrap();
        assert!(text.starts_with(r#"[[2,"1/36"],[3,"1/18"],"#), "{text}");
        assert_eq!(serde_json::from_str::<Dist<i64>>(&text).unwrap(), roll);
        let pair = roll.joint(&Dist::bernoulli((1, 3)).unwrap()).unwrap();
        let text = serde_json::to_string(&pair).unwrap();
        assert_eq!(
            serde_json::from_str::<Dist<(i64, bool)>>(&text).unwrap(),
            pair
        );
        let unordered = serde_json::from_str::<Dist<i64>>(r#"[[2,"0.5"],[1,"1/2"],[3,"0"]]"#);
        assert_eq!(unordered.unwrap(), Dist::die(2).unwrap());
    }

    #[test]
    fn laws_of_hands_round_trip() {
        let law = Pool::dice(5, 6).unwrap().hand().unwrap();
        let text = serde_json::to_string(&law).unwrap();
        assert!(text.contains(r#"[{"sets":[3,2]},"25/648"]"#), "{text}");
        assert!(text.contains(r#"[{"straight":5},"5/162"]"#), "{text}");
        assert_eq!(serde_json::from_str::<Dist<Hand>>(&text).unwrap(), law);
        // In any order, and sets of nothing are none.
        let read = serde_json::from_str::<Hand>(r#"{"sets":[1,0,2,2]}"#).unwrap();
        assert_eq!(read, Hand::of([2, 2, 1]));
        refused::<Hand>(r#"{"sets":[-1]}"#, "expected u64");
        refused::<Hand>(r#"{"flush":5}"#, "unknown variant");
    }

    /// Regression test: their probabilities summed to 0.9999999.
    #[test]
    fn float_laws_are_divided_by_their_sum() {
        let law: FloatDist<i64> = serde_json::from_str("[[1,0.5],[2,0.4999999]]").unwrap();
        assert!((law.at_most(&2) - 1.0).abs() <= law.relative_error());
        assert!((law.p(&1) - 0.5 / 0.9999999).abs() <= law.relative_error());
        assert!(law.relative_error() < 1e-14);
        let thirds: FloatDist<i64> = serde_json::from_str("[[1,0.3333333],[2,0.6666666]]").unwrap();
        assert!((thirds.p(&2) - 2.0 / 3.0).abs() < 1e-15);
    }

    /// Regression test: these could not be written at all.
    #[test]
    fn results_are_written() {
        let die = Dist::die(2).unwrap().to_f64();
        let ranking = Ranking::new(&[die.clone(), die.clone()], Best::Lowest).unwrap();
        assert_eq!(
            serde_json::to_string(&ranking).unwrap(),
            r#"{"win":[0.25,0.25],"win_or_share":[0.75,0.75]}"#
        );
        let table = DifferenceTable::between(&die, &Dist::certain(1).to_f64()).unwrap();
        assert_eq!(serde_json::to_string(&table).unwrap(), "[[0,0.5],[1,0.5]]");
        let waiting = die.until(|&face| face == 2).unwrap();
        assert_eq!(
            serde_json::to_string(&waiting).unwrap(),
            r#"{"mean":2.0,"last":[[2,1.0]]}"#
        );
        let fit = die.goodness_of_fit([(1, 15), (2, 5)]).unwrap();
        let written = serde_json::to_value(&fit).unwrap();
        assert_eq!(written["observations"], 20);
        assert_eq!(written["cells"][0]["expected"], 10.0);
    }

    #[test]
    fn float_laws_round_trip_bit_for_bit() {
        let roll = Dist::die(6).unwrap().to_f64().repeat(50).unwrap();
        // Through values: as text, serde_json reads floats to the last bit only with its
        // feature `float_roundtrip`.
        let value = serde_json::to_value(&roll).unwrap();
        let back: FloatDist<i64> = serde_json::from_value(value).unwrap();
        assert!(
            roll.outcomes()
                .all(|x| roll.p(x).to_bits() == back.p(x).to_bits())
        );
        assert!(back.relative_error() < 1e-12);
    }
}

/// 1,500 unrelated denominators: seconds, not minutes.
#[test]
fn many_unrelated_denominators_take_no_hours() {
    let numbers = (0..1_500_i64).map(|i| (i, (1, i64::MAX - i)));
    let law = Dist::from_weights(numbers).unwrap();
    assert_eq!(law.len(), 1_500);
    // Weights are as their fractions, whatever the common denominator.
    let share = law.p(&7) / law.p(&0);
    assert_eq!(share, (i64::MAX, i64::MAX - 7).into_ratio().unwrap());
}

/// Once an allocation of a terabyte.
#[test]
fn a_joint_law_too_large_is_refused() {
    let die = Dist::die(300_000).unwrap();
    let pair = die.joint(&die);
    assert!(matches!(
        pair,
        Err(Error::TooLarge {
            words: 90_000_000_000..,
            ..
        })
    ));
    let float = die.to_f64();
    assert!(matches!(float.joint(&float), Err(Error::TooLarge { .. })));
}

/// What is certain was rounded to more than that, but for [`Dist::probability`].
#[test]
fn no_float_is_more_than_certain() -> Result<(), Error> {
    for (dice, sides) in [(2, 6), (3, 6), (5, 10), (7, 3)] {
        let law = Dist::ndice(dice, sides)?.to_f64();
        let (least, most) = (*law.min(), *law.max());
        let all = [
            law.at_most(&most),
            law.at_least(&least),
            law.less(&(most + 1)),
            law.more(&(least - 1)),
        ];
        assert!(all.iter().all(|p| *p <= 1.0), "{dice}d{sides}: {all:?}");
        assert!(law.cdf().all(|(_, p)| p <= 1.0), "{dice}d{sides}");
    }
    Ok(())
}

/// Squares of chances that floats can still tell from 0 are nothing to them.
#[test]
fn what_hardly_ever_happens_has_moments() -> Result<(), Error> {
    let rare = 1e-200;
    let pairs = [((0_i64, 0_i64), 1.0), ((0, 1), rare), ((1, 0), rare)];
    let pairs = Dist::from_float_weights(pairs)?;
    assert!(pairs.correlation()?.abs() < 1e-150);
    assert!(pairs.squared_correlation()? < 1e-150);
    let law = Dist::from_float_weights([(0_i64, 1.0), (1, rare)])?;
    assert_eq!(law.until(|&x| x == 1)?.variance(), f64::INFINITY);
    assert!((law.excess_kurtosis()? / 1e200 - 1.0).abs() < 1e-9);
    assert!((law.skewness_squared()? / 1e200 - 1.0).abs() < 1e-9);
    Ok(())
}

/// Regression test: near the ends of 64 bits, a sum was refused or not depending on the order of the
/// laws.
#[test]
fn sums_near_the_ends_do_not_depend_on_the_order() -> Result<(), Error> {
    let (one, large) = (Dist::die(2)?, Dist::certain(i64::MAX - 1));
    let (less, least) = (Dist::uniform([-5, -3])?, Dist::certain(i64::MIN));
    let laws = [&one, &large, &less];
    let orders = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let expected = one.matfold(&less)?.matfold(&large)?;
    for order in orders {
        assert_eq!(Dist::sum(order.map(|place| laws[place]))?, expected);
    }
    // Two of them are beyond 64 bits, and all three are not.
    let sum = Dist::sum([&large, &large, &one, &least])?;
    assert_eq!(sum.support(), [i64::MAX - 2, i64::MAX - 1]);
    assert!(Dist::sum([&large, &one, &one]).is_err());
    assert!(matches!(
        Dist::sum([&large, &large]),
        Err(Error::OutcomeOverflow { .. })
    ));
    let wide = Dist::uniform([i64::MIN, i64::MAX])?;
    assert_eq!(Dist::sum([&wide])?, wide);
    Ok(())
}
