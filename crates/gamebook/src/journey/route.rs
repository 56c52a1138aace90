//! A policy followed from a place to every ending it reaches.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use oddsmith_mdp::{Cyclic, Error, Number, Policy, Solver};

use super::marked::{Marked, Marking, Stage};
use super::traps::Traps;
use super::{FollowLimits, limits};
use crate::walk::{Step, steps, way};
use crate::{BookGame, Evaluation, Place, Probability};

/// A policy to be followed from a place, with limits.
#[derive(Clone, Copy)]
pub struct Route<'p> {
    pub(crate) game: &'p BookGame,
    pub(crate) policy: &'p dyn Policy<BookGame>,
    pub(crate) start: Place,
    pub(crate) limits: FollowLimits,
}

/// Everything that is kept of a followed policy.
#[derive(Debug)]
pub struct Followed<V> {
    pub(crate) value: V,
    /// A bound on the absolute error of the value.
    pub(crate) error: f64,
    /// A bound on the relative error of all other probabilities.
    pub(crate) relative_error: f64,
    pub(crate) places: usize,
    pub(crate) visits: BTreeMap<u32, V>,
    pub(crate) ends: BTreeMap<Place, V>,
    pub(crate) steps: Vec<Step<V>>,
}

impl fmt::Debug for Route<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, limits) = (&self.start, &self.limits);
        write!(f, "Route from {start:?} within {limits:?}")
    }
}

impl Route<'_> {
    /// Follows the policy. If it goes round for ever somewhere, that is counted as lost, and the
    /// traps are returned.
    pub(crate) fn trapped<T>(
        &self,
        follow: impl Fn(&Route<'_>) -> Result<T, Error>,
    ) -> Result<(T, Option<Arc<Traps>>), crate::Error> {
        let error = match follow(self) {
            Err(error @ (Error::EndlessCycle { .. } | Error::NeverEnds { .. })) => error,
            followed => return Ok((followed.map_err(limits::met)?, None)),
        };
        let traps = Traps::of(self.game, self.policy, self.start, self.limits.places)?;
        let traps = Arc::new(traps.ok_or(error)?);
        let game = &self.game.with_traps(Arc::clone(&traps));
        let followed = follow(&Route { game, ..*self }).map_err(limits::met)?;
        Ok((followed, Some(traps)))
    }

    /// Computes the chance to win only. `ring` is the limit for rings unless the limits set one.
    pub(super) fn evaluate<V, N>(
        &self,
        numbers: fn() -> Solver<'static, N>,
        ring: usize,
    ) -> Result<Evaluation<V>, Error>
    where
        V: Probability,
        N: Number<Value = V>,
        Cyclic<N>: Number<Value = V>,
    {
        let solver = || self.limits.set_on(numbers(), ring);
        let policy = Marking(self.policy);
        let (value, error, places) = match solver().evaluate(self.game, policy, self.start) {
            Err(Error::Cycle { .. }) => {
                let solver = solver().allow_cycles();
                let solved = solver.evaluate(self.game, policy, self.start)?;
                (solved.value(), solved.error(&self.start)?, solved.len())
            }
            solved => {
                let solved = solved?;
                (solved.value(), solved.error(&self.start)?, solved.len())
            }
        };
        Ok(Evaluation {
            value: super::chance(value),
            error,
            places,
        })
    }

    /// Computes everything. `ring` is the limit for rings unless the limits set one.
    pub(super) fn follow<V, N>(
        &self,
        numbers: fn() -> Solver<'static, N>,
        ring: usize,
    ) -> Result<Followed<V>, Error>
    where
        V: Probability,
        N: Number<Value = V>,
        Cyclic<N>: Number<Value = V>,
    {
        let solver = || self.limits.set_on(numbers(), ring);
        match self.follow_onwards(solver) {
            Err(Error::Cycle { .. }) => self.follow_around(|| solver().allow_cycles()),
            followed => followed,
        }
    }

    /// Follows a policy that never comes back to a place.
    fn follow_onwards<V, N>(
        &self,
        solver: impl Fn() -> Solver<'static, N>,
    ) -> Result<Followed<V>, Error>
    where
        V: Probability,
        N: Number<Value = V>,
    {
        let (marked, begin) = (Marked::to_the_end(self.game), Stage::arrival(self.start));
        let solution = solver().evaluate(&marked, Marking(self.policy), begin)?;
        let forecast = solution.forecast()?;
        // A reader arrives at a place in at most one of the two ways.
        let either_way = |place: &Place| [true, false].map(|arrived| Stage::new(*place, arrived));
        let value = |place: &Place| {
            let [arrived, stayed] = either_way(place).map(|stage| solution.value_of(&stage));
            arrived.or(stayed)
        };
        let chance = |place: &Place| {
            let [arrived, stayed] = either_way(place).map(|stage| forecast.chance(&stage));
            match (arrived, stayed) {
                (Ok(arrived), Ok(stayed)) => Ok(arrived + stayed),
                (arrived, stayed) => arrived.or(stayed),
            }
        };
        let find = |wanted: &dyn Fn(&Stage) -> bool| solution.likeliest_line_to(wanted);
        let way = way(self.game, &Marking(self.policy), |stage| stage.place, find)?;
        let steps = steps(self.game, way, value, chance)?;
        let stages = solution.states().map(|(stage, _)| stage);
        let again = |section: u32| {
            let traps = self.game.traps();
            let comes = |stage: &Stage| {
                let trapped = traps.and_then(|traps| traps.sections(&stage.place));
                let here = stage.arrived && stage.place.section == section;
                here || trapped.is_some_and(|sections| sections.contains(&section))
            };
            Ok((forecast.chance_of_any(comes)?, 0.0))
        };
        let visits = self.visits(stages, |stage| forecast.chance(stage), again)?;
        let ends = forecast.ends_by(|stage| stage.place)?;
        Ok(Followed {
            value: super::chance(solution.value()),
            error: solution.error(&begin)?,
            relative_error: forecast.relative_error().max(visits.relative_error),
            places: solution.len(),
            visits: visits.chances,
            ends: ends.outcomes().map(|at| (*at, ends.p(at))).collect(),
            steps,
        })
    }

    /// Follows a policy that may come back to a place. One reader may then arrive at a place in
    /// both ways, so the walk is computed on unmarked places.
    fn follow_around<V, N>(
        &self,
        solver: impl Fn() -> Solver<'static, Cyclic<N>>,
    ) -> Result<Followed<V>, Error>
    where
        V: Probability,
        Cyclic<N>: Number<Value = V>,
    {
        let policy = Marking(self.policy);
        let (marked, begin) = (Marked::to_the_end(self.game), Stage::arrival(self.start));
        let solution = solver().evaluate(&marked, policy, begin)?;
        let flow = solution.visits()?;
        let plain = solver().evaluate(self.game, policy, self.start)?;
        let plain_flow = plain.visits()?;
        let chance = |place: &Place| plain_flow.chance(place);
        let find = |wanted: &dyn Fn(&Place) -> bool| plain.likeliest_line_to(wanted);
        let way = way(self.game, &policy, |place| *place, find)?;
        let steps = steps(self.game, way, |place| plain.value_of(place), chance)?;
        let stages = solution.states().map(|(stage, _)| stage);
        let again = |section: u32| {
            let marked = Marked::until(self.game, section);
            let solution = solver().evaluate(&marked, policy, begin)?;
            Ok((solution.value(), solution.error(&begin)?))
        };
        let visits = self.visits(stages, |stage| flow.chance(stage), again)?;
        let ends = flow.ends_by(|stage| stage.place)?;
        Ok(Followed {
            value: super::chance(solution.value()),
            error: solution.error(&begin)?,
            relative_error: flow.relative_error().max(visits.relative_error),
            places: plain.len(),
            visits: visits.chances,
            ends: ends.outcomes().map(|at| (*at, ends.p(at))).collect(),
            steps,
        })
    }

    /// The probability of visiting each section, where `stages` are all stages that the policy
    /// reaches and `chance` gives their probabilities. `again` gives the probability of visiting a
    /// section to which a reader may return, and a bound on its error.
    fn visits<V: Probability>(
        &self,
        stages: impl Iterator<Item = Stage>,
        chance: impl Fn(&Stage) -> Result<V, Error>,
        again: impl Fn(u32) -> Result<(V, f64), Error>,
    ) -> Result<Visits<V>, Error> {
        let arrivals: Vec<Stage> = stages.filter(|stage| stage.arrived).collect();
        let mut visited: BTreeSet<u32> = arrivals.iter().map(|stage| stage.place.section).collect();
        visited.extend(self.game.traps().into_iter().flat_map(Traps::all_sections));
        let on_cycles = self.game.sections_on_cycles(&visited);
        let mut visits = Visits {
            chances: BTreeMap::new(),
            relative_error: 0.0,
        };
        for stage in arrivals {
            let section = stage.place.section;
            if !on_cycles.contains(&section) {
                // A reader arrives at the section by at most one of its stages, so their
                // probabilities add up.
                let sum = visits.chances.entry(section).or_insert_with(V::zero);
                *sum += chance(&stage)?;
            }
        }
        for sum in visits.chances.values_mut() {
            *sum = super::chance(sum.clone());
        }
        for section in on_cycles {
            let (ever, error) = again(section)?;
            if error > 0.0 {
                let relative = error / ever.to_f64().unwrap_or(0.0);
                visits.relative_error = visits.relative_error.max(relative);
            }
            visits.chances.insert(section, super::chance(ever));
        }
        Ok(visits)
    }
}

/// The probabilities of visiting sections.
struct Visits<V> {
    chances: BTreeMap<u32, V>,
    /// A bound for the sections that a reader may visit more than once.
    relative_error: f64,
}
