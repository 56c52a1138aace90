//! Polynomials whose coefficients are integers of the same fixed width, in one flat array.
//!
//! The coefficients of a kept sum add up to the total, so their width is known in advance and no
//! number ever grows. An addition is a pass over a few words and allocates nothing, whereas a
//! vector of `BigUint` takes an allocation and a length check for each. All arithmetic is modulo
//! 2^(64 · width), so intermediate differences may wrap.
//!
//! Widths up to eight words are compiled separately (`WIDTH` is 0 for all others), so that the
//! loops over the words of a number are unrolled. This halves the time for 20d10 and for 100d20.

use num_bigint::BigUint;

/// The width in words, as a constant if it is one.
#[inline(always)]
pub(super) fn width<const WIDTH: usize>(words: usize) -> usize {
    if WIDTH == 0 { words } else { WIDTH }
}

/// Calls a function compiled for the given number of words.
macro_rules! for_width {
    ($words:expr, $function:ident ( $($argument:expr),* )) => {
        match $words {
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            3 => $function::<3>($($argument),*),
            4 => $function::<4>($($argument),*),
            5 => $function::<5>($($argument),*),
            6 => $function::<6>($($argument),*),
            7 => $function::<7>($($argument),*),
            8 => $function::<8>($($argument),*),
            _ => $function::<0>($($argument),*),
        }
    };
}
pub(super) use for_width;

/// sum += term, both of the same width.
#[inline(always)]
pub(super) fn add(sum: &mut [u64], term: &[u64]) {
    let mut carry = 0;
    for (digit, value) in sum.iter_mut().zip(term) {
        let wide = u128::from(*digit) + u128::from(*value) + carry;
        *digit = wide as u64;
        carry = wide >> 64;
    }
}

/// sum −= term, both of the same width.
#[inline(always)]
pub(super) fn subtract(sum: &mut [u64], term: &[u64]) {
    let mut borrow = false;
    for (digit, value) in sum.iter_mut().zip(term) {
        let (rest, first) = digit.overflowing_sub(*value);
        let (rest, second) = rest.overflowing_sub(u64::from(borrow));
        *digit = rest;
        borrow = first | second;
    }
}

/// sum += term · factor, where the factor may have any length.
#[inline(always)]
pub(super) fn add_product(sum: &mut [u64], term: &[u64], factor: &[u64]) {
    if factor == [1] {
        return add(sum, term);
    }
    for (place, &digit) in factor.iter().enumerate().take(sum.len()) {
        let mut carry = 0;
        for (sum, value) in sum[place..].iter_mut().zip(term) {
            let wide = u128::from(*value) * u128::from(digit) + u128::from(*sum) + carry;
            *sum = wide as u64;
            carry = wide >> 64;
        }
    }
}

/// sum += polynomial, coefficient by coefficient; `sum` is the longer one.
#[inline(always)]
pub(super) fn add_each(words: usize, sum: &mut [u64], polynomial: &[u64]) {
    let pairs = sum
        .chunks_exact_mut(words)
        .zip(polynomial.chunks_exact(words));
    pairs.for_each(|(sum, term)| add(sum, term));
}

/// sum −= polynomial, coefficient by coefficient; `sum` is the longer one.
#[inline(always)]
pub(super) fn subtract_each(words: usize, sum: &mut [u64], polynomial: &[u64]) {
    let pairs = sum
        .chunks_exact_mut(words)
        .zip(polynomial.chunks_exact(words));
    pairs.for_each(|(sum, term)| subtract(sum, term));
}

/// sum += polynomial · factor, coefficient by coefficient; `sum` is the longer one.
#[inline(always)]
pub(super) fn add_each_product(words: usize, sum: &mut [u64], polynomial: &[u64], factor: &[u64]) {
    let pairs = sum
        .chunks_exact_mut(words)
        .zip(polynomial.chunks_exact(words));
    pairs.for_each(|(sum, term)| add_product(sum, term, factor));
}

/// The words of a number, at least one.
pub(super) fn digits(number: &BigUint) -> Vec<u64> {
    let mut digits = number.to_u64_digits();
    if digits.is_empty() {
        digits.push(0);
    }
    digits
}

/// The number of words that can hold every number up to this one.
pub(super) fn words_of(number: &BigUint) -> usize {
    number.bits().div_ceil(64).max(1) as usize
}

/// Big integers from a flat array.
pub(super) fn numbers(words: usize, polynomial: &[u64]) -> Vec<BigUint> {
    if words == 1 {
        return polynomial.iter().map(|&digit| digit.into()).collect();
    }
    let mut halves = Vec::with_capacity(2 * words);
    let number = |digits: &[u64]| {
        halves.clear();
        halves.extend(digits.iter().flat_map(|&d| [d as u32, (d >> 32) as u32]));
        BigUint::from_slice(&halves)
    };
    polynomial.chunks_exact(words).map(number).collect()
}

/// The faces of a die as a polynomial: steps on the grid, and the number of ways of each.
#[derive(Clone, Debug)]
pub(super) struct Faces {
    ways: Vec<(usize, Vec<u64>)>,
    /// All faces from the first to the last, with one way each.
    fair: bool,
}

impl Faces {
    /// Creates it from the ways of each step, the last of which must not be zero.
    pub(super) fn new(weights: &[BigUint]) -> Self {
        let present = weights.iter().enumerate().filter(|(_, way)| way.bits() > 0);
        let ways: Vec<_> = present.map(|(step, way)| (step, digits(way))).collect();
        let gapless = ways.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1);
        let fair = gapless && ways.iter().all(|(_, way)| *way == [1]);
        Faces { ways, fair }
    }

    pub(super) fn last(&self) -> usize {
        self.ways.last().map_or(0, |&(step, _)| step)
    }

    /// product = polynomial · Σ ways(e) x^(e − from) over the steps e ≥ `least`, of which there
    /// must be at least one; `from` ≤ `least`.
    ///
    /// Equal ways form a sliding window: an addition and a subtraction per coefficient, however
    /// many faces there are.
    #[inline(always)]
    pub(super) fn times(
        &self,
        words: usize,
        polynomial: &[u64],
        from: usize,
        least: usize,
        product: &mut Vec<u64>,
    ) {
        let start = self.ways.partition_point(|&(step, _)| step < least);
        let ways = &self.ways[start..];
        let (low, high) = (ways[0].0 - from, self.last() - from);
        product.clear();
        product.resize(polynomial.len() + high * words, 0);
        if !self.fair {
            for (step, way) in ways {
                let at = (step - from) * words;
                add_each_product(words, &mut product[at..], polynomial, way);
            }
            return;
        }
        // p(i) = p(i − 1) + f(i − low) − f(i − high − 1), from the first term on.
        let length = polynomial.len();
        let (low, width) = (low * words, (high - low + 1) * words);
        product[low..low + words].copy_from_slice(&polynomial[..words]);
        let mut at = words;
        while at < length + width - words {
            let (before, rest) = product.split_at_mut(low + at);
            let (last, next) = (&before[low + at - words..], &mut rest[..words]);
            if at < width {
                if at < length {
                    slide_in(next, last, &polynomial[at..at + words]);
                } else {
                    next.copy_from_slice(last);
                }
            } else {
                let out = &polynomial[at - width..at - width + words];
                if at < length {
                    slide(next, last, &polynomial[at..at + words], out);
                } else {
                    slide_out(next, last, out);
                }
            }
            at += words;
        }
    }
}

/// next = last + enter
#[inline(always)]
fn slide_in(next: &mut [u64], last: &[u64], enter: &[u64]) {
    let mut carry = 0;
    for ((next, last), enter) in next.iter_mut().zip(last).zip(enter) {
        let wide = u128::from(*last) + u128::from(*enter) + carry;
        *next = wide as u64;
        carry = wide >> 64;
    }
}

/// next = last − leave
#[inline(always)]
fn slide_out(next: &mut [u64], last: &[u64], leave: &[u64]) {
    let mut borrow = false;
    for ((next, last), leave) in next.iter_mut().zip(last).zip(leave) {
        let (rest, first) = last.overflowing_sub(*leave);
        let (rest, second) = rest.overflowing_sub(u64::from(borrow));
        *next = rest;
        borrow = first | second;
    }
}

/// next = last + enter − leave
#[inline(always)]
fn slide(next: &mut [u64], last: &[u64], enter: &[u64], leave: &[u64]) {
    let (mut carry, mut borrow) = (0, false);
    for (((next, last), enter), leave) in next.iter_mut().zip(last).zip(enter).zip(leave) {
        let wide = u128::from(*last) + u128::from(*enter) + carry;
        carry = wide >> 64;
        let (rest, first) = (wide as u64).overflowing_sub(*leave);
        let (rest, second) = rest.overflowing_sub(u64::from(borrow));
        *next = rest;
        borrow = first | second;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    fn flat(words: usize, coefficients: &[u64]) -> Vec<u64> {
        let place = |&c: &u64| std::iter::once(c).chain(std::iter::repeat_n(0, words - 1));
        coefficients.iter().flat_map(place).collect()
    }

    fn check(words: usize, coefficients: &[u64], weights: &[u64], from: usize, least: usize) {
        let faces = Faces::new(&weights.iter().map(|&w| w.into()).collect::<Vec<_>>());
        let mut expected = vec![BigUint::from(0u32); coefficients.len() + faces.last() - from];
        for (i, &a) in coefficients.iter().enumerate() {
            for (e, &w) in weights.iter().enumerate().skip(least) {
                if w > 0 {
                    expected[i + e - from] += BigUint::from(a) * w;
                }
            }
        }
        let mut product = Vec::new();
        faces.times(words, &flat(words, coefficients), from, least, &mut product);
        assert_eq!(numbers(words, &product), expected);
    }

    quickcheck! {
        fn windows_and_products_agree_with_the_plain_loop(
            coefficients: Vec<u32>, weights: Vec<u8>, from: u8, least: u8, wide: bool
        ) -> bool {
            let coefficients: Vec<u64> = coefficients.iter().map(|&c| c.into()).chain([7]).collect();
            let words = if wide { 3 } else { 1 };
            let mut fair: Vec<u64> = weights.iter().map(|_| 1).chain([1]).collect();
            let mut loaded: Vec<u64> = weights.iter().map(|&w| w.into()).chain([5]).collect();
            let least = usize::from(least) % fair.len();
            let from = usize::from(from) % (least + 1);
            check(words, &coefficients, &fair, from, least);
            check(words, &coefficients, &loaded, from, least);
            fair[0] = 0;
            loaded[0] = 0;
            if fair.len() > 1 {
                check(words, &coefficients, &fair, from, least);
            }
            true
        }
    }

    #[test]
    fn products_of_several_words() {
        let (a, b) = (
            BigUint::from(u64::MAX).pow(2),
            BigUint::from(u64::MAX) * 3u32,
        );
        let mut sum = vec![u64::MAX; 4];
        let start = numbers(4, &sum)[0].clone();
        let mut term = digits(&a);
        term.resize(4, 0);
        add_product(&mut sum, &term, &digits(&b));
        let modulus = BigUint::from(1u32) << 256u32;
        assert_eq!(numbers(4, &sum)[0], (start + a * b) % modulus);
    }
}
