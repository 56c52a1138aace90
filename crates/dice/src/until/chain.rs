//! Absorbing chains, which move from state to state until they stop.

use super::builder::ChainBuilder;
use super::component::Graph;
use super::mass::Block;
use super::visits::Visits;
use crate::rounding::Roundings;
use crate::{Dist, Error, Weight};
use indexmap::IndexSet;
use num_bigint::BigUint;
use rustc_hash::FxBuildHasher;
use std::fmt::Debug;
use std::hash::Hash;

/// The next step in a state of a [`Chain`].
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Chain, Dist, Step};
///
/// // Roll until a six.
/// let die = Dist::die(6)?;
/// let chain = Chain::explore(0, |&face| match face {
///     6 => Ok(Step::Stop("six")),
///     _ => Ok(Step::Go(die.clone())),
/// })?;
/// assert_eq!(chain.expected_steps()?.to_string(), "6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub enum Step<S, T, W = BigUint> {
    /// The chain stops here, with this outcome.
    Stop(T),
    /// The chain goes on to a state drawn from this distribution.
    Go(Dist<S, W>),
}

/// An absorbing Markov chain: a process that moves from state to state at random until it stops
/// with an outcome. It makes no decisions.
///
/// Created by [`explore`](Self::explore) from a start and a function that returns the next step in
/// a state. All answers are exact, or float with a stated bound, by the type of the distributions.
///
/// # Examples
///
/// The pass line at craps:
///
/// ```
/// use oddsmith_dice::{Chain, Dist, Step};
///
/// let roll = Dist::ndice(2, 6)?;
/// // The state is the point, the last roll and whether the game is over.
/// let chain = Chain::explore((0, 0), |&(point, last)| {
///     Ok(match (point, last) {
///         (0, 0) => Step::Go(roll.map(|&sum| (0, sum))),
///         (0, 7 | 11) => Step::Stop("pass"),
///         (0, 2 | 3 | 12) => Step::Stop("don't pass"),
///         (0, point) => Step::Go(roll.map(|&sum| (point, sum))),
///         (point, last) if last == point => Step::Stop("pass"),
///         (_, 7) => Step::Stop("don't pass"),
///         (point, _) => Step::Go(roll.map(|&sum| (point, sum))),
///     })
/// })?;
/// assert_eq!(chain.outcome()?.p(&"pass").to_string(), "244/495");
/// assert_eq!(chain.expected_steps()?.to_string(), "557/165");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Complexity
///
/// States on no cycle take one pass in topological order. States that only lead back to themselves
/// are solved in closed form. The states of a true cycle, a strongly connected component, are
/// eliminated, fewest connections first: for each word of the answer, a banded chain of m states
/// takes O(m) word operations, and a dense block O(m²), after O(m³) once.
#[derive(Debug)]
pub struct Chain<S, T, W: Weight = BigUint> {
    pub(super) states: IndexSet<S, FxBuildHasher>,
    /// For each state, the outcome if the chain stops there.
    pub(super) ends: Vec<Option<T>>,
    pub(super) graph: Graph,
    /// The weights of the transitions, in the order of the graph.
    pub(super) weights: Vec<W>,
    pub(super) totals: Vec<W>,
    pub(super) roundings: Vec<Roundings>,
    pub(super) components: Vec<Vec<u32>>,
    /// Whether the chain can stop from each state.
    pub(super) can_stop: Vec<bool>,
    pub(super) ways_in: (Graph, Vec<usize>),
    pub(super) max_words: u64,
}

impl Chain<(), ()> {
    /// Creates the limits for exploring a chain. The types of the chain are those of
    /// [`ChainBuilder::explore`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chain, Dist, Step};
    ///
    /// let chain = Chain::builder().max_states(10).explore(0, |&n| Ok(match n {
    ///     9 => Step::Stop(()),
    ///     _ => Step::Go(Dist::certain(n + 1)),
    /// }))?;
    /// assert_eq!(chain.len(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn builder() -> ChainBuilder {
        ChainBuilder::default()
    }
}

impl<S, T, W> Chain<S, T, W>
where
    S: Clone + Eq + Hash + Ord + Debug,
    T: Ord + Clone,
    W: Weight,
{
    /// Explores the chain: finds all states that can be reached from `start`, and calls `step` once
    /// for each.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyChainStates`] for more than a million states (see
    /// [`ChainBuilder::max_states`]), [`Error::TooLarge`] for some six million transitions (see
    /// [`ChainBuilder::max_words`]), and the first error that `step` returns.
    ///
    /// # Examples
    ///
    /// A gambler with 3 coins stakes one at a time until he has 10 or none:
    ///
    /// ```
    /// use oddsmith_dice::{Chain, Dist, Step};
    ///
    /// let chain = Chain::explore(3, |&coins| Ok(match coins {
    ///     0 | 10 => Step::Stop(coins),
    ///     _ => Step::Go(Dist::uniform([coins - 1, coins + 1])?),
    /// }))?;
    /// assert_eq!(chain.outcome()?.p(&10).to_string(), "3/10");
    /// assert_eq!(chain.expected_steps()?.to_string(), "21");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explore(
        start: S,
        step: impl FnMut(&S) -> Result<Step<S, T, W>, Error>,
    ) -> Result<Self, Error> {
        ChainBuilder::default().explore(start, step)
    }

    /// Returns the number of states, including those where the chain stops; at least one.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chain, Step};
    ///
    /// let stands = Chain::<_, _>::explore("home", |_| Ok(Step::Stop(1)))?;
    /// assert_eq!(stands.len(), 1);
    /// assert_eq!(stands.expected_steps()?.to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[expect(
        clippy::len_without_is_empty,
        reason = "a chain has a start and is never empty, so the question would mislead"
    )]
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Returns the first state found from which the chain can never stop, if there is one.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chain, Dist, Step};
    ///
    /// let chain = Chain::explore("door", |&at| Ok(match at {
    ///     "door" => Step::Go(Dist::uniform(["maze", "street"])?),
    ///     "street" => Step::Stop("free"),
    ///     _ => Step::Go(Dist::certain("maze")),
    /// }))?;
    /// assert_eq!(chain.endless_state(), Some(&"maze"));
    /// assert_eq!(chain.stopping_probability()?.to_string(), "1/2");
    /// assert!(chain.expected_steps().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn endless_state(&self) -> Option<&S> {
        let at = self.can_stop.iter().position(|can| !can)?;
        self.states.get_index(at)
    }

    /// Returns the probability that the chain stops at all, which is one unless it has an
    /// [`endless_state`](Self::endless_state).
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] beyond [`ChainBuilder::max_words`], and [`Error::FloatOverflow`] if
    /// weights of a float chain underflow or its visits overflow.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chain, Dist, Step};
    ///
    /// // Down one step with probability 1/3, up to where there is no return with 2/3.
    /// let chain = Chain::explore(1, |&at| Ok(match at {
    ///     0 => Step::Stop("down"),
    ///     1 => Step::Go(Dist::from_weights([(0, 1), (2, 2)])?),
    ///     _ => Step::Go(Dist::certain(2)),
    /// }))?;
    /// assert_eq!(chain.stopping_probability()?.to_string(), "1/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stopping_probability(&self) -> Result<W::Ratio, Error> {
        let mut ledger = W::ledger(self.max_words);
        let flows = self.started(&mut ledger)?;
        let stopped = flows.into_iter().zip(&self.ends);
        let masses = stopped.filter_map(|(flow, end)| end.as_ref().and(flow));
        let total = W::total(&ledger, masses.collect());
        Ok(W::number(&ledger, &total))
    }

    /// Returns the distribution of the outcome with which the chain stops.
    ///
    /// # Errors
    ///
    /// [`Error::NeverStops`] if a state can be reached from which the chain cannot stop,
    /// [`Error::TooLarge`] and [`Error::TooSlow`] beyond [`ChainBuilder::max_words`], which also
    /// describes how deep an exact chain may be, and [`Error::FloatOverflow`] if weights of a float
    /// chain underflow or its visits overflow.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chain, Dist, Step};
    ///
    /// // Roll until the same face comes twice in a row; which one is it?
    /// let die = Dist::from_weights([(1, 2), (2, 1)])?;
    /// let chain = Chain::explore((0, 0), |&(before, last)| Ok(match last {
    ///     0 => Step::Go(die.map(|&face| (0, face))),
    ///     _ if before == last => Step::Stop(last),
    ///     _ => Step::Go(die.map(|&face| (last, face))),
    /// }))?;
    /// assert_eq!(chain.outcome()?.p(&1).to_string(), "16/21");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outcome(&self) -> Result<Dist<T, W>, Error> {
        self.always_stops()?;
        let mut ledger = W::ledger(self.max_words);
        let flows = self.started(&mut ledger)?;
        let mut stopped: Vec<(T, W::Mass)> = Vec::new();
        for (end, flow) in self.ends.iter().zip(flows) {
            if let (Some(outcome), Some(flow)) = (end, flow) {
                stopped.push((outcome.clone(), flow));
            }
        }
        law(&mut ledger, stopped)
    }

    /// Returns the mean number of visits to each state before the chain stops.
    ///
    /// # Errors
    ///
    /// The same as for [`outcome`](Self::outcome).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chain, Dist, Step};
    ///
    /// let chain = Chain::explore(2, |&at| Ok(match at {
    ///     0 | 4 => Step::Stop(at),
    ///     _ => Step::Go(Dist::uniform([at - 1, at + 1])?),
    /// }))?;
    /// assert_eq!(chain.visits()?.of(&2).map(|n| n.to_string()), Some("2".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn visits(&self) -> Result<Visits<'_, S, W>, Error> {
        self.always_stops()?;
        let mut ledger = W::ledger(self.max_words);
        let flows = self.started(&mut ledger)?;
        let visits = (0..self.len())
            .zip(flows)
            .filter_map(|(at, flow)| match self.ends[at] {
                Some(_) => flow,
                None => Some(self.visits_of(&ledger, at, &flow?)),
            })
            .collect();
        let visits = Visits::new(&self.states, visits, ledger);
        if W::EXACT {
            return Ok(visits);
        }
        visits
            .iter()
            .try_for_each(|(_, number)| finite::<W>(number).map(drop))?;
        Ok(visits)
    }

    /// Returns the mean number of steps until the chain stops. A chain that stops at its start
    /// takes no steps.
    ///
    /// In floats, its relative error is at most [`Visits::relative_error`].
    ///
    /// # Errors
    ///
    /// The same as for [`outcome`](Self::outcome).
    ///
    /// # Examples
    ///
    /// Until all six faces of a die have been seen:
    ///
    /// ```
    /// use oddsmith_dice::{Chain, Dist, Step};
    ///
    /// let chain = Chain::explore(0u32, |&seen| Ok(match seen {
    ///     6 => Step::Stop(()),
    ///     _ => Step::Go(Dist::from_weights([(seen, seen), (seen + 1, 6 - seen)])?),
    /// }))?;
    /// assert_eq!(chain.expected_steps()?.to_string(), "147/10");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn expected_steps(&self) -> Result<W::Ratio, Error> {
        self.always_stops()?;
        let mut ledger = W::ledger(self.max_words);
        let visits = self.transient_visits(&mut ledger)?;
        let total = W::total(&ledger, visits.into_iter().flatten().collect());
        finite::<W>(W::number(&ledger, &total))
    }

    /// Returns the variance of the number of steps until the chain stops.
    ///
    /// With v the expected visits to the states on the way and u those of a chain that starts with
    /// weights v, it is 2 Σu − Σv − (Σv)² (J. G. Kemeny and J. L. Snell, "Finite Markov Chains",
    /// 1960, theorem 3.3.5). In floats, the terms cancel: the absolute error is at most a small
    /// multiple of the square of the mean times twice the bound of [`Visits::relative_error`].
    ///
    /// # Errors
    ///
    /// The same as for [`outcome`](Self::outcome).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chain, Dist, Step};
    ///
    /// // Until heads: geometric.
    /// let coin = Dist::bernoulli((1, 3))?;
    /// let chain = Chain::explore(false, |&heads| Ok(match heads {
    ///     true => Step::Stop(()),
    ///     false => Step::Go(coin.clone()),
    /// }))?;
    /// assert_eq!(chain.steps_variance()?.to_string(), "6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn steps_variance(&self) -> Result<W::Ratio, Error> {
        self.always_stops()?;
        let mut ledger = W::ledger(self.max_words);
        let visits = self.transient_visits(&mut ledger)?;
        let again = self.flow(&mut ledger, &visits)?;
        let again = self.over_transient(&ledger, again);
        let once = W::total(&ledger, visits.into_iter().flatten().collect());
        let twice = W::total(&ledger, again.into_iter().flatten().collect());
        let once = W::number(&ledger, &once);
        let twice = W::number(&ledger, &twice);
        finite::<W>(twice.clone() + twice - once.clone() - once.clone() * once)
    }

    pub(super) fn always_stops(&self) -> Result<(), Error> {
        match self.endless_state() {
            Some(state) => Err(Error::NeverStops {
                state: format!("{state:?}"),
            }),
            None => Ok(()),
        }
    }

    /// Returns a state on a cycle, if there is one.
    pub(super) fn cyclic_state(&self) -> Option<&S> {
        let cyclic = self.components.iter().find_map(|component| {
            let first = component[0];
            let mut targets = self.graph.targets[self.graph.ways(first as usize)].iter();
            (component.len() > 1 || targets.any(|&target| target == first)).then_some(first)
        })?;
        self.states.get_index(cyclic as usize)
    }

    fn started(&self, ledger: &mut W::Ledger) -> Result<Vec<Option<W::Mass>>, Error> {
        let mut source = vec![None; self.len()];
        source[0] = Some(W::whole());
        self.flow(ledger, &source)
    }

    fn transient_visits(&self, ledger: &mut W::Ledger) -> Result<Vec<Option<W::Mass>>, Error> {
        let flows = self.started(ledger)?;
        Ok(self.over_transient(ledger, flows))
    }

    fn over_transient(
        &self,
        ledger: &W::Ledger,
        flows: Vec<Option<W::Mass>>,
    ) -> Vec<Option<W::Mass>> {
        let states = flows.into_iter().enumerate();
        states
            .map(|(at, flow)| match self.ends[at] {
                Some(_) => None,
                None => Some(self.visits_of(ledger, at, &flow?)),
            })
            .collect()
    }

    fn visits_of(&self, ledger: &W::Ledger, at: usize, flow: &W::Mass) -> W::Mass {
        W::unshare(ledger, flow, &self.totals[at], self.roundings[at].total)
    }

    /// The amounts that arrive at each stop, and for each other state its visits over its total,
    /// from a source in any states. States that never stop are sinks and are not computed.
    fn flow(
        &self,
        ledger: &mut W::Ledger,
        source: &[Option<W::Mass>],
    ) -> Result<Vec<Option<W::Mass>>, Error> {
        let one = W::unit();
        let mut flows: Vec<Option<W::Mass>> = vec![None; self.len()];
        // The block that last contained each state, and the state's position there.
        let mut places = vec![(u32::MAX, 0u32); self.len()];
        let (origins, ways) = &self.ways_in;
        for (number, component) in (0u32..).zip(&self.components) {
            // A component can stop from all of its states or from none.
            if !self.can_stop[component[0] as usize] {
                continue;
            }
            for (place, &state) in (0u32..).zip(component) {
                places[state as usize] = (number, place);
            }
            let mut inflows = Vec::with_capacity(component.len());
            for &state in component {
                let mut terms: Vec<(&W::Mass, &W, u64)> = Vec::new();
                terms.extend(source[state as usize].iter().map(|mass| (mass, &one, 0)));
                for place in origins.ways(state as usize) {
                    let origin = origins.targets[place] as usize;
                    if let Some(mass) = &flows[origin] {
                        let counted = self.roundings[origin].weights;
                        terms.push((mass, &self.weights[ways[place]], counted));
                    }
                }
                let inflow = W::inflow(ledger, &terms)?;
                inflows.push(carried::<W>(ledger, inflow)?);
            }
            if let [state] = component[..] {
                let at = state as usize;
                // A single state has a single inflow.
                let inflow = inflows.swap_remove(0);
                flows[at] = Some(match self.ends[at] {
                    Some(_) => inflow,
                    None => {
                        let flow = self.alone(ledger, at, &inflow);
                        carried::<W>(ledger, flow)?
                    }
                });
                continue;
            }
            let (block, common) = self.block(component, number, &places);
            let solved = W::block(ledger, block, &inflows)?;
            for ((&state, flow), common) in component.iter().zip(solved).zip(common) {
                // The row was divided by the common divisor of its weights.
                let flow = match common {
                    Some(common) => W::share(ledger, &flow, &common, 0),
                    None => flow,
                };
                flows[state as usize] = Some(flow);
            }
        }
        Ok(flows)
    }

    /// A state that is on no cycle, except perhaps its own self-loop.
    fn alone(&self, ledger: &mut W::Ledger, at: usize, inflow: &W::Mass) -> W::Mass {
        let ways = self.graph.ways(at);
        let counted = self.roundings[at];
        let itself = |way: &usize| self.graph.targets[*way] as usize == at;
        if !ways.clone().any(|way| itself(&way)) {
            return W::share(ledger, inflow, &self.totals[at], counted.total);
        }
        // Summed rather than subtracted from the total, which would cancel in floats.
        let length = ways.len() as u64;
        let mut out = W::nothing();
        ways.filter(|way| !itself(way))
            .for_each(|way| out.add(&self.weights[way]));
        W::share(ledger, inflow, &out, counted.weights.saturating_add(length))
    }

    fn block(
        &self,
        component: &[u32],
        number: u32,
        places: &[(u32, u32)],
    ) -> (Block<W>, Vec<Option<W>>) {
        let mut block = Block {
            rows: Vec::with_capacity(component.len()),
            exits: Vec::with_capacity(component.len()),
            roundings: 0,
        };
        let mut factors = Vec::with_capacity(component.len());
        for &state in component {
            let at = state as usize;
            let (mut row, mut exit) = (Vec::new(), W::nothing());
            let ways = self.graph.ways(at);
            let counted = self.roundings[at].weights.saturating_add(ways.len() as u64);
            block.roundings = block.roundings.max(counted);
            for way in ways {
                let target = self.graph.targets[way];
                if target == state {
                    continue;
                }
                let (home, place) = places[target as usize];
                if home == number {
                    row.push((place, self.weights[way].clone()));
                } else {
                    exit.add(&self.weights[way]);
                }
            }
            row.sort_unstable_by_key(|way| way.0);
            factors.push(W::simplify(&mut row, &mut exit));
            block.rows.push(row);
            block.exits.push(exit);
        }
        (block, factors)
    }
}

/// Returns the amount if a double can hold it. An infinite one would lead to probabilities that are
/// infinite or NaN.
fn carried<W: Weight>(ledger: &W::Ledger, mass: W::Mass) -> Result<W::Mass, Error> {
    if !W::EXACT {
        finite::<W>(W::number(ledger, &mass))?;
    }
    Ok(mass)
}

/// Visits to states that are hardly ever left may exceed the range of doubles.
fn finite<W: Weight>(number: W::Ratio) -> Result<W::Ratio, Error> {
    crate::shape::finite::<W>(number, || "a number of visits or steps".to_owned())
}

/// The distribution of outcomes whose amounts sum to one.
pub(super) fn law<T: Ord, W: Weight>(
    ledger: &mut W::Ledger,
    mut stopped: Vec<(T, W::Mass)>,
) -> Result<Dist<T, W>, Error> {
    stopped.sort_by(|a, b| a.0.cmp(&b.0));
    let (mut outcomes, mut groups): (Vec<T>, Vec<W::Mass>) = (Vec::new(), Vec::new());
    let mut group = Vec::new();
    for (outcome, mass) in stopped {
        if outcomes.last() != Some(&outcome) {
            if !group.is_empty() {
                groups.push(W::total(ledger, std::mem::take(&mut group)));
            }
            outcomes.push(outcome);
        }
        group.push(mass);
    }
    groups.push(W::total(ledger, group));
    let (weights, total, counted) = W::level(ledger, groups)?;
    let roundings = Roundings {
        weights: counted,
        total: 0,
    };
    Dist::gather(
        outcomes.into_iter().zip(weights).collect(),
        total,
        roundings,
    )
}
