//! Books of any length, as measured by the benches: their properties, and the linter's findings.

use crate::generated::simpler::retarget;
use crate::growing::{KEYS, Tools, growing, growing_with, hero};
use oddsmith_gamebook::{Book, BookSolver, Finding};
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

/// The linter proves the intended properties of long books, too.
#[test]
fn all_keys_are_must_haves() {
    for sections in [100, 300, 1_000, 3_000] {
        let lint = Book::new(growing(sections, 7)).unwrap().lint();
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

/// The value of the shortest one, by the state-by-state solver.
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

/// What is read later is found by going backwards from the end, and not by section numbers: a book
/// numbered in reverse order takes as many passes as any other.
#[test]
fn long_ones_may_be_numbered_from_the_end() {
    const SECTIONS: u32 = 10_000;
    let forwards = growing(SECTIONS, 7);
    let mut backwards = forwards.clone();
    let to = |number: u32| SECTIONS + 1 - number;
    backwards.start = to(backwards.start);
    for section in &mut backwards.sections {
        section.number = to(section.number);
        retarget(&mut section.passage, &to);
    }
    let near_the_end = SECTIONS - 60;
    let solve = |manuscript, start| {
        let with_keys = (0..KEYS).fold(hero(), |hero, key| hero.item(format!("key_{key}")));
        let game = Book::new(manuscript).unwrap().game(with_keys).unwrap();
        let start = game.start_at(start).unwrap();
        BookSolver::new(&game).solve(start).unwrap()
    };
    let (one, other) = (
        solve(forwards, near_the_end),
        solve(backwards, to(near_the_end)),
    );
    assert!(one.win() > 0.05 && one.win() < 0.999, "{one}");
    assert!((one.win() - other.win()).abs() <= one.error().unwrap() + other.error().unwrap());
    assert_eq!(one.regions(), other.regions());
}

/// If items serve once, a book three times as long takes at most about three times the work, and
/// hardly more memory at any time.
#[test]
fn length_alone_costs_no_more_than_its_share() {
    let solve = |sections| {
        let book = Book::new(growing_with(sections, 7, Tools::Left)).unwrap();
        let game = book.game(hero()).unwrap();
        BookSolver::new(&game).solve(game.start()).unwrap()
    };
    let (short, long) = (solve(1_000), solve(3_000));
    assert!((short.win() - 0.6549684378926603).abs() < 1e-11, "{short}");
    assert!((long.win() - 0.7950825746384061).abs() < 4e-11, "{long}");
    assert!(long.tables() < 5 * short.tables(), "{}", long.tables());
    assert!(long.nodes() < 5 * short.nodes(), "{}", long.nodes());
    assert!(long.bytes() < 2 * short.bytes(), "{}", long.bytes());
}

/// If memory is short, tables are stored without repetitions, with the same value.
#[test]
fn a_fifth_of_the_memory_changes_nothing() {
    let book = Book::new(growing(600, 7)).unwrap();
    let game = book.game(hero()).unwrap();
    let solver = BookSolver::new(&game);
    let plenty = solver.solve(game.start()).unwrap();
    for percent in [20, 35, 50, 80] {
        let bytes = plenty.bytes() / 100 * percent;
        let little = solver.clone().max_bytes(bytes).solve(game.start()).unwrap();
        assert_eq!(little.win().to_bits(), plenty.win().to_bits());
        assert!(little.bytes() <= bytes, "{percent}: {little:?}");
        assert!(little.error() <= plenty.error(), "{percent}: {little:?}");
    }
}
