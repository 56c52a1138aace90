//! Opposed pools: the highest die against the highest, the second against the second, and
//! so on.

mod listed;
mod prepared;
mod ranks;

use super::engine;
use crate::{DEFAULT_LIMIT, Dist, Error, Pool, Pools, Weight};
use listed::listed;
use prepared::Opposed;
use ranks::Ranks;

/// The winner of a pair of equal dice, see [`Pairing::ties`].
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Pairing, Pool, TieTo};
///
/// let die = Pool::dice(1, 6)?;
/// let duel = die.pairwise(&die, &Pairing::new().ties(TieTo::Nobody))?;
/// assert_eq!(duel.probability(|pairs| pairs.drawn == 1).to_string(), "1/6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TieTo {
    /// The attacker: the pool that [`pairwise`](Pool::pairwise) is called on.
    Attacker,
    /// The defender, as in RISK.
    #[default]
    Defender,
    /// Nobody: the pair is drawn.
    Nobody,
}

/// The results of the pairs of two opposed pools.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Pairing, Pairs, Pool};
///
/// let throw = Pool::dice(3, 6)?.pairwise(&Pool::dice(2, 6)?, &Pairing::new())?;
/// let both = Pairs { won: 2, drawn: 0, lost: 0 };
/// assert_eq!(throw.p(&both).to_string(), "1445/3888");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Pairs {
    /// The number of pairs that the attacker wins.
    pub won: u32,
    /// The number of pairs that nobody wins.
    pub drawn: u32,
    /// The number of pairs that the defender wins.
    pub lost: u32,
}

/// How opposed pools are paired and compared.
///
/// # Examples
///
/// A general adds 1 to the attacker's highest die:
///
/// ```
/// use oddsmith_dice::{Pairing, Pool};
///
/// let general = Pairing::new().attack_bonus([1]);
/// let throw = Pool::dice(3, 6)?.pairwise(&Pool::dice(2, 6)?, &general)?;
/// assert_eq!(throw.map(|pairs| i64::from(pairs.won)).mean().to_string(), "3439/2592");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairing {
    ties: TieTo,
    attack_bonus: Vec<i64>,
    defence_bonus: Vec<i64>,
    clamped: bool,
    sorted_again: bool,
    lowest_first: bool,
}

/// The largest number of bonuses kept, since a list of them may be endless.
const MOST_BONUSES: usize = 1 << 20;

impl Pairing {
    /// Creates the pairing of RISK: highest against highest, ties to the defender, no bonus.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Pairing, Pool};
    ///
    /// let throw = Pool::dice(1, 6)?.pairwise(&Pool::dice(1, 6)?, &Pairing::new())?;
    /// assert_eq!(throw.probability(|pairs| pairs.won == 1).to_string(), "5/12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Pairing::default()
    }

    /// Sets the winner of a pair of equal dice. The default is the [`Defender`](TieTo::Defender).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Pairing, Pool, TieTo};
    ///
    /// let bold = Pairing::new().ties(TieTo::Attacker);
    /// let throw = Pool::dice(1, 6)?.pairwise(&Pool::dice(1, 6)?, &bold)?;
    /// assert_eq!(throw.probability(|pairs| pairs.won == 1).to_string(), "7/12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ties(mut self, to: TieTo) -> Self {
        self.ties = to;
        self
    }

    /// Adds bonuses to the attacker's sorted dice: to the first to be compared, the second, and so
    /// on. Dice beyond the list get none. The list may be endless, for up to a million dice
    /// ([`Error::TooLarge`] if more are compared).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Pairing, Pool};
    ///
    /// let banner = Pairing::new().attack_bonus([1, 1]);
    /// let throw = Pool::dice(2, 6)?.pairwise(&Pool::dice(2, 6)?, &banner)?;
    /// assert_eq!(throw.probability(|pairs| pairs.won == 2).to_string(), "581/1296");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn attack_bonus(mut self, by_rank: impl IntoIterator<Item = i64>) -> Self {
        self.attack_bonus = by_rank.into_iter().take(MOST_BONUSES).collect();
        self
    }

    /// Adds bonuses to the defender's dice in the same way.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Pairing, Pool};
    ///
    /// let fortress = Pairing::new().defence_bonus([1]);
    /// let throw = Pool::dice(1, 6)?.pairwise(&Pool::dice(1, 6)?, &fortress)?;
    /// assert_eq!(throw.probability(|pairs| pairs.won == 1).to_string(), "5/18");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn defence_bonus(mut self, by_rank: impl IntoIterator<Item = i64>) -> Self {
        self.defence_bonus = by_rank.into_iter().take(MOST_BONUSES).collect();
        self
    }

    /// Limits a die with its bonus to the lowest and the highest face of its pool. By default there
    /// is no such limit.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Pairing, Pool};
    ///
    /// let clamped = Pairing::new().attack_bonus([1]).clamped();
    /// let throw = Pool::dice(1, 6)?.pairwise(&Pool::dice(1, 6)?, &clamped)?;
    /// assert_eq!(throw.probability(|pairs| pairs.won == 1).to_string(), "5/9");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn clamped(mut self) -> Self {
        self.clamped = true;
        self
    }

    /// Sorts the dice again after bonuses are added. By default they keep their ranks, even if a
    /// lower one overtakes a higher one.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Pairing, Pool};
    ///
    /// let second = Pairing::new().attack_bonus([0, 3]);
    /// let (attack, defence) = (Pool::dice(2, 6)?, Pool::dice(1, 6)?);
    /// let plain = attack.pairwise(&defence, &second)?; // of no use
    /// assert_eq!(plain.probability(|pairs| pairs.won == 1).to_string(), "125/216");
    /// let again = attack.pairwise(&defence, &second.sorted_again())?;
    /// assert_eq!(again.probability(|pairs| pairs.won == 1).to_string(), "83/108");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sorted_again(mut self) -> Self {
        self.sorted_again = true;
        self
    }

    /// Compares the lowest die with the lowest, the second lowest with the second lowest, and so
    /// on. Unmatched dice are then the highest ones, and bonuses apply from the lowest die upwards.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Pairing, Pool};
    ///
    /// let lowest = Pairing::new().lowest_first();
    /// let throw = Pool::dice(2, 6)?.pairwise(&Pool::dice(1, 6)?, &lowest)?;
    /// assert_eq!(throw.probability(|pairs| pairs.won == 1).to_string(), "55/216");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lowest_first(mut self) -> Self {
        self.lowest_first = true;
        self
    }
}

impl<W: Weight> Pool<i64, W> {
    /// Returns the distribution of the pairs won, drawn and lost if this pool is compared with an
    /// opposed one die by die, highest against highest.
    ///
    /// Dice that were dropped take no part, a die that counts twice is two equal ones, and dice
    /// without an opponent are ignored.
    ///
    /// # Errors
    ///
    /// [`Error::NegativePosition`] for a pool in which a die is subtracted,
    /// [`Error::OutcomeOverflow`] if a die with its bonus does not fit into `i64`,
    /// [`Error::TooLarge`] and [`Error::TooManyStates`] if the comparison takes more than
    /// [`DEFAULT_LIMIT`] words.
    ///
    /// # Complexity
    ///
    /// With m pairs and f faces: O(f·m⁴) products for equal dice on each side, or O(f·m⁶) if ties
    /// go to nobody. This holds if the bonus is the same for all ranks. Each rank whose bonus
    /// differs multiplies the time by up to f. A bonus that is clamped or sorts dice again, and is
    /// not the same for all of them, takes a list of all sorted rolls of both sides.
    ///
    /// # Examples
    ///
    /// The throw of RISK, three dice against two:
    ///
    /// ```
    /// use oddsmith_dice::{Pairing, Pool};
    ///
    /// let throw = Pool::dice(3, 6)?.pairwise(&Pool::dice(2, 6)?, &Pairing::new())?;
    /// let counts: Vec<String> = throw.weights().map(|count| count.to_string()).collect();
    /// assert_eq!(counts, ["2275", "2611", "2890"]); // none, one, both won, of 7776
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pairwise(&self, defence: &Self, pairing: &Pairing) -> Result<Dist<Pairs, W>, Error> {
        self.pairwise_within(defence, pairing, DEFAULT_LIMIT)
    }

    /// Like [`pairwise`](Pool::pairwise), within `limit` 64-bit words.
    ///
    /// # Errors
    ///
    /// The same as for [`pairwise`](Pool::pairwise).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Error, Pairing, Pool};
    ///
    /// let army = Pool::dice(100, 6)?;
    /// let refused = army.pairwise_within(&army, &Pairing::new(), 1_000_000);
    /// assert!(matches!(refused, Err(Error::TooLarge { limit: 1_000_000, .. })));
    /// let throw = Pool::dice(3, 6)?.pairwise_within(&army, &Pairing::new(), 1_000_000)?;
    /// assert_eq!(throw.len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pairwise_within(
        &self,
        defence: &Self,
        pairing: &Pairing,
        limit: u64,
    ) -> Result<Dist<Pairs, W>, Error> {
        let opposed = Opposed::new(self, defence, pairing)?;
        let pairs = opposed.pairs;
        let cut = |bonus: &[i64]| bonus.len() == MOST_BONUSES && pairs > bonus.len() as u64;
        if cut(&pairing.attack_bonus) || cut(&pairing.defence_bonus) {
            return Err(Error::TooLarge {
                operation: format!("a bonus for each of {pairs} pairs of dice"),
                words: pairs.into(),
                limit: MOST_BONUSES as u64,
            });
        }
        if pairs > u64::from(u32::MAX).min(limit) {
            return Err(Error::TooLarge {
                operation: format!("comparing {pairs} pairs of dice"),
                words: pairs.into(),
                limit,
            });
        }
        let read = |won: u32, drawn: u32| Pairs {
            won,
            drawn,
            lost: (pairs as u32).saturating_sub(won).saturating_sub(drawn),
        };
        if opposed.must_be_listed() {
            return Ok(listed(&opposed, limit)?.map(|&(won, drawn)| read(won, drawn)));
        }
        let netted = opposed.netted()?;
        let (attack, defence) = (&netted.attack, &netted.defence);
        // Dice beyond the list get no bonus.
        let listed = netted.extra.iter().rposition(|&extra| extra != 0);
        let extra = &netted.extra[..listed.map_or(0, |last| last + 1)];
        if extra.is_empty()
            && let Some(tally) = engine::oppose(attack, defence, pairing.ties, limit)?
        {
            let found = tally.found.into_iter();
            let found = found.map(|([won, drawn], ways)| (read(won, drawn), ways));
            return Dist::gather(found.collect(), tally.total, tally.roundings);
        }
        let ranks = Ranks {
            ties: pairing.ties,
            extra: extra.to_vec(),
        };
        let law = Pools::new([attack, defence]).evaluate_within(&ranks, limit)?;
        Ok(law.map(|&(won, drawn)| read(won, drawn)))
    }
}
