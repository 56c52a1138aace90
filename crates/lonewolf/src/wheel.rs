//! The Cartwheel: seven of the ten numbers lose a Crown, two win four, and one wins seven.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The outcomes of a spin, with their chances in ten: to lose one Crown, to win four, to win seven.
pub(crate) const SPIN: [(i16, u8); 3] = [(-1, 7), (4, 2), (7, 1)];
/// The number of Crowns that the belt pouch holds.
pub(crate) const PURSE: usize = 50;

/// Returns the number of Crowns after one spin.
pub(crate) fn after(gold: u8, change: i16) -> u8 {
    (i16::from(gold) + change).clamp(0, PURSE as i16) as u8
}

/// The distributions of the final number of Crowns when playing until there are none or `target`.
///
/// The chance `h(g)` of a certain end from `g` Crowns satisfies `10 h(g) = 7 h(g−1) + 2 h(g+4) +
/// h(g+7)`. Read as a recurrence for `h(g+7)`, it needs only integers. So everything is known
/// except `h(1)`, …, `h(7)`, and those follow from the seven ends above by one elimination of seven
/// rows, without fractions (E. H. Bareiss, "Sylvester's identity and multistep integer-preserving
/// Gaussian elimination", Mathematics of Computation 22, 1968).
#[derive(Clone, Debug)]
pub(crate) struct Laws {
    target: u8,
    /// For each number of Crowns below the target, the weights of having none and of having the
    /// target, one more, …, six more.
    weights: Vec<[BigInt; ENDS]>,
    total: BigInt,
}

/// The number of unknowns, and of ends above the target.
const ABOVE: usize = 7;
/// The number of all ends.
const ENDS: usize = ABOVE + 1;

impl Laws {
    pub(crate) fn new(target: u8) -> Self {
        let crowns = usize::from(target);
        let zero = || -> [BigInt; ENDS] { std::array::from_fn(|_| BigInt::zero()) };
        // h(g) as a combination of h(0), h(1), …, h(7).
        let mut known: Vec<[BigInt; ENDS]> = Vec::with_capacity(crowns + ABOVE);
        for place in 0..ENDS {
            let mut unit = zero();
            unit[place] = BigInt::one();
            known.push(unit);
        }
        for g in 1..crowns {
            if g + ABOVE < known.len() {
                continue;
            }
            let next = std::array::from_fn(|k| {
                &known[g][k] * 10 - &known[g - 1][k] * 7 - &known[g + 4][k] * 2
            });
            known.push(next);
        }
        // One row for each end above; to the right of it, the ends as unit vectors.
        let mut rows: Vec<Vec<BigInt>> = (0..ABOVE)
            .map(|end| {
                let row = &known[crowns + end];
                let mut right = zero();
                right[0] = -row[0].clone();
                right[end + 1] += 1;
                row[1..].iter().cloned().chain(right).collect()
            })
            .collect();
        let mut last = BigInt::one();
        for pivot in 0..ABOVE {
            // The chain is absorbed for certain, so the rows are independent.
            let swap = (pivot..ABOVE).find(|&row| !rows[row][pivot].is_zero());
            rows.swap(pivot, swap.unwrap_or(pivot));
            let own = rows[pivot].clone();
            for row in rows.iter_mut().enumerate().filter(|(row, _)| *row != pivot) {
                let factor = row.1[pivot].clone();
                for (entry, over) in row.1.iter_mut().zip(&own) {
                    *entry = (&own[pivot] * &*entry - &factor * over) / &last;
                }
            }
            last = own[pivot].clone();
        }
        let total = rows[ABOVE - 1][ABOVE - 1].clone();
        let weights = (0..crowns).map(|g| {
            std::array::from_fn(|end| {
                let mut sum = match end {
                    0 => &known[g][0] * &total,
                    _ => BigInt::zero(),
                };
                for (k, row) in rows.iter().enumerate() {
                    sum += &known[g][k + 1] * &row[ABOVE + end];
                }
                if total.is_negative() { -sum } else { sum }
            })
        });
        Laws {
            target,
            weights: weights.collect(),
            total: total.abs(),
        }
    }

    /// Returns what can be left of this many Crowns, with the probabilities.
    pub(crate) fn from(&self, gold: u8) -> Vec<(u8, BigRational)> {
        let Some(weights) = self.weights.get(usize::from(gold)) else {
            return vec![(gold, BigRational::one())];
        };
        let shared = weights
            .iter()
            .fold(self.total.clone(), |all, weight| all.gcd(weight));
        let total = &self.total / &shared;
        let ends = [0].into_iter().chain(self.target..);
        ends.zip(weights)
            .filter(|(_, weight)| !weight.is_zero())
            // Over one denominator, so not reduced.
            .map(|(end, weight)| {
                let end = end.min(PURSE as u8);
                (end, BigRational::new_raw(weight / &shared, total.clone()))
            })
            .collect()
    }

    /// Returns [`from`](Laws::from) in floats, each within one rounding.
    pub(crate) fn floats(&self, gold: u8) -> Vec<(u8, f64)> {
        let law = self.from(gold).into_iter();
        law.map(|(end, p)| (end, p.to_f64().unwrap_or(0.0)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability of an end.
    fn p(laws: &Laws, gold: u8, end: u8) -> BigRational {
        let law = laws.from(gold).into_iter();
        law.filter(|&(other, _)| other == end)
            .map(|(_, p)| p.reduced())
            .sum()
    }

    /// A spin from every number of crowns, and then the distribution from there, is the
    /// distribution.
    #[test]
    fn a_law_is_that_of_a_spin_and_what_follows() {
        for target in [1, 3, 20, 25, 30, 44] {
            let laws = Laws::new(target);
            for gold in 1..target {
                let sum: BigRational = laws.from(gold).into_iter().map(|(_, p)| p).sum();
                assert_eq!(sum, BigRational::one());
                for end in [0, target, target + 3] {
                    let mut sum = BigRational::zero();
                    for (change, numbers) in SPIN {
                        let next = p(&laws, after(gold, change), end);
                        sum += BigRational::new(numbers.into(), 10.into()) * next;
                    }
                    assert_eq!(p(&laws, gold, end), sum, "from {gold} to {end}");
                }
            }
        }
    }
}
