//! Values enclosed between two floats, rounding included.

use num_rational::BigRational;

use super::{Number, Store, Unheld, Verdict, fits, tries};
use crate::model::Model;
use crate::odds::{Amount, Odds};
use crate::progress::Observer;
use crate::reward::Reward;
use crate::rows::Rows;
use crate::tolerance::Rule;
use crate::{Error, Game, Player, Score, Tolerance};

/// Floats with proof: every value lies between two `f64`, and every decision is either proven to be
/// optimal or reported as undecided.
///
/// # Enclosures
/// The value of a choice with n outcomes is computed twice, from the lower and from the upper ends
/// of its outcomes, in the ordinary rounding of floats. Each result is then moved outwards by the
/// possible rounding error. With u = 2⁻⁵³, this is at most n + 5 roundings of relative size u (N.
/// J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2002, section 3.1; where scores or
/// totals are negative, relative to the sum of the absolute terms), plus a few times 2⁻¹⁰⁷⁴ for
/// numbers below the smallest normal one. The rounding mode is never changed. The ends of a maximum
/// are the maxima of the ends.
///
/// The width grows with the length of a path, not with the number of states. It is some 10⁻¹³ of
/// the value after a hundred moves with six outcomes each.
///
/// # Decisions
/// A decision is *proven* if the lower end of its value is no less than the upper end of any other
/// action's. It is then optimal (in a tie, one of the optimal ones). Otherwise it is undecided, and
/// the action with the highest lower end is taken. [`Solver::certify`](crate::Solver::certify)
/// resolves undecided states exactly. Under a [`Tolerance`](crate::Tolerance), a state is undecided
/// if the enclosures cannot tell whether the tolerance is exceeded, and its enclosure covers all of
/// its actions.
///
/// # Examples
/// Two rolls of a die, the last of which counts, are worth 17/4:
/// ```
#[doc = include_str!("../../docs/keep_or_roll.txt")]
/// use oddsmith_mdp::{Certified, Solution};
/// let solution: Solution<'_, KeepOrRoll, Certified> =
///     Solver::certified().solve(&KeepOrRoll, (2, 0))?;
/// let (lower, upper) = solution.enclosure(&(2, 0))?;
/// assert!(lower <= 4.25 && 4.25 <= upper && upper - lower < 1e-13);
/// assert_eq!(solution.undecided(), 0); // each decision is proven
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Certified;

impl Number for Certified {
    type Value = f64;
    type Mass = f64;
    type Store = Enclosures;
}

/// 2⁹⁵⁹: the largest score, as for [`Float`](crate::Float).
pub(crate) const LARGEST: f64 = f64::from_bits((1023 + 959) << 52);
/// 2⁻⁵³
const UNIT: f64 = f64::EPSILON / 2.0;
/// 2⁻¹⁰⁷²: more than two roundings of numbers below the smallest normal one.
const TINY: f64 = f64::from_bits(4);

#[derive(Debug)]
pub struct Enclosures {
    /// Lower and upper end.
    values: Vec<[f64; 2]>,
    /// One bit for each state: whether its decision is not proven.
    undecided: Vec<u64>,
    /// Whether any value so far may be negative.
    signed: bool,
}

/// The value of a choice, and the choices compared with it.
#[derive(Clone, Copy, Debug)]
pub struct Enclosed {
    own: [f64; 2],
    /// The lowest lower end and the highest upper end of the others.
    others: [f64; 2],
}

impl Enclosed {
    pub(crate) fn enclosure(&self) -> [f64; 2] {
        self.own
    }
}

const NO_OTHERS: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];

impl Enclosures {
    pub(crate) fn enclosure(&self, number: usize) -> [f64; 2] {
        self.values[number]
    }

    pub(crate) fn is_proven(&self, number: usize) -> bool {
        self.undecided[number / 64] >> (number % 64) & 1 == 0
    }

    /// Sets a value that was computed elsewhere.
    pub(crate) fn set(&mut self, number: usize, ends: [f64; 2], proven: bool) {
        self.signed |= ends[0] < 0.0;
        self.values[number] = ends;
        if !proven {
            self.undecided[number / 64] |= 1 << (number % 64);
        }
    }

    /// Returns the number of decisions that are not proven.
    pub(crate) fn undecided(&self) -> usize {
        self.undecided.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Returns the sums of the ends, moved outwards, divided by `leaving`.
    #[inline]
    fn outwards(lower: f64, upper: f64, leaving: f64, outcomes: usize) -> [f64; 2] {
        // Rounded up to an even number, since floats above one are multiples of 2u. This is more
        // than n + 5 roundings together.
        let k = ((outcomes + outcomes / 1024 + 8) & !1) as f64 * UNIT;
        let upper = if upper == 0.0 {
            // All terms of the sum are zero.
            0.0
        } else {
            upper / leaving * (1.0 + k) + TINY
        };
        [(lower / leaving * (1.0 - k) - TINY).max(0.0), upper]
    }

    /// Does the same as [`outwards`](Self::outwards), for terms of any sign whose absolute values
    /// add up to `size`.
    fn outwards_signed([lower, upper, size]: [f64; 3], leaving: f64, outcomes: usize) -> [f64; 2] {
        if size == 0.0 {
            return [0.0, 0.0];
        }
        let k = ((outcomes + outcomes / 1024 + 12) & !1) as f64 * UNIT;
        let slack = size / leaving * (k * (1.0 + 1e-3)) + 2.0 * TINY;
        [
            (lower / leaving - slack).next_down(),
            (upper / leaving + slack).next_up(),
        ]
    }

    /// Encloses the value of a choice including its reward.
    #[cold]
    fn paid(reward: &Reward, odds: Odds<'_>, [lower, upper]: [f64; 2]) -> Result<[f64; 2], Unheld> {
        let paid = paid(reward.ends, &odds);
        let own = [(lower + paid[0]).next_down(), (upper + paid[1]).next_up()];
        // Also refused if one of them is not a number.
        let held = own.iter().all(|end| end.abs() <= LARGEST);
        if held { Ok(own) } else { Err(Unheld::Reward) }
    }

    fn signed_sums(&self, targets: &[u32], weights: impl Iterator<Item = f64>) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for (&target, weight) in targets.iter().zip(weights) {
            let [lower, upper] = self.values[target as usize];
            sums[0] += weight * lower;
            sums[1] += weight * upper;
            sums[2] += weight * lower.abs().max(upper.abs());
        }
        sums
    }

    #[inline]
    fn sums(&self, targets: &[u32], weights: impl Iterator<Item = f64>) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for (&target, weight) in targets.iter().zip(weights) {
            let [lower, upper] = self.values[target as usize];
            sums[0] += weight * lower;
            sums[1] += weight * upper;
        }
        sums
    }

    #[inline]
    fn enclose(
        &self,
        targets: &[u32],
        weights: impl Iterator<Item = f64>,
        leaving: f64,
    ) -> [f64; 2] {
        if self.signed {
            let sums = self.signed_sums(targets, weights);
            Self::outwards_signed(sums, leaving, targets.len())
        } else {
            let [lower, upper] = self.sums(targets, weights);
            Self::outwards(lower, upper, leaving, targets.len())
        }
    }
}

/// Encloses what a choice pays until its state is left, for a reward between these `ends`.
pub(crate) fn paid(ends: [f64; 2], odds: &Odds<'_>) -> [f64; 2] {
    let tries = tries(odds);
    if tries == 1.0 && matches!(odds.staying(), Amount::Small(0)) {
        return ends;
    }
    // More than five roundings, and the number of tries is at least one.
    let few = tries * (1.0 - 16.0 * UNIT);
    let many = tries * (1.0 + 16.0 * UNIT);
    let [lower, upper] = ends;
    let lower = lower * if lower < 0.0 { many } else { few };
    let upper = upper * if upper > 0.0 { many } else { few };
    [lower.next_down(), upper.next_up()]
}

/// Returns the nearest floats around a number.
pub(crate) fn around(score: &Score) -> Option<[f64; 2]> {
    let near = score.to_f64();
    if near.is_nan() || near.abs() > LARGEST {
        return None;
    }
    if let Some(integer) = score.as_integer()
        && integer.unsigned_abs() <= 1 << 53
    {
        return Some([near, near]);
    }
    let ratio = score.to_ratio()?;
    let exceeds = |float: f64| BigRational::from_float(float).is_some_and(|f| f > ratio);
    let falls_short = |float: f64| BigRational::from_float(float).is_some_and(|f| f < ratio);
    let (mut lower, mut upper) = (near, near);
    while exceeds(lower) {
        lower = lower.next_down();
    }
    while falls_short(upper) {
        upper = upper.next_up();
    }
    Some([lower, upper])
}

impl Store for Enclosures {
    type Slot = Enclosed;
    type Value = f64;
    type Mass = f64;

    fn prepare<G: Game + ?Sized, M: Model<G>>(
        game: &G,
        model: &M,
        max_bytes: u128,
        _: &mut Observer<'_>,
    ) -> Result<Self, Error> {
        let words = model.len().div_ceil(64);
        let needed = model.len() as u128 * 16 + words as u128 * 8;
        if needed > max_bytes || !fits(needed) {
            return Err(Error::TooMuchMemory {
                what: "their values",
                states: model.len(),
                needed,
                limit: max_bytes,
            });
        }
        Ok(Enclosures {
            values: vec![[0.0; 2]; model.len()],
            undecided: vec![0; words],
            // Set in advance where possible: several threads compute the states of a layer in no
            // particular order, and the result must not depend on which of them was first.
            signed: model.rows(game).is_some_and(Rows::may_be_negative),
        })
    }

    fn slot(&self) -> Enclosed {
        Enclosed {
            own: [0.0; 2],
            others: NO_OTHERS,
        }
    }

    #[inline(always)]
    fn appraise(
        &self,
        _: usize,
        targets: &[u32],
        odds: &Odds<'_>,
        slot: &mut Enclosed,
    ) -> Result<(), Unheld> {
        slot.others = NO_OTHERS;
        if let [only] = *targets {
            slot.own = self.values[only as usize];
            return Ok(());
        }
        slot.own = match *odds {
            Odds::Narrow {
                weights, leaving, ..
            } => {
                if let Ok(leaving) = i64::try_from(leaving) {
                    // Signed integers convert in one instruction.
                    let weights = weights.iter().map(|&weight| weight as i64 as f64);
                    self.enclose(targets, weights, leaving as f64)
                } else {
                    let weights = weights.iter().map(|&weight| weight as f64);
                    self.enclose(targets, weights, leaving as f64)
                }
            }
            Odds::Wide(wide) => {
                if wide.floats.is_empty() {
                    return Err(Unheld::Weights);
                }
                let weights = wide.floats.iter().copied();
                let mut value = self.enclose(targets, weights, wide.leaving_float);
                // Weights below one may round a tiny value to zero. The error of the sums from
                // that, after division, is below the smallest float.
                let zero = |&target: &u32| self.values[target as usize] == [0.0; 2];
                if value == [0.0; 2] && !targets.iter().all(zero) {
                    value = [if self.signed { -TINY } else { 0.0 }, TINY];
                }
                value
            }
        };
        Ok(())
    }

    #[inline(always)]
    fn pay(&self, reward: &Reward, odds: &Odds<'_>, slot: &mut Enclosed) -> Result<(), Unheld> {
        slot.own = Self::paid(reward, *odds, slot.own)?;
        Ok(())
    }

    fn put_score(&mut self, number: usize, score: &Score) -> bool {
        let Some(value) = around(score) else {
            return false;
        };
        self.signed |= value[0] < 0.0;
        self.values[number] = value;
        true
    }

    #[inline]
    fn settle(&self, _: &mut Enclosed) {}

    #[inline]
    fn put(&mut self, number: usize, slot: &mut Enclosed, player: Player, verdict: Verdict) {
        let [lower, upper] = slot.own;
        let [low, high] = slot.others;
        let (value, proven) = match (verdict, player) {
            (Verdict::Best, Player::Max) => ([lower, upper.max(high)], lower >= high),
            (Verdict::Best, Player::Min) => ([lower.min(low), upper], upper <= low),
            (Verdict::Decided, _) => ([lower, upper], true),
            (Verdict::Doubtful, _) => ([lower.min(low), upper.max(high)], false),
        };
        self.signed |= value[0] < 0.0;
        self.values[number] = value;
        if !proven {
            self.undecided[number / 64] |= 1 << (number % 64);
        }
    }

    #[inline]
    fn doubt(&self, best: &mut Enclosed, rejected: &Enclosed) {
        let low = rejected.own[0].min(rejected.others[0]);
        let high = rejected.own[1].max(rejected.others[1]);
        best.others = [best.others[0].min(low), best.others[1].max(high)];
    }

    #[inline]
    fn prefers(
        &self,
        candidate: &mut Enclosed,
        incumbent: &mut Enclosed,
        player: Player,
        tolerance: &Tolerance,
    ) -> (bool, bool) {
        let (c, i) = (candidate.own, incumbent.own);
        if player == Player::Min {
            return (c[1] < i[1], true);
        }
        // The bound that the candidate must exceed, from below and from above.
        let wanted = match tolerance.rule() {
            Rule::Strict => return (c[0] > i[0], true),
            Rule::Absolute(p, q) => {
                let gain = p as f64 / q as f64;
                [
                    (i[0] + gain * (1.0 - 4.0 * UNIT)).next_down(),
                    (i[1] + gain * (1.0 + 4.0 * UNIT)).next_up(),
                ]
            }
            Rule::Relative(p, q) => {
                let part = p as f64 / q as f64;
                let wanted = i.map(|end| end + part * end.abs());
                let slack = (part + 1.0) * i[0].abs().max(i[1].abs()) * 8.0 * UNIT + TINY;
                let zero = if i[0] < 0.0 && i[1] > 0.0 {
                    0.0
                } else {
                    wanted[0]
                };
                let lowest = wanted[0].min(wanted[1]).min(zero);
                [lowest - slack, wanted[0].max(wanted[1]) + slack]
            }
        };
        let middle = f64::midpoint(wanted[0], wanted[1]);
        let preferred = f64::midpoint(c[0], c[1]) > middle;
        let certain = c[0] > wanted[1] || c[1] <= wanted[0];
        (preferred, certain)
    }

    fn ties(&self, a: &Enclosed, b: &Enclosed) -> bool {
        a.own[0] <= b.own[1] && b.own[0] <= a.own[1]
    }

    fn value(&self, slot: &Enclosed) -> f64 {
        f64::midpoint(slot.own[0], slot.own[1])
    }

    fn value_of(&self, number: usize) -> f64 {
        let [lower, upper] = self.values[number];
        f64::midpoint(lower, upper)
    }

    fn error(&self, number: usize) -> f64 {
        let [lower, upper] = self.values[number];
        let middle = f64::midpoint(lower, upper);
        if lower == upper {
            return 0.0;
        }
        (middle - lower).max(upper - middle).next_up()
    }

    fn whole(&self) -> f64 {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use quickcheck::quickcheck;

    use super::*;

    quickcheck! {
        fn scores_lie_between_their_floats(n: i64, d: i64) -> bool {
            let Some([lower, upper]) = around(&Score::from((n, d))) else {
                return d == 0;
            };
            let ratio = BigRational::new(BigInt::from(n), BigInt::from(d));
            let float = |x| BigRational::from_float(x).unwrap();
            float(lower) <= ratio && ratio <= float(upper) && upper <= lower.next_up()
        }
    }
}
