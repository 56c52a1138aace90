//! Fair dice, one or many.

use crate::{DEFAULT_LIMIT, Dist, Error, Weight, power};
use num_bigint::BigUint;

impl Dist<i64> {
    /// Creates one fair die: 1 ..= `sides`, equally likely.
    ///
    /// # Errors
    ///
    /// [`Error::NoSides`] for zero sides, [`Error::TooLarge`] for more than
    /// [`DEFAULT_LIMIT`] allows (about 4.8 million).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::die(20)?.at_least(&15).to_string(), "3/10");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn die(sides: u32) -> Result<Self, Error> {
        Dist::ndice(1, sides)
    }

    /// Creates the sum of `n` fair dice of `sides` sides each, called `Ndice` in the literature on
    /// Dungeons & Dragons. For `n` = 0 it is certainly 0.
    ///
    /// # Errors
    ///
    /// [`Error::NoSides`] for zero sides; [`Error::TooLarge`], before any work, if the result would
    /// need more than [`DEFAULT_LIMIT`] words. 10,000d6 fits; for 20,000d6 use
    /// [`ndice_within`](Self::ndice_within).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let roll = Dist::ndice(2, 6)?;
    /// assert_eq!(roll.p(&7).to_string(), "1/6");
    /// assert!(Dist::ndice(u32::MAX, u32::MAX).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(n·s) coefficients, each computed from three earlier ones in time linear in its length,
    /// which is at most n log₂ s bits. Half of them follow by symmetry.
    #[doc(alias = "Ndice")]
    pub fn ndice(n: u32, sides: u32) -> Result<Self, Error> {
        Dist::ndice_within(n, sides, DEFAULT_LIMIT)
    }

    /// Like [`ndice`](Self::ndice), with the size limit as an argument: the result may take `limit`
    /// 64-bit words, counted as for [`DEFAULT_LIMIT`]. A limit beyond the memory of the machine
    /// gives no protection.
    ///
    /// # Errors
    ///
    /// [`Error::NoSides`] and [`Error::TooLarge`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert!(Dist::ndice_within(100, 6, 1_000).is_err());
    /// assert_eq!(Dist::ndice_within(100, 6, 6_000)?.mean().to_string(), "350");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ndice_within(n: u32, sides: u32, limit: u64) -> Result<Self, Error> {
        if sides == 0 {
            return Err(Error::NoSides);
        }
        if n == 0 || sides == 1 {
            return Ok(Dist::certain(i64::from(n)));
        }
        let length = u128::from(n) * u128::from(sides - 1) + 1;
        let side_count = BigUint::from(sides);
        let words = side_count.words(u64::from(n));
        power::check_size(|| format!("{n}d{sides}"), length, words, limit)?;
        let first = i64::from(n);
        let weights = if n == 1 {
            vec![BigUint::from(1u32); sides as usize]
        } else {
            power::fair_dice(n, sides)
        };
        Ok(Dist {
            outcomes: (first..).take(weights.len()).collect(),
            weights,
            total: side_count.pow(n),
            roundings: Default::default(),
        })
    }
}
