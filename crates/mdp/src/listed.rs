//! Long lists of states, shortened.

/// Lists these states out of a total, and the number of those left out.
pub(crate) fn listed(states: &[String], count: usize) -> String {
    let named = states.join(", ");
    match count.saturating_sub(states.len()) {
        0 => named,
        more => format!("{named} and {more} more states"),
    }
}
