//! Comparison with an enumeration of all faces of all dice, and with the formulas of the source as
//! printed.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_rational::BigRational;
use oddsmith_dice::Dist;
use oddsmith_dnd::{AttackRoll, D20, Damage, Outcome, activate, attack_damage};
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult};

/// An attack small enough to be enumerated.
#[derive(Clone, Debug)]
struct Small {
    ac: i64,
    bonus: i64,
    die: D20,
    critical_from: u32,
    dice: Vec<i64>,
    undoubled: Vec<i64>,
    on_critical: Vec<i64>,
    flat: i64,
}

impl Arbitrary for Small {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut pick = |low: i64, high: i64| {
            let all: Vec<i64> = (low..=high).collect();
            *g.choose(&all).unwrap()
        };
        let mut dice = |most| (0..pick(0, most)).map(|_| pick(1, 4)).collect();
        let (dice, undoubled, on_critical) = (dice(2), dice(1), dice(1));
        Small {
            ac: pick(-3, 30),
            bonus: pick(-3, 12),
            die: [D20::Plain, D20::Advantage, D20::Disadvantage][pick(0, 2) as usize],
            critical_from: pick(2, 20) as u32,
            dice,
            undoubled,
            on_critical,
            flat: pick(-6, 6),
        }
    }
}

/// Every roll of these dice, as its sum.
fn sums(dice: &[i64]) -> Vec<i64> {
    let roll = |sums: Vec<i64>, &sides: &i64| {
        let add = |sum: i64| (1..=sides).map(move |face| sum + face);
        sums.into_iter().flat_map(add).collect()
    };
    dice.iter().fold(vec![0], roll)
}

fn sum_of(dice: &[i64]) -> Dist<i64> {
    Dist::uniform(sums(dice)).unwrap()
}

impl Small {
    fn roll(&self) -> AttackRoll {
        let roll = AttackRoll::new(self.ac, self.bonus).die(self.die);
        roll.critical_from(self.critical_from).unwrap()
    }

    fn law(&self) -> Dist<i64> {
        let damage = Damage::new(sum_of(&self.dice)).unwrap().flat(self.flat);
        let damage = damage.undoubled(sum_of(&self.undoubled)).unwrap();
        let damage = damage.on_critical(sum_of(&self.on_critical)).unwrap();
        attack_damage(&self.roll(), &damage).unwrap()
    }

    /// The rules of the game, implemented independently for every pair of d20 rolls.
    fn outcome(&self, first: i64, second: i64) -> Outcome {
        let natural = match self.die {
            D20::Plain => first,
            D20::Advantage => first.max(second),
            D20::Disadvantage => first.min(second),
            D20::ElvenAccuracy => unreachable!("three dice are enumerated in d20_options"),
        };
        if natural == 20 {
            Outcome::Critical
        } else if natural == 1 || natural + self.bonus < self.ac {
            Outcome::Miss
        } else if natural >= i64::from(self.critical_from) {
            Outcome::Critical
        } else {
            Outcome::Hit
        }
    }

    fn enumerated(&self) -> BTreeMap<i64, BigRational> {
        let mut law = BTreeMap::new();
        for first in 1..=20 {
            for second in 1..=20 {
                let dice = match self.outcome(first, second) {
                    Outcome::Miss => None,
                    Outcome::Hit => Some([&self.dice[..], &self.undoubled].concat()),
                    Outcome::Critical => Some(
                        [
                            &self.dice[..],
                            &self.dice,
                            &self.undoubled,
                            &self.on_critical,
                        ]
                        .concat(),
                    ),
                };
                let damage = dice.map_or(vec![0], |dice| {
                    sums(&dice).iter().map(|sum| sum + self.flat).collect()
                });
                let chance = BigRational::new(1.into(), (400 * damage.len()).into());
                for damage in damage {
                    *law.entry(damage.max(0))
                        .or_insert_with(BigRational::default) += &chance;
                }
            }
        }
        law
    }
}

fn check(property: fn(Small) -> TestResult, cases: u64) {
    QuickCheck::new().tests(cases).quickcheck(property);
}

#[test]
fn law_equals_enumeration() {
    fn property(small: Small) -> TestResult {
        let (law, expected) = (small.law(), small.enumerated());
        let same = |(damage, chance): (&i64, &BigRational)| &law.p(damage) == chance;
        TestResult::from_bool(law.len() == expected.len() && expected.iter().all(same))
    }
    check(property, 60);
}

#[test]
fn outcomes_equal_enumeration() {
    fn property(small: Small) -> TestResult {
        let mut counts = [0_u64; 3];
        for first in 1..=20 {
            for second in 1..=20 {
                counts[small.outcome(first, second) as usize] += 1;
            }
        }
        let roll = small.roll();
        let [miss, hit, critical] = counts.map(|count| BigRational::new(count.into(), 400.into()));
        let law = roll.law().unwrap();
        TestResult::from_bool(
            [roll.miss(), roll.hit(), roll.critical()] == [miss.clone(), hit.clone(), critical]
                && law.p(&Outcome::Miss) == miss
                && law.p(&Outcome::Hit) == hit
                && roll.counts().0.iter().sum::<BigUint>() == roll.counts().1,
        )
    }
    check(property, 300);
}

/// The generator covers the difficult cases: a critical range that partly misses, and damage that
/// would be negative.
#[test]
fn generator_reaches_the_corners() {
    // A fixed seed: rare cases must not make the test fail at random.
    let mut g = Gen::from_size_and_seed(10, 1);
    let cases: Vec<Small> = (0..3000).map(|_| Small::arbitrary(&mut g)).collect();
    let cut = |small: &&Small| {
        let least = small.ac - small.bonus;
        i64::from(small.critical_from) < least && least < 20
    };
    assert!(cases.iter().filter(cut).count() > 50);
    let clamped = |small: &&Small| small.dice.len() as i64 + small.flat < 0;
    assert!(cases.iter().filter(clamped).count() > 50);
}

/// M, H and C of section 3.2 as printed, over the range checked in the source.
#[test]
fn printed_chances() {
    let twentieth = |n: i64| BigRational::new(n.into(), 20.into());
    for ac in -5..=44 {
        for atk in -5..=19 {
            let margin = ac - atk - 1;
            let (m, h) = match margin {
                1..=19 => (twentieth(margin), twentieth(20 - margin - 1)),
                ..1 => (twentieth(1), twentieth(18)),
                20.. => (twentieth(19), twentieth(0)),
            };
            let roll = AttackRoll::new(ac, atk);
            assert_eq!(
                [roll.miss(), roll.hit(), roll.critical()],
                [m, h, twentieth(1)]
            );
        }
    }
}

/// M·Z + H·shift(D, F) + C·shift(matfold(D, D), F) as printed, where F ≥ 0.
#[test]
fn printed_activate() {
    let d = Dist::ndice(2, 4).unwrap();
    for ac in [1, 8, 15, 21, 28, 40] {
        for flat in 0..=3 {
            let roll = AttackRoll::new(ac, 6);
            let doubled = d.matfold(&d).unwrap();
            let printed = Dist::mixture([
                (roll.miss(), Dist::certain(0)),
                (roll.hit(), d.shift(flat).unwrap()),
                (roll.critical(), doubled.shift(flat).unwrap()),
            ]);
            assert_eq!(activate(&d, flat, ac, 6).unwrap(), printed.unwrap());
        }
    }
}

/// More armour never helps the attacker; advantage, a wider critical range and a point of damage
/// never hurt.
#[test]
fn monotone() {
    fn property(mut small: Small) -> TestResult {
        // Negative damage would reverse the order.
        small.flat = small.flat.abs();
        let law = small.law();
        let with = |change: fn(&mut Small)| {
            let mut changed = small.clone();
            change(&mut changed);
            changed.law()
        };
        let [advantage, plain, disadvantage] = [
            with(|small| small.die = D20::Advantage),
            with(|small| small.die = D20::Plain),
            with(|small| small.die = D20::Disadvantage),
        ];
        TestResult::from_bool(
            law.dominates(&with(|small| small.ac += 1))
                && with(|small| small.bonus += 1).dominates(&law)
                && with(|small| small.flat += 1).dominates(&law)
                && with(|small| small.critical_from = 2.max(small.critical_from - 1))
                    .dominates(&law)
                && advantage.dominates(&plain)
                && plain.dominates(&disadvantage),
        )
    }
    check(property, 100);
}

/// The mean in closed form: H·(D + F) + C·(2D + F), where nothing is clamped.
#[test]
fn mean_damage() {
    fn property(mut small: Small) -> TestResult {
        small.flat = small.flat.abs();
        let mean = |dice: &[i64]| sum_of(dice).mean();
        let number = |n: i64| BigRational::from_integer(n.into());
        let roll = small.roll();
        let once = mean(&small.dice) + mean(&small.undoubled) + number(small.flat);
        let more = mean(&small.dice) + mean(&small.on_critical);
        let expected = (roll.hit() + roll.critical()) * once + roll.critical() * more;
        TestResult::from_bool(small.law().mean() == expected)
    }
    check(property, 100);
}
