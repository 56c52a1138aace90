//! Forces that meet one opponent after another, each with what the previous one has left of them.

use std::cell::OnceCell;

use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::chain::Chain;
use crate::forward::{self, Amounts, Floats, push_from};
use crate::radix::{Exact, Radix};
use crate::rows::{Size, check_bytes, filled, gamma};
use crate::stop_rule::Frontier;
use crate::{Error, exact};

/// One of the opponents, and the throws against them.
#[derive(Debug)]
pub(crate) struct Leg {
    chain: Chain,
    /// For fractions only.
    radix: OnceCell<Radix>,
    opponents: u32,
    stay: u32,
}

/// The units at the end of a leg: those that march, and the opponents.
#[derive(Clone, Copy, Debug)]
struct End {
    going_on: u32,
    opponents: u32,
}

impl Leg {
    /// Creates a leg in which `stay` of the winners stay behind.
    pub(crate) fn new(chain: Chain, opponents: u32, stay: u32) -> Self {
        Leg {
            chain,
            radix: OnceCell::new(),
            opponents,
            stay,
        }
    }

    fn radix(&self) -> &Radix {
        self.radix.get_or_init(|| Radix::new(&self.chain))
    }

    /// Returns the size of the largest battle if at most this many units march.
    fn size(&self, most: u32) -> Size {
        battle(most, self.opponents)
    }

    /// The marching side attacks to the end.
    fn fight<P: Amounts>(
        &self,
        amounts: &P,
        most: u32,
        marching: impl FnMut(u32) -> P::Amount,
        mut ended: impl FnMut(End, P::Amount),
    ) -> Result<(), Error> {
        let (size, frontier) = (self.size(most), Frontier::default());
        push_from(
            amounts,
            &self.chain,
            &frontier,
            size,
            marching,
            |end, amount| {
                let end = End {
                    going_on: end.attackers.saturating_sub(self.stay),
                    opponents: end.defenders,
                };
                ended(end, amount);
            },
        )
    }
}

/// The distribution of the units left, over one total. What is missing from the total has lost.
#[derive(Clone, Debug)]
pub(crate) struct March {
    units: Vec<BigUint>,
    total: BigUint,
}

impl March {
    /// Checks whether this many units may meet these opponents, given how many of the winners stay.
    /// This is done before the throws are computed, which may itself take long. The length of the
    /// numbers is not known yet, but each state takes at least one word for each outcome, and a
    /// throw has at least two outcomes.
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`], [`Error::RowsTooLarge`].
    pub(crate) fn refuse(
        units: u32,
        legs: impl IntoIterator<Item = (u32, u32)>,
        what: &'static str,
        limit: u64,
    ) -> Result<(), Error> {
        let (mut work, mut most) = (counts_of_all(units), units);
        for (opponents, stay) in legs {
            let size = battle(most, opponents);
            work = work.saturating_add(size.work().saturating_mul(2));
            size.check_work(what, work, limit)?;
            check_units::<BigUint>(size)?;
            most = most.saturating_sub(stay);
        }
        Ok(())
    }

    /// # Errors
    /// [`Error::BattleTooLarge`] if all legs together take more than `limit` steps,
    /// [`Error::RowsTooLarge`].
    pub(crate) fn new(
        units: u32,
        legs: &[Leg],
        what: &'static str,
        limit: u64,
    ) -> Result<Self, Error> {
        let first = legs.first().map_or(1, |leg| leg.opponents);
        let (mut work, mut grown, mut most) = (counts_of_all(units), 0, units);
        Size::new(units, first).check_work(what, work, limit)?;
        for leg in legs {
            let size = leg.size(most);
            let steps = exact::work(&leg.chain, leg.radix(), size, size.work(), grown);
            work = work.saturating_add(steps);
            size.check_work(what, work, limit)?;
            // Numbers grow over all battles so far.
            grown += exact::grown(&leg.chain, leg.radix(), size);
            most = most.saturating_sub(leg.stay);
        }
        check_units::<BigUint>(Size::new(units, first))?;
        let mut march = vec![BigUint::zero(); units as usize];
        march.push(BigUint::one());
        Ok(March {
            units: march,
            total: BigUint::one(),
        })
    }

    /// Attacks the next opponents to the end.
    ///
    /// # Errors
    /// [`Error::RowsTooLarge`], [`Error::NoMemory`].
    pub(crate) fn attack(&mut self, leg: &Leg) -> Result<(), Error> {
        let (radix, most) = (leg.radix(), self.units.len() as u32 - 1);
        let before = &mut self.units;
        let marching = |units: u32| Exact {
            count: before
                .get_mut(units as usize)
                .map(std::mem::take)
                .unwrap_or_default(),
            ..Exact::default()
        };
        let mut ends = Vec::new();
        leg.fight(radix, most, marching, |end, amount| {
            if end.opponents == 0 {
                ends.push((end, amount));
            }
        })?;
        let (over, times) = radix.common(ends.iter().map(|(_, amount)| amount));
        self.total *= times;
        self.units = vec![BigUint::zero(); left(most, leg)];
        for (end, amount) in ends {
            if let Some(count) = self.units.get_mut(end.going_on as usize) {
                *count += radix.count_over(&amount, over);
            }
        }
        Ok(())
    }

    /// Returns the chance that the march still goes on.
    pub(crate) fn alive(&self) -> BigRational {
        self.chance(self.units.iter().sum())
    }

    /// Returns the chances of 0, 1, 2, … units left.
    pub(crate) fn left(&self) -> Vec<BigRational> {
        let counts = self.units.iter();
        counts.map(|count| self.chance(count.clone())).collect()
    }

    fn chance(&self, count: BigUint) -> BigRational {
        BigRational::new(count.into(), self.total.clone().into())
    }
}

/// Returns the work for the numbers by units, which alone have as many digits as there are units.
fn counts_of_all(units: u32) -> u128 {
    let all = u128::from(units);
    all * all / 16
}

/// Returns how many different numbers of units, including zero, are possible after a leg.
fn left(most: u32, leg: &Leg) -> usize {
    most.saturating_sub(leg.stay) as usize + 1
}

/// Returns the size of the largest battle of at most this many marching units.
fn battle(most: u32, opponents: u32) -> Size {
    Size::new(most.max(1), opponents)
}

/// Checks whether there is memory for numbers by units, before and after a leg.
///
/// # Errors
/// [`Error::RowsTooLarge`].
fn check_units<T>(size: Size) -> Result<(), Error> {
    let numbers = 2 * (u128::from(size.attackers) + 1);
    check_bytes(size, numbers * size_of::<T>() as u128)
}

/// A [`March`] in floats.
#[derive(Clone, Debug)]
pub(crate) struct FloatMarch {
    units: Vec<f64>,
    /// Not computed as a difference from 1, which would lose accuracy.
    lost: f64,
    /// On the longest path to any of these numbers.
    roundings: f64,
}

impl FloatMarch {
    /// Takes the opponents of all legs, and how many of the winners stay. The throws need not be
    /// computed yet.
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`] if all legs together have more than `limit` states,
    /// [`Error::RowsTooLarge`], [`Error::NoMemory`].
    pub(crate) fn new(
        units: u32,
        legs: impl IntoIterator<Item = (u32, u32)>,
        what: &'static str,
        limit: u64,
    ) -> Result<Self, Error> {
        let (mut work, mut most) = (0_u128, units);
        for (opponents, stay) in legs {
            let size = battle(most, opponents);
            work = work.saturating_add(size.work());
            size.check_work(what, work, limit)?;
            check_units::<f64>(size)?;
            most = most.saturating_sub(stay);
        }
        let mut march = filled(units as usize + 1, 0.0)?;
        march[units as usize] = 1.0;
        Ok(FloatMarch {
            units: march,
            lost: 0.0,
            roundings: 0.0,
        })
    }

    /// Attacks the next opponents to the end.
    ///
    /// # Errors
    /// [`Error::RowsTooLarge`], [`Error::NoMemory`].
    pub(crate) fn attack(&mut self, leg: &Leg) -> Result<(), Error> {
        let most = self.units.len() as u32 - 1;
        let (before, lost) = (&self.units, &mut self.lost);
        let mut after = filled(left(most, leg), 0.0)?;
        let marching = |units: u32| before.get(units as usize).copied().unwrap_or(0.0);
        leg.fight(
            &Floats(&leg.chain),
            most,
            marching,
            |end, amount| match after.get_mut(end.going_on as usize) {
                Some(units) if end.opponents == 0 => *units += amount,
                _ => *lost += amount,
            },
        )?;
        // Newcomers are added to those on their way at most once a throw. The ends are added up
        // here, those of defeats one by one.
        let (size, sums) = (leg.size(most), f64::from(most) + f64::from(leg.opponents));
        self.roundings += forward::roundings(&leg.chain, size) + 2.0 * sums;
        self.units = after;
        Ok(())
    }

    /// Returns the chance that the march still goes on.
    pub(crate) fn alive(&self) -> f64 {
        self.units.iter().sum()
    }

    /// Returns the chance that the march has come to an end.
    pub(crate) fn lost(&self) -> f64 {
        self.lost
    }

    /// Returns a bound on the relative error of the chances so far.
    pub(crate) fn relative_error(&self) -> f64 {
        gamma(self.roundings + self.units.len() as f64)
    }

    /// Returns the chances of 0, 1, 2, … units left.
    pub(crate) fn left(self) -> Vec<f64> {
        self.units
    }
}

/// What becomes of an army, by the number of units that attack.
#[derive(Debug)]
pub(crate) struct Passage {
    /// The chances that 0, 1, 2, … units go on after a victory.
    through: Vec<Vec<f64>>,
    /// The chance of defeat, which is not computed as a difference from 1, since that would lose
    /// accuracy.
    lost: Vec<f64>,
}

/// Computes what becomes of up to this many units against these opponents.
pub(crate) fn passage(
    chain: &Chain,
    units: u32,
    opponents: u32,
    stay: u32,
) -> Result<Passage, Error> {
    let mut passage = Passage {
        through: vec![Vec::new()],
        lost: vec![0.0],
    };
    for attackers in 1..=units {
        let mut lost = 0.0;
        let mut row = filled(attackers as usize + 1, 0.0)?;
        let size = Size::new(attackers, opponents);
        let start = |from| f64::from(u8::from(from == attackers));
        let frontier = Frontier::default();
        push_from(
            &Floats(chain),
            chain,
            &frontier,
            size,
            start,
            |end, amount| {
                if end.defenders == 0 {
                    row[end.attackers.saturating_sub(stay) as usize] += amount;
                } else {
                    lost += amount;
                }
            },
        )?;
        passage.through.push(row);
        passage.lost.push(lost);
    }
    Ok(passage)
}

/// # Errors
/// [`Error::BattleTooLarge`] if all orders together take more than `limit` steps.
pub(crate) fn check_orders(
    units: u32,
    opponents: impl Iterator<Item = u32>,
    what: &'static str,
    limit: u64,
) -> Result<(), Error> {
    let all = u128::from(units) + 1;
    let (mut beginnings, mut most, mut passes) = (0_u128, 1, 0_u128);
    for (number, opponents) in (1_u128..).zip(opponents) {
        // Each of n begins an order, alone or before a prefix of the n − 1 others: less than e·n!
        // in all.
        beginnings = beginnings.saturating_add(1).saturating_mul(number);
        most = most.max(opponents);
        let pass = all.saturating_mul(all).saturating_mul(opponents.into());
        passes = passes.saturating_add(pass);
    }
    // Each prefix takes one product with a triangular table, since no more units are left than
    // there were.
    let products = beginnings.saturating_mul(all * (all + 1) / 2);
    let work = products.saturating_add(passes);
    Size::new(units, most).check_work(what, work, limit)
}

/// The event whose probability is maximised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// The marching side gets through.
    Through,
    /// The marching side is stopped.
    Stopped,
}

/// Chances that differ by less than this, relative to their size, are equal; they may differ only
/// by rounding.
const EQUAL: f64 = 1e-12;

/// A search through all orders of passages for the greatest chance of a goal. The first one among
/// equals wins.
pub(crate) struct Search<'a> {
    passages: &'a [Passage],
    goal: Goal,
    order: Vec<usize>,
    best: Option<(Vec<usize>, f64)>,
}

impl<'a> Search<'a> {
    /// Returns the best order for a goal if this many units march, and its chance.
    pub(crate) fn best(passages: &'a [Passage], units: u32, goal: Goal) -> (Vec<usize>, f64) {
        let mut search = Search {
            passages,
            goal,
            order: Vec::new(),
            best: None,
        };
        let mut start = vec![0.0; units as usize];
        start.push(1.0);
        search.go_on(&start, 0.0);
        search.best.unwrap_or_default()
    }

    /// Continues with the distribution of the units left and the chance that they have lost.
    fn go_on(&mut self, units: &[f64], lost: f64) {
        if self.order.len() == self.passages.len() {
            let chance = match self.goal {
                Goal::Through => units.iter().sum(),
                Goal::Stopped => lost,
            };
            if self
                .best
                .as_ref()
                .is_none_or(|(_, best)| chance > *best * (1.0 + EQUAL))
            {
                self.best = Some((self.order.clone(), chance));
            }
            return;
        }
        for next in 0..self.passages.len() {
            if self.order.contains(&next) {
                continue;
            }
            let passage = &self.passages[next];
            let mut after = vec![0.0; units.len()];
            for (row, &chance) in passage.through.iter().zip(units) {
                for (sum, &through) in after.iter_mut().zip(row) {
                    *sum += chance * through;
                }
            }
            let falls = passage
                .lost
                .iter()
                .zip(units)
                .map(|(part, unit)| part * unit);
            let lost = lost + falls.sum::<f64>();
            self.order.push(next);
            self.go_on(&after, lost);
            self.order.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beginnings(of: u32) -> u128 {
        // With one unit a table has 3 numbers; the passes take 4 steps each.
        let within = |limit| check_orders(1, std::iter::repeat_n(1, of as usize), "", limit);
        match within(0) {
            Err(Error::BattleTooLarge { work, .. }) => (work - 4 * u128::from(of)) / 3,
            _ => 0,
        }
    }

    /// Fewer than e·n! products with triangles are made, and that many are counted, not 3·n!
    /// products with squares.
    #[test]
    fn as_many_products_are_counted_as_there_are() {
        // Counted one by one for three armies: 3 prefixes of one army, 6 of two, 6 of three.
        assert_eq!([1, 2, 3].map(beginnings), [1, 4, 15]);
        assert_eq!(beginnings(8), 109_600); // e·8! − 1, rounded
        // Far too many products do not wrap around.
        let many = std::iter::repeat_n(u32::MAX, 99);
        assert!(check_orders(u32::MAX, many, "", u64::MAX).is_err());
    }
}
