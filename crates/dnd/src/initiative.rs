//! Initiative: who acts first.

use num_rational::BigRational;
use oddsmith_dice::Dist;

use crate::{D20, Error};

/// A rule for equal initiative.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Initiative, InitiativeTie};
///
/// let even = Initiative::new(0, 0);
/// assert_eq!(even.ties(InitiativeTie::First).first()?.to_string(), "21/40");
/// assert_eq!(even.ties(InitiativeTie::RollAgain).first()?.to_string(), "1/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum InitiativeTie {
    /// The higher bonus acts first; equal bonuses roll again.
    #[default]
    HigherBonus,
    /// Both roll again until they differ.
    RollAgain,
    /// The side given first acts first.
    First,
    /// The side given second acts first.
    Second,
}

/// The initiative of two sides: a d20 and a bonus each.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{D20, Initiative};
///
/// let initiative = Initiative::new(3, 1);
/// assert_eq!(initiative.first()?.to_string(), "247/400"); // ties to the higher bonus
/// let alert = initiative.dice(D20::Advantage, D20::Plain);
/// assert_eq!(format!("{:.3}", alert.law()?.to_f64().p(&true)), "0.777");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Initiative {
    bonuses: [i64; 2],
    #[cfg_attr(feature = "serde", serde(default))]
    dice: [D20; 2],
    #[cfg_attr(feature = "serde", serde(default))]
    ties: InitiativeTie,
}

impl Initiative {
    /// Creates initiative with the bonuses of the first and the second side.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Initiative;
    ///
    /// assert_eq!(Initiative::new(5, 0).first()?.to_string(), "59/80"); // 295 of 400
    /// assert_eq!(Initiative::new(0, 5).first()?.to_string(), "21/80");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(first: i64, second: i64) -> Self {
        Initiative {
            bonuses: [first, second],
            dice: [D20::Plain, D20::Plain],
            ties: InitiativeTie::default(),
        }
    }

    /// Sets advantage or disadvantage on the rolls.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{D20, Initiative, InitiativeTie};
    ///
    /// let alert = Initiative::new(0, 0).dice(D20::Advantage, D20::Plain);
    /// assert_eq!(alert.ties(InitiativeTie::First).first()?.to_string(), "553/800"); // 21/40 without
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn dice(mut self, first: D20, second: D20) -> Self {
        self.dice = [first, second];
        self
    }

    /// Sets the rule for ties.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Initiative, InitiativeTie};
    ///
    /// let slow = Initiative::new(0, 0).ties(InitiativeTie::Second);
    /// assert_eq!(slow.first()?.to_string(), "19/40"); // 190 of 400, and 20 are ties
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ties(mut self, rule: InitiativeTie) -> Self {
        self.ties = rule;
        self
    }

    /// Returns the chance that the first side acts first.
    ///
    /// # Errors
    /// None in practice: all bonuses are allowed.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Initiative;
    ///
    /// assert_eq!(Initiative::new(2, 2).first()?.to_string(), "1/2");
    /// assert_eq!(Initiative::new(3, 2).first()?.to_string(), "229/400"); // 171 are less
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn first(&self) -> Result<BigRational, Error> {
        Ok(self.law()?.p(&true))
    }

    /// Returns the distribution of whether the first side acts first.
    ///
    /// # Errors
    /// As for [`first`](Initiative::first).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Initiative;
    ///
    /// let law = Initiative::new(3, 2).law()?;
    /// assert_eq!(law.p(&true).to_string(), "229/400");
    /// assert_eq!(law.p(&false).to_string(), "171/400");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law(&self) -> Result<Dist<bool>, Error> {
        // Only differences within the twenty faces matter. Clamping larger ones keeps every sum in
        // range.
        let difference = i128::from(self.bonuses[0]) - i128::from(self.bonuses[1]);
        let difference = difference.clamp(-30, 30) as i64;
        let [first, second] = [self.dice[0].law()?, self.dice[1].law()?];
        let margin = first.difference(&second)?.shift(difference)?;
        let margin = match self.ties {
            InitiativeTie::First => return Ok(margin.map(|&margin| margin >= 0)),
            InitiativeTie::Second => return Ok(margin.map(|&margin| margin > 0)),
            InitiativeTie::HigherBonus if difference != 0 => {
                return Ok(margin.map(|&margin| margin > 0 || margin == 0 && difference > 0));
            }
            InitiativeTie::HigherBonus | InitiativeTie::RollAgain => margin,
        };
        let decided = margin.given(|&margin| margin != 0)?;
        Ok(decided.map(|&margin| margin > 0))
    }
}
