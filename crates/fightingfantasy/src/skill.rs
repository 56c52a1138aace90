//! The attack round: who wins it, given the difference in SKILL.

use std::fmt;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_dice::DifferenceTable;

use crate::Error;

/// The probabilities of the outcomes of an attack round, as counts over one total.
///
/// Equations (2)–(4) of the paper: both sides roll two dice and add their SKILL, and the greater
/// sum wins. With X the difference of the two rolls, `win` counts X + Δk > 0, `draw` X + Δk = 0 and
/// `lose` X + Δk < 0, where Δk is the hero's SKILL minus the foe's.
///
/// The total is positive and fits into 64 bits. Two odds are equal if their counts are equal;
/// counts are not reduced.
///
/// ```
/// use oddsmith_fightingfantasy::RoundOdds;
///
/// let even = RoundOdds::standard(0);
/// assert_eq!(even.win().to_string(), "575/1296");
/// assert_eq!(even.draw().to_string(), "73/648");
/// assert_eq!(even.lose().to_string(), "575/1296");
/// assert_eq!(even.to_string(), "won 575, drawn 146, lost 575 of 1296");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RoundOdds {
    win: u64,
    draw: u64,
    lose: u64,
}

/// Written as three fractions: `{"win":"575/1296","draw":"73/648","lose":"575/1296"}`.
#[cfg(feature = "serde")]
impl serde::Serialize for RoundOdds {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;

        let mut written = serializer.serialize_struct("RoundOdds", 3)?;
        written.serialize_field("win", &self.win().to_string())?;
        written.serialize_field("draw", &self.draw().to_string())?;
        written.serialize_field("lose", &self.lose().to_string())?;
        written.end()
    }
}

impl RoundOdds {
    /// Returns the odds of the standard rules: two dice against two, out of 1296 equally likely
    /// rolls.
    ///
    /// Every difference is allowed. At ±10, one side can no longer win a round, but draws are still
    /// possible; beyond ±10, the outcome is certain.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::RoundOdds;
    ///
    /// assert_eq!(RoundOdds::standard(-3).counts(), (206, 104, 986));
    /// assert_eq!(RoundOdds::standard(10).counts(), (1295, 1, 0));
    /// assert_eq!(RoundOdds::standard(i64::MIN).counts(), (0, 0, 1296));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn standard(skill_difference: i64) -> Self {
        // 121 products instead of a table of sextinomial coefficients, which could be mistyped.
        let ways = |sum: i64| 6 - sum.abs_diff(7);
        let mut odds = Self {
            win: 0,
            draw: 0,
            lose: 0,
        };
        for hero in 2..=12 {
            for foe in 2..=12 {
                let both = ways(hero) * ways(foe);
                match skill_difference.saturating_add(hero).cmp(&foe) {
                    std::cmp::Ordering::Greater => odds.win += both,
                    std::cmp::Ordering::Equal => odds.draw += both,
                    std::cmp::Ordering::Less => odds.lose += both,
                }
            }
        }
        odds
    }

    /// Returns the odds when both sides roll the dice of `table`.
    ///
    /// # Errors
    ///
    /// [`Error::CountTooBig`] if a count of the table does not fit into 64 bits, and
    /// [`Error::CountsOverflow`] if the total does not (13 six-sided dice a side are too many).
    ///
    /// ```
    /// use oddsmith_dice::DifferenceTable;
    /// use oddsmith_fightingfantasy::RoundOdds;
    ///
    /// let two_dice = DifferenceTable::new(2, 6)?;
    /// assert_eq!(RoundOdds::from_table(&two_dice, -3)?, RoundOdds::standard(-3));
    /// let one_die = DifferenceTable::new(1, 6)?;
    /// assert_eq!(RoundOdds::from_table(&one_die, 1)?.counts(), (21, 5, 10));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_table(table: &DifferenceTable, skill_difference: i64) -> Result<Self, Error> {
        let [win, draw, lose] = table.counts(skill_difference);
        let small =
            |outcome, count: BigUint| count.to_u64().ok_or(Error::CountTooBig { outcome, count });
        Self::new(
            small("win", win)?,
            small("draw", draw)?,
            small("lose", lose)?,
        )
    }

    /// Creates odds from counts of equally likely rounds.
    ///
    /// # Errors
    ///
    /// [`Error::NoRounds`] if all counts are zero, [`Error::CountsOverflow`] if the total does not
    /// fit into 64 bits.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{Error, RoundOdds};
    ///
    /// let coin = RoundOdds::new(1, 0, 1)?;
    /// assert_eq!(coin.win().to_string(), "1/2");
    /// assert_eq!(RoundOdds::new(0, 0, 0), Err(Error::NoRounds));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(win: u64, draw: u64, lose: u64) -> Result<Self, Error> {
        match win.checked_add(draw).and_then(|sum| sum.checked_add(lose)) {
            None => Err(Error::CountsOverflow { win, draw, lose }),
            Some(0) => Err(Error::NoRounds),
            Some(_) => Ok(Self { win, draw, lose }),
        }
    }

    /// Returns the counts of won, drawn and lost rounds, not reduced.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::RoundOdds;
    ///
    /// assert_eq!(RoundOdds::standard(0).counts(), (575, 146, 575));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn counts(&self) -> (u64, u64, u64) {
        (self.win, self.draw, self.lose)
    }

    /// Returns the total of the counts, which is the denominator of the probabilities.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::RoundOdds;
    ///
    /// assert_eq!(RoundOdds::standard(-9).total(), 1296);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn total(&self) -> u64 {
        // The constructors have checked that the total fits.
        self.win + self.draw + self.lose
    }

    /// Returns P(the hero wins the round), p_w of equation (2).
    ///
    /// ```
    /// use oddsmith_fightingfantasy::RoundOdds;
    ///
    /// assert_eq!(RoundOdds::standard(-4).win().to_string(), "7/72");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "p_w")]
    pub fn win(&self) -> BigRational {
        ratio(self.win, self.total())
    }

    /// Returns P(the round is a draw), p_d of equation (3).
    ///
    /// ```
    /// use oddsmith_fightingfantasy::RoundOdds;
    ///
    /// assert_eq!(RoundOdds::standard(-4).draw().to_string(), "5/81");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "p_d")]
    pub fn draw(&self) -> BigRational {
        ratio(self.draw, self.total())
    }

    /// Returns P(the foe wins the round), p_l of equation (4).
    ///
    /// ```
    /// use oddsmith_fightingfantasy::RoundOdds;
    ///
    /// assert_eq!(RoundOdds::standard(-4).lose().to_string(), "545/648");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "p_l")]
    pub fn lose(&self) -> BigRational {
        ratio(self.lose, self.total())
    }

    /// Returns the probabilities (win, draw, lose) as floats, each the nearest to its fraction.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::RoundOdds;
    ///
    /// assert_eq!(RoundOdds::standard(-9).to_f64(), (1.0 / 1296.0, 4.0 / 1296.0, 1291.0 / 1296.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_f64(&self) -> (f64, f64, f64) {
        let total = self.total();
        (
            nearest(self.win, total),
            nearest(self.draw, total),
            nearest(self.lose, total),
        )
    }

    /// Returns ρ_w = p_w / (1 − p_d), the chance to win a round that is not a draw.
    ///
    /// Draws only take time, so the chance of victory depends on ρ_w and ρ_l alone.
    ///
    /// # Errors
    ///
    /// [`Error::NeverEnding`] if every round is a draw.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::RoundOdds;
    ///
    /// assert_eq!(RoundOdds::standard(-9).decisive_win()?.to_string(), "1/1292");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "rho_w")]
    pub fn decisive_win(&self) -> Result<BigRational, Error> {
        let (win, lose) = self.decisive_counts()?;
        Ok(ratio(win, win + lose))
    }

    /// Returns ρ_l = p_l / (1 − p_d), the chance to lose a round that is not a draw.
    ///
    /// # Errors
    ///
    /// [`Error::NeverEnding`] if every round is a draw.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::RoundOdds;
    ///
    /// assert_eq!(RoundOdds::standard(-9).decisive_lose()?.to_string(), "1291/1292");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "rho_l")]
    pub fn decisive_lose(&self) -> Result<BigRational, Error> {
        let (win, lose) = self.decisive_counts()?;
        Ok(ratio(lose, win + lose))
    }

    /// Returns the counts of won and lost rounds in lowest terms: ρ_w is the first divided by their
    /// sum.
    ///
    /// # Errors
    ///
    /// [`Error::NeverEnding`] if every round is a draw.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::RoundOdds;
    ///
    /// assert_eq!(RoundOdds::standard(0).decisive_counts()?, (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decisive_counts(&self) -> Result<(u64, u64), Error> {
        match self.win.gcd(&self.lose) {
            0 => Err(Error::NeverEnding),
            common => Ok((self.win / common, self.lose / common)),
        }
    }

    /// Returns (ρ_w, ρ_l) as floats, each the nearest to its fraction.
    ///
    /// # Errors
    ///
    /// [`Error::NeverEnding`] if every round is a draw.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::RoundOdds;
    ///
    /// assert_eq!(RoundOdds::standard(0).decisive_f64()?, (0.5, 0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decisive_f64(&self) -> Result<(f64, f64), Error> {
        let (win, lose) = self.decisive_counts()?;
        Ok((nearest(win, win + lose), nearest(lose, win + lose)))
    }

    /// Returns the same round from the foe's point of view, with wins and losses exchanged.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::RoundOdds;
    ///
    /// assert_eq!(RoundOdds::standard(3).reversed(), RoundOdds::standard(-3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self {
            win: self.lose,
            draw: self.draw,
            lose: self.win,
        }
    }
}

fn ratio(count: u64, total: u64) -> BigRational {
    BigRational::new(BigInt::from(count), BigInt::from(total))
}

/// The float nearest to `count / total`; `total` must be positive.
fn nearest(count: u64, total: u64) -> f64 {
    // Below 2^53 both conversions are exact and the division rounds once.
    if total < 1 << 53 {
        return count as f64 / total as f64;
    }
    if count == 0 {
        return 0.0;
    }
    // For larger totals, compute at least 63 bits of the quotient. The last bit is set if there is
    // a remainder, so that the whole fraction is rounded only once.
    let shift = 64 + count.leading_zeros();
    let wide = u128::from(count) << shift;
    let quotient = wide / u128::from(total);
    let rest = u128::from(!wide.is_multiple_of(u128::from(total)));
    (quotient | rest) as f64 / 2_f64.powi(shift.cast_signed())
}

impl fmt::Display for RoundOdds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RoundOdds { win, draw, lose } = self;
        write!(
            f,
            "won {win}, drawn {draw}, lost {lose} of {}",
            self.total()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_rounds_once() {
        for (count, total) in [
            (1, u64::MAX),
            (u64::MAX, u64::MAX),
            (u64::MAX - 1, u64::MAX),
            (1 << 63, u64::MAX),
            (12_345_678_901_234_567, 18_000_000_000_000_000_011),
            (3, (1 << 53) + 1),
            ((1 << 53) + 1, (1 << 54) + 7),
            (0, u64::MAX),
        ] {
            let value = nearest(count, total);
            let exact = ratio(count, total);
            let error = |float: f64| {
                let float = BigRational::from_float(float).unwrap();
                if float > exact {
                    float - &exact
                } else {
                    &exact - float
                }
            };
            assert!(error(value) <= error(value.next_up()), "{count}/{total}");
            assert!(error(value) <= error(value.next_down()), "{count}/{total}");
        }
    }
}
