//! Every way of being wrong ends in the error that says so: no panic, no
//! endless loop, no number that means nothing.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cell::Cell;
use std::ops::{ControlFlow, RangeInclusive};

use num_bigint::BigInt;
use num_rational::BigRational;
use oddsmith_mdp::{
    AtRandom, Error, Game, Grid, Indexed, Node, Phase, Policy, Score, Solver, Tolerance,
};

type Expand = fn(u64, &mut Node<Rules>);

/// A game on the numbers 0..`size`, given by a function.
struct Rules {
    size: usize,
    expand: Expand,
}

impl Rules {
    fn new(size: usize, expand: Expand) -> Self {
        Rules { size, expand }
    }
}

impl Game for Rules {
    type State = u64;
    type Action = &'static str;

    fn expand(&self, &state: &u64, node: &mut Node<Self>) {
        (self.expand)(state, node);
    }
}

impl Indexed for Rules {
    fn size(&self) -> usize {
        self.size
    }

    fn index(&self, &state: &u64) -> usize {
        state as usize
    }

    fn state(&self, index: usize) -> u64 {
        index as u64
    }
}

/// Every way of solving from `start` ends in this error.
#[track_caller]
fn check(expand: Expand, start: u64, expected: &Error) {
    let game = Rules::new(start as usize + 1, expand);
    let errors = [
        Solver::exact().solve(&game, start).err(),
        Solver::float().solve(&game, start).err(),
        Solver::exact().solve_indexed(&game, start).err(),
        Solver::float().solve_indexed(&game, start).err(),
        Solver::exact().evaluate(&game, AtRandom, start).err(),
        Solver::float()
            .evaluate_indexed(&game, AtRandom, start)
            .err(),
    ];
    for error in errors {
        assert_eq!(error.as_ref(), Some(expected));
        assert!(!expected.to_string().is_empty());
    }
}

#[track_caller]
fn check_malformed(expand: Expand, what: &'static str) {
    let state = "1".to_owned();
    check(expand, 1, &Error::Malformed { state, what });
}

#[test]
fn pages_that_say_nothing_or_too_much() {
    let dead_end = Error::DeadEnd { state: "1".into() };
    check(
        |state, node| {
            if state == 0 {
                node.end(0)
            }
        },
        1,
        &dead_end,
    );
    check_malformed(
        |state, node| {
            node.end(1);
            if state == 1 {
                node.end(1);
            }
        },
        "it ends twice",
    );
    check_malformed(
        |state, node| {
            if state == 1 {
                node.choice("a").to(0, 1);
            }
            node.end(1);
        },
        "it ends and has choices",
    );
    check_malformed(
        |state, node| {
            node.end(1);
            if state == 1 {
                node.chance().to(0, 1);
            }
        },
        "it ends and has choices",
    );
    let both: [Expand; 3] = [
        |_, node| {
            node.choice("a").to(0, 1);
            node.chance().to(0, 1);
        },
        |_, node| {
            node.chance().to(0, 1);
            node.choice("a").to(0, 1);
        },
        |_, node| {
            node.chance().to(0, 1);
            node.chance().to(0, 1);
        },
    ];
    for expand in both {
        let state = "0".to_owned();
        let what = "it is left to chance and has other choices";
        check(expand, 0, &Error::Malformed { state, what });
    }
}

#[test]
fn choices_without_outcomes() {
    let empty = Error::NoOutcome {
        state: "1".into(),
        action: "\"b\"".into(),
    };
    check(
        |state, node| match state {
            0 => node.end(0),
            _ => {
                node.choice("a").to(0, 1);
                node.choice("b");
            }
        },
        1,
        &empty,
    );
    check(
        |state, node| match state {
            0 => node.end(0),
            _ => {
                node.choice("b").to(0, 0).to(1, 0);
                node.choice("a").to(0, 1);
            }
        },
        1,
        &empty,
    );
    let chance = Error::NoOutcome {
        state: "0".into(),
        action: "chance".into(),
    };
    check(
        |_, node| {
            node.chance().to(9, 0);
        },
        0,
        &chance,
    );
}

#[test]
fn weights_that_overflow() {
    let overflow = Error::WeightOverflow {
        state: "1".into(),
        action: "\"b\"".into(),
    };
    check(
        |state, node| match state {
            0 => node.end(0),
            _ => {
                node.choice("a").to(0, u64::MAX);
                node.choice("b").to(0, u64::MAX).to(1, 1);
                node.choice("c").to(0, u64::MAX);
            }
        },
        1,
        &overflow,
    );
}

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
fn scores_that_are_no_numbers() {
    let bad: [Expand; 6] = [
        |_, node| node.end((1, 0)),
        |_, node| node.end((0, 0)),
        |_, node| node.end(f64::NAN),
        |_, node| node.end(f64::INFINITY),
        |_, node| node.end(f64::NEG_INFINITY),
        // Even one made by force.
        |_, node| node.end(BigRational::new_raw(1.into(), 0.into())),
    ];
    for expand in bad {
        check(expand, 0, &Error::BadScore { state: "0".into() });
    }
}

#[test]
fn unusual_scores_are_read_exactly() {
    let scores: [(Expand, &str); 9] = [
        (
            |_, node| node.end(BigRational::new_raw(2.into(), (-4).into())),
            "-1/2",
        ),
        (|_, node| node.end(-0.0), "0"),
        (
            |_, node| node.end(0.1),
            "3602879701896397/36028797018963968",
        ),
        (|_, node| node.end((i64::MIN, -1)), "9223372036854775808"),
        (|_, node| node.end((i64::MIN, i64::MIN)), "1"),
        (|_, node| node.end(i64::MIN), "-9223372036854775808"),
        (
            |_, node| node.end(u128::MAX),
            "340282366920938463463374607431768211455",
        ),
        (
            |_, node| node.end(i128::MIN),
            "-170141183460469231731687303715884105728",
        ),
        (|_, node| node.end((1, i64::MIN)), "-1/9223372036854775808"),
    ];
    for (expand, text) in scores {
        let game = Rules::new(1, expand);
        assert_eq!(
            Solver::exact().solve(&game, 0).unwrap().value().to_string(),
            text
        );
        let float = Solver::float().solve(&game, 0).unwrap();
        let exact = Solver::exact().solve(&game, 0).unwrap().value();
        assert_eq!(Score::from(exact).to_f64(), float.value());
    }
}

#[test]
fn scores_beyond_floats() {
    let game = Rules::new(3, |state, node| match state {
        0 => node.end(1e300),
        1 => node.end(-1e300),
        _ => {
            node.chance().to(0, 1 << 63).to(1, (1 << 63) - 1);
        }
    });
    let beyond = Error::ScoreBeyondFloat { state: "0".into() };
    assert_eq!(Solver::float().solve(&game, 2).err(), Some(beyond.clone()));
    assert_eq!(Solver::float().solve_indexed(&game, 2).err(), Some(beyond));
    let exact = Solver::exact().solve(&game, 2).unwrap();
    assert_eq!(
        exact.value(),
        exact.value_of(&0).unwrap() / BigInt::from(u64::MAX)
    );
    // The largest score that is taken cannot overflow a sum.
    let game = Rules::new(2, |state, node| match state {
        0 => node.end(f64::from_bits((1023 + 959) << 52)),
        _ => {
            node.chance().to(0, u64::MAX - 1).to(1, 1);
        }
    });
    let value = Solver::float().solve(&game, 1).unwrap().value();
    assert_eq!(value, f64::from_bits((1023 + 959) << 52));
}

#[test]
fn states_that_never_end() {
    let never = Error::NeverEnds { state: "1".into() };
    check(
        |state, node| match state {
            0 => node.end(0),
            _ => {
                node.choice("wait").to(1, 1);
                node.choice("rest").to(1, 2).to(0, 0);
            }
        },
        1,
        &never,
    );
    check(
        |state, node| match state {
            0 => node.end(0),
            _ => {
                node.chance().to(1, 5);
            }
        },
        1,
        &never,
    );
    // A policy may stay for ever where the game need not.
    let game = Rules::new(2, |state, node| match state {
        0 => node.end(3),
        _ => {
            node.choice("wait").to(1, 1);
            node.choice("go").to(0, 1);
        }
    });
    let solution = Solver::exact().solve(&game, 1).unwrap();
    assert_eq!(solution.value().to_string(), "3");
    assert_eq!(solution.best(&1).unwrap(), ["go"]);
    let wait = |_: &u64, _: &[&'static str]| 0;
    assert_eq!(Solver::exact().evaluate(&game, wait, 1).err(), Some(never));
    let mixed = Solver::exact().evaluate(&game, AtRandom, 1).unwrap();
    assert_eq!(mixed.value().to_string(), "3");
    assert_eq!(
        mixed
            .forecast()
            .unwrap()
            .expected_count(|_| true)
            .unwrap()
            .to_string(),
        "2"
    );
}

#[track_caller]
fn check_cycle(expand: Expand, start: u64, path: &[&str]) {
    let game = Rules::new(0, expand);
    let path = path.iter().map(|&state| state.to_owned()).collect();
    let expected = Some(Error::Cycle { path });
    assert_eq!(Solver::exact().solve(&game, start).err(), expected);
    assert_eq!(Solver::float().solve(&game, start).err(), expected);
}

#[test]
fn cycles_show_their_path() {
    let two: Expand = |state, node| match state {
        9 => node.end(0),
        _ => {
            node.choice("on").to(1 - state, 1).to(9, 1);
        }
    };
    check_cycle(two, 0, &["0", "1", "0"]);
    // Entered from outside: the way in is not part of it.
    check_cycle(
        |state, node| {
            node.chance().to(if state == 5 { 2 } else { state + 1 }, 1);
        },
        0,
        &["2", "3", "4", "5", "2"],
    );
    // Self-loops on the way are no cycles and not in the path.
    check_cycle(
        |state, node| {
            node.chance().to(state, 1).to((state + 1) % 3, 1);
        },
        0,
        &["0", "1", "2", "0"],
    );
    assert_eq!(
        Error::Cycle {
            path: vec!["0".into(), "1".into(), "0".into()]
        }
        .to_string(),
        "the game is cyclic: 0 -> 1 -> 0"
    );
    // A long one: found without recursion.
    let ring = Rules::new(0, |state, node| {
        node.chance().to((state + 1) % 200_000, 1);
    });
    match Solver::float().solve(&ring, 7).err() {
        Some(Error::Cycle { path }) => {
            assert_eq!(path.len(), 200_001);
            assert_eq!((path[0].as_str(), path[200_000].as_str()), ("7", "7"));
        }
        other => panic!("{other:?}"),
    }
    // Many ways to one state are no cycle.
    let diamond = Rules::new(0, |state, node| match state {
        0 => node.end(1),
        1 | 2 => {
            node.chance().to(0, 1);
        }
        _ => {
            node.choice("a").to(1, 1).to(2, 1);
            node.choice("b").to(2, 1).to(1, 1).to(0, 1);
        }
    });
    assert_eq!(
        Solver::exact()
            .solve(&diamond, 3)
            .unwrap()
            .value()
            .to_string(),
        "1"
    );
}

/// A million steps down.
static STAIR: Rules = Rules {
    size: 1_000_000,
    expand: |state, node| match state {
        0 => node.end(7),
        _ => {
            node.choice("down").to(state - 1, 3);
        }
    },
};

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

#[test]
fn states_that_were_not_met() {
    let solution = Solver::exact().solve(&STAIR, 20).unwrap();
    let unknown = Error::UnknownState { state: "21".into() };
    assert_eq!(solution.value_of(&21).err(), Some(unknown.clone()));
    assert_eq!(solution.error(&21).err(), Some(unknown.clone()));
    assert_eq!(solution.choices(&21).err(), Some(unknown.clone()));
    assert_eq!(solution.best(&21).err(), Some(unknown.clone()));
    assert_eq!(solution.decision(&21).err(), Some(unknown.clone()));
    assert_eq!(solution.explain(&21).err(), Some(unknown.clone()));
    assert_eq!(
        solution.forecast().unwrap().chance(&21).err(),
        Some(unknown)
    );
    // As a policy, a solution decides nothing in states that it did not meet.
    let undecided = Some(Error::NoDecision { state: "21".into() });
    assert_eq!(
        Solver::exact().evaluate(&STAIR, &solution, 21).err(),
        undecided
    );
}

#[test]
fn boxes_that_break_their_promises() {
    let small = Rules::new(5, |state, node| match state {
        0 | 9 => node.end(state),
        3 => {
            node.choice("out").to(9, 1);
        }
        _ => {
            node.choice("down").to(state - 1, 1);
        }
    });
    // Outside the box is no lower number.
    let out = Error::NotBackward {
        state: "3".into(),
        index: 3,
        successor: "9".into(),
        successor_index: 9,
    };
    assert_eq!(
        Solver::exact().solve_indexed(&small, 4).err(),
        Some(out.clone())
    );
    assert_eq!(Solver::float().solve_indexed(&small, 0).err(), Some(out));
    for start in [5, 9, u64::MAX] {
        let outside = Error::UnknownState {
            state: start.to_string(),
        };
        assert_eq!(
            Solver::exact().solve_indexed(&small, start).err(),
            Some(outside)
        );
    }
    let empty = Rules::new(0, |_, node| node.end(0));
    let outside = Error::UnknownState { state: "0".into() };
    assert_eq!(
        Solver::exact().solve_indexed(&empty, 0).err(),
        Some(outside)
    );
}

/// A box in which two states share a number.
struct Doubled;

impl Game for Doubled {
    type State = usize;
    type Action = ();

    fn expand(&self, _: &usize, node: &mut Node<Self>) {
        node.end(1);
    }
}

impl Indexed for Doubled {
    fn size(&self) -> usize {
        4
    }

    fn index(&self, &state: &usize) -> usize {
        state / 2
    }

    fn state(&self, index: usize) -> usize {
        index
    }
}

#[test]
fn an_index_must_lead_back() {
    let mismatch = Error::IndexMismatch {
        index: 1,
        state: "1".into(),
        back: 0,
    };
    assert_eq!(
        Solver::exact().solve_indexed(&Doubled, 0).err(),
        Some(mismatch.clone())
    );
    assert_eq!(
        Solver::float().solve_indexed(&Doubled, 0).err(),
        Some(mismatch)
    );
}

#[test]
fn grids() {
    let (empty, whole) = (RangeInclusive::new(3, 2), i64::MIN..=i64::MAX);
    let bad = |axis, range| Some(Error::BadGrid { axis, range });
    assert_eq!(Grid::new([0..=1, empty.clone()]).err(), bad(1, empty));
    assert_eq!(Grid::new([whole.clone()]).err(), bad(0, whole));
    let half = i64::MIN..=-1;
    assert_eq!(Grid::new([half.clone(), 0..=1]).err(), bad(1, 0..=1));
    let grid = Grid::new([half]).unwrap();
    assert_eq!(grid.len(), 1 << 63);
    assert_eq!(grid.index([-1]), Some((1 << 63) - 1));
    assert_eq!(grid.index([0]), None);
    assert_eq!(grid.point(usize::MAX), [-1]);
    let grid = Grid::new([5..=7, -2..=2]).unwrap();
    for index in 0..grid.len() {
        assert_eq!(grid.index(grid.point(index)), Some(index));
    }
    for outside in [[4, 0], [8, 0], [5, 3], [5, -3], [i64::MIN, i64::MAX]] {
        assert_eq!(grid.index(outside), None, "{outside:?}");
    }
    let point = Grid::new([]).unwrap();
    assert_eq!(
        (point.len(), point.index([]), point.point(3)),
        (1, Some(0), [])
    );
}

/// Weights as given, in every state.
struct Weights(&'static [u64]);

impl Policy<Rules> for Weights {
    fn weigh(&self, _: &u64, _: &[&'static str], weights: &mut [u64]) {
        for (to, from) in weights.iter_mut().zip(self.0) {
            *to = *from;
        }
    }
}

#[test]
fn policies_that_do_not_decide() {
    let game = Rules::new(3, |state, node| match state {
        0 | 1 => node.end(state),
        _ => {
            node.choice("a").to(0, (1 << 32) + 1);
            node.choice("b").to(1, (1 << 32) - 1).to(0, 1);
        }
    });
    let undecided = Some(Error::NoDecision { state: "2".into() });
    for number in [2, usize::MAX] {
        let beyond = move |_: &u64, _: &[&'static str]| number;
        assert_eq!(Solver::exact().evaluate(&game, beyond, 2).err(), undecided);
        assert_eq!(
            Solver::float().evaluate_indexed(&game, beyond, 2).err(),
            undecided
        );
    }
    let bad: [&[u64]; 5] = [
        &[],
        &[0, 0],
        &[u64::MAX, 1],
        &[1, u64::MAX],
        // 3 * (2^32 + 1) * 2^32 needs 66 bits.
        &[1, 2],
    ];
    for weights in bad {
        let error = Solver::exact().evaluate(&game, Weights(weights), 2).err();
        assert_eq!(error, undecided, "{weights:?}");
    }
    // A common factor is no difficulty, nor is a huge weight on one action.
    for (weights, value) in [
        (&[u64::MAX, 0] as &[u64], "0"),
        (&[0, u64::MAX], "4294967295/4294967296"),
    ] {
        let played = Solver::exact()
            .evaluate(&game, Weights(weights), 2)
            .unwrap();
        assert_eq!(played.value().to_string(), value);
    }
    let even = Rules::new(3, |state, node| match state {
        0 | 1 => node.end(state),
        _ => {
            node.choice("a").to(0, 1);
            node.choice("b").to(1, 1);
        }
    });
    let half = Solver::exact()
        .evaluate(&even, Weights(&[u64::MAX, u64::MAX]), 2)
        .unwrap();
    assert_eq!(half.value().to_string(), "1/2");
}

#[test]
fn tolerances() {
    const END: u64 = 1 << 63;
    for (numerator, denominator) in [(0, 0), (1, 0), (END, 1), (1, END), (u64::MAX, u64::MAX)] {
        let bad = Some(Error::BadTolerance {
            numerator,
            denominator,
        });
        assert_eq!(Tolerance::relative(numerator, denominator).err(), bad);
        assert_eq!(Tolerance::absolute(numerator, denominator).err(), bad);
    }
    let largest = Tolerance::relative(END - 1, END - 1).unwrap();
    // Must double, and does not quite.
    let game = Rules::new(3, |state, node| match state {
        0 => node.end((1, 3)),
        1 => node.end((2, 3)),
        _ => {
            node.choice("a").to(0, 1);
            node.choice("b").to(1, 1);
        }
    });
    let solution = Solver::exact().tolerance(largest).solve(&game, 2).unwrap();
    assert_eq!(solution.decision(&2).unwrap(), Some("a"));
    // The tolerance changes the decision and the value, not what is optimal.
    assert_eq!(solution.value().to_string(), "1/3");
    assert_eq!(solution.best(&2).unwrap(), ["b"]);
    let zero = Tolerance::relative(0, END - 1).unwrap();
    let solution = Solver::exact().tolerance(zero).solve(&game, 2).unwrap();
    assert_eq!(solution.decision(&2).unwrap(), Some("b"));
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

/// A game that breaks the one rule: it answers differently every time.
struct Fickle {
    calls: Cell<u64>,
    from: u64,
    size: usize,
}

impl Game for Fickle {
    type State = usize;
    type Action = u64;

    fn expand(&self, &state: &usize, node: &mut Node<Self>) {
        let calls = self.calls.get() + 1;
        self.calls.set(calls);
        let random = (calls + self.from)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(23);
        if state == 0 || state >= 40 || random.is_multiple_of(7) {
            let score = (random % 2_000_001) as i64 - 1_000_000;
            return node.end((score, 1 + (random >> 40) as i64 % 30));
        }
        for choice in 0..1 + random % 3 {
            let mut to = node.choice(choice);
            for outcome in 0..1 + (random >> 8) % 4 {
                let successor = (random >> (outcome * 5)) as usize % state;
                to.to(successor, 1 + (random >> (outcome * 7 + choice)) % 97);
            }
        }
    }
}

impl Indexed for Fickle {
    fn size(&self) -> usize {
        self.size
    }

    fn index(&self, &state: &usize) -> usize {
        state
    }

    fn state(&self, index: usize) -> usize {
        index
    }
}

/// Asks everything there is to ask; the answers mean nothing.
macro_rules! ask {
    ($solution:expr) => {
        if let Ok(solution) = $solution {
            let _ = format!("{solution:?}");
            for state in 0..41 {
                let _ = solution.value_of(&state);
                let _ = solution.choices(&state);
                let _ = solution.best(&state);
                let _ = solution.decision(&state);
                let _ = solution.explain(&state).map(|why| why.to_string());
            }
            if let Ok(forecast) = solution.forecast() {
                let _ = format!("{forecast:?}");
                let _ = forecast.ends();
                let _ = forecast.count(|_| true);
                let _ = forecast.lengths(3, |state| state % 2 == 0);
                let _ = forecast.expected_count(|_| true);
                let _ = forecast.chance(&0);
            }
        }
    };
}

#[test]
fn a_fickle_game_does_not_panic() {
    for from in 0..300 {
        let calls = Cell::new(0);
        let game = Fickle {
            calls,
            from,
            size: 40,
        };
        ask!(Solver::exact().solve(&game, 39));
        ask!(Solver::float().solve(&game, 39));
        ask!(Solver::exact().solve_indexed(&game, 39));
        ask!(Solver::float().solve_indexed(&game, 39));
        ask!(Solver::exact().evaluate(&game, AtRandom, 39));
        ask!(Solver::exact().evaluate_indexed(&game, AtRandom, 39));
        let absolute = Tolerance::absolute(1, 3).unwrap();
        ask!(Solver::exact().tolerance(absolute).solve_indexed(&game, 39));
    }
    // A box too large to be remembered is expanded several times.
    let inconsistent = (0..4).any(|from| {
        let calls = Cell::new(0);
        let game = Fickle {
            calls,
            from,
            size: (1 << 22) + 1,
        };
        let solution = Solver::exact().solve_indexed(&game, 39);
        matches!(solution, Err(Error::Inconsistent { .. }))
    });
    assert!(inconsistent);
}
