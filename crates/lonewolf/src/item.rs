//! Items that Lone Wolf can carry.

use std::fmt;
use std::str::FromStr;

use crate::Error;

/// Where an item is carried.
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::{Item, Slot};
///
/// assert_eq!(Item::Meal.slot(), Slot::Backpack);
/// assert_eq!(Slot::Weapons.limit(), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Slot {
    /// The belt pouch: up to 50 Gold Crowns.
    Pouch,
    /// The Backpack: up to eight articles, Meals among them.
    Backpack,
    /// In hand: up to two weapons.
    Weapons,
    /// Special Items, of which at most one each is carried.
    Special,
}

impl Slot {
    /// Returns how many items fit, or `None` for Special Items.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Slot;
    /// assert_eq!((Slot::Pouch.limit(), Slot::Backpack.limit()), (Some(50), Some(8)));
    /// assert_eq!(Slot::Special.limit(), None);
    /// ```
    #[must_use]
    pub fn limit(self) -> Option<u8> {
        match self {
            Slot::Pouch => Some(50),
            Slot::Backpack => Some(8),
            Slot::Weapons => Some(2),
            Slot::Special => None,
        }
    }
}

/// ```
/// use oddsmith_lonewolf::{ActionChart, Slot};
///
/// assert_eq!(Slot::Pouch.to_string(), "the belt pouch");
/// let error = ActionChart::new(15, 25)?.gold(60).unwrap_err();
/// assert_eq!(error.to_string(), "the belt pouch has room for 50, got 60");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Slot::Pouch => "the belt pouch",
            Slot::Backpack => "the Backpack",
            Slot::Weapons => "the list of Weapons",
            Slot::Special => "the list of Special Items",
        })
    }
}

macro_rules! items {
    ($($(#[$doc:meta])* $name:ident = $text:literal $(| $alias:literal)*, $slot:ident;)*) => {
        /// An article, a weapon, a Special Item, or Gold Crowns.
        ///
        /// Its text form is its name in a book of the format, with underscores or blanks, or the
        /// short name used by the program that this crate is measured against.
        ///
        /// # Examples
        /// ```
        /// use oddsmith_lonewolf::{Item, Slot};
        ///
        /// let sword: Item = "short_sword".parse()?;
        /// assert_eq!((sword, sword.slot()), (Item::ShortSword, Slot::Weapons));
        /// assert_eq!("ShortSword".parse::<Item>()?, sword);
        /// assert_eq!(sword.to_string().parse::<Item>()?, sword); // short sword
        /// assert!("excalibur".parse::<Item>().is_err());
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum Item {
            $($(#[$doc])* #[cfg_attr(feature = "serde", serde(rename = $text))] $name,)*
        }

        impl Item {
            /// All items, in the order of their declaration.
            ///
            /// # Examples
            /// ```
            /// use oddsmith_lonewolf::{Item, Slot};
            ///
            /// let weapons = Item::ALL.iter().filter(|item| item.slot() == Slot::Weapons);
            /// assert_eq!(weapons.count(), 11);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub const ALL: &'static [Item] = &[$(Item::$name,)*];

            /// Returns where it is carried.
            ///
            /// # Examples
            /// ```
            /// use oddsmith_lonewolf::{Item, Slot};
            /// assert_eq!(Item::Gold.slot(), Slot::Pouch);
            /// assert_eq!((Item::Helmet.slot(), Item::Dagger.slot()), (Slot::Special, Slot::Weapons));
            /// ```
            #[must_use]
            pub fn slot(self) -> Slot {
                match self {
                    $(Item::$name => Slot::$slot,)*
                }
            }

            /// Returns its name in a book of the format.
            ///
            /// # Examples
            /// ```
            /// use oddsmith_lonewolf::Item;
            /// assert_eq!(Item::SealOfHammerdal.name(), "seal_of_hammerdal");
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Item::$name => $text,)*
                }
            }
        }

        /// # Errors
        /// [`Error::UnknownItem`] for anything else.
        impl FromStr for Item {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self, Error> {
                match text.replace(' ', "_").as_str() {
                    $($text $(| $alias)* => Ok(Item::$name),)*
                    _ => Err(Error::UnknownItem { given: text.to_owned() }),
                }
            }
        }
    };
}

items! {
    /// Gold Crowns.
    Gold = "gold" | "Gold", Pouch;
    /// A Meal.
    Meal = "meal" | "Meal", Backpack;
    /// Laumspur: restores 4 ENDURANCE after a combat, and is an antidote to a poison.
    Laumspur = "laumspur" | "Laumspur", Backpack;
    /// A potion that restores 2 ENDURANCE.
    PotionOf2 = "potion_of_2" | "Potion2Hp", Backpack;
    /// A potion that restores 4 ENDURANCE.
    PotionOf4 = "potion_of_4" | "Potion4Hp", Backpack;
    /// A potion that restores 5 ENDURANCE.
    PotionOf5 = "potion_of_5" | "Potion5Hp", Backpack;
    /// A potion that restores 6 ENDURANCE.
    PotionOf6 = "potion_of_6" | "Potion6Hp", Backpack;
    /// A potion that adds 2 to COMBAT SKILL for one combat.
    StrengthPotion = "strength_potion" | "StrengthPotion", Backpack;
    /// Any other Backpack article: it takes up room.
    Sundry = "sundry" | "BGen0" | "BGen1" | "BGen2" | "BGen3", Backpack;
    /// A dagger.
    Dagger = "dagger" | "Dagger", Weapons;
    /// A spear.
    Spear = "spear" | "Spear", Weapons;
    /// A mace.
    Mace = "mace" | "Mace", Weapons;
    /// A short sword.
    ShortSword = "short_sword" | "ShortSword", Weapons;
    /// A warhammer.
    Warhammer = "warhammer" | "Warhammer", Weapons;
    /// A sword.
    Sword = "sword" | "Sword", Weapons;
    /// An axe.
    Axe = "axe" | "Axe", Weapons;
    /// A quarterstaff.
    Quarterstaff = "quarterstaff" | "Quarterstaff", Weapons;
    /// A broadsword.
    BroadSword = "broad_sword" | "BroadSword", Weapons;
    /// The Magic Spear: a spear, and more.
    MagicSpear = "magic_spear" | "MagicSpear", Weapons;
    /// The Sommerswerd: adds 8 to COMBAT SKILL (10 with Weaponskill in any sword), and does double
    /// damage to the undead.
    Sommerswerd = "sommerswerd" | "Sommerswerd", Weapons;
    /// The Backpack itself.
    Backpack = "backpack" | "Backpack", Special;
    /// A shield: adds 2 to COMBAT SKILL.
    Shield = "shield" | "Shield", Special;
    /// A chainmail waistcoat: adds 4 to ENDURANCE.
    BodyArmor = "body_armor" | "BodyArmor", Special;
    /// A helmet: adds 2 to ENDURANCE.
    Helmet = "helmet" | "Helmet", Special;
    /// The Silver Helm: adds 2 to COMBAT SKILL.
    SilverHelmet = "silver_helmet" | "SilverHelmet", Special;
    /// A potion that adds 4 to COMBAT SKILL for one combat, carried as a Special Item.
    PotentStrengthPotion = "potent_strength_potion" | "StrengthPotion4", Special;
    /// The ticket for the coach to Port Bax.
    CoachTicket = "coach_ticket" | "SGen0" | "SGenCounter_0", Special;
    /// The Crystal Star Pendant.
    CrystalStarPendant = "crystal_star_pendant" | "SGen1" | "SGenCounter_1", Special;
    /// The Seal of Hammerdal.
    SealOfHammerdal = "seal_of_hammerdal" | "SGen3" | "SGenCounter_3", Special;
    /// Any other Special Item; no condition asks for it.
    Keepsake = "keepsake" | "SGen2" | "SGen4" | "SGen5", Special;
}

impl Item {
    /// Returns how much ENDURANCE it restores when drunk after a combat.
    pub(crate) fn heals(self) -> Option<u8> {
        match self {
            Item::PotionOf6 => Some(6),
            Item::PotionOf5 => Some(5),
            Item::PotionOf4 | Item::Laumspur => Some(4),
            Item::PotionOf2 => Some(2),
            _ => None,
        }
    }

    /// Returns whether it adds to ENDURANCE while it is worn.
    pub(crate) fn is_worn(self) -> bool {
        matches!(self, Item::BodyArmor | Item::Helmet)
    }

    /// Returns whether Weaponskill can be learnt in it. It cannot in the Sommerswerd and the Magic
    /// Spear, which are unique.
    pub(crate) fn can_be_trained(self) -> bool {
        self.slot() == Slot::Weapons && !matches!(self, Item::Sommerswerd | Item::MagicSpear)
    }

    /// Returns its index on a [`Sheet`](crate::sheet::Sheet).
    pub(crate) fn index(self) -> usize {
        self as usize
    }

    pub(crate) fn weapons() -> impl Iterator<Item = Item> {
        Item::ALL
            .iter()
            .copied()
            .filter(|item| item.slot() == Slot::Weapons)
    }

    pub(crate) fn articles() -> impl Iterator<Item = Item> {
        Item::ALL
            .iter()
            .copied()
            .filter(|item| item.slot() == Slot::Backpack)
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name().replace('_', " "))
    }
}
