//! A table in a file: one word if it has a name, otherwise all of its exchanges.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{COLUMNS, CombatTable, Exchange, Loss};

fn named() -> [(&'static str, CombatTable); 2] {
    [
        ("standard", CombatTable::standard()),
        ("printed", CombatTable::printed()),
    ]
}

/// Writes `"standard"`, `"printed"`, or the columns −6 to 6 separated by semicolons, each with the
/// ten exchanges for 1, 2, …, 9, 0 as they are [displayed](Exchange).
///
/// It is always a string, so that it can also be read from formats that are not self-describing.
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::CombatTable;
///
/// let read: CombatTable = serde_json::from_str("\"printed\"")?;
/// assert_eq!(read, CombatTable::printed());
/// assert_eq!(serde_json::to_string(&CombatTable::standard())?, "\"standard\"");
/// let columns = ["4/0 0/4 4/0 0/4 4/0 0/4 4/0 0/4 4/0 0/K"; 13].join("; ");
/// let own: CombatTable = serde_json::from_str(&format!("{columns:?}"))?;
/// assert_eq!(own.exchange(0, 0)?.to_string(), "0/K");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Serialize for CombatTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some((name, _)) = named().iter().find(|(_, table)| table == self) {
            return serializer.serialize_str(name);
        }
        let columns = self.columns.map(|column| {
            let exchanges = column.map(|exchange| exchange.to_string());
            exchanges.join(" ")
        });
        serializer.serialize_str(&columns.join("; "))
    }
}

/// Writes an exchange as it is displayed, such as `"4/K"`: what the foe loses, then Lone Wolf.
impl Serialize for Exchange {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Exchange {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        exchange(&text).ok_or_else(|| {
            D::Error::custom(format!(
                "an exchange must be two losses such as 4/5 or 0/K, got {text:?}"
            ))
        })
    }
}

/// Reads a table with the checks of [`CombatTable::new`].
///
/// # Examples
/// An exchange that costs nobody anything:
/// ```
/// use oddsmith_lonewolf::CombatTable;
///
/// let columns = ["4/0 0/4 4/0 0/4 4/0 0/4 0/0 0/4 4/0 0/K"; 13].join("; ");
/// let error = serde_json::from_str::<CombatTable>(&format!("{columns:?}")).unwrap_err();
/// let words = "in column -6 of the table, random number 7 costs neither side anything";
/// assert!(error.to_string().starts_with(words));
/// ```
impl<'de> Deserialize<'de> for CombatTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if let Some((_, table)) = named().into_iter().find(|(name, _)| *name == text) {
            return Ok(table);
        }
        let columns = columns(&text).ok_or_else(|| {
            D::Error::custom(format!(
                "a combat table must be \"standard\", \"printed\", or {COLUMNS} columns separated by semicolons, each with ten exchanges such as 4/5 or 0/K, got {text:?}"
            ))
        })?;
        CombatTable::new(columns).map_err(D::Error::custom)
    }
}

fn columns(text: &str) -> Option<[[Exchange; 10]; COLUMNS]> {
    let columns = text.split(';').map(|column| {
        let exchanges = column.split_whitespace().map(exchange);
        exchanges.collect::<Option<Vec<_>>>()?.try_into().ok()
    });
    columns.collect::<Option<Vec<_>>>()?.try_into().ok()
}

fn exchange(text: &str) -> Option<Exchange> {
    let (foe, hero) = text.split_once('/')?;
    let loss = |text: &str| match text {
        "K" => Some(Loss::Killed),
        _ => text.parse().ok().map(Loss::Points),
    };
    Some(Exchange {
        foe: loss(foe)?,
        hero: loss(hero)?,
    })
}
