//! Layered layout of a directed graph.
//!
//! The method is that of K. Sugiyama, S. Tagawa and M. Toda, "Methods for visual understanding of
//! hierarchical system structures", IEEE Trans. Systems, Man and Cybernetics 11, 1981: arrows that
//! close a cycle are reversed, each node gets the length of the longest path to it as its rank,
//! arrows over several ranks are routed through points, and the order within a rank follows the
//! barycentres of the neighbours. There are two deviations. All arrows to one node share their
//! points, so a section that half the book leads to is a bundle and not a wall. The positions are
//! the least-squares solution that keeps order and distances.

/// Sweeps over all ranks to find the order.
const SWEEPS: usize = 24;
/// Sweeps over all ranks to find the positions.
const SHIFTS: usize = 40;

/// A graph with a position for everything.
#[derive(Debug)]
pub(super) struct Layout {
    /// By node.
    pub(super) at: Vec<[f64; 2]>,
    pub(super) ways: Vec<Way>,
    pub(super) size: [f64; 2],
}

/// An arrow.
#[derive(Debug)]
pub(super) struct Way {
    /// The points it passes. Reversed arrows go up.
    pub(super) points: Vec<[f64; 2]>,
    /// Whether it ends at a point that an earlier arrow has passed, which leads on from there (or,
    /// for a reversed arrow, comes from there).
    pub(super) joined: bool,
}

/// The distances: between nodes, between lines, between ranks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spacing {
    pub(super) node: f64,
    pub(super) line: f64,
    pub(super) rank: f64,
}

/// Lays out a graph of `count` nodes, starting from `start`; `None` if that takes more than
/// `most_points` points.
///
/// With p points and e arrows, each sweep takes about p log p + e log e.
pub(super) fn layout(
    count: usize,
    arrows: &[(usize, usize)],
    start: usize,
    spacing: Spacing,
    most_points: usize,
) -> Option<Layout> {
    if count > most_points {
        return None;
    }
    let down = without_cycles(count, arrows, start);
    let ranks = longest_ways(count, &down);
    let mut points = Points::new(&ranks, arrows, &down, most_points)?;
    points.order();
    let x = points.positions(spacing);
    let y = |point: usize| points.rank[point] as f64 * spacing.rank;
    let at = |point: usize| [x[point], y(point)];
    let ways = arrows.iter().zip(&down).zip(&points.ways);
    let ways = ways.map(|((arrow, down), way)| {
        let joined = way[way.len() - 1] != down.1;
        let mut points: Vec<[f64; 2]> = way.iter().map(|&point| at(point)).collect();
        if arrow != down {
            points.reverse();
        }
        Way { points, joined }
    });
    let width = x.iter().fold(0.0, |most: f64, &x| most.max(x));
    Some(Layout {
        at: (0..count).map(at).collect(),
        ways: ways.collect(),
        size: [width, (points.layers.len() - 1) as f64 * spacing.rank],
    })
}

/// The arrows, with those reversed that lead back in a depth-first search from the start. Loops at
/// a node stay.
fn without_cycles(count: usize, arrows: &[(usize, usize)], start: usize) -> Vec<(usize, usize)> {
    let mut next = vec![Vec::new(); count];
    for (number, &(from, to)) in arrows.iter().enumerate() {
        next[from].push((to, number));
    }
    let mut down = arrows.to_vec();
    let (mut entered, mut left) = (vec![false; count], vec![false; count]);
    for root in std::iter::once(start).chain(0..count) {
        if entered.get(root) != Some(&false) {
            continue;
        }
        entered[root] = true;
        let mut calls = vec![(root, 0)];
        while let Some((node, place)) = calls.last_mut() {
            let Some(&(to, number)) = next[*node].get(*place) else {
                left[*node] = true;
                calls.pop();
                continue;
            };
            *place += 1;
            if !entered[to] {
                entered[to] = true;
                calls.push((to, 0));
            } else if !left[to] && to != *node {
                down[number] = (to, *node);
            }
        }
    }
    down
}

/// By node, the length of the longest path to it. A node that nothing leads to comes just before
/// the first one it leads to.
fn longest_ways(count: usize, down: &[(usize, usize)]) -> Vec<usize> {
    let mut next = vec![Vec::new(); count];
    let mut missing = vec![0_usize; count];
    for &(from, to) in down.iter().filter(|(from, to)| from != to) {
        next[from].push(to);
        missing[to] += 1;
    }
    let sources: Vec<usize> = (0..count).filter(|&node| missing[node] == 0).collect();
    let mut ranks = vec![0; count];
    let mut waiting = sources.clone();
    while let Some(node) = waiting.pop() {
        for &to in &next[node] {
            ranks[to] = ranks[to].max(ranks[node] + 1);
            missing[to] -= 1;
            if missing[to] == 0 {
                waiting.push(to);
            }
        }
    }
    for node in sources {
        let first = next[node].iter().map(|&to| ranks[to]).min();
        ranks[node] = first.map_or(0, |first: usize| first.saturating_sub(1));
    }
    ranks
}

/// The nodes, and the points through which arrows are routed.
struct Points {
    nodes: usize,
    /// By point.
    rank: Vec<usize>,
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    /// By rank, from left to right.
    layers: Vec<Vec<usize>>,
    /// By arrow.
    ways: Vec<Vec<usize>>,
}

impl Points {
    fn new(
        ranks: &[usize],
        arrows: &[(usize, usize)],
        down: &[(usize, usize)],
        most_points: usize,
    ) -> Option<Self> {
        let nodes = ranks.len();
        // All arrows to one node share the point of a rank.
        let mut top = ranks.to_vec();
        for &(from, to) in down.iter().filter(|(from, to)| from != to) {
            top[to] = top[to].min(ranks[from] + 1);
        }
        let lines = ranks.iter().zip(&top).map(|(rank, top)| rank - top);
        let total = lines.fold(nodes, usize::saturating_add);
        if total > most_points {
            return None;
        }
        let last = ranks.iter().max().copied().unwrap_or(0);
        let mut points = Points {
            nodes,
            rank: ranks.to_vec(),
            above: vec![Vec::new(); total],
            below: vec![Vec::new(); total],
            layers: vec![Vec::new(); last + 1],
            ways: Vec::new(),
        };
        // By node, the number of its topmost point; the others follow downwards.
        let mut first = Vec::with_capacity(nodes);
        for node in 0..nodes {
            first.push(points.rank.len());
            points.rank.extend(top[node]..ranks[node]);
        }
        for node in 0..nodes {
            let line = (first[node]..first[node] + ranks[node] - top[node])
                .chain([node])
                .collect::<Vec<usize>>();
            for pair in line.windows(2) {
                points.link(pair[0], pair[1]);
            }
        }
        // By direction, since only arrows of the same direction can share a line.
        let mut passed = [vec![false; total], vec![false; total]];
        for (arrow, &(from, to)) in arrows.iter().zip(down) {
            let mut way = vec![from];
            if from == to {
                way.push(to);
                points.ways.push(way);
                continue;
            }
            let passed = &mut passed[usize::from(*arrow != (from, to))];
            let skipped = ranks[from] + 1 - top[to];
            let mut line = first[to] + skipped..first[to] + ranks[to] - top[to];
            let joined = line.any(|point| {
                way.push(point);
                std::mem::replace(&mut passed[point], true)
            });
            if !joined {
                way.push(to);
            }
            points.link(way[0], way[1]);
            points.ways.push(way);
        }
        for (point, &rank) in points.rank.iter().enumerate() {
            points.layers[rank].push(point);
        }
        Some(points)
    }

    fn link(&mut self, from: usize, to: usize) {
        if !self.below[from].contains(&to) {
            self.below[from].push(to);
            self.above[to].push(from);
        }
    }

    /// Orders the ranks so that few lines cross.
    fn order(&mut self) {
        let mut place = vec![0.0; self.rank.len()];
        let number = |layer: &[usize], place: &mut [f64]| {
            for (at, &point) in layer.iter().enumerate() {
                place[point] = at as f64;
            }
        };
        for layer in &self.layers {
            number(layer, &mut place);
        }
        let mut best = (self.crossings(&place), self.layers.clone());
        for sweep in 0..SWEEPS {
            let ranks = self.layers.len();
            for step in 1..ranks {
                let (rank, by) = match sweep % 2 {
                    0 => (step, &self.above),
                    _ => (ranks - 1 - step, &self.below),
                };
                let layer = &mut self.layers[rank];
                let key = |point: &usize| mean(&by[*point], &place).unwrap_or(place[*point]);
                layer.sort_by(|one, other| key(one).total_cmp(&key(other)));
                number(layer, &mut place);
            }
            let crossings = self.crossings(&place);
            if crossings < best.0 {
                best = (crossings, self.layers.clone());
            }
            if crossings == 0 {
                break;
            }
        }
        self.layers = best.1;
    }

    /// The number of crossings between neighbouring ranks: inversions, counted with a Fenwick tree
    /// (W. Barth, P. Mutzel and M. Jünger, "Simple and efficient bilayer cross counting", J. Graph
    /// Algorithms and Applications 8, 2004).
    fn crossings(&self, place: &[f64]) -> u64 {
        let mut crossings = 0;
        for rank in 0..self.layers.len().saturating_sub(1) {
            let mut tree = vec![0_u64; self.layers[rank + 1].len() + 1];
            let mut seen = 0;
            for &point in &self.layers[rank] {
                let mut ends: Vec<usize> = self.below[point]
                    .iter()
                    .map(|&to| place[to] as usize)
                    .collect();
                ends.sort_unstable();
                for &end in &ends {
                    // Subtract those seen whose end is not further to the right.
                    let (mut at, mut left) = (end + 1, 0);
                    while at > 0 {
                        left += tree[at];
                        at &= at - 1;
                    }
                    crossings += seen - left;
                }
                for &end in &ends {
                    let mut at = end + 1;
                    while at < tree.len() {
                        tree[at] += 1;
                        at += at & at.wrapping_neg();
                    }
                    seen += 1;
                }
            }
        }
        crossings
    }

    /// The horizontal position of each point, in the order of its rank.
    fn positions(&self, spacing: Spacing) -> Vec<f64> {
        let half = |point: usize| match point < self.nodes {
            true => spacing.node / 2.0,
            false => spacing.line / 2.0,
        };
        let mut x = vec![0.0; self.rank.len()];
        // By layer, the least distance of each point from the first.
        let mut offsets = Vec::new();
        for layer in &self.layers {
            let mut offset = vec![0.0];
            for pair in layer.windows(2) {
                let last = offset[offset.len() - 1];
                offset.push(last + half(pair[0]) + half(pair[1]));
            }
            let width = offset[offset.len() - 1];
            for (&point, offset) in layer.iter().zip(&offset) {
                x[point] = offset - width / 2.0;
            }
            offsets.push(offset);
        }
        for shift in 0..SHIFTS {
            for step in 0..self.layers.len() {
                let rank = match shift % 2 {
                    0 => step,
                    _ => self.layers.len() - 1 - step,
                };
                let (layer, offset) = (&self.layers[rank], &offsets[rank]);
                let wanted = layer.iter().zip(offset).map(|(&point, offset)| {
                    let (above, below) =
                        (mean(&self.above[point], &x), mean(&self.below[point], &x));
                    let mean = match (above, below) {
                        (Some(above), Some(below)) => (above + below) / 2.0,
                        (one, other) => one.or(other).unwrap_or(x[point]),
                    };
                    mean - offset
                });
                let moved = rising(&wanted.collect::<Vec<f64>>());
                for ((&point, offset), moved) in layer.iter().zip(offset).zip(moved) {
                    x[point] = moved + offset;
                }
            }
        }
        let left = x.iter().fold(f64::INFINITY, |least, &x| least.min(x));
        x.iter_mut().for_each(|x| *x -= left);
        x
    }
}

fn mean(points: &[usize], of: &[f64]) -> Option<f64> {
    let sum: f64 = points.iter().map(|&point| of[point]).sum();
    (!points.is_empty()).then(|| sum / points.len() as f64)
}

/// The nearest non-decreasing sequence, by pooling adjacent violators (M. Ayer et al., Annals of
/// Mathematical Statistics 26, 1955).
fn rising(wanted: &[f64]) -> Vec<f64> {
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for &number in wanted {
        let (mut sum, mut size) = (number, 1);
        while let Some((above, many)) = pools.pop() {
            if above / many as f64 <= sum / size as f64 {
                pools.push((above, many));
                break;
            }
            sum += above;
            size += many;
        }
        pools.push((sum, size));
    }
    let means = pools.into_iter();
    means
        .flat_map(|(sum, size)| std::iter::repeat_n(sum / size as f64, size))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACING: Spacing = Spacing {
        node: 10.0,
        line: 2.0,
        rank: 100.0,
    };

    fn laid(count: usize, arrows: &[(usize, usize)]) -> Layout {
        layout(count, arrows, 0, SPACING, 10_000).unwrap_or_else(|| unreachable!("it is small"))
    }

    #[test]
    fn ranks_are_longest_ways() {
        let drawn = laid(4, &[(0, 1), (1, 2), (0, 2), (2, 3), (0, 3)]);
        let ranks = drawn.at.iter().map(|at| at[1] / 100.0);
        assert_eq!(ranks.collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(drawn.ways[4].points.len(), 4); // by way of two points
    }

    #[test]
    fn an_arrow_back_goes_up() {
        let drawn = laid(3, &[(0, 1), (1, 2), (2, 0), (1, 1)]);
        let back: Vec<f64> = drawn.ways[2].points.iter().map(|at| at[1]).collect();
        assert_eq!(back, [200.0, 100.0, 0.0]);
    }

    #[test]
    fn arrows_to_one_node_join() {
        // A line of five, and from each of them to the last.
        let drawn = laid(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (0, 4), (1, 4), (2, 4)]);
        let ways = drawn.ways[4..].iter();
        let ways: Vec<(usize, bool)> = ways.map(|way| (way.points.len(), way.joined)).collect();
        assert_eq!(ways, [(5, false), (2, true), (2, true)]);
    }

    #[test]
    fn a_crossing_is_undone() {
        // 0 leads to 1 and 2; 1 to 4, 2 to 3: in the order of the numbers lines cross.
        let drawn = laid(5, &[(0, 1), (0, 2), (1, 4), (2, 3)]);
        let x = |node: usize| drawn.at[node][0];
        assert_eq!(x(1) < x(2), x(4) < x(3));
    }

    #[test]
    fn nodes_of_a_rank_keep_their_distance() {
        let arrows: Vec<(usize, usize)> = (1..30)
            .map(|to| (0, to))
            .chain([(3, 30), (29, 30)])
            .collect();
        let drawn = laid(31, &arrows);
        let mut x: Vec<f64> = (1..30).map(|node| drawn.at[node][0]).collect();
        x.sort_by(f64::total_cmp);
        assert!(x.windows(2).all(|pair| pair[1] - pair[0] >= 10.0 - 1e-9));
    }

    #[test]
    fn too_many_points_are_refused() {
        let line: Vec<(usize, usize)> = (0..99).map(|node| (node, node + 1)).collect();
        assert!(layout(100, &line, 0, SPACING, 99).is_none());
        assert!(layout(100, &line, 0, SPACING, 100).is_some());
    }

    #[test]
    fn rising_numbers_are_the_nearest() {
        assert_eq!(rising(&[1.0, 3.0, 2.0, 4.0]), [1.0, 2.5, 2.5, 4.0]);
        assert_eq!(rising(&[3.0, 2.0, 1.0]), [2.0, 2.0, 2.0]);
        assert!(rising(&[]).is_empty());
    }
}
