//! The states of a game, found rank by rank.

use std::collections::BTreeMap;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::limits::Limits;
use crate::model::{Model, Row, Scratch};
use crate::progress::Observer;
use crate::rows::{Rows, RowsWriter};
use crate::{Error, Phase, Ranked};

/// All states reachable from a start, with those of one rank together.
///
/// # Examples
/// The rank is the number of rolls left:
/// ```
#[doc = include_str!("../docs/keep_or_roll.txt")]
/// # use oddsmith_mdp::Ranked;
/// # impl Ranked for KeepOrRoll {
/// #     fn rank(&self, &(left, _): &(u8, u8)) -> u64 { left.into() }
/// # }
/// use oddsmith_mdp::{ByRank, Exact, Solution};
/// let solution: Solution<'_, KeepOrRoll, Exact, ByRank<KeepOrRoll>> =
///     Solver::exact().solve_ranked(&KeepOrRoll, (2, 0))?;
/// let ranks: Vec<u8> = solution.states().map(|((left, _), _)| left).collect();
/// assert_eq!(ranks, [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ByRank<G: Ranked + ?Sized> {
    shelves: Shelves<G::State>,
    rows: Rows,
    /// The states in ascending order of their ranks.
    order: Vec<u32>,
    /// Where each rank ends in the order.
    layers: Vec<u32>,
}

/// The states of one rank, in the order in which they were found, and their numbers.
struct Shelf<S> {
    states: IndexSet<S, FxBuildHasher>,
    numbers: Vec<u32>,
}

/// States by rank. A table for a single rank is short and stays in the cache while states are
/// found, unlike one for all states.
struct Shelves<S> {
    shelves: Vec<Shelf<S>>,
    /// The shelf of each rank.
    of_rank: FxHashMap<u64, u32>,
    /// The shelf of each number, and its place there.
    homes: Vec<(u32, u32)>,
}

impl<S: Clone + Eq + std::hash::Hash> Shelves<S> {
    fn number(&self, rank: u64, state: &S) -> Option<u32> {
        let shelf = &self.shelves[*self.of_rank.get(&rank)? as usize];
        let place = shelf.states.get_index_of(state)?;
        Some(shelf.numbers[place])
    }

    /// Returns the shelf of a rank. A new shelf is passed to `new`.
    fn shelf(&mut self, rank: u64, new: impl FnOnce(u32)) -> u32 {
        let next = self.shelves.len() as u32;
        *self.of_rank.entry(rank).or_insert_with(|| {
            self.shelves.push(Shelf {
                states: IndexSet::default(),
                numbers: Vec::new(),
            });
            new(next);
            next
        })
    }

    /// Returns the number of a state on this shelf, a new one if the state is new and there are
    /// fewer than `limit`.
    fn met(&mut self, shelf: u32, state: &S, limit: usize) -> Result<u32, Error> {
        let Shelf { states, numbers } = &mut self.shelves[shelf as usize];
        if let Some(place) = states.get_index_of(state) {
            return Ok(numbers[place]);
        }
        let number = self.homes.len();
        if number >= limit {
            return Err(Error::TooManyStates { limit });
        }
        self.homes.push((shelf, states.len() as u32));
        states.insert(state.clone());
        numbers.push(number as u32);
        Ok(number as u32)
    }
}

impl<G: Ranked + ?Sized> ByRank<G> {
    /// Explores `game` from `start`, in descending order of the ranks.
    pub(crate) fn explore(
        game: &G,
        start: G::State,
        limits: Limits,
        observer: &mut Observer<'_>,
    ) -> Result<Self, Error> {
        let limit = limits.states.min(u32::MAX as usize);
        let mut shelves = Shelves {
            shelves: Vec::new(),
            of_rank: FxHashMap::default(),
            homes: Vec::new(),
        };
        // Ranks whose states are yet to be expanded.
        let mut open = BTreeMap::new();
        let rank = game.rank(&start);
        let shelf = shelves.shelf(rank, |shelf| {
            open.insert(rank, shelf);
        });
        shelves.met(shelf, &start, limit)?;
        let mut rows = RowsWriter::default();
        rows.reserve();
        let mut scratch = Scratch::new();
        let (mut done, mut expanded) = (0, Vec::new());
        while let Some((rank, shelf)) = open.pop_last() {
            expanded.push(shelf);
            for place in 0..shelves.shelves[shelf as usize].numbers.len() {
                let home = &shelves.shelves[shelf as usize];
                let (state, own) = (home.states[place].clone(), home.numbers[place]);
                limits.fill(&mut scratch.node, game, &state, rows.outcomes(), done)?;
                scratch.page.write(
                    &scratch.node,
                    own,
                    true,
                    || game.describe(&state),
                    |successor| {
                        let lower = game.rank(successor);
                        if lower >= rank {
                            if *successor == state {
                                return Ok(own);
                            }
                            return Err(Error::RankNotLower {
                                state: game.describe(&state),
                                rank,
                                successor: game.describe(successor),
                                successor_rank: lower,
                            });
                        }
                        let shelf = shelves.shelf(lower, |shelf| {
                            open.insert(lower, shelf);
                        });
                        shelves.met(shelf, successor, limit)
                    },
                )?;
                // Rows are stored in the order of ranks, not of numbers.
                for _ in rows.rows().len()..shelves.homes.len() {
                    rows.reserve();
                }
                let score = scratch.node.score();
                rows.put_page(own as usize, &scratch.page, score)
                    .map_err(|full| full.among(shelves.homes.len()))?;
                done += 1;
                rows.check_room(done, limits.bytes)?;
                observer.tick(Phase::Exploring, done, None)?;
            }
        }
        rows.check_all(done, limits.bytes)?;
        observer.tick(Phase::Exploring, done, Some(done))?;
        let (mut order, mut layers) = (Vec::with_capacity(done), Vec::new());
        for &shelf in expanded.iter().rev() {
            order.extend_from_slice(&shelves.shelves[shelf as usize].numbers);
            layers.push(order.len() as u32);
        }
        Ok(ByRank {
            shelves,
            rows: rows.finish(),
            order,
            layers,
        })
    }
}

impl<G: Ranked + ?Sized> Model<G> for ByRank<G> {
    fn len(&self) -> usize {
        self.order.len()
    }

    #[inline]
    fn at(&self, place: usize) -> usize {
        self.order[place] as usize
    }

    fn rows<'a>(&'a self, _: &'a G) -> Option<&'a Rows> {
        Some(&self.rows)
    }

    fn layers(&self) -> Option<&[u32]> {
        Some(&self.layers)
    }

    fn number(&self, game: &G, state: &G::State) -> Option<usize> {
        let number = self.shelves.number(game.rank(state), state)?;
        Some(number as usize)
    }

    fn state(&self, _: &G, number: usize) -> G::State {
        let (shelf, place) = self.shelves.homes[number];
        self.shelves.shelves[shelf as usize].states[place as usize].clone()
    }

    #[inline]
    fn row<'a>(&'a self, _: &'a G, number: usize, _: &'a mut Scratch<G>) -> Result<Row<'a>, Error> {
        Ok(self.rows.row(number))
    }
}

impl<G: Ranked + ?Sized> std::fmt::Debug for ByRank<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (choices, outcomes) = self.rows.totals();
        write!(
            f,
            "ByRank({} states, {} ranks, {choices} choices, {outcomes} outcomes)",
            self.order.len(),
            self.layers.len(),
        )
    }
}
