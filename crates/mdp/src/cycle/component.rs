//! Strongly connected components, outcomes first.

use std::ops::Range;

/// Vertices in an order in which every component comes before those that lead to
/// it, and where the components lie in it.
#[derive(Debug, Default)]
pub(crate) struct Components {
    pub(crate) order: Vec<u32>,
    /// Of all components, one after the other.
    pub(crate) ranges: Vec<Range<u32>>,
}

impl Components {
    /// The components of more than one vertex.
    pub(crate) fn true_cycles(&self) -> Vec<Range<u32>> {
        let ranges = self.ranges.iter();
        ranges.filter(|range| range.len() > 1).cloned().collect()
    }
}

const UNMET: u32 = u32::MAX;

/// The components of what `starts` can reach among `len` vertices. `next` gives
/// the outcome of a vertex under a cursor, which it moves on; cursors start at 0.
///
/// R. E. Tarjan, "Depth-first search and linear graph algorithms", SIAM Journal
/// on Computing 1 (1972), with an explicit stack: a game may be millions of moves
/// deep.
///
/// # Complexity
/// One look at each vertex and outcome.
pub(crate) fn components(
    len: usize,
    starts: impl IntoIterator<Item = u32>,
    next: impl Fn(u32, &mut u32) -> Option<u32>,
) -> Components {
    let mut found = Components::default();
    // When a vertex was met, and the earliest vertex on the stack it leads to;
    // `done` once its component is known.
    let mut met = vec![UNMET; len];
    let mut low = vec![UNMET; len];
    let mut done = vec![false; len];
    let mut stack: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, u32)> = Vec::new();
    let mut clock = 0;
    for start in starts {
        if met[start as usize] != UNMET {
            continue;
        }
        path.push((start, 0));
        while let Some(&mut (vertex, ref mut cursor)) = path.last_mut() {
            let at = vertex as usize;
            if met[at] == UNMET {
                met[at] = clock;
                low[at] = clock;
                clock += 1;
                stack.push(vertex);
            }
            if let Some(child) = next(vertex, cursor) {
                let child_at = child as usize;
                if met[child_at] == UNMET {
                    path.push((child, 0));
                } else if !done[child_at] {
                    low[at] = low[at].min(met[child_at]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                let parent = parent as usize;
                low[parent] = low[parent].min(low[at]);
            }
            if low[at] == met[at] {
                let first = found.order.len() as u32;
                while let Some(member) = stack.pop() {
                    done[member as usize] = true;
                    found.order.push(member);
                    if member == vertex {
                        break;
                    }
                }
                found.ranges.push(first..found.order.len() as u32);
            }
        }
    }
    found
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
