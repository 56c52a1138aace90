//! Answers of solutions, written for other programs: fractions are texts, floats numbers.
#![cfg(feature = "serde")]

use crate::classics::KeepOrRoll;
use oddsmith_mdp::{MatrixGame, Score, Side, Solver};
use serde_json::{from_value, json, to_value};

#[test]
fn choices_explanations_and_lines() {
    let solution = Solver::exact().solve(&KeepOrRoll, (2, 0)).unwrap();
    let keep = json!({
        "action": "keep", "value": "5", "gap": "0", "optimal": true, "decided": true
    });
    let choices = solution.choices(&(1, 5)).unwrap();
    assert_eq!(to_value(&choices).unwrap()[0], keep);
    let why = to_value(solution.explain(&(1, 5)).unwrap()).unwrap();
    assert_eq!(
        (&why["state"], &why["player"]),
        (&json!([1, 5]), &json!("max"))
    );
    assert_eq!((&why["value"], &why["choices"][0]), (&json!("5"), &keep));
    let roll = &why["prospects"][1];
    assert_eq!(
        (&roll["reward"], &roll["outcomes"][0]["chance"]),
        (&json!("0"), &json!("1/6"))
    );
    let line = to_value(solution.likeliest_line_to(|&(_, pips)| pips == 6).unwrap()).unwrap();
    assert_eq!(
        (&line["end"], &line["probability"]),
        (&json!([0, 6]), &json!("1/6"))
    );
    assert_eq!(line["steps"][1]["action"], "keep");

    let float = Solver::float().solve(&KeepOrRoll, (2, 0)).unwrap();
    let choices = to_value(float.choices(&(1, 5)).unwrap()).unwrap();
    assert_eq!(
        (&choices[1]["value"], &choices[1]["gap"]),
        (&json!(3.5), &json!(1.5))
    );
}

#[test]
fn answers_about_matrices() {
    let game = MatrixGame::new([[1, 3], [0, 2]]).unwrap();
    let best = to_value(game.maximin()).unwrap();
    assert_eq!(best, json!({"value": "1", "strategies": [0]}));
    let game = MatrixGame::new([[1, 2], [3, 4]]).unwrap();
    let all = to_value(game.eliminate()).unwrap();
    assert_eq!((&all["rows"], &all["game"]), (&json!([1]), &json!([["3"]])));
    let removed = &all["removals"][0];
    let written = json!({
        "side": "row", "removed": 0, "by": {"pure": 1}, "dominance": "strict"
    });
    assert_eq!(*removed, written);
    let side: Side = from_value(removed["side"].clone()).unwrap();
    assert_eq!(side, Side::Row);
    assert!(from_value::<Side>(json!("rows")).is_err());
}

/// What `FromStr` reads is read, and integers as well.
#[test]
fn scores_as_people_write_them() {
    let quarter = Score::from((1, 4));
    for written in [json!("1/4"), json!("0.25"), json!(" 2/8 ")] {
        assert_eq!(from_value::<Score>(written).ok(), Some(quarter.clone()));
    }
    let integers = json!([3, -7, u64::MAX, "18446744073709551615"]);
    let [three, minus, most, text] = from_value::<[Score; 4]>(integers).unwrap();
    assert_eq!((three, minus), (Score::from(3), Score::from(-7)));
    assert_eq!(
        (most.clone(), most.to_string()),
        (text, u64::MAX.to_string())
    );
    let game: MatrixGame = serde_json::from_str(r#"[[3, "-0.5"], ["-1", "1/2"]]"#).unwrap();
    let again = to_value(&game).unwrap();
    assert_eq!(again, json!([["3", "-1/2"], ["-1", "1/2"]]));
    // A float is not what was written, so it must be a text.
    for written in [
        json!(0.25),
        json!("x"),
        json!("1/0"),
        json!(null),
        json!(true),
    ] {
        assert!(from_value::<Score>(written.clone()).is_err(), "{written}");
    }
}
