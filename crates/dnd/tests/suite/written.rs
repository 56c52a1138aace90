//! Initiative, habits and situations in files.
#![cfg(feature = "serde")]

use oddsmith_dnd::{
    Act, D20, Habit, HealWhen, Initiative, InitiativeTie, Situation, SmiteWhen, Stage,
};

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
