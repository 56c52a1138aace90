//! Chances over one denominator, each an integer of the same few words.
//!
//! A hundred policies are to be compared in every state. As fractions that
//! would be a greatest common divisor a number; over one denominator it is a
//! comparison of words. The solver of `oddsmith-mdp` does the same inside, but
//! hands out fractions, one policy at a time. The exact division here is the one
//! of its limbs, twenty lines that it keeps to itself: a general solver should not
//! publish its machine words for the sake of one neighbour.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

/// Division by one number that is known to leave no rest.
#[derive(Clone, Copy, Debug)]
struct Divisor {
    /// The divisor is `odd · 2^shift`.
    odd: u64,
    shift: u32,
    /// 1 / odd modulo 2⁶⁴.
    inverse: u64,
}

impl Divisor {
    /// `divisor` is positive.
    fn new(divisor: u64) -> Self {
        let shift = divisor.trailing_zeros();
        let odd = divisor >> shift;
        // Newton: right to 3 bits at first, to twice as many after each step.
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
    /// Weights whose sum fits into 64 bits.
    pub(super) fn new(first: u64, second: u64) -> Self {
        Self {
            first,
            second,
            total: Divisor::new(first + second),
        }
    }

    /// `result = (first · a + second · b) / (first + second)`, which is whole.
    /// `result` has as many words as both and one more.
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
            // A full upper half comes with an empty lower one, which cannot
            // have overflowed.
            high_carry = (high >> 64) as u64 + u64::from(overflow);
        }
        // The values are at most the denominator and the weights add up to
        // less than 2⁶⁴, so one word more is enough.
        result[width] = low_carry + high_carry;
        self.total.divide(result);
    }
}

impl Divisor {
    /// Word by word from below: each word of the quotient follows from the
    /// lowest word of what is left (Jebelean's exact division).
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

/// Numbers of `width` words each, one after the other.
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

    /// Takes the lower words of `number`.
    #[inline]
    pub(super) fn set(&mut self, place: usize, number: &[u64]) {
        let width = self.width;
        self.words[place * width..][..width].copy_from_slice(&number[..width]);
    }
}

/// The order of two numbers of the same width.
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
