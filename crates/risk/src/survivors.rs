//! What is left when a battle is over.

use num_bigint::BigUint;
use oddsmith_dice::{Dist, Weight};

use crate::chain::Chain;
use crate::forward::{self, Floats, Probabilities};
use crate::rows::Size;
use crate::stop_rule::Frontier;
use crate::{Battle, Error, Forces};

/// The joint distribution of the forces at the end of a battle: fractions from
/// [`Battle::survivors`], or floats from [`Battle::survivors_f64`].
///
/// The battle is won if no defender is left. Otherwise no attacker is left, or the
/// [`StopRule`](crate::StopRule) broke it off.
///
/// # Examples
/// ```
/// use oddsmith_risk::{Battle, Forces};
///
/// let left = Battle::new(10, 8)?.survivors()?;
/// assert_eq!(left.ends().len(), 18); // 1 to 10 attackers, or 1 to 8 defenders
/// assert_eq!(format!("{:.4}", left.attackers().to_f64().at_least(&5)), "0.4441");
/// assert_eq!(left.attackers_if_won()?.quantile((1, 2))?, &5); // the median
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "Dist<Forces, W>: serde::Serialize"))
)]
pub struct Survivors<W: Weight = BigUint> {
    start: Forces,
    ends: Dist<Forces, W>,
    relative_error: f64,
}

impl Battle {
    /// Returns the distribution of what is left, in fractions.
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`] beyond [`max_work`](Battle::max_work);
    /// [`Error::ThrowsTooLarge`] for throws of too many dice.
    ///
    /// # Complexity
    /// O(A·D) states with numbers of up to O(A + D) digits, O(D) of which are in memory at a time,
    /// and one common denominator at the end.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, Forces};
    ///
    /// let left = Battle::new(3, 2)?.survivors()?;
    /// let untouched = Forces { attackers: 3, defenders: 0 };
    /// assert_eq!(left.ends().p(&untouched).to_string(), "1445/3888");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn survivors(&self) -> Result<Survivors, Error> {
        let (chain, frontier, radix) = self.in_fractions("exact survivors")?;
        let mut ends = Vec::new();
        forward::push(&radix, &chain, &frontier, self.size(), |end, amount| {
            ends.push((end, amount));
        })?;
        Ok(Survivors {
            start: self.forces(),
            ends: radix.law(ends)?,
            relative_error: 0.0,
        })
    }

    /// Returns the distribution of what is left, in floats.
    ///
    /// # Errors
    /// As for [`survivors`](Battle::survivors).
    ///
    /// # Complexity
    /// O(A·D) states, O(D) of which are in memory at a time.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// let left = Battle::new(100, 100)?.survivors_f64()?;
    /// assert_eq!(format!("{:.6}", left.win()), "0.824363");
    /// assert_eq!(format!("{:.3}", left.expected_attackers()), "16.130");
    /// assert!(left.relative_error() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn survivors_f64(&self) -> Result<Survivors<f64>, Error> {
        let (chain, frontier) = self.chain_within("survivors")?;
        self.survivors_by(&chain, &frontier)
    }

    /// Does the same by throws that have been computed.
    pub(crate) fn survivors_by(
        &self,
        chain: &Chain,
        frontier: &Frontier,
    ) -> Result<Survivors<f64>, Error> {
        let mut ends = Vec::new();
        let floats = Floats(chain);
        forward::push(&floats, chain, frontier, self.size(), |end, amount| {
            ends.push((end, amount));
        })?;
        let ends = floats.law(ends)?;
        // Each weight has this error, and so has their sum, by which it is divided: (1 + e)/(1 − e)
        // − 1.
        let pushed = forward::relative_error(chain, self.size());
        let relative_error = 2.0 * pushed * (1.0 + 2.0 * pushed) + ends.relative_error();
        Ok(Survivors {
            start: self.forces(),
            ends,
            relative_error,
        })
    }

    pub(crate) fn size(&self) -> Size {
        let forces = self.forces();
        Size::new(forces.attackers, forces.defenders)
    }
}

impl<W: Weight> Survivors<W> {
    /// Returns the distribution of both forces at the end.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, Forces};
    ///
    /// let left = Battle::new(2, 1)?.survivors()?;
    /// assert_eq!(left.ends().len(), 3); // two or one attackers, or the defender
    /// let one = Forces { attackers: 1, defenders: 0 };
    /// assert_eq!(left.ends().p(&one).to_string(), "455/2592"); // 91/216 · 5/12
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ends(&self) -> &Dist<Forces, W> {
        &self.ends
    }

    /// Returns the chance that the territory is conquered.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// let battle = Battle::new(3, 2)?;
    /// assert_eq!(battle.survivors()?.win(), battle.win()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn win(&self) -> W::Ratio {
        self.ends.probability(|end| end.defenders == 0)
    }

    /// Returns the chance to conquer with at least this many attackers left.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// let left = Battle::new(3, 2)?.survivors()?;
    /// assert_eq!(left.win_with(3).to_string(), "1445/3888");
    /// assert_eq!(left.win_with(0), left.win());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn win_with(&self, attackers: u32) -> W::Ratio {
        self.ends
            .probability(|end| end.defenders == 0 && end.attackers >= attackers)
    }

    /// Returns the chance that the attack is broken off, so that both sides have units left.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, StopRule};
    ///
    /// let battle = Battle::new(3, 2)?;
    /// assert_eq!(battle.survivors()?.broken_off().to_string(), "0");
    /// let careful = battle.stop(StopRule::at_units(2))?;
    /// assert_eq!(careful.survivors()?.broken_off().to_string(), "2443/3888");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn broken_off(&self) -> W::Ratio {
        self.ends
            .probability(|end| end.defenders > 0 && end.attackers > 0)
    }

    /// Returns the chance that the defenders hold to the end, so that no attackers and some
    /// defenders are left.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, StopRule};
    ///
    /// let battle = Battle::new(3, 2)?;
    /// assert_eq!(battle.survivors()?.held(), battle.lose()?);
    /// let careful = battle.stop(StopRule::at_units(2))?;
    /// assert_eq!(careful.survivors()?.held().to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn held(&self) -> W::Ratio {
        self.ends
            .probability(|end| end.defenders > 0 && end.attackers == 0)
    }

    /// Returns the distribution of the attackers left, won or not.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// let left = Battle::new(1, 1)?.survivors()?.attackers();
    /// assert_eq!(left.p(&0).to_string(), "7/12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn attackers(&self) -> Dist<u32, W> {
        self.ends.map(|end| end.attackers)
    }

    /// Returns the distribution of the defenders left; none are left if the battle is won.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// let left = Battle::new(3, 2)?.survivors()?;
    /// assert_eq!(left.defenders().p(&0), left.win());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn defenders(&self) -> Dist<u32, W> {
        self.ends.map(|end| end.defenders)
    }

    /// Returns the distribution of the attackers left, given that the battle is won.
    ///
    /// # Errors
    /// [`Error::Dice`] if the battle cannot be won, or, in floats, if the chance is lost below
    /// about 1e-300.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// let left = Battle::new(2, 1)?.survivors()?;
    /// assert_eq!(left.win().to_string(), "1955/2592");
    /// assert_eq!(left.attackers_if_won()?.p(&2).to_string(), "300/391"); // 1500 of 1955
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn attackers_if_won(&self) -> Result<Dist<u32, W>, Error> {
        let won = self.ends.given(|end| end.defenders == 0)?;
        Ok(won.map(|end| end.attackers))
    }

    /// Returns the distribution of the attackers lost, given that the battle is won: the cost of
    /// the conquest.
    ///
    /// # Errors
    /// [`Error::Dice`] if the battle cannot be won, or, in floats, if the chance is lost below
    /// about 1e-300.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// let cost = Battle::new(10, 8)?.survivors()?.losses_if_won()?;
    /// let mean = cost.map(|&lost| i64::from(lost)).to_f64().mean();
    /// assert_eq!(format!("{mean:.3}"), "4.689");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn losses_if_won(&self) -> Result<Dist<u32, W>, Error> {
        let start = self.start.attackers;
        Ok(self.attackers_if_won()?.map(|&left| start - left))
    }

    /// Returns the distribution of the defenders left, given that the battle is not won because
    /// they held or because it was broken off.
    ///
    /// # Errors
    /// [`Error::Dice`] if the battle is always won.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// let left = Battle::new(1, 1)?.survivors()?.defenders_if_held()?;
    /// assert_eq!(left.support(), [1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn defenders_if_held(&self) -> Result<Dist<u32, W>, Error> {
        let held = self.ends.given(|end| end.defenders > 0)?;
        Ok(held.map(|end| end.defenders))
    }

    /// Returns the expected number of attackers left, won or not.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// let left = Battle::new(1, 2)?.survivors()?;
    /// assert_eq!(left.expected_attackers().to_string(), "275/2592");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn expected_attackers(&self) -> W::Ratio {
        self.ends.map(|end| i64::from(end.attackers)).mean()
    }

    /// Returns the expected number of defenders left. It is not conditional: battles that the
    /// attackers win count as 0.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// let left = Battle::new(1, 2)?.survivors()?;
    /// assert_eq!(left.expected_defenders().to_string(), "4249/2592");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn expected_defenders(&self) -> W::Ratio {
        self.ends.map(|end| i64::from(end.defenders)).mean()
    }

    /// Returns a bound on the relative error of each probability, and of each mean that is not
    /// conditional; 0 for fractions.
    ///
    /// It counts the roundings along the longest battle. Probabilities below 10⁻²⁹⁰ are not
    /// covered, as in [`Dist::relative_error`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// let battle = Battle::new(3, 2)?;
    /// assert_eq!(battle.survivors()?.relative_error(), 0.0);
    /// assert!(battle.survivors_f64()?.relative_error() < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn relative_error(&self) -> f64 {
        self.relative_error
    }
}
