//! Learning which blurred bits should be distinguished after random losses, if a look that
//! distinguishes only [what matters most](super::blurred) has left a street open: those that make a
//! difference for a sample of the sheets that have just lost something. Of dozens of bits these are
//! a handful.

use crate::solver::diagrams::arena::hash_of_one;
use crate::solver::diagrams::gates::{Gates, Known, NO};
use crate::solver::diagrams::{Diagram, Diagrams, LEAF};

/// The sample size after a loss.
const SHEETS: u64 = 64;
/// After this many losses, no more is learnt.
const LOSSES: usize = 2_000;
/// Bits that make this many times less difference than the most important one are left out.
const LITTLE: f64 = 20.0;

/// How much difference bits make.
#[derive(Clone, Debug)]
pub(crate) struct Telling {
    /// By bit, the sum after the loss where it is greatest, so that losses visited twice count
    /// once.
    most: [f64; 128],
    losses: usize,
}

impl Default for Telling {
    fn default() -> Self {
        Telling {
            most: [0.0; 128],
            losses: 0,
        }
    }
}

impl Telling {
    /// Samples the value after a loss, for these bits and some of the possible sheets, which are
    /// always the same.
    pub(crate) fn look(&mut self, diagrams: &Diagrams, after: Diagram, known: Known, bits: u128) {
        if self.losses == LOSSES {
            return;
        }
        self.losses += 1;
        let mut sums = [0.0; 128];
        for seed in 0..SHEETS {
            let Some(sheet) = diagrams.gates.any_sheet(known, seed) else {
                continue;
            };
            let worth = diagrams.value_somewhere(after, sheet, seed);
            for (bit, sum) in sums.iter_mut().enumerate() {
                if bits >> bit & 1 == 1 {
                    let other = diagrams.value_somewhere(after, sheet ^ 1 << bit, seed);
                    *sum += f64::abs(worth - other);
                }
            }
        }
        for (most, sum) in self.most.iter_mut().zip(sums) {
            *most = most.max(sum);
        }
    }

    /// The bits that make a difference.
    pub(crate) fn bits(&self) -> u128 {
        let most = self.most.iter().fold(0.0_f64, |most, sum| most.max(*sum));
        let sums = self.most.iter().zip(0..);
        let told = sums.filter(|(sum, _)| **sum > 0.0 && **sum * LITTLE >= most);
        told.fold(0, |bits, (_, bit)| bits | 1 << bit)
    }
}

/// A pseudo-random number below `of`, fixed by the seed.
fn by_chance(seed: u64, draw: u64, of: usize) -> usize {
    (hash_of_one(seed << 8 | draw) % of.max(1) as u64) as usize
}

impl Gates {
    /// One of the possible sheets, if there is one.
    fn any_sheet(&self, known: Known, seed: u64) -> Option<u128> {
        let (mut gate, mut sheet) = (known.care, 0);
        for level in 0..128_u8 {
            let bit = 1_u128 << level;
            let chance = known.may & bit != 0 && by_chance(seed, level.into(), 2) == 1;
            let mut held = known.must & bit != 0 || chance;
            if let Some((asked, without, with)) = self.parts(gate)
                && asked == level
            {
                held = with != NO && (held || without == NO);
                gate = if held { with } else { without };
            }
            if held {
                sheet |= bit;
            }
        }
        (gate != NO).then_some(sheet)
    }
}

impl Diagrams {
    /// The value of a sheet with pseudo-random stats.
    fn value_somewhere(&self, mut diagram: Diagram, sheet: u128, seed: u64) -> f64 {
        while diagram & LEAF == 0 {
            let level = self.level(diagram);
            let kid = match level < 128 {
                true => (sheet >> level & 1) as usize,
                false => by_chance(seed, level.into(), self.width(diagram)),
            };
            diagram = self.kid(diagram, level, kid);
        }
        let leaf = diagram & !LEAF;
        let lens = self.tables.looked(leaf).lens;
        // Seeds apart from the levels of bits and stats.
        let place = |lane: usize| by_chance(seed, u64::from(!(lane as u8)), lens[lane]);
        self.tables.at(leaf, std::array::from_fn(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::diagrams::gates::YES;
    use crate::solver::diagrams::{LOST, WON};
    use crate::solver::tables::shape::Shape;

    #[test]
    fn what_makes_a_difference_is_told() {
        let mut diagrams = Diagrams::new(1 << 20);
        // A victory with the first bit and without the third; the second and fourth make no
        // difference.
        let without_third = diagrams.gates.node(2, YES, NO);
        let both = diagrams.gates.node(0, NO, without_third);
        let after = diagrams.gate(both, WON, LOST);
        let known = |care, must, may| Known { care, must, may };
        let told = |known: Known| {
            let mut telling = Telling::default();
            telling.look(&diagrams, after, known, 15);
            telling.bits()
        };
        assert_eq!(told(known(YES, 0, 15)), 5);
        // Without the first bit, the third makes no difference.
        assert_eq!(told(known(YES, 0, 14)), 1);
        assert_eq!(Telling::default().bits(), 0);
    }

    /// A bit that helps only those with much life: samples cover all positions, not one.
    #[test]
    fn what_helps_somebody_somewhere_is_told() {
        let mut diagrams = Diagrams::new(1 << 20);
        let shape = Shape::full([1, 12, 1, 1]);
        let mut strong: Vec<f64> = (0..12)
            .map(|life| f64::from(u8::from(life == 11)))
            .collect();
        let strong = Diagrams::leaf(diagrams.tables.leaf(&shape, &mut strong));
        let mut weak: Vec<f64> = (0..12).map(|life| f64::from(u8::from(life == 3))).collect();
        let weak = Diagrams::leaf(diagrams.tables.leaf(&shape, &mut weak));
        let gates = [0, 1].map(|bit| diagrams.gates.node(bit, NO, YES));
        let first = diagrams.gate(gates[0], strong, LOST);
        let second = diagrams.gate(gates[1], weak, LOST);
        let after = diagrams.best(first, second);
        let known = Known {
            care: YES,
            must: 0,
            may: 7,
        };
        let mut telling = Telling::default();
        telling.look(&diagrams, after, known, 7);
        assert_eq!(telling.bits(), 3);
    }

    #[test]
    fn sheets_are_those_that_there_can_be() {
        let mut gates = Gates::new();
        let without_second = gates.node(1, YES, NO);
        let care = gates.node(0, NO, without_second);
        let known = Known {
            care,
            must: 8,
            may: 15,
        };
        let sheets: Vec<u128> = (0..SHEETS)
            .filter_map(|seed| gates.any_sheet(known, seed))
            .collect();
        assert!(sheets.iter().all(|sheet| sheet & 11 == 9));
        assert!(sheets.iter().any(|sheet| sheet & 4 != 0));
        assert!(sheets.iter().any(|sheet| sheet & 4 == 0));
        let nobody = Known { care: NO, ..known };
        assert_eq!(gates.any_sheet(nobody, 0), None);
    }
}
