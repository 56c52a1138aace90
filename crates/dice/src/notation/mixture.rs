//! Mixtures in which a roll selects the next distribution, summed part by part.

use crate::rounding::Roundings;
use crate::{Dist, Error, Weight};

/// Like [`Dist::and_then`], but one part after the other.
///
/// Holding all parts at once would take many times the memory of the result: `(1d1000)d6` has a
/// thousand distributions, each with as many outcomes as the result. Here, parts are added as they
/// are computed.
pub(super) fn mixture<W: Weight>(
    counts: &Dist<i64, W>,
    part: impl FnMut(i64) -> Result<Dist<i64, W>, Error>,
) -> Result<Dist<i64, W>, Error> {
    if W::EXACT {
        exact(counts, part)
    } else {
        in_floats(counts, part)
    }
}

/// The total of the sum grows with the totals of the parts, so that most weights stay short.
fn exact<W: Weight>(
    counts: &Dist<i64, W>,
    mut part: impl FnMut(i64) -> Result<Dist<i64, W>, Error>,
) -> Result<Dist<i64, W>, Error> {
    // The sums so far, each more than twice as long as the next. Overlapping laws are merged at
    // once, and others are copied only a few times.
    let mut sums: Vec<Dist<i64, W>> = Vec::new();
    for (&count, weight) in counts.iter() {
        let mut sum = part(count)?;
        for own in &mut sum.weights {
            *own = own.times(weight);
        }
        while let Some(before) = sums.pop_if(|before| before.len() <= 2 * sum.len()) {
            sum = plus(before, sum);
        }
        sums.push(sum);
    }
    let all = sums
        .into_iter()
        .rev()
        .reduce(|sum, before| plus(before, sum));
    let mut all = all.ok_or(Error::EmptySupport)?;
    all.total = all.total.times(&counts.total);
    Ok(all)
}

/// Every step of a sum of distributions would add a rounding to all of its weights. Here the terms
/// of each outcome are added in order, and counted, as if all had been collected first: the sum and
/// its error are those of [`Dist::and_then`].
fn in_floats<W: Weight>(
    counts: &Dist<i64, W>,
    mut part: impl FnMut(i64) -> Result<Dist<i64, W>, Error>,
) -> Result<Dist<i64, W>, Error> {
    // Each outcome with its weight so far and the number of terms in it. Those after the last
    // merge may repeat.
    let mut sums: Vec<(i64, W, u64)> = Vec::new();
    let mut inner = 0;
    for (&count, weight) in counts.iter() {
        let law = part(count)?;
        inner = law
            .roundings
            .weights
            .saturating_add(law.roundings.total)
            .max(inner);
        if sums.len() + law.len() > sums.capacity() {
            merge(&mut sums);
            // As many outcomes again before the next merge, which pays for it.
            sums.reserve_exact(sums.len() + law.len());
        }
        let (_, factors) = W::harmonise(&[&law.total]);
        for factor in factors {
            let factor = factor.times(weight);
            let terms = law
                .iter()
                .map(|(&outcome, own)| (outcome, own.times(&factor), 1));
            sums.extend(terms);
        }
    }
    merge(&mut sums);
    let most = sums.iter().map(|sum| sum.2).max().unwrap_or(1);
    // 1/total and two products in each term.
    let roundings = Roundings {
        weights: inner
            .saturating_add(3)
            .saturating_add(counts.roundings.weights),
        total: counts.roundings.total.saturating_add(1),
    };
    let roundings = roundings.sum(usize::try_from(most).unwrap_or(usize::MAX));
    let pairs = sums
        .into_iter()
        .map(|(outcome, weight, _)| (outcome, weight));
    Dist::gather(pairs.collect(), counts.total.clone(), roundings)
}

/// Adds the terms of equal outcomes, in the order given.
fn merge<W: Weight>(sums: &mut Vec<(i64, W, u64)>) {
    sums.retain(|(_, weight, _)| !weight.vanishes());
    // The sort is stable.
    sums.sort_by_key(|sum| sum.0);
    sums.dedup_by(|next, sum| {
        let same = next.0 == sum.0;
        if same {
            sum.1.add(&next.1);
            sum.2 = sum.2.saturating_add(next.2);
        }
        same
    });
}

/// The sum of two parts of a distribution, over the least common multiple of their totals.
pub(super) fn plus<W: Weight>(left: Dist<i64, W>, right: Dist<i64, W>) -> Dist<i64, W> {
    let (total, factors) = W::harmonise(&[&left.total, &right.total]);
    let mut pairs = Vec::with_capacity(left.len() + right.len());
    let mut counted = Roundings::default();
    for (law, factor) in [left, right].into_iter().zip(&factors) {
        let weights = law.weights.iter().map(|weight| weight.times(factor));
        pairs.extend(law.outcomes.into_iter().zip(weights));
        // In floats, 1/total and a product.
        let inner = law.roundings.weights.saturating_add(law.roundings.total);
        counted.weights = counted.weights.max(inner.saturating_add(2));
    }
    Dist::merge(pairs, total, counted)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The terms of an outcome are added in the same order, however often they are merged.
    #[test]
    fn floats_are_those_of_all_parts_at_once() -> Result<(), Error> {
        let counts = Dist::ndice(2, 30)?.to_f64();
        let part = |count: i64| Ok(Dist::ndice(count as u32 % 7, 6)?.to_f64());
        let (found, all) = (mixture(&counts, part)?, counts.and_then(|&n| part(n))?);
        assert_eq!(found.weights, all.weights);
        assert_eq!(found.roundings, all.roundings);
        Ok(())
    }

    #[test]
    fn the_same_as_all_parts_at_once() -> Result<(), Error> {
        let counts = Dist::from_weights([(0_i64, 2_u32), (1, 1), (2, 7), (5, 3)])?;
        let part = |count: i64| match count {
            0 => Ok(Dist::point(-3)),
            2 => Dist::ndice(3, 4),
            _ => Dist::ndice(count as u32, 6),
        };
        let found = mixture(&counts, part)?;
        assert_eq!(found, counts.and_then(|&count| part(count))?);
        assert_eq!(
            found.weights.iter().sum::<num_bigint::BigUint>(),
            found.total
        );
        let floats = |count: i64| Ok(part(count)?.to_f64());
        let expected = counts.to_f64().and_then(|&count| floats(count))?;
        assert_eq!(mixture(&counts.to_f64(), floats)?, expected);
        Ok(())
    }
}
