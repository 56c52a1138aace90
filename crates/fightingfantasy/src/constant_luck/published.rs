//! Equations (11), (12) and (15) as they are printed.

use num_bigint::BigInt;
use num_rational::BigRational;

use super::ConstantLuck;
use crate::closed::check_stamina;
use crate::criterion::integer;
use crate::number::check_work;
use crate::{Error, RoundOdds};

/// Which printed form of P(n; p_f) equation (15) is to use.
///
/// ```
/// use oddsmith_fightingfantasy::{ConstantLuck, PublishedEquation, RoundOdds};
///
/// // One lucky hit always ends it: the chance is that of the round, 1/2.
/// let duel = ConstantLuck::new(RoundOdds::new(1, 0, 1)?, (1, 1))?;
/// assert_eq!(duel.as_published(PublishedEquation::Eq11, 1, 1)?.to_string(), "1");
/// assert_eq!(duel.as_published(PublishedEquation::Eq12, 1, 1)?.to_string(), "1");
/// // Two lucky hits: (12) has the factor 1/2 of the first, (11) of neither.
/// assert_eq!(duel.as_published(PublishedEquation::Eq11, 1, 5)?.to_string(), "1");
/// assert_eq!(duel.as_published(PublishedEquation::Eq12, 1, 5)?.to_string(), "1/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PublishedEquation {
    /// (11): without the factor p_w of any won round.
    Eq11,
    /// (12): with p_w for every won round before the last.
    Eq12,
}

impl ConstantLuck {
    /// The victory chance of offensive use by equation (15) as it is printed: for comparison only, it is wrong.
    ///
    /// Equation (11) lacks the factor p_w^(n − 3k) of the won rounds, which (12) has; and (15) puts q and 1 − q for
    /// the chance p_f of the last round, where p_w · q and p_w · (1 − q) belong. So with (12) the result is the right
    /// one divided by p_w, and with (11) each history is divided by p_w as often as it has wins. Both can exceed 1.
    /// [`victory`](Self::victory) has the corrected form.
    ///
    /// The damage is the printed one (2, 4 and 1), whatever was set. σ_h is ⌈s_h / 2⌉ and not the ⌊s_h / 2⌋ of the
    /// text under (6), so that this shows the one misprint alone.
    ///
    /// # Errors
    ///
    /// As for [`victory`](Self::victory).
    ///
    /// # Complexity
    ///
    /// About 5/8 · s_h · s_o terms, in plain fractions.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{ConstantLuck, PublishedEquation, RoundOdds, Use};
    ///
    /// let duel = ConstantLuck::new(RoundOdds::standard(0), (5, 12))?;
    /// let right = duel.victory(Use::Offensive, 8, 8)?;
    /// let printed = duel.as_published(PublishedEquation::Eq12, 8, 8)?;
    /// assert_eq!(printed * RoundOdds::standard(0).win(), right);
    /// assert!(duel.as_published(PublishedEquation::Eq11, 8, 8)? > right);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "equation 15")]
    pub fn as_published(
        &self,
        equation: PublishedEquation,
        hero_stamina: u32,
        foe_stamina: u32,
    ) -> Result<BigRational, Error> {
        check_stamina(hero_stamina, foe_stamina)?;
        let losses = hero_stamina.div_ceil(2);
        let lose = self.odds.decisive_lose()?;
        // Reducing fractions takes the square of their length.
        let rounds = u128::from(foe_stamina) + u128::from(losses);
        let bits = rounds
            * u128::from(64 - self.odds.total().leading_zeros() + 1)
                .max(self.q.denom().bits().into());
        let terms = 5 * (u128::from(foe_stamina) / 4 + 1) * u128::from(losses);
        check_work(terms, bits.saturating_mul(bits / 64 + 1), self.max_work)?;

        let lucky = self.q.clone();
        let unlucky = integer(1) - &lucky;
        let endings = [
            (4, &lucky),
            (3, &lucky),
            (2, &lucky),
            (1, &lucky),
            (1, &unlucky),
        ];
        let mut victory = integer(0);
        for (left, p_f) in endings {
            let Some(n) = foe_stamina.checked_sub(left) else {
                continue;
            };
            for k in 0..=n / 4 {
                let hits = n - 3 * k;
                let strings =
                    binomial(hits, k) * p_f * power(&lucky, k) * power(&unlucky, n - 4 * k);
                let won = match equation {
                    PublishedEquation::Eq11 => integer(1),
                    PublishedEquation::Eq12 => power(&self.odds.win(), hits),
                };
                victory += strings * won * losses_and_draws(&self.odds, &lose, hits, losses);
            }
        }
        Ok(victory)
    }
}

/// Σ_{l < losses} Σ_d p_l^l C(hits + l, l) p_d^d C(hits + l + d, d), the sum over d in closed form.
fn losses_and_draws(odds: &RoundOdds, lose: &BigRational, hits: u32, losses: u32) -> BigRational {
    let mut term = integer(1) / power(&(integer(1) - odds.draw()), hits + 1);
    let mut sum = term.clone();
    for lost in 1..losses {
        term *= lose * integer(hits + lost) / integer(lost);
        sum += &term;
    }
    sum
}

fn binomial(n: u32, k: u32) -> BigRational {
    let product = (1..=k).fold(BigInt::from(1), |value, step| value * (n + 1 - step) / step);
    BigRational::from_integer(product)
}

fn power(base: &BigRational, exponent: u32) -> BigRational {
    num_traits::pow(base.clone(), exponent as usize)
}
