//! Deferred regions behind random losses, computed for one part of the sheets after another if
//! there is not enough memory for all at once.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use crate::pieces::{after, random, rolled, with};
use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Choice, Condition, Effect, Error, Item, Manuscript, Passage, Play,
    RandomLoss, RefreshAt, Refreshment, Section, WeightedEffects,
};

/// Items that may be found; each makes a victory more likely.
const THINGS: u32 = 11;

/// From a section on: some of the items are found, and then there may be thieves for a charm, one
/// after another, each of whom takes a number of items if it goes wrong. After that, every item
/// held matters in its own way.
fn thieves(book: &mut Manuscript, first: u32, taken: &[u16]) {
    let thing = |number: u32| format!("thing {number}");
    let gain = |id: &str| Effect::Gain(id.to_owned());
    let things = (0..THINGS).map(|number| Item::new(thing(number)));
    book.sheet.items.extend(things.chain([Item::new("charm")]));
    for number in 0..THINGS {
        let (here, next) = (first + number, first + number + 1);
        let found = after(vec![gain(&thing(number))], next);
        let play = random(&[(1, found), (1, Passage::to(next))]);
        book.sections.push(Section::new(here, play.into()));
    }
    let choice = first + THINGS;
    let thief = choice + 2;
    let behind = thief + taken.len() as u32;
    let options = [("by", behind), ("closer", choice + 1)];
    let options = options.map(|(label, to)| Choice::new(label, Passage::to(to)));
    let charm = after(vec![gain("charm")], behind);
    let dared = random(&[(1, charm), (1, Passage::to(thief))]);
    book.sections.extend([
        Section::new(choice, Play::Choice(options.into()).into()),
        Section::new(choice + 1, dared.into()),
    ]);
    for (here, &count) in (thief..).zip(taken) {
        let robbed = Effect::LoseRandom(RandomLoss { count, tag: None });
        book.sections
            .push(Section::new(here, after(vec![robbed], here + 1)));
    }
    let mut section = behind;
    for number in 0..=THINGS {
        let item = match number {
            THINGS => "charm".to_owned(),
            number => thing(number),
        };
        let good = 39 - number % 3;
        let odds = [good, good - 3 - number / 2].map(|of_40| {
            let next = Passage::to(section + 3);
            random(&[(of_40, next), (40 - of_40, Passage::lost())])
        });
        book.sections.extend(with(section, &item, odds));
        section += 3;
    }
    book.sections.push(Section::new(section, Passage::won()));
}

fn game(book: Manuscript) -> BookGame {
    Book::new(book).unwrap().game(rolled(7, 5, 7)).unwrap()
}

/// For how many hundredths of the usual memory a book is solved in slices. The value is always the
/// same.
fn sliced(book: Manuscript, hundredths: impl Iterator<Item = usize>) -> usize {
    let game = game(book);
    let solver = BookSolver::new(&game);
    let plenty = solver.solve(game.start()).unwrap();
    let little = hundredths.filter_map(|hundredths| {
        let bytes = plenty.bytes() / 100 * hundredths;
        solver.clone().max_bytes(bytes).solve(game.start()).ok()
    });
    let sliced = little.filter(|little| {
        assert_eq!(little.win().to_bits(), plenty.win().to_bits());
        // Values computed for one slice are computed again for another.
        little.tables() > plenty.tables() * 11 / 10
    });
    sliced.count()
}

#[test]
fn less_memory_takes_more_slices_and_changes_nothing() {
    let mut book = Manuscript::new("thieves");
    thieves(&mut book, 1, &[2]);
    let game = game(book);
    let solver = BookSolver::new(&game);
    let plenty = solver.solve(game.start()).unwrap();
    assert!(plenty.win() > 0.19 && plenty.win() < 0.2, "{plenty}");
    for hundredths in (40..100).step_by(5) {
        let bytes = plenty.bytes() / 100 * hundredths;
        let little = solver.clone().max_bytes(bytes);
        let little = little.solve(game.start()).unwrap();
        assert_eq!(little.win().to_bits(), plenty.win().to_bits());
        assert!(little.error() <= plenty.error(), "{little:?}");
        assert!(little.bytes() <= bytes, "{little:?}");
        // Values computed for one slice are computed again for another.
        let again = little.tables() > plenty.tables() * 11 / 10;
        assert_eq!(again, hundredths <= 60, "{little:?}");
    }
    // What has a value at the end of the book needs this much memory by itself.
    let bytes = plenty.bytes() / 5;
    let refused = solver.clone().max_bytes(bytes).solve(game.start());
    assert!(
        matches!(refused, Err(Error::BookTooLarge { limit, between: None, .. }) if limit == bytes)
    );
}

/// Regression: the values of finished slices were discarded while the next one was computed, if so
/// much lay between the choice and the last thief that they were not needed there.
#[test]
fn other_slices_are_kept_where_one_is_worked_out_region_by_region() {
    let mut book = Manuscript::new("thieves in a row");
    thieves(&mut book, 1, &[1, 1, 1]);
    assert!(sliced(book, (30..70).step_by(4)) >= 3);
}

/// A hero who drinks has one item less at the choice itself, and a flag that matters later.
#[test]
fn who_refreshes_stays_in_his_slice() {
    let mut book = Manuscript::new("drinking thieves");
    book.rules.refresh = RefreshAt::Choices;
    book.rules.refresh_options = 1;
    thieves(&mut book, 1, &[2]);
    // As often as there is something to pour out.
    let things = [0, 4, 7].map(|number| format!("thing {number}"));
    book.sheet.refreshments = vec![Refreshment {
        label: "a toast".into(),
        condition: Some(Condition::Any(things.clone().map(Condition::Has).into())),
        effects: things
            .into_iter()
            .map(Effect::Lose)
            .chain([Effect::Gain("charm".to_owned())])
            .collect(),
    }];
    assert!(sliced(book, (35..100).step_by(5)) >= 3);
}

/// With a rope it is better to climb; other heroes might do better among thieves, but finding out
/// takes too much. Something may happen on arrival at the start.
fn climbers(on_arrival: Vec<Effect>) -> BookGame {
    let mut book = Manuscript::new("streets");
    book.sheet.items = vec![Item::new("rope")];
    let found = after(vec![Effect::Gain("rope".to_owned())], 2);
    let streets = [("the wall", 3), ("the thieves", 10)];
    let streets = streets.map(|(label, to)| Choice::new(label, Passage::to(to)));
    let climbed = |of_ten: u32| {
        let won = (of_ten, Passage::won());
        random(&[won, (10 - of_ten, Passage::lost())])
    };
    book.sections = vec![
        Section::new(1, random(&[(1, found), (1, Passage::to(2))]).into()),
        Section::new(2, Play::Choice(streets.into()).into()),
    ];
    book.sections
        .extend(with(3, "rope", [climbed(9), climbed(1)]));
    thieves(&mut book, 10, &[2]);
    book.sections[0].passage.effects = on_arrival;
    game(book)
}

/// The error contains the bounds known so far.
#[test]
fn what_is_known_of_a_start_is_told_by_the_error() {
    let game = climbers(Vec::new());
    let solver = BookSolver::new(&game).tell_apart(0.0);
    let plenty = solver.solve(game.start()).unwrap();
    let solver = solver.max_bytes(plenty.bytes() / 6);
    let Err(error) = solver.solve(game.start()) else {
        panic!("there was memory enough");
    };
    let said = error.to_string();
    let Error::BookTooLarge {
        between: Some((least, most)),
        ..
    } = error
    else {
        panic!("{error}");
    };
    assert!((least - 0.5).abs() < 1e-9, "{said}"); // (0.9 + 0.1) / 2
    assert!(least < plenty.win() && plenty.win() < most && most < 0.9);
    assert!(
        said.contains(&format!("between {least} and {most}")),
        "{said}"
    );
}

/// One in two dies immediately: the value of the survivors is not that of the start.
#[test]
fn nothing_is_told_of_a_start_where_chance_moves_on_arrival() {
    let dies = |weight, effects| WeightedEffects { weight, effects };
    let wound = vec![Effect::change("stamina", -20)];
    let game = climbers(vec![Effect::Random(vec![dies(1, wound), dies(1, vec![])])]);
    let start = game.start_at(1).unwrap();
    let solver = BookSolver::new(&game).tell_apart(0.0);
    let plenty = solver.solve(start).unwrap();
    let refused = solver.max_bytes(plenty.bytes() / 6).solve(start);
    assert!(
        matches!(
            refused,
            Err(Error::BookTooLarge {
                what: "bytes",
                between: None,
                ..
            })
        ),
        "{refused:?}"
    );
}
