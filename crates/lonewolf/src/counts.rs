//! Reads how many there are of each item.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserializer, Error as _, MapAccess, Visitor};

use crate::Item;

/// Reads a map of items in which no item occurs twice. If one did, it would be unclear which number
/// is meant, and the last one would silently count.
pub(crate) fn each_once<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<Item, u8>, D::Error> {
    deserializer.deserialize_map(EachOnce)
}

struct EachOnce;

impl<'de> Visitor<'de> for EachOnce {
    type Value = BTreeMap<Item, u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("items and how many there are of each, such as {\"meal\": 2}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut items = BTreeMap::new();
        while let Some((item, count)) = map.next_entry::<Item, u8>()? {
            if let Some(before) = items.insert(item, count) {
                return Err(A::Error::custom(format!(
                    "{item} is given twice, as {before} and as {count}; give it once"
                )));
            }
        }
        Ok(items)
    }
}
