//! The states of a game, interned, and their matrices.

use indexmap::IndexSet;
use num_bigint::BigUint;
use num_integer::Integer;
use rustc_hash::FxBuildHasher;

use super::order::outcomes_first;
use super::{Meeting, Simultaneous};
use crate::limits::{Limits, UNSEEN};
use crate::odds::Wide;
use crate::order::way_round;
use crate::page::Full;
use crate::progress::Observer;
use crate::{Error, Phase, Score};

/// All states that can be reached from a start, numbered in the order in which they were found.
pub(super) struct Explored<S> {
    pub(super) states: IndexSet<S, FxBuildHasher>,
    shapes: Vec<Shape>,
    scores: Vec<Score>,
    /// Where the outcomes of each cell begin. There is one more entry than there are cells.
    starts: Vec<u32>,
    /// The total weight of each cell; 0 for a cell with wide weights, whose first weight is then an
    /// index into `wide`.
    totals: Vec<u64>,
    targets: Vec<u32>,
    weights: Vec<u64>,
    wide: Vec<Wide>,
    /// The states in an order in which outcomes come before the states that lead to them.
    pub(super) order: Vec<u32>,
}

/// The matrix of a state. Without rows, `first` is the number of its score.
#[derive(Clone, Copy, Debug)]
struct Shape {
    rows: u32,
    columns: u32,
    first: u32,
}

/// The content of a state.
pub(super) enum Page<'a> {
    Ended(&'a Score),
    Open(Cells<'a>),
}

/// The matrix of a state: for each cell, row by row, the numbers of the states that it may lead to,
/// and their weights.
#[derive(Clone, Copy, Debug)]
pub struct Cells<'a> {
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// One more entry than there are cells.
    starts: &'a [u32],
    totals: &'a [u64],
    targets: &'a [u32],
    weights: &'a [u64],
    wide: &'a [Wide],
}

/// The weights of the outcomes of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) enum Weighed<'a> {
    /// Weights and their sum.
    Narrow(&'a [u64], u64),
    Wide(&'a Wide),
}

impl<'a> Cells<'a> {
    pub(super) fn len(&self) -> usize {
        self.totals.len()
    }

    /// Returns the targets of a cell and their weights.
    #[inline]
    pub(super) fn cell(&self, cell: usize) -> (&'a [u32], Weighed<'a>) {
        let outcomes = self.starts[cell] as usize..self.starts[cell + 1] as usize;
        let weights = &self.weights[outcomes.clone()];
        let weighed = match self.totals[cell] {
            0 => Weighed::Wide(&self.wide[weights[0] as usize]),
            total => Weighed::Narrow(weights, total),
        };
        (&self.targets[outcomes], weighed)
    }
}

impl<S: Clone + Eq + std::hash::Hash + std::fmt::Debug> Explored<S> {
    /// Explores `game` breadth first from `start`. With `tidy`, weights are divided by their
    /// greatest common divisor.
    pub(super) fn explore<G: Simultaneous<State = S> + ?Sized>(
        game: &G,
        start: S,
        limits: Limits,
        tidy: bool,
        observer: &mut Observer<'_>,
    ) -> Result<Self, Error> {
        let limit = limits.states.min(u32::MAX as usize);
        let few = || Error::TooManyStates { limit };
        if limit == 0 {
            return Err(few());
        }
        let mut explored = Explored {
            states: IndexSet::default(),
            shapes: Vec::new(),
            scores: Vec::new(),
            starts: vec![0],
            totals: Vec::new(),
            targets: Vec::new(),
            weights: Vec::new(),
            wide: Vec::new(),
            order: Vec::new(),
        };
        explored.states.insert(start);
        let mut page = Meeting::new();
        while let Some(state) = explored.states.get_index(explored.shapes.len()) {
            let state = state.clone();
            let (kept, done) = (explored.targets.len(), explored.shapes.len());
            let size = size_of::<(S, u64)>();
            page.fill(game, &state, limits.room(size, kept))
                .map_err(|error| limits.passed(error, size, kept, done))?;
            explored.write(game, &page, &state, limit, tidy)?;
            let found = explored.shapes.len();
            // A few states can have as many outcomes as thousands of others.
            let many = explored.targets.len() / UNSEEN > kept / UNSEEN;
            if many || found.is_multiple_of(4096) {
                explored.check_room(limits.bytes)?;
            }
            observer.tick(Phase::Exploring, found, None)?;
        }
        explored.check_room(limits.bytes)?;
        let count = explored.shapes.len();
        observer.tick(Phase::Exploring, count, Some(count))?;
        explored.order =
            outcomes_first(count, |number| explored.successors(number)).map_err(|round| {
                Error::CycleOfMeetings {
                    path: way_round(&round, |number| {
                        game.describe(&explored.states[number as usize])
                    }),
                }
            })?;
        Ok(explored)
    }

    fn write<G: Simultaneous<State = S> + ?Sized>(
        &mut self,
        game: &G,
        page: &Meeting<G>,
        state: &S,
        limit: usize,
        tidy: bool,
    ) -> Result<(), Error> {
        if let Some(score) = page.score() {
            self.shapes.push(Shape {
                rows: 0,
                columns: 0,
                first: self.scores.len() as u32,
            });
            self.scores.push(score.clone());
            return Ok(());
        }
        let own = self.shapes.len() as u32;
        let first = self.totals.len();
        let (rows, columns) = page.shape();
        for (cell, outcomes) in page.cells() {
            let start = self.targets.len();
            let mut leaving = cell.total;
            let wide = page.wide(&cell);
            let (mut going, mut staying) = (Vec::new(), BigUint::ZERO);
            for (place, (successor, weight)) in outcomes.iter().enumerate() {
                let target = match self.states.get_index_of(successor) {
                    Some(known) => known as u32,
                    None if self.states.len() >= limit => {
                        return Err(Error::TooManyStates { limit });
                    }
                    None => self.states.insert_full(successor.clone()).0 as u32,
                };
                if target == own {
                    if page.both_decide() {
                        return Err(Error::MeetingStays {
                            state: game.describe(state),
                            cell: page.label(cell.row, cell.column),
                        });
                    }
                    match wide {
                        None => leaving -= weight,
                        Some(wide) => staying += &wide[place],
                    }
                    continue;
                }
                self.targets.push(target);
                self.weights.push(*weight);
                going.extend(wide.map(|wide| wide[place].clone()));
            }
            if self.targets.len() == start {
                return Err(Error::Malformed {
                    state: game.describe(state),
                    what: "an action, or chance, leads back to it for certain",
                });
            }
            let total = if wide.is_some() {
                let wide = Wide::new(going, staying);
                // The weights are too far apart for floats.
                if !tidy && wide.floats.is_empty() {
                    return Err(Error::WeightsBeyondFloat {
                        state: game.describe(state),
                        action: page.label(cell.row, cell.column),
                    });
                }
                self.weights[start] = self.wide.len() as u64;
                self.wide.push(wide);
                0
            } else if tidy {
                reduce(&mut self.weights[start..], leaving)
            } else {
                leaving
            };
            self.totals.push(total);
            self.starts.push(self.targets.len() as u32);
        }
        if u32::try_from(self.targets.len().max(self.totals.len())).is_err() {
            return Err(Full.among(self.states.len()));
        }
        self.shapes.push(Shape {
            rows: rows as u32,
            columns: columns as u32,
            first: first as u32,
        });
        Ok(())
    }

    /// Returns an error if the matrices need more than `max_bytes`.
    fn check_room(&self, max_bytes: u128) -> Result<(), Error> {
        let needed = self.bytes();
        if needed > max_bytes {
            return Err(Error::TooMuchMemory {
                what: "their outcomes",
                states: self.shapes.len(),
                needed,
                limit: max_bytes,
            });
        }
        Ok(())
    }

    /// Returns the approximate size of the matrices in bytes, without the states and wide weights.
    fn bytes(&self) -> u128 {
        let bytes = size_of::<Shape>() * self.shapes.len()
            + size_of::<Score>() * self.scores.len()
            + (size_of::<u32>() + size_of::<u64>()) * (self.totals.len() + self.targets.len());
        bytes as u128
    }

    #[inline]
    pub(super) fn page(&self, number: usize) -> Page<'_> {
        let Shape {
            rows,
            columns,
            first,
        } = self.shapes[number];
        let first = first as usize;
        if rows == 0 {
            return Page::Ended(&self.scores[first]);
        }
        let (rows, columns) = (rows as usize, columns as usize);
        let cells = rows * columns;
        Page::Open(Cells {
            rows,
            columns,
            starts: &self.starts[first..=first + cells],
            totals: &self.totals[first..first + cells],
            targets: &self.targets,
            weights: &self.weights,
            wide: &self.wide,
        })
    }

    /// Returns all outcomes of all cells of a state.
    fn successors(&self, number: usize) -> &[u32] {
        match self.page(number) {
            Page::Ended(_) => &[],
            Page::Open(cells) => {
                let range = cells.starts[0] as usize..cells.starts[cells.len()] as usize;
                &self.targets[range]
            }
        }
    }
}

/// Divides weights by their greatest common divisor and returns their sum.
fn reduce(weights: &mut [u64], total: u64) -> u64 {
    let mut divisor = total;
    for weight in weights.iter() {
        if divisor == 1 {
            return total;
        }
        divisor = divisor.gcd(weight);
    }
    if divisor > 1 {
        weights.iter_mut().for_each(|weight| *weight /= divisor);
    }
    total / divisor.max(1)
}
