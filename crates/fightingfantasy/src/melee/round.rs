//! The dice of a round, combined: who strikes the first blow, and who the next.
//!
//! A round against several foes is a series of exchanges, many of which change nothing. If each
//! were a separate move, a round in which nothing happens would lead back to its start through
//! other states, a cycle that backward induction cannot solve. So all exchanges up to the next blow
//! are one move. From the start of a round, chance leads to its first blow, or, if there is none,
//! straight back to the same state; this self-loop is eliminated exactly. After each blow (and the
//! decision on LUCK), chance leads to the next blow or to the next round. By then STAMINA or LUCK
//! has changed, so there is no cycle. The hero never learns the result of a roll in advance.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

use super::state::{FoeSet, MeleeState};
use crate::duel_game::reduced;
use crate::{Attacker, Error, Hero, Rules};

/// The next blow of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Hit {
        target: u8,
        roll: u8,
    },
    Wound {
        by: u8,
        waiting: FoeSet,
        roll: u8,
    },
    /// The round ends without another blow.
    Quiet,
}

/// The distribution of the next blow, as weights without a common divisor.
#[derive(Clone, Debug, Default)]
pub(super) struct Law {
    pub(super) next: Vec<(Next, u64)>,
    pub(super) total: u64,
}

/// The number of rolls of the hero: 0 stands for a new roll against every foe, and 2 to 12 for one
/// roll against all.
pub(super) const ROLLS: usize = 13;

/// The distributions for every situation of a melee.
#[derive(Clone, Debug)]
pub(super) struct Laws {
    /// (win, draw, lose) by foe and the hero's roll.
    odds: Vec<[(u64, u64, u64); ROLLS]>,
    one_roll: bool,
    /// From the start of a round, by the set of fighting foes and the target.
    rounds: Vec<Law>,
    /// From within a round, by the set of foes still to attack and the roll.
    rests: Vec<Law>,
}

/// The number of ways in which two dice show this sum.
fn ways(sum: usize) -> u64 {
    6 - sum.abs_diff(7) as u64
}

impl Laws {
    pub(super) fn new(
        hero: Hero,
        foes: &[Attacker],
        rules: &Rules,
        (together, one_roll): (bool, bool),
    ) -> Result<Self, Error> {
        let mut odds = Vec::with_capacity(foes.len());
        for attacker in foes {
            let difference = i64::from(hero.skill()) - i64::from(attacker.foe().skill());
            let mut by_roll = [(0, 0, 0); ROLLS];
            by_roll[0] = reduced(rules.round(difference)?);
            for (roll, odds) in by_roll.iter_mut().enumerate().skip(2) {
                *odds = against_roll(difference, roll);
            }
            odds.push(by_roll);
        }
        let sets = 1 << foes.len();
        let mut laws = Laws {
            odds,
            one_roll,
            rounds: Vec::new(),
            rests: Vec::new(),
        };
        for set in (0..sets).map(FoeSet) {
            // In turn, one foe fights and none waits. Together, some foe has struck or was struck.
            let may_fight = together || set.0.count_ones() == 1;
            let may_wait = set.is_empty() || together && set.0 + 1 < sets;
            for roll in 0..ROLLS {
                let asked = laws.rolls().contains(&(roll as u8)) || set.is_empty();
                laws.rests.push(if may_wait && asked {
                    let mut fold = Fold::default();
                    laws.sweep(&mut fold, set, roll as u8, BigUint::from(1_u8));
                    fold.law(foes.len())?
                } else {
                    Law::default()
                });
            }
            for target in 0..MeleeState::MAX_FOES as u8 {
                laws.rounds
                    .push(if may_fight && set.contains(usize::from(target)) {
                        laws.round(set, target).law(foes.len())?
                    } else {
                        Law::default()
                    });
            }
        }
        Ok(laws)
    }

    /// The distribution from the start of a round in which the foes of `fighting` attack.
    #[inline]
    pub(super) fn start(&self, fighting: FoeSet, target: u8) -> Option<&Law> {
        let place = usize::from(fighting.0) * MeleeState::MAX_FOES + usize::from(target);
        self.rounds.get(place).filter(|law| law.total > 0)
    }

    /// The distribution after a blow, when the foes of `waiting` are still to attack.
    #[inline]
    pub(super) fn rest(&self, waiting: FoeSet, roll: u8) -> Option<&Law> {
        if usize::from(roll) >= ROLLS {
            return None;
        }
        let place = usize::from(waiting.0) * ROLLS + usize::from(roll);
        self.rests.get(place).filter(|law| law.total > 0)
    }

    /// The odds of an exchange with one foe, averaged over the hero's roll.
    pub(super) fn odds(&self, foe: usize) -> (u64, u64, u64) {
        self.odds[foe][0]
    }

    /// The largest number of equally likely outcomes of the rest of a round.
    pub(super) fn largest_rest(&self) -> u64 {
        self.rests.iter().map(|law| law.total).max().unwrap_or(1)
    }

    fn round(&self, fighting: FoeSet, target: u8) -> Fold {
        let others = fighting.without(target);
        let mut fold = Fold::default();
        for roll in self.rolls().map(usize::from) {
            let ways = if self.one_roll { ways(roll) } else { 1 };
            let (win, draw, lose) = self.odds[usize::from(target)][roll];
            let others_total = self.total(others, roll) * ways;
            let roll = roll as u8;
            let waiting = self.dangerous(others, roll);
            let seen = if waiting.is_empty() { 0 } else { roll };
            fold.add(Next::Hit { target, roll: seen }, &others_total * win);
            let wound = Next::Wound {
                by: target,
                waiting,
                roll: seen,
            };
            fold.add(wound, &others_total * lose);
            self.sweep(&mut fold, others, roll, BigUint::from(draw) * ways);
        }
        fold
    }

    /// Adds the blows of the foes of `set`, which attack in the listed order. `calm` is the weight
    /// of there having been no blow so far.
    fn sweep(&self, fold: &mut Fold, set: FoeSet, roll: u8, mut calm: BigUint) {
        let mut after = set;
        for by in set.members() {
            after = after.without(by);
            let (win, draw, lose) = self.odds[usize::from(by)][usize::from(roll)];
            let waiting = self.dangerous(after, roll);
            let wound = Next::Wound {
                by,
                waiting,
                roll: if waiting.is_empty() { 0 } else { roll },
            };
            let weight = &calm * lose * self.total(after, usize::from(roll));
            fold.add(wound, weight);
            calm *= BigUint::from(win) + draw;
        }
        fold.add(Next::Quiet, calm);
    }

    /// The rolls of the hero that are told apart in a round.
    pub(super) fn rolls(&self) -> std::ops::Range<u8> {
        if self.one_roll { 2..ROLLS as u8 } else { 0..1 }
    }

    /// The foes of `set` that can win against this roll.
    #[inline]
    pub(super) fn dangerous(&self, set: FoeSet, roll: u8) -> FoeSet {
        if self.one_roll && roll == 0 {
            // The roll has been forgotten, since no foe could win against it.
            return FoeSet::NONE;
        }
        // Dice show at most 12, but a state can be constructed with any roll.
        let odds = |foe: u8| self.odds.get(usize::from(foe))?.get(usize::from(roll));
        let dangerous = |&foe: &u8| odds(foe).is_some_and(|odds| odds.2 > 0);
        FoeSet(
            set.members()
                .filter(dangerous)
                .fold(0, |bits, foe| bits | 1 << foe),
        )
    }

    fn total(&self, set: FoeSet, roll: usize) -> BigUint {
        let all = |foe: usize| {
            let (win, draw, lose) = self.odds[foe][roll];
            BigUint::from(win) + draw + lose
        };
        set.iter().map(all).product()
    }
}

/// The numbers of the foe's 36 rolls that lose, draw and win against this roll of the hero, whose
/// SKILL is higher by `difference`.
fn against_roll(difference: i64, roll: usize) -> (u64, u64, u64) {
    let mut odds = (0, 0, 0);
    for foe in 2..ROLLS {
        let lead = difference + roll as i64 - foe as i64;
        match lead.signum() {
            1 => odds.0 += ways(foe),
            0 => odds.1 += ways(foe),
            _ => odds.2 += ways(foe),
        }
    }
    odds
}

/// A distribution under construction.
#[derive(Default)]
struct Fold(Vec<(Next, BigUint)>);

impl Fold {
    fn add(&mut self, next: Next, weight: BigUint) {
        if weight.is_zero() {
            return;
        }
        match self.0.iter_mut().find(|(known, _)| *known == next) {
            Some((_, sum)) => *sum += weight,
            None => self.0.push((next, weight)),
        }
    }

    fn law(self, foes: usize) -> Result<Law, Error> {
        let divisor = self
            .0
            .iter()
            .fold(BigUint::ZERO, |gcd, (_, weight)| gcd.gcd(weight));
        let mut law = Law::default();
        for (next, weight) in self.0 {
            let weight = (weight / &divisor).to_u64();
            let total = weight.and_then(|weight| law.total.checked_add(weight));
            let (Some(weight), Some(total)) = (weight, total) else {
                return Err(Error::MeleeRollsOverflow { foes });
            };
            law.next.push((next, weight));
            law.total = total;
        }
        Ok(law)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Foe;

    fn laws(skills: &[i32], one_roll: bool) -> Laws {
        let foes: Vec<Attacker> = skills
            .iter()
            .map(|&skill| Foe::new(skill, 5).unwrap().into())
            .collect();
        let hero = Hero::new(9, 10, 5).unwrap();
        Laws::new(hero, &foes, &Rules::standard(), (true, one_roll)).unwrap()
    }

    /// All sums of dice of both sides, foe by foe: the first blow of each.
    #[track_caller]
    fn check_pair(skills: [i32; 2], one_roll: bool) {
        let mut counts = [0_u64; 4];
        let sums = 2..ROLLS;
        for hero in sums.clone() {
            for first in sums.clone() {
                for again in sums.clone() {
                    for second in sums.clone() {
                        let again_hero = if one_roll { hero } else { again };
                        let weight = ways(hero) * ways(first) * ways(again) * ways(second);
                        let lead = |hero: usize, skill: i32, foe: usize| {
                            9 + hero as i32 - skill - foe as i32
                        };
                        let exchange = lead(hero, skills[0], first).signum();
                        let blow = match exchange {
                            1 => 0,
                            -1 => 1,
                            _ if lead(again_hero, skills[1], second) < 0 => 2,
                            _ => 3,
                        };
                        counts[blow] += weight;
                    }
                }
            }
        }
        let laws = laws(&skills, one_roll);
        let law = laws.start(FoeSet(3), 0).unwrap();
        let mut found = [0_u128; 4];
        for &(next, weight) in &law.next {
            let blow = match next {
                Next::Hit { .. } => 0,
                Next::Wound { by, .. } => usize::from(by) + 1,
                Next::Quiet => 3,
            };
            found[blow] += u128::from(weight);
        }
        let all: u64 = counts.iter().sum();
        for (count, weight) in counts.iter().zip(found) {
            assert_eq!(
                u128::from(*count) * u128::from(law.total),
                weight * u128::from(all)
            );
        }
    }

    #[test]
    fn a_round_is_folded_from_its_rolls() {
        check_pair([7, 8], false);
        check_pair([9, 14], false);
        check_pair([7, 8], true);
        check_pair([12, 6], true);
    }

    #[test]
    fn six_foes_fit_and_weights_are_reduced() {
        let laws = laws(&[5, 6, 7, 8, 9, 10], false);
        let law = laws.start(FoeSet(63), 3).unwrap();
        assert_eq!(law.next.len(), 8);
        let gcd = law.next.iter().fold(0, |gcd: u64, (_, w)| gcd.gcd(w));
        assert_eq!(gcd, 1);
    }
}
