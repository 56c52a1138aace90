//! When to stop an attack, compared with reference values in `data/battles.json`; its `note`
//! describes the fields.

use crate::reference;
use crate::reference::{entries, near};
use num_rational::BigRational;
use oddsmith_mdp::Solver;
use oddsmith_risk::{
    Attack, Battle, DEFAULT_WORK, Error, Rules, Standing, Stopping, critical_territory,
};
use serde_json::Value;

fn data(field: &str) -> Value {
    reference::field(include_str!("../data/battles.json"), field)
}

/// Optimal stopping: the reference also lets both sides choose their dice, and finds that they
/// always throw all of them.
#[test]
fn stopping_by_reference() {
    let games = data("stop_game");
    for (territory, expected) in entries(&games) {
        let battle = Battle::new(15, 15).unwrap();
        let stopping = Stopping::new(battle, territory.as_str()).unwrap();
        let solution = stopping.solve_with(Solver::exact()).unwrap();
        for (row, attackers) in (1..=15).enumerate() {
            let dice = expected["attack_dice_0_is_stop"][row].as_str().unwrap();
            for (column, defenders) in (1..=15).enumerate() {
                let standing = Standing::fighting(attackers, defenders);
                let value = solution.value_of(&standing).unwrap();
                let text = expected["value"][row][column].as_str().unwrap();
                match text.contains('/') {
                    true => assert_eq!(
                        value,
                        text.parse().unwrap(),
                        "T = {territory}: {standing:?}"
                    ),
                    false => near(text.parse().unwrap(), &value, 1e-13),
                }
                let stops = solution.decision(&standing).unwrap() == Some(Attack::Stop);
                assert_eq!(
                    stops,
                    dice.as_bytes()[column] == b'0',
                    "T = {territory}: {standing:?}"
                );
            }
        }
    }
}

#[test]
fn critical_territories_by_reference() {
    let table = data("critical_T");
    let critical = critical_territory(10, 10, &Rules::standard()).unwrap();
    for (row, line) in table.as_array().unwrap().iter().enumerate() {
        for (column, expected) in line.as_array().unwrap().iter().enumerate() {
            let found = critical[[row + 1, column + 1]];
            match (expected.as_f64(), expected.as_str()) {
                (Some(number), _) => {
                    assert!(
                        (found - number).abs() < 1e-5,
                        "{row} {column}: {found} {number}"
                    );
                }
                (None, Some(">=400")) => assert!(found >= 400.0, "{row} {column}: {found}"),
                (None, text) => {
                    assert_eq!((found, text), (f64::NEG_INFINITY, None), "{row} {column}");
                }
            }
        }
    }
    assert!(critical[[0, 3]].is_nan());
    // The decision changes between the two sides of the line.
    for (attackers, defenders) in [(1, 2), (2, 5), (2, 8)] {
        let line = critical[[attackers as usize, defenders as usize]];
        for (shift, decision) in [(-0.001, Attack::Stop), (0.001, Attack::Throw)] {
            let battle = Battle::new(attackers, defenders).unwrap();
            let territory = BigRational::from_float(line + shift).unwrap();
            let solution = Stopping::new(battle, territory)
                .unwrap()
                .solve_with(Solver::exact());
            let standing = Standing::fighting(attackers, defenders);
            assert_eq!(
                solution.unwrap().decision(&standing).unwrap(),
                Some(decision)
            );
        }
    }
}

/// Regression test: if victory was too unlikely for a float, 0 times infinity gave NaN.
#[test]
fn who_hardly_ever_wins_never_attacks() {
    let rules = Rules::standard().defence_bonus([4]);
    let critical = critical_territory(3, 319, &rules).unwrap();
    for defenders in 280..=319 {
        for attackers in 1..=3 {
            let found = critical[[attackers, defenders]];
            assert!(found > 1e250, "{attackers} against {defenders}: {found}");
        }
    }
    assert_eq!(critical[[3, 318]], f64::INFINITY);
}

/// Regression test: victory with 1.5·10⁻²⁹⁷ was impossible in a table of one against 500, but not
/// in a larger one, and the value infinite there.
#[test]
fn critical_territories_do_not_depend_on_the_size_of_the_table() {
    let rules = Rules::standard();
    let large = critical_territory(1, 540, &rules).unwrap();
    for defenders in [1, 63, 64, 448, 490, 500, 511, 515, 519, 525] {
        let small = critical_territory(1, defenders, &rules).unwrap();
        for (forces, found) in small.indexed_iter().skip(1) {
            assert_eq!(found.to_bits(), large[forces].to_bits(), "{forces:?}");
        }
    }
    for defenders in [100, 500, 518] {
        let territory = large[[1, defenders as usize]];
        for (factor, decision) in [(1.0 - 1e-9, Attack::Stop), (1.0 + 1e-9, Attack::Throw)] {
            let worth = BigRational::from_float(territory * factor).unwrap();
            let stopping = Stopping::new(Battle::new(1, defenders).unwrap(), worth).unwrap();
            let solution = stopping.solve_with(Solver::exact()).unwrap();
            let standing = Standing::fighting(1, defenders);
            let found = solution.decision(&standing).unwrap();
            assert_eq!(found, Some(decision), "against {defenders}: {territory}");
        }
    }
    // Infinite from where the largest float is not worth an attack.
    let first = (1..=540).find(|&defenders| large[[1, defenders]].is_infinite());
    let first = first.unwrap();
    for (defenders, decision) in [(first - 1, Attack::Throw), (first, Attack::Stop)] {
        let most = BigRational::from_float(f64::MAX).unwrap();
        let battle = Battle::new(1, defenders as u32).unwrap();
        let solution = Stopping::new(battle, most).unwrap();
        let solution = solution.solve_with(Solver::exact()).unwrap();
        let standing = Standing::fighting(1, defenders as u32);
        assert_eq!(solution.decision(&standing).unwrap(), Some(decision));
    }
    // Above it, nothing is finite again.
    assert!((first..=540).all(|defenders| large[[1, defenders]] == f64::INFINITY));
}

/// Seven sides against six are fair, so any territory is worth an attack, however seldom it is
/// taken.
#[test]
fn fair_throws_pay_for_any_territory() {
    let rules = Rules::standard()
        .max_dice(1, 1)
        .unwrap()
        .sides(7, 6)
        .unwrap();
    let critical = critical_territory(2, 1_200, &rules).unwrap();
    for defenders in [1, 7, 500, 1_000, 1_200] {
        assert_eq!(critical[[1, defenders]], 0.0, "against {defenders}");
    }
}

/// Regression test: only the throws of the battle had a limit, so this took hours.
#[test]
fn maps_of_where_to_stop_have_a_limit() {
    let map = |battle| Stopping::new(battle, 10).unwrap().action_map();
    let error = map(Battle::new(2_000, 2_000).unwrap()).unwrap_err();
    assert!(
        matches!(
            error,
            Error::BattleTooLarge {
                limit: DEFAULT_WORK,
                ..
            }
        ),
        "{error}"
    );
    let small = Battle::new(6, 5).unwrap();
    let error = map(small.clone().max_work(100)).unwrap_err();
    assert!(matches!(error, Error::BattleTooLarge { limit: 100, .. }));
    assert_eq!(
        map(small.clone().max_work(1 << 40)).unwrap(),
        map(small).unwrap()
    );
}
