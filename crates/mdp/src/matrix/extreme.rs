//! All optimal strategies, by the vertices of the polytope that they form.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use super::{MatrixGame, Side, Strategy};
use crate::Error;
use crate::score::compare;

/// A vertex of a polytope of strategies, and the inequalities that it satisfies with equality: bit
/// `i` for the `i`th.
struct Corner {
    weights: Vec<BigInt>,
    tight: Vec<u64>,
}

impl Corner {
    fn set(&mut self, inequality: usize) {
        self.tight[inequality / 64] |= 1 << (inequality % 64);
    }
}

impl MatrixGame {
    /// Returns all extreme optimal strategies of a side, in descending order of their
    /// probabilities. The optimal strategies are exactly the mixtures of these. If the optimal
    /// strategy is unique, there is only one.
    ///
    /// # Errors
    /// [`Error::TooManyCorners`] if more than `limit` vertices occur on the way; those of
    /// [`solve`](MatrixGame::solve).
    ///
    /// # Complexity
    /// Uses the double description method (T. Motzkin et al., "The Double Description Method",
    /// 1953). For each answer of the other side, it tests every pair of vertices against all
    /// vertices, which takes O(answers · limit³) time in the worst case. Suitable for small games.
    ///
    /// # Examples
    /// Any mixture of rows 0 and 1 that plays each with probability at least 1/4 is worth 1:
    /// ```
    /// use oddsmith_mdp::{MatrixGame, Side};
    ///
    /// let game = MatrixGame::new([[4, 0, 1], [0, 4, 1]])?;
    /// let extreme = game.extreme_optimal(Side::Row, 1_000)?;
    /// let texts: Vec<String> = extreme.iter().map(|s| s.to_string()).collect();
    /// assert_eq!(texts, ["(3/4, 1/4)", "(1/4, 3/4)"]);
    /// assert_eq!(game.extreme_optimal(Side::Column, 1_000)?[0].to_string(), "(0, 0, 1)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extreme_optimal(&self, side: Side, limit: usize) -> Result<Vec<Strategy>, Error> {
        let (count, answers) = (self.strategies(side), self.strategies(side.opponent()));
        if count > limit {
            return Err(Error::TooManyCorners { limit });
        }
        let value = self.value()?;
        // The gain of strategy `own` over the value against an answer, times positive numbers. An
        // optimal strategy never loses.
        let gain = |own: usize, answer: usize| {
            let gain = self.entry_of(side, own, answer) * value.denom()
                - value.numer() * &self.denominator;
            match side {
                Side::Row => gain,
                Side::Column => -gain,
            }
        };
        // The vertices of the polytope of all strategies: the pure ones, with all other weights 0.
        let words = (count + answers).div_ceil(64);
        let pure = |own: usize| {
            let mut corner = Corner {
                weights: vec![BigInt::ZERO; count],
                tight: vec![0; words],
            };
            corner.weights[own] = BigInt::from(1);
            (0..count)
                .filter(|&other| other != own)
                .for_each(|other| corner.set(other));
            corner
        };
        let mut corners: Vec<Corner> = (0..count).map(pure).collect();
        for answer in 0..answers {
            let gains: Vec<BigInt> = (0..count).map(|own| gain(own, answer)).collect();
            corners = cut(corners, &gains, count + answer, limit)?;
        }
        let mut strategies: Vec<Strategy> = corners
            .into_iter()
            .map(|corner| Strategy::from_weights(corner.weights))
            .collect();
        strategies.sort_by(|a, b| {
            let mut pairs = b.probabilities().zip(a.probabilities());
            let unlike =
                pairs.find_map(|(b, a)| Some(compare(&b, &a)).filter(|order| order.is_ne()));
            unlike.unwrap_or(Ordering::Equal)
        });
        Ok(strategies)
    }
}

/// Returns the vertices of the part of the polytope where `gains` · weights ≥ 0.
fn cut(
    corners: Vec<Corner>,
    gains: &[BigInt],
    inequality: usize,
    limit: usize,
) -> Result<Vec<Corner>, Error> {
    let sides: Vec<BigInt> = corners
        .iter()
        .map(|corner| {
            let terms = corner.weights.iter().zip(gains);
            terms.map(|(weight, gain)| weight * gain).sum()
        })
        .collect();
    let mut fresh = Vec::new();
    let kept = sides.iter().filter(|side| !side.is_negative()).count();
    for (a, above) in corners.iter().enumerate() {
        if !sides[a].is_positive() {
            continue;
        }
        for (b, below) in corners.iter().enumerate() {
            if !sides[b].is_negative() || !adjacent(&corners, a, b) {
                continue;
            }
            // Where the edge from `above` to `below` intersects the hyperplane.
            let weights = above.weights.iter().zip(&below.weights);
            let weights = weights.map(|(x, y)| &sides[a] * y - &sides[b] * x);
            let mut corner = Corner {
                weights: Strategy::from_weights(weights.collect()).weights().to_vec(),
                tight: above
                    .tight
                    .iter()
                    .zip(&below.tight)
                    .map(|(x, y)| x & y)
                    .collect(),
            };
            corner.set(inequality);
            fresh.push(corner);
            if kept + fresh.len() > limit {
                return Err(Error::TooManyCorners { limit });
            }
        }
    }
    let old = corners.into_iter().zip(&sides);
    let mut left: Vec<Corner> = old
        .filter(|(_, side)| !side.is_negative())
        .map(|(mut corner, side)| {
            if side.is_zero() {
                corner.set(inequality);
            }
            corner
        })
        .collect();
    left.append(&mut fresh);
    Ok(left)
}

/// Returns whether an edge joins two vertices: no third vertex satisfies with equality all
/// inequalities that both of them do.
fn adjacent(corners: &[Corner], a: usize, b: usize) -> bool {
    let (a, b) = (&corners[a].tight, &corners[b].tight);
    let shared = corners.iter().filter(|corner| {
        let words = corner.tight.iter().zip(a.iter().zip(b));
        words.fold(true, |all, (own, (x, y))| all && (x & y) & !own == 0)
    });
    shared.take(3).count() == 2
}
