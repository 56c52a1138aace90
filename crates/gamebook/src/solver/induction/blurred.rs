//! Blurring: an upper bound that distinguishes only what matters most. It is used everywhere for a
//! first bound, and only after random losses for a closer one.
//!
//! Most things are worth little: a rope, a candle, whether a stall was seen. Suppose that at every
//! region anew, a hero holds such a thing or not, whichever is better. This gives an upper bound,
//! since the value of a region is monotone in what follows it. The remaining bits are those of
//! items that [work](crate::compiled::CompiledItem::works), those that refresh the hero, and those
//! that victory needs. Usually this leaves a third of the bits, a tenth of the tables, and a bound
//! that is nearly as close as with all bits.

use crate::compiled::Op;
use crate::solver::diagrams::{Diagram, Diagrams};
use crate::solver::reduction::rings::asked;
use crate::solver::walk::Walk;

/// The bits that are not blurred.
pub(crate) fn clear(walk: &Walk<'_>) -> u128 {
    let book = &walk.game.compiled;
    let items = book.slots.iter().flatten();
    let works = items.filter(|item| item.works()).map(|item| item.bit);
    let refresh = book.refreshments.iter().map(|one| {
        let lost = book.effects[one.effects as usize].iter();
        let lost = lost.map(|op| match op {
            Op::Lose(mask) => *mask,
            _ => 0,
        });
        let asked = one.condition.map_or(0, |condition| asked(book, condition));
        lost.fold(asked, |bits, lost| bits | lost)
    });
    // Where nobody wins, everything is needed.
    let needed = walk.needed.iter().filter(|bits| **bits != u128::MAX);
    let bits = works.chain(refresh).chain(needed.copied());
    bits.fold(0, |bits, more| bits | more)
}

impl Diagrams {
    /// An upper bound for any value of these bits: the better of with and without each.
    pub(crate) fn blurred(&mut self, diagram: Diagram, bits: u128) -> Diagram {
        self.with_bits(diagram, bits, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::diagrams::trials::{Worths, check, value};

    #[test]
    fn is_the_best_whatever_the_bits_are() {
        fn property(worths: Worths, bits: u8) -> bool {
            let mut diagrams = Diagrams::new(1 << 24);
            let diagram = worths.diagram(&mut diagrams);
            let bits = bits & 127;
            let blurred = diagrams.blurred(diagram, bits.into());
            (0..128_usize).all(|sheet| {
                let same = (0..128_usize).filter(|other| (sheet ^ other) & !usize::from(bits) == 0);
                let best = same.map(|other| value(&diagrams, diagram, other));
                value(&diagrams, blurred, sheet) == best.fold(0.0, f64::max)
            })
        }
        check(property as fn(Worths, u8) -> bool);
    }
}
