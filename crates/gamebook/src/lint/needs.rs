//! What must be held to win, and which steps certainly lose.

use super::flow::{Edge, Flow};

/// What every victory needs.
pub(super) struct Needs {
    /// By scene, the bits that every future winner holds there; `None` where nobody wins any more.
    pub(super) scenes: Vec<Option<u128>>,
    /// By edge, whether everybody who takes it loses.
    pub(super) lost: Vec<bool>,
}

/// Computes them backwards from the victories. A bit is needed if on every way it is held before
/// the last step or gained on the step itself. A step is lost if its end needs what cannot be held
/// there. Lost steps are removed, so the others need more, until nothing changes.
///
/// # Complexity
/// Every round but the last finds a lost step; in practice there are a handful of rounds.
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
