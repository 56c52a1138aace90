//! Mixtures by chance, with the same weights everywhere or with weights by the value of a lane.

use crate::solver::diagrams::gates::{Gate, YES};
use crate::solver::diagrams::{Diagram, Diagrams, LOST};

impl Diagrams {
    /// The mixture with these weights, which sum to `total`. Equal parts are merged.
    pub(crate) fn mix(&mut self, care: Gate, parts: &[(u64, Diagram)], total: u64) -> Diagram {
        self.mixed(care, parts, total, false)
    }

    /// The same as [`Diagrams::mix`], but bit-identical for any order of the parts.
    pub(crate) fn mix_any(&mut self, parts: &[(u64, Diagram)], total: u64) -> Diagram {
        self.mixed(YES, parts, total, true)
    }

    fn mixed(
        &mut self,
        care: Gate,
        parts: &[(u64, Diagram)],
        total: u64,
        any_order: bool,
    ) -> Diagram {
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
        let weights = merged.iter().map(|part| part.1).chain([total]);
        let parts: Vec<Diagram> = merged.iter().map(|part| part.0).collect();
        let key = key(&parts, weights, [u32::from(any_order), care]);
        if let Some(known) = self.mixes.get(&key) {
            return *known;
        }
        let chances: Vec<f64> = merged
            .iter()
            .map(|part| part.1 as f64 / total as f64)
            .collect();
        let mut parted = Vec::new();
        let mixed = self.apply_for(care, &parts, &mut |tables, leaves| {
            parted.clear();
            parted.extend(chances.iter().copied().zip(leaves.iter().copied()));
            if any_order {
                tables.arrange(&mut parted);
            }
            tables.mix(&parted)
        });
        self.mixes.insert(key, mixed);
        mixed
    }

    /// A mixture with other weights for each value of a lane, each with its own total.
    pub(crate) fn mix_by_value(
        &mut self,
        care: Gate,
        lane: usize,
        parts: &[(Vec<u64>, Diagram)],
        totals: &[u64],
    ) -> Diagram {
        let Some((_, first)) = parts.first() else {
            return LOST;
        };
        if parts.iter().all(|(_, part)| part == first) {
            return *first;
        }
        let weights = parts.iter().flat_map(|(weights, _)| weights);
        let weights = weights.chain(totals).copied();
        let diagrams: Vec<Diagram> = parts.iter().map(|(_, part)| *part).collect();
        // Distinguishes this key from those of other mixtures, which have the flag `any_order` in
        // its place.
        let by_lane = 2 + lane as u32;
        let key = key(&diagrams, weights, [by_lane, care]);
        if let Some(known) = self.mixes.get(&key) {
            return *known;
        }
        let chances = |weights: &[u64]| -> Vec<f64> {
            let weights = weights.iter().zip(totals);
            weights
                .map(|(weight, total)| *weight as f64 / *total as f64)
                .collect()
        };
        let chances: Vec<Vec<f64>> = parts.iter().map(|part| chances(&part.0)).collect();
        let mixed = self.apply_for(care, &diagrams, &mut |tables, leaves| {
            tables.mix_by_value(lane, &chances, leaves)
        });
        self.mixes.insert(key, mixed);
        mixed
    }
}

/// The key of a mixture: parts, weights, and whatever else distinguishes it.
fn key(parts: &[Diagram], weights: impl Iterator<Item = u64>, others: [u32; 2]) -> Box<[u32]> {
    let words = weights.flat_map(|weight| [weight as u32, (weight >> 32) as u32]);
    parts.iter().copied().chain(words).chain(others).collect()
}
