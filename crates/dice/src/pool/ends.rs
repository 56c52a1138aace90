//! The highest and the lowest of all dice together.

use crate::pool::{Group, Source};
use crate::power::{check_size, check_words};
use crate::rounding::Roundings;
use crate::shape::{by_squaring, nth_power};
use crate::{DEFAULT_LIMIT, Dist, Error, Pool, Weight};

impl<T: Ord + Clone, W: Weight> Pool<T, W> {
    /// The groups of dice, if all of them count. There are none of cards.
    pub(super) fn all_counting(&self) -> Option<&[Group<T, W>]> {
        let runs = self.runs();
        let mut counting = runs.iter().filter(|run| run.dice > 0);
        match &self.source {
            Source::Dice(groups) if counting.all(|run| run.multiplicity > 0) => Some(groups),
            _ => None,
        }
    }

    /// The joint distribution of the highest and the lowest face of all dice.
    ///
    /// For each pair of faces, only four things are known of some dice: whether they show the one
    /// and the other, if none shows a face beyond. Dice of one kind then take O(log n) products.
    pub(super) fn ends(&self, groups: &[Group<T, W>]) -> Result<Dist<(T, T), W>, Error> {
        let groups: Vec<_> = groups.iter().filter(|group| group.count > 0).collect();
        let faces: Vec<&T> = self.faces();
        let length = faces.len() as u128;
        let operation = || format!("the highest and the lowest of {} dice", self.size());
        check_words(operation, length * groups.len() as u128, DEFAULT_LIMIT)?;
        let words = |group: &&Group<T, W>| group.die.total.words(group.count);
        let words = groups.iter().map(words).sum();
        check_size(operation, length * (length + 1) / 2, words, DEFAULT_LIMIT)?;

        let mut whole = W::unit();
        let mut roundings = Roundings::default();
        let mut shares: Vec<(u64, Vec<W>)> = Vec::with_capacity(groups.len());
        for group in groups {
            let (total, factor) = group.die.normal();
            whole = whole.times(&nth_power(&total, group.count));
            // A product of two has one rounding, and eight terms in its longest sum.
            let each = group.die.copies_roundings().saturating_add(8);
            let of_group = each.saturating_mul(group.count);
            roundings.weights = roundings.weights.saturating_add(of_group);
            let weight = |face: &&T| match group.die.outcomes.binary_search(face) {
                Ok(place) => group.die.weights[place].times(&factor),
                Err(_) => W::nothing(),
            };
            shares.push((group.count, faces.iter().map(weight).collect()));
        }
        let mut pairs = Vec::with_capacity(faces.len() * (faces.len() + 1) / 2);
        for (low, lowest) in faces.iter().enumerate() {
            let mut between = vec![W::nothing(); shares.len()];
            for (high, highest) in faces.iter().enumerate().skip(low) {
                let mut all = Ends::none();
                for ((count, weights), between) in shares.iter().zip(&mut between) {
                    let die = if low == high {
                        // One face at both ends: it is shown if there are dice at all.
                        Ends {
                            both: weights[low].clone(),
                            ..Ends::nothing()
                        }
                    } else {
                        Ends {
                            neither: between.clone(),
                            low: weights[low].clone(),
                            high: weights[high].clone(),
                            both: W::nothing(),
                        }
                    };
                    let dice = by_squaring(Ends::none(), &die, *count, Ends::times);
                    all = all.times(&dice);
                    if low < high {
                        between.add(&weights[high]);
                    }
                }
                let pair = ((*highest).clone(), (*lowest).clone());
                pairs.push((pair, all.both));
            }
        }
        Dist::gather(pairs, whole, roundings)
    }
}

/// The weights of dice between two faces showing neither of them, only one, or both.
#[derive(Clone)]
struct Ends<W> {
    neither: W,
    low: W,
    high: W,
    both: W,
}

impl<W: Weight> Ends<W> {
    fn nothing() -> Self {
        Ends {
            neither: W::nothing(),
            low: W::nothing(),
            high: W::nothing(),
            both: W::nothing(),
        }
    }

    /// No dice.
    fn none() -> Self {
        Ends {
            neither: W::unit(),
            ..Ends::nothing()
        }
    }

    /// Both groups of dice together. Every term is positive: differences of powers would give the
    /// same, but not with a bound on the error of floats.
    fn times(&self, other: &Self) -> Self {
        let sum = |a: &W, b: &W| {
            let mut sum = a.clone();
            sum.add(b);
            sum
        };
        let one = |here: &W, there: &W| {
            let with = here.times(&sum(there, &other.neither));
            sum(&with, &self.neither.times(there))
        };
        let high_or_both = sum(&other.high, &other.both);
        let low_or_both = sum(&other.low, &other.both);
        let either = sum(&sum(&other.low, &other.neither), &high_or_both);
        let mut both = self.both.times(&either);
        both.add(&self.low.times(&high_or_both));
        both.add(&self.high.times(&low_or_both));
        both.add(&self.neither.times(&other.both));
        Ends {
            neither: self.neither.times(&other.neither),
            low: one(&self.low, &other.low),
            high: one(&self.high, &other.high),
            both,
        }
    }
}
