//! Garbage collection: most of what is made on the way to the value of a region is not part of any
//! value.

use rustc_hash::FxHashMap;

use crate::solver::diagrams::arena::{Arena, Numbers};
use crate::solver::diagrams::memo::Memo;
use crate::solver::diagrams::{Diagram, Diagrams, LEAF, LOST};
use crate::solver::induction::Induction;
use crate::solver::tables::folded::Store;
use crate::solver::tables::{HOLE, Leaf, Table, Tables, ZERO};

/// With less memory than this, collection is not worthwhile.
const LEAST: usize = 1 << 25;
/// With this many bytes of values, it may be worthwhile before memory has grown by half.
const MUCH: usize = 1 << 27;
/// Visiting one object takes at most as long as making this many bytes of values.
const LOOK: usize = 512;

/// The state at the last collection.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LookedThrough {
    /// The bytes of values.
    bytes: usize,
    /// The number of regions solved.
    done: usize,
    /// How many more must be solved before the next look, if little is made meanwhile.
    wait: usize,
}

impl Induction<'_> {
    /// Frees what neither the current region nor any unsolved one will read, if much of it has
    /// accumulated.
    pub(crate) fn collect(&mut self) {
        if self.diagrams.due() || self.is_mostly_over() {
            self.collect_now();
            self.cut_if_short();
        }
    }

    /// Whether a third of all values will not be read any more.
    ///
    /// This is checked when memory has grown by an eighth. It is also checked when a region is
    /// done, since nobody needs any more what only that region has read, provided that the check
    /// takes little time compared with the work so far; after each check in vain, the wait doubles.
    /// Packing by the chunk leaves at most a third more than what is live, so it is not repeated
    /// for that.
    fn is_mostly_over(&mut self) -> bool {
        let (bytes, before) = (self.diagrams.tables.values.bytes(), self.looked_through);
        let things = self.diagrams.len() + self.diagrams.tables.views.len() + self.worth.len();
        let more = bytes - bytes / 8 > before.bytes;
        let due = more || self.done >= before.done + before.wait.max(1);
        if bytes < MUCH || LOOK * things > bytes || !due {
            return false;
        }
        let live = self.live();
        self.looked_through = LookedThrough {
            bytes,
            done: self.done,
            wait: if more { 1 } else { (2 * before.wait).max(2) },
        };
        bytes / 3 * 2 > live
    }

    /// The bytes of values that may be read again.
    pub(super) fn live(&self) -> usize {
        let worths = self.worth.iter().zip(self.alive());
        let worths = worths.filter(|(_, alive)| *alive);
        let roots = worths.flat_map(|(worth, _)| [worth.exact, worth.least, worth.most]);
        self.diagrams.values_of(roots.chain(self.undrunk).collect())
    }

    /// By region, whether its value may be read again.
    fn alive(&self) -> Vec<bool> {
        let mut alive = vec![false; self.worth.len()];
        let mut stack = self.starts.clone();
        if self.keep {
            self.kept_for_later(&mut stack);
        } else {
            for number in self.order[self.done..].iter().flatten() {
                stack.extend(self.explored.leads(*number));
            }
        }
        while let Some(number) = stack.pop() {
            if std::mem::replace(&mut alive[number], true) {
                continue;
            }
            // Deferred regions will be walked through again.
            if self.worth[number].put_off {
                stack.extend(self.explored.leads(number));
            }
        }
        alive
    }

    /// Does the same as [`collect`](Induction::collect), unconditionally.
    pub(crate) fn collect_now(&mut self) {
        let alive = self.alive();
        self.narrow(&alive);
        let (bytes, nodes) = (self.diagrams.bytes(), self.diagrams.len());
        let tables = self.diagrams.tables.len();
        for (worth, alive) in self.worth.iter_mut().zip(&alive) {
            if !alive {
                (worth.exact, worth.least, worth.most) = (LOST, LOST, LOST);
            }
        }
        let worths = self.worth.iter_mut();
        let roots = worths.flat_map(|worth| [&mut worth.exact, &mut worth.least, &mut worth.most]);
        self.diagrams.collect(roots.chain(&mut self.undrunk));
        self.met.clear();
        self.looked_through = LookedThrough {
            bytes: self.diagrams.tables.values.bytes(),
            done: self.done,
            wait: 1,
        };
        self.peak = self.peak.max(bytes + self.beside());
        self.gone.0 += nodes - self.diagrams.len();
        self.gone.1 += tables - self.diagrams.tables.len();
    }
}

/// How tables are packed in a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    /// Chunks that are mostly live stay where they are, since moving their tables takes longer than
    /// the gain is worth.
    ByTheChunk,
    /// All tables are moved next to each other.
    Tightly,
    /// Tables are folded until this many bytes are left, the oldest first.
    Folded(usize),
}

/// A set of numbers.
#[derive(Debug, Default)]
struct Marks(Vec<u64>);

impl Marks {
    fn has(&self, number: u32) -> bool {
        let word = self.0.get(number as usize / 64).copied().unwrap_or(0);
        word >> (number % 64) & 1 == 1
    }

    /// Adds a number; returns whether it is new.
    fn add(&mut self, number: u32) -> bool {
        let at = number as usize / 64;
        if at >= self.0.len() {
            self.0.resize(at + 1, 0);
        }
        let before = self.has(number);
        self.0[at] |= 1 << (number % 64);
        !before
    }
}

impl Diagrams {
    /// Whether so much was made since the last collection that the next one costs little in
    /// comparison, or that half of the room left then is used.
    pub(crate) fn due(&self) -> bool {
        let bytes = self.bytes();
        let limit = self.tables.limit;
        let kept = self.kept.min(self.tables.after_folding);
        let room = limit.saturating_sub(kept) / 2;
        let more = room.max(limit / 64).min((kept / 2).max(LEAST));
        bytes > kept.saturating_add(more)
    }

    /// The bytes of values reachable from these.
    fn values_of(&self, roots: Vec<Diagram>) -> usize {
        let (_, leaves) = self.reached(roots);
        let used = self.tables.used_by(&leaves);
        let tables = self.tables.tables.iter().zip(0..);
        let tables = tables.filter(|(_, number)| used.has(*number));
        let words: usize = tables.map(|(table, _)| table.words()).sum();
        words * size_of::<f64>()
    }

    /// Keeps what is reachable from these, and renumbers it in the same order.
    pub(crate) fn collect<'d>(&mut self, roots: impl Iterator<Item = &'d mut Diagram>) {
        self.keep_reached(roots, Packing::ByTheChunk);
    }

    fn keep_reached<'d>(&mut self, roots: impl Iterator<Item = &'d mut Diagram>, packing: Packing) {
        self.forget();
        self.best = Memo::default();
        let roots: Vec<&mut Diagram> = roots.collect();
        let (nodes, leaves) = self.reached(roots.iter().map(|root| **root).collect());
        let leaves = self.tables.keep(&leaves, packing);
        let old = self.keep(&nodes, &leaves);
        for root in roots {
            *root = moved(&old, &leaves, *root);
        }
        self.kept = self.bytes();
        self.tables.after_folding = usize::MAX;
    }

    /// Keeps only what is reachable from these; nothing more will be made. Values take at most half
    /// of the memory, if folding achieves that, since others are to be computed beside them.
    pub(crate) fn keep_only<'d>(&mut self, roots: impl Iterator<Item = &'d mut Diagram>) {
        self.gates.rest();
        self.keep_reached(roots, Packing::Tightly);
        let half = self.tables.limit / 2;
        if self.tables.values.bytes() > half {
            self.tables.fold(half);
        }
    }

    /// The nodes and leaves reachable from these.
    fn reached(&self, mut open: Vec<Diagram>) -> (Marks, Marks) {
        let (mut nodes, mut leaves) = (Marks::default(), Marks::default());
        for leaf in self.tables.fixed() {
            leaves.add(leaf);
        }
        while let Some(diagram) = open.pop() {
            if let Some(leaf) = Diagrams::as_leaf(diagram) {
                leaves.add(leaf);
            } else if nodes.add(diagram) {
                let width = self.width(diagram);
                let mut last = LEAF;
                for &kid in &self.words(diagram)[1..=width] {
                    if kid != last {
                        open.push(kid);
                    }
                    last = kid;
                }
            }
        }
        (nodes, leaves)
    }

    /// Moves the nodes, children first. The first entry of each old node then holds its new
    /// position.
    fn keep(&mut self, nodes: &Marks, leaves: &[u32]) -> Arena<[u32; 2]> {
        let mut old = std::mem::take(&mut self.nodes);
        self.by_kids = Numbers::default();
        self.count = 0;
        for chunk in 0..old.chunks() {
            let (mut place, end) = old.span(chunk);
            while place < end {
                let diagram = place as Diagram;
                let words = old.from(place).as_flattened();
                let (level, width) = (words[0] as u8, (words[0] >> 8) as usize);
                if nodes.has(diagram) {
                    let from = self.stack.len();
                    let kids = words[1..=width].iter();
                    let kids = kids.map(|kid| moved(&old, leaves, *kid));
                    self.stack.extend(kids);
                    let to = self.branch(level, from);
                    old.change(place, [words[0], to]);
                }
                place += (width + 2) / 2;
            }
        }
        old
    }
}

/// The new number of a diagram.
fn moved(old: &Arena<[u32; 2]>, leaves: &[u32], diagram: Diagram) -> Diagram {
    match Diagrams::as_leaf(diagram) {
        Some(leaf) => Diagrams::leaf(leaves[leaf as usize]),
        None => old.from(diagram as usize)[0][1],
    }
}

impl Tables {
    /// The tables that some leaves view.
    fn used_by(&self, leaves: &Marks) -> Marks {
        let mut used = Marks::default();
        for (leaf, view) in self.views.iter().enumerate() {
            if view.table != HOLE && leaves.has(leaf as u32) {
                used.add(view.table);
            }
        }
        used
    }

    /// Keeps some leaves and what they view. Returns the new numbers by old ones.
    fn keep(&mut self, leaves: &Marks, packing: Packing) -> Vec<u32> {
        self.best = Memo::default();
        let used = self.used_by(leaves);
        let old = std::mem::take(&mut self.values);
        let tables = std::mem::take(&mut self.tables);
        self.by_values = Numbers::default();
        let mut table_to = vec![0; tables.len()];
        for (number, table) in tables.into_iter().enumerate() {
            if used.has(number as u32) {
                table_to[number] = self.add(table);
            }
        }
        self.take_values(old, packing);
        self.offer_again();
        let views = std::mem::take(&mut self.views);
        self.by_view = Numbers::default();
        let looks = self.forget_maps();
        let mut leaf_to = vec![ZERO; views.len()];
        for (leaf, view) in views.into_iter().enumerate() {
            if leaves.has(leaf as u32) {
                let table = match view.table {
                    HOLE => HOLE,
                    table => table_to[table as usize],
                };
                let maps = looks.maps(&view).map(|map| self.map(map.to_vec()));
                leaf_to[leaf] = self.view(table, maps);
            }
        }
        // Closed values are needed again in many sections.
        let closed = std::mem::take(&mut self.closed).into_iter();
        let kept = closed.filter(|(from, to)| leaves.has(from.0) && leaves.has(*to));
        let moved = |leaf: Leaf| leaf_to[leaf as usize];
        self.closed = kept
            .map(|((leaf, backs), to)| ((moved(leaf), backs), moved(to)))
            .collect();
        leaf_to
    }

    /// Folds tables until their values take this many bytes, if possible. All keep their numbers.
    pub(crate) fn fold(&mut self, until: usize) {
        let old = std::mem::take(&mut self.values);
        self.take_values(old, Packing::Folded(until));
        self.after_folding = self.bytes() + self.beside;
    }

    /// Takes the values of all tables from an old store.
    fn take_values(&mut self, mut old: Store, packing: Packing) {
        self.plain = 0;
        let short = matches!(packing, Packing::Folded(_));
        let mut patterns = FxHashMap::default();
        let stay = match packing {
            Packing::ByTheChunk => self.values.take_patterns(&mut old, self.limit >> 6),
            Packing::Tightly => false,
            // Most of them are in use.
            Packing::Folded(_) => self.values.take_patterns(&mut old, usize::MAX),
        };
        let mut tables = std::mem::take(&mut self.tables);
        let mut order: Vec<&mut Table> = tables.iter_mut().collect();
        order.sort_unstable_by_key(|table| table.at);
        for group in order.chunk_by_mut(|one, other| Arena::<f64>::together(one.at, other.at)) {
            let Some(first) = group.first().map(|table| table.at) else {
                continue;
            };
            old.release(first, &mut self.values);
            let held = group.iter().map(|table| table.words()).sum();
            let adopted = match packing {
                Packing::Tightly => None,
                Packing::Folded(until) if self.values.bytes() + old.bytes() <= until => {
                    Some(self.values.adopt(&mut old, first))
                }
                _ => {
                    let stays = |table: &&mut Table| match table.folded() {
                        true => stay,
                        false => !(short && table.may_be_folded()),
                    };
                    let dense = group.iter().all(stays) && old.is_dense(first, held, short);
                    dense.then(|| self.values.adopt(&mut old, first))
                }
            };
            if let Some(to) = adopted {
                for table in group {
                    table.at = to + (table.at - first);
                    let plain = table.may_be_folded();
                    self.plain += if plain { table.words() } else { 0 };
                }
                continue;
            }
            for table in group {
                let size = table.size();
                if !table.folded() {
                    (table.at, table.stored) = self.put(size, old.from(table.at), short);
                } else if stay {
                    table.at = self.values.copy(&old, table.at, table.words());
                } else if let Some(at) = self.values.take(&old, table.at, size, &mut patterns) {
                    table.at = at;
                } else {
                    let values: Vec<f64> = old.planes(table.at, size, true).values().collect();
                    (table.at, table.stored) = self.put(size, &values, true);
                }
            }
        }
        if !stay {
            self.values.patterns_in_use();
        }
        old.release(usize::MAX, &mut self.values);
        self.tables = tables;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::chunks::Chunks;
    use crate::solver::diagrams::arena::hash_of_one;
    use crate::solver::tables::shape::Shape;

    /// A table of this many rows of ten values, all different from those of others.
    fn table(diagrams: &mut Diagrams, number: u32, rows: usize) -> Diagram {
        let mut values: Vec<f64> = (0..10 * rows).map(|at| value(number, at)).collect();
        let shape = Shape::full([1, rows, 10, 1]);
        Diagrams::leaf(diagrams.tables.leaf(&shape, &mut values))
    }

    fn value(number: u32, at: usize) -> f64 {
        f64::from(number + 1) + at as f64 / 1e6
    }

    /// Tables survive many collections, whether or not their chunks are adopted: small ones that
    /// share a chunk, and some that are larger than one.
    #[test]
    fn what_is_kept_stays_the_same_whatever_is_forgotten_around_it() {
        let mut diagrams = Diagrams::new(1 << 30);
        let mut kept: Vec<(u32, usize, Diagram)> = Vec::new();
        let mut fewer = 0;
        for round in 0..8_u32 {
            for number in 60 * round..60 * (round + 1) {
                let rows = match number % 20 {
                    0 => 30_000,
                    1..8 => 3_000,
                    _ => 70,
                };
                let rows = rows + number as usize % 7;
                kept.push((number, rows, table(&mut diagrams, number, rows)));
            }
            // Some rounds free much, others hardly anything.
            let of_ten = [9, 10, 3, 9][round as usize % 4];
            kept.retain(|one| hash_of_one(u64::from(one.0 + 977 * round)) % 10 < of_ten);
            let before = diagrams.tables.values.bytes();
            diagrams.collect(kept.iter_mut().map(|one| &mut one.2));
            let held: usize = kept.iter().map(|one| 80 * one.1).sum();
            let bytes = diagrams.tables.values.bytes();
            fewer += usize::from(bytes < before);
            assert!(bytes < held / 3 * 4 + (1 << 22), "{bytes} for {held}");
            for &(number, rows, diagram) in &kept {
                let leaf = Diagrams::as_leaf(diagram).unwrap_or_default();
                for row in [0, rows / 2, rows - 1] {
                    let found = diagrams.tables.at(leaf, [0, row, 3, 0]);
                    let wanted = value(number, 10 * row + 3);
                    assert_eq!(found, wanted, "{number} in round {round}");
                }
                // It is found by its content.
                assert_eq!(table(&mut diagrams, number, rows), diagram);
            }
        }
        assert!((2..8).contains(&fewer), "{fewer}");
        let held: usize = kept.iter().map(|one| 80 * one.1).sum();
        diagrams.keep_only(kept.iter_mut().map(|one| &mut one.2));
        assert!(diagrams.tables.values.bytes() < held + (1 << 22));
    }

    /// Folded tables survive, too, whether their chunks are adopted, and whether their patterns are
    /// taken over or, once there are too many, interned again.
    #[test]
    fn what_is_folded_stays_the_same_whatever_is_forgotten_around_it() {
        let mut diagrams = Diagrams::new(1 << 26);
        // Every other table has a pattern of its own.
        let value = |number: u32, at: usize| {
            let kinds = 40 + if number.is_multiple_of(2) { 0 } else { number };
            let kind = hash_of_one((u64::from(kinds) << 32) + at as u64 / 2) % u64::from(kinds);
            f64::from(number + 1) + kind as f64 / 4096.0
        };
        let table = |diagrams: &mut Diagrams, number: u32| {
            let rows = if number.is_multiple_of(3) { 20 } else { 600 };
            let mut values: Vec<f64> = (0..10 * rows).map(|at| value(number, at)).collect();
            let shape = Shape::full([1, rows, 10, 1]);
            Diagrams::leaf(diagrams.tables.leaf(&shape, &mut values))
        };
        let mut kept: Vec<(u32, Diagram)> = Vec::new();
        let (mut most, mut fewer) = (0, 0);
        for round in 0..24_u32 {
            for number in 80 * round..80 * (round + 1) {
                kept.push((number, table(&mut diagrams, number)));
            }
            let of_ten = [9, 10, 3, 10][round as usize % 4];
            kept.retain(|one| hash_of_one(u64::from(one.0 + 977 * round)) % 10 < of_ten);
            diagrams.collect(kept.iter_mut().map(|one| &mut one.1));
            diagrams.tables.fold(0);
            let tables = &diagrams.tables;
            assert!(tables.tables.iter().skip(2).all(Table::folded));
            let held: usize = tables.tables.iter().map(|table| 8 * table.words()).sum();
            let bytes = tables.values.bytes();
            // Besides an open chunk and the patterns.
            assert!(bytes < held / 7 * 8 + (8 << 20), "{bytes} for {held}");
            fewer += usize::from(bytes < most);
            most = bytes;
            for &(number, diagram) in &kept {
                let leaf = Diagrams::as_leaf(diagram).unwrap_or_default();
                for row in [0, 7, 19] {
                    let found = diagrams.tables.at(leaf, [0, row, 3, 0]);
                    assert_eq!(
                        found,
                        value(number, 10 * row + 3),
                        "{number} in round {round}"
                    );
                }
            }
            if round % 5 == 4 {
                for &(number, diagram) in &kept {
                    assert_eq!(table(&mut diagrams, number), diagram);
                }
            }
        }
        assert!(fewer >= 3, "{fewer}");
    }

    /// Every value occurs twice, so folding saves half.
    fn twice(diagrams: &mut Diagrams, number: u32, rows: usize) -> Diagram {
        let place = |at: usize| at / 2 * 2;
        let values = (0..10 * rows).map(|at| value(number, place(at)));
        let shape = Shape::full([1, rows, 10, 1]);
        Diagrams::leaf(diagrams.tables.leaf(&shape, &mut values.collect()))
    }

    /// This many of them.
    fn all_twice(diagrams: &mut Diagrams, count: u32) -> Vec<Diagram> {
        (0..count)
            .map(|number| twice(diagrams, number, 1_000))
            .collect()
    }

    fn holds(diagrams: &Diagrams, number: u32, leaf: Diagram) -> bool {
        let at = |row: usize, place: usize| {
            let leaf = Diagrams::as_leaf(leaf).unwrap_or_default();
            diagrams.tables.at(leaf, [0, row, place, 0])
        };
        at(5, 8) == value(number, 58) && at(5, 7) == value(number, 56)
    }

    /// Memory runs short in the middle of a computation, which goes on with the same leaves.
    #[test]
    fn tables_are_folded_when_memory_becomes_short() {
        let limit = 1 << 25;
        let mut diagrams = Diagrams::new(limit);
        let (mut leaves, mut plain) = (Vec::new(), 0);
        for number in 0..450 {
            assert!(diagrams.tables.room(1 << 16), "{number}");
            leaves.push(twice(&mut diagrams, number, 1_000));
            plain += 80_000;
            assert!(diagrams.tables.bytes() < limit);
        }
        assert!(plain > limit);
        let tables = &diagrams.tables.tables[2..];
        let folded = tables.iter().take_while(|table| table.folded()).count();
        // The oldest ones are.
        assert!((200..440).contains(&folded), "{folded}");
        assert!(tables[folded..].iter().all(|table| !table.folded()));
        let sum: usize = tables[folded..].iter().map(Table::words).sum();
        assert_eq!(diagrams.tables.plain, sum);
        for (number, leaf) in leaves.iter().enumerate() {
            assert!(holds(&diagrams, number as u32, *leaf), "{number}");
            assert_eq!(twice(&mut diagrams, number as u32, 1_000), *leaf);
        }
        // Now all are needed, and there is not enough room even if all are folded.
        for number in 450..1_000 {
            diagrams.tables.room(1 << 16);
            twice(&mut diagrams, number, 1_000);
        }
        assert!(diagrams.tables.full);
        assert!(diagrams.tables.plain <= limit / size_of::<f64>() / 4);
    }

    /// Folding makes room, which does not put off the next collection.
    #[test]
    fn collection_is_due_when_much_was_made_since_folding() {
        let mut diagrams = Diagrams::new(1 << 26);
        let mut leaves = all_twice(&mut diagrams, 400);
        diagrams.collect(leaves.iter_mut());
        let before = diagrams.bytes();
        diagrams.tables.fold(0);
        let folded = diagrams.bytes();
        assert!(folded < before / 3 * 2);
        let mut number = 400;
        while !diagrams.due() {
            twice(&mut diagrams, number, 1_000);
            number += 1;
        }
        // Half of the room after folding, not after the last collection.
        let room = (1 << 26) - folded;
        let made = diagrams.bytes() - folded;
        assert!(
            (room / 2..room / 2 + (1 << 22)).contains(&made),
            "{made} of {room}"
        );
    }

    #[test]
    fn what_is_kept_alone_takes_at_most_half_of_the_memory() {
        let mut diagrams = Diagrams::new(1 << 26);
        let mut leaves = all_twice(&mut diagrams, 600);
        assert!(diagrams.tables.values.bytes() > 47_000_000);
        diagrams.keep_only(leaves.iter_mut());
        assert!(diagrams.tables.values.bytes() <= 1 << 25);
        for (number, leaf) in leaves.iter().enumerate() {
            assert!(holds(&diagrams, number as u32, *leaf), "{number}");
        }
        // Less than half stays plain.
        let mut diagrams = Diagrams::new(1 << 26);
        let mut few = all_twice(&mut diagrams, 300);
        diagrams.keep_only(few.iter_mut());
        assert!(diagrams.tables.tables.iter().all(|table| !table.folded()));
    }

    /// A regression test: solved streets kept all this memory, uncounted.
    #[test]
    fn what_is_kept_alone_takes_no_more_than_it_needs() {
        let mut diagrams = Diagrams::new(1 << 30);
        let shape = Shape::full([1, 1_000, 1, 1]);
        let mut leaf = |seed: u32| {
            let mut values: Vec<f64> = (0..1_000).map(|at| f64::from(at * 1_000 + seed)).collect();
            diagrams.tables.leaf(&shape, &mut values)
        };
        let leaves: Vec<Leaf> = (0..1_000).map(&mut leaf).collect();
        let mut kept = Diagrams::leaf(leaves[500]);
        assert!(diagrams.tables.values.bytes() > 8_000_000);
        diagrams.collect([&mut kept].into_iter());
        assert!(diagrams.tables.values.left() > 4_000_000);
        diagrams.keep_only([&mut kept].into_iter());
        Chunks::default().take_back(&mut diagrams.tables.values);
        let tables = &diagrams.tables;
        assert_eq!(tables.values.left(), 0);
        assert!(tables.values.bytes() < 4_000_000);
        let only = Diagrams::as_leaf(kept).unwrap_or_default();
        assert_eq!(tables.at(only, [0, 7, 0, 0]), 7_500.0);
    }
}
