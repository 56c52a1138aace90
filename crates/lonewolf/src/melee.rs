//! The distribution of a combat for every ENDURANCE that Lone Wolf may bring to it.

use std::ops::AddAssign;

use num_bigint::BigUint;

use crate::resolve::Bout;
use crate::table::{CombatTable, Loss};

/// A probability that can be divided among ten random numbers: a float, or an integer, which stays
/// an integer as long as it has factors of ten left.
pub(crate) trait Share: Clone + AddAssign {
    fn nothing() -> Self;
    fn tenth(&self) -> Self;
    fn is_nothing(&self) -> bool;
}

impl Share for f64 {
    fn nothing() -> Self {
        0.0
    }
    fn tenth(&self) -> Self {
        self / 10.0
    }
    fn is_nothing(&self) -> bool {
        *self == 0.0
    }
}

impl Share for u128 {
    fn nothing() -> Self {
        0
    }
    fn tenth(&self) -> Self {
        self / 10
    }
    fn is_nothing(&self) -> bool {
        *self == 0
    }
}

impl Share for BigUint {
    fn nothing() -> Self {
        BigUint::ZERO
    }
    fn tenth(&self) -> Self {
        self / 10u8
    }
    fn is_nothing(&self) -> bool {
        *self == BigUint::ZERO
    }
}

/// How a combat ends for a hero with a certain ENDURANCE.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ending<W> {
    /// Won with this much ENDURANCE left, from 0 (which never occurs) up.
    pub(crate) won: Vec<W>,
    /// Evaded with this much ENDURANCE left.
    pub(crate) fled: Vec<W>,
    pub(crate) lost: W,
}

impl Bout {
    /// The largest number of rounds at the beginning that differ from the others.
    pub(crate) fn special(&self) -> u8 {
        let early = self.early.map_or(0, |(_, rounds)| rounds);
        early.max(self.unhurt)
    }

    /// An upper bound on the number of rounds from this ENDURANCE. Every exchange of the table
    /// costs some side something, except in the rounds in which Lone Wolf loses nothing, which may
    /// cost nobody anything.
    pub(crate) fn rounds(&self, table: &CombatTable, endurance: u8) -> u32 {
        if let Some(after) = self.flee {
            return u32::from(after) + 1;
        }
        let column = table.column_at(self.column);
        let points = |loss: Loss| match loss {
            Loss::Points(points) => u32::from(points),
            Loss::Killed => 100,
        };
        let least = column
            .iter()
            .map(|exchange| points(exchange.foe) + points(exchange.hero))
            .min();
        let together = u32::from(self.foe) + u32::from(endurance);
        u32::from(self.special()) + together / least.unwrap_or(1).max(1) + 1
    }

    /// Returns how this combat ends if it begins with `endurance`. `whole` is the total
    /// probability; if it is an integer, it has a factor of ten for each of the
    /// [`rounds`](Bout::rounds).
    pub(crate) fn ending<W: Share>(
        &self,
        table: &CombatTable,
        endurance: u8,
        whole: W,
    ) -> Ending<W> {
        let foes = usize::from(self.foe) + 1;
        let size = usize::from(endurance) + 1;
        let mut ending = Ending {
            won: vec![W::nothing(); size],
            fled: vec![W::nothing(); size],
            lost: W::nothing(),
        };
        let mut grid = vec![W::nothing(); size * foes];
        grid[size * foes - 1] = whole;
        // The rounds that differ from the others, one by one.
        let fixed = self.flee.unwrap_or_else(|| self.special());
        for round in 0..fixed {
            let mut next = vec![W::nothing(); size * foes];
            for hero in 1..size {
                // Added up row by row, which rounds less often than all at once.
                let mut killed = W::nothing();
                for foe in 1..foes {
                    let share = grid[hero * foes + foe].tenth();
                    if share.is_nothing() {
                        continue;
                    }
                    for (hero, foe) in self.exchanges(table, round, hero, foe) {
                        match (hero, foe) {
                            (0, _) => killed += share.clone(),
                            (_, 0) => ending.won[hero] += share.clone(),
                            _ => next[hero * foes + foe] += share.clone(),
                        }
                    }
                }
                ending.lost += killed;
            }
            grid = next;
        }
        // The remaining rounds are all alike: go from high ENDURANCE to low, so that everything has
        // arrived at a state before it is left.
        for hero in (1..size).rev() {
            let mut killed = W::nothing();
            for foe in (1..foes).rev() {
                let share = grid[hero * foes + foe].tenth();
                if share.is_nothing() {
                    continue;
                }
                for (hero, foe) in self.exchanges(table, fixed, hero, foe) {
                    match (hero, foe) {
                        (0, _) => killed += share.clone(),
                        _ if self.flee.is_some() => ending.fled[hero] += share.clone(),
                        (_, 0) => ending.won[hero] += share.clone(),
                        _ => grid[hero * foes + foe] += share.clone(),
                    }
                }
            }
            ending.lost += killed;
        }
        ending
    }

    /// Returns what is left of both sides after a round, for each of the ten numbers.
    pub(crate) fn exchanges<'t>(
        &self,
        table: &'t CombatTable,
        round: u8,
        hero: usize,
        foe: usize,
    ) -> impl Iterator<Item = (usize, usize)> + use<'t> {
        let column = match self.early {
            Some((column, rounds)) if round < rounds => column,
            _ => self.column,
        };
        let factor = if self.doubled { 2 } else { 1 };
        let unhurt = round < self.unhurt;
        let blast = u16::from(self.blast);
        table.column_at(column).iter().map(move |exchange| {
            let foe = exchange.foe.dealt(factor, 0, foe as u16);
            let hero = match unhurt {
                true => hero as u16,
                false => exchange.hero.dealt(1, blast, hero as u16),
            };
            (usize::from(hero), usize::from(foe))
        })
    }
}

/// The distribution of a combat in floats, for every ENDURANCE up to the maximum.
#[derive(Clone, Debug)]
pub(crate) struct Melee {
    pub(crate) endings: Vec<Ending<f64>>,
    /// An upper bound on the number of roundings in any probability here but that of a defeat.
    pub(crate) roundings: u32,
    /// The same for that of a defeat.
    pub(crate) of_defeat: u32,
}

impl Melee {
    pub(crate) fn new(bout: &Bout, table: &CombatTable, lanes: usize) -> Self {
        let endings = (1..=lanes).map(|endurance| bout.ending(table, endurance as u8, 1.0));
        // A share is divided once a round and then added up. A state has at most one state before
        // it for each number, so that is at most ten times a round. At the end, a number comes from
        // as many states as the foe has points, and that again in each round that differs from the
        // others. Defeats are added up for each of the hero's points first.
        let rounds = bout.rounds(table, lanes as u8);
        let special = u32::from(bout.flee.unwrap_or_else(|| bout.special()));
        let row = 10 * u32::from(bout.foe);
        Melee {
            endings: endings.collect(),
            roundings: 11 * rounds + row * (special + 1) + 10,
            of_defeat: 11 * rounds + row + lanes as u32 * (special + 1) + 10,
        }
    }
}

/// Returns the exact distribution from one ENDURANCE, as integers over this power of ten.
pub(crate) fn exact(bout: &Bout, table: &CombatTable, endurance: u8) -> (Ending<BigUint>, u32) {
    let rounds = bout.rounds(table, endurance);
    if rounds > 37 {
        let whole = BigUint::from(10u8).pow(rounds);
        return (bout.ending(table, endurance, whole), rounds);
    }
    let Ending { won, fled, lost } = bout.ending(table, endurance, 10u128.pow(rounds));
    let wide = |weights: Vec<u128>| weights.into_iter().map(BigUint::from).collect();
    let ending = Ending {
        won: wide(won),
        fled: wide(fled),
        lost: lost.into(),
    };
    (ending, rounds)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::Combat;
    use num_rational::BigRational;

    fn bout(column: i8, foe: u8) -> Bout {
        Bout {
            column,
            early: None,
            foe,
            blast: 0,
            doubled: false,
            unhurt: 0,
            flee: None,
        }
    }

    /// The distribution agrees with that of the general solver for the game of rounds.
    #[track_caller]
    fn check(bout: &Bout, endurance: u8, combat: &Combat) {
        let (ending, tens) = exact(bout, &CombatTable::standard(), endurance);
        let odds = combat.odds().unwrap().endurance_left().unwrap();
        let whole = BigUint::from(10u8).pow(tens);
        let ratio =
            |weight: &BigUint| BigRational::new(weight.clone().into(), whole.clone().into());
        assert_eq!(ratio(&ending.lost), odds.p(&0));
        for (left, weight) in (0i64..).zip(&ending.won).skip(1) {
            assert_eq!(ratio(weight), odds.p(&left), "{left} left");
        }
        let floats = bout.ending(&CombatTable::standard(), endurance, 1.0);
        for (float, weight) in floats.won.iter().zip(&ending.won) {
            let exact = num_traits::ToPrimitive::to_f64(&ratio(weight)).unwrap();
            assert!((float - exact).abs() <= 1e-13 * exact);
        }
    }

    #[test]
    fn the_law_is_that_of_the_general_solver() {
        check(&bout(1, 25), 25, &Combat::new(17, 25, 16, 25).unwrap());
        check(&bout(-6, 30), 35, &Combat::new(3, 35, 22, 30).unwrap());
        let blasted = Bout {
            blast: 2,
            ..bout(0, 30)
        };
        let combat = Combat::new(22, 21, 22, 30).unwrap().enemy_mindblast(2);
        check(&blasted, 21, &combat);
        let doubled = Bout {
            doubled: true,
            ..bout(-2, 23)
        };
        check(
            &doubled,
            9,
            &Combat::new(7, 9, 10, 23).unwrap().double_damage(),
        );
        // More factors of ten than a machine word holds.
        check(&bout(-3, 100), 100, &Combat::new(10, 100, 15, 100).unwrap());
    }

    #[test]
    fn fleeing_takes_one_round_more() {
        let flee = Bout {
            flee: Some(0),
            ..bout(0, 2)
        };
        let (ending, tens) = exact(&flee, &CombatTable::standard(), 3);
        assert_eq!(tens, 1);
        // Losses 5 4 4 3 2 2 1 0 0 0, and killing the foe does not matter any more.
        let fled: Vec<u32> = ending
            .fled
            .iter()
            .map(|w| w.iter_u32_digits().sum())
            .collect();
        assert_eq!(fled, [0, 2, 1, 3]);
        assert_eq!(ending.lost, BigUint::from(4u8));
        // After a round there is no foe left to evade.
        let later = Bout {
            flee: Some(1),
            ..flee
        };
        let (ending, _) = exact(&later, &CombatTable::standard(), 9);
        assert!(ending.fled.iter().all(|w| *w == BigUint::ZERO));
    }

    #[test]
    fn early_rounds_are_counted() {
        let mut unhurt = bout(-6, 6);
        unhurt.unhurt = 1;
        let (ending, tens) = exact(&unhurt, &CombatTable::standard(), 1);
        // The number 0 kills in the first round; later it must come before a loss.
        let whole = BigUint::from(10u8).pow(tens);
        assert!(ending.won[1] > &whole / 10u8);
        let sum: BigUint = ending.won.iter().sum::<BigUint>() + &ending.lost;
        assert_eq!(sum, whole);
    }
}
