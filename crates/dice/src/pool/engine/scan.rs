//! The pass over the faces, which knows faces and states only by index.

use super::cells::Cells;
use super::number::Number;
use super::plan::Plan;
use super::side::Side;
use crate::Error;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// An evaluator whose states are numbered from 0 at each face.
pub trait Reading {
    /// Proceeds to a face. The states found last are those to continue from.
    fn turn(&mut self, face: usize);
    /// Returns the number of the following state.
    fn next(&mut self, state: u32, counts: &[i64]) -> u32;
    /// Returns the number of states found at this face.
    fn states(&self) -> usize;
    /// Returns an upper bound on the size of a state in words.
    fn state_words(&self) -> u128;
}

/// The states that follow a state, by counts.
#[derive(Debug)]
struct Followers {
    /// For each number of the counts, the state for which it was found and the following state.
    table: Vec<(u32, u32)>,
    /// Used if there are too many counts for a table.
    map: IndexMap<(u32, usize), u32, FxBuildHasher>,
}

/// The number of counts up to which following states are kept in a table.
const TABLE: usize = 1 << 16;

impl Followers {
    fn new(values: usize) -> Self {
        Followers {
            table: vec![(u32::MAX, 0); if values <= TABLE { values } else { 0 }],
            map: IndexMap::default(),
        }
    }

    fn clear(&mut self) {
        self.table.fill((u32::MAX, 0));
        self.map.clear();
    }

    fn get(&self, state: u32, value: usize) -> Option<u32> {
        match self.table.get(value) {
            Some(&(of, follower)) => (of == state).then_some(follower),
            None => self.map.get(&(state, value)).copied(),
        }
    }

    fn set(&mut self, state: u32, value: usize, follower: u32) {
        match self.table.get_mut(value) {
            Some(entry) => *entry = (state, follower),
            None => {
                // The map only serves the current state; otherwise it would hold all states by all
                // counts.
                if self.map.len() >= TABLE {
                    self.map.clear();
                }
                self.map.insert((state, value), follower);
            }
        }
    }
}

/// The number of products that count as a word of memory, so that a limit bounds time as well.
const PRODUCTS_A_WORD: u128 = 32;

/// The cost of a following state in products, since it is created and looked up.
const PRODUCTS_A_STATE: u128 = 32;

/// The number of moves of a pool kept at a time.
const MOST_MOVES: u128 = 1 << 20;
/// The part of the limit that these moves may take.
const MOVES_PART: u128 = 8;
/// The words of a move in addition to its factor.
const MOVE: u128 = 2;

/// The number of products between two checks of the limit.
const CHUNK: usize = 1 << 12;

/// The state of a scan.
struct Pass<'a, V> {
    sides: Vec<Side<V>>,
    reading: &'a mut dyn Reading,
    next: Cells<V>,
    followers: Followers,
    counts: Vec<i64>,
    /// The sizes of a number and of a state.
    number_words: u128,
    state_words: u128,
    /// The size of the cells and states that are processed.
    held_words: u128,
    /// The size of the tables and of the moves.
    table_words: u128,
    move_words: u128,
    products: u128,
    limit: u64,
    face: usize,
    faces: usize,
    /// For each side: the ways so far, the place, the number of the counts, and the moves to try.
    levels: Vec<Level<V>>,
}

struct Level<V> {
    ways: V,
    to: u64,
    value: usize,
    start: usize,
    at: usize,
    end: usize,
}

/// The ways to each final state.
type Found<V> = Vec<([u32; 2], V)>;

/// Reads the pools of a plan, and returns the products so far, too.
///
/// # Errors
/// [`Error::TooLarge`] and [`Error::TooManyStates`].
pub(super) fn read<V: Number>(
    plan: &Plan<V::Weight>,
    reading: &mut dyn Reading,
    total_words: u128,
) -> Result<(Found<V>, u128), Error> {
    let too_large = || Error::TooLarge {
        operation: "tracking which dice of a mixed pool are left".to_owned(),
        words: 1 << 32,
        limit: plan.limit,
    };
    let mut sides = Vec::with_capacity(plan.pools.len());
    let (mut places, mut values) = (1_u64, 1_usize);
    let (mut place, mut ways) = (0, V::one());
    for pool in &plan.pools {
        let mut side = Side::<V>::new(pool, plan.faces, plan.descending).ok_or_else(too_large)?;
        (side.radix, side.value_radix) = (places, values);
        places = places
            .checked_mul(side.places)
            .filter(|&places| places >> 32 == 0)
            .ok_or_else(too_large)?;
        values = values
            .checked_mul(side.values.len())
            .ok_or_else(too_large)?;
        let start = side.start();
        place += start.0;
        ways = ways.times(start.1);
        sides.push(side);
    }
    let mut cells = Cells::new(places);
    cells.admit(0);
    cells.add_product(0, place, &ways, &V::one());
    let number_words = size_of::<V>().div_ceil(8) as u128;
    // Big integers store their digits elsewhere.
    let digits = if number_words == 3 { total_words } else { 0 };
    let mut pass = Pass {
        counts: vec![0; sides.len()],
        sides,
        number_words: number_words + digits,
        state_words: reading.state_words() + 4,
        reading,
        next: Cells::new(places),
        followers: Followers::new(values),
        held_words: 0,
        table_words: plan.words,
        move_words: 0,
        products: plan.products,
        limit: plan.limit,
        face: 0,
        faces: plan.faces,
        levels: Vec::new(),
    };
    for step in 0..plan.faces {
        let face = if plan.descending {
            plan.faces - 1 - step
        } else {
            step
        };
        let states = pass.reading.states() as u128;
        pass.held_words = cells.words(pass.number_words) + states * pass.state_words;
        pass.turn(step, face);
        cells.sort();
        cells.each(|state, place, ways| pass.leave(state, place, ways))?;
        std::mem::swap(&mut cells, &mut pass.next);
    }
    let products = pass.products;
    let mut found = Vec::new();
    cells.sort();
    cells.each(|state, _, ways| {
        found.push(([state, 0], ways.clone()));
        Ok(())
    })?;
    Ok((found, products))
}

impl<V: Number> Pass<'_, V> {
    fn turn(&mut self, step: usize, face: usize) {
        self.face = step + 1;
        self.reading.turn(face);
        for side in &mut self.sides {
            side.turn(face);
        }
        self.next.clear();
        self.followers.clear();
    }

    /// Continues from a cell in all ways.
    fn leave(&mut self, state: u32, place: u64, ways: &V) -> Result<(), Error> {
        let Some(last) = self.sides.len().checked_sub(1) else {
            return Ok(());
        };
        self.levels.clear();
        self.move_words = 0;
        let move_words = self.number_words + MOVE;
        let kept = u128::from(self.limit) / MOVES_PART / move_words;
        for side in &mut self.sides {
            let here = place / side.radix % side.places;
            // They are made from two lists of ways, of the same size.
            let most = u128::from(self.limit) / (3 * move_words);
            let kept = kept.min(MOST_MOVES) as usize;
            let Some(moves) = side.moves_from(here * side.radix, kept, most) else {
                return Err(Error::TooLarge {
                    operation: "continuing from one roll of a mixed pool in all ways".to_owned(),
                    words: (most + 1) * 3 * move_words,
                    limit: self.limit,
                });
            };
            self.move_words += side.all_moves().len() as u128 * move_words;
            self.levels.push(Level {
                ways: V::zero(),
                to: 0,
                value: 0,
                start: moves.start,
                at: moves.start,
                end: moves.end,
            });
        }
        self.levels[0].ways = ways.clone();
        let mut depth = 0;
        loop {
            if depth == last {
                self.finish(state)?;
            } else if self.levels[depth].at < self.levels[depth].end {
                let level = &self.levels[depth];
                let step = &self.sides[depth].all_moves()[level.at];
                let ways = level.ways.times(&step.factor);
                let (to, value) = (level.to + step.to, level.value + step.value);
                self.levels[depth].at += 1;
                depth += 1;
                let level = &mut self.levels[depth];
                (level.ways, level.to, level.value, level.at) = (ways, to, value, level.start);
                continue;
            }
            if depth == 0 {
                return Ok(());
            }
            depth -= 1;
        }
    }

    /// Makes all moves of the last pool, after the others have moved.
    fn finish(&mut self, state: u32) -> Result<(), Error> {
        let (Some(level), Some(side)) = (self.levels.last(), self.sides.last()) else {
            return Ok(());
        };
        let moves = &side.all_moves()[level.at..level.end];
        for moves in moves.chunks(CHUNK) {
            for step in moves {
                let value = level.value + step.value;
                let follower = match self.followers.get(state, value) {
                    Some(follower) => follower,
                    None => {
                        for (count, side) in self.counts.iter_mut().zip(&self.sides) {
                            let number = value / side.value_radix % side.values.len();
                            *count = side.values.get_index(number).copied().unwrap_or(0);
                        }
                        let follower = self.reading.next(state, &self.counts);
                        self.followers.set(state, value, follower);
                        self.next.admit(follower);
                        self.products += PRODUCTS_A_STATE;
                        follower
                    }
                };
                self.next
                    .add_product(follower, level.to + step.to, &level.ways, &step.factor);
            }
            self.products += moves.len() as u128 * self.next.effort();
            let states = self.reading.states();
            let words = self.table_words
                + self.move_words
                + self.held_words
                + self.next.words(self.number_words)
                + states as u128 * self.state_words
                + self.products / PRODUCTS_A_WORD;
            if words > u128::from(self.limit) {
                return Err(Error::TooManyStates {
                    face: self.face,
                    faces: self.faces,
                    states: states as u64,
                    words,
                    limit: self.limit,
                });
            }
        }
        Ok(())
    }
}
