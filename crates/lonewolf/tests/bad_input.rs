//! Bad input ends in an error that names it, extremes do not overflow.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use oddsmith_lonewolf::{Combat, CombatTable, Error, Exchange, Loss};
use oddsmith_mdp::Solver;

#[track_caller]
fn check_endurance(hero: i64, foe: i64, who: &'static str, given: i64) {
    let error = Combat::new(15, hero, 15, foe).unwrap_err();
    assert_eq!(
        error,
        Error::Endurance {
            who,
            given,
            limit: 999
        }
    );
    assert!(error.to_string().contains(who) && error.to_string().contains(&given.to_string()));
}

#[test]
fn endurance_is_at_least_one_and_not_absurd() {
    check_endurance(0, 10, "Lone Wolf", 0);
    check_endurance(-3, 10, "Lone Wolf", -3);
    check_endurance(10, 0, "the foe", 0);
    check_endurance(10, i64::MAX, "the foe", i64::MAX);
    check_endurance(i64::MIN, 0, "Lone Wolf", i64::MIN);
    check_endurance(65_537, 1, "Lone Wolf", 65_537);
    check_endurance(1, 1_000, "the foe", 1_000);
}

#[test]
fn combat_skill_may_be_any_number() {
    let best = Combat::new(i32::MAX, 10, i32::MIN, 10).unwrap();
    let good = Combat::new(11, 10, 0, 10).unwrap();
    assert_eq!(best.ratio(), i64::from(u32::MAX));
    assert_eq!(best.victory().unwrap(), good.victory().unwrap());
    let worst = Combat::new(i32::MIN, 10, i32::MAX, 10).unwrap();
    let bad = Combat::new(0, 10, 11, 10).unwrap();
    assert_eq!(worst.victory().unwrap(), bad.victory().unwrap());
}

#[test]
fn a_mindblast_may_be_deadly() {
    // Dead after the first round, whatever it brings: the fight is lost even
    // if the foe falls too.
    let combat = Combat::new(30, 999, 0, 1)
        .unwrap()
        .enemy_mindblast(u16::MAX);
    let odds = combat.odds().unwrap();
    assert_eq!(odds.victory().to_string(), "0");
    assert_eq!(odds.law().unwrap().p(&(0, 0)).to_string(), "1");
    assert_eq!(odds.expected_rounds().unwrap().to_string(), "1");
}

/// Three exchanges in the last column kill unhurt, one deals 18 points unhurt;
/// doubled that is 36, and the others are deadly to a hero with 1 point.
#[test]
fn a_doubled_killing_blow_kills() {
    let check = |foe: i64, victory: &str| {
        let combat = Combat::new(30, 1, 0, foe).unwrap().double_damage();
        assert_eq!(combat.victory().unwrap().to_string(), victory);
    };
    check(36, "2/5");
    check(37, "17/50"); // 3/10 + 1/10 · 4/10
    check(73, "167/500"); // 3/10 + 1/10 · 17/50
}

#[test]
fn large_combats_are_within_reach() {
    let odds = Combat::new(15, 300, 15, 300).unwrap().odds().unwrap();
    let law = odds.law().unwrap();
    assert_eq!(law.probability(|&(hero, _)| hero > 0), odds.victory());
    let float = Combat::new(15, 999, 15, 999)
        .unwrap()
        .victory_f64()
        .unwrap();
    assert!(float > 0.999 && float <= 1.0, "{float}");
}

#[test]
fn limits_end_in_errors() {
    let combat = Combat::new(15, 30, 15, 30).unwrap();
    let error = combat
        .odds_with(Solver::exact().max_states(100))
        .unwrap_err();
    assert_eq!(
        error,
        Error::Solve(oddsmith_mdp::Error::TooManyStates { limit: 100 })
    );
}

#[test]
fn random_numbers_end_at_nine() {
    let table = CombatTable::standard();
    assert_eq!(
        table.exchange(0, 10),
        Err(Error::RandomNumber { given: 10 })
    );
    assert_eq!(
        table.exchange(0, u8::MAX),
        Err(Error::RandomNumber { given: 255 })
    );
}

#[test]
fn a_table_must_let_every_combat_end() {
    let exchange = |foe, hero| Exchange {
        foe: Loss::Points(foe),
        hero: Loss::Points(hero),
    };
    let mut columns = [[exchange(1, 0); 10]; 13];
    assert!(CombatTable::new(columns).is_ok());
    columns[7][9] = exchange(0, 0);
    let error = CombatTable::new(columns).unwrap_err();
    assert_eq!(
        error,
        Error::IdleExchange {
            column: 1,
            number: 0
        }
    );
    columns[0][0] = exchange(0, 0);
    let error = CombatTable::new(columns).unwrap_err();
    assert_eq!(
        error,
        Error::IdleExchange {
            column: -6,
            number: 1
        }
    );
}
