//! Decisions compared with an explicit value iteration, with every habit, and with simulations.

use num_traits::ToPrimitive;
use oddsmith_dice::Dist;
use oddsmith_dnd::{
    Act, Attack, Combatant, DamageType, Defenses, Duel, Error, Fighter, Habit, Healing, HitPoints,
    Outcome, Situation, Smite, SmiteWhen, Stage, TacticalDuel, Tactics, Target, Winner,
};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

type Checked = Result<(), Box<dyn std::error::Error>>;

fn sword() -> Result<Attack, Error> {
    Ok(Attack::new("Sword")?
        .to_hit(5)
        .damage("1d6 + 3 slashing".parse()?))
}

fn foe(points: i64) -> Result<Fighter, Error> {
    let club = Attack::new("Club")?
        .to_hit(4)
        .damage("1d8 + 2 bludgeoning".parse()?);
    Fighter::new(points, club.law(&Target::new(15))?)
}

/// d20 + 5 against 14: 8 of 20 miss, 11 hit, 1 is critical. Power attack: 13, 6, 1.
const ODDS: [[f64; 3]; 2] = [[0.4, 0.55, 0.05], [0.65, 0.3, 0.05]];

fn pips(dice: i64, sides: i64) -> Vec<(i64, f64)> {
    let mut law = vec![(0, 1.0)];
    for _ in 0..dice {
        let next = law.iter().flat_map(|&(sum, p): &(i64, f64)| {
            (1..=sides).map(move |pip| (sum + pip, p / sides as f64))
        });
        law = next.collect();
    }
    law
}

/// Value iteration over (own, foe, smites left), written from the rules and independent of the
/// crate: two attacks, plain or −5/+10, a smite of 1d8 after a hit.
fn by_value_iteration(own: usize, foe: usize, smites: usize) -> f64 {
    let size = (own + 1, foe + 1, smites + 1);
    let club: Vec<(i64, f64)> = {
        // d20 + 4 against 15: 10 of 20 miss, 9 hit, 1 is critical.
        let mut law = vec![(0, 0.5)];
        law.extend(pips(1, 8).into_iter().map(|(x, p)| (x + 2, p * 0.45)));
        law.extend(pips(2, 8).into_iter().map(|(x, p)| (x + 2, p * 0.05)));
        law
    };
    let at = |a: usize, b: usize, s: usize| (a * size.1 + b) * size.2 + s;
    let mut value = vec![0.0_f64; size.0 * size.1 * size.2];
    for _ in 0..80 {
        let before = value.clone();
        // The foe's turn, then the own turn again.
        let after_turn = |a: usize, b: i64, s: usize| -> f64 {
            if b <= 0 {
                return 1.0;
            }
            let sum = club.iter().map(|&(damage, p)| match a as i64 - damage {
                left @ 1.. => p * before[at(left as usize, b as usize, s)],
                _ => 0.0,
            });
            sum.sum()
        };
        for a in 1..size.0 {
            for s in 0..size.2 {
                // The values before each attack, from the last to the first.
                let mut next: Box<dyn Fn(i64, usize) -> f64> = Box::new(|b, s| after_turn(a, b, s));
                for _ in 0..2 {
                    let table: Vec<Vec<f64>> = (0..size.1)
                        .map(|b| (0..=s).map(|s| one_attack(b as i64, s, &*next)).collect())
                        .collect();
                    next = Box::new(move |b, s| if b <= 0 { 1.0 } else { table[b as usize][s] });
                }
                for b in 1..size.1 {
                    value[at(a, b, s)] = next(b as i64, s);
                }
            }
        }
    }
    value[at(own, foe, smites)]
}

fn one_attack(b: i64, s: usize, next: &dyn Fn(i64, usize) -> f64) -> f64 {
    if b <= 0 {
        return 1.0;
    }
    let mean = |law: Vec<(i64, f64)>, flat: i64, s: usize| -> f64 {
        law.into_iter()
            .map(|(x, p)| p * next(b - x - flat, s))
            .sum()
    };
    let plus = |law: Vec<(i64, f64)>, more: Vec<(i64, f64)>| -> Vec<(i64, f64)> {
        let pairs = law.into_iter();
        pairs
            .flat_map(|(x, p)| {
                more.iter()
                    .map(move |&(y, q)| (x + y, p * q))
                    .collect::<Vec<_>>()
            })
            .collect()
    };
    let ways = [3, 13].into_iter().zip(ODDS);
    let worth = ways.map(|(flat, [miss, hit, critical])| {
        let after = |dice: i64| {
            let held = mean(pips(dice, 6), flat, s);
            match s {
                0 => held,
                _ => held.max(mean(plus(pips(dice, 6), pips(dice, 8)), flat, s - 1)),
            }
        };
        miss * next(b, s) + hit * after(1) + critical * after(2)
    });
    worth.fold(0.0, f64::max)
}

#[test]
fn the_best_decisions_are_those_of_value_iteration() -> Checked {
    for (own, foe_points, smites) in [(6, 9, 0), (8, 12, 1), (6, 10, 2)] {
        let tactics = Tactics::new()
            .attacks(2, [sword()?, sword()?.power_attack()])
            .smite(Smite::new("Smite", smites, "1d8 radiant".parse()?)?);
        let duel = TacticalDuel::new(own, tactics, foe(foe_points)?, Target::new(14))?;
        let expected = by_value_iteration(own as usize, foe_points as usize, smites as usize);
        let float = duel.best_f64()?;
        assert!(
            (float.value() - expected).abs() < 1e-10,
            "{} {expected}",
            float.value()
        );
        let exact = duel.best()?.value().to_f64().unwrap_or(f64::NAN);
        assert!((exact - float.value()).abs() <= float.error()? + 1e-16);
    }
    Ok(())
}

#[test]
fn without_choices_it_is_a_duel() -> Checked {
    let target = Target::new(14);
    let other = foe(17)?;
    let tactics = Tactics::new().attacks(2, [sword()?]);
    let tactical = TacticalDuel::new(19, tactics, other.clone(), target.clone())?;
    let own = Fighter::new(19, sword()?.law(&target)?.repeat(2)?)?;
    let duel = Duel::new(own, other);
    let first = duel.ending()?.chance(Winner::First);
    assert_eq!(tactical.best()?.value(), first);
    assert_eq!(tactical.fixed(&Habit::default())?, first);
    let second = duel.swapped().ending()?.chance(Winner::Second);
    assert_eq!(tactical.acts_second().best()?.value(), second);
    Ok(())
}

#[test]
fn a_foe_in_phases_recharges() -> Checked {
    let recharge = Dist::from_weights([(0, 1), (1, 2)])?;
    let phases = [
        oddsmith_dnd::Phase::new(Dist::ndice(2, 6)?).then(recharge.clone()),
        oddsmith_dnd::Phase::new(Dist::die(4)?).then(recharge),
    ];
    let other = Fighter::in_phases(13, phases)?;
    let target = Target::new(14);
    let tactics = Tactics::new().attacks(1, [sword()?]);
    let tactical = TacticalDuel::new(15, tactics, other.clone(), target.clone())?;
    let duel = Duel::new(Fighter::new(15, sword()?.law(&target)?)?, other);
    assert_eq!(
        tactical.best()?.value(),
        duel.ending()?.chance(Winner::First)
    );
    Ok(())
}

#[test]
fn no_habit_is_better_and_more_uses_never_hurt() -> Checked {
    let mut before = None;
    for uses in 0..=2 {
        let tactics = Tactics::new()
            .attacks(1, [sword()?, sword()?.power_attack()])
            .smite(Smite::new("Smite", uses, "1d8 radiant".parse()?)?)
            .healing(Healing::new("Wind", 1, Dist::parse("1d6 + 1")?)?.bonus_action())
            .healing(Healing::new("Hands", 1, Dist::certain(5))?);
        let duel = TacticalDuel::new(11, tactics, foe(15)?, Target::new(15))?;
        let best = duel.best()?.value();
        for habit in duel.habits() {
            assert!(duel.fixed(&habit)? <= best, "{habit:?}");
        }
        let (habit, value) = duel.best_habit()?;
        assert_eq!(duel.fixed(&habit)?, value);
        assert!((duel.best_habit_f64()?.1 - value.to_f64().unwrap_or(2.0)).abs() < 1e-12);
        assert!(before.is_none_or(|before| before < best));
        before = Some(best);
    }
    Ok(())
}

#[test]
fn once_a_turn_costs_something() -> Checked {
    let smite = Smite::new("Smite", 3, "2d8 radiant".parse()?)?;
    let value = |smite: Smite| -> Result<_, Error> {
        let tactics = Tactics::new().attacks(3, [sword()?]).smite(smite);
        let duel = TacticalDuel::new(9, tactics, foe(30)?, Target::new(12))?;
        Ok(duel.best()?.value())
    };
    assert!(value(smite.clone().once_a_turn())? < value(smite)?);
    Ok(())
}

#[test]
fn smites_are_resisted_by_type() -> Checked {
    let immune = Target::new(14).defenses(Defenses::new().immune(DamageType::Radiant));
    let smite = |uses| Smite::new("Smite", uses, "4d8 radiant".parse()?);
    let value = |uses: u32| -> Result<_, Error> {
        let tactics = Tactics::new().attacks(1, [sword()?]).smite(smite(uses)?);
        let duel = TacticalDuel::new(9, tactics, foe(20)?, immune.clone())?;
        Ok(duel.best()?.value())
    };
    assert_eq!(value(0)?, value(2)?);
    Ok(())
}

/// A simulated plan wins as often as predicted.
#[test]
fn plans_played_with_dice() -> Checked {
    let tactics = Tactics::new()
        .attacks(2, [sword()?, sword()?.power_attack()])
        .smite(Smite::new("Smite", 1, "1d8 radiant".parse()?)?)
        .healing(Healing::new("Wind", 1, Dist::parse("1d6 + 1")?)?.bonus_action());
    let duel = TacticalDuel::new(14, tactics, foe(25)?, Target::new(14))?;
    let plan = duel.best_f64()?;
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut die = |sides: u64| (rng.next_u64() % sides) as i64 + 1;
    let games = 3_000;
    let mut won = 0.0;
    for _ in 0..games {
        let mut now = duel.start();
        loop {
            let (attack, act) = match (now.stage, plan.decision(&now)?) {
                (Stage::Attack(attack), Some(act)) => (attack, act),
                other => return Err(format!("{other:?}").into()),
            };
            match act {
                Act::Heal(_) => {
                    now.own = 14.min(now.own + die(6) + 1);
                    now.uses[1] -= 1;
                    now.healed = true;
                    continue;
                }
                Act::Attack(option) => {
                    let (penalty, more) = [(0, 0), (5, 10)][option];
                    let roll = die(20);
                    let outcome = match roll {
                        1 => Outcome::Miss,
                        20 => Outcome::Critical,
                        _ if roll + 5 - penalty >= 14 => Outcome::Hit,
                        _ => Outcome::Miss,
                    };
                    let dice = [0, 1, 2][outcome as usize];
                    let mut damage = (0..dice).map(|_| die(6)).sum::<i64>();
                    if dice > 0 {
                        damage += 3 + more;
                        if now.uses[0] > 0 {
                            let stage = Stage::Rolled {
                                attack,
                                option,
                                outcome,
                            };
                            let rolled = Situation { stage, ..now };
                            if plan.decision(&rolled)? == Some(Act::Smite(0)) {
                                damage += (0..dice).map(|_| die(8)).sum::<i64>();
                                now.uses[0] -= 1;
                            }
                        }
                    }
                    now.foe -= damage;
                }
                _ => return Err("a smite without a hit".into()),
            }
            if now.foe <= 0 {
                won += 1.0;
                break;
            }
            now.stage = Stage::Attack(attack + 1);
            if attack == 1 {
                let roll = die(20);
                let dice = match roll {
                    1 => 0,
                    20 => 2,
                    _ if roll + 4 >= 15 => 1,
                    _ => 0,
                };
                if dice > 0 {
                    now.own -= (0..dice).map(|_| die(8)).sum::<i64>() + 2;
                }
                if now.own <= 0 {
                    break;
                }
                now.stage = Stage::Attack(0);
                now.healed = false;
            }
        }
    }
    let (p, n) = (plan.value(), f64::from(games));
    assert!(
        (won / n - p).abs() < 4.0 * (p * (1.0 - p) / n).sqrt(),
        "{} {p}",
        won / n
    );
    Ok(())
}

#[test]
fn bad_input() -> Checked {
    let tactics = || -> Result<Tactics, Error> { Ok(Tactics::new().attacks(1, [sword()?])) };
    let target = Target::new(14);
    let new = |points, tactics, foe| TacticalDuel::new(points, tactics, foe, target.clone());
    assert_eq!(
        new(0, tactics()?, foe(9)?).err(),
        Some(Error::NoHitPoints { given: 0 })
    );
    for empty in [
        Tactics::new(),
        Tactics::new().attacks(0, [sword()?]),
        Tactics::new().attacks(1, []),
    ] {
        assert_eq!(new(9, empty, foe(9)?).err(), Some(Error::NothingToDecide));
    }
    let many = Tactics::new().attacks(u32::MAX, [sword()?]);
    assert!(matches!(
        new(9, many, foe(9)?),
        Err(Error::TooManyTactics { limit: 20, .. })
    ));
    let many = Tactics::new().attacks(1, vec![sword()?; 300]);
    assert!(matches!(
        new(9, many, foe(9)?),
        Err(Error::TooManyTactics {
            given: 300,
            limit: 20,
            ..
        })
    ));
    let mut full = tactics()?;
    for _ in 0..5 {
        full = full.smite(Smite::new("Smite", 1, "1d8".parse()?)?);
    }
    assert!(matches!(
        new(9, full, foe(9)?),
        Err(Error::TooManyTactics { given: 5, .. })
    ));
    let healing = foe(9)?.heals(Dist::certain(1))?;
    assert!(matches!(
        new(9, tactics()?, healing),
        Err(Error::UnfitFoe { .. })
    ));
    let rolled = foe(9)?.rolled(Dist::die(6)?)?;
    assert!(matches!(
        new(9, tactics()?, rolled),
        Err(Error::UnfitFoe { .. })
    ));
    let duel = new(i64::MAX, tactics()?, foe(i64::MAX)?)?;
    assert!(matches!(duel.best(), Err(Error::TooManyStates { .. })));
    let harmless = Tactics::new().attacks(1, [Attack::new("Stare")?]);
    let still = Fighter::new(9, Dist::certain(0))?;
    assert!(matches!(
        new(9, harmless, still)?.best(),
        Err(Error::Solve(_))
    ));
    let habit = Habit {
        smite: SmiteWhen::OnHit,
        attack: 7,
        ..Habit::default()
    };
    assert!(matches!(
        new(9, tactics()?, foe(9)?)?.fixed(&habit),
        Err(Error::NoSuchOption { .. })
    ));
    assert!(Smite::new(" ", 1, "1d8".parse()?).is_err());
    assert!(Healing::new("Wind", 256, Dist::die(6)?).is_err());
    let unknown = new(9, tactics()?, foe(9)?)?.best()?;
    assert!(unknown.decision(&Situation::new(99, 99, [])).is_err());
    Ok(())
}

#[test]
fn stat_blocks_recharge_resist_and_regenerate() -> Checked {
    use oddsmith_dnd::{Ability, OnSuccess, Recharge, SaveEffect};
    let breath = SaveEffect::new("Breath", Ability::Dexterity, 11)?.damage("8 fire".parse()?);
    let bolt = SaveEffect::new("Bolt", Ability::Dexterity, 11)?
        .damage("6 fire".parse()?)
        .on_success(OnSuccess::Nothing);
    let mage = Combatant::new("Mage", 12, HitPoints::fixed(9)?)?
        .attack(Attack::new("Dagger")?.to_hit(1).damage("2".parse()?))
        .recharging(Recharge::on(5)?, bolt.clone().into());
    let drake = Combatant::new("Drake", 12, HitPoints::fixed(7)?)?
        .attack(Attack::new("Bite")?.to_hit(1).damage("3".parse()?))
        .recharging(Recharge::on(6)?, breath.into());
    // Turns are independent without legendary resistance.
    let duel = mage.duel(&drake)?;
    for (fighter, one, other) in [
        (duel.first(), &mage, &drake),
        (duel.second(), &drake, &mage),
    ] {
        assert_eq!(fighter.phases()[0].damage(), &one.turn_number(1, other)?);
        assert_eq!(fighter.phases()[1].damage(), &one.turn_number(2, other)?);
    }
    // With it, by hand: the save against the bolt fails half the time, for 6, or 0 if resisted.
    let drake = drake.legendary_resistance(1);
    let duel = mage.duel(&drake)?;
    assert!(
        duel.ending()?.chance(Winner::First)
            < mage.clone().duel(&mage)?.ending()?.chance(Winner::First)
    );
    let phases = duel.first().phases();
    assert_eq!(phases[0].damage().support(), [0]); // a use is left in any case
    // The mean damage of the second turn, from the start.
    // Uses left 1 (1/2) or 0 (1/2); with a bolt (1/3): 0 or 3; else the dagger, 1.1.
    let dagger = mage.turn_against(&drake)?.mean().to_f64().unwrap_or(0.0);
    let mean: f64 = phases[0]
        .next()
        .iter()
        .map(|(at, _)| {
            let p = phases[0].next().p(at).to_f64().unwrap_or(0.0);
            p * phases[*at].damage().mean().to_f64().unwrap_or(0.0)
        })
        .sum();
    assert!(
        (mean - (0.5 * 3.0 / 3.0 + 2.0 / 3.0 * dagger)).abs() < 1e-12,
        "{mean}"
    );
    // Two throws in the first turn and one use: two failures would be 12, and the use is spent at
    // once unless both succeed. So the first turn deals 0 or 6.
    let twice = Combatant::new("Archmage", 12, HitPoints::fixed(9)?)?
        .attack(Attack::new("Dagger")?)
        .recharging(
            Recharge::on(6)?,
            oddsmith_dnd::Turn::new().effect(bolt.clone()).effect(bolt),
        );
    let fighter = twice.fighter_against(&drake)?;
    let begins = fighter.first_phase().ok_or("no chance")?;
    let one_left = begins.iter().map(|(&phase, _)| {
        let damage = fighter.phases()[phase].damage();
        (
            begins.p(&phase).to_string(),
            damage.support().to_vec(),
            damage.p(&6).to_string(),
        )
    });
    let mut told: Vec<_> = one_left.collect();
    told.sort();
    let expected = [("1/4", vec![0], "0"), ("3/4", vec![0, 6], "1/3")];
    let expected = expected.map(|(p, damage, six)| (p.to_owned(), damage, six.to_owned()));
    assert_eq!(told, expected);
    // Decisions against it would have to know which of the two it is.
    let warded = Combatant::new("Warded", 12, HitPoints::fixed(7)?)?.legendary_resistance(1);
    let tactics = Tactics::new().attacks(1, [Attack::new("Bite")?]);
    assert!(matches!(
        warded.with_tactics(tactics, &twice),
        Err(Error::UnfitFoe { .. })
    ));
    // Regeneration and rolled hit points.
    let troll = Combatant::new("Troll", 12, HitPoints::fixed(12)?)?
        .attack(Attack::new("Claw")?.to_hit(1).damage("2".parse()?));
    let plain = troll.duel(&mage)?.ending()?.chance(Winner::First);
    let hard = troll
        .clone()
        .regeneration(1)
        .duel(&mage)?
        .ending()?
        .chance(Winner::First);
    assert!(hard > plain);
    let rolled = Combatant::new("Troll", 12, HitPoints::rolled("2d6")?)?
        .attack(Attack::new("Claw")?)
        .regeneration(1);
    assert!(matches!(
        rolled.duel(&mage),
        Err(Error::RolledAndHealed { least: 2, most: 12 })
    ));
    Ok(())
}

/// Rolled hit points give the mixture over the rolls, in every result.
#[test]
fn rolled_hit_points_are_mixed() -> Checked {
    let (first_law, second_law) = (Dist::ndice(2, 3)?, Dist::die(5)?);
    let (bite, claw) = (
        Dist::from_weights([(0, 1), (2, 2)])?,
        Dist::from_weights([(0, 2), (1, 1), (3, 1)])?,
    );
    let first = Fighter::opening(1, [claw.clone(), bite.clone()])?
        .rolled(first_law.clone())?
        .temporary(1)?;
    let second = Fighter::new(1, claw.clone())?.rolled(second_law.clone())?;
    let duel = Duel::new(first, second);
    let (ending, rounds) = (duel.ending()?, duel.rounds(4)?.table());
    let lengths = duel.lengths(3)?;
    let mut sums = vec![num_rational::BigRational::default(); 4];
    for (a, _) in first_law.iter() {
        for (b, _) in second_law.iter() {
            let one = Fighter::opening(*a, [claw.clone(), bite.clone()])?.temporary(1)?;
            let fixed = Duel::new(one, Fighter::new(*b, claw.clone())?);
            let p = first_law.p(a) * second_law.p(b);
            sums[0] += &p * fixed.ending()?.chance(Winner::First);
            sums[1] += &p * fixed.ending()?.expected_rounds();
            sums[2] += &p * &fixed.rounds(4)?.table()[[4, 0]];
            sums[3] += &p * fixed.lengths(3)?.p(&oddsmith_dice::Steps::Exactly(2));
        }
    }
    assert_eq!(sums[0], ending.chance(Winner::First));
    assert_eq!(&sums[1], ending.expected_rounds());
    assert_eq!(sums[2], rounds[[4, 0]]);
    assert_eq!(sums[3], lengths.p(&oddsmith_dice::Steps::Exactly(2)));
    // The same with the chain used for phases.
    let always = Dist::certain(0_usize);
    let phases = |fighter: &Fighter| -> Result<Fighter, Error> {
        let mut list = fighter.phases().to_vec();
        list.push(oddsmith_dnd::Phase::new(Dist::certain(0)).then(always.clone()));
        Fighter::in_phases(1, list)?.rolled(second_law.clone())
    };
    let slow = Duel::new(duel.first().clone(), phases(duel.second())?).ending()?;
    assert_eq!(slow.chance(Winner::First), sums[0]);
    assert_eq!(slow.expected_rounds(), &sums[1]);
    let float = duel.to_f64().ending()?;
    assert!((float.chance(Winner::First) - sums[0].to_f64().unwrap_or(2.0)).abs() < 1e-14);
    Ok(())
}

/// Regression test: each row was limited, but not all of them together.
#[test]
fn tables_of_too_many_fights_are_refused() -> Checked {
    let ways = [sword()?, sword()?.power_attack()];
    let tactics = Tactics::new().attacks(2, ways);
    let duel = TacticalDuel::new(60, tactics, foe(90)?, Target::new(14))?;
    let states = duel.states();
    let error = duel.by_ac(1..=10_000).unwrap_err();
    // Two habits and the best decisions in each row.
    let (states, limit) = (states * 3 * 10_000, 64_000_000);
    assert_eq!(error, Error::TooManyStates { states, limit });
    let few = duel.clone().max_states(duel.states() as usize);
    assert!(few.by_ac(12..=14).is_ok() && few.by_ac(12..=30).is_err());
    assert!(few.best_habit_f64().is_ok());
    Ok(())
}
