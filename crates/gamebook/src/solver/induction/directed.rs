//! Directed rounding, and the comparisons that are needed to enclose values with it.

use rustc_hash::FxHashMap;

use crate::solver::diagrams::gates::{Gate, NO};
use crate::solver::diagrams::{Diagram, Diagrams, LEAF, LOST};
use crate::solver::tables::{FLAT, HOLE, Leaf, Tables, ZERO};

/// The direction in which results are rounded. Copying and comparing are exact in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Towards {
    /// To the nearest float.
    #[default]
    Nearest,
    /// Results are never too small.
    Up,
    /// Results are never too large.
    Down,
}

/// A value that falls by at most this relative amount stays the same, since sums in another order
/// round differently.
const STEADY: f64 = 16.0 * f64::EPSILON;

/// Smaller products may lose digits, or become 0, by underflow. From here on, underflow is far
/// below the allowance for rounding.
pub(crate) const TINY: f64 = 1e-280;

impl Towards {
    /// Rounds a mixture with the result `value` and a relative error of at most `off`. Its parts
    /// lie between `least` and `most`, so the result does, too: a mixture of equal parts is exactly
    /// equal to them.
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
    /// Maps the values of a leaf; 0 stays 0.
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

    /// The greatest excess of a leaf over `other`.
    fn over(&self, leaf: Leaf, other: Leaf) -> f64 {
        let shape = self.shape(&[leaf, other]);
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let first = self.read(leaf, &shape, &mut first);
        let second = self.read(other, &shape, &mut second);
        let both = first.iter().zip(second);
        both.fold(0.0, |over, (a, b)| over.max(a - b))
    }

    /// This leaf, except that values slightly below those of `before` keep the latter.
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

    /// Copies a leaf from another store.
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
    /// Sets the direction of rounding, and clears the memos of the previous one.
    pub(crate) fn turn(&mut self, towards: Towards) {
        self.forget();
        self.tables.towards = towards;
    }

    /// Maps the values of a diagram; 0 stays 0.
    pub(crate) fn revalued(&mut self, diagram: Diagram, to: &dyn Fn(f64) -> f64) -> Diagram {
        self.apply(&[diagram], &mut |tables, leaves| {
            tables.revalued(leaves[0], to)
        })
    }

    /// The greatest excess of a diagram over `other`, where `care` is open.
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

    /// This diagram, except that values slightly below those of `before` keep the latter; arbitrary
    /// for sheets that cannot occur.
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

    /// The first level asked by diagrams or by a gate, and its width.
    fn asked(&self, parts: &[Diagram], care: Gate) -> (u8, usize) {
        let top = self.top(parts);
        match self.gates.parts(care) {
            Some((bit, ..)) if bit < top.0 => (bit, 2),
            _ => top,
        }
    }

    /// Copies a diagram from another store with the same gates.
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
