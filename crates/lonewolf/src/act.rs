//! What the player does, as a value and in words.

use std::fmt;

use crate::Item;

/// A decision of the player.
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::{Act, Item};
///
/// assert_eq!(Act::Turn(273).to_string(), "turn to 273");
/// let swap = Act::Swap { take: Item::Sword, drop: Item::Dagger };
/// assert_eq!(swap.to_string(), "take sword, drop dagger");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
pub enum Act {
    /// There is nothing to decide.
    Go,
    /// Turn to a section.
    Turn(u16),
    /// Take the option with this number, counted from 1. Used for an option that leads to more than
    /// one section, or that shares its name with another option.
    Option(u16),
    /// Take the option with this label, which the author of the book chose.
    Named(String),
    /// Take an item.
    Take(Item),
    /// Leave an item.
    Leave(Item),
    /// Take an item and drop another.
    Swap {
        /// The item taken.
        take: Item,
        /// The item dropped.
        drop: Item,
    },
    /// Buy an item.
    Buy {
        /// The item bought.
        item: Item,
        /// The item dropped to make room, if any.
        drop: Option<Item>,
    },
    /// Do not buy an item that is for sale.
    Pass(Item),
    /// Sell an item.
    Sell(Item),
    /// Do not sell an item.
    Keep(Item),
    /// Drink a potion.
    Drink(Item),
    /// Drink no potion, or no more.
    Abstain,
    /// Fight to the end.
    Fight,
    /// Fight one more round.
    FightOn,
    /// Evade the combat: now, or as soon as it is allowed if that is decided before the combat.
    Evade,
    /// Play at the Cartwheel until this many Crowns are reached, or none are left.
    Aim(u8),
    /// Play at the Cartwheel and stop whenever that is better. The [stopping
    /// set](crate::Solved::stopping_set) says with how many Crowns to stop.
    Gamble,
    /// Spin the Cartwheel once more.
    Spin,
    /// Leave the Cartwheel.
    Stop,
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Act::Go => write!(f, "go on"),
            Act::Turn(section) => write!(f, "turn to {section}"),
            Act::Option(number) => write!(f, "option {number}"),
            Act::Named(label) => write!(f, "{label}"),
            Act::Take(item) => write!(f, "take {item}"),
            Act::Leave(item) => write!(f, "leave {item}"),
            Act::Swap { take, drop } => write!(f, "take {take}, drop {drop}"),
            Act::Buy { item, drop: None } => write!(f, "buy {item}"),
            Act::Buy {
                item,
                drop: Some(drop),
            } => write!(f, "buy {item}, drop {drop}"),
            Act::Pass(item) => write!(f, "do not buy {item}"),
            Act::Sell(item) => write!(f, "sell {item}"),
            Act::Keep(item) => write!(f, "keep {item}"),
            Act::Drink(item) => write!(f, "drink {item}"),
            Act::Abstain => write!(f, "drink nothing"),
            Act::Fight => write!(f, "fight to the end"),
            Act::FightOn => write!(f, "fight on"),
            Act::Evade => write!(f, "evade"),
            Act::Aim(target) => write!(f, "play for {target} Crowns"),
            Act::Gamble => write!(f, "play as long as it pays"),
            Act::Spin => write!(f, "spin"),
            Act::Stop => write!(f, "stop"),
        }
    }
}
