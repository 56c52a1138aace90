//! Reference values in `data/risk.json`; its `note` describes the fields.

use crate::reference;
use crate::reference::{entries, fraction, heroes, two};
use num_bigint::BigUint;
use num_rational::BigRational;
use oddsmith_mdp::Solver;
use oddsmith_risk::{Battle, Forces, Losses, Rules, Side, Throw};
use serde_json::Value;

fn data(field: &str) -> Value {
    reference::field(include_str!("../data/risk.json"), field)
}

fn throw(dice: &str, rules: Rules) -> Throw {
    let [attack, defence] = two(dice, 'x');
    Throw::new(attack, defence).unwrap().rules(rules)
}

#[track_caller]
fn check_counts(throw: &Throw, counts: &Value) {
    let law = throw.law().unwrap();
    let expected = counts.as_array().unwrap().iter();
    let expected: Vec<_> = expected
        .map(|n| BigUint::from(n.as_u64().unwrap()))
        .collect();
    assert_eq!(
        law.weights().cloned().collect::<Vec<_>>(),
        expected,
        "{throw:?}"
    );
    assert_eq!(law.support().len() as u32, throw.pairs() + 1);
}

#[track_caller]
fn check_losses(losses: &Losses, gv: &Value, share: &Value) {
    assert_eq!(losses.game_value(), fraction(gv));
    assert_eq!(losses.attacker_share(), fraction(share));
}

#[test]
fn throws() {
    let throws = data("throws");
    for (name, expected) in entries(&throws) {
        let (bonus, dice) = name.split_once(';').unwrap();
        let throw = throw(dice, heroes(bonus));
        check_counts(&throw, &expected["counts"]);
        assert_eq!(
            throw.law().unwrap().total(),
            &expected["total"].as_u64().unwrap().into()
        );
        let losses = throw.expected_losses().unwrap();
        check_losses(&losses, &expected["net_per_unit"], &expected["p_unit"]);
        let net = losses.defender() - losses.attacker();
        assert_eq!(net, fraction(&expected["net_per_round"]), "{name}");
        // For two pairs the program's game value is half of ours.
        let published = match dice {
            "1x2" => BigRational::default(),
            _ => losses.game_value() / BigRational::from_integer(throw.pairs().into()),
        };
        assert_eq!(published, fraction(&expected["source_gv"]), "{name}");
    }
}

#[test]
fn laws_and_battles() {
    let laws = data("laws");
    assert_eq!(laws.as_object().unwrap().len(), 9);
    for (id, expected) in entries(&laws) {
        let denominator = &expected["denominator"];
        let chance = |weight: &Value| -> BigRational {
            format!(
                "{}/{}",
                weight.as_str().unwrap(),
                denominator.as_str().unwrap()
            )
            .parse()
            .unwrap()
        };
        let outcomes = expected["outcomes"].as_array().unwrap();
        if let Some(forces) = id.strip_prefix("risk_battle_") {
            let [attackers, defenders] = two(forces, 'v');
            let win = Battle::new(attackers, defenders).unwrap().win().unwrap();
            assert_eq!(win, chance(&outcomes[1][1]), "{id}");
            continue;
        }
        let (rules, dice) = match id.trim_start_matches("risk_").strip_suffix("_attack_hero") {
            Some(dice) => (Rules::standard().attack_bonus([1]), dice),
            None => (Rules::standard(), id.trim_start_matches("risk_")),
        };
        let law = throw(&dice.replace('v', "x"), rules).law().unwrap();
        assert_eq!(law.len(), outcomes.len());
        for outcome in outcomes {
            let won = outcome[0].as_u64().unwrap() as u32;
            assert_eq!(law.p(&won), chance(&outcome[1]), "{id}");
        }
        let law = law.map(|&won| i64::from(won));
        assert_eq!(law.mean(), fraction(&expected["mean"]), "{id}");
        assert_eq!(law.variance(), fraction(&expected["variance"]), "{id}");
    }
}

/// The output of Georgiou's program, computed from the distribution: it writes "attacker wins one"
/// for everything except "attacker wins all", and for two pairs divides by twice the rolls.
#[test]
fn console_of_the_program() {
    let console = data("console");
    let blocks = console.as_array().unwrap();
    assert_eq!(blocks.len(), 6);
    for block in blocks {
        let rules = heroes(&format!(
            "{},{}",
            block["attack_bonus"], block["defence_bonus"]
        ));
        for (dice, printed) in entries(&block["cells"]) {
            let throw = throw(dice, rules.clone());
            let law = throw.law().unwrap();
            let rolls = law.total().clone();
            let count =
                |won: u32| law.p(&won) * BigRational::from(num_bigint::BigInt::from(rolls.clone()));
            let whole = BigRational::from(num_bigint::BigInt::from(rolls.clone()));
            let pairs = throw.pairs();
            let (most, least) = (count(pairs), count(0));
            let expected = match pairs {
                1 => vec![most, least],
                _ => vec![most.clone(), &whole - most, &whole - &least, least],
            };
            let printed = printed.as_array().unwrap();
            assert_eq!(printed.len(), expected.len());
            for (line, expected) in printed.iter().zip(expected) {
                let integer =
                    |value: &Value| BigRational::from_integer(value.as_u64().unwrap().into());
                assert_eq!(integer(&line[1]), expected, "{dice}");
                let denominator = &whole * BigRational::from_integer(pairs.into());
                assert_eq!(integer(&line[2]), denominator);
                let percent = 100.0 * line[1].as_f64().unwrap() / line[2].as_f64().unwrap();
                assert_eq!(format!("{percent:.3}"), line[3].as_str().unwrap().trim());
            }
        }
    }
}

/// Tables 2 to 10 as published (Table 6 with its misprint), from the halved
/// game value.
#[test]
fn published_game_values() {
    let tables = data("tables");
    for table in ["T2", "T4", "T6", "T7", "T9", "T10"] {
        let rules = heroes(tables[table]["cfg"].as_str().unwrap());
        for (row, attack) in (1..=3).enumerate() {
            for (column, defence) in (1..=2).enumerate() {
                let Some(published) = tables[table]["published"][row][column].as_str() else {
                    assert_eq!((attack, defence), (1, 2));
                    continue;
                };
                let throw = Throw::new(attack, defence).unwrap().rules(rules.clone());
                let value = throw.expected_losses().unwrap().game_value();
                let halved = value / BigRational::from_integer(throw.pairs().into());
                let mut printed = format!("{:+.4}", to_f64(&halved));
                if (table, attack, defence) == ("T6", 2, 2) {
                    printed = printed.replace('-', "+"); // the misprint
                }
                assert_eq!(
                    printed.trim_start_matches('+'),
                    published.trim_start_matches('+')
                );
            }
        }
    }
}

fn to_f64(ratio: &BigRational) -> f64 {
    num_traits::ToPrimitive::to_f64(ratio).unwrap()
}

#[test]
fn table_12_corrected() {
    let table = data("table12");
    for (name, expected) in entries(&table) {
        let [attack, defence] =
            ["att_dice", "def_dice"].map(|key| expected[key].as_u64().unwrap() as u32);
        let throw = Throw::new(attack, defence).unwrap().rules(heroes(name));
        check_counts(&throw, &expected["counts"]);
        let losses = throw.expected_losses().unwrap();
        check_losses(&losses, &expected["gv_per_unit"], &expected["P_A"]);
        assert_eq!(losses.equilibrium_ratio(), Some(fraction(&expected["R_e"])));
    }
}

#[test]
fn three_defence_dice() {
    let throws = data("three_defence_dice");
    for (dice, expected) in entries(&throws) {
        check_counts(
            &throw(&dice.replace('v', "x"), Rules::standard()),
            &expected["counts"],
        );
    }
}

#[test]
fn bonuses_on_both_ranks() {
    let throws = data("rank_bonuses");
    assert_eq!(throws.as_object().unwrap().len(), 9);
    for (name, counts) in entries(&throws) {
        let bonuses: Vec<i32> = name
            .split(',')
            .map(|bonus| {
                bonus
                    .trim_start_matches("high")
                    .trim_start_matches("low")
                    .parse()
                    .unwrap()
            })
            .collect();
        let rules = Rules::standard().defence_bonus(bonuses);
        check_counts(&throw("3x2", rules), counts);
    }
}

#[test]
fn win_matrices() {
    let win = data("win");
    for (bonus, by_rule) in entries(&win) {
        for (rule, matrix) in entries(by_rule) {
            let rules = heroes(bonus).defence_may_outnumber(rule == "std");
            let whole = Battle::new(10, 10).unwrap().rules(rules.clone());
            let solution = whole.solve_with(Solver::exact()).unwrap();
            let float = whole.solve_with(Solver::float()).unwrap();
            for (row, attackers) in (1..=10).enumerate() {
                for (column, defenders) in (1..=10).enumerate() {
                    let forces = Forces {
                        attackers,
                        defenders,
                    };
                    let expected = fraction(&matrix[row][column]);
                    assert_eq!(solution.value_of(&forces).unwrap(), expected);
                    let near = BigRational::from_float(float.value_of(&forces).unwrap()).unwrap();
                    let bound = BigRational::from_float(float.error(&forces).unwrap()).unwrap();
                    assert!(&near - &expected <= bound && &expected - &near <= bound);
                    // Also a battle on its own, if it has fewer throws.
                    let own = Battle::new(attackers, defenders)
                        .unwrap()
                        .rules(rules.clone());
                    if attackers < 4 || defenders < 3 {
                        assert_eq!(own.win().unwrap(), expected, "{bonus} {rule} {forces:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn osborne_table_3() {
    let table = data("osborne_table3");
    let solution = Battle::new(10, 10)
        .unwrap()
        .solve_with(Solver::float())
        .unwrap();
    for (row, attackers) in (1..=10).enumerate() {
        for (column, defenders) in (1..=10).enumerate() {
            let win = solution
                .value_of(&Forces {
                    attackers,
                    defenders,
                })
                .unwrap();
            assert_eq!(format!("{win:.3}"), table[row][column].as_str().unwrap());
        }
    }
}

#[test]
fn survivors_by_the_forecast() {
    let survivors = data("survivors");
    for (forces, expected) in entries(&survivors) {
        let [attackers, defenders] = two(forces, ',');
        let solution = Battle::new(attackers, defenders)
            .unwrap()
            .solve_with(Solver::exact())
            .unwrap();
        let left = solution.forecast().unwrap().ends().unwrap();
        assert_eq!(left.len(), expected.as_object().unwrap().len());
        for (end, chance) in entries(expected) {
            let [attackers, defenders] = two(end, ',');
            assert_eq!(
                left.p(&Forces {
                    attackers,
                    defenders
                }),
                fraction(chance),
                "{forces}: {end}"
            );
        }
    }
}

#[test]
fn large_battles() {
    let large = data("large");
    for (bonus, battles) in entries(&large) {
        for (forces, expected) in entries(battles) {
            let [attackers, defenders] = two(forces, ',');
            let battle = Battle::new(attackers, defenders)
                .unwrap()
                .rules(heroes(bonus));
            let solution = battle.solve_with(Solver::float()).unwrap();
            let expected: f64 = expected.as_str().unwrap().parse().unwrap();
            let error = solution.error(&battle.forces()).unwrap();
            assert!(
                (solution.value() - expected).abs() <= error + 1e-16,
                "{forces}"
            );
            assert!(error < 1e-12, "{forces}: {error:e}");
        }
    }
}

/// The official app's zombies: 300 attackers, who win ties, against 800.
#[test]
fn zombies() {
    let zombies = data("zombies");
    let [attackers, defenders] =
        ["attackers", "defenders"].map(|key| zombies[key].as_u64().unwrap() as u32);
    let rules = Rules::standard().ties_to(Side::Attacker);
    let win = Battle::new(attackers, defenders)
        .unwrap()
        .rules(rules)
        .win_f64()
        .unwrap();
    assert_eq!(
        format!("{win:.6}"),
        format!("{:.6}", zombies["value"].as_f64().unwrap())
    );
    let published: f64 = zombies["published"].as_str().unwrap().parse().unwrap();
    assert!((win - published).abs() < 2e-7, "single precision");
}

#[test]
fn even_chances() {
    let a50 = data("a50");
    let solution = Battle::new(110, 100)
        .unwrap()
        .solve_with(Solver::float())
        .unwrap();
    for (defenders, attackers) in entries(&a50) {
        let defenders: u32 = defenders.parse().unwrap();
        if defenders > 100 {
            continue; // checked by the two battles at the line below
        }
        let win = |attackers| {
            solution
                .value_of(&Forces {
                    attackers,
                    defenders,
                })
                .unwrap()
        };
        let first = (1..=110).find(|&attackers| win(attackers) > 0.5).unwrap();
        assert_eq!(u64::from(first), attackers.as_u64().unwrap());
    }
    let line = a50["500"].as_u64().unwrap() as u32;
    let solution = Battle::new(line, 500)
        .unwrap()
        .solve_with(Solver::float())
        .unwrap();
    assert!(solution.value() > 0.5);
    let less = Forces {
        attackers: line - 1,
        defenders: 500,
    };
    assert!(solution.value_of(&less).unwrap() < 0.5);
}
