//! Generated books whose sections lead back to themselves by chance: the exact value of the
//! state-by-state solver is within the stated error, which is small.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use num_rational::BigRational;
use num_traits::Signed;
use oddsmith_gamebook::{BookGame, BookSolver, Error, Fights};
use oddsmith_mdp::Solver;
use quickcheck::{Arbitrary, Gen};

use crate::generated::Generated;
use crate::risky::Risky;

/// The highest number of states solved.
const LIMIT: usize = 400;
/// The number of iterations, and of sheets solved one by one: a few books take far longer to
/// converge.
const SWEEPS: [(usize, usize); 5] = [(2_000, 0), (40, 0), (8, 0), (1, 1_000), (2_000, 1_000)];

/// The number of books that the solver answers, and of those with a known fraction.
fn enclosed(games: impl Iterator<Item = BookGame>) -> (usize, usize) {
    let (mut answered, mut compared) = (0, 0);
    for game in games {
        let folded = game.clone().fights(Fights::Folded);
        let solver = Solver::exact().max_states(LIMIT).allow_cycles();
        let truth = solver.solve(&folded, folded.start());
        let truth = truth.ok().map(|plan| plan.value().clone());
        for (sweeps, sheets) in SWEEPS {
            let solver = BookSolver::new(&game).max_sweeps(sweeps);
            let solver = solver.sheet_by_sheet(sheets);
            let valuation = match solver.solve(game.start()) {
                Ok(valuation) => valuation,
                Err(Error::NotFollowed { .. }) => continue,
                // Nothing is known yet, or there are no bounds.
                Err(Error::BookTooLarge { limit, what, .. })
                    if limit == sweeps || what.starts_with("values") =>
                {
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            let error = valuation.error().unwrap();
            assert!(sweeps < SWEEPS[0].0 || error < 1e-9, "{valuation}");
            answered += 1;
            if let Some(truth) = &truth {
                let exact = |float: f64| BigRational::from_float(float).unwrap();
                let off = (exact(valuation.win()) - truth).abs();
                assert!(off <= exact(error), "{truth}: {valuation}");
                compared += 1;
            }
        }
    }
    (answered, compared)
}

#[test]
fn small_books_of_all_kinds() {
    let books = (0..2_500).map(|seed| Generated::arbitrary(&mut Gen::from_size_and_seed(30, seed)));
    let rings = books.filter(|generated| generated.cyclic);
    let (answered, compared) = enclosed(rings.map(|generated| {
        let hero = generated.hero();
        generated.book().game(hero).unwrap()
    }));
    assert!(answered > 600 && compared > 300, "{answered} {compared}");
}

#[test]
fn books_full_of_losses() {
    let books = (0..2_500).map(|seed| Risky::arbitrary(&mut Gen::from_size_and_seed(30, seed)));
    let rings = books.filter(Risky::rings);
    let (answered, compared) = enclosed(rings.map(|book| book.game()));
    assert!(answered > 600 && compared > 300, "{answered} {compared}");
}
