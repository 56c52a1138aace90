//! Several threads give the same results as one, bit for bit.
#![cfg(feature = "rayon")]

use std::ops::ControlFlow;

use crate::layered::Layered;
use crate::plain::{Plain, Row, below, scores};
use num_bigint::BigUint;
use oddsmith_mdp::{
    Certified, Error, Exact, Float, Number, Phase, Player, Solver, Table, Tolerance,
};
use quickcheck::Gen;

const THREADS: [usize; 4] = [0, 2, 3, 8];

/// A model with some wide layers: every state leads to any below its own layer.
fn wide(seed: u64, layers: usize, width: usize) -> Plain {
    let mut g = Gen::from_size_and_seed(100, seed);
    let g = &mut g;
    let scores = scores(g);
    let mut rows: Vec<Row> = (0..width)
        .map(|_| Row::End(scores[below(g, scores.len())].clone()))
        .collect();
    for _ in 1..layers {
        let lower = rows.len();
        for state in lower..lower + width {
            let mut choices: Vec<Vec<_>> = (0..1 + below(g, 3))
                .map(|_| match below(g, 20) {
                    // A fight summarized in one distribution.
                    0 => [1_u128 << 70, (1 << 64) - 1]
                        .map(|weight| (below(g, lower), BigUint::from(weight)))
                        .to_vec(),
                    _ => (0..1 + below(g, 4))
                        .map(|_| (below(g, lower), BigUint::from(1 + below(g, 3))))
                        .collect(),
                })
                .collect();
            if below(g, 4) == 0 {
                // A tie, and staying.
                let mut twin = choices[0].clone();
                twin.push((state, BigUint::from(3_u8)));
                choices.push(twin);
            }
            let player = [Player::Max, Player::Min][below(g, 2)];
            rows.push(Row::Choices(player, choices));
        }
    }
    // Otherwise the states without predecessors would not be reached.
    let all = (0..rows.len()).map(|state| (state, BigUint::from(1_u8)));
    rows.push(Row::Choices(Player::Max, vec![all.collect()]));
    Plain { rows }
}

/// The results of a solution for every state, floats to the last bit.
macro_rules! said {
    ($solution:expr, $states:expr) => {{
        let solution = $solution.unwrap();
        let of = |state: usize| {
            let value = solution.value_of(&state).unwrap();
            let error = solution.error(&state).unwrap();
            let decision = solution.decision(&state).unwrap();
            format!("{value:?} {error:?} {decision:?}")
        };
        (0..$states).map(of).collect::<Vec<String>>()
    }};
}

/// Every entry point of the solver, with every number of threads.
fn check<N: Number>(model: &Plain, solver: impl Fn() -> Solver<'static, N>) {
    let states = model.rows.len();
    let rising: Vec<usize> = (0..states).collect();
    let falling: Vec<usize> = (0..states).rev().collect();
    // Neighbours apart.
    let mut mixed = rising.clone();
    mixed.sort_by_key(|state| (state % 7, *state));
    let tables = [rising, falling, mixed].map(|numbers| model.table(&numbers));
    let all = |threads| {
        let solver = || solver().threads(threads);
        let [a, b, c] = &tables;
        [
            said!(solver().solve_table(a, 0), states),
            said!(solver().solve_table(b, 0), states),
            said!(solver().solve_table(c, 0), states),
            said!(solver().solve(model, states - 1), states),
            said!(solver().solve_indexed(model, 0), states),
        ]
    };
    let wanted = all(1);
    for threads in THREADS {
        assert!(all(threads) == wanted, "{threads} threads differ");
    }
}

#[test]
fn any_number_of_threads_says_the_same() {
    for seed in 0..4 {
        let model = wide(seed, 3, 700);
        check::<Exact>(&model, Solver::exact);
        check::<Float>(&model, Solver::float);
        check::<Certified>(&model, Solver::certified);
    }
}

#[test]
fn tolerances_too() {
    let tolerance = Tolerance::relative(1, 100).unwrap();
    let model = wide(7, 3, 700);
    check::<Exact>(&model, || Solver::exact().tolerance(tolerance));
    check::<Float>(&model, || Solver::float().tolerance(tolerance));
    check::<Certified>(&model, || Solver::certified().tolerance(tolerance));
}

#[test]
fn rewards_too() {
    // Layers of 800, by ascending and by shuffled numbers; some choices pay, and some of them may
    // stay.
    for to in [|n: usize| n, |n: usize| n * 7 % 3_200] {
        let mut of = vec![0; 3_200];
        (0..3_200).for_each(|n| of[to(n)] = n);
        let table = Table::from_fn(3_200, |state, row| {
            let n = of[state];
            if n < 800 {
                return row.end((n as i64 % 7, 3));
            }
            if n.is_multiple_of(3) {
                row.opponent();
            }
            let below = n / 800 * 800 - 800;
            for choice in 0..3 {
                let next = |k: usize| to(below + (n * 31 + choice * 17 + k * 13) % 800);
                row.choice().to(next(0), 2).to(next(1), 3).to(next(2), 1);
                match (n + choice) % 5 {
                    0 => row.reward((n as i64 % 11 - 5, 7)),
                    1 => row.to(state, 1).reward(-0.1),
                    _ => row,
                };
            }
        })
        .unwrap();
        let all = |threads| {
            [
                said!(
                    Solver::exact().threads(threads).solve_table(&table, 0),
                    3_200
                ),
                said!(
                    Solver::float().threads(threads).solve_table(&table, 0),
                    3_200
                ),
                said!(
                    Solver::certified().threads(threads).solve_table(&table, 0),
                    3_200
                ),
            ]
        };
        let wanted = all(1);
        for threads in THREADS {
            for (kind, (found, wanted)) in all(threads).iter().zip(&wanted).enumerate() {
                let differs = found.iter().zip(wanted).position(|(a, b)| a != b);
                let both = differs.map(|place| (place, &found[place], &wanted[place]));
                assert_eq!(both, None, "{threads} threads, numbers {kind}");
            }
        }
    }
}

#[test]
fn enclosures_and_certified_answers_too() {
    let model = Layered::new(60_000, 10, 3);
    let table = model.table().unwrap();
    let enclosed = |threads| {
        let solver = Solver::certified().threads(threads);
        let solution = solver.solve_table(&table, 0).unwrap();
        let of = |state: usize| {
            let (lower, upper) = solution.enclosure(&state).unwrap();
            let proven = solution.is_proven(&state).unwrap();
            (lower.to_bits(), upper.to_bits(), proven)
        };
        (0..60_002).map(of).collect::<Vec<_>>()
    };
    let certified = |threads| {
        let solver = Solver::certified().threads(threads);
        let solution = solver.certify_table(&table, 0).unwrap();
        (solution.value(), solution.len(), solution.settled())
    };
    let (wanted, settled) = (enclosed(1), certified(1));
    for threads in THREADS {
        assert!(enclosed(threads) == wanted, "{threads} threads");
        assert_eq!(certified(threads), settled);
    }
}

#[test]
fn a_pool_that_is_there_is_used() {
    let model = wide(11, 3, 600);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
    let inside = pool.unwrap().install(|| {
        let solution = Solver::float().threads(0).solve(&model, model.start());
        solution.unwrap().value()
    });
    let alone = Solver::float().solve(&model, model.start()).unwrap();
    assert_eq!(inside.to_bits(), alone.value().to_bits());
}

#[test]
fn progress_is_told_and_work_stopped() {
    let table = Layered::new(50_000, 5, 1).table().unwrap();
    for threads in [2, 8] {
        let mut last = 0;
        let solver = Solver::float().observe(|progress| {
            assert_eq!(
                (progress.phase, progress.total),
                (Phase::Solving, Some(50_002))
            );
            assert!(progress.done > last && progress.done <= last + 4096);
            last = progress.done;
            ControlFlow::Continue(())
        });
        assert!(solver.threads(threads).solve_table(&table, 0).is_ok());
        assert_eq!(last, 50_002);
        let stop = |_| ControlFlow::Break(());
        let solver = Solver::float().observe(stop).threads(threads);
        assert_eq!(
            solver.solve_table(&table, 0).err(),
            Some(Error::Cancelled {
                phase: Phase::Solving,
                done: 4096
            })
        );
    }
}

#[test]
fn what_cannot_be_solved_is_the_same_error_for_any_number() {
    // State 2000 has weights too far apart for floats.
    let far = BigUint::from(1_u8) << 3_000_u32;
    let table = Table::from_fn(4_000, |state, row| match state {
        0..1_000 => row.end(state),
        2_000 => {
            row.choice().to_wide(0, far.clone()).to_wide(1, 1_u8);
        }
        _ => {
            row.choice().to(state % 1_000, 1).to(0, 2);
        }
    })
    .unwrap();
    let alone = Solver::float().solve_table(&table, 0).err();
    assert!(matches!(&alone, Some(Error::WeightsBeyondFloat { state, .. }) if state == "2000"));
    for threads in THREADS {
        assert_eq!(
            Solver::float()
                .threads(threads)
                .solve_table(&table, 0)
                .err(),
            alone
        );
    }
    // Two of one layer, by ascending and by descending numbers, with neighbours apart.
    for to in [|n: usize| n, |n: usize| 3_999 - n, |n: usize| n * 7 % 4_000] {
        let mut of = vec![0; 4_000];
        (0..4_000).for_each(|n| of[to(n)] = n);
        let table = Table::from_fn(4_000, |state, row| match of[state] {
            end @ 0..1_000 => row.end(end),
            2_000 | 3_000 => {
                row.choice()
                    .to_wide(to(0), far.clone())
                    .to_wide(to(1), 1_u8);
            }
            n => {
                row.choice().to(to(n % 1_000), 1).to(to(0), 2);
            }
        })
        .unwrap();
        let alone = Solver::float().solve_table(&table, 0).err();
        assert!(matches!(alone, Some(Error::WeightsBeyondFloat { .. })));
        for threads in THREADS {
            let several = Solver::float().threads(threads).solve_table(&table, 0);
            assert_eq!(several.err(), alone);
        }
    }
    let high = Table::from_fn(3_000, |state, row| match state {
        1_234 => row.end(1e300),
        _ => row.end(1),
    })
    .unwrap();
    let error = Solver::float().threads(2).solve_table(&high, 0);
    let state = "1234".to_string();
    assert_eq!(error.err(), Some(Error::ScoreBeyondFloat { state }));
}

#[test]
fn more_threads_than_can_be_had() {
    let table = Layered::new(1_000, 2, 1).table().unwrap();
    let solver = Solver::exact().threads(usize::MAX);
    let error = solver.solve_table(&table, 0).err();
    assert!(matches!(
        error,
        Some(Error::Threads {
            threads: usize::MAX,
            ..
        })
    ));
}
