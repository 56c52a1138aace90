//! One throw of the dice.

use oddsmith_dice::Dist;

use crate::pairs::Pairs;
use crate::rules::check_dice;
use crate::{Error, Losses, Rules};

/// The steps that a throw, or all throws of a battle, may take where no limit is
/// given: 2³⁰, about a second at most.
///
/// # Examples
/// ```
/// use oddsmith_risk::{DEFAULT_WORK, Throw};
///
/// assert_eq!(DEFAULT_WORK, 1_073_741_824);
/// let throw = Throw::new(5, 4)?;
/// assert_eq!(throw.law_within(DEFAULT_WORK)?, throw.law()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const DEFAULT_WORK: u64 = 1 << 30;

/// One throw: so many dice of the attacker against so many of the defender.
///
/// Both sides sort their dice. The highest are compared, the second highest,
/// and so on while both have dice; the lower die of each pair costs its side a
/// unit, and the [`Rules`] say who wins ties.
///
/// # Examples
/// ```
/// use oddsmith_risk::Throw;
///
/// let law = Throw::new(3, 2)?.law()?; // of the pairs that the attacker wins
/// assert_eq!(law.total(), &7776u32.into());
/// let counts: Vec<String> = law.weights().map(|count| count.to_string()).collect();
/// assert_eq!(counts, ["2275", "2611", "2890"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Throw {
    attack: u32,
    defence: u32,
    rules: Rules,
}

impl Throw {
    /// So many dice against so many, by the standard rules: six sides, ties to
    /// the defender.
    ///
    /// Any number of dice, whatever `max_dice` says: that binds battles.
    ///
    /// # Errors
    /// [`Error::NoDice`] for a zero.
    ///
    /// # Examples
    /// See [`Throw`].
    pub fn new(attack: u32, defence: u32) -> Result<Self, Error> {
        check_dice(attack, defence)?;
        Ok(Throw {
            attack,
            defence,
            rules: Rules::standard(),
        })
    }

    /// The same dice by other rules.
    ///
    /// # Examples
    /// See [`Rules`].
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// How many dice the attacker throws.
    ///
    /// # Examples
    /// See [`Rules::standard`].
    #[must_use]
    pub fn attack_dice(&self) -> u32 {
        self.attack
    }

    /// How many dice the defender throws.
    ///
    /// # Examples
    /// See [`Rules::standard`].
    #[must_use]
    pub fn defence_dice(&self) -> u32 {
        self.defence
    }

    /// How many pairs are compared, which is how many units are lost.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_risk::Throw::new(3, 2)?.pairs(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pairs(&self) -> u32 {
        self.attack.min(self.defence)
    }

    /// The law of the number of pairs that the attacker wins: the units that
    /// the defender loses. The attacker loses the other pairs.
    ///
    /// Counts are over all rolls of all dice, not reduced.
    ///
    /// # Errors
    /// [`Error::TooLarge`], before any work, if that would take more than
    /// [`DEFAULT_WORK`] steps. Forty dice against forty fit.
    ///
    /// # Complexity
    /// With a and d dice of s faces and m = min(a, d): O(s·m³) products of
    /// integers of m·(a + d)·log₂ s bits by some of max(a, d)·log₂ s. A bonus
    /// on some ranks costs a factor of up to s for each of them, a bonus on all
    /// ranks nothing.
    ///
    /// # Examples
    /// No list of the 6²³ rolls is made:
    /// ```
    /// use oddsmith_risk::Throw;
    ///
    /// let law = Throw::new(12, 11)?.law()?;
    /// assert_eq!(law.total().to_string(), "789730223053602816"); // 6²³
    /// assert_eq!(law.p(&11).to_string(), "121562361639311/7312316880125952");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law(&self) -> Result<Dist<u32>, Error> {
        self.law_within(DEFAULT_WORK)
    }

    /// [`law`](Throw::law) with the limit on the steps as an argument; a step
    /// is a word of 64 bits multiplied, or what takes as long.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Error, Throw};
    ///
    /// let throw = Throw::new(30, 30)?;
    /// assert!(matches!(throw.law_within(1_000_000), Err(Error::TooLarge { limit: 1_000_000, .. })));
    /// assert_eq!(throw.law()?.max(), &30);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law_within(&self, limit: u64) -> Result<Dist<u32>, Error> {
        let pairs = Pairs::new([self.attack, self.defence], &self.rules, limit)?;
        Ok(pairs.law()?)
    }

    /// What both sides lose on average.
    ///
    /// # Errors
    /// As for [`law`](Throw::law).
    ///
    /// # Examples
    /// See [`Losses`].
    pub fn expected_losses(&self) -> Result<Losses, Error> {
        let won = self.law()?.map(|&pairs| i64::from(pairs)).mean();
        Ok(Losses::new(self.pairs(), won))
    }
}
