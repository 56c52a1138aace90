//! The learning rate: how fast estimates follow experience.

/// How much a new experience counts: the factor α in Q ← Q + α · (target − Q).
///
/// # Examples
/// ```
/// use oddsmith_mdp::Rate;
/// assert_eq!(Rate::default(), Rate::Constant(0.5));
/// assert_eq!(Rate::Constant(0.5).at(7), 0.5);
/// assert_eq!(Rate::Decaying(1).at(4), 0.25); // the mean of all experiences
/// assert_eq!(Rate::Decaying(10).at(11), 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Rate {
    /// A constant, above 0 and at most 1. Where chance is involved, the estimates then never
    /// settle: they follow the latest experiences.
    Constant(f64),
    /// h / (h + n − 1) at the nth time that an action is taken in a state, with h at least 1. It is
    /// 1 at first and then decreases, so that estimates converge if every action is tried for ever.
    /// A larger h forgets sooner what the first experiences said.
    Decaying(u64),
}

impl Rate {
    /// Returns the factor at the `visit`th time, counted from 1. A weight of 0, which
    /// [`QLearning`](crate::QLearning) rejects, counts as 1 here.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Rate;
    /// assert_eq!([Rate::Decaying(0).at(1), Rate::Decaying(0).at(2)], [1.0, 0.5]);
    /// let factors: Vec<f64> = [1, 2, 4].map(|visit| Rate::Decaying(3).at(visit)).into();
    /// assert_eq!(factors, [1.0, 0.75, 0.5]); // 3/3, 3/4, 3/6
    /// ```
    #[must_use]
    pub fn at(self, visit: u64) -> f64 {
        match self {
            Rate::Constant(rate) => rate,
            Rate::Decaying(weight) => {
                let weight = weight.max(1) as f64;
                weight / (weight + visit.saturating_sub(1) as f64)
            }
        }
    }
}

/// The learning rate of the source, 0.5.
impl Default for Rate {
    fn default() -> Self {
        Rate::Constant(0.5)
    }
}
