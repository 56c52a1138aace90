//! Conditional distributions.

use crate::{Dist, Error, Weight};

impl<T: Ord + Clone, W: Weight> Dist<T, W> {
    /// Returns the conditional distribution, given that the outcome satisfies `event`.
    ///
    /// # Errors
    ///
    /// [`Error::ImpossibleCondition`] if no outcome satisfies it.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let good = Dist::ndice(2, 6)?.given(|&sum| sum >= 10)?;
    /// assert_eq!(good.p(&10).to_string(), "1/2");
    /// assert!(good.given(|&sum| sum < 10).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "condition")]
    #[doc(alias = "filter")]
    pub fn given(&self, mut event: impl FnMut(&T) -> bool) -> Result<Self, Error> {
        let kept = self.iter().filter(|(outcome, _)| event(outcome));
        let pairs: Vec<_> = kept.map(|(x, w)| (x.clone(), w.clone())).collect();
        let mut total = W::nothing();
        for (_, weight) in &pairs {
            total.add(weight);
        }
        let mut roundings = self.roundings;
        roundings.total = roundings.sum(pairs.len()).weights;
        Dist::gather(pairs, total, roundings).map_err(|_| Error::ImpossibleCondition {
            outcomes: self.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The new total is a sum of the kept weights: their roundings, and its additions.
    #[test]
    fn roundings_of_the_total_are_counted() -> Result<(), Error> {
        let kept = Dist::die(6)?.to_f64().given(|&x| x > 2)?;
        assert_eq!((kept.roundings.weights, kept.roundings.total), (1, 4));
        Ok(())
    }
}
