//! Conversion of long numbers to and from digits in a prime base.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// p², p⁴, … up to half of `digits`.
pub(super) fn powers(prime: u64, digits: usize) -> Vec<BigUint> {
    let mut powers = vec![BigUint::from(prime).pow(2)];
    let mut reach = 2;
    while reach * 2 < digits {
        let last = &powers[powers.len() - 1];
        powers.push(last * last);
        reach *= 2;
    }
    powers
}

/// The number with these digits, lowest first, computed by halves.
pub(super) fn assemble(digits: &[u64], prime: u64, powers: &[BigUint]) -> BigUint {
    // Two digits below 2⁶¹ fit into 128 bits.
    let pairs = digits.chunks(2);
    let mut parts: Vec<BigUint> = pairs
        .map(|pair| match *pair {
            [low, high] => (u128::from(low) + u128::from(high) * u128::from(prime)).into(),
            [low] => low.into(),
            _ => BigUint::ZERO,
        })
        .collect();
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
    // There are enough powers that one part is left.
    parts.into_iter().next().unwrap_or_default()
}

/// The digits of a number, lowest first.
pub(super) fn base(number: &BigUint, prime: u64) -> Vec<u64> {
    let mut digits = Vec::new();
    let mut rest = number.clone();
    while !rest.is_zero() {
        digits.push((&rest % prime).to_u64().unwrap_or(0));
        rest /= prime;
    }
    digits
}

/// The product of the factors, computed by halves.
pub(super) fn product(numbers: &[BigUint]) -> BigUint {
    match numbers {
        [] => BigUint::one(),
        [one] => one.clone(),
        _ => {
            let (low, high) = numbers.split_at(numbers.len() / 2);
            product(low) * product(high)
        }
    }
}

/// The sizes of numerator and denominator of the fraction that has this residue and a numerator of
/// absolute value at most `most`, by Euclid's algorithm stopped half way (P. S. Wang, "A p-adic
/// algorithm for univariate partial fractions", SYMSAC 1981).
pub(super) fn fraction(residue: BigUint, modulus: &BigUint, most: &BigUint) -> (BigUint, BigUint) {
    let (mut a, mut b) = (modulus.clone(), residue);
    // Cofactors alternate in sign, and only their sizes are needed.
    let (mut s, mut t) = (BigUint::zero(), BigUint::one());
    while b > *most {
        let (quotient, rest) = a.div_rem(&b);
        a = std::mem::replace(&mut b, rest);
        let next = s + quotient * &t;
        s = std::mem::replace(&mut t, next);
    }
    (b, t)
}

/// The integer with this residue whose absolute value is less than half the modulus.
pub(super) fn balanced(residue: BigUint, modulus: &BigUint) -> BigInt {
    let below = BigInt::from(residue.clone()) - BigInt::from(modulus.clone());
    if below.abs().magnitude() < &residue {
        below
    } else {
        residue.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_there_and_back() {
        let prime = (1 << 31) - 1;
        let number = BigUint::from(7u32).pow(1_000);
        let digits = base(&number, prime);
        assert_eq!(
            assemble(&digits, prime, &powers(prime, digits.len())),
            number
        );
        assert_eq!(
            assemble(&[5, 1], prime, &powers(prime, 2)),
            BigUint::from(prime + 5)
        );
        assert_eq!(assemble(&[], prime, &powers(prime, 1)), BigUint::zero());
    }

    /// −2/3 modulo 101 is 33: 3 · 33 = 99.
    #[test]
    fn a_fraction_and_a_sign() {
        let big = |n: u32| BigUint::from(n);
        assert_eq!(fraction(big(33), &big(101), &big(7)), (big(2), big(3)));
        assert_eq!(balanced(big(99), &big(101)), BigInt::from(-2));
        assert_eq!(balanced(big(50), &big(101)), BigInt::from(50));
        assert_eq!(balanced(big(0), &big(101)), BigInt::zero());
    }
}
