//! Unusual forces and rules: ties, rare throws, dice that change late.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use oddsmith_risk::{
    Assault, Battle, Campaign, Error, Rules, attackers_for, attackers_for_within, defenders_for,
    force_line, force_line_within, win_estimate,
};

/// One die each, evenly matched.
fn fair() -> Rules {
    let one = Rules::standard().max_dice(1, 1).unwrap();
    one.sides(7, 6).unwrap()
}

#[test]
fn as_many_as_they_are_win_with_one_half() {
    assert_eq!(attackers_for(181, "0.5", &fair()), Ok(181));
    assert_eq!(defenders_for(181, "0.5", &fair()), Ok(181));
    let line: Vec<u32> = (1..=120).collect();
    assert_eq!(force_line(120, "0.5", &fair()).unwrap(), line);
}

#[test]
fn what_only_a_fraction_would_tell_is_said_to_be_so() {
    let error = attackers_for_within(2_000, "0.5", &fair(), 100_000_000).unwrap_err();
    assert!(
        matches!(
            error,
            Error::TooClose {
                units: 2_000,
                opponents: 2_000,
                ..
            }
        ),
        "{error}"
    );
    let error = force_line_within(300, "0.5", &fair(), 100_000_000).unwrap_err();
    assert!(matches!(error, Error::TooClose { .. }), "{error}");
}

#[test]
fn estimates_where_dice_change_late() {
    let late = |from| Rules::standard().second_defence_die_from(from).unwrap();
    for (attackers, defenders, rules) in [
        (515, 1_000, late(2_000)),
        (560, 1_000, late(2_000)),
        (700, 1_000, late(500)),
        (1_000, 1_000, late(3_000)),
    ] {
        let battle = Battle::new(attackers, defenders).unwrap();
        let exact = battle.rules(rules.clone()).win_f64().unwrap();
        let estimate = win_estimate(attackers, defenders, &rules).unwrap();
        assert!((estimate.chance() - exact).abs() < 1e-3, "{exact}");
        assert!(estimate.lower() <= exact && exact <= estimate.upper());
    }
    let error = win_estimate(1_000_000, 1_000_000, &late(1_000_000)).unwrap_err();
    assert!(matches!(error, Error::Unsettled { .. }), "{error}");
    // Regression test: this advised to use an estimate.
    let error = win_estimate(1, 100_000_000, &late(100)).unwrap_err();
    assert!(matches!(error, Error::Unsettled { .. }), "{error}");
    // A few units by the usual rules are certain to lose.
    let lost = win_estimate(5, 1_000_000_000, &Rules::standard()).unwrap();
    assert!(lost.chance() < 1e-6);
}

/// Regression test: throws at forces that the battle never reaches were computed, and rejected.
#[test]
fn estimates_of_battles_that_dice_change_beyond() {
    let late = Rules::standard().second_defence_die_from(u32::MAX).unwrap();
    let many = Rules::standard().max_dice(u32::MAX, u32::MAX).unwrap();
    for (attackers, defenders, rules) in [
        (1, 1, &late),
        (3, 2, &late),
        (10, 10, &late),
        (600, 1_000, &late),
        (3, 4, &many),
        (3, 2, &Rules::standard()),
    ] {
        let battle = Battle::new(attackers, defenders).unwrap();
        let exact = battle.rules(rules.clone()).win_f64().unwrap();
        let estimate = win_estimate(attackers, defenders, rules).unwrap();
        assert!((estimate.chance() - exact).abs() < 1e-4, "{exact}");
        assert!(estimate.lower() <= exact && exact <= estimate.upper());
    }
    // Not even at four billion.
    let huge = win_estimate(u32::MAX, u32::MAX - 1, &late).unwrap();
    assert!(huge.lower() > 0.999);
}

/// All dice of the defender show less than a 6, and are thrown one at a time afterwards.
#[test]
fn logarithms_of_throws_that_no_float_holds() {
    for dice in [1_000, 3_382, 3_840] {
        let rules = Rules::standard().max_dice(1, dice).unwrap();
        let rules = rules.second_defence_die_from(dice).unwrap();
        let battle = Battle::new(1, dice).unwrap().rules(rules);
        let k = f64::from(dice);
        let wanted = k * (5.0_f64 / 6.0).ln() - 6_f64.ln() + (k - 1.0) * (5.0_f64 / 12.0).ln();
        let found = battle.ln_win().unwrap();
        assert!((found - wanted).abs() < 1e-12 * -wanted, "{found} {wanted}");
    }
}

#[test]
fn marches_of_some_hundreds_are_worked_out() {
    let campaign = Campaign::new(500, [100, 100, 100]).unwrap();
    assert!(campaign.outlook().is_ok());
    // Rejected before the first battle.
    let error = campaign.outlook_within(1_000_000).unwrap_err();
    assert!(matches!(
        error,
        Error::BattleTooLarge {
            limit: 1_000_000,
            ..
        }
    ));
}

#[test]
fn orders_that_differ_by_roundings_alone_are_equal() {
    let single = Rules::standard().max_dice(1, 1).unwrap();
    for armies in [[1, 2, 3], [2, 1, 1], [3, 3, 1]] {
        let assault = Assault::new(armies, 4).unwrap().rules(single.clone());
        assert_eq!(assault.best_order().unwrap().0, [0, 1, 2]);
    }
}

#[test]
fn laws_of_throws_of_late_dice_are_refused_in_time() {
    let late = Rules::standard().second_defence_die_from(600).unwrap();
    let battle = Battle::new(1_200, 1_200).unwrap().rules(late);
    assert!(matches!(
        battle.throws_needed(),
        Err(Error::BattleTooLarge { .. })
    ));
    // The states alone exceed the limit, so no throw is computed.
    let wide = Rules::standard().max_dice(30, 30).unwrap();
    let battle = Battle::new(30, 30).unwrap().rules(wide).max_work(1);
    for refused in [
        battle.win().err(),
        battle.survivors().err(),
        battle.throws_needed().err(),
        battle.expected_throws().err(),
    ] {
        assert!(matches!(
            refused,
            Some(Error::BattleTooLarge { limit: 1, .. })
        ));
    }
}

#[test]
fn throws_that_are_too_many_together() {
    let wide = Rules::standard().max_dice(33, 33).unwrap();
    let error = Battle::new(100, 100)
        .unwrap()
        .rules(wide)
        .win_f64()
        .unwrap_err();
    assert!(matches!(error, Error::ThrowsTooLarge { .. }), "{error}");
}

#[cfg(feature = "serde")]
#[test]
fn bonuses_that_no_setter_takes() {
    let read = |bonus: i64| {
        let text = format!(r#"{{"attack_bonus":[{bonus}],"defence_bonus":[{bonus}]}}"#);
        serde_json::from_str::<Rules>(&text)
    };
    assert!(read(i64::from(i32::MAX) + 5).is_ok());
    let error = read(i64::MAX).unwrap_err().to_string();
    assert!(
        error.contains("the attacker's bonus must be within ±2^32, got 9223372036854775807"),
        "{error}"
    );
    assert!(read(i64::MIN).is_err());
}
