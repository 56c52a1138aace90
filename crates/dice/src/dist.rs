//! The central type of the crate: a distribution as integer counts over one total.

use crate::reduce::gcd;
use crate::rounding::Roundings;
use crate::{Error, Weight};
use num_bigint::BigUint;
use num_traits::One;
use std::hash::{Hash, Hasher};

/// A finite probability distribution: distinct outcomes in ascending order, a weight for
/// each, and one total.
///
/// The probability of an outcome is its weight over the total. Weights are never zero and there is
/// at least one outcome, so a `Dist` always sums to one. With `W` = [`BigUint`], the default, every
/// number is exact. With `W = f64` ([`FloatDist`](crate::FloatDist)) the same operations run in
/// floating point, and [`relative_error`](Self::relative_error) bounds the error.
///
/// Two distributions are equal if they give every outcome the same probability: weights 1, 1 and
/// weights 3, 3 are both a fair coin.
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
    /// Ascending and distinct, as many as `weights`, and never empty.
    pub(crate) outcomes: Vec<T>,
    /// Positive.
    pub(crate) weights: Vec<W>,
    /// The sum of the weights; in floats up to rounding.
    pub(crate) total: W,
    /// Counted in every distribution, but used in float distributions only, so that there is one
    /// code path.
    pub(crate) roundings: Roundings,
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

    /// Returns the outcomes with positive probability, in ascending order.
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

    /// Iterates over the outcomes in ascending order.
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

    /// Returns the sum of the weights, which is the denominator of every probability. In a float
    /// distribution it may differ from the sum of the doubles by rounding.
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

    /// Returns the number of outcomes, which is at least one.
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

    /// Returns the smallest outcome.
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

    /// Returns the largest outcome.
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

    /// Iterates over the outcomes with their weights, in ascending order.
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

    /// Returns the outcomes with their weights, and the total.
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

    /// Returns an upper bound on the relative error of every probability that this distribution
    /// reports, by [`p`](Self::p), [`at_least`](Self::at_least), [`cdf`](Self::cdf) and similar
    /// methods: |reported − true| ≤ bound × true. It is zero for exact distributions.
    ///
    /// All numbers are at least zero, so errors never cancel and it is enough to count roundings:
    /// after k of them the error is at most γ(k) = ku/(1 − ku), u = 2⁻⁵³ (N. J. Higham, "Accuracy
    /// and Stability of Numerical Algorithms", 2nd ed., lemma 3.1). Each operation adds its own
    /// roundings to the count: a product of weights one, a sum of m weights m − 1. The reported
    /// probability adds one division and at most as many additions as there are outcomes. "True" is
    /// the distribution that exact arithmetic gives from the same start: the exact distribution for
    /// [`to_f64`](Dist::to_f64), the doubles as given for
    /// [`from_float_weights`](Dist::from_float_weights).
    ///
    /// The count does not cover underflow: numbers below 2⁻¹⁰²² lose digits, and numbers below
    /// 2⁻¹⁰⁷⁵ vanish. Each such loss is at most 2⁻¹⁰⁷⁵ of the total, so the bound holds for
    /// probabilities above 10⁻²⁹⁰, unless the distribution was conditioned on an event less likely
    /// than that.
    ///
    /// Means mix signs. Within the range of doubles, their error is at most (bound + 2⁻⁵⁰) times
    /// the mean of |x|. That of the variance, with k = 2, and of the k-th central moment is at most
    /// (k + 2) (bound + 2⁻⁵⁰) times the mean of |x − mean|ᵏ, if k² times the bound is less than 1.
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
    /// Creates a distribution from pairs in any order, whose outcomes may repeat. `total` must be
    /// the sum of the weights.
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

    /// Like [`gather`](Self::gather), where the caller knows that a weight is positive.
    pub(crate) fn merge(mut pairs: Vec<(T, W)>, mut total: W, roundings: Roundings) -> Self {
        // The sort is stable, so that float weights of equal outcomes are added in the order given.
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
        // Where many outcomes are merged, as by a division, most of the space would be left unused
        // for as long as the distribution is kept.
        if outcomes.len() < outcomes.capacity() / 2 {
            outcomes.shrink_to_fit();
            weights.shrink_to_fit();
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

    /// Removes weights that scaling has made zero.
    pub(crate) fn without_underflow(mut self) -> Self {
        if !W::EXACT && self.weights.iter().any(W::vanishes) {
            let pairs = self.outcomes.into_iter().zip(self.weights);
            (self.outcomes, self.weights) = pairs.filter(|(_, w)| !w.vanishes()).unzip();
        }
        self
    }
}

/// An iterator over outcomes and weights, see [`Dist::iter`].
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

impl<T> Dist<T> {
    /// The greatest common divisor of the weights.
    pub(crate) fn common_factor(&self) -> BigUint {
        let mut common = self.total.clone();
        for weight in &self.weights {
            if common.is_one() {
                break;
            }
            common = gcd(&common, weight);
        }
        common
    }
}

/// Equal distributions have equal hashes: weights are hashed in lowest terms.
impl<T: Hash> Hash for Dist<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let common = self.common_factor();
        self.outcomes.hash(state);
        for weight in &self.weights {
            (weight / &common).hash(state);
        }
    }
}
