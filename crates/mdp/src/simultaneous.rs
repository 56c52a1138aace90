//! Games in whose states both players may decide at the same time.

mod cell;
mod denominators;
mod enclosures;
mod encounter;
mod explored;
mod fractions;
mod ledger;
mod meeting;
mod order;
mod reach;
mod solution;

use std::fmt::Debug;
use std::hash::Hash;

pub use cell::Cell;
pub use encounter::Encounter;
pub use ledger::SimultaneousNumber;
pub use meeting::Meeting;
pub use solution::SimultaneousSolution;

/// A finite zero-sum game for two players and chance in which both may decide at the same time,
/// neither knowing what the other does.
///
/// The rules are one function. [`expand`](Simultaneous::expand) looks at a state and tells the
/// [`Meeting`] either that the game [ends](Meeting::end) there with a score, or where each pair of
/// a row (an action of one player) and a column (an action of the other) may lead, with integer
/// weights. The row player wants a high score, the column player a low one. A state in which
/// [one](Meeting::row) [alone](Meeting::column) decides, or [chance](Meeting::chance) moves, is a
/// matrix with one column, one row, or one cell.
///
/// The value of a state is the value of the matrix of its cells' values (L. Shapley, "Stochastic
/// Games", 1953; here without a discount, but certain to end), computed by backward induction. No
/// state may return to itself: where both decide, the value would solve a nonlinear equation and
/// could be irrational. The exception is a state in which at most one side decides. It may lead
/// directly to itself, though not with certainty, and such loops are eliminated exactly.
///
/// # Examples
/// An inspector may look on `left` of the `days` to come. The other side breaks the rules on at
/// most one of them. It pays 1 if caught and wins 1 otherwise. (M. Dresher, "A Sampling Inspection
/// Problem in Arms Control Agreements", 1962.)
/// ```
/// use oddsmith_mdp::{Meeting, Simultaneous, Solver};
///
/// #[derive(Clone, Debug, PartialEq, Eq, Hash)]
/// enum Watch { Open { days: u32, left: u32 }, Caught, Broken, Kept }
///
/// struct Inspection;
///
/// impl Simultaneous for Inspection {
///     type State = Watch;
///     type Row = &'static str;
///     type Column = &'static str;
///
///     fn expand(&self, state: &Watch, meeting: &mut Meeting<Self>) {
///         match *state {
///             Watch::Caught => meeting.end(1),
///             Watch::Broken => meeting.end(-1),
///             Watch::Kept | Watch::Open { days: 0, .. } => meeting.end(0),
///             Watch::Open { days, left } => {
///                 let later = |left| Watch::Open { days: days - 1, left };
///                 meeting.cell("wait", "break").to(Watch::Broken, 1);
///                 meeting.cell("wait", "keep").to(later(left), 1);
///                 if left > 0 {
///                     meeting.cell("look", "break").to(Watch::Caught, 1);
///                     meeting.cell("look", "keep").to(later(left - 1), 1);
///                 }
///             }
///         }
///     }
/// }
///
/// let start = Watch::Open { days: 5, left: 2 };
/// let solution = Solver::exact().solve_simultaneous(&Inspection, start.clone())?;
/// assert_eq!(solution.value().to_string(), "-3/8"); // -C(4, 2) / (C(5, 0) + C(5, 1) + C(5, 2))
/// let today = solution.equilibrium(&start)?;
/// assert_eq!(today.p_row(&"look").to_string(), "5/16");
/// assert_eq!(today.p_column(&"break").to_string(), "9/64");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Simultaneous {
    /// Everything that the future depends on. Equal values are the same state.
    type State: Clone + Eq + Hash + Debug;

    /// What the row player may do, in the form in which it is displayed.
    type Row: Clone + PartialEq + Debug;

    /// What the column player may do, in the form in which it is displayed.
    type Column: Clone + PartialEq + Debug;

    /// Writes on `meeting` what can happen in `state`.
    ///
    /// The result must depend on `self` and `state` alone: the function is called again when a
    /// solution is queried about a state.
    ///
    /// # Examples
    /// Matching pennies, played once:
    /// ```
    /// use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    ///
    /// struct Pennies;
    /// impl Simultaneous for Pennies {
    ///     type State = Option<bool>; // whether the coins matched
    ///     type Row = &'static str;
    ///     type Column = &'static str;
    ///     fn expand(&self, state: &Option<bool>, meeting: &mut Meeting<Self>) {
    ///         if let Some(matched) = *state {
    ///             return meeting.end(matched);
    ///         }
    ///         for own in ["heads", "tails"] {
    ///             for other in ["heads", "tails"] {
    ///                 meeting.cell(own, other).to(Some(own == other), 1);
    ///             }
    ///         }
    ///     }
    /// }
    /// let solution = Solver::exact().solve_simultaneous(&Pennies, None)?;
    /// assert_eq!(solution.value().to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn expand(&self, state: &Self::State, meeting: &mut Meeting<Self>);

    /// Describes a state in words, for errors and [explanations](Encounter). The default is its
    /// `Debug` output.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    ///
    /// struct Empty;
    /// impl Simultaneous for Empty {
    ///     type State = u8;
    ///     type Row = ();
    ///     type Column = ();
    ///     fn expand(&self, _: &u8, _: &mut Meeting<Self>) {}
    ///     fn describe(&self, room: &u8) -> String {
    ///         format!("room {room}")
    ///     }
    /// }
    /// let error = Solver::exact().solve_simultaneous(&Empty, 7).unwrap_err();
    /// assert_eq!(error.to_string(), "state room 7 neither ends nor has a choice");
    /// ```
    fn describe(&self, state: &Self::State) -> String {
        format!("{state:?}")
    }
}
