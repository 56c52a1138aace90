//! Chains with very many states, chains that never stop, and chains beyond the limits.

#![allow(
    clippy::panic,
    reason = "a test that cannot go on has failed, in its helpers too"
)]

use crate::exact::number;
use num_traits::{One, Zero};
use oddsmith_dice::{Chain, Dist, Error, FloatDist, Step, Steps};

/// Regression test: a state left with probability 10⁻³²⁰ was visited infinitely often, and later
/// states had an infinite probability.
#[test]
fn a_state_that_is_next_to_never_left() -> Result<(), Error> {
    let waiting = |leaves: f64| {
        let way = FloatDist::from_float_weights([(0, 1.0), (1, leaves / 2.0), (2, leaves / 2.0)])?;
        Chain::explore(0, |&at| {
            Ok(match at {
                0 => Step::Go(way.clone()),
                _ => Step::Stop(at),
            })
        })
    };
    let chain = waiting(1e-300)?;
    assert!((chain.outcome()?.p(&1) - 0.5).abs() < 1e-15);
    assert!((chain.expected_steps()? / 1e300 - 1.0).abs() < 1e-15);
    let chain = waiting(1e-320)?;
    let refused = |error: Error| matches!(error, Error::FloatOverflow { .. });
    assert!(chain.outcome().is_err_and(refused));
    assert!(chain.stopping_probability().is_err_and(refused));
    assert!(chain.visits().is_err_and(refused));
    assert!(chain.expected_steps().is_err_and(refused));
    assert!(chain.steps_variance().is_err_and(refused));
    Ok(())
}

#[test]
fn a_chain_of_200_000_states() -> Result<(), Error> {
    let chain = Chain::explore(0u32, |&at| {
        Ok(match at {
            199_999 => Step::Stop(at),
            _ => Step::Go(Dist::certain(at + 1)),
        })
    })?;
    assert_eq!(chain.expected_steps()?, number(199_999));
    assert!(chain.steps_variance()?.is_zero());
    assert_eq!(chain.all_steps()?, Dist::certain(199_999));
    let die = Dist::die(6)?.to_f64();
    let token = Chain::explore(0u32, |&at| {
        Ok(match at {
            200_000.. => Step::Stop(at - 200_000),
            _ => Step::Go(die.map(|&face| at + face as u32)),
        })
    })?;
    // Renewal theory: the mean overshoot tends to (E[X²] − E[X]) / 2 E[X] = 5/3.
    assert!((token.outcome()?.mean_of() - 5.0 / 3.0).abs() < 1e-9);
    let mean = token.expected_steps()?;
    assert!(
        (mean - (200_000.0 + 5.0 / 3.0) / 3.5).abs() < 1e-5,
        "{mean}"
    );
    // One long cycle.
    let ring = Chain::explore(0u32, |&at| {
        Ok(match at {
            200_000 => Step::Stop(()),
            _ => {
                let next = (at + 1) % 200_000;
                Step::Go(Dist::from_weights([(next, 1), (200_000, 1)])?.to_f64())
            }
        })
    })?;
    assert!((ring.expected_steps()? - 2.0).abs() < 1e-9);
    Ok(())
}

trait MeanOf {
    fn mean_of(&self) -> f64;
}

impl MeanOf for FloatDist<u32> {
    fn mean_of(&self) -> f64 {
        self.expectation(|&x| f64::from(x))
    }
}

#[test]
fn chains_that_cannot_stop() -> Result<(), Error> {
    let walled = Chain::explore(0, |&at| {
        Ok(Step::<i64, ()>::Go(Dist::certain((at + 1) % 3)))
    })?;
    let message = "the chain can reach 0, from which it never stops";
    assert_eq!(walled.outcome().unwrap_err().to_string(), message);
    assert_eq!(walled.visits().unwrap_err().to_string(), message);
    assert_eq!(walled.expected_steps().unwrap_err().to_string(), message);
    assert_eq!(walled.steps_variance().unwrap_err().to_string(), message);
    assert!(walled.stopping_probability()?.is_zero());
    assert!(walled.steps(10)?.p(&Steps::MoreThan(10)).is_one());
    // Half of the time it falls into a trap, from a cycle.
    let trap = Chain::explore(0, |&at| {
        Ok(match at {
            3 => Step::Stop("out"),
            2 => Step::Go(Dist::certain(2)),
            _ => Step::Go(Dist::uniform([1 - at, 2, 3])?),
        })
    })?;
    assert_eq!(trap.stopping_probability()?.to_string(), "1/2");
    assert_eq!(trap.endless_state(), Some(&2));
    assert!(matches!(trap.outcome(), Err(Error::NeverStops { state }) if state == "2"));
    Ok(())
}

#[test]
fn limits_of_chains() -> Result<(), Error> {
    let count = |limit: usize| {
        Chain::builder().max_states(limit).explore(0u64, |&at| {
            Ok(match at {
                9 => Step::Stop(()),
                _ => Step::Go(Dist::uniform([at, at + 1])?),
            })
        })
    };
    assert_eq!(count(10)?.len(), 10);
    let message = "the chain exceeds the limit of 9 states at the state 9; raise it with `Chain::builder().max_states`, or use fewer states";
    assert_eq!(count(9).unwrap_err().to_string(), message);
    assert!(matches!(
        count(0),
        Err(Error::TooManyChainStates { limit: 0, .. })
    ));
    let chain = count(usize::MAX)?;
    assert!(matches!(chain.steps(u64::MAX), Err(Error::TooLarge { .. })));
    assert!(matches!(chain.all_steps(), Err(Error::Unbounded { .. })));
    // The fractions are short one by one, but long over the denominator of the last.
    let fan = Chain::builder()
        .max_words(40_000)
        .explore((0u32, 0u32), |&(depth, side)| {
            Ok(match (depth, side) {
                (_, 1..) | (1_000, _) => Step::Stop((depth, side)),
                (0, _) => Step::Go(Dist::uniform((0..2_000).map(|side| (1, side)))?),
                _ => Step::Go(Dist::uniform([(depth + 1, 0), (1_000, 0)])?),
            })
        })?;
    assert!(fan.expected_steps().is_ok());
    assert!(matches!(
        fan.outcome(),
        Err(Error::TooLarge { limit: 40_000, .. })
    ));
    let failed = Chain::explore(0, |_| Err::<Step<i32, ()>, _>(Error::NoSides));
    assert_eq!(failed.unwrap_err(), Error::NoSides);
    // Exact sums of a hundred thousand rolls exceed the limit, which is an error.
    let die = Dist::die(6)?;
    let long = Chain::explore(0, |&at: &i64| {
        Ok(match at {
            100_000.. => Step::Stop(()),
            _ => Step::Go(die.shift(at)?),
        })
    })?;
    assert!(matches!(long.expected_steps(), Err(Error::TooLarge { .. })));
    Ok(())
}

/// Regression test: transitions were not counted, which took tens of gigabytes.
#[test]
fn many_ways_between_few_states_are_refused() -> Result<(), Error> {
    let die = Dist::die(1_000)?;
    assert!(matches!(
        die.rolls_to_reach_by(100_000, 1_000),
        Err(Error::TooLarge { .. })
    ));
    let ring = |limit: u64| {
        Chain::builder().max_words(limit).explore(0u32, |&at| {
            Ok(match at {
                9 => Step::Stop(()),
                _ => Step::Go(Dist::uniform(0..10)?),
            })
        })
    };
    // Ninety transitions of four words and a weight.
    assert!(ring(450).is_ok());
    let message = "listing the transitions of 9 states needs about 450 64-bit words, which exceeds the limit of 449";
    assert_eq!(ring(449).unwrap_err().to_string(), message);
    Ok(())
}

/// Regression test: lifting took minutes, since its time grows faster than its memory.
#[test]
fn a_long_exact_walk_is_refused_before_it_is_solved() -> Result<(), Error> {
    let walk = |states: i64| {
        Chain::explore(states / 2, |&at| {
            Ok(match at == 0 || at == states {
                true => Step::Stop(at),
                false => Step::Go(Dist::uniform([at - 1, at + 1])?),
            })
        })
    };
    assert!(matches!(
        walk(20_000)?.outcome(),
        Err(Error::TooSlow { .. })
    ));
    assert_eq!(walk(400)?.expected_steps()?, number(40_000));
    Ok(())
}

/// Regression test: each recorded step counts, or a long horizon takes gigabytes.
#[test]
fn a_long_horizon_is_refused() -> Result<(), Error> {
    let coin = Dist::bernoulli((1, 1_000))?.to_f64();
    let chain = Chain::explore(false, |&heads| {
        Ok(match heads {
            true => Step::Stop(()),
            false => Step::Go(coin.clone()),
        })
    })?;
    assert!(matches!(
        chain.steps(30_000_000),
        Err(Error::TooLarge { words, .. }) if words == 180_000_006
    ));
    Ok(())
}

/// Regression test: a mean of 10⁴⁵⁰ steps was reported as infinite.
#[test]
fn a_mean_beyond_the_doubles_is_an_error() -> Result<(), Error> {
    let climb = |p: f64| {
        Chain::explore(0u32, |&at| {
            Ok(match at {
                3 => Step::Stop(()),
                _ => Step::Go(Dist::from_float_weights([(0, 1.0), (at + 1, p)])?),
            })
        })
    };
    assert!((climb(1e-100)?.expected_steps()? / 1e300 - 1.0).abs() < 1e-12);
    let overflow = |error| matches!(error, Error::FloatOverflow { .. });
    assert!(overflow(climb(1e-150)?.expected_steps().unwrap_err()));
    assert!(overflow(climb(1e-150)?.steps_variance().unwrap_err()));
    assert!(climb(1e-150)?.visits().is_err_and(overflow));
    Ok(())
}
