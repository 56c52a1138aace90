//! Serialization of states, ways to use LUCK and solutions.
#![cfg(feature = "serde")]

use num_rational::BigRational;
use oddsmith_fightingfantasy::{
    Duel, DuelAction, DuelState, End, Ending, Extent, Foe, Hero, Heuristic, HeuristicMap, Melee,
    MeleeAction, MeleeState, PolicyLoss, RoundOdds, RuleOfThumb, Rules, Strategy, Threshold, Use,
};
use oddsmith_mdp::{Record, Solver};

#[test]
fn a_plan_for_luck_is_kept_and_played_by() {
    let duel = Duel::new(Hero::new(9, 8, 4).unwrap(), Foe::new(10, 7).unwrap());
    let game = duel.game().unwrap();
    let solution = Solver::exact()
        .solve(&game, DuelState::new(8, 7, 4))
        .unwrap();
    let record = solution.record().unwrap();
    let text = serde_json::to_string(&record).unwrap();
    let read: Record<DuelState, DuelAction, BigRational> = serde_json::from_str(&text).unwrap();
    assert!(read == record);
    assert_eq!(duel.with_policy(&read).unwrap(), solution.value());
}

#[test]
fn so_is_one_for_several_foes() {
    let foes = [Foe::new(8, 3).unwrap(), Foe::new(7, 4).unwrap()];
    let melee = Melee::at_once(Hero::new(9, 6, 3).unwrap(), foes).unwrap();
    let game = melee.game().unwrap();
    let start = MeleeState::new(6, &[3, 4], 3).unwrap();
    let solution = Solver::exact().solve(&game, start).unwrap();
    let record = solution.record().unwrap();
    let text = serde_json::to_string(&record).unwrap();
    let read: Record<MeleeState, MeleeAction, BigRational> = serde_json::from_str(&text).unwrap();
    assert!(read == record);
    assert_eq!(melee.with_policy(&read).unwrap(), solution.value());
}

#[test]
fn states_that_there_cannot_be_are_refused() {
    let state = r#"{"hero":6,"foes":[3,4],"luck":3,"round":0,"streak":0,"phase":"round"}"#;
    let read: MeleeState = serde_json::from_str(state).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), state);
    for bad in [
        state.replace("[3,4]", "[]"),
        state.replace("[3,4]", "[1,1,1,1,1,1,1]"),
        state.replace("round\":0", "rounds\":0"),
    ] {
        assert!(serde_json::from_str::<MeleeState>(&bad).is_err(), "{bad}");
    }
}

#[test]
fn heuristics_are_written_in_words() {
    let hits = Heuristic::new(Strategy::Offensive, Threshold::Above(5));
    let text = serde_json::to_string(&hits).unwrap();
    assert_eq!(text, r#"{"strategy":"offensive","threshold":{"above":5}}"#);
    assert_eq!(serde_json::from_str::<Heuristic>(&text).unwrap(), hits);
    assert_eq!(Strategy::Offensive.to_string(), Strategy::Offensive.name());
}

#[test]
fn endings_are_written_in_words() {
    for (ending, wanted) in [
        (Ending::Defeat, "defeat"),
        (Ending::Escaped, "escaped"),
        (Ending::HeldOut, "held_out"),
        (Ending::Victory, "victory"),
    ] {
        let text = serde_json::to_string(&ending).unwrap();
        assert_eq!(text, format!("\"{wanted}\""));
        assert_eq!(serde_json::from_str::<Ending>(&text).unwrap(), ending);
    }
    assert!(serde_json::from_str::<Ending>("\"HeldOut\"").is_err());
}

#[test]
fn ends_and_rules_of_thumb_are_written() {
    let end = End::new(Ending::HeldOut, 3, 1);
    let text = serde_json::to_string(&end).unwrap();
    assert_eq!(text, r#"{"ending":"held_out","stamina":3,"luck":1}"#);
    assert_eq!(serde_json::from_str::<End>(&text).unwrap(), end);
    assert!(serde_json::from_str::<End>(&text.replace("luck", "skill")).is_err());

    let eager = RuleOfThumb::default().high_luck(12);
    let eager = eager.thresholds([Threshold::AtLeast(1); 3]);
    let text = serde_json::to_string(&eager).unwrap();
    assert_eq!(serde_json::from_str::<RuleOfThumb>(&text).unwrap(), eager);
    let read: RuleOfThumb = serde_json::from_str(r#"{"low_foe": 4}"#).unwrap();
    assert_eq!(read, RuleOfThumb::default().low_foe(4));
    assert!(serde_json::from_str::<RuleOfThumb>(r#"{"low_foes": 4}"#).is_err());
}

/// Fractions are texts, floats numbers.
#[test]
fn results_are_written_for_other_programs() {
    use serde_json::{json, to_value};

    let even = to_value(RoundOdds::standard(0)).unwrap();
    let odds = json!({"win": "575/1296", "draw": "73/648", "lose": "575/1296"});
    assert_eq!(even, odds);
    assert_eq!(to_value(Use::Offensive).unwrap(), "offensive");
    assert_eq!(serde_json::from_str::<Use>("\"both\"").unwrap(), Use::Both);

    let duel = Duel::new(Hero::new(10, 2, 12).unwrap(), Foe::new(10, 2).unwrap());
    let why = to_value(duel.best_luck().unwrap().explain().unwrap()).unwrap();
    assert_eq!(why["start"]["luck"], 12);
    assert_eq!(why["value"], "3/4");
    let lost = &why["explanations"][1];
    assert_eq!(lost["state"]["phase"], "lost");
    assert_eq!(lost["value"], "1/2");
    let mut choices = lost["choices"].as_array().unwrap().iter();
    let tested = choices.find(|one| one["optimal"] == true).unwrap();
    assert_eq!(
        (&tested["action"], &tested["gap"]),
        (&json!("test_luck"), &json!("0"))
    );
    let float = duel.best_luck_f64().unwrap().explain().unwrap();
    assert_eq!(to_value(float).unwrap()["value"], 0.75);

    let map = HeuristicMap::new(&Rules::standard(), -3, Extent::default()).unwrap();
    let best = map.best(2, 2, 12).unwrap();
    let written = to_value(&best).unwrap();
    assert_eq!(written["value"], best.value.to_string());
    assert_eq!(written["without_luck"], best.without_luck.to_string());
}

#[test]
fn where_a_rule_loses_most_is_written_by_name() {
    let small = Extent {
        hero: 2,
        foe: 1,
        luck: 12,
    };
    let never = Heuristic::new(Strategy::Never, Threshold::Above(0));
    let loss = PolicyLoss::measure(&Rules::standard(), 0..=0, small, |_, _| {
        move |hero, foe, luck| never.decides(hero, foe, luck)
    })
    .unwrap();
    let written = serde_json::to_value(loss).unwrap();
    let at = |loss| serde_json::json!({"loss": loss, "skill_difference": 0, "hero": 2, "foe": 1, "luck": 12});
    assert_eq!(written["worst"], at(0.25)); // 3/4 - 1/2
    assert!((loss.worst_relative.loss - 1.0 / 3.0).abs() < 1e-15);
    assert_eq!(written["worst_relative"], at(loss.worst_relative.loss));
}

/// Regression test: only the reasons for a duel could be written.
#[test]
fn the_reasons_of_a_melee_are_written() {
    let pair = [Foe::new(12, 2).unwrap(), Foe::new(-10, 2).unwrap()];
    let melee = Melee::at_once(Hero::new(12, 2, 7).unwrap(), pair).unwrap();
    let why = serde_json::to_value(melee.best().unwrap().explain().unwrap()).unwrap();
    assert_eq!(
        (&why["start"]["hero"], &why["value"]),
        (&2.into(), &"31/48".into())
    );
    assert_eq!(
        why["targets"][0]["action"],
        serde_json::json!({"attack": 0})
    );
    assert_eq!(why["targets"][1]["gap"], "9775/62208");
    assert_eq!(why["blows"][1]["situation"], "if #1 wounds the hero");
    assert_eq!(why["blows"][1]["choices"][1]["value"], "7/24");
}
