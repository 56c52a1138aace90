//! Empty chunks of values, passed on from one induction to the next.
//!
//! If they were freed instead, small allocations would split their memory, and the allocator would
//! have to get new chunks from the system: the process would take up to a fifth more than the
//! limit, however exactly chunks are counted.

use std::cell::Cell;

use crate::solver::tables::folded::Store;

/// The chunks that no induction holds. One induction at a time has them.
#[derive(Default)]
pub(crate) struct Chunks(Cell<Vec<Vec<f64>>>);

impl Chunks {
    /// Lends all chunks to a store.
    pub(crate) fn lend(&self, store: &mut Store) {
        store.empty().append(&mut self.0.take());
    }

    /// Takes the empty chunks of a store that makes nothing more.
    pub(crate) fn take_back(&self, store: &mut Store) {
        let mut chunks = self.0.take();
        chunks.append(store.empty());
        self.0.set(chunks);
    }

    /// Takes all chunks of a store that is not read any more.
    pub(crate) fn take_all(&self, store: &mut Store) {
        store.empty_all();
        self.take_back(store);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_passed_on() {
        let (chunks, mut store) = (Chunks::default(), Store::default());
        let data = vec![0.5; 1 << 17];
        for _ in 0..7 {
            store.push(&data);
        }
        // The first chunk has grown to the size of the others. Two tables fill one.
        chunks.take_back(&mut store);
        assert_eq!(chunks.0.take().len(), 0);
        chunks.take_all(&mut store);
        let mut next = Store::default();
        chunks.lend(&mut next);
        assert_eq!((next.left(), store.left()), (4 << 21, 0));
        assert!(next.empty().iter().all(Vec::is_empty));
        next.push(&data);
        // The first chunk of a store begins with nothing.
        assert_eq!(next.left(), 4 << 21);
        next.push(&data);
        next.push(&data);
        assert_eq!(next.left(), 3 << 21);
    }
}
