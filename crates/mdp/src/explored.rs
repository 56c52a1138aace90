//! The states of a game found by following it from a start.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::model::{Model, Row, Scratch, write_spans};
use crate::progress::Observer;
use crate::rows::Rows;
use crate::{Error, Game, Phase};

/// All states reachable from a start, interned in the order they were met, so
/// that every run is the same.
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
    /// Outcomes before the states they follow from.
    order: Vec<u32>,
}

/// Where the depth-first search stands with a state.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mark {
    Met,
    /// On the current path: meeting it again closes a cycle.
    Open,
    Done,
}

/// A state on the current path and the outcome to be followed next.
struct Frame {
    number: u32,
    next: usize,
}

impl<G: Game + ?Sized> Explored<G> {
    /// Follows `game` from `start`, depth first, with an explicit stack.
    pub(crate) fn explore(
        game: &G,
        start: G::State,
        max_states: usize,
        observer: &mut Observer<'_>,
    ) -> Result<Self, Error> {
        let mut model = Explored {
            states: IndexSet::default(),
            rows: Rows::default(),
            order: Vec::new(),
        };
        let max_states = max_states.min(u32::MAX as usize);
        let mut scratch = Scratch::new();
        let mut marks = Vec::new();
        model.intern(start, max_states)?;
        model.expand(game, 0, max_states, &mut scratch)?;
        let mut expanded = 1;
        marks.push(Mark::Open);
        let mut path = vec![Frame { number: 0, next: 0 }];
        while let Some(frame) = path.last_mut() {
            let number = frame.number as usize;
            if frame.next == model.rows.successors(number) {
                marks[number] = Mark::Done;
                model.order.push(frame.number);
                path.pop();
                continue;
            }
            let child = model.rows.successor(number, frame.next);
            frame.next += 1;
            marks.resize(model.states.len(), Mark::Met);
            match marks[child as usize] {
                Mark::Done => {}
                Mark::Met => {
                    model.expand(game, child, max_states, &mut scratch)?;
                    // Counted on the way down: a game without end never comes back up.
                    expanded += 1;
                    observer.tick(Phase::Exploring, expanded, None)?;
                    marks[child as usize] = Mark::Open;
                    path.push(Frame {
                        number: child,
                        next: 0,
                    });
                }
                Mark::Open => return Err(model.cycle(&path, child)),
            }
        }
        let found = model.order.len();
        observer.tick(Phase::Exploring, found, Some(found))?;
        Ok(model)
    }

    fn intern(&mut self, state: G::State, max_states: usize) -> Result<u32, Error> {
        let (number, new) = self.states.insert_full(state);
        if new {
            if number >= max_states {
                return Err(Error::TooManyStates { limit: max_states });
            }
            self.rows.reserve();
        }
        Ok(number as u32)
    }

    fn expand(
        &mut self,
        game: &G,
        number: u32,
        max_states: usize,
        scratch: &mut Scratch<G>,
    ) -> Result<(), Error> {
        let state = self.states[number as usize].clone();
        scratch.node.fill(game, &state)?;
        if let Some(score) = scratch.node.score() {
            self.rows.put_score(number as usize, score.clone());
            return Ok(());
        }
        scratch.spans.clear();
        scratch.outcomes.clear();
        write_spans(
            &scratch.node,
            number,
            &mut scratch.spans,
            &mut scratch.outcomes,
            || format!("{state:?}"),
            |successor| match self.states.get_index_of(successor) {
                Some(known) => Ok(known as u32),
                None => self.intern(successor.clone(), max_states),
            },
        )?;
        self.rows
            .put(number as usize, &scratch.spans, &mut scratch.outcomes);
        Ok(())
    }

    fn cycle(&self, path: &[Frame], back: u32) -> Error {
        let start = path.iter().position(|f| f.number == back).unwrap_or(0);
        let round = path[start..].iter().map(|frame| frame.number);
        Error::Cycle {
            path: round
                .chain([back])
                .map(|number| format!("{:?}", self.states[number as usize]))
                .collect(),
        }
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

    fn number(&self, _: &G, state: &G::State) -> Option<usize> {
        self.states.get_index_of(state)
    }

    fn state(&self, _: &G, number: usize) -> G::State {
        self.states[number].clone()
    }

    #[inline]
    fn row<'a>(&'a self, _: &G, number: usize, _: &'a mut Scratch<G>) -> Result<Row<'a>, Error> {
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
