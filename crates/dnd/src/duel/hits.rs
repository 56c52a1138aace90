//! What i hits do to a target.

use super::number::Number;
use crate::Error;

/// The damage of the turns that hurt, as sub-distributions of the hit points left.
#[derive(Clone, Debug)]
pub(super) struct Hits<N> {
    /// The weight of `left` hit points after i hits, at `left[i][hit points]`.
    pub(super) left: Vec<Vec<N>>,
    /// Their sums: the weight of standing after i hits.
    pub(super) standing: Vec<N>,
    /// The weight of falling by hit i + 1.
    pub(super) fatal: Vec<N>,
}

/// Returns the size of [`Hits`] before they are computed.
pub(super) fn words(hit_points: i64, least: i64, start_bits: u64, hit_bits: u64) -> u128 {
    let points = u128::from(hit_points.unsigned_abs());
    let levels = points.div_ceil(u128::from(least.unsigned_abs()).max(1));
    // The last level is the largest, and the average one half of it.
    let bits = u128::from(start_bits).saturating_add(levels.saturating_mul(hit_bits.into()) / 2);
    let each = bits.div_ceil(64).saturating_add(6);
    levels.saturating_mul(points).saturating_mul(each)
}

impl<N: Number> Hits<N> {
    /// Computes the hits from the weights of the hit points at the start, and the weights of the
    /// damage of a turn that hurts, in ascending order.
    pub(super) fn new(start: Vec<N>, hit: &[(i64, N)], limit: u64) -> Result<Self, Error> {
        let most = start.len().saturating_sub(1) as i64;
        // If nothing hurts, there is one level.
        let least = hit.first().map_or(most, |(damage, _)| *damage);
        let bits = hit.iter().map(|(_, weight)| weight.length()).max();
        let bits =
            bits.unwrap_or(0) + u64::from(hit.len().checked_ilog2().map_or(0, |log| log + 1));
        let start_bits = start.iter().map(Number::length).max().unwrap_or(0);
        let needs = match N::EXACT {
            true => words(most, least, start_bits, bits),
            false => words(most, least, 64, 0),
        };
        if needs > u128::from(limit) {
            return Err(Error::DuelTooLarge {
                hit_points: most,
                words: needs,
                limit,
            });
        }
        // The weight of at least this much damage, from 0 to all hit points.
        let mut tail = vec![N::nothing(); start.len()];
        for (damage, weight) in hit {
            tail[(*damage).min(most) as usize].add(weight);
        }
        for at in (1..tail.len()).rev() {
            let above = tail[at].clone();
            tail[at - 1].add(&above);
        }
        let mut hits = Hits {
            left: Vec::new(),
            standing: Vec::new(),
            fatal: Vec::new(),
        };
        let mut now = start;
        while now.iter().any(|weight| !weight.vanishes()) {
            let (mut standing, mut fatal) = (N::nothing(), N::nothing());
            let mut next = vec![N::nothing(); now.len()];
            for (left, weight) in now.iter().enumerate().filter(|(_, w)| !w.vanishes()) {
                standing.add(weight);
                fatal.add(&weight.times(&tail[left]));
                for (damage, chance) in hit {
                    match left.checked_sub(*damage as usize) {
                        Some(less @ 1..) => next[less].add(&weight.times(chance)),
                        _ => break,
                    }
                }
            }
            hits.left.push(now);
            hits.standing.push(standing);
            hits.fatal.push(fatal);
            if hit.is_empty() {
                break;
            }
            now = next;
        }
        Ok(hits)
    }

    /// Returns the weights of hit points left after a random number of hits, given its weights. The
    /// weight of i hits is scaled by `step` for each further hit that was possible.
    ///
    /// Horner's rule is used: scaling the weights first would make one factor of every product half
    /// as long again.
    pub(super) fn mixed(&self, weights: &[N], step: &N) -> Vec<N> {
        let mut sums = vec![N::nothing(); self.left.first().map_or(0, Vec::len)];
        for (left, weight) in self.left.iter().zip(weights) {
            for (sum, part) in sums.iter_mut().zip(left) {
                if !sum.vanishes() {
                    *sum = sum.times(step);
                }
                if !part.vanishes() && !weight.vanishes() {
                    sum.add(&part.times(weight));
                }
            }
        }
        sums
    }
}
