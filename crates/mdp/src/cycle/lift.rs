//! Exact solutions of A x = b, by lifting one modulo a prime.
//!
//! A = diag(ways out) − W in whole numbers is eliminated once modulo a prime p; each
//! further digit of x in base p then costs one solution with that elimination and
//! one product with A (J. D. Dixon, "Exact solution of linear equations using
//! p-adic expansions", Numerische Mathematik 40, 1982). Elimination in integers
//! (E. H. Bareiss, 1968) would multiply long numbers in every one of its m³/3 steps.
//!
//! All x have one denominator. It is read off a random combination of them (P. S.
//! Wang's rational reconstruction, 1981), after which each numerator takes one
//! product; the result is put into the equations and counts only if they hold.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::eliminate::{ENTRY, Elimination, Field, Refusal, Ways};
use crate::Error;

/// 2⁶¹ − 1, a Mersenne prime: reducing a product takes a shift and an addition.
const MERSENNE: u64 = (1 << 61) - 1;

/// Whole numbers modulo a prime below 2⁶¹.
#[derive(Clone, Copy, Debug)]
struct Modulo(u64);

impl Field for Modulo {
    type Number = u64;

    #[inline]
    fn add(self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.0 { sum - self.0 } else { sum }
    }

    #[inline]
    fn times(self, a: u64, b: u64) -> u64 {
        let product = u128::from(a) * u128::from(b);
        if self.0 != MERSENNE {
            return (product % u128::from(self.0)) as u64;
        }
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

/// The Mersenne prime, then all primes below 2³¹ from the largest down: a
/// determinant is divisible by few of them.
fn primes() -> impl Iterator<Item = u64> {
    let prime = |n: &u64| {
        let mut divisors = (3..).step_by(2).take_while(|q: &u64| q * q <= *n);
        n % 2 == 1 && divisors.all(|q| !n.is_multiple_of(&q))
    };
    std::iter::once(MERSENNE).chain((3..1 << 31).rev().filter(prime))
}

/// A combination hides a prime factor p of the denominator once in p times; so many
/// in succession must show none. They cost a reduction each.
const CLEAR: u32 = 8;

/// Which equations are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sense {
    /// leaving(k) x(k) = b(k) + Σ w(k → j) x(j)
    Values,
    /// leaving(k) x(k) = b(k) + Σ x(j) w(j → k)
    Visits,
}

/// A chain in whole numbers.
#[derive(Debug)]
pub(super) struct Chain<'a> {
    /// Ways to other nodes, ascending.
    pub(super) rows: Vec<&'a [(u32, BigUint)]>,
    /// The weight of all ways out of each node, to exits too.
    pub(super) leaving: Vec<&'a BigUint>,
}

/// x = numerators / denominator
#[derive(Debug, PartialEq)]
pub(super) struct Lifted {
    pub(super) numerators: Vec<BigUint>,
    pub(super) denominator: BigUint,
}

/// How much may be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) max_bytes: u128,
    /// How many states are said to be solved, in errors.
    pub(super) states: usize,
}

impl Bounds {
    pub(super) fn check(&self, what: &'static str, needed: u128) -> Result<(), Error> {
        if needed <= self.max_bytes {
            return Ok(());
        }
        Err(Error::TooMuchMemory {
            what,
            states: self.states,
            needed,
            limit: self.max_bytes,
        })
    }
}

impl Chain<'_> {
    /// The solution for b, which is never negative. There is one: from every node
    /// play gets out.
    pub(super) fn solve(
        &self,
        b: &[BigUint],
        sense: Sense,
        bounds: Bounds,
        pulse: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<Lifted, Error> {
        // A is an M-matrix: its determinant and the entries of its adjugate are at
        // least zero and at most the product of the diagonal.
        let diagonal_bits: u64 = self.leaving.iter().map(|w| w.bits()).sum();
        let right_bits = b.iter().map(BigUint::bits).max().unwrap_or(0) + 64;
        let long = u128::from(diagonal_bits * 2 + right_bits) / 8;
        bounds.check(
            "the exact values of a cycle",
            long * self.rows.len() as u128 * 2,
        )?;
        for prime in primes() {
            let residue = |number: &BigUint| (number % prime).to_u64().unwrap_or(0);
            let rows = self.rows.iter().map(|ways| {
                let ways = ways.iter().map(|way| (way.0, residue(&way.1)));
                ways.collect::<Ways<u64>>()
            });
            let exits = self.rows.iter().zip(&self.leaving).map(|(row, &leaving)| {
                let inner: BigUint = row.iter().map(|way| &way.1).sum();
                residue(&(leaving - inner))
            });
            let limit = bounds.max_bytes / ENTRY;
            let eliminated = Elimination::new(
                Modulo(prime),
                rows.collect(),
                exits.collect(),
                limit,
                &mut *pulse,
            );
            match eliminated {
                Ok(eliminated) => {
                    let lift = Lift {
                        chain: self,
                        sense,
                        eliminated,
                        prime,
                    };
                    return lift.solve(b, pulse);
                }
                Err(Refusal::Singular) => {}
                Err(Refusal::Stopped(error)) => return Err(error),
                Err(Refusal::TooLarge(entries)) => {
                    bounds.check("eliminating a cycle", entries * ENTRY)?;
                }
            }
        }
        // Not for a determinant that fits a memory: the primes' product has 10⁹
        // digits.
        bounds.check("eliminating a cycle", u128::MAX)?;
        Ok(Lifted {
            numerators: Vec::new(),
            denominator: BigUint::one(),
        })
    }

    /// Whether the equations hold.
    fn holds(&self, x: &Lifted, b: &[BigUint], sense: Sense) -> bool {
        let gains = b.iter().map(|b| b * &x.denominator);
        let mut sums: Vec<BigUint> = gains.collect();
        for (node, row) in self.rows.iter().enumerate() {
            for (target, weight) in *row {
                let (to, from) = match sense {
                    Sense::Values => (node, *target as usize),
                    Sense::Visits => (*target as usize, node),
                };
                sums[to] += weight * &x.numerators[from];
            }
        }
        let all = sums.iter().zip(&x.numerators).zip(&self.leaving);
        all.into_iter()
            .all(|((sum, x), &leaving)| *sum == leaving * x)
    }
}

struct Lift<'a> {
    chain: &'a Chain<'a>,
    sense: Sense,
    eliminated: Elimination<Modulo>,
    prime: u64,
}

impl Lift<'_> {
    fn solve(
        &self,
        b: &[BigUint],
        pulse: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<Lifted, Error> {
        let leaving = &self.chain.leaving;
        let denominator_bits: u64 = leaving.iter().map(|w| w.bits()).sum();
        let sum: BigUint = b.iter().sum();
        // Numerators are at most the product of the diagonal times the sum of b.
        let numerator_bits = denominator_bits + sum.bits();
        let mixing = 34 + (leaving.len() as u64).ilog2() as u64;
        let step_bits = (self.prime as f64).log2();
        let count = |bits: u64| (bits as f64 / step_bits) as usize + 2;
        let digits = count(numerator_bits + denominator_bits + mixing + 1);
        let sources: Vec<Vec<u64>> = b.iter().map(|b| base(b, self.prime)).collect();
        let mut touching: Vec<BigUint> = leaving.iter().map(|&w| w.clone()).collect();
        for (node, row) in self.chain.rows.iter().enumerate() {
            for (target, weight) in *row {
                let node = match self.sense {
                    Sense::Values => node,
                    Sense::Visits => *target as usize,
                };
                touching[node] += weight;
            }
        }
        // A product with digits below 2⁶¹ stays below 2¹²⁴.
        let narrow = touching.iter().all(|sum| sum.bits() <= 62);
        let found = if narrow {
            self.expand::<i128>(&sources, digits, pulse)
        } else {
            self.expand::<BigInt>(&sources, digits, pulse)
        }?;
        let powers = powers(self.prime, digits);
        let modulus = |digits: usize| BigUint::from(self.prime).pow(digits as u32);
        let few = count(numerator_bits + 1);
        let (all_modulus, few_modulus) = (modulus(digits), modulus(few));
        let most = BigUint::one() << (numerator_bits + mixing);
        let mut common = BigUint::one();
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        loop {
            let mut clear = 0;
            while clear < CLEAR {
                let combination = self.combine(&found, &powers, &mut seed, &all_modulus);
                let scaled = combination * &common % &all_modulus;
                let factor = denominator(scaled, &all_modulus, &most);
                clear = if factor.is_one() { clear + 1 } else { 0 };
                common *= factor;
            }
            let mut numerators = Vec::with_capacity(found.len());
            for (state, digits) in found.iter().enumerate() {
                if state % 64 == 0 {
                    pulse()?;
                }
                let low = &digits[..few.min(digits.len())];
                numerators.push(assemble(low, &powers) * &common % &few_modulus);
            }
            let lifted = Lifted {
                numerators,
                denominator: common,
            };
            if self.chain.holds(&lifted, b, self.sense) {
                return Ok(lifted);
            }
            // The combination hid a factor of the denominator: another will not.
            common = lifted.denominator;
            pulse()?;
        }
    }

    /// A sum of all x with random factors.
    fn combine(
        &self,
        found: &[Vec<u64>],
        powers: &[BigUint],
        seed: &mut u64,
        modulus: &BigUint,
    ) -> BigUint {
        let digits = found.first().map_or(0, Vec::len);
        let mut sums = vec![0_u128; digits];
        for x in found {
            // The finaliser of splitmix64.
            *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut mixed = *seed;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            // Odd and even: sums of odd multiples might always be even.
            let factor = u128::from(mixed >> 32) + 1;
            for (sum, &digit) in sums.iter_mut().zip(x) {
                *sum += factor * u128::from(digit);
            }
        }
        // Carried, so that each is a digit again.
        let mut carry = 0_u128;
        let prime = u128::from(self.prime);
        let carried = sums.into_iter().map(|sum| {
            let sum = sum + carry;
            carry = sum / prime;
            (sum % prime) as u64
        });
        let carried: Vec<u64> = carried.collect();
        assemble(&carried, powers) % modulus
    }

    /// The digits of every x in base p.
    fn expand<R: Integer + Clone + ToPrimitive + From<u64> + FromWeight>(
        &self,
        sources: &[Vec<u64>],
        digits: usize,
        pulse: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<Vec<Vec<u64>>, Error> {
        let leaving: Vec<R> = self.chain.leaving.iter().map(|w| R::of(w)).collect();
        let rows: Vec<Vec<(u32, R)>> = self
            .chain
            .rows
            .iter()
            .map(|row| row.iter().map(|way| (way.0, R::of(&way.1))).collect())
            .collect();
        let modulus = R::from(self.prime);
        let mut rest: Vec<R> = vec![R::zero(); rows.len()];
        let mut found: Vec<Vec<u64>> = vec![Vec::with_capacity(digits); rows.len()];
        for digit in 0..digits {
            if digit % 16 == 0 {
                pulse()?;
            }
            for (rest, source) in rest.iter_mut().zip(sources) {
                if let Some(&next) = source.get(digit) {
                    *rest = rest.clone() + R::from(next);
                }
            }
            let residue = |rest: &R| rest.mod_floor(&modulus).to_u64().unwrap_or(0);
            let residues = rest.iter().map(residue).collect();
            let step = match self.sense {
                Sense::Values => self.eliminated.values(residues),
                Sense::Visits => self.eliminated.visits(residues),
            };
            for (node, &x) in step.iter().enumerate() {
                found[node].push(x);
                rest[node] = rest[node].clone() - R::from(x) * leaving[node].clone();
            }
            for (node, row) in rows.iter().enumerate() {
                for (target, weight) in row {
                    let (to, from) = match self.sense {
                        Sense::Values => (node, *target as usize),
                        Sense::Visits => (*target as usize, node),
                    };
                    rest[to] = rest[to].clone() + R::from(step[from]) * weight.clone();
                }
            }
            for rest in &mut rest {
                // Divisible by the choice of the digit.
                *rest = rest.clone() / modulus.clone();
            }
        }
        Ok(found)
    }
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
        if parts.len() <= 1 {
            break;
        }
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

/// The denominator of the fraction with this residue and a numerator of at most
/// `most`, by Euclid's algorithm stopped half way.
fn denominator(residue: BigUint, modulus: &BigUint, most: &BigUint) -> BigUint {
    let (mut a, mut b) = (BigInt::from(modulus.clone()), BigInt::from(residue));
    let (mut s, mut t) = (BigInt::zero(), BigInt::one());
    let most = BigInt::from(most.clone());
    while b > most {
        let (quotient, rest) = a.div_rem(&b);
        a = std::mem::replace(&mut b, rest);
        let next = s - quotient * &t;
        s = std::mem::replace(&mut t, next);
    }
    t.abs().magnitude().clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn big(n: u64) -> BigUint {
        BigUint::from(n)
    }

    #[test]
    fn mersenne_arithmetic() {
        let field = Modulo(MERSENNE);
        assert_eq!(field.times(MERSENNE - 1, MERSENNE - 1), 1);
        assert_eq!(field.inverse(0), None);
        for a in [1, 2, 12_345_678_901, MERSENNE - 1] {
            assert_eq!(field.inverse(a).map(|b| field.times(a, b)), Some(1));
        }
        assert_eq!(primes().nth(2), Some(2_147_483_629));
    }

    #[track_caller]
    fn check(weights: [u64; 2], exits: [u64; 2], b: [u64; 2]) {
        let rows = [vec![(1, big(weights[0]))], vec![(0, big(weights[1]))]];
        let sums = [0, 1].map(|i| big(weights[i]) + big(exits[i]));
        let chain = Chain {
            rows: rows.iter().map(Vec::as_slice).collect(),
            leaving: sums.iter().collect(),
        };
        let b = b.map(big);
        let bounds = Bounds {
            max_bytes: 1 << 30,
            states: 2,
        };
        let determinant = &sums[0] * &sums[1] - big(weights[0]) * big(weights[1]);
        for (sense, across) in [(Sense::Values, [0, 1]), (Sense::Visits, [1, 0])] {
            let x = chain.solve(&b, sense, bounds, &mut || Ok(())).unwrap();
            let over = |a: BigUint| a * &x.denominator;
            let wanted = [
                &sums[1] * &b[0] + big(weights[across[0]]) * &b[1],
                &sums[0] * &b[1] + big(weights[across[1]]) * &b[0],
            ];
            for (x, wanted) in x.numerators.iter().zip(wanted) {
                assert_eq!(x * &determinant, over(wanted));
            }
        }
    }

    #[test]
    fn two_nodes() {
        check([1, 1], [1, 1], [1, 0]);
        check([5, 3], [0, 1], [7, 9]);
        check([5, 3], [0, 1], [0, 0]);
        check([u64::MAX, u64::MAX - 1], [u64::MAX, 0], [3, u64::MAX]);
        check([1 << 60, 1 << 60], [1 << 60, 1], [1, 1]);
    }

    /// Determinant 1 · 2⁶¹ − 1 · 1 = 2⁶¹ − 1, and such: the first prime will not do.
    #[test]
    fn a_determinant_divisible_by_the_first_prime() {
        check([1, 1], [0, MERSENNE], [1, 2]);
        check([1, 1], [0, MERSENNE - 1], [1, 0]);
        check([MERSENNE, MERSENNE], [0, MERSENNE], [0, 1]);
    }
}
