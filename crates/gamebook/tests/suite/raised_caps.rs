//! Caps that are raised for good: values with the new caps are computed first, and then kept only
//! as far as sheets with the old caps need them.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use crate::pieces::{after, random, rolled, with};
use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Choice, Condition, Effect, Error, Item, Manuscript, Passage, Place,
    Play, RefreshAt, Refreshment, Section, Trial,
};

use std::collections::BTreeMap;

/// Items that may be found.
const THINGS: u32 = 9;

/// Some items may be found, each followed by a choice and a test of LUCK, and each makes a victory
/// more likely. At any choice, a hero who has a potion of fortune may drink it.
fn fortune() -> Book {
    let mut book = Manuscript::new("fortune");
    book.rules.refresh = RefreshAt::Choices;
    book.rules.refresh_options = 1;
    let thing = |number: u32| format!("thing {number}");
    book.sheet.items = (0..THINGS).map(|number| Item::new(thing(number))).collect();
    let potions = ["fortune", "water"];
    book.sheet.items.extend(potions.map(Item::new));
    book.sheet.initial_choices = vec![potions.map(str::to_owned).to_vec()];
    book.sheet.refreshments = vec![Refreshment {
        label: "drink".into(),
        condition: Some(Condition::Has("fortune".into())),
        effects: vec![
            Effect::Lose("fortune".into()),
            Effect::RaiseCap(BTreeMap::from([("luck".to_owned(), 1)])),
            Effect::Restore("luck".into()),
        ],
    }];
    for number in 0..THINGS {
        let here = 1 + 4 * number;
        let found = after(vec![Effect::Gain(thing(number))], here + 1);
        let found = random(&[(1, found), (1, Passage::to(here + 1))]);
        let on = Play::Choice(vec![Choice::new("on", Passage::to(here + 2))]);
        let hurt = after(vec![Effect::change("stamina", -1)], here + 4);
        let test = Trial::new("luck", Passage::to(here + 4), hurt);
        // An item that helps restores LUCK, up to the cap.
        let rest = after(vec![Effect::change("luck", 1)], here + 4);
        book.sections.extend([
            Section::new(here, found.into()),
            Section::new(here + 1, on.into()),
            Section::new(here + 2, Play::Test(Box::new(test)).into()),
            Section::new(here + 3, rest),
        ]);
    }
    let mut section = 1 + 4 * THINGS;
    for number in 0..THINGS {
        let good = 39 - number % 3;
        let odds = [good, good - 3 - number / 2].map(|of_40| {
            let next = Passage::to(section + 3);
            random(&[(of_40, next), (40 - of_40, Passage::lost())])
        });
        book.sections.extend(with(section, &thing(number), odds));
        section += 3;
    }
    book.sections.push(Section::new(section, Passage::won()));
    Book::new(book).unwrap()
}

fn game(book: &Book, luck: i16, potion: &str) -> BookGame {
    book.game(rolled(7, 4, luck).item(potion)).unwrap()
}

/// The memory that a solver needs for several heroes at once, in steps of a fortieth of the
/// unlimited amount.
fn needed(games: &[BookGame]) -> usize {
    let solver = BookSolver::new(&games[0]);
    let starts: Vec<Place> = games.iter().map(BookGame::start).collect();
    let plenty = solver.solve_all(&starts).unwrap();
    let step = plenty[0].bytes() / 40;
    let enough = (1..=40).map(|steps| steps * step).find(|bytes| {
        match solver.clone().max_bytes(*bytes).solve_all(&starts) {
            Ok(little) => {
                assert!(little[0].bytes() <= *bytes);
                for (little, plenty) in little.iter().zip(&plenty) {
                    assert_eq!(little.win().to_bits(), plenty.win().to_bits());
                    assert!(little.error() <= plenty.error());
                }
                true
            }
            Err(Error::BookTooLarge { .. }) => false,
            Err(error) => panic!("{error}"),
        }
    });
    enough.unwrap_or(usize::MAX)
}

/// Twelve heroes with seven caps need less than twice as much memory at a time as one of them with
/// two: once a cap is finished, only the values for heroes who have just drunk are kept.
#[test]
fn caps_take_memory_one_after_the_other() {
    let book = fortune();
    let alone = needed(&[game(&book, 12, "fortune")]);
    let potions = |luck| ["water", "fortune"].map(|potion| game(&book, luck, potion));
    let all: Vec<BookGame> = (7..=12).flat_map(potions).collect();
    let together = needed(&all);
    assert!(
        together < 2 * alone,
        "{together} for twelve, {alone} for one"
    );
}

/// Heroes with different LUCK, with and without the potion: the same as if each were alone.
#[test]
fn heroes_with_other_luck_are_solved_together() {
    let book = fortune();
    let heroes =
        [6, 8, 7, 12].map(|luck| ["water", "fortune"].map(|potion| game(&book, luck, potion)));
    let games: Vec<&BookGame> = heroes.iter().flatten().collect();
    assert!(games.iter().all(|other| games[0].shares_places(other)));
    let starts: Vec<_> = games.iter().map(|game| game.start()).collect();
    for solver in [BookSolver::new(games[0]), BookSolver::new(games[3])] {
        let together = solver.solve_all(&starts).unwrap();
        for (game, together) in games.iter().zip(&together) {
            let alone = BookSolver::new(game).solve(game.start()).unwrap();
            let off = alone.error().unwrap() + together.error().unwrap();
            assert!(off < 1e-11 && (alone.win() - together.win()).abs() <= off);
        }
        // The hero with most LUCK has the highest chance, and the potion helps all others.
        assert!(together[0].win() < together[1].win() && together[5].win() < together[7].win());
    }
}
