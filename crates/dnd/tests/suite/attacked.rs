//! Hostile input: unusual sizes, orders and names. All of it gives a result or is rejected before
//! any work.

use oddsmith_dice::Dist;
use oddsmith_dnd::{
    Ability, Attack, Belief, Combatant, Damage, DamageType, Defenses, Duel, Encounter, Error,
    Fighter, Focus, HitPoints, Outcome, Recharge, Rider, SaveEffect, Tactics, Target, Turn, Winner,
    activate,
};

type Tested = Result<(), Box<dyn std::error::Error>>;

fn sword(damage: &str) -> Result<Attack, Error> {
    Ok(Attack::new("Sword")?.to_hit(5).damage(damage.parse()?))
}

fn creature(name: &str, hit_points: i64) -> Result<Combatant, Error> {
    let points = HitPoints::fixed(hit_points)?;
    Ok(Combatant::new(name, 14, points)?.attack(sword("1d8 + 3 slashing")?))
}

fn fireball() -> Result<SaveEffect, Error> {
    Ok(SaveEffect::new("Fireball", Ability::Dexterity, 15)?.damage("8d6 fire".parse()?))
}

#[track_caller]
fn too_large<T: std::fmt::Debug>(result: Result<T, Error>) {
    let refused = matches!(
        result,
        Err(Error::Dice(oddsmith_dice::Error::TooLarge { .. }))
    );
    assert!(refused, "{result:?}");
}

#[test]
fn a_thousand_attacks_with_a_rider_are_refused_before_the_work() -> Tested {
    let sneak = Rider::new("Sneak Attack", Damage::dice(3, 6)?)?;
    let turn = |times| -> Result<Turn, Error> {
        Ok(Turn::new()
            .attacks(times, sword("2d6 + 5 slashing")?)
            .rider(sneak.clone()))
    };
    let target = Target::new(15);
    too_large(turn(1_000)?.law(&target));
    too_large(turn(1_000)?.law_f64(&target));
    // Twenty are within the limit, and the mean does not need the distribution.
    let law = turn(20)?.law(&target)?;
    assert_eq!(law.mean(), turn(20)?.mean(&target)?);
    assert!(turn(1_000)?.mean_f64(&target)? > 1_000.0);
    Ok(())
}

#[test]
fn many_legendary_resistances_are_refused_before_the_work() -> Tested {
    let dragon = creature("Dragon", 50)?.recharging(Recharge::on(5)?, fireball()?.into());
    let lich = |uses| Ok::<_, Error>(creature("Lich", 50)?.legendary_resistance(uses));
    let error = dragon.duel(&lich(u32::MAX)?).unwrap_err();
    assert_eq!(error, Error::TooManyUses { given: u32::MAX });
    assert!(dragon.duel(&lich(3)?).is_ok());
    // They make no difference if there are no saving throws.
    let plain = creature("Knight", 50)?;
    assert!(plain.duel(&lich(u32::MAX)?).is_ok());
    Ok(())
}

#[test]
fn joint_laws_of_damage_and_resistance_are_refused_before_they_are_collected() -> Tested {
    let target = Target::new(10);
    too_large(fireball()?.against_legendary_resistance(&target, u32::MAX, 100));
    let law = fireball()?.against_legendary_resistance(&target, u32::MAX, 4)?;
    assert_eq!(law.first().max(), &u32::MAX);
    let mut turn = Turn::new();
    for _ in 0..1_001 {
        turn = turn.effect(fireball()?);
    }
    let given = turn.against_legendary_resistance(&target, 3).unwrap_err();
    let limit = 1_000;
    assert_eq!(
        given,
        Error::TooManyAttacks {
            given: 1_001,
            limit
        }
    );
    Ok(())
}

#[test]
fn damage_beyond_64_bits_is_an_error_with_legendary_resistance_too() -> Tested {
    let doom = Damage::dice(0, 6)?.flat(i64::MAX - 1);
    let doom = SaveEffect::new("Doom", Ability::Wisdom, 99)?.damage(doom);
    let turn = Turn::new().effect(doom.clone()).effect(doom);
    let result = turn.against_legendary_resistance(&Target::new(10), 0);
    let refused = matches!(
        result,
        Err(Error::Dice(oddsmith_dice::Error::OutcomeTooLarge { .. }))
    );
    assert!(refused, "{result:?}");
    Ok(())
}

#[cfg(feature = "serde")]
#[test]
fn a_file_cannot_ask_for_four_thousand_million_effects() -> Tested {
    let effect = r#"{"name": "x", "ability": "dexterity", "dc": 10, "damage": "1d6"}"#;
    let turn = format!(r#"{{"steps": [[4294967295, {{"effect": {effect}}}]]}}"#);
    let turn: Turn = serde_json::from_str(&turn)?;
    let result = turn.against_legendary_resistance(&Target::new(10), 3);
    assert!(matches!(result, Err(Error::TooManyAttacks { .. })));
    Ok(())
}

#[test]
fn rounds_without_partdist_are_refused_where_products_grow_too_long() -> Tested {
    let fighter = Fighter::new(40, activate(&Dist::ndice(2, 6)?, 5, 18, 7)?)?;
    let duel = Duel::new(fighter.clone(), fighter);
    for rounds in [500, 100_000, u64::MAX] {
        assert!(duel.rounds_without_partdist(rounds).is_err(), "{rounds}");
    }
    assert_eq!(duel.rounds_without_partdist(20)?.len(), 21);
    assert_eq!(duel.to_f64().rounds_without_partdist(5_000)?.len(), 5_001);
    Ok(())
}

#[test]
fn temporary_hit_points_below_the_maximum_are_not_healed_away() -> Tested {
    // 5 of 10 hit points plus 5 temporary ones, healed by 3, give 8 plus 5; a single number for
    // both would stay at 10.
    let wounded = || Fighter::new(5, Dist::certain(1));
    let given = Error::TemporaryBelowMaximum {
        hit_points: 5,
        maximum: 10,
    };
    let heal = || Dist::certain(3);
    let orders = [
        wounded()?.temporary(5)?.maximum(10)?.heals(heal()),
        wounded()?.heals(heal())?.temporary(5)?.maximum(10),
        wounded()?.maximum(10)?.heals(heal())?.temporary(5),
    ];
    for order in orders {
        assert_eq!(order.unwrap_err(), given);
    }
    // At the maximum a single number is correct.
    let whole = wounded()?.temporary(5)?.heals(heal())?;
    let ending = Duel::new(whole, Fighter::new(1, Dist::certain(9))?).ending()?;
    assert_eq!(ending.law().p(&(Winner::First, 10)).to_string(), "1");
    Ok(())
}

#[test]
fn a_uniform_belief_reaches_both_ends_of_its_range() -> Tested {
    for ac in [i64::MIN, -1, 0, i64::MAX] {
        let belief = Belief::uniform(1..=2, ac..=ac)?;
        assert_eq!(belief.armour_class().support(), [ac]);
    }
    let highest = Belief::uniform(i64::MAX - 1..=i64::MAX, 1..=1)?;
    assert_eq!(highest.hit_points().support(), [i64::MAX - 1, i64::MAX]);
    Ok(())
}

#[test]
fn all_orders_of_initiative_together_are_limited() -> Tested {
    let party = [creature("A", 20)?, creature("B", 20)?];
    let foes = [creature("C", 20)?, creature("D", 20)?];
    // 777,924 states for each of 24 orders.
    let fight = Encounter::new(party, foes)?.party_focus(Focus::Best)?;
    assert_eq!(fight.states(), 777_924);
    let fight = fight.max_states(777_924);
    let refused = fight.kill_orders().unwrap_err();
    let (states, limit) = (777_924 * 24 * 2, 777_924 * 32);
    assert_eq!(refused, Error::TooManyStates { states, limit });
    // An encounter too large for one order is rejected before the orders are counted.
    let refused = fight.max_states(777_923).win_f64().unwrap_err();
    let (states, limit) = (777_924, 777_923);
    assert_eq!(refused, Error::TooManyStates { states, limit });
    Ok(())
}

#[test]
fn a_name_of_two_different_attacks_is_not_guessed() -> Tested {
    let bear = creature("Bear", 30)?.attack(sword("9d9 cold")?);
    assert!(bear.turn().is_ok()); // the first one
    let given = Error::AmbiguousAttack {
        name: "Bear".into(),
        given: "Sword".into(),
    };
    assert_eq!(bear.multiattack(["Sword"]).unwrap_err(), given);
    let twice = creature("Bear", 30)?.attack(sword("1d8 + 3 slashing")?);
    assert!(twice.multiattack(["Sword"]).is_ok()); // it does not matter which
    Ok(())
}

#[test]
fn like_dice_one_by_one_are_like_dice_together() -> Tested {
    let one_by_one: Damage = vec!["1d6"; 680].join("+").parse()?;
    let together: Damage = "680d6".parse()?;
    assert_eq!(one_by_one.law(Outcome::Hit)?, together.law(Outcome::Hit)?);
    Ok(())
}

#[test]
fn reduction_comes_first_then_resistance_then_vulnerability() -> Tested {
    let fire = DamageType::Fire;
    let all = Defenses::new()
        .vulnerable(fire.clone())
        .resistant(fire.clone())
        .reduced(fire.clone(), 5);
    // By hand, from 0 to 24: take 5, halve down, double.
    for dealt in 0..25 {
        let by_hand = (dealt - 5).max(0) / 2 * 2;
        assert_eq!(all.taken(Some(&fire), dealt), by_hand, "{dealt}");
        let immune = all.clone().immune(fire.clone());
        assert_eq!(immune.taken(Some(&fire), dealt), 0);
    }
    assert_eq!(all.taken(Some(&fire), i64::MAX), i64::MAX - 5);
    Ok(())
}

/// Regression test: its own regeneration and recharging actions were silently ignored, which gave
/// 0.5845 to win instead of the 0.9962 of a duel.
#[test]
fn tactics_do_not_drop_regeneration_or_a_recharging_action() -> Tested {
    let mace = || -> Result<Attack, Error> {
        Ok(Attack::new("Mace")?.to_hit(5).damage("2d6 + 3".parse()?))
    };
    let guard = |name: &str| -> Result<Combatant, Error> {
        Ok(Combatant::new(name, 13, HitPoints::fixed(30)?)?.attack(mace()?))
    };
    let tactics = Tactics::new().attacks(1, [mace()?]);
    let foe = guard("Guard")?;
    let plain = guard("Troll")?
        .with_tactics(tactics.clone(), &foe)?
        .best_f64()?;
    assert_eq!(format!("{:.4}", plain.value()), "0.5845");
    let healing = guard("Troll")?.regeneration(10);
    let dueling = healing.duel(&foe)?.to_f64().ending()?.chance(Winner::First);
    assert_eq!(format!("{dueling:.4}"), "0.9962");
    let breathing = guard("Drake")?.recharging(Recharge::on(5)?, Turn::new().effect(fireball()?));
    for (creature, name, what) in [
        (healing, "Troll", "regenerates"),
        (breathing, "Drake", "has an action that recharges"),
    ] {
        let refused = creature.with_tactics(tactics.clone(), &foe);
        let name = name.to_owned();
        assert_eq!(refused.err(), Some(Error::NotInTactics { name, what }));
    }
    Ok(())
}

/// Regression test: the largest damage felled a creature healed by more than any damage, since the
/// remaining hit points were capped at the largest number.
#[test]
fn no_damage_fells_who_was_healed_by_more() -> Tested {
    let foe = Belief::uniform(1..=10, 10..=10)?;
    let largest = Dist::certain(i64::MAX);
    assert_eq!(foe.fells_next(i64::MIN, &largest)?.to_string(), "0");
    // After the healing, 1 hit point becomes the largest number, and 2 to 10 exceed it.
    assert_eq!(foe.fells_next(1 - i64::MAX, &largest)?.to_string(), "1/10");
    assert_eq!(foe.fells_next(2 - i64::MAX, &largest)?.to_string(), "1/5");
    Ok(())
}

/// Regression test: reductions were truncated to 32 bits.
#[test]
fn reductions_add_up_beyond_words() -> Tested {
    let skin = Defenses::new()
        .reduced(DamageType::Fire, u32::MAX)
        .reduced(DamageType::Fire, u32::MAX);
    let fire = Damage::dice(1, 1)?.flat(1 << 34).of(DamageType::Fire);
    let law = fire.law_against(Outcome::Hit, &skin)?;
    let left = (1 << 34) + 1 - 2 * i64::from(u32::MAX);
    assert_eq!(law.support(), [left]);
    Ok(())
}

/// Regression test: infinite iterators used up all memory.
#[test]
fn lists_without_an_end() -> Tested {
    let turns = std::iter::repeat_with(|| Dist::certain(1));
    let fighter = Fighter::opening(5, turns).err();
    assert_eq!(fighter, Some(Error::TooManyPhases { limit: 10_000 }));
    let many = creature("Hydra", 9)?.multiattack(std::iter::repeat("Sword"));
    let (given, limit) = (1_001, 1_000);
    assert_eq!(many.err(), Some(Error::TooManyAttacks { given, limit }));
    let sword = sword("1d8 slashing")?;
    let ways = Tactics::new().attacks(1, std::iter::repeat(sword));
    let goblin = Fighter::new(7, Dist::die(6)?)?;
    let duel = oddsmith_dnd::TacticalDuel::new(9, ways, goblin, Target::new(12));
    assert!(matches!(duel.err(), Some(Error::TooManyTactics { .. })));
    Ok(())
}

/// Regression test: the uses left before and after a turn form phases, and each phase was computed
/// from scratch.
#[test]
fn many_throws_against_many_uses_are_phases() -> Tested {
    let spark = SaveEffect::new("Spark", Ability::Dexterity, 11)?.damage("1".parse()?);
    let mage = creature("Mage", 9)?;
    let storm = |throws: usize| {
        let mut turn = Turn::new();
        for _ in 0..throws {
            turn = turn.effect(spark.clone());
        }
        turn
    };
    let lich = |uses| Ok::<_, Error>(creature("Lich", 50)?.legendary_resistance(uses));
    let storming = mage.recharging(Recharge::on(6)?, storm(60));
    let fighter = storming.fighter_against(&lich(20)?)?;
    // The storm needs all pairs of 0 to 20 uses after it and at least as many before; the other
    // turn spends no uses and adds 21 phases.
    assert_eq!(fighter.phases().len(), 21 * 22 / 2 + 21);
    assert_eq!(fighter.first_phase().map(|law| *law.max()), Some(20));
    Ok(())
}
