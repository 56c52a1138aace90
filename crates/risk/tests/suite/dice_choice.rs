//! The number of dice to throw: reference values, a slow oracle, and theorems.

use std::collections::HashMap;

use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use oddsmith_mdp::Solver;
use oddsmith_risk::{
    Battle, DEFAULT_WORK, DiceGame, DicePlan, DicePolicy, DiceState, Error, Forces, Reading, Rules,
    Side, Throw, Timing, win_matrix,
};
use quickcheck::{Arbitrary, Gen, quickcheck};
use serde_json::Value;

type Plan = DicePlan<BigRational>;

const TIMINGS: [Timing; 4] = [
    Timing::AtOnce,
    Timing::AttackerFirst,
    Timing::DefenderFirst,
    Timing::AfterTheThrow,
];

const IN_ADVANCE: [Timing; 3] = [Timing::AtOnce, Timing::AttackerFirst, Timing::DefenderFirst];

fn forces(attackers: u32, defenders: u32) -> Forces {
    Forces {
        attackers,
        defenders,
    }
}

fn plan(size: u32, rules: &Rules, timing: Timing) -> Plan {
    let game = DiceGame::new(size, size).unwrap().timing(timing);
    game.rules(rules.clone()).plan().unwrap()
}

fn values(plan: &Plan) -> Vec<BigRational> {
    plan.iter().map(|advice| advice.value.clone()).collect()
}

// Reference values.

fn games() -> Value {
    let mut all: Value = serde_json::from_str(include_str!("../data/dice_choice.json")).unwrap();
    all["games"].take()
}

fn heroes(bonuses: &str, rules: Rules) -> Rules {
    let (attack, defence) = bonuses.split_once(',').unwrap();
    rules
        .attack_bonus([attack.parse::<i32>().unwrap()])
        .defence_bonus([defence.parse::<i32>().unwrap()])
}

#[track_caller]
fn check_values(plan: &Plan, table: &Value) {
    let rows = table.as_array().unwrap();
    assert!(rows.len() >= 12);
    for (row, attackers) in rows.iter().zip(1..) {
        for (value, defenders) in row.as_array().unwrap().iter().zip(1..) {
            let advice = plan.advice(forces(attackers, defenders)).unwrap();
            let expected: BigRational = value.as_str().unwrap().parse().unwrap();
            assert_eq!(advice.value, expected, "{attackers} against {defenders}");
        }
    }
}

#[track_caller]
fn check_fewer(plan: &Plan, side: Side, expected: &Value) {
    let found = plan.where_max_is_not_optimal(side);
    let expected = expected.as_object().unwrap();
    for advice in &found {
        let Forces {
            attackers,
            defenders,
        } = advice.forces;
        let dice = &expected[&format!("{attackers},{defenders}")];
        let dice: Vec<u32> = serde_json::from_value(dice.clone()).unwrap();
        match side {
            Side::Attacker => assert_eq!(advice.attack, dice),
            Side::Defender => assert_eq!(advice.defence, dice),
        }
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn reference_values_in_advance() {
    for (bonuses, game) in games().as_object().unwrap() {
        for (name, rules) in [("std", Rules::standard()), ("source", Rules::georgiou())] {
            let rules = heroes(bonuses, rules);
            let expected = &game[name];
            for timing in IN_ADVANCE {
                let plan = plan(15, &rules, timing);
                check_values(&plan, &expected["value"]);
                check_fewer(&plan, Side::Attacker, &expected["attacker_not_max"]);
                assert!(plan.pure_everywhere());
            }
            let at_once = plan(15, &rules, Timing::AtOnce);
            check_fewer(&at_once, Side::Defender, &expected["defender_not_max"]);
            assert!(
                at_once
                    .iter()
                    .all(|advice| !advice.saddle_points.is_empty())
            );
        }
    }
}

#[test]
fn reference_values_after_the_throw() {
    for (bonuses, game) in games().as_object().unwrap() {
        let expected = &game["reactive_std"];
        let plan = plan(
            15,
            &heroes(bonuses, Rules::standard()),
            Timing::AfterTheThrow,
        );
        check_values(&plan, &expected["value"]);
        // Throwing all dice, as these values assume, is best for the attacker.
        assert!(plan.where_max_is_not_optimal(Side::Attacker).is_empty());
        for (name, faces) in expected["one_die_on"].as_object().unwrap() {
            let (attackers, defenders) = name.split_once(',').unwrap();
            let forces = forces(attackers.parse().unwrap(), defenders.parse().unwrap());
            let replies = &plan.advice(forces).unwrap().replies;
            let one = replies.iter().filter(|reply| reply.dice == [1]);
            let one: Vec<Vec<i64>> = one.map(|reply| reply.faces.to_vec()).collect();
            let expected: Vec<Vec<i64>> = serde_json::from_value(faces.clone()).unwrap();
            assert_eq!(one, expected, "{bonuses}: {name}");
        }
    }
}

// An oracle: recursion over distributions of throws, matrices by their pure values.

struct Oracle<'a> {
    rules: &'a Rules,
    timing: Timing,
    known: HashMap<(u32, u32), BigRational>,
}

impl Oracle<'_> {
    fn value(&mut self, attackers: u32, defenders: u32) -> BigRational {
        if defenders == 0 || attackers == 0 {
            return BigRational::from_integer(u32::from(defenders == 0).into());
        }
        if let Some(known) = self.known.get(&(attackers, defenders)) {
            return known.clone();
        }
        let (most, _) = self.rules.dice(attackers, defenders);
        let value = match self.timing {
            Timing::AfterTheThrow => {
                let options = (1..=most).map(|dice| self.seeing(attackers, defenders, dice));
                options.max().unwrap()
            }
            Timing::AttackerFirst => {
                let worst = |dice: u32| {
                    let may = self.rules.defence_dice_against(dice, defenders);
                    let replies: Vec<_> = (1..=may)
                        .map(|reply| self.after(attackers, defenders, dice, reply))
                        .collect();
                    replies.into_iter().min().unwrap()
                };
                (1..=most).map(worst).max().unwrap()
            }
            _ => {
                let may = self.rules.dice(attackers, defenders).1;
                let mut best: Option<BigRational> = None;
                for reply in 1..=may {
                    let answers = (1..=most).map(|dice| {
                        let may = self.rules.defence_dice_against(dice, defenders);
                        self.after(attackers, defenders, dice, reply.min(may))
                    });
                    let answer = answers.max().unwrap();
                    best = Some(best.map_or(answer.clone(), |best| best.min(answer)));
                }
                best.unwrap()
            }
        };
        self.known.insert((attackers, defenders), value.clone());
        value
    }

    fn after(&mut self, attackers: u32, defenders: u32, dice: u32, reply: u32) -> BigRational {
        let throw = Throw::new(dice, reply).unwrap().rules(self.rules.clone());
        let law = throw.law().unwrap();
        let mut sum = BigRational::zero();
        for won in law.support() {
            let lost = throw.pairs() - won;
            sum += law.p(won) * self.value(attackers - lost, defenders - won);
        }
        sum
    }

    /// All rolls one by one.
    fn seeing(&mut self, attackers: u32, defenders: u32, dice: u32) -> BigRational {
        let may = self.rules.defence_dice_against(dice, defenders);
        let mut sum = BigRational::zero();
        let all = rolls(dice);
        for attack in &all {
            let mut least = BigRational::one();
            for reply in 1..=may {
                let replies = rolls(reply);
                let pairs = dice.min(reply);
                let mut mean = BigRational::zero();
                for defence in &replies {
                    let won = won(self.rules, attack, defence);
                    mean += self.value(attackers - (pairs - won), defenders - won);
                }
                mean /= BigRational::from_integer(replies.len().into());
                least = least.min(mean);
            }
            sum += least;
        }
        sum / BigRational::from_integer(all.len().into())
    }
}

/// All rolls of this many six-sided dice, sorted.
fn rolls(dice: u32) -> Vec<Vec<i64>> {
    let mut rolls = vec![Vec::new()];
    for _ in 0..dice {
        let longer = |roll: &Vec<i64>| {
            let roll = roll.clone();
            (1..=6).map(move |face| [&roll[..], &[face]].concat())
        };
        rolls = rolls.iter().flat_map(longer).collect();
    }
    for roll in &mut rolls {
        roll.sort_by_key(|face| -face);
    }
    rolls
}

fn won(rules: &Rules, attack: &[i64], defence: &[i64]) -> u32 {
    let hero = i64::from(*rules == Rules::standard().hero_attacks());
    let points = |rank: usize| if rank == 0 { hero } else { 0 };
    let pairs = attack.iter().zip(defence).enumerate();
    pairs
        .filter(|(rank, (a, d))| *a + points(*rank) > **d)
        .count() as u32
}

#[track_caller]
fn check_oracle(size: u32, rules: &Rules, timing: Timing) {
    let plan = plan(size, rules, timing);
    let mut oracle = Oracle {
        rules,
        timing,
        known: HashMap::new(),
    };
    for advice in plan.iter() {
        let Forces {
            attackers,
            defenders,
        } = advice.forces;
        assert_eq!(
            advice.value,
            oracle.value(attackers, defenders),
            "{timing:?}"
        );
    }
    assert_eq!(plan.iter().count() as u32, size * size);
}

#[test]
fn backward_induction_by_hand() {
    for timing in [Timing::AttackerFirst, Timing::DefenderFirst] {
        check_oracle(6, &Rules::standard().fortress(), timing);
        check_oracle(6, &Rules::georgiou().hero_attacks(), timing);
        check_oracle(5, &Rules::capital(), timing);
        let odd = Rules::standard().max_dice(4, 3).unwrap();
        let odd = odd.defence_bonus([-1, 2]).reading(Reading::Sorted);
        check_oracle(4, &odd, timing);
    }
}

#[test]
fn every_roll_by_hand() {
    check_oracle(3, &Rules::standard(), Timing::AfterTheThrow);
    check_oracle(3, &Rules::standard().hero_attacks(), Timing::AfterTheThrow);
}

// Theorems.

#[derive(Clone, Debug)]
struct Case {
    rules: Rules,
    size: u32,
}

impl Arbitrary for Case {
    fn arbitrary(g: &mut Gen) -> Self {
        let number = |g: &mut Gen, most: u32| u32::arbitrary(g) % most;
        let bonus = |g: &mut Gen| vec![number(g, 7) as i32 - 3, number(g, 3) as i32 - 1];
        let (attack, defence) = (1 + number(g, 3), 1 + number(g, 3));
        let (sides, other) = (2 + number(g, 6), 2 + number(g, 6));
        let rules = Rules::standard()
            .max_dice(attack, defence)
            .and_then(|rules| rules.sides(sides, other))
            .and_then(|rules| rules.second_defence_die_from(1 + number(g, 4)))
            .unwrap();
        let mut rules = rules.defence_may_outnumber(bool::arbitrary(g));
        if bool::arbitrary(g) {
            rules = rules.ties_to(Side::Attacker);
        }
        if bool::arbitrary(g) {
            let readings = [
                Reading::Unclamped,
                Reading::Clamped,
                Reading::Sorted,
                Reading::ClampedAndSorted,
            ];
            rules = rules.attack_bonus(bonus(g)).defence_bonus(bonus(g));
            rules = rules.reading(readings[number(g, 4) as usize]);
        }
        Case {
            rules,
            size: 1 + number(g, 5),
        }
    }
}

quickcheck! {
    /// max min ≤ value ≤ min max, and more information never hurts.
    fn to_know_more_is_no_worse(case: Case) -> bool {
        let [at_once, first, second, after] =
            TIMINGS.map(|timing| DiceGame::new(case.size, case.size).unwrap()
                .rules(case.rules.clone()).timing(timing).win().unwrap());
        after <= first && first <= at_once && at_once <= second
    }

    /// The two solvers of the engine agree where both apply.
    fn turns_are_matrices_of_one_row_or_column(case: Case) -> bool {
        [Timing::AttackerFirst, Timing::DefenderFirst, Timing::AfterTheThrow]
            .into_iter()
            .all(|timing| {
                let game = DiceGame::new(case.size, case.size).unwrap();
                let game = game.rules(case.rules.clone()).timing(timing);
                let rules = game.game().unwrap();
                let at_once = Solver::exact().solve_simultaneous(&rules, game.start()).unwrap();
                game.solve_with(Solver::exact()).unwrap().value() == at_once.value()
                    && game.win().unwrap() == at_once.value()
            })
    }

    /// Any fixed number of dice costs at least nothing, and if both always throw the maximum it is
    /// a plain battle.
    fn no_policy_is_better_than_best(case: Case) -> bool {
        let game = DiceGame::new(case.size, case.size).unwrap().rules(case.rules.clone());
        let plain = Battle::new(case.size, case.size).unwrap().rules(case.rules.clone());
        let plain = plain.win().unwrap();
        let most = |side| game.win_against(side, DicePolicy::Most).unwrap();
        [Side::Attacker, Side::Defender].into_iter().all(|side| {
            [DicePolicy::One, DicePolicy::Most].into_iter().all(|policy| {
                let price = game.price(side, policy).unwrap();
                let float = game.price_f64(side, policy).unwrap();
                price >= BigRational::zero() && (price.to_f64().unwrap() - float).abs() < 1e-13
            })
        }) && most(Side::Attacker) <= plain && plain <= most(Side::Defender)
    }

    /// The kernel for plans in fractions equals the general solver, bit for bit.
    fn plans_are_the_solvers(case: Case) -> bool {
        TIMINGS.into_iter().all(|timing| {
            let game = DiceGame::new(case.size, case.size + 1).unwrap();
            let game = game.rules(case.rules.clone()).timing(timing);
            game.plan().unwrap() == game.plan_with(Solver::exact()).unwrap()
        })
    }

    /// Floats agree with the fractions.
    fn floats_are_near(case: Case) -> bool {
        let game = DiceGame::new(case.size, case.size).unwrap().rules(case.rules);
        let exact = num_traits::ToPrimitive::to_f64(&game.win().unwrap()).unwrap();
        (game.win_f64().unwrap() - exact).abs() < 1e-13
    }
}

/// More attackers never hurt and more defenders never help the attacker, whatever the timing and
/// the heroes, if both choose their dice.
#[test]
fn more_units_never_hurt_who_chooses() {
    let standard = [Rules::standard(), Rules::georgiou()];
    let heroes = |rules: Rules| {
        [
            rules.clone(),
            rules.clone().hero_attacks(),
            rules.clone().fortress(),
            rules.fortress().hero_defends(),
        ]
    };
    for rules in standard.into_iter().flat_map(heroes) {
        for timing in TIMINGS {
            let size = if timing == Timing::AfterTheThrow {
                6
            } else {
                12
            };
            let plan = plan(size, &rules, timing);
            let value = |a, d| &plan.advice(forces(a, d)).unwrap().value;
            for a in 1..=size {
                for d in 1..=size {
                    assert!(
                        a == size || value(a, d) < value(a + 1, d),
                        "{rules} {timing:?}"
                    );
                    assert!(
                        d == size || value(a, d) > value(a, d + 1),
                        "{rules} {timing:?}"
                    );
                }
            }
        }
    }
}

/// By the standard rules without heroes, the choice changes nothing.
#[test]
fn the_most_dice_are_best_by_the_standard_rules() {
    let table = win_matrix(12, 12, &Rules::standard()).unwrap();
    for timing in IN_ADVANCE {
        for advice in plan(12, &Rules::standard(), timing).iter() {
            let place = [advice.forces.attackers, advice.forces.defenders].map(|n| n as usize);
            assert_eq!(advice.value, table[place]);
        }
    }
}

/// With a bonus of 2 for the defender, one die is best from two units on both sides on; tested up
/// to 40 against 40.
#[test]
fn one_die_behind_a_hero_and_a_fortress() {
    for rules in [Rules::standard(), Rules::georgiou()] {
        let rules = rules.defence_bonus([2]);
        for timing in IN_ADVANCE {
            let game = DiceGame::new(40, 40).unwrap().timing(timing);
            let plan = game.rules(rules.clone()).plan().unwrap();
            for advice in plan.iter() {
                let fewer = advice.defence == [1];
                let several = advice.forces.attackers > 1 && advice.most.1 > 1;
                assert!(!several || fewer, "{:?} {timing:?}", advice.forces);
                assert!(advice.attack.contains(&advice.most.0));
            }
            let fewer = plan.where_max_is_not_optimal(Side::Defender);
            assert_eq!(fewer.len(), 39 * 39);
        }
    }
}

/// Rules with the same pairs are worth the same: a bonus for both sides is no bonus.
#[test]
fn equal_bonuses_cancel() {
    let rules = Rules::standard();
    let both = rules.clone().hero_attacks().hero_defends();
    for timing in TIMINGS {
        assert_eq!(
            values(&plan(5, &rules, timing)),
            values(&plan(5, &both, timing))
        );
    }
}

// Bad input.

#[test]
fn bad_input() {
    let attacker = Side::Attacker;
    assert_eq!(DiceGame::new(0, 3), Err(Error::NoUnits { side: attacker }));
    let defender = Side::Defender;
    assert_eq!(DiceGame::new(3, 0), Err(Error::NoUnits { side: defender }));
    let at_once = DiceGame::new(3, 3).unwrap().timing(Timing::AtOnce);
    assert!(matches!(
        at_once.solve_with(Solver::float()),
        Err(Error::AtOnce)
    ));
    let huge = DiceGame::new(u32::MAX, u32::MAX).unwrap();
    assert!(matches!(huge.win(), Err(Error::BattleTooLarge { .. })));
    let many = Rules::standard().max_dice(u32::MAX, u32::MAX).unwrap();
    let many = DiceGame::new(1000, 1000).unwrap().rules(many);
    assert!(many.win_f64().is_err());
    let wide = Rules::standard().sides(u32::MAX, u32::MAX).unwrap();
    let seen = DiceGame::new(3, 3).unwrap().rules(wide);
    assert!(seen.timing(Timing::AfterTheThrow).win_f64().is_err());
    let few = Solver::exact().max_states(10);
    let battle = DiceGame::new(10, 10).unwrap();
    assert!(matches!(battle.plan_with(few), Err(Error::Solve(_))));
}

/// Dice that cannot win: the attacker has no chance, and forces that the battle cannot reach have
/// no advice.
#[test]
fn hopeless_dice() {
    let blank = Rules::standard().sides(1, 1).unwrap();
    for timing in TIMINGS {
        let plan = plan(3, &blank, timing);
        assert!(plan.iter().all(|advice| advice.value.is_zero()));
        assert!(plan.advice(forces(3, 2)).is_none());
        assert!(plan.advice(forces(2, 3)).is_some());
        assert!(plan.to_string().lines().count() == 4);
    }
}

#[test]
fn states_of_another_game_are_refused() {
    let battle = DiceGame::new(3, 3).unwrap();
    let game = battle.game().unwrap();
    for state in [
        DiceState::Before(forces(4, 3)),
        DiceState::Declared {
            forces: forces(3, 3),
            dice: 4,
        },
        DiceState::Declared {
            forces: forces(0, 3),
            dice: 1,
        },
        DiceState::Thrown {
            forces: forces(3, 3),
            faces: vec![6].into(),
        },
    ] {
        assert!(
            Solver::exact().solve(&game, state.clone()).is_err(),
            "{state:?}"
        );
        assert!(Solver::exact().solve_simultaneous(&game, state).is_err());
    }
}

/// The bounds of the documentation: (A + D)(2t + 16)2⁻⁵², and enclosures at once.
#[test]
fn floats_keep_to_their_bounds() {
    use num_traits::Signed;
    let number = |float: f64| BigRational::from_float(float).unwrap();
    for rules in [Rules::standard(), Rules::georgiou()] {
        for timing in TIMINGS {
            let t = if timing == Timing::AfterTheThrow {
                59.0
            } else {
                3.0
            };
            for (a, d) in [(1, 1), (2, 2), (3, 5), (7, 3), (6, 9), (14, 12)] {
                let battle = DiceGame::new(a, d)
                    .unwrap()
                    .rules(rules.clone())
                    .timing(timing);
                let bound = f64::from(a + d) * (2.0 * t + 16.0) * f64::EPSILON;
                let exact = battle.win().unwrap();
                let (lower, upper) = battle.win_bounds().unwrap();
                assert!(number(lower) <= exact && exact <= number(upper), "{a} {d}");
                let float = battle.win_f64().unwrap();
                assert!(lower <= float && float <= upper);
                let mut off = number(bound);
                if timing == Timing::AtOnce {
                    off = number(upper) - number(lower);
                }
                assert!(
                    (number(float) - &exact).abs() <= off,
                    "{a} {d} {timing:?}: {float}"
                );
                for side in [Side::Attacker, Side::Defender] {
                    for policy in [DicePolicy::One, DicePolicy::Most] {
                        let against = battle.win_against(side, policy).unwrap();
                        let float = battle.win_against_f64(side, policy).unwrap();
                        let apart = (number(float) - against).abs();
                        assert!(apart <= number(bound), "{a} {d} {timing:?}: {float}");
                        let price = battle.price(side, policy).unwrap();
                        let float = battle.price_f64(side, policy).unwrap();
                        let both = number(bound) + &off + number(f64::EPSILON / 2.0);
                        assert!((number(float) - price).abs() <= both, "{a} {d}: {float}");
                    }
                }
            }
        }
    }
}

/// Regression test: the choice of dice had no limit to set, and fractions left to the general
/// solver had none at all.
#[test]
fn games_have_limits_to_set() {
    let game = |attackers, defenders, timing| {
        let game = DiceGame::new(attackers, defenders).unwrap();
        game.timing(timing)
    };
    for timing in [
        Timing::AtOnce,
        Timing::AttackerFirst,
        Timing::DefenderFirst,
        Timing::AfterTheThrow,
    ] {
        let large = game(1_100, 1_100, timing);
        for error in [
            large.win().unwrap_err(),
            large.plan().map(|_| ()).unwrap_err(),
            large.price(Side::Attacker, DicePolicy::One).unwrap_err(),
            large
                .win_against(Side::Defender, DicePolicy::One)
                .unwrap_err(),
        ] {
            assert!(
                matches!(
                    error,
                    Error::BattleTooLarge {
                        limit: DEFAULT_WORK,
                        ..
                    }
                ),
                "{error}"
            );
        }
        let small = game(4, 3, timing);
        let win = small.win().unwrap();
        let error = small.clone().max_work(7_000).win().unwrap_err();
        assert!(
            matches!(error, Error::BattleTooLarge { limit: 7_000, .. }),
            "{error}"
        );
        // Both ways to solve it agree, whichever the limit allows.
        assert_eq!(small.clone().max_work(1 << 40).win().unwrap(), win);
        if timing != Timing::AtOnce {
            assert_eq!(small.solve_with(Solver::exact()).unwrap().value(), win);
        }
    }
}
