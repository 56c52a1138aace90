//! A situation in a file: all of its data, and a description in words.

use std::collections::BTreeMap;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use super::{LOST, Situation, WON};
use crate::sheet::{self, Sheet};
use crate::{ActionChart, Discipline, Item, Knowledge};

const KNOWLEDGE: [Knowledge; 4] = [
    Knowledge::Password,
    Knowledge::Secret,
    Knowledge::Name,
    Knowledge::Way,
];

#[derive(PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename = "Situation", deny_unknown_fields)]
struct SituationParts {
    section: u16,
    step: u32,
    endurance: u8,
    #[serde(default, skip_serializing_if = "is_zero")]
    foe: u8,
    #[serde(default, skip_serializing_if = "is_zero")]
    rounds: u8,
    #[serde(
        default,
        skip_serializing_if = "BTreeMap::is_empty",
        deserialize_with = "crate::counts::each_once"
    )]
    items: BTreeMap<Item, u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    disciplines: Vec<Discipline>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    knowledge: Vec<Knowledge>,
    /// Whether a potion of strength is in effect.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    strong: bool,
    /// Whether a potent one is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    potent: bool,
    /// The description for readers, which is ignored when the situation is read.
    #[serde(default)]
    words: String,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(number: &u8) -> bool {
    *number == 0
}

impl From<&Situation> for SituationParts {
    fn from(at: &Situation) -> Self {
        let items = Item::ALL.iter().map(|&item| (item, at.count(item)));
        let weapons = Item::weapons().map(Discipline::Weaponskill);
        let disciplines = Discipline::PLAIN.into_iter().chain(weapons);
        SituationParts {
            section: at.section,
            step: at.step,
            endurance: at.endurance,
            foe: at.foe,
            rounds: at.rounds,
            items: items.filter(|(_, count)| *count > 0).collect(),
            disciplines: disciplines.filter(|&one| at.has(one)).collect(),
            knowledge: KNOWLEDGE.into_iter().filter(|&one| at.knows(one)).collect(),
            strong: at.sheet.0[sheet::STRENGTH] > 0,
            potent: at.sheet.0[sheet::POTENT] > 0,
            words: at.to_string(),
        }
    }
}

impl SituationParts {
    /// Rejects what cannot be a situation of any book. Whether it is one of a particular book is
    /// checked when the two meet.
    fn check(self) -> Result<Situation, String> {
        if self.step >= WON {
            return self.over();
        }
        if self.section == 0 || self.endurance == 0 {
            return Err(
                "section and ENDURANCE must be 1 or more unless the adventure is over".to_owned(),
            );
        }
        if self.rounds > 0 && self.foe == 0 {
            return Err(format!(
                "{} rounds were fought, but there is no foe",
                self.rounds
            ));
        }
        Ok(Situation {
            step: self.step,
            section: self.section,
            endurance: self.endurance,
            sheet: self.sheet()?,
            foe: self.foe,
            rounds: self.rounds,
        })
    }

    fn over(self) -> Result<Situation, String> {
        let end = match self.step {
            LOST => Situation::lost(),
            _ => Situation::won(),
        };
        let same = SituationParts {
            words: self.words.clone(),
            ..SituationParts::from(&end)
        };
        match self == same {
            true => Ok(end),
            false => Err(format!(
                "step {} is the end of an adventure, so no other field may be given",
                self.step
            )),
        }
    }

    fn sheet(&self) -> Result<Sheet, String> {
        // This also checks that a hero can know these disciplines.
        let hero = ActionChart::new(0, 1).and_then(|hero| hero.disciplines(&self.disciplines));
        let mut sheet = hero.map_err(|error| error.to_string())?.sheet();
        sheet.remove(Item::Backpack);
        for (&item, &count) in &self.items {
            let most = sheet::cap(item, true);
            if count > most {
                return Err(format!(
                    "the count of {item} must be at most {most}, got {count}"
                ));
            }
            // All of them together are no more than an entry of the sheet can hold.
            sheet.put(item, count);
        }
        for &knowledge in &self.knowledge {
            let known = &mut sheet.0[sheet::entry_of_knowledge(knowledge)];
            if std::mem::replace(known, 1) > 0 {
                return Err(format!("{knowledge:?} is given twice; give it once"));
            }
        }
        sheet.0[sheet::STRENGTH] = self.strong.into();
        sheet.0[sheet::POTENT] = self.potent.into();
        Ok(sheet)
    }
}

impl Serialize for Situation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SituationParts::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Situation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = SituationParts::deserialize(deserializer)?;
        parts.check().map_err(D::Error::custom)
    }
}
