//! Values as fractions.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::Zero;

use super::denominators::{Denominators, size};
use super::explored::{Cells, Weighed};
use super::ledger::{Appraised, Halt, Ledger, Play};
use crate::matrix::{around, saddle_point};
use crate::{Error, MatrixGame, Score, Side};

/// Values as numerators and the numbers of their denominators.
///
/// Fractions are not reduced as long as play is pure: their denominators are products of the totals
/// of outcomes, which repeat from state to state, and greatest common divisors would cost more than
/// all the rest. The value of a state with mixed play is reduced.
#[derive(Debug)]
pub struct Fractions {
    numerators: Vec<BigInt>,
    places: Vec<u32>,
    denominators: Denominators,
    /// The size of the numerators in bytes.
    bytes: u128,
    max_bytes: u128,
    /// The number of bytes of denominators from which on they are swept.
    sweep_at: u128,
}

/// The number of bytes of denominators up to which sweeping is not worth while.
const FEW_BYTES: u128 = 1 << 22;

/// Returns the maximum size of one fraction in bytes: a share of the whole memory, since a greatest
/// common divisor takes time in the square of its length. For 4 GiB this is 2¹⁸ bits, which takes
/// about a second.
fn longest(max_bytes: u128) -> u128 {
    (max_bytes >> 17).max(1 << 12)
}

fn whole(weight: &BigUint) -> BigInt {
    BigInt::from(weight.clone())
}

impl Fractions {
    /// Returns the value of one cell: its numerator and the number of its denominator.
    fn cell(&mut self, targets: &[u32], weighed: Weighed<'_>) -> Result<(BigInt, u32), Halt> {
        let mut common = self.places[targets[0] as usize];
        for &target in &targets[1..] {
            common = self.common(common, self.places[target as usize])?;
        }
        let mut sum = BigInt::ZERO;
        for (outcome, &target) in targets.iter().enumerate() {
            let numerator = &self.numerators[target as usize];
            if numerator.is_zero() {
                continue;
            }
            let own = self.places[target as usize];
            let quotient = (own != common).then(|| self.denominators.quotient(common, own));
            sum += match (weighed, quotient) {
                (Weighed::Narrow(weights, _), None) => numerator * weights[outcome],
                (Weighed::Narrow(weights, _), Some(quotient)) => {
                    numerator * (quotient * weights[outcome])
                }
                (Weighed::Wide(wide), None) => numerator * whole(&wide.weights[outcome]),
                (Weighed::Wide(wide), Some(quotient)) => {
                    numerator * (quotient * whole(&wide.weights[outcome]))
                }
            };
        }
        if sum.is_zero() {
            return Ok((sum, 0));
        }
        let place = match weighed {
            Weighed::Narrow(_, total) => self.denominators.times(common, total),
            Weighed::Wide(wide) => {
                let product = self.denominators.get(common) * whole(&wide.leaving);
                self.denominators.number(product)
            }
        };
        Ok((sum, place))
    }

    /// Returns the least common denominator, unless it is too long.
    fn common(&mut self, a: u32, b: u32) -> Result<u32, Halt> {
        let common = self.denominators.common(a, b);
        if common != a && common != b {
            let (needed, limit) = (size(self.denominators.get(common)), longest(self.max_bytes));
            if needed > limit {
                return Err(Halt::Long { needed, limit });
            }
        }
        Ok(common)
    }

    fn write(&mut self, number: usize, numerator: BigInt, place: u32) {
        self.bytes += size(&numerator);
        self.numerators[number] = numerator;
        self.places[number] = place;
    }

    fn write_ratio(&mut self, number: usize, ratio: BigRational) {
        let (numerator, denominator) = ratio.into_raw();
        let place = self.denominators.number(denominator);
        self.write(number, numerator, place);
    }

    fn check_room(&mut self) -> Result<(), Halt> {
        let full = self.bytes + self.denominators.bytes() > self.max_bytes;
        if full || self.denominators.bytes() > self.sweep_at {
            self.denominators.sweep(&mut self.places);
            self.sweep_at = FEW_BYTES.max(2 * self.denominators.bytes());
            let bytes = self.bytes + self.denominators.bytes();
            if bytes > self.max_bytes {
                return Err(Halt::Full(bytes));
            }
        }
        Ok(())
    }
}

impl Ledger for Fractions {
    type Value = BigRational;
    const EXACT: bool = true;
    const ENTRY: usize = size_of::<BigInt>() + size_of::<u32>();

    fn new(states: usize, max_bytes: u128) -> Self {
        Fractions {
            numerators: vec![BigInt::ZERO; states],
            places: vec![0; states],
            denominators: Denominators::new(),
            bytes: (states * Self::ENTRY) as u128,
            max_bytes,
            sweep_at: FEW_BYTES,
        }
    }

    fn end(&mut self, number: usize, score: &Score) -> bool {
        match score.as_integer() {
            Some(integer) => self.write(number, integer.into(), 0),
            None => match score.to_ratio() {
                Some(ratio) => self.write_ratio(number, ratio),
                None => return false,
            },
        }
        true
    }

    fn put(&mut self, number: usize, cells: &Cells<'_>, play: Play<'_>) -> Result<bool, Halt> {
        self.check_room()?;
        let mut values = Vec::with_capacity(cells.len());
        for cell in 0..cells.len() {
            let (targets, weighed) = cells.cell(cell);
            values.push(self.cell(targets, weighed)?);
        }
        // A strategy that is given may still be none for a single action.
        if let ([(numerator, place)], Play::Best) = (&mut values[..], play) {
            self.write(number, std::mem::take(numerator), *place);
            return Ok(true);
        }
        let mut common = 0;
        for &(_, place) in &values {
            common = self.common(common, place)?;
        }
        let entries: Vec<BigInt> = values
            .iter()
            .map(|(numerator, place)| {
                if *place == common {
                    numerator.clone()
                } else {
                    numerator * self.denominators.quotient(common, *place)
                }
            })
            .collect();
        if let Play::Best = play {
            if let Some((row, column)) = saddle_point(&entries, cells.columns) {
                // The value does not depend on the denominators of the other cells.
                let (numerator, place) = &mut values[row * cells.columns + column];
                self.write(number, std::mem::take(numerator), *place);
                return Ok(true);
            }
            let (needed, limit) = (
                entries.iter().map(size).max().unwrap_or(0),
                longest(self.max_bytes),
            );
            if needed > limit {
                return Err(Halt::Long { needed, limit });
            }
            if let [a, b, c, d] = &entries[..] {
                // Without a saddle point both mix, and all answers have the same value: (ad − bc) /
                // (a + d − b − c).
                let ratio = BigRational::new(
                    a * d - b * c,
                    (a + d - b - c) * self.denominators.get(common),
                );
                self.write_ratio(number, ratio);
                return Ok(false);
            }
        }
        let denominator = self.denominators.get(common).clone();
        let game = MatrixGame::from_numerators(cells.rows, cells.columns, entries, denominator);
        let value = match play {
            Play::Best => game.value(),
            Play::Fixed(side, strategy) => game.guarantee(side, strategy),
            Play::Both(row, column) => game.expected(row, column),
        };
        self.write_ratio(number, value.map_err(Halt::Matrix)?);
        Ok(false)
    }

    fn value(&self, number: usize) -> BigRational {
        let denominator = self.denominators.get(self.places[number]);
        BigRational::new(self.numerators[number].clone(), denominator.clone())
    }

    fn enclosure(&self, number: usize) -> (f64, f64) {
        around(&self.value(number)).unwrap_or((f64::NEG_INFINITY, f64::INFINITY))
    }

    fn appraise(&self, cells: &Cells<'_>) -> Result<Appraised<BigRational>, Error> {
        let payoffs: Vec<BigRational> = (0..cells.len())
            .map(|cell| {
                let (targets, weighed) = cells.cell(cell);
                let weight = |outcome: usize| match weighed {
                    Weighed::Narrow(weights, _) => BigInt::from(weights[outcome]),
                    Weighed::Wide(wide) => whole(&wide.weights[outcome]),
                };
                let outcomes = targets.iter().enumerate();
                let sum: BigRational = outcomes
                    .map(|(outcome, &target)| self.value(target as usize) * weight(outcome))
                    .sum();
                sum / match weighed {
                    Weighed::Narrow(_, total) => BigInt::from(total),
                    Weighed::Wide(wide) => whole(&wide.leaving),
                }
            })
            .collect();
        let game = MatrixGame::new(payoffs.chunks(cells.columns).map(<[_]>::to_vec))?;
        let best = game.solve()?;
        let probabilities = |side: Side| match side {
            Side::Row => best.row().probabilities().collect(),
            Side::Column => best.column().probabilities().collect(),
        };
        Ok(Appraised {
            row: probabilities(Side::Row),
            column: probabilities(Side::Column),
            saddles: game.saddle_points(),
            payoffs,
        })
    }
}
