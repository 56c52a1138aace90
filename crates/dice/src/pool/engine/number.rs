//! The types of numbers in which rolls are counted.

use super::table::{self, CardFace, DieFace, Table};
use crate::Weight;
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};
use std::fmt::Debug;

/// A number of rolls, or their probability.
pub(crate) trait Number: Clone + Debug {
    /// The type that it represents outside the engine.
    type Weight: Weight;
    fn zero() -> Self;
    fn one() -> Self;
    fn is_zero(&self) -> bool;
    fn is_one(&self) -> bool;
    fn add(&mut self, other: &Self);
    fn times(&self, other: &Self) -> Self;
    fn add_product(&mut self, left: &Self, right: &Self);
    /// Converts the weight of a face. In integers it fits, since the total does.
    fn from_weight(weight: &Self::Weight, roundings: u64) -> Self;
    fn into_weight(self) -> Self::Weight;
    /// The number of roundings in it.
    fn roundings(&self) -> u64;
    /// The ways of dice at a face.
    fn dice(face: &DieFace<'_, Self>) -> Table<Self>;
    /// The ways of cards at a face.
    fn cards(face: &CardFace) -> Table<Self>;
    /// All ways of this many dice with this total, or 1 if totals are normalised to 1.
    fn all(total: &Self, dice: u64) -> Self;
    /// All ways to draw this many of these cards, or 1 in the same case.
    fn all_cards(cards: u64, drawn: u64) -> Self;
}

/// Integers. No number of rolls exceeds the total, so none overflows.
pub(crate) trait Whole: Number {
    fn minus(&self, other: &Self) -> Self;
    /// Converts a number that the caller knows to fit.
    fn from_big(count: &BigUint) -> Self;
}

/// The implementation that all integers share.
macro_rules! whole {
    () => {
        type Weight = BigUint;
        fn from_weight(weight: &BigUint, _: u64) -> Self {
            Self::from_big(weight)
        }
        fn roundings(&self) -> u64 {
            0
        }
        fn dice(face: &DieFace<'_, Self>) -> Table<Self> {
            table::whole_dice(face)
        }
        fn cards(face: &CardFace) -> Table<Self> {
            table::whole_cards(face)
        }
        fn all(total: &Self, dice: u64) -> Self {
            table::power(total, dice)
        }
        fn all_cards(cards: u64, drawn: u64) -> Self {
            Self::from_big(&table::binomial_row(cards, drawn)[drawn as usize])
        }
    };
}

macro_rules! words {
    ($($word:ty: $to:ident),*) => {$(
        // Wrapping, as in a release build in any case: no number of rolls wraps.
        impl Number for $word {
            whole!();
            fn zero() -> Self {
                0
            }
            fn one() -> Self {
                1
            }
            fn is_zero(&self) -> bool {
                *self == 0
            }
            fn is_one(&self) -> bool {
                *self == 1
            }
            fn add(&mut self, other: &Self) {
                *self = self.wrapping_add(*other);
            }
            fn times(&self, other: &Self) -> Self {
                self.wrapping_mul(*other)
            }
            fn add_product(&mut self, left: &Self, right: &Self) {
                *self = self.wrapping_add(left.wrapping_mul(*right));
            }
            fn into_weight(self) -> BigUint {
                self.into()
            }
        }

        impl Whole for $word {
            fn minus(&self, other: &Self) -> Self {
                self.wrapping_sub(*other)
            }
            fn from_big(count: &BigUint) -> Self {
                count.$to().unwrap_or(Self::MAX)
            }
        }
    )*};
}
words!(u64: to_u64, u128: to_u128);

impl Number for BigUint {
    whole!();

    fn zero() -> Self {
        Zero::zero()
    }

    fn one() -> Self {
        One::one()
    }

    fn is_zero(&self) -> bool {
        Zero::is_zero(self)
    }

    fn is_one(&self) -> bool {
        One::is_one(self)
    }

    fn add(&mut self, other: &Self) {
        *self += other;
    }

    fn times(&self, other: &Self) -> Self {
        Weight::times(self, other)
    }

    fn add_product(&mut self, left: &Self, right: &Self) {
        if One::is_one(right) {
            *self += left;
        } else {
            *self += left * right;
        }
    }

    fn into_weight(self) -> BigUint {
        self
    }
}

impl Whole for BigUint {
    fn minus(&self, other: &Self) -> Self {
        self.distance(other)
    }

    fn from_big(count: &BigUint) -> Self {
        count.clone()
    }
}

/// An integer below 2⁶⁴ᴺ, lowest word first. Big integers of a few words spend most of their time
/// on memory management; these are several times as fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Words<const N: usize>([u64; N]);

impl<const N: usize> Words<N> {
    fn small(word: u64) -> Self {
        let mut words = [0; N];
        words[0] = word;
        Words(words)
    }

    /// The number of words up to the highest that is not 0.
    fn length(&self) -> usize {
        let mut length = N;
        while length > 0 && self.0[length - 1] == 0 {
            length -= 1;
        }
        length
    }
}

impl<const N: usize> Number for Words<N> {
    whole!();

    fn zero() -> Self {
        Words([0; N])
    }

    fn one() -> Self {
        Words::small(1)
    }

    fn is_zero(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    fn is_one(&self) -> bool {
        *self == Words::small(1)
    }

    fn add(&mut self, other: &Self) {
        let mut carry = false;
        for (sum, word) in self.0.iter_mut().zip(other.0) {
            let (low, first) = sum.overflowing_add(word);
            let (low, second) = low.overflowing_add(u64::from(carry));
            *sum = low;
            carry = first || second;
        }
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = Self::zero();
        product.add_product(self, other);
        product
    }

    fn add_product(&mut self, left: &Self, right: &Self) {
        // Factors are binomial coefficients, which are mostly much shorter than the counts.
        for (shift, &word) in right.0[..right.length()].iter().enumerate() {
            let mut carry = 0_u64;
            for i in shift..N {
                let product = u128::from(left.0[i - shift]) * u128::from(word);
                let wide = product + u128::from(self.0[i]) + u128::from(carry);
                self.0[i] = wide as u64;
                carry = (wide >> 64) as u64;
            }
        }
    }

    fn into_weight(self) -> BigUint {
        let halves = self
            .0
            .iter()
            .flat_map(|&word| [word as u32, (word >> 32) as u32]);
        BigUint::new(halves.collect())
    }
}

impl<const N: usize> Whole for Words<N> {
    fn minus(&self, other: &Self) -> Self {
        let mut difference = *self;
        let mut borrow = false;
        for (word, less) in difference.0.iter_mut().zip(other.0) {
            let (low, first) = word.overflowing_sub(less);
            let (low, second) = low.overflowing_sub(u64::from(borrow));
            *word = low;
            borrow = first || second;
        }
        difference
    }

    fn from_big(count: &BigUint) -> Self {
        let mut words = [0; N];
        for (word, digit) in words.iter_mut().zip(count.iter_u64_digits()) {
            *word = digit;
        }
        Words(words)
    }
}

/// A double with the largest number of roundings on any path that led to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    value: f64,
    roundings: u64,
}

impl Counted {
    /// Creates a number that has been rounded this many times.
    pub(super) fn new(value: f64, roundings: u64) -> Self {
        Counted { value, roundings }
    }

    /// 0/0 is zero.
    pub(super) fn over(self, whole: Self) -> Self {
        if self.value == 0.0 || whole.value == 0.0 {
            return Self::zero();
        }
        let roundings = self.roundings.saturating_add(whole.roundings);
        Counted::new(self.value / whole.value, roundings.saturating_add(1))
    }
}

impl Number for Counted {
    type Weight = f64;

    fn zero() -> Self {
        Counted::new(0.0, 0)
    }

    fn one() -> Self {
        Counted::new(1.0, 0)
    }

    fn is_zero(&self) -> bool {
        self.value == 0.0
    }

    fn is_one(&self) -> bool {
        self.value == 1.0 && self.roundings == 0
    }

    fn add(&mut self, other: &Self) {
        // Adding zero does not round. Whether a summand is zero must not depend on underflow, but
        // in that case the bound is not stated.
        let rounded = u64::from(self.value != 0.0 && other.value != 0.0);
        self.value += other.value;
        self.roundings = self.roundings.max(other.roundings).saturating_add(rounded);
    }

    fn times(&self, other: &Self) -> Self {
        let roundings = self.roundings.saturating_add(other.roundings);
        let rounded = u64::from(self.value != 1.0 && other.value != 1.0);
        Counted::new(self.value * other.value, roundings.saturating_add(rounded))
    }

    fn add_product(&mut self, left: &Self, right: &Self) {
        let product = left.times(right);
        self.add(&product);
    }

    fn from_weight(weight: &f64, roundings: u64) -> Self {
        Counted::new(*weight, roundings)
    }

    fn into_weight(self) -> f64 {
        self.value
    }

    fn roundings(&self) -> u64 {
        self.roundings
    }

    fn dice(face: &DieFace<'_, Self>) -> Table<Self> {
        table::float_dice(face)
    }

    fn cards(face: &CardFace) -> Table<Self> {
        table::float_cards(face)
    }

    fn all(_: &Self, _: u64) -> Self {
        Self::one()
    }

    fn all_cards(_: u64, _: u64) -> Self {
        Self::one()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn words_are_integers(a: (u64, u64), b: u64, c: (u64, u64, u64)) -> bool {
            let big = |words: &[u64]| {
                words.iter().rev().fold(BigUint::default(), |sum, &word| (sum << 64) + word)
            };
            let (a, b, c) = (big(&[a.0, a.1]), big(&[b]), big(&[c.0, c.1, c.2]));
            let words = Words::<4>::from_big;
            let mut sum = words(&c);
            sum.add_product(&words(&a), &words(&b));
            let mut plain = words(&c);
            plain.add(&words(&a));
            let expected = &c + &a * &b;
            sum.into_weight() == &expected % (BigUint::from(1_u32) << 256)
                && plain.into_weight() == &c + &a
                && words(&expected).minus(&words(&c)).into_weight() == &a * &b
        }
    }

    #[test]
    fn carries_run_through() {
        let mut ones = Words([u64::MAX, u64::MAX, 0]);
        ones.add(&Words::one());
        assert_eq!(ones, Words([0, 0, 1]));
        assert_eq!(ones.minus(&Words::one()), Words([u64::MAX, u64::MAX, 0]));
        let square = Words([u64::MAX, 0]).times(&Words([u64::MAX, 0]));
        assert_eq!(square, Words([1, u64::MAX - 1]));
    }

    #[test]
    fn roundings_follow_the_longest_path() {
        let third = Counted::new(1.0, 0).over(Counted::new(3.0, 0));
        assert_eq!(third.roundings(), 1);
        let mut sum = third.times(&third);
        assert_eq!(sum.roundings(), 3);
        sum.add(&Counted::zero());
        assert_eq!(sum.roundings(), 3);
        sum.add(&third);
        assert_eq!(sum.roundings(), 4);
    }
}
