//! Probabilities of lengths are limited by the memory of their digits.

use crate::rules::{Rules, STAIR};
use oddsmith_mdp::{Error, Solver};

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
