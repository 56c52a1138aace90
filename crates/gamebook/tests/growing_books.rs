//! Books of any length, as the benches measure them: what they are, and what the linter
//! finds in them.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod growing;

use growing::{KEYS, growing, hero};
use oddsmith_gamebook::{Book, Finding};
use oddsmith_mdp::Solver;

#[test]
fn books_have_the_length_asked_for_and_are_the_same_every_time() {
    for sections in [20, 33, 100, 1_000, 10_000] {
        let book = Book::new(growing(sections, 7)).unwrap();
        assert_eq!(book.len(), sections as usize);
        assert_eq!(book.manuscript(), &growing(sections, 7));
    }
    assert_ne!(growing(100, 7), growing(100, 8));
    assert_eq!(growing(0, 7).sections.len(), 20);
}

/// The linter proves of long books too what they were made to have.
#[test]
fn all_keys_are_must_haves() {
    for sections in [100, 300, 1_000, 3_000] {
        let lint = Book::new(growing(sections, 7)).unwrap().lint().unwrap();
        for key in 0..KEYS {
            let item = format!("key_{key}");
            let must_have = lint.findings().contains(&Finding::MustHave { item });
            assert!(must_have, "{sections} sections: key {key}");
        }
        let gate = Finding::MustPass {
            section: sections - 2,
        };
        assert!(lint.findings().contains(&gate));
    }
}

/// What the shortest one is worth, every state solved as it is.
#[test]
fn short_ones_can_be_won_and_lost() {
    for seed in 1..=3 {
        let book = Book::new(growing(40, seed)).unwrap();
        let plan = book.solve_with(hero(), Solver::float()).unwrap();
        let value = plan.value();
        println!("seed {seed}: {value} in {} states", plan.solution().len());
        assert!(value > 0.05 && value < 0.999, "seed {seed}: {value}");
    }
}
