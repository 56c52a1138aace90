//! The twenty-sided die, with advantage or disadvantage.

use oddsmith_dice::Dist;

use crate::Error;

/// How the d20 is rolled.
///
/// # Examples
/// ```
/// use oddsmith_dnd::D20;
///
/// assert_eq!(D20::Plain.law()?.mean().to_string(), "21/2");
/// assert_eq!(D20::Advantage.law()?.mean().to_string(), "553/40");
/// assert_eq!(D20::Disadvantage.law()?.mean().to_string(), "287/40");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum D20 {
    /// One die.
    #[default]
    Plain,
    /// The higher one of two dice.
    Advantage,
    /// The lower one of two dice.
    Disadvantage,
}

impl D20 {
    /// The roll with so many reasons for advantage and for disadvantage: any
    /// number of one kind counts once, and both kinds cancel.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::D20;
    ///
    /// assert_eq!(D20::with(3, 0), D20::Advantage);
    /// assert_eq!(D20::with(0, 1), D20::Disadvantage);
    /// assert_eq!(D20::with(3, 1), D20::Plain);
    /// assert_eq!(D20::with(0, 0).rolls(), 20);
    /// ```
    #[must_use]
    pub fn with(advantages: u32, disadvantages: u32) -> Self {
        match (advantages > 0, disadvantages > 0) {
            (true, false) => D20::Advantage,
            (false, true) => D20::Disadvantage,
            _ => D20::Plain,
        }
    }

    /// How many equally likely rolls there are: 20, or 400 with two dice.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_dnd::D20::Advantage.rolls(), 400);
    /// ```
    #[must_use]
    pub fn rolls(self) -> u64 {
        match self {
            D20::Plain => 20,
            D20::Advantage | D20::Disadvantage => 400,
        }
    }

    /// How many of the [`rolls`](D20::rolls) count as this number.
    ///
    /// # Errors
    /// [`Error::Natural`] outside 1 to 20.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::D20;
    ///
    /// assert_eq!(D20::Advantage.ways(20)?, 39); // of 400
    /// assert_eq!(D20::Disadvantage.ways(20)?, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ways(self, natural: u32) -> Result<u64, Error> {
        match natural {
            1..=20 => Ok(self.count(natural)),
            given => Err(Error::Natural { given }),
        }
    }

    /// [`ways`](D20::ways) of a number that is known to be on the die.
    pub(crate) fn count(self, natural: u32) -> u64 {
        let natural = u64::from(natural);
        // x² of 400 rolls have no die above x.
        match self {
            D20::Plain => 1,
            D20::Advantage => 2 * natural - 1,
            D20::Disadvantage => 41 - 2 * natural,
        }
    }

    /// The law of the natural roll.
    ///
    /// # Errors
    /// None in fact; laws are made by functions that can fail.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::D20;
    ///
    /// assert_eq!(D20::Advantage.law()?.at_least(&11).to_string(), "3/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law(self) -> Result<Dist<i64>, Error> {
        let ways = (1..=20).map(|natural| (i64::from(natural), self.count(natural)));
        Ok(Dist::from_weights(ways)?)
    }
}
