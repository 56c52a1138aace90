//! Games given as arrays of numbers.

mod generated;

use std::ops::Range;

pub use generated::Generated;

use crate::model::{Model, Row, Scratch};
use crate::order::{components_first, outcomes_first, way_round};
use crate::page::Page;
use crate::rows::{Rows, RowsWriter, write_node};
use crate::{Error, Game, Node, Score, TableRow};

/// A game in memory whose states are the numbers `0..len`.
///
/// It is meant for models that already exist as arrays, or that are created by a program that knows
/// the numbers of its states. Nothing is hashed and nothing is boxed. A state takes eight bytes, a
/// choice eight, and an outcome four. Weights are stored once for all choices that have the same
/// ones. All errors in a table are detected when it is built, and they state where they are.
///
/// A table is solved by [`Solver::solve_table`](crate::Solver::solve_table). It is also a [`Game`],
/// so everything that accepts a game accepts a table. Actions are numbers, counted from 0 in every
/// state.
///
/// # Examples
/// Toss a coin for 1 or nothing (state 2), or take the better of two tosses (state 3):
/// ```
/// use oddsmith_mdp::{Solver, Table};
///
/// let table = Table::from_fn(4, |state, row| match state {
///     0 | 1 => row.end(state),
///     2 => {
///         row.choice().to(0, 1).to(1, 1);
///     }
///     _ => {
///         row.choice().to(2, 1);
///         row.choice().to(0, 1).to(1, 3);
///     }
/// })?;
/// let solution = Solver::exact().solve_table(&table, 3)?;
/// assert_eq!(solution.value().to_string(), "3/4");
/// assert_eq!(solution.decision(&3)?, Some(1));
/// assert_eq!((table.len(), table.choices(), table.outcomes()), (4, 3, 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Table {
    rows: Rows,
    order: Direction,
}

/// How the numbers of outcomes compare with the number of their state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    /// All are higher.
    Rising,
    /// All are lower.
    Falling,
    /// Neither.
    Mixed,
}

/// The arrays of a [`Table`] in compressed sparse rows.
///
/// # Examples
/// State 0 tosses a coin for 1 or 4, the scores of states 1 and 2:
/// ```
/// use oddsmith_mdp::{Csr, Solver, Table};
/// let coin = Csr {
///     choices: &[0, 1, 1, 1],
///     outcomes: &[0, 2],
///     targets: &[1, 2],
///     weights: &[1, 1],
///     ends: &[(1, 1), (2, 4)],
/// };
/// let table = Table::from_csr(coin)?;
/// assert_eq!(Solver::exact().solve_table(&table, 0)?.value().to_string(), "5/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Csr<'a, S> {
    /// The choices of state s are `choices[s]..choices[s + 1]`.
    pub choices: &'a [usize],
    /// The outcomes of choice c are `outcomes[c]..outcomes[c + 1]`.
    pub outcomes: &'a [usize],
    /// The state of each outcome.
    pub targets: &'a [u32],
    /// The weight of each outcome. The weights of a choice must add up to less than 2⁶⁴.
    pub weights: &'a [u64],
    /// The states in which the game ends, in ascending order, with their scores. These must be
    /// exactly the states without choices.
    pub ends: &'a [(usize, S)],
}

/// Returns the number of states, if it fits into 32 bits.
fn checked_len(len: usize) -> Result<usize, Error> {
    let limit = u32::MAX as usize;
    if len > limit {
        return Err(Error::TooManyStates { limit });
    }
    Ok(len)
}

impl Table {
    /// Creates a table of `len` states. `write` tells what can happen in each of them.
    ///
    /// # Errors
    /// Those of a malformed state (see [`Error`]), and [`Error::UnknownIndex`] for an outcome that
    /// is not a state.
    ///
    /// What no choice can end is an error here, whatever the table is meant for:
    /// [`Error::NeverEnds`] for a state that no choice leaves, [`Error::EndlessGain`] for a choice
    /// that certainly stays and pays. [`Horizon`](crate::Horizon) and
    /// [`Discounted`](crate::Discounted) give such rules a value; write these as a [`Game`].
    ///
    /// # Complexity
    /// One call of `write` per state, in ascending order.
    ///
    /// # Examples
    /// State 0 rolls a die, and each other state has its number as its score:
    /// ```
    /// use oddsmith_mdp::{Error, Solver, Table, TableRow};
    /// let die = |state: usize, row: &mut TableRow<'_>| match state {
    ///     0 => {
    ///         row.choice_of(&[1, 2, 3, 4, 5, 6], &[1; 6]);
    ///     }
    ///     pips => row.end(pips),
    /// };
    /// let table = Table::from_fn(7, die)?;
    /// assert_eq!(Solver::exact().solve_table(&table, 0)?.value().to_string(), "7/2");
    /// let error = Table::from_fn(6, die).err(); // there is no state 6
    /// assert_eq!(error, Some(Error::UnknownIndex { state: 0, choice: 0, target: 6, states: 6 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_fn(
        len: usize,
        mut write: impl FnMut(usize, &mut TableRow<'_>),
    ) -> Result<Self, Error> {
        let len = checked_len(len)?;
        let mut rows = RowsWriter::default();
        let mut page = Page::default();
        let (mut rising, mut falling) = (true, true);
        for number in 0..len {
            let mut row = TableRow::new(&mut page, number, len, true);
            write(number, &mut row);
            let (low, high) = row.finish()?;
            rising &= low > number as u32;
            falling &= high <= number as u32;
            rows.reserve();
            rows.put_page(number, &page, page.score.as_ref())
                .map_err(|full| full.among(len))?;
        }
        Ok(Table {
            rows: rows.finish(),
            order: match (rising, falling) {
                (_, true) => Direction::Falling,
                (true, _) => Direction::Rising,
                _ => Direction::Mixed,
            },
        })
    }

    /// Creates a table from arrays.
    ///
    /// # Errors
    /// [`Error::BadTable`] if the arrays do not fit each other, and otherwise the same as for
    /// [`from_fn`](Table::from_fn).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Csr, Solver, Table};
    ///
    /// let table = Table::from_csr(Csr {
    ///     choices: &[0, 2, 2, 2],   // state 0 has two choices, 1 and 2 are ends
    ///     outcomes: &[0, 1, 3],
    ///     targets: &[1, 1, 2],
    ///     weights: &[1, 2, 1],
    ///     ends: &[(1, 0.25), (2, 1.0)],
    /// })?;
    /// let solution = Solver::exact().solve_table(&table, 0)?;
    /// assert_eq!(solution.value().to_string(), "1/2"); // 2/3 · 1/4 + 1/3
    ///
    /// let bad = Csr { choices: &[0, 1], outcomes: &[0, 1], targets: &[7], weights: &[1], ends: &[(0, 0)] };
    /// assert!(Table::from_csr(bad).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_csr<S: Clone + Into<Score>>(csr: Csr<'_, S>) -> Result<Self, Error> {
        Self::from_arrays::<S, Score>(csr, None)
    }

    /// Creates a table from arrays, where each choice pays a [reward](crate::Choice::reward).
    ///
    /// # Errors
    /// The same as for [`from_csr`](Table::from_csr), and [`Error::BadTable`] if there are not as
    /// many rewards as choices.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Csr, Solver, Table};
    ///
    /// // State 0: pay 1 for an even chance of 1 or 4, or pay nothing and get 1.
    /// let csr = Csr {
    ///     choices: &[0, 2, 2, 2],
    ///     outcomes: &[0, 2, 3],
    ///     targets: &[1, 2, 1],
    ///     weights: &[1, 1, 1],
    ///     ends: &[(1, 1), (2, 4)],
    /// };
    /// let table = Table::from_csr_with_rewards(csr, &[-1, 0])?;
    /// let solution = Solver::exact().solve_table(&table, 0)?;
    /// assert_eq!(solution.value().to_string(), "3/2");
    /// assert!(Table::from_csr_with_rewards(csr, &[-1]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_csr_with_rewards<S, R>(csr: Csr<'_, S>, rewards: &[R]) -> Result<Self, Error>
    where
        S: Clone + Into<Score>,
        R: Clone + Into<Score>,
    {
        Self::from_arrays(csr, Some(rewards))
    }

    fn from_arrays<S, R>(csr: Csr<'_, S>, rewards: Option<&[R]>) -> Result<Self, Error>
    where
        S: Clone + Into<Score>,
        R: Clone + Into<Score>,
    {
        let Csr {
            choices,
            outcomes,
            targets,
            weights,
            ends,
        } = csr;
        check_pointers(
            "choices",
            choices,
            outcomes.len().saturating_sub(1),
            "one more than choices",
        )?;
        check_pointers("outcomes", outcomes, targets.len(), "the number of targets")?;
        let bad = |what: String| Err(Error::BadTable { what });
        if targets.len() != weights.len() {
            return bad(format!(
                "there are {} targets and {} weights",
                targets.len(),
                weights.len()
            ));
        }
        let all = outcomes.len() - 1;
        if let Some(rewards) = rewards
            && rewards.len() != all
        {
            return bad(format!(
                "there are {} rewards and {all} choices",
                rewards.len()
            ));
        }
        let len = choices.len().saturating_sub(1);
        if let Some(pair) = ends.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
            return bad(format!(
                "the ends are not ascending: state {} comes before state {}",
                pair[0].0, pair[1].0
            ));
        }
        if let Some(&(state, _)) = ends.last()
            && state >= len
        {
            return bad(format!(
                "there is no state {state} to end; there are {len} states, counted from 0"
            ));
        }
        let mut ends = ends.iter().peekable();
        Table::from_fn(len, |state, row| {
            for choice in choices[state]..choices[state + 1] {
                let outcomes = outcomes[choice]..outcomes[choice + 1];
                row.choice_of(&targets[outcomes.clone()], &weights[outcomes]);
                if let Some(reward) = rewards.and_then(|rewards| rewards.get(choice)) {
                    row.reward(reward.clone());
                }
            }
            if let Some((_, score)) = ends.next_if(|end| end.0 == state) {
                row.end(score.clone());
            }
        })
    }

    /// Returns the number of states.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Table;
    /// assert_eq!(Table::from_fn(5, |state, row| row.end(state))?.len(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether there is no state at all.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Table;
    /// assert!(Table::from_fn(0, |_, _| ())?.is_empty());
    /// assert_eq!(Table::from_fn(1, |_, row| row.end(1))?.is_empty(), false);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the total number of choices of all states.
    ///
    /// # Examples
    /// Two choices; ends have none:
    /// ```
    /// use oddsmith_mdp::Table;
    /// let table = Table::from_fn(3, |state, row| match state {
    ///     2 => {
    ///         row.choice().to(0, 1);
    ///         row.choice().to(0, 1).to(1, 1);
    ///     }
    ///     _ => row.end(state),
    /// })?;
    /// assert_eq!(table.choices(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn choices(&self) -> usize {
        // The closing entry of a row is also the first entry of the next one.
        self.rows.totals().0
    }

    /// Returns the total number of outcomes of all choices, with equal ones merged and self-loops
    /// left out.
    ///
    /// # Examples
    /// Of four outcomes, two are the same, and one stays in the state:
    /// ```
    /// use oddsmith_mdp::Table;
    /// let table = Table::from_fn(3, |state, row| match state {
    ///     2 => {
    ///         row.choice().to(0, 1).to(1, 1).to(0, 2).to(2, 3);
    ///     }
    ///     _ => row.end(state),
    /// })?;
    /// assert_eq!(table.outcomes(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn outcomes(&self) -> usize {
        self.rows.totals().1
    }
}

/// Checks that row pointers ascend from 0 to the number of entries that they point to.
fn check_pointers(name: &str, pointers: &[usize], to: usize, what: &str) -> Result<(), Error> {
    let bad = |what: String| Err(Error::BadTable { what });
    let (Some(&first), Some(&last)) = (pointers.first(), pointers.last()) else {
        return bad(format!("`{name}` must contain at least a 0, got nothing"));
    };
    if first != 0 {
        return bad(format!("`{name}` must begin with 0, got {first}"));
    }
    if last != to {
        return bad(format!("`{name}` must end with {to} ({what}), got {last}"));
    }
    match pointers.windows(2).position(|pair| pair[0] > pair[1]) {
        Some(place) => bad(format!(
            "`{name}` must ascend, got {} and then {} at place {}",
            pointers[place],
            pointers[place + 1],
            place + 1
        )),
        None => Ok(()),
    }
}

/// The states of a [`Table`] or a [`Generated`] game, which are numbers.
///
/// # Examples
/// All states are solved, including those that cannot be reached from the start:
/// ```
/// use oddsmith_mdp::{Exact, Solution, Solver, Table, Tabled};
/// let table = Table::from_fn(3, |state, row| row.end(state))?;
/// let solution: Solution<'_, Table, Exact, Tabled> = Solver::exact().solve_table(&table, 0)?;
/// assert_eq!((solution.len(), solution.value_of(&2)?.to_string()), (3, "2".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Tabled {
    len: usize,
    order: Order,
    /// The ranges of states that can reach each other.
    cycles: Vec<Range<u32>>,
    /// Whether generated rows have equal outcomes merged and weights reduced.
    tidy: bool,
}

/// The states in an order in which outcomes come before the states that lead to them.
#[derive(Debug)]
pub enum Order {
    Ascending,
    Descending,
    Listed(Vec<u32>),
}

impl Tabled {
    pub(crate) fn new<T: Tabular>(table: &T, tidy: bool, cycles: bool) -> Result<Self, Error> {
        let (order, cycles) = table.order(cycles)?;
        Ok(Tabled {
            len: table.states(),
            order,
            cycles,
            tidy,
        })
    }

    pub(crate) fn tidy(&mut self) {
        self.tidy = true;
    }
}

/// A game that [`Solver::solve_table`](crate::Solver::solve_table) accepts: a [`Table`] or a
/// [`Generated`] game. This trait is sealed.
///
/// # Examples
/// A function that accepts either:
/// ```
/// use oddsmith_mdp::{Error, Generated, Solver, Table, TableRow, Tabular};
/// # fn rows(state: usize, row: &mut TableRow<'_>) {
/// #     match state {
/// #         0 => row.end(3),
/// #         _ => { row.choice().to(0, 1).reward(1); }
/// #     }
/// # }
/// fn value<T: Tabular>(game: &T) -> Result<f64, Error> {
///     Ok(Solver::float().solve_table(game, 1)?.value())
/// }
/// // State 1 pays 1 and leads to state 0, an end that is worth 3.
/// assert_eq!(value(&Table::from_fn(2, rows)?)?, 4.0);
/// assert_eq!(value(&Generated::falling(2, rows)?)?, 4.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Tabular: Game<State = usize, Action = usize> + sealed::Sealed {
    #[doc(hidden)]
    fn states(&self) -> usize;
    #[doc(hidden)]
    fn order(&self, cycles: bool) -> Result<(Order, Vec<Range<u32>>), Error>;
    #[doc(hidden)]
    fn stored(&self) -> Option<&Rows>;
    #[doc(hidden)]
    fn read<'a>(
        &'a self,
        number: usize,
        tidy: bool,
        scratch: &'a mut Scratch<Self>,
    ) -> Result<Row<'a>, Error>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Table {}
    impl<F> Sealed for super::Generated<F> {}
}

impl Tabular for Table {
    fn states(&self) -> usize {
        self.rows.len()
    }

    fn order(&self, cycles: bool) -> Result<(Order, Vec<Range<u32>>), Error> {
        let order = match self.order {
            Direction::Rising => Order::Descending,
            Direction::Falling => Order::Ascending,
            Direction::Mixed => {
                let all = 0..self.rows.len() as u32;
                if cycles {
                    let (order, cycles) = components_first(&self.rows, all);
                    return Ok((Order::Listed(order), cycles));
                }
                let layers = outcomes_first(&self.rows, all).map_err(|round| Error::Cycle {
                    path: way_round(&round, |number| number.to_string()),
                })?;
                Order::Listed(layers.order)
            }
        };
        Ok((order, Vec::new()))
    }

    fn stored(&self) -> Option<&Rows> {
        Some(&self.rows)
    }

    #[inline]
    fn read<'a>(
        &'a self,
        number: usize,
        _: bool,
        _: &'a mut Scratch<Self>,
    ) -> Result<Row<'a>, Error> {
        Ok(self.rows.row(number))
    }
}

impl Game for Table {
    type State = usize;
    type Action = usize;

    fn expand(&self, &state: &usize, node: &mut Node<Self>) {
        if state >= self.rows.len() {
            return node.fail(unknown(state));
        }
        write_node(&self.rows.row(state), state, node);
    }
}

/// The error of a number that is not a state.
fn unknown(state: usize) -> Error {
    Error::UnknownState {
        state: state.to_string(),
    }
}

impl<T: Tabular> Model<T> for Tabled {
    fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn at(&self, place: usize) -> usize {
        match &self.order {
            Order::Ascending => place,
            Order::Descending => self.len - 1 - place,
            Order::Listed(order) => order[place] as usize,
        }
    }

    fn cycles(&self) -> &[Range<u32>] {
        &self.cycles
    }

    fn rows<'a>(&'a self, table: &'a T) -> Option<&'a Rows> {
        table.stored()
    }

    fn number(&self, _: &T, &state: &usize) -> Option<usize> {
        (state < self.len).then_some(state)
    }

    fn state(&self, _: &T, number: usize) -> usize {
        number
    }

    #[inline]
    fn row<'a>(
        &'a self,
        table: &'a T,
        number: usize,
        scratch: &'a mut Scratch<T>,
    ) -> Result<Row<'a>, Error> {
        table.read(number, self.tidy, scratch)
    }
}
