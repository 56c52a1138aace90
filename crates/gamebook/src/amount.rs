//! Amounts: fixed numbers, or dice.

use std::fmt;
use std::str::FromStr;

use crate::Error;

/// A whole number, or dice: `times` · (sum of `count` dice) + `plus`.
///
/// It is written as a number or as text: `2d6`, `d6`, `1d6+3`, `-1d6`, `-3*1d6`. There are at most
/// six dice with at most 100 sides each, and `times` and `plus` are within ±10,000.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::Amount;
///
/// let arrows: Amount = "-3*1d6".parse()?;
/// assert_eq!((arrows.min(), arrows.max(), arrows.is_fixed()), (-18, -3, false));
/// assert_eq!(arrows.to_string(), "-3*1d6");
/// assert_eq!(Amount::from(5).counts(), [(5, 1)]);
/// assert_eq!("-1d6".parse::<Amount>()?, "-1*1d6".parse()?);
/// assert_eq!("2d6+6".parse::<Amount>()?.counts()[0], (8, 1));
/// assert_eq!("D6 + 1".parse::<Amount>()?, "1d6+1".parse()?);
/// assert!("7d6".parse::<Amount>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Amount {
    times: i16,
    count: u8,
    sides: u8,
    plus: i16,
}

/// The largest number in an amount.
pub(crate) const MOST: i16 = 10_000;

impl From<i16> for Amount {
    fn from(plus: i16) -> Self {
        Amount {
            times: 1,
            count: 0,
            sides: 1,
            plus,
        }
    }
}

impl Amount {
    /// This many six-sided dice.
    pub(crate) fn dice(count: u8) -> Self {
        Amount {
            times: 1,
            count,
            sides: 6,
            plus: 0,
        }
    }

    /// Returns whether it is a fixed number, without dice.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Amount;
    /// assert!(Amount::from(7).is_fixed());
    /// assert!(!"1d6+7".parse::<Amount>()?.is_fixed());
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        self.count == 0
    }

    /// Returns the lowest possible value.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Amount;
    /// assert_eq!("2d6+12".parse::<Amount>()?.min(), 14);
    /// assert_eq!("-1d6".parse::<Amount>()?.min(), -6);
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    #[must_use]
    pub fn min(&self) -> i32 {
        self.counts().first().map_or(0, |first| first.0)
    }

    /// Returns the highest possible value.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Amount;
    /// assert_eq!("2d6+12".parse::<Amount>()?.max(), 24);
    /// assert_eq!("-1d6".parse::<Amount>()?.max(), -1);
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    #[must_use]
    pub fn max(&self) -> i32 {
        self.counts().last().map_or(0, |last| last.0)
    }

    /// Returns all possible values in ascending order, each with its number of ways.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Amount;
    /// let two: Amount = "2d2-2".parse()?;
    /// assert_eq!(two.counts(), [(0, 1), (1, 2), (2, 1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn counts(&self) -> Vec<(i32, u64)> {
        let mut ways = vec![1_u64];
        for _ in 0..self.count {
            let mut next = vec![0; ways.len() + usize::from(self.sides) - 1];
            for (sum, &count) in ways.iter().enumerate() {
                for face in 0..usize::from(self.sides) {
                    next[sum + face] += count;
                }
            }
            ways = next;
        }
        let (times, plus) = (i32::from(self.times), i32::from(self.plus));
        let lowest = i32::from(self.count);
        let sums = (lowest..).zip(ways);
        let mut counts: Vec<_> = sums
            .map(|(sum, count)| (times * sum + plus, count))
            .collect();
        counts.sort_unstable();
        // Zero times the sum is the same for all sums.
        counts.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        counts
    }
}

impl FromStr for Amount {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let bad = || Error::BadAmount { text: text.into() };
        let within = |number: i16| (-MOST..=MOST).contains(&number).then_some(number);
        let number = |text: &str| text.parse().ok().and_then(within).ok_or_else(bad);
        let compact: String = text.split_whitespace().collect();
        let compact = compact.replace('D', "d");
        if !compact.contains('d') {
            return Ok(Amount::from(number(&compact)?));
        }
        let (times, rest) = match compact.split_once('*') {
            Some((times, rest)) => (number(times)?, rest),
            None => match compact.strip_prefix('-') {
                Some(rest) => (-1, rest),
                None => (1, compact.as_str()),
            },
        };
        let (count, rest) = rest.split_once('d').ok_or_else(bad)?;
        let end = rest.find(['+', '-']).unwrap_or(rest.len());
        let (sides, plus) = rest.split_at(end);
        let amount = Amount {
            times,
            count: match count {
                "" => 1,
                count => count.parse().map_err(|_| bad())?,
            },
            sides: sides.parse().map_err(|_| bad())?,
            plus: if plus.is_empty() { 0 } else { number(plus)? },
        };
        let fits = (1..=6).contains(&amount.count) && (1..=100).contains(&amount.sides);
        if fits { Ok(amount) } else { Err(bad()) }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Amount {
            times,
            count,
            sides,
            plus,
        } = self;
        if self.is_fixed() {
            return write!(f, "{plus}");
        }
        if *times != 1 {
            write!(f, "{times}*")?;
        }
        write!(f, "{count}d{sides}")?;
        if *plus == 0 {
            return Ok(());
        }
        write!(f, "{plus:+}")
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Amount {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_fixed() {
            serializer.serialize_i16(self.plus)
        } else {
            serializer.collect_str(self)
        }
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Amount {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberOrDice;
        impl serde::de::Visitor<'_> for NumberOrDice {
            type Value = Amount;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(
                    f,
                    "a whole number between -{MOST} and {MOST}, or dice such as \"2d6+1\""
                )
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Amount, E> {
                let unexpected = serde::de::Unexpected::Signed(number);
                let number = i16::try_from(number).ok();
                number
                    .filter(|number| (-MOST..=MOST).contains(number))
                    .map(Amount::from)
                    .ok_or_else(|| E::invalid_value(unexpected, &self))
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Amount, E> {
                i64::try_from(number)
                    .map_err(|_| E::invalid_value(serde::de::Unexpected::Unsigned(number), &self))
                    .and_then(|number| self.visit_i64(number))
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Amount, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(NumberOrDice)
    }
}
