//! Evasion, compared with recursions that share nothing with the solver.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use oddsmith_lonewolf::{Clash, Combat, CombatTable, Fate, Loss, Stance};
use quickcheck::{Arbitrary, Gen, QuickCheck};

/// The parameters of a combat, and the values of what follows.
#[derive(Clone, Debug)]
struct Flight {
    ratio: i32,
    hero: i64,
    foe: i64,
    mindblast: u16,
    double: bool,
    after: u16,
    won: [u8; 3],
    fled: [u8; 3],
}

impl Arbitrary for Flight {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut below = |bound: u8| i64::from(u8::arbitrary(g) % bound);
        Flight {
            ratio: below(25) as i32 - 12,
            hero: below(14) + 1,
            foe: below(20) + 1,
            mindblast: [0, 0, 2][below(3) as usize],
            double: below(3) == 0,
            after: below(4) as u16,
            won: std::array::from_fn(|_| below(10) as u8),
            fled: std::array::from_fn(|_| below(10) as u8),
        }
    }
}

fn worth(table: [u8; 3], left: i64) -> BigRational {
    // Any function will do, including one that falls as ENDURANCE rises.
    let tenths = i64::from(table[(left % 3) as usize]) + left / 4;
    BigRational::new(tenths.into(), 10.into())
}

impl Flight {
    fn combat(&self) -> Combat {
        let combat = Combat::new(20 + self.ratio, self.hero, 20, self.foe)
            .unwrap()
            .enemy_mindblast(self.mindblast);
        match self.double {
            true => combat.double_damage(),
            false => combat,
        }
    }

    fn rounds(&self, hero: i64, foe: i64) -> Vec<(i64, i64)> {
        let points = |loss| match loss {
            Loss::Points(points) => i64::from(points),
            Loss::Killed => 1_000_000,
        };
        let table = CombatTable::standard();
        (0..10)
            .map(|number| {
                let exchange = table.exchange(self.ratio.into(), number).unwrap();
                let dealt = points(exchange.foe) * if self.double { 2 } else { 1 };
                let taken = points(exchange.hero) + i64::from(self.mindblast);
                ((hero - taken).max(0), (foe - dealt).max(0))
            })
            .collect()
    }

    /// The value by plain recursion from the top, with unlimited rounds.
    fn value(
        &self,
        stance: Stance,
        state: (i64, i64, u16),
        known: &mut HashMap<(i64, i64, u16), BigRational>,
    ) -> BigRational {
        if let Some(value) = known.get(&state) {
            return value.clone();
        }
        let (hero, foe, round) = state;
        let ten = BigRational::from_integer(BigInt::from(10));
        let mut stand = BigRational::zero();
        let mut flee = BigRational::zero();
        for (left, other) in self.rounds(hero, foe) {
            if left > 0 {
                flee += worth(self.fled, left) / &ten;
                stand += match other {
                    0 => worth(self.won, left),
                    _ => self.value(stance, (left, other, round + 1), known),
                } / &ten;
            }
        }
        let value = match stance {
            _ if round < self.after => stand,
            Stance::Best => stand.max(flee),
            Stance::Fight => stand,
            Stance::Evade => flee,
        };
        known.insert(state, value.clone());
        value
    }
}

#[test]
fn every_stance_is_worth_what_plain_recursion_says() {
    fn property(flight: Flight) -> bool {
        let evasion = flight.combat().evade_after(flight.after).worth(
            |left| worth(flight.won, left.into()),
            |left| worth(flight.fled, left.into()),
        );
        let mut values = Vec::new();
        for stance in [Stance::Best, Stance::Fight, Stance::Evade] {
            let mut known = HashMap::new();
            let value = flight.value(stance, (flight.hero, flight.foe, 0), &mut known);
            let odds = evasion.clone().stance(stance).odds().unwrap();
            let float = evasion.clone().stance(stance).odds_f64().unwrap();
            let near = float.value() - value.to_f64().unwrap();
            // The distribution of the outcomes has the same value.
            let mut sum = BigRational::zero();
            let fates = odds.fates().unwrap();
            for fate in fates.outcomes() {
                sum += fates.p(fate)
                    * match *fate {
                        Fate::Dead => BigRational::zero(),
                        Fate::Away(left) => worth(flight.fled, left.into()),
                        Fate::Won(left) => worth(flight.won, left.into()),
                    };
            }
            if odds.value() != value || near.abs() > 1e-13 || sum != value {
                return false;
            }
            values.push(value);
        }
        values[0] >= values[1] && values[0] >= values[2]
    }
    QuickCheck::new()
        .tests(200)
        .quickcheck(property as fn(Flight) -> bool);
}

/// The hero evades exactly where that is worth more.
#[test]
fn decisions_are_those_of_the_values() {
    let flight = Flight {
        ratio: -3,
        hero: 13,
        foe: 17,
        mindblast: 0,
        double: false,
        after: 2,
        won: [10, 8, 9],
        fled: [5, 6, 4],
    };
    let odds = flight.combat().evade_after(2).worth(
        |left| worth(flight.won, left.into()),
        |left| worth(flight.fled, left.into()),
    );
    let odds = odds.odds().unwrap();
    let (mut runs, mut stands) = (0, 0);
    for (clash, value) in odds.solution().states() {
        let Clash {
            hero,
            foe,
            rounds,
            away,
        } = clash;
        if hero == 0 || foe == 0 || away {
            assert!(!odds.evades(&clash).unwrap());
            continue;
        }
        let ten = BigRational::from_integer(BigInt::from(10));
        let flee: BigRational = flight
            .rounds(hero.into(), foe.into())
            .into_iter()
            .filter(|&(left, _)| left > 0)
            .map(|(left, _)| worth(flight.fled, left) / &ten)
            .sum();
        let mut known = HashMap::new();
        let here = flight.value(Stance::Best, (hero.into(), foe.into(), rounds), &mut known);
        assert_eq!(value, here);
        let evades = odds.evades(&clash).unwrap();
        if rounds < 2 {
            assert!(!evades);
        } else if evades {
            assert_eq!(here, flee);
            runs += 1;
        } else {
            assert!(here >= flee);
            stands += 1;
        }
    }
    assert!(runs > 10 && stands > 10, "{runs} {stands}");
}

/// If evasion is allowed only after more rounds than a combat can last, it makes no difference.
#[test]
fn evasion_that_comes_too_late_is_none() {
    let combat = Combat::new(15, 12, 16, 14).unwrap();
    let late = combat.evade_after(u16::MAX).odds().unwrap();
    assert_eq!(late.value(), combat.win().unwrap());
    let law = combat.odds().unwrap().endurance_left().unwrap();
    assert_eq!(late.endurance_left().unwrap(), law);
}

/// Floats are within the documented bound, also where worths are below 0.
#[test]
fn floats_of_evasions_are_within_their_bound() {
    for (after, worth) in [(0, 3), (4, 1), (2, -7)] {
        let combat = Combat::new(13, 30, 16, 41).unwrap();
        let evasion = combat.evade_after(after).worth(|left| left, |_| worth);
        let (exact, float) = (evasion.odds().unwrap(), evasion.odds_f64().unwrap());
        let unit = 1.01 * f64::from(13 * (30 + 41) + 1) * f64::EPSILON / 2.0;
        let most = match worth < 0 {
            true => unit * 30.0,
            false => unit * float.value(),
        };
        let error = float.solution().error(&evasion.start()).unwrap();
        assert!(error <= most, "{error} {most}");
        let off = BigRational::from_float(float.value()).unwrap() - exact.value();
        assert!(off.to_f64().unwrap().abs() <= error);
    }
}
