//! What sheets are worth, as ordered decision diagrams: bits first, then stats, then
//! tables over the lanes. What makes no difference is not asked.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::course::Course;
use super::extent::Span;
use super::gates::{Gate, Gates, Known, NO};
use super::table::{self, LANES, Leaf, Tables};

/// A diagram by number: equal diagrams have equal numbers.
pub(crate) type Diagram = u32;

/// Set in numbers that stand for leaves.
const LEAF: u32 = 1 << 31;
pub(crate) const LOST: Diagram = LEAF | table::ZERO;
pub(crate) const WON: Diagram = LEAF | table::ONE;
/// The level of the first stat; bits are before, leaves behind all.
const STATS: u8 = 128;
const BEHIND: u8 = u8::MAX;

/// All diagrams.
#[derive(Debug)]
pub(crate) struct Diagrams {
    /// The level, then what follows for each value.
    nodes: IndexSet<Box<[u32]>, FxBuildHasher>,
    pub(crate) tables: Tables,
    pub(crate) gates: Gates,
    best: FxHashMap<(Diagram, Diagram), Diagram>,
    mixes: Memo,
    closed: FxHashMap<Box<[Diagram]>, Diagram>,
    fights: FxHashMap<Box<[Diagram]>, Diagram>,
}

type Memo = FxHashMap<Box<[u32]>, Diagram>;

impl Diagrams {
    pub(crate) fn new(limit: usize) -> Self {
        Diagrams {
            nodes: IndexSet::default(),
            tables: Tables::new(limit),
            gates: Gates::new(),
            best: FxHashMap::default(),
            mixes: Memo::default(),
            closed: FxHashMap::default(),
            fights: FxHashMap::default(),
        }
    }

    /// Whether looks back were compared that cannot be, since this was asked last. What was
    /// made of them is forgotten.
    pub(crate) fn unclosed(&mut self) -> bool {
        let unclosed = std::mem::take(&mut self.tables.unclosed);
        if unclosed {
            self.best.clear();
            self.mixes.clear();
            self.closed.clear();
            self.fights.clear();
        }
        unclosed
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// About how much memory all of this takes.
    pub(crate) fn bytes(&self) -> usize {
        let memo = self.best.len() + self.mixes.len() + self.closed.len() + self.fights.len();
        self.tables.bytes() + 96 * self.nodes.len() + 64 * memo + self.gates.bytes()
    }

    /// Whether there is room for all of this and for what a memo holds on the way.
    fn room(&mut self, memo: usize) -> bool {
        let beside = self.bytes() - self.tables.bytes();
        self.tables.room(beside.saturating_add(memo))
    }

    pub(crate) fn leaf(leaf: Leaf) -> Diagram {
        LEAF | leaf
    }

    fn level(&self, diagram: Diagram) -> u8 {
        match diagram & LEAF {
            0 => self.nodes[diagram as usize][0] as u8,
            _ => BEHIND,
        }
    }

    fn kid(&self, diagram: Diagram, level: u8, value: usize) -> Diagram {
        if diagram & LEAF != 0 {
            return diagram;
        }
        let node = &self.nodes[diagram as usize];
        match node[0] == u32::from(level) {
            true => node[1 + value],
            false => diagram,
        }
    }

    /// How many values are told apart on the level.
    fn width(&self, diagram: Diagram) -> usize {
        self.nodes[diagram as usize].len() - 1
    }

    fn node(&mut self, level: u8, kids: &[Diagram]) -> Diagram {
        if kids.iter().all(|kid| *kid == kids[0]) {
            return kids[0];
        }
        let mut node = Vec::with_capacity(kids.len() + 1);
        node.push(u32::from(level));
        node.extend_from_slice(kids);
        if let Some(known) = self.nodes.get_index_of(&node[..]) {
            return known as Diagram;
        }
        self.nodes.insert_full(node.into_boxed_slice()).0 as Diagram
    }

    /// The level on which some of these branch first, and into how many.
    fn top(&self, parts: &[Diagram]) -> (u8, usize) {
        let mut top = (BEHIND, 0);
        for &part in parts {
            let level = self.level(part);
            if level < top.0 {
                top = (level, self.width(part));
            }
        }
        top
    }

    /// The value of a sheet: what kid to take on a level, places on the lanes.
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

    pub(crate) fn best(&mut self, a: Diagram, b: Diagram) -> Diagram {
        match (a, b) {
            (LOST, other) | (other, LOST) => return other,
            _ if a == b => return a,
            _ => {}
        }
        if a & b & LEAF != 0 {
            return LEAF | self.tables.best(a & !LEAF, b & !LEAF);
        }
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.best.get(&key) {
            return *known;
        }
        if !self.room(0) {
            return LOST;
        }
        let (level, width) = self.top(&[a, b]);
        let mut kids = Vec::with_capacity(width);
        for value in 0..width {
            let (first, second) = (self.kid(a, level, value), self.kid(b, level, value));
            kids.push(self.best(first, second));
        }
        let best = self.node(level, &kids);
        self.best.insert(key, best);
        best
    }

    /// Applies something to the leaves that stand for the same sheets.
    fn apply(
        &mut self,
        parts: &[Diagram],
        memo: &mut Memo,
        leaf: &mut dyn FnMut(&mut Tables, &[Leaf]) -> Leaf,
    ) -> Diagram {
        if parts.iter().all(|part| *part == LOST) {
            return LOST;
        }
        if let Some(known) = memo.get(parts) {
            return *known;
        }
        if !self.room(memo.len() * (64 + 4 * parts.len())) {
            return LOST;
        }
        let (level, width) = self.top(parts);
        let result = if level == BEHIND {
            let leaves: Vec<Leaf> = parts.iter().map(|part| part & !LEAF).collect();
            LEAF | leaf(&mut self.tables, &leaves)
        } else {
            let mut kids = Vec::with_capacity(width);
            for value in 0..width {
                let part: Vec<Diagram> = parts
                    .iter()
                    .map(|part| self.kid(*part, level, value))
                    .collect();
                kids.push(self.apply(&part, memo, leaf));
            }
            self.node(level, &kids)
        };
        memo.insert(parts.into(), result);
        result
    }

    /// By weights of one total. Equal parts are one.
    pub(crate) fn mix(&mut self, parts: &[(u64, Diagram)], total: u64) -> Diagram {
        let mut merged: Vec<(Diagram, u64)> = Vec::new();
        for &(weight, part) in parts {
            match merged.iter_mut().find(|known| known.0 == part) {
                Some(known) => known.1 += weight,
                None => merged.push((part, weight)),
            }
        }
        if let [(part, _)] = merged[..] {
            return part;
        }
        let mut memo = Memo::default();
        let chances: Vec<f64> = merged
            .iter()
            .map(|part| part.1 as f64 / total as f64)
            .collect();
        let parts: Vec<Diagram> = merged.iter().map(|part| part.0).collect();
        let key: Box<[u32]> = parts
            .iter()
            .copied()
            .chain(
                merged
                    .iter()
                    .flat_map(|part| [part.1 as u32, (part.1 >> 32) as u32]),
            )
            .chain([total as u32, (total >> 32) as u32])
            .collect();
        if let Some(known) = self.mixes.get(&key) {
            return *known;
        }
        let mixed = self.apply(&parts, &mut memo, &mut |tables, leaves| {
            let parts: Vec<(f64, Leaf)> = chances
                .iter()
                .copied()
                .zip(leaves.iter().copied())
                .collect();
            tables.mix(&parts)
        });
        self.mixes.insert(key, mixed);
        mixed
    }

    /// The first, the best of all others, and as often as wanted what looks back.
    pub(crate) fn close(&mut self, parts: &[Diagram]) -> Diagram {
        if let Some(known) = self.closed.get(parts) {
            return *known;
        }
        let mut memo = Memo::default();
        let closed = self.apply(parts, &mut memo, &mut |tables, leaves| tables.close(leaves));
        self.closed.insert(parts.into(), closed);
        closed
    }

    /// A fight with this number: what follows victory, and flight from each foe.
    pub(crate) fn fight(
        &mut self,
        number: u32,
        course: &Course,
        life: Span,
        ends: &[Diagram],
    ) -> Diagram {
        let mut key = vec![number, life.lo as u32, life.hi as u32];
        key.extend_from_slice(ends);
        if let Some(known) = self.fights.get(&key[..]) {
            return *known;
        }
        let mut memo = Memo::default();
        let fought = self.apply(ends, &mut memo, &mut |tables, leaves| {
            tables.fight(course, life, leaves[0], &leaves[1..])
        });
        self.fights.insert(key.into(), fought);
        fought
    }

    /// Where bits are known.
    pub(crate) fn hold(&mut self, diagram: Diagram, bits: u128, held: bool) -> Diagram {
        let mut memo = FxHashMap::default();
        self.held(diagram, bits, held, &mut memo)
    }

    fn held(
        &mut self,
        diagram: Diagram,
        bits: u128,
        held: bool,
        memo: &mut FxHashMap<Diagram, Diagram>,
    ) -> Diagram {
        let level = self.level(diagram);
        // Bits come first: behind the last of them nothing changes.
        if level >= STATS || bits >> level == 0 {
            return diagram;
        }
        if let Some(known) = memo.get(&diagram) {
            return *known;
        }
        if !self.room(16 * memo.len()) {
            return LOST;
        }
        let result = if bits >> level & 1 == 1 {
            let kid = self.kid(diagram, level, held.into());
            self.held(kid, bits, held, memo)
        } else {
            let kids = [0, 1].map(|value| self.kid(diagram, level, value));
            let kids = kids.map(|kid| self.held(kid, bits, held, memo));
            self.node(level, &kids)
        };
        memo.insert(diagram, result);
        result
    }

    /// One or the other.
    pub(crate) fn gate(&mut self, gate: Gate, then: Diagram, otherwise: Diagram) -> Diagram {
        let mut memo = FxHashMap::default();
        self.gated(gate, then, otherwise, &mut memo)
    }

    fn gated(
        &mut self,
        gate: Gate,
        then: Diagram,
        otherwise: Diagram,
        memo: &mut FxHashMap<(Gate, Diagram, Diagram), Diagram>,
    ) -> Diagram {
        if then == otherwise {
            return then;
        }
        let Some((bit, without, with)) = self.gates.parts(gate) else {
            return if gate == NO { otherwise } else { then };
        };
        let key = (gate, then, otherwise);
        if let Some(known) = memo.get(&key) {
            return *known;
        }
        if !self.room(32 * memo.len()) {
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

    /// A stat seen through a map; `None` is lost.
    pub(crate) fn shift(&mut self, diagram: Diagram, stat: usize, to: &[Option<u16>]) -> Diagram {
        let level = STATS + stat as u8;
        let mut memo = FxHashMap::default();
        self.shifted(diagram, level, to, &mut memo)
    }

    fn shifted(
        &mut self,
        diagram: Diagram,
        level: u8,
        to: &[Option<u16>],
        memo: &mut FxHashMap<Diagram, Diagram>,
    ) -> Diagram {
        if diagram == LOST {
            return LOST;
        }
        if let Some(known) = memo.get(&diagram) {
            return *known;
        }
        if !self.room(16 * memo.len()) {
            return LOST;
        }
        let top = self.level(diagram);
        let result = if top < level {
            let width = self.width(diagram);
            let mut kids = Vec::with_capacity(width);
            for value in 0..width {
                let kid = self.kid(diagram, top, value);
                kids.push(self.shifted(kid, level, to, memo));
            }
            self.node(top, &kids)
        } else {
            let kid = |to: &Option<u16>| match to {
                None => LOST,
                Some(to) => self.kid(diagram, level, (*to).into()),
            };
            let kids: Vec<Diagram> = to.iter().map(kid).collect();
            self.node(level, &kids)
        };
        memo.insert(diagram, result);
        result
    }

    /// A lane seen through a map.
    pub(crate) fn shift_lane(
        &mut self,
        diagram: Diagram,
        lane: usize,
        to: &[Option<u16>],
    ) -> Diagram {
        let mut memo = Memo::default();
        self.apply(&[diagram], &mut memo, &mut |tables, leaves| {
            tables.shift(leaves[0], lane, to)
        })
    }

    /// Parts of a stat put together: for each value a part, and which value of the part.
    pub(crate) fn join(
        &mut self,
        stat: usize,
        parts: &[Diagram],
        to: &[Option<(usize, usize)>],
    ) -> Diagram {
        let level = STATS + stat as u8;
        let mut memo = Memo::default();
        self.joined(level, parts, to, &mut memo)
    }

    fn joined(
        &mut self,
        level: u8,
        parts: &[Diagram],
        to: &[Option<(usize, usize)>],
        memo: &mut Memo,
    ) -> Diagram {
        if let Some(known) = memo.get(parts) {
            return *known;
        }
        if !self.room(memo.len() * (64 + 4 * parts.len())) {
            return LOST;
        }
        let (top, width) = self.top(parts);
        let result = if top < level {
            let mut kids = Vec::with_capacity(width);
            for value in 0..width {
                let part: Vec<Diagram> = parts
                    .iter()
                    .map(|part| self.kid(*part, top, value))
                    .collect();
                kids.push(self.joined(level, &part, to, memo));
            }
            self.node(top, &kids)
        } else {
            let kid = |to: &Option<(usize, usize)>| match to {
                None => LOST,
                Some((part, value)) => self.kid(parts[*part], level, *value),
            };
            let kids: Vec<Diagram> = to.iter().map(kid).collect();
            self.node(level, &kids)
        };
        memo.insert(parts.into(), result);
        result
    }

    /// After one of the bits of `pool` that are held was lost, each with the same chance;
    /// anything where nobody can hold them together. `None` if it takes too many bytes.
    pub(crate) fn lose_one(&mut self, after: Diagram, pool: u128, known: Known) -> Option<Diagram> {
        let bits: Vec<u8> = (0..STATS).filter(|bit| pool >> bit & 1 == 1).collect();
        let mut memo = FxHashMap::default();
        self.losing(after, &bits, known.must, known.care, Vec::new(), &mut memo)
    }

    /// `bag` holds what follows the losses looked at so far.
    fn losing(
        &mut self,
        after: Diagram,
        bits: &[u8],
        must: u128,
        care: Gate,
        bag: Vec<(Diagram, u64)>,
        memo: &mut Losses,
    ) -> Option<Diagram> {
        if care == NO {
            return Some(LOST);
        }
        if !self.room(memo.len() * (80 + 16 * bag.len())) {
            return None;
        }
        let Some((&bit, others)) = bits.split_first() else {
            let total = bag.iter().map(|part| part.1).sum();
            let parts: Vec<(u64, Diagram)> =
                bag.iter().map(|&(part, count)| (count, part)).collect();
            return Some(match total {
                0 => after,
                total => self.mix(&parts, total),
            });
        };
        let key = (after, bits.len(), care, bag);
        if let Some(known) = memo.get(&key) {
            return Some(*known);
        }
        let bag = &key.3;
        let parts: Vec<Diagram> = bag.iter().map(|part| part.0).chain([after]).collect();
        let asked = self.gates.parts(care).map_or(BEHIND, |parts| parts.0);
        let level = self.top(&parts).0.min(bit).min(asked);
        let mut kids = [0; 2];
        for (value, kid) in kids.iter_mut().enumerate() {
            let mut next: Vec<(Diagram, u64)> = Vec::new();
            let mut put =
                |part: Diagram, count: u64| match next.iter_mut().find(|known| known.0 == part) {
                    Some(known) => known.1 += count,
                    None => next.push((part, count)),
                };
            for &(part, count) in bag {
                put(self.kid(part, level, value), count);
            }
            if level == bit && value == 1 {
                put(self.kid(after, level, 0), 1);
            }
            next.sort_unstable();
            let then = self.kid(after, level, value);
            let bits = if level == bit { others } else { bits };
            let care = self.gates.kid(care, level, value);
            *kid = self.losing(then, bits, must, care, next, memo)?;
        }
        let result = match level == bit && must >> bit & 1 == 1 {
            true => kids[1],
            false => self.node(level, &kids),
        };
        memo.insert(key, result);
        Some(result)
    }
}

/// By what follows, how many bits are still to be looked at, who can come here, and the
/// bag.
type Losses = FxHashMap<(Diagram, usize, Gate, Vec<(Diagram, u64)>), Diagram>;
