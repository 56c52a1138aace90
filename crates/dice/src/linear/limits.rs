//! Limits on the solution of a system.

use crate::{DEFAULT_LIMIT, Error};

/// The number of operations on words that each word of a limit allows.
const OPERATIONS_A_WORD: u128 = 256;

/// Limits on memory, and on time as a multiple of memory.
///
/// # Examples
///
/// ```
/// use num_bigint::{BigInt, BigUint};
/// use oddsmith_dice::linear::{Direction, Limits, System};
/// use oddsmith_dice::Error;
///
/// let one = BigUint::from(1u32);
/// let rows = vec![vec![(1, one.clone())], vec![(0, one.clone())]];
/// let system = System::new(rows, vec![one.clone(), one])?;
/// let b = [BigInt::from(1), BigInt::from(0)];
/// let mut go_on = || std::ops::ControlFlow::Continue(());
/// let refused = system.solve_within(Direction::Backward, &b, Limits::words(3), &mut go_on);
/// assert!(matches!(refused, Err(Error::TooLarge { words: 12, limit: 3, .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    words: u64,
    operations: u128,
}

impl Limits {
    /// Creates limits of at most this many 64-bit words, and 256 operations on words for each of
    /// them.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{DEFAULT_LIMIT, linear::Limits};
    ///
    /// assert_eq!(Limits::words(DEFAULT_LIMIT), Limits::default());
    /// ```
    #[must_use]
    pub fn words(words: u64) -> Self {
        Limits {
            words,
            operations: u128::from(words) * OPERATIONS_A_WORD,
        }
    }

    /// Returns the same memory limit without a limit on time, for callers that can stop the
    /// solution.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::linear::Limits;
    ///
    /// assert_ne!(Limits::words(1000).any_time(), Limits::words(1000));
    /// ```
    #[must_use]
    pub fn any_time(self) -> Self {
        Limits {
            operations: u128::MAX,
            ..self
        }
    }

    pub(crate) fn check_words(
        self,
        operation: impl FnOnce() -> String,
        words: u128,
    ) -> Result<(), Error> {
        if words > u128::from(self.words) {
            return Err(Error::TooLarge {
                operation: operation(),
                words,
                limit: self.words,
            });
        }
        Ok(())
    }

    pub(crate) fn check_time(
        self,
        operation: impl FnOnce() -> String,
        operations: u128,
    ) -> Result<(), Error> {
        if operations > self.operations {
            return Err(Error::TooSlow {
                operation: operation(),
                operations,
                allowed: self.operations,
            });
        }
        Ok(())
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::words(DEFAULT_LIMIT)
    }
}
