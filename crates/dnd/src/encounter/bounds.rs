//! Error bounds of the floats.

use num_traits::ToPrimitive;

use super::Encounter;
use crate::Error;

impl Encounter {
    /// Returns a lower and an upper bound on the chance that the party wins, including all rounding
    /// errors. [`win_f64`](Encounter::win_f64) also lies between them.
    ///
    /// The values of each fight are provably [enclosed](oddsmith_mdp::Cyclic). If initiative is
    /// rolled, they are added up with the chances of n orders, each rounded once, by n products and
    /// n − 1 sums. That is n + 1 roundings for each term, bounded for k of them by a factor of 1 ±
    /// ku/(1 − ku), u = 2⁻⁵³ (N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd
    /// ed., lemma 3.1). Since rounding is monotonic, the sum of numbers in between lies between the
    /// sums.
    ///
    /// # Errors
    /// As for [`win`](Encounter::win).
    ///
    /// # Complexity
    /// As for [`win_f64`](Encounter::win_f64).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, Encounter, HitPoints};
    ///
    /// let slap = Attack::new("Slap")?.damage("1".parse()?);
    /// let imp = Combatant::new("Imp", 11, HitPoints::fixed(1)?)?.attack(slap);
    /// let fight = Encounter::new([imp.clone()], [imp.clone(), imp])?.order([0, 1, 2])?;
    /// let (lower, upper) = fight.win_bounds()?;
    /// assert!(lower <= 4.0 / 21.0 && 4.0 / 21.0 <= upper);
    /// assert!(upper - lower < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "enclosure")]
    #[doc(alias = "error")]
    pub fn win_bounds(&self) -> Result<(f64, f64), Error> {
        self.fits(1)?;
        let orders = self.orders()?;
        let roundings = orders.len() as f64 + 1.0;
        let (mut lower, mut upper) = (0.0, 0.0);
        for (chance, order) in orders {
            let melee = self.melee(&order)?;
            let (low, high) = self.float(&melee)?.enclosure(&melee.start())?;
            let chance = chance.to_f64().unwrap_or(0.0);
            (lower, upper) = (lower + chance * low, upper + chance * high);
        }
        // There are at most 720 orders. This is twice what is counted, for 1/(1 − γ) and for the
        // roundings made here. Numbers below the normal range lose far less than the least part of
        // it.
        let beside = 2.0 * (roundings + 3.0) * f64::EPSILON;
        let lower = lower * (1.0 - beside) - f64::MIN_POSITIVE;
        let upper = upper * (1.0 + beside) + f64::MIN_POSITIVE;
        Ok((lower.max(0.0), upper.min(1.0)))
    }
}
