//! The facts of "City of Thieves", as encoded and corrected.
#![cfg(feature = "serde")]

use oddsmith_fightingfantasy::LuckTest;
use oddsmith_gamebook::{Book, Character, FightOrder, Finding, Move, Play, Section};
use oddsmith_mdp::{Node, Solver};

fn book() -> Book {
    Book::city_of_thieves().unwrap()
}

fn corrected() -> Book {
    Book::city_of_thieves_corrected().unwrap()
}

fn hero() -> Character {
    let hero = Character::new()
        .stat("skill", 6)
        .stat("stamina", 7)
        .stat("luck", 9);
    hero.item("dexterity_potion")
}

fn count(book: &Book, what: impl Fn(&Section) -> bool) -> usize {
    book.sections().filter(|(_, section)| what(section)).count()
}

#[test]
fn everything_has_carried_over() {
    let book = book();
    assert_eq!(
        (book.len(), book.start(), book.rules().test),
        (424, 1, LuckTest::Below)
    );
    let sheet = book.sheet();
    assert_eq!(
        (sheet.items.len(), sheet.flags.len(), sheet.stats.len()),
        (64, 3, 5)
    );
    let flags = sheet
        .items
        .iter()
        .filter(|item| item.tags.contains(&"flag".into()));
    assert_eq!(flags.count(), 11);
    let silver = sheet
        .items
        .iter()
        .filter(|item| item.tags.contains(&"silver".into()));
    assert_eq!(silver.count(), 8);
    let play = |want: fn(&Play) -> bool| count(&book, move |s| want(&s.passage.play));
    assert_eq!(play(|p| matches!(p, Play::Choice(_))), 214);
    assert_eq!(play(|p| matches!(p, Play::Turn(_))), 118);
    assert_eq!(play(|p| matches!(p, Play::Fight(_))), 46);
    assert_eq!(play(|p| matches!(p, Play::Test(_))), 20 + 6);
    assert_eq!(play(|p| matches!(p, Play::Shop(_))), 5);
    assert_eq!(play(|p| matches!(p, Play::Game(_))), 1);
    assert_eq!(play(|p| matches!(p, Play::Random(_))), 2);
    assert_eq!(play(|p| matches!(p, Play::Ending(_))), 12);
    assert_eq!(
        play(|p| matches!(p, Play::Fight(f) if f.order == FightOrder::AtOnce)),
        2
    );
    assert_eq!(
        play(|p| matches!(p, Play::Fight(f) if f.order == FightOrder::OneOf)),
        1
    );
    assert_eq!(
        play(|p| matches!(p, Play::Fight(f) if f.escape.is_some())),
        8
    );
    let unreachable: Vec<Finding> = book
        .findings()
        .into_iter()
        .filter(|finding| matches!(finding, Finding::Unreachable { .. }))
        .collect();
    assert_eq!(unreachable.len(), 424 - 421);
    assert!(unreachable.contains(&Finding::Unreachable { section: 130 }));
}

#[test]
fn the_corrected_variant_changes_what_it_should() {
    let (coded, corrected) = (book(), corrected());
    assert_eq!(corrected.id(), "city_of_thieves_corrected");
    assert_eq!(corrected.rules().test, LuckTest::AtMost);
    let changed: Vec<u32> = coded
        .sections()
        .filter(|(number, section)| corrected.section(*number).unwrap() != *section)
        .map(|(number, _)| number)
        .collect();
    assert_eq!(changed, [15, 64, 126, 137, 192, 291, 357, 367]);
    assert_eq!(coded.section(15).unwrap().targets(), [298, 75]);
    assert_eq!(corrected.section(15).unwrap().targets(), [75, 298]);
    assert!(corrected.section(357).unwrap().targets().contains(&282));
}

#[test]
fn json_round_trip() {
    let book = book();
    assert_eq!(
        Book::from_json(&book.to_json().unwrap(), "again").unwrap(),
        book
    );
}

#[cfg(feature = "toml")]
#[test]
fn toml_round_trip() {
    for book in [book(), corrected()] {
        assert_eq!(
            Book::from_toml(&book.to_toml().unwrap(), "again").unwrap(),
            book
        );
    }
}

/// At 244 exactly one of three choices wins, as the source says.
#[test]
fn one_of_three_final_choices_wins() {
    let game = book().game(hero()).unwrap();
    let start = game.start_at(244).unwrap();
    let solution = Solver::exact().max_states(100_000).solve(&game, start);
    let solution = solution.unwrap();
    let options = solution.choices(&start).unwrap();
    let turns = options
        .iter()
        .filter(|option| matches!(option.action, Move::Turn(_)));
    let values: Vec<String> = turns.map(|option| option.value.to_string()).collect();
    assert_eq!(values.len(), 3);
    assert_eq!(values.iter().filter(|value| *value == "1").count(), 1);
    assert_eq!(values.iter().filter(|value| *value == "0").count(), 2);
}

/// 137: one to six arrows take 3 each, and LUCK falls by 2, even below zero.
#[test]
fn arrows_at_137() {
    let strong = Character::new()
        .stat("skill", 6)
        .stat("stamina", 12)
        .stat("luck", 9);
    let strong = strong.item("luck_potion").now("luck", 1);
    let game = book().game(strong).unwrap();
    let node = Node::of(&game, &game.start_at(137).unwrap()).unwrap();
    let left = node.outcomes(0).iter().map(|(place, weight)| {
        let stat = |id| game.stat(place, id).unwrap();
        (stat("stamina"), stat("luck"), *weight)
    });
    let mut left: Vec<_> = left.collect();
    left.sort_unstable();
    // Four or more kill.
    assert_eq!(left, [(0, -1, 3), (3, -1, 1), (6, -1, 1), (9, -1, 1)]);
}

/// SKILL includes the worn items: shield 1, Carralif's sword 2.
#[test]
fn worn_items_count_in_tests() {
    let game = book().game(hero()).unwrap();
    let node = Node::of(&game, &game.start_at(18).unwrap()).unwrap();
    // 6 + 3 = 9, which 26 of 36 rolls are below.
    let to = |section| {
        node.outcomes(0)
            .iter()
            .find(|(place, _)| place.section() == section)
    };
    assert_eq!(to(102).unwrap().1 * 10, to(225).unwrap().1 * 26);
}

/// 431: the foe is drawn; only the ape man sets a flag.
#[test]
fn the_drawn_foe_leaves_its_mark() {
    let game = book().game(hero().stat("skill", 12)).unwrap();
    let start = game.start_at(431).unwrap();
    let node = Node::of(&game, &start).unwrap();
    assert_eq!(node.outcomes(0).len(), 6);
    let marked = node.outcomes(0).iter().filter(|(place, _)| {
        let fight = Node::of(&game, place).unwrap();

        fight
            .wide_outcomes(0)
            .any(|(to, _)| to.section() == 138 && game.has(to, "fought_ape_man"))
    });
    assert_eq!(marked.count(), 1);
}
