//! The numbers that count how often an outcome happens: exact integers or floats.

use crate::Error;
use crate::pool::engine::{self, Plan, Tally, Task};
use crate::pool::sum::{self, Answer, Request};
use crate::reduce::{self, reduce};
use crate::{kronecker, order_statistic, power, rounding};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{FromPrimitive, NumAssign, One, Signed, ToPrimitive, Zero};
use std::convert::Infallible;
use std::fmt::{Debug, Display};

/// The number that counts how often an outcome happens: [`BigUint`] in an exact
/// distribution, `f64` in its float twin.
///
/// This trait is sealed: only these two types implement it, and everything else in the crate is
/// written once for both.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Dist, Weight};
///
/// fn chance_of_twelve<W: Weight>(roll: &Dist<i64, W>) -> W::Ratio {
///     roll.p(&12)
/// }
/// let roll = Dist::ndice(2, 6)?;
/// assert_eq!(chance_of_twelve(&roll).to_string(), "1/36");
/// assert_eq!(chance_of_twelve(&roll.to_f64()), 1.0 / 36.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Weight:
    Clone + Debug + PartialEq + PartialOrd + sealed::Sealed + crate::until::Flow
{
    /// The type in which a probability, a mean or a variance is reported: [`BigRational`] in lowest
    /// terms, or `f64`.
    type Ratio: Clone
        + Debug
        + Display
        + PartialEq
        + PartialOrd
        + NumAssign
        + Signed
        + FromPrimitive
        + ToPrimitive;

    /// Returns `part / whole`, in lowest terms if it is exact. A `whole` of zero gives zero, so
    /// that no input can cause a panic; no distribution has such a total.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Weight;
    ///
    /// assert_eq!(f64::ratio(&1.0, &4.0), 0.25);
    /// ```
    fn ratio(part: &Self, whole: &Self) -> Self::Ratio;

    // The remaining items are what the crate needs of a number, and may change at any time.

    #[doc(hidden)]
    const EXACT: bool;
    #[doc(hidden)]
    fn nothing() -> Self;
    #[doc(hidden)]
    fn unit() -> Self;
    #[doc(hidden)]
    fn vanishes(&self) -> bool;
    #[doc(hidden)]
    fn add(&mut self, other: &Self);
    #[doc(hidden)]
    fn times(&self, other: &Self) -> Self;
    /// The absolute value of `self - other`.
    #[doc(hidden)]
    fn distance(&self, other: &Self) -> Self;
    /// An upper bound on the size in 64-bit words of the product of `count` such numbers.
    #[doc(hidden)]
    fn words(&self, count: u64) -> u128;
    /// A common total for distributions of these totals, and the factor by which each reaches it,
    /// as long as a common total of so many words fits, since each factor is nearly as long.
    #[doc(hidden)]
    fn harmonise_within<E>(
        totals: &[&Self],
        fits: impl Fn(u128) -> Result<(), E>,
    ) -> Result<(Self, Vec<Self>), E>;
    /// The same without a limit.
    #[doc(hidden)]
    fn harmonise(totals: &[&Self]) -> (Self, Vec<Self>) {
        let Ok(found) = Self::harmonise_within(totals, |_| Ok::<_, Infallible>(()));
        found
    }
    /// Converts counts and their sum to weights and their total.
    #[doc(hidden)]
    fn shares(counts: Vec<BigUint>, sum: BigUint) -> (Vec<Self>, Self);
    /// The least cumulative weight that reaches probability `p` of `total`.
    #[doc(hidden)]
    fn threshold(total: &Self, p: &BigRational) -> Self;
    /// The lowest number that counts as equal to this one, if both may have this relative error.
    /// Exact numbers are returned unchanged.
    #[doc(hidden)]
    fn lowered(self, error: f64) -> Self;
    /// Scales a float distribution by a power of two so that its total is near one, where it might
    /// run out of range.
    #[doc(hidden)]
    fn settle(weights: &mut [Self], total: &mut Self);
    /// The product of two polynomials with ascending coefficients, neither of them empty.
    #[doc(hidden)]
    fn convolve(left: &[Self], right: &[Self]) -> Vec<Self>;
    /// The power of a polynomial and of its total, where there is a faster way than squaring.
    #[doc(hidden)]
    fn power(coefficients: &[Self], total: &Self, n: u32) -> Option<(Vec<Self>, Self)>;
    /// For each weight, that of its outcome as the `rank`-th lowest of `n` copies, over the n-th
    /// power of the total. A total of floats must be one.
    #[doc(hidden)]
    fn ranked(weights: &[Self], total: &Self, n: u32, rank: u32) -> Vec<Self>;
    /// Σ wᵢ vᵢ / total.
    #[doc(hidden)]
    fn average<'a>(
        terms: impl Iterator<Item = (&'a Self, Self::Ratio)>,
        total: &Self,
    ) -> Self::Ratio
    where
        Self: 'a;
    /// Σ wᵢ (xᵢ − centre)ᵏ / total.
    #[doc(hidden)]
    fn power_mean<'a>(
        terms: impl Iterator<Item = (i64, &'a Self)>,
        total: &Self,
        centre: &Self::Ratio,
        exponent: u32,
    ) -> Self::Ratio
    where
        Self: 'a;
    /// Σ wᵢ (xᵢ/scale − centre)ᵏ / total.
    #[doc(hidden)]
    fn scaled_power_mean<'a>(
        terms: impl Iterator<Item = (&'a BigInt, &'a Self)>,
        scale: &BigUint,
        total: &Self,
        centre: &Self::Ratio,
        exponent: u32,
    ) -> Self::Ratio
    where
        Self: 'a;
    /// An upper bound on the size in 64-bit words of (x/scale − centre)ᵏ for |x| up to `extreme`:
    /// of the longer of numerator and denominator.
    #[doc(hidden)]
    fn power_words(extreme: &BigUint, scale: &BigUint, centre: &Self::Ratio, exponent: u32)
    -> u128;
    /// The nearest number of this type, which is the number itself if exact.
    #[doc(hidden)]
    fn closest(value: &BigRational) -> Self::Ratio;
    /// The probability as a fraction in text form, if it is one.
    #[doc(hidden)]
    fn fraction(part: &Self, whole: &Self) -> Option<String>;
    /// The square root of a nonnegative number. It is found wherever the root is representable,
    /// even if the number is not.
    #[doc(hidden)]
    fn root(number: &Self::Ratio) -> f64;
    /// `part / whole` as the nearest double.
    #[doc(hidden)]
    fn nearest(part: &Self, whole: &Self) -> f64;
    /// `part / whole` as a double from 1 to 2 and the exponent of a power of two.
    #[doc(hidden)]
    fn nearest_scaled(part: &Self, whole: &Self) -> (f64, i64);
    /// Computes the sum of the kept dice of a pool.
    #[doc(hidden)]
    fn kept_sum(request: &Request<Self>) -> Answer<Self>;
    /// Reads pools in the narrowest numbers that fit.
    #[doc(hidden)]
    fn tally(plan: &Plan<Self>, task: Task<'_>) -> Result<Tally<Self>, Error>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for num_bigint::BigUint {}
    impl Sealed for f64 {}
}

impl Weight for BigUint {
    type Ratio = BigRational;

    fn ratio(part: &Self, whole: &Self) -> BigRational {
        reduce(part.clone().into(), whole)
    }

    const EXACT: bool = true;

    fn nothing() -> Self {
        Zero::zero()
    }

    fn unit() -> Self {
        One::one()
    }

    fn vanishes(&self) -> bool {
        self.is_zero()
    }

    fn add(&mut self, other: &Self) {
        *self += other;
    }

    fn times(&self, other: &Self) -> Self {
        if self.is_one() {
            return other.clone();
        }
        if other.is_one() {
            return self.clone();
        }
        self * other
    }

    fn distance(&self, other: &Self) -> Self {
        if self >= other {
            self - other
        } else {
            other - self
        }
    }

    fn words(&self, count: u64) -> u128 {
        let (one, count) = (self.bits(), u128::from(count));
        let bits = if self.is_one() {
            1
        } else if one > 64 || count < 2 {
            u128::from(one) * count
        } else {
            // x⁶⁴ determines log₂ x to a 64th of a bit: 2.6 bits per six-sided die instead of
            // three.
            let block = u128::from(self.pow(64).bits());
            count / 64 * block + u128::from(self.pow((count % 64) as u32).bits())
        };
        bits.div_ceil(64).max(1)
    }

    fn harmonise_within<E>(
        totals: &[&Self],
        fits: impl Fn(u128) -> Result<(), E>,
    ) -> Result<(Self, Vec<Self>), E> {
        let mut common: BigUint = One::one();
        for total in totals {
            if !common.is_multiple_of(total) {
                common *= *total / reduce::gcd(&common, total);
                fits(common.words(1))?;
            }
        }
        let factors = totals.iter().map(|total| &common / *total).collect();
        Ok((common, factors))
    }

    fn shares(counts: Vec<BigUint>, sum: BigUint) -> (Vec<Self>, Self) {
        (counts, sum)
    }

    fn threshold(total: &Self, p: &BigRational) -> Self {
        (total * p.numer().magnitude()).div_ceil(p.denom().magnitude())
    }

    fn lowered(self, _: f64) -> Self {
        self
    }

    fn settle(_: &mut [Self], _: &mut Self) {}

    fn convolve(left: &[Self], right: &[Self]) -> Vec<Self> {
        kronecker::product(left, right)
    }

    fn power(coefficients: &[Self], total: &Self, n: u32) -> Option<(Vec<Self>, Self)> {
        Some((power::polynomial(coefficients, total, n), total.pow(n)))
    }

    fn ranked(weights: &[Self], total: &Self, n: u32, rank: u32) -> Vec<Self> {
        order_statistic::exact(weights, total, n, rank)
    }

    fn average<'a>(
        terms: impl Iterator<Item = (&'a Self, BigRational)>,
        total: &Self,
    ) -> BigRational {
        // Numerators are summed while the denominator stays the same. In the usual case of a single
        // denominator, this takes one gcd in total instead of one per value.
        let mut sum = BigInt::zero();
        let mut denominator: BigInt = One::one();
        for (weight, value) in terms {
            let weight = BigInt::from(weight.clone());
            if *value.denom() == denominator {
                sum += weight * value.numer();
                continue;
            }
            let grown = reduce::lacking(denominator.magnitude(), value.denom().magnitude());
            let grown = BigInt::from(grown);
            denominator *= &grown;
            // A fraction with denominator zero is not a number; the result is then zero.
            let scale = denominator.checked_div(value.denom()).unwrap_or_default();
            sum = sum * grown + weight * value.numer() * scale;
        }
        reduce(sum, &(denominator.magnitude() * total))
    }

    fn power_mean<'a>(
        terms: impl Iterator<Item = (i64, &'a Self)>,
        total: &Self,
        centre: &BigRational,
        exponent: u32,
    ) -> BigRational {
        // Σ w (qx − p)ᵏ over qᵏ · total, all in integers.
        let mut sum = BigInt::zero();
        for (outcome, weight) in terms {
            let deviation = centre.denom() * outcome - centre.numer();
            sum += deviation.pow(exponent) * BigInt::from(weight.clone());
        }
        let scale = centre.denom().pow(exponent);
        reduce(sum, &(scale.magnitude() * total))
    }

    fn scaled_power_mean<'a>(
        terms: impl Iterator<Item = (&'a BigInt, &'a Self)>,
        scale: &BigUint,
        total: &Self,
        centre: &BigRational,
        exponent: u32,
    ) -> BigRational {
        // Σ w (qx − ps)ᵏ over (qs)ᵏ · total.
        let centred = centre.numer() * BigInt::from(scale.clone());
        let mut sum = BigInt::zero();
        for (outcome, weight) in terms {
            let deviation = centre.denom() * outcome - &centred;
            sum += deviation.pow(exponent) * BigInt::from(weight.clone());
        }
        let scale = (centre.denom().magnitude() * scale).pow(exponent);
        reduce(sum, &(scale * total))
    }

    fn power_words(
        extreme: &BigUint,
        scale: &BigUint,
        centre: &BigRational,
        exponent: u32,
    ) -> u128 {
        let denominator = centre.denom().magnitude();
        let deviation = denominator * extreme + centre.numer().magnitude() * scale;
        let longer = deviation.max(denominator * scale);
        longer.words(u64::from(exponent))
    }

    fn closest(value: &BigRational) -> BigRational {
        value.clone()
    }

    fn fraction(part: &Self, whole: &Self) -> Option<String> {
        Some(Self::ratio(part, whole).to_string())
    }

    fn root(number: &BigRational) -> f64 {
        let square = number.to_f64().unwrap_or(f64::NAN);
        if square.is_normal() || number.is_zero() {
            return square.sqrt();
        }
        let (digits, exponent) =
            rounding::nearest_scaled(number.numer().magnitude(), number.denom().magnitude());
        let odd = exponent.rem_euclid(2);
        let root = rounding::times_power_of_two(digits, odd).sqrt();
        rounding::times_power_of_two(root, (exponent - odd) / 2)
    }

    fn nearest(part: &Self, whole: &Self) -> f64 {
        rounding::nearest(part, whole)
    }

    fn nearest_scaled(part: &Self, whole: &Self) -> (f64, i64) {
        rounding::nearest_scaled(part, whole)
    }

    fn kept_sum(request: &Request<Self>) -> Answer<Self> {
        sum::exact::answer(request)
    }

    fn tally(plan: &Plan<Self>, task: Task<'_>) -> Result<Tally<Self>, Error> {
        engine::exact(plan, task)
    }
}

impl Weight for f64 {
    type Ratio = f64;

    fn ratio(part: &Self, whole: &Self) -> f64 {
        if *whole == 0.0 { 0.0 } else { part / whole }
    }

    const EXACT: bool = false;

    fn nothing() -> Self {
        0.0
    }

    fn unit() -> Self {
        1.0
    }

    fn vanishes(&self) -> bool {
        *self == 0.0
    }

    fn add(&mut self, other: &Self) {
        *self += other;
    }

    fn times(&self, other: &Self) -> Self {
        self * other
    }

    fn distance(&self, other: &Self) -> Self {
        (self - other).abs()
    }

    fn words(&self, _: u64) -> u128 {
        1
    }

    fn harmonise_within<E>(
        totals: &[&Self],
        _: impl Fn(u128) -> Result<(), E>,
    ) -> Result<(Self, Vec<Self>), E> {
        Ok((1.0, totals.iter().map(|total| 1.0 / *total).collect()))
    }

    fn shares(counts: Vec<BigUint>, sum: BigUint) -> (Vec<Self>, Self) {
        let share = |count| rounding::nearest(count, &sum);
        (counts.iter().map(share).collect(), 1.0)
    }

    fn threshold(total: &Self, p: &BigRational) -> Self {
        total * rounding::nearest(p.numer().magnitude(), p.denom().magnitude())
    }

    fn lowered(self, error: f64) -> Self {
        let both = 2.0 * error;
        // If nothing is known about the errors, the doubles are taken as exact.
        if both < 0.5 {
            self * (1.0 - both)
        } else {
            self
        }
    }

    fn settle(weights: &mut [Self], total: &mut Self) {
        rounding::settle(weights, total);
    }

    fn convolve(left: &[Self], right: &[Self]) -> Vec<Self> {
        let mut product = vec![0.0; left.len() + right.len() - 1];
        for (i, a) in left.iter().enumerate() {
            if *a != 0.0 {
                for (sum, b) in product[i..].iter_mut().zip(right) {
                    *sum += a * b;
                }
            }
        }
        product
    }

    fn power(coefficients: &[Self], _: &Self, n: u32) -> Option<(Vec<Self>, Self)> {
        let sides = power::fair(coefficients)?;
        Some(power::fair_dice_rounded(n, sides))
    }

    fn ranked(weights: &[Self], _: &Self, n: u32, rank: u32) -> Vec<Self> {
        order_statistic::in_floats(weights, n, rank)
    }

    fn average<'a>(terms: impl Iterator<Item = (&'a Self, f64)>, total: &Self) -> f64 {
        terms.map(|(weight, value)| weight * value).sum::<f64>() / total
    }

    fn power_mean<'a>(
        terms: impl Iterator<Item = (i64, &'a Self)>,
        total: &Self,
        centre: &f64,
        exponent: u32,
    ) -> f64 {
        let power = float_power(exponent);
        let term = |(x, w): (i64, &f64)| w * (x as f64 - centre).powi(power);
        terms.map(term).sum::<f64>() / total
    }

    fn scaled_power_mean<'a>(
        terms: impl Iterator<Item = (&'a BigInt, &'a Self)>,
        scale: &BigUint,
        total: &Self,
        centre: &f64,
        exponent: u32,
    ) -> f64 {
        let power = float_power(exponent);
        let term = |(x, w): (&BigInt, &f64)| w * (signed(x, scale) - centre).powi(power);
        terms.map(term).sum::<f64>() / total
    }

    fn power_words(_: &BigUint, _: &BigUint, _: &f64, _: u32) -> u128 {
        1
    }

    fn closest(value: &BigRational) -> f64 {
        signed(value.numer(), value.denom().magnitude())
    }

    fn fraction(_: &Self, _: &Self) -> Option<String> {
        None
    }

    fn root(number: &f64) -> f64 {
        number.sqrt()
    }

    fn nearest(part: &Self, whole: &Self) -> f64 {
        Self::ratio(part, whole)
    }

    fn nearest_scaled(part: &Self, whole: &Self) -> (f64, i64) {
        // Each is converted separately, since their quotient may be outside the range of doubles.
        let ((part, up), (whole, down)) = (rounding::scaled(*part), rounding::scaled(*whole));
        let (digits, more) = rounding::scaled(Self::ratio(&part, &whole));
        (digits, more + up - down)
    }

    fn kept_sum(request: &Request<Self>) -> Answer<Self> {
        sum::float::answer(request)
    }

    fn tally(plan: &Plan<Self>, task: Task<'_>) -> Result<Tally<Self>, Error> {
        engine::float(plan, task)
    }
}

/// Above `i32::MAX`, a power is 0, 1 or infinite, and only the parity of the exponent still
/// matters.
fn float_power(exponent: u32) -> i32 {
    i32::try_from(exponent).unwrap_or(i32::MAX - 1 + (exponent % 2) as i32)
}

/// The double nearest to a quotient; 0/0 gives zero.
fn signed(part: &BigInt, whole: &BigUint) -> f64 {
    let size = rounding::nearest(part.magnitude(), whole);
    if part.is_negative() { -size } else { size }
}
