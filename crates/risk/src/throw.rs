//! One throw of the dice.

use num_bigint::BigUint;
use oddsmith_dice::Dist;

use crate::pairs::Pairs;
use crate::rules::check_dice;
use crate::{Error, Losses, Rules, Side};

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
    /// ```
    /// use oddsmith_risk::Throw;
    ///
    /// let four = Throw::new(4, 1)?; // one die more than in battles
    /// assert_eq!(four.law()?.p(&1).to_string(), "5501/7776"); // 1 − (1⁴ + 2⁴ + … + 6⁴)/6⁵
    /// assert!(Throw::new(0, 1).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    /// Coins instead of dice: the attacker wins by 2 against 1 alone.
    /// ```
    /// use oddsmith_risk::{Rules, Throw};
    ///
    /// let coins = Rules::standard().sides(2, 2)?;
    /// assert_eq!(Throw::new(1, 1)?.rules(coins).law()?.p(&1).to_string(), "1/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// How many dice the attacker throws.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_risk::Rules::standard().throw(9, 9)?.attack_dice(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn attack_dice(&self) -> u32 {
        self.attack
    }

    /// How many dice the defender throws.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_risk::Rules::standard().throw(9, 9)?.defence_dice(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    /// With a and d dice of s faces and m = min(a, d): O(s·m⁴) products of
    /// integers of up to (a + d)·log₂ s bits. A bonus that is the same for all
    /// ranks costs nothing. One that differs takes O(s·m³) products of integers
    /// m times as long, and a factor of up to s for each rank that differs. One
    /// that is clamped or sorts the dice again, and differs by rank, takes a list
    /// of all sorted rolls of either side.
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
    /// is a word of 64 bits multiplied, or what takes as long. A list of sorted rolls
    /// takes memory, too: one word for each 32 steps allowed, and 256 MiB in any case.
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
        pairs.law()
    }

    /// The law of the units that one side loses: over all rolls, not reduced.
    ///
    /// # Errors
    /// As for [`law`](Throw::law).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Side, Throw};
    ///
    /// let lost = Throw::new(3, 2)?.losses_of(Side::Attacker)?;
    /// let counts: Vec<String> = lost.weights().map(|count| count.to_string()).collect();
    /// assert_eq!(counts, ["2890", "2611", "2275"]); // none, one, two of 7776
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn losses_of(&self, side: Side) -> Result<Dist<u32>, Error> {
        let won = self.law()?;
        Ok(match side {
            Side::Defender => won,
            Side::Attacker => won.map(|won| self.pairs() - won),
        })
    }

    /// How many rolls cost the attacker 0, 1, 2, … units; they cost the defender
    /// the other pairs. One number for each of 0 to [`pairs`](Throw::pairs),
    /// zeros too.
    ///
    /// # Errors
    /// As for [`law`](Throw::law).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Rules, Throw};
    ///
    /// let counts = |throw: Throw| throw.counts().map(|c| c.iter().map(|n| n.to_string()).collect::<Vec<_>>());
    /// assert_eq!(counts(Throw::new(3, 2)?)?, ["2890", "2611", "2275"]);
    /// // Dice without faces to win by:
    /// let blank = Rules::standard().sides(1, 1)?;
    /// assert_eq!(counts(Throw::new(3, 2)?.rules(blank))?, ["0", "0", "1"]);
    /// # Ok::<(), oddsmith_risk::Error>(())
    /// ```
    pub fn counts(&self) -> Result<Vec<BigUint>, Error> {
        let law = self.law()?;
        let mut counts = vec![BigUint::default(); self.pairs() as usize + 1];
        for (count, &won) in law.weights().zip(law.support()) {
            if let Some(slot) = counts.iter_mut().rev().nth(won as usize) {
                slot.clone_from(count);
            }
        }
        Ok(counts)
    }

    /// What both sides lose on average.
    ///
    /// # Errors
    /// As for [`law`](Throw::law).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Throw;
    ///
    /// let losses = Throw::new(1, 2)?.expected_losses()?; // one pair: one of both loses a unit
    /// assert_eq!(losses.attacker().to_string(), "161/216");
    /// assert_eq!(losses.defender().to_string(), "55/216");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn expected_losses(&self) -> Result<Losses, Error> {
        let won = self.law()?.map(|&pairs| i64::from(pairs)).mean();
        Ok(Losses::new(self.pairs(), won))
    }
}
