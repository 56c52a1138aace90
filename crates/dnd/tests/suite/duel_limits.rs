//! Invalid duels, limits, and orderings that must hold.

use num_rational::BigRational;
use num_traits::{One, ToPrimitive};
use oddsmith_dice::{Chain, Dist, Step};
use oddsmith_dnd::{
    Belief, Duel, Error, Fighter, Initiative, InitiativeTie, Outcome, Phase, Winner, activate,
    lumped, partdist,
};

#[track_caller]
fn check<T: std::fmt::Debug>(result: Result<T, Error>, message: &str) {
    assert_eq!(result.unwrap_err().to_string(), message);
}

fn club() -> Dist<i64> {
    Dist::from_weights([(0, 5), (2, 3), (3, 1), (5, 1)]).unwrap()
}

fn idle(hit_points: i64) -> Fighter {
    Fighter::new(hit_points, Dist::certain(0)).unwrap()
}

#[test]
fn fighters_that_cannot_be() {
    for given in [0, -1, i64::MIN] {
        check(
            Fighter::new(given, club()),
            &format!("a fighter must have at least 1 hit point, got {given}"),
        );
        assert_eq!(partdist(&club(), given), Err(Error::NoHitPoints { given }));
        assert_eq!(lumped(&club(), given), Err(Error::NoHitPoints { given }));
    }
    check(
        Fighter::new(5, Dist::die(4).unwrap().shift(-2).unwrap()),
        "the damage of a turn must be 0 or more, got -1; apply `max(0)` to each attack first",
    );
    assert_eq!(
        Fighter::opening(5, Vec::<Dist<i64>>::new()),
        Err(Error::NoTurns)
    );
    let astray = Phase::new(club()).then(Dist::certain(1));
    assert_eq!(
        Fighter::in_phases(5, [astray]),
        Err(Error::NoSuchPhase {
            given: 1,
            phases: 1
        })
    );
    let fighter = || Fighter::new(i64::MAX, club()).unwrap();
    assert!(matches!(
        fighter().temporary(1),
        Err(Error::TemporaryHitPoints { given: 1 })
    ));
    assert!(matches!(
        fighter().temporary(-1),
        Err(Error::TemporaryHitPoints { given: -1 })
    ));
    assert!(matches!(
        fighter().maximum(3),
        Err(Error::BelowHitPoints { maximum: 3, .. })
    ));
    let harm = Dist::from_weights([(-1, 1), (2, 1)]).unwrap();
    assert_eq!(
        fighter().heals(harm),
        Err(Error::NegativeHealing { outcome: -1 })
    );
}

#[test]
fn duels_that_never_end() {
    let duel = Duel::new(idle(5), idle(7));
    check(
        duel.ending(),
        "the duel may never end: neither side's repeated turn can deal damage",
    );
    check(
        duel.to_f64().ending(),
        "the duel may never end: neither side's repeated turn can deal damage",
    );
    // The table of rounds still exists.
    assert_eq!(duel.rounds(3).unwrap()[3].open(), &BigRational::one());
    // Healing that is faster than the damage.
    let troll = idle(9).heals(Dist::certain(5)).unwrap();
    let scratch = Fighter::new(9, Dist::die(4).unwrap()).unwrap();
    check(
        Duel::new(scratch, troll).ending(),
        "the duel may never end: neither side can ever fall from 9 against 9 hit points",
    );
    // An opening that may fail, followed by harmless turns.
    let once = Fighter::opening(5, [club(), Dist::certain(0)]).unwrap();
    assert!(matches!(
        Duel::new(once, idle(5)).ending(),
        Err(Error::NeverEnds { .. })
    ));
}

/// Regression test: for a random start, the message named "the end" as the endless state.
#[test]
fn duels_that_begin_by_chance_and_never_end_say_so() {
    let phase = |next| Phase::new(Dist::certain(0)).then(Dist::certain(next));
    let phases = Fighter::in_phases(2, [phase(1), phase(0)]).unwrap();
    let begins = Dist::from_weights([(0, 1), (1, 2)]).unwrap();
    let begun = phases.clone().begins(begins).unwrap();
    let rolled = idle(6).rolled(Dist::die(6).unwrap()).unwrap();
    for duel in [Duel::new(begun, idle(3)), Duel::new(phases, rolled)] {
        let says = "the duel may never end: \
                    neither side can ever fall, whatever is rolled at the start";
        check(duel.ending(), says);
        check(duel.to_f64().ending(), says);
    }
    // If only some starts are endless, the message names one of them.
    let awake = [phase(0), Phase::new(club()).then(Dist::certain(1))];
    let begins = Dist::from_weights([(0, 1), (1, 2)]).unwrap();
    let sleeper = Fighter::in_phases(2, awake).unwrap().begins(begins);
    check(
        Duel::new(sleeper.unwrap(), idle(3)).ending(),
        "the duel may never end: neither side can ever fall from 2 against 3 hit points",
    );
}

#[test]
fn one_side_may_be_harmless() {
    let duel = Duel::new(Fighter::new(5, club()).unwrap(), idle(7));
    let ending = duel.ending().unwrap();
    assert_eq!(ending.law().support(), [(Winner::First, 5)]);
    assert!(ending.left(Winner::Second).is_err());
    let turns = Chain::explore(7, |&left| {
        Ok(match left {
            1.. => Step::Go(club().map(|damage| left - damage)),
            _ => Step::Stop(()),
        })
    });
    let turns = turns.unwrap().expected_steps().unwrap();
    assert_eq!(ending.expected_rounds(), &turns);
    let swapped = duel.swapped().ending().unwrap();
    assert_eq!(swapped.chance(Winner::Second), BigRational::one());
    assert_eq!(swapped.expected_rounds(), ending.expected_rounds());
}

#[test]
fn duels_too_large_are_refused_at_once() {
    let giant = Fighter::new(i64::MAX, club()).unwrap();
    let duel = Duel::new(giant.clone(), giant.clone());
    assert!(matches!(duel.ending(), Err(Error::DuelTooLarge { .. })));
    assert!(matches!(
        duel.to_f64().ending(),
        Err(Error::DuelTooLarge { .. })
    ));
    assert!(matches!(duel.rounds(1), Err(Error::DuelTooLarge { .. })));
    let healing = giant.heals(Dist::die(4).unwrap()).unwrap();
    let duel = Duel::new(healing, idle(4));
    assert!(matches!(duel.ending(), Err(Error::DuelTooLarge { .. })));
    // One round is within the limit, many are not.
    let small = Fighter::new(5, club()).unwrap();
    let duel = Duel::new(small.clone(), small.clone());
    assert!(matches!(
        duel.rounds(1_000_000),
        Err(Error::TooManyRounds { .. })
    ));
    assert!(matches!(
        duel.clone().max_words(10).ending(),
        Err(Error::DuelTooLarge { limit: 10, .. })
    ));
    assert!(duel.max_words(10_000).ending().is_ok());
    // Damage far beyond the hit points is no problem.
    let slayer = Fighter::new(5, Dist::certain(i64::MAX)).unwrap();
    let ending = Duel::new(slayer, small).ending().unwrap();
    assert_eq!(ending.chance(Winner::First), BigRational::one());
}

/// Regression test: too many rounds of a small duel were blamed on its 5 hit points.
#[test]
fn too_many_rounds_are_not_too_many_hit_points() {
    let small = Fighter::new(5, club()).unwrap();
    let duel = Duel::new(small.clone(), small.clone());
    let rounds = u64::MAX;
    for error in [
        duel.rounds(rounds).unwrap_err(),
        duel.rounds_without_partdist(rounds).unwrap_err(),
        duel.lengths(rounds).unwrap_err(),
        duel.to_f64().rounds(rounds).unwrap_err(),
        duel.to_f64().lengths(rounds).unwrap_err(),
    ] {
        let text = error.to_string();
        assert!(
            text.starts_with("a table of 18446744073709551615 rounds needs about ")
                && text.ends_with(
                    "raise it with `max_words`, ask for fewer rounds, compute only the ending, or, if it is in \
                     fractions, use floats"
                ),
            "{text}"
        );
    }
    // If not even one round fits, the hit points are the cause.
    let giant = Fighter::new(i64::MAX, club()).unwrap();
    for rounds in [1, u64::MAX] {
        let error = Duel::new(giant.clone(), small.clone()).rounds(rounds);
        assert!(matches!(error, Err(Error::DuelTooLarge { hit_points, .. }) if hit_points > 5));
    }
}

/// Regression test: `temporary` checked only the hit points but `maximum` checked both, so only one
/// order of the calls was rejected.
#[test]
fn the_order_of_setters_does_not_matter() {
    let fighter = || Fighter::new(1, club()).unwrap();
    let refused = Error::TemporaryHitPoints { given: 1 };
    let maximum = fighter().maximum(i64::MAX).unwrap();
    assert_eq!(maximum.temporary(1), Err(refused.clone()));
    let temporary = fighter().temporary(1).unwrap();
    assert_eq!(temporary.maximum(i64::MAX), Err(refused.clone()));
    check::<()>(
        Err(refused),
        "temporary hit points must be 0 or more and fit 64 bits when added to the maximum, got 1",
    );
    let far = i64::MAX - 1;
    assert_eq!(
        fighter().maximum(far).unwrap().temporary(1),
        fighter().temporary(1).unwrap().maximum(far)
    );
    check(
        fighter().maximum(0),
        "the maximum must be at least the 1 hit points at the start, got 0",
    );
    let apart = Error::TemporaryBelowMaximum {
        hit_points: 1,
        maximum: 2,
    };
    let heal = || Dist::certain(1);
    let wounded = fighter().maximum(2).unwrap();
    let healed = wounded.clone().heals(heal()).unwrap();
    assert_eq!(healed.temporary(1), Err(apart.clone()));
    let shielded = wounded.temporary(1).unwrap();
    assert_eq!(shielded.heals(heal()), Err(apart.clone()));
    let shielded = fighter().temporary(1).unwrap().heals(heal()).unwrap();
    assert_eq!(shielded.maximum(2), Err(apart));
}

/// More hit points, going first and better armour never lower one's odds.
#[test]
fn what_helps_helps() {
    let turn = |ac| activate(&Dist::ndice(2, 6).unwrap(), 3, ac, 6).unwrap();
    let chance = |points, ac, other_ac| {
        let first = Fighter::new(points, turn(other_ac)).unwrap();
        let second = Fighter::new(25, turn(ac)).unwrap();
        let duel = Duel::new(first, second);
        let [starts, follows] = [duel.ending().unwrap(), duel.swapped().ending().unwrap()];
        let starts = starts.chance(Winner::First);
        assert!(starts > follows.chance(Winner::Second));
        starts
    };
    let mut before = BigRational::default();
    for points in 10..40 {
        let now = chance(points, 15, 15);
        assert!(now >= before);
        before = now;
    }
    let mut before = BigRational::default();
    for ac in 5..30 {
        let now = chance(25, ac, 15);
        assert!(now >= before);
        assert!(chance(25, 15, ac) >= chance(25, 15, ac + 1));
        before = now;
    }
}

/// The error of leaving out `partdist`: "about 3 %" according to the source; 0.37 to 4.75 points in
/// mirror matches of usual weapons.
#[test]
fn without_partdist_the_one_who_starts_wins_too_often() {
    let mut moved = Vec::new();
    for (dice, sides) in [(1, 8), (2, 6)] {
        for (ac, bonus) in [(15, 5), (15, 7), (18, 5), (18, 7)] {
            for (points, attacks) in [(20, 1), (40, 1), (40, 2), (80, 1), (80, 2)] {
                let dice = Dist::ndice(dice, sides).unwrap();
                let turn = activate(&dice, 5, ac, bonus).unwrap();
                let fighter = Fighter::new(points, turn.repeat(attacks).unwrap()).unwrap();
                let duel = Duel::new(fighter.clone(), fighter).to_f64();
                let right = duel.ending().unwrap().chance(Winner::First);
                let wrong = duel.rounds_without_partdist(300).unwrap().bracket();
                assert!(wrong.1 - wrong.0 < 1e-9);
                moved.push(100.0 * (wrong.0 - right));
            }
        }
    }
    assert!(moved.iter().all(|&points| 0.37 < points && points < 4.75));
    let mean = moved.iter().sum::<f64>() / moved.len() as f64;
    assert!((2.9..4.1).contains(&mean), "{mean}");
}

#[test]
fn initiative_of_all_kinds() {
    let even = Initiative::new(4, 4);
    assert_eq!(even.first().unwrap().to_string(), "1/2");
    assert_eq!(
        even.ties(InitiativeTie::First).first().unwrap().to_string(),
        "21/40"
    );
    assert_eq!(
        even.ties(InitiativeTie::Second)
            .first()
            .unwrap()
            .to_string(),
        "19/40"
    );
    let bonuses = Initiative::new(i64::MAX, i64::MIN);
    assert_eq!(bonuses.first().unwrap(), BigRational::one());
    let bonuses = Initiative::new(i64::MIN, i64::MAX);
    assert_eq!(bonuses.first().unwrap(), BigRational::default());
    // Counted over 20 × 20 rolls, where the higher bonus wins ties.
    for (a, b) in [(0, 3), (5, 1), (-2, 2)] {
        let rolls = (1..=20).flat_map(|x| (1..=20).map(move |y| (x + a, y + b)));
        let first = rolls.filter(|(x, y)| x > y || x == y && a > b).count();
        let chance = Initiative::new(a, b).first().unwrap();
        assert_eq!(chance.to_f64().unwrap(), first as f64 / 400.0);
    }
    // A mirror match without bonuses is fair.
    let fighter = Fighter::new(12, club()).unwrap();
    let duel = Duel::new(fighter.clone(), fighter);
    let fair = duel.ending_by(&Initiative::new(0, 0)).unwrap();
    assert_eq!(fair.chance(Winner::First).to_string(), "1/2");
    assert_eq!(
        fair.expected_rounds(),
        duel.ending().unwrap().expected_rounds()
    );
}

#[test]
fn beliefs_that_cannot_be() {
    assert!(matches!(
        Belief::uniform(0..=3, 10..=12),
        Err(Error::NoHitPoints { given: 0 })
    ));
    #[expect(clippy::reversed_empty_ranges, reason = "an empty range is the case")]
    let empty = Belief::uniform(5..=4, 10..=12);
    assert!(matches!(empty, Err(Error::Dice(_))));
    assert!(matches!(
        Belief::uniform(1..=i64::MAX, 10..=12),
        Err(Error::Dice(_))
    ));
    assert!(matches!(
        Belief::uniform(1..=3, i64::MIN..=12),
        Err(Error::Dice(_))
    ));
    let foe = Belief::uniform(5..=9, 10..=12).unwrap();
    assert!(foe.stands_after(9).is_err());
    assert!(foe.stands_after(8).unwrap().hit_by(9).is_err());
    assert!(foe.fell(9, 9).is_err());
    assert!(foe.fells_next(i64::MAX, &club()).is_err());
    let roll = |ac| oddsmith_dnd::AttackRoll::new(ac, 30);
    assert_eq!(foe.attacked(roll, &[]).unwrap(), foe);
    assert_eq!(
        foe.attacked(roll, &[Outcome::Hit, Outcome::Miss]).unwrap(),
        foe
    );
}

/// Bayes' theorem by enumeration of every hypothesis and every sequence of rolls.
#[test]
fn beliefs_agree_with_counting() {
    let foe = Belief::uniform(5..=9, 14..=17).unwrap();
    let roll = |ac| oddsmith_dnd::AttackRoll::new(ac, 3);
    let outcomes = [Outcome::Hit, Outcome::Miss];
    let seen = foe
        .attacked(roll, &outcomes)
        .unwrap()
        .stands_after(6)
        .unwrap();
    let mut counts = std::collections::BTreeMap::new();
    for hit_points in 7..=9_i64 {
        for ac in 14..=17_i64 {
            let hits = |n: &i64| *n != 1 && *n != 20 && n + 3 >= ac;
            let hit = (1..=20).filter(hits).count();
            let miss = 19 - hit;
            counts.insert((hit_points, ac), hit * miss);
        }
    }
    let total: usize = counts.values().sum();
    for (hypothesis, count) in counts {
        let expected = BigRational::new(count.into(), total.into());
        assert_eq!(seen.law().p(&hypothesis), expected);
    }
}

/// Regression test: a limit beyond the memory of the machine caused a panic or an abort.
#[test]
fn a_limit_raised_beyond_the_machine_is_still_an_error() {
    for hit_points in [1 << 60, 1 << 47] {
        let giant = Fighter::new(hit_points, Dist::die(6).unwrap()).unwrap();
        let duel = Duel::new(giant.clone(), giant).max_words(u64::MAX);
        let error = duel.ending().unwrap_err();
        assert!(matches!(error, Error::NoMemory { .. }), "{error}");
        assert!(
            error.to_string().contains("exceeds the available memory"),
            "{error}"
        );
    }
}

/// Regression test: the damage of a rider with a misspelt attack name was silently left out.
#[test]
fn riders_of_attacks_that_nobody_has() {
    use oddsmith_dnd::{Attack, Combatant, Damage, HitPoints, Rider};

    let rapier = Attack::new("Rapier").unwrap().to_hit(4);
    let sneak = |only: &str| {
        let damage = Damage::dice(2, 6).unwrap();
        Rider::new("Sneak Attack", damage).unwrap().only(only)
    };
    let spy = Combatant::new("Spy", 12, HitPoints::fixed(27).unwrap()).unwrap();
    let spy = spy.attack(rapier.damage("1d8 + 2 piercing".parse().unwrap()));
    assert!(spy.clone().rider(sneak("Rapier")).turn().is_ok());
    let error = spy.rider(sneak("Rapeir")).turn().unwrap_err();
    assert!(
        matches!(&error, Error::UnknownAttack { given, .. } if given == "Rapeir"),
        "{error}"
    );
}

/// Regression test: memory was limited but time was not, so this took hours.
#[test]
fn a_million_rounds_over_a_million_points_are_refused() {
    let law = Dist::from_weights([(0, 999_999_u32), (1, 1)]).unwrap();
    let slow = Fighter::new(1_000_000, law).unwrap();
    let duel = Duel::new(slow.clone(), slow).to_f64();
    let error = duel.rounds(1_000_000).unwrap_err();
    assert!(matches!(error, Error::TooManyRounds { .. }), "{error}");
    assert!(duel.rounds(3).is_ok());
}

/// Regression test: twenty twentieths were more than 1, which the chart of the table refused.
#[test]
fn certain_victories_have_a_chance_of_one() {
    let sure = Fighter::new(1, Dist::die(20).unwrap()).unwrap();
    let rounds = Duel::new(sure.clone(), sure).to_f64().rounds(2).unwrap();
    assert_eq!((rounds[1].won(), rounds[1].first_fells()), (&1.0, &1.0));
    let table = rounds.table();
    assert!(table.iter().all(|chance| (0.0..=1.0).contains(chance)));
    assert_eq!(rounds.bracket(), (1.0, 1.0));
}

/// Regression test: it counted the phases that a fighter may be in next as one.
#[test]
fn phases_that_lead_anywhere_count_as_work() {
    let next = Dist::uniform(0..1_000_usize).unwrap();
    let blow = Dist::from_weights([(0, 1_u32), (1, 1)]).unwrap();
    let phases = (0..1_000).map(|_| Phase::new(blow.clone()).then(next.clone()));
    let restless = Fighter::in_phases(1_000, phases).unwrap();
    let duel = Duel::new(restless.clone(), restless).to_f64();
    let rounds = duel.rounds(1_000);
    assert!(matches!(rounds, Err(Error::TooManyRounds { .. })));
}

/// Regression test: only memory was limited, so these took hours.
#[test]
fn duels_that_take_too_long_to_their_end_are_refused() {
    let too_large = |duel: Result<(), Error>| {
        let error = duel.unwrap_err();
        assert!(matches!(error, Error::DuelTooLarge { .. }), "{error}");
    };
    // Hits are so unlikely that the numbers of misses are long.
    let miss = num_bigint::BigUint::from(1_u8) << 1_000_000;
    let hit = num_bigint::BigUint::from(1_u8);
    let turn = Dist::from_weights([(0, miss), (1, hit)]).unwrap();
    let feeble = Fighter::new(60, turn).unwrap();
    let duel = Duel::new(feeble.clone(), feeble);
    too_large(duel.ending().map(|_| ()));
    assert!(duel.max_words(u64::MAX).rounds(0).is_ok());
    // An opening of many turns with many outcomes each.
    let scratch = Dist::uniform(0..6_000_i64).unwrap();
    let turns = (0..1_000).map(|_| scratch.clone()).chain([club()]);
    let patient = Fighter::opening(6_000, turns).unwrap();
    let duel = Duel::new(patient.clone(), patient);
    too_large(duel.to_f64().ending().map(|_| ()));
    // What takes no time is not refused.
    let turns = (0..1_000).map(|_| Dist::certain(0)).chain([club()]);
    let patient = Fighter::opening(30, turns).unwrap();
    let ending = Duel::new(patient.clone(), patient).ending().unwrap();
    assert!(ending.chance(Winner::First) > BigRational::default());
}
