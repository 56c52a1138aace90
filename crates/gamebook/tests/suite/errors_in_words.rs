//! Errors of solvers and of the reader are expressed in terms of the book.

use std::collections::BTreeMap;

use crate::pieces::{after, rolled};
use oddsmith_gamebook::{
    Book, BookSolver, Choice, Effect, Enemy, Error, Fight, Fights, FirstOption, Manuscript,
    Passage, Play, Section,
};
use oddsmith_mdp::{AtRandom, Node, Solver};

/// LUCK without a cap, and a place to gain it without limit.
fn training() -> Book {
    let mut book = Manuscript::new("training");
    let train = after(vec![Effect::change("luck", 5_000)], 1);
    book.sheet.stats.iter_mut().for_each(|stat| stat.cap = None);
    let options = vec![
        Choice::new("train", train),
        Choice::new("go", Passage::to(9)),
    ];
    book.sections = vec![
        Section::new(1, Play::Choice(options).into()),
        Section::new(9, Passage::won()),
    ];
    Book::new(book).unwrap()
}

/// Regression: the error said that chance led nowhere, as if weights were wrong.
#[test]
fn a_stat_that_leaves_its_range() {
    let book = training();
    let text = "the game refuses state section 1 (skill 7, stamina 8, luck 30009): \
                luck leaves the range from -32768 to 32767; give it a cap and a floor or, if its \
                cap is raised repeatedly, put a condition on the increase";
    let hero = rolled(7, 8, 9);
    assert_eq!(book.solve(hero.clone()).unwrap_err().to_string(), text);
    let followed = book.follow_exact(hero, AtRandom);
    assert_eq!(followed.unwrap_err().to_string(), text);
}

/// Regression: the error for the arrival at the start differed: it recommended to solve the book
/// state by state, which does not help.
#[test]
fn a_stat_that_leaves_its_range_at_once() {
    let raise = Effect::RaiseCap(BTreeMap::from([("skill".to_owned(), 5_000)]));
    for (effect, stat) in [(Effect::change("luck", 5_000), "luck"), (raise, "skill")] {
        let mut book = Manuscript::new("found");
        book.sheet.stats[2].cap = None;
        let found = Passage {
            effects: vec![effect; 7],
            ..Passage::to(2)
        };
        book.sections = vec![Section::new(1, found), Section::new(2, Passage::won())];
        let game = Book::new(book).unwrap().game(rolled(7, 8, 9)).unwrap();
        let error = BookSolver::new(&game).solve(game.start()).unwrap_err();
        let stat = stat.to_owned();
        assert_eq!(error, Error::StatOverflows { section: 1, stat });
    }
}

/// Regression: states were described as numbers without names.
#[test]
fn who_goes_round_for_ever() {
    let back = Book::builder()
        .choice(1, [("look", 2), ("cross", 3)])
        .choice(2, [("back", 1)]);
    let book = back.won(3).build().unwrap();
    let game = book.game(rolled(7, 8, 9)).unwrap();
    let evaluated = Solver::exact().evaluate(&game, FirstOption, game.start());
    let error = evaluated.unwrap_err();
    assert!(
        error
            .to_string()
            .contains("section 2 (skill 7, stamina 8, luck 9)"),
        "{error}"
    );
    let error = Solver::exact().solve(&game, game.start()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("section 1 (skill 7, stamina 8, luck 9)"),
        "{error}"
    );
}

/// Regression: two sheets that differ only in a cap had the same description.
#[test]
fn raised_caps_are_told() {
    let mut book = Manuscript::new("training");
    let train = after(vec![Effect::RaiseCap([("luck".into(), 2)].into())], 2);
    let options = vec![
        Choice::new("train", train),
        Choice::new("go", Passage::to(2)),
    ];
    book.sections = vec![
        Section::new(1, Play::Choice(options).into()),
        Section::new(2, Play::Turn(3).into()),
        Section::new(3, Passage::won()),
    ];
    let plan = Book::new(book).unwrap().solve(rolled(7, 14, 9)).unwrap();
    let places = plan.places(2).unwrap();
    let words: Vec<String> = places
        .iter()
        .map(|(place, _)| plan.solution().game().describe(place))
        .collect();
    assert_eq!(
        words,
        [
            "section 2 (skill 7, stamina 14, luck 9)",
            "section 2 (skill 7, stamina 14, luck 9 of 11)"
        ]
    );
}

/// Regression: the error said that the right name had no value.
#[test]
fn a_stat_that_is_written_wrongly() {
    let book = training();
    let error = book.solve(rolled(7, 8, 9).stat("SKILL", 9)).unwrap_err();
    let expected = "the hero has \"SKILL\", which is not on the sheet of this book; the sheet has skill, stamina, luck";
    assert!(error.to_string().starts_with(expected), "{error}");
}

/// Regression: places in the middle of a fight had the same description.
#[test]
fn the_foe_is_told_in_the_middle_of_a_fight() {
    let mut book = Manuscript::new("two");
    let fight = Fight::new([Enemy::new(7, 4), Enemy::new(7, 2)], Passage::to(2));
    book.sections = vec![
        Section::new(1, Play::Fight(Box::new(fight)).into()),
        Section::new(2, Passage::won()),
    ];
    let book = Book::new(book).unwrap();
    let game = book.game(rolled(7, 8, 9)).unwrap().fights(Fights::Rounds);
    let node = Node::of(&game, &game.start()).unwrap();
    let told = |stamina: &str| {
        let mut places = node.outcomes(0).iter().map(|(place, _)| place);
        places.any(|place| game.describe(place).ends_with(stamina))
    };
    assert!(told("; foe 1 of 2, stamina 2)"));
    assert!(told("; foe 1 of 2, stamina 4)"));
    assert_eq!(
        game.describe(&game.start()),
        "section 1 (skill 7, stamina 8, luck 9)"
    );
}
