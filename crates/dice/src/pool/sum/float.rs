//! The sum of the k highest dice in floats, by sums of positive terms only: the exact kernels
//! subtract, and a difference of rounded numbers has no error bound. Fair dice go to the exact
//! kernels where these are faster.
//!
//! Each function also returns an upper bound on the number of roundings between a weight and its
//! true value, see `rounding.rs`.

use super::positions::{self, Doubles};
use super::{Answer, Grid, Kept, Lot, Request, exact};
use crate::Weight;
use crate::rounding::{Roundings, exponent_of, nearest, times_power_of_two};
use num_bigint::BigUint;

/// The probability of each face.
fn probabilities(lot: &Lot<f64>) -> Vec<f64> {
    lot.weights
        .iter()
        .map(|weight| weight / lot.total)
        .collect()
}

/// The probability of each sum, in steps, of the `k` highest dice of one distribution: the sum of
/// `equal.rs`, where P is divided by its sum and that factor moved into the coefficients. They then
/// lie between 0 and 1, since they are probabilities themselves.
pub(super) fn equal(lot: &Lot<f64>, k: u32) -> (Vec<f64>, u64) {
    let (n, k) = (lot.count, k as usize);
    let p = probabilities(lot);
    let top = p.len() - 1;
    let mut sum = vec![0.0; k * top + 1];
    let mut polynomial = Vec::new();
    for v in 0..=top {
        if p[v] == 0.0 {
            continue;
        }
        let below: f64 = p[..v].iter().sum();
        let above: f64 = p[v + 1..].iter().sum();
        let column = column(p[v], below, above, n, k);
        if above == 0.0 {
            sum[v * k] += column[0];
            continue;
        }
        let step: Vec<f64> = std::iter::once(0.0)
            .chain(p[v + 1..].iter().map(|p| p / above))
            .collect();
        polynomial.clear();
        polynomial.push(column[k - 1]);
        for coefficient in column[..k - 1].iter().rev() {
            polynomial = f64::convolve(&polynomial, &step);
            polynomial[0] += coefficient;
        }
        for (sum, term) in sum[v * k..].iter_mut().zip(&polynomial) {
            *sum += term;
        }
    }
    // The roundings of a probability, of a sum of them, and of a coefficient: C(n, j) qʲ takes
    // three and those of q per factor, aᵐ one and those of a, the l-th term three and those of b/a,
    // and the sum over l one addition per term.
    let (dice, faces) = (u64::from(n), top as u64 + 1);
    let face = lot.roundings;
    let part = face.saturating_add(faces);
    let ratio = face.saturating_add(part).saturating_add(1);
    let coefficient = part
        .saturating_add(face)
        .saturating_add(ratio)
        .saturating_add(8);
    let horner = (k as u64).saturating_mul(ratio.saturating_add(faces + 1));
    let count = dice.saturating_mul(coefficient).saturating_add(horner);
    (sum, count.saturating_add(faces + 2))
}

/// C(n, j) q^j Σ C(n − j, l) bˡ a^(n − j − l) over l ≤ n − k, for j < k.
fn column(at: f64, below: f64, above: f64, n: u32, k: usize) -> Vec<f64> {
    let dropped = n as usize - k;
    let mut chosen = Vec::with_capacity(k);
    let mut term = Scaled::new(1.0);
    for j in 0..k {
        chosen.push(term);
        term = term
            .times((n as usize - j) as f64 / (j + 1) as f64)
            .times(above);
    }
    // As a double it would overflow where `at` is tiny.
    let ratio = Scaled::new(below).over(at);
    let mut power = Scaled::new(1.0);
    for _ in 0..dropped {
        power = power.times(at);
    }
    let mut column = vec![0.0; k];
    for j in (0..k).rev() {
        power = power.times(at);
        let m = n as usize - j;
        let (mut term, mut sum) = (power, power);
        for l in 0..dropped {
            term = term.times((m - l) as f64 / (l + 1) as f64).product(ratio);
            if term.digits == 0.0 {
                break;
            }
            sum = sum.plus(term);
        }
        column[j] = sum.product(chosen[j]).value();
    }
    column
}

/// A double with an unlimited exponent: the products of powers of small probabilities and binomial
/// coefficients are ordinary numbers, but the factors need not be.
#[derive(Clone, Copy, Debug)]
struct Scaled {
    /// 0, or from 1 to below 2.
    digits: f64,
    exponent: i64,
}

impl Scaled {
    fn new(x: f64) -> Self {
        Scaled {
            digits: x,
            exponent: 0,
        }
        .settled()
    }

    fn settled(mut self) -> Self {
        if self.digits != 0.0 {
            if self.digits.is_subnormal() {
                self.digits = times_power_of_two(self.digits, 64);
                self.exponent -= 64;
            }
            let exponent = exponent_of(self.digits);
            self.digits = times_power_of_two(self.digits, -exponent);
            self.exponent += exponent;
        }
        self
    }

    fn times(self, x: f64) -> Self {
        self.product(Scaled::new(x))
    }

    fn product(self, other: Scaled) -> Self {
        Scaled {
            digits: self.digits * other.digits,
            exponent: self.exponent + other.exponent,
        }
        .settled()
    }

    fn over(self, x: f64) -> Self {
        let divisor = Scaled::new(x);
        Scaled {
            digits: self.digits / divisor.digits,
            exponent: self.exponent - divisor.exponent,
        }
        .settled()
    }

    fn plus(self, other: Scaled) -> Self {
        let (large, small) = if self.exponent >= other.exponent {
            (self, other)
        } else {
            (other, self)
        };
        let shift = small.exponent - large.exponent;
        // Beyond that, the smaller one is less than a rounding of the larger.
        let small = if shift < -1000 {
            0.0
        } else {
            times_power_of_two(small.digits, shift)
        };
        Scaled {
            digits: large.digits + small,
            exponent: large.exponent,
        }
        .settled()
    }

    fn value(self) -> f64 {
        times_power_of_two(self.digits, self.exponent)
    }
}

/// The probability of each sum, in steps, of the `k` highest dice of several distributions.
///
/// For each face v, die by die: j < k dice are above v, and a of the k − j places below them are
/// taken by dice that show v. Rolls that fill all places are counted for v.
pub(super) fn mixed(lots: &[Lot<f64>], k: u32) -> (Vec<f64>, u64) {
    let k = k as usize;
    let laws: Vec<Vec<f64>> = lots.iter().map(probabilities).collect();
    let top = laws.iter().map(Vec::len).max().unwrap_or(1) - 1;
    let mut sum = vec![0.0; k * top + 1];
    for v in 0..=top {
        if laws.iter().all(|p| p.get(v).is_none_or(|p| *p == 0.0)) {
            continue;
        }
        // states[j][a], a ≤ k − j; above v, in steps above v.
        let mut states: Vec<Vec<Vec<f64>>> = (0..k).map(|j| vec![Vec::new(); k - j + 1]).collect();
        states[0][0].push(1.0);
        for (p, lot) in laws.iter().zip(lots) {
            let at = p.get(v).copied().unwrap_or(0.0);
            let below: f64 = p[..v.min(p.len())].iter().sum();
            let mut step = vec![0.0];
            step.extend(p.iter().skip(v + 1));
            for _ in 0..lot.count {
                for j in (0..k).rev() {
                    let places = k - j;
                    for a in (0..=places).rev() {
                        let full = a == places;
                        let stay = below + if full { at } else { 0.0 };
                        let mut next: Vec<f64> = states[j][a].iter().map(|w| w * stay).collect();
                        if a > 0 {
                            add(&mut next, &states[j][a - 1], at);
                        }
                        if j > 0 && step.len() > 1 {
                            let (fewer, rest) = states.split_at_mut(j);
                            let (from, _) = (&fewer[j - 1], rest);
                            // If no place is free, a die above v takes the place of one that shows
                            // v.
                            let last = if full { places + 1 } else { a };
                            for from in &from[a..=last] {
                                if !from.is_empty() {
                                    let more = f64::convolve(from, &step);
                                    add(&mut next, &more, 1.0);
                                }
                            }
                        }
                        states[j][a] = next;
                    }
                }
            }
        }
        for (j, state) in states.iter().enumerate() {
            for (sum, term) in sum[v * k..].iter_mut().zip(&state[k - j]) {
                *sum += term;
            }
        }
    }
    // For each die: a probability or a sum of them, its product, and the additions of two products
    // over the faces and of two single terms.
    let faces = top as u64 + 1;
    let die = |lot: &Lot<f64>| lot.roundings.saturating_add(3 * faces + 5);
    let dice = lots
        .iter()
        .map(|lot| die(lot).saturating_mul(lot.count.into()));
    let count = dice.fold(0, u64::saturating_add);
    (sum, count.saturating_add(k as u64 + faces))
}

/// sum += terms · factor
fn add(sum: &mut Vec<f64>, terms: &[f64], factor: f64) {
    if factor == 0.0 || terms.is_empty() {
        return;
    }
    if sum.len() < terms.len() {
        sum.resize(terms.len(), 0.0);
    }
    for (sum, term) in sum.iter_mut().zip(terms) {
        *sum += term * factor;
    }
}

/// Answers a request with float weights.
pub(crate) fn answer(request: &Request<f64>) -> Answer<f64> {
    let lots = match &request.grid {
        Grid::Deck { cards, drawn } => {
            let (cards, drawn) = (cards.clone(), *drawn);
            return counted(Grid::Deck { cards, drawn }, &request.kept, 0);
        }
        Grid::Dice(lots) if request.counted => {
            // The weights are equal, each with the roundings of one, and so has their sum.
            let dice = |lot: &Lot<f64>| lot.roundings.saturating_mul(2 * u64::from(lot.count));
            let roundings = lots.iter().map(dice).fold(0, u64::saturating_add);
            let lots = lots.iter().map(ways).collect();
            return counted(Grid::Dice(lots), &request.kept, roundings);
        }
        Grid::Dice(lots) => lots,
    };
    let (first, (weights, roundings)) = match (&request.kept, lots.as_slice()) {
        (&Kept::Highest(k), [lot]) => (0, equal(lot, k)),
        (&Kept::Highest(k), lots) => (0, mixed(lots, k)),
        (Kept::Positions(multiplicities), lots) => placed(lots, multiplicities),
    };
    Answer {
        first,
        weights,
        total: 1.0,
        roundings: Roundings {
            weights: roundings,
            total: 0,
        },
    }
}

/// Answers in integers, of which each quotient is rounded once. `roundings` are those of the dice.
fn counted(grid: Grid<BigUint>, kept: &Kept, roundings: u64) -> Answer<f64> {
    let exact = exact::answer(&Request {
        grid,
        kept: kept.clone(),
        counted: true,
    });
    let weights = exact.weights.iter().map(|w| nearest(w, &exact.total));
    Answer {
        first: exact.first,
        weights: weights.collect(),
        total: 1.0,
        roundings: Roundings {
            weights: roundings.saturating_add(1),
            total: 0,
        },
    }
}

/// Fair dice with a weight of one for each face.
fn ways(lot: &Lot<f64>) -> Lot<BigUint> {
    let weights = lot.weights.iter().map(|w| u32::from(*w > 0.0).into());
    let weights: Vec<BigUint> = weights.collect();
    Lot {
        total: weights.iter().sum(),
        weights,
        count: lot.count,
        roundings: 0,
    }
}

/// Sorted positions: each H(c) of `positions.rs`, divided by the probability that those dice show
/// at most v.
fn placed(lots: &[Lot<f64>], multiplicities: &[i64]) -> (i64, (Vec<f64>, u64)) {
    let laws: Vec<Vec<f64>> = lots.iter().map(probabilities).collect();
    let counts: Vec<u32> = lots.iter().map(|lot| lot.count).collect();
    let faces = laws.iter().map(Vec::len).max().unwrap_or(0);
    let steps: Vec<i64> = (0..faces as i64).collect();
    let factors = |v: i64, law: usize| {
        let (p, v) = (&laws[law], v as usize);
        let at = p.get(v).copied().filter(|at| *at > 0.0)?;
        let below: f64 = p[..v].iter().sum();
        let both = below + at;
        Some(positions::binomial_probabilities(
            counts[law],
            at / both,
            below / both,
        ))
    };
    let law = positions::sum(&Doubles, &counts, multiplicities, &steps, factors);
    // At a face, c of a law's dice are split by a binomial probability: for each die a factor of a
    // probability over a sum of probabilities, a product and an addition; then one product and c
    // additions.
    let faces = faces as u64;
    let split = |lot: &Lot<f64>| {
        let die = lot
            .roundings
            .saturating_add(faces)
            .saturating_mul(2)
            .saturating_add(3);
        die.saturating_mul(lot.count.into())
            .saturating_add(u64::from(lot.count) + 1)
    };
    let count = lots.iter().map(split).fold(0, u64::saturating_add);
    (law.base, (law.digits, count.saturating_mul(faces)))
}
