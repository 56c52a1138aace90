//! Games with simultaneous decisions: invalid rules, states that return, extremes, limits.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::cell::Cell;
use std::ops::ControlFlow;

use crate::bets::{Bluff, Pennies, encloses, ratio};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;
use oddsmith_mdp::{Error, MatrixGame, Meeting, Phase, Simultaneous, Solver, Strategy};

/// The contents of a state, written by a closure.
type Rules<'r> = dyn Fn(u32, &mut Meeting<Written<'r>>) + 'r;

/// A game defined by a closure.
struct Written<'r>(Box<Rules<'r>>);

impl Simultaneous for Written<'_> {
    type State = u32;
    type Row = char;
    type Column = char;

    fn expand(&self, &state: &u32, meeting: &mut Meeting<Self>) {
        (self.0)(state, meeting);
    }
}

fn written<'r>(write: impl Fn(u32, &mut Meeting<Written<'r>>) + 'r) -> Written<'r> {
    Written(Box::new(write))
}

#[track_caller]
fn check(write: impl Fn(u32, &mut Meeting<Written<'static>>) + 'static, expected: Error) {
    let game = written(write);
    let exact = Solver::exact().solve_simultaneous(&game, 9).err();
    assert_eq!(exact, Some(expected.clone()));
    let float = Solver::float().solve_simultaneous(&game, 9).err();
    assert_eq!(float, Some(expected));
}

#[test]
fn bad_pages_are_refused() {
    let state = || "9".to_string();
    let malformed = |what| Error::Malformed {
        state: state(),
        what,
    };
    check(|_, _| {}, Error::DeadEnd { state: state() });
    check(
        |_, page| page.end(f64::NAN),
        Error::BadScore { state: state() },
    );
    check(
        |_, page| {
            page.end(1);
            page.end(2);
        },
        malformed("it ends twice"),
    );
    check(
        |_, page| {
            page.chance().to(1, 1);
            page.end(2);
        },
        malformed("it ends, and has cells"),
    );
    check(
        |_, page| {
            page.cell('a', 'x').to(1, 1);
            page.cell('b', 'y').to(1, 1);
        },
        Error::MissingCell {
            state: state(),
            cell: "('a', 'y')".into(),
        },
    );
    check(
        |_, page| {
            page.cell('a', 'x').to(1, 1);
            page.cell('a', 'y').to(1, 1);
            page.cell('b', 'x').to(1, 1);
        },
        Error::MissingCell {
            state: state(),
            cell: "('b', 'y')".into(),
        },
    );
    check(
        |_, page| {
            page.cell('a', 'x').to(1, 1);
            page.cell('a', 'y').to(1, 0);
        },
        Error::NoOutcome {
            state: state(),
            action: "('a', 'y')".into(),
        },
    );
    let twice = "a cell of its matrix is given twice";
    check(
        |_, page| {
            page.cell('a', 'x').to(1, 1);
            page.cell('a', 'y').to(1, 1);
            page.cell('a', 'x').to(1, 1);
        },
        malformed(twice),
    );
    check(
        |_, page| {
            page.row('a').to(1, 1);
            page.row('a').to(1, 1);
        },
        malformed("an action is given twice"),
    );
    check(
        |_, page| {
            page.row('a').to(1, 1);
            page.column('a').to(1, 1);
        },
        malformed(
            "it mixes cells of both players with decisions of one player or with chance; give a row and a column in each cell",
        ),
    );
    check(
        |_, page| {
            page.row('a').to(1, u64::MAX).to(2, 1);
        },
        malformed(
            "the weights of a cell add up to more than 2^64 - 1; divide them by a common factor, or write them with `to_wide`",
        ),
    );
}

#[test]
fn states_that_come_back_are_refused() {
    check(
        |state, page| match state {
            9 => {
                page.cell('a', 'x').to(1, 1);
                page.cell('a', 'y').to(9, 1).to(1, 5);
            }
            _ => page.end(0),
        },
        Error::MeetingStays {
            state: "9".into(),
            cell: "('a', 'y')".into(),
        },
    );
    check(
        |state, page| match state {
            0 => page.end(0),
            _ => {
                let next = if state == 1 { 2 } else { 1 };
                page.cell('a', 'x').to(0, 1);
                page.cell('a', 'y').to(next, 1).to(0, 1);
            }
        },
        Error::CycleOfMeetings {
            path: ["1", "2", "1"].map(String::from).to_vec(),
        },
    );
    check(
        |state, page| match state {
            9 => {
                page.row('a').to(1, 1);
                page.row('b').to(9, 1);
            }
            _ => page.end(0),
        },
        Error::Malformed {
            state: "9".into(),
            what: "an action, or chance, leads back to it for certain",
        },
    );
}

#[test]
fn loops_of_one_side_are_eliminated() {
    // Chance: 2 of 6 stay. Then the column player: 1/3 or, of what leaves, 1/4.
    let game = written(|state, page| match state {
        0 | 1 => page.end(state),
        2 => {
            page.column('a').to(0, 2).to(1, 1);
            page.column('b').to(2, 3).to(1, 1).to(0, 3);
        }
        _ => {
            page.chance().to(3, 2).to(2, 3).to(1, 1);
        }
    });
    let solution = Solver::exact().solve_simultaneous(&game, 3).unwrap();
    assert_eq!(solution.value_of(&2).unwrap(), ratio(1, 4));
    assert_eq!(solution.value(), ratio(7, 16));
    assert_eq!(solution.equilibrium(&2).unwrap().column_support(), [&'b']);
}

#[test]
fn rules_that_change_their_mind_are_noticed() {
    let asked = Cell::new(0);
    let game = written(|state, page| {
        asked.set(asked.get() + 1);
        if state != 9 {
            return page.end(state);
        }
        page.row('a').to(1, 1);
        if asked.get() > 2 {
            page.row('b').to(2, 1);
        }
    });
    let solution = Solver::exact().solve_simultaneous(&game, 9).unwrap();
    let changed = Error::Inconsistent { state: "9".into() };
    assert_eq!(solution.equilibrium(&9).err(), Some(changed.clone()));
    let policy = |_: &u32, actions: &[char]| Strategy::pure(0, actions.len());
    assert_eq!(solution.secured_by_row(policy).err(), Some(changed));
    assert!(matches!(
        solution.value_of(&7),
        Err(Error::UnknownState { .. })
    ));
}

#[test]
fn strategies_must_fit() {
    let solution = Solver::exact().solve_simultaneous(&Bluff, None).unwrap();
    let short = solution.secured_by_row(|_, _| Strategy::pure(0, 1)).err();
    let Some(Error::InState { state, source }) = short else {
        unreachable!("{short:?}");
    };
    assert_eq!(state, "None");
    assert!(matches!(*source, Error::BadStrategy { .. }));
    // Nor does the only action of a side have two probabilities.
    let single = written(|state, page| match state {
        0 => page.end(1),
        _ => {
            page.cell('a', 'x').to(0, 1);
        }
    });
    let two = || Strategy::new([(1, 2), (1, 2)]);
    let exact = Solver::exact().solve_simultaneous(&single, 9).unwrap();
    let float = Solver::float().solve_simultaneous(&single, 9).unwrap();
    for error in [
        exact.secured_by_row(|_, _| two()).err(),
        float.conceded_by_column(|_, _| two()).err(),
    ] {
        assert!(matches!(error, Some(Error::InState { .. })), "{error:?}");
    }
    let only = exact.secured_by_row(|_, _| Strategy::pure(0, 1)).unwrap();
    assert_eq!(only, ratio(1, 1));
    let float = Solver::float().solve_simultaneous(&Bluff, None).unwrap();
    let long = float.conceded_by_column(|_, _| Strategy::pure(0, 3)).err();
    assert!(matches!(long, Some(Error::InState { .. })));
    // The error of the closure is passed on.
    let none = || Error::NoDecision { state: "x".into() };
    assert_eq!(
        solution.secured_by_row(|_, _| Err(none())).err(),
        Some(none())
    );
}

#[test]
fn scores_and_weights_of_any_size() {
    let huge = BigRational::from_integer(BigInt::one() << 2_000_u32);
    let game = written(|state, page| match state {
        0 => page.end(0),
        1 => page.end(&huge),
        _ => {
            page.cell('a', 'x').to(0, u64::MAX - 1).to(1, 1);
            page.cell('a', 'y').to(1, 1);
            page.cell('b', 'x').to(1, 1);
            page.cell('b', 'y').to(0, 1);
        }
    });
    let exact = Solver::exact().solve_simultaneous(&game, 9).unwrap();
    // [[w, 1], [1, 0]] has the value 1 / (2 - w), of the huge score.
    let least = BigRational::new(BigInt::one(), u64::MAX.into());
    assert_eq!(exact.value(), &huge / (ratio(2, 1) - least));
    assert_eq!(
        exact.enclosure(&9).unwrap(),
        (f64::NEG_INFINITY, f64::INFINITY)
    );
    let float = Solver::float().solve_simultaneous(&game, 9).err();
    assert_eq!(float, Some(Error::ScoreBeyondFloat { state: "1".into() }));
    for size in [2_f64.powi(959), 1e-300, 5e-324] {
        let game = written(|state, page| match state {
            0 => page.end(0),
            1 => page.end(size),
            2 => page.end(-size),
            _ => {
                page.cell('a', 'x').to(1, u64::MAX);
                page.cell('a', 'y').to(2, 1);
                page.cell('b', 'x').to(2, 1);
                page.cell('b', 'y').to(1, 1).to(0, u64::MAX - 1);
            }
        });
        let exact = Solver::exact().solve_simultaneous(&game, 9).unwrap();
        let float = Solver::float().solve_simultaneous(&game, 9).unwrap();
        let (low, high) = float.enclosure(&9).unwrap();
        let ratio = |x| BigRational::from_float(x).unwrap();
        assert!(
            ratio(low) <= exact.value() && exact.value() <= ratio(high),
            "{size}"
        );
        assert!(high - low <= 1e-13 * size + 1e-307, "{size}: {low} {high}");
    }
}

#[test]
fn limits_say_how_far_it_got() {
    let few = Some(Error::TooManyStates { limit: 10 });
    let start = (6, 6);
    let states = Solver::exact().max_states(10);
    assert_eq!(states.solve_simultaneous(&Pennies, start).err(), few);
    let none = Solver::float().max_states(0);
    assert_eq!(
        none.solve_simultaneous(&Pennies, start).err(),
        Some(Error::TooManyStates { limit: 0 })
    );
    let outcomes = Solver::exact().max_outcomes(10);
    assert!(matches!(
        outcomes.solve_simultaneous(&Pennies, start).err(),
        Some(Error::OutcomesOutgrow {
            done: 1..,
            limit: 10,
            ..
        })
    ));
    let bytes = Solver::exact().max_bytes(20_000);
    match bytes.solve_simultaneous(&Pennies, (12, 12)).err() {
        Some(Error::FractionsOutgrow {
            what: "states",
            done,
            of,
            needed,
            limit: 20_000,
        }) => assert!(done > 20 && done < of && needed > 20_000),
        other => unreachable!("{other:?}"),
    }
    let needed = |limit| {
        Solver::exact()
            .max_bytes(limit)
            .solve_simultaneous(&Pennies, start)
            .err()
    };
    assert!(matches!(
        needed(1_000),
        Some(Error::TooMuchMemory {
            states: 45..,
            limit: 1_000,
            ..
        })
    ));
    // Also by the default limit, before it takes long.
    let long = Solver::exact().solve_simultaneous(&Pennies, (12, 12)).err();
    assert!(matches!(
        long,
        Some(Error::FractionTooLong { limit: 32_768, .. })
    ));
    // Floats need the same memory for every value.
    let float = Solver::float().max_bytes(20_000);
    assert!(float.solve_simultaneous(&Pennies, (12, 12)).is_ok());
}

#[test]
fn little_memory_changes_no_value() {
    // So little that unused denominators are dropped at almost every state.
    let start = (5, 5);
    let plenty = Solver::exact().solve_simultaneous(&Pennies, start).unwrap();
    let mut refused = 0;
    for bytes in (2_000..).step_by(500) {
        let solver = Solver::exact().max_bytes(bytes);
        match solver.solve_simultaneous(&Pennies, start) {
            Ok(scarce) => {
                assert!(scarce.states().eq(plenty.states()));
                break;
            }
            Err(Error::FractionsOutgrow { .. }) => refused += 1,
            // Not even the outcomes fit.
            Err(error) => assert!(matches!(error, Error::TooMuchMemory { .. })),
        }
    }
    assert!(refused > 0);
}

#[test]
fn fractions_that_double_at_every_step_are_stopped() {
    // v(n) = v(1 + v) / (1 + 3v) of v = v(n - 1).
    let game = written(|state, page| match state {
        0 => page.end(0),
        1 => page.end(1),
        2 => page.end((1, 2)),
        _ => {
            page.cell('a', 'x').to(state - 1, 1).to(1, 1);
            page.cell('a', 'y').to(0, 1);
            page.cell('b', 'x').to(0, 1);
            page.cell('b', 'y').to(state - 1, 1);
        }
    });
    let short = Solver::exact().solve_simultaneous(&game, 4).unwrap();
    // v(3) = 3/10.
    assert_eq!(short.value(), ratio(39, 190));
    let solver = || Solver::exact().max_bytes(1 << 20);
    match solver().solve_simultaneous(&game, 60).err() {
        Some(Error::FractionTooLong {
            state,
            needed,
            limit: 4096,
        }) => {
            let state: u32 = state.parse().unwrap();
            assert!(
                (10..25).contains(&state) && needed < 4 * 4096,
                "{state} {needed}"
            );
        }
        other => unreachable!("{other:?}"),
    }
    let float = Solver::float().solve_simultaneous(&game, 60).unwrap();
    assert!(float.error(&60).unwrap() < 1e-13);
}

#[test]
fn work_can_be_cancelled() {
    for phase in [Phase::Exploring, Phase::Solving] {
        let solver = Solver::exact().observe(|progress| {
            if progress.phase == phase {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        let stopped = solver.solve_simultaneous(&Bluff, None).err();
        assert_eq!(stopped, Some(Error::Cancelled { phase, done: 5 }));
    }
}

#[test]
fn floats_know_bad_matrices() {
    let empty: [[f64; 0]; 0] = [];
    assert_eq!(MatrixGame::solve_f64(empty).err(), Some(Error::EmptyMatrix));
    assert_eq!(
        MatrixGame::solve_f64([[0.0_f64; 0]]).err(),
        Some(Error::EmptyMatrix)
    );
    assert!(matches!(
        MatrixGame::solve_f64([vec![1.0], vec![1.0, 2.0]]),
        Err(Error::RaggedMatrix {
            row: 1,
            columns: 2,
            expected: 1
        })
    ));
    for bad in [f64::NAN, f64::INFINITY, -1e300] {
        let error = MatrixGame::solve_f64([[1.0, bad]]);
        assert!(matches!(error, Err(Error::BadParameter { .. })), "{bad}");
    }
}

#[test]
fn a_rounding_from_a_saddle_point() {
    // Almost a saddle point at (0, 0), and 3 × 3 with almost equal rows.
    let tiny = f64::EPSILON;
    let near = [
        [1.0, 1.0 - tiny, 2.0],
        [1.0 - tiny, 1.0, 0.5],
        [0.0, 1.0, 1.0 + tiny],
    ];
    let found = MatrixGame::solve_f64(near).unwrap();
    let value = MatrixGame::new(near.map(|row| row.map(|x| BigRational::from_float(x).unwrap())))
        .unwrap()
        .value()
        .unwrap();
    assert!(encloses((found.lower, found.upper), &value));
}

/// Regression test: numbers of rows and columns beyond a machine word were multiplied.
#[test]
fn cells_that_there_are_not_have_no_outcomes() {
    let game = written(|state, page| match state {
        9 => {
            for (row, column) in [('a', 'x'), ('a', 'y'), ('b', 'x'), ('b', 'y')] {
                page.cell(row, column).to(0, 1);
            }
        }
        _ => page.end(1),
    });
    let meeting = Meeting::of(&game, &9).unwrap();
    assert_eq!(meeting.outcomes(1, 1).len(), 1);
    for (row, column) in [(2, 0), (0, 2), (usize::MAX, 0), (usize::MAX, usize::MAX)] {
        assert_eq!(meeting.outcomes(row, column).len(), 0);
        assert_eq!(meeting.wide_outcomes(row, column).count(), 0);
    }
}
