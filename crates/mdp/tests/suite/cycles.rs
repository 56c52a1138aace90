//! Random games with cycles, compared with the oracle.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use crate::cyclic::{Law, Model, Row, check_solution};
use num_rational::BigRational;
use num_traits::Signed;
use oddsmith_mdp::{AtRandom, Error, Player, Solver, Table, TableRow};
use quickcheck::{Arbitrary, Gen, quickcheck};

/// A model in which `players` make all decisions.
fn drawn(g: &mut Gen, players: &[Player]) -> Model {
    let n = 3 + usize::arbitrary(g) % 4;
    let rows = (0..n).map(|state| {
        let rest = n - 1 - state;
        if rest == 0 || (rest == 1 && bool::arbitrary(g)) {
            return Row::End(i64::from(i8::arbitrary(g) % 4));
        }
        let choices = 1 + usize::arbitrary(g) % 3;
        let laws = (0..choices).map(|_| {
            let outcomes = 1 + usize::arbitrary(g) % 3;
            let mut law: Law = (0..outcomes)
                .map(|_| (usize::arbitrary(g) % n, u64::arbitrary(g) % 4))
                .collect();
            law[0].1 = law[0].1.max(1);
            law
        });
        let mut laws: Vec<Law> = laws.collect();
        // At least one choice must leave.
        if laws
            .iter()
            .all(|law| law.iter().all(|&(to, w)| to == state || w == 0))
        {
            laws[0].push(((state + 1) % n, 1 + u64::arbitrary(g) % 3));
        }
        let player = *g.choose(players).unwrap_or(&Player::Max);
        Row::Choices(player, laws)
    });
    Model {
        rows: rows.collect(),
        start: 0,
    }
}

#[derive(Clone, Debug)]
struct Single(Model);
#[derive(Clone, Debug)]
struct Opponent(Model);
#[derive(Clone, Debug)]
struct Both(Model);

impl Arbitrary for Single {
    fn arbitrary(g: &mut Gen) -> Self {
        Single(drawn(g, &[Player::Max]))
    }
}

impl Arbitrary for Opponent {
    fn arbitrary(g: &mut Gen) -> Self {
        Opponent(drawn(g, &[Player::Min]))
    }
}

impl Arbitrary for Both {
    fn arbitrary(g: &mut Gen) -> Self {
        Both(drawn(g, &[Player::Max, Player::Min]))
    }
}

fn check_single(model: &Model) {
    let stuck: Vec<usize> = model
        .met()
        .into_iter()
        .filter(|&s| !model.can_end(s))
        .collect();
    if stuck.is_empty() {
        return check_solution(model);
    }
    for error in [
        Solver::exact().allow_cycles().solve(model, 0).err(),
        Solver::float().allow_cycles().solve(model, 0).err(),
    ] {
        match error {
            Some(Error::EndlessCycle { states, count }) => {
                assert_eq!(states.len(), count);
                for state in states {
                    assert!(stuck.contains(&state.parse().unwrap()), "{state}");
                }
            }
            other => panic!("{other:?}"),
        }
    }
}

quickcheck! {
    fn the_player_alone(model: Single) -> bool {
        check_single(&model.0);
        true
    }

    fn the_opponent_alone(model: Opponent) -> bool {
        // Minimizing equals maximizing the negative.
        let mut mirrored = model.0.clone();
        for row in &mut mirrored.rows {
            match row {
                Row::End(score) => *score = -*score,
                Row::Choices(player, _) => *player = Player::Max,
            }
        }
        let own = Solver::exact().allow_cycles().solve(&model.0, 0);
        let other = Solver::exact().allow_cycles().solve(&mirrored, 0);
        match (own, other) {
            (Ok(own), Ok(other)) => {
                check_solution(&mirrored);
                assert_eq!(own.value(), -other.value());
                let float = Solver::float().allow_cycles().solve(&model.0, 0).unwrap();
                let value = BigRational::from_float(float.value()).unwrap();
                let error = BigRational::from_float(float.error(&0).unwrap()).unwrap();
                assert!((value - own.value()).abs() <= error);
            }
            (own, other) => assert_eq!(own.err(), other.err()),
        }
        true
    }

    fn both(model: Both) -> bool {
        let model = &model.0;
        if !model.both_decide() || !model.can_stay() {
            check_single(model);
        }
        true
    }

    fn relabelling_changes_nothing(model: Single, seed: u64) -> bool {
        let model = &model.0;
        let n = model.len();
        // Another order of the states, with choices and outcomes reversed.
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|&s| (s as u64 + 1).wrapping_mul(seed | 1));
        let new = |state: usize| order.iter().position(|&s| s == state).unwrap();
        let rows = order.iter().map(|&state| match &model.rows[state] {
            Row::End(score) => Row::End(*score),
            Row::Choices(player, laws) => {
                let law = |law: &Law| law.iter().rev().map(|&(to, w)| (new(to), w)).collect();
                Row::Choices(*player, laws.iter().rev().map(law).collect())
            }
        });
        let other = Model { rows: rows.collect(), start: new(0) };
        let own = Solver::exact().allow_cycles().solve(model, 0).map(|s| s.value());
        let other = Solver::exact().allow_cycles().solve(&other, other.start).map(|s| s.value());
        match (own, other) {
            (Ok(own), Ok(other)) => own == other,
            (Err(_), Err(_)) => true,
            _ => false,
        }
    }

    fn tables_are_solved_like_games(model: Single) -> bool {
        let model = &model.0;
        let write = |state: usize, row: &mut TableRow<'_>| match &model.rows[state] {
            Row::End(score) => row.end(*score),
            Row::Choices(_, laws) => {
                for law in laws {
                    let choice = row.choice();
                    for &(to, weight) in law {
                        choice.to(to, weight);
                    }
                }
            }
        };
        let table = Table::from_fn(model.len(), write).unwrap();
        let tabled = Solver::exact().allow_cycles().solve_table(&table, 0);
        let explored = Solver::exact().allow_cycles().solve(model, 0);
        match (tabled, explored) {
            (Ok(tabled), Ok(explored)) => tabled.value() == explored.value(),
            // All states of a table count, reachable or not.
            (Err(Error::EndlessCycle { .. }), _) => true,
            _ => false,
        }
    }

    fn acyclic_games_are_solved_as_ever(model: Single) -> bool {
        let mut model = model.0;
        let n = model.len();
        for (state, row) in model.rows.iter_mut().enumerate() {
            if let Row::Choices(_, laws) = row {
                for way in laws.iter_mut().flatten() {
                    way.0 = way.0.max((state + 1).min(n - 1));
                }
            }
        }
        let plain = Solver::exact().solve(&model, 0).unwrap();
        let cyclic = Solver::exact().allow_cycles().solve(&model, 0).unwrap();
        plain.states().zip(cyclic.states()).count() == plain.len()
            && model.met().iter().all(|s| {
                plain.value_of(s).unwrap() == cyclic.value_of(s).unwrap()
                    && plain.decision(s).unwrap() == cyclic.decision(s).unwrap()
            })
    }
}

#[test]
fn the_models_drawn_reach_the_hard_cases() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    // A fixed seed: rare cases must not make the test fail at random.
    let mut g = Gen::from_size_and_seed(100, 1);
    for _ in 0..1000 {
        let Single(model) = Single::arbitrary(&mut g);
        let met = model.met();
        let stuck = met.iter().any(|&s| !model.can_end(s));
        let cyclic = matches!(Solver::exact().solve(&model, 0), Err(Error::Cycle { .. }));
        let mut note = |what, is: bool| *seen.entry(what).or_default() += usize::from(is);
        note("a cycle", cyclic);
        note("no end", stuck);
        note(
            "a way to stay for ever",
            !stuck && cyclic && model.can_stay(),
        );
        note(
            "a cycle that must be left",
            !stuck && cyclic && !model.can_stay(),
        );
        note(
            "a weight of zero",
            met.iter()
                .any(|&s| model.laws(s).iter().flatten().any(|way| way.1 == 0)),
        );
        if !stuck && cyclic {
            let oracle = model.oracle();
            note("a negative value", oracle[0].is_negative());
            note("a fraction", !oracle[0].is_integer());
            let exact = Solver::exact().allow_cycles().solve(&model, 0).unwrap();
            let ties = met.iter().any(|s| exact.best(s).unwrap().len() > 1);
            note("a tie", ties);
        }
        let Both(model) = Both::arbitrary(&mut g);
        let stuck = model.met().iter().any(|&s| !model.can_end(s));
        let cyclic = matches!(Solver::exact().solve(&model, 0), Err(Error::Cycle { .. }));
        note(
            "a cycle of both that must be left",
            !stuck && cyclic && model.both_decide() && !model.can_stay(),
        );
    }
    assert_eq!(seen.len(), 9);
    for (what, times) in seen {
        assert!(times >= 10, "{what}: only {times} times in 1000");
    }
}

#[test]
fn limits_on_states_that_come_back() {
    // Two rings, of 3 and 5 states, and a way from the first to the second.
    let rings = Table::from_fn(9, |state, row| match state {
        0..3 => {
            row.choice().to((state + 1) % 3, 2).to(3, 1);
        }
        3..8 => {
            row.choice().to((state - 2) % 5 + 3, 2).to(8, 1);
        }
        _ => row.end(1),
    })
    .unwrap();
    let exact = |limit| Solver::exact().allow_cycles().max_cycle(limit);
    assert_eq!(
        exact(5).solve_table(&rings, 0).unwrap().value(),
        BigRational::from_integer(1.into())
    );
    let too_large = |state: &str| {
        Some(Error::CycleTooLarge {
            state: state.to_owned(),
            cycle: 5,
            found: 9,
            limit: 4,
        })
    };
    let error = exact(4).solve_table(&rings, 0).err();
    let Some(Error::CycleTooLarge { state, .. }) = error.clone() else {
        unreachable!("{error:?}")
    };
    assert!((3..8).contains(&state.parse::<usize>().unwrap()), "{state}");
    assert_eq!(error, too_large(&state));
    let error = exact(4).evaluate(&rings, AtRandom, 0).err();
    assert!(matches!(
        error,
        Some(Error::CycleTooLarge {
            cycle: 5,
            found: 9,
            limit: 4,
            ..
        })
    ));
    let certified = Solver::certified().allow_cycles().max_cycle(4);
    let error = certified.certify_table(&rings, 0).err();
    assert!(matches!(error, Some(Error::CycleTooLarge { cycle: 5, .. })));
    let float = Solver::float().allow_cycles().max_cycle(0);
    let error = float.solve(&rings, 0).err();
    assert!(matches!(error, Some(Error::CycleTooLarge { limit: 0, .. })));
    // A game that is over has no cycle.
    let over = Table::from_fn(1, |_, row| row.end(1)).unwrap();
    assert!(exact(0).solve(&over, 0).is_ok());
}

/// Regression tests: all choices were counted to prove that play ends, although best play takes one
/// move. The bounds of the first value were 0 and 1.
#[test]
fn the_longest_play_without_rewards_may_be_far_longer_than_the_best() {
    let leave = |row: &mut TableRow<'_>, wins: u64| {
        row.choice().to(0, 4 - wins).to(1, wins);
    };
    for k in [10, 45, 53, 60] {
        // Both players would have to give up a quarter for play to go on.
        let game = Table::from_fn(4, |state, row| match state {
            0 | 1 => row.end(state),
            2 => {
                leave(row, 2);
                row.choice().to(3, 1);
            }
            _ => {
                row.opponent();
                leave(row, 1);
                row.choice().to(2, (1 << k) - 1).to(0, 1);
            }
        });
        enclosed_within(&game.unwrap(), [(2, (1, 2)), (3, (1, 4))]);
    }
    // Going on costs only a little.
    let game = Table::from_fn(4, |state, row| match state {
        0 | 1 => row.end(state),
        2 => {
            leave(row, 2);
            row.choice().to(3, 1);
        }
        _ => {
            leave(row, 2);
            row.choice().to(2, (1 << 34) - 1).to(0, 1);
        }
    });
    enclosed_within(&game.unwrap(), [(2, (1, 2)), (3, (1, 2))]);
}

/// A step up or down by chance; or up, or else down to the bottom. Both win for certain, the second
/// in 2ⁿ moves, and whoever gives up at the bottom loses.
fn stairs(n: usize, mirrored: bool) -> Table {
    let game = Table::from_fn(n + 2, |state, row| match state {
        _ if state == 0 || state > n => row.end((state > 0) != mirrored),
        _ => {
            if mirrored {
                row.opponent();
            }
            row.choice().to(state + 1, 1).to((state - 1).max(1), 1);
            row.choice().to(state + 1, 1).to(1, 1);
            if state == 1 {
                row.choice().to(0, 1);
            }
        }
    });
    game.unwrap()
}

/// Regression tests: the moves of the longer way counted, too, as it is worth as much. The bounds
/// were 0 and 1.
#[test]
fn a_way_of_the_same_value_may_be_far_longer() {
    for n in [30, 50, 200] {
        enclosed_within(&stairs(n, false), [(2, (1, 1)), (n, (1, 1))]);
        enclosed_within(&stairs(n, true), [(2, (0, 1)), (n, (0, 1))]);
    }
}

fn enclosed_within(game: &Table, values: [(usize, (i64, i64)); 2]) {
    let exact = Solver::exact().allow_cycles().solve_table(game, 2).unwrap();
    let float = Solver::certified().allow_cycles();
    let float = float.solve_table(game, 2).unwrap();
    for (state, (n, d)) in values {
        let value = BigRational::new(n.into(), d.into());
        assert_eq!(exact.value_of(&state).unwrap(), value);
        let (low, high) = float.enclosure(&state).unwrap();
        let [below, above] = [low, high].map(|end| BigRational::from_float(end).unwrap());
        assert!(below <= value && value <= above);
        assert!(high - low < 1e-10, "{state}: {low} {high}");
    }
}
