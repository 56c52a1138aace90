//! Published and hand-computed books, and books with mistakes.

use oddsmith_fightingfantasy::{Duel, Foe, Hero};
use oddsmith_gamebook::{Book, BookBuilder, Deed, Error, Finding, Move, Place};
use oddsmith_mdp::{AtRandom, Solver};

fn hero() -> Hero {
    Hero::new(7, 14, 7).unwrap()
}

#[track_caller]
fn check(book: &Book, hero: Hero, value: &str) {
    assert_eq!(book.solve(hero).unwrap().value().to_string(), value);
}

/// "City of Thieves solved", Approach 2: the example adventure. Chances to survive: first fight
/// 0.9; last fight 0.8, or 0.9 with the reward.
fn example_adventure() -> Book {
    let builder = Book::builder().choice(1, [("avoid monster", 2), ("fight monster", 3)]);
    let builder = builder
        .chance(2, [(5, 8), (6, 2)])
        .chance(3, [(4, 9), (6, 1)]);
    builder
        .chance(4, [(5, 9), (6, 1)])
        .won(5)
        .lost(6)
        .build()
        .unwrap()
}

#[test]
fn the_example_adventure_of_city_of_thieves_solved() {
    let book = example_adventure();
    let plan = book.solve(hero()).unwrap();
    let advice = plan.first_choice().unwrap().unwrap();
    let values: Vec<String> = advice
        .options()
        .iter()
        .map(|o| o.value.to_string())
        .collect();
    assert_eq!(values, ["4/5", "81/100"]); // 0.8 and 0.9 · 0.9 = 0.81
    assert_eq!(
        (advice.label(), advice.lead().to_string()),
        ("fight monster", "1/100".into())
    );
    assert_eq!(plan.visits(4).unwrap().to_string(), "9/10");
    let avoid = book.evaluate(hero(), |_: &Place, _: &[Move]| 0).unwrap();
    assert_eq!(avoid.to_string(), "4/5");
    assert_eq!(
        book.evaluate(hero(), AtRandom).unwrap().to_string(),
        "161/200"
    );
    let walk = plan.walkthrough().unwrap();
    let sections: Vec<u32> = walk
        .steps()
        .iter()
        .map(|step| step.place.section())
        .collect();
    assert_eq!(sections, [1, 3, 4, 5]);
    assert_eq!(walk.steps()[3].reached.to_string(), "81/100");
}

/// "City of Thieves solved", methods: at the end exactly one of three choices wins. A reader who
/// chooses at random wins one time in three.
#[test]
fn one_of_three_final_choices_wins() {
    let builder = Book::builder().choice(244, [("one", 1), ("two", 400), ("three", 2)]);
    let book = builder.won(400).lost(1).lost(2).build().unwrap();
    let plan = book.solve(hero()).unwrap();
    let advice = plan.first_choice().unwrap().unwrap();
    assert_eq!(
        (advice.target(), advice.lead().to_string()),
        (Some(400), "1".into())
    );
    assert_eq!(book.evaluate(hero(), AtRandom).unwrap().to_string(), "1/3");
}

/// A fight in a book is a duel in which LUCK is never used.
#[test]
fn fights_are_duels_without_luck() {
    for (skill, stamina, foe) in [
        (12, 24, Foe::new(15, 22).unwrap()),
        (12, 24, Foe::new(14, 12).unwrap()),
        (7, 23, Foe::new(9, 24).unwrap()),
        (9, 1, Foe::new(9, 1).unwrap()),
        (3, 24, Foe::new(12, 24).unwrap()),
        (12, 24, Foe::new(1, 24).unwrap()),
    ] {
        let hero = Hero::new(skill, stamina, 12).unwrap();
        let book = Book::builder().fight(1, foe, 2).won(2).build().unwrap();
        let plan = book.solve(hero).unwrap();
        let duel = Duel::new(hero, foe);
        assert_eq!(plan.value(), duel.without_luck().unwrap());
        // The remaining stats, too.
        let never = |_: &_, _: &[_]| 0;
        let game = duel.game().unwrap();
        let start = oddsmith_fightingfantasy::DuelState::new(hero.stamina(), foe.stamina(), 12);
        let fought = Solver::exact().evaluate(&game, never, start).unwrap();
        let expected = fought.forecast().unwrap().ends_by(|end| end.hero).unwrap();
        let left = plan
            .solution()
            .forecast()
            .unwrap()
            .ends_by(|end| plan.solution().game().stat(end, "stamina").unwrap() as u16)
            .unwrap();
        assert!(left.outcomes().eq(expected.outcomes()));
        assert!(left.outcomes().all(|s| left.p(s) == expected.p(s)));
    }
}

/// A fight that is too long to be folded is still one step of the walk, and one visit.
#[test]
fn a_long_fight_is_one_step() {
    let book = Book::builder()
        .fight(1, Foe::new(10, 60).unwrap(), 2)
        .won(2)
        .build()
        .unwrap();
    let plan = book.solve(Hero::new(12, 260, 7).unwrap()).unwrap();
    assert!(plan.solution().len() > 1_000);
    let deeds: Vec<Deed> = plan
        .walkthrough()
        .unwrap()
        .steps()
        .iter()
        .map(|s| s.deed.clone())
        .collect();
    assert_eq!(deeds, [Deed::Fight, Deed::Won]);
    assert_eq!(plan.visits(1).unwrap().to_string(), "1");
    assert_eq!(plan.visits(2).unwrap(), plan.value());
}

#[test]
fn luck_runs_out_and_is_never_negative() {
    let chain = |n: u32| {
        let builder = (1..=n).fold(Book::builder(), |b, i| b.luck(i, i + 1, 900));
        builder.won(n + 1).lost(900).build().unwrap()
    };
    check(&chain(1), Hero::new(7, 14, 12).unwrap(), "1");
    check(&chain(2), Hero::new(7, 14, 12).unwrap(), "35/36");
    check(&chain(3), Hero::new(7, 14, 3).unwrap(), "0"); // 3/36 · 1/36 · 0
    check(&chain(2), Hero::new(7, 14, 3).unwrap(), "1/432");
    check(&chain(1), Hero::new(7, 14, 0).unwrap(), "0");
}

#[test]
fn a_lost_walk_ends_in_defeat() {
    let book = Book::builder()
        .fight(1, Foe::new(12, 2).unwrap(), 2)
        .lost(2)
        .build()
        .unwrap();
    let plan = book.solve(Hero::new(1, 2, 7).unwrap()).unwrap();
    let walk = plan.walkthrough().unwrap();
    let ending = walk.steps().last().unwrap();
    assert_eq!(ending.words, "section 1 (skill 1, stamina 0, luck 7)");
    assert_eq!(ending.deed, Deed::Lost);
    assert_eq!(plan.first_choice().unwrap(), None);
}

#[track_caller]
fn check_error(builder: BookBuilder, expected: Error, words: &str) {
    let error = builder.build().unwrap_err();
    assert_eq!(error, expected);
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn mistakes_are_named_with_their_section() {
    let new = Book::builder;
    check_error(new(), Error::NoSections, "empty");
    check_error(new().start(3), Error::NoSections, "empty");
    check_error(
        new().won(1).start(3),
        Error::MissingStart { start: 3 },
        "section 3",
    );
    check_error(
        new().won(1).won(2).lost(2),
        Error::DuplicateSection { section: 2 },
        "section 2",
    );
    let invalid = |field: &str, problem| Error::Invalid {
        place: "section 5".into(),
        field: field.into(),
        problem,
    };
    check_error(
        new().choice(5, []),
        invalid("choice", "it must not be empty"),
        "section 5",
    );
    check_error(
        new().chance(5, [(6, 0)]).won(6),
        invalid("random", "at least one weight must be positive"),
        "section 5",
    );
    let missing = |field: &str| Error::MissingTarget {
        section: 1,
        field: field.into(),
        target: 9,
    };
    check_error(
        new().luck(1, 2, 9).won(2),
        missing("test.failure.to"),
        "section 1: test.failure.to: section 9",
    );
    check_error(
        new().chance(1, [(2, 1), (9, 0)]).won(2),
        missing("random[1].to"),
        "section 1: random[1].to",
    );
    let giant = Foe::new(5, 1_001).unwrap();
    let error = Error::OutOfRange {
        place: "section 1".into(),
        field: "fight.foes[0].stamina".into(),
        given: 1_001,
        least: 1,
        most: 1_000,
    };
    check_error(
        new().fight(1, giant, 2).won(2),
        error,
        "fight.foes[0].stamina must be between 1 and 1000, got 1001",
    );
}

#[test]
fn questions_beyond_the_book_are_errors() {
    let book = example_adventure();
    let plan = book.solve(hero()).unwrap();
    assert_eq!(book.section(7), Err(Error::NoSuchSection { section: 7 }));
    assert_eq!(plan.visits(7), Err(Error::NoSuchSection { section: 7 }));
    assert!(matches!(
        plan.places(7),
        Err(Error::NoSuchSection { section: 7 })
    ));
    assert!(matches!(
        plan.advice(&book.game(Hero::new(7, 13, 7).unwrap()).unwrap().start()),
        Err(Error::Solve(_))
    ));
    let game = book.game(hero()).unwrap();
    let fourth = game.start_at(4).unwrap();
    assert_eq!(
        Solver::exact()
            .solve(&game, fourth)
            .unwrap()
            .value()
            .to_string(),
        "9/10"
    );
    assert_eq!(game.start_at(7), Err(Error::NoSuchSection { section: 7 }));
    let habit = book.evaluate(hero(), |_: &Place, _: &[Move]| 5);
    assert!(matches!(
        habit,
        Err(Error::Solve(oddsmith_mdp::Error::NoDecision { .. }))
    ));
}

#[test]
fn extremes_are_books_too() {
    // A hundred thousand sections in a row, without recursion.
    let n = 100_000;
    let builder = (1..n).fold(Book::builder(), |b, i| b.choice(i, [("on", i + 1)]));
    let book = builder.won(n).build().unwrap();
    assert_eq!(book.findings(), []);
    assert_eq!(
        book.solve_with(hero(), Solver::float()).unwrap().value(),
        1.0
    );
    // SKILLs that leave the other side no chance, and weights up to the limit.
    let titan = Hero::new(32_767, 32_767, 32_767).unwrap();
    let rat = Foe::new(-10_000, 1_000).unwrap();
    let book = Book::builder()
        .fight(1, rat, 2)
        .luck(2, 3, 9)
        .skill(3, 4, 9);
    let book = book
        .chance(4, [(5, 1), (9, u32::MAX)])
        .won(5)
        .lost(9)
        .build()
        .unwrap();
    check(&book, titan, &format!("1/{}", 1_u64 << 32));
    let worm = Hero::new(-32_768, 1, 0).unwrap();
    check(&book, worm, "0");
    // Values that do not fit on a sheet are rejected.
    for (skill, stamina) in [(i32::MAX, 1), (i32::MIN, 1), (7, 65_535)] {
        let beyond = Hero::new(skill, stamina, 7).unwrap();
        let error = book.solve(beyond).unwrap_err();
        assert!(matches!(error, Error::OutOfRange { .. }), "{error}");
    }
}

#[test]
fn findings_are_about_links() {
    let builder = Book::builder()
        .luck(1, 2, 3)
        .won(2)
        .choice(3, [("x", 4)])
        .lost(4);
    let book = builder.choice(10, [("y", 2)]).lost(11).build().unwrap();
    assert_eq!(
        book.findings(),
        [
            Finding::Hopeless { section: 3 },
            Finding::Unreachable { section: 10 },
            Finding::Unreachable { section: 11 },
        ]
    );
    assert_eq!(example_adventure().findings(), []);
}
