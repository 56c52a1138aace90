//! Serialization of battles, stop rules and solutions.
#![cfg(feature = "serde")]

use num_rational::BigRational;
use oddsmith_mdp::{Record, Solver};
use oddsmith_risk::{
    Assault, Attack, Balance, Battle, Campaign, DiceGame, DiceState, Forces, Rules, Standing,
    StopRule, Stopping, Throw, Timing, fortify, win_estimate,
};
use serde_json::{Value, json};

#[test]
fn battles_are_read_with_the_checks_of_their_setters() {
    let read = |text: &str| serde_json::from_str::<Battle>(text);
    assert_eq!(
        read(r#"{"attackers": 5, "defenders": 3}"#).unwrap(),
        Battle::new(5, 3).unwrap()
    );
    let stopped = Battle::new(5, 3)
        .unwrap()
        .rules(Rules::standard().hero_attacks())
        .stop(StopRule::at_units(2).or_below_odds("1/3").unwrap())
        .unwrap();
    let text = serde_json::to_string(&stopped).unwrap();
    assert!(
        text.contains(r#""stop":{"units":2,"odds":"1/3"}"#),
        "{text}"
    );
    assert_eq!(read(&text).unwrap(), stopped);
    for (bad, told) in [
        (r#"{"attackers": 5}"#, "missing field `defenders`"),
        (
            r#"{"attackers": 5, "defenders": 3, "odd": 1}"#,
            "unknown field `odd`",
        ),
        (
            r#"{"attackers": 5, "defenders": 3, "stop": {"odds": "4/3"}}"#,
            "4/3",
        ),
    ] {
        let error = read(bad).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}

/// A round trip; other text that is accepted; and other text that is rejected with this message.
#[track_caller]
fn check<T>(value: &T, text: &str, refused: &[(&str, &str)])
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let written = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&written).unwrap(), value);
    assert_eq!(&serde_json::from_str::<T>(text).unwrap(), value);
    for (bad, told) in refused {
        let error = serde_json::from_str::<T>(bad).unwrap_err().to_string();
        assert!(error.contains(told), "{bad}: {error}");
    }
}

#[test]
fn games_are_read_with_the_checks_of_their_setters() {
    let fortress = Rules::standard().fortress();
    check(
        &Campaign::new(9, [4, 3])
            .and_then(|campaign| campaign.rules_at(1, fortress.clone())?.leaving(0, 2))
            .unwrap(),
        r#"{"troops": 9, "territories": [{"garrison": 4, "stay": 2},
            {"garrison": 3, "rules": {"defence_bonus": [1]}}]}"#,
        &[
            (
                r#"{"troops": 1, "territories": [{"garrison": 4}]}"#,
                "must hold at least 2 troops to attack, since one stays behind, got 1",
            ),
            (
                r#"{"troops": 9, "territories": []}"#,
                "at least 1 territory",
            ),
            (
                r#"{"troops": 9, "territories": [{"garrison": 4, "stay": 0}]}"#,
                "at least 1 unit must stay in territory 0",
            ),
            (
                r#"{"troops": 9, "territories": [{"garrison": 4, "odd": 0}]}"#,
                "unknown field",
            ),
        ],
    );
    check(
        &Assault::new([5, 3], 8)
            .and_then(|assault| assault.rules_at(1, fortress.clone()))
            .unwrap(),
        r#"{"defenders": 8, "armies": [{"units": 5},
            {"units": 3, "rules": {"defence_bonus": [1]}}]}"#,
        &[
            (
                r#"{"defenders": 0, "armies": [{"units": 5}]}"#,
                "must start with at least 1 unit, got 0",
            ),
            (
                r#"{"defenders": 8, "armies": [{"units": 0}]}"#,
                "must start with at least 1 unit, got 0",
            ),
        ],
    );
    check(
        &DiceGame::new(4, 3).unwrap().timing(Timing::AtOnce),
        r#"{"attackers": 4, "defenders": 3, "timing": "at_once"}"#,
        &[
            (
                r#"{"attackers": 0, "defenders": 3}"#,
                "must start with at least 1 unit, got 0",
            ),
            (
                r#"{"attackers": 4, "defenders": 3, "odd": 1}"#,
                "unknown field",
            ),
        ],
    );
    check(
        &Stopping::new(Battle::new(4, 3).unwrap(), "4.5").unwrap(),
        r#"{"battle": {"attackers": 4, "defenders": 3}, "territory": "9/2"}"#,
        &[(
            r#"{"battle": {"attackers": 4, "defenders": 3}, "territory": "inf"}"#,
            "inf",
        )],
    );
    check(
        &Balance::none().outcome_cutoff(0.1).unwrap(),
        r#"{"outcome_cutoff": 0.1}"#,
        &[(
            r#"{"outcome_cutoff": 0.5}"#,
            "outcome_cutoff must be at least 0 and below 1/2, got 0.5",
        )],
    );
}

#[test]
fn solutions_are_kept_and_played_by() {
    let stopping = Stopping::new(Battle::new(6, 5).unwrap(), 4).unwrap();
    let solution = stopping.solve_with(Solver::exact()).unwrap();
    let record = solution.record().unwrap();
    let text = serde_json::to_string(&record).unwrap();
    let read: Record<Standing, Attack, BigRational> = serde_json::from_str(&text).unwrap();
    assert!(read == record);
    let played = Solver::exact().evaluate(solution.game(), &read, *read.start());
    assert_eq!(played.unwrap().value(), solution.value());
}

#[test]
fn states_of_the_dice_game_are_written() {
    let game = DiceGame::new(4, 3).unwrap().timing(Timing::AfterTheThrow);
    let (start, game) = (game.start(), game.game().unwrap());
    let solution = Solver::exact().solve(&game, start).unwrap();
    for (state, _) in solution.states() {
        let text = serde_json::to_string(&state).unwrap();
        let read: DiceState = serde_json::from_str(&text).unwrap();
        assert_eq!(read, state);
    }
    let forces = Forces {
        attackers: 2,
        defenders: 1,
    };
    let thrown = DiceState::Thrown {
        forces,
        faces: vec![6, 2].into(),
    };
    assert_eq!(
        serde_json::to_string(&thrown).unwrap(),
        r#"{"thrown":{"forces":{"attackers":2,"defenders":1},"faces":[6,2]}}"#
    );
}

/// Fractions are texts, floats numbers.
#[test]
fn results_are_written_for_other_programs() {
    fn check(value: impl serde::Serialize, expected: &Value) {
        assert_eq!(serde_json::to_value(value).unwrap(), *expected);
    }
    let outlook = Campaign::new(3, [1, 1]).unwrap().outlook().unwrap();
    let written = serde_json::to_value(&outlook).unwrap();
    assert_eq!(written["conquered"][1], "625/2592");
    assert_eq!(written["left"][0], "625/2592");
    assert_eq!(written["relative_error"], 0.0);
    let float = Campaign::new(3, [1, 1]).unwrap().outlook_f64().unwrap();
    let written = serde_json::to_value(&float).unwrap();
    assert_eq!(written["conquered"][1], float.conquered()[1]);
    assert_eq!(written["relative_error"], float.relative_error());
    assert!(float.relative_error() > 0.0);

    let taken = Assault::new([1, 1, 1], 1).unwrap().outlook().unwrap();
    let written = serde_json::to_value(&taken).unwrap();
    assert_eq!(written["taken"][2], "1385/1728");
    assert_eq!(written["defenders_left"][1], "343/1728");

    let one = Battle::new(1, 1).unwrap();
    check(
        fortify(&[one.clone(), one.clone()], 2).unwrap(),
        &json!({
            "placed": [1, 1],
            "spare": 0,
            "chances": ["275/2592", "275/2592"],
            "relative_error": 0.0
        }),
    );
    check(
        one.survivors().unwrap(),
        &json!({
            "start": {"attackers": 1, "defenders": 1},
            "ends": [
                [{"attackers": 0, "defenders": 1}, "7/12"],
                [{"attackers": 1, "defenders": 0}, "5/12"]
            ],
            "relative_error": 0.0
        }),
    );
    check(
        Throw::new(3, 2).unwrap().expected_losses().unwrap(),
        &json!({"attacker": "2387/2592", "defender": "2797/2592"}),
    );
    let estimate = win_estimate(1, 1, &Rules::standard()).unwrap();
    check(
        estimate,
        &json!({
            "chance": estimate.chance(),
            "lower": estimate.lower(),
            "upper": estimate.upper()
        }),
    );
    let seeing = DiceGame::new(2, 2).unwrap().timing(Timing::AfterTheThrow);
    let written = serde_json::to_value(seeing.plan().unwrap()).unwrap();
    assert_eq!(written["timing"], "after_the_throw");
    let advice = written["advice"].as_array().unwrap();
    let start = advice.last().unwrap();
    assert_eq!(start["forces"], json!({"attackers": 2, "defenders": 2}));
    assert_eq!(start["replies"][0], json!({"faces": [6, 6], "dice": [1]}));
}
