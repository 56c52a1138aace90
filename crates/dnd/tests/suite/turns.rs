//! Turns of several attacks, compared with every sequence of outcomes; tables by armour class.

use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_dice::Dist;
use oddsmith_dnd::{
    Ability, Attack, Combatant, D20, Damage, DamageType, Defenses, Encounter, Error, HitPoints,
    OnSuccess, Outcome, Recharge, RechargeTurn, Rider, RiderUse, SaveEffect, Target, Turn, Winner,
    break_even, crossover, dpr_table, dpr_table_f64,
};
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult};

const OUTCOMES: [Outcome; 3] = [Outcome::Miss, Outcome::Hit, Outcome::Critical];

#[derive(Clone, Debug)]
struct Fight {
    /// Bonus to hit, sides and flat damage; every attack has its own name.
    attacks: Vec<(i64, u32, i64)>,
    /// The sides of its die, whether it waits for a critical hit, and the attacks that may use it.
    riders: Vec<(u32, bool, u32)>,
    ac: i64,
    resistant: bool,
}

impl Arbitrary for Fight {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut pick = |low: i64, high: i64| {
            let all: Vec<i64> = (low..=high).collect();
            *g.choose(&all).unwrap()
        };
        let attacks = (0..pick(1, 4)).map(|_| (pick(0, 9), pick(1, 4) as u32, pick(-1, 3)));
        let attacks = attacks.collect();
        let riders =
            (0..pick(0, 2)).map(|_| (pick(1, 6) as u32, pick(0, 1) == 1, pick(0, 15) as u32));
        let riders = riders.collect();
        Fight {
            attacks,
            riders,
            ac: pick(8, 24),
            resistant: pick(0, 1) == 1,
        }
    }
}

impl Fight {
    fn target(&self) -> Target {
        let defenses = match self.resistant {
            true => Defenses::new().resistant(DamageType::Piercing),
            false => Defenses::new(),
        };
        Target::new(self.ac).defenses(defenses)
    }

    fn attack(&self, place: usize) -> Attack {
        let (to_hit, sides, flat) = self.attacks[place];
        let damage = Damage::dice(1, sides)
            .unwrap()
            .flat(flat)
            .of(DamageType::Piercing);
        Attack::new(place.to_string())
            .unwrap()
            .to_hit(to_hit)
            .damage(damage)
    }

    fn can_take(&self, rider: usize, place: usize) -> bool {
        self.riders[rider].2 == 0 || self.riders[rider].2 >> place & 1 == 1
    }

    fn turn(&self) -> Turn {
        self.turn_with(D20::Plain)
    }

    fn turn_with(&self, die: D20) -> Turn {
        let mut turn = Turn::new();
        for place in 0..self.attacks.len() {
            turn = turn.attack(self.attack(place).die(die));
        }
        for &(sides, held, mask) in &self.riders {
            let mut rider = Rider::new("Any", Damage::dice(1, sides).unwrap()).unwrap();
            if held {
                rider = rider.taken(RiderUse::HeldForCritical);
            }
            for place in (0..4).filter(|place| mask >> place & 1 == 1) {
                rider = rider.only(place.to_string());
            }
            turn = turn.rider(rider);
        }
        turn
    }

    /// The distribution of the turn if the attacks have these outcomes.
    fn after(&self, outcomes: &[Outcome]) -> Dist<i64> {
        let mut sum = Dist::certain(0);
        let mut used = vec![false; self.riders.len()];
        for (place, &outcome) in outcomes.iter().enumerate() {
            let (_, sides, flat) = self.attacks[place];
            let mut damage = Damage::dice(1, sides)
                .unwrap()
                .flat(flat)
                .of(DamageType::Piercing);
            for (rider, used) in used.iter_mut().enumerate() {
                let (rider_sides, held, _) = self.riders[rider];
                let last = (place + 1..outcomes.len()).all(|later| !self.can_take(rider, later));
                let takes = match outcome {
                    Outcome::Miss => false,
                    Outcome::Hit => !held || last,
                    Outcome::Critical => true,
                };
                if takes && !*used && self.can_take(rider, place) {
                    *used = true;
                    let more = Damage::dice(1, rider_sides).unwrap();
                    damage = damage.plus(more.of(DamageType::Piercing));
                }
            }
            let defenses = match self.resistant {
                true => Defenses::new().resistant(DamageType::Piercing),
                false => Defenses::new(),
            };
            sum = sum
                .matfold(&damage.law_against(outcome, &defenses).unwrap())
                .unwrap();
        }
        sum
    }

    fn enumerated(&self) -> Dist<i64> {
        let n = self.attacks.len() as u32;
        let sequences = (0..3_usize.pow(n)).map(|code| {
            let outcomes: Vec<Outcome> = (0..n)
                .map(|place| OUTCOMES[code / 3_usize.pow(place) % 3])
                .collect();
            let mut chance = BigRational::from_integer(1.into());
            for (place, outcome) in outcomes.iter().enumerate() {
                let roll = self.attack(place).roll(&self.target()).unwrap();
                chance *= [roll.miss(), roll.hit(), roll.critical()][*outcome as usize].clone();
            }
            (chance, self.after(&outcomes))
        });
        Dist::mixture(sequences).unwrap()
    }
}

#[test]
fn law_equals_enumeration() {
    fn property(fight: Fight) -> TestResult {
        let (turn, target) = (fight.turn(), fight.target());
        let (law, expected) = (turn.law(&target).unwrap(), fight.enumerated());
        let float = turn.law_f64(&target).unwrap();
        let close = law.iter().all(|(damage, _)| {
            let exact = law.p(damage).to_f64().unwrap();
            (float.p(damage) - exact).abs() <= exact * (float.relative_error() + 1e-15)
        });
        TestResult::from_bool(
            law == expected
                && turn.mean(&target).unwrap() == expected.mean()
                && float.len() == law.len()
                && close,
        )
    }
    QuickCheck::new()
        .tests(250)
        .quickcheck(property as fn(Fight) -> TestResult);
}

#[test]
fn generator_reaches_the_corners() {
    // A fixed seed: rare cases must not make the test fail at random.
    let mut g = Gen::from_size_and_seed(10, 1);
    let cases: Vec<Fight> = (0..2000).map(|_| Fight::arbitrary(&mut g)).collect();
    let count = |of: fn(&Fight) -> bool| cases.iter().filter(|fight| of(fight)).count();
    assert!(count(|fight| fight.riders.len() == 2 && fight.attacks.len() == 4) > 50);
    assert!(count(|fight| fight.riders.iter().any(|rider| rider.1 && rider.2 != 0)) > 50);
}

/// More armour never helps the attacker and advantage never hurts. This holds for the whole
/// distribution of a turn if each rider has only one attack that may use it: the attacks are then
/// independent, and a better roll only raises each of them. (A rider with a choice of attacks may
/// gain by a miss, as below.)
#[test]
fn monotone() {
    fn property(mut fight: Fight) -> TestResult {
        let attacks = fight.attacks.len() as u32;
        for rider in &mut fight.riders {
            rider.2 = 1 << (rider.2 % attacks);
        }
        let law = |ac, die| {
            let turn = fight.turn_with(die);
            turn.law(&fight.target().with_ac(ac)).unwrap()
        };
        let plain = law(fight.ac, D20::Plain);
        let armoured = law(fight.ac + 1, D20::Plain);
        TestResult::from_bool(
            plain.dominates(&armoured) && law(fight.ac, D20::Advantage).dominates(&plain),
        )
    }
    QuickCheck::new()
        .tests(150)
        .quickcheck(property as fn(Fight) -> TestResult);
}

/// The first attack does no damage of its own but uses the rider, 1d6 with mean 7/2. If it misses,
/// two attacks that fail only on a 1 may use it, each for (18 · 7/2 + 1 · 7)/20 = 7/2: in total
/// 7/2 · 21/20, more than a hit of the first. A point of armour that affects only the first attack
/// thus raises the mean by (7/2)/400.
#[test]
fn armour_may_save_a_rider_for_a_better_attack() {
    let attack = |to_hit| {
        let damage = Damage::dice(1, 1).unwrap().flat(-1);
        let attack = Attack::new("Touch").unwrap().to_hit(to_hit);
        attack.damage(damage.of(DamageType::Piercing))
    };
    let sneak = Rider::new("Sneak Attack", Damage::dice(1, 6).unwrap()).unwrap();
    let turn = Turn::new().attack(attack(1)).attacks(2, attack(9));
    let turn = turn.rider(sneak);
    let mean = |ac| turn.mean(&Target::new(ac)).unwrap();
    assert_eq!(mean(8), BigRational::new(1551.into(), 400.into()));
    assert_eq!(mean(9), BigRational::new(3109.into(), 800.into()));
}

#[test]
fn tables_are_the_means() {
    let sword = Attack::new("Greatsword").unwrap().to_hit(7);
    let sword = sword.damage("2d6 + 4 slashing".parse().unwrap());
    let sneak = Rider::new("Sneak Attack", Damage::dice(3, 6).unwrap()).unwrap();
    let builds = [
        Turn::new().attacks(2, sword.clone()),
        Turn::new().attacks(2, sword.clone().power_attack()),
        Turn::new()
            .attacks(3, sword.clone())
            .rider(sneak.taken(RiderUse::HeldForCritical)),
        Turn::from(
            SaveEffect::new("Fireball", Ability::Dexterity, 15)
                .unwrap()
                .damage("8d6 fire".parse().unwrap()),
        ),
        Turn::new(),
    ];
    let table = dpr_table(5..=30, &builds).unwrap();
    let float = dpr_table_f64(5..=30, &builds).unwrap();
    assert_eq!(table.dim(), (26, 5));
    for ((row, column), mean) in table.indexed_iter() {
        let target = Target::new(row as i64 + 5);
        assert_eq!(*mean, builds[column].law(&target).unwrap().mean());
        assert_eq!(float[[row, column]], mean.to_f64().unwrap());
    }
    let rows = crossover(5..=30, &builds[1], &builds[0]).unwrap();
    for row in &rows {
        let at = (row.ac - 5) as usize;
        assert_eq!(
            (&row.first, &row.second),
            (&table[[at, 1]], &table[[at, 0]])
        );
    }
    // By hand: if n of 20 rolls hit, the doubled means are 11 n + 7 and 21 m + 7, where m = n − 5
    // as long as both are within 1 to 19: 21 (n − 5) > 11 n if n > 10.5, up to AC 17.
    assert_eq!(
        break_even(5..=30, &builds[1], &builds[0]).unwrap(),
        [18, 27]
    );
}

#[test]
fn recharge() {
    let breath = SaveEffect::new("Breath", Ability::Dexterity, 13).unwrap();
    let breath = Turn::from(breath.damage("4d6 acid".parse().unwrap()));
    let bite = Attack::new("Bite")
        .unwrap()
        .to_hit(5)
        .damage("1d10 + 3".parse().unwrap());
    let bite = Turn::from(bite);
    let target = Target::new(15);
    let (with, without) = (breath.law(&target).unwrap(), bite.law(&target).unwrap());
    for from in 1..=6 {
        let recharge = Recharge::on(from).unwrap();
        let turns = RechargeTurn::new(recharge, breath.clone(), bite.clone());
        let chance = i64::from(7 - from);
        let mixed = Dist::mixture([(chance, with.clone()), (6 - chance, without.clone())]);
        assert_eq!(turns.law(&target, 1).unwrap(), with);
        assert_eq!(turns.law(&target, 7).unwrap(), mixed.clone().unwrap());
        assert_eq!(turns.stationary(&target).unwrap(), mixed.unwrap());
        // The chain step by step: available, used, rolled for, and so on.
        let mut there = Dist::certain((true, 0_i64));
        for turn in 1..=5 {
            let available = BigRational::new(if turn == 1 { 6 } else { chance }.into(), 6.into());
            assert_eq!(there.first().p(&true), available);
            assert_eq!(recharge.available(turn), available);
            there = there
                .and_then(|&(there, uses)| {
                    let uses = uses + i64::from(there);
                    // It is used whenever it is available.
                    Ok(recharge.start(false).unwrap().map(|&next| (next, uses)))
                })
                .unwrap();
            assert_eq!(there.second(), recharge.uses(turn).unwrap());
        }
    }
    assert_eq!(Recharge::on(0), Err(Error::RechargeRange { given: 0 }));
}

/// Ten attacks with advantage: the distribution is the tenth power of that of one attack.
#[test]
fn ten_attacks() {
    let attack = Attack::new("Greatsword")
        .unwrap()
        .to_hit(7)
        .die(D20::Advantage);
    let attack = attack.damage("2d6 + 5 slashing".parse().unwrap());
    let target = Target::new(18);
    let law = Turn::new()
        .attacks(10, attack.clone())
        .law(&target)
        .unwrap();
    let mut expected = Dist::certain(0);
    for _ in 0..10 {
        expected = expected.matfold(&attack.law(&target).unwrap()).unwrap();
    }
    assert_eq!(law, expected);
    assert_eq!(law.mean().to_string(), "3873/40");
}

/// Regression test: a rider that waits for a critical hit was spent on one that adamantine armour
/// had turned into a normal hit.
#[test]
fn nobody_waits_for_critical_hits_that_there_cannot_be() -> Result<(), Error> {
    // Every roll of 2 to 20 is a critical hit for 1 point; the rider adds 10.
    let blade = Attack::new("Blade")?
        .to_hit(10)
        .critical_from(2)?
        .damage("1".parse()?);
    let rider = Rider::new("Smite", "10".parse()?)?.taken(RiderUse::HeldForCritical);
    let turn = Turn::new().attacks(2, blade).rider(rider);
    let taken = |defenses: Defenses| -> Result<String, Error> {
        let law = turn.law(&Target::new(12).defenses(defenses))?;
        Ok(law.at_least(&10).to_string())
    };
    // The first critical hit uses it; without one, the last attack does if it hits.
    assert_eq!(taken(Defenses::new())?, "399/400");
    assert_eq!(taken(Defenses::new().without_critical_hits())?, "19/20");
    Ok(())
}

/// Regression test: effects usable every turn were available to recharging actions only.
#[test]
fn effects_at_will() -> Result<(), Error> {
    let effect = |name: &str, damage: &str| {
        let effect = SaveEffect::new(name, Ability::Dexterity, 11)?.damage(damage.parse()?);
        Ok::<_, Error>(effect.on_success(OnSuccess::Nothing))
    };
    let (flame, ray) = (effect("Flame", "1d8 radiant")?, effect("Ray", "3 cold")?);
    let mace = Attack::new("Mace")?.to_hit(2).damage("1d6".parse()?);
    let priest = Combatant::new("Priest", 13, HitPoints::fixed(9)?)?;
    let target = Target::new(12).save(Ability::Dexterity, 3);
    let only = priest.clone().effect(flame.clone()).effect(ray.clone());
    assert_eq!(only.turn()?.law(&target)?, flame.law(&target)?);
    let armed = only.clone().attack(mace.clone());
    assert_eq!(armed.turn()?.law(&target)?, mace.law(&target)?);
    let all = armed.clone().multiattack(["Ray", "Mace", "Ray"])?;
    let expected = Dist::sum(&[ray.law(&target)?.repeat(2)?, mace.law(&target)?])?;
    assert_eq!(all.turn()?.law(&target)?, expected);
    let unknown = armed.clone().multiattack(["Beam"]);
    assert!(matches!(unknown, Err(Error::UnknownAttack { .. })));
    let twice = armed.effect(effect("Mace", "9")?).multiattack(["Mace"]);
    assert!(matches!(twice, Err(Error::AmbiguousAttack { .. })));
    // Also in encounters, and while the creature waits for something else to recharge.
    let foe = Combatant::new("Thug", 11, HitPoints::fixed(7)?)?.attack(mace);
    let fight = Encounter::new([all.clone()], [foe.clone()])?.order([0, 1])?;
    assert_eq!(
        fight.win()?,
        all.duel(&foe)?.ending()?.chance(Winner::First)
    );
    let blast: Turn = effect("Blast", "20 fire")?.into();
    let waiting = only.recharging(Recharge::on(6)?, blast);
    assert_eq!(waiting.turn_number(2, &foe)?.p(&20).to_string(), "1/12");
    assert_eq!(waiting.turn_number(2, &foe)?.p(&8).to_string(), "5/96");
    Ok(())
}
