//! Books that another program has solved: an interpreter of the format, written in another language
//! from the documentation alone, with fractions and one state at a time.
//!
//! `independent/books.jsonl` has one book per line, with the hero and the chance of best play that
//! this program has found. The books are small and random, and use the whole format.
//!
//! `independent/city_of_thieves.jsonl` has places of City of Thieves with their values by a third
//! program, which does not know the format: it was written from a description of that book.
#![cfg(feature = "serde")]

use std::collections::{BTreeMap, BTreeSet};

use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_gamebook::{Book, BookSolver, Bookmark, Character, Error, Fights};
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
            // Some stats have no bounds that the boxes of this solver could represent.
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

const THIEVES: &str = include_str!("../independent/city_of_thieves.jsonl");

#[derive(serde::Deserialize)]
struct Placed {
    variant: String,
    rolled: BTreeMap<String, i16>,
    bookmark: Bookmark,
    win: f64,
}

#[test]
fn city_of_thieves_is_read_as_its_description_says() {
    let (coded, corrected) = (
        Book::city_of_thieves().unwrap(),
        Book::city_of_thieves_corrected().unwrap(),
    );
    let mut sections = BTreeSet::new();
    for line in THIEVES.lines() {
        let placed: Placed = serde_json::from_str(line).unwrap();
        let book = match placed.variant.as_str() {
            "coded" => &coded,
            _ => &corrected,
        };
        // The items at the start make no difference to a bookmark.
        let hero = Character::new().item("luck_potion");
        let rolled = placed.rolled.into_iter();
        let hero = rolled.fold(hero, |hero, (stat, value)| hero.stat(stat, value));
        let game = book.game(hero).unwrap();
        let place = game.open(&placed.bookmark).unwrap();
        let win = BookSolver::new(&game).solve(place).unwrap().win();
        assert!((win - placed.win).abs() < 1e-12, "{win} for {line}");
        sections.insert(placed.bookmark.section());
    }
    assert_eq!(THIEVES.lines().count(), 225);
    assert!(sections.len() > 150, "{}", sections.len());
}
