//! Bayes' rule: the distribution of hypotheses after an observation.

use crate::power::check_size;
use crate::ratio::{nonnegative, over_common_denominator};
use crate::rounding::Roundings;
use crate::{DEFAULT_LIMIT, Dist, Error, IntoRatio, Weight};

impl<H: Ord + Clone> Dist<H> {
    /// Returns the posterior distribution of the hypotheses after an observation, by Bayes' rule.
    /// `likelihood` is the probability of the observation under each hypothesis, up to a common
    /// factor.
    ///
    /// Independent observations are successive updates, in any order. Weights grow with each;
    /// [`lowest_terms`](Self::lowest_terms) reduces them.
    ///
    /// # Errors
    ///
    /// [`Error::ImpossibleCondition`] if the likelihood is 0 under every hypothesis,
    /// [`Error::NegativeWeight`], [`Error::TooLarge`] if the likelihoods take more than
    /// [`DEFAULT_LIMIT`](crate::DEFAULT_LIMIT) words over one denominator, and the errors of
    /// [`into_ratio`](IntoRatio::into_ratio).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// // One person in a hundred is ill; the test finds 9 in 10, and 1 in 20 of the well.
    /// let ill = Dist::bernoulli("1/100")?;
    /// let positive = |&ill: &bool| if ill { "0.9" } else { "0.05" };
    /// assert_eq!(ill.update(positive)?.p(&true).to_string(), "2/13");
    /// assert_eq!(ill.update(positive)?.update(positive)?.p(&true).to_string(), "36/47");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "bayes")]
    pub fn update<V: IntoRatio>(&self, mut likelihood: impl FnMut(&H) -> V) -> Result<Self, Error> {
        let ratios = self
            .outcomes
            .iter()
            .enumerate()
            .map(|(position, hypothesis)| nonnegative(position, likelihood(hypothesis)));
        let (counts, _) = over_common_denominator(&ratios.collect::<Result<Vec<_>, _>>()?)?;
        self.reweigh(counts, Roundings::default())
    }
}

impl<H: Ord + Clone> Dist<H, f64> {
    /// Returns the posterior distribution of the hypotheses after an observation, by Bayes' rule.
    /// `likelihood` is the probability of the observation under each hypothesis, up to a common
    /// factor. The doubles are taken as exact.
    ///
    /// # Errors
    ///
    /// [`Error::ImpossibleCondition`] if the likelihood is 0 under every hypothesis (or the
    /// evidence is below the smallest double), and [`Error::BadFloatWeight`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let ill = Dist::bernoulli("1/4")?.to_f64();
    /// let posterior = ill.update(|&ill| if ill { 0.75 } else { 0.25 })?;
    /// assert_eq!(posterior.p(&true), 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn update(&self, mut likelihood: impl FnMut(&H) -> f64) -> Result<Self, Error> {
        let mut weights = Vec::with_capacity(self.len());
        for (position, hypothesis) in self.outcomes.iter().enumerate() {
            let weight = likelihood(hypothesis);
            if !(weight.is_finite() && weight >= 0.0) {
                return Err(Error::BadFloatWeight { position, weight });
            }
            weights.push(weight);
        }
        // Nothing overflows, and small likelihoods keep their digits.
        let mut largest = weights.iter().copied().fold(0.0, f64::max);
        f64::settle(&mut weights, &mut largest);
        self.reweigh(weights, Roundings::default())
    }
}

impl<H: Ord + Clone, W: Weight> Dist<H, W> {
    /// Returns the posterior distribution of the hypotheses after `observed` was seen, by Bayes'
    /// rule. `law` gives the distribution of observations under each hypothesis.
    ///
    /// The predictive distribution of the next observation is `posterior.and_then(law)` (see
    /// [`and_then`](Dist::and_then)). With the prior in place of the posterior, it gives the
    /// evidence, which is the probability of the observation.
    ///
    /// # Errors
    ///
    /// [`Error::ImpossibleCondition`] if no hypothesis can show `observed` (in floats, also if all
    /// likelihoods are below the smallest double), [`Error::TooLarge`] if the likelihoods take more
    /// than [`DEFAULT_LIMIT`](crate::DEFAULT_LIMIT) words over one denominator, and the first error
    /// that `law` returns.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// // A die is drawn from a bag with one of each kind. It shows 4, then 7.
    /// let bag = Dist::uniform([4, 6, 8, 12, 20])?;
    /// let four = bag.posterior(|&sides| Dist::die(sides), &4)?;
    /// assert_eq!(four.p(&4).to_string(), "10/27");
    /// let seven = four.posterior(|&sides| Dist::die(sides), &7)?;
    /// assert_eq!(seven.p(&8).to_string(), "225/361");
    /// // The next roll.
    /// let next = seven.and_then(|&sides| Dist::die(sides))?;
    /// assert_eq!(next.mean().to_string(), "4081/722");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// One distribution per hypothesis and one search in it. Totals are brought to their least
    /// common multiple, except those of hypotheses that are ruled out.
    pub fn posterior<T: Ord>(
        &self,
        law: impl FnMut(&H) -> Result<Dist<T, W>, Error>,
        observed: &T,
    ) -> Result<Self, Error> {
        self.posterior_by(law, |law| match law.outcomes.binary_search(observed) {
            Ok(at) => (law.weights[at].clone(), law.roundings),
            Err(_) => (W::nothing(), law.roundings),
        })
    }

    /// Returns the posterior distribution of the hypotheses, given only that an event happened.
    ///
    /// # Errors
    ///
    /// [`Error::ImpossibleCondition`] if the event is impossible under every hypothesis (in floats,
    /// also if all likelihoods are below the smallest double), [`Error::TooLarge`] if the likelihoods
    /// take more than [`DEFAULT_LIMIT`](crate::DEFAULT_LIMIT) words over one denominator, and the
    /// first error that `law` returns.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let bag = Dist::uniform([4, 6, 8])?;
    /// let posterior = bag.posterior_given(|&sides| Dist::die(sides), |&roll| roll >= 4)?;
    /// assert_eq!(posterior.p(&4).to_string(), "2/11");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// The same as for [`posterior`](Self::posterior), with one pass over each distribution.
    pub fn posterior_given<T>(
        &self,
        law: impl FnMut(&H) -> Result<Dist<T, W>, Error>,
        mut event: impl FnMut(&T) -> bool,
    ) -> Result<Self, Error> {
        self.posterior_by(law, |law| {
            let (mut likelihood, mut terms) = (W::nothing(), 0);
            for (_, weight) in law.iter().filter(|(outcome, _)| event(outcome)) {
                likelihood.add(weight);
                terms += 1;
            }
            (likelihood, law.roundings.sum(terms))
        })
    }

    fn posterior_by<T>(
        &self,
        mut law: impl FnMut(&H) -> Result<Dist<T, W>, Error>,
        mut likelihood: impl FnMut(&Dist<T, W>) -> (W, Roundings),
    ) -> Result<Self, Error> {
        let mut weights = Vec::with_capacity(self.len());
        let mut totals = Vec::with_capacity(self.len());
        let mut counted = Roundings::default();
        for hypothesis in &self.outcomes {
            let law = law(hypothesis)?;
            let (weight, roundings) = likelihood(&law);
            if weight.vanishes() {
                // This hypothesis is ruled out, so its total must not enlarge the common one.
                totals.push(W::unit());
            } else {
                // In floats: 1/total and a product.
                let inner = roundings.weights.saturating_add(roundings.total);
                counted.weights = counted.weights.max(inner.saturating_add(2));
                totals.push(law.total);
            }
            weights.push(weight);
        }
        let operation = || format!("the likelihoods of {} hypotheses", totals.len());
        let fits = |words| check_size(operation, totals.len() as u128, words, DEFAULT_LIMIT);
        let (_, factors) = W::harmonise_within(&totals.iter().collect::<Vec<_>>(), fits)?;
        let weights = weights
            .iter()
            .zip(&factors)
            .map(|(weight, factor)| weight.times(factor));
        self.reweigh(weights.collect(), counted)
    }

    /// Multiplies the weight of each hypothesis by its likelihood.
    fn reweigh(&self, likelihoods: Vec<W>, roundings: Roundings) -> Result<Self, Error> {
        let pairs = self.iter().zip(&likelihoods);
        let pairs: Vec<_> = pairs
            .map(|((hypothesis, weight), likelihood)| {
                (hypothesis.clone(), weight.times(likelihood))
            })
            .collect();
        let mut total = W::nothing();
        for (_, weight) in &pairs {
            total.add(weight);
        }
        let mut roundings = self.roundings.product(roundings, 1);
        roundings.total = roundings.sum(pairs.len()).weights;
        Dist::gather(pairs, total, roundings).map_err(|_| Error::ImpossibleCondition {
            outcomes: self.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    /// A hypothesis that is ruled out does not enlarge the total.
    #[test]
    fn totals_of_the_possible_only() -> Result<(), Error> {
        let bag = Dist::uniform([2u32, 4, 101])?;
        let posterior = bag.posterior(|&n| Dist::die(n)?.shift(i64::from(n == 101) * 7), &1)?;
        assert_eq!(posterior.support(), [2, 4]);
        assert_eq!(posterior.total(), &BigUint::from(3u32));
        Ok(())
    }

    /// Prior 1, likelihood 1, 1/total and a product 2, a product 1; the total adds a sum.
    #[test]
    fn roundings_of_a_posterior_are_counted() -> Result<(), Error> {
        let bag = Dist::uniform([3u32, 5])?.to_f64();
        let posterior = bag.posterior(|&n| Ok(Dist::die(n)?.to_f64()), &1)?;
        assert_eq!(
            (posterior.roundings.weights, posterior.roundings.total),
            (5, 6)
        );
        Ok(())
    }

    #[test]
    fn tiny_likelihoods_keep_their_digits() -> Result<(), Error> {
        let coin = Dist::uniform([0, 1])?.to_f64();
        let posterior = coin.update(|&x| if x == 0 { 5e-324 } else { 15e-324 })?;
        assert_eq!(posterior.p(&1), 0.75);
        let posterior = coin.update(|_| f64::MAX)?;
        assert_eq!(posterior.p(&1), 0.5);
        Ok(())
    }
}
