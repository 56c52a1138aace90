//! Serialization. A distribution is a list of pairs `[outcome, probability]`, where the probability
//! is a string if it is exact, and a number if it is a float. A contest has three such
//! probabilities by name.

use crate::rounding::Roundings;
use crate::{
    Cell, Contest, DifferenceTable, Dist, Error, GoodnessOfFit, Notation, Ranking, Waiting, Weight,
};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
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

/// A fraction as text, or a float.
#[derive(serde::Serialize)]
#[serde(untagged)]
enum Number {
    Fraction(String),
    Float(f64),
}

fn number<W: Weight>(ratio: &W::Ratio) -> Number {
    match W::EXACT {
        true => Number::Fraction(ratio.to_string()),
        false => Number::Float(ratio.to_f64().unwrap_or(f64::NAN)),
    }
}

/// Can be written only: for each contestant, the probabilities of winning alone and of winning or
/// sharing the first place.
///
/// # Examples
/// ```
/// use oddsmith_dice::{Best, Dist, Ranking};
///
/// let ranking = Ranking::new(&[Dist::die(6)?, Dist::die(6)?], Best::Highest)?;
/// assert_eq!(
///     serde_json::to_string(&ranking)?,
///     r#"{"win":["5/12","5/12"],"win_or_share":["7/12","7/12"]}"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<W: Weight> Serialize for Ranking<W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let list = |chance: &dyn Fn(usize) -> W::Ratio| -> Vec<Number> {
            (0..self.contestants())
                .map(|contestant| number::<W>(&chance(contestant)))
                .collect()
        };
        let mut written = serializer.serialize_struct("Ranking", 2)?;
        written.serialize_field("win", &list(&|contestant| self.win(contestant)))?;
        let shared = list(&|contestant| self.win_or_share(contestant));
        written.serialize_field("win_or_share", &shared)?;
        written.end()
    }
}

/// Can be written only, as the distribution of the difference of the two rolls.
///
/// # Examples
/// ```
/// use oddsmith_dice::DifferenceTable;
///
/// let coins = DifferenceTable::new(1, 2)?;
/// assert_eq!(serde_json::to_string(&coins)?, r#"[[-1,"1/4"],[0,"1/2"],[1,"1/4"]]"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<W: Weight> Serialize for DifferenceTable<W>
where
    Dist<i64, W>: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.difference().serialize(serializer)
    }
}

/// Can be written only, in floats: the exact statistic may have millions of digits.
///
/// # Examples
/// ```
/// use oddsmith_dice::Dist;
///
/// let fit = Dist::die(2)?.goodness_of_fit([(1, 15), (2, 5)])?;
/// let written = serde_json::to_value(&fit)?;
/// assert_eq!(written["statistic"], 5.0);
/// assert_eq!(written["degrees_of_freedom"], 1);
/// assert_eq!(written["cells"][1]["observed"], 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<W: Weight> Serialize for GoodnessOfFit<W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut written = serializer.serialize_struct("GoodnessOfFit", 5)?;
        written.serialize_field("statistic", &self.statistic())?;
        written.serialize_field("degrees_of_freedom", &self.degrees_of_freedom())?;
        written.serialize_field("p_value", &self.p_value())?;
        written.serialize_field("observations", &self.observations())?;
        written.serialize_field("cells", self.cells())?;
        written.end()
    }
}

/// Can be written only, as part of a test of fit.
///
/// # Examples
/// ```
/// use oddsmith_dice::Dist;
///
/// let fit = Dist::die(2)?.goodness_of_fit([(1, 15), (2, 5)])?;
/// assert_eq!(
///     serde_json::to_string(&fit.cells()[0])?,
///     r#"{"places":{"start":0,"end":1},"observed":15,"expected":10.0}"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut written = serializer.serialize_struct("Cell", 3)?;
        written.serialize_field("places", &self.places)?;
        written.serialize_field("observed", &self.observed)?;
        written.serialize_field("expected", &self.expected)?;
        written.end()
    }
}

/// Can be written only: the mean number of rolls, and the distribution of the last one.
///
/// # Examples
/// ```
/// use oddsmith_dice::Dist;
///
/// let waiting = Dist::die(6)?.until(|&face| face > 4)?;
/// assert_eq!(
///     serde_json::to_string(&waiting)?,
///     r#"{"mean":"3","last":[[5,"1/2"],[6,"1/2"]]}"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<T: Ord + Clone, W: Weight> Serialize for Waiting<T, W>
where
    Dist<T, W>: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut written = serializer.serialize_struct("Waiting", 2)?;
        written.serialize_field("mean", &number::<W>(&self.mean()))?;
        written.serialize_field("last", self.last())?;
        written.end()
    }
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
    // Roundings explain a sum this close to 1. A total of exactly 1 then restores the numbers as
    // written, bit for bit. It differs from the true sum by |sum − 1| and the rounding errors of
    // the sum, which are counted.
    let missing = ((sum - 1.0).abs() / (f64::EPSILON / 4.0)).ceil() as u64;
    let each = pairs.len() as u64;
    let (total, missing) = match missing <= each.saturating_mul(4).saturating_add(8) {
        true => (1.0, missing),
        false => (sum, 0),
    };
    let roundings = Roundings {
        weights: 0,
        total: missing.saturating_add(each),
    };
    Dist::gather(pairs, total, roundings)
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
