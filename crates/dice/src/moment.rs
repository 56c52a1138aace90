//! Mean, variance and higher moments.

use crate::numeric::Numbers;
use crate::{Dist, Error, Numeric, Weight};
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};

/// The limit on the size in words of the largest power in a moment. Reducing the result takes time
/// quadratic in this size, so the memory limit of sums would allow it to run for hours.
const LARGEST_POWER: u64 = 4096;

/// The limit on the size in words of the powers of all outcomes together. Raising them to the power
/// takes more than proportional time: a second or two at this limit.
const ALL_POWERS: u64 = 1 << 22;

impl<T, W: Weight> Dist<T, W> {
    /// Returns the expectation of a function, the mean of `value` of the outcome.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Dist, IntoRatio};
    /// use num_rational::BigRational;
    ///
    /// // A stake of 1 on a number at roulette pays 35 to 1.
    /// let wheel = Dist::bernoulli((1, 37))?;
    /// let pays = |won: &bool| BigRational::from_integer(if *won { 35 } else { -1 }.into());
    /// assert_eq!(wheel.expectation(pays).to_string(), "-1/37");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// One multiplication per outcome. Exact distributions take one gcd in total if the values
    /// share a denominator, and otherwise one for each change of it.
    #[doc(alias = "expected_value")]
    pub fn expectation(&self, mut value: impl FnMut(&T) -> W::Ratio) -> W::Ratio {
        let terms = self
            .iter()
            .map(|(outcome, weight)| (weight, value(outcome)));
        W::average(terms, &self.total)
    }
}

/// Moments of [numbers](Numeric): integers of any width, `bool` (0 and 1), fractions.
impl<T: Numeric, W: Weight> Dist<T, W> {
    /// Returns the mean outcome.
    ///
    /// # Complexity
    ///
    /// One multiplication per outcome and one gcd in total, if exact. If not all outcomes fit into
    /// `i64`, they are first brought over one denominator, with one gcd for each change of it.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::ndice(3, 6)?.mean().to_string(), "21/2");
    /// assert_eq!(Dist::bernoulli("1/3")?.mean().to_string(), "1/3");
    /// assert_eq!(Dist::uniform([0, u64::MAX])?.mean().to_string(), "18446744073709551615/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mean(&self) -> W::Ratio {
        self.power_mean(&self.numbers(), &W::Ratio::zero(), 1)
    }

    /// Returns the variance, which is the mean squared deviation from the mean.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::ndice(2, 6)?.variance().to_string(), "35/6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn variance(&self) -> W::Ratio {
        let (numbers, mean) = self.centred();
        self.power_mean(&numbers, &mean, 2)
    }

    /// Returns the standard deviation, the square root of the variance, as a double, since it is
    /// seldom rational. It is zero for a single outcome, and if the root is below all doubles. It
    /// is infinite if the root is above them, which takes outcomes of more than 1,000 bits.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::uniform([-2, 2])?.standard_deviation(), 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "sd")]
    #[doc(alias = "std")]
    pub fn standard_deviation(&self) -> f64 {
        W::root(&self.variance())
    }

    /// Returns the k-th moment about zero: the mean of xᵏ.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`], before any work, if the power of an outcome would take more than 4,096
    /// words, or those of all outcomes together more than 4,194,304; [`Error::FloatOverflow`] if
    /// the moment, or a power in it, is outside the range of doubles.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::die(6)?.moment(2)?.to_string(), "91/6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moment(&self, k: u32) -> Result<W::Ratio, Error> {
        self.checked_power_mean(&self.numbers(), &W::Ratio::zero(), k, "moment")
    }

    /// Returns the k-th central moment: the mean of (x − mean)ᵏ.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`], before any work, if the power of an outcome would take more than 4,096
    /// words, or those of all outcomes together more than 4,194,304; [`Error::FloatOverflow`] if
    /// the moment, or a power in it, is outside the range of doubles.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let roll = Dist::ndice(2, 6)?;
    /// assert_eq!(roll.central_moment(2)?, roll.variance());
    /// assert_eq!(roll.central_moment(3)?.to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn central_moment(&self, k: u32) -> Result<W::Ratio, Error> {
        let (numbers, mean) = self.centred();
        self.checked_power_mean(&numbers, &mean, k, "central moment")
    }

    /// The outcomes and their mean, both less the same number.
    ///
    /// In floats that number is a median: the mean of large outcomes would be rounded by more than
    /// they differ, and no number is closer to them on average than a median.
    pub(crate) fn centred(&self) -> (Numbers, W::Ratio) {
        let mut numbers = self.numbers();
        if !W::EXACT {
            numbers = numbers.less_a_median(&self.weights, &self.total);
        }
        let mean = self.power_mean(&numbers, &W::Ratio::zero(), 1);
        (numbers, mean)
    }

    fn power_mean(&self, numbers: &Numbers, centre: &W::Ratio, k: u32) -> W::Ratio {
        match numbers {
            Numbers::Whole(numbers) => {
                let terms = numbers.iter().copied().zip(&self.weights);
                W::power_mean(terms, &self.total, centre, k)
            }
            Numbers::Scaled(scaled) => {
                let terms = scaled.numerators.iter().zip(&self.weights);
                W::scaled_power_mean(terms, &scaled.denominator, &self.total, centre, k)
            }
        }
    }

    fn checked_power_mean(
        &self,
        numbers: &Numbers,
        centre: &W::Ratio,
        k: u32,
        name: &str,
    ) -> Result<W::Ratio, Error> {
        let operation = || format!("{name} number {k}");
        // The power of a double takes one word.
        let outcomes = if W::EXACT { self.len() } else { 1 };
        let words = match numbers {
            Numbers::Whole(numbers) => {
                let extreme = numbers.iter().map(|x| x.unsigned_abs()).max();
                let extreme = BigUint::from(extreme.unwrap_or(0));
                W::power_words(&extreme, &BigUint::one(), centre, k)
            }
            Numbers::Scaled(scaled) => {
                W::power_words(&scaled.extreme(), &scaled.denominator, centre, k)
            }
        };
        check_powers(operation, words, outcomes)?;
        let moment = self.power_mean(numbers, centre, k);
        let finite = W::EXACT || moment.to_f64().is_some_and(f64::is_finite);
        finite
            .then_some(moment)
            .ok_or_else(|| Error::FloatOverflow {
                operation: operation(),
            })
    }
}

/// Refuses powers of this many words for this many outcomes.
pub(crate) fn check_powers(
    operation: impl Fn() -> String,
    words: u128,
    outcomes: usize,
) -> Result<(), Error> {
    let all = words.saturating_mul(outcomes as u128);
    let refused = |of: &str, words, limit| Error::TooLarge {
        operation: format!("{} ({of})", operation()),
        words,
        limit,
    };
    if words > u128::from(LARGEST_POWER) {
        return Err(refused("a single power", words, LARGEST_POWER));
    }
    if all > u128::from(ALL_POWERS) {
        return Err(refused("powers of all outcomes", all, ALL_POWERS));
    }
    Ok(())
}
