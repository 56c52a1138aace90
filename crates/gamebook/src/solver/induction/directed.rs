//! Arithmetic that rounds one way only, and what is compared to enclose values by it.

use rustc_hash::FxHashMap;

use crate::solver::diagrams::gates::{Gate, NO};
use crate::solver::diagrams::{Diagram, Diagrams, LEAF, LOST};
use crate::solver::tables::{FLAT, HOLE, Leaf, Tables, ZERO};

/// Which way results of arithmetic are rounded. What is only copied or compared is exact
/// whatever this is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Towards {
    /// As floats are.
    #[default]
    Nearest,
    /// Nothing comes out as less than it is.
    Up,
    /// Nothing comes out as more than it is.
    Down,
}

/// Who falls by no more than this part stays: sums in another order round another way.
const STEADY: f64 = 16.0 * f64::EPSILON;

/// Products of less than this may lose digits, or be 0, by underflow. All that underflow
/// takes is far below what is allowed for rounding from here on.
pub(crate) const TINY: f64 = 1e-280;

impl Towards {
    /// A mixture that has come out as `value`, and may be off by so much of itself by
    /// rounding. It is one of values from `least` to `most`, so that it is never beyond
    /// them: where all of these are equal it is equal to them, and not a little more.
    pub(crate) fn round(self, value: f64, off: f64, least: f64, most: f64) -> f64 {
        match self {
            Towards::Nearest => value,
            Towards::Up => (value * (1.0 + off)).max(TINY).min(most),
            Towards::Down if value < TINY => least,
            Towards::Down => (value * (1.0 - off)).max(least),
        }
    }
}

impl Tables {
    /// Other values in place of these; 0 stays 0.
    fn revalued(&mut self, leaf: Leaf, to: &dyn Fn(f64) -> f64) -> Leaf {
        if leaf == ZERO {
            return ZERO;
        }
        let shape = self.shape(&[leaf]);
        if !self.room(24 * shape.volume()) {
            return ZERO;
        }
        let mut part = Vec::new();
        let values = self.read(leaf, &shape, &mut part).iter();
        let mut values: Vec<f64> = values.map(|value| to(*value)).collect();
        self.leaf(&shape, &mut values)
    }

    /// How much more than `other` a leaf is worth at most.
    fn over(&self, leaf: Leaf, other: Leaf) -> f64 {
        let shape = self.shape(&[leaf, other]);
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let first = self.read(leaf, &shape, &mut first);
        let second = self.read(other, &shape, &mut second);
        let both = first.iter().zip(second);
        both.fold(0.0, |over, (a, b)| over.max(a - b))
    }

    /// This leaf, but for what is hardly less than another: that stays as it was.
    fn steadied(&mut self, leaf: Leaf, before: Leaf) -> Leaf {
        let shape = self.shape(&[leaf, before]);
        if !self.room(24 * shape.volume()) {
            return ZERO;
        }
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let first = self.read(leaf, &shape, &mut first).iter();
        let second = self.read(before, &shape, &mut second);
        let steadied = |(now, before): (&f64, &f64)| match now * (1.0 + STEADY) >= *before {
            true => now.max(*before),
            false => *now,
        };
        let mut values: Vec<f64> = first.zip(second).map(steadied).collect();
        self.leaf(&shape, &mut values)
    }

    /// A leaf of others.
    fn copied(&mut self, from: &Tables, leaf: Leaf) -> Leaf {
        let view = from.views[leaf as usize];
        let table = match view.table {
            HOLE => HOLE,
            table => {
                let table = &from.tables[table as usize];
                let values: Vec<f64> = from.values(table).collect();
                self.table(table.lens.map(usize::from), &values)
            }
        };
        let maps = from.looked(leaf).maps.map(|map| match map {
            FLAT => FLAT,
            map => self.map(from.maps[map as usize].to_vec()),
        });
        self.view(table, maps)
    }
}

impl Diagrams {
    /// From now on rounds that way: what was made by another is forgotten.
    pub(crate) fn turn(&mut self, towards: Towards) {
        self.forget();
        self.tables.towards = towards;
    }

    /// Other values in place of these; 0 stays 0.
    pub(crate) fn revalued(&mut self, diagram: Diagram, to: &dyn Fn(f64) -> f64) -> Diagram {
        self.apply(&[diagram], &mut |tables, leaves| {
            tables.revalued(leaves[0], to)
        })
    }

    /// How much more than `other` a sheet is worth at most, of those that there can be.
    pub(crate) fn over(&mut self, diagram: Diagram, other: Diagram, care: Gate) -> f64 {
        let mut memo = FxHashMap::default();
        self.overs(diagram, other, care, &mut memo)
    }

    fn overs(
        &mut self,
        diagram: Diagram,
        other: Diagram,
        care: Gate,
        memo: &mut FxHashMap<(Diagram, Diagram, Gate), f64>,
    ) -> f64 {
        if care == NO || diagram == other || diagram == LOST {
            return 0.0;
        }
        if diagram & other & LEAF != 0 {
            return self.tables.over(diagram & !LEAF, other & !LEAF);
        }
        let key = (diagram, other, care);
        if let Some(known) = memo.get(&key) {
            return *known;
        }
        if !self.room(24 * memo.len()) {
            return 1.0;
        }
        let (level, width) = self.asked(&[diagram, other], care);
        let mut over = 0.0_f64;
        for value in 0..width {
            let care = self.gates.kid(care, level, value);
            let [first, second] = [diagram, other].map(|part| self.kid(part, level, value));
            over = over.max(self.overs(first, second, care, memo));
        }
        memo.insert(key, over);
        over
    }

    /// This diagram, but for what is hardly less than it was before: that stays. Anything
    /// for sheets that there cannot be.
    pub(crate) fn steadied(&mut self, diagram: Diagram, before: Diagram, care: Gate) -> Diagram {
        let mut memo = FxHashMap::default();
        let steadied = self.steady(diagram, before, care, &mut memo);
        self.fit(steadied, care)
    }

    fn steady(
        &mut self,
        diagram: Diagram,
        before: Diagram,
        care: Gate,
        memo: &mut FxHashMap<(Diagram, Diagram, Gate), Diagram>,
    ) -> Diagram {
        if care == NO || diagram == before {
            return diagram;
        }
        if diagram & before & LEAF != 0 {
            let leaf = self.tables.steadied(diagram & !LEAF, before & !LEAF);
            return Diagrams::leaf(leaf);
        }
        let key = (diagram, before, care);
        if let Some(known) = memo.get(&key) {
            return *known;
        }
        if !self.room(24 * memo.len()) {
            return LOST;
        }
        let (level, width) = self.asked(&[diagram, before], care);
        let from = self.stack.len();
        for value in 0..width {
            let care = self.gates.kid(care, level, value);
            let [first, second] = [diagram, before].map(|part| self.kid(part, level, value));
            let kid = self.steady(first, second, care, memo);
            self.stack.push(kid);
        }
        let steadied = self.branch(level, from);
        memo.insert(key, steadied);
        steadied
    }

    /// What is asked first by diagrams or by a gate, and how many answers there are.
    fn asked(&self, parts: &[Diagram], care: Gate) -> (u8, usize) {
        let top = self.top(parts);
        match self.gates.parts(care) {
            Some((bit, ..)) if bit < top.0 => (bit, 2),
            _ => top,
        }
    }

    /// A diagram of others, with the same gates.
    pub(crate) fn copied(
        &mut self,
        from: &Diagrams,
        diagram: Diagram,
        memo: &mut FxHashMap<Diagram, Diagram>,
    ) -> Diagram {
        if let Some(known) = memo.get(&diagram) {
            return *known;
        }
        if !self.room(16 * memo.len()) {
            return LOST;
        }
        let copy = match Diagrams::as_leaf(diagram) {
            Some(leaf) => Diagrams::leaf(self.tables.copied(&from.tables, leaf)),
            None => {
                let begin = self.stack.len();
                for &kid in &from.words(diagram)[1..=from.width(diagram)] {
                    let kid = self.copied(from, kid, memo);
                    self.stack.push(kid);
                }
                self.branch(from.level(diagram), begin)
            }
        };
        memo.insert(diagram, copy);
        copy
    }
}
