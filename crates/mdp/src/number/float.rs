//! Values in `f64`, each with a bound on its rounding error.

use super::{Number, Store, Unheld, Verdict, fits, tries};
use crate::model::Model;
use crate::odds::Odds;
use crate::progress::Observer;
use crate::reward::Reward;
use crate::tolerance::Rule;
use crate::{Error, Game, Player, Score, Tolerance};

/// Floating point: every value is an `f64` with a stated error bound.
///
/// # Error bound
/// A value is a sum over paths of products, each rounded at most `k` times. Here `k` adds up along
/// the longest path: per step, two conversions, one product, one division, and one addition for
/// each further outcome. With u = 2⁻⁵³ and γ = k·u / (1 − k·u), the error is at most γ times the
/// expected absolute score, hence at most γ·v if no score is negative, and γ·max|score| otherwise
/// (N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2002, section 3.1). Where
/// quotients fall below the smallest normal number, k·2⁻¹⁰⁷⁴ is added.
///
/// Where choices [pay](crate::Choice::reward), the terms of the sum include rewards. A choice that
/// pays adds one rounding, and counts as eight at least. The error is at most γ·(max|score| + R).
/// Here R is the largest sum of |reward| along a path, with each reward multiplied by the expected
/// number of tries of its choice.
///
/// A maximum is as uncertain as the most uncertain of its arguments, so `k` is taken over the
/// longest path under *any* action, not just under the decided ones. With a
/// [`Tolerance`](crate::Tolerance), the bound holds for the value of the decisions made in floats.
/// Exact arithmetic may decide differently in a state where the gain is within rounding of the
/// tolerance.
///
/// Scores and totals beyond ±2⁹⁵⁹ (about 4.9·10²⁸⁸) are refused, so that no sum
/// overflows.
///
/// # Examples
/// Two rolls of a die, the last of which counts, are worth 17/4:
/// ```
#[doc = include_str!("../../docs/keep_or_roll.txt")]
/// use oddsmith_mdp::{Float, Solution};
/// let solution: Solution<'_, KeepOrRoll, Float> = Solver::float().solve(&KeepOrRoll, (2, 0))?;
/// let bound = solution.error(&(2, 0))?;
/// assert!((solution.value() - 4.25).abs() <= bound && bound < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Float;

impl Number for Float {
    type Value = f64;
    type Mass = f64;
    type Store = Floats;
}

/// 2⁹⁵⁹
const LARGEST: f64 = f64::from_bits((1023 + 959) << 52);

/// Up to here, floats hold every whole number.
const WHOLE: u64 = 1 << f64::MANTISSA_DIGITS;

#[derive(Debug)]
pub struct Floats {
    values: Vec<f64>,
    /// The number of roundings along the worst path from each state.
    roundings: Vec<u32>,
    /// Whether any score is negative.
    signed: bool,
    /// The largest |score|.
    largest: f64,
    /// The largest sum of |reward| on any path from each state. Empty as long as no choice pays.
    paid: Vec<f64>,
    /// The memory limit, in bytes.
    max_bytes: u128,
}

/// A float that is being computed, and the number of roundings of its worst term.
#[derive(Clone, Copy, Debug)]
pub struct Rounded {
    value: f64,
    roundings: u32,
    paid: f64,
}

impl Floats {
    fn bound(&self, value: f64, roundings: u32, paid: f64) -> f64 {
        let unit = f64::EPSILON / 2.0;
        if roundings == u32::MAX {
            // The counter is saturated: there is no bound any more.
            return f64::INFINITY;
        }
        let k = f64::from(roundings);
        let gamma = k * unit / (1.0 - k * unit);
        let size = if self.signed || !self.paid.is_empty() {
            (self.largest + paid).next_up()
        } else {
            value * (1.0 + 2.0 * gamma)
        };
        gamma * size * (1.0 + 4.0 * f64::EPSILON) + k * f64::from_bits(1)
    }

    /// Returns the largest sum of |reward| on any path from one of these states.
    #[cold]
    fn most_paid(&self, targets: &[u32]) -> f64 {
        let paid = targets.iter().map(|&target| self.paid[target as usize]);
        paid.fold(0.0, f64::max)
    }

    /// An average, limited to the values of which it is one. Rounded weights may add up to more than
    /// their rounded total, and a chance exceed 1; whole ones cannot.
    #[cold]
    fn among(&self, targets: &[u32], average: f64) -> f64 {
        let values = || targets.iter().map(|&target| self.values[target as usize]);
        let least = values().fold(f64::INFINITY, f64::min);
        let most = values().fold(f64::NEG_INFINITY, f64::max);
        average.max(least).min(most)
    }

    #[cold]
    fn paid(&self, reward: &Reward, odds: Odds<'_>, mut slot: Rounded) -> Result<Rounded, Unheld> {
        let needed = self.values.len() as u128 * 20;
        if needed > self.max_bytes {
            return Err(Unheld::Full {
                what: "their values",
                states: self.values.len(),
                needed,
                limit: self.max_bytes,
            });
        }
        let tries = tries(&odds);
        slot.value += reward.float * tries;
        // A reward below the smallest normal number may have lost all of its digits, and this error
        // is multiplied, too.
        let size = (reward.float.abs() + f64::MIN_POSITIVE) * tries;
        slot.paid = (slot.paid + size * (1.0 + 8.0 * f64::EPSILON)).next_up();
        // One conversion, at most five roundings in the number of tries, a product and a sum.
        slot.roundings = slot.roundings.saturating_add(1).max(8);
        // No average exceeds its terms, so this check covers all sums.
        if slot.paid.is_nan() || slot.paid > LARGEST || slot.value.abs() > LARGEST {
            return Err(Unheld::Reward);
        }
        Ok(slot)
    }
}

impl Store for Floats {
    type Slot = Rounded;
    type Value = f64;
    type Mass = f64;

    fn prepare<G: Game + ?Sized, M: Model<G>>(
        _: &G,
        model: &M,
        max_bytes: u128,
        _: &mut Observer<'_>,
    ) -> Result<Self, Error> {
        let needed = model.len() as u128 * 12;
        if needed > max_bytes || !fits(needed) {
            return Err(Error::TooMuchMemory {
                what: "their values",
                states: model.len(),
                needed,
                limit: max_bytes,
            });
        }
        Ok(Floats {
            values: vec![0.0; model.len()],
            roundings: vec![0; model.len()],
            signed: false,
            largest: 0.0,
            paid: Vec::new(),
            max_bytes,
        })
    }

    fn slot(&self) -> Rounded {
        Rounded {
            value: 0.0,
            roundings: 0,
            paid: 0.0,
        }
    }

    #[inline(always)]
    fn appraise(
        &self,
        _: usize,
        targets: &[u32],
        odds: &Odds<'_>,
        slot: &mut Rounded,
    ) -> Result<(), Unheld> {
        let paid = match self.paid.is_empty() {
            true => 0.0,
            false => self.most_paid(targets),
        };
        // A certain move copies its value: no arithmetic, no rounding.
        if let [only] = *targets {
            *slot = Rounded {
                value: self.values[only as usize],
                roundings: self.roundings[only as usize],
                paid,
            };
            return Ok(());
        }
        let (mut sum, mut roundings) = (0.0, 0);
        let values = self.values.as_slice();
        // Equal lengths: a single bounds check covers both lists.
        let counts = &self.roundings[..values.len()];
        let mut add = |target: u32, weight: f64| {
            sum += weight * values[target as usize];
            roundings = counts[target as usize].max(roundings);
        };
        let (leaving, own, whole) = match *odds {
            Odds::Narrow {
                weights, leaving, ..
            } => {
                let pairs = targets.iter().zip(weights);
                if leaving <= WHOLE {
                    // Signed integers convert in one instruction.
                    pairs.for_each(|(&target, &weight)| add(target, weight as i64 as f64));
                    (leaving as i64 as f64, 3, true)
                } else {
                    pairs.for_each(|(&target, &weight)| add(target, weight as f64));
                    (leaving as f64, 3, false)
                }
            }
            Odds::Wide(wide) => {
                if wide.floats.is_empty() {
                    return Err(Unheld::Weights);
                }
                let pairs = targets.iter().zip(&wide.floats);
                pairs.for_each(|(&target, &weight)| add(target, weight));
                // Two roundings each for converting a weight and the total.
                (wide.leaving_float, 5, false)
            }
        };
        // Too many to be counted are without a bound.
        let more = u32::try_from(targets.len()).unwrap_or(u32::MAX);
        let more = more.saturating_add(own);
        let average = sum / leaving;
        *slot = Rounded {
            value: match whole {
                true => average,
                false => self.among(targets, average),
            },
            roundings: roundings.saturating_add(more),
            paid,
        };
        Ok(())
    }

    #[inline(always)]
    fn pay(&self, reward: &Reward, odds: &Odds<'_>, slot: &mut Rounded) -> Result<(), Unheld> {
        // Passed by value: borrowing the slot and the odds would keep them out of registers even
        // for choices that pay nothing.
        *slot = self.paid(reward, *odds, *slot)?;
        Ok(())
    }

    fn put_score(&mut self, number: usize, score: &Score) -> bool {
        let value = score.to_f64();
        // A sum of 2^64 such scores is still finite.
        if value.is_nan() || value.abs() > LARGEST {
            return false;
        }
        self.values[number] = value;
        self.roundings[number] = 1;
        self.signed |= value < 0.0;
        self.largest = self.largest.max(value.abs());
        true
    }

    #[inline]
    fn settle(&self, _: &mut Rounded) {}

    #[inline]
    fn put(&mut self, number: usize, slot: &mut Rounded, _: Player, _: Verdict) {
        self.values[number] = slot.value;
        self.roundings[number] = slot.roundings;
        if slot.paid > 0.0 {
            self.paid.resize(self.values.len(), 0.0);
            self.paid[number] = slot.paid;
        }
    }

    #[inline]
    fn doubt(&self, best: &mut Rounded, rejected: &Rounded) {
        best.roundings = best.roundings.max(rejected.roundings);
        best.paid = best.paid.max(rejected.paid);
    }

    #[inline]
    fn prefers(
        &self,
        candidate: &mut Rounded,
        incumbent: &mut Rounded,
        player: Player,
        tolerance: &Tolerance,
    ) -> (bool, bool) {
        let (c, i) = (candidate.value, incumbent.value);
        if player == Player::Min {
            return (c < i, true);
        }
        let preferred = match tolerance.rule() {
            Rule::Strict => c > i,
            Rule::Relative(p, q) => {
                let part = p as f64 / q as f64;
                if i >= 0.0 {
                    // In the order of operations of the published rule.
                    c > (1.0 + part) * i
                } else {
                    c - i > part * -i
                }
            }
            Rule::Absolute(p, q) => c - i > p as f64 / q as f64,
        };
        (preferred, true)
    }

    fn ties(&self, a: &Rounded, b: &Rounded) -> bool {
        (a.value - b.value).abs()
            <= self.bound(a.value, a.roundings, a.paid) + self.bound(b.value, b.roundings, b.paid)
    }

    fn value(&self, slot: &Rounded) -> f64 {
        slot.value
    }

    fn value_of(&self, number: usize) -> f64 {
        self.values[number]
    }

    fn error(&self, number: usize) -> f64 {
        let paid = self.paid.get(number).copied().unwrap_or(0.0);
        self.bound(self.values[number], self.roundings[number], paid)
    }

    fn whole(&self) -> f64 {
        1.0
    }
}
