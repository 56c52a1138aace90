//! Random losses: exact values and upper bounds.

use rustc_hash::FxHashMap;

use crate::solver::diagrams::gates::{Gate, Known, NO, ones};
use crate::solver::diagrams::{BEHIND, Diagram, Diagrams, LOST};
use crate::solver::tables::best::larger;
use crate::solver::tables::look::Blocks;
use crate::solver::tables::{HOLE, Leaf, PURSE, Spare, Tables, ZERO};

impl Diagrams {
    /// The value before losing one of the held bits of `pool`, each with the same probability,
    /// given the value afterwards; arbitrary for sheets that cannot occur. `None` if it takes too
    /// much memory.
    pub(crate) fn lose_one(&mut self, after: Diagram, pool: u128, known: Known) -> Option<Diagram> {
        let bits: Vec<u8> = ones(pool).collect();
        let mut memo = FxHashMap::default();
        self.losing(after, &bits, known.care, Vec::new(), &mut memo)
    }

    /// An upper bound on the value before a loss, where `blurred` bits are taken as is best after
    /// it.
    ///
    /// Losing a blurred bit costs nothing then. The more of them are held, the smaller the risk, or
    /// the chance of a gain, for the other bits. So the maximum is reached with the fewest or the
    /// most blurred bits that anybody holds. Except at sheets that cannot occur, the bound is
    /// monotone in `after`.
    pub(crate) fn lose_blurred(
        &mut self,
        after: Diagram,
        pool: u128,
        known: Known,
        blurred: u128,
    ) -> Option<Diagram> {
        let after = self.blurred(after, blurred);
        let (fewest, most) = self.gates.held(known.care, pool & blurred);
        let care = self.gates.forget(known.care, blurred);
        let clear: Vec<u8> = ones(pool & !blurred).collect();
        let mut memo = FxHashMap::default();
        let mut best = LOST;
        for count in [fewest, most] {
            let bag = match count {
                0 => Vec::new(),
                count => vec![(after, count.into())],
            };
            let worth = self.losing(after, &clear, care, bag, &mut memo)?;
            best = self.best_for(care, best, worth);
        }
        Some(best)
    }

    /// `bag` holds the values after the losses considered so far, with their counts, sorted by
    /// number, so that sheets with other bits of the same value share an entry. The numbers depend
    /// on earlier collections; the sums must not.
    fn losing(
        &mut self,
        after: Diagram,
        bits: &[u8],
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
                total => self.mix_any(&parts, total),
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
        let mut missing = [false; 2];
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
            missing[value] = care == NO;
            *kid = self.losing(then, bits, care, next, memo)?;
        }
        // What nobody can hold gets the value of the other child.
        let result = match missing {
            [true, false] => kids[1],
            [false, true] => kids[0],
            _ => self.node(level, &kids),
        };
        memo.insert(key, result);
        Some(result)
    }

    /// An upper bound on the value before losing one of the held bits of `pool`, each with the same
    /// probability.
    ///
    /// With k bits held, the value is the mean of v(b) over them, where v(b) is the value without
    /// bit b: that is v plus the mean of v(b) - v. Without fatal bits nobody wins, so their v(b)
    /// is 0. They cost v / k each, for everybody who is worth anything, since all of these hold
    /// them. A few bits do harm, and the gain from losing them is computed exactly, as is the cost
    /// of losing a bit of `told`. Losing any other bit is taken to cost nothing. Sheets outside
    /// `known.care` may get any value, as in [`Diagrams::lose_one`].
    pub(crate) fn lose_at_most(
        &mut self,
        after: Diagram,
        pool: u128,
        known: Known,
        told: u128,
    ) -> Diagram {
        let mut fatal = 0;
        let mut parts = vec![after];
        for bit in ones(pool) {
            let mask = 1 << bit;
            let without = self.hold(after, mask, false);
            if without == after {
                continue;
            }
            if without == LOST {
                fatal += 1;
                continue;
            }
            if told & mask != 0 {
                parts.push(without);
                continue;
            }
            let with = self.hold(after, mask, true);
            let held = self.gates.any(mask, Known { must: 0, ..known });
            let care = self.gates.and(held, known.care);
            let care = self.gates.forget(care, mask);
            let harm = self.exceeds(without, with, LOST);
            let harm = self.gates.and(harm, care);
            if harm == NO {
                continue;
            }
            let harm = self.gates.and(harm, held);
            parts.push(self.gate(harm, without, LOST));
        }
        if fatal == 0 && parts.len() == 1 {
            return after;
        }
        let (fewest, most) = self.gates.held(known.care, pool & known.may);
        let (fewest, most) = (f64::from(fewest.max(1)), f64::from(most.max(1)));
        let raise = &mut |tables: &mut Tables, leaves: &[Leaf]| {
            tables.raise(leaves, f64::from(fatal), fewest, most)
        };
        let at_once = match fatal {
            0 => Self::unchanged,
            _ => Self::lost_in_order,
        };
        self.applied_to(known.care, &parts, at_once, raise)
    }

    /// Sorts the parts after the first, since their order does not matter and a canonical order
    /// improves sharing. Bits that do the same harm bring the same gain, so most sheets differ only
    /// in that order.
    fn lost_in_order(&mut self, from: usize) -> Option<Diagram> {
        let (first, others) = self.stack[from + 1..].split_first_mut()?;
        others.sort_unstable();
        (*first == LOST && others.iter().all(|other| *other == LOST)).then_some(LOST)
    }

    /// The same as [`Diagrams::lost_in_order`] where no loss is fatal: if nothing changes, the
    /// first part is the result.
    fn unchanged(&mut self, from: usize) -> Option<Diagram> {
        let (first, others) = self.stack[from + 1..].split_first_mut()?;
        others.sort_unstable();
        let mut others = others.iter();
        others
            .all(|other| *other == LOST || other == first)
            .then_some(*first)
    }
}

impl Tables {
    /// An upper bound on v + (Σ (w - v) - `less` · v) / k, where v is `leaves[0]`, w are the other
    /// leaves, and k is from `fewest` to `most`. Other leaves that are zero do not exceed v, and
    /// are left out.
    fn raise(&mut self, leaves: &[Leaf], less: f64, fewest: f64, most: f64) -> Leaf {
        let shape = self.shape(leaves);
        if leaves.iter().any(|leaf| self.is_hole(*leaf)) {
            self.unclosed = true;
            return ZERO;
        }
        if !self.room(40 * shape.volume()) {
            return ZERO;
        }
        // The order of the numbers depends on earlier collections, and the sums must not.
        let others = leaves[1..].iter();
        let others = others.filter(|leaf| **leaf != ZERO && **leaf != leaves[0]);
        let mut others: Vec<(f64, Leaf)> = others.map(|leaf| (1.0, *leaf)).collect();
        self.arrange(&mut others);
        let mut spare = std::mem::take(&mut self.spare);
        let Spare { values, part, .. } = &mut spare;
        let first = self.blocks(leaves[0], &shape);
        let others: Vec<Blocks<'_>> = others
            .iter()
            .map(|(_, leaf)| self.blocks(*leaf, &shape))
            .collect();
        values.clear();
        // The sum of all gains, and the largest gain from one leaf.
        let (mut gains, mut most_by_one) = (vec![0.0; shape.plane()], vec![0.0; shape.plane()]);
        for class in 0..shape.lens[PURSE] {
            let from = values.len();
            first.append(class, values);
            let values = &mut values[from..];
            gains.fill(0.0);
            most_by_one.fill(0.0);
            for other in &others {
                let part = other.block(class, part);
                let gains = gains.iter_mut().zip(&mut most_by_one);
                for ((gain, most), (part, value)) in gains.zip(part.iter().zip(&*values)) {
                    let by = part - value;
                    *gain += by;
                    *most = larger(*most, by);
                }
            }
            let gains = gains.iter().zip(&most_by_one);
            for (value, (gain, most_by_one)) in values.iter_mut().zip(gains) {
                let gain = gain - less * *value;
                let shared = gain / if gain > 0.0 { fewest } else { most };
                // A mean does not exceed the largest value, and some of at most `most` losses are
                // fatal.
                let alone = most_by_one - less / most * (most_by_one + *value);
                let raised = *value + f64::min(shared, alone);
                // A bound on rounding, relative to the summands and not to their sum.
                if gain != 0.0 {
                    *value = raised + 1e-12 * f64::max(raised, *value);
                }
            }
        }
        let raised = self.leaf(&shape, &mut spare.values);
        self.spare = spare;
        raised
    }

    /// Sorts parts in an order that depends only on their values and probabilities.
    pub(crate) fn arrange(&self, parts: &mut [(f64, Leaf)]) {
        let table = |leaf: Leaf| match self.views[leaf as usize].table {
            HOLE => None,
            number => self.tables.get(number as usize),
        };
        let values = |leaf: Leaf| table(leaf).into_iter().flat_map(|table| self.values(table));
        // The numbers of maps depend on earlier collections.
        let maps = |leaf: Leaf| {
            let maps = self.looked(leaf).maps;
            maps.map(|map| &self.maps[map as usize][..])
        };
        let shape = |leaf: Leaf| (table(leaf).map(|table| table.lens), maps(leaf));
        parts.sort_unstable_by(|(chance, leaf), (other_chance, other)| {
            let shapes = shape(*leaf).cmp(&shape(*other));
            let by_values = || {
                let pairs = values(*leaf).zip(values(*other));
                let mut orders = pairs.map(|(one, other)| one.total_cmp(&other));
                orders.find(|order| order.is_ne()).unwrap_or(shapes)
            };
            let order = match leaf == other {
                true => shapes,
                false => shapes.then_with(by_values),
            };
            order.then_with(|| chance.total_cmp(other_chance))
        });
    }
}

/// By value afterwards, the number of bits still to be considered, the care gate, and the bag.
type Losses = FxHashMap<(Diagram, usize, Gate, Vec<(Diagram, u64)>), Diagram>;
