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

/// So many stats may be lanes: money, life, LUCK, and others that change with refreshments.
pub(crate) const LANES: usize = 4;
/// The lane of money, which is kept [by classes](shape).
pub(crate) const PURSE: usize = 0;
/// The first of the other lanes, that of life.
pub(crate) const LIFE: usize = 1;
/// The lane of LUCK, if it is one, or of another stat.
pub(crate) const LUCK: usize = 2;

/// From each value of a lane to a place in a table.
pub(crate) type MapId = u32;
/// Everything is at the first place of a table that does not depend on the lane.
pub(crate) const FLAT: MapId = 0;
/// Lost, whatever the table says.
pub(crate) const LOST: u16 = u16::MAX;

/// A table, looked at through a map for each lane: equal views have equal numbers.
pub(crate) type Leaf = u32;
/// Worth nothing.
pub(crate) const ZERO: Leaf = 0;
/// Worth all.
pub(crate) const ONE: Leaf = 1;

/// Stands for the table of a region that is being looked for.
pub(crate) const HOLE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    /// Where it is kept.
    pub(crate) at: usize,
    /// Places by lane, 1 where it does not matter; the first lane is the outermost.
    pub(crate) lens: [u16; LANES],
    /// Of its values.
    pub(crate) hash: u64,
    pub(crate) folded: bool,
}

impl Table {
    pub(crate) fn size(&self) -> Size {
        Size::of(self.lens)
    }
}

/// All tables, by content, and what has been computed from them.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    pub(crate) values: Store,
    pub(crate) tables: Vec<Table>,
    pub(crate) by_values: Numbers,
    pub(crate) maps: IndexSet<Box<[u16]>, FxBuildHasher>,
    /// By map, its [steps](shape::steps).
    pub(crate) steps: Vec<Box<[u64]>>,
    /// The bytes of both.
    pub(crate) map_bytes: usize,
    /// Few: mostly places are seen where they are, or a lane by a few less.
    pub(crate) looks: IndexMap<[MapId; LANES], Look, FxBuildHasher>,
    /// By lengths, how to see all places where they are.
    pub(crate) straight: FxHashMap<[u16; LANES], u32>,
    pub(crate) views: Vec<View>,
    pub(crate) by_view: Numbers,
    /// By two leaves.
    pub(crate) best: Memo<2>,
    /// Ways to look back, all of one region together.
    pub(crate) backs: IndexSet<Box<[[MapId; LANES]]>, FxBuildHasher>,
    /// By leaf and ways back, the best after both: what is eaten in one section is mostly
    /// no more worth eating in the next.
    pub(crate) closed: FxHashMap<(Leaf, u32), Leaf>,
    pub(crate) spare: Spare,
    /// Which way mixtures and fights are rounded.
    pub(crate) towards: Towards,
    /// A bound is looked for, in which not everything is told apart.
    pub(crate) coarse: Option<Coarse>,
    /// So many bytes were taken beside tables when that was counted.
    pub(crate) beside: usize,
    /// So many bytes may be taken.
    pub(crate) limit: usize,
    /// More were asked for: what comes after that means nothing.
    pub(crate) full: bool,
    /// There was not memory enough before: all tables are folded that can be.
    pub(crate) tight: bool,
    /// Two looks back were to be compared that cannot be.
    pub(crate) unclosed: bool,
}

/// Room for what is being computed, kept for the next time.
#[derive(Debug, Default)]
pub(crate) struct Spare {
    pub(crate) values: Vec<f64>,
    pub(crate) part: Vec<f64>,
    pub(crate) other: Vec<f64>,
    /// For these lengths and holes, from where to where the holes look back.
    pub(crate) looks: ([usize; LANES], Vec<[MapId; LANES]>),
    pub(crate) eating: Eating,
    /// What a fight leads to.
    ends: Vec<Vec<f64>>,
}

/// No more than so many things are added to a list in most steps.
const STEP: usize = 4;

/// What rounding may cost a sum of products, for each term and for two more.
pub(crate) const ROUNDING: f64 = f64::EPSILON;

pub(crate) fn volume(lens: [usize; LANES]) -> usize {
    // An eighth of what fits, as it is multiplied by bytes.
    let all = lens
        .iter()
        .fold(1_usize, |all, len| all.saturating_mul(*len));
    all.min(usize::MAX >> 10)
}

/// Drops lanes that make no difference: the lengths of those that are left.
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
            ..Tables::default()
        };
        tables.begin_maps();
        for value in [0.0, 1.0] {
            let table = tables.table([1; LANES], &[value]);
            tables.view(table, [FLAT; LANES]);
        }
        tables
    }

    /// About how much memory all of this takes.
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

    /// Whether so many more bytes may be taken; if not, that is kept in mind.
    pub(crate) fn room(&mut self, bytes: usize) -> bool {
        let bytes = (self.bytes() + self.beside).saturating_add(bytes);
        if bytes.saturating_add(self.values.left()) > self.limit {
            // Not all of it: what was given back is hard to get again in one piece.
            self.values.give_back(self.limit.saturating_sub(bytes));
        }
        self.full |= bytes > self.limit;
        !self.full
    }

    pub(crate) fn len(&self) -> usize {
        self.tables.len()
    }

    /// How many bytes may be kept for what is to be remembered on the next walk through diagrams.
    pub(crate) fn idle(&self) -> usize {
        self.limit >> 8
    }

    /// The region that is being looked for, itself.
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

    /// The first map, which nothing else is equal to.
    pub(crate) fn begin_maps(&mut self) {
        self.maps.insert(Box::new([]));
        self.steps.push(shape::steps(&[]));
    }

    pub(crate) fn is_hole(&self, leaf: Leaf) -> bool {
        self.views[leaf as usize].table == HOLE
    }

    /// A leaf for these values, or for a bound of them.
    pub(crate) fn leaf(&mut self, shape: &Shape, data: &mut Vec<f64>) -> Leaf {
        let (lens, purse) = shape.merged(data);
        let lens = flattened(lens, data);
        match self.coarse {
            Some(_) => self.coarsely(lens, data),
            None => self.exactly(lens, purse, data),
        }
    }

    /// A leaf for just these values, where every lane makes a difference.
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
        let table = Table {
            at: 0,
            lens: lens.map(|len| len as u16),
            hash,
            folded: false,
        };
        let short = self.short();
        self.kept(&table, data, short)
    }

    /// Whether so much is kept that memory may become short: two thirds of what there is.
    pub(crate) fn short(&self) -> bool {
        self.tight || self.bytes() > self.limit / 3 * 2
    }

    /// Keeps a table that is not known, with these values and what follows them. Its number.
    fn kept(&mut self, table: &Table, data: &[f64], short: bool) -> u32 {
        let (at, folded) = self.put(table.size(), data, short);
        self.add(Table {
            at,
            folded,
            ..*table
        })
    }

    /// Puts values, and what follows them, where tables are kept; folded if memory is short:
    /// else it is faster to look at what lies as it is. Where that is, and whether it is folded.
    pub(crate) fn put(&mut self, size: Size, data: &[f64], short: bool) -> (usize, bool) {
        let data = &data[..size.volume()];
        let folded = short && size.folds();
        let at = match folded {
            true => self.values.fold(data, size),
            false => self.values.push(data),
        };
        (at, folded)
    }

    /// Adds a table that is not known. Its number.
    pub(crate) fn add(&mut self, table: Table) -> u32 {
        let number = self.tables.len() as u32;
        self.by_values.insert(table.hash, number);
        self.tables.push(table);
        number
    }

    fn found(&self, hash: u64, lens: [usize; LANES], data: &[f64]) -> Option<u32> {
        // Other lengths are other tables, mostly with other values.
        self.by_values.find(hash, |number: u32| {
            let table = &self.tables[number as usize];
            table.hash == hash
                && table.lens.map(usize::from) == lens
                && self.planes(table).are(data)
        })
    }

    /// A table, plane by plane.
    pub(crate) fn planes(&self, table: &Table) -> Planes<'_> {
        self.values.planes(table.at, table.size(), table.folded)
    }

    /// All that a table holds, place by place.
    pub(crate) fn values(&self, table: &Table) -> impl Iterator<Item = f64> + use<'_> {
        self.planes(table).values()
    }

    /// Whether nothing in a table is lost.
    pub(crate) fn is_alive(&self, table: u32) -> bool {
        self.values(&self.tables[table as usize])
            .all(|value| value > 0.0)
    }

    /// The table that holds these values, if there is one.
    pub(crate) fn known(&self, lens: [usize; LANES], data: &[f64]) -> Option<u32> {
        self.found(arena::hash(data, f64::to_bits), lens, data)
    }

    pub(crate) fn table_of(&self, leaf: Leaf) -> u32 {
        self.views[leaf as usize].table
    }

    /// Two views of one table that are lost where the other is not.
    pub(crate) fn side_by_side(&mut self, a: Leaf, b: Leaf) -> Option<Leaf> {
        let table = self.views[a as usize].table;
        if self.views[b as usize].table != table {
            return None;
        }
        let (first, second) = (self.looked(a), self.looked(b));
        let mut lanes = (0..LANES).filter(|lane| first.maps[*lane] != second.maps[*lane]);
        let lane = lanes.next().filter(|_| lanes.next().is_none())?;
        let map = |look: &Look| &self.maps[look.maps[lane] as usize];
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
        Some(self.view(table, maps))
    }

    /// Runs a fight: see [`Course`](course::Course).
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
        // After the fight there is at least 1, and at most what there was.
        shape.lens[LIFE] = life.hi as usize;
        let (before, after) = course.lucks();
        // It falls, so that after has what before has.
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

/// How much memory a list takes after the next step: it grows by leaps.
fn ahead<T>(list: &Vec<T>) -> usize {
    let leap = list.len() + STEP > list.capacity();
    size_of::<T>() * list.capacity() * if leap { 2 } else { 1 }
}

/// About how much memory a map from pairs of numbers takes with such a capacity.
pub(crate) fn pairs(capacity: usize) -> usize {
    // An eighth stays free, and each place has a byte of its own.
    capacity * 8 / 7 * (size_of::<((u32, u32), u32)>() + 1)
}
