//! Facts that hold for every distribution, and float results within their stated bound.

use crate::exact::near;
use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use oddsmith_dice::{Dist, Error, FloatDist};
use quickcheck::{Arbitrary, Gen, quickcheck};

#[derive(Clone, Debug)]
struct Law(Dist<i64>);

impl Arbitrary for Law {
    fn arbitrary(g: &mut Gen) -> Self {
        let faces = 1 + u8::arbitrary(g) % 9;
        let stride = *g.choose(&[1, 1, 1, 3, 1_000_000]).unwrap();
        let face = |g: &mut Gen| (i64::from(i8::arbitrary(g) % 9) * stride, u16::arbitrary(g));
        let mut law: Vec<_> = (0..faces).map(|_| face(g)).collect();
        law.push((0, 1));
        Law(Dist::from_weights(law).unwrap())
    }
}

fn one() -> BigRational {
    BigRational::one()
}

quickcheck! {
    fn probabilities_sum_to_one(a: Law) -> bool {
        let sum: BigRational = a.0.outcomes().map(|x| a.0.p(x)).sum();
        sum == one() && a.0.at_least(a.0.min()) == one() && a.0.cdf().last().unwrap().1 == one()
    }

    fn means_and_variances_of_independent_sums_add(a: Law, b: Law) -> bool {
        let sum = (&a.0 + &b.0).unwrap();
        let difference = (&a.0 - &b.0).unwrap();
        let variance = a.0.variance() + b.0.variance();
        sum.mean() == a.0.mean() + b.0.mean()
            && difference.mean() == a.0.mean() - b.0.mean()
            && sum.variance() == variance
            && difference.variance() == variance
    }

    fn third_cumulants_add_too(a: Law, b: Law) -> bool {
        let third = |law: &Dist<i64>| law.central_moment(3).unwrap();
        third(&(&a.0 + &b.0).unwrap()) == third(&a.0) + third(&b.0)
    }

    fn matfold_commutes_and_associates(a: Law, b: Law, c: Law) -> bool {
        (&a.0 + &b.0).unwrap() == (&b.0 + &a.0).unwrap()
            && (&a.0 + &b.0 + &c.0).unwrap() == (&a.0 + (&b.0 + &c.0)).unwrap()
    }

    fn zero_is_neutral_and_minus_undoes_sign(a: Law) -> bool {
        (&a.0 + Dist::certain(0)).unwrap() == a.0
            && a.0.negate().unwrap().negate().unwrap() == a.0
            && (-&a.0).unwrap() == (Dist::certain(0) - &a.0).unwrap()
            && (&a.0 - 3).unwrap() == a.0.shift(-3).unwrap()
            && (3 + &a.0).unwrap() == a.0.shift(3).unwrap()
            && (3 - &a.0).unwrap() == (3 + a.0.negate().unwrap()).unwrap()
    }

    fn repeat_is_iterated_matfold(a: Law, n: u8) -> bool {
        let n = u32::from(n % 14);
        let mut sum = Dist::certain(0);
        for _ in 0..n {
            sum = sum.matfold(&a.0).unwrap();
        }
        a.0.repeat(n).unwrap() == sum
    }

    fn repeats_add_up(a: Law, n: u8, m: u8) -> bool {
        let (n, m) = (u32::from(n % 40), u32::from(m % 12));
        let parts = a.0.repeat(n).unwrap() + a.0.repeat(m).unwrap();
        parts.unwrap() == a.0.repeat(n + m).unwrap()
    }

    fn dice_are_repeated_dice(n: u8, sides: u8) -> bool {
        let (n, sides) = (u32::from(n % 50), u32::from(sides % 30) + 1);
        Dist::ndice(n, sides).unwrap() == Dist::die(sides).unwrap().repeat(n).unwrap()
    }

    fn a_difference_of_equals_is_symmetric(a: Law) -> bool {
        let difference = (&a.0 - &a.0).unwrap();
        difference.negate().unwrap() == difference && difference.mean().is_zero()
    }

    fn total_probability(a: Law, modulus: u8) -> bool {
        let modulus = i64::from(modulus % 4) + 1;
        let rest = a.0.map(|x| x.rem_euclid(modulus));
        rest.and_then(|r| a.0.given(|x| x.rem_euclid(modulus) == *r)).unwrap() == a.0
    }

    fn bayes(a: Law, b: Law) -> bool {
        let pair = a.0.joint(&b.0).unwrap();
        let (event, given) = (|p: &(i64, i64)| p.0 + p.1 > 0, |p: &(i64, i64)| p.0 >= 0);
        let both = pair.probability(|p| event(p) && given(p));
        pair.given(given).unwrap().probability(event) * pair.probability(given) == both
    }

    fn independence_survives_in_the_joint_law(a: Law, b: Law) -> bool {
        let pair = a.0.joint(&b.0).unwrap();
        pair.map(|p| p.0) == a.0
            && pair.map(|p| p.1) == b.0
            && pair.map(|p| p.0 + p.1) == (&a.0 + &b.0).unwrap()
    }

    fn and_then_of_certain_is_map(a: Law) -> bool {
        a.0.and_then(|x| Ok(Dist::certain(x / 2))).unwrap() == a.0.map(|x| x / 2)
    }

    fn pmf_is_the_probability_of_each_outcome(a: Law) -> bool {
        a.0.pmf().eq(a.0.outcomes().map(|x| (x, a.0.p(x))))
    }

    fn quantiles_and_cdf_are_dual(a: Law, n: u16, d: u16) -> bool {
        let d = d.max(1);
        let p = BigRational::new((n % d).into(), d.into());
        let x = a.0.quantile(&p).unwrap();
        a.0.at_most(x) >= p && (a.0.less(x) < p || x == a.0.min())
    }

    fn median_splits_the_law(a: Law) -> bool {
        let half = BigRational::new(1.into(), 2.into());
        a.0.at_most(a.0.median()) >= half && a.0.at_least(a.0.median()) >= half
    }

    fn dominance_is_an_order_that_shifts_respect(a: Law, b: Law, c: Law) -> bool {
        let dominates = |x: &Law, y: &Law| x.0.dominates(&y.0);
        let transitive = !(dominates(&a, &b) && dominates(&b, &c)) || dominates(&a, &c);
        let antisymmetric = !(dominates(&a, &b) && dominates(&b, &a)) || a.0 == b.0;
        let ordered_means = !dominates(&a, &b) || a.0.mean() >= b.0.mean();
        let shifted = a.0.shift(1).unwrap();
        dominates(&a, &a) && shifted.dominates(&a.0) && !a.0.dominates(&shifted)
            && transitive && antisymmetric && ordered_means
    }

    fn total_variation_is_a_metric(a: Law, b: Law, c: Law) -> bool {
        let d = |x: &Law, y: &Law| x.0.total_variation(&y.0);
        d(&a, &a).is_zero()
            && d(&a, &b) == d(&b, &a)
            && d(&a, &b) <= one()
            && d(&a, &c) <= d(&a, &b) + d(&b, &c)
            && d(&a, &b).is_zero() == (a.0 == b.0)
    }

    fn contests_mirror(a: Law, b: Law) -> bool {
        let (there, back) = (a.0.versus(&b.0), b.0.versus(&a.0));
        there.win() == back.lose() && there.draw() == back.draw()
            && there.win() + there.draw() + there.lose() == one()
    }

    fn equality_is_of_laws(a: Law, k: u8) -> bool {
        let k = BigUint::from(k) + 1u32;
        let scaled = Dist::from_weights(a.0.iter().map(|(x, w)| (*x, w * &k))).unwrap();
        scaled == a.0 && a.0.clone().lowest_terms() == a.0 && (a.0.shift(1).unwrap() != a.0)
    }

    fn parts_round_trip(a: Law) -> bool {
        let (pairs, total) = a.0.clone().into_parts();
        Dist::from_parts(pairs, total).unwrap() == a.0
    }

    fn floats_round_trip_exactly(weights: Vec<(i64, f64)>) -> bool {
        let weights = weights.into_iter().map(|(x, w)| (x, w.abs()));
        let Ok(law) = Dist::from_float_weights(weights.filter(|(_, w)| (1e-150..1e150).contains(w)))
        else {
            return true;
        };
        within(&law.to_exact(), &law)
    }

    fn float_sums_stay_within_their_bound(a: Law, b: Law, n: u8) -> bool {
        let (x, y, n) = (a.0.to_f64(), b.0.to_f64(), u32::from(n % 20) + 1);
        within(&(&a.0 + &b.0).unwrap(), &(&x + &y).unwrap())
            && within(&(&a.0 - &b.0).unwrap(), &(&x - &y).unwrap())
            && within(&a.0.repeat(n).unwrap(), &x.repeat(n).unwrap())
    }

    fn float_changes_stay_within_their_bound(a: Law, b: Law) -> bool {
        let (x, y) = (a.0.to_f64(), b.0.to_f64());
        let exact = a.0.joint(&b.0).unwrap().map(|(x, y)| x * y).given(|x| *x >= 0).unwrap();
        let float = x.joint(&y).unwrap().map(|(x, y)| x * y).given(|x| *x >= 0).unwrap();
        let next = |k: &i64| a.0.shift(*k);
        let float_next = |k: &i64| x.shift(*k);
        within(&exact, &float)
            && within(&b.0.and_then(next).unwrap(), &y.and_then(float_next).unwrap())
    }

    fn float_contests_stay_within_their_bound(a: Law, b: Law) -> bool {
        let exact = a.0.versus(&b.0);
        let float = a.0.to_f64().versus(&b.0.to_f64());
        let bound = float.relative_error();
        near(&exact.win(), float.win(), bound)
            && near(&exact.draw(), float.draw(), bound)
            && near(&exact.lose(), float.lose(), bound)
    }

    fn float_moments_are_close(a: Law) -> bool {
        let float = a.0.to_f64();
        let size = a.0.expectation(|x| BigRational::from_integer(x.unsigned_abs().into()));
        let error = (float.mean() - a.0.mean().to_f64().unwrap()).abs();
        let variance = a.0.variance().to_f64().unwrap();
        // The bound on the probabilities, and a few roundings of the terms themselves.
        error <= 2.0 * float.relative_error() * size.to_f64().unwrap()
            && (float.variance() - variance).abs() <= 1e-12 * variance
    }

    fn float_moments_keep_their_bound_wherever_outcomes_are(a: Law, b: Law, shift: i64) -> bool {
        let shift = shift.clamp(i64::MIN + (1 << 40), i64::MAX - (1 << 40));
        let exact = (&a.0 + &b.0).unwrap().shift(shift).unwrap();
        let float = (a.0.to_f64() + b.0.to_f64()).unwrap().shift(shift).unwrap();
        let bound = BigRational::from_float(float.relative_error() + 2_f64.powi(-50)).unwrap();
        let close = |found: f64, exact: BigRational, size: BigRational| {
            let found = BigRational::from_float(found).unwrap();
            (found - exact).abs() <= size * &bound
        };
        let mean = exact.mean();
        let deviation = |x: &i64| BigRational::from_integer((*x).into()) - &mean;
        let size = exact.expectation(|x| BigRational::from_integer((*x).into()).abs());
        close(float.mean(), mean.clone(), size)
            && (1..7).all(|k: u32| {
                let times = BigRational::from_integer((k + 2).into());
                let size = exact.expectation(|x| deviation(x).abs().pow(k as i32)) * times;
                let exact = exact.central_moment(k).unwrap();
                let variance = if k == 2 { float.variance() } else { 0.0 };
                close(float.central_moment(k).unwrap(), exact.clone(), size.clone())
                    && (k != 2 || close(variance, exact, size))
            })
    }
}

fn within(exact: &Dist<i64>, float: &FloatDist<i64>) -> bool {
    let bound = float.relative_error();
    assert!(bound > 0.0 && bound < 1e-10, "{bound}");
    assert_eq!(exact.support(), float.support());
    exact.outcomes().all(|x| {
        near(&exact.p(x), float.p(x), bound)
            && near(&exact.at_least(x), float.at_least(x), bound)
            && near(&exact.at_most(x), float.at_most(x), bound)
    })
}

/// A bound that is never approached would prove nothing: some error is at least a thousandth of it.
#[test]
fn the_bound_is_not_idle() -> Result<(), Error> {
    let exact = Dist::ndice(40, 6)?;
    let float = Dist::die(6)?.to_f64().repeat(40)?;
    let tight = float.relative_error() / 1000.0;
    assert!(within(&exact, &float));
    assert!(
        exact
            .outcomes()
            .any(|x| !near(&exact.p(x), float.p(x), tight))
    );
    Ok(())
}

/// The worst case of a sum: a thousand terms, each just too small to change the first one, so all
/// are lost. The error is close to half of the bound, so a missing rounding would show.
#[test]
fn the_bound_covers_the_worst_sums() -> Result<(), Error> {
    let large = (0, 10 << 54);
    let exact = Dist::from_weights((1..=1000).map(|x| (x, 9u64)).chain([large]))?;
    let float = exact.to_f64();
    let check = |exact: &Dist<i64>, float: &FloatDist<i64>, x: i64| {
        assert!(near(&exact.p(&x), float.p(&x), float.relative_error()));
        assert!(!near(
            &exact.p(&x),
            float.p(&x),
            0.4 * float.relative_error()
        ));
    };
    check(&exact.map(|_| 0), &float.map(|_| 0), 0);
    let even = Dist::uniform(0..=1000)?;
    let (sum, float_sum) = (exact.matfold(&even)?, float.matfold(&even.to_f64())?);
    let bound = float_sum.relative_error();
    assert!(near(&sum.p(&1000), float_sum.p(&1000), bound));
    assert!(!near(&sum.p(&1000), float_sum.p(&1000), 0.1 * bound));
    assert!(near(
        &exact.at_most(&1000),
        float.at_most(&1000),
        float.relative_error()
    ));
    let given = float.given(|&x| x >= 0)?;
    assert!(near(&exact.p(&0), given.p(&0), given.relative_error()));
    assert!(!near(
        &exact.p(&0),
        given.p(&0),
        0.1 * given.relative_error()
    ));
    let weights = exact.iter().map(|(x, w)| (*x, w.to_f64().unwrap()));
    let start = Dist::from_float_weights(weights)?;
    assert!(near(&exact.p(&0), start.p(&0), start.relative_error()));
    assert!(!near(
        &exact.p(&0),
        start.p(&0),
        0.2 * start.relative_error()
    ));
    Ok(())
}

/// Long chains keep the total in range: a thousand sums of weights far above one.
#[test]
fn totals_do_not_overflow() -> Result<(), Error> {
    let coin = Dist::from_float_weights([(0, 3e200), (1, 1e200)])?;
    let mut sum = coin.clone();
    for _ in 0..1000 {
        sum = sum.matfold(&coin)?;
    }
    assert!((sum.mean() - 250.25).abs() < 1e-9);
    assert!((coin.repeat(1001)?.mean() - 250.25).abs() < 1e-9);
    Ok(())
}

/// P(A) for an event as rare as 1e-200, and conditioning on it.
#[test]
fn rare_events_keep_their_bound() -> Result<(), Error> {
    let exact = Dist::bernoulli((1, 10))?
        .map(|&hit| i64::from(hit))
        .repeat(200)?;
    let float = Dist::bernoulli((1, 10))?
        .map(|&hit| i64::from(hit))
        .to_f64()
        .repeat(200)?;
    assert!(within(&exact, &float));
    assert!(within(
        &exact.given(|&x| x >= 190)?,
        &float.given(|&x| x >= 190)?
    ));
    Ok(())
}

/// The central limit theorem, as a number: one standard deviation holds 68 %.
#[test]
fn many_dice_look_normal() -> Result<(), Error> {
    let roll = Dist::ndice(1000, 6)?;
    let sd = roll.standard_deviation();
    assert!((sd - (35_000f64 / 12.0).sqrt()).abs() < 1e-12);
    let near = roll
        .probability(|&x| (x as f64 - 3500.0).abs() <= sd)
        .to_f64()
        .unwrap();
    assert!((near - 0.6827).abs() < 0.01, "{near}");
    Ok(())
}

/// Outcomes 10¹⁵ apart need memory for the outcomes only.
#[test]
fn sparse_supports_stay_sparse() -> Result<(), Error> {
    let law = Dist::uniform([0, 1, 1_000_000_000_000_000])?;
    assert_eq!(law.repeat(20)?.len(), 231);
    assert_eq!(law.to_f64().repeat(20)?.len(), 231);
    assert_eq!((&law - &law)?.len(), 7);
    let ends = Dist::uniform([i64::MIN, i64::MAX])?;
    assert_eq!(ends.matfold(&Dist::certain(0))?, ends);
    assert_eq!(ends.versus(&ends).draw().to_string(), "1/2");
    let middle = Dist::uniform([i64::MIN / 2, i64::MAX / 2])?;
    assert_eq!(middle.repeat(2)?.len(), 3);
    Ok(())
}
