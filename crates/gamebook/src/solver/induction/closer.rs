//! A closer look at what may follow losses at random, for those whom a first one lets risk them.
//!
//! The first look takes nothing to cost anything to lose but what is fatal. Of all who hold
//! something that does harm, or are shown a treasure on the way, it lets too many hope. For
//! these, and for them alone, it is told what it costs to lose what strengthens a hero: with
//! that at stake most give up, and what follows their losses need not be worked out.

use rustc_hash::FxHashMap;

use crate::solver::diagrams::Diagram;
use crate::solver::diagrams::gates::Known;
use crate::solver::induction::aim::Side;
use crate::solver::induction::deferred::Ahead;
use crate::solver::induction::{Induction, blurred};
use crate::solver::limits::Halt;

/// Where more of all sheets want to take a risk by the first look, many want it in fact.
const MOST_HOPEFUL: f64 = 0.5;

impl Induction<'_> {
    /// Closes options of a choice, whose options have been weighed, that are worth less than
    /// others by a closer look at what they risk.
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
        // What was met are the options of this choice.
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

    /// What regions that are put off are worth at most to those who want to know. What was known
    /// `before` holds for others, too.
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
