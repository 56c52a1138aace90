//! Several armies that attack one territory.

#[cfg(feature = "serde")]
mod parts;

use std::fmt;

use num_rational::BigRational;
use num_traits::{One, ToPrimitive};

use crate::campaign::{listed, one_by_one, rounded};
use crate::chain::{Chain, Made};
use crate::march::{FloatMarch, Goal, Leg, March, Search, check_orders, passage};
use crate::{DEFAULT_WORK, Error, Rules, Side};

/// Armies that attack one territory one after another. Each fights until it or the territory falls.
///
/// # Examples
/// Two armies with five units that may attack, against eight defenders; and ten at once:
/// ```
/// use oddsmith_risk::{Assault, Battle};
///
/// let taken: Vec<f64> = Assault::new([5, 5], 8)?.outlook()?.taken_f64();
/// let shown: Vec<String> = taken.iter().map(|p| format!("{p:.4}")).collect();
/// assert_eq!(shown, ["0.2240", "0.6595"]); // by the first, by one of the two
/// assert_eq!(format!("{:.4}", Battle::new(10, 8)?.win_f64()?), "0.7240");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "parts::AssaultParts", into = "parts::AssaultParts")
)]
pub struct Assault {
    defenders: u32,
    armies: Vec<(u32, Rules)>,
}

/// The result of an [`Assault`]: fractions from [`Assault::outlook`], or floats from
/// [`Assault::outlook_f64`].
///
/// # Examples
/// Three attacks of one against one:
/// ```
/// use oddsmith_risk::Assault;
///
/// let outlook = Assault::new([1, 1, 1], 1)?.outlook()?;
/// assert_eq!(outlook.taken()[2].to_string(), "1385/1728");
/// assert_eq!(outlook.defenders_left()[1].to_string(), "343/1728"); // (7/12)³
/// assert!(outlook.to_string().ends_with("by army 3: taken with 80.15 %\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "V: oddsmith_mdp::written::Written"))
)]
pub struct AssaultOutlook<V = BigRational> {
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "oddsmith_mdp::written::values::serialize")
    )]
    taken: Vec<V>,
    #[cfg_attr(
        feature = "serde",
        serde(
            rename = "defenders_left",
            serialize_with = "oddsmith_mdp::written::values::serialize"
        )
    )]
    defenders: Vec<V>,
    relative_error: f64,
}

impl Assault {
    /// Creates an assault by the standard rules from the number of units in each army that may
    /// attack, in order, and the number of defenders.
    ///
    /// # Errors
    /// [`Error::NoUnits`] if there are no defenders or an army is empty, [`Error::NoBattles`] if
    /// there are no armies, [`Error::TooManyBattles`] for more than 10,000 armies or an infinite
    /// iterator.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Assault;
    ///
    /// assert_eq!(Assault::new([2], 1)?.win()?.to_string(), "1955/2592");
    /// assert!(Assault::new([2, 0], 1).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(armies: impl IntoIterator<Item = u32>, defenders: u32) -> Result<Self, Error> {
        let none = |side| Err(Error::NoUnits { side });
        if defenders == 0 {
            return none(Side::Defender);
        }
        let standard = Rules::standard();
        let armies = armies.into_iter().map(|units| (units, standard.clone()));
        let armies: Vec<(u32, Rules)> = listed("an assault", armies)?;
        if armies.is_empty() {
            return Err(Error::NoBattles {
                what: "an assault",
                needed: "army",
            });
        }
        if armies.iter().any(|&(units, _)| units == 0) {
            return none(Side::Attacker);
        }
        Ok(Assault { defenders, armies })
    }

    /// Sets the rules for all armies.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Assault, Rules};
    ///
    /// let fortress = Rules::standard().fortress();
    /// let stormed = Assault::new([5, 5], 8)?.rules(fortress).outlook()?;
    /// assert_eq!(format!("{:.4}", stormed.taken_f64()[1]), "0.3660");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Self {
        for army in &mut self.armies {
            army.1.clone_from(&rules);
        }
        self
    }

    /// Sets the rules for one army, counted from 0, for example one with a hero.
    ///
    /// # Errors
    /// [`Error::NotThere`] if there is no such army.
    ///
    /// # Examples
    /// A hero joins the second army. Its chance to win one against one is 7/12, not 5/12.
    /// ```
    /// use oddsmith_risk::{Assault, Rules};
    ///
    /// let hero = Rules::standard().hero_attacks();
    /// let assault = Assault::new([1, 1], 1)?.rules_at(1, hero.clone())?;
    /// assert_eq!(assault.win()?.to_string(), "109/144"); // 1 − 7/12 · 5/12
    /// assert!(assault.rules_at(2, hero).is_err()); // the second of two is 1
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rules_at(mut self, army: usize, rules: Rules) -> Result<Self, Error> {
        let count = self.armies.len();
        let (_, ruled) = self.armies.get_mut(army).ok_or(Error::NotThere {
            what: "army",
            number: army,
            count,
        })?;
        *ruled = rules;
        Ok(self)
    }

    /// Returns the number of defenders at the start.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_risk::Assault::new([6, 2, 3], 8)?.defenders(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn defenders(&self) -> u32 {
        self.defenders
    }

    /// Returns the units of the armies, in order.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Assault;
    ///
    /// assert_eq!(Assault::new([6, 2, 3], 8)?.armies().collect::<Vec<_>>(), [6, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn armies(&self) -> impl Iterator<Item = u32> {
        self.armies.iter().map(|&(units, _)| units)
    }

    /// Computes the outcome of the assault in fractions.
    ///
    /// # Errors
    /// As for [`Battle::win`](crate::Battle::win), with all battles together.
    ///
    /// # Complexity
    /// For each army one pass over all its battles against at most this many defenders, from all
    /// numbers of defenders at once.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Assault;
    ///
    /// let outlook = Assault::new([1, 1], 1)?.outlook()?;
    /// let taken: Vec<String> = outlook.taken().iter().map(|p| p.to_string()).collect();
    /// assert_eq!(taken, ["5/12", "95/144"]); // 1 − (7/12)²
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outlook(&self) -> Result<AssaultOutlook, Error> {
        self.outlook_within(DEFAULT_WORK)
    }

    /// Returns the chance to take the territory, which is the last of [`AssaultOutlook::taken`].
    ///
    /// # Errors
    /// As for [`outlook`](Assault::outlook).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Assault, Battle};
    ///
    /// assert_eq!(Assault::new([4], 3)?.win()?, Battle::new(4, 3)?.win()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win(&self) -> Result<BigRational, Error> {
        Ok(self.outlook()?.taken.pop().unwrap_or_default())
    }

    /// Returns [`win`](Assault::win) as a float, with the error bound of
    /// [`outlook_f64`](Assault::outlook_f64).
    ///
    /// # Errors
    /// As for [`outlook_f64`](Assault::outlook_f64).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Assault;
    ///
    /// assert_eq!(format!("{:.4}", Assault::new([5, 5], 8)?.win_f64()?), "0.6595");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_f64(&self) -> Result<f64, Error> {
        Ok(self.outlook_f64()?.taken.pop().unwrap_or(0.0))
    }

    /// Computes the outcome of the assault in floats, with a relative error of at most
    /// [`AssaultOutlook::relative_error`]. This also holds for small chances, since none is
    /// computed as a difference from 1.
    ///
    /// # Errors
    /// As for [`Campaign::outlook_f64`](crate::Campaign::outlook_f64).
    ///
    /// # Complexity
    /// O(A·D) time for A attackers in all armies together and D defenders, O(A + D)
    /// memory.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Assault;
    ///
    /// let outlook = Assault::new([400, 400], 1_000)?.outlook_f64()?;
    /// let taken = outlook.taken();
    /// assert_eq!(format!("{:.4e} {:.4}", taken[0], taken[1]), "6.2025e-32 0.1106");
    /// assert!(outlook.relative_error() < 1e-11);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outlook_f64(&self) -> Result<AssaultOutlook<f64>, Error> {
        self.outlook_f64_within(DEFAULT_WORK)
    }

    /// Computes [`outlook_f64`](Assault::outlook_f64) with a given limit on the states.
    ///
    /// # Errors
    /// As for [`outlook_f64`](Assault::outlook_f64).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Assault;
    ///
    /// let assault = Assault::new([6, 2, 3], 8)?;
    /// // 9 · 7 states, 9 · 3 and 9 · 4, those of nobody among them.
    /// assert!(assault.outlook_f64_within(125).is_err());
    /// assert_eq!(assault.outlook_f64_within(126)?, assault.outlook_f64()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outlook_f64_within(&self, limit: u64) -> Result<AssaultOutlook<f64>, Error> {
        let defence = FloatMarch::new(
            self.defenders,
            self.opponents(),
            "an assault in floats",
            limit,
        );
        let mut defence = defence.map_err(Error::exchanged)?;
        let mut taken = Vec::new();
        for leg in &self.legs(limit)? {
            defence.attack(leg).map_err(Error::exchanged)?;
            taken.push(defence.lost());
        }
        Ok(AssaultOutlook {
            taken,
            relative_error: defence.relative_error(),
            defenders: defence.left(),
        })
    }

    /// Computes [`outlook`](Assault::outlook) with a given limit on the steps.
    ///
    /// # Errors
    /// As for [`Campaign::outlook_within`](crate::Campaign::outlook_within).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Assault;
    ///
    /// let assault = Assault::new([6, 2, 3], 8)?;
    /// assert!(assault.outlook_within(100).is_err());
    /// assert_eq!(assault.outlook_within(10_000)?, assault.outlook()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outlook_within(&self, limit: u64) -> Result<AssaultOutlook, Error> {
        let fits = March::refuse(self.defenders, self.opponents(), "an assault", limit);
        fits.map_err(Error::exchanged)?;
        let legs = self.legs(limit)?;
        let defence = March::new(self.defenders, &legs, "an assault", limit);
        let mut defence = defence.map_err(Error::exchanged)?;
        let mut taken = Vec::new();
        for leg in &legs {
            defence.attack(leg).map_err(Error::exchanged)?;
            taken.push(BigRational::one() - defence.alive());
        }
        Ok(AssaultOutlook {
            taken,
            defenders: defence.left(),
            relative_error: 0.0,
        })
    }

    /// Returns the armies that the defenders meet, of whom nobody stays behind.
    fn opponents(&self) -> impl Iterator<Item = (u32, u32)> {
        self.armies().map(|units| (units, 0))
    }

    /// The battles from the defenders' point of view: the defenders are the army that comes
    /// through.
    fn legs(&self, limit: u64) -> Result<Vec<Leg>, Error> {
        // A small limit must not exclude the throws of the standard box.
        let (all, limit, mut made) = (self.defenders, limit.max(DEFAULT_WORK), Made::new());
        let legs = self.armies.iter().map(|(units, rules)| {
            let chain = Chain::again(*units, all, rules, limit, &mut made)?;
            Ok(Leg::new(chain.reversed(), *units, 0))
        });
        legs.collect()
    }

    /// Returns the order of all armies with the best chance to take the territory, and that chance.
    /// Chances within 10⁻¹² of each other, relative to their size, count as equal; among equals,
    /// the order that is first by the numbers of the armies is returned. The chance is computed
    /// without cancellation, so small chances are accurate too, to a few roundings for each unit.
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`] if all orders together take more than [`DEFAULT_WORK`] steps.
    /// Eight armies against 138 fit, nine against 45. For more, see
    /// [`best_order_within`](Assault::best_order_within).
    ///
    /// # Complexity
    /// As for [`Campaign::best_order`](crate::Campaign::best_order).
    ///
    /// # Examples
    /// Here the large army should attack last, but no simple rule finds the best order:
    /// ```
    /// use oddsmith_risk::Assault;
    ///
    /// let (order, chance) = Assault::new([6, 2, 3], 8)?.best_order()?;
    /// assert_eq!((order, format!("{chance:.4}")), (vec![2, 1, 0], "0.6661".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_order(&self) -> Result<(Vec<usize>, f64), Error> {
        self.best_order_within(DEFAULT_WORK)
    }

    /// Computes [`best_order`](Assault::best_order) with a given limit on the steps; see
    /// [`Campaign::best_order_within`](crate::Campaign::best_order_within).
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`] beyond the limit.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Assault, Error};
    ///
    /// let storm = Assault::new([6, 2, 3], 8)?;
    /// let refused = storm.best_order_within(1_000);
    /// assert!(matches!(refused, Err(Error::BattleTooLarge { work: 1_566, limit: 1_000, .. })));
    /// assert_eq!(storm.best_order_within(1_566)?.0, [2, 1, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_order_within(&self, limit: u64) -> Result<(Vec<usize>, f64), Error> {
        let fits = check_orders(self.defenders, self.armies(), "all orders of armies", limit);
        fits.map_err(Error::exchanged)?;
        let (all, limit, mut made) = (self.defenders, limit.max(DEFAULT_WORK), Made::new());
        let passages: Result<Vec<_>, Error> = (self.armies.iter())
            .map(|(units, rules)| {
                let chain = Chain::again(*units, all, rules, limit, &mut made)?.reversed();
                passage(&chain, all, *units, 0).map_err(Error::exchanged)
            })
            .collect();
        Ok(Search::best(&passages?, self.defenders, Goal::Stopped))
    }
}

impl<V> AssaultOutlook<V> {
    /// Returns the chances that the territory has fallen after the first army, after the second,
    /// and so on.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Assault, Battle};
    ///
    /// let outlook = Assault::new([4], 3)?.outlook()?;
    /// assert_eq!(outlook.taken(), [Battle::new(4, 3)?.win()?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn taken(&self) -> &[V] {
        &self.taken
    }

    /// Returns the chances that all armies are gone and 0, 1, 2, … defenders are left. The chance
    /// of 0 defenders is 0, since the territory has fallen then.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Assault;
    ///
    /// let left = Assault::new([1, 1], 2)?.outlook()?;
    /// assert_eq!(left.defenders_left()[2].to_string(), "25921/46656"); // (161/216)²
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn defenders_left(&self) -> &[V] {
        &self.defenders
    }

    /// Returns a bound on the relative error of each chance; 0 for fractions.
    ///
    /// It counts the roundings along the longest assault. Chances below 10⁻²⁹⁰ are not covered.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Assault;
    ///
    /// let assault = Assault::new([5, 5], 8)?;
    /// assert_eq!(assault.outlook()?.relative_error(), 0.0);
    /// assert!(assault.outlook_f64()?.relative_error() < 1e-13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn relative_error(&self) -> f64 {
        self.relative_error
    }
}

impl AssaultOutlook {
    /// Returns [`taken`](AssaultOutlook::taken) as floats, each rounded once. To compute in floats
    /// from the start, use [`Assault::outlook_f64`].
    ///
    /// # Examples
    /// ```
    /// let taken = oddsmith_risk::Assault::new([1, 1], 1)?.outlook()?.taken_f64();
    /// assert_eq!(format!("{:.4} {:.4}", taken[0], taken[1]), "0.4167 0.6597");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn taken_f64(&self) -> Vec<f64> {
        rounded(&self.taken)
    }

    /// Returns [`defenders_left`](AssaultOutlook::defenders_left) as floats, each rounded once.
    ///
    /// # Examples
    /// ```
    /// let left = oddsmith_risk::Assault::new([1, 1], 2)?.outlook()?.defenders_left_f64();
    /// assert_eq!(format!("{:.4}", left[2]), "0.5556"); // (161/216)²
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn defenders_left_f64(&self) -> Vec<f64> {
        rounded(&self.defenders)
    }
}

impl<V: ToPrimitive> fmt::Display for AssaultOutlook<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        one_by_one(f, "by army", &self.taken)
    }
}
