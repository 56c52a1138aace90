//! Probabilities too small for a float, by their logarithms.
//!
//! The chance to win one against a thousand is 10⁻⁵⁹⁴, less than the smallest `f64`. Logarithms
//! throughout would cost one or two of them per state. Here each number has a second exponent
//! instead, in steps of 2⁵¹², which hardly ever changes.

use std::f64::consts::LN_2;

use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

use crate::chain::{Chain, Outcome};
use crate::rows::{Size, rolling};
use crate::stop_rule::Frontier;
use crate::{Battle, Error};

/// `mantissa · 2^(512·steps)`.
#[derive(Clone, Copy, Debug)]
struct Scaled {
    mantissa: f64,
    steps: i64,
}

const STEP: f64 = 512.0;
/// 2⁵¹² and 2⁻⁵¹².
const UP: f64 = f64::from_bits((1023 + 512) << 52);
const DOWN: f64 = f64::from_bits((1023 - 512) << 52);
/// 2⁻²⁵⁶
const LEAST: f64 = f64::from_bits((1023 - 256) << 52);

const ZERO: Scaled = Scaled {
    mantissa: 0.0,
    steps: i64::MIN,
};

impl Scaled {
    /// The chance of an outcome, given the total of the weights.
    fn chance(outcome: &Outcome, total: &BigUint) -> Self {
        let plain = Scaled {
            mantissa: outcome.chance,
            steps: 0,
        };
        Scaled::rare(&outcome.weight, total).unwrap_or(plain)
    }

    /// Returns a chance near or below the smallest float, if it is one.
    fn rare(weight: &BigUint, total: &BigUint) -> Option<Self> {
        // So that the quotient has at least 64 bits.
        let shift = (total.bits() + 64).saturating_sub(weight.bits());
        if weight.is_zero() || shift < 256 + 64 {
            return None;
        }
        // A chance is at most 1.
        let steps = (shift - 65) / STEP as u64;
        let rest = shift - steps * STEP as u64;
        let quotient = ((weight << shift) / total).to_f64()?;
        Some(Scaled {
            mantissa: quotient * 2_f64.powi(-i32::try_from(rest).ok()?),
            steps: -i64::try_from(steps).ok()?,
        })
    }

    /// Adds a product of numbers below 1, so mantissas never grow beyond 2²⁵⁶.
    #[inline]
    fn add_product(&mut self, chance: Scaled, mut value: Scaled) {
        if value.mantissa == 0.0 {
            return;
        }
        value.mantissa *= chance.mantissa;
        value.steps += chance.steps;
        // Otherwise the sum takes care of it.
        if chance.mantissa < LEAST {
            value.settle();
        }
        if self.steps < value.steps {
            self.mantissa = match self.steps == value.steps - 1 {
                true => self.mantissa * DOWN,
                false => 0.0,
            };
            self.steps = value.steps;
        }
        self.mantissa += match self.steps - value.steps {
            0 => value.mantissa,
            1 => value.mantissa * DOWN,
            _ => 0.0,
        };
    }

    #[inline]
    fn settle(&mut self) {
        // More than once after a chance that is itself almost zero.
        while self.mantissa < LEAST && self.mantissa > 0.0 {
            self.mantissa *= UP;
            self.steps -= 1;
        }
    }

    fn ln(self) -> f64 {
        match self.mantissa > 0.0 {
            true => self.mantissa.ln() + self.steps as f64 * STEP * LN_2,
            false => f64::NEG_INFINITY,
        }
    }
}

impl Battle {
    /// Returns the natural logarithm of the chance that the attackers win, for chances of any size;
    /// −∞ if they cannot win.
    ///
    /// Its absolute error is at most [`relative_error`](Battle::relative_error) plus two units in
    /// its last place.
    ///
    /// # Errors
    /// As for [`win`](Battle::win).
    ///
    /// # Complexity
    /// O(A·D) time, O(D) memory. [`win_f64`](Battle::win_f64) is tried first, and below 10⁻²⁰⁰
    /// logarithms follow. Measured in multiples of `win_f64`, it takes as long for chances of 10⁻²⁰⁰
    /// to 1/2, twice as long above, where the chance to lose is computed, too, and five to fifteen
    /// times as long below 10⁻²⁰⁰.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// let hopeless = Battle::new(1, 1000)?;
    /// assert_eq!(hopeless.win_f64()?, 0.0); // 1.3e-594 is none
    /// assert_eq!(format!("{:.6}", hopeless.ln_win()?), "-1367.452746");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ln_win(&self) -> Result<f64, Error> {
        self.ln(true)
    }

    /// Returns the natural logarithm of the chance that the attackers do not win.
    ///
    /// # Errors
    /// As for [`win`](Battle::win).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// let sure = Battle::new(1000, 1)?;
    /// assert_eq!(format!("{:.4}", sure.ln_lose()?), "-1077.2404");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ln_lose(&self) -> Result<f64, Error> {
        self.ln(false)
    }

    /// Returns the decimal logarithm of the chance that the attackers win; see
    /// [`ln_win`](Battle::ln_win).
    ///
    /// # Errors
    /// As for [`win`](Battle::win).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// assert_eq!(format!("{:.6}", Battle::new(1, 1000)?.log10_win()?), "-593.877182");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn log10_win(&self) -> Result<f64, Error> {
        Ok(self.ln_win()? * std::f64::consts::LOG10_E)
    }

    /// Returns the decimal logarithm of the chance that the attackers do not win; see
    /// [`ln_lose`](Battle::ln_lose).
    ///
    /// # Errors
    /// As for [`win`](Battle::win).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// assert_eq!(format!("{:.4}", Battle::new(1000, 1)?.log10_lose()?), "-467.8396");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn log10_lose(&self) -> Result<f64, Error> {
        Ok(self.ln_lose()? * std::f64::consts::LOG10_E)
    }

    fn ln(&self, victory: bool) -> Result<f64, Error> {
        let (what, [this, other]) = match victory {
            true => ("the chance to win", [Self::win_by, Self::lose_by]),
            false => ("the chance to lose", [Self::lose_by, Self::win_by]),
        };
        let (chain, frontier) = self.chain_within(what)?;
        let chance = this(self, &chain, &frontier)?;
        if chance > 0.5 {
            // If the chance is close to 1, the other one has the digits.
            // Not minus zero.
            return Ok((-other(self, &chain, &frontier)?).ln_1p() + 0.0);
        }
        if chance > 1e-200 {
            return Ok(chance.ln());
        }
        ln(&chain, &frontier, self.size(), victory)
    }
}

/// Returns the natural logarithm of the chance that the battle is won (or, if not `victory`, that
/// it is not).
pub(crate) fn ln(
    chain: &Chain,
    frontier: &Frontier,
    size: Size,
    victory: bool,
) -> Result<f64, Error> {
    let mut rows = rolling(chain, size, ZERO)?;
    let one = Scaled {
        mantissa: 1.0,
        steps: 0,
    };
    let chances = chain.throws().iter().map(|throw| {
        let outcomes = throw.list.iter();
        outcomes
            .map(|outcome| Scaled::chance(outcome, &throw.total))
            .collect()
    });
    let chances: Vec<Vec<Scaled>> = chances.collect();
    for attackers in 0..=size.attackers {
        rows.rotate_right(1);
        let Some((row, below)) = rows.split_first_mut() else {
            break;
        };
        row[0] = if victory { one } else { ZERO };
        for defenders in 1..=size.defenders {
            let cell = defenders as usize;
            if attackers == 0 || frontier.stops(attackers, defenders) {
                row[cell] = if victory { ZERO } else { one };
                continue;
            }
            let mut sum = ZERO;
            let throw = chain.number(attackers, defenders);
            let outcomes = chain.throws()[throw].list.iter();
            for (outcome, chance) in outcomes.zip(&chances[throw]) {
                let left = cell - outcome.defenders as usize;
                let value = match outcome.attackers as usize {
                    0 => row[left],
                    lost => below[lost - 1][left],
                };
                sum.add_product(*chance, value);
            }
            sum.settle();
            row[cell] = sum;
        }
    }
    let last = rows.first().and_then(|row| row.last());
    Ok(last.map_or(f64::NEG_INFINITY, |value| value.ln()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rules, StopRule};

    /// One against n wins with 5/12 · (55/216)ⁿ⁻¹.
    #[test]
    fn one_against_many() -> Result<(), Error> {
        let chain = Chain::new(1, 100_000, &Rules::standard())?;
        let frontier = StopRule::never().frontier(&chain, 1, 1, 0)?;
        for defenders in [1, 2, 400, 1000, 100_000] {
            let found = ln(&chain, &frontier, Size::new(1, defenders), true)?;
            let expected =
                (5.0 / 12.0_f64).ln() + f64::from(defenders - 1) * (55.0_f64.ln() - 216.0_f64.ln());
            assert!(
                (found - expected).abs() <= 1e-13 * expected.abs(),
                "{found} {expected}"
            );
        }
        Ok(())
    }
}
