//! Rankings, order statistics, distances and shape compared with enumeration, and extremes.

#![allow(
    clippy::panic,
    reason = "a test that cannot go on has failed, in its helpers too"
)]

use crate::exact::{Number, near, number};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use oddsmith_dice::{Best, Dist, Error, IntoRatio, Ranking, Ties, places};
use quickcheck::{Arbitrary, Gen, TestResult, quickcheck};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
struct Law(Dist<i64>);

impl Arbitrary for Law {
    fn arbitrary(g: &mut Gen) -> Self {
        let faces = 1 + usize::arbitrary(g) % 5;
        let heavy = *g.choose(&[1, 4, u64::MAX]).unwrap();
        let face = |g: &mut Gen| {
            (
                i64::from(i8::arbitrary(g) % 5),
                u64::arbitrary(g) % heavy + 1,
            )
        };
        Law(Dist::from_weights((0..faces).map(|_| face(g)).collect::<Vec<_>>()).unwrap())
    }
}

/// One to four distributions.
#[derive(Clone, Debug)]
struct Laws(Vec<Dist<i64>>);

impl Arbitrary for Laws {
    fn arbitrary(g: &mut Gen) -> Self {
        let contestants = 1 + usize::arbitrary(g) % 4;
        Laws((0..contestants).map(|_| Law::arbitrary(g).0).collect())
    }
}

/// Every combination of outcomes with its probability.
fn enumerate(laws: &[Dist<i64>]) -> Vec<(Vec<i64>, Number)> {
    let mut all = vec![(Vec::new(), Number::one())];
    for law in laws {
        let mut next = Vec::new();
        for (rolled, p) in &all {
            for x in law.outcomes() {
                let mut rolled: Vec<i64> = rolled.clone();
                rolled.push(*x);
                next.push((rolled, p * law.p(x)));
            }
        }
        all = next;
    }
    all
}

/// All probabilities except those whose underflow is outside the bound.
#[track_caller]
fn within(exact: &Dist<i64>, float: &Dist<i64, f64>) {
    let bound = float.relative_error();
    assert!(bound > 0.0 && bound < 1e-11, "{bound}");
    let tiny = number(10).pow(-250);
    let mut outcomes = exact.outcomes().filter(|x| exact.p(x) > tiny);
    assert!(outcomes.all(|x| near(&exact.p(x), float.p(x), bound)));
    assert!(float.outcomes().all(|x| !exact.p(x).is_zero()));
}

quickcheck! {
    fn rankings_against_enumeration(laws: Laws, lowest: bool) -> bool {
        let (laws, n) = (&laws.0, laws.0.len());
        let best = if lowest { Best::Lowest } else { Best::Highest };
        let ranking = Ranking::new(laws, best).unwrap();
        let mut shared = vec![vec![Number::zero(); n]; n];
        let (mut earliest, mut latest) = (vec![Number::zero(); n], vec![Number::zero(); n]);
        let mut orders: BTreeMap<Vec<u32>, Number> = BTreeMap::new();
        for (rolled, p) in enumerate(laws) {
            let better = |a: i64, b: i64| if lowest { a < b } else { a > b };
            let places: Vec<u32> = rolled
                .iter()
                .map(|x| 1 + rolled.iter().filter(|y| better(**y, *x)).count() as u32)
                .collect();
            let first: Vec<usize> = (0..n).filter(|&i| places[i] == 1).collect();
            for &i in &first {
                shared[i][first.len() - 1] += &p;
            }
            earliest[first[0]] += &p;
            latest[first[first.len() - 1]] += &p;
            *orders.entry(places).or_default() += p;
        }
        let found = places(laws, best).unwrap();
        assert!(found.outcomes().map(|order| (order.clone(), found.p(order))).eq(orders));
        let split = ranking.with_ties(Ties::Split).unwrap();
        let (win, lose) = (ranking.with_ties(Ties::Win).unwrap(), ranking.with_ties(Ties::Lose).unwrap());
        let alone: Number = shared.iter().map(|weights| &weights[0]).sum();
        let reroll = ranking.with_ties(Ties::Reroll);
        assert_eq!(reroll.is_ok(), !alone.is_zero());
        for i in 0..n {
            assert_eq!(ranking.win(i), shared[i][0]);
            for m in 1..=n {
                assert_eq!(ranking.win_with(i, m), shared[i][m - 1]);
            }
            let share: Number = (0..n).map(|m| &shared[i][m] / number(m + 1)).sum();
            assert_eq!(ranking.expected_share(i), share);
            assert_eq!(split.p(&i), share);
            assert_eq!(ranking.win_or_share(i), shared[i].iter().sum());
            assert_eq!(win.p(&i), earliest[i]);
            assert_eq!(lose.p(&i), latest[i]);
            if let Ok(reroll) = &reroll {
                assert_eq!(reroll.p(&i), &shared[i][0] / &alone);
            }
        }
        true
    }

    fn two_contestants_are_a_contest(a: Law, b: Law) -> bool {
        let ranking = Ranking::new(&[a.0.clone(), b.0.clone()], Best::Highest).unwrap();
        let contest = a.0.versus(&b.0);
        let ties = [Ties::Win, Ties::Lose, Ties::Split, Ties::Reroll];
        ranking.win(0) == contest.win()
            && ranking.win(1) == contest.lose()
            && ranking.win_with(0, 2) == contest.draw()
            && ties.into_iter().all(|ties| match contest.with_ties(ties) {
                Ok(settled) => ranking.with_ties(ties).unwrap().p(&0) == settled.win(),
                Err(error) => ranking.with_ties(ties) == Err(error),
            })
    }

    fn float_rankings_stay_within_their_bound(laws: Laws) -> bool {
        let floats: Vec<_> = laws.0.iter().map(Dist::to_f64).collect();
        let exact = Ranking::new(&laws.0, Best::Highest).unwrap();
        let float = Ranking::new(&floats, Best::Highest).unwrap();
        let bound = float.relative_error();
        assert!(bound < 1e-13);
        for i in 0..laws.0.len() {
            assert!(near(&exact.win(i), float.win(i), bound));
            assert!(near(&exact.win_or_share(i), float.win_or_share(i), bound));
            assert!(near(&exact.expected_share(i), float.expected_share(i), bound));
        }
        for ties in [Ties::Win, Ties::Lose, Ties::Split, Ties::Reroll] {
            let (Ok(exact), Ok(float)) = (exact.with_ties(ties), float.with_ties(ties)) else {
                continue;
            };
            let bound = float.relative_error();
            assert!(exact.outcomes().all(|i| near(&exact.p(i), float.p(i), bound)));
        }
        let (exact, float) = (places(&laws.0, Best::Lowest).unwrap(), places(&floats, Best::Lowest).unwrap());
        let bound = float.relative_error();
        exact.outcomes().all(|order| near(&exact.p(order), float.p(order), bound))
    }

    fn order_statistics_against_enumeration(law: Law, n: u8) -> bool {
        let n = u32::from(n % 4) + 1;
        let mut expected = vec![BTreeMap::new(); n as usize];
        for (mut rolled, p) in enumerate(&vec![law.0.clone(); n as usize]) {
            rolled.sort();
            for (law, x) in expected.iter_mut().zip(rolled) {
                *law.entry(x).or_insert_with(Number::zero) += &p;
            }
        }
        for (rank, expected) in (1..=n).zip(expected) {
            let found = law.0.order_statistic(n, rank).unwrap();
            assert!(found.outcomes().map(|x| (*x, found.p(x))).eq(expected));
            within(&found, &law.0.to_f64().order_statistic(n, rank).unwrap());
        }
        let (low, high) = (law.0.minimum_of(n).unwrap(), law.0.maximum_of(n).unwrap());
        assert_eq!(low, law.0.order_statistic(n, 1).unwrap());
        assert_eq!(high, law.0.order_statistic(n, n).unwrap());
        assert_eq!(low.mean(), law.0.expected_minimum(n).unwrap());
        assert_eq!(high.mean(), law.0.expected_maximum(n).unwrap());
        true
    }

    fn float_extremes_stay_within_their_bound(law: Law, n: u8) -> bool {
        let n = u32::from(n % 50) + 1;
        let float = law.0.to_f64();
        within(&law.0.maximum_of(n).unwrap(), &float.maximum_of(n).unwrap());
        within(&law.0.minimum_of(n).unwrap(), &float.minimum_of(n).unwrap());
        let rank = n.div_ceil(3);
        within(&law.0.order_statistic(n, rank).unwrap(), &float.order_statistic(n, rank).unwrap());
        true
    }

    /// The mean of the order statistics is the mean.
    fn order_statistics_add_up(law: Law, n: u8) -> bool {
        let n = u32::from(n % 12) + 1;
        let means = (1..=n).map(|rank| law.0.order_statistic(n, rank).unwrap().mean());
        means.sum::<Number>() == law.0.mean() * number(n)
    }

    fn kolmogorov_against_its_definition(a: Law, b: Law) -> bool {
        let points = a.0.outcomes().chain(b.0.outcomes());
        let gap = |t| {
            let difference = a.0.at_most(t) - b.0.at_most(t);
            if difference < Number::zero() { -difference } else { difference }
        };
        let expected = points.map(gap).max().unwrap();
        let found = a.0.kolmogorov(&b.0);
        let error = 2.0 * (a.0.to_f64().relative_error() + b.0.to_f64().relative_error());
        let float = a.0.to_f64().kolmogorov(&b.0.to_f64());
        assert!((float - found.to_f64().unwrap()).abs() <= error);
        found == expected && found <= a.0.total_variation(&b.0) && found == b.0.kolmogorov(&a.0)
    }

    fn second_order_dominance_against_its_definition(a: Law, b: Law) -> bool {
        // E[(t − X)⁺] ≤ E[(t − Y)⁺] for all t; the difference is linear between outcomes.
        let short = |law: &Dist<i64>, t: i64| law.expectation(|&x| number((t - x).max(0)));
        let expected = (-6..=6).all(|t| short(&a.0, t) <= short(&b.0, t));
        let found = a.0.dominates_second_order(&b.0);
        assert!(found || !a.0.dominates(&b.0));
        assert!(!found || a.0.mean() >= b.0.mean());
        found == expected
    }

    fn shapes_of_sums(a: Law, n: u8) -> TestResult {
        if a.0.len() == 1 {
            let message = "skewness is undefined for a distribution with a single outcome, whose variance is 0";
            assert_eq!(a.0.skewness().unwrap_err().to_string(), message);
            assert!(matches!(a.0.excess_kurtosis(), Err(Error::NoSpread { .. })));
            return TestResult::passed();
        }
        // Cumulants add up: skewness falls with the root of n, excess kurtosis with n.
        let n = u32::from(n % 9) + 1;
        let sum = a.0.repeat(n).unwrap();
        assert_eq!(sum.skewness_squared().unwrap() * number(n), a.0.skewness_squared().unwrap());
        assert_eq!(sum.excess_kurtosis().unwrap() * number(n), a.0.excess_kurtosis().unwrap());
        let mirrored = a.0.negate().unwrap();
        assert_eq!(mirrored.skewness().unwrap(), -a.0.skewness().unwrap());
        assert_eq!(mirrored.mean_absolute_deviation(), a.0.mean_absolute_deviation());
        let squared = a.0.skewness().unwrap().powi(2);
        let exact = a.0.skewness_squared().unwrap().to_f64().unwrap();
        assert!((squared - exact).abs() <= 1e-14 * exact);
        TestResult::passed()
    }

    fn generating_functions(a: Law, b: Law, x: (i8, u8)) -> TestResult {
        let x = BigRational::new(x.0.into(), (i64::from(x.1) + 1).into());
        let value = a.0.generating_function(&x);
        if x.is_zero() && *a.0.min() < 0 {
            return TestResult::from_bool(matches!(value, Err(Error::ZeroDenominator { .. })));
        }
        let expected: Number = a.0.outcomes().map(|&k| a.0.p(&k) * x.pow(k as i32)).sum();
        assert_eq!(value.as_ref(), Ok(&expected));
        let sum = (&a.0 + &b.0).unwrap();
        let Ok(other) = b.0.generating_function(&x) else {
            return TestResult::discard();
        };
        TestResult::from_bool(sum.generating_function(&x) == Ok(expected * other))
    }

    /// Taylor's formula at 1: E[x (x − 1)] = Var + mean² − mean; and all of them vanish beyond the
    /// largest outcome of a distribution of counts.
    fn factorial_moments(a: Law) -> bool {
        let mean = a.0.mean();
        let second = a.0.variance() + &mean * &mean - &mean;
        assert_eq!(a.0.factorial_moment(0), Ok(number(1)));
        assert_eq!(a.0.factorial_moment(1).as_ref(), Ok(&mean));
        assert_eq!(a.0.factorial_moment(2), Ok(second));
        let counts = a.0.map(|x| x.abs());
        counts.factorial_moment(*counts.max() as u32 + 1) == Ok(number(0))
    }

    fn entropy_against_its_definition(a: Law, b: Law) -> bool {
        let h = a.0.entropy();
        let joint = a.0.joint(&b.0).unwrap();
        assert!((joint.entropy() - h - b.0.entropy()).abs() < 1e-13);
        assert!((0.0..=(a.0.len() as f64).log2() + 1e-14).contains(&h));
        assert!((a.0.to_f64().entropy() - h).abs() < 1e-14);
        // D(p ‖ uniform on the support) = log₂ n − H.
        let flat = Dist::uniform(a.0.outcomes().copied()).unwrap();
        let divergence = a.0.kullback_leibler(&flat);
        assert!((divergence - ((a.0.len() as f64).log2() - h)).abs() < 1e-13);
        assert_eq!(a.0.kullback_leibler(&a.0), 0.0);
        let other = a.0.kullback_leibler(&b.0);
        let covered = a.0.outcomes().all(|x| !b.0.p(x).is_zero());
        // C. Pinsker's inequality, in bits.
        let distance = a.0.total_variation(&b.0).to_f64().unwrap();
        other.is_finite() == covered && other * 0.5 * 2f64.ln() + 1e-13 >= distance * distance
    }
}

/// Regression test: quotients beyond 2^±1074 were clamped to that, and products of small weights
/// vanished.
#[test]
fn divergences_of_what_no_double_holds() -> Result<(), Error> {
    let one = num_bigint::BigUint::from(1_u32);
    // A coin against one that shows heads once in 2^4000.
    let coin = Dist::from_weights([(false, 1_u32), (true, 1)])?;
    let biased = Dist::from_parts(
        [(false, (&one << 4000) - &one), (true, one.clone())],
        &one << 4000,
    )?;
    assert!((coin.kullback_leibler(&biased) - (0.5 * 3999.0 - 0.5)).abs() < 1e-9);
    assert!(biased.kullback_leibler(&coin).abs() < 1.0 + 1e-15);
    // Doubles: weights below the normal range, and a total below one.
    let rare = Dist::from_float_weights([(false, 1.0), (true, 5e-324)])?;
    let coin = Dist::from_float_weights([(false, 1e-18), (true, 1e-18)])?;
    let bits = coin.kullback_leibler(&rare);
    assert!((bits - (0.5 * 1073.0 - 0.5)).abs() < 1e-10, "{bits}");
    let rare = Dist::from_float_weights([(false, 1.0), (true, 1e-305)])?;
    let bits = coin.kullback_leibler(&rare);
    let wanted = -0.5 * 2e-305_f64.log2() - 0.5;
    assert!((bits - wanted).abs() < 1e-10, "{bits} {wanted}");
    let bits = rare.kullback_leibler(&coin);
    assert!((bits - 1.0).abs() < 1e-14, "{bits}");
    Ok(())
}

#[test]
fn entropy_of_fair_dice() -> Result<(), Error> {
    for sides in [1, 2, 3, 6, 20, 1000, 65_536] {
        let die = Dist::die(sides)?;
        let bound = ((f64::from(sides)).log2() + 2.0) * f64::from(sides + 8) * f64::EPSILON / 2.0;
        assert!((die.entropy() - f64::from(sides).log2()).abs() <= bound);
        assert!((die.perplexity() / f64::from(sides) - 1.0).abs() <= 2.0 * bound);
    }
    Ok(())
}

#[test]
fn many_contestants() -> Result<(), Error> {
    let die = Dist::die(20)?;
    let ranking = Ranking::new(&vec![die.clone(); 60], Best::Highest)?;
    // Alone at x: 59 others lower.
    let alone: Number = (1..=20)
        .map(|x| BigRational::new((x - 1).into(), 20.into()).pow(59) / number(20))
        .sum();
    assert_eq!(ranking.win(17), alone);
    assert_eq!(ranking.expected_share(59), (1, 60).into_ratio()?);
    let lots = vec![die.to_f64(); 60];
    let float = Ranking::new(&lots, Best::Highest)?;
    assert!(near(&alone, float.win(17), float.relative_error()));
    // A certain winner.
    let mut laws = vec![die; 5];
    laws.push(Dist::certain(21));
    let ranking = Ranking::new(&laws, Best::Highest)?;
    assert!(ranking.win(5).is_one() && ranking.win(0).is_zero());
    Ok(())
}

#[test]
fn rankings_at_their_ends() -> Result<(), Error> {
    let none: [Dist<i64>; 0] = [];
    let message = "a ranking needs at least 1 contestant, got none";
    assert_eq!(
        Ranking::new(&none, Best::Highest).unwrap_err().to_string(),
        message
    );
    assert_eq!(places(&none, Best::Highest), Err(Error::NoContestants));
    let alone = Ranking::new(&[Dist::die(6)?], Best::Lowest)?;
    assert!(alone.win(0).is_one() && alone.with_ties(Ties::Reroll)?.p(&0).is_one());
    assert_eq!(
        places(&[Dist::die(6)?], Best::Lowest)?,
        Dist::certain(vec![1])
    );
    for beyond in [1, usize::MAX] {
        assert!(alone.win(beyond).is_zero() && alone.win_or_share(beyond).is_zero());
        assert!(alone.expected_share(beyond).is_zero());
        assert!(
            alone
                .win_with(0, beyond + usize::from(beyond == 1))
                .is_zero()
        );
    }
    assert!(alone.win_with(0, 0).is_zero());
    let tied = Ranking::new(&vec![Dist::certain(3); 4], Best::Highest)?;
    assert_eq!(tied.with_ties(Ties::Reroll), Err(Error::AlwaysTied));
    assert!(tied.win_with(2, 4).is_one());
    assert_eq!(tied.with_ties(Ties::Lose)?, Dist::certain(3));
    let crowd = vec![Dist::die(20)?; 2000];
    assert!(matches!(
        Ranking::new(&crowd, Best::Highest),
        Err(Error::TooLarge { .. })
    ));
    assert!(matches!(
        places(&crowd, Best::Highest),
        Err(Error::TooLarge { .. })
    ));
    assert!(matches!(
        places(&crowd[..12], Best::Highest),
        Err(Error::TooLarge { .. })
    ));
    assert_eq!(
        places(&vec![Dist::die(2)?; 6], Best::Highest)?.len(),
        64 - 1
    );
    Ok(())
}

/// Regression test: floats were counted copy by copy, so that 1,001 copies were refused while exact
/// ones took milliseconds, and the bound on the error grew with the square of their number.
#[test]
fn order_statistics_of_many_copies_in_floats() -> Result<(), Error> {
    let loaded = Dist::from_weights([(1, 1), (2, 7), (3, 300), (4, 2)])?;
    for die in [Dist::die(6)?, loaded, Dist::ndice(3, 4)?] {
        let float = die.to_f64();
        for (n, rank) in [(1_001, 501), (1_001, 1), (1_001, 1_000), (3_000, 700)] {
            let found = float.order_statistic(n, rank)?;
            within(&die.order_statistic(n, rank)?, &found);
            assert!(found.relative_error() < 1e-10);
        }
    }
    let median = Dist::die(6)?.to_f64().order_statistic(100_001, 50_001)?;
    assert!((median.p(&3) - 0.5).abs() < 1e-8 && median.relative_error() < 1e-9);
    Ok(())
}

#[test]
fn copies_at_their_ends() -> Result<(), Error> {
    let die = Dist::die(6)?;
    let message = "the rank of one of 5 copies must be between 1 and 5, got 6";
    assert_eq!(die.order_statistic(5, 6).unwrap_err().to_string(), message);
    for (n, rank) in [(0, 0), (0, 1), (5, 0), (5, u32::MAX)] {
        assert!(matches!(
            die.order_statistic(n, rank),
            Err(Error::NoSuchRank { .. })
        ));
        assert!(matches!(
            die.to_f64().order_statistic(n, rank),
            Err(Error::NoSuchRank { .. })
        ));
    }
    assert!(matches!(die.maximum_of(0), Err(Error::NoSuchRank { .. })));
    assert_eq!(
        die.minimum_of(0).unwrap_err().to_string(),
        "the highest or lowest of several copies needs at least 1 copy, got 0"
    );
    assert!(matches!(
        die.expected_minimum(0),
        Err(Error::NoSuchRank { .. })
    ));
    for result in [die.maximum_of(u32::MAX), die.order_statistic(u32::MAX, 7)] {
        assert!(matches!(result, Err(Error::TooLarge { .. })));
    }
    let float = die.to_f64();
    let highest = float.maximum_of(u32::MAX)?;
    assert!((highest.p(&6) - 1.0).abs() <= highest.relative_error());
    assert!(highest.relative_error() < 1e-5);
    assert!(matches!(
        float.order_statistic(u32::MAX, 7),
        Err(Error::TooLarge { .. })
    ));
    assert_eq!(Dist::certain(4).maximum_of(u32::MAX)?, Dist::certain(4));
    assert_eq!(die.order_statistic(1, 1)?, die);
    Ok(())
}

#[test]
fn shapes_at_their_ends() -> Result<(), Error> {
    let ends = Dist::uniform([i64::MIN, i64::MAX])?;
    assert_eq!(ends.interquartile_range(), u64::MAX);
    assert_eq!(ends.excess_kurtosis()?, number(-2));
    assert_eq!(ends.skewness()?, 0.0);
    assert!(ends.dominates_second_order(&ends));
    assert!(ends.kolmogorov(&Dist::certain(i64::MIN)) == (1, 2).into_ratio()?);
    assert!(matches!(
        ends.generating_function("1/2"),
        Err(Error::TooLarge { .. })
    ));
    assert!(matches!(
        ends.to_f64().generating_function("1/2"),
        Err(Error::FloatOverflow { .. })
    ));
    assert!(ends.generating_function(1)?.is_one());
    assert!(matches!(
        ends.factorial_moment(u32::MAX),
        Err(Error::TooLarge { .. })
    ));
    assert!(matches!(
        ends.to_f64().factorial_moment(100),
        Err(Error::FloatOverflow { .. })
    ));
    assert_eq!(Dist::die(6)?.generating_function(0)?, number(0));
    assert_eq!(
        Dist::bernoulli((1, 3))?.generating_function(0)?,
        (2, 3).into_ratio()?
    );
    assert_eq!(Dist::die(6)?.to_f64().generating_function(2)?, 21.0);
    Ok(())
}

/// Regression test: in floats a small base was raised to a power before it was inverted, and
/// vanished.
#[test]
fn generating_functions_of_both_kinds_agree() -> Result<(), Error> {
    let law = Dist::uniform([-3, -1, 0, 4])?;
    for x in [(-7, 3), (-1, 2), (1, 1_000), (5, 2)] {
        let exact = law.generating_function(x)?.to_f64().unwrap();
        let float = law.to_f64().generating_function(x)?;
        assert!((float / exact - 1.0).abs() < 1e-14, "{x:?}");
    }
    assert!(law.generating_function(-1)?.is_zero());
    assert_eq!(law.to_f64().generating_function(-1)?, 0.0);
    let tiny = BigRational::new(1.into(), num_bigint::BigInt::from(10).pow(200));
    let pair = Dist::uniform([-2, 1])?.to_f64();
    assert!(matches!(
        pair.generating_function(tiny),
        Err(Error::FloatOverflow { .. })
    ));
    let ends = Dist::uniform([i64::MIN, i64::MAX])?;
    assert!(ends.generating_function(-1)?.is_zero());
    Ok(())
}

/// Regression test: products of thousands of factors took a gcd each, and the number of outcomes
/// was not counted.
#[test]
fn large_factorial_moments_and_generating_functions() -> Result<(), Error> {
    let moment = Dist::certain(5_000).factorial_moment(4_096)?;
    let product: num_bigint::BigInt = (905..=5_000).map(num_bigint::BigInt::from).product();
    assert_eq!(moment, BigRational::from(product));
    assert_eq!(Dist::certain(-2).factorial_moment(3)?, number(-24));
    // A word for each factor: k times the number of outcomes is limited.
    assert!(Dist::die(1_024)?.factorial_moment(4_096).is_ok());
    assert!(matches!(
        Dist::die(1_025)?.factorial_moment(4_096),
        Err(Error::TooLarge { words, .. }) if words == 1_025 * 4_096
    ));
    // A geometric sum: (1 − 2⁻ⁿ)/n.
    let n = 10_000;
    let sum = Dist::die(n)?.generating_function((1, 2))?;
    let tail = BigRational::new(1.into(), num_bigint::BigInt::from(2).pow(n));
    assert_eq!(sum, (number(1) - tail) / number(n));
    assert!(matches!(
        Dist::die(100_000)?.generating_function((1, 2)),
        Err(Error::TooLarge { .. })
    ));
    Ok(())
}

/// The contestants tied for first place, each set by counting all rolls.
fn roll_off_by_counting(laws: &[Dist<i64>], rolling: &[usize]) -> Vec<Number> {
    if let [winner] = rolling[..] {
        let mut wins = vec![number(0); laws.len()];
        wins[winner] = number(1);
        return wins;
    }
    let mut rolls = vec![(Vec::new(), number(1))];
    for &one in rolling {
        let law = &laws[one];
        rolls = rolls
            .iter()
            .flat_map(|(roll, p): &(Vec<i64>, Number)| {
                law.outcomes()
                    .map(move |&x| ([roll.as_slice(), &[x]].concat(), p * law.p(&x)))
            })
            .collect();
    }
    let (mut again, mut sum) = (number(0), vec![number(0); laws.len()]);
    for (roll, p) in rolls {
        let best = roll.iter().max().unwrap();
        let first = rolling.iter().zip(&roll).filter(|(_, x)| *x == best);
        let first: Vec<usize> = first.map(|(one, _)| *one).collect();
        if first == rolling {
            again += p;
            continue;
        }
        for (sum, win) in sum.iter_mut().zip(roll_off_by_counting(laws, &first)) {
            *sum += &p * win;
        }
    }
    sum.into_iter()
        .map(|sum| sum / (number(1) - &again))
        .collect()
}

#[test]
fn roll_offs_against_counting() -> Result<(), Error> {
    let laws = [
        Dist::die(4)?,
        Dist::from_weights([(2, 1), (4, 2), (6, 1)])?,
        Dist::ndice(2, 3)?,
    ];
    let winner = Ranking::roll_off(&laws, Best::Highest)?;
    let expected = roll_off_by_counting(&laws, &[0, 1, 2]);
    assert!((0..3).map(|one| winner.p(&one)).eq(expected));
    let floats: Vec<_> = laws.iter().map(Dist::to_f64).collect();
    let float = Ranking::roll_off(&floats, Best::Highest)?;
    for one in 0..3 {
        let error = (float.p(&one) / winner.p(&one).to_f64().unwrap() - 1.0).abs();
        assert!(error <= float.relative_error() + 1e-16 && float.relative_error() < 1e-12);
    }
    // With two contestants it equals rolling again completely.
    let two = Ranking::new(&laws[..2], Best::Lowest)?;
    let roll_off = Ranking::roll_off(&laws[..2], Best::Lowest)?;
    assert_eq!(roll_off, two.with_ties(Ties::Reroll)?);
    let alike = vec![Dist::die(6)?; 6];
    assert_eq!(
        Ranking::roll_off(&alike, Best::Highest)?,
        Dist::uniform(0..6)?
    );
    // The two that always tie may be left.
    let stuck = [Dist::certain(4), Dist::die(6)?, Dist::certain(4)];
    assert_eq!(
        Ranking::roll_off(&stuck, Best::Highest),
        Err(Error::AlwaysTied)
    );
    assert_eq!(
        Ranking::roll_off(&laws[..0], Best::Highest),
        Err(Error::NoContestants)
    );
    let many = vec![Dist::die(2)?; 1_000];
    assert!(matches!(
        Ranking::roll_off(&many, Best::Highest),
        Err(Error::TooLarge { .. })
    ));
    Ok(())
}

/// Six weights of 25 million bits fit the memory but would take too long.
#[test]
fn the_highest_of_ten_million_is_refused() -> Result<(), Error> {
    let die = Dist::die(6)?;
    for refused in [die.maximum_of(10_000_000), die.minimum_of(u32::MAX)] {
        assert!(matches!(refused, Err(Error::TooLarge { .. })));
    }
    assert!(die.expected_maximum(10_000_000).is_err());
    assert_eq!(Dist::certain(3).maximum_of(u32::MAX)?, Dist::certain(3));
    let float = die.to_f64().maximum_of(u32::MAX)?;
    let bound = float.relative_error();
    assert!((float.mean() / 6.0 - 1.0).abs() <= bound && bound < 1e-4);
    Ok(())
}
