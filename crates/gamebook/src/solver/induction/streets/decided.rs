//! Decisions for all starts, once it is known which streets are worth taking.

use crate::solver::induction::Induction;
use crate::solver::induction::aim::{Aim, Given};
use crate::solver::induction::streets::started::{Started, started};
use crate::solver::induction::streets::{Task, exactly};
use crate::solver::limits::Halt;
use crate::solver::reach::{Explored, Found};
use crate::solver::walk::interpreter::Region;

/// The induction that records the decisions, the starts, and the regions of the streets that were
/// not solved.
pub(super) type Decided<'w> = (Induction<'w>, Vec<Started>, Vec<(Region, Found)>);

impl<'w> Task<'w> {
    /// Makes the decisions, where all but some streets are open.
    pub(super) fn decided(&self, open: &[u32]) -> Result<Decided<'w>, Halt> {
        let decided = |way: u32| !open.contains(&way);
        let mut explored = self.explored.part(|region| decided(region.way));
        let regions = self.explored.regions.iter();
        let left_out = regions.filter(|(region, _)| !decided(region.way));
        let mut left_out: Vec<(Region, Found)> = left_out
            .map(|(region, found)| (*region, found.clone()))
            .collect();
        let cares = left_out.iter_mut().flat_map(|(_, found)| found.cares());
        explored.gates.copy(&self.explored.gates, cares);
        let lost = |(region, found): &(Region, Found)| Given::lost(*region, found.extent);
        let lost: Vec<Given<'_>> = left_out.iter().map(lost).collect();
        let (best, starts) = self.induced(explored, &lost)?;
        Ok((best, starts, left_out))
    }

    /// The induction from all starts, and these. Decisions take less time if all values are kept
    /// until they are made, for which there may be too little memory.
    pub(super) fn induced(
        &self,
        mut explored: Explored,
        given: &[Given<'_>],
    ) -> Result<(Induction<'w>, Vec<Started>), Halt> {
        if self.aim.decide && self.aim.onwards {
            match self.decided_onwards(explored.part(|_| true), given) {
                Err(Halt::Bytes) => {}
                decided => return decided,
            }
        }
        let starts = exactly(&self.starts, &mut explored);
        let best = Induction::new(self.walk, explored, &starts, given, self.aim, self.limits)?;
        let starts = started(&self.starts, &best, None, Vec::new())?;
        Ok((best, starts))
    }

    fn decided_onwards(
        &self,
        mut explored: Explored,
        given: &[Given<'_>],
    ) -> Result<(Induction<'w>, Vec<Started>), Halt> {
        let aim = Aim {
            keep: true,
            ..self.aim
        };
        let starts = exactly(&self.starts, &mut explored);
        let mut best = Induction::new(self.walk, explored, &starts, given, aim, self.limits)?;
        let known = started(&self.starts, &best, None, Vec::new())?;
        best.decide(&starts, given, aim)?;
        Ok((best, known))
    }
}
