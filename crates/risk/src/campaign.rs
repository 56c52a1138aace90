//! One army that marches through several territories.

#[cfg(feature = "serde")]
mod parts;

use std::fmt;

use num_rational::BigRational;
use num_traits::ToPrimitive;

use crate::chain::{Chain, Made};
use crate::march::{FloatMarch, Goal, Leg, March, Search, check_orders, passage};
use crate::{DEFAULT_WORK, Error, Rules, Side};

/// An army that takes territories one after another.
///
/// In every battle, all units that may attack do so, to the end. When a territory is taken, all
/// units that are left move in. One of them, or [more](Campaign::leaving), stays behind for good,
/// and the others attack the next territory. The army halts when it has taken all territories, or
/// when no unit is left that may attack.
///
/// # Examples
/// ```
/// use oddsmith_risk::Campaign;
///
/// // Ten units, one of which stays at home, against 4, then 3, then 2.
/// let outlook = Campaign::new(10, [4, 3, 2])?.outlook()?;
/// let chances: Vec<String> = outlook.conquered_f64().iter().map(|p| format!("{p:.4}")).collect();
/// assert_eq!(chances, ["0.9298", "0.6704", "0.4119"]); // the first, two, all
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "parts::CampaignParts", into = "parts::CampaignParts")
)]
pub struct Campaign {
    attackers: u32,
    territories: Vec<Territory>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Territory {
    garrison: u32,
    rules: Rules,
    /// How many of the units that take it stay.
    stay: u32,
}

/// The result of a [`Campaign`]: fractions from [`Campaign::outlook`], or floats from
/// [`Campaign::outlook_f64`].
///
/// # Examples
/// Two of three units may attack. If both survive, one holds the first territory and one goes on:
/// ```
/// use oddsmith_risk::Campaign;
///
/// let outlook = Campaign::new(3, [1, 1])?.outlook()?;
/// assert_eq!(outlook.conquered()[1].to_string(), "625/2592"); // 125/216 · 5/12
/// assert_eq!(outlook.left()[0], outlook.conquered()[1]); // nobody may attack from there
/// assert_eq!(outlook.relative_error(), 0.0);
/// assert_eq!(outlook.to_string(), "territory 1: taken with 75.42 %\nterritory 2: taken with 24.11 %\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "V: oddsmith_mdp::written::Written"))
)]
pub struct Outlook<V = BigRational> {
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "oddsmith_mdp::written::values::serialize")
    )]
    conquered: Vec<V>,
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "oddsmith_mdp::written::values::serialize")
    )]
    left: Vec<V>,
    relative_error: f64,
}

/// The largest number of battles in a row; an iterator of them may be infinite.
const MOST_BATTLES: usize = 10_000;

/// Collects an iterator of battles, up to the limit.
pub(crate) fn listed<T>(
    what: &'static str,
    battles: impl Iterator<Item = T>,
) -> Result<Vec<T>, Error> {
    let all: Vec<T> = battles.take(MOST_BATTLES + 1).collect();
    match all.len() > MOST_BATTLES {
        true => Err(Error::TooManyBattles {
            what,
            limit: MOST_BATTLES,
        }),
        false => Ok(all),
    }
}

impl Campaign {
    /// Creates a campaign by the standard rules from the number of troops in the first territory,
    /// one of which stays behind, and the garrisons in order.
    ///
    /// # Errors
    /// [`Error::Garrison`] for fewer than 2 troops, [`Error::NoUnits`] for an empty garrison,
    /// [`Error::NoBattles`] if there are no garrisons, [`Error::TooManyBattles`] for more than
    /// 10,000 garrisons or an infinite iterator.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Campaign;
    ///
    /// assert_eq!(Campaign::new(2, [1])?.win()?.to_string(), "5/12"); // one may attack
    /// assert!(Campaign::new(1, [1]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(troops: u32, garrisons: impl IntoIterator<Item = u32>) -> Result<Self, Error> {
        if troops < 2 {
            return Err(Error::Garrison { troops });
        }
        let territory = |garrison| Territory {
            garrison,
            rules: Rules::standard(),
            stay: 1,
        };
        let territories = listed("a campaign", garrisons.into_iter().map(territory))?;
        if territories.is_empty() {
            return Err(Error::NoBattles {
                what: "a campaign",
                needed: "territory",
            });
        }
        if territories.iter().any(|held| held.garrison == 0) {
            return Err(Error::NoUnits {
                side: Side::Defender,
            });
        }
        Ok(Campaign {
            attackers: troops - 1,
            territories,
        })
    }

    /// Sets the rules for all territories.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Campaign, Rules};
    ///
    /// let campaign = Campaign::new(8, [3, 2])?.rules(Rules::georgiou());
    /// assert_eq!(format!("{:.4}", campaign.outlook()?.conquered_f64()[1]), "0.6805");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Self {
        for territory in &mut self.territories {
            territory.rules.clone_from(&rules);
        }
        self
    }

    /// Sets the rules in one territory, counted from 0, for example a fortress or a garrison with
    /// better dice.
    ///
    /// # Errors
    /// [`Error::NotThere`] if the campaign has no such territory.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Campaign, Rules};
    ///
    /// let eight = Rules::standard().sides(6, 8)?;
    /// let campaign = Campaign::new(17, [3, 2, 1])?.rules_at(1, eight.clone())?;
    /// assert_eq!(format!("{:.6}", campaign.outlook()?.conquered_f64()[1]), "0.972755");
    /// assert!(campaign.rules_at(3, eight).is_err()); // the last of three is 2
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rules_at(mut self, territory: usize, rules: Rules) -> Result<Self, Error> {
        self.territory(territory)?.rules = rules;
        Ok(self)
    }

    /// Sets how many of the units that take a territory, counted from 0, stay there: at least the
    /// one that has to. If fewer units move in, all of them stay and the army halts.
    ///
    /// # Errors
    /// [`Error::NobodyStays`] for 0, [`Error::NotThere`] if the campaign has no such territory.
    ///
    /// # Examples
    /// Three units hold the first territory against later attacks:
    /// ```
    /// use oddsmith_risk::Campaign;
    ///
    /// let careful = Campaign::new(10, [4, 3])?.leaving(0, 3)?.outlook()?;
    /// assert_eq!(format!("{:.4}", careful.conquered_f64()[1]), "0.4527"); // and not 0.6704
    /// assert!(Campaign::new(10, [4, 3])?.leaving(0, 0).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "garrison")]
    pub fn leaving(mut self, territory: usize, units: u32) -> Result<Self, Error> {
        if units == 0 {
            return Err(Error::NobodyStays { territory });
        }
        self.territory(territory)?.stay = units;
        Ok(self)
    }

    fn territory(&mut self, number: usize) -> Result<&mut Territory, Error> {
        let count = self.territories.len();
        self.territories.get_mut(number).ok_or(Error::NotThere {
            what: "territory",
            number,
            count,
        })
    }

    /// Returns the troops in the first territory at the start, including the one that stays there.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_risk::Campaign::new(10, [4, 3])?.troops(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn troops(&self) -> u32 {
        // `new` subtracted one.
        self.attackers + 1
    }

    /// Returns the garrisons, in order.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Campaign;
    ///
    /// assert_eq!(Campaign::new(10, [4, 3])?.garrisons().collect::<Vec<_>>(), [4, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn garrisons(&self) -> impl Iterator<Item = u32> {
        self.territories.iter().map(|held| held.garrison)
    }

    /// Computes the outcome of the campaign in fractions.
    ///
    /// # Errors
    /// As for [`Battle::survivors`](crate::Battle::survivors), with all battles together.
    ///
    /// # Complexity
    /// For each garrison one pass over all battles of at most this army against it, from all sizes
    /// of the army at once.
    ///
    /// # Examples
    /// A single unit takes a territory and has to stay there:
    /// ```
    /// use oddsmith_risk::Campaign;
    ///
    /// let outlook = Campaign::new(2, [1, 1])?.outlook()?;
    /// let chances: Vec<String> = outlook.conquered().iter().map(|p| p.to_string()).collect();
    /// assert_eq!(chances, ["5/12", "0"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outlook(&self) -> Result<Outlook, Error> {
        self.outlook_within(DEFAULT_WORK)
    }

    /// Returns the chance to take all territories, which is the last of [`Outlook::conquered`].
    ///
    /// # Errors
    /// As for [`outlook`](Campaign::outlook).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, Campaign};
    ///
    /// assert_eq!(Campaign::new(5, [3])?.win()?, Battle::new(4, 3)?.win()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win(&self) -> Result<BigRational, Error> {
        Ok(self.outlook()?.conquered.pop().unwrap_or_default())
    }

    /// Returns [`win`](Campaign::win) as a float, with the error bound of
    /// [`outlook_f64`](Campaign::outlook_f64).
    ///
    /// # Errors
    /// As for [`outlook_f64`](Campaign::outlook_f64).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Campaign;
    ///
    /// assert_eq!(format!("{:.4}", Campaign::new(10, [4, 3, 2])?.win_f64()?), "0.4119");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_f64(&self) -> Result<f64, Error> {
        Ok(self.outlook_f64()?.conquered.pop().unwrap_or(0.0))
    }

    /// Computes the outcome of the campaign in floats, with a relative error of at most
    /// [`Outlook::relative_error`].
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`] if all battles together have more than [`DEFAULT_WORK`] states,
    /// and [`Error::RowsTooLarge`] for more than about 67 million marching units, both before any
    /// work; otherwise as for [`Battle::survivors_f64`](crate::Battle::survivors_f64).
    ///
    /// # Complexity
    /// O(A·D) time for A attackers and D defenders in all garrisons together, O(A + D)
    /// memory.
    ///
    /// # Examples
    /// For this many units, fractions take minutes if they are not rejected:
    /// ```
    /// use oddsmith_risk::Campaign;
    ///
    /// let outlook = Campaign::new(1_500, [1_000, 500, 250])?.outlook_f64()?;
    /// assert_eq!(format!("{:.6}", outlook.conquered()[2]), "0.521448");
    /// assert!(outlook.relative_error() < 1e-11);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outlook_f64(&self) -> Result<Outlook<f64>, Error> {
        self.outlook_f64_within(DEFAULT_WORK)
    }

    /// Computes [`outlook_f64`](Campaign::outlook_f64) with a given limit on the states.
    ///
    /// # Errors
    /// As for [`outlook_f64`](Campaign::outlook_f64).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Campaign;
    ///
    /// let campaign = Campaign::new(17, [3, 2, 1])?;
    /// // 17 · 4 states, 16 · 3 and 15 · 2, armies and garrisons of nobody among them.
    /// assert!(campaign.outlook_f64_within(145).is_err());
    /// assert_eq!(campaign.outlook_f64_within(146)?, campaign.outlook_f64()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outlook_f64_within(&self, limit: u64) -> Result<Outlook<f64>, Error> {
        let mut army = FloatMarch::new(
            self.attackers,
            self.opponents(),
            "a campaign in floats",
            limit,
        )?;
        let mut conquered = Vec::new();
        for leg in &self.legs(limit)? {
            army.attack(leg)?;
            conquered.push(army.alive());
        }
        Ok(Outlook {
            conquered,
            relative_error: army.relative_error(),
            left: army.left(),
        })
    }

    /// Computes [`outlook`](Campaign::outlook) with a given limit on the steps.
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`], before the throws are computed if there are too many states
    /// already. Otherwise it is returned before the first battle, since the number of steps depends
    /// on the throws. [`Error::TooLarge`] and [`Error::ThrowsTooLarge`] if the throws of one battle
    /// take more steps than both `limit` and [`DEFAULT_WORK`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Campaign;
    ///
    /// let campaign = Campaign::new(17, [3, 2, 1])?;
    /// assert!(campaign.outlook_within(100).is_err());
    /// assert_eq!(campaign.outlook_within(10_000)?, campaign.outlook()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outlook_within(&self, limit: u64) -> Result<Outlook, Error> {
        March::refuse(self.attackers, self.opponents(), "a campaign", limit)?;
        let legs = self.legs(limit)?;
        let mut army = March::new(self.attackers, &legs, "a campaign", limit)?;
        let mut conquered = Vec::new();
        for leg in &legs {
            army.attack(leg)?;
            conquered.push(army.alive());
        }
        Ok(Outlook {
            conquered,
            left: army.left(),
            relative_error: 0.0,
        })
    }

    /// Returns how many defenders are met in each territory, and how many of the winners stay
    /// there.
    fn opponents(&self) -> impl Iterator<Item = (u32, u32)> {
        (self.territories.iter()).map(|held| (held.garrison, held.stay))
    }

    fn legs(&self, limit: u64) -> Result<Vec<Leg>, Error> {
        // A small limit must not exclude the throws of the standard box.
        let (limit, mut made, mut most) = (limit.max(DEFAULT_WORK), Made::new(), self.attackers);
        let legs = self.territories.iter().map(|held| {
            let (most_now, garrison) = (most.max(1), held.garrison);
            let chain = Chain::again(most_now, garrison, &held.rules, limit, &mut made)?;
            most = most.saturating_sub(held.stay);
            Ok(Leg::new(chain, held.garrison, held.stay))
        });
        legs.collect()
    }

    /// Returns the order of all territories with the best chance to take them all, and that chance,
    /// as if each territory could be attacked from every other. Chances within 10⁻¹² of each other,
    /// relative to their size, count as equal; among equals, the order that is first by the numbers
    /// of the territories is returned.
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`] if all orders together take more than [`DEFAULT_WORK`] steps.
    /// Eight territories for an army of 139 fit, nine for one of 46. For more, see
    /// [`best_order_within`](Campaign::best_order_within).
    ///
    /// # Complexity
    /// One pass for each garrison computes what becomes of every size of the army. The n! orders
    /// are products of these tables, with common prefixes multiplied once.
    ///
    /// # Examples
    /// The strongest garrison first, then the next:
    /// ```
    /// use oddsmith_risk::Campaign;
    ///
    /// let (order, chance) = Campaign::new(12, [1, 2, 5])?.best_order()?;
    /// assert_eq!((order, format!("{chance:.4}")), (vec![2, 1, 0], "0.7294".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_order(&self) -> Result<(Vec<usize>, f64), Error> {
        self.best_order_within(DEFAULT_WORK)
    }

    /// Computes [`best_order`](Campaign::best_order) with a given limit on the steps. A step is a
    /// product of two numbers, or what takes as long.
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`] beyond the limit.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Campaign, Error};
    ///
    /// let march = Campaign::new(12, [1, 2, 5])?;
    /// let refused = march.best_order_within(2_000);
    /// assert!(matches!(refused, Err(Error::BattleTooLarge { work: 2_322, limit: 2_000, .. })));
    /// assert_eq!(march.best_order_within(2_322)?.0, [2, 1, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_order_within(&self, limit: u64) -> Result<(Vec<usize>, f64), Error> {
        check_orders(self.attackers, self.garrisons(), "all orders", limit)?;
        let (all, limit, mut made) = (self.attackers, limit.max(DEFAULT_WORK), Made::new());
        let passages: Result<Vec<_>, Error> = (self.territories.iter())
            .map(|held| {
                let chain = Chain::again(all, held.garrison, &held.rules, limit, &mut made)?;
                passage(&chain, all, held.garrison, held.stay)
            })
            .collect();
        Ok(Search::best(&passages?, self.attackers, Goal::Through))
    }
}

impl<V> Outlook<V> {
    /// Returns the chances to take the first territory, the first two, and so on.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, Campaign};
    ///
    /// let outlook = Campaign::new(5, [3])?.outlook()?;
    /// assert_eq!(outlook.conquered(), [Battle::new(4, 3)?.win()?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn conquered(&self) -> &[V] {
        &self.conquered
    }

    /// Returns the chances to take all territories with 0, 1, 2, … units left that may attack from
    /// the last one.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Campaign;
    ///
    /// let left = Campaign::new(5, [3])?.outlook()?;
    /// assert_eq!(left.left()[3].to_string(), "137275/559872"); // no loss, one moved in
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn left(&self) -> &[V] {
        &self.left
    }

    /// Returns a bound on the relative error of each chance; 0 for fractions.
    ///
    /// It counts the roundings along the longest campaign. Chances below 10⁻²⁹⁰ are not covered.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Campaign;
    ///
    /// let campaign = Campaign::new(10, [4, 3, 2])?;
    /// assert_eq!(campaign.outlook()?.relative_error(), 0.0);
    /// assert!(campaign.outlook_f64()?.relative_error() < 1e-13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn relative_error(&self) -> f64 {
        self.relative_error
    }
}

impl Outlook {
    /// Returns [`conquered`](Outlook::conquered) as floats, each rounded once. To compute in floats
    /// from the start, use [`Campaign::outlook_f64`].
    ///
    /// # Examples
    /// ```
    /// let chances = oddsmith_risk::Campaign::new(3, [1, 1])?.outlook()?.conquered_f64();
    /// assert_eq!(format!("{:.4} {:.4}", chances[0], chances[1]), "0.7542 0.2411");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn conquered_f64(&self) -> Vec<f64> {
        rounded(&self.conquered)
    }

    /// Returns [`left`](Outlook::left) as floats, each rounded once.
    ///
    /// # Examples
    /// ```
    /// let left = oddsmith_risk::Campaign::new(5, [3])?.outlook()?.left_f64();
    /// assert_eq!(format!("{:.4}", left[3]), "0.2452"); // no loss, one moved in
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn left_f64(&self) -> Vec<f64> {
        rounded(&self.left)
    }
}

impl<V: ToPrimitive> fmt::Display for Outlook<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        one_by_one(f, "territory", &self.conquered)
    }
}

/// Writes the chances that something has been taken, one a line.
pub(crate) fn one_by_one<V: ToPrimitive>(
    f: &mut fmt::Formatter<'_>,
    what: &str,
    chances: &[V],
) -> fmt::Result {
    for (place, chance) in chances.iter().enumerate() {
        let percent = 100.0 * nearest(chance);
        writeln!(f, "{what} {}: taken with {percent:.2} %", place + 1)?;
    }
    Ok(())
}

/// Rounds each once.
pub(crate) fn rounded(chances: &[BigRational]) -> Vec<f64> {
    chances.iter().map(nearest).collect()
}

/// Rounds once.
pub(crate) fn nearest<V: ToPrimitive>(number: &V) -> f64 {
    number.to_f64().unwrap_or(f64::NAN)
}
