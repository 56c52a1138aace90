//! The cycles of a chain: strongly connected components, in topological order.

/// A directed graph in compressed rows.
#[derive(Debug)]
pub(super) struct Graph {
    /// The index of the first edge of each state, followed by the number of edges.
    pub(super) starts: Vec<usize>,
    pub(super) targets: Vec<u32>,
}

impl Graph {
    pub(super) fn states(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn ways(&self, state: usize) -> std::ops::Range<usize> {
        self.starts[state]..self.starts[state + 1]
    }

    /// For each state, the indices of the edges into it in order, and their origins.
    pub(super) fn reversed(&self) -> (Graph, Vec<usize>) {
        let mut starts = vec![0; self.states() + 1];
        for &target in &self.targets {
            starts[target as usize + 1] += 1;
        }
        for state in 0..self.states() {
            starts[state + 1] += starts[state];
        }
        let mut next = starts.clone();
        let (mut origins, mut ways) = (vec![0; self.targets.len()], vec![0; self.targets.len()]);
        for state in 0..self.states() {
            for way in self.ways(state) {
                let place = &mut next[self.targets[way] as usize];
                origins[*place] = state as u32;
                ways[*place] = way;
                *place += 1;
            }
        }
        let reversed = Graph {
            starts,
            targets: origins,
        };
        (reversed, ways)
    }

    /// The states from which one of `ends` can be reached.
    pub(super) fn reaching(&self, ends: impl Iterator<Item = usize>) -> Vec<bool> {
        let (reversed, _) = self.reversed();
        let mut reached = vec![false; self.states()];
        let mut stack: Vec<usize> = Vec::new();
        for end in ends {
            reached[end] = true;
            stack.push(end);
        }
        while let Some(state) = stack.pop() {
            for way in reversed.ways(state) {
                let origin = reversed.targets[way] as usize;
                if !reached[origin] {
                    reached[origin] = true;
                    stack.push(origin);
                }
            }
        }
        reached
    }

    /// Strongly connected components in topological order, each ascending.
    ///
    /// R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1 (1972), with
    /// an explicit stack in place of recursion, since a chain may be a million states deep.
    pub(super) fn components(&self) -> Vec<Vec<u32>> {
        const NEW: u32 = u32::MAX;
        let states = self.states();
        let (mut index, mut low) = (vec![NEW; states], vec![0u32; states]);
        let mut open = vec![false; states];
        let (mut path, mut pending) = (Vec::new(), Vec::new());
        let mut components = Vec::new();
        let mut count = 0;
        for root in 0..states {
            if index[root] != NEW {
                continue;
            }
            path.push((root, self.starts[root]));
            while let Some((state, way)) = path.pop() {
                if index[state] == NEW {
                    (index[state], low[state]) = (count, count);
                    count += 1;
                    open[state] = true;
                    pending.push(state as u32);
                }
                if way < self.starts[state + 1] {
                    path.push((state, way + 1));
                    let target = self.targets[way] as usize;
                    if index[target] == NEW {
                        path.push((target, self.starts[target]));
                    } else if open[target] {
                        low[state] = low[state].min(index[target]);
                    }
                    continue;
                }
                if let Some(&(parent, _)) = path.last() {
                    low[parent] = low[parent].min(low[state]);
                }
                if low[state] == index[state] {
                    let mut component = Vec::new();
                    while let Some(member) = pending.pop() {
                        open[member as usize] = false;
                        component.push(member);
                        if member as usize == state {
                            break;
                        }
                    }
                    component.sort_unstable();
                    components.push(component);
                }
            }
        }
        components.reverse();
        components
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(ways: &[&[u32]]) -> Graph {
        let mut starts = vec![0];
        let mut targets = Vec::new();
        for way in ways {
            targets.extend_from_slice(way);
            starts.push(targets.len());
        }
        Graph { starts, targets }
    }

    #[test]
    fn components_come_in_order() {
        let graph = graph(&[&[1, 3], &[2], &[1, 4], &[4], &[4], &[0]]);
        let expected = vec![vec![5], vec![0], vec![3], vec![1, 2], vec![4]];
        assert_eq!(graph.components(), expected);
        let reaching = graph.reaching([3].into_iter());
        assert_eq!(reaching, [true, false, false, true, false, true]);
    }

    #[test]
    fn a_long_path_and_a_long_cycle() {
        let states = 300_000u32;
        let mut starts: Vec<usize> = (0..=states as usize).collect();
        let mut targets: Vec<u32> = (1..states).collect();
        targets.push(0);
        let cycle = Graph {
            starts: starts.clone(),
            targets: targets.clone(),
        };
        assert_eq!(cycle.components().len(), 1);
        targets.pop();
        starts[states as usize] -= 1;
        assert_eq!(Graph { starts, targets }.components().len(), 300_000);
    }
}
