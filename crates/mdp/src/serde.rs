//! The file formats: fractions are texts like `"14/3"`, floats are numbers. Scores are also read from
//! decimals like `"0.25"` and from integers.

use std::fmt;
use std::hash::Hash;

use indexmap::IndexMap;
use num_bigint::BigInt;
use serde::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::written::{Written, check_length};
use crate::{Equilibrium, MatrixGame, Player, Record, Recorded, Score, Strategy};

/// A record in its file format, where states need not be strings.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(
    deny_unknown_fields,
    rename = "Record",
    bound(
        serialize = "S: Serialize, R: Serialize",
        deserialize = "S: Deserialize<'de>, R: Deserialize<'de>"
    )
)]
struct Listed<S, R> {
    start: S,
    states: Vec<(S, R)>,
}

impl<S: Eq + Hash + Serialize, A: Serialize, V: Written> Serialize for Record<S, A, V> {
    fn serialize<W: Serializer>(&self, serializer: W) -> Result<W::Ok, W::Error> {
        let listed = Listed {
            start: &self.start,
            states: self.iter().collect(),
        };
        listed.serialize(serializer)
    }
}

impl<'de, S, A, V> Deserialize<'de> for Record<S, A, V>
where
    S: Eq + Hash + Deserialize<'de>,
    A: Deserialize<'de>,
    V: Written,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let listed = Listed::<S, Recorded<A, V>>::deserialize(deserializer)?;
        let many = listed.states.len();
        let states: IndexMap<S, _, _> = listed.states.into_iter().collect();
        if states.len() < many {
            return Err(D::Error::custom("a state is recorded twice"));
        }
        if !states.contains_key(&listed.start) {
            return Err(D::Error::custom("the start is not among the states"));
        }
        Ok(Record {
            start: listed.start,
            states,
        })
    }
}

/// `"max"` or `"min"`.
impl Serialize for Player {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Player::Max => "max",
            Player::Min => "min",
        })
    }
}

impl<'de> Deserialize<'de> for Player {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match String::deserialize(deserializer)?.as_str() {
            "max" => Ok(Player::Max),
            "min" => Ok(Player::Min),
            other => Err(D::Error::custom(format!(
                "a player must be \"max\" or \"min\", got \"{other}\""
            ))),
        }
    }
}

/// Written as a fraction in text form. A score that is not a number is not written.
impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.to_ratio() {
            Some(ratio) => ratio.write(serializer),
            None => Err(serde::ser::Error::custom(
                "a score that is not a number cannot be serialized",
            )),
        }
    }
}

/// Read from what [`FromStr`](std::str::FromStr) accepts, or from an integer.
///
/// # Examples
/// ```
/// use oddsmith_mdp::Score;
/// let scores: Vec<Score> = serde_json::from_str(r#"["1/4", "0.25", 3]"#)?;
/// assert_eq!(scores, [(1, 4), (1, 4), (3, 1)].map(Score::from));
/// # Ok::<(), serde_json::Error>(())
/// ```
impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.is_human_readable() {
            true => deserializer.deserialize_any(ScoreVisitor),
            // Binary formats may not tell what follows; scores are always written as texts.
            false => deserializer.deserialize_str(ScoreVisitor),
        }
    }
}

struct ScoreVisitor;

impl Visitor<'_> for ScoreVisitor {
    type Value = Score;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer, or a fraction or decimal as text")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Score, E> {
        check_length(text)?;
        text.parse().map_err(E::custom)
    }

    fn visit_i64<E: serde::de::Error>(self, integer: i64) -> Result<Score, E> {
        Ok(Score::from(integer))
    }

    fn visit_u64<E: serde::de::Error>(self, integer: u64) -> Result<Score, E> {
        Ok(Score::from(BigInt::from(integer)))
    }
}

/// The rows of payoffs, each payoff a fraction in text form.
impl Serialize for MatrixGame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let row = |row| (0..self.columns()).filter_map(move |column| self.payoff(row, column));
        let rows = (0..self.rows()).map(|number| {
            let row = row(number).map(|payoff| payoff.to_string());
            row.collect::<Vec<String>>()
        });
        serializer.collect_seq(rows)
    }
}

impl<'de> Deserialize<'de> for MatrixGame {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let rows = Vec::<Vec<Score>>::deserialize(deserializer)?;
        let rows = rows
            .iter()
            .map(|row| row.iter().filter_map(Score::to_ratio));
        MatrixGame::new(rows).map_err(D::Error::custom)
    }
}

/// The probabilities, each a fraction in text form. They are checked when read.
///
/// # Examples
/// ```
/// use oddsmith_mdp::Strategy;
/// let mixed = Strategy::new([(1, 3), (0, 1), (2, 3)])?;
/// let text = serde_json::to_string(&mixed)?;
/// assert_eq!(text, r#"["1/3","0","2/3"]"#);
/// assert_eq!(serde_json::from_str::<Strategy>(&text)?, mixed);
/// assert!(serde_json::from_str::<Strategy>(r#"["1/3","1/3"]"#).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Serialize for Strategy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.probabilities().map(|p| p.to_string()))
    }
}

impl<'de> Deserialize<'de> for Strategy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let probabilities = Vec::<String>::deserialize(deserializer)?;
        Strategy::new(probabilities).map_err(D::Error::custom)
    }
}

/// The value as text, and both strategies. Can only be written, since it is computed from a matrix.
///
/// # Examples
/// ```
/// use oddsmith_mdp::MatrixGame;
/// let equilibrium = MatrixGame::new([[0, 2], [3, 0]])?.solve()?;
/// let text = r#"{"value":"6/5","row":["3/5","2/5"],"column":["2/5","3/5"]}"#;
/// assert_eq!(serde_json::to_string(&equilibrium)?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Serialize for Equilibrium {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut written = serializer.serialize_struct("Equilibrium", 3)?;
        written.serialize_field("value", &self.value().to_string())?;
        written.serialize_field("row", self.row())?;
        written.serialize_field("column", self.column())?;
        written.end()
    }
}

/// The number of games, their mean score, how often they ended in each final state (in the order in
/// which these first occurred), and how often they had each length. Can only be written.
///
/// # Examples
/// ```
/// use oddsmith_mdp::{AtRandom, Simulator};
/// # use oddsmith_mdp::{Game, Node};
/// # use rand::SeedableRng;
/// # struct Certain;
/// # impl Game for Certain {
/// #     type State = u8;
/// #     type Action = ();
/// #     fn expand(&self, &state: &u8, node: &mut Node<Self>) {
/// #         match state {
/// #             0 => node.end(true),
/// #             _ => { node.chance().to(state - 1, 1); }
/// #         }
/// #     }
/// # }
/// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
/// // A game that is won in two steps, whatever is rolled.
/// let simulation = Simulator::new(&Certain, AtRandom).run(&2, 250, &mut rng)?;
/// let text = r#"{"games":250,"mean":1.0,"ends":[[0,250]],"lengths":[[2,250]]}"#;
/// assert_eq!(serde_json::to_string(&simulation)?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "rand")]
impl<S: Serialize> Serialize for crate::Simulation<S> {
    fn serialize<W: Serializer>(&self, serializer: W) -> Result<W::Ok, W::Error> {
        let mut written = serializer.serialize_struct("Simulation", 4)?;
        written.serialize_field("games", &self.games())?;
        written.serialize_field("mean", &self.mean())?;
        written.serialize_field("ends", &self.ends().collect::<Vec<_>>())?;
        written.serialize_field("lengths", &self.lengths().collect::<Vec<_>>())?;
        written.end()
    }
}
