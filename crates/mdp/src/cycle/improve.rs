//! Policy iteration in floats: the decisions that are probably optimal.
//!
//! Nothing here is relied upon. The exact solver starts from these decisions and continues until
//! none can be improved; the float solver encloses its results by proof (see `enclose`).

use oddsmith_dice::linear::{Direction, FloatSystem};

use super::bounds::Bounds;
use super::quotient::{Choice, Quotient};
use crate::{Error, Player};

/// The number of initial sweeps of value iteration. They cost little and bring most decisions close
/// to the best ones.
const SWEEPS: usize = 64;
/// The maximum number of rounds of improvement, since improvements may be due to rounding only.
const ROUNDS: usize = 1000;

/// Returns the value of a choice: its gain from outside plus the values of the nodes that it leads
/// to, weighted.
#[inline]
pub(super) fn appraise(
    quotient: &Quotient<f64>,
    gains: &[f64],
    choice: usize,
    values: &[f64],
) -> f64 {
    let made = &quotient.choices[choice];
    let inner = made.inner.iter();
    let sum = inner.fold(gains[choice], |sum, &(node, weight)| {
        sum + weight * values[node as usize]
    });
    sum / made.leaving
}

/// Returns, for each choice, the weighted sum of `gain(state)` over the outcomes outside, plus its
/// reward.
pub(super) fn gains(quotient: &Quotient<f64>, gain: impl Fn(u32) -> f64) -> Vec<f64> {
    let choices = quotient.choices.iter();
    let sum = |ways: &[(u32, f64)]| ways.iter().map(|&(state, w)| w * gain(state)).sum::<f64>();
    let paid = |choice: &Choice<f64>| match choice.paid.as_deref() {
        Some((reward, total)) => reward.float * total,
        None => 0.0,
    };
    choices
        .map(|choice| sum(&choice.outer) + paid(choice))
        .collect()
}

pub(super) struct Improvement<'a> {
    pub(super) quotient: &'a Quotient<f64>,
    /// The gain of each choice, over its weights.
    pub(super) gains: &'a [f64],
    /// The player who decides in each node.
    pub(super) player: &'a [Player],
    pub(super) bounds: Bounds,
}

impl Improvement<'_> {
    /// Improves `policy` until nothing more than rounding is gained, and returns its values.
    /// Returns `None` if it has none within the range of floats.
    pub(super) fn run(
        &self,
        policy: &mut [u32],
        sweep: bool,
        pulse: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<Option<Vec<f64>>, Error> {
        if sweep {
            self.sweep(policy, pulse)?;
        }
        let mut values = Vec::new();
        for _ in 0..ROUNDS {
            pulse()?;
            let Some(new) = self.evaluate(policy, pulse)? else {
                return Ok(None);
            };
            values = new;
            // The opponent finds the best reply before the player changes its decisions (A. J.
            // Hoffman and R. M. Karp, "On nonterminating stochastic games", Management Science 12,
            // 1966).
            if !self.improve(policy, &values, Player::Min)
                && !self.improve(policy, &values, Player::Max)
            {
                break;
            }
        }
        Ok(Some(values))
    }

    /// Returns the values of a policy.
    pub(super) fn evaluate(
        &self,
        policy: &[u32],
        pulse: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<Option<Vec<f64>>, Error> {
        let made = |&choice: &u32| &self.quotient.choices[choice as usize];
        let rows = policy.iter().map(|choice| {
            let choice = made(choice);
            let ways = choice.inner.iter();
            ways.map(|&(node, w)| (node, w / choice.leaving)).collect()
        });
        let exits = policy.iter().map(|choice| {
            let choice = made(choice);
            choice.outer.iter().map(|way| way.1).sum::<f64>() / choice.leaving
        });
        let gains = policy.iter().map(|choice| {
            let leaving = made(choice).leaving;
            self.gains[*choice as usize] / leaving
        });
        let gains: Vec<f64> = gains.collect();
        let system = FloatSystem::new(rows.collect(), exits.collect())?;
        let solved = self.bounds.within(pulse, |limits, hook| {
            system.solve_within(Direction::Backward, &gains, limits, hook)
        });
        match solved {
            Ok(solution) => {
                let values = solution.into_numbers();
                Ok(values.iter().all(|v| v.is_finite()).then_some(values))
            }
            // Choices that leave are too unlikely for floats.
            Err(Error::Dice(oddsmith_dice::Error::FloatOverflow { .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn improve(&self, policy: &mut [u32], values: &[f64], player: Player) -> bool {
        let largest = values.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        // Elimination keeps every digit of each value, if nothing is subtracted.
        let positive = self.gains.iter().all(|gain| *gain >= 0.0);
        let mut improved = false;
        for (node, decided) in policy.iter_mut().enumerate() {
            if self.player[node] != player {
                continue;
            }
            let mut best = values[node];
            let scale = if positive { best } else { largest };
            // A smaller gain may be due to rounding.
            let mut least = scale * 1e-13;
            for choice in self.quotient.span(node) {
                let value = appraise(self.quotient, self.gains, choice, values);
                let gain = match player {
                    Player::Max => value - best,
                    Player::Min => best - value,
                };
                if gain > least {
                    best = value;
                    *decided = choice as u32;
                    improved = true;
                    // From then on, the first of equal choices is taken.
                    least = scale * 1e-15;
                }
            }
        }
        improved
    }

    /// Performs value iteration, one node after another, and returns the decisions that it leads
    /// to.
    fn sweep(
        &self,
        policy: &mut [u32],
        pulse: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<(), Error> {
        // Where play need not end, these decisions may lead to endless play.
        if self.quotient.choices.len() == policy.len() || self.quotient.costly {
            return Ok(());
        }
        let mut values = vec![0.0; policy.len()];
        for sweep in 0..SWEEPS {
            pulse()?;
            let mut moved = 0.0_f64;
            let mut scale = 0.0_f64;
            for node in 0..policy.len() {
                let mut best = f64::NAN;
                for choice in self.quotient.span(node) {
                    let value = appraise(self.quotient, self.gains, choice, &values);
                    let least = best.abs() * 1e-9;
                    let better = match self.player[node] {
                        Player::Max => value > best + least,
                        Player::Min => value < best - least,
                    };
                    if better || best.is_nan() {
                        best = value;
                        policy[node] = choice as u32;
                    }
                }
                moved = moved.max((best - values[node]).abs());
                scale = scale.max(best.abs());
                values[node] = best;
            }
            if sweep > 0 && moved <= scale * 1e-6 {
                break;
            }
        }
        Ok(())
    }
}
