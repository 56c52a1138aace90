//! A slow, simple oracle: every roll is made, sorted and compared, and every battle is followed
//! throw by throw in fractions.

use std::collections::HashMap;

use num_bigint::BigUint;
use num_rational::BigRational;
use oddsmith_dice::Dist;
use oddsmith_mdp::Solver;
use oddsmith_risk::{Battle, Forces, Reading, Rules, Side, Throw};
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult};

/// A throw small enough to enumerate.
#[derive(Clone, Debug)]
struct Small {
    dice: [u32; 2],
    sides: [u32; 2],
    ties_to: Side,
    bonus: [Vec<i32>; 2],
    reading: Reading,
}

const READINGS: [Reading; 4] = [
    Reading::Unclamped,
    Reading::Clamped,
    Reading::Sorted,
    Reading::ClampedAndSorted,
];

impl Arbitrary for Small {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut pick = |range: std::ops::RangeInclusive<i32>| -> i32 {
            let all: Vec<i32> = range.collect();
            *g.choose(&all).unwrap()
        };
        let mut list = || (0..pick(0..=4)).map(|_| pick(-3..=3)).collect();
        let bonus = [list(), list()];
        Small {
            dice: [pick(1..=4) as u32, pick(1..=4) as u32],
            sides: [pick(1..=4) as u32, pick(1..=4) as u32],
            ties_to: [Side::Attacker, Side::Defender][pick(0..=1) as usize],
            bonus,
            // Half of them are unclamped, if there is more than one way to count.
            reading: READINGS[(pick(0..=5) - 2).max(0) as usize],
        }
    }
}

impl Small {
    fn rules(&self) -> Rules {
        Rules::standard()
            .sides(self.sides[0], self.sides[1])
            .unwrap()
            .ties_to(self.ties_to)
            .attack_bonus(self.bonus[0].clone())
            .defence_bonus(self.bonus[1].clone())
            .reading(self.reading)
    }

    fn law(&self) -> Dist<u32> {
        let [attack, defence] = self.dice;
        Throw::new(attack, defence)
            .unwrap()
            .rules(self.rules())
            .law()
            .unwrap()
    }

    /// Counts by the pairs that the attacker wins.
    fn enumerated(&self) -> Vec<u64> {
        let [attack, defence] = self.dice;
        let mut counts = vec![0; attack.min(defence) as usize + 1];
        for a in 0..self.sides[0].pow(attack) {
            for d in 0..self.sides[1].pow(defence) {
                let sorted = |mut roll: u32, side: usize| {
                    let mut faces: Vec<i32> = Vec::new();
                    for _ in 0..self.dice[side] {
                        faces.push((roll % self.sides[side]) as i32 + 1);
                        roll /= self.sides[side];
                    }
                    faces.sort_by_key(|face| -face);
                    for (face, bonus) in faces.iter_mut().zip(&self.bonus[side]) {
                        *face += bonus;
                        if [Reading::Clamped, Reading::ClampedAndSorted].contains(&self.reading) {
                            *face = (*face).clamp(1, self.sides[side] as i32);
                        }
                    }
                    if [Reading::Sorted, Reading::ClampedAndSorted].contains(&self.reading) {
                        faces.sort_by_key(|face| -face);
                    }
                    faces
                };
                let pairs = sorted(a, 0).into_iter().zip(sorted(d, 1));
                let won = pairs.filter(|&(mine, theirs)| match self.ties_to {
                    Side::Attacker => mine >= theirs,
                    Side::Defender => mine > theirs,
                });
                counts[won.count()] += 1;
            }
        }
        counts
    }
}

fn check(property: fn(Small) -> TestResult, cases: u64) {
    QuickCheck::new().tests(cases).quickcheck(property);
}

#[test]
fn law_equals_enumeration() {
    fn property(small: Small) -> TestResult {
        let counts = small.enumerated();
        let expected = Dist::from_weights((0..).zip(counts.iter().copied())).unwrap();
        let law = small.law();
        TestResult::from_bool(law == expected && law.total() == &counts.iter().sum::<u64>().into())
    }
    check(property, 1000);
}

/// The generator covers the difficult cases: bonuses that differ by rank, on ranks where the other
/// side's die comes first.
#[test]
fn generator_reaches_unlike_bonuses() {
    // A fixed seed: rare cases must not make the test fail at random.
    let mut g = Gen::from_size_and_seed(10, 1);
    let unlike = (0..5000).map(|_| Small::arbitrary(&mut g)).filter(|small| {
        let net = |rank: usize| {
            let [attack, defence] =
                [0, 1].map(|side| small.bonus[side].get(rank).copied().unwrap_or(0));
            attack - defence
        };
        let pairs = small.dice[0].min(small.dice[1]) as usize;
        pairs >= 3 && net(0) != net(1) && net(1) != net(2) && small.sides.iter().all(|&s| s > 2)
    });
    assert!(unlike.count() >= 20);
}

/// The defender's wins are the attacker's after exchanging the sides.
#[test]
fn changing_places() {
    fn property(small: Small) -> TestResult {
        let pairs = small.dice[0].min(small.dice[1]);
        let mut other = small.clone();
        other.dice.reverse();
        other.sides.reverse();
        other.bonus.reverse();
        other.ties_to = match small.ties_to {
            Side::Attacker => Side::Defender,
            Side::Defender => Side::Attacker,
        };
        TestResult::from_bool(small.law() == other.law().map(|lost| pairs - lost))
    }
    check(property, 200);
}

/// A bonus, a tie or an additional die never hurts. (An additional die for the attacker leaves the
/// number of pairs unchanged only if there are already as many.)
#[test]
fn monotone() {
    fn property(small: Small) -> TestResult {
        let law = small.law();
        let mut bonus = small.clone();
        bonus.bonus[0] = (0..4)
            .map(|rank| 1 + small.bonus[0].get(rank).copied().unwrap_or(0))
            .collect();
        let mut ties = small.clone();
        ties.ties_to = Side::Attacker;
        let mut die = small.clone();
        die.dice[0] += 1;
        let more = small.dice[0] < small.dice[1] || die.law().dominates(&law);
        TestResult::from_bool(bonus.law().dominates(&law) && ties.law().dominates(&law) && more)
    }
    check(property, 200);
}

/// Equal bonuses for both sides change nothing (Georgiou, section 7.2).
#[test]
fn equal_bonuses_cancel() {
    for attack in 1..=3 {
        for defence in 1..=2 {
            let plain = Throw::new(attack, defence).unwrap();
            let both = Rules::standard().attack_bonus([1]).defence_bonus([1]);
            assert_eq!(
                plain.law().unwrap(),
                plain.clone().rules(both).law().unwrap()
            );
        }
    }
}

/// One die each: P(attack above defence) in closed form, for dice of any size.
#[test]
fn one_die_each() {
    for (attack, defence) in [(6_u64, 6_u64), (6, 8), (1000, 7), (1, 1), (99_999, 100_000)] {
        let rules = Rules::standard()
            .sides(attack as u32, defence as u32)
            .unwrap();
        let law = Throw::new(1, 1).unwrap().rules(rules).law().unwrap();
        // Face x wins against min(x − 1, defence) faces.
        let won: u64 = (1..=attack).map(|face| (face - 1).min(defence)).sum();
        assert_eq!(
            law.p(&1),
            BigRational::new(won.into(), (attack * defence).into())
        );
    }
}

/// Coins, where only the number of heads matters: the attacker wins rank k with at least k heads
/// against fewer.
#[test]
fn coins_by_binomials() {
    let binomial = |n: u32, k: u32| (0..k).fold(BigUint::from(1_u8), |c, i| c * (n - i) / (i + 1));
    let (attack, defence) = (17_u32, 13_u32);
    let mut counts = vec![BigUint::default(); 14];
    for mine in 0..=attack {
        for theirs in 0..=defence {
            let won = mine.min(defence).saturating_sub(theirs) as usize;
            counts[won] += binomial(attack, mine) * binomial(defence, theirs);
        }
    }
    let expected = Dist::from_weights((0_u32..).zip(counts)).unwrap();
    let coins = Rules::standard().sides(2, 2).unwrap();
    let throw = Throw::new(attack, defence).unwrap().rules(coins);
    assert_eq!(throw.law().unwrap(), expected);
}

/// The probability of winning, by recursion over enumerated throws in fractions.
fn recursion(
    forces: [u32; 2],
    rules: &Small,
    max: [u32; 2],
    known: &mut HashMap<[u32; 2], BigRational>,
) -> BigRational {
    if forces.contains(&0) {
        return BigRational::from_integer(u8::from(forces[1] == 0).into());
    }
    if let Some(value) = known.get(&forces) {
        return value.clone();
    }
    let dice = [forces[0].min(max[0]), forces[1].min(max[1])];
    let counts = Small {
        dice,
        ..rules.clone()
    }
    .enumerated();
    let total: u64 = counts.iter().sum();
    let mut value = BigRational::default();
    for (won, &count) in counts.iter().enumerate() {
        let lost = dice[0].min(dice[1]) - won as u32;
        let after = [forces[0] - lost, forces[1] - won as u32];
        if count > 0 {
            let chance = BigRational::new(count.into(), total.into());
            value += chance * recursion(after, rules, max, known);
        }
    }
    known.insert(forces, value.clone());
    value
}

#[test]
fn battles_equal_recursion() {
    fn property(small: Small, attackers: u8, defenders: u8) -> TestResult {
        let forces = [attackers % 5 + 1, defenders % 5 + 1].map(u32::from);
        let max = small.dice;
        let rules = small.rules().max_dice(max[0], max[1]).unwrap();
        let battle = Battle::new(forces[0], forces[1]).unwrap().rules(rules);
        let expected = recursion(forces, &small, max, &mut HashMap::new());
        // As a box and as a graph.
        let game = battle.game().unwrap();
        let explored = Solver::exact()
            .solve(&game, battle.forces())
            .unwrap()
            .value();
        TestResult::from_bool(battle.win().unwrap() == expected && explored == expected)
    }
    QuickCheck::new()
        .tests(60)
        .quickcheck(property as fn(Small, u8, u8) -> TestResult);
}

/// One more attacker never hurts and one more defender never helps the attackers, although all must
/// throw as many dice as they can. Checked, not proved.
#[test]
fn numbers_help() {
    for rules in [
        Rules::standard(),
        Rules::georgiou(),
        Rules::standard().attack_bonus([1]),
    ] {
        let solution = Battle::new(30, 30)
            .unwrap()
            .rules(rules)
            .solve_with(Solver::exact())
            .unwrap();
        let win = |attackers, defenders| {
            solution
                .value_of(&Forces {
                    attackers,
                    defenders,
                })
                .unwrap()
        };
        for a in 1..30 {
            for d in 1..30 {
                assert!(win(a + 1, d) > win(a, d), "{a} {d}");
                assert!(win(a, d + 1) < win(a, d), "{a} {d}");
            }
        }
    }
}

/// Georgiou's section 7.5: with a bonus of 2 the defender does better with one die than with two.
/// Under these rules, where a single attacker meets one die anyway, this also holds for whole
/// battles.
#[test]
fn hero_in_a_fortress_throws_one_die() {
    let two = Rules::georgiou().defence_bonus([2]);
    let one = two.clone().max_dice(3, 1).unwrap();
    let [one, two] = [one, two].map(|rules| {
        let battle = Battle::new(12, 12).unwrap().rules(rules);
        battle.solve_with(Solver::exact()).unwrap()
    });
    for attackers in 2..=12 {
        for defenders in 2..=12 {
            let forces = Forces {
                attackers,
                defenders,
            };
            assert!(
                one.value_of(&forces).unwrap() < two.value_of(&forces).unwrap(),
                "{forces:?}"
            );
        }
    }
}

/// All sorted results of this many dice, highest first, with the number of rolls of each.
fn sorted_rolls(dice: u64, highest: u64) -> Vec<(Vec<u64>, u64)> {
    if dice == 0 || highest == 0 {
        return if dice == 0 {
            vec![(Vec::new(), 1)]
        } else {
            Vec::new()
        };
    }
    let mut all = Vec::new();
    for shown in 0..=dice {
        let choose = (0..shown).fold(1, |ways, k| ways * (dice - k) / (k + 1));
        for (lower, rolls) in sorted_rolls(dice - shown, highest - 1) {
            let faces = std::iter::repeat_n(highest, shown as usize).chain(lower);
            all.push((faces.collect(), choose * rolls));
        }
    }
    all
}

/// 27 million pairs of sorted rolls.
#[test]
fn twelve_against_eleven() {
    let (attack, defence) = (sorted_rolls(12, 6), sorted_rolls(11, 6));
    assert_eq!((attack.len(), defence.len()), (6188, 4368));
    let mut counts = [0_u64; 12];
    for (mine, often) in &attack {
        for (theirs, times) in &defence {
            let won = mine.iter().zip(theirs).filter(|(a, d)| a > d).count();
            counts[won] += often * times;
        }
    }
    let law = Throw::new(12, 11).unwrap().law().unwrap();
    let expected = counts.map(BigUint::from);
    assert!(law.weights().eq(expected.iter()));
}
