//! A closer look at what may follow random losses, for heroes whom the first look lets take the
//! risk.
//!
//! In the first look, only fatal losses cost anything. It gives too much hope to heroes who hold
//! something harmful, or who find a treasure on the way. For these, and only for these, the cost of
//! losing items that strengthen a hero is added. With that at stake most give up, and what follows
//! their losses need not be computed.

use rustc_hash::FxHashMap;

use crate::solver::diagrams::Diagram;
use crate::solver::diagrams::gates::Known;
use crate::solver::induction::aim::Side;
use crate::solver::induction::deferred::Ahead;
use crate::solver::induction::{Induction, blurred};
use crate::solver::limits::Halt;

/// If a greater share of the sheets wants the risk by the first look, many really want it, so a
/// closer look would not pay.
const MOST_HOPEFUL: f64 = 0.5;

impl Induction<'_> {
    /// Closes options of a choice that has been weighed, if a closer look at their risks shows that
    /// they are worth less than others.
    pub(crate) fn look_closer(&mut self, number: usize) -> Result<(), Halt> {
        if self.bound.is_some() || self.vague != 0 {
            return Ok(());
        }
        let found = self.explored.regions[number].known;
        let mut ahead = Ahead::default();
        self.look_ahead(number, found, &mut ahead)?;
        let road = self.road(ahead)?;
        let Some(&(first, wanting)) = road.first() else {
            return Ok(());
        };
        let all = self.explored.regions[first].known.care;
        let gates = &self.diagrams.gates;
        let mut memo = FxHashMap::default();
        let share = gates.share(wanting.care, &mut memo) / gates.share(all, &mut memo);
        if share > MOST_HOPEFUL {
            return Ok(());
        }
        // `met` holds the options of this choice.
        let met = std::mem::take(&mut self.met);
        let mut before = Vec::new();
        self.look(Side::Most);
        self.told = blurred::clear(&self.walk);
        let closer = self.closer(&road, &mut before);
        self.told = 0;
        self.met = met;
        let closer = closer.and_then(|()| {
            self.closed.again();
            self.region_worth(number, found)
        });
        self.look(Side::Exact);
        for (number, most) in before {
            self.worth[number].most = most;
        }
        closer.map(|_| ())
    }

    /// Computes upper bounds on deferred regions, for the sheets that matter. The old bounds, which
    /// hold for other sheets, too, go to `before`.
    fn closer(
        &mut self,
        road: &[(usize, Known)],
        before: &mut Vec<(usize, Diagram)>,
    ) -> Result<(), Halt> {
        for &(number, known) in road.iter().rev() {
            let most = self.region_worth(number, known)?;
            let old = std::mem::replace(&mut self.worth[number].most, most);
            before.push((number, old));
        }
        Ok(())
    }
}
