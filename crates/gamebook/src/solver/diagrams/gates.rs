//! Conditions on items and flags, as Boolean ordered decision diagrams.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::solver::diagrams::arena::{Numbers, hash_of_one};
use crate::solver::diagrams::memo::Memo;

/// An interned condition: equal conditions have equal numbers.
pub(crate) type Gate = u32;

/// Never open.
pub(crate) const NO: Gate = 0;
/// Always open.
pub(crate) const YES: Gate = 1;

/// What is known of the bits of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Known {
    /// Bits that are certainly held.
    pub(crate) must: u128,
    /// Bits that may be held.
    pub(crate) may: u128,
    /// Which sets of bits can be held together.
    pub(crate) care: Gate,
}

/// By number of a region, the sheets that come to it.
pub(crate) type Coming = IndexMap<usize, Known, FxBuildHasher>;

/// The store of all gates.
#[derive(Debug, Default)]
pub(crate) struct Gates {
    /// Bit, gate without it, gate with it. The first two entries stand for `NO` and `YES`.
    nodes: Vec<(u8, Gate, Gate)>,
    by_parts: Numbers,
    /// Memos for "and" and "or".
    combined: [Memo<2>; 2],
    not: Memo<1>,
    /// By gate, and by bits in four words.
    forgotten: Memo<5>,
    /// The memory limit in bytes, if set.
    limit: Option<usize>,
    /// The limit was exceeded; later results are meaningless.
    full: bool,
    /// How many gates are made before memory is counted again.
    uncounted: u32,
}

/// Memory is counted once for this many new gates.
const MADE_COUNTED_ONCE: u32 = 1 << 10;

/// The bits that are set, in ascending order.
pub(crate) fn ones(bits: u128) -> impl DoubleEndedIterator<Item = u8> {
    let bytes = (0..16_u8).filter(move |byte| bits >> (8 * byte) & 0xff != 0);
    let bits_of = move |byte: u8| (8 * byte..8 * byte + 8).filter(move |bit| bits >> bit & 1 == 1);
    bytes.flat_map(bits_of)
}

/// The bits from `from` on.
fn tail(bits: u128, from: u8) -> u128 {
    bits.checked_shr(from.into()).map_or(0, |tail| tail << from)
}

impl Gates {
    pub(crate) fn new() -> Self {
        Gates {
            nodes: vec![(u8::MAX, NO, NO), (u8::MAX, YES, YES)],
            ..Gates::default()
        }
    }

    /// An upper bound on the memory, in bytes. It rises gradually, since memory is checked step by
    /// step.
    pub(crate) fn bytes(&self) -> usize {
        let combined: usize = self.combined.iter().map(Memo::bytes).sum();
        let memos = combined + self.not.bytes() + self.forgotten.bytes();
        2 * size_of::<(u8, Gate, Gate)>() * self.nodes.len() + self.by_parts.bytes() + memos
    }

    /// Copies some gates of another store, and replaces each by its copy.
    pub(crate) fn copy<'g>(&mut self, others: &Gates, gates: impl Iterator<Item = &'g mut Gate>) {
        let gates: Vec<&mut Gate> = gates.collect();
        let mut copied = vec![false; others.nodes.len()];
        for gate in &gates {
            copied[**gate as usize] = true;
        }
        // The gates that a node leads to are older than it.
        for (number, (_, without, with)) in others.nodes.iter().enumerate().skip(2).rev() {
            if copied[number] {
                copied[*without as usize] = true;
                copied[*with as usize] = true;
            }
        }
        let mut to = vec![NO; copied.len()];
        to[YES as usize] = YES;
        for (number, (bit, without, with)) in others.nodes.iter().enumerate().skip(2) {
            if copied[number] {
                to[number] = self.node(*bit, to[*without as usize], to[*with as usize]);
            }
        }
        for gate in gates {
            *gate = to[*gate as usize];
        }
    }

    /// Keeps only some gates, and replaces each by its new number. Gates that remain are in the
    /// same order as before.
    pub(crate) fn keep<'g>(&mut self, gates: impl Iterator<Item = &'g mut Gate>) {
        let old = std::mem::replace(self, Gates::new());
        self.copy(&old, gates);
    }

    /// Clears all memos, after which there may be room again.
    pub(crate) fn rest(&mut self) {
        self.combined = Default::default();
        self.not = Memo::default();
        self.forgotten = Memo::default();
        self.full = false;
    }

    /// Sets the memory limit, in bytes.
    pub(crate) fn limit(&mut self, bytes: usize) {
        self.limit = Some(bytes);
    }

    /// Whether the limit was exceeded. Conditions may have as many nodes as there are sheets.
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    /// Whether there is room for one more.
    fn room(&mut self) -> bool {
        match self.uncounted.checked_sub(1) {
            Some(left) => self.uncounted = left,
            None => {
                self.uncounted = MADE_COUNTED_ONCE;
                let numbered = self.nodes.len() + (2 * MADE_COUNTED_ONCE) as usize;
                self.full |= self.limit.is_some_and(|limit| self.bytes() > limit);
                self.full |= Gate::try_from(numbered).is_err();
            }
        }
        !self.full
    }

    /// The first bit asked, and the gates without it and with it; `None` for `NO` and `YES`.
    pub(crate) fn parts(&self, gate: Gate) -> Option<(u8, Gate, Gate)> {
        (gate > YES).then(|| self.nodes[gate as usize])
    }

    pub(crate) fn node(&mut self, bit: u8, without: Gate, with: Gate) -> Gate {
        if without == with {
            return with;
        }
        let node = (bit, without, with);
        let hash = hash_of_one((u64::from(without) << 32 | u64::from(with)) ^ u64::from(bit) << 56);
        let same = |gate: Gate| self.nodes[gate as usize] == node;
        if let Some(known) = self.by_parts.find(hash, same) {
            return known;
        }
        if !self.room() {
            return NO;
        }
        let gate = self.nodes.len() as Gate;
        self.nodes.push(node);
        self.by_parts.insert(hash, gate);
        gate
    }

    /// The condition that one of these bits is held.
    pub(crate) fn any(&mut self, mask: u128, known: Known) -> Gate {
        self.at_least(mask, 1, known)
    }

    /// The condition that at least `count` of these bits are held.
    pub(crate) fn at_least(&mut self, mask: u128, count: u32, known: Known) -> Gate {
        let sure = (mask & known.must).count_ones();
        let open = mask & known.may & !known.must;
        let Some(wanted) = count.checked_sub(sure).filter(|wanted| *wanted > 0) else {
            return YES;
        };
        // By the number still wanted, from the last bit backwards.
        let mut gates = vec![NO; wanted as usize + 1];
        gates[0] = YES;
        for bit in ones(open).rev() {
            for wanted in (1..gates.len()).rev() {
                gates[wanted] = self.node(bit, gates[wanted], gates[wanted - 1]);
            }
        }
        gates[wanted as usize]
    }

    pub(crate) fn not(&mut self, gate: Gate) -> Gate {
        let Some((bit, without, with)) = self.parts(gate) else {
            return YES - gate;
        };
        if let Some(known) = self.not.get([gate]) {
            return known;
        }
        let (without, with) = (self.not(without), self.not(with));
        let not = self.node(bit, without, with);
        if self.room() {
            self.not.insert([gate], not);
        }
        not
    }

    pub(crate) fn and(&mut self, a: Gate, b: Gate) -> Gate {
        self.combined(a, b, NO)
    }

    pub(crate) fn or(&mut self, a: Gate, b: Gate) -> Gate {
        self.combined(a, b, YES)
    }

    /// "And" or "or": the operand `decides` settles the result alone, which is `NO` for "and" and
    /// `YES` for "or".
    fn combined(&mut self, a: Gate, b: Gate, decides: Gate) -> Gate {
        match (a, b) {
            _ if a == decides || b == decides => return decides,
            (NO | YES, other) | (other, NO | YES) => return other,
            _ if a == b => return a,
            _ => {}
        }
        let key = [a.min(b), a.max(b)];
        if let Some(known) = self.combined[decides as usize].get(key) {
            return known;
        }
        if !self.room() {
            return NO;
        }
        let (bit, firsts, seconds) = self.split(a, b);
        let without = self.combined(firsts.0, seconds.0, decides);
        let with = self.combined(firsts.1, seconds.1, decides);
        let result = self.node(bit, without, with);
        if !self.full {
            self.combined[decides as usize].insert(key, result);
        }
        result
    }

    /// The bit asked first by either gate, and both gates without it and with it.
    fn split(&self, a: Gate, b: Gate) -> (u8, (Gate, Gate), (Gate, Gate)) {
        let (first, second) = (self.nodes[a as usize], self.nodes[b as usize]);
        let bit = first.0.min(second.0);
        let split = |gate: Gate, node: (u8, Gate, Gate)| match node.0 == bit {
            true => (node.1, node.2),
            false => (gate, gate),
        };
        (bit, split(a, first), split(b, second))
    }

    /// The condition with these bits existentially quantified.
    pub(crate) fn forget(&mut self, gate: Gate, bits: u128) -> Gate {
        let Some((bit, without, with)) = self.parts(gate) else {
            return gate;
        };
        if bits >> bit == 0 {
            return gate;
        }
        let words = [0, 32, 64, 96].map(|from| (bits >> from) as u32);
        let key = [gate, words[0], words[1], words[2], words[3]];
        if let Some(known) = self.forgotten.get(key) {
            return known;
        }
        let (without, with) = (self.forget(without, bits), self.forget(with, bits));
        let result = match bits >> bit & 1 {
            1 => self.or(without, with),
            _ => self.node(bit, without, with),
        };
        if self.room() {
            self.forgotten.insert(key, result);
        }
        result
    }

    /// What is known after gaining or losing all of these bits.
    pub(crate) fn set(&mut self, known: Known, bits: u128, held: bool) -> Known {
        let mut after = known;
        after.must = if held {
            known.must | bits
        } else {
            known.must & !bits
        };
        after.may = if held {
            known.may | bits
        } else {
            known.may & !bits
        };
        let mut care = self.forget(known.care, bits);
        for bit in ones(bits).rev() {
            let literal = if held { (NO, YES) } else { (YES, NO) };
            let literal = self.node(bit, literal.0, literal.1);
            care = self.and(care, literal);
        }
        after.care = care;
        after
    }

    /// What is known if exactly these bits are held.
    pub(crate) fn exactly(&mut self, bits: u128) -> Known {
        let anything = Known {
            must: 0,
            may: u128::MAX,
            care: YES,
        };
        let held = self.set(anything, bits, true);
        self.set(held, !bits, false)
    }

    /// What is known after losing one of these bits, if any is held.
    pub(crate) fn lose_one(&mut self, known: Known, mask: u128) -> Known {
        let pool = mask & known.may;
        let none = self.any(pool, Known { must: 0, ..known });
        let none = self.not(none);
        let mut care = self.and(known.care, none);
        for bit in ones(pool) {
            let held = self.node(bit, NO, YES);
            let held = self.and(known.care, held);
            let lost = self.forget(held, 1 << bit);
            let literal = self.node(bit, YES, NO);
            let lost = self.and(lost, literal);
            care = self.or(care, lost);
        }
        Known {
            must: known.must & !mask,
            may: known.may,
            care,
        }
    }

    /// What is known if either holds.
    pub(crate) fn join(&mut self, a: Known, b: Known) -> Known {
        Known {
            must: a.must & b.must,
            may: a.may | b.may,
            care: self.or(a.care, b.care),
        }
    }

    /// Adds sheets to those that come to a region.
    pub(crate) fn come(&mut self, coming: &mut Coming, region: usize, sheets: Known) {
        let known = match coming.get(&region) {
            Some(known) => self.join(*known, sheets),
            None => sheets,
        };
        coming.insert(region, known);
    }

    /// The fewest and the most of these bits that are held where the gate is open.
    pub(crate) fn held(&self, gate: Gate, bits: u128) -> (u32, u32) {
        let mut memo = FxHashMap::default();
        self.counts(gate, 0, bits, &mut memo).unwrap_or((0, 0))
    }

    /// The same as [`Gates::held`], for bits from `from` on.
    fn counts(
        &self,
        gate: Gate,
        from: u8,
        bits: u128,
        memo: &mut FxHashMap<Gate, Option<(u32, u32)>>,
    ) -> Option<(u32, u32)> {
        let (bit, without, with) = match gate {
            NO => return None,
            YES => return Some((0, tail(bits, from).count_ones())),
            gate => self.nodes[gate as usize],
        };
        let between = (tail(bits, from) & !tail(bits, bit)).count_ones();
        let here = match memo.get(&gate) {
            Some(known) => *known,
            None => {
                let own = (bits >> bit & 1) as u32;
                let without = self.counts(without, bit + 1, bits, memo);
                let with = self.counts(with, bit + 1, bits, memo);
                let with = with.map(|(fewest, most)| (fewest + own, most + own));
                let both = without.zip(with);
                let both = both.map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
                let here = both.or(without).or(with);
                memo.insert(gate, here);
                here
            }
        };
        here.map(|(fewest, most)| (fewest, most + between))
    }

    /// A gate without a bit and with it.
    pub(crate) fn kids(&self, gate: Gate, level: u8) -> [Gate; 2] {
        match self.parts(gate) {
            Some((bit, without, with)) if bit == level => [without, with],
            _ => [gate; 2],
        }
    }

    /// A gate with a known bit. Levels of stats, which have more values, leave it unchanged.
    pub(crate) fn kid(&self, gate: Gate, level: u8, value: usize) -> Gate {
        match self.parts(gate) {
            Some((bit, without, with)) if bit == level => [without, with][value],
            _ => gate,
        }
    }

    /// Whether a gate is open for these bits.
    pub(crate) fn opens(&self, mut gate: Gate, bits: u128) -> bool {
        while let Some((bit, without, with)) = self.parts(gate) {
            gate = if bits >> bit & 1 == 1 { with } else { without };
        }
        gate == YES
    }

    /// What is known where the gate is open, as far as its first questions tell.
    pub(crate) fn refine(&mut self, mut gate: Gate, mut known: Known) -> Known {
        known.care = self.and(known.care, gate);
        while let Some((bit, without, with)) = self.parts(gate) {
            let bit = 1_u128 << bit;
            match (without, with) {
                (NO, rest) => {
                    known.must |= bit;
                    gate = rest;
                }
                (rest, NO) => {
                    known.may &= !bit;
                    gate = rest;
                }
                _ => break,
            }
        }
        known
    }
}
