//! Mixtures of tables, with the same probabilities everywhere or with probabilities by the value of
//! a lane.

use crate::solver::induction::directed::Towards;
use crate::solver::tables::shape::Shape;
use crate::solver::tables::{Leaf, PURSE, ROUNDING, Spare, Tables, ZERO};

impl Tables {
    /// The mixture with these probabilities, which sum to 1.
    pub(crate) fn mix(&mut self, parts: &[(f64, Leaf)]) -> Leaf {
        let leaves: Vec<Leaf> = parts.iter().map(|part| part.1).collect();
        if let Some(same) = all_alike(&leaves) {
            return same;
        }
        let chances = parts.iter().map(|part| std::slice::from_ref(&part.0));
        let shape = self.shape(&leaves);
        self.mixture(&shape, PURSE, &leaves, chances)
    }

    /// The mixture with other probabilities for each value of a lane, by leaf and value. The lane
    /// must not be that of money.
    pub(crate) fn mix_by_value(
        &mut self,
        lane: usize,
        chances: &[Vec<f64>],
        leaves: &[Leaf],
    ) -> Leaf {
        if let Some(same) = all_alike(leaves) {
            return same;
        }
        let mut shape = self.shape(leaves);
        // What follows may not depend on the lane.
        shape.lens[lane] = chances.first().map_or(1, Vec::len);
        self.mixture(&shape, lane, leaves, chances.iter().map(Vec::as_slice))
    }

    /// A mixture in which each probability applies to one position of a lane.
    fn mixture<'c>(
        &mut self,
        shape: &Shape,
        lane: usize,
        leaves: &[Leaf],
        chances: impl Iterator<Item = &'c [f64]> + Clone,
    ) -> Leaf {
        if !self.room(16 * shape.volume()) {
            return ZERO;
        }
        let mut spare = std::mem::take(&mut self.spare);
        let inner: usize = shape.lens[lane + 1..].iter().product();
        let parts = leaves.iter().copied().zip(chances);
        let some = parts.clone().filter(|part| part.0 != ZERO);
        let some: Vec<_> = some
            .map(|(leaf, chances)| (self.blocks(leaf, shape), chances))
            .collect();
        let Some(((first, chances), others)) = some.split_first() else {
            self.spare = spare;
            return ZERO;
        };
        let Spare {
            values,
            part: room,
            other,
            ..
        } = &mut spare;
        values.clear();
        values.reserve(shape.volume());
        // Class by class, so that the sums of a class stay in the cache for all parts. The first
        // two parts are processed together, since usually there are no more.
        let (second, others) = others.split_at(others.len().min(1));
        for class in 0..shape.lens[PURSE] {
            let from = values.len();
            let rows = first.block(class, room).chunks(inner);
            let rows = rows.zip(chances.iter().cycle());
            match second {
                [(second, others)] => {
                    let others = others.iter().cycle();
                    let second = second.block(class, other).chunks(inner).zip(others);
                    for ((row, chance), (other, less)) in rows.zip(second) {
                        let pairs = row.iter().zip(other);
                        values.extend(pairs.map(|(one, other)| chance * one + less * other));
                    }
                }
                _ => {
                    for (row, chance) in rows {
                        values.extend(row.iter().map(|value| chance * value));
                    }
                }
            }
            for (part, chances) in others {
                let part = part.block(class, room);
                let add = |sum: &mut f64, value: f64, chance: f64| *sum += chance * value;
                by_rows(inner, chances, part, &mut values[from..], add);
            }
        }
        if self.towards != Towards::Nearest {
            self.rounded(shape, lane, parts, values, room);
        }
        let mixed = self.leaf(shape, values);
        self.spare = spare;
        mixed
    }

    /// Rounds a mixture in one direction. It is nowhere below the least of the possible parts, nor
    /// above the greatest.
    fn rounded<'c>(
        &self,
        shape: &Shape,
        lane: usize,
        parts: impl Iterator<Item = (Leaf, &'c [f64])>,
        mixed: &mut [f64],
        room: &mut Vec<f64>,
    ) {
        let mut least = vec![f64::INFINITY; mixed.len()];
        let mut most = vec![0.0; mixed.len()];
        let mut count = 0;
        for part in parts {
            count += 1;
            self.each(
                shape,
                lane,
                part,
                &mut least,
                room,
                |least, part, chance| {
                    if chance > 0.0 {
                        *least = least.min(part);
                    }
                },
            );
            self.each(shape, lane, part, &mut most, room, |most, part, chance| {
                if chance > 0.0 {
                    *most = most.max(part);
                }
            });
        }
        let off = ROUNDING * f64::from(count + 4);
        for ((value, least), most) in mixed.iter_mut().zip(least).zip(most) {
            *value = self.towards.round(*value, off, least, most);
        }
    }

    /// Applies `each` to each value, the value of a leaf there, and its probability.
    fn each(
        &self,
        shape: &Shape,
        lane: usize,
        (leaf, chances): (Leaf, &[f64]),
        values: &mut [f64],
        room: &mut Vec<f64>,
        each: impl Fn(&mut f64, f64, f64),
    ) {
        let (plane, inner) = (shape.plane(), shape.lens[lane + 1..].iter().product());
        let blocks = self.blocks(leaf, shape);
        for (class, values) in values.chunks_mut(plane).enumerate() {
            by_rows(inner, chances, blocks.block(class, room), values, &each);
        }
    }
}

/// Applies `each` to each of some values, the value of a part, and the probability of its row.
fn by_rows(
    inner: usize,
    chances: &[f64],
    part: &[f64],
    values: &mut [f64],
    each: impl Fn(&mut f64, f64, f64),
) {
    let rows = values.chunks_mut(inner).zip(part.chunks(inner));
    for ((values, part), chance) in rows.zip(chances.iter().cycle()) {
        for (value, part) in values.iter_mut().zip(part) {
            each(value, *part, *chance);
        }
    }
}

/// The common value of all leaves, if they are equal, or if there are none.
fn all_alike(leaves: &[Leaf]) -> Option<Leaf> {
    let Some((first, others)) = leaves.split_first() else {
        return Some(ZERO);
    };
    others.iter().all(|other| other == first).then_some(*first)
}
