//! Games with cycles with known answers, and invalid games.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use std::ops::ControlFlow;

use crate::cyclic::{Model, Row, check_solution, ratio};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};
use oddsmith_mdp::{Error, Game, Node, Phase, Player, Solver, Table, Tolerance};

fn model(rows: Vec<Row>) -> Model {
    Model { rows, start: 0 }
}

fn player(laws: &[&[(usize, u64)]]) -> Row {
    Row::Choices(Player::Max, laws.iter().map(|law| law.to_vec()).collect())
}

/// 0 may wait for 1, which leads back, or finish: both are worth 1 if waiting is free, but only
/// finishing ends.
#[test]
fn waiting_for_ever_is_not_chosen() {
    for waits_first in [true, false] {
        let (wait, finish): (&[_], &[_]) = (&[(1, 1)], &[(2, 1)]);
        let laws = if waits_first {
            [wait, finish]
        } else {
            [finish, wait]
        };
        let model = model(vec![player(&laws), player(&[&[(0, 1)]]), Row::End(1)]);
        check_solution(&model);
        let solution = Solver::exact().allow_cycles().solve(&model, 0).unwrap();
        assert_eq!(
            solution.decision(&0).unwrap(),
            Some(usize::from(waits_first))
        );
        assert_eq!(solution.best(&0).unwrap(), [0, 1]);
        assert_eq!(
            solution.visits().unwrap().expected_count(|_| true).unwrap(),
            ratio(1, 1)
        );
    }
}

/// Three rooms in a ring, one of them with a door: all ways round are ties.
#[test]
fn play_finds_the_way_to_the_door() {
    let model = model(vec![
        player(&[&[(1, 1)], &[(2, 1)]]),
        player(&[&[(0, 1)], &[(2, 1)]]),
        player(&[&[(0, 1)], &[(1, 1)], &[(3, 2), (4, 1)]]),
        Row::End(3),
        Row::End(-3),
    ]);
    check_solution(&model);
    let solution = Solver::exact().allow_cycles().solve(&model, 0).unwrap();
    assert_eq!(solution.value(), ratio(1, 1));
    let certified = Solver::certified().allow_cycles().solve(&model, 0).unwrap();
    assert_eq!(certified.undecided(), 0);
}

/// Going round for ever would avoid the loss, but play must end.
#[test]
fn a_bad_end_cannot_be_put_off_for_ever() {
    let loss = model(vec![
        player(&[&[(1, 1)], &[(2, 1)]]),
        player(&[&[(0, 1)]]),
        Row::End(-5),
    ]);
    check_solution(&loss);
    let solution = Solver::exact().allow_cycles().solve(&loss, 0).unwrap();
    assert_eq!(solution.value(), ratio(-5, 1));
    // The opponent may not withhold a win either.
    let mut win = model(vec![
        player(&[&[(1, 1)], &[(2, 1)]]),
        player(&[&[(0, 1)]]),
        Row::End(5),
    ]);
    for row in &mut win.rows {
        if let Row::Choices(player, _) = row {
            *player = Player::Min;
        }
    }
    let solution = Solver::exact().allow_cycles().solve(&win, 0).unwrap();
    assert_eq!(solution.value(), ratio(5, 1));
}

#[test]
fn a_trap_is_an_error_with_its_states() {
    let trap = model(vec![
        player(&[&[(1, 1), (3, 1)], &[(3, 1)]]),
        player(&[&[(2, 1)]]),
        player(&[&[(1, 1), (2, 5)]]),
        Row::End(1),
    ]);
    let error = Solver::exact().allow_cycles().solve(&trap, 0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "play can never end from 1, 2, whatever is decided: its expected length is infinite"
    );
    let ring = Table::from_fn(101, |state, row| {
        if state == 100 {
            row.end(0);
        } else {
            row.choice().to((state + 1) % 100, 1);
        }
    })
    .unwrap();
    let error = Solver::float()
        .allow_cycles()
        .solve_table(&ring, 0)
        .unwrap_err();
    match &error {
        Error::EndlessCycle { states, count } => assert_eq!((states.len(), *count), (20, 100)),
        other => panic!("{other}"),
    }
    assert!(
        error.to_string().contains("19 and 80 more states"),
        "{error}"
    );
    // A policy that never ends has no value either.
    let free = model(vec![
        player(&[&[(1, 1)], &[(2, 1)]]),
        player(&[&[(0, 1)]]),
        Row::End(1),
    ]);
    let wait = |_: &usize, _: &[usize]| 0;
    let error = Solver::exact()
        .allow_cycles()
        .evaluate(&free, wait, 0)
        .unwrap_err();
    assert!(
        matches!(error, Error::EndlessCycle { count: 2, .. }),
        "{error}"
    );
}

#[test]
fn both_players_on_a_cycle_they_may_never_leave() {
    let mut duel = model(vec![
        player(&[&[(1, 1)], &[(2, 1)]]),
        player(&[&[(0, 1)], &[(3, 1)]]),
        Row::End(1),
        Row::End(0),
    ]);
    if let Row::Choices(player, _) = &mut duel.rows[1] {
        *player = Player::Min;
    }
    let error = Solver::exact().allow_cycles().solve(&duel, 0).unwrap_err();
    assert!(
        matches!(error, Error::CycleOfBoth { count: 2, .. }),
        "{error}"
    );
    assert!(
        error
            .to_string()
            .starts_with("play can go on for ever among"),
        "{error}"
    );
}

/// The classic two-player game: each may pass the move on, and one time in three chance loses it.
#[test]
fn both_players_on_a_cycle_that_ends() {
    let mut game = model(vec![
        player(&[&[(1, 2), (3, 1)], &[(2, 1), (3, 1)]]),
        player(&[&[(0, 2), (2, 1)], &[(2, 1), (3, 1)]]),
        Row::End(1),
        Row::End(0),
    ]);
    if let Row::Choices(player, _) = &mut game.rows[1] {
        *player = Player::Min;
    }
    check_solution(&game);
    let solution = Solver::exact().allow_cycles().solve(&game, 0).unwrap();
    assert_eq!(solution.value(), ratio(1, 2));
    assert_eq!(solution.value_of(&1).unwrap(), ratio(1, 2));
}

#[test]
fn a_tolerance_is_refused_on_a_cycle_and_kept_off_it() {
    let rule = || Tolerance::absolute(1, 2).unwrap();
    let ring = model(vec![
        player(&[&[(1, 1)], &[(2, 1)]]),
        player(&[&[(0, 1)]]),
        Row::End(1),
    ]);
    let error = Solver::exact()
        .tolerance(rule())
        .allow_cycles()
        .solve(&ring, 0)
        .unwrap_err();
    assert!(matches!(error, Error::ToleranceInCycle { .. }), "{error}");
    let line = model(vec![
        player(&[&[(1, 1)], &[(1, 1), (2, 1)]]),
        Row::End(0),
        Row::End(1),
    ]);
    let solution = Solver::exact()
        .tolerance(rule())
        .allow_cycles()
        .solve(&line, 0)
        .unwrap();
    assert_eq!(solution.decision(&0).unwrap(), Some(0));
}

#[test]
fn without_being_allowed_a_cycle_is_an_error_that_shows_the_way() {
    let ring = model(vec![
        player(&[&[(1, 1)]]),
        player(&[&[(0, 1), (2, 1)]]),
        Row::End(1),
    ]);
    let path = ["0", "1", "0"].map(str::to_owned).to_vec();
    assert_eq!(
        Solver::exact().solve(&ring, 0).err(),
        Some(Error::Cycle { path })
    );
    let cyclic = Solver::exact().allow_cycles().solve(&ring, 0).unwrap();
    assert_eq!(cyclic.forecast().err(), Some(Error::ForecastOfCycles));
}

/// With heads of weight p and tails of weight q, 1 of n is won with probability
/// (1 − r) / (1 − rⁿ), r = q/p.
#[test]
fn gamblers_ruin_of_thousands() {
    let ruin = |n: usize, p: u64, q: u64| {
        Table::from_fn(n + 1, move |hand, row| {
            if hand == 0 || hand == n {
                row.end(hand == n);
            } else {
                row.choice().to(hand + 1, p).to(hand - 1, q);
            }
        })
        .unwrap()
    };
    for (n, p, q) in [
        (10, 1_u64, 1_u64),
        (11, 2, 1),
        (40, 18, 19),
        (1_000, 18, 19),
        (3_000, 1, 1),
    ] {
        let table = ruin(n, p, q);
        let exact = Solver::exact()
            .allow_cycles()
            .solve_table(&table, 1)
            .unwrap();
        let r = BigRational::new(BigInt::from(q), BigInt::from(p));
        let expected = if r.is_one() {
            ratio(1, n as i64)
        } else {
            (ratio(1, 1) - &r) / (ratio(1, 1) - r.pow(n as i32))
        };
        assert_eq!(exact.value(), expected, "{n} at {p}:{q}");
        let float = Solver::float()
            .allow_cycles()
            .solve_table(&table, 1)
            .unwrap();
        let gap = (BigRational::from_float(float.value()).unwrap() - expected).abs();
        let error = float.error(&1).unwrap();
        assert!(
            gap <= BigRational::from_float(error).unwrap() && error < 1e-8,
            "{error}"
        );
    }
}

/// Bold or timid: with less than even chances bold play is best (L. E. Dubins and
/// L. J. Savage, "How to Gamble if You Must", 1965).
#[test]
fn bold_play() {
    struct Casino;
    impl Game for Casino {
        type State = u32;
        type Action = u32;
        fn expand(&self, &hand: &u32, node: &mut Node<Self>) {
            if hand == 0 || hand == 16 {
                return node.end(hand == 16);
            }
            for stake in 1..=hand.min(16 - hand) {
                node.choice(stake).to(hand + stake, 2).to(hand - stake, 3);
            }
        }
    }
    let solution = Solver::exact().allow_cycles().solve(&Casino, 5).unwrap();
    // 5/16 = 0.0101 in binary.
    let bold = |hand: u32| {
        let (p, q) = (ratio(2, 5), ratio(3, 5));
        let mut value = ratio(0, 1);
        for bit in 0..4 {
            let one = hand >> bit & 1 == 1;
            value = if one { &p + &q * value } else { &p * value };
        }
        value
    };
    for hand in 1..16 {
        assert_eq!(solution.value_of(&hand).unwrap(), bold(hand), "{hand}");
        assert!(solution.best(&hand).unwrap().contains(&hand.min(16 - hand)));
    }
}

/// A throw at craps wins 244 of 495 times; the point is thrown for until it or a 7 appears. The
/// player is asked again after every throw, in the same state.
#[test]
fn craps() {
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    enum State {
        ComeOut,
        Point(u64),
        Thrown(u64, u64),
        Over(bool),
    }
    use State::{ComeOut, Over, Point, Thrown};
    struct Craps;
    impl Game for Craps {
        type State = State;
        type Action = ();
        fn expand(&self, state: &State, node: &mut Node<Self>) {
            let ways = |sum: u64| 6 - sum.abs_diff(7);
            match *state {
                Over(won) => node.end(won),
                ComeOut => {
                    let mut throw = node.chance();
                    for sum in 2..=12 {
                        let next = match sum {
                            7 | 11 => Over(true),
                            2 | 3 | 12 => Over(false),
                            _ => Point(sum),
                        };
                        throw.to(next, ways(sum));
                    }
                }
                Point(point) => {
                    let mut throw = node.chance();
                    for sum in 2..=12 {
                        throw.to(Thrown(point, sum), ways(sum));
                    }
                }
                Thrown(point, sum) => {
                    let next = match sum {
                        7 => Over(false),
                        _ if sum == point => Over(true),
                        _ => Point(point),
                    };
                    node.chance().to(next, 1);
                }
            }
        }
    }
    let solution = Solver::exact()
        .allow_cycles()
        .solve(&Craps, ComeOut)
        .unwrap();
    assert_eq!(solution.value(), ratio(244, 495));
    assert_eq!(solution.value_of(&Point(6)).unwrap(), ratio(5, 11));
    let visits = solution.visits().unwrap();
    let throws = visits
        .expected_count(|state| matches!(state, ComeOut | Point(_)))
        .unwrap();
    assert_eq!(throws, ratio(557, 165));
    assert_eq!(visits.chance(&Point(6)).unwrap(), ratio(5, 36));
    // It takes 36/11 throws until 6 or 7 appears, 5/36 of the time.
    assert_eq!(visits.visits(&Point(6)).unwrap(), ratio(5, 11));
}

/// Ten squares and a coin for one or two steps; 9 is a snake to 2, 3 a ladder to 7. The expected
/// number of tosses by value iteration.
#[test]
fn snakes_and_ladders() {
    let to = |square: usize| match square {
        9 => 2,
        3 => 7,
        _ => square.min(10),
    };
    let board = Table::from_fn(11, |square, row| match square {
        10 => row.end(1),
        _ => {
            row.choice().to(to(square + 1), 1).to(to(square + 2), 1);
        }
    })
    .unwrap();
    let solution = Solver::exact()
        .allow_cycles()
        .solve_table(&board, 0)
        .unwrap();
    let visits = solution.visits().unwrap();
    let tosses = visits.expected_count(|_| true).unwrap();
    let mut expected = [0.0; 11];
    for _ in 0..1000 {
        for square in (0..10).rev() {
            expected[square] = 1.0 + (expected[to(square + 1)] + expected[to(square + 2)]) / 2.0;
        }
    }
    let found = num_traits::ToPrimitive::to_f64(&tosses).unwrap();
    assert!((found - expected[0]).abs() < 1e-12, "{tosses}");
    // The distribution of the number of tosses, square by square.
    let mut law = [0.0; 11];
    law[0] = 1.0;
    for p in visits.lengths(30, |_| true).unwrap() {
        let mut next = [0.0; 11];
        for square in 0..10 {
            next[to(square + 1)] += law[square] / 2.0;
            next[to(square + 2)] += law[square] / 2.0;
        }
        let p = num_traits::ToPrimitive::to_f64(&p).unwrap();
        assert!((p - law[10]).abs() < 1e-15, "{p} {}", law[10]);
        law = next;
    }
}

/// A band of 1,500 states with six outcomes and a choice in each.
#[test]
fn a_long_band() {
    let n = 1_500_usize;
    let band = Table::from_fn(n + 2, |state, row| {
        if state >= n {
            return row.end(state == n);
        }
        for shift in [0, 1] {
            let choice = row.choice();
            for (step, weight) in [(1, 3), (2, 5), (4, 1)] {
                let weight = weight + shift * ((state as u64 * 7 + step) % 3);
                choice.to((state + step as usize).min(n), weight);
                choice.to(
                    state.checked_sub(step as usize).unwrap_or(n + 1),
                    weight + 1 - shift,
                );
            }
        }
    })
    .unwrap();
    let exact = Solver::exact()
        .allow_cycles()
        .solve_table(&band, n / 2)
        .unwrap();
    let float = Solver::float()
        .allow_cycles()
        .solve_table(&band, n / 2)
        .unwrap();
    assert!(exact.value() > ratio(0, 1) && exact.value() < ratio(1, 1));
    for state in [0, 1, n / 2, n - 1] {
        let value = exact.value_of(&state).unwrap();
        let gap =
            (BigRational::from_float(float.value_of(&state).unwrap()).unwrap() - &value).abs();
        let error = float.error(&state).unwrap();
        assert!(
            gap <= BigRational::from_float(error).unwrap() && error < 1e-6,
            "{error}"
        );
        // The optimality equation.
        let choices = exact.choices(&state).unwrap();
        assert_eq!(choices.iter().map(|c| c.value.clone()).max(), Some(value));
    }
}

/// A million states deep, with a cycle at each end: too deep for a stack.
#[test]
fn a_million_deep() {
    let n = 1_000_000;
    let deep = Table::from_fn(n + 1, |state, row| match state {
        0 => row.end(1),
        1 => {
            row.choice().to(2, 1).to(0, 1);
        }
        _ if state == n => {
            row.choice().to(n - 1, 1);
            row.choice().to(n - 2, 1);
        }
        _ if state == n - 1 => {
            row.choice().to(n, 1).to(n - 2, 1);
        }
        _ => {
            row.choice().to(state - 1, 1);
        }
    })
    .unwrap();
    let float = Solver::float()
        .allow_cycles()
        .solve_table(&deep, n)
        .unwrap();
    assert_eq!((float.value(), float.error(&n).unwrap()), (1.0, 0.0));
    let exact = Solver::exact()
        .allow_cycles()
        .solve_table(&deep, n)
        .unwrap();
    assert_eq!(exact.value(), ratio(1, 1));
}

#[test]
fn scores_beyond_floats_are_no_matter_to_exact_cycles() {
    struct Huge;
    impl Game for Huge {
        type State = u8;
        type Action = u8;
        fn expand(&self, &state: &u8, node: &mut Node<Self>) {
            match state {
                0 => {
                    node.choice(0).to(1, 1);
                    node.choice(1).to(2, 1).to(1, 1);
                    node.choice(2).to(3, 1).to(1, 2);
                }
                1 => {
                    node.choice(0).to(0, 3).to(2, 1);
                }
                2 => node.end(BigRational::from_integer(BigInt::from(10).pow(400))),
                _ => node.end(BigRational::from_integer(BigInt::from(10).pow(400) + 1)),
            }
        }
    }
    let solution = Solver::exact().allow_cycles().solve(&Huge, 0).unwrap();
    assert_eq!(solution.decision(&0).unwrap(), Some(2));
    assert!(Solver::float().allow_cycles().solve(&Huge, 0).is_err());
}

#[test]
fn wide_weights_on_a_cycle() {
    struct Wide;
    impl Game for Wide {
        type State = u8;
        type Action = ();
        fn expand(&self, &state: &u8, node: &mut Node<Self>) {
            let big = num_bigint::BigUint::from(10_u8).pow(30);
            match state {
                0 => {
                    node.chance().to_wide(1, big.clone()).to_wide(2, big * 2_u8);
                }
                1 => {
                    node.chance().to(0, 1).to(3, 1);
                }
                _ => node.end(state == 3),
            }
        }
    }
    // v = 1/3 w, w = 1/2 v + 1/2.
    let exact = Solver::exact().allow_cycles().solve(&Wide, 0).unwrap();
    assert_eq!(exact.value(), ratio(1, 5));
    let (low, high) = Solver::certified()
        .allow_cycles()
        .solve(&Wide, 0)
        .unwrap()
        .enclosure(&0)
        .unwrap();
    assert!(low <= 0.2 && 0.2 <= high && high - low < 1e-14);
}

#[test]
fn long_work_can_be_watched_stopped_and_limited() {
    let n = 200;
    let ring = Table::from_fn(n + 2, |state, row| {
        if state >= n {
            return row.end(state == n);
        }
        row.choice()
            .to((state + 1) % n, 2)
            .to((state * 17 + 5) % n, 3)
            .to(n + state % 2, 1);
    })
    .unwrap();
    let mut calls = 0;
    let solver = Solver::exact().observe(|_| {
        calls += 1;
        ControlFlow::Continue(())
    });
    solver.allow_cycles().solve_table(&ring, 0).unwrap();
    assert!(calls > 5, "{calls}");
    for stop in 0..3 {
        let mut calls = 0;
        let stopped = Solver::exact()
            .observe(move |progress| {
                calls += usize::from(progress.phase == Phase::Solving);
                if calls > stop {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
            .allow_cycles()
            .solve_table(&ring, 0)
            .err();
        assert!(
            matches!(stopped, Some(Error::Cancelled { .. })),
            "{stopped:?}"
        );
    }
    let limited = Solver::exact()
        .max_bytes(20_000)
        .allow_cycles()
        .solve_table(&ring, 0)
        .err();
    match limited {
        Some(Error::TooMuchMemory {
            needed,
            limit: ..=20_000,
            ..
        }) => assert!(needed > 20_000 / 2),
        other => panic!("{other:?}"),
    }
}

/// A gambler who may stake one coin or two, at odds of 18 to 19, and must reach 600: with few coins
/// the probability is below 10⁻⁷, and it is enclosed to as many digits as any other.
#[test]
fn what_is_worth_little_is_enclosed_as_closely() {
    const GOAL: usize = 600;
    for bets in [1, 2] {
        let table = Table::from_fn(GOAL + 1, |hand, row| {
            if hand == 0 || hand == GOAL {
                return row.end(hand == GOAL);
            }
            for bet in 1..=bets.min(hand).min(GOAL - hand) {
                row.choice().to(hand + bet, 18).to(hand - bet, 19);
            }
        })
        .unwrap();
        let solver = Solver::float().allow_cycles();
        let found = solver.solve_table(&table, 1).unwrap();
        let solver = Solver::exact().allow_cycles();
        let exact = solver.solve_table(&table, 1).unwrap();
        for hand in 1..GOAL {
            let (least, most) = found.enclosure(&hand).unwrap();
            let truth = exact.value_of(&hand).unwrap();
            let float = |end: f64| BigRational::from_float(end).unwrap();
            assert!(float(least) <= truth && truth <= float(most), "{hand}");
            assert!(most - least <= 1e-9 * least, "{hand}: {least} {most}");
        }
    }
}
