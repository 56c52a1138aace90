//! One army through several territories.

#[cfg(feature = "serde")]
mod parts;

use num_rational::BigRational;
use num_traits::ToPrimitive;

use crate::chain::{Chain, Made};
use crate::march::{FloatMarch, Goal, Leg, March, Search, check_orders, passage};
use crate::{DEFAULT_WORK, Error, Rules, Side};

/// An army that takes territories one after the other.
///
/// All units that may attack do, to the end. When a territory is taken all who
/// are left move in; one of them stays behind for good, or
/// [more](Campaign::leaving), and the others attack the next. The army halts when
/// it has taken all, or has nobody left who may attack.
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
    /// Of those who take it.
    stay: u32,
}

/// What comes of a [`Campaign`]: fractions, or floats from
/// [`Campaign::outlook_f64`].
///
/// # Examples
/// Two units of three may attack. If both live, one holds the first territory, and one goes on:
/// ```
/// use oddsmith_risk::Campaign;
///
/// let outlook = Campaign::new(3, [1, 1])?.outlook()?;
/// assert_eq!(outlook.conquered()[1].to_string(), "625/2592"); // 125/216 · 5/12
/// assert_eq!(outlook.left()[0], outlook.conquered()[1]); // nobody may attack from there
/// assert_eq!(outlook.relative_error(), 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook<V = BigRational> {
    conquered: Vec<V>,
    left: Vec<V>,
    relative_error: f64,
}

/// So many battles one after the other are computed: a list of them need not end.
const MOST_BATTLES: usize = 10_000;

/// All of a list of battles.
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
    /// So many troops in the first territory, of which one stays behind, and
    /// the garrisons in their order, by the standard rules.
    ///
    /// # Errors
    /// [`Error::Garrison`] for fewer than 2 troops, [`Error::NoUnits`] for a
    /// garrison of nobody, [`Error::NoBattles`] for no garrison, [`Error::TooManyBattles`]
    /// for more than 10,000, or a list without an end.
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

    /// The same rules everywhere.
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

    /// Other rules in one territory, counted from 0: a fortress, or a garrison
    /// with better dice.
    ///
    /// # Errors
    /// [`Error::NotThere`] for a territory that the campaign has not.
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

    /// So many of those who take a territory, counted from 0, stay there: at least
    /// the one that has to. If fewer come in all of them stay, and the army halts.
    ///
    /// # Errors
    /// [`Error::NobodyStays`] for 0, [`Error::NotThere`] for a territory that the campaign has not.
    ///
    /// # Examples
    /// Three hold the first territory against what may come later:
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

    /// The troops in the first territory at the start, the one who stays there among them.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_risk::Campaign::new(10, [4, 3])?.troops(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn troops(&self) -> u32 {
        // One was taken away when it was made.
        self.attackers + 1
    }

    /// The garrisons in their order.
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

    /// How far it comes, in fractions.
    ///
    /// # Errors
    /// As for [`Battle::survivors`](crate::Battle::survivors), all battles
    /// together.
    ///
    /// # Complexity
    /// For each garrison one pass over all battles of at most the army against
    /// it, from all sizes of the army at once.
    ///
    /// # Examples
    /// One unit takes a territory, and has to stay there:
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

    /// The chance to take all territories: the last of
    /// [`outlook`](Campaign::outlook).
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

    /// [`win`](Campaign::win) as a float, with the error bound of
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

    /// How far it comes, in floats, with a relative error of at most
    /// [`Outlook::relative_error`].
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`] where all battles together have more than
    /// [`DEFAULT_WORK`] states, [`Error::RowsTooLarge`] for more than some 67 million units
    /// that march, both before any work; otherwise as for
    /// [`Battle::survivors_f64`](crate::Battle::survivors_f64).
    ///
    /// # Complexity
    /// O(A·D) time for A attackers and D defenders in all garrisons together, O(A + D)
    /// memory.
    ///
    /// # Examples
    /// Fractions of so many units take minutes, where they are not refused:
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

    /// [`outlook_f64`](Campaign::outlook_f64) with the limit on the states as an argument.
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

    /// [`outlook`](Campaign::outlook) with the limit on the steps as an argument.
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`]: before the throws are made where the states are too many
    /// already, otherwise, as what they take depends on the throws, before the first battle.
    /// [`Error::TooLarge`] and [`Error::ThrowsTooLarge`] for throws of one leg that take more
    /// than `limit` and more than [`DEFAULT_WORK`].
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

    /// How many are met, and how many of those who win stay.
    fn opponents(&self) -> impl Iterator<Item = (u32, u32)> {
        (self.territories.iter()).map(|held| (held.garrison, held.stay))
    }

    fn legs(&self, limit: u64) -> Result<Vec<Leg>, Error> {
        // Few steps are no reason to refuse the throws of the box.
        let (limit, mut made, mut most) = (limit.max(DEFAULT_WORK), Made::new(), self.attackers);
        let legs = self.territories.iter().map(|held| {
            let (most_now, garrison) = (most.max(1), held.garrison);
            let chain = Chain::again(most_now, garrison, &held.rules, limit, &mut made)?;
            most = most.saturating_sub(held.stay);
            Ok(Leg::new(chain, held.garrison, held.stay))
        });
        legs.collect()
    }

    /// The order of all territories in which the chance to take them all is
    /// best, and that chance; as if each could be attacked from each. Among
    /// equals, which chances within 10⁻¹² of themselves are, the first in the order of
    /// their numbers.
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`] where all orders take more than
    /// [`DEFAULT_WORK`] steps: eight territories for an army of 139 fit, nine for one
    /// of 46. For more see [`best_order_within`](Campaign::best_order_within).
    ///
    /// # Complexity
    /// One pass for each garrison gives what becomes of all sizes of the army;
    /// n! orders are products of these tables, with common beginnings
    /// multiplied once.
    ///
    /// # Examples
    /// The strongest first, then the next:
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

    /// [`best_order`](Campaign::best_order) with the limit on the steps as an argument;
    /// a step is a product of two numbers, or what takes as long.
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`].
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
    /// The chances to take the first territory, the first two, and so on.
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

    /// The chances to take all, with 0, 1, 2, … units left that may attack from
    /// the last territory.
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

    /// A bound on the relative error of each chance; 0 for fractions.
    ///
    /// It counts roundings along the longest campaign. What falls below 10⁻²⁹⁰ is
    /// outside the count.
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
    /// [`conquered`](Outlook::conquered), each fraction rounded once; for floats from the
    /// start see [`Campaign::outlook_f64`].
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

    /// [`left`](Outlook::left), each fraction rounded once.
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

/// Each once.
pub(crate) fn rounded(chances: &[BigRational]) -> Vec<f64> {
    let chances = chances.iter();
    chances
        .map(|chance| chance.to_f64().unwrap_or(f64::NAN))
        .collect()
}
