//! Long lists of states in short.

/// The states listed, of so many, and how many more there are.
pub(crate) fn listed(states: &[String], count: usize) -> String {
    let named = states.join(", ");
    match count.saturating_sub(states.len()) {
        0 => named,
        more => format!("{named} and {more} more states"),
    }
}
