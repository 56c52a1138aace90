//! Stat blocks as JSON: they survive a round trip, and invalid input is rejected.
#![cfg(feature = "serde")]

use oddsmith_dice::Dist;
use oddsmith_dnd::{
    Ability, Attack, Combatant, CriticalRule, D20, Damage, DamageType, Defenses, Error, Fighter,
    GreatWeaponFighting, HitPoints, Naturals, Recharge, Rider, RiderUse, SaveEffect, Smite, Target,
    Turn,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

#[track_caller]
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) -> String {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value);
    text
}

#[track_caller]
fn refused<T: DeserializeOwned + std::fmt::Debug>(text: &str, because: &str) {
    let error = serde_json::from_str::<T>(text).unwrap_err().to_string();
    assert!(error.contains(because), "{error}");
}

#[test]
fn damage_is_written_in_words_where_words_say_it_all() {
    for text in [
        "2d6 + 3 slashing plus 1d6 fire",
        "1d4 - 1",
        "7 cold iron",
        "1d8 + 1d6 acid",
        "0",
    ] {
        let damage: Damage = text.parse().unwrap();
        assert_eq!(round_trip(&damage), format!("{text:?}"));
    }
    let odd = Damage::dice(2, 6)
        .unwrap()
        .flat(5)
        .of(DamageType::Slashing)
        .graze(3);
    let odd = odd
        .great_weapon_fighting(GreatWeaponFighting::Rules2014)
        .brutal(1);
    let odd = odd
        .critical(CriticalRule::MaximumPlusRoll)
        .plus("1d6 fire".parse().unwrap());
    assert!(round_trip(&odd).contains("\"great_weapon_fighting\":\"2014\""));
    let law = Damage::new(Dist::parse("4d6kh3").unwrap()).unwrap();
    assert!(round_trip(&law).contains("7/432"));
    round_trip(&law.undoubled(Dist::die(6).unwrap()).unwrap());
}

/// Regression tests: the last of two numbers silently counted, and any number of attacks was read.
#[test]
fn nothing_is_given_twice_or_a_million_times() {
    let twice = r#"{"reductions": {"slashing": 3, "slashing": 2}}"#;
    refused::<Defenses>(twice, "slashing is given twice");
    refused::<Defenses>(
        r#"{"reductions": {"fire": 3, "Fire": 2}}"#,
        "fire is given twice",
    );
    let saves = r#"{"ac": 12, "saves": {"wisdom": 5, "wisdom": 1}}"#;
    refused::<Target>(saves, "is given twice");
    let mob = Combatant::new("Mob", 12, HitPoints::fixed(9).unwrap()).unwrap();
    let club = Attack::new("Club").unwrap();
    let mut value = serde_json::to_value(mob.attack(club)).unwrap();
    value["multiattack"] = vec!["Club"; 1_001].into();
    refused::<Combatant>(&value.to_string(), "1001");
}

/// Regression test: `Type::deserialize` was a method of the type itself and skipped the check.
#[test]
fn no_way_of_reading_goes_around_the_checks() {
    use serde::Deserialize;
    let nameless_smite = r#"{"name": "", "uses": 300, "damage": "2d8 radiant"}"#;
    let nameless_attack = r#"{"name": "", "to_hit": 5, "damage": "1d6"}"#;
    let toothless = r#"{"name": "Wolf", "hit_points": 11, "target": {"ac": 13},
        "multiattack": ["Bite"]}"#;
    fn json(text: &str) -> serde_json::Deserializer<serde_json::de::StrRead<'_>> {
        serde_json::Deserializer::from_str(text)
    }
    assert!(HitPoints::deserialize(&mut json("-5")).is_err());
    assert!(HitPoints::deserialize(&mut json("\"1d4 - 4\"")).is_err());
    assert!(Smite::deserialize(&mut json(nameless_smite)).is_err());
    assert!(Attack::deserialize(&mut json(nameless_attack)).is_err());
    assert!(Combatant::deserialize(&mut json(toothless)).is_err());
    let whole = toothless.replace("[\"Bite\"]", "[]");
    assert!(Combatant::deserialize(&mut json(&whole)).is_ok());
}

#[test]
fn a_creature_with_everything() {
    let bite = Attack::new("Bite")
        .unwrap()
        .to_hit(14)
        .die(D20::Advantage)
        .halfling_luck();
    let bite = bite.damage("2d10 + 8 piercing plus 4d6 fire".parse().unwrap());
    let bite = bite
        .bonus_dice(&Dist::die(4).unwrap())
        .unwrap()
        .critical_from(19)
        .unwrap();
    let bite = bite.naturals(Naturals::Compared).power_attack();
    let breath = SaveEffect::new("Fire Breath", Ability::Dexterity, 21).unwrap();
    let breath = breath.damage("18d6 fire".parse().unwrap());
    let target = Target::new(19)
        .save_die(D20::Advantage)
        .save(Ability::Wisdom, 7)
        .evasion();
    let defenses = Defenses::new()
        .immune(DamageType::Fire)
        .reduced("silvered piercing".parse().unwrap(), 3);
    let bite = bite.save_on_hit(breath.clone());
    let rider = Rider::new("Zeal", "1d8 radiant".parse().unwrap()).unwrap();
    let dragon = Combatant::new("Dragon", 19, HitPoints::rolled("19d12 + 133").unwrap())
        .unwrap()
        .met_as(target)
        .defenses(defenses)
        .attack(bite)
        .multiattack(["Bite", "Bite"])
        .unwrap()
        .rider(rider.taken(RiderUse::HeldForCritical).only("Bite"))
        .rider(Rider::savage_attacker())
        .effect(breath.clone())
        .recharging(Recharge::on(5).unwrap(), breath.into())
        .initiative(4)
        .legendary_resistance(3);
    let text = round_trip(&dragon);
    assert!(text.contains("\"19d12 + 133\"") && text.contains("\"immunities\":[\"fire\"]"));
    round_trip(&Turn::new());
}

#[test]
fn a_stat_block_by_hand() {
    let text = r#"{
        "name": "Ogre", "hit_points": "7d10 + 21", "target": { "ac": 11 }, "initiative": -1,
        "attacks": [{ "name": "Greatclub", "to_hit": 6, "damage": "13 (2d8 + 4) bludgeoning damage" }]
    }"#;
    let ogre: Combatant = serde_json::from_str(text).unwrap();
    assert_eq!(
        ogre.turn_against(&ogre).unwrap().mean().to_string(),
        "217/20"
    );
    assert_eq!(ogre.initiative_bonus(), -1);
}

#[test]
fn bad_stat_blocks() {
    let attack = r#"{ "name": "Claw", "to_hit": 6, "damage": "1d6" "#;
    refused::<Attack>(
        &format!(r#"{attack}, "critical_from": 1 }}"#),
        "must be between 2 and 20, got 1",
    );
    refused::<Attack>(
        &format!(r#"{attack}, "bonus": 1 }}"#),
        "unknown field `bonus`",
    );
    refused::<Attack>(
        r#"{ "name": " ", "to_hit": 6, "damage": "1d6" }"#,
        "needs a name",
    );
    refused::<Attack>(
        r#"{ "name": "Claw", "to_hit": 6, "damage": "fire" }"#,
        "dice or a number must come before",
    );
    refused::<Attack>(
        r#"{ "name": "Claw", "to_hit": 6, "damage": 6 }"#,
        "expected damage such as",
    );
    refused::<Damage>(r#"{ "parts": [] }"#, "damage needs at least 1 part");
    refused::<Damage>(r#"{ "parts": [{ "die": 6 }] }"#, "unknown field `die`");
    let negative = r#"{ "parts": [{ "undoubled": [[-1, "1"]] }] }"#;
    refused::<Damage>(negative, "damage dice must show 0 or more, got -1");
    let many = r#"{ "parts": [{ "dice": [[4294967295, [[1, "1/2"], [2, "1/2"]]]] }] }"#;
    refused::<Damage>(many, "exceeds the limit");
    refused::<HitPoints>("0", "1 or more");
    refused::<HitPoints>("\"1d4 - 4\"", "1 or more");
    refused::<Recharge>("7", "must be between 1 and 6, got 7");
    refused::<Target>(r#"{ "ac": 15, "luck": 1 }"#, "unknown field `luck`");
    let kick =
        r#"{ "name": "Rat", "hit_points": 1, "target": { "ac": 10 }, "multiattack": ["Kick"] }"#;
    refused::<Combatant>(kick, "Rat has no attack named \"Kick\"");
}

/// Regression test: text with an average was rejected, and every error read "did not match any
/// variant of untagged enum Formula".
#[test]
fn hit_points_are_read_as_they_are_parsed() {
    for (text, expected) in [
        ("7", HitPoints::fixed(7)),
        ("\"7\"", HitPoints::fixed(7)),
        ("\"2d6\"", HitPoints::rolled("2d6")),
        ("\"7 (2d6)\"", HitPoints::rolled("2d6")),
    ] {
        let read: HitPoints = serde_json::from_str(text).unwrap();
        assert_eq!(read, expected.unwrap(), "{text}");
        round_trip(&read);
    }
    assert_eq!(
        round_trip(&HitPoints::rolled("2d6 - 2").unwrap()),
        "\"2d6 - 2\""
    );
    assert_eq!(
        round_trip(&HitPoints::fixed(i64::MAX).unwrap()),
        i64::MAX.to_string()
    );
    refused::<HitPoints>("true", "expected hit points: a number, or dice");
    refused::<HitPoints>("1.5", "expected hit points: a number, or dice");
    refused::<HitPoints>("-3", "got at most -3");
    refused::<HitPoints>("18446744073709551615", "at most 9223372036854775807");
    let unreadable = "two d6".parse::<HitPoints>().unwrap_err().to_string();
    let first = unreadable.lines().next().unwrap();
    refused::<HitPoints>("\"two d6\"", first);
}

/// Regression test: rolled hit points were applied last, which reset the maximum.
#[test]
fn a_maximum_above_rolled_hit_points_is_read_back() -> Result<(), Box<dyn std::error::Error>> {
    let wounded = Fighter::new(5, Dist::die(4)?)?.rolled(Dist::die(6)?)?;
    round_trip(&wounded.clone().maximum(9)?);
    round_trip(&wounded.temporary(2)?.maximum(9)?);
    Ok(())
}

/// Regression test: if the two numbers disagreed, the first was silently ignored.
#[test]
fn hit_points_beside_rolled_ones_are_the_most_that_can_be_rolled() {
    let rat = Fighter::new(1, Dist::certain(1)).unwrap();
    let rat = rat.rolled(Dist::die(6).unwrap()).unwrap();
    let text = round_trip(&rat);
    let other = text.replace("\"hit_points\":6", "\"hit_points\":3");
    refused::<Fighter>(
        &other,
        "the hit points of a fighter who rolls them must be the highest roll, 6, got 3",
    );
    let shielded = Fighter::new(1, Dist::certain(1)).unwrap();
    let shielded = shielded.maximum(i64::MAX - 1).unwrap();
    round_trip(&shielded.temporary(1).unwrap());
}

/// Regression test: a type built in code kept its capitals, so it differed when read back.
#[test]
fn types_of_damage_read_back_as_they_are_told() {
    for (told, written) in [
        ("Fire", "fire"),
        (" HOLY ", "holy"),
        ("Cold  Iron", "cold iron"),
    ] {
        let of: DamageType = told.parse().unwrap();
        assert_eq!(round_trip(&of), format!("{written:?}"));
        let damage = Damage::dice(1, 6).unwrap().of(of.clone());
        assert_eq!(round_trip(&damage), format!("\"1d6 {written}\""));
        round_trip(&damage.graze(1));
        let defenses = Defenses::new().resistant(of.clone()).reduced(of, 1);
        let text = round_trip(&defenses);
        let read: Defenses = serde_json::from_str(&text.replace(written, told)).unwrap();
        assert_eq!(read.taken(Some(&written.parse().unwrap()), 8), 3);
    }
    let nameless = "a type of damage needs a name";
    refused::<DamageType>("\"\"", nameless);
    refused::<Defenses>(r#"{ "immunities": [" "] }"#, nameless);
    refused::<Damage>(r#"{ "parts": [{ "type": "" }] }"#, nameless);
}

/// Regression test: a rider with neither damage nor a better roll was accepted, although no
/// constructor creates one.
#[test]
fn riders_that_do_nothing_are_refused() {
    let idle = "the rider \"s\" has no effect";
    refused::<Rider>(r#"{ "name": "s" }"#, idle);
    refused::<Rider>(r#"{ "name": "s", "damage": null, "savage": false }"#, idle);
    round_trip(&Rider::savage_attacker());
    round_trip(&Rider::new("s", Damage::default()).unwrap());
}

#[cfg(feature = "serde")]
#[test]
fn fighters_and_tactics_as_json() -> Result<(), Box<dyn std::error::Error>> {
    use oddsmith_dice::Dist;
    use oddsmith_dnd::{Attack, Combatant, Duel, Healing, HitPoints, Smite, Tactics};

    let troll = Fighter::opening(84, [Dist::ndice(2, 6)?, Dist::die(8)?])?
        .maximum(84)?
        .temporary(3)?
        .heals(Dist::certain(10))?;
    let rat = Fighter::new(1, Dist::certain(1))?.rolled(Dist::die(4)?)?;
    let duel = Duel::new(troll, rat);
    let text = serde_json::to_string(&duel)?;
    assert_eq!(serde_json::from_str::<Duel>(&text)?, duel);
    let fighter = serde_json::to_string(duel.second())?;
    for (from, to) in [
        ("\"hit_points\":4", "\"hit_points\":0"),
        ("\"temporary\":0", "\"temporary\":-1"),
        ("\"temporary\":0", "\"luck\":1"),
        ("\"maximum\":4", "\"maximum\":3"),
    ] {
        assert!(fighter.contains(from), "{fighter}");
        assert!(
            serde_json::from_str::<Fighter>(&fighter.replace(from, to)).is_err(),
            "{to}"
        );
    }
    let tactics = Tactics::new()
        .attacks(2, [Attack::new("Sword")?.power_attack()])
        .smite(Smite::new("Smite", 2, "2d8 radiant".parse()?)?.once_a_turn())
        .healing(Healing::new("Wind", 1, Dist::die(10)?)?);
    let text = serde_json::to_string(&tactics)?;
    assert_eq!(serde_json::from_str::<Tactics>(&text)?, tactics);
    let many = text.replace("\"uses\":2", "\"uses\":256");
    assert!(many != text && serde_json::from_str::<Tactics>(&many).is_err());
    let troll = Combatant::new("Troll", 15, HitPoints::fixed(84)?)?.regeneration(10);
    let text = serde_json::to_string(&troll)?;
    assert_eq!(serde_json::from_str::<Combatant>(&text)?, troll);
    Ok(())
}

#[cfg(feature = "plot")]
#[test]
fn charts_of_duels_refuse_what_is_none() {
    use oddsmith_dnd::DuelChart;

    for table in [
        ndarray::array![[0.0, 1.0, 0.0]],
        ndarray::array![[0.0, 1.0], [0.5, 0.5]],
    ] {
        let (rows, columns) = table.dim();
        assert_eq!(
            DuelChart::new(table).svg().unwrap_err().to_string(),
            format!(
                "cannot draw the figure: the table must have at least 2 rows and the 3 columns W, C \
                 and L, got {rows} x {columns}"
            )
        );
    }
}

/// Regression test: any error in a table of the right shape was reported as a wrong shape.
#[cfg(feature = "plot")]
#[test]
fn charts_of_duels_say_which_chance_is_none() {
    use oddsmith_dnd::DuelChart;

    for (chance, said) in [
        (f64::NAN, "NaN"),
        (f64::INFINITY, "inf"),
        (1e300, "1e300"),
        (1.5, "1.5"),
        (-0.5, "-0.5"),
    ] {
        let table = ndarray::array![[0.0, 1.0, 0.0], [0.5, chance, 0.0], [0.5, 0.5, 0.0]];
        assert_eq!(
            DuelChart::new(table).svg().unwrap_err().to_string(),
            format!(
                "cannot draw the figure: chances must be between 0 and 1, got {said} for C of round 1"
            )
        );
    }
}

/// Regression test: reports called them the first and the second.
#[test]
fn reports_of_creatures_have_their_names() -> Result<(), Box<dyn std::error::Error>> {
    let creature = |name: &str| -> Result<Combatant, Error> {
        let slap = Attack::new("Slap")?.damage("1".parse()?);
        Ok(Combatant::new(name, 11, HitPoints::fixed(2)?)?.attack(slap))
    };
    let (cat, rat) = (creature("Cat")?, creature("Rat")?);
    let duel = cat.duel(&rat)?;
    let report = duel.report(1)?.to_string();
    assert!(report.contains("\nCat wins with") && report.contains("\nRat wins with"));
    let report = duel.report_by(&cat.initiative_against(&rat), 1)?;
    assert!(report.to_string().contains("\nRat wins with 50.00 %"));
    let swapped = duel.swapped().report(1)?.to_string();
    assert!(swapped.find("\nRat") < swapped.find("\nCat"));
    let alike = rat.duel(&rat)?.report(1)?.to_string();
    assert!(alike.contains("\nThe first Rat wins") && alike.contains("\nThe second Rat wins"));
    let renamed = duel.report(1)?.names("Tom", "Jerry").to_string();
    assert!(renamed.contains("\nJerry wins"));
    Ok(())
}
