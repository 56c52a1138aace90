//! Serialization of initiative, habits and situations.
#![cfg(feature = "serde")]

use oddsmith_dice::Dist;
use oddsmith_dnd::{
    Act, Attack, AttackRoll, Belief, D20, Duel, Fighter, Habit, HealWhen, Initiative,
    InitiativeTie, Naturals, SavingThrow, Situation, SmiteWhen, Stage, TacticalDuel, Tactics,
    Target, Turn, crossover,
};
use serde_json::json;

type Checked = Result<(), Box<dyn std::error::Error>>;

#[test]
fn initiative_is_read_as_far_as_it_is_told() -> Checked {
    let plain: Initiative = serde_json::from_str(r#"{"bonuses": [3, -1]}"#)?;
    assert_eq!(plain, Initiative::new(3, -1));
    let alert = Initiative::new(3, -1)
        .dice(D20::Advantage, D20::Plain)
        .ties(InitiativeTie::Second);
    let text = serde_json::to_string(&alert)?;
    assert_eq!(serde_json::from_str::<Initiative>(&text)?, alert);
    assert!(serde_json::from_str::<Initiative>(r#"{"bonuses": [3]}"#).is_err());
    Ok(())
}

#[test]
fn habits_are_read_as_far_as_they_are_told() -> Checked {
    let habit: Habit = serde_json::from_str(r#"{"smite": "on_critical"}"#)?;
    let expected = Habit {
        smite: SmiteWhen::OnCritical,
        ..Habit::default()
    };
    assert_eq!((habit, habit.heal), (expected, HealWhen::Never));
    assert_eq!(
        serde_json::from_str::<Habit>(&serde_json::to_string(&habit)?)?,
        habit
    );
    assert!(serde_json::from_str::<Habit>(r#"{"smites": "never"}"#).is_err());
    Ok(())
}

#[test]
fn rolls_are_read_with_the_checks_of_their_setters() -> Checked {
    let plain: AttackRoll = serde_json::from_str(r#"{"needed": 11}"#)?;
    assert_eq!(plain, AttackRoll::new(18, 7));
    let far = AttackRoll::new(i64::MAX, i64::MIN)
        .die(D20::Advantage)
        .halfling_luck()
        .critical_from(19)?
        .naturals(Naturals::Compared)
        .bonus_dice(&Dist::die(4)?)?;
    let text = serde_json::to_string(&far)?;
    assert_eq!(serde_json::from_str::<AttackRoll>(&text)?, far);
    let save: SavingThrow = serde_json::from_str(r#"{"needed": 10, "die": "advantage"}"#)?;
    assert_eq!(save, SavingThrow::new(15, 5).die(D20::Advantage));
    let blessed = SavingThrow::new(15, 5)
        .halfling_luck()
        .bonus_dice(&Dist::die(4)?)?;
    let text = serde_json::to_string(&blessed)?;
    assert_eq!(serde_json::from_str::<SavingThrow>(&text)?, blessed);
    let huge = format!(r#"{{"needed": {}}}"#, i128::MAX);
    for (bad, told) in [
        (r#"{"needed": 11, "critical_from": 1}"#, "critical"),
        (r#"{"needed": 11, "odd": 1}"#, "unknown field"),
        (
            huge.as_str(),
            "the number needed on a roll: an integer, or text if it does not fit 64 bits",
        ),
    ] {
        let error = serde_json::from_str::<AttackRoll>(bad)
            .err()
            .map(|error| error.to_string());
        assert!(
            error.as_ref().is_some_and(|text| text.contains(told)),
            "{error:?}"
        );
    }
    // Saving throws have no critical range and no naturals.
    assert!(serde_json::from_str::<SavingThrow>(r#"{"needed": 11, "critical_from": 19}"#).is_err());
    assert!(serde_json::from_str::<SavingThrow>(&huge).is_err());
    Ok(())
}

/// Regression test: the number was a 128-bit integer, which most formats (JSON values among them)
/// cannot hold, some not even when it is small.
#[test]
fn what_a_roll_needs_goes_through_formats_of_64_bits() -> Checked {
    for (ac, bonus, written) in [
        (18, 7, json!(11)),
        (0, 7, json!(-7)),
        (i64::MAX, 0, json!(i64::MAX)),
        (i64::MIN, 0, json!(i64::MIN)),
        (i64::MAX, -1, json!("9223372036854775808")),
        (i64::MAX, i64::MIN, json!("18446744073709551615")),
        (i64::MIN, i64::MAX, json!("-18446744073709551615")),
    ] {
        let (roll, save) = (AttackRoll::new(ac, bonus), SavingThrow::new(ac, bonus));
        let value = serde_json::to_value(&roll)?;
        assert_eq!(value["needed"], written);
        assert_eq!(serde_json::from_value::<AttackRoll>(value)?, roll);
        let value = serde_json::to_value(&save)?;
        assert_eq!(value["needed"], written);
        assert_eq!(serde_json::from_value::<SavingThrow>(value)?, save);
        let text = serde_json::to_string(&roll)?;
        assert_eq!(serde_json::from_str::<AttackRoll>(&text)?, roll);
        // Numbers are only used where they fit the formats with 64-bit integers.
        assert!(written.is_string() || written.as_i64().is_some());
    }
    // The earlier form is still read.
    let old: AttackRoll = serde_json::from_str(r#"{"needed": 18446744073709551615}"#)?;
    assert_eq!(old, AttackRoll::new(i64::MAX, i64::MIN));
    for bad in [json!("eleven"), json!(11.5), json!("1e3"), json!(null)] {
        let error = serde_json::from_value::<AttackRoll>(json!({ "needed": bad.clone() }))
            .err()
            .map(|error| error.to_string());
        let told = error
            .as_ref()
            .is_some_and(|text| text.contains("the number needed on a roll"));
        assert!(told, "{bad}: {error:?}");
    }
    let beyond = json!({ "needed": i128::MAX.to_string() });
    let error = serde_json::from_value::<SavingThrow>(beyond).err();
    let told = error.map(|error| error.to_string());
    assert!(told.is_some_and(|told| told.contains("must follow from some armour class")));
    Ok(())
}

#[test]
fn situations_and_acts_are_written() -> Checked {
    let now = Situation::new(10, 59, [2]);
    let text = serde_json::to_string(&now)?;
    assert_eq!(serde_json::from_str::<Situation>(&text)?, now);
    for act in [Act::Attack(1), Act::Hold] {
        let text = serde_json::to_string(&act)?;
        assert_eq!(serde_json::from_str::<Act>(&text)?, act);
    }
    assert_eq!(serde_json::to_string(&Stage::Attack(0))?, r#"{"attack":0}"#);
    Ok(())
}

/// Fractions are texts, floats numbers.
#[test]
fn results_are_written_for_other_programs() -> Checked {
    let (fang, claw) = (Dist::from_weights([(0, 1), (1, 1)])?, Dist::die(2)?);
    let duel = Duel::new(Fighter::new(2, fang)?, Fighter::new(1, claw)?);
    let written = serde_json::to_value(duel.ending()?)?;
    assert_eq!(written["ends"][0], json!([["first", 1], "1/8"]));
    assert_eq!(written["expected_rounds"], "5/4");
    let floats = duel.to_f64().ending()?;
    let written = serde_json::to_value(&floats)?;
    assert_eq!(written["ends"][0], json!([["first", 1], 0.125]));
    assert_eq!(written["relative_error"], floats.relative_error());

    let brawler = Fighter::new(2, Dist::from_weights([(0, 1), (1, 1)])?)?;
    let rounds = Duel::new(brawler.clone(), brawler).rounds(2)?;
    let written = serde_json::to_value(&rounds)?;
    let last = json!({
        "number": 2,
        "won": "1/4",
        "open": "9/16",
        "lost": "3/16",
        "first_fells": "1/4",
        "second_fells": "1/4"
    });
    assert_eq!(written["rounds"][2], last);

    let [jab, swing] = [Attack::new("Jab")?.to_hit(5), Attack::new("Swing")?];
    let options = [jab.damage("1".parse()?), swing.damage("2".parse()?)];
    let tactics = Tactics::new().attacks(1, options.clone());
    let foe = Fighter::new(1, Dist::certain(1))?;
    let rows = TacticalDuel::new(1, tactics, foe, Target::new(11))?.by_ac(16..=16)?;
    let written = serde_json::to_value(rows)?;
    assert_eq!(
        written,
        json!([{"ac": 16, "best": 0.5, "by_attack": [0.5, 0.25]}])
    );
    let [jab, swing] = options.map(Turn::from);
    let written = serde_json::to_value(crossover(12..=12, &jab, &swing)?)?;
    assert_eq!(
        written,
        json!([{"ac": 12, "first": "7/10", "second": "9/10"}])
    );

    let ogre = Belief::uniform(20..=21, 13..=13)?;
    let written = serde_json::to_value(&ogre)?;
    assert_eq!(written, json!([[[20, 13], "1/2"], [[21, 13], "1/2"]]));
    Ok(())
}
