//! The adventure sheet: stats, items, flags, and their initial values.

use std::collections::BTreeMap;

use crate::{Amount, Condition, Effect};

/// What a hero of this book consists of.
///
/// A sheet has at most eight stats (each cap that some effect raises counts as one more) and at
/// most 128 items and flags together.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::Sheet;
/// let sheet = Sheet::standard();
/// assert_eq!(sheet.stats.len(), 3);
/// assert_eq!(sheet.stats[1].initial.to_string(), "2d6+12");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Sheet {
    /// Numbers: SKILL, STAMINA, LUCK, gold, provisions …
    pub stats: Vec<Stat>,
    /// Things that can be held, at most one of each.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub items: Vec<Item>,
    /// Facts to remember, which nothing can steal.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub flags: Vec<String>,
    /// The items every hero starts with.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub initial_items: Vec<String>,
    /// Lists of items; every hero starts with one item of each list.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub initial_choices: Vec<Vec<String>>,
    /// Meals, potions, and whatever else may be taken before choosing.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub refreshments: Vec<Refreshment>,
}

impl Sheet {
    /// Returns the sheet of Fighting Fantasy with nothing to carry: SKILL 1d6+6, STAMINA 2d6+12 and
    /// LUCK 1d6+6, each capped at its initial value.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Cap, Sheet};
    /// let luck = &Sheet::standard().stats[2];
    /// assert_eq!((luck.id.as_str(), luck.initial.to_string()), ("luck", "1d6+6".into()));
    /// assert_eq!((luck.cap, luck.floor), (Some(Cap::Initial), Some(0)));
    /// ```
    #[must_use]
    pub fn standard() -> Self {
        let stat = |id: &str, dice: &str, floor| Stat {
            cap: Some(Cap::Initial),
            floor,
            ..Stat::new(id, dice.parse().unwrap_or_else(|_| Amount::from(0)))
        };
        Sheet {
            stats: vec![
                stat("skill", "1d6+6", None),
                stat("stamina", "2d6+12", Some(0)),
                stat("luck", "1d6+6", Some(0)),
            ],
            ..Sheet::default()
        }
    }
}

/// A number on the sheet, from -32,768 to 32,767.
///
/// A stat that rises or falls in a cycle of sections, or by large amounts, should have a cap and a
/// floor, since [`BookSolver`](crate::BookSolver) distinguishes all its values.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Amount, Stat};
/// let gold = Stat { floor: Some(0), ..Stat::new("gold", 30) };
/// assert_eq!(gold.initial, Amount::from(30));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Stat {
    /// The name in conditions and effects.
    pub id: String,
    /// The name to display.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub label: Option<String>,
    /// The initial value, which no cap or floor cuts.
    pub initial: Amount,
    /// The highest value; unbounded if not given.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub cap: Option<Cap>,
    /// The lowest value; unbounded if not given.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub floor: Option<i16>,
}

impl Stat {
    /// Creates a stat without a cap or a floor.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Amount, Stat};
    /// let gold = Stat::new("gold", "2d6".parse::<Amount>()?);
    /// assert_eq!((gold.initial.max(), gold.cap, gold.floor), (12, None, None));
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    #[must_use]
    pub fn new(id: impl Into<String>, initial: impl Into<Amount>) -> Self {
        Stat {
            id: id.into(),
            label: None,
            initial: initial.into(),
            cap: None,
            floor: None,
        }
    }
}

/// The highest value of a stat: `12`, which is short for `{ at = 12 }`, or `"initial"`.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::Cap;
/// assert_ne!(Cap::Initial, Cap::At(12));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Cap {
    /// The hero's own initial value.
    Initial,
    /// A fixed value.
    At(i16),
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Cap {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::{Error, MapAccess, Unexpected, Visitor};

        struct NumberOrInitial;
        impl<'de> Visitor<'de> for NumberOrInitial {
            type Value = Cap;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(
                    "a whole number between -10000 and 10000, \"initial\", or a table with the single entry `at`",
                )
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Cap, E> {
                let cap = i16::try_from(number).map(Cap::At);
                cap.map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Cap, E> {
                i64::try_from(number)
                    .map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
                    .and_then(|number| self.visit_i64(number))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Cap, E> {
                match text {
                    "initial" => Ok(Cap::Initial),
                    _ => Err(E::invalid_value(Unexpected::Str(text), &self)),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Cap, A::Error> {
                let cap = match table.next_key::<String>()?.as_deref() {
                    Some("at") => Cap::At(table.next_value()?),
                    Some(other) => return Err(A::Error::unknown_field(other, &["at"])),
                    None => return Err(A::Error::invalid_length(0, &self)),
                };
                match table.next_key::<String>()?.as_deref() {
                    Some("at") => Err(A::Error::duplicate_field("at")),
                    Some(other) => Err(A::Error::unknown_field(other, &["at"])),
                    None => Ok(cap),
                }
            }
        }
        deserializer.deserialize_any(NumberOrInitial)
    }
}

/// Something that can be held.
///
/// An item without a slot works as soon as it is held. Of the held items of one slot, only the one
/// with the lowest priority number is worn and works.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::Item;
/// let helmet = Item { attack: 1, ..Item::new("magic_helmet") };
/// assert_eq!(helmet.id, "magic_helmet");
/// // It takes 3 where a sword takes 2.
/// let axe = Item { hit: 1, ..Item::new("two_handed_axe") };
/// assert_eq!((axe.attack, axe.hit), (0, 1));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Item {
    /// The name in conditions and effects.
    pub id: String,
    /// The name to display.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub label: Option<String>,
    /// Further properties: silver, magic, a weapon.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub tags: Vec<String>,
    /// The slot in which it is worn, if any.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub slot: Option<Slot>,
    /// What it adds to stats in tests, and to SKILL in fights. The values on the sheet stay the
    /// same.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "BTreeMap::is_empty")
    )]
    pub modifiers: BTreeMap<String, i16>,
    /// What it adds to the attack, in fights only.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "crate::defaults::is_default")
    )]
    pub attack: i16,
    /// What it adds to the STAMINA that the hero's hits take. A negative sum counts as 0.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "crate::defaults::is_default")
    )]
    pub hit: i16,
    /// Changes to stats after every fight that the hero survives.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "BTreeMap::is_empty")
    )]
    pub after_fight: BTreeMap<String, i16>,
}

impl Item {
    /// Creates an item that does nothing by itself.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Item;
    /// let lantern = Item::new("lantern");
    /// assert_eq!((lantern.id.as_str(), lantern.attack), ("lantern", 0));
    /// assert!(lantern.tags.is_empty() && lantern.slot.is_none());
    /// ```
    #[must_use]
    pub fn new(id: impl Into<String>) -> Self {
        Item {
            id: id.into(),
            ..Item::default()
        }
    }
}

/// The slot in which an item is worn.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::Slot;
/// let shield = Slot { id: "shield".into(), priority: 4 };
/// assert_eq!(shield.priority, 4);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Slot {
    /// The name of the slot.
    pub id: String,
    /// Of the held items of a slot, the one with the lowest number is worn. No two items of a slot
    /// have the same.
    pub priority: i16,
}

/// A meal, a potion, or whatever else may be taken before choosing, as often as its condition
/// allows.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Condition, Effect, Refreshment};
/// let meal = Refreshment {
///     label: "eat".into(),
///     condition: Some(Condition::at_least("provisions", 1)),
///     effects: vec![Effect::change("provisions", -1), Effect::change("stamina", 4)],
/// };
/// assert_eq!(meal.effects.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Refreshment {
    /// What the reader does.
    pub label: String,
    /// When it can be taken (`if` in a file); always if not given.
    #[cfg_attr(
        feature = "serde",
        serde(rename = "if", default, skip_serializing_if = "Option::is_none")
    )]
    pub condition: Option<Condition>,
    /// What it does.
    pub effects: Vec<Effect>,
}
