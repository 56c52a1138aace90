//! Probabilities of lengths are limited by the memory of their digits.

use crate::rules::{Rules, STAIR};
use oddsmith_mdp::{Error, Solver, Table};

/// The digits need more memory than the numbers that hold them: this many moves, and no more.
#[test]
fn fractions_of_lengths_outgrow_the_memory() {
    let game = Rules::new(2, |state, node| match state {
        0 => node.end(1),
        _ => {
            node.chance().to(1, 5).to(0, 1);
        }
    });
    let within = |bytes| Solver::exact().max_bytes(bytes).solve(&game, 1).unwrap();
    let solution = within(1_000_000);
    let forecast = solution.forecast().unwrap();
    let refused = forecast.lengths(10_000, |_| true).err();
    let Some(Error::FractionsOutgrow {
        what: "moves",
        done,
        of: 10_000,
        needed,
        limit: 1_000_000,
    }) = refused
    else {
        unreachable!("{refused:?}");
    };
    assert!((1_000..3_000).contains(&done) && needed < 1_010_000);
    let told = refused.map(|error| error.to_string()).unwrap();
    assert!(told.starts_with(&format!("after {done} of 10000 moves the fractions need ")));
    // This many are within the limit, and all of them are equal under a higher limit.
    let near = forecast.lengths(done as u32 - 1, |_| true).unwrap();
    let far = within(10_000_000);
    let far = far
        .forecast()
        .unwrap()
        .lengths(done as u32 + 1, |_| true)
        .unwrap();
    assert_eq!(near[..], far[..near.len()]);
    assert_eq!(near[3].to_string(), "25/216");
    // Once play has ended for certain, no digits grow.
    let stair = Solver::exact()
        .max_bytes(5_000_000)
        .solve(&STAIR, 3)
        .unwrap();
    let lengths = stair.forecast().unwrap().lengths(20_000, |_| true).unwrap();
    assert_eq!(lengths.len(), 20_001);
    // Cycles are limited in the same way.
    let round = Solver::exact()
        .allow_cycles()
        .max_bytes(1_000_000)
        .solve(&game, 1)
        .unwrap();
    let refused = round.visits().unwrap().lengths(10_000, |_| true).err();
    assert!(matches!(
        refused,
        Some(Error::FractionsOutgrow {
            what: "moves",
            done: 1_000..3_000,
            ..
        })
    ));
}

/// Regression test: the chances of all states were not measured. Each is as long as the product of
/// all totals, while most of these states have short values.
#[test]
fn fractions_of_a_forecast_outgrow_the_memory() {
    let (steps, ends) = (2_000, 10);
    let stair = Table::from_fn(steps * (ends + 1) + 1, |state, row| {
        if state >= steps {
            return row.end(state % 2);
        }
        let choice = row.choice();
        choice.to(
            if state + 1 < steps {
                state + 1
            } else {
                steps * (ends + 1)
            },
            1,
        );
        for end in 0..ends {
            choice.to(steps + state * ends + end, 2);
        }
    })
    .unwrap();
    let within = |bytes| {
        Solver::exact()
            .max_bytes(bytes)
            .solve_table(&stair, 0)
            .unwrap()
    };
    let solution = within(5 << 20);
    let refused = solution.forecast().err();
    let Some(Error::FractionsOutgrow {
        what: "states",
        done,
        of,
        needed,
        limit,
    }) = refused
    else {
        unreachable!("{refused:?}");
    };
    assert_eq!((of, limit), (steps * (ends + 1) + 1, 5 << 20));
    assert!(
        0 < done && done < steps && needed < 6 << 20,
        "{done} {needed}"
    );
    let solution = within(1 << 26);
    let chance = solution.forecast().unwrap().chance(&1).unwrap();
    assert_eq!(chance.to_string(), "1/21");
}

/// Regression test: nor were the chances of all counts, in any kind of numbers.
#[test]
fn counts_of_a_forecast_outgrow_the_memory() {
    let (steps, wide) = (400, 500);
    let fans = Table::from_fn(steps + wide + 1, |state, row| match state {
        _ if state < steps => {
            let choice = row.choice();
            for next in steps..steps + wide {
                choice.to(next, 1);
            }
            choice.to(state + 1, 7);
        }
        _ if state < steps + wide => {
            row.choice().to(steps + wide, 1);
        }
        _ => row.end(1),
    })
    .unwrap();
    let early = |&state: &usize| state < steps;
    let float = Solver::float()
        .max_bytes(1 << 20)
        .solve_table(&fans, 0)
        .unwrap();
    let refused = float.forecast().unwrap().count(early).err();
    assert!(
        matches!(
            refused,
            Some(Error::TooMuchMemory {
                limit: 1_048_576,
                ..
            })
        ),
        "{refused:?}"
    );
    let float = Solver::float().solve_table(&fans, 0).unwrap();
    let counts = float.forecast().unwrap().count(early).unwrap();
    assert!((counts.p(&1) - 500.0 / 507.0).abs() < 1e-12);
    let exact = Solver::exact()
        .max_bytes(4 << 20)
        .solve_table(&fans, 0)
        .unwrap();
    let refused = exact.forecast().unwrap().count(early).err();
    assert!(
        matches!(
            refused,
            Some(Error::FractionsOutgrow { what: "states", .. })
        ),
        "{refused:?}"
    );
}
