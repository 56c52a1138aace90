//! Several armies that attack one territory.

#[cfg(feature = "serde")]
mod parts;

use num_rational::BigRational;
use num_traits::One;

use crate::campaign::{listed, rounded};
use crate::chain::{Chain, Made};
use crate::march::{FloatMarch, Goal, Leg, March, Search, check_orders, passage};
use crate::{DEFAULT_WORK, Error, Rules, Side};

/// Armies that attack one territory one after the other, each to its end or
/// the territory's.
///
/// # Examples
/// Two armies of five that may attack, against eight; and ten at once:
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

/// What comes of an [`Assault`]: fractions, or floats from
/// [`Assault::outlook_f64`].
///
/// # Examples
/// Three times one against one:
/// ```
/// use oddsmith_risk::Assault;
///
/// let outlook = Assault::new([1, 1, 1], 1)?.outlook()?;
/// assert_eq!(outlook.taken()[2].to_string(), "1385/1728");
/// assert_eq!(outlook.defenders_left()[1].to_string(), "343/1728"); // (7/12)³
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AssaultOutlook<V = BigRational> {
    taken: Vec<V>,
    defenders: Vec<V>,
    relative_error: f64,
}

impl Assault {
    /// The armies in their order, the units of each that may attack, and so many defenders. By the
    /// standard rules.
    ///
    /// # Errors
    /// [`Error::NoUnits`] without defenders or for an army of nobody,
    /// [`Error::NoBattles`] without armies, [`Error::TooManyBattles`] for more than 10,000, or a
    /// list without an end.
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

    /// The same rules for all armies.
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

    /// Other rules for one army, counted from 0: a hero.
    ///
    /// # Errors
    /// [`Error::NotThere`] for an army that does not attack.
    ///
    /// # Examples
    /// A hero comes with the second army: 7/12 to win one against one, and not 5/12.
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

    /// The defenders at the start.
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

    /// The units of the armies in their order.
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

    /// How far they come, in fractions.
    ///
    /// # Errors
    /// As for [`Battle::win`](crate::Battle::win), all battles together.
    ///
    /// # Complexity
    /// For each army one pass over all battles of at most the defenders against
    /// it, from all numbers of defenders at once.
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

    /// The chance to take the territory: the last of
    /// [`outlook`](Assault::outlook).
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

    /// [`win`](Assault::win) as a float, with the error bound of
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

    /// How far they come, in floats, with a relative error of at most
    /// [`AssaultOutlook::relative_error`]: also where a chance is small, since it is no
    /// difference from 1.
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

    /// [`outlook_f64`](Assault::outlook_f64) with the limit on the states as an argument.
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

    /// [`outlook`](Assault::outlook) with the limit on the steps as an argument.
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

    /// Whom the defenders meet, of whom nobody stays behind.
    fn opponents(&self) -> impl Iterator<Item = (u32, u32)> {
        self.armies().map(|units| (units, 0))
    }

    /// Seen from the other side: the defenders come through.
    fn legs(&self, limit: u64) -> Result<Vec<Leg>, Error> {
        // Few steps are no reason to refuse the throws of the box.
        let (all, limit, mut made) = (self.defenders, limit.max(DEFAULT_WORK), Made::new());
        let legs = self.armies.iter().map(|(units, rules)| {
            let chain = Chain::again(*units, all, rules, limit, &mut made)?;
            Ok(Leg::new(chain.reversed(), *units, 0))
        });
        legs.collect()
    }

    /// The order of all armies in which the chance to take the territory is best,
    /// and that chance. Among equals, which chances within 10⁻¹² of themselves are, the first in
    /// the order of their numbers. In the chance
    /// nothing cancels, so that small ones have their digits: a few roundings for each unit.
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`] where all orders take more than
    /// [`DEFAULT_WORK`] steps: eight armies against 138 fit, nine against 45.
    /// For more see [`best_order_within`](Assault::best_order_within).
    ///
    /// # Complexity
    /// As for [`Campaign::best_order`](crate::Campaign::best_order).
    ///
    /// # Examples
    /// The large army last; but no simple rule finds the best order:
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

    /// [`best_order`](Assault::best_order) with the limit on the steps as an argument;
    /// see [`Campaign::best_order_within`](crate::Campaign::best_order_within).
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`].
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
    /// The chances that the territory has fallen after the first army, the second,
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

    /// The chances that all armies are gone and 0, 1, 2, … defenders are left; 0
    /// are never, since the territory has fallen then.
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

    /// A bound on the relative error of each chance; 0 for fractions.
    ///
    /// It counts roundings along the longest assault. What falls below 10⁻²⁹⁰ is
    /// outside the count.
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
    /// [`taken`](AssaultOutlook::taken), each fraction rounded once; for floats from the
    /// start see [`Assault::outlook_f64`].
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

    /// [`defenders_left`](AssaultOutlook::defenders_left), each fraction rounded once.
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
