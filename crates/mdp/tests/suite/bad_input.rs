//! Every kind of invalid input gives the specific error: no panic, no endless loop, no meaningless
//! number.

use crate::rules::{Expand, Rules, STAIR};
use num_bigint::BigInt;
use num_rational::BigRational;
use oddsmith_mdp::{AtRandom, Error, Game, Grid, Indexed, Node, Policy, Score, Solver, Tolerance};
use std::ops::RangeInclusive;

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
fn scores_that_are_no_numbers() {
    let bad: [Expand; 6] = [
        |_, node| node.end((1, 0)),
        |_, node| node.end((0, 0)),
        |_, node| node.end(f64::NAN),
        |_, node| node.end(f64::INFINITY),
        |_, node| node.end(f64::NEG_INFINITY),
        // Not even one created by force.
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
    // The largest accepted score cannot overflow a sum.
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
    // A policy may stay for ever although the game need not.
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
    // A cycle entered from outside: the way in is not part of it.
    check_cycle(
        |state, node| {
            node.chance().to(if state == 5 { 2 } else { state + 1 }, 1);
        },
        0,
        &["2", "3", "4", "5", "2"],
    );
    // Self-loops on the way are not cycles and not part of the path.
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
        "the game has a cycle, to be allowed with `Solver::allow_cycles`: 0 -> 1 -> 0"
    );
    // A long cycle: found without recursion, and shortened in the message.
    let ring = Rules::new(0, |state, node| {
        node.chance().to((state + 1) % 200_000, 1);
    });
    match Solver::float().solve(&ring, 7).err() {
        Some(Error::Cycle { path }) => {
            let ends = [0, 19, 20, 21].map(|at| path[at].as_str());
            assert_eq!(ends, ["7", "26", "... (199980 more) ...", "7"]);
            assert_eq!(path.len(), 22);
        }
        other => panic!("{other:?}"),
    }
    // Several ways to one state are not a cycle.
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
    // As a policy, a solution makes no decision in states that it does not contain.
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
    let out = Error::OutsideBox {
        state: "3".into(),
        successor: "9".into(),
        successor_index: 9,
        size: 5,
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

/// These weights in every state.
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
    let bad: [&[u64]; 4] = [&[], &[0, 0], &[u64::MAX, 1], &[1, u64::MAX]];
    for weights in bad {
        let error = Solver::exact().evaluate(&game, Weights(weights), 2).err();
        assert_eq!(error, undecided, "{weights:?}");
    }
    // A common factor is fine, as is a huge weight on one action, or a mixture of more than 64
    // bits.
    for (weights, value) in [
        (&[1_u64, 2] as &[u64], "1431655765/2147483648"),
        (&[u64::MAX, 0], "0"),
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
    // It must double, and falls slightly short.
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
    // The tolerance changes the decision and the value, but not the optimal actions.
    assert_eq!(solution.value().to_string(), "1/3");
    assert_eq!(solution.best(&2).unwrap(), ["b"]);
    let zero = Tolerance::relative(0, END - 1).unwrap();
    let solution = Solver::exact().tolerance(zero).solve(&game, 2).unwrap();
    assert_eq!(solution.decision(&2).unwrap(), Some("b"));
}

/// The game's own reason is reported, whatever else it writes about the state, before or after.
#[test]
fn refusals_are_told_first() {
    let refused = |expand: Expand| {
        let game = Rules::new(0, expand);
        let error = Solver::float().solve(&game, 1).err();
        let why = "no rules for this".to_owned();
        let state = "1".to_owned();
        assert_eq!(error, Some(Error::Refused { state, why }));
    };
    refused(|_, node| {
        node.refuse("no rules for this");
        node.end(1);
        node.end(2);
    });
    refused(|_, node| {
        node.choice("on").to(2, u64::MAX).to(3, u64::MAX);
        node.end(1);
        node.refuse("no rules for this");
        node.refuse("nor for that");
    });
    refused(|_, node| {
        node.refuse("no rules for this");
        node.choice("on").to(2, u64::MAX).to(3, u64::MAX);
        node.chance().reward(f64::NAN);
    });
    refused(|_, node| {
        node.refuse("no rules for this");
        node.fail(Error::NoGames);
    });
}

/// Regression test: infinite iterators used up all memory.
#[test]
fn lists_without_an_end() {
    let strategy = oddsmith_mdp::Strategy::new(std::iter::repeat(0)).unwrap_err();
    let why = "its probabilities exceed the limit of 1000000";
    assert!(strategy.to_string().contains(why), "{strategy}");
    let pure = oddsmith_mdp::Strategy::pure(0, usize::MAX).unwrap_err();
    assert!(pure.to_string().contains(why), "{pure}");
    assert!(oddsmith_mdp::Strategy::pure(0, 1_000_001).is_err());
    let game = &STAIR;
    let objectives = std::iter::repeat_with(oddsmith_mdp::Objective::score);
    let solved = Solver::exact().lexicographic(game, 3, objectives);
    let refused = "the number of objectives";
    assert!(matches!(solved, Err(Error::BadParameter { parameter, .. }) if parameter == refused));
}
