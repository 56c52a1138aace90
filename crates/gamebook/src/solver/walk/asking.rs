//! Conditions in a walk.

use crate::compiled::Test;
use crate::solver::diagrams::gates::{Gate, NO, YES};
use crate::solver::limits::Halt;
use crate::solver::walk::Walk;
use crate::solver::walk::interpreter::{At, Each, Interpreter};

impl Walk<'_> {
    /// The gate of a condition. Its comparisons of stats must already be decided for the box.
    pub(crate) fn asked<H: Interpreter>(&self, condition: Option<u32>, at: &At, h: &mut H) -> Gate {
        let Some(condition) = condition else {
            return YES;
        };
        match &self.game.compiled.conditions[condition as usize] {
            Test::Has(mask) => h.gates().any(*mask, at.known),
            Test::Holds(mask, count) => h.gates().at_least(*mask, (*count).into(), at.known),
            Test::AtLeast(stat, value) => match at.extent[usize::from(*stat)].lo >= *value {
                true => YES,
                false => NO,
            },
            Test::Not(not) => {
                let not = self.asked(Some(*not), at, h);
                h.gates().not(not)
            }
            Test::All(all) => all.iter().fold(YES, |gate, one| {
                let one = self.asked(Some(*one), at, h);
                h.gates().and(gate, one)
            }),
            Test::Any(any) => any.iter().fold(NO, |gate, one| {
                let one = self.asked(Some(*one), at, h);
                h.gates().or(gate, one)
            }),
        }
    }

    /// A comparison that some of the sheets pass and others do not.
    pub(crate) fn doubtful(&self, condition: u32, at: &At) -> Option<(u8, i16)> {
        match &self.game.compiled.conditions[condition as usize] {
            Test::AtLeast(stat, value) => {
                let span = at.extent[usize::from(*stat)];
                (span.lo < *value && span.hi >= *value).then_some((*stat, *value))
            }
            Test::Not(not) => self.doubtful(*not, at),
            Test::All(all) | Test::Any(all) => all.iter().find_map(|one| self.doubtful(*one, at)),
            Test::Has(_) | Test::Holds(..) => None,
        }
    }

    /// Splits the box until all comparisons are decided in each part.
    pub(crate) fn split<H: Interpreter>(
        &self,
        at: At,
        conditions: &[u32],
        h: &mut H,
        each: Each<'_, At, H>,
    ) -> Result<H::T, Halt> {
        let doubt = conditions.iter().find_map(|one| self.doubtful(*one, &at));
        let Some((stat, value)) = doubt else {
            return each(at, h);
        };
        let _deeper = self.effort.deeper()?;
        let stat = usize::from(stat);
        let (mut low, mut high) = (at, at);
        low.extent[stat].hi = value - 1;
        high.extent[stat].lo = value;
        let parts = vec![
            (low.extent[stat], self.split(low, conditions, h, each)?),
            (high.extent[stat], self.split(high, conditions, h, each)?),
        ];
        h.patch(stat, at.extent[stat], parts)
    }

    /// Follows one branch or both, depending on whether the bits decide the gate.
    pub(crate) fn either<H: Interpreter>(
        &self,
        gate: Gate,
        at: At,
        h: &mut H,
        then: Each<'_, At, H>,
        otherwise: Each<'_, At, H>,
    ) -> Result<H::T, Halt> {
        match gate {
            YES => return then(at, h),
            NO => return otherwise(at, h),
            _ => {}
        }
        let _deeper = self.effort.deeper()?;
        let not = h.gates().not(gate);
        let known = h.gates().refine(gate, at.known);
        let without = h.gates().refine(not, at.known);
        // A branch that no sheet takes is not followed.
        match (known.care, without.care) {
            (NO, _) => {
                let known = without;
                return otherwise(At { known, ..at }, h);
            }
            (_, NO) => return then(At { known, ..at }, h),
            _ => {}
        }
        let first = then(At { known, ..at }, h)?;
        let known = without;
        let second = otherwise(At { known, ..at }, h)?;
        h.gate(gate, first, second)
    }
}
