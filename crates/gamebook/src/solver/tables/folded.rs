//! Folded tables: compression of repeated values.
//!
//! Many sheets have exactly the same value: a hero who has eaten is worth as much as one who eats
//! now, and more STAMINA than can be lost is worth no more. So every part of a table (all positions
//! for one class of money, or for one value of LUCK) is stored as its distinct values and a pattern
//! that tells which of them is where. There are far fewer patterns than parts, and each is stored
//! once.
//!
//! Reading a folded table takes longer than reading a plain one, so tables are folded only when
//! memory becomes short.

pub(crate) mod patterns;
mod size;

use rustc_hash::FxHashMap;

use crate::solver::diagrams::arena::Arena;
use crate::solver::tables::Spare;
use crate::solver::tables::best::compare;
use crate::solver::tables::folded::patterns::Patterns;

pub(crate) use size::Size;

/// A head is a pattern, followed by this many bits for the offset of its values. Both together are
/// an integer that a float holds exactly.
const OFFSET: u32 = 24;
/// In place of a pattern: all values are stored in order.
pub(crate) const WHOLE: u32 = (1 << (f64::MANTISSA_DIGITS - OFFSET)) - 1;
/// Patterns of more positions take two bytes for each.
pub(crate) const SHORT: usize = 1 << 8;
/// A chunk is adopted if at most this fraction of it is empty or dead.
const ADOPTED: usize = 4;
/// If memory is short, a chunk is adopted if at most this fraction of it is empty.
const EMPTY_IF_SHORT: usize = 8;
/// And if at most this fraction of what it was filled with is dead.
const DEAD_IF_SHORT: usize = 64;

/// The store of all table values.
#[derive(Debug, Default)]
pub(crate) struct Store {
    /// For each folded table, a head for every part, then the values.
    words: Arena<f64>,
    patterns: Patterns,
    /// Buffers for the table that is being folded.
    heads: Vec<f64>,
    values: Vec<f64>,
    part: Vec<f64>,
}

/// The values of a plane, or of a part of one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Plane<'t> {
    Whole(&'t [f64]),
    Short(Fold<'t, u8>),
    Long(Fold<'t, [u8; 2]>),
    /// A plane with several parts, by its number.
    Parted(Planes<'t>, usize),
}

/// By position, which of the values it holds, and the number of values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fold<'t, P> {
    pub(crate) places: &'t [P],
    /// May continue beyond `count`.
    pub(crate) values: &'t [f64],
    pub(crate) count: usize,
}

/// A position of a pattern.
pub(crate) trait Number: Copy {
    fn index(self) -> usize;
}

impl Number for u8 {
    fn index(self) -> usize {
        self.into()
    }
}

impl Number for [u8; 2] {
    fn index(self) -> usize {
        u16::from_le_bytes(self).into()
    }
}

/// A stored table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planes<'t> {
    words: &'t [f64],
    patterns: &'t Patterns,
    size: Size,
    folded: bool,
}

impl Store {
    /// Stores a plain table and returns its position. Positions rise, except for adopted chunks.
    pub(crate) fn push(&mut self, data: &[f64]) -> usize {
        self.words.push(data)
    }

    /// Stores a folded table, which must be [foldable](Size::folds). Returns its position and the
    /// number of its words.
    pub(crate) fn fold(&mut self, data: &[f64], size: Size) -> (usize, u32) {
        let Store {
            heads,
            values,
            part,
            patterns,
            ..
        } = self;
        heads.clear();
        values.clear();
        for plane in data.chunks_exact(size.plane) {
            let plane = match size.parts {
                1 => plane,
                _ => {
                    part.resize(size.plane, 0.0);
                    size.divide(plane, part);
                    &part[..]
                }
            };
            for data in plane.chunks_exact(size.part()) {
                let offset = size.planes * size.parts + values.len();
                let pattern = patterns.fold(data, size.life, values);
                heads.push(head(pattern, offset));
            }
        }
        heads.append(values);
        // It takes no more than if every part were stored whole, which is less than 2^24 words.
        (self.words.push(heads), heads.len() as u32)
    }

    /// Takes over the patterns of another store, so that its folded tables are valid here. Returns
    /// whether it did; not if too many of them may be out of use.
    pub(crate) fn take_patterns(&mut self, old: &mut Store, most: usize) -> bool {
        let taken = !old.patterns.are_many(most);
        if taken {
            self.patterns = std::mem::take(&mut old.patterns);
        }
        taken
    }

    /// Remembers that all patterns are in use.
    pub(crate) fn patterns_in_use(&mut self) {
        self.patterns.all_in_use();
    }

    /// Copies the words of a table whose patterns were taken over. Returns its position.
    pub(crate) fn copy(&mut self, old: &Store, at: usize, words: usize) -> usize {
        self.words.push(&old.words.from(at)[..words])
    }

    /// Copies a folded table from another store, and returns its position; `None` if there is no
    /// room for a pattern. `patterns` maps old positions of patterns to new ones.
    pub(crate) fn take(
        &mut self,
        old: &Store,
        at: usize,
        size: Size,
        patterns: &mut FxHashMap<(u32, usize), u32>,
    ) -> Option<usize> {
        let words = old.words.from(at);
        self.heads.clear();
        let (count, part) = (size.planes * size.parts, size.part());
        let mut len = count;
        for word in &words[..count] {
            let (pattern, offset) = parts(*word);
            if pattern == WHOLE {
                self.heads.push(*word);
                len += part;
                continue;
            }
            let to = patterns.entry((pattern, part));
            let to = to.or_insert_with(|| self.patterns.take(&old.patterns, pattern, part));
            if *to == WHOLE {
                return None;
            }
            self.heads.push(head(*to, offset));
            len += old.patterns.count(pattern);
        }
        self.heads.extend_from_slice(&words[count..len]);
        Some(self.words.push(&self.heads))
    }

    /// Whether the chunk that contains a position holds little else than tables of `held` words
    /// together; if memory is `short`, hardly anything else.
    pub(crate) fn is_dense(&self, place: usize, held: usize, short: bool) -> bool {
        let (room, filled) = self.words.room(place);
        match short {
            true => held >= filled - filled / DEAD_IF_SHORT && held >= room - room / EMPTY_IF_SHORT,
            false => held >= room - room / ADOPTED,
        }
    }

    /// Adopts the chunk of another store that contains a position, and returns the new position.
    pub(crate) fn adopt(&mut self, old: &mut Store, place: usize) -> usize {
        self.words.adopt(&mut old.words, place)
    }

    /// Moves the chunks before a position to another store, for reuse.
    pub(crate) fn release(&mut self, before: usize, to: &mut Store) {
        self.words.release(before, &mut to.words);
    }

    /// Everything stored from a position on.
    pub(crate) fn from(&self, at: usize) -> &[f64] {
        self.words.from(at)
    }

    /// A stored table.
    pub(crate) fn planes(&self, at: usize, size: Size, folded: bool) -> Planes<'_> {
        Planes {
            words: self.words.from(at),
            patterns: &self.patterns,
            size,
            folded,
        }
    }

    /// The approximate memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.words.bytes() + self.patterns.bytes()
    }

    /// The memory of empty chunks, in bytes.
    pub(crate) fn left(&self) -> usize {
        self.words.left()
    }

    /// The empty chunks.
    pub(crate) fn empty(&mut self) -> &mut Vec<Vec<f64>> {
        self.words.empty()
    }

    /// Empties all chunks; nothing that was stored is read any more.
    pub(crate) fn empty_all(&mut self) {
        let mut words = std::mem::take(&mut self.words);
        words.release(usize::MAX, &mut self.words);
    }

    /// Frees empty chunks, except for this many bytes.
    pub(crate) fn give_back(&mut self, but: usize) {
        self.words.give_back(but);
    }
}

fn head(pattern: u32, offset: usize) -> f64 {
    ((u64::from(pattern) << OFFSET) | offset as u64) as f64
}

/// The pattern of a head, and the offset of its values.
fn parts(head: f64) -> (u32, usize) {
    let head = head as u64;
    let offset = head & ((1 << OFFSET) - 1);
    ((head >> OFFSET) as u32, offset as usize)
}

impl<'t> Planes<'t> {
    pub(crate) fn plane(&self, number: usize) -> Plane<'t> {
        let Size { plane, parts, .. } = self.size;
        match (self.folded, parts) {
            (false, _) => Plane::Whole(&self.words[number * plane..][..plane]),
            (true, 1) => self.part(number),
            (true, _) => Plane::Parted(*self, number),
        }
    }

    /// A part by number, counted over all planes.
    fn part(&self, number: usize) -> Plane<'t> {
        let len = self.size.part();
        let (pattern, offset) = parts(self.words[number]);
        let values = &self.words[offset..];
        if pattern == WHOLE {
            return Plane::Whole(&values[..len]);
        }
        let (count, places, _) = self.patterns.parts(pattern, len);
        match len <= SHORT {
            true => Plane::Short(Fold {
                places,
                values,
                count,
            }),
            false => Plane::Long(Fold {
                places: places.as_chunks().0,
                values,
                count,
            }),
        }
    }

    /// Writes the values of a plane to their positions, part by part.
    fn put(&self, number: usize, out: &mut [f64]) {
        let Size { parts, row, .. } = self.size;
        for part in 0..parts {
            let rows = self.size.rows(part);
            self.part(number * parts + part).put(row, rows, out);
        }
    }

    /// Whether the table has exactly these values.
    pub(crate) fn are(&self, data: &[f64]) -> bool {
        let mut planes = data.chunks_exact(self.size.plane).enumerate();
        planes.all(|(number, data)| self.plane(number).is(data))
    }

    /// All values in order.
    pub(crate) fn values(self) -> impl Iterator<Item = f64> + use<'t> {
        (0..self.size.planes).flat_map(move |number| {
            let plane = self.plane(number);
            (0..self.size.plane).map(move |place| plane.at(place))
        })
    }
}

impl<'t> Plane<'t> {
    pub(crate) fn at(&self, place: usize) -> f64 {
        match self {
            Plane::Whole(values) => values[place],
            Plane::Short(fold) => fold.at(fold.places[place]),
            Plane::Long(fold) => fold.at(fold.places[place]),
            Plane::Parted(planes, number) => {
                let Size { parts, row, .. } = planes.size;
                let (before, place) = (place / row, place % row);
                let part = planes.part(number * parts + before % parts);
                part.at(before / parts * row + place)
            }
        }
    }

    /// All values, in `out` if they are not stored in order.
    pub(crate) fn unfolded<'b>(self, out: &'b mut Vec<f64>) -> &'b [f64]
    where
        't: 'b,
    {
        match self {
            Plane::Whole(values) => values,
            Plane::Parted(planes, number) => {
                let plane = planes.size.plane;
                if out.len() < plane {
                    out.resize(plane, 0.0);
                }
                planes.put(number, &mut out[..plane]);
                &out[..plane]
            }
            _ => {
                out.clear();
                self.append(out);
                out
            }
        }
    }

    pub(crate) fn append(self, out: &mut Vec<f64>) {
        match self {
            Plane::Whole(values) => out.extend_from_slice(values),
            Plane::Short(fold) => match fold.any() {
                Some(values) => {
                    let places = fold.places.iter();
                    out.extend(places.map(|place| values[usize::from(*place)]));
                }
                None => out.extend(fold.places.iter().map(|place| fold.at(*place))),
            },
            Plane::Long(fold) => out.extend(fold.places.iter().map(|place| fold.at(*place))),
            Plane::Parted(planes, number) => {
                let from = out.len();
                out.resize(from + planes.size.plane, 0.0);
                planes.put(number, &mut out[from..]);
            }
        }
    }

    /// Writes values to where rows begin, row by row.
    fn put(self, row: usize, rows: impl Iterator<Item = usize>, out: &mut [f64]) {
        match self {
            Plane::Whole(values) => {
                for (at, values) in rows.zip(values.chunks_exact(row)) {
                    out[at..at + row].copy_from_slice(values);
                }
            }
            Plane::Short(fold) => match fold.any() {
                Some(values) => fold.put(row, rows, |place| values[usize::from(place)], out),
                None => fold.put(row, rows, |place| fold.at(place), out),
            },
            Plane::Long(fold) => fold.put(row, rows, |place| fold.at(place), out),
            // A part has no parts.
            Plane::Parted(..) => {}
        }
    }

    /// The same as [`compare`], but compares only distinct values if both are folded alike.
    pub(crate) fn compare(self, other: Self, spare: &mut Spare, better: &mut (bool, bool)) {
        if *better == (false, false) {
            // Nothing more is to be found out.
        } else if let Some((one, other)) = self.alike(other) {
            compare(one, other, better);
        } else if let Some(parts) = self.parted(other) {
            parts.for_each(|(one, other)| one.compare(other, spare, better));
        } else {
            let one = self.unfolded(&mut spare.part);
            compare(one, other.unfolded(&mut spare.other), better);
        }
    }

    /// Pairs of the parts of two planes that are divided alike.
    fn parted(self, other: Self) -> Option<impl Iterator<Item = (Plane<'t>, Plane<'t>)>> {
        let (Plane::Parted(one, first), Plane::Parted(other, second)) = (self, other) else {
            return None;
        };
        let Size {
            plane, parts, row, ..
        } = one.size;
        let like = other.size;
        let alike = (plane, parts, row) == (like.plane, like.parts, like.row);
        alike.then(move || {
            let part = move |number: usize| {
                (
                    one.part(first * parts + number),
                    other.part(second * parts + number),
                )
            };
            (0..parts).map(part)
        })
    }

    /// All values, if they are stored in order.
    pub(crate) fn whole(self) -> Option<&'t [f64]> {
        match self {
            Plane::Whole(values) => Some(values),
            _ => None,
        }
    }

    /// The distinct values of two planes that are folded alike.
    fn alike(self, other: Self) -> Option<(&'t [f64], &'t [f64])> {
        match (self, other) {
            (Plane::Whole(one), Plane::Whole(other)) => Some((one, other)),
            (Plane::Short(one), Plane::Short(other)) => one.alike(other),
            (Plane::Long(one), Plane::Long(other)) => one.alike(other),
            _ => None,
        }
    }

    fn is(&self, data: &[f64]) -> bool {
        match self {
            Plane::Whole(values) => *values == data,
            Plane::Short(fold) => fold.is(data),
            Plane::Long(fold) => fold.is(data),
            Plane::Parted(planes, number) => {
                let Size { parts, row, .. } = planes.size;
                (0..parts).all(|part| {
                    let plane = planes.part(number * parts + part);
                    let mut rows = planes.size.rows(part).enumerate();
                    rows.all(|(number, at)| {
                        let values = data[at..at + row].iter().enumerate();
                        let same = |(place, value): (usize, &f64)| {
                            plane.at(number * row + place).to_bits() == value.to_bits()
                        };
                        values.fold(true, |all, pair| all & same(pair))
                    })
                })
            }
        }
    }
}

impl<'t> Fold<'t, u8> {
    /// The values and what follows them, so that no bounds check is needed.
    pub(crate) fn any(&self) -> Option<&'t [f64; SHORT]> {
        self.values.first_chunk()
    }

    /// Whether these are all values in order.
    pub(crate) fn is(&self, data: &[f64]) -> bool {
        match self.any() {
            Some(values) => self.holds(data, |place| values[usize::from(place)]),
            None => self.holds(data, |place| self.at(place)),
        }
    }
}

impl Fold<'_, [u8; 2]> {
    /// Whether these are all values in order.
    pub(crate) fn is(&self, data: &[f64]) -> bool {
        self.holds(data, |place| self.at(place))
    }
}

impl<'t, P: Number> Fold<'t, P> {
    pub(crate) fn at(&self, place: P) -> f64 {
        self.values[place.index()]
    }

    fn put(
        self,
        row: usize,
        rows: impl Iterator<Item = usize>,
        value: impl Fn(P) -> f64,
        out: &mut [f64],
    ) {
        for (at, places) in rows.zip(self.places.chunks_exact(row)) {
            for (out, place) in out[at..at + row].iter_mut().zip(places) {
                *out = value(*place);
            }
        }
    }

    fn alike(self, other: Self) -> Option<(&'t [f64], &'t [f64])> {
        std::ptr::eq(self.places, other.places)
            .then(|| (&self.values[..self.count], &other.values[..self.count]))
    }

    /// Whether each position holds the value that the pattern says; `value` gives that.
    fn holds(&self, data: &[f64], value: impl Fn(P) -> f64) -> bool {
        let mut parts = self.places.chunks(16).zip(data.chunks(16));
        parts.all(|(places, data)| {
            let pairs = places.iter().zip(data);
            let differing = pairs.fold(0, |bits, (place, data)| {
                bits | (value(*place).to_bits() ^ data.to_bits())
            });
            differing == 0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::diagrams::arena;
    use crate::solver::tables::LANES;
    use quickcheck::QuickCheck;

    /// Its position, lengths, whether it is folded, and its values.
    type Kept = (usize, [u16; LANES], bool, Vec<f64>);

    /// Values of this many kinds, arranged by the seed.
    fn table(lens: [u16; LANES], kinds: u8, seed: u64) -> Vec<f64> {
        let kinds = u64::from(kinds).max(1);
        let value = |place: usize| arena::hash_of_one((place as u64 / 3) ^ seed) % kinds;
        let all = (0..Size::of(lens).volume()).map(value);
        all.map(|value| value as f64 / kinds as f64).collect()
    }

    fn hold(store: &Store, kept: &[Kept]) -> bool {
        kept.iter().all(|(at, lens, folded, data)| {
            let size = Size::of(*lens);
            let table = store.planes(*at, size, *folded);
            let (mut out, mut unfolded) = (Vec::new(), Vec::new());
            for number in 0..size.planes {
                unfolded.extend_from_slice(table.plane(number).unfolded(&mut out));
            }
            let mut other = data.clone();
            other[size.plane / 2] += 0.25;
            let values = table.values().eq(data.iter().copied());
            values && unfolded == *data && table.are(data) && !table.are(&other)
        })
    }

    #[test]
    fn what_is_folded_is_unfolded_and_moves() {
        fn property(tables: Vec<([u8; LANES], u8, u64)>, again: u8) -> bool {
            let mut store = Store::default();
            let mut kept: Vec<Kept> = Vec::new();
            for (number, &(lens, kinds, seed)) in tables.iter().enumerate() {
                // Few lengths and kinds, so that patterns recur; some are divided by LUCK.
                let lens = match number % 4 {
                    0 => lens.map(|len| 1 + u16::from(len % 11)),
                    1 => [2, 9, 7, 5 + u16::from(lens[3] % 2)],
                    2 => [1, u16::from(lens[1]) + 1, 2, 1],
                    _ => [1 + u16::from(lens[0] % 9), 7, 5, 1],
                };
                let seed = if number % 3 == 0 { seed } else { seed % 3 };
                let data = table(lens, kinds % 40, seed);
                let size = Size::of(lens);
                let (at, folded) = match size.folds() {
                    true => (store.fold(&data, size).0, true),
                    false => (store.push(&data), false),
                };
                kept.push((at, lens, folded, data));
            }
            if !hold(&store, &kept) {
                return false;
            }
            let mut next = Store::default();
            let mut patterns = FxHashMap::default();
            kept.retain_mut(|(at, lens, folded, data)| {
                if *at % 3 == usize::from(again % 3) {
                    return false;
                }
                store.release(*at, &mut next);
                let taken = match folded {
                    true => next.take(&store, *at, Size::of(*lens), &mut patterns),
                    false => Some(next.push(data)),
                };
                *at = taken.unwrap_or_default();
                taken.is_some()
            });
            store.release(usize::MAX, &mut next);
            hold(&next, &kept)
        }
        type Property = fn(Vec<([u8; LANES], u8, u64)>, u8) -> bool;
        QuickCheck::new().quickcheck(property as Property);
    }

    /// Only LUCK makes a difference, so each part is a single value.
    #[test]
    fn wide_planes_are_folded_by_luck() {
        let lens = [1, 9, 12, 11];
        let data: Vec<f64> = (0..9 * 12 * 11)
            .map(|place| f64::from(place / 11 % 12) / 12.0)
            .collect();
        let size = Size::of(lens);
        assert_eq!((size.parts, size.part(), size.row), (12, 99, 11));
        let mut store = Store::default();
        let (at, words) = store.fold(&data, size);
        assert_eq!((store.from(at).len(), words), (12 + 12, 12 + 12));
        assert!(hold(&store, &[(at, lens, true, data)]));
        // Here it is the last lane, so parts are not divided by it but by life.
        assert_eq!(Size::of([1, 9, 12, 1]).parts, 1);
        assert_eq!(Size::of([1, 40, 12, 1]).parts, 1);
    }
}
