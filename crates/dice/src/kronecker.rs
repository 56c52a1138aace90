//! Products of polynomials with big nonnegative coefficients.

use num_bigint::BigUint;
use num_traits::Zero;

/// The number of products up to which the plain double loop is faster than packing. As measured on
/// two factors of equal length, both take the same time between 200 and 500 coefficients, for one
/// word and for two.
const SCHOOLBOOK: usize = 1 << 16;

/// Packing does not pay for a factor this short: with 4,000 coefficients by 64 it takes twice as
/// long.
const SHORT: usize = 64;

/// The product of two polynomials with ascending coefficients.
pub(crate) fn product(left: &[BigUint], right: &[BigUint]) -> Vec<BigUint> {
    let sum = |factors: &[BigUint]| factors.iter().sum::<BigUint>();
    let bits = sum(left).bits() + sum(right).bits();
    let length = left.len() + right.len() - 1;
    let small = left.len().saturating_mul(right.len()) <= SCHOOLBOOK;
    if small || left.len().min(right.len()) <= SHORT {
        if bits <= 64 {
            return words::<u64>(left, right);
        }
        if bits <= 128 {
            return words::<u128>(left, right);
        }
    }
    // Kronecker substitution: evaluate both at 2^(64·slot), where no coefficient of the product
    // overlaps the next, multiply once with the fast product of big integers, and read off the
    // coefficients.
    let slot = bits.div_ceil(64).max(1) as usize;
    unpack(&(pack(left, slot) * pack(right, slot)), slot, length)
}

/// The n-th power of a polynomial, whose coefficients need at most `words` words each.
pub(crate) fn power(polynomial: &[BigUint], words: usize, n: u32) -> Vec<BigUint> {
    let length = (polynomial.len() - 1) * n as usize + 1;
    unpack(&pack(polynomial, words).pow(n), words, length)
}

fn words<N>(left: &[BigUint], right: &[BigUint]) -> Vec<BigUint>
where
    N: Copy + Default + TryFrom<BigUint> + Into<BigUint>,
    N: std::ops::Mul<Output = N> + std::ops::AddAssign,
{
    // The caller guarantees that every coefficient fits, so none falls back to zero.
    let read = |factors: &[BigUint]| -> Vec<N> {
        let word = |factor: &BigUint| N::try_from(factor.clone()).unwrap_or_default();
        factors.iter().map(word).collect()
    };
    let (left, right) = (read(left), read(right));
    let mut product = vec![N::default(); left.len() + right.len() - 1];
    for (i, a) in left.iter().enumerate() {
        for (sum, b) in product[i..].iter_mut().zip(&right) {
            *sum += *a * *b;
        }
    }
    product.into_iter().map(Into::into).collect()
}

fn pack(coefficients: &[BigUint], slot: usize) -> BigUint {
    let mut digits = vec![0u32; coefficients.len() * slot * 2];
    for (place, coefficient) in digits.chunks_exact_mut(slot * 2).zip(coefficients) {
        for (digit, value) in place.iter_mut().zip(coefficient.iter_u32_digits()) {
            *digit = value;
        }
    }
    BigUint::new(digits)
}

fn unpack(packed: &BigUint, slot: usize, length: usize) -> Vec<BigUint> {
    let digits = packed.to_u32_digits();
    let mut coefficients: Vec<BigUint> = digits.chunks(slot * 2).map(BigUint::from_slice).collect();
    coefficients.resize(length, BigUint::zero());
    coefficients
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the plain double loop, on every road: one word, two words, packed.
    #[track_caller]
    fn check(length: usize, other: usize, bits: u32) {
        let coefficients = |length: usize, seed: u64| -> Vec<BigUint> {
            let top = (BigUint::from(1u32) << bits) - 1u32;
            let word = |i: u64| (i + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (0..length as u64)
                .map(|i| (BigUint::from(word(i)).pow(9) % &top) * (i % 3))
                .collect()
        };
        let (left, right) = (coefficients(length, 1), coefficients(other, 7));
        let mut expected = vec![BigUint::zero(); length + other - 1];
        for (i, a) in left.iter().enumerate() {
            for (j, b) in right.iter().enumerate() {
                expected[i + j] += a * b;
            }
        }
        assert_eq!(
            product(&left, &right),
            expected,
            "{length} × {other} at {bits} bits"
        );
    }

    #[test]
    fn all_roads_give_the_same_product() {
        for bits in [1, 2, 20, 26, 27, 30, 31, 32, 33, 58, 60, 62, 64, 100, 200] {
            for (length, other) in [
                (1, 1),
                (1, 9),
                (7, 5),
                (64, 64),
                (65, 80),
                (90, 3),
                (300, 250),
            ] {
                check(length, other, bits);
            }
        }
    }
}
