//! An order in which every outcome comes before the state that leads to it.

use std::ops::Range;

use crate::cycle::components;
use crate::layers::{Layers, NO_LEVEL};
use crate::rows::Rows;

/// The level of a state on the current path. Reaching it again closes a cycle.
const OPEN: u32 = NO_LEVEL - 1;

/// The maximum number of states of a cycle that are named.
const NAMED: usize = 20;

/// Describes a cycle in words: for a long one, the first states, the number of those left out, and
/// the last.
pub(crate) fn way_round(round: &[u32], name: impl Fn(u32) -> String) -> Vec<String> {
    let Some((&last, others)) = round.split_last() else {
        return Vec::new();
    };
    let named = others.iter().take(NAMED).map(|&number| name(number));
    let more = others.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| format!("... ({more} more) ..."));
    named.chain(more).chain([name(last)]).collect()
}

/// Returns the states that can be reached from `starts`, outcomes first. If there is no such order,
/// returns a cycle as an error: the numbers of its states, with the first repeated at the end.
///
/// The level of a state is the length of its longest path to an end.
///
/// # Complexity
/// Depth first, with an explicit stack. Reads each outcome once.
pub(crate) fn outcomes_first(
    rows: &Rows,
    starts: impl IntoIterator<Item = u32>,
) -> Result<Layers, Vec<u32>> {
    /// A state on the current path, its remaining outcomes, and its level according to those
    /// already followed.
    struct Step<'a> {
        number: u32,
        level: u32,
        left: &'a [u32],
    }
    let step = |number| Step {
        number,
        level: 0,
        left: rows.successors(number as usize),
    };
    let mut levels = vec![NO_LEVEL; rows.len()];
    let mut path: Vec<Step<'_>> = Vec::new();
    for start in starts {
        if levels[start as usize] != NO_LEVEL {
            continue;
        }
        levels[start as usize] = OPEN;
        path.push(step(start));
        while let Some(last) = path.last_mut() {
            let Some((&child, rest)) = last.left.split_first() else {
                let level = last.level;
                levels[last.number as usize] = level;
                path.pop();
                if let Some(parent) = path.last_mut() {
                    parent.level = parent.level.max(level + 1);
                }
                continue;
            };
            last.left = rest;
            match levels[child as usize] {
                NO_LEVEL => {
                    levels[child as usize] = OPEN;
                    path.push(step(child));
                }
                OPEN => {
                    let round = path.iter().map(|step| step.number);
                    let round = round.skip_while(|&number| number != child);
                    return Err(round.chain([child]).collect());
                }
                level => last.level = last.level.max(level + 1),
            }
        }
    }
    Ok(Layers::sort(&levels))
}

/// Returns the states that can be reached from `starts`, outcomes first, and the ranges of those
/// that can reach each other, which are adjacent.
///
/// # Complexity
/// The same as for [`outcomes_first`].
pub(crate) fn components_first(
    rows: &Rows,
    starts: impl IntoIterator<Item = u32>,
) -> (Vec<u32>, Vec<Range<u32>>) {
    let found = components(rows.len(), starts, |number, cursor| {
        let child = rows.successors(number as usize).get(*cursor as usize);
        *cursor += 1;
        child.copied()
    });
    let cycles = found.true_cycles();
    (found.order, cycles)
}
