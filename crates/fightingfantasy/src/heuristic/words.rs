//! Probabilities over one denominator, as integers with the same small number of words.
//!
//! A hundred policies are to be compared in every state. As fractions, this would take a greatest
//! common divisor for each number; over one denominator, it takes a comparison of words. The solver
//! of `oddsmith-mdp` uses the same representation internally, but returns fractions, and evaluates
//! one policy at a time. The exact division here repeats twenty lines that the solver keeps
//! private: a general solver should not expose its machine words for the sake of one dependent
//! crate.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

/// Exact division by a fixed number.
#[derive(Clone, Copy, Debug)]
struct Divisor {
    /// The divisor is `odd · 2^shift`.
    odd: u64,
    shift: u32,
    /// 1 / odd modulo 2⁶⁴.
    inverse: u64,
}

impl Divisor {
    /// `divisor` must be positive.
    fn new(divisor: u64) -> Self {
        let shift = divisor.trailing_zeros();
        let odd = divisor >> shift;
        // Newton's iteration: 3 bits are right at first, and twice as many after each step.
        let mut inverse = odd;
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        }
        Self {
            odd,
            shift,
            inverse,
        }
    }
}

/// The mean of two outcomes with integer weights that are not both zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mean {
    first: u64,
    second: u64,
    total: Divisor,
}

impl Mean {
    /// The sum of the weights must fit into 64 bits.
    pub(super) fn new(first: u64, second: u64) -> Self {
        Self {
            first,
            second,
            total: Divisor::new(first + second),
        }
    }

    /// Computes `result = (first · a + second · b) / (first + second)`, which must be an integer.
    /// `result` has one word more than `a` and `b` have.
    #[inline]
    pub(super) fn of(&self, a: &[u64], b: &[u64], result: &mut [u64]) {
        let width = a.len();
        let (mut low_carry, mut high_carry) = (0_u64, 0_u64);
        for ((to, &a), &b) in result.iter_mut().zip(a).zip(b) {
            let low = u128::from(self.first) * u128::from(a) + u128::from(low_carry);
            let high = u128::from(self.second) * u128::from(b) + u128::from(high_carry);
            let (sum, overflow) = (low as u64).overflowing_add(high as u64);
            *to = sum;
            low_carry = (low >> 64) as u64;
            // If the upper half of `high` were the largest word, the lower half would be zero and
            // could not have caused an overflow.
            high_carry = (high >> 64) as u64 + u64::from(overflow);
        }
        // The values are at most the denominator, and the sum of the weights is less than 2⁶⁴, so
        // one more word is enough.
        result[width] = low_carry + high_carry;
        self.total.divide(result);
    }
}

impl Divisor {
    /// Divides word by word from the lowest: each word of the quotient follows from the lowest word
    /// of the remaining number (Jebelean's exact division).
    #[inline]
    fn divide(&self, number: &mut [u64]) {
        if self.shift > 0 {
            let last = number.len() - 1;
            for place in 0..last {
                number[place] =
                    number[place] >> self.shift | number[place + 1] << (64 - self.shift);
            }
            number[last] >>= self.shift;
        }
        if self.odd == 1 {
            return;
        }
        let mut borrow = 0;
        for word in number {
            let (rest, under) = word.overflowing_sub(borrow);
            let quotient = rest.wrapping_mul(self.inverse);
            *word = quotient;
            let product = u128::from(quotient) * u128::from(self.odd);
            borrow = (product >> 64) as u64 + u64::from(under);
        }
        debug_assert_eq!(borrow, 0, "the division left a rest");
    }
}

/// Numbers of `width` words each, stored consecutively.
#[derive(Clone, Debug)]
pub(super) struct Words {
    width: usize,
    words: Vec<u64>,
}

impl Words {
    pub(super) fn zeros(count: usize, width: usize) -> Self {
        Self {
            width,
            words: vec![0; count * width],
        }
    }

    #[inline]
    pub(super) fn get(&self, place: usize) -> &[u64] {
        &self.words[place * self.width..][..self.width]
    }

    /// Stores the lower `width` words of `number`.
    #[inline]
    pub(super) fn set(&mut self, place: usize, number: &[u64]) {
        let width = self.width;
        self.words[place * width..][..width].copy_from_slice(&number[..width]);
    }
}

/// Compares two numbers of the same width.
#[inline]
pub(super) fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}

pub(super) fn to_words(number: &BigUint, width: usize) -> Vec<u64> {
    let mut words = number.to_u64_digits();
    words.resize(width, 0);
    words
}

pub(super) fn fraction(words: &[u64], denominator: &BigUint) -> BigRational {
    let halves = words
        .iter()
        .flat_map(|&word| [word as u32, (word >> 32) as u32]);
    let numerator = BigUint::new(halves.collect());
    BigRational::new(BigInt::from(numerator), BigInt::from(denominator.clone()))
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    quickcheck! {
        fn a_mean_is_a_mean(first: u64, second: u64, a: Vec<u64>, b: Vec<u64>) -> bool {
            let (first, second) = (first >> 1, (second >> 1).max(1));
            let total = first + second;
            let width = a.len().max(b.len()) + 2;
            // Multiples of the total below the highest number.
            let whole = |mut words: Vec<u64>| {
                words.resize(width - 2, 0);
                let number = fraction(&words, &BigUint::from(1_u8)).to_integer().magnitude() * total;
                (to_words(&number, width), number)
            };
            let ((a, x), (b, y)) = (whole(a), whole(b));
            let mut result = vec![7; width + 1];
            Mean::new(first, second).of(&a, &b, &mut result);
            let expected = (x * first + y * second) / total;
            result == to_words(&expected, width + 1)
        }

        fn order_is_that_of_the_numbers(a: u128, b: u128) -> bool {
            let words = |n: u128| to_words(&n.into(), 2);
            compare(&words(a), &words(b)) == a.cmp(&b)
        }
    }

    #[test]
    fn a_certain_outcome_is_copied() {
        let mut result = [0; 3];
        Mean::new(5, 0).of(&[3, u64::MAX], &[1, 1], &mut result);
        assert_eq!(result, [3, u64::MAX, 0]);
        Mean::new(0, u64::MAX).of(&[3, 4], &[9, u64::MAX], &mut result);
        assert_eq!(result, [9, u64::MAX, 0]);
    }
}
