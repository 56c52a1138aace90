//! The values of states, in numbers of one kind.

use std::fmt::{Debug, Display};

use num_traits::ToPrimitive;

use super::enclosures::Enclosures;
use super::explored::Cells;
use super::fractions::Fractions;
use crate::{Certified, Error, Exact, Float, Score, Side, Strategy};

/// The kinds of numbers that a [`Simultaneous`](crate::Simultaneous) game can be
/// solved in.
///
/// [`Exact`]: fractions, reduced once a state and only where a state is mixed.
/// Every mixed state brings a denominator of its own, so that the fractions of a
/// long game mixed throughout grow exponentially; the memory for them is limited,
/// and that for a single one to a 2¹⁷th of it (or 4 KiB, if that is more).
///
/// [`Float`]: an enclosure of every value, rounding included, and its middle as
/// the value. The value of a matrix lies between the values of the matrices of
/// all lower and of all upper ends of its cells, and moves by no more than its
/// entries do. What a row strategy found in floats secures against the lower ends,
/// and what a column strategy concedes against the upper ones, is therefore a
/// proven enclosure, however the strategies were found. Its width grows by a few
/// roundings a state on the longest way to an end.
///
/// [`Certified`]: the same as [`Float`], whose values are proven here already.
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
    /// The value of a state, and the probability of an action.
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
    /// Best by both.
    Best,
    /// Like this by one side, best against it by the other.
    Fixed(Side, &'s Strategy),
    /// Like this by both.
    Both(&'s Strategy, &'s Strategy),
}

/// Why a value was not put down.
#[derive(Debug)]
pub enum Halt {
    /// The ledger takes so many bytes by now.
    Full(u128),
    /// One fraction takes more bytes than it may.
    Long {
        /// What it takes.
        needed: u128,
        /// What it may take.
        limit: u128,
    },
    /// The matrix could not be solved, or a strategy does not fit it.
    Matrix(Error),
}

/// How the matrix of one state is played best.
#[derive(Debug)]
pub struct Appraised<V> {
    pub(super) payoffs: Vec<V>,
    pub(super) row: Vec<V>,
    pub(super) column: Vec<V>,
    pub(super) saddles: Vec<(usize, usize)>,
}

/// The values of all states; states are put down after those they lead to.
pub trait Ledger: Sized {
    /// What a value is read as.
    type Value;
    /// Whether shorter weights make shorter values.
    const EXACT: bool;
    /// Bytes of a state, without digits that it needs beyond them.
    const ENTRY: usize;

    /// Room for so many states, in at most so many bytes.
    fn new(states: usize, max_bytes: u128) -> Self;
    /// Puts down what a state ends with; false if these numbers cannot hold it.
    #[must_use]
    fn end(&mut self, number: usize, score: &Score) -> bool;
    /// Puts down the value of a state played like this; whether it needs no
    /// mixing.
    fn put(&mut self, number: usize, cells: &Cells<'_>, play: Play<'_>) -> Result<bool, Halt>;
    /// The value of a state.
    fn value(&self, number: usize) -> Self::Value;
    /// Lower and upper bound of the value of a state.
    fn enclosure(&self, number: usize) -> (f64, f64);
    /// The matrix of a state and best play in it.
    fn appraise(&self, cells: &Cells<'_>) -> Result<Appraised<Self::Value>, Error>;
}
