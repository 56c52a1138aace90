//! Duels compared with the reference values in `data/duels.json`; its `model` and `note` fields
//! describe them.

use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_dice::Dist;
use oddsmith_dnd::{Duel, Fighter, Winner};
use serde_json::Value;

fn duels() -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("../data/duels.json")).unwrap();
    all["duels"].as_array().unwrap().clone()
}

fn fraction(value: &Value) -> BigRational {
    value.as_str().unwrap().parse().unwrap()
}

fn turn(pairs: &Value) -> Dist<i64> {
    let pairs = pairs.as_array().unwrap().iter();
    let pairs = pairs.map(|pair| (pair[0].as_i64().unwrap(), fraction(&pair[1])));
    Dist::from_probabilities(pairs).unwrap()
}

fn duel(case: &Value) -> Duel {
    let fighter = |side: &str| {
        let hit_points = case[side]["HP"].as_i64().unwrap();
        Fighter::new(hit_points, turn(&case[format!("turn_damage_{side}")])).unwrap()
    };
    Duel::new(fighter("A"), fighter("B"))
}

#[track_caller]
fn close(left: f64, right: &Value, within: f64) {
    let right = right.as_f64().unwrap();
    assert!((left - right).abs() <= within, "{left} and {right}");
}

#[test]
fn rounds() {
    for case in duels() {
        let expected = case["rounds"].as_array().unwrap();
        let duel = duel(&case);
        let rounds = duel.rounds(expected.len() as u64).unwrap();
        let float = duel.to_f64().rounds(expected.len() as u64).unwrap();
        for row in expected {
            let n = row["n"].as_u64().unwrap() as usize;
            assert_eq!(rounds[n].won(), &fraction(&row["W"]));
            assert_eq!(rounds[n].open(), &fraction(&row["C"]));
            assert_eq!(rounds[n].lost(), &fraction(&row["L"]));
            assert_eq!(rounds[n].first_fells(), &fraction(&row["w_n"]));
            assert_eq!(rounds[n].second_fells(), &fraction(&row["k_n"]));
            for (column, name) in ["W", "C", "L"].iter().enumerate() {
                let exact = fraction(&row[name]).to_f64().unwrap();
                let answer = float.table()[[n, column]];
                assert!((answer - exact).abs() <= exact * float.relative_error());
            }
        }
    }
}

#[test]
fn endings() {
    for case in duels() {
        let duel = duel(&case);
        let ending = duel.ending().unwrap();
        assert_eq!(ending.chance(Winner::First), fraction(&case["W_infinite"]));
        assert_eq!(
            ending.expected_rounds(),
            &fraction(&case["mean_rounds_started"])
        );
        let swapped = duel.swapped().ending().unwrap();
        assert_eq!(
            swapped.chance(Winner::Second),
            fraction(&case["A_wins_if_B_first"])
        );
        let float = duel.to_f64().ending().unwrap();
        assert!(float.relative_error() < 1e-11);
        close(
            float.chance(Winner::First),
            &case["W_infinite_float"],
            1e-14,
        );
        close(
            *float.expected_rounds(),
            &case["mean_rounds_started_float"],
            1e-12,
        );
    }
}

#[test]
fn rounds_until_the_duel_is_settled() {
    for case in duels() {
        let rounds = duel(&case).to_f64().rounds(400).unwrap();
        for (chance, expected) in case["rounds_until_C_below"].as_object().unwrap() {
            let chance = chance.parse().unwrap();
            assert_eq!(rounds.settled_below(&chance), expected.as_u64());
        }
    }
}

#[test]
fn without_partdist() {
    for case in duels() {
        let rounds = duel(&case).to_f64().rounds_without_partdist(10).unwrap();
        close(
            *rounds[10].won(),
            &case["W10_without_partdist_float"],
            1e-12,
        );
        close(
            *rounds[10].lost(),
            &case["L10_without_partdist_float"],
            1e-12,
        );
        let exact = duel(&case).rounds_without_partdist(10).unwrap();
        let state = exact[10].won() + exact[10].open() + exact[10].lost();
        assert_eq!(state, BigRational::from(num_bigint::BigInt::from(1)));
        close(
            exact[10].won().to_f64().unwrap(),
            &case["W10_without_partdist_float"],
            1e-15,
        );
    }
}

/// All weights of a distribution have one total, however it was computed.
#[test]
fn laws_of_endings_add_up() {
    for case in duels() {
        let ending = duel(&case).ending().unwrap();
        let sum: BigUint = ending.law().weights().sum();
        assert_eq!(&sum, ending.law().total());
    }
}

/// Regression test: in floats, w_n became 0 once it was unlikely enough that anybody still stood.
#[test]
fn late_rounds_in_floats() {
    let mostly = |hit, miss| Dist::from_weights([(0, miss), (1, hit)]).unwrap();
    let pairs = [
        (
            Fighter::new(2_000, mostly(19, 1)),
            Fighter::new(1, Dist::certain(1)),
        ),
        (
            Fighter::new(3, mostly(1, 1)),
            Fighter::new(4, mostly(99, 1)),
        ),
        (
            Fighter::new(4, mostly(3, 1))
                .unwrap()
                .heals(Dist::die(2).unwrap()),
            Fighter::new(2, mostly(9, 1)),
        ),
    ];
    for (first, second) in pairs {
        let duel = Duel::new(first.unwrap(), second.unwrap());
        let exact = duel.rounds(400).unwrap();
        let float = duel.to_f64().rounds(400).unwrap();
        assert!(float.relative_error() < 1e-10);
        for round in 1..=400 {
            let (exact, float) = (&exact[round], &float[round]);
            for (float, exact) in [
                (float.first_fells(), exact.first_fells()),
                (float.second_fells(), exact.second_fells()),
            ] {
                let exact = exact.to_f64().unwrap();
                assert!(
                    (float - exact).abs() <= 1e-10 * exact,
                    "{round}: {float}, not {exact}"
                );
            }
        }
    }
}

/// Regression test: a chance that floats lose was reported as "never".
#[test]
fn who_never_wins_and_who_hardly_does() {
    let report = |hit_points, sting| {
        let often = Dist::from_weights([(0, 1), (1, 19)]).unwrap();
        let [hero, wasp] = [
            Fighter::new(hit_points, often).unwrap(),
            Fighter::new(1, Dist::certain(sting)).unwrap(),
        ];
        Duel::new(hero, wasp).report(1).unwrap().to_string()
    };
    assert!(report(9, 0).contains("\nThe second never wins\n"));
    assert!(report(2, 1).contains("\nThe second wins with 0.25 %"));
    assert!(report(9, 1).contains("\nThe second wins with 1.95e-10 %"));
    assert!(report(300, 1).contains("\nThe second wins with less than 1e-298 %\n"));
}
