//! The number of histories of a duel: equations (6) and (7).

use num_bigint::BigUint;
use num_integer::Integer;
use num_rational::BigRational;

use super::{WithoutLuck, check_stamina};
use crate::Error;
use crate::number::{check_work, fraction, power};

/// Returns n(w, l, d), the number of histories of `wins` won, `losses` lost and `draws` drawn
/// rounds that end with a won round.
///
/// This is equation (6): C(w − 1 + l, l) · C(w − 1 + l + d, d). No history ends with a won round if
/// there is none, so the result is 0 for `wins` = 0. The arguments have 16 bits; the largest result
/// (311 593 bits) takes some seconds.
///
/// ```
/// use oddsmith_fightingfantasy::histories;
///
/// // LWW, WLW; and a draw in any of three places before the last W.
/// assert_eq!(histories(2, 1, 0), 2_u32.into());
/// assert_eq!(histories(2, 1, 1), 6_u32.into());
/// assert_eq!(histories(0, 1, 1), 0_u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn histories(wins: u16, losses: u16, draws: u16) -> BigUint {
    let Some(before) = u64::from(wins).checked_sub(1) else {
        return BigUint::ZERO;
    };
    let (losses, draws) = (u64::from(losses), u64::from(draws));
    binomial(before + losses, losses) * binomial(before + losses + draws, draws)
}

pub(crate) fn binomial(n: u64, k: u64) -> BigUint {
    let mut value = BigUint::from(1_u8);
    for step in 1..=k.min(n - k) {
        value *= n + 1 - step;
        // Division leaves no remainder: C(n, step) · step! / step! grows one factor at a time.
        value /= step;
    }
    value
}

impl WithoutLuck {
    /// Returns P(victory with at most `draws` drawn rounds), exact: equation (7) with its infinite
    /// sum truncated.
    ///
    /// It rises to [`win`](Self::win) as `draws` grows. The difference is at most the chance that
    /// more than `draws` draws come before the (σ_h + σ_o − 1)-th round that is not a draw.
    ///
    /// # Errors
    ///
    /// The same as for [`win`](Self::win).
    ///
    /// # Complexity
    ///
    /// σ_h · (`draws` + 1) terms of (σ_h + σ_o + `draws`) · log₂(total) bits. The closed form is
    /// better in every respect; this sum is provided because it is the definition.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{RoundOdds, WithoutLuck};
    ///
    /// let duel = WithoutLuck::new(RoundOdds::new(1, 2, 1)?);
    /// assert_eq!(duel.win_by_histories(1, 1, 0)?.to_string(), "1/4");
    /// assert_eq!(duel.win_by_histories(1, 1, 1)?.to_string(), "3/8");
    /// assert_eq!(duel.win_by_histories(1, 1, 9)?.to_string(), "1023/2048");
    /// assert_eq!(duel.win(1, 1)?.to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "equation 7")]
    pub fn win_by_histories(
        &self,
        hero_stamina: u32,
        foe_stamina: u32,
        draws: u32,
    ) -> Result<BigRational, Error> {
        check_stamina(hero_stamina, foe_stamina)?;
        let odds = self.effective_odds()?;
        odds.decisive_counts()?;
        let (wins, losses) = self.rounds(hero_stamina, foe_stamina);
        let (win, draw, lose) = odds.counts();
        let common = win.gcd(&draw).gcd(&lose);
        let (win, draw, lose) = (win / common, draw / common, lose / common);
        // If no round can be lost (or drawn), only the first term of that sum remains. If no round
        // can be won, the result is 0.
        let losses = if lose == 0 { 1 } else { losses };
        let draws = if draw == 0 { 0 } else { u64::from(draws) };
        if win == 0 {
            return Ok(fraction(BigUint::ZERO, &BigUint::from(1_u8), 0));
        }

        let total = win + draw + lose;
        let longest = wins + losses - 1 + draws;
        let bits = u128::from(longest) * u128::from(total.ilog2() + 1);
        check_work(
            u128::from(losses) * u128::from(draws + 1) + u128::from(longest),
            bits,
            self.max_work,
        )?;

        let mut sum = BigUint::ZERO;
        let mut ways = BigUint::from(1_u8);
        for lost in 0..losses {
            if lost > 0 {
                ways *= lose;
                ways *= wins - 1 + lost;
                ways /= lost;
            }
            // Σ_{d ≤ draws} C(wins − 1 + lost + d, d) draw^d total^(draws − d)
            let mut with_draws = BigUint::from(1_u8);
            let mut term = BigUint::from(1_u8);
            for drawn in 1..=draws {
                term *= draw;
                term *= wins - 1 + lost + drawn;
                term /= drawn;
                with_draws *= total;
                with_draws += &term;
            }
            sum *= total;
            sum += &ways * with_draws;
        }
        sum *= power(&BigUint::from(win), wins);
        Ok(fraction(sum, &BigUint::from(total), longest))
    }
}
