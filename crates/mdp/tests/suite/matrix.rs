//! Matrix games compared with the kernels of Shapley and Snow, closed forms, the theorems of the
//! field and published tables.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use crate::kernels::{Matrix, kernels};
use num_rational::BigRational;
use num_traits::Zero;
use oddsmith_dice::IntoRatio;
use oddsmith_mdp::{Dominance, Dominator, Error, MatrixGame, Side, Strategy};
use quickcheck::{Arbitrary, Gen, quickcheck};

fn ratio(text: impl IntoRatio) -> BigRational {
    text.into_ratio().unwrap()
}

fn texts(strategies: &[Strategy]) -> Vec<String> {
    strategies.iter().map(Strategy::to_string).collect()
}

/// Small integers, so that ties, dominated and degenerate games are common.
#[derive(Clone, Debug)]
struct Small(Vec<Vec<i64>>);

impl Small {
    fn game(&self) -> MatrixGame {
        MatrixGame::new(self.0.clone()).unwrap()
    }

    fn ratios(&self) -> Matrix {
        let row = |row: &Vec<i64>| row.iter().map(|&entry| ratio(entry)).collect();
        self.0.iter().map(row).collect()
    }
}

fn any(g: &mut Gen, most: usize) -> Small {
    let size = |g: &mut Gen| 1 + usize::arbitrary(g) % most;
    let (rows, columns) = (size(g), size(g));
    let span = *g.choose(&[2, 3, 5, 20, 1000]).unwrap();
    let mut entry = || i64::arbitrary(g).rem_euclid(span) - span / 2;
    Small(
        (0..rows)
            .map(|_| (0..columns).map(|_| entry()).collect())
            .collect(),
    )
}

impl Arbitrary for Small {
    fn arbitrary(g: &mut Gen) -> Self {
        any(g, 4)
    }
}

/// Up to 12 × 12: too large for the oracle, but not for the theorems.
#[derive(Clone, Debug)]
struct Large(Small);

impl Arbitrary for Large {
    fn arbitrary(g: &mut Gen) -> Self {
        Large(any(g, 12))
    }
}

#[test]
fn the_generator_reaches_mixed_pure_degenerate_and_ambiguous_games() {
    // A fixed seed: rare cases must not make the test fail at random.
    let mut g = Gen::from_size_and_seed(100, 1);
    let (mut mixed, mut pure, mut ambiguous, mut zero, mut full) = (0, 0, 0, 0, 0);
    for _ in 0..2000 {
        let small = Small::arbitrary(&mut g);
        let game = small.game();
        if game.saddle_points().is_empty() {
            mixed += 1;
        } else {
            pure += 1;
        }
        let oracle = kernels(&small.ratios());
        ambiguous += usize::from(oracle.rows.len() > 1);
        zero += usize::from(oracle.value.is_zero());
        full += usize::from(game.solve().unwrap().row().support().len() > 2);
    }
    assert!(mixed > 200 && pure > 200, "{mixed} {pure}");
    assert!(
        ambiguous > 100 && zero > 100 && full > 5,
        "{ambiguous} {zero} {full}"
    );
}

quickcheck! {
    fn kernels_give_the_same_value(small: Small) -> bool {
        small.game().value().unwrap() == kernels(&small.ratios()).value
    }

    fn kernels_give_the_same_extreme_strategies(small: Small) -> bool {
        let oracle = kernels(&small.ratios());
        let game = small.game();
        let same = |side, expected: &Matrix| {
            let extreme = game.extreme_optimal(side, 10_000).unwrap();
            let extreme = extreme.iter().map(|s| s.probabilities().collect::<Vec<_>>());
            extreme.eq(expected.iter().cloned())
        };
        same(Side::Row, &oracle.rows) && same(Side::Column, &oracle.columns)
    }

    fn the_solution_certifies_itself(large: Large) -> bool {
        let game = large.0.game();
        let found = game.solve().unwrap();
        let sides = [(Side::Row, found.row()), (Side::Column, found.column())];
        game.is_equilibrium(found.row(), found.column()).unwrap()
            && sides.into_iter().all(|(side, s)| {
                game.guarantee(side, s).unwrap() == *found.value()
                    && game.is_optimal(side, s).unwrap()
            })
            && game.expected(found.row(), found.column()).unwrap() == *found.value()
    }

    fn what_is_played_is_a_best_answer(large: Large) -> bool {
        let game = large.0.game();
        let found = game.solve().unwrap();
        let to_row = game.best_answers(Side::Row, found.row()).unwrap();
        let to_column = game.best_answers(Side::Column, found.column()).unwrap();
        found.column().support().iter().all(|c| to_row.contains(c))
            && found.row().support().iter().all(|r| to_column.contains(r))
    }

    fn the_value_lies_between_maximin_and_minimax(large: Large) -> bool {
        let game = large.0.game();
        let value = game.value().unwrap();
        let (low, high) = (game.maximin().value, game.minimax().value);
        let saddles = game.saddle_points();
        low <= value
            && value <= high
            && (low == high) != saddles.is_empty()
            && saddles.iter().all(|&(r, c)| game.payoff(r, c) == Some(value.clone()))
    }

    fn saddle_points_are_lowest_in_their_row_and_highest_in_their_column(small: Small) -> bool {
        let a = &small.0;
        let mut expected = Vec::new();
        for r in 0..a.len() {
            for c in 0..a[0].len() {
                let low = a[r].iter().all(|entry| *entry >= a[r][c]);
                if low && a.iter().all(|row| row[c] <= a[r][c]) {
                    expected.push((r, c));
                }
            }
        }
        small.game().saddle_points() == expected
    }

    fn a_constant_shifts_the_value_and_a_factor_scales_it(large: Large, by: i8, times: u8) -> bool {
        let factor = ratio((1 + i64::from(times), 7));
        let shift = ratio((i64::from(by), 3));
        let changed = large.0.0.iter().map(|row| {
            row.iter().map(|&entry| ratio(entry) * &factor + &shift).collect::<Vec<_>>()
        });
        let before = large.0.game().solve().unwrap();
        let after = MatrixGame::new(changed).unwrap().solve().unwrap();
        *after.value() == before.value() * factor + shift
            && after.row() == before.row()
            && after.column() == before.column()
    }

    fn changing_seats_negates_the_value(large: Large) -> bool {
        let game = large.0.game();
        let swapped = game.swapped();
        let (here, there) = (game.solve().unwrap(), swapped.solve().unwrap());
        swapped.swapped() == game
            && -here.value() == *there.value()
            && game.is_equilibrium(there.column(), there.row()).unwrap()
    }

    fn an_antisymmetric_game_is_fair(large: Large) -> bool {
        let a = &large.0.0;
        let n = a.len().min(a[0].len());
        let cell = |i: usize, j: usize| a[i][j] - a[j][i];
        let rows = (0..n).map(|i| (0..n).map(move |j| cell(i, j)).collect::<Vec<_>>());
        MatrixGame::new(rows).unwrap().solve().unwrap().is_fair()
    }

    fn two_by_two_without_saddle_has_a_closed_form(a: i8, b: i8, c: i8, d: i8) -> bool {
        let [a, b, c, d] = [a, b, c, d].map(i64::from);
        let game = MatrixGame::new([[a, b], [c, d]]).unwrap();
        let found = game.solve().unwrap();
        if !game.saddle_points().is_empty() {
            return found.pivots() == 0;
        }
        let s = a + d - b - c;
        *found.value() == ratio((a * d - b * c, s))
            && found.row().p(0) == ratio((d - c, s))
            && found.column().p(0) == ratio((d - b, s))
    }

    fn elimination_keeps_the_value(large: Large) -> bool {
        let game = large.0.game();
        let value = game.value().unwrap();
        let mixed = game.eliminate_mixed().unwrap();
        let all = [game.eliminate(), game.eliminate_weakly(), mixed];
        all.iter().all(|left| {
            left.game().value().unwrap() == value
                && left.rows().len() + left.columns().len() + left.removals().len()
                    == game.rows() + game.columns()
        })
    }

    fn strict_elimination_leaves_every_optimal_strategy(small: Small) -> bool {
        let game = small.game();
        let left = game.eliminate_mixed().unwrap();
        let inside = |side, kept: &[usize]| {
            let extreme = game.extreme_optimal(side, 10_000).unwrap();
            extreme.iter().all(|s| s.support().iter().all(|own| kept.contains(own)))
        };
        inside(Side::Row, left.rows()) && inside(Side::Column, left.columns())
    }

    fn a_dominated_row_changes_nothing(large: Large, weights: Vec<u8>, loss: u8) -> bool {
        // The new row is a mixture of the others, minus something.
        let a = &large.0.0;
        let weight = |r: usize| 1 + i64::from(weights.get(r).copied().unwrap_or(0));
        let total: i64 = (0..a.len()).map(weight).sum();
        let mixture = (0..a[0].len()).map(|c| {
            let sum: i64 = (0..a.len()).map(|r| weight(r) * a[r][c]).sum();
            ratio((sum, total)) - ratio(1 + i64::from(loss))
        });
        let mut rows = large.0.ratios();
        rows.push(mixture.collect());
        let more = MatrixGame::new(rows).unwrap();
        let last = a.len();
        let dominator = more.mixed_dominator(Side::Row, last).unwrap().unwrap();
        let better = (0..a[0].len()).all(|c| {
            let answer = Strategy::pure(c, a[0].len()).unwrap();
            more.expected(&dominator, &answer).unwrap() > more.payoff(last, c).unwrap()
        });
        better
            && dominator.p(last).is_zero()
            && more.value().unwrap() == large.0.game().value().unwrap()
            && !more.eliminate_mixed().unwrap().rows().contains(&last)
    }

    fn dominance_is_what_it_says(small: Small) -> bool {
        let game = small.game();
        let a = &small.0;
        (0..a.len()).all(|i| (0..a.len()).all(|j| {
            let pairs = || a[i].iter().zip(&a[j]);
            let expected = if pairs().all(|(x, y)| x > y) {
                Some(Dominance::Strict)
            } else if pairs().all(|(x, y)| x >= y) && a[i] != a[j] {
                Some(Dominance::Weak)
            } else {
                None
            };
            game.dominates(Side::Row, i, j) == expected
                && game.swapped().dominates(Side::Column, i, j) == expected
        }))
    }
}

/// Mixed 64-bit words of a counter (splitmix64).
fn word(counter: &mut u64) -> u64 {
    *counter = counter.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *counter;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[test]
fn games_too_long_for_machine_integers_are_solved_too() {
    let mut counter = 5;
    for size in [2, 5, 12, 30] {
        let mut entry = || {
            (
                word(&mut counter) as i64,
                1_u64 << (word(&mut counter) >> 58),
            )
        };
        let rows: Vec<Vec<_>> = (0..size)
            .map(|_| (0..size + 1).map(|_| entry()).collect())
            .collect();
        let game = MatrixGame::new(rows).unwrap();
        let found = game.solve().unwrap();
        assert!(game.is_equilibrium(found.row(), found.column()).unwrap());
        assert!(found.value().denom().bits() > 40);
    }
}

#[test]
fn a_game_of_forty_rows_with_ties_everywhere_ends() {
    // Only the entries 0 and 1: every ratio test of the simplex algorithm ties.
    let mut counter = 1;
    let rows: Vec<Vec<u64>> = (0..40)
        .map(|_| (0..40).map(|_| word(&mut counter) & 1).collect())
        .collect();
    let game = MatrixGame::new(rows).unwrap();
    let found = game.solve().unwrap();
    assert!(game.is_equilibrium(found.row(), found.column()).unwrap());
    assert!(found.pivots() > 10);
}

#[track_caller]
fn check<const N: usize>(rows: [&[i64]; N], value: &str, row: &str, column: &str) {
    let game = MatrixGame::new(rows.map(<[i64]>::to_vec)).unwrap();
    let found = game.solve().unwrap();
    assert_eq!(found.value().to_string(), value);
    assert_eq!(found.row().to_string(), row);
    assert_eq!(found.column().to_string(), column);
}

#[test]
fn classics() {
    // Matching pennies; rock, paper, scissors; the same with a double win of
    // rock; Morra with one or two fingers, the sum paid to the row on evens.
    check([&[1, -1], &[-1, 1]], "0", "(1/2, 1/2)", "(1/2, 1/2)");
    check(
        [&[0, -1, 1], &[1, 0, -1], &[-1, 1, 0]],
        "0",
        "(1/3, 1/3, 1/3)",
        "(1/3, 1/3, 1/3)",
    );
    check(
        [&[0, -1, 2], &[1, 0, -1], &[-2, 1, 0]],
        "0",
        "(1/4, 1/2, 1/4)",
        "(1/4, 1/2, 1/4)",
    );
    check(
        [&[2, -3], &[-3, 4]],
        "-1/12",
        "(7/12, 5/12)",
        "(7/12, 5/12)",
    );
    // A single entry, a single row, a single column.
    check([&[-7]], "-7", "(1)", "(1)");
    check([&[3, 1, 2]], "1", "(1)", "(0, 1, 0)");
    check([&[3], &[5], &[4]], "5", "(0, 1, 0)", "(1)");
    // Diagonal games: v = 1 / Σ 1/d.
    check(
        [&[1, 0, 0], &[0, 2, 0], &[0, 0, 3]],
        "6/11",
        "(6/11, 3/11, 2/11)",
        "(6/11, 3/11, 2/11)",
    );
}

#[test]
fn all_saddle_points_and_all_optimal_strategies() {
    let game = MatrixGame::new([[1, 1, 2], [1, 1, 0], [0, 1, 3]]).unwrap();
    assert_eq!(game.saddle_points(), [(0, 0), (0, 1)]);
    let flat = MatrixGame::new([[2, 2], [2, 2], [2, 2]]).unwrap();
    assert_eq!(flat.saddle_points().len(), 6);
    assert_eq!(
        texts(&flat.extreme_optimal(Side::Row, 10).unwrap()),
        ["(1, 0, 0)", "(0, 1, 0)", "(0, 0, 1)"]
    );
    assert_eq!(
        flat.extreme_optimal(Side::Row, 2).err(),
        Some(Error::TooManyCorners { limit: 2 })
    );
}

/// H. Georgiou, "RISK Board Game – Battle Outcome Analysis", rev. 3 (2004):
/// the attacker's game values, dice of the attacker down, of the defender
/// across. The cell of one die against two is empty there.
#[track_caller]
fn check_risk(one: &str, others: [[&str; 2]; 2], saddle: (usize, usize), value: &str) {
    // A defender limited to the number of dice of the attacker rolls one.
    let [two, three] = others;
    let game = MatrixGame::new([[one, one], two, three]).unwrap();
    assert!(game.saddle_points().contains(&saddle), "{game}");
    let found = game.solve().unwrap();
    assert_eq!(found.value(), &ratio(value));
    assert!(found.row().as_pure().is_some());
}

#[test]
fn risk_as_published() {
    // Tables 2, 4, 7 and 10.
    check_risk(
        "-0.1667",
        [["0.1574", "-0.1103"], ["0.3194", "0.0395"]],
        (2, 1),
        "0.0395",
    );
    // "a preferred strategy of 1 unit force emerges at cell (1,1)": a saddle point, so the mixed
    // strategies of the text are not needed.
    check_risk(
        "0.1667",
        [["0.4907", "0"], ["0.6528", "0.1634"]],
        (0, 1),
        "0.1667",
    );
    check_risk(
        "-0.4444",
        [["-0.1667", "-0.1933"], ["-0.0123", "-0.0566"]],
        (2, 1),
        "-0.0566",
    );
    check_risk(
        "-0.6667",
        [["-0.4630", "-0.2504"], ["-0.3333", "-0.1255"]],
        (2, 0),
        "-0.3333",
    );
}

#[test]
fn risk_corrected() {
    // The exact expected gain for each comparison of dice: the published program halves the values
    // of two comparisons.
    let standard = [["17/108", "-143/648"], ["23/72", "205/2592"]];
    check_risk("-1/6", standard, (2, 1), "205/2592");
    // Attacker +1: three dice now beat one, and (2, 2) is fair.
    check_risk(
        "1/6",
        [["53/108", "0"], ["47/72", "847/2592"]],
        (2, 1),
        "847/2592",
    );
    // If two dice may be used against one, three dice remain the saddle point.
    let hasbro = [["-1/6", "-53/108"], standard[0], standard[1]];
    let game = MatrixGame::new(hasbro).unwrap();
    assert_eq!(game.saddle_points(), [(2, 1)]);
    assert_eq!(game.eliminate().rows(), [2]);
    assert_eq!(
        game.eliminate().to_string(),
        "row 0 is strictly dominated by row 1\n\
         row 1 is strictly dominated by row 2\n\
         column 0 is strictly dominated by column 1\n"
    );
}

#[test]
fn removals_name_the_rows_of_the_original_game() {
    let game = MatrixGame::new([[9, 0, 0], [0, 4, 0], [0, 0, 4], [-1, 1, 1]]).unwrap();
    let left = game.eliminate_mixed().unwrap();
    let [removal] = left.removals() else {
        panic!("{left}");
    };
    assert_eq!((removal.side, removal.removed), (Side::Row, 3));
    assert_eq!(removal.dominance, Dominance::Strict);
    let Dominator::Mixed(by) = &removal.by else {
        panic!("{removal}");
    };
    assert_eq!((by.len(), by.p(3)), (4, ratio(0)));
    assert_eq!(
        left.game(),
        &MatrixGame::new([[9, 0, 0], [0, 4, 0], [0, 0, 4]]).unwrap()
    );
}

#[test]
fn bad_matrices_are_refused() {
    let none: [[i64; 0]; 0] = [];
    assert_eq!(MatrixGame::new(none).err(), Some(Error::EmptyMatrix));
    let empty: [[i64; 0]; 3] = [[]; 3];
    assert_eq!(MatrixGame::new(empty).err(), Some(Error::EmptyMatrix));
    let ragged = Error::RaggedMatrix {
        row: 2,
        columns: 3,
        expected: 2,
    };
    assert_eq!(
        MatrixGame::new([vec![1, 2], vec![3, 4], vec![5, 6, 7]]).err(),
        Some(ragged)
    );
    for text in ["NaN", "inf", "1e3", "", "1/0"] {
        let error = MatrixGame::new([[text]]).err();
        assert!(matches!(error, Some(Error::Dice(_))), "{text}: {error:?}");
    }
    // An infinite row, and infinitely many rows.
    let row = std::iter::repeat_n(std::iter::repeat(1), 1);
    assert!(matches!(
        MatrixGame::new(row),
        Err(Error::MatrixTooLarge { .. })
    ));
    let empty = std::iter::repeat(Vec::<i64>::new());
    assert_eq!(MatrixGame::new(empty).err(), Some(Error::EmptyMatrix));
}

#[test]
fn a_common_denominator_out_of_proportion_is_refused() {
    // 400 coprime denominators: over their product every entry is long.
    let entries = (0..400_u64).map(|k| (1, (1 << 40) + 2 * k + 1));
    let error = MatrixGame::new_within([entries], 1_000).err();
    assert!(
        matches!(error, Some(Error::MatrixTooLarge { limit: 1_000, .. })),
        "{error:?}"
    );
}

#[test]
fn limits_end_the_work() {
    let rows: Vec<Vec<i64>> = (0..30)
        .map(|r| (0..30).map(|c| (r * 31 + c * c * 7) % 23).collect())
        .collect();
    let game = MatrixGame::new(rows).unwrap();
    assert!(matches!(
        game.solve_within(100),
        Err(Error::MatrixTooLarge { limit: 100, .. })
    ));
    let stopped = game.solve_within(20_000);
    assert!(
        matches!(
            stopped,
            Err(Error::TooManyPivots {
                pivots: 1..,
                limit: 20_000
            })
        ),
        "{stopped:?}"
    );
    assert!(game.solve().is_ok());
}

#[test]
fn bad_strategies_are_refused() {
    let bad =
        |strategy: Result<Strategy, Error>| matches!(strategy, Err(Error::BadStrategy { .. }));
    assert!(bad(Strategy::new([(1, 2), (1, 3)])));
    assert!(bad(Strategy::new([(3, 2), (-1, 2)])));
    assert!(bad(Strategy::new(Vec::<i64>::new())));
    assert!(bad(Strategy::pure(0, 0)));
    assert!(bad(Strategy::pure(0, usize::MAX)));
    assert!(matches!(Strategy::new(["x"]), Err(Error::Dice(_))));
    let game = MatrixGame::new([[1, 2, 3], [4, 5, 6]]).unwrap();
    let three = Strategy::pure(0, 3).unwrap();
    let two = Strategy::pure(0, 2).unwrap();
    assert!(game.expected(&two, &three).is_ok());
    assert!(matches!(
        game.expected(&three, &two),
        Err(Error::BadStrategy { .. })
    ));
    assert!(matches!(
        game.guarantee(Side::Row, &three),
        Err(Error::BadStrategy { .. })
    ));
    assert_eq!(game.payoff(0, 3), None);
    assert_eq!(game.payoff(usize::MAX, 1), None);
    assert_eq!(game.dominates(Side::Row, 0, 2), None);
    assert_eq!(game.mixed_dominator(Side::Row, 9), Ok(None));
}

#[test]
fn equal_games_are_equal_whatever_they_were_made_of() {
    let a = MatrixGame::new([["1/2", "0.25"], ["2", "-3"]]).unwrap();
    let b = MatrixGame::new([[(2, 4), (1, 4)], [(4, 2), (-9, 3)]]).unwrap();
    assert_eq!(a, b);
    assert_eq!(a.to_string(), "1/2  1/4\n  2   -3\n");
}

/// Regression test: coprime denominators are multiplied, and thirty thousand of them took two
/// gigabytes and gave an error of 300,000 characters.
#[test]
fn strategies_over_ever_longer_denominators_are_refused() {
    let mut primes: Vec<u32> = Vec::new();
    for number in 2.. {
        if primes.iter().all(|prime| number % prime != 0) {
            primes.push(number);
        }
        if primes.len() == 15_000 {
            break;
        }
    }
    let error = |count: usize| {
        let chances = primes[..count].iter().map(|prime| (1, i64::from(*prime)));
        Strategy::new(chances).unwrap_err().to_string()
    };
    assert_eq!(
        error(15_000),
        "not a mixed strategy: over a common denominator, its 15000 probabilities exceed the limit of 128 MiB"
    );
    assert!(error(1_000).len() < 100, "{}", error(1_000));
}
