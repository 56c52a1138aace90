//! Shops and pawn shops.

use crate::Passage;

/// A place to buy and sell, in any order, before leaving.
///
/// Money is the stat named by [`RuleSet::money`](crate::RuleSet). The hero can buy whatever there
/// is money for, except an item that is already held, and can sell any item that is held. A shop
/// must not pay more for an item than it asks for it, and it does not sell money. Stats are cut as
/// by [`Effect::Change`](crate::Effect::Change): a hero who buys a meal at its cap has paid for
/// nothing.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Goods, Passage, Shop};
/// let shop = Shop {
///     sells: vec![Goods::item("lantern", 3)],
///     buys: vec![],
///     leave: Passage::to(200),
/// };
/// assert_eq!(shop.sells[0].price, 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Shop {
    /// What the hero can buy.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub sells: Vec<Goods>,
    /// The items that the hero can sell.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub buys: Vec<Goods>,
    /// What follows on leaving.
    pub leave: Passage,
}

/// Something with a price.
///
/// # Examples
/// Provisions are a stat, and can be bought as long as the money lasts:
/// ```
/// use oddsmith_gamebook::{Goods, Ware};
/// let meal = Goods::stat("provisions", 1);
/// assert_eq!((meal.ware, meal.price), (Ware::Stat("provisions".into()), 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Goods {
    /// What is traded.
    pub ware: Ware,
    /// What it costs or brings; at least 1 for a stat.
    pub price: u16,
}

impl Goods {
    /// Creates an item at a price.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Goods, Ware};
    /// let lantern = Goods::item("lantern", 3);
    /// assert_eq!((lantern.ware, lantern.price), (Ware::Item("lantern".into()), 3));
    /// ```
    #[must_use]
    pub fn item(item: impl Into<String>, price: u16) -> Self {
        Goods {
            ware: Ware::Item(item.into()),
            price,
        }
    }

    /// Creates one more point of a stat at a price.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Goods, Ware};
    /// let arrow = Goods::stat("arrows", 2);
    /// assert_eq!((arrow.ware, arrow.price), (Ware::Stat("arrows".into()), 2));
    /// ```
    #[must_use]
    pub fn stat(stat: impl Into<String>, price: u16) -> Self {
        Goods {
            ware: Ware::Stat(stat.into()),
            price,
        }
    }
}

/// What is traded: `{ item = "lantern" }` or `{ stat = "provisions" }`.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Goods, Ware};
/// assert_eq!(Goods::item("rope", 2).ware, Ware::Item("rope".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Ware {
    /// An item, once.
    Item(String),
    /// One more point of a stat.
    Stat(String),
}
