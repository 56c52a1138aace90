//! A whole long book in fractions.

use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_gamebook::{Book, BookSolver, FollowLimits};

use crate::pieces::rolled;

/// What floats decide is exactly as good as anything can be. A forward pass through all that best
/// play reaches gives the same fraction as a backward pass through all that might be best.
#[test]
fn a_weak_hero_in_city_of_thieves() {
    let game = Book::city_of_thieves().unwrap();
    let game = game.game(rolled(6, 2, 7).item("dexterity_potion")).unwrap();
    let solver = BookSolver::new(&game);
    let value = solver.solve_exact(game.start()).unwrap();
    let digits = |number: &num_bigint::BigInt| number.to_string().len();
    assert_eq!((digits(value.numer()), digits(value.denom())), (568, 569));
    let policy = solver.policy(game.start()).unwrap();
    let limits = FollowLimits::default();
    let followed = game.follow_within::<BigRational>(&policy, game.start(), limits);
    assert_eq!(*followed.unwrap().value(), value);
    let off = policy.valuation().win() - value.to_f64().unwrap();
    assert!(off.abs() <= policy.valuation().error().unwrap());
}

/// More than eight million places without the odds.
#[test]
fn the_last_half_for_the_best_hero() {
    let game = Book::city_of_thieves().unwrap();
    let game = game
        .game(rolled(9, 12, 12).item("dexterity_potion"))
        .unwrap();
    let start = game.start_at(20).unwrap();
    let solver = BookSolver::new(&game);
    let value = solver.solve_exact(start).unwrap();
    let float = solver.solve(start).unwrap();
    assert!((float.win() - value.to_f64().unwrap()).abs() <= float.error().unwrap());
    assert_eq!(value.denom().to_string().len(), 346);
    let refused = solver.max_bytes(1 << 20).solve_exact(start).unwrap_err();
    let refused = refused.to_string();
    assert!(
        refused.starts_with("the number of bytes exceeds the limit of 1048576, "),
        "{refused}"
    );
}
