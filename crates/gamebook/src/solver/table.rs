//! Tables over the lanes of a sheet, and views of them.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::extent::Span;

/// So many stats may be lanes: life, and others that change with refreshments.
pub(crate) const LANES: usize = 3;

/// From each value of a lane to a place in a table.
pub(crate) type MapId = u32;
/// Everything is at the first place of a table that does not depend on the lane.
pub(crate) const FLAT: MapId = 0;
/// Lost, whatever the table says.
const LOST: u16 = u16::MAX;

/// A table, looked at through a map for each lane: equal views have equal numbers.
pub(crate) type Leaf = u32;
/// Worth nothing.
pub(crate) const ZERO: Leaf = 0;
/// Worth all.
pub(crate) const ONE: Leaf = 1;

/// Stands for the table of a region that is being looked for.
const HOLE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct View {
    table: u32,
    maps: [MapId; LANES],
}

#[derive(Debug)]
struct Table {
    /// Places by lane, 1 where it does not matter; the first lane is the outermost.
    lens: [usize; LANES],
    data: Box<[f64]>,
}

/// All tables, by content, and what has been computed from them.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    tables: Vec<Table>,
    by_hash: FxHashMap<u64, Vec<u32>>,
    maps: IndexSet<Box<[u16]>, FxBuildHasher>,
    views: IndexSet<View, FxBuildHasher>,
    best: FxHashMap<(Leaf, Leaf), Leaf>,
    /// Values held.
    held: usize,
    /// So many bytes may be taken.
    limit: usize,
    /// More were asked for: what comes after that means nothing.
    pub(crate) full: bool,
    /// Two looks back were to be compared that cannot be.
    pub(crate) unclosed: bool,
}

/// What rounding may cost a sum of products, for each term and for two more.
pub(crate) const ROUNDING: f64 = f64::EPSILON;

fn volume(lens: [usize; LANES]) -> usize {
    // An eighth of what fits, as it is multiplied by bytes.
    let all = lens
        .iter()
        .fold(1_usize, |all, len| all.saturating_mul(*len));
    all.min(usize::MAX >> 10)
}

impl Tables {
    pub(crate) fn new(limit: usize) -> Self {
        let mut tables = Tables {
            limit,
            ..Tables::default()
        };
        // A map that nothing else is equal to.
        tables.maps.insert(Box::new([]));
        for value in [0.0, 1.0] {
            let table = tables.table([1; LANES], vec![value]);
            tables.view(table, [FLAT; LANES]);
        }
        tables
    }

    /// About how much memory all of this takes.
    pub(crate) fn bytes(&self) -> usize {
        8 * self.held + 96 * self.tables.len() + 48 * self.views.len() + 24 * self.best.len()
    }

    /// Whether so many more bytes may be taken; if not, that is kept in mind.
    pub(crate) fn room(&mut self, bytes: usize) -> bool {
        self.full |= self.bytes().saturating_add(bytes) > self.limit;
        !self.full
    }

    pub(crate) fn len(&self) -> usize {
        self.tables.len()
    }

    fn view(&mut self, table: u32, maps: [MapId; LANES]) -> Leaf {
        self.views.insert_full(View { table, maps }).0 as Leaf
    }

    /// The region that is being looked for, itself.
    pub(crate) fn hole(&mut self, spans: [Span; LANES]) -> Leaf {
        let maps = spans.map(|span| match span.len() {
            1 => FLAT,
            len => self.map((0..len as u16).collect()),
        });
        self.view(HOLE, maps)
    }

    fn map(&mut self, map: Vec<u16>) -> MapId {
        if map.iter().all(|place| *place == 0) {
            return FLAT;
        }
        self.maps.insert_full(map.into_boxed_slice()).0 as MapId
    }

    /// The value at places of the lanes.
    pub(crate) fn at(&self, leaf: Leaf, places: [usize; LANES]) -> f64 {
        let view = self.views[leaf as usize];
        let table = &self.tables[view.table as usize];
        let mut index = 0;
        for (lane, at) in places.into_iter().enumerate() {
            let place = match view.maps[lane] {
                FLAT => 0,
                map => match self.maps[map as usize][at] {
                    LOST => return 0.0,
                    place => usize::from(place),
                },
            };
            index = index * table.lens[lane] + place;
        }
        table.data[index]
    }

    /// A lane seen through one more map; `None` is lost.
    pub(crate) fn shift(&mut self, leaf: Leaf, lane: usize, to: &[Option<u16>]) -> Leaf {
        if leaf == ZERO {
            return ZERO;
        }
        let view = self.views[leaf as usize];
        let old = &self.maps[view.maps[lane] as usize];
        let flat = view.maps[lane] == FLAT;
        let place = |to: &Option<u16>| match to {
            None => LOST,
            Some(_) if flat => 0,
            Some(to) => old[usize::from(*to)],
        };
        let map: Vec<u16> = to.iter().map(place).collect();
        if map.iter().all(|place| *place == LOST) {
            return ZERO;
        }
        let mut maps = view.maps;
        maps[lane] = self.map(map);
        self.view(view.table, maps)
    }

    /// How many places a combination of leaves tells apart, by lane.
    fn shape(&self, leaves: &[Leaf]) -> [usize; LANES] {
        std::array::from_fn(|lane| {
            let maps = leaves
                .iter()
                .map(|leaf| self.views[*leaf as usize].maps[lane]);
            maps.filter(|map| *map != FLAT)
                .map(|map| self.maps[map as usize].len())
                .max()
                .unwrap_or(1)
        })
    }

    /// What a leaf is worth, place by place.
    fn read(&self, leaf: Leaf, lens: [usize; LANES], out: &mut Vec<f64>) {
        let view = self.views[leaf as usize];
        let table = &self.tables[view.table as usize];
        let mut strides = [1; LANES];
        for lane in (0..LANES - 1).rev() {
            strides[lane] = strides[lane + 1] * table.lens[lane + 1];
        }
        let place = |lane: usize, at: usize| match view.maps[lane] {
            FLAT => Some(0),
            map => match self.maps[map as usize][at] {
                LOST => None,
                place => Some(usize::from(place) * strides[lane]),
            },
        };
        out.clear();
        for first in 0..lens[0] {
            let first = place(0, first);
            for second in 0..lens[1] {
                let base = first.zip(place(1, second)).map(|(a, b)| a + b);
                let Some(base) = base else {
                    out.resize(out.len() + lens[2], 0.0);
                    continue;
                };
                match view.maps[2] {
                    FLAT => out.resize(out.len() + lens[2], table.data[base]),
                    map => out.extend(self.maps[map as usize].iter().map(|place| match *place {
                        LOST => 0.0,
                        place => table.data[base + usize::from(place)],
                    })),
                }
            }
        }
    }

    fn is_hole(&self, leaf: Leaf) -> bool {
        self.views[leaf as usize].table == HOLE
    }

    /// A leaf for these values: lanes that make no difference are dropped.
    fn leaf(&mut self, mut lens: [usize; LANES], mut data: Vec<f64>) -> Leaf {
        for lane in 0..LANES {
            let inner: usize = lens[lane + 1..].iter().product();
            let len = lens[lane];
            let same = |block: &[f64]| {
                let (first, others) = block.split_at(inner);
                others.chunks(inner).all(|other| other == first)
            };
            if len > 1 && data.chunks(inner * len).all(same) {
                let kept = data
                    .chunks(inner * len)
                    .flat_map(|block| block[..inner].to_vec());
                data = kept.collect();
                lens[lane] = 1;
            }
        }
        if data.iter().all(|value| *value == 0.0) {
            return ZERO;
        }
        let table = self.table(lens, data);
        let maps = std::array::from_fn(|lane| match lens[lane] {
            1 => FLAT,
            len => self.map((0..len as u16).collect()),
        });
        self.view(table, maps)
    }

    fn table(&mut self, lens: [usize; LANES], data: Vec<f64>) -> u32 {
        use std::hash::{BuildHasher, Hash, Hasher};
        let mut hasher = FxBuildHasher.build_hasher();
        lens.hash(&mut hasher);
        for value in &data {
            hasher.write_u64(value.to_bits());
        }
        let hash = hasher.finish();
        let same = self.by_hash.entry(hash).or_default();
        for &number in same.iter() {
            let table = &self.tables[number as usize];
            if table.lens == lens && *table.data == *data {
                return number;
            }
        }
        let number = self.tables.len() as u32;
        same.push(number);
        self.held += data.len();
        self.tables.push(Table {
            lens,
            data: data.into_boxed_slice(),
        });
        number
    }

    /// The better of two, place by place.
    pub(crate) fn best(&mut self, a: Leaf, b: Leaf) -> Leaf {
        match (a, b) {
            (ZERO, other) | (other, ZERO) => return other,
            _ if a == b => return a,
            _ => {}
        }
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.best.get(&key) {
            return *known;
        }
        if let Some(both) = self.side_by_side(a, b) {
            self.best.insert(key, both);
            return both;
        }
        if [a, b].iter().any(|leaf| self.is_hole(*leaf)) {
            self.unclosed = true;
            return ZERO;
        }
        let lens = self.shape(&[a, b]);
        if !self.room(16 * volume(lens)) {
            return ZERO;
        }
        let (mut first, mut second) = (Vec::new(), Vec::new());
        self.read(a, lens, &mut first);
        self.read(b, lens, &mut second);
        for (first, second) in first.iter_mut().zip(&second) {
            *first = first.max(*second);
        }
        let best = self.leaf(lens, first);
        self.best.insert(key, best);
        best
    }

    /// Two views of one table that are lost where the other is not.
    fn side_by_side(&mut self, a: Leaf, b: Leaf) -> Option<Leaf> {
        let (first, second) = (self.views[a as usize], self.views[b as usize]);
        if first.table != second.table {
            return None;
        }
        let mut lanes = (0..LANES).filter(|lane| first.maps[*lane] != second.maps[*lane]);
        let lane = lanes.next().filter(|_| lanes.next().is_none())?;
        let map = |view: View| &self.maps[view.maps[lane] as usize];
        if first.maps[lane] == FLAT || second.maps[lane] == FLAT {
            return None;
        }
        let both = map(first)
            .iter()
            .zip(map(second))
            .map(|(a, b)| match (*a, *b) {
                (LOST, other) | (other, LOST) => Some(other),
                (a, b) => (a == b).then_some(a),
            });
        let both = both.collect::<Option<Vec<u16>>>()?;
        let mut maps = first.maps;
        maps[lane] = self.map(both);
        Some(self.view(first.table, maps))
    }

    /// A mixture by chances that sum to 1.
    pub(crate) fn mix(&mut self, parts: &[(f64, Leaf)]) -> Leaf {
        if parts.iter().all(|part| part.1 == parts[0].1) {
            return parts.first().map_or(ZERO, |part| part.1);
        }
        let leaves: Vec<Leaf> = parts.iter().map(|part| part.1).collect();
        let lens = self.shape(&leaves);
        if !self.room(16 * volume(lens)) {
            return ZERO;
        }
        let mut sum = vec![0.0; volume(lens)];
        let mut part = Vec::new();
        for &(chance, leaf) in parts {
            if leaf == ZERO {
                continue;
            }
            self.read(leaf, lens, &mut part);
            for (sum, part) in sum.iter_mut().zip(&part) {
                *sum += chance * part;
            }
        }
        self.leaf(lens, sum)
    }

    /// The best of all, also of those that look back at the result.
    pub(crate) fn close(&mut self, parts: &[Leaf]) -> Leaf {
        let mut best = ZERO;
        let mut holes = Vec::new();
        for part in parts {
            match self.is_hole(*part) {
                true => holes.push(self.views[*part as usize].maps),
                false => best = self.best(best, *part),
            }
        }
        if holes.is_empty() || best == ZERO {
            return best;
        }
        let mut lens = self.shape(parts);
        for (lane, len) in lens.iter_mut().enumerate() {
            *len = (*len).max(self.shape(&[best])[lane]);
        }
        // Beside the values, from where to where all of them look back.
        if !self.room((8 + 32 * holes.len()) * volume(lens)) {
            return ZERO;
        }
        let mut values = Vec::new();
        self.read(best, lens, &mut values);
        let place = |map: MapId, at: usize| match map {
            FLAT => Some(0),
            map => match self.maps[map as usize][at] {
                LOST => None,
                place => Some(usize::from(place)),
            },
        };
        let mut from = Vec::new();
        for maps in &holes {
            for first in 0..lens[0] {
                for second in 0..lens[1] {
                    for third in 0..lens[2] {
                        let places = place(maps[0], first).zip(place(maps[1], second));
                        let places = places.zip(place(maps[2], third));
                        if let Some(((a, b), c)) = places {
                            let here = (first * lens[1] + second) * lens[2] + third;
                            from.push((here, (a * lens[1] + b) * lens[2] + c));
                        }
                    }
                }
            }
        }
        // Lanes that go down, such as provisions, come last: mostly one sweep is enough.
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &(here, there) in &from {
                if values[there] > values[here] {
                    values[here] = values[there];
                    changed = true;
                }
            }
        }
        self.leaf(lens, values)
    }

    /// Runs a fight: see [`Course`](super::course::Course).
    pub(crate) fn fight(
        &mut self,
        course: &super::course::Course,
        life: Span,
        victory: Leaf,
        flights: &[Leaf],
    ) -> Leaf {
        let mut leaves = vec![victory];
        leaves.extend_from_slice(flights);
        if leaves.iter().all(|leaf| *leaf == ZERO) {
            return ZERO;
        }
        let mut lens = self.shape(&leaves);
        // After the fight there is at least 1, and at most what there was.
        lens[0] = life.hi as usize;
        let width = lens[1] * lens[2];
        let rows = course.rows() + (leaves.len() + 2) * lens[0];
        if !self.room(8 * rows.saturating_mul(width)) {
            return ZERO;
        }
        let mut read = Vec::new();
        let inputs: Vec<Vec<f64>> = leaves
            .iter()
            .map(|leaf| {
                self.read(*leaf, lens, &mut read);
                read.clone()
            })
            .collect();
        let values = course.run(life, width, &inputs);
        lens[0] = life.len();
        self.leaf(lens, values)
    }
}
