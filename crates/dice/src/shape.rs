//! The shape of a distribution: skewness, excess kurtosis, deviations, generating functions.

use crate::geometric::power_difference;
use crate::moment::check_powers;
use crate::reroll::FEWEST;
use crate::rounding::Roundings;
use crate::{DEFAULT_LIMIT, Dist, Error, IntoRatio, Numeric, Weight, power};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{FromPrimitive, One, Signed, ToPrimitive, Zero};

/// The shape of a distribution of [numbers](Numeric), `bool` (0 and 1) included.
impl<T: Numeric, W: Weight> Dist<T, W> {
    /// Returns the skewness: the third central moment over the cube of the standard deviation. It
    /// is positive if the long tail is on the right.
    ///
    /// The result is a double: the square root of [`skewness_squared`](Self::skewness_squared),
    /// with its sign.
    ///
    /// # Errors
    ///
    /// [`Error::NoSpread`] if there is only one outcome, [`Error::FloatOverflow`] if the result is
    /// outside the range of doubles, and those of [`central_moment`](Self::central_moment).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::ndice(3, 6)?.skewness()?, 0.0);
    /// assert_eq!(Dist::bernoulli((1, 5))?.skewness()?, 1.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn skewness(&self) -> Result<f64, Error> {
        let size = W::root(&self.skewness_squared()?);
        if !size.is_finite() {
            return Err(Error::FloatOverflow {
                operation: "skewness".to_owned(),
            });
        }
        let third = self.central_moment(3)?;
        Ok(if third.is_negative() { -size } else { size })
    }

    /// Returns the square of the skewness, μ₃²/μ₂³ (Pearson's β₁), which is rational.
    ///
    /// # Errors
    ///
    /// The same as for [`skewness`](Self::skewness).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::bernoulli((1, 5))?.skewness_squared()?.to_string(), "9/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn skewness_squared(&self) -> Result<W::Ratio, Error> {
        let variance = self.spread("skewness")?;
        let third = self.central_moment(3)?;
        // Divided one after the other, since the product of small floats may be zero.
        let share = third / variance.clone();
        Ok(share.clone() * share / variance)
    }

    /// Returns the excess kurtosis, μ₄/μ₂² − 3. It is zero for the normal distribution, and
    /// negative for short tails.
    ///
    /// # Errors
    ///
    /// [`Error::NoSpread`] if there is only one outcome, and those of
    /// [`central_moment`](Self::central_moment).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::die(6)?.excess_kurtosis()?.to_string(), "-222/175");
    /// assert_eq!(Dist::uniform([0, 1])?.excess_kurtosis()?.to_string(), "-2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn excess_kurtosis(&self) -> Result<W::Ratio, Error> {
        let variance = self.spread("kurtosis")?;
        let fourth = self.central_moment(4)?;
        Ok(fourth / variance.clone() / variance - number::<W>(3))
    }

    /// Returns the mean absolute deviation, the mean distance from the mean.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::die(6)?.mean_absolute_deviation().to_string(), "3/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mean_absolute_deviation(&self) -> W::Ratio {
        let (numbers, mean) = self.centred();
        let deviations = numbers.ratios::<W>().into_iter();
        let deviations = deviations.map(|x| (x - mean.clone()).abs());
        W::average(self.weights.iter().zip(deviations), &self.total)
    }

    /// Returns the mean of the highest of `n` independent copies.
    ///
    /// # Errors
    ///
    /// The same as for [`maximum_of`](Self::maximum_of).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::die(20)?.expected_maximum(2)?.to_string(), "553/40");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn expected_maximum(&self, n: u32) -> Result<W::Ratio, Error>
    where
        T: Clone + Ord,
    {
        Ok(self.maximum_of(n)?.mean())
    }

    /// Returns the mean of the lowest of `n` independent copies.
    ///
    /// # Errors
    ///
    /// The same as for [`maximum_of`](Self::maximum_of).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::die(20)?.expected_minimum(2)?.to_string(), "287/40");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn expected_minimum(&self, n: u32) -> Result<W::Ratio, Error>
    where
        T: Clone + Ord,
    {
        Ok(self.minimum_of(n)?.mean())
    }

    fn spread(&self, operation: &'static str) -> Result<W::Ratio, Error> {
        let variance = self.variance();
        if self.len() == 1 || variance.is_zero() {
            return Err(Error::NoSpread { operation });
        }
        Ok(variance)
    }
}

/// Properties of distributions of integers, of any type that fits into `i64`.
impl<T: Copy + Into<i64>, W: Weight> Dist<T, W> {
    /// Returns the k-th factorial moment: the mean of x (x − 1) … (x − k + 1). In floats its error
    /// is at most the sum of [`relative_error`](Self::relative_error) and 3k units in the last
    /// place, times the mean absolute value of that product.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`], before any work, for k above 4,096, or k times the number of outcomes
    /// above 4,194,304; [`Error::FloatOverflow`] if the moment is outside the range of doubles.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::die(6)?.factorial_moment(2)?.to_string(), "35/3");
    /// assert_eq!(Dist::die(6)?.factorial_moment(7)?.to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn factorial_moment(&self, k: u32) -> Result<W::Ratio, Error> {
        let operation = || format!("factorial moment number {k}");
        // One word for each factor.
        check_powers(operation, k.into(), self.len())?;
        let moment = self.expectation(|&x| {
            let x = i128::from(x.into());
            // In floats, the other factors may be infinite, and zero times that is not a number.
            if (0..i128::from(k)).contains(&x) {
                return W::Ratio::zero();
            }
            let factors = (0..i128::from(k)).map(|i| x - i);
            let sizes: Vec<W> = factors.clone().map(size).collect();
            let product = W::ratio(&product(&sizes), &W::unit());
            if factors.filter(|factor| *factor < 0).count() % 2 == 1 {
                -product
            } else {
                product
            }
        });
        finite::<W>(moment, operation)
    }

    /// Returns the probability generating function at `x`: the mean of `x` to the power of the
    /// outcome.
    ///
    /// # Errors
    ///
    /// [`Error::ZeroDenominator`] for `x` = 0 if an outcome is negative, [`Error::TooLarge`],
    /// before any work, if a power of `x` would take more than 4,096 words, or those of all
    /// outcomes more than 4,194,304, [`Error::FloatOverflow`] if the sum, or a power of `x`, is
    /// outside the range of doubles, and the errors of [`into_ratio`](IntoRatio::into_ratio).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let roll = Dist::die(6)?;
    /// assert_eq!(roll.generating_function("1/2")?.to_string(), "21/128");
    /// // That of a sum is the product.
    /// let square = roll.generating_function((1, 2))?.pow(2);
    /// assert_eq!(Dist::ndice(2, 6)?.generating_function((1, 2))?, square);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "pgf")]
    pub fn generating_function(&self, x: impl IntoRatio) -> Result<W::Ratio, Error> {
        let x = x.into_ratio()?;
        // A type may order its outcomes differently from their numbers.
        let numbers = self.outcomes.iter().map(|&outcome| outcome.into());
        let (low, high) = numbers.fold((i64::MAX, i64::MIN), |(low, high), number: i64| {
            (low.min(number), high.max(number))
        });
        if x.is_zero() && low < 0 {
            return Err(Error::ZeroDenominator {
                numerator: One::one(),
            });
        }
        if x.is_one() {
            return Ok(W::Ratio::one());
        }
        let operation = || "a probability generating function".to_owned();
        let part = |n: &BigInt| W::threshold(&W::unit(), &BigRational::from(n.abs()));
        let [p, q] = [part(x.numer()), part(x.denom())];
        let extreme = low.unsigned_abs().max(high.unsigned_abs());
        let words = p.words(extreme).max(q.words(extreme));
        check_powers(operation, words, self.len())?;
        let sum = if W::EXACT {
            self.power_series(&p, &q, x.is_negative())
        } else {
            let size = W::threshold(&W::unit(), &x.abs());
            let inverse = match x.is_zero() {
                true => W::nothing(),
                false => W::threshold(&W::unit(), &x.recip().abs()),
            };
            self.expectation(|&outcome| {
                let exponent: i64 = outcome.into();
                let base = if exponent < 0 { &inverse } else { &size };
                let power = nth_power(base, exponent.unsigned_abs());
                let power = W::ratio(&power, &W::unit());
                match x.is_negative() && exponent % 2 != 0 {
                    true => -power,
                    false => power,
                }
            })
        };
        finite::<W>(sum, operation)
    }

    /// Σ wᵢ (±p/q)^xᵢ over the total, in integers and reduced once: by Horner's rule over pᵈ qᵐ⁻ᵈ,
    /// where d is the distance from the lowest outcome, and m that of the highest.
    fn power_series(&self, p: &W, q: &W, negative: bool) -> W::Ratio {
        let mut terms: Vec<(i64, &W)> = self.iter().map(|(x, w)| ((*x).into(), w)).collect();
        // A type may order its outcomes differently from their numbers.
        terms.sort_by_key(|term| term.0);
        let (mut even, mut odd) = (W::nothing(), W::nothing());
        let mut bottom = W::unit();
        let mut above: Option<i64> = None;
        for &(exponent, weight) in terms.iter().rev() {
            let gap = above.map_or(0, |above| above.abs_diff(exponent));
            above = Some(exponent);
            let up = nth_power(p, gap);
            bottom = bottom.times(&nth_power(q, gap));
            even = even.times(&up);
            odd = odd.times(&up);
            let side = if exponent % 2 == 0 {
                &mut even
            } else {
                &mut odd
            };
            side.add(&weight.times(&bottom));
        }
        let least = above.unwrap_or(0);
        let powers = [p, q].map(|base| nth_power(base, least.unsigned_abs()));
        let [up, down] = match least < 0 {
            true => [&powers[1], &powers[0]],
            false => [&powers[0], &powers[1]],
        };
        let whole = bottom.times(down).times(&self.total);
        let [even, odd] = [even, odd].map(|sum| sum.times(up));
        if !negative {
            let mut sum = even;
            sum.add(&odd);
            return W::ratio(&sum, &whole);
        }
        let size = W::ratio(&even.distance(&odd), &whole);
        if even < odd { -size } else { size }
    }

    /// Returns the interquartile range: the quantile at 3/4 minus that at 1/4.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::die(20)?.interquartile_range(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn interquartile_range(&self) -> u64
    where
        T: Ord,
    {
        let quartile = |p: (u8, u8)| self.quantile(p).map_or(0, |&x| x.into());
        let (low, high): (i64, i64) = (quartile((1, 4)), quartile((3, 4)));
        high.abs_diff(low)
    }
}

/// Order statistics of copies of one distribution.
impl<T: Clone + Ord, W: Weight> Dist<T, W> {
    /// Returns the distribution of the highest of `n` independent copies.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchRank`] for `n` = 0; [`Error::TooLarge`], before any work, beyond
    /// [`DEFAULT_LIMIT`], where at least 2,048 outcomes are counted: 400,000 copies of a d6.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let best = Dist::die(6)?.maximum_of(3)?;
    /// assert_eq!(best.p(&6).to_string(), "91/216");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(log n) products of growing length per outcome.
    pub fn maximum_of(&self, n: u32) -> Result<Self, Error> {
        self.extreme_of(n, self.iter(), "highest")
    }

    /// Returns the distribution of the lowest of `n` independent copies.
    ///
    /// # Errors
    ///
    /// The same as for [`maximum_of`](Self::maximum_of).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let worst = Dist::die(6)?.minimum_of(3)?;
    /// assert_eq!(worst.p(&1).to_string(), "91/216");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn minimum_of(&self, n: u32) -> Result<Self, Error> {
        self.extreme_of(n, self.iter().rev(), "lowest")
    }

    fn extreme_of<'a>(
        &'a self,
        n: u32,
        outcomes: impl Iterator<Item = (&'a T, &'a W)>,
        which: &str,
    ) -> Result<Self, Error> {
        self.check_copies(n, 1, 1, || format!("the {which} of {n} copies"))?;
        let (total, scale) = self.normal();
        let mut below = W::nothing();
        let mut pairs = Vec::with_capacity(self.len());
        for (outcome, weight) in outcomes {
            let weight = weight.times(&scale);
            let mut reached = below.clone();
            reached.add(&weight);
            let here = power_difference(&below, &weight, &reached, n.into());
            pairs.push((outcome.clone(), here));
            below = reached;
        }
        let each = self.copies_roundings();
        let roundings = Roundings {
            weights: each.saturating_add(3).saturating_mul(u64::from(n) + 2),
            total: 0,
        };
        Dist::gather(pairs, nth_power(&total, n.into()), roundings)
    }

    pub(crate) fn check_copies(
        &self,
        n: u32,
        rank: u32,
        terms: u128,
        operation: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        if rank == 0 || rank > n {
            return Err(Error::NoSuchRank { rank, copies: n });
        }
        // Few weights of very many digits would take hours to multiply and to reduce.
        let length = terms.saturating_mul(self.len() as u128).max(FEWEST as u128);
        power::check_size(operation, length, self.total.words(n.into()), DEFAULT_LIMIT)
    }

    /// The total and the factor of the weights that belongs to it. In floats the total is one, so
    /// that its powers stay in range.
    pub(crate) fn normal(&self) -> (W, W) {
        let (total, mut factors) = W::harmonise(&[&self.total]);
        (total, factors.pop().unwrap_or_else(W::unit))
    }

    /// The roundings in a cumulative weight over the total.
    pub(crate) fn copies_roundings(&self) -> u64 {
        let counted = self.roundings.sum(self.len());
        counted
            .weights
            .saturating_add(counted.total)
            .saturating_add(2)
    }
}

pub(crate) fn nth_power<W: Weight>(base: &W, n: u64) -> W {
    by_squaring(W::unit(), base, n, W::times)
}

/// A power, in O(log n) products from one of no factors.
pub(crate) fn by_squaring<T>(none: T, base: &T, n: u64, times: impl Fn(&T, &T) -> T) -> T {
    let mut power = none;
    for bit in (0..u64::BITS - n.leading_zeros()).rev() {
        power = times(&power, &power);
        if n >> bit & 1 == 1 {
            power = times(&power, base);
        }
    }
    power
}

fn number<W: Weight>(n: i64) -> W::Ratio {
    // Both types of numbers can represent every i64.
    W::Ratio::from_i64(n).unwrap_or_else(W::Ratio::zero)
}

/// The absolute value of an integer, as a weight.
fn size<W: Weight>(n: i128) -> W {
    W::threshold(&W::unit(), &BigRational::from(BigInt::from(n).abs()))
}

/// By halves, so that factors have similar lengths.
fn product<W: Weight>(factors: &[W]) -> W {
    match factors {
        [] => W::unit(),
        [factor] => factor.clone(),
        _ => {
            let (low, high) = factors.split_at(factors.len() / 2);
            product(low).times(&product(high))
        }
    }
}

pub(crate) fn finite<W: Weight>(
    number: W::Ratio,
    operation: impl FnOnce() -> String,
) -> Result<W::Ratio, Error> {
    let finite = W::EXACT || number.to_f64().is_some_and(f64::is_finite);
    finite
        .then_some(number)
        .ok_or_else(|| Error::FloatOverflow {
            operation: operation(),
        })
}
