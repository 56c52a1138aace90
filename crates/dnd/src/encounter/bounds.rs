//! How far floats may be off.

use num_traits::ToPrimitive;

use super::Encounter;
use crate::Error;

impl Encounter {
    /// Two floats between which the chance that the party wins lies, all roundings included;
    /// [`win_f64`](Encounter::win_f64) lies between them, too.
    ///
    /// The values of each fight are [enclosed](oddsmith_mdp::Cyclic), by proof. Where
    /// initiative is rolled they are added up with the chances of n orders, each rounded once,
    /// by n products and n − 1 sums: n + 1 roundings on the way of each, which a factor of
    /// 1 ± ku/(1 − ku) bounds for k of them, u = 2⁻⁵³ (N. J. Higham, "Accuracy and Stability
    /// of Numerical Algorithms", 2nd ed., lemma 3.1). And since a rounding never changes which
    /// of two numbers is less, the sum of numbers in between is between the sums.
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
        // Orders are 720 at most. Twice as much as is counted, for 1/(1 − γ) and for what is
        // rounded here; and numbers below the normal range lose far less than the least of it.
        let beside = 2.0 * (roundings + 3.0) * f64::EPSILON;
        let lower = lower * (1.0 - beside) - f64::MIN_POSITIVE;
        let upper = upper * (1.0 + beside) + f64::MIN_POSITIVE;
        Ok((lower.max(0.0), upper.min(1.0)))
    }
}
