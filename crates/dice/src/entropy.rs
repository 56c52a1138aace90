//! Entropy, perplexity and divergence.

use crate::{Dist, Weight};

impl<T, W: Weight> Dist<T, W> {
    /// Returns the entropy in bits, −Σ p log₂ p: the average amount of information needed to
    /// identify the outcome by questions answered with yes or no (C. E. Shannon, 1948).
    ///
    /// The result is a double, since it is seldom rational. With H the entropy, n outcomes, u =
    /// 2⁻⁵³ and r the [`relative_error`](Self::relative_error) of the distribution, the absolute
    /// error is at most (H + 2)·((n + 8)·u + r), provided that the platform's logarithm is accurate
    /// to two units in the last place.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::die(8)?.entropy(), 3.0);
    /// assert!(Dist::ndice(2, 6)?.entropy() < Dist::uniform(2..=12)?.entropy());
    /// assert_eq!(Dist::certain("rain").entropy(), 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "shannon")]
    pub fn entropy(&self) -> f64 {
        let bits = self.weights().map(|weight| {
            let p = W::nearest(weight, &self.total);
            // A probability too small for a double adds less than 10⁻³⁰⁴ bits.
            if p > 0.0 { -p * p.log2() } else { 0.0 }
        });
        // Removes the sign of −0, and the effect of a float law's p that is rounded above one.
        bits.sum::<f64>().max(0.0)
    }

    /// Returns the perplexity, 2 to the power of the [`entropy`](Self::entropy): the number of
    /// equally likely outcomes with the same uncertainty.
    ///
    /// Its relative error is at most the absolute error of the entropy plus a few units in the last
    /// place.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert!((Dist::die(6)?.perplexity() - 6.0).abs() < 1e-13);
    /// assert!(Dist::ndice(2, 6)?.perplexity() < 11.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn perplexity(&self) -> f64 {
        self.entropy().exp2()
    }
}

impl<T: Ord, W: Weight> Dist<T, W> {
    /// Returns the Kullback–Leibler divergence of this distribution p from another distribution q,
    /// in bits: Σ p log₂(p/q), the average cost of assuming q where p is true.
    ///
    /// It is infinite if an outcome is possible here but not under `other`. It is zero for equal
    /// distributions, and not symmetric. With D the sum of the absolute values of its n terms, and
    /// r the sum of both distributions' [`relative_error`](Self::relative_error)s, the absolute
    /// error is at most (D + 2)·((n + 8)·u + r), u = 2⁻⁵³, even where p/q or q is outside the range
    /// of doubles.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let (d4, d8) = (Dist::die(4)?, Dist::die(8)?);
    /// assert_eq!(d4.kullback_leibler(&d8), 1.0);
    /// assert_eq!(d8.kullback_leibler(&d4), f64::INFINITY);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(a + b) for a and b outcomes.
    #[must_use]
    #[doc(alias = "relative_entropy")]
    pub fn kullback_leibler(&self, other: &Dist<T, W>) -> f64 {
        let mut theirs = other.iter().peekable();
        let mut bits = 0.0;
        for (outcome, weight) in self {
            while theirs.next_if(|(x, _)| *x < outcome).is_some() {}
            let Some((_, divisor)) = theirs.next_if(|(x, _)| *x == outcome) else {
                return f64::INFINITY;
            };
            let p = W::nearest(weight, &self.total);
            if p == 0.0 {
                // A probability too small for a double has a negligible cost, too: 2⁻¹⁰⁷⁵ times the
                // number of bits of the quotient.
                continue;
            }
            let (own, exponent) = W::nearest_scaled(weight, &self.total);
            let (theirs, other_exponent) = W::nearest_scaled(divisor, &other.total);
            bits += p * ((own / theirs).log2() + (exponent - other_exponent) as f64);
        }
        // The divergence is never negative (J. W. Gibbs), but its rounded sum may be.
        bits.max(0.0)
    }
}
