//! Limits on the memory of values in cycles, and what an observer is told there.

use num_bigint::BigUint;
use num_rational::BigRational;
use oddsmith_mdp::{Error, Phase, Solver, Table};
use std::ops::ControlFlow;

/// Regression test: only the equations were measured. Here there is a single one, but every state
/// keeps a copy of its solution.
#[test]
fn values_of_a_cycle_are_measured() {
    let (states, digits) = (5_000, 20_000);
    let tall = BigRational::new(num_bigint::BigInt::from(2).pow(digits), 3.into());
    let ring = Table::from_fn(states + 1, |state, row| match state {
        0 => row.end(&tall),
        _ => {
            row.choice().to(state % states + 1, 1);
            row.choice().to(0, 1);
        }
    })
    .unwrap();
    let solve = |limit| {
        let solver = Solver::exact().allow_cycles().max_bytes(limit);
        solver.solve_table(&ring, 1).map(|solved| solved.value())
    };
    let needed = |error: Option<Error>| match error {
        Some(Error::TooMuchMemory { needed, limit, .. }) => (needed, limit),
        error => (0, error.map_or(0, |error| error.to_string().len() as u128)),
    };
    let (needed, limit) = needed(solve(1 << 20).err());
    assert!(needed > 5_000 * 2_500 && limit == 1 << 20, "{needed}");
    assert_eq!(solve(1 << 24).unwrap().numer(), tall.numer());
}

/// Regression test: the common denominator of everything around a cycle was computed before its
/// size was compared with the limit. Here that takes minutes.
#[test]
fn unrelated_denominators_around_a_cycle_are_measured_as_they_multiply() {
    let (round, ends) = (400, 20_000);
    // Odd numbers of 1,000 bits that have hardly anything in common.
    let denominator = |end: usize| (BigUint::from(end) << 1_000_u32) + 2 * end + 1_u8;
    let table = Table::from_fn(round + ends, |state, row| {
        if state >= round {
            return row.end(BigRational::new(1.into(), denominator(state).into()));
        }
        let choice = row.choice();
        choice.to((state + 1) % round, 1);
        for end in 0..ends / round {
            choice.to(round + state * (ends / round) + end, 1);
        }
    })
    .unwrap();
    let solver = Solver::exact().allow_cycles().max_bytes(4 << 20);
    let error = solver.solve_table(&table, 0).err();
    let Some(Error::TooMuchMemory { what, needed, .. }) = error else {
        unreachable!("{error:?}");
    };
    assert_eq!(what, "what a cycle leads to");
    // No more than a little above the limit.
    assert!(needed < 5 << 20, "{needed}");
}

/// In cycles, the observer hears the same count many times, and no phase of measuring.
#[test]
fn an_observer_hears_of_a_cycle_while_it_is_solved() {
    let walk = 1_000;
    let table = Table::from_fn(walk + 2, |state, row| match state {
        0 | 1 => row.end(state),
        _ if state == walk + 1 => {
            row.choice().to(walk, 1);
        }
        _ => {
            let down = if state == 2 { 0 } else { state - 1 };
            let up = if state == walk { 1 } else { state + 1 };
            row.choice().to(down, 1).to(up, 1);
        }
    })
    .unwrap();
    let mut heard = Vec::new();
    let solver = Solver::exact().allow_cycles().observe(|progress| {
        heard.push((progress.phase, progress.done, progress.total));
        ControlFlow::Continue(())
    });
    solver.solve_table(&table, walk + 1).unwrap();
    assert!(heard.iter().all(|told| told.0 != Phase::Measuring));
    let solving = heard.iter().filter(|told| told.0 == Phase::Solving);
    let done: Vec<usize> = solving.clone().map(|told| told.1).collect();
    // The two ends come first, then the walk in one piece.
    let amid = done.iter().filter(|&&done| done == 2).count();
    assert!(amid >= walk / 64, "{amid}");
    assert!(done.is_sorted() && done.last() == Some(&(walk + 2)));
    assert!(solving.clone().all(|told| told.2 == Some(walk + 2)));
    let mut left = 10;
    let stopped = Solver::exact().allow_cycles().observe(|progress| {
        left -= i32::from(progress.done == 2);
        if left > 0 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    let stopped = stopped.solve_table(&table, walk + 1).err();
    let phase = Phase::Solving;
    assert_eq!(stopped, Some(Error::Cancelled { phase, done: 2 }));
}
