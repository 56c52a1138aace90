//! Decisions for all starts, once it is known which streets are worth taking.

use crate::solver::induction::aim::{Aim, Given};
use crate::solver::induction::kept::Kept;
use crate::solver::induction::streets::started::{Started, started};
use crate::solver::induction::streets::{Task, exactly};
use crate::solver::induction::{Induction, Size};
use crate::solver::limits::{Halt, Limits};
use crate::solver::reach::{Explored, Found};
use crate::solver::walk::interpreter::Region;

/// The induction that records the decisions, the starts, and the regions of the streets that were
/// not solved.
pub(super) type Decided<'w> = (Induction<'w>, Vec<Started>, Vec<(Region, Found)>);

/// A street and what comes before it, without the other streets, with the values of all regions.
pub(super) struct Whole<'w> {
    best: Induction<'w>,
    left_out: Vec<(Region, Found)>,
}

/// The share of the memory limit that these values may take while other streets are looked at.
const KEPT: f64 = 0.75;

impl<'w> Task<'w> {
    /// Makes the decisions, where all but some streets are open: while solving, if it is known that
    /// too few values can be kept.
    pub(super) fn decided(&self, open: &[u32], too_large: bool) -> Result<Decided<'w>, Halt> {
        let (explored, left_out) = self.parts(|way| !open.contains(&way));
        let given = lost(&left_out);
        let (best, starts) = match too_large {
            true => self.decided_at_once(explored, &given)?,
            false => self.induced(explored, &given)?,
        };
        Ok((best, starts, left_out))
    }

    /// Solves a street and what comes before it, so that decisions may follow, for all sheets that
    /// may enter the street.
    pub(super) fn with_what_comes_before(
        &self,
        street: u32,
        entrances: &[Region],
        limits: Limits,
    ) -> Result<Whole<'w>, Halt> {
        let (mut explored, left_out) = self.parts(|way| way == 0 || way == street);
        let aim = Aim {
            keep: true,
            ..self.aim
        };
        let mut wanted = exactly(&self.starts, &mut explored.gates);
        let found = entrances.iter();
        let found = found.filter_map(|region| explored.regions.get_key_value(region));
        wanted.extend(found.map(|(region, found)| (*region, found.known)));
        let given = lost(&left_out);
        let mut best = Induction::new(self.walk, explored, &wanted, &given, aim, limits)?;
        best.collect_now();
        best.make_room((limits.bytes as f64 * KEPT) as usize);
        let values = &mut best.diagrams.tables.values;
        self.walk.chunks.take_back(values);
        Ok(Whole { best, left_out })
    }

    /// What was explored on some ways, and the regions on all others.
    fn parts(&self, inside: impl Fn(u32) -> bool) -> (Explored, Vec<(Region, Found)>) {
        let mut explored = self.explored.part(|region| inside(region.way));
        let regions = self.explored.regions.iter();
        let left_out = regions.filter(|(region, _)| !inside(region.way));
        let mut left_out: Vec<(Region, Found)> = left_out
            .map(|(region, found)| (*region, found.clone()))
            .collect();
        let cares = left_out.iter_mut().flat_map(|(_, found)| found.cares());
        explored.gates.copy(&self.explored.gates, cares);
        (explored, left_out)
    }

    /// The induction from all starts, and these. Decisions take less time if all values are kept
    /// until they are made, for which there may be too little memory.
    pub(super) fn induced(
        &self,
        explored: Explored,
        given: &[Given<'_>],
    ) -> Result<(Induction<'w>, Vec<Started>), Halt> {
        if self.aim.decide && self.aim.onwards {
            match self.decided_onwards(explored.part(|_| true), given) {
                Err(Halt::Bytes | Halt::Sweeps) => {}
                decided => return decided,
            }
        }
        self.decided_at_once(explored, given)
    }

    /// The same, decided while solving if decisions are requested.
    fn decided_at_once(
        &self,
        mut explored: Explored,
        given: &[Given<'_>],
    ) -> Result<(Induction<'w>, Vec<Started>), Halt> {
        let starts = exactly(&self.starts, &mut explored.gates);
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
        let starts = exactly(&self.starts, &mut explored.gates);
        let mut best = Induction::new(self.walk, explored, &starts, given, aim, self.limits)?;
        let starts = self.decide(&mut best, given)?;
        Ok((best, starts))
    }

    /// Makes the decisions after all values have been kept. Returns the starts.
    fn decide(&self, best: &mut Induction<'w>, given: &[Given<'_>]) -> Result<Vec<Started>, Halt> {
        let known = started(&self.starts, best, None, Vec::new())?;
        let starts = exactly(&self.starts, &mut best.diagrams.gates);
        best.decide(&starts, given, self.aim)?;
        let starts = known.into_iter();
        Ok(starts.map(|start| start.short_of(best.shortfall)).collect())
    }
}

impl<'w> Whole<'w> {
    pub(super) fn size(&self) -> Size {
        self.best.size()
    }

    /// The memory in use, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let left_out = self.left_out.len() * size_of::<(Region, Found)>();
        self.best.taken() + self.best.explored.bytes() + left_out
    }

    /// A copy of the values of some regions.
    pub(super) fn kept(&self, regions: &[Region]) -> Kept {
        self.best.copied_out(regions)
    }

    /// Makes the decisions.
    pub(super) fn decided(self, task: &Task<'w>) -> Result<Decided<'w>, Halt> {
        let Whole { mut best, left_out } = self;
        // What was known of the other streets is forgotten.
        best.allow(task.limits.bytes);
        let starts = task.decide(&mut best, &lost(&left_out))?;
        Ok((best, starts, left_out))
    }
}

fn lost(regions: &[(Region, Found)]) -> Vec<Given<'_>> {
    let lost = |(region, found): &(Region, Found)| Given::lost(*region, found.extent);
    regions.iter().map(lost).collect()
}
