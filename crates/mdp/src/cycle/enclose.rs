//! The values of a component between floats, by proof.
//!
//! In a game in which all play ends, a function w with w ≥ T w is nowhere below the
//! value, and one with w ≤ T w nowhere above it, T being the right-hand side of the
//! optimality equation: T is monotone, and its iterates converge to the value. So
//! two functions are guessed and then checked in interval arithmetic, as by A.
//! Hartmanns and B. L. Kaminski ("Optimistic value iteration", CAV 2020). The guess
//! is the value of good decisions, found by elimination, moved up and down by a
//! multiple of h, the most moves that play may take: h ≥ T h + c makes room for
//! every rounding. Interval iteration would take as many sweeps as play takes moves.
//!
//! Where nothing is worth less than 0, a move rounds by no more than a part of what is
//! worth there. If h counts each move as much as the state it is made in is worth, what
//! is worth little is enclosed as closely, to its size, as what is worth much: play that
//! comes to much from there is as rare as that is worth more.
//!
//! Where play could go on for ever at a cost, the same holds: for w ≥ T w and a way
//! of playing that ends, w is nowhere below its value; and decisions that attain
//! T w ≥ w end, since going round for ever would have to pay for itself. There is no
//! most of moves then, so h counts those of the choices that are nearly the best.

use super::bounds::Bounds;
use super::improve::{Improvement, appraise, gains};
use super::quotient::Quotient;
use crate::{Error, Player};

/// 2⁻⁵³
const UNIT: f64 = f64::EPSILON / 2.0;
/// Above a few roundings of numbers below the smallest normal one.
const TINY: f64 = f64::from_bits(64);
/// So often the room for roundings is doubled.
const TRIES: usize = 60;
/// A move counts no less, where nothing can be had.
const LEAST_MOVE: f64 = 1e-200;
/// Where all is enclosed as closely as that, to what a move counts, nothing closer is looked for.
const CLOSE: f64 = 1e-6;

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Lower,
    Upper,
}

/// What was found about the nodes of a component.
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
    /// The lowest and the highest value outside; between these lie all values, if no
    /// choice pays.
    range: [f64; 2],
    bounds: Bounds,
}

/// Encloses the values of all nodes, given enclosures of what lies outside.
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
    // Equals may differ by as much as values outside are not known, but not all that
    // differ by so little need be equals.
    let mut open = vec![
        (Side::Lower, lower.as_deref()),
        (Side::Upper, upper.as_deref()),
    ];
    let even = vec![1.0; quotient.len()];
    let mut tried = Vec::new();
    if let Some(near) = near.filter(|_| !quotient.pays && range[0] >= 0.0) {
        let worth = near.iter().map(|value| value.max(LEAST_MOVE));
        tried.push((worth.collect(), 0.0, quotient.costly));
    }
    tried.push((even.clone(), 0.0, quotient.costly));
    if !quotient.costly && quotient.pays {
        // The longest play may be far longer than the best.
        tried.push((even.clone(), 0.0, true));
    }
    if width > 0.0 && quotient.pays {
        tried.push((even, width, true));
    }
    for (counts, slack, best) in &tried {
        if open.is_empty() || known[0] >= known[1] {
            break;
        }
        let moves = encloser.moves(&policy, near, (counts, *slack, *best), pulse)?;
        let Some((moves, room)) = moves else {
            continue;
        };
        open.retain(|&(side, guess)| {
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

    /// Values of good decisions if everything outside is at this end.
    fn guess(
        &self,
        side: Side,
        policy: &mut [u32],
        sweep: bool,
        pulse: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<Option<Vec<f64>>, Error> {
        // All raised so that nothing is negative: play is sure to end, so values
        // rise by as much, and elimination keeps every digit.
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

    /// h, and c > 0 with h ≥ Σ p h + c for every choice, times what a move of its node
    /// counts; or, where that cannot be, for every choice that is worth about as much as
    /// its node.
    fn moves(
        &self,
        policy: &[u32],
        values: Option<&[f64]>,
        (counts, slack, best): (&[f64], f64, bool),
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
        if best {
            let Some(values) = values else {
                return Ok(None);
            };
            self.count_near(values, &policy, slack, &mut counted);
            for (gain, counted) in gains.iter_mut().zip(&counted) {
                if !counted {
                    // Never taken.
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

    /// Counts the choices that are worth about as much as their node: up to roundings,
    /// and to this slack.
    fn count_near(&self, values: &[f64], policy: &[u32], slack: f64, counted: &mut [bool]) {
        let low = self.range[0];
        let middle =
            |state| f64::midpoint(self.end(Side::Lower, state), self.end(Side::Upper, state));
        let gains = gains(self.quotient, |state| middle(state) - low);
        let raised: Vec<f64> = values.iter().map(|value| value - low).collect();
        // Roundings are of values as they are: raised, they may all be next to 0.
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

    /// This end of what a choice is worth, moved outwards, if the nodes have these
    /// values.
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
        // Where hardly anything leaves, weights are far below one: a product may have
        // lost all of its digits, and what it lost is divided by as little.
        let lost = terms as f64 * TINY / made.leaving;
        let slack = size / made.leaving * roundings(terms) + lost + TINY;
        // Where a sum is too large for floats, nothing is known: not a number, which
        // comparisons would pass over.
        match side {
            _ if !size.is_finite() && side == Side::Lower => f64::NEG_INFINITY,
            _ if !size.is_finite() => f64::INFINITY,
            Side::Lower => (sum / made.leaving - slack).next_down(),
            Side::Upper => (sum / made.leaving + slack).next_up(),
        }
    }

    /// By how many times what a move counts the optimality equation fails to prove this end
    /// at worst.
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
            // Room for the roundings of this step too.
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

/// A bound on the relative error of a quotient of two sums of so many weights, one
/// of them with values: weights are converted in at most two roundings and added up
/// twice. A reward counts as one more outcome, of the weight of all.
fn roundings(outcomes: usize) -> f64 {
    (2 * outcomes + 16) as f64 * UNIT * (1.0 + 1e-3)
}
