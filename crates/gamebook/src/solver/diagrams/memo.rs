//! What was made of a few numbers, such as on one walk through diagrams.
//!
//! There are thousands of such walks a second, short ones and long ones. A map of its own for
//! each would grow from nothing again and again: here all that one walk has left is forgotten at
//! once, and the next one fills the same slots.

use crate::solver::diagrams::arena::{hash_of_words, home};

#[derive(Clone, Copy, Debug)]
struct Slot<const N: usize> {
    key: [u32; N],
    made: u32,
    /// Slots of other rounds are free.
    round: u32,
}

/// What was made of `N` numbers each time.
#[derive(Debug)]
pub(crate) struct Memo<const N: usize> {
    slots: Vec<Slot<N>>,
    len: usize,
    /// There is one for each walk, and one more whenever there come to be more slots.
    round: u32,
}

/// So many slots at least.
const FEWEST: usize = 1 << 6;
/// A walk that has filled less than this part of all slots leaves half of them to the next one:
/// few slots are near to each other.
const SPARSE: usize = 16;
/// Rounds are counted anew after so many.
const LAST: u32 = u32::MAX - 64;

impl<const N: usize> Default for Memo<N> {
    fn default() -> Self {
        Memo {
            slots: Vec::new(),
            len: 0,
            round: 1,
        }
    }
}

impl<const N: usize> Memo<N> {
    pub(crate) fn get(&self, key: [u32; N]) -> Option<u32> {
        let slot = self.slots.get(self.find(key))?;
        (slot.round == self.round).then_some(slot.made)
    }

    /// Adds what was not known.
    pub(crate) fn insert(&mut self, key: [u32; N], made: u32) {
        if 3 * (self.len + 1) > 2 * self.slots.len() {
            self.grow();
        }
        self.put(key, made);
        self.len += 1;
    }

    fn grow(&mut self) {
        let slots = self.slots.iter().filter(|slot| slot.round == self.round);
        let filled: Vec<Slot<N>> = slots.copied().collect();
        self.round += 1;
        let free = Slot {
            key: [0; N],
            made: 0,
            round: 0,
        };
        let more = (2 * self.slots.len()).max(FEWEST);
        self.slots.resize(more, free);
        for slot in filled {
            self.put(slot.key, slot.made);
        }
    }

    fn put(&mut self, key: [u32; N], made: u32) {
        let (at, round) = (self.find(key), self.round);
        self.slots[at] = Slot { key, made, round };
    }

    /// Where a key is, or else the free slot where it would be.
    fn find(&self, key: [u32; N]) -> usize {
        let hash = hash_of_words(&key);
        let count = self.slots.len();
        let mut at = home(hash, count);
        while let Some(slot) = self.slots.get(at)
            && slot.round == self.round
            && slot.key != key
        {
            at = if at + 1 == count { 0 } else { at + 1 };
        }
        at
    }

    /// The walk is over.
    pub(crate) fn clear(&mut self) {
        if self.round >= LAST {
            *self = Memo::default();
        }
        let half = self.slots.len() / 2;
        if SPARSE * self.len < self.slots.len() && half >= FEWEST {
            self.slots.truncate(half);
        }
        self.len = 0;
        self.round += 1;
    }

    /// How much memory all of this takes.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Slot<N>>() * self.slots.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::QuickCheck;
    use rustc_hash::FxHashMap;

    /// Walks of many lengths, one after the other, each beside a map of its own.
    #[test]
    fn knows_what_this_walk_has_made_and_nothing_else() {
        fn property(walks: Vec<(Vec<(u8, u8)>, u8)>) -> bool {
            let mut memo = Memo::<3>::default();
            memo.round = LAST - 2;
            let mut same = true;
            for (steps, times) in walks {
                let mut known: FxHashMap<[u32; 3], u32> = FxHashMap::default();
                for time in 0..u32::from(times % 40) {
                    for &(one, other) in &steps {
                        let key = [one.into(), u32::from(other) << 24, time / 2];
                        same &= memo.get(key) == known.get(&key).copied();
                        if !known.contains_key(&key) {
                            known.insert(key, time);
                            memo.insert(key, time);
                        }
                        same &= memo.get(key) == known.get(&key).copied();
                    }
                }
                memo.clear();
            }
            same && memo.round != 0
        }
        QuickCheck::new()
            .tests(300)
            .quickcheck(property as fn(Vec<(Vec<(u8, u8)>, u8)>) -> bool);
    }
}
