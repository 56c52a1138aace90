//! Tables: the values of the benchmark model, every error with its position, and agreement with
//! every other way of solving.

use crate::layered::Layered;
use num_traits::ToPrimitive;
use oddsmith_mdp::{Csr, Error, Generated, Phase, Score, Solver, Table};
use std::ops::ControlFlow;

/// Values of the family of layered models, computed independently.
#[test]
fn layered_models_have_their_values() {
    for (states, value) in [
        (10_000, 0.732_566_283_599_043_7),
        (100_000, 0.763_174_321_163_306_7),
    ] {
        let model = Layered::new(states, 100, 1);
        let near = |found: f64| assert!((found - value).abs() < 1e-13, "{states}: {found}");
        let table = model.table().unwrap();
        let generated = model.generated().unwrap();
        let exact = Solver::exact().solve_table(&table, 0).unwrap();
        near(exact.value().to_f64().unwrap());
        near(Solver::float().solve_table(&table, 0).unwrap().value());
        near(Solver::float().solve_table(&generated, 0).unwrap().value());
        near(
            Solver::float()
                .solve(&model, model.start())
                .unwrap()
                .value(),
        );
        let certified = Solver::certified().certify_table(&table, 0).unwrap();
        assert_eq!(certified.value(), exact.value());
        assert!(certified.settled() > 0 && certified.len() < table.len());
        // Generated rows, and hashed states, give the same fractions.
        if states == 10_000 {
            let again = Solver::exact().solve_table(&generated, 0).unwrap();
            assert!(again.states().eq(exact.states()));
            let hashed = Solver::exact().solve(&model, model.start()).unwrap();
            assert_eq!(hashed.value(), exact.value());
            let enclosed = Solver::certified().solve_table(&generated, 0).unwrap();
            for (state, value) in exact.states() {
                let (lower, upper) = enclosed.enclosure(&state).unwrap();
                let bound = |x| Score::from(x).to_ratio().unwrap();
                assert!(bound(lower) <= value && value <= bound(upper));
            }
        }
    }
}

#[track_caller]
fn check(len: usize, write: impl Fn(usize, &mut oddsmith_mdp::TableRow<'_>), expected: &Error) {
    assert_eq!(Table::from_fn(len, &write).err().as_ref(), Some(expected));
    let generated = Generated::falling(len, &write).unwrap();
    let error = Solver::exact().solve_table(&generated, 0).err();
    assert_eq!(error.as_ref(), Some(expected));
    assert!(!expected.to_string().is_empty());
}

#[test]
fn every_mistake_has_its_place() {
    let state = |state: usize| state.to_string();
    check(
        3,
        |s, row| {
            if s != 1 {
                row.end(0)
            }
        },
        &Error::DeadEnd { state: state(1) },
    );
    check(
        3,
        |s, row| row.end(if s == 1 { f64::NAN } else { 0.0 }),
        &Error::BadScore { state: state(1) },
    );
    let at_one = |what| Error::Malformed {
        state: "1".into(),
        what,
    };
    check(
        2,
        |s, row| {
            row.end(0);
            if s == 1 {
                row.end(0);
            }
        },
        &at_one("it ends twice"),
    );
    check(
        2,
        |s, row| {
            row.end(0);
            if s == 1 {
                row.choice().to(0, 1);
            }
        },
        &at_one("it ends and has choices"),
    );
    check(
        2,
        |s, row| match s {
            0 => row.end(0),
            _ => {
                row.to(0, 1).choice().to(0, 1);
            }
        },
        &at_one("an outcome comes before the first choice"),
    );
    check(
        2,
        |s, row| match s {
            0 => row.end(0),
            _ => {
                row.choice_of(&[0], &[1, 2]);
            }
        },
        &at_one("a choice needs as many weights as outcomes"),
    );
    for empty in [0, 1] {
        check(
            2,
            |s, row| match s {
                0 => row.end(0),
                _ => {
                    for choice in 0..2 {
                        row.choice();
                        if choice == empty {
                            row.to(0, 0);
                        } else {
                            row.to(0, 3);
                        }
                    }
                }
            },
            &Error::NoOutcome {
                state: state(1),
                action: empty.to_string(),
            },
        );
    }
    for target in [2, usize::MAX] {
        check(
            2,
            |s, row| match s {
                0 => row.end(0),
                _ => {
                    row.choice().to(0, 1);
                    row.choice().to(0, 1).to(target, 1);
                }
            },
            &Error::UnknownIndex {
                state: 1,
                choice: 1,
                target,
                states: 2,
            },
        );
    }
    check(
        2,
        |s, row| match s {
            0 => row.end(0),
            _ => {
                row.choice().to(0, u64::MAX).to(0, 1);
            }
        },
        &Error::WeightOverflow {
            state: state(1),
            action: state(0),
        },
    );
    check(
        2,
        |s, row| match s {
            0 => row.end(0),
            _ => {
                row.choice().to(1, 5);
            }
        },
        &Error::NeverEnds { state: state(1) },
    );
    check(
        2,
        |s, row| match s {
            0 => row.end(0),
            _ => {
                for _ in 0..65_536 {
                    row.choice().to(0, 5);
                }
            }
        },
        &Error::TooManyChoices {
            state: state(1),
            choices: 65_536,
        },
    );
}

#[test]
fn rows_that_lead_the_wrong_way() {
    let write = |state: usize, row: &mut oddsmith_mdp::TableRow<'_>| match state {
        0 | 4 => row.end(state),
        _ => {
            row.choice().to(0, 1).to(4, 1).to(state, 6);
        }
    };
    let wrong = |successor, wanted| {
        Some(Error::OutOfOrder {
            state: 1,
            successor,
            wanted,
        })
    };
    let falling = Generated::falling(5, write).unwrap();
    assert_eq!(
        Solver::float().solve_table(&falling, 0).err(),
        wrong(4, "lower")
    );
    let rising = Generated::rising(5, write).unwrap();
    let error = Solver::float().solve_table(&rising, 0).err();
    assert_eq!(
        error,
        Some(Error::OutOfOrder {
            state: 3,
            successor: 0,
            wanted: "higher"
        })
    );
    // A table finds its own order.
    let table = Table::from_fn(5, write).unwrap();
    let solution = Solver::exact().solve_table(&table, 2).unwrap();
    assert_eq!(solution.value().to_string(), "2");
}

#[test]
fn a_cycle_is_shown() {
    let table = Table::from_fn(4, |state, row| match state {
        0 => row.end(0),
        _ => {
            row.choice().to(0, 1).to(state % 3 + 1, 1);
        }
    })
    .unwrap();
    let path = ["1", "2", "3", "1"].map(String::from).to_vec();
    assert_eq!(
        Solver::exact().solve_table(&table, 1).err(),
        Some(Error::Cycle { path })
    );
}

#[test]
fn limits_and_cancelling() {
    let stair = Table::from_fn(10_000, |step, row| match step {
        0 => row.end(1),
        _ => {
            row.choice().to(step - 1, 1).to(0, 2);
        }
    })
    .unwrap();
    let few = Solver::float()
        .max_states(9_999)
        .solve_table(&stair, 5)
        .err();
    assert_eq!(few, Some(Error::TooManyStates { limit: 9_999 }));
    let short = Solver::exact()
        .max_bytes(1_000_000)
        .solve_table(&stair, 5)
        .err();
    assert!(matches!(
        short,
        Some(Error::TooMuchMemory { states: 10_000, .. })
    ));
    let unknown = Solver::float().solve_table(&stair, 10_000).err();
    assert_eq!(
        unknown,
        Some(Error::UnknownState {
            state: "10000".into()
        })
    );
    let mut calls = 0;
    let stopped = Solver::certified()
        .observe(|_| {
            calls += 1;
            if calls == 2 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
        .certify_table(&stair, 9_999)
        .err();
    assert_eq!(
        stopped,
        Some(Error::Cancelled {
            phase: Phase::Solving,
            done: 8_192
        })
    );
    let error = Generated::rising(usize::MAX, |_, row| row.end(0)).err();
    assert_eq!(
        error.map(|error| error.to_string()).as_deref(),
        Some(
            "the states of the game exceed the limit of 4294967295, the most that can be numbered"
        )
    );
}

#[test]
fn arrays_that_fit() {
    let table = Table::from_csr(Csr {
        choices: &[0, 0, 0, 2, 3],
        outcomes: &[0, 2, 4, 7],
        targets: &[0, 1, 1, 2, 2, 0, 2],
        weights: &[1, 1, 3, 5, 1, 0, 1],
        ends: &[(0, Score::from((1, 3))), (1, Score::from(-2))],
    })
    .unwrap();
    assert_eq!((table.len(), table.choices(), table.outcomes()), (4, 3, 4));
    let solution = Solver::exact().solve_table(&table, 3).unwrap();
    assert_eq!(solution.value().to_string(), "-5/6");
    let choices = solution.choices(&2).unwrap();
    // The second stays with probability 5/8 and then leaves to −2.
    assert_eq!(choices[1].value.to_string(), "-2");
}

#[track_caller]
fn check_arrays(csr: Csr<'_, i64>, what: &str) {
    let what = what.to_owned();
    assert_eq!(Table::from_csr(csr).err(), Some(Error::BadTable { what }));
}

#[test]
fn arrays_that_do_not_fit() {
    let good = Csr {
        choices: &[0, 1, 1],
        outcomes: &[0, 1],
        targets: &[1],
        weights: &[1],
        ends: &[(1, 0)],
    };
    assert!(Table::from_csr(good).is_ok());
    check_arrays(
        Csr {
            choices: &[],
            ..good
        },
        "`choices` must contain at least a 0, got nothing",
    );
    check_arrays(
        Csr {
            choices: &[1, 1],
            ..good
        },
        "`choices` must begin with 0, got 1",
    );
    check_arrays(
        Csr {
            choices: &[0, 1, 2],
            ..good
        },
        "`choices` must end with 1 (one more than choices), got 2",
    );
    check_arrays(
        Csr {
            outcomes: &[0, 2],
            ..good
        },
        "`outcomes` must end with 1 (the number of targets), got 2",
    );
    check_arrays(
        Csr {
            choices: &[0, 2, 1],
            ..good
        },
        "`choices` must ascend, got 2 and then 1 at place 2",
    );
    check_arrays(
        Csr {
            weights: &[],
            ..good
        },
        "there are 1 targets and 0 weights",
    );
    check_arrays(
        Csr {
            ends: &[(1, 0), (1, 2)],
            ..good
        },
        "the ends are not ascending: state 1 comes before state 1",
    );
    check_arrays(
        Csr {
            ends: &[(2, 0)],
            ..good
        },
        "there is no state 2 to end; there are 2 states, counted from 0",
    );
    let both = Csr {
        ends: &[(0, 0), (1, 0)],
        ..good
    };
    let what = "it ends and has choices";
    let state = "0".to_owned();
    assert_eq!(
        Table::from_csr(both).err(),
        Some(Error::Malformed { state, what })
    );
    let dead = Csr { ends: &[], ..good };
    assert_eq!(
        Table::from_csr(dead).err(),
        Some(Error::DeadEnd { state: "1".into() })
    );
}

/// Regression test: all states were read and stored before the error that their values do not fit.
#[test]
fn tables_too_long_for_memory_are_refused_before_they_are_read() {
    let read = std::cell::Cell::new(0_u32);
    let long = Generated::falling(200_000_000, |state, row| {
        read.set(read.get() + 1);
        match state {
            0 | 1 => row.end(state),
            _ => {
                row.choice().to(state - 1, 1);
            }
        }
    })
    .unwrap();
    let solver = Solver::exact().max_states(usize::MAX).max_bytes(1_000);
    let error = solver.solve_table(&long, 199_999_999).err();
    assert!(matches!(
        error,
        Some(Error::TooMuchMemory {
            needed: 1_600_000_000,
            limit: 1_000,
            ..
        })
    ));
    assert_eq!(read.get(), 0);
}

/// Regression test: such a state was said to be a dead end.
#[test]
fn states_that_are_not_in_the_table() {
    let write = |state: usize, row: &mut oddsmith_mdp::TableRow<'_>| row.end(state);
    let unknown = Some(Error::UnknownState { state: "7".into() });
    let table = Table::from_fn(2, write).unwrap();
    assert_eq!(Solver::exact().solve(&table, 7).err(), unknown);
    assert_eq!(Solver::exact().solve_table(&table, 7).err(), unknown);
    let generated = Generated::rising(2, write).unwrap();
    assert_eq!(Solver::exact().solve(&generated, 7).err(), unknown);
}
