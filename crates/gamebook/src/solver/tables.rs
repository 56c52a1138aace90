//! Tables over the lanes of a sheet, and views of them.

pub(crate) mod best;
pub(crate) mod coarse;
pub(crate) mod columns;
pub(crate) mod course;
pub(crate) mod eating;
pub(crate) mod folded;
pub(crate) mod look;
mod mixture;
#[cfg(test)]
mod purse_trials;
pub(crate) mod refreshed;
pub(crate) mod runs;
pub(crate) mod shape;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::solver::diagrams::arena::{self, Numbers};
use crate::solver::diagrams::memo::Memo;
use crate::solver::induction::directed::Towards;
use crate::solver::reach::extent::Span;
use crate::solver::tables::coarse::Coarse;
use crate::solver::tables::eating::Eating;
use crate::solver::tables::folded::{Planes, Size, Store};
use crate::solver::tables::look::{Blocks, Look, View};
use crate::solver::tables::shape::Shape;

/// The most stats that may be lanes: money, life, LUCK, and others that change with refreshments.
pub(crate) const LANES: usize = 4;
/// The lane of money, which is kept [by classes](shape).
pub(crate) const PURSE: usize = 0;
/// The first of the other lanes, that of life.
pub(crate) const LIFE: usize = 1;
/// The lane of LUCK, if it is a lane, or of another stat.
pub(crate) const LUCK: usize = 2;

/// An interned map from each value of a lane to a position in a table.
pub(crate) type MapId = u32;
/// Maps everything to the first position of a table that does not depend on the lane.
pub(crate) const FLAT: MapId = 0;
/// The position that means lost, whatever the table says.
pub(crate) const LOST: u16 = u16::MAX;

/// An interned view: a table, seen through a map for each lane.
pub(crate) type Leaf = u32;
/// The constant 0.
pub(crate) const ZERO: Leaf = 0;
/// The constant 1.
pub(crate) const ONE: Leaf = 1;

/// Stands for the table of a region that is being computed.
pub(crate) const HOLE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    /// The position of its values in the store.
    pub(crate) at: usize,
    /// The number of positions by lane, 1 if the lane makes no difference; the first lane is the
    /// outermost.
    pub(crate) lens: [u16; LANES],
    /// The hash of its values.
    pub(crate) hash: u64,
    pub(crate) stored: Stored,
}

/// How a table is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    /// All values in order.
    Plain,
    /// [Folded](folded), in this many words.
    Folded(u32),
}

impl Table {
    pub(crate) fn size(&self) -> Size {
        Size::of(self.lens)
    }

    pub(crate) fn folded(&self) -> bool {
        self.stored != Stored::Plain
    }

    /// Whether it could be folded and is not.
    pub(crate) fn may_be_folded(&self) -> bool {
        !self.folded() && self.size().folds()
    }

    /// The number of words in the store.
    pub(crate) fn words(&self) -> usize {
        match self.stored {
            Stored::Plain => self.size().volume(),
            Stored::Folded(words) => words as usize,
        }
    }
}

/// All tables, interned by content, and what has been computed from them.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    pub(crate) values: Store,
    pub(crate) tables: Vec<Table>,
    pub(crate) by_values: Numbers,
    pub(crate) maps: IndexSet<Box<[u16]>, FxBuildHasher>,
    /// By map, its [steps](shape::steps).
    pub(crate) steps: Vec<Box<[u64]>>,
    /// The memory of maps and steps, in bytes.
    pub(crate) map_bytes: usize,
    /// There are few of these: usually positions are seen where they are, or a lane is shifted by a
    /// few.
    pub(crate) looks: IndexMap<[MapId; LANES], Look, FxBuildHasher>,
    /// By lengths, the look that sees all positions where they are.
    pub(crate) straight: FxHashMap<[u16; LANES], u32>,
    pub(crate) views: Vec<View>,
    pub(crate) by_view: Numbers,
    /// By two leaves, their maximum.
    pub(crate) best: Memo<2>,
    /// Sets of holes, all those of one region together.
    pub(crate) backs: IndexSet<Box<[[MapId; LANES]]>, FxBuildHasher>,
    /// By leaf and set of holes, the result of closing: what is eaten in one section is usually not
    /// worth eating any more in the next.
    pub(crate) closed: FxHashMap<(Leaf, u32), Leaf>,
    pub(crate) spare: Spare,
    /// By lane, whether values never fall along it.
    pub(crate) rises: [bool; LANES],
    /// The direction in which mixtures and fights are rounded.
    pub(crate) towards: Towards,
    /// Set if a bound is computed, for which not everything is distinguished.
    pub(crate) coarse: Option<Coarse>,
    /// The memory besides tables when it was last counted, in bytes.
    pub(crate) beside: usize,
    /// The memory limit, in bytes.
    pub(crate) limit: usize,
    /// The limit was exceeded; later results are meaningless.
    pub(crate) full: bool,
    /// Whether tables are folded as soon as they are made, as they hold few different numbers.
    pub(crate) folds: bool,
    /// The words of all tables that could be folded and are not.
    pub(crate) plain: usize,
    /// The memory in use when tables were folded last, in bytes; `usize::MAX` since the last
    /// collection.
    pub(crate) after_folding: usize,
    /// Two holes were to be compared that cannot be.
    pub(crate) unclosed: bool,
}

/// Buffers, kept for reuse.
#[derive(Debug, Default)]
pub(crate) struct Spare {
    pub(crate) values: Vec<f64>,
    pub(crate) part: Vec<f64>,
    pub(crate) other: Vec<f64>,
    /// The lengths and holes for which `eating` was computed.
    pub(crate) looks: ([usize; LANES], Vec<[MapId; LANES]>),
    pub(crate) eating: Eating,
    /// The values of the ends of a fight.
    ends: Vec<Vec<f64>>,
}

/// Tables are folded when at most this fraction of the memory is left, unless hardly any is saved.
const LITTLE: usize = 8;
/// Then, this fraction is to be left.
const ROOM: usize = 3;
/// Folding is not worthwhile if less than this fraction of the memory holds plain tables.
const PLAIN: usize = 16;

/// Most steps add at most this many items to a list.
const STEP: usize = 4;

/// The relative rounding error of a sum of products, for each term and for two more.
pub(crate) const ROUNDING: f64 = f64::EPSILON;

pub(crate) fn volume(lens: [usize; LANES]) -> usize {
    // An eighth of what fits, since it is multiplied by bytes.
    let all = lens
        .iter()
        .fold(1_usize, |all, len| all.saturating_mul(*len));
    all.min(usize::MAX >> 10)
}

/// Drops lanes that make no difference, and returns the remaining lengths.
pub(crate) fn flattened(mut lens: [usize; LANES], data: &mut Vec<f64>) -> [usize; LANES] {
    for lane in 0..LANES {
        let inner: usize = lens[lane + 1..].iter().product();
        let len = lens[lane];
        let same = |block: &[f64]| {
            let (first, others) = block.split_at(inner);
            others.chunks(inner).all(|other| other == first)
        };
        if len > 1 && data.chunks(inner * len).all(same) {
            let blocks = data.len() / (inner * len);
            for block in 1..blocks {
                let from = block * inner * len;
                data.copy_within(from..from + inner, block * inner);
            }
            data.truncate(blocks * inner);
            lens[lane] = 1;
        }
    }
    lens
}

impl Tables {
    pub(crate) fn new(limit: usize) -> Self {
        let mut tables = Tables {
            limit,
            after_folding: usize::MAX,
            ..Tables::default()
        };
        tables.begin_maps();
        for value in [0.0, 1.0] {
            let table = tables.table([1; LANES], &[value]);
            tables.view(table, [FLAT; LANES]);
        }
        tables
    }

    /// The approximate memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.values.bytes()
            + ahead(&self.tables)
            + ahead(&self.views)
            + self.by_values.bytes()
            + self.by_view.bytes()
            + self.best.bytes()
            + pairs(self.closed.capacity())
            + (size_of::<Look>() + 40) * self.looks.len()
            + self.map_bytes
            + self.coarse.as_ref().map_or(0, Coarse::bytes)
    }

    /// Whether this many more bytes may be taken, if need be by folding. If not, `full` is set.
    pub(crate) fn room(&mut self, bytes: usize) -> bool {
        let mut taken = (self.bytes() + self.beside).saturating_add(bytes);
        if taken > self.limit - self.limit / LITTLE && self.fold_some() {
            taken = (self.bytes() + self.beside).saturating_add(bytes);
        }
        if taken.saturating_add(self.values.left()) > self.limit {
            // Keep some of it, since freed memory is hard to get back in one piece.
            self.values.give_back(self.limit.saturating_sub(taken));
        }
        self.full |= taken > self.limit;
        !self.full
    }

    /// Folds tables until there is some room, if that saves much. Returns whether it does.
    pub(crate) fn fold_some(&mut self) -> bool {
        if !self.are_plain() {
            return false;
        }
        let others = self.bytes() - self.values.bytes() + self.beside;
        let until = self.limit - self.limit / ROOM;
        self.fold(until.saturating_sub(others));
        true
    }

    /// Whether folding would save much.
    pub(crate) fn are_plain(&self) -> bool {
        self.plain > self.limit / size_of::<f64>() / PLAIN
    }

    pub(crate) fn len(&self) -> usize {
        self.tables.len()
    }

    /// How many bytes may be kept for the memos of the next walk through diagrams.
    pub(crate) fn idle(&self) -> usize {
        self.limit >> 8
    }

    /// The hole that stands for the region being computed.
    pub(crate) fn hole(&mut self, spans: [Span; LANES]) -> Leaf {
        let maps = spans.map(|span| match span.len() {
            1 => FLAT,
            len => self.map((0..len as u16).collect()),
        });
        self.view(HOLE, maps)
    }

    pub(crate) fn map(&mut self, map: Vec<u16>) -> MapId {
        if map.iter().all(|place| *place == 0) {
            return FLAT;
        }
        let (number, new) = self.maps.insert_full(map.into_boxed_slice());
        if new {
            let map = &self.maps[number];
            let steps = shape::steps(map);
            self.map_bytes += 56 + 2 * map.len() + 8 * steps.len();
            self.steps.push(steps);
        }
        number as MapId
    }

    /// Adds the first map, which is equal to no other.
    pub(crate) fn begin_maps(&mut self) {
        self.maps.insert(Box::new([]));
        self.steps.push(shape::steps(&[]));
    }

    pub(crate) fn is_hole(&self, leaf: Leaf) -> bool {
        self.views[leaf as usize].table == HOLE
    }

    /// A leaf with these values, or with a bound on them.
    pub(crate) fn leaf(&mut self, shape: &Shape, data: &mut Vec<f64>) -> Leaf {
        let (lens, purse) = shape.merged(data);
        let lens = flattened(lens, data);
        match self.coarse {
            Some(_) => self.coarsely(lens, data),
            None => self.exactly(lens, purse, data),
        }
    }

    /// A leaf with exactly these values, in which every lane makes a difference.
    pub(crate) fn exactly(&mut self, lens: [usize; LANES], purse: Vec<u16>, data: &[f64]) -> Leaf {
        if data.iter().all(|value| *value == 0.0) {
            return ZERO;
        }
        let table = self.table(lens, data);
        self.with_purse(table, purse)
    }

    pub(crate) fn table(&mut self, lens: [usize; LANES], data: &[f64]) -> u32 {
        let hash = arena::hash(data, f64::to_bits);
        if let Some(known) = self.found(hash, lens, data) {
            return known;
        }
        let lens = lens.map(|len| len as u16);
        // Values are plain, since that is faster to read and they may not be needed for long.
        let (at, stored) = self.put(Size::of(lens), data, self.folds);
        let table = Table {
            at,
            lens,
            hash,
            stored,
        };
        self.add(table)
    }

    /// Stores the values of a table, which may be followed by others. Returns their position, and
    /// how they are stored.
    pub(crate) fn put(&mut self, size: Size, data: &[f64], folded: bool) -> (usize, Stored) {
        let data = &data[..size.volume()];
        match (size.folds(), folded) {
            (true, true) => {
                let (at, words) = self.values.fold(data, size);
                (at, Stored::Folded(words))
            }
            (folds, _) => {
                self.plain += if folds { data.len() } else { 0 };
                (self.values.push(data), Stored::Plain)
            }
        }
    }

    /// Adds a table that is not known, and returns its number.
    pub(crate) fn add(&mut self, table: Table) -> u32 {
        let number = self.tables.len() as u32;
        self.by_values.insert(table.hash, number);
        self.tables.push(table);
        number
    }

    fn found(&self, hash: u64, lens: [usize; LANES], data: &[f64]) -> Option<u32> {
        // Tables of other lengths usually have other values, so they are not merged.
        self.by_values.find(hash, |number: u32| {
            let table = &self.tables[number as usize];
            table.hash == hash
                && table.lens.map(usize::from) == lens
                && self.planes(table).are(data)
        })
    }

    /// The planes of a table.
    pub(crate) fn planes(&self, table: &Table) -> Planes<'_> {
        self.values.planes(table.at, table.size(), table.folded())
    }

    /// The values of a table.
    pub(crate) fn values(&self, table: &Table) -> impl Iterator<Item = f64> + use<'_> {
        self.planes(table).values()
    }

    /// Whether all values of a table are positive.
    pub(crate) fn is_alive(&self, table: u32) -> bool {
        self.values(&self.tables[table as usize])
            .all(|value| value > 0.0)
    }

    /// The table with these values, if there is one.
    pub(crate) fn known(&self, lens: [usize; LANES], data: &[f64]) -> Option<u32> {
        self.found(arena::hash(data, f64::to_bits), lens, data)
    }

    pub(crate) fn table_of(&self, leaf: Leaf) -> u32 {
        self.views[leaf as usize].table
    }

    /// The maximum of two views of one table, if it is a view, too: if they differ only in one
    /// lane, and there only where one of them is lost, or along which values never fall; or if one
    /// of them is nowhere farther back in any lane.
    pub(crate) fn side_by_side(&mut self, a: Leaf, b: Leaf) -> Option<Leaf> {
        let table = self.views[a as usize].table;
        if self.views[b as usize].table != table {
            return None;
        }
        let (first, second) = (self.looked(a).maps, self.looked(b).maps);
        let mut best = first;
        for lane in 0..LANES {
            best[lane] = self.farther(lane, first[lane], second[lane])?;
        }
        let differing = (0..LANES).filter(|lane| first[*lane] != second[*lane]);
        let at_once = differing.count() == 1 || best == first || best == second;
        at_once.then(|| self.view(table, best))
    }

    /// By value of a lane, the better of two positions, if it is known which one is.
    fn farther(&mut self, lane: usize, first: MapId, second: MapId) -> Option<MapId> {
        if first == second {
            return Some(first);
        }
        if first == FLAT || second == FLAT {
            return None;
        }
        let rises = self.rises[lane];
        let map = |map: MapId| self.maps[map as usize].iter();
        let both = map(first).zip(map(second)).map(|(a, b)| match (*a, *b) {
            (LOST, other) | (other, LOST) => Some(other),
            (a, b) => (a == b || rises).then_some(a.max(b)),
        });
        let both = both.collect::<Option<Vec<u16>>>()?;
        Some(self.map(both))
    }

    /// The value of a fight; see [`Course`](course::Course).
    pub(crate) fn fight(
        &mut self,
        course: &course::Course,
        life: Span,
        victory: Leaf,
        flights: &[Leaf],
    ) -> Leaf {
        let mut leaves = vec![victory];
        leaves.extend_from_slice(flights);
        if leaves.iter().all(|leaf| *leaf == ZERO) {
            return ZERO;
        }
        let mut shape = self.shape(&leaves);
        // After the fight, STAMINA is at least 1 and at most what it was.
        shape.lens[LIFE] = life.hi as usize;
        let (before, after) = course.lucks();
        // LUCK only falls, so the values after the fight include those before.
        if after > 1 {
            shape.lens[LUCK] = after;
        }
        let plane = shape.plane();
        let width = plane / shape.lens[LIFE] / after;
        let rows = course.rows() + (leaves.len() + 2) * shape.lens[LIFE] * after;
        if !self.room(8 * rows.saturating_mul(width) + 16 * shape.volume()) {
            return ZERO;
        }
        let mut spare = std::mem::take(&mut self.spare);
        spare.ends.resize_with(leaves.len(), Vec::new);
        let parts: Vec<Blocks<'_>> = leaves
            .iter()
            .map(|leaf| self.blocks(*leaf, &shape))
            .collect();
        spare.values.clear();
        for class in 0..shape.lens[PURSE] {
            for (part, end) in parts.iter().zip(&mut spare.ends) {
                let values = part.block(class, &mut spare.part);
                end.clear();
                end.extend_from_slice(values);
            }
            let (from, size) = (spare.values.len(), (life, width));
            let room = (&mut spare.other, &mut spare.values);
            course.run(size, &spare.ends, room, &mut |_, _, _| {});
            course.rounded(&mut spare.values[from..], size, &spare.ends, self.towards);
        }
        shape.lens[LIFE] = life.len();
        if after > 1 {
            shape.lens[LUCK] = before;
        }
        let fought = self.leaf(&shape, &mut spare.values);
        self.spare = spare;
        fought
    }
}

/// The memory of a list after the next step, since it grows in leaps.
fn ahead<T>(list: &Vec<T>) -> usize {
    let leap = list.len() + STEP > list.capacity();
    size_of::<T>() * list.capacity() * if leap { 2 } else { 1 }
}

/// The approximate memory of a map from pairs of numbers with this capacity.
pub(crate) fn pairs(capacity: usize) -> usize {
    // An eighth stays free, and each slot has one more byte.
    capacity * 8 / 7 * (size_of::<((u32, u32), u32)>() + 1)
}
