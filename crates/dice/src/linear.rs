//! Exact solutions of the linear equations of absorbing Markov chains.
//!
//! A process moves between states 0, 1, …, m − 1 until it leaves: from state k it goes to state j
//! with weight w(k → j), or leaves with weight e(k), and w(k) = e(k) + Σ w(k → j) is the weight of
//! all ways out of k. The unknown is x with
//!
//! * w(k) x(k) = b(k) + Σ w(k → j) x(j), Kolmogorov's *backward* equations: x(k) is the expected
//!   reward from k on, if each visit to j gives b(j) / w(j);
//! * w(k) x(k) = b(k) + Σ x(j) w(j → k), the *forward* equations: w(k) x(k) is the expected number
//!   of visits to k, if the process begins b(j) times in j.
//!
//! With Q the matrix of the w(k → j) / w(k), these are v = r + Q v and n = b + n Q: the solutions
//! are products of r or b with the *fundamental matrix* (1 − Q)⁻¹.
//!
//! [`System`] has integer weights and gives fractions over one denominator. [`FloatSystem`] has
//! float weights, never subtracts numbers of the same sign, and counts its roundings. Both are for
//! systems in which most weights are 0. Both observe [`Limits`], ask a hook from time to time
//! whether to go on, and give the same answer to the same question, bit for bit.
//!
//! [`Chain`](crate::Chain) is solved with this module. Prefer it unless you have the matrix, or
//! rewards below 0.
//!
//! # Examples
//!
//! A gambler with 1 to 3 coins stakes one at a time, by a fair coin, until he has none or 4:
//!
//! ```
//! use num_bigint::{BigInt, BigUint};
//! use oddsmith_dice::linear::{Direction, System};
//!
//! let [zero, one] = [0u32, 1].map(BigUint::from);
//! let rows = vec![
//!     vec![(1, one.clone())],
//!     vec![(0, one.clone()), (2, one.clone())],
//!     vec![(1, one.clone())],
//! ];
//! let system = System::new(rows, vec![one.clone(), zero, one])?;
//! // Each toss pays 1, and every state has a weight of 2: how many tosses are expected?
//! let tosses = system.solve(Direction::Backward, &[2, 2, 2].map(BigInt::from))?;
//! let tosses: Vec<String> = tosses.iter().map(|x| x.to_string()).collect();
//! assert_eq!(tosses, ["3", "4", "3"]);
//! // From 2 coins on: how often has he 1, 2 and 3, over the weight of 2?
//! let visits = system.solve(Direction::Forward, &[0, 1, 0].map(BigInt::from))?;
//! let visits: Vec<String> = visits.iter().map(|x| x.to_string()).collect();
//! assert_eq!(visits, ["1/2", "1", "1/2"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod digits;
mod eliminate;
mod float;
mod lift;
mod limits;
mod modulo;
mod rest;
mod solution;
mod system;

pub use float::{FloatSolution, FloatSystem};
pub use limits::Limits;
pub use solution::Solution;
pub use system::System;

use crate::Error;
use std::ops::ControlFlow;

/// The equations of a [`System`] to solve.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::linear::{Direction, FloatSystem};
///
/// // From 0 to 1 or out; from 1 out.
/// let system = || FloatSystem::new(vec![vec![(1, 3.0)], vec![]], vec![1.0, 4.0]);
/// let out_of_1 = system()?.solve(Direction::Backward, &[0.0, 4.0])?;
/// assert_eq!(out_of_1.numbers(), [0.75, 1.0]);
/// let from_0 = system()?.solve(Direction::Forward, &[1.0, 0.0])?;
/// assert_eq!(from_0.numbers(), [0.25, 0.1875]); // 1 / 4 visits, 0.75 / 4
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// w(k) x(k) = b(k) + Σ w(k → j) x(j)
    Backward,
    /// w(k) x(k) = b(k) + Σ x(j) w(j → k)
    Forward,
}

impl Direction {
    /// The index of the sum that a way from `from` to `to` belongs to, and of the x that it
    /// multiplies.
    fn places(self, from: usize, to: u32) -> (usize, usize) {
        match self {
            Direction::Backward => (from, to as usize),
            Direction::Forward => (to as usize, from),
        }
    }
}

/// A hook that is asked from time to time whether to go on.
type Hook<'h> = dyn FnMut() -> ControlFlow<()> + 'h;

fn heard(hook: &mut Hook<'_>, states: usize) -> Result<(), Error> {
    match hook() {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Stopped {
            operation: of_states(states),
        }),
    }
}

/// The name of the operation in errors.
fn of_states(states: usize) -> String {
    format!("solving the equations of {states} states that lead to each other")
}

fn bad(reason: String) -> Error {
    Error::BadSystem { reason }
}

/// Checks that there is an exit for each row, and that rows lead to other existing states in
/// ascending order.
fn check_shape<W>(rows: &[impl AsRef<[(u32, W)]>], exits: &[W]) -> Result<(), Error> {
    let states = rows.len();
    if exits.len() != states || u32::try_from(states).is_err() {
        let exits = exits.len();
        return Err(bad(format!(
            "{states} rows need {states} exits, got {exits}"
        )));
    }
    for (state, row) in rows.iter().enumerate() {
        let mut least = 0;
        for &(target, _) in row.as_ref() {
            if target as usize >= states {
                return Err(bad(format!(
                    "state {state} leads to state {target}; there are {states} states, counted from 0"
                )));
            }
            if target < least {
                return Err(bad(format!(
                    "the successors of state {state} must be strictly ascending, but {target} is not above the one before"
                )));
            }
            if target as usize == state {
                return Err(bad(format!(
                    "state {state} leads to itself; leave that transition out, which does not change an expectation over the other weights"
                )));
            }
            least = target + 1;
        }
    }
    Ok(())
}

fn check_right_side(states: usize, given: usize) -> Result<(), Error> {
    if given == states {
        return Ok(());
    }
    Err(bad(format!(
        "{states} states need {states} numbers on the right-hand side, got {given}"
    )))
}
