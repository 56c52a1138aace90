//! Elimination in doubles.

use super::eliminate::{Elimination, Field, Refusal, Row};
use super::limits::Limits;
use super::{Direction, bad, check_right_side, check_shape, of_states};
use crate::Error;
use std::ops::ControlFlow;

/// Doubles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reals;

impl Field for Reals {
    type Number = f64;

    #[inline]
    fn add(self, a: f64, b: f64) -> f64 {
        a + b
    }

    #[inline]
    fn times(self, a: f64, b: f64) -> f64 {
        a * b
    }

    fn inverse(self, a: f64) -> Option<f64> {
        let inverse = 1.0 / a;
        (inverse.is_finite() && inverse > 0.0).then_some(inverse)
    }
}

/// The equations of an absorbing chain in floats: see [the module](super).
///
/// # Examples
///
/// ```
/// use oddsmith_dice::linear::{Direction, FloatSystem};
///
/// // Two states that lead to each other, and out of the first.
/// let system = FloatSystem::new(vec![vec![(1, 0.5)], vec![(0, 1.0)]], vec![0.5, 0.0])?;
/// let steps = system.solve(Direction::Backward, &[1.0, 1.0])?;
/// assert_eq!(steps.numbers(), [3.0, 4.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FloatSystem {
    rows: Vec<Row<f64>>,
    exits: Vec<f64>,
}

impl FloatSystem {
    /// The ways out of each state to others, ascending, with their weights; and the weight
    /// with which each is left for good.
    ///
    /// # Errors
    ///
    /// [`Error::BadSystem`] for rows that do not ascend or lead to states that are not, for
    /// weights that are below zero or no numbers, or if there are not as many exits as rows.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Error, linear::FloatSystem};
    ///
    /// let error = FloatSystem::new(vec![vec![(1, 1.0)]], vec![1.0]).err();
    /// let reason = "state 0 leads to state 1, but there are only 1 (from 0)".to_owned();
    /// assert_eq!(error, Some(Error::BadSystem { reason }));
    /// ```
    pub fn new(rows: Vec<Vec<(u32, f64)>>, exits: Vec<f64>) -> Result<Self, Error> {
        check_shape(&rows, &exits)?;
        for (state, (row, &exit)) in rows.iter().zip(&exits).enumerate() {
            let mut weights = row.iter().map(|way| way.1).chain([exit]);
            if let Some(weight) = weights.find(|&weight| weight < 0.0 || weight.is_nan()) {
                return Err(bad(format!(
                    "weights must be 0 or more, but state {state} has one of {weight}"
                )));
            }
        }
        Ok(FloatSystem { rows, exits })
    }

    /// The solution for b, within [`Limits::default`].
    ///
    /// # Errors
    ///
    /// As for [`solve_within`](Self::solve_within).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::linear::{Direction, FloatSystem};
    ///
    /// let system = FloatSystem::new(vec![vec![]], vec![4.0])?; // 4 x = b
    /// assert_eq!(system.solve(Direction::Backward, &[3.0])?.numbers(), [0.75]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve(self, direction: Direction, b: &[f64]) -> Result<FloatSolution, Error> {
        let mut go_on = || ControlFlow::Continue(());
        self.solve_within(direction, b, Limits::default(), &mut go_on)
    }

    /// [`solve`](Self::solve) with limits, and with a hook that is asked once in 64 states
    /// whether to go on.
    ///
    /// # Errors
    ///
    /// [`Error::BadSystem`] if there are not as many b as states; [`Error::FloatOverflow`]
    /// if a state has no way out but among states that lead back, or none that floats can
    /// hold; [`Error::TooLarge`] and [`Error::TooSlow`] as soon as elimination passes a
    /// limit; [`Error::Stopped`] by the hook.
    ///
    /// A b that is infinite or no number is no error: what depends on it is none either.
    ///
    /// # Complexity
    ///
    /// With m states, m³/3 products at most, and about m for states along a line.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use oddsmith_dice::Error;
    /// use oddsmith_dice::linear::{Direction, FloatSystem, Limits};
    ///
    /// let system = FloatSystem::new(vec![vec![(1, 0.5)], vec![(0, 1.0)]], vec![0.5, 0.0])?;
    /// let mut stop = || ControlFlow::Break(());
    /// let b = [1.0, 1.0];
    /// let stopped = system.solve_within(Direction::Forward, &b, Limits::words(100), &mut stop);
    /// assert!(matches!(stopped, Err(Error::Stopped { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_within(
        self,
        direction: Direction,
        b: &[f64],
        limits: Limits,
        hook: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<FloatSolution, Error> {
        let states = self.rows.len();
        check_right_side(states, b.len())?;
        let eliminated = Elimination::new(Reals, self.rows, self.exits, limits, hook);
        let eliminated = eliminated.map_err(|refusal| match refusal {
            // A pivot is a sum of positive weights: zero only where they underflow.
            Refusal::Singular => Error::FloatOverflow {
                operation: of_states(states),
            },
            Refusal::Other(error) => error,
        })?;
        Ok(FloatSolution {
            words: eliminated.words,
            operations: eliminated.operations,
            roundings: eliminated.roundings,
            numbers: eliminated.triangles(direction).solve(b),
        })
    }
}

/// The solution of a [`FloatSystem`].
///
/// # Examples
///
/// ```
/// use oddsmith_dice::linear::{Direction, FloatSystem};
///
/// // From 0 to 1 or out, by a coin; from 1 out.
/// let system = FloatSystem::new(vec![vec![(1, 1.0)], vec![]], vec![1.0, 1.0])?;
/// let steps = system.solve(Direction::Backward, &[2.0, 1.0])?;
/// assert_eq!(steps.numbers(), [1.5, 1.0]);
/// assert!(steps.roundings() < 40);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FloatSolution {
    numbers: Vec<f64>,
    roundings: u64,
    pub(crate) words: u128,
    pub(crate) operations: u128,
}

impl FloatSolution {
    /// x, by state; not finite where floats cannot hold it.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::linear::{Direction, FloatSystem};
    ///
    /// let system = FloatSystem::new(vec![vec![], vec![]], vec![2.0, 1e-300])?;
    /// let solution = system.solve(Direction::Backward, &[1.0, 1e300])?;
    /// assert_eq!(solution.numbers(), [0.5, f64::INFINITY]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    /// [`numbers`](Self::numbers) without this.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::linear::{Direction, FloatSystem};
    ///
    /// let system = FloatSystem::new(vec![vec![]], vec![4.0])?;
    /// let solution = system.solve(Direction::Forward, &[1.0])?;
    /// assert_eq!(solution.into_numbers(), [0.25]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn into_numbers(self) -> Vec<f64> {
        self.numbers
    }

    /// At most so many roundings are in every number, if no b is below zero: with n of
    /// them it is within a factor of (1 + 2⁻⁵³)ⁿ of the solution for these floats, and if
    /// each weight came by r roundings, n + 2 m r are in it for m states.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::linear::{Direction, FloatSystem};
    ///
    /// let system = FloatSystem::new(vec![vec![(1, 0.1)], vec![(0, 0.3)]], vec![0.2, 0.1])?;
    /// let solution = system.solve(Direction::Forward, &[1.0, 0.0])?;
    /// assert!(0 < solution.roundings() && solution.roundings() < 40);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn roundings(&self) -> u64 {
        self.roundings
    }
}
