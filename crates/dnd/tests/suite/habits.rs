//! Habits that wait for an event that never occurs, and fights that never end.

use num_traits::Zero;
use oddsmith_dice::Dist;
use oddsmith_dnd::{
    Attack, Defenses, Error, Fighter, Habit, Naturals, Smite, SmiteWhen, TacticalDuel, Tactics,
    Target,
};

type Checked = Result<(), Box<dyn std::error::Error>>;

fn smiting(smite: SmiteWhen) -> Habit {
    Habit {
        smite,
        ..Habit::default()
    }
}

/// Regression test: decisions smote on critical hits that adamantine armour turns into normal hits.
#[test]
fn no_smite_waits_for_critical_hits_that_count_as_hits() -> Checked {
    let sword = Attack::new("Sword")?.to_hit(5).damage("1".parse()?);
    let tactics = Tactics::new()
        .attacks(1, [sword])
        .smite(Smite::new("Smite", 1, "10".parse()?)?);
    let adamantine = Target::new(10).defenses(Defenses::new().without_critical_hits());
    let against = |foe: i64, target: &Target| -> Result<_, Error> {
        let foe = Fighter::new(foe, Dist::certain(1))?;
        TacticalDuel::new(3, tactics.clone(), foe, target.clone())
    };
    let duel = against(5, &adamantine)?;
    let never = duel.fixed(&smiting(SmiteWhen::Never))?;
    assert!(never.is_zero());
    assert_eq!(duel.fixed(&smiting(SmiteWhen::OnCritical))?, never);
    // One critical hit in three turns.
    let open = against(5, &Target::new(10))?;
    let waited = open.fixed(&smiting(SmiteWhen::OnCritical))?;
    assert_eq!(waited.to_string(), "1141/8000");
    // One hit in three turns, critical or not.
    let hit = duel.fixed(&smiting(SmiteWhen::OnHit))?;
    assert_eq!(hit.to_string(), "124/125");
    let plan = duel.best()?;
    assert_eq!(plan.value(), hit);
    let text = plan.to_string();
    assert!(
        text.contains("Sword, hit") && !text.contains("critical hit"),
        "{text}"
    );
    Ok(())
}

/// Two ways to attack, one of them harmless, and a harmless foe.
fn staring() -> Result<([Attack; 2], Fighter), Error> {
    let slap = Attack::new("Slap")?.damage("1".parse()?);
    let idle = Fighter::new(2, Dist::certain(0))?;
    Ok(([Attack::new("Stare")?, slap], idle))
}

/// Regression test: one habit that never ends was an error for all of them.
#[test]
fn a_habit_that_never_ends_the_fight_does_not_win_it() -> Checked {
    let ([stare, slap], idle) = staring()?;
    let tactics = Tactics::new().attacks(1, [stare.clone(), slap]);
    let duel = TacticalDuel::new(1, tactics, idle.clone(), Target::new(11))?;
    let slapping = Habit {
        attack: 1,
        ..Habit::default()
    };
    assert!(duel.fixed(&Habit::default())?.is_zero());
    assert_eq!(duel.fixed(&slapping)?.to_string(), "1");
    assert_eq!(duel.best()?.value().to_string(), "1");
    assert_eq!(duel.best_habit()?, (slapping, duel.best()?.value()));
    let sure = |chance: f64| (chance - 1.0).abs() < 1e-13;
    let (habit, value) = duel.best_habit_f64()?;
    assert!(habit == slapping && sure(value), "{habit:?} {value}");
    for row in duel.by_ac(10..=12)? {
        assert_eq!(row.by_attack[0], 0.0);
        assert!(sure(row.best) && sure(row.by_attack[1]), "{row:?}");
    }
    // No habit ends here, which is an error only for the best decisions.
    let tactics = Tactics::new().attacks(1, [stare]);
    let duel = TacticalDuel::new(1, tactics, idle, Target::new(11))?;
    let (habit, value) = duel.best_habit()?;
    assert!(habit == Habit::default() && value.is_zero());
    let error = duel.best().err().map(|error| error.to_string());
    assert!(error.is_some_and(|text| text.contains("whatever is decided")));
    Ok(())
}

/// Regression test: a whole table of armour classes was rejected if one of them made the fight
/// endless.
#[test]
fn an_armour_class_that_nothing_hits_leaves_the_others() -> Checked {
    let plain = Attack::new("Poke")?
        .to_hit(5)
        .damage("1".parse()?)
        .naturals(Naturals::Compared);
    let smite = Smite::new("Smite", 1, "1".parse()?)?;
    let idle = Fighter::new(2, Dist::certain(0))?;
    let tactics = Tactics::new().attacks(1, [plain]).smite(smite);
    let duel = TacticalDuel::new(1, tactics, idle, Target::new(11))?;
    let best: Vec<f64> = duel.by_ac(24..=27)?.iter().map(|row| row.best).collect();
    assert!(best[..2].iter().all(|chance| (chance - 1.0).abs() < 1e-12));
    assert_eq!(best[2..], [0.0, 0.0]);
    Ok(())
}

/// The probability of winning a fight that may never end is that of ending in victory.
#[test]
fn a_habit_that_may_not_end_the_fight_wins_as_often_as_it_does() -> Checked {
    let ([stare, slap], idle) = staring()?;
    let tactics =
        Tactics::new()
            .attacks(1, [stare, slap])
            .smite(Smite::new("Smite", 1, "1d2".parse()?)?);
    let duel = TacticalDuel::new(1, tactics, idle, Target::new(11))?;
    assert!(duel.fixed(&smiting(SmiteWhen::Never))?.is_zero());
    // 1 in 10 hits is critical, and then 2d2 always suffice; otherwise 1d2 suffices half the time.
    let first = duel.fixed(&smiting(SmiteWhen::OnHit))?;
    assert_eq!(first.to_string(), "11/20");
    let patient = duel.fixed(&smiting(SmiteWhen::OnCritical))?;
    assert_eq!(patient.to_string(), "1");
    assert!((duel.fixed_f64(&smiting(SmiteWhen::OnHit))? - 0.55).abs() < 1e-14);
    assert_eq!(duel.best_habit()?.0, smiting(SmiteWhen::OnCritical));
    Ok(())
}

/// The hidden choice of habits to give up does not change the odds of a fight that ends.
#[test]
fn giving_up_is_never_better_than_to_go_on() -> Checked {
    let sword = Attack::new("Sword")?.to_hit(5).damage("1d6".parse()?);
    let foe = Fighter::new(6, Dist::from_weights([(0, 9), (1, 1)])?)?;
    let tactics = Tactics::new().attacks(2, [Attack::new("Stare")?, sword.clone()]);
    let duel = TacticalDuel::new(3, tactics, foe.clone(), Target::new(14))?;
    assert!(duel.fixed(&Habit::default())?.is_zero());
    let fighting = Habit {
        attack: 1,
        ..Habit::default()
    };
    let own = Fighter::new(3, sword.law(&Target::new(14))?.repeat(2)?)?;
    let ending = oddsmith_dnd::Duel::new(own, foe).ending()?;
    let chance = ending.chance(oddsmith_dnd::Winner::First);
    assert_eq!(duel.fixed(&fighting)?, chance);
    assert_eq!(duel.best_habit()?, (fighting, chance));
    Ok(())
}
