//! Books with several mistakes: each is told, in order, and no more than that.
#![cfg(feature = "serde")]

use oddsmith_lonewolf::{
    Book, Branch, Case, Chance, Condition, Decision, Discipline, Effect, Error, Foe, Item,
    Manuscript, Outcome,
};

fn mistakes(book: Manuscript) -> Vec<Error> {
    match Book::new(book) {
        Ok(_) => Vec::new(),
        Err(Error::Mistakes { errors }) => errors,
        Err(only) => vec![only],
    }
}

/// A decision with a mistake around another one, and what is said of the mistake.
fn mistaken(kind: usize, number: u16, next: Decision) -> (Decision, String) {
    let next = Box::new(next);
    let missing = 900 + number;
    let (decision, message) = match kind {
        0 => {
            let sell = Decision::Sell {
                item: Item::Backpack,
                price: 1,
                next,
            };
            (
                sell,
                "sell backpack: the Backpack cannot be sold".to_owned(),
            )
        }
        1 => {
            let take = Decision::Take {
                item: Item::Meal,
                count: 0,
                next,
            };
            let message = "take meal: the count must be between 1 and 15, got 0";
            (take, message.to_owned())
        }
        2 => {
            let stay = Branch::to(Decision::Then(Outcome::Goto(missing)));
            let options = Decision::Choose(vec![stay, Branch::to(*next)]);
            (options, format!("there is no section {missing}"))
        }
        3 => {
            let foe = Foe::new("ghost", 10, 0);
            let fight = Branch::to(Decision::Then(Outcome::Fight {
                foe,
                won: Outcome::Lost.into(),
            }));
            let message = "ghost: COMBAT SKILL must be between 0 and 100, got 10, and ENDURANCE between 1 and 100, got 0";
            (
                Decision::Choose(vec![fight, Branch::to(*next)]),
                message.to_owned(),
            )
        }
        4 => {
            let case = Case {
                condition: Condition::Discipline(Discipline::Healing),
                then: Outcome::Lost,
            };
            let branch = Branch::to(Decision::Then(Outcome::Branch(vec![case])));
            let message = "the last case of a branch must be \"always\"";
            (
                Decision::Choose(vec![branch, Branch::to(*next)]),
                message.to_owned(),
            )
        }
        5 => {
            let lose = Effect::Lose {
                item: Item::Axe,
                count: 101,
            };
            let then = Outcome::Do {
                effects: vec![lose],
                then: Outcome::Lost.into(),
            };
            let message = "lose axe: the count must be between 1 and 100, got 101";
            (
                Decision::Choose(vec![Branch::to(Decision::Then(then)), Branch::to(*next)]),
                message.to_owned(),
            )
        }
        6 => {
            let nine = Outcome::Random(vec![Chance {
                numbers: 9,
                then: Outcome::Lost,
            }]);
            let message =
                "its random table has 9 numbers; it needs ten, and at least one in each line";
            (
                Decision::Choose(vec![Branch::to(Decision::Then(nine)), Branch::to(*next)]),
                message.to_owned(),
            )
        }
        _ => {
            let when = Decision::When {
                condition: Condition::Item {
                    item: Item::Sword,
                    count: 3,
                },
                decision: next,
            };
            let message = "ask for sword: the count must be between 1 and 2, got 3";
            (when, message.to_owned())
        }
    };
    (decision, format!("section {number}: {message}"))
}

#[test]
fn all_mistakes_of_a_book_are_told_in_order() {
    let sound = Book::fire_on_the_water().unwrap();
    for (step, first) in [(1, 0), (3, 1), (7, 2), (50, 4), (300, 9)] {
        let mut book = sound.manuscript().clone();
        book.won = 999;
        let mut expected = vec!["the book: won is section 999, which does not exist".to_owned()];
        // Every other section has two mistakes, the outer one first.
        for (place, section) in book
            .sections
            .iter_mut()
            .enumerate()
            .skip(first)
            .step_by(step)
        {
            let number = section.number;
            let around = |decision: &mut Decision, kind| {
                let next = std::mem::replace(decision, Decision::Choose(Vec::new()));
                let (broken, says) = mistaken(kind, number, next);
                *decision = broken;
                says
            };
            let inner = (place % 2 == 0).then(|| around(&mut section.decision, place % 8));
            let outer = around(&mut section.decision, (place + 3) % 8);
            expected.push(outer);
            expected.extend(inner);
        }
        expected.truncate(100);
        let told: Vec<String> = mistakes(book).iter().map(Error::to_string).collect();
        assert_eq!(told, expected);
        assert!(told.len() > 2);
    }
}

#[test]
fn a_book_as_a_whole_has_several_mistakes_and_a_single_one_is_told_by_itself() {
    let sound = Book::fire_on_the_water().unwrap().manuscript().clone();
    assert_eq!(mistakes(sound.clone()), []);
    let mut book = sound.clone();
    book.id = " ".to_owned();
    assert!(matches!(Book::new(book.clone()), Err(Error::Book { .. })));
    book.start = 888;
    let again = book.sections[3].clone();
    let twice = again.number;
    book.sections.push(again);
    book.sections[5].number = 0;
    let told: Vec<String> = mistakes(book).iter().map(Error::to_string).collect();
    assert_eq!(
        told[..4],
        [
            "the book: id must not be blank".to_owned(),
            "the book: section numbers must be 1 or more, got 0".to_owned(),
            format!("the book: section {twice} is defined twice"),
            "the book: start is section 888, which does not exist".to_owned(),
        ]
    );
}

/// The same section is missing twice, but is told once; what is too deep as well.
#[test]
fn no_mistake_of_a_section_is_told_twice() {
    let mut book = Book::fire_on_the_water().unwrap().manuscript().clone();
    let gone = || Branch::to(Decision::Then(Outcome::Goto(999)));
    let deep = || {
        let end = Decision::Then(Outcome::Won);
        Branch::to((0..70).fold(end, |next, _| Decision::Rest(Box::new(next))))
    };
    let number = book.sections[0].number;
    book.sections[0].decision = Decision::Choose(vec![gone(), deep(), gone(), deep()]);
    let told: Vec<String> = mistakes(book).iter().map(Error::to_string).collect();
    assert_eq!(
        told,
        [
            format!("section {number}: there is no section 999"),
            format!("section {number}: decisions are nested deeper than 64"),
        ]
    );
}

#[test]
fn every_mistake_of_a_text_begins_with_its_file() {
    let text = r#"{"format": "oddsmith-lonewolf", "version": 1, "id": "t", "start": 1, "won": 2,
        "sections": [{"number": 1, "decision": {"then": {"goto": 3}}},
                     {"number": 2, "decision": {"choose": []}}]}"#;
    let error = Book::from_json(text, "bridge.json").unwrap_err();
    assert_eq!(
        error.to_string(),
        "bridge.json: section 1: there is no section 3\n\
         bridge.json: section 2: a choice needs at least one option"
    );
    let Error::Mistakes { errors } = error else {
        panic!("two mistakes")
    };
    assert!(
        errors
            .iter()
            .all(|each| matches!(each, Error::InFile { file, .. } if file == "bridge.json"))
    );
}
