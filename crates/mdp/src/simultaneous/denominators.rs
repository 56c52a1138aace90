//! Denominators, each stored once. A game of dice has few of them, so the results of operations on
//! two of them are stored as well.

use indexmap::IndexSet;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::number::cover;

/// Numbered positive integers, and the known results of operations on them.
#[derive(Debug)]
pub(super) struct Denominators {
    list: IndexSet<BigInt, FxBuildHasher>,
    common: FxHashMap<(u32, u32), u32>,
    products: FxHashMap<(u32, u64), u32>,
    quotients: FxHashMap<(u32, u32), BigInt>,
    bytes: u128,
}

/// The approximate size of an entry of a map or a list, without its digits.
const ENTRY: u128 = 64;

/// Returns the size of an integer in bytes.
pub(super) fn size(integer: &BigInt) -> u128 {
    u128::from(integer.bits().div_ceil(64)) * 8
}

impl Denominators {
    /// Creates a list with 1 under the number 0.
    pub(super) fn new() -> Self {
        let mut denominators = Denominators {
            list: IndexSet::default(),
            common: FxHashMap::default(),
            products: FxHashMap::default(),
            quotients: FxHashMap::default(),
            bytes: 0,
        };
        denominators.number(BigInt::one());
        denominators
    }

    pub(super) fn bytes(&self) -> u128 {
        self.bytes
    }

    pub(super) fn get(&self, number: u32) -> &BigInt {
        &self.list[number as usize]
    }

    /// Returns the number of a positive integer.
    pub(super) fn number(&mut self, denominator: BigInt) -> u32 {
        let (number, new) = self.list.insert_full(denominator);
        if new {
            self.bytes += ENTRY + size(&self.list[number]);
        }
        number as u32
    }

    /// Returns the least common multiple.
    pub(super) fn common(&mut self, a: u32, b: u32) -> u32 {
        if a == b || b == 0 {
            return a;
        }
        if a == 0 {
            return b;
        }
        if let Some(&known) = self.common.get(&(a, b)) {
            return known;
        }
        let (x, y) = (self.get(a), self.get(b));
        // Nearly always, one divides the other.
        let found = if x.bits() >= y.bits() && x.is_multiple_of(y) {
            a
        } else if y.is_multiple_of(x) {
            b
        } else {
            let mut multiple = x.magnitude().clone();
            cover(&mut multiple, y.magnitude());
            self.number(multiple.into())
        };
        self.common.insert((a, b), found);
        self.bytes += ENTRY;
        found
    }

    pub(super) fn times(&mut self, a: u32, factor: u64) -> u32 {
        if factor == 1 {
            return a;
        }
        if let Some(&known) = self.products.get(&(a, factor)) {
            return known;
        }
        let product = self.get(a) * factor;
        let found = self.number(product);
        self.products.insert((a, factor), found);
        self.bytes += ENTRY;
        found
    }

    /// Returns a / b, where `a` is a multiple of `b`.
    pub(super) fn quotient(&mut self, a: u32, b: u32) -> &BigInt {
        if !self.quotients.contains_key(&(a, b)) {
            let quotient = self.get(a) / self.get(b);
            self.bytes += ENTRY + size(&quotient);
            self.quotients.insert((a, b), quotient);
        }
        &self.quotients[&(a, b)]
    }

    /// Forgets everything that is not a denominator in `used`, and renumbers `used`.
    pub(super) fn sweep(&mut self, used: &mut [u32]) {
        let old = std::mem::replace(self, Denominators::new());
        let mut fresh: Vec<u32> = vec![0; old.list.len()];
        for number in used {
            let place = *number as usize;
            if fresh[place] == 0 && place != 0 {
                fresh[place] = self.number(old.list[place].clone());
            }
            *number = fresh[place];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_and_quotients() {
        let mut all = Denominators::new();
        let [four, six] = [4, 6].map(|n| all.number(BigInt::from(n)));
        let twelve = all.common(four, six);
        assert_eq!(*all.get(twelve), BigInt::from(12));
        assert_eq!(
            (all.common(twelve, six), all.common(four, twelve)),
            (twelve, twelve)
        );
        assert_eq!((all.common(0, six), all.common(six, 0)), (six, six));
        assert_eq!(*all.quotient(twelve, four), BigInt::from(3));
        assert_eq!((all.times(four, 3), all.times(six, 1)), (twelve, six));
        // Repeating the queries adds nothing.
        let bytes = all.bytes();
        assert_eq!(
            (all.common(four, six), all.times(four, 3)),
            (twelve, twelve)
        );
        assert_eq!(all.bytes(), bytes);
    }

    #[test]
    fn a_sweep_keeps_what_is_used() {
        let mut all = Denominators::new();
        let numbers: Vec<u32> = (1..100).map(|n| all.number(BigInt::from(n))).collect();
        let before = all.bytes();
        let mut used = [numbers[6], 0, numbers[41], numbers[6]];
        all.sweep(&mut used);
        let left: Vec<BigInt> = used.iter().map(|&number| all.get(number).clone()).collect();
        assert_eq!(left, [7, 1, 42, 7].map(BigInt::from));
        assert_eq!((used[0], used[1]), (used[3], 0));
        assert!(all.bytes() < before / 10);
        assert_eq!(all.common(used[0], used[2]), used[2]);
    }
}
