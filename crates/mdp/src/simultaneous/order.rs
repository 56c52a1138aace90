//! An order in which every outcome comes before the state that leads to it.

/// The status of a state in the depth-first search.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mark {
    Unmet,
    /// On the current path: reaching it again closes a cycle.
    Open,
    Done,
}

/// Returns the states that can be reached from state 0, outcomes first. If there is no such order,
/// returns a cycle as an error: the numbers of its states, with the first repeated at the end.
pub(super) fn outcomes_first<'a>(
    states: usize,
    successors: impl Fn(usize) -> &'a [u32],
) -> Result<Vec<u32>, Vec<u32>> {
    let mut marks = vec![Mark::Unmet; states];
    let mut order = Vec::with_capacity(states);
    marks[0] = Mark::Open;
    // A state on the current path, and those of its outcomes that are yet to be followed.
    let mut path: Vec<(u32, &[u32])> = vec![(0, successors(0))];
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
                path.push((child, successors(child as usize)));
            }
            Mark::Open => {
                let round = path.iter().map(|&(number, _)| number);
                let round = round.skip_while(|&number| number != child);
                return Err(round.chain([child]).collect());
            }
        }
    }
    Ok(order)
}
