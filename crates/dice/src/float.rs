//! Distributions in `f64`, by the same code, with a bound on their error.

use crate::power::ending;
use crate::rounding::{self, Roundings};
use crate::{Dist, Error};
use num_bigint::BigUint;

/// A [`Dist`] with `f64` weights: faster, and accurate to a stated bound.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Dist, FloatDist};
///
/// let roll: FloatDist<i64> = Dist::ndice(2, 6)?.to_f64();
/// assert_eq!(roll.p(&7), 1.0 / 6.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type FloatDist<T> = Dist<T, f64>;

impl<T: Ord + Clone> Dist<T> {
    /// Returns the float twin, in which each probability is rounded once, to the nearest double.
    ///
    /// Outcomes less likely than 2⁻¹⁰⁷⁵ are left out.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::die(3)?.to_f64().p(&1), 1.0 / 3.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_f64(&self) -> Dist<T, f64> {
        let mut twin = Dist {
            outcomes: Vec::with_capacity(self.len()),
            weights: Vec::with_capacity(self.len()),
            total: 1.0,
            roundings: Roundings {
                weights: 1,
                total: 0,
            },
        };
        for (outcome, weight) in self.iter() {
            let p = rounding::nearest(weight, &self.total);
            if p > 0.0 {
                twin.outcomes.push(outcome.clone());
                twin.weights.push(p);
            }
        }
        twin
    }
}

impl<T: Ord> Dist<T, f64> {
    /// Creates a distribution from outcomes and their relative weights, which may have any positive
    /// sum. Weights of the same outcome add up; outcomes of weight zero are left out.
    ///
    /// The weights are taken as exact: 0.1 means the double nearest to 1/10. Those that are less
    /// than the largest by a factor of 10²⁹⁰ or more may lose digits, or be left out.
    ///
    /// # Errors
    ///
    /// [`Error::BadFloatWeight`] for a negative, infinite or NaN weight, [`Error::EmptySupport`]
    /// without outcomes, [`Error::ZeroTotal`] if all weights are zero, and [`Error::TooLarge`] for
    /// more than [`DEFAULT_LIMIT`](crate::DEFAULT_LIMIT) outcomes.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let weather = Dist::from_float_weights([("rain", 0.75), ("sun", 0.25)])?;
    /// assert_eq!(weather.p(&"rain"), 0.75);
    /// assert!(Dist::from_float_weights([("rain", f64::NAN)]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_float_weights(weights: impl IntoIterator<Item = (T, f64)>) -> Result<Self, Error> {
        let mut pairs: Vec<(T, f64)> = Vec::new();
        for (position, pair) in ending("outcomes", weights).enumerate() {
            let (outcome, weight) = pair?;
            if !(weight.is_finite() && weight >= 0.0) {
                return Err(Error::BadFloatWeight { position, weight });
            }
            pairs.push((outcome, weight));
        }
        // The sum of huge weights may overflow, and tiny weights may underflow. Scaling so that the
        // largest is near one, by a power of two, keeps the law.
        let largest = pairs.iter().fold(0.0, |most: f64, pair| most.max(pair.1));
        let exponent = rounding::exponent_of(largest);
        if exponent.abs() > 64 {
            for (_, weight) in &mut pairs {
                *weight = rounding::times_power_of_two(*weight, -exponent);
            }
        }
        let total = pairs.iter().map(|pair| pair.1).sum();
        let roundings = Roundings {
            weights: 0,
            total: pairs.len() as u64,
        };
        Dist::gather(pairs, total, roundings)
    }
}

impl<T: Ord + Clone> Dist<T, f64> {
    /// Returns the exact distribution whose weights are exactly these doubles, each a whole number
    /// over a power of two. They are those that [`from_float_weights`](Self::from_float_weights)
    /// kept.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let coin = Dist::from_float_weights([(0, 0.375), (1, 0.625)])?;
    /// assert_eq!(coin.to_exact().p(&1).to_string(), "5/8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_exact(&self) -> Dist<T> {
        let parts = self.weights.iter().map(|weight| {
            let bits = weight.to_bits();
            let (exponent, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
            // Below the normal range, the leading bit and the exponent are not implied.
            if exponent == 0 {
                (fraction, 1)
            } else {
                (fraction | 1 << 52, exponent)
            }
        });
        let least = parts
            .clone()
            .map(|(_, exponent)| exponent)
            .min()
            .unwrap_or(0);
        let weights: Vec<BigUint> = parts
            .map(|(digits, exponent)| BigUint::from(digits) << (exponent - least))
            .collect();
        let law = Dist {
            outcomes: self.outcomes.clone(),
            total: weights.iter().sum(),
            weights,
            roundings: Roundings::default(),
        };
        law.lowest_terms()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::Zero;

    #[test]
    fn an_underflowing_weight_is_dropped_and_never_zero() -> Result<(), Error> {
        let law = Dist::from_float_weights([(0, 5e-324), (1, f64::MAX), (2, f64::MAX)])?;
        assert_eq!(law.support(), [1, 2]);
        assert_eq!(law.p(&1), 0.5);
        Ok(())
    }

    #[test]
    fn tiny_weights_keep_their_digits() -> Result<(), Error> {
        let law = Dist::from_float_weights([(0, 5e-324), (1, 15e-324)])?;
        assert_eq!(law.p(&1), 0.75);
        assert_eq!(law.to_exact().p(&0).to_string(), "1/4");
        Ok(())
    }

    #[test]
    fn is_zero_never_stays() {
        let law = Dist::from_parts([(1, BigUint::zero()), (2, 3u32.into())], 3u32.into());
        assert_eq!(law, Ok(Dist::certain(2)));
    }
}
