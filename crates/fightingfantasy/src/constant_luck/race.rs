//! Strings of hits against strings of wounds.

use num_bigint::BigUint;
use num_rational::BigRational;

use super::strings::{Blow, Strings};
use crate::Error;
use crate::number::{FLOAT_BITS, Number, check_work, fraction};
use crate::scaled::Scaled;

/// A duel, given by the blows both sides can deal in a round that hurts somebody, with weights out
/// of `total`.
pub(super) struct Race {
    pub(super) hits: Vec<Blow<BigUint>>,
    pub(super) wounds: Vec<Blow<BigUint>>,
    pub(super) total: BigUint,
    pub(super) hero_stamina: u32,
    pub(super) foe_stamina: u32,
}

impl Race {
    pub(super) fn reversed(self) -> Self {
        Self {
            hits: self.wounds,
            wounds: self.hits,
            hero_stamina: self.foe_stamina,
            foe_stamina: self.hero_stamina,
            ..self
        }
    }

    pub(super) fn exact(self, max_work: u64) -> Result<BigRational, Error> {
        let (terms, rounds) = self.size();
        let bits = rounds * u128::from(self.total.bits());
        check_work(terms + rounds, bits, max_work)?;
        // One number for each blow is kept, and multiplied by another as long as itself. By default
        // all of them take some 200 megabytes.
        check_work(64 * rounds, bits, max_work)?;
        let (sum, rounds) = self.win(|weight| weight.clone());
        Ok(fraction(sum, &self.total, rounds))
    }

    pub(super) fn rounded(self, max_work: u64) -> Result<f64, Error> {
        let (terms, _) = self.size();
        check_work(terms, FLOAT_BITS.max(self.total.bits().into()), max_work)?;
        // Divided by itself, the total becomes 1, so its powers disappear.
        let (sum, _) = self.win(|weight| Scaled::ratio(weight, &self.total));
        Ok(sum.to_f64())
    }

    /// The number of terms of the sums, and the largest number of rounds.
    fn size(&self) -> (u128, u128) {
        let longest = |blows: &[Blow<BigUint>], stamina: u32| {
            let least = blows.iter().map(|blow| blow.damage).min();
            u128::from(least.map_or(0, |damage| stamina.div_ceil(damage)))
        };
        let strings = |blows: &[Blow<BigUint>], rounds: u128| {
            if blows.len() > 1 {
                rounds * rounds
            } else {
                rounds
            }
        };
        let (hits, wounds) = (
            longest(&self.hits, self.foe_stamina),
            longest(&self.wounds, self.hero_stamina),
        );
        let pairs = if self.hits.len() > 1 {
            hits * wounds
        } else {
            wounds
        };
        (
            strings(&self.hits, hits) + strings(&self.wounds, wounds) + pairs,
            hits + wounds,
        )
    }

    /// Σ_w Σ_l C(w − 1 + l, l) · felling(w) · standing(l) · total^(rest), and the power of `total`
    /// that divides it.
    fn win<N: Number>(&self, number: impl Fn(&BigUint) -> N) -> (N, u64) {
        let convert = |blows: &[Blow<BigUint>]| {
            blows
                .iter()
                .map(|blow| Blow {
                    weight: number(&blow.weight),
                    damage: blow.damage,
                })
                .collect::<Vec<_>>()
        };
        let total = number(&self.total);
        let hits = Strings::new(&convert(&self.hits), self.foe_stamina);
        let wounds = Strings::new(&convert(&self.wounds), self.hero_stamina);

        // standing(l) · C(w − 1 + l, l), all over the same power of the total.
        let most_wounds = wounds.standing.len() as u64 - 1;
        let first = hits.first_fall;
        let mut ways = N::from(1);
        let mut column = Vec::with_capacity(wounds.standing.len());
        for (lost, standing) in (0..).zip(&wounds.standing) {
            if lost > 0 {
                ways *= first - 1 + lost;
                ways /= lost;
            }
            let mut entry = standing.clone();
            entry *= &ways;
            column.push(entry);
        }
        let mut rest = N::from(1);
        for entry in column.iter_mut().rev() {
            *entry *= &rest;
            rest *= &total;
        }

        let mut sum = N::from(0);
        let mut last = 0;
        for (won, felling) in (first..).zip(&hits.felling) {
            if won > first {
                // From C(w − 2 + l, l) to C(w − 1 + l, l); division leaves no remainder.
                for (lost, entry) in (0..).zip(&mut column) {
                    *entry *= won - 1 + lost;
                    *entry /= won - 1;
                }
            }
            let mut survived = N::from(0);
            for entry in &column {
                survived += entry;
            }
            survived *= felling;
            sum *= &total;
            sum += &survived;
            last = won;
        }
        (sum, most_wounds + last)
    }
}
