//! Observing long computations, and stopping them.

use std::fmt;
use std::ops::ControlFlow;

use crate::Error;

/// A phase of the work of a solver.
///
/// # Examples
/// ```
/// assert_eq!(oddsmith_mdp::Phase::Exploring.to_string(), "exploring");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// Finding the states.
    Exploring,
    /// Finding a common denominator (exact solvers only, and none that allow cycles).
    Measuring,
    /// Computing values backwards from the ends.
    Solving,
    /// Finding what best play can lead to, in two passes, between the two solves of
    /// [`Solver::certify`](crate::Solver::certify).
    Narrowing,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Exploring => "exploring",
            Phase::Measuring => "measuring",
            Phase::Solving => "solving",
            Phase::Narrowing => "narrowing",
        })
    }
}

/// The progress of a solver, which is passed to its observer every 4,096 states and at the end of
/// each phase. While a cycle is solved ([`Solver::allow_cycles`](crate::Solver::allow_cycles)), it is
/// passed every now and then, at least once in 64 of its states, so that the work can be stopped.
///
/// # Examples
/// The last report on 13 states:
/// ```
#[doc = include_str!("../docs/keep_or_roll.txt")]
/// use oddsmith_mdp::Phase;
/// use std::ops::ControlFlow;
/// let mut last = None;
/// let solver = Solver::float().observe(|progress| {
///     last = Some(progress);
///     ControlFlow::Continue(())
/// });
/// solver.solve(&KeepOrRoll, (2, 0))?;
/// let last = last.ok_or("nothing was heard")?;
/// assert_eq!((last.phase, last.done, last.total), (Phase::Solving, 13, Some(13)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The current phase.
    pub phase: Phase,
    /// The number of states finished in this phase. It stays the same while a cycle is solved, whose
    /// states are all finished together. Finding denominators takes two passes over the states, or
    /// up to four if actions pay, and each begins with 0 again. The first of them has no total.
    pub done: usize,
    /// The total number of states, once it is known.
    pub total: Option<usize>,
}

type Callback<'a> = Box<dyn FnMut(Progress) -> ControlFlow<()> + 'a>;

/// The observer of one solve. If absent, it only costs a test of a counter.
#[derive(Default)]
pub struct Observer<'a>(Option<Callback<'a>>);

impl<'a> Observer<'a> {
    pub(crate) fn new(callback: impl FnMut(Progress) -> ControlFlow<()> + 'a) -> Self {
        Observer(Some(Box::new(callback)))
    }

    /// Passes a report on a part of the work to the observer.
    pub(crate) fn pass_on(&mut self, progress: Progress) -> std::ops::ControlFlow<()> {
        match &mut self.0 {
            Some(callback) => callback(progress),
            None => std::ops::ControlFlow::Continue(()),
        }
    }

    #[inline]
    pub(crate) fn tick(
        &mut self,
        phase: Phase,
        done: usize,
        total: Option<usize>,
    ) -> Result<(), Error> {
        if done.is_multiple_of(4096) || total == Some(done) {
            self.call(phase, done, total)
        } else {
            Ok(())
        }
    }

    pub(crate) fn call(
        &mut self,
        phase: Phase,
        done: usize,
        total: Option<usize>,
    ) -> Result<(), Error> {
        if let Some(callback) = &mut self.0
            && callback(Progress { phase, done, total }).is_break()
        {
            return Err(Error::Cancelled { phase, done });
        }
        Ok(())
    }
}

impl fmt::Debug for Observer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "observed"
        } else {
            "unobserved"
        })
    }
}
