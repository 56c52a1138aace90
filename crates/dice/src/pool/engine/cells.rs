//! The number of rolls by state and place.

use super::number::Number;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// The cells at one face: a grid of states by places while enough of it is used, and otherwise a
/// map.
///
/// An addition to the grid takes a nanosecond, and one to the map five. But a state that remembers
/// much occurs at one place only, out of thousands if there are two pools.
#[derive(Debug)]
pub(super) struct Cells<V> {
    places: u64,
    grid: Vec<V>,
    /// The size of the grid at which its use is checked next.
    checked: usize,
    map: IndexMap<u64, V, FxBuildHasher>,
    sparse: bool,
}

/// The size in bytes up to which a grid is kept, whatever part of it is used.
const SMALL_GRID: usize = 1 << 19;
/// The words that a map takes for a number in addition to the number: its key, its hash, its place
/// in the table, and room to grow.
const MAP_ENTRY: u128 = 4;
/// In a larger grid, at least one cell in this many must be used.
const SPARSENESS: usize = 8;

impl<V: Number> Cells<V> {
    pub(super) fn new(places: u64) -> Self {
        Cells {
            places,
            grid: Vec::new(),
            checked: SMALL_GRID / size_of::<V>(),
            map: IndexMap::default(),
            sparse: false,
        }
    }

    /// Empties the cells and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.grid.clear();
        self.checked = SMALL_GRID / size_of::<V>();
        self.map.clear();
        self.sparse = false;
    }

    /// The memory in use in 64-bit words, if each number takes `number` words.
    pub(super) fn words(&self, number: u128) -> u128 {
        self.grid.len() as u128 * number + self.map.len() as u128 * (number + MAP_ENTRY)
    }

    /// The factor by which an addition takes longer than an addition to a grid.
    pub(super) fn effort(&self) -> u128 {
        if self.sparse { 4 } else { 1 }
    }

    /// Makes room for a state.
    pub(super) fn admit(&mut self, state: u32) {
        let needed = (u64::from(state) + 1).saturating_mul(self.places);
        if self.sparse || needed <= self.grid.len() as u64 {
            return;
        }
        let needed = usize::try_from(needed).unwrap_or(usize::MAX);
        if needed > self.checked {
            let used = self.grid.iter().filter(|ways| !ways.is_zero()).count();
            if used.saturating_mul(SPARSENESS) < needed {
                let grid = std::mem::take(&mut self.grid);
                let used = (0..).zip(grid).filter(|(_, ways)| !ways.is_zero());
                self.map.extend(used);
                self.sparse = true;
                return;
            }
            self.checked = needed.saturating_mul(2);
        }
        self.grid.resize(needed, V::zero());
    }

    /// Adds to a cell of a state for which room was made by [`admit`](Cells::admit).
    pub(super) fn add_product(&mut self, state: u32, place: u64, ways: &V, factor: &V) {
        let index = u64::from(state) * self.places + place;
        if self.sparse {
            let sum = self.map.entry(index).or_insert_with(V::zero);
            sum.add_product(ways, factor);
        } else if let Some(sum) = self.grid.get_mut(index as usize) {
            sum.add_product(ways, factor);
        }
    }

    /// Sorts the cells by state.
    pub(super) fn sort(&mut self) {
        if self.sparse {
            self.map.sort_unstable_keys();
        }
    }

    /// Calls `visit` with each cell that was reached, state by state if they are sorted.
    pub(super) fn each<E>(
        &self,
        mut visit: impl FnMut(u32, u64, &V) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.sparse {
            for (index, ways) in &self.map {
                visit((index / self.places) as u32, index % self.places, ways)?;
            }
            return Ok(());
        }
        for (state, row) in (0..).zip(self.grid.chunks(self.places as usize)) {
            for (place, ways) in (0..).zip(row) {
                if !ways.is_zero() {
                    visit(state, place, ways)?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grid that is converted to a map keeps its contents.
    #[test]
    fn grid_and_map_hold_the_same() {
        let places = 1000;
        let mut cells = Cells::<u64>::new(places);
        for state in 0..200 {
            cells.admit(state);
            cells.add_product(state, 7, &u64::from(state + 1), &2);
            cells.add_product(state, 7, &1, &1);
        }
        assert!(cells.sparse && cells.words(1) == 200 * (1 + MAP_ENTRY));
        cells.sort();
        let mut seen = Vec::new();
        let all = cells.each(|state, place, ways| {
            seen.push((state, place, *ways));
            Ok::<(), ()>(())
        });
        assert_eq!(all, Ok(()));
        let expected: Vec<_> = (0..200).map(|s| (s, 7, u64::from(s) * 2 + 3)).collect();
        assert_eq!(seen, expected);
    }
}
