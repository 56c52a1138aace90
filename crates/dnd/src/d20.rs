//! The twenty-sided die: advantage, disadvantage, three dice, a lucky halfling.

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
    /// The higher one of two dice.
    Advantage,
    /// The lower one of two dice.
    Disadvantage,
    /// The highest of three dice: advantage with the feat Elven Accuracy, which rolls
    /// the lower one of the two again.
    #[doc(alias = "triple advantage")]
    ElvenAccuracy,
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

    /// How many equally likely rolls there are: 20 to the power of the dice.
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
        let x = u64::from(natural);
        // Of n dice, xⁿ rolls have no die above x.
        match self {
            D20::Disadvantage => (21 - x).pow(2) - (20 - x).pow(2),
            _ => x.pow(self.dice()) - (x - 1).pow(self.dice()),
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
        law_of(|natural| self.count(natural))
    }

    /// The law of the natural roll of a lucky halfling, who rolls a die that shows 1 once
    /// more and keeps the new number. With two or three dice only one of them is rolled
    /// again (Player's Handbook 2014, chapter 7, "Advantage and Disadvantage").
    ///
    /// Rolling again costs nothing, since no number is less than 1: a halfling always
    /// does it.
    ///
    /// # Errors
    /// None in fact.
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

    /// [`count`](D20::count) of a roll with one more die, which takes the place of a die
    /// that shows 1.
    fn lucky_count(self, natural: u32) -> u64 {
        let (x, dice) = (u64::from(natural), self.dice());
        match self {
            D20::Disadvantage => {
                // Rolls that count x or more, for x > 1: no one at all, and then the new die
                // is not needed, or a single one, in either place, and the new die at
                // least x.
                let at_least = |x: u64| match x {
                    1 => 8_000,
                    x => (20 + 2) * (21 - x).pow(2),
                };
                at_least(x) - at_least(x + 1)
            }
            _ => {
                // Rolls that count x or less: no one at all, or some, one of which shows the
                // new die instead.
                let at_most = |x: u64| match x {
                    0 => 0,
                    x => 20 * (x - 1).pow(dice) + x * (x.pow(dice) - (x - 1).pow(dice)),
                };
                at_most(x) - at_most(x - 1)
            }
        }
    }

    /// The twenty counts, of 1 first, and their sum.
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
