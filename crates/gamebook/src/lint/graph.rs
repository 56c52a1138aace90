//! Orders, components and dominators of directed graphs, without recursion, since a book may be a
//! chain of a hundred thousand sections.

use std::collections::VecDeque;

/// The nodes reachable from `start` in reverse postorder: each comes before those it leads to,
/// except on cycles.
pub(crate) fn reverse_postorder(
    count: usize,
    start: usize,
    links: impl Fn(usize) -> Vec<usize>,
) -> Vec<usize> {
    let mut seen = vec![false; count];
    let mut post = Vec::new();
    let mut stack = vec![(start, links(start), 0)];
    seen[start] = true;
    while let Some((node, next, place)) = stack.last_mut() {
        if let Some(&to) = next.get(*place) {
            *place += 1;
            if !std::mem::replace(&mut seen[to], true) {
                stack.push((to, links(to), 0));
            }
        } else {
            post.push(*node);
            stack.pop();
        }
    }
    post.reverse();
    post
}

/// The nodes on every path from `start` to `end` (the dominators of `end`), in order, without
/// `end`. Takes linear time, since only one node's are wanted.
///
/// Of the nodes of any one path, one is on every path if no detour leads from before it to behind
/// it. All detours from one node of the path, by way of nodes that are not on it, are followed
/// before the next node; what was met on an earlier detour leads no farther.
pub(crate) fn passed(next: &[Vec<usize>], start: usize, end: usize) -> Vec<usize> {
    const OFF: usize = usize::MAX;
    let path = path(next, start, end);
    let mut place = vec![OFF; next.len()];
    for (at, &node) in path.iter().enumerate() {
        place[node] = at;
    }
    let mut seen = vec![false; next.len()];
    // The last node of the path to which a detour leads from the nodes so far.
    let mut farthest = 0;
    let mut passed = Vec::new();
    for (at, &node) in path.iter().enumerate() {
        if node == end {
            break;
        }
        if farthest == at {
            passed.push(node);
        }
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            for &to in &next[node] {
                if place[to] != OFF {
                    farthest = farthest.max(place[to]);
                } else if !std::mem::replace(&mut seen[to], true) {
                    stack.push(to);
                }
            }
        }
    }
    passed
}

/// The nodes of a shortest path from `start` to `end`, with both; none if there is no path.
fn path(next: &[Vec<usize>], start: usize, end: usize) -> Vec<usize> {
    let mut before = vec![None; next.len()];
    before[start] = Some(start);
    let mut waiting = VecDeque::from([start]);
    while let Some(node) = waiting.pop_front() {
        for &to in &next[node] {
            if before[to].is_none() {
                before[to] = Some(node);
                waiting.push_back(to);
            }
        }
    }
    let mut path = Vec::new();
    let mut at = end;
    while let Some(from) = before[at] {
        path.push(at);
        if from == at {
            break;
        }
        at = from;
    }
    path.reverse();
    path
}

/// The strongly connected components, each as its nodes in ascending order, sorted by their first
/// nodes.
///
/// Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1, 1972,
/// doi:10.1137/0201010.
pub(crate) fn components(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut found = components_backwards(next);
    found
        .iter_mut()
        .for_each(|component| component.sort_unstable());
    found.sort_unstable();
    found
}

/// The same components in reverse topological order: each comes before those that lead to it. The
/// nodes of each are listed from the one visited last.
pub(crate) fn components_backwards(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let count = next.len();
    let (mut index, mut low) = (vec![usize::MAX; count], vec![0; count]);
    let mut on_stack = vec![false; count];
    let (mut stack, mut found, mut clock) = (Vec::new(), Vec::new(), 0);
    for root in 0..count {
        if index[root] != usize::MAX {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some((node, place)) = calls.last_mut() {
            let node = *node;
            if *place == 0 {
                index[node] = clock;
                low[node] = clock;
                clock += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(&to) = next[node].get(*place) {
                *place += 1;
                if index[to] == usize::MAX {
                    calls.push((to, 0));
                } else if on_stack[to] {
                    low[node] = low[node].min(index[to]);
                }
                // `place` is now above 0, so the node is not entered again.
                continue;
            }
            calls.pop();
            if let Some((above, _)) = calls.last() {
                low[*above] = low[*above].min(low[node]);
            }
            if low[node] == index[node] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    component.push(member);
                    if member == node {
                        break;
                    }
                }
                found.push(component);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(count: usize, links: &[(usize, usize)]) -> Vec<Vec<usize>> {
        let mut next = vec![Vec::new(); count];
        for &(from, to) in links {
            next[from].push(to);
        }
        next
    }

    /// Of all small graphs with these seeds: a node is on every path if there is none without it.
    #[test]
    fn what_every_path_passes_cannot_be_left_out() {
        let mut found = 0;
        for seed in 0_u64..20_000 {
            let count = 3 + seed as usize % 6;
            let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let mut draw = || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 32) as usize % count
            };
            let links: Vec<(usize, usize)> = (0..2 * count).map(|_| (draw(), draw())).collect();
            let next = graph(count, &links);
            let (start, end) = (draw(), draw());
            let mut expected = Vec::new();
            let whole = path(&next, start, end);
            for &node in whole.iter().filter(|node| **node != end) {
                let others = links.iter().filter(|link| link.0 != node && link.1 != node);
                let without = graph(count, &others.copied().collect::<Vec<_>>());
                if node == start || path(&without, start, end).is_empty() {
                    expected.push(node);
                }
            }
            assert_eq!(passed(&next, start, end), expected, "{links:?}");
            found += usize::from(expected.len() > 1 && whole.len() > expected.len() + 1);
        }
        assert!(found > 100, "{found}");
    }

    /// Regression: the time was quadratic in the depth of the graph.
    #[test]
    fn dominators_of_two_long_chains_that_cross() {
        let count = 400_000;
        let mut links = Vec::new();
        for node in 0..count - 2 {
            links.push((node, node + 2));
        }
        links.extend([(0, 1), (count - 2, count), (count - 1, count)]);
        // From the end of one chain back to all of the other.
        let back = (1..count / 2).map(|node| (count - 2, 2 * node - 1));
        links.extend(back);
        let next = graph(count + 1, &links);
        assert_eq!(passed(&next, 0, count), [0]);
        assert_eq!(passed(&next, 0, count - 2).len(), count / 2 - 1);
    }

    #[test]
    fn components_are_the_cycles() {
        let next = graph(7, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3), (5, 5)]);
        assert_eq!(
            components(&next),
            [vec![0, 1, 2], vec![3, 4], vec![5], vec![6]]
        );
        let line: Vec<Vec<usize>> = (0..100_000)
            .map(|n| if n < 99_999 { vec![n + 1] } else { vec![] })
            .collect();
        assert_eq!(components(&line).len(), 100_000);
    }
}
