//! One throw of the dice.

use num_bigint::BigUint;
use oddsmith_dice::Dist;

use crate::pairs::Pairs;
use crate::rules::check_dice;
use crate::{Error, Losses, Rules, Side};

/// The default limit on the steps of a throw, or of all throws of a battle together: 2³⁰.
///
/// Steps are an upper estimate, and they do not all take the same time. Measured just below the
/// limit, all throws of a battle with many small dice took at most a second (up to thirty
/// six-sided dice a side), those with few dice of millions of sides up to ten.
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

/// One throw: a number of the attacker's dice against a number of the defender's.
///
/// Both sides sort their dice. The highest dice are compared, then the second highest, and so on
/// while both sides have dice. The lower die of each pair costs its side a unit, and the [`Rules`]
/// say who wins ties.
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
    /// Creates a throw with these numbers of dice by the standard rules: six sides, ties to the
    /// defender.
    ///
    /// Any number of dice is allowed, whatever `max_dice` is, since that limit applies to battles.
    ///
    /// # Errors
    /// [`Error::NoDice`] if either number is zero.
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

    /// Sets the rules.
    ///
    /// # Examples
    /// With coins instead of dice, the attacker wins only with 2 against 1:
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

    /// Returns how many dice the attacker throws.
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

    /// Returns how many dice the defender throws.
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

    /// Returns how many pairs are compared, which is how many units are lost.
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

    /// Returns the distribution of the number of pairs that the attacker wins, which is the number
    /// of units that the defender loses. The attacker loses the other pairs.
    ///
    /// The counts are over all rolls of all dice and are not reduced.
    ///
    /// # Errors
    /// [`Error::TooLarge`], before any work, if this would take more than [`DEFAULT_WORK`] steps.
    /// Forty dice against forty fit.
    ///
    /// # Complexity
    /// For a and d dice with s faces and m = min(a, d): O(s·m⁴) products of integers of up to (a +
    /// d)·log₂ s bits. A bonus that is the same for all ranks costs nothing. One that differs by
    /// rank takes O(s·m³) products of integers m times as long, and a factor of up to s for each
    /// rank that differs. One that is clamped or sorts the dice again, and differs by rank, takes a
    /// list of all sorted rolls of either side.
    ///
    /// # Examples
    /// The 6²³ rolls are not listed:
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

    /// Returns [`law`](Throw::law) with a given limit on the steps. A step is the multiplication of
    /// a 64-bit word, or what takes as long. A list of sorted rolls also takes memory: up to one
    /// word for each 32 steps allowed, but 256 MiB are always allowed.
    ///
    /// # Errors
    /// [`Error::TooLarge`] beyond the limit.
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

    /// Returns the distribution of the units that one side loses, over all rolls, not reduced.
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

    /// Returns how many rolls cost the attacker 0, 1, 2, … units; they cost the defender the other
    /// pairs. There is one number for each of 0 to [`pairs`](Throw::pairs), including zeros.
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
        Ok(self.counts_by(&self.law()?))
    }

    /// Does the same by a law that has been computed.
    pub(crate) fn counts_by(&self, law: &Dist<u32>) -> Vec<BigUint> {
        let mut counts = vec![BigUint::default(); self.pairs() as usize + 1];
        for (count, &won) in law.weights().zip(law.support()) {
            if let Some(slot) = counts.iter_mut().rev().nth(won as usize) {
                slot.clone_from(count);
            }
        }
        counts
    }

    /// Returns the expected losses of both sides.
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
        Ok(self.losses_by(&self.law()?))
    }

    /// Does the same by a law that has been computed.
    pub(crate) fn losses_by(&self, law: &Dist<u32>) -> Losses {
        let won = law.map(|&pairs| i64::from(pairs)).mean();
        Losses::new(self.pairs(), won)
    }
}
