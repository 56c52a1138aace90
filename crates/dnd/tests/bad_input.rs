//! Wrong and extreme input ends in an error that says so, never in a panic.

#![allow(clippy::unwrap_used, reason = "a failed check is a failed test")]

use oddsmith_dice::Dist;
use oddsmith_dnd::{AttackRoll, D20, Damage, Error, Outcome, activate, attack_damage};

#[track_caller]
fn check<T: std::fmt::Debug>(result: Result<T, Error>, message: &str) {
    assert_eq!(result.unwrap_err().to_string(), message);
}

#[test]
fn numbers_off_the_die() {
    let roll = AttackRoll::new(15, 5);
    for given in [0, 1, 21, u32::MAX] {
        assert_eq!(
            roll.critical_from(given).unwrap_err(),
            Error::CriticalRange { given }
        );
    }
    for given in [0, 21, u32::MAX] {
        assert_eq!(roll.outcome(given).unwrap_err(), Error::Natural { given });
        assert_eq!(
            D20::Disadvantage.ways(given).unwrap_err(),
            Error::Natural { given }
        );
    }
    check(roll.outcome(0), "a twenty-sided die shows 1 to 20, not 0");
}

#[test]
fn negative_dice() {
    let negative = Dist::die(6).unwrap().shift(-2).unwrap();
    let message =
        "damage dice show 0 or more, but these can show -1: give a penalty as flat damage";
    check(Damage::new(negative.clone()), message);
    let sword = Damage::dice(1, 8).unwrap();
    check(sword.clone().undoubled(negative.clone()), message);
    check(sword.on_critical(negative.clone()), message);
    check(activate(&negative, 5, 15, 5), message);
}

#[test]
fn impossible_dice() {
    check(
        Damage::dice(2, 0),
        "a die needs at least 1 side, but 0 were given",
    );
    assert!(matches!(Damage::dice(u32::MAX, 6), Err(Error::Dice(_))));
    // The dice fit, but not doubled.
    let far = Damage::new(Dist::certain(i64::MAX)).unwrap();
    assert!(far.law(Outcome::Hit).is_ok());
    assert!(matches!(far.law(Outcome::Critical), Err(Error::Dice(_))));
    assert!(matches!(
        attack_damage(&AttackRoll::new(10, 5), &far),
        Err(Error::Dice(_))
    ));
    let flat = Damage::dice(1, 6).unwrap().flat(i64::MAX);
    assert!(matches!(flat.law(Outcome::Hit), Err(Error::Dice(_))));
}

#[test]
fn extremes() {
    // Unreachable AC, and none at all: a natural 1 and a natural 20 remain.
    for (ac, bonus, counts) in [
        (i64::MAX, i64::MIN, [19, 0, 1]),
        (i64::MAX, i64::MAX, [1, 18, 1]),
        (i64::MIN, i64::MIN, [1, 18, 1]),
        (i64::MIN, i64::MAX, [1, 18, 1]),
    ] {
        assert_eq!(AttackRoll::new(ac, bonus).counts(), counts);
    }
    // A penalty beyond all dice leaves nothing.
    let nothing = Damage::dice(1, 4).unwrap().flat(i64::MIN);
    let law = attack_damage(&AttackRoll::new(5, 5), &nothing).unwrap();
    assert_eq!(law.support(), [0]);
    // No dice, no flat damage.
    let unarmed = attack_damage(&AttackRoll::new(5, 5), &Damage::dice(0, 1).unwrap()).unwrap();
    assert_eq!(unarmed.support(), [0]);
}
