//! Combats against slow and plain computations that share nothing with the solver, and theorems
//! about them.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use oddsmith_dice::Dist;
use oddsmith_lonewolf::{Combat, CombatTable, Exchange, Loss};
use oddsmith_mdp::Solver;
use quickcheck::{Arbitrary, Gen, QuickCheck};

/// The parameters of a combat.
#[derive(Clone, Copy, Debug)]
struct Fight {
    ratio: i32,
    hero: u16,
    foe: u16,
    mindblast: u16,
    double: bool,
}

impl Fight {
    fn combat(self) -> Combat {
        let combat = Combat::new(20 + self.ratio, self.hero.into(), 20, self.foe.into()).unwrap();
        let combat = combat.enemy_mindblast(self.mindblast);
        if self.double {
            combat.double_damage()
        } else {
            combat
        }
    }

    /// The result of an exchange, written independently.
    fn after(self, (hero, foe): (i64, i64), exchange: Exchange) -> (i64, i64) {
        let points = |loss| match loss {
            Loss::Points(points) => i64::from(points),
            Loss::Killed => 1_000_000,
        };
        let dealt = points(exchange.foe) * if self.double { 2 } else { 1 };
        let taken = points(exchange.hero) + i64::from(self.mindblast);
        ((hero - taken).max(0), (foe - dealt).max(0))
    }
}

impl Arbitrary for Fight {
    fn arbitrary(g: &mut Gen) -> Self {
        Fight {
            ratio: i32::from(u8::arbitrary(g) % 31) - 15,
            hero: u16::from(u8::arbitrary(g) % 30) + 1,
            foe: u16::from(u8::arbitrary(g) % 40) + 1,
            mindblast: u16::from(u8::arbitrary(g) % 4),
            double: bool::arbitrary(g),
        }
    }
}

/// Round by round, the distribution of both ENDURANCEs; and the chances that the fight goes on,
/// which add up to the expected number of rounds.
fn forward(fight: Fight) -> (Dist<(i64, i64)>, BigRational) {
    let table = CombatTable::standard();
    let roll = Dist::uniform(0..10_u8).unwrap();
    let mut law = Dist::certain((i64::from(fight.hero), i64::from(fight.foe)));
    let mut rounds = BigRational::from_integer(BigInt::ZERO);
    loop {
        let on = law.probability(|&(hero, foe)| hero > 0 && foe > 0);
        if on == BigRational::from_integer(BigInt::ZERO) {
            return (law, rounds);
        }
        rounds += on;
        law = law
            .and_then(|&(hero, foe)| {
                if hero == 0 || foe == 0 {
                    return Ok(Dist::certain((hero, foe)));
                }
                let exchange = |n: &u8| table.exchange(fight.ratio.into(), *n).unwrap();
                Ok(roll.map(|n| fight.after((hero, foe), exchange(n))))
            })
            .unwrap()
            .lowest_terms();
    }
}

#[test]
fn laws_are_those_of_dependent_rolls() {
    fn agrees(fight: Fight) -> bool {
        let odds = fight.combat().odds().unwrap();
        let (law, rounds) = forward(fight);
        let solved = odds.law().unwrap();
        let same =
            |&(hero, foe): &(u16, u16)| solved.p(&(hero, foe)) == law.p(&(hero.into(), foe.into()));
        let mean = odds
            .rounds()
            .unwrap()
            .expectation(|&n| BigRational::from_integer(n.into()));
        solved.len() == law.len()
            && solved.outcomes().all(same)
            && odds.win() == law.probability(|&(hero, _)| hero > 0)
            && odds.expected_rounds().unwrap() == rounds
            && mean == rounds
    }
    QuickCheck::new()
        .tests(60)
        .quickcheck(agrees as fn(Fight) -> bool);
}

/// The chance to win by plain recursion in fractions.
fn recursive(
    fight: Fight,
    state: (i64, i64),
    known: &mut HashMap<(i64, i64), BigRational>,
) -> BigRational {
    if state.0 == 0 || state.1 == 0 {
        return BigRational::from_integer(u8::from(state.0 > 0).into());
    }
    if let Some(value) = known.get(&state) {
        return value.clone();
    }
    let table = CombatTable::standard();
    let round = table.round(fight.ratio.into());
    let sum: BigRational = round
        .iter()
        .map(|&exchange| recursive(fight, fight.after(state, exchange), known))
        .sum();
    let value = sum / BigRational::from_integer(10.into());
    known.insert(state, value.clone());
    value
}

#[test]
fn victories_are_those_of_plain_recursion_and_floats_are_near() {
    fn agrees(fight: Fight) -> bool {
        let start = (fight.hero.into(), fight.foe.into());
        let exact = recursive(fight, start, &mut HashMap::new());
        let combat = fight.combat();
        let float = combat.odds_with(Solver::float()).unwrap();
        let error = float.solution().error(&combat.start()).unwrap();
        let as_float = BigRational::from_float(float.win()).unwrap();
        let distance = if as_float > exact {
            &as_float - &exact
        } else {
            &exact - &as_float
        };
        combat.win().unwrap() == exact
            && error < 1e-13
            && distance <= BigRational::from_float(error).unwrap()
    }
    QuickCheck::new()
        .tests(200)
        .quickcheck(agrees as fn(Fight) -> bool);
}

/// More ENDURANCE, a better ratio and double damage help; a stronger foe and a Mindblast hurt.
/// (Better ratios help because the exchanges of the table improve column by column, for each random
/// number.)
#[test]
fn advantages_never_hurt() {
    fn ordered(fight: Fight) -> bool {
        let victory = |fight: Fight| fight.combat().win().unwrap();
        let value = victory(fight);
        let Fight {
            ratio,
            hero,
            foe,
            mindblast,
            ..
        } = fight;
        victory(Fight {
            hero: hero + 1,
            ..fight
        }) >= value
            && victory(Fight {
                ratio: ratio + 1,
                ..fight
            }) >= value
            && victory(Fight {
                double: true,
                ..fight
            }) >= value
            && victory(Fight {
                foe: foe + 1,
                ..fight
            }) <= value
            && victory(Fight {
                mindblast: mindblast + 1,
                ..fight
            }) <= value
    }
    QuickCheck::new()
        .tests(100)
        .quickcheck(ordered as fn(Fight) -> bool);
}

/// Double losses are equivalent to half the ENDURANCE, rounded up.
#[test]
fn double_damage_is_half_the_endurance() {
    fn same(fight: Fight) -> bool {
        let left = |fight: Fight| fight.combat().odds().unwrap().endurance_left().unwrap();
        let double = left(Fight {
            double: true,
            ..fight
        });
        let half = left(Fight {
            double: false,
            foe: fight.foe.div_ceil(2),
            ..fight
        });
        double.outcomes().all(|e| double.p(e) == half.p(e)) && double.len() == half.len()
    }
    QuickCheck::new()
        .tests(100)
        .quickcheck(same as fn(Fight) -> bool);
}

/// The theorem behind [`advantages_never_hurt`], checked in the table.
#[test]
fn exchanges_get_better_along_the_table() {
    let cost = |loss| match loss {
        Loss::Points(points) => u16::from(points),
        Loss::Killed => u16::MAX,
    };
    let no_worse =
        |a: &Exchange, b: &Exchange| cost(a.foe) >= cost(b.foe) && cost(a.hero) <= cost(b.hero);
    let table = CombatTable::standard();
    for ratio in -12..12 {
        let (round, better) = (table.round(ratio), table.round(ratio + 1));
        assert!(
            round.iter().zip(better).all(|(a, b)| no_worse(b, a)),
            "ratio {ratio}"
        );
        assert!(
            round.windows(2).all(|pair| no_worse(&pair[1], &pair[0])),
            "ratio {ratio}"
        );
    }
}
