//! Pairs of outcomes, independent or dependent.

use crate::power::check_size;
use crate::{DEFAULT_LIMIT, Dist, Error, Weight};

impl<T: Ord + Clone, W: Weight> Dist<T, W> {
    /// Returns the distribution of the pair of two independent outcomes.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`], before any work, if the pairs would need more than
    /// [`DEFAULT_LIMIT`] words (some five million pairs).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let two = Dist::die(6)?.joint(&Dist::die(6)?)?;
    /// let higher = two.map(|(a, b)| *a.max(b));
    /// assert_eq!(higher.p(&6).to_string(), "11/36");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(a·b) time and memory for a and b outcomes.
    #[doc(alias = "product")]
    pub fn joint<U: Ord + Clone>(&self, other: &Dist<U, W>) -> Result<Dist<(T, U), W>, Error> {
        self.joint_within(other, DEFAULT_LIMIT)
    }

    /// Like [`joint`](Dist::joint), if the result needs at most `limit` 64-bit words, counted as
    /// for [`DEFAULT_LIMIT`].
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`], before any work.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let die = Dist::die(6)?;
    /// assert_eq!(die.joint_within(&die, 1_000)?.len(), 36);
    /// assert!(die.joint_within(&die, 100).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn joint_within<U: Ord + Clone>(
        &self,
        other: &Dist<U, W>,
        limit: u64,
    ) -> Result<Dist<(T, U), W>, Error> {
        let operation = || {
            format!(
                "the joint distribution of {} and {} outcomes",
                self.len(),
                other.len()
            )
        };
        let pairs = self.len() as u128 * other.len() as u128;
        let weight = self.total.words(1) + other.total.words(1);
        check_size(operation, pairs, weight, limit)?;
        // It fits the address space, since it fits the limit.
        let size = self.len() * other.len();
        let mut law = Dist {
            outcomes: Vec::with_capacity(size),
            weights: Vec::with_capacity(size),
            total: self.total.times(&other.total),
            roundings: self.roundings.product(other.roundings, 1),
        };
        // Pairs arise in lexicographic order, which is their order as outcomes, so no sort is
        // needed.
        for (x, a) in self {
            for (y, b) in other {
                law.outcomes.push((x.clone(), y.clone()));
                law.weights.push(a.times(b));
            }
        }
        W::settle(&mut law.weights, &mut law.total);
        Ok(law.without_underflow())
    }
}
