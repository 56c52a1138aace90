//! The page that `expand` writes on: what can happen in one state.

use std::fmt;

use num_bigint::BigUint;

use super::{Cell, Simultaneous};
use crate::limits::Limits;
use crate::{Error, Score};

/// The page on which [`Simultaneous::expand`] writes what a state is: an [end](Meeting::end), a
/// matrix of [cells](Meeting::cell), a decision of [one](Meeting::row) [side](Meeting::column), or
/// a move of [chance](Meeting::chance).
///
/// Rows and columns are numbered in the order in which they are first named. Every row needs a cell
/// in every column.
///
/// # Examples
/// Hiding in one of two places. A searcher in the right place finds for certain in the cellar, and
/// two times in three in the attic:
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
/// assert_eq!(solution.value().to_string(), "2/5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Meeting<G: Simultaneous + ?Sized> {
    score: Option<Score>,
    /// A single `None` where this side has nothing to decide.
    rows: Vec<Option<G::Row>>,
    columns: Vec<Option<G::Column>>,
    pub(super) cells: Vec<Written>,
    /// The outcomes of all cells. The weights of wide cells are stored elsewhere.
    pub(super) outcomes: Vec<(G::State, u64)>,
    pub(super) wide: Vec<Vec<BigUint>>,
    pub(super) fault: Option<&'static str>,
    /// The reason if the game refuses this state.
    refused: Option<String>,
    /// The maximum number of outcomes; `full` tells whether there were more.
    most: usize,
    full: bool,
}

/// One cell, with the range of its outcomes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    /// The total of the weights, unless they are wide.
    pub(super) total: u64,
    /// The index of its list of wide weights.
    pub(super) wide: Option<usize>,
}

impl<G: Simultaneous + ?Sized> Meeting<G> {
    pub(super) fn new() -> Self {
        Meeting {
            score: None,
            rows: Vec::new(),
            columns: Vec::new(),
            cells: Vec::new(),
            outcomes: Vec::new(),
            wide: Vec::new(),
            fault: None,
            refused: None,
            most: 0,
            full: false,
        }
    }

    /// Returns what `game` writes about `state`, checked.
    ///
    /// # Errors
    /// [`Error::DeadEnd`], [`Error::Malformed`], [`Error::MissingCell`], [`Error::NoOutcome`],
    /// [`Error::BadScore`], [`Error::Refused`]; and [`Error::OutcomesOutgrow`] for more than a
    /// billion outcomes, or more than fit into 4 GiB.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Meeting, Simultaneous};
    /// struct Choice;
    /// impl Simultaneous for Choice {
    ///     type State = u8;
    ///     type Row = char;
    ///     type Column = char;
    ///     fn expand(&self, &state: &u8, meeting: &mut Meeting<Self>) {
    ///         if state > 0 { return meeting.end(state); }
    ///         meeting.cell('a', 'x').to(1, 1);
    ///         meeting.cell('a', 'y').to(2, 1).to(3, 4);
    ///     }
    /// }
    /// let page = Meeting::of(&Choice, &0)?;
    /// assert_eq!((page.rows().count(), page.columns().count()), (1, 2));
    /// assert_eq!(page.outcomes(0, 1), [(2, 1), (3, 4)]);
    /// assert_eq!(Meeting::of(&Choice, &3)?.score().map(|s| s.to_f64()), Some(3.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(game: &G, state: &G::State) -> Result<Self, Error> {
        let most = Limits::default().room(size_of::<(G::State, u64)>(), 0);
        Meeting::of_within(game, state, most)
    }

    /// Does the same as [`of`](Meeting::of), with at most this many outcomes over all cells.
    ///
    /// # Errors
    /// The same as for [`of`](Meeting::of), with this limit.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Error, Meeting, Simultaneous};
    /// struct Endless;
    /// impl Simultaneous for Endless {
    ///     type State = u64;
    ///     type Row = ();
    ///     type Column = ();
    ///     fn expand(&self, _: &u64, meeting: &mut Meeting<Self>) {
    ///         meeting.chance().to_all((0..).map(|number| (number, 1)));
    ///     }
    /// }
    /// let error = Meeting::of_within(&Endless, &7, 1_000).err();
    /// let state = "7".to_owned();
    /// assert_eq!(error, Some(Error::OutcomesOutgrow { state, done: 0, limit: 1_000 }));
    /// ```
    pub fn of_within(game: &G, state: &G::State, max_outcomes: usize) -> Result<Self, Error> {
        let mut meeting = Meeting::new();
        meeting.fill(game, state, max_outcomes)?;
        Ok(meeting)
    }

    /// Returns what `game` writes about a state that has been solved. Its outcomes were counted at
    /// that time.
    pub(super) fn solved(game: &G, state: &G::State) -> Result<Self, Error> {
        Meeting::of_within(game, state, usize::MAX)
    }

    /// Returns how many more outcomes fit, by the limits of the caller. Outcomes beyond that are
    /// dropped, and the expansion ends in [`Error::OutcomesOutgrow`].
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Meeting, Simultaneous};
    /// struct Coin;
    /// impl Simultaneous for Coin {
    ///     type State = u8;
    ///     type Row = ();
    ///     type Column = ();
    ///     fn expand(&self, _: &u8, meeting: &mut Meeting<Self>) {
    ///         meeting.chance().to(0, 1).to(1, 1);
    ///     }
    /// }
    /// assert_eq!(Meeting::of_within(&Coin, &0, 10)?.room(), 8);
    /// # Ok::<(), oddsmith_mdp::Error>(())
    /// ```
    #[must_use]
    pub fn room(&self) -> usize {
        self.most.saturating_sub(self.outcomes.len())
    }

    /// Writes the page anew, with at most this many outcomes. Its cells are then in order, row by
    /// row.
    pub(super) fn fill(&mut self, game: &G, state: &G::State, most: usize) -> Result<(), Error> {
        (self.most, self.full) = (most, false);
        self.score = None;
        self.rows.clear();
        self.columns.clear();
        self.cells.clear();
        self.outcomes.clear();
        self.wide.clear();
        self.fault = None;
        self.refused = None;
        game.expand(state, self);
        self.close(game, state)
    }

    fn close(&mut self, game: &G, state: &G::State) -> Result<(), Error> {
        let named = || game.describe(state);
        let malformed = |what| Error::Malformed {
            state: named(),
            what,
        };
        if let Some(why) = &self.refused {
            return Err(Error::Refused {
                state: named(),
                why: why.clone(),
            });
        }
        if self.full {
            let (done, limit) = (0, self.most);
            let state = named();
            return Err(Error::OutcomesOutgrow { state, done, limit });
        }
        if let Some(what) = self.fault {
            return Err(malformed(what));
        }
        if let Some(score) = &self.score {
            if !self.cells.is_empty() {
                return Err(malformed("it ends, and has cells"));
            }
            if !score.is_valid() {
                return Err(Error::BadScore { state: named() });
            }
            return Ok(());
        }
        if self.cells.is_empty() {
            return Err(Error::DeadEnd { state: named() });
        }
        // Nearly always, cells are written in this order.
        let place = |cell: &Written| (cell.row, cell.column);
        if !self.cells.is_sorted_by_key(place) {
            self.cells.sort_by_key(place);
        }
        if self
            .cells
            .windows(2)
            .any(|two| place(&two[0]) == place(&two[1]))
        {
            return Err(malformed(match (&self.rows[..], &self.columns[..]) {
                ([None], [None]) => "it is left to chance twice",
                ([None], _) | (_, [None]) => "an action is given twice",
                _ => "a cell of its matrix is given twice",
            }));
        }
        let columns = self.columns.len();
        // Cells are missing: the first gap is where the positions differ.
        if self.rows.len().checked_mul(columns) != Some(self.cells.len()) {
            let gap = self.cells.iter().enumerate();
            let gap = gap
                .filter(|(index, cell)| place(cell) != (index / columns, index % columns))
                .map(|(index, _)| index)
                .next()
                .unwrap_or(self.cells.len());
            return Err(Error::MissingCell {
                state: named(),
                cell: self.label(gap / columns, gap % columns),
            });
        }
        if let Some(cell) = self.cells.iter().find(|cell| cell.start == cell.end) {
            return Err(Error::NoOutcome {
                state: named(),
                action: self.label(cell.row, cell.column),
            });
        }
        Ok(())
    }

    /// Returns the name of a cell in errors.
    pub(super) fn label(&self, row: usize, column: usize) -> String {
        let row = self.rows.get(row).and_then(Option::as_ref);
        let column = self.columns.get(column).and_then(Option::as_ref);
        match (row, column) {
            (Some(row), Some(column)) => format!("({row:?}, {column:?})"),
            (Some(row), None) => format!("{row:?}"),
            (None, Some(column)) => format!("{column:?}"),
            (None, None) => "chance".into(),
        }
    }

    /// Ends the game here. The row player receives `score` from the column player.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    /// struct Draw;
    /// impl Simultaneous for Draw {
    /// #     type State = ();
    /// #     type Row = ();
    /// #     type Column = ();
    ///     fn expand(&self, _: &(), meeting: &mut Meeting<Self>) {
    ///         meeting.end((1, 2));
    ///     }
    /// }
    /// assert_eq!(Solver::exact().solve_simultaneous(&Draw, ())?.value().to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn end(&mut self, score: impl Into<Score>) {
        if self.score.is_some() {
            self.fault = Some("it ends twice");
        }
        self.score = Some(score.into());
    }

    /// Refuses this state and says why: for example, the rules do not foresee it, or a number no
    /// longer fits. Expanding the state ends in [`Error::Refused`], whatever else is written about
    /// it. The first of several reasons is reported.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    ///
    /// struct Doubling; // who guesses the other's bit doubles the stake
    /// impl Simultaneous for Doubling {
    ///     type State = u8;
    ///     type Row = bool;
    ///     type Column = bool;
    ///     fn expand(&self, &stake: &u8, meeting: &mut Meeting<Self>) {
    ///         let Some(double) = stake.checked_mul(2) else {
    ///             return meeting.refuse("the stake does not fit into 8 bits");
    ///         };
    ///         for own in [false, true] {
    ///             for other in [false, true] {
    ///                 meeting.cell(own, other).to(if own == other { double } else { 0 }, 1);
    ///             }
    ///         }
    ///     }
    ///     fn describe(&self, stake: &u8) -> String {
    ///         format!("of {stake} at stake")
    ///     }
    /// }
    /// let error = Solver::exact().solve_simultaneous(&Doubling, 100).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the game refuses state of 200 at stake: the stake does not fit into 8 bits"
    /// );
    /// ```
    pub fn refuse(&mut self, why: impl Into<String>) {
        self.refused.get_or_insert_with(|| why.into());
    }

    /// Adds the cell in which the row player takes action `row` and the column player action
    /// `column`. Both decide at once.
    ///
    /// # Examples
    /// Both show one finger or two. The row player wins 4 if both show one, and 1 if both show two:
    /// ```
    /// # use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    /// struct Fingers;
    /// impl Simultaneous for Fingers {
    /// #     type State = Option<u8>;
    /// #     type Row = u8;
    /// #     type Column = u8;
    ///     fn expand(&self, state: &Option<u8>, meeting: &mut Meeting<Self>) {
    ///         if let Some(gain) = *state { return meeting.end(gain); }
    ///         for (own, other, gain) in [(1, 1, 4), (1, 2, 0), (2, 1, 0), (2, 2, 1)] {
    ///             meeting.cell(own, other).to(Some(gain), 1);
    ///         }
    ///     }
    /// }
    /// let solution = Solver::exact().solve_simultaneous(&Fingers, None)?;
    /// assert_eq!(solution.value().to_string(), "4/5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cell(&mut self, row: G::Row, column: G::Column) -> Cell<'_, G> {
        self.open(Some(row), Some(column))
    }

    /// Adds an action of the row player, who decides alone.
    ///
    /// # Examples
    /// Heads or tails, or 2/5 for certain:
    /// ```
    /// # use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    /// struct Safe;
    /// impl Simultaneous for Safe {
    ///     type State = u8;
    ///     type Row = &'static str;
    ///     type Column = ();
    ///     fn expand(&self, &state: &u8, meeting: &mut Meeting<Self>) {
    ///         if state > 0 { return meeting.end((i64::from(state) - 1, 5)); }
    ///         meeting.row("toss").to(1, 1).to(6, 1);
    ///         meeting.row("take").to(3, 1);
    ///     }
    /// }
    /// let solution = Solver::exact().solve_simultaneous(&Safe, 0)?;
    /// assert_eq!(solution.value().to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn row(&mut self, row: G::Row) -> Cell<'_, G> {
        self.open(Some(row), None)
    }

    /// Adds an action of the column player, who decides alone.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    /// struct Least;
    /// impl Simultaneous for Least {
    ///     type State = u8;
    ///     type Row = ();
    ///     type Column = u8;
    ///     fn expand(&self, &state: &u8, meeting: &mut Meeting<Self>) {
    ///         if state > 0 { return meeting.end(state); }
    ///         meeting.column(7).to(7, 1);
    ///         meeting.column(5).to(5, 1);
    ///     }
    /// }
    /// let solution = Solver::exact().solve_simultaneous(&Least, 0)?;
    /// assert_eq!(solution.value().to_string(), "5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn column(&mut self, column: G::Column) -> Cell<'_, G> {
        self.open(None, Some(column))
    }

    /// Makes this a chance move, where nobody decides.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Meeting, Simultaneous, Solver};
    /// struct Die;
    /// impl Simultaneous for Die {
    ///     type State = u8;
    ///     type Row = ();
    ///     type Column = ();
    ///     fn expand(&self, &state: &u8, meeting: &mut Meeting<Self>) {
    ///         if state > 0 { return meeting.end(state); }
    ///         let mut die = meeting.chance();
    ///         for face in 1..=6 {
    ///             die.to(face, 1);
    ///         }
    ///     }
    /// }
    /// let solution = Solver::exact().solve_simultaneous(&Die, 0)?;
    /// assert_eq!(solution.value().to_string(), "7/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn chance(&mut self) -> Cell<'_, G> {
        self.open(None, None)
    }

    fn open(&mut self, row: Option<G::Row>, column: Option<G::Column>) -> Cell<'_, G> {
        let mixed = |named: bool, first: bool| named != first;
        if let (Some(first_row), Some(first_column)) = (self.rows.first(), self.columns.first())
            && (mixed(row.is_some(), first_row.is_some())
                || mixed(column.is_some(), first_column.is_some()))
        {
            self.fault = Some(
                "it mixes cells of both players with decisions of one player or with chance; give a row and a column in each cell",
            );
        }
        // Each cell leads somewhere, so there are at most as many cells as outcomes, plus one that
        // is being written.
        if self.cells.len() > self.most {
            self.full = true;
            return Cell { meeting: self };
        }
        let last = self.cells.last();
        let (below, beside) = last.map_or((0, 0), |last| (last.row, last.column));
        let row = place(&mut self.rows, row, below);
        let column = place(&mut self.columns, column, beside);
        let start = self.outcomes.len();
        self.cells.push(Written {
            row,
            column,
            start,
            end: start,
            total: 0,
            wide: None,
        });
        Cell { meeting: self }
    }

    /// Records that there were more outcomes than fit. The outcomes themselves are not kept.
    pub(super) fn overflow(&mut self) {
        self.full = true;
    }

    /// Returns whether there is no room for another outcome, and records it if so.
    pub(super) fn is_full(&mut self) -> bool {
        self.full |= self.outcomes.len() >= self.most;
        self.full
    }

    /// Returns the score if the game ends here.
    ///
    /// # Examples
    /// In the game of [`Meeting`], being found has a score of 1:
    /// ```
    #[doc = include_str!("../../docs/hide_and_seek.txt")]
    /// use oddsmith_mdp::Score;
    /// assert_eq!(Meeting::of(&HideAndSeek, &Some(true))?.score(), Some(&Score::from(1)));
    /// assert_eq!(Meeting::of(&HideAndSeek, &None)?.score(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn score(&self) -> Option<&Score> {
        self.score.as_ref()
    }

    /// Returns the actions of the row player; none where it has no decision.
    ///
    /// # Examples
    /// Two places to search, in the game of [`Meeting`]:
    /// ```
    #[doc = include_str!("../../docs/hide_and_seek.txt")]
    /// let start = Meeting::of(&HideAndSeek, &None)?;
    /// assert!(start.rows().eq(&["cellar", "attic"]));
    /// assert_eq!(Meeting::of(&HideAndSeek, &Some(true))?.rows().count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rows(&self) -> impl Iterator<Item = &G::Row> {
        self.rows.iter().flatten()
    }

    /// Returns the actions of the column player; none where it has no decision.
    ///
    /// # Examples
    /// Two places to hide, in the game of [`Meeting`]:
    /// ```
    #[doc = include_str!("../../docs/hide_and_seek.txt")]
    /// let start = Meeting::of(&HideAndSeek, &None)?;
    /// assert_eq!((start.columns().count(), start.columns().last()), (2, Some(&"attic")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn columns(&self) -> impl Iterator<Item = &G::Column> {
        self.columns.iter().flatten()
    }

    /// Returns the outcomes of the cell in this row and column, with their weights. Index 0 stands
    /// for a side without a decision. Empty outside the matrix, and for a cell whose weights are
    /// not machine words; [`wide_outcomes`](Meeting::wide_outcomes) reads those, too.
    ///
    /// # Examples
    /// In the game of [`Meeting`], a hider in the attic is found there two times in three:
    /// ```
    #[doc = include_str!("../../docs/hide_and_seek.txt")]
    /// let start = Meeting::of(&HideAndSeek, &None)?;
    /// assert_eq!(start.outcomes(1, 1), [(Some(true), 2), (Some(false), 1)]);
    /// assert!(start.outcomes(2, 0).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn outcomes(&self, row: usize, column: usize) -> &[(G::State, u64)] {
        match self.at(row, column) {
            Some(cell) if cell.wide.is_none() => &self.outcomes[cell.start..cell.end],
            _ => &[],
        }
    }

    /// Returns the outcomes of the cell in this row and column, with weights of any size.
    ///
    /// # Examples
    /// The attic, in the game of [`Meeting`]:
    /// ```
    #[doc = include_str!("../../docs/hide_and_seek.txt")]
    /// let start = Meeting::of(&HideAndSeek, &None)?;
    /// let attic = start.wide_outcomes(1, 1).map(|(found, weight)| (*found, weight.to_string()));
    /// assert!(attic.eq([(Some(true), "2".to_owned()), (Some(false), "1".to_owned())]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wide_outcomes(
        &self,
        row: usize,
        column: usize,
    ) -> impl Iterator<Item = (&G::State, BigUint)> {
        let cell = self.at(row, column);
        let outcomes = cell.map_or(&[][..], |cell| &self.outcomes[cell.start..cell.end]);
        let wide = cell.and_then(|cell| self.wide(cell));
        let outcomes = outcomes.iter().enumerate();
        outcomes.map(move |(place, (state, weight))| {
            let weight = wide.map_or_else(|| (*weight).into(), |wide| wide[place].clone());
            (state, weight)
        })
    }

    fn at(&self, row: usize, column: usize) -> Option<&Written> {
        let (rows, columns) = self.shape();
        if row >= rows || column >= columns {
            return None;
        }
        // In order, and without gaps.
        self.cells.get(row * columns + column)
    }

    /// Returns the weights of a cell if they are not machine words.
    pub(super) fn wide(&self, cell: &Written) -> Option<&[BigUint]> {
        cell.wide.map(|place| &self.wide[place][..])
    }

    /// Returns the number of rows and of columns of the matrix.
    pub(super) fn shape(&self) -> (usize, usize) {
        (self.rows.len(), self.columns.len())
    }

    /// Returns whether both sides have a decision.
    pub(super) fn both_decide(&self) -> bool {
        matches!(
            (self.rows.first(), self.columns.first()),
            (Some(Some(_)), Some(Some(_)))
        )
    }

    /// Iterates over the cells, row by row, with their outcomes.
    pub(super) fn cells(&self) -> impl Iterator<Item = (Written, &[(G::State, u64)])> {
        let cells = self.cells.iter();
        cells.map(|&cell| (cell, &self.outcomes[cell.start..cell.end]))
    }
}

/// Returns the number of an action, which is either new or was named before.
fn place<A: PartialEq>(actions: &mut Vec<A>, action: A, last: usize) -> usize {
    // Cells are written row by row or column by column, so the action is likely the one named last,
    // the next, or the first again.
    for likely in [last, last + 1, 0] {
        if actions.get(likely) == Some(&action) {
            return likely;
        }
    }
    match actions.iter().rposition(|known| *known == action) {
        Some(place) => place,
        None => {
            actions.push(action);
            actions.len() - 1
        }
    }
}

impl<G: Simultaneous + ?Sized> fmt::Debug for Meeting<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = f.debug_struct("Meeting");
        if let Some(score) = &self.score {
            return page.field("score", score).finish();
        }
        for (cell, outcomes) in self.cells() {
            page.field(&self.label(cell.row, cell.column), &outcomes);
        }
        page.finish()
    }
}
