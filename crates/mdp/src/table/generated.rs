//! Games whose rows are generated anew each time.

use std::ops::Range;

use super::{Direction, Order, Tabular, checked_len, unknown};
use crate::model::{Row, Scratch};
use crate::rows::{Rows, write_node};
use crate::{Error, Game, Node, TableRow};

/// A game whose states are the numbers `0..len` and whose rows are generated anew each time one is
/// read. Only the values are stored.
///
/// It serves the same purpose as a [`Table`](crate::Table) if memory is short, or if generating a
/// row is faster than reading it. `write` must write the same row for a state each time. Except for
/// self-loops, the numbers of outcomes must all be higher than that of their state
/// ([`rising`](Generated::rising)), or all be lower ([`falling`](Generated::falling)).
///
/// # Examples
/// A million steps down a stair, one or two at a time, as a coin decides. How likely is the last
/// step but one?
/// ```
/// use oddsmith_mdp::{Generated, Solver};
///
/// let stair = Generated::falling(1_000_000, |step, row| match step {
///     0 | 1 => row.end(step),
///     _ => {
///         row.choice().to(step - 1, 1).to(step - 2, 1);
///     }
/// })?;
/// let solution = Solver::float().solve_table(&stair, 999_999)?;
/// assert!((solution.value() - 2.0 / 3.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Generated<F> {
    len: usize,
    order: Direction,
    write: F,
}

impl<F: Fn(usize, &mut TableRow<'_>)> Generated<F> {
    /// Creates a game in which outcomes have higher numbers than their states.
    ///
    /// # Errors
    /// [`Error::TooManyStates`] for 2³² states or more.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Generated, Solver};
    /// // Ten tosses; heads all the way wins.
    /// let heads = Generated::rising(12, |toss, row| match toss {
    ///     10 | 11 => row.end(11 - toss),
    ///     _ => {
    ///         row.choice().to(toss + 1, 1).to(11, 1);
    ///     }
    /// })?;
    /// assert_eq!(Solver::exact().solve_table(&heads, 0)?.value().to_string(), "1/1024");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rising(len: usize, write: F) -> Result<Self, Error> {
        Ok(Generated {
            len: checked_len(len)?,
            order: Direction::Rising,
            write,
        })
    }

    /// Creates a game in which outcomes have lower numbers than their states.
    ///
    /// # Errors
    /// [`Error::TooManyStates`] for 2³² states or more.
    ///
    /// # Examples
    /// A countdown that pays each number:
    /// ```
    /// use oddsmith_mdp::{Generated, Solver};
    /// let countdown = Generated::falling(5, |left, row| match left {
    ///     0 => row.end(0),
    ///     _ => {
    ///         row.choice().to(left - 1, 1).reward(left);
    ///     }
    /// })?;
    /// let solution = Solver::exact().solve_table(&countdown, 4)?;
    /// assert_eq!(solution.value().to_string(), "10"); // 4 + 3 + 2 + 1
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn falling(len: usize, write: F) -> Result<Self, Error> {
        Ok(Generated {
            len: checked_len(len)?,
            order: Direction::Falling,
            write,
        })
    }
}

impl<F: Fn(usize, &mut TableRow<'_>)> Tabular for Generated<F> {
    fn states(&self) -> usize {
        self.len
    }

    fn order(&self, _: bool) -> Result<(Order, Vec<Range<u32>>), Error> {
        let order = match self.order {
            Direction::Rising => Order::Descending,
            _ => Order::Ascending,
        };
        Ok((order, Vec::new()))
    }

    fn stored(&self) -> Option<&Rows> {
        None
    }

    #[inline]
    fn read<'a>(
        &'a self,
        number: usize,
        tidy: bool,
        scratch: &'a mut Scratch<Self>,
    ) -> Result<Row<'a>, Error> {
        let mut row = TableRow::new(&mut scratch.page, number, self.len, tidy);
        (self.write)(number, &mut row);
        let (low, high) = row.finish()?;
        let (wrong, successor) = match self.order {
            Direction::Rising => (low <= number as u32, low),
            _ => (high > number as u32, high),
        };
        if wrong {
            return Err(Error::OutOfOrder {
                state: number,
                successor: successor as usize,
                wanted: match self.order {
                    Direction::Rising => "higher",
                    _ => "lower",
                },
            });
        }
        Ok(scratch.page.row(None))
    }
}

impl<F: Fn(usize, &mut TableRow<'_>)> Game for Generated<F> {
    type State = usize;
    type Action = usize;

    fn expand(&self, &state: &usize, node: &mut Node<Self>) {
        if state >= self.len {
            return node.fail(unknown(state));
        }
        match self.read(state, true, &mut Scratch::new()) {
            Ok(row) => write_node(&row, state, node),
            Err(error) => node.fail(error),
        }
    }
}
