//! Values in text formats: fractions are texts like `"14/3"`, floats are numbers.
//!
//! [`value`] and [`values`] are for the fields of types of your own, in the attributes of `serde`.
//!
//! # Examples
//! ```
//! use num_rational::BigRational;
//!
//! #[derive(serde::Serialize, serde::Deserialize)]
//! struct Odds {
//!     #[serde(with = "oddsmith_mdp::written::value")]
//!     win: BigRational,
//!     #[serde(with = "oddsmith_mdp::written::values")]
//!     rounds: Vec<f64>,
//! }
//!
//! let odds = Odds { win: BigRational::new(5.into(), 12.into()), rounds: vec![0.25, 0.5] };
//! let text = serde_json::to_string(&odds)?;
//! assert_eq!(text, r#"{"win":"5/12","rounds":[0.25,0.5]}"#);
//! let read: Odds = serde_json::from_str(&text)?;
//! assert_eq!((read.win, read.rounds), (odds.win, odds.rounds));
//! # Ok::<(), serde_json::Error>(())
//! ```

use num_rational::BigRational;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// The maximum length of a fraction that is read.
const LONGEST_FRACTION: usize = 65_536;

mod sealed {
    use num_rational::BigRational;

    pub trait Sealed {}

    impl Sealed for f64 {}
    impl Sealed for BigRational {}
}

/// A value of a solution that can be written: a fraction or a float.
///
/// The trait is sealed, since the formats are fixed.
///
/// # Examples
/// ```
/// use num_rational::BigRational;
/// use oddsmith_mdp::written::Written;
///
/// let half = BigRational::new(1.into(), 2.into());
/// assert_eq!(half.write(serde_json::value::Serializer)?, "1/2");
/// assert_eq!(BigRational::read(serde_json::json!("2/4"))?, half);
/// assert_eq!(f64::read(serde_json::json!(0.5))?, 0.5);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub trait Written: Sized + sealed::Sealed {
    /// Writes the value.
    ///
    /// # Errors
    /// Those of the serializer.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::written::Written;
    /// assert_eq!(0.25.write(serde_json::value::Serializer)?, 0.25);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;

    /// Reads a value.
    ///
    /// # Errors
    /// Those of the deserializer; a text that is not a fraction, or longer than 65,536 characters.
    ///
    /// # Examples
    /// ```
    /// use num_rational::BigRational;
    /// use oddsmith_mdp::written::Written;
    /// let error = BigRational::read(serde_json::json!("a half")).unwrap_err();
    /// assert_eq!(error.to_string(), "\"a half\" is not a fraction");
    /// # assert_eq!(f64::read(serde_json::json!(1)).unwrap(), 1.0);
    /// ```
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

impl Written for f64 {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer)
    }
}

/// Returns an error for a number that would take too long to read: reading takes time in the square
/// of the length.
pub(crate) fn check_length<E: serde::de::Error>(text: &str) -> Result<(), E> {
    let length = text.len();
    match length > LONGEST_FRACTION {
        true => Err(E::custom(format!(
            "a fraction of {length} characters exceeds the limit of {LONGEST_FRACTION}"
        ))),
        false => Ok(()),
    }
}

impl Written for BigRational {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        check_length(&text)?;
        let parsed = text.parse::<BigRational>().ok();
        let parsed = parsed.filter(|_| !text.contains('_'));
        parsed.ok_or_else(|| D::Error::custom(format!("\"{text}\" is not a fraction")))
    }
}

/// For the attribute `#[serde(with = "oddsmith_mdp::written::value")]` of a value.
///
/// # Examples
/// ```
/// use oddsmith_mdp::written::value;
/// assert_eq!(value::serialize(&0.5, serde_json::value::Serializer)?, 0.5);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub mod value {
    use super::Written;
    use serde::{Deserializer, Serializer};

    /// Writes a value.
    ///
    /// # Errors
    /// Those of the serializer.
    ///
    /// # Examples
    /// ```
    /// use num_rational::BigRational;
    /// use oddsmith_mdp::written::value;
    /// let third = BigRational::new(1.into(), 3.into());
    /// assert_eq!(value::serialize(&third, serde_json::value::Serializer)?, "1/3");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn serialize<V: Written, S: Serializer>(
        value: &V,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.write(serializer)
    }

    /// Reads a value.
    ///
    /// # Errors
    /// As for [`Written::read`].
    ///
    /// # Examples
    /// ```
    /// use num_rational::BigRational;
    /// use oddsmith_mdp::written::value;
    /// let third: BigRational = value::deserialize(serde_json::json!("1/3"))?;
    /// assert_eq!(third.to_string(), "1/3");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn deserialize<'de, V: Written, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<V, D::Error> {
        V::read(deserializer)
    }
}

/// A value as something that can be serialized.
///
/// # Examples
/// ```
/// use num_rational::BigRational;
/// use oddsmith_mdp::written::Value;
///
/// let third = BigRational::new(1.into(), 3.into());
/// assert_eq!(serde_json::to_string(&Value(&third))?, r#""1/3""#);
/// assert_eq!(serde_json::to_string(&Value(&0.5))?, "0.5");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug)]
pub struct Value<'v, V>(pub &'v V);

impl<V: Written> Serialize for Value<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

/// For the attribute `#[serde(with = "oddsmith_mdp::written::values")]` of a list of values.
///
/// # Examples
/// ```
/// use oddsmith_mdp::written::values;
/// let list = values::serialize(&[0.5, 0.25], serde_json::value::Serializer)?;
/// assert_eq!(list, serde_json::json!([0.5, 0.25]));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub mod values {
    use super::{Value, Written};
    use serde::de::{Deserialize, Deserializer};
    use serde::ser::Serializer;

    /// A value that has been read.
    struct Read<V>(V);

    impl<'de, V: Written> Deserialize<'de> for Read<V> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            V::read(deserializer).map(Read)
        }
    }

    /// Writes a list of values.
    ///
    /// # Errors
    /// Those of the serializer.
    ///
    /// # Examples
    /// ```
    /// use num_rational::BigRational;
    /// use oddsmith_mdp::written::values;
    /// let odds = [1, 2].map(|count| BigRational::new(count.into(), 3.into()));
    /// let list = values::serialize(&odds, serde_json::value::Serializer)?;
    /// assert_eq!(list, serde_json::json!(["1/3", "2/3"]));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn serialize<'v, V, L, S>(list: &'v L, serializer: S) -> Result<S::Ok, S::Error>
    where
        V: Written + 'v,
        &'v L: IntoIterator<Item = &'v V>,
        S: Serializer,
    {
        serializer.collect_seq(list.into_iter().map(Value))
    }

    /// Reads a list of values.
    ///
    /// # Errors
    /// As for [`Written::read`].
    ///
    /// # Examples
    /// ```
    /// use num_rational::BigRational;
    /// use oddsmith_mdp::written::values;
    /// let odds: Vec<BigRational> = values::deserialize(serde_json::json!(["1/3", "2/3"]))?;
    /// assert_eq!((&odds[0] + &odds[1]).to_string(), "1");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn deserialize<'de, V: Written, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<V>, D::Error> {
        let list = Vec::<Read<V>>::deserialize(deserializer)?;
        Ok(list.into_iter().map(|read| read.0).collect())
    }
}
