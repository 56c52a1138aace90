//! Invalid and too large battles give a clear error at once.

use oddsmith_risk::{
    Battle, Error, Measure, Rules, Side, StopRule, attackers_for, attackers_for_within,
    defenders_for, force_line, matrix, matrix_f64, win_estimate, win_matrix_f64,
};

#[track_caller]
fn check<T>(result: Result<T, Error>, message: &str) {
    assert_eq!(result.err().unwrap().to_string(), message);
}

#[test]
fn too_large_before_any_work() {
    for (attackers, defenders) in [(u32::MAX, u32::MAX), (1, u32::MAX), (u32::MAX, 1)] {
        let battle = Battle::new(attackers, defenders).unwrap();
        let refused = |error: Error| matches!(error, Error::BattleTooLarge { .. });
        assert!(refused(battle.win().unwrap_err()));
        assert!(refused(battle.win_f64().unwrap_err()));
        assert!(refused(battle.lose_f64().unwrap_err()));
        assert!(refused(battle.ln_win().unwrap_err()));
        assert!(refused(battle.survivors().unwrap_err()));
        assert!(refused(battle.survivors_f64().unwrap_err()));
        assert!(refused(battle.throws_needed().unwrap_err()));
        assert!(refused(battle.throws_needed_f64().unwrap_err()));
        assert!(refused(battle.expected_throws().unwrap_err()));
        assert!(refused(battle.expected_throws_f64().unwrap_err()));
        let cool = battle.stop(StopRule::below_odds("0.5").unwrap()).unwrap();
        assert!(refused(cool.win_f64().unwrap_err()));
        let rules = Rules::standard();
        assert!(refused(
            win_matrix_f64(attackers, defenders, &rules).unwrap_err()
        ));
        let exact = matrix(Measure::Throws, attackers, defenders, &rules);
        assert!(refused(exact.unwrap_err()));
    }
    check(
        Battle::new(100_000, 100_000).unwrap().win_f64(),
        "the chance to win: 100000 attackers against 100000 need about 10000200001 steps, which exceeds the limit of \
         1073741824; use fewer units or `win_estimate`, or raise it where there is `max_work` or a `_within` twin",
    );
    // A limit beyond the memory of the machine is still an error.
    let huge = Battle::new(u32::MAX, u32::MAX).unwrap().max_work(u64::MAX);
    assert!(huge.survivors().is_err());
}

/// Regression test: only states were counted, not the steps each takes: 7 to 30 seconds for a limit
/// of about one.
#[test]
fn laws_of_throws_and_odds_are_counted_by_what_they_take() {
    let refused = |error: Error| matches!(error, Error::BattleTooLarge { .. });
    for (attackers, defenders) in [(20_000, 20_000), (100_000, 10_000), (50_000, 500)] {
        let battle = Battle::new(attackers, defenders).unwrap();
        assert!(refused(battle.throws_needed_f64().unwrap_err()));
    }
    let long = Battle::new(100_000, 10_000).unwrap();
    assert!(refused(long.report().unwrap_err()));
    let cool = StopRule::below_odds("0.5").unwrap();
    assert!(refused(
        long.stop(cool.clone()).unwrap().win_f64().unwrap_err()
    ));
    // All usual sizes, and more.
    let battle = Battle::new(1000, 1000).unwrap();
    let throws = battle.throws_needed_f64().unwrap();
    assert_eq!(throws.min(), &500);
    let stopped = battle.stop(cool).unwrap();
    assert!(stopped.win_f64().unwrap() > 0.9);
    assert!(stopped.report().is_ok());
    let late = Rules::standard().second_defence_die_from(1000).unwrap();
    let late = Battle::new(1000, 1000).unwrap().rules(late);
    assert!(late.throws_needed_f64().is_ok());
}

/// The dice change at millions of units.
#[test]
fn throws_too_many_to_tell_apart() {
    let late = Rules::standard().second_defence_die_from(u32::MAX).unwrap();
    let few = Battle::new(3, 1000).unwrap().rules(late.clone());
    assert!(few.win_f64().unwrap() > 0.0);
    let dice = Rules::standard().max_dice(u32::MAX, u32::MAX).unwrap();
    assert!(win_estimate(1_000_000, 1_000_000, &dice).is_err());
    assert!(attackers_for(10, "0.5", &dice).is_err());
}

#[test]
fn stops_before_the_start() {
    let battle = Battle::new(3, 2).unwrap();
    check(
        battle.clone().stop(StopRule::at_units(3)),
        "a rule that stops at 3 attackers needs more attackers than that, got 3",
    );
    assert!(battle.clone().stop(StopRule::at_units(u32::MAX)).is_err());
    // Odds that are too low at the start are a valid answer: do not attack.
    let rule = StopRule::below_odds("0.9").unwrap();
    let never = battle.stop(rule).unwrap();
    let left = never.survivors().unwrap();
    assert_eq!(left.ends().support(), [never.forces()]);
    assert_eq!(never.win_f64().unwrap(), 0.0);
    assert_eq!(never.expected_throws_f64().unwrap(), 0.0);
    assert_eq!(never.throws_needed().unwrap().support(), [0]);
    assert_eq!(never.ln_win().unwrap(), f64::NEG_INFINITY);
    let sure = never.ln_lose().unwrap();
    assert!(sure == 0.0 && sure.is_sign_positive());
    assert!(left.attackers_if_won().is_err());
}

#[test]
fn chances_that_are_none() {
    check(
        StopRule::below_odds("-1/2"),
        "a probability must be between 0 and 1, got -1/2",
    );
    let rules = Rules::standard();
    assert!(matches!(
        attackers_for(5, "1.5", &rules),
        Err(Error::Chance { .. })
    ));
    for text in ["NaN", "inf", "", "one half"] {
        assert!(matches!(StopRule::below_odds(text), Err(Error::Dice(_))));
        assert!(attackers_for(5, text, &rules).is_err());
    }
    assert!(attackers_for(5, (1, 0), &rules).is_err());
    check(
        attackers_for_within(5, 1, &rules, 600),
        "no force of any size for the attacker has a chance of 1 against 5",
    );
    check(
        attackers_for_within(90, "0.999", &rules, 9_100),
        "no force of up to 99 units for the attacker has a chance of 999/1000 against 90; ask for less, or raise the limit",
    );
    check(
        attackers_for(u32::MAX, "0.5", &rules),
        "the limit allows no force at all for the attacker against 4294967295; raise the limit, or use fewer opponents",
    );
    assert_eq!(attackers_for(5, 0, &rules).unwrap(), 1);
    // No force reaches certainty.
    assert!(matches!(
        attackers_for_within(1, 1, &rules, 1 << 24),
        Err(Error::NoForce { .. })
    ));
    let sure = Rules::standard()
        .sides(6, 1)
        .unwrap()
        .ties_to(Side::Attacker);
    assert_eq!(attackers_for(5, 1, &sure).unwrap(), 1);
}

#[test]
fn no_units() {
    let rules = Rules::standard();
    let none = |side| Some(Error::NoUnits { side });
    assert_eq!(win_matrix_f64(0, 3, &rules).err(), none(Side::Attacker));
    assert_eq!(
        matrix_f64(Measure::Lose, 3, 0, &rules).err(),
        none(Side::Defender)
    );
    assert_eq!(attackers_for(0, "0.5", &rules).err(), none(Side::Defender));
    assert_eq!(defenders_for(0, "0.5", &rules).err(), none(Side::Attacker));
    assert_eq!(force_line(0, "0.5", &rules).err(), none(Side::Defender));
    assert_eq!(win_estimate(0, 1, &rules).err(), none(Side::Attacker));
    assert!(attackers_for(u32::MAX, "0.5", &rules).is_err());
}
