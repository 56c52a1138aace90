//! Tests of LUCK, SKILL, or any other stat.

use crate::Passage;

/// A test: dice against a stat.
///
/// A test succeeds if the roll is below the stat, or at most the stat, depending on
/// [`RuleSet::test`](crate::RuleSet). The stat includes all worn modifiers. A test of LUCK costs a
/// point of LUCK, passed or not, before anything follows. The rest is cut as by
/// [`Effect::Change`](crate::Effect::Change).
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Passage, Trial};
/// let luck = Trial::new("luck", Passage::to(10), Passage::to(311));
/// assert_eq!((luck.stat.as_str(), luck.dice), ("luck", 2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Trial {
    /// The stat to roll against.
    pub stat: String,
    /// The number of six-sided dice, 1 to 6; 2 by default.
    #[cfg_attr(
        feature = "serde",
        serde(
            default = "crate::defaults::two",
            skip_serializing_if = "crate::defaults::is_two"
        )
    )]
    pub dice: u8,
    /// A number added to the roll.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "crate::defaults::is_default")
    )]
    pub add: i16,
    /// What follows a success.
    pub success: Passage,
    /// What follows a failure.
    pub failure: Passage,
}

impl Trial {
    /// Creates a test of two dice against a stat.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Passage, Trial};
    /// let skill = Trial::new("skill", Passage::to(55), Passage::lost());
    /// assert_eq!((skill.stat.as_str(), skill.dice, skill.add), ("skill", 2, 0));
    /// assert_eq!((skill.success, skill.failure), (Passage::to(55), Passage::lost()));
    /// ```
    #[must_use]
    pub fn new(stat: impl Into<String>, success: Passage, failure: Passage) -> Self {
        Trial {
            stat: stat.into(),
            dice: 2,
            add: 0,
            success,
            failure,
        }
    }
}
