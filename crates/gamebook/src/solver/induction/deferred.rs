//! Deferred random losses: what follows one depends on everything that is held, and usually nobody
//! wants the risk.

use std::collections::BTreeMap;

use crate::compiled::{Compiled, Op, Scene};
use crate::solver::diagrams::Diagram;
use crate::solver::diagrams::closed::{Between, Closed};
use crate::solver::diagrams::gates::{Coming, Gate, Gates, Known, NO};
use crate::solver::induction::aim::Side;
use crate::solver::induction::directed::Towards;
use crate::solver::induction::enclose::Turned;
use crate::solver::induction::{Induction, Worth};
use crate::solver::limits::Halt;
use crate::solver::reach::Explored;
use crate::solver::walk::interpreter::{At, Region};
use crate::solver::walk::visit::{Visit, Visitor};

impl Induction<'_> {
    /// Whether regions have random losses, or lead to deferred regions.
    pub(crate) fn in_doubt(&self, ring: &[usize]) -> bool {
        ring.iter().any(|number| {
            let Some((region, found)) = self.explored.regions.get_index(*number) else {
                return false;
            };
            loses(&self.walk.game.compiled, region.scene)
                || found.next.iter().any(|to| self.worth[*to as usize].put_off)
        })
    }

    /// Solves regions in doubt. One without a choice is deferred; one with a choice is solved as
    /// far as the choice needs.
    pub(crate) fn bound(&mut self, ring: &[usize]) -> Result<Option<Turned>, Halt> {
        let number = match *ring {
            [number] if !self.returns(ring) => number,
            _ => {
                self.ask(ring)?;
                return self.ring(ring);
            }
        };
        let Some((region, found)) = self.explored.regions.get_index(number) else {
            return Err(Halt::Unexplored);
        };
        let (region, known) = (*region, found.known);
        let choice = self.chooses(number);
        self.look(Side::Least);
        let least = self.region_worth(number, known);
        self.look(Side::Most);
        self.closed.begin(region);
        let most = least.and_then(|least| Ok((least, self.region_worth(number, known)?)));
        self.look(Side::Exact);
        let (least, most) = most?;
        if choice {
            self.look_closer(number)?;
            self.met.clear();
            self.collect();
            if self.picks.is_some() {
                // Decisions are made for all sheets at once.
                self.ask(ring)?;
                return self.ring(ring);
            }
            return self.by_slices(number);
        }
        let worth = &mut self.worth[number];
        worth.settled = NO;
        worth.put_off = true;
        worth.least = least;
        worth.most = most;
        Ok(None)
    }

    /// Whether a region is a choice.
    pub(crate) fn chooses(&self, number: usize) -> bool {
        let scenes = &self.walk.game.compiled.scenes;
        let region = self.explored.regions.get_index(number);
        region.is_some_and(|(region, _)| matches!(scenes[region.scene as usize], Scene::Choice(_)))
    }

    /// Switches to another side. When a bound is computed, the lower and upper bounds that close
    /// options must hold regardless of it.
    pub(crate) fn look(&mut self, side: Side) {
        self.side = side;
        if let Some(bound) = self.bound {
            self.diagrams.turn(match side {
                Side::Exact => bound,
                Side::Least => Towards::Down,
                Side::Most => Towards::Up,
            });
        }
    }

    /// Also weighs the options of a choice that the previous walk has met.
    pub(crate) fn weigh(&mut self, most: &[(usize, Diagram)]) {
        let Some(least) = self.met.get(self.again).cloned() else {
            return;
        };
        self.again += 1;
        let mut options = Vec::new();
        for (&(option, least), &(_, most)) in least.iter().zip(most) {
            // Sums in another order may round differently.
            let most = self.diagrams.best(most, least);
            options.push(Between {
                option,
                least,
                most,
            });
        }
        // The maximum of lower bounds is not an upper bound.
        if self.bound.is_some() {
            self.diagrams.turn(Towards::Nearest);
        }
        self.closed.weigh(options, &mut self.diagrams);
        self.look(self.side);
    }

    /// Computes deferred regions for some sheets.
    ///
    /// Every region is visited once after all regions that lead to it, and computed once before
    /// them. There may be as many paths to it as there are sheets, and any number of regions in a
    /// row.
    pub(crate) fn settle(&mut self, wanted: &[(usize, Known)]) -> Result<(), Halt> {
        let mut ahead = Ahead::default();
        for &(number, known) in wanted {
            self.want(&mut ahead, number, known);
        }
        let road = self.road(ahead)?;
        for &(number, known) in road.iter().rev() {
            self.collect();
            self.worth[number].exact = self.region_worth(number, known)?;
            self.worth[number].settled = known.care;
        }
        // A region in between is usually read by a single region on the road, so its value is
        // freed. It is computed again if more sheets need it. Recorded decisions must stay.
        let between = |number: usize| wanted.iter().all(|one| one.0 != number);
        if self.picks.is_none() && !self.keep {
            for (number, _) in road {
                if self.one_way_in[number] && between(number) {
                    self.worth[number].forget();
                }
            }
        }
        self.collect();
        Ok(())
    }

    /// The deferred regions that are not settled for all sheets that matter, with these sheets;
    /// each comes after all regions that lead to it.
    pub(crate) fn road(&mut self, mut ahead: Ahead) -> Result<Vec<(usize, Known)>, Halt> {
        let mut road = Vec::new();
        while let Some((_, (number, known))) = ahead.pop_last() {
            let worth = self.worth[number];
            let care = self.diagrams.gates.or(known.care, worth.settled);
            if !worth.put_off || care == worth.settled {
                continue;
            }
            let all = self.explored.regions[number].known;
            let known = Known { care, ..all };
            self.look_ahead(number, known, &mut ahead)?;
            road.push((number, known));
        }
        Ok(road)
    }

    /// Settles what follows some regions, for all of their sheets, as far as they choose it.
    pub(crate) fn ask(&mut self, ring: &[usize]) -> Result<(), Halt> {
        let mut ahead = Ahead::default();
        for &number in ring {
            let known = self.explored.regions[number].known;
            self.look_ahead(number, known, &mut ahead)?;
        }
        let wanted: Vec<_> = ahead.into_values().collect();
        self.settle(&wanted)
    }

    /// The sheets that come from a region to deferred ones.
    pub(crate) fn look_ahead(
        &mut self,
        number: usize,
        known: Known,
        ahead: &mut Ahead,
    ) -> Result<(), Halt> {
        let Some((region, found)) = self.explored.regions.get_index(number) else {
            return Err(Halt::Unexplored);
        };
        let (region, extent) = (*region, found.extent);
        let put_off = found.next.iter().any(|to| self.worth[*to as usize].put_off);
        if !put_off {
            return Ok(());
        }
        self.within()?;
        let walk = self.walk;
        let mut wanted = Wanted {
            gates: &mut self.diagrams.gates,
            explored: &self.explored,
            worth: &self.worth,
            closed: &self.closed,
            regions: Coming::default(),
        };
        let walked = walk.scene(&region, known, extent, &mut Visitor(&mut wanted));
        let regions = wanted.regions;
        self.unless_full(walked)?;
        for (to, known) in regions {
            self.want(ahead, to, known);
        }
        Ok(())
    }

    fn want(&mut self, ahead: &mut Ahead, number: usize, known: Known) {
        if !self.worth[number].put_off {
            return;
        }
        let place = self.place[number];
        let known = match ahead.get(&place) {
            Some((_, wanted)) => self.diagrams.gates.join(*wanted, known),
            None => known,
        };
        ahead.insert(place, (number, known));
    }

    /// The known value of a region, on the current side.
    pub(crate) fn known(&self, number: usize) -> Diagram {
        let worth = &self.worth[number];
        match self.side {
            Side::Least if worth.put_off => worth.least,
            Side::Most if worth.put_off => worth.most,
            _ => worth.exact,
        }
    }
}

/// By position in the order of solving: a deferred region and the sheets for which it is needed.
pub(crate) type Ahead = BTreeMap<usize, (usize, Known)>;

/// Whether a scene may have random losses.
pub(crate) fn loses(book: &Compiled, scene: u32) -> bool {
    let takes = |list: u32| takes(book, list);
    match &book.scenes[scene as usize] {
        Scene::Turn(way) | Scene::Shop { leave: way, .. } => takes(way.effects),
        Scene::Choice(options) => {
            let refresh = book.refresh.get(scene as usize) == Some(&true);
            let mut refreshments = book.refreshments.iter();
            options.iter().any(|option| takes(option.way.effects))
                || (refresh && refreshments.any(|one| takes(one.effects)))
        }
        Scene::First(options) => options.iter().any(|option| takes(option.way.effects)),
        Scene::Test {
            success, failure, ..
        } => takes(success.effects) || takes(failure.effects),
        Scene::Random(branches) => branches.iter().any(|(_, way)| takes(way.effects)),
        Scene::Game { round, after, .. } => {
            takes(after.effects) || round.iter().any(|(_, list)| takes(*list))
        }
        Scene::Fight {
            victory,
            flee,
            tolls,
            ..
        } => {
            let mut ways = std::iter::once(victory).chain(flee).chain(tolls);
            ways.any(|way| takes(way.effects))
        }
        Scene::Ending(_) | Scene::Dead => false,
    }
}

fn takes(book: &Compiled, list: u32) -> bool {
    book.effects[list as usize].iter().any(|op| match op {
        Op::LoseRandom(..) => true,
        Op::Random(branches) => branches.iter().any(|(_, list)| takes(book, *list)),
        Op::When(_, then, otherwise) => takes(book, *then) || takes(book, *otherwise),
        Op::Repeat(_, _, list) => takes(book, *list),
        _ => false,
    })
}

/// A walk that finds which sheets come to which deferred region.
struct Wanted<'r> {
    gates: &'r mut Gates,
    explored: &'r Explored,
    worth: &'r [Worth],
    closed: &'r Closed,
    regions: Coming,
}

impl Visit for Wanted<'_> {
    fn gates(&mut self) -> &mut Gates {
        self.gates
    }

    fn come(&mut self, region: Region, at: &At) -> Result<(), Halt> {
        let number = self.explored.number(&region)?;
        if !self.worth[number].put_off {
            return Ok(());
        }
        self.gates.come(&mut self.regions, number, at.known);
        Ok(())
    }

    fn open(&mut self, region: &Region, option: usize) -> Gate {
        self.closed.gate(region, option)
    }
}
