//! The probabilities with which best play reaches the states.

use num_traits::ToPrimitive;

use super::explored::{Page, Weighed};
use super::ledger::Ledger;
use super::solution::SimultaneousSolution;
use super::{Simultaneous, SimultaneousNumber};
use crate::Error;

impl<G: Simultaneous + ?Sized, N: SimultaneousNumber> SimultaneousSolution<'_, G, N> {
    /// Returns the probability of ever reaching each state if both sides play as
    /// [`equilibrium`](SimultaneousSolution::equilibrium) says.
    ///
    /// The start comes first, and every state comes before those that it leads to. States that are
    /// never reached are left out.
    ///
    /// The probabilities are floats for every kind of numbers, each correct within a few roundings
    /// per state on the longest path to it. If there are several equilibria, another one may lead
    /// elsewhere.
    ///
    /// # Errors
    /// [`Error::InState`] for a matrix that cannot be solved again.
    ///
    /// # Complexity
    /// Solves the matrix of every state that is reached once more.
    ///
    /// # Examples
    /// Hide-and-seek in a cellar or an attic, where a searcher may fail:
    /// ```
    /// use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    ///
    /// struct HideAndSeek;
    /// impl Simultaneous for HideAndSeek {
    ///     type State = Option<bool>; // found?
    ///     type Row = &'static str;
    ///     type Column = &'static str;
    ///     fn expand(&self, state: &Option<bool>, meeting: &mut Meeting<Self>) {
    ///         if let Some(found) = *state {
    ///             return meeting.end(found);
    ///         }
    ///         meeting.cell("cellar", "cellar").to(Some(true), 1);
    ///         meeting.cell("cellar", "attic").to(Some(false), 1);
    ///         meeting.cell("attic", "cellar").to(Some(false), 1);
    ///         meeting.cell("attic", "attic").to(Some(true), 2).to(Some(false), 1);
    ///     }
    /// }
    /// let solution = Solver::exact().solve_simultaneous(&HideAndSeek, None)?;
    /// let reach = solution.reach()?;
    /// assert_eq!(reach[0], (&None, 1.0));
    /// let found = reach.iter().find(|(state, _)| **state == Some(true)).ok_or("it is met")?;
    /// assert!((found.1 - 0.4).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "forecast")]
    pub fn reach(&self) -> Result<Vec<(&G::State, f64)>, Error> {
        let mut chances = vec![0.0; self.len()];
        chances[0] = 1.0;
        let mut reach = Vec::new();
        for &number in self.explored.order.iter().rev() {
            let number = number as usize;
            let here = chances[number];
            if here == 0.0 {
                continue;
            }
            reach.push((&self.explored.states[number], here));
            let Page::Open(cells) = self.explored.page(number) else {
                continue;
            };
            let (row, column) = if cells.len() == 1 {
                (vec![1.0], vec![1.0])
            } else {
                let found = self.ledger.appraise(&cells);
                let found = found.map_err(|source| Error::InState {
                    state: self.named(number),
                    source: Box::new(source),
                })?;
                let floats = |strategy: &[N::Value]| -> Vec<f64> {
                    let floats = strategy.iter().map(|p| p.to_f64().unwrap_or(0.0));
                    floats.collect()
                };
                (floats(&found.row), floats(&found.column))
            };
            for cell in 0..cells.len() {
                let played = here * row[cell / cells.columns] * column[cell % cells.columns];
                if played == 0.0 {
                    continue;
                }
                let (targets, weighed) = cells.cell(cell);
                let share = |outcome: usize| match weighed {
                    Weighed::Narrow(weights, total) => weights[outcome] as f64 / total as f64,
                    Weighed::Wide(wide) => wide.share(outcome),
                };
                for (outcome, &target) in targets.iter().enumerate() {
                    chances[target as usize] += played * share(outcome);
                }
            }
        }
        Ok(reach)
    }
}
