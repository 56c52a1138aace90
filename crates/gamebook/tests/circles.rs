//! Books in which one can go in circles: what to do there, and what is said if there is no
//! end to it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use oddsmith_fightingfantasy::{Foe, Hero};
use oddsmith_gamebook::{
    Book, BookSolver, Choice, Condition, Effect, Error, Manuscript, Passage, Play, Section, Stat,
};

/// Who waits can still go, and is worth as much. Who only waits never wins.
#[test]
fn nobody_is_advised_to_wait_for_ever() {
    let waiting = Book::builder()
        .choice(1, [("wait", 2), ("stay", 1), ("go", 3)])
        .choice(2, [("back", 1)])
        .chance(3, [(4, 1), (5, 1)]);
    // A town that all roads lead back to, and the best of them does not.
    let town = Book::builder()
        .choice(1, [("rest", 2), ("walk about", 3), ("leave", 4)])
        .choice(2, [("wake up", 1), ("walk about", 3)])
        .choice(3, [("go to bed", 2), ("to the square", 1), ("leave", 4)])
        .fight(4, Foe::new(6, 2).unwrap(), 5)
        .lost(6);
    for book in [waiting.won(4).lost(5).build(), town.won(5).build()] {
        let game = book.unwrap().game(Hero::new(8, 6, 8).unwrap()).unwrap();
        let mut place = game.start();
        let mut road = vec![];
        while let Some(advice) = BookSolver::new(&game).advice(place).unwrap() {
            let options = advice.options().iter();
            assert!(options.clone().filter(|option| option.optimal).count() > 1);
            assert_eq!(options.filter(|option| option.decided).count(), 1);
            road.push(advice.target().unwrap());
            assert!(road.len() < 10, "{road:?}");
            place = game.start_at(advice.target().unwrap()).unwrap();
        }
    }
}

/// Outside of circles the first of the best is taken, as before.
#[test]
fn ties_outside_of_circles_are_taken_as_they_come() {
    let book = Book::builder()
        .choice(1, [("left", 2), ("right", 3)])
        .chance(2, [(4, 1), (5, 1)])
        .chance(3, [(4, 2), (5, 2)])
        .won(4)
        .lost(5)
        .build()
        .unwrap();
    let game = book.game(Hero::new(8, 6, 8).unwrap()).unwrap();
    let advice = BookSolver::new(&game).advice(game.start()).unwrap();
    assert_eq!(advice.unwrap().label(), "left");
}

/// Day labour without an end: it is said which stat rises, and where.
#[test]
fn a_stat_with_too_many_values_is_named() {
    let mut book = Manuscript::new("day labour");
    book.sheet.stats.push(Stat {
        floor: Some(0),
        ..Stat::new("silver", 0)
    });
    let mut work = Passage::to(7);
    work.effects.push(Effect::change("silver", 1));
    let mut rest = Choice::new("rest", Passage::to(9));
    rest.condition = Some(Condition::at_least("silver", 200));
    let options = vec![Choice::new("work", work), rest];
    book.sections = vec![
        Section::new(7, Play::Choice(options).into()),
        Section::new(9, Passage::won()),
    ];
    book.start = 7;
    let book = Book::new(book).unwrap();
    let game = book.game(Hero::new(8, 6, 8).unwrap()).unwrap();
    let refused = BookSolver::new(&game).max_values(100).solve(game.start());
    let error = refused.unwrap_err();
    let named = Some(("silver".to_owned(), 7));
    assert!(
        matches!(&error, Error::BookTooLarge { limit: 100, stat, .. } if *stat == named),
        "{error:?}"
    );
    assert!(
        error
            .to_string()
            .contains("silver has so many in section 7")
    );
}
