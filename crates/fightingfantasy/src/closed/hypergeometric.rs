//! Equation (8) as printed, with a hypergeometric function.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

use super::WithoutLuck;
use super::histories::binomial;
use crate::Error;
use crate::number::{check_work, fraction, power};

impl WithoutLuck {
    /// Returns P(victory) by equation (8), exact.
    ///
    /// With the powers of p_w + p_l absorbed into ρ_w and ρ_l, equation (8) is
    ///
    /// v_p = ρ_w^σ_o · (ρ_w^−σ_o − ρ_l^σ_h · C(σ_h + σ_o − 1, σ_h) · ₂F₁(1, σ_h + σ_o; σ_h + 1; ρ_l)).
    ///
    /// The series of this ₂F₁ is infinite, and at ρ_l = 1 it diverges. Euler's transformation
    /// ₂F₁(a, b; c; z) = (1 − z)^(c − a − b) ₂F₁(c − a, c − b; c; z) turns it into ρ_w^−σ_o ·
    /// ₂F₁(σ_h, 1 − σ_o; σ_h + 1; ρ_l), which ends after σ_o terms. The power of ρ_w cancels with
    /// the one in front, and a sum of integers over one denominator remains,
    ///
    /// v_p = 1 − Σ_{i < σ_o} (−1)^i C(σ_h + σ_o − 1, σ_h + i) C(σ_h + i − 1, i) ρ_l^(σ_h + i).
    ///
    /// Its terms alternate and are much larger than their sum, so this form is suitable for exact
    /// arithmetic only. The result equals that of [`win`](Self::win).
    ///
    /// # Errors
    ///
    /// The same as for [`win`](Self::win).
    ///
    /// # Complexity
    ///
    /// σ_o terms of (σ_h + σ_o) · (2 + log₂(win + lose)) bits.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{RoundOdds, WithoutLuck};
    ///
    /// let duel = WithoutLuck::new(RoundOdds::standard(-3));
    /// assert_eq!(duel.win_hypergeometric(1, 1)?.to_string(), "103/596");
    /// assert_eq!(duel.win_hypergeometric(24, 22)?, duel.win(24, 22)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "equation 8")]
    pub fn win_hypergeometric(
        &self,
        hero_stamina: u32,
        foe_stamina: u32,
    ) -> Result<BigRational, Error> {
        let race = self.race(hero_stamina, foe_stamina)?;
        let (wins, losses) = (race.wins, race.losses);
        let bits = race.bits() + 2 * u128::from(wins + losses);
        check_work(u128::from(wins) + race.rounds(), bits, self.max_work)?;

        let rounds = wins + losses - 1;
        let total = race.total();
        // C(rounds, losses + i) · C(losses + i − 1, i) · lose^i
        let mut term = BigInt::from(binomial(rounds, losses));
        let mut sum = term.clone();
        for i in 1..wins {
            term *= wins - i;
            term /= losses + i;
            term *= losses + i - 1;
            term /= i;
            term *= race.lose;
            sum *= total;
            if i % 2 == 0 {
                sum += &term;
            } else {
                sum -= &term;
            }
        }
        sum *= BigInt::from(power(&BigUint::from(race.lose), losses));
        let total = BigUint::from(total);
        let victory = BigInt::from(power(&total, rounds)) - sum;
        // The sum is a probability, so its magnitude is its value.
        Ok(fraction(victory.magnitude().clone(), &total, rounds))
    }
}
