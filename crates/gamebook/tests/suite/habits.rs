//! Readers with habits: what is told of those who never come to an end, and by reference.

use oddsmith_fightingfantasy::{Foe, Hero};
use oddsmith_gamebook::{Avoiding, Book, BookGame, FirstOption, Habit, Report};
use oddsmith_mdp::{AtRandom, Policy};

fn hero() -> Hero {
    Hero::new(7, 14, 7).unwrap()
}

/// Told by the sheet in words, not by the numbers in which it is packed.
#[test]
fn a_reader_who_goes_round_is_told_so() {
    let book = Book::builder().choice(1, [("on", 2)]);
    let book = book.choice(2, [("round", 2), ("out", 3)]).won(3).build();
    let book = book.unwrap();
    let difficulty = book.difficulty(hero(), 1.0).unwrap();
    let place = "section 2 (skill 7, stamina 14, luck 7)";
    let said = format!("not known: this reader goes round and round at {place}");
    let text = difficulty.to_string();
    assert!(
        text.contains(&format!("first option     {said}\n")),
        "{text}"
    );
    let journey = book.follow(hero(), AtRandom).unwrap();
    let report = Report::new(&journey).difficulty(&difficulty).to_markdown();
    assert!(
        report.contains(&format!("| first option | {said} |\n")),
        "{report}"
    );
    let error = difficulty.chance(Habit::FirstOption).unwrap_err();
    assert!(error.to_string().contains(place), "{error}");
    assert_eq!(difficulty.chance(Habit::AtRandom), Ok(&1.0));
}

#[test]
fn a_limit_names_the_way_to_raise_it() {
    let foe = Foe::new(7, 12).unwrap();
    let book = Book::builder().fight(1, foe, 2).won(2).build().unwrap();
    let text = book.difficulty_up_to(hero(), 1.0, 3).unwrap().to_string();
    let said = "not known: this reader may come to more than 3 places; allow for more with `Book::difficulty_up_to`";
    assert!(text.contains(said), "{text}");
}

/// As [`BookPolicy`](oddsmith_gamebook::BookPolicy) is.
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
