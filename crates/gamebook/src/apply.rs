//! Applying effects to a packed sheet.

use crate::compiled::{Compiled, Op};
use crate::falls::{Phase, Watch};
use crate::place::{Held, STATS};
use crate::spread::{MOST_OUTCOMES, MOST_WORDS, Spread};
use crate::{Amount, Cap};

/// Why effects cannot be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overflow {
    /// A stat, or its cap, has left the range of 16 bits.
    Stat(u8),
    /// Chance branches into too many sheets.
    Sheets,
}

/// The caps of one hero's stats.
pub(crate) type Caps = [Option<i16>; STATS];

/// Whether the hero is dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Dead {
    No,
    /// While leaving a section.
    Leaving,
    /// On arrival, or where no section is left.
    There,
}

/// A sheet, and whether the hero is dead.
type Fate = (Held, Dead);

/// The work that is left for a list of effects, in words of weights written. Repeated dice on
/// several stats branch into more sheets than any memory holds, so this is rejected early.
struct Work(u64);

impl Work {
    /// Pays for a distribution, before it is scaled or kept.
    fn pay<T>(&mut self, law: &Spread<T>) -> Result<(), Overflow> {
        let words = 1 + law.total.bits() / 64;
        self.spend(words.saturating_mul(law.outcomes.len() as u64))
    }

    fn spend(&mut self, words: u64) -> Result<(), Overflow> {
        self.0 = self.0.checked_sub(words).ok_or(Overflow::Sheets)?;
        Ok(())
    }
}

/// Applies effects for one hero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effects<'c> {
    pub(crate) book: &'c Compiled,
    pub(crate) caps: &'c Caps,
    /// Records falls, if anybody wants to know.
    pub(crate) watch: Option<Watch<'c>>,
}

impl Effects<'_> {
    /// The same, with what changes counted as part of this list.
    pub(crate) fn on(self, list: u32, phase: Phase) -> Self {
        Effects {
            watch: self.watch.map(|watch| watch.on(list, phase)),
            ..self
        }
    }

    /// The distribution of sheets after a list of effects.
    pub(crate) fn run(self, list: u32, held: Held) -> Result<Spread<Fate>, Overflow> {
        let fate = (held, Dead::No);
        let effects = self.on(list, Phase::Leaving);
        effects.after(list, fate, &mut Work(MOST_WORDS))
    }

    fn after(mut self, list: u32, fate: Fate, work: &mut Work) -> Result<Spread<Fate>, Overflow> {
        let mut spread = Spread::certain(fate);
        for op in self.book.effects[list as usize].iter() {
            if let (Op::Depart, Some(watch)) = (op, &mut self.watch) {
                watch.depart();
            }
            if let [((held, dead), _)] = &mut spread.outcomes[..]
                && self.plain(op, held, dead)?
            {
                work.spend(1)?;
                continue;
            }
            spread = follow(spread, work, |fate, work| self.step(op, fate, work))?;
        }
        Ok(spread)
    }

    /// Applies an effect without chance; returns false if the effect has chance.
    fn plain(self, op: &Op, held: &mut Held, dead: &mut Dead) -> Result<bool, Overflow> {
        if *dead != Dead::No {
            return Ok(true);
        }
        match op {
            Op::Add(stat, by) => self.add(held, *stat, (*by).into())?,
            Op::Restore(stat) => {
                let value = &mut held.stats[usize::from(*stat)];
                let value_now = *value;
                let cap = self.cap(held, *stat).unwrap_or(value_now);
                let value = &mut held.stats[usize::from(*stat)];
                *value = cap.max(value_now);
            }
            Op::RaiseCap(stat, by) => {
                if let Some(raised) = self.book.stats[usize::from(*stat)].raised {
                    let cap = &mut held.stats[usize::from(raised)];
                    *cap = cap.checked_add(*by).ok_or(Overflow::Stat(*stat))?;
                }
            }
            Op::Gain(mask) => held.items |= mask,
            Op::Lose(mask) => held.items &= !mask,
            Op::Survive | Op::Depart if held.stats[usize::from(self.book.life)] > 0 => {}
            Op::Survive => *dead = Dead::There,
            Op::Depart => *dead = Dead::Leaving,
            Op::Set(stat, to) if to.is_fixed() => self.set(held, *stat, to.min())?,
            Op::Roll(..) | Op::Set(..) | Op::LoseRandom(..) => return Ok(false),
            Op::Random(_) | Op::When(..) | Op::Repeat(..) => return Ok(false),
        }
        Ok(true)
    }

    fn step(self, op: &Op, fate: Fate, work: &mut Work) -> Result<Spread<Fate>, Overflow> {
        let (mut held, mut dead) = fate;
        if self.plain(op, &mut held, &mut dead)? {
            return Ok(Spread::certain((held, dead)));
        }
        match op {
            Op::Roll(stat, by) => self.rolled(*by, |by| {
                let mut held = held;
                self.add(&mut held, *stat, by)?;
                Ok((held, Dead::No))
            }),
            Op::Set(stat, to) => self.rolled(*to, |to| {
                let mut held = held;
                self.set(&mut held, *stat, to)?;
                Ok((held, Dead::No))
            }),
            Op::LoseRandom(mask, count) => {
                let pool = held.items & mask;
                if ways(pool.count_ones(), (*count).into()) > MOST_OUTCOMES as u64 {
                    return Err(Overflow::Sheets);
                }
                let mut left = Vec::new();
                draw(held.items, pool, (*count).into(), &mut left);
                let fates = left.into_iter().map(|items| {
                    let mut held = held;
                    held.items = items;
                    ((held, Dead::No), 1)
                });
                Ok(Spread::weighted(fates))
            }
            Op::Random(branches) => {
                let branches = branches.iter().map(|&(weight, list)| (list, weight.into()));
                follow(Spread::weighted(branches), work, |list, work| {
                    self.after(list, fate, work)
                })
            }
            Op::When(condition, then, otherwise) => {
                let holds = self.book.holds(*condition, &held);
                self.after(if holds { *then } else { *otherwise }, fate, work)
            }
            Op::Repeat(times, condition, list) => {
                let mut spread = Spread::certain(fate);
                for _ in 0..*times {
                    let before = spread.outcomes.clone();
                    spread = follow(spread, work, |(held, dead), work| {
                        let goes_on = self.book.open(*condition, &held);
                        if dead != Dead::No || !goes_on {
                            return Ok(Spread::certain((held, dead)));
                        }
                        self.after(*list, (held, dead), work)
                    })?;
                    if spread.outcomes == before {
                        break;
                    }
                }
                Ok(spread)
            }
            // All other effects are plain.
            _ => Ok(Spread::certain((held, dead))),
        }
    }

    fn rolled(
        self,
        amount: Amount,
        to: impl Fn(i32) -> Result<Fate, Overflow>,
    ) -> Result<Spread<Fate>, Overflow> {
        let fates = amount
            .counts()
            .into_iter()
            .map(|(roll, ways)| Ok((to(roll)?, ways)));
        Ok(Spread::weighted(fates.collect::<Result<Vec<_>, _>>()?))
    }

    /// The current cap of a stat.
    fn cap(self, held: &Held, stat: u8) -> Option<i16> {
        let compiled = &self.book.stats[usize::from(stat)];
        match compiled.raised {
            Some(raised) => Some(held.stats[usize::from(raised)]),
            None => self.caps[usize::from(stat)],
        }
    }

    pub(crate) fn add(self, held: &mut Held, stat: u8, by: i32) -> Result<(), Overflow> {
        let value = i32::from(held.stats[usize::from(stat)]);
        self.set(held, stat, value.saturating_add(by))
    }

    fn set(self, held: &mut Held, stat: u8, value: i32) -> Result<(), Overflow> {
        let cap = self
            .cap(held, stat)
            .map_or(value, |cap| value.min(cap.into()));
        let floor = self.book.stats[usize::from(stat)].floor;
        let value = floor.map_or(cap, |floor| cap.max(floor.into()));
        let value = i16::try_from(value).map_err(|_| Overflow::Stat(stat))?;
        let before = std::mem::replace(&mut held.stats[usize::from(stat)], value);
        if let Some(watch) = self.watch {
            watch.change(stat, before, value);
        }
        Ok(())
    }
}

impl Compiled {
    /// The caps of a hero with these initial values.
    pub(crate) fn caps(&self, initial: &[i16; STATS]) -> Caps {
        let mut caps = [None; STATS];
        for (number, stat) in self.stats.iter().enumerate() {
            caps[number] = stat.cap.map(|cap| match cap {
                Cap::Initial => initial[number],
                Cap::At(cap) => cap,
            });
        }
        caps
    }
}

/// Chains distributions, as long as there is work left.
fn follow<T: Clone + Eq + std::hash::Hash, U: Clone + Eq + std::hash::Hash>(
    law: Spread<T>,
    work: &mut Work,
    mut next: impl FnMut(T, &mut Work) -> Result<Spread<U>, Overflow>,
) -> Result<Spread<U>, Overflow> {
    let mut sheets = 0;
    let spread = law.then(|outcome| {
        let part = next(outcome, work)?;
        work.pay(&part)?;
        sheets += part.outcomes.len();
        if sheets > MOST_OUTCOMES {
            return Err(Overflow::Sheets);
        }
        Ok(part)
    })?;
    work.pay(&spread)?;
    Ok(spread)
}

/// The number of ways to choose `count` of `of` things; at most three are chosen.
fn ways(of: u32, count: u32) -> u64 {
    let of = u64::from(of);
    match count {
        _ if of <= u64::from(count) => 1,
        0 => 1,
        1 => of,
        2 => of * (of - 1) / 2,
        _ => of * (of - 1) * (of - 2) / 6,
    }
}

/// All ways to lose `count` of the bits of `pool`, one result each.
pub(crate) fn draw(items: u128, pool: u128, count: u32, left: &mut Vec<u128>) {
    if count == 0 || pool == 0 {
        return left.push(items);
    }
    // The ways that lose the lowest bit; then, if enough others are left, those that keep it.
    let lowest = pool & pool.wrapping_neg();
    draw(items & !lowest, pool & !lowest, count - 1, left);
    if pool.count_ones() > count {
        draw(items, pool & !lowest, count, left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(items: u128, pool: u128, count: u32, expected: &[u128]) {
        let mut left = Vec::new();
        draw(items, pool, count, &mut left);
        left.sort_unstable();
        assert_eq!(left, expected);
    }

    #[test]
    fn every_way_to_lose_some() {
        check(0b111, 0b111, 0, &[0b111]);
        check(0b111, 0b111, 1, &[0b011, 0b101, 0b110]);
        check(0b111, 0b110, 1, &[0b011, 0b101]);
        check(
            0b1111,
            0b1111,
            2,
            &[0b0011, 0b0101, 0b0110, 0b1001, 0b1010, 0b1100],
        );
        check(0b101, 0b100, 2, &[0b001]);
        check(0b1, 0, 2, &[0b1]);
        let mut left = Vec::new();
        draw(u128::MAX, u128::MAX, 2, &mut left);
        assert_eq!(left.len(), 128 * 127 / 2);
    }
}
