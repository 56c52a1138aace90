//! The part of a game that a lazy answer is based on.

use std::fmt;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::interval::{Interval, mean, seen_by};
use super::met::OPEN;
use super::search::Search;
use super::worth::beaten;
use crate::model::{Model, Row, Scratch};
use crate::odds::Odds;
use crate::order::{outcomes_first, way_round};
use crate::page::{Full, Page};
use crate::rows::{Rows, RowsWriter};
use crate::{Bounds, Error, Game, Number, Solution};

/// Marks the absence of a number.
const NONE: u32 = u32::MAX;

/// The amount of work done by a lazy solver.
///
/// # Examples
/// A certain win behind the first of three doors, so that the others need not be opened:
/// ```
/// use oddsmith_mdp::{Effort, Lazy, Table};
/// # let doors = Table::from_fn(4, |state, row| match state {
/// #     0..=2 => row.end(state == 2),
/// #     _ => (0..3).for_each(|door| { row.choice().to(2 - door, 1); }),
/// # })?;
/// let effort: Effort = Lazy::exact().range(0, 1).solve(&doors, 3)?.effort();
/// assert_eq!((effort.expanded, effort.met, effort.forced), (2, 4, 1));
/// assert!(!effort.eager);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Effort {
    /// The number of states that were visited, that is, passed to `expand`.
    pub expanded: usize,
    /// The number of states that were met, including those visited. The others were only seen as
    /// outcomes and bounded, which was enough.
    pub met: usize,
    /// The number of outcomes that were forced: their states had to be known, some of them more
    /// than once.
    pub forced: u64,
    /// How often the choices of a state were compared.
    pub appraised: u64,
    /// Whether the search gave up because it did not pay. See
    /// [`eager_below`](crate::Lazy::eager_below).
    pub eager: bool,
    /// How often a state was left because its value was outside the window.
    pub cut: u64,
}

/// The states that a lazy answer is based on: those that optimal play can reach from the start,
/// each with the actions that may be optimal.
///
/// # Examples
/// Of two doors, the one that wins is kept, and so is the win:
/// ```
/// use oddsmith_mdp::{Exact, Lazy, Solution, Sought, Table};
/// # let doors = Table::from_fn(3, |state, row| match state {
/// #     0 | 1 => row.end(state),
/// #     _ => { row.choice().to(0, 1); row.choice().to(1, 1); }
/// # })?;
/// let solution: Solution<'_, Table, Exact, Sought<Table>> = Lazy::exact().solve(&doors, 2)?;
/// assert_eq!((solution.len(), solution.best(&2)?), (2, vec![1]));
/// assert!(solution.value_of(&0).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Sought<G: Game + ?Sized> {
    states: IndexSet<G::State, FxBuildHasher>,
    rows: Rows,
    kept: Kept,
    effort: Effort,
}

/// The states that are kept.
enum Kept {
    /// All states, under their own numbers. In this order, outcomes come first.
    All(Vec<u32>),
    /// Some states, outcomes first.
    Some {
        /// The number in `states` of each state that is kept.
        outer: Vec<u32>,
        /// The number here of each of `states`, or `NONE` if it is not kept.
        own: Vec<u32>,
    },
}

/// The given bounds on a kept state, if floats cannot tell them from its value.
pub(super) struct Close {
    pub(super) number: usize,
    pub(super) given: Interval,
}

impl<G: Game + ?Sized> Sought<G> {
    /// Follows what may be best from state 0, which is solved.
    pub(super) fn new<B: Bounds<G::State>>(
        search: Search<'_, G, B>,
    ) -> Result<(Self, Vec<Close>), Error> {
        let met = search.known.len();
        let effort = Effort {
            met,
            ..search.effort
        };
        if effort.eager {
            let game = search.game;
            let (states, rows) = (search.states, search.rows.finish());
            let layers = outcomes_first(&rows, [0]).map_err(|round| Error::Cycle {
                path: way_round(&round, |number| game.describe(&states[number as usize])),
            })?;
            let sought = Sought {
                states,
                rows,
                kept: Kept::All(layers.order),
                effort,
            };
            return Ok((sought, Vec::new()));
        }
        let rows = search.rows.rows();
        let mut order = vec![NONE; search.solved as usize];
        for (state, known) in search.known.iter().enumerate() {
            if known.mark < OPEN {
                order[known.mark as usize] = state as u32;
            }
        }
        let mut own = vec![NONE; met];
        own[0] = 0;
        let mut candidates = Vec::new();
        for &state in order.iter().rev() {
            if own[state as usize] == NONE {
                continue;
            }
            may_be_best(&search, state, &mut candidates);
            let row = rows.row(state as usize);
            for &choice in &candidates {
                for &target in row.targets(choice) {
                    own[target as usize] = 0;
                }
            }
        }
        let mut kept = RowsWriter::default();
        let (mut outer, mut close) = (Vec::new(), Vec::new());
        let mut page = Page::default();
        let full = |full: Full| full.among(met);
        for &state in &order {
            if own[state as usize] == NONE {
                continue;
            }
            let number = outer.len();
            let row = rows.row(state as usize);
            kept.reserve();
            page.clear();
            if row.score.is_none() {
                may_be_best(&search, state, &mut candidates);
                page.player = row.player;
                narrow(&mut page, &row, &candidates, &own).map_err(full)?;
                if search.known[state as usize].doubt.close()
                    && let Some(state) = search.states.get_index(state as usize)
                    && let Some(given) = search.bounds.interval(state)
                {
                    close.push(Close { number, given });
                }
            }
            kept.put_page(number, &page, row.score).map_err(full)?;
            own[state as usize] = number as u32;
            outer.push(state);
        }
        let sought = Sought {
            states: search.states,
            rows: kept.finish(),
            kept: Kept::Some { outer, own },
            effort,
        };
        Ok((sought, close))
    }

    /// Returns the number of a state that is kept, given its number in the order of meeting.
    pub(super) fn number_of(&self, met: usize) -> usize {
        match &self.kept {
            Kept::All(_) => met,
            Kept::Some { own, .. } => own[met] as usize,
        }
    }

    /// Returns the state with this number.
    fn at_number(&self, number: usize) -> &G::State {
        match &self.kept {
            Kept::All(_) => &self.states[number],
            Kept::Some { outer, .. } => &self.states[outer[number] as usize],
        }
    }

    pub(super) fn name(&self, game: &G, number: usize) -> String {
        game.describe(self.at_number(number))
    }
}

/// Returns the choices of a solved state that no other choice is proven to beat. All of them were
/// known completely when the state was solved.
fn may_be_best<G: Game + ?Sized, B: Bounds<G::State>>(
    search: &Search<'_, G, B>,
    state: u32,
    candidates: &mut Vec<usize>,
) {
    candidates.clear();
    let known = search.known[state as usize];
    let row = search.rows.rows().row(state as usize);
    if row.score.is_some() {
        return;
    }
    candidates.push(usize::from(known.choice));
    if !known.doubt.several() {
        return;
    }
    let worth = |targets: &[u32], odds: &Odds<'_>| {
        let outcomes = targets
            .iter()
            .map(|&target| &search.known[target as usize].value);
        seen_by(row.player, mean(outcomes, odds))
    };
    let Some((targets, odds)) = row.choice(usize::from(known.choice)) else {
        return;
    };
    let [lower, _] = worth(targets, &odds);
    for (choice, targets, odds) in row.choices() {
        // A choice that was completed later had been beaten before, and may even lead back to this
        // state.
        let mut marks = targets
            .iter()
            .map(|&target| search.known[target as usize].mark);
        if choice != usize::from(known.choice)
            && marks.all(|mark| mark < known.mark)
            && !beaten(worth(targets, &odds)[1], lower, search.ties)
        {
            candidates.push(choice);
        }
    }
}

/// Copies the candidates with the numbers of their outcomes converted. The other choices keep their
/// places.
fn narrow(page: &mut Page, row: &Row<'_>, candidates: &[usize], own: &[u32]) -> Result<(), Full> {
    for choice in 0..row.len() {
        match row.choice(choice).filter(|_| candidates.contains(&choice)) {
            Some((targets, odds)) => {
                page.copy(targets.iter().map(|&t| own[t as usize]), odds, None)?;
            }
            None => page.nothing()?,
        }
    }
    page.close();
    Ok(())
}

impl<G: Game + ?Sized> Model<G> for Sought<G> {
    fn len(&self) -> usize {
        match &self.kept {
            Kept::All(order) => order.len(),
            Kept::Some { outer, .. } => outer.len(),
        }
    }

    #[inline]
    fn at(&self, place: usize) -> usize {
        match &self.kept {
            Kept::All(order) => order[place] as usize,
            Kept::Some { .. } => place,
        }
    }

    fn number(&self, _: &G, state: &G::State) -> Option<usize> {
        let met = self.states.get_index_of(state)?;
        match &self.kept {
            Kept::All(_) => Some(met),
            Kept::Some { own, .. } => (own[met] != NONE).then_some(own[met] as usize),
        }
    }

    fn state(&self, _: &G, number: usize) -> G::State {
        self.at_number(number).clone()
    }

    #[inline]
    fn row<'a>(&'a self, _: &'a G, number: usize, _: &'a mut Scratch<G>) -> Result<Row<'a>, Error> {
        Ok(self.rows.row(number))
    }
}

impl<G: Game + ?Sized> fmt::Debug for Sought<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Sought({} states, {:?})",
            Model::<G>::len(self),
            self.effort
        )
    }
}

impl<G: Game + ?Sized, N: Number> Solution<'_, G, N, Sought<G>> {
    /// Returns how much work the solver did.
    ///
    /// # Examples
    /// If nothing can be skipped, every state is visited:
    /// ```
    /// # use oddsmith_mdp::{Lazy, Table};
    /// let stair = Table::from_fn(9, |step, row| match step {
    ///     0 => row.end(1),
    ///     _ => {
    ///         row.choice().to(step - 1, 1);
    ///     }
    /// })?;
    /// let solution = Lazy::exact().solve(&stair, 8)?;
    /// assert_eq!(solution.effort().expanded, 9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn effort(&self) -> Effort {
        self.model().effort
    }

    /// Counts all states that can be reached from the start, which an eager solver visits, for
    /// comparison with [`effort`](Self::effort).
    ///
    /// # Errors
    /// [`Error::TooManyStates`] for more than `limit` states; a malformed state that the lazy
    /// solver did not need to visit.
    ///
    /// # Complexity
    /// Reads and hashes each outcome of the game once.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../../docs/levels.txt")]
    /// use oddsmith_mdp::{Error, Lazy};
    /// let solution = Lazy::exact().range(0, 1).solve(&Levels { free: false }, (3, 1))?;
    /// assert_eq!(solution.eager_states(100)?, 6); // the start, 4 and 5 with food or none, death
    /// assert_eq!(solution.eager_states(5), Err(Error::TooManyStates { limit: 5 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn eager_states(&self, limit: usize) -> Result<usize, Error> {
        let mut met = IndexSet::<G::State, FxBuildHasher>::default();
        met.insert(self.model().at_number(self.start_number()).clone());
        let mut scratch = Scratch::<G>::new();
        let mut next = 0;
        while let Some(state) = met.get_index(next) {
            let state = state.clone();
            scratch.node.fill(self.game(), &state)?;
            for choice in 0..scratch.node.len() {
                for successor in scratch.node.states(choice) {
                    if !met.contains(successor) {
                        if met.len() >= limit {
                            return Err(Error::TooManyStates { limit });
                        }
                        met.insert(successor.clone());
                    }
                }
            }
            next += 1;
        }
        Ok(met.len())
    }
}
