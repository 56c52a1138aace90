//! The joint distribution of all places.

use super::{Best, Levels};
use crate::rounding::Roundings;
use crate::{DEFAULT_LIMIT, Dist, Error, Weight, power};
use std::collections::BTreeMap;

/// Returns the joint distribution of the places of all contestants. The first place is 1. Equal
/// outcomes share a place, after which as many places are left out ("1, 2, 2, 4").
///
/// The results are the weak orders of the contestants: 3, 13, 75, 541, 4,683, 47,293 for 2 to 7
/// contestants.
///
/// # Errors
///
/// [`Error::NoContestants`] without distributions; [`Error::TooLarge`], before any work, if all
/// weak orders for each of the outcomes would take more than [`DEFAULT_LIMIT`] words.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Best, Dist, places};
///
/// let laws = [Dist::die(6)?, Dist::die(6)?, Dist::die(6)?];
/// let order = places(&laws, Best::Highest)?;
/// assert_eq!(order.p(&vec![1, 2, 2]).to_string(), "5/72");
/// assert_eq!(order.p(&vec![2, 1, 3]).to_string(), "5/54");
/// assert_eq!(order.len(), 13);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Complexity
///
/// O(x·w·2ᵐ) products for x distinct outcomes, m contestants and w weak orders.
pub fn places<T: Ord, W: Weight>(
    laws: &[Dist<T, W>],
    best: Best,
) -> Result<Dist<Vec<u32>, W>, Error> {
    // The best outcome is visited first, so places are assigned from the first one on.
    let turned = match best {
        Best::Highest => Best::Lowest,
        Best::Lowest => Best::Highest,
    };
    let levels = Levels::new(laws, turned)?;
    let contestants = laws.len();
    let operation = || format!("the finishing orders of {contestants} contestants");
    let length = weak_orders(contestants).saturating_mul(levels.count as u128);
    power::check_size(operation, length, levels.words, DEFAULT_LIMIT)?;
    let mut orders: BTreeMap<Vec<u32>, W> = BTreeMap::from([(vec![0; contestants], W::unit())]);
    levels.each(|here, _| {
        for (order, weight) in std::mem::take(&mut orders) {
            let taken = order.iter().filter(|place| **place > 0).count();
            let free: Vec<usize> = (0..contestants)
                .filter(|&at| order[at] == 0 && !here[at].vanishes())
                .collect();
            // Some of those without a place have this outcome, and the others a worse one.
            for some in 0u64..1 << free.len() {
                let (mut next, mut product) = (order.clone(), weight.clone());
                for (bit, &at) in free.iter().enumerate() {
                    if some >> bit & 1 == 1 {
                        next[at] = taken as u32 + 1;
                        product = product.times(&here[at]);
                    }
                }
                orders.entry(next).or_insert_with(W::nothing).add(&product);
            }
        }
    });
    orders.retain(|order, _| !order.contains(&0));
    let roundings = Roundings {
        // Each order is a sum over all outcomes, with at most one product per contestant.
        weights: levels
            .roundings
            .saturating_add((levels.count as u64).saturating_mul(1 << contestants.min(63))),
        total: 0,
    };
    Dist::gather(orders.into_iter().collect(), levels.total, roundings)
}

/// The number of possible finishing orders, including ties (the Fubini numbers), up to 2¹⁰⁰.
fn weak_orders(contestants: usize) -> u128 {
    // a(n) = Σ C(n, k) a(n − k), where k of the contestants are first.
    let mut orders: Vec<u128> = vec![1];
    for n in 1..=contestants {
        let (mut sum, mut binomial) = (0u128, 1u128);
        for k in 1..=n {
            binomial = binomial * (n - k + 1) as u128 / k as u128;
            sum = sum.saturating_add(binomial.saturating_mul(orders[n - k]));
        }
        if sum >> 100 != 0 {
            return sum;
        }
        orders.push(sum);
    }
    orders[contestants]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fubini_numbers() {
        assert_eq!([1, 2, 3, 4, 7].map(weak_orders), [1, 3, 13, 75, 47_293]);
        assert!(weak_orders(usize::MAX) >> 100 != 0);
    }
}
