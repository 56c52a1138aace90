//! The consequences of a decision.

use crate::Act;
use crate::situation::Situation;

/// A decision with its consequences.
///
/// # Examples
/// Seven of the ten random numbers lead over this bridge:
/// ```
/// use oddsmith_lonewolf::{ActionChart, BookSolver};
/// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
/// # let chance = |numbers, then| Chance { numbers, then };
/// # let bridge = Outcome::Random(vec![chance(7, Outcome::Goto(2)), chance(3, Outcome::Lost)]);
/// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
/// # let sections = vec![section(1, bridge), section(2, Outcome::Won)];
/// # let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
/// let mut solver = BookSolver::new(&book);
/// let mut solved = solver.solve(&ActionChart::new(10, 20)?)?;
/// let start = solved.start();
/// let advice = solved.advice(&start)?.swap_remove(0);
/// assert_eq!((advice.act.to_string().as_str(), advice.win), ("go on", 0.7));
/// let chances: Vec<f64> = advice.outcomes.iter().map(|(_, chance)| *chance).collect();
/// assert_eq!(chances, [0.7, 0.3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Advice {
    /// The decision.
    pub act: Act,
    /// The chance to win after it, with best play from there on.
    pub win: f64,
    /// The situations it may lead to, with their probabilities.
    pub outcomes: Vec<(Situation, f64)>,
}
