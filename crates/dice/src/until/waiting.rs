//! Rolling until an event happens.

use super::steps::Steps;
use crate::geometric::power_difference;
use crate::ratio::probability;
use crate::rounding::{Roundings, nearest_scaled, times_power_of_two};
use crate::shape::nth_power;
use crate::{DEFAULT_LIMIT, Dist, Error, IntoRatio, Weight, power};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// The limit on the size in words of the largest power in a probability, as for moments.
const LARGEST_POWER: u64 = 4096;

/// Rolling until an event happens: the number of rolls, which has no largest value, and the last
/// roll. Created by [`Dist::until`].
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Dist;
///
/// let six = Dist::die(6)?.until(|&face| face == 6)?;
/// assert_eq!(six.mean().to_string(), "6");
/// assert_eq!(six.at_most(4)?.to_string(), "671/1296");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Waiting<T, W: Weight = BigUint> {
    last: Dist<T, W>,
    hit: W,
    miss: W,
    total: W,
    /// The roundings in each quotient of these.
    roundings: u64,
}

impl<T: Ord + Clone, W: Weight> Dist<T, W> {
    /// Rolls until the outcome satisfies `event`.
    ///
    /// # Errors
    ///
    /// [`Error::ImpossibleCondition`] if no outcome does.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// // Roll 2d6 until 10 or more.
    /// let waiting = Dist::ndice(2, 6)?.until(|&sum| sum >= 10)?;
    /// assert_eq!(waiting.mean().to_string(), "6");
    /// assert_eq!(waiting.last().p(&10).to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "geometric")]
    pub fn until(&self, mut event: impl FnMut(&T) -> bool) -> Result<Waiting<T, W>, Error> {
        let (mut hit, mut miss) = (W::nothing(), W::nothing());
        let mut hits = Vec::with_capacity(self.len());
        for (outcome, weight) in self {
            hits.push(event(outcome));
            let side = if hits[hits.len() - 1] {
                &mut hit
            } else {
                &mut miss
            };
            side.add(weight);
        }
        let mut hits = hits.into_iter();
        let last = self.given(|_| hits.next().unwrap_or(false))?;
        // Float weights are scaled to a total of one, so that its powers stay in range.
        let (total, factors) = W::harmonise(&[&self.total]);
        let scale = |weight: W| match factors.first() {
            Some(factor) => weight.times(factor),
            None => weight,
        };
        let counted = self.roundings.sum(self.len());
        Ok(Waiting {
            last,
            hit: scale(hit),
            miss: scale(miss),
            total,
            roundings: counted
                .weights
                .saturating_add(counted.total)
                .saturating_add(2),
        })
    }
}

impl<T: Ord + Clone, W: Weight> Waiting<T, W> {
    /// Returns the distribution of the last roll, which is that of a roll given the event.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let waiting = Dist::die(6)?.until(|face| face % 2 == 0)?;
    /// assert_eq!(waiting.last().p(&2).to_string(), "1/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn last(&self) -> &Dist<T, W> {
        &self.last
    }

    /// Returns the probability that it takes exactly `n` rolls, which is zero for `n` = 0.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] if the exact answer would take more than 4,096 words: some
    /// 100,000 rolls of a d6.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let six = Dist::die(6)?.until(|&face| face == 6)?;
    /// assert_eq!(six.p(3)?.to_string(), "25/216");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn p(&self, n: u64) -> Result<W::Ratio, Error> {
        self.check(n)?;
        let Some(before) = n.checked_sub(1) else {
            return Ok(W::Ratio::zero());
        };
        let weight = nth_power(&self.miss, before).times(&self.hit);
        Ok(W::ratio(&weight, &nth_power(&self.total, n)))
    }

    /// Returns the probability that `n` rolls are enough.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`], as for [`p`](Self::p).
    ///
    /// # Examples
    ///
    /// The Chevalier de Méré's bets: a six in 4 throws, a double six in 24.
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let six = Dist::die(6)?.until(|&face| face == 6)?;
    /// assert_eq!(six.at_most(4)?.to_string(), "671/1296");
    /// let boxcars = Dist::ndice(2, 6)?.to_f64().until(|&sum| sum == 12)?;
    /// assert!((boxcars.at_most(24)? - 0.491404).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at_most(&self, n: u64) -> Result<W::Ratio, Error> {
        self.check(n)?;
        let part = power_difference(&self.miss, &self.hit, &self.total, n);
        Ok(W::ratio(&part, &nth_power(&self.total, n)))
    }

    /// Returns the probability that `n` rolls are not enough.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`], as for [`p`](Self::p).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let six = Dist::die(6)?.until(|&face| face == 6)?;
    /// assert_eq!(six.more_than(2)?.to_string(), "25/36");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn more_than(&self, n: u64) -> Result<W::Ratio, Error> {
        self.check(n)?;
        Ok(W::ratio(
            &nth_power(&self.miss, n),
            &nth_power(&self.total, n),
        ))
    }

    /// Returns the mean number of rolls.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let boxcars = Dist::ndice(2, 6)?.until(|&sum| sum == 12)?;
    /// assert_eq!(boxcars.mean().to_string(), "36");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mean(&self) -> W::Ratio {
        W::ratio(&self.total, &self.hit)
    }

    /// Returns the variance of the number of rolls, (1 − p)/p² for an event of probability p.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let six = Dist::die(6)?.until(|&face| face == 6)?;
    /// assert_eq!(six.variance().to_string(), "30");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn variance(&self) -> W::Ratio {
        // Not divided by the square of the hits, which may be too small for a float.
        W::ratio(&self.miss, &self.hit) * W::ratio(&self.total, &self.hit)
    }

    /// Returns the smallest number of rolls, at least 1, that is enough with probability at least
    /// `p`. In floats, a probability that falls short of `p` by rounding counts as `p`, as for
    /// [`Dist::quantile`].
    ///
    /// # Errors
    ///
    /// [`Error::NotAProbability`] outside 0 ..= 1; [`Error::NoQuantile`] for `p` = 1 if no number
    /// of rolls is certainly enough; [`Error::TooLarge`] if two numbers of rolls are so close to
    /// `p` that only a power of more than 4,096 words could decide.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let boxcars = Dist::ndice(2, 6)?.until(|&sum| sum == 12)?;
    /// assert_eq!(boxcars.quantile("1/2")?, 25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn quantile(&self, p: impl IntoRatio) -> Result<u64, Error> {
        let p = probability(p)?;
        if p.is_zero() || self.miss.vanishes() {
            return Ok(1);
        }
        if p.is_one() {
            return Err(Error::NoQuantile { p });
        }
        // (1 − hit)ⁿ ≤ 1 − p. Both logarithms are accurate to a few units in the last place, even
        // if the number itself is below all doubles.
        let scaled = |part: &W| W::nearest_scaled(part, &self.total);
        let step = ln_complement(scaled(&self.hit), scaled(&self.miss));
        let whole = p.denom().magnitude();
        let part = p.numer().magnitude();
        let level = ln_complement(
            nearest_scaled(part, whole),
            nearest_scaled(&(whole - part), whole),
        );
        let estimate = times_power_of_two(level.0 / step.0, level.1 - step.1);
        let (low, high) = (estimate * (1.0 - 1e-14), estimate * (1.0 + 1e-14));
        if low.ceil() == high.ceil() && high < 1e18 {
            return Ok((high.ceil() as u64).max(1));
        }
        // The estimate is too close to an integer, so that integer is tested.
        let candidate = high.floor() as u64;
        if estimate.is_nan() || low + 1.0 < high || candidate == u64::MAX {
            return Err(Error::TooLarge {
                operation: "the number of rolls for this probability".to_owned(),
                words: self.total.words(candidate),
                limit: LARGEST_POWER,
            });
        }
        self.check(candidate)?;
        let part = power_difference(&self.miss, &self.hit, &self.total, candidate);
        let whole = nth_power(&self.total, candidate);
        let threshold = W::threshold(&whole, &p).lowered(self.relative_error(candidate));
        let enough = candidate > 0 && part >= threshold;
        Ok(if enough { candidate } else { candidate + 1 })
    }

    /// Returns the distribution of the number of rolls, followed for `horizon` rolls.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`], before any work, beyond [`DEFAULT_LIMIT`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Dist, Steps};
    ///
    /// let heads = Dist::bernoulli((1, 2))?.until(|&heads| heads)?;
    /// let flips = heads.rolls(3)?;
    /// assert_eq!(flips.p(&Steps::Exactly(3)).to_string(), "1/8");
    /// assert_eq!(flips.p(&Steps::MoreThan(3)).to_string(), "1/8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rolls(&self, horizon: u64) -> Result<Dist<Steps, W>, Error> {
        let operation = || format!("the distribution of up to {horizon} rolls");
        let words = self.total.words(horizon);
        power::check_size(operation, u128::from(horizon) + 1, words, DEFAULT_LIMIT)?;
        // miss ⁿ⁻¹ hit total ʰ⁻ⁿ, computed from both ends.
        let mut pairs = Vec::new();
        let mut misses = W::unit();
        for n in 1..=horizon {
            pairs.push((Steps::Exactly(n), misses.times(&self.hit)));
            misses = misses.times(&self.miss);
        }
        let mut rest = W::unit();
        for (_, weight) in pairs.iter_mut().rev() {
            *weight = weight.times(&rest);
            rest = rest.times(&self.total);
        }
        pairs.push((Steps::MoreThan(horizon), misses));
        let counted = self.roundings.saturating_add(2).saturating_mul(horizon);
        let roundings = Roundings {
            weights: counted.saturating_add(1),
            total: 0,
        };
        Dist::gather(pairs, rest, roundings)
    }

    /// Returns an upper bound on the relative error of the probabilities of `n` rolls, as
    /// [`Dist::relative_error`] does. With `n` = 4 it also holds for the mean and the variance. It
    /// is zero if exact.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let six = Dist::die(6)?.to_f64().until(|&face| face == 6)?;
    /// assert!((six.more_than(100)? - (5.0f64 / 6.0).powi(100)).abs() < 1e-20);
    /// assert!(six.relative_error(100) < 2e-13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn relative_error(&self, n: u64) -> f64 {
        if W::EXACT {
            return 0.0;
        }
        let counted = self.roundings.saturating_add(3);
        let roundings = Roundings {
            weights: counted.saturating_mul(n.saturating_add(2)),
            total: 0,
        };
        roundings.relative_error(1)
    }

    fn check(&self, n: u64) -> Result<(), Error> {
        let words = self.total.words(n);
        if words > u128::from(LARGEST_POWER) {
            return Err(Error::TooLarge {
                operation: format!("the probability of {n} rolls"),
                words,
                limit: LARGEST_POWER,
            });
        }
        Ok(())
    }
}

/// −ln(1 − x), from x and 1 − x. Arguments and result are pairs of a number and the exponent of a
/// power of two. The numbers given are from 1 to 2; that of the result is any number in the normal
/// range.
fn ln_complement(x: (f64, i64), rest: (f64, i64)) -> (f64, i64) {
    // The series is x + x²/2 + …, and its second term is below half a unit in the last place.
    if x.1 < -60 {
        return x;
    }
    let value = times_power_of_two(x.0, x.1);
    if value < 0.5 {
        return (-(-value).ln_1p(), 0);
    }
    let (digits, exponent) = rest;
    (-(digits.ln() + exponent as f64 * std::f64::consts::LN_2), 0)
}
