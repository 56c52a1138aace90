//! Answers of solutions, written for other programs: fractions are texts, floats numbers.
#![cfg(feature = "serde")]

use crate::classics::KeepOrRoll;
use oddsmith_mdp::{MatrixGame, Side, Solver};
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
