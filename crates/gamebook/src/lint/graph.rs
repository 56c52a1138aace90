//! Orders, components and dominators of directed graphs, without recursion, since a book may be a
//! chain of a hundred thousand sections.

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

/// The immediate dominators of all nodes reachable from `start`; the start is its own.
///
/// Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm", 2001.
fn dominators(next: &[Vec<usize>], start: usize) -> Vec<Option<usize>> {
    let order = reverse_postorder(next.len(), start, |node| next[node].clone());
    let mut rank = vec![usize::MAX; next.len()];
    let mut before = vec![Vec::new(); next.len()];
    for (place, &node) in order.iter().enumerate() {
        rank[node] = place;
        for &to in &next[node] {
            before[to].push(node);
        }
    }
    let mut idom = vec![None; next.len()];
    idom[start] = Some(start);
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for &node in &order[1..] {
            let mut best: Option<usize> = None;
            for &from in &before[node] {
                if idom[from].is_none() {
                    continue;
                }
                best = Some(best.map_or(from, |best| meet(best, from, &idom, &rank)));
            }
            if idom[node] != best {
                idom[node] = best;
                changed = true;
            }
        }
    }
    idom
}

/// The nodes on every path from `start` to `end`, in order, without `end`.
pub(crate) fn passed(next: &[Vec<usize>], start: usize, end: usize) -> Vec<usize> {
    let nearest = dominators(next, start);
    let mut passed = Vec::new();
    let mut node = end;
    while let Some(up) = nearest[node].filter(|&up| up != node) {
        passed.push(up);
        node = up;
    }
    passed.reverse();
    passed
}

/// The nearest node that dominates both.
fn meet(mut one: usize, mut other: usize, idom: &[Option<usize>], rank: &[usize]) -> usize {
    while one != other {
        let later = if rank[one] > rank[other] {
            &mut one
        } else {
            &mut other
        };
        match idom[*later] {
            Some(up) => *later = up,
            None => break,
        }
    }
    one
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

    /// Figure 4 of Cooper, Harvey and Kennedy, which is not reducible.
    #[test]
    fn dominators_of_an_irreducible_graph() {
        let links = [
            (5, 4),
            (5, 3),
            (4, 0),
            (3, 1),
            (3, 2),
            (0, 1),
            (1, 0),
            (1, 2),
            (2, 1),
        ];
        let next = graph(7, &[&links[..], &[(2, 6)]].concat());
        let idom = dominators(&next, 5);
        assert_eq!(idom, [5, 5, 5, 5, 5, 5, 2].map(Some));
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
