//! Moments of outcomes that do not fit an `i64`: the same formulas in other number types.

use num_bigint::{BigInt, BigUint};
use num_rational::{BigRational, Ratio};
use num_traits::ToPrimitive;
use oddsmith_dice::{Dist, Error, Numeric};

/// Variance, third central moment and kurtosis do not change if all outcomes are shifted.
#[test]
fn a_die_at_the_end_of_each_type() {
    let die = Dist::die(6).unwrap();
    let unsigned = die.map(|&face| u64::MAX - 6 + face as u64);
    assert_eq!(unsigned.mean().to_string(), "36893488147419103225/2");
    assert_eq!(unsigned.variance(), die.variance());
    let usual = die.map(|&face| face as usize);
    assert_eq!(usual.mean(), die.mean());
    let low = die.map(|&face| i128::MIN + i128::from(face));
    let mean = BigRational::from_integer(i128::MIN.into()) + die.mean();
    assert_eq!(low.mean(), mean);
    assert_eq!(low.central_moment(4), die.central_moment(4));
    assert_eq!(low.excess_kurtosis(), die.excess_kurtosis());
    assert_eq!(low.mean_absolute_deviation(), die.mean_absolute_deviation());
    assert_eq!(low.standard_deviation(), die.standard_deviation());
    let large = die.map(|&face| BigInt::from(10).pow(100) + face);
    assert_eq!(large.variance(), die.variance());
    assert_eq!(large.skewness(), Ok(0.0));
    let high = die.map(|&face| BigUint::from(10_u8).pow(100) + face as u64);
    assert_eq!(
        high.expected_maximum(2).unwrap(),
        die.expected_maximum(2).unwrap() + large.mean() - die.mean()
    );
}

/// Scaled by a number, the k-th moment is scaled by its k-th power.
#[test]
fn fractions_as_outcomes() {
    let die = Dist::die(6).unwrap();
    let sixths = die.map(|&face| BigRational::new(face.into(), 6.into()));
    assert_eq!(sixths.mean().to_string(), "7/12");
    assert_eq!(sixths.variance().to_string(), "35/432");
    assert_eq!(
        sixths.moment(3).unwrap(),
        die.moment(3).unwrap() / BigInt::from(216)
    );
    assert_eq!(sixths.excess_kurtosis(), die.excess_kurtosis());
    assert_eq!(sixths.mean_absolute_deviation().to_string(), "1/4");
    let small = die.map(|&face| Ratio::new(face, 6));
    assert_eq!(small.central_moment(2).unwrap(), sixths.variance());
    // 1 + 1/2 + 1/3 + … + 1/6 over 6.
    let harmonic = die.map(|&face| Ratio::new(1, face));
    assert_eq!(harmonic.mean().to_string(), "49/120");
}

#[test]
fn floats_of_any_size() {
    let die = Dist::die(6).unwrap();
    let wide = die.map(|&face| i128::from(face) << 100).to_f64();
    let scale = 2_f64.powi(100);
    assert!((wide.mean() / scale - 3.5).abs() < 1e-14);
    assert!((wide.variance() / scale / scale - 35.0 / 12.0).abs() < 1e-14);
    assert!((wide.mean_absolute_deviation() / scale - 1.5).abs() < 1e-14);
    let sixths = die.map(|&face| Ratio::new(-face, 6)).to_f64();
    assert!((sixths.mean() + 7.0 / 12.0).abs() < 1e-15);
    let beyond = die.map(|&face| BigInt::from(face) << 2_000);
    assert_eq!(beyond.standard_deviation(), f64::INFINITY);
    assert_eq!(beyond.to_f64().mean(), f64::INFINITY);
    assert!(matches!(
        beyond.to_f64().moment(1),
        Err(Error::FloatOverflow { .. })
    ));
}

/// Regression test: the mean was rounded to a multiple of 128, which gave a variance of 3,840.
#[test]
fn floats_far_from_zero() {
    let far = 10_i64.pow(18);
    let near = |found: f64, exact: f64| assert!((found - exact).abs() < 1e-14, "{found} {exact}");
    let die = Dist::die(6).unwrap();
    let law = die.shift(far).unwrap().to_f64();
    near(law.variance(), 35.0 / 12.0);
    near(law.standard_deviation(), (35_f64 / 12.0).sqrt());
    near(law.excess_kurtosis().unwrap(), -222.0 / 175.0);
    near(law.central_moment(2).unwrap(), 35.0 / 12.0);
    near(law.mean_absolute_deviation(), 1.5);
    let rare = Dist::bernoulli((1, 5)).unwrap();
    let rare = rare.map(|&hit| far + i64::from(hit)).to_f64();
    near(rare.skewness().unwrap(), 1.5);
    let thirds = die.map(|&face| BigRational::new((3 * far + face).into(), 3.into()));
    near(thirds.to_f64().variance(), 35.0 / 108.0);
    let ends = Dist::uniform([i64::MIN, i64::MAX]).unwrap().to_f64();
    near(ends.standard_deviation() / 2_f64.powi(63), 1.0);
    let pair = die.readings(|x| far + x, |x| 2 * x - far).to_f64();
    near(pair.covariance(), 35.0 / 6.0);
    near(pair.correlation().unwrap(), 1.0);
}

#[test]
fn powers_that_are_too_long_are_refused_first() {
    let refused = |moment| matches!(moment, Err(Error::TooLarge { limit: 4_096, words, .. }) if words > 4_096);
    let long = Dist::uniform([BigInt::from(0), BigInt::from(1) << 64_000]).unwrap();
    assert_eq!(
        long.moment(4).map(|moment| moment.numer().bits()),
        Ok(256_000)
    );
    assert!(refused(long.moment(5)));
    assert!(refused(long.central_moment(5)));
    let short = Dist::uniform([long.max().clone(), 1.into()]).unwrap();
    let short = short.map(|x| BigRational::new(1.into(), x.clone()));
    assert!(refused(short.moment(5)));
}

/// One over zero is not a number; the result is arbitrary, but nothing panics.
#[test]
fn fractions_that_are_no_numbers() {
    struct OneOverZero;
    impl Numeric for OneOverZero {
        fn as_fraction(&self) -> BigRational {
            BigRational::new_raw(1.into(), 0.into())
        }
    }
    let law = Dist::die(2).unwrap().map(|&face| face);
    assert_eq!(law.mean().to_f64(), Some(1.5));
    impl PartialEq for OneOverZero {
        fn eq(&self, _: &Self) -> bool {
            true
        }
    }
    impl Eq for OneOverZero {}
    impl PartialOrd for OneOverZero {
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
            Some(self.cmp(other))
        }
    }
    impl Ord for OneOverZero {
        fn cmp(&self, _: &Self) -> std::cmp::Ordering {
            std::cmp::Ordering::Equal
        }
    }
    let none = Dist::certain(OneOverZero);
    assert_eq!(none.mean().to_string(), "0");
    assert_eq!(none.variance().to_string(), "0");
    assert!(none.moment(3).is_ok());
}
