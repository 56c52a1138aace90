//! Reference values in `data/dnd.json`; its `note` describes the fields.

use num_rational::BigRational;
use oddsmith_dice::Dist;
use oddsmith_dnd::{AttackRoll, D20, Damage, activate, attack_damage};
use serde_json::Value;

fn duels() -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("../data/dnd.json")).unwrap();
    all["duels"].as_array().unwrap().clone()
}

fn fraction(value: &Value) -> BigRational {
    value.as_str().unwrap().parse().unwrap()
}

fn integer(value: &Value) -> i64 {
    value.as_i64().unwrap()
}

fn dice(attack: &Value) -> Dist<i64> {
    let mut sum = Dist::certain(0);
    for dice in attack["dice"].as_array().unwrap() {
        let [n, sides] = [0, 1].map(|i| integer(&dice[i]) as u32);
        sum = sum.matfold(&Dist::ndice(n, sides).unwrap()).unwrap();
    }
    sum
}

fn law(attack: &Value, ac: i64) -> Dist<i64> {
    let die = match integer(&attack["adv"]) {
        0 => D20::Plain,
        adv => D20::with((adv > 0).into(), (adv < 0).into()),
    };
    let roll = AttackRoll::new(ac, integer(&attack["atk"])).die(die);
    let roll = roll.critical_from(integer(&attack["crit"]) as u32).unwrap();
    let damage = Damage::new(dice(attack))
        .unwrap()
        .flat(integer(&attack["flat"]));
    attack_damage(&roll, &damage).unwrap()
}

#[track_caller]
fn check_turn(attacker: &Value, ac: &Value, expected: &Value, dpr: &Value) {
    let mut turn = Dist::certain(0);
    for attack in attacker["attacks"].as_array().unwrap() {
        turn = turn.matfold(&law(attack, integer(ac))).unwrap();
    }
    let expected = expected.as_array().unwrap();
    assert_eq!(turn.len(), expected.len());
    for pair in expected {
        assert_eq!(turn.p(&integer(&pair[0])), fraction(&pair[1]));
    }
    assert_eq!(turn.mean(), fraction(dpr));
}

#[test]
fn turns() {
    let duels = duels();
    assert_eq!(duels.len(), 5);
    for duel in duels {
        check_turn(
            &duel["A"],
            &duel["B"]["AC"],
            &duel["turn_damage_A"],
            &duel["dpr_A"],
        );
        check_turn(
            &duel["B"],
            &duel["A"]["AC"],
            &duel["turn_damage_B"],
            &duel["dpr_B"],
        );
    }
}

/// Jørgensen's section 3.3, with the bonus of the call and with that of the text.
#[test]
fn activate_of_the_source() {
    let duels = duels();
    for (id, atk) in [("source_mirror", 7), ("source_mirror_text_atk5", 5)] {
        let duel = duels.iter().find(|duel| duel["id"] == id).unwrap();
        let law = activate(&Dist::ndice(2, 6).unwrap(), 5, 18, atk).unwrap();
        assert_eq!(law.mean(), fraction(&duel["dpr_A"]));
        for pair in duel["turn_damage_A"].as_array().unwrap() {
            assert_eq!(law.p(&integer(&pair[0])), fraction(&pair[1]));
        }
    }
}

/// The distribution of 2d6 as printed in section 3.3.
#[test]
fn two_dice_of_the_source() {
    let law = Dist::ndice(2, 6).unwrap();
    for (pips, count) in (2..=12).zip([1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]) {
        assert_eq!(law.p(&pips), BigRational::new(count.into(), 36.into()));
    }
}
