//! The values of sheets as ordered decision diagrams: bits first, then stats, then tables over the
//! lanes. Equal diagrams are interned, and a level that makes no difference is skipped.

pub(crate) mod applied;
pub(crate) mod arena;
pub(crate) mod closed;
pub(crate) mod fitted;
pub(crate) mod gates;
pub(crate) mod losses;
pub(crate) mod memo;
mod mixed;
#[cfg(test)]
pub(crate) mod trials;

use rustc_hash::FxHashMap;

use crate::solver::diagrams::arena::{Arena, Numbers};
use crate::solver::diagrams::gates::{Gate, Gates, NO};
use crate::solver::diagrams::memo::{Memo, Tuples};
use crate::solver::reach::extent::Span;
use crate::solver::tables::course::Course;
use crate::solver::tables::{self, LANES, Leaf, Tables};

/// An interned diagram: equal diagrams have equal numbers.
pub(crate) type Diagram = u32;

/// The bit that marks numbers of leaves.
pub(crate) const LEAF: u32 = 1 << 31;
pub(crate) const LOST: Diagram = LEAF | tables::ZERO;
pub(crate) const WON: Diagram = LEAF | tables::ONE;
/// The level of the first stat. Bits come before, leaves after all levels.
pub(crate) const STATS: u8 = 128;
pub(crate) const BEHIND: u8 = u8::MAX;

/// The store of all diagrams.
#[derive(Debug)]
pub(crate) struct Diagrams {
    /// For each node, its level and width, then the child for each value, packed in pairs. A
    /// diagram is the position of its first pair.
    pub(crate) nodes: Arena<[u32; 2]>,
    pub(crate) count: usize,
    pub(crate) by_kids: Numbers,
    pub(crate) tables: Tables,
    pub(crate) gates: Gates,
    /// By two diagrams and the care gate.
    pub(crate) best: Memo<3>,
    mixes: ByParts,
    closed: ByParts,
    fights: ByParts,
    /// Operands and children of the diagrams being processed, outer ones first.
    pub(crate) stack: Vec<Diagram>,
    /// The node being built.
    pairs: Vec<[u32; 2]>,
    /// The results for tuples of operands, kept for reuse.
    pub(crate) made: Tuples,
    pub(crate) memos: Memos,
    /// The bytes that were left after the last collection.
    pub(crate) kept: usize,
    /// The steps left before memory is counted again.
    uncounted: u32,
}

/// Memos for walks through one, two or three diagrams. Between walks they take at most a [small
/// part](Tables::idle) of the memory limit, and are not counted.
#[derive(Debug, Default)]
pub(crate) struct Memos {
    pub(crate) one: Memo<1>,
    pub(crate) two: Memo<2>,
    pub(crate) three: Memo<3>,
}

/// Memory is counted once in this many steps.
const STEPS_COUNTED_ONCE: u32 = 16;

/// Results by operands and whatever else is in a key.
type ByParts = FxHashMap<Box<[u32]>, Diagram>;

impl Diagrams {
    pub(crate) fn new(limit: usize) -> Self {
        Diagrams {
            nodes: Arena::default(),
            count: 0,
            by_kids: Numbers::default(),
            tables: Tables::new(limit),
            gates: Gates::new(),
            best: Memo::default(),
            mixes: ByParts::default(),
            closed: ByParts::default(),
            fights: ByParts::default(),
            stack: Vec::new(),
            pairs: Vec::new(),
            made: Tuples::default(),
            memos: Memos::default(),
            kept: 0,
            uncounted: 0,
        }
    }

    /// Whether, since the last call, holes were compared that cannot be. If so, the results are
    /// discarded.
    pub(crate) fn unclosed(&mut self) -> bool {
        let unclosed = std::mem::take(&mut self.tables.unclosed);
        if unclosed {
            self.forget();
        }
        unclosed
    }

    /// Clears all memos.
    pub(crate) fn forget(&mut self) {
        self.uncounted = 0;
        self.best.clear(self.tables.idle());
        self.mixes.clear();
        self.closed.clear();
        self.fights.clear();
        if self.tables.coarse.is_some() {
            self.tables.best.clear(self.tables.idle());
            self.tables.closed.clear();
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The approximate memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.tables.bytes() + self.beside()
    }

    /// The memory besides tables, in bytes.
    fn beside(&self) -> usize {
        // The last three maps have few entries, with short keys.
        let by_parts = self.mixes.len() + self.closed.len() + self.fights.len();
        self.nodes.bytes()
            + self.by_kids.bytes()
            + self.best.bytes()
            + 128 * by_parts
            + self.gates.bytes()
    }

    /// Whether there is room for everything, including a memo of this size.
    ///
    /// Counting everything takes as long as a step, and one step takes little memory. So it is
    /// counted only once in several steps, and tables remember what there is besides them.
    pub(crate) fn room(&mut self, memo: usize) -> bool {
        if self.uncounted > 0 {
            self.uncounted -= 1;
            return !self.tables.full;
        }
        self.uncounted = STEPS_COUNTED_ONCE - 1;
        self.tables.beside = self.beside();
        self.tables.full |= self.gates.is_full();
        self.tables.room(memo)
    }

    pub(crate) fn leaf(leaf: Leaf) -> Diagram {
        LEAF | leaf
    }

    /// The leaf of a diagram, if it is one.
    pub(crate) fn as_leaf(diagram: Diagram) -> Option<Leaf> {
        (diagram & LEAF != 0).then_some(diagram & !LEAF)
    }

    /// The level and width of a node, then its children. The diagram must not be a leaf.
    pub(crate) fn words(&self, diagram: Diagram) -> &[u32] {
        self.nodes.from(diagram as usize).as_flattened()
    }

    pub(crate) fn level(&self, diagram: Diagram) -> u8 {
        match diagram & LEAF {
            0 => self.words(diagram)[0] as u8,
            _ => BEHIND,
        }
    }

    pub(crate) fn kid(&self, diagram: Diagram, level: u8, value: usize) -> Diagram {
        if diagram & LEAF != 0 {
            return diagram;
        }
        let words = self.words(diagram);
        match words[0] as u8 == level {
            true => words[1 + value],
            false => diagram,
        }
    }

    /// The children without a bit and with it.
    pub(crate) fn kids(&self, diagram: Diagram, level: u8) -> [Diagram; 2] {
        if diagram & LEAF == 0
            && let [first, without, with, ..] = *self.words(diagram)
            && first as u8 == level
        {
            return [without, with];
        }
        [diagram; 2]
    }

    /// How many values are distinguished on the level of a node.
    pub(crate) fn width(&self, diagram: Diagram) -> usize {
        (self.words(diagram)[0] >> 8) as usize
    }

    pub(crate) fn node(&mut self, level: u8, kids: &[Diagram]) -> Diagram {
        let from = self.stack.len();
        self.stack.extend_from_slice(kids);
        self.branch(level, from)
    }

    /// Makes a node of what the stack holds from `from` on, and pops that.
    pub(crate) fn branch(&mut self, level: u8, from: usize) -> Diagram {
        let kids = &self.stack[from..];
        let diagram = match kids.iter().all(|kid| *kid == kids[0]) {
            true => kids[0],
            false => match self.nearly_lost(from) {
                Some(bound) => bound,
                None => self.interned(level, from),
            },
        };
        self.stack.truncate(from);
        diagram
    }

    fn interned(&mut self, level: u8, from: usize) -> Diagram {
        let width = self.stack.len() - from;
        let first = u32::from(level) | (width as u32) << 8;
        let kids = &self.stack[from..];
        let hash = arena::hash_of_words(kids) ^ u64::from(level) << 32;
        let same = |node: Diagram| {
            let words = self.words(node);
            words[0] == first && words[1..=width] == *kids
        };
        if let Some(known) = self.by_kids.find(hash, same) {
            return known;
        }
        self.pairs.clear();
        self.pairs.push([first, kids[0]]);
        let pair = |pair: &[u32]| [pair[0], pair.get(1).copied().unwrap_or(0)];
        self.pairs.extend(kids[1..].chunks(2).map(pair));
        let place = self.nodes.push(&self.pairs);
        if place >= LEAF as usize {
            // All numbers are in use, which takes 16 gigabytes of nodes.
            self.tables.full = true;
            return LOST;
        }
        let number = place as Diagram;
        self.by_kids.insert(hash, number);
        self.count += 1;
        number
    }

    /// The first level on which any of these branches, and the width there.
    pub(crate) fn top(&self, parts: &[Diagram]) -> (u8, usize) {
        let mut top = (BEHIND, 0);
        for &part in parts {
            let level = self.level(part);
            if level < top.0 {
                top = (level, self.width(part));
            }
        }
        top
    }

    /// The value of a sheet: `take` gives the child on a level, `lanes` the position on each lane.
    pub(crate) fn value(
        &self,
        mut diagram: Diagram,
        take: impl Fn(u8) -> usize,
        lanes: [usize; LANES],
    ) -> f64 {
        while diagram & LEAF == 0 {
            let level = self.level(diagram);
            diagram = self.kid(diagram, level, take(level));
        }
        self.tables.at(diagram & !LEAF, lanes)
    }

    /// The maximum of all parts, including holes, which look back at the result: these are applied
    /// as often as that gains something.
    pub(crate) fn close(&mut self, care: Gate, parts: &[Diagram]) -> Diagram {
        let key: Box<[u32]> = parts.iter().copied().chain([care]).collect();
        if let Some(known) = self.closed.get(&key) {
            return *known;
        }
        let closed = self.apply_for(care, parts, &mut |tables, leaves| tables.close(leaves));
        self.closed.insert(key, closed);
        closed
    }

    /// The value of a fight. `ends` are the values after victory and after fleeing from each foe.
    pub(crate) fn fight(
        &mut self,
        care: Gate,
        (number, course): (u32, &Course),
        life: Span,
        ends: &[Diagram],
    ) -> Diagram {
        let mut key = vec![number, life.lo as u32, life.hi as u32, care];
        key.extend_from_slice(ends);
        if let Some(known) = self.fights.get(&key[..]) {
            return *known;
        }
        let fought = self.apply_for(care, ends, &mut |tables, leaves| {
            tables.fight(course, life, leaves[0], &leaves[1..])
        });
        self.fights.insert(key.into(), fought);
        fought
    }

    /// Restricts a diagram to known bits.
    pub(crate) fn hold(&mut self, diagram: Diagram, bits: u128, held: bool) -> Diagram {
        self.with_bits(diagram, bits, Some(held))
    }

    /// Restricts a diagram to known bits, or with `None` takes the better of both cases for each
    /// bit.
    pub(crate) fn with_bits(
        &mut self,
        diagram: Diagram,
        bits: u128,
        held: Option<bool>,
    ) -> Diagram {
        self.remember(
            |memos| &mut memos.one,
            |diagrams, memo| diagrams.held(diagram, bits, held, memo),
        )
    }

    /// Walks with a memo. A nested walk with the same memo would begin with an empty one.
    pub(crate) fn remember<const N: usize>(
        &mut self,
        memo: fn(&mut Memos) -> &mut Memo<N>,
        walk: impl FnOnce(&mut Self, &mut Memo<N>) -> u32,
    ) -> u32 {
        let mut own = std::mem::take(memo(&mut self.memos));
        let result = walk(self, &mut own);
        own.clear(self.tables.idle());
        *memo(&mut self.memos) = own;
        result
    }

    fn held(
        &mut self,
        diagram: Diagram,
        bits: u128,
        held: Option<bool>,
        memo: &mut Memo<1>,
    ) -> Diagram {
        let level = self.level(diagram);
        // Bits come first, so below the last of them nothing changes.
        if level >= STATS || bits >> level == 0 {
            return diagram;
        }
        if let Some(known) = memo.get([diagram]) {
            return known;
        }
        if !self.room(memo.bytes()) {
            return LOST;
        }
        let asked = bits >> level & 1 == 1;
        let result = if let (true, Some(held)) = (asked, held) {
            let kid = self.kid(diagram, level, held.into());
            self.held(kid, bits, Some(held), memo)
        } else {
            let [without, with] = self.kids(diagram, level);
            let without = self.held(without, bits, held, memo);
            let with = self.held(with, bits, held, memo);
            match asked {
                true => self.best(without, with),
                false => self.node(level, &[without, with]),
            }
        };
        memo.insert([diagram], result);
        result
    }

    /// `then` where the gate is open, `otherwise` elsewhere.
    pub(crate) fn gate(&mut self, gate: Gate, then: Diagram, otherwise: Diagram) -> Diagram {
        self.remember(
            |memos| &mut memos.three,
            |diagrams, memo| diagrams.gated(gate, then, otherwise, memo),
        )
    }

    fn gated(
        &mut self,
        gate: Gate,
        then: Diagram,
        otherwise: Diagram,
        memo: &mut Memo<3>,
    ) -> Diagram {
        if then == otherwise {
            return then;
        }
        let Some((bit, without, with)) = self.gates.parts(gate) else {
            return if gate == NO { otherwise } else { then };
        };
        let key = [gate, then, otherwise];
        if let Some(known) = memo.get(key) {
            return known;
        }
        if !self.room(memo.bytes()) {
            return LOST;
        }
        let level = self.level(then).min(self.level(otherwise)).min(bit);
        let mut kids = [0; 2];
        for (value, kid) in kids.iter_mut().enumerate() {
            let gate = match (level == bit, value) {
                (false, _) => gate,
                (true, 0) => without,
                (true, _) => with,
            };
            let then = self.kid(then, level, value);
            let otherwise = self.kid(otherwise, level, value);
            *kid = self.gated(gate, then, otherwise, memo);
        }
        let result = self.node(level, &kids);
        memo.insert(key, result);
        result
    }

    /// Maps the values of a stat; `None` is lost.
    pub(crate) fn shift(&mut self, diagram: Diagram, stat: usize, to: &[Option<u16>]) -> Diagram {
        let level = STATS + stat as u8;
        self.remember(
            |memos| &mut memos.one,
            |diagrams, memo| diagrams.shifted(diagram, level, to, memo),
        )
    }

    fn shifted(
        &mut self,
        diagram: Diagram,
        level: u8,
        to: &[Option<u16>],
        memo: &mut Memo<1>,
    ) -> Diagram {
        if diagram == LOST {
            return LOST;
        }
        if let Some(known) = memo.get([diagram]) {
            return known;
        }
        if !self.room(memo.bytes()) {
            return LOST;
        }
        let top = self.level(diagram);
        let result = if top < level {
            let from = self.stack.len();
            for value in 0..self.width(diagram) {
                let kid = self.kid(diagram, top, value);
                let kid = self.shifted(kid, level, to, memo);
                self.stack.push(kid);
            }
            self.branch(top, from)
        } else {
            let from = self.stack.len();
            for to in to {
                let kid = to.map_or(LOST, |to| self.kid(diagram, level, to.into()));
                self.stack.push(kid);
            }
            self.branch(level, from)
        };
        memo.insert([diagram], result);
        result
    }

    /// Maps the values of a lane; `None` is lost.
    pub(crate) fn shift_lane(
        &mut self,
        diagram: Diagram,
        lane: usize,
        to: &[Option<u16>],
    ) -> Diagram {
        self.apply(&[diagram], &mut |tables, leaves| {
            tables.shift(leaves[0], lane, to)
        })
    }

    /// Joins parts along a stat: `to` gives, for each value, a part and a value within it.
    pub(crate) fn join(
        &mut self,
        stat: usize,
        parts: &[Diagram],
        to: &[Option<(usize, usize)>],
    ) -> Diagram {
        let level = STATS + stat as u8;
        let mut made = std::mem::take(&mut self.made);
        let from = self.stack.len();
        self.stack.extend_from_slice(parts);
        let result = self.joined(level, from, to, &mut made);
        self.stack.truncate(from);
        made.clear(self.tables.idle());
        self.made = made;
        result
    }

    /// The parts lie on the stack from `from` on.
    fn joined(
        &mut self,
        level: u8,
        from: usize,
        to: &[Option<(usize, usize)>],
        made: &mut Tuples,
    ) -> Diagram {
        let parts = &self.stack[from..];
        let hash = Tuples::hash(parts);
        if let Some(known) = made.get(hash, parts) {
            return known;
        }
        if !self.room(made.bytes()) {
            return LOST;
        }
        let kids = self.stack.len();
        let (top, width) = self.top(&self.stack[from..]);
        let result = if top < level {
            for value in 0..width {
                let kid = match self.advance((from, kids - from), top, value) {
                    true => self.joined(level, kids + value, to, made),
                    false => self.stack[kids + value - 1],
                };
                self.stack.truncate(kids + value);
                self.stack.push(kid);
            }
            self.branch(top, kids)
        } else {
            for to in to {
                let kid = to.map_or(LOST, |(part, value)| {
                    self.kid(self.stack[from + part], level, value)
                });
                self.stack.push(kid);
            }
            self.branch(level, kids)
        };
        made.insert(hash, &self.stack[from..], result);
        result
    }
}
