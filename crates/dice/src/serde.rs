//! Serialization. A distribution is a list of pairs `[outcome, probability]`, where the probability
//! is a string if it is exact, and a number if it is a float. A contest has three such
//! probabilities by name.

use crate::rounding::Roundings;
use crate::{Contest, Dist, Error, Notation, Weight};
use num_bigint::BigUint;
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// A notation is serialized as its text.
impl Serialize for Notation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Notation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

impl<T: Serialize> Serialize for Dist<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let share = |weight: &BigUint| BigUint::ratio(weight, &self.total).to_string();
        serializer.collect_seq(
            self.iter()
                .map(|(outcome, weight)| (outcome, share(weight))),
        )
    }
}

impl<T: Serialize> Serialize for Dist<T, f64> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(
            self.iter()
                .map(|(outcome, weight)| (outcome, weight / self.total)),
        )
    }
}

/// Can be written only, since it is computed from two distributions.
///
/// # Examples
/// ```
/// use oddsmith_dice::Dist;
///
/// let duel = Dist::die(6)?.versus(&Dist::die(6)?);
/// assert_eq!(serde_json::to_string(&duel)?, r#"{"win":"5/12","draw":"1/6","lose":"5/12"}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Serialize for Contest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let shares = [self.win(), self.draw(), self.lose()];
        write_contest(shares.map(|share| share.to_string()), serializer)
    }
}

/// Can be written only, as numbers.
///
/// # Examples
/// ```
/// use oddsmith_dice::FloatDist;
///
/// let coin = FloatDist::from_float_weights([(0, 1.0), (1, 1.0)])?;
/// let toss = coin.versus(&coin);
/// assert_eq!(serde_json::to_string(&toss)?, r#"{"win":0.25,"draw":0.5,"lose":0.25}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Serialize for Contest<f64> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write_contest([self.win(), self.draw(), self.lose()], serializer)
    }
}

fn write_contest<P: Serialize, S: Serializer>(
    [win, draw, lose]: [P; 3],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut written = serializer.serialize_struct("Contest", 3)?;
    written.serialize_field("win", &win)?;
    written.serialize_field("draw", &draw)?;
    written.serialize_field("lose", &lose)?;
    written.end()
}

impl<'de, T: Deserialize<'de> + Ord> Deserialize<'de> for Dist<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pairs = Vec::<(T, String)>::deserialize(deserializer)?;
        distinct(&pairs).map_err(D::Error::custom)?;
        Dist::from_probabilities(pairs).map_err(D::Error::custom)
    }
}

/// The largest distance from one of a sum of float probabilities.
const TOLERANCE: f64 = 1e-6;

impl<'de, T: Deserialize<'de> + Ord> Deserialize<'de> for Dist<T, f64> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pairs = Vec::<(T, f64)>::deserialize(deserializer)?;
        float_law(pairs).map_err(D::Error::custom)
    }
}

fn float_law<T: Ord>(pairs: Vec<(T, f64)>) -> Result<Dist<T, f64>, Error> {
    distinct(&pairs)?;
    for (position, &(_, weight)) in pairs.iter().enumerate() {
        if !(weight.is_finite() && weight >= 0.0) {
            return Err(Error::BadFloatWeight { position, weight });
        }
    }
    let sum: f64 = pairs.iter().map(|pair| pair.1).sum();
    if !pairs.is_empty() && ((sum - 1.0).abs() > TOLERANCE || sum.is_nan()) {
        return Err(Error::FloatSumNotOne {
            sum,
            tolerance: TOLERANCE,
        });
    }
    // A total of exactly 1 restores the numbers as written, bit for bit. It differs from the true
    // sum by |sum − 1| and the rounding errors of the sum, which are counted.
    let missing = ((sum - 1.0).abs() / (f64::EPSILON / 4.0)).ceil() as u64;
    let roundings = Roundings {
        weights: 0,
        total: missing.saturating_add(pairs.len() as u64),
    };
    Dist::gather(pairs, 1.0, roundings)
}

fn distinct<T: Ord, P>(pairs: &[(T, P)]) -> Result<(), Error> {
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_by(|&a, &b| pairs[a].0.cmp(&pairs[b].0));
    let repeated = order
        .windows(2)
        .find(|pair| pairs[pair[0]].0 == pairs[pair[1]].0);
    repeated.map_or(Ok(()), |pair| {
        Err(Error::RepeatedOutcome { position: pair[1] })
    })
}
