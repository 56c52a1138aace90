//! What an action of a state is worth.

/// One action of a state and what it is worth.
///
/// # Examples
/// A 5 with a roll left is kept:
/// ```
#[doc = include_str!("../../docs/keep_or_roll.txt")]
/// let solution = Solver::exact().solve(&KeepOrRoll, (2, 0))?;
/// let choices = solution.choices(&(1, 5))?;
/// let (keep, roll) = (&choices[0], &choices[1]);
/// assert!(keep.optimal && keep.decided && !roll.optimal && !roll.decided);
/// assert_eq!((roll.value.to_string(), roll.gap.to_string()), ("7/2".into(), "3/2".into()));
/// assert_eq!((roll.action, keep.gap.to_string()), ("roll", "0".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Appraisal<A, V> {
    /// What may be done.
    pub action: A,
    /// The expected score of doing so and playing on as decided, what is
    /// [paid on the way](crate::Choice::reward) included.
    pub value: V,
    /// How much worse that is than the best action's value: less, or more
    /// where the opponent decides; zero for the best.
    pub gap: V,
    /// Whether no action is better. Several may be optimal: in exact numbers
    /// if they are equal, in floats if their error bounds cannot tell them
    /// apart.
    pub optimal: bool,
    /// Whether this is the action decided for: the first of those with the best value, unless a
    /// [`Tolerance`](crate::Tolerance) says otherwise. In floats a rounding may set equal actions
    /// apart, so that this need not be the first of the optimal ones; a tolerance is against that.
    pub decided: bool,
}

impl<A, V> Appraisal<A, V> {
    /// Of an action that was not decided for, for solvers of one's own.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Appraisal;
    ///
    /// let stay = Appraisal::new("stay", 0.25, 0.5, false);
    /// assert_eq!((stay.value, stay.gap, stay.decided), (0.25, 0.5, false));
    /// ```
    pub fn new(action: A, value: V, gap: V, optimal: bool) -> Self {
        Appraisal {
            action,
            value,
            gap,
            optimal,
            decided: false,
        }
    }
}
