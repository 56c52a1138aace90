//! Layers: states sorted by their longest path to an end.

#[cfg(feature = "rayon")]
use crate::model::Model;
#[cfg(feature = "rayon")]
use crate::{Game, rows::Rows};

/// An order in which every outcome comes before the state that leads to it, and in which the states
/// of one layer, which do not lead to each other, are adjacent.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    pub(crate) order: Vec<u32>,
    /// Where each layer ends in the order.
    pub(crate) ends: Vec<u32>,
}

/// The level of a state that is left out.
pub(crate) const NO_LEVEL: u32 = u32::MAX;

impl Layers {
    /// Sorts the states 0, 1, … by level. Those of one level stay in ascending order, so that their
    /// rows and values are read in the order of memory.
    ///
    /// # Complexity
    /// Two passes over the levels.
    pub(crate) fn sort(levels: &[u32]) -> Self {
        let met = |&&level: &&u32| level != NO_LEVEL;
        let layers = levels.iter().filter(met).max().map_or(0, |&top| top + 1);
        let mut ends = vec![0_u32; layers as usize];
        for &level in levels.iter().filter(met) {
            ends[level as usize] += 1;
        }
        let mut all = 0;
        for end in &mut ends {
            // Initially the start of the layer; each state advances it.
            all += std::mem::replace(end, all);
        }
        let mut order = vec![0; all as usize];
        for (number, &level) in (0..).zip(levels) {
            if level != NO_LEVEL {
                let place = &mut ends[level as usize];
                order[*place as usize] = number;
                *place += 1;
            }
        }
        Layers { order, ends }
    }

    /// Returns where runs of states that do not lead to each other end, in the existing order of
    /// the model, or `None` if the runs are shorter than `least` on average. Most tables list their
    /// states by layers, and this needs no list.
    ///
    /// # Complexity
    /// Reads each outcome once, in the order of memory.
    #[cfg(feature = "rayon")]
    pub(crate) fn runs<G: Game + ?Sized, M: Model<G>>(
        model: &M,
        rows: &Rows,
        least: usize,
    ) -> Option<Vec<u32>> {
        // Short layers near the ends are not representative.
        const PATIENCE: usize = 64;
        let mut ends = Vec::new();
        let (mut low, mut high) = (u32::MAX, 0_u32);
        for place in 0..model.len() {
            let number = model.at(place) as u32;
            let (from, beyond) = (low, high.saturating_sub(low));
            let outcomes = rows.successors(number as usize).iter();
            // Any outcome between the lowest and the highest is treated as one of the run.
            let leads = outcomes.fold(false, |leads, &outcome| {
                leads | (outcome.wrapping_sub(from) <= beyond)
            });
            if leads && place > 0 {
                ends.push(place as u32);
                if ends.len() > PATIENCE && ends.len() * least > place {
                    return None;
                }
                (low, high) = (number, number);
            } else {
                (low, high) = (low.min(number), high.max(number));
            }
        }
        ends.push(model.len() as u32);
        (ends.len() * least <= model.len()).then_some(ends)
    }

    /// Returns the layers of a model without cycles whose rows are in memory.
    ///
    /// # Complexity
    /// Reads each outcome once.
    #[cfg(feature = "rayon")]
    pub(crate) fn find<G: Game + ?Sized, M: Model<G>>(model: &M, rows: &Rows) -> Self {
        let mut levels = vec![NO_LEVEL; rows.len()];
        for place in 0..model.len() {
            let number = model.at(place);
            let below = rows.successors(number).iter();
            let below = below.map(|&outcome| levels[outcome as usize] + 1).max();
            levels[number] = below.unwrap_or(0);
        }
        Layers::sort(&levels)
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    #[test]
    fn states_are_sorted_by_level() {
        let layers = Layers::sort(&[2, 0, NO_LEVEL, 0, 1, 2]);
        assert_eq!(layers.order, [1, 3, 4, 0, 5]);
        assert_eq!(layers.ends, [2, 3, 5]);
        assert!(Layers::sort(&[]).ends.is_empty());
        assert!(Layers::sort(&[NO_LEVEL]).order.is_empty());
    }

    quickcheck! {
        fn sorting_is_stable(levels: Vec<u8>) -> bool {
            let levels: Vec<u32> = levels.iter().map(|level| u32::from(level % 5)).collect();
            let mut wanted: Vec<u32> = (0..levels.len() as u32).collect();
            wanted.sort_by_key(|&number| levels[number as usize]);
            Layers::sort(&levels).order == wanted
        }
    }
}
