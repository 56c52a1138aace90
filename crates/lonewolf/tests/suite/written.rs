//! Heroes, rules and advice in files.
#![cfg(feature = "serde")]

use oddsmith_lonewolf::{Act, ActionChart, CombatTable, Discipline, Exchange, Item, Loss, Rules};

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
    ] {
        assert!(serde_json::from_str::<ActionChart>(bad).is_err(), "{bad}");
    }
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
        // Costs nobody anything, so that a combat might never end.
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
