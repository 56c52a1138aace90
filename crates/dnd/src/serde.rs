//! Serialization of stat blocks. What is read is checked in the same way as what is built.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use oddsmith_dice::Dist;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::damage::Part;
use crate::weapon_dice::{WeaponDice, nonnegative};
use crate::{CriticalRule, Damage, DamageType, Duel, Fighter, GreatWeaponFighting, Phase, text};

/// Implements `Serialize` and `Deserialize` through a private twin type that derives them for
/// `remote`, and checks what was read. It does not compile unless the twin has the same fields.
/// (`remote = "Self"` would need no twin, but would create a public `deserialize` on the type
/// itself, which would be called instead of the trait's and skip the check.)
macro_rules! checked {
    ($type:ident as $fields:ident, |$value:ident| $check:block) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $fields::serialize(self, serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = $fields::deserialize(deserializer)?;
                let check = |$value: &$type| -> Result<(), $crate::Error> {
                    $check
                    Ok(())
                };
                check(&value).map_err(serde::de::Error::custom)?;
                Ok(value)
            }
        }
    };
}

pub(crate) use checked;

/// Damage that words cannot express: every part with all its rules.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "damage")]
struct DamageFields {
    parts: Vec<PartFields>,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a part of damage")]
struct PartFields {
    #[serde(default, rename = "type")]
    of: Option<DamageType>,
    /// The number of dice and the distribution of each.
    #[serde(default)]
    dice: Vec<(u32, Dist<i64>)>,
    #[serde(default)]
    flat: i64,
    #[serde(default)]
    undoubled: Option<Dist<i64>>,
    #[serde(default)]
    on_critical: Option<Dist<i64>>,
    #[serde(default)]
    brutal: u64,
    #[serde(default)]
    critical: CriticalRule,
    #[serde(default)]
    great_weapon_fighting: Option<GreatWeaponFighting>,
    #[serde(default)]
    on_miss: Option<Dist<i64>>,
    #[serde(default)]
    graze: i64,
}

impl PartFields {
    fn check(self) -> Result<Part, crate::Error> {
        let mut dice = WeaponDice::default();
        for (count, die) in self.dice {
            dice.groups.extend(WeaponDice::new(count, die)?.groups);
        }
        // This rejects too many dice now, and not when they are rolled.
        dice.law(1, None)?;
        Ok(Part {
            of: self.of,
            dice,
            flat: self.flat.into(),
            undoubled: self.undoubled.map(nonnegative).transpose()?,
            on_critical: self.on_critical.map(nonnegative).transpose()?,
            brutal: self.brutal,
            critical: self.critical,
            style: self.great_weapon_fighting,
            on_miss: self.on_miss.map(nonnegative).transpose()?,
            graze: self.graze.max(0),
        })
    }
}

impl PartFields {
    /// # Errors
    /// If the flat damage does not fit 64 bits, which are the most that many formats can write.
    fn new(part: &Part) -> Result<Self, std::num::TryFromIntError> {
        let part = part.clone();
        Ok(PartFields {
            of: part.of,
            dice: part.dice.groups,
            flat: part.flat.try_into()?,
            undoubled: part.undoubled,
            on_critical: part.on_critical,
            brutal: part.brutal,
            critical: part.critical,
            great_weapon_fighting: part.style,
            on_miss: part.on_miss,
            graze: part.graze,
        })
    }
}

/// Serializes in words if they express all of it, otherwise field by field.
impl Serialize for Damage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match text::written(self) {
            Some(text) => serializer.serialize_str(&text),
            None => {
                let parts = self.parts.iter().map(PartFields::new);
                let parts = parts.collect::<Result<_, _>>().map_err(|_| {
                    serde::ser::Error::custom("flat damage must fit 64 bits to be serialized")
                })?;
                DamageFields { parts }.serialize(serializer)
            }
        }
    }
}

impl<'de> Deserialize<'de> for Damage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DamageVisitor)
    }
}

/// Written by hand, since an untagged enum would not say what is wrong.
struct DamageVisitor;

impl<'de> Visitor<'de> for DamageVisitor {
    type Value = Damage;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("damage such as \"2d6 + 3 slashing plus 1d6 fire\", or its parts")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Damage, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Damage, A::Error> {
        let fields = DamageFields::deserialize(MapAccessDeserializer::new(map))?;
        if fields.parts.is_empty() {
            return Err(A::Error::custom("damage needs at least 1 part"));
        }
        let parts = fields.parts.into_iter().map(PartFields::check);
        let parts = parts.collect::<Result<_, _>>().map_err(A::Error::custom)?;
        Ok(Damage { parts })
    }
}

/// A fighter as its constructors take it.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a fighter")]
struct FighterFields {
    hit_points: i64,
    #[serde(default)]
    rolled: Option<Dist<i64>>,
    #[serde(default)]
    maximum: Option<i64>,
    #[serde(default)]
    temporary: i64,
    #[serde(default)]
    healing: Option<Dist<i64>>,
    phases: Vec<PhaseFields>,
    #[serde(default)]
    begins: Option<Dist<usize>>,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a phase")]
struct PhaseFields {
    damage: Dist<i64>,
    #[serde(default)]
    next: Option<Dist<usize>>,
}

impl FighterFields {
    fn check(self) -> Result<Fighter, crate::Error> {
        let phases = self.phases.into_iter().map(|fields| {
            let phase = Phase::new(fields.damage);
            match fields.next {
                Some(next) => phase.then(next),
                None => phase,
            }
        });
        let mut fighter = Fighter::in_phases(self.hit_points, phases)?.temporary(self.temporary)?;
        // This comes before the maximum, since it would set the maximum to the most that can be
        // rolled.
        if let Some(rolled) = self.rolled {
            fighter = fighter.rolled(rolled)?;
            let (hit_points, most) = (self.hit_points, fighter.hit_points());
            if hit_points != most {
                return Err(crate::Error::NotTheMostRolled { hit_points, most });
            }
        }
        if let Some(maximum) = self.maximum {
            fighter = fighter.maximum(maximum)?;
        }
        if let Some(phase) = self.begins {
            fighter = fighter.begins(phase)?;
        }
        match self.healing {
            Some(healing) => fighter.heals(healing),
            None => Ok(fighter),
        }
    }
}

impl Serialize for Fighter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let phases = self.phases().iter().map(|phase| PhaseFields {
            damage: phase.damage().clone(),
            next: Some(phase.next().clone()),
        });
        let (temporary, maximum) = self.bounds();
        let fields = FighterFields {
            hit_points: self.hit_points(),
            rolled: self.roll().cloned(),
            maximum: Some(maximum),
            temporary,
            healing: self.healing().cloned(),
            phases: phases.collect(),
            begins: self.first_phase().cloned(),
        };
        fields.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Fighter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = FighterFields::deserialize(deserializer)?;
        fields.check().map_err(D::Error::custom)
    }
}

/// The two sides. Limits are not part of it, since they belong to the machine that computes.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a duel")]
struct DuelFields {
    first: Fighter,
    second: Fighter,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    names: Option<[String; 2]>,
}

impl Serialize for Duel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = DuelFields {
            first: self.first().clone(),
            second: self.second().clone(),
            names: self.given_names().cloned(),
        };
        fields.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Duel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = DuelFields::deserialize(deserializer)?;
        let duel = Duel::new(fields.first, fields.second);
        Ok(match fields.names {
            Some([first, second]) => duel.names(first, second),
            None => duel,
        })
    }
}

/// Reads a map in which nothing occurs twice. If something did, it would be unclear which number is
/// meant, and the last one would silently count.
pub(crate) fn each_once<'de, D, K, V>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
where
    D: Deserializer<'de>,
    K: Deserialize<'de> + Ord + fmt::Display,
    V: Deserialize<'de>,
{
    deserializer.deserialize_map(EachOnce(PhantomData))
}

struct EachOnce<K, V>(PhantomData<(K, V)>);

impl<'de, K, V> Visitor<'de> for EachOnce<K, V>
where
    K: Deserialize<'de> + Ord + fmt::Display,
    V: Deserialize<'de>,
{
    type Value = BTreeMap<K, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("names with a number each")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut all = BTreeMap::new();
        while let Some((name, number)) = map.next_entry::<K, V>()? {
            if all.contains_key(&name) {
                return Err(A::Error::custom(format!("{name} is given twice")));
            }
            all.insert(name, number);
        }
        Ok(all)
    }
}
