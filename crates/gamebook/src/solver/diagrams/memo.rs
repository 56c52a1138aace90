//! Memo tables for results by small tuples of numbers, such as on one walk through diagrams.
//!
//! There are thousands of such walks per second, short and long. A new map for each would grow from
//! nothing every time. Here, everything from one walk is discarded at once, and the next walk
//! reuses the slots.

use crate::solver::diagrams::arena::{hash_of_words, home};

/// A hash table that can be cleared at once.
#[derive(Debug)]
struct Slots<T> {
    slots: Vec<Slot<T>>,
    len: usize,
    /// The current round: one for each walk, and one more whenever the table grows.
    round: u32,
}

#[derive(Clone, Copy, Debug)]
struct Slot<T> {
    item: T,
    /// Slots of other rounds are free.
    round: u32,
}

/// The least number of slots.
const FEWEST: usize = 1 << 6;
/// A walk that has filled less than this part of the slots leaves half of them to the next one,
/// since a small table has better locality.
const SPARSE: usize = 16;
/// After this many rounds, counting starts anew.
const LAST: u32 = u32::MAX - 64;

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Slots {
            slots: Vec::new(),
            len: 0,
            round: 1,
        }
    }
}

impl<T: Copy> Slots<T> {
    /// Finds an item.
    fn find(&self, hash: u64, same: impl Fn(&T) -> bool) -> Option<&T> {
        let slot = self.slots.get(self.place(hash, same))?;
        (slot.round == self.round).then_some(&slot.item)
    }

    /// Adds an item that was not found.
    fn insert(&mut self, item: T, hash: impl Fn(&T) -> u64) {
        if 3 * (self.len + 1) > 2 * self.slots.len() {
            self.grow(item, &hash);
        }
        self.put(item, &hash);
        self.len += 1;
    }

    fn grow(&mut self, any: T, hash: &impl Fn(&T) -> u64) {
        let slots = self.slots.iter().filter(|slot| slot.round == self.round);
        let filled: Vec<T> = slots.map(|slot| slot.item).collect();
        self.round += 1;
        let free = Slot {
            item: any,
            round: 0,
        };
        let more = (2 * self.slots.len()).max(FEWEST);
        self.slots.resize(more, free);
        for item in filled {
            self.put(item, hash);
        }
    }

    fn put(&mut self, item: T, hash: &impl Fn(&T) -> u64) {
        let (at, round) = (self.place(hash(&item), |_| false), self.round);
        self.slots[at] = Slot { item, round };
    }

    /// The slot of an item, or the free slot where it would be.
    fn place(&self, hash: u64, same: impl Fn(&T) -> bool) -> usize {
        let count = self.slots.len();
        let mut at = home(hash, count);
        while let Some(slot) = self.slots.get(at)
            && slot.round == self.round
            && !same(&slot.item)
        {
            at = if at + 1 == count { 0 } else { at + 1 };
        }
        at
    }

    /// Clears the table, and keeps at most `idle` bytes for the next walk.
    fn clear(&mut self, idle: usize) {
        let kept = size_of::<Slot<T>>() * self.slots.capacity();
        if self.round >= LAST || kept > idle {
            *self = Slots::default();
        }
        let half = self.slots.len() / 2;
        if SPARSE * self.len < self.slots.len() && half >= FEWEST {
            self.slots.truncate(half);
        }
        self.len = 0;
        self.round += 1;
    }

    /// An upper bound on the memory in bytes, besides what is kept for the next walk. It rises
    /// gradually, since memory is checked step by step.
    fn bytes(&self) -> usize {
        3 * size_of::<Slot<T>>() * self.len
    }
}

/// Results by tuples of `N` numbers.
#[derive(Debug, Default)]
pub(crate) struct Memo<const N: usize>(Slots<([u32; N], u32)>);

impl<const N: usize> Memo<N> {
    pub(crate) fn get(&self, key: [u32; N]) -> Option<u32> {
        let found = self.0.find(hash_of_words(&key), |entry| entry.0 == key);
        found.map(|entry| entry.1)
    }

    /// Adds a result that was not found.
    pub(crate) fn insert(&mut self, key: [u32; N], made: u32) {
        self.0.insert((key, made), |entry| hash_of_words(&entry.0));
    }

    /// Clears the memo, and keeps at most `idle` bytes for the next walk.
    pub(crate) fn clear(&mut self, idle: usize) {
        self.0.clear(idle);
    }

    /// An upper bound on the memory in bytes, besides what is kept for the next walk.
    pub(crate) fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

/// Results by tuples of a length that is fixed between two clearings.
#[derive(Debug, Default)]
pub(crate) struct Tuples {
    /// Each tuple, followed by its result.
    made: Vec<u32>,
    /// The upper half of a hash, and the position of the tuple.
    places: Slots<(u32, u32)>,
}

impl Tuples {
    pub(crate) fn hash(tuple: &[u32]) -> u64 {
        hash_of_words(tuple)
    }

    pub(crate) fn get(&self, hash: u64, tuple: &[u32]) -> Option<u32> {
        let count = tuple.len();
        let entry = |place: u32| &self.made[place as usize..][..=count];
        let upper = (hash >> 32) as u32;
        let same = |one: &(u32, u32)| one.0 == upper && entry(one.1)[..count] == *tuple;
        let found = self.places.find(hash, same)?;
        Some(entry(found.1)[count])
    }

    /// Adds a result that was not found.
    pub(crate) fn insert(&mut self, hash: u64, tuple: &[u32], made: u32) {
        // A result without a position is computed again.
        let Ok(place) = u32::try_from(self.made.len()) else {
            return;
        };
        self.made.extend_from_slice(tuple);
        self.made.push(made);
        let entry = ((hash >> 32) as u32, place);
        self.places.insert(entry, |one| u64::from(one.0) << 32);
    }

    /// Clears the memo, possibly for tuples of another length, and keeps at most `idle` bytes for
    /// the next walk.
    pub(crate) fn clear(&mut self, idle: usize) {
        self.made.clear();
        self.made.shrink_to(idle / (2 * size_of::<u32>()));
        self.places.clear(idle / 2);
    }

    /// An upper bound on the memory in bytes, besides what is kept for the next walk.
    pub(crate) fn bytes(&self) -> usize {
        4 * self.made.capacity() + self.places.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::QuickCheck;
    use rustc_hash::FxHashMap;
    use std::collections::hash_map::Entry;

    /// Walks of many lengths in a row, each compared with an ordinary map.
    #[test]
    fn knows_what_this_walk_has_made_and_nothing_else() {
        fn property(walks: Vec<(Vec<(u8, u8)>, u8)>) -> bool {
            let mut memo = Memo::<3>::default();
            memo.0.round = LAST - 2;
            let mut same = true;
            for (steps, times) in walks {
                let mut known: FxHashMap<[u32; 3], u32> = FxHashMap::default();
                for time in 0..u32::from(times % 40) {
                    for &(one, other) in &steps {
                        let key = [one.into(), u32::from(other) << 24, time / 2];
                        same &= memo.get(key) == known.get(&key).copied();
                        if let Entry::Vacant(free) = known.entry(key) {
                            free.insert(time);
                            memo.insert(key, time);
                        }
                        same &= memo.get(key) == known.get(&key).copied();
                    }
                }
                let idle = if steps.len() % 3 == 0 { 0 } else { 1 << 20 };
                memo.clear(idle);
            }
            same && memo.0.round != 0
        }
        QuickCheck::new()
            .tests(300)
            .quickcheck(property as fn(Vec<(Vec<(u8, u8)>, u8)>) -> bool);
    }
}
