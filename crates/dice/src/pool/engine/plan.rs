//! The data that a scan needs about the pools, independent of the type of faces.

use super::table;
use crate::pool::{Run, Source};
use crate::{Error, Order, Pool, Weight};
use num_bigint::BigUint;

/// All pools over one list of faces.
#[derive(Debug)]
pub struct Plan<W> {
    pub(super) pools: Vec<PoolPlan<W>>,
    /// The number of faces.
    pub(super) faces: usize,
    pub(super) descending: bool,
    /// The limit in 64-bit words.
    pub(super) limit: u64,
    /// The products of earlier passes under the same limit.
    pub(super) products: u128,
}

/// One pool.
#[derive(Debug)]
pub(super) struct PoolPlan<W> {
    pub(super) groups: Vec<GroupPlan<W>>,
    /// The multiplicities of the sorted positions in the order of the scan, up to the last that is
    /// not 0.
    pub(super) multiplicities: Vec<i64>,
    /// Whether dice are left when those positions are filled.
    pub(super) closes: bool,
}

/// Equal dice, or a deck.
#[derive(Debug)]
pub(super) struct GroupPlan<W> {
    /// The number of dice rolled or of cards drawn.
    pub(super) dice: u64,
    pub(super) shown: Shown<W>,
}

/// How often each face is on a die or in a deck.
#[derive(Debug)]
pub(super) enum Shown<W> {
    /// Weights, by index in the list of all faces.
    Weights {
        weights: Vec<(usize, W)>,
        roundings: u64,
    },
    /// Cards, by the same index.
    Cards(Vec<(usize, u64)>),
}

impl<W: Weight> Plan<W> {
    /// # Errors
    /// [`Error::TooLarge`] before any work, [`Error::MultiplicityOverflow`] if the pools together
    /// count more dice than fit into an `i64`.
    pub(super) fn new<T: Ord + Clone>(
        pools: &[&Pool<T, W>],
        faces: &[&T],
        order: Order,
        limit: u64,
        products: u128,
    ) -> Result<Self, Error> {
        let runs: Vec<Vec<Run>> = pools.iter().map(|pool| pool.runs()).collect();
        let descending = match order {
            Order::Ascending => false,
            Order::Descending => true,
            Order::Any => {
                let positions = |descending| {
                    let all = runs
                        .iter()
                        .map(|runs| u128::from(active(runs, descending)) + 1);
                    all.fold(1, u128::saturating_mul)
                };
                positions(true) < positions(false)
            }
        };
        // Readings may add the counts of all pools.
        let counted = runs
            .iter()
            .flatten()
            .map(|run| u128::from(run.dice).saturating_mul(run.multiplicity.unsigned_abs().into()));
        if counted.fold(0, u128::saturating_add) > i64::MAX as u128 {
            return Err(Error::MultiplicityOverflow);
        }
        let mut words = 0_u128;
        for (pool, runs) in pools.iter().zip(&runs) {
            let active = active(runs, descending);
            words = words.saturating_add(table_words(pool, active, faces.len()));
        }
        if words > u128::from(limit) {
            let dice: Vec<String> = pools.iter().map(|pool| pool.size().to_string()).collect();
            return Err(Error::TooLarge {
                operation: format!("reading a pool of {} dice", dice.join(" and ")),
                words,
                limit,
            });
        }
        let plans = pools.iter().zip(&runs);
        let plans = plans.map(|(pool, runs)| PoolPlan::new(pool, runs, faces, descending));
        Ok(Plan {
            pools: plans.collect(),
            faces: faces.len(),
            descending,
            limit,
            products,
        })
    }
}

impl Plan<BigUint> {
    /// The number of all rolls of all pools.
    pub(super) fn rolls(&self) -> BigUint {
        let mut rolls = BigUint::from(1_u32);
        for group in self.pools.iter().flat_map(|pool| &pool.groups) {
            match &group.shown {
                Shown::Weights { weights, .. } => {
                    let total: BigUint = weights.iter().map(|face| &face.1).sum();
                    rolls *= table::power(&total, group.dice);
                }
                Shown::Cards(cards) => {
                    let cards = cards.iter().map(|face| face.1).sum();
                    rolls *= &table::binomial_row(cards, group.dice)[group.dice as usize];
                }
            }
        }
        rolls
    }
}

impl<W: Weight> PoolPlan<W> {
    fn new<T: Ord + Clone>(
        pool: &Pool<T, W>,
        runs: &[Run],
        faces: &[&T],
        descending: bool,
    ) -> Self {
        let active = active(runs, descending);
        let mut multiplicities = Vec::with_capacity(active as usize);
        let mut append = |run: &Run| {
            let room = active - multiplicities.len() as u64;
            let new = multiplicities.len() + room.min(run.dice) as usize;
            multiplicities.resize(new, run.multiplicity);
        };
        if descending {
            runs.iter().rev().for_each(&mut append);
        } else {
            runs.iter().for_each(&mut append);
        }
        let at = |face: &T| {
            faces
                .binary_search_by(|other| (*other).cmp(face))
                .unwrap_or(0)
        };
        let groups = match &pool.source {
            Source::Dice(groups) => groups
                .iter()
                .map(|group| GroupPlan {
                    dice: group.count,
                    shown: Shown::Weights {
                        weights: group.die.iter().map(|(x, w)| (at(x), w.clone())).collect(),
                        roundings: group.die.roundings.weights,
                    },
                })
                .collect(),
            Source::Deck(deck) => vec![GroupPlan {
                dice: deck.drawn,
                shown: Shown::Cards(
                    deck.cards
                        .iter()
                        .map(|(x, cards)| (at(x), *cards))
                        .collect(),
                ),
            }],
        };
        PoolPlan {
            groups,
            multiplicities,
            closes: active < pool.size(),
        }
    }
}

/// All faces of all pools in ascending order.
pub(super) fn faces<'a, T: Ord + Clone, W: Weight>(pools: &[&'a Pool<T, W>]) -> Vec<&'a T> {
    let mut faces: Vec<&T> = Vec::new();
    for pool in pools {
        match &pool.source {
            Source::Dice(groups) => {
                faces.extend(groups.iter().flat_map(|group| &group.die.outcomes));
            }
            Source::Deck(deck) => faces.extend(deck.cards.iter().map(|card| &card.0)),
        }
    }
    if !faces.is_sorted_by(|a, b| a < b) {
        faces.sort();
        faces.dedup();
    }
    faces
}

/// The number of positions up to the last that counts, in the order of the scan.
fn active(runs: &[Run], descending: bool) -> u64 {
    let size: u64 = runs.iter().map(|run| run.dice).sum();
    let unused = |run: &&Run| run.multiplicity == 0;
    let dice = |run: &Run| run.dice;
    let idle: u64 = if descending {
        runs.iter().take_while(unused).map(dice).sum()
    } else {
        runs.iter().rev().take_while(unused).map(dice).sum()
    };
    size - idle
}

/// An upper bound on the memory for the tables of a pool, plus the additions to compute them.
fn table_words<T: Ord + Clone, W: Weight>(pool: &Pool<T, W>, active: u64, faces: usize) -> u128 {
    let one = |dice: u64, words: u128| {
        let taken = u128::from(dice.min(active)) + 1;
        // Floats compute the tables again at each face.
        let rounds = if W::EXACT {
            1
        } else {
            (faces as u128).div_ceil(2)
        };
        let made = (u128::from(dice) + 1)
            .saturating_mul(taken)
            .saturating_mul(rounds);
        let kept = taken
            .saturating_mul(taken)
            .saturating_mul(words.saturating_add(3));
        kept.saturating_add(made)
    };
    let groups = match &pool.source {
        Source::Dice(groups) => groups.iter().fold(0, |sum: u128, group| {
            let words = group.die.total.words(group.count);
            sum.saturating_add(one(group.count, words))
        }),
        Source::Deck(deck) => {
            let cards: u64 = deck.cards.iter().map(|card| card.1).sum();
            let bits = u64::from(cards.ilog2() + 1)
                .saturating_mul(deck.drawn)
                .min(cards);
            let words = u128::from(bits / 64 + 1);
            // A row of Pascal's triangle each for the cards here, later, and both.
            let rows = u128::from(deck.drawn).saturating_mul(3 * (words + 3));
            let number = if W::EXACT { words } else { 1 };
            one(deck.drawn, number).saturating_add(rows)
        }
    };
    // A list of the positions, and one of the counts that runs of them give.
    groups.saturating_add(u128::from(active).saturating_mul(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_positions_that_count() -> Result<(), Error> {
        let pool = Pool::dice(10, 6)?;
        let check = |pool: Pool, up: u64, down: u64| {
            assert_eq!(
                (active(&pool.runs(), false), active(&pool.runs(), true)),
                (up, down)
            );
        };
        check(pool.clone(), 10, 10);
        check(pool.clone().highest(3)?, 10, 3);
        check(pool.clone().lowest(3)?, 3, 10);
        check(pool.clone().middle(2)?, 6, 6);
        check(pool.highest(0)?, 0, 0);
        check(Pool::dice(0, 6)?, 0, 0);
        Ok(())
    }
}
