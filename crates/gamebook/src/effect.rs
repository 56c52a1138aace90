//! Effects: what happens to the adventure sheet.

use std::collections::BTreeMap;

use crate::{Amount, Condition};

/// A change to the adventure sheet.
///
/// In a file it is a table with one entry: `{ gain = "lantern" }`, `{ change = { stamina = -2,
/// gold = 5 } }`, `{ change = { stamina = "1d6" } }`. Lists of effects are applied in order.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Amount, Effect};
///
/// let wound = Effect::change("stamina", -2);
/// let Effect::Change(stats) = &wound else { return Err("another one".into()) };
/// assert_eq!(stats["stamina"], Amount::from(-2));
/// let dice: Amount = "1d6".parse()?;
/// assert_ne!(Effect::change("gold", dice), Effect::set("gold", dice));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Effect {
    /// Adds to stats. The new value is cut at the stat's cap, then at its floor. A value above a
    /// cap is cut down to it even by a loss.
    Change(BTreeMap<String, Amount>),
    /// Sets stats, with the same cuts as [`Change`](Effect::Change).
    Set(BTreeMap<String, Amount>),
    /// Raises a stat to its cap. A stat above its cap, or without one, stays the same.
    Restore(String),
    /// Raises (or lowers) the caps of stats, which must have one. The values stay the same.
    RaiseCap(BTreeMap<String, i16>),
    /// Gains an item; no effect if it is held already.
    Gain(String),
    /// Loses an item; no effect if it is not held.
    Lose(String),
    /// Loses all items with this tag.
    LoseTagged(String),
    /// Loses items one at a time, each of those still held with the same probability.
    LoseRandom(RandomLoss),
    /// Sets a flag.
    SetFlag(String),
    /// Clears a flag.
    ClearFlag(String),
    /// Applies one of several lists of effects, drawn by weight.
    Random(Vec<WeightedEffects>),
    /// Applies one of two lists of effects, depending on a condition at that moment.
    When(ConditionalEffects),
    /// Repeats effects while a condition holds.
    Repeat(RepeatedEffects),
}

impl Effect {
    /// Creates the effect that changes one stat by this amount.
    ///
    /// # Examples
    /// A die is taken from STAMINA 4, of which rolls of 1, 2 and 3 leave something:
    /// ```
    /// use oddsmith_gamebook::{Amount, Effect, Passage};
    /// # use oddsmith_fightingfantasy::Hero;
    /// # use oddsmith_gamebook::{Book, Manuscript, Section};
    ///
    /// let fall = Effect::change("stamina", "-1d6".parse::<Amount>()?);
    /// let fallen = Passage { effects: vec![fall], ..Passage::won() };
    /// # let mut book = Manuscript::new("cliff");
    /// # book.sections = vec![Section::new(1, fallen)];
    /// # let book = Book::new(book)?;
    /// assert_eq!(book.solve(&Hero::new(7, 4, 7)?)?.value().to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn change(stat: impl Into<String>, by: impl Into<Amount>) -> Self {
        Effect::Change(BTreeMap::from([(stat.into(), by.into())]))
    }

    /// Creates the effect that sets one stat to this amount.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Effect, Passage};
    /// # use oddsmith_fightingfantasy::Hero;
    /// # use oddsmith_gamebook::{Book, Manuscript, Section};
    ///
    /// let drained = Passage { effects: vec![Effect::set("stamina", 5)], ..Passage::won() };
    /// # let mut book = Manuscript::new("vampire");
    /// # book.sections = vec![Section::new(1, drained)];
    /// # let book = Book::new(book)?;
    /// let journey = book.follow_exact(&Hero::new(7, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// assert_eq!(journey.stat_at_end("stamina")?[&5].to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn set(stat: impl Into<String>, to: impl Into<Amount>) -> Self {
        Effect::Set(BTreeMap::from([(stat.into(), to.into())]))
    }
}

/// Items to be lost at random.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::RandomLoss;
/// let robbed = RandomLoss { count: 2, tag: None };
/// assert_eq!((robbed.count, robbed.tag), (2, None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct RandomLoss {
    /// How many items, 1 to 3; fewer if fewer are held.
    pub count: u16,
    /// Only items with this tag; any items if not given.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub tag: Option<String>,
}

/// Effects with their weight.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Effect, WeightedEffects};
/// let bitten = WeightedEffects { weight: 3, effects: vec![Effect::change("stamina", -2)] };
/// assert_eq!(bitten.weight, 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct WeightedEffects {
    /// The weight, relative to the sum of all weights; may be 0.
    pub weight: u32,
    /// The effects; may be empty.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub effects: Vec<Effect>,
}

/// Effects under a condition: `{ when = { if = { has = "pass" }, else = [{ change = { gold = -1 } }] } }`.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Condition, ConditionalEffects, Effect};
/// let toll = ConditionalEffects {
///     condition: Condition::Has("pass".into()),
///     then: vec![],
///     otherwise: vec![Effect::change("gold", -1)],
/// };
/// assert_eq!(toll.otherwise.len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct ConditionalEffects {
    /// The condition (`if` in a file).
    #[cfg_attr(feature = "serde", serde(rename = "if"))]
    pub condition: Condition,
    /// The effects if it holds.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub then: Vec<Effect>,
    /// The effects if it does not hold (`else` in a file).
    #[cfg_attr(
        feature = "serde",
        serde(rename = "else", default, skip_serializing_if = "Vec::is_empty")
    )]
    pub otherwise: Vec<Effect>,
}

/// Effects repeated a bounded number of times.
///
/// Nested repetitions multiply. A list of effects is rejected if it can come to more than 10,000.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Condition, Effect, RepeatedEffects};
/// let drain = RepeatedEffects {
///     times: 3,
///     condition: Some(Condition::at_least("gold", 2)),
///     effects: vec![Effect::change("gold", -2)],
/// };
/// assert_eq!(drain.times, 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct RepeatedEffects {
    /// The most repetitions, 1 to 20.
    pub times: u16,
    /// The condition for another repetition, checked before each one (`while` in a file).
    #[cfg_attr(
        feature = "serde",
        serde(rename = "while", default, skip_serializing_if = "Option::is_none")
    )]
    pub condition: Option<Condition>,
    /// The effects of each repetition.
    pub effects: Vec<Effect>,
}
