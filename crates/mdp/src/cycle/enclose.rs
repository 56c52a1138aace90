//! Proven enclosures of the values of a component between floats.
//!
//! In a game in which all play ends, let T be the right-hand side of the optimality equation. A
//! function w with w ≥ T w is nowhere below the value, and one with w ≤ T w nowhere above it, since
//! T is monotone and its iterates converge to the value. Two functions are therefore guessed and
//! then checked in interval arithmetic, as by A. Hartmanns and B. L. Kaminski ("Optimistic value
//! iteration", CAV 2020). The guess is the value of good decisions, found by elimination, moved up
//! and down by a multiple of h, the maximum expected number of moves: h ≥ T h + c leaves room for
//! every rounding. Interval iteration would take as many sweeps as play takes moves.
//!
//! If no value is below 0, the rounding error of a move is a fraction of the value there. If h
//! weights each move by the value of its state, small values are enclosed with the same relative
//! precision as large ones: where play leads from a small value to a large one, it does so
//! correspondingly rarely. No weight is below [`LEAST_MOVE`], so values far below that are enclosed
//! with less relative precision.
//!
//! The same holds where play could go on for ever at a cost. For w ≥ T w and a policy under which
//! play ends, w is nowhere below its value. Decisions that attain T w ≥ w end, since going on for
//! ever would have to pay for itself. The number of moves then has no maximum, so h only counts
//! those of the choices that are nearly the best.
//!
//! So it does, on a further try, where all play ends, but the longest far later than the best. That
//! proves as much: h is only a guess at the room to leave, while w is checked against T w, in which
//! every choice counts. On the last try, it counts only what the player for whose benefit the guess
//! is decides, since among choices of the same value some may lead to far longer play.

use super::bounds::Bounds;
use super::improve::{Improvement, appraise, gains};
use super::quotient::Quotient;
use crate::{Error, Player};

/// 2⁻⁵³
const UNIT: f64 = f64::EPSILON / 2.0;
/// More than a few roundings of numbers below the smallest normal one.
const TINY: f64 = f64::from_bits(64);
/// The number of times that the room for roundings is doubled.
const TRIES: usize = 60;
/// The minimum weight of a move, where nothing can be gained.
const LEAST_MOVE: f64 = 1e-200;
/// The precision, in units of a move's weight, beyond which no closer enclosure is sought.
const CLOSE: f64 = 1e-6;

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Lower,
    Upper,
}

impl Side {
    /// The player who wants no less than a lower end, or no more than an upper one.
    fn player(self) -> Player {
        match self {
            Side::Lower => Player::Max,
            Side::Upper => Player::Min,
        }
    }
}

/// The choices whose moves are counted, to guess the room to leave.
#[derive(Clone, Copy, PartialEq)]
enum Counted {
    All,
    /// Those that are worth about as much as their node.
    Near,
    /// Of these, only the decisions of the player of this side.
    Decided(Side),
}

impl Counted {
    fn concerns(self, side: Side) -> bool {
        !matches!(self, Counted::Decided(only) if only != side)
    }

    /// Whether only the decisions of this player are counted.
    fn only_decided(self, player: Player) -> bool {
        matches!(self, Counted::Decided(side) if side.player() == player)
    }
}

/// The results for the nodes of a component.
#[derive(Debug)]
pub(super) struct Enclosure {
    pub(super) ends: Vec<[f64; 2]>,
    /// Whether the decision is proven to be optimal.
    pub(super) proven: Vec<bool>,
    pub(super) policy: Vec<u32>,
}

struct Encloser<'a, F> {
    quotient: &'a Quotient<f64>,
    outside: F,
    /// The lowest and the highest value outside. All values lie between these if no choice pays.
    range: [f64; 2],
    bounds: Bounds,
}

/// Encloses the values of all nodes, given enclosures of the values outside.
pub(super) fn enclose(
    quotient: &Quotient<f64>,
    outside: impl Fn(u32) -> [f64; 2],
    bounds: Bounds,
    pulse: &mut dyn FnMut() -> Result<(), Error>,
) -> Result<Enclosure, Error> {
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    let mut width = 0.0_f64;
    for &(state, _) in quotient.choices.iter().flat_map(|choice| &choice.outer) {
        let [low, high] = outside(state);
        width = width.max(high - low);
        range = [range[0].min(low), range[1].max(high)];
    }
    let encloser = Encloser {
        quotient,
        outside,
        range,
        bounds,
    };
    let mut policy = quotient.ending_policy();
    let upper = encloser.guess(Side::Upper, &mut policy, true, pulse)?;
    let lower = match &upper {
        Some(upper) if width == 0.0 => Some(upper.clone()),
        _ => encloser.guess(Side::Lower, &mut policy, false, pulse)?,
    };
    let anything = [f64::NEG_INFINITY, f64::INFINITY];
    let known = if quotient.pays { anything } else { range };
    let mut ends = vec![known; quotient.len()];
    let near = upper.as_deref().or(lower.as_deref());
    // Equal values may differ by the uncertainty of the values outside, but not all values that
    // differ by this little need be equal.
    let mut open = vec![
        (Side::Lower, lower.as_deref()),
        (Side::Upper, upper.as_deref()),
    ];
    let even = vec![1.0; quotient.len()];
    let worth = near.filter(|_| !quotient.pays && range[0] >= 0.0);
    let worth = worth.map(|near| near.iter().map(|value| value.max(LEAST_MOVE)).collect());
    let worth: Option<Vec<f64>> = worth;
    let first = match quotient.costly {
        true => Counted::Near,
        false => Counted::All,
    };
    let mut tried: Vec<(&[f64], f64, Counted)> = Vec::new();
    tried.extend(worth.as_deref().map(|worth| (worth, 0.0, first)));
    tried.push((&even, 0.0, first));
    if !quotient.costly {
        // The longest play may be far longer than the best.
        tried.push((&even, 0.0, Counted::Near));
    }
    if width > 0.0 && quotient.pays {
        tried.push((&even, width, Counted::Near));
    }
    for side in [Side::Lower, Side::Upper] {
        if !quotient.player.contains(&side.player()) {
            continue;
        }
        let counts = worth.as_deref().into_iter().chain([&even[..]]);
        tried.extend(counts.map(|counts| (counts, 0.0, Counted::Decided(side))));
    }
    for (counts, slack, counted) in tried {
        if open.is_empty() || known[0] >= known[1] {
            break;
        }
        if !open.iter().any(|(side, _)| counted.concerns(*side)) {
            continue;
        }
        let moves = encloser.moves(&policy, near, (counts, slack, counted), pulse)?;
        let Some((moves, room)) = moves else {
            continue;
        };
        open.retain(|&(side, guess)| {
            let guess = guess.filter(|_| counted.concerns(side));
            let Some(guess) = guess else { return true };
            let Some(proven) = encloser.prove(side, guess, (counts, &moves), room) else {
                return true;
            };
            let mut far = false;
            for (node, (ends, end)) in ends.iter_mut().zip(proven).enumerate() {
                far |= (end - guess[node]).abs() > CLOSE * counts[node];
                match side {
                    Side::Lower => ends[0] = ends[0].max(end),
                    Side::Upper => ends[1] = ends[1].min(end),
                }
            }
            far
        });
    }
    let proven = (0..quotient.len()).map(|node| encloser.is_proven(node, policy[node], &ends));
    Ok(Enclosure {
        proven: proven.collect(),
        ends,
        policy,
    })
}

impl<F: Fn(u32) -> [f64; 2]> Encloser<'_, F> {
    fn end(&self, side: Side, state: u32) -> f64 {
        let [low, high] = (self.outside)(state);
        match side {
            Side::Lower => low,
            Side::Upper => high,
        }
    }

    /// Returns the values of good decisions if all values outside are at this end.
    fn guess(
        &self,
        side: Side,
        policy: &mut [u32],
        sweep: bool,
        pulse: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<Option<Vec<f64>>, Error> {
        // All values are raised so that none is negative. Play is certain to end, so values rise by
        // the same amount, and elimination keeps every digit.
        let low = self.range[0];
        let gains = gains(self.quotient, |state| self.end(side, state) - low);
        let improvement = Improvement {
            quotient: self.quotient,
            gains: &gains,
            player: &self.quotient.player,
            bounds: self.bounds,
        };
        let values = improvement.run(policy, sweep, pulse)?;
        Ok(values.map(|values| values.iter().map(|v| v + low).collect()))
    }

    /// Returns h, and c > 0 with h ≥ Σ p h + c, times the weight of a move of its node, for every
    /// choice that is counted.
    fn moves(
        &self,
        policy: &[u32],
        values: Option<&[f64]>,
        (counts, slack, which): (&[f64], f64, Counted),
        pulse: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<Option<(Vec<f64>, f64)>, Error> {
        let quotient = self.quotient;
        let count = |state: u32| counts[quotient.node[state as usize] as usize];
        let choices = quotient.choices.iter();
        let mut gains: Vec<f64> = choices
            .map(|made| made.leaving * count(made.state))
            .collect();
        let mut policy = policy.to_vec();
        let mut counted = vec![true; quotient.choices.len()];
        if which != Counted::All {
            let Some(values) = values else {
                return Ok(None);
            };
            self.count_near(values, &policy, slack, &mut counted);
            for (choice, counted) in counted.iter_mut().enumerate() {
                let node = quotient.node[quotient.choices[choice].state as usize] as usize;
                let decided = choice == policy[node] as usize;
                *counted &= decided || !which.only_decided(quotient.player[node]);
            }
            for (gain, counted) in gains.iter_mut().zip(&counted) {
                if !counted {
                    // Such a choice is never taken.
                    *gain *= -1e100;
                }
            }
        } else {
            policy = quotient.ending_policy();
        }
        let improvement = Improvement {
            quotient,
            gains: &gains,
            player: &vec![Player::Max; quotient.len()],
            bounds: self.bounds,
        };
        let Some(moves) = improvement.run(&mut policy, true, pulse)? else {
            return Ok(None);
        };
        let mut room = f64::INFINITY;
        for (node, &own) in moves.iter().enumerate() {
            for choice in quotient.span(node).filter(|&choice| counted[choice]) {
                let made = &quotient.choices[choice];
                let sum: f64 = made.inner.iter().map(|&(t, w)| w * moves[t as usize]).sum();
                let most = sum / made.leaving * (1.0 + roundings(made.outcomes)) + TINY;
                room = room.min(((own - most) / counts[node]).next_down());
            }
        }
        Ok((room > 0.0).then_some((moves, room)))
    }

    /// Marks the choices that are worth about as much as their node: up to roundings and this
    /// slack.
    fn count_near(&self, values: &[f64], policy: &[u32], slack: f64, counted: &mut [bool]) {
        let low = self.range[0];
        let middle =
            |state| f64::midpoint(self.end(Side::Lower, state), self.end(Side::Upper, state));
        let gains = gains(self.quotient, |state| middle(state) - low);
        let raised: Vec<f64> = values.iter().map(|value| value - low).collect();
        // The rounding error depends on the original values; the raised ones may all be close to 0.
        let values = values.iter().chain(&self.range);
        let scale = values.fold(0.0_f64, |most, v| most.max(v.abs()));
        let near = scale * 1e-12 + slack;
        for (node, &own) in raised.iter().enumerate() {
            for choice in self.quotient.span(node) {
                let worth = appraise(self.quotient, &gains, choice, &raised);
                counted[choice] = choice == policy[node] as usize || (worth - own).abs() <= near;
            }
        }
    }

    /// Returns this end of the value of a choice, moved outwards, given the values of the nodes.
    fn appraise(&self, side: Side, choice: usize, values: impl Fn(u32) -> f64) -> f64 {
        let made = &self.quotient.choices[choice];
        let (mut sum, mut size, mut nothing) = (0.0, 0.0, true);
        let mut add = |weight: f64, value: f64| {
            sum += weight * value;
            size += weight * value.abs();
            nothing &= value == 0.0;
        };
        for &(state, weight) in &made.outer {
            add(weight, self.end(side, state));
        }
        for &(node, weight) in &made.inner {
            add(weight, values(node));
        }
        if let Some((reward, total)) = made.paid.as_deref() {
            let [low, high] = reward.ends;
            add(*total, if side == Side::Lower { low } else { high });
        }
        if nothing {
            return 0.0;
        }
        let terms = made.outcomes + usize::from(made.paid.is_some());
        // Where hardly anything leaves, weights are far below one. A product may then have lost all
        // of its digits, and this loss is divided by an equally small number.
        let lost = terms as f64 * TINY / made.leaving;
        let slack = size / made.leaving * roundings(terms) + lost + TINY;
        // A sum that is too large for floats gives no information. The result is then infinite and
        // not `NaN`, which comparisons would ignore.
        match side {
            _ if !size.is_finite() && side == Side::Lower => f64::NEG_INFINITY,
            _ if !size.is_finite() => f64::INFINITY,
            Side::Lower => (sum / made.leaving - slack).next_down(),
            Side::Upper => (sum / made.leaving + slack).next_up(),
        }
    }

    /// Returns the largest amount, in units of the weight of a move, by which the optimality
    /// equation fails to prove this end.
    fn failure(&self, side: Side, values: &[f64], counts: &[f64]) -> f64 {
        let mut worst = f64::NEG_INFINITY;
        for (node, &own) in values.iter().enumerate() {
            let appraised = self
                .quotient
                .span(node)
                .map(|choice| self.appraise(side, choice, |node| values[node as usize]));
            let best = match self.quotient.player[node] {
                Player::Max => appraised.fold(f64::NEG_INFINITY, f64::max),
                Player::Min => appraised.fold(f64::INFINITY, f64::min),
            };
            let failure = match side {
                Side::Lower if own <= best => 0.0,
                Side::Upper if own >= best => 0.0,
                Side::Lower => (own - best).next_up(),
                Side::Upper => (best - own).next_up(),
            };
            worst = worst.max(failure / counts[node]);
        }
        worst
    }

    fn prove(
        &self,
        side: Side,
        guess: &[f64],
        (counts, moves): (&[f64], &[f64]),
        room: f64,
    ) -> Option<Vec<f64>> {
        let mut values = guess.to_vec();
        let mut failure = self.failure(side, &values, counts);
        let mut step = failure / room;
        for _ in 0..TRIES {
            if failure == 0.0 {
                return Some(values);
            }
            if !step.is_finite() {
                return None;
            }
            for ((value, guess), moves) in values.iter_mut().zip(guess).zip(moves) {
                *value = match side {
                    Side::Lower => (guess - step * moves).next_down(),
                    Side::Upper => (guess + step * moves).next_up(),
                };
            }
            failure = self.failure(side, &values, counts);
            // Includes room for the roundings of this step.
            step = step * 1.5 + failure / room;
        }
        None
    }

    fn is_proven(&self, node: usize, decided: u32, ends: &[[f64; 2]]) -> bool {
        let appraise = |side, choice| {
            self.appraise(side, choice, |node| {
                let [low, high] = ends[node as usize];
                if side == Side::Lower { low } else { high }
            })
        };
        let (player, decided) = (self.quotient.player[node], decided as usize);
        let mut others = self.quotient.span(node).filter(|&choice| choice != decided);
        match player {
            Player::Max => {
                let own = appraise(Side::Lower, decided);
                others.all(|other| own >= appraise(Side::Upper, other))
            }
            Player::Min => {
                let own = appraise(Side::Upper, decided);
                others.all(|other| own <= appraise(Side::Lower, other))
            }
        }
    }
}

/// Returns a bound on the relative error of a quotient of two sums of this many weights, one of
/// them with values. Weights are converted in at most two roundings and added up twice. A reward
/// counts as one more outcome, with the weight of all.
fn roundings(outcomes: usize) -> f64 {
    (2 * outcomes + 16) as f64 * UNIT * (1.0 + 1e-3)
}
