//! Invalid and extreme input returns a clear error and never panics.

use oddsmith_dice::Dist;
use oddsmith_dnd::{
    Ability, Attack, AttackRoll, Combatant, Cover, D20, Damage, DamageType, Defenses, Error,
    HitPoints, Outcome, PowerAttack, Recharge, Rider, SavingThrow, Target, Turn, activate,
    attack_damage, dpr_table,
};

#[track_caller]
fn check<T: std::fmt::Debug>(result: Result<T, Error>, message: &str) {
    assert_eq!(result.unwrap_err().to_string(), message);
}

#[test]
fn numbers_off_the_die() {
    let roll = AttackRoll::new(15, 5);
    for given in [0, 1, 21, u32::MAX] {
        assert_eq!(
            roll.clone().critical_from(given).unwrap_err(),
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
    check(
        roll.outcome(0),
        "a number on a d20 must be between 1 and 20, got 0",
    );
}

#[test]
fn negative_dice() {
    let negative = Dist::die(6).unwrap().shift(-2).unwrap();
    let message = "damage dice must show 0 or more, got -1; give a penalty as flat damage";
    check(Damage::new(negative.clone()), message);
    let sword = Damage::dice(1, 8).unwrap();
    check(sword.clone().undoubled(negative.clone()), message);
    check(sword.on_critical(negative.clone()), message);
    check(activate(&negative, 5, 15, 5), message);
}

#[test]
fn impossible_dice() {
    check(Damage::dice(2, 0), "a die needs at least 1 side, got 0");
    assert!(matches!(Damage::dice(u32::MAX, 6), Err(Error::Dice(_))));
    // The dice fit, but the doubled dice do not.
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
    // For an unreachable AC, or one always reached, only a natural 1 and a natural 20 remain.
    for (ac, bonus, counts) in [
        (i64::MAX, i64::MIN, [19, 0, 1]),
        (i64::MAX, i64::MAX, [1, 18, 1]),
        (i64::MIN, i64::MIN, [1, 18, 1]),
        (i64::MIN, i64::MAX, [1, 18, 1]),
    ] {
        let counts: [u32; 3] = counts;
        assert_eq!(
            AttackRoll::new(ac, bonus).counts(),
            (counts.map(Into::into), 20_u32.into())
        );
    }
    // A penalty larger than any roll leaves no damage.
    let nothing = Damage::dice(1, 4).unwrap().flat(i64::MIN);
    let law = attack_damage(&AttackRoll::new(5, 5), &nothing).unwrap();
    assert_eq!(law.support(), [0]);
    // No dice, no flat damage.
    let unarmed = attack_damage(&AttackRoll::new(5, 5), &Damage::dice(0, 1).unwrap()).unwrap();
    assert_eq!(unarmed.support(), [0]);
}

#[test]
fn names_and_texts() {
    check(
        Attack::new("\t "),
        "an attack needs a name that is not blank",
    );
    check(
        "fire".parse::<Damage>(),
        "cannot parse \"fire\" as damage such as \"2d6 + 3 slashing plus 1d6 fire\": dice or a \
         number must come before a type or \"plus\"",
    );
    for bad in [
        "",
        "plus",
        "1d6 plus",
        "plus 1d6 fire",
        "2d6 fire plus",
        ".",
        ", plus 1d6",
    ] {
        assert!(matches!(
            bad.parse::<Damage>(),
            Err(Error::DamageText { .. })
        ));
    }
    for bad in ["6 - 1d6 fire", "1d6 + 9223372036854775807 + 1 fire"] {
        assert!(matches!(
            bad.parse::<Damage>(),
            Err(Error::DamageText { .. })
        ));
    }
    for bad in [
        "2d0 fire",
        "2x6 fire",
        "2d6 +",
        "99999999d6",
        "(1d4",
        "2d6., fire",
        "2d6..",
    ] {
        assert!(
            matches!(bad.parse::<Damage>(), Err(Error::Dice(_))),
            "{bad}"
        );
    }
    assert!(matches!(
        "1d6 * -1 fire".parse::<Damage>(),
        Err(Error::NegativeDice { outcome: -6 })
    ));
    let long = "1 fire plus ".repeat(1_000) + "1 fire";
    assert!(matches!(
        long.parse::<Damage>(),
        Err(Error::DamageText { .. })
    ));
}

/// Regression test: a wrong average was ignored.
#[test]
fn averages_in_front_of_other_dice() {
    check(
        "11 (2d6 + 3) slashing".parse::<Damage>(),
        "the average in front of 2d6 + 3 must be 10 (rounded down), got 11; correct the dice or \
         the average",
    );
    check(
        HitPoints::rolled("60 (7d10 + 21)"),
        "the average in front of 7d10 + 21 must be 59 (rounded down), got 60; correct the dice \
         or the average",
    );
    for bad in [
        "2 (1d4 - 1)",
        "3 (2d6 - 2) cold plus 3 (1d6) fire",
        "5 (2d6 - 2) cold plus 4 (1d6) fire",
        "00000000000000000000000000000000000001 (1d6)",
        "99999999999999999999999999999999999999 (1d6)",
        "8 (7)",
    ] {
        let read = bad.parse::<Damage>();
        assert!(matches!(read, Err(Error::Average { .. })), "{bad}");
    }
    for good in [
        "1 (1d4 - 1)",
        "0 (1d6 - 3)",
        "1 (1d6 - 3)",
        "7 (7)",
        "3(1d6) fire",
    ] {
        assert!(good.parse::<Damage>().is_ok(), "{good}");
    }
    // The mean before or after the minimum of 1 hit point is applied; both are in print.
    for (good, bad) in [
        ("1 (1d4 - 1)", "2 (1d4 - 1)"),
        ("1 (1d4 - 2)", "0 (1d4 - 2)"),
    ] {
        assert!(HitPoints::rolled(good).is_ok(), "{good}");
        let read = HitPoints::rolled(bad);
        assert!(matches!(read, Err(Error::Average { .. })), "{bad}");
    }
}

/// Regression test: such damage had a custom type, so no defence applied to it.
#[test]
fn misspelt_types() {
    check(
        "2d6 + 3 slahsing".parse::<Damage>(),
        "\"slahsing\" is not a damage type of the rules; did you mean \"slashing\"? a custom type \
         needs a less similar name",
    );
    for (given, meant) in [
        ("FRIE", DamageType::Fire),
        ("fir", DamageType::Fire),
        ("forse", DamageType::Force),
        ("percing", DamageType::Piercing),
        ("bludgening", DamageType::Bludgeoning),
        ("bludeonning", DamageType::Bludgeoning),
        ("pyschic", DamageType::Psychic),
        ("necortic", DamageType::Necrotic),
        ("lightening", DamageType::Lightning),
        ("thunderr", DamageType::Thunder),
        ("poisson", DamageType::Poison),
        ("acids", DamageType::Acid),
    ] {
        let misspelt = Error::MisspeltType {
            given: given.to_lowercase(),
            meant,
        };
        assert_eq!(given.parse::<DamageType>(), Err(misspelt), "{given}");
    }
    for own in [
        "ice",
        "air",
        "holy",
        "void",
        "magic",
        "sonic",
        "light",
        "psionic",
        "cold iron",
        "silvered slashing",
        "magical fire",
    ] {
        assert_eq!(own.parse::<DamageType>().unwrap().name(), own);
    }
    for known in DamageType::RULES {
        assert_eq!(known.name().parse(), Ok(known));
    }
    let long = "fire".repeat(1_000);
    assert_eq!(long.parse::<DamageType>().unwrap().name(), long);
}

#[test]
fn texts_that_are_read() {
    for (text, most) in [
        ("7", 7),
        ("1d6", 12),
        ("D6 Fire", 12),
        ("10 (2d6 + 3) slashing damage", 27),
        ("2d6-1 plus 1d4 cold plus 1d8", 23 + 8 + 16),
        ("1 piercing damage plus 2 poison", 3),
        ("1d8 + 1d6 + 3 cold iron", 16 + 12 + 3),
        ("4d6kh3 force", 36),
        // Regression cases: punctuation at the end was rejected as bad notation.
        ("10 (2d6 + 3) slashing damage.", 27),
        (
            "10 (2d6 + 3) Slashing Damage, plus 3 (1d6) fire damage.",
            39,
        ),
        ("2d6 + 3.", 27),
        ("1d4 cold , plus 1d6,", 20),
        ("(1d4) * 2 silvered bludgeoning", 16),
    ] {
        let damage: Damage = text.parse().unwrap();
        let law = damage.law(Outcome::Critical).unwrap();
        assert_eq!(law.max(), &most, "{text}");
    }
    // Any other word is a custom type, and a target may have a defence against it.
    let iron: Damage = "1d8 Cold  Iron".parse().unwrap();
    let fey = Defenses::new().vulnerable("cold iron".parse().unwrap());
    assert_eq!(iron.law_against(Outcome::Hit, &fey).unwrap().max(), &16);
}

#[test]
fn too_much_for_a_turn() {
    let (attack, target) = (Attack::new("Claw").unwrap(), Target::new(10));
    let swarm = Turn::new()
        .attacks(u32::MAX, attack.clone())
        .attacks(7, attack.clone());
    let message = "a turn of 4294967302 attacks exceeds the limit of 1000";
    check(swarm.law(&target), message);
    check(swarm.mean(&target), message);
    let nine = (0..9).fold(Turn::from(attack.clone()), |turn, _| {
        turn.rider(Rider::savage_attacker())
    });
    check(
        nine.law_f64(&target),
        "a turn with 9 riders exceeds the limit of 8; each may double the work",
    );
    check(
        dpr_table(i64::MIN..=i64::MAX, &[attack.clone().into()]),
        "a table of 18446744073709551616 armour classes exceeds the limit of 10000",
    );
    let backwards = std::ops::RangeInclusive::new(3, 2);
    check(
        dpr_table(backwards, &[]),
        "the armour classes of a table must go from low to high, got 3 to 2",
    );
    assert_eq!(dpr_table(i64::MAX..=i64::MAX, &[]).unwrap().dim(), (1, 0));
}

#[test]
fn total_cover_and_far_numbers() {
    let wall = Target::new(15).cover(Cover::Total);
    let attack = Attack::new("Bow").unwrap();
    check(
        attack.law(&wall),
        "a target behind total cover cannot be attacked; leave it out or give it less cover",
    );
    for ability in [Ability::Dexterity, Ability::Wisdom] {
        assert_eq!(wall.saving_throw(ability, 10), Err(Error::TotalCover));
    }
    // Extreme numbers are compared without overflow.
    let power = PowerAttack {
        penalty: i64::MAX,
        damage: i64::MIN,
    };
    let far = attack.clone().to_hit(i64::MIN).power_attack_of(power);
    assert_eq!(far.law(&Target::new(i64::MAX)).unwrap().support(), [0]);
    for (dc, bonus, saved) in [
        (i64::MIN, i64::MAX, "1"),
        (i64::MAX, i64::MIN, "0"),
        (i64::MAX, i64::MAX, "1"),
    ] {
        assert_eq!(SavingThrow::new(dc, bonus).success().to_string(), saved);
    }
    let bless = Dist::uniform([i64::MIN, i64::MAX]).unwrap();
    let roll = AttackRoll::new(i64::MAX, i64::MAX)
        .bonus_dice(&bless)
        .unwrap();
    assert_eq!(roll.miss().to_string(), "1/2");
    assert!(matches!(roll.bonus_dice(&bless), Err(Error::Dice(_))));
    // Damage that fits 64 bits until the vulnerability of the target doubles it.
    let huge = Damage::dice(0, 6)
        .unwrap()
        .flat(i64::MAX)
        .of(DamageType::Fire);
    let target = Defenses::new().vulnerable(DamageType::Fire);
    assert_eq!(huge.law(Outcome::Hit).unwrap().support(), [i64::MAX]);
    assert!(matches!(
        huge.law_against(Outcome::Hit, &target),
        Err(Error::Dice(_))
    ));
    let target = target.resistant(DamageType::Fire);
    let law = huge.law_against(Outcome::Hit, &target).unwrap();
    assert_eq!(law.support(), [i64::MAX - 1]);
    let target = target.immune(DamageType::Fire);
    assert_eq!(
        huge.law_against(Outcome::Hit, &target).unwrap().support(),
        [0]
    );
    // Intermediate sums of flat numbers of one type may exceed 64 bits.
    let both = huge
        .clone()
        .plus(Damage::default().flat(-9).of(DamageType::Fire));
    let law = both.law(Outcome::Hit).unwrap();
    assert_eq!(law.support(), [i64::MAX - 9]);
    assert!(matches!(
        huge.clone().plus(huge).law(Outcome::Hit),
        Err(Error::Dice(_))
    ));
    let brutal = Damage::dice(1, 6).unwrap().brutal(u32::MAX);
    assert!(matches!(brutal.law(Outcome::Critical), Err(Error::Dice(_))));
}

#[test]
fn creatures() {
    check(
        HitPoints::fixed(0),
        "hit points must be 1 or more, got at most 0",
    );
    check(
        HitPoints::rolled("1d4 - 4"),
        "hit points must be 1 or more, got at most 0",
    );
    assert!(matches!(HitPoints::rolled("ten"), Err(Error::Dice(_))));
    check(
        "0".parse::<HitPoints>(),
        "hit points must be 1 or more, got at most 0",
    );
    for text in ["ten", "", "59 (7d10 + 21", "(7d10) 21", "1e3"] {
        let read = text.parse::<HitPoints>();
        assert!(matches!(read, Err(Error::Dice(_))), "{text}");
    }
    let ghost = Combatant::new("Ghost", 11, HitPoints::fixed(45).unwrap()).unwrap();
    check(
        ghost.turn_against(&ghost),
        "Ghost has no attack; add one with `attack`, or an effect with `effect`",
    );
    check(
        ghost.clone().multiattack(["Touch"]),
        "Ghost has no attack named \"Touch\"; add it with `attack` first",
    );
    check(
        Combatant::new("", 11, HitPoints::fixed(45).unwrap()),
        "a combatant needs a name that is not blank",
    );
    check(
        Recharge::on(7),
        "the lowest d6 roll that recharges must be between 1 and 6, got 7",
    );
    // A creature that waits for its only action to recharge.
    let waiting = ghost.recharging(
        Recharge::on(6).unwrap(),
        Attack::new("Howl").unwrap().into(),
    );
    assert_eq!(waiting.turn_number(3, &waiting).unwrap().support(), [0]);
}

/// Regression test: numbers within other numbers' parentheses were dice, which a critical hit
/// doubled, so that the order of the same parts mattered.
#[test]
fn numbers_are_not_doubled_wherever_they_stand() {
    let most = |text: &str| {
        let damage: Damage = text.parse().unwrap();
        *damage.law(Outcome::Critical).unwrap().max()
    };
    assert_eq!(most("(2d6 + 3) + 1d4 slashing"), 35);
    assert_eq!(most("1d4 + (2d6 + 3) slashing"), 35);
    assert_eq!(most("2d6 + (3 + 1)"), 28);
    assert_eq!(most("2d6 + 2 * (1 + 1)"), 28);
    assert_eq!(most("2d6 - (3 - 7 / 2)"), 24);
    assert_eq!(most("2d6 - (3 - 8)"), 29);
    assert_eq!(most("1d1 + 1"), 3);
    let subtracted = "2d6 - (1d4 + 1)".parse::<Damage>();
    assert!(matches!(subtracted, Err(Error::DamageText { .. })));
    let subtracted = "2d6 - -(1d4 + 1)".parse::<Damage>().unwrap();
    assert_eq!(*subtracted.law(Outcome::Hit).unwrap().max(), 17);
}
