//! Tests of LUCK, of SKILL, of anything.

use crate::Passage;

/// A test: dice against a stat.
///
/// Succeeds if the roll is below the stat, or at most the stat, as
/// [`RuleSet::test`](crate::RuleSet) says. The stat counts with all worn modifiers.
/// A test of LUCK then costs a point of it, passed or not, before anything follows; the
/// rest is cut as by a [change](crate::Effect::Change).
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
    /// The stat.
    pub stat: String,
    /// How many six-sided dice, 1 to 6; 2 unless said otherwise.
    #[cfg_attr(
        feature = "serde",
        serde(
            default = "crate::defaults::two",
            skip_serializing_if = "crate::defaults::is_two"
        )
    )]
    pub dice: u8,
    /// Added to the roll.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "crate::defaults::is_default")
    )]
    pub add: i16,
    /// What follows if it succeeds.
    pub success: Passage,
    /// What follows if not.
    pub failure: Passage,
}

impl Trial {
    /// Two dice against a stat.
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
