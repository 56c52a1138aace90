//! Counts the rolls of a throw by the number of pairs won, face by face.
//!
//! `oddsmith-dice` compares opposed pools, and this crate uses it wherever it can. This module is
//! for bonuses that are neither clamped nor sorted again and that differ by rank, as those of
//! heroes do. For three dice against two both take the same time; for more dice the scan is faster
//! (8 against 8: ×3, 20 against 20: ×15), because it carries the pairs won as digits of one number
//! and not as states.
//!
//! Sorted dice are compared rank by rank, so the rolls need not be listed. The scan goes through
//! the faces from the highest to the lowest and asks only how many dice of each side show the face.
//! The side that first has a die of some rank has the higher one. The state is how many dice lie at
//! or above the face; each state carries the numbers of rolls that lead to it with 0, 1, 2, … pairs
//! won.
//!
//! A bonus shifts a die against its opponent. If all ranks have the same bonus, it shifts the whole
//! scan of one side. For ranks with another bonus, the state also remembers the faces of dice that
//! wait for their opponent; only the side that is ahead has any. Remembering the faces of all ranks
//! would amount to the enumeration that this avoids.

use std::collections::{BTreeMap, VecDeque};

use num_bigint::BigUint;
use num_traits::{One, Zero};
use oddsmith_dice::{Dist, Pairing, Pool, TieTo};

use crate::{Error, Reading, Rules, Side};

/// A throw as pairs of ranks. To win, the attacker's face plus `common` plus the rank's `extra`
/// must be *above* the defender's face.
#[derive(Debug)]
pub(crate) struct Pairs {
    dice: [u32; 2],
    sides: [u32; 2],
    /// What most ranks add to the attacker's face.
    common: i64,
    /// What each rank adds in addition.
    extra: Vec<i64>,
    /// For bonuses that are clamped or sorted again, which cannot be netted.
    listed: Option<Pairing>,
    work: u128,
    limit: u64,
}

/// The work for the smallest throw, so that a battle with many of them is not free.
const FEWEST: u128 = 1 << 12;

/// The number of steps for each word of memory that the dice may take: the ratio of
/// [`DEFAULT_WORK`](crate::DEFAULT_WORK) to the default limit of `oddsmith-dice`.
const STEPS_A_WORD: u64 = crate::DEFAULT_WORK / oddsmith_dice::DEFAULT_LIMIT;

const ATTACK: usize = 0;
const DEFENCE: usize = 1;

/// The state of the scan: how many dice of each side lie at or above the face, and the faces that
/// wait for an opponent, highest rank first.
///
/// A side is complete once it has a die for every pair; its lower dice are discarded at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    placed: [usize; 2],
    waiting: VecDeque<i64>,
}

/// The rolls that lead to a place. The counts of 0, 1, 2, … pairs won are stored in one integer, as
/// digits long enough for all rolls. One product then multiplies them all, and a pair won is a
/// shift.
type Rolls = BTreeMap<Place, BigUint>;

impl Pairs {
    /// # Errors
    /// [`Error::TooLarge`] if the scan would take more than `limit` steps.
    pub(crate) fn new(dice: [u32; 2], rules: &Rules, limit: u64) -> Result<Self, Error> {
        let mut pairs = Pairs {
            dice,
            sides: [rules.attack_sides, rules.defence_sides],
            common: 0,
            extra: Vec::new(),
            listed: None,
            work: 0,
            limit,
        };
        // First without a list of the ranks, of which there may be billions.
        pairs.check(limit)?;
        if rules.reading != Reading::Unclamped {
            pairs.listed = Some(pairing(rules));
            pairs.check(limit)?;
            return Ok(pairs);
        }
        let bonus = |list: &[i64], rank: usize| list.get(rank).copied().unwrap_or(0);
        // In whole numbers, winning ties is the same as one more point.
        let tie = i64::from(rules.ties_to == Side::Attacker);
        let [attack_sides, defence_sides] = pairs.sides.map(i64::from);
        let net = |rank| {
            // Sides have 32 bits. Beyond them the pair is decided whatever the dice show, so
            // nothing is lost if 64 bits saturate.
            bonus(&rules.attack_bonus, rank)
                .saturating_sub(bonus(&rules.defence_bonus, rank))
                .saturating_add(tie)
                .clamp(-attack_sides, defence_sides)
        };
        pairs.extra = (0..pairs.ranks()).map(net).collect();
        pairs.common = most_frequent(&pairs.extra);
        for extra in &mut pairs.extra {
            *extra -= pairs.common;
        }
        pairs.check(limit)?;
        Ok(pairs)
    }

    fn check(&mut self, limit: u64) -> Result<(), Error> {
        self.work = self.estimate().saturating_add(FEWEST);
        if self.work > u128::from(limit) {
            return Err(Error::TooLarge {
                attack: self.dice[ATTACK],
                defence: self.dice[DEFENCE],
                work: self.work,
                limit,
            });
        }
        Ok(())
    }

    /// Returns an upper estimate of the steps of [`counts`](Pairs::counts).
    pub(crate) fn work(&self) -> u128 {
        self.work
    }

    fn estimate(&self) -> u128 {
        let faces = u128::from(self.sides[ATTACK]) + u128::from(self.sides[DEFENCE]);
        let bits = |side: usize| {
            let each = u32::BITS - (self.sides[side] - 1).leading_zeros();
            u128::from(self.dice[side]) * u128::from(each)
        };
        let ranks = self.ranks() as u128;
        let ways = 1 + bits(ATTACK).max(bits(DEFENCE)) / 64;
        let places = (ranks + 1).saturating_pow(2);
        let moves = faces.saturating_mul(ranks + 1);
        if self.listed.is_some() {
            // All sorted rolls of one side against all of the other, if it comes to that.
            let sorted = |side: usize| multichoose(self.sides[side], self.dice[side]);
            let each = 2 * u128::from(self.dice[ATTACK]) + 2 * u128::from(self.dice[DEFENCE]);
            return sorted(ATTACK)
                .saturating_mul(sorted(DEFENCE))
                .saturating_mul(each + 6);
        }
        if !self.unlike() {
            // Each place holds the counts of all pairs won.
            let words = 1 + (1 + bits(ATTACK) + bits(DEFENCE)) / 64;
            let step = 1 + ways.saturating_mul(words) / 16;
            return moves
                .saturating_mul(places)
                .saturating_mul(ranks + 1)
                .saturating_mul(step);
        }
        let rolls = 1 + (ranks + 1) * (1 + bits(ATTACK) + bits(DEFENCE)) / 64;
        // Finding a place in the map takes as long as about 64 words.
        let step = ways.saturating_mul(rolls).saturating_add(64);
        // Descending faces of this many dice that may wait.
        let special = self.extra.iter().filter(|&&extra| extra != 0).count() as u128;
        let waiting = (1..=special).fold(1_u128, |ways, k| ways.saturating_mul(faces + k) / k);
        moves
            .saturating_mul(places)
            .saturating_mul(waiting)
            .saturating_mul(step)
    }

    /// Returns whether the ranks differ in what they add.
    fn unlike(&self) -> bool {
        self.extra.iter().any(|&extra| extra != 0)
    }

    fn ranks(&self) -> usize {
        self.dice[ATTACK].min(self.dice[DEFENCE]) as usize
    }

    /// Returns the number of all rolls of all dice.
    pub(crate) fn total(&self) -> BigUint {
        let rolls = |side: usize| BigUint::from(self.sides[side]).pow(self.dice[side]);
        rolls(ATTACK) * rolls(DEFENCE)
    }

    /// # Errors
    /// [`Error::TooLarge`] if the dice take more memory than corresponds to the limit.
    pub(crate) fn law(&self) -> Result<Dist<u32>, Error> {
        #[cfg(test)]
        LAWS.set(LAWS.get() + 1);
        self.of_dice().map_err(|error| match error {
            oddsmith_dice::Error::TooLarge { words, .. } => Error::TooLarge {
                attack: self.dice[ATTACK],
                defence: self.dice[DEFENCE],
                work: words.saturating_mul(STEPS_A_WORD.into()),
                limit: self.limit,
            },
            other => Error::Dice(other),
        })
    }

    fn of_dice(&self) -> Result<Dist<u32>, oddsmith_dice::Error> {
        if self.listed.is_none() && self.unlike() {
            return Dist::from_parts((0..).zip(self.counts()), self.total());
        }
        // The default of `oddsmith-dice` corresponds to ours; a lower limit would reject what takes
        // few steps.
        let words = (self.limit / STEPS_A_WORD).max(oddsmith_dice::DEFAULT_LIMIT);
        let [attack, defence] = [ATTACK, DEFENCE].map(|side| {
            let die = Dist::die(self.sides[side])?;
            Ok(Pool::of(self.dice[side], &die))
        });
        let (attack, defence) = (attack?, defence?);
        let won = match &self.listed {
            Some(pairing) => attack.pairwise_within(&defence, pairing, words)?,
            None => {
                let common = vec![self.common; self.ranks()];
                let pairing = Pairing::new().attack_bonus(common);
                attack.pairwise_within(&defence, &pairing, words)?
            }
        };
        Ok(won.map(|pairs| pairs.won))
    }

    /// Returns the numbers of rolls in which the attacker wins 0, 1, 2, … pairs.
    fn counts(&self) -> Vec<BigUint> {
        let digit = self.total().bits();
        let mut rolls = Rolls::from([(Place::default(), BigUint::one())]);
        let [attack, defence] = self.sides.map(i64::from);
        let (high, low) = (defence.max(attack + self.common), 1.min(1 + self.common));
        for value in (low..=high).rev() {
            // The defender comes first, so that at equal values his die is there already.
            for (side, shift) in [(DEFENCE, 0), (ATTACK, self.common)] {
                let face = value - shift;
                if (1..=self.sides[side].into()).contains(&face) {
                    rolls = self.place(&rolls, side, value, face.unsigned_abs(), digit);
                }
            }
        }
        let complete = Place {
            placed: [self.ranks(); 2],
            waiting: VecDeque::new(),
        };
        let mut counts = rolls.remove(&complete).unwrap_or_default();
        let mut split = Vec::with_capacity(self.ranks() + 1);
        for _ in 0..=self.ranks() {
            let rest = &counts >> digit;
            split.push(counts - (&rest << digit));
            counts = rest;
        }
        split
    }

    /// Decides how many dice of one side show `face`, which counts as `value`.
    fn place(&self, rolls: &Rolls, side: usize, value: i64, face: u64, digit: u64) -> Rolls {
        let mut next = Rolls::new();
        let mut add = |place, won: u64, count: BigUint| {
            if !count.is_zero() {
                *next.entry(place).or_default() += count << (won * digit);
            }
        };
        for (from, count) in rolls {
            let missing = self.ranks() - from.placed[side];
            if missing == 0 {
                add(from.clone(), 0, count.clone());
                continue;
            }
            let left = self.dice[side] - from.placed[side] as u32;
            // How many of the remaining dice show the face, as long as that does not complete the
            // side; the others are left for lower faces.
            let mut choose = BigUint::one();
            // Once the side is complete, the other dice may show any lower face: all rolls up to
            // the face, except those with too few dice on it.
            let mut enough = BigUint::from(face).pow(left);
            for shown in 0..missing {
                let (to, won) = self.advance(from, side, value, shown);
                add(to, won, count * &choose);
                let others = left - shown as u32;
                enough -= &choose * BigUint::from(face - 1).pow(others);
                choose = choose * others / (shown as u32 + 1);
            }
            let (to, won) = self.advance(from, side, value, missing);
            add(to, won, count * enough);
        }
        next
    }

    /// Returns where it leads if the next `shown` dice of a side have this value, and how many
    /// pairs are won by that.
    fn advance(&self, from: &Place, side: usize, value: i64, shown: usize) -> (Place, u64) {
        let (mut to, mut won) = (from.clone(), 0);
        let first = from.placed[side];
        to.placed[side] += shown;
        for (rank, &extra) in self.extra.iter().enumerate().skip(first).take(shown) {
            let late = rank < from.placed[1 - side];
            if extra == 0 {
                // An opponent still to come is lower.
                won += u64::from(side == ATTACK && !late);
            } else if !late {
                to.waiting.push_back(value);
            } else if let Some(theirs) = to.waiting.pop_front() {
                won += u64::from(match side {
                    ATTACK => value + extra > theirs,
                    _ => theirs + extra > value,
                });
            }
        }
        (to, won)
    }
}

/// Translates the rules of a throw into the terms of `oddsmith-dice`.
fn pairing(rules: &Rules) -> Pairing {
    let pairing = Pairing::new()
        .ties(match rules.ties_to {
            Side::Attacker => TieTo::Attacker,
            Side::Defender => TieTo::Defender,
        })
        .attack_bonus(rules.attack_bonus.iter().copied())
        .defence_bonus(rules.defence_bonus.iter().copied());
    match rules.reading {
        Reading::Unclamped => pairing,
        Reading::Clamped => pairing.clamped(),
        Reading::Sorted => pairing.sorted_again(),
        Reading::ClampedAndSorted => pairing.clamped().sorted_again(),
    }
}

/// Returns the number of ways to sort this many dice with this many sides, saturating.
pub(crate) fn multichoose(sides: u32, dice: u32) -> u128 {
    // The smaller of C(n + s − 1, n) and C(n + s − 1, s − 1).
    let (few, many) = (dice.min(sides - 1), dice.max(sides - 1));
    let mut ways = 1_u128;
    for k in 1..=u128::from(few) {
        match ways.checked_mul(u128::from(many) + k) {
            Some(product) => ways = product / k,
            None => return u128::MAX,
        }
    }
    ways
}

/// Returns the most frequent number, the smallest one among equals; 0 if there are none.
fn most_frequent(numbers: &[i64]) -> i64 {
    let mut times: BTreeMap<i64, usize> = BTreeMap::new();
    for &number in numbers {
        *times.entry(number).or_default() += 1;
    }
    let most = times.into_iter().rev().max_by_key(|&(_, count)| count);
    most.map_or(0, |(number, _)| number)
}

#[cfg(test)]
thread_local! {
    static LAWS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Returns how many laws this thread has computed, so that a test can tell that none is computed
/// twice without a clock.
#[cfg(test)]
pub(crate) fn laws_computed() -> usize {
    LAWS.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_of_the_most_frequent() {
        // `max_by_key` keeps the last, which in reverse is the smallest.
        assert_eq!(most_frequent(&[2, 1, 1, 2, 3]), 1);
        assert_eq!(most_frequent(&[]), 0);
    }

    /// A bonus on every rank shifts the scan; no die has to wait for it.
    #[test]
    fn a_common_bonus_costs_nothing() -> Result<(), Error> {
        let plain = Pairs::new([8, 8], &Rules::standard(), u64::MAX)?;
        let moved = Rules::standard()
            .attack_bonus([1; 8])
            .ties_to(Side::Attacker);
        let moved = Pairs::new([8, 8], &moved, u64::MAX)?;
        assert_eq!((moved.common, moved.work()), (2, plain.work()));
        let special = Pairs::new([8, 8], &Rules::standard().attack_bonus([1]), u64::MAX)?;
        assert!(special.work() > 10 * plain.work());
        Ok(())
    }

    #[test]
    fn the_estimate_saturates() {
        let rules = Rules::standard().sides(u32::MAX, u32::MAX);
        let refused = rules.and_then(|rules| Pairs::new([u32::MAX; 2], &rules, u64::MAX));
        assert!(matches!(
            refused,
            Err(Error::TooLarge {
                work: u128::MAX,
                ..
            })
        ));
    }
}
