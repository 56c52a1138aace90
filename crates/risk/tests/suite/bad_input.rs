//! Invalid and extreme input returns a clear error and never panics.

use oddsmith_mdp::Solver;
use oddsmith_risk::{Battle, Error, Forces, Rules, Side, Stopping, Throw};

#[track_caller]
fn check<T: std::fmt::Debug>(result: Result<T, Error>, message: &str) {
    assert_eq!(result.unwrap_err().to_string(), message);
}

#[test]
fn nothing_given() {
    check(
        Throw::new(0, 1),
        "the attacker must throw at least 1 die, got 0",
    );
    check(
        Throw::new(3, 0),
        "the defender must throw at least 1 die, got 0",
    );
    assert_eq!(
        Rules::standard().max_dice(0, 0).unwrap_err(),
        Error::NoDice {
            side: Side::Attacker
        }
    );
    assert_eq!(
        Rules::standard().throw(4, 0).unwrap_err(),
        Error::NoDice {
            side: Side::Defender
        }
    );
    check(
        Rules::standard().sides(6, 0),
        "the defender's dice must have at least 1 side, got 0",
    );
    check(
        Battle::new(4, 0),
        "the defender must start with at least 1 unit, got 0",
    );
    check(
        Battle::on_board(1, 3),
        "a territory must hold at least 2 troops to attack, since one stays behind, got 1",
    );
    assert_eq!(
        Battle::on_board(2, 0).unwrap_err(),
        Error::NoUnits {
            side: Side::Defender
        }
    );
}

#[test]
fn too_many_dice() {
    for (attack, defence) in [
        (u32::MAX, u32::MAX),
        (u32::MAX, 1),
        (1, u32::MAX),
        (1000, 1000),
    ] {
        let error = Throw::new(attack, defence).unwrap().law().unwrap_err();
        assert!(
            matches!(
                error,
                Error::TooLarge {
                    limit: 1_073_741_824,
                    ..
                }
            ),
            "{error}"
        );
    }
    let huge = Rules::standard().sides(u32::MAX, u32::MAX).unwrap();
    let throw = Throw::new(1, 1).unwrap().rules(huge);
    assert!(matches!(throw.law(), Err(Error::TooLarge { .. })));
    assert_eq!(Throw::new(40, 40).unwrap().law().unwrap().len(), 41);
    // Many dice against one still form few pairs.
    let many = Throw::new(2000, 1).unwrap().law().unwrap();
    assert_eq!(many.total(), &num_bigint::BigUint::from(6_u8).pow(2001));
    let error = Throw::new(2, 2).unwrap().law_within(0).unwrap_err();
    assert!(matches!(error, Error::TooLarge { limit: 0, .. }));
}

#[test]
fn extreme_bonuses_decide() {
    let support = |attack: [i32; 2], defence: [i32; 2]| {
        let rules = Rules::standard()
            .attack_bonus(attack)
            .defence_bonus(defence);
        let law = Throw::new(3, 2).unwrap().rules(rules).law().unwrap();
        law.support().to_vec()
    };
    assert_eq!(support([i32::MAX; 2], [i32::MIN; 2]), [2]);
    assert_eq!(support([i32::MIN; 2], [i32::MAX; 2]), [0]);
    assert_eq!(support([i32::MIN; 2], [i32::MIN, 0]), [0, 1]);
    assert_eq!(support([6, 5], [0, 0]), [1, 2]);
    let unlike = Rules::standard()
        .attack_bonus([i32::MAX, i32::MIN])
        .defence_bonus([i32::MIN, i32::MAX]);
    assert_eq!(
        Throw::new(2, 2)
            .unwrap()
            .rules(unlike)
            .law()
            .unwrap()
            .support(),
        [1]
    );
    // A list far longer than the dice.
    let long = Rules::standard().attack_bonus(vec![7; 100_000]);
    assert_eq!(
        Throw::new(2, 1)
            .unwrap()
            .rules(long)
            .law()
            .unwrap()
            .support(),
        [1]
    );
}

#[test]
fn one_sided_dice() {
    let blank = Rules::standard().sides(1, 1).unwrap();
    let law = Throw::new(9, 7)
        .unwrap()
        .rules(blank.clone())
        .law()
        .unwrap();
    assert_eq!((law.support(), law.total()), (&[0][..], &1_u8.into()));
    let ties = blank.ties_to(Side::Attacker);
    assert_eq!(
        Throw::new(9, 7)
            .unwrap()
            .rules(ties)
            .law()
            .unwrap()
            .support(),
        [7]
    );
}

#[test]
fn battles_beyond_the_limits() {
    let huge = Battle::new(u32::MAX, u32::MAX).unwrap();
    assert!(matches!(huge.win(), Err(Error::BattleTooLarge { .. })));
    assert!(matches!(huge.win_f64(), Err(Error::BattleTooLarge { .. })));
    // Regression test: the error was that of a grid, which is an internal detail.
    let message = "a game of 4294967295 attackers against 4294967295 has \
                   18446744073709551616 states, which exceeds the fixed limit of \
                   18446744073709551615; use smaller forces, or use `win_estimate` for the chance \
                   alone";
    #[cfg(target_pointer_width = "64")]
    check(huge.solve_with(Solver::float()).map(|_| ()), message);
    let fewer = Battle::new(u32::MAX, 1 << 31).unwrap();
    let stopping = Stopping::new(fewer.clone(), 3).unwrap();
    for result in [
        huge.game().map(|_| ()),
        stopping.game().map(|_| ()),
        stopping.action_map().map(|_| ()),
    ] {
        let error = result.unwrap_err();
        assert!(
            matches!(
                error,
                Error::TooManyForces {
                    attackers: u32::MAX,
                    ..
                }
            ),
            "{error}"
        );
    }
    // Games that can be numbered are left to the limits of the solver.
    #[cfg(target_pointer_width = "64")]
    assert!(matches!(
        fewer.solve_with(Solver::float()),
        Err(Error::Solve(_))
    ));
    let small = Battle::new(20, 20).unwrap();
    let error = small
        .solve_with(Solver::exact().max_states(440))
        .unwrap_err();
    assert_eq!(
        error,
        oddsmith_mdp::Error::TooManyStates { limit: 440 }.into()
    );
    assert!(small.solve_with(Solver::exact().max_states(441)).is_ok());

    let many = Rules::standard().max_dice(20, 20).unwrap();
    check(
        Battle::new(20, 20)
            .unwrap()
            .rules(many)
            .solve_with(Solver::exact()),
        "a throw of 5 dice against 20 has more than 2^64 rolls, too many for a battle; lower \
         `max_dice` or the sides of the rules",
    );
    let blank = Rules::standard()
        .sides(1, 1)
        .and_then(|r| r.max_dice(u32::MAX, u32::MAX))
        .unwrap();
    let error = Battle::new(3000, 3000)
        .unwrap()
        .rules(blank.clone())
        .win()
        .unwrap_err();
    assert!(
        matches!(
            error,
            Error::ThrowsTooLarge {
                limit: 1_073_741_824,
                ..
            }
        ),
        "{error}"
    );
    // If the dice depend on the forces, every force needs memory.
    let battle = Battle::new(9999, 9999).unwrap().rules(blank);
    assert!(matches!(battle.win(), Err(Error::BattleTooLarge { .. })));
}

/// A game supports only the throws of its own battle.
#[test]
fn a_larger_battle_is_refused() {
    let game = Battle::new(2, 1).unwrap().game().unwrap();
    let larger = Forces {
        attackers: 3,
        defenders: 1,
    };
    assert!(Solver::exact().solve(&game, larger).is_err());
    let solution = Battle::new(2, 1)
        .unwrap()
        .solve_with(Solver::exact())
        .unwrap();
    assert!(solution.value_of(&larger).is_err());
}
