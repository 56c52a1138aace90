//! Lists that may be endless.

/// Collects a list up to one element beyond the limit, and says how many it has. If the list does
/// not know that itself, it is as many as were collected.
pub(crate) fn listed<T>(all: impl IntoIterator<Item = T>, limit: usize) -> (Vec<T>, usize) {
    let all = all.into_iter();
    let known = match all.size_hint() {
        (least, Some(most)) if least == most => least,
        _ => 0,
    };
    let kept: Vec<T> = all.take(limit.saturating_add(1)).collect();
    let given = kept.len().max(known);
    (kept, given)
}
