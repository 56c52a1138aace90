//! Preparation of opposed pools: as many dice as there are pairs, and bonuses by rank.

use super::Pairing;
use crate::pool::{Group, Run, Source};
use crate::{Dist, Error, Pool, Weight};
use std::collections::BTreeMap;

/// Two pools whose highest dice are compared first.
pub(super) struct Opposed<W> {
    pub(super) attack: Side<W>,
    pub(super) defence: Side<W>,
    pub(super) pairing: Pairing,
    pub(super) pairs: u64,
}

/// A pool with the bonuses of its ranks, limited to the dice that take part.
pub(super) struct Side<W> {
    pub(super) pool: Pool<i64, W>,
    pub(super) bonus: Vec<i64>,
    /// The number of dice that take part.
    pub(super) dice: u64,
    /// Whether a bonus is to be clamped or to sort dice again, and could not be made part of the
    /// dice.
    pub(super) odd: bool,
}

/// Pools of as many dice as there are pairs.
pub(super) struct Netted<W> {
    pub(super) attack: Pool<i64, W>,
    pub(super) defence: Pool<i64, W>,
    /// The bonus of each rank, added to the attacker's face.
    pub(super) extra: Vec<i64>,
}

impl<W: Weight> Opposed<W> {
    pub(super) fn new(
        attack: &Pool<i64, W>,
        defence: &Pool<i64, W>,
        pairing: &Pairing,
    ) -> Result<Self, Error> {
        let (mut attack, mut defence) = if pairing.lowest_first {
            // The lowest dice are the highest of the negated ones. a is above d if −d is above −a,
            // so the sides are exchanged.
            let negated = |bonus: &[i64]| {
                bonus
                    .iter()
                    .map(|&b| overflow("×", b, -1, b.checked_neg()))
                    .collect()
            };
            let bonus: (Result<Vec<i64>, Error>, Result<Vec<i64>, Error>) = (
                negated(&pairing.defence_bonus),
                negated(&pairing.attack_bonus),
            );
            (
                Side::new(negative(defence)?, bonus.0?)?,
                Side::new(negative(attack)?, bonus.1?)?,
            )
        } else {
            (
                Side::new(attack.clone(), pairing.attack_bonus.clone())?,
                Side::new(defence.clone(), pairing.defence_bonus.clone())?,
            )
        };
        for side in [&mut attack, &mut defence] {
            side.settle(pairing)?;
        }
        Ok(Opposed {
            pairs: attack.dice.min(defence.dice),
            attack,
            defence,
            pairing: pairing.clone(),
        })
    }

    pub(super) fn must_be_listed(&self) -> bool {
        self.attack.odd || self.defence.odd
    }

    /// Returns pools of as many dice as there are pairs, with all bonuses on the attacker's side.
    /// The most frequent bonus becomes part of the attacker's dice, and the rest is kept by rank.
    pub(super) fn netted(self) -> Result<Netted<W>, Error> {
        let pairs = self.pairs as usize;
        let listed = self
            .attack
            .bonus
            .len()
            .max(self.defence.bonus.len())
            .min(pairs);
        let mut extra = Vec::with_capacity(listed);
        for rank in 0..listed {
            let bonus = |side: &Side<W>| side.bonus.get(rank).copied().unwrap_or(0);
            let (ours, theirs) = (bonus(&self.attack), bonus(&self.defence));
            extra.push(overflow("-", ours, theirs, ours.checked_sub(theirs))?);
        }
        let mut times = BTreeMap::from([(0, pairs - listed)]);
        for &extra in &extra {
            *times.entry(extra).or_default() += 1;
        }
        let common = times
            .into_iter()
            .max_by_key(|&(_, count)| count)
            .map_or(0, |most| most.0);
        let mut attack = self.attack.pool;
        if common != 0 {
            attack = each_die(
                &attack,
                |die| die.shift(common),
                |face| overflow("+", face, common, face.checked_add(common)),
            )?;
            extra.resize(pairs, 0);
            for extra in &mut extra {
                *extra = overflow("-", *extra, common, extra.checked_sub(common))?;
            }
        }
        attack.runs = Some(first(&attack, self.pairs));
        let mut defence = self.defence.pool;
        defence.runs = Some(first(&defence, self.pairs));
        Ok(Netted {
            attack,
            defence,
            extra,
        })
    }
}

impl<W: Weight> Side<W> {
    fn new(pool: Pool<i64, W>, mut bonus: Vec<i64>) -> Result<Self, Error> {
        let mut dice = 0_u64;
        for run in pool.runs() {
            let multiplicity =
                u64::try_from(run.multiplicity).map_err(|_| Error::NegativePosition {
                    multiplicity: run.multiplicity,
                })?;
            dice = dice.saturating_add(run.dice.saturating_mul(multiplicity));
        }
        bonus.truncate(usize::try_from(dice).unwrap_or(usize::MAX));
        while bonus.last() == Some(&0) {
            bonus.pop();
        }
        Ok(Side {
            pool,
            bonus,
            dice,
            odd: false,
        })
    }

    /// The lowest and the highest face of the pool.
    pub(super) fn range(&self) -> Option<(i64, i64)> {
        match &self.pool.source {
            Source::Dice(groups) => {
                let dice = groups.iter().map(|group| &group.die);
                let low = dice.clone().map(|die| *die.min()).min()?;
                Some((low, dice.map(|die| *die.max()).max()?))
            }
            Source::Deck(deck) => Some((deck.cards.first()?.0, deck.cards.last()?.0)),
        }
    }

    /// If the bonus is to be clamped and is the same for all dice, makes it part of them. Otherwise
    /// determines whether the bonuses require a list of all rolls.
    fn settle(&mut self, pairing: &Pairing) -> Result<(), Error> {
        let (Some((low, high)), Some(&bonus)) = (self.range(), self.bonus.first()) else {
            return Ok(());
        };
        for &bonus in &self.bonus {
            for face in [low, high] {
                overflow("+", face, bonus, face.checked_add(bonus))?;
            }
        }
        let all = self.bonus.len() as u64 == self.dice;
        if pairing.clamped && all && self.bonus.iter().all(|&other| other == bonus) {
            let moved = |face: i64| face.saturating_add(bonus).clamp(low, high);
            self.pool = each_die(
                &self.pool,
                |die| Ok(die.map(|&face| moved(face))),
                |face| Ok(moved(face)),
            )?;
            self.bonus.clear();
            return Ok(());
        }
        // Bonuses that decrease from rank to rank, with 0 beyond the list, do not change the order.
        let falls =
            self.bonus.is_sorted_by(|a, b| a >= b) && (all || self.bonus.iter().all(|&b| b >= 0));
        self.odd = pairing.clamped || (pairing.sorted_again && !falls);
        Ok(())
    }
}

fn overflow(
    operation: &'static str,
    left: i64,
    right: i64,
    result: Option<i64>,
) -> Result<i64, Error> {
    result.ok_or(Error::OutcomeOverflow {
        operation,
        left,
        right,
    })
}

/// The pool with its faces mapped by functions that preserve the order.
fn each_die<W: Weight>(
    pool: &Pool<i64, W>,
    die: impl Fn(&Dist<i64, W>) -> Result<Dist<i64, W>, Error>,
    card: impl Fn(i64) -> Result<i64, Error>,
) -> Result<Pool<i64, W>, Error> {
    let mut pool = pool.clone();
    match &mut pool.source {
        Source::Dice(groups) => {
            for Group { die: law, .. } in groups {
                *law = die(law)?;
            }
        }
        Source::Deck(deck) => {
            let mut cards: Vec<(i64, u64)> = Vec::with_capacity(deck.cards.len());
            for &(face, count) in &deck.cards {
                let face = card(face)?;
                match cards.last_mut() {
                    Some(last) if last.0 == face => last.1 += count,
                    _ => cards.push((face, count)),
                }
            }
            deck.cards = cards;
        }
    }
    Ok(pool)
}

/// The pool with all faces negated.
fn negative<W: Weight>(pool: &Pool<i64, W>) -> Result<Pool<i64, W>, Error> {
    let card = |face: i64| overflow("×", face, -1, face.checked_neg());
    let mut pool = each_die(pool, Dist::negate, card)?;
    if let Source::Deck(deck) = &mut pool.source {
        deck.cards.reverse();
    }
    if let Some(runs) = &mut pool.runs {
        runs.reverse();
    }
    Ok(pool)
}

/// Multiplicities that keep the highest `dice` of those that count, lowest first.
fn first<W: Weight>(pool: &Pool<i64, W>, dice: u64) -> Vec<Run> {
    let mut left = dice;
    let mut runs: Vec<Run> = Vec::new();
    for run in pool.runs().iter().rev() {
        let each = run.multiplicity.unsigned_abs();
        // Dropped dice stay dropped, however many there are.
        let whole = left
            .checked_div(each)
            .map_or(run.dice, |most| run.dice.min(most));
        left -= whole * each;
        // One die may count in part only.
        let part = if whole < run.dice { left } else { 0 };
        left -= part;
        let partial = u64::from(part > 0);
        let split = [
            (whole, run.multiplicity),
            (partial, part as i64),
            (run.dice - whole - partial, 0),
        ];
        runs.extend(split.map(|(dice, multiplicity)| Run { dice, multiplicity }));
    }
    runs.retain(|run| run.dice > 0);
    runs.reverse();
    runs
}
