//! Functions of single outcomes: map, shift, scale, negate.

use crate::{Dist, Error, Weight};

impl<T, W: Weight> Dist<T, W> {
    /// Returns the distribution of f(outcome). Outcomes with the same image are merged.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let half = Dist::ndice(3, 6)?.map(|sum| sum / 2);
    /// assert_eq!(half.p(&5).to_string(), "1/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(n log n) comparisons for n outcomes, O(n) for an increasing `f`.
    #[must_use]
    pub fn map<U: Ord>(&self, mut f: impl FnMut(&T) -> U) -> Dist<U, W> {
        let pairs = self
            .iter()
            .map(|(outcome, weight)| (f(outcome), weight.clone()));
        let total = self.total.clone();
        Dist::merge(pairs.collect(), total, self.roundings)
    }
}

impl<W: Weight> Dist<i128, W> {
    /// Converts the outcomes to `i64`, on which all arithmetic here is defined.
    ///
    /// # Errors
    ///
    /// [`Error::OutcomeTooLarge`] if an outcome does not fit into `i64`.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Dist, Pool, SumOfFaces};
    ///
    /// let read = Pool::dice(3, 6)?.evaluate(&SumOfFaces)?; // an i128, since it cannot fail
    /// assert_eq!(read.narrow()?, Dist::ndice(3, 6)?);
    /// assert!(Dist::certain(1_i128 << 63).narrow().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn narrow(self) -> Result<Dist<i64, W>, Error> {
        let narrow =
            |&outcome| i64::try_from(outcome).map_err(|_| Error::OutcomeTooLarge { outcome });
        Ok(Dist {
            outcomes: self.outcomes.iter().map(narrow).collect::<Result<_, _>>()?,
            weights: self.weights,
            total: self.total,
            roundings: self.roundings,
        })
    }
}

impl<W: Weight> Dist<i64, W> {
    /// Adds a number of any size to every outcome, in place.
    pub(crate) fn moved(mut self, by: i128) -> Result<Self, Error> {
        for outcome in &mut self.outcomes {
            let sum = i128::from(*outcome) + by;
            *outcome = i64::try_from(sum).map_err(|_| match i64::try_from(by) {
                Ok(right) => Error::OutcomeOverflow {
                    operation: "+",
                    left: *outcome,
                    right,
                },
                // The number does not fit into `i64` either, so the error cannot state it.
                Err(_) => Error::OutcomeTooLarge { outcome: sum },
            })?;
        }
        Ok(self)
    }

    /// Adds `k` to every outcome, also written `a + k`. Called `shift` in the literature on
    /// Dungeons & Dragons.
    ///
    /// # Errors
    ///
    /// [`Error::OutcomeOverflow`] if a result does not fit into `i64`.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::ndice(2, 6)?.shift(5)?.support()[0], 7);
    /// assert!(Dist::die(6)?.shift(i64::MAX).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shift(&self, k: i64) -> Result<Self, Error> {
        self.each("+", k, |outcome| outcome.checked_add(k))
    }

    /// Multiplies every outcome by `k`. The dice are rolled once: `scale(2)` doubles one
    /// roll, [`repeat(2)`](Self::repeat) adds two.
    ///
    /// # Errors
    ///
    /// [`Error::OutcomeOverflow`] if a result does not fit into `i64`.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let doubled = Dist::die(6)?.scale(2)?;
    /// assert_eq!(doubled.support(), [2, 4, 6, 8, 10, 12]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn scale(&self, k: i64) -> Result<Self, Error> {
        if k == 0 {
            return Ok(Dist::point(0));
        }
        let mut law = self.each("×", k, |outcome| outcome.checked_mul(k))?;
        if k < 0 {
            law.outcomes.reverse();
            law.weights.reverse();
        }
        Ok(law)
    }

    /// Changes the sign of every outcome, also written `-a`.
    ///
    /// # Errors
    ///
    /// [`Error::OutcomeOverflow`] if `i64::MIN` is an outcome.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::die(3)?.negate()?.support(), [-3, -2, -1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn negate(&self) -> Result<Self, Error> {
        self.scale(-1)
    }

    fn each(
        &self,
        operation: &'static str,
        right: i64,
        change: impl Fn(i64) -> Option<i64>,
    ) -> Result<Self, Error> {
        let changed = self.outcomes.iter().map(|&left| {
            change(left).ok_or(Error::OutcomeOverflow {
                operation,
                left,
                right,
            })
        });
        Ok(Dist {
            outcomes: changed.collect::<Result<_, _>>()?,
            weights: self.weights.clone(),
            total: self.total.clone(),
            roundings: self.roundings,
        })
    }
}
