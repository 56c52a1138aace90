//! Mixtures of tables: by chances, of everything alike or value by value of a lane.

use crate::solver::induction::directed::Towards;
use crate::solver::tables::shape::Shape;
use crate::solver::tables::{LIFE, Leaf, ROUNDING, Tables, ZERO};

impl Tables {
    /// A mixture by chances that sum to 1.
    pub(crate) fn mix(&mut self, parts: &[(f64, Leaf)]) -> Leaf {
        let leaves: Vec<Leaf> = parts.iter().map(|part| part.1).collect();
        if let Some(same) = all_alike(&leaves) {
            return same;
        }
        let chances = parts.iter().map(|part| std::slice::from_ref(&part.0));
        let shape = self.shape(&leaves);
        self.mixture(&shape, LIFE - 1, &leaves, chances)
    }

    /// A mixture by other chances for each value of a lane, which is not that of money: by leaf
    /// and value.
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
        // What follows may be the same for all values.
        shape.lens[lane] = chances.first().map_or(1, Vec::len);
        self.mixture(&shape, lane, leaves, chances.iter().map(Vec::as_slice))
    }

    /// With each chance for all that lies behind one place of a lane.
    fn mixture<'c>(
        &mut self,
        shape: &Shape,
        lane: usize,
        leaves: &[Leaf],
        chances: impl Iterator<Item = &'c [f64]>,
    ) -> Leaf {
        if !self.room(16 * shape.volume()) {
            return ZERO;
        }
        let mut spare = std::mem::take(&mut self.spare);
        spare.values.clear();
        spare.values.resize(shape.volume(), 0.0);
        let plane = shape.plane();
        let inner = shape.lens[lane + 1..].iter().product();
        for (&leaf, chances) in leaves.iter().zip(chances) {
            if leaf == ZERO {
                continue;
            }
            let blocks = self.blocks(leaf, shape);
            for (class, sums) in spare.values.chunks_mut(plane).enumerate() {
                let part = blocks.block(class, &mut spare.part);
                let rows = sums.chunks_mut(inner).zip(part.chunks(inner));
                for ((sums, part), chance) in rows.zip(chances.iter().cycle()) {
                    for (sum, part) in sums.iter_mut().zip(part) {
                        *sum += chance * part;
                    }
                }
            }
        }
        if self.towards != Towards::Nearest {
            let off = ROUNDING * (leaves.len() + 4) as f64;
            self.round(leaves, shape, off, &mut spare.values);
        }
        let mixed = self.leaf(shape, &mut spare.values);
        self.spare = spare;
        mixed
    }
}

/// What all leaves are, if they are the same, or if there are none.
fn all_alike(leaves: &[Leaf]) -> Option<Leaf> {
    let Some((first, others)) = leaves.split_first() else {
        return Some(ZERO);
    };
    others.iter().all(|other| other == first).then_some(*first)
}
