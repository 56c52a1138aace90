//! Expected numbers of moves, where each move pays one and play can return.

use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};
use oddsmith_mdp::{Solver, Table};

/// With a reward of one for each move, the value is the expected number of moves.
#[track_caller]
fn check_moves(table: &Table, start: usize) -> BigRational {
    let exact = Solver::exact()
        .allow_cycles()
        .solve_table(table, start)
        .unwrap();
    let visits = exact.visits().unwrap();
    let wanted = visits.expected_count(|_| true).unwrap();
    assert_eq!(exact.value(), wanted);
    let float = Solver::float()
        .allow_cycles()
        .solve_table(table, start)
        .unwrap();
    let error = float.error(&start).unwrap();
    let gap = BigRational::from_float(float.value()).unwrap() - &wanted;
    assert!(gap.abs() <= BigRational::from_float(error).unwrap());
    assert!(error <= 1e-10 * float.value(), "{error}");
    wanted
}

/// Gambler's ruin takes h (n − h) fair tosses.
#[test]
fn the_length_of_gamblers_ruin() {
    for n in [3, 10, 200] {
        let ruin = Table::from_fn(n + 1, |hand, row| {
            if hand == 0 || hand == n {
                return row.end(0);
            }
            row.choice().to(hand - 1, 1).to(hand + 1, 1).reward(1);
        })
        .unwrap();
        let hand = n / 3;
        assert_eq!(
            check_moves(&ruin, hand),
            BigRational::from_integer((hand * (n - hand)).into())
        );
    }
    // An unfair coin, and tosses that do not count: proportionally more.
    let ruin = Table::from_fn(31, |hand, row| match hand {
        0 | 30 => row.end(0),
        _ => {
            row.choice()
                .to(hand - 1, 10)
                .to(hand + 1, 9)
                .to(hand, 19)
                .reward(1);
        }
    })
    .unwrap();
    let moves = check_moves(&ruin, 12).to_f64().unwrap();
    let (q, p) = (10.0_f64 / 19.0, 9.0 / 19.0);
    let r = q / p;
    let wanted = 12.0 / (q - p) - 30.0 / (q - p) * (1.0 - r.powi(12)) / (1.0 - r.powi(30));
    assert!((moves - 2.0 * wanted).abs() < 1e-9, "{moves} {wanted}");
}

#[test]
fn the_length_of_snakes_and_ladders() {
    let to = |square: usize| match square {
        9 => 2,
        3 => 7,
        _ => square.min(10),
    };
    let board = Table::from_fn(11, |square, row| match square {
        10 => row.end(0),
        _ => {
            row.choice()
                .to(to(square + 1), 1)
                .to(to(square + 2), 1)
                .reward(1);
        }
    })
    .unwrap();
    check_moves(&board, 0);
}

/// A grid with a wind: the fewest moves, although every square can be revisited for ever (D. P.
/// Bertsekas and J. N. Tsitsiklis, 1991).
#[test]
fn the_fewest_expected_moves() {
    const SIDE: usize = 6;
    let wind = 3; // of 10: a square to the left instead
    let table = Table::from_fn(SIDE * SIDE, |square, row| {
        let (x, y) = (square % SIDE, square / SIDE);
        if square == SIDE * SIDE - 1 {
            return row.end(0);
        }
        let blown = y * SIDE + x.saturating_sub(1);
        let near = [
            (x + 1 < SIDE).then_some(square + 1),
            (y + 1 < SIDE).then_some(square + SIDE),
            x.checked_sub(1).map(|_| square - 1),
            y.checked_sub(1).map(|_| square - SIDE),
        ];
        for next in near.into_iter().flatten() {
            row.choice().to(next, 10 - wind).to(blown, wind).reward(-1);
        }
    })
    .unwrap();
    let exact = Solver::exact()
        .allow_cycles()
        .solve_table(&table, 0)
        .unwrap();
    let visits = exact.visits().unwrap();
    assert_eq!(exact.value(), -visits.expected_count(|_| true).unwrap());
    // Value iteration, starting from 0.
    let mut values = [0.0; SIDE * SIDE];
    for _ in 0..5000 {
        for square in (0..SIDE * SIDE - 1).rev() {
            let (x, y) = (square % SIDE, square / SIDE);
            let blown = values[y * SIDE + x.saturating_sub(1)];
            let mut best = f64::NEG_INFINITY;
            let mut consider = |next: usize| {
                best = best.max(0.7 * values[next] + 0.3 * blown - 1.0);
            };
            if x + 1 < SIDE {
                consider(square + 1);
            }
            if y + 1 < SIDE {
                consider(square + SIDE);
            }
            if x > 0 {
                consider(square - 1);
            }
            if y > 0 {
                consider(square - SIDE);
            }
            values[square] = best;
        }
    }
    let certified = Solver::certified()
        .allow_cycles()
        .solve_table(&table, 0)
        .unwrap();
    for (square, wanted) in values.iter().enumerate() {
        let value = exact.value_of(&square).unwrap();
        assert!((value.to_f64().unwrap() - wanted).abs() < 1e-9);
        let (low, high) = certified.enclosure(&square).unwrap();
        assert!(BigRational::from_float(low).unwrap() <= value);
        assert!(BigRational::from_float(high).unwrap() >= value);
        assert!(high - low < 1e-10);
    }
}
