//! Strongly connected components, outcomes first.

use std::ops::Range;

/// Vertices in an order in which every component comes before those that lead to it, and the ranges
/// of the components.
#[derive(Debug, Default)]
pub(crate) struct Components {
    pub(crate) order: Vec<u32>,
    /// The ranges of all components, one after another.
    pub(crate) ranges: Vec<Range<u32>>,
}

impl Components {
    /// Returns the components with more than one vertex.
    pub(crate) fn true_cycles(&self) -> Vec<Range<u32>> {
        let ranges = self.ranges.iter();
        ranges.filter(|range| range.len() > 1).cloned().collect()
    }
}

/// Returns the components of all vertices that can be reached from `starts`, among `len` vertices.
/// `next` returns the outcome of a vertex at a cursor and advances the cursor. Cursors start at 0.
///
/// # Complexity
/// Reads each vertex and outcome once.
pub(crate) fn components(
    len: usize,
    starts: impl IntoIterator<Item = u32>,
    next: impl Fn(u32, &mut u32) -> Option<u32>,
) -> Components {
    Search::new(len).all(starts, next)
}

const UNMET: u32 = u32::MAX;
/// The component of the vertex is known.
const DONE: u32 = u32::MAX - 1;

/// Searches for components repeatedly among the same vertices, at a cost proportional to those it
/// visits.
///
/// Uses the algorithm of R. E. Tarjan, "Depth-first search and linear graph algorithms", SIAM
/// Journal on Computing 1 (1972), with an explicit stack, since a game may be millions of moves
/// deep.
#[derive(Debug)]
pub(crate) struct Search {
    /// When each vertex was visited.
    met: Vec<u32>,
    /// The earliest vertex on the stack that each vertex leads to.
    low: Vec<u32>,
    clock: u32,
    /// Vertices whose component is not known yet.
    stack: Vec<u32>,
    /// The current path of the search, with cursors.
    path: Vec<(u32, u32)>,
}

impl Search {
    pub(crate) fn new(len: usize) -> Self {
        Search {
            met: vec![UNMET; len],
            low: vec![UNMET; len],
            clock: 0,
            stack: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Returns all components that can be reached from the starts.
    pub(crate) fn all(
        &mut self,
        starts: impl IntoIterator<Item = u32>,
        next: impl Fn(u32, &mut u32) -> Option<u32>,
    ) -> Components {
        let mut found = Components::default();
        let mut looks = u64::MAX;
        for start in starts {
            if self.met[start as usize] == UNMET {
                self.path.push((start, 0));
            }
            while let Some(range) = self.component(&next, &mut looks, &mut found.order) {
                found.ranges.push(range);
            }
        }
        self.forget(&found.order);
        found
    }

    /// Returns a component that leads to no other, if one is found within this number of steps.
    pub(crate) fn last_one(
        &mut self,
        start: u32,
        mut looks: u64,
        next: impl Fn(u32, &mut u32) -> Option<u32>,
    ) -> Option<Vec<u32>> {
        let mut component = Vec::new();
        self.path.push((start, 0));
        let found = self.component(&next, &mut looks, &mut component);
        self.forget(&component);
        found.map(|_| component)
    }

    /// Finds the next component on the path and appends it to `order`. Returns `None` at the end of
    /// the path, or if this would take more steps.
    fn component(
        &mut self,
        next: impl Fn(u32, &mut u32) -> Option<u32>,
        looks: &mut u64,
        order: &mut Vec<u32>,
    ) -> Option<Range<u32>> {
        while let Some(&mut (vertex, ref mut cursor)) = self.path.last_mut() {
            let at = vertex as usize;
            if self.met[at] == UNMET {
                self.met[at] = self.clock;
                self.low[at] = self.clock;
                self.clock += 1;
                self.stack.push(vertex);
            }
            if let Some(child) = next(vertex, cursor) {
                *looks = looks.checked_sub(1)?;
                match self.met[child as usize] {
                    UNMET => self.path.push((child, 0)),
                    DONE => {}
                    met => self.low[at] = self.low[at].min(met),
                }
                continue;
            }
            self.path.pop();
            if let Some(&(parent, _)) = self.path.last() {
                let parent = parent as usize;
                self.low[parent] = self.low[parent].min(self.low[at]);
            }
            if self.low[at] == self.met[at] {
                let first = order.len() as u32;
                while let Some(member) = self.stack.pop() {
                    self.met[member as usize] = DONE;
                    order.push(member);
                    if member == vertex {
                        break;
                    }
                }
                return Some(first..order.len() as u32);
            }
        }
        None
    }

    /// Prepares for another search, after one that has found these.
    fn forget(&mut self, found: &[u32]) {
        for &vertex in found.iter().chain(&self.stack) {
            self.met[vertex as usize] = UNMET;
        }
        self.stack.clear();
        self.path.clear();
        self.clock = 0;
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    fn of(edges: &[Vec<u32>]) -> Components {
        components(edges.len(), 0..edges.len() as u32, |vertex, cursor| {
            let child = edges[vertex as usize].get(*cursor as usize).copied();
            *cursor += 1;
            child
        })
    }

    fn reaches(edges: &[Vec<u32>]) -> Vec<Vec<bool>> {
        let n = edges.len();
        let mut reach = vec![vec![false; n]; n];
        for (from, targets) in edges.iter().enumerate() {
            reach[from][from] = true;
            targets
                .iter()
                .for_each(|&to| reach[from][to as usize] = true);
        }
        for via in 0..n {
            for from in 0..n {
                for to in 0..n {
                    reach[from][to] |= reach[from][via] && reach[via][to];
                }
            }
        }
        reach
    }

    quickcheck! {
        fn members_reach_each_other_and_outcomes_come_first(graph: Vec<Vec<u8>>) -> bool {
            let n = graph.len().min(12);
            let edges: Vec<Vec<u32>> = graph[..n]
                .iter()
                .map(|row| row.iter().take(3).map(|&to| u32::from(to) % n as u32).collect())
                .collect();
            let (found, reach) = (of(&edges), reaches(&edges));
            let mut component = vec![0; n];
            for (index, range) in found.ranges.iter().enumerate() {
                for place in range.clone() {
                    component[found.order[place as usize] as usize] = index;
                }
            }
            found.order.len() == n && (0..n).all(|a| (0..n).all(|b| {
                let both = reach[a][b] && reach[b][a];
                both == (component[a] == component[b])
                    && (!reach[a][b] || component[b] <= component[a])
            }))
        }
    }

    #[test]
    fn a_million_deep() {
        let n = 1_000_000_u32;
        let found = components(n as usize, [0], |vertex, cursor| {
            *cursor += 1;
            (*cursor == 1 && vertex + 1 < n).then_some(vertex + 1)
        });
        assert_eq!((found.ranges.len(), found.order[0]), (1_000_000, 999_999));
        let round = components(n as usize, [0], |vertex, cursor| {
            *cursor += 1;
            (*cursor == 1).then_some((vertex + 1) % n)
        });
        let cycles = round.true_cycles();
        assert_eq!((cycles.len(), &cycles[0]), (1, &(0..n)));
    }
}
