//! Value iteration for rings: regions that lead to each other.

use crate::compiled::{Op, Scene};
use crate::solver::induction::Induction;
use crate::solver::induction::directed::Towards;
use crate::solver::induction::enclose::Turned;
use crate::solver::limits::Halt;

/// After this many sweeps, rounding may be the only change left: sums of equal parts in another
/// order.
const UNSETTLED: usize = 10_000;
/// After this many sweeps, and then each time the number has doubled, the values are remembered for
/// comparison.
pub(crate) const FIRST_LOOK: usize = 64;
/// A smaller rise may be rounding.
const NOISE: f64 = 16.0 * f64::EPSILON;

impl Induction<'_> {
    /// Solves a ring by iteration from zero until nothing changes. With chance in the ring, the
    /// result may only be close to the values; or the iteration may end when only the last digits
    /// alternate.
    pub(crate) fn ring(&mut self, ring: &[usize]) -> Result<Option<Turned>, Halt> {
        let turns = self.turns(ring);
        if let (true, [number]) = (turns, ring)
            && let Some(rungs) = self.rungs(*number)
            && self.climb(*number, rungs)?
        {
            return Ok(None);
        }
        if self.picks.is_some() && turns && (self.returns(ring) || self.renews(ring)) {
            // Decisions in rings depend on the earlier ones, even if only refreshments lead back.
            // So refreshments are not closed within one walk then.
            ring.iter().for_each(|region| self.open[*region] = true);
        }
        let (most, before) = (self.limits.sweeps.max(1), self.rounding);
        let chance = ring.iter().any(|region| self.has_chance(*region));
        let turned = |sweeps, settled| Turned {
            sweeps,
            before,
            settled,
        };
        // The values after some earlier sweep: if they occur again, the iteration is periodic
        // (Brent's cycle detection).
        let mut once = (FIRST_LOOK, Vec::new());
        for sweeps in 1..=most {
            let (mut changed, mut rises, mut falls) = (false, 0.0_f64, false);
            let turning = self.turning(ring, turns);
            self.diagrams.turning(turning);
            let asks = match chance {
                true => sweeps > UNSETTLED,
                false => sweeps > FIRST_LOOK || sweeps == most,
            };
            for &number in ring {
                let known = self.explored.regions[number].known;
                let worth = self.region_worth(number, known)?;
                let old = std::mem::replace(&mut self.worth[number].exact, worth);
                changed |= old != worth;
                if asks && old != worth {
                    rises = rises.max(self.diagrams.over(worth, old, known.care));
                    falls |= self.diagrams.over(old, worth, known.care) > 0.0;
                }
            }
            let again = self.turning(ring, turns);
            let due = changed && again && chance;
            if let Some(few) = self.few(sweeps, most).filter(|_| due)
                && self.singly(ring, few, before)?
            {
                return Ok(None);
            }
            // Exits of equal value may alternate, each with a table of its own.
            if !chance && asks && rises == 0.0 && !falls {
                return Ok(None);
            }
            if let Some(bound) = self.bound {
                if !changed && again && chance && self.closely {
                    self.singly(ring, self.limits.sheets, before)?;
                }
                // From below, every sweep is a bound.
                if !changed || !again || (bound == Towards::Down && sweeps == most) {
                    return Ok(None);
                }
                continue;
            }
            if !changed || !again {
                return Ok((again && chance).then_some(turned(sweeps, true)));
            }
            // Without rounding, nothing would ever fall.
            let hardly = rises == 0.0 || (falls && rises < NOISE);
            let worths = ring.iter().map(|region| self.worth[*region].exact);
            let comes_again = worths.clone().eq(once.1.iter().copied());
            let enough = sweeps == most || comes_again || (sweeps > UNSETTLED && hardly);
            if enough && chance {
                return Ok(Some(turned(sweeps, false)));
            }
            if sweeps == once.0 {
                once = (2 * sweeps, worths.collect());
            }
        }
        Err(Halt::Sweeps)
    }

    /// Whether regions lead back to themselves.
    pub(crate) fn turns(&self, ring: &[usize]) -> bool {
        match *ring {
            [region] => self.explored.regions[region]
                .next
                .contains(&(region as u32)),
            _ => true,
        }
    }

    /// Whether regions need iteration: more leads back to them than what is closed within one walk.
    fn turning(&self, ring: &[usize], turns: bool) -> bool {
        turns && (self.returns(ring) || self.open[ring[0]] || self.renews(ring))
    }

    /// Whether more than refreshments leads back to these regions.
    pub(crate) fn returns(&self, ring: &[usize]) -> bool {
        let [number] = *ring else {
            return true;
        };
        let Some((region, found)) = self.explored.regions.get_index(number) else {
            return true;
        };
        if !found.next.contains(&(number as u32)) {
            return false;
        }
        match &self.walk.game.compiled.scenes[region.scene as usize] {
            Scene::Choice(options) => options.iter().any(|option| option.way.to == region.scene),
            _ => true,
        }
    }

    /// Whether refreshments lead back that change more than positions on lanes.
    pub(crate) fn renews(&self, ring: &[usize]) -> bool {
        let book = &self.walk.game.compiled;
        ring.iter().any(|number| {
            let region = self.explored.regions.get_index(*number);
            let refresh = region.and_then(|found| book.refresh.get(found.0.scene as usize));
            refresh == Some(&true)
                && book
                    .refreshments
                    .iter()
                    .any(|one| !self.walk.is_plain(one.effects))
        })
    }

    /// Whether a region has chance.
    fn has_chance(&self, region: usize) -> bool {
        let book = &self.walk.game.compiled;
        let Some((region, _)) = self.explored.regions.get_index(region) else {
            return true;
        };
        let chance = |list: u32| book.effects[list as usize].iter().any(|op| !is_plain(op));
        match &book.scenes[region.scene as usize] {
            Scene::Turn(way) => chance(way.effects),
            Scene::Shop { leave, .. } => chance(leave.effects),
            Scene::Choice(options) => {
                let refresh = book.refreshments.iter().any(|one| chance(one.effects));
                refresh || options.iter().any(|option| chance(option.way.effects))
            }
            Scene::First(options) => options.iter().any(|option| chance(option.way.effects)),
            Scene::Ending(_) | Scene::Dead => false,
            Scene::Test { .. } | Scene::Random(_) | Scene::Game { .. } | Scene::Fight { .. } => {
                true
            }
        }
    }
}

fn is_plain(op: &Op) -> bool {
    match op {
        Op::Add(..)
        | Op::Restore(_)
        | Op::RaiseCap(..)
        | Op::Gain(_)
        | Op::Lose(_)
        | Op::Survive
        | Op::Depart => true,
        Op::Set(_, to) => to.is_fixed(),
        // What follows a condition is not examined.
        Op::Roll(..) | Op::LoseRandom(..) | Op::Random(_) | Op::When(..) | Op::Repeat(..) => false,
    }
}
