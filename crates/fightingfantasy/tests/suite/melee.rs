//! Several foes, in turn and at once: compared with a slow oracle, and theorems.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a failed check is a failed test"
)]

use std::collections::BTreeMap;

use crate::melee_oracle::{Case, Oracle, ratio};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use oddsmith_fightingfantasy::{
    AtOnce, Attacker, Damage, Duel, End, Error, Escape, Foe, Hero, Manner, Melee, MeleeAction,
    MeleePhase, MeleeState, Objective, Rules, SuddenDeath,
};
use oddsmith_mdp::{Game, Indexed, Node, Solver};
use quickcheck::{Arbitrary, Gen, quickcheck};

quickcheck! {
    fn agrees_with_the_oracle(case: Case) -> bool {
        case.best() == Oracle::value(&case)
    }

    fn floats_keep_their_bound(case: Case) -> bool {
        let exact = case.best().to_f64().unwrap();
        let plan = case.melee().best_with(Solver::float()).unwrap();
        let bound = plan.solution().error(&plan.solution().game().start()).unwrap();
        (plan.value() - exact).abs() <= bound + 1e-15 * exact && bound < 1e-10
    }

    fn states_are_numbered_one_to_one(case: Case) -> bool {
        let game = case.melee().game().unwrap();
        let explored = Solver::float().solve(&game, game.start()).unwrap();
        let numbered = (0..game.size()).all(|n| game.index(&game.state(n)) == n);
        numbered && explored.states().all(|(state, _)| game.index(&state) < game.size())
    }

    fn targets_chosen_freely_are_no_worse(case: Case) -> bool {
        let free = Case { in_turn: false, in_order: false, ..case.clone() };
        let listed = Case { in_turn: false, in_order: true, ..case };
        free.best() >= listed.best()
    }

    fn in_turn_is_no_worse_than_at_once_in_order(case: Case) -> bool {
        let case = Case { escape: None, last_rounds: None, ..case };
        let turn = Case { in_turn: true, ..case.clone() };
        let listed = Case { in_turn: false, in_order: true, ..case };
        turn.best() >= listed.best()
    }

    fn the_round_that_ends_with_a_fall_is_no_worse(case: Case) -> bool {
        let go_on = Case { in_turn: false, fall_ends_round: false, escape: None, ..case };
        let ends = Case { fall_ends_round: true, ..go_on.clone() };
        ends.best() >= go_on.best()
    }

    fn more_foes_never_help(case: Case) -> bool {
        let more = Case { escape: None, last_rounds: None, hit: Damage::HIT, ..case };
        let mut fewer = more.clone();
        fewer.foes.pop();
        fewer.best() >= more.best()
    }

    fn luck_never_hurts(case: Case) -> bool {
        let with = case.melee().best().unwrap();
        let without = case.melee().without_luck().unwrap();
        let first = |_: &MeleeState, _: &[MeleeAction]| 0;
        let plain = case.melee().with_policy(first).unwrap();
        let replayed = case.melee().with_policy(with.solution()).unwrap();
        with.value() >= without && without >= plain && replayed == with.value()
    }

    fn the_order_of_two_foes_at_once_is_nothing(case: Case) -> bool {
        let mut case = Case { in_turn: false, in_order: false, ..case };
        case.foes.truncate(2);
        let mut other = case.clone();
        other.foes.reverse();
        case.best() == other.best()
    }

    fn the_order_of_foes_at_once_is_nothing_without_luck(case: Case, turns: u8) -> bool {
        let case = Case { in_turn: false, in_order: false, hero: (case.hero.0, case.hero.1, 0), ..case };
        let mut other = case.clone();
        let foes = case.foes.len();
        other.foes.rotate_left(usize::from(turns) % foes);
        other.foes.swap(0, usize::from(turns / 8) % foes);
        case.best() == other.best()
    }

    fn the_order_of_foes_in_turn_is_nothing_without_luck(case: Case) -> bool {
        // Each foe needs a fixed number of wounds to fall, whatever the hero's STAMINA: sums
        // commute.
        let mut case = Case {
            in_turn: true,
            hero: (case.hero.0, case.hero.1, 0),
            escape: None,
            last_rounds: None,
            ..case
        };
        let value = case.best();
        case.foes.reverse();
        value == case.best()
    }
}

#[test]
fn the_generator_reaches_every_rule_and_real_decisions() {
    // A fixed seed: rare cases must not make the test fail at random.
    let mut g = Gen::from_size_and_seed(10, 1);
    let cases: Vec<Case> = (0..300).map(|_| Case::arbitrary(&mut g)).collect();
    let count = |test: fn(&Case) -> bool| cases.iter().filter(|&case| test(case)).count();
    for reached in [
        count(|c| c.in_turn),
        count(|c| c.foes.len() == 3 && !c.in_turn),
        count(|c| !c.in_turn && c.one_roll && c.hero.2 > 1),
        count(|c| !c.in_turn && c.fall_ends_round),
        count(|c| c.last_rounds.is_some()),
        count(|c| c.escape.is_some() && c.stamina_counts),
        count(|c| c.hero.2 > 1),
    ] {
        assert!(reached >= 10, "{reached}");
    }
    let matters = cases.iter().take(60).filter(|case| {
        let best = case.best();
        best > case.melee().without_luck().unwrap() && !best.is_one()
    });
    assert!(matters.count() >= 10);
}

/// A duel equals a melee with its only foe, in either manner.
#[track_caller]
fn check_duel(hero: (i32, i64, i64), foe: (i32, i64), rules: &Rules, objective: Objective) {
    let hero = Hero::new(hero.0, hero.1, hero.2).unwrap();
    let foe = Foe::new(foe.0, foe.1).unwrap();
    let duel = Duel::new(hero, foe)
        .rules(rules.clone())
        .objective(objective.clone());
    let expected = duel.best_luck().unwrap();
    for manner in [Manner::InTurn, AtOnce::standard().one_roll().into()] {
        let melee = Melee::at_once(hero, [foe])
            .unwrap()
            .manner(manner)
            .rules(rules.clone())
            .objective(objective.clone());
        let plan = melee.best().unwrap();
        assert_eq!(plan.value(), expected.value());
        assert_eq!(plan.decision(), Some(expected.decision()));
    }
}

#[test]
fn one_foe_makes_a_duel() {
    let standard = Rules::standard();
    let crypt = SuddenDeath::after(2);
    let all = [
        standard.clone(),
        standard
            .clone()
            .hit(Damage::new(2, 3, 1))
            .wound(Damage::new(3, 0, 4)),
        standard.clone().sudden_death(crypt),
        standard.clone().sudden_death(crypt.reset_by_draws()),
        standard.clone().last_rounds(3),
        standard.clone().attack_dice(1, 8).luck_dice(1, 20),
        standard
            .clone()
            .sudden_death(SuddenDeath::after(3))
            .last_rounds(5),
    ];
    for rules in &all {
        for (hero, foe) in [
            ((9, 8, 7), (9, 7)),
            ((12, 24, 12), (14, 12)),
            ((5, 1, 2), (10, 6)),
        ] {
            check_duel(hero, foe, rules, Objective::victory());
            check_duel(hero, foe, rules, Objective::stamina_kept());
        }
    }
}

#[test]
fn escapes_from_one_foe_are_those_of_a_duel() {
    for escape in [
        Escape::after(0),
        Escape::after(2).cost(3),
        Escape::after(1).with_luck(),
    ] {
        let rules = Rules::standard().escape(escape);
        for last in [rules.clone(), rules.clone().last_rounds(4)] {
            let hero = Hero::new(8, 7, 6).unwrap();
            let foe = Foe::new(10, 8).unwrap();
            let kept = Objective::stamina_of_survivor;
            let duel = Duel::new(hero, foe).rules(last.clone()).objective(kept());
            let melee = Melee::in_turn(hero, [foe])
                .unwrap()
                .rules(last)
                .objective(kept());
            assert_eq!(
                melee.best().unwrap().value(),
                duel.best_luck().unwrap().value()
            );
        }
    }
}

#[test]
fn without_luck_foes_in_turn_are_duels_in_a_row() {
    // The distribution of STAMINA after each duel is the start of the next.
    let foes = [(8, 7), (7, 6), (10, 4)];
    let mut law: BTreeMap<u16, BigRational> = BTreeMap::from([(14, BigRational::one())]);
    let mut listed = Vec::new();
    for (skill, stamina) in foes {
        let foe = Foe::new(skill, stamina).unwrap();
        listed.push(foe);
        let mut next: BTreeMap<u16, BigRational> = BTreeMap::new();
        for (left, p) in law {
            if left == 0 {
                *next.entry(0).or_insert_with(BigRational::zero) += p;
                continue;
            }
            let duel = Duel::new(Hero::new(9, left.into(), 0).unwrap(), foe);
            let plan = duel.best_luck().unwrap();
            let ends = plan
                .solution()
                .forecast()
                .unwrap()
                .ends_by(|end| end.hero)
                .unwrap();
            for stamina in ends.support() {
                *next.entry(*stamina).or_insert_with(BigRational::zero) += &p * ends.p(stamina);
            }
        }
        law = next;
        let melee = Melee::in_turn(Hero::new(9, 14, 0).unwrap(), listed.clone()).unwrap();
        let plan = melee.best().unwrap();
        let ends = plan
            .solution()
            .forecast()
            .unwrap()
            .ends_by(|end| end.hero)
            .unwrap();
        assert_eq!(ends.support(), law.keys().copied().collect::<Vec<_>>());
        for (stamina, p) in &law {
            assert_eq!(&ends.p(stamina), p);
        }
        assert_eq!(plan.value(), BigRational::one() - &law[&0]);
    }
}

#[test]
fn two_foes_that_one_hit_fells() {
    // SKILL 8 against 8 and 8, STAMINA 2 for all, no LUCK. One round: all 36^4 rolls.
    let (mut survived, mut quiet, mut rounds) = (0_i64, 0_i64, 0_i64);
    for (a, b, c, d) in (0..11_i64.pow(4)).map(|n| (n % 11, n / 11 % 11, n / 121 % 11, n / 1331)) {
        let ways = |sum: i64| 6 - (sum - 5).abs();
        let weight = ways(a) * ways(b) * ways(c) * ways(d);
        rounds += weight;
        let unhurt = a >= b && c >= d;
        survived += if a > b && unhurt { weight } else { 0 };
        quiet += if a == b && unhurt { weight } else { 0 };
    }
    let expected = ratio(survived, rounds - quiet) * ratio(1, 2);
    let pair = [Foe::new(8, 2).unwrap(); 2];
    let melee = Melee::at_once(Hero::new(8, 2, 0).unwrap(), pair).unwrap();
    assert_eq!(melee.best().unwrap().value(), expected);
}

/// With three foes at once and LUCK, the order of the two foes that are not the target matters.
#[test]
fn the_order_of_three_foes_at_once_matters_a_little() {
    let listed = |foes: [(i32, i64); 3]| Case {
        hero: (10, 4, 9),
        foes: foes
            .map(|(skill, stamina)| (skill, stamina, Damage::WOUND))
            .to_vec(),
        hit: Damage::HIT,
        in_turn: false,
        in_order: false,
        fall_ends_round: false,
        one_roll: false,
        last_rounds: None,
        escape: None,
        stamina_counts: false,
    };
    let up = listed([(6, 2), (8, 1), (10, 2)]);
    let down = listed([(10, 2), (8, 1), (6, 2)]);
    assert_eq!(
        (up.best(), down.best()),
        (Oracle::value(&up), Oracle::value(&down))
    );
    assert_eq!(format!("{:.5}", up.best().to_f64().unwrap()), "0.61225");
    assert_eq!(format!("{:.5}", down.best().to_f64().unwrap()), "0.61194");
}

/// The numbers of the front page, computed by the oracle.
#[test]
fn the_examples_are_right() {
    let mut case = Case {
        hero: (9, 12, 8),
        foes: vec![(6, 5, Damage::WOUND), (7, 6, Damage::WOUND)],
        hit: Damage::HIT,
        in_turn: true,
        in_order: false,
        fall_ends_round: false,
        one_roll: false,
        last_rounds: None,
        escape: None,
        stamina_counts: false,
    };
    let check = |case: &Case, expected: &str| {
        let value = Oracle::value(case);
        assert_eq!(format!("{:.4}", value.to_f64().unwrap()), expected);
        assert_eq!(case.best(), value);
    };
    check(&case, "0.9912");
    case.in_turn = false;
    check(&case, "0.9703");
    case.hero.2 = 0;
    check(&case, "0.9349");
}

#[test]
fn chances_of_all_ends_sum_to_one_and_average_to_the_value() {
    let foes = [
        Foe::new(7, 4).unwrap(),
        Foe::new(9, 5).unwrap(),
        Foe::new(6, 2).unwrap(),
    ];
    let melee = Melee::at_once(Hero::new(9, 9, 6).unwrap(), foes)
        .unwrap()
        .objective(Objective::luck_kept());
    let plan = melee.best().unwrap();
    let game = plan.solution().game();
    let ends = plan
        .solution()
        .forecast()
        .unwrap()
        .ends_by(|state| game.end(state))
        .unwrap();
    let sum: BigRational = ends.support().iter().map(|end| ends.p(end)).sum();
    assert!(sum.is_one());
    let luck = |end: &Option<End>| {
        let end = end.as_ref().unwrap();
        ratio(if end.is_success() { end.luck.into() } else { 0 }, 1)
    };
    let mean: BigRational = ends
        .support()
        .iter()
        .map(|end| ends.p(end) * luck(end))
        .sum();
    assert_eq!(mean, plan.value());
}

#[test]
fn the_one_roll_is_known_when_luck_is_used() {
    // After hitting the first of two with a 2, the second, of the same SKILL, almost always wins;
    // after a 12 it never does.
    let pair = [Foe::new(2, 6).unwrap(), Foe::new(9, 6).unwrap()];
    let melee = Melee::at_once(Hero::new(9, 6, 7).unwrap(), pair)
        .unwrap()
        .manner(AtOnce::standard().one_roll());
    let game = melee.game().unwrap();
    let blows = game.first_blows(&game.start(), 0).unwrap();
    let rolls: Vec<_> = blows
        .iter()
        .filter(|blow| blow.by.is_none())
        .map(|b| b.roll)
        .collect();
    let mut expected: Vec<Option<u8>> = (2..=11).map(Some).collect();
    expected.push(None); // a 12 cannot be beaten
    assert_eq!(rolls, expected);
    let hit = |roll| {
        let blow = blows
            .iter()
            .find(|b| b.by.is_none() && b.roll == roll)
            .unwrap();
        let node = Node::of(&game, &blow.state).unwrap();
        let wounds = node
            .outcomes(0)
            .iter()
            .filter(|(next, _)| matches!(next.phase, MeleePhase::Wound { .. }));
        ratio(
            wounds.map(|(_, weight)| *weight as i64).sum(),
            node.total(0) as i64,
        )
    };
    assert_eq!(hit(Some(2)), ratio(35, 36));
    assert_eq!(hit(Some(11)), ratio(1, 36));
    assert_eq!(hit(None), ratio(0, 1));
}

#[track_caller]
fn check_error(melee: Result<Melee, Error>, expected: &str) {
    let error = melee
        .and_then(|melee| melee.best().map(|_| ()))
        .unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn bad_input_is_an_error() {
    let hero = Hero::new(9, 12, 6).unwrap();
    let orc = Foe::new(6, 5).unwrap();
    check_error(
        Melee::at_once(hero, Vec::<Foe>::new()),
        "a melee needs at least 1 foe, got none",
    );
    let many = "the foes of a melee exceed the limit of 6; split it, or fight some of them later";
    check_error(Melee::in_turn(hero, [orc; 7]), many);
    check_error(Melee::at_once(hero, std::iter::repeat(orc)), many);
    let harmless = "the foe's blow must take at least 1 STAMINA when LUCK is not tested, got 0";
    let soft = Attacker::new(orc).wound(Damage::new(0, 0, 1));
    check_error(Melee::at_once(hero, [soft, orc.into()]), harmless);
    let two = || Melee::at_once(hero, [orc, orc]);
    check_error(
        two().map(|m| m.rules(Rules::standard().hit(Damage::new(0, 2, 1)))),
        "the hero's blow must take at least 1 STAMINA when LUCK is not tested, got 0",
    );
    let never = "no round ever takes STAMINA, so the duel never ends; a win or a loss must be possible \
                 and do damage";
    // With one-sided dice, equal SKILL is always a draw.
    let still = Foe::new(9, 5).unwrap();
    let fixed = Rules::standard().attack_dice(2, 1);
    check_error(
        Melee::at_once(hero, [orc, still]).map(|m| m.rules(fixed.clone())),
        never,
    );
    check_error(
        Melee::in_turn(hero, [orc, still]).map(|m| m.rules(fixed)),
        never,
    );
}

#[test]
fn rules_that_do_not_go_together_are_named() {
    let hero = Hero::new(9, 12, 6).unwrap();
    let orc = Foe::new(6, 5).unwrap();
    let melee = || Melee::at_once(hero, [orc, orc]).unwrap();
    let name = |melee: Melee| match melee.best().unwrap_err() {
        Error::MeleeRules { rule, .. } => rule,
        other => panic!("{other}"),
    };
    let crypt = Rules::standard().sudden_death(SuddenDeath::after(2));
    assert_eq!(
        name(melee().rules(crypt.clone())),
        "sudden death with foes that attack at once"
    );
    let one_die = Rules::standard().attack_dice(1, 6);
    let one_roll = melee()
        .rules(one_die.clone())
        .manner(AtOnce::standard().one_roll());
    assert_eq!(
        name(one_roll),
        "one roll of the hero against all foes with other dice than 2d6"
    );
    let both = Rules::standard().escape(Escape::after(2)).last_rounds(9);
    assert_eq!(
        name(melee().rules(both.clone()).manner(Manner::InTurn)),
        "an escape after some rounds together with a last round, against foes in turn"
    );
    // All of them work where they have a meaning.
    assert!(melee().rules(crypt).manner(Manner::InTurn).best().is_ok());
    assert!(melee().rules(one_die).best().is_ok());
    assert!(melee().rules(both).best().is_ok());
}

#[test]
fn sudden_death_goes_on_from_foe_to_foe() {
    // Two even foes of STAMINA 2, where two lost rounds in a row kill and draws have no effect: at
    // most one round is lost before each falls, so (1/2 + 1/4)^2.
    let pair = [Foe::new(9, 2).unwrap(); 2];
    let melee = Melee::in_turn(Hero::new(9, 99, 0).unwrap(), pair)
        .unwrap()
        .rules(Rules::standard().sudden_death(SuddenDeath::after(2)));
    assert_eq!(melee.best().unwrap().value(), ratio(9, 16));
}

#[test]
fn an_escape_from_foes_in_turn_counts_rounds_against_each() {
    // The first falls for certain in round one; running from the second needs a round against it.
    let foes = [Foe::new(-20, 2).unwrap(), Foe::new(40, 2).unwrap()];
    let value = |after| {
        let rules = Rules::standard().escape(Escape::after(after).cost(1));
        let hero = Hero::new(9, 5, 0).unwrap();
        let melee = Melee::in_turn(hero, foes).unwrap().rules(rules);
        melee
            .objective(Objective::stamina_of_survivor())
            .best()
            .unwrap()
            .value()
    };
    assert_eq!([0, 1, 2].map(value), [4, 2, 0].map(|left| ratio(left, 1)));
}

#[test]
fn extremes_end_in_errors_or_answers() {
    let foe = Foe::new(i32::MAX, 65_535).unwrap();
    let hero = Hero::new(i32::MIN, 65_535, 65_535).unwrap();
    let error = Melee::at_once(hero, [foe; 6])
        .unwrap()
        .best_f64()
        .unwrap_err();
    let too_many = oddsmith_mdp::Error::TooManyStates { limit: 1_000 };
    assert!(matches!(
        error,
        Error::Solve(oddsmith_mdp::Error::TooManyStates { .. })
    ));
    let rat = Melee::in_turn(Hero::new(9, 99, 9).unwrap(), [Foe::new(5, 9).unwrap()]).unwrap();
    let error = rat.best_with(Solver::exact().max_states(1_000)).err();
    let error = error.unwrap();
    // Regression test: the hint named a setting without saying whose it is.
    assert_eq!(
        error.to_string(),
        "the states of the game exceed the limit of 1000; raise it with `max_states`, a setting of \
         the solver of `best_luck_with`, `best_with` or `solve_with`"
    );
    assert_eq!(error, Error::Solve(too_many));
    let game = Melee::at_once(hero, [foe; 6]).unwrap().game().unwrap();
    assert_eq!(game.size(), usize::MAX);
    let blows = game.first_blows(&game.start(), 5).unwrap();
    assert_eq!(
        (blows.len(), blows[0].by, blows[0].chance.is_one()),
        (1, Some(5), true)
    );
    // Six even foes fit 64 bits; six with three dice for each side do not.
    let six = Melee::at_once(Hero::new(9, 6, 1).unwrap(), [Foe::new(9, 1).unwrap(); 6]).unwrap();
    assert!(six.best_f64().unwrap().value() > 0.0);
    let error = six
        .rules(Rules::standard().attack_dice(3, 6))
        .best_f64()
        .unwrap_err();
    assert_eq!(error, Error::MeleeRollsOverflow { foes: 6 });
    // A fight without chance: the target falls in each round, and nobody else is dangerous.
    let rats = Melee::at_once(Hero::new(40, 1, 3).unwrap(), [Foe::new(1, 2).unwrap(); 5]).unwrap();
    assert!(rats.best().unwrap().value().is_one());
}

#[test]
fn unknown_states_are_errors_and_not_panics() {
    let pair = [Foe::new(7, 4).unwrap(), Foe::new(9, 5).unwrap()];
    let melee = Melee::at_once(Hero::new(9, 9, 6).unwrap(), pair).unwrap();
    let plan = melee.best().unwrap();
    let game = plan.solution().game();
    let start = game.start();
    let mut strange = vec![
        MeleeState::new(9, &[4], 6).unwrap(),
        MeleeState::new(9, &[4, 5, 1], 6).unwrap(),
        MeleeState::new(10, &[4, 5], 6).unwrap(),
        MeleeState::new(9, &[4, 5], 7).unwrap(),
        MeleeState::new(9, &[5, 5], 6).unwrap(),
        MeleeState::new(9, &[0, 5], 6)
            .unwrap()
            .at(MeleePhase::Hit { target: 0, roll: 0 }),
        start.at(MeleePhase::Hit {
            target: 255,
            roll: 255,
        }),
        // Regression test: these had the values of other states.
        start.at(MeleePhase::Hit { target: 2, roll: 0 }),
        start.at(MeleePhase::Wound {
            by: 2,
            waiting: Default::default(),
            roll: 0,
        }),
        start.at(MeleePhase::Hit {
            target: 1,
            roll: 255,
        }),
        start.at(MeleePhase::Wound {
            by: 255,
            waiting: start.living(),
            roll: 0,
        }),
        start.at(MeleePhase::Wound {
            by: 0,
            waiting: start.living(),
            roll: 255,
        }),
        start.at(MeleePhase::Wound {
            by: 0,
            waiting: start.living(),
            roll: 9,
        }),
        start.at(MeleePhase::Running),
        start.at(MeleePhase::Gone),
    ];
    let mut counted = start;
    counted.streak = 255;
    strange.push(counted);
    counted.round = 65_535;
    strange.push(counted);
    for state in strange {
        assert!(plan.target_at(&state).is_err(), "{state:?}");
        assert!(plan.tests_luck(&state).is_err(), "{state:?}");
        assert!(game.first_blows(&state, 0).is_err(), "{state:?}");
        // Expanding it may return anything but must not panic.
        let _ = Node::of(game, &state);
        assert!(game.index(&state) >= game.size());
    }
    assert!(game.first_blows(&start, 2).is_err());
    assert!(game.first_blows(&start, usize::MAX).is_err());
}

/// Regression test: its LUCK was silently left unused.
#[test]
fn more_luck_than_at_the_start_is_refused() {
    let pair = [Foe::new(8, 4).unwrap(), Foe::new(8, 4).unwrap()];
    let melee = Melee::at_once(Hero::new(9, 6, 2).unwrap(), pair).unwrap();
    let game = melee.game().unwrap();
    let mut start = game.start();
    start.luck = 9;
    let solved = Solver::exact().solve(&game, start).err();
    assert!(matches!(solved, Some(oddsmith_mdp::Error::DeadEnd { .. })));
}

#[test]
fn a_quiet_round_is_one_state() {
    fn loops<G: Game>(game: &G, state: &G::State) -> Option<BigRational> {
        let node = Node::of(game, state).ok()?;
        let own = node.outcomes(0).iter().filter(|(next, _)| next == state);
        let own: u64 = own.map(|(_, weight)| weight).sum();
        Some(BigRational::new(own.into(), node.total(0).into()))
    }
    let pair = [Foe::new(9, 4).unwrap(), Foe::new(9, 5).unwrap()];
    let game = Melee::at_once(Hero::new(9, 9, 6).unwrap(), pair)
        .unwrap()
        .game()
        .unwrap();
    // A draw, followed by a round that the other foe does not win.
    assert_eq!(
        loops(&game, &game.start()),
        Some(ratio(146, 1296) * ratio(575 + 146, 1296))
    );
}

/// Regression test: it was explored by hash for many seconds and gigabytes.
#[test]
fn huge_melees_without_luck_are_refused_at_once() {
    let foes = [Foe::new(8, 65_535).unwrap(); 6];
    let melee = Melee::at_once(Hero::new(9, 65_535, 2).unwrap(), foes).unwrap();
    assert!(matches!(
        melee.without_luck_f64(),
        Err(Error::TooManyStates { .. })
    ));
}
