//! Rings that are left so rarely that floats stop changing far from the true value: a patient hero
//! wins for certain, another one takes a chance of three in five.

use num_rational::BigRational;
use num_traits::One;
use oddsmith_fightingfantasy::Hero;
use oddsmith_gamebook::{Book, BookBuilder, BookGame, BookSolver, Error};

const WON: u32 = 900;
const LOST: u32 = 901;
const CHANCE: u32 = 902;

fn game(book: BookBuilder) -> BookGame {
    let book = book.chance(CHANCE, [(WON, 3), (LOST, 2)]);
    let book = book.won(WON).lost(LOST).build().unwrap();
    book.game(Hero::new(7, 14, 7).unwrap()).unwrap()
}

/// A door that opens once in a given number of times.
fn door(times: u32) -> BookGame {
    let book = Book::builder().choice(1, [("push", 2), ("leave", CHANCE)]);
    game(book.chance(2, [(1, times - 1), (WON, 1)]))
}

/// A climb in which five of six steps lead back to the foot.
fn climb(steps: u32) -> BookGame {
    let mut book = Book::builder().choice(1, [("climb", 2), ("leave", CHANCE)]);
    for step in 2..2 + steps {
        let next = if step == 1 + steps { WON } else { step + 1 };
        book = book.chance(step, [(1, 5), (next, 1)]);
    }
    game(book)
}

#[track_caller]
fn is_certain(game: &BookGame) {
    let solver = BookSolver::new(game);
    let valuation = solver.solve(game.start()).unwrap();
    let error = valuation.error().unwrap();
    assert!(
        1.0 - valuation.win() <= error && error < 1e-9,
        "{valuation}"
    );

    let policy = solver.policy(game.start()).unwrap();
    assert!((policy.valuation().win() - valuation.win()).abs() <= error);
    let journey = game.follow(&policy, game.start(), 1_000).unwrap();
    assert_eq!(BigRational::clone(journey.value()), BigRational::one());

    let within = solver.approximate(game.start(), 0.001).unwrap();
    let (least, most) = within.enclosure().unwrap();
    assert!(0.998 < least && most == 1.0, "{least} {most}");
}

#[test]
fn a_door_that_hardly_ever_opens() {
    for times in [2, 1_000, 10_000_000, 100_000_000, u32::MAX] {
        is_certain(&door(times));
    }
}

#[test]
fn a_climb_that_hardly_ever_succeeds() {
    for steps in [1, 4, 8, 12, 16, 20, 24, 100] {
        is_certain(&climb(steps));
    }
}

/// If sheets may not be solved one by one, the result has no proven error.
#[test]
fn what_is_not_enclosed_has_no_error() {
    let game = climb(24);
    let solver = BookSolver::new(&game).sheet_by_sheet(0);
    let valuation = solver.solve(game.start()).unwrap();
    assert_eq!((valuation.win(), valuation.error()), (0.6, None));
    // From above it converges too slowly.
    let within = solver.max_sweeps(1_000).approximate(game.start(), 0.001);
    assert!(matches!(within, Err(Error::BookTooLarge { .. })));
}
