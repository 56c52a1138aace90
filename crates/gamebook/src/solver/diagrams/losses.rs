//! Losses at random: what they are worth, and at most.

use rustc_hash::FxHashMap;

use crate::solver::diagrams::gates::{Gate, Known, NO, ones};
use crate::solver::diagrams::{BEHIND, Diagram, Diagrams, LOST};
use crate::solver::tables::best::larger;
use crate::solver::tables::look::Blocks;
use crate::solver::tables::{HOLE, Leaf, PURSE, Spare, Tables, ZERO};

impl Diagrams {
    /// After one of the bits of `pool` that are held was lost, each with the same chance;
    /// anything where nobody can hold them together. `None` if it takes too many bytes.
    pub(crate) fn lose_one(&mut self, after: Diagram, pool: u128, known: Known) -> Option<Diagram> {
        let bits: Vec<u8> = ones(pool).collect();
        let mut memo = FxHashMap::default();
        self.losing(after, &bits, known.care, Vec::new(), &mut memo)
    }

    /// The most that a sheet may be worth after a loss, if bits that are `blurred` are as is
    /// best once it is over.
    ///
    /// Then it costs nothing to lose one of them. The more of them are held, the less it takes
    /// of the others, or brings: that is worth most with the most or with the fewest that
    /// anybody holds. But for what is taken in place of sheets that there cannot be, it rises
    /// with what follows.
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

    /// `bag` holds what follows the losses looked at so far, by number, so that who holds
    /// other things of the same worth is looked at once. Numbers depend on what was
    /// forgotten; sums must not.
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
        // What nobody can hold is taken to be worth what the others are.
        let result = match missing {
            [true, false] => kids[1],
            [false, true] => kids[0],
            _ => self.node(level, &kids),
        };
        memo.insert(key, result);
        Some(result)
    }

    /// The most that a sheet may be worth after one of the bits of `pool` that are held was
    /// lost, each with the same chance.
    ///
    /// With k bits held it is worth the mean of v(b) over them, what is left without b: that
    /// is v and the mean of v(b) - v. Without some bits nobody wins, v(b) is 0; these take
    /// v / k each, the same for all who are worth anything, as all of them hold these bits.
    /// A few bits do harm, and what it brings to lose them is looked up; so is what it costs to
    /// lose one of `told`. Losing any other is taken to cost nothing. Sheets outside
    /// `known.care` may be given anything, as by [`Diagrams::lose_one`].
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

    /// It makes no difference which of the parts behind the first is worth what: in one
    /// order they are known for all. Bits that do the same harm bring the same, so that most
    /// sheets differ by that alone.
    fn lost_in_order(&mut self, from: usize) -> Option<Diagram> {
        let (first, others) = self.stack[from + 1..].split_first_mut()?;
        others.sort_unstable();
        (*first == LOST && others.iter().all(|other| *other == LOST)).then_some(LOST)
    }

    /// As [`Diagrams::lost_in_order`], where nothing is fatal to lose: what changes nothing
    /// leaves all as it is.
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
    /// What is worth `leaves[0]`, with what others are worth more or less than that, and that so
    /// many times less, shared by from `fewest` to `most`: a bound from above. Others that are
    /// worth nothing are no more than that, and are left out.
    fn raise(&mut self, leaves: &[Leaf], less: f64, fewest: f64, most: f64) -> Leaf {
        let shape = self.shape(leaves);
        if leaves.iter().any(|leaf| self.is_hole(*leaf)) {
            self.unclosed = true;
            return ZERO;
        }
        if !self.room(40 * shape.volume()) {
            return ZERO;
        }
        // The order of their numbers depends on what was forgotten, and sums on their order.
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
        // All that is gained, and the most by one.
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
                // No mean is above the largest, and of at most so many some are fatal.
                let alone = most_by_one - less / most * (most_by_one + *value);
                let raised = *value + f64::min(shared, alone);
                // Rounding takes less than this, of what is added up and not of what is left of
                // it.
                if gain != 0.0 {
                    *value = raised + 1e-12 * f64::max(raised, *value);
                }
            }
        }
        let raised = self.leaf(&shape, &mut spare.values);
        self.spare = spare;
        raised
    }

    /// An order that depends on nothing but what the leaves are worth, and the chances.
    pub(crate) fn arrange(&self, parts: &mut [(f64, Leaf)]) {
        let table = |leaf: Leaf| match self.views[leaf as usize].table {
            HOLE => None,
            number => self.tables.get(number as usize),
        };
        let values = |leaf: Leaf| table(leaf).into_iter().flat_map(|table| self.values(table));
        // Numbers of maps depend on what was forgotten.
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

/// By what follows, how many bits are still to be looked at, who can come here, and the
/// bag.
type Losses = FxHashMap<(Diagram, usize, Gate, Vec<(Diagram, u64)>), Diagram>;
