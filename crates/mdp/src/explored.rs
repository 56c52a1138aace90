//! The states of a game, found by exploring it from a start.

use std::ops::Range;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::limits::Limits;
use crate::model::{Model, Row, Scratch};
use crate::order::{components_first, outcomes_first, way_round};
use crate::progress::Observer;
use crate::rows::{Rows, RowsWriter};
use crate::{Error, Game, Phase};

/// All states reachable from a start, interned in the order in which they were found, so that every
/// run is the same.
///
/// # Examples
/// The default model of a [`Solution`](crate::Solution):
/// ```
/// # use oddsmith_mdp::{Game, Node, Solver};
/// # struct Coin;
/// # impl Game for Coin {
/// #     type State = u8;
/// #     type Action = ();
/// #     fn expand(&self, &state: &u8, node: &mut Node<Self>) {
/// #         if state > 0 { return node.end(state - 1); }
/// #         node.chance().to(1, 1).to(2, 1);
/// #     }
/// # }
/// use oddsmith_mdp::{Exact, Explored, Solution};
/// let solution: Solution<'_, Coin, Exact, Explored<Coin>> = Solver::exact().solve(&Coin, 0)?;
/// assert_eq!(solution.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Explored<G: Game + ?Sized> {
    states: IndexSet<G::State, FxBuildHasher>,
    rows: Rows,
    /// The states in an order in which outcomes come before the states that lead to them.
    order: Vec<u32>,
    /// Where each layer of the order ends. Empty in a game with cycles.
    layers: Vec<u32>,
    /// The ranges of states that can reach each other.
    cycles: Vec<Range<u32>>,
}

impl<G: Game + ?Sized> Explored<G> {
    /// Explores `game` breadth first from `start`. States that are found together have numbers
    /// close together, and so do their outcomes.
    pub(crate) fn explore(
        game: &G,
        start: G::State,
        limits: Limits,
        cycles: bool,
        observer: &mut Observer<'_>,
    ) -> Result<Self, Error> {
        let limit = limits.states.min(u32::MAX as usize);
        let few = || Error::TooManyStates { limit };
        if limit == 0 {
            return Err(few());
        }
        let mut states = IndexSet::<G::State, FxBuildHasher>::default();
        states.insert(start);
        let mut rows = RowsWriter::default();
        let mut scratch = Scratch::new();
        let mut number = 0;
        while let Some(state) = states.get_index(number) {
            let state = state.clone();
            limits.fill(&mut scratch.node, game, &state, rows.outcomes(), number)?;
            scratch.page.write(
                &scratch.node,
                number as u32,
                true,
                || game.describe(&state),
                |successor| {
                    if let Some(known) = states.get_index_of(successor) {
                        return Ok(known as u32);
                    }
                    if states.len() >= limit {
                        return Err(few());
                    }
                    Ok(states.insert_full(successor.clone()).0 as u32)
                },
            )?;
            rows.reserve();
            rows.put_page(number, &scratch.page, scratch.node.score())
                .map_err(|full| full.among(states.len()))?;
            number += 1;
            rows.check_room(number, limits.bytes)?;
            observer.tick(Phase::Exploring, number, None)?;
        }
        rows.check_all(number, limits.bytes)?;
        observer.tick(Phase::Exploring, number, Some(number))?;
        let rows = rows.finish();
        if cycles {
            let (order, cycles) = components_first(&rows, [0]);
            return Ok(Explored {
                states,
                rows,
                order,
                layers: Vec::new(),
                cycles,
            });
        }
        let layers = outcomes_first(&rows, [0]).map_err(|round| Error::Cycle {
            path: way_round(&round, |number| game.describe(&states[number as usize])),
        })?;
        Ok(Explored {
            states,
            rows,
            order: layers.order,
            layers: layers.ends,
            cycles: Vec::new(),
        })
    }
}

impl<G: Game + ?Sized> Model<G> for Explored<G> {
    fn len(&self) -> usize {
        self.order.len()
    }

    #[inline]
    fn at(&self, place: usize) -> usize {
        self.order[place] as usize
    }

    fn cycles(&self) -> &[Range<u32>] {
        &self.cycles
    }

    fn rows<'a>(&'a self, _: &'a G) -> Option<&'a Rows> {
        Some(&self.rows)
    }

    fn layers(&self) -> Option<&[u32]> {
        Some(&self.layers)
    }

    fn number(&self, _: &G, state: &G::State) -> Option<usize> {
        self.states.get_index_of(state)
    }

    fn state(&self, _: &G, number: usize) -> G::State {
        self.states[number].clone()
    }

    #[inline]
    fn row<'a>(&'a self, _: &'a G, number: usize, _: &'a mut Scratch<G>) -> Result<Row<'a>, Error> {
        Ok(self.rows.row(number))
    }
}

impl<G: Game + ?Sized> std::fmt::Debug for Explored<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (choices, outcomes) = self.rows.totals();
        write!(
            f,
            "Explored({} states, {} choices, {} outcomes)",
            self.order.len(),
            choices,
            outcomes
        )
    }
}
