//! What matters most, told apart, and nothing else: a first bound from above, and after losses
//! at random a closer one.
//!
//! Most things are worth little: a rope, a candle, whether a stall was seen. Who is taken to
//! hold such a thing or not to hold it, whichever is better, at every region anew, is worth
//! no less than he is, as the worth of a region rises with what follows it. All that is left
//! is what [strengthens](crate::compiled::CompiledItem::works) who holds it, what refreshes
//! him, and what he cannot win without: mostly a third of the bits, a tenth of the tables, and
//! a bound that is nearly as close as with all of them.

use crate::compiled::Op;
use crate::solver::diagrams::{Diagram, Diagrams};
use crate::solver::reduction::rings::asked;
use crate::solver::walk::Walk;

/// The bits that are told apart in a first bound.
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
    // Where nobody wins everything is needed.
    let needed = walk.needed.iter().filter(|bits| **bits != u128::MAX);
    let bits = works.chain(refresh).chain(needed.copied());
    bits.fold(0, |bits, more| bits | more)
}

impl Diagrams {
    /// At least as much, whatever these bits are: the better of with and without each.
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
