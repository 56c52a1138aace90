//! What a book needs to know of the rules: the odds of a test and of a round of a fight.

use std::fmt::Debug;

use oddsmith_fightingfantasy::{LuckTest, RoundOdds};

use crate::Amount;

/// The rules of a family of books.
///
/// Odds are counts of equally likely rolls, so play is exact to the precision of 64 bits, also in a
/// fight against several foes. They must depend on the arguments alone.
///
/// Nothing else is assumed of rules that are [passed in](crate::BookGame::with_rules): they may
/// distinguish any values, however high or low. With a book's own rules, some values make no
/// difference, and [`BookSolver`](crate::BookSolver) treats them as equal, so it distinguishes
/// fewer sheets. For a test these are the values against which no roll passes (below the number of
/// dice) or every roll does (above six times that, by 2 or more); for a round, the differences
/// beyond ±12.
///
/// # Examples
/// A gentler rule, in which a hero who is level with the foe wins the round:
/// ```
/// use oddsmith_fightingfantasy::{LuckTest, RoundOdds};
/// use oddsmith_gamebook::{FightingFantasy, Rules};
///
/// #[derive(Debug)]
/// struct Gentle(FightingFantasy);
/// impl Rules for Gentle {
///     fn test(&self, dice: u8, value: i32) -> (u64, u64) {
///         self.0.test(dice, value)
///     }
///     fn round(&self, difference: i32) -> RoundOdds {
///         let (win, draw, lose) = self.0.round(difference).counts();
///         RoundOdds::new(win + draw, 0, lose).unwrap_or(self.0.round(difference))
///     }
/// }
/// let gentle = Gentle(FightingFantasy::new(LuckTest::AtMost));
/// assert_eq!(gentle.test(2, 7), (21, 15));
/// assert_eq!(gentle.round(0).counts(), (721, 0, 575));
/// ```
pub trait Rules: Debug + Send + Sync {
    /// Returns in how many ways a roll of `dice` six-sided dice passes a test against `value`, and
    /// in how many ways it fails. A book asks for 1 to 6 dice, and for 2 in a test of LUCK in
    /// battle.
    ///
    /// At least one of the two must be positive; their sum may exceed 64 bits. If both are 0, the
    /// place of the test [leads nowhere](oddsmith_mdp::Error::NoOutcome). A solver reports that
    /// error, and [`BookSolver`](crate::BookSolver) reports
    /// [`Error::NoRoll`](crate::Error::NoRoll).
    ///
    /// # Examples
    /// One die against 4:
    /// ```
    /// use oddsmith_gamebook::{FightingFantasy, Rules};
    /// assert_eq!(FightingFantasy::default().test(1, 4), (4, 2));
    /// ```
    fn test(&self, dice: u8, value: i32) -> (u64, u64);

    /// Returns the odds of a round, given the hero's attack minus the foe's SKILL.
    ///
    /// # Examples
    /// Four dice fall in 1,296 ways, of which 146 are a draw between equals:
    /// ```
    /// use oddsmith_gamebook::{FightingFantasy, Rules};
    /// assert_eq!(FightingFantasy::default().round(0).counts(), (575, 146, 575));
    /// ```
    fn round(&self, difference: i32) -> RoundOdds;
}

/// The rules of Fighting Fantasy: both sides roll two dice and add SKILL.
///
/// Tests may have up to 24 dice, the most whose rolls fit into 64 bits. For more dice the result is
/// `(0, 0)`. With no dice, the roll is always 0.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::LuckTest;
/// use oddsmith_gamebook::{FightingFantasy, Rules};
///
/// let strict = FightingFantasy::new(LuckTest::Below);
/// assert_eq!(strict.test(2, 7), (15, 21));
/// assert_eq!(strict.test(2, 13), (36, 0));
/// assert_eq!(strict.round(-3).counts(), (206, 104, 986));
/// assert_eq!((strict.test(7, 8), strict.test(25, 8)), ((1, 279_935), (0, 0)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FightingFantasy {
    test: LuckTest,
}

impl FightingFantasy {
    /// Creates the rules with this rule for tests.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::LuckTest;
    /// use oddsmith_gamebook::{FightingFantasy, Rules};
    /// assert_eq!(FightingFantasy::new(LuckTest::AtMost).test(2, 8), (26, 10));
    /// assert_eq!(FightingFantasy::new(LuckTest::Below).test(2, 8), (21, 15));
    /// ```
    #[must_use]
    pub fn new(test: LuckTest) -> Self {
        FightingFantasy { test }
    }
}

/// 6²⁴ is less than 2⁶⁴, and 6²⁵ is greater.
const MOST_DICE: u8 = 24;

impl Rules for FightingFantasy {
    fn test(&self, dice: u8, value: i32) -> (u64, u64) {
        let most = match self.test {
            LuckTest::AtMost => value,
            LuckTest::Below => value.saturating_sub(1),
        };
        if dice > MOST_DICE {
            return (0, 0);
        }
        let rolls = Amount::dice(dice).counts();
        let (mut pass, mut fail) = (0, 0);
        for (roll, ways) in rolls {
            *(if roll <= most { &mut pass } else { &mut fail }) += ways;
        }
        (pass, fail)
    }

    fn round(&self, difference: i32) -> RoundOdds {
        RoundOdds::standard(difference.into())
    }
}

/// The counts of a test as weights whose sum fits into 64 bits; `None` if there are no rolls.
///
/// From 2⁶⁴ rolls on, both counts are halved. That moves a probability by less than 2⁻⁶³, which is
/// far below float rounding. Neither count becomes 0.
pub(crate) fn weights((pass, fail): (u64, u64)) -> Option<(u64, u64)> {
    match pass.checked_add(fail) {
        Some(0) => None,
        Some(_) => Some((pass, fail)),
        None => Some(((pass / 2).max(1), (fail / 2).max(1))),
    }
}
