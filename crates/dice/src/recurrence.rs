//! Linear recurrences for the coefficients of a power of a polynomial.
//!
//! If F = Pⁿ then P F′ = n P′ F. Comparing coefficients gives each coefficient of F from as many
//! earlier ones as P has (J. C. P. Miller; D. E. Knuth, "The Art of Computer Programming", vol. 2,
//! 4.7), with one exact division. Factors and divisor are single words, so a step takes a few
//! passes over the digits and allocates nothing. The division multiplies by an inverse modulo 2⁶⁴
//! (T. Jebelean, "An algorithm for exact division", 1993), which needs no division instruction.
//! This is why the module does its own arithmetic on digits: `BigUint` has neither a fused
//! multiply-add nor exact division, and takes half as long again for 1000d6.

use num_bigint::BigUint;

/// The term (constant + slope · k) · c(k − lag) in the sum for c(k).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) lag: usize,
    pub(crate) constant: i128,
    pub(crate) slope: i128,
}

impl Step {
    fn factor(&self, k: usize) -> i128 {
        self.constant + self.slope * k as i128
    }

    /// Whether every factor up to `k` fits a single word.
    pub(crate) fn fits(&self, k: usize) -> bool {
        let word = |factor: i128| u64::try_from(factor.unsigned_abs()).is_ok();
        word(self.constant) && word(self.factor(k))
    }
}

/// Passes the first `length` coefficients c(k) of `divisor` · k · c(k) = Σ (constant + slope · k) ·
/// c(k − lag), from c(0) = `first`, to the callback: their 64-bit words, lowest first, with the
/// highest not zero. Only as many coefficients are kept as the longest lag looks back.
///
/// The caller guarantees that all are nonnegative integers of at most `words` words, and that all
/// factors fit a word.
pub(crate) fn each(
    first: &BigUint,
    steps: &[Step],
    divisor: u64,
    length: usize,
    words: usize,
    mut tell: impl FnMut(&[u64]),
) {
    let longest = steps.iter().map(|step| step.lag).max().unwrap_or(0);
    let rows = length.min(longest + 1);
    let mut digits = vec![0u64; rows * words];
    let mut used = vec![0; rows];
    for (digit, value) in digits.iter_mut().zip(first.iter_u64_digits()) {
        *digit = value;
    }
    if let Some(used) = used.first_mut() {
        *used = first.iter_u64_digits().len();
        tell(&digits[..*used]);
    }
    let mut sum = vec![0u64; words + 2];
    let mut row = 0;
    for k in 1..length {
        row = if row + 1 < rows { row + 1 } else { 0 };
        // The position of the row of c(k − lag).
        let back = |lag: usize| match row.checked_sub(lag) {
            Some(row) => row,
            None => row + rows - lag,
        };
        let terms = steps.iter().filter(|step| step.lag <= k);
        let longest = terms.clone().map(|step| used[back(step.lag)]).max();
        // Two words more than the longest term suffice for the sum of fewer than 2⁶⁴ terms, each
        // with a factor of one word. Intermediate differences wrap; only the whole sum is
        // nonnegative.
        let sum = &mut sum[..longest.unwrap_or(0).min(words) + 2];
        sum.fill(0);
        for step in terms {
            let at = back(step.lag);
            let term = &digits[at * words..][..used[at]];
            let factor = step.factor(k);
            let size = factor.unsigned_abs() as u64;
            if factor >= 0 {
                add_product(sum, term, size);
            } else {
                subtract_product(sum, term, size);
            }
        }
        divide_exactly(sum, divisor * k as u64);
        let length = sum
            .iter()
            .rposition(|&digit| digit != 0)
            .map_or(0, |top| top + 1);
        let length = length.min(words);
        digits[row * words..][..length].copy_from_slice(&sum[..length]);
        used[row] = length;
        tell(&sum[..length]);
    }
}

/// The coefficients computed by [`each`], as a list.
pub(crate) fn solve(
    first: &BigUint,
    steps: &[Step],
    divisor: u64,
    length: usize,
    words: usize,
) -> Vec<BigUint> {
    let mut coefficients = Vec::with_capacity(length);
    let mut halves = Vec::with_capacity(2 * words);
    each(first, steps, divisor, length, words, |digits| {
        halves.clear();
        for digit in digits {
            halves.extend([*digit as u32, (*digit >> 32) as u32]);
        }
        coefficients.push(BigUint::from_slice(&halves));
    });
    coefficients
}

/// sum += term · factor, modulo 2^(64 · length).
fn add_product(sum: &mut [u64], term: &[u64], factor: u64) {
    let (low, high) = sum.split_at_mut(term.len());
    let mut carry = 0;
    for (digit, value) in low.iter_mut().zip(term) {
        let wide = u128::from(*value) * u128::from(factor) + u128::from(*digit) + u128::from(carry);
        *digit = wide as u64;
        carry = (wide >> 64) as u64;
    }
    for digit in high {
        let overflow;
        (*digit, overflow) = digit.overflowing_add(carry);
        carry = u64::from(overflow);
    }
}

/// sum −= term · factor, modulo 2^(64 · length).
fn subtract_product(sum: &mut [u64], term: &[u64], factor: u64) {
    let (low, high) = sum.split_at_mut(term.len());
    let mut borrow = 0;
    for (digit, value) in low.iter_mut().zip(term) {
        let wide = u128::from(*value) * u128::from(factor) + u128::from(borrow);
        let overflow;
        (*digit, overflow) = digit.overflowing_sub(wide as u64);
        borrow = (wide >> 64) as u64 + u64::from(overflow);
    }
    for digit in high {
        let overflow;
        (*digit, overflow) = digit.overflowing_sub(borrow);
        borrow = u64::from(overflow);
    }
}

/// sum /= divisor, which must divide it and must not be zero.
fn divide_exactly(sum: &mut [u64], divisor: u64) {
    let twos = divisor.trailing_zeros();
    if twos > 0 {
        let mut above = 0;
        for digit in sum.iter_mut().rev() {
            let low = *digit << (64 - twos);
            *digit = *digit >> twos | above;
            above = low;
        }
    }
    let odd = divisor >> twos;
    if odd == 1 {
        return;
    }
    // Newton's iteration doubles the correct bits; an odd number is its own inverse
    // modulo 8.
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    let mut borrow = 0;
    for digit in sum.iter_mut() {
        let (rest, overflow) = digit.overflowing_sub(borrow);
        *digit = rest.wrapping_mul(inverse);
        borrow = ((u128::from(*digit) * u128::from(odd)) >> 64) as u64 + u64::from(overflow);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    fn big(digits: &[u64]) -> BigUint {
        digits
            .iter()
            .rev()
            .fold(BigUint::default(), |sum, &digit| (sum << 64u32) + digit)
    }

    quickcheck! {
        fn exact_division_undoes_multiplication(digits: Vec<u64>, divisor: u64) -> bool {
            let divisor = divisor.max(1);
            let mut product = vec![0; digits.len() + 1];
            add_product(&mut product, &digits, divisor);
            let whole = big(&product) == big(&digits) * divisor;
            divide_exactly(&mut product, divisor);
            whole && big(&product) == big(&digits)
        }

        fn even_divisors_too(digits: Vec<u64>, odd: u32, twos: u32) -> bool {
            let divisor = u64::from(odd.max(1)) << (twos % 32);
            let mut product = vec![0; digits.len() + 1];
            add_product(&mut product, &digits, divisor);
            divide_exactly(&mut product, divisor);
            big(&product) == big(&digits)
        }

        fn subtraction_undoes_addition(digits: Vec<u64>, factor: u64) -> bool {
            let mut sum = vec![7; digits.len() + 2];
            subtract_product(&mut sum, &digits, factor);
            add_product(&mut sum, &digits, factor);
            sum.iter().all(|&digit| digit == 7)
        }
    }
}
