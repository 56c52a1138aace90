//! Backward induction with several threads.
//!
//! States of one layer do not lead to each other, so their values can be computed at the same time
//! from those of the layers below. Threads compute chunks of a layer into slots of their own; a
//! single thread then copies the slots to their destinations. The copy costs little compared with
//! the arithmetic. It keeps all values in one place, and every result is the same as without
//! threads, since it is computed from the same numbers by the same operations.

use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};

use super::{Values, decide, end, unheld};
use crate::layers::Layers;
use crate::model::Model;
use crate::number::{Store, Unheld, Verdict};
use crate::progress::Observer;
use crate::rows::Rows;
use crate::threads::Pool;
use crate::{Error, Game, Phase, Player, Tolerance};

/// The number of states below which one thread computes a layer, since waking the others takes as
/// long.
const SMALL: usize = 512;
/// The minimum and maximum number of states of a chunk.
const CHUNK: (usize, usize) = (128, 1024);
/// The number of chunks per thread at a time, so that a slow thread does not delay the others.
const EACH: usize = 8;

/// Some states of a layer, and the results for them.
struct Chunk<S: Store> {
    numbers: Vec<u32>,
    /// One slot for each state, and a spare one. They are kept when a chunk is reused.
    slots: Vec<S::Slot>,
    spare: S::Slot,
    /// `None` where the game ends.
    found: Vec<Option<Found>>,
    /// The choice that could not be appraised, which belongs to the state after the last one found.
    failure: Option<(usize, Unheld)>,
}

#[derive(Clone, Copy)]
struct Found {
    choice: u16,
    player: Player,
    verdict: Verdict,
}

impl<S: Store> Chunk<S> {
    fn new(store: &S) -> Self {
        Chunk {
            numbers: Vec::new(),
            slots: Vec::new(),
            spare: store.slot(),
            found: Vec::new(),
            failure: None,
        }
    }

    fn compute(&mut self, store: &S, rows: &Rows, tolerance: &Tolerance) {
        self.found.clear();
        if self.slots.len() < self.numbers.len() {
            self.slots.resize(self.numbers.len(), self.spare.clone());
        }
        for (&number, best) in self.numbers.iter().zip(&mut self.slots) {
            let number = number as usize;
            let row = rows.row(number);
            if row.score.is_some() {
                self.found.push(None);
                continue;
            }
            match decide(store, number, &row, tolerance, best, &mut self.spare) {
                Ok((choice, verdict)) => {
                    // Settled here and not when it is written, since this may be a division.
                    store.settle(best);
                    self.found.push(Some(Found {
                        choice,
                        player: row.player,
                        verdict,
                    }));
                }
                Err(failure) => {
                    self.failure = Some(failure);
                    return;
                }
            }
        }
    }
}

/// Computes a model without cycles, layer by layer.
pub(super) fn solve<G: Game + ?Sized, M: Model<G>, S: Store>(
    game: &G,
    model: &M,
    rows: &Rows,
    tolerance: &Tolerance,
    values: Values<S>,
    pool: &Pool,
    observer: &mut Observer<'_>,
) -> Result<Values<S>, Error> {
    let known = model.layers().map(<[u32]>::to_vec);
    let found = match known.or_else(|| Layers::runs(model, rows, SMALL)) {
        Some(ends) => Layers {
            // In the order of the model.
            order: Vec::new(),
            ends,
        },
        None => Layers::find(model, rows),
    };
    let at = |place: usize| match found.order.get(place) {
        Some(&number) => number,
        None => model.at(place) as u32,
    };
    let Values {
        mut store,
        mut decisions,
    } = values;
    let mut chunks: Vec<Chunk<S>> = Vec::new();
    chunks.resize_with(pool.threads() * EACH, || Chunk::new(&store));
    let (mut place, total) = (0, model.len());
    for &end_of_layer in &found.ends {
        let end_of_layer = end_of_layer as usize;
        while place < end_of_layer {
            let left = end_of_layer - place;
            let size = left.div_ceil(chunks.len()).clamp(CHUNK.0, CHUNK.1);
            let used = left.div_ceil(size).min(chunks.len());
            let mut next = place;
            for chunk in &mut chunks[..used] {
                let end = (next + size).min(end_of_layer);
                chunk.numbers.clear();
                chunk.numbers.extend((next..end).map(at));
                next = end;
            }
            let chunks = &mut chunks[..used];
            if left < SMALL {
                for chunk in &mut *chunks {
                    chunk.compute(&store, rows, tolerance);
                }
            } else {
                let store = &store;
                pool.run(|| {
                    let chunks = chunks.par_iter_mut();
                    chunks.for_each(|chunk| chunk.compute(store, rows, tolerance));
                });
            }
            for chunk in chunks {
                let states = chunk.numbers.iter().zip(&mut chunk.slots);
                for ((&number, best), found) in states.zip(&chunk.found) {
                    let number = number as usize;
                    if let Some(found) = found {
                        store.put(number, best, found.player, found.verdict);
                        decisions[number] = found.choice;
                    } else if let Some(score) = rows.row(number).score {
                        end(game, model, &mut store, number, score)?;
                    }
                    place += 1;
                    observer.tick(Phase::Solving, place, Some(total))?;
                }
                if let Some((choice, why)) = chunk.failure {
                    let state = model.state(game, at(place) as usize);
                    return Err(unheld(why, game, &state, choice));
                }
            }
        }
    }
    Ok(Values { store, decisions })
}
