//! One cell of a state's matrix while it is being written.

use std::fmt;

use num_bigint::BigUint;

use super::{Meeting, Simultaneous};
use crate::Law;
use crate::law::Weights;
use crate::limits::draw;

/// A cell while it is being written: where it may lead.
///
/// # Examples
/// The outcomes of a cell may be written one by one:
/// ```
/// # use oddsmith_mdp::{Cell, Meeting, Simultaneous, Solver};
/// struct Dice;
/// impl Simultaneous for Dice {
/// #     type State = u8;
/// #     type Row = ();
/// #     type Column = ();
///     fn expand(&self, &state: &u8, meeting: &mut Meeting<Self>) {
///         if state > 0 { return meeting.end(state); }
///         let mut cell: Cell<'_, Self> = meeting.chance();
///         for first in 1..=6 {
///             for second in 1..=6 { cell.to(first + second, 1); }
///         }
///     }
/// }
/// assert_eq!(Solver::exact().solve_simultaneous(&Dice, 0)?.value().to_string(), "7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Cell<'m, G: Simultaneous + ?Sized> {
    pub(super) meeting: &'m mut Meeting<G>,
}

impl<G: Simultaneous + ?Sized> Cell<'_, G> {
    /// Adds `state` as an outcome of this cell, with this weight. A weight of zero adds nothing.
    /// The weights of a cell may add up to 2⁶⁴ − 1, or to anything after
    /// [`to_wide`](Cell::to_wide).
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    /// struct Lot;
    /// impl Simultaneous for Lot {
    /// #     type State = u8;
    /// #     type Row = ();
    /// #     type Column = ();
    ///     fn expand(&self, &state: &u8, meeting: &mut Meeting<Self>) {
    ///         if state > 0 { return meeting.end(state); }
    ///         meeting.chance().to(1, 1).to(2, 0).to(4, 2);
    ///     }
    /// }
    /// assert_eq!(Meeting::of(&Lot, &0)?.outcomes(0, 0), [(1, 1), (4, 2)]);
    /// assert_eq!(Solver::exact().solve_simultaneous(&Lot, 0)?.value().to_string(), "3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to(&mut self, state: G::State, weight: u64) -> &mut Self {
        if weight == 0 || self.meeting.is_full() {
            return self;
        }
        if let Some(cell) = self.meeting.cells.last_mut() {
            if let Some(place) = cell.wide {
                self.meeting.wide[place].push(weight.into());
            } else if let Some(total) = cell.total.checked_add(weight) {
                cell.total = total;
            } else {
                self.meeting.fault = Some(
                    "the weights of a cell add up to more than 2^64 - 1; divide them by a common factor, or write them with `to_wide`",
                );
                return self;
            }
            self.meeting.outcomes.push((state, weight));
            cell.end = self.meeting.outcomes.len();
        }
        self
    }

    /// Adds all of these states with their weights as outcomes, like [`to`](Cell::to).
    ///
    /// At most one more outcome is drawn from the iterator than there is [room](Meeting::room) for,
    /// so an endless iterator results in [`Error::OutcomesOutgrow`](crate::Error::OutcomesOutgrow).
    /// The same goes for an iterator that yields more weights of zero than that, and more than
    /// 4,096.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    ///
    /// struct Die;
    /// impl Simultaneous for Die {
    ///     type State = u8;
    ///     type Row = ();
    ///     type Column = ();
    ///     fn expand(&self, &state: &u8, meeting: &mut Meeting<Self>) {
    ///         match state {
    ///             0 => {
    ///                 meeting.chance().to_all((1..=6).map(|pips| (pips, 1)));
    ///             }
    ///             pips => meeting.end(pips),
    ///         }
    ///     }
    /// }
    /// let solution = Solver::exact().solve_simultaneous(&Die, 0)?;
    /// assert_eq!(solution.value().to_string(), "7/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_all(&mut self, outcomes: impl IntoIterator<Item = (G::State, u64)>) -> &mut Self {
        let room = self.meeting.room();
        let more = draw(outcomes, room, |state, weight| {
            self.to(state, weight);
        });
        if more {
            self.meeting.overflow();
        }
        self
    }

    /// Adds `state` as an outcome of this cell, with a weight of any number of digits.
    ///
    /// # Examples
    /// A coin that falls on one side once in a googol:
    /// ```
    /// use num_bigint::BigUint;
    /// use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    ///
    /// struct Coin(BigUint);
    /// impl Simultaneous for Coin {
    ///     type State = u8;
    ///     type Row = ();
    ///     type Column = ();
    ///     fn expand(&self, &state: &u8, meeting: &mut Meeting<Self>) {
    ///         match state {
    ///             0 => {
    ///                 meeting.chance().to(2, 1).to_wide(1, &self.0 - 1_u8);
    ///             }
    ///             _ => meeting.end(state - 1),
    ///         }
    ///     }
    /// }
    /// let googol = BigUint::from(10_u8).pow(100);
    /// let coin = Coin(googol.clone());
    /// let solution = Solver::exact().solve_simultaneous(&coin, 0)?;
    /// assert_eq!(solution.value().to_string(), format!("1/{googol}"));
    /// let page = Meeting::of(&coin, &0)?;
    /// assert_eq!(page.wide_outcomes(0, 0).next(), Some((&2, BigUint::from(1_u8))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_wide(&mut self, state: G::State, weight: impl Into<BigUint>) -> &mut Self {
        let weight = weight.into();
        if weight == BigUint::ZERO || self.meeting.is_full() {
            return self;
        }
        let Meeting {
            cells,
            outcomes,
            wide,
            ..
        } = &mut *self.meeting;
        if let Some(cell) = cells.last_mut() {
            let place = *cell.wide.get_or_insert_with(|| {
                let narrow = &outcomes[cell.start..cell.end];
                wide.push(narrow.iter().map(|(_, weight)| (*weight).into()).collect());
                wide.len() - 1
            });
            wide[place].push(weight);
            outcomes.push((state, 0));
            cell.end = outcomes.len();
        }
        self
    }

    /// Lets chance move by `law`, whose outcomes are mapped to states. Its weights are in lowest
    /// terms, as described at [`Choice::roll`](crate::Choice::roll).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_mdp::{Law, Meeting, Simultaneous, Solver};
    ///
    /// struct Roll(Law<i64>);
    /// impl Simultaneous for Roll {
    ///     type State = Option<i64>;
    ///     type Row = ();
    ///     type Column = ();
    ///     fn expand(&self, state: &Option<i64>, meeting: &mut Meeting<Self>) {
    ///         match *state {
    ///             Some(pips) => meeting.end(pips),
    ///             None => {
    ///                 meeting.chance().roll(&self.0, |&pips| Some(pips));
    ///             }
    ///         }
    ///     }
    /// }
    /// let roll = Roll(Law::new(&Dist::ndice(2, 6)?));
    /// let solution = Solver::exact().solve_simultaneous(&roll, None)?;
    /// assert_eq!(solution.value().to_string(), "7");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn roll<T>(&mut self, law: &Law<T>, mut state: impl FnMut(&T) -> G::State) -> &mut Self {
        match law.weights() {
            Weights::Narrow(weights) => {
                for (outcome, &weight) in law.outcomes().iter().zip(weights) {
                    self.to(state(outcome), weight);
                }
            }
            Weights::Wide(wide) => {
                for (outcome, weight) in law.outcomes().iter().zip(&wide.weights) {
                    self.to_wide(state(outcome), weight.clone());
                }
            }
        }
        self
    }
}

impl<G: Simultaneous + ?Sized> fmt::Debug for Cell<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcomes = self.meeting.cells.last();
        let outcomes = outcomes.map(|cell| &self.meeting.outcomes[cell.start..cell.end]);
        f.debug_tuple("Cell").field(&outcomes).finish()
    }
}
