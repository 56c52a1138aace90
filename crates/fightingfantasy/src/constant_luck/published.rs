//! Equations (11), (12) and (15) as they are printed.

use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::One;

use super::ConstantLuck;
use crate::Error;
use crate::closed::{binomial, check_stamina};
use crate::number::{check_work, fraction, power};

/// The printed form of P(n; p_f) that equation (15) uses.
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
    /// Equation (11), without the factor p_w of any won round.
    Eq11,
    /// Equation (12), with p_w for every won round before the last.
    Eq12,
}

impl ConstantLuck {
    /// Returns the chance of victory with offensive use by equation (15) as printed. The equation
    /// is wrong; use the result for comparison only.
    ///
    /// Equation (11) lacks the factor p_w^(n − 3k) of the won rounds, which (12) has. Moreover,
    /// (15) sets the chance p_f of the last round to q and 1 − q, instead of p_w · q and p_w · (1 −
    /// q). So with (12) the result is the correct one divided by p_w, and with (11) each history is
    /// divided by p_w as often as it has won rounds. Both results can exceed 1. [`win`](Self::win)
    /// computes the corrected form.
    ///
    /// The damage is the printed one (2, 4 and 1), whatever was set. σ_h is ⌈s_h / 2⌉ and not the
    /// ⌊s_h / 2⌋ of the text below (6), so that the result shows this one misprint alone.
    ///
    /// # Errors
    ///
    /// The same as for [`win`](Self::win).
    ///
    /// # Complexity
    ///
    /// About 5/4 · s_o products of integers over one total, of (s_h / 2 + s_o) · log₂(total ·
    /// denominator of q) bits.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{ConstantLuck, PublishedEquation, RoundOdds, Use};
    ///
    /// let duel = ConstantLuck::new(RoundOdds::standard(0), (5, 12))?;
    /// let right = duel.win(Use::Offensive, 8, 8)?;
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
        self.odds.decisive_counts()?;
        let (lost, hits) = (
            u64::from(hero_stamina.div_ceil(2)),
            u64::from(foe_stamina) - 1,
        );
        let (win, _, lose) = self.odds.counts();
        let all = self.odds.total();
        let (lucky, tests) = (self.q.numer().magnitude(), self.q.denom().magnitude());
        let unlucky = tests - lucky;

        // The cost of multiplying two numbers of full length grows faster than their length.
        let bits = u128::from(hits + lost) * u128::from(BigUint::from(all).bits() + tests.bits());
        let terms = 5 * (u128::from(hits) / 4 + 1) + u128::from(hits + lost);
        check_work(terms, bits.saturating_mul(bits / 1024 + 1), self.max_work)?;

        let mut endings = Endings::after(hits, lost, win, lose);
        let step = tests * (win + lose);
        // The sum so far, over `step` to the power of the number of rounds that are not draws.
        let (mut victory, mut scale) = (BigUint::ZERO, BigUint::one());
        loop {
            let hits_before = endings.hits;
            let mut strings = BigUint::ZERO;
            for left in 1..=4 {
                let Some(n) = u64::from(foe_stamina).checked_sub(left) else {
                    continue;
                };
                // n = hits + 3 k, where k of the hits are lucky and take 4.
                let Some(taken) = n.checked_sub(hits_before).filter(|more| more % 3 == 0) else {
                    continue;
                };
                let k = taken / 3;
                let Some(others) = n.checked_sub(4 * k) else {
                    continue;
                };
                let last = if left == 1 { tests } else { lucky };
                strings +=
                    binomial(hits_before, k) * power(lucky, k) * power(&unlucky, others) * last;
            }
            let rounds = match equation {
                PublishedEquation::Eq11 => power(&BigUint::from(all), hits_before + 1),
                PublishedEquation::Eq12 => power(&BigUint::from(win), hits_before) * all,
            };
            victory += strings * rounds * &endings.ways * &scale;
            if hits_before == 0 {
                break;
            }
            endings.one_hit_less();
            scale *= &step;
        }
        // So far, the sum is over tests^(hits + 1) · (win + lose)^(hits + lost).
        Ok(fraction(
            victory * power(tests, lost - 1),
            &step,
            hits + lost,
        ))
    }
}

/// Σ_{l < lost} Σ_d p_l^l C(hits + l, l) p_d^d C(hits + l + d, d), the sum over d in closed form.
///
/// The sum is over (win + lose)^(hits + lost), and multiplied by the total of a round to the power
/// of hits + 1.
struct Endings {
    hits: u64,
    lost: u64,
    win: u64,
    lose: u64,
    ways: BigUint,
    /// C(hits + lost − 1, lost − 1) · lose^lost.
    beyond: BigUint,
}

impl Endings {
    fn after(hits: u64, lost: u64, win: u64, lose: u64) -> Self {
        let mut term = BigUint::one();
        let mut ways = term.clone();
        for l in 1..lost {
            term *= u128::from(lose) * u128::from(hits + l);
            term /= l;
            ways = ways * (win + lose) + &term;
        }
        Endings {
            hits,
            lost,
            win,
            lose,
            ways,
            beyond: term * lose,
        }
    }

    /// (1 − x) Σ_{l < L} C(h + 1 + l, l) x^l = Σ_{l < L} C(h + l, l) x^l − C(h + L, L − 1) x^L.
    fn one_hit_less(&mut self) {
        self.ways = (&self.ways * self.win + &self.beyond) / (self.win + self.lose);
        self.beyond = &self.beyond * self.hits / (self.hits + self.lost - 1);
        self.hits -= 1;
    }
}
