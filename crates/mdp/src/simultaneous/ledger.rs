//! The values of states in one kind of numbers.

use std::fmt::{Debug, Display};

use num_traits::ToPrimitive;

use super::enclosures::Enclosures;
use super::explored::Cells;
use super::fractions::Fractions;
use crate::{Certified, Error, Exact, Float, Score, Side, Strategy};

/// The kinds of numbers in which a [`Simultaneous`](crate::Simultaneous) game can be solved.
///
/// [`Exact`]: fractions. They are reduced once per state, and only where play is mixed. Every such
/// state adds a denominator of its own, so the fractions of a long game with mixed play throughout
/// grow exponentially. Their memory is limited, and that of a single fraction is limited to a 2¹⁷th
/// of it (or 4 KiB, if that is more).
///
/// [`Float`]: an enclosure of every value, rounding included, with its midpoint as the value. The
/// value of a matrix lies between the values of the matrices of all lower and of all upper ends of
/// its cells, and changes by no more than its entries do. What a row strategy found in floats
/// secures against the lower ends is therefore a proven lower bound, however the strategy was
/// found, and what a column strategy concedes against the upper ends is a proven upper bound. The
/// width of the enclosure grows by a few roundings per state on the longest path to an end.
///
/// [`Certified`]: the same as [`Float`], whose values are already proven here.
///
/// # Examples
/// ```
/// # use oddsmith_mdp::{Meeting, Simultaneous};
/// use oddsmith_mdp::{Exact, Float, SimultaneousNumber, Solver};
/// # struct Pennies;
/// # impl Simultaneous for Pennies {
/// #     type State = Option<bool>;
/// #     type Row = u8;
/// #     type Column = u8;
/// #     fn expand(&self, state: &Option<bool>, meeting: &mut Meeting<Self>) {
/// #         if let Some(won) = *state { return meeting.end(won); }
/// #         meeting.cell(0, 0).to(Some(true), 1).to(Some(false), 2);
/// #         meeting.cell(0, 1).to(Some(false), 1);
/// #         meeting.cell(1, 0).to(Some(false), 1);
/// #         meeting.cell(1, 1).to(Some(true), 1);
/// #     }
/// # }
/// fn value<N: SimultaneousNumber>(solver: Solver<'_, N>) -> Option<N::Value> {
///     Some(solver.solve_simultaneous(&Pennies, None).ok()?.value())
/// }
/// assert_eq!(value(Solver::exact()).map(|v| v.to_string()), Some("1/4".into()));
/// assert_eq!(value(Solver::float()), Some(0.25));
/// assert_eq!(value(Solver::certified()), Some(0.25));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait SimultaneousNumber: sealed::Sealed {
    /// The type of the value of a state and of the probability of an action.
    type Value: Clone + Debug + Display + PartialOrd + ToPrimitive;
    #[doc(hidden)]
    type Ledger: Ledger<Value = Self::Value>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for crate::Certified {}
    impl Sealed for crate::Exact {}
    impl Sealed for crate::Float {}
}

impl SimultaneousNumber for Exact {
    type Value = num_rational::BigRational;
    type Ledger = Fractions;
}

impl SimultaneousNumber for Float {
    type Value = f64;
    type Ledger = Enclosures;
}

impl SimultaneousNumber for Certified {
    type Value = f64;
    type Ledger = Enclosures;
}

/// How a state is played.
#[derive(Clone, Copy, Debug)]
pub enum Play<'s> {
    /// Both sides play best.
    Best,
    /// One side plays this strategy, the other its best answer.
    Fixed(Side, &'s Strategy),
    /// Both sides play these strategies.
    Both(&'s Strategy, &'s Strategy),
}

/// Why a value was not recorded.
#[derive(Debug)]
pub enum Halt {
    /// The size of the ledger, in bytes, has exceeded the limit.
    Full(u128),
    /// One fraction takes more bytes than allowed.
    Long {
        /// The number of bytes needed.
        needed: u128,
        /// The number of bytes allowed.
        limit: u128,
    },
    /// The matrix could not be solved, or a strategy does not fit it.
    Matrix(Error),
}

/// Best play in the matrix of one state.
#[derive(Debug)]
pub struct Appraised<V> {
    pub(super) payoffs: Vec<V>,
    pub(super) row: Vec<V>,
    pub(super) column: Vec<V>,
    pub(super) saddles: Vec<(usize, usize)>,
}

/// The values of all states. A state is recorded after those that it leads to.
pub trait Ledger: Sized {
    /// The type in which a value is returned.
    type Value;
    /// Whether smaller weights make smaller values.
    const EXACT: bool;
    /// The size of a state's entry in bytes, without digits stored elsewhere.
    const ENTRY: usize;

    /// Creates a ledger for this many states, with at most this many bytes.
    fn new(states: usize, max_bytes: u128) -> Self;
    /// Records the score of a final state. Returns false if these numbers cannot hold it.
    #[must_use]
    fn end(&mut self, number: usize, score: &Score) -> bool;
    /// Records the value of a state that is played like this. Returns whether it needs no mixing.
    fn put(&mut self, number: usize, cells: &Cells<'_>, play: Play<'_>) -> Result<bool, Halt>;
    /// Returns the value of a state.
    fn value(&self, number: usize) -> Self::Value;
    /// Returns a lower and an upper bound on the value of a state.
    fn enclosure(&self, number: usize) -> (f64, f64);
    /// Returns the matrix of a state and best play in it.
    fn appraise(&self, cells: &Cells<'_>) -> Result<Appraised<Self::Value>, Error>;
}
