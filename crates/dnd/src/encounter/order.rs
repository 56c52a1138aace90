//! Orders of initiative.

use std::collections::{BTreeMap, BTreeSet};

use num_rational::BigRational;
use num_traits::One;

/// Returns all orders of these numbers.
pub(super) fn permutations(of: &[usize]) -> Vec<Vec<usize>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, &first) in of.iter().enumerate() {
        let mut rest = of.to_vec();
        rest.remove(at);
        for mut tail in permutations(&rest) {
            tail.insert(0, first);
            all.push(tail);
        }
    }
    all
}

/// Returns the distribution of the order in which creatures with these bonuses act.
///
/// Results are considered from the highest down. A creature that is not placed yet has rolled this
/// result or less, so the chance that it has exactly this result is one over the number of faces
/// that are left.
pub(super) fn initiative(bonuses: &[i64]) -> BTreeMap<Vec<usize>, BigRational> {
    let results = bonuses
        .iter()
        .flat_map(|&bonus| (1..=20).map(move |die| i128::from(bonus) + die));
    let results: BTreeSet<i128> = results.collect();
    let mut placed = BTreeMap::from([(Vec::new(), BigRational::one())]);
    for result in results.into_iter().rev() {
        let mut next: BTreeMap<Vec<usize>, BigRational> = BTreeMap::new();
        for (order, chance) in placed {
            let waiting = (0..bonuses.len()).filter(|one| !order.contains(one));
            let able = waiting.filter_map(|one| {
                let die = result - i128::from(bonuses[one]);
                (1..=20).contains(&die).then_some((one, die))
            });
            let able: Vec<(usize, i128)> = able.collect();
            for set in 0..1_u32 << able.len() {
                let (mut chance, mut tied) = (chance.clone(), Vec::new());
                for (at, &(one, die)) in able.iter().enumerate() {
                    let shows = set >> at & 1 == 1;
                    let ways = if shows { 1 } else { die - 1 };
                    chance *= BigRational::new(ways.into(), die.into());
                    if shows {
                        tied.push(one);
                    }
                }
                if chance == BigRational::default() {
                    continue;
                }
                let ties = ties(&tied, bonuses);
                let each = chance / BigRational::from_integer(ties.len().into());
                for tie in ties {
                    let order = order.iter().copied().chain(tie).collect();
                    *next.entry(order).or_default() += &each;
                }
            }
        }
        placed = next;
    }
    placed
}

/// Returns the equally likely orders of those with the same result.
fn ties(tied: &[usize], bonuses: &[i64]) -> Vec<Vec<usize>> {
    let orders = permutations(tied).into_iter();
    let orders = orders.filter(|order| order.is_sorted_by(|&a, &b| bonuses[a] >= bonuses[b]));
    orders.collect()
}
