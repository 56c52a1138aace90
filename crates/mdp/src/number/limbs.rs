//! Unsigned integers with a fixed number of 64-bit limbs, least significant first: the three
//! operations of backward induction.
//!
//! A big-integer library allocates memory for every intermediate number. Here a value is a slice of
//! one long array, and a multiply-add or an exact division takes one pass over it.

use std::cmp::Ordering;

use num_bigint::BigUint;

/// Computes `sum += number * weight`.
///
/// `sum` has one limb more than `number`, and the caller ensures that it does not overflow.
#[inline]
pub(super) fn add_product(sum: &mut [u64], number: &[u64], weight: u64) {
    let (head, tail) = sum.split_at_mut(number.len());
    let mut carry = 0_u64;
    for (s, &n) in head.iter_mut().zip(number) {
        let wide = u128::from(n) * u128::from(weight) + u128::from(*s) + u128::from(carry);
        *s = wide as u64;
        carry = (wide >> 64) as u64;
    }
    for s in tail {
        let (low, over) = s.overflowing_add(carry);
        *s = low;
        carry = u64::from(over);
    }
}

/// A divisor prepared for exact division.
#[derive(Clone, Copy, Debug)]
pub(super) struct Divisor {
    odd: u64,
    /// odd * inverse = 1 modulo 2^64.
    inverse: u64,
    shift: u32,
}

impl Divisor {
    /// Prepares `divisor`, which must be positive.
    pub(super) fn new(divisor: u64) -> Self {
        let shift = divisor.trailing_zeros();
        let odd = divisor >> shift;
        Divisor {
            odd,
            inverse: inverse(odd),
            shift,
        }
    }
}

/// odd * inverse = 1 modulo 2^64.
fn inverse(odd: u64) -> u64 {
    // Newton's iteration doubles the number of correct low bits. An odd number is its own inverse
    // modulo 8.
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

/// Shifts right by fewer than 64 bits.
#[inline]
fn shift_right(number: &mut [u64], shift: u32) {
    if shift == 0 {
        return;
    }
    let mut high = 0;
    for limb in number.iter_mut().rev() {
        let low = *limb;
        *limb = (low >> shift) | high;
        high = low << (64 - shift);
    }
}

/// Computes `number /= divisor`. The division must leave no remainder; otherwise the result is
/// meaningless (as for a game that answers differently every time).
///
/// Works from the low end (T. Jebelean, "An algorithm for exact division", J. Symbolic Computation
/// 15, 1993). Every quotient limb takes one multiplication by the inverse modulo 2^64, whereas a
/// division with remainder would take one hardware division per limb.
#[inline]
pub(super) fn divide_exact(number: &mut [u64], divisor: &Divisor) {
    shift_right(number, divisor.shift);
    if divisor.odd == 1 {
        return;
    }
    let mut borrow = 0_u64;
    for limb in number.iter_mut() {
        let (rest, under) = limb.overflowing_sub(borrow);
        let quotient = rest.wrapping_mul(divisor.inverse);
        *limb = quotient;
        borrow = ((u128::from(quotient) * u128::from(divisor.odd)) >> 64) as u64 + u64::from(under);
    }
}

/// Computes `sum += number * weight`, for a weight of several limbs. `sum` is at least as long as
/// both together.
pub(super) fn add_long_product(sum: &mut [u64], number: &[u64], weight: &[u64]) {
    for (place, &limb) in weight.iter().enumerate() {
        if limb > 0 && place < sum.len() {
            let length = number.len().min(sum.len() - place);
            add_product(&mut sum[place..], &number[..length], limb);
        }
    }
}

/// Returns `number` without the zeros at its high end.
#[inline]
pub(super) fn trimmed(number: &[u64]) -> &[u64] {
    let zeros = number.iter().rev().take_while(|&&limb| limb == 0).count();
    &number[..number.len() - zeros]
}

/// A divisor of several limbs, prepared for exact division.
#[derive(Clone, Debug)]
pub(super) struct LongDivisor {
    /// The divisor without its factors of two.
    odd: Vec<u64>,
    inverse: u64,
    shift: u64,
}

impl LongDivisor {
    /// Prepares `divisor`, which must be positive.
    pub(super) fn new(divisor: &BigUint) -> Self {
        let shift = divisor.trailing_zeros().unwrap_or(0);
        let odd: Vec<u64> = (divisor >> shift).iter_u64_digits().collect();
        LongDivisor {
            inverse: odd.first().map_or(1, |&low| inverse(low)),
            odd,
            shift,
        }
    }
}

/// Does the same as [`divide_exact`]. For each quotient limb, the multiple of the divisor is
/// subtracted from the rest.
pub(super) fn divide_exact_long(number: &mut [u64], divisor: &LongDivisor) {
    let limbs = (divisor.shift / 64) as usize;
    if limbs > 0 {
        let kept = number.len().saturating_sub(limbs);
        number.copy_within(limbs.min(number.len()).., 0);
        number[kept..].fill(0);
    }
    shift_right(number, (divisor.shift % 64) as u32);
    for place in 0..number.len() {
        let quotient = number[place].wrapping_mul(divisor.inverse);
        let mut borrow = 0_u64;
        for (limb, &odd) in number[place..].iter_mut().zip(&divisor.odd) {
            let wide = u128::from(quotient) * u128::from(odd) + u128::from(borrow);
            let (rest, under) = limb.overflowing_sub(wide as u64);
            *limb = rest;
            borrow = (wide >> 64) as u64 + u64::from(under);
        }
        let above = (place + divisor.odd.len()).min(number.len());
        for limb in &mut number[above..] {
            if borrow == 0 {
                break;
            }
            let (rest, under) = limb.overflowing_sub(borrow);
            *limb = rest;
            borrow = u64::from(under);
        }
        number[place] = quotient;
    }
}

/// Compares two numbers of the same length.
#[inline]
pub(super) fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    fn big(limbs: &[u64]) -> BigUint {
        limbs
            .iter()
            .rev()
            .fold(BigUint::ZERO, |sum, &limb| (sum << 64) + limb)
    }

    quickcheck! {
        fn products_are_divided_back(limbs: Vec<u64>, weight: u64) -> bool {
            let weight = weight.max(1);
            let mut product = vec![0; limbs.len() + 1];
            add_product(&mut product, &limbs, weight);
            let right = big(&product) == big(&limbs) * weight;
            divide_exact(&mut product, &Divisor::new(weight));
            right && product[..limbs.len()] == limbs && product[limbs.len()] == 0
        }

        fn long_products_are_divided_back(limbs: Vec<u64>, weight: Vec<u64>, shift: u8) -> bool {
            let weight = (big(&weight) + 1_u8) << shift;
            let digits: Vec<u64> = weight.iter_u64_digits().collect();
            let mut product = vec![0; limbs.len() + digits.len()];
            add_long_product(&mut product, &limbs, &digits);
            let right = big(&product) == big(&limbs) * &weight;
            divide_exact_long(&mut product, &LongDivisor::new(&weight));
            right && product[..limbs.len()] == limbs
                && product[limbs.len()..].iter().all(|&limb| limb == 0)
        }

        fn sums_carry(a: Vec<u64>, b: Vec<u64>, x: u64, y: u64) -> bool {
            let length = a.len().min(b.len());
            let (a, b) = (&a[..length], &b[..length]);
            // Halved, so that the sum fits.
            let (x, y) = (x / 2, y / 2);
            let mut sum = vec![0; length + 1];
            add_product(&mut sum, a, x);
            add_product(&mut sum, b, y);
            big(&sum) == big(a) * x + big(b) * y && compare(a, b) == big(a).cmp(&big(b))
        }
    }

    #[test]
    fn the_hardest_limbs_carry() {
        let full = [u64::MAX; 3];
        let mut product = [0; 4];
        add_product(&mut product, &full, u64::MAX);
        assert_eq!(big(&product), big(&full) * u64::MAX);
        for divisor in [1, 2, 3, 1 << 63, u64::MAX, u64::MAX - 1, 1296, 36, 1150] {
            let mut product = [0; 4];
            add_product(&mut product, &full, divisor);
            divide_exact(&mut product, &Divisor::new(divisor));
            assert_eq!(product, [u64::MAX, u64::MAX, u64::MAX, 0], "{divisor}");
        }
    }
}
