use crate::ratio::{nonnegative, over_common_denominator};
use crate::reduce::gcd;
use crate::rounding::{self, Roundings};
use crate::{Error, IntoRatio, Weight};
use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::One;

/// A finite probability distribution: distinct outcomes in ascending order, a weight for
/// each, and one total.
///
/// The probability of an outcome is its weight over the total. Weights are never zero and
/// there is at least one outcome, so a `Dist` always sums to one. With `W` =
/// [`BigUint`], the default, every number is exact; with `W = f64` ([`FloatDist`]) the same
/// operations run in floating point and [`relative_error`](Self::relative_error) bounds
/// what that costs.
///
/// Two distributions are equal if their laws are: weights 1, 1 and weights 3, 3 are both a
/// fair coin.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Dist;
///
/// let roll = Dist::ndice(2, 6)?;
/// assert_eq!(roll.p(&7).to_string(), "1/6");
/// assert_eq!(roll.mean().to_string(), "7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Dist<T, W = BigUint> {
    /// Ascending, distinct, as many as `weights`, never empty.
    pub(crate) outcomes: Vec<T>,
    /// Positive.
    pub(crate) weights: Vec<W>,
    /// Their sum; in floats up to rounding.
    pub(crate) total: W,
    /// Counted in every law and read in float laws only: one code path.
    pub(crate) roundings: Roundings,
}

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

impl<T: Ord> Dist<T> {
    /// The distribution of a single outcome.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::certain("rain").p(&"rain").to_string(), "1");
    /// ```
    #[must_use]
    #[doc(alias = "constant")]
    pub fn certain(outcome: T) -> Self {
        Dist::point(outcome)
    }

    /// Every item equally likely; an item given twice is twice as likely.
    ///
    /// # Errors
    ///
    /// [`Error::EmptySupport`] without items.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let average_die = Dist::uniform([2, 3, 3, 4, 4, 5])?;
    /// assert_eq!(average_die.p(&3).to_string(), "1/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(n log n) comparisons for n items, O(n) if they come in order.
    pub fn uniform(items: impl IntoIterator<Item = T>) -> Result<Self, Error> {
        let pairs: Vec<_> = items
            .into_iter()
            .map(|item| (item, BigUint::one()))
            .collect();
        let total = BigUint::from(pairs.len());
        Dist::gather(pairs, total, Roundings::default())
    }

    /// Each outcome with its weight: relative, of any sum above zero. Weights of the same
    /// outcome add up; outcomes of weight zero are left out.
    ///
    /// # Errors
    ///
    /// [`Error::NegativeWeight`], [`Error::EmptySupport`] without outcomes,
    /// [`Error::ZeroTotal`] if all weights are zero, and what
    /// [`into_ratio`](IntoRatio::into_ratio) refuses.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let weather = Dist::from_weights([("rain", 3), ("sun", 1)])?;
    /// assert_eq!(weather.p(&"rain").to_string(), "3/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(n log n) comparisons for n outcomes, O(n) if they come in order.
    pub fn from_weights<V: IntoRatio>(
        weights: impl IntoIterator<Item = (T, V)>,
    ) -> Result<Self, Error> {
        let (outcomes, ratios) = read(weights)?;
        let (counts, _) = over_common_denominator(&ratios);
        let total = counts.iter().sum();
        Dist::gather(
            outcomes.into_iter().zip(counts).collect(),
            total,
            Roundings::default(),
        )
    }

    /// Each outcome with its probability; they must sum to one. Probabilities of the same
    /// outcome add up; outcomes of probability zero are left out.
    ///
    /// # Errors
    ///
    /// [`Error::SumNotOne`], [`Error::NegativeWeight`], [`Error::EmptySupport`], and what
    /// [`into_ratio`](IntoRatio::into_ratio) refuses.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let attack = Dist::from_probabilities([("hit", "0.55"), ("miss", "2/5"), ("critical", "1/20")])?;
    /// assert_eq!(attack.p(&"hit").to_string(), "11/20");
    /// assert!(Dist::from_probabilities([(1, "1/2"), (2, "1/3")]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_probabilities<V: IntoRatio>(
        probabilities: impl IntoIterator<Item = (T, V)>,
    ) -> Result<Self, Error> {
        let (outcomes, ratios) = read(probabilities)?;
        let (counts, denominator) = over_common_denominator(&ratios);
        let sum: BigUint = counts.iter().sum();
        if !outcomes.is_empty() && sum != denominator {
            let sum = BigRational::new(sum.into(), denominator.into());
            return Err(Error::SumNotOne { sum });
        }
        Dist::gather(
            outcomes.into_iter().zip(counts).collect(),
            sum,
            Roundings::default(),
        )
    }

    /// Distinct or repeated outcomes with integer counts and their stated total: the
    /// inverse of [`into_parts`](Dist::into_parts).
    ///
    /// # Errors
    ///
    /// [`Error::WrongTotal`] if the counts do not sum to `total`, [`Error::EmptySupport`]
    /// and [`Error::ZeroTotal`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let (pairs, total) = Dist::ndice(2, 6)?.into_parts();
    /// assert_eq!(total, 36u32.into());
    /// assert_eq!(Dist::from_parts(pairs, total)?, Dist::ndice(2, 6)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_parts(
        pairs: impl IntoIterator<Item = (T, BigUint)>,
        total: BigUint,
    ) -> Result<Self, Error> {
        let pairs: Vec<_> = pairs.into_iter().collect();
        let sum: BigUint = pairs.iter().map(|(_, count)| count).sum();
        if !pairs.is_empty() && sum != total {
            return Err(Error::WrongTotal { stated: total, sum });
        }
        Dist::gather(pairs, total, Roundings::default())
    }

    /// The same law with weights divided by their greatest common divisor.
    ///
    /// Operations never do this of their own accord: a gcd an operation would cost more
    /// than it saves, and totals such as 36 for two dice are worth keeping.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let even = Dist::die(6)?.map(|pips| pips % 2 == 0);
    /// assert_eq!(even.total(), &6u32.into());
    /// assert_eq!(even.lowest_terms().total(), &2u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lowest_terms(mut self) -> Self {
        let mut common = self.total.clone();
        for weight in &self.weights {
            if common.is_one() {
                return self;
            }
            common = gcd(&common, weight);
        }
        for weight in &mut self.weights {
            *weight /= &common;
        }
        self.total /= common;
        self
    }
}

impl<T: Ord + Clone> Dist<T> {
    /// The float twin: each probability rounded once, to the nearest double.
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
    /// Each outcome with its weight: relative, of any sum above zero. Weights of the same
    /// outcome add up; outcomes of weight zero are left out.
    ///
    /// The weights are taken as exact: 0.1 means the double next to 1/10.
    ///
    /// # Errors
    ///
    /// [`Error::BadFloatWeight`] for a negative, infinite or NaN weight,
    /// [`Error::EmptySupport`] without outcomes, [`Error::ZeroTotal`] if all are zero.
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
        let mut pairs: Vec<(T, f64)> = weights.into_iter().collect();
        for (position, &(_, weight)) in pairs.iter().enumerate() {
            if !(weight.is_finite() && weight >= 0.0) {
                return Err(Error::BadFloatWeight { position, weight });
            }
        }
        // The sum of huge weights overflows and tiny ones have no room below: scaling by
        // the largest, a power of two, keeps the law.
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
    /// The exact law whose weights are these very doubles, each a whole number over a power
    /// of two.
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
            // Below the normal range the leading bit is not implied, nor is the exponent.
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

type Columns<T> = (Vec<T>, Vec<BigRational>);

fn read<T, V: IntoRatio>(pairs: impl IntoIterator<Item = (T, V)>) -> Result<Columns<T>, Error> {
    let (mut outcomes, mut ratios) = (Vec::new(), Vec::new());
    for (position, (outcome, number)) in pairs.into_iter().enumerate() {
        outcomes.push(outcome);
        ratios.push(nonnegative(position, number)?);
    }
    Ok((outcomes, ratios))
}

impl<T, W: Weight> Dist<T, W> {
    pub(crate) fn point(outcome: T) -> Self {
        Dist {
            outcomes: vec![outcome],
            weights: vec![W::unit()],
            total: W::unit(),
            roundings: Roundings::default(),
        }
    }

    /// The outcomes that can happen, ascending.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::ndice(2, 2)?.support(), [2, 3, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn support(&self) -> &[T] {
        &self.outcomes
    }

    /// Iterates over the outcomes, ascending.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::die(6)?.outcomes().sum::<i64>(), 21);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outcomes(&self) -> std::slice::Iter<'_, T> {
        self.outcomes.iter()
    }

    /// Iterates over the weights, in the order of the outcomes.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let weights: Vec<String> = Dist::ndice(2, 3)?.weights().map(|w| w.to_string()).collect();
    /// assert_eq!(weights, ["1", "2", "3", "2", "1"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn weights(&self) -> std::slice::Iter<'_, W> {
        self.weights.iter()
    }

    /// The sum of the weights, the denominator of every probability. In a float law it may
    /// differ from the sum of the doubles by rounding.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::ndice(4, 6)?.total(), &1296u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "denominator")]
    pub fn total(&self) -> &W {
        &self.total
    }

    /// How many outcomes can happen; at least one.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::ndice(2, 6)?.len(), 11);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[expect(
        clippy::len_without_is_empty,
        reason = "a distribution is never empty, so the question would mislead"
    )]
    pub fn len(&self) -> usize {
        self.outcomes.len()
    }

    /// The smallest outcome.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::ndice(3, 6)?.min(), &3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn min(&self) -> &T {
        &self.outcomes[0]
    }

    /// The largest outcome.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::ndice(3, 6)?.max(), &18);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max(&self) -> &T {
        &self.outcomes[self.outcomes.len() - 1]
    }

    /// Iterates over outcomes, ascending, with their weights.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let roll = Dist::ndice(2, 6)?;
    /// assert_eq!(roll.iter().next(), Some((&2, &1u32.into())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter(&self) -> Iter<'_, T, W> {
        self.outcomes.iter().zip(&self.weights)
    }

    /// The outcomes with their weights, and the total.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let (pairs, total) = Dist::ndice(2, 2)?.into_parts();
    /// assert_eq!(pairs[1], (3, 2u32.into()));
    /// assert_eq!(total, 4u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn into_parts(self) -> (Vec<(T, W)>, W) {
        (
            self.outcomes.into_iter().zip(self.weights).collect(),
            self.total,
        )
    }

    /// A bound on the relative error of every probability that this distribution reports,
    /// by [`p`](Self::p), [`at_least`](Self::at_least), [`cdf`](Self::cdf) and the like:
    /// |reported − true| ≤ bound × true. Zero for exact distributions.
    ///
    /// All numbers are at least zero, so errors never cancel and it is enough to count
    /// roundings: after k of them the error is at most γ(k) = ku/(1 − ku), u = 2⁻⁵³
    /// (N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., lemma
    /// 3.1). Each operation adds its own to the count: a product of weights one, a sum of
    /// m weights m − 1. The reported probability adds one division and at most as many
    /// additions as there are outcomes. "True" is the law that exact arithmetic gives from
    /// the same start: the exact distribution for [`to_f64`](Dist::to_f64), the doubles as
    /// given for [`from_float_weights`](Dist::from_float_weights).
    ///
    /// Underflow is outside the count: what falls below 2⁻¹⁰²² loses digits and below
    /// 2⁻¹⁰⁷⁵ vanishes. Each such loss is at most 2⁻¹⁰⁷⁵ of the total, so the bound holds for
    /// probabilities above 10⁻²⁹⁰ as long as nothing was conditioned on an event less likely
    /// than that. Means and variances mix signs: their error is at most this bound times the
    /// mean of the absolute terms.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let roll = Dist::ndice(2, 6)?;
    /// assert_eq!(roll.relative_error(), 0.0);
    /// let bound = roll.to_f64().repeat(20)?.relative_error();
    /// assert!(0.0 < bound && bound < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn relative_error(&self) -> f64 {
        if W::EXACT {
            return 0.0;
        }
        self.roundings.relative_error(self.len())
    }
}

impl<T: Ord, W: Weight> Dist<T, W> {
    /// A law from pairs in any order, outcomes repeated or not. `total` is their sum.
    pub(crate) fn gather(
        pairs: Vec<(T, W)>,
        total: W,
        roundings: Roundings,
    ) -> Result<Self, Error> {
        if pairs.is_empty() {
            return Err(Error::EmptySupport);
        }
        if pairs.iter().all(|(_, weight)| weight.vanishes()) {
            return Err(Error::ZeroTotal {
                outcomes: pairs.len(),
            });
        }
        Ok(Dist::merge(pairs, total, roundings))
    }

    /// [`gather`](Self::gather) where the caller knows of a positive weight.
    pub(crate) fn merge(mut pairs: Vec<(T, W)>, mut total: W, roundings: Roundings) -> Self {
        // Stable, so that float weights of equal outcomes add up in the order given.
        if !pairs.is_sorted_by(|a, b| a.0 < b.0) {
            pairs.sort_by(|a, b| a.0.cmp(&b.0));
        }
        let mut outcomes: Vec<T> = Vec::with_capacity(pairs.len());
        let mut weights: Vec<W> = Vec::with_capacity(pairs.len());
        let (mut terms, mut most) = (1, 1);
        for (outcome, weight) in pairs {
            if weight.vanishes() {
                continue;
            }
            if outcomes.last() == Some(&outcome)
                && let Some(sum) = weights.last_mut()
            {
                sum.add(&weight);
                terms += 1;
                most = most.max(terms);
            } else {
                outcomes.push(outcome);
                weights.push(weight);
                terms = 1;
            }
        }
        W::settle(&mut weights, &mut total);
        Dist {
            outcomes,
            weights,
            total,
            roundings: roundings.sum(most),
        }
        .without_underflow()
    }

    /// Drops what scaling has made zero.
    pub(crate) fn without_underflow(mut self) -> Self {
        if !W::EXACT && self.weights.iter().any(W::vanishes) {
            let pairs = self.outcomes.into_iter().zip(self.weights);
            (self.outcomes, self.weights) = pairs.filter(|(_, w)| !w.vanishes()).unzip();
        }
        self
    }
}

/// Iterator over outcomes and weights, see [`Dist::iter`].
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Dist, Iter};
///
/// let coin = Dist::bernoulli((1, 2))?;
/// let mut pairs: Iter<'_, bool, _> = coin.iter();
/// assert_eq!(pairs.next(), Some((&false, &1u32.into())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Iter<'a, T, W> = std::iter::Zip<std::slice::Iter<'a, T>, std::slice::Iter<'a, W>>;

impl<'a, T, W: Weight> IntoIterator for &'a Dist<T, W> {
    type Item = (&'a T, &'a W);
    type IntoIter = Iter<'a, T, W>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: PartialEq, W: Weight> PartialEq for Dist<T, W> {
    fn eq(&self, other: &Self) -> bool {
        if self.outcomes != other.outcomes {
            return false;
        }
        if self.total == other.total {
            return self.weights == other.weights;
        }
        let mut pairs = self.weights.iter().zip(&other.weights);
        pairs.all(|(a, b)| a.times(&other.total) == b.times(&self.total))
    }
}

impl<T: Eq> Eq for Dist<T> {}

impl Dist<bool> {
    /// `true` with probability `p`.
    ///
    /// # Errors
    ///
    /// [`Error::NotAProbability`] outside 0 ..= 1, and what
    /// [`into_ratio`](IntoRatio::into_ratio) refuses.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let six = Dist::bernoulli("1/6")?;
    /// assert_eq!(six.p(&false).to_string(), "5/6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bernoulli(p: impl IntoRatio) -> Result<Self, Error> {
        let p = crate::ratio::probability(p)?;
        let (success, total) = (p.numer().magnitude(), p.denom().magnitude());
        let failure = total - success;
        let pairs = vec![(false, failure), (true, success.clone())];
        Dist::gather(pairs, total.clone(), Roundings::default())
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
