//! Editions, readings of a bonus, and rules as text and data.

use crate::reference;
use num_bigint::BigUint;
use oddsmith_risk::{Battle, Error, Reading, Rules, Throw};
use serde_json::Value;

fn data(field: &str) -> Value {
    reference::field(include_str!("../data/published.json"), field)
}

#[track_caller]
fn check_counts(rules: Rules, counts: &Value) {
    let law = Throw::new(3, 2).unwrap().rules(rules).law().unwrap();
    let counts: Vec<BigUint> = counts
        .as_array()
        .unwrap()
        .iter()
        .map(|count| count.as_u64().unwrap().into())
        .collect();
    assert!(law.weights().eq(counts.iter()), "{law:?}");
}

/// All nine bonuses of −1 to +1 on both of the defender's dice.
#[test]
fn risk_legacy() {
    let variants = data("variants");
    let throws = variants["risk_legacy_3v2"].as_object().unwrap();
    assert_eq!(throws.len(), 9);
    for (name, counts) in throws {
        let (high, low) = name.split_once(',').unwrap();
        let points = |text: &str, name: &str| text.strip_prefix(name).unwrap().parse().unwrap();
        let bonus: [i32; 2] = [points(high, "high"), points(low, "low")];
        let rules = Rules::standard().defence_bonus(bonus);
        check_counts(rules.clone(), &counts["plain"]);
        check_counts(
            rules.reading(Reading::ClampedAndSorted),
            &counts["clamped_resorted"],
        );
    }
}

/// `[attackers, defenders]` and the dice they throw.
#[track_caller]
fn check_dice(rules: &Rules, cases: &[([u32; 2], (u32, u32))]) {
    for &([attackers, defenders], dice) in cases {
        assert_eq!(rules.dice(attackers, defenders), dice, "{rules}");
    }
}

#[test]
fn dice_of_the_editions() {
    let standard = [
        ([1, 1], (1, 1)),
        ([1, 2], (1, 2)),
        ([2, 3], (2, 2)),
        ([3, 1], (3, 1)),
        ([9, 9], (3, 2)),
        ([0, 2], (0, 2)),
        ([2, 0], (2, 0)),
        ([u32::MAX, u32::MAX], (3, 2)),
    ];
    check_dice(&Rules::standard(), &standard);
    check_dice(&Rules::zombies(), &standard);
    let georgiou = [([1, 2], (1, 1)), ([1, 9], (1, 1)), ([2, 9], (2, 2))];
    check_dice(&Rules::georgiou(), &georgiou);
    let uk = [
        ([1, 2], (1, 1)),
        ([3, 2], (3, 1)),
        ([1, 3], (1, 2)),
        ([9, 9], (3, 2)),
    ];
    check_dice(&Rules::uk_1990(), &uk);
    let capital = [
        ([1, 3], (1, 3)),
        ([3, 2], (3, 2)),
        ([3, 3], (3, 3)),
        ([9, 9], (3, 3)),
    ];
    check_dice(&Rules::capital(), &capital);
    let late = Rules::capital().second_defence_die_from(5).unwrap();
    check_dice(&late, &[([4, 4], (3, 1)), ([4, 5], (3, 3))]);
    let early = Rules::standard().second_defence_die_from(1).unwrap();
    check_dice(&early, &[([1, 1], (1, 1)), ([3, 2], (3, 2))]);
}

/// Two defenders throw one die and three throw two.
#[test]
fn battles_by_the_british_rules() {
    let win = |attackers, defenders| {
        let battle = Battle::new(attackers, defenders).unwrap();
        battle.rules(Rules::uk_1990()).win().unwrap()
    };
    let p = |attack, defence, won| {
        let throw = Throw::new(attack, defence).unwrap();
        throw.law().unwrap().p(&won)
    };
    // One attacker must win all throws: against two dice, one, and one.
    assert_eq!(win(1, 3), p(1, 2, 1) * p(1, 1, 1) * p(1, 1, 1));
    // Three against two: a state of one die each way.
    let (first, second, last) = (p(3, 1, 1), p(2, 1, 1), p(1, 1, 1));
    let lose =
        |p: &num_rational::BigRational| num_rational::BigRational::from_integer(1.into()) - p;
    let with_two = &second + lose(&second) * &last;
    let with_three = &first + lose(&first) * &with_two;
    let expected =
        &first * with_three + lose(&first) * (&second * with_two + lose(&second) * &last * &last);
    assert_eq!(win(3, 2), expected);
}

#[test]
fn refused() {
    assert_eq!(
        Rules::standard().second_defence_die_from(0).unwrap_err(),
        Error::NoDefenders
    );
    // Lists of all rolls are rejected before they are computed.
    let clamped = Rules::standard()
        .attack_bonus([1])
        .reading(Reading::ClampedAndSorted);
    for dice in [[30, 30], [1, u32::MAX], [u32::MAX, 1], [u32::MAX, u32::MAX]] {
        let throw = Throw::new(dice[0], dice[1]).unwrap();
        let error = throw.rules(clamped.clone()).law().unwrap_err();
        assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    }
    let huge = clamped.sides(u32::MAX, u32::MAX).unwrap();
    let error = Throw::new(1, 1).unwrap().rules(huge).law().unwrap_err();
    assert!(matches!(error, Error::TooLarge { .. }), "{error}");
}

/// Clamped, the largest bonus is a 6 and the smallest a 1.
#[test]
fn extreme_bonuses_clamped() {
    for reading in [Reading::Clamped, Reading::ClampedAndSorted] {
        let rules = Rules::standard()
            .attack_bonus([i32::MAX; 2])
            .defence_bonus([i32::MIN; 2])
            .reading(reading)
            .hero_attacks();
        let law = Throw::new(2, 2).unwrap().rules(rules).law().unwrap();
        assert_eq!(law.support(), [2]);
    }
    // A bonus larger than all sides still decides after sorting.
    let rules = Rules::standard()
        .attack_bonus([i32::MIN, i32::MAX])
        .reading(Reading::Sorted);
    let law = Throw::new(2, 2).unwrap().rules(rules).law().unwrap();
    assert_eq!(law.support(), [1]);
}

#[test]
fn heroes_add_to_what_is_there() {
    let most = Rules::standard().attack_bonus([i32::MAX, 2]).hero_attacks();
    let same = Rules::standard()
        .defence_bonus([i32::MAX])
        .attack_bonus([i32::MAX, 2]);
    let won = |rules: Rules, pairs| {
        let law = Throw::new(1, 1).unwrap().rules(rules).law().unwrap();
        law.p(&pairs).to_string()
    };
    assert_eq!(won(same.clone(), 1), "5/12");
    assert_eq!(won(most.defence_bonus([i32::MAX]), 1), "7/12");
    assert_eq!(
        Rules::standard().fortress().hero_defends(),
        Rules::standard().defence_bonus([2])
    );
}

/// The same bonus on both highest dice changes nothing (Georgiou, section 7.2),
/// but only if it is not clamped.
#[test]
fn equal_bonuses_cancel() {
    let law = |dice: [u32; 2], rules: Rules| {
        let throw = Throw::new(dice[0], dice[1]).unwrap().rules(rules);
        throw.law().unwrap()
    };
    for attack in 1..=5 {
        for defence in 1..=4 {
            let plain = law([attack, defence], Rules::standard());
            for points in [-9, -3, -1, 1, 2, 6, i32::MAX, i32::MIN] {
                let both = Rules::standard()
                    .attack_bonus([points])
                    .defence_bonus([points]);
                assert_eq!(law([attack, defence], both.clone()), plain);
                let clamped = law([attack, defence], both.reading(Reading::Clamped));
                // A point more makes a tie of a 6 against a 5.
                assert_ne!(clamped, plain);
            }
        }
    }
}

#[test]
fn display() {
    let check = |rules: Rules, text: &str| assert_eq!(rules.to_string(), text);
    let standard = "at most 3 dice against 2, six-sided; ties to the defender";
    check(Rules::standard(), standard);
    check(
        Rules::georgiou().hero_defends(),
        &format!(
            "{standard}; the defender never throws more dice than the attacker; defence bonus +1"
        ),
    );
    check(
        Rules::zombies()
            .max_dice(1, 1)
            .unwrap()
            .sides(6, 8)
            .unwrap(),
        "at most 1 die against 1, of 6 against 8 sides; ties to the attacker",
    );
    check(
        Rules::standard()
            .attack_bonus([0, -2, 0, 0])
            .defence_bonus([0; 1000])
            .sides(8, 8)
            .unwrap()
            .reading(Reading::ClampedAndSorted),
        "at most 3 dice against 2, of 8 sides; ties to the defender; attack bonus +0, -2; \
         clamped and sorted again",
    );
}

#[cfg(feature = "serde")]
#[test]
fn rules_as_data() {
    use oddsmith_risk::Side;

    let rules = Rules::uk_1990()
        .ties_to(Side::Attacker)
        .sides(6, 8)
        .unwrap()
        .attack_bonus([1, -1])
        .reading(Reading::Clamped);
    let json = r#"{"max_dice":[3,2],"sides":[6,8],"ties_to":"attacker","defence_may_outnumber":true,"second_defence_die_from":3,"attack_bonus":[1,-1],"defence_bonus":[],"reading":"clamped"}"#;
    assert_eq!(serde_json::to_string(&rules).unwrap(), json);
    assert_eq!(serde_json::from_str::<Rules>(json).unwrap(), rules);
    let read = |json: &str| serde_json::from_str::<Rules>(json).map_err(|error| error.to_string());
    assert_eq!(read("{}").unwrap(), Rules::standard());
    assert_eq!(read(r#"{"max_dice":[3,3]}"#).unwrap(), Rules::capital());
    for (json, message) in [
        (
            r#"{"max_dice":[0,2]}"#,
            "the attacker must throw at least 1 die, got 0",
        ),
        (
            r#"{"sides":[6,0]}"#,
            "the defender's dice must have at least 1 side, got 0",
        ),
        (
            r#"{"second_defence_die_from":0}"#,
            "two defence dice need at least 1 defender",
        ),
        (r#"{"bonus":[1]}"#, "unknown field `bonus`"),
        (r#"{"ties_to":"nobody"}"#, "unknown variant `nobody`"),
        (r#"{"max_dice":[3]}"#, "invalid length 1"),
    ] {
        let error = read(json).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    // Values that the setter rejects but that have an answer.
    let rules = read(&format!(
        r#"{{"attack_bonus":[{}],"defence_bonus":[{}]}}"#,
        1_i64 << 32,
        -(1_i64 << 32)
    ));
    let law = Throw::new(2, 2)
        .unwrap()
        .rules(rules.unwrap())
        .law()
        .unwrap();
    assert_eq!(law.support(), [1, 2]);
}

/// Regression test: the limit was not passed on to the dice, so their limit could not be raised.
#[test]
fn a_limit_on_steps_is_one_on_listed_rolls_too() {
    let throw = |dice, rules| Throw::new(dice, dice).unwrap().rules(rules);
    let tired = Rules::standard().attack_bonus([-1]);
    let sorted = throw(9, tired.reading(Reading::Sorted));
    let Err(Error::TooLarge { work, limit, .. }) = sorted.law() else {
        panic!("a list of sorted rolls of nine dice each fits 256 MiB");
    };
    assert!(work > u128::from(limit), "{work} {limit}");
    let law = sorted.law_within(u64::try_from(work).unwrap()).unwrap();
    assert_eq!(law.total(), &BigUint::from(6_u8).pow(18));
    // One die reduced by a point is worse than no reduction, and better than all dice reduced.
    let mean = |throw: Throw| throw.law().unwrap().map(|&won| i64::from(won)).mean();
    let won = law.map(|&won| i64::from(won)).mean();
    let all = Rules::standard().attack_bonus([-1; 9]);
    assert!(mean(throw(9, all)) < won && won < mean(throw(9, Rules::standard())));
    // Whether it rejects steps or lists, the given limit counts.
    let hero = Rules::standard().hero_attacks();
    let clamped = throw(10, hero.reading(Reading::Clamped));
    for limit in [1 << 20, 1 << 30, 1 << 31] {
        let refused = clamped.law_within(limit);
        let ours = matches!(refused, Err(Error::TooLarge { limit: of, .. }) if of == limit);
        assert!(ours, "{refused:?}");
    }
}
