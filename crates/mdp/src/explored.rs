//! The states of a game found by following it from a start.

use indexmap::IndexSet;
use num_integer::Integer;
use rustc_hash::FxBuildHasher;

use crate::model::{Model, Row, Scratch, Span, write_spans};
use crate::progress::Observer;
use crate::{Error, Game, Phase, Score};

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
    rows: Vec<Place>,
    spans: Vec<Span>,
    outcomes: Vec<(u32, u64)>,
    scores: Vec<Score>,
    /// Outcomes before the states they follow from.
    order: Vec<u32>,
}

/// Where a state's row lies. An ended state has no span; `outcome` is then the
/// number of its score.
#[derive(Clone, Copy, Debug)]
struct Place {
    span: usize,
    spans: u32,
    outcome: usize,
    outcomes: u32,
    mark: Mark,
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
            rows: Vec::new(),
            spans: Vec::new(),
            outcomes: Vec::new(),
            scores: Vec::new(),
            order: Vec::new(),
        };
        let max_states = max_states.min(u32::MAX as usize);
        let mut scratch = Scratch::new();
        model.intern(start, max_states)?;
        model.expand(game, 0, max_states, &mut scratch)?;
        let mut path = vec![model.frame(0)];
        while let Some(frame) = path.last_mut() {
            let place = model.rows[frame.number as usize];
            let end = place.outcome + place.outcomes as usize;
            if place.spans == 0 || frame.next == end {
                model.rows[frame.number as usize].mark = Mark::Done;
                model.order.push(frame.number);
                observer.tick(Phase::Exploring, model.order.len(), None)?;
                path.pop();
                continue;
            }
            let child = model.outcomes[frame.next].0;
            frame.next += 1;
            match model.rows[child as usize].mark {
                Mark::Done => {}
                Mark::Met => {
                    model.expand(game, child, max_states, &mut scratch)?;
                    path.push(model.frame(child));
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
            self.rows.push(Place {
                span: 0,
                spans: 0,
                outcome: 0,
                outcomes: 0,
                mark: Mark::Met,
            });
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
        let mut place = self.rows[number as usize];
        place.mark = Mark::Open;
        if let Some(score) = scratch.node.score() {
            place.outcome = self.scores.len();
            self.scores.push(score.clone());
            self.rows[number as usize] = place;
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
        place.span = self.spans.len();
        place.spans = scratch.spans.len() as u32;
        place.outcome = self.outcomes.len();
        for span in &scratch.spans {
            let written = &mut scratch.outcomes[span.start as usize..span.end as usize];
            let start = self.outcomes.len();
            let divisor = merge_into(written, span, &mut self.outcomes);
            self.spans.push(Span {
                start: (start - place.outcome) as u32,
                end: (self.outcomes.len() - place.outcome) as u32,
                choice: span.choice,
                leaving: span.leaving / divisor,
                staying: span.staying / divisor,
            });
        }
        place.outcomes = (self.outcomes.len() - place.outcome) as u32;
        self.rows[number as usize] = place;
        Ok(())
    }

    fn frame(&self, number: u32) -> Frame {
        Frame {
            number,
            next: self.rows[number as usize].outcome,
        }
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

/// Appends the outcomes of one choice, equal ones merged and the weights
/// (staying included) divided by their common divisor, which is returned:
/// smaller denominators make every later number shorter.
fn merge_into(written: &mut [(u32, u64)], span: &Span, to: &mut Vec<(u32, u64)>) -> u64 {
    let start = to.len();
    // For a handful of outcomes looking back beats sorting.
    if written.len() <= 16 {
        for &mut (number, weight) in written {
            match to[start..].iter_mut().find(|seen| seen.0 == number) {
                Some(seen) => seen.1 += weight,
                None => to.push((number, weight)),
            }
        }
    } else {
        written.sort_unstable_by_key(|outcome| outcome.0);
        for &mut (number, weight) in written {
            match to[start..].last_mut() {
                Some(seen) if seen.0 == number => seen.1 += weight,
                _ => to.push((number, weight)),
            }
        }
    }
    let mut divisor = span.staying;
    for outcome in &to[start..] {
        divisor = divisor.gcd(&outcome.1);
        if divisor == 1 {
            return 1;
        }
    }
    for outcome in &mut to[start..] {
        outcome.1 /= divisor;
    }
    divisor
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
        let place = &self.rows[number];
        if place.spans == 0 {
            return Ok(Row::new(Some(&self.scores[place.outcome]), &[], &[]));
        }
        Ok(Row::new(
            None,
            &self.spans[place.span..place.span + place.spans as usize],
            &self.outcomes[place.outcome..place.outcome + place.outcomes as usize],
        ))
    }
}

impl<G: Game + ?Sized> std::fmt::Debug for Explored<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Explored({} states, {} choices, {} outcomes)",
            self.order.len(),
            self.spans.len(),
            self.outcomes.len()
        )
    }
}
