//! Mixtures in which a roll selects the next distribution, summed part by part.

use crate::rounding::Roundings;
use crate::{DEFAULT_LIMIT, Dist, Error, Weight};

/// Like [`Dist::and_then`], but one part after the other.
///
/// Holding all parts at once would take many times the memory of the result: `(1d1000)d6` has a
/// thousand distributions, each with as many outcomes as the result. Here, parts are added as they
/// are computed, and the total of the sum grows with their totals. A float takes one word, and
/// every step would add a rounding, so for floats the parts are collected, in at least as many words
/// as are allowed by default: the estimate that came before counts less.
pub(super) fn mixture<W: Weight>(
    counts: &Dist<i64, W>,
    mut part: impl FnMut(i64) -> Result<Dist<i64, W>, Error>,
    limit: u64,
) -> Result<Dist<i64, W>, Error> {
    if !W::EXACT {
        return counts.and_then_within(|&count| part(count), limit.max(DEFAULT_LIMIT));
    }
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

/// The sum of two parts of a distribution, over the least common multiple of their totals.
fn plus<W: Weight>(left: Dist<i64, W>, right: Dist<i64, W>) -> Dist<i64, W> {
    let (total, factors) = W::harmonise(&[&left.total, &right.total]);
    let mut pairs = Vec::with_capacity(left.len() + right.len());
    for (law, factor) in [left, right].into_iter().zip(&factors) {
        let weights = law.weights.iter().map(|weight| weight.times(factor));
        pairs.extend(law.outcomes.into_iter().zip(weights));
    }
    Dist::merge(pairs, total, Roundings::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_as_all_parts_at_once() -> Result<(), Error> {
        let counts = Dist::from_weights([(0_i64, 2_u32), (1, 1), (2, 7), (5, 3)])?;
        let part = |count: i64| match count {
            0 => Ok(Dist::point(-3)),
            2 => Dist::ndice(3, 4),
            _ => Dist::ndice(count as u32, 6),
        };
        let found = mixture(&counts, part, 0)?;
        assert_eq!(found, counts.and_then(|&count| part(count))?);
        assert_eq!(
            found.weights.iter().sum::<num_bigint::BigUint>(),
            found.total
        );
        let floats = |count: i64| Ok(part(count)?.to_f64());
        let expected = counts.to_f64().and_then(|&count| floats(count))?;
        assert_eq!(mixture(&counts.to_f64(), floats, 0)?, expected);
        Ok(())
    }
}
