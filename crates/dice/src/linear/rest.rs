//! The remaining right-hand side after some digits of x are found.

use super::modulo::Modulo;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::ToPrimitive;

/// A prime, and its inverse for exact division.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base {
    pub(super) prime: Modulo,
    /// 1 / p modulo 2¹²⁸: a multiple of p times this is the quotient.
    inverse: i128,
}

impl Base {
    pub(super) fn new(prime: u64) -> Self {
        let p = i128::from(prime);
        let mut inverse = p;
        // Newton's method doubles the number of correct bits; an odd number is its own inverse
        // modulo 8.
        for _ in 0..6 {
            inverse = inverse.wrapping_mul(2_i128.wrapping_sub(p.wrapping_mul(inverse)));
        }
        Base {
            prime: Modulo(prime),
            inverse,
        }
    }
}

/// A number from which digits are split off.
pub(super) trait Rest: Clone + Default {
    /// An estimate of the operations on words in `gain`.
    const OPERATIONS: usize;
    fn of(weight: &BigUint) -> Self;
    fn add(&mut self, digit: i64);
    /// Adds weight · x.
    fn gain(&mut self, weight: &Self, x: u64);
    /// Subtracts weight · x.
    fn lose(&mut self, weight: &Self, x: u64);
    fn residue(&self, base: Base) -> u64;
    /// Divides a multiple of p by p.
    fn divide(&mut self, base: Base);
}

/// For weights that keep all values below 2¹²⁶.
impl Rest for i128 {
    const OPERATIONS: usize = 4;

    fn of(weight: &BigUint) -> i128 {
        weight.to_i128().unwrap_or(0)
    }

    #[inline]
    fn add(&mut self, digit: i64) {
        *self += i128::from(digit);
    }

    #[inline]
    fn gain(&mut self, weight: &i128, x: u64) {
        // Both are below 2⁶².
        *self += i128::from(*weight as i64) * i128::from(x);
    }

    #[inline]
    fn lose(&mut self, weight: &i128, x: u64) {
        *self -= i128::from(*weight as i64) * i128::from(x);
    }

    #[inline]
    fn residue(&self, base: Base) -> u64 {
        match base.prime.reduce(self.unsigned_abs()) {
            size if *self < 0 && size > 0 => base.prime.0 - size,
            size => size,
        }
    }

    #[inline]
    fn divide(&mut self, base: Base) {
        *self = self.wrapping_mul(base.inverse);
    }
}

impl Rest for BigInt {
    const OPERATIONS: usize = 128;

    fn of(weight: &BigUint) -> BigInt {
        weight.clone().into()
    }

    fn add(&mut self, digit: i64) {
        *self += digit;
    }

    fn gain(&mut self, weight: &BigInt, x: u64) {
        *self += weight * x;
    }

    fn lose(&mut self, weight: &BigInt, x: u64) {
        *self -= weight * x;
    }

    fn residue(&self, base: Base) -> u64 {
        let residue = self.mod_floor(&BigInt::from(base.prime.0));
        residue.to_u64().unwrap_or(0)
    }

    fn divide(&mut self, base: Base) {
        *self /= base.prime.0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::modulo::primes;
    use super::*;

    #[test]
    fn both_kinds_agree() {
        for prime in primes().take(2) {
            let base = Base::new(prime);
            for (start, lost) in [(5, 0), (-3, 7), (1 << 60, (1 << 60) + 1), (0, 1)] {
                let (mut short, mut long) = (0_i128, BigInt::default());
                let weight = (1 << 61) - 7_i128;
                short.add(start);
                long.add(start);
                short.lose(&weight, lost);
                long.lose(&weight.into(), lost);
                assert_eq!(short.residue(base), long.residue(base));
                let digit = short.residue(base);
                short.lose(&1, digit);
                long.lose(&1.into(), digit);
                short.divide(base);
                long.divide(base);
                assert_eq!(BigInt::from(short), long);
            }
        }
    }
}
