//! The sum of the k highest of n equal dice, exactly.
//!
//! Condition on the face v of the last die kept. Of the n dice, j < k show more, with the
//! generating function P(x)ʲ, P = Σ ways(e) xᵉ over e > v; at least k − j show v itself, of which k
//! − j are kept; the others show less. With a = ways(v), b = Σ ways(e) over e < v:
//!
//! F(x) = Σᵥ Σⱼ C(n, j) · W(n − j) · x^(v(k − j)) · P(x)ʲ,
//! W(m) = Σ C(m, l) bˡ a^(m − l) over l ≤ n − k, the ways of m dice with at most n − k below v.
//!
//! In steps above v, x^(vk) is a factor in front of the inner sum, and Horner's rule evaluates the
//! sum by k − 1 products with P. For a fair die each product is a sliding window, so the total is
//! O(s · k² · s) additions of numbers as wide as the total. No power of P is ever stored, and no
//! array is indexed by the number of dice.

use super::words::{Faces, add, add_each, digits, for_width, numbers, width, words_of};
use num_bigint::BigUint;
use num_traits::{Num, One, ToPrimitive, pow};

/// The number of ways of each sum, in steps, of the `k` highest of `n` dice; 1 ≤ k ≤ n.
pub(super) fn keep_highest(weights: &[BigUint], n: u32, k: u32) -> Vec<BigUint> {
    let total: BigUint = weights.iter().sum();
    let words = words_of(&total.pow(n));
    let columns: Vec<Vec<Vec<u64>>> = if words <= 2 {
        let narrow = |number: &BigUint| number.to_u128().unwrap_or_default();
        let weights: Vec<u128> = weights.iter().map(narrow).collect();
        let split = |number: u128| vec![number as u64, (number >> 64) as u64];
        let columns = columns(&weights, n, k, narrow).into_iter();
        columns
            .map(|c| c.into_iter().map(split).collect())
            .collect()
    } else {
        let columns = columns(weights, n, k, BigUint::clone).into_iter();
        columns.map(|c| c.iter().map(digits).collect()).collect()
    };
    let faces = Faces::new(weights);
    numbers(
        words,
        &for_width!(words, horner(words, &faces, &columns, k)),
    )
}

/// C(n, j) · W(n − j) for each v, from j = k − 1 down to 0; empty where v is impossible.
///
/// Every number here counts rolls of at most n dice, so it fits where the total does. Above the
/// highest face nothing can be rolled: only j = 0 counts rolls there, and the others are left 0.
fn columns<N: Num + Clone>(
    weights: &[N],
    n: u32,
    k: u32,
    number: impl Fn(&BigUint) -> N,
) -> Vec<Vec<N>> {
    let dropped = (n - k) as usize;
    // C(m, d) up to m = n − 1, and C(n, j) = C(n, n − j) down from j = k − 1, for all v.
    let excess: Vec<N> = column_of_pascal(n - k, k).iter().map(&number).collect();
    let chosen: Vec<N> = row_of_pascal(n, k).iter().map(&number).collect();
    let mut below = N::zero();
    let mut columns = Vec::with_capacity(weights.len());
    let highest = weights.iter().rposition(|ways| !ways.is_zero());
    for (v, at) in weights.iter().enumerate() {
        let both = below.clone() + at.clone();
        let mut column = Vec::new();
        if !at.is_zero() {
            // W(m + 1) = (a + b) W(m) − C(m, d) b^(d + 1) a^(m − d), d = n − k: one more die at v
            // or below, minus the rolls in which one die too many is below.
            let mut ways = pow(both.clone(), dropped);
            let one_too_many = pow(below, dropped + 1);
            let mut at_power = N::one();
            for (j, (excess, chosen)) in (0..chosen.len())
                .rev()
                .zip(excess.iter().zip(chosen.iter().rev()))
            {
                let lost = excess.clone() * one_too_many.clone() * at_power.clone();
                ways = both.clone() * ways - lost;
                at_power = at_power * at.clone();
                column.push(if j > 0 && highest == Some(v) {
                    N::zero()
                } else {
                    chosen.clone() * ways.clone()
                });
            }
        }
        columns.push(column);
        below = both;
    }
    columns
}

/// C(m, d) for m = d, …, d + count − 1.
fn column_of_pascal(d: u32, count: u32) -> Vec<BigUint> {
    let mut number = BigUint::one();
    let mut column = Vec::with_capacity(count as usize);
    for steps in 1..=count {
        column.push(number.clone());
        number = number * (u64::from(d) + u64::from(steps)) / steps;
    }
    column
}

/// C(n, j) for j = 0, …, count − 1.
fn row_of_pascal(n: u32, count: u32) -> Vec<BigUint> {
    let mut number = BigUint::one();
    let mut row = Vec::with_capacity(count as usize);
    for j in 0..count {
        row.push(number.clone());
        number = number * (n - j) / (j + 1);
    }
    row
}

/// Σᵥ x^(vk) Σⱼ cᵥⱼ (P/xᵛ)ʲ.
fn horner<const WIDTH: usize>(
    words: usize,
    faces: &Faces,
    columns: &[Vec<Vec<u64>>],
    k: u32,
) -> Vec<u64> {
    let (words, k) = (width::<WIDTH>(words), k as usize);
    let top = faces.last();
    let mut sum = vec![0; (k * top + 1) * words];
    let (mut polynomial, mut product) = (Vec::new(), Vec::new());
    for (v, column) in columns.iter().enumerate() {
        // There is no face above the highest, so P = 0 and only the last coefficient remains.
        let skipped = if v == top { k - 1 } else { 0 };
        let mut rest = column.iter().skip(skipped);
        let Some(first) = rest.next() else { continue };
        polynomial.clear();
        polynomial.resize(words, 0);
        add(&mut polynomial, first);
        for coefficient in rest {
            faces.times(words, &polynomial, v, v + 1, &mut product);
            std::mem::swap(&mut polynomial, &mut product);
            add(&mut polynomial[..words], coefficient);
        }
        add_each(words, &mut sum[v * k * words..], &polynomial);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By enumeration, where each die is a digit of a counter.
    fn enumerated(weights: &[u64], n: usize, k: usize) -> Vec<BigUint> {
        let faces = weights.len();
        let mut ways = vec![BigUint::ZERO; k * (faces - 1) + 1];
        for roll in 0..faces.pow(n as u32) {
            let mut dice: Vec<usize> = (0..n).map(|i| roll / faces.pow(i as u32) % faces).collect();
            let way: BigUint = dice
                .iter()
                .map(|&face| BigUint::from(weights[face]))
                .product();
            dice.sort_unstable();
            ways[dice[n - k..].iter().sum::<usize>()] += way;
        }
        ways
    }

    #[track_caller]
    fn check(weights: &[u64], n: usize) {
        let big: Vec<BigUint> = weights.iter().map(|&w| w.into()).collect();
        for k in 1..=n {
            let found = keep_highest(&big, n as u32, k as u32);
            assert_eq!(found, enumerated(weights, n, k), "{weights:?}, {k} of {n}");
        }
    }

    #[test]
    fn agrees_with_enumeration_in_one_two_and_more_words() {
        check(&[1, 1, 1, 1, 1, 1], 5);
        check(&[1, 0, 2, 0, 0, 3], 5);
        check(&[1, 1], 9);
        check(&[4], 3);
        check(&[u64::MAX, 1, 7], 1);
        check(&[u64::MAX, 1, 7], 5);
        check(&[1 << 40, 3, 0, 1 << 41], 3);
        check(&[1 << 60, 1 << 60, 1 << 60, 1 << 60], 6);
    }
}
