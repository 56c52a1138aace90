//! What must hold for an option to be open.

use std::collections::BTreeMap;

/// A condition on the adventure sheet.
///
/// Written as a table with one entry: `{ has = "lantern" }`,
/// `{ at_least = { gold = 3 } }`, `{ not = { flag = "seen_mummy" } }`.
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
    /// Each of these stats is at least so high.
    AtLeast(BTreeMap<String, i16>),
    /// So many items with this tag are held, or more.
    Holds(Holding),
    /// The other one does not hold.
    Not(Box<Condition>),
    /// All of them hold; of none, this holds.
    All(Vec<Condition>),
    /// One of them holds; of none, this does not.
    Any(Vec<Condition>),
}

impl Condition {
    /// One stat is at least so high.
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

/// So many items of a kind.
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
    /// How many of them.
    pub count: u16,
}
