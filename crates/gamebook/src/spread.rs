//! Distributions in integer weights over one total.

use std::hash::Hash;

use indexmap::IndexMap;
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};
use rustc_hash::FxBuildHasher;

use crate::apply::Overflow;

/// The most outcomes that a chain may lead to, before equal ones are merged.
pub(crate) const MOST_OUTCOMES: usize = 100_000;
/// The most words of weights that are written for a chain.
pub(crate) const MOST_WORDS: u64 = 4_000_000;

/// A distribution over `T`: weights over one total.
#[derive(Clone, Debug)]
pub(crate) struct Spread<T> {
    pub(crate) outcomes: Vec<(T, BigUint)>,
    pub(crate) total: BigUint,
}

impl<T: Clone + Eq + Hash> Spread<T> {
    pub(crate) fn certain(outcome: T) -> Self {
        Spread {
            outcomes: vec![(outcome, BigUint::one())],
            total: BigUint::one(),
        }
    }

    /// The distribution with these machine-word weights. Weights of zero are dropped.
    pub(crate) fn weighted(weights: impl IntoIterator<Item = (T, u64)>) -> Self {
        let weights = weights.into_iter();
        Spread::wide(weights.map(|(outcome, weight)| (outcome, weight.into())))
    }

    /// The distribution with these weights of any length. Weights of zero are dropped.
    pub(crate) fn wide(weights: impl IntoIterator<Item = (T, BigUint)>) -> Self {
        let weights = weights.into_iter();
        let outcomes: Vec<(T, BigUint)> = weights.filter(|(_, weight)| !weight.is_zero()).collect();
        let total = outcomes.iter().map(|(_, weight)| weight).sum();
        Spread { outcomes, total }.merged()
    }

    /// Chains distributions: `follow` gives what follows each outcome.
    ///
    /// Totals of parts may be unrelated, so that their common multiple is as long as all of them
    /// together; more words than memory holds are rejected before they are written.
    pub(crate) fn then<U: Clone + Eq + Hash>(
        mut self,
        mut follow: impl FnMut(T) -> Result<Spread<U>, Overflow>,
    ) -> Result<Spread<U>, Overflow> {
        // The fast path: most of what happens in a book is certain.
        if self.total.is_one()
            && let Some((outcome, _)) = self.outcomes.pop()
        {
            return follow(outcome);
        }
        let mut parts = Vec::with_capacity(self.outcomes.len());
        let (mut branches, mut outcomes) = (false, 0);
        for (outcome, weight) in self.outcomes {
            let part = follow(outcome)?;
            branches |= !part.total.is_one();
            outcomes += part.outcomes.len();
            if branches && outcomes > MOST_OUTCOMES {
                return Err(Overflow::Sheets);
            }
            parts.push((weight, part));
        }
        let most = MOST_WORDS / (outcomes as u64).max(1);
        joined(parts, self.total, most).ok_or(Overflow::Sheets)
    }

    /// The same as [`then`](Spread::then), where nothing can fail: for few outcomes.
    pub(crate) fn followed<U: Clone + Eq + Hash>(
        self,
        mut follow: impl FnMut(T) -> Spread<U>,
    ) -> Spread<U> {
        let parts = self.outcomes.into_iter();
        let parts = parts.map(|(outcome, weight)| (weight, follow(outcome)));
        let joined = joined(parts.collect(), self.total, u64::MAX);
        joined.unwrap_or_else(|| Spread::weighted([]))
    }

    /// Merges equal outcomes, at the position of the first.
    fn merged(self) -> Self {
        if self.outcomes.len() < 2 {
            return self;
        }
        let mut merged: IndexMap<T, BigUint, FxBuildHasher> =
            IndexMap::with_capacity_and_hasher(self.outcomes.len(), FxBuildHasher);
        for (outcome, weight) in self.outcomes {
            *merged.entry(outcome).or_insert_with(BigUint::zero) += weight;
        }
        Spread {
            outcomes: merged.into_iter().collect(),
            total: self.total,
        }
    }
}

/// The mixture of distributions with these weights out of `total`, unless its weights have more
/// words than this each.
fn joined<T: Clone + Eq + Hash>(
    parts: Vec<(BigUint, Spread<T>)>,
    total: BigUint,
    most: u64,
) -> Option<Spread<T>> {
    // If every part is certain, no common total is needed.
    if parts.iter().all(|(_, part)| part.total.is_one()) {
        let certain = parts
            .into_iter()
            .filter_map(|(weight, mut part)| part.outcomes.pop().map(|(to, _)| (to, weight)));
        let outcomes = certain.collect();
        return Some(Spread { outcomes, total }.merged());
    }
    let mut common = BigUint::one();
    for (_, part) in &parts {
        // A division first, since the part's total is mostly much shorter.
        let shared = (&common % &part.total).gcd(&part.total);
        common *= &part.total / shared;
        if (total.bits() + common.bits()) / 64 > most {
            return None;
        }
    }
    let mut outcomes = Vec::new();
    for (weight, part) in parts {
        let scale = weight * (&common / &part.total);
        let scaled = part.outcomes.into_iter().map(|(to, w)| (to, w * &scale));
        outcomes.extend(scaled);
    }
    let total = total * common;
    Some(Spread { outcomes, total }.merged())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_follow_each_other() {
        let coin = Spread::weighted([(0, 1), (1, 1), (9, 0)]);
        let both = coin.then(|tossed| {
            Ok(match tossed {
                0 => Spread::certain(7),
                _ => Spread::weighted([(7, 1), (8, 2)]),
            })
        });
        let both = both.unwrap();
        let weights: Vec<(i32, String)> = both
            .outcomes
            .iter()
            .map(|(k, w)| (*k, w.to_string()))
            .collect();
        assert_eq!(weights, [(7, "4".into()), (8, "2".into())]);
        assert_eq!(both.total.to_string(), "6");
    }

    #[test]
    fn what_is_certain_keeps_its_weight() {
        let die = Spread::weighted((1..=6).map(|face| (face, 1)));
        let halved = die.followed(|face| Spread::certain(face / 2));
        let weights: Vec<(i32, String)> = halved
            .outcomes
            .iter()
            .map(|(k, w)| (*k, w.to_string()))
            .collect();
        let expected = [(0, "1"), (1, "2"), (2, "2"), (3, "1")];
        assert_eq!(weights, expected.map(|(k, w)| (k, w.to_owned())));
        assert_eq!(halved.total.to_string(), "6");
    }
    /// Three thousand unlike primes have a common multiple of 6 kB, for each of 6,000 outcomes.
    #[test]
    fn unrelated_totals_are_not_multiplied_into_more_than_memory_holds() {
        let prime = |number: &u64| !(2..=300).any(|by| number.is_multiple_of(&by));
        let totals: Vec<u64> = (30_000..).filter(prime).take(3_000).collect();
        let mixed = |most: usize| {
            let law = Spread::weighted(totals[..most].iter().map(|total| (*total, 1)));
            law.then(|total| Ok(Spread::weighted([(0, 1), (total, total - 1)])))
        };
        assert_eq!(mixed(300).unwrap().outcomes.len(), 301);
        assert_eq!(mixed(3_000).err(), Some(Overflow::Sheets));
    }

    #[test]
    fn a_chain_that_branches_has_a_hundred_thousand_outcomes_at_most() {
        let law = |most: u64| Spread::weighted((0..most).map(|outcome| (outcome, 1)));
        let certain = law(150_000).then(|outcome| Ok(Spread::certain(outcome)));
        assert_eq!(certain.unwrap().outcomes.len(), 150_000);
        let two = |outcome: u64| Ok(Spread::weighted([(outcome, 1), (outcome + 1, 1)]));
        assert_eq!(law(50_000).then(two).unwrap().outcomes.len(), 50_001);
        assert_eq!(law(50_001).then(two).err(), Some(Overflow::Sheets));
    }
}
