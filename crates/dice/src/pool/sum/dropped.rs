//! The sum of all but the few lowest of n equal dice, exactly.
//!
//! Horner's rule of `equal.rs` takes k products to keep k dice. If d = n − k are dropped and d is
//! small, consider the lower end: with b the ways of less than v, and Q the generating function of
//! at least v, the rolls in which exactly l dice show less than v are C(n, l) bˡ Qⁿ⁻ˡ. If l ≤ d,
//! the lowest die kept shows at least v. Treat the d − l dropped dice not yet accounted for as if
//! they showed v, and subtract the same rolls as if they showed the face before, u. Everything but
//! the true lowest kept face cancels, as in `mixed.rs`, and
//!
//! F(x) = Σᵥ Q^(k+1) Σₗ C(n, l) bˡ Q^(d−1−l) (x^(−v(d−l)) − x^(−u(d−l))) over l < d,
//!
//! without the second term for the lowest face. The power Q^(k+1) comes from a recurrence, which
//! takes time proportional to its length; the polynomial it is multiplied by is short.

use crate::{kronecker, power};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// The number of ways of each sum, in steps, of all but the `dropped` lowest of `n` dice, for d
/// from 1 to n − 1.
pub(super) fn drop_lowest(weights: &[BigUint], n: u32, dropped: u32) -> Vec<BigUint> {
    let (k, d) = ((n - dropped) as usize, dropped as usize);
    let top = weights.len() - 1;
    let mut plus = vec![BigUint::zero(); k * top + 1];
    let mut minus = plus.clone();
    let mut below = BigUint::zero();
    let mut before: Option<usize> = None;
    for (v, at) in weights.iter().enumerate() {
        if at.is_zero() {
            continue;
        }
        let above = &weights[v..];
        let gap = before.map(|u| v - u);
        // Horner's rule in Q/xᵛ, twice: for the terms to add and for those to subtract.
        let (mut adds, mut takes) = (vec![BigUint::zero()], vec![BigUint::zero()]);
        let (mut chosen, mut ways) = (BigUint::one(), BigUint::one());
        for l in 0..d {
            if l > 0 {
                adds = kronecker::product(&adds, above);
                takes = kronecker::product(&takes, above);
            }
            let coefficient = &chosen * &ways;
            if let Some(gap) = gap {
                let shift = gap * (d - l);
                takes.resize(takes.len().max(shift + 1), BigUint::zero());
                takes[shift] += &coefficient;
            }
            adds[0] += coefficient;
            chosen = chosen * (n - l as u32) / (l as u32 + 1);
            ways *= &below;
        }
        let power = if above.len() == 1 {
            vec![at.pow(k as u32 + 1)]
        } else {
            let total: BigUint = above.iter().sum();
            power::polynomial(above, &total, k as u32 + 1)
        };
        for (sum, short) in [(&mut plus, &adds), (&mut minus, &takes)] {
            if short.iter().all(Zero::is_zero) {
                continue;
            }
            for (place, term) in (v * k..).zip(kronecker::product(&power, short)) {
                // Beyond the highest sum, the two cancel.
                if place < sum.len() {
                    sum[place] += term;
                }
            }
        }
        below += at;
        before = Some(v);
    }
    for (sum, taken) in plus.iter_mut().zip(minus) {
        *sum -= taken;
    }
    plus
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::sum::equal;

    #[test]
    fn agrees_with_the_other_kernel() {
        for weights in [
            vec![1_u64; 6],
            vec![1, 1],
            vec![2, 0, 0, 1, 5],
            vec![u64::MAX, 1, 0, 9],
        ] {
            let weights: Vec<BigUint> = weights.into_iter().map(BigUint::from).collect();
            for n in 2..9 {
                for dropped in 1..n {
                    let expected = equal::keep_highest(&weights, n, n - dropped);
                    assert_eq!(
                        drop_lowest(&weights, n, dropped),
                        expected,
                        "{dropped} of {n}"
                    );
                }
            }
        }
    }
}
