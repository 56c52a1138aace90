//! The value of one action of a state.

/// One action of a state and its value.
///
/// # Examples
/// A 5 is kept although a roll is left:
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "A: serde::Serialize, V: crate::written::Written"))
)]
#[non_exhaustive]
pub struct Appraisal<A, V> {
    /// The action.
    pub action: A,
    /// The expected score of taking this action and then playing on as decided, including
    /// [rewards](crate::Choice::reward) paid on the way.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "crate::written::value::serialize")
    )]
    pub value: V,
    /// How much worse this action is than the best one. It is never negative, and zero for the
    /// best. It is the amount by which the value is lower, or higher if the opponent decides.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "crate::written::value::serialize")
    )]
    pub gap: V,
    /// Whether no action is better. Several actions may be optimal: in exact numbers if they are
    /// equal, in floats if their error bounds cannot tell them apart.
    pub optimal: bool,
    /// Whether this is the action that was decided on: the first of those with the best value,
    /// unless a [`Tolerance`](crate::Tolerance) requires otherwise. In floats, rounding may make
    /// equal actions differ, so this need not be the first of the optimal ones. A tolerance
    /// prevents that.
    pub decided: bool,
}

impl<A, V> Appraisal<A, V> {
    /// Creates the appraisal of an action that was not decided on, for custom solvers.
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
