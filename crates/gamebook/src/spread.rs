//! Distributions in integer weights over one total.

use std::convert::Infallible;
use std::hash::Hash;

use indexmap::IndexMap;
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};
use rustc_hash::FxBuildHasher;

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
    pub(crate) fn then<U: Clone + Eq + Hash, E>(
        mut self,
        mut follow: impl FnMut(T) -> Result<Spread<U>, E>,
    ) -> Result<Spread<U>, E> {
        // The fast path: most of what happens in a book is certain.
        if self.total.is_one()
            && let Some((outcome, _)) = self.outcomes.pop()
        {
            return follow(outcome);
        }
        let mut parts = Vec::with_capacity(self.outcomes.len());
        for (outcome, weight) in self.outcomes {
            parts.push((weight, follow(outcome)?));
        }
        // If every part is certain, no common total is needed.
        if parts.iter().all(|(_, part)| part.total.is_one()) {
            let certain = parts
                .into_iter()
                .filter_map(|(weight, mut part)| part.outcomes.pop().map(|(to, _)| (to, weight)));
            let outcomes = certain.collect();
            let total = self.total;
            return Ok(Spread { outcomes, total }.merged());
        }
        let common = parts.iter().fold(BigUint::one(), |common, (_, part)| {
            // A division first, since the part's total is mostly much shorter.
            let shared = (&common % &part.total).gcd(&part.total);
            common * (&part.total / shared)
        });
        let mut outcomes = Vec::new();
        for (weight, part) in parts {
            let scale = weight * (&common / &part.total);
            let scaled = part.outcomes.into_iter().map(|(to, w)| (to, w * &scale));
            outcomes.extend(scaled);
        }
        let total = self.total * common;
        Ok(Spread { outcomes, total }.merged())
    }

    /// The same as [`then`](Spread::then), where nothing can fail.
    pub(crate) fn followed<U: Clone + Eq + Hash>(
        self,
        mut follow: impl FnMut(T) -> Spread<U>,
    ) -> Spread<U> {
        let law: Result<_, Infallible> = self.then(|outcome| Ok(follow(outcome)));
        let Ok(law) = law;
        law
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_follow_each_other() {
        let coin = Spread::weighted([(0, 1), (1, 1), (9, 0)]);
        let both: Result<_, ()> = coin.then(|tossed| {
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
}
