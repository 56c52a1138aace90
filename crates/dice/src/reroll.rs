//! Dice that are rolled again, depending on the outcome.

use crate::geometric::{geometric, share};
use crate::power::check_size;
use crate::{DEFAULT_LIMIT, Dist, Error, Weight};

/// The smallest number of outcomes that a distribution counts for where its weights are high
/// powers: few weights of very many digits would fit the memory, but take hours to multiply.
pub(crate) const FEWEST: usize = 2048;

impl<T: Ord + Clone, W: Weight> Dist<T, W> {
    /// Rerolls while `event` holds, at most `times` times. The last roll stands, whatever it shows.
    ///
    /// The outcome of this distribution is rolled again. `die.reroll(…)?.repeat(n)` rerolls each
    /// die and then adds, while `die.repeat(n)?.reroll(…)` rerolls the whole throw by its sum. The
    /// two differ: with two dice that reroll ones, the first way rerolls a 1 beside a 6 on its own;
    /// the second way does not reroll a sum of 7.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`], before any work, as for
    /// [`reroll_within`](Self::reroll_within) with [`DEFAULT_LIMIT`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// // A halfling rolls a 1 on the d20 again, once.
    /// let halfling = Dist::die(20)?.reroll(1, |&face| face == 1)?;
    /// assert_eq!(halfling.p(&1).to_string(), "1/400");
    /// assert_eq!(halfling.p(&20).to_string(), "21/400");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(log k) products for k times, and one for each outcome. With q the probability of the
    /// event, each outcome outside it becomes 1 + q + … + qᵏ times as likely, and each inside qᵏ
    /// times. Exact weights grow by the digits of qᵏ.
    pub fn reroll(&self, times: u32, event: impl FnMut(&T) -> bool) -> Result<Self, Error> {
        self.reroll_within(times, event, DEFAULT_LIMIT)
    }

    /// Like [`reroll`](Self::reroll), with the size limit, in 64-bit words, as an argument.
    ///
    /// Words are counted as for [`DEFAULT_LIMIT`], but for at least 2,048 outcomes: few weights of
    /// very many digits would fit any memory and take hours to multiply. The default limit allows
    /// weights of a million bits, some 240,000 rerolls of a d20.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`], before any work.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let d6 = Dist::die(6)?;
    /// assert!(d6.reroll_within(1_000, |&face| face == 1, 20_000).is_err());
    /// let law = d6.reroll_within(1_000, |&face| face == 1, 200_000)?;
    /// assert_eq!(law.to_f64().p(&2), 0.2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reroll_within(
        &self,
        times: u32,
        mut event: impl FnMut(&T) -> bool,
        limit: u64,
    ) -> Result<Self, Error> {
        let again: Vec<bool> = self.outcomes.iter().map(&mut event).collect();
        let (rerolled, terms) = self.mass(&again);
        // Rerolling all outcomes or none changes nothing.
        if times == 0 || terms == 0 || terms == self.len() {
            return Ok(self.clone());
        }
        let (part, whole, divided) = share(&rerolled, &self.total);
        let words = self
            .total
            .words(1)
            .saturating_add(whole.words(times.into()));
        let operation = || format!("rerolling up to {times} times");
        check_size(operation, self.len().max(FEWEST) as u128, words, limit)?;
        let roundings = self
            .roundings
            .sum(terms)
            .weights
            .saturating_add(self.roundings.total)
            .saturating_add(divided);
        // Σ qⁱ for i ≤ k is 1 + q · Σ qⁱ for i < k.
        let powers = geometric(&part, &whole, roundings, times);
        let mut kept = powers.sum.times(&part);
        kept.add(&powers.whole);
        let kept_roundings = powers
            .sum_roundings
            .saturating_add(roundings)
            .saturating_add(2);
        let weights = self
            .weights
            .iter()
            .zip(&again)
            .map(|(weight, &again)| weight.times(if again { &powers.power } else { &kept }));
        let mut law = Dist {
            outcomes: self.outcomes.clone(),
            weights: weights.collect(),
            total: self.total.times(&powers.whole),
            roundings: self.roundings,
        };
        law.roundings.weights = law
            .roundings
            .weights
            .saturating_add(kept_roundings.max(powers.power_roundings))
            .saturating_add(1);
        W::settle(&mut law.weights, &mut law.total);
        Ok(law.without_underflow())
    }

    /// Rerolls until `event` no longer holds, however often that is: the distribution
    /// [given](Self::given) that it does not.
    ///
    /// # Errors
    ///
    /// [`Error::Endless`] if every outcome is rolled again.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let law = Dist::die(6)?.reroll_forever(|&face| face <= 2)?;
    /// assert_eq!(law, Dist::uniform([3, 4, 5, 6])?);
    /// assert!(law.reroll_forever(|&face| face > 2).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "reroll_until")]
    pub fn reroll_forever(&self, mut event: impl FnMut(&T) -> bool) -> Result<Self, Error> {
        self.given(|outcome| !event(outcome))
            .map_err(|_| Error::Endless {
                operation: "rerolling without limit",
                limited: "reroll(times, …)",
            })
    }

    /// The weight of the marked outcomes, and their number.
    pub(crate) fn mass(&self, marked: &[bool]) -> (W, usize) {
        let (mut mass, mut terms) = (W::nothing(), 0);
        for (weight, _) in self
            .weights
            .iter()
            .zip(marked)
            .filter(|(_, marked)| **marked)
        {
            mass.add(weight);
            terms += 1;
        }
        (mass, terms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_grow_no_more_than_they_must() -> Result<(), Error> {
        let law = Dist::die(6)?.reroll(3, |&face| face <= 2)?;
        assert_eq!(law.total(), &(6u32 * 27).into());
        Ok(())
    }

    /// For one reroll: q takes a sum of two weights with one rounding each and a quotient of two,
    /// which makes 4; 1 + q times the first sum, 1, takes two more; then follow the weight itself
    /// and a last product.
    #[test]
    fn roundings_of_a_reroll_are_counted() -> Result<(), Error> {
        let law = Dist::die(6)?.to_f64().reroll(1, |&face| face <= 2)?;
        let first = geometric(&0.25, &1.0, 4, 1u32);
        assert_eq!((first.power_roundings, first.sum_roundings), (6, 3));
        assert_eq!(
            (law.roundings.weights, law.roundings.total),
            (1 + 3 + 4 + 2 + 1, 0)
        );
        Ok(())
    }
}
