//! A component with its end components merged, so that play ends under every policy.

use std::ops::Range;

use num_bigint::BigUint;

use super::end_component::end_components;
use super::local::Local;
use super::merge::Component;
use crate::model::Model;
use crate::odds::{Amount, Odds};
use crate::reward::Reward;
use crate::{Error, Game, Player};

/// A weight in some kind of numbers.
pub(super) trait Weight: Clone + PartialEq {
    /// Returns `None` if these numbers cannot hold it.
    fn of(odds: &Odds<'_>, outcome: usize) -> Option<Self>;
    /// Returns the total weight of all outcomes, including those that stay.
    fn total(odds: &Odds<'_>) -> Option<Self>;
    fn zero() -> Self;
    fn gain(&mut self, other: &Self);
}

impl Weight for f64 {
    fn of(odds: &Odds<'_>, outcome: usize) -> Option<f64> {
        match odds {
            Odds::Narrow { weights, .. } => Some(weights[outcome] as f64),
            Odds::Wide(wide) => wide.floats.get(outcome).copied(),
        }
    }

    fn total(odds: &Odds<'_>) -> Option<f64> {
        match odds {
            Odds::Narrow {
                leaving, staying, ..
            } => Some((leaving + staying) as f64),
            // Scaled like the weights.
            Odds::Wide(wide) => {
                let shift = wide.leaving.bits().saturating_sub(63);
                Amount::Big(&wide.total).to_f64(shift)
            }
        }
    }

    fn zero() -> f64 {
        0.0
    }

    fn gain(&mut self, other: &f64) {
        *self += other;
    }
}

impl Weight for BigUint {
    fn of(odds: &Odds<'_>, outcome: usize) -> Option<BigUint> {
        Some(match odds.weight(outcome) {
            Amount::Small(weight) => weight.into(),
            Amount::Big(weight) => weight.clone(),
        })
    }

    fn total(odds: &Odds<'_>) -> Option<BigUint> {
        Some(odds.total().to_big())
    }

    fn zero() -> BigUint {
        BigUint::ZERO
    }

    fn gain(&mut self, other: &BigUint) {
        *self += other;
    }
}

/// A choice of a node: the state that it belongs to, and where it leads.
#[derive(Clone, Debug)]
pub(super) struct Choice<W> {
    /// The state, by its place in the component, and the number of its choice.
    pub(super) state: u32,
    pub(super) choice: u16,
    /// Other nodes, in ascending order.
    pub(super) inner: Vec<(u32, W)>,
    /// Numbers of states outside the component.
    pub(super) outer: Vec<(u32, W)>,
    /// The sum of these weights. Outcomes that lead back to the node itself are left out, like
    /// self-loops.
    pub(super) leaving: W,
    /// The maximum number of these outcomes.
    pub(super) outcomes: usize,
    /// The reward, and the total weight of all outcomes.
    pub(super) paid: Option<Box<(Reward, W)>>,
}

/// A strongly connected component as a separate game.
///
/// An *end component* is a set of states with choices that never leave it and that connect all of
/// it. The player can stay there for ever, or go to any of its states with certainty and leave from
/// there by any choice that leaves. Therefore all its states have the same value, and they are
/// merged into one *node*, whose choices are those that may leave (L. de Alfaro, *Formal
/// Verification of Probabilistic Systems*, 1997; S. Haddad and B. Monmege, "Interval iteration
/// algorithm for MDPs and IMDPs", Theoretical Computer Science 735, 2018). In what is left, no play
/// can go on for ever, whatever is decided. The optimality equation has exactly one solution, and
/// any decisions that attain it are optimal (D. P. Bertsekas and J. N. Tsitsiklis, "An analysis of
/// stochastic shortest path problems", Mathematics of Operations Research 16, 1991).
///
/// Where choices that stay pay, going on is no longer the same as standing still. If everything
/// that they pay in an end component costs the player who decides there, only the parts in which
/// going on is free are merged. A player who goes on for ever anywhere else loses without limit, so
/// the best play ends, the optimality equation still has exactly one solution, and any decisions
/// that attain it end (ibid., assumptions 1 and 2). In all other cases there is no well-defined
/// total.
#[derive(Debug)]
pub(super) struct Quotient<W> {
    /// The numbers of the states.
    pub(super) states: Vec<u32>,
    /// The node of each state.
    pub(super) node: Vec<u32>,
    /// The player who decides in each node.
    pub(super) player: Vec<Player>,
    /// The choices of each node.
    pub(super) spans: Vec<Range<u32>>,
    pub(super) choices: Vec<Choice<W>>,
    /// The choices that stay in a merged node: state, choice, outcomes.
    pub(super) staying: Vec<(u32, u16, Vec<u32>)>,
    /// Whether any choice pays.
    pub(super) pays: bool,
    /// Whether play could still go on for ever, at a cost without limit.
    pub(super) costly: bool,
}

/// The maximum number of states that an error lists.
pub(crate) const LISTED: usize = 20;

pub(super) const OUTSIDE: u32 = u32::MAX;

impl<W: Weight> Quotient<W> {
    /// `place_of` must be as long as the model, with `u32::MAX` everywhere, and is left in that
    /// state.
    pub(super) fn new<G: Game + ?Sized, M: Model<G>>(
        game: &G,
        model: &M,
        places: Range<usize>,
        place_of: &mut [u32],
    ) -> Result<Self, Error> {
        let states: Vec<u32> = places.map(|place| model.at(place) as u32).collect();
        for (place, &state) in states.iter().enumerate() {
            place_of[state as usize] = place as u32;
        }
        let made = Self::with_places(game, model, &states, place_of);
        for &state in &states {
            place_of[state as usize] = OUTSIDE;
        }
        let mut made = made?;
        made.states = states;
        Ok(made)
    }

    fn with_places<G: Game + ?Sized, M: Model<G>>(
        game: &G,
        model: &M,
        states: &[u32],
        place_of: &[u32],
    ) -> Result<Self, Error> {
        let mut component = Component {
            local: Local::of(game, model, states, place_of)?,
            game,
            model,
            states,
        };
        let mut ends = end_components(&component.local);
        let costly = component.check(&ends)?;
        if costly {
            // What costs nothing is merged; the rest remains to be decided.
            component.local.without_costs();
            ends = end_components(&component.local);
        }
        component.merged(ends, costly)
    }

    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    pub(super) fn span(&self, node: usize) -> Range<usize> {
        let span = &self.spans[node];
        span.start as usize..span.end as usize
    }

    /// Returns a choice for each node such that play ends: the first choice that may come closer to
    /// an exit.
    pub(super) fn ending_policy(&self) -> Vec<u32> {
        if !self.costly {
            return self.spans.iter().map(|span| span.start).collect();
        }
        let mut policy = vec![OUTSIDE; self.len()];
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); self.len()];
        let mut node_of = vec![0_u32; self.choices.len()];
        let mut reached = Vec::new();
        for (node, decided) in policy.iter_mut().enumerate() {
            for choice in self.span(node) {
                node_of[choice] = node as u32;
                let made = &self.choices[choice];
                if !made.outer.is_empty() && *decided == OUTSIDE {
                    *decided = choice as u32;
                    reached.push(node as u32);
                }
                for &(target, _) in &made.inner {
                    sources[target as usize].push(choice as u32);
                }
            }
        }
        let mut next = 0;
        while let Some(&node) = reached.get(next) {
            next += 1;
            for &choice in &sources[node as usize] {
                let from = node_of[choice as usize] as usize;
                if policy[from] == OUTSIDE {
                    policy[from] = choice;
                    reached.push(from as u32);
                }
            }
        }
        policy
    }

    /// Returns whether play ends under these choices, wherever it begins.
    pub(super) fn ends(&self, policy: &[u32]) -> bool {
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); self.len()];
        let mut ending = vec![false; self.len()];
        let mut reached = Vec::new();
        for (node, &choice) in policy.iter().enumerate() {
            let made = &self.choices[choice as usize];
            if !made.outer.is_empty() {
                ending[node] = true;
                reached.push(node);
            }
            for &(target, _) in &made.inner {
                sources[target as usize].push(node as u32);
            }
        }
        let mut next = 0;
        while let Some(&node) = reached.get(next) {
            next += 1;
            for &from in &sources[node] {
                if !std::mem::replace(&mut ending[from as usize], true) {
                    reached.push(from as usize);
                }
            }
        }
        reached.len() == self.len()
    }

    /// Writes the decision of each state, given the optimal choices: the first such choice of the
    /// state, if it has one. Otherwise it is the first choice that stays in the merged node and may
    /// come closer to a state that has one. Play then leaves every node with probability one.
    pub(super) fn decide(&self, optimal: impl Fn(usize) -> bool, decisions: &mut [u16]) {
        const FAR: u32 = u32::MAX;
        let mut distance = vec![FAR; self.states.len()];
        let mut reached = Vec::new();
        for (index, choice) in self.choices.iter().enumerate() {
            let place = choice.state as usize;
            if distance[place] == FAR && optimal(index) {
                distance[place] = 0;
                decisions[self.states[place] as usize] = choice.choice;
                reached.push(choice.state);
            }
        }
        if self.staying.is_empty() {
            return;
        }
        // Breadth first, backwards along the choices that stay.
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); self.states.len()];
        for (index, (_, _, targets)) in self.staying.iter().enumerate() {
            for &target in targets {
                sources[target as usize].push(index as u32);
            }
        }
        let mut next = 0;
        while let Some(&place) = reached.get(next) {
            next += 1;
            for &index in &sources[place as usize] {
                let from = self.staying[index as usize].0;
                if distance[from as usize] == FAR {
                    distance[from as usize] = distance[place as usize] + 1;
                    reached.push(from);
                }
            }
        }
        // The choices of a state are stored one after another. They are visited in reverse order
        // here, so that the first one prevails.
        for (from, choice, targets) in self.staying.iter().rev() {
            let own = distance[*from as usize];
            let nearest = targets.iter().map(|&t| distance[t as usize]).min();
            if own > 0 && nearest.is_some_and(|nearest| nearest < own) {
                decisions[self.states[*from as usize] as usize] = *choice;
            }
        }
    }

    /// Returns the same game with other weights.
    pub(super) fn map<V>(&self, weight: impl Fn(&W, &W) -> V, one: V) -> Quotient<V>
    where
        V: Clone,
    {
        let choices = self.choices.iter().map(|choice| {
            let ways = |ways: &[(u32, W)]| {
                let ways = ways.iter();
                ways.map(|(t, w)| (*t, weight(w, &choice.leaving)))
                    .collect()
            };
            Choice {
                state: choice.state,
                choice: choice.choice,
                inner: ways(&choice.inner),
                outer: ways(&choice.outer),
                leaving: one.clone(),
                outcomes: choice.outcomes,
                paid: choice.paid.as_ref().map(|paid| {
                    let (reward, total) = &**paid;
                    Box::new((reward.clone(), weight(total, &choice.leaving)))
                }),
            }
        });
        Quotient {
            pays: self.pays,
            costly: self.costly,
            states: self.states.clone(),
            node: self.node.clone(),
            player: self.player.clone(),
            spans: self.spans.clone(),
            choices: choices.collect(),
            staying: self.staying.clone(),
        }
    }
}
