//! Elimination in floats.

use super::eliminate::{Elimination, Field, Refusal, Row};
use super::limits::Limits;
use super::{Direction, bad, check_right_side, check_shape, of_states};
use crate::Error;
use std::ops::ControlFlow;

/// The arithmetic of doubles.
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
    /// Creates the system from the ways out of each state to others, in ascending order with their
    /// weights, and from the weight with which each state is left for good.
    ///
    /// # Errors
    ///
    /// [`Error::BadSystem`] for rows that do not ascend or that lead to states that do not exist,
    /// for weights that are negative or NaN, or if there are not as many exits as rows.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Error, linear::FloatSystem};
    ///
    /// let error = FloatSystem::new(vec![vec![(1, 1.0)]], vec![1.0]).err();
    /// let reason = "state 0 leads to state 1; there are 1 states, counted from 0".to_owned();
    /// assert_eq!(error, Some(Error::BadSystem { reason }));
    /// ```
    pub fn new(rows: Vec<Vec<(u32, f64)>>, exits: Vec<f64>) -> Result<Self, Error> {
        check_shape(&rows, &exits)?;
        for (state, (row, &exit)) in rows.iter().zip(&exits).enumerate() {
            let mut weights = row.iter().map(|way| way.1).chain([exit]);
            if let Some(weight) = weights.find(|&weight| weight < 0.0 || weight.is_nan()) {
                return Err(bad(format!(
                    "weights must be 0 or more, got {weight} in state {state}"
                )));
            }
        }
        Ok(FloatSystem { rows, exits })
    }

    /// Returns the solution for b, within [`Limits::default`].
    ///
    /// # Errors
    ///
    /// The same as for [`solve_within`](Self::solve_within).
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

    /// Like [`solve`](Self::solve), with limits, and with a hook that is asked once in 64 states
    /// whether to go on.
    ///
    /// # Errors
    ///
    /// [`Error::BadSystem`] if there are not as many b as states; [`Error::FloatOverflow`] if a
    /// state has no way out except among states that lead back, or none that floats can represent;
    /// [`Error::TooLarge`] and [`Error::TooSlow`] as soon as elimination passes a limit;
    /// [`Error::Stopped`] by the hook.
    ///
    /// A b that is infinite or NaN is not an error; what depends on it is infinite or NaN as well.
    ///
    /// # Complexity
    ///
    /// With m states, at most m³/3 products, and about m for states along a line.
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
            // A pivot is a sum of positive weights: it is zero only if they underflow.
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
    /// Returns x by state. A value that floats cannot represent is not finite.
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

    /// Returns [`numbers`](Self::numbers), consuming the solution.
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

    /// Returns an upper bound on the number of roundings in every number, if no b is negative. With
    /// n roundings, a number is within a factor of (1 + 2⁻⁵³)ⁿ of the solution for these float
    /// weights. If each weight itself has r roundings, the bound is n + 2 m r for m states.
    ///
    /// Like that of [`Dist::relative_error`](crate::Dist::relative_error), the count does not cover
    /// underflow: it holds if no weight, product or quotient is below 2⁻¹⁰²².
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
