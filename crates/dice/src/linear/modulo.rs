//! Arithmetic modulo primes that fit a word.

use super::eliminate::Field;

/// 2⁶¹ − 1, a Mersenne prime: reducing a product takes a shift and an addition.
pub(super) const MERSENNE: u64 = (1 << 61) - 1;

/// The number of products of numbers below 2⁶¹ that fit into 128 bits, with room for the sum so
/// far.
const UNREDUCED: usize = 32;

/// Integers modulo a prime, which is 2⁶¹ − 1 or below 2³¹.
#[derive(Clone, Copy, Debug)]
pub(super) struct Modulo(pub(super) u64);

impl Modulo {
    #[inline]
    pub(super) fn reduce(self, number: u128) -> u64 {
        if self.0 != MERSENNE {
            return (number % u128::from(self.0)) as u64;
        }
        // 128 bits are three digits in base 2⁶¹.
        let digit = |shift: u32| (number >> shift) as u64 & MERSENNE;
        self.add(self.add(digit(0), digit(61)), digit(122))
    }
}

impl Field for Modulo {
    type Number = u64;

    #[inline]
    fn add(self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.0 { sum - self.0 } else { sum }
    }

    #[inline]
    fn times(self, a: u64, b: u64) -> u64 {
        if self.0 != MERSENNE {
            return a * b % self.0;
        }
        let product = u128::from(a) * u128::from(b);
        self.add(product as u64 & MERSENNE, (product >> 61) as u64)
    }

    fn inverse(self, a: u64) -> Option<u64> {
        if a == 0 {
            return None;
        }
        // By Fermat's little theorem: a to the power of p − 2.
        let (mut inverse, mut square, mut rest) = (1, a, self.0 - 2);
        while rest > 0 {
            if rest % 2 == 1 {
                inverse = self.times(inverse, square);
            }
            square = self.times(square, square);
            rest /= 2;
        }
        Some(inverse)
    }

    /// Reduced once in 32 products.
    #[inline]
    fn add_products(self, start: u64, places: &[u32], weights: &[u64], values: &[u64]) -> u64 {
        let mut sum = u128::from(start);
        for (places, weights) in places.chunks(UNREDUCED).zip(weights.chunks(UNREDUCED)) {
            for (&place, &weight) in places.iter().zip(weights) {
                sum += u128::from(weight) * u128::from(values[place as usize]);
            }
            sum = u128::from(self.reduce(sum));
        }
        sum as u64
    }
}

/// The Mersenne prime, followed by all primes below 2³¹ in descending order: a determinant is
/// divisible by few of them.
pub(super) fn primes() -> impl Iterator<Item = u64> {
    let prime = |n: &u64| {
        let mut divisors = (3..).step_by(2).take_while(|q: &u64| q * q <= *n);
        n % 2 == 1 && divisors.all(|q| !n.is_multiple_of(q))
    };
    std::iter::once(MERSENNE).chain((3..1 << 31).rev().filter(prime))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mersenne_arithmetic() {
        let field = Modulo(MERSENNE);
        assert_eq!(field.times(MERSENNE - 1, MERSENNE - 1), 1);
        assert_eq!(field.inverse(0), None);
        for a in [1, 2, 12_345_678_901, MERSENNE - 1] {
            assert_eq!(field.inverse(a).map(|b| field.times(a, b)), Some(1));
        }
        // 2¹²⁸ = 2⁶ · (2⁶¹)².
        assert_eq!(field.reduce(u128::MAX), 63);
        assert_eq!(primes().nth(1), Some((1 << 31) - 1));
        assert_eq!(primes().nth(2), Some(2_147_483_629));
    }

    /// (−1)(−1) seventy times.
    #[test]
    fn many_products() {
        for prime in primes().take(2) {
            let field = Modulo(prime);
            let (places, numbers) = ([0; 70], [prime - 1; 70]);
            assert_eq!(field.add_products(5, &places, &numbers, &numbers), 75);
        }
    }
}
