//! Fractions whose denominators are products of known primes.
//!
//! Dice with six sides only ever divide by 2 and 3. A denominator is therefore kept as the
//! exponents of these primes. A common denominator is found by comparing exponents, and lowest
//! terms by trial division, without any greatest common divisor.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use crate::chain::{Chain, Outcomes};

/// The number of primes that are kept separately.
const PRIMES: usize = 4;

/// The limit of trial division.
const LARGEST: u32 = 1 << 16;

pub(crate) type Exponents = [u32; PRIMES];

/// The primes of the totals of all throws; or, if they are large or many, one number that all
/// totals divide.
#[derive(Clone, Debug)]
pub(crate) struct Radix {
    atoms: Vec<BigUint>,
    /// The primes, if the atoms are primes of one machine word.
    primes: Option<Vec<u64>>,
    /// The exponents of the total of each throw.
    totals: Vec<Exponents>,
    /// The weights by throw and outcome, multiplied by what is missing in the total.
    weights: Vec<Vec<BigUint>>,
    small: Vec<Vec<Option<u64>>>,
}

/// A non-negative number: `count` over the product of the atoms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exact {
    pub(crate) count: BigUint,
    pub(crate) over: Exponents,
}

impl Radix {
    pub(crate) fn new(chain: &Chain) -> Self {
        let throws = chain.throws();
        let mut primes: Vec<u64> = Vec::new();
        let mut totals = Vec::new();
        for throw in throws {
            totals.push(exponents(&throw.total, &mut primes));
        }
        let known: Option<Vec<Exponents>> = totals.into_iter().collect();
        let (atoms, primes, totals, factors) = match known {
            Some(totals) => {
                let atoms = primes.iter().map(|&prime| prime.into()).collect();
                let factors = vec![BigUint::one(); throws.len()];
                (atoms, Some(primes), totals, factors)
            }
            None => {
                let one = |lcm: BigUint, throw: &Outcomes| lcm.lcm(&throw.total);
                let lcm = throws.iter().fold(BigUint::one(), one);
                let factors = throws.iter().map(|throw| &lcm / &throw.total).collect();
                let mut once = Exponents::default();
                once[0] = 1;
                (vec![lcm], None, vec![once; throws.len()], factors)
            }
        };
        let weights: Vec<Vec<BigUint>> = (throws.iter().zip(factors))
            .map(|(throw, factor)| {
                let scaled = throw.list.iter().map(|outcome| &outcome.weight * &factor);
                scaled.collect()
            })
            .collect();
        let small = weights
            .iter()
            .map(|weights| weights.iter().map(BigUint::to_u64).collect())
            .collect();
        Radix {
            atoms,
            primes,
            totals,
            weights,
            small,
        }
    }

    /// Returns the largest number of bits of a denominator for each unit that can be lost.
    pub(crate) fn bits_a_unit(&self, chain: &Chain) -> u64 {
        let bits = |exponents: &Exponents, pairs: u32| {
            let all = self.atoms.iter().zip(exponents);
            let bits: u64 = all.map(|(atom, &e)| atom.bits() * u64::from(e)).sum();
            bits.div_ceil(u64::from(pairs.max(1)))
        };
        let throws = chain.throws().iter().zip(&self.totals);
        let most = throws.map(|(throw, total)| bits(total, throw.pairs()));
        most.max().unwrap_or(1)
    }

    /// `sum += outcome of throw × value`, where the outcome is its probability.
    pub(crate) fn add_product(&self, sum: &mut Exact, throw: usize, outcome: usize, value: &Exact) {
        if value.count.is_zero() {
            return;
        }
        let mut over = value.over;
        for (exponent, more) in over.iter_mut().zip(self.totals[throw]) {
            *exponent = exponent.saturating_add(more);
        }
        let missing = self.align(sum, over);
        if let (Some(weight), Factor::Small(missing)) = (self.small[throw][outcome], &missing)
            && let Some(factor) = weight.checked_mul(*missing)
        {
            sum.count += &value.count * factor;
            return;
        }
        let product = &value.count * &self.weights[throw][outcome];
        sum.count += missing.times(product);
    }

    /// `sum += value`.
    pub(crate) fn add(&self, sum: &mut Exact, value: &Exact) {
        if !value.count.is_zero() {
            let missing = self.align(sum, value.over);
            sum.count += missing.times(value.count.clone());
        }
    }

    /// Brings the sum to a multiple of this denominator, and returns the factor for the addend.
    fn align(&self, sum: &mut Exact, over: Exponents) -> Factor {
        if sum.count.is_zero() {
            sum.over = over;
        }
        if sum.over == over {
            return Factor::Small(1);
        }
        let mut common = over;
        for (exponent, &other) in common.iter_mut().zip(&sum.over) {
            *exponent = (*exponent).max(other);
        }
        if common != sum.over {
            let factor = self.product(common, sum.over);
            sum.count = factor.times(std::mem::take(&mut sum.count));
            sum.over = common;
        }
        self.product(common, over)
    }

    /// Returns the product of the atoms, with the differences as exponents.
    fn product(&self, more: Exponents, less: Exponents) -> Factor {
        let mut small = Some(1_u64);
        for (number, (more, less)) in more.iter().zip(less).enumerate() {
            let exponent = more - less;
            if exponent > 0 {
                let atom = self.primes.as_ref().and_then(|primes| primes.get(number));
                let power = atom.and_then(|prime| prime.checked_pow(exponent));
                small = small.and_then(|product| product.checked_mul(power?));
            }
        }
        match small {
            Some(product) => Factor::Small(product),
            None => Factor::Large(self.power(std::array::from_fn(|n| more[n] - less[n]))),
        }
    }

    fn power(&self, exponents: Exponents) -> BigUint {
        let (mut product, mut twos) = (BigUint::one(), 0);
        for (number, (atom, exponent)) in self.atoms.iter().zip(exponents).enumerate() {
            match &self.primes {
                Some(primes) if primes[number] == 2 => twos = exponent,
                _ if exponent > 0 => product *= atom.pow(exponent),
                _ => {}
            }
        }
        product << twos
    }

    /// Returns the numerator of the number over the product of the atoms to `over`.
    pub(crate) fn count_over(&self, value: &Exact, over: Exponents) -> BigUint {
        match value.over == over {
            true => value.count.clone(),
            false => self.product(over, value.over).times(value.count.clone()),
        }
    }

    /// Returns the least exponents that suit all these numbers, and the denominator.
    pub(crate) fn common<'a>(
        &self,
        values: impl IntoIterator<Item = &'a Exact>,
    ) -> (Exponents, BigUint) {
        let mut over = Exponents::default();
        for value in values {
            for (exponent, &other) in over.iter_mut().zip(&value.over) {
                *exponent = (*exponent).max(other);
            }
        }
        (over, self.power(over))
    }

    pub(crate) fn denominator(&self, over: Exponents) -> BigUint {
        self.power(over)
    }

    /// Returns which of two numbers is greater.
    pub(crate) fn compare(&self, one: &Exact, other: &Exact) -> Ordering {
        if one.over == other.over {
            return one.count.cmp(&other.count);
        }
        let over = std::array::from_fn(|n| one.over[n].max(other.over[n]));
        let [one, other] = [one, other].map(|value| self.count_over(value, over));
        one.cmp(&other)
    }

    /// Returns whether the number is less than this one.
    pub(crate) fn less(&self, value: &Exact, than: &BigRational) -> bool {
        let whole = BigInt::from(self.denominator(value.over));
        BigInt::from(value.count.clone()) * than.denom() < whole * than.numer()
    }

    /// Returns the number in lowest terms.
    pub(crate) fn fraction(&self, value: &Exact) -> BigRational {
        self.fraction_with(value, &mut Vec::new())
    }

    /// Returns the number in lowest terms where many are needed: `powers` caches those of odd
    /// primes.
    pub(crate) fn fraction_with(
        &self,
        value: &Exact,
        powers: &mut Vec<Vec<BigUint>>,
    ) -> BigRational {
        let Some(primes) = &self.primes else {
            let whole = self.denominator(value.over);
            return BigRational::new(value.count.clone().into(), whole.into());
        };
        if value.count.is_zero() {
            return BigRational::zero();
        }
        let (mut count, mut over) = (value.count.clone(), value.over);
        for (&prime, exponent) in primes.iter().zip(&mut over) {
            match prime {
                2 => {
                    let zeros = count
                        .trailing_zeros()
                        .unwrap_or(0)
                        .min(u64::from(*exponent));
                    count >>= zeros;
                    *exponent -= zeros as u32;
                }
                prime => divide_out(&mut count, prime, exponent),
            }
        }
        powers.resize(primes.len(), Vec::new());
        let (mut whole, mut twos) = (BigUint::one(), 0);
        for ((&prime, exponent), powers) in primes.iter().zip(over).zip(powers) {
            if prime == 2 {
                twos = exponent;
                continue;
            }
            if powers.is_empty() {
                powers.push(BigUint::one());
            }
            let exponent = exponent as usize;
            while powers.len() <= exponent {
                powers.push(&powers[powers.len() - 1] * prime);
            }
            match whole.is_one() {
                true => whole.clone_from(&powers[exponent]),
                false => whole *= &powers[exponent],
            }
        }
        BigRational::new_raw(count.into(), (whole << twos).into())
    }
}

/// An integer, usually a small one.
#[derive(Clone, Debug)]
enum Factor {
    Small(u64),
    Large(BigUint),
}

impl Factor {
    fn times(&self, number: BigUint) -> BigUint {
        match self {
            Factor::Small(1) => number,
            Factor::Small(factor) => number * *factor,
            Factor::Large(factor) => number * factor,
        }
    }
}

/// Divides by the prime as often as it divides and the exponent allows.
fn divide_out(count: &mut BigUint, prime: u64, exponent: &mut u32) {
    // Uses the largest power in a machine word at a time; its remainder tells how often the prime
    // itself divides.
    let (mut chunk, mut size) = (prime, 1);
    while let Some(larger) = chunk.checked_mul(prime) {
        (chunk, size) = (larger, size + 1);
    }
    while *exponent > 0 {
        let mut rest = (&*count % chunk).to_u64().unwrap_or(1);
        let (mut divisor, mut times) = (1, 0);
        while times < size.min(*exponent) && rest.is_multiple_of(prime) {
            // A remainder of zero stays zero, up to the whole chunk.
            (rest, divisor, times) = (rest / prime, divisor * prime, times + 1);
        }
        if times > 0 {
            *count /= divisor;
            *exponent -= times;
        }
        if times < size {
            return;
        }
    }
}

/// Returns the exponents of the primes of a total, or `None` if there are large or too many primes.
fn exponents(total: &BigUint, primes: &mut Vec<u64>) -> Option<Exponents> {
    let (mut rest, mut found) = (total.clone(), Exponents::default());
    let mut divide = |prime: u64, rest: &mut BigUint, primes: &mut Vec<u64>| {
        if !(&*rest % prime).is_zero() {
            return Some(());
        }
        let position = match primes.iter().position(|&known| known == prime) {
            Some(position) => position,
            None => {
                primes.push(prime);
                primes.len() - 1
            }
        };
        while (&*rest % prime).is_zero() {
            *rest /= prime;
            *found.get_mut(position)? += 1;
        }
        Some(())
    };
    for known in primes.clone() {
        divide(known, &mut rest, primes)?;
    }
    let mut prime = 2;
    while !rest.is_one() {
        if prime > u64::from(LARGEST) {
            return None;
        }
        divide(prime, &mut rest, primes)?;
        prime += 1;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Error, Rules};

    #[test]
    fn the_primes_of_dice() -> Result<(), Error> {
        let chain = Chain::new(9, 9, &Rules::standard())?;
        let radix = Radix::new(&chain);
        assert_eq!(radix.primes, Some(vec![2, 3]));
        // 144 = 2⁴3² for three dice against one.
        assert_eq!(radix.totals[chain.number(3, 1)], [4, 2, 0, 0]);
        let prime = Rules::standard().sides(65_537, 65_537)?;
        let chain = Chain::new(1, 1, &prime)?;
        assert_eq!(Radix::new(&chain).primes, None);
        Ok(())
    }

    #[test]
    fn lowest_terms() -> Result<(), Error> {
        let chain = Chain::new(9, 9, &Rules::standard())?;
        let radix = Radix::new(&chain);
        for (count, over) in [
            (BigUint::from(3_u8).pow(100), [5, 90, 0, 0]),
            (BigUint::from(3_u8).pow(80) * 14_u8, [7, 200, 0, 0]),
            (BigUint::from(6_u8).pow(3), [3, 3, 0, 0]),
            (BigUint::from(35_u8), [1, 41, 0, 0]),
            (BigUint::zero(), [1, 1, 0, 0]),
        ] {
            let whole = radix.denominator(over);
            let expected = BigRational::new(count.clone().into(), whole.into());
            let found = radix.fraction(&Exact { count, over });
            assert_eq!(
                (found.numer(), found.denom()),
                (expected.numer(), expected.denom())
            );
        }
        Ok(())
    }
}
