//! Texts that are almost books: reading, checking and playing them never panics.
#![cfg(feature = "toml")]

use crate::any_text::{Changes, Reached, Rolls, never_panics};

/// A short version of the fuzz target; the program beside it runs as many inputs as one has time
/// for.
#[test]
fn changed_books_never_panic() {
    let changes = Changes::new();
    let mut rolls = Rolls(1);
    let mut count = std::collections::BTreeMap::new();
    for _ in 0..4_000 {
        let text = changes.text(&mut rolls);
        *count.entry(never_panics(&text)).or_insert(0) += 1;
    }
    // The changes must reach everything that is to be tested.
    let least = [
        (Reached::Text, 500),
        (Reached::Played, 50),
        (Reached::Solved, 500),
    ];
    for (reached, least) in least {
        let found = count.get(&reached).copied().unwrap_or(0);
        assert!(found >= least, "{reached:?}: {count:?}");
    }
    // A book that was read can be played.
    assert_eq!(count.get(&Reached::Book), None, "{count:?}");
}
