//! Rolling until an event, compared with the geometric distribution.

#![allow(
    clippy::panic,
    reason = "a test that cannot go on has failed, in its helpers too"
)]

use crate::exact::{Number, near, number};
use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::{One, Zero};
use oddsmith_dice::{Dist, Error, Steps, Waiting};
use quickcheck::{TestResult, quickcheck};

quickcheck! {
    fn waiting_is_geometric(weights: Vec<u8>, n: u8, percent: u8) -> TestResult {
        let n = u64::from(n % 40);
        let Ok(law) = Dist::from_weights((0i64..).zip(weights.into_iter().take(6))) else {
            return TestResult::discard();
        };
        let Ok(waiting) = law.until(|x| x % 2 == 1) else {
            return TestResult::discard();
        };
        let p = law.probability(|x| x % 2 == 1);
        let q = number(1) - &p;
        let before = q.pow(n as i32);
        assert_eq!(waiting.more_than(n).unwrap(), before);
        assert_eq!(waiting.at_most(n).unwrap(), number(1) - &before);
        assert_eq!(waiting.p(n + 1).unwrap(), &before * &p);
        assert_eq!(waiting.mean(), p.recip());
        assert_eq!(waiting.variance(), &q / (&p * &p));
        assert_eq!(waiting.last(), &law.given(|x| x % 2 == 1).unwrap());
        let rolls = waiting.rolls(n).unwrap();
        assert_eq!(rolls.p(&Steps::MoreThan(n)), before);
        assert_eq!(rolls.p(&Steps::Exactly(n)), waiting.p(n).unwrap());
        let float = law.to_f64().until(|x| x % 2 == 1).unwrap();
        let bound = float.relative_error(n);
        assert!(near(&waiting.at_most(n).unwrap(), float.at_most(n).unwrap(), bound));
        assert!(near(&waiting.more_than(n).unwrap(), float.more_than(n).unwrap(), bound));
        assert!(near(&waiting.p(n).unwrap(), float.p(n).unwrap(), bound));
        let rolls_bound = float.rolls(n).unwrap().relative_error();
        let float_rolls = float.rolls(n).unwrap();
        assert!(rolls.outcomes().all(|k| near(&rolls.p(k), float_rolls.p(k), rolls_bound)));
        // The smallest number that is enough, found by counting up.
        let level = BigRational::new((percent % 100).into(), 100.into());
        let quantile = waiting.quantile(&level).unwrap();
        assert!(waiting.at_most(quantile).unwrap() >= level);
        assert!(quantile == 1 || waiting.at_most(quantile - 1).unwrap() < level);
        TestResult::passed()
    }

    /// Exactly at the steps of the distribution function, where logarithms cannot decide.
    fn quantiles_at_the_edge(n: u8) -> bool {
        let n = u64::from(n % 60) + 1;
        let waiting = Dist::die(6).unwrap().until(|&x| x == 6).unwrap();
        let edge = waiting.at_most(n).unwrap();
        let above = &edge + BigRational::new(1.into(), num_bigint::BigInt::from(10).pow(60));
        waiting.quantile(edge).unwrap() == n && waiting.quantile(above).unwrap() == n + 1
    }
}

#[test]
fn waiting_at_its_ends() -> Result<(), Error> {
    let die = Dist::die(6)?;
    assert!(matches!(
        die.until(|_| false),
        Err(Error::ImpossibleCondition { outcomes: 6 })
    ));
    let sure = die.until(|_| true)?;
    assert_eq!((sure.mean(), sure.variance()), (number(1), number(0)));
    assert_eq!(sure.quantile(1)?, 1);
    assert!(sure.p(0)?.is_zero() && sure.p(1)?.is_one() && sure.p(2)?.is_zero());
    assert!(sure.at_most(0)?.is_zero());
    let six = die.until(|&face| face == 6)?;
    assert_eq!(six.quantile(0)?, 1);
    assert!(matches!(six.quantile(1), Err(Error::NoQuantile { .. })));
    assert!(matches!(
        six.quantile("1.5"),
        Err(Error::NotAProbability { .. })
    ));
    assert!(matches!(six.p(u64::MAX), Err(Error::TooLarge { .. })));
    assert!(matches!(six.rolls(u64::MAX), Err(Error::TooLarge { .. })));
    // One in a billion, to near certainty: 10⁹ · 40 ln 10.
    let rare = Dist::bernoulli((1, 1_000_000_000))?.until(|&hit| hit)?;
    let long = rare.quantile(number(1) - number(10).pow(-40))?;
    assert!((long as f64 / (40e9 * 10f64.ln()) - 1.0).abs() < 1e-8);
    let float = die.to_f64().until(|&face| face == 6)?;
    assert!((float.at_most(u64::MAX)? - 1.0).abs() < 1e-14);
    assert_eq!(float.more_than(u64::MAX)?, 0.0);
    assert_eq!(float.relative_error(u64::MAX), f64::INFINITY);
    assert_eq!(float.quantile("0.5")?, 4);
    Ok(())
}

/// A distribution on 0 and 1 with this weight of a hit.
fn bernoulli(hit: BigUint, total: &BigUint) -> Waiting<bool> {
    let miss = total - &hit;
    let law = Dist::from_parts([(true, hit), (false, miss)], total.clone()).unwrap();
    law.until(|&hit| hit).unwrap()
}

/// Regression test: misses below the range of doubles counted as none, and subnormal hits as their
/// few bits: one roll was called enough where 3 are needed, and 12 where 10 are.
#[test]
fn quantiles_of_numbers_below_all_doubles() -> Result<(), Error> {
    let power = |n: u32| BigUint::one() << n;
    let below_one = |n: u32| number(1) - Number::new(1.into(), power(n).into());
    let near_sure = bernoulli(power(1100) - 1u32, &power(1100));
    assert_eq!(near_sure.quantile(below_one(1099))?, 1);
    assert_eq!(near_sure.quantile(below_one(1100))?, 1);
    assert_eq!(near_sure.quantile(below_one(1101))?, 2);
    assert_eq!(near_sure.quantile(below_one(3000))?, 3);
    let few = bernoulli(1331u32.into(), &power(1084));
    let level = |part: u32| Number::new(part.into(), power(1084).into());
    assert_eq!(few.quantile(level(1331 * 9 + 5))?, 10);
    assert_eq!(few.quantile(level(1331 * 9))?, 10);
    assert_eq!(few.quantile(level(1331))?, 1);
    assert_eq!(few.quantile(level(1332))?, 2);
    assert_eq!(few.quantile(level(1))?, 1);
    let rare = bernoulli(3u32.into(), &power(2000));
    let level = |part: u32| Number::new(part.into(), power(2000).into());
    assert_eq!(rare.quantile(level(12))?, 5);
    assert_eq!(rare.quantile(level(2999))?, 1000);
    assert_eq!(rare.quantile(level(2))?, 1);
    assert!(matches!(rare.quantile((1, 2)), Err(Error::TooLarge { .. })));
    // In doubles, the smallest of which has one bit.
    let least = Dist::from_float_weights([(1, 1.0), (0, f64::from_bits(1))])?;
    assert_eq!(least.until(|&x| x == 1)?.quantile(below_one(3000))?, 3);
    let most = least.until(|&x| x == 0)?;
    assert_eq!(most.quantile(Number::new(7.into(), power(1075).into()))?, 4);
    Ok(())
}
