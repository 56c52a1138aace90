//! Mixtures: one of several distributions, chosen with given weights.

use crate::power::check_size;
use crate::ratio::{nonnegative, over_common_denominator};
use crate::rounding::Roundings;
use crate::{DEFAULT_LIMIT, Dist, Error, IntoRatio, Weight};
use num_bigint::BigUint;
use num_traits::Zero;

impl<T: Ord, W: Weight> Dist<T, W> {
    /// Creates the mixture of several distributions, one of which is chosen with the given relative
    /// weights.
    ///
    /// In floats, each weight is read exactly and the probability of each part is rounded once. As
    /// for every operation, [`relative_error`](Self::relative_error) bounds the error of these and
    /// of the sums over parts. Parts less likely than 2⁻¹⁰⁷⁵ are then left out. If the weights
    /// themselves are doubles, use [`from_float_weights`](Dist::from_float_weights) and
    /// [`and_then`](Self::and_then).
    ///
    /// # Errors
    ///
    /// [`Error::EmptySupport`] without parts, [`Error::ZeroTotal`] if all weights are zero,
    /// [`Error::NegativeWeight`], [`Error::TooLarge`] if all outcomes take more than
    /// [`DEFAULT_LIMIT`] words over one total (such as those of endless parts), and the errors of
    /// [`into_ratio`](IntoRatio::into_ratio).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let die = Dist::mixture([("1/3", Dist::die(6)?), ("2/3", Dist::die(8)?)])?;
    /// assert_eq!(die.p(&1).to_string(), "5/36");
    ///
    /// let parts = [(1, Dist::die(6)?.to_f64()), (2, Dist::die(8)?.to_f64())];
    /// let float = Dist::mixture(parts)?;
    /// let error = (float.p(&1) - 5.0 / 36.0).abs();
    /// assert!(error <= float.relative_error() * 5.0 / 36.0 && float.relative_error() < 2e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(n log n) comparisons for n outcomes in total, O(n) multiplications.
    pub fn mixture<V: IntoRatio>(
        parts: impl IntoIterator<Item = (V, Dist<T, W>)>,
    ) -> Result<Self, Error> {
        let (mut ratios, mut laws) = (Vec::new(), Vec::new());
        let (mut given, mut outcomes) = (0, 0);
        for (position, (weight, law)) in parts.into_iter().enumerate() {
            let weight = nonnegative(position, weight)?;
            given = position + 1;
            // A law that is never chosen counts as one item of the list, and is not kept.
            let never = weight.is_zero();
            outcomes += if never { 1 } else { law.len() as u128 };
            let operation = || format!("a mixture of {given} distributions or more");
            check_size(operation, outcomes, 1, DEFAULT_LIMIT)?;
            if !never {
                ratios.push(weight);
                laws.push(law);
            }
        }
        if laws.is_empty() && given > 0 {
            return Err(Error::ZeroTotal { outcomes: given });
        }
        let (counts, _) = over_common_denominator(&ratios)?;
        let sum = counts.iter().sum::<BigUint>();
        let (weights, total) = W::shares(counts, sum);
        // In floats, there is one quotient for each, and their sum is taken as one.
        let roundings = Roundings {
            weights: u64::from(!W::EXACT),
            total: 0,
        };
        let parts = weights.into_iter().zip(laws).collect();
        mix(parts, &total, roundings, DEFAULT_LIMIT)
    }
}

impl<T, W: Weight> Dist<T, W> {
    /// Returns the distribution of an outcome of `f(x)`, where x is an outcome of this
    /// distribution: a roll that depends on a roll.
    ///
    /// # Errors
    ///
    /// The first error that `f` returns; [`Error::TooLarge`] if the outcomes of all f(x) take more
    /// than [`DEFAULT_LIMIT`] words over one total.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// // Roll a three-sided die, then add up so many of them.
    /// let sum = Dist::die(3)?.and_then(|&n| Dist::ndice(n as u32, 3))?;
    /// assert_eq!(sum.p(&9).to_string(), "1/81");
    /// assert_eq!(sum.mean().to_string(), "4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(n log n) comparisons for n outcomes of all f(x) together. Totals are brought to their
    /// least common multiple, which grows with their product if they are unrelated.
    #[doc(alias = "bind")]
    #[doc(alias = "flat_map")]
    pub fn and_then<U: Ord>(
        &self,
        f: impl FnMut(&T) -> Result<Dist<U, W>, Error>,
    ) -> Result<Dist<U, W>, Error> {
        self.and_then_within(f, DEFAULT_LIMIT)
    }

    /// Like [`and_then`](Self::and_then), with the size limit, in 64-bit words, as an argument. All
    /// outcomes of all f(x) count, six words each in addition to those of its weight.
    ///
    /// # Errors
    ///
    /// The first error that `f` returns, and [`Error::TooLarge`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let coin = Dist::die(2)?;
    /// assert!(coin.and_then_within(|_| Dist::die(100), 1_000).is_err());
    /// let law = coin.and_then_within(|_| Dist::die(100), 1_400)?; // 200 outcomes of 7 words
    /// assert_eq!(law.p(&7).to_string(), "1/100");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn and_then_within<U: Ord>(
        &self,
        mut f: impl FnMut(&T) -> Result<Dist<U, W>, Error>,
        limit: u64,
    ) -> Result<Dist<U, W>, Error> {
        let (mut parts, mut outcomes) = (Vec::with_capacity(self.len()), 0);
        for (x, weight) in self.iter() {
            let law = f(x)?;
            outcomes += law.len() as u128;
            let operation = || format!("a mixture of {} distributions", self.len());
            check_size(operation, outcomes, 1, limit)?;
            parts.push((weight.clone(), law));
        }
        mix(parts, &self.total, self.roundings, limit)
    }
}

fn mix<T: Ord, W: Weight>(
    parts: Vec<(W, Dist<T, W>)>,
    total: &W,
    roundings: Roundings,
    limit: u64,
) -> Result<Dist<T, W>, Error> {
    let given = parts.len();
    // A part that is never chosen must not enlarge the common total.
    let parts: Vec<_> = parts
        .into_iter()
        .filter(|(weight, _)| !weight.vanishes())
        .collect();
    if parts.is_empty() {
        return Err(match given {
            0 => Error::EmptySupport,
            outcomes => Error::ZeroTotal { outcomes },
        });
    }
    let totals: Vec<&W> = parts.iter().map(|(_, law)| &law.total).collect();
    let outcomes: usize = parts.iter().map(|(_, law)| law.len()).sum();
    let operation = || format!("a mixture of {} distributions", parts.len());
    let fits = |words| check_size(operation, outcomes as u128, words, limit);
    let (common, factors) = W::harmonise_within(&totals, fits)?;
    let all = total.times(&common);
    fits(all.words(1))?;
    let mut pairs = Vec::with_capacity(outcomes);
    let mut counted = Roundings::default();
    for ((weight, law), factor) in parts.into_iter().zip(&factors) {
        // 1/total and two products are three roundings in floats.
        let inner = law.roundings.weights.saturating_add(law.roundings.total);
        counted.weights = counted.weights.max(inner.saturating_add(3));
        let factor = factor.times(&weight);
        let inner = law.outcomes.into_iter().zip(law.weights);
        pairs.extend(inner.map(|(outcome, weight)| (outcome, weight.times(&factor))));
    }
    counted.weights = counted.weights.saturating_add(roundings.weights);
    counted.total = roundings.total.saturating_add(1);
    Dist::gather(pairs, all, counted)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Inner weight and total, outer weight, 1/total and two products.
    #[test]
    fn every_rounding_of_a_mixture_is_counted() -> Result<(), Error> {
        let inner = Dist::from_float_weights([(0, 0.1), (1, 0.3), (2, 0.7)])?;
        let outer = Dist::ndice(1, 3)?.to_f64();
        assert_eq!((inner.roundings.weights, inner.roundings.total), (0, 3));
        let mixed = outer.and_then(|&x| Ok(inner.map(|y| x * 3 + y)))?;
        assert_eq!((mixed.roundings.weights, mixed.roundings.total), (7, 1));
        // As before, the quotient of the outer weights being one of two outcomes each.
        let parts = [(1, inner.clone()), (2, inner)];
        let mixed = Dist::mixture(parts)?;
        assert_eq!((mixed.roundings.weights, mixed.roundings.total), (8, 1));
        Ok(())
    }
}
