//! Lazy comparison of two actions: as published, including its errors, and in a sound form.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::rc::Rc;

use num_rational::BigRational;
use oddsmith_dice::IntoRatio;
use oddsmith_mdp::{
    Error, PScore, Thunk, compare_by_bounds, score_compare, score_compare_skipping,
};
use quickcheck::quickcheck;

fn ratio(number: impl IntoRatio) -> BigRational {
    number.into_ratio().unwrap()
}

/// (probability, score), each as (numerator, denominator)
type Outcomes = Vec<((i64, i64), (i64, i64))>;

fn chain(outcomes: &Outcomes) -> Thunk<'static> {
    PScore::known(outcomes.clone()).unwrap()
}

fn expected(outcomes: &Outcomes) -> BigRational {
    outcomes.iter().map(|&(p, s)| ratio(p) * ratio(s)).sum()
}

/// Every published rule is wrong on these (smax = 1).
fn counterexamples() -> [(Outcomes, Outcomes); 3] {
    let tenths = |first: (i64, i64), others: (i64, i64)| -> Outcomes {
        (0..10)
            .map(|k| ((1, 10), if k == 0 { first } else { others }))
            .collect()
    };
    [
        (
            vec![((1, 1), (1, 100))],
            vec![((3, 5), (0, 1)), ((2, 5), (1, 1))],
        ),
        (
            vec![((3, 5), (1, 1)), ((2, 5), (0, 1))],
            vec![((3, 5), (9, 10)), ((2, 5), (1, 1))],
        ),
        (tenths((1, 1), (0, 1)), tenths((99, 100), (1, 1))),
    ]
}

#[test]
fn the_chain_of_a_die_as_published() {
    let die = PScore::known((1..=6).map(|pips| ((1, 6), pips))).unwrap();
    let published = [
        ("1/6", "1/6"),
        ("1/3", "1/2"),
        ("1/2", "1"),
        ("2/3", "5/3"),
        ("5/6", "5/2"),
    ];
    let mut link = die.force().unwrap();
    for (probability, score) in published {
        let PScore::Approximate {
            proba,
            pscore,
            next,
        } = link
        else {
            panic!("{link:?}");
        };
        assert_eq!((proba, pscore), (&ratio(probability), &ratio(score)));
        link = next.force().unwrap();
    }
    assert!(matches!(link, PScore::Certain(score) if *score == ratio("7/2")));
}

#[test]
fn the_published_rule_is_wrong_on_the_counterexamples() {
    let values = [("1/100", "2/5"), ("3/5", "47/50"), ("1/10", "999/1000")];
    for ((a, b), (va, vb)) in counterexamples().iter().zip(values) {
        assert_eq!((expected(a), expected(b)), (ratio(va), ratio(vb)));
        let order = score_compare(1, &chain(a), &chain(b)).unwrap();
        assert_eq!(order, Ordering::Greater, "it prefers {va} to {vb}");
        let back = score_compare(1, &chain(b), &chain(a)).unwrap();
        assert_eq!(back, Ordering::Less, "and so it does from the other side");
        let sound = compare_by_bounds(1, &chain(a), &chain(b)).unwrap();
        assert_eq!(sound, Ordering::Less);
    }
}

#[test]
fn skipping_mends_the_third_counterexample_alone() {
    let skipping = counterexamples()
        .map(|(a, b)| score_compare_skipping(1, (1, 2), &chain(&a), &chain(&b)).unwrap());
    assert_eq!(
        skipping,
        [Ordering::Greater, Ordering::Greater, Ordering::Less]
    );
}

#[test]
fn the_published_rule_is_intransitive() {
    // It prefers 1/5 to 2/5, 2/5 to 3/10, and 3/10 to 1/5.
    let good: Outcomes = vec![((1, 1), (1, 5))];
    let tricked: Outcomes = vec![((3, 5), (0, 1)), ((2, 5), (1, 1))];
    let middle: Outcomes = vec![((9, 10), (1, 3)), ((1, 10), (0, 1))];
    assert_eq!(expected(&tricked), ratio("2/5"));
    assert_eq!(expected(&middle), ratio("3/10"));
    let rule = |a, b| score_compare(1, &chain(a), &chain(b)).unwrap();
    let cycle = [
        rule(&good, &tricked),
        rule(&tricked, &middle),
        rule(&middle, &good),
    ];
    assert_eq!(cycle, [Ordering::Greater; 3]);
}

/// A chain that records which outcomes are computed.
fn spied<'a>(outcomes: &'a Outcomes, log: &'a RefCell<Vec<usize>>) -> Thunk<'a> {
    let outcomes = outcomes
        .iter()
        .enumerate()
        .map(move |(index, &(p, score))| {
            (p, move || {
                log.borrow_mut().push(index);
                Ok(score)
            })
        });
    PScore::chain(outcomes).unwrap()
}

#[test]
fn a_link_is_computed_on_demand_once_and_in_order() {
    let outcomes = vec![((1, 2), (1, 1)), ((0, 1), (1, 1)), ((1, 2), (0, 1))];
    let log = RefCell::new(Vec::new());
    let thunk = spied(&outcomes, &log);
    assert_eq!((thunk.forced(), log.borrow().len()), (0, 0));
    thunk.force().unwrap();
    thunk.force().unwrap();
    assert_eq!(*log.borrow(), [0]);
    assert_eq!(thunk.value().unwrap(), ratio("1/2"));
    assert_eq!(thunk.value().unwrap(), ratio("1/2"));
    // The outcome of probability 0 adds a link, but is never computed.
    assert_eq!((thunk.forced(), log.borrow().clone()), (3, vec![0, 2]));
}

#[test]
fn a_comparison_computes_no_more_than_it_needs() {
    // At least 7/10 against at most 3/10, after one outcome each.
    let a = vec![((7, 10), (1, 1)), ((3, 10), (0, 1))];
    let b = vec![((7, 10), (0, 1)), ((3, 10), (1, 1))];
    for rule in [compare_by_bounds, score_compare] {
        let (log_a, log_b) = (RefCell::default(), RefCell::default());
        let order = rule(1, &spied(&a, &log_a), &spied(&b, &log_b)).unwrap();
        assert_eq!(order, Ordering::Greater);
        assert_eq!((log_a.borrow().len(), log_b.borrow().len()), (1, 1));
    }
    // Values computed before decide without a further outcome.
    let (log_a, log_b) = (RefCell::default(), RefCell::default());
    let (known, unknown) = (spied(&a, &log_a), spied(&b, &log_b));
    known.value().unwrap();
    unknown.force().unwrap();
    assert_eq!(
        compare_by_bounds(1, &unknown, &known).unwrap(),
        Ordering::Less
    );
    assert_eq!((log_a.borrow().len(), log_b.borrow().len()), (2, 1));
}

#[test]
fn bounds_of_outcomes_decide_where_the_maximum_does_not() {
    let outcomes =
        |low: i64, high: i64| (0..10).map(move |_| ((1, 10), low, high, move || Ok(low)));
    let a = PScore::chain_bounded(outcomes(5, 6)).unwrap();
    let b = PScore::chain_bounded(outcomes(-3, 4)).unwrap();
    assert_eq!(compare_by_bounds(100, &a, &b).unwrap(), Ordering::Greater);
    assert_eq!((a.forced(), b.forced()), (0, 0));
    // Overlapping: 5.5 against 5 to 6, until enough is known.
    let c = PScore::chain_bounded((0..10).map(|_| ((1, 10), 4, 7, || Ok((11, 2))))).unwrap();
    assert_eq!(compare_by_bounds(100, &a, &c).unwrap(), Ordering::Less);
    assert!(c.forced() < 10);
}

/// Mixed 64-bit words of a counter (splitmix64).
struct Words(u64);

impl Words {
    fn upto(&mut self, bound: i64) -> i64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 1) as i64 % bound
    }

    /// `count` outcomes with weights of 1 to `weights`, and scores k / `grain`
    /// with k uniform on 0..=`grain`.
    fn outcomes(&mut self, count: i64, weights: i64, grain: i64, sorted: bool) -> Outcomes {
        let drawn: Vec<i64> = (0..count).map(|_| 1 + self.upto(weights)).collect();
        let total: i64 = drawn.iter().sum();
        let mut outcomes: Outcomes = drawn
            .iter()
            .map(|&weight| ((weight, total), (self.upto(grain + 1), grain)))
            .collect();
        if sorted {
            outcomes.sort_by_key(|&((weight, _), _)| std::cmp::Reverse(weight));
        }
        outcomes
    }
}

/// The share of 4,000 random decisions in which the published rule prefers the worse action: (as
/// published, with prefixes below 1/2 skipped).
fn error_rates(count: i64, weights: i64, grain: i64, sorted: bool) -> (f64, f64) {
    let mut words = Words(1);
    let (mut plain, mut skipping) = (0, 0);
    for _ in 0..4_000 {
        let a = words.outcomes(count, weights, grain, sorted);
        let b = words.outcomes(count, weights, grain, sorted);
        let truth = expected(&a).cmp(&expected(&b));
        let (a, b) = (chain(&a), chain(&b));
        plain += i32::from(score_compare(1, &a, &b).unwrap() != truth);
        let skipped = score_compare_skipping(1, (1, 2), &a, &b).unwrap();
        skipping += i32::from(skipped != truth);
        assert_eq!(compare_by_bounds(1, &a, &b).unwrap(), truth);
    }
    (f64::from(plain) / 40.0, f64::from(skipping) / 40.0)
}

#[test]
fn how_often_the_published_rule_errs() {
    // Most likely outcomes first, as in the source; few ties.
    for count in [3, 4, 6, 8] {
        let (plain, skipping) = error_rates(count, 100, 1000, true);
        assert!((2.9..13.0).contains(&plain), "{count}: {plain} %");
        assert!((1.5..7.4).contains(&skipping), "{count}: {skipping} %");
    }
    // It is worse in random order.
    for count in [2, 4, 6] {
        let (plain, skipping) = error_rates(count, 100, 1000, false);
        assert!((13.0..18.0).contains(&plain), "{count}: {plain} %");
        assert!((4.0..9.0).contains(&skipping), "{count}: {skipping} %");
    }
}

quickcheck! {
    fn the_sound_order_is_the_true_order(seed: u64, counts: (u8, u8), coarse: bool) -> bool {
        let mut words = Words(seed);
        let grain = if coarse { 2 } else { 1000 };
        let a = words.outcomes(1 + i64::from(counts.0 % 12), 9, grain, false);
        let b = words.outcomes(1 + i64::from(counts.1 % 12), 9, grain, false);
        let truth = expected(&a).cmp(&expected(&b));
        let (ca, cb) = (chain(&a), chain(&b));
        compare_by_bounds(1, &ca, &cb).unwrap() == truth
            && compare_by_bounds(1, &cb, &ca).unwrap() == truth.reverse()
            && compare_by_bounds(3, &chain(&a), &chain(&b)).unwrap() == truth
            && ca.value().unwrap() == expected(&a)
    }

    fn bounds_of_outcomes_are_sound(seed: u64, slack: u8) -> bool {
        let mut words = Words(seed);
        let mut bounded = |outcomes: &Outcomes| {
            let outcomes: Vec<_> = outcomes
                .iter()
                .map(|&(p, (score, grain))| {
                    let low = (score - words.upto(1 + i64::from(slack)), grain);
                    let high = (score + words.upto(1 + i64::from(slack)), grain);
                    (p, low, high, move || Ok((score, grain)))
                })
                .collect();
            PScore::chain_bounded(outcomes).unwrap()
        };
        let mut words = Words(seed ^ 1);
        let a = words.outcomes(8, 9, 100, true);
        let b = words.outcomes(8, 9, 100, true);
        let (ca, cb) = (bounded(&a), bounded(&b));
        compare_by_bounds(1, &ca, &cb).unwrap() == expected(&a).cmp(&expected(&b))
    }
}

fn long(count: i64) -> Thunk<'static> {
    PScore::known((0..count).map(move |k| ((1, count), i32::from(k % 2 == 0)))).unwrap()
}

#[test]
fn a_million_links_need_no_stack() {
    let count = 1_000_000;
    let thunk = long(count);
    assert_eq!(thunk.value().unwrap(), ratio("1/2"));
    assert_eq!(thunk.forced(), count as usize);
    assert_eq!(format!("{thunk:?}"), "forced");
    drop(thunk);
}

/// Regression test: this took 3.8 GB.
#[test]
fn endless_outcomes_are_refused_early() {
    let read = Cell::new(0);
    let endless = std::iter::repeat_with(|| {
        read.set(read.get() + 1);
        (0, 0)
    });
    let limit = 1 << 20;
    let error = PScore::known(endless).err();
    assert_eq!(error, Some(Error::TooManyOutcomes { limit }));
    assert_eq!(read.get(), limit + 1);
}

#[test]
fn equal_scores_are_told_when_all_is_known() {
    let (a, b) = (long(10_000), long(20_000));
    assert_eq!(compare_by_bounds(1, &a, &b).unwrap(), Ordering::Equal);
    assert_eq!((a.forced(), b.forced()), (10_000, 20_000));
    assert!(score_compare(1, &a, &b).is_ok());
}

#[test]
fn bad_probabilities_are_refused_before_anything_is_computed() {
    let computed = Cell::new(0);
    let check = |probabilities: &[(i64, i64)], what: &str| {
        let outcomes = probabilities.iter().map(|&p| {
            (p, || {
                computed.set(computed.get() + 1);
                Ok(1)
            })
        });
        match PScore::chain(outcomes) {
            Err(Error::BadProbabilities { what: said }) => assert_eq!(said, what),
            other => panic!("{other:?}"),
        }
    };
    check(&[(1, 2), (1, 3)], "got a sum of 5/6");
    check(&[(1, 2), (2, 3)], "got a sum of 7/6 up to outcome 1");
    check(&[(3, 2), (-1, 2)], "got a sum of 3/2 up to outcome 0");
    check(&[(1, 2), (-1, 2), (1, 1)], "got -1/2 for outcome 1");
    check(&[], "got a sum of 0");
    assert_eq!(computed.get(), 0);
    let zero = PScore::known([((1, 0), 1)]).err();
    assert!(matches!(zero, Some(Error::Dice(_))), "{zero:?}");
}

#[test]
fn bad_scores_are_refused() {
    let negative = PScore::known([((1, 2), 1), ((1, 2), -1)]).unwrap();
    let error = Error::NegativeScore {
        outcome: 1,
        score: ratio(-1),
    };
    assert_eq!(negative.value(), Err(error.clone()));
    assert_eq!(negative.value(), Err(error), "an error stays");
    let none = PScore::known([(1, f64::NAN)]).unwrap();
    assert_eq!(none.value(), Err(Error::NoScore { outcome: 0 }));
    let high = PScore::known([((1, 2), 0), ((1, 2), 3)]).unwrap();
    let other = PScore::known([(1, 1)]).unwrap();
    let error = compare_by_bounds(2, &high, &other);
    assert_eq!(
        error.map_err(|error| error.to_string()),
        Err("the score of outcome 1 must be between 0 and 2, got 3".to_owned())
    );
    let outside = PScore::chain_bounded([(1, 0, 1, || Ok(2))]).unwrap();
    assert!(matches!(
        outside.value(),
        Err(Error::ScoreOutOfBounds { outcome: 0, .. })
    ));
    let crossed = PScore::chain_bounded([(1, 1, 0, || Ok(2))]);
    assert!(matches!(crossed, Err(Error::BadParameter { .. })));
    assert!(matches!(
        compare_by_bounds(-1, &other, &other),
        Err(Error::BadParameter { .. })
    ));
    assert!(matches!(
        score_compare_skipping(1, (3, 2), &other, &other),
        Err(Error::BadParameter { .. })
    ));
}

#[test]
fn a_failing_score_fails_the_comparison() {
    let failing = PScore::chain([(1, || Err::<i32, _>(Error::NoGames))]).unwrap();
    let other = PScore::known([(1, 1)]).unwrap();
    assert_eq!(compare_by_bounds(1, &other, &failing), Err(Error::NoGames));
    assert_eq!(score_compare(1, &failing, &other), Err(Error::NoGames));
}

#[test]
fn nothing_seen_is_no_division_by_zero() {
    let late = || PScore::known([((0, 1), 1), ((1, 1), 1)]).unwrap();
    let other = || PScore::known([((1, 2), 0), ((1, 2), 1)]).unwrap();
    assert_eq!(score_compare(1, &late(), &other()), Err(Error::NothingSeen));
    assert_eq!(score_compare(1, &other(), &late()), Err(Error::NothingSeen));
    assert_eq!(
        compare_by_bounds(1, &late(), &other()),
        Ok(Ordering::Greater)
    );
    assert_eq!(
        score_compare_skipping(1, (1, 2), &late(), &other()),
        Ok(Ordering::Greater)
    );
}

#[test]
fn a_score_that_needs_itself_is_an_error() {
    let slot: Rc<RefCell<Option<Rc<Thunk<'static>>>>> = Rc::default();
    let inside = slot.clone();
    let thunk = PScore::chain([(1, move || {
        let own = inside.borrow().clone();
        own.map_or(Ok(ratio(1)), |own| own.value())
    })]);
    let thunk = Rc::new(thunk.unwrap());
    *slot.borrow_mut() = Some(thunk.clone());
    assert_eq!(thunk.value(), Err(Error::NotAvailable { outcome: 0 }));
    slot.borrow_mut().take();
}

/// Regression test: the common denominator of many probabilities, or scores, grew until memory was
/// full.
#[test]
fn denominators_without_end_are_refused() {
    let primes = || {
        let numbers = (1_i64 << 20)..;
        numbers.filter(|n| (2..=1_500).all(|d| n % d != 0))
    };
    let too_large = |error: Option<Error>| {
        let inner = match error {
            Some(Error::Dice(inner)) => inner,
            other => panic!("{other:?}"),
        };
        let oddsmith_dice::Error::TooLarge { words, limit, .. } = inner else {
            panic!("{inner}");
        };
        assert!(words > limit.into());
    };
    // They do not sum to 1, but that would only be known at the end.
    let probabilities = primes().map(|n| ((1, n), 1)).take(20_000);
    too_large(PScore::known(probabilities).err());
    // A single number has the same effect.
    let long = BigRational::new(1.into(), num_bigint::BigInt::from(1) << 2_000_000);
    too_large(PScore::known([(long.clone(), 1)]).err());
    // Scores come later, one by one.
    let scores = primes().take(4_096);
    let scores = PScore::known(scores.map(|n| ((1, 4_096), (1, n)))).unwrap();
    too_large(scores.value().err());
    let forced = scores.forced();
    assert!((100..4_000).contains(&forced), "{forced}");
    // Shared denominators are no longer than one of them.
    let some: i64 = primes().take(2).product();
    let alike = (0..4_096).map(|n| ((1, 4_096), (n, some)));
    let mean = BigRational::new(4_095.into(), (2 * some).into());
    assert_eq!(PScore::known(alike).unwrap().value().unwrap(), mean);
}

/// Regression test: the denominators of bounds were added before their length was checked.
#[test]
fn bounds_of_denominators_without_end_are_refused() {
    let numbers = (1_i64 << 20)..;
    let primes = numbers.filter(|n| (2..=1_500).all(|d| n % d != 0));
    let bounded = primes
        .take(4_096)
        .map(|n| ((1, 4_096), (1, n), (2, n), || Ok(0)));
    let error = PScore::chain_bounded(bounded).err();
    assert!(
        matches!(
            error,
            Some(Error::Dice(oddsmith_dice::Error::TooLarge { .. }))
        ),
        "{error:?}"
    );
    // Shared ones are no longer than one of them, and their sums are unchanged.
    let alike = (0..4_096).map(|n| {
        ((1, 4_096), (n, 4_095), (n + 1, 4_095), move || {
            Ok((n, 4_095))
        })
    });
    let alike = PScore::chain_bounded(alike).unwrap();
    let wild = PScore::known([((1, 2), 0), ((1, 2), 1)]).unwrap();
    assert!(compare_by_bounds(1, &alike, &wild).unwrap().is_eq());
    assert_eq!(alike.value().unwrap(), BigRational::new(1.into(), 2.into()));
}

/// A link is a fraction in lowest terms, so a long numerator costs time in each link: of scores, of
/// bounds, and of the highest score.
#[test]
fn numerators_without_end_are_refused() {
    let refused = |error: Option<Error>, what: &str| match error {
        Some(Error::Dice(oddsmith_dice::Error::TooLarge { operation, .. })) => {
            assert!(operation.starts_with(what), "{operation}");
        }
        other => panic!("{other:?}"),
    };
    let two_to = |bits: u32| BigRational::from(num_bigint::BigInt::from(1) << bits);
    let even = |outcomes: i64, bits: u32| {
        PScore::known((0..outcomes).map(move |_| ((1, outcomes), two_to(bits)))).unwrap()
    };
    refused(even(1, 2_000_000).value().err(), "the numerator of a score");
    let many = even(4_096, 20_000);
    refused(many.value().err(), "the numerator of a score");
    assert_eq!(many.forced(), 0);
    // Long numbers within the limit are fine: 250 words.
    let some = even(4_096, 15_999);
    assert_eq!(some.value().unwrap(), two_to(15_999));
    // The first bound is long for 4,096 outcomes, not for one.
    let bounded = (0..4_096).map(|n| {
        let high = if n == 0 { two_to(20_000) } else { two_to(1) };
        ((1, 4_096), 0, high, || Ok(0))
    });
    refused(
        PScore::chain_bounded(bounded).err(),
        "the numerator of a bound",
    );
    let ones = || PScore::known((0..4_096).map(|_| ((1, 4_096), 1))).unwrap();
    let (a, b) = (ones(), ones());
    let highest = two_to(20_000);
    refused(
        compare_by_bounds(&highest, &a, &b).err(),
        "the highest score",
    );
    refused(score_compare(&highest, &a, &b).err(), "the highest score");
    assert!(a.forced() > 2_000, "{}", a.forced());
    assert_eq!(compare_by_bounds(2, &a, &b), Ok(Ordering::Equal));
}
