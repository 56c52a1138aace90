//! Readers with habits: those who never reach an end, and a comparison with a reference.

use oddsmith_fightingfantasy::{Foe, Hero};
use oddsmith_gamebook::{Avoiding, Book, BookGame, FirstOption, Habit, Report};
use oddsmith_mdp::Policy;

fn hero() -> Hero {
    Hero::new(7, 14, 7).unwrap()
}

/// Regression: the chance was unknown; this reader has lost, just as in best play.
#[test]
fn a_reader_who_goes_round_has_lost() {
    let book = Book::builder().choice(1, [("on", 2)]);
    let book = book.choice(2, [("round", 2), ("out", 3)]).won(3).build();
    let book = book.unwrap();
    let difficulty = book.difficulty(hero(), 1.0).unwrap();
    assert_eq!(difficulty.chance(Habit::FirstOption), Ok(&0.0));
    assert_eq!(difficulty.chance(Habit::AtRandom), Ok(&1.0));
    let journey = book.follow(hero(), FirstOption).unwrap();
    let report = Report::new(&journey).difficulty(&difficulty).to_markdown();
    for said in [
        "| first option | 0.00 % |\n",
        "| 2 | endless | 100.00 % |\n",
    ] {
        assert!(report.contains(said), "{report}");
    }
}

#[test]
fn a_limit_names_the_way_to_raise_it() {
    let foe = Foe::new(7, 12).unwrap();
    let book = Book::builder().fight(1, foe, 2).won(2).build().unwrap();
    let text = book.difficulty_up_to(hero(), 1.0, 3).unwrap().to_string();
    let said = "not known: the number of places that this reader can reach exceeds the limit of 3; raise it with `Book::difficulty_up_to`";
    assert!(text.contains(said), "{text}");
}

/// In the way of [`BookPolicy`](oddsmith_gamebook::BookPolicy).
#[test]
fn habits_are_policies_by_reference() {
    let foe = Foe::new(7, 14).unwrap();
    let book = Book::builder().choice(1, [("ogre", 2), ("on", 3)]);
    let book = book.fight(2, foe, 3).won(3).build().unwrap();
    let (avoiding, first) = (Avoiding::new(&book), FirstOption);
    let lent = [lent(&book, &avoiding), lent(&book, &first)];
    assert_eq!(lent, [worth(&book, avoiding), worth(&book, first)]);
    // Between equals the fight is even.
    assert_eq!(lent, ["1", "1/2"]);
}

fn worth(book: &Book, policy: impl Policy<BookGame>) -> String {
    book.evaluate(hero(), policy).unwrap().to_string()
}

fn lent<'p, P>(book: &Book, policy: &'p P) -> String
where
    &'p P: Policy<BookGame>,
{
    worth(book, policy)
}
