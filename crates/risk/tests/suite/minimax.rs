//! The minimax argument of sections 5.1 and 7 of the paper, compared with battles.

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use oddsmith_mdp::{MatrixGame, Side as Player};
use oddsmith_risk::{Battle, BattleConfiguration, DiceGame, DicePolicy, GameValue, Rules, Side};

use BattleConfiguration::{
    BothDefend, HeroAgainstBoth, HeroAgainstHero, HeroAttacks, HeroDefends, Standard,
};

const VALUES: [GameValue; 4] = [
    GameValue::Printed,
    GameValue::Program,
    GameValue::PerPair,
    GameValue::PerThrow,
];

fn game(configuration: BattleConfiguration, value: GameValue) -> MatrixGame {
    configuration.outcomes().unwrap().minimax(value).unwrap()
}

/// Saddle points as attacking dice against defending dice.
#[track_caller]
fn check(
    configuration: BattleConfiguration,
    value: GameValue,
    saddles: &[(usize, usize)],
    worth: f64,
) {
    let game = game(configuration, value);
    let found = game.saddle_points();
    let found: Vec<_> = found
        .iter()
        .map(|&(row, column)| (row + 1, column + 1))
        .collect();
    assert_eq!(found, saddles, "{configuration} {value:?}");
    let solved = game.solve().unwrap();
    assert!(
        (solved.value().to_f64().unwrap() - worth).abs() < 5e-5,
        "{}",
        solved.value()
    );
    // Each strategy guarantees the value.
    for player in [Player::Row, Player::Column] {
        let strategy = match player {
            Player::Row => solved.row(),
            Player::Column => solved.column(),
        };
        assert_eq!(&game.guarantee(player, strategy).unwrap(), solved.value());
    }
}

#[test]
fn as_the_paper_argues() {
    for configuration in [Standard, HeroAgainstHero] {
        check(configuration, GameValue::Program, &[(3, 2)], 0.0395);
    }
    // With (1,1) ahead of (3,2) by 0.0033: against one attacking die both numbers of defence dice
    // mean one die.
    check(HeroAttacks, GameValue::Program, &[(1, 2)], 0.1667);
    for configuration in [HeroAgainstBoth, HeroDefends] {
        check(configuration, GameValue::Program, &[(3, 2)], -0.0566);
    }
    check(BothDefend, GameValue::Program, &[(3, 1)], -0.3333);
    for configuration in [
        Standard,
        HeroAttacks,
        HeroAgainstBoth,
        HeroDefends,
        BothDefend,
    ] {
        let [printed, program] = [GameValue::Printed, GameValue::Program]
            .map(|value| game(configuration, value).saddle_points());
        assert_eq!(printed, program);
    }
}

/// Table 6 has a wrong sign: taken literally, two dice each would be best.
#[test]
fn a_misprint_taken_at_its_word() {
    check(HeroAgainstHero, GameValue::Printed, &[(2, 2)], 0.1103);
}

#[test]
fn as_it_is() {
    for configuration in [Standard, HeroAgainstHero] {
        check(configuration, GameValue::PerPair, &[(3, 2)], 0.0791);
        check(configuration, GameValue::PerThrow, &[(3, 2)], 0.1582);
    }
    // No mixed strategy, and no advantage of one die.
    check(HeroAttacks, GameValue::PerPair, &[(3, 2)], 0.3268);
    for configuration in [HeroAgainstBoth, HeroDefends] {
        check(configuration, GameValue::PerPair, &[(3, 2)], -0.1132);
        check(configuration, GameValue::PerThrow, &[(3, 2)], -0.2263);
    }
    check(BothDefend, GameValue::PerPair, &[(3, 1)], -0.3333);
    // Per throw, two dice lose more units, and more are lost.
    check(BothDefend, GameValue::PerThrow, &[(3, 2)], -0.5021);
}

/// "2:2 is slightly more balanced than 1:1" (5.1) holds only in the printed table.
#[test]
fn two_against_two_is_less_balanced() {
    let balance = |value| {
        let game = game(Standard, value);
        let [one, two] = [game.payoff(0, 0), game.payoff(1, 1)].map(Option::unwrap);
        (one.to_f64().unwrap(), two.to_f64().unwrap())
    };
    let (one, two) = balance(GameValue::Printed);
    assert!(two.abs() < one.abs());
    for value in [GameValue::PerPair, GameValue::PerThrow] {
        let (one, two) = balance(value);
        assert!(two.abs() > one.abs());
    }
    let win = |units| Battle::new(units, units).unwrap().win_f64().unwrap();
    assert!(win(2) < win(1) && win(1) < 0.5);
}

/// "Using the rules of dominance it is easy to end up with the same saddle
/// point".
#[test]
fn dominance_leads_to_the_saddle_point() {
    for value in VALUES {
        let left = game(Standard, value).eliminate_weakly();
        assert_eq!(
            (left.rows(), left.columns()),
            (&[2][..], &[1][..]),
            "{value:?}"
        );
    }
}

/// One throw is not a battle: the best choice by the matrix of a throw, counted per pair, is the
/// best in the battle in five configurations; counted per throw it is not.
#[test]
fn the_battle_beside_the_throw() {
    for configuration in BattleConfiguration::ALL {
        let battle = DiceGame::new(12, 12).unwrap().rules(configuration.rules());
        let price = |side, policy| battle.price(side, policy).unwrap();
        let one = configuration == BothDefend;
        let (best, worse) = match one {
            true => (DicePolicy::One, DicePolicy::Most),
            false => (DicePolicy::Most, DicePolicy::One),
        };
        assert!(price(Side::Defender, worse) > BigRational::zero());
        assert_eq!(
            price(Side::Defender, best),
            BigRational::zero(),
            "{configuration}"
        );
        let saddle = game(configuration, GameValue::PerPair).saddle_points();
        assert_eq!(saddle, [(2, usize::from(!one))]);
        assert!(price(Side::Attacker, DicePolicy::One) > BigRational::zero());
    }
}

/// The policy of Table 5, one die against one, loses to all dice: 77.1 % against
/// 87.5 %.
#[test]
fn the_hero_who_attacks_with_one_die() {
    // Two dice against one are not part of the paper's game; they cost half a percent.
    let rules = Rules::standard().hero_attacks();
    let single = rules.clone().max_dice(1, 1).unwrap();
    let win = |rules: &Rules, attackers, defenders| {
        let battle = Battle::new(attackers, defenders).unwrap();
        format!("{:.3}", battle.rules(rules.clone()).win_f64().unwrap())
    };
    assert_eq!(
        (win(&single, 10, 10), win(&rules, 10, 10)),
        ("0.771".into(), "0.875".into())
    );
    assert_eq!(
        (win(&single, 10, 15), win(&rules, 10, 15)),
        ("0.423".into(), "0.650".into())
    );
    let paper = Rules::georgiou().hero_attacks();
    assert_eq!(win(&paper, 10, 10), "0.880");
    let game = DiceGame::new(10, 10).unwrap().rules(paper);
    let one = game.win_against(Side::Attacker, DicePolicy::One).unwrap();
    assert_eq!(format!("{:.3}", one.to_f64().unwrap()), "0.771");
}
