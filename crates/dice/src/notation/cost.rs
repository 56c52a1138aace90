//! The cost of an expression, estimated from its shape alone without computing anything.
//!
//! Each distribution is described by its ends, the grid it lies on, a bound on its number of
//! outcomes and the bits of its total. The rules for each operation follow the complexity that the
//! operation states, and err on the high side.

mod dice;
mod estimate;
mod kept;
mod shape;

use super::tree::Expression;
use crate::Error;
use estimate::Estimate;
use std::fmt;

/// The number of operations on words that each word of the limit allows. What fits into 256 MiB
/// then takes seconds and not hours.
const OPERATIONS_A_WORD: u128 = 256;

/// The cost of computing the distribution of a [`Notation`](crate::Notation): upper bounds,
/// estimated without computing anything.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{DEFAULT_LIMIT, Notation};
///
/// let modest: Notation = "4d6kh3".parse()?;
/// assert!(modest.cost().words() < 1_000);
/// assert!(modest.cost().fits(DEFAULT_LIMIT));
/// let absurd: Notation = "1000000d1000000".parse()?;
/// assert!(absurd.cost().words() > 1_000_000_000_000);
/// assert!(!absurd.cost().fits(DEFAULT_LIMIT));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost {
    words: u128,
    operations: u128,
}

impl Cost {
    /// Returns the memory in 64-bit words: of the distributions of all parts together, and of the
    /// intermediate data.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Notation;
    ///
    /// assert!("1000d6".parse::<Notation>()?.cost().words() > 5_001);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn words(&self) -> u128 {
        self.words
    }

    /// Returns the time in operations on 64-bit words.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Notation;
    ///
    /// let (few, many): (Notation, Notation) = ("10d6kh5".parse()?, "100d6kh50".parse()?);
    /// assert!(10 * few.cost().operations() < many.cost().operations());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn operations(&self) -> u128 {
        self.operations
    }

    /// Returns whether the cost fits `limit`: this many 64-bit words of memory, and 256 operations
    /// for each of them.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Notation;
    ///
    /// let cost = "100d6".parse::<Notation>()?.cost();
    /// assert!(cost.fits(100_000) && !cost.fits(1_000));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fits(&self, limit: u64) -> bool {
        self.words <= u128::from(limit) && self.operations <= allowed(limit)
    }

    pub(super) fn check(&self, what: &Expression, limit: u64) -> Result<(), Error> {
        if self.words > u128::from(limit) {
            return Err(Error::TooLarge {
                operation: shortened(what),
                words: self.words,
                limit,
            });
        }
        if self.operations > allowed(limit) {
            return Err(Error::TooSlow {
                operation: shortened(what),
                operations: self.operations,
                allowed: allowed(limit),
            });
        }
        Ok(())
    }
}

/// Displays words and operations, as in `about 5.1e3 words and 3.0e4 operations`.
impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (words, operations) = (self.words as f64, self.operations as f64);
        write!(f, "about {words:.1e} words and {operations:.1e} operations")
    }
}

fn allowed(limit: u64) -> u128 {
    u128::from(limit) * OPERATIONS_A_WORD
}

/// The expression, truncated where it would fill the screen.
pub(super) fn shortened(what: &Expression) -> String {
    let text = what.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The cost of an expression: in big integers, or in doubles.
pub(super) fn cost(expression: &Expression, exact: bool) -> Cost {
    let mut estimate = Estimate {
        exact,
        words: 0.0,
        operations: 0.0,
        passing: 0.0,
    };
    estimate.law(expression);
    // Conversions of floats saturate, also from infinity; what is no number may be anything.
    let count = |estimate: f64| match estimate.is_nan() {
        true => u128::MAX,
        false => estimate.ceil() as u128,
    };
    Cost {
        words: count(estimate.words + estimate.passing),
        operations: count(estimate.operations),
    }
}
