//! The explanation of a state: its matrix and best play in it, also as text.

use std::fmt;

use num_traits::{ToPrimitive, Zero};

use crate::Readable;

/// The matrix of a state and best play of both sides in it. It is displayed as a table.
///
/// A side that has nothing to decide has no actions here, and a single row or column in the
/// payoffs. Where the game ends, there are no payoffs either.
///
/// # Examples
/// ```
/// # use oddsmith_mdp::{Meeting, Simultaneous, Solver};
/// # struct Pennies;
/// # impl Simultaneous for Pennies {
/// #     type State = &'static str;
/// #     type Row = &'static str;
/// #     type Column = &'static str;
/// #     fn expand(&self, state: &&'static str, meeting: &mut Meeting<Self>) {
/// #         match *state {
/// #             "won" => meeting.end(3),
/// #             "draw" => meeting.end(0),
/// #             _ => {
/// #                 meeting.cell("heads", "left").to("won", 1);
/// #                 meeting.cell("heads", "right").to("draw", 1);
/// #                 meeting.cell("tails", "left").to("draw", 1);
/// #                 meeting.cell("tails", "right").to("won", 1).to("draw", 2);
/// #             }
/// #         }
/// #     }
/// # }
/// let solution = Solver::exact().solve_simultaneous(&Pennies, "toss")?;
/// let toss = solution.equilibrium(&"toss")?;
/// assert_eq!(
///     toss.to_string(),
///     "\"toss\" is worth 3/4 = 0.75; both mix\n\
///      \x20             \"left\"  \"right\"\n\
///      \x20                1/4      3/4\n\
///      \"heads\"  1/4       3        0\n\
///      \"tails\"  3/4       0        1\n"
/// );
/// assert_eq!(toss.row_support(), [&"heads", &"tails"]);
/// assert_eq!(toss.column_support(), [&"left", &"right"]);
/// assert!(!toss.is_pure());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Encounter<S, R, C, V> {
    /// The state that was queried.
    pub state: S,
    /// The state in words, as the game [describes](crate::Simultaneous::describe) it.
    pub words: String,
    /// The value of the state to the row player.
    pub value: V,
    /// The actions of the row player, in the order in which they were first named.
    pub rows: Vec<R>,
    /// The actions of the column player, in the order in which they were first named.
    pub columns: Vec<C>,
    /// The value of each pair of actions, row by row.
    pub payoffs: Vec<Vec<V>>,
    /// An optimal strategy of the row player: one probability for each row of the payoffs.
    pub row_strategy: Vec<V>,
    /// An optimal strategy of the column player: one probability for each column of the payoffs.
    pub column_strategy: Vec<V>,
    /// All saddle points as (row, column) indices: pairs of actions that are best answers to each
    /// other. In floats there is at most one, as far as the bounds can tell.
    pub saddle_points: Vec<(usize, usize)>,
}

impl<S, R: PartialEq, C: PartialEq, V: Clone + PartialOrd + Zero> Encounter<S, R, C, V> {
    /// Returns the probability of an action of the row player, or zero if the player does not have
    /// it.
    ///
    /// # Examples
    /// The searcher of [`Meeting`](crate::Meeting) looks in the cellar in 2 of 5 games:
    /// ```
    #[doc = include_str!("../../docs/hide_and_seek.txt")]
    /// let solution = Solver::exact().solve_simultaneous(&HideAndSeek, None)?;
    /// let start = solution.equilibrium(&None)?;
    /// assert_eq!(start.p_row(&"cellar").to_string(), "2/5");
    /// assert_eq!(start.p_row(&"garden").to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn p_row(&self, action: &R) -> V {
        probability(&self.rows, &self.row_strategy, action)
    }

    /// Returns the probability of an action of the column player, or zero if the player does not
    /// have it.
    ///
    /// # Examples
    /// In the game of [`Meeting`](crate::Meeting), it is safer to hide in the attic:
    /// ```
    #[doc = include_str!("../../docs/hide_and_seek.txt")]
    /// let solution = Solver::exact().solve_simultaneous(&HideAndSeek, None)?;
    /// let start = solution.equilibrium(&None)?;
    /// assert_eq!(start.p_column(&"attic").to_string(), "3/5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn p_column(&self, action: &C) -> V {
        probability(&self.columns, &self.column_strategy, action)
    }

    /// Returns the actions that the row player's strategy plays with positive probability.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    /// struct Offers; // of which the row player takes one
    /// impl Simultaneous for Offers {
    /// #     type State = u8;
    /// #     type Row = u8;
    /// #     type Column = ();
    ///     fn expand(&self, &state: &u8, meeting: &mut Meeting<Self>) {
    ///         if state > 0 { return meeting.end(state); }
    ///         meeting.row(5).to(5, 1);
    ///         meeting.row(7).to(7, 1);
    ///     }
    /// }
    /// let solution = Solver::exact().solve_simultaneous(&Offers, 0)?;
    /// assert_eq!(solution.equilibrium(&0)?.row_support(), [&7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn row_support(&self) -> Vec<&R> {
        support(&self.rows, &self.row_strategy)
    }

    /// Returns the actions that the column player's strategy plays with positive probability.
    ///
    /// # Examples
    /// In the game of [`Meeting`](crate::Meeting), the hider must be expected in both places:
    /// ```
    #[doc = include_str!("../../docs/hide_and_seek.txt")]
    /// let solution = Solver::exact().solve_simultaneous(&HideAndSeek, None)?;
    /// let start = solution.equilibrium(&None)?;
    /// assert_eq!(start.column_support(), [&"cellar", &"attic"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn column_support(&self) -> Vec<&C> {
        support(&self.columns, &self.column_strategy)
    }

    /// Returns whether neither side needs to mix: there is a saddle point, or nothing to decide.
    ///
    /// # Examples
    /// Both sides mix in the game of [`Meeting`](crate::Meeting), until it is over:
    /// ```
    #[doc = include_str!("../../docs/hide_and_seek.txt")]
    /// let solution = Solver::exact().solve_simultaneous(&HideAndSeek, None)?;
    /// assert!(!solution.equilibrium(&None)?.is_pure());
    /// assert!(solution.equilibrium(&Some(true))?.is_pure());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_pure(&self) -> bool {
        self.payoffs.is_empty() || !self.saddle_points.is_empty()
    }

    /// Returns the weakly dominated actions of the row player: those that are never better than
    /// some other action and sometimes worse.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    /// struct Bids; // the higher bid wins, and is paid by the winner
    /// impl Simultaneous for Bids {
    ///     type State = Option<i8>;
    ///     type Row = i8;
    ///     type Column = i8;
    ///     fn expand(&self, state: &Option<i8>, meeting: &mut Meeting<Self>) {
    ///         if let Some(gain) = *state { return meeting.end(gain); }
    ///         for own in 0..=5 {
    ///             for other in 0..=5 {
    ///                 let gain = [0, 3 - own, other - 3];
    ///                 meeting.cell(own, other).to(Some(gain[match own.cmp(&other) {
    ///                     std::cmp::Ordering::Equal => 0,
    ///                     std::cmp::Ordering::Greater => 1,
    ///                     std::cmp::Ordering::Less => 2,
    ///                 }]), 1);
    ///             }
    ///         }
    ///     }
    /// }
    /// let solution = Solver::exact().solve_simultaneous(&Bids, None)?;
    /// let bids = solution.equilibrium(&None)?;
    /// assert_eq!(bids.dominated_rows(), [&0, &3, &4, &5]);
    /// assert_eq!(bids.dominated_columns(), bids.dominated_rows());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn dominated_rows(&self) -> Vec<&R> {
        let beats = |better: &Vec<V>, row: &Vec<V>| {
            better.iter().zip(row).all(|(a, b)| a >= b) && better != row
        };
        let rows = self.rows.iter().zip(&self.payoffs);
        rows.filter(|(_, row)| self.payoffs.iter().any(|other| beats(other, row)))
            .map(|(action, _)| action)
            .collect()
    }

    /// Returns the weakly dominated actions of the column player: those that never concede less
    /// than some other action and sometimes more.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    /// struct Debts; // of which the column player pays one
    /// impl Simultaneous for Debts {
    /// #     type State = u8;
    /// #     type Row = ();
    /// #     type Column = u8;
    ///     fn expand(&self, &state: &u8, meeting: &mut Meeting<Self>) {
    ///         if state > 0 { return meeting.end(state); }
    ///         meeting.column(7).to(7, 1);
    ///         meeting.column(5).to(5, 1);
    ///     }
    /// }
    /// let solution = Solver::exact().solve_simultaneous(&Debts, 0)?;
    /// assert_eq!(solution.equilibrium(&0)?.dominated_columns(), [&7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn dominated_columns(&self) -> Vec<&C> {
        let beats = |better: usize, column: usize| {
            self.payoffs.iter().all(|row| row[better] <= row[column])
                && self.payoffs.iter().any(|row| row[better] < row[column])
        };
        let count = self.payoffs.first().map_or(0, Vec::len);
        let columns = self.columns.iter().enumerate();
        columns
            .filter(|&(column, _)| (0..count).any(|other| beats(other, column)))
            .map(|(_, action)| action)
            .collect()
    }
}

fn probability<A: PartialEq, V: Clone + Zero>(actions: &[A], strategy: &[V], action: &A) -> V {
    let place = actions.iter().position(|known| known == action);
    let p = place.and_then(|place| strategy.get(place));
    p.cloned().unwrap_or_else(V::zero)
}

fn support<'a, A, V: Zero>(actions: &'a [A], strategy: &[V]) -> Vec<&'a A> {
    let played = actions.iter().zip(strategy);
    played
        .filter(|(_, p)| !p.is_zero())
        .map(|(action, _)| action)
        .collect()
}

/// Formats a number for a table: as a fraction if that is short, otherwise with six decimals.
fn short<V: fmt::Display + ToPrimitive>(number: &V) -> String {
    let text = number.to_string();
    match number.to_f64() {
        _ if text.len() <= 12 => text,
        Some(float) if float.is_finite() => format!("{float:.6}"),
        _ => Readable(number).to_string(),
    }
}

impl<S, R, C, V> fmt::Display for Encounter<S, R, C, V>
where
    R: fmt::Debug,
    C: fmt::Debug,
    V: fmt::Display + ToPrimitive,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is worth {}", self.words, Readable(&self.value))?;
        let who = match (self.rows.len(), self.columns.len()) {
            (0, 0) => return writeln!(f),
            (_, 0) => "the row player decides",
            (0, _) => "the column player decides",
            _ if self.saddle_points.is_empty() => "both mix",
            _ => "both decide",
        };
        writeln!(f, "; {who}")?;
        // The names and probabilities of a side that has nothing to decide are left out.
        let mut lines: Vec<Vec<String>> = Vec::new();
        let lead = if self.rows.is_empty() { 0 } else { 2 };
        if !self.columns.is_empty() {
            let names = self.columns.iter().map(|action| format!("{action:?}"));
            let blank = || std::iter::repeat_n(String::new(), lead);
            lines.push(blank().chain(names).collect());
            lines.push(
                blank()
                    .chain(self.column_strategy.iter().map(short))
                    .collect(),
            );
        }
        for (index, payoffs) in self.payoffs.iter().enumerate() {
            let mut line = Vec::new();
            if let (Some(action), Some(p)) = (self.rows.get(index), self.row_strategy.get(index)) {
                line.extend([format!("{action:?}"), short(p)]);
            }
            line.extend(payoffs.iter().map(short));
            lines.push(line);
        }
        let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                let texts = lines.iter().filter_map(|line| line.get(column));
                texts.map(|text| text.chars().count()).max().unwrap_or(0)
            })
            .collect();
        for line in &lines {
            for (column, (text, &width)) in line.iter().zip(&widths).enumerate() {
                match column {
                    0 if lead > 0 => write!(f, "{text:<width$}")?,
                    0 => write!(f, "{text:>width$}")?,
                    _ => write!(f, "  {text:>width$}")?,
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
