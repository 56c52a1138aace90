//! Probabilities of outcomes, of tails and of events; quantiles and modes.

use crate::ratio::probability;
use crate::{Dist, Error, IntoRatio, Weight};
use num_rational::BigRational;

impl<T, W: Weight> Dist<T, W> {
    /// Caps a sum of weights at the total, since floats may round a certain event to more than
    /// that.
    pub(crate) fn capped<'w>(&'w self, sum: &'w W) -> &'w W {
        capped(sum, &self.total)
    }
}

/// The same for any total.
pub(crate) fn capped<'w, W: Weight>(sum: &'w W, total: &'w W) -> &'w W {
    if *sum > *total { total } else { sum }
}

impl<T: Ord, W: Weight> Dist<T, W> {
    /// Returns P(X = `outcome`), which is zero if `outcome` is not in the support.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let roll = Dist::ndice(2, 6)?;
    /// assert_eq!(roll.p(&7).to_string(), "1/6");
    /// assert_eq!(roll.p(&13).to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(log n) comparisons for n outcomes.
    #[must_use]
    #[doc(alias = "pmf")]
    pub fn p(&self, outcome: &T) -> W::Ratio {
        match self.outcomes.binary_search(outcome) {
            Ok(at) => W::ratio(self.capped(&self.weights[at]), &self.total),
            Err(_) => W::ratio(&W::nothing(), &self.total),
        }
    }

    /// Returns P(X ≥ `outcome`).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::ndice(2, 6)?.at_least(&10).to_string(), "1/6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "survival")]
    pub fn at_least(&self, outcome: &T) -> W::Ratio {
        let start = self.outcomes.partition_point(|x| x < outcome);
        self.share(&self.weights[start..])
    }

    /// Returns P(X ≤ `outcome`).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::ndice(2, 6)?.at_most(&4).to_string(), "1/6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "cdf")]
    pub fn at_most(&self, outcome: &T) -> W::Ratio {
        let end = self.outcomes.partition_point(|x| x <= outcome);
        self.share(&self.weights[..end])
    }

    /// Returns P(X < `outcome`).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::ndice(2, 6)?.less(&4).to_string(), "1/12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn less(&self, outcome: &T) -> W::Ratio {
        let end = self.outcomes.partition_point(|x| x < outcome);
        self.share(&self.weights[..end])
    }

    /// Returns P(X > `outcome`).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::ndice(2, 6)?.more(&10).to_string(), "1/12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn more(&self, outcome: &T) -> W::Ratio {
        let start = self.outcomes.partition_point(|x| x <= outcome);
        self.share(&self.weights[start..])
    }

    fn share(&self, weights: &[W]) -> W::Ratio {
        let mut part = W::nothing();
        weights.iter().for_each(|weight| part.add(weight));
        W::ratio(self.capped(&part), &self.total)
    }

    /// Returns the probability that the outcome satisfies `event`.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let odd = Dist::die(9)?.probability(|pips| pips % 2 == 1);
    /// assert_eq!(odd.to_string(), "5/9");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn probability(&self, mut event: impl FnMut(&T) -> bool) -> W::Ratio {
        let mut part = W::nothing();
        for (outcome, weight) in self {
            if event(outcome) {
                part.add(weight);
            }
        }
        W::ratio(self.capped(&part), &self.total)
    }

    /// Iterates over the probability mass function: outcomes x in ascending order with P(X = x).
    /// [`iter`](Dist::iter) gives the underlying integers.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let roll = Dist::ndice(2, 2)?;
    /// let masses: Vec<String> = roll.pmf().map(|(x, p)| format!("{x}: {p}")).collect();
    /// assert_eq!(masses, ["2: 1/4", "3: 1/2", "4: 1/4"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// One gcd per outcome if the distribution is exact.
    #[doc(alias = "probabilities")]
    pub fn pmf(&self) -> impl Iterator<Item = (&T, W::Ratio)> {
        self.iter()
            .map(|(outcome, weight)| (outcome, W::ratio(self.capped(weight), &self.total)))
    }

    /// Iterates over the cumulative distribution function: outcomes x in ascending order with P(X ≤
    /// x).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let roll = Dist::ndice(2, 2)?;
    /// let steps: Vec<String> = roll.cdf().map(|(x, p)| format!("{x}: {p}")).collect();
    /// assert_eq!(steps, ["2: 1/4", "3: 3/4", "4: 1"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// One addition per outcome, and one gcd if the distribution is exact.
    pub fn cdf(&self) -> impl Iterator<Item = (&T, W::Ratio)> {
        let mut part = W::nothing();
        self.iter().map(move |(outcome, weight)| {
            part.add(weight);
            (outcome, W::ratio(self.capped(&part), &self.total))
        })
    }

    /// Returns the `p`-quantile, the smallest outcome x with P(X ≤ x) ≥ `p`.
    ///
    /// In floats, a probability that falls short of `p` by no more than twice the
    /// [`relative_error`](Self::relative_error) of the distribution counts as `p`, so that a value
    /// which is exactly `p` in fractions is reached in floats, too.
    ///
    /// # Errors
    ///
    /// [`Error::NotAProbability`] for `p` outside 0 ..= 1, and the errors of
    /// [`into_ratio`](IntoRatio::into_ratio).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let roll = Dist::ndice(2, 6)?;
    /// assert_eq!(roll.quantile("0.9")?, &10);
    /// assert_eq!(Dist::die(10)?.to_f64().quantile((4, 5))?, &8);
    /// assert!(roll.quantile(2).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "percentile")]
    #[doc(alias = "ppf")]
    pub fn quantile(&self, p: impl IntoRatio) -> Result<&T, Error> {
        Ok(self.reach(&probability(p)?))
    }

    /// Returns the lower median: the smallest outcome x with P(X ≤ x) ≥ 1/2. In floats it has the
    /// tolerance of [`quantile`](Self::quantile).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::ndice(3, 6)?.median(), &10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn median(&self) -> &T {
        self.reach(&BigRational::new(1.into(), 2.into()))
    }

    fn reach(&self, p: &BigRational) -> &T {
        let threshold = W::threshold(&self.total, p).lowered(self.relative_error());
        let mut part = W::nothing();
        for (outcome, weight) in self {
            part.add(weight);
            if part >= threshold {
                return outcome;
            }
        }
        // In floats, the sum may fall short of the total by rounding.
        self.max()
    }

    /// Returns the most likely outcome, or the smallest one if there are several.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::ndice(3, 6)?.mode(), &10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mode(&self) -> &T {
        self.modes()[0]
    }

    /// Returns all most likely outcomes in ascending order. In floats this includes outcomes whose
    /// probability falls short of the largest by no more than twice the
    /// [`relative_error`](Self::relative_error) of the distribution.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::ndice(3, 6)?.modes(), [&10, &11]);
    /// assert_eq!(Dist::die(10)?.to_f64().repeat(3)?.modes(), [&16, &17]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn modes(&self) -> Vec<&T> {
        let nothing = W::nothing();
        let largest = |most, weight| if weight > most { weight } else { most };
        let most = self.iter().fold(&nothing, |most, one| largest(most, one.1));
        let enough = most.clone().lowered(self.relative_error());
        let most_likely = self.iter().filter(|(_, weight)| **weight >= enough);
        most_likely.map(|(outcome, _)| outcome).collect()
    }
}
