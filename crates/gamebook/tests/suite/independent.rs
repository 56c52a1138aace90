//! Books that another program has solved: an interpreter of the format, written in another
//! language from the documentation alone, with fractions and every state by itself.
//!
//! `independent/books.jsonl` has one book a line, with the hero and the chance of best play
//! that program has found. They are small, and made at random of everything there is.
#![cfg(feature = "serde")]

use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_gamebook::{Book, BookSolver, Character, Error, Fights};
use oddsmith_mdp::Solver;

const BOOKS: &str = include_str!("../independent/books.jsonl");

#[derive(serde::Deserialize)]
struct Solved {
    book: serde_json::Value,
    hero: Character,
    win: String,
}

#[test]
fn the_other_program_has_found_the_same() {
    let mut diagrams = 0;
    for (line, text) in (1..).zip(BOOKS.lines()) {
        let Solved { book, hero, win } = serde_json::from_str(text).unwrap();
        let win: BigRational = win.parse().unwrap();
        let book = Book::from_json(&book.to_string(), "books.jsonl").unwrap();
        for fights in [Fights::Folded, Fights::Rounds] {
            let game = book.game(&hero).unwrap().fights(fights);
            let solved = Solver::exact().allow_cycles().solve(&game, game.start());
            assert_eq!(solved.unwrap().value(), win, "line {line}, {fights:?}");
        }
        let game = book.game(&hero).unwrap();
        let valuation = match BookSolver::new(&game).solve(game.start()) {
            Ok(valuation) => valuation,
            // Some stats have no bounds that the boxes of this solver could tell.
            Err(Error::BookTooLarge { .. }) => continue,
            Err(error) => panic!("line {line}: {error}"),
        };
        diagrams += 1;
        let (least, most) = valuation.enclosure().unwrap();
        let win = win.to_f64().unwrap();
        assert!(least <= win && win <= most, "line {line}: {valuation}");
    }
    assert_eq!(BOOKS.lines().count(), 100);
    assert!(diagrams >= 95, "{diagrams}");
}
