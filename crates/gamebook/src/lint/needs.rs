//! What must be held to win yet, and which ways are lost for certain.

use super::flow::{Edge, Flow};

/// What every victory needs.
pub(super) struct Needs {
    /// By scene, the bits that all who are there and will win hold; `None` where nobody
    /// wins any more.
    pub(super) scenes: Vec<Option<u128>>,
    /// By edge, whether all who take it lose.
    pub(super) lost: Vec<bool>,
}

/// Backwards from the victories: what is held on the last step of all ways, or gained on
/// the step itself. A step whose end needs what cannot be held there is lost; lost steps
/// are no ways, so that the others need more: again, until nothing changes.
///
/// # Complexity
/// Every round but the last finds a lost step; a handful in practice.
pub(super) fn needs(edges: &[Edge], flow: &Flow, order: &[usize], wins: &[usize]) -> Needs {
    let mut backwards: Vec<usize> = (0..edges.len()).collect();
    backwards.sort_by_key(|&edge| std::cmp::Reverse(order[edges[edge].from]));
    let mut lost = vec![false; edges.len()];
    loop {
        let mut scenes: Vec<Option<u128>> = vec![None; flow.scenes.len()];
        for &won in wins {
            scenes[won] = Some(0);
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &number in backwards.iter().filter(|&&number| !lost[number]) {
                let edge = &edges[number];
                let Some(then) = scenes[edge.to] else {
                    continue;
                };
                let now = edge.before.must | (then & !edge.after.gained);
                let now = scenes[edge.from].map_or(now, |known| known & now);
                changed |= scenes[edge.from] != Some(now);
                scenes[edge.from] = Some(now);
            }
        }
        let mut more = false;
        for (edge, lost) in edges.iter().zip(&mut lost) {
            let wins = scenes[edge.to].is_some_and(|needed| needed & !edge.after.may == 0);
            more |= !wins && !*lost;
            *lost |= !wins;
        }
        if !more {
            return Needs { scenes, lost };
        }
    }
}
