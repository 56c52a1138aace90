//! The sum of the k highest of unequal dice, exactly.
//!
//! Let a(v, j) be the generating function of the rolls in which exactly j dice show more than v, in
//! the sum of those j: the coefficient of yʲ in Π (y Pᵢ(x) + Bᵢ) over the dice, Pᵢ = Σ ways(e) xᵉ
//! over e > v and Bᵢ the ways of at most v. If j < k then the k-th highest die shows at most v.
//! Treat all kept dice but the j as if they showed v, and subtract the same rolls counted as if
//! they showed the next face w. For a roll whose k-th highest die shows u, the terms for v ≥ u are
//! the sum with the kept dice clamped to at least v, and the steps from v to w cancel all but v =
//! u. Hence
//!
//! F(x) = Σᵥ Σⱼ a(v, j) · (x^(v(k − j)) − x^(w(k − j))),
//!
//! without the second term for the highest face. Dice at v and below v are never distinguished,
//! which would take another index: the state consists of k polynomials only. Because of the
//! differences, this method is for exact numbers only.

use super::words::{
    Faces, add_each, add_each_product, digits, for_width, numbers, subtract_each, width, words_of,
};
use num_bigint::BigUint;

/// The number of ways of each sum, in steps, of the `k` highest of all dice; 1 ≤ k ≤ their number.
pub(super) fn keep_highest(dice: &[(Vec<BigUint>, u32)], k: u32) -> Vec<BigUint> {
    let total = dice
        .iter()
        .map(|(weights, count)| weights.iter().sum::<BigUint>().pow(*count));
    let words = words_of(&total.product());
    let groups: Vec<Group> = dice
        .iter()
        .map(|(weights, count)| Group::new(weights, *count))
        .collect();
    let k = k as usize;
    numbers(words, &for_width!(words, thresholds(words, &groups, k)))
}

/// Dice of one distribution.
struct Group {
    faces: Faces,
    count: u32,
    /// The number of ways of at most each step, up to the last.
    at_most: Vec<Vec<u64>>,
    /// Which steps the dice can show.
    shows: Vec<bool>,
}

impl Group {
    fn new(weights: &[BigUint], count: u32) -> Self {
        let mut sum = BigUint::ZERO;
        let at_most = weights.iter().map(|weight| {
            sum += weight;
            digits(&sum)
        });
        Group {
            at_most: at_most.collect(),
            faces: Faces::new(weights),
            shows: weights.iter().map(|weight| weight.bits() > 0).collect(),
            count,
        }
    }

    /// Dice that never show more than v come first, since they only multiply.
    fn order(&self, v: usize) -> (bool, usize) {
        (self.faces.last() > v, self.faces.last())
    }
}

fn thresholds<const WIDTH: usize>(words: usize, groups: &[Group], k: usize) -> Vec<u64> {
    let words = width::<WIDTH>(words);
    let top = groups
        .iter()
        .map(|group| group.faces.last())
        .max()
        .unwrap_or(0);
    let shown = |&v: &usize| groups.iter().any(|group| group.shows.get(v) == Some(&true));
    let steps: Vec<usize> = (0..=top).filter(shown).collect();
    let mut sum = vec![0; (k * top + 1) * words];
    let mut above: Vec<Vec<u64>> = vec![Vec::new(); k];
    let mut product = Vec::new();
    for (place, &v) in steps.iter().enumerate() {
        // a(v, j) in steps above v for each die: x^(v(k − j)) becomes x^(vk).
        above.iter_mut().for_each(Vec::clear);
        above[0].resize(words, 0);
        above[0][0] = 1;
        let mut least = 0;
        let mut groups: Vec<&Group> = groups.iter().collect();
        groups.sort_by_key(|group| group.order(v));
        for group in groups {
            let can = group.faces.last() > v;
            let stay = &group.at_most[v.min(group.at_most.len() - 1)];
            let never = stay == &[0];
            for _ in 0..group.count {
                for j in (0..k).rev() {
                    if can && j > 0 && !above[j - 1].is_empty() {
                        group
                            .faces
                            .times(words, &above[j - 1], v, v + 1, &mut product);
                    } else {
                        product.clear();
                    }
                    if !never && !above[j].is_empty() {
                        product.resize(product.len().max(above[j].len()), 0);
                        add_each_product(words, &mut product, &above[j], stay);
                    }
                    std::mem::swap(&mut above[j], &mut product);
                }
                least += usize::from(never);
                if least >= k {
                    break;
                }
            }
        }
        for (j, polynomial) in above.iter().enumerate().skip(least) {
            add_each(words, &mut sum[v * k * words..], polynomial);
            if let Some(next) = steps.get(place + 1) {
                let at = v * k + (next - v) * (k - j);
                subtract_each(words, &mut sum[at * words..], polynomial);
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::sum::equal;

    fn big(weights: &[u64]) -> Vec<BigUint> {
        weights.iter().map(|&w| w.into()).collect()
    }

    /// By enumeration of all rolls.
    fn enumerated(dice: &[(Vec<u64>, u32)], k: usize) -> Vec<BigUint> {
        let mut rolls: Vec<(Vec<usize>, BigUint)> = vec![(Vec::new(), 1u32.into())];
        for (weights, count) in dice {
            for _ in 0..*count {
                let longer = rolls.iter().flat_map(|(roll, ways)| {
                    weights.iter().enumerate().map(move |(face, weight)| {
                        let mut roll = roll.clone();
                        roll.push(face);
                        (roll, ways * weight)
                    })
                });
                rolls = longer.collect();
            }
        }
        let top = dice
            .iter()
            .map(|(weights, _)| weights.len() - 1)
            .max()
            .unwrap_or(0);
        let mut sums = vec![BigUint::ZERO; k * top + 1];
        for (mut roll, ways) in rolls {
            roll.sort_unstable_by(|a, b| b.cmp(a));
            sums[roll[..k].iter().sum::<usize>()] += ways;
        }
        sums
    }

    #[track_caller]
    fn check(dice: &[(Vec<u64>, u32)]) {
        let n: u32 = dice.iter().map(|(_, count)| count).sum();
        let exact: Vec<_> = dice.iter().map(|(w, count)| (big(w), *count)).collect();
        for k in 1..=n {
            let found = keep_highest(&exact, k);
            assert_eq!(found, enumerated(dice, k as usize), "{dice:?}, {k} of {n}");
        }
    }

    #[test]
    fn agrees_with_enumeration() {
        check(&[(vec![1, 1, 1, 1], 2), (vec![1, 1, 1, 1, 1, 1], 2)]);
        check(&[
            (vec![1; 2], 1),
            (vec![1; 3], 1),
            (vec![1; 4], 1),
            (vec![1; 6], 1),
        ]);
        // Dice that always show more than others, gaps, loaded and constant dice.
        check(&[(vec![1, 1], 2), (vec![0, 0, 0, 1, 0, 1], 2)]);
        check(&[
            (vec![1, 0, 3], 2),
            (vec![0, 0, 2, 0, 5], 1),
            (vec![0, 1], 1),
        ]);
        check(&[(vec![u64::MAX, 3], 2), (vec![0, 0, u64::MAX - 1, 5], 3)]);
    }

    #[test]
    fn agrees_with_the_kernel_for_equal_dice() {
        for (weights, n, k) in [(vec![1; 10], 20, 7), (vec![3, 1, 0, 2], 30, 12)] {
            let expected = equal::keep_highest(&big(&weights), n, k);
            let (part, rest) = (n / 3, n - n / 3);
            let split = [(big(&weights), part), (big(&weights), rest)];
            assert_eq!(keep_highest(&split, k), expected);
        }
    }
}
