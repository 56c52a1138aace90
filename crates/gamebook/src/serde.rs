//! Serialization of results, for other programs and for web pages: fractions as strings like
//! `"13/24"`, floats as numbers, sections by their numbers.
//!
//! Books have a format of their own, that of the types in a [`Manuscript`](crate::Manuscript).

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::marker::PhantomData;

use oddsmith_mdp::written::Value;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::difficulty::why;
use crate::{
    Advice, Comparison, Deed, Difficulty, Evaluation, Explanation, Fate, Fork, Journey, Lint, Move,
    Outcome, Played, Probability, Step, Valuation, WalkThrough, Way,
};

/// A move by its kind, its label, and the section it turns to, if any:
/// `{"kind":"turn","label":"open the door","to":9}`.
impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut written = serializer.serialize_struct("Move", 3)?;
        written.serialize_field("kind", self.kind())?;
        written.serialize_field("label", self.label())?;
        match self.target() {
            Some(target) => written.serialize_field("to", &target)?,
            None => written.skip_field("to")?,
        }
        written.end()
    }
}

/// `{"win":0.75,"error":1e-14,"regions":1,"nodes":0,"tables":3,"bytes":5000}`, without an error if
/// none is proven, and with the `fork` if there is one.
impl Serialize for Valuation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut written = serializer.serialize_struct("Valuation", 7)?;
        written.serialize_field("win", &self.win())?;
        match self.error() {
            Some(error) => written.serialize_field("error", &error)?,
            None => written.skip_field("error")?,
        }
        written.serialize_field("regions", &self.regions())?;
        written.serialize_field("nodes", &self.nodes())?;
        written.serialize_field("tables", &self.tables())?;
        written.serialize_field("bytes", &self.bytes())?;
        match self.fork() {
            Some(fork) => written.serialize_field("fork", fork)?,
            None => written.skip_field("fork")?,
        }
        written.end()
    }
}

/// The section, and each route with its value alone and without it, as intervals: `{"label":"Key
/// Street","to":95,"alone":[0.53,0.54],"without":[0.0,0.49]}`.
impl Serialize for Fork {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut written = serializer.serialize_struct("Fork", 2)?;
        written.serialize_field("section", &self.section())?;
        written.serialize_field("ways", self.ways())?;
        written.end()
    }
}

impl Serialize for Way {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut written = serializer.serialize_struct("Way", 4)?;
        written.serialize_field("label", self.label())?;
        written.serialize_field("to", &self.target())?;
        written.serialize_field("alone", &self.alone())?;
        written.serialize_field("without", &self.without())?;
        written.end()
    }
}

/// With whether anybody can win, and the findings by their [`kind`](crate::Finding::kind).
impl Serialize for Lint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut written = serializer.serialize_struct("Lint", 5)?;
        written.serialize_field("sections", &self.sections)?;
        written.serialize_field("reachable", &self.reachable())?;
        written.serialize_field("can_be_won", &self.can_be_won())?;
        match self.search() {
            Some(search) => written.serialize_field("search", &search)?,
            None => written.skip_field("search")?,
        }
        written.serialize_field("findings", self.findings())?;
        written.end()
    }
}

/// The place, also in words, and its options in the order of the book:
/// `{"section":1,"place":"section 1
/// (…)","options":[{"action":{…},"value":"3/4","gap":"0","optimal":true,"decided":true},…]}`.
impl<V: Probability> Serialize for Advice<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut written = serializer.serialize_struct("Advice", 3)?;
        written.serialize_field("section", &self.place().section())?;
        written.serialize_field("place", &self.words)?;
        written.serialize_field("options", self.options())?;
        written.end()
    }
}

/// The advice, and by option the outcomes: `{"advice":{…},"outcomes":[[{…},…],…]}`.
impl<V: Probability> Serialize for Explanation<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut written = serializer.serialize_struct("Explanation", 2)?;
        written.serialize_field("advice", self.advice())?;
        written.serialize_field("outcomes", &self.outcomes)?;
        written.end()
    }
}

/// `{"section":2,"place":"section 2 (…)","chance":"1/6","value":"13/18"}`.
impl<V: Probability> Serialize for Outcome<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut written = serializer.serialize_struct("Outcome", 4)?;
        written.serialize_field("section", &self.place.section())?;
        written.serialize_field("place", &self.words)?;
        written.serialize_field("chance", &Value(&self.chance))?;
        written.serialize_field("value", &Value(&self.value))?;
        written.end()
    }
}

/// `{"value":0.2777777777777778,"error":1e-16,"places":5}`.
impl<V: Probability> Serialize for Evaluation<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut written = serializer.serialize_struct("Evaluation", 3)?;
        written.serialize_field("value", &Value(self.value()))?;
        written.serialize_field("error", &self.error())?;
        written.serialize_field("places", &self.places())?;
        written.end()
    }
}

/// What happens: `{"decide":{…}}`, `{"test":"luck"}`, `"chance"`, `"go-on"`, `"fight"`,
/// `"game"`, `"won"` or `"lost"`.
impl Serialize for Deed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (number, name) = match self {
            Deed::Decide(_) => (0, "decide"),
            Deed::Chance => (1, "chance"),
            Deed::Test(_) => (2, "test"),
            Deed::Fight => (3, "fight"),
            Deed::Game => (4, "game"),
            Deed::Won => (5, "won"),
            Deed::Lost => (6, "lost"),
            Deed::GoOn => (7, "go-on"),
        };
        match self {
            Deed::Decide(decided) => {
                serializer.serialize_newtype_variant("Deed", number, name, decided)
            }
            Deed::Test(stat) => serializer.serialize_newtype_variant("Deed", number, name, &**stat),
            _ => serializer.serialize_unit_variant("Deed", number, name),
        }
    }
}

/// `{"section":1,"place":"section 1 (…)","deed":"fight","line":"1","reached":"1","value":"1/2"}`.
impl<V: Probability> Serialize for Step<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut written = serializer.serialize_struct("Step", 6)?;
        written.serialize_field("section", &self.place.section())?;
        written.serialize_field("place", &self.words)?;
        written.serialize_field("deed", &self.deed)?;
        written.serialize_field("line", &Value(&self.line))?;
        written.serialize_field("reached", &Value(&self.reached))?;
        written.serialize_field("value", &Value(&self.value))?;
        written.end()
    }
}

/// The list of its steps.
impl<V: Probability> Serialize for WalkThrough<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.steps().serialize(serializer)
    }
}

/// An ending.
#[derive(serde::Serialize)]
struct End<C> {
    section: u32,
    fate: Fate,
    chance: C,
}

/// The chance to win, the probabilities of all visited sections by number, those of all endings
/// (`{"section":4,"fate":"won","chance":"13/18"}`), and the walk-through.
impl<V: Probability> Serialize for Journey<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let visits = self
            .visited()
            .map(|(section, visits)| (section, Value(visits)));
        let visits: BTreeMap<u32, Value<'_, V>> = visits.collect();
        let endings = self.endings();
        let endings = endings.iter().map(|(section, fate, chance)| End {
            section: *section,
            fate: *fate,
            chance: Value(chance),
        });
        let endings: Vec<_> = endings.collect();
        let mut written = serializer.serialize_struct("Journey", 6)?;
        written.serialize_field("value", &Value(self.value()))?;
        written.serialize_field("error", &self.error())?;
        written.serialize_field("places", &self.places())?;
        written.serialize_field("visits", &visits)?;
        written.serialize_field("endings", &endings)?;
        written.serialize_field("walkthrough", self.walkthrough())?;
        written.end()
    }
}

/// `{"names":["a","b"],"values":["1/2","1/4"],"difference":"1/4","ratio":"2"}`, without the ratio
/// if the second value is 0.
impl<V: Probability> Serialize for Comparison<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut written = serializer.serialize_struct("Comparison", 4)?;
        written.serialize_field("names", &self.names())?;
        written.serialize_field("values", &self.values().each_ref().map(Value))?;
        written.serialize_field("difference", &Value(&self.difference()))?;
        match self.ratio() {
            Some(ratio) => written.serialize_field("ratio", &Value(&ratio))?,
            None => written.skip_field("ratio")?,
        }
        written.end()
    }
}

/// A habit, with its chance or the error.
#[derive(serde::Serialize)]
struct Listed<C> {
    habit: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    chance: Option<C>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<Played>,
}

/// `{"best":"5/6","habits":[{"habit":"at random","chance":"2/3"},{"habit":"first option","error":"…"}]}`.
impl<V: Probability> Serialize for Difficulty<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let habits = self.habits().map(|(habit, chance)| Listed {
            habit: habit.to_string(),
            chance: chance.as_ref().ok().map(Value),
            error: chance.as_ref().err().map(why),
            played: self.played(habit).copied(),
        });
        let habits: Vec<_> = habits.collect();
        let mut written = serializer.serialize_struct("Difficulty", 2)?;
        written.serialize_field("best", &Value(self.best()))?;
        written.serialize_field("habits", &habits)?;
        written.end()
    }
}

/// Deserializes a table of numbers and rejects duplicate names, of which the last would otherwise
/// count.
pub(crate) fn each_once<'de, D, V>(deserializer: D) -> Result<BTreeMap<String, V>, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de>,
{
    deserializer.deserialize_map(EachOnce(PhantomData))
}

struct EachOnce<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for EachOnce<V> {
    type Value = BTreeMap<String, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of numbers by stat")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Self::Value, A::Error> {
        let mut all = BTreeMap::new();
        while let Some((id, value)) = table.next_entry::<String, V>()? {
            match all.entry(id) {
                Entry::Vacant(free) => drop(free.insert(value)),
                Entry::Occupied(known) => {
                    let id = known.key();
                    return Err(A::Error::custom(format!("{id} is given twice")));
                }
            }
        }
        Ok(all)
    }
}

/// Deserializes a table and rejects a list. Formats take a list for any table, field by field, and
/// so an empty one for a table all of whose fields have defaults.
pub(crate) fn table<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    deserializer.deserialize_map(Table(PhantomData))
}

struct Table<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Table<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table with named fields")
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(table))
    }
}
