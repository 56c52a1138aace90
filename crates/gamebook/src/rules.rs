//! What a book asks of the rules: the law of a test, and of a round of a fight.

use std::fmt::Debug;

use oddsmith_fightingfantasy::{LuckTest, RoundOdds};

use crate::Amount;

/// The rules of a family of books.
///
/// Laws are counts of equally likely rolls, so that play is exact: as fine as 64 bits count,
/// in a fight against several foes too. They depend on the arguments alone. Of rules
/// [given from outside](crate::BookGame::with_rules) nothing else is assumed: they may tell any
/// values apart, however high or low. By a book's own rules some values differ no more, and
/// [`BookSolver`](crate::BookSolver) takes them to be worth the same: where no roll passes a test
/// (below the number of dice) or every roll does (above six times that, by 2 or more), and where
/// a round is at a difference beyond ±12. So it looks at fewer sheets.
///
/// # Examples
/// A gentler rule: whoever is level with the foe wins the round.
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
    /// In how many ways so many six-sided dice pass a test against `value`, and in how
    /// many they do not: as a book has it, 1 to 6 of them, and 2 for a test of LUCK in battle.
    ///
    /// One of the two must be positive; the sum may be beyond 64 bits. A place where a test
    /// has no rolls at all [leads nowhere](oddsmith_mdp::Error::NoOutcome), which the solver
    /// reports, and [`BookSolver`](crate::BookSolver) as [`Error::NoRoll`](crate::Error::NoRoll).
    ///
    /// # Examples
    /// One die against 4:
    /// ```
    /// use oddsmith_gamebook::{FightingFantasy, Rules};
    /// assert_eq!(FightingFantasy::default().test(1, 4), (4, 2));
    /// ```
    fn test(&self, dice: u8, value: i32) -> (u64, u64);

    /// The odds of a round, given the hero's attack less the foe's SKILL.
    ///
    /// # Examples
    /// Four dice fall in 1,296 ways, of which 146 are a draw between equals:
    /// ```
    /// use oddsmith_gamebook::{FightingFantasy, Rules};
    /// assert_eq!(FightingFantasy::default().round(0).counts(), (575, 146, 575));
    /// ```
    fn round(&self, difference: i32) -> RoundOdds;
}

/// The rules of Fighting Fantasy: two dice and SKILL against two dice and SKILL.
///
/// Tests may be of any number of dice whose rolls 64 bits count, which are 24; none add up to
/// 0 for certain. There is no law of more: `(0, 0)`.
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
    /// With this rule of tests.
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

/// 6²⁴ is less than 2⁶⁴, and 6²⁵ is more.
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

/// The counts of a test as weights whose sum fits into a word; `None` if there are no rolls.
///
/// Of 2⁶⁴ rolls or more every other one is left out: that moves a chance by less than 2⁻⁶³,
/// which is nothing beside what a float is rounded by. But none of the two becomes 0.
pub(crate) fn weights((pass, fail): (u64, u64)) -> Option<(u64, u64)> {
    match pass.checked_add(fail) {
        Some(0) => None,
        Some(_) => Some((pass, fail)),
        None => Some(((pass / 2).max(1), (fail / 2).max(1))),
    }
}
