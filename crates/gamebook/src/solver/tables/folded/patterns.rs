//! Patterns: how the positions of planes share values.
//!
//! Which values are recognized as equal does not affect what a table holds. So the pattern found
//! last for a plane that looked similar is tried first.

use rustc_hash::FxHashMap;

use crate::solver::diagrams::arena::{self, Arena, Numbers};
use crate::solver::tables::folded::{Fold, Number, SHORT, WHOLE};

/// The longest distance from one pattern to the next.
const LONGEST: usize = 1 << 20;
/// How many recent patterns are remembered.
const RECENT: usize = 1 << 14;

/// All patterns, interned.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    /// For each pattern the number of values in two bytes, then by position its value, then by
    /// value its first position.
    bytes: Arena<u8>,
    /// Where they begin.
    known: Vec<u32>,
    numbers: Numbers,
    /// By a fingerprint of equal neighbours, the pattern found last and its number of positions.
    recent: FxHashMap<u64, (u32, usize)>,
    /// Of the pattern being searched, by position its value, and by value its first position.
    places: Vec<u16>,
    firsts: Vec<u16>,
    found: Vec<u8>,
    /// The values of the plane that is compared with a pattern.
    values: Vec<f64>,
    /// By hash, a value that has occurred, plus 1.
    slots: Vec<u16>,
    /// Numbers without a regularity, two for each position.
    salts: Vec<u64>,
    /// The bytes when all patterns were in use.
    in_use: usize,
}

impl Patterns {
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.bytes()
            + 4 * self.known.capacity()
            + self.numbers.bytes()
            + (size_of::<(u64, (u32, usize))>() + 1) * self.recent.capacity() * 8 / 7
    }

    /// Whether more than this many bytes, and more than half, may be out of use.
    pub(crate) fn are_many(&self, most: usize) -> bool {
        self.bytes() > most.saturating_add(2 * self.in_use)
    }

    /// Remembers that all patterns are in use.
    pub(crate) fn all_in_use(&mut self) {
        self.in_use = self.bytes();
    }

    /// The number of values in a pattern.
    pub(crate) fn count(&self, pattern: u32) -> usize {
        let bytes = self.bytes.from(pattern as usize);
        [bytes[0], bytes[1]].index()
    }

    /// The number of values in a pattern, the bytes of its positions, and those of the first
    /// positions of values.
    pub(crate) fn parts(&self, pattern: u32, places: usize) -> (usize, &[u8], &[u8]) {
        let (count, width) = (self.count(pattern), width(places));
        let bytes = &self.bytes.from(pattern as usize)[2..];
        let (places, firsts) = bytes.split_at(width * places);
        (count, places, &firsts[..width * count])
    }

    /// Appends the distinct values of a plane, and returns its pattern.
    pub(crate) fn fold(&mut self, data: &[f64], row: usize, out: &mut Vec<f64>) -> u32 {
        let mark = self.mark(data, row);
        match self.recent.get(&mark).copied() {
            Some((WHOLE, _)) => {
                out.extend_from_slice(data);
                return WHOLE;
            }
            Some((known, places)) if places == data.len() && self.fits(known, data, out) => {
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

    /// A fingerprint of the number of positions, which of them equal the one before, and which
    /// equal the one in the row before.
    fn mark(&mut self, data: &[f64], row: usize) -> u64 {
        let len = data.len();
        while self.salts.len() < 2 * len {
            self.salts.push(arena::hash_of_one(self.salts.len() as u64));
        }
        let (first, second) = self.salts.split_at(self.salts.len() / 2);
        let sum = |by: usize, salts: &[u64]| {
            let pairs = data.iter().zip(&data[by.min(len)..]).zip(salts);
            pairs.fold(0_u64, |sum, ((a, b), salt)| {
                // Without a branch, since it would be unpredictable.
                let same = u64::from(a == b);
                sum.wrapping_add(same.wrapping_neg() & salt)
            })
        };
        arena::hash(&[sum(1, first), sum(row, second), len as u64], |mark| mark)
    }

    /// Whether a plane has this pattern: whether each position holds the value at the first
    /// position of its kind. If so, appends the values.
    fn fits(&mut self, pattern: u32, data: &[f64], out: &mut Vec<f64>) -> bool {
        let mut values = std::mem::take(&mut self.values);
        let (count, places, firsts) = self.parts(pattern, data.len());
        // Whatever follows the values spares bounds checks.
        values.resize(SHORT.max(count), 0.0);
        let fits = match data.len() <= SHORT {
            true => picked(places, firsts, data, &mut values).is(data),
            false => {
                let (places, firsts) = (places.as_chunks::<2>().0, firsts.as_chunks::<2>().0);
                picked(places, firsts, data, &mut values).is(data)
            }
        };
        if fits {
            out.extend_from_slice(&values[..count]);
        }
        self.values = values;
        fits
    }

    /// Searches for equal values anywhere.
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
        // A small saving is not worth the look-up of a pattern.
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

    /// Copies a pattern from another store, and returns its position, or `WHOLE` if there is no
    /// room.
    pub(crate) fn take(&mut self, others: &Patterns, pattern: u32, places: usize) -> u32 {
        let bytes = others.bytes.from(pattern as usize);
        let len = 2 + width(places) * (places + others.count(pattern));
        self.add(&bytes[..len])
    }

    /// Interns a pattern, and returns its position, or `WHOLE` if there is no room.
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

/// The values at the first positions of their kinds, seen by a pattern. `values` is to hold them.
fn picked<'v, P: Number>(
    places: &'v [P],
    firsts: &[P],
    data: &[f64],
    values: &'v mut [f64],
) -> Fold<'v, P> {
    for (value, first) in values.iter_mut().zip(firsts) {
        *value = data[first.index()];
    }
    Fold {
        places,
        values,
        count: firsts.len(),
    }
}

/// The bytes per position.
fn width(places: usize) -> usize {
    if places <= SHORT { 1 } else { 2 }
}
