//! How the places of planes share values.
//!
//! Which values are found to be the same has no effect on what a table holds, and so need
//! not depend on that alone: what was found last for a plane that looked alike is tried
//! first.

use rustc_hash::FxHashMap;

use crate::solver::diagrams::arena::{self, Arena, Numbers};
use crate::solver::tables::folded::{Fold, Number, SHORT, WHOLE};

/// No pattern is further from the one before it.
const LONGEST: usize = 1 << 20;
/// So many patterns that were found last are remembered.
const RECENT: usize = 1 << 14;

/// All patterns, each once.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    /// For each how many values there are, in two bytes, then by place which of them it
    /// holds, then by value its first place.
    bytes: Arena<u8>,
    /// Where they begin.
    known: Vec<u32>,
    numbers: Numbers,
    /// By what neighbours have in common, where the pattern is that was found last, and how
    /// many places it has.
    recent: FxHashMap<u64, (u32, usize)>,
    /// Of a pattern that is being looked for, by place which value it holds, and by value
    /// its first place.
    places: Vec<u16>,
    firsts: Vec<u16>,
    found: Vec<u8>,
    /// By hash, a value that was met, more by 1.
    slots: Vec<u16>,
    /// Numbers without a pattern, two for each place.
    salts: Vec<u64>,
}

impl Patterns {
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.bytes()
            + 4 * self.known.capacity()
            + self.numbers.bytes()
            + (size_of::<(u64, (u32, usize))>() + 1) * self.recent.capacity() * 8 / 7
    }

    /// How many values there are in a pattern.
    pub(crate) fn count(&self, pattern: u32) -> usize {
        let bytes = self.bytes.from(pattern as usize);
        [bytes[0], bytes[1]].index()
    }

    /// How many values there are in a pattern, the bytes of so many places, and those of
    /// the first places of values.
    pub(crate) fn parts(&self, pattern: u32, places: usize) -> (usize, &[u8], &[u8]) {
        let (count, width) = (self.count(pattern), width(places));
        let bytes = &self.bytes.from(pattern as usize)[2..];
        let (places, firsts) = bytes.split_at(width * places);
        (count, places, &firsts[..width * count])
    }

    /// Appends the values of a plane that differ. The pattern by which they lie in it.
    pub(crate) fn fold(&mut self, data: &[f64], row: usize, out: &mut Vec<f64>) -> u32 {
        let mark = self.mark(data, row);
        match self.recent.get(&mark) {
            Some(&(WHOLE, _)) => {
                out.extend_from_slice(data);
                return WHOLE;
            }
            Some(&(known, places)) if places == data.len() && self.fits(known, data, out) => {
                return known;
            }
            _ => {}
        }
        let pattern = self.find(data, out);
        if self.recent.len() == RECENT {
            self.recent.clear();
        }
        self.recent.insert(mark, (pattern, data.len()));
        pattern
    }

    /// A number for how many places there are, which of them hold the same as the one
    /// before, and which as the one in the row before.
    fn mark(&mut self, data: &[f64], row: usize) -> u64 {
        let len = data.len();
        while self.salts.len() < 2 * len {
            self.salts.push(arena::hash_of_one(self.salts.len() as u64));
        }
        let (first, second) = self.salts.split_at(self.salts.len() / 2);
        let sum = |by: usize, salts: &[u64]| {
            let pairs = data.iter().zip(&data[by.min(len)..]).zip(salts);
            pairs.fold(0_u64, |sum, ((a, b), salt)| {
                // Without a branch, as there is no telling.
                let same = u64::from(a == b);
                sum.wrapping_add(same.wrapping_neg() & salt)
            })
        };
        arena::hash(&[sum(1, first), sum(row, second), len as u64], |mark| mark)
    }

    /// Whether a plane has this pattern: then its values are appended.
    fn fits(&self, pattern: u32, data: &[f64], out: &mut Vec<f64>) -> bool {
        let (_, places, firsts) = self.parts(pattern, data.len());
        match data.len() <= SHORT {
            true => fits(places, firsts, data, out),
            false => fits::<[u8; 2]>(places.as_chunks().0, firsts.as_chunks().0, data, out),
        }
    }

    /// Looks for values that are the same, wherever they lie.
    fn find(&mut self, data: &[f64], out: &mut Vec<f64>) -> u32 {
        let count = (2 * data.len()).next_power_of_two();
        self.slots.clear();
        self.slots.resize(count, 0);
        self.places.clear();
        self.firsts.clear();
        let from = out.len();
        for (place, value) in data.iter().enumerate() {
            let bits = value.to_bits();
            let mut slot = arena::hash_of_one(bits) as usize & (count - 1);
            let number = loop {
                match self.slots[slot] {
                    0 => {
                        out.push(*value);
                        self.firsts.push(place as u16);
                        self.slots[slot] = self.firsts.len() as u16;
                        break self.firsts.len() - 1;
                    }
                    known if out[from + usize::from(known) - 1].to_bits() == bits => {
                        break usize::from(known) - 1;
                    }
                    _ => slot = (slot + 1) & (count - 1),
                }
            };
            self.places.push(number as u16);
        }
        // With a pattern to be looked up, little is gained by little.
        if 8 * self.firsts.len() > 7 * data.len() {
            out.truncate(from);
            out.extend_from_slice(data);
            return WHOLE;
        }
        self.found.clear();
        let values = self.firsts.len() as u16;
        self.found.extend(values.to_le_bytes());
        let width = width(data.len());
        for place in self.places.iter().chain(&self.firsts) {
            self.found.extend(&place.to_le_bytes()[..width]);
        }
        let found = std::mem::take(&mut self.found);
        let pattern = self.add(&found);
        self.found = found;
        if pattern == WHOLE {
            out.truncate(from);
            out.extend_from_slice(data);
        }
        pattern
    }

    /// Adds a pattern of others. Where it is; none if there is no room for another.
    pub(crate) fn take(&mut self, others: &Patterns, pattern: u32, places: usize) -> u32 {
        let bytes = others.bytes.from(pattern as usize);
        let len = 2 + width(places) * (places + others.count(pattern));
        self.add(&bytes[..len])
    }

    /// Adds a pattern if it is not known. Where it is; none if there is no room for another.
    fn add(&mut self, bytes: &[u8]) -> u32 {
        let hash = arena::hash(bytes, u64::from);
        let same = |number: u32| {
            let known = self.bytes.from(self.known[number as usize] as usize);
            known.get(..bytes.len()) == Some(bytes)
        };
        if let Some(number) = self.numbers.find(hash, same) {
            return self.known[number as usize];
        }
        let last = self.bytes.span(self.bytes.chunks() - 1).1;
        // The next one begins in this chunk or in the one after it.
        if last + LONGEST > WHOLE as usize {
            return WHOLE;
        }
        let pattern = self.bytes.push(bytes) as u32;
        self.numbers.insert(hash, self.known.len() as u32);
        self.known.push(pattern);
        pattern
    }
}

/// Whether places hold what was there first: then these values are appended.
fn fits<P: Number>(places: &[P], firsts: &[P], data: &[f64], out: &mut Vec<f64>) -> bool {
    let from = out.len();
    out.extend(firsts.iter().map(|first| data[first.index()]));
    let fold = Fold {
        places,
        values: &out[from..],
        count: firsts.len(),
    };
    let fits = fold.is(data);
    if !fits {
        out.truncate(from);
    }
    fits
}

/// How many bytes a place of so many takes.
fn width(places: usize) -> usize {
    if places <= SHORT { 1 } else { 2 }
}
