//! Sets of states in which play can stay for ever.

use super::component::Search;
use super::local::Local;

/// Returns the maximal end components, each in ascending order.
///
/// The algorithm decomposes the choices that stay into components, drops choices that leave their
/// component and states without choices, and repeats this for what has changed (L. de Alfaro, 1997,
/// algorithm 3.1). If few states have lost a choice, it searches for a component that leads to no
/// other from these states alone, since one of them belongs to it (K. Chatterjee and M. Henzinger,
/// "Faster and dynamic algorithms for maximal end-component decomposition and related graph
/// problems in probabilistic verification", 2011).
///
/// # Complexity
/// A set that comes apart piece by piece costs as much as the pieces. One that comes apart in many
/// places at once costs one pass over all that is left of it.
pub(super) fn end_components(local: &Local) -> Vec<Vec<u32>> {
    let mut peeled = Peeled::new(local);
    let mut found = Vec::new();
    while let Some(set) = peeled.open.pop() {
        peeled.peel(set, &mut found);
    }
    // Not in the order of the search, which depends on the order of the choices.
    found.sort();
    found
}

/// The color of states that belong to a component already found.
const FOUND: u32 = u32::MAX;

/// States that were strongly connected before some of them lost choices.
struct Set {
    states: Vec<u32>,
    color: u32,
    /// The maximum number of outcomes.
    outcomes: usize,
}

/// What is left of the choices that stay.
struct Peeled<'l> {
    local: &'l Local,
    /// The choices of each state, outcome by outcome, as (choice, target).
    outcomes: Vec<(u32, u32)>,
    /// The index at which those of each state begin.
    begin: Vec<usize>,
    /// For each state, the choices that lead to it.
    sources: Vec<Vec<u32>>,
    alive: Vec<bool>,
    /// For each state, the number of its choices that are left.
    left: Vec<u32>,
    /// For each state, the set to which it belongs.
    color: Vec<u32>,
    /// For each color, the states that have lost a choice.
    lost: Vec<Vec<u32>>,
    /// States without choices whose sources are still alive.
    dead: Vec<u32>,
    open: Vec<Set>,
    search: Search,
}

impl<'l> Peeled<'l> {
    fn new(local: &'l Local) -> Self {
        let len = local.spans.len();
        let mut peeled = Peeled {
            local,
            outcomes: Vec::new(),
            begin: vec![0],
            sources: vec![Vec::new(); len],
            alive: local.within.clone(),
            left: vec![0; len],
            color: vec![0; len],
            lost: vec![Vec::new()],
            dead: Vec::new(),
            open: Vec::new(),
            search: Search::new(len),
        };
        for (state, span) in local.spans.iter().enumerate() {
            for index in span.clone().filter(|&index| local.within[index as usize]) {
                peeled.left[state] += 1;
                for &target in &local.choices[index as usize].2 {
                    peeled.sources[target as usize].push(index);
                    peeled.outcomes.push((index, target));
                }
            }
            peeled.begin.push(peeled.outcomes.len());
        }
        let states = 0..len as u32;
        let (living, dead) = states.partition(|&state| peeled.left[state as usize] > 0);
        peeled.dead = dead;
        peeled.prune();
        peeled.part(living);
        peeled
    }

    /// Drops a choice.
    fn drop(&mut self, index: u32) {
        if std::mem::replace(&mut self.alive[index as usize], false) {
            let owner = self.local.choices[index as usize].0;
            self.lost[self.color[owner as usize] as usize].push(owner);
            self.left[owner as usize] -= 1;
            if self.left[owner as usize] == 0 {
                self.dead.push(owner);
            }
        }
    }

    /// Drops states without choices, and the choices that lead to them.
    fn prune(&mut self) {
        while let Some(state) = self.dead.pop() {
            for index in std::mem::take(&mut self.sources[state as usize]) {
                self.drop(index);
            }
        }
    }

    /// Decomposes a whole set, and opens its components without the choices that leave them.
    fn part(&mut self, mut states: Vec<u32>) {
        states.retain(|&state| self.left[state as usize] > 0);
        let next = next(&self.outcomes, &self.begin, &self.alive);
        let parts = self.search.all(states.iter().copied(), next);
        let first = self.lost.len() as u32;
        for (range, color) in parts.ranges.iter().zip(first..) {
            for &state in &parts.order[range.start as usize..range.end as usize] {
                self.color[state as usize] = color;
            }
            self.lost.push(Vec::new());
        }
        for &state in &states {
            let own = self.color[state as usize];
            for at in self.begin[state as usize]..self.begin[state as usize + 1] {
                let (index, target) = self.outcomes[at];
                if self.color[target as usize] != own {
                    self.drop(index);
                }
            }
        }
        self.prune();
        for (range, color) in parts.ranges.iter().zip(first..) {
            let mut states = parts.order[range.start as usize..range.end as usize].to_vec();
            states.retain(|&state| self.left[state as usize] > 0);
            if !states.is_empty() {
                let outcomes = self.outcomes_of(&states);
                self.open.push(Set {
                    states,
                    color,
                    outcomes,
                });
            }
        }
    }

    /// Takes from a set the components that can no longer be left, piece by piece, or decomposes
    /// all that is left of it at once.
    fn peel(&mut self, mut set: Set, found: &mut Vec<Vec<u32>>) {
        let mut lost = std::mem::take(&mut self.lost[set.color as usize]);
        if lost.is_empty() {
            set.states.sort_unstable();
            found.push(set.states);
            return;
        }
        loop {
            self.keep(set.color, &mut lost);
            lost.sort_unstable();
            lost.dedup();
            if lost.is_empty() {
                return;
            }
            let Some(mut end) = self.last_one(&lost, set.outcomes) else {
                self.keep(set.color, &mut set.states);
                return self.part(set.states);
            };
            set.outcomes -= self.outcomes_of(&end);
            for &state in &end {
                self.color[state as usize] = FOUND;
            }
            for &state in &end {
                for index in std::mem::take(&mut self.sources[state as usize]) {
                    let owner = self.local.choices[index as usize].0;
                    if self.color[owner as usize] == set.color {
                        self.drop(index);
                    }
                }
            }
            self.prune();
            lost.append(&mut self.lost[set.color as usize]);
            end.sort_unstable();
            found.push(end);
        }
    }

    /// Keeps those states that are still in the set.
    fn keep(&self, color: u32, states: &mut Vec<u32>) {
        states
            .retain(|&state| self.left[state as usize] > 0 && self.color[state as usize] == color);
    }

    /// Returns a component that leads to no other, if there is one that is small compared with the
    /// set and few states have lost a choice.
    fn last_one(&mut self, lost: &[u32], outcomes: usize) -> Option<Vec<u32>> {
        if lost.len().saturating_mul(lost.len()) > outcomes {
            return None;
        }
        let mut looks = 8;
        while looks * lost.len() <= outcomes {
            for &start in lost {
                let next = next(&self.outcomes, &self.begin, &self.alive);
                let found = self.search.last_one(start, looks as u64, next);
                if found.is_some() {
                    return found;
                }
            }
            looks *= 4;
        }
        None
    }

    /// Returns the number of outcomes that states had.
    fn outcomes_of(&self, states: &[u32]) -> usize {
        let count = |&state: &u32| self.begin[state as usize + 1] - self.begin[state as usize];
        states.iter().map(count).sum()
    }
}

/// Returns the outcome of a state at a cursor.
fn next<'p>(
    outcomes: &'p [(u32, u32)],
    begin: &'p [usize],
    alive: &'p [bool],
) -> impl Fn(u32, &mut u32) -> Option<u32> + 'p {
    |state, cursor| {
        let own = &outcomes[begin[state as usize]..begin[state as usize + 1]];
        while let Some(&(index, target)) = own.get(*cursor as usize) {
            *cursor += 1;
            if alive[index as usize] {
                return Some(target);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use quickcheck::QuickCheck;

    use super::*;
    use crate::Player;
    use crate::cycle::quotient::OUTSIDE;

    /// For each state, its choices: where each may lead, including [`OUTSIDE`].
    fn local(states: &[Vec<Vec<u32>>]) -> Local {
        let mut local = Local {
            choices: Vec::new(),
            within: Vec::new(),
            paid: Vec::new(),
            spans: Vec::new(),
            player: vec![Player::Max; states.len()],
        };
        for (state, choices) in states.iter().enumerate() {
            let first = local.choices.len() as u32;
            for (number, targets) in choices.iter().enumerate() {
                local.within.push(!targets.contains(&OUTSIDE));
                local.paid.push(Ordering::Equal);
                local
                    .choices
                    .push((state as u32, number as u16, targets.clone()));
            }
            local.spans.push(first..local.choices.len() as u32);
        }
        local
    }

    /// Sets of states that reach each other by choices that stay among them, found by removing
    /// everything else until nothing changes.
    fn slowly(states: &[Vec<Vec<u32>>]) -> Vec<Vec<u32>> {
        let n = states.len();
        let mut kept: Vec<Vec<&Vec<u32>>> = states.iter().map(|s| s.iter().collect()).collect();
        loop {
            let mut reach = vec![vec![false; n]; n];
            for (from, reached) in reach.iter_mut().enumerate() {
                let mut open = vec![from];
                while let Some(at) = open.pop() {
                    if std::mem::replace(&mut reached[at], true) {
                        continue;
                    }
                    let targets = kept[at].iter().flat_map(|choice| choice.iter());
                    open.extend(targets.map(|&t| t as usize).filter(|&t| t < n));
                }
            }
            let before: usize = kept.iter().map(Vec::len).sum();
            let alive: Vec<bool> = kept.iter().map(|choices| !choices.is_empty()).collect();
            for (from, choices) in kept.iter_mut().enumerate() {
                choices.retain(|choice| {
                    let mut targets = choice.iter().map(|&t| t as usize);
                    targets.all(|t| t < n && alive[t] && reach[t][from])
                });
            }
            if kept.iter().map(Vec::len).sum::<usize>() == before {
                let together = |a: usize| {
                    let all = (0..n).filter(|&b| reach[a][b] && reach[b][a]);
                    all.map(|b| b as u32).collect::<Vec<u32>>()
                };
                let mut sets: Vec<Vec<u32>> = (0..n).filter(|&a| alive[a]).map(together).collect();
                sets.sort();
                sets.dedup();
                return sets;
            }
        }
    }

    #[test]
    fn the_same_as_by_reaching_each_other() {
        fn property(n: u8, choices: Vec<(u8, u8, u8)>, ways_out: u8) -> bool {
            let n = 1 + usize::from(n % 14);
            let mut states = vec![Vec::new(); n];
            for (from, one, other) in choices.into_iter().take(5 * n) {
                let to = |target: u8| match (target % 64, ways_out % 3) {
                    (63, 0) => OUTSIDE,
                    (target, _) => u32::from(target) % n as u32,
                };
                states[usize::from(from) % n].push(vec![to(one), to(other)]);
            }
            end_components(&local(&states)) == slowly(&states)
        }
        type Property = fn(u8, Vec<(u8, u8, u8)>, u8) -> bool;
        QuickCheck::new()
            .tests(20_000)
            .quickcheck(property as Property);
    }

    /// A pair of states may stay, or move on or back by chance. The last state may leave.
    fn chain(pairs: u32) -> Vec<Vec<Vec<u32>>> {
        let states = (0..pairs).flat_map(|pair| {
            let (own, other) = (2 * pair, 2 * pair + 1);
            let onwards = match pair + 1 == pairs {
                true => OUTSIDE,
                false => own + 2,
            };
            let away = vec![own.saturating_sub(2), onwards];
            [vec![vec![other], away], vec![vec![own]]]
        });
        states.collect()
    }

    #[test]
    fn pairs_that_come_off_one_by_one() {
        assert_eq!(end_components(&local(&chain(7))), slowly(&chain(7)));
        let found = end_components(&local(&chain(250_000)));
        assert_eq!(found.len(), 250_000);
        assert_eq!(found[249_999], [499_998, 499_999]);
    }
}
