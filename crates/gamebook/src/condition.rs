//! Conditions on the adventure sheet.

use std::collections::BTreeMap;

/// A condition on the adventure sheet.
///
/// In a file it is a table with one entry: `{ has = "lantern" }`, `{ at_least = { gold = 3 } }`, `{
/// not = { flag = "seen_mummy" } }`.
///
/// Stats are compared as they stand on the sheet, without what items add.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::Condition;
///
/// let rich = Condition::at_least("gold", 10);
/// let Condition::AtLeast(stats) = &rich else { return Err("another one".into()) };
/// assert_eq!(stats["gold"], 10);
/// let poor = Condition::Not(Box::new(rich));
/// assert!(matches!(poor, Condition::Not(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Condition {
    /// The item is held.
    Has(String),
    /// The flag is set.
    Flag(String),
    /// Each of these stats has at least this value.
    AtLeast(BTreeMap<String, i16>),
    /// At least this many items with a tag are held.
    Holds(Holding),
    /// The inner condition does not hold.
    Not(Box<Condition>),
    /// All of these hold; true if the list is empty.
    All(Vec<Condition>),
    /// At least one of these holds; false if the list is empty.
    Any(Vec<Condition>),
}

impl Condition {
    /// Creates the condition that a stat has at least this value.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Condition;
    /// # use std::collections::BTreeMap;
    /// let toll = Condition::at_least("gold", 3);
    /// assert_eq!(toll, Condition::AtLeast(BTreeMap::from([("gold".into(), 3)])));
    /// ```
    #[must_use]
    pub fn at_least(stat: impl Into<String>, value: i16) -> Self {
        Condition::AtLeast(BTreeMap::from([(stat.into(), value)]))
    }
}

/// A number of items with a tag.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::Holding;
/// let silver = Holding { tag: "silver".into(), count: 2 };
/// assert_eq!(silver.count, 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Holding {
    /// The tag of the items.
    pub tag: String,
    /// How many of them, at least.
    pub count: u16,
}
