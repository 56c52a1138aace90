//! A solved simultaneous game and the queries on it.

use std::fmt;

use super::explored::{Explored, Page};
use super::ledger::{Halt, Ledger, Play};
use super::{Encounter, Meeting, Simultaneous, SimultaneousNumber};
use crate::limits::Limits;
use crate::progress::Observer;
use crate::{Error, Phase, Side, Strategy};

/// The values of all states of a game in which both players may decide at once.
///
/// `N` is one of the kinds of [`SimultaneousNumber`].
///
/// # Examples
/// Three rounds of matching pennies, won by the player who matches more often. The matcher gets a
/// second try if the first coins differ:
/// ```
/// use oddsmith_mdp::{Meeting, Simultaneous, Solver};
///
/// struct Match;
/// impl Simultaneous for Match {
///     type State = (u8, i8); // rounds left, lead of the matcher
///     type Row = bool;
///     type Column = bool;
///     fn expand(&self, &(left, lead): &(u8, i8), meeting: &mut Meeting<Self>) {
///         if left == 0 {
///             return meeting.end(lead.signum());
///         }
///         for own in [false, true] {
///             for other in [false, true] {
///                 let mut cell = meeting.cell(own, other);
///                 if own == other {
///                     cell.to((left - 1, lead + 1), 1);
///                 } else {
///                     cell.to((left - 1, lead - 1), 1).to((left - 1, lead + 1), 1);
///                 }
///             }
///         }
///     }
/// }
/// let solution = Solver::exact().solve_simultaneous(&Match, (3, 0))?;
/// assert_eq!(solution.value().to_string(), "11/16");
/// assert_eq!(solution.value_of(&(1, 0))?.to_string(), "1/2");
/// assert_eq!(solution.len(), 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SimultaneousSolution<'g, G: Simultaneous + ?Sized, N: SimultaneousNumber> {
    game: &'g G,
    pub(super) explored: Explored<G::State>,
    pub(super) ledger: N::Ledger,
    /// Whether each state lacks a saddle point.
    mixed: Vec<bool>,
    max_bytes: u128,
}

/// The matrix of a state of a game `G`, in numbers of kind `N`.
type Met<G, N> = Encounter<
    <G as Simultaneous>::State,
    <G as Simultaneous>::Row,
    <G as Simultaneous>::Column,
    <N as SimultaneousNumber>::Value,
>;

impl<'g, G: Simultaneous + ?Sized, N: SimultaneousNumber> SimultaneousSolution<'g, G, N> {
    pub(crate) fn solve(
        game: &'g G,
        start: G::State,
        limits: Limits,
        observer: &mut Observer<'_>,
    ) -> Result<Self, Error> {
        let explored = Explored::explore(game, start, limits, N::Ledger::EXACT, observer)?;
        let max_bytes = limits.bytes;
        let states = explored.order.len();
        let needed = states as u128 * N::Ledger::ENTRY as u128;
        if needed > max_bytes {
            return Err(Error::TooMuchMemory {
                what: "their values",
                states,
                needed,
                limit: max_bytes,
            });
        }
        let mut solution = Self {
            game,
            explored,
            ledger: N::Ledger::new(states, max_bytes),
            mixed: vec![false; states],
            max_bytes,
        };
        for done in 0..states {
            let number = solution.explored.order[done] as usize;
            let put = match solution.explored.page(number) {
                Page::Ended(score) if solution.ledger.end(number, score) => Ok(true),
                Page::Ended(_) => {
                    return Err(Error::ScoreBeyondFloat {
                        state: solution.named(number),
                    });
                }
                Page::Open(cells) => solution.ledger.put(number, &cells, Play::Best),
            };
            let pure = put.map_err(|halt| solution.halted(number, done, halt))?;
            solution.mixed[number] = !pure;
            // The fractions of a state with mixed play can take seconds each.
            if N::Ledger::EXACT && !pure {
                observer.call(Phase::Solving, done + 1, Some(states))?;
            } else {
                observer.tick(Phase::Solving, done + 1, Some(states))?;
            }
        }
        Ok(solution)
    }

    fn halted(&self, number: usize, done: usize, halt: Halt) -> Error {
        match halt {
            Halt::Full(needed) => Error::FractionsOutgrow {
                what: "states",
                done,
                of: self.len(),
                needed,
                limit: self.max_bytes,
            },
            Halt::Long { needed, limit } => Error::FractionTooLong {
                state: self.named(number),
                needed,
                limit,
            },
            Halt::Matrix(source) => Error::InState {
                state: self.named(number),
                source: Box::new(source),
            },
        }
    }

    pub(super) fn named(&self, number: usize) -> String {
        self.game.describe(&self.explored.states[number])
    }

    /// Returns what the row player can expect from the start if both play best.
    ///
    /// # Examples
    /// The game of [`Meeting`]:
    /// ```
    #[doc = include_str!("../../docs/hide_and_seek.txt")]
    /// let solution = Solver::exact().solve_simultaneous(&HideAndSeek, None)?;
    /// assert_eq!(solution.value().to_string(), "2/5");
    /// let float = Solver::float().solve_simultaneous(&HideAndSeek, None)?;
    /// assert!((float.value() - 0.4).abs() < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn value(&self) -> N::Value {
        self.ledger.value(0)
    }

    /// Returns what the row player can expect from `state`.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not visited.
    ///
    /// # Examples
    /// The game of [`Meeting`], before and after the search:
    /// ```
    #[doc = include_str!("../../docs/hide_and_seek.txt")]
    /// let solution = Solver::exact().solve_simultaneous(&HideAndSeek, None)?;
    /// assert_eq!(solution.value_of(&None)?.to_string(), "2/5");
    /// assert_eq!(solution.value_of(&Some(true))?.to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value_of(&self, state: &G::State) -> Result<N::Value, Error> {
        Ok(self.ledger.value(self.number(state)?))
    }

    /// Returns floats between which the value of `state` provably lies. In exact numbers, these are
    /// the two nearest floats, or the value twice. Infinite if an exact value is beyond ±2⁹⁵⁹.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not visited.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    /// # struct Third;
    /// # impl Simultaneous for Third {
    /// #     type State = Option<bool>;
    /// #     type Row = ();
    /// #     type Column = ();
    /// #     fn expand(&self, state: &Option<bool>, meeting: &mut Meeting<Self>) {
    /// #         if let Some(won) = *state { return meeting.end(won); }
    /// #         meeting.chance().to(Some(true), 1).to(Some(false), 2);
    /// #     }
    /// # }
    /// let solution = Solver::float().solve_simultaneous(&Third, None)?;
    /// let (lower, upper) = solution.enclosure(&None)?;
    /// assert!(lower <= 1.0 / 3.0 && 1.0 / 3.0 <= upper && upper - lower < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn enclosure(&self, state: &G::State) -> Result<(f64, f64), Error> {
        Ok(self.ledger.enclosure(self.number(state)?))
    }

    /// Returns a bound on the absolute error of [`value_of`](SimultaneousSolution::value_of), which
    /// is zero in exact numbers.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not visited.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    /// # struct Third;
    /// # impl Simultaneous for Third {
    /// #     type State = Option<bool>;
    /// #     type Row = ();
    /// #     type Column = ();
    /// #     fn expand(&self, state: &Option<bool>, meeting: &mut Meeting<Self>) {
    /// #         if let Some(won) = *state { return meeting.end(won); }
    /// #         meeting.chance().to(Some(true), 1).to(Some(false), 2);
    /// #     }
    /// # }
    /// let solution = Solver::float().solve_simultaneous(&Third, None)?;
    /// assert!(solution.error(&None)? < 1e-14);
    /// assert_eq!(Solver::exact().solve_simultaneous(&Third, None)?.error(&None)?, 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn error(&self, state: &G::State) -> Result<f64, Error> {
        let (low, high) = self.enclosure(state)?;
        if N::Ledger::EXACT || low == high {
            return Ok(0.0);
        }
        // The midpoint is rounded, too.
        Ok(((high - low) / 2.0).next_up() + low.abs().max(high.abs()) * f64::EPSILON)
    }

    /// Returns the matrix of a state with optimal strategies of both sides. If there are saddle
    /// points, these are pure strategies: the first saddle point (by row, then by column).
    /// Otherwise they are the mixed strategies that the simplex algorithm ends with. The result can
    /// be displayed and explains the state.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not visited; [`Error::Inconsistent`] if the
    /// rules answer differently from when the game was solved.
    ///
    /// # Examples
    /// The game of [`Meeting`]:
    /// ```
    #[doc = include_str!("../../docs/hide_and_seek.txt")]
    /// let solution = Solver::exact().solve_simultaneous(&HideAndSeek, None)?;
    /// let start = solution.equilibrium(&None)?;
    /// assert_eq!((start.rows[1], start.columns[1]), ("attic", "attic"));
    /// assert_eq!(start.payoffs[1][1].to_string(), "2/3");
    /// assert_eq!(start.row_strategy[1].to_string(), "3/5");
    /// assert!(start.saddle_points.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "explain")]
    pub fn equilibrium(&self, state: &G::State) -> Result<Met<G, N>, Error> {
        let number = self.number(state)?;
        let page = Meeting::solved(self.game, state)?;
        let mut met = Encounter {
            state: state.clone(),
            words: self.game.describe(state),
            value: self.ledger.value(number),
            rows: page.rows().cloned().collect(),
            columns: page.columns().cloned().collect(),
            payoffs: Vec::new(),
            row_strategy: Vec::new(),
            column_strategy: Vec::new(),
            saddle_points: Vec::new(),
        };
        match self.explored.page(number) {
            Page::Ended(_) => {
                self.consistent(&page, state, (0, 0))?;
            }
            Page::Open(cells) => {
                self.consistent(&page, state, (cells.rows, cells.columns))?;
                let found = self.ledger.appraise(&cells)?;
                met.payoffs = found
                    .payoffs
                    .chunks(cells.columns)
                    .map(<[_]>::to_vec)
                    .collect();
                met.row_strategy = found.row;
                met.column_strategy = found.column;
                met.saddle_points = found.saddles;
            }
        }
        Ok(met)
    }

    fn consistent(
        &self,
        page: &Meeting<G>,
        state: &G::State,
        shape: (usize, usize),
    ) -> Result<(), Error> {
        if page.shape() == shape {
            return Ok(());
        }
        Err(Error::Inconsistent {
            state: self.game.describe(state),
        })
    }

    /// Returns whether no state needs mixing, since each has a saddle point. In floats, as far as
    /// their bounds can tell.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    /// # struct Pennies;
    /// # impl Simultaneous for Pennies {
    /// #     type State = Option<bool>;
    /// #     type Row = bool;
    /// #     type Column = bool;
    /// #     fn expand(&self, state: &Option<bool>, meeting: &mut Meeting<Self>) {
    /// #         if let Some(won) = *state { return meeting.end(won); }
    /// #         for own in [false, true] {
    /// #             for other in [false, true] {
    /// #                 meeting.cell(own, other).to(Some(own == other), 1);
    /// #             }
    /// #         }
    /// #     }
    /// # }
    /// let solution = Solver::exact().solve_simultaneous(&Pennies, None)?;
    /// assert!(!solution.pure_everywhere());
    /// assert_eq!(solution.mixed_states().collect::<Vec<_>>(), [&None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pure_everywhere(&self) -> bool {
        !self.mixed.contains(&true)
    }

    /// Iterates over the states without a saddle point. Every state comes after those that it leads
    /// to.
    ///
    /// # Examples
    /// In the game of [`Meeting`], only the start:
    /// ```
    #[doc = include_str!("../../docs/hide_and_seek.txt")]
    /// let solution = Solver::exact().solve_simultaneous(&HideAndSeek, None)?;
    /// assert!(solution.mixed_states().eq([&None]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mixed_states(&self) -> impl Iterator<Item = &G::State> {
        let order = self.explored.order.iter().map(|&number| number as usize);
        order
            .filter(|&number| self.mixed[number])
            .map(|number| &self.explored.states[number])
    }

    /// Iterates over all states with their values. Every state comes after those that it leads to.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    /// # struct Third;
    /// # impl Simultaneous for Third {
    /// #     type State = Option<bool>;
    /// #     type Row = ();
    /// #     type Column = ();
    /// #     fn expand(&self, state: &Option<bool>, meeting: &mut Meeting<Self>) {
    /// #         if let Some(won) = *state { return meeting.end(won); }
    /// #         meeting.chance().to(Some(true), 1).to(Some(false), 2);
    /// #     }
    /// # }
    /// let solution = Solver::exact().solve_simultaneous(&Third, None)?;
    /// let all: Vec<String> = solution.states().map(|(_, value)| value.to_string()).collect();
    /// assert_eq!(all, ["1", "0", "1/3"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn states(&self) -> impl Iterator<Item = (&G::State, N::Value)> {
        let order = self.explored.order.iter().map(|&number| number as usize);
        order.map(|number| (&self.explored.states[number], self.ledger.value(number)))
    }

    /// Returns the game that was solved.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    /// struct Prize(u8);
    /// # impl Simultaneous for Prize {
    /// #     type State = ();
    /// #     type Row = ();
    /// #     type Column = ();
    /// #     fn expand(&self, _: &(), meeting: &mut Meeting<Self>) { meeting.end(self.0); }
    /// # }
    /// assert_eq!(Solver::exact().solve_simultaneous(&Prize(7), ())?.game().0, 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn game(&self) -> &'g G {
        self.game
    }

    /// Returns the start state.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    /// struct Third;
    /// # impl Simultaneous for Third {
    /// #     type State = Option<bool>;
    /// #     type Row = ();
    /// #     type Column = ();
    /// #     fn expand(&self, state: &Option<bool>, meeting: &mut Meeting<Self>) {
    /// #         if let Some(won) = *state { return meeting.end(won); }
    /// #         meeting.chance().to(Some(true), 1).to(Some(false), 2);
    /// #     }
    /// # }
    /// let solution = Solver::exact().solve_simultaneous(&Third, None)?;
    /// assert_eq!(solution.start(), &None);
    /// assert_eq!(solution.game().describe(solution.start()), "None");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> &G::State {
        &self.explored.states[0]
    }

    /// Returns the number of states that were visited.
    ///
    /// # Examples
    /// The game of [`Meeting`] has three: hidden, found and not found.
    /// ```
    #[doc = include_str!("../../docs/hide_and_seek.txt")]
    /// let solution = Solver::exact().solve_simultaneous(&HideAndSeek, None)?;
    /// assert_eq!(solution.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.explored.order.len()
    }

    /// Always returns `false`: there is at least the start.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    /// # struct Over;
    /// # impl Simultaneous for Over {
    /// #     type State = ();
    /// #     type Row = ();
    /// #     type Column = ();
    /// #     fn expand(&self, _: &(), meeting: &mut Meeting<Self>) { meeting.end(7); }
    /// # }
    /// let solution = Solver::exact().solve_simultaneous(&Over, ())?;
    /// assert_eq!((solution.len(), solution.is_empty()), (1, false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.explored.order.is_empty()
    }

    /// Returns what the row player secures from the start by playing these strategies, whatever the
    /// other does: the value of the game against a best answer. The closure is called for every
    /// state in which the row player has a decision. The difference to
    /// [`value`](SimultaneousSolution::value) is what these strategies can cost.
    ///
    /// # Errors
    /// Those of the closure; [`Error::InState`] with [`Error::BadStrategy`] for a strategy that
    /// does not have one probability for each action; [`Error::FractionsOutgrow`].
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    /// # struct Pennies;
    /// # impl Simultaneous for Pennies {
    /// #     type State = Option<bool>;
    /// #     type Row = bool;
    /// #     type Column = bool;
    /// #     fn expand(&self, state: &Option<bool>, meeting: &mut Meeting<Self>) {
    /// #         if let Some(won) = *state { return meeting.end(won); }
    /// #         for own in [false, true] {
    /// #             for other in [false, true] {
    /// #                 meeting.cell(own, other).to(Some(own == other), 1);
    /// #             }
    /// #         }
    /// #     }
    /// # }
    /// use oddsmith_mdp::Strategy;
    /// let solution = Solver::exact().solve_simultaneous(&Pennies, None)?;
    /// let careless = solution.secured_by_row(|_, _| Strategy::new([(1, 3), (2, 3)]))?;
    /// assert_eq!(careless.to_string(), "1/3"); // of the value 1/2
    /// let even = |_: &_, _: &[bool]| Strategy::new([(1, 2), (1, 2)]);
    /// assert_eq!(solution.secured_by_row(even)?, solution.value());
    /// assert_eq!(solution.conceded_by_column(even)?, solution.value());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "exploitability")]
    pub fn secured_by_row(
        &self,
        mut policy: impl FnMut(&G::State, &[G::Row]) -> Result<Strategy, Error>,
    ) -> Result<N::Value, Error> {
        self.replay(|state, page, cells, number, ledger| {
            let row = decided(state, page.rows(), &mut policy)?;
            let play = Play::Fixed(Side::Row, &row);
            Ok(ledger.put(number, cells, play))
        })
    }

    /// Returns what the column player concedes at most from the start by playing these strategies.
    ///
    /// # Errors
    /// The same as for [`secured_by_row`](SimultaneousSolution::secured_by_row).
    ///
    /// # Examples
    /// In the game of [`Meeting`], a player who always hides in the attic is found two times in
    /// three:
    /// ```
    #[doc = include_str!("../../docs/hide_and_seek.txt")]
    /// use oddsmith_mdp::Strategy;
    /// let solution = Solver::exact().solve_simultaneous(&HideAndSeek, None)?;
    /// let attic = solution.conceded_by_column(|_, _| Strategy::pure(1, 2))?;
    /// assert_eq!(attic.to_string(), "2/3"); // of the value 2/5
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "exploitability")]
    pub fn conceded_by_column(
        &self,
        mut policy: impl FnMut(&G::State, &[G::Column]) -> Result<Strategy, Error>,
    ) -> Result<N::Value, Error> {
        self.replay(|state, page, cells, number, ledger| {
            let column = decided(state, page.columns(), &mut policy)?;
            let play = Play::Fixed(Side::Column, &column);
            Ok(ledger.put(number, cells, play))
        })
    }

    /// Returns what the row player can expect from the start if both play these strategies.
    ///
    /// # Errors
    /// The same as for [`secured_by_row`](SimultaneousSolution::secured_by_row).
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    /// # struct Pennies;
    /// # impl Simultaneous for Pennies {
    /// #     type State = Option<bool>;
    /// #     type Row = bool;
    /// #     type Column = bool;
    /// #     fn expand(&self, state: &Option<bool>, meeting: &mut Meeting<Self>) {
    /// #         if let Some(won) = *state { return meeting.end(won); }
    /// #         for own in [false, true] {
    /// #             for other in [false, true] {
    /// #                 meeting.cell(own, other).to(Some(own == other), 1);
    /// #             }
    /// #         }
    /// #     }
    /// # }
    /// use oddsmith_mdp::Strategy;
    /// let solution = Solver::exact().solve_simultaneous(&Pennies, None)?;
    /// let third = |_: &_, _: &[bool]| Strategy::new([(1, 3), (2, 3)]);
    /// assert_eq!(solution.expected(third, third)?.to_string(), "5/9");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn expected(
        &self,
        mut rows: impl FnMut(&G::State, &[G::Row]) -> Result<Strategy, Error>,
        mut columns: impl FnMut(&G::State, &[G::Column]) -> Result<Strategy, Error>,
    ) -> Result<N::Value, Error> {
        self.replay(|state, page, cells, number, ledger| {
            let row = decided(state, page.rows(), &mut rows)?;
            let column = decided(state, page.columns(), &mut columns)?;
            Ok(ledger.put(number, cells, Play::Both(&row, &column)))
        })
    }

    /// Recomputes the value of the start, with `put` recording the values of the states.
    fn replay(
        &self,
        mut put: impl FnMut(
            &G::State,
            &Meeting<G>,
            &super::explored::Cells<'_>,
            usize,
            &mut N::Ledger,
        ) -> Result<Result<bool, Halt>, Error>,
    ) -> Result<N::Value, Error> {
        let mut ledger = N::Ledger::new(self.len(), self.max_bytes);
        let mut page = Meeting::new();
        for (done, &number) in self.explored.order.iter().enumerate() {
            let number = number as usize;
            let state = &self.explored.states[number];
            match self.explored.page(number) {
                Page::Ended(score) => {
                    if !ledger.end(number, score) {
                        return Err(Error::ScoreBeyondFloat {
                            state: self.named(number),
                        });
                    }
                }
                Page::Open(cells) => {
                    page.fill(self.game, state, usize::MAX)?;
                    self.consistent(&page, state, (cells.rows, cells.columns))?;
                    put(state, &page, &cells, number, &mut ledger)?
                        .map_err(|halt| self.halted(number, done, halt))?;
                }
            }
        }
        Ok(ledger.value(0))
    }

    fn number(&self, state: &G::State) -> Result<usize, Error> {
        let number = self.explored.states.get_index_of(state);
        number.ok_or_else(|| Error::UnknownState {
            state: self.game.describe(state),
        })
    }
}

/// Returns the strategy given by a policy, or the only possible one for a side without a decision.
fn decided<'a, S, A: Clone + 'a>(
    state: &S,
    actions: impl Iterator<Item = &'a A>,
    policy: &mut impl FnMut(&S, &[A]) -> Result<Strategy, Error>,
) -> Result<Strategy, Error> {
    let actions: Vec<A> = actions.cloned().collect();
    if actions.is_empty() {
        return Strategy::pure(0, 1);
    }
    policy(state, &actions)
}

impl<G: Simultaneous + ?Sized, N: SimultaneousNumber> fmt::Debug
    for SimultaneousSolution<'_, G, N>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mixed = self.mixed_states().count();
        write!(
            f,
            "SimultaneousSolution({} states, {mixed} of them mixed)",
            self.len()
        )
    }
}
