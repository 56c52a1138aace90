//! Books solved to a given accuracy: the true value is between the bounds.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use crate::growing;
use num_rational::BigRational;
use oddsmith_fightingfantasy::Hero;
use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Error, Manuscript, Passage, Section, Valuation,
};
use oddsmith_mdp::Solver;
use quickcheck::{Arbitrary, Gen};

use crate::generated::Generated;
use crate::pieces::random;
use crate::risky::Risky;

/// The highest number of states solved.
const LIMIT: usize = 400;
const ERRORS: [f64; 3] = [0.2, 0.03, 1e-5];

fn exact(float: f64) -> BigRational {
    BigRational::from_float(float).unwrap()
}

/// `None` if the solver need not answer, and does not.
fn answered(solved: Result<Valuation, Error>) -> Option<Valuation> {
    match solved {
        Ok(valuation) => Some(valuation),
        Err(Error::NotFollowed { .. }) => None,
        // Values from above that rise by almost nothing per sweep; a stat without bounds.
        Err(Error::BookTooLarge { what, .. }) if !what.starts_with("bytes") => None,
        Err(error) => panic!("{error}"),
    }
}

/// The kinds of answers, and the number of those that were compared with the fraction of the
/// state-by-state solver.
fn enclosed(game: &BookGame, solver: &BookSolver<'_>) -> (usize, usize) {
    let (mut all, mut compared) = (0, 0);
    let direct = Solver::exact().max_states(LIMIT).allow_cycles();
    let truth = direct.solve(game, game.start());
    let truth = truth.ok().map(|plan| plan.value().clone());
    let close = answered(solver.solve(game.start()));
    for error in ERRORS {
        let Some(valuation) = answered(solver.approximate(game.start(), error)) else {
            continue;
        };
        all += 1;
        let (least, most) = valuation.enclosure().unwrap();
        assert!(valuation.error().unwrap() <= error, "{valuation}");
        if let Some(truth) = &truth {
            let inside = exact(least) <= *truth && *truth <= exact(most);
            assert!(inside, "{least} to {most}, not {truth}");
            compared += 1;
        }
        if let Some((low, high)) = close.as_ref().and_then(Valuation::enclosure) {
            let apart = high < least || most < low;
            assert!(!apart, "{least} to {most}, not {low} to {high}");
        }
    }
    (all, compared)
}

/// The same for many books, with solvers that reduce more or less.
fn all_enclosed(games: impl Iterator<Item = BookGame>) -> (usize, usize) {
    let counts = games.enumerate().map(|(number, game)| {
        let solver = BookSolver::new(&game).max_sweeps(2_000);
        let solver = match number % 4 {
            0 => solver.put_off(false),
            1 => solver.must_haves(false).forget(false),
            2 => solver.tell_apart(0.0),
            _ => solver,
        };
        enclosed(&game, &solver)
    });
    counts.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

fn risky(seed: u64) -> BookGame {
    Risky::arbitrary(&mut Gen::from_size_and_seed(30, seed)).game()
}

#[test]
fn small_books_of_all_kinds() {
    let books = (0..1_500).map(|seed| Generated::arbitrary(&mut Gen::from_size_and_seed(30, seed)));
    let games = books.map(|generated| generated.book().game(generated.hero()).unwrap());
    let (all, compared) = all_enclosed(games);
    assert!(all > 3_000 && compared > 1_000, "{all}, {compared}");
}

#[test]
fn books_full_of_losses_at_random() {
    let (all, compared) = all_enclosed((0..1_500).map(risky));
    assert!(all > 3_000 && compared > 1_000, "{all}, {compared}");
}

/// Regression: lower bounds of options were rounded upwards, which closed all of them.
#[test]
fn a_risk_is_weighed_by_bounds_of_both_sides() {
    let game = risky(26_338);
    let solver = BookSolver::new(&game);
    let (least, most) = solver
        .approximate(game.start(), 0.03)
        .unwrap()
        .enclosure()
        .unwrap();
    let exact = solver.solve(game.start()).unwrap().win();
    assert!(least <= exact && exact <= most, "{least} to {most}");
    assert_eq!(enclosed(&game, &solver).0, ERRORS.len());
}

#[cfg(feature = "serde")]
fn thief(skill: i16, stamina: i16, luck: i16) -> oddsmith_gamebook::Character {
    oddsmith_gamebook::Character::new()
        .stat("skill", skill)
        .stat("stamina", stamina)
        .stat("luck", luck)
        .item("dexterity_potion")
}

#[cfg(feature = "serde")]
#[test]
fn city_of_thieves_from_the_middle() {
    let book = Book::city_of_thieves().unwrap();
    let game = book.game(thief(9, 16, 9)).unwrap();
    let solver = BookSolver::new(&game);
    for section in [4, 7, 20] {
        let start = game.start_at(section).unwrap();
        let all = solver.solve(start).unwrap();
        let (low, high) = all.enclosure().unwrap();
        for error in [0.05, 0.002] {
            let valuation = solver.approximate(start, error).unwrap();
            let (least, most) = valuation.enclosure().unwrap();
            assert!(least <= low && high <= most, "{section}: {least} to {most}");
            assert!(most - least <= 2.0 * error + 1e-15);
        }
    }
}

#[test]
fn a_long_book() {
    let book = Book::new(growing::growing(400, 7)).unwrap();
    let game = book.game(growing::hero()).unwrap();
    let solver = BookSolver::new(&game);
    let valuation = solver.approximate(game.start(), 0.01).unwrap();
    let (least, most) = valuation.enclosure().unwrap();
    let all = solver.solve(game.start()).unwrap();
    let (low, high) = all.enclosure().unwrap();
    assert!(least <= low && high <= most, "{least} to {most}");
    // The same again, bit for bit.
    let again = solver.approximate(game.start(), 0.01).unwrap();
    assert_eq!(valuation, again);
}

/// Heroes who are almost never lucky enough to win.
#[cfg(feature = "serde")]
#[test]
fn city_of_thieves_from_its_first_section() {
    let book = Book::city_of_thieves().unwrap();
    let game = book.game(thief(4, 2, 7)).unwrap();
    let solver = BookSolver::new(&game).max_bytes(1 << 30);
    let mut inside = (0.0, 1.0);
    for error in [1e-2, 1e-3, 1e-4] {
        let valuation = solver.approximate(game.start(), error).unwrap();
        let (least, most) = valuation.enclosure().unwrap();
        assert!(most - least <= 2.0 * error + 1e-15);
        assert!(least <= inside.1 && inside.0 <= most, "{least} to {most}");
        inside = (least.max(inside.0), most.min(inside.1));
    }
    // The true value is between 0.00014 and 0.00016.
    assert!(0.00005 < inside.0 && inside.1 < 0.0003, "{inside:?}");
}

#[test]
fn what_leads_back_by_chance_lies_between_bounds() {
    // Won and lost with equal probability, and neither n times as often.
    for again in [1, 30, 400] {
        let all = [
            (1, Passage::won()),
            (1, Passage::lost()),
            (again, Passage::to(1)),
        ];
        let mut book = Manuscript::new("coin");
        book.sections.push(Section::new(1, random(&all).into()));
        let game = Book::new(book).unwrap();
        let game = game.game(Hero::new(7, 14, 7).unwrap()).unwrap();
        let solver = BookSolver::new(&game);
        for error in [0.3, 0.01, 1e-4] {
            let valuation = solver.approximate(game.start(), error).unwrap();
            let (least, most) = valuation.enclosure().unwrap();
            assert!(least <= 0.5 && 0.5 <= most, "{again}: {least} to {most}");
            assert!(most - least <= 2.0 * error, "{again}: {least} to {most}");
        }
    }
}

#[test]
fn errors_that_cannot_be() {
    let book = Book::builder()
        .luck(1, 2, 3)
        .won(2)
        .lost(3)
        .build()
        .unwrap();
    let game = book.game(Hero::new(7, 14, 7).unwrap()).unwrap();
    let solver = BookSolver::new(&game);
    for error in [0.0, -1.0, f64::NAN, f64::NEG_INFINITY] {
        let refused = solver.approximate(game.start(), error);
        assert!(
            matches!(refused, Err(Error::ErrorNotPositive { .. })),
            "{error}"
        );
    }
    let loose = solver.approximate(game.start(), f64::INFINITY).unwrap();
    let (least, most) = loose.enclosure().unwrap();
    assert!(0.0 <= least && most <= 1.0 && least <= 21.0 / 36.0 && 21.0 / 36.0 <= most);
    // No more accurate than floats allow.
    let tight = solver.approximate(game.start(), 1e-300).unwrap();
    assert!((tight.win() - 21.0 / 36.0).abs() <= tight.error().unwrap());
    assert!(tight.error().unwrap() < 1e-12);
    assert_eq!(solver.approximate_all(&[], 0.1).unwrap(), []);
    let small = solver.max_bytes(10).approximate(game.start(), 0.1);
    assert!(matches!(small, Err(Error::BookTooLarge { limit: 10, .. })));
}
