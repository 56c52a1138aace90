//! Heroes, rules and advice in files.
#![cfg(feature = "serde")]

use oddsmith_lonewolf::{
    Act, ActionChart, Book, BookSolver, Combat, CombatTable, Discipline, Error, Exchange, Item,
    Knowledge, Loss, Rules, Situation,
};
use serde_json::json;

type Checked = Result<(), Box<dyn std::error::Error>>;

#[test]
fn heroes_are_read_with_the_checks_of_their_setters() -> Checked {
    let hero = ActionChart::new(15, 25)?
        .disciplines(&[Discipline::Healing, Discipline::Hunting])?
        .items(Item::Meal, 2)?
        .gold(12)?
        .wounded(20)?;
    let text = serde_json::to_string(&hero)?;
    assert_eq!(serde_json::from_str::<ActionChart>(&text)?, hero);
    let plain: ActionChart = serde_json::from_str(r#"{"combat_skill": 15, "endurance": 25}"#)?;
    assert_eq!(plain, ActionChart::new(15, 25)?);
    for bad in [
        r#"{"combat_skill": 15}"#,
        r#"{"combat_skill": 15, "endurance": -1}"#,
        r#"{"combat_skill": 15, "endurance": 25, "current": 26}"#,
        r#"{"combat_skill": 15, "endurance": 25, "items": {"meal": 200}}"#,
        r#"{"combat_skill": 15, "endurance": 25, "luck": 3}"#,
        r#"{"combat_skill": 15, "endurance": 25, "endurance": 20}"#,
        r#"{"combat_skill": 15, "endurance": 25, "items": [["meal", 2]]}"#,
    ] {
        assert!(serde_json::from_str::<ActionChart>(bad).is_err(), "{bad}");
    }
    // Regression: the last of the duplicates counted.
    let twice =
        r#"{"combat_skill": 15, "endurance": 25, "items": {"meal": 2, "gold": 5, "meal": 1}}"#;
    let error = serde_json::from_str::<ActionChart>(twice).err();
    let told = error.map(|error| error.to_string()).unwrap_or_default();
    assert!(
        told.starts_with("meal is given twice, as 2 and as 1; give it once"),
        "{told}"
    );
    Ok(())
}

/// All situations of this book are accepted, and similar ones that cannot occur are rejected.
#[test]
fn situations_are_read_as_they_are_written() -> Checked {
    let book = Book::fire_on_the_water()?;
    let hero = ActionChart::new(15, 25)?
        .disciplines(&[Discipline::Healing, Discipline::Weaponskill(Item::Sword)])?
        .items(Item::Meal, 2)?
        .item(Item::StrengthPotion)?
        .gold(12)?;
    let mut solver = BookSolver::new(&book).rules(Rules::printed());
    let mut solved = solver.solve(&hero)?;
    let mut seen = vec![solved.start()];
    let mut at = 0;
    while let Some(situation) = seen.get(at).copied().filter(|_| at < 400) {
        at += 1;
        let text = serde_json::to_string(&situation)?;
        let read: Situation = serde_json::from_str(&text)?;
        assert_eq!(read, situation, "{text}");
        assert_eq!(solved.win_from(&read)?, solved.win_from(&situation)?);
        if situation.is_won() || situation.is_lost() {
            continue;
        }
        for advice in solved.advice(&situation)? {
            for (next, _) in advice.outcomes {
                if !seen.contains(&next) {
                    seen.push(next);
                }
            }
        }
    }
    assert_eq!(at, 400);
    let ends = [u32::MAX, u32::MAX - 1].map(|step| {
        let text = format!(r#"{{"section": 0, "step": {step}, "endurance": 0}}"#);
        serde_json::from_str::<Situation>(&text).map(|end| (end.is_lost(), end.is_won()))
    });
    assert_eq!(
        ends.map(Result::ok),
        [Some((true, false)), Some((false, true))]
    );
    Ok(())
}

/// Situations written by hand survive a round trip too: knowledge, potions, combats.
#[test]
fn situations_told_by_hand() -> Checked {
    let told = json!({
        "section": 7, "step": 3, "endurance": 12, "foe": 9, "rounds": 2,
        "items": {"gold": 50, "laumspur": 1},
        "disciplines": ["tracking"],
        "knowledge": ["password", "way"],
        "strong": true, "potent": true,
    });
    let read: Situation = serde_json::from_value(told.clone())?;
    assert_eq!((read.section(), read.step(), read.endurance()), (7, 3, 12));
    assert_eq!((read.foe(), read.count(Item::Gold)), (Some(9), 50));
    assert!(read.has(Discipline::Tracking) && read.knows(Knowledge::Way));
    assert!(!read.knows(Knowledge::Name) && read.count(Item::Backpack) == 0);
    let mut written = serde_json::to_value(read)?;
    let words = written.as_object_mut().and_then(|map| map.remove("words"));
    assert!(words.is_some_and(|words| words.as_str().is_some_and(|text| text.contains("foe 9"))));
    assert_eq!(written, told);
    for (bad, why) in [
        (
            json!({"section": 0, "step": 3, "endurance": 12}),
            "section and ENDURANCE must be 1 or more",
        ),
        (
            json!({"section": 1, "step": 3, "endurance": 0}),
            "section and ENDURANCE must be 1 or more",
        ),
        (
            json!({"section": 1, "step": 3}),
            "missing field `endurance`",
        ),
        (
            json!({"section": 1, "step": 3, "endurance": 12, "rounds": 1}),
            "there is no foe",
        ),
        (
            json!({"section": 1, "step": 3, "endurance": 12, "items": {"gold": 51}}),
            "the count of gold must be at most 50, got 51",
        ),
        (
            json!({"section": 1, "step": 3, "endurance": 12, "disciplines": ["healing", "healing"]}),
            "each is learnt once",
        ),
        (
            json!({"section": 1, "step": 3, "endurance": 12, "knowledge": ["name", "name"]}),
            "twice",
        ),
        (
            json!({"section": 1, "step": 3, "endurance": 12, "luck": 1}),
            "unknown field",
        ),
        (
            json!({"section": 1, "step": u32::MAX, "endurance": 0}),
            "the end of an adventure",
        ),
        (
            json!({"section": 0, "step": u32::MAX, "endurance": 0, "strong": true}),
            "the end",
        ),
    ] {
        let error = serde_json::from_value::<Situation>(bad.clone()).err();
        let told = error.map(|error| error.to_string()).unwrap_or_default();
        assert!(told.contains(why), "{bad}: {told}");
    }
    let twice = r#"{"section": 1, "step": 3, "endurance": 12, "items": {"gold": 5, "gold": 6}}"#;
    assert!(serde_json::from_str::<Situation>(twice).is_err());
    // A situation unknown to the book is rejected.
    let book = Book::fire_on_the_water()?;
    let mut solver = BookSolver::new(&book);
    let error = solver
        .solve(&ActionChart::new(10, 20)?)?
        .win_from(&read)
        .err();
    assert!(matches!(error, Some(Error::Situation { .. })), "{error:?}");
    Ok(())
}

#[test]
fn rules_are_read_by_the_names_of_their_setters() -> Checked {
    assert_eq!(serde_json::from_str::<Rules>("{}")?, Rules::printed());
    let read: Rules = serde_json::from_str(r#"{"enforce_fares": false, "take_freely": true}"#)?;
    let bent = Rules::printed().enforce_fares(false).take_freely(true);
    assert_eq!(read, bent);
    assert_eq!(
        serde_json::from_str::<Rules>(&serde_json::to_string(&bent)?)?,
        bent
    );
    assert!(serde_json::from_str::<Rules>(r#"{"fares": true}"#).is_err());
    Ok(())
}

#[test]
fn tables_of_combat_are_written_by_their_names_or_whole() -> Checked {
    let exchange = |foe, hero| Exchange { foe, hero };
    let column = std::array::from_fn(|number| match number {
        9 => exchange(Loss::Killed, Loss::Points(0)),
        _ => exchange(Loss::Points(number as u8), Loss::Points(255)),
    });
    let own = CombatTable::new([column; 13])?;
    for table in [CombatTable::standard(), CombatTable::printed(), own] {
        let rules = Rules::yardstick().fight_by(table);
        let text = serde_json::to_string(&rules)?;
        assert_eq!(serde_json::from_str::<Rules>(&text)?, rules);
    }
    let read: Rules = serde_json::from_str(r#"{"fight_by": "printed"}"#)?;
    assert_eq!(read, Rules::printed().fight_by(CombatTable::printed()));

    let ten = ["1/1"; 10].join(" ");
    let whole = |column: &str| [column; 13].join(";");
    assert!(serde_json::from_str::<CombatTable>(&format!("{:?}", whole(&ten))).is_ok());
    for bad in [
        String::new(),
        "Printed".into(),
        whole(""),
        whole(&ten[4..]),
        whole(&format!("{ten} 1/1")),
        [ten.as_str(); 12].join(";"),
        [ten.as_str(); 14].join(";"),
        whole(&ten.replacen("1/1", "256/1", 1)),
        whole(&ten.replacen("1/1", "-1/1", 1)),
        whole(&ten.replacen("1/1", "1", 1)),
        // This exchange costs neither side anything, so a combat might never end.
        whole(&ten.replacen("1/1", "0/0", 1)),
    ] {
        let read = serde_json::from_str::<CombatTable>(&format!("{bad:?}"));
        assert!(read.is_err(), "{bad}");
    }
    Ok(())
}

#[test]
fn acts_are_written() -> Checked {
    let text = serde_json::to_string(&Act::Go)?;
    assert_eq!(
        (text.as_str(), serde_json::from_str::<Act>(&text)?),
        (r#""go""#, Act::Go)
    );
    Ok(())
}

/// Fractions are texts, floats numbers.
#[test]
fn lines_of_a_combat_are_written_for_other_programs() -> Checked {
    let lines = Combat::new(16, 99, 16, 3)?.odds()?.by_likelihood()?;
    let line = json!({"endurance": 95, "probability": "1/5", "cumulated": "1/2"});
    assert_eq!(serde_json::to_value(&lines[1])?, line);
    let lines = Combat::new(16, 99, 16, 3)?.odds_f64()?.by_likelihood()?;
    assert_eq!(serde_json::to_value(&lines[1])?["endurance"], 95);
    assert!(serde_json::to_value(&lines[1])?["probability"].is_f64());
    let exchange = CombatTable::standard().exchange(0, 1)?;
    assert_eq!(serde_json::to_value(exchange)?, exchange.to_string());
    let deadly = Exchange {
        foe: Loss::Points(4),
        hero: Loss::Killed,
    };
    assert_eq!(serde_json::to_value(deadly)?, "4/K");
    assert_eq!(serde_json::from_value::<Exchange>(json!("4/K"))?, deadly);
    let error = serde_json::from_value::<Exchange>(json!("4-5")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "an exchange must be two losses such as 4/5 or 0/K, got \"4-5\""
    );
    Ok(())
}
