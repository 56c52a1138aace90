//! The average losses of a throw.

use std::fmt;

use num_rational::BigRational;
use num_traits::Zero;

use crate::Side;
use crate::campaign::nearest;

/// The expected losses of one throw, and the measures of advantage derived from them.
///
/// The two losses add up to the number of pairs compared.
///
/// # Examples
/// Three dice against two, Georgiou's saddle point. His Table 12 has a game value of +0.0395, P_A =
/// 51.975 % and R_e = 0.924, because his program counts every throw of two pairs twice. The true
/// distribution of the throw gives:
/// ```
/// use oddsmith_risk::Throw;
///
/// let losses = Throw::new(3, 2)?.expected_losses()?;
/// assert_eq!(losses.defender().to_string(), "2797/2592");
/// assert_eq!(losses.attacker().to_string(), "2387/2592");
/// assert_eq!(losses.game_value().to_string(), "205/2592"); // +0.0791
/// assert_eq!(losses.attacker_share().to_string(), "2797/5184"); // 53.954 %
/// assert_eq!(losses.equilibrium_ratio().map(|r| r.to_string()), Some("2387/2797".into())); // 0.8534
/// assert_eq!(losses.to_string(), "the attacker loses 0.9209 units, the defender 1.0791");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Losses {
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "oddsmith_mdp::written::value::serialize")
    )]
    attacker: BigRational,
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "oddsmith_mdp::written::value::serialize")
    )]
    defender: BigRational,
}

impl Losses {
    pub(crate) fn new(pairs: u32, defender: BigRational) -> Self {
        Losses {
            attacker: BigRational::from_integer(pairs.into()) - &defender,
            defender,
        }
    }

    /// Returns the expected number of units that the attacker loses.
    ///
    /// # Examples
    /// ```
    /// let losses = oddsmith_risk::Throw::new(2, 1)?.expected_losses()?;
    /// assert_eq!(losses.attacker().to_string(), "91/216");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn attacker(&self) -> &BigRational {
        &self.attacker
    }

    /// Returns the expected number of units that the defender loses.
    ///
    /// # Examples
    /// ```
    /// let losses = oddsmith_risk::Throw::new(3, 1)?.expected_losses()?;
    /// assert_eq!(losses.defender().to_string(), "95/144"); // 855 of 1296 rolls
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn defender(&self) -> &BigRational {
        &self.defender
    }

    /// Returns the expected number of units that a side loses.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Side, Throw};
    ///
    /// let losses = Throw::new(1, 1)?.expected_losses()?;
    /// assert_eq!(losses.of(Side::Attacker).to_string(), "7/12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(&self, side: Side) -> &BigRational {
        match side {
            Side::Attacker => &self.attacker,
            Side::Defender => &self.defender,
        }
    }

    /// Returns the attacker's gain per throw, in units: the defender's losses minus the attacker's,
    /// from −m to m for m pairs. The defender's gain is the opposite.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Throw;
    ///
    /// let losses = Throw::new(3, 2)?.expected_losses()?;
    /// assert_eq!(losses.net().to_string(), "205/1296"); // twice the game value
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn net(&self) -> BigRational {
        &self.defender - &self.attacker
    }

    /// Returns the attacker's gain per pair: the defender's losses minus the attacker's, divided by
    /// the number of pairs, from −1 to 1.
    ///
    /// This is the game value GV of Georgiou's Tables 2, 4, 6, 7, 9 and 10, which have half this
    /// value wherever two pairs are compared.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Throw;
    ///
    /// // Table 2 has −0.1103 = −143/1296.
    /// let losses = Throw::new(2, 2)?.expected_losses()?;
    /// assert_eq!(losses.game_value().to_string(), "-143/648");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "GV")]
    pub fn game_value(&self) -> BigRational {
        self.net() / self.pairs()
    }

    /// Returns the attacker's share of the pairs, P_A: the chance that a pair chosen at random is
    /// won. It is not the chance to win a battle.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Throw;
    ///
    /// let losses = Throw::new(2, 2)?.expected_losses()?;
    /// assert_eq!(losses.defender().to_string(), "505/648"); // of two pairs
    /// assert_eq!(losses.attacker_share().to_string(), "505/1296");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "P_A")]
    pub fn attacker_share(&self) -> BigRational {
        &self.defender / self.pairs()
    }

    /// Returns the defender's share of the pairs, P_D = 1 − P_A.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Throw;
    ///
    /// let losses = Throw::new(3, 2)?.expected_losses()?;
    /// assert_eq!(losses.defender_share().to_string(), "2387/5184");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "P_D")]
    pub fn defender_share(&self) -> BigRational {
        &self.attacker / self.pairs()
    }

    /// Returns R_e, the number of attackers per defender at which both sides wear down evenly if
    /// every throw is like this one: the ratio of the losses. `None` if the defender never loses.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Rules, Throw};
    ///
    /// let hero = Rules::standard().attack_bonus([1]);
    /// let losses = Throw::new(3, 2)?.rules(hero).expected_losses()?;
    /// assert_eq!(losses.equilibrium_ratio().map(|r| r.to_string()), Some("1745/3439".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "R_e")]
    pub fn equilibrium_ratio(&self) -> Option<BigRational> {
        (!self.defender.is_zero()).then(|| &self.attacker / &self.defender)
    }

    /// At least one, since both sides throw.
    fn pairs(&self) -> BigRational {
        &self.attacker + &self.defender
    }
}

impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [attacker, defender] = [&self.attacker, &self.defender].map(nearest);
        write!(
            f,
            "the attacker loses {attacker:.4} units, the defender {defender:.4}"
        )
    }
}
