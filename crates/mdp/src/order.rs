//! An order in which every outcome comes before the state it follows from.

use std::ops::Range;

use crate::cycle::components;
use crate::rows::Rows;

/// Where the depth-first search stands with a state.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mark {
    Unmet,
    /// On the current path: meeting it again closes a cycle.
    Open,
    Done,
}

/// The states that `starts` can lead to, outcomes first; or, if there is none
/// such order, a way round: numbers of states, the first and the last the same.
///
/// # Complexity
/// Depth first, with an explicit stack: one look at each outcome.
pub(crate) fn outcomes_first(
    rows: &Rows,
    starts: impl IntoIterator<Item = u32>,
) -> Result<Vec<u32>, Vec<u32>> {
    let mut marks = vec![Mark::Unmet; rows.len()];
    let mut order = Vec::with_capacity(rows.len());
    // A state on the current path and its outcomes yet to be followed.
    let mut path: Vec<(u32, &[u32])> = Vec::new();
    for start in starts {
        if marks[start as usize] != Mark::Unmet {
            continue;
        }
        marks[start as usize] = Mark::Open;
        path.push((start, rows.successors(start as usize)));
        while let Some((number, left)) = path.last_mut() {
            let Some((&child, rest)) = left.split_first() else {
                marks[*number as usize] = Mark::Done;
                order.push(*number);
                path.pop();
                continue;
            };
            *left = rest;
            match marks[child as usize] {
                Mark::Done => {}
                Mark::Unmet => {
                    marks[child as usize] = Mark::Open;
                    path.push((child, rows.successors(child as usize)));
                }
                Mark::Open => {
                    let round = path.iter().map(|&(number, _)| number);
                    let round = round.skip_while(|&number| number != child);
                    return Err(round.chain([child]).collect());
                }
            }
        }
    }
    Ok(order)
}

/// The states that `starts` can lead to, outcomes first but for those that can
/// reach each other, which come one after the other; and where these are.
///
/// # Complexity
/// As for [`outcomes_first`].
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
