//! The twenty-sided die: advantage, disadvantage, three dice, and lucky halflings.

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
/// assert_eq!(D20::ElvenAccuracy.law()?.mean().to_string(), "1239/80");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum D20 {
    /// One die.
    #[default]
    Plain,
    /// The higher of two dice.
    Advantage,
    /// The lower of two dice.
    Disadvantage,
    /// The highest of three dice: advantage with the feat Elven Accuracy, which rerolls the lower
    /// of the two.
    #[doc(alias = "triple advantage")]
    ElvenAccuracy,
}

impl D20 {
    /// Returns the roll for these numbers of sources of advantage and of disadvantage. Any number
    /// of one kind counts once, and both kinds cancel.
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

    /// Returns the number of equally likely rolls: 20 to the power of the number of dice.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::D20;
    ///
    /// assert_eq!(D20::Advantage.rolls(), 400);
    /// assert_eq!(D20::ElvenAccuracy.rolls(), 8_000);
    /// ```
    #[must_use]
    pub fn rolls(self) -> u64 {
        20_u64.pow(self.dice())
    }

    fn dice(self) -> u32 {
        match self {
            D20::Plain => 1,
            D20::Advantage | D20::Disadvantage => 2,
            D20::ElvenAccuracy => 3,
        }
    }

    /// Returns how many of the [`rolls`](D20::rolls) count as this number.
    ///
    /// # Errors
    /// [`Error::Natural`] for a number outside 1 to 20.
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

    /// Returns [`ways`](D20::ways) for a number that is known to be on the die.
    pub(crate) fn count(self, natural: u32) -> u64 {
        let x = u64::from(natural);
        // With n dice, xⁿ rolls have no die above x.
        match self {
            D20::Disadvantage => (21 - x).pow(2) - (20 - x).pow(2),
            _ => x.pow(self.dice()) - (x - 1).pow(self.dice()),
        }
    }

    /// Returns the distribution of the natural roll.
    ///
    /// # Errors
    /// None in practice; the functions that create distributions can fail.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::D20;
    ///
    /// assert_eq!(D20::Advantage.law()?.at_least(&11).to_string(), "3/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law(self) -> Result<Dist<i64>, Error> {
        law_of(|natural| self.count(natural))
    }

    /// Returns the distribution of the natural roll of a lucky halfling, who rerolls a die that
    /// shows 1 once and keeps the new number. With two or three dice, only one of them is rerolled
    /// (Player's Handbook 2014, chapter 7, "Advantage and Disadvantage").
    ///
    /// A halfling always rerolls, since no number is less than 1.
    ///
    /// # Errors
    /// None in practice.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::D20;
    ///
    /// let law = D20::Plain.halfling_luck()?;
    /// assert_eq!(law.p(&1).to_string(), "1/400");
    /// assert_eq!(law.p(&20).to_string(), "21/400");
    /// // With disadvantage two ones stay a one: only one die is rolled again.
    /// assert_eq!(D20::Disadvantage.halfling_luck()?.p(&1).to_string(), "29/4000");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn halfling_luck(self) -> Result<Dist<i64>, Error> {
        law_of(|natural| self.lucky_count(natural))
    }

    /// Returns [`count`](D20::count) of a roll with one more die, which replaces a die that
    /// shows 1.
    fn lucky_count(self, natural: u32) -> u64 {
        let (x, dice) = (u64::from(natural), self.dice());
        match self {
            D20::Disadvantage => {
                // Rolls that count x or more, for x > 1: those without a 1, for which the new die
                // is not needed, and those with a single 1, in either place, and a new die of at
                // least x.
                let at_least = |x: u64| match x {
                    1 => 8_000,
                    x => (20 + 2) * (21 - x).pow(2),
                };
                at_least(x) - at_least(x + 1)
            }
            _ => {
                // Rolls that count x or less: those without a 1, and those with 1s, one of which is
                // replaced by the new die.
                let at_most = |x: u64| match x {
                    0 => 0,
                    x => 20 * (x - 1).pow(dice) + x * (x.pow(dice) - (x - 1).pow(dice)),
                };
                at_most(x) - at_most(x - 1)
            }
        }
    }

    /// Returns the twenty counts, beginning with that of 1, and their sum.
    pub(crate) fn counts(self, lucky: bool) -> ([u64; 20], u64) {
        let count = |natural| match lucky {
            true => self.lucky_count(natural),
            false => self.count(natural),
        };
        let rolls = self.rolls() * if lucky { 20 } else { 1 };
        (std::array::from_fn(|face| count(face as u32 + 1)), rolls)
    }
}

fn law_of(count: impl Fn(u32) -> u64) -> Result<Dist<i64>, Error> {
    let ways = (1..=20).map(|natural| (i64::from(natural), count(natural)));
    Ok(Dist::from_weights(ways)?)
}
