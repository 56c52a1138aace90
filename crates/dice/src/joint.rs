use crate::{Dist, Weight};

impl<T: Ord + Clone, W: Weight> Dist<T, W> {
    /// The distribution of the pair of two independent outcomes.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let two = Dist::die(6)?.joint(&Dist::die(6)?);
    /// let higher = two.map(|(a, b)| *a.max(b));
    /// assert_eq!(higher.p(&6).to_string(), "11/36");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(a·b) time and memory for a and b outcomes.
    #[must_use]
    #[doc(alias = "product")]
    pub fn joint<U: Ord + Clone>(&self, other: &Dist<U, W>) -> Dist<(T, U), W> {
        let size = self.len().saturating_mul(other.len());
        let mut law = Dist {
            outcomes: Vec::with_capacity(size),
            weights: Vec::with_capacity(size),
            total: self.total.times(&other.total),
            roundings: self.roundings.product(other.roundings, 1),
        };
        // Lexicographic order is the order of pairs: nothing to sort.
        for (x, a) in self {
            for (y, b) in other {
                law.outcomes.push((x.clone(), y.clone()));
                law.weights.push(a.times(b));
            }
        }
        W::settle(&mut law.weights, &mut law.total);
        law.without_underflow()
    }
}
