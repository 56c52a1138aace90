//! Extremes of sums, changed dice, conditioning and joint distributions: nothing to do, too much to
//! do, outcomes at the ends of `i64`, and invalid input.

use oddsmith_dice::{DEFAULT_LIMIT, DifferenceTable, Dist, Error, Rounding};

#[test]
fn floats_far_down_the_explosion() -> Result<(), Error> {
    // The probability of so many sixes is below the smallest double, so those outcomes vanish.
    let d6 = Dist::die(6)?.to_f64();
    let deep = d6.explode(2_000, |&x| x == 6)?;
    assert!(*deep.max() < 12_000 && *deep.max() > 2_000);
    assert!((deep.mean() - 4.2).abs() < 1e-12);
    let deep = d6.explode(5_000, |&x| x >= 5)?;
    assert!((deep.mean() - 5.25).abs() < 1e-12);
    let often = d6.reroll(u32::MAX, |&x| x <= 2)?;
    assert_eq!(often.support(), [3, 4, 5, 6]);
    assert!((often.p(&3) - 0.25).abs() <= often.relative_error() * 0.25);
    assert!(often.relative_error() < 1e-5);
    Ok(())
}

#[test]
fn nothing_to_sum_or_to_change() -> Result<(), Error> {
    assert_eq!(Dist::<i64>::sum([])?, Dist::certain(0));
    assert_eq!(Dist::<i64>::weighted_sum([])?, Dist::certain(0));
    let d6 = Dist::die(6)?;
    assert_eq!(Dist::weighted_sum([(0, &d6)])?, Dist::certain(0));
    assert_eq!(Dist::sum([&d6])?, d6);
    assert_eq!(d6.reroll(0, |_| true)?, d6);
    assert_eq!(d6.reroll(u32::MAX, |_| true)?, d6);
    assert_eq!(d6.reroll(u32::MAX, |_| false)?, d6);
    assert_eq!(d6.explode(0, |_| true)?, d6);
    assert_eq!(d6.explode(u32::MAX, |_| false)?, d6);
    assert_eq!(d6.explode(3, |_| true)?, d6.repeat(4)?);
    assert_eq!(d6.explode_forever(|_| false)?, d6);
    assert_eq!(d6.explode_mean(|_| false)?, d6.mean());
    assert_eq!(d6.explode_once(|&x| x == 6)?, d6.explode(1, |&x| x == 6)?);
    assert_eq!(
        Dist::certain(0).explode(u32::MAX, |_| true)?,
        Dist::certain(0)
    );
    assert_eq!(d6.update(|_| 1)?, d6);
    Ok(())
}

/// Regression test: a depth of `u32::MAX` was one roll too few.
#[test]
fn the_deepest_explosion_has_one_roll_more() -> Result<(), Error> {
    let deepest = Dist::certain(1).explode(u32::MAX, |_| true)?;
    assert_eq!(deepest, Dist::certain(i64::from(u32::MAX) + 1));
    Ok(())
}

#[track_caller]
fn too_large<T: std::fmt::Debug>(result: Result<T, Error>) {
    assert!(matches!(result, Err(Error::TooLarge { .. })), "{result:?}");
}

#[track_caller]
fn overflow<T: std::fmt::Debug>(result: Result<T, Error>) {
    assert!(
        matches!(result, Err(Error::OutcomeOverflow { .. })),
        "{result:?}"
    );
}

#[test]
fn what_is_too_large_is_refused() -> Result<(), Error> {
    let d6 = Dist::die(6)?;
    too_large(d6.reroll(u32::MAX, |&x| x == 1));
    too_large(d6.explode(u32::MAX, |&x| x == 6));
    too_large(d6.explode(u32::MAX, |&x| x >= 5));
    too_large(d6.explode(u32::MAX, |_| true));
    too_large(d6.explode_within(u32::MAX, |&x| x == 6, u64::MAX));
    too_large(d6.to_f64().explode(u32::MAX, |&x| x == 6));
    too_large(d6.to_f64().explode(u32::MAX, |&x| x >= 5));
    too_large(Dist::faces([0, 1])?.explode(u32::MAX, |&x| x == 0));
    let wide = Dist::ndice_within(1, 20_000, DEFAULT_LIMIT)?;
    too_large(wide.product(&wide));
    too_large(Dist::sum_within([&d6, &wide], 1_000));
    too_large(Dist::weighted_sum_within([(3, &d6), (1, &wide)], 1_000));
    Ok(())
}

#[test]
fn what_does_not_fit_is_an_error() -> Result<(), Error> {
    let ends = Dist::faces([i64::MIN, i64::MAX])?;
    let d6 = Dist::die(6)?;
    overflow(ends.product(&Dist::certain(2)));
    overflow(ends.product(&Dist::certain(-1)));
    overflow(ends.absolute());
    overflow(ends.divide(-1, Rounding::Floor));
    overflow(Dist::sum([&ends, &d6]));
    overflow(Dist::weighted_sum([(i64::MIN, &d6)]));
    overflow(Dist::faces([1, i64::MAX / 2])?.explode(3, |&x| x > 1));
    overflow(Dist::faces([1, i64::MIN / 2])?.explode(3, |&x| x < 1));
    overflow(Dist::faces([1, i64::MAX])?.explode(1, |&x| x > 1));
    overflow(Dist::faces([1, 2, i64::MAX])?.explode(7, |&x| x > 1));
    assert_eq!(ends.product(&Dist::certain(0))?, Dist::certain(0));
    assert_eq!(ends.clamp(0, 0)?, Dist::certain(0));
    assert_eq!(ends.clamp(i64::MIN, i64::MAX)?, ends);
    assert_eq!(ends.maximum(&d6).support(), [1, 2, 3, 4, 5, 6, i64::MAX]);
    let thirds = ends.divide(i64::MIN, Rounding::HalfUp)?;
    assert_eq!(thirds.support(), [-1, 1]);
    let both = ends.readings(|&x| x, |&x| x);
    assert_eq!(both.covariance(), ends.variance());
    Ok(())
}

#[test]
fn bad_input_is_an_error() -> Result<(), Error> {
    let d6 = Dist::die(6)?;
    assert_eq!(d6.divide(0, Rounding::Floor), Err(Error::DivisionByZero));
    assert_eq!(d6.clamp(3, 2), Err(Error::EmptyRange { low: 3, high: 2 }));
    assert_eq!(Dist::faces([]), Err(Error::EmptySupport));
    assert_eq!(Dist::loaded::<u32>([]), Err(Error::EmptySupport));
    assert_eq!(Dist::loaded([0, 0]), Err(Error::ZeroTotal { outcomes: 2 }));
    assert!(matches!(
        Dist::loaded([1, -1]),
        Err(Error::NegativeWeight { position: 1, .. })
    ));
    assert!(matches!(
        d6.reroll_forever(|_| true),
        Err(Error::Endless { .. })
    ));
    assert!(matches!(
        d6.explode_forever(|_| true),
        Err(Error::Endless { .. })
    ));
    assert!(matches!(
        d6.explode_mean(|_| true),
        Err(Error::Endless { .. })
    ));
    let infinite = d6.explode_forever(|&x| x == 6).unwrap_err();
    assert_eq!(
        infinite.to_string(),
        "exploding without limit has infinitely many outcomes; give a depth, as in \
         `explode(depth, …)`, or use `explode_mean`"
    );
    assert_eq!(
        d6.reroll_forever(|_| true).unwrap_err().to_string(),
        "rerolling without limit would never end, since every outcome is rolled again; leave \
         one out, or set a limit with `reroll(times, …)`"
    );
    let impossible = Error::ImpossibleCondition { outcomes: 6 };
    assert_eq!(d6.update(|_| 0), Err(impossible.clone()));
    assert_eq!(d6.to_f64().update(|_| 0.0), Err(impossible.clone()));
    assert_eq!(d6.posterior(|_| Dist::die(6), &7), Err(impossible.clone()));
    assert_eq!(
        d6.posterior_given(|_| Dist::die(6), |&x| x > 6),
        Err(impossible)
    );
    assert!(matches!(
        d6.update(|_| -1),
        Err(Error::NegativeWeight { position: 0, .. })
    ));
    let nan = d6.to_f64().update(|&x| if x == 3 { f64::NAN } else { 1.0 });
    assert!(matches!(
        nan,
        Err(Error::BadFloatWeight { position: 2, .. })
    ));
    assert_eq!(d6.posterior(|_| Dist::die(0), &1), Err(Error::NoSides));
    let same = d6.readings(|x| *x, |_| 1);
    assert_eq!(
        same.correlation(),
        Err(Error::NoVariance { which: "second" })
    );
    let floats = d6.to_f64().readings(|x| *x, |_| 3);
    assert_eq!(
        floats.correlation(),
        Err(Error::NoVariance { which: "second" })
    );
    assert!(same.conditional(&9).is_err());
    Ok(())
}

/// Clusters of outcomes far apart fit, although a grid or all pairs would not.
#[test]
fn heaps_far_apart_take_the_space_they_need() -> Result<(), Error> {
    let heaps = Dist::from_weights((0..10).chain([1_000_000_000]).map(|x| (x, 1)))?;
    let sum = heaps.repeat(40)?;
    assert_eq!(sum.len(), (0..=40).map(|ones| 9 * ones + 1).sum::<usize>());
    assert_eq!(sum.p(sum.max()), heaps.p(heaps.max()).pow(40));
    // How many of the forty show the large face, and the sum of the others.
    let many = sum.map(|x| x / 1_000_000_000);
    assert_eq!(many, Dist::from_weights([(0, 10), (1, 1)])?.repeat(40)?);
    let (a, b) = (heaps.repeat(3)?, heaps.repeat(5)?);
    assert_eq!(a.matfold(&b)?, heaps.repeat(8)?);
    let apart = a.difference(&b)?;
    assert_eq!(apart.mean(), heaps.mean() * num_bigint::BigInt::from(-2));
    Ok(())
}

/// The work is limited for all outcomes together, not for each alone.
#[test]
fn moments_of_long_laws() -> Result<(), Error> {
    let long = Dist::die(100_000)?;
    too_large(long.moment(10_000));
    too_large(long.central_moment(10_000));
    assert!(long.moment(20).is_ok());
    assert!(Dist::die(6)?.moment(10_000).is_ok());
    assert!(long.to_f64().moment(20).is_ok());
    Ok(())
}

#[test]
fn no_advantage_draws_against_the_lowest_difference() -> Result<(), Error> {
    let first = Dist::faces([i64::MIN, 1])?;
    let table = DifferenceTable::between(&first, &Dist::certain(0))?;
    assert_eq!(table.to_string().lines().count(), 3);
    assert!(!table.to_string().contains(&i64::MIN.to_string()));
    Ok(())
}
