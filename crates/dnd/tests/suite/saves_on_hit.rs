//! Saving throws after hits, with and without legendary resistance, compared with an enumeration of
//! all rolls.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use oddsmith_dice::Dist;
use oddsmith_dnd::{
    Ability, Attack, Combatant, DamageType, Defenses, Duel, Encounter, Fighter, HitPoints,
    OnSuccess, Phase, Recharge, Rider, SaveEffect, Tactics, Target, Turn, Winner,
    dpr_table_against,
};

type Checked = Result<(), Box<dyn std::error::Error>>;
type Error = oddsmith_dnd::Error;
/// Uses left and damage.
type Joint = Dist<(u32, i64), f64>;

fn venom(dc: i64, damage: &str, leaves: OnSuccess) -> Result<SaveEffect, Error> {
    let venom = SaveEffect::new("Venom", Ability::Constitution, dc)?;
    Ok(venom.damage(damage.parse()?).on_success(leaves))
}

/// Every roll of the giant spider: attack, damage, saving throw, venom.
#[test]
fn a_giant_spider_roll_by_roll() -> Checked {
    let bite = Attack::new("Bite")?
        .to_hit(5)
        .damage("1d4 + 3 piercing".parse()?)
        .save_on_hit(venom(11, "2d4 poison", OnSuccess::Half)?);
    let target = Target::new(14).save(Ability::Constitution, 2);
    let mut ways: BTreeMap<i64, u64> = BTreeMap::new();
    for (hit, save) in (1..=20).flat_map(|hit| (1..=20).map(move |save| (hit, save))) {
        for dice in 0..256_i64 {
            let die = |place: u32| dice / 4_i64.pow(place) % 4 + 1;
            let bitten = match hit {
                20 => die(0) + die(1) + 3,
                9.. => die(0) + 3,
                _ => 0,
            };
            // A critical hit does not double it.
            let poison = die(2) + die(3);
            let poison = if save + 2 >= 11 { poison / 2 } else { poison };
            let taken = if bitten > 0 { bitten + poison } else { 0 };
            *ways.entry(taken).or_default() += 1;
        }
    }
    let expected = Dist::from_weights(ways)?;
    let law = bite.law(&target)?;
    assert_eq!(law.len(), expected.len());
    for taken in expected.support() {
        assert_eq!(law.p(taken), expected.p(taken), "{taken}");
    }
    assert_eq!(bite.mean(&target)?, law.mean());
    let float = bite.law_f64(&target)?;
    for taken in law.support() {
        let exact = law.p(taken).to_f64().unwrap_or(2.0);
        assert!((float.p(taken) - exact).abs() <= exact * (float.relative_error() + 1e-15));
    }
    // A table keeps the saving throws of its target at every armour class.
    let table = dpr_table_against(&target, 14..=14, &[bite.into()])?;
    assert_eq!(table[[0, 0]], law.mean());
    Ok(())
}

/// Damage parts of one type are added before they are halved, but the attack and the saving throw
/// are halved separately.
#[test]
fn damage_of_the_throw_is_taken_by_itself() -> Checked {
    let sting = Attack::new("Sting")?
        .to_hit(100)
        .damage("1 poison".parse()?)
        .save_on_hit(venom(100, "1 poison", OnSuccess::Half)?);
    let toad = Target::new(10).defenses(Defenses::new().resistant(DamageType::Poison));
    assert_eq!(sting.law(&toad)?.support(), [0]); // of 1 and 1 half each, rounded down
    assert_eq!(sting.law(&Target::new(10))?.max(), &2);
    let both = Attack::new("Sting")?
        .to_hit(100)
        .damage("1 poison plus 1 poison".parse()?);
    assert_eq!(both.law(&toad)?.p(&1).to_string(), "19/20");
    // Two saving throws for one hit.
    let twice = sting.save_on_hit(venom(11, "8 cold", OnSuccess::Nothing)?);
    let law = twice.law(&Target::new(10))?;
    assert_eq!(law.support(), [0, 2, 10]);
    assert_eq!(law.p(&10).to_string(), "19/40");
    Ok(())
}

/// How uses are spent, hit by hit: all outcomes of two bites with a rider and an effect.
#[test]
fn legendary_resistance_hit_by_hit() -> Checked {
    let venom = venom(11, "4 poison", OnSuccess::Half)?; // fails half the time
    let bite = Attack::new("Bite")?
        .to_hit(3)
        .damage("1 piercing".parse()?)
        .save_on_hit(venom.clone());
    let scream = SaveEffect::new("Scream", Ability::Wisdom, 16)?
        .damage("20 psychic".parse()?)
        .on_success(OnSuccess::Nothing); // fails 3 times in 4
    let hex = Rider::new("Hex", "100 necrotic".parse()?)?;
    let target = Target::new(14);
    let turn = Turn::new()
        .attack(bite.clone())
        .effect(scream)
        .attack(bite)
        .rider(hex);
    for uses in 0..=4 {
        let mut expected: BTreeMap<(u32, i64), BigRational> = BTreeMap::new();
        // One bit for each event: two hits, two saves against venom, one against the scream.
        for case in 0..32 {
            let bit = |place: u32| case >> place & 1 == 1;
            let mut p = BigRational::from_integer(1.into());
            let mut chance = |yes: bool, of_ten: i64, whole: i64| {
                let ways = if yes { of_ten } else { whole - of_ten };
                p *= BigRational::new(ways.into(), whole.into());
            };
            let (hits, fails) = ([bit(0), bit(1)], [bit(2), bit(3)]);
            for at in 0..2 {
                chance(hits[at], 1, 2); // 11 to 20
                chance(fails[at], 1, 2);
            }
            chance(bit(4), 3, 4);
            let (mut left, mut taken, mut hexed) = (uses, 0, false);
            let mut throw = |failed: bool, most: i64, least: i64| match (failed, left) {
                (false, _) => least,
                (true, 0) => most,
                (true, _) => {
                    left -= 1;
                    least
                }
            };
            for at in 0..2 {
                if hits[at] {
                    taken += 1 + throw(fails[at], 4, 2);
                    taken += if hexed { 0 } else { 100 };
                    hexed = true;
                }
                if at == 0 {
                    taken += throw(bit(4), 20, 0);
                }
            }
            *expected.entry((left, taken)).or_default() += p;
        }
        expected.retain(|_, p| !p.is_zero());
        let law = turn.against_legendary_resistance(&target, uses)?;
        // There are no dice, so a critical hit doubles nothing.
        assert_eq!(law.len(), expected.len(), "{uses}");
        for (key, p) in &expected {
            assert_eq!(&law.p(key), p, "{key:?}");
        }
    }
    assert_eq!(turn.mean(&target)?, turn.law(&target)?.mean());
    let (law, float) = (turn.law(&target)?, turn.law_f64(&target)?);
    for taken in law.support() {
        let exact = law.p(taken).to_f64().unwrap_or(2.0);
        assert!((float.p(taken) - exact).abs() <= exact * (float.relative_error() + 1e-15));
    }
    // Without uses it is the distribution of the turn.
    let none = turn.against_legendary_resistance(&target, 0)?;
    assert_eq!(none.map(|&(_, taken)| taken), turn.law(&target)?);
    Ok(())
}

/// A duel with too few uses for the first turn, compared with a recursion that keeps the uses in
/// the state and does not use phases.
#[test]
fn duels_with_few_uses() -> Checked {
    let venom = venom(13, "4 poison", OnSuccess::Half)?;
    let bite = Attack::new("Bite")?
        .to_hit(3)
        .damage("1 piercing".parse()?)
        .save_on_hit(venom.clone());
    let claw = Attack::new("Claw")?.to_hit(2).damage("3".parse()?);
    let snake = Combatant::new("Snake", 12, HitPoints::rolled("2d4")?)?
        .attack(bite)
        .multiattack(["Bite", "Bite"])?;
    let mage = Combatant::new("Mage", 12, HitPoints::fixed(7)?)?.effect(venom.clone());
    let breath: Turn = Turn::new().effect(venom.clone()).effect(venom);
    let drake = mage.clone().recharging(Recharge::on(5)?, breath.clone());
    for (attacker, first, later) in [
        (&snake, snake.turn()?, [snake.turn()?, snake.turn()?]),
        (&mage, mage.turn()?, [mage.turn()?, mage.turn()?]),
        (&drake, breath.clone(), [breath.clone(), mage.turn()?]),
    ] {
        for uses in 0..=4 {
            let lich = Combatant::new("Lich", 12, HitPoints::fixed(11)?)?
                .attack(claw.clone())
                .legendary_resistance(uses);
            let blow = claw.law(attacker.target())?.to_f64();
            let joint = |turn: &Turn| -> Result<Vec<Joint>, Error> {
                let laws =
                    (0..=uses).map(|uses| turn.against_legendary_resistance(lich.target(), uses));
                Ok(laws
                    .collect::<Result<Vec<_>, _>>()?
                    .iter()
                    .map(Dist::to_f64)
                    .collect())
            };
            let ready = if later[0] == later[1] { 1.0 } else { 1.0 / 3.0 };
            let (first, later) = (joint(&first)?, [joint(&later[0])?, joint(&later[1])?]);
            // Chances by own hit points, the lich's, and uses.
            let mut now: BTreeMap<(i64, i64, u32), f64> = BTreeMap::new();
            let points = attacker.hit_points().law()?.to_f64();
            for own in points.support() {
                now.insert((*own, 11, uses), points.p(own));
            }
            let (mut won, mut by_round) = (0.0, Vec::new());
            for round in 0..400 {
                let mut next = BTreeMap::new();
                for ((own, lich, left), p) in now {
                    let place = left as usize;
                    let laws = match round {
                        0 => vec![(1.0, &first[place])],
                        _ => vec![(ready, &later[0][place]), (1.0 - ready, &later[1][place])],
                    };
                    for (chance, law) in laws {
                        for key @ (left, damage) in law.support() {
                            let p = p * chance * law.p(key);
                            if *damage >= lich {
                                won += p;
                                continue;
                            }
                            for hurt in blow.support() {
                                if *hurt < own {
                                    *next
                                        .entry((own - hurt, lich - damage, *left))
                                        .or_insert(0.0) += p * blow.p(hurt);
                                }
                            }
                        }
                    }
                }
                now = next;
                by_round.push(won);
            }
            let duel = attacker.duel(&lich)?;
            let exact = duel.ending()?.chance(Winner::First).to_f64().unwrap_or(2.0);
            assert!(
                (exact - won).abs() < 1e-11,
                "{} {uses}: {exact} {won}",
                attacker.name()
            );
            let float = duel.to_f64().ending()?;
            let off = (float.chance(Winner::First) - exact).abs();
            assert!(off <= (float.relative_error() + 1e-15) * exact);
            let rounds = duel.rounds(6)?;
            let floats = duel.to_f64().rounds(6)?;
            for (round, expected) in by_round.iter().take(6).enumerate() {
                let won = rounds[round + 1].won().to_f64().unwrap_or(2.0);
                assert!((won - expected).abs() < 1e-12, "{round}: {won} {expected}");
                let off = (floats[round + 1].won() - won).abs();
                assert!(off <= (floats.relative_error() + 1e-15) * won);
            }
        }
    }
    Ok(())
}

/// Encounters and tactics agree with the duel.
#[test]
fn encounters_and_tactics_know_of_it() -> Checked {
    let bite = Attack::new("Bite")?
        .to_hit(3)
        .damage("1d4 piercing".parse()?)
        .save_on_hit(venom(13, "1d6 poison", OnSuccess::Half)?);
    let club = Attack::new("Club")?.to_hit(2).damage("1d4".parse()?);
    let snake = Combatant::new("Snake", 12, HitPoints::fixed(5)?)?
        .attack(bite.clone())
        .multiattack(["Bite", "Bite"])?;
    let guard = Combatant::new("Guard", 13, HitPoints::fixed(9)?)?
        .save(Ability::Constitution, 1)
        .attack(club);
    let expected = snake.duel(&guard)?.ending()?.chance(Winner::First);
    let fight = Encounter::new([snake.clone()], [guard.clone()])?.order([0, 1])?;
    assert_eq!(fight.win()?, expected);
    let tactics = Tactics::new().attacks(2, [bite]);
    let plan = snake.with_tactics(tactics, &guard)?.best()?;
    assert_eq!(plan.value(), expected);
    Ok(())
}

/// Starting in a random phase equals a mixture of fighters with renumbered phases that start in
/// phase 0; rolled hit points included.
#[test]
fn fighters_begin_in_any_phase() -> Checked {
    let chance = Dist::from_weights([(0, 1), (1, 2), (2, 4)])?;
    let phases = [
        Phase::new(Dist::die(4)?).then(Dist::certain(1)),
        Phase::new(Dist::certain(0)).then(Dist::uniform([0, 2])?),
        Phase::new(Dist::from_weights([(0, 1), (5, 3)])?).then(Dist::certain(0)),
    ];
    let rolled = |phases: Vec<Phase>| -> Result<Fighter, Error> {
        Fighter::in_phases(6, phases)?.rolled(Dist::uniform([4, 6])?)
    };
    let foe = Fighter::new(7, Dist::die(3)?)?.begins(Dist::certain(0))?;
    assert_eq!(foe.first_phase(), None);
    let begun = rolled(phases.to_vec())?.begins(chance.clone())?;
    assert_eq!(begun.first_phase(), Some(&chance));
    let duel = Duel::new(begun, foe.clone());
    let mut won = BigRational::zero();
    let mut rounds = BigRational::zero();
    let mut table = vec![BigRational::zero(); 5];
    for first in 0..3_usize {
        let called = move |phase: usize| match phase {
            0 => first,
            phase if phase == first => 0,
            phase => phase,
        };
        let renamed = (0..3).map(|phase| {
            let old = &phases[called(phase)];
            Phase::new(old.damage().clone()).then(old.next().map(|&to| called(to)))
        });
        let one = Duel::new(rolled(renamed.collect())?, foe.clone());
        let ending = one.ending()?;
        won += chance.p(&first) * ending.chance(Winner::First);
        rounds += chance.p(&first) * ending.expected_rounds();
        for (sum, round) in table.iter_mut().zip(one.rounds(4)?.iter()) {
            *sum += chance.p(&first) * round.lost();
        }
    }
    let ending = duel.ending()?;
    assert_eq!(ending.chance(Winner::First), won);
    assert_eq!(ending.expected_rounds(), &rounds);
    let lost = |round: &oddsmith_dnd::Round| round.lost().clone();
    assert_eq!(duel.rounds(4)?.iter().map(lost).collect::<Vec<_>>(), table);
    let alone = duel.rounds_without_partdist(1)?;
    assert_eq!(alone[1].lost(), &table[1]);
    let float = duel.to_f64();
    let (ending, exact) = (float.ending()?, won.to_f64().unwrap_or(2.0));
    let off = (ending.chance(Winner::First) - exact).abs();
    assert!(off <= (ending.relative_error() + 1e-15) * exact);
    let floats = float.rounds(4)?;
    for (round, exact) in table.iter().enumerate() {
        let exact = exact.to_f64().unwrap_or(2.0);
        let off = (floats[round].lost() - exact).abs();
        assert!(off <= (floats.relative_error() + 1e-15) * exact);
    }
    let beyond = foe.begins(Dist::certain(1));
    assert!(matches!(
        beyond,
        Err(Error::NoSuchPhase {
            given: 1,
            phases: 1
        })
    ));
    Ok(())
}
