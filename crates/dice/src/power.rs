//! Sums of many equal rolls, and the limit on their size.

use crate::recurrence::{self, Step};
use crate::runs::Runs;
use crate::{Dist, Error, Weight, kronecker, rounding};
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

/// The default size limit of a sum of dice: 2²⁵ words of 64 bits, 256 MiB. An outcome counts as six
/// words (for itself, and for the overhead of a big integer) plus the words of its weight.
///
/// Here and wherever a limit is an argument, this counts the distributions that are stored. It does
/// not count what an operation needs for a moment: large weights are multiplied as one big integer.
/// At the smallest limit that is accepted, sums of two or more long distributions were measured to
/// take up to 4.8 times the limit, draws for kept dice ([`sum_with`](crate::Pool::sum_with)) 2.8
/// times, weighted sums 2.6 times, sums of many equal dice with faces far apart 2.3 times, opposed
/// pools 2 times, and all others up to 1.5 times. The [`Cost`](crate::notation::Cost) of a notation
/// counts products.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{DEFAULT_LIMIT, Dist};
///
/// assert_eq!(DEFAULT_LIMIT, 33_554_432);
/// assert_eq!(Dist::ndice(9, 9), Dist::ndice_within(9, 9, DEFAULT_LIMIT));
/// ```
pub const DEFAULT_LIMIT: u64 = 1 << 25;

/// The size of an outcome, of the header of a big integer and of its allocation.
pub(crate) const OVERHEAD: u128 = 6;

/// The largest limit. No machine has so many words, and requesting more would panic instead of
/// returning an error.
const CEILING: u64 = 1 << 40;

/// Refuses a distribution of `length` outcomes, with `weight` words for each weight, if it is
/// larger than `limit`.
pub(crate) fn check_size(
    operation: impl FnOnce() -> String,
    length: u128,
    weight: u128,
    limit: u64,
) -> Result<(), Error> {
    check_words(
        operation,
        length.saturating_mul(weight.saturating_add(OVERHEAD)),
        limit,
    )
}

/// Refuses what takes more than `limit` words.
pub(crate) fn check_words(
    operation: impl FnOnce() -> String,
    words: u128,
    limit: u64,
) -> Result<(), Error> {
    let limit = limit.min(CEILING);
    if words > u128::from(limit) {
        return Err(Error::TooLarge {
            operation: operation(),
            words,
            limit,
        });
    }
    Ok(())
}

/// Passes on the items of an iterator, with an error if there are more than [`DEFAULT_LIMIT`]: each
/// takes at least one word, and an iterator may be endless.
pub(crate) fn ending<T>(
    what: &str,
    items: impl IntoIterator<Item = T>,
) -> impl Iterator<Item = Result<T, Error>> {
    (1_u64..).zip(items).map(move |(count, item)| {
        if count > DEFAULT_LIMIT {
            return Err(Error::TooLarge {
                operation: format!("a list of {count} {what} or more"),
                words: count.into(),
                limit: DEFAULT_LIMIT,
            });
        }
        Ok(item)
    })
}

/// The recurrence for the weights of the sum of fair dice.
///
/// F = ((1 − xˢ)/(1 − x))ⁿ has F′/F = n/(1 − x) − n s xˢ⁻¹/(1 − xˢ), so
/// (1 − x)(1 − xˢ) F′ = n ((1 − xˢ) − s xˢ⁻¹ (1 − x)) F and, at xᵏ⁻¹,
/// k c(k) = (n + k − 1) c(k − 1) − (ns + s − k) c(k − s) + (ns + s + 1 − k − n) c(k − s − 1):
/// three terms however many sides, where Miller's recurrence for 1 + x + … has s.
fn fair_steps(n: u32, sides: u32) -> [Step; 3] {
    let (count, faces) = (i128::from(n), i128::from(sides));
    let lag = sides as usize;
    [
        Step {
            lag: 1,
            constant: count - 1,
            slope: 1,
        },
        Step {
            lag,
            constant: -(count * faces + faces),
            slope: 1,
        },
        Step {
            lag: lag + 1,
            constant: count * faces + faces + 1 - count,
            slope: -1,
        },
    ]
}

/// The weights of the sum of `n` dice of `sides` sides, `n` and `sides` at least 2.
pub(crate) fn fair_dice(n: u32, sides: u32) -> Vec<BigUint> {
    let length = n as usize * (sides as usize - 1) + 1;
    let words = words(&BigUint::from(sides), n);
    let steps = fair_steps(n, sides);
    let half = recurrence::solve(&1u32.into(), &steps, 1, length.div_ceil(2), words);
    mirror(half, length)
}

/// Like [`fair_dice`], but with each weight and the total rounded once individually, and scaled by
/// one power of two so that the total is near one.
pub(crate) fn fair_dice_rounded(n: u32, sides: u32) -> (Vec<f64>, f64) {
    let length = n as usize * (sides as usize - 1) + 1;
    let total = BigUint::from(sides).pow(n);
    let words = total.iter_u64_digits().len();
    let scale = 1 - total.bits() as i64;
    let mut half = Vec::with_capacity(length);
    let steps = fair_steps(n, sides);
    recurrence::each(
        &1u32.into(),
        &steps,
        1,
        length.div_ceil(2),
        words,
        |digits| half.push(rounding::scaled_digits(digits, scale)),
    );
    let total: Vec<u64> = total.iter_u64_digits().collect();
    let total = rounding::scaled_digits(&total, scale);
    (mirror(half, length), total)
}

/// Completes a palindrome from its first half, which includes the middle.
fn mirror<W: Clone>(mut half: Vec<W>, length: usize) -> Vec<W> {
    half.reserve_exact(length - half.len());
    for k in (0..length - half.len()).rev() {
        half.push(half[k].clone());
    }
    half
}

fn words(total: &BigUint, n: u32) -> usize {
    total.words(u64::from(n)).to_usize().unwrap_or(usize::MAX)
}

/// The n-th power, for n at least 2, of a polynomial with nonzero ends whose coefficients sum to
/// `total`.
pub(crate) fn polynomial(coefficients: &[BigUint], total: &BigUint, n: u32) -> Vec<BigUint> {
    if let Some(sides) = fair(coefficients) {
        let scale = coefficients[0].pow(n);
        let mut weights = fair_dice(n, sides);
        if !scale.is_one() {
            weights.iter_mut().for_each(|weight| *weight *= &scale);
        }
        return weights;
    }
    if n < MILLER_FROM && coefficients.len() > 6 {
        return kronecker::power(coefficients, words(total, n), n);
    }
    miller(coefficients, total, n).unwrap_or_else(|| heavy(coefficients, n))
}

/// The number of coefficients if all are equal, otherwise `None`.
pub(crate) fn fair<W: PartialEq>(coefficients: &[W]) -> Option<u32> {
    let equal = coefficients.iter().all(|weight| *weight == coefficients[0]);
    u32::try_from(coefficients.len()).ok().filter(|_| equal)
}

/// The number of copies from which Miller's recurrence is faster. As measured on 2 to 3,000 faces,
/// its time is proportional to the number of faces, and that of the packed product grows faster
/// than the size of the result. Both take the same time at 8 to 12 copies for 64 to 3,000 faces,
/// and at fewer copies for fewer faces. A hundred 64-sided dice are 39 times faster by recurrence,
/// and three 3,000-sided ones 38 times by product.
const MILLER_FROM: u32 = 10;

/// Miller's recurrence, or `None` if its factors do not fit a word.
fn miller(coefficients: &[BigUint], total: &BigUint, n: u32) -> Option<Vec<BigUint>> {
    let length = (coefficients.len() - 1) * n as usize + 1;
    let palindrome = coefficients.iter().eq(coefficients.iter().rev());
    let computed = if palindrome {
        length.div_ceil(2)
    } else {
        length
    };
    let mut steps = Vec::new();
    for (lag, coefficient) in coefficients.iter().enumerate().skip(1) {
        let coefficient = i128::from(coefficient.to_u64()?);
        // k a₀ c(k) = Σ ((n + 1) j − k) aⱼ c(k − j).
        let constant = coefficient.checked_mul((i128::from(n) + 1) * lag as i128)?;
        let step = Step {
            lag,
            constant,
            slope: -coefficient,
        };
        if !step.fits(length) {
            return None;
        }
        if coefficient != 0 {
            steps.push(step);
        }
    }
    let first = coefficients[0].to_u64()?;
    first.checked_mul(length as u64)?;
    let power = coefficients[0].pow(n);
    let half = recurrence::solve(&power, &steps, first, computed, words(total, n));
    Some(if palindrome {
        mirror(half, length)
    } else {
        half
    })
}

/// Miller's recurrence for weights of any size.
fn heavy(coefficients: &[BigUint], n: u32) -> Vec<BigUint> {
    let length = (coefficients.len() - 1) * n as usize + 1;
    let mut power = Vec::with_capacity(length);
    power.push(coefficients[0].pow(n));
    for k in 1..length {
        let (mut plus, mut minus) = (BigUint::zero(), BigUint::zero());
        for (lag, coefficient) in coefficients.iter().enumerate().take(k + 1).skip(1) {
            let factor = (i128::from(n) + 1) * lag as i128 - k as i128;
            let side = if factor >= 0 { &mut plus } else { &mut minus };
            // The two short factors are multiplied first, so that there is one long product instead
            // of two.
            *side += &power[k - lag] * (coefficient * factor.unsigned_abs());
        }
        power.push((plus - minus) / (&coefficients[0] * k));
    }
    power
}

impl<W: Weight> Dist<i64, W> {
    /// Returns the distribution of the sum of `n` independent copies: the n-fold
    /// [`matfold`](Self::matfold) of the distribution with itself. For `n` = 0, it is certainly 0.
    ///
    /// # Errors
    ///
    /// [`Error::OutcomeOverflow`] if a sum does not fit into `i64`; [`Error::TooLarge`], before any
    /// work, if the result would need more than [`DEFAULT_LIMIT`] words.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let fudge = Dist::uniform([-1, 0, 1])?;
    /// assert_eq!(fudge.repeat(4)?.p(&0).to_string(), "19/81");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// Let there be f faces on an evenly spaced grid of m steps, and weights of w words in the
    /// result. The time is O(n·m·w) if all weights are equal, as for [`ndice`](Dist::ndice);
    /// O(n·m·f·w), by Miller's recurrence, from 10 copies on or for up to 6 faces; and otherwise
    /// that of the power of one integer of n·m·w words (Kronecker substitution). If all weights of
    /// a float distribution are equal, the weights of the sum are computed exactly and then
    /// rounded. Faces far apart, and all other float distributions, are squared repeatedly; in
    /// floats, the recurrence would subtract and lose the bound on the error. The limit is on
    /// memory and not on time, as for [`matfold`](Dist::matfold).
    #[doc(alias = "power")]
    #[doc(alias = "n-fold convolution")]
    pub fn repeat(&self, n: u32) -> Result<Self, Error> {
        self.repeat_within(n, DEFAULT_LIMIT)
    }

    /// Like [`repeat`](Self::repeat), with the size limit, in 64-bit words, as an argument.
    ///
    /// # Errors
    ///
    /// [`Error::OutcomeOverflow`] and [`Error::TooLarge`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let coin = Dist::uniform([0, 1])?;
    /// assert!(coin.repeat_within(1_000, 10_000).is_err());
    /// assert_eq!(coin.repeat_within(1_000, 25_000)?.mean().to_string(), "500");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn repeat_within(&self, n: u32, limit: u64) -> Result<Self, Error> {
        if n == 0 {
            return Ok(Dist::point(0));
        }
        let (min, max) = (*self.min(), *self.max());
        let times = |outcome: i64| {
            outcome
                .checked_mul(i64::from(n))
                .ok_or(Error::OutcomeOverflow {
                    operation: "×",
                    left: outcome,
                    right: i64::from(n),
                })
        };
        let (first, last) = (times(min)?, times(max)?);
        if self.len() == 1 {
            return Ok(Dist::point(first));
        }
        let stride = self
            .outcomes
            .iter()
            .fold(0, |gcd: u64, x| gcd.gcd(&x.abs_diff(min)));
        let grid = u128::from(last.abs_diff(first) / stride) + 1;
        let mut length = grid.min(multisets(self.len(), n));
        let words = self.total.words(u64::from(n));
        let full = grid == length;
        let fits = |length| check_size(String::new, length, words, limit).is_ok();
        if !fits(length) && self.len() as u128 <= u128::from(max.abs_diff(min) / stride) {
            // Outcomes in a few clusters leave most of the grid empty.
            let steps = self
                .outcomes
                .iter()
                .map(|x| i128::from(x.abs_diff(min) / stride));
            length = length.min(Runs::of(steps, 1).times(n).size());
        }
        let operation = || format!("the {n}-fold sum of {} outcomes", self.len());
        check_size(operation, length, words, limit)?;
        if n == 1 {
            return Ok(self.clone());
        }
        // Computed as a polynomial only if at least one coefficient in sixteen is not zero and the
        // result is as full as the grid allows.
        let steps = max.abs_diff(min) / stride;
        if full && fits(grid) && steps / 16 <= self.len() as u64 {
            let mut coefficients = vec![W::nothing(); steps as usize + 1];
            for (outcome, weight) in self {
                coefficients[(outcome.abs_diff(min) / stride) as usize] = weight.clone();
            }
            if let Some((weights, total)) = W::power(&coefficients, &self.total, n) {
                let mut law = Dist {
                    outcomes: Vec::with_capacity(weights.len()),
                    weights: Vec::with_capacity(weights.len()),
                    total,
                    roundings: match W::EXACT {
                        true => self.roundings,
                        false => self.roundings.power(n),
                    },
                };
                for (step, weight) in (0u64..).zip(weights) {
                    if !weight.vanishes() {
                        law.outcomes
                            .push(first.wrapping_add_unsigned(step * stride));
                        law.weights.push(weight);
                    }
                }
                return Ok(law);
            }
        }
        let mut rest = n;
        let mut square = self.clone();
        let mut sum: Option<Self> = None;
        loop {
            if rest % 2 == 1 {
                sum = Some(match sum {
                    Some(sum) => sum.matfold_within(&square, limit)?,
                    None => square.clone(),
                });
            }
            rest /= 2;
            if rest == 0 {
                return Ok(sum.unwrap_or(square));
            }
            square = square.matfold_within(&square, limit)?;
        }
    }
}

/// The number of multisets of `n` elements of `kinds` kinds: an upper bound on the number of
/// distinct sums.
pub(crate) fn multisets(kinds: usize, n: u32) -> u128 {
    // C(kinds − 1 + n, i) for growing i, along the shorter side of Pascal's triangle.
    let (kinds, n) = (kinds as u128 - 1, u128::from(n));
    let (short, long) = (kinds.min(n), kinds.max(n));
    let mut count: u128 = 1;
    for i in 1..=short {
        // Above 2⁶⁴ the grid or the limit is smaller, and the product might overflow.
        if count >> 64 != 0 {
            return u128::MAX;
        }
        count = count * (long + i) / i;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::{TestResult, quickcheck};

    /// (Σ aⱼ xʲ)ⁿ by plain multiplication.
    fn plain(coefficients: &[BigUint], n: u32) -> Vec<BigUint> {
        let mut power = vec![BigUint::one()];
        for _ in 0..n {
            let mut next = vec![BigUint::zero(); power.len() + coefficients.len() - 1];
            for (i, a) in power.iter().enumerate() {
                for (j, b) in coefficients.iter().enumerate() {
                    next[i + j] += a * b;
                }
            }
            power = next;
        }
        power
    }

    /// All ways to compute a power give the same result.
    #[track_caller]
    fn check(coefficients: &[BigUint], n: u32) {
        let total = coefficients.iter().sum();
        let expected = plain(coefficients, n);
        assert_eq!(
            polynomial(coefficients, &total, n),
            expected,
            "{coefficients:?} ^ {n}"
        );
        let packed = kronecker::power(coefficients, words(&total, n), n);
        assert_eq!(packed, expected, "{coefficients:?} ^ {n}, packed");
        assert_eq!(
            heavy(coefficients, n),
            expected,
            "{coefficients:?} ^ {n}, heavy"
        );
        if let Some(recurred) = miller(coefficients, &total, n) {
            assert_eq!(recurred, expected, "{coefficients:?} ^ {n}, by recurrence");
        }
    }

    fn big(weights: &[u64]) -> Vec<BigUint> {
        weights.iter().copied().map(BigUint::from).collect()
    }

    quickcheck! {
        fn powers(weights: Vec<u8>, ends: (u64, u64), n: u8) -> TestResult {
            let mut weights: Vec<u64> = weights.into_iter().take(9).map(|w| (w / 16).into()).collect();
            if ends.0 == 0 || ends.1 == 0 {
                return TestResult::discard();
            }
            weights.insert(0, ends.0);
            weights.push(ends.1);
            check(&big(&weights), 2 + u32::from(n % 24));
            TestResult::passed()
        }
    }

    #[test]
    fn fair_dice_and_palindromes_of_both_parities() {
        for n in 2..20 {
            check(&big(&[1, 1]), n);
            check(&big(&[7; 4]), n);
            check(&big(&[1, 2, 3, 2, 1]), n);
            check(&big(&[5, 0, 0, 0, 5]), n);
            check(&big(&[1, 2, 2, 1]), n);
        }
    }

    #[test]
    fn weights_at_the_edge_of_a_word() {
        let edge = u64::MAX / 512;
        check(&big(&[edge, 1, edge]), 11);
        check(&big(&[1, 1, 1 << 50]), 12);
        check(&big(&[1 << 50, 3, 1]), 12);
        check(&big(&[u64::MAX, 2, u64::MAX]), 12);
        let heavy = [BigUint::from(3u32).pow(90), 1u32.into(), 2u32.into()];
        check(&heavy, 13);
    }

    #[test]
    fn multisets_bound_the_distinct_sums() {
        assert_eq!(multisets(1, 50), 1);
        assert_eq!(multisets(2, 50), 51);
        assert_eq!(multisets(6, 2), 21);
        assert_eq!(multisets(3, 20), 231);
        assert!(multisets(1000, u32::MAX) > u128::from(u64::MAX));
    }
}
