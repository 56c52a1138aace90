//! Exact visits to the states of a cycle, by lifting a solution modulo a prime.
//!
//! The visits x, each over its state's total, solve x A = b with A = diag(ways out) − W, in
//! whole numbers. A is eliminated once modulo a prime p; each further digit of x in base p
//! then costs one solution with that elimination and one product with A (J. D. Dixon,
//! "Exact solution of linear equations using p-adic expansions", Numerische Mathematik 40,
//! 1982). Digits are found until numerators and denominator, which Hadamard's inequality
//! bounds, are settled. Elimination in big integers (E. H. Bareiss, 1968) multiplies long
//! numbers in every one of its m³/3 steps; here those steps are done on single words.
//! Measured on cycles of 100 states with 6 and 100 ways out of each: 1.7 and 5 ms, against
//! 118 and 223 ms by Bareiss' algorithm on a dense matrix.

use super::eliminate::{Elimination, Field, Refusal};
use super::mass::Block;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

/// 2⁶¹ − 1, a Mersenne prime: reducing a product takes a shift and an addition.
const MERSENNE: u64 = (1 << 61) - 1;

/// Whole numbers modulo a prime below 2⁶¹.
#[derive(Clone, Copy, Debug)]
struct Modulo(u64);

impl Field for Modulo {
    type Number = u64;

    fn add(self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.0 { sum - self.0 } else { sum }
    }

    fn times(self, a: u64, b: u64) -> u64 {
        if self.0 != MERSENNE {
            // The other primes are below 2³¹.
            return a * b % self.0;
        }
        let product = u128::from(a) * u128::from(b);
        self.add(product as u64 & MERSENNE, (product >> 61) as u64)
    }

    fn inverse(self, a: u64) -> Option<u64> {
        if a == 0 {
            return None;
        }
        // Fermat: a to the p − 2.
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
}

/// The Mersenne prime, then all primes below 2³¹ from the largest down: determinants are
/// divisible by few of them.
fn primes() -> impl Iterator<Item = u64> {
    let prime = |n: &u64| {
        let mut divisors = (3..).step_by(2).take_while(|q: &u64| q * q <= *n);
        n % 2 == 1 && divisors.all(|q| !n.is_multiple_of(&q))
    };
    std::iter::once(MERSENNE).chain((3..1 << 31).rev().filter(prime))
}

/// The weight of all ways out of each state.
fn pivots(block: &Block<BigUint>) -> Vec<BigUint> {
    let out = |(row, exit): (&Vec<(u32, BigUint)>, &BigUint)| {
        row.iter().fold(exit.clone(), |sum, way| sum + &way.1)
    };
    block.rows.iter().zip(&block.exits).map(out).collect()
}

/// Bits that suffice for the determinant: it is at most the product of the diagonal.
pub(super) fn bound(block: &Block<BigUint>) -> u64 {
    pivots(block).iter().map(BigUint::bits).sum()
}

/// An estimate of the time that lifting takes, in operations on words, for a determinant of
/// so many bits: a solution of the block for each digit, and a long division for each
/// state, which is quadratic in the digits.
pub(super) fn operations(block: &Block<BigUint>, bound: u64) -> u128 {
    let states = block.rows.len() as u128;
    let ways: u128 = block.rows.iter().map(|row| row.len() as u128).sum();
    let words = u128::from(bound / 32 + 1);
    states * words * words + words * (states + ways) * STEP
}

/// Operations that one state or way takes in finding one digit.
const STEP: u128 = 4;

/// Numerators of the visits, over their common denominator.
pub(super) fn solve(
    block: &Block<BigUint>,
    source: &[BigUint],
    limit: u64,
) -> Result<(Vec<BigUint>, BigUint), Refusal> {
    let diagonal = pivots(block);
    for prime in primes() {
        let residue = |number: &BigUint| (number % prime).to_u64().unwrap_or(0);
        let way = |way: &(u32, BigUint)| (way.0, residue(&way.1));
        let rows = block.rows.iter();
        let rows = rows.map(|ways| ways.iter().map(way).collect()).collect();
        let exits = block.exits.iter().map(residue).collect();
        let elimination = match Elimination::new(Modulo(prime), rows, exits, limit) {
            Ok(elimination) => elimination,
            Err(Refusal::Singular) => continue,
            Err(refusal) => return Err(refusal),
        };
        return Ok(lifted(block, &diagonal, source, &elimination, prime));
    }
    // Not for a determinant that fits a memory: the primes' product has 10⁹ digits.
    Err(Refusal::Singular)
}

fn lifted(
    block: &Block<BigUint>,
    diagonal: &[BigUint],
    source: &[BigUint],
    elimination: &Elimination<Modulo>,
    prime: u64,
) -> (Vec<BigUint>, BigUint) {
    // A is an M-matrix: its determinant and the entries of its adjugate are at least zero
    // and at most the product of the diagonal.
    let denominator: BigUint = product(diagonal);
    let numerator = &denominator * source.iter().sum::<BigUint>();
    let needed = &numerator * &denominator * 2u32;
    let step_bits = (prime as f64).log2();
    let digits = (needed.bits() as f64 / step_bits) as usize + 2;

    let source: Vec<Vec<u64>> = source.iter().map(|b| base(b, prime)).collect();
    let mut columns = diagonal.to_vec();
    for (target, weight) in block.rows.iter().flatten() {
        columns[*target as usize] += weight;
    }
    // A product of a column with digits below 2⁶¹ stays below 2¹²⁴.
    let narrow = columns.iter().all(|sum| sum.bits() <= 62);
    let found = if narrow {
        expansion::<i128>(block, diagonal, &source, elimination, prime, digits)
    } else {
        expansion::<BigInt>(block, diagonal, &source, elimination, prime, digits)
    };
    let powers = powers(prime, digits);
    let expanded = found.iter().map(|digits| assemble(digits, &powers));
    let modulus = BigUint::from(prime).pow(digits as u32);
    over_one_denominator(expanded, &modulus, &numerator, &denominator)
}

/// The digits of every x in base p.
fn expansion<R: Integer + Clone + ToPrimitive + From<u64> + FromWeight>(
    block: &Block<BigUint>,
    diagonal: &[BigUint],
    source: &[Vec<u64>],
    elimination: &Elimination<Modulo>,
    prime: u64,
    digits: usize,
) -> Vec<Vec<u64>> {
    let diagonal: Vec<R> = diagonal.iter().map(R::of).collect();
    let row = |row: &Vec<(u32, BigUint)>| row.iter().map(|way| (way.0, R::of(&way.1))).collect();
    let rows: Vec<Vec<(u32, R)>> = block.rows.iter().map(row).collect();
    let modulus = R::from(prime);
    let mut rest: Vec<R> = vec![R::zero(); rows.len()];
    let mut found: Vec<Vec<u64>> = vec![Vec::with_capacity(digits); rows.len()];
    for digit in 0..digits {
        for (rest, source) in rest.iter_mut().zip(source) {
            if let Some(&next) = source.get(digit) {
                *rest = rest.clone() + R::from(next);
            }
        }
        let residue = |rest: &R| rest.mod_floor(&modulus).to_u64().unwrap_or(0);
        let step = elimination.solve(rest.iter().map(residue).collect());
        for (state, &x) in step.iter().enumerate() {
            found[state].push(x);
            if x == 0 {
                continue;
            }
            let x = R::from(x);
            rest[state] = rest[state].clone() - x.clone() * diagonal[state].clone();
            for (target, weight) in &rows[state] {
                let target = &mut rest[*target as usize];
                *target = target.clone() + x.clone() * weight.clone();
            }
        }
        for rest in &mut rest {
            // Divisible by the choice of the digit.
            *rest = rest.clone() / modulus.clone();
        }
    }
    found
}

/// A weight as a number to lift with.
trait FromWeight {
    fn of(number: &BigUint) -> Self;
}

impl FromWeight for i128 {
    fn of(number: &BigUint) -> i128 {
        // Chosen only where all weights are below 2⁶².
        number.to_i128().unwrap_or(0)
    }
}

impl FromWeight for BigInt {
    fn of(number: &BigUint) -> BigInt {
        number.clone().into()
    }
}

/// p, p², p⁴, … up to half of `digits`.
fn powers(prime: u64, digits: usize) -> Vec<BigUint> {
    let mut powers = vec![BigUint::from(prime)];
    let mut reach = 1;
    while reach * 2 < digits {
        let last = &powers[powers.len() - 1];
        powers.push(last * last);
        reach *= 2;
    }
    powers
}

/// The number with these digits, the lowest first, by halves.
fn assemble(digits: &[u64], powers: &[BigUint]) -> BigUint {
    let mut parts: Vec<BigUint> = digits.iter().copied().map(BigUint::from).collect();
    for power in powers {
        parts = parts
            .chunks(2)
            .map(|pair| match pair {
                [low, high] => low + high * power,
                rest => rest.iter().sum(),
            })
            .collect();
    }
    // Enough powers leave one part.
    parts.into_iter().next().unwrap_or_default()
}

/// The digits of a number, the lowest first.
fn base(number: &BigUint, prime: u64) -> Vec<u64> {
    let mut digits = Vec::new();
    let mut rest = number.clone();
    while !rest.is_zero() {
        digits.push((&rest % prime).to_u64().unwrap_or(0));
        rest /= prime;
    }
    digits
}

fn product(numbers: &[BigUint]) -> BigUint {
    match numbers {
        [] => BigUint::one(),
        [one] => one.clone(),
        _ => {
            let (low, high) = numbers.split_at(numbers.len() / 2);
            product(low) * product(high)
        }
    }
}

/// Numerators over one denominator, from residues of fractions of which the numerators are
/// at most `numerator` and which have a common denominator of at most `denominator`.
fn over_one_denominator(
    residues: impl Iterator<Item = BigUint>,
    modulus: &BigUint,
    numerator: &BigUint,
    denominator: &BigUint,
) -> (Vec<BigUint>, BigUint) {
    let mut common = BigUint::one();
    let mut numerators: Vec<BigUint> = Vec::new();
    for residue in residues {
        let scaled = residue * &common % modulus;
        // A small residue is the number itself: two fractions this short with the same
        // residue are equal.
        if scaled <= *numerator {
            numerators.push(scaled);
            continue;
        }
        let (top, bottom) = fraction(scaled, modulus, numerator);
        debug_assert!(bottom <= *denominator);
        numerators
            .iter_mut()
            .for_each(|earlier| *earlier *= &bottom);
        common *= bottom;
        numerators.push(top);
    }
    (numerators, common)
}

/// The fraction with this residue and a numerator of at most `numerator`, by Euclid's
/// algorithm stopped half way (P. S. Wang, 1981).
fn fraction(residue: BigUint, modulus: &BigUint, numerator: &BigUint) -> (BigUint, BigUint) {
    let (mut a, mut b) = (modulus.clone(), residue);
    // Cofactors alternate in sign; only their sizes are needed, as the fraction is positive.
    let (mut s, mut t) = (BigUint::zero(), BigUint::one());
    while b > *numerator {
        let (quotient, rest) = a.div_rem(&b);
        a = std::mem::replace(&mut b, rest);
        let next = s + quotient * &t;
        s = std::mem::replace(&mut t, next);
    }
    (b, t)
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
        assert_eq!(primes().nth(1), Some((1 << 31) - 1));
        assert_eq!(primes().nth(2), Some(2_147_483_629));
    }

    #[track_caller]
    fn check(weights: [u64; 2], exits: [u64; 2]) {
        let block = Block {
            rows: vec![vec![(1, weights[0].into())], vec![(0, weights[1].into())]],
            exits: exits.map(BigUint::from).to_vec(),
            roundings: 0,
        };
        let source = [BigUint::one(), BigUint::zero()];
        // x₀ a₀ − x₁ w₁ = 1, x₁ a₁ − x₀ w₀ = 0.
        let big = |n: u64| BigUint::from(n);
        let sums = [0, 1].map(|i| big(weights[i]) + big(exits[i]));
        let determinant = &sums[0] * &sums[1] - big(weights[0]) * big(weights[1]);
        let (x, common) = solve(&block, &source, 1000).unwrap_or_default();
        assert_eq!(&x[0] * &determinant, &sums[1] * &common);
        assert_eq!(&x[1] * &determinant, big(weights[0]) * &common);
    }

    #[test]
    fn two_states() {
        check([1, 1], [1, 1]);
        check([5, 3], [0, 1]);
        check([u64::MAX, u64::MAX - 1], [u64::MAX, 0]);
        check([1 << 60, 1 << 60], [1 << 60, 1]);
    }

    /// Determinant 2⁶¹ − 1 = 1 · 2⁶¹ − 1 · 1: the first prime will not do.
    #[test]
    fn a_determinant_divisible_by_the_first_prime() {
        check([1, 1], [0, MERSENNE]);
        check([1, 1], [0, MERSENNE - 1]);
        check([MERSENNE, MERSENNE], [0, MERSENNE]);
    }
}
