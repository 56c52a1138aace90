//! The data that a scan needs about the pools, independent of the type of faces.

use super::table;
use crate::pool::{Deck, Run, Source};
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
    /// The words of the tables of the pools.
    pub(super) words: u128,
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
        let number = pools.iter().map(|pool| total_words(pool));
        let number = number.fold(0, u128::saturating_add);
        let (mut kept, mut made) = (0_u128, 0_u128);
        for (pool, runs) in pools.iter().zip(&runs) {
            let tables = tables(pool, runs, descending, faces.len(), number);
            kept = kept.saturating_add(tables.kept);
            made = made.saturating_add(tables.made);
        }
        let words = kept.saturating_add(made);
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
            words: kept,
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

/// The words in the number of all rolls of a pool.
fn total_words<T, W: Weight>(pool: &Pool<T, W>) -> u128 {
    match &pool.source {
        Source::Dice(groups) => groups
            .iter()
            .map(|group| group.die.total.words(group.count))
            .fold(0, u128::saturating_add),
        Source::Deck(_) if !W::EXACT => 1,
        Source::Deck(deck) => card_words(deck),
    }
}

/// The words in the number of ways to draw the cards of a deck.
fn card_words<T>(deck: &Deck<T>) -> u128 {
    let cards: u64 = deck.cards.iter().map(|card| card.1).sum();
    let bits = u64::from(cards.ilog2() + 1)
        .saturating_mul(deck.drawn)
        .min(cards);
    u128::from(bits / 64 + 1)
}

/// The words of an entry of a table if the number of all rolls has `number` of them. Up to sixteen,
/// all entries have the same number of words, a third more at most; beyond that, they are as long
/// as they need to be, half on average.
fn entry_words(number: u128) -> u128 {
    match number {
        0..=16 => number + number / 3 + 1,
        _ => number / 2 + 4,
    }
}

/// The words of the tables of a pool, and the additions to compute them.
struct Tables {
    kept: u128,
    made: u128,
}

/// An upper bound on the tables of a pool, where the number of all rolls of all pools has `number`
/// words.
fn tables<T: Ord + Clone, W: Weight>(
    pool: &Pool<T, W>,
    runs: &[Run],
    descending: bool,
    faces: usize,
    number: u128,
) -> Tables {
    let active = active(runs, descending);
    let closes = active < pool.size();
    let faces = faces as u128;
    let entry = entry_words(number);
    let mut tables = Tables { kept: 0, made: 0 };
    let mut add = |dice: u64, matrices: u128| {
        let taken = u128::from(dice.min(active)) + 1;
        // Floats compute the tables again at each face.
        let rounds = if W::EXACT { 1 } else { faces.div_ceil(2) };
        let made = (u128::from(dice) + 1)
            .saturating_mul(taken)
            .saturating_mul(rounds);
        let kept = taken.saturating_mul(taken).saturating_mul(matrices * entry);
        // The weights of each face and of the later ones.
        let weights = faces.saturating_mul(2 * entry.min(17));
        tables.kept = tables.kept.saturating_add(kept).saturating_add(weights);
        tables.made = tables.made.saturating_add(made);
    };
    // Of a pool that is closed early, a table has three matrices. Dice also need binomials.
    let matrices = if closes { 3 } else { 1 };
    match &pool.source {
        Source::Dice(groups) => groups
            .iter()
            .for_each(|group| add(group.count, matrices + 1)),
        Source::Deck(deck) => {
            add(deck.drawn, matrices);
            // A row of Pascal's triangle each for the cards here, later, and both.
            let row = 3 * (card_words(deck) + 3);
            let rows = u128::from(deck.drawn).saturating_mul(row);
            tables.kept = tables.kept.saturating_add(rows);
        }
    }
    // A list of the positions, one of their sums, and a set of the counts that runs of them give.
    let active = u128::from(active);
    let used = runs.iter().filter(|run| run.multiplicity != 0);
    let uniform = used.clone().count() < 2 && active == used.map(|run| u128::from(run.dice)).sum();
    let mut counts = active;
    if !uniform {
        let pairs = active.saturating_mul(active) / 2;
        let all = runs
            .iter()
            .map(|run| u128::from(run.dice).saturating_mul(run.multiplicity.unsigned_abs().into()));
        counts = pairs.min(all.fold(0, u128::saturating_add));
        tables.made = tables.made.saturating_add(pairs);
    }
    let lists = active.saturating_add(counts.saturating_mul(2));
    tables.kept = tables.kept.saturating_add(lists.saturating_mul(2));
    tables
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
