//! What the player does, in words.

use std::fmt;

use crate::Item;

/// One decision.
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
    /// The option of this number, counted from 1, that leads to more than one section, or that
    /// is called like another one.
    Option(u16),
    /// The option that its author calls so.
    Named(String),
    /// Take an item.
    Take(Item),
    /// Leave it.
    Leave(Item),
    /// Take one and drop another.
    Swap {
        /// The one taken.
        take: Item,
        /// The one dropped.
        drop: Item,
    },
    /// Buy an item.
    Buy {
        /// The one bought.
        item: Item,
        /// The one dropped to make room.
        drop: Option<Item>,
    },
    /// Do not buy it.
    Pass(Item),
    /// Sell an item.
    Sell(Item),
    /// Do not sell it.
    Keep(Item),
    /// Drink a potion.
    Drink(Item),
    /// Drink nothing (more).
    Abstain,
    /// Fight to the end.
    Fight,
    /// Fight one more round.
    FightOn,
    /// Evade: now, or as soon as it is allowed if that is decided before the combat.
    Evade,
    /// Play at the Cartwheel until there are so many Crowns, or none.
    Aim(u8),
    /// Play at the Cartwheel, and stop whenever that is better: with how many Crowns, tells the
    /// [stopping set](crate::Solved::stopping_set).
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
