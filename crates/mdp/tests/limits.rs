//! Games at the edge of what can be held, and limits that end the work with
//! an error that says how far it got.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod rules;

use std::cell::Cell;
use std::ops::ControlFlow;

use num_bigint::BigInt;
use num_rational::BigRational;
use oddsmith_mdp::{Error, Game, Node, Phase, Solver};
use rules::{Expand, Rules, STAIR};

#[test]
fn the_largest_weights_are_fine() {
    // Ten states of total 2^64 - 1 each, then ten of 2^63.
    let game = Rules::new(22, |state, node| match state {
        0 | 1 => node.end(state),
        2..12 => {
            node.chance().to(state - 1, u64::MAX - 1).to(0, 1);
        }
        _ => {
            node.chance().to(state - 1, (1 << 63) - 1).to(1, 1);
        }
    });
    let p = |n: u64, d: u64, k: i32| BigRational::new(BigInt::from(n), BigInt::from(d)).pow(k);
    let ten = p(u64::MAX - 1, u64::MAX, 10);
    let one = BigRational::from_integer(1.into());
    let value = &one - p((1 << 63) - 1, 1 << 63, 10) * (&one - &ten);
    let solution = Solver::exact().solve(&game, 21).unwrap();
    assert_eq!(solution.value_of(&11).unwrap(), ten);
    assert_eq!(solution.value(), value);
}

#[test]
fn limits_on_states() {
    for limit in [0, 1, 10] {
        let few = Some(Error::TooManyStates { limit });
        let solver = || Solver::exact().max_states(limit);
        assert_eq!(solver().solve(&STAIR, 20).err(), few);
        assert_eq!(solver().solve_indexed(&STAIR, 20).err(), few);
    }
    assert!(Solver::exact().max_states(21).solve(&STAIR, 20).is_ok());
    let huge = Rules::new(usize::MAX, |_, node| node.end(0));
    let limit = u32::MAX as usize;
    let error = Solver::float()
        .max_states(usize::MAX)
        .solve_indexed(&huge, 0)
        .err();
    assert_eq!(error, Some(Error::TooManyStates { limit }));
}

#[test]
fn limits_on_memory() {
    let float = Solver::float().max_bytes(251).solve(&STAIR, 20).err();
    let needed = 12 * 21;
    assert!(matches!(
        float,
        Some(Error::TooMuchMemory { states: 21, needed: n, limit: 251, .. }) if n == needed
    ));
    assert!(Solver::float().max_bytes(needed).solve(&STAIR, 20).is_ok());
    let exact = Solver::exact().max_bytes(167).solve(&STAIR, 20).err();
    assert!(matches!(
        exact,
        Some(Error::TooMuchMemory {
            needed: 168,
            limit: 167,
            ..
        })
    ));
    assert!(Solver::exact().max_bytes(168).solve(&STAIR, 20).is_ok());
    // Values of a million digits each, whatever limit is set.
    let deep = Rules::new(1 << 20, |state, node| match state {
        0 | 1 => node.end(state),
        _ => {
            node.chance().to(state - 1, u64::MAX - 1).to(state - 2, 1);
        }
    });
    let error = Solver::exact().solve(&deep, (1 << 20) - 1).err();
    assert!(matches!(
        error,
        Some(Error::TooMuchMemory {
            states: 0x10_0000,
            needed: 0x7_0000_0000..,
            ..
        })
    ));
    // No two totals have a factor in common: the factors alone are too many.
    let strange = Rules::new(3_000, |state, node| match state {
        0 => node.end(1),
        _ => {
            let total = (1 << 61) + 2 * state + 1;
            node.chance().to(state - 1, total - 1).to(0, 1);
        }
    });
    let error = Solver::exact()
        .max_bytes(1 << 20)
        .solve_indexed(&strange, 2_999)
        .err();
    assert!(matches!(
        error,
        Some(Error::TooMuchMemory {
            what: "the common denominator",
            states: 3_000,
            needed: 0x10_0001..,
            ..
        })
    ));
    // A limit nobody can have is no licence to abort.
    let wide = Rules::new(4_000_000_000, |_, node| node.end(0));
    for limit in [u128::MAX, 1 << 70] {
        let solver = Solver::float().max_bytes(limit).max_states(usize::MAX);
        let stopped = solver
            .observe(|_| ControlFlow::Break(()))
            .solve_indexed(&wide, 0)
            .err();
        assert!(matches!(
            stopped,
            Some(Error::TooMuchMemory { .. } | Error::Cancelled { .. })
        ));
    }
}

#[test]
fn forecasts_too_far_ahead() {
    let game = Rules::new(2, |state, node| match state {
        0 => node.end(1),
        _ => {
            node.chance().to(1, 5).to(0, 1);
        }
    });
    let solution = Solver::exact()
        .max_bytes(1_000_000)
        .solve(&game, 1)
        .unwrap();
    let forecast = solution.forecast().unwrap();
    let far = forecast.lengths(u32::MAX, |_| true).err();
    assert!(matches!(
        far,
        Some(Error::TooMuchMemory {
            limit: 1_000_000,
            ..
        })
    ));
    let far = forecast.lengths(19_999_999, |_| true).err();
    assert!(matches!(far, Some(Error::TooMuchMemory { .. })));
    let float = Solver::float().solve(&game, 1).unwrap();
    let far = float.forecast().unwrap().lengths(u32::MAX, |_| true).err();
    assert!(matches!(far, Some(Error::TooMuchMemory { .. })));
    // Once all has ended, the rest is zeros at once.
    let short = Solver::float().solve(&STAIR, 3).unwrap();
    let lengths = short
        .forecast()
        .unwrap()
        .lengths(50_000_000, |_| true)
        .unwrap();
    assert_eq!(lengths.len(), 50_000_001);
    assert_eq!(
        (lengths[3], lengths[4], lengths[50_000_000]),
        (1.0, 0.0, 0.0)
    );
    let none = solution.forecast().unwrap().lengths(0, |_| false).unwrap();
    assert_eq!(none, [BigRational::from_integer(1.into())]);
}

/// Cancels at the `nth` call, and says at which phase and count that was.
#[track_caller]
fn cancelled_at(nth: usize) -> Option<Error> {
    let calls = Cell::new(0);
    Solver::exact()
        .observe(|progress| {
            calls.set(calls.get() + 1);
            assert!(progress.total.is_none_or(|total| progress.done <= total));
            match calls.get() > nth {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })
        .solve(&STAIR, 9_999)
        .err()
}

#[test]
fn cancelling_in_every_phase() {
    let seen: Vec<(Phase, usize)> = (0..)
        .map_while(|nth| match cancelled_at(nth) {
            Some(Error::Cancelled { phase, done }) => Some((phase, done)),
            None => None,
            Some(error) => panic!("{error}"),
        })
        .collect();
    for phase in [Phase::Exploring, Phase::Measuring, Phase::Solving] {
        for done in [4_096, 8_192, 10_000] {
            assert!(seen.contains(&(phase, done)), "{phase} {done}: {seen:?}");
        }
    }
    let text = Error::Cancelled {
        phase: Phase::Solving,
        done: 4_096,
    }
    .to_string();
    assert_eq!(text, "cancelled while solving, after 4096 states");
}

/// Exploring goes down before it comes up, in an endless game for ever.
#[test]
fn an_endless_game_can_be_cancelled_on_the_way_down() {
    struct Endless;
    impl Game for Endless {
        type State = u64;
        type Action = ();
        fn expand(&self, &n: &u64, node: &mut Node<Self>) {
            node.chance().to(n + 1, 1);
        }
    }
    let stop = Solver::float().observe(|_| ControlFlow::Break(()));
    let cancelled = Error::Cancelled {
        phase: Phase::Exploring,
        done: 4_096,
    };
    assert_eq!(stop.solve(&Endless, 0).err(), Some(cancelled));
}

/// Scores over 3,000 unrelated denominators: an end in seconds, not in hours.
#[test]
fn many_unrelated_score_denominators() {
    struct Fan;
    impl Game for Fan {
        type State = u32;
        type Action = ();
        fn expand(&self, &n: &u32, node: &mut Node<Self>) {
            if n > 0 {
                return node.end((1, i64::MAX - i64::from(n)));
            }
            let mut chance = node.chance();
            for end in 1..=3_000 {
                chance.to(end, 1);
            }
        }
    }
    let solution = Solver::exact().solve(&Fan, 0).unwrap();
    let last = solution.value_of(&3_000).unwrap();
    assert_eq!(last, BigRational::new(1.into(), (i64::MAX - 3_000).into()));
    let refused = Solver::exact().max_bytes(1_000_000).solve(&Fan, 0).err();
    assert!(matches!(refused, Some(Error::TooMuchMemory { .. })));
}

#[test]
fn a_million_states_in_a_row() {
    let last = 999_999;
    let exact = Solver::exact().solve(&STAIR, last).unwrap();
    assert_eq!(
        (exact.len(), exact.value().to_string()),
        (1_000_000, "7".to_owned())
    );
    let forecast = exact.forecast().unwrap();
    assert_eq!(forecast.chance(&0).unwrap().to_string(), "1");
    let count = forecast.count(|_| true).unwrap();
    assert_eq!(count.p(&last).to_string(), "1");
    drop(forecast);
    let boxed = Solver::float().solve_indexed(&STAIR, last).unwrap();
    assert_eq!(boxed.value(), 7.0);
    let played = Solver::float().evaluate(&STAIR, &boxed, last).unwrap();
    assert_eq!(played.value(), 7.0);
}

#[test]
fn many_choices() {
    fn node(choices: u64) -> impl Fn(&mut Node<Rules>) {
        move |node| {
            for n in 1..=choices {
                node.choice("some").to(n % 9 + 1, 1);
            }
        }
    }
    let most: Expand = |state, page| match state {
        0 => node(65_535)(page),
        _ => page.end(state),
    };
    let game = Rules::new(0, most);
    let solution = Solver::exact().solve(&game, 0).unwrap();
    assert_eq!(solution.value().to_string(), "9");
    assert_eq!(solution.choices(&0).unwrap().len(), 65_535);
    let more: Expand = |state, page| match state {
        0 => node(65_536)(page),
        _ => page.end(state),
    };
    let error = Solver::exact().solve(&Rules::new(0, more), 0).err();
    let state = "0".to_owned();
    assert_eq!(
        error,
        Some(Error::TooManyChoices {
            state,
            choices: 65_536
        })
    );
}

#[test]
fn many_outcomes() {
    let game = Rules::new(0, |state, node| match state {
        0 => {
            let mut chance = node.chance();
            for n in 0..1_000_000 {
                chance.to(n % 1_000 + 1, 1 + n % 2);
            }
        }
        _ => node.end(state),
    });
    let solution = Solver::exact().solve(&game, 0).unwrap();
    // Odd n weigh 2 and lead to even states: (2 * 501 + 500) / 3.
    assert_eq!(solution.value().to_string(), "1502/3");
}

/// Both passes between the two solves of `certify` tell where they are.
#[test]
fn certify_is_heard_while_it_narrows() {
    let mut told = Vec::new();
    let solver = Solver::certified().observe(|progress| {
        if progress.phase == Phase::Narrowing {
            assert_eq!(progress.total, Some(10_001));
            told.push(progress.done);
        }
        ControlFlow::Continue(())
    });
    assert!(solver.certify(&STAIR, 10_000).is_ok());
    let once = [4096, 8192, 10_001];
    assert_eq!(told, [once, once].concat());
    let solver = Solver::certified().observe(|progress| match progress.phase {
        Phase::Narrowing => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    assert_eq!(
        solver.certify_indexed(&STAIR, 10_000).err(),
        Some(Error::Cancelled {
            phase: Phase::Narrowing,
            done: 4096
        })
    );
}
