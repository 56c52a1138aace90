//! Battles, rules to stop and solutions in files.
#![cfg(feature = "serde")]

use num_rational::BigRational;
use oddsmith_mdp::{Record, Solver};
use oddsmith_risk::{
    Attack, Battle, DiceGame, DiceState, Forces, Rules, Standing, StopRule, Stopping, Timing,
};

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

#[test]
fn solutions_are_kept_and_played_by() {
    let stopping = Stopping::new(Battle::new(6, 5).unwrap(), 4).unwrap();
    let solution = stopping.solve(Solver::exact()).unwrap();
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
